"""Variants of a game, and the settings of a table."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from generator.base.errors import Problem, ProblemsFound, did_you_mean
from generator.game.data_fields import format_value
from generator.game.model import Game, Reading
from generator.rules.engine.contract import Options, Rules
from generator.rules.engine.facts import Outcome, code_name_from_choice, code_numbers

STATUSES = ("ready", "guess", "text_only", "data_missing", "sub_option")
PLAYABLE = ("ready", "guess", "text_only")


def read_choices(game: Game) -> Mapping[str, tuple[Any, ...]]:
    """Return the settings of a variant with their possible values: switches of readings, and options of the rules."""
    options = _read_options(game)
    switches = {reading.switch: reading.choices for reading in game.readings.values() if reading.switch}
    return {**switches, **{name: tuple(option["choices"]) for name, option in options.items()}}


def read_settings(game: Game) -> Mapping[str, Any]:
    """Return the value of every switch and option in the game without variants."""
    return {**game.switches, **{name: option["value"] for name, option in _read_options(game).items()}}


def iter_other_choices(game: Game, rules: Rules) -> Iterator[tuple[Reading, Any]]:
    """Yield each reading with each of its choices that is not in force and can be played."""
    for reading in game.readings.values():
        for value in reading.choices if reading.switch else ():
            if value != reading.value and f"{reading.switch}: {format_value(value)}" not in rules.unplayable:
                yield reading, value


def variants_settable(game: Game) -> Outcome:
    """Check that each playable variant sets existing switches and options to a choice that is not in force."""
    malformed = list(_find_malformed(game))
    if malformed:
        return Outcome(False, "; ".join(malformed))
    known, now = read_choices(game), read_settings(game)
    variants = game.sections.get("rules", {}).get("variants", ())
    names = [variant["id"] for variant in variants]
    wrong = [f"{name} stands there twice" for name in sorted(set(names)) if names.count(name) > 1]
    wrong += [f"{name} is both a switch and an option" for name in game.switches if name in _read_options(game)]
    wrong += [f"the option {name} has the value {now[name]}" for name in known if now[name] not in known[name]]
    for variant in variants:
        wrong += (f"{variant['id']} {fault}" for fault in _find_faults(variant, names, known, now))
    if wrong:
        return Outcome(False, "; ".join(wrong))
    playable = sum(variant["status"] in PLAYABLE for variant in variants)
    return Outcome(bool(variants), f"{playable} of {len(variants)} variants can be played")


def _find_malformed(game: Game) -> Iterator[str]:
    """Yield options and variants with a wrong form; other checks are skipped then."""
    rules = game.sections.get("rules", {})
    options, variants = rules.get("options", {}), rules.get("variants", ())
    if not isinstance(options, Mapping) or len(_read_options(game)) < len(options):
        yield "rules.options is not a mapping of names to {value: ..., choices: [...]}"
    if not isinstance(variants, Sequence) or isinstance(variants, str):
        yield "rules.variants is not a list"
        return
    for number, variant in enumerate(variants, 1):
        said = variant if isinstance(variant, Mapping) else {}
        wrong = [key for key in ("id", "status") if not isinstance(said.get(key), str)]
        if wrong:
            yield f"variant {number} has no text for {' and '.join(f'`{key}`' for key in wrong)}"
        elif not isinstance(said.get("sets", {}), Mapping):
            yield f"{said['id']}: `sets` is not a mapping of switches and options to values"


def _read_options(game: Game) -> Mapping[str, Any]:
    """Return the options that have a value and choices; the check of variants reports the others."""
    options = game.sections.get("rules", {}).get("options", {})
    return {
        name: option
        for name, option in (options.items() if isinstance(options, Mapping) else ())
        if isinstance(option, Mapping) and isinstance(option.get("choices"), (list, tuple)) and "value" in option
    }


def _find_faults(
    variant: Mapping[str, Any], names: list[str], known: Mapping[str, tuple[Any, ...]], now: Mapping[str, Any]
) -> list[str]:
    """Return what is wrong with a variant: its status, or settings not `known` or already in force (`now`)."""
    status, sets = variant["status"], variant.get("sets", {})
    wrong = []
    if status not in STATUSES:
        wrong.append(f"has the status '{status}'; {did_you_mean(status, STATUSES)}")
    if (status in PLAYABLE) != bool(sets):
        wrong.append("can be played, but sets nothing" if status in PLAYABLE else f"is {status}, but sets something")
    if status == "sub_option" and variant.get("of") not in names:
        wrong.append(f"belongs to '{variant.get('of')}', which is no variant")
    for name, value in sets.items():
        if name not in known:
            wrong.append(f"sets '{name}', which does not exist; {did_you_mean(str(name), known)}")
        elif value not in known[name] or value == now[name]:
            others = ", ".join(str(choice) for choice in known[name] if choice != now[name])
            wrong.append(f"sets {name} to {value}; it can be {others}")
    return wrong


def apply_options(
    game: Game,
    players: int,
    options: Options,
    *,
    unplayable: Mapping[str, str] | None = None,
    own: Mapping[str, Sequence[Any]] | None = None,
    further: Iterable[Problem] = (),
) -> Game:
    """Return the game with the options set in its readings and rules. Raise ProblemsFound with all errors.

    `unplayable` maps values that can't be played (`switch: value`) to the reason. `own` contains options of play that
    are not in the data, with their choices. The caller checks an option without choices and passes its problems in
    `further`.
    """
    problems = [*_find_wrong_settings(game, players, options, unplayable or {}, own or {}), *further]
    if problems:
        raise ProblemsFound(problems)
    readings = {
        name: replace(reading, value=options.get(reading.switch, reading.value)) if reading.switch else reading
        for name, reading in game.readings.items()
    }
    return replace(game, readings=readings, sections={**game.sections, **_replace_rule_options(game, options)})


def _find_wrong_settings(
    game: Game, players: int, options: Options, unplayable: Mapping[str, str], own: Mapping[str, Sequence[Any]]
) -> Iterator[Problem]:
    """Yield the problems of the players and options: see `apply_options`. `own` has the rules' options with values."""
    if players not in game.players:
        hint = f"it is for {game.players.fewest} to {game.players.most} players"
        yield Problem(game.places.place("players"), f"{game.id} does not support {players} players", hint)
    known = {**read_choices(game), **own}
    for name, value in options.items():
        if name not in known:
            yield Problem(None, f"{game.id} has no option '{name}'", did_you_mean(name, known))
        elif known[name] and not any(one == value and type(one) is type(value) for one in known[name]):
            hint = f"it can be {', '.join(map(format_value, known[name]))}"
            yield Problem(None, f"the option {name} does not allow '{format_value(value)}'", hint)
    for name, value in {**read_settings(game), **options}.items():
        setting = f"{name}: {format_value(value)}"
        if setting in unplayable:
            hint = f"choose another value for {name}"
            yield Problem(None, f"{setting} can't be played: {unplayable[setting]}", hint)


def encode_settings(game: Game, codes: Iterable[Any] = ()) -> dict[str, int]:
    """Return switches and options in force as kernels read them: 1 and 0 for true and false, or a number of `codes`.

    Choices in words become a yes or no each: with `deck_out: reshuffle`, `deck_out_reshuffle` is 1.
    """
    values = read_settings(game)
    found = {name: int(value) for name, value in values.items() if isinstance(value, bool)}
    for name, choices in read_choices(game).items():
        if any(isinstance(choice, str) for choice in choices):
            found.pop(name, None)
            found |= {f"{name}_{choice}".lower(): int(values[name] == choice) for choice in choices}
    found = {name: value for name, value in found.items() if name.isidentifier()}
    return found | {one.SWITCH: code_numbers(one)[code_name_from_choice(values[one.SWITCH])] for one in codes}


def _replace_rule_options(game: Game, options: Options) -> Mapping[str, Any]:
    """Return {"rules": the section with the table's values of its options}, or nothing if the game has no options."""
    rules = game.sections.get("rules", {})
    if not isinstance(rules.get("options"), Mapping):
        return {}
    chosen = {
        name: {**one, "value": options.get(name, one.get("value"))} if isinstance(one, Mapping) else one
        for name, one in rules["options"].items()
    }
    return {"rules": {**rules, "options": chosen}}
