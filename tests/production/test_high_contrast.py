"""`--high-contrast`: text and icons stand out at 7 to 1 or more on every face of every game; shapes and hues stay."""

from collections.abc import Iterator

import pytest
from conftest import Pnp
from hypothesis import given
from hypothesis import strategies as st
from shipped_games import GAMES, rulebook_pages, workshop
from tests_support import TinyProject, quick

from generator.base.colour import measure_contrast, measure_luminance
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
from generator.checks import print_checks as checked
from generator.checks.visible_items import Context, FaceLayers, find_leaves, list_distinct_faces, paint_to_srgb
from generator.drawing.faces.face_variants import (
    ART_LEAST,
    HIGH_CONTRAST,
    ICON_MOST,
    LEAST_CONTRAST,
    Repainter,
    recolour_document,
    recolour_high_contrast,
)
from generator.drawing.faces.game_drawing import Workshop
from generator.game.print_pages import Document

SQUARE = "M 0 0 L 10 0 L 10 10 L 0 10 Z"
colours = st.integers(0, 0xFFFFFF).map(lambda value: f"#{value:06x}")


def clear(*items: object) -> tuple[object, ...]:
    painter = Repainter(lambda paint: "#000000" if paint == "ink" else paint, HIGH_CONTRAST)
    return painter.repaint_drawing(Drawing(10, 10, 0, items)).items  # type: ignore[arg-type]


@given(colours, st.sampled_from(["ground", "art", "frame"]), st.lists(colours, min_size=1, max_size=4))
def test_any_icon_stands_out_from_anything(colour: str, role: str, paints: list[str]) -> None:
    """Whatever the colours: an icon's dark parts have 7 to 1 with what is below, and it has at least one such part."""
    parts = tuple(Shape(path=SQUARE, fill=paint) for paint in paints)
    below, icon, text = clear(
        Shape(path=SQUARE, fill=colour, role=role),  # type: ignore[arg-type]
        PlacedSymbol(Symbol("icon:x", parts, (0, 0, 10, 10)), (1, 0, 0, 1, 0, 0)),
        TextRun(0, 0, 8, "f", (1,), ("a",), paint=colour),
    )
    assert isinstance(below, Shape)
    assert isinstance(icon, PlacedSymbol)
    assert isinstance(text, TextRun)
    ground = str(below.fill)
    assert measure_luminance(ground) >= ART_LEAST
    shown = [str(part.fill) for part in icon.symbol.items if isinstance(part, Shape)]
    dark = [paint for paint in shown if paint != "#ffffff"]
    assert dark
    assert all(measure_luminance(paint) <= ICON_MOST for paint in dark)
    assert all(measure_contrast(paint, ground) >= LEAST_CONTRAST for paint in [*dark, text.paint])
    if below.stroke:
        assert measure_contrast(text.paint, below.stroke) >= LEAST_CONTRAST


def test_pictures_are_veiled_and_lines_around_letters_are_white() -> None:
    """A bitmap stays, with three tenths of its strength; letters with a line around them are black on white."""
    photo = Picture("a", "a.png", 0, 0, 10, 10)
    around = Shape(path=SQUARE, stroke="#123456", width=1, role="text")
    cut = Shape(path=SQUARE, stroke="ink", width=0.1, role="cut")
    veiled, line, untouched = clear(photo, around, cut)
    assert veiled == Group((photo,), opacity=0.3)
    assert isinstance(line, Shape)
    assert line.stroke == "#ffffff"
    assert untouched == cut


def in_high_contrast(drawn: Workshop) -> Context:
    """All faces of a game in high contrast, as the checks look at them."""
    make = recolour_high_contrast(drawn)
    faces = drawn.draw_all(drawn.game.designs(), ["ja", "en"]).items()
    return Context({key: face and make(face) for key, face in faces}, drawn.fonts, drawn.draw_silhouette)


@pytest.mark.slow
@pytest.mark.parametrize("game", quick(GAMES, "journey8"))
def test_every_game_stands_out(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every text has 7 to 1 at every spot by validate's own check; every icon has it with what lies below it."""
    monkeypatch.setattr(checked, "LEAST_CONTRAST", LEAST_CONTRAST)
    drawn = workshop(game)
    context = in_high_contrast(drawn)
    found = list(checked.check_contrast(drawn.game, context))
    assert len(found) >= 2
    assert [(check.id, check.status, check.figures) for check in found if check.status != "pass"] == []
    poor = [told for kind in drawn.game.kinds for told in icons_that_drown(drawn, context, kind)]
    assert poor == []


def icons_that_drown(drawn: Workshop, context: Context, kind: str) -> Iterator[str]:
    """Icons whose darkest part has less than 7 to 1 with a tint on which its corners lie."""
    for face in list_distinct_faces(drawn.game, drawn.game.kinds[kind], context):
        leaves = find_leaves(face.drawing, context)
        layers = FaceLayers(face.drawing, leaves)
        icons: dict[tuple[str, int], list[int]] = {}
        for at, one in enumerate(leaves):
            if one.icon and isinstance(one.leaf, Shape) and one.box is not None:
                before = icons.get((one.icon, at - 1))
                icons[one.icon, at] = [*(before or []), at]
        for (icon, last), parts in icons.items():
            if (icon, last + 1) in icons:
                continue
            paints = {paint for at in parts for paint in paints_of(drawn, leaves[at].leaf)}
            box = leaves[parts[0]].box
            assert box is not None
            ground = layers.unmixed_paint_at(box.x + box.width / 2, box.y + box.height / 2, below=parts[0])
            below = paint_to_srgb(drawn.game, ground) if isinstance(ground, str) else "#ffffff"
            if below and max(measure_contrast(paint, below) for paint in paints) < LEAST_CONTRAST:
                yield f"{face}: {icon} {sorted(paints)} on {below}"


def paints_of(drawn: Workshop, leaf: object) -> Iterator[str]:
    if isinstance(leaf, Shape):
        stops = [paint for _, paint in leaf.fill.stops] if isinstance(leaf.fill, Gradient) else [leaf.fill]
        yield from (drawn.hex_of_paint(paint) for paint in (*stops, leaf.stroke) if paint)


def poor_words(game: str, pages: Document) -> tuple[int, list[str]]:
    """How many spots of words were looked at on a book's pages, and those with less than 7 to 1, by page and text."""
    drawn = workshop(game)
    context = Context({}, drawn.fonts, drawn.draw_silhouette)
    seen, poor = 0, []
    for number, page in enumerate(pages.pages, 1):
        face = Drawing(page.size.width, page.size.height, 0, page.items)
        for ratio, text in checked._measure_face_contrasts(drawn.game, context, face):
            seen += ratio is not None
            if ratio is not None and ratio < LEAST_CONTRAST:
                poor.append(f"page {number}: '{text}' {ratio:.1f}")
    return seen, poor


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_books_stand_out(game: str) -> None:
    """On the pages of a book in high contrast every word has 7 to 1 at each spot, within figures too.

    In its usual colours it hasn't: tables and captions are grey.
    """
    usual = rulebook_pages(game, "en")
    seen, poor = poor_words(game, recolour_document(usual, workshop(game).hex_of_paint))
    assert seen > 500
    assert poor == []
    assert poor_words(game, usual)[1]


def test_colours_are_still_told_apart() -> None:
    """The tints of red, blue, yellow and black grounds and art are four, as are icons in dark colours; glyphs stay."""
    paints = ["#c13a33", "#1a3f73", "#f3c02f", "#101010"]
    for role in ("ground", "art"):
        tints = clear(*(Shape(path=SQUARE, fill=paint, role=role) for paint in paints))  # type: ignore[arg-type]
        assert len({shape.fill for shape in tints if isinstance(shape, Shape)}) == 4
    icons = [Symbol(f"icon:{paint}", (Shape(path=SQUARE, fill=paint),), (0, 0, 10, 10)) for paint in paints]
    placed = clear(*(PlacedSymbol(icon, (1, 0, 0, 1, 0, 0), role="icon") for icon in icons))
    dark = [leaf.fill for leaf, _ in walk_leaves(placed) if isinstance(leaf, Shape)]  # type: ignore[arg-type]
    assert len(set(dark)) == 4
    drawn = workshop("journey8")
    face = drawn.draw_face(next(iter(drawn.game.designs())), "front", "ja")
    assert face is not None
    assert glyphs(face)
    assert glyphs(recolour_high_contrast(drawn)(face)) == glyphs(face)


def glyphs(face: Drawing) -> list[tuple[object, ...]]:
    return [(one.x, one.y, one.size, one.glyphs, at) for one, at in walk_leaves(face.items) if isinstance(one, TextRun)]


@pytest.mark.slow
def test_sheets_and_books_come_in_high_contrast(tiny: TinyProject, pnp: Pnp) -> None:
    """Files of their own beside the usual ones, in large print too."""
    tiny.write("templates/tiny/rulebook.en.md", "# Tiny\n\nPlay.\n")
    for asked in (("sheets",), ("sheets", "--large-print"), ("rulebook",), ("build", "--grey")):
        assert pnp(asked[0], "tiny", "--high-contrast", *asked[1:]).code == 0
    assert {path.name for path in (tiny.root / "output" / "tiny").glob("*.pdf")} == {
        *("sheets-high-contrast.en.pdf", "sheets-high-contrast-large-print.en.pdf", "rulebook-high-contrast.en.pdf")
    }
