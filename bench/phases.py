"""Where the time of `pnp sheets` goes: the real command, with timers put around the functions of each phase.

    python phases.py PROJECT OUT [CALLS]

Times are CPU time, which other programs on the machine disturb least; the command is kept to one process, so on an
idle machine it is the wall time. With CALLS, the CALLS functions that take the longest by themselves follow, and the
phases' times then contain the profiler's own.
"""

import contextlib
import gc
import io
import os
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any


class Clock:
    """Seconds by phase; a phase inside another one is taken out of the outer."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = {}
        self._nested = [0.0]

    def timed(self, phase: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, with its time added to the phase."""

        def call(*args: Any, **options: Any) -> Any:
            begin = time.process_time()
            self._nested.append(0.0)
            try:
                return function(*args, **options)
            finally:
                took = time.process_time() - begin
                self.spent[phase] = self.spent.get(phase, 0.0) + took - self._nested.pop()
                self._nested[-1] += took

        return call


def main(project: Path, out: Path, calls: int) -> None:
    """Make the sheets and print milliseconds by phase."""
    gc.disable()  # as the command does
    os.cpu_count = lambda: 1  # what helpers do would not be seen
    clock = Clock()
    clock.spent["start Python"] = time.process_time()
    pnp = clock.timed("import", _program)(clock)
    arguments = ["--project", str(project), "sheets", "--backs", "none", "--out", str(out)]
    run = partial(clock.timed("everything else", pnp), arguments, standalone_mode=False)
    with contextlib.redirect_stdout(io.StringIO()):  # the command says which files it made
        report = _profiled(run, calls) if calls else run() or ""
    whole = sum(clock.spent.values())
    for phase, seconds in clock.spent.items():
        print(f"{phase:<20} {seconds * 1000:9.1f} ms  {seconds / whole:5.1%}")
    print(f"{'whole':<20} {whole * 1000:9.1f} ms")
    print(report, end="")


def _profiled(run: Callable[[], Any], calls: int) -> str:
    # Imported here, so that their own memory and time are not the command's.
    import cProfile
    import pstats

    profile, report = cProfile.Profile(), io.StringIO()
    profile.runcall(run)
    pstats.Stats(profile, stream=report).sort_stats("tottime").print_stats(calls)
    return report.getvalue()


def _program(clock: Clock) -> Callable[..., Any]:
    """The command line's entry, all that it will import imported, its phases under the clock."""
    import generator.drawing.pdf.document  # noqa: F401 - imported by the command too
    from generator.commands import orders
    from generator.commands.command_line import pnp
    from generator.drawing.faces.game_drawing import Workshop
    from generator.sheets.sheet_pages import _PageComposer

    phases: tuple[tuple[Any, str, str], ...] = (
        (orders, "load_game", "load YAML"),
        (Workshop, "draw_all", "draw faces"),
        (Workshop, "digest_face", "hash faces"),
        (Workshop, "draw_printed", "stamp faces"),
        (_PageComposer, "_make_page", "lay out"),
        (Workshop, "write_document", "write PDF"),
    )
    for owner, name, phase in phases:
        setattr(owner, name, clock.timed(phase, getattr(owner, name)))
    return pnp.main


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 0)
