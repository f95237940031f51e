"""Loading the games that were asked for and doing something with each: every problem is said, files arrive together."""

import gc
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from generator.cache.store import Store
from generator.delivery import Delivery, delivery
from generator.errors import Problem, ProblemsFound
from generator.faces.workshop import Workshop
from generator.load.game import load_game
from generator.load.project import Project
from generator.model.edition import second_language
from generator.model.game import Game


def load_games(project: Project, names: tuple[str, ...]) -> tuple[list[Game], list[Problem]]:
    """The games of these names (all if none is given) that could be loaded, and what is wrong with the others."""
    games: list[Game] = []
    problems: list[Problem] = []
    for name in project.choose(names):
        try:
            games.append(load_game(project.folder(name), project.resources))
        except ProblemsFound as found:
            problems += found.problems
    return games, problems


@contextmanager
def one_by_one(number: int) -> Iterator[Callable[[], None]]:
    """Games done one after another: what it yields is called after each, and gives back what that one has taken.

    Python has been told not to look for garbage by itself, as one game has next to none before it is done. What was
    there at the beginning is not looked through each time.
    """
    if number < 2:
        yield lambda: None
        return
    gc.freeze()
    try:
        yield _look_for_garbage
    finally:
        gc.unfreeze()


def _look_for_garbage() -> None:
    gc.collect()


def pairs_refused(languages: Iterable[str], what: str) -> Iterable[Problem]:
    """A problem for each pair of languages (`ja+en`), for files that are made in one language each."""
    for edition in languages:
        if second_language(edition):
            first, second = edition.split("+", 1)
            hint = f"write --lang {first} --lang {second} for one of each"
            yield Problem(None, f"--lang {edition}: {what} are in one language each", hint)


def make_files(
    project: Project,
    games: Iterable[Game],
    problems: list[Problem],
    make: Callable[[Workshop, Delivery], None],
    finish: Callable[[], Iterable[Problem]] = tuple,
    store: Store | None = None,
) -> tuple[Path, ...]:
    """Do something with every game; all files reach their places together, or none does and every problem is said.

    What `store` has from earlier runs is not drawn again.
    """
    chosen = list(games)
    with delivery() as files, one_by_one(len(chosen)) as done:
        for game in chosen:
            workshop = Workshop(game, project.resources, store=store)
            try:
                make(workshop, files)
            except ProblemsFound as found:
                problems += found.problems
            workshop.keep()
            del workshop
            done()
        if store is not None:
            store.tidy()
        if not problems:
            problems += finish()
        if problems:
            raise ProblemsFound(problems)
        return files.hand_over()
