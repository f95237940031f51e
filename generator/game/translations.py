"""Translations: read and write PO files, and add their texts to those of the game."""

import copy
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from generator.base.errors import Place, Problem, ProblemsFound, gather_problems, locate_fault, raise_problems
from generator.base.files import Resources, read_file
from generator.game.source import Map, Seq

# This replaces a library, to report every fault with its line and column, and to keep the place of each text.

_LINE = re.compile(r'\s*(?:(msgctxt|msgid_plural|msgid|msgstr(?:\[\d+\])?)(?=["\s]|$)\s*)?(.*)')
_QUOTED = re.compile(r'"((?:[^"\\]++|\\.)*+)"\s*+')
_ESCAPE = re.compile(r"\\(.)")
MOST_TEXT, MOST_ENTRIES = 100_000, 50_000
"""Maximum characters of a text, and texts of a file: no game needs more."""

MOST_PROBLEMS = 1_000
_MEANS = {"n": "\n", "t": "\t", "r": "\r", '"': '"', "\\": "\\"}
_WRITTEN = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}
_FIELD = re.compile(r"^([A-Za-z][\w-]*):[ \t]*(.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Translation:
    """A text and its translation.

    `key` is the text's path in the game (`components.reel.name`), `source` the text that was translated. A `fuzzy` one
    must be confirmed first; `previous` is the source that it was made for. An `obsolete` one is kept although the game
    no longer has its text. `remarks` are the translator's, `notes` the program's, `references` the text's places.
    `line` and `column` are those of the translation.
    """

    key: str
    source: str
    text: str = ""
    fuzzy: bool = False
    obsolete: bool = False
    previous: str = ""
    remarks: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    line: int = 0
    column: int = 0

    @property
    def is_done(self) -> bool:
        """True if it may be printed."""
        return bool(self.text) and not self.fuzzy and not self.obsolete


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The translations into a language, with the fields of the file's head (`Language`)."""

    header: Mapping[str, str]
    entries: tuple[Translation, ...]

    @property
    def language(self) -> str:
        """The target language; empty if the file does not state it."""
        return self.header.get("Language", "").strip().replace("_", "-")


def read_po(path: Path, shown: str) -> Catalogue:
    """Return a file's translations. Raise ProblemsFound with all its faults."""
    with locate_fault(Place(shown)):
        raw = read_file(path, "data")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        column = error.start - raw.rfind(b"\n", 0, error.start)
        what = f"byte 0x{raw[error.start]:02X} is not UTF-8"
        raise ProblemsFound([Problem(Place(shown, line, column), what, "save the file as UTF-8")]) from error
    return parse_po(text, shown)


def parse_po(text: str, shown: str) -> Catalogue:
    """Return the translations in a PO text; messages call its file `shown`. Raise ProblemsFound."""
    reader = _Reader(shown)
    for number, line in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), 1):
        reader.read_line(number, line)
    return reader.finish_catalogue()


class _Reader:
    def __init__(self, shown: str):
        self._shown = shown
        self._problems: list[Problem] = []
        self._found: list[Translation] = []
        self._first: dict[tuple[str, str], int] = {}
        self._header: dict[str, str] | None = None
        self._start_entry()

    def _start_entry(self) -> None:
        self._said: dict[str, list[str]] = {}
        self._previous: dict[str, list[str]] = {}
        self._goes_on: tuple[dict[str, list[str]], str] | None = None
        self._length = 0
        self._marks: dict[str, list[str]] = {" ": [], ".": [], ":": [], ",": []}
        self._obsolete = False
        self._spot, self._start = (0, 0), 0

    def read_line(self, number: int, line: str) -> None:
        """Read a line of a PO file: a comment or a part of an entry. A blank line ends the entry."""
        rest, column, said = line, 1, self._said
        if line.startswith("#"):
            if "msgstr" in said:
                self._end_entry()
            kind = line[1:2] or " "
            if kind not in "~|":
                self._goes_on = None
                self._marks.setdefault(kind if kind in self._marks else " ", []).append(line[2:].strip(" "))
                return
            begin = 2 + (line[1:3] == "~|")
            self._obsolete |= kind == "~"
            said = self._previous if "|" in line[1:begin] else self._said
            rest, column = line[begin:], begin + 1
        if not rest.strip():
            if kept := "msgstr" in self._said:
                self._end_entry()
            if not kept and not self._said:
                self._obsolete = False
            return
        self._read_text(number, rest, column, said)

    def _read_text(self, number: int, rest: str, column: int, said: dict[str, list[str]]) -> None:
        found = _LINE.match(rest)
        assert found is not None  # noqa: S101 - it matches anything
        name, written = found[1], found[2]
        column += found.start(2)
        if name and name != "msgid_plural" and said is self._said:
            if "msgstr" in self._said:
                self._end_entry()
                said = self._said
            self._start = self._start or number
        quoted = _QUOTED.fullmatch(written)
        if quoted is None or (name is None and self._goes_on is None):
            what = "this line does not belong in a PO file" if quoted or not name else "this text has no closing quote"
            if written.startswith('"') and not quoted:
                what = "this text is not closed by a quote, or goes on after it"
            hint = 'write a keyword and a text, `msgstr "..."`, each line of it in quotes'
            self._add_problem(number, column, what, hint)
            self._goes_on = self._goes_on or (({}, ""))
            if name and name not in said:
                said[name.partition("[")[0]] = []
            return
        if name and ("[" in name or name == "msgid_plural"):
            self._add_problem(number, column, "a text with plural forms; texts of games have none", "export it again")
            name = name.partition("[")[0]
        if name:
            if name in said and said is self._said:
                self._add_problem(number, 1, f"a second {name} of one text", "separate the texts with an empty line")
            said[name] = []
            self._goes_on = said, name
            if name == "msgstr":
                self._spot = number, column
        assert self._goes_on is not None  # noqa: S101 - else the line was wrong
        where, which = self._goes_on
        self._add_piece(where.setdefault(which, []), which, quoted[1], number, column)

    def _add_piece(self, pieces: list[str], which: str, written: str, number: int, column: int) -> None:
        if not written:
            return
        if which == "msgstr" and not pieces:
            self._spot = number, column
        self._length += len(written)
        if self._length > MOST_TEXT:
            what = f"the texts of this entry have more than {MOST_TEXT:,} characters"
            self._add_problem(number, column, what, "shorten them, or export the file again")
            raise ProblemsFound(self._problems)
        for found in _ESCAPE.finditer(written):
            if found[1] not in _MEANS:
                what = f"\\{found[1]} means nothing"
                self._add_problem(
                    number, column + 1 + found.start(), what, 'write \\\\ for a backslash, \\" for a quote'
                )
        pieces.append(_ESCAPE.sub(lambda found: _MEANS.get(found[1], found[0]), written))

    def _add_problem(self, line: int, column: int, what: str, hint: str) -> None:
        self._problems.append(Problem(Place(self._shown, line, column), what, hint))
        if len(self._problems) >= MOST_PROBLEMS:
            raise ProblemsFound(self._problems)

    def _end_entry(self) -> None:
        said, start = {name: "".join(pieces) for name, pieces in self._said.items()}, self._start
        key, source, text = said.get("msgctxt", ""), said.get("msgid"), said.get("msgstr")
        if said and (source is None or text is None):
            lacking = "msgid" if source is None else "msgstr"
            self._add_problem(start, 1, f"a text without {lacking}", "remove the whole entry, or export the file again")
        elif source == "" and text is not None and not key and not self._obsolete:
            if self._header is not None:
                self._add_problem(start, 1, "a second file header", "keep one of them")
            self._header = dict(_FIELD.findall(text))
        elif source is not None and text is not None:
            self._add_entry(key, source, text, start)
        self._start_entry()

    def _add_entry(self, key: str, source: str, text: str, start: int) -> None:
        if not self._obsolete:
            first = self._first.setdefault((key, source), start)
            if first != start:
                what = f"'{key}' appears twice (first in line {first})"
                self._add_problem(start, 1, what, "keep one of them")
        if len(self._found) >= MOST_ENTRIES:
            self._add_problem(start, 1, f"the file has more than {MOST_ENTRIES:,} texts", "export the file again")
            raise ProblemsFound(self._problems)
        flags = {flag.strip() for line in self._marks[","] for flag in line.split(",")}
        self._found.append(
            Translation(
                key, source, text, "fuzzy" in flags, self._obsolete, "".join(self._previous.get("msgid", ())),
                tuple(self._marks[" "]), tuple(self._marks["."]),
                tuple(one for line in self._marks[":"] for one in line.split()), *self._spot,
            )
        )  # fmt: skip

    def finish_catalogue(self) -> Catalogue:
        """Return everything that was read. Raise ProblemsFound with all faults."""
        self._end_entry()
        if not self._found and not self._problems and self._header is None:
            what = "there is no text in this file"
            self._add_problem(1, 1, what, "name a PO file that `pnp translate export` has written")
        raise_problems(self._problems)
        return Catalogue(self._header or {}, tuple(self._found))


def format_po(catalogue: Catalogue) -> str:
    """Return a catalogue as a PO file."""
    head = Translation("", "", "".join(f"{name}: {value}\n" for name, value in catalogue.header.items()))
    lines = list(_format_entry(head))
    for entry in catalogue.entries:
        lines += ["", *_format_entry(entry)]
    return "\n".join([*lines, ""])


def _format_entry(entry: Translation) -> Iterator[str]:
    yield from (f"# {line}".rstrip() for line in entry.remarks)
    yield from (f"#. {line}".rstrip() for line in entry.notes)
    yield from (f"#: {one}" for one in entry.references)
    if entry.fuzzy:
        yield "#, fuzzy"
    before = "#~ " if entry.obsolete else ""
    if entry.previous:
        yield from (f"{'#~|' if entry.obsolete else '#|'} {line}" for line in _format_text("msgid", entry.previous))
    if entry.key:
        yield from (before + line for line in _format_text("msgctxt", entry.key))
    yield from (before + line for line in _format_text("msgid", entry.source))
    yield from (before + line for line in _format_text("msgstr", entry.text))


def _format_text(name: str, text: str) -> Iterable[str]:
    """Return a keyword and its text as lines of a PO file. A text of several lines begins on a new line."""
    lines = [line for line in re.split(r"(?<=\n)", text) if line] or [""]
    pieces = [f'"{"".join(_WRITTEN.get(sign, sign) for sign in line)}"' for line in lines]
    return [f"{name} {pieces[0]}"] if len(pieces) == 1 else [f'{name} ""', *pieces]


SOURCE = "X-Source-Language"
"""The field of a file's head with the language that it is translated from."""

LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]+)*")

Files = list[tuple[Path, Map]]


class TranslatedMap(Map):
    """A text in each language, with the files of the translations."""

    __slots__ = ("files",)

    def __init__(self, said: Map, files: Mapping[Any, str]):
        super().__init__(said.items(), *({key: at[key] for key in said} for at in (said.keys_at, said.values_at)))
        self.files = files

    def file_of(self, entry: Any) -> str:
        """Return the PO file of the text in the language `entry`; empty for the data's own text."""
        return self.files.get(entry, "")


@dataclass(frozen=True, slots=True)
class TranslationGap:
    """The untranslated or outdated texts of a translation. They are shown in the source language."""

    lang: str
    source: str
    lacking: int
    texts: int
    place: Place

    def __str__(self) -> str:
        what = (
            f"{self.lacking} of {self.texts} texts have no translation into '{self.lang}' and appear in '{self.source}'"
        )
        return f"{self.place}: {what}; see them with `pnp translate export`"


def find_languages(files: Files) -> tuple[str, ...]:
    """Return the languages that the data declare; empty if they can't be read."""
    written = next((root["languages"] for _, root in files if "languages" in root), ())
    return tuple(str(lang) for lang in written) if isinstance(written, list) else ()


def put_translations(
    paths: Mapping[str, Path], files: Files, resources: Resources
) -> tuple[Files, list[TranslationGap], list[Problem]]:
    """Return the files with translations from `paths` (by language) or the source's texts; the gaps; the problems."""
    own = tuple(lang for lang in find_languages(files) if lang not in paths)
    gaps: list[TranslationGap] = []
    problems: list[Problem] = []
    for lang, path in paths.items():
        shown = resources.display_path(path)
        with gather_problems(problems):
            read = _TranslationMerger(read_po(path, shown), lang, own, shown)
            files = [(file, read.translate_map(root)) for file, root in files]
            gaps += read.list_gaps()
    return files, gaps, problems


class _TranslationMerger:
    def __init__(self, catalogue: Catalogue, lang: str, own: Sequence[str], shown: str):
        self._lang, self._own, self._shown = lang, own, shown
        self._source = find_source_language(catalogue, own, shown)
        self._known = {(one.key, one.source): one for one in catalogue.entries if one.is_done}
        self._lacking, self._texts = 0, 0

    def translate_map(self, root: Map) -> Map:
        """Return a copy of a data file's mapping with the texts of this translation added."""
        made = copy.copy(root)
        languages = made.get("languages")
        if isinstance(languages, Seq) and self._lang not in languages:
            made["languages"] = more = copy.copy(languages)
            more.values_at = [*languages.values_at, (1, 1)]
            more.append(self._lang)
        for key, value in root.items():
            if key != "languages":
                made[key] = self._translate_value(value, str(key))
        return made

    def list_gaps(self) -> list[TranslationGap]:
        """Return a list with the gap of this translation, or an empty list if it is complete."""
        lacks = TranslationGap(self._lang, self._source, self._lacking, self._texts, Place(self._shown))
        return [lacks] if self._lacking else []

    def _translate_value(self, value: Any, key: str) -> Any:
        if is_text(value, self._own):
            return value if self._lang in value else self._translate_text(value, key)
        if isinstance(value, str) and len(self._own) == 1 and (key, value) in self._known:
            bare = Map([(self._own[0], value)], {self._own[0]: (1, 1)}, {self._own[0]: (1, 1)})
            return self._translate_text(bare, key)
        if not isinstance(value, (Map, Seq)):
            return value
        changed = {
            step: new
            for step, name, old in iter_parts(value)
            if (new := self._translate_value(old, f"{key}.{name}")) is not old
        }
        if not changed:
            return value
        made = copy.copy(value)
        for step, new in changed.items():
            made[step] = new
        return made

    def _translate_text(self, said: Map, key: str) -> Map:
        source = said.get(self._source)
        entry = self._known.get((key, source)) if isinstance(source, str) else None
        if isinstance(source, str) and source:
            self._texts += 1
            self._lacking += entry is None
        made = TranslatedMap(said, {**getattr(said, "files", {}), **({self._lang: self._shown} if entry else {})})
        made[self._lang] = entry.text if entry else source
        spot = (entry.line, entry.column) if entry else said.values_at[self._source] if self._source in said else (1, 1)
        made.keys_at[self._lang] = made.values_at[self._lang] = spot
        return made


def find_source_language(catalogue: Catalogue, own: Sequence[str], shown: str) -> str:
    """Return which of the game's languages `own` a file translates. Raise ProblemsFound if it is none of them."""
    source = catalogue.header.get(SOURCE, "").strip() or (own[0] if own else "")
    if source not in own:
        what = f"it translates from '{source}', but the data of this game has no texts in '{source}'"
        raise ProblemsFound([Problem(Place(shown, 1, 1), what, f"write `{SOURCE}: {own[0] if own else 'en'}`")])
    return source


def is_text(value: Any, languages: Sequence[str]) -> bool:
    """Return True if a value is a mapping with a language among its keys."""
    return isinstance(value, Map) and any(key in languages for key in value)


def iter_parts(value: Map | Seq) -> Iterator[tuple[Any, str, Any]]:
    """Yield each part of a value with its step and the step's name: an entry's id if it has one."""
    if isinstance(value, Map):
        yield from ((key, str(key), part) for key, part in value.items())
    else:
        for number, part in enumerate(value):
            named = isinstance(part, Map) and isinstance(part.get("id"), (str, int))
            yield number, str(part["id"]) if named else str(number), part
