"""In which face a book's running text is set: one for books in Japanese, the game's own where it has one."""

from dataclasses import replace

import pytest
from conftest import ROOT
from small_book import workshop

from generator.base.display_list import TextRun
from generator.base.files import Resources
from generator.base.geometry import Size
from generator.books.page.page_style import Look, find_page_format, make_list_format
from generator.books.page.text_setter import TextSetter
from generator.drawing.faces.game_drawing import Workshop
from generator.game.model import FontFamily

MINCHO = {"ja": ("BIZUDMincho_400Regular.ttf",), "en": ("EBGaramond_400Regular.ttf",)}


def faces(setter: TextSetter, words: str, title: bool) -> set[str]:
    """The fonts of a line of running text, or of a chapter's title."""
    style = setter.look.find_heading_style(1) if title else setter.look.body
    (line,) = setter.set_lines(words, style, 200.0, None)
    return {item.font.rsplit("-", 1)[0] for item in line.items if isinstance(item, TextRun)}


@pytest.mark.parametrize(
    ("lang", "own", "text", "titles"),
    [
        ("ja", (), "ZenKakuGothicNew_400Regular", "BIZUDMincho_700Bold"),
        ("en", (), "SourceSans3_400Regular", "Cinzel_700Bold"),
        ("ja", ("book",), "BIZUDMincho_400Regular", "BIZUDMincho_700Bold"),
        ("en", ("book",), "EBGaramond_400Regular", "Cinzel_700Bold"),
        ("ja", ("book", "book-titles"), "BIZUDMincho_400Regular", "BIZUDMincho_400Regular"),
    ],
)
def test_running_text_and_titles(lang: str, own: tuple[str, ...], text: str, titles: str) -> None:
    """By the families `book` and `book-titles` where the game has them."""
    first = workshop().game
    game = replace(first, fonts={**first.fonts, **dict.fromkeys(own, FontFamily(MINCHO, {}, {}))})
    setter = TextSetter(
        Workshop(game, Resources((ROOT,), shown_from=ROOT)), Look(find_page_format("A5"), lang, "ink"), "{}"
    )
    words = "手札" if lang == "ja" else "hand"
    assert [faces(setter, words, title) for title in (False, True)] == [{text}, {titles}]


def test_lists_are_set_as_cards_are() -> None:
    setter = TextSetter(workshop(), Look(make_list_format("A4", Size(210, 297), 10), "ja", "ink"), "{}")
    assert faces(setter, "手札", title=False) == {"BIZUDPGothic_400Regular"}


@pytest.mark.parametrize(("lang", "other"), [("ja", "en"), ("en", "ja")])
def test_words_of_another_language_are_set_as_its_own(lang: str, other: str) -> None:
    setter = TextSetter(workshop(), Look(find_page_format("A5"), lang, "ink"), "{}")
    (line,) = setter.compose_text("手札" if other == "ja" else "hand", setter.look.note, None, other).break_lines(200.0)
    shown = {item.font.rsplit("-", 1)[0] for item in line.items if isinstance(item, TextRun)}
    assert shown == {"ZenKakuGothicNew_400Regular" if other == "ja" else "SourceSans3_400Regular"}
    assert not workshop().fonts.problems
