"""Results of experiments: what was asked, the sums by table and arm, and the JSON shapes of result files."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any, Literal, TypeAlias

from generator.base.errors import Place, Problem, ProblemsFound, raise_problems
from generator.game.data_reader import parse_json, source_from_text
from generator.game.data_shapes import (
    NUMBER,
    TEXT,
    TRUTH,
    WHOLE,
    ChoiceShape,
    DataShape,
    KeyedShape,
    KeyEntry,
    ListShape,
    MapShape,
    Path,
    PlainShape,
    UnionShape,
    read_shape,
)
from generator.game.source import Source
from generator.game.value_faults import explain_finding, find_finding_path
from generator.lab.card_records import CARD, LEFT, LUCK_WITH, TAKEN_BY
from generator.lab.chunks import Cell
from generator.lab.measures import Histogram, PairedSums, Sums
from generator.lab.statistics import USUAL
from generator.lab.sweeps import SweepGrid, grids_from_data


@dataclass(frozen=True, slots=True)
class MeasureAim:
    """An aim for a measure: limits `low` and `high`, both included; shares are from 0 to 1.

    With `fair` both are distances from 1 / players. They apply to the value of a share, and to the median of other
    measures.
    """

    low: float
    high: float
    fair: bool = False

    def find_limits(self, players: int) -> tuple[float, float]:
        """Return the least and the greatest value that meets the aim at a table of this number of players."""
        middle = 1 / players if self.fair else 0.0
        return middle + self.low, middle + self.high


@dataclass(frozen=True, slots=True)
class Question:
    """What an experiment asks, and how it judges the answer: aims, margins and confidence.

    It does not affect games, so results can be joined across questions. `labels` has the experiment's names of
    measures. `aims` and `margins` go by the measures' own names. A margin is the largest difference that does not
    matter, in the units of an aim. `confidence` applies to all intervals. `unreached` has the arms that no watched game
    reached, with a position in which they matter or ''; None: there are no verdicts on readings.
    """

    question: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    aims: Mapping[str, MeasureAim] = field(default_factory=dict)
    margins: Mapping[str, float] = field(default_factory=dict)
    confidence: float = USUAL
    unreached: Mapping[str, str] | None = None

    def find_label(self, measure: str) -> str:
        """Return the experiment's name of a measure."""
        return self.labels.get(measure, measure)

    def to_data(self) -> dict[str, Any]:
        """Return dicts, lists, texts and numbers for the result's file."""
        told = asdict(self)
        return told if self.unreached is not None else {name: told[name] for name in told if name != "unreached"}


_LARGEST, _FAR = 10**15, 10**30
_COUNT = PlainShape("whole number", {"ge": 1, "le": _LARGEST})
_NUMBER_OF = PlainShape("whole number", {"ge": 0, "le": _LARGEST})
_SEATS = PlainShape("whole number", {"ge": 1, "le": 100})
_SHARE = PlainShape("number", {"ge": 0.01, "le": 1 - 1e-9})
_KEY = PlainShape("text", {"pattern": "-?[0-9]{1,18}$"})
_HISTOGRAM = MapShape(_KEY, WHOLE.with_limits({"ge": -_FAR, "le": _FAR}))
_HISTOGRAMS = MapShape(TEXT, _HISTOGRAM)
_TEXTS = ListShape(TEXT)
_PLAIN = UnionShape({"text": TEXT, "number": NUMBER, "truth": TRUTH})


def _mapping_shape(**shapes: DataShape | tuple[DataShape, Any]) -> KeyedShape:
    """Return the shape of a JSON object that must have these keys and may have others. A pair adds a default value."""
    entries = [KeyEntry(name, *(shape if isinstance(shape, tuple) else (shape,))) for name, shape in shapes.items()]
    return KeyedShape("", "", entries, open=True)


_AXIS = _mapping_shape(name=TEXT, values=ListShape(_PLAIN, {"min_length": 1}), times=TRUTH)
_WEIGHT = ListShape(PlainShape("number", {"ge": 0, "le": _LARGEST}), {"min_length": 2, "max_length": 2})
_GRID = _mapping_shape(
    name=TEXT, axes=ListShape(_AXIS, {"max_length": 50}), arms=_TEXTS, weights=ListShape(_WEIGHT),
    missing=MapShape(TEXT, TEXT), walks=(PlainShape("whole number", {"ge": 0, "le": 1000}), 0), run=(_NUMBER_OF, 1),
)  # fmt: skip
_CARDS = _mapping_shape(
    held=_TEXTS, before=_TEXTS, hidden=_TEXTS, others=_TEXTS, draws=_TEXTS, played=_TEXTS, dominated=_TEXTS
)
_ARM = _mapping_shape(readings=MapShape(TEXT, _PLAIN), values=MapShape(TEXT, _PLAIN))
_EXPERIMENT = _mapping_shape(
    arms=MapShape(TEXT, _ARM), run=_NUMBER_OF, cards=(_CARDS, None), grids=(ListShape(_GRID), ())
)
_AIM = _mapping_shape(low=NUMBER, high=NUMBER, fair=TRUTH)
_ASKED = _mapping_shape(
    question=MapShape(TEXT, TEXT), labels=MapShape(TEXT, TEXT), aims=MapShape(TEXT, _AIM),
    margins=MapShape(TEXT, PlainShape("number", {"ge": 0})), confidence=_SHARE,
    unreached=(MapShape(TEXT, TEXT), None),
)  # fmt: skip
_CELL = _mapping_shape(
    arm=TEXT, players=_SEATS, bots=ListShape(TEXT, {"min_length": 1}), games=_COUNT, options=(TEXT, ""),
    measures=_HISTOGRAMS, identical=(_NUMBER_OF, 0), differences=(_HISTOGRAMS, {}),
)  # fmt: skip
_COMMON_KEYS = {"key": TEXT, "game": TEXT, "draft": TEXT}

RESULT = _mapping_shape(
    **_COMMON_KEYS, data=TEXT, experiment=_EXPERIMENT, arms=ListShape(TEXT, {"min_length": 1}),
    whole=MapShape(TEXT, _COUNT), shares=_TEXTS, looked=_NUMBER_OF, asked=_ASKED, cells=ListShape(_CELL),
)  # fmt: skip
"""Shape of the JSON file with an experiment's result."""

LuckSource: TypeAlias = Literal["deal", "chance"]
SOURCES: tuple[LuckSource, ...] = ("deal", "chance")
"""What the games of one deal share: the whole set-up, or all chance after it."""

_SKILL_DEAL = ListShape(WHOLE.with_limits({"ge": -_LARGEST, "le": _LARGEST}), {"min_length": 2})
SKILL = _mapping_shape(
    **_COMMON_KEYS, data=TEXT, whole=_COUNT,
    skill=_mapping_shape(
        players=ListShape(_SEATS, {"min_length": 1}), bots=ListShape(TEXT, {"min_length": 1}), run=_NUMBER_OF
    ),
    matches=ListShape(_mapping_shape(
        players=_SEATS, one=TEXT, others=TEXT, seeds=_COUNT, wins=MapShape(_KEY, _COUNT, {"min_length": 1}),
        faults=_NUMBER_OF, endless=_NUMBER_OF,
    )),
    deals=ListShape(_mapping_shape(
        players=_SEATS, bot=TEXT, alike=ChoiceShape(SOURCES), deals=ListShape(_SKILL_DEAL),
        faults=_NUMBER_OF, endless=_NUMBER_OF,
    )),
)  # fmt: skip
"""Shape of the JSON file with matches of bots against each other."""

SOLVED = _mapping_shape(
    **_COMMON_KEYS, arms=_TEXTS,
    deals=ListShape(_mapping_shape(
        arm=TEXT, deal=_NUMBER_OF, moves=(ListShape(_NUMBER_OF), None), lost=(TEXT, ""),
        width=(_NUMBER_OF, 0), tried=(_NUMBER_OF, 0),
    )),
)  # fmt: skip
"""Shape of a file of solved deals."""


class ResultFile:
    """A result file's JSON, checked against its shape. Raises ProblemsFound with the line of each fault."""

    def __init__(self, text: str, shown_path: str, shape: DataShape, form: int, hint: str):
        self._text, self._shown, self._hint = text, shown_path, hint
        try:
            self.data: dict[str, Any] = parse_json(text, shown_path, hint)
        except ProblemsFound as broken:
            raise ProblemsFound(self._make_problem(one.place, one.what) for one in broken.problems) from broken
        found = [] if isinstance(self.data, dict) else read_shape(shape, self.data)[1]
        if not found:
            known = self.data.get("format")
            if known != form or isinstance(known, bool):
                place = self._source.place("format")
                what = "'format' is missing" if known is None else f"the format {str(known)[:40]} is not known"
                away = hint if known is None else "move the file, and run the command again"
                raise ProblemsFound([Problem(place, f"this file is not a result of the lab: {what}", away)])
            found = read_shape(shape, self.data)[1]
        raise_problems(self._problem_at(*find_finding_path(one), explain_finding(one, shape)[0]) for one in found)

    def check(self, wrong: Iterable[tuple[Path, str]]) -> None:
        """Raise ProblemsFound if `wrong`, pairs of a value's path and a message, is not empty."""
        raise_problems(self._problem_at(path, False, what) for path, what in wrong)

    def _problem_at(self, path: Path, at_key: bool, what: str) -> Problem:
        find = self._source.key_place if at_key and path else self._source.place
        return self._make_problem(find(*path), what)

    @cached_property
    def _source(self) -> Source:
        return source_from_text(self._text, self._shown)

    def _make_problem(self, place: Place | None, what: str) -> Problem:
        return Problem(place or Place(self._shown), f"this file is not a result of the lab: {what}", self._hint)


def find_contradictions(data: Mapping[str, Any]) -> Iterator[tuple[Path, str]]:
    """Yield inconsistencies in an experiment's result, such as wrong sums: path and message."""
    arms, whole, experiment = data["arms"], data["whole"], data["experiment"]
    yield from ((("arms", at), f"'{arm}' is twice among the arms") for at, arm in enumerate(arms) if arm in arms[:at])
    yield from (
        (("experiment", "arms"), f"the arm '{arm}' is not described") for arm in arms if arm not in experiment["arms"]
    )
    yield from ((("whole",), f"'{name}' is a share and has no whole") for name in data["shares"] if name not in whole)
    tables = [(cell["players"], *cell["bots"], cell.get("options", "")) for cell in data["cells"]]
    cells = {(*table, cell["arm"]): cell for table, cell in zip(tables, data["cells"], strict=True)}
    for at, cell in enumerate(data["cells"]):
        path = ("cells", at)
        if cell["arm"] not in arms:
            yield (*path, "arm"), f"there is no arm '{cell['arm']}'"
        elif lacking := [arm for arm in arms if (*tables[at], arm) not in cells]:
            yield path, f"this table lacks the arm '{lacking[0]}', but every table needs all arms"
        elif cells[*tables[at], cell["arm"]] is not cell:
            yield path, "this table and arm appear twice"
        else:
            first = cells[*tables[at], arms[0]]
            yield from _check_measures(cell, first, whole, path, followed="cards" in experiment)
            if "cards" in experiment:
                yield from _check_cards(cell["measures"], whole, path)
        if len(cell["bots"]) not in (1, cell["players"]):
            yield (*path, "bots"), f"{len(cell['bots'])} bots for {cell['players']} seats"
    for at, grid in enumerate(experiment.get("grids", ())):
        lost = {*grid["arms"]} - grid["missing"].keys() - {*arms}
        yield from ((("experiment", "grids", at, "arms"), f"there is no arm '{arm}'") for arm in sorted(lost))


def _check_measures(
    cell: Mapping[str, Any], first: Mapping[str, Any], whole: Mapping[str, int], path: Path, *, followed: bool
) -> Iterator[tuple[Path, str]]:
    for key in ("measures", "differences"):
        for name, histogram in cell.get(key, {}).items():
            here = (*path, key, name)
            if not histogram and not followed:
                yield here, f"'{name}' has no games"
            if not name.startswith(LUCK_WITH):  # which has sums, and no games
                for value, games in histogram.items():
                    if not 0 < games < _LARGEST:
                        yield (*here, value), f"'{name}' is {value} in {games} games"
            if name not in whole and not followed:
                yield here, f"'{name}' has no whole"
            if key == "differences" and not (name in cell["measures"] and name in first["measures"]):
                yield here, f"'{name}' is not measured in both arms"


def _check_cards(measures: Mapping[str, Any], whole: Mapping[str, int], path: Path) -> Iterator[tuple[Path, str]]:
    """Yield inconsistencies in measures of tracked cards of the cell at `path`: missing sums, unknown codes."""
    designs = [name.removeprefix(CARD) for name in measures if name.startswith(CARD)]
    for design in designs:
        if not {f"{LUCK_WITH}{design}", f"{LEFT}{design}"} <= measures.keys() or f"{LUCK_WITH}{design}" not in whole:
            yield (*path, "measures", f"{CARD}{design}"), f"the counts of '{design}' are incomplete"
    for name, histogram in measures.items():
        most = len(designs) ** 2 if name.startswith(TAKEN_BY) else _LARGEST * 1000
        if name.startswith((CARD, LEFT, TAKEN_BY)) and not all(0 <= int(value) < most for value in histogram):
            yield (*path, "measures", name), f"'{name}' contains an unknown code"


def find_skill_contradictions(data: Mapping[str, Any]) -> Iterator[tuple[Path, str]]:
    """Yield inconsistencies in a result of bots against each other: path and message."""
    bots = data["skill"]["bots"]
    for at, line in enumerate(data["matches"]):
        for key in ("one", "others"):
            if line[key] not in bots:
                yield ("matches", at, key), f"'{line[key]}' is not among the bots"
    for at, line in enumerate(data["deals"]):
        if any(len(row) != line["players"] + 1 for row in line["deals"]):
            yield ("deals", at, "deals"), "a deal needs one number for each seat and one more"


FORMAT = 1


@dataclass(slots=True)
class Result:
    """The games played so far in an experiment.

    `about` has the question, game, draft, and the versions of rules, data and program. Only results with equal `about`
    can be joined. `arms` are in order; the others are compared with the first. `whole` has the divisor of each
    measure's numbers. `shares` names the measures that are shares of games. `looked` is the number of games planned at
    the first early look, or 0 without one. `asked` has the criteria for its figures.
    """

    about: Mapping[str, Any]
    key: str
    arms: tuple[str, ...]
    whole: Mapping[str, int]
    shares: frozenset[str]
    cells: dict[tuple[Cell, str], Sums] = field(default_factory=dict)
    looked: int = 0
    asked: Question = field(default_factory=Question)

    @property
    def empty(self) -> bool:
        """True if no game has been played."""
        return not self.cells

    @property
    def grids(self) -> tuple[SweepGrid, ...]:
        """The arms with ranges, whose points are arms."""
        return grids_from_data(self.about.get("experiment", {}).get("grids", ()))

    def count_games(self, cell: Cell) -> int:
        """Return how many games every arm has at least in a cell: they are the first games of the run in each arm."""
        return min((self.cells[cell, arm].games for arm in self.arms if (cell, arm) in self.cells), default=0)

    def join(self, cell: Cell, sums: Mapping[str, Sums]) -> None:
        """Add a chunk's sums, by arm, to those of its cell. If that is interrupted, the result stays unchanged."""
        joined = dict(self.cells)
        for arm, more in sums.items():
            together = Sums()
            for part in (self.cells.get((cell, arm), Sums()), more):
                together.join(part)
            joined[cell, arm] = together
        self.cells = joined

    def to_text(self) -> str:
        """Return the text of the result's file: one line per cell and arm, in order."""
        head = {"format": FORMAT, "key": self.key, **self.about, "arms": list(self.arms), "whole": dict(self.whole)}
        head |= {"shares": sorted(self.shares), "looked": self.looked, "asked": self.asked.to_data()}
        lines = []
        for (cell, arm), sums in sort_cells(self):
            told: dict[str, Any] = {"arm": arm, "players": cell.players, "bots": list(cell.bots), "games": sums.games}
            told |= {"options": cell.options} if cell.options else {}
            told["measures"] = _histogram_data(sums.measures)
            if sums.against.differences:
                told["identical"] = sums.against.identical
                told["differences"] = _histogram_data(sums.against.differences)
            lines.append(json.dumps(told, ensure_ascii=False))
        text = json.dumps(head, ensure_ascii=False, sort_keys=True, indent=1)
        return f'{text[:-2]},\n "cells": [\n' + ",\n".join(lines) + "\n]}\n"


def sort_cells(result: Result) -> Iterator[tuple[tuple[Cell, str], Sums]]:
    """Yield the sums ordered by players, bots and arm."""

    def order(place: tuple[Cell, str]) -> tuple[int, tuple[str, ...], str, int]:
        return place[0].players, place[0].bots, place[0].options, result.arms.index(place[1])

    for place in sorted(result.cells, key=order):
        yield place, result.cells[place]


def read_result(text: str, shown_path: str) -> Result:
    """Parse the text of a result file. Raise ProblemsFound with the line of each fault."""
    file = ResultFile(text, shown_path, RESULT, FORMAT, "name a file that `pnp lab` wrote")
    data = file.data
    file.check(find_contradictions(data))
    cells = {
        (Cell(line["players"], tuple(line["bots"]), line.get("options", "")), line["arm"]): _sums_from_data(line)
        for line in data.pop("cells")
    }
    known = {name: data.pop(name) for name in ("key", "arms", "whole", "shares", "looked", "asked", "format")}
    asked = known["asked"]
    aims = {name: MeasureAim(float(aim["low"]), float(aim["high"]), aim["fair"]) for name, aim in asked["aims"].items()}
    margins = {name: float(margin) for name, margin in asked["margins"].items()}
    question = Question(
        asked["question"], asked["labels"], aims, margins, float(asked["confidence"]), asked.get("unreached")
    )
    arms, shares = tuple(known["arms"]), frozenset(known["shares"])
    found = Result(data, known["key"], arms, known["whole"], shares, cells, known["looked"], question)
    try:
        found.grids  # noqa: B018 - read now, for its mistakes
    except ValueError as error:
        what = f"the grid '{error}' lacks a point for some combination of its values"
        file.check([(("experiment", "grids"), what)])
    return found


def _histogram_data(measures: Mapping[str, Histogram]) -> dict[str, dict[str, int]]:
    return {name: {str(value): times for value, times in sorted(one.items())} for name, one in measures.items()}


def _sums_from_data(line: Mapping[str, Any]) -> Sums:
    def histograms(name: str) -> dict[str, Histogram]:
        return {what: Counter({int(value): int(n) for value, n in one.items()}) for what, one in line[name].items()}

    against = PairedSums(line.get("identical", 0), histograms("differences")) if "differences" in line else PairedSums()
    return Sums(int(line["games"]), histograms("measures"), against)
