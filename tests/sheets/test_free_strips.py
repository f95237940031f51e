"""What is left free at a sheet's edges: as much as rulers and words take, and spots that keep off each other."""

import pytest
from sheet_cases import on

from generator.base.geometry import Rect
from generator.sheets.imposition import MARK_ROOM
from generator.sheets.settings import find_free_areas
from generator.sheets.slug import CLEARANCE, SPOT_DEPTH, Slug, Spot

LANES = (0.0, *(MARK_ROOM + n * (SPOT_DEPTH + CLEARANCE) for n in (1, 2, 3)))
"""How deep a free strip may be: nothing, or room for marks and some rows of words."""


@pytest.mark.parametrize("axis", ["vertical", "horizontal", None])
def test_an_area_ends_at_its_strips(axis):
    """At each edge it goes to what the printer reaches, or leaves whole rows; turned sheets have them on both sides."""
    settings = on("A4")
    printable = settings.printable
    found = find_free_areas(settings, "a label", False, axis)
    assert found
    for area in found:
        box = area.box
        left, right = box.x - printable.x, printable.right - box.right
        top, bottom = box.y - printable.y, printable.bottom - box.bottom
        for depth in (left, right, top, bottom):
            assert any(depth == pytest.approx(lane) for lane in LANES), depth
        assert max(left, right, top, bottom) == pytest.approx(LANES[1])
        assert axis != "vertical" or left == pytest.approx(right)
        assert axis != "horizontal" or top == pytest.approx(bottom)


def test_a_folded_area_ends_at_the_fold():
    settings = on("A4")
    found = find_free_areas(settings, "a label", True, None)
    assert {area.fold for area in found} == {"vertical", "horizontal"}
    for area in found:
        if area.fold == "vertical":
            assert area.box.right == pytest.approx(settings.paper.width / 2)
        else:
            assert area.box.bottom == pytest.approx(settings.paper.height / 2)


@pytest.mark.parametrize("side", ["top", "bottom", "left", "right"])
def test_a_spot_is_offered_on_both_sides_of_a_taken_one(side):
    """As near as two spots may come, twice the clearance of a mark, so that a mark can pass between them."""
    slug = Slug(Rect(50, 50, 200, 200), Rect(0, 0, 300, 300))
    along = side in ("top", "bottom")
    slug.spots.append(Spot(Rect(140, 0, 20, 3) if along else Rect(0, 140, 3, 20), side))
    offered = set()
    for lane in slug._iter_lanes(side):
        for spot in slug._iter_candidates(lane, side, 30):
            offered.add((spot.box.x, spot.box.right) if along else (spot.box.y, spot.box.bottom))
    assert (140 - 2 * CLEARANCE - 30, 140 - 2 * CLEARANCE) in offered
    assert (160 + 2 * CLEARANCE, 160 + 2 * CLEARANCE + 30) in offered
