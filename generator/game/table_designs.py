"""Designs from tables: read rows as designs, join the tables of a kind."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from generator.base.errors import (
    InvalidInput,
    Place,
    Problem,
    ProblemsFound,
    did_you_mean,
    join_first_words,
    join_words,
)
from generator.base.files import Resources
from generator.base.geometry import format_column_letters
from generator.game.data_fields import FieldSpec, IdMaker
from generator.game.schema import spec_from_data
from generator.game.source import OF_TABLES, InRow, Map, Seq, Source, Spot, names_tables
from generator.game.table_files import read_rows
from generator.game.table_header import ALWAYS, ColumnsFound, Header, fold_heading
from generator.game.table_rows import TableRows, parse_cell, unprotect_text
from generator.game.value_faults import describe_value


@dataclass(frozen=True, slots=True)
class KindTables:
    """A kind with designs in tables: its name, its data, and the file that contains it."""

    name: str
    kind: Map
    path: Path
    source: Source

    @property
    def entries(self) -> list[tuple[Any, Place]]:
        """The entries of `designs`, each a table's name or a design, with its place."""
        designs = self.kind["designs"]
        if isinstance(designs, str):
            return [(designs, self.source.place("designs"))]
        return [(entry, self.source.place("designs", number)) for number, entry in enumerate(designs)]


def iter_kinds_with_tables(files: Sequence[tuple[Path, Map]], resources: Resources) -> Iterator[KindTables]:
    """Yield every kind that names a table."""
    for path, root in files:
        kinds = root.get("components")
        for name, kind in kinds.items() if isinstance(kinds, Map) else ():
            if isinstance(kind, Map) and names_tables(kind.get("designs")):
                yield KindTables(str(name), kind, path, Source(resources.display_path(path), kind))


def read_languages(files: Sequence[tuple[Path, Map]], resources: Resources) -> list[str]:
    """Return the game's languages. Raise ProblemsFound if they are not a list."""
    path, root = next(((path, root) for path, root in files if "languages" in root), files[0])
    found = root.get("languages")
    if not isinstance(found, list) or not found or not all(isinstance(lang, str) for lang in found):
        place = Source(resources.display_path(path), root).place("languages")
        what = "the game's languages are unknown, so pnp can't read its tables"
        raise ProblemsFound([Problem(place, what, "write `languages: [ja, en]`")])
    return found


class DesignTable(Seq):
    """Designs from tables, and some from YAML; `files` and `layouts` are their files, headers and columns."""

    __slots__ = ("files", "layouts")

    def __init__(self, file: str = "") -> None:
        super().__init__(file)
        self.files: list[str] = []
        self.layouts: dict[str, Layout] = {}

    def put(self, design: Any, file: str, spot: Spot) -> None:
        """Add a design at `spot` (row or line, and column) of its file; `file` is empty for one from the YAML."""
        self.append(design)
        self.files.append(file)
        self.values_at.append(spot)

    def file_of(self, entry: int) -> str:
        """Return the file of a design."""
        return self.files[entry]


@dataclass(frozen=True, slots=True)
class Layout:
    """A table's header row, counted from 1, its headings in order, and the column of each field.

    `columns` has fields with the language of a text, empty for one without; columns are counted from 1.
    """

    header: int
    headings: Sequence[str]
    columns: Mapping[tuple[str, str], int]


def read_table_designs(rows: TableRows, header: Header, ids: IdMaker | None = None) -> DesignTable:
    """Return a mapping, as in YAML, for each row that has content and can be read. Add problems to `rows`.

    `ids` are those created for other tables of the kind. Raise ProblemsFound if the header lacks a column.
    """
    columns = header.find_columns(rows)
    source = [] if columns.id_from is None else [columns.id_from + 1]
    rows.report_doubts([*(column.at + 1 for column in columns.fields), *source])
    unusable = {problem.place.line for problem in rows.problems if problem.place}
    start = next((column.at for column in columns.fields if column.field == "id"), columns.id_from or 0) + 1
    made = None if columns.has_ids and columns.id_from is None else ids or IdMaker()
    reader = _RowReader(rows, columns, rows.header + 1, made)
    table = DesignTable(rows.shown)
    layout = {(column.field, column.lang): column.at + 1 for column in columns.fields}
    table.layouts[rows.shown] = Layout(rows.header + 1, columns.headings, layout)
    for number, cells in enumerate(rows.cells[rows.header + 1 :], rows.header + 2):
        if number in unusable or not reader.has_values(cells):
            continue
        before = len(rows.problems)
        design = reader.read_design(number, cells)
        if len(rows.problems) == before:
            table.put(design, rows.shown, (number, start))
    return table


@dataclass(frozen=True, slots=True)
class _RowReader:
    """A reader of rows as designs; `header` is the header's row, `ids` creates ids if the table has no ids."""

    rows: TableRows
    columns: ColumnsFound
    header: int
    ids: IdMaker | None
    _known: dict[Any, tuple[dict[Any, Spot], dict[str, int]]] = field(default_factory=dict)

    def has_values(self, cells: Sequence[str]) -> bool:
        """Return True if a column that counts has content. Unset ticks are no content."""
        for column in self.columns.fields:
            cell = cells[column.at] if column.at < len(cells) else ""
            unset = column.spec.type == "boolean" and cell.strip().lower() == "false"
            if cell and not cell.isspace() and not unset:
                return True
        return False

    def read_design(self, number: int, cells: Sequence[str]) -> Map:
        """Return the design of one row. Add unreadable cells to the rows' problems."""
        design, at, untold = Map(), dict[str, int](), dict[str, int]()
        texts: dict[str, dict[str, int]] = {}
        if self.ids:
            source = self.columns.id_from
            said = cells[source] if source is not None and source < len(cells) else ""
            design["id"] = self.ids.make_id(unprotect_text(said), number)
            at["id"] = (source or 0) + 1
        for column in self.columns.fields:
            cell, spot = cells[column.at] if column.at < len(cells) else "", (number, column.at + 1)
            if not cell or cell.isspace():
                if column.lang:
                    untold.setdefault(column.field, column.at + 1)
                continue
            if spot in self.rows.altered and column.spec.type not in ("integer", "number"):
                what = f"the number {cell} is shown otherwise, {self.rows.altered[spot]}"
                self.rows.add_problem(spot, what, "format the column as Text and type it again")
            if column.lang:
                design.setdefault(column.field, Map())[column.lang] = unprotect_text(cell)
                at.setdefault(column.field, column.at + 1)
                texts.setdefault(column.field, {})[column.lang] = column.at + 1
                continue
            try:
                design[column.field] = parse_cell(cell, column.spec, spot)
                at[column.field] = column.at + 1
            except InvalidInput as error:
                self.rows.add_problem(spot, str(error), error.hint)
        for name, columns in texts.items():
            self._note_places(design[name], number, columns, columns)
        # A missing language is reported at its empty cell.
        self._note_places(design, number, at, {name: untold.get(name, column) for name, column in at.items()})
        return design

    def _note_places(self, values: Map, number: int, keys: dict[str, int], columns: dict[str, int]) -> None:
        """Record the places of keys and values. Rows share them: in a long table they need more memory than texts."""
        alike = (*keys.items(), *columns.items())
        known = self._known.get(alike)
        if known is None:
            known = self._known[alike] = {name: (self.header, column) for name, column in keys.items()}, columns
        values.keys_at = known[0]
        values.values_at = InRow(number, known[1])  # it has the same interface


_MOST_ROWS = 4
"""Maximum number of rows listed in full; of more, the first three are listed."""

_VALUE = re.compile(r"'[^']*'|\d[\d,.]*")
_QUOTED = re.compile(r"'([^']*)'")
_MISSING = re.compile(r"'(\w+)' is missing in ")
_NO_TEXT = re.compile(r"(\w+) has no text in '(.+)'\Z")
_ENTRY = r"((?:[\w.]+ in )?(?:entry \d+ of )*)"


@dataclass(frozen=True, slots=True)
class _RowFault:
    place: Place
    heading: str
    what: str
    hint: str


def reword_row_problems(problems: Iterable[Problem], layouts: Mapping[str, "Layout"]) -> list[Problem]:
    """Return the problems, with those of rows in a spreadsheet's terms; `layouts` by the tables' files."""
    told: list[Problem] = []
    slips: dict[tuple[str, int, str, str], list[_RowFault]] = {}
    for problem in dict.fromkeys(problems):
        place = problem.place
        layout = layouts.get(place.file) if place else None
        if layout is None or place is None or place.line <= layout.header:
            told.append(problem)
            continue
        slip = _reword_problem(problem, place, layout)
        # If only row and value differ, it is one fault.
        key = (slip.place.file, slip.place.column, _VALUE.sub("", slip.what), _VALUE.sub("", slip.hint))
        slips.setdefault(key, []).append(slip)
    return told + [_merge_faults(sorted(alike, key=lambda slip: slip.place)) for alike in slips.values()]


def _reword_problem(problem: Problem, place: Place, layout: "Layout") -> _RowFault:
    """Return the fault of a row, worded with headings and cells instead of YAML's fields and lines."""
    what, hint, column = problem.what, problem.hint, place.column
    if what.startswith("the row has "):
        return _RowFault(place, "", what, hint)
    heading = _find_heading(layout, column)
    if found := _MISSING.match(what):
        column = min((at for (field, _), at in layout.columns.items() if field == found[1]), default=column)
        what, hint = "the cell is empty", "fill the cell, or declare the field with `optional: true`"
    elif found := _NO_TEXT.match(what):
        column = layout.columns.get((found[1], found[2]), column)
        what, hint = f"the text in '{found[2]}' is missing, but another language has one", "write it"
    elif what == "a design has no id":
        what, hint = "there is no id", "write one with letters, digits, - and _"
    elif what.startswith("the id ") and what.endswith("has other characters than letters, digits, - and _"):
        hint = f"`id_from: {heading}` makes ids of this column"
    elif hint == "add `back:` with the other face's template":
        hint = "name the other face's template in a column `back`, or write `back:` for the kind"
    else:
        what = _remove_field_name(what, column, layout).replace("(first in line ", "(first in row ")
    return _RowFault(Place(place.file, place.line, column), _find_heading(layout, column), what, hint)


def _find_heading(layout: "Layout", column: int) -> str:
    return layout.headings[column - 1] if 0 < column <= len(layout.headings) else ""


def _remove_field_name(what: str, column: int, layout: "Layout") -> str:
    """Return a message without the name of the column's field at its start. Keep the number of a list's entry."""
    for (field_name, lang), at in layout.columns.items():
        name = f"{field_name}.{lang}" if lang and what.startswith(f"{field_name}.{lang} ") else field_name
        if at == column and (found := re.match(rf"{_ENTRY}{re.escape(name)}((?:\.\w+)*) ", what)):
            steps = [f"`{step}`" for step in found[2].split(".")[1:]]
            where = found[1].removesuffix("of ") + (f"{', '.join(steps)}: " if steps else "")
            return where + what[found.end() :]
    return what


def _merge_faults(slips: Sequence[_RowFault]) -> Problem:
    """Return one problem that lists the rows of equal faults, at the place of the first."""
    first = slips[0]
    where = f"column '{first.heading}'" if first.heading else ""
    if len(slips) == 1:
        cell = f"{format_column_letters(first.place.column)}{first.place.line}" if first.place.column else ""
        said = f"cell {cell}" if cell and not first.what.startswith("the row has ") else f"row {first.place.line}"
        told = ", ".join(filter(None, [said, where]))
        return Problem(first.place, f"{told}: {first.what}", first.hint)
    numbers = [slip.place.line for slip in slips]
    told = ", ".join(filter(None, [where, f"rows {join_words(map(str, numbers), most=_MOST_ROWS)}"]))
    others = list(dict.fromkeys(value for slip in slips for value in _QUOTED.findall(slip.what)[-1:]))[1:]
    elsewhere = f" (elsewhere {join_first_words([*map(describe_value, others)], 3)})" if others else ""
    return Problem(first.place, f"{told}: {first.what}{elsewhere}", first.hint)


def read_kind_tables(
    folder: Path, kind_tables: KindTables, languages: Sequence[str], resources: Resources
) -> tuple[DesignTable, list[Problem]]:
    """Return a kind's designs from all tables, and problems of rows. Raise ProblemsFound if a table has no designs."""
    header, ids = header_from_kind(kind_tables.kind, languages), IdMaker()
    table, problems, unread = DesignTable(), list[Problem](), False
    for entry, place in kind_tables.entries:
        if not isinstance(entry, str):
            table.put(entry, "", (place.line, place.column))
            continue
        try:
            rows = read_rows(folder, kind_tables.path.parent, entry, place, header, resources)
            found = read_table_designs(rows, header, ids)
        except ProblemsFound as stopped:
            problems += stopped.problems
            unread = True
            continue
        table.extend(found)
        table.files += found.files
        table.values_at += found.values_at
        table.layouts |= found.layouts
        problems += rows.problems
        if not found and not rows.problems:
            what = "the table has no designs below its header"
            problems.append(Problem(Place(rows.shown, rows.header + 1, 1), what, "write one into each row"))
            unread = True
    problems += () if unread else _find_idle_headings(kind_tables, header, table)
    if unread or not table:
        raise ProblemsFound(reword_row_problems(problems, table.layouts))
    return table, problems


def _find_idle_headings(kind_tables: KindTables, header: Header, table: DesignTable) -> Iterator[Problem]:
    headings = [heading for layout in table.layouts.values() for heading in layout.headings if heading]
    there = set(map(fold_heading, headings))
    for heading, name in header.mapping.items():
        if name not in header.names:
            what = f"the heading '{heading}' means '{name}', but this kind has no such field"
            yield Problem(kind_tables.source.place("columns", heading), what, did_you_mean(name, header.names))
        elif fold_heading(heading) not in there:
            what = f"the table has no heading '{heading}'"
            yield Problem(kind_tables.source.key_place("columns", heading), what, did_you_mean(heading, headings))
    if header.id_from:
        wanted = fold_heading(header.id_from)
        fields = {fold_heading("".join(key)) for layout in table.layouts.values() for key in layout.columns}
        if wanted not in there | fields:
            what = f"`id_from` names '{header.id_from}', but the table has no such heading"
            yield Problem(kind_tables.source.place("id_from"), what, did_you_mean(header.id_from, headings))


def header_from_kind(kind: Mapping[str, Any], languages: Sequence[str]) -> Header:
    """Return the possible columns of a kind's tables. Settings of the wrong shape are reported elsewhere."""
    plain = header_from_fields(kind.get("fields"), languages)
    columns, ignored, id_from = (kind.get(key) for key in OF_TABLES)
    mapping = columns if isinstance(columns, Mapping) else {}
    patterns = [ignored] if isinstance(ignored, str) else ignored if isinstance(ignored, list) else []
    fields = {str(heading): str(name) for heading, name in mapping.items()}
    column = id_from if isinstance(id_from, str) else ""
    return Header(plain.specs, languages, fields, [str(pattern) for pattern in patterns], column)


def header_from_fields(fields: Any, languages: Sequence[str]) -> Header:
    """Return the possible columns of a table for fields as YAML declares them. A wrong one is read as text."""
    declared = fields if isinstance(fields, Mapping) else {}
    return Header({**ALWAYS, **{str(name): _read_spec(raw) for name, raw in declared.items()}}, languages)


def _read_spec(raw: Any) -> FieldSpec:
    if isinstance(raw, str):
        return FieldSpec(raw)
    try:
        return spec_from_data(raw)
    except InvalidInput:
        return FieldSpec("text", optional=True)
