"""Which state of a game is played: its rules' sources, and the numbers that they make of the data."""

import sys
from collections.abc import Iterator
from hashlib import sha256
from importlib import util
from json import dumps
from pkgutil import iter_modules

from generator.games.engine.contract import Rules
from generator.games.registry import PACKAGE
from generator.model.game import Game

_SHOWN = 16


def state_of(game: Game, rules: Rules, players: int) -> str:
    """A hash of all that games between so many players rest on: rules, their numbers, the readings in force.

    Texts and looks are no part of it. ProblemsFound where so many can't play.
    """
    numbers = rules.box(game, players, {}).numbers
    told = dumps([dict(game.switches), dict(numbers)], default=list, sort_keys=True)
    said = "\0".join((told, *_sources(rules)))
    return sha256(said.encode()).hexdigest()[:_SHOWN]


def _sources(rules: Rules) -> Iterator[str]:
    """The sources of the rules: of one module in a game's folder, of all of those that come with the program."""
    name = rules.apply.__module__
    if not name.startswith(f"{PACKAGE}."):
        loader = getattr(sys.modules[name], "__loader__", None)
        yield loader.get_source(name) if loader is not None else ""
        return
    package = name.rpartition(".")[0]
    for found in iter_modules(sys.modules[package].__path__, f"{package}."):
        spec = None if found.name.endswith("checks") else util.find_spec(found.name)
        if spec is not None and spec.loader is not None and not found.ispkg:
            yield spec.loader.get_source(spec.name)  # type: ignore[attr-defined]  # loaders of modules have it
