"""Designs print the spaces that the data state, and pieces find room on them (15 mm on the tiny card of 20 x 30 mm)."""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiny_game import box, context, design, drawing, game, kind, place

from generator.base.display_list import Drawing, Group, Item, PlacedSymbol, Shape, Symbol
from generator.base.geometry import Size
from generator.base.outlines import flatten_path
from generator.checks.data_checks import check_needed_spaces, check_spaces
from generator.drawing.svg.face_areas import (
    centre_polygon,
    count_fitting,
    count_places,
    draw_footprint,
    is_inside_outline,
)
from generator.game.data_fields import SpaceSpec
from generator.game.model import Kind

CIRCLE = "M 7.5 0 C 11.642 0 15 3.358 15 7.5 C 15 11.642 11.642 15 7.5 15 C 3.358 15 0 11.642 0 7.5 C 0 3.358 3.358 0 7.5 0 Z"  # fmt: skip
HEXAGON = "M 8 0 L 16 4.619 L 16 13.857 L 8 18.475 L 0 13.857 L 0 4.619 Z"


def piece(name: str = "token", width: float = 15, height: float = 15, **more: Any) -> Kind:
    return replace(kind(design(kind=name), name=name), size=Size(width, height), **{"corner": 0.0, **more})


def board(*items: Item) -> Drawing:
    """A face of 120 x 60 mm, so that many pieces lie on it."""
    return drawing(*items)._replace(width=120.0, height=60.0)


def space(*items: Item, name: str = "gauge", **data: str) -> Group:
    return Group(items, id=name, data=tuple(data.items()))


def check(*items: Item, of: Kind | None = None):
    """The one check of a board with these items in a game with 15 mm tokens."""
    made = game(kind(design("a")), of or piece())
    (found,) = check_spaces(made, context(board(*items)))
    return found


def row(number: int, size: float = 15, pitch: float = 16) -> tuple[Shape, ...]:
    return tuple(box(5 + at * pitch, 5, size, size) for at in range(number))


def test_a_place_for_each_piece_passes():
    found = check(space(*row(5), space="token", holds="5"))
    assert (found.id, found.kind, found.status) == ("spaces-fit.card", "space", "pass")
    assert (found.sentence, found.figures) == ("card: pieces fit on their spaces", "1 spaces with 5 places and 0 piles")


def test_a_place_1_mm_too_small_fails():
    found = check(space(*row(4), box(80, 5, 14, 15), space="token", holds="5"))
    assert (found.status, found.place) == ("fail", place(10))
    assert found.sentence == "card: pieces don't fit on their spaces"
    assert found.figures == (
        "card/a front ja (front.svg): the space 'gauge' is for 5 token of 15 x 15 mm, but has 4 places for them; "
        "14 x 15 mm is too small"
    )


@pytest.mark.parametrize("number", [4, 6])
def test_too_few_and_too_many_places_fail(number):
    found = check(space(*row(number), space="token", holds="5"))
    assert found.figures.endswith(f"is for 5 token of 15 x 15 mm, but has {number} places for them")


def test_only_what_is_nearer_than_a_cut_is_exact_is_forgiven():
    """0.05 mm on each side."""
    assert check(space(*row(2, 14.91), space="token", holds="2")).status == "pass"
    assert check(space(*row(2, 14.89), space="token", holds="2")).status == "fail"


def test_a_compartment_takes_pieces_in_rows():
    """One outline alone in its group: 2 rows of 4 squares fit in 60 x 30 mm, upright cards turned where they must."""
    assert check(space(box(5, 5, 60, 30), space="token", holds="8")).status == "pass"
    found = check(space(box(5, 5, 60, 30), space="token", holds="9"))
    assert found.figures.endswith("is for 9 token of 15 x 15 mm, but its outline of 60 x 30 mm takes 8")
    assert check(space(box(5, 5, 40, 30), space="token", holds="4"), of=piece(width=10, height=30)).status == "pass"
    assert check(space(box(5, 5, 30, 40), space="token", holds="4"), of=piece(width=10, height=30)).status == "pass"
    assert check(space(box(5, 5, 30, 39), space="token", holds="4"), of=piece(width=10, height=30)).status == "fail"


def test_a_pile_has_room_for_one():
    assert check(space(box(5, 5, 15, 15), space="token", pile="yes")).figures == "1 spaces with 0 places and 1 piles"
    found = check(space(box(5, 5, 14, 40), space="token", pile="yes"))
    assert found.figures.endswith("is for a pile of token of 15 x 15 mm, but its outline of 14 x 40 mm takes 0")


def test_every_shape_has_its_own_place():
    """A round token fits its circle and a hexagon its hexagon; a square fits neither though they are as wide."""
    circles, hexagons = (
        tuple(Group((Shape(path, "red"),), (1, 0, 0, 1, 5 + 20 * at, 5)) for at in range(3))
        for path in (CIRCLE, HEXAGON)
    )
    assert check(space(*circles, space="token", holds="3"), of=piece(outline=CIRCLE)).status == "pass"
    found = check(space(*circles, space="token", holds="3"))
    assert found.figures.endswith("has 0 places for them; 15 x 15 mm has another shape")
    hexagon = piece(width=16, height=18.475, outline=HEXAGON)
    assert check(space(*hexagons, space="token", holds="3"), of=hexagon).status == "pass"
    assert check(space(*hexagons, space="token", holds="3"), of=piece(width=16, height=16)).status == "fail"


def test_cards_have_the_corners_of_their_kind():
    """A place with corners of 3 mm takes cards with such corners, not cards that keep theirs."""
    rounded = "M 8 5 L 22 5 C 23.657 5 25 6.343 25 8 L 25 32 C 25 33.657 23.657 35 22 35 L 8 35 C 6.343 35 5 33.657 5 32 L 5 8 C 5 6.343 6.343 5 8 5 Z"  # fmt: skip
    place_for_one = space(Shape(rounded, stroke="red", width=0.3), space="token", holds="1")
    assert check(place_for_one, of=piece(width=20, height=30, corner=3)).status == "pass"
    assert check(place_for_one, of=piece(width=20, height=30, corner=1)).status == "fail"


def test_a_standee_stands_on_its_feet():
    pawn = piece(width=18, height=30, form="standee", foot=9.0)
    assert check(space(*row(3, 18, 20), space="token", holds="3"), of=pawn).status == "pass"
    assert check(space(*row(3, 17, 20), space="token", holds="3"), of=pawn).figures.endswith(
        "is for 3 token of 18 x 18 mm, but has 0 places for them; 17 x 17 mm is too small"
    )


@given(st.floats(0, 20), st.booleans())
def test_places_that_overlap_are_one(offset, down):
    """A second place counts from where the pieces lie side by side; 0.05 mm is forgiven."""
    other = box(5 if down else 5 + offset, 5 + offset if down else 5, 15, 15)
    outlines = tuple(flatten_path(shape.path)[0].points for shape in (box(5, 5, 15, 15), other))
    if not 14.9 < offset < 14.96:
        assert count_places(draw_footprint(piece()), outlines) == (2 if offset > 14.93 else 1)


@given(st.floats(-50, 50), st.floats(-50, 50), st.sampled_from([CIRCLE, HEXAGON]), st.floats(0.9, 1.1))
def test_a_piece_fits_what_is_as_large_as_it_is(x, y, path, scale):
    own = flatten_path(path, 0.005)[0].points
    around = tuple((x + px * scale, y + py * scale) for px, py in own)
    if not 0.99 < scale < 1:
        assert is_inside_outline(centre_polygon(own), centre_polygon(around)) == (scale >= 1)


def test_a_frame_around_places_is_none():
    frame, places_twice = box(4, 4, 90, 20), (*row(5), *row(5))
    assert check(space(frame, *places_twice, space="token", holds="5")).status == "pass"
    assert check(space(frame, *row(5, 14), space="token", holds="5")).figures.endswith(
        "has 1 places for them; 14 x 14 mm is too small"
    )


def test_a_frame_has_no_place_between_its_places():
    apart = (box(5, 5, 15, 15), box(70, 5, 15, 15))
    assert check(space(box(4, 4, 82, 17), *apart, space="token", holds="2")).status == "pass"
    assert check(space(box(4, 4, 82, 17), *apart, space="token", holds="3")).status == "fail"


def test_a_compartment_may_be_painted_twice():
    ground, line = box(5, 5, 60, 30), box(5, 5, 60, 30, None)._replace(stroke="red", width=0.3)
    assert check(space(ground, line, space="token", holds="8")).status == "pass"
    assert check(space(ground, box(6, 6, 2, 2), space="token", holds="8")).status == "fail"


def test_an_outline_that_bends_inwards_is_followed():
    """A compartment of 40 x 20 mm with a dent in its middle takes no piece there."""
    dented = Shape("M 5 5 L 45 5 L 45 25 L 26 25 L 25 8 L 24 25 L 5 25 Z", "red")
    assert check(space(dented, space="token", holds="2")).status == "fail"
    spiked = Shape("M 5 5 L 25 5 L 25 25 L 15.5 25 L 15 12 L 14.5 25 L 5 25 Z", "red")
    assert check(space(spiked, space="token", holds="1")).status == "fail"
    assert check(space(Shape("M 5 5 L 45 5 L 45 25 L 5 25 Z", "red"), space="token", holds="2")).status == "pass"


def test_lines_text_and_icons_are_no_places():
    line = "M 5 5 L 20 5 L 20 20 L 5 20"
    assert check(space(Shape(line, "red"), space="token", holds="1")).status == "pass"
    assert check(space(Shape(line, stroke="red", width=1), space="token", holds="1")).status == "fail"
    assert check(space(Shape(f"{line} Z"), space="token", holds="1")).status == "fail"
    assert check(space(box(5, 5, 20, 20, role="icon"), space="token", holds="1")).status == "fail"
    art = Symbol("art/field.svg", (box(0, 0, 20, 20),), (0, 0, 20, 20))
    assert check(space(PlacedSymbol(art, (1, 0, 0, 1, 5, 5), role="icon"), space="token", holds="1")).status == "fail"
    assert check(space(PlacedSymbol(art, (1, 0, 0, 1, 5, 5), role="art"), space="token", holds="1")).status == "pass"


def test_what_is_cut_off_is_no_place():
    found = check(space(box(110, 5, 15, 15), *row(1), space="token", holds="2"))
    assert found.figures.endswith("but its outline of 15 x 15 mm takes 1; 1 more are cut off")
    clipped = Group(row(1), clip="M 0 0 L 19 0 L 19 30 L 0 30 Z")
    assert check(space(clipped, space="token", holds="1")).status == "fail"
    assert (
        check(space(clipped._replace(clip="M 0 0 L 21 0 L 21 30 L 0 30 Z"), space="token", holds="1")).status == "pass"
    )


def test_groups_are_found_where_they_lie():
    half = Group((space(*row(1, 30), space="token", holds="1"),), (0.5, 0, 0, 0.5, 0, 0))
    assert check(half).status == "pass"
    assert check(half._replace(matrix=(0.4, 0, 0, 0.4, 0, 0))).figures.endswith("its outline of 12 x 12 mm takes 0")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"space": "tokne", "holds": "1"}, "is for the unknown component 'tokne'; did you mean 'token'?"),
        ({"holds": "1"}, "has no data-space, which names its space"),
        ({"space": "token"}, "needs either data-holds or data-pile"),
        ({"space": "token", "holds": "1", "pile": "yes"}, "needs either data-holds or data-pile"),
        ({"space": "token", "holds": "five"}, 'has data-holds="five"; write a whole number from 1 to 1000'),
        ({"space": "token", "holds": "0"}, 'has data-holds="0"; write a whole number from 1 to 1000'),
        ({"space": "token", "pile": "no"}, 'has data-pile="no"; write "yes", or data-holds'),
    ],
)
def test_what_a_group_says_must_make_sense(data, said):
    assert check(space(*row(1), **data)).figures == f"card/a front ja (front.svg): the space 'gauge' {said}"


def test_both_languages_are_looked_at():
    drawings = {
        ("card/a", "front", lang): board(space(*row(2, size), space="token", holds="2"))
        for lang, size in (("ja", 15), ("en", 14))
    }
    (found,) = check_spaces(game(kind(design("a")), piece()), context(drawings))
    assert found.figures.startswith("card/a front en (front.svg): the space 'gauge'")


def test_kinds_without_spaces_are_not_asked():
    assert list(check_spaces(game(kind(design("a"))), context(drawing(box(1, 1, 5, 5))))) == []


@given(st.integers(1, 40), st.floats(15, 100), st.floats(15, 55))
def test_a_compartment_of_squares_takes_whole_columns_and_rows(wanted, width, height):
    """As many as go side by side times as many as go one below the other, up to the number wanted."""
    around = flatten_path(box(0, 0, width, height).path)[0].points
    across, down = (int((side + 0.1) / 15) for side in (width, height))
    near = any(math.isclose((side + 0.1) % 15, edge, abs_tol=0.06) for side in (width, height) for edge in (0, 15))
    if not near:
        assert count_fitting(draw_footprint(piece()), around, wanted) == min(wanted, across * down)


RULES = {"rules": {"limit": 6, "companies": ("red", "blue"), "rows": {"red": 2, "blue": 3}}}


def evaluate(expression: str, names: Mapping[str, Any]) -> Any:
    """Python stands in for the template language."""
    try:
        words = {"true": True, "false": False, "rules": names["rules"], "card": names["card"], "each": names.get("each")}  # fmt: skip
        return eval(expression, {**words, "__builtins__": {}})  # noqa: S307 - the tests' own expressions
    except (AttributeError, NameError) as error:
        raise ValueError(str(error)) from error


def printed(**spaces: str) -> tuple[Group, ...]:
    """Groups for pieces of the kind `token`: so many, or a pile."""
    return tuple(
        Group(
            (box(1, 1, 5, 5),),
            id=name.replace("_", "-"),
            data=(("space", "token"), ("pile", "yes") if holds == "pile" else ("holds", holds)),
        )
        for name, holds in spaces.items()
    )


def check_needed(*specs: SpaceSpec, faces: Any = None, **spaces: str):
    """The one check of a game whose kind `card` states these spaces; its one design has gauge 4 and is no port."""
    card = kind(design("a", gauge=4, port=None), spaces=specs)
    seen = drawing(*printed(**spaces)) if faces is None else faces
    (found,) = check_needed_spaces(game(card, kind(name="token"), sections=RULES), context(seen), evaluate)
    return found


def spec(name: str = "gauge", holds: str = "", **more: str) -> SpaceSpec:
    return SpaceSpec(name, "token", holds, place=place(30), **more)


GAUGE = spec(holds="card.gauge")
WAREHOUSES = spec("warehouse-*", "rules['limit']", pile="card.port", each="rules['companies']")


def test_the_stated_spaces_pass():
    found = check_needed(GAUGE, WAREHOUSES, gauge="4", warehouse_red="6", warehouse_blue="6")
    assert (found.id, found.kind, found.status, found.place) == ("spaces.card", "space", "pass", place(5))
    assert found.sentence == "card: every design has the spaces that the rules need"
    assert found.figures == "6 spaces on 1 designs, all languages"


@pytest.mark.parametrize(
    ("spaces", "said"),
    [
        ({}, "there is no space 'gauge' for 4 token"),
        ({"gauge": "3"}, "the space 'gauge' is for 3 token, but must be for 4 token"),
        ({"gauge": "pile"}, "the space 'gauge' is for a pile of token, but must be for 4 token"),
        ({"gauge": "4", "gouge": "1"}, "the space 'gouge' is printed, but `spaces:` of its kind doesn't have it"),
    ],
)
def test_other_spaces_than_stated_fail(spaces, said):
    found = check_needed(GAUGE, **spaces)
    assert (found.status, found.place, found.figures) == ("fail", place(10), f"card/a: {said}")
    assert found.sentence == "card: the spaces of designs differ from those that the rules need"


def test_each_name_has_its_space():
    assert (
        check_needed(WAREHOUSES, warehouse_red="6").figures == "card/a: there is no space 'warehouse-blue' for 6 token"
    )
    rows = spec("row-*", "rules['rows'][each]", each="rules['rows']")
    assert check_needed(rows, row_red="2", row_blue="3").status == "pass"
    assert check_needed(rows, row_red="3", row_blue="3").figures.endswith("is for 3 token, but must be for 2 token")


def test_a_pile_goes_before_a_number():
    """Where `pile` is true, any number lies there."""
    assert check_needed(spec(holds="4", pile="true"), gauge="pile").status == "pass"
    assert check_needed(spec(holds="4", pile="true"), gauge="4").status == "fail"
    assert check_needed(spec(pile="true"), gauge="pile").status == "pass"


def test_a_space_for_none_is_not_there():
    """Where `holds` comes to 0, a design must not print it."""
    none = spec(holds="card.gauge - 4")
    assert check_needed(none).status == "pass"
    assert check_needed(none, gauge="4").status == "fail"


def test_one_language_may_differ():
    faces = {("card/a", "front", "ja"): drawing(*printed(gauge="4")), ("card/a", "front", "en"): drawing()}
    assert check_needed(GAUGE, faces=faces).figures == "card/a (en): there is no space 'gauge' for 4 token"


def test_a_space_printed_twice_fails():
    assert check_needed(GAUGE, faces=drawing(*printed(gauge="4"), *printed(gauge="4"))).figures == (
        "card/a: the space 'gauge' is printed twice"
    )


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (spec(holds="card.guage"), "'card.guage' can't be computed: "),
        (spec(holds="card.port"), "'card.port' is not a whole number of 0 or more"),
        (spec(holds="0 - 1"), "'0 - 1' is not a whole number of 0 or more"),
        (spec(holds="true"), "'true' is not a whole number of 0 or more"),
        (spec(pile="card.gauge"), "'card.gauge' is neither true nor false"),
        (spec("a-*", "1", each="card.gauge"), "'card.gauge' is not a list of names"),
        (spec("a-*", "1", each="[1, 2]"), "'[1, 2]' is not a list of names"),
    ],
)
def test_a_statement_without_sense_fails_at_its_own_line(bad, said):
    found = check_needed(bad, gauge="4")
    assert (found.status, found.place) == ("fail", place(30))
    assert found.figures.startswith(f"card/a: the space '{bad.id}' can't be computed: {said}")


def test_two_statements_for_one_space_fail():
    found = check_needed(spec("row-red", "1"), spec("row-*", "1", each="['red']"), row_red="1")
    assert (found.status, found.figures) == ("fail", "card/a: the space 'row-red' is declared twice")


def test_without_faces_it_is_undecided():
    assert check_needed(GAUGE, faces={}).status == "undecided"


def test_kinds_that_state_nothing_are_not_asked():
    made = game(kind(design("a")), kind(name="token"), sections=RULES)
    assert list(check_needed_spaces(made, context(drawing(*printed(gauge="4"))), evaluate)) == []
