"""A table as its rows of cells, whatever file they come from; row and column are counted from 1 as spreadsheets do."""

import re
from collections.abc import Collection, Iterable
from dataclasses import field

from generator.dataclass import dataclass
from generator.errors import Place, Problem, ProblemsFound
from generator.model.resources import Told, untold
from generator.model.source import Spot

MOST_ROWS = 100_000
"""Beyond it a table is surely not the list of a game's designs."""

MOST_COLUMNS = 702
"""The columns A to ZZ."""

MOST_CELLS = 2_000_000
"""Cells of all rows: as many as a table of 100,000 rows and 20 columns has."""

MOST_LETTERS = 131_072
"""Characters of a cell, four times as many as Excel keeps."""

MOST_TEXT = 64 * 1024 * 1024
"""Characters of all cells, as many as the largest file has bytes: a workbook names one text for many cells."""

_MANY = 10_000
"""Rows after which somebody who waits is told how far the reading is."""


@dataclass(slots=True)
class Rows:
    """The cells of a table as texts, empty ones too; `cells[0]` is row 1. `shown` is its name in messages.

    A row that `problems` speak of can't be used. What is wrong with single cells waits in `doubts`, with the columns
    that it concerns, until it is known which columns count. `altered` says how numbers are shown that are shown
    otherwise than their cell says. `text` says that signs stand between its cells. `header` is the index of the row
    that names the columns, once that is found. `told` hears how many rows a long table has so far.
    """

    shown: str
    cells: list[list[str]] = field(default_factory=list)
    text: bool = False
    header: int = 0
    problems: list[Problem] = field(default_factory=list)
    doubts: list[tuple[range, Problem]] = field(default_factory=list)
    altered: dict[Spot, str] = field(default_factory=dict)
    told: Told = untold
    _empty: int = 0
    _count: int = 0
    _letters: int = 0

    def problem(self, spot: Spot, what: str, hint: str) -> None:
        """Note what is wrong with a cell, or with its row."""
        self.problems.append(Problem(Place(self.shown, *spot), what, hint))

    def doubt(self, spot: Spot, what: str, hint: str, columns: int = 1) -> None:
        """Note what is wrong with a cell, or so many beside each other, if their columns should count."""
        self.doubts.append((range(spot[1], spot[1] + columns), Problem(Place(self.shown, *spot), what, hint)))

    def skip(self, rows: int) -> None:
        """So many rows that say nothing come next."""
        self._empty += rows

    def heed(self, columns: Collection[int]) -> None:
        """Make problems of the doubts that concern cells below the header in one of these columns, counted from 1."""
        for reach, problem in self.doubts:
            if problem.place and problem.place.line > self.header + 1 and not set(reach).isdisjoint(columns):
                self.problems.append(problem)
        self.doubts = []

    def add(self, cells: list[str]) -> None:
        """The next row; ProblemsFound where there are more than a table may have.

        Empty rows count only if another follows: a spreadsheet may keep a million of them below a table.
        """
        if not has_content(cells):
            self.skip(1)
            return
        number = len(self.cells) + self._empty + 1
        if _CONTROL.search("".join(cells)):
            cells = [_PAGE_BREAK.sub("\n", cell) for cell in cells]  # word processors break lines so
            for column, cell in enumerate(cells, 1):
                if found := _CONTROL.search(cell):
                    self.doubt(
                        (number, column), f"the cell has the control character U+{ord(found[0]):04X}", "delete it"
                    )
        if number > MOST_ROWS + 1:  # the header is one more
            what = f"the table has more than {MOST_ROWS:,} rows"
            raise ProblemsFound([Problem(Place(self.shown, number), what, "split it among several kinds")])
        self._check(number, cells)
        self.cells += [[] for _ in range(self._empty)]
        self.cells.append(cells)
        self._empty = 0
        if number % _MANY == 0:
            self.told(f"{self.shown}: {number:,} rows")

    def _check(self, number: int, cells: list[str]) -> None:
        """Raise ProblemsFound for a row with too many cells, or one of them too long."""
        if len(cells) > MOST_COLUMNS:
            what = f"the row has {len(cells):,} cells, and a table has at most {MOST_COLUMNS} columns (A to ZZ)"
            raise ProblemsFound([Problem(Place(self.shown, number), what, "clear what lies outside the table")])
        self._count += len(cells)
        if self._count > MOST_CELLS:
            what = f"the table has more than {MOST_CELLS:,} cells"
            raise ProblemsFound([Problem(Place(self.shown, number), what, "split it among several kinds")])
        letters = sum(map(len, cells))
        self._letters += letters
        if self._letters > MOST_TEXT:
            what = f"the table has more than {MOST_TEXT:,} characters"
            raise ProblemsFound([Problem(Place(self.shown, number), what, "split it among several kinds")])
        if letters > MOST_LETTERS:
            column = next((at for at, cell in enumerate(cells, 1) if len(cell) > MOST_LETTERS), 0)
            if column:
                raise too_long(self.shown, number, column)


def too_long(shown: str, row: int = 0, column: int = 0) -> ProblemsFound:
    """Return the problem of a cell with too many characters."""
    what = f"a cell has more than {MOST_LETTERS:,} characters"
    return ProblemsFound(
        [Problem(Place(shown, row, column), what, "shorten the text, or split it among several cells")]
    )


_PAGE_BREAK = re.compile("[\x0b\x0c]")
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]")


def has_content(cells: Iterable[str]) -> bool:
    """Whether a row says anything."""
    return any(cell and not cell.isspace() for cell in cells)
