"""Results of experiments: sums by cell and arm, as a file that is the same for equal work and that more games join."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Any

from generator.dataclass import dataclass
from generator.lab.chunks import Cell
from generator.lab.enquiry import Enquiry, enquiry_of
from generator.lab.result_shapes import RESULT, ResultFile, contradictions
from generator.lab.sums import Against, Histogram, Sums
from generator.lab.sweeps.grids import SweepGrid, grids_of

FORMAT = 1


@dataclass(slots=True)
class Result:
    """What has been played of an experiment so far.

    `about` says what was asked, of which game and draft, and by which rules, data and program: what must be equal for
    results to be joined. `arms` are in order, the first is what the others are held against. `whole` has for each
    measure by how much its numbers are to be divided; `shares` names those that are shares of games. `looked`: games
    that were planned when it was first looked at before they all were played, 0 where it never was. `asked` is what
    its figures are held against.
    """

    about: Mapping[str, Any]
    key: str
    arms: tuple[str, ...]
    whole: Mapping[str, int]
    shares: frozenset[str]
    cells: dict[tuple[Cell, str], Sums] = field(default_factory=dict)
    looked: int = 0
    asked: Enquiry = field(default_factory=Enquiry)

    @property
    def empty(self) -> bool:
        """Whether nothing has been played."""
        return not self.cells

    @property
    def grids(self) -> tuple[SweepGrid, ...]:
        """The arms with ranges, whose points are arms."""
        return grids_of(self.about.get("experiment", {}).get("grids", ()))

    def games(self, cell: Cell) -> int:
        """How many of each arm have been played, from the first of the run on."""
        return min((self.cells[cell, arm].games for arm in self.arms if (cell, arm) in self.cells), default=0)

    def join(self, cell: Cell, sums: Mapping[str, Sums]) -> None:
        """Adds a chunk; whoever is stopped in the middle has added nothing."""
        joined = dict(self.cells)
        for arm, more in sums.items():
            together = Sums()
            for part in (self.cells.get((cell, arm), Sums()), more):
                together.join(part)
            joined[cell, arm] = together
        self.cells = joined

    def text(self) -> str:
        """The result as its file says it: one line for each cell and arm, in their order."""
        head = {"format": FORMAT, "key": self.key, **self.about, "arms": list(self.arms), "whole": dict(self.whole)}
        head |= {"shares": sorted(self.shares), "looked": self.looked, "asked": self.asked.plain()}
        lines = [json.dumps(_cell(*place, sums), ensure_ascii=False) for place, sums in sorted_cells(self)]
        text = json.dumps(head, ensure_ascii=False, sort_keys=True, indent=1)
        return f'{text[:-2]},\n "cells": [\n' + ",\n".join(lines) + "\n]}\n"


def sorted_cells(result: Result) -> Iterator[tuple[tuple[Cell, str], Sums]]:
    """Cells by players and bots, arms in their order."""

    def order(place: tuple[Cell, str]) -> tuple[int, tuple[str, ...], int]:
        return place[0].players, place[0].bots, result.arms.index(place[1])

    for place in sorted(result.cells, key=order):
        yield place, result.cells[place]


def read_result(text: str, shown: str) -> Result:
    """The result that a file holds; ProblemsFound, each at its line, for what is none or of another format."""
    file = ResultFile(text, shown, RESULT, FORMAT, "give the file that `pnp lab` wrote")
    data = file.data
    file.check(contradictions(data))
    cells = {(Cell(line["players"], tuple(line["bots"])), line["arm"]): _sums(line) for line in data.pop("cells")}
    known = {name: data.pop(name) for name in ("key", "arms", "whole", "shares", "looked", "asked", "format")}
    arms, shares, asked = tuple(known["arms"]), frozenset(known["shares"]), enquiry_of(known["asked"])
    found = Result(data, known["key"], arms, known["whole"], shares, cells, known["looked"], asked)
    try:
        found.grids  # noqa: B018 - read now, for its mistakes
    except ValueError as error:
        what = f"the grid '{error}' has not a point for each combination of its values"
        file.check([(("experiment", "grids"), what)])
    return found


def _cell(cell: Cell, arm: str, sums: Sums) -> dict[str, Any]:
    told = {"arm": arm, "players": cell.players, "bots": list(cell.bots), "games": sums.games}
    told["measures"] = _histograms(sums.measures)
    if sums.against.differences:
        told["identical"] = sums.against.identical
        told["differences"] = _histograms(sums.against.differences)
    return told


def _histograms(measures: Mapping[str, Histogram]) -> dict[str, dict[str, int]]:
    return {name: {str(value): times for value, times in sorted(one.items())} for name, one in measures.items()}


def _sums(line: Mapping[str, Any]) -> Sums:
    def histograms(name: str) -> dict[str, Histogram]:
        return {what: Counter({int(value): int(n) for value, n in one.items()}) for what, one in line[name].items()}

    against = Against(line.get("identical", 0), histograms("differences")) if "differences" in line else Against()
    return Sums(int(line["games"]), histograms("measures"), against)
