"""Something made of every game, several games at a time: files, answers and problems come in the order of the games."""

import gc
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from generator.delivery import Delivery, Waiting, delivery
from generator.draw.store import Store
from generator.draw.workshop import Workshop
from generator.errors import Problem, ProblemsFound
from generator.load.game import load_game
from generator.load.project import Project
from generator.model.game import Game

Make = Callable[[Workshop, Delivery], Any]
"""Makes a game's files and answers with what else is to be known of it; with several processes it can be pickled."""


@dataclass(frozen=True, slots=True)
class _Done:
    """What came of one game: files beside their places, the answer (None with problems), problems."""

    waiting: Waiting
    answer: Any
    problems: tuple[Problem, ...] = ()


def make_at_once(
    project: Project,
    games: Sequence[Game],
    problems: list[Problem],
    make: Make,
    finish: Callable[[list[Any]], Iterable[Problem]],
    store: Store | None = None,
    processes: int = 1,
) -> tuple[Path, ...]:
    """Make files of every game; all of them reach their places together, or none does and every problem is said.

    `finish` gets the answers of the games, when none had a problem. What `store` has from earlier runs is not made
    again. The number of processes changes nothing but the time.
    """
    with delivery() as files:
        answers = []
        for done in _each(project, games, make, store, processes, files):
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
    project: Project, games: Sequence[Game], make: Make, store: Store | None, processes: int, files: Delivery
) -> list[_Done]:
    """What came of each game; the files are taken over."""
    if processes <= 1 or len(games) <= 1:
        alone = []
        for game in games:
            alone.append(_made(project, game, make, store))
            files.take_over(alone[-1].waiting)
        return alone
    with ProcessPoolExecutor(min(processes, len(games)), initializer=gc.disable) as pool:
        largest = sorted(games, key=lambda game: -sum(1 for _ in game.designs()))  # the last to end begins first
        begun = {game.id: pool.submit(partial(_afresh, project, make, store), game.id) for game in largest}
        try:
            return [begun[game.id].result() for game in games]
        finally:
            _take_over([begun[game.id] for game in games], files)


def _take_over(begun: Iterable[Future[_Done]], files: Delivery) -> None:
    """Take the files of all that is done, so that none is left behind whatever happens."""
    for future in begun:
        if not future.cancel() and future.exception() is None:
            files.take_over(future.result().waiting)


def _afresh(project: Project, make: Make, store: Store | None, name: str) -> _Done:
    """In another process: the game is loaded there."""
    try:
        game = load_game(project.folder(name), project.resources)
    except ProblemsFound as found:
        return _Done((), None, tuple(found.problems))
    return _made(project, game, make, store)


def _made(project: Project, game: Game, make: Make, store: Store | None) -> _Done:
    with delivery() as files:
        workshop = Workshop(game, project.resources, store=store)
        try:
            answer, problems = make(workshop, files), tuple[Problem, ...]()
        except ProblemsFound as found:
            answer, problems = None, tuple(found.problems)
        workshop.keep()
        return _Done(files.release(), answer, problems)
