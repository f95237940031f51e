"""Pictures of the table: by the plan, from the real components, with the numbers that the text gives to places."""

from pathlib import Path

import pytest
from figure_parts import ids, placed_pieces, words
from rulebook_project import BookProject, plain
from table_plans import PLAN, PLAN_FILE

from generator.base.display_list import Group, Item, PlacedSymbol
from generator.books.page.blocks import Figure, Listing, Paragraph
from generator.books.page.figure_setter import FigureSetter, iter_own_type_sizes
from generator.books.page.page_style import LEAFLETS, Look
from generator.books.page.strips import Lane
from generator.books.page.text_setter import TextSetter
from generator.books.rulebook.piece_pictures import WIDTH
from generator.game.rich_text import Icon


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
    """Three sit at it, and less is left in the deck; another number than the game's is a problem."""
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
