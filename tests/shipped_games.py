"""The games that ship, loaded, drawn and their books set once a process for all tests that only look at them."""

from collections.abc import Iterable, Iterator
from functools import cache
from types import MappingProxyType

import pytest
from conftest import ROOT

from generator.base.display_list import Drawing, TextFrame
from generator.books.page.blocks import Book
from generator.books.page.book_pages import typeset_book
from generator.books.rulebook.read_book import read_book
from generator.books.rulebook.rulebook_play import RulebookPlay
from generator.drawing.faces.game_drawing import FaceKey, Workshop
from generator.game.load_game import load_game
from generator.game.model import Design, FaceName, Game
from generator.game.print_pages import Document
from generator.game.project import find_project
from generator.rules.engine.contract import Rules
from generator.rules.registry import load_rules

PROJECT = find_project(ROOT)
GAMES = PROJECT.games
_MARKS = {name: () if name == "fortuna" else (pytest.mark.slow,) for name in GAMES}
SWEPT = [pytest.param(name, marks=_MARKS[name]) for name in GAMES]
"""The games for tests that make whole outputs and read them back: `make test` tries one, `make slow` the others."""
SWEPT_EDITIONS = [pytest.param(name, lang, marks=_MARKS[name]) for name in GAMES for lang in ("ja", "en")]
"""The same in both languages."""


class Shared(Workshop):
    """A workshop that several tests look at: it draws what it is asked for, and nobody can put anything else into it."""

    def __init__(self, name: str):
        super().__init__(load_game(PROJECT.find_folder(name), PROJECT.resources), PROJECT.resources)
        self._closed = True

    def __setattr__(self, name: str, value: object) -> None:
        """AttributeError once it is made: a test that changes a game makes a workshop of its own."""
        if "_closed" in self.__dict__:
            raise AttributeError(f"{name}: this workshop is shared by tests; make another one to change it")
        super().__setattr__(name, value)

    def draw_all(
        self, designs: Iterable[Design], languages: Iterable[str]
    ) -> MappingProxyType[FaceKey, Drawing | None]:
        """The same faces, not to be added to."""
        return MappingProxyType(super().draw_all(designs, languages))


@cache
def workshop(name: str) -> Shared:
    """A game at work; each face is drawn when a test first asks for it."""
    return Shared(name)


@cache
def game_and_rules(name: str) -> tuple[Game, Rules]:
    """A game as its data describe it, and its rules."""
    game = workshop(name).game
    rules = load_rules(game)
    assert rules is not None
    return game, rules


@cache
def rulebook(name: str, lang: str) -> Book:
    shop = workshop(name)
    return read_book(shop, lang, RulebookPlay(shop.game, lambda: load_rules(shop.game)))


@cache
def rulebook_pages(name: str, lang: str) -> Document:
    return typeset_book(rulebook(name, lang), workshop(name))


def drawn(name: str) -> Shared:
    """A game with all its faces drawn in all its languages."""
    found = workshop(name)
    found.draw_all(found.game.designs(), found.game.languages)
    assert found.problems == ()
    return found


def faces(game: str) -> Iterator[tuple[Design, FaceName, str, Drawing]]:
    """Every face of a game in every language."""
    shop = drawn(game)
    for lang in shop.game.languages:
        for design in shop.game.designs():
            for face in ("front", "back"):
                drawing = shop.draw_face(design, face, lang)
                if drawing is not None:
                    yield design, face, lang, drawing


def frames(game: str) -> Iterator[tuple[str, str, TextFrame]]:
    """Every text box of a game with the face and language that it is on."""
    for design, face, lang, drawing in faces(game):
        for frame in drawing.frames:
            yield f"{design.id} {face}", lang, frame
