"""A field of the data is defined once, in its dataclass: its checks, its JSON Schema and its values come from there."""

from dataclasses import dataclass
from typing import Annotated

from generator.base.geometry import Size
from generator.game.data_fields import About, collect_values
from generator.game.data_shapes import read_shape
from generator.game.model import IconEntry, Kind
from generator.game.rich_text import Words
from generator.game.schema import shape_from_class
from generator.versions.compare_games import list_kind_values


@dataclass(frozen=True, slots=True)
class Weighed(IconEntry):
    """An icon with one field more than the program's."""

    weight: Annotated[float, About("in grams", ge=0, le=9)] = 0.0


def test_a_field_of_a_dataclass_is_checked_and_told_to_editors() -> None:
    shape = shape_from_class(Weighed, "WeighedData")
    data, found = read_shape(shape, {"name": "sun", "weight": 2})
    assert not found
    assert isinstance(data.weight, float)
    for wrong in ({"weight": 10}, {"weight": "2"}, {"id": "sun"}, {"place": "a.yaml"}):
        assert read_shape(shape, {"name": "sun", **wrong})[1]
    told = shape.full_json_schema({})["properties"]["weight"]
    assert told == {"default": 0.0, "description": "in grams", "maximum": 9, "minimum": 0, "type": "number"}


def test_a_field_of_a_dataclass_is_a_value_of_the_thing() -> None:
    assert collect_values(Weighed("sun", Words({"en": "Sun"}), weight=2.0))["weight"] == 2.0
    kind = Kind("card", Words({"en": "Card"}), Size(63, 88), (), left_out=True, bleed=2.0)
    assert collect_values(kind).keys() >= {"form", "bleed", "designs"}
    assert not collect_values(kind).keys() & {"id", "place", "left_out", "size_name"}
    assert list_kind_values(kind)["bleed"] == 2.0
