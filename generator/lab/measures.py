"""Measures: the whole numbers counted in each game, and their sums over many games."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from math import lcm
from typing import Any, TypeAlias

from generator.books.measure_names import WIN_IN_TURN
from generator.play import game_loop
from generator.rules.engine.contract import Box, Rules

Histogram = Counter[int]
"""Maps a value to the number of games that had it."""


@dataclass(slots=True)
class PairedSums:
    """Comparison of an arm's games with those of the base arm on the same seeds: differences, and identical games."""

    identical: int = 0
    differences: dict[str, Histogram] = field(default_factory=dict)

    def join(self, other: "PairedSums") -> None:
        """Add the sums of further pairs of games."""
        self.identical += other.identical
        _add_histograms(self.differences, other.differences)


@dataclass(slots=True)
class Sums:
    """Counts from the games of one arm at one table: a histogram for each measure. The base arm has no `against`."""

    games: int = 0
    measures: dict[str, Histogram] = field(default_factory=dict)
    against: PairedSums = field(default_factory=PairedSums)

    def join(self, other: "Sums") -> None:
        """Add the sums of further games."""
        self.games += other.games
        _add_histograms(self.measures, other.measures)
        self.against.join(other.against)


def _add_histograms(sums: dict[str, Histogram], more: Mapping[str, Histogram]) -> None:
    for name, histogram in more.items():
        sums.setdefault(name, Counter()).update(histogram)


def make_histogram(values: Iterable[int]) -> Histogram:
    """Return the histogram of a numpy array or other whole numbers."""
    import numpy as np

    found, times = np.unique(np.asarray(values, dtype=np.int64), return_counts=True)
    return Counter(dict(zip(found.tolist(), times.tolist(), strict=True)))


BROKEN = "law broken"
"""Name of the measure that counts games which broke a law of the rules; their figures are invalid."""

LEADS = ("lead changes", "last lead change", "led alone: half", "leader wins: half", "leader wins: end")
"""Names of measures about who leads during a game, by the points after each turn."""

STEPS = tuple(f"{100 * step // game_loop.STEPS}%" for step in range(1, game_loop.STEPS + 1))
"""Parts of a game (share of its turns) at which the best and worst scores are read: `best score: 50%`."""

COURSE_MEASURES = frozenset((*LEADS, *(f"{which} score: {step}" for which in ("best", "worst") for step in STEPS)))
"""Measures for which games are stopped after every turn, which is slow."""

_COUNTED = ("turns", "decisions", "moves", "choices", "widest")

UNRANKED = frozenset((*_COUNTED[1:], "peak", "measure"))
"""Names, up to a colon, of measures that do not tell whether a reading matters: how the program splits what players do.

The others are turns, points, seats (who wins) and endings.
"""

GAME = "game"
"""Name of the column with the numbers of the games."""

Figures: TypeAlias = Mapping[str, Any]
"""Maps a column of a series of games to a numpy array with one number per game."""


@dataclass(frozen=True, slots=True)
class GameMeasure:
    """A measure: `of(figures)` returns its whole number for each game; divided by `whole` it is the value.

    `share`: in most games it is 0 or `whole`, and its mean is a share of games.
    """

    name: str
    of: Callable[[Figures], Any]
    whole: int = 1
    share: bool = False


def make_measures(rules: Rules, box: Box) -> Mapping[str, GameMeasure]:
    """Return all measures of games with this box, by name. Those of the standard report come first."""
    found = [GameMeasure(name, partial(_read_column, name)) for name in _COUNTED]
    found.append(GameMeasure("endless", lambda figures: 1 - figures["ended"], share=True))
    found.append(GameMeasure(BROKEN, partial(_is_positive, "broken"), share=True))
    found += (*_score_measures(box), *_win_measures(box), *_lead_measures(box))
    for supply in rules.supplies:
        found.append(GameMeasure(f"ran out: {supply.id}", partial(_is_positive, f"short {supply.id}"), share=True))
        found.append(GameMeasure(f"peak: {supply.id}", partial(_read_column, f"peak {supply.id}")))
    for at, hole in enumerate(rules.holes, 1):
        is_met = lambda figures, at=at: (figures["hole"] == at).astype(int)  # noqa: E731 - as short as its use
        found.append(GameMeasure(f"hole: {hole.id}", is_met, share=True))
    for measure in rules.measures:
        found.append(GameMeasure(f"measure: {measure.check}", partial(_read_column, f"measure {measure.check}")))
    return {measure.name: measure for measure in found}


def name_standard_measures(rules: Rules, box: Box) -> tuple[str, ...]:
    """Return the names of the default measures."""
    whole = ["turns", "decisions"]
    if box.players > 1:
        whole += ["best score", "spread", "ties", *(f"win of seat {seat + 1}" for seat in range(box.players))]
    else:
        whole += ["score of seat 1", "win of seat 1"]
    supplies, holes = (f"ran out: {one.id}" for one in rules.supplies), (f"hole: {one.id}" for one in rules.holes)
    return (*whole, *supplies, *holes, "endless")


def _score_measures(box: Box) -> Iterator[GameMeasure]:
    import numpy as np

    seats = [f"score {seat + 1}" for seat in range(box.players)]
    for seat, column in enumerate(seats):
        yield GameMeasure(f"score of seat {seat + 1}", partial(_read_column, column))
    if len(seats) > 1:
        yield GameMeasure("best score", lambda figures: np.max([figures[one] for one in seats], axis=0))
        yield GameMeasure("worst score", lambda figures: np.min([figures[one] for one in seats], axis=0))
        yield GameMeasure("spread", lambda figures: np.ptp([figures[one] for one in seats], axis=0))
        whole = common_denominator(box)
        total = whole // len(seats)
        yield GameMeasure("mean score", lambda figures: total * np.sum([figures[one] for one in seats], axis=0), whole)


def common_denominator(box: Box) -> int:
    """Return a number that 1 / n of a win is a whole multiple of, for any number of players of the game."""
    return lcm(*range(1, box.game.players.most + 1))


def _win_measures(box: Box) -> Iterator[GameMeasure]:
    """Yield the measures of wins. Players who tie for first place share the win equally."""
    import numpy as np

    places = [f"place {seat + 1}" for seat in range(box.players)]
    whole = common_denominator(box)

    def winners(figures: Figures) -> Any:
        return np.sum([figures[one] == 1 for one in places], axis=0)

    def read_win(column: str, figures: Figures) -> Any:
        return np.where(figures[column] == 1, whole // np.maximum(1, winners(figures)), 0)

    def read_win_in_turn(figures: Figures) -> Any:
        return np.choose(figures[GAME] % len(places), [read_win(column, figures) for column in places])

    for seat, column in enumerate(places):
        yield GameMeasure(f"win of seat {seat + 1}", partial(read_win, column), whole, share=True)
    yield GameMeasure(WIN_IN_TURN, read_win_in_turn, whole, share=True)
    if len(places) > 1:
        yield GameMeasure("ties", lambda figures: (winners(figures) > 1).astype(int), share=True)


def _lead_measures(box: Box) -> Iterator[GameMeasure]:
    """Yield the measures about who leads. For `leader wins`, players who tie for the lead count equally."""
    import numpy as np

    seats, whole = range(box.players), common_denominator(box)

    def leads(column: str, figures: Figures) -> Any:
        return np.array([figures[column] >> seat & 1 for seat in seats])

    def alone(figures: Figures) -> Any:
        return (leads("led at half", figures).sum(axis=0) == 1).astype(int)

    def wins(column: str, figures: Figures) -> Any:
        first = np.array([figures[f"place {seat + 1}"] == 1 for seat in seats])
        parts = np.where(first, whole // np.maximum(1, first.sum(axis=0)), 0)
        found = leads(column, figures)
        return (parts * found).sum(axis=0) * (whole // found.sum(axis=0))

    if box.players > 1:
        for name in LEADS[:2]:
            yield GameMeasure(name, partial(_read_column, name))
        yield GameMeasure(LEADS[2], alone, share=True)
        for name, column in zip(LEADS[3:], ("led at half", "led at end"), strict=True):
            yield GameMeasure(name, partial(wins, column), whole * whole, share=True)
    for which in ("best", "worst")[: box.players]:
        for number, step in enumerate(STEPS, 1):
            yield GameMeasure(f"{which} score: {step}", partial(_read_column, f"{which} at {number}"))


def _read_column(name: str, figures: Figures) -> Any:
    return figures[name]


def _is_positive(name: str, figures: Figures) -> Any:
    return (figures[name] > 0).astype(int)
