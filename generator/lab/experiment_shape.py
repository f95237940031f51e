"""The shape of an experiment file, and its JSON Schema for a game."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from generator.base.errors import InvalidInput
from generator.commands.schema import DIALECT, sort_keys
from generator.game.data_shapes import (
    ANY,
    TEXT,
    ChoiceShape,
    ConvertedShape,
    DataShape,
    KeyedShape,
    KeyEntry,
    ListShape,
    MapShape,
    PlainShape,
)
from generator.game.model import Game
from generator.lab.measures import make_measures
from generator.play.bot_registry import list_bot_names
from generator.rules.engine.contract import Rules

FORMAT = 1


@dataclass(frozen=True, slots=True)
class Amount:
    """A number from a file; `share` is True if it was written with % or pp, and `number` is then 0 to 1."""

    number: float
    share: bool


@dataclass(frozen=True, slots=True)
class WrittenAim:
    """An aim as written in the file: both limits. With `fair` they are relative to 1 / players."""

    low: Amount
    high: Amount
    fair: bool = False


def _parse_value(value: Any) -> Any:
    if isinstance(value, bool | int | float | str):
        return value
    raise InvalidInput("an arm changes single values", "write a number, a word, true or false")


def parse_amount(value: Any) -> Amount:
    """Parse an amount: `3`, `0.5`, `2pp` or `2%`. Raise InvalidInput for anything else."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return Amount(float(value), share=False)
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*(?:pp|%)\s*", value) if isinstance(value, str) else None
    if found is None:
        raise InvalidInput(f"not an amount: {value}", "write a number, or a share such as 2pp or 50%")
    return Amount(float(found[1]) / 100, share=True)


def _parse_margin(value: Any) -> Amount:
    amount = parse_amount(value)
    if amount.number <= 0:
        raise InvalidInput(
            "a margin must be more than 0", "write the largest difference that does not matter, such as 1 or 2pp"
        )
    return amount


def _parse_measure(value: Any) -> str:
    """Return a measure's name, written as such or as one key: `{score: seat 1}`. Raise InvalidInput for all else."""
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping) and len(value) == 1:
        what, of = next(iter(value.items()))
        if of is True:
            return str(what)
        if what == "share of wins" and isinstance(of, str):
            return f"win of {of}"
        if what == "score" and isinstance(of, str):
            return f"score of {of}" if of.startswith("seat ") else f"{of} score"
        if isinstance(what, str) and isinstance(of, str):
            return f"{what}: {of}"
    raise InvalidInput("no measure", "write a name such as turns, or one key such as {share of wins: seat 1}")


def _parse_bot(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping) and len(value) == 1:
        name, setting = next(iter(value.items()))
        if isinstance(name, str) and isinstance(setting, int | str) and not isinstance(setting, bool):
            return f"{name}:{setting}"
    raise InvalidInput("no bot", "write greedy, or {hoard: SUPPLY}, or a list with one for each seat")


def _parse_aim(value: Any) -> WrittenAim:
    """Return the aim in `{between: [35, 45]}` or `{within: 2pp, of: fair}`. Raise InvalidInput for others."""
    keys = set(value) if isinstance(value, Mapping) else set()
    if keys == {"between"} and isinstance(value["between"], list) and len(value["between"]) == 2:
        low, high = map(parse_amount, value["between"])
        if low.share != high.share or low.number > high.number:
            raise InvalidInput("these limits are not in order from low to high", "write [35, 45] or [30%, 40%]")
        return WrittenAim(low, high)
    if keys == {"within", "of"}:
        around = parse_amount(value["within"])
        if value["of"] == "fair":
            return WrittenAim(Amount(-around.number, around.share), around, fair=True)
        middle = parse_amount(value["of"])
        if middle.share != around.share:
            raise InvalidInput("`within` and `of` have different units", "write both with pp and %, or neither")
        low, high = (Amount(middle.number + sign * around.number, middle.share) for sign in (-1, 1))
        return WrittenAim(low, high)
    raise InvalidInput("no aim", "write {between: [35, 45]} or {within: 2pp, of: fair}")


def _parse_confidence(value: Any) -> float:
    amount = parse_amount(value)
    if not amount.share or not 0.5 <= amount.number < 1:
        raise InvalidInput("a confidence is at least 50% and less than 100%", "write 95%")
    return amount.number


def _parse_games(value: Any) -> int:
    found = re.fullmatch(r"([1-9]\d{0,8})(?: games)?", str(value)) if not isinstance(value, bool) else None
    if found is None:
        raise InvalidInput(f"not a number of games: {value}", "write 20000 games")
    return int(found[1])


def _parse_base(value: Any) -> str:
    found = re.fullmatch(r"all against (\S.*)", value) if isinstance(value, str) else None
    if found is None:
        raise InvalidInput("this is not a comparison", "write `all against` and the name of an arm")
    return found[1]


def _parse_format(value: Any) -> int:
    if value == FORMAT and not isinstance(value, bool):
        return FORMAT
    raise InvalidInput(
        f"the format {value} is not known", f"write `format: {FORMAT}`, or use a newer version of the program"
    )


def _parsed_shape(parse: Any, json_schema: Mapping[str, Any]) -> DataShape:
    """Return the shape of a value that `parse` converts; `json_schema` describes the value as written."""
    return ConvertedShape(ANY, before=parse, schema=json_schema)


VALUE_SCHEMA = {"type": ["number", "string", "boolean"]}
_AMOUNT_SCHEMA = {"anyOf": [{"type": "number"}, {"type": "string", "pattern": r"^\s*\d+(\.\d+)?\s*(pp|%)\s*$"}]}
_MEASURE_KEYS = {
    "share of wins": "seat 1", "score": "best, worst, mean or seat 1", "ran out": "a supply", "peak": "a supply",
    "hole": "a gap in the rules", "measure": "a check that counts",
}  # fmt: skip
_MEASURE_SCHEMA = {"anyOf": [{"type": "string"}, {
    "type": "object", "minProperties": 1, "maxProperties": 1, "properties": {
        name: {"type": "string", "description": f"as {example}"} for name, example in _MEASURE_KEYS.items()
    },
}]}  # fmt: skip
_BOT_SCHEMA = {"anyOf": [{"type": "string"}, {"type": "object", "minProperties": 1, "maxProperties": 1}]}
_BOTS_SCHEMA = {"anyOf": [*_BOT_SCHEMA["anyOf"], {"type": "array", "items": _BOT_SCHEMA}]}
_AIM_SCHEMA = {"anyOf": [
    {"type": "object", "additionalProperties": False, "required": ["between"], "properties": {
        "between": {"type": "array", "items": _AMOUNT_SCHEMA, "minItems": 2, "maxItems": 2},
    }},
    {"type": "object", "additionalProperties": False, "required": ["within", "of"], "properties": {
        "within": _AMOUNT_SCHEMA, "of": {"anyOf": [{"const": "fair"}, *_AMOUNT_SCHEMA["anyOf"]]},
    }},
]}  # fmt: skip
_GAMES_SCHEMA = {
    "anyOf": [{"type": "integer", "minimum": 1}, {"type": "string", "pattern": r"^[1-9]\d{0,8}( games)?$"}]
}
_QUESTION_SCHEMA = {"anyOf": [{"type": "object", "additionalProperties": {"type": "string"}}, {"type": "string"}]}
_MEASURES_SCHEMA = {
    "anyOf": [{"type": "object", "additionalProperties": _MEASURE_SCHEMA}, {"type": "array", "items": _MEASURE_SCHEMA}]
}


_VALUES = MapShape(TEXT, _parsed_shape(_parse_value, VALUE_SCHEMA))

_ARM = KeyedShape("Arm", "one way to play", (
    KeyEntry("readings", _VALUES, {}, about="E-entries or switches with other values"),
    KeyEntry("rules", _VALUES, {}, about="values in `rules:`, by their paths"),
    KeyEntry("components", _VALUES, {}, about="values in `components:`"),
    KeyEntry("without", TEXT, "", about="a design, or a kind of card, that one seat may not use"),
    KeyEntry("may", ListShape(TEXT), [], about="with `without`: moves that stay allowed"),
))  # fmt: skip

_DECIDE = KeyedShape("Decide", "when it is enough", (
    KeyEntry("margin", MapShape(TEXT, _parsed_shape(_parse_margin, _AMOUNT_SCHEMA)), {},
                about="the largest gap that does not matter"),
    KeyEntry("confidence", _parsed_shape(_parse_confidence, {"type": "string", "pattern": "%"}), 0.95,
                about="of all intervals"),
    KeyEntry("at most", _parsed_shape(_parse_games, _GAMES_SCHEMA), 1000, about="games of each arm at each table"),
))  # fmt: skip

_NUMBER_OF = PlainShape("whole number", {"ge": 0, "le": 1_000_000})

_CARDS = KeyedShape("Cards", "who has which card, and who wins with it", (
    KeyEntry("played", ListShape(TEXT), [], about="zones: a card counts as played that goes there from a hand"),
    KeyEntry("better", ListShape(TEXT), [], about="fields whose larger numbers are better"),
    KeyEntry("worse", ListShape(TEXT), [], about="fields whose larger numbers are worse"),
))  # fmt: skip

_SKILL = KeyedShape("Skill", "how much better players win: `bots`, the weakest first, against each other", (
    KeyEntry("games", _NUMBER_OF, None, "seeds of each match; by default more for faster bots", "seeds"),
    KeyEntry("deals", _NUMBER_OF, None, about="deals for the share of luck"),
    KeyEntry("all pairs", PlainShape("truth"), False, "all pairs, not only each against the one below", "pairs"),
))  # fmt: skip

_PLAYERS = ListShape(PlainShape("whole number", {"ge": 1, "le": 100}), {"min_length": 1})

EXPERIMENT = KeyedShape("Experiment", "questions that many games answer", (
    KeyEntry("format", _parsed_shape(_parse_format, {"const": FORMAT}),
                about=f"the version of this format: {FORMAT}"),
    KeyEntry("game", TEXT, about="its folder in data/"),
    KeyEntry("question", ConvertedShape(
        MapShape(TEXT, TEXT),
        before=lambda value: {"": value} if isinstance(value, str) else value,
        schema=_QUESTION_SCHEMA,
    ), {}, about="the question"),
    KeyEntry("arms", MapShape(TEXT, _ARM, {"min_length": 1}), about="ways to play, by their names"),
    KeyEntry("players", _PLAYERS, None, about="by default the most"),
    KeyEntry("bots", MapShape(TEXT, _parsed_shape(
        lambda bots: tuple(map(_parse_bot, bots if isinstance(bots, list) else [bots])), _BOTS_SCHEMA
    ), {"min_length": 1}), {"": ("random",)}, about="who plays"),
    KeyEntry("seats", ChoiceShape(("rotate", "as given")), "rotate", about="different bots take turns in all seats"),
    KeyEntry("measures", ConvertedShape(
        MapShape(TEXT, _parsed_shape(_parse_measure, _MEASURE_SCHEMA)),
        before=lambda names: {one: one for one in map(_parse_measure, names)} if isinstance(names, list) else names,
        schema=_MEASURES_SCHEMA,
    ), {}, about="what is counted"),
    KeyEntry("cards", _CARDS, None, about="cards are tracked, and nothing else is counted"),
    KeyEntry("skill", _SKILL, None, about="bots are compared, and nothing else is counted"),
    KeyEntry("aims", MapShape(TEXT, _parsed_shape(_parse_aim, _AIM_SCHEMA)), {},
                about="ranges in which measures should be"),
    KeyEntry("decide", _DECIDE, None, about="when it is enough"),
    KeyEntry("compare", _parsed_shape(_parse_base, {"type": "string", "pattern": "^all against "}), "",
                about="`all against` an arm; by default the first"),
    KeyEntry("run", PlainShape("whole number", {"ge": 0, "le": 2**63 - 1}), 1, about="whose games are played"),
))  # fmt: skip
"""The shape of an experiment's file."""


_PLAIN = (bool, int, float, str)


def make_experiment_schema(game: Game, rules: Rules) -> dict[str, Any]:
    """Return the JSON Schema of this game's experiment files. Raise ProblemsFound if no box can be opened."""
    parts: dict[str, Any] = {}
    schema = {**EXPERIMENT.full_json_schema(parts), "$defs": parts}
    keys = schema["properties"]
    keys["game"]["const"] = game.id
    keys["players"]["items"] |= {"minimum": game.players.fewest, "maximum": game.players.most}
    measures = make_measures(rules, rules.box(game, game.players.most, {}))
    for place in (keys["measures"]["anyOf"][0]["additionalProperties"], keys["measures"]["anyOf"][1]["items"]):
        place["anyOf"].insert(0, {"enum": list(measures)})
    keys["bots"]["additionalProperties"]["anyOf"].insert(0, {"enum": list(list_bot_names(rules))})
    arm = parts["Arm"]["properties"]
    arm["readings"]["properties"] = {
        name: {
            "anyOf": [{"enum": list(one.choices)}, {"type": "string", "pattern": ","}],  # with commas, a range
            "description": f"now {one.value}",
        }
        for one in game.readings.values()
        if one.switch
        for name in (one.id, one.switch)
    }
    counts = {
        f"{kind.id}.designs.{design.id.rpartition('/')[2]}.count": design.count
        for kind in game.kinds.values()
        for design in kind.designs
    }
    for section, known in (("rules", dict(_value_paths(game.sections.get("rules", {})))), ("components", counts)):
        arm[section]["properties"] = {
            path: {**VALUE_SCHEMA, "description": f"now {now}"} for path, now in known.items()
        }
    return {"$schema": DIALECT, **sort_keys(schema)}


def _value_paths(values: Any, way: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(values, Mapping):
        for name, value in values.items():
            yield from _value_paths(value, f"{way}.{name}" if way else str(name))
    elif isinstance(values, (list, tuple)):
        for value in values:
            if isinstance(value, Mapping) and "id" in value:
                yield from _value_paths(value, f"{way}.{value['id']}")
    elif isinstance(values, _PLAIN):
        yield way, values
