"""What whoever plays a game may set at a table: players, switches of readings, options of the rules and of play."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from generator.errors import Problem, ProblemsFound, did_you_mean
from generator.games.engine.codes import name_of_choice, numbers
from generator.games.engine.contract import Options
from generator.games.engine.variants import choices, in_force
from generator.model.game import Game


def with_options(
    game: Game,
    players: int,
    options: Options,
    *,
    unplayable: Mapping[str, str] | None = None,
    own: Mapping[str, Sequence[Any]] | None = None,
    further: Iterable[Problem] = (),
) -> Game:
    """The game with the options as its readings and as the options of its rules; ProblemsFound names all that is wrong.

    `unplayable` are values that can't be played (`switch: value`), with the reason. `own` are options of play, which
    the data don't know, with their choices; one without choices is looked at by whoever asks, who gives `further`
    problems.
    """
    problems = [*_wrong_settings(game, players, options, unplayable or {}, own or {}), *further]
    if problems:
        raise ProblemsFound(problems)
    readings = {
        name: replace(reading, value=options.get(reading.switch, reading.value)) if reading.switch else reading
        for name, reading in game.readings.items()
    }
    return replace(game, readings=readings, sections={**game.sections, **_rules_with(game, options)})


def _wrong_settings(
    game: Game, players: int, options: Options, unplayable: Mapping[str, str], own: Mapping[str, Sequence[Any]]
) -> Iterator[Problem]:
    """What is wrong with the wishes of whoever plays: see `with_options`."""
    if players not in game.players:
        hint = f"{game.players.fewest} to {game.players.most} can play"
        yield Problem(game.places.place("players"), f"{game.id} can't be played by {players}", hint)
    known = {**choices(game), **own}
    for name, value in options.items():
        if name not in known:
            yield Problem(None, f"{game.id} has no option '{name}'", did_you_mean(name, known))
        elif known[name] and not any(_same(value, choice) for choice in known[name]):
            hint = f"it can be {', '.join(map(data_text, known[name]))}"
            yield Problem(None, f"the option {name} can't be '{data_text(value)}'", hint)
    for name, value in {**in_force(game), **options}.items():
        setting = f"{name}: {data_text(value)}"
        if setting in unplayable:
            hint = f"choose another value for {name}"
            yield Problem(None, f"{setting} can't be played: {unplayable[setting]}", hint)


def readings(game: Game, codes: Iterable[Any]) -> dict[str, int]:
    """The switches and options in force by their names, as kernels read them: 1 and 0 for true and false, or a code."""
    values = in_force(game)
    truths = {name: int(value) for name, value in values.items() if isinstance(value, bool)}
    return truths | {one.SWITCH: numbers(one)[name_of_choice(values[one.SWITCH])] for one in codes}


def _same(value: Any, choice: Any) -> bool:
    """Equal, and not 1 for true."""
    return bool(value == choice and isinstance(value, bool) == isinstance(choice, bool))


def data_text(value: Any) -> str:
    """A value as the data write it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _rules_with(game: Game, options: Options) -> Mapping[str, Any]:
    """The section of the rules where it has options of its own, with those of the table."""
    rules = game.sections.get("rules", {})
    if not isinstance(rules.get("options"), Mapping):
        return {}
    chosen = {
        name: {**one, "value": options.get(name, one.get("value"))} if isinstance(one, Mapping) else one
        for name, one in rules["options"].items()
    }
    return {"rules": {**rules, "options": chosen}}
