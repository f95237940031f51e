"""Pictures of the table: by the plan, from the real components; each mistake of a plan is told with its place."""

from math import hypot
from pathlib import Path

import pytest
from figure_parts import ids, placed_pieces, words
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from rulebook_project import GLOSSARY, WORDS, BookProject, plain
from table_plans import PLAN, PLAN_FILE

from generator.base.display_list import Group, Item, PlacedSymbol
from generator.base.errors import ProblemsFound
from generator.base.geometry import Rect, Size
from generator.books.page.blocks import Figure, Listing, Paragraph
from generator.books.page.figure_setter import FigureSetter, iter_own_type_sizes
from generator.books.page.page_style import LEAFLETS, Look
from generator.books.page.strips import Lane
from generator.books.page.text_setter import TextSetter
from generator.books.rulebook.figure_marks import find_free_spot
from generator.books.rulebook.piece_pictures import WIDTH
from generator.books.rulebook.table_layout import Board, LaidTable, Sign, TableLayout, find_piece_corners, select_places
from generator.checks.validation_games import check_table_plan
from generator.game.data_fields import TablePlace, TablePlan
from generator.game.rich_text import Icon, Words
from generator.play.table_positions import LaidCell, LaidPlace, lay_places
from generator.rules.registry import load_rules


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> BookProject:
    """The project with a plan, in the current folder."""
    made = BookProject(tmp_path / "project")
    made.write(PLAN_FILE, PLAN)
    monkeypatch.chdir(made.root)
    return made


def table(project: BookProject, body: str = "", lang: str = "en") -> Figure:
    """The picture that a block gives."""
    project.body(f"```tabletop\n{body}\n```\n", lang=lang)
    block = project.book(lang).blocks[0]
    assert isinstance(block, Figure)
    return block


def test_the_table_shows_what_the_rules_set_up(project: BookProject) -> None:
    """Each place with its name, hands open to their player alone, room where nothing lies yet; and the same in words."""
    found = table(project)
    assert sorted(words(found.drawing)) == sorted(["Deck ×14", "Trick", "Hand ×3", "Player 1", "Player 2"])
    titles = [piece.title for _, piece in placed_pieces(found.drawing)]
    assert titles.count("Cards") == 5 + 3, "the deck's layers and the other's hand"
    assert len([title for title in titles if title.startswith("the ")]) == 3
    assert found.alt.startswith("player 2, Hand: Cards ×3; Deck: Cards ×14; player 1, Hand: the ")
    assert plain(found.caption) == "The table set up for 2 players"
    assert plain(table(project, lang="ja").caption) == "2人で遊ぶ準備が済んだところ"


def test_as_many_players_as_asked_for(project: BookProject) -> None:
    assert {"Deck ×11", "Player 3"} <= set(words(table(project, "players: 3").drawing))
    project.body("```tabletop\nplayers: 7\n```\n")
    assert project.problems() == [
        "templates/higher/rulebook.en.md:2: there is no set-up for 7 players; name another number"
    ]


def test_a_part_of_the_table(project: BookProject) -> None:
    """`only` shows places alone, larger; an unknown one is told."""
    hand = table(project, "only: [hand]")
    assert words(hand.drawing) == ["Hand ×3"]
    assert len(ids(hand.drawing)) == 3
    assert hand.drawing.width <= WIDTH + 0.3
    project.body("```tabletop\nonly: [hnad]\n```\n")
    assert project.problems() == ["templates/higher/rulebook.en.md:2: unknown place 'hnad'; did you mean 'hand'?"]


def test_an_example_lies_as_the_plan_says(project: BookProject) -> None:
    """A situation `laid: table`, after its moves: what was won is at its place, in the picture of the table."""
    project.body("```figure\nexample: highest\nafter: true\nlaid: table\n```\n")
    found = project.book().blocks[0]
    assert isinstance(found, Figure)
    assert "player 2, Cards won: the 3 and the 8" in found.alt.replace(", the 8", " and the 8")
    assert "player 1, Hand: the 9" in found.alt


def test_places_have_the_numbers_of_the_text(project: BookProject) -> None:
    """The first that is mentioned is number 1, wherever the picture stands; a place without mention has none."""
    text = "```tabletop\n```\n\n1. Deal {place:hand}.\n2. The rest is the deck {place:deck}; look at {place:hand}.\n"
    project.body(text)
    figure, steps = project.book().blocks

    assert isinstance(figure, Figure) and isinstance(steps, Listing)
    icons = [
        inline.name
        for entry in steps.entries
        for block in entry
        if isinstance(block, Paragraph)
        for inline in block.text
        if isinstance(inline, Icon)
    ]
    assert icons == ["ring:1", "ring:2", "ring:1"]
    assert sorted(symbols(figure)) == ["ring:1", "ring:2"]
    assert "(2) Deck" in figure.alt and "(1) player 1, Hand" in figure.alt


def test_a_situation_laid_as_the_plan_says_bears_no_numbers(project: BookProject) -> None:
    situation = "```figure\nexample: highest\nlaid: table\n```\n"
    project.body(f"```tabletop\n```\n\nDeal {{place:hand}}.\n\n{situation}")
    pictures = [block for block in project.book().blocks if isinstance(block, Figure)]

    rings = [[name for name in symbols(picture) if name.startswith("ring:")] for picture in pictures]
    assert rings == [["ring:1"], []]
    assert ["(1)" in picture.alt for picture in pictures] == [True, False]

    project.body(f"Deal {{place:hand}}.\n\n{situation}")
    assert project.problems() == [
        "templates/higher/rulebook.en.md:1: the place 'hand' is in no picture of the table; "
        "add a `tabletop` block that shows it, or remove the mark"
    ]


def symbols(figure: Figure) -> list[str]:
    """The names of the symbols that lie on a picture itself."""
    whole = figure.drawing.items[0]
    assert isinstance(whole, Group)
    return [item.symbol.name for item in whole.items if isinstance(item, PlacedSymbol)]


def test_a_number_needs_a_picture(project: BookProject) -> None:
    project.body("```tabletop\nonly: [deck]\n```\n\nTake {place:hand} and {place:dekc}.\n")
    assert project.problems() == [
        "templates/higher/rulebook.en.md:5: the place 'dekc' is in no picture of the table; did you mean 'deck'?",
        "templates/higher/rulebook.en.md:5: the place 'hand' is in no picture of the table; "
        "add a `tabletop` block that shows it, or remove the mark",
    ]


def test_a_failed_picture_causes_no_problem_for_places(project: BookProject) -> None:
    project.body("```tabletop\nexample: highst\n```\n\nTake {place:hand} and {place:dekc}.\n")
    assert project.problems() == [
        "templates/higher/rulebook.en.md:2: unknown example 'highst'; did you mean 'highest'?",
        "templates/higher/rulebook.en.md:5: the place 'dekc' is in no picture of the table; did you mean 'deck'?",
    ]


def test_a_table_needs_a_plan(project: BookProject) -> None:
    (project.root / PLAN_FILE).unlink()
    project.body("```tabletop\n```\n")
    assert project.problems() == [
        "templates/higher/rulebook.en.md:1: the data has no plan of the table; write the section `tabletop:` "
        "(docs/rulebook.md)"
    ]


@pytest.mark.parametrize("by", [0.9, 0.7, 0.5])
def test_words_are_as_large_in_a_smaller_picture(project: BookProject, by: float) -> None:
    found = table(project)
    assert found.smaller is not None
    small = found.smaller(by, WIDTH * by)
    assert small is not None
    assert small.width <= WIDTH * by + 0.3
    assert sorted(iter_own_type_sizes(small.items)) == sorted(iter_own_type_sizes(found.drawing.items))
    assert sorted(words(small)) == sorted(words(found.drawing))
    (before, _), (after, _) = next(placed_pieces(found.drawing)), next(placed_pieces(small))
    assert abs(after[0]) < abs(before[0])


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_words_in_the_narrow_columns_of_a_leaflet_are_readable(project: BookProject, lang: str) -> None:
    """A figure that was composed for a book's page keeps words of 6 points in a narrower column."""
    shown = table(project, lang=lang)
    setter = TextSetter(project.workshop()[1], Look(LEAFLETS["A4"], lang, "ink"), "{}")
    strip = FigureSetter(setter, 200.0).set_figure(shown, Lane(0.0, shown.drawing.width * 0.7, 0))
    sizes = [size for item in strip.things[0].items for size in _own(item)]
    assert sizes
    assert min(sizes) >= 6


def _own(item: Item) -> list[float]:
    """The sizes on the page of a placed figure's own words, points."""
    assert isinstance(item, PlacedSymbol)
    return list(iter_own_type_sizes(item.symbol.items, item.matrix[0]))


def load_problems(project: BookProject, old: str, new: str) -> list[str]:
    """What loading says when one thing in the plan is changed."""
    project.change(PLAN_FILE, old, new)
    try:
        project.workshop()
    except ProblemsFound as found:
        return [str(problem) for problem in found.problems]
    return []


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("usual: 2", "usual: 9", "2:10: tabletop.usual is 9, but the game needs 2 to 4 players"),
        ("[deck, trick]", "[deck, trik]", "4:14: unknown place 'trik'; did you mean 'trick'?"),
        ("[hand, won]", "[hand, won, deck]", "6:19: 'deck' is twice in the arrangement"),
        ("[deck, trick]", "[deck]", "9:5: the place 'trick' is in no arrangement; write it into `rows` or `seat`"),
        ("room: card", "room: crad", "unknown component 'crad'; did you mean 'card'?"),
        ("face: down", "face: down, on: trik", "unknown place 'trik'; did you mean 'trick'?"),
        ("face: down", "face: down, lines: [2, 3]", "the pieces at 'deck' are not in a row"),
        ("zone: deck, face: down", "pieces: {crad: 1}", "unknown component 'crad'; did you mean 'card'?"),
        (
            "zone: deck, face: down",
            "face: down",
            "the place 'deck' does not say what is there; write `zone:` or `pieces:`",
        ),
        ("face: down", "face: down, players: [9]", "the game is not for 9 players; remove the number"),
        ("face: down", "face: down, turned: 45", "'deck' is turned by 45 degrees; write 0, 90, 180 or 270"),
        ("face: down", "spaces: x", "'deck' has `spaces` but no `on`"),
        ("- [deck, trick]", "- [deck, [[[[[[trick]]]]]]]", "is not an arrangement of places"),
        ("zone: deck, face: down", "pieces: {card: rules.hnd}", "no whole number named 'rules.hnd'; did you mean 'rules.hand'?"),
        ("zone: deck, face: down", "pieces: {card: al}", "'al' is not a number of pieces; write a whole number from 1"),
        ("zone: deck, face: down", "pieces: {card: 0}", "'0' is not a number of pieces"),
    ],
)  # fmt: skip
def test_what_contradicts_itself_is_told(project: BookProject, old: str, new: str, said: str) -> None:
    problems = load_problems(project, old, new)
    assert [problem for problem in problems if said in problem and problem.startswith(f"{PLAN_FILE}:")], problems


def checks(project: BookProject) -> list[tuple[str, str, str]]:
    game, _ = project.workshop()
    found = check_table_plan(game, load_rules(game, project.root / "data" / "higher"))
    return [(check.id, check.status, check.figures) for check in found]


def test_the_plan_is_held_against_every_number_of_players(project: BookProject) -> None:
    assert checks(project) == [
        ("tabletop.2", "pass", "20 pieces at 3 places"),
        ("tabletop.3", "pass", "20 pieces at 4 places"),
        ("tabletop.4", "pass", "20 pieces at 5 places"),
    ]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("zone: deck,", "zone: trick,", "the zone 'deck' with 14 pieces has no place"),
        ("zone: trick,", "zone: deck,", "the zone 'deck' is at both 'deck' and 'trick'"),
        ("zone: trick,", "zone: tirck,", "'trick' names the zone 'tirck', but the rules have no such zone"),
        ("zone: deck, face: down", "zone: deck", "the pieces of 'deck' have `face: up` at 'deck', but no player may see them: write `face: down`"),
        ("lies: fan, face: own", "lies: fan, face: down", "the pieces of 'hand 1' have `face: down` at 'hand', but players 2 may not see them: write `face: own`"),
        ("  usual: 2", "  usual: 2\n  left_out: [deck]", "the zone 'deck' is in `left_out`, but also at 'deck'"),
        ("zone: trick, lies: row, room: card", "pieces: {card: 1}", "2 of 'card/c0' are on the table, but 1 are printed"),
        ("zone: trick, lies: row, room: card", "pieces: {card/c1: 3}", "tabletop.yaml places 3 of 'card/c1', but game.yaml has 1: change `card/c1: 3` on line 9"),
        ("  usual: 2", "  usual: 2\n  example: any-{players}", "known: any-card, highest"),
    ],
)  # fmt: skip
def test_a_plan_that_is_not_the_table_fails(project: BookProject, old: str, new: str, said: str) -> None:
    project.change(PLAN_FILE, old, new)
    first = checks(project)[0]
    assert first[:2] == ("tabletop.2", "fail")
    assert said in first[2]


def test_without_rules_the_data_say_what_lies_there(project: BookProject) -> None:
    """The plan is held against `setup`: as many of each kind as it takes, or all of them."""
    plan = PLAN.replace("zone: deck, face: down", "pieces: {card: 5}").replace("zone: trick", "pieces: {card/c9: 1}")
    plan = plan.replace('zone: "hand {seat}"', "pieces: {card/c8: 1}").replace(
        'zone: "won {seat}"', "pieces: {card/c7: 1}"
    )
    project.write(PLAN_FILE, plan)
    game, _ = project.workshop()
    found = [check.figures for check in check_table_plan(game, None)]
    assert "set-up takes 6 of 'card' for 2 players, but 10 are on the table" in found[0]


def test_a_stale_number_is_blamed_at_its_line(project: BookProject) -> None:
    project.write(PLAN_FILE, PLAN.replace("zone: deck, face: down", "pieces: {card: 18}, face: down"))
    game, _ = project.workshop()
    (first, *_) = check_table_plan(game, None)
    assert str(first.place).startswith(f"{PLAN_FILE}:8:")
    assert first.figures == (
        "tabletop.yaml places 18 of 'card', but game.yaml has 20: change `card: 18` on line 8, or write `card: all`; "
        "set-up takes 6 of 'card' for 2 players, but 18 are on the table"
    )


def test_counts_come_from_components_and_rules(project: BookProject) -> None:
    """`scan_all` is as many as are printed, `rules.hand` the number of the rules, whatever these are changed to."""
    plan = PLAN.replace("zone: deck,", "pieces: {card: all},")
    project.write(PLAN_FILE, plan.replace('zone: "hand {seat}",', "pieces: {card: rules.hand}, out_of: deck,"))
    for hand in (3, 4):
        game, _ = project.workshop()
        laid = {one.key: one.number for one in lay_places(game, game.tabletop, {}, 2)} if game.tabletop else {}
        assert (laid["deck"], laid["hand 1"], laid["hand 2"]) == (20 - 2 * hand, hand, hand)
        assert [check.status for check in check_table_plan(game, None)] == ["pass"] * 3
        project.write(GLOSSARY, WORDS.replace("hand: 3", "hand: 4").replace("take: 3", "take: 4"))


def test_pieces_beside_a_zone_lie_there_without_rules(project: BookProject) -> None:
    plan = PLAN.replace("zone: deck,", "zone: deck, pieces: {card: 20},")
    project.write(
        PLAN_FILE, plan.replace('zone: "hand {seat}",', 'zone: "hand {seat}", pieces: {card: 3}, out_of: deck,')
    )
    game, _ = project.workshop()
    rules = load_rules(game, project.root / "data" / "higher")
    for played in (None, rules):
        found = [(check.status, check.figures.split(" at ")[0]) for check in check_table_plan(game, played)]
        assert found == [("pass", "20 pieces")] * 3


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


def test_a_number_on_a_board_stays_on_it() -> None:
    """Next to the leftmost piece, and below rather than above: the heads of its spaces remain visible."""
    pieces = [Rect(4, 10, 3, 3), Rect(7, 10, 3, 3)]
    board = Rect(2, 0, 40, 40)
    spot = find_free_spot(pieces, board, [])
    assert board.contains(spot)
    assert spot.y == pieces[0].bottom
    assert spot.x + spot.width / 2 == pytest.approx(pieces[0].x + pieces[0].width / 2)


@pytest.mark.slow
@settings(max_examples=40)
@given(tables())
def test_the_table_is_as_large_as_the_page_lets_it(made: tuple[TablePlan, list[LaidPlace]]) -> None:
    """It is within the width and the height, and touches one of them unless its pieces are large enough.

    Names are as large as they are: where these alone have no room, the table is too large.
    """
    least = layout(*made).fit_table(1e6, 1e6, 0.005)
    assume(least.size.width * 0.005 < 113 and least.size.height * 0.005 < 137)
    table = layout(*made).fit_table(114, 138)
    wide, high = table.size.width * table.scale, table.size.height * table.scale
    assert wide <= 114 + 1e-6 and high <= 138 + 1e-6
    assert table.scale > 0.69 or wide > 113 or high > 137


@pytest.mark.slow
@settings(max_examples=40)
@given(tables())
def test_pieces_keep_their_size(made: tuple[TablePlan, list[LaidPlace]]) -> None:
    plan, laid = made
    table = layout(plan, laid).fit_table(1e6, 1e6, 0.2)
    for key, pieces in table.pieces.items():
        wanted = plan.others_size if table.boxes[key].laid.seat > 1 else 1.0
        for piece in pieces:
            a, b, c, d, _, _ = piece.matrix
            assert abs(hypot(a, b) - wanted) < 1e-6 and abs(hypot(c, d) - wanted) < 1e-6


@pytest.mark.slow
@settings(max_examples=40)
@given(tables())
def test_pieces_lie_at_their_places(made: tuple[TablePlan, list[LaidPlace]]) -> None:
    table = layout(*made).fit_table(1e6, 1e6, 0.2)
    for key, pieces in table.pieces.items():
        box = table.boxes[key].box.grow(1e-3)
        points = [point for piece in pieces for point in find_piece_corners(piece)]
        assert all(box.x <= x <= box.right and box.y <= y <= box.bottom for x, y in points)


@settings(max_examples=40)
@given(tables())
def test_a_part_of_the_table_layout(made: tuple[TablePlan, list[LaidPlace]]) -> None:
    """`only` leaves the places that are named, and of the players' own places alone those of one player."""
    plan, laid = made
    name = laid[-1].place.id
    table = layout(select_places(plan, [name]), laid).fit_table(114, 138)
    assert {one.laid.place.id for one in table.boxes.values()} <= {name}
    assert len(table.boxes) <= 1
    assert not table.seats
