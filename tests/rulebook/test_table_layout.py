"""The layout of a table, whatever its plan: everything has room, nothing lies on anything else, the scale is kept."""

from math import hypot

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from generator.base.geometry import Rect, Size
from generator.books.rulebook.figure_marks import find_free_spot
from generator.books.rulebook.table_layout import Board, LaidTable, Sign, TableLayout, find_piece_corners, select_places
from generator.game.data_fields import TablePlace, TablePlan
from generator.game.rich_text import Words
from generator.play.table_positions import LaidCell, LaidPlace

SIZES = {"card": Size(63, 88), "board": Size(262, 180), "token": Size(15, 15), "pawn": Size(20, 34)}
LIES = ("pile", "piles", "row", "column", "columns", "fan")

names = st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=8, unique=True)
cells = st.lists(
    st.lists(
        st.tuples(st.sampled_from([f"{kind}/{n}" for kind in SIZES for n in (1, 2)]), st.integers(1, 12)), max_size=3
    ).map(lambda pieces: LaidCell("zone", tuple(dict(pieces).items()))),
    min_size=1,
    max_size=3,
)


@st.composite
def tables(draw: st.DrawFn) -> tuple[TablePlan, list[LaidPlace]]:
    """A plan with what lies at its places."""
    found = draw(names)
    middle = found[: draw(st.integers(1, len(found)))]
    own = found[len(middle) :]
    each = draw(st.integers(1, 3))
    rows = tuple(tuple(middle[at : at + each]) for at in range(0, len(middle), each))
    places = {
        name: TablePlace(
            id=name,
            name=Words({"en": name}),
            zone=("zone",),
            lies=draw(st.sampled_from(LIES)),
            room=draw(st.sampled_from(["", "card"])),
            gap=draw(st.sampled_from([0.0, 5.0])),
            turned=draw(st.sampled_from([0, 90, 180, 270])),
        )
        for name in found
    }
    small = draw(st.sampled_from([1.0, 0.4]))
    plan = TablePlan(usual=2, rows=rows, seat=((*own,),) if own else (), others_size=small, places=places)
    players = draw(st.integers(1, 4))
    laid = [LaidPlace(places[name], 0, tuple(draw(cells))) for name in middle]
    laid += [LaidPlace(places[name], seat, tuple(draw(cells))) for name in own for seat in range(1, players + 1)]
    return plan, laid


def layout(plan: TablePlan, laid: list[LaidPlace]) -> TableLayout:
    """Its layout, with names that are 9 mm wide, numbers and no spaces."""
    board = Board(lambda _design: (), lambda _design, _space, _pieces: ())
    signs = (Sign(9.0, 3.5), Sign(0.0))
    return TableLayout(plan, laid, lambda name: SIZES[name.partition("/")[0]], lambda one: signs[one.seat > 1], board)


def boxes(table: LaidTable) -> list[Rect]:
    """The boxes of all places, each with its name and number."""
    found = []
    for one in table.boxes.values():
        whole = one.box.unite(one.label) if one.label else one.box
        found.append(whole.unite(one.ring) if one.ring else whole)
    return found


@settings(max_examples=40)
@given(tables())
def test_no_two_places_share_room(made: tuple[TablePlan, list[LaidPlace]]) -> None:
    """Places with their names lie beside each other, within the table, and clear of the players' tabs."""
    table = layout(*made).fit_table(114, 138)
    whole = Rect(0, 0, table.size.width, table.size.height)
    there = [*boxes(table), *table.seats.values()]
    assert all(whole.contains(box, 1e-3) for box in there)
    for at, box in enumerate(there):
        assert not [other for other in there[at + 1 :] if box.grow(-1e-3).overlaps(other.grow(-1e-3))]


@settings(max_examples=40)
@given(tables())
def test_a_number_covers_neither_pieces_nor_the_name(made: tuple[TablePlan, list[LaidPlace]]) -> None:
    table = layout(*made).fit_table(114, 138)
    for one in table.boxes.values():
        assert (one.ring is not None) == (one.laid.seat < 2)
        if one.ring is not None:
            assert one.label is not None
            assert not one.ring.overlaps(one.label, 1e-3)
            assert not one.ring.overlaps(one.box, 1e-3)


def test_a_number_on_a_board_covers_no_piece_of_its_place() -> None:
    pieces = [Rect(4, 10, 3, 3), Rect(7, 10, 3, 3)]
    whole = Rect(0, 0, 40, 40)
    spot = find_free_spot(pieces, whole, [])
    assert spot.right == 4 and not any(map(spot.overlaps, pieces))
    second = find_free_spot(pieces, whole, [spot])
    assert not second.overlaps(spot) and not any(map(second.overlaps, pieces))
    assert whole.contains(second)


@settings(max_examples=40)
@given(tables())
def test_the_table_is_as_large_as_the_page_lets_it(made: tuple[TablePlan, list[LaidPlace]]) -> None:
    """It is within the width and the height, and touches one of them unless its pieces are large enough.

    Names are as large as they are: where these alone have no room, the table is too large.
    """
    least = layout(*made).lay_at_scale(0.005)
    assume(least.size.width * 0.005 < 113 and least.size.height * 0.005 < 137)
    table = layout(*made).fit_table(114, 138)
    wide, high = table.size.width * table.scale, table.size.height * table.scale
    assert wide <= 114 + 1e-6 and high <= 138 + 1e-6
    assert table.scale > 0.69 or wide > 113 or high > 137


@settings(max_examples=40)
@given(tables())
def test_pieces_keep_their_size(made: tuple[TablePlan, list[LaidPlace]]) -> None:
    """One scale for all: a piece is as large as it is, but for those of the others, which the plan makes smaller."""
    plan, laid = made
    table = layout(plan, laid).lay_at_scale(0.2)
    for key, pieces in table.pieces.items():
        wanted = plan.others_size if table.boxes[key].laid.seat > 1 else 1.0
        for piece in pieces:
            a, b, c, d, _, _ = piece.matrix
            assert abs(hypot(a, b) - wanted) < 1e-6 and abs(hypot(c, d) - wanted) < 1e-6


@settings(max_examples=40)
@given(tables())
def test_pieces_lie_at_their_places(made: tuple[TablePlan, list[LaidPlace]]) -> None:
    table = layout(*made).lay_at_scale(0.2)
    for key, pieces in table.pieces.items():
        box = table.boxes[key].box.grow(1e-3)
        points = [point for piece in pieces for point in find_piece_corners(piece)]
        assert all(box.x <= x <= box.right and box.y <= y <= box.bottom for x, y in points)


@settings(max_examples=40)
@given(tables())
def test_a_part_of_the_table(made: tuple[TablePlan, list[LaidPlace]]) -> None:
    """`only` leaves the places that are named, and of the players' own places alone those of one player."""
    plan, laid = made
    name = laid[-1].place.id
    table = layout(select_places(plan, [name]), laid).fit_table(114, 138)
    assert {one.laid.place.id for one in table.boxes.values()} <= {name}
    assert len(table.boxes) <= 1
    assert not table.seats
