"""Variants of a game: what each one sets, held against the switches and options that there are."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from generator.errors import did_you_mean
from generator.games.engine.check import Outcome
from generator.model.game import Game

STATUSES = ("ready", "guess", "text_only", "data_missing", "sub_option")
PLAYABLE = ("ready", "guess", "text_only")


def choices(game: Game) -> Mapping[str, tuple[Any, ...]]:
    """What a variant can set, with the values it may have: switches of readings, and options of the rules."""
    options = _options(game)
    switches = {reading.switch: reading.choices for reading in game.readings.values() if reading.switch}
    return {**switches, **{name: tuple(option["choices"]) for name, option in options.items()}}


def in_force(game: Game) -> Mapping[str, Any]:
    """The value of every switch and option in the game without variants."""
    return {**game.switches, **{name: option["value"] for name, option in _options(game).items()}}


def variants_settable(game: Game) -> Outcome:
    """Each variant that can be played sets switches and options that exist, to a choice other than the one in force."""
    malformed = list(_malformed(game))
    if malformed:
        return Outcome(False, "; ".join(malformed))
    known, now = choices(game), in_force(game)
    variants = game.sections.get("rules", {}).get("variants", ())
    names = [variant["id"] for variant in variants]
    wrong = [f"{name} stands there twice" for name in sorted(set(names)) if names.count(name) > 1]
    wrong += [f"{name} is both a switch and an option" for name in game.switches if name in _options(game)]
    wrong += [f"the option {name} has the value {now[name]}" for name in known if now[name] not in known[name]]
    for variant in variants:
        wrong += (f"{variant['id']} {fault}" for fault in _faults(variant, names, known, now))
    if wrong:
        return Outcome(False, "; ".join(wrong))
    playable = sum(variant["status"] in PLAYABLE for variant in variants)
    return Outcome(bool(variants), f"{playable} of {len(variants)} variants can be played")


def _malformed(game: Game) -> Iterator[str]:
    """Yield what has not the form of an option or a variant; nothing else is looked at then."""
    rules = game.sections.get("rules", {})
    options, variants = rules.get("options", {}), rules.get("variants", ())
    if not isinstance(options, Mapping) or len(_options(game)) < len(options):
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


def _options(game: Game) -> Mapping[str, Any]:
    """Return the options that have a value and choices; the check of variants reports the others."""
    options = game.sections.get("rules", {}).get("options", {})
    return {
        name: option
        for name, option in (options.items() if isinstance(options, Mapping) else ())
        if isinstance(option, Mapping) and isinstance(option.get("choices"), (list, tuple)) and "value" in option
    }


def _faults(
    variant: Mapping[str, Any], names: list[str], known: Mapping[str, tuple[Any, ...]], now: Mapping[str, Any]
) -> list[str]:
    """What is wrong with one variant."""
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
