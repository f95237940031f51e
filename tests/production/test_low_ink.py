"""Low ink: far less ink on every face of every game, text still black enough to be read, icons still told apart."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shipped_games import SWEPT, workshop

from generator.base.display_list import (
    Drawing,
    Gradient,
    Group,
    Picture,
    PlacedSymbol,
    Shape,
    Symbol,
    TextRun,
    walk_leaves,
)
from generator.base.geometry import Matrix
from generator.checks.print_checks import check_contrast
from generator.checks.visible_items import Context
from generator.drawing.faces.face_variants import (
    ICON_LEAST,
    LOW_INK,
    LOW_INK_OUTLINE,
    LOW_INK_STROKE,
    Repainter,
    recolour_low_ink,
)
from generator.drawing.faces.game_drawing import Workshop
from generator.drawing.pdf.page_images import render_drawing_png

SQUARE = "M 0 0 L 10 0 L 10 10 L 0 10 Z"


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def same(paint: str) -> str:
    return "#000000" if paint == "ink" else paint


def thin(*items: object) -> tuple[object, ...]:
    return Repainter(same, LOW_INK).repaint_drawing(Drawing(10, 10, 0, items)).items  # type: ignore[arg-type]


colours = st.integers(0, 0xFFFFFF).map(lambda value: f"#{value:06x}")


@given(colours, st.sampled_from(["ground", "art", "frame"]))
def test_grounds_and_art_become_tints(colour: str, role: str) -> None:
    """A fifth of the ink is left at most, and black text on it has a contrast of far more than 4.5."""
    (shape,) = thin(Shape(path=SQUARE, fill=colour, role=role))  # type: ignore[arg-type]
    assert isinstance(shape, Shape)
    assert isinstance(shape.fill, str)
    for before, after in zip(channels(colour), channels(shape.fill), strict=True):
        assert 255 - after <= 0.2 * (255 - before) + 0.5
    assert luminance(shape.fill) > 0.55


def channels(colour: str) -> list[int]:
    return [int(colour[at : at + 2], 16) for at in (1, 3, 5)]


@given(st.lists(colours, min_size=1, max_size=4))
def test_icons_keep_their_shapes_and_bear_black_text(paints: list[str]) -> None:
    """Each part is still painted; none is darker than black text allows, and a pale icon is seen on white."""
    parts = tuple(Shape(path=SQUARE, fill=paint) for paint in paints)
    (placed,) = thin(PlacedSymbol(Symbol("icon:x", parts, (0, 0, 10, 10)), (1, 0, 0, 1, 0, 0)))
    assert isinstance(placed, PlacedSymbol)
    shown = [part.fill for part in placed.symbol.items if isinstance(part, Shape) and isinstance(part.fill, str)]
    assert len(shown) == len(paints)
    if all(luminance(paint) > 0.3 for paint in paints):
        assert all(1.05 / (luminance(paint) + 0.05) >= 3 for paint in shown)
    else:
        assert all(luminance(paint) >= ICON_LEAST - 1e-6 for paint in shown)


def test_each_kind_of_thing_is_thinned_and_lines_to_cut_along_stay() -> None:
    """Text is black, gradients stop by stop, pictures boxes; cut and fold lines and glue areas are untouched."""
    text = TextRun(0, 0, 8, "f", (1,), ("a",), paint="#ff0000")
    fall = Gradient("linear", (0, 0, 1, 1), ((0.0, "#000000"), (1.0, "#ff0000")))
    made = [Shape(path=SQUARE, stroke="ink", width=0.1, role=role) for role in ("cut", "fold", "mark")]
    made.append(Shape(path=SQUARE, fill="#e3e3e3", role="glue"))
    black, smooth, box, *lines = thin(
        text, Shape(path=SQUARE, fill=fall, role="ground"), Picture("a", "a.png", 1, 2, 3, 4), *made
    )
    assert black == text._replace(paint="ink")
    assert isinstance(smooth, Shape)
    assert isinstance(smooth.fill, Gradient)
    assert all(luminance(paint) > 0.55 for _, paint in smooth.fill.stops)
    assert isinstance(box, Shape)
    assert box.path == "M 1 2 L 4 2 L 4 6 L 1 6 Z"
    assert lines == made


scales = st.floats(0.05, 20)


@given(scales, scales, scales, st.floats(0, 6.3))
def test_outlines_are_as_wide_on_paper_as_they_should_be(across: float, down: float, scale: float, turn: float) -> None:
    """However art is stretched, turned and placed, no outline of it is thinner on paper, nor a stroke too thick."""
    filled, drawn = Shape(path=SQUARE, fill="#804020"), Shape(path=SQUARE, stroke="#804020", width=1e5)
    photo = Picture("a", "a.png", 0, 0, 10, 10)
    art = Symbol("art/x.svg", (filled, drawn, photo), (0, 0, 10, 10))
    cos, sin = np.cos(turn) * scale, np.sin(turn) * scale
    items = (
        Group((Group((filled, drawn, photo), matrix=(across, 0, 0, down, 0, 0)),), matrix=(cos, sin, -sin, cos, 1, 2)),
        Group((PlacedSymbol(art, (across, 0, 0, down, 0, 0), role="art"),), matrix=(cos, sin, -sin, cos, 1, 2)),
        PlacedSymbol(art, (1, 0, 0, 1, 0, 0), role="art"),
    )
    thinned = Repainter(same, LOW_INK).repaint_items(items)
    widths = [on_paper(leaf.width, matrix) for leaf, matrix in walk_leaves(thinned) if isinstance(leaf, Shape)]
    for wanted, (thin, thick) in zip([LOW_INK_OUTLINE, LOW_INK_STROKE, LOW_INK_OUTLINE] * 3, widths, strict=True):
        assert thin == pytest.approx(wanted, rel=0.01)
        assert thick <= wanted * max(across, down) / min(across, down) * 1.01


def on_paper(width: float, matrix: Matrix) -> tuple[float, float]:
    """How wide a pen is in its thinnest and its thickest direction, mm."""
    a, b, c, d, _, _ = matrix
    thick, thin = np.linalg.svd(np.array([[a, c], [b, d]]), compute_uv=False)
    return width * float(thin), width * float(thick)


@pytest.mark.slow
@pytest.mark.parametrize("game", SWEPT)
def test_every_text_of_every_game_is_read(game: str) -> None:
    """On each thinned face, text has a contrast of 4.5 or more with what lies below it, by validate's own check."""
    drawn = workshop(game)
    make = recolour_low_ink(drawn)
    drawings = {key: face and make(face) for key, face in drawn.draw_all(drawn.game.designs(), ["ja", "en"]).items()}
    context = Context(drawings, drawn.fonts, drawn.draw_silhouette)
    checks = list(check_contrast(drawn.game, context))
    assert len(checks) >= 2
    assert [(check.id, check.status, check.figures) for check in checks if check.status == "fail"] == []
    assert sum(check.status == "pass" for check in checks) >= len(checks) - 1


@pytest.mark.slow
@pytest.mark.parametrize("game", SWEPT)
def test_every_deck_takes_less_than_a_third_of_the_ink(game: str) -> None:
    """As pictures: the darkness of all cards, both sides together, falls below a third; no face gains."""
    drawn = workshop(game)
    make = recolour_low_ink(drawn)
    full = lean = 0.0
    for kind in drawn.game.kinds.values():
        for face in kind.faces(kind.designs[0]):
            drawing = drawn.draw_face(kind.designs[0], face, "ja")
            assert drawing is not None
            before, after = darkness(drawn, drawing), darkness(drawn, make(drawing))
            assert after < before
            if kind.form == "card":
                full, lean = full + kind.count * before, lean + kind.count * after
    assert lean < full / 3


def darkness(drawn: Workshop, drawing: Drawing) -> float:
    """How much ink a face takes, as its picture shows it."""
    picture = render_drawing_png(drawing, 40, drawn.fonts, drawn.rgb_of_paint, Path)
    return float((255 - np.asarray(picture, dtype=float)).sum())


@pytest.mark.parametrize("game", SWEPT)
def test_faces_keep_their_texts_and_hashes(game: str) -> None:
    """The same glyphs at the same places; the face itself and its hash are as before; the same face gives the same."""
    drawn = workshop(game)
    make = recolour_low_ink(drawn)
    for kind in drawn.game.kinds.values():
        drawing = drawn.draw_face(kind.designs[0], "front", "ja")
        assert drawing is not None
        digest = drawn.digest_face(drawing)
        lean = make(drawing)
        assert lean is make(drawing)
        assert drawn.digest_face(drawing) == digest
        assert (lean.width, lean.height, lean.bleed, lean.frames) == (drawing.width, drawing.height, drawing.bleed, drawing.frames)  # fmt: skip
        assert runs(lean) == runs(drawing)


def runs(drawing: Drawing) -> list[tuple[object, ...]]:
    """Text without its paint."""
    return [
        (leaf.x, leaf.y, leaf.size, leaf.font, leaf.glyphs, matrix)
        for leaf, matrix in walk_leaves(drawing.items)
        if isinstance(leaf, TextRun)
    ]
