"""The header of a table: the field and language of each column."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from fnmatch import fnmatchcase
from functools import cached_property
from unicodedata import normalize

from generator.base.errors import Place, Problem, ProblemsFound, join_words
from generator.game.data_fields import FieldSpec
from generator.game.fields import RESERVED
from generator.game.table_rows import TableRows, has_content
from generator.game.value_faults import describe_value

ALWAYS = {name: FieldSpec("integer" if name == "count" else "text", optional=True) for name in RESERVED}
"""The columns that a table of any kind may have."""

COUNTS = ("Qty", "Quantity", "Copies", "Count", "Anzahl", "枚数")
"""Usual headings of the number of copies; docs/spreadsheets.md lists them."""

DEEPEST = 20
"""Number of rows with content in which the header is searched: a title, a date and notes may precede it."""

_UNCOUNTED = re.compile(r"[\s_.:()-]+")
_PLAIN = re.compile(r"[^\W\d]\w*(?: \w+)*\Z")
"""Texts that YAML reads without quotes."""

_MOST_NAMED = 12

_SEPARATED = (
    "one of the first rows names the fields, separated by a comma, semicolon, tab or |; `sep=:` above it names another"
)
_NAMED = "one of the first rows names the fields; `columns: {Name: title}` says what another heading means"


def fold_heading(heading: str) -> str:
    """Return a heading for comparison: without case, width, spaces, `_`, `-`, `.`, `:` and round brackets."""
    return _UNCOUNTED.sub("", normalize("NFKC", heading).casefold())


def quote_heading(heading: str) -> str:
    """Return a heading as an entry of a YAML list."""
    plain = _PLAIN.match(heading) and heading.lower() not in ("true", "false", "null")
    return heading if plain else json.dumps(heading, ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class TableColumn:
    """The contents of one column. `at` is its index in a row; `lang` is only set for a text in several languages."""

    at: int
    heading: str
    field: str
    lang: str
    spec: FieldSpec


@dataclass(frozen=True, slots=True)
class ColumnsFound:
    """The columns of a table, all its headings, and the index of the source of ids, if it has none of its own."""

    fields: Sequence[TableColumn]
    headings: Sequence[str]
    id_from: int | None = None

    @property
    def has_ids(self) -> bool:
        """True if a column holds the ids."""
        return any(column.field == "id" for column in self.fields)


@dataclass(frozen=True)
class Header:
    """The possible columns of a kind's table: the fields by name, and the languages of the game.

    `mapping` assigns fields to headings, `ignored` has names or patterns of columns to skip, and ids are made from the
    column `id_from` if given.
    """

    specs: Mapping[str, FieldSpec]
    languages: Sequence[str]
    mapping: Mapping[str, str] = field(default_factory=dict)
    ignored: Sequence[str] = ()
    id_from: str = ""

    @cached_property
    def names(self) -> Mapping[str, tuple[str, str]]:
        """Every name that a column may have, with its field and language."""
        names: dict[str, tuple[str, str]] = {}
        for name, spec in self.specs.items():
            if spec.type != "words":
                names[name] = (name, "")
            elif len(self.languages) == 1:
                names |= {name: (name, ""), f"{name}.{self.languages[0]}": (name, "")}
            else:
                names |= {f"{name}.{lang}": (name, lang) for lang in self.languages}
        return names

    @cached_property
    def _folded_names(self) -> Mapping[str, tuple[str, str] | None]:
        """The names in their form for comparison; None if two fields share it."""
        folded: dict[str, tuple[str, str] | None] = {}
        for name, key in self.names.items():
            same = folded.setdefault(fold_heading(name), key)
            folded[fold_heading(name)] = key if same == key else None
        for name in COUNTS:
            folded.setdefault(fold_heading(name), ("count", ""))
        return folded

    @cached_property
    def _folded_mapping(self) -> Mapping[str, str]:
        return {fold_heading(heading): name for heading, name in self.mapping.items()}

    @cached_property
    def _ignored_names(self) -> frozenset[str]:
        return frozenset(map(fold_heading, self.ignored))

    def find_key(self, heading: str) -> tuple[str, str] | None:
        """Return the field and language that a heading means; None if it means none, or is ignored by its full name."""
        compared = fold_heading(heading)
        if compared in self._folded_mapping:
            return self.names.get(self._folded_mapping[compared])
        found = self._folded_names.get(compared)
        # a column `id` that is also `id_from` has texts, which are turned into valid ids
        makes_ids = self.id_from and compared == fold_heading(self.id_from) and found == ("id", "")
        return None if compared in self._ignored_names or makes_ids else self.names.get(heading) or found

    def is_ignored(self, heading: str) -> bool:
        """Return True if a heading that means no field is to be skipped. `*` also matches an empty heading."""
        compared = fold_heading(heading)
        if (
            compared in self._ignored_names
            or compared in self._folded_mapping
            or (self.id_from and compared == fold_heading(self.id_from))
        ):
            return True
        return any(fnmatchcase(heading.casefold(), pattern.casefold()) for pattern in self.ignored)

    def count_names(self, cells: Sequence[str]) -> int:
        """Return the number of fields that a row would name as the header."""
        return len({key for cell in cells if (key := self.find_key(clean_heading(cell)))})

    def find_header(self, rows: Sequence[Sequence[str]]) -> int:
        """Return the index of the header: among the first rows, one that lacks no field.

        If all rows lack some, return the first row with content if it names any field, else the row that names most, at
        least two, else the first with content. Return the number of rows if none has content.
        """
        told = [index for index, cells in enumerate(rows[: 5 * DEEPEST]) if has_content(cells)][:DEEPEST]
        if not told:
            return next((index for index, cells in enumerate(rows) if has_content(cells)), len(rows))
        named = {index: self.count_names(rows[index]) for index in told}
        whole = [index for index in told if named[index] and not any(self._iter_missing(self._find_keys(rows[index])))]
        if whole:
            return next((index for index in whole if named[index] > 1), whole[0])
        most = max(told, key=named.__getitem__)
        return most if not named[told[0]] and named[most] > 1 else told[0]

    def _find_keys(self, cells: Sequence[str]) -> set[tuple[str, str]]:
        return {key for cell in cells if (key := self.find_key(clean_heading(cell)))}

    def find_columns(self, rows: TableRows) -> ColumnsFound:
        """Return the columns of a table; add single faults to `rows`. Raise ProblemsFound if a column is missing."""
        rows.header = index = self.find_header(rows.cells)
        cells = [clean_heading(cell) for cell in rows.cells[index]] if index < len(rows.cells) else []
        place = Place(rows.shown, index + 1, 1)
        unread = self._check_header(rows, cells, place)
        if unread:
            raise ProblemsFound([unread])
        found, unknown = dict[tuple[str, str], TableColumn](), list[int]()
        for at, cell in enumerate(cells):
            key = self.find_key(cell)
            if key in found:
                rows.add_problem((index + 1, at + 1), *_explain_repeat(cell, found[key]))
            elif key:
                found[key] = TableColumn(at, cell, *key, self.specs[key[0]])
            elif cell and not self.is_ignored(cell):
                unknown.append(at)
        self._report_unknown(rows, cells, unknown)
        missing = list(self._report_missing(set(found), place, [cells[at] for at in unknown]))
        if missing:
            raise ProblemsFound([*rows.problems, *missing])
        self._report_unnamed(rows, cells)
        id_from = self._find_id_column(cells, found)
        if self.id_from and id_from is not None and ("id", "") in found and found["id", ""].at != id_from:
            what = f"the table has ids, but `id_from` makes others from '{cells[id_from]}'"
            hint = f"remove `id_from:`, or write `ignore: [{quote_heading(found['id', ''].heading)}]`"
            rows.add_problem((index + 1, found["id", ""].at + 1), what, hint)
        return ColumnsFound(list(found.values()), cells, id_from)

    def _find_id_column(self, cells: Sequence[str], found: Mapping[tuple[str, str], TableColumn]) -> int | None:
        if self.id_from:
            wanted = fold_heading(self.id_from)
            named = [at for at, cell in enumerate(cells) if cell and fold_heading(cell) == wanted]
            if named:
                return named[0]
            return next((column.at for key, column in found.items() if fold_heading("".join(key)) == wanted), None)
        if ("id", "") in found:
            return None
        # English titles need no change to become ids.
        first = sorted({"", *self.languages}, key=lambda lang: (lang.split("-")[0] != "en", lang))
        titles = [(name, lang) for name in ("title", "name") for lang in first]
        return next((found[key].at for key in titles if key in found), None)

    def _report_unknown(self, rows: TableRows, cells: Sequence[str], unknown: Sequence[int]) -> None:
        """Report the columns `unknown` (indices), which mean no field: special cases singly, the others together."""
        plain = []
        for at in unknown:
            said = self._explain_language(cells[at])
            if said:
                rows.add_problem((rows.header + 1, at + 1), *said)
            else:
                plain.append(at)
        if not plain:
            return
        names = [cells[at] for at in plain]
        listed = quote_heading("*") if len(names) > _MOST_NAMED else ", ".join(map(quote_heading, names))
        known = {fold_heading(name): name for name in self.names}
        near = {name: get_close_matches(fold_heading(name), known, 1, 0.7) for name in names}
        meant = [f"'{known[found[0]]}' by '{name}'" for name, found in near.items() if found][:3]
        hint = f"declare {'it' if len(names) == 1 else 'them'} under `fields:`, or write `ignore: [{listed}]`"
        hint = f"did you mean {', '.join(meant)}? Else {hint}" if meant else hint
        columns = "column {} is not a field" if len(names) == 1 else "columns {} are not fields"
        what = f"the {columns.format(join_words(map(describe_value, names), most=5))} of this kind"
        rows.add_problem((rows.header + 1, plain[0] + 1), what, hint)

    def _explain_language(self, cell: str) -> tuple[str, str] | None:
        """Return the fault and remedy of a text's heading without a language of the game, or None."""
        name, _, lang = cell.partition(".")
        texts = {fold_heading(text): text for text, spec in self.specs.items() if spec.type == "words"}
        name = texts.get(fold_heading(name), "")
        if not name:
            return None
        wanted = ", ".join(f"{name}.{each}" for each in self.languages)
        if not lang:
            hint = (
                f"name it by one ({wanted}), or write `columns: {{{quote_heading(cell)}: {name}.{self.languages[0]}}}`"
            )
            return f"the column '{cell}' does not name its language", hint
        return f"'{lang}' in the column '{cell}' is not a language of this game", f"known: {wanted}"

    def _check_header(self, rows: TableRows, cells: Sequence[str], place: Place) -> Problem | None:
        """Return a problem if the table is empty, or if the row `cells`, at `place`, names no field; else None."""
        if not cells:
            what = "the table is empty"
            return Problem(Place(rows.shown), what, "write the field names in its first row")
        if not self._find_keys(cells):
            what = f"the header names no field: it reads {describe_value(', '.join(filter(None, cells)))}"
            return Problem(place, what, _SEPARATED if rows.text else _NAMED)
        return None

    def _iter_missing(self, found_keys: set[tuple[str, str]]) -> Iterator[str]:
        for name, spec in self.specs.items():
            known = {lang for field, lang in found_keys if field == name}
            several = spec.type == "words" and len(self.languages) > 1
            if known or not (spec.optional or spec.type == "picture"):
                for lang in self.languages if several else ("",):
                    if lang not in known:
                        yield f"{name}.{lang}" if lang else name

    def _report_missing(
        self, found_keys: set[tuple[str, str]], place: Place, spare: Sequence[str]
    ) -> Iterator[Problem]:
        for name in self._iter_missing(found_keys):
            near = get_close_matches(name, spare, 1) or spare
            hint = (
                f"add it, or say which heading means it: `columns: {{{quote_heading(near[0])}: {name}}}`"
                if near
                else "add it"
            )
            yield Problem(place, f"the table has no column '{name}'", hint)

    def _report_unnamed(self, rows: TableRows, cells: Sequence[str]) -> None:
        if self.is_ignored(""):
            return
        said = {at for at, cell in enumerate(cells) if cell}
        told = {problem.place.line for problem in rows.problems if problem.place}
        for row, values in enumerate(rows.cells[rows.header + 1 :], rows.header + 2):
            if len(values) > len(said) and row not in told:
                for at, value in enumerate(values):
                    if at not in said and value.strip():
                        said.add(at)
                        what = f"{describe_value(value)} is in a column without a name"
                        rows.add_problem((row, at + 1), what, 'name the column, or write `ignore: [""]`')


def clean_heading(cell: str) -> str:
    """Return a heading without outer spaces, and with spaces for line breaks."""
    return " ".join(cell.split())


def _explain_repeat(cell: str, first: TableColumn) -> tuple[str, str]:
    if cell == first.heading:
        return f"the column '{cell}' is given twice (first as column {first.at + 1})", "keep one of them"
    name = f"{first.field}.{first.lang}" if first.lang else first.field
    what = f"the column '{cell}' means '{name}', as '{first.heading}' in column {first.at + 1} does"
    return what, f"write `ignore: [{quote_heading(cell)}]`, or the other one"
