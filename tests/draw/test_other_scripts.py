"""Korean, Chinese, Thai and Brahmic scripts: where their lines end, and their own forms of letters."""

import io
from pathlib import Path

import pytest
from fontTools.feaLib.builder import addOpenTypeFeaturesFromString
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen

from generator.base.display_list import TextRun
from generator.game.model import FontFamily
from generator.game.rich_text import parse_markup
from generator.text.fonts import FontBook
from generator.text.glyph_rows import SetText, TextBox
from generator.text.kinsoku import split_thai_piece
from generator.text.set_text import set_box

FONTS = Path(__file__).parents[2] / "fonts"
LATIN = "SourceSans3_400Regular.ttf"


def font_of(text: str, features: str = "", more: tuple[str, ...] = ()) -> bytes:
    """A font that has every character of a text, each a box as wide as an em, with further glyphs and features."""
    chars = sorted({ord(char) for char in text})
    names = [".notdef", *(f"u{code:05X}" for code in chars), *more]
    pen = TTGlyphPen(None)
    pen.moveTo((50, 0))
    for point in ((950, 0), (950, 800), (50, 800)):
        pen.lineTo(point)
    pen.closePath()
    builder = FontBuilder(1000)
    builder.setupGlyphOrder(names)
    builder.setupCharacterMap({code: f"u{code:05X}" for code in chars})
    builder.setupGlyf(dict.fromkeys(names, pen.glyph()))
    builder.setupHorizontalMetrics(dict.fromkeys(names, (1000, 50)))
    builder.setupHorizontalHeader(ascent=880, descent=-120)
    builder.setupOS2(sCapHeight=700)
    builder.setupNameTable({"familyName": "Boxes", "styleName": "Regular"})
    builder.setupPost()
    if features:
        addOpenTypeFeaturesFromString(builder.font, features)
    out = io.BytesIO()
    builder.save(out)
    return out.getvalue()


def set_in(folder: Path, text: str, lang: str, width: float, data: bytes = b"") -> SetText:
    """A text at 10 pt in a box so wide, in ems."""
    (folder / "boxes.ttf").write_bytes(data or font_of(text))
    fonts = FontBook({"body": FontFamily({lang: ("boxes.ttf",)}, {}, {})}, lambda name: folder / name)
    em = 10 * 25.4 / 72
    box = TextBox(x=0, y=0, width=width * em, height=99, family="body", size=10, min_size=10, lang=lang)
    return set_box(parse_markup(text), box, fonts, lambda *_: None)


def test_korean_breaks_at_spaces_alone(tmp_path: Path) -> None:
    done = set_in(tmp_path, "카드를 뽑습니다. 상대에게 줍니다!", "ko", 7.5)
    assert done.frame.lines == ("카드를", "뽑습니다.", "상대에게", "줍니다!")


@pytest.mark.parametrize("lang", ["zh-Hans", "zh-Hant"])
def test_no_line_of_chinese_begins_with_a_mark(tmp_path: Path, lang: str) -> None:
    """Nor ends with an opening one; no stop hangs past the edge, as it does in Japanese."""
    done = set_in(tmp_path, "抽三張牌，支付二。列奥·达「風」", lang, 4.0)
    lines = done.frame.lines
    assert all(line[0] not in "，。·」" for line in lines)
    assert all(line[-1] != "「" for line in lines)
    runs = [run for run in done.items if isinstance(run, TextRun)]
    em = 10 * 25.4 / 72
    assert all(
        run.x + (sum(run.advances) / 1000 if run.advances else len(run.glyphs)) * em <= 4.01 * em for run in runs
    )
    assert set_in(tmp_path, "抽三張牌，支付", "ja", 4.0).frame.lines[0] == "抽三張牌，"
    assert set_in(tmp_path, "抽三張牌，支付", lang, 4.0).frame.lines[0] == "抽三張"


@pytest.mark.parametrize(("lang", "glyph"), [("zh-Hans", 2), ("zh-Hant", 3), ("ko", 4), ("ja", 1)])
def test_characters_have_the_forms_of_their_language(tmp_path: Path, lang: str, glyph: int) -> None:
    """A font for all of East Asia holds several forms of a character; `locl` says which is whose."""
    features = """
        languagesystem DFLT dflt; languagesystem hani dflt; languagesystem hani ZHS; languagesystem hani ZHT;
        languagesystem hani KOR;
        feature locl { script hani; language ZHS; sub u09AA8 by hans; language ZHT; sub u09AA8 by hant;
        language KOR; sub u09AA8 by kore; } locl;
    """
    done = set_in(tmp_path, "骨", lang, 4.0, font_of("骨", features, ("hans", "hant", "kore")))
    assert [run.glyphs for run in done.items if isinstance(run, TextRun)] == [(glyph,)]


def test_thai_breaks_between_words() -> None:
    words = [word for word in split_thai_piece("น้ำตกที่ภูเขาสูงมาก") if word]
    assert "".join(words) == "น้ำตกที่ภูเขาสูงมาก"
    assert len(words) > 3
    assert not any(word[0] in "ะัาำิีึืฺุู็่้๊๋์ๆฯ" or word[-1] in "เแโใไ" for word in words)
    assert split_thai_piece("(abc)") == ("(abc)",)


def test_lines_of_thai_end_at_words() -> None:
    fonts = FontBook(
        {"body": FontFamily({"th": (LATIN, "NotoSansThai_400Regular.ttf")}, {}, {})}, lambda name: FONTS / name
    )
    text = "น้ำตกที่ภูเขาสูงมากที่สุดในประเทศนี้มีปู่อยู่"
    box = TextBox(x=0, y=0, width=30, height=99, family="body", size=10, min_size=10, lang="th")
    done = set_box(parse_markup(text), box, fonts, lambda *_: None)
    assert len(done.frame.lines) > 1
    assert "".join(done.frame.lines) == text
    ends = {len("".join(split_thai_piece(text)[: at + 1])) for at in range(len(split_thai_piece(text)))}
    at = 0
    for line in done.frame.lines:
        at += len(line)
        assert at in ends
    assert not done.overflow


def test_rows_of_thai_have_room() -> None:
    """Marks above one line don't meet those below the line before."""
    fonts = FontBook(
        {"body": FontFamily({"th": ("NotoSansThai_400Regular.ttf",), "en": (LATIN,)}, {}, {})},
        lambda name: FONTS / name,
    )
    gaps = {}
    for lang, text in (("th", "ปู่\nปู่"), ("en", "abc\ndef")):
        box = TextBox(x=0, y=0, width=40, height=99, family="body", size=10, min_size=10, lang=lang)
        done = set_box(parse_markup(text), box, fonts, lambda *_: None)
        gaps[lang] = done.taken
    assert gaps["th"] > gaps["en"] * 1.2
