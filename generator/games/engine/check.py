"""Named checks of a game's rules: how a function becomes one, and what it finds."""

from collections.abc import Callable, Mapping
from types import ModuleType
from typing import TypeAlias

from generator.dataclass import dataclass
from generator.model.game import Game

_MARK = "_is_check"


@dataclass(frozen=True, slots=True)
class Outcome:
    """Whether the data keep the rule, and the figures that show it ("3 players: 21 + 7 + 50 = 78")."""

    ok: bool
    figures: str


Check: TypeAlias = Callable[[Game], Outcome]


def check(function: Check) -> Check:
    """Marks a function as one that the game's `checks.yaml` may call by its name; it stays what it is."""
    setattr(function, _MARK, True)
    return function


def checks_in(module: ModuleType) -> Mapping[str, Check]:
    """The functions of a module that are marked so, by name."""
    return {name: value for name, value in vars(module).items() if hasattr(value, _MARK)}


def against(found: object, stated: object) -> str:
    """What a check has worked out, and what the limits of the data say where they differ."""
    return str(found) if found == stated else f"{found} (the limits say {stated})"
