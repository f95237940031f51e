"""Pictures, pages, steps and colours of any check list, whatever the game."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.checklist.document import accent, steps
from generator.checklist.inventory import Inventory, KindOfParts, SheetGroup
from generator.model.game import Colour, Form, Kind
from generator.model.sheet import Backs
from generator.model.text import Words
from generator.pages.breaking import NoRoom, filled
from generator.pages.cells import Columns, scale_for
from generator.pages.strips import Strip, Thing
from generator.sheets.order import LIE
from generator.units import Rect, Size

sides = st.floats(5, 400)
ROOM = Rect(10, 20, 100, 120)


@given(sides, sides, st.floats(60, 300))
def test_pictures_are_never_larger_than_the_piece_or_their_columns(width: float, height: float, page: float) -> None:
    """One factor for both sides, at most 1; the picture stays in its columns; what fits is as large as it is."""
    columns = Columns(page)
    scale = scale_for(Size(width, height), columns)

    assert 0 < scale.factor <= 1
    assert 1 <= scale.columns <= columns.number
    assert width * scale.factor <= columns.span(scale.columns) + 1e-6
    assert height * scale.factor <= 26
    if width <= min(20, columns.span(1)) and height <= 20:
        assert scale.factor == 1


def test_cards_come_out_16_to_20_mm_high() -> None:
    """On A4 a playing card is small, yet one can tell which it is."""
    assert 16 <= 88 * scale_for(Size(63, 88), Columns(184)).factor <= 20


def block(height: float, at: int, keep: bool, again: Strip | None = None) -> Strip:
    """A strip with one thing as large as itself."""
    repeated = (again,) if again is not None else ()
    return Strip(height, (Thing("text", Rect(0, 0, 100, height), name=str(at)),), 2.0, keep=keep, again=repeated)


def paged(strips: list[Strip]) -> list[list[Thing]]:
    """The things of each page, moved into the room."""
    columns = filled(strips, ROOM.height)
    return [[thing.moved(ROOM.x, ROOM.y + put.y) for put in one.puts for thing in put.strip.things] for one in columns]


blocks = st.lists(st.tuples(st.floats(1, 90), st.booleans(), st.booleans()), min_size=1, max_size=40)
HEADING = Strip(10, (Thing("text", Rect(0, 0, 100, 10), name="again"),))


@given(blocks)
def test_pages_hold_every_block_once_in_order(sizes: list[tuple[float, bool, bool]]) -> None:
    """Nothing is lost, doubled, outside the room or on top of another; what is repeated stands at a page's head."""
    given_blocks = [
        block(height, at, keep, HEADING if again and at else None) for at, (height, keep, again) in enumerate(sizes)
    ]
    pages = paged(given_blocks)

    flat = [thing for page in pages for thing in page if thing.name != "again"]
    assert [thing.name for thing in flat] == [str(at) for at in range(len(sizes))]
    for page in pages:
        assert page
        assert all(ROOM.holds(thing.box, 1e-4) for thing in page)
        assert all(before.box.bottom <= after.box.y + 1e-6 for before, after in pairwise(page))
        assert all(thing.name != "again" for thing in page[1:])
    for page in pages[1:]:
        first = next(thing for thing in page if thing.name != "again")
        assert (page[0].name == "again") == bool(given_blocks[int(first.name)].again)


@given(st.floats(1, 40), st.floats(1, 40), st.floats(0, 110))
def test_a_heading_is_never_alone_at_a_foot(heading: float, row: float, before: float) -> None:
    """A block that is kept with the next begins the next page with it."""
    pages = paged([block(before + 1, 0, keep=False), block(heading, 1, keep=True), block(row, 2, keep=False)])

    page = next(page for page in pages if any(thing.name == "1" for thing in page))
    assert any(thing.name == "2" for thing in page)


def test_what_is_taller_than_a_page_is_said() -> None:
    """It is not cut off silently."""
    with pytest.raises(NoRoom):
        paged([block(121, 0, keep=False)])


def kind(name: str, form: Form, tiles: int = 1, corner: float = 3.0) -> KindOfParts:
    """A kind without designs, which steps don't look at."""
    shown = Kind(name, Words({"en": name, "ja": name}), Size(10, 10), (), form=form, corner=corner)
    return KindOfParts(shown, (), None, 0, False, LIE[form], tiles)


def told(*kinds: KindOfParts, backs: Backs = "long", sides: str = "one") -> str:
    """All steps in English."""
    names = tuple(one.kind.id for one in kinds)
    group = SheetGroup(1, 1, names, (Size(10, 10),), sides, 1)  # type: ignore[arg-type]
    return "\n".join(steps(Inventory(kinds, (group,), 1, backs, "0"), "en", "sheets.en.pdf", "A4"))


def test_only_the_steps_that_the_pieces_need() -> None:
    """Cards are cut straight; tokens are cut round; standees and cubes are folded too; large boards are joined."""
    cards, tokens = told(kind("reel", "card")), told(kind("coin", "token"))
    folded, boards = told(kind("pawn", "standee"), kind("die", "cube")), told(kind("map", "board", tiles=4))

    assert "mark to mark" in cards and "solid" not in cards and "dashed" not in cards and "grey strip" not in cards
    assert "solid" in tokens and "mark to mark" not in tokens and "dashed" not in tokens and "corners" not in tokens
    assert "pawn, die: cut out one by one along the solid lines" in folded
    assert "die: fold backwards along all dashed lines" in folded and "grey flaps" in folded
    assert "pawn: fold backwards at the head" in folded and "feet" in folded
    assert "flaps" not in told(kind("pawn", "standee")) and "feet" not in told(kind("die", "cube"))
    assert "map (4 parts): cut at the marks" in boards and "mark to mark" not in boards
    assert "mark to mark" in told(kind("map", "board")), "a board that fits on its paper is cut like a card"
    assert "corners" not in told(kind("sheet", "card", corner=0))


def test_the_steps_say_how_backs_are_printed() -> None:
    """Which edge to turn on, folding and glueing only where backs are beside or apart from their fronts."""
    card = kind("reel", "card")

    assert "flipped on the long edge" in told(card, backs="long", sides="both")
    assert "flipped on the short edge" in told(card, backs="short", sides="both")
    folding = told(card, backs="fold", sides="folded")
    assert "on one side" in folding and folding.index("print outside") < folding.index("mark to mark")
    apart = told(card, backs="separate", sides="separate")
    assert apart.index("mark to mark") < apart.index("Glue each cut-out back")
    assert "Glue" not in told(card, backs="none") and "flipped" not in told(card, backs="none")


def test_the_accent_can_be_read_on_white() -> None:
    """The first strong colour with enough contrast; without one a quiet one that can be read; else ink."""
    pale, brown, red = Colour("#f0d0c0"), Colour("#6d5733"), Colour("#c02020")
    ink = Colour("#000000")

    assert accent({"ink": ink, "pale": pale, "brown": brown, "red": red}) == "red"
    assert accent({"ink": ink, "pale": pale, "brown": brown}) == "brown"
    assert accent({"ink": ink, "pale": pale}) == "ink"
