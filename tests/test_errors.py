"""Hints for misspelt names: the nearest one, whatever the number of names, in a time that doesn't grow with it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests_support import examples

from generator.base import errors
from generator.base.errors import MOST_COMPARED, LineStarts, did_you_mean

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
    """Of thousands, one that differs by a letter or two; else the first of all."""
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
