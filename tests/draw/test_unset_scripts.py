"""Which scripts are set, and that what can't be is a problem where it is written, never wrong letters."""

import io
from pathlib import Path

import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen

from generator.base.display_list import TextRun
from generator.base.languages import explain_unsettable, iter_missing_glyph_faults, iter_unsettable_faults
from generator.game.model import FontFamily
from generator.game.rich_text import Plain
from generator.text.fonts import FontBook
from generator.text.glyph_cache import get_glyph_cache
from generator.text.glyph_rows import TextBox
from generator.text.set_text import set_line

RIGHT_TO_LEFT = {
    "Hebrew": "שלום", "Arabic": "مرحبا", "Syriac": "ܫܠܡܐ", "Thaana": "ދިވެހި", "N'Ko": "ߒߞߏ", "Samaritan": "ࠔࠌ",
    "Mandaic": "ࡀࡁ", "Adlam": "𞤀𞤣", "Phoenician": "𐤀𐤁", "Arabic digits": "١٢٣", "Arabic forms": "ﻣﺮﺣﺒﺎ",
}  # fmt: skip
SET = {"Devanagari": "हिन्दी", "Tamil": "தமிழ்", "Thai": "ภาษา", "Khmer": "ខ្មែរ", "Georgian": "ენა", "Cyrillic": "язык"}


def font_of(text: str) -> bytes:
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


def set_in(folder: Path, text: str, lang: str) -> tuple[list[str], tuple[str, ...]]:
    """The characters that a line of the text shows in a font that has them all, and those that are missing."""
    runs, missing = runs_in(folder, text, lang)
    return [char for run in runs for char in run.clusters], missing


def runs_in(folder: Path, text: str, lang: str) -> tuple[list[TextRun], tuple[str, ...]]:
    """The runs of such a line, and the characters that are missing."""
    path = folder / "boxes.ttf"
    path.write_bytes(font_of(text))
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
    shown, missing = set_in(tmp_path, SET[script], lang)
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
    (tmp_path / "boxes.ttf").write_bytes(font_of("ᠮ"))
    fonts = FontBook({"body": FontFamily({"en": ("boxes.ttf",)}, {}, {})}, lambda name: tmp_path / name)
    case = get_glyph_cache(fonts, "body", "en", False, False, 0.0)
    assert case.find_font("ᠮ") is None
    assert case.find_font("A") is not None
