"""How many pieces a plan of the table puts at a place: a number, all that are printed, or a number of the rules."""

from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Any

from generator.model.game import Design, Game
from generator.model.table.plan import ALL, PieceCount


def matching(game: Game, name: str) -> tuple[Design, ...]:
    """Return the designs of a kind, an id or a pattern."""
    if name in game.kinds:
        return tuple(game.kinds[name].designs)
    return tuple(design for design in game.designs() if fnmatchcase(design.id, name))


def printed(game: Game, name: str) -> int:
    """Return how many pieces of a kind, an id or a pattern are printed."""
    return sum(design.count for design in matching(game, name))


def number_of(game: Game, name: str, count: PieceCount) -> int:
    """Return the number that a count of pieces stands for. Raise LookupError if the rules have no such number."""
    if isinstance(count, int):
        return count
    if count == ALL:
        return printed(game, name)
    value: Any = game.sections
    for step in count.split("."):
        value = value.get(step) if isinstance(value, Mapping) else None
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise LookupError(count)
    return value
