"""Which rules modules come with the program, and the functions that a game's named checks may call."""

from collections.abc import Callable, Mapping
from importlib import import_module

from generator.errors import Problem, ProblemsFound, did_you_mean
from generator.games.outcome import Outcome
from generator.model.game import Game

MODULES = ("fortuna", "journey18", "journey8", "wayfaring", "xanadu")


def checking_functions(game: Game) -> Mapping[str, Callable[[Game], Outcome]]:
    """What the game's rules module offers by name; nothing for a game without one.

    Raises ProblemsFound for a module that does not come with the program: data from a stranger run no code.
    """
    if not game.rules_module:
        return {}
    if game.rules_module not in MODULES:
        place = game.places.place("rules_module")
        hint = did_you_mean(game.rules_module, MODULES)
        raise ProblemsFound([Problem(place, f"unknown rules module '{game.rules_module}'", hint)])
    module = import_module(f"generator.games.{game.rules_module}")
    return {name: getattr(module, name) for name in module.__all__}
