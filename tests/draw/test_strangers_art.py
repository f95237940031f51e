"""Drawings as Inkscape, Illustrator, Figma, Affinity and people write them, held against librsvg as pictures."""

import gzip
import io
import os
import shutil
import subprocess
import sys
from itertools import cycle, islice, product
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageFilter
from tests_support import quick

from generator.base.colour import Rgb, rgb_from_hex
from generator.base.display_list import Drawing, Item, Paint, Picture, PlacedSymbol, Shape, Symbol
from generator.base.errors import InvalidInput, Place, ProblemsFound
from generator.base.files import BOUNDS
from generator.base.geometry import Rect
from generator.base.outlines import flatten_path, is_point_inside
from generator.drawing.pdf.page_images import render_drawing_png, render_items_png
from generator.drawing.svg.art_files import encode_data_address, read_art
from generator.drawing.svg.art_text import Char, TextCharacters
from generator.drawing.svg.filters import NOT_INSTALLED
from generator.drawing.svg.outline_painter import outline_thin_line
from generator.drawing.svg.reader_state import ArtBitmap, DrawnArt, ReaderState
from generator.drawing.svg.shape_outlines import measure_items
from generator.drawing.svg.style import StyleBook
from generator.drawing.svg.tree import ArtNotes
from generator.drawing.svg.values import AlphaColour, parse_colour
from generator.text.fonts import FontBook

sys.path.insert(0, str(Path(__file__).parent / "strangers"))
from dialects import DIALECTS, features

SIDE = 200
FINE = 3
if not shutil.which("rsvg-convert") and os.environ.get("CI"):
    pytest.fail("rsvg-convert is not installed; .ci/run should have installed it")
needs_renderer = pytest.mark.skipif(not shutil.which("rsvg-convert"), reason="rsvg-convert (librsvg2-bin) is missing")


def rgb(paint: Paint) -> Rgb:
    """A paint on a screen: ink is black."""
    return rgb_from_hex(paint if paint.startswith("#") else "#000000")


class Alone:
    """A project with nothing in it: no fonts, no colours of its own, no files."""

    def __init__(self) -> None:
        self.fonts = FontBook({}, lambda _: None)

    def find_screen_colour(self, paint: Paint) -> Rgb:
        return rgb(paint)

    def find_picture(self, name: str) -> ArtBitmap:
        raise InvalidInput(f"there is no file '{name}'")

    def find_drawing(self, name: str) -> bytes:
        raise InvalidInput(f"there is no file '{name}'")

    def draw_symbol(self, href: str, paint: Paint) -> DrawnArt:
        raise InvalidInput(f"there is no drawing '{href}' for {paint}")

    def store_picture(self, data: bytes) -> ArtBitmap:
        return encode_data_address(data)

    def render_items(self, items: tuple[Item, ...], box: Rect, scale: float) -> Image.Image:
        return render_items_png(items, box, scale, self.fonts, rgb, Path)


def read(markup: str | bytes, around: "Alone | None" = None) -> Symbol:
    """The symbol of a drawing."""

    def locate(stamp: str) -> Place:
        return Place("a.svg", *map(int, stamp.split(":"))) if stamp else Place("a.svg")

    notes = ArtNotes("a.svg")
    desk = ReaderState(StyleBook(frozenset({"ink"})), notes, around or Alone(), locate, "art", "en")
    return read_art(markup if isinstance(markup, bytes) else markup.encode(), "art/a.svg", desk)[0]


def ours(symbol: Symbol) -> Image.Image:
    """A symbol as a picture."""
    size = 50.0
    by = size / symbol.box[2]
    drawing = Drawing(
        size, size * symbol.box[3] / symbol.box[2], 0, (PlacedSymbol(symbol, (by, 0, 0, by, 0, 0), clip=True),)
    )
    shown = render_drawing_png(drawing, SIDE * FINE / size * 25.4, FontBook({}, lambda _: None), rgb, Path)
    return shown.resize((SIDE, SIDE), Image.Resampling.BOX)


def theirs(markup: str, folder: Path) -> Image.Image:
    """The same drawn by librsvg."""
    file = folder / "a.svg"
    file.write_text(markup, "utf-8")
    command = ["rsvg-convert", "-w", str(SIDE * FINE), "-h", str(SIDE * FINE), "--background-color", "white", str(file)]
    made = subprocess.run(command, check=True, capture_output=True)
    return Image.open(io.BytesIO(made.stdout)).convert("RGB").resize((SIDE, SIDE), Image.Resampling.BOX)


def unlike(one: Image.Image, other: Image.Image) -> float:
    """The share of pixels that are clearly of another colour, edges that lie half a pixel aside not counted."""
    far = [
        ImageChops.difference(a, b).filter(ImageFilter.MinFilter(3)).point(lambda value: 255 if value > 24 else 0)
        for a, b in zip(one.split(), other.split(), strict=True)
    ]
    found = ImageChops.lighter(ImageChops.lighter(far[0], far[1]), far[2])
    return found.histogram()[255] / (found.width * found.height)


@needs_renderer
@pytest.mark.parametrize(
    ("feature", "dialect"),
    quick(product(features(), DIALECTS), *islice(zip(features(), cycle(DIALECTS), strict=False), 0, None, 5)),
)
def test_drawings_look_as_they_were_made(feature: str, dialect: str, tmp_path: Path) -> None:
    """Less than 1 % of a drawing is of another colour than librsvg draws it, whichever program has written it."""
    markup = DIALECTS[dialect](features()[feature])
    assert unlike(ours(read(markup)), theirs(markup, tmp_path)) < 0.01


HEAD = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 100 100">'


@pytest.mark.parametrize(
    ("elements", "said"),
    [
        ("<script>alert(1)</script><rect width='9' height='9'/>", ["a.svg:1:106: <script> is not run"]),
        (
            "<image href='https://example.org/a.png' width='9' height='9'/>",
            ["a.svg:1:106: pnp does not download the picture https://example.org/a.png; save it in the drawing or "
            "next to it"],
        ),
        ("<image href='art/b.png' width='9'/>", ["a.svg:1:106: a picture is ignored: there is no file 'art/b.png'"]),
        ("<use href='#a' id='a'/>", ["a.svg:1:106: <use> contains itself: it is left out there"]),
        (
            "<g id='a'><use href='#b'/></g><g id='b'><use href='#a'/></g>",
            ["a.svg:1:136: <g> contains itself: it is left out there"],
        ),
        ("<rect width='9' height='9' fill='url(#no)'/>", ["a.svg:1:106: there is no gradient '#no': it paints nothing"]),
        ("<path d='M0 0L9 9X'/>", ["a.svg:1:106: path data: at character 9 a command is expected, not 'X': it is drawn up to there"]),
        ("<rect width='9' height='9' fill='cornflour'/>", ["a.svg:1:106: fill: 'cornflour' is not understood"]),
        (
            "<filter id='f'><feWarp/></filter><rect width='9' height='9' filter='url(#f)'/>",
            ["a.svg:1:139: <feWarp> of a filter is not supported: the filter is ignored"],
        ),
        (
            "<filter id='f'><feImage href='#a'/></filter><rect width='9' height='9' filter='url(#f)'/>",
            ["a.svg:1:150: an element in <feImage> of a filter is not supported: the filter is ignored"],
        ),
        (
            "<pattern id='p' width='.01' height='.01' patternUnits='userSpaceOnUse'><rect width='1' height='1'/></pattern>"
            "<rect width='99' height='99' fill='url(#p)'/>",
            ["a.svg:1:106: the pattern repeats more than 6,000 times and is ignored"],
        ),
    ],
)  # fmt: skip
def test_what_is_not_drawn_is_told(elements: str, said: list[str]) -> None:
    assert list(read(f"{HEAD}{elements}</svg>").notes) == [
        line.replace("no file 'art/b.png'", "no file 'art/b.png'") for line in said
    ]


def test_at_most_ten_lines_are_told_of_a_file() -> None:
    notes = read(HEAD + "".join([f"<odd{at}/>" for at in range(14)]) + "</svg>").notes
    assert len(notes) == 10
    assert notes[-1].endswith("; and 4 more of this file")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("markup", "what"),
    [
        ("<svg", "the markup is not well-formed"),
        (f'<!DOCTYPE svg [<!ENTITY a "{"a" * 3000}">]>{HEAD}<text>{"&a;" * 3000}</text></svg>', "declares the entity 'a'"),
        ('<!DOCTYPE svg [<!ENTITY a "&#38;b;">]><svg xmlns="http://www.w3.org/2000/svg">&a;</svg>', "declares the entity 'a'"),
        ('<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]><svg>&a;</svg>', "declares the entity 'a'"),
        ('<!DOCTYPE svg [<!ENTITY a "aa"><!ENTITY b "&a;&a;<">]><svg>&b;</svg>', "declares the entity 'b'"),
        ("<html/>", "the outermost element is not <svg>"),
        (HEAD + "<g>" * 130 + "</g>" * 130 + "</svg>", "nested more than 120 deep"),
        (HEAD + "<g/>" * 50_001 + "</svg>", "more than 50,000 elements"),
        (
            HEAD + "<g id='a0'><path d='M0 0h1'/></g>"
            + "".join(["<g id='a%d'>%s</g>" % (at + 1, f"<use href='#a{at}'/>" * 10) for at in range(7)]) + "</svg>",  # noqa: UP031
            "the drawing is too large",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_refused(markup: str, what: str) -> None:
    with pytest.raises(ProblemsFound) as caught:
        read(markup)
    assert len(caught.value.problems) == 1
    assert what in caught.value.problems[0].what


def test_editors_own_words_are_passed_over_in_silence() -> None:
    for dress in DIALECTS.values():
        assert read(dress('<rect width="50" height="50" fill="#c00"/>')).notes == ()


PLAIN = f'{HEAD}<rect width="50" height="50" fill="white" stroke="#c00"/></svg>'
SAID_OTHERWISE = f'<?xml version="1.0" encoding="%s"?>{PLAIN.replace("<rect", "<title>Grüße</title><rect")}'
OLD_ILLUSTRATOR = f"""<?xml version="1.0" encoding="iso-8859-1"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 20001102//EN" "http://www.w3.org/TR/2000/CR-SVG-20001102/DTD/svg-20001102.dtd" [
    <!ENTITY ns_graphs "http://ns.adobe.com/Graphs/1.0/">
    <!ENTITY st0 "fill:white;stroke:#c00;font-family:'MyriadPro-Regular';">
    <!ENTITY Smile "<rect x='1' y='1' width='9' height='9'/>">
]>{HEAD}<rect width="50" height="50" style="&st0;"/></svg>"""


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbf" + PLAIN.encode(),
        (SAID_OTHERWISE % "UTF-16").encode("utf-16"),
        (SAID_OTHERWISE % "ISO-8859-1").encode("iso-8859-1"),
        (SAID_OTHERWISE % "windows-1252").encode("cp1252"),
        gzip.compress(PLAIN.encode()),
        OLD_ILLUSTRATOR.encode("iso-8859-1"),
        b"\n" + PLAIN.encode(),
    ],
    ids=["BOM", "UTF-16", "ISO-8859-1", "windows-1252", "svgz", "old Illustrator", "a line before"],
)
def test_files_are_read_however_they_are_saved(data: bytes) -> None:
    assert read(data) == read(PLAIN)


def test_a_file_that_is_not_the_utf_8_it_should_be_is_read() -> None:
    symbol = read(PLAIN.replace("<rect", "<title>Grüße</title><rect").encode("iso-8859-1"))
    assert symbol.items == read(PLAIN).items
    assert symbol.notes == ("a.svg:1:1: the file is not UTF-8; pnp reads it as ISO-8859-1",)


def test_a_drawing_with_nothing_in_it_is_empty() -> None:
    symbol = read('<svg xmlns="http://www.w3.org/2000/svg"><defs><path d="M0 0H9"/></defs></svg>')
    assert symbol.items == ()
    assert "the drawing is empty" in symbol.notes[0]


def test_what_is_packed_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BOUNDS, "markup", (1000, "simplify it"))
    for data, what in (
        (gzip.compress(PLAIN.encode() + b" " * 5000), "more than 1,000 bytes"),
        (gzip.compress(PLAIN.encode())[:-20], "is damaged"),
    ):
        with pytest.raises(ProblemsFound) as caught:
            read(data)
        assert what in caught.value.problems[0].what


def test_colours_do_not_depend_on_what_others_asked_pillow_for() -> None:
    Image.new("RGB", (1, 1), "cornsilk")
    assert parse_colour("cornsilk") == AlphaColour("#fff8dc")


@pytest.mark.parametrize(
    ("origin", "point"),
    [("top", "50 0"), ("left", "0 50"), ("right bottom", "100 100"), ("bottom right", "100 100"), ("25%", "25 50")],
)
def test_origins_by_words(origin: str, point: str) -> None:
    turned = "<rect width='30' height='20' {}/></svg>"
    named = HEAD + turned.format(f"style='transform-origin:{origin};transform:rotate(45deg)'")
    assert read(named).items == read(HEAD + turned.format(f"transform='rotate(45 {point})'")).items


@needs_renderer
def test_thin_lines_stay_thin(tmp_path: Path) -> None:
    """Fine hatching is as light as it was drawn, corners and ends included, though no viewer draws so thin a line."""
    lines = "".join([f"M5 {at / 2}H50L95 {at / 2 + 4}" for at in range(20, 180)])
    markup = f'{HEAD}<path d="{lines}" fill="none" stroke="#024" stroke-width="0.08"/></svg>'
    assert unlike(ours(read(markup)), theirs(markup, tmp_path)) < 0.01


@pytest.mark.parametrize("cap", ["butt", "square"])
@pytest.mark.parametrize("join", ["miter", "bevel"])
@pytest.mark.parametrize("path", ["M 0 0 L 80 0 L 80 60", "M 0 0 L 80 0 L 80 -60 Z", "M 0 0 L 90 0 L 0 30"])
def test_thin_lines_cover_what_they_are(path: str, join: str, cap: str) -> None:
    line = Shape(path, None, "#000000", 0.8, cap=cap, join=join)  # type: ignore[arg-type]  # of those there are
    thin = outline_thin_line(line, 1000 / 1200)
    assert (thin.stroke, thin.fill) == (None, "#000000")
    loops = flatten_path(thin.path)
    assert (
        is_point_inside(loops, 40, 0.39) and is_point_inside(loops, 40, -0.39) and not is_point_inside(loops, 40, 0.41)
    )
    closed = path.endswith("Z")
    assert is_point_inside(loops, -0.3, 0.01) is (join == "miter" if closed else cap == "square")
    if path.startswith("M 0 0 L 80 0"):
        down = 1 if path.endswith(" 60") else -1
        assert is_point_inside(loops, 80.38, 0.38 * -down) is (join == "miter")
        assert is_point_inside(loops, 80.15, 0.15 * -down)


@pytest.mark.parametrize(("width", "dash"), [(0.9, ()), (0.8, (1.0, 1.0))])
def test_lines_that_show_stay_lines(width: float, dash: tuple[float, ...]) -> None:
    line = Shape("M 0 0 L 80 0", None, "#000000", width, dash=dash)
    assert outline_thin_line(line, 1000 / 1200) is line


@pytest.mark.slow
@pytest.mark.parametrize(("steps", "box"), [
    ("<feMorphology operator='dilate' radius='3 5'/>", (37, 35, 63, 65)),
    ("<feMorphology radius='3 5'/>", (43, 45, 57, 55)),
    ("<feOffset dx='4'/>", (44, 40, 64, 60)),
    ("<feFlood flood-color='#f00' result='a'/><feDisplacementMap in='SourceGraphic' in2='a' scale='9' xChannelSelector='R'"
     " yChannelSelector='R'/>", (35.5, 35.5, 55.5, 55.5)),
    ("<feFlood x='2' y='3' width='7' height='10%'/>", (2, 3, 9, 13)),
])  # fmt: skip
@pytest.mark.parametrize("turn", ["", "rotate(90 50 50)", "matrix(-1 0 0 1 100 0)", "matrix(1 0 0 .5 0 25)"])
def test_a_filter_reaches_as_far_as_it_says(steps: str, box: tuple[float, ...], turn: str) -> None:
    """Steps count in the units of their element, which may be turned, mirrored and stretched."""
    filters = f"<filter id='f' x='-9' y='-9' width='20' height='20' color-interpolation-filters='sRGB'>{steps}</filter>"
    body = f"<g transform='{turn}'><rect x='40' y='40' width='20' height='20' filter='url(#f)'/></g>"
    found = measure_items(read(f"{HEAD}{filters}{body}</svg>").items)
    right, bottom = box[2] - box[0], box[3] - box[1]
    plain = read(
        f"{HEAD}<g transform='{turn}'><rect x='{box[0]}' y='{box[1]}' width='{right}' height='{bottom}'/></g></svg>"
    )
    wanted = measure_items(plain.items)
    assert found is not None and wanted is not None
    assert wanted.contains(found, slack=2.5) and found.contains(wanted, slack=2.5)


BLURS = (
    "<filter id='f'><feGaussianBlur stdDeviation='1'/></filter>" + "<rect width='50' height='50' filter='url(#f)'/>" * 3
)


@pytest.mark.slow
def test_the_work_of_filters_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("generator.drawing.svg.filters._MOST_PIXELS", 25_000_000)
    symbol = read(f"{HEAD}{BLURS}</svg>")
    assert [type(item) for item in symbol.items] == [Picture, Shape, Shape]
    assert any("are too complex" in note for note in symbol.notes)


def test_where_the_renderer_is_missing_filters_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("generator.drawing.svg.filters.resvg_py", None)
    symbol = read(f"{HEAD}{BLURS}</svg>")
    assert [type(item) for item in symbol.items] == [Shape] * 3
    assert symbol.notes == (f"a.svg: {NOT_INSTALLED}",)


@pytest.mark.slow
def test_what_is_small_in_a_drawing_gets_as_few_pixels() -> None:
    kept: list[int] = []

    class Counting(Alone):
        def render_items(self, items: tuple[Item, ...], box: Rect, scale: float) -> Image.Image:
            kept.append(round(max(box.width, box.height) * scale))
            return super().render_items(items, box, scale)

    blur = "<filter id='f' x='0' y='0' width='1' height='1'><feGaussianBlur stdDeviation='1'/></filter>"
    read(
        f"{HEAD}{blur}<rect width='100' height='50' filter='url(#f)'/><rect width='1' height='1' filter='url(#f)'/></svg>",
        Counting(),
    )
    assert kept == [1500, 60]


@pytest.mark.parametrize(
    "elements",
    [f"<path d='M0 0{'L1 1 2 2' * 600_000}'/>", f"<polyline points='{'1 2 ' * 1_100_000}'/>"],
    ids=["path", "points"],
)  # fmt: skip
def test_what_is_too_large_is_refused_before_the_work(elements: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("generator.drawing.svg.outline_painter.transform_path_data")
    with pytest.raises(ProblemsFound) as caught:
        read(f"{HEAD}{elements}</svg>")
    assert "the drawing is too large" in caught.value.problems[0].what


@pytest.mark.parametrize(
    "line",
    ["<path d='M5 20H95M5 30H95'/>", "<path d='M5 30L95 60' stroke='#00c'/>", "<polyline points='1 7 9 7 1 7'/>"],
)
def test_what_has_no_area_is_not_filled(line: str) -> None:
    symbol = read(f"{HEAD}{line}</svg>")
    assert all(isinstance(item, Shape) and item.fill is None for item in symbol.items)


@pytest.mark.parametrize("dashes", ["0.00001 0.00001", "1 2 " * 101], ids=["fine", "many"])
def test_dashes_are_bounded(dashes: str) -> None:
    symbol = read(f"{HEAD}<path d='M0 0L99 99' stroke='#000' stroke-dasharray='{dashes}'/></svg>")
    assert [item.dash for item in symbol.items if isinstance(item, Shape)] == [()]
    assert symbol.notes == ("a.svg:1:106: stroke-dasharray: too many dashes, or too fine: a solid line is drawn",)


def test_chains_of_gradients_are_bounded() -> None:
    links = "".join([f"<linearGradient id='g{at}' href='#g{at + 1}'/>" for at in range(60)])
    symbol = read(f"{HEAD}{links}<rect width='9' height='9' fill='url(#g0)'/></svg>")
    assert symbol.notes == (
        "a.svg:1:106: <linearGradient> starts a chain of more than 50 references: pnp ignores the rest",
    )


def test_places_of_nested_tspans_count_from_the_inside(monkeypatch: pytest.MonkeyPatch) -> None:
    """A character stands and moves as the innermost element says, by 0 too; the outer one's lists go on behind it."""
    gathered: list[list[Char]] = []
    gather = TextCharacters.collect_characters
    monkeypatch.setattr(
        TextCharacters, "collect_characters", lambda *asked: gathered.append(gather(*asked)) or gathered[-1]
    )
    read(f"{HEAD}<text x='1 2'><tspan x='10 20 30' dy='4 5 6'>a<tspan x='50' dy='0'>b</tspan>c</tspan>d</text></svg>")
    assert [(one.char, one.x, one.dy) for one in gathered[0]] == [
        ("a", 10, 4), ("b", 50, 0), ("c", 30, 6), ("d", None, None),
    ]  # fmt: skip


def test_radii_that_cannot_be_read_count_as_none() -> None:
    square = read(HEAD + "<rect width='9' height='9'/></svg>").items
    assert read(HEAD + "<rect width='9' height='9' rx='a' ry='b'/></svg>").items == square
    assert read(HEAD + "<rect width='9' height='9' rx='-1' ry='auto'/></svg>").items == square
