"""Kinds that are printed only while a switch of the readings is on."""

from collections.abc import Sequence
from dataclasses import replace

from generator.errors import Problem, did_you_mean
from generator.load.schema import ReadingData
from generator.load.wording import described
from generator.model.game import Kind
from generator.model.source import Sections


def with_option(
    kind: Kind, option: str, readings: Sequence[ReadingData], places: Sections, problems: list[Problem]
) -> Kind:
    """The kind as its switch has it: while that is off, no design of it is counted. An empty option changes nothing."""
    if not option:
        return kind
    values = {reading.switch: reading.value for reading in readings if reading.switch}
    place = places.place("components", kind.id, "option")
    if option not in values:
        problems.append(Problem(place, f"unknown switch '{option}'", did_you_mean(option, values)))
    elif not isinstance(values[option], bool):
        what = f"the switch '{option}' is {described(values[option])}, not true or false, so {kind.id} can't follow it"
        problems.append(Problem(place, what, "name a switch that is true or false"))
    elif not values[option]:
        designs = tuple(replace(design, count=0) for design in kind.designs)
        return replace(kind, option=option, left_out=True, designs=designs)
    return replace(kind, option=option)
