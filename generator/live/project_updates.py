"""Project updates: games are read, drawn and checked again soon after somebody types."""

import gc
import time
from collections.abc import Callable, Iterator
from threading import Condition

from generator.base.dataclass import dataclass
from generator.base.errors import Problem, ProblemsFound
from generator.checks.check_report import Check, check_line
from generator.commands.rulebook import book_checks
from generator.live.editor_project import OpenProject
from generator.live.file_watch import Touched
from generator.live.game_show import Show
from generator.live.show_views import findings_of

QUIET = 0.15
"""Seconds without a change before a game is read: fast typing is not interrupted by half words."""

REST = 1.0
"""Seconds without a change before checks and books, which take longer."""


@dataclass(frozen=True, slots=True)
class ToldOf:
    """A message about a game: a problem, or the result of a check (by its id), which may be a finding."""

    problem: Problem
    check: str = ""
    finding: bool = False


Tell = Callable[[OpenProject, str, tuple[ToldOf, ...]], None]
"""Gets all messages about a game, each time from scratch."""


class Upkeep:
    """Reads, draws and checks the latest state of what changes. `run` needs a thread of its own.

    `failed` gets errors of the program itself; the work then continues with the next change. `quiet` and `rest` are in
    seconds.
    """

    def __init__(self, tell: Tell, failed: Callable[[Exception], None], quiet: float = QUIET, rest: float = REST):
        self._tell, self._failed = tell, failed
        self._quiet, self._rest = quiet, rest
        self._change = Condition()
        self._stopped = False
        self._since = 0.0
        self._pending: dict[tuple[OpenProject, str], Touched] = {}
        self._unchecked: dict[tuple[OpenProject, str], Show] = {}

    def note(self, project: OpenProject, game: str, what: Touched) -> None:
        """Note that a file of a game has changed."""
        with self._change:
            known = self._pending.get((project, game), what)
            self._pending[project, game] = Touched(
                known.games | what.games,
                known.everything or what.everything,
                known.data or what.data,
                known.templates or what.templates,
                known.fonts or what.fonts,
            )
            self._since = time.monotonic()
            self._change.notify_all()

    def stop(self) -> None:
        """End `run`."""
        with self._change:
            self._stopped = True
            self._change.notify_all()

    def run(self) -> None:
        """Do all jobs until `stop`."""
        while not self._stopped:
            try:
                for _ in self._work():
                    pass
            except Exception as error:  # noqa: BLE001 - an editor must not lose its server; it is told
                self._failed(error)

    def _work(self) -> Iterator[None]:
        """Wait for the next job, and do it step by step."""
        job = self._wait()
        if job is None:
            return
        (project, name), what = job
        with project.turns.asked():
            show = project.read(name, what)
        self._unchecked.pop((project, name), None)
        self._tell(project, name, _problems(show))
        yield
        if self._drawn(project, show):
            self._tell(project, name, _problems(show))
            self._unchecked[project, name] = show
            gc.collect()  # Python doesn't do it by itself: the program's other runs are short

    def _wait(self) -> tuple[tuple[OpenProject, str], Touched] | None:
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
            self._check(*key, self._unchecked.pop(key))
        return None

    def _drawn(self, project: OpenProject, show: Show) -> bool:
        """Draw every face. Return False if something changed before the end."""
        while not show.stale and not self._stopped:
            with self._change:
                if self._pending:
                    self._pending.setdefault((project, show.name), Touched(frozenset()))  # draw the rest then
                    return False
            with project.turns.ahead():
                key = show.next_ahead()
                if key is None:
                    return True
                show.look_ahead(key)
        return False

    def _check(self, project: OpenProject, name: str, show: Show) -> None:
        """Report the results of `pnp validate` without playing."""
        if show.workshop is None or show.stale:
            return
        told = list(_problems(show))
        for look in (findings_of, book_checks):
            with project.turns.ahead():
                try:
                    told += _iter_check_news(look(project.project, show.workshop, trusted=False))
                except ProblemsFound as found:
                    told += [ToldOf(problem) for problem in found.problems]
            if self._pending:
                self._unchecked[project, name] = show  # after the next rest
                return
        self._tell(project, name, tuple(dict.fromkeys(told)))


def _problems(show: Show) -> tuple[ToldOf, ...]:
    return tuple(ToldOf(problem) for problem in show.problems)


def _iter_check_news(checks: tuple[Check, ...]) -> Iterator[ToldOf]:
    """Yield failed checks and findings in the words of the report. Undecided checks are no news while writing."""
    for check in checks:
        if check.status in ("fail", "finding"):
            yield ToldOf(Problem(check.place, check_line(check)), check.id, check.status == "finding")
