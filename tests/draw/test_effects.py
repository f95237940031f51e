"""Effects in templates: what they draw, seen as pictures, and what they cost."""

import math
from pathlib import Path
from typing import Any

import pytest
from face_games import Table, complaints, design, drawn, svg, tale
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageChops

from generator.base.display_list import (
    Drawing,
    Group,
    Mask,
    Picture,
    PlacedSymbol,
    Shape,
    TextRun,
    visit_items,
    walk_leaves,
)
from generator.base.geometry import Rect
from generator.drawing.svg.filters import NOT_INSTALLED

PAPER = '<rect x="-3" y="-3" width="66" height="96" fill="#ffffff"/>'
Pixel = tuple[int, ...]


def seen(root: Path, body: str, scale: float = 4.0, **fields: Any) -> Image.Image:
    """A card's front as pixels, so many to a mm, on white."""
    table = Table(root, tale(design(**fields)), {"tale/card.svg": svg(PAPER + body)})
    drawing = table.draw()
    assert drawing is not None, table.complaints
    return table.artist.render_items(drawing.items, Rect(0, 0, 60, 90), scale).convert("RGB")


def pixel(image: Image.Image, x: float, y: float, scale: float = 4.0) -> Pixel:
    found = image.getpixel((round(x * scale), round(y * scale)))
    assert isinstance(found, tuple)
    return found


def near(one: Pixel, other: Pixel, by: int = 2) -> bool:
    return all(abs(a - b) <= by for a, b in zip(one, other, strict=True))


def groups(drawing: Drawing) -> list[Group]:
    """The groups of a face that are painted as one."""
    found = [item for item, _ in visit_items(drawing.items, True, lambda _, around: around)]
    return [item for item in found if isinstance(item, Group) and item.is_composited]


@pytest.mark.parametrize(
    "half",
    [
        '<rect width="20" height="20" fill="#ff0000" opacity="0.5"/>',
        '<rect width="20" height="20" fill="#ff0000" style="opacity: 50%"/>',
        '<rect width="20" height="20" fill="#ff0000" fill-opacity=".5"/>',
        '<g fill-opacity=".5"><rect width="20" height="20" fill="#ff0000"/></g>',
        '<rect width="20" height="20" fill="#ff000080"/>', '<rect width="20" height="20" fill="rgba(255, 0, 0, 0.5)"/>',
        '<path d="M 0 10 H 20" fill="none" stroke="#ff0000" stroke-width="20" stroke-opacity="0.5"/>',
        '<linearGradient id="g"><stop stop-color="#ff0000" stop-opacity="0.5"/></linearGradient>' '<rect width="20" height="20" fill="url(#g)"/>',
        '<linearGradient id="g"><stop stop-color="#ff000080"/><stop offset="1" stop-color="#ff000080"/>' '</linearGradient><rect width="20" height="20" fill="url(#g)"/>',
        '<g opacity="0.5"><rect width="20" height="20" fill="#0000ff"/><rect width="20" height="20" fill="#ff0000"/></g>',
        '<mask id="m"><rect width="20" height="20" fill="#bcbcbc"/></mask>'.replace("bcbcbc", "808080") + '<rect width="20" height="20" fill="#ff0000" mask="url(#m)"/>',
        '<mask id="m" mask-type="alpha"><rect width="20" height="20" fill="#00000080"/></mask>' '<rect width="20" height="20" fill="#ff0000" mask="url(#m)"/>',
    ],
)  # fmt: skip
def test_half_a_colour_is_mixed_with_what_lies_below(tmp_path: Path, half: str) -> None:
    image = seen(tmp_path, f'<rect x="10" width="50" height="30" fill="#0000ff"/>{half}')
    assert near(pixel(image, 5, 10), (255, 127, 127)), pixel(image, 5, 10)
    assert near(pixel(image, 15, 10), (128, 0, 127)), pixel(image, 15, 10)


def test_colours_of_the_palette_become_clearer_in_gradients(tmp_path: Path) -> None:
    body = (
        '<linearGradient id="g"><stop stop-color="night"/><stop offset="1" stop-color="night" stop-opacity="0"/>'
        '</linearGradient><rect width="60" height="20" fill="url(#g)"/>'
    )
    image = seen(tmp_path, body)
    (group,) = groups(drawn(tmp_path / "again", body))
    assert near(pixel(image, 0.2, 9), (0x10, 0x10, 0x20), 4)
    assert near(pixel(image, 59.7, 9), (255, 255, 255), 4)
    assert isinstance(group.mask, Mask)
    assert isinstance(group.items[0], Shape) and "night" in str(group.items[0].fill)


@pytest.mark.parametrize(("mode", "colour"), [("multiply", (100, 40, 20)), ("screen", (228, 160, 212))])
def test_blend_modes(tmp_path: Path, mode: str, colour: Pixel) -> None:
    ground = '<rect width="60" height="40" fill="#c88040"/>'
    image = seen(tmp_path, f'{ground}<rect width="20" height="20" fill="#805050" style="mix-blend-mode:{mode}"/>')
    below, above = (200, 128, 64), (128, 80, 80)
    if mode == "multiply":
        colour = tuple(round(a * b / 255) for a, b in zip(below, above, strict=True))
    else:
        colour = tuple(round(a + b - a * b / 255) for a, b in zip(below, above, strict=True))
    assert near(pixel(image, 10, 10), colour)
    assert near(pixel(image, 30, 10), below)


def test_type_in_a_mask_is_a_hole_in_its_form(tmp_path: Path) -> None:
    body = (
        '<mask id="m"><text x="5" y="30" font-size="60pt" fill="#ffffff">I</text></mask>'
        '<rect width="60" height="60" fill="#c03030" mask="url(#m)"/>'
    )
    image = seen(tmp_path, body)
    (group,) = groups(drawn(tmp_path / "again", body))
    alone = seen(tmp_path / "alone", '<text x="5" y="30" font-size="60pt" fill="#c03030">I</text>')
    assert group.mask is not None
    assert not [leaf for leaf, _ in walk_leaves(group.mask.items) if isinstance(leaf, TextRun)]
    difference = ImageChops.difference(image, alone).convert("L").point(lambda value: 255 if value > 90 else 0)
    assert sum(difference.histogram()[1:]) < 10


def test_a_pattern_is_drawn_once_and_placed_often(tmp_path: Path) -> None:
    body = (
        '<pattern id="p" x="1" width="4" height="4" patternUnits="userSpaceOnUse">'
        '<rect width="2" height="4" fill="bronze"/></pattern><circle cx="20" cy="20" r="10" fill="url(#p)"/>'
    )
    image, drawing = seen(tmp_path, body), drawn(tmp_path / "again", body)
    tiles = [
        item for item, _ in visit_items(drawing.items, True, lambda _, around: around) if isinstance(item, PlacedSymbol)
    ]

    assert len({id(tile.symbol) for tile in tiles}) == 1
    assert pixel(image, 17.5, 20) == (0x8A, 0x6A, 0x3A)
    assert pixel(image, 19, 20) == (255, 255, 255)
    assert pixel(image, 17.5, 31) == (255, 255, 255)


@pytest.mark.slow
@given(
    st.floats(-3, 3), st.floats(-3, 3), st.floats(0.2, 4), st.sampled_from(["bronze", "#2040c0", "#2040c0a0"]),
    st.integers(10, 100),
)  # fmt: skip
def test_any_shadow_lies_below_where_it_is_said(
    tmp_path_factory: pytest.TempPathFactory, x: float, y: float, blur: float, colour: str, dense: int
) -> None:
    body = (
        f'<rect x="15" y="20" width="30" height="30" fill="#ffffff" shadow="{x}mm {y}mm {blur}mm {colour} {dense}%"/>'
    )
    drawing = drawn(tmp_path_factory.mktemp("shadow"), body)
    (picture,) = [leaf for leaf, _ in walk_leaves(drawing.items) if isinstance(leaf, Picture)]
    middle_x, middle_y = picture.x + picture.width / 2, picture.y + picture.height / 2
    assert abs(middle_x - 30 - x) < 0.2 and abs(middle_y - 35 - y) < 0.2
    assert 30 < picture.width < 30 + 3 * blur + 0.6
    assert [type(leaf) for leaf, _ in walk_leaves(drawing.items)] == [Picture, Shape]


@pytest.mark.parametrize(("colour", "blend"), [("ink", "multiply"), ("#000000", "multiply"), ("#203040", "normal")])
def test_a_black_shadow_takes_no_ink_away_from_its_ground(tmp_path: Path, colour: str, blend: str) -> None:
    """Black is laid over what is there: a press would else print less of the ground's own inks below it."""
    drawing = drawn(tmp_path, f'<rect x="9" y="9" width="9" height="9" fill="#ffffff" shadow="1mm 1mm 2mm {colour}"/>')
    laid = [group for group in groups(drawing) if any(isinstance(inner, Picture) for inner in group.items)]
    assert [group.blend for group in laid] == ([blend] if blend != "normal" else [])


def test_shadows_have_the_resolution_of_print_and_are_told_once(tmp_path: Path) -> None:
    """300 dots an inch on the card, whatever the scale they are drawn in; one note for all."""
    shadow = '<rect width="20" height="20" fill="#ffffff" shadow="0 0 2mm ink"/>'
    drawing = drawn(tmp_path, f'<g transform="translate(9 9)">{shadow}</g><g transform="scale(2)">{shadow}</g>')
    pictures = [(leaf, matrix) for leaf, matrix in walk_leaves(drawing.items) if isinstance(leaf, Picture)]
    for picture, matrix in pictures:
        data = Path(picture.source)
        width = Image.open(opened(data)).width
        dpi = width / (picture.width * math.hypot(matrix[0], matrix[1])) * 25.4
        assert 290 < dpi < 310
    assert drawing.notes == ("templates/tale/card.svg: shadows and filters are drawn as pictures of 300 dpi",)


def test_where_the_renderer_is_missing_shadows_are_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("generator.drawing.svg.filters.resvg_py", None)
    drawing = drawn(
        tmp_path, '<rect width="9" height="9" shadow="0 0 2mm ink"/><rect width="9" height="9" filter="blur(1)"/>'
    )
    assert [type(item) for item in drawing.items] == [Shape, Shape]
    assert drawing.notes == (NOT_INSTALLED,)


def opened(source: Path) -> Any:
    """The file of a picture that was made."""
    from io import BytesIO

    from generator.base.picture_files import open_picture_file

    out = BytesIO()
    open_picture_file(source)[0].save(out, "PNG")
    return out


def test_a_line_goes_behind_letters(tmp_path: Path) -> None:
    text = '<text x="5" y="40" font-size="60pt" fill="#000000" stroke="#ff0000" stroke-width="2"{}>I</text>'
    behind = drawn(tmp_path, text.format(' paint-order="stroke"')).items
    before = drawn(tmp_path / "again", text.format("")).items
    hollow = drawn(tmp_path / "hollow", text.format("").replace('fill="#000000"', 'fill="none"')).items
    assert [type(item) for item in behind] == [Shape, TextRun]
    assert [type(item) for item in before] == [TextRun, Shape]
    assert [type(item) for item in hollow] == [Shape]


@pytest.mark.parametrize(("lang", "words"), [("en", "Along the way"), ("ja", "道にそって歩く")])
def test_text_follows_a_path(tmp_path: Path, lang: str, words: str) -> None:
    """Each glyph stands on a circle, turned with it; the words can still be read out of the file."""
    body = (
        '<path id="p" d="M 10 50 A 20 20 0 0 1 50 50"/><text font-size="12pt" text-anchor="middle">'
        f'<textPath href="#p" startOffset="50%">{words}</textPath></text>'
    )
    table = Table(tmp_path, tale(design()), {"tale/card.svg": svg(f"<defs>{body.partition('<text')[0]}</defs>"
                                                                  f"<text{body.partition('<text')[2]}")})  # fmt: skip
    drawing = table.draw(lang=lang)
    assert drawing is not None, table.complaints
    runs = [item for item in drawing.items if isinstance(item, TextRun)]

    assert "".join(run.text for run in runs) == words
    assert all(abs(math.hypot(run.x - 30, run.y - 50) - 20) < 0.8 for run in runs)
    angles = [(run.angle + 180) % 360 for run in runs]
    assert angles == sorted(angles)
    assert abs((runs[0].x + runs[-1].x) / 2 - 30) < 3, "it is in the middle"


def test_text_longer_than_its_path_is_told(tmp_path: Path) -> None:
    path = '<path id="p" d="M 10 50 H 30"/>'
    text = '<text font-size="12pt"><textPath href="#p"{}>{}</textPath></text>'
    (told,) = complaints(tmp_path, f"<defs>{path}</defs>" + text.format("", "Much longer than this"))
    (late,) = complaints(tmp_path / "late", f"<defs>{path}</defs>" + text.format(' startOffset="15"', "Some words"))
    assert "does not fit its path: " in told and "mm too long; shorten it, make it smaller" in told
    assert "does not fit its path: " in late
    ring = '<defs><circle id="p" cx="30" cy="40" r="20"/></defs>'
    assert drawn(tmp_path / "ring", ring + text.format(' startOffset="90%"', "All around the ring")).items


def test_plain_faces_have_nothing_of_it(tmp_path: Path) -> None:
    plain = drawn(tmp_path, '<rect width="20" height="20" fill="bronze"/><text x="3" y="30">word</text>')
    said = drawn(
        tmp_path / "said",
        '<rect width="20" height="20" fill="bronze" opacity="1" mix-blend-mode="normal" mask="none" filter="none"/>'
        '<text x="3" y="30" opacity="100%">word</text>',
    )
    assert said.items == plain.items


@pytest.mark.parametrize(
    "body",
    [
        pytest.param('<rect width="90000" height="90000" shadow="1 1 900mm ink"/>' * 30, marks=pytest.mark.slow),
        pytest.param(
            '<filter id="f"><feMorphology operator="dilate" radius="90"/></filter>'
            '<rect width="900" height="900" filter="url(#f)"/>' * 30,
            marks=pytest.mark.slow,
        ),
        '<pattern id="a" width="1" height="1" patternUnits="userSpaceOnUse"><rect width="1" height="1"/></pattern>'
        '<pattern id="b" width="50" height="50" patternUnits="userSpaceOnUse">'
        '<rect width="50" height="50" fill="url(#a)"/></pattern><rect width="900" height="900" fill="url(#b)"/>',
    ],
)
def test_what_would_take_too_long_is_a_problem(tmp_path: Path, body: str) -> None:
    """Filters weigh by their area, patterns by what they repeat: a drawing too large is told, and none hangs."""
    assert any("the drawing is too large" in told for told in complaints(tmp_path, body))


@pytest.mark.parametrize(
    ("body", "shown", "hidden"),
    [
        (  # a gradient and a pattern along lines
            '<linearGradient id="a" gradientUnits="userSpaceOnUse" x1="0" x2="60" y1="0" y2="0"><stop stop-color="#ff0000"/>'
            '<stop offset="1" stop-color="#ff0000"/></linearGradient><line x1="5" y1="20" x2="55" y2="20" stroke="url(#a)"'
            ' stroke-width="4"/>',
            (30, 20),
            (30, 25),
        ),
        (  # a marker on the end of a line
            '<marker id="m" markerWidth="3" markerHeight="3" refX="1.5" refY="1.5" markerUnits="userSpaceOnUse">'
            '<rect width="3" height="3" fill="#ff0000"/></marker><path d="M 5 40 H 45" stroke="#00ff00" marker-end="url(#m)"/>',
            (45, 41.2),
            (5, 41.2),
        ),
        (  # a dash that begins later
            '<line x1="10" y1="60" x2="50" y2="60" stroke="#ff0000" stroke-width="4" stroke-dasharray="10 10"'
            ' stroke-dashoffset="10"/>',
            (25, 60),
            (15, 60),
        ),
        (  # a clip path in parts of its object's box, with a hole
            '<clipPath id="c" clipPathUnits="objectBoundingBox"><path clip-rule="evenodd" d="M 0 0 H 1 V 1 H 0 Z M .3 .3 H .7 V .7'
            ' H .3 Z"/><rect width=".1" height=".1"/></clipPath><rect x="10" y="10" width="40" height="40" fill="#ff0000"'
            ' clip-path="url(#c)"/>',
            (14, 40),
            (30, 30),
        ),
        (  # clouds of a filter step
            '<filter id="f" x="0" y="0" width="1" height="1"><feFlood flood-color="#ff0000" result="r"/><feTurbulence'
            ' baseFrequency="0.4"/><feComposite in="r" operator="over"/></filter><rect x="10" y="10" width="30" height="30"'
            ' filter="url(#f)"/>',
            (20, 20),
            (50, 50),
        ),
    ],
    ids=["stroke", "marker", "dash", "clip", "turbulence"],
)  # fmt: skip
def test_templates_have_what_art_files_have(
    tmp_path: Path, body: str, shown: tuple[float, float], hidden: tuple[float, float]
) -> None:
    image = seen(tmp_path, body)
    red, green, blue = pixel(image, *shown)
    assert red > 150 and green < 120 and blue < 120
    assert near(pixel(image, *hidden), (255, 255, 255))
