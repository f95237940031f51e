"""The box around a run's ink holds those of all its glyphs, and is no larger where nothing is turned askew."""

from functools import reduce
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.base.display_list import TextRun
from generator.base.geometry import IDENTITY, Matrix, Rect
from generator.drawing.svg.face_areas import measure_glyph_boxes, measure_ink_box
from generator.game.model import FontFamily
from generator.text.fonts import FontBook

FONTS = Path(__file__).parents[2] / "fonts"
FAMILY = FontFamily({"ja": ("BIZUDPGothic_400Regular.ttf",)}, {}, {})
BOOK = FontBook({"body": FAMILY}, lambda name: FONTS / name)
FONT = BOOK.get_chain("body", "ja")[0]
STRAIGHT: tuple[Matrix, ...] = (IDENTITY, (-1.0, 0.0, 0.0, -1.0, 63.0, 88.0), (0.0, 2.0, -2.0, 0.0, 3.0, 4.0))
ASKEW: Matrix = (0.8, 0.6, -0.6, 0.8, 1.0, 2.0)


@given(
    st.text(st.sampled_from("1Wg 山。Jj|"), min_size=1, max_size=5),
    st.sampled_from(["natural", "spaced", "apart"]),
    st.sampled_from([0.0, 90.0, 30.0]),
    st.sampled_from([*STRAIGHT, ASKEW]),
)
def test_box_of_a_run(text: str, how: str, angle: float, matrix: Matrix) -> None:
    glyphs = tuple(map(FONT.find_glyph, text))
    advances = tuple(700.0 - 300 * at for at in range(len(text))) if how == "spaced" else ()
    places = tuple((0.0, 3.0 * at) for at in range(len(text))) if how == "apart" else ()
    angle = 0.0 if places else angle
    run = TextRun(5.0, 9.0, 12.0, FONT.key, glyphs, tuple(text), advances, angle=angle, places=places)
    boxes = [*measure_glyph_boxes(run, matrix, BOOK)]
    box = measure_ink_box(run, matrix, BOOK)
    if not boxes:
        assert box is None
        return
    around = reduce(Rect.unite, boxes)
    assert box is not None
    assert box.contains(around)
    if angle != 30 and matrix != ASKEW:
        assert (box.x, box.y, box.width, box.height) == pytest.approx((around.x, around.y, around.width, around.height))


@given(st.lists(st.text(st.sampled_from("1Wg 山。Jj|／＿"), min_size=1, max_size=5), min_size=1, max_size=4))
def test_the_reach_of_a_font_holds_the_ink_of_its_glyphs(texts: list[str]) -> None:
    font = FontBook({"body": FAMILY}, lambda name: FONTS / name).get_chain("body", "ja")[0]
    for text in texts:
        left, low, right, high = font.measure_reach([*map(font.find_glyph, text)])
        for ink in filter(None, map(font.measure_ink, map(font.find_glyph, "".join(texts[: texts.index(text) + 1])))):
            assert left <= ink[0]
            assert low <= ink[1]
            assert ink[2] <= right
            assert ink[3] <= high
