"""Faces set in formes are those that are read one by one: the same drawing, the same hash, the same bytes and problems."""

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from conftest import ROOT
from face_games import FONTS, Table, design, tale
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup
from shipped_games import GAMES
from tests_support import quick

from generator.base.display_list import Drawing, FaceHasher
from generator.base.geometry import Rect, Size
from generator.drawing.faces.game_drawing import Workshop
from generator.drawing.pdf.document import write_pdf
from generator.drawing.svg.common_parts import FaceSkeletons, SetFace
from generator.drawing.templates.template_sources import SLOT, resolve_values, split_slots
from generator.game.load_game import load_game
from generator.game.print_pages import Document, Page, Placement
from generator.game.project import find_project
from generator.text.fonts import FontBook


@contextmanager
def one_by_one() -> Iterator[None]:
    """No face is set in a forme meanwhile."""
    really = FaceSkeletons.set_face
    FaceSkeletons.set_face = lambda *_: None  # type: ignore[method-assign,assignment]
    try:
        yield
    finally:
        FaceSkeletons.set_face = really  # type: ignore[method-assign]


@pytest.fixture
def set_faces(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Of each face whether it came out of a forme."""
    asked: list[bool] = []
    really = FaceSkeletons.set_face

    def noted(self: FaceSkeletons, *args: Any) -> SetFace | None:
        done = really(self, *args)
        asked.append(done is not None)
        return done

    monkeypatch.setattr(FaceSkeletons, "set_face", noted)
    return asked


def printed(drawings: list[Drawing]) -> bytes:
    """A PDF with a page for each drawing."""
    fonts = FontBook(tale().fonts, lambda name: FONTS / name)
    for lang in ("en", "ja"):
        fonts.get_chain("body", lang)
    box, size = Rect(0, 0, 60, 90), Size(60, 90)
    pages = tuple(
        Page(size, "front", at, (Placement(str(at), drawing, box, box),)) for at, drawing in enumerate(drawings)
    )
    out = io.BytesIO()
    write_pdf(Document("", "en", pages, tagged=True), fonts, lambda _: (0.2, 0.4, 0.6), Path, out)
    return out.getvalue()


def everything(root: Path, template: str, cards: list[dict[str, Any]], lang: str) -> tuple[Any, ...]:
    """What comes of a deck: drawings, hashes, bytes, problems in the order in which they were found."""
    game = tale(*(design(f"c{at}", **fields) for at, fields in enumerate(cards)))
    table = Table(root, game, {"tale/card.svg": template, "tale/parts.svg": PARTS})
    drawings = [table.draw(at, lang=lang) for at in range(len(cards))]
    hasher = FaceHasher(str)
    fit = [drawing for drawing in drawings if drawing is not None]
    return drawings, [hasher.hash(drawing) for drawing in fit], printed(fit), table.complaints


def check_both_ways(template: str, cards: list[dict[str, Any]], lang: str = "en") -> None:
    """Draw a deck in both ways and compare."""
    with TemporaryDirectory() as one, TemporaryDirectory() as other:
        fast = everything(Path(one), template, cards, lang)
        with one_by_one():
            slow = everything(Path(other), template, cards, lang)
    for set_one, sure in zip(fast, slow, strict=True):
        assert set_one == sure


PARTS = """{% macro crest(name, size) %}<g transform="translate({{ size }} 3)"><use href="icon:{{ name }}" width="5"/>
<text x="1" y="12" font-size="7pt">{{ caller() if caller else name }}</text></g>{% endmacro %}
{% macro tint(name) %}fill="{{ name }}"{% endmacro %}"""

PIECES = (
    '<text x="30" y="{y}" font-size="9pt" fill="{{{{ card.paint }}}}">{{{{ card.words }}}}</text>',
    '<text x="{{{{ card.number }}}}" y="{y}" font-size="9pt">No. {{{{ card.number }}}} of {{{{ card.words }}}}</text>',
    '<textbox x="5" y="{y}" width="50" height="14" font-size="9pt" min-size="7pt">{{{{ card.words }}}}</textbox>',
    '<textbox x="5" y="{y}" width="{{{{ card.number }}}}" height="9" font-size="7pt" text-align="justify">'
    "{{{{ card.more }}}} and {{{{ card.words }}}}</textbox>",
    '<textbox x="5" y="{y}" width="40" height="20" font-size="8pt" text-role="title" phrases="yes" lang="ja">'
    "{{{{ card.more }}}}</textbox>",
    '<textbox x="5" y="{y}" width="50" height="40" font-size="8pt" min-size="6.5pt" text-indent="1em">'
    "- {{{{ card.words }}}}\n- {{large:{{underline:{{{{ card.more }}}}}}}}</textbox>",
    '<text x="5" y="{y}" width="{{{{ card.number * 3 }}}}" font-size="9pt">{{{{ card.words }}}}</text>',
    '<text x="9" y="{y}" writing-mode="vertical-rl" font-size="8pt" lang="ja">{{{{ card.more }}}}</text>',
    '<g transform="rotate(180 30 45)"><text x="5" y="{y}" font-size="12pt">{{{{ card.number }}}}</text></g>',
    '<g id="g{y}"><title>{{{{ card.more }}}}</title><rect width="{{{{ card.number }}}}" height="3"/></g>',
    '<g clip-path="url(#cut)"><text x="-3" y="{y}" font-size="9pt">{{{{ card.words }}}}</text></g>',
    '<use href="icon:{{{{ card.icon }}}}" x="20" y="{y}" width="{{{{ card.number }}}}" height="6"/>',
    '<rect x="3" y="{y}" width="20" height="5" fill="{{{{ card.paint }}}}" data-note="{{{{ card.words }}}}"/>',
    '{{% if card.number > 5 %}}<circle cx="30" cy="{y}" r="{{{{ card.number }}}}"/>{{% endif %}}',
    '{{% for n in range(card.number) %}}<rect x="{{{{ 4 * n }}}}" y="{y}" width="3" height="3"/>{{% endfor %}}',
    "{{{{ parts.crest(card.icon, card.number) }}}}",
    '{{% call parts.crest("star", {y}) %}}{{{{ card.words }}}}{{% endcall %}}',
    '<path d="M 3 {y} h {{{{ card.number }}}} v 3 z" {{{{ parts.tint(card.paint) }}}}/>',
    "<title>{{{{ card.words }}}}</title>",
    "<desc> seen by  {{{{ card.more }}}} </desc>",
    '<stamp x="{{{{ card.number }}}}" y="{y}"/>',
    "<!-- {{{{ card.words }}}} -->",
    '<text x="3" y="{y}" font-size="9pt"><![CDATA[{{{{ card.words }}}}]]></text>',
    '<text id="{{{{ card.more }}}}" x="3" y="{y}" font-size="9pt">{{{{ card.number }}}}</text>',
    '<text x="3" y="{y}" font-size="9pt">[[{{{{ card.words }}}}]]</text>',
    '<text x="3" y="{y}" font-size="9pt">{{{{ card.words }}}}></text>',
    "<g>{{{{ card.blank }}}}</g>",
    '<linearGradient id="shade{y}"><stop stop-color="{{{{ card.paint }}}}"/><stop offset="1"/></linearGradient>'
    '<rect x="1" y="{y}" width="9" height="9" fill="url(#shade{y})"/>',
    '<text x="3" y="{y}" fontsize="3pt">{{{{ card.number }}}}</text>',
    '<text x="3" y="{y}" fontsize="3pt">fixed</text><text x="3" y="60" font-size="9pt">{{{{ card.words }}}}</text>',
    '<g>fixed</g><text x="3" y="{y}" font-size="9pt">{{{{ card.words }}}}</text>',
    '<g id="n{y}" data-n="{{{{ card.words }}}}"><path d="M 3 {y} h 9 v 3 z"/></g><use href="#n{y}" y="5"/>',
    '<g><title>{{{{ card.more }}}}</title><rect width="5" height="3"/></g>',
    '<rect x="3" y="{y}" width="{{{{ card.number }}}}" height="5" fill="url(#shade)"/>',
    '<text x="3" y="{y}" font-size="9pt"><![CDATA[{{{{ card.words }}}} of]]></text>',
    '<text x="3" y="{y}" font-size="9pt" _at="{{{{ card.number }}}}:3:4">{{{{ card.words }}}}</text>',
    '<g opacity="0.5" style="mix-blend-mode: multiply"><text x="3" y="{y}" font-size="9pt">{{{{ card.words }}}}</text></g>',
    '<text x="3" y="{y}" font-size="9pt" fill-opacity="0.5" stroke="night" paint-order="stroke">{{{{ card.words }}}}</text>',
    '<text x="3" y="{y}" font-size="9pt" style="{{{{ \'opacity: 0.5\' if card.number > 6 else \'fill: bronze\' }}}}">'
    "{{{{ card.words }}}}</text>",
    '<g fill="#10203080"><text x="3" y="{y}" font-size="9pt">{{{{ card.words }}}}</text><rect width="3" height="3"/></g>',
    '<g shadow="1 1 1 night 40%"><rect x="{{{{ card.number }}}}" y="{y}" width="9" height="5" fill="bronze"/></g>',
    '<g mask="url(#veil)"><rect x="{{{{ card.number }}}}" y="{y}" width="9" height="5" fill="{{{{ card.paint }}}}"/></g>',
    '<path id="way{y}" d="M 3 {y} h 50" fill="none"/><text font-size="9pt" fill="{{{{ card.paint }}}}">'
    '<textPath href="#way{y}">fixed</textPath></text>',
    '<path id="way{y}" d="M 3 {y} h 50" fill="none"/><text font-size="9pt">'
    '<textPath href="#way{y}" startOffset="{{{{ card.number }}}}">{{{{ card.words }}}}</textPath></text>',
    '<rect x="3" y="{y}" width="{{{{ card.number }}}}" height="9" fill="url(#dots)" opacity="0.{{{{ card.number }}}}"/>',
)

CUT = (
    '<clipPath id="cut"><rect width="50" height="80"/></clipPath>'
    '<mask id="veil" mask-type="alpha"><rect width="20" height="80" fill="#00000080"/></mask>'
    '<pattern id="dots" width="2" height="2" patternUnits="userSpaceOnUse"><circle r="1" fill="bronze"/></pattern>'
)

WORDS = st.one_of(
    st.sampled_from(
        [
            *("gold", 'Don\'t <stop> & "go"', "**bold** and {star}", "{star", "山札から１枚引き、手札に加える。", "{山|やま}札",),
            *("word " * 30, "ᚠ runes", "two\nlines", "3", " spaced  out ", "]]", "url(#cut)", "a\u00adb", "x\u3000y", "&amp;"),
        ]
    ),
    st.text(st.sampled_from("aW1 あ漢。、「（.,-{}*&<>'\"\\\u200b\t]"), min_size=1, max_size=12),
)  # fmt: skip
CARDS = st.lists(
    st.fixed_dictionaries(
        {
            "words": WORDS,
            "more": WORDS,
            "number": st.sampled_from([1, 6, 12, 30, 30, 40]),
            "paint": st.sampled_from(["bronze", "night", "#102030", "none", "gold", "url(#none)"]),
            "icon": st.sampled_from(["star", "star", "star", "moon", "sun"]),
            "blank": st.sampled_from(["", " ", "", "loose"]),
        }
    ),
    min_size=3,
    max_size=6,
)


@st.composite
def templates(draw: Callable[[Any], Any]) -> str:
    """A template of up to four pieces, each at a height of its own."""
    chosen = draw(st.lists(st.sampled_from(PIECES), min_size=1, max_size=4))
    body = "\n".join(piece.format(y=15 + 18 * at) for at, piece in enumerate(chosen))
    cut = CUT + '<linearGradient id="shade"><stop stop-color="night"/><stop offset="1"/></linearGradient>'
    return f'{{% import "parts.svg" as parts %}}<svg xmlns="http://www.w3.org/2000/svg">{cut}\n{body}\n</svg>'


@pytest.mark.slow
@given(templates(), CARDS, st.sampled_from(["en", "ja"]))
def test_any_deck_comes_out_the_same(template: str, cards: list[dict[str, Any]], lang: str) -> None:
    check_both_ways(template, cards, lang)


FIT: dict[str, Any] = {"words": "gold", "more": "山札", "number": 12, "paint": "night", "icon": "star", "blank": ""}  # fmt: skip
ODD = (
    *({"words": words} for words in ("ore & tin", "]]", "two\nlines", "- a list", "gold " * 60, "a -- b", "{star} *won*", "{moon}", "{", "ᚠ" * 90)),
    *({"more": more} for more in ("札 <b>", "**山**", "山札から１枚引き、" * 9)),
    *({"number": number} for number in (6, 40, 30)),
    *({"paint": paint} for paint in ("bronze", "none", "gold", "url(#none)")),
    *({"icon": "moon"}, {"blank": " "}, {"blank": "loose"}),
)  # fmt: skip
"""What differs from `FIT`, a card each."""


@pytest.mark.parametrize("piece", quick(PIECES, *PIECES[::4]))
def test_each_piece_comes_out_the_same(piece: str) -> None:
    shade = '<linearGradient id="shade"><stop stop-color="night"/><stop offset="1"/></linearGradient>'
    each = '<text x="5" y="85" font-size="5pt">{{ card.id }}</text>'
    body = f"{CUT}{shade}{piece.format(y=40)}{each}"
    template = f'{{% import "parts.svg" as parts %}}<svg xmlns="http://www.w3.org/2000/svg">{body}</svg>'
    check_both_ways(template, [FIT, {**FIT, "words": "silver"}, *({**FIT, **odd} for odd in (*ODD, *ODD)), FIT])


def of_project(root: Path, name: str) -> tuple[Any, ...]:
    """All faces of a game in all languages, and its problems."""
    project = find_project(root)
    shop = Workshop(load_game(project.find_folder(name), project.resources), project.resources)
    return dict(shop.draw_all(shop.game.designs(), shop.game.languages)), shop.problems


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_games_that_ship_come_out_the_same(name: str) -> None:
    fast = of_project(
        ROOT, name
    )  # not the workshop that tests share: others have asked it for faces that nobody prints
    with one_by_one():
        slow = of_project(ROOT, name)
    assert fast == slow
    assert fast[1] == ()


@pytest.mark.slow
@pytest.mark.parametrize("starter", ["board", "cards"])
def test_starters_come_out_the_same(starter: str) -> None:
    """Every face of the games that `pnp new` gives."""
    root = ROOT / "packs" / starter / "starter"
    for name in find_project(root).games:
        fast = of_project(root, name)
        with one_by_one():
            assert fast == of_project(root, name)


def test_faces_come_out_of_formes(set_faces: list[bool]) -> None:
    template = (
        '<svg xmlns="http://www.w3.org/2000/svg"><text y="20" x="5" font-size="9pt">{{ card.words }}</text></svg>'
    )
    with TemporaryDirectory() as folder:
        everything(Path(folder), template, [{"words": f"card {n}"} for n in range(4)], "en")
    assert set_faces == [False, True, True, True]


@pytest.mark.slow
def test_faces_of_games_that_come_out_of_formes(set_faces: list[bool]) -> None:
    """XANADU's tokens do, but no face of Fortuna.

    Each of Fortuna's thirty cards has a scene of its own, with as many ears or stars as its number says: no two of
    them have the same elements.
    """
    of_project(ROOT, "fortuna")
    assert not any(set_faces)
    set_faces.clear()
    of_project(ROOT, "xanadu")
    assert sum(set_faces) >= 20


def test_measures_in_what_is_referred_to_come_out_of_formes(set_faces: list[bool]) -> None:
    """Values in a clip path are no hindrance: faces with others have a cast of their own."""
    template = (
        '<svg xmlns="http://www.w3.org/2000/svg">'
        '<clipPath id="cut"><rect width="{{ card.number }}" height="{{ height }}"/></clipPath>'
        '<g clip-path="url(#cut)"><text x="3" y="20" font-size="9pt">{{ card.words }}</text></g></svg>'
    )
    cards = [{"words": f"card {n}", "number": number} for n, number in enumerate([20, 20, 20, 30, 20])]
    check_both_ways(template, cards)
    set_faces.clear()
    with TemporaryDirectory() as folder:
        everything(Path(folder), template, cards, "en")
    assert set_faces == [False, True, True, True, True]


def test_what_a_macro_gives_in_an_attribute_is_one_value(set_faces: list[bool]) -> None:
    template = (
        "{% macro steps(n) %}M 0 0{% for k in range(n) %} L {{ k }} {{ k * k }}{% endfor %}{% endmacro %}"
        '<svg xmlns="http://www.w3.org/2000/svg"><path d="{{ steps(card.number) }}" fill="bronze"/></svg>'
    )
    cards = [{"number": number} for number in (3, 4, 5)]
    check_both_ways(template, cards)
    set_faces.clear()
    with TemporaryDirectory() as folder:
        everything(Path(folder), template, cards, "en")
    assert set_faces == [False, True, True]


def test_what_is_cut_off_or_referred_to_comes_out_of_formes(set_faces: list[bool]) -> None:
    template = (
        '<svg xmlns="http://www.w3.org/2000/svg"><clipPath id="cut"><rect width="50" height="80"/></clipPath>'
        '<g clip-path="url(#cut)"><text x="-3" y="20" font-size="9pt">{{ card.words }}</text>'
        '<text x="-3" y="40" font-size="9pt">fixed</text></g>'
        '<linearGradient id="shade"><stop stop-color="night"/><stop offset="1"/></linearGradient>'
        '<rect width="{{ card.words | length }}" height="3" fill="url(#shade)"/></svg>'
    )
    with TemporaryDirectory() as folder:
        everything(Path(folder), template, [{"words": "card" * n} for n in (1, 2, 3)], "en")
    assert set_faces == [False, True, True]


def test_pieces_are_told_apart() -> None:
    pieces = ["<a>", Markup("6"), Markup("<b/>"), Markup(" "), Markup(""), Markup("x='1'"), Markup("a &amp; b")]
    assert split_slots(pieces) == (("<a>", SLOT, "<b/>", " ", "x='1'", SLOT), ["6", "a &amp; b"])


def test_values_as_text() -> None:
    """Entities are characters; of those that only a reader knows, and of characters that XML refuses, nothing is said."""
    assert resolve_values(["a &amp; &lt;b&gt; &#39;c&#34;", "\u3000\n"]) == ["a & <b> 'c\"", "\u3000\n"]
    assert resolve_values(["&nbsp;"]) is None
    assert resolve_values(["&amp;", "tab\t"]) is None
