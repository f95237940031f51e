"""Ways to change a loaded game, for the tests that hold each game's data against its draft."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from generator.checks.data_checks import run_data_checks
from generator.drawing.templates.renderer import Templates
from generator.game.model import Game, SetupItem
from generator.game.project import find_project
from generator.rules.engine.settings import variants_settable
from generator.rules.registry import load_bundled_checks

RESOURCES = find_project(Path(__file__).parent).resources

Change = Callable[[Game], Game]


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
        own = {part: parts[part] for part in ("id", "count") if part in parts}
        fields = {part: value for part, value in parts.items() if part not in own}
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


def stated(kind: str, number: int) -> Change:
    """The game with a number of cards that its draft states."""
    return lambda game: replace(game, kinds={**game.kinds, kind: replace(game.kinds[kind], stated=number)})


def setup(*items: SetupItem) -> Change:
    return lambda game: replace(game, setup=items)


def after(*changes: Change) -> Change:
    """Several changes, one after the other."""

    def change(game: Game) -> Game:
        for step in changes:
            game = step(game)
        return game

    return change


def variant(name: str, **values: Any) -> Change:
    """The game with one of its variants changed."""

    def change(game: Game) -> Game:
        variants = game.sections["rules"]["variants"]
        assert name in [entry["id"] for entry in variants]
        return _with_variants(game, tuple({**entry, **values} if entry["id"] == name else entry for entry in variants))

    return change


def _with_variants(game: Game, variants: tuple[Any, ...]) -> Game:
    rules = {**game.sections["rules"], "variants": variants}
    return replace(game, sections={**game.sections, "rules": rules})


def results(game: Game) -> dict[str, tuple[str, str]]:
    """Status and figures of each named check by its id."""
    functions = {**load_bundled_checks(game.id), "variants_settable": variants_settable}
    checks = run_data_checks(game, Templates(game.id, RESOURCES).compute_value, functions, "en")
    return {check.id: (check.status, check.figures) for check in checks}


def result(game: Game, check: str) -> tuple[str, str]:
    """Status and figures of one named check."""
    return results(replace(game, checks=tuple(spec for spec in game.checks if spec.id == check)))[check]
