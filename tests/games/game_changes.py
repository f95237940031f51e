"""Ways to change a loaded game, for the tests that hold each game's data against its draft."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from generator.checks.data_checks import run_data_checks
from generator.drawing.templates.game_templates import Templates
from generator.game.model import Game, SetupItem
from generator.game.project import find_project
from generator.rules.engine.settings import variants_settable
from generator.rules.registry import load_program_checks

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


def rule(*path: Any, **values: Any) -> Change:
    """The game with other values in its rules, or in a table of them; `to` replaces what the path leads to.

    A step into a list is a number.
    """

    def changed(found: Any, steps: tuple[Any, ...]) -> Any:
        if not steps:
            return values["to"] if set(values) == {"to"} else {**found, **values}
        if isinstance(found, tuple):
            return tuple(changed(value, steps[1:]) if n == steps[0] else value for n, value in enumerate(found))
        assert steps[0] in found
        return {**found, steps[0]: changed(found[steps[0]], steps[1:])}

    return lambda game: replace(game, sections={**game.sections, "rules": changed(game.sections["rules"], path)})


def row(*path: str, where: tuple[str, Any], **values: Any) -> Change:
    """The game with other values in the row of a table of its rules that has this value in this column."""

    def change(game: Game) -> Game:
        rows: Any = game.sections["rules"]
        for step in path:
            rows = rows[step]
        assert where[1] in [entry[where[0]] for entry in rows]
        changed = ({**entry, **values} if entry[where[0]] == where[1] else entry for entry in rows)
        return rule(*path, to=tuple(changed))(game)

    return change


def without_kind(kind: str) -> Change:
    return lambda game: replace(game, kinds={name: known for name, known in game.kinds.items() if name != kind})


def variant(name: str, **values: Any) -> Change:
    return row("variants", where=("id", name), **values)


def results(game: Game) -> dict[str, tuple[str, str]]:
    """Status and figures of each named check by its id."""
    functions = {**load_program_checks(game.id), "variants_settable": variants_settable}
    checks = run_data_checks(game, Templates(game.id, RESOURCES).jinja.compute_value, functions, "en")
    return {check.id: (check.status, check.figures) for check in checks}


def result(game: Game, check: str) -> tuple[str, str]:
    """Status and figures of one named check."""
    return results(replace(game, checks=tuple(spec for spec in game.checks if spec.id == check)))[check]
