"""The rulebook's web page in a real browser: contents that fold, search, figures that enlarge, what goes on sideways."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from browser import Tab
from page_fixtures import browser  # noqa: F401 - a fixture
from small_book import book, card, text, workshop

from generator.base.display_list import Drawing, Group, PlacedSymbol, Symbol
from generator.books.page.blocks import Book, Contents, Cover, Figure, Heading, Paragraph, Table
from generator.books.web_page import make_web_page
from generator.game.rich_text import Plain, Ruby

PHONE, DESK = (390, 844), (1280, 800)
HITS = "[...document.querySelectorAll('main mark')].map(one => one.textContent)"
HERE = "[...document.querySelectorAll('main mark.here')].map(one => one.textContent)"
STYLE = "getComputedStyle(document.querySelector({!r})).{}"


@pytest.fixture
def read(browser: Callable[[], Tab], tmp_path: Path) -> Iterator[Callable[..., Tab]]:  # noqa: F811
    """Opens a book's page in a window; afterwards nothing must have complained, and nothing was asked for."""
    opened: list[Tab] = []

    def show(made: Book, size: tuple[int, int] = DESK, *, scripted: bool = True) -> Tab:
        file = tmp_path / "book.html"
        file.write_text(make_web_page(made, workshop(), scripted=scripted), encoding="utf-8")
        tab = browser()
        opened.append(tab)
        tab.call("Page.bringToFront")  # a page that nobody sees is told of no scrolling
        tab.size(*size)
        tab.call("Page.navigate", url=file.as_uri())
        tab.wait("document.readyState === 'complete' && location.protocol === 'file:'")
        return tab

    yield show
    for tab in opened:
        assert tab.complaints == []
        assert [url for url in tab.requests if not url.startswith(("file:", "about:", "data:"))] == []
        assert len([url for url in tab.requests if url.startswith("file:")]) == 1


def small(*blocks: object, lang: str = "en") -> Book:
    contents = (Contents(text("Contents")), Heading(1, text("One"), "one"))
    return Book("harbour", lang, Cover("Harbour", "", ()), (*contents, *blocks), ())


def seek(tab: Tab, words: str) -> None:
    tab.run("document.querySelector('.search input').focus()")
    tab.run("document.querySelector('.search input').select()")
    tab.type(words)


@pytest.mark.parametrize("scripted", [True, False])
@pytest.mark.parametrize("lang", ["ja", "en"])
def test_a_page_fits_every_window(read, lang, scripted):
    """Nothing but tables and pictures in their own boxes goes on sideways, with the script and without."""
    for size in (PHONE, (768, 1000), DESK):
        tab = read(book(lang), size, scripted=scripted)
        assert tab.run("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), size


@pytest.mark.parametrize("scripted", [True, False])
def test_contents_fold_on_a_phone_and_stand_open_on_a_desk(read, scripted):
    phone = read(small(), PHONE, scripted=scripted)
    assert phone.run(STYLE.format("nav ol", "display")) == "none"
    phone.run("document.querySelector('nav summary').focus()")
    phone.press("Enter")
    assert phone.run(STYLE.format("nav ol", "display")) == "block"
    assert phone.run("document.querySelector('nav ol').checkVisibility()")
    desk = read(small(), DESK, scripted=scripted)
    assert desk.run("document.querySelector('nav ol').checkVisibility()")
    assert not desk.run("document.querySelector('nav summary').checkVisibility()")
    assert desk.run(STYLE.format(".side", "position")) == "sticky"


def test_search_is_there_only_with_the_script(read):
    assert read(small()).run("document.querySelector('.search').checkVisibility()")
    assert not read(small(), scripted=False).run("document.querySelector('.search, .enlarge')")


def test_search_marks_every_hit_and_goes_from_one_to_the_next(read):
    """Capitals and accents don't matter, words may be bold in the middle; Enter goes on, shift and Enter back."""
    said = (Plain("A ca"), Plain("fé", bold=True), Plain(" and a Cafe."))
    tab = read(small(Paragraph(said), Paragraph(text("Another café."))))
    seek(tab, "cafe")
    assert tab.run(HITS) == ["ca", "fé", "Cafe", "café"]
    assert tab.run(HERE) == ["ca", "fé"]
    assert tab.run("document.querySelector('.search output').value") == "1 / 3"
    tab.press("Enter")
    assert tab.run(HERE) == ["Cafe"]
    tab.press("Enter")
    tab.press("Enter")
    assert tab.run(HERE) == ["ca", "fé"]
    tab.run("document.querySelector('.search .back').click()")
    assert tab.run(HERE) == ["café"]
    before = tab.run("document.querySelector('main').textContent")
    tab.press("Escape")
    assert tab.run(HITS) == [] and tab.run("document.querySelector('main').textContent") == before
    assert tab.run("document.querySelector('.search input').value") == ""


def test_search_finds_a_word_by_its_reading(read):
    said = (Ruby(("手", "札"), ("て", "ふだ")), Plain("からカードを出す。手札は三枚。"))
    tab = read(small(Paragraph(said), lang="ja"))
    seek(tab, "手札から")
    assert tab.run(HITS) == ["手", "札", "から"]
    seek(tab, "手札")
    assert tab.run("document.querySelector('.search output').value") == "1 / 2"
    seek(tab, "テフダから")
    assert tab.run(HITS) == ["て", "ふだ", "から"]
    seek(tab, "かーど")
    assert tab.run(HITS) == ["カード"]
    seek(tab, "鯨")
    assert tab.run(HITS) == [] and tab.run("document.querySelector('.search output').value") == "見つかりません"


def test_a_stroke_brings_the_search(read):
    """`/` leads to the field from anywhere, and is a letter like others in it."""
    tab = read(small())
    tab.press("/", "Slash")
    assert tab.run("document.activeElement === document.querySelector('.search input')")
    tab.press("/", "Slash")
    assert tab.run("document.querySelector('.search input').value") == "/"


def test_a_figure_enlarges(read):
    tab = read(small(Figure(card(), "A card", text("Our card"))), PHONE)
    tab.run("document.querySelector('.enlarge').focus()")
    tab.press("Enter")
    assert tab.run("document.querySelector('dialog').open")
    assert tab.run("document.querySelector('dialog').getAttribute('aria-label')") == "A card"
    assert tab.run("document.querySelector('dialog p').textContent") == "Our card"
    wide = "document.querySelector('{} svg[role]').getBoundingClientRect().width"
    assert tab.run(wide.format("dialog")) > 1.2 * tab.run(wide.format("main figure"))
    tab.press("Escape")
    assert not tab.run("document.querySelector('dialog').open")
    assert tab.run("document.activeElement.className") == "enlarge"
    tab.run("document.querySelector('main figure svg').dispatchEvent(new MouseEvent('click', {bubbles: true}))")
    assert tab.run("document.querySelector('dialog').open")
    tab.run("document.querySelector('dialog .close').click()")
    assert not tab.run("document.querySelector('dialog').open")


def test_a_wide_table_says_that_it_goes_on(read):
    many = tuple(text(f"column {at}") for at in range(9))
    narrow = Table((), ((text("a"), text("b")),), ("left", "left"))
    tab = read(small(narrow, Table(many, (many,), ("left",) * 9)), PHONE)
    tab.wait("document.querySelectorAll('.wide').length === 1")
    kinds = "[...document.querySelectorAll('.scroll')].map(one => [...one.classList].sort().join(' '))"
    assert tab.run(kinds) == ["scroll", "after scroll wide"]
    assert "sideways" in tab.run("getComputedStyle(document.querySelector('.wide'), '::before').content")
    tab.run("document.querySelector('.wide').scrollLeft = 60")
    tab.wait(f"{kinds}[1] === 'after before scroll wide'")
    assert 0 <= tab.run("document.querySelector('.many tbody th').getBoundingClientRect().left") < 30
    tab.run("document.querySelector('.wide').scrollLeft = 9999")
    tab.wait(f"{kinds}[1] === 'before scroll wide'")


def test_the_first_column_keeps_its_words_whole(read):
    row = (text("手札補充フェイズ"), *[text("手札の上限まで山札からカードを引く。" * 3)] * 3)
    tab = read(small(Table((), (row,) * 2, ("left",) * 4), lang="ja"), PHONE)
    lines = """(() => {
      const cell = document.querySelector('tbody th'), range = document.createRange(), tops = new Map();
      const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) for (let at = 0; at < node.length; at += 1) {
        range.setStart(node, at); range.setEnd(node, at + 1);
        const top = Math.round(range.getBoundingClientRect().top);
        tops.set(top, (tops.get(top) || '') + node.data[at]);
      }
      return [...tops.values()];
    })()"""
    assert tab.run(lines) in (["手札補充フェイズ"], ["手札補充", "フェイズ"], ["手札", "補充フェイズ"])


def test_labels_of_figures_are_read_on_a_phone(read):
    """A figure with words of its own is shown as large as they need, and scrolls; what cards say doesn't count."""
    runs = workshop().set_label("Hand of player 1", 0.0, 5.0, 6.5, "start", 0.0)
    labelled = Drawing(110.0, 20.0, 0.0, (Group(tuple(runs)),), "en")
    on_cards = Symbol("a card", tuple(runs), (0.0, 0.0, 110.0, 20.0))
    other = Drawing(110.0, 20.0, 0.0, (PlacedSymbol(on_cards, (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)),), "en")
    tab = read(small(Figure(labelled, "labelled"), Figure(other, "other")), PHONE)
    wide = "document.querySelector('svg[aria-label={}]').getBoundingClientRect().width"
    scale = tab.run(wide.format("labelled")) / 110.0
    assert 6.5 * 25.4 / 72 * scale == pytest.approx(10.6, abs=0.2)
    assert tab.run(wide.format("other")) < 380


def test_a_long_page_leads_back_to_its_top(read):
    tab = read(small(*[Paragraph(text("word " * 60))] * 30), PHONE, scripted=False)
    seen = (
        "(box => box.top >= 0 && box.bottom <= innerHeight)(document.querySelector('.top a').getBoundingClientRect())"
    )
    assert not tab.run(seen)
    tab.run("window.scrollTo({top: 3000, behavior: 'instant'})")
    assert tab.run(seen)
    assert tab.run("document.querySelector('.top a').getAttribute('href')") == "#top:"
