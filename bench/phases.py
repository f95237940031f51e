"""Where the time of `pnp sheets` goes: the real command, with timers put around the functions of each phase.

    python phases.py PROJECT OUT [STARTED] [CALLS]

STARTED is the clock's time (seconds) when this process was started, 0 to leave Python's own start out. With CALLS, the
CALLS functions that take the longest by themselves follow; the timers then show the profiler's slowness too.
"""

import cProfile
import pstats
import sys
import time
from collections.abc import Callable
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
            begin = time.perf_counter()
            self._nested.append(0.0)
            try:
                return function(*args, **options)
            finally:
                took = time.perf_counter() - begin
                self.spent[phase] = self.spent.get(phase, 0.0) + took - self._nested.pop()
                self._nested[-1] += took

        return call


def main(project: Path, out: Path, started: float, calls: int) -> None:
    """Make the sheets and print milliseconds by phase."""
    clock = Clock()
    if started:
        clock.spent["start Python"] = time.time() - started
    pnp = clock.timed("import", _program)(clock)
    profile = cProfile.Profile()
    arguments = ["--project", str(project), "sheets", "--backs", "none", "--out", str(out)]
    if calls:
        profile.enable()
    clock.timed("everything else", pnp)(arguments, standalone_mode=False)
    profile.disable()
    whole = sum(clock.spent.values())
    for phase, seconds in clock.spent.items():
        print(f"{phase:<20} {seconds * 1000:9.1f} ms  {seconds / whole:5.1%}")
    print(f"{'whole':<20} {whole * 1000:9.1f} ms")
    if calls:
        pstats.Stats(profile, stream=sys.stdout).sort_stats("tottime").print_stats(calls)


def _program(clock: Clock) -> Callable[..., Any]:
    """The command line's entry, all that it will import imported, its phases under the clock."""
    import generator.draw.pdf
    import generator.pipeline
    from generator.cli import pnp
    from generator.draw.workshop import Workshop

    phases: tuple[tuple[Any, str, str], ...] = (
        (generator.pipeline, "load_game", "load YAML"),
        (Workshop, "draw_all", "draw faces"),
        (Workshop, "digest", "hash faces"),
        (Workshop, "printed", "stamp faces"),
        (generator.pipeline, "lay_out", "lay out"),
        (Workshop, "write", "write PDF"),
    )
    for owner, name, phase in phases:
        setattr(owner, name, clock.timed(phase, getattr(owner, name)))
    return pnp.main


if __name__ == "__main__":
    main(
        Path(sys.argv[1]),
        Path(sys.argv[2]),
        float(sys.argv[3]) if len(sys.argv) > 3 else 0.0,
        int(sys.argv[4]) if len(sys.argv) > 4 else 0,
    )
