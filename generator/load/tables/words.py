"""Problems of tables in a table's words: cell, rows, heading; one line for what is wrong all down a column."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from generator.dataclass import dataclass
from generator.errors import Place, Problem
from generator.load.wording import describe_value

if TYPE_CHECKING:
    from generator.load.tables.designs import Layout

_MOST_ROWS = 4
"""So many rows are told one by one; of more the first three."""

_VALUE = re.compile(r"'[^']*'|\d[\d,.]*")
_QUOTED = re.compile(r"'([^']*)'")
_MISSING = re.compile(r"'(\w+)' is missing in ")
_NO_TEXT = re.compile(r"(\w+) has no text in '(.+)'\Z")
_ENTRY = r"((?:[\w.]+ in )?(?:entry \d+ of )*)"


@dataclass(frozen=True, slots=True)
class _Slip:
    """What is wrong in a row of a table, in its words; `heading` is empty where it concerns the row."""

    place: Place
    heading: str
    what: str
    hint: str

    @property
    def alike(self) -> tuple[str, int, str, str]:
        """What those have in common that differ in the row and in the value alone."""
        return self.place.file, self.place.column, _VALUE.sub("", self.what), _VALUE.sub("", self.hint)


def in_words_of_tables(problems: Iterable[Problem], layouts: Mapping[str, "Layout"]) -> list[Problem]:
    """The problems with those of rows below a table's header in its words; `layouts` by the tables' files."""
    told: list[Problem] = []
    slips: dict[tuple[str, int, str, str], list[_Slip]] = {}
    for problem in dict.fromkeys(problems):
        place = problem.place
        layout = layouts.get(place.file) if place else None
        if layout is None or place is None or place.line <= layout.header:
            told.append(problem)
            continue
        slip = _slip(problem, place, layout)
        slips.setdefault(slip.alike, []).append(slip)
    return told + [_together(sorted(alike, key=lambda slip: slip.place)) for alike in slips.values()]


def column_letters(column: int) -> str:
    """`A` for 1, `AA` for 27, as spreadsheets call their columns."""
    letters = ""
    while column > 0:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def _slip(problem: Problem, place: Place, layout: "Layout") -> _Slip:
    """A problem without the words that YAML would want."""
    what, hint, column = problem.what, problem.hint, place.column
    if what.startswith("the row has "):
        return _Slip(place, "", what, hint)
    heading = _heading(layout, column)
    if found := _MISSING.match(what):
        column = min((at for (field, _), at in layout.columns.items() if field == found[1]), default=column)
        what, hint = "nothing stands here", "fill it in, or declare the field with `optional: true`"
    elif found := _NO_TEXT.match(what):
        column = layout.columns.get((found[1], found[2]), column)
        what, hint = f"there is no text in '{found[2]}', but in another language there is", "write it"
    elif what == "a design has no id":
        what, hint = "there is no id", "write one with letters, digits, - and _"
    elif what.startswith("the id ") and what.endswith("has more than letters, digits, - and _"):
        hint = f"`id_from: {heading}` makes ids of this column"
    elif hint == "add `back:` with the other face's template":
        hint = "name the other face's template in a column `back`, or write `back:` for the kind"
    else:
        what = _without_field(what, column, layout).replace("(first in line ", "(first in row ")
    return _Slip(Place(place.file, place.line, column), _heading(layout, column), what, hint)


def _heading(layout: "Layout", column: int) -> str:
    return layout.headings[column - 1] if 0 < column <= len(layout.headings) else ""


def _without_field(what: str, column: int, layout: "Layout") -> str:
    """`value must be a number` without the name of its field; of an entry of a list it is told which."""
    for (field_name, lang), at in layout.columns.items():
        name = f"{field_name}.{lang}" if lang and what.startswith(f"{field_name}.{lang} ") else field_name
        if at == column and (found := re.match(rf"{_ENTRY}{re.escape(name)}((?:\.\w+)*) ", what)):
            steps = [f"`{step}`" for step in found[2].split(".")[1:]]
            where = found[1].removesuffix("of ") + (f"{', '.join(steps)}: " if steps else "")
            return where + what[found.end() :]
    return what


def _together(slips: Sequence[_Slip]) -> Problem:
    """One problem for all that is alike, at the place of the first."""
    first = slips[0]
    where = f"column '{first.heading}'" if first.heading else ""
    if len(slips) == 1:
        cell = f"{column_letters(first.place.column)}{first.place.line}" if first.place.column else ""
        said = f"cell {cell}" if cell and not first.what.startswith("the row has ") else f"row {first.place.line}"
        told = ", ".join(filter(None, [said, where]))
        return Problem(first.place, f"{told}: {first.what}", first.hint)
    told = ", ".join(filter(None, [where, _rows([slip.place.line for slip in slips])]))
    return Problem(first.place, f"{told}: {first.what}{_elsewhere(slips)}", first.hint)


def _rows(numbers: Sequence[int]) -> str:
    """`rows 3, 5, 7 and 36 more`."""
    few = len(numbers) <= _MOST_ROWS
    shown = numbers[:-1] if few else numbers[: _MOST_ROWS - 1]
    last = str(numbers[-1]) if few else f"{len(numbers) - len(shown):,} more"
    return f"rows {', '.join(map(str, shown))} and {last}"


def _elsewhere(slips: Sequence[_Slip]) -> str:
    """The values of the other rows, where they are others."""
    values = list(dict.fromkeys(value for slip in slips for value in _last_value(slip.what)))[1:]
    if not values:
        return ""
    more = f" and {len(values) - 3:,} more" if len(values) > 3 else ""
    return f" (elsewhere {', '.join(map(describe_value, values[:3]))}{more})"


def _last_value(what: str) -> Iterator[str]:
    yield from _QUOTED.findall(what)[-1:]
