"""What the draft leaves open: each value with its path."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from generator.model.game import Game

OPEN = "provisional"
_LONGEST = 40
"""Characters of a value that a list of values still shows."""


def open_values(game: Game, lang: str) -> Iterator[tuple[str, str]]:
    """The paths that the draft leaves open, each with its value on one line where that is short."""
    for path, steps, section in open_paths(game):
        yield path, short_value(value_at(section, steps[1:]), lang)


def open_paths(game: Game) -> Iterator[tuple[str, list[str], Any]]:
    """Each open path with its steps and what stands in its section."""
    for path, status in game.marks.items():
        if status == OPEN:
            steps = path.split(".")
            section = game.places.get(steps[0])
            yield path, steps, section.value if section else None


def value_at(value: Any, steps: Iterable[str]) -> Any:
    """What a dotted path leads to; entries of lists by their id or number."""
    for step in steps:
        if isinstance(value, Mapping):
            value = value.get(step, value.get(int(step)) if step.isdigit() else None)
        elif isinstance(value, list):
            named = [entry for entry in value if isinstance(entry, Mapping) and str(entry.get("id")) == step]
            value = named[0] if named else value[int(step)] if step.isdigit() else None
        else:
            return None
    return value


def short_value(value: Any, lang: str) -> str:
    """A value as it stands in a list; empty for what is too long or has parts."""
    if isinstance(value, Mapping) and lang in value:
        value = value[lang]
    if isinstance(value, list) and all(isinstance(entry, (int, float, str)) for entry in value):
        value = ", ".join(map(str, value))
    if isinstance(value, (Mapping, list)):
        return ""
    text = str(value).lower() if isinstance(value, bool) else "" if value is None else " ".join(str(value).split())
    return text if len(text) <= _LONGEST and "{" not in text else ""
