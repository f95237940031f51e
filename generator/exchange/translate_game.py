"""Translate a game: write its texts for translators, and read translations back."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from generator.base.errors import Place, Problem, ProblemsFound, raise_problems, sort_problems
from generator.base.files import is_file, read_file, to_safe_name
from generator.base.output_files import Delivery, open_delivery
from generator.books.rulebook.book_templates import Volume
from generator.commands.images import ImageOrder, draw_face_pictures
from generator.commands.orders import Progress
from generator.commands.rulebook import find_engine
from generator.drawing.faces.game_drawing import Workshop
from generator.exchange.translation_check import (
    check_entries,
    count_entries,
    guess_source,
    is_tight,
    overlay_entries,
    stage_translation,
    update_entries,
)
from generator.exchange.translation_units import (
    BookPassage,
    BookTemplate,
    Unit,
    passage_key,
    read_book_templates,
    read_book_units,
    read_data_units,
    translate_template,
)
from generator.game.load_game import load_game
from generator.game.project import TRANSLATIONS, Project
from generator.game.translations import LANGUAGE, SOURCE, Catalogue, Translation, format_po, parse_po, read_po

MADE_LINE = "{# Made by `pnp translate import`: change the translation, not this file. #}"
"""First line of a book that `pnp translate import` made."""


@dataclass(frozen=True, slots=True)
class Original:
    """A game to be translated: its project and name, the source language, its texts and the templates of its books."""

    project: Project
    game: str
    source: str
    units: tuple[Unit, ...]
    templates: tuple[BookTemplate, ...]

    @property
    def folder(self) -> Path:
        """Return the game's folder."""
        return self.project.find_folder(self.game)

    def po_path(self, lang: str) -> Path:
        """Return the path of the PO file for a language."""
        return self.folder / TRANSLATIONS / f"{lang}.po"

    def shown_path(self, lang: str) -> str:
        """Return the path of that PO file as shown in messages."""
        return self.project.resources.display_path(self.po_path(lang))

    def book_path(self, volume: Volume, lang: str) -> Path:
        """Return the path of a book that is generated from a translation."""
        return self.project.root / "templates" / self.game / volume.get_template_name(lang)

    def read_catalogue(self, lang: str) -> Catalogue:
        """Return the game's translation, or an empty one. Raise ProblemsFound if it can't be read."""
        path = self.po_path(lang)
        return read_po(path, self.shown_path(lang)) if is_file(path) else Catalogue({}, ())


def load_original(project: Project, game: str, source: str = "") -> Original:
    """Return a game with its texts in `source`, by default English, else its first language. Raise ProblemsFound."""
    (name,) = project.choose_games((game,))
    bare: list[Place] = []
    loaded = load_game(project.find_folder(name), project.resources, bare=bare)
    own = [lang for lang in loaded.languages if lang not in loaded.places.translated]
    chosen = source or ("en" if "en" in own else own[0])
    templates = read_book_templates(name, project.resources, chosen)
    units = (*read_data_units(project.find_folder(name), project.resources, chosen, bare), *read_book_units(templates))
    return Original(project, name, chosen, units, tuple(templates))


# Export.


@dataclass(frozen=True, slots=True)
class TextExport:
    """Options of an export for translators: target language, folder, and resolution of pictures (dpi).

    With a resolution of 0 no pictures are made.
    """

    lang: str
    out: Path = Path("output")
    dpi: float = 100.0


class TranslatedFiles(NamedTuple):
    """The files that were written, and notes about them."""

    files: tuple[Path, ...]
    notes: tuple[str, ...] = ()


def export_texts(project: Project, game: str, source: str, order: TextExport, progress: Progress) -> TranslatedFiles:
    """Write a PO file of a game's texts with their translations, and if `order.dpi` is set, pictures of the pieces."""
    of = load_original(project, game, source)
    _check_new_language(of, order.lang)
    kept = of.read_catalogue(order.lang)
    entries = update_entries(of.units, kept.entries)
    with open_delivery() as files:
        if order.dpi:
            entries = _add_pictures(of, entries, order, files, progress)
        catalogue = Catalogue(make_header(of, order.lang, kept.header), tuple(entries))
        files.put(order.out / of.game / f"translation.{order.lang}.po", format_po(catalogue).encode())
        progress("")
        return TranslatedFiles(files.hand_over(), (_format_tally(entries),))


def _check_new_language(original: Original, lang: str) -> None:
    """Raise ProblemsFound if `lang` is no language code, or if the game already has texts in it."""
    if not LANGUAGE.fullmatch(lang):
        hint = "write a code such as de, fr, zh or pt-BR"
        raise ProblemsFound([Problem(None, f"--to '{lang}' is not a language code", hint)])
    if lang == original.source or any(lang == said for unit in original.units for said, _ in unit.others):
        hint = "edit them there; translations are only for languages that are missing in the data"
        raise ProblemsFound([Problem(None, f"the data already contains texts in '{lang}'", hint)])


def make_header(original: Original, lang: str, old_header: Mapping[str, str]) -> dict[str, str]:
    """Return the header of a PO file. Keep fields that a translator's program added."""
    ours = {
        "Project-Id-Version": original.game, "Language": lang, "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=UTF-8", "Content-Transfer-Encoding": "8bit", SOURCE: original.source,
    }  # fmt: skip
    return {**old_header, **ours}


def _format_tally(entries: Sequence[Translation]) -> str:
    found = count_entries(entries)
    told = {"done": "translated", "fuzzy": "to be looked at", "empty": "not translated", "obsolete": "no longer used"}
    return f"{len(entries)} texts: {', '.join(f'{found[name]} {words}' for name, words in told.items() if found[name])}"


def _add_pictures(
    original: Original, entries: list[Translation], order: TextExport, files: Delivery, progress: Progress
) -> list[Translation]:
    """Return the entries with the names of pictures that show them. Add these pictures to the files."""
    designs = {(unit.key, unit.source): unit.design for unit in original.units if unit.design}
    workshop = Workshop(load_game(original.folder, original.project.resources), original.project.resources)
    patterns = tuple(dict.fromkeys(name if "/" in name else f"{name}/*" for name in designs.values()))
    if not patterns:
        return entries
    folder = Path("pictures", order.lang)
    wanted = ImageOrder((original.source,), Path(), patterns, dpi=order.dpi)
    made: dict[str, list[str]] = {}
    for name, data in draw_face_pictures(workshop, wanted, progress):
        files.put(order.out / original.game / folder / name, data)
        made.setdefault(name.split(".")[0], []).append((folder / name).as_posix())
    found = []
    for entry in entries:
        design = designs.get((entry.key, entry.source), "")
        name = to_safe_name(design)
        of_kind = (pictures for one, pictures in made.items() if design and one.startswith(f"{name}_"))
        pictures = made.get(name) or next(of_kind, [])
        found.append(replace(entry, notes=(*entry.notes, *(f"picture: {one}" for one in pictures))))
    return found


# Import.


def import_texts(
    project: Project, game: str, file: Path, lang: str, progress: Progress, *, trusted: bool = False
) -> TranslatedFiles:
    """Write a translation into the game: `translations/<lang>.po` and the books generated from it.

    Raise ProblemsFound and write nothing if anything is wrong. Note texts that don't fit. `lang` "": the file names it.
    """
    shown = project.resources.display_path(file)
    if file.suffix.lower() in (".xlf", ".xliff"):
        hint = "convert it to PO, for example with xliff2po of the Translate Toolkit"
        raise ProblemsFound([Problem(Place(shown), "this is an XLIFF file, and only PO files can be imported", hint)])
    found = read_po(file, shown)
    of = _find_original(project, game, found)
    wanted = lang or found.language
    if not wanted:
        hint = "name it: --to de"
        raise ProblemsFound([Problem(Place(shown, 1, 1), "the file does not name its language", hint)])
    if lang and found.language and lang != found.language:
        what = f"the file is in '{found.language}', not in '{lang}'"
        raise ProblemsFound([Problem(Place(shown, 1, 1), what, f"leave out --to, or write `Language: {lang}` in it")])
    _check_new_language(of, wanted)
    kept = of.read_catalogue(wanted)
    raise_problems(check_entries(found.entries, of.units, kept.entries, shown))
    entries = update_entries(of.units, overlay_entries(kept.entries, found.entries))
    catalogue = Catalogue(make_header(of, wanted, {**kept.header, **found.header}), tuple(entries))
    books = {one.volume: build_book(of, one, wanted, entries) for one in of.templates}
    try:
        stage_books = {volume: text for volume, (text, _) in books.items()}
        with stage_translation(of.project, of.game, wanted, catalogue, stage_books) as stage:
            progress(f"{of.game}: {wanted}")
            engine = find_engine(of.project, stage.game, trusted=trusted)
            problems = stage.find_problems(engine)
    except ProblemsFound as wrong:
        problems = list(wrong.problems)
    show = of.project.resources.display_path
    lines = {show(of.book_path(volume, wanted)): starts for volume, (_, starts) in books.items()}
    told = _move_problems(found.entries, shown, problems, of.shown_path(wanted), catalogue, lines)
    tight = [one for one in told if is_tight(one)]
    if len(tight) < len(told):
        raise ProblemsFound(told)
    progress("")
    return TranslatedFiles(_write_books(of, wanted, catalogue, books), (_format_tally(entries), *map(str, tight)))


def _find_original(project: Project, game: str, translation: Catalogue) -> Original:
    """Return the game's texts in the source language that a PO file states, or that is guessed from it."""
    named = translation.header.get(SOURCE, "").strip()
    first = load_original(project, game, named)
    if named:
        return first
    own = dict.fromkeys([first.source, *(lang for unit in first.units for lang, _ in unit.others)])
    tried = {lang: load_original(project, game, lang) for lang in own}
    return tried[guess_source(translation.entries, {lang: one.units for lang, one in tried.items()})]


_Starts = Sequence[tuple[int, tuple[str, str]]]
"""For each passage of a generated book: its first line, and its (key, source)."""


def build_book(
    original: Original, template: BookTemplate, lang: str, entries: Sequence[Translation]
) -> tuple[str, _Starts]:
    """Return the text of a translated book, and for each passage its line, key and source.

    Included templates are taken in the language, if they exist.
    """
    done = {(one.key, one.source): one.text for one in entries if one.is_done}

    def text_of(passage: BookPassage) -> str:
        return done.get((passage_key(template, passage), passage.source), passage.source)

    def find_written(name: re.Match[str]) -> str:
        find = original.project.resources.find
        there = any(find("templates", f"{folder}/{name[1]}.{lang}.md") for folder in (original.game, "common"))
        return f"'{name[1]}.{lang}.md'" if there else name[0]

    written = re.sub(rf"'([\w/-]+)\.{original.source}\.md'", find_written, template.text)
    text, found = translate_template(written, text_of)
    starts = [(line + 1, (passage_key(template, passage), passage.source)) for line, passage in found]
    return f"{MADE_LINE}\n{text}", starts


def _move_problems(
    entries: Sequence[Translation],
    display_path: str,
    problems: Sequence[Problem],
    stored_path: str,
    catalogue: Catalogue,
    books: Mapping[str, _Starts],
) -> list[Problem]:
    """Return the problems, those in books and `stored_path` moved to the `entries` of the PO file `display_path`."""
    here = {(one.key, one.source): one for one in entries}
    lines = [(one.line, (one.key, one.source)) for one in parse_po(format_po(catalogue), stored_path).entries]
    starts = {**books, stored_path: sorted(lines)}
    found = []
    for problem in problems:
        place = problem.place
        before = [pair for line, pair in starts.get(place.file, ()) if line <= place.line] if place else []
        entry = here.get(before[-1]) if before else None
        found.append(replace(problem, place=Place(display_path, entry.line, entry.column)) if entry else problem)
    return list(sort_problems(found))


def _write_books(
    original: Original, lang: str, catalogue: Catalogue, books: Mapping[Volume, tuple[str, _Starts]]
) -> tuple[Path, ...]:
    """Write a translation and its books; return the paths. Raise ProblemsFound if a book written by hand is there."""
    own = [path for volume in books if is_file(path := original.book_path(volume, lang)) and not _is_made(path)]
    if own:
        what = "this book was written by hand, and the translation would replace it"
        hint = "move it, or remove the texts of books from the file"
        shown = map(original.project.resources.display_path, own)
        raise ProblemsFound(Problem(Place(path), what, hint) for path in shown)
    with open_delivery() as files:
        files.put(original.po_path(lang), format_po(catalogue).encode())
        for volume, (text, _) in books.items():
            files.put(original.book_path(volume, lang), text.encode())
        return files.hand_over()


def _is_made(path: Path) -> bool:
    return read_file(path, "markup").decode("utf-8", "replace").startswith(MADE_LINE)


def find_stale_books(project: Project, games: tuple[str, ...], editions: Sequence[str]) -> Iterator[str]:
    """Yield a sentence for each translated book that is older than its original, in the requested languages."""
    for lang in dict.fromkeys(part for edition in editions for part in edition.split("+")):
        for name in project.choose_games(games):
            if is_file(project.find_folder(name) / TRANSLATIONS / f"{lang}.po"):
                yield from _find_outrun(project, name, lang)


def _find_outrun(project: Project, game: str, lang: str) -> Iterator[str]:
    known = read_po(
        file := project.find_folder(game) / TRANSLATIONS / f"{lang}.po", project.resources.display_path(file)
    )
    of = load_original(project, game, known.header.get(SOURCE, "").strip())
    done = {(one.key, one.source) for one in known.entries if one.is_done}
    passages = [unit for unit in of.units if "#" in unit.key]
    lacking = sum((unit.key, unit.source) not in done for unit in passages)
    if lacking:
        what = f"{lacking} of {len(passages)} passages of the books are not translated into '{lang}'"
        yield f"{of.shown_path(lang)}: {what}, or have changed since; see them with `pnp translate export`"
    for template in of.templates:
        path = of.book_path(template.volume, lang)
        if is_file(path) and _is_made(path):
            made = read_file(path, "markup").decode("utf-8", "replace")
            if made != build_book(of, template, lang, known.entries)[0]:
                what = f"this book differs from {template.shown} with its translation"
                yield f"{project.resources.display_path(path)}: {what}; `pnp translate import` rebuilds it"
