"""Arms of an experiment: the game as it would be with other readings, or with other values typed into its data."""

import re
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

from generator.dataclass import dataclass
from generator.errors import Place, Problem, ProblemsFound, did_you_mean
from generator.files import read_file
from generator.load.game import load_game
from generator.load.sections import ParsedFiles
from generator.load.yaml_source import parse_yaml, read_yaml
from generator.model.game import Game
from generator.model.resources import Resources
from generator.model.source import Map, Seq

Value = int | float | bool | str

_ANCHOR = re.compile(r"&[^\s,\[\]{}]+ +")
"""Before a value that is written down once and named elsewhere."""


@dataclass(frozen=True, slots=True)
class Arm:
    """One way to play: `readings` by E-number or switch, `values` by dotted path as `rules.hand`; both over the data.

    `place` is where it is written down, if it is.
    """

    name: str
    readings: Mapping[str, Any] = field(default_factory=dict)
    values: Mapping[str, Value] = field(default_factory=dict)
    place: Place | None = None


class _Retyped(ParsedFiles):
    """Files of a game as they would be with other values typed into them: anchors carry them on, checks see them."""

    def __init__(self, arm: Arm):
        super().__init__()
        self._arm, self.left = arm, dict(arm.values)

    def read(self, path: Path, shown: str) -> Map:
        """The mapping that the file would hold."""
        root = read_yaml(path, shown)
        found = {dotted: spot for dotted in self._arm.values if (spot := _spot(root, dotted.split("."))) is not None}
        if not found:
            return root
        lines = read_file(path, "data").decode("utf-8-sig").split("\n")
        for dotted, (line, column, was) in sorted(found.items(), key=lambda one: one[1][:2], reverse=True):
            text = lines[line - 1]
            anchor = _ANCHOR.match(text, column - 1)
            begin = anchor.end() if anchor else column - 1
            if not text.startswith(was, begin):
                what = f"'{dotted}' is not written as a plain value at {shown}:{line}:{column}"
                hint = "an arm can change plain numbers and words; change the value that an anchor or a table gives"
                raise ProblemsFound([Problem(self._arm.place, what, hint)])
            lines[line - 1] = text[:begin] + _written(self._arm.values[dotted]) + text[begin + len(was) :]
            self.left.pop(dotted, None)
        return parse_yaml("\n".join(lines), shown)


def game_of(arm: Arm, game: Game, folder: Path, resources: Resources) -> Game:
    """The game that an arm changes, with its values; the readings are for `options_of`. ProblemsFound."""
    if not arm.values:
        return game
    retyped = _Retyped(arm)
    changed = load_game(folder, resources, retyped)
    if retyped.left:
        problems = [Problem(arm.place, f"the data have no value '{dotted}'", "write its path, as `rules.hand`")
                    for dotted in retyped.left]  # fmt: skip
        raise ProblemsFound(problems)
    return changed


def options_of(arm: Arm, game: Game) -> dict[str, Any]:
    """The arm's readings as options of a box: by their switches. ProblemsFound for readings that can't be switched."""
    options: dict[str, Any] = {}
    problems = []
    known = {**{one.id: one for one in game.readings.values() if one.switch}}
    for name, value in arm.readings.items():
        if name in game.readings and not game.readings[name].switch:
            what = f"{name} has no switch: there is nothing else that could be played"
            problems.append(Problem(arm.place, what, did_you_mean("", known)))
            continue
        switch = known[name].switch if name in known else name
        if switch in options and options[switch] != value:
            what = f"'{arm.name}' reads {name} in two ways: {options[switch]} and {value}"
            problems.append(Problem(arm.place, what, "make two arms of it"))
        options[switch] = value
    if problems:
        raise ProblemsFound(problems)
    return options


def _written(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _spot(root: Map, steps: list[str]) -> tuple[int, int, str] | None:
    """Line and column of the value at a dotted path, and how it is written; None where the file has none."""
    value: Any = root
    spot = (0, 0)
    for step in steps:
        if isinstance(value, Map) and (step in value or (step.isdecimal() and int(step) in value)):
            key: Any = step if step in value else int(step)
            value, spot = value[key], value.values_at[key]
        elif isinstance(value, Seq):
            at = next((n for n, one in enumerate(value) if isinstance(one, Map) and str(one.get("id")) == step), None)
            if at is None:
                return None
            value, spot = value[at], value.values_at[at]
        else:
            return None
    if isinstance(value, bool | int | float | str):
        return (*spot, _written(value))
    return None
