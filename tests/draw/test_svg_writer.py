"""Drawings as SVG: the same picture as the PDF's, shared definitions, few characters, the same text each time."""

import io
import re
import shutil
import subprocess
from collections.abc import Iterator
from math import isclose
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pdf_samples import BOOK, INKS, block, box, face, font, palette, symbol, words
from PIL import Image, ImageChops, ImageStat
from shipped_games import SWEPT, workshop
from tests_support import examples

from generator.base.display_list import Drawing, Gradient, Group, Picture, PlacedSymbol, Shape, TextRun
from generator.base.path_data import to_canonical_path
from generator.drawing.pdf.page_images import render_drawing_png
from generator.drawing.svg_writer import (
    Definitions,
    escape_text,
    format_transform,
    list_numbers,
    read_drawing_text,
    shorten_number,
    shorten_path,
    write_figure,
    write_svg,
)

NAMES = "{http://www.w3.org/2000/svg}"
FINE_DPI = 300
MEAN, SPOT = 3.5, 14
"""Of 255: the mean of pixels at 100 dpi, each of nine finer ones, and the most that 2 x 2 mm differ in tone.

Pdfium sets small type a little darker than Cairo and shades edges by other rules, which no outline can change: over
the faces of all games the mean is at most 2.7 (a summary full of kanji; 0.9 for pictures) and no spot differs by more
than 7, steep gradients by 11. One small letter that is missing, or a thing that has moved by its own width, changes
the tone of its spot by 30 and more.
"""

needs_renderer = pytest.mark.skipif(not shutil.which("rsvg-convert"), reason="rsvg-convert (librsvg2-bin) is missing")


def colour(paint: str) -> str:
    return "#" + "".join(f"{round(part * 255):02x}" for part in INKS[paint]) if paint in INKS else paint


def text_of(*items, width: float = 20, height: float = 20) -> str:
    return write_svg(face(*items, width=width, height=height), BOOK, colour)


def parsed(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text)  # noqa: S314 - it is our own


def rendered(text: str, width: int, height: int) -> Image.Image:
    """The pixels of an SVG on white, by a renderer that has nothing to do with ours."""
    command = ["rsvg-convert", "-w", str(width), "-h", str(height), "--background-color", "white"]
    done = subprocess.run(command, input=text.encode(), capture_output=True, check=True)
    return Image.open(io.BytesIO(done.stdout)).convert("RGB")


def differ(one: Image.Image, text: str) -> tuple[float, int]:
    """How much an SVG differs from the fine pixels of its PDF: the mean at 100 dpi, and the most in 2 x 2 mm."""
    other = rendered(text, one.width, one.height)
    return tuple(
        measure(ImageChops.difference(one.reduce(step), other.reduce(step)).convert("L"))
        for step, measure in ((3, lambda grey: ImageStat.Stat(grey).mean[0]), (24, lambda grey: grey.getextrema()[1]))
    )


def faces(game: str) -> Iterator[tuple[str, Drawing]]:
    """Of every kind the first design's faces in every language, boards left to their first language."""
    shop = workshop(game)
    for kind in shop.game.kinds.values():
        large = kind.size.width * kind.size.height > 20_000
        for lang in shop.game.languages[:1] if large else shop.game.languages:
            for side in kind.faces(kind.designs[0])[:2]:
                drawing = shop.draw_face(kind.designs[0], side, lang)
                if drawing is not None:
                    yield f"{kind.designs[0].id} {side} {lang}", drawing


@pytest.mark.slow
@needs_renderer
@pytest.mark.parametrize("game", SWEPT)
def test_every_game_looks_as_in_its_pdf(game):
    shop = workshop(game)
    found = 0
    for name, drawing in faces(game):
        printed = render_drawing_png(drawing, FINE_DPI, shop.fonts, shop.rgb_of_paint, None)
        mean, spot = differ(printed, write_svg(drawing, shop.fonts, shop.hex_of_paint))
        assert mean <= MEAN and spot <= SPOT, (name, mean, spot)
        found += 1
    assert found >= 2 * len(shop.game.kinds) - 2


RADIAL = Gradient("radial", (10, 10, 8, 4, 10), ((0, "#ff0000"), (0.4, "#ffff00"), (1, "#0000ff")))
SAMPLES = {
    "groups": Group((block(0, 0, 9, 9), Group((block(5, 5, 9, 9, "#00ff00"),), (0.5, 0.2, -0.2, 0.5, 4, 3))), clip=box(2, 2, 9, 9)),
    "even-odd": Group((Shape(f"{box(1, 1, 18, 18)} {box(4, 4, 5, 5)}", "#008000", even_odd=True),), clip=f"{box(0, 0, 20, 20)} {box(10, 10, 6, 6)}", clip_even_odd=True),
    "linear": Shape(box(1, 1, 18, 18), Gradient("linear", (2, 2, 15, 9), ((0.2, "#ff0000"), (0.6, "#00ff00"), (0.6, "#0000ff")))),
    "radial": Shape(box(1, 1, 18, 18), RADIAL, "ink", 0.8),
    "focus outside": Shape(box(1, 1, 18, 18), RADIAL._replace(line=(10, 10, 5, 18, 10), matrix=(1, 0.2, 0, 1, 0, 0))),
    "flat gradient": Shape(box(1, 1, 18, 18), Gradient("linear", (3, 3, 3, 3), ((0, "#ff0000"), (1, "#00ff00")))),
    "stroke": Shape("M 3 3 L 16 4 L 4 16", stroke="#800000", width=2, cap="round", join="round"),
    "dashes": Shape("M 3 3 L 17 4 L 4 17", stroke="ink", width=1, dash=(3.0, 1.5, 0.5), miter=1.0),
    "hairless": Shape(box(3, 3, 9, 9), stroke="ink", width=0),
    "symbol": PlacedSymbol(symbol(block(0, 0, 9, 9), block(1, 1, 2, 2, "#0000ff"), size=5), (2, 0.5, -0.5, 2, 5, 3), clip=True),
    "spill": PlacedSymbol(symbol(block(-1, 0, 9, 3), size=5), (2, 0.5, -0.5, 2, 5, 3)),
    "flat": Group((block(0, 0, 9, 9),), (1, 2, 2, 4, 0, 0)),
    "words": words("AV漢字", "mincho", 2, 12, 14),
    "spaced": words("Walk", x=2, size=12)._replace(advances=(800.0, 700.0, 900.0, 500.0), paint="#a00000"),
    "natural": words("Walk", x=2, size=12)._replace(advances=()),
    "turned": words("Turn", x=4, y=3, size=12, angle=60.0),
    "column": words("上下", "gothic", 8, 8, 14)._replace(advances=(), places=((0.0, 0.0), (1.5, 7.0))),
}  # fmt: skip


@needs_renderer
@pytest.mark.parametrize("name", SAMPLES)
def test_every_kind_of_item_looks_as_in_its_pdf(name):
    drawing = face(block(0, 18, 3, 2, "#0000ff"), SAMPLES[name], width=20, height=20)
    mean, spot = differ(render_drawing_png(drawing, FINE_DPI, BOOK, palette, None), write_svg(drawing, BOOK, colour))
    assert mean <= 2 * MEAN and spot <= SPOT, (mean, spot)


@needs_renderer
@pytest.mark.parametrize("lost", [-1, 0])
def test_the_comparison_sees_a_lost_letter(lost):
    run = words("a" * 30, x=1, size=6.5)
    less = run._replace(glyphs=run.glyphs[:lost] if lost else run.glyphs[1:], x=run.x if lost else run.x + 1.2)
    less = less._replace(clusters=("a",) * 29, advances=run.advances[1:])
    drawing = face(run, width=40, height=20)
    _, spot = differ(
        render_drawing_png(drawing, FINE_DPI, BOOK, palette, None),
        write_svg(drawing._replace(items=(less,)), BOOK, colour),
    )
    assert spot > SPOT


@needs_renderer
@pytest.mark.parametrize(
    ("kind", "mode"), [("PNG", "RGB"), ("PNG", "RGBA"), ("JPEG", "RGB"), ("JPEG", "CMYK"), ("PNG", "L")]
)
def test_pictures_go_in_as_they_look(tmp_path, kind, mode):
    """A bitmap of any kind is stretched over its box; what browsers don't read becomes PNG; one copy serves all places."""
    path = tmp_path / "picture"
    made = Image.new("RGB", (40, 20), "#c04020")
    made.paste("#2040c0", (20, 0, 40, 20))
    made.convert(mode).save(path, format=kind)
    places = [Picture("x", str(path), 1, y, 18, 8) for y in (1.0, 11.0)]
    text = text_of(*places)
    assert text.count("data:image/") == 1
    assert ("image/jpeg" in text) == (kind == "JPEG" and mode == "RGB")
    shown = rendered(text, 200, 200)
    assert shown.getpixel((150, 50)) == shown.getpixel((150, 150))
    left, right = shown.getpixel((50, 50)), shown.getpixel((150, 50))
    if mode == "L":
        assert left[0] == left[2] > right[0] == right[2]
    else:
        assert left[0] > 150 and left[2] < 80 and right[0] < 80 and right[2] > 150


def test_a_picture_is_where_it_belongs(tmp_path):
    text = write_svg(Drawing(63, 88, 3, (block(-3, -3, 69, 94),), "ja", "稲妻"), BOOK, colour)
    root = parsed(text)
    assert root.attrib["viewBox"] == "0 0 63 88" and root.attrib["width"] == "63mm"
    assert root.attrib["role"] == "img" and root.attrib["aria-label"] == "稲妻" and root.attrib["lang"] == "ja"
    assert text.replace('xmlns="http://www.w3.org/2000/svg"', "").count("http") == 0


def test_the_same_thing_is_defined_once():
    """Glyphs, symbols, clips and gradients are shared by all figures of a page, and ids are never given twice."""
    shared = Definitions(BOOK, colour)
    star = symbol(block(0, 0, 1, 1), size=2)
    alike = symbol(block(0, 0, 1, 1), size=2, name="another")
    moved = (1, 0, 0, 1, 5, 5)
    items = (
        words("anna", x=1),
        PlacedSymbol(star, moved),
        PlacedSymbol(alike, moved),
        PlacedSymbol(star, moved, clip=True),
        Group((block(0, 0, 9, 9),), clip=box(1, 1, 2, 2)),
        Shape(box(0, 0, 5, 5), RADIAL),
        Shape(box(5, 5, 5, 5), RADIAL),
    )
    pages = [write_figure(face(*items, width=20, height=20), shared, "one") for _ in range(2)]
    assert pages[0] == pages[1]
    defined = re.findall(r' id="([^"]+)"', shared.write_definitions())
    assert len(defined) == len(set(defined)) == 2 + 1 + 2 + 1  # a and n, the symbol, its clip and the group's, ...
    used = set(re.findall(r'href="#([^"]+)"', pages[0])) | set(re.findall(r"url\(#([^)]+)\)", pages[0]))
    assert used == set(defined)


def test_characters_are_kept():
    """What is outlines for the eye is words for everything else: line by line, no stamp, nothing twice."""
    first, second = words("AV", "sans", 2, 5), words("漢字", "gothic", 9, 5)
    stamp = words("draft 3", y=9)._replace(role="stamp")
    drawing = face(first, second, stamp, words("end", y=12), words("end", y=13), words(" & <", y=14), width=20)
    assert read_drawing_text(drawing) == "AV漢字\nend\n& <"
    root = parsed(write_svg(drawing, BOOK, colour))
    assert root.find(f"{NAMES}desc").text == "AV漢字\nend\n& <"
    assert not list(root.iter(f"{NAMES}text"))


def test_same_drawing_same_text():
    drawing = face(*SAMPLES.values(), width=20, height=20)
    assert write_svg(drawing, BOOK, colour) == write_svg(drawing, BOOK, colour)


def test_blank_glyphs_and_empty_things_leave_nothing():
    """A space needs no outline; neither do paths without paint, groups without items, runs without glyphs."""
    nothing = (
        words(" "),
        Shape(box(0, 0, 1, 1)),
        Shape(box(0, 0, 1, 1), stroke="ink", width=0),
        Group((), (1, 0, 0, 1, 2, 2)),
        Shape("", "ink"),
        TextRun(0, 0, 9, font("sans").key, (), ()),
    )
    text = text_of(*nothing)
    assert "<path" not in text and "<use" not in text and "<g" not in text  # fmt: skip


coordinates = st.floats(-500, 500, allow_nan=False).map(lambda value: round(value, 3))
steps = st.one_of(
    st.tuples(st.just("L"), st.tuples(coordinates, coordinates)),
    st.tuples(st.just("C"), st.tuples(*[coordinates] * 6)),
    st.tuples(st.just("H"), st.tuples(coordinates)),
    st.tuples(st.just("V"), st.tuples(coordinates)),
    st.tuples(st.just("Z"), st.just(())),
)


@given(st.lists(steps, max_size=20), st.integers(0, 3))
def test_short_paths_say_the_same(made, places):
    """However an outline is written, every point of it stays where it was, rounding aside; errors never add up."""
    outline = to_canonical_path(
        "M 1 1 " + " ".join(f"{letter} {' '.join(map(str, values))}" for letter, values in made)
    )
    again = to_canonical_path(shorten_path(outline, places))
    letters, values = re.findall("[A-Z]", outline), [float(v) for v in re.findall(r"[-\d.]+", outline)]
    assert re.findall("[A-Z]", again) == letters
    for value, other in zip(values, map(float, re.findall(r"[-\d.]+", again)), strict=True):
        assert abs(value - other) <= 0.5 * 10**-places + 0.0011


@given(st.lists(st.floats(-1000, 1000, allow_nan=False), max_size=8))
def test_numbers_stand_apart(values):
    read = [float(text) for text in re.findall(r"-?(?:\d+\.?\d*|\.\d+)", list_numbers(values))]
    assert len(read) == len(values)
    assert all(abs(one - other) <= 0.0005001 for one, other in zip(read, values, strict=True))


@given(st.tuples(*[st.floats(-50, 50, allow_nan=False)] * 6))
def test_transforms_keep_six_digits(values):
    text = format_transform(values)
    numbers = {name: [float(v) for v in inner.split()] for name, inner in re.findall(r"(\w+)\(([^)]*)\)", text)}
    if "matrix" in numbers:
        a, b, c, d, e, f = numbers["matrix"]
    else:
        (e, f), factors = numbers.get("translate", [0.0, 0.0]), numbers.get("scale", [1.0])
        a, b, c, d = factors[0], 0.0, 0.0, factors[-1]
    assert all(
        isclose(one, other, rel_tol=1e-5, abs_tol=1e-9) for one, other in zip((a, b, c, d), values[:4], strict=True)
    )
    assert abs(e - values[4]) < 0.001 and abs(f - values[5]) < 0.001


@given(st.text())
@examples(200)
def test_any_text_may_stand_in_markup(text):
    """Markup signs are escaped, and what XML can't hold is left out: the rest is read back as it was."""
    root = parsed(f'<a b="{escape_text(text)}">{escape_text(text)}</a>')
    kept = re.sub("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]", "", text)
    assert (root.text or "") == kept
    assert root.attrib["b"] == re.sub(r"[\t\n]", " ", kept)


def test_numbers_are_short():
    assert [shorten_number(v) for v in (0.5, -0.25, 10.0, -0.0001, 1.23456, 100)] == [".5", "-.25", "10", "0", "1.235", "100"]  # fmt: skip
