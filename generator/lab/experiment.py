"""An experiment: the variants (arms), tables, measures and limits, and how it is played and stored."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from json import dumps
from math import ceil
from pathlib import Path
from time import monotonic
from typing import Any, TypeVar

from generator.base.errors import Place, Problem, ProblemsFound, did_you_mean, locate_fault, raise_problems
from generator.base.files import read_file
from generator.base.output_files import deliver_file, open_delivery
from generator.game.data_fields import format_value
from generator.game.model import Game
from generator.lab.arms import Arm, Strategy
from generator.lab.card_records import CardPlan, CardWishes, make_card_measures
from generator.lab.chunks import ROUND, Cell, Chunk, Crew, Setup, play_chunks, split_chunks
from generator.lab.findings import are_margins_decided, is_settled, judge_arms, widest_half
from generator.lab.measures import BROKEN, LEADS, STEPS, GameMeasure, make_measures, name_standard_measures
from generator.lab.results import Question, Result
from generator.lab.skill_result import SkillResult, SkillWork
from generator.lab.sweeps import SweepGrid
from generator.lab.win_solver import SolvedDeals
from generator.play.bot_registry import find_bot
from generator.rules.engine.contract import Rules
from generator.rules.engine.settings import iter_other_choices

_LOOKING = 3.2
"""Half width of a share's interval that is valid at every look, times the square root of the number of games."""

_PACE = {"greedy": 1, "look-ahead": 10}
"""The number of games of a paced bot is divided by this times its pace."""

AS_IT_IS = "as it is"
"""Name of the arm that is the unchanged game."""

UNCHANGED = (Arm(AS_IT_IS),)


@dataclass(frozen=True, slots=True)
class Experiment:
    """What to play: arms (variants of the game, compared with the first), tables (`cells`), and what to measure.

    Without `measures` those of the standard report are counted; with `cards` the cards are tracked instead. `games` of
    each arm are played at each table, or fewer if all `asked.margins` are decided earlier. `grids` are arms with
    ranges; after spreading, `arms` contains their points. `wishes` and `skill` are what a file asks for tracking cards
    and for comparing bots; both need further planning before they can be played.
    """

    arms: tuple[Arm, ...]
    cells: tuple[Cell, ...]
    run: int = 1
    measures: tuple[str, ...] = ()
    asked: Question = field(default_factory=Question)
    games: int = 1000
    grids: tuple[SweepGrid, ...] = ()
    cards: CardPlan | None = None
    wishes: CardWishes | None = None
    skill: SkillWork | None = None

    def to_data(self) -> dict[str, Any]:
        """Return plain values that identify the games. Experiments with equal values can share games."""
        arms = {arm.name: arm.to_data() for arm in self.arms}
        told = {"arms": arms, "base": self.arms[0].name, "run": self.run, "measures": list(self.measures)}
        told |= {"cards": self.cards.to_data()} if self.cards is not None else {}
        return told | ({"grids": [grid.to_data() for grid in self.grids]} if self.grids else {})


@dataclass(frozen=True, slots=True)
class Limit:
    """When to stop playing: after `games` of each arm at each table, or earlier.

    `until`: as soon as each share is known to this half width (0.005 is half a point); 0 disables it. `decided`: as
    soon as every margin has a verdict. `met`: as soon as the first arm that meets all aims is known and all before it
    miss some, each with this confidence; 0 disables it. All three look at results early, and so use confidence
    sequences (intervals that hold at every look). `pace`: slow bots play this many times fewer games, or 0 for as many.
    """

    games: int
    until: float = 0.0
    decided: bool = False
    met: float = 0.0
    pace: int = 0

    def count_games(self, cell: Cell) -> int:
        """Return the number of games of each arm at a table."""
        return max(1, self.games // max(1, *(self.pace * _PACE.get(bot, 0) for bot in cell.bots)))

    @property
    def looks_early(self) -> bool:
        """True if results are examined before the end."""
        return bool(self.until or self.decided or self.met)

    @property
    def planned_games(self) -> int:
        """Expected number of games, for which confidence sequences are made narrowest."""
        return min(self.games, ceil((_LOOKING / 2 / self.until) ** 2)) if self.until else self.games

    def is_reached(self, result: Result, cells: tuple[Cell, ...]) -> bool:
        """Return True if aims or precision are reached, so that play may stop: only at multiples of ROUND games."""
        games = {result.count_games(cell) for cell in cells}
        if len(games) > 1 or not _is_look(games.pop()):
            return False
        if self.met and is_settled(judge_arms(result, cells, self.met).values()):
            return True
        near = bool(self.until) and widest_half(result, cells) <= self.until
        return near or (self.decided and bool(result.asked.margins) and are_margins_decided(result, cells))


def _is_look(games: int) -> bool:
    """Return True if results are examined after so many games: 1 to 8 times ROUND, then at ever larger steps."""
    rounds, rest = divmod(games, ROUND)
    return not rest and rounds > 0 and not rounds & ((1 << max(0, rounds.bit_length() - 3)) - 1)


def drop_unplayable(experiment: Experiment, setup: Setup) -> tuple[Experiment, Setup]:
    """Drop points of grids that can't be played. Return the rest of the experiment, whose grids store the reasons.

    Return also the setup for it. Raise ProblemsFound with the problems of other arms, or if a grid has no point left.
    """
    faults = setup.find_faults(experiment.cells)
    if not faults:
        return experiment, setup
    points = {name for grid in experiment.grids for name in grid.arms} - {experiment.arms[0].name}
    lost: dict[str, str] = {}
    for name, problem in faults:
        lost.setdefault(name, str(Problem(None, problem.what.removeprefix(f"arm '{name}': "), problem.hint)))
    kept = tuple(arm for arm in experiment.arms if arm.name not in lost)
    left = {arm.name for arm in kept[1:]}
    if lost.keys() - points or any(not left & set(grid.arms) for grid in experiment.grids):
        raise ProblemsFound(problem for _, problem in faults)
    grids = tuple(
        replace(grid, missing={name: why for name, why in lost.items() if name in grid.arms})
        for grid in experiment.grids
    )
    return replace(experiment, arms=kept, grids=grids), replace(setup, arms=kept)


def make_reading_arms(game: Game, rules: Rules, ids: tuple[str, ...] = ()) -> tuple[Arm, ...]:
    """Return the unchanged game, and an arm for each alternative reading of an unclear rule that can be played.

    With `ids`, only for these entries. Raise ProblemsFound for those that are unknown or have no other reading.
    """
    switched = [one.id for one in game.readings.values() if one.switch]
    problems = []
    for name in dict.fromkeys(ids):
        if name not in switched:
            what = "has no switch" if name in game.readings else f"is not a reading of {game.id}"
            problems.append(Problem(None, f"{name} {what}", did_you_mean(name, switched)))
    raise_problems(problems)
    arms = (
        Arm(f"{reading.id} {format_value(value)}", {reading.id: value}, place=reading.place)
        for reading, value in iter_other_choices(game, rules)
        if not ids or reading.id in ids
    )
    return (Arm(AS_IT_IS), *arms)


def make_strategy_arms(game: Game, rules: Rules, names: tuple[str, ...] = ()) -> tuple[Arm, ...]:
    """Return the unchanged game, and an arm for each strategy of the data. Raise ProblemsFound for unknown names.

    With `names`, only for these. Raise it also for unknown bots and for a game without strategies.
    """
    problems = [
        Problem(None, f"{game.id} has no strategy '{name}'", did_you_mean(name, game.strategies))
        for name in names
        if name not in game.strategies
    ]
    if not game.strategies:
        problems = [Problem(None, f"{game.id} has no strategies", "write some under `strategies`: pnp guide lab")]
    arms = [Arm(AS_IT_IS)]
    for name, one in game.strategies.items():
        try:
            find_bot(one.bot, rules)
        except ValueError as error:
            problems.append(Problem(game.places.place("strategies", name, "bot"), str(error)))
        if not names or name in names:
            sentence = one.name["en"] if "en" in game.languages else one.name[game.languages[0]]
            arms.append(Arm(name, place=one.place, strategy=Strategy(sentence, one.prefer, one.avoid, one.bot)))
    raise_problems(problems)
    return tuple(arms)


def begin_result(experiment: Experiment, game: Game, rules: Rules, stamps: Mapping[str, str]) -> Result:
    """Return an empty result for the experiment. Raise ProblemsFound for an invalid number of players.

    `stamps` are hashes of data, rules and program, so that results with other inputs are not mixed.
    """
    measures: dict[str, GameMeasure] = {}
    for cell in experiment.cells:
        measures |= _table_measures(experiment, game, rules, cell)
    about = {"game": game.id, "draft": game.draft, "experiment": experiment.to_data(), **stamps}
    key = sha256(dumps(about, sort_keys=True, ensure_ascii=False).encode()).hexdigest()
    whole = {name: measure.whole for name, measure in measures.items()}
    shares = frozenset(name for name, measure in measures.items() if measure.share)
    return Result(about, key, tuple(arm.name for arm in experiment.arms), whole, shares, asked=experiment.asked)


def name_course_measures(players: tuple[int, ...], game: Game, rules: Rules) -> tuple[str, ...]:
    """Return the names of the standard measures and of those taken during games, for these numbers of players."""
    found: dict[str, None] = {}
    for number in players:
        box = rules.box(game, number, {})
        leads = LEADS if number > 1 else ()
        scores = [f"{which} score: {step}" for which in ("best", "worst")[:number] for step in STEPS]
        found |= dict.fromkeys((*name_standard_measures(rules, box), *leads, *scores))
    return tuple(found)


def _table_measures(experiment: Experiment, game: Game, rules: Rules, cell: Cell) -> dict[str, GameMeasure]:
    """Return the measures of a table by name. Broken laws are always counted, because they invalidate the figures."""
    box = rules.box(game, cell.players, {})
    if experiment.cards is not None:
        return make_card_measures(box)
    known = make_measures(rules, box)
    names = (*(experiment.measures or name_standard_measures(rules, box)), BROKEN)
    return {name: known[name] for name in names if name in known}


def play_experiment(
    experiment: Experiment, game: Game, rules: Rules, setup: Setup, result: Result, limit: Limit, crew: Crew
) -> Iterator[tuple[int, int]]:
    """Play the missing games and add them to `result`. After each chunk yield the chunks done and their total.

    The result is valid at any time, so play may stop anywhere and continue later.
    """
    names = tuple(arm.name for arm in experiment.arms)
    work: list[Chunk] = []
    for cell in experiment.cells:
        measures = tuple(_table_measures(experiment, game, rules, cell))
        work += split_chunks(cell, names, measures, experiment.run, limit.count_games(cell), result.count_games(cell))
    work.sort(key=lambda chunk: chunk.first // ROUND)
    early = limit.looks_early
    if early:
        result.looked = result.looked or limit.planned_games
    if early and limit.is_reached(result, experiment.cells):
        return
    for number, sums in enumerate(play_chunks(setup, result.key, work, crew), 1):
        result.join(work[number - 1].cell, sums)
        yield number, len(work)
        if early and limit.is_reached(result, experiment.cells):
            return


SAVED_EVERY = 60.0
"""Seconds between saves of the games played so far."""


_Filed = TypeVar("_Filed", Result, SkillResult, SolvedDeals)


def read_result_text(path: Path) -> str:
    """Return the text of a result's file. Raise ProblemsFound if it can't be read."""
    with locate_fault(Place(str(path))):
        return read_file(path, "result").decode("utf-8", "replace")


def continue_result(fresh: _Filed, target: Path, opened: Callable[[Path], _Filed], *, anew: bool) -> _Filed:
    """Return the result stored at `target` if it has the key of `fresh`, else `fresh`. Rename a different result.

    With `anew`, return `fresh` anyway. Raise ProblemsFound, from `opened`, if the file is no result; it stays as it is.
    """
    if not target.is_file():
        return fresh
    known = opened(target)
    if known.key != fresh.key:
        aside, again = (target.with_name(f"{target.stem}.{one.key[:8]}{target.suffix}") for one in (known, fresh))
        deliver_file(aside, known.to_text().encode())
        known = opened(again) if again.is_file() else fresh
    return fresh if anew or known.key != fresh.key else known


def play_to_file(
    target: Path,
    result: Result | SkillResult | SolvedDeals,
    steps: Iterable[tuple[int, int]],
    seconds: float,
    progress: Callable[[int, int, float], None],
) -> bool:
    """Run the steps that fill the result and save it, until they end or time is up (0 for no limit).

    Steps yield how many are done, and their total. The progress function receives these and the elapsed seconds. Return
    True if Ctrl+C stopped it; the games played are saved in any case. Raise ProblemsFound before any step if the file
    can't be written.
    """
    with open_delivery() as files:
        files.put(target, result.to_text().encode())
    started = saved = monotonic()
    try:
        for done, whole in steps:
            now = monotonic()
            progress(done, whole, now - started)
            if seconds and now - started > seconds:
                break
            if now - saved > SAVED_EVERY:
                deliver_file(target, result.to_text().encode())
                saved = now
    except KeyboardInterrupt:
        return True
    finally:
        if not result.empty:
            deliver_file(target, result.to_text().encode())
    return False


def estimate_seconds_left(done: int, whole: int, passed: float, seconds: float) -> float:
    """Return the estimated seconds left if `done` of `whole` took `passed`; at most the rest of `seconds` (0: any)."""
    left = passed / done * (whole - done)
    return max(0.0, min(left, seconds - passed) if seconds else left)
