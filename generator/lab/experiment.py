"""An experiment: arms, tables, measures, limits; how it is played and kept in a file that grows."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field, replace
from hashlib import sha256
from json import dumps
from math import ceil
from pathlib import Path
from time import monotonic
from typing import Any, Protocol, TypeVar

from generator.base.dataclass import dataclass
from generator.base.errors import Place, Problem, ProblemsFound, Unfit, did_you_mean
from generator.base.files import read_file
from generator.base.output_files import delivery
from generator.game.model import Game
from generator.lab.arms import Arm
from generator.lab.card_records import CardPlan, CardWishes, measures_of_cards
from generator.lab.chunks import ROUND, Cell, Chunk, Crew, Setup, chunks_of, play_all
from generator.lab.findings import decided, settled, verdicts_of, widest
from generator.lab.measures import BROKEN, GameMeasure, course_measures, measures_of, standard_measures
from generator.lab.results import Enquiry, Result
from generator.lab.skill_result import SkillWork
from generator.lab.sweeps import SweepGrid, without
from generator.rules.engine.contract import Rules
from generator.rules.engine.settings import data_text

_LOOKING = 3.2
"""So many standard deviations wide is half an interval that holds at every look: those of a share are 0.5 at most."""

AS_IT_IS = "as it is"
"""The arm that changes nothing."""


@dataclass(frozen=True, slots=True)
class Experiment:
    """Arms, the first of which is what the others are held against; one table for each of `cells`; what is measured.

    Without `measures` those of the standard report; with `cards` those of following them instead. `games` of each arm
    are played at each table, or fewer where all `asked.margins` are decided before. `grids` are arms with ranges;
    `arms` has their points once they are spread. `wishes` ask for cards to be followed, `skill` for bots to be held
    against each other, as a file says it; neither is played before it is planned.
    """

    arms: tuple[Arm, ...]
    cells: tuple[Cell, ...]
    run: int = 1
    measures: tuple[str, ...] = ()
    asked: Enquiry = field(default_factory=Enquiry)
    games: int = 1000
    grids: tuple[SweepGrid, ...] = ()
    cards: CardPlan | None = None
    wishes: CardWishes | None = None
    skill: SkillWork | None = None

    def about(self) -> dict[str, Any]:
        """What is played, in plain values: experiments with the same can go on from each other's games."""
        arms = {arm.name: arm.plain() for arm in self.arms}
        told = {"arms": arms, "base": self.arms[0].name, "run": self.run, "measures": list(self.measures)}
        told |= {"cards": self.cards.plain()} if self.cards is not None else {}
        return told | ({"grids": [grid.plain() for grid in self.grids]} if self.grids else {})


@dataclass(frozen=True, slots=True)
class Limit:
    """When to stop: after so many games of each arm at each table, or before.

    `until`: as soon as each share is known to within this half width (0.005: half a point); 0 for never. `decided`: as
    soon as every margin's verdict stands. `met`: as soon as the first arm that meets all aims is known, those before it
    missing some, each with this confidence; 0 for never. All look early, and so by confidence sequences.
    """

    games: int
    until: float = 0.0
    decided: bool = False
    met: float = 0.0

    @property
    def early(self) -> bool:
        """Whether one looks before the end."""
        return bool(self.until or self.decided or self.met)

    @property
    def planned(self) -> int:
        """About so many games will be enough: sequences are narrowest there."""
        return min(self.games, ceil((_LOOKING / 2 / self.until) ** 2)) if self.until else self.games

    def reached(self, result: Result, cells: tuple[Cell, ...]) -> bool:
        """Whether one may stop before all games are played; it is so at the ends of rounds alone, for everybody."""
        games = {result.games(cell) for cell in cells}
        if len(games) > 1 or not _is_look(games.pop()):
            return False
        if self.met and settled(verdicts_of(result, cells, self.met).values()):
            return True
        near = bool(self.until) and widest(result, cells) <= self.until
        return near or (self.decided and bool(result.asked.margins) and decided(result, cells))


def _is_look(games: int) -> bool:
    """Whether one looks after so many games: at rounds 1 to 8, then every fourth of what has been played, about."""
    rounds, rest = divmod(games, ROUND)
    return not rest and rounds > 0 and not rounds & ((1 << max(0, rounds.bit_length() - 3)) - 1)


def playable(experiment: Experiment, setup: Setup) -> tuple[Experiment, Setup]:
    """The experiment without the points of its grids that can't be played, which say why; and its setup.

    ProblemsFound with all that is wrong with other arms, and where a grid has no point left to be held against the
    first arm.
    """
    faults = setup.faults(experiment.cells)
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
    grids = without(experiment.grids, lost)
    return replace(experiment, arms=kept, grids=grids), replace(setup, arms=kept)


def as_it_is() -> tuple[Arm, ...]:
    """The game alone."""
    return (Arm(AS_IT_IS),)


def readings_in_question(game: Game, rules: Rules, ids: tuple[str, ...] = ()) -> tuple[Arm, ...]:
    """The game as it is, and an arm for each other way to read a passage that can be played.

    ProblemsFound for entries that there are not, or that have no other way.
    """
    switched = [one.id for one in game.readings.values() if one.switch]
    unknown = [name for name in ids if name not in switched]
    if unknown:
        what = {name: "has no switch" if name in game.readings else f"is no reading of {game.id}" for name in unknown}
        raise ProblemsFound(
            Problem(None, f"{name} {said}", did_you_mean(name, switched)) for name, said in what.items()
        )
    arms = [Arm(AS_IT_IS)]
    for reading in game.readings.values():
        if not reading.switch or (ids and reading.id not in ids):
            continue
        for value in reading.choices:
            setting = f"{reading.switch}: {data_text(value)}"
            if value != reading.value and setting not in rules.unplayable:
                name = f"{reading.id} {data_text(value)}"
                arms.append(Arm(name, {reading.id: value}, place=reading.place))
    return tuple(arms)


def begin(experiment: Experiment, game: Game, rules: Rules, stamps: Mapping[str, str]) -> Result:
    """A result without games yet; ProblemsFound for a number of players that there can't be.

    `stamps` are the hashes that it rests on.
    """
    measures = known_measures(experiment, game, rules)
    about = {"game": game.id, "draft": game.draft, "experiment": experiment.about(), **stamps}
    key = sha256(dumps(about, sort_keys=True, ensure_ascii=False).encode()).hexdigest()
    whole = {name: measure.whole for name, measure in measures.items()}
    shares = frozenset(name for name, measure in measures.items() if measure.share)
    return Result(about, key, tuple(arm.name for arm in experiment.arms), whole, shares, asked=experiment.asked)


def known_measures(experiment: Experiment, game: Game, rules: Rules) -> Mapping[str, GameMeasure]:
    """What is measured at any of the tables; a seat that only some have is measured there."""
    found: dict[str, GameMeasure] = {}
    for cell in experiment.cells:
        found |= _measured(experiment, game, rules, cell)
    return found


def followed_measures(players: tuple[int, ...], game: Game, rules: Rules) -> tuple[str, ...]:
    """Those of the standard report, and how the games go, for tables of so many players."""
    found: dict[str, None] = {}
    for number in players:
        box = rules.box(game, number, {})
        found |= dict.fromkeys((*standard_measures(rules, box), *course_measures(box)))
    return tuple(found)


def _measured(experiment: Experiment, game: Game, rules: Rules, cell: Cell) -> dict[str, GameMeasure]:
    """What is measured at a table; broken laws always, for then its figures are none."""
    box = rules.box(game, cell.players, {})
    if experiment.cards is not None:
        return measures_of_cards(box)
    known = measures_of(rules, box)
    names = (*(experiment.measures or standard_measures(rules, box)), BROKEN)
    return {name: known[name] for name in names if name in known}


def play_experiment(
    experiment: Experiment, game: Game, rules: Rules, setup: Setup, result: Result, limit: Limit, crew: Crew
) -> Iterator[tuple[int, int]]:
    """Adds to the result what lacks; after each chunk, how many chunks are done, of how many.

    The result is right at any moment, so that one may stop at any, and go on another time.
    """
    names = tuple(arm.name for arm in experiment.arms)
    work: list[Chunk] = []
    for cell in experiment.cells:
        measures = tuple(_measured(experiment, game, rules, cell))
        work += chunks_of(cell, names, measures, experiment.run, limit.games, result.games(cell))
    work.sort(key=lambda chunk: chunk.first // ROUND)
    early = limit.early
    if early:
        result.looked = result.looked or limit.planned
    if early and limit.reached(result, experiment.cells):
        return
    for number, sums in enumerate(play_all(setup, result.key, work, crew), 1):
        result.join(work[number - 1].cell, sums)
        yield number, len(work)
        if early and limit.reached(result, experiment.cells):
            return


SAVED_EVERY = 60.0
"""Seconds after which what has been played is kept, should there be no end."""


class Filed(Protocol):
    """What a file keeps: figures, and the key of the question that they answer."""

    @property
    def key(self) -> str:
        """Equal for results that can go on from each other's games."""

    @property
    def empty(self) -> bool:
        """Whether there is nothing in it yet."""

    def text(self) -> str:
        """All of it, as the file says it."""


_Filed = TypeVar("_Filed", bound=Filed)


def filed_text(path: Path) -> str:
    """Return the text of a result's file; raise ProblemsFound if it can't be read."""
    try:
        return read_file(path, "result").decode("utf-8", "replace")
    except Unfit as unfit:
        raise ProblemsFound([Problem(Place(str(path)), str(unfit), unfit.hint)]) from unfit


def begun(fresh: _Filed, target: Path, opened: Callable[[Path], _Filed], *, anew: bool) -> _Filed:
    """What the file has of the same question, else the fresh result; what it has of another gets a name of its own.

    ProblemsFound, from `opened`, for a file that is no such result: nobody's file is written over.
    """
    if not target.is_file():
        return fresh
    known = opened(target)
    if known.key != fresh.key:
        _write(known, _aside(known, target))
        again = _aside(fresh, target)
        known = opened(again) if again.is_file() else fresh
    return fresh if anew or known.key != fresh.key else known


def play_into(
    target: Path,
    kept: Filed,
    steps: Iterable[tuple[int, int]],
    seconds: float,
    told: Callable[[int, int, float], None],
) -> bool:
    """Goes through the steps that fill what is kept, until there are no more or time is up (0: there is no such time).

    Steps say how many are done, of how many; `told` hears that, and how many seconds they have taken. Whether Ctrl+C
    has stopped it; what was played is kept then, too, and whatever else happens. ProblemsFound, before any step, where
    the place can't be written to.
    """
    with delivery() as files:
        files.put(target, kept.text().encode())
    started = saved = monotonic()
    try:
        for done, whole in steps:
            now = monotonic()
            told(done, whole, now - started)
            if seconds and now - started > seconds:
                break
            if now - saved > SAVED_EVERY:
                _write(kept, target)
                saved = now
    except KeyboardInterrupt:
        return True
    finally:
        if not kept.empty:
            _write(kept, target)
    return False


def seconds_left(done: int, whole: int, passed: float, seconds: float) -> float:
    """How long the rest will take about, if it takes as long as what is done; no longer than there is time."""
    left = passed / done * (whole - done)
    return max(0.0, min(left, seconds - passed) if seconds else left)


def _aside(kept: Filed, target: Path) -> Path:
    """Where a result goes when another takes its place."""
    return target.with_name(f"{target.stem}.{kept.key[:8]}{target.suffix}")


def _write(kept: Filed, target: Path) -> None:
    with delivery() as files:
        files.put(target, kept.text().encode())
        files.hand_over()
