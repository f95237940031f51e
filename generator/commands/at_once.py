"""Something made of every game, several games at a time: files, answers and problems come in the order of the games."""

import gc
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from generator.cache.store import Store
from generator.commands.every_game import one_by_one
from generator.delivery import Delivery, Trays, Waiting, delivery
from generator.errors import Problem, ProblemsFound
from generator.faces.workshop import Workshop
from generator.load.game import load_game
from generator.load.project import Project
from generator.model.game import Game
from generator.processes import helpers

Make = Callable[[Workshop, Delivery], Any]
"""Makes a game's files and answers with what else is to be known of it; with several processes it can be pickled."""


@dataclass(frozen=True, slots=True)
class _Done:
    """What came of one game: files (None where it can't be loaded), the answer (None with problems), problems."""

    waiting: Waiting | None
    answer: Any
    problems: tuple[Problem, ...] = ()


def make_at_once(
    project: Project,
    games: Sequence[Game],
    problems: list[Problem],
    make: Make,
    finish: Callable[[list[Any]], Iterable[Problem]],
    home: Path,
    store: Store | None = None,
    processes: int = 1,
) -> tuple[Path, ...]:
    """Make files of every game; all of them reach their places together, or none does and every problem is said.

    `finish` gets the answers of the games, when none had a problem. What `store` has from earlier runs is not made
    again. The number of processes changes nothing but the time. `home` is the folder that all files are to lie below.
    """
    with delivery() as files:
        answers = []
        for done in _each(project, games, make, store, processes, files, home):
            problems += done.problems
            answers.append(done.answer)
        if store is not None:
            store.tidy()
        if not problems:
            problems += finish(answers)
        if problems:
            raise ProblemsFound(problems)
        return files.hand_over()


def _each(
    project: Project,
    games: Sequence[Game],
    make: Make,
    store: Store | None,
    processes: int,
    files: Delivery,
    home: Path,
) -> list[_Done]:
    """What came of each game; the files are taken over."""
    settled = files.settled(home)
    if processes <= 1 or len(games) <= 1 or not settled:
        alone = []
        with one_by_one(len(games)) as done:
            for game in games:
                alone.append(_made(project, game, make, store, files.trays))
                _take(alone[-1], files)
                done()
        return alone
    with helpers(min(processes, len(games)), _begin) as pool:
        largest = sorted(games, key=lambda game: -sum(1 for _ in game.designs()))  # the last to end begins first
        begun = {game.id: pool.submit(partial(_afresh, project, make, store, files.trays), game.id) for game in largest}
        try:
            return [begun[game.id].result() for game in games]
        finally:
            _take_over([begun[game.id] for game in games], files)


def _take_over(begun: Iterable[Future[_Done]], files: Delivery) -> None:
    """Take the files of all that is done, so that none is left behind whatever happens."""
    for future in begun:
        if not future.cancel() and future.exception() is None:
            _take(future.result(), files)


def _take(done: _Done, files: Delivery) -> None:
    if done.waiting is not None:
        files.take_over(done.waiting)


def _begin() -> None:
    """In another process: garbage is looked for after each game, and not among what was there before."""
    gc.disable()
    gc.freeze()


def _afresh(project: Project, make: Make, store: Store | None, trays: Trays, name: str) -> _Done:
    """In another process: the game is loaded there."""
    try:
        game = load_game(project.folder(name), project.resources)
    except ProblemsFound as found:
        return _Done(None, None, tuple(found.problems))
    done = _made(project, game, make, store, trays)
    del game
    gc.collect()
    return done


def _made(project: Project, game: Game, make: Make, store: Store | None, trays: Trays) -> _Done:
    with delivery(trays) as files:
        workshop = Workshop(game, project.resources, store=store)
        try:
            answer, problems = make(workshop, files), tuple[Problem, ...]()
        except ProblemsFound as found:
            answer, problems = None, tuple(found.problems)
        workshop.keep()
        return _Done(files.release(), answer, problems)
