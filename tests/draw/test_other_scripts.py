"""Korean, Chinese, Thai and Brahmic scripts are set as their readers expect; what can't be set is a problem."""

import io
import shutil
import subprocess
from pathlib import Path

import pytest
from fontTools.feaLib.builder import addOpenTypeFeaturesFromString
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from PIL import Image, ImageChops, ImageFilter

from generator.base.display_list import Drawing, TextRun
from generator.base.languages import explain_unsettable, iter_missing_glyph_faults, iter_unsettable_faults
from generator.drawing.svg_writer import write_svg
from generator.game.model import FontFamily
from generator.game.rich_text import Plain, parse_markup
from generator.text.fonts import FontBook
from generator.text.glyph_cache import get_glyph_cache
from generator.text.glyph_rows import SetText, TextBox
from generator.text.kinsoku import split_thai_piece
from generator.text.set_text import set_box, set_line

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


RIGHT_TO_LEFT = {
    "Hebrew": "שלום", "Arabic": "مرحبا", "Syriac": "ܫܠܡܐ", "Thaana": "ދިވެހި", "N'Ko": "ߒߞߏ", "Samaritan": "ࠔࠌ",
    "Mandaic": "ࡀࡁ", "Adlam": "𞤀𞤣", "Phoenician": "𐤀𐤁", "Arabic digits": "١٢٣", "Arabic forms": "ﻣﺮﺣﺒﺎ",
}  # fmt: skip
SET = {"Devanagari": "हिन्दी", "Tamil": "தமிழ்", "Thai": "ภาษา", "Khmer": "ខ្មែរ", "Georgian": "ენა", "Cyrillic": "язык"}


def font_of_unset(text: str) -> bytes:
    """A font that has every character of a text, each a box."""
    chars = sorted({ord(char) for char in text} | {ord("A")})
    names = [f"u{code:05X}" for code in chars]
    pen = TTGlyphPen(None)
    pen.moveTo((50, 0))
    for point in ((450, 0), (450, 600), (50, 600)):
        pen.lineTo(point)
    pen.closePath()
    box = pen.glyph()
    builder = FontBuilder(1000)
    builder.setupGlyphOrder([".notdef", *names])
    builder.setupCharacterMap(dict(zip(chars, names, strict=True)))
    builder.setupGlyf(dict.fromkeys([".notdef", *names], box))
    builder.setupHorizontalMetrics(dict.fromkeys([".notdef", *names], (500, 50)))
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupOS2(sCapHeight=600)
    builder.setupNameTable({"familyName": "Boxes", "styleName": "Regular"})
    builder.setupPost()
    out = io.BytesIO()
    builder.save(out)
    return out.getvalue()


def set_in_unset(folder: Path, text: str, lang: str) -> tuple[list[str], tuple[str, ...]]:
    """The characters that a line of the text shows in a font that has them all, and those that are missing."""
    runs, missing = runs_in(folder, text, lang)
    return [char for run in runs for char in run.clusters], missing


def runs_in(folder: Path, text: str, lang: str) -> tuple[list[TextRun], tuple[str, ...]]:
    """The runs of such a line, and the characters that are missing."""
    path = folder / "boxes.ttf"
    path.write_bytes(font_of_unset(text))
    fonts = FontBook({"body": FontFamily({lang: (path.name,)}, {}, {})}, lambda name: folder / name)
    box = TextBox(x=0, y=0, width=0, height=0, family="body", size=10, min_size=10, lang=lang)
    done = set_line((Plain(text),), 0, 0, box, "start", fonts, lambda *_: None)
    return [run for run in done.items if isinstance(run, TextRun)], done.missing


@pytest.mark.parametrize("lang", ["en", "ja", "ar", "he"])
@pytest.mark.parametrize("script", RIGHT_TO_LEFT)
def test_right_to_left_letters_are_set_leftwards(tmp_path: Path, script: str, lang: str) -> None:
    """In whatever language they stand: the first letter is the rightmost, and what is read out is as it was written.

    Digits of Arabic run rightwards, as all numbers do.
    """
    text = RIGHT_TO_LEFT[script]
    runs, missing = runs_in(tmp_path, f"{text} {text}", lang)
    assert not missing
    assert "".join(run.text for run in runs).split() == [text, text]
    places = [run.x + across for run in runs for across, _ in run.places or [(0.0, 0.0)]]
    if script == "Arabic digits":
        assert not any(run.places for run in runs if run.text.strip())
    else:
        assert len(places) == len(text) * 2 + 1
        assert places == sorted(places, reverse=True)


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("script", SET)
def test_what_runs_from_left_to_right_is_set(tmp_path: Path, script: str, lang: str) -> None:
    """Scripts whose letters join or change their order are shaped by their font: they are nobody's mistake."""
    shown, missing = set_in_unset(tmp_path, SET[script], lang)
    assert not missing
    assert set("".join(shown)) == set(SET[script])


def test_scripts_of_columns_are_told() -> None:
    assert [bool(explain_unsettable(char)) for char in "ᠮꡖ漢かA1éאم"] == [True, True, *[False] * 7]


def test_a_text_is_reported_in_one_line() -> None:
    assert [what for what, _ in iter_missing_glyph_faults("ᠮᠣ☃☂", "family 'body'")] == [
        "U+182E 'ᠮ' is text in columns from left to right, which can't be set",
        "U+2603 '☃' and U+2602 '☂' have no glyph in family 'body'",
    ]
    assert [what for what, _ in iter_missing_glyph_faults("頭张abcdefgh", "family 'body'")] == [
        "U+982D '頭', U+5F20 '张', U+0061 'a', U+0062 'b', U+0063 'c', U+0064 'd', U+0065 'e', U+0066 'f' and 2 more "
        "have no glyph in family 'body'"
    ]
    assert not list(iter_unsettable_faults("漢字 and kanji ☃ שלום"))


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("سلام", "add a font that has them to the family: Noto Sans Arabic (NotoSansArabic_400Regular.ttf, bundled) or Noto Naskh Arabic"),
        ("ก", "add a font that has it to the family: Noto Sans Thai (NotoSansThai_400Regular.ttf, bundled)"),
        ("한", "add a font that has it to the family: Noto Sans KR, or Noto Serif KR (free at fonts.google.com/noto, its static .ttf goes into the game's folder fonts/)"),
        ("தமிழ்", "add a font that has them to the family: Noto Sans Tamil (free at fonts.google.com/noto, its static .ttf goes into the game's folder fonts/)"),
        ("💰א", "add a font that has them to the family: Noto Emoji (NotoEmoji_400Regular.ttf, bundled), Noto Sans Hebrew (NotoSansHebrew_400Regular.ttf, bundled)"),
        ("💰头", "use other characters, or add a font that has them to the family"),
    ],
)  # fmt: skip
def test_missing_characters_are_reported_with_fonts_that_have_them(text: str, hint: str) -> None:
    assert [found for _, found in iter_missing_glyph_faults(text, "family 'body'")] == [hint]


def test_the_case_of_a_style_keeps_no_unset_letter(tmp_path: Path) -> None:
    (tmp_path / "boxes.ttf").write_bytes(font_of_unset("ᠮ"))
    fonts = FontBook({"body": FontFamily({"en": ("boxes.ttf",)}, {}, {})}, lambda name: tmp_path / name)
    case = get_glyph_cache(fonts, "body", "en", False, False, 0.0)
    assert case.find_font("ᠮ") is None
    assert case.find_font("A") is not None


SIZE = 32.0  # CSS pixels
LINES = [
    ("ar", "NotoSansArabic_400Regular.ttf", "كوخ الجبل (٣ بطاقات)"),
    ("ar", "NotoSansArabic_400Regular.ttf", "كَلِمَةٌ مُشَكَّلَة لا إله"),
    ("fa", "NotoSansArabic_400Regular.ttf", "می‌خواهم ۱۲ کتاب‌ها را"),
    ("ur", "NotoSansArabic_400Regular.ttf", "پہاڑی جھونپڑی، 15 ٹھنڈے"),
    ("he", "NotoSansHebrew_400Regular.ttf", "שלום (עולם) 12-5, 3.50"),
    ("he", "NotoSansHebrew_400Regular.ttf", "נִקּוּד: שָׁלוֹם"),
    ("th", "NotoSansThai_400Regular.ttf", "น้ำตกที่ภูเขา ปู่ ฎีกา กำ"),
]


def ours(lang: str, file: str, text: str) -> str:
    """The line as an SVG of ours, its letters as outlines."""
    fonts = FontBook({"body": FontFamily({lang: (file,)}, {}, {})}, lambda name: FONTS / name)
    size = SIZE * 0.75
    box = TextBox(x=0, y=0, width=0, height=0, family="body", size=size, min_size=size, lang=lang)
    done = set_line(parse_markup(text), 75, 20, box, "middle", fonts, lambda *_: None)
    assert not done.missing
    return write_svg(Drawing(150, 30, 0, done.items), fonts, lambda _: "#000000")


def shot(folder: Path, body: str, style: str = "") -> Image.Image:
    """A page in Chromium."""
    page, picture = folder / "page.html", folder / "page.png"
    page.write_text(f"<meta charset=utf-8><style>body{{margin:0;background:#fff}}{style}</style>{body}", "utf-8")
    subprocess.run(
        ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--force-device-scale-factor=2", "--window-size=700,200",
         f"--screenshot={picture}", page.as_uri()],
        check=True, capture_output=True, timeout=120,
    )  # fmt: skip
    return Image.open(io.BytesIO(picture.read_bytes())).convert("L")


def ink(picture: Image.Image) -> Image.Image:
    """What is black, cut to its edges, on a ground of one size."""
    black = picture.point(lambda grey: 255 if grey < 128 else 0)
    found = black.crop(black.getbbox())
    ground = Image.new("L", (1400, 300))
    ground.paste(found, (20, 20))
    return ground


@pytest.mark.slow
@pytest.mark.parametrize(("lang", "file", "text"), LINES)
def test_a_line_looks_as_in_a_browser(tmp_path: Path, lang: str, file: str, text: str) -> None:
    if shutil.which("chromium") is None:
        pytest.skip("needs chromium")
    style = f"@font-face{{font-family:f;src:url({(FONTS / file).as_uri()})}}p{{font:{SIZE}px f;margin:50px;white-space:nowrap}}"
    theirs = ink(shot(tmp_path, f"<p lang={lang} dir={'ltr' if lang == 'th' else 'rtl'}>{text}</p>", style))
    mine = ink(shot(tmp_path, ours(lang, file, text)))
    assert theirs.getbbox() and mine.getbbox()
    assert abs(theirs.getbbox()[2] - mine.getbbox()[2]) <= 6
    for one, other in ((theirs, mine), (mine, theirs)):
        left = ImageChops.subtract(one, other.filter(ImageFilter.MaxFilter(7)))
        assert sum(left.histogram()[128:]) <= 0.01 * sum(one.histogram()[128:])
