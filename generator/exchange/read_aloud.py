"""Texts to read aloud: the words on every piece as text, web page, and labels with QR codes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import click

from generator.base.archives import to_plain_key
from generator.base.display_list import Drawing, Group, Item, PlacedSymbol, Shape, visit_items
from generator.base.errors import Problem, ProblemsFound, raise_problems
from generator.base.geometry import Rect, Size
from generator.base.languages import count_phrase, phrase
from generator.base.outlines import rectangle_path
from generator.base.path_data import to_canonical_path
from generator.books.braille import TABLES, brf_from_paragraphs, lines_to_braille, list_braille_notes
from generator.books.page.blocks import Lettering, Stack
from generator.books.page.list_pages import PartSetter
from generator.books.page.page_style import HAIR, RULE, Look, make_list_format
from generator.books.page.text_setter import TextSetter
from generator.books.web_page import fill_page
from generator.commands.options import GAMES, LANG, ONLY, OUT, PROJECT, open_project, parse_address, run_order
from generator.commands.orders import GameOutput, Job, Order
from generator.drawing.faces.game_drawing import DesignNamer, Workshop, strip_markup
from generator.drawing.templates.functions import qr
from generator.exchange.table_articles import player_names
from generator.game.model import Design
from generator.game.print_pages import Document, Page
from generator.game.rich_text import Plain
from generator.sheets.pieces import pick_designs

_ICON = "icon:"


@dataclass(frozen=True, slots=True)
class SpokenDesign:
    """The words on one design: its anchor on the page, its name, its kind, its count, and the lines to read."""

    anchor: str
    name: str
    kind: str
    count: int
    lines: tuple[str, ...]


def speak_designs(
    workshop: Workshop, designs: Sequence[Design], lang: str, called: DesignNamer, problems: list[Problem]
) -> Iterator[SpokenDesign]:
    """Yield every printed design by kind. Add texts that can't be read to `problems`. `called` names designs."""
    game = workshop.game
    for design in designs:
        if not design.count:
            continue
        kind, name = game.kinds[design.kind], called(design, lang)
        lines: list[str] = []
        for side in kind.faces(design):
            face = workshop.draw_face(design, side, lang)
            if face is None:
                continue  # see the workshop's problems
            said = [line for line in _speak_face(workshop, face, lang, called, problems) if line != name]
            if side == "back" and said:
                said = [phrase("aloud_back", lang, said=" ".join(said))]
            lines += (line for line in said if line not in lines)
        kind_name = strip_markup(game, kind.name[lang], lang, called, kind.place, problems)
        yield SpokenDesign(to_plain_key(design.id), name, kind_name, design.count, tuple(lines))


def _speak_face(
    workshop: Workshop, face: Drawing, lang: str, called: DesignNamer, problems: list[Problem]
) -> Iterator[str]:
    """Yield the lines of a face: texts, titles first; names of icons; numbers. Texts on two-way cards come once."""
    texts: dict[str, None] = {}
    numbers: dict[str, None] = {}
    named: set[str] = set()
    for frame in sorted(
        filter(attrgetter("aloud"), face.frames),
        key=lambda frame: (frame.text_role != "title", -frame.size if frame.text_role == "number" else 0.0),
    ):
        marked = frame.text
        for sign in workshop.game.icons.values():  # `{human} Human` is read once
            for space in (" ", "\u00a0", ""):
                marked = marked.replace(f"{{{sign.id}}}{space}{sign.name[lang]}", sign.name[lang])
        plain = strip_markup(workshop.game, marked, lang, called, None, problems).replace("\u2011", "-")
        text = " ".join(plain.split())
        named.update(icon for icon in workshop.game.icons if f"{{{icon}}}" in frame.text)
        if text:
            (numbers if frame.text_role == "number" else texts)[text] = None
    yield from texts
    shown = dict.fromkeys(
        workshop.game.icons[icon].name[lang]
        for item, _ in visit_items(face.items, True, lambda _, around: around)
        if isinstance(item, PlacedSymbol) and item.symbol.name.startswith(_ICON)
        if (icon := item.symbol.name.removeprefix(_ICON)) in workshop.game.icons and icon not in named
    )
    between = phrase("and", lang)
    new = [name for name in shown if name not in texts]
    if new:
        yield phrase("aloud_shown", lang, said=between.join(new))
    if numbers:
        yield phrase("aloud_numbers", lang, said=between.join(numbers))


def spoken_to_text(title: str, designs: Sequence[SpokenDesign], lang: str) -> bytes:
    """Return a plain text with a paragraph for each design."""
    parts = [title]
    for one in designs:
        head = f"{one.name} – {one.kind}, {count_phrase('aloud_copies', lang, one.count)}"
        parts.append("\n".join((head, *one.lines)))
    return ("\n\n".join(parts) + "\n").encode()


def spoken_to_page(title: str, designs: Sequence[SpokenDesign], lang: str, address: str = "") -> bytes:
    """Return a web page with an anchor for each design, and a QR code to it if the page's `address` is given.

    Raise ValueError if the address is too long for a code.
    """
    return fill_page(
        "exchange/read_aloud",
        lang,
        title,
        designs=designs,
        address=address,
        count_copies=lambda number: count_phrase("aloud_copies", lang, number),
        draw_code=lambda design: qr(f"{address}#{design.anchor}", CODE),
    ).encode()


PAPER = Size(210.0, 297.0)
LABEL = Size(62.0, 32.0)
"""Size of a label (mm). Labels touch, so that one cut separates two."""

ACROSS, DOWN = 3, 8
"""Number of labels on a sheet across and down. The margin left is larger than any printer's."""

CODE, _WHITE = 24.0, 4.0
"""Size of a code, and the white space around it (mm): four modules of the largest code."""

_NAMES, _KIND, _BETWEEN = (10.0, 8.0, 6.5), 6.5, 1.0
"""Type sizes for a name (points, the largest that fits), type size of the kind, space between them (mm)."""


class CodeLabel(NamedTuple):
    """The contents of a label: a piece's name, its kind, and the address in its QR code."""

    name: str
    kind: str
    address: str


def set_code_labels(workshop: Workshop, lang: str, title: str, labels: Sequence[CodeLabel]) -> Document:
    """Return sheets of labels. Raise ProblemsFound for names that can't be set, ValueError for too long addresses."""
    setter = TextSetter(workshop, Look(make_list_format("", PAPER, 0.0), lang, "ink"), f"labels ({lang}): {{}}")
    many = ACROSS * DOWN
    left = (PAPER.width - ACROSS * LABEL.width) / 2
    top = (PAPER.height - DOWN * LABEL.height) / 2
    sheets: list[list[Item]] = [[] for _ in range(0, len(labels), many)]
    for at, label in enumerate(labels):
        row, column = divmod(at % many, ACROSS)
        place = (1.0, 0.0, 0.0, 1.0, left + column * LABEL.width, top + row * LABEL.height)
        sheets[at // many].append(Group(tuple(_set_label(setter, label)), place))
    raise_problems(setter.problems)
    return Document(title, lang, tuple(Page(PAPER, "front", n, (), tuple(items)) for n, items in enumerate(sheets, 1)))


def _set_label(setter: TextSetter, label: CodeLabel) -> Iterator[Item]:
    """Draw a label from its upper left corner: cut line, code, and words beside it at half its height."""
    yield Shape(rectangle_path(Rect(0, 0, LABEL.width, LABEL.height)), stroke=RULE, width=HAIR, role="mark")
    code = Shape(to_canonical_path(qr(label.address, CODE)), fill="ink", role="art")
    yield Group((code,), (1.0, 0.0, 0.0, 1.0, _WHITE, _WHITE))
    x = CODE + 2 * _WHITE
    width = LABEL.width - x - _WHITE / 2
    for size in _NAMES:
        name = Lettering((Plain(label.name),), setter.look.make_plain_style(size), width)
        kind = Lettering((Plain(label.kind),), setter.look.make_plain_style(_KIND), width, above=_BETWEEN)
        strip = PartSetter(setter, LABEL.height).make_strip(Stack((name, kind)))
        if strip.height <= CODE:
            break
    down = max(0.0, (LABEL.height - strip.height) / 2)
    for thing in strip.things:
        yield Group(tuple(thing.items), (1.0, 0.0, 0.0, 1.0, x + thing.box.x, down + thing.box.y))


@click.command()
@GAMES
@LANG
@OUT
@ONLY
@click.option(
    "--url",
    default="",
    metavar="BASE",
    help="Web address where you will put the page; QR codes on the page and labels lead to it.",
)
@click.option(
    "--braille",
    is_flag=True,
    help="Also write read-aloud.<lang>.brf for braille embossers, in English and German (needs liblouis).",
)
@PROJECT
@click.pass_obj
def read_aloud(obj: Path | None, /, **options: Any) -> None:
    """Write every piece as text for screen readers.

    pnp writes OUT/<game>/read-aloud.<lang>.txt and .html. Icons appear by name.
    """
    project = open_project(obj, options)
    run_order(project, options, AloudOrder, url=parse_address(options["url"]))


@dataclass(frozen=True, slots=True)
class AloudOrder(Order):
    """The address of the folder for the pages (`url`). With it, pages have QR codes and there are labels for pieces.

    With `braille`, the text is also written for embossers, in languages with a table for it.
    """

    url: str = ""
    braille: bool = False
    one_language: ClassVar[str] = "texts to read aloud"

    def make(self, job: Job) -> GameOutput:
        """Make the texts of one game. Raise ProblemsFound with everything wrong."""
        workshop, game = job.workshop, job.workshop.game
        designs, called = tuple(pick_designs(game, self.only)), player_names(workshop)
        made = []
        notes = list_braille_notes(game, self.languages) if self.braille else ()
        for lang in self.pick_languages(game) if designs else ():
            job.progress(f"{game.id}: read-aloud.{lang}")
            problems: list[Problem] = []
            said = tuple(speak_designs(workshop, designs, lang, called, problems))
            raise_problems([*problems, *workshop.problems])
            title, name = phrase("aloud_title", lang, title=game.title[lang]), f"read-aloud.{lang}"
            address = f"{self.url}/{name}.html" if self.url else ""
            try:
                page = spoken_to_page(title, said, lang, address)
                coded = [CodeLabel(one.name, one.kind, f"{address}#{one.anchor}") for one in said if address]
                labels = set_code_labels(workshop, lang, title, coded)
            except ValueError as error:
                what = f"--url {self.url}: {error}"
                raise ProblemsFound([Problem(None, what, "choose a shorter address")]) from error
            text, folder = spoken_to_text(title, said, lang), self.out / game.id
            job.files.put(folder / f"{name}.txt", text)
            job.files.put(folder / f"{name}.html", page)
            if labels.pages:
                job.files.write(folder / f"read-aloud-labels.{lang}.pdf", partial(workshop.write_document, labels))
            if self.braille and lang in TABLES:
                cells = lines_to_braille(text.decode().splitlines(), lang)
                job.files.put(folder / f"{name}.brf", brf_from_paragraphs(cells))
            made.append(lang)
        return GameOutput(tuple(made), notes=notes)
