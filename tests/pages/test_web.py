"""The rulebook as a web page: well-formed, self-contained, every link arrives, every figure has words, safe to write."""

import re
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser
from itertools import pairwise
from urllib.parse import unquote

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from small_book import book, card, text, workshop
from tests_support import examples

from generator.base.colour import measure_contrast
from generator.base.display_list import Drawing, Shape
from generator.base.errors import ProblemsFound
from generator.base.geometry import Rect
from generator.base.outlines import rectangle_path
from generator.books.page.blocks import (
    Block,
    Book,
    Box,
    Contents,
    Cover,
    Figure,
    Heading,
    Index,
    Link,
    Listing,
    Paragraph,
    Table,
    Term,
    VerticalText,
)
from generator.books.page.page_style import choose_page_colours, make_readable_colour
from generator.books.web_page import make_web_page
from generator.books.web_text import href_from_anchor, id_from_anchor
from generator.game.model import Colour
from generator.game.rich_text import Icon, LineBreak, Plain, Ruby, RunStyle

LANGUAGES = ("ja", "en")
VOID = {"meta", "br", "wbr", "input"}
FOREIGN = {"path", "use", "stop", "image", "circle"}
REQUESTS = {"src", "srcset", "poster", "data", "action", "background", "manifest", "ping", "formaction"}


class Element:
    """An element of a page with its attributes and what is in it."""

    def __init__(self, name: str, attributes: dict[str, str], parent: "Element | None"):
        self.name, self.attributes, self.parent = name, attributes, parent
        self.children: list[Element | str] = []

    def all(self, *names: str) -> Iterator["Element"]:
        """All elements of these names inside, in their order; every element without a name."""
        for child in self.children:
            if isinstance(child, Element):
                if not names or child.name in names:
                    yield child
                yield from child.all(*names)

    @property
    def text(self) -> str:
        return "".join(child if isinstance(child, str) else child.text for child in self.children)


class Reader(HTMLParser):
    """Reads a page strictly: every tag that opens is closed in its turn."""

    def __init__(self, page: str):
        super().__init__(convert_charrefs=True)
        self.root = self.at = Element("", {}, None)
        self.feed(page)
        self.close()
        assert self.at is self.root, f"<{self.at.name}> is not closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element, once closed at the end of it; no attribute twice or without a value."""
        assert len(dict(attrs)) == len(attrs) and all(value is not None for _, value in attrs), (tag, attrs)
        made = Element(tag, dict(attrs), self.at)
        self.at.children.append(made)
        if tag not in VOID:
            self.at = made

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """`<path/>`: in SVG alone."""
        assert tag in FOREIGN, tag
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.at.name == tag, f"</{tag}> where <{self.at.name}> is open"
        self.at = self.at.parent

    def handle_data(self, data: str) -> None:
        self.at.children.append(data)


def page(made: Book, **more: str) -> Element:
    return Reader(make_web_page(made, workshop(), **more)).root


def small(*blocks: Block, lang: str = "en") -> Book:
    return Book("harbour", lang, Cover("Harbour", "", ()), blocks, ())


def classes(element: Element) -> list[str]:
    return element.attributes.get("class", "").split()


def only(root: Element, name: str) -> Element:
    (found,) = root.all(name)
    return found


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_same_book_gives_the_same_bytes(lang):
    assert make_web_page(book(lang), workshop()) == make_web_page(book(lang), workshop())


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_page_is_well_formed_and_says_its_language(lang):
    """Tags close in their turn, ids are given once, and a reader knows language, title and letters of the page."""
    made = make_web_page(book(lang), workshop())
    root = Reader(made).root
    ids = [element.attributes["id"] for element in root.all() if "id" in element.attributes]
    assert made.startswith("<!DOCTYPE html>\n")
    assert only(root, "html").attributes["lang"] == lang
    assert only(root, "title").text == book(lang).cover.title
    assert {"charset": "utf-8"} in [meta.attributes for meta in root.all("meta")]
    assert len(ids) == len(set(ids)) > 10
    assert not any(re.search(r"\s", name) or not name for name in ids)


def test_a_page_begins_where_its_language_does():
    sides = [only(page(small(lang=lang)), "html").attributes.get("dir") for lang in ("he", "en")]
    assert sides == ["rtl", None]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_page_needs_nothing_else(lang):
    made = make_web_page(book(lang), workshop())
    root = Reader(made).root
    assert not re.search(r"https?:|fetch|import|XMLHttp|eval|innerHTML", only(root, "script").text)
    assert not list(Reader(make_web_page(book(lang), workshop(), scripted=False)).root.all("script", "input", "button"))
    for element in root.all():
        assert element.name not in ("link", "iframe", "object", "embed", "base", "form")
        for name, value in element.attributes.items():
            assert name not in REQUESTS and not name.startswith("on") and "http" not in value, (element.name, name)
            if name == "href":
                assert value.startswith("#") or (element.name == "image" and value.startswith("data:image/"))
    style = only(root, "style").text
    assert "@import" not in style and "url(" not in style and "http" not in style


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_link_arrives(lang):
    root = page(book(lang))
    ids = {element.attributes["id"] for element in root.all() if "id" in element.attributes}
    wanted = [element.attributes["href"] for element in root.all("a", "use")]
    for element in root.all():
        for value in element.attributes.values():
            wanted += re.findall(r"url\((#[^)]+)\)", value)
    assert len(wanted) > 20
    assert {target.replace("%25", "%") for target in wanted} <= {f"#{name}" for name in ids}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_headings_are_in_order(lang):
    """One h1 for the title; no level is skipped on the way down; every heading has an id."""
    headings = list(page(book(lang)).all("h1", "h2", "h3", "h4", "h5", "h6"))
    levels = [int(heading.name[1]) for heading in headings]
    assert levels[0] == 1 and levels.count(1) == 1 and max(levels) == 4
    assert all(below - above <= 1 for above, below in pairwise(levels))
    assert all(heading.attributes["id"] for heading in headings)


@given(st.lists(st.sampled_from([1, 2, 3]), min_size=1, max_size=12))
@examples(40)
def test_no_level_is_ever_skipped(wanted):
    headings = [Heading(level, text(f"h{at}"), f"h{at}") for at, level in enumerate(wanted)]
    root = page(small(Contents(text("Contents")), *headings))
    levels = [int(heading.name[1]) for heading in root.all("h1", "h2", "h3", "h4")]
    assert all(below - above <= 1 for above, below in pairwise(levels))
    listed = [link.attributes["href"] for nav in root.all("nav") for link in nav.all("a")]
    assert listed == [f"#h{at}" for at, level in enumerate(wanted) if level < 3]
    assert all(item.parent.name == "ol" for item in root.all("li"))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_figure_has_words(lang):
    root = page(book(lang))
    shown = [element for element in root.all("svg") if "store" not in classes(element)]
    assert len(list(root.all("figure"))) >= 3 and len(shown) > 5
    assert all(one.attributes["role"] == "img" and one.attributes["aria-label"].strip() for one in shown)
    icons = {one.attributes["aria-label"] for one in shown if "icon" in classes(one)}
    assert icons == {{"ja": "星", "en": "Star"}[lang]}


def test_a_figure_without_words_of_its_own_takes_its_caption():
    root = page(small(Figure(card(), "", text("A card"))))
    assert next(root.all("svg")).attributes["aria-label"] == "A card"


def test_icons_are_drawn_once():
    root = page(small(*[Paragraph((Icon("star"), Plain(" ")))] * 5))
    assert len([svg for svg in root.all("svg") if "icon" in classes(svg)]) == 5
    assert len(list(root.all("symbol"))) == 1


@pytest.mark.parametrize("lang", LANGUAGES)
def test_tables_have_headers_and_scroll_by_themselves(lang):
    """Heads of columns and rows say of what they are heads; a wide table scrolls inside its box, by keyboard too."""
    for table in page(book(lang)).all("table"):
        head, body = only(table, "thead"), only(table, "tbody")
        assert all(cell.attributes["scope"] == "col" for cell in head.all("th"))
        for row in body.all("tr"):
            assert [cell.attributes.get("scope") for cell in row.all("th", "td")][:2] == ["row", None]
        assert "scroll" in classes(table.parent) and table.parent.attributes["tabindex"] == "0"
        assert table.parent.attributes["role"] == "region" and table.parent.attributes["aria-label"]


def test_a_term_leads_to_its_entry():
    hand = Term("Hand", "hand")
    legend = Table((text("a"), text("b")), (((hand,), text("first")),), ("left", "left"))
    glossary = replace(legend, rows=(((Term("hand", "hand"),), (Plain("your "), Term("hands", "hand"))),))
    root = page(small(Paragraph((hand,)), legend, glossary))
    (row,) = [row for row in root.all("tr") if "id" in row.attributes]
    assert row.text == "handyour hands" and row.attributes["id"] == "term:hand"
    assert only(root, "dfn").text == "hand"
    links = [(link.text, link.attributes["href"]) for link in only(root, "main").all("a")]
    assert links == [("Hand", "#term:hand"), ("Hand", "#term:hand"), ("hands", "#term:hand")]


def test_the_index_leads_to_every_section_that_uses_a_term():
    deck = Term("deck", "deck")
    index = Index(text("Index"), ((text("The deck"), "deck"), (text("Hand"), "hand")))
    uses = (Heading(1, text("One"), "one"), Paragraph((deck, deck)), Heading(2, text("Two"), "two"), Paragraph((deck,)))
    root = page(small(index, *uses))
    first, second = next(only(root, "main").all("ul")).all("li")
    assert [(link.text, link.attributes["href"]) for link in first.all("a")] == [("One", "#one"), ("Two", "#two")]
    assert second.text == "Hand"
    assert {link.attributes["href"] for link in root.all("a") if "term" in classes(link)} == {"#index:deck"}
    assert [one.attributes["id"] for one in first.all("span") if "id" in one.attributes] == ["index:deck"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_contents_lead_to_chapters_sections_and_index(lang):
    root = page(book(lang))
    listed = [(link.attributes["href"], link.text) for link in only(root, "nav").all("a")]
    assert listed == [(f"#{one.attributes['id']}", one.text) for one in root.all("h2", "h3")]
    assert listed[-1][0] == "#index:"
    own = only(page(small(Heading(1, text("One"), "one"))), "nav")
    assert [link.attributes["href"] for link in own.all("a")] == ["#one"], "the book has no contents of its own"
    assert not list(page(small(Paragraph(text("One")))).all("nav"))


def test_a_prologue_stands_upright_in_japanese():
    upright = VerticalText((text("第12章、7日、2026年!?"),), text("序"))
    japanese = page(small(upright, lang="ja"))
    assert [classes(section) for section in japanese.all("section")] == [["upright"]]
    assert [span.text for span in japanese.all("span")] == ["12", "7", "!?"]
    assert ".upright {\n  writing-mode: vertical-rl" in only(japanese, "style").text
    assert [classes(section) for section in page(small(upright)).all("section")] == [["lying"]]


def test_words_keep_their_dress():
    words = (
        Plain("a", bold=True, emphasis=True),
        Ruby(("漢", "字"), ("かん", "じ")),
        LineBreak(),
        Plain("c", colour="wine"),
        Plain("d", colour="ink"),
    )
    made = make_web_page(
        small(Paragraph(words, "lead"), Box("example", text("E"), (Paragraph(text("x")),))), workshop()
    )
    assert '<p class="lead"><strong><em>a</em></strong><ruby>漢<rp>（</rp><rt>かん</rt><rp>）</rp>' in made
    assert '</ruby><br><span class="in-wine">c</span>d</p>' in made
    assert '<aside role="note" class="example" aria-label="E">' in made
    assert len(re.findall(r"\.in-wine\{color:(#[0-9a-f]{6})\}", made)) == 2  # by day and by night


def test_words_keep_their_manner():
    """Lines, sizes, weights, small capitals, sub- and superscript become what HTML and CSS have for them."""
    words = (
        Plain("a", manner=RunStyle(underlined=True, struck=True)),
        Plain("b", bold=True, manner=RunStyle(size=1.25, weight=300, small_capitals=True)),
        Plain("c", manner=RunStyle(size=0.65, rise=0.36)),
        Plain("d", manner=RunStyle(size=0.65, rise=-0.14)),
    )
    made = make_web_page(small(Paragraph(words)), workshop())
    assert "<u><s>a</s></u>" in made
    style = "font-size:125%;font-weight:300;font-variant-caps:small-caps"
    assert f'<strong><span style="{style}">b</span></strong><sup>c</sup><sub>d</sub>' in made


def test_lists_are_close_until_they_hold_paragraphs():
    inner = Listing(((Paragraph(text("c")),),), ordered=True)
    root = page(small(Listing(((Paragraph(text("a")),), (Paragraph(text("b")), inner)))))
    outer = next(only(root, "main").all("ul"))
    assert [item.text.split() for item in outer.all("li")] == [["a"], ["b", "c"], ["c"]]
    assert not list(outer.all("p"))
    both = page(small(Listing(((Paragraph(text("a")), Paragraph(text("b"))),))))
    assert [p.text for p in only(both, "main").all("p")] == ["a", "b"]


def test_what_does_not_exist_is_told_at_once():
    wrong = (Paragraph((Link("x", "ned"), Icon("sun"), Link("y", "ned"))), Heading(1, text("End"), "end"))
    with pytest.raises(ProblemsFound) as caught:
        make_web_page(small(*wrong), workshop())
    assert [str(problem) for problem in caught.value.problems] == [
        "rulebook (en): a link leads to 'ned', but the book has no such heading; did you mean 'end'?",
        "rulebook (en): there is no icon 'sun'; known: star",
    ]


markup = st.sampled_from(["<b>", "</p>", "&amp;", "&lt", '" onload="x', "'", "<!--", "]]>", "<script>", "{{", "\\"])
tricky = st.one_of(st.text(max_size=20), st.lists(st.one_of(markup, st.text(max_size=3)), max_size=4).map("".join))


@given(tricky, tricky)
@examples(80)
def test_any_text_is_only_text(words, anchor):
    """Whatever a text, a title, an anchor or a caption holds, it is read back as characters, never as markup."""
    kept = re.sub("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]", "", words)
    blocks = (
        Heading(1, text(words), f"x{anchor}"),
        Paragraph((Plain(words), Link(words, f"x{anchor}"), Ruby((words,), (words,)), Term(words, words))),
        Figure(Drawing(5, 5, 0, (Shape(rectangle_path(Rect(0, 0, 5, 5)), "ink"),)), f"a{words}", text(words)),
        Table((text(words),), ((text(words),),), ("left",), text(words)),
        Box("note", text(words), ()),
        Index(text(words), ((text(words), words),)),
    )
    made = replace(small(*blocks), cover=Cover(words, words, (words,)), imprint=(words,))
    root = page(made)
    assert only(root, "title").text == only(root, "h1").text == kept
    (heading, *_), figure = root.all("h2"), only(root, "figure")
    assert heading.text == kept
    assert next(figure.all("svg")).attributes["aria-label"] == f"a{kept}"
    links = [one for one in only(root, "main").all("a") if one.parent.name == "p" and "term" not in classes(one)]
    assert [link.attributes["href"] for link in links] == [unescape(href_from_anchor(f"x{anchor}"))]
    assert heading.attributes["id"] == unescape(id_from_anchor(f"x{anchor}"))
    paragraph = next(one for one in only(root, "main").all("p"))
    assert paragraph.text == f"{kept}{kept}{kept}（{kept}）{kept}"
    assert next(only(root, "footer").all("p")).text == kept


anchors = st.one_of(st.text(max_size=8), st.text("% 20\t5", max_size=5))


@given(anchors, anchors)
@example(" ", "%20")
def test_different_anchors_stay_different(one, other):
    clean = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
    one, other = clean.sub("", one), clean.sub("", other)
    assert not re.search(r"\s", id_from_anchor(one))
    assert (id_from_anchor(one) == id_from_anchor(other)) == (one == other)
    assert unquote(unescape(href_from_anchor(one))) == "#" + unescape(id_from_anchor(one))


shades = st.integers(0, 0xFFFFFF).map(lambda value: f"#{value:06x}")


@given(st.lists(shades, max_size=6), st.integers(0, 5))
def test_every_palette_is_readable(palette, chosen):
    """Text, titles and links have WCAG's contrast with their ground by day, by night and on the cover."""
    names = {f"p{at}": Colour(shade) for at, shade in enumerate(palette)}
    made = choose_page_colours(names, f"p{chosen}" if f"p{chosen}" in names else "ink")
    for ink, ground in (
        (made.day_text, made.day),
        (made.day_accent, made.day),
        (made.night_text, made.night),
        (made.night_accent, made.night),
        (made.on_cover, made.cover),
    ):
        assert measure_contrast(ink, ground) >= 4.5


@given(shades, shades)
def test_tones_are_readable_and_no_further_than_needed(colour, ground):
    """A colour that can be read stays as it is; another becomes readable, or as far as black and white go."""
    made = make_readable_colour(colour, ground)
    assert made == colour if measure_contrast(colour, ground) >= 4.5 else 4.5 <= measure_contrast(made, ground) <= 5.5
