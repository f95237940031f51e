"""The header of a table: which column holds which field, in which language."""

from collections.abc import Iterator, Mapping, Sequence

from generator.dataclass import dataclass
from generator.errors import Place, Problem, ProblemsFound, did_you_mean
from generator.load.fields import RESERVED
from generator.load.rows import Rows
from generator.load.wording import describe_value
from generator.model.data_fields import FieldSpec

ALWAYS = {name: FieldSpec("integer" if name == "count" else "text", optional=name != "id") for name in RESERVED}
"""The columns that a table of any kind may have."""

_SEPARATED = "the first row names the fields, separated by a comma, semicolon, tab or |; `sep=:` above it names another"


@dataclass(frozen=True, slots=True)
class TableColumn:
    """What one column holds: `at` is its index in a row; `lang` is empty but for a text in several languages."""

    at: int
    field: str
    lang: str
    spec: FieldSpec


@dataclass(frozen=True, slots=True)
class Header:
    """What the columns of a kind's table may be called: the fields by name, and the languages of the game."""

    specs: Mapping[str, FieldSpec]
    languages: Sequence[str]

    @property
    def names(self) -> dict[str, tuple[str, str]]:
        """Every name that a column may have, with its field and language."""
        names: dict[str, tuple[str, str]] = {}
        for field, spec in self.specs.items():
            if spec.type != "words":
                names[field] = (field, "")
            elif len(self.languages) == 1:
                names |= {field: (field, ""), f"{field}.{self.languages[0]}": (field, "")}
            else:
                names |= {f"{field}.{lang}": (field, lang) for lang in self.languages}
        return names

    def columns(self, rows: Rows) -> list[TableColumn]:
        """The columns of a table. What is wrong with single ones goes to `rows`.

        ProblemsFound where a column is missing: no row can be understood then.
        """
        index = rows.header
        cells = [cell.strip() for cell in rows.cells[index]] if index < len(rows.cells) else []
        place = Place(rows.shown, index + 1, 1)
        unread = self._unread(rows, cells, place)
        if unread:
            raise ProblemsFound([unread])
        names, found = self.names, dict[tuple[str, str], TableColumn]()
        for at, cell in enumerate(cells):
            key = names.get(cell)
            if key in found:
                what = f"the column '{cell}' is given twice (first as column {found[key].at + 1})"
                rows.problem((index + 1, at + 1), what, "keep one of them")
            elif key:
                found[key] = TableColumn(at, *key, self.specs[key[0]])
            elif cell:
                rows.problem((index + 1, at + 1), *self._unknown(cell))
        missing = list(self._missing(found, place))
        if missing:
            raise ProblemsFound([*rows.problems, *missing])
        _unnamed(rows, cells)
        return list(found.values())

    def _unknown(self, cell: str) -> tuple[str, str]:
        """What is wrong with a name that no column may have, and what to do."""
        field, _, lang = cell.partition(".")
        spec = self.specs.get(field)
        if spec is None or spec.type != "words":
            return f"unknown column {describe_value(cell)}", did_you_mean(cell, self.names)
        wanted = ", ".join(f"{field}.{each}" for each in self.languages)
        if not lang:
            return f"the column '{cell}' is a text without a language", f"name it by one: {wanted}"
        return f"'{lang}' in the column '{cell}' is no language of this game", f"known: {wanted}"

    def _unread(self, rows: Rows, cells: Sequence[str], place: Place) -> Problem | None:
        """What is wrong where the first row is no header at all."""
        if not cells:
            what = "the table is empty"
            return Problem(Place(rows.shown), what, "write the fields' names into its first row, `id` first")
        if self.names.keys().isdisjoint(cells):
            return Problem(place, f"the header names no field: it reads {describe_value(', '.join(cells))}", _SEPARATED)
        return None

    def _missing(self, found: Mapping[tuple[str, str], TableColumn], place: Place) -> Iterator[Problem]:
        for field, spec in self.specs.items():
            there = {lang for name, lang in found if name == field}
            several = spec.type == "words" and len(self.languages) > 1
            if there or not (spec.optional or spec.type == "picture"):
                for lang in self.languages if several else ("",):
                    if lang not in there:
                        yield Problem(place, f"the table has no column '{field}{lang and '.'}{lang}'", "add it")


def _unnamed(rows: Rows, cells: Sequence[str]) -> None:
    """Cells that stand in a column without a name: the first of each column is a problem."""
    said = {at for at, cell in enumerate(cells) if cell}
    told = {problem.place.line for problem in rows.problems if problem.place}
    for row, values in enumerate(rows.cells[rows.header + 1 :], rows.header + 2):
        if len(values) > len(said) and row not in told:
            for at, value in enumerate(values):
                if at not in said and value.strip():
                    said.add(at)
                    rows.problem((row, at + 1), f"{describe_value(value)} stands in a column without a name", "name it")
