"""Laws of the list of changes, for any two states of a box: who follows it has the new box, and no card too many."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from generator.base.geometry import Size
from generator.game.model import Kind
from generator.game.rich_text import Words
from generator.versions.change_list import compare_versions
from generator.versions.game_version import Version
from generator.versions.records import VersionDesign

KIND = Kind("k", Words({}), Size(40, 60), ())
LOOKS = "abcdef"
Box = dict[str, tuple[str, int]]
BOXES = st.dictionaries(
    st.sampled_from(["one", "two", "three", "four", "five"]), st.tuples(st.sampled_from(LOOKS), st.integers(0, 4))
)
APART = BOXES.filter(lambda box: len({look for look, _ in box.values()}) == len(box))


def version(box: Box) -> Version:
    """A state whose designs show these fronts, so many of each."""
    designs = {
        f"k/{name}": VersionDesign(f"k/{name}", "k", count, {}, {("front", "en"): look * 64})
        for name, (look, count) in box.items()
    }
    return Version("", "g", {"en": "G"}, "1", ("en",), {"k": KIND}, designs, None, None, Path())


def pieces(box: Box) -> Counter[str]:
    """How many pieces of each look lie in the box."""
    found: Counter[str] = Counter()
    for look, count in box.values():
        found[look] += count
    return found


def look(design: VersionDesign | None) -> str:
    return design.faces["front", "en"][0] if design else ""


@pytest.mark.slow
@given(BOXES, BOXES)
@example({"one": ("a", 0), "two": ("a", 1)}, {"one": ("a", 1)})
def test_who_follows_the_list_has_the_new_box(old: Box, new: Box) -> None:
    """Take out what is to be taken out, put in what is printed: the new box, whatever ids and looks changed hands."""
    box = pieces(old)
    changes = compare_versions(version(old), version(new), "en")
    for change in changes.all:
        box[look(change.before)] -= change.take_out
        assert box[look(change.before)] >= 0, "nobody can take out what is not there"
    for change in changes.all:
        box[look(change.after)] += change.to_print

    assert +box == +pieces(new)
    for change in changes.changes_of_sort("renamed"):
        before, count = old.get(change.id[2:], ("", 0))
        assert not count or before != look(change.after), "what looks as before and was in the box is left alone"
    assert changes.copies_to_print == sum(len(copies) for copies in changes.parts.values())


@given(APART, APART)
def test_nothing_is_printed_that_the_box_has(old: Box, new: Box) -> None:
    """Where all designs can be told apart exactly the missing pieces are printed, also of designs numbered anew."""
    changes = compare_versions(version(old), version(new), "en")
    assert changes.copies_to_print == (pieces(new) - pieces(old)).total()
    assert changes.copies_to_take_out == (pieces(old) - pieces(new)).total()


@given(BOXES)
def test_a_box_does_not_differ_from_itself(box: Box) -> None:
    """The same state twice: no change."""
    assert compare_versions(version(box), version(box), "en").all == ()
