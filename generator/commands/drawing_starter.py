"""Start a project from a drawing: its placeholders and named objects become the columns of a table of cards."""

import csv
import io
from dataclasses import replace
from pathlib import Path, PurePosixPath

from generator.base.errors import Place, Problem, ProblemsFound
from generator.base.files import read_file, write_in_folder
from generator.base.geometry import CARD_SIZES, MM_PER_INCH, scan_numbers
from generator.commands.starters import LANGUAGES, copy_files, copy_guides, read_starter
from generator.drawing.faces.game_drawing import Workshop
from generator.drawing.svg.layout_objects import DOTS, SAME_SIZE
from generator.drawing.svg.tree import Element, find_link, read_art_tree
from generator.drawing.svg.values import MM, convert_length, list_numbers
from generator.drawing.templates.renderer import find_drawn_fields
from generator.drawing.templates.template_sources import read_template
from generator.game.load_game import load_game
from generator.game.packs import LAYOUT
from generator.game.project import find_project

_BLEED = 3.0
"""Width in mm of the bleed that print services ask for."""

_SHORTEST, _LONGEST = 20.0, 450.0
"""Plausible lengths of a card's longer side in mm, by which the resolution of a drawing in pixels is found."""

_CARDS = 3
_KIND = """\
# yaml-language-server: $schema=schema.json
# The contents of the box. Each row of cards.csv is one card; `count` is the number of copies to print.

components:
  card:
    name:   {{ja: カード, en: Card}}
    size:   {size}
    bleed:  {bleed:g}                 # mm of the drawing beyond the cut
    front:  card                 # templates/@name@/card.svg, your drawing (docs/templates.md)
    fields:                      # the columns of cards.csv; docs/data.md lists all types
{fields}    designs: cards.csv
"""


def write_drawing_starter(target: Path, game: str, drawing: Path, langs: tuple[str, ...]) -> None:
    """Write a project whose cards are drawn by a drawing, with three cards as examples.

    Raise ProblemsFound, with places in the drawing, if it can't be read or its cards can't be drawn.
    """
    shown = drawing.as_posix()
    source = read_template(drawing, shown)
    root = read_art_tree(source.encode(), lambda at: Place(shown, *map(int, at.split(":"))) if at else Place(shown))
    shown_fields = find_drawn_fields(source)
    fields = shown_fields or {"title": "words"}
    size, bleed = find_card_size(root)
    kind = _KIND.format(size=size, bleed=bleed, fields="".join(f"      {name}: {fields[name]}\n" for name in fields))
    template = f"templates/{game}/card.svg"
    write_in_folder(target, template, read_file(drawing, "markup"))
    for name in dict.fromkeys(find_link(one) for one in root.iter_elements() if one.tag == "image"):
        path, found = PurePosixPath(name), drawing.parent / name
        if name and ":" not in name and not path.is_absolute() and ".." not in path.parts and found.is_file():
            write_in_folder(target, f"templates/{game}/{path}", read_file(found, "picture"))
    files, guides = read_starter(LAYOUT)
    copy_guides(target, guides)
    problems: tuple[Problem, ...] = ()
    for short in (False, True):  # long values show more, but may not fit
        table = _write_table(fields, short).encode("utf-8-sig")
        own = {"data/game/components.yaml": kind.encode(), "data/game/cards.csv": table}
        copy_files(target, game, {**files, **own}, langs)
        problems = _draw_cards(target, game)
        if not problems and not shown_fields:
            hint = "write {{ card.title }} into a text, or name an object card.title (pnp guide templates)"
            problems = (Problem(Place(shown), "no text or object of the drawing changes from card to card", hint),)
        if not problems:
            return
    moved = []
    for problem in problems:  # the project is not there yet: all is said of the drawing
        at = problem.place if problem.place is not None and problem.place.file == template else Place(shown)
        words = (text.replace(template, shown) for text in (problem.what, problem.hint))
        moved.append(Problem(replace(at, file=shown), *words))
    raise ProblemsFound(moved)


def find_card_size(root: Element) -> tuple[str, float]:
    """Return the size of a drawing's card, as it is written in YAML, and its bleed in mm.

    A document that is as large as a known card with bleed has bleed. One in pixels has the resolution that makes it a
    known card, or else a card of plausible size.
    """
    sides = [scan_numbers(root.attributes.get(name, ""))[0][:1] for name in ("width", "height")]
    view = list_numbers(root.attributes.get("viewBox", ""))
    units = [unit for side in sides for _, unit in side]
    if len(units) == 2 and not {"", "px", "%"} & {*units}:
        sizes = [(*(convert_length(number, unit, MM) for ((number, unit),) in sides), SAME_SIZE)]
    else:
        width, height = (side[0][0] for side in sides) if units and "%" not in units and all(sides) else view[2:]
        pixels = [MM_PER_INCH / dots for dots in DOTS]
        sizes = [(width * pixel, height * pixel, SAME_SIZE + pixel / 2) for pixel in pixels]
    for width, height, slack in sizes:
        for bleed in (0.0, _BLEED):
            for named in CARD_SIZES.values():
                across, down = named.size.width + 2 * bleed, named.size.height + 2 * bleed
                if max(abs(width - across), abs(height - down)) <= slack:
                    return named.name, bleed
    fitting = (size for size in sizes if _SHORTEST <= max(size[:2]) <= _LONGEST)
    width, height, _ = next(fitting, sizes[0])
    return f"[{width:.4g}, {height:.4g}]", 0.0


def _write_table(fields: dict[str, str], short: bool) -> str:
    """Return the CSV table of the example cards. The last card shows what a condition leaves out."""
    columns = ["id", "count"]
    for name, kind in fields.items():
        columns += [f"{name}.{lang}" for lang in LANGUAGES] if kind == "words" else [name]
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    for number in range(1, _CARDS + 1):
        row = [f"card-{number}", "1"]
        for column in columns[2:]:
            name = column.partition(".")[0]
            label = str(number) if short else f"{name.replace('_', ' ').capitalize()} {number}"
            if "optional" in fields[name]:
                label = str(number) if number < _CARDS and "text" in fields[name] else ""
            row.append(label)
        writer.writerow(row)
    return out.getvalue()


def _draw_cards(target: Path, game: str) -> tuple[Problem, ...]:
    resources = find_project(target).resources
    try:
        loaded = load_game(target / "data" / game, resources)
    except ProblemsFound as found:
        return tuple(found.problems)
    workshop = Workshop(loaded, resources)
    workshop.draw_all(loaded.designs(), loaded.languages)
    return workshop.problems
