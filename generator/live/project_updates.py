"""Project updates: games are read, drawn and checked again soon after somebody types."""

import gc
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from threading import Condition

from generator.base.errors import Problem, ProblemsFound
from generator.checks.check_report import format_check_line
from generator.commands.rulebook import check_books
from generator.live.editor_project import OpenProject
from generator.live.file_watch import ChangeScope
from generator.live.game_show import Show
from generator.live.show_views import run_show_checks

QUIET_SECONDS = 0.15
"""Seconds without a change before a game is read: fast typing is not interrupted by half words."""

REST_SECONDS = 1.0
"""Seconds without a change before checks and books, which take longer."""


@dataclass(frozen=True, slots=True)
class EditorProblem:
    """A message about a game: a problem, or the result of a check (by its id), which may be a finding."""

    problem: Problem
    check: str = ""
    finding: bool = False


PublishProblems = Callable[[OpenProject, str, tuple[EditorProblem, ...]], None]
"""Gets all messages about a game, each time from scratch."""


class ProjectUpdater:
    """Reads, draws and checks the latest state of what changes. `run` needs a thread of its own.

    `failed` gets errors of the program itself; the work then continues with the next change. `quiet` and `rest` are in
    seconds.
    """

    def __init__(
        self,
        tell: PublishProblems,
        failed: Callable[[Exception], None],
        quiet: float = QUIET_SECONDS,
        rest: float = REST_SECONDS,
    ):
        self._tell, self._failed = tell, failed
        self._quiet, self._rest = quiet, rest
        self._change = Condition()
        self._stopped = False
        self._since = 0.0
        self._pending: dict[tuple[OpenProject, str], ChangeScope] = {}
        self._unchecked: dict[tuple[OpenProject, str], Show] = {}

    def note_change(self, project: OpenProject, game: str, scope: ChangeScope) -> None:
        """Note that a file of a game has changed."""
        with self._change:
            known = self._pending.get((project, game), scope)
            self._pending[project, game] = ChangeScope(
                known.games | scope.games,
                known.everything or scope.everything,
                known.data or scope.data,
                known.templates or scope.templates,
                known.fonts or scope.fonts,
            )
            self._since = time.monotonic()
            self._change.notify_all()

    def stop(self) -> None:
        """End `run`."""
        with self._change:
            self._stopped = True
            self._change.notify_all()

    def run(self) -> None:
        """Run all jobs until `stop`."""
        while not self._stopped:
            try:
                for _ in self._do_next_job():
                    pass
            except Exception as error:  # noqa: BLE001 - an editor must not lose its server; it is told
                self._failed(error)

    def _do_next_job(self) -> Iterator[None]:
        """Wait for the next job, and do it step by step."""
        job = self._wait_for_job()
        if job is None:
            return
        (project, name), what = job
        with project.turns.take_now():
            show = project.read_game(name, what)
        self._unchecked.pop((project, name), None)
        self._tell(project, name, _list_problems(show))
        yield
        if self._draw_faces(project, show):
            self._tell(project, name, _list_problems(show))
            self._unchecked[project, name] = show
            gc.collect()  # Python doesn't do it by itself: the program's other runs are short

    def _wait_for_job(self) -> tuple[tuple[OpenProject, str], ChangeScope] | None:
        """Return the next changed game once typing stops, or None after doing something else."""
        with self._change:
            while not self._stopped:
                quiet = time.monotonic() - self._since
                if self._pending and quiet >= self._quiet:
                    key = next(iter(self._pending))
                    return key, self._pending.pop(key)
                if not self._pending and self._unchecked and quiet >= self._rest:
                    break
                waits = self._quiet - quiet if self._pending else self._rest - quiet if self._unchecked else None
                self._change.wait(waits)
        if not self._stopped:
            key = next(iter(self._unchecked))
            self._check_game(*key, self._unchecked.pop(key))
        return None

    def _draw_faces(self, project: OpenProject, show: Show) -> bool:
        """Draw every face. Return False if something changed before the end."""
        while not show.is_stale and not self._stopped:
            with self._change:
                if self._pending:
                    self._pending.setdefault((project, show.name), ChangeScope(frozenset()))  # draw the rest then
                    return False
            with project.turns.take_when_idle():
                key = show.next_ahead()
                if key is None:
                    return True
                show.peek_picture(key)
        return False

    def _check_game(self, project: OpenProject, name: str, show: Show) -> None:
        """Report the results of `pnp validate` without playing."""
        if show.workshop is None or show.is_stale:
            return
        told = list(_list_problems(show))
        for look in (run_show_checks, check_books):
            with project.turns.take_when_idle():
                try:
                    told += (
                        EditorProblem(
                            Problem(check.place, format_check_line(check)), check.id, check.status == "finding"
                        )
                        for check in look(project.project, show.workshop, trusted=False)
                        if check.status in ("fail", "finding")
                    )
                except ProblemsFound as found:
                    told += [EditorProblem(problem) for problem in found.problems]
            if self._pending:
                self._unchecked[project, name] = show  # after the next rest
                return
        self._tell(project, name, tuple(dict.fromkeys(told)))


def _list_problems(show: Show) -> tuple[EditorProblem, ...]:
    return tuple(EditorProblem(problem) for problem in show.problems)
