"""What many faces share is worked out once: hash and operators are those of a walk over all that a face shows."""

import io
from hashlib import sha256
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pdf_samples import font
from shipped_games import SWEPT, workshop
from tests_support import examples

from generator.base.display_list import (
    Drawing,
    FaceHasher,
    Gradient,
    Group,
    Picture,
    PlacedSymbol,
    Shape,
    TextRun,
    format_mm,
)
from generator.base.geometry import IDENTITY, Rect, Size
from generator.drawing.pdf.content import LookCache
from generator.drawing.pdf.document import write_pdf
from generator.drawing.pdf.font_subset import CidFont
from generator.game.print_pages import Document, Page, Placement


def _matrix(values):
    return " ".join(f"{value:.5f}" for value in values)


def _pen(shape, stroke):
    begun = f" from {shape.dash_from:.3f}" if shape.dash and shape.dash_from else ""
    return f"{shape.width:.3f} {shape.cap} {shape.join} {shape.miter:.2f} {shape.dash}{begun}" if stroke else ""


def plain_hash(drawing, resolve):
    """The hash of a face by its lines, each written by itself; it is printed on cards, so it may never change."""

    def fill(paint):
        if not isinstance(paint, Gradient):
            return resolve(paint) if paint is not None else ""
        stops = [(round(offset, 4), resolve(stop)) for offset, stop in paint.stops]
        return f"{paint.kind} {[round(value, 3) for value in paint.line]} {stops} {_matrix(paint.matrix)}"

    def lines(items):
        return "\n".join(line(item) for item in items if not (isinstance(item, TextRun) and item.role == "stamp"))

    def line(item):
        if isinstance(item, TextRun):
            moves = "".join(f"{move:.1f} " for move in item.advances)
            if item.places:
                moves = "".join(f"{x:.3f},{y:.3f} " for x, y in item.places)
            place = f"{item.x:.3f} {item.y:.3f} {item.size:.3f} {item.angle:.2f}"
            return f"t {place} {item.font} {item.glyphs} {item.text} {moves}{resolve(item.paint)} {item.role}"
        if isinstance(item, Shape):
            stroke = resolve(item.stroke) if item.stroke else ""
            return f"s {item.path} {fill(item.fill)} {stroke} {_pen(item, stroke)} {item.even_odd} {item.role}"
        if isinstance(item, PlacedSymbol):
            symbol = f"{item.symbol.box}\n{lines(item.symbol.items)}\nend"
            return f"u {_matrix(item.matrix)} {item.clip} {item.role} {symbol}"
        if isinstance(item, Group) and item.id and item == Group(item.items, id=item.id):
            return lines(item.items)  # no more than a name
        if isinstance(item, Group):
            return f"g {_matrix(item.matrix)} {item.clip} {item.clip_even_odd}{mixed(item)}\n{lines(item.items)}\nend"
        assert isinstance(item, Picture)
        return f"p {item.asset} {item.x:.3f} {item.y:.3f} {item.width:.3f} {item.height:.3f} {item.role}"

    def mixed(group):
        seen = f"{group.mask.alpha}\n{lines(group.mask.items)}\nend" if group.mask is not None else ""
        return f" {group.opacity:.4f} {group.blend} {seen}" if group.is_composited else ""

    head = f"{format_mm(drawing.width)} {format_mm(drawing.height)} {format_mm(drawing.bleed)}\n"
    return sha256((head + lines(drawing.items)).encode()).hexdigest()


LENGTHS = st.sampled_from([0.0, -0.0, 7.0, -0.0001, 1 / 3, 7]) | st.floats(-500, 500)
RUNS = st.builds(
    lambda x, y, size, text, advances, angle, places, role: TextRun(
        x,
        y,
        size,
        "body",
        tuple(map(ord, text)),
        tuple(text),
        tuple(advances[: len(text)]),
        "ink",
        angle,
        role,
        tuple(places),
    ),
    LENGTHS,
    LENGTHS,
    st.sampled_from([7.5, 8]),
    st.text(st.characters(max_codepoint=0xFFFF, exclude_categories=["Cs"]), max_size=12),
    st.lists(LENGTHS, min_size=12, max_size=12) | st.just([]),
    st.sampled_from([0.0, -0.0, 90.0]),
    st.lists(st.tuples(LENGTHS, LENGTHS), max_size=3) | st.just([]),
    st.sampled_from(["text", "stamp"]),
)
ITEMS = st.lists(
    RUNS
    | st.builds(
        lambda run, by: Group((run, Shape("M 0 0 Z", "ink")), by), RUNS, st.sampled_from([IDENTITY, (-1.0,) * 6])
    )
    | st.builds(lambda run, name: Group((run,), id=name), RUNS, st.sampled_from(["", "corner"]))
    | st.sampled_from([Shape("M 0 0 L 1 1", None, "ink", 0.5), Picture("abc", "x.png", 0, -0.0, 1, 2)]),
    max_size=6,
).map(tuple)


@given(st.lists(ITEMS, min_size=1, max_size=4))
@examples(60)
def test_the_hash_is_that_of_its_lines(faces):
    hasher = FaceHasher(str.upper)
    for items in (*faces, *faces):
        drawing = Drawing(63, 88.5, 3.0, items)
        assert hasher.hash(drawing) == plain_hash(drawing, str.upper)


@pytest.mark.parametrize("name", SWEPT)
def test_every_face_has_the_hash_of_its_lines(name):
    shop = workshop(name)
    drawings = [drawing for drawing in shop.draw_all(shop.game.designs(), ("ja",)).values() if drawing is not None]
    assert drawings
    for drawing in drawings:
        assert shop.digest_face(drawing) == plain_hash(drawing, shop.hex_of_paint)


@pytest.mark.slow
@pytest.mark.parametrize("name", SWEPT)
def test_a_document_is_the_same_when_nothing_is_remembered(name):
    """Faces with their stamps come to the same PDF, whether what things ask for is remembered or always asked anew."""
    shop = workshop(name)
    pages = []
    for design in shop.game.designs():
        for face in shop.game.kinds[design.kind].faces(design):
            drawing = shop.draw_printed("ja", design, face)
            if drawing is not None:
                box = Rect(0, 0, drawing.width, drawing.height)
                pages.append(Page(Size(box.width, box.height), "front", 0, (Placement("x", drawing, box, box),)))

    def written():
        out = io.BytesIO()
        write_pdf(Document("", "en", tuple(pages), tagged=True), shop.fonts, shop.rgb_of_paint, Path, out)
        return out.getvalue()

    remembered = written()
    find_change = LookCache.find_change
    with (
        patch.object(LookCache, "find_change", lambda cache, thing: find_change(LookCache(cache._stock), thing)),
        patch.object(CidFont, "_show_few_moved", lambda *_: None),
    ):
        assert written() == remembered


@given(
    st.text("珍獣を一枚の五歩進", min_size=2, max_size=40),
    st.lists(
        st.tuples(
            st.integers(0, 39),
            st.sampled_from([-500.0, -250.0, -62.5, 0.5, 0.04, -0.06, 0.11, 250.0]) | st.floats(-300, 300),
        ),
        max_size=6,
    ),
)
@examples(200)
def test_few_glyphs_moved_are_shown_as_if_all_were_looked_at(text, moved):
    face_font = font("gothic")
    glyphs = tuple(face_font.find_glyph(char) for char in text)
    advances = [face_font.measure_advance(glyph) for glyph in glyphs]
    for at, more in moved:
        if at < len(advances):
            advances[at] += more
    shown = CidFont("F1", face_font).show_glyphs(glyphs, tuple(text), tuple(advances))
    with patch.object(CidFont, "_show_few_moved", lambda *_: None):
        assert CidFont("F1", face_font).show_glyphs(glyphs, tuple(text), tuple(advances)) == shown
