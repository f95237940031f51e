"""Orientation in columns after UAX #50, the fonts' forms for columns, and variants of ideographs."""

from io import BytesIO
from pathlib import Path

import pytest
from fontTools.feaLib.builder import addOpenTypeFeaturesFromString
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont

from generator.base.display_list import TextRun
from generator.game.model import FontFamily
from generator.game.rich_text import parse_markup
from generator.text.fonts import Font, FontBook
from generator.text.glyph_rows import SetText, TextBox
from generator.text.set_text import set_box
from generator.text.vertical_text import Orientation, find_orientation, measure_centre, needs_form

FONTS = Path(__file__).parents[2] / "fonts"
TSUJI, OTHER_TSUJI = "\u8fbb\U000e0100", "\u8fbb\U000e0101"
BOXES = {
    "tsuji": (0, -120, 1000, 880),
    "tsuji.other": (100, -20, 900, 780),
    "a": (0, -120, 1000, 880),
    "corner": (600, 500, 950, 850),
    "corner.vert": (600, -100, 950, 250),
    "stop": (50, -100, 250, 100),
    "dash": (0, 350, 1000, 410),
    "one": (150, 0, 450, 700),
    "one.half": (100, 0, 400, 700),
    "x": (50, 0, 450, 500),
}
WIDE = {"tsuji", "tsuji.other", "a", "corner", "corner.vert", "stop", "dash"}
FORMS = "feature vert { sub corner by corner.vert; } vert; feature hwid { sub one by one.half; } hwid;"


def little_font(forms: str = FORMS, columns: bool = True, selectors: bool = True) -> bytes:
    """A font of boxes: 辻 with one variant, あ, 「 with a form for columns, 。 without one, ―, a wide 1, x."""
    builder = FontBuilder(1000)
    names = [".notdef", *BOXES]
    builder.setupGlyphOrder(names)
    characters = {"辻": "tsuji", "あ": "a", "「": "corner", "。": "stop", "―": "dash", "1": "one", "x": "x"}
    uvs = [(0x8FBB, 0xE0100, None), (0x8FBB, 0xE0101, "tsuji.other")] if selectors else None
    builder.setupCharacterMap({ord(char): name for char, name in characters.items()}, uvs)
    glyphs = {}
    for name in names:
        pen = TTGlyphPen(None)
        if name in BOXES:
            left, bottom, right, top = BOXES[name]
            pen.moveTo((left, bottom))
            for point in ((left, top), (right, top), (right, bottom)):
                pen.lineTo(point)
            pen.closePath()
        glyphs[name] = pen.glyph()
    builder.setupGlyf(glyphs)
    widths = {name: 1000 if name in WIDE else 500 if name == "one.half" else 600 for name in names}
    builder.setupHorizontalMetrics({name: (widths[name], BOXES.get(name, (0,))[0]) for name in names})
    builder.setupHorizontalHeader(ascent=880, descent=-120)
    builder.setupNameTable({"familyName": "Little", "styleName": "Regular", "psName": "Little"})
    builder.setupOS2(sCapHeight=700)
    builder.setupPost()
    if columns:
        builder.setupVerticalHeader(ascent=500, descent=-500)
        heights = {name: 500 if name.startswith("corner.") else 1000 for name in names}
        tops = {name: 880 - BOXES[name][3] if name in BOXES else 0 for name in names}
        tops["corner.vert"] = 150
        builder.setupVerticalMetrics({name: (heights[name], tops[name]) for name in names})
    if forms:
        addOpenTypeFeaturesFromString(builder.font, "languagesystem DFLT dflt; languagesystem kana dflt; " + forms)
    out = BytesIO()
    builder.font.recalcTimestamp = False
    builder.font["head"].created = builder.font["head"].modified = 3_500_000_000
    builder.save(out)
    return out.getvalue()


def font(**made: object) -> Font:
    return Font(Path("Little.ttf"), little_font(**made))  # type: ignore[arg-type]


def put(text: str, tmp_path: Path, vertical: bool = True, **made: object) -> SetText:
    """A text in the little font."""
    path = tmp_path / "Little.ttf"
    path.write_bytes(little_font(**made))  # type: ignore[arg-type]
    book = FontBook({"little": FontFamily({"ja": (path.name,)}, {}, {})}, lambda _name: path)
    box = TextBox(
        x=0, y=0, width=40, height=40, family="little", size=10, min_size=10, lang="ja", vertical=vertical
    )  # fmt: skip
    return set_box(parse_markup(text), box, book, lambda _name, _paint: None)


@pytest.mark.parametrize(
    ("characters", "expected"),
    [
        ("珍あア々〆〇〒①㈱℃№％￥＋☆●■◇☀♠★※§®×÷½Ⅳ∞∴가０Ａ\U00020bb7\U0001f3b2", Orientation.UPRIGHT),
        ("Aa1é!?\"'()[]-–—―…‥“”’→←↑↓⇒∥∈≦＝＜－αЖｱ｡･°′", Orientation.TURNED),
        ("「」『』（）【】〔〕［］｛｝〈〉《》ー〜～：｜＿゠￣", Orientation.FORM_OR_TURNED),
        ("、。，．！？；ぁっゃゎゕァッャョヮヶ゛゜ㇰ㍍", Orientation.FORM_OR_UPRIGHT),
    ],
)
def test_orientations_are_those_of_the_annex(characters: str, expected: Orientation) -> None:
    """U, R, Tr and Tu for what Japanese texts and game symbols use; only the semicolon differs."""
    assert {char: find_orientation(char) for char in characters} == dict.fromkeys(characters, expected)


def test_what_cannot_do_without_a_form() -> None:
    """Brackets, stops, small kana and the long-vowel mark need one; what is right upright or turned does not."""
    assert all(map(needs_form, "「」（）［］、。，．ー〜っャ"))
    assert not any(map(needs_form, "！？：；…―–“”あ珍A1→"))


def test_upright_glyphs_come_with_their_form_and_length() -> None:
    """Columns take the font's form and vertical metrics; a font without metrics has squares of one em."""
    made = font()
    corner, form = made.find_glyph("「"), TTFont(BytesIO(made.data)).getGlyphID("corner.vert")
    stood = made.shape_column("「", "ja")
    assert (stood.glyphs, stood.clusters, stood.advances, stood.turned) == ((form,), ("「",), (500.0,), True)
    assert made.shape_column("。", "ja").turned is False
    assert made.find_top(form) == (500.0, 400.0)
    plain = font(columns=False, forms="")
    assert plain.shape_column("「") == ((corner,), ("「",), (1000.0,), False)
    assert plain.find_top(corner) == (500.0, 880.0)


def test_turned_text_is_centred_by_what_it_is() -> None:
    """Capitals and figures by the middle of their height, words lower, dashes by their ink, other marks by the square."""
    made = font()
    assert measure_centre(made, "12") == pytest.approx(0.35)
    assert measure_centre(made, "Ax") == pytest.approx(0.3)
    assert measure_centre(made, "―") == pytest.approx(0.38)
    assert measure_centre(made, "「") == pytest.approx(0.38)
    sans = Font(FONTS / "SourceSans3_400Regular.ttf", (FONTS / "SourceSans3_400Regular.ttf").read_bytes())
    box = sans.measure_ink(sans.find_glyph("—"))
    assert box
    assert measure_centre(sans, "—") == pytest.approx((box[1] + box[3]) / 2000)


def test_figures_abreast_take_narrow_forms(tmp_path: Path) -> None:
    made = font()
    (both,) = [item for item in put("11", tmp_path).items if isinstance(item, TextRun)]
    (single,) = [item for item in put("1", tmp_path).items if isinstance(item, TextRun)]
    half = TTFont(BytesIO(made.data)).getGlyphID("one.half")
    assert (both.glyphs, both.size) == ((half, half), 10)
    assert single.glyphs == (made.find_glyph("1"),)


def test_characters_without_a_form_are_told(tmp_path: Path) -> None:
    """A stop or bracket that the font cannot set in a column is listed once, in columns only."""
    assert put("あ。「あ。", tmp_path).unturned == ("。",)
    assert put("あ。「あ。", tmp_path, forms="").unturned == ("。", "「")
    assert put("あ―あ1", tmp_path, forms="").unturned == ()
    assert put("あ。「あ。", tmp_path, vertical=False).unturned == ()


def test_without_a_form_brackets_are_turned(tmp_path: Path) -> None:
    run = next(item for item in put("「あ", tmp_path, forms="").items if isinstance(item, TextRun))
    assert (run.text, run.angle) == ("「", 90)


def test_variants_are_shaped_with_their_base(tmp_path: Path) -> None:
    made = font()
    usual, other = made.find_glyph("辻"), TTFont(BytesIO(made.data)).getGlyphID("tsuji.other")
    for vertical in (False, True):
        (run,) = put(f"{TSUJI}あ{OTHER_TSUJI}", tmp_path, vertical).items
        assert isinstance(run, TextRun)
        assert run.glyphs == (usual, made.find_glyph("あ"), other)
        assert run.clusters == (TSUJI, "あ", OTHER_TSUJI)


def test_an_unknown_variant_is_told_and_its_base_shown(tmp_path: Path) -> None:
    for vertical in (False, True):
        done = put(f"あ{OTHER_TSUJI}", tmp_path, vertical, selectors=False)
        assert done.missing == (OTHER_TSUJI,)
        (run,) = done.items
        assert isinstance(run, TextRun)
        assert run.glyphs == (font().find_glyph("あ"), font().find_glyph("辻"))
        assert put("あ\ufe0e", tmp_path, vertical).missing == ()


def test_the_first_font_with_the_variant_is_taken(tmp_path: Path) -> None:
    (tmp_path / "Bare.ttf").write_bytes(little_font(selectors=False))
    (tmp_path / "Full.ttf").write_bytes(little_font())
    book = FontBook({"both": FontFamily({"ja": ("Bare.ttf", "Full.ttf")}, {}, {})}, lambda name: tmp_path / name)
    box = TextBox(x=0, y=0, width=40, height=40, family="both", size=10, min_size=10, lang="ja")
    done = set_box(parse_markup(f"辻{OTHER_TSUJI}"), box, book, lambda _name, _paint: None)
    assert done.missing == ()
    assert [item.font.split("-")[0] for item in done.items if isinstance(item, TextRun)] == ["Bare", "Full"]


def test_bundled_fonts_have_the_variants_of_names() -> None:
    mincho = Font(FONTS / "m.ttf", (FONTS / "BIZUDMincho_400Regular.ttf").read_bytes())
    for char in "葛辻":
        forms = {mincho.shape_column(char + selector, "ja").glyphs for selector in ("\U000e0100", "\U000e0101")}
        assert len(forms) == 2
        assert forms == {mincho.shape(char + selector, "ja").glyphs for selector in ("\U000e0100", "\U000e0101")}
