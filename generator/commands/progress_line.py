"""Progress line: what a terminal shows of a command at work."""

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from time import monotonic

import click

from generator.base.errors import ProblemsFound
from generator.base.files import read_file, write_below
from generator.commands.command_line import say, say_over
from generator.commands.user_folders import NO_CACHE, cache_folder

_PATIENCE = 2.0
"""Seconds that nobody minds; what takes longer tells how long it still will."""

_MOST_KEPT = 200
"""Runs whose times are remembered; the oldest go."""


def teller(verbose: bool) -> Callable[[str], None]:
    """Hears what is being done, nothing once all is: lines that stay, or one that is written over by the next."""
    context = click.get_current_context(silent=True)
    line = _Lines() if verbose else _Line(context)
    if context is not None:
        context.call_on_close(line.end)
    return line.show


class _Lines:
    """A line for each step, with the seconds since the command began."""

    def __init__(self) -> None:
        self._begun, self._last = monotonic(), ""

    def show(self, doing: str) -> None:
        if doing and doing != self._last:
            say(f"{monotonic() - self._begun:7.1f} s  {doing}", err=True)
        self._last = doing

    def end(self) -> None:
        """The lines stay."""


class _Line:
    """One line, written over by the next; how long each step takes is remembered for the next run of the same kind."""

    def __init__(self, context: click.Context | None) -> None:
        self._there, self._begun = False, monotonic()
        self._doing, self._since = "", self._begun
        self._took: dict[str, float] = {}
        self._key = _key_of(context) if context is not None else ""
        self._before = _times().get(self._key, {}) if self._key else {}

    def show(self, doing: str) -> None:
        now = monotonic()
        if self._doing:
            step = _step(self._doing)
            self._took[step] = self._took.get(step, 0.0) + now - self._since
        self._doing, self._since = doing, now
        if doing or self._there:
            say_over(f"{doing}{self._left(now) if doing else ''}")
        self._there = bool(doing)

    def _left(self, now: float) -> str:
        if now - self._begun < _PATIENCE or _tells_itself(self._doing):
            return ""
        left = sum(took for step, took in self._before.items() if step not in self._took)
        if not self._before or left < 1:
            return f" ({now - self._begun:.0f} s so far)"
        return f" (about {left:.0f} s left)"

    def end(self) -> None:
        self.show("")
        if self._key and monotonic() - self._begun > _PATIENCE and self._took:
            _keep_times(self._key, self._took)


def _tells_itself(doing: str) -> bool:
    """Whether the time left is said already, as of games that are played."""
    return doing.endswith(" left")


def _step(doing: str) -> str:
    """What a step is remembered by: one that counts and tells its time is one step, whatever the figures."""
    return re.sub(r"\d[\d.,]*", "#", doing) if _tells_itself(doing) else doing


def _key_of(context: click.Context) -> str:
    """What a run is known by: the command with its games, languages and pattern, each of which changes the time."""
    named = {name: context.params.get(name) for name in ("games", "languages", "only", "preset")}
    return " ".join([context.command_path, *(f"{name}={value}" for name, value in named.items() if value)])


def _times() -> dict[str, dict[str, float]]:
    """What steps took, by run; nothing where nothing readable was kept."""
    if os.environ.get(NO_CACHE):
        return {}
    try:
        found = json.loads(read_file(_file(), "note"))
        return {str(run): {str(step): float(took) for step, took in steps.items()} for run, steps in found.items()}
    except (OSError, RuntimeError, ValueError, AttributeError, TypeError):
        return {}  # a guess about time is worth no complaint


def _keep_times(key: str, took: dict[str, float]) -> None:
    if os.environ.get(NO_CACHE):
        return
    runs = {run: steps for run, steps in _times().items() if run != key} | {key: took}
    kept = dict(list(runs.items())[-_MOST_KEPT:])
    try:
        write_below(_file().parent, _file().name, json.dumps(kept, ensure_ascii=False).encode())
    except (OSError, RuntimeError, ProblemsFound):
        return  # the next run tells the time so far


def _file() -> Path:
    return cache_folder() / "times.json"
