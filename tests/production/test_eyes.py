"""Other eyes: the published figures, the same everywhere; nothing but colours changes, in paints, gradients and bitmaps."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from generator.base.colour import SIGHTS, ciede2000, lab_from_light, light_from_rgb, rgb_from_hex, simulate_sight
from generator.base.display_list import Drawing, Gradient, Group, Picture, PlacedSymbol, Shape, Symbol, TextRun
from generator.production.colour_blindness import COLOUR_VISIONS, ColourVision, VisionSimulator

BY_NAME = {eye.name: eye for eye in COLOUR_VISIONS}
colours = st.integers(0, 0xFFFFFF).map(lambda value: f"#{value:06x}")


def test_the_eyes_are_those_that_checks_compare_by() -> None:
    """A proof shows every sight that `validate` asks for, in its order, and no other."""
    assert ("normal sight", *BY_NAME) == SIGHTS


@pytest.mark.parametrize(
    ("eye", "seen"),
    [("protanopia", "#6d5f00"), ("deuteranopia", "#a39000"), ("tritanopia", "#ff000f"), ("grey", "#7f7f7f")],
)
def test_pure_red(eye: str, seen: str) -> None:
    """Red comes out as Machado's matrices at severity 1.0 give it by hand; grey by its luminance."""
    assert BY_NAME[eye].convert_hex("#ff0000") == seen


@given(colours, st.sampled_from(sorted(BY_NAME)))
def test_a_colour_looks_as_the_checks_say(colour: str, name: str) -> None:
    """What is painted and what is measured are one thing: less apart than rounding to 8 bits makes."""
    painted = lab_from_light(light_from_rgb(rgb_from_hex(BY_NAME[name].convert_hex(colour))))
    assert ciede2000(painted, simulate_sight(name, colour)) < 1.2


@given(st.integers(0, 255), st.sampled_from(sorted(BY_NAME)))
def test_greys_stay_grey(level: int, name: str) -> None:
    """No eye tints a neutral grey."""
    seen = BY_NAME[name].convert_hex(f"#{level:02x}{level:02x}{level:02x}")
    assert all(abs(int(seen[at : at + 2], 16) - level) <= 1 for at in (1, 3, 5))


@pytest.mark.parametrize("wrong", ["red", "#fff", "ff0000x"])
def test_only_colours_are_seen(wrong: str) -> None:
    """Anything but #rrggbb is refused instead of being painted as something."""
    with pytest.raises(ValueError, match="not a colour"):
        BY_NAME["grey"].convert_hex(wrong)


PAINTS = {"red": "#c02020", "ink": "#000000", "leaf": "#208040"}


def _drawing(tmp_path: Path) -> Drawing:
    picture = Image.new("RGBA", (16, 1))
    for x in range(16):
        picture.putpixel((x, 0), (x * 17, 255 - x * 9, (x * 61) % 256, x * 16))
    path = tmp_path / "p.png"
    picture.save(path)
    symbol = Symbol("icon:a", (Shape("M 0 0 L 1 0 L 1 1 Z", fill="red"),), (0, 0, 1, 1))
    gradient = Gradient("linear", (0, 0, 1, 0), ((0.0, "red"), (1.0, "leaf")))
    items = (
        Shape("M 0 0 L 9 0 L 9 9 Z", fill="#102030", stroke="leaf", width=0.3),
        Shape("M 0 0 L 5 0 L 5 9 Z", fill=gradient),
        TextRun(1, 2, 8, "f", (1,), ("a",), paint="red"),
        Group((PlacedSymbol(symbol, (1, 0, 0, 1, 2, 2)), PlacedSymbol(symbol, (1, 0, 0, 1, 4, 2))), clip="M 0 0 L 9 0 L 9 9 Z"),
        Picture("asset", str(path), 0, 0, 5, 5),
    )  # fmt: skip
    return Drawing(10, 10, 0, items)


def test_every_colour_of_a_drawing_changes_and_nothing_else(tmp_path: Path) -> None:
    """Fills, strokes, letters, symbols, gradients and bitmaps go through the eye; shapes and places stay."""
    before = _drawing(tmp_path)
    eye = BY_NAME["protanopia"]
    after = VisionSimulator(eye, lambda paint: PAINTS.get(paint, paint), tmp_path).convert_drawing(before)
    shape, shaded, text, group, picture = after.items
    assert isinstance(shape, Shape) and isinstance(shaded, Shape) and isinstance(text, TextRun)
    assert isinstance(group, Group) and isinstance(picture, Picture)
    assert (shape.fill, shape.stroke) == (eye.convert_hex("#102030"), eye.convert_hex("#208040"))
    assert shape._replace(fill="#102030", stroke="leaf") == before.items[0]
    assert text._replace(paint="red") == before.items[2] and text.paint == eye.convert_hex("#c02020")
    assert isinstance(shaded.fill, Gradient)
    assert (shaded.fill.stops[0][1], shaded.fill.stops[-1][1]) == (eye.convert_hex("#c02020"), eye.convert_hex("#208040"))  # fmt: skip
    assert [offset for offset, _ in shaded.fill.stops] == [step / 8 for step in range(9)]
    first, second = group.items
    assert isinstance(first, PlacedSymbol) and isinstance(second, PlacedSymbol)
    assert first.symbol is second.symbol, "a PDF holds it once"
    assert first.symbol.items == (Shape("M 0 0 L 1 0 L 1 1 Z", fill=eye.convert_hex("#c02020")),)
    assert picture.asset != "asset" and picture._replace(asset="asset", source="") == before.items[4]._replace(
        source=""  # type: ignore[type-var]
    )


@pytest.mark.parametrize("name", sorted(BY_NAME))
def test_bitmaps_are_seen_pixel_by_pixel(name: str, tmp_path: Path) -> None:
    """Each pixel of a bitmap is what the eye makes of its colour, within its table's fineness; transparency stays."""
    drawing = _drawing(tmp_path)
    source = drawing.items[-1]
    shown = (
        VisionSimulator(BY_NAME[name], lambda paint: PAINTS.get(paint, paint), tmp_path)
        .convert_drawing(drawing)
        .items[-1]
    )
    assert isinstance(shown, Picture) and isinstance(source, Picture)
    with Image.open(source.source) as old, Image.open(shown.source) as new:
        assert new.mode == "RGBA"
        for x in range(16):
            (*was, opaque), (*now, still) = old.getpixel((x, 0)), new.getpixel((x, 0))  # type: ignore[misc]
            want = BY_NAME[name].convert_hex("#" + "".join(f"{value:02x}" for value in was))
            assert still == opaque
            assert all(abs(int(want[at : at + 2], 16) - now[at // 2]) <= 4 for at in (1, 3, 5)), (was, want, now)


def test_an_eye_of_unit_matrix_changes_nothing() -> None:
    """Linear light and back again is exact to the last bit of all grey levels and primaries."""
    eye = ColourVision("all", ((1, 0, 0), (0, 1, 0), (0, 0, 1)))
    for value in range(256):
        colour = f"#{value:02x}{255 - value:02x}{value ^ 0x5A:02x}"
        assert eye.convert_hex(colour) == colour
