"""Tables in the place of lists: a kind's `designs: deck.csv` becomes the list of designs that the file holds."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from generator.errors import Place, Problem, ProblemsFound, Unfit, did_you_mean
from generator.files import is_file, lies_in, read_file
from generator.load.schema import spec_of
from generator.load.tables.cells import cell_value, unprotect
from generator.load.tables.csv_rows import read_csv
from generator.load.tables.header import ALWAYS, Header, TableColumn
from generator.load.tables.rows import Rows, has_content
from generator.load.tables.xlsx_rows import read_xlsx
from generator.model.data_fields import FieldSpec
from generator.model.resources import Resources
from generator.model.source import InRow, Map, Seq, Source, Spot

CSV, XLSX = (".csv", ".tsv", ".txt"), (".xlsx",)


def put_tables(folder: Path, files: Sequence[tuple[Path, Map]], resources: Resources) -> list[Problem]:
    """Replace each `designs: FILE` in a game's files by what the table holds; problems of single rows.

    Such rows are left out. ProblemsFound, with every problem of every table, where one can't be read at all.
    """
    named = list(_kinds_with_tables(files, resources))
    if not named:
        return []
    languages = _languages(files, resources)
    problems: list[Problem] = []
    unread = False
    for path, kind, place in named:
        try:
            table, found = _table(folder, path.parent, kind, place, languages, resources)
            kind["designs"] = table
            problems += found
        except ProblemsFound as stopped:
            problems += stopped.problems
            unread = True
    if unread:
        raise ProblemsFound(problems)
    return problems


def _kinds_with_tables(files: Sequence[tuple[Path, Map]], resources: Resources) -> Iterator[tuple[Path, Map, Place]]:
    """Every kind that names a table, with its file and where it does."""
    for path, root in files:
        kinds = root.get("components")
        for kind in kinds.values() if isinstance(kinds, Map) else ():
            if isinstance(kind, Map) and isinstance(kind.get("designs"), str):
                yield path, kind, Source(resources.shown(path), kind).place("designs")


def _languages(files: Sequence[tuple[Path, Map]], resources: Resources) -> list[str]:
    path, root = next(((path, root) for path, root in files if "languages" in root), files[0])
    found = root.get("languages")
    if not isinstance(found, list) or not found or not all(isinstance(lang, str) for lang in found):
        place = Source(resources.shown(path), root).place("languages")
        what = "the game's languages are not known, so its tables can't be read"
        raise ProblemsFound([Problem(place, what, "write `languages: [ja, en]`")])
    return found


def _table(
    folder: Path, beside: Path, kind: Map, place: Place, languages: Sequence[str], resources: Resources
) -> tuple[Seq, list[Problem]]:
    """The designs of one table and the problems of its rows."""
    header = header_of(kind.get("fields"), languages)
    rows = _rows(folder, beside, str(kind["designs"]), place, header, resources)
    table = designs_of(rows, header)
    if not table and not rows.problems:
        what = "the table has no designs: there is nothing below its header"
        rows.problem((rows.header + 2, 1), what, "write one into each row")
    if not table:
        raise ProblemsFound(rows.problems)
    return table, rows.problems


def header_of(fields: Any, languages: Sequence[str]) -> Header:
    """What the table of a kind with these fields, as YAML declares them, may have for columns.

    A field that is declared wrongly, which is said elsewhere, is read as text.
    """
    declared = fields if isinstance(fields, Mapping) else {}
    return Header({**ALWAYS, **{str(name): _spec(raw) for name, raw in declared.items()}}, languages)


def _spec(raw: Any) -> FieldSpec:
    if isinstance(raw, str):
        return FieldSpec(raw)
    try:
        return spec_of(raw)
    except ValidationError:
        return FieldSpec("text", optional=True)


def _rows(folder: Path, beside: Path, named: str, place: Place, header: Header, resources: Resources) -> Rows:
    """The rows of the file that a kind names, `deck.xlsx:Sheet` with the name of a sheet."""
    name, sheet = _parts(named)
    path = beside / name
    known = sorted(file.name for file in folder.rglob("*") if file.suffix.lower() in CSV + XLSX)
    if path.suffix.lower() not in CSV + XLSX:
        what = f"designs is '{named}', which is neither a list nor a table"
        raise ProblemsFound([Problem(place, what, "write a list, or a file that ends in .csv, .tsv, .txt or .xlsx")])
    if not lies_in(path, folder):
        what = f"the table '{name}' lies outside the game's folder"
        raise ProblemsFound([Problem(place, what, "copy it into the folder")])
    if not is_file(path):
        raise ProblemsFound([Problem(place, f"there is no table '{name}' beside this file", did_you_mean(name, known))])
    shown = resources.shown(path) + (f":{sheet}" if sheet else "")
    raw = _bytes(path, shown)
    if path.suffix.lower() in XLSX:
        return read_xlsx(raw, shown, sheet, resources.told)
    japanese = any(lang.split("-")[0] == "ja" for lang in header.languages)
    return read_csv(raw, shown, header.names.keys(), japanese=japanese, told=resources.told)


def _parts(named: str) -> tuple[str, str]:
    """A file's name and, after a colon, that of a sheet."""
    end = named.lower().find(".xlsx:")
    return (named, "") if end < 0 else (named[: end + 5], named[end + 6 :].strip())


def _bytes(path: Path, shown: str) -> bytes:
    try:
        return read_file(path, "table")
    except Unfit as unfit:
        raise ProblemsFound([Problem(Place(shown), str(unfit), unfit.hint)]) from unfit


def designs_of(rows: Rows, header: Header) -> Seq:
    """A mapping for each row that says anything and can be read, as YAML would hold it; problems go to `rows`.

    ProblemsFound where the header lacks a column.
    """
    columns = header.columns(rows)
    unusable = {problem.place.line for problem in rows.problems if problem.place}
    start = next(column.at for column in columns if column.field == "id") + 1
    table, reader = Seq(rows.shown), _RowReader(rows, columns, rows.header + 1)
    for number, cells in enumerate(rows.cells[rows.header + 1 :], rows.header + 2):
        if number in unusable or not has_content(cells):
            continue
        before = len(rows.problems)
        design = reader.design(number, cells)
        if len(rows.problems) == before:
            table.append(design)
            table.values_at.append((number, start))
    return table


@dataclass(frozen=True, slots=True)
class _RowReader:
    """Makes designs of rows; `header` is the row that names the columns."""

    rows: Rows
    columns: Sequence[TableColumn]
    header: int
    _known: dict[Any, tuple[dict[Any, Spot], dict[str, int]]] = field(default_factory=dict)

    def design(self, number: int, cells: Sequence[str]) -> Map:
        """The design of one row; what can't be read of it goes to the rows' problems."""
        design, at, untold = Map(), dict[str, int](), dict[str, int]()
        texts: dict[str, dict[str, int]] = {}
        for column in self.columns:
            cell, spot = cells[column.at] if column.at < len(cells) else "", (number, column.at + 1)
            if not cell or cell.isspace():
                if column.lang:
                    untold.setdefault(column.field, column.at + 1)
                continue
            if spot in self.rows.altered and column.spec.type not in ("integer", "number"):
                what = f"the number {cell} is shown otherwise, in the format '{self.rows.altered[spot]}'"
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
        values.values_at = InRow(number, known[1])  # type: ignore[assignment]  # it is read in the same way
