"""Numbers composed of their digits are those that HarfBuzz makes; fonts that kern or join digits are always asked."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.text.font_files import MANY, _make_digit_row
from generator.text.fonts import Font

FONTS = Path(__file__).parents[2] / "fonts"


def practised(file: str) -> Font:
    """A font that has set many numbers."""
    path = FONTS / file
    font = Font(path, path.read_bytes())
    for number in range(1000, 1000 + MANY + 1):
        font.shape(str(number), "ja")
    return font


KERNED = practised("Cinzel_700Bold.ttf")
APART = [practised("BIZUDPGothic_400Regular.ttf"), practised("SourceSans3_400Regular_Italic.ttf")]


@given(st.from_regex(r"\A[0-9]{1,9}\Z"), st.sampled_from([*APART, KERNED]))
def test_any_number_is_what_harfbuzz_makes(text: str, font: Font) -> None:
    assert font.shape(text, "ja") == font._shape_text(text, "ja", ligatures=True)


def test_only_digits_that_stand_apart_are_composed(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(Font, "_shape_text", lambda self, text, *_: asked.append(f"{self.path.name[:3]} {text}"))
    for font in (*APART, KERNED):
        font._numerals._shape = font._shape_text
        for text in ("7701", "7a", "٣٤"):
            font.shape(text, "ja")
    assert asked == ["BIZ 7a", "BIZ ٣٤", "Sou 7a", "Sou ٣٤", "Cin 7701", "Cin 7a", "Cin ٣٤"]


def test_the_row_has_every_three_digits() -> None:
    row = _make_digit_row()
    assert sorted(row[at : at + 3] for at in range(1000)) == [f"{number:03}" for number in range(1000)]
