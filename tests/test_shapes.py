"""Shapes read strictly and tell everything that is wrong at once; misspelt names are answered by the nearest one."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests_support import examples

from generator.base import errors
from generator.base.errors import MOST_COMPARED, InvalidInput, LineStarts, did_you_mean
from generator.game.data_shapes import (
    ANY,
    KEY,
    NUMBER,
    TEXT,
    TRUTH,
    WHOLE,
    ChoiceShape,
    ConvertedShape,
    DataShape,
    KeyedShape,
    KeyedValues,
    KeyEntry,
    ListShape,
    MapShape,
    OptionalShape,
    PlainShape,
    UnionShape,
    WrongType,
    find_known_keys,
    read_shape,
)
from generator.game.schema import GAME

ID = PlainShape("text", {"pattern": r"^[a-z]+$"}, "small letters")
CARD = KeyedShape(
    "Card",
    "A card.",
    [KeyEntry("id", ID), KeyEntry("from", TEXT, named="kind"), KeyEntry("count", WHOLE, 1, "how many")],
)


def refuse(value: Any) -> Any:
    """Stands for whatever makes one value of another."""
    if value == "mistyped":
        raise WrongType("credit")
    if value == "unfit":
        raise InvalidInput("it is unfit", "mend it")
    return value


@pytest.mark.parametrize(
    ("shape", "value", "kinds"),
    [
        (TEXT, "a", []),
        (TEXT, 1, ["text"]),
        (WHOLE, 10**30, []),
        (WHOLE, True, ["whole number"]),
        (WHOLE, 1.0, ["whole number"]),
        (NUMBER, 1, []),
        (NUMBER, False, ["number"]),
        (NUMBER, 10**400, ["number"]),
        (TRUTH, True, []),
        (TRUTH, 1, ["truth"]),
        (WHOLE.with_limits({"ge": 1, "le": 2}), 3, ["le"]),
        (WHOLE.with_limits({"ge": 1, "le": 2}), 0, ["ge"]),
        (NUMBER.with_limits({"le": 2}), float("nan"), ["le"]),
        (NUMBER.with_limits({"le": 2}).with_limits({"le": 5}), 4, []),
        (TEXT.with_limits({"min_length": 1}), "", ["min_length"]),
        (TEXT.with_limits({"max_length": 1}), "ab", ["max_length"]),
        (ID, "a\n", ["pattern"]),
        (ID, "ab", []),
        (ChoiceShape(["a", "b"]), "c", ["choice"]),
        (ChoiceShape(["a", "b"]), ["a"], ["choice"]),
        (OptionalShape(WHOLE).with_limits({"ge": 1}), None, []),
        (OptionalShape(WHOLE).with_limits({"ge": 1}), 0, ["ge"]),
        (UnionShape({"str": TEXT, "int": WHOLE}), 1, []),
        (UnionShape({"str": TEXT, "int": WHOLE}), 1.5, ["text", "whole number"]),
        (ListShape(WHOLE, {"min_length": 2, "max_length": 3}), [1], ["few"]),
        (ListShape(WHOLE, {"min_length": 2, "max_length": 3}), ["a"], ["whole number"]),
        (ListShape(WHOLE, {"min_length": 2, "max_length": 3}), [1, 2, 3, "a"], ["many"]),
        (ListShape(WHOLE), (1,), ["list"]),
        (MapShape(ID, WHOLE, {"min_length": 1}), {}, ["few"]),
        (MapShape(ID, WHOLE), {"A": "a", 1: 2}, ["pattern", "whole number", "text"]),
        (MapShape(ID, WHOLE), [], ["mapping"]),
        (ConvertedShape(TEXT, before=refuse), "mistyped", ["credit"]),
        (ConvertedShape(TEXT, after=refuse), "unfit", ["error"]),
        (ConvertedShape(TEXT, after=refuse), 5, ["text"]),
        (CARD, {"from": 5, "more": 1, None: 2}, ["missing", "text", "unknown", "key"]),
        (CARD, 5, ["mapping"]),
        (ANY, object(), []),
    ],
)
def test_what_is_wrong_is_told_all_at_once(shape: DataShape, value: Any, kinds: list[str]) -> None:
    assert [one.kind for one in read_shape(shape, value)[1]] == kinds


def test_a_finding_knows_where_it_is() -> None:
    shape = ListShape(MapShape(ID, CARD))
    found = read_shape(shape, [{"a": {"id": "x", "from": "y"}, "B": {"id": 1, "from": "y"}}])[1]
    assert [one.path for one in found] == [(0, "B", KEY), (0, "B", "id")]
    assert find_known_keys(shape, (0, "B")) == ["id", "from", "count"]
    assert not find_known_keys(shape, (0, "B", "id"))


def test_what_is_said_knows_what_was_written() -> None:
    said, found = read_shape(CARD, {"id": "a", "from": "b"})
    assert not found
    assert vars(said) == {"id": "a", "kind": "b", "count": 1}
    assert said.written == {"id", "kind"}
    assert read_shape(CARD, said)[0] is said
    assert isinstance(read_shape(NUMBER, 1)[0], float)


def test_editors_are_told_the_same() -> None:
    parts: dict[str, Any] = {}
    shape = MapShape(ID, CARD, {"min_length": 1})
    assert shape.json_schema(parts) == {
        "type": "object",
        "patternProperties": {"^[a-z]+$": {"$ref": "#/$defs/Card"}},
        "propertyNames": {"description": "small letters"},
        "minProperties": 1,
    }
    assert parts["Card"]["properties"]["count"] == {"type": "integer", "default": 1, "description": "how many"}
    assert parts["Card"]["required"] == ["id", "from"]
    assert parts["Card"]["additionalProperties"] is False


def test_a_limit_that_a_shape_cannot_have_is_a_mistake_of_ours() -> None:
    with pytest.raises(TypeError, match="no limits"):
        TRUTH.with_limits({}) and ChoiceShape(["a"]).with_limits({"ge": 1})


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5) | st.integers(), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from([*GAME.entries, "unknown"]), JSON))
def test_any_data_are_read_or_found_wrong(data: dict[str, Any]) -> None:
    said, found = read_shape(GAME, data)
    assert found or isinstance(said, KeyedValues)
    for one in found:
        assert one.path[0] in data or one.kind == "missing"


MANY = frozenset(f"lamp-{number:04}" for number in range(4_000)) | {"kite", "wheat"}
FIRST = f"known: kite, {', '.join(f'lamp-{number:04}' for number in range(23))} ..."


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("wheet", "did you mean 'wheat'?"),
        ("whea", "did you mean 'wheat'?"),
        ("wheatt", "did you mean 'wheat'?"),
        ("hweat", "did you mean 'wheat'?"),
        ("barley", FIRST),
        ("x" * 5_000, FIRST),
    ],
)  # fmt: skip
def test_the_nearest_of_many_names(word: str, hint: str) -> None:
    assert did_you_mean(word, MANY) == hint


def test_the_nearest_of_few_names() -> None:
    assert did_you_mean("bronce", ["gold", "bronze"]) == "did you mean 'bronze'?"
    assert did_you_mean("Gold", ["gold", "bronze"]) == "did you mean 'gold'?"
    assert did_you_mean("bro", ["gold", "bronze"]) == "did you mean 'bronze'?"
    assert did_you_mean("moon", ["diamond", "sun"]) == "known: diamond, sun"
    assert did_you_mean("yellow", ["swallow", "sun"]) == "known: sun, swallow"
    assert did_you_mean("sun swallow", ["swallow", "sun"]) == "a comma is missing: write sun, swallow"
    assert did_you_mean("tin", ["gold", "bronze"]) == "known: bronze, gold"
    assert did_you_mean("tin", []) == "there are none to choose from"
    assert did_you_mean("tin", ["n" * 1_000]) == f"known: {'n' * 1_000}"


@given(st.data(), st.sets(st.text("abc", min_size=2, max_size=6), min_size=1, max_size=40))
@examples(200)
def test_a_lost_letter_among_many(data: st.DataObject, names: set[str]) -> None:
    name = data.draw(st.sampled_from(sorted(names)))
    lost = data.draw(st.integers(0, len(name) - 1))
    others = {f"{number}{'z' * 30}" for number in range(MOST_COMPARED)}
    hint = did_you_mean(name[:lost] + name[lost + 1 :], names | others)
    assert hint.removeprefix("did you mean '").removesuffix("'?") in names


def test_asking_again_looks_through_the_names_once(monkeypatch: pytest.MonkeyPatch) -> None:
    looked = []
    honest = errors._drop_each_letter
    monkeypatch.setattr(errors, "_drop_each_letter", lambda word: looked.append(word) or honest(word))
    errors._index_shortened_names.cache_clear()
    for number in range(1_000):
        did_you_mean(f"card-{number}", MANY)
    assert len(looked) <= len(MANY) + 2_000


@given(st.text("a\n\r", max_size=30), st.integers(0, 30))
def test_lines_and_columns_are_those_of_counting(text: str, offset: int) -> None:
    at = min(offset, len(text))
    assert LineStarts(text).find_position(at) == (text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at))
