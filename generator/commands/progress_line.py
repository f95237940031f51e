"""Progress line: the terminal's display of a running command."""

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from time import monotonic

import click

from generator.base.errors import ProblemsFound
from generator.base.files import read_file, write_in_folder
from generator.commands.command_line import overwrite_line, say
from generator.commands.user_folders import NO_CACHE, cache_folder

_PATIENCE = 2.0
"""Seconds before the time left is shown."""

_MOST_KEPT = 200
"""Maximum number of runs whose times are stored. The oldest are removed."""


def make_progress_printer(verbose: bool) -> Callable[[str], None]:
    """Return a function that shows each step, as permanent lines or as one line that is overwritten.

    The function receives an empty string at the end.
    """
    context = click.get_current_context(silent=True)
    line = _StepLines() if verbose else _OneLine(context)
    if context is not None:
        context.call_on_close(line.finish)
    return line.show_step


class _StepLines:
    """Display with one line per step and the seconds since the start."""

    def __init__(self) -> None:
        self._begun, self._last = monotonic(), ""

    def show_step(self, doing: str) -> None:
        if doing and doing != self._last:
            say(f"{monotonic() - self._begun:7.1f} s  {doing}", err=True)
        self._last = doing

    def finish(self) -> None:
        """Leave the lines on the screen."""


class _OneLine:
    """Display with one line that is overwritten. It stores how long each step takes for the next similar run."""

    def __init__(self, context: click.Context | None) -> None:
        self._there, self._begun = False, monotonic()
        self._doing, self._since = "", self._begun
        self._took: dict[str, float] = {}
        self._key = _run_key(context) if context is not None else ""
        self._before = _read_times().get(self._key, {}) if self._key else {}

    def show_step(self, doing: str) -> None:
        now = monotonic()
        if self._doing:
            step = _step_key(self._doing)
            self._took[step] = self._took.get(step, 0.0) + now - self._since
        self._doing, self._since = doing, now
        if doing or self._there:
            overwrite_line(f"{doing}{self._time_left(now) if doing else ''}")
        self._there = bool(doing)

    def _time_left(self, now: float) -> str:
        if now - self._begun < _PATIENCE or _has_time_left(self._doing):
            return ""
        left = sum(took for step, took in self._before.items() if step not in self._took)
        if not self._before or left < 1:
            return f" ({now - self._begun:.0f} s so far)"
        return f" (about {left:.0f} s left)"

    def finish(self) -> None:
        self.show_step("")
        if self._key and monotonic() - self._begun > _PATIENCE and self._took:
            _keep_times(self._key, self._took)


def _has_time_left(doing: str) -> bool:
    """Return True if the text already includes the time left, as for games that are played."""
    return doing.endswith(" left")


def _step_key(doing: str) -> str:
    """Return the key under which a step's time is stored. Numbers are replaced in steps that show their time."""
    return re.sub(r"\d[\d.,]*", "#", doing) if _has_time_left(doing) else doing


def _run_key(context: click.Context) -> str:
    """Return the key of a run: the command with its games, languages and patterns, as these affect the time."""
    named = {name: context.params.get(name) for name in ("games", "languages", "only", "preset")}
    return " ".join([context.command_path, *(f"{name}={value}" for name, value in named.items() if value)])


def _read_times() -> dict[str, dict[str, float]]:
    """Return the stored times of steps by run. A missing or unreadable file gives an empty dict."""
    if os.environ.get(NO_CACHE):
        return {}
    try:
        found = json.loads(read_file(_times_file(), "note"))
        return {str(run): {str(step): float(took) for step, took in steps.items()} for run, steps in found.items()}
    except (OSError, RuntimeError, ValueError, AttributeError, TypeError):
        return {}  # a guess about time is worth no complaint


def _keep_times(key: str, took: dict[str, float]) -> None:
    if os.environ.get(NO_CACHE):
        return
    runs = {run: steps for run, steps in _read_times().items() if run != key} | {key: took}
    kept = dict(list(runs.items())[-_MOST_KEPT:])
    try:
        write_in_folder(_times_file().parent, _times_file().name, json.dumps(kept, ensure_ascii=False).encode())
    except (OSError, RuntimeError, ProblemsFound):
        return  # the next run tells the time so far


def _times_file() -> Path:
    return cache_folder() / "times.json"
