"""Project updates: reads, draws and checks a game again shortly after somebody typed in an editor."""

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
"""A game is read after this time without typing (seconds), so that half-typed words don't count."""

REST_SECONDS = 1.0
"""Checks and books, which take longer, run after this time without typing (seconds)."""


@dataclass(frozen=True, slots=True)
class EditorProblem:
    """A message about a game for an editor: a problem, or a failed check (its id); `finding`: a known disagreement."""

    problem: Problem
    check: str = ""
    finding: bool = False


PublishProblems = Callable[[OpenProject, str, tuple[EditorProblem, ...]], None]
"""Receives all current messages about a game; they replace all earlier ones."""


class ProjectUpdater:
    """Reads, draws and checks changed games. `run` needs a thread of its own.

    `failed` gets unexpected exceptions; the work then continues with the next change. `quiet` and `rest` are in
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
        """Record that a file of a game has changed."""
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
        """Do the work after each change until `stop` is called."""
        while not self._stopped:
            try:
                for _ in self._do_next_job():
                    pass
            except Exception as error:  # noqa: BLE001 - an editor must not lose its server; it is told
                self._failed(error)

    def _do_next_job(self) -> Iterator[None]:
        """Wait for the next change; yield after each step of the work that it requires."""
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
        """Return the next changed game once typing stops. If none is left, check a game and return None."""
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
        """Draw every face. Return False if that was interrupted by a change."""
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
        """Report the results of `pnp validate`, except checks that play games."""
        if show.workshop is None or show.is_stale:
            return
        told = list(_list_problems(show))
        for look in (run_show_checks, check_books):
            with project.turns.take_when_idle():
                try:
                    for check in look(project.project, show.workshop, trusted=False):
                        if check.status in ("fail", "finding"):
                            problem = Problem(check.place, format_check_line(check))
                            told.append(EditorProblem(problem, check.id, check.status == "finding"))
                except ProblemsFound as found:
                    told += [EditorProblem(problem) for problem in found.problems]
            if self._pending:
                self._unchecked[project, name] = show  # after the next rest
                return
        self._tell(project, name, tuple(dict.fromkeys(told)))


def _list_problems(show: Show) -> tuple[EditorProblem, ...]:
    return tuple(EditorProblem(problem) for problem in show.problems)
