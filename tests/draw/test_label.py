"""The program's own words: stamps and sheet labels, set plainly and exactly where they are asked for."""

from math import isclose

import pytest
from conftest import ROOT
from hypothesis import given
from hypothesis import strategies as st

from generator.base.geometry import MM_PER_PT
from generator.text.fonts import Font
from generator.text.set_text import Labeller

LATIN, JAPANESE = (
    Font(path, path.read_bytes())
    for path in (ROOT / "fonts/SourceSans3_400Regular.ttf", ROOT / "fonts/BIZUDPGothic_400Regular.ttf")
)
LABELLER = Labeller([LATIN, JAPANESE])


def width(text: str, size: float) -> float:
    """The sum of natural advances, mm."""
    fonts = [LATIN if LATIN.find_glyph(char) else JAPANESE for char in text]
    return (
        sum(font.measure_advance(font.find_glyph(char)) for font, char in zip(fonts, text, strict=True))
        * size
        * MM_PER_PT
        / 1000
    )


def test_each_stretch_of_one_font_is_a_run() -> None:
    """Latin comes from the first font, Japanese from the second, in reading order, a quarter em between them."""
    runs = LABELLER.set("草案2 · ab草", 10.0, 20.0, 6.0, "start", 0.0, "ink", "mark")
    assert [(run.text, run.font) for run in runs] == [
        ("草案", JAPANESE.key), ("2 · ab", LATIN.key), ("草", JAPANESE.key),
    ]  # fmt: skip
    assert [(run.y, run.role, run.paint, run.size) for run in runs] == [(20.0, "mark", "ink", 6.0)] * 3
    quarter = 6.0 * MM_PER_PT / 4
    assert isclose(runs[1].x, 10.0 + width("草案", 6.0) + quarter)
    assert isclose(runs[2].x, 10.0 + width("草案2 · ab", 6.0) + 2 * quarter)
    assert isclose(LABELLER.measure_width("草案2 · ab草", 6.0), width("草案2 · ab草", 6.0) + 2 * quarter)


def test_a_quarter_em_stands_inside_a_run_too() -> None:
    """Where one font has both; none stands beside marks and spaces, nor between Latin words."""
    (run,) = Labeller([JAPANESE]).set("席1の 2×3（4", 0.0, 0.0, 6.0, "start", 0.0, "ink", "mark")
    advances = [JAPANESE.measure_advance(glyph) for glyph in run.glyphs]
    more = [round(move - own) for move, own in zip(run.advances, advances, strict=True)]
    assert more == [250, 250, 0, 0, 0, 0, 0, 0, 0]


@pytest.mark.parametrize(("anchor", "share"), [("start", 0.0), ("middle", 0.5), ("end", 1.0)])
def test_the_anchor_is_where_it_is_in_svg(anchor: str, share: float) -> None:
    (run,) = LABELLER.set("sheet 1", 50.0, 5.0, 8.0, anchor, 0.0, "ink", "mark")
    assert isclose(run.x, 50.0 - share * width("sheet 1", 8.0))


@given(st.floats(-360, 360), st.sampled_from(["start", "middle", "end"]))
def test_a_turned_line_stays_on_its_baseline(angle: float, anchor: str) -> None:
    from math import cos, radians, sin

    flat = LABELLER.set("草2草", 0.0, 0.0, 6.0, anchor, 0.0, "ink", "stamp")
    turned = LABELLER.set("草2草", 0.0, 0.0, 6.0, anchor, angle, "ink", "stamp")
    for one, other in zip(flat, turned, strict=True):
        assert isclose(other.x, one.x * cos(radians(angle)), abs_tol=1e-9)
        assert isclose(other.y, one.x * sin(radians(angle)), abs_tol=1e-9)
        assert other.angle == angle


def test_a_character_that_no_font_has_is_shown_as_a_question_mark() -> None:
    """Nothing vanishes silently: the glyph is a `?`, the text stays for readers."""
    (run,) = LABELLER.set("a\U0001f0a1", 0.0, 0.0, 6.0, "start", 0.0, "ink", "mark")
    assert run.glyphs == (LATIN.find_glyph("a"), LATIN.find_glyph("?"))
    assert run.text == "a\U0001f0a1"
