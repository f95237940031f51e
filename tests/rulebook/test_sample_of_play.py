"""The samples of play: chapters that tell some turns of a game; each step begins where the one before has ended."""

from itertools import pairwise, product
from math import hypot

import pytest
from figure_parts import placed_pieces, words
from shipped_games import PROJECT, game_and_rules, rulebook, workshop
from tests_support import quick

from generator.books.page.blocks import Block, Box, Figure, Heading
from generator.books.rulebook.rulebook_play import RulebookPlay
from generator.game.model import Example
from generator.rules.engine.contract import Zones

BOOKS = quick(product(PROJECT.games, ("ja", "en")), ("fortuna", "en"))

UNSEEN = {"deck", "main", "end", "characters"}
"""Kinds of zones of which a sample may leave the cards to chance; their number counts."""


def sample_of(game: str) -> list[Example]:
    return [example for example in game_and_rules(game)[0].examples if example.id.startswith("sample-")]


def lying(game: str, example: Example, *, after: bool) -> dict[str, object]:
    """What lies in the zones that hold anything: the pieces, of decks how many."""
    data, rules = game_and_rules(game)
    table = RulebookPlay(data, lambda: rules).arrange_example(example, after=after)
    assert table is not None
    zones: Zones = table.list_zones()
    return {
        zone: sum(pieces.values()) if zone.split()[0] in UNSEEN else dict(pieces)
        for zone, pieces in zones.items()
        if sum(pieces.values())
    }


@pytest.mark.parametrize("game", PROJECT.games)
def test_each_step_begins_where_the_one_before_ended(game: str) -> None:
    steps = sample_of(game)
    assert len(steps) == 3
    for before, then in pairwise(steps):
        if then.given == before.given:  # told from the same situation, with more moves
            assert list(then.moves[: len(before.moves)]) == list(before.moves)
            assert len(then.moves) > len(before.moves)
        else:
            assert lying(game, then, after=False) == lying(game, before, after=True), then.id


@pytest.mark.parametrize(("game", "lang"), BOOKS)
def test_every_book_tells_its_sample_with_pictures(game: str, lang: str) -> None:
    chapter = chapter_of(game, lang)
    said = [block for block in chapter if isinstance(block, Box)]
    names = {example.title[lang] for example in sample_of(game) if example.title is not None}
    assert len(names) == 3
    assert all(any(name in str(box.title) for box in said) for name in names)
    assert len(pictures_of(chapter)) >= 2


@pytest.mark.parametrize(("game", "lang"), BOOKS)
def test_the_cards_of_a_sample_are_readable(game: str, lang: str) -> None:
    """Every card in its pictures is at least 9 mm wide, upright or on its side."""
    found = workshop(game).game
    shown = 0
    for matrix, piece in (
        one for picture in pictures_of(chapter_of(game, lang)) for one in placed_pieces(picture.drawing)
    ):
        kind = found.kinds[found.design(dict(piece.data)["design"]).kind]
        if kind.form == "card":
            shown += 1
            assert min(kind.size.width, kind.size.height) * hypot(*matrix[:2]) >= 9, piece.title
    assert shown >= 6


@pytest.mark.parametrize("game", quick(["fortuna", "wayfaring"], "fortuna"))
def test_a_row_that_is_called_face_down_shows_backs(game: str) -> None:
    """A front has the title of its card, a back that of its kind."""
    kinds = {kind.name["en"] for kind in workshop(game).game.kinds.values()}
    rows = 0
    for picture in pictures_of(chapter_of(game, "en")):
        down = sum("face down" in label.lower() for label in words(picture.drawing))
        backs = [piece for _, piece in placed_pieces(picture.drawing) if kinds.issuperset(piece.title.split(" / "))]
        assert len(backs) >= down
        rows += down
    assert rows


def pictures_of(chapter: list[Block]) -> list[Figure]:
    """The figures between the paragraphs and in the boxes of examples."""
    inner = [block for box in chapter if isinstance(box, Box) for block in box.blocks]
    return [block for block in [*chapter, *inner] if isinstance(block, Figure)]


def chapter_of(game: str, lang: str) -> list[Block]:
    blocks = rulebook(game, lang).blocks
    start = next(at for at, block in enumerate(blocks) if isinstance(block, Heading) and block.anchor == "sample")
    end = next(at for at in range(start + 1, len(blocks)) if isinstance(blocks[at], Heading) and blocks[at].level == 1)
    return list(blocks[start:end])


@pytest.mark.parametrize("game", PROJECT.games)
def test_a_sample_fits_the_box(game: str) -> None:
    """Every piece on the tables of a sample is one that is printed."""
    known = {design.id for design in workshop(game).game.designs()}
    for example in sample_of(game):
        for zone, pieces in lying(game, example, after=True).items():
            if isinstance(pieces, dict):
                assert {name.partition("#")[0] for name in pieces} <= known, zone
