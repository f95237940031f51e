"""Text that can't be set yet is a problem where it is written, never wrong letters."""

import io
import unicodedata
from pathlib import Path

import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen

from generator.model.drawing import TextRun
from generator.model.game import FontFamily
from generator.model.scripts import lacking, unset, unset_text
from generator.model.text import Plain
from generator.text.fonts import FontBook
from generator.text.textset import TextBox, set_line
from generator.text.typecase import typecase

RIGHT_TO_LEFT = {
    "Hebrew": "שלום",
    "Arabic": "مرحبا",
    "Syriac": "ܫܠܡܐ",
    "Thaana": "ދިވެހި",
    "N'Ko": "ߒߞߏ",
    "Samaritan": "ࠔࠌ",
    "Mandaic": "ࡀࡁ",
    "Adlam": "𞤀𞤣",
    "Phoenician": "𐤀𐤁",
    "Arabic digits": "١٢٣",
    "Arabic forms": "ﻣﺮﺣﺒﺎ",
}
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
    path = folder / "boxes.ttf"
    path.write_bytes(font_of(text))
    fonts = FontBook({"body": FontFamily({lang: (path.name,)}, {}, {})}, lambda name: folder / name)
    box = TextBox(x=0, y=0, width=0, height=0, family="body", size=10, min_size=10, lang=lang)
    done = set_line((Plain(text),), 0, 0, box, "start", fonts, lambda *_: None)
    return [char for run in done.items if isinstance(run, TextRun) for char in run.clusters], done.missing


@pytest.mark.parametrize("lang", ["en", "ja", "ar"])
@pytest.mark.parametrize("script", RIGHT_TO_LEFT)
def test_right_to_left_letters_are_never_set(tmp_path: Path, script: str, lang: str) -> None:
    """Also where the font has them, alone or behind other letters, none is printed, and all are told."""
    text = f"A{RIGHT_TO_LEFT[script]}"
    letters = [char for char in RIGHT_TO_LEFT[script] if unicodedata.category(char) != "Mn"]
    shown, missing = set_in(tmp_path, text, lang)
    assert not set("".join(shown)) & set(letters)
    assert set(letters) <= set(missing)


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("script", SET)
def test_what_runs_from_left_to_right_is_set(tmp_path: Path, script: str, lang: str) -> None:
    """Scripts whose letters join or change their order are shaped by their font: they are nobody's mistake."""
    shown, missing = set_in(tmp_path, SET[script], lang)
    assert not missing
    assert set("".join(shown)) == set(SET[script])


def test_scripts_of_columns_are_told() -> None:
    """Mongolian and Phags-pa lie on their sides in a line; Chinese and Japanese don't."""
    assert [bool(unset(char)) for char in "ᠮꡖ漢かA1é"] == [True, True, False, False, False, False, False]


def test_a_text_is_told_once_for_each_direction() -> None:
    """Not letter by letter; what no font has comes after, each character by itself."""
    assert [what for what, _ in lacking("אבגاᠮ☃☂", "family 'body'")] == [
        "U+05D0 'א' is right-to-left text, which can't be set yet",
        "U+182E 'ᠮ' is text in columns from left to right, which can't be set yet",
        "U+2603 '☃' has no glyph in family 'body'",
        "U+2602 '☂' has no glyph in family 'body'",
    ]
    assert not list(unset_text("漢字 and kanji ☃"))


def test_the_case_of_a_style_keeps_no_such_letter(tmp_path: Path) -> None:
    """A variant that a selector asks for is no way round."""
    (tmp_path / "boxes.ttf").write_bytes(font_of("א"))
    fonts = FontBook({"body": FontFamily({"en": ("boxes.ttf",)}, {}, {})}, lambda name: tmp_path / name)
    case = typecase(fonts, "body", "en", False, False, 0.0)
    assert case.font_for("א") is None
    assert case.font_for("A") is not None
