"""Steps and colours of any check list, whatever the game."""

from generator.base.geometry import Size
from generator.books.check_list import write_steps
from generator.books.inventory import Inventory, KindOfParts, SheetGroup
from generator.drawing.faces.game_drawing import find_accent
from generator.game.model import Colour, Form, Kind
from generator.game.print_pages import Backs
from generator.game.rich_text import Words
from generator.sheets.pieces import choose_lie


def kind(name: str, form: Form, tiles: int = 1, corner: float = 3.0) -> KindOfParts:
    shown = Kind(name, Words({"en": name, "ja": name}), Size(10, 10), (), form=form, corner=corner)
    return KindOfParts(shown, (), None, 0, False, choose_lie(shown), tiles)


def told(*kinds: KindOfParts, backs: Backs = "long", sides: str = "one") -> str:
    names = tuple(one.kind.id for one in kinds)
    group = SheetGroup(1, 1, names, (Size(10, 10),), sides, 1)  # type: ignore[arg-type]
    return "\n".join(write_steps(Inventory(kinds, (group,), 1, backs, "0"), "en", "sheets.en.pdf", "A4"))


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
    assert find_accent({"ink": ink, "pale": pale, "brown": brown, "red": red}) == "red"
    assert find_accent({"ink": ink, "pale": pale, "brown": brown}) == "brown"
    assert find_accent({"ink": ink, "pale": pale}) == "ink"
