"""The rows of a table to designs, as YAML would hold them, each value with the place of its cell."""

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

from generator.dataclass import dataclass
from generator.errors import Unfit
from generator.load.tables.cells import cell_value, unprotect
from generator.load.tables.header import ColumnsFound, Header
from generator.load.tables.made_ids import MadeIds
from generator.load.tables.rows import Rows
from generator.model.source import InRow, Map, Seq, Spot


class DesignTable(Seq):
    """Designs of one table or several, maybe with some from YAML between them; `files` has the file of each.

    `layouts` says of each file which row is its header and what its columns hold, for messages.
    """

    __slots__ = ("files", "layouts")

    def __init__(self, file: str = "") -> None:
        super().__init__(file)
        self.files: list[str] = []
        self.layouts: dict[str, Layout] = {}

    def put(self, design: Any, file: str, spot: Spot) -> None:
        """A design more; `file` is empty for one that stands in the YAML."""
        self.append(design)
        self.files.append(file)
        self.values_at.append(spot)

    def take(self, other: "DesignTable") -> None:
        """The designs of another table after those that are here."""
        self.extend(other)
        self.files += other.files
        self.values_at += other.values_at
        self.layouts |= other.layouts

    def file_of(self, entry: int) -> str:
        """The file of a design."""
        return self.files[entry]


@dataclass(frozen=True, slots=True)
class Layout:
    """Where a table's header is, counted from 1, its headings in their order, and the column of each field.

    `columns` has fields with the language of a text, empty for one without; columns are counted from 1.
    """

    header: int
    headings: Sequence[str]
    columns: Mapping[tuple[str, str], int]


def designs_of(rows: Rows, header: Header, ids: MadeIds | None = None) -> DesignTable:
    """A mapping for each row that says anything and can be read, as YAML would hold it; problems go to `rows`.

    `ids` are those that were made for other tables of the kind. ProblemsFound where the header lacks a column.
    """
    columns = header.columns(rows)
    source = [] if columns.id_from is None else [columns.id_from + 1]
    rows.heed([*(column.at + 1 for column in columns.fields), *source])
    unusable = {problem.place.line for problem in rows.problems if problem.place}
    start = next((column.at for column in columns.fields if column.field == "id"), columns.id_from or 0) + 1
    made = None if columns.has_ids and columns.id_from is None else ids or MadeIds()
    reader = _RowReader(rows, columns, rows.header + 1, made)
    table = DesignTable(rows.shown)
    layout = {(column.field, column.lang): column.at + 1 for column in columns.fields}
    table.layouts[rows.shown] = Layout(rows.header + 1, columns.headings, layout)
    for number, cells in enumerate(rows.cells[rows.header + 1 :], rows.header + 2):
        if number in unusable or not reader.says_anything(cells):
            continue
        before = len(rows.problems)
        design = reader.design(number, cells)
        if len(rows.problems) == before:
            table.put(design, rows.shown, (number, start))
    return table


@dataclass(frozen=True, slots=True)
class _RowReader:
    """Makes designs of rows; `header` is the row that names the columns, `ids` makes ids where they are wanted."""

    rows: Rows
    columns: ColumnsFound
    header: int
    ids: MadeIds | None
    _known: dict[Any, tuple[dict[Any, Spot], dict[str, int]]] = field(default_factory=dict)

    def says_anything(self, cells: Sequence[str]) -> bool:
        """Whether anything stands in the columns that count; ticks that nobody has set are nothing."""
        for column in self.columns.fields:
            cell = cells[column.at] if column.at < len(cells) else ""
            unset = column.spec.type == "boolean" and cell.strip().lower() == "false"
            if cell and not cell.isspace() and not unset:
                return True
        return False

    def design(self, number: int, cells: Sequence[str]) -> Map:
        """The design of one row; what can't be read of it goes to the rows' problems."""
        design, at, untold = Map(), dict[str, int](), dict[str, int]()
        texts: dict[str, dict[str, int]] = {}
        if self.ids:
            source = self.columns.id_from
            said = cells[source] if source is not None and source < len(cells) else ""
            design["id"] = self.ids.made_of(unprotect(said), number)
            at["id"] = (source or 0) + 1
        for column in self.columns.fields:
            cell, spot = cells[column.at] if column.at < len(cells) else "", (number, column.at + 1)
            if not cell or cell.isspace():
                if column.lang:
                    untold.setdefault(column.field, column.at + 1)
                continue
            if spot in self.rows.altered and column.spec.type not in ("integer", "number"):
                what = f"the number {cell} is shown otherwise, {self.rows.altered[spot]}"
                self.rows.problem(spot, what, "format the column as Text and type it again")
            if column.lang:
                design.setdefault(column.field, Map())[column.lang] = unprotect(cell)
                at.setdefault(column.field, column.at + 1)
                texts.setdefault(column.field, {})[column.lang] = column.at + 1
                continue
            try:
                design[column.field] = cell_value(cell, column.spec, spot)
                at[column.field] = column.at + 1
            except Unfit as error:
                self.rows.problem(spot, str(error), error.hint)
        for name, columns in texts.items():
            self._note(design[name], number, columns, columns)
        # A text that lacks a language is to be mended where its cell is empty.
        self._note(design, number, at, {name: untold.get(name, column) for name, column in at.items()})
        return design

    def _note(self, values: Map, number: int, keys: dict[str, int], columns: dict[str, int]) -> None:
        """Where keys and values stand; rows share it, for the places of a long table take more than its texts."""
        alike = (*keys.items(), *columns.items())
        known = self._known.get(alike)
        if known is None:
            known = self._known[alike] = {name: (self.header, column) for name, column in keys.items()}, columns
        values.keys_at = known[0]
        values.values_at = InRow(number, known[1])  # it is read in the same way
