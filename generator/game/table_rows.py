"""Rows and cells of tables: parse texts of cells, protect texts from spreadsheets."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any
from unicodedata import normalize

from generator.base.archives import DamagedArchive
from generator.base.errors import InvalidInput, Place, Problem, ProblemsFound, did_you_mean
from generator.base.files import ProgressListener, no_progress
from generator.game.data_fields import FieldSpec
from generator.game.data_reader import parse_plain_number, parse_yaml
from generator.game.source import Map, Seq, Spot
from generator.game.value_faults import describe_value

MOST_ROWS = 100_000
"""Maximum number of rows: a longer table is surely not the list of a game's designs."""

MOST_COLUMNS = 702
"""The columns A to ZZ."""

MOST_CELLS = 2_000_000
"""Maximum number of cells: those of a table with 100,000 rows and 20 columns."""

MOST_LETTERS = 131_072
"""Maximum number of characters in a cell, four times Excel's."""

MOST_TEXT = 64 * 1024 * 1024
"""Maximum number of characters in all cells, which may share one text: as many as the largest file has bytes."""

_MANY = 10_000
"""Number of rows between two progress messages."""


@dataclass(slots=True)
class TableRows:
    """The cells of a table as texts, including empty ones; `cells[0]` is row 1. Messages call the table `shown`.

    A row in `problems` can't be used. Faults of single cells wait in `doubts`, with their columns, until it is known
    which columns count. `altered` has the display of numbers that differs from their cell's value. `text` means a file
    with separators between its cells. `header` is the index of the header row, once found. `told` receives the row
    count of a long table.
    """

    shown: str
    cells: list[list[str]] = field(default_factory=list)
    text: bool = False
    header: int = 0
    problems: list[Problem] = field(default_factory=list)
    doubts: list[tuple[range, Problem]] = field(default_factory=list)
    altered: dict[Spot, str] = field(default_factory=dict)
    told: ProgressListener = no_progress
    _empty: int = 0
    _count: int = 0
    _letters: int = 0

    def add_problem(self, spot: Spot, what: str, hint: str) -> None:
        """Add a problem at `spot`, row and column from 1, of a cell or its row."""
        self.problems.append(Problem(Place(self.shown, *spot), what, hint))

    def add_doubt(self, spot: Spot, what: str, hint: str, columns: int = 1) -> None:
        """Add a fault of the cell at `spot`, or `columns` cells from there, to be reported if these columns count."""
        self.doubts.append((range(spot[1], spot[1] + columns), Problem(Place(self.shown, *spot), what, hint)))

    def skip_rows(self, rows: int) -> None:
        """Count empty rows that come next."""
        self._empty += rows

    def report_doubts(self, columns: Collection[int]) -> None:
        """Report the doubts about cells below the header in these columns, counted from 1."""
        for reach, problem in self.doubts:
            if problem.place and problem.place.line > self.header + 1 and not set(reach).isdisjoint(columns):
                self.problems.append(problem)
        self.doubts = []

    def add(self, cells: list[str]) -> None:
        """Append a row; empty ones count only if another follows. Raise ProblemsFound if the table is too large."""
        if not has_content(cells):
            self.skip_rows(1)
            return
        number = len(self.cells) + self._empty + 1
        if _CONTROL.search("".join(cells)):
            cells = [_PAGE_BREAK.sub("\n", cell) for cell in cells]  # line breaks of word processors
            for column, cell in enumerate(cells, 1):
                if found := _CONTROL.search(cell):
                    what = f"the cell has the control character U+{ord(found[0]):04X}"
                    self.add_doubt((number, column), what, "delete it")
        if number > MOST_ROWS + 1:  # the header is one more
            what = f"the table has more than {MOST_ROWS:,} rows"
            raise ProblemsFound([Problem(Place(self.shown, number), what, "split it into several kinds")])
        self._check_limits(number, cells)
        self.cells += [[] for _ in range(self._empty)]
        self.cells.append(cells)
        self._empty = 0
        if number % _MANY == 0:
            self.told(f"{self.shown}: {number:,} rows")

    def _check_limits(self, number: int, cells: list[str]) -> None:
        """Count a row's cells and letters. Raise ProblemsFound if the row, a cell or the table so far is too large."""
        if len(cells) > MOST_COLUMNS:
            what = f"the row has {len(cells):,} cells, and a table has at most {MOST_COLUMNS} columns (A to ZZ)"
            raise ProblemsFound([Problem(Place(self.shown, number), what, "clear the cells outside the table")])
        self._count += len(cells)
        if self._count > MOST_CELLS:
            what = f"the table has more than {MOST_CELLS:,} cells"
            raise ProblemsFound([Problem(Place(self.shown, number), what, "split it into several kinds")])
        letters = sum(map(len, cells))
        self._letters += letters
        if self._letters > MOST_TEXT:
            what = f"the table has more than {MOST_TEXT:,} characters"
            raise ProblemsFound([Problem(Place(self.shown, number), what, "split it into several kinds")])
        if letters > MOST_LETTERS:
            column = next((at for at, cell in enumerate(cells, 1) if len(cell) > MOST_LETTERS), 0)
            if column:
                raise make_long_cell_problem(self.shown, number, column)


def make_long_cell_problem(shown: str, row: int = 0, column: int = 0) -> ProblemsFound:
    """Return the error for a cell with too many characters in the file `shown`. Row and column are 0 if unknown."""
    what = f"a cell has more than {MOST_LETTERS:,} characters"
    hint = "shorten the text, or split it among several cells"
    return ProblemsFound([Problem(Place(shown, row, column), what, hint)])


@contextmanager
def report_damage(shown: str, noun: str, anew: str, damage: tuple[type[Exception], ...]) -> Iterator[None]:
    """Raise ProblemsFound for errors in `damage` during a `with`: the file is no valid `noun`. The remedy is `anew`."""
    what = f"the file can't be read as a {noun}"
    try:
        yield
    except InvalidInput as unfit:
        if not isinstance(unfit, DamagedArchive):
            what, anew = f"{what}: {unfit}", unfit.hint or anew
        raise ProblemsFound([Problem(Place(shown), what, anew)]) from unfit
    except damage as error:
        raise ProblemsFound([Problem(Place(shown), what, anew)]) from error


def make_sheet_problem(shown: str, noun: str, name: str, visible: Iterable[str], *, hidden: bool) -> ProblemsFound:
    """Return the error for the sheet `name` ("": any visible) of a workbook or spreadsheet: hidden or missing."""
    what, hint = f"the sheet '{name}' is hidden", "unhide it, or name another"
    if not hidden:
        what = f"the {noun} has no sheet '{name}'" if name else f"the {noun} has no visible sheet"
        hint = did_you_mean(name, visible)
    return ProblemsFound([Problem(Place(shown), what, hint)])


_PAGE_BREAK = re.compile("[\x0b\x0c]")
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]")


def has_content(cells: Iterable[str]) -> bool:
    """Return True if a row has content."""
    return any(cell and not cell.isspace() for cell in cells)


PROTECTED = re.compile(r"'(?:\s*\Z|[=+\-@']|[0-9][0-9.,:/%-]*\Z)")
"""A text whose apostrophe only stops a spreadsheet from reading a formula, a number or a date."""

_BARE = re.compile(r"[=+\-@]|[0-9][0-9.,:/%-]*\Z|\s*\Z")
_BOTH = re.compile(r"[-+]?[1-9][0-9]{0,2}[.,][0-9]{3}\Z")
"""A number that may mean thousands or decimals."""

_COMMA = re.compile(r"[-+]?(?:0|[1-9][0-9]*),[0-9]+\Z")
_GROUPED = r"[-+]?[1-9][0-9]{{0,2}}(?:{group}[0-9]{{3}})+(?:{point}[0-9]+)?"
_WORDY = ("text", "words")
_NESTED = ("effects", "list")
_TRUTH = {"true": True, "false": False}
_INSIDE = "cell"


def unprotect_text(text: str) -> str:
    """Return the text without a protecting apostrophe."""
    return text[1:] if PROTECTED.match(text) else text


def protect_text(text: str) -> str:
    """Return the text with an apostrophe before it if a spreadsheet, or `unprotect_text`, would change it."""
    return f"'{text}" if _BARE.match(text) or PROTECTED.match(text) else text


def parse_cell(text: str, spec: FieldSpec, spot: Spot) -> Any:
    """Return the value of a non-empty cell for a field of that type; parts of a list are at the cell's place.

    A value of the wrong type stays a text, and type checks report it. Raise InvalidInput for an unreadable list.
    """
    if spec.type == "list" and not text.lstrip().startswith("["):
        # Bars separate the entries. In texts a bar needs spaces around it, as ruby has bars too.
        entry = replace(spec, type=spec.of or "text")
        if entry.type in _NESTED:
            raise InvalidInput(f"{describe_value(text)} is not a valid list", "write it as in YAML, in [ ]")
        values = Seq()
        for part in re.split(r"(?<=\s)\|(?=\s)" if entry.type in _WORDY else r"\|", text):
            if not part.strip():
                raise InvalidInput("an entry of the list is empty", "remove one |; `[]` is an empty list")
            values.append(parse_cell(part.strip(), entry, spot))
            values.values_at.append(spot)
        return values
    return _READERS[spec.type](text, spec, spot) if spec.type in _READERS else unprotect_text(text.strip())


def _parse_number(text: str, spec: FieldSpec, _spot: Spot) -> int | float | str:
    """Return a number in any notation; other texts as they are, for type checks. Raise InvalidInput if ambiguous."""
    plain = normalize("NFKC", text).strip().replace("\N{MINUS SIGN}", "-")
    whole = spec.type == "integer"
    if _BOTH.match(plain) and ("," in plain) is not whole:
        large, small = re.sub("[.,]", "", plain), plain.replace(",", ".")
        hint = f"write {large}, or {_to_whole(float(small), whole=True)}"
        raise InvalidInput(f"{describe_value(plain)} may be {large} or {_to_whole(float(small), whole=True)}", hint)
    value = parse_plain_number(plain)
    if isinstance(value, str):
        value = parse_plain_number(_remove_groups(plain))
    return text.strip() if isinstance(value, str) else _to_whole(value, whole=whole)


def _to_whole(value: float, *, whole: bool) -> int | float:
    """Return the number, as an integer if `whole` and it has no fraction (3 for 3.0)."""
    return int(value) if whole and isinstance(value, float) and value.is_integer() else value


def _remove_groups(text: str) -> str:
    """Return a number as YAML writes it: without thousands separators, with a decimal point."""
    for group, point in (
        (",", "."), (".", ","), (" ", "."), (" ", ","), ("'", "."), ("\N{RIGHT SINGLE QUOTATION MARK}", "."),
    ):  # fmt: skip
        if re.fullmatch(_GROUPED.format(group=re.escape(group), point=re.escape(point)), text):
            return text.replace(group, "").replace(point, ".")
    return text.replace(",", ".") if _COMMA.match(text) else text


def _parse_choice(text: str, spec: FieldSpec, _spot: Spot) -> str | int:
    """Return the choice with this text: a number rather than a text of the same digits, which needs an apostrophe."""
    plain = text.strip()
    if PROTECTED.match(plain):
        return plain[1:]
    return next((choice for choice in spec.choices if isinstance(choice, int) and str(choice) == plain), plain)


def _parse_flow(text: str, spec: FieldSpec, spot: Spot) -> Any:
    """Return the list in a cell in YAML, with its parts at `spot`. Operations need no brackets. Raise InvalidInput."""
    plain = text.strip()
    if spec.type == "effects" and plain.startswith("{"):
        plain = f"[{plain}]"
    if not plain.startswith("["):
        raise InvalidInput(f"{describe_value(plain)} is not a list of operations", "write {op: ...}, {op: ...}")
    try:
        return _set_spot(parse_yaml(f"{_INSIDE}: {plain}".replace("\n", "\n "), _INSIDE)[_INSIDE], spot)
    except ProblemsFound as found:
        first = found.problems[0]
        raise InvalidInput(first.what, first.hint) from found


def _set_spot(value: Any, spot: Spot) -> Any:
    if isinstance(value, Seq):
        listed = Seq()
        listed.extend(_set_spot(part, spot) for part in value)
        listed.values_at = [spot] * len(value)
        return listed
    if isinstance(value, Map):
        mapped = Map()
        mapped.update({key: _set_spot(part, spot) for key, part in value.items()})
        mapped.keys_at = mapped.values_at = dict.fromkeys(value, spot)
        return mapped
    return value


_READERS: dict[str, Callable[[str, FieldSpec, Spot], Any]] = {
    "integer": _parse_number, "number": _parse_number, "choice": _parse_choice, "effects": _parse_flow,
    "list": _parse_flow,
    "boolean": lambda text, _spec, _spot: _TRUTH.get(text.strip().lower(), text.strip()),
    **dict.fromkeys(("text", "words"), lambda text, _spec, _spot: unprotect_text(text)),
}  # fmt: skip
