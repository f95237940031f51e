"""The game journey18 and ways to change it, for the tests that hold its data against its draft."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from generator.load.game import load_game
from generator.load.project import find_project
from generator.model.game import Game, SetupItem

Change = Callable[[Game], Game]

HERE = Path(__file__).parent
PROJECT = find_project(HERE)
SUITS = ("red", "green", "blue", "yellow", "white")


def loaded() -> Game:
    """The game as its data folder describes it."""
    return load_game(PROJECT.folder("journey18"), PROJECT.resources)


def rule(*path: str, to: Any) -> Change:
    """The game with another value in its rules."""

    def changed(values: Any, steps: tuple[str, ...]) -> Any:
        assert steps[0] in values
        inner = changed(values[steps[0]], steps[1:]) if len(steps) > 1 else to
        return {**values, steps[0]: inner}

    return lambda game: replace(game, sections={**game.sections, "rules": changed(game.sections["rules"], path)})


def switch(name: str, value: Any) -> Change:
    """The game with a switch set to another reading."""

    def change(game: Game) -> Game:
        changed = {
            key: replace(reading, value=value) if reading.switch == name else reading
            for key, reading in game.readings.items()
        }
        assert changed != game.readings
        return replace(game, readings=changed)

    return change


def card(design: str, **parts: Any) -> Change:
    """The game with one design changed: its id and count, or else its fields."""

    def change(game: Game) -> Game:
        kind = game.kinds[design.partition("/")[0]]
        own = {name: parts[name] for name in ("id", "count") if name in parts}
        fields = {name: value for name, value in parts.items() if name not in own}
        designs = tuple(
            replace(known, **own, fields={**known.fields, **fields}) if known.id == design else known
            for known in kind.designs
        )
        assert designs != kind.designs
        return replace(game, kinds={**game.kinds, kind.id: replace(kind, designs=designs)})

    return change


def every(kind: str, **fields: Any) -> Change:
    """The game with these fields in all designs of a kind."""

    def change(game: Game) -> Game:
        known = game.kinds[kind]
        designs = tuple(replace(design, fields={**design.fields, **fields}) for design in known.designs)
        return replace(game, kinds={**game.kinds, kind: replace(known, designs=designs)})

    return change


def after(*changes: Change) -> Change:
    """Several changes, one after the other."""

    def change(game: Game) -> Game:
        for step in changes:
            game = step(game)
        return game

    return change


def setup(*items: SetupItem) -> Change:
    """The game with another set-up."""
    return lambda game: replace(game, setup=items)
