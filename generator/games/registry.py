"""Which rules modules come with the program: the functions that named checks call, and the rules that are played."""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module, util
from pathlib import Path
from types import ModuleType

from generator.errors import Problem, ProblemsFound, did_you_mean
from generator.games.contract import Rules
from generator.games.outcome import Outcome
from generator.model.game import Game

MODULES = ("fortuna", "journey18", "journey8", "wayfaring", "xanadu")

OWN_SUFFIX = ".py"
"""A `rules_module` that ends so is a file in the game's own folder."""


def checking_functions(game: Game, trusted: Path | None = None) -> Mapping[str, Callable[[Game], Outcome]]:
    """What the game's rules module offers by name; nothing for a game without one.

    Raises ProblemsFound for a module that does not come with the program, unless `trusted` is the game's own folder:
    data from a stranger run no code.
    """
    if not game.rules_module:
        return {}
    if game.rules_module.endswith(OWN_SUFFIX):
        module = _own_module(game, trusted)
        names = [name for name in getattr(module, "__all__", ()) if name != "RULES"]
    else:
        module = import_module(f"generator.games.{_bundled(game)}")
        names = module.__all__
    return {name: getattr(module, name) for name in names}


def rules_of(game: Game, trusted: Path | None = None) -> Rules | None:
    """The rules that the game is played by; None where nobody has written them."""
    if not game.rules_module:
        return None
    if game.rules_module.endswith(OWN_SUFFIX):
        module: ModuleType | None = _own_module(game, trusted)
    else:
        name = f"generator.games.{_bundled(game)}.play"
        module = import_module(name) if util.find_spec(name) else None
    rules = getattr(module, "RULES", None)
    if module is not None and not isinstance(rules, Rules):
        place = game.places.place("rules_module")
        hint = "see generator/games/contract.py for what it must be"
        raise ProblemsFound([Problem(place, f"the rules module '{game.rules_module}' has no `RULES`", hint)])
    return rules


def _bundled(game: Game) -> str:
    if game.rules_module not in MODULES:
        place = game.places.place("rules_module")
        hint = did_you_mean(game.rules_module, MODULES)
        raise ProblemsFound([Problem(place, f"unknown rules module '{game.rules_module}'", hint)])
    return game.rules_module


def _own_module(game: Game, trusted: Path | None) -> ModuleType:
    """The module in the game's folder, run; whatever goes wrong in it is a problem of its author's."""
    place = game.places.place("rules_module")
    if trusted is None:
        what = f"the rules module '{game.rules_module}' is a program, and programs in data are not run unasked"
        raise ProblemsFound([Problem(place, what, "if you trust its author, add --trust-rules")])
    path = trusted / game.rules_module
    if path.parent != trusted or not path.is_file():
        what = f"there is no rules module '{game.rules_module}' beside game.yaml"
        raise ProblemsFound([Problem(place, what, "name a file of this folder")])
    spec = util.spec_from_file_location(f"rules_of_{game.id}", path)
    assert spec is not None and spec.loader is not None, path  # noqa: S101, PT018 - a .py file has a loader
    module = util.module_from_spec(spec)
    sys.modules[spec.name] = module  # where dataclasses and numba look up what a module defines
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        what = f"the rules module '{game.rules_module}' can't be loaded: {type(error).__name__}: {error}"
        raise ProblemsFound([Problem(place, what, "mend it")]) from error
    return module
