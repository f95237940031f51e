"""The print sheets of games alone; and what every command that prints goes through."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from generator.cache.store import Store
from generator.checks.record import Check
from generator.commands.at_once import make_at_once
from generator.commands.every_game import load_games
from generator.commands.in_passing import too_many_faces, write_in_passing
from generator.commands.printing import (
    Order,
    PrintLook,
    Progress,
    idle_options,
    one_language_notes,
    unmade_editions,
    write_sheets,
)
from generator.commands.unchanged import unless_kept
from generator.delivery import Delivery
from generator.errors import Problem
from generator.faces.workshop import Workshop
from generator.load.project import Project
from generator.model.game import Game


@dataclass(frozen=True, slots=True)
class Build:
    """The files of a build, the checks that failed, and what else the user should know."""

    files: tuple[Path, ...]
    failed: tuple[Check, ...] = ()
    notes: tuple[str, ...] = ()


class Printed(NamedTuple):
    """What is known of a printed game beside its files: its editions, checks that failed, what else to say."""

    editions: tuple[str, ...]
    failed: tuple[Check, ...] = ()
    notes: tuple[str, ...] = ()


def sheets(
    project: Project,
    names: tuple[str, ...],
    order: Order,
    progress: Progress,
    store: Store | None = None,
    processes: int = 1,
) -> Build:
    """The games' print sheets alone."""
    return printed_games(project, names, order, progress, partial(_sheets, order), store, processes)


def _sheets(order: Order, progress: Progress, workshop: Workshop, files: Delivery) -> Printed:
    def make() -> Printed:
        written = write_in_passing if too_many_faces(workshop, order) else write_sheets
        printed = tuple(written(workshop, order, files, progress))
        return Printed(printed, notes=one_language_notes(workshop, order, printed))

    return unless_kept(workshop, files, order.out, order_key("sheets", order), make, Printed)


def order_key(what: str, order: Order, *more: Any) -> tuple[Any, ...] | None:
    """What files of an order rest on beside their game; None where the order's look has functions of its own."""
    return (what, replace(order, out=Path()), *more) if order.look == PrintLook() else None


def printed_games(
    project: Project,
    names: tuple[str, ...],
    order: Order,
    progress: Progress,
    make: Callable[[Progress, Workshop, Delivery], Printed],
    store: Store | None,
    processes: int,
) -> Build:
    """What the order asks for, of every game that it picks something of."""
    games, problems = load_games(project, names)
    failed: list[Check] = []
    notes: list[str] = []

    def finish(all_printed: list[Printed]) -> Iterable[Problem]:
        progress("")
        failed.extend(check for printed in all_printed for check in printed.failed)
        notes.extend(note for printed in all_printed for note in printed.notes)
        return unmade_editions(games, order, frozenset(name for printed in all_printed for name in printed.editions))

    made = partial(make, progress_for(games, progress, processes))
    files = make_at_once(
        project, games, [*problems, *idle_options(games, order)], made, finish, order.out, store, processes
    )
    return Build(files, tuple(failed), tuple(notes))


def progress_for(games: Sequence[Game], progress: Progress, processes: int) -> Progress:
    """Who is told what is being made of one game: nobody, where several are made at a time."""
    if processes <= 1 or len(games) <= 1:
        return progress
    progress(f"{len(games)} games")
    return _silent


def _silent(_doing: str) -> None:
    """The progress of several games at a time: their lines would be one over the other."""
