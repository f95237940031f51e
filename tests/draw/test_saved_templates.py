"""Templates as drawing programs save them: what changes nothing is accepted, lines of text are filled in."""

from pathlib import Path

import pytest
from face_games import Table, complaints, design, drawn, tale

from generator.base.display_list import Drawing, walk_leaves

SAVED = Path(__file__).with_name("saved_by_inkscape.svg").read_text("utf-8")
PLAIN = """<g id="layer1" transform="translate(1 2)">
<rect id="rect1" x="4" y="4" width="50" height="30" rx="2" fill="#ffcc00" stroke="#333333" stroke-width="0.5"/>
<g id="text1" fill="#000000" font-family="body"><text x="5" y="50" font-size="4">{{ card.title }}</text>
<text x="5" y="55" font-size="5">together</text></g></g>"""


def saved(root: Path, markup: str, *titles: str) -> list[Drawing]:
    """The fronts of cards with these titles."""
    table = Table(root, tale(*[design(title, title=title) for title in titles]), {"tale/card.svg": markup})
    fronts = [table.draw(number) for number in range(len(titles))]
    assert all(fronts), table.complaints
    return [front for front in fronts if front is not None]


def test_a_drawing_saved_by_inkscape_is_a_template(tmp_path: Path) -> None:
    """It looks like the same card written by hand, also for further cards, which share what their template draws."""
    titles = ("One", "Another", "Third")
    for title, front in zip(titles, saved(tmp_path / "a", SAVED, *titles), strict=True):
        expected = drawn(tmp_path / title, PLAIN, title=title)
        assert [frame.text for frame in front.frames] == [title, "together"]
        assert front.frames == expected.frames
        assert [*walk_leaves(front.items)] == [*walk_leaves(expected.items)]


@pytest.mark.parametrize("given", ["display:inline", "font-variant:normal", "-inkscape-x:y", "visibility:visible"])
def test_properties_that_change_nothing_are_accepted(tmp_path: Path, given: str) -> None:
    drawn(tmp_path / "a", f'<rect width="9" height="9" style="{given}"/>')
    if not given.startswith("-"):
        name = given.partition(":")[0]
        (told,) = complaints(tmp_path / "b", f'<rect width="9" height="9" style="{name}:small-caps"/>')
        assert f"unknown property '{name}' in style" in told


def test_transforms_may_be_properties(tmp_path: Path) -> None:
    expected = drawn(tmp_path / "a", '<rect width="9" height="9" transform="translate(3 4) rotate(90)"/>').items
    moved = '<rect width="9" height="9" style="transform: translate(3px, 4mm) rotate(90deg)"/>'
    assert drawn(tmp_path / "b", moved).items == expected
