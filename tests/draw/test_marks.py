"""The marks of rich text on faces: what they draw, on lines and in columns, and what is said where they can't."""

import io
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pyphen
import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib.tables._g_l_y_f import GlyphCoordinates
from fontTools.ttLib.tables.TupleVariation import TupleVariation
from PIL import Image

from generator.base.display_list import Drawing, Item, Picture, PlacedSymbol, Shape, TextRun
from generator.base.outlines import bound_points
from generator.game.model import FontFamily, IconEntry
from generator.game.rich_text import Words
from generator.text.fonts import Font
from generator.text.line_breaks import HYPHENATED
from tests.draw.face_games import FONTS, Table, complaints, design, drawn, svg, tale
from tests.draw.test_fonts import book_of

SANS, GARAMOND, GOTHIC = "SourceSans3_400Regular.ttf", "EBGaramond_400Regular.ttf", "BIZUDPGothic_400Regular.ttf"
BOX = '<textbox x="5" y="5" width="50" height="60" font-size="8pt"{more}>{{{{ card.text }}}}</textbox>'
"""Of rule text, on a card of 60 x 90 mm."""


def said(text: str) -> Words:
    return Words({"en": text, "ja": text})


def boxed(root: Path, text: str, more: str = "") -> Drawing:
    """A card with a text in a box, which takes more attributes."""
    return drawn(root, BOX.format(more=more), text=said(text))


def runs(drawing: Drawing) -> list[TextRun]:
    """Its text runs, in the order in which they are drawn."""
    return [item for item in drawing.items if isinstance(item, TextRun)]


def bars(drawing: Drawing) -> list[tuple[float, float, float, float, Any]]:
    """Its lines: left, top, width, height, colour."""
    shapes = [item for item in drawing.items if isinstance(item, Shape)]
    boxes = [bound_points([(x, y) for x, y in _corners(shape.path)]) for shape in shapes]
    return [(box.x, box.y, box.width, box.height, shape.fill) for box, shape in zip(boxes, shapes, strict=True) if box]


def _corners(path: str) -> list[tuple[float, float]]:
    numbers = [float(part) for part in path.split() if part not in "MLZ"]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def words_of(items: tuple[Item, ...]) -> str:
    return "".join(item.text for item in items if isinstance(item, TextRun))


def test_a_line_goes_on_below_smaller_words_and_changes_with_their_colour(tmp_path: Path) -> None:
    drawing = boxed(tmp_path, "a {underline:one {small:two} {bronze:three}} b")
    line, coloured = bars(drawing)
    one, three, behind = runs(drawing)[1], runs(drawing)[-2], runs(drawing)[-1]
    assert (line[0], line[0] + line[2]) == (pytest.approx(one.x, abs=2e-3), pytest.approx(three.x, abs=2e-3))
    assert coloured[0] + coloured[2] <= behind.x + 1e-3
    assert (line[4], coloured[4]) == ("ink", "bronze")
    assert line[3] == coloured[3]
    assert line[1] == coloured[1] > one.y


def test_struck_words_have_a_line_through_their_middle(tmp_path: Path) -> None:
    drawing = boxed(tmp_path, "{strike:one} {super:{strike:two}}")
    (_, low, _, thick, _), (_, high, _, thin, _) = bars(drawing)
    assert runs(drawing)[0].y - 2 < low < runs(drawing)[0].y
    assert high < low
    assert thin < thick


def test_scripts_are_smaller_and_stand_off_the_line(tmp_path: Path) -> None:
    first, low, between, high, last = runs(boxed(tmp_path, "H{sub:2}O, x{super:2} y"))
    assert first.y == between.y == last.y
    assert high.y < first.y < low.y
    assert high.size == low.size == pytest.approx(8 * 0.65)
    assert between.x == pytest.approx(low.x + (0.65 * (between.x - low.x) / 0.65))


def test_larger_words_make_room_for_their_line_alone(tmp_path: Path) -> None:
    usual = [run.y for run in runs(boxed(tmp_path, "a\nb\nc\nd"))]
    drawing = boxed(tmp_path, "a\n{size=200%:b}\nc\nd")
    ys = [run.y for run in runs(drawing)]
    pitch = usual[1] - usual[0]
    assert [run.size for run in runs(drawing)] == [8, 16, 8, 8]
    assert [low - high for high, low in pairwise(ys)] == pytest.approx([2 * pitch, pitch, pitch])


def test_small_capitals_are_the_fonts_own_where_it_has_them(tmp_path: Path) -> None:
    """Source Sans has them: other glyphs than the letters', which still read as they are written, and no note."""
    drawing = boxed(tmp_path, "{caps:Port}")
    (run,) = runs(drawing)
    assert run.text == "Port"
    assert run.size == 8
    assert run.glyphs[1:] != runs(boxed(tmp_path, "Port"))[0].glyphs[1:]
    assert drawing.notes == ()


def test_small_capitals_that_a_font_lacks_are_scaled_and_told_once(tmp_path: Path) -> None:
    game = tale(design(text=said("{caps:Port a}, {caps:Port b}")))
    game.fonts["body"] = FontFamily({"en": ("Cinzel_600SemiBold.ttf",), "ja": (GOTHIC,)}, {}, {})  # type: ignore[index]
    drawing = Table(tmp_path, game, {"tale/card.svg": svg(BOX.format(more=""))}).draw()
    assert drawing is not None
    assert words_of(drawing.items).replace(" ", "") == "Porta,Portb"
    assert {round(run.size, 6) for run in runs(drawing)} == {8, 6.4}
    assert drawing.notes == ("the font family 'body' has no small capitals: capitals made smaller stand for them",)


def test_features_of_a_font_are_asked_for_by_templates(tmp_path: Path) -> None:
    """Old-style figures are other glyphs, single ones too; letters stay, and so does a text that asks for nothing."""
    plain = runs(boxed(tmp_path, "a 12 3"))[0]
    old = runs(boxed(tmp_path, "a 12 3", " font-feature-settings=\"'onum', 'liga' off\""))[0]
    assert old.glyphs[:2] == plain.glyphs[:2]
    assert set(old.glyphs[2:4] + old.glyphs[5:]).isdisjoint(plain.glyphs)
    assert old.text == plain.text


def test_a_font_is_called_by_name_within_a_text(tmp_path: Path) -> None:
    game = tale(design(text=said("{underline:a {font=title:b}}")))
    game.fonts["title"] = FontFamily({"en": (GARAMOND,), "ja": (GOTHIC,)}, {}, {})  # type: ignore[index]
    drawing = Table(tmp_path, game, {"tale/card.svg": svg(BOX.format(more=""))}).draw()
    assert drawing is not None
    assert [run.font.partition("_")[0] for run in runs(drawing)] == ["SourceSans3", "EBGaramond"]
    assert len(bars(drawing)) == 1


def test_weights_are_files_of_a_family(tmp_path: Path) -> None:
    """`weights:` has files for further weights: by the template for a whole text, by a mark for words."""
    cinzel = FontFamily(
        {"en": ("Cinzel_600SemiBold.ttf",), "ja": (GOTHIC,)},
        {"en": ("Cinzel_700Bold.ttf",)},
        {},
        {"en": {900: ("Cinzel_900Black.ttf",)}},
    )
    game = tale(design(text=said("a {weight=400:b} {weight=700:c} **d**")))
    game.fonts["body"] = cinzel  # type: ignore[index]
    drawing = Table(tmp_path, game, {"tale/card.svg": svg(BOX.format(more=' font-weight="900"'))}).draw()
    assert drawing is not None

    shown = [run.font.partition("-")[0].partition("_")[2] for run in runs(drawing) if run.text.strip()]
    assert shown[0] == "900Black"
    assert "600SemiBold" in shown
    assert shown[-1] == "700Bold"


def variable_font() -> bytes:
    """A font whose only letter, `A`, is a bar 100 wide at weight 100 and 500 wide at 900; 300 at 500."""
    builder = FontBuilder(1000)
    builder.setupGlyphOrder([".notdef", "A"])
    builder.setupCharacterMap({65: "A"})
    glyphs = {}
    for name in (".notdef", "A"):
        pen = TTGlyphPen(None)
        pen.moveTo((0, 0))
        pen.lineTo((0, 700))
        pen.lineTo((100, 700))
        pen.lineTo((100, 0))
        pen.closePath()
        glyphs[name] = pen.glyph()
    builder.setupGlyf(glyphs)
    builder.setupHorizontalMetrics({".notdef": (600, 0), "A": (600, 0)})
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": "Bar", "styleName": "Regular"})
    builder.setupOS2()
    builder.setupPost()
    builder.setupFvar([("wght", 100, 100, 900, "Weight")], [])
    wider = GlyphCoordinates([(0, 0), (0, 0), (400, 0), (400, 0), (0, 0), (0, 0), (0, 0), (0, 0)])
    builder.setupGvar({"A": [TupleVariation({"wght": (0.0, 1.0, 1.0)}, list(wider))]})
    out = io.BytesIO()
    builder.font.save(out)
    return out.getvalue()


@pytest.mark.parametrize(("weight", "wide"), [(100, 100), (500, 300), (900, 500)])
def test_a_variable_font_is_taken_at_a_weight(tmp_path: Path, weight: int, wide: float) -> None:
    book = book_of({"bar.ttf": variable_font()}, tmp_path, ("bar.ttf",))
    (font,) = book.get_chain("body", "en", weight=weight)
    ink = font.measure_ink(font.find_glyph("A"))
    assert not book.problems
    assert ink is not None
    assert ink[2] == pytest.approx(wide, abs=1)
    assert b"fvar" not in font.subset([1])


def test_regular_and_bold_are_weights_of_a_variable_font(tmp_path: Path) -> None:
    """A family of one variable file is set at 400, bold words at 700: two fonts."""
    book = book_of({"bar.ttf": variable_font()}, tmp_path, ("bar.ttf",))
    (regular,), (bold,) = book.get_chain("body", "en"), book.get_chain("body", "en", bold=True)
    assert [round(font.measure_ink(1)[2]) for font in (regular, bold)] == [250, 400]  # type: ignore[index]
    assert regular.key != bold.key
    assert book.get_font(bold.key) is bold


@pytest.mark.parametrize(("one", "other"), [("left", "start"), ("center", "middle"), ("right", "end")])
def test_alignment_is_called_as_in_css_too(tmp_path: Path, one: str, other: str) -> None:
    """`center` is `middle`, `left` and `right` are `start` and `end`."""
    assert boxed(tmp_path, "a b", f' text-align="{one}"') == boxed(tmp_path, "a b", f' text-align="{other}"')


def test_paragraphs_are_indented_and_lines_not(tmp_path: Path) -> None:
    xs = [run.x for run in runs(boxed(tmp_path, "a\nb\n\nc", ' text-indent="2mm"'))]
    assert xs == pytest.approx([7, 5, 7], abs=1e-6)
    assert runs(boxed(tmp_path, "a", ' text-indent="1em"'))[0].x == pytest.approx(5 + 8 * 25.4 / 72)


def test_a_line_shrinks_into_its_width(tmp_path: Path) -> None:
    body = '<text x="30" y="20" font-size="14pt" width="{}" text-anchor="middle">{{{{ card.text }}}}</text>'
    drawing = drawn(tmp_path, body.format(20), text=said("a line of words"))
    frame = drawing.frames[0]
    assert frame.width <= 20
    assert 4 < frame.size < 14
    assert frame.x + frame.width / 2 == pytest.approx(30)
    assert drawn(tmp_path, body.format(55), text=said("a line of words")).frames[0].size == 14


def test_a_line_is_drawn_out_to_its_length(tmp_path: Path) -> None:
    """`textLength` puts the same room between all letters, or takes it away."""
    body = '<text x="5" y="20" font-size="12pt" textLength="{}">{{{{ card.text }}}}</text>'
    for long in (20, 40):
        frame = drawn(tmp_path, body.format(long), text=said("letters")).frames[0]
        assert frame.width == pytest.approx(long, abs=0.01)


def test_items_hang_and_their_marks_stand_before_them(tmp_path: Path) -> None:
    """Bullets stand at the left of their words on the first line; those go on below each other, deeper ones further."""
    drawing = boxed(
        tmp_path, "Do one:\n- draw {bronze:two} cards, and keep one of them in your hand\n  - or none\n- trade"
    )
    lines = [(run.text.strip(), run.x) for run in runs(drawing)]
    xs = dict(lines)
    marks = [x for text, x in lines if text in "•–"]
    assert [text for text, _ in lines][:3] == ["Do one:", "•", "draw"]
    assert xs["in your hand"] == xs["draw"] == xs["trade"] > 5
    assert xs["or none"] > xs["trade"]
    assert marks[0] == marks[2] < marks[1] < xs["or none"]
    assert drawing.frames[0].lines[:2] == ("Do one:", "•")


def test_numbers_end_in_line(tmp_path: Path) -> None:
    drawing = boxed(tmp_path, "9. nine\n10. ten")
    xs = {run.text: run.x for run in runs(drawing)}
    sans = Font(FONTS / SANS, (FONTS / SANS).read_bytes())
    figure = sans.measure_advance(sans.find_glyph("1")) / 1000 * 8 * 25.4 / 72
    assert xs["nine"] == xs["ten"]
    assert xs["9."] == pytest.approx(xs["10."] + figure, abs=0.02)
    assert xs["9."] < xs["nine"]


def test_cells_stand_in_columns(tmp_path: Path) -> None:
    """The head is bold with a line below it; a column's cells stand as its colons say; long cells go over two lines."""
    text = "| Place | Coins |\n|---|--:|\n| Port | 12 |\n| The mill that stands far outside of the old town | 3 |"
    drawing = boxed(tmp_path, text)
    (rule,) = bars(drawing)
    found = {run.text.strip(): run for run in runs(drawing)}
    port, twelve, three = found["Port"], found["12"], found["3"]
    assert found["Place"].x == port.x == 5
    assert found["Place"].y < rule[1] < port.y
    assert port.y == twelve.y
    assert twelve.x < three.x
    assert three.y < max(run.y for run in runs(drawing))


def test_marks_stand_in_columns_too(tmp_path: Path) -> None:
    """A line goes down at the right of underlined characters, beyond their readings; larger ones stand on the middle."""
    more = ' writing-mode="vertical-rl" lang="ja"'
    drawing = boxed(tmp_path, "{underline:線}と{size=150%:大}", more)
    (left, _, wide, high, _), (first, _, large) = bars(drawing)[0], runs(drawing)
    with_ruby = boxed(tmp_path, "{underline:{線|せん}}と", more)
    assert wide < high
    assert left > first.x
    assert large.size == 12
    middles = [run.x + run.size * 25.4 / 72 / 2 for run in (first, large)]
    assert middles[0] == pytest.approx(middles[1], abs=0.05)
    reading = next(run for run in runs(with_ruby) if run.size < 8)
    assert bars(with_ruby)[0][0] > reading.x + 0.5


@pytest.mark.parametrize("art", ["", "idea", "idea.png"])
def test_icons_may_be_pictures_and_emoji_become_them(tmp_path: Path, art: str) -> None:
    """A PNG stands beside words as a drawing does, in its own shape; a character of the data's map shows it."""
    out = io.BytesIO()
    Image.new("RGBA", (40, 20), (255, 0, 0, 128)).save(out, "PNG")
    game = tale(design(text=said("a 💡 {idea}")))
    game.icons["idea"] = IconEntry("idea", said("Idea"), art=art, emoji=("💡",))  # type: ignore[index]
    table = Table(tmp_path, game, {"tale/card.svg": svg(BOX.format(more="")), "tale/icons/idea.png": out.getvalue()})
    drawing = table.draw()
    assert drawing is not None, table.complaints
    first, second = [item for item in drawing.items if isinstance(item, PlacedSymbol)]

    assert first.symbol is second.symbol
    assert isinstance(first.symbol.items[0], Picture)
    assert first.symbol.box == (0, 0, 40, 20)
    assert second.matrix[4] > first.matrix[4] + 40 * first.matrix[0]


def test_a_language_without_patterns_is_told(tmp_path: Path) -> None:
    assert {known.partition("_")[0] for known in pyphen.LANGUAGES} == HYPHENATED
    guide = (FONTS.parent / "docs/data.md").read_text(encoding="utf-8")
    assert f"the {len(HYPHENATED)} languages of the library Pyphen" in guide
    told = {lang: boxed_in(lang, tmp_path).notes for lang in ("de", "tlh")}
    assert told == {"de": (), "tlh": ("no words are hyphenated in 'tlh': there are no patterns for this language",)}  # fmt: skip


def boxed_in(lang: str, root: Path) -> Drawing:
    """A card with a text in a box, in a language of its game."""
    game = tale(design(text=Words({lang: "a", "en": "a"})))
    game = replace(game, languages=(lang, "en"), fonts={"body": FontFamily({lang: (SANS,), "en": (SANS,)}, {}, {})})
    kinds = {name: replace(kind, name=Words({lang: "x", "en": "x"})) for name, kind in game.kinds.items()}
    icons = {name: replace(icon, name=Words({lang: "x", "en": "x"})) for name, icon in game.icons.items()}
    both = Words({lang: "x", "en": "x"})
    game = replace(game, kinds=kinds, icons=icons, title=both, credit=both, licence=both)
    drawing = Table(root, game, {"tale/card.svg": svg(BOX.format(more=""))}).draw(lang=lang)
    assert drawing is not None
    return drawing


@pytest.mark.parametrize(
    ("more", "text", "problem"),
    [
        ("", "{underline:x", "has wrong markup near '{underline:x': '{underline:' is not closed on its line; write \\{ for a brace",),
        ("", "{undeline:x}", "names the unknown colour 'undeline'; did you mean 'underline'?"),
        ("", "{font=boby:x}", "names the unknown font family 'boby'; did you mean 'body'?"),
        ("", "{weight=600:x}", "needs a missing weight: the font family 'body' has no weight 600 for 'en'; it has 400; add `weights: {600: [file]}` beside its `regular:`"),
        ("", "| a | b |\n| c |", "has wrong markup near '| c |': a row of a table has 1 cell, its first row has 2"),
        ("", "- {strike:x\n- y", "has wrong markup near '{strike:x': '{strike:' is not closed on its line; write \\{ for a brace",),
        (' writing-mode="vertical-rl" lang="ja"', "| a | b |", "has a table, which can't be set in columns; write a list instead"),
    ],
)  # fmt: skip
def test_what_a_text_cant_have_is_a_problem_of_its_data(tmp_path: Path, more: str, text: str, problem: str) -> None:
    found = complaints(tmp_path, BOX.format(more=more), text=said(text))
    assert found == [f"data/tale/deck.yaml:7:3: the text of deck/one (en) {problem}"]


@pytest.mark.parametrize(
    ("attributes", "problem"),
    [
        ('font-weight="600"', "the font family 'body' has no weight 600 for 'en'; it has 400; add `weights: {600: [file]}` beside its `regular:`"),
        ('font-feature-settings="smallcaps"', "font-feature-settings: 'smallcaps' is not an OpenType feature; write e.g. 'smcp', 'onum' 1, 'liga' off"),
        ('font-variant="small-caps"', "unknown attribute 'font-variant' on <text>; write font-feature-settings=\"smcp\", or {caps:text} in the text"),
        ('min-size="6pt"', "min-size does nothing on a <text> without width; write width, or take it out"),
        ('width="20" textLength="12"', "textLength and width both say how long the text is; keep one"),
        ('height="20"', "height does nothing on this <text>; write width, which it shrinks into"),
        ('width="0"', "width must be above 0"),
    ],
)  # fmt: skip
def test_what_an_attribute_cant_mean_is_a_problem(tmp_path: Path, attributes: str, problem: str) -> None:
    found = complaints(tmp_path, f'<text x="5" y="20" font-size="8pt" {attributes}>x</text>')
    assert found == [f"templates/tale/card.svg:2:1: {problem}"]


def test_what_does_not_fit_says_by_how_much(tmp_path: Path) -> None:
    line = '<text x="5" y="20" font-size="12pt" width="20" min-size="10pt">{{ card.text }}</text>'
    listed = '<textbox x="5" y="5" width="50" height="4" font-size="8pt">{{ card.text }}</textbox>'
    at = "shorten it or enlarge the {} at templates/tale/card.svg:2:1"
    assert complaints(tmp_path, line, text=said("much too long a text")) == [
        "data/tale/deck.yaml:7:3: text of deck/one (en) does not fit its length: 10.0 mm too long at 10 pt; "
        + at.format("text")
    ]
    assert complaints(tmp_path, listed, text=said("- a\n- b\n- c")) == [
        "data/tale/deck.yaml:7:3: text of deck/one (en) does not fit its box: 3.8 mm too tall at 6.5 pt; "
        + at.format("textbox")
    ]
