"""The notes print the story of the rules, with the readings that its lines ask and how often games come to them."""

from inspect import getsourcelines

import pytest
from shipped_games import workshop

from generator.books.page.blocks import Heading, Table
from generator.books.rulebook import story_pages
from generator.books.rulebook.book_templates import NOTES
from generator.books.rulebook.inline_text import words_from_text
from generator.books.rulebook.read_book import read_book
from generator.books.rulebook.rulebook_play import RulebookPlay
from generator.play import story_lines
from generator.play.series import Series
from generator.rules.engine.kernel import INTERPRETED
from generator.rules.engine.story import find_story
from generator.rules.fortuna import turns
from generator.rules.registry import load_rules

FEW = 40


@pytest.fixture(autouse=True)
def few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (story_lines, story_pages):
        monkeypatch.setattr(module, "choose_games", lambda _rules: FEW)


def test_lines_are_counted_as_the_games_run() -> None:
    """Turns, ends and moves are those of the same games played without counting."""
    game = workshop("fortuna").game
    rules = load_rules(game)
    assert rules is not None
    box = rules.box(game, 3, {})
    played = list(Series(rules, box, INTERPRETED).play_games(story_lines.RUN, 0, FEW))
    story = find_story(rules)
    assert story is turns.STORY
    seen = story_lines.count_lines(rules, story, box)
    lines, first = getsourcelines(turns.game)
    at = {line.strip(): seen[first + number] for number, line in enumerate(lines)}
    assert at["while s.over == 0:"] == FEW
    assert at["s.turn += 1"] == at["action = choose(Phase.ACTION, list_actions)"] == sum(one.turns for one in played)
    assert at["s.held = card + 1"] == 0, "the reading in force declares no number"
    asked = sum(seen[first + number] for first, number in _list_choices())
    assert asked == sum(one.moves for one in played)


def _list_choices() -> list[tuple[int, int]]:
    """Return the lines with a choice, as the first line of a function and the number behind it."""
    sources = [getsourcelines(one) for one in (turns.game, turns.play_set, turns.turn_wheel)]
    return [(first, n) for lines, first in sources for n, line in enumerate(lines) if "choose(" in line]


def _tell_story(name: str, lang: str) -> list[list[str]]:
    """Return the rows of the story in the book of notes."""
    shop = workshop(name)
    book = read_book(shop, lang, RulebookPlay(shop.game, lambda: load_rules(shop.game)), NOTES)
    titles = [at for at, block in enumerate(book.blocks) if isinstance(block, Heading) and block.anchor == "story"]
    tables = [block for at in titles for block in book.blocks[at:] if isinstance(block, Table)]
    return [list(map(words_from_text, row)) for table in tables for row in table.rows]


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_the_notes_tell_the_story(lang: str) -> None:
    rows = _tell_story("fortuna", lang)
    declared = next(row for row in rows if "if f.discard_key_declared" in row[0])
    assert "E10" in declared[1].split()
    assert ("捨て札にした数字" in declared[0]) == (lang == "ja"), "the draft's own words"
    never = next(row for row in rows if "s.held = card + 1" in row[0])
    assert never[2] == "–"
    assert any(row[0].startswith("Turn wheel") for row in rows)


@pytest.mark.slow
def test_games_that_are_no_story_have_no_such_chapter() -> None:
    for name in ("journey18", "xanadu", "wayfaring"):
        rules = load_rules(workshop(name).game)
        assert rules is not None
        assert bool(_tell_story(name, "en")) == (find_story(rules) is not None)
