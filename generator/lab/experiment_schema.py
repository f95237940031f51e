"""The JSON Schema of a game's experiments, by which editors complete them: its readings, numbers, measures and bots."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from generator.games.engine.contract import Rules
from generator.lab.experiment_shape import EXPERIMENT, VALUE_SCHEMA
from generator.lab.measures import measures_of
from generator.load.json_schema import DIALECT, in_order
from generator.model.game import Game
from generator.playtest.players.seated import bot_names

_PLAIN = (bool, int, float, str)


def experiment_schema(game: Game, rules: Rules) -> dict[str, Any]:
    """What the file of an experiment with this game may say; ProblemsFound where no box of it can be opened."""
    parts: dict[str, Any] = {}
    schema = {**EXPERIMENT.told_whole(parts), "$defs": parts}
    keys = schema["properties"]
    keys["game"]["const"] = game.id
    keys["players"]["items"] |= {"minimum": game.players.fewest, "maximum": game.players.most}
    measures = measures_of(rules, rules.box(game, game.players.most, {}))
    for place in (keys["measures"]["anyOf"][0]["additionalProperties"], keys["measures"]["anyOf"][1]["items"]):
        _offer(place["anyOf"], measures)
    _offer(keys["bots"]["additionalProperties"]["anyOf"], bot_names(rules))
    arm = parts["Arm"]["properties"]
    arm["readings"]["properties"] = dict(_readings(game))
    for section in ("rules", "components"):
        known = dict(_paths(game.sections.get(section, {}))) if section == "rules" else dict(_counts(game))
        arm[section]["properties"] = {
            path: {**VALUE_SCHEMA, "description": f"now {now}"} for path, now in known.items()
        }
    return {"$schema": DIALECT, **in_order(schema)}


def _offer(ways: list[Any], names: Iterable[str]) -> None:
    """Names that an editor offers, among the other ways to write the value."""
    ways.insert(0, {"enum": list(names)})


def _readings(game: Game) -> Iterator[tuple[str, Any]]:
    """Entries and their switches; a text with commas is a range."""
    for one in game.readings.values():
        if one.switch:
            choices = [{"enum": list(one.choices)}, {"type": "string", "pattern": ","}]
            for name in (one.id, one.switch):
                yield name, {"anyOf": choices, "description": f"now {one.value}"}


def _counts(game: Game) -> Iterator[tuple[str, int]]:
    """How many of each design are printed."""
    for kind in game.kinds.values():
        for design in kind.designs:
            yield f"{kind.id}.designs.{design.id.rpartition('/')[2]}.count", design.count


def _paths(values: Any, way: str = "") -> Iterator[tuple[str, Any]]:
    """Single values by their dotted paths; entries of lists by their ids."""
    if isinstance(values, Mapping):
        for name, value in values.items():
            yield from _paths(value, f"{way}.{name}" if way else str(name))
    elif isinstance(values, (list, tuple)):
        for value in values:
            if isinstance(value, Mapping) and "id" in value:
                yield from _paths(value, f"{way}.{value['id']}")
    elif isinstance(values, _PLAIN):
        yield way, values
