"""Session figures: length, spread, first seat and comebacks of people's games beside those of bots, with intervals."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from math import atan, cos, exp, inf, lgamma, log, pi, sin, sqrt
from statistics import fmean, stdev
from typing import NamedTuple

from generator.books.measure_names import Interval
from generator.game.model import Game
from generator.play.batch import MatchRunner
from generator.play.game_loop import fill_course_figures, list_course_columns
from generator.play.human_game import HumanGame
from generator.rules.engine.contract import Rules
from generator.rules.engine.table import Table
from generator.versions.sessions import Session, SessionSeat

FEW = 5
"""With fewer games than this, a comparison with bots means little."""

MEASURES = ("minutes", "turns", "best", "spread", "first", "comeback")
SHARES = ("first", "comeback")
"""Measures that are shares of games: wins of the first seat, and wins of seats that did not lead halfway."""

_LED = list_course_columns().index("led at half")


def find_value(measure: str, game: Session) -> float | None:
    """Return the value of a measure in a game, or None if it is not known. Winners who tie share the win."""
    winners = [number for number, seat in enumerate(game.seats, 1) if seat.rank == 1]
    scores = [seat.score for seat in game.seats if seat.score is not None]
    if measure in ("best", "spread"):
        if len(scores) < max(game.players, 1 if measure == "best" else 2):
            return None
        return max(scores) - (min(scores) if measure == "spread" else 0)
    if measure == "first":
        known = game.ordered and all(seat.rank for seat in game.seats)
        return (1 in winners) / len(winners) if winners and known else None
    if measure == "comeback":
        known = bool(winners and game.half and game.players > 1)
        return float(not set(winners) & set(game.half)) if known else None
    return game.minutes if measure == "minutes" else game.turns


def play_bot_games(game: Game, rules: Rules, players: int, bot: str, games: int) -> Iterator[Session]:
    """Yield the first games of run 1 with the same bot on all seats, as sessions without moves."""
    match = MatchRunner(rules, rules.box(game, players, {}), (bot,), followed=True)
    numbers = map(int, match.game_figures(1, 0, games))
    begun = Session("", game.draft, players, seats=(SessionSeat(bot=bot),) * players)
    while one := dict(zip(match.columns, numbers, strict=False)):
        results = [(one[f"place {seat + 1}"], one[f"score {seat + 1}"]) for seat in range(players)]
        if one["ended"]:
            yield _add_results(begun, results, one["turns"], one["led at half"])


def make_table_session(name: str, played: HumanGame, names: Sequence[str]) -> Session:
    """Return a game at our table as a session; `names` are those of its people in the order of seats.

    An unfinished one has no results.
    """
    table, replay = played.table, Table(played.table.rules, played.table.box, played.table.seed)
    bots, called = (played.bot.split(",") * table.box.players)[: table.box.players], iter(names)
    people = {seat: next(called, "") for seat in sorted(played.people)}
    seats = [SessionSeat(people[at]) if at in people else SessionSeat(bot=bot) for at, bot in enumerate(bots)]
    made = Session(
        name, table.box.game.draft, len(seats), seats=tuple(seats), seed=f"{table.seed.run}/{table.seed.game}",
        options=dict(table.box.options), moves=tuple(table.moves),
    )  # fmt: skip
    if not table.is_over:
        return made
    course, turn = [0, *replay.compute_scores()], replay.state.turn
    course[0] = 1
    for move in table.moves:  # notes the points as a series does
        replay.apply(move)
        if replay.state.turn != turn or replay.is_over:
            turn = replay.state.turn
            course[0] += 1
            course += replay.compute_scores()
    results = [0] * len(list_course_columns())
    fill_course_figures(course, table.box.players, results, 0)
    scores = list(zip(table.compute_places(), table.compute_scores(), strict=True))
    return _add_results(made, scores, int(table.state.turn), results[_LED])


def _add_results(made: Session, results: Sequence[tuple[int, int]], turns: int, led: int) -> Session:
    """Return a session with place and score of each seat, its turns, and the seats whose bits are set in `led`."""
    both = zip(made.seats, results, strict=True)
    seats = tuple(replace(seat, rank=rank, score=float(score)) for seat, (rank, score) in both)
    half = tuple(seat + 1 for seat in range(len(seats)) if led >> seat & 1)
    return replace(made, seats=seats, turns=turns, half=half)


class MeasuredValue(NamedTuple):
    """A measure over several games: how many games it is known of, and its interval at 95 %."""

    games: int
    interval: Interval


def measure_games(games: Iterable[Session], measure: str) -> MeasuredValue | None:
    """Return a measure of these games, or None if no game has it."""
    values = [value for game in games if (value := find_value(measure, game)) is not None]
    if not values:
        return None
    return MeasuredValue(len(values), share_interval(values) if measure in SHARES else mean_interval(values))


def mean_interval(values: Sequence[float], outside: float = 0.05) -> Interval:
    """Return Student's interval of the mean. It is infinite if all values are equal, as those of a single game are."""
    mean, number = fmean(values), len(values)
    if len(set(values)) < 2:
        return Interval(mean, -inf, inf)
    half = _bisect(lambda t: _student_share(t, number - 1) < 1 - outside, 0.0, 1e6) * stdev(values) / sqrt(number)
    return Interval(mean, mean - half, mean + half)


def _student_share(t: float, freedom: int) -> float:
    """Return the probability that Student's t is between -t and t (Abramowitz and Stegun 26.7.3 and 26.7.4)."""
    angle, odd = atan(t / sqrt(freedom)), freedom % 2
    term, total = cos(angle) if odd else 1.0, 0.0
    for power in range(1 + odd, freedom, 2):
        total += term
        term *= cos(angle) ** 2 * power / (power + 1)
    return 2 / pi * (angle + sin(angle) * total) if odd else sin(angle) * total


def share_interval(values: Sequence[float], outside: float = 0.05) -> Interval:
    """Return the exact interval of a share (Clopper and Pearson 1934). Shared wins widen it to whole numbers."""
    number, seen = len(values), sum(values)
    few, many = int(seen), -int(-seen // 1)

    def tail(share: float, start: int) -> float:
        """Return the probability of at least `start` of all games, by logarithms: factorials exceed floats."""
        ways = {k: lgamma(number + 1) - lgamma(k + 1) - lgamma(number - k + 1) for k in range(start, number + 1)}
        return sum(exp(way + k * log(share) + (number - k) * log(1 - share)) for k, way in ways.items())

    low = _bisect(lambda share: tail(share, few) < outside / 2, 0.0, 1.0) if few else 0.0
    high = _bisect(lambda share: 1 - tail(share, many + 1) > outside / 2, 0.0, 1.0) if many < number else 1.0
    return Interval(seen / number, low, high)


def _bisect(is_below: Callable[[float], bool], low: float, high: float) -> float:
    """Return the number between two limits up to which the condition holds."""
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if is_below(middle) else (low, middle)
    return (low + high) / 2
