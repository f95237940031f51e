"""Whatever is wrong with a file of JSON is told at its line; a field of the data is defined once, in its dataclass."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import pytest

from generator.base.errors import ProblemsFound
from generator.base.geometry import Size
from generator.game.data_fields import About, collect_values
from generator.game.data_reader import read_json
from generator.game.data_shapes import read_shape
from generator.game.model import IconEntry, Kind
from generator.game.rich_text import Words
from generator.game.schema import shape_from_class
from generator.versions.compare_games import list_kind_values

DEEP = "[" * 60 + "]" * 60


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"", "f:1:1: Expecting value"),
        (b"[" * 4, "f:1:5: Expecting value"),
        (b"\n" + b"[" * 100_000, "f:2:41: it has no end"),
        (f'{{"a": "[[",\n"x": {DEEP}}}'.encode(), "f:2:45: it has no end"),
        (b'{"a": 1,\n"b', "f:2:1: Unterminated string starting at"),
        (b'{"a": 1,\n\0', "f:2:1: Expecting property name enclosed in double quotes"),
        (b'{"a":\n"\xff"}', "f:2: it is not UTF-8"),
        (b'{"a": 5,\n "b": -Infinity}', "f:2:7: infinity and NaN are not numbers here"),
        (b'["NaN",\n1e999]', "f:2:1: infinity and NaN are not numbers here"),
        (b"[1,\n" + b"9" * 5000 + b"]", "f:2:1: infinity and NaN are not numbers here"),
        (b'["\\ud83d\\ude00 \\\\ud800",\n"\\ud800"]', "f:2:1: a text has an incomplete character"),
    ],
)  # fmt: skip
def test_what_is_no_json_is_told_at_its_line(tmp_path: Path, text: bytes, said: str) -> None:
    (tmp_path / "f").write_bytes(text)
    with pytest.raises(ProblemsFound) as found:
        read_json(tmp_path / "f", "f", "record", "mend it")
    assert [str(problem) for problem in found.value.problems] == [f"{said}; mend it"]


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
