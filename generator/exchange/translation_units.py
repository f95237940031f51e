"""Translation units: collects texts of a game's data and passages of its books, with their places."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from generator.base.errors import Place, Problem, raise_problems
from generator.base.files import Resources, read_file
from generator.books.rulebook.book_templates import SPOKEN, TEXT_BLOCKS, VOLUMES, Volume
from generator.drawing.templates.template_sources import blank_tags, find_jinja_tags
from generator.game.project import parse_all, put_tables
from generator.game.source import Map, Seq, Source
from generator.game.translations import find_languages, is_text, iter_parts

_ANCHOR = re.compile(r"\s*\{#([\w.-]+)\}\s*$")
_COMMENT = re.compile(r"\s*\{#-?\s(?:(?!#\}).)*#\}\s*$")
_BEGINS = re.compile(r"(\s*(?:#{1,6}\s+|(?:[-*+]|\d+[.)])\s+|>\s?)*)")
_FENCE = re.compile(r"^[\s>]*```+\s*(\w*)(?:[^`]*?#([\w.-]+))?")
_KEY = re.compile(r"^(\s*(?:-\s+)?)([\"']?[\w*/. -]+?[\"']?)(\s*:\s+)(?=\S)")
_OPENS = re.compile(r"^\s*[\w*/. -]+:\s*(?:\{#.*#\})?\s*$")
LITERAL = re.compile(r"'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"")
_LETTER = re.compile(r"[^\W\d_]")
PHRASE = re.compile(r"[^\W\d_]['’]?\s|\s[^\W\d_]|[^\W\d_a-zA-Z]")
"""Matches quoted strings in template tags that are text for readers: with a space, or letters that names don't have."""

_UNSAID = re.compile(r"\]\(#[^()\s]*\)|\{[\w.@:/-]+\}")
"""Link targets and icons: their letters are not shown to readers."""


@dataclass(frozen=True, slots=True)
class BookPassage:
    """A passage in a book's template: its text, what precedes and follows it on its lines, its line, and its heading.

    A `quoted` passage is a YAML text in double quotes, with escaped quotes and backslashes.
    """

    anchor: str
    before: str
    source: str
    after: str
    line: int
    quoted: bool = False

    def replace_source(self, text: str) -> str:
        """Return the passage's lines with another text in place of the source. Escape it outside of tags if quoted."""
        if self.quoted:
            text = _change_outside_tags(text, lambda part: part.replace("\\", "\\\\").replace('"', '\\"'))
        return f"{self.before}{text}{self.after}"


def split_passages(template: str) -> list[str | BookPassage]:
    """Split a template into passages and unchanged lines. Joined with line ends they are the template."""
    return list(_Reader(template).iter_pieces())


def translate_template(
    template: str, text_of: Callable[[BookPassage], str]
) -> tuple[str, list[tuple[int, BookPassage]]]:
    """Return the template with `text_of(passage)` for each passage, and the passages with their new lines."""
    lines: list[str] = []
    found: list[tuple[int, BookPassage]] = []
    for piece in split_passages(template):
        if isinstance(piece, BookPassage):
            found.append((len(lines) + 1, piece))
        lines += (piece if isinstance(piece, str) else piece.replace_source(text_of(piece))).split("\n")
    return "\n".join(lines), found


class _Reader:
    """Splits a template line by line; `block` is the fenced block around the line, `key` the current key in it."""

    def __init__(self, template: str):
        self._lines = template.split("\n")
        self._bare = blank_tags(template, find_jinja_tags(template)).split("\n")
        self._anchor, self._block, self._key = "", "", ""
        self._inside = False

    def iter_pieces(self) -> Iterator[str | BookPassage]:
        """Yield passages, and lines that need no translation."""
        at = 0
        while at < len(self._lines):
            line = self._lines[at]
            fence = _FENCE.match(line)
            if fence:
                self._inside, self._block, self._key = not self._inside, fence[1], ""
                yield line
            elif self._inside and self._block not in TEXT_BLOCKS:
                yield self._read_value(at)
            else:
                end, runs = at + 1, self._is_running(at) and not line.startswith("#")
                while runs and end < len(self._lines) and self._is_running(end):
                    runs = not _BEGINS.match(self._lines[end])[1].strip()  # type: ignore[index]
                    end += runs
                yield self._read_text(at, end)
                at = end - 1
            at += 1

    def _is_running(self, at: int) -> bool:
        """Return True for a line of running text: not blank apart from tags, and no table row or fence."""
        return bool(self._bare[at].strip()) and not self._lines[at].lstrip().startswith(("|", "```"))

    def _read_text(self, start: int, end: int) -> str | BookPassage:
        whole = "\n".join(self._lines[start:end])
        begins = _BEGINS.match(whole)
        before = begins[0] if begins else ""
        after = ""
        if found := _ANCHOR.search(whole):
            if whole.startswith("#"):
                self._anchor = found[1]
            after = found[0]
        elif found := _COMMENT.search(whole, len(before)):
            after = found[0]
        source = whole[len(before) : len(whole) - len(after)]
        trailing = source[len(source.rstrip()) :]
        source, after = source.rstrip(), trailing + after
        return BookPassage(self._anchor, before, source, after, start + 1) if is_said(source) else whole

    def _read_value(self, index: int) -> str | BookPassage:
        """Return a line of a fenced block: as a passage if its value is printed, else unchanged."""
        line = self._lines[index]
        if _OPENS.match(line) and not line.startswith(" "):
            self._key = line.split(":")[0].strip()
            return line
        found = _KEY.match(line)
        if found is None:
            return line
        name = found[2].strip("\"'")
        if not line.startswith(" "):
            self._key = name
        if name not in SPOKEN and self._key not in SPOKEN:
            return line
        comment = _COMMENT.search(line, found.end())
        after = comment[0] if comment else ""
        source = line[found.end() : len(line) - len(after)]
        quoted = len(source) > 1 and source[0] == source[-1] == '"'
        if quoted:
            source = _change_outside_tags(source[1:-1], lambda part: re.sub(r'\\([\\"])', r"\1", part))
            return BookPassage(self._anchor, found[0] + '"', source, '"' + after, index + 1, quoted=True)
        return BookPassage(self._anchor, found[0], source, after, index + 1) if is_said(source) else line


def is_said(text: str) -> bool:
    """Return True if a text needs translation: letters outside tags, or quoted text within them."""
    tags = list(find_jinja_tags(text))
    if _LETTER.search(_UNSAID.sub("", blank_tags(text, tags))):
        return True
    said = (found[1] or found[2] or "" for begin, end in tags for found in LITERAL.finditer(text[begin:end]))
    return any(PHRASE.search(words) for words in said)


def _change_outside_tags(text: str, change: Callable[[str], str]) -> str:
    parts, done = [], 0
    for begin, end in find_jinja_tags(text):
        parts += [change(text[done:begin]), text[begin:end]]
        done = end
    return "".join([*parts, change(text[done:])])


@dataclass(frozen=True, slots=True)
class Unit:
    """A text to translate: its key, source text, places, and its versions in other languages.

    The same text under the same key is one unit with several places.
    """

    key: str
    source: str
    places: tuple[Place, ...]
    others: tuple[tuple[str, str], ...] = ()

    @property
    def design(self) -> str:
        """Return the design (`aid/summary`) or kind (`aid`) that the text belongs to, '' for none."""
        parts = self.key.split(".")
        if parts[0] != "components" or len(parts) < 3:
            return ""
        return "/".join([parts[1], *(parts[3:4] if parts[2] == "designs" else ())])


@dataclass(frozen=True, slots=True)
class BookTemplate:
    """A book's template in the source language: the kind of book, its file, and its text."""

    volume: Volume
    shown: str
    text: str


def read_data_units(folder: Path, resources: Resources, source: str, bare: Iterable[Place] = ()) -> list[Unit]:
    """Return the texts of a game's data in `source`; at `bare` they have no language code. Raise ProblemsFound."""
    files = parse_all(folder, resources)
    problems = put_tables(folder, files, resources)
    languages = find_languages(files)
    if source not in languages:
        what = f"the data of this game has no texts in '{source}'"
        hint = f"translate from {' or '.join(languages) or 'one of its languages'}: --from"
        problems.append(Problem(Place(resources.display_path(folder)), what, hint))
    raise_problems(problems)
    walk = _Walk(source, languages, frozenset(bare))
    for path, root in files:
        whole = Source(resources.display_path(path), root)
        for key, value in root.items():
            if key != "languages":
                walk.walk_value(value, str(key), whole, (key,))
    return join_units(walk.found)


class _Walk:
    def __init__(self, source: str, languages: Sequence[str], bare: frozenset[Place]):
        self.found: list[Unit] = []
        self._source, self._languages, self._bare = source, languages, bare

    def walk_value(self, value: Any, key: str, whole: Source, path: tuple[Any, ...]) -> None:
        """Add the texts in a value to `found`; `key` is its dotted path by ids, `path` its keys in `whole`."""
        if is_text(value, self._languages):
            said = value.get(self._source)
            if isinstance(said, str) and said.strip():
                others = ((lang, value.get(lang)) for lang in self._languages if lang != self._source)
                told = tuple((lang, text) for lang, text in others if isinstance(text, str))
                self.found.append(Unit(key, said, (whole.place(*path, self._source),), told))
        elif isinstance(value, str) and len(self._languages) == 1:
            place = whole.place(*path)
            if value.strip() and (place in self._bare or path[0] == "words"):
                self.found.append(Unit(key, value, (place,)))
        elif isinstance(value, (Map, Seq)):
            for step, name, part in iter_parts(value):
                self.walk_value(part, f"{key}.{name}", whole, (*path, step))


def read_book_templates(game: str, resources: Resources, lang: str) -> list[BookTemplate]:
    """Return the existing templates of a game's books in a language."""
    found = []
    for volume in VOLUMES:
        path = resources.find("templates", f"{game}/{volume.get_template_name(lang)}")
        if path is not None:
            text = read_file(path, "markup").decode("utf-8-sig")
            found.append(BookTemplate(volume, resources.display_path(path), text))
    return found


def read_book_units(templates: Iterable[BookTemplate]) -> list[Unit]:
    """Return the passages of books as units. A key is the book's name and the anchor of the heading."""
    found = [
        Unit(passage_key(template, piece), piece.source, (Place(template.shown, piece.line, len(piece.before) + 1),))
        for template in templates
        for piece in split_passages(template.text)
        if isinstance(piece, BookPassage)
    ]
    return join_units(found)


def passage_key(template: BookTemplate, passage: BookPassage) -> str:
    """Return the key of a passage: `rulebook#setup`."""
    return f"{template.volume.name}#{passage.anchor}"


def join_units(units: Iterable[Unit]) -> list[Unit]:
    """Return the units with those of equal key and text merged."""
    found: dict[tuple[str, str], Unit] = {}
    for unit in units:
        known = found.get((unit.key, unit.source))
        found[unit.key, unit.source] = replace(known, places=known.places + unit.places) if known else unit
    return list(found.values())
