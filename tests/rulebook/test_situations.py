"""Tables as pictures: zones with their names, what is hidden face down, whose eyes see it, what is shifted up."""

from types import SimpleNamespace
from typing import cast

import pytest
from figure_parts import figure, ids, placed_pieces, words
from rulebook_project import BookProject, plain

from generator.base.display_list import Shape, TextRun, walk_leaves
from generator.base.errors import ProblemsFound
from generator.base.geometry import map_point
from generator.books.page.blocks import Box, Figure, Paragraph
from generator.books.rulebook.piece_pictures import WIDTH, PieceFaces
from generator.books.rulebook.situations import make_zone_rows
from generator.rules.engine.contract import ALL_SEEN
from generator.rules.engine.table import Table


@pytest.mark.slow
def test_a_situation_shows_the_examples_zones(project: BookProject) -> None:
    """Zones by their names in the language, with their pieces; what no seat can see as one blank heap with a number.

    A name begins with a capital, however the data write it.
    """
    found = figure(project, "example: highest")
    assert sorted(words(found.drawing)) == sorted(["Hand 1", "Hand 2", "Deck", "×16"])
    assert sorted(ids(found.drawing)[1:]) == ["card/c3", "card/c4", "card/c8", "card/c9"]
    deck = next(iter(placed_pieces(found.drawing)))[1]
    assert deck.title == "Cards"
    assert not [leaf for leaf, _ in walk_leaves((deck,)) if isinstance(leaf, TextRun)]
    assert found.alt == "Deck: Cards ×16; Hand 1: the 3, the 9; Hand 2: the 4, the 8"
    assert figure(project, "example: highest", "ja").alt == "山札: 札 ×16; 手札1: 3の札, 9の札; 手札2: 4の札, 8の札"


@pytest.mark.slow
def test_whose_eyes_see_a_situation(project: BookProject) -> None:
    """A seat doesn't see the other's hand; `all` sees the deck; `zones` chooses and orders; `after` makes the moves."""
    mine = figure(project, "example: highest\nseat: 1\nzones: [hand 2, hand 1]")
    assert mine.alt == "Hand 2: Cards ×2; Hand 1: the 3, the 9"
    down = figure(project, "example: highest\nhidden: 'hand 1'\nzones: 'hand *'")
    assert down.alt == "Hand 1: Cards ×2; Hand 2: the 4, the 8"
    everything = figure(project, "example: highest\nseat: all\nzones: deck")
    assert len(ids(everything.drawing)) == 16
    after = figure(project, "example: highest\nafter: true\nzones: ['won *', 'hand *']")
    assert after.alt == "Won by 2: the 3, the 8; Hand 1: the 9; Hand 2: the 4"


def test_a_few_equal_pieces_are_drawn_one_by_one(project: BookProject) -> None:
    """Up to eight backs lie side by side without a count; of sixteen there is one, and the count."""
    few = figure(project, "example: highest\nseat: 1\nzones: 'hand 2'")
    assert (len(ids(few.drawing)), words(few.drawing)) == (2, ["Hand 2"])
    many = figure(project, "example: highest\nzones: deck")
    assert (len(ids(many.drawing)), sorted(words(many.drawing))) == (1, ["Deck", "×16"])


def test_set_up_for_each_number_of_players(project: BookProject) -> None:
    for players in (2, 3, 4):
        found = figure(project, f"players: {players}\nseat: 1\nzones: [deck, 'hand *']")
        others = "".join(f"; Hand {seat}: Cards ×3" for seat in range(2, players + 1))
        assert found.alt.startswith(f"Deck: Cards ×{20 - 3 * players}; Hand 1: the ")
        assert found.alt.endswith(others)


@pytest.mark.slow
def test_a_dealt_table_is_not_called_the_deal(project: BookProject) -> None:
    """The rules may have drawn before the first choice, so its caption names that; the writer's words come first."""
    assert plain(figure(project, "players: 3").caption) == "3 players, before the first choice"
    assert plain(figure(project, "players: 2", "ja").caption) == "2人、最初の選択の前"
    assert plain(figure(project, "players: 3\ncaption: So").caption) == "So"
    for body in ("players: 3\ncaption: ''", "players: 3\nalt: A table", "example: highest"):
        assert figure(project, body).caption == ()


def test_a_situation_is_as_wide_as_a_column_at_most(project: BookProject) -> None:
    """Twenty cards in one zone overlap; pieces of all zones have one scale; no label lies outside."""
    found = figure(project, "example: highest\nseat: all\nheight: 40")
    drawing = found.drawing
    assert drawing.width <= WIDTH + 1
    assert {round(matrix[0], 4) for matrix, _ in placed_pieces(drawing)} == {round(40 / 60, 4)}
    for leaf, matrix in walk_leaves(drawing.items):
        if isinstance(leaf, TextRun) and leaf.role == "mark":
            x, y = map_point(matrix, (leaf.x, leaf.y))
            assert 0 <= x <= drawing.width
            assert 0 <= y <= drawing.height


KINDS = """\
  wild: {name: {ja: 切り札, en: Wilds}, size: [40, 60], front: card, back: wave, fields: {strength: integer},
    designs: [{id: w1, count: 1, strength: 1}]}
  event: {name: {ja: 出来事, en: Events}, size: [40, 60], front: card, back: moon, fields: {strength: integer},
    designs: [{id: e1, count: 2, strength: 1}]}
moves:
"""


def test_face_down_cards_with_one_back_are_one_heap(project: BookProject) -> None:
    """Nobody can tell them apart, whatever their kinds; another back makes another heap."""
    project.change("data/higher/game.yaml", "    front: card\n", "    front: card\n    back: wave\n")
    project.change("data/higher/game.yaml", "moves:\n", KINDS)
    for name, colour in (("wave", "#202080"), ("moon", "#d0d0d0")):
        drawn_ = f'<svg xmlns="http://www.w3.org/2000/svg"><rect width="40" height="60" fill="{colour}"/></svg>'
        project.write(f"templates/higher/{name}.svg", drawn_)
    game, workshop = project.workshop()
    zones = {"deck": {"card/c3#1": 1, "wild/w1": 1, "card/c4": 1, "event/e1": 2}}
    table = SimpleNamespace(list_zones=lambda: zones, box=SimpleNamespace(game=game, players=2))
    faces = PieceFaces(workshop, "en", [])

    (row,) = make_zone_rows(cast(Table, table), faces, [], ALL_SEEN, ["deck"], None)
    assert row.words == "Deck: Cards / Wilds ×3, Events ×2"
    (row,) = make_zone_rows(cast(Table, table), faces, [], ALL_SEEN, [], None)
    assert [heap.number for heap in row.heaps] == [1, 1, 1, 2]


def test_pieces_may_lie_with_their_back_up(project: BookProject) -> None:
    """Where a zone says `make_back`, everyone sees the backs, equal ones as one heap; a piece without one is a problem."""
    project.change("data/higher/game.yaml", "hand: {ja", "hand: {back: true, name: {ja")
    project.change("data/higher/game.yaml", 'hand {n}"}', 'hand {n}"}}')
    with pytest.raises(ProblemsFound, match="card/c3 has no back"):
        figure(project, "example: highest\nzones: 'hand 1'")

    project.change("data/higher/game.yaml", "    front: card\n", "    front: card\n    back: wave\n")
    drawn_ = '<svg xmlns="http://www.w3.org/2000/svg"><rect width="40" height="60" fill="#202080"/></svg>'
    project.write("templates/higher/wave.svg", drawn_)
    for seat in ("1", "2", "all"):
        found = figure(project, f"example: highest\nzones: ['hand *', 'won *']\nafter: true\nseat: {seat}")
        assert found.alt == "Hand 1: Cards; Hand 2: Cards; Won by 2: the 3, the 8"
        shown = [leaf.fill for leaf, _ in walk_leaves(found.drawing.items) if isinstance(leaf, Shape) and leaf.fill]
        assert shown.count("#202080") == 2
    assert figure(project, "example: highest\nzones: 'hand 1'").alt == "Hand 1: Cards ×2"


def test_a_back_that_is_played_has_its_pieces_name(project: BookProject) -> None:
    """A back of a two-faced kind tells which piece it is, unless nobody can know the piece."""
    project.change(
        "data/higher/game.yaml", "    front: card\n", "    front: card\n    back: card\n    two_faced: true\n"
    )
    _, workshop = project.workshop()
    faces = PieceFaces(workshop, "en", [])
    design = workshop.game.design("card/c3")
    sides = faces.draw_piece(design), faces.draw_piece(design, back=True), faces.draw_hidden(design)
    assert [side.name for side in sides if side] == ["the 3", "the 3", "Cards"]
    assert faces.problems == []


@pytest.mark.parametrize("deck", ['{ja: 山札, en: "deck 🂡"}', '{back: true, name: {ja: 山札, en: "deck 🂡"}}'])
def test_a_zones_name_has_its_place(project: BookProject, deck: str) -> None:
    project.change("data/higher/game.yaml", "{ja: 山札, en: deck}", deck)
    project.change("data/higher/game.yaml", "    front: card\n", "    front: card\n    back: card\n")
    with pytest.raises(ProblemsFound) as found:
        figure(project, "example: highest\nzones: deck")
    lines = (project.root / "data/higher/game.yaml").read_text(encoding="utf-8").splitlines()
    number, line = next((n, line) for n, line in enumerate(lines, start=1) if "🂡" in line)
    column = line.index('"deck') + 1
    written = f"data/higher/game.yaml:{number}:{column}: "
    assert [str(problem).startswith(written) for problem in found.value.problems] == [True]


def test_a_situation_takes_other_labels(project: BookProject) -> None:
    shown = figure(project, "example: highest\nzones: 'hand *'\nlabels: [Aya’s hand, Ben’s hand]")
    assert [said for said in words(shown.drawing) if "hand" in said.lower()] == ["Aya’s hand", "Ben’s hand"]
    assert shown.alt.startswith("Aya’s hand: ")
    project.body("```figure\nexample: highest\nzones: 'hand *'\nlabels: [Aya’s hand]\n```\n")
    assert project.problems() == [
        "templates/higher/rulebook.en.md:4: there are 2 zones and 1 labels; give each its own"
    ]


def test_raised_cards_of_a_situation(project: BookProject) -> None:
    for body in ("zones: 'hand 1'\nraised: [2]", "zones: 'hand *'\nraised: {hand 1: 2}"):
        found = figure(project, f"example: highest\n{body}\nheight: 20")
        first, second = [matrix[5] for matrix, _ in placed_pieces(found.drawing)][:2]
        assert first - second == pytest.approx(10, abs=0.01)


def test_an_example_brings_its_situation(project: BookProject) -> None:
    """`figure:` in an example block shows the very situation that the rules played; without it there is none."""
    project.body(
        "```example highest\nfigure: {height: 20, zones: 'hand *'}\n```\n\n```example highest\ntitle: So\n```\n"
    )
    with_figure, without = project.book().blocks
    assert isinstance(with_figure, Box)
    shown = with_figure.blocks[1]
    assert isinstance(shown, Figure)
    assert sorted(ids(shown.drawing)) == ["card/c3", "card/c4", "card/c8", "card/c9"]
    assert isinstance(without, Box)
    assert len(without.blocks) == 1


def test_a_figure_beside_an_example_comes_before_its_text(project: BookProject) -> None:
    project.body("```example highest\nfigure: {height: 20, zones: 'hand *', side: beside}\n```\n")
    (box,) = project.book().blocks
    assert isinstance(box, Box)
    assert [type(block) for block in box.blocks] == [Figure, Paragraph]


def test_what_follows_an_example_in_a_quote_is_in_its_box(project: BookProject) -> None:
    written = "> ```example highest\n> ```\n>\n> | Card | Player |\n> |---|---|\n> | A | B |\n"
    project.body(written)
    (box,) = project.book().blocks
    assert isinstance(box, Box)
    assert (box.role, box.name, box.anchor) == ("example", "Example 1", "example-highest")
    assert [type(block).__name__ for block in box.blocks] == ["Paragraph", "Table"]
    project.body("> **Note.** Look.\n>\n" + written)
    (note,) = project.book().blocks
    assert isinstance(note, Box)
    assert [type(block).__name__ for block in note.blocks] == ["Paragraph", "Box", "Table"]
