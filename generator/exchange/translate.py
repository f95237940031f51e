"""The commands of `translate`: export and import texts, and a pseudo language that shows what can't be translated."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from generator.base.errors import ProblemsFound
from generator.base.output_files import open_delivery
from generator.commands.images import ImageOrder, draw_valid_pictures
from generator.commands.options import OUT, PROJECT, open_project, progress, say_files, say_notes
from generator.commands.orders import Progress
from generator.commands.rulebook import find_engine
from generator.drawing.svg_writer import read_drawing_text
from generator.drawing.templates.template_sources import find_jinja_tags
from generator.exchange.translate_game import (
    TextExport,
    TranslatedFiles,
    build_book,
    export_texts,
    import_texts,
    load_original,
    make_header,
)
from generator.exchange.translation_check import TranslationStage, is_tight, stage_translation
from generator.exchange.translation_units import LITERAL, PHRASE
from generator.game.load_game import load_game
from generator.game.project import Project
from generator.game.translations import Catalogue, Translation


@click.group()
def translate() -> None:
    """Export texts for translators and import translations."""


GAME = click.argument("game")


@translate.command("export")
@GAME
@click.option("--to", "lang", required=True, metavar="LANG", help="Language to translate to, such as de, fr or pt-BR.")
@click.option("--from", "source", default="", metavar="LANG", help="Language to translate from (default: English).")
@click.option(
    "--dpi",
    type=click.IntRange(0, 600),
    default=100,
    show_default=True,
    help="Resolution of the pictures in pixels per inch; use 0 for no pictures.",
)
@OUT
@PROJECT
@click.pass_obj
def export_command(obj: Path | None, /, **options: Any) -> None:
    """Export all texts of a GAME and its books to a PO file.

    The file includes existing translations. pnp adds pictures that show where each text is printed.
    """
    project = open_project(obj, options)
    order = TextExport(options["lang"], options["out"], options["dpi"])
    done = export_texts(project, options["game"], options["source"], order, progress())
    say_files(done.files)
    say_notes(done.notes)


@translate.command("import")
@GAME
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--to", "lang", default="", metavar="LANG", help="Language of the translation, if the file does not name it."
)
@PROJECT
@click.pass_obj
def import_command(obj: Path | None, /, **options: Any) -> None:
    """Import a translated PO file into a GAME.

    pnp writes data/GAME/translations/LANG.po and the translated books. If the file has errors, pnp reports all of them
    and writes nothing. It also reports texts that don't fit their piece.
    """
    project = open_project(obj, options)
    done = import_texts(
        project, options["game"], options["file"], options["lang"], progress(), trusted=options["trusted"]
    )
    say_files(done.files)
    say_notes(done.notes)


@translate.command("pseudo")
@GAME
@click.option("--from", "source", default="", metavar="LANG", help="Language to translate from (default: English).")
@click.option(
    "--dpi",
    type=click.IntRange(30, 600),
    default=100,
    show_default=True,
    help="Resolution of the pictures in pixels per inch.",
)
@OUT
@PROJECT
@click.pass_obj
def pseudo_command(obj: Path | None, /, **options: Any) -> None:
    """Test a GAME with fake translations before you translate.

    pnp shows texts that would not fit, that can't be translated, or that are cut off.
    """
    project = open_project(obj, options)
    where = options["out"], options["dpi"]
    done = show_pseudo(project, options["game"], options["source"], *where, progress(), trusted=options["trusted"])
    say_files(done.files)
    say_notes(done.notes)


PSEUDO = "qps"
"""Language tag of the pseudo language, reserved for private use."""

_LONGER, _WORD_LENGTH = 0.3, 6
"""How much longer a fake translation is (share of the text), and the length of the words added."""

_ACCENTS = str.maketrans("aceinosuyzACEINOSUYZ", "àçéîñöšûýžÀÇÉÎÑÖŠÛÝŽ")
"""Accented letters that nearly every typeface has, including display faces."""

_ACCENTED = frozenset(map(chr, _ACCENTS.values()))

_WORD = re.compile(r"[^\W\d_]{3}")

_KEPT = re.compile(
    r"\[\[=?(?P<term>[^\[\]|\n]+)(?:\|(?P<other>[^\[\]|\n]+))?\]\]"  # [[term]], [[entry|text]], [[=term]]
    r"|\]\(#[^()\s]*\)|\{@?[\w./*:#@-]+\}"  # targets, icons, places
    r"|\{(?:index|[a-z_]+(?:=[^:{}\n]*)?):"  # {index:, {red:
    r"|\bE[0-9]+\b|\\.|`[^`]*`"  # numbers of open passages, escapes
)


def translate_to_pseudo(text: str, terms: Mapping[str, str]) -> str:
    """Return the fake translation of a text, with markup unchanged; `terms` maps lower-case terms to their ids."""
    rows = text.lstrip().startswith(("|", "["))
    parts, done, letters = [], 0, 0
    for begin, end in [*find_jinja_tags(text), (len(text), len(text))]:
        plain, said = _translate_part(text[done:begin], terms)
        letters += said
        parts += [plain, LITERAL.sub(_translate_literal, text[begin:end])]
        done = end
    made = "".join(parts)
    if not letters or rows or text.startswith("{%"):
        return made
    more = max(1, round(_LONGER * letters) - 2)
    return f"‹{made} {' '.join('~' * min(_WORD_LENGTH, more - at) for at in range(0, more, _WORD_LENGTH + 1))}›"


def is_hard_wired(line: str) -> bool:
    """Return True if a line on a face was not translated, because few of its letters have accents."""
    without = sum(letter.translate(_ACCENTS) != letter for letter in line)
    return _WORD.search(line) is not None and without > sum(letter in _ACCENTED for letter in line)


def _translate_literal(found: re.Match[str]) -> str:
    """Return a quoted string within a template tag, with accents if it is text for readers."""
    return found[0].translate(_ACCENTS) if PHRASE.search(found[0][1:-1]) and "\\" not in found[0] else found[0]


def _translate_part(text: str, terms: Mapping[str, str]) -> tuple[str, int]:
    """Return a part outside template tags in translation, and the number of its readable characters."""
    parts, done, said = [], 0, 0
    for found in _KEPT.finditer(text):
        before = text[done : found.start()]
        parts += [before.translate(_ACCENTS), _translate_term(found, terms) if found["term"] else found[0]]
        said += len(before)
        done = found.end()
    parts.append(text[done:].translate(_ACCENTS))
    return "".join(parts), said + len(text) - done


def _translate_term(match: re.Match[str], terms: Mapping[str, str]) -> str:
    """Return the mark of a glossary term in the pseudo language, with its entry's id. `terms` has ids of words."""
    begin = "=" if match[0].startswith("[[=") else ""
    term, other = match["term"], match["other"]
    if begin:
        entry, shown = (term, other) if other else (terms.get(term.casefold(), term), term)
        return f"[[={entry}|{shown.translate(_ACCENTS)}]]"
    entry = terms.get((other or term).casefold(), other or term)
    return f"[[{term.translate(_ACCENTS)}|{entry}]]"


def show_pseudo(
    project: Project, game: str, source: str, out: Path, dpi: float, progress: Progress, *, trusted: bool = False
) -> TranslatedFiles:
    """Write pictures of all faces and the books in the pseudo language. Note texts that don't fit or stay untranslated.

    Raise ProblemsFound for any other problem.
    """
    of = load_original(project, game, source)
    glossary = load_game(of.folder, of.project.resources).glossary.values()
    terms = {entry.id: entry.id for entry in glossary} | {e.term[of.source].casefold(): e.id for e in glossary}
    entries = tuple(Translation(unit.key, unit.source, translate_to_pseudo(unit.source, terms)) for unit in of.units)
    books = {one.volume: build_book(of, one, PSEUDO, entries)[0] for one in of.templates}
    catalogue = Catalogue(make_header(of, PSEUDO, {}), entries)
    with stage_translation(of.project, of.game, PSEUDO, catalogue, books) as stage, open_delivery() as files:
        progress(f"{of.game}: {PSEUDO}")
        problems = stage.find_problems(find_engine(of.project, stage.game, trusted=trusted))
        if not all(map(is_tight, problems)):
            raise ProblemsFound(problems)
        folder = out / of.game / "pseudo"
        for name, data in draw_valid_pictures(stage.workshop, ImageOrder((PSEUDO,), Path(), dpi=dpi), progress):
            files.put(folder / name, data)
        for name, data in stage.books.items():
            files.put(folder / name, data)
        progress("")
        return TranslatedFiles(files.hand_over(), (*map(str, problems), *_find_hard_wired(stage)))


def _find_hard_wired(stage: TranslationStage) -> Iterator[str]:
    """Yield each untranslated text on a face, with the faces that show it."""
    found: dict[str, list[str]] = {}
    for design in stage.game.designs():
        for side in stage.game.kinds[design.kind].faces(design):
            drawing = stage.workshop.draw_face(design, side, stage.lang)
            for line in read_drawing_text(drawing).split("\n") if drawing is not None else ():
                if is_hard_wired(line):
                    found.setdefault(line.strip(), []).append(f"{design.id} ({side})")
    for line, faces in found.items():
        more = f" and {len(faces) - 1} more" if len(faces) > 1 else ""
        yield f"“{line}” is hard-wired: no text of the data, on {faces[0]}{more}"
