"""Checks of a translation: markup is kept, texts belong to the game; merges with older entries; a trial game."""

import re
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from pathlib import Path

from generator.base.errors import Place, Problem, did_you_mean, gather_problems, locate_fault
from generator.base.files import Resources, list_files, read_file, write_in_folder
from generator.books.rulebook.book_files import BookOptions, make_book_files
from generator.books.rulebook.book_templates import VOLUMES, Volume, find_volume_languages
from generator.books.rulebook.rulebook_play import Engine, RulebookPlay
from generator.drawing.faces.game_drawing import Workshop, find_accent
from generator.drawing.templates.template_sources import find_jinja_tags
from generator.exchange.translation_units import Unit
from generator.game.load_game import load_game
from generator.game.model import Game
from generator.game.project import TRANSLATIONS, Project
from generator.game.translations import Catalogue, Translation, format_po

_QUOTED = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"")
_NAME = re.compile(r"(?<![\w.|])(?<!\| )[A-Za-z_]\w*(?:\.\w+|\[\d+\])*")
_BRACES = re.compile(r"\{(@?[A-Za-z_][\w./*@-]*|place:[^{}|]+|callout:[^{}|]+|ring:[^{}|]+)\}")
_GOAL = re.compile(r"\]\((#[^()\s]+)\)")
_ROOTS = frozenset(
    ("rules", "switches", "words", "card", "game", "icons", "count", "name", "design", "example", "operations")
)
"""Variables in texts that come from the data. A template's own variables may differ in a translation."""


def find_marks(text: str) -> frozenset[str]:
    """Return what a translation must keep unchanged, such as `{wheat}`, `{{ rules.draw_hand }}` and `#goal`."""
    tags = list(find_jinja_tags(text))
    parts, found, done = [], set[str](), 0
    for begin, end in tags:
        parts.append(text[done:begin])
        done = end
        if not text.startswith("{#", begin):
            named = _NAME.findall(_QUOTED.sub(" ", text[begin + 2 : end - 2]))
            found |= {f"{{{{ {name} }}}}" for name in named if re.split(r"[.\[]", name)[0] in _ROOTS}
    outside = "".join([*parts, text[done:]])
    found |= {f"{{{name}}}" for name in _BRACES.findall(outside)}
    return frozenset(found | set(_GOAL.findall(outside)))


_OPTIONAL = "{{ words."
"""Prefix of placeholders that a translation may replace by words, because grammar may need other forms."""


def check_entries(
    entries: Iterable[Translation], units: Sequence[Unit], before: Iterable[Translation], display_path: str
) -> Iterator[Problem]:
    """Yield every problem with the entries of a PO file; `before` are the game's existing entries."""
    known = {unit.key for unit in units} | {one.key for one in before}
    pairs = {(unit.key, unit.source): unit for unit in units}
    for one in entries:
        place = Place(display_path, one.line, one.column)
        if one.key not in known and not one.obsolete:
            what = f"this game has no text '{one.key}'" if one.key else "a text has no msgctxt, which identifies it"
            yield Problem(place, what, did_you_mean(one.key, known) if one.key else "export it again")
        elif (unit := pairs.get((one.key, one.source))) is not None and one.is_done:
            yield from check_marks(one, unit, place)


def check_marks(entry: Translation, unit: Unit, place: Place) -> Iterator[Problem]:
    """Yield a problem for markup of the source that a translation lacks, and for markup that no language has."""
    spoken = [find_marks(unit.source), *(find_marks(text) for _, text in unit.others)]
    has = find_marks(entry.text)
    for mark in sorted(frozenset.intersection(*spoken) - has):
        if not mark.startswith(_OPTIONAL):
            yield Problem(place, f"the translation of '{entry.key}' has lost {mark}", "put it where it belongs")
    for mark in sorted(has - frozenset.union(*spoken)):
        if not mark.startswith("{{"):
            known = frozenset.union(*spoken)
            hint = did_you_mean(mark, known) if known else "remove it"
            yield Problem(
                place, f"the translation of '{entry.key}' contains {mark}, but the source text does not", hint
            )


def guess_source(entries: Iterable[Translation], units: Mapping[str, Sequence[Unit]]) -> str:
    """Return the language whose `units` most entries translate ("" without units), for a PO file that states none."""
    said = {(one.key, one.source) for one in entries}
    return max(units, key=lambda lang: sum((unit.key, unit.source) in said for unit in units[lang]), default="")


_MOST_COMPARED, _LONGEST_COMPARED = 100, 3_000
"""Limits for comparing a changed passage: number of candidates, and characters of each."""

_ALIKE = 0.5
"""Two passages below one heading with at least this similarity count as versions of each other."""


def update_entries(units: Sequence[Unit], old_entries: Iterable[Translation]) -> list[Translation]:
    """Return an entry for each text (empty if it is not translated), then old entries whose text is gone.

    If the source has changed, the entry is fuzzy and stores its old source. No translation is lost: the rest is
    obsolete.
    """
    entries = list(old_entries)
    pairs = {(one.key, one.source): one for one in sorted(entries, key=lambda one: (not one.obsolete, bool(one.text)))}
    wanted = {(unit.key, unit.source) for unit in units}
    left = {pair: one for pair, one in pairs.items() if pair not in wanted and one.text}
    by_key: dict[str, list[Translation]] = defaultdict(list)
    by_source: dict[str, list[Translation]] = defaultdict(list)
    for one in left.values():
        by_key[one.key].append(one)
        by_source[one.source].append(one)
    found: list[Translation] = []
    for unit in units:
        entry = pairs.get((unit.key, unit.source))
        if entry is None or not entry.text:
            same_key, same_source = (
                [one for one in group if (one.key, one.source) in left]
                for group in (by_key.get(unit.key, ()), by_source.get(unit.source, ()))
            )
            older = _find_older(unit, same_key, same_source)
            if older is not None:
                del left[older.key, older.source]
                remarks = dict.fromkeys((*(entry.remarks if entry else ()), *older.remarks))
                entry = replace(older, fuzzy=True, previous=older.source, remarks=tuple(remarks))
        notes = tuple(f"{lang}: {' ⏎ '.join(text.split(chr(10)))}" for lang, text in unit.others)
        places = tuple(f"{place.file}:{place.line}" for place in unit.places)
        kept = entry or Translation(unit.key, unit.source)
        found.append(
            replace(
                kept, key=unit.key, source=unit.source, obsolete=False, notes=notes, references=places, line=0, column=0
            )
        )
    return [*found, *(replace(one, obsolete=True, references=(), notes=()) for one in left.values())]


def _find_older(unit: Unit, same_key: Sequence[Translation], same_source: Sequence[Translation]) -> Translation | None:
    """Return the translation of an earlier version of the text, or of the same words elsewhere, or None."""
    if "#" not in unit.key:
        if same_key:
            return same_key[0]
    else:
        short = unit.source[:_LONGEST_COMPARED]
        likeness = [
            (SequenceMatcher(None, one.source[:_LONGEST_COMPARED], short, autojunk=False).ratio(), one)
            for one in same_key[:_MOST_COMPARED]
        ]
        best = max(likeness, key=lambda pair: pair[0], default=(0.0, None))
        if best[0] >= _ALIKE:
            return best[1]
    return next(iter(same_source), None)


def overlay_entries(older: Iterable[Translation], newer: Iterable[Translation]) -> list[Translation]:
    """Return the older entries, with a newer entry in place of each that it translates again."""
    found: dict[tuple[str, str], Translation] = {}
    for one in (*older, *newer):
        was = found.get((one.key, one.source))
        if was is None or one.text or not was.text:
            found[one.key, one.source] = one
    return list(found.values())


def count_entries(entries: Iterable[Translation]) -> Mapping[str, int]:
    """Return the numbers of entries that are `done`, `fuzzy`, `empty` and `obsolete`."""
    found: dict[str, int] = defaultdict(int)
    for one in entries:
        state = "obsolete" if one.obsolete else "empty" if not one.text else "fuzzy" if one.fuzzy else "done"
        found[state] += 1
    return found


_NO_ROOM = ("does not fit", "no room")
"""Phrases in problems that mean a text is too long for its place."""


def is_tight(problem: Problem) -> bool:
    """Return True if the problem is only that a text doesn't fit."""
    return any(words in problem.what for words in _NO_ROOM)


class StagedResources(Resources):
    """Resources that first look into a temporary folder; messages show the names of the files that it replaces."""

    def __init__(self, stage: Path, of: Resources, root: Path, lang: str):
        super().__init__((stage, *of.roots), progress=of.told, extra_languages=(lang,))
        self._stage, self._of, self._root = stage.resolve(), of, root

    def display_path(self, path: Path) -> str:
        """Return the path as the user would type it."""
        full = path.resolve()
        return self._of.display_path(
            self._root / full.relative_to(self._stage) if full.is_relative_to(self._stage) else path
        )


@dataclass(frozen=True, slots=True)
class TranslationStage:
    """A temporary project with one game and its new translation. All other files come from the original project."""

    project: Project
    game: Game
    workshop: Workshop
    lang: str
    books: dict[str, bytes] = field(default_factory=dict)
    """The translated books without problems, by file name."""

    def find_problems(self, engine: Engine) -> list[Problem]:
        """Return all problems of faces and books in the language, including texts that don't fit.

        Books contain faces and their names: if these have problems, books are not checked.
        """
        found: list[Problem] = []
        self.workshop.draw_all(self.game.designs(), [self.lang])
        found += self.workshop.problems
        if not all(is_tight(problem) for problem in found):
            return found
        played, paint = RulebookPlay(self.game, engine), find_accent(self.game.palette)
        for volume in VOLUMES:
            if not find_volume_languages(self.workshop, volume):
                continue
            with gather_problems(found):
                bound = make_book_files(self.workshop, self.lang, played, BookOptions(), paint, volume)
                self.books[f"{volume.name}.{self.lang}.pdf"] = bound.pages
        return list(dict.fromkeys(found))


@contextmanager
def stage_translation(
    project: Project, game: str, lang: str, catalogue: Catalogue, books: Mapping[Volume, str]
) -> Iterator[TranslationStage]:
    """Yield a translated game and its books in a temporary folder. Raise ProblemsFound if it can't be loaded."""
    with tempfile.TemporaryDirectory(prefix="pnp-") as room:
        stage = Path(room)
        folder = project.find_folder(game)
        copied = stage / folder.relative_to(project.root)
        for path in list_files(folder):
            with locate_fault(Place(project.resources.display_path(path))):
                write_in_folder(copied, path.relative_to(folder), read_file(path, "result"))
        write_in_folder(copied / TRANSLATIONS, f"{lang}.po", format_po(catalogue).encode())
        for volume, text in books.items():
            write_in_folder(stage / "templates" / game, volume.get_template_name(lang), text.encode())
        resources = StagedResources(stage, project.resources, project.root, lang)
        loaded = load_game(copied, resources)
        yield TranslationStage(Project(stage, resources, project.links), loaded, Workshop(loaded, resources), lang)
