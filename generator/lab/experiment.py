"""What an experiment asks, and how it is carried out: arms, who plays, what is measured, how many games."""

from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from json import dumps
from typing import Any, TypeAlias

from generator.dataclass import dataclass
from generator.games.engine.contract import Rules
from generator.games.engine.settings import data_text
from generator.lab.arms import Arm
from generator.lab.chunks import Cell, Chunk, Setup, chunks_of
from generator.lab.executors import Crew, play_all
from generator.lab.measures import Measure, measures_of, standard_measures
from generator.lab.results import Result
from generator.model.game import Game

AS_IT_IS = "as it is"
"""The arm that changes nothing."""

Heard: TypeAlias = Callable[[int, int], None]
"""Hears how many chunks are done, of how many."""


@dataclass(frozen=True, slots=True)
class Experiment:
    """Arms, the first of which is what the others are held against; one table for each of `cells`; what is measured.

    Without `measures` those of the standard report.
    """

    arms: tuple[Arm, ...]
    cells: tuple[Cell, ...]
    run: int = 1
    measures: tuple[str, ...] = ()

    def about(self) -> dict[str, Any]:
        """What is asked, in plain values."""
        arms = {arm.name: {"readings": dict(arm.readings), "values": dict(arm.values)} for arm in self.arms}
        return {"arms": arms, "run": self.run}


def readings_in_question(game: Game, rules: Rules, ids: tuple[str, ...] = ()) -> tuple[Arm, ...]:
    """The game as it is, and an arm for each other way to read a passage that can be played."""
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
    """A result without games yet; ProblemsFound for arms that can't be played. `stamps` are the hashes it rests on."""
    measures = known_measures(experiment, game, rules)
    about = {"game": game.id, "draft": game.draft, "experiment": experiment.about(), **stamps}
    key = sha256(dumps(about, sort_keys=True, ensure_ascii=False).encode()).hexdigest()
    whole = {name: measure.whole for name, measure in measures.items()}
    shares = frozenset(name for name, measure in measures.items() if measure.share)
    return Result(about, key, tuple(arm.name for arm in experiment.arms), whole, shares)


def known_measures(experiment: Experiment, game: Game, rules: Rules) -> Mapping[str, Measure]:
    """What is measured at any of the tables; a seat that only some have is measured there."""
    found: dict[str, Measure] = {}
    for cell in experiment.cells:
        box = rules.box(game, cell.players, {})
        known = measures_of(rules, box)
        found |= {name: known[name] for name in experiment.measures or standard_measures(rules, box) if name in known}
    return found


def open_arms(experiment: Experiment, setup: Setup) -> None:
    """ProblemsFound with all that is wrong with any arm: each is loaded, and its box is opened, before it is played."""
    setup.player().open_all(experiment.cells)


def play_experiment(
    experiment: Experiment, game: Game, rules: Rules, setup: Setup, result: Result, games: int, crew: Crew
) -> Iterator[tuple[int, int]]:
    """Adds to the result what lacks of so many games of each arm; after each chunk, how many are done, of how many.

    The result is right at any moment, so that one may stop at any, and go on another time.
    """
    names = tuple(arm.name for arm in experiment.arms)
    work: list[Chunk] = []
    for cell in experiment.cells:
        box = rules.box(game, cell.players, {})
        known = measures_of(rules, box)
        measures = tuple(name for name in experiment.measures or standard_measures(rules, box) if name in known)
        work += chunks_of(cell, names, measures, experiment.run, games, result.games(cell))
    work.sort(key=lambda chunk: chunk.first)
    for number, sums in enumerate(play_all(setup, result.key, work, crew), 1):
        result.join(work[number - 1].cell, sums)
        yield number, len(work)
