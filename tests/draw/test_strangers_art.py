"""Drawings as Inkscape, Illustrator, Figma, Affinity and people write them, held against librsvg as pictures."""

import gzip
import io
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageFilter

from generator.errors import Place, ProblemsFound, Unfit
from generator.model.colour import rgb_of
from generator.model.drawing import Drawing, Item, Paint, Placed, Symbol
from generator.model.ink import Rgb
from generator.svg.foreign.desk import Desk, Pictured
from generator.svg.foreign.drawing import read_drawing
from generator.svg.foreign.guest import keep
from generator.svg.foreign.measures import Tint, colour
from generator.svg.foreign.notes import Notes
from generator.svg.foreign.style import Styles
from generator.text.fonts import FontBook
from generator.units import Rect
from generator.writers.png import drawing_png, items_png

sys.path.insert(0, str(Path(__file__).parent / "strangers"))
from dialects import DIALECTS, features

SIDE = 200
FINE = 3
if not shutil.which("rsvg-convert") and os.environ.get("CI"):
    pytest.fail("rsvg-convert is not installed; .ci/run should have installed it")
needs_renderer = pytest.mark.skipif(not shutil.which("rsvg-convert"), reason="rsvg-convert (librsvg2-bin) is missing")


def rgb(paint: Paint) -> Rgb:
    """A paint on a screen: ink is black."""
    return rgb_of(paint if paint.startswith("#") else "#000000")


class Alone:
    """A project with nothing in it: no fonts, no colours of its own, no files."""

    families: tuple[str, ...] = ()
    palette = frozenset({"ink"})

    def __init__(self) -> None:
        self.fonts = FontBook({}, lambda _: None)

    def light(self, paint: Paint) -> Rgb:
        """A colour on a screen."""
        return rgb(paint)

    def picture(self, name: str) -> Pictured:
        """There is none."""
        raise Unfit(f"there is no file '{name}'")

    def drawing(self, name: str) -> bytes:
        """There is none."""
        raise Unfit(f"there is no file '{name}'")

    def kept(self, data: bytes) -> Pictured:
        """As in any project."""
        return keep(data)

    def rendered(self, items: tuple[Item, ...], box: Rect, scale: float) -> Image.Image:
        """As in any project."""
        return items_png(items, box, scale, self.fonts, rgb, Path)


def read(markup: str | bytes) -> Symbol:
    """The symbol of a drawing."""

    def locate(stamp: str) -> Place:
        return Place("a.svg", *map(int, stamp.split(":"))) if stamp else Place("a.svg")

    notes = Notes("a.svg")
    desk = Desk(Styles(frozenset({"ink"}), notes), notes, Alone(), locate, "art", "en")
    return read_drawing(markup if isinstance(markup, bytes) else markup.encode(), "art/a.svg", desk)


def ours(symbol: Symbol) -> Image.Image:
    """A symbol as a picture."""
    size = 50.0
    by = size / symbol.box[2]
    drawing = Drawing(size, size * symbol.box[3] / symbol.box[2], 0, (Placed(symbol, (by, 0, 0, by, 0, 0), clip=True),))
    shown = drawing_png(drawing, SIDE * FINE / size * 25.4, FontBook({}, lambda _: None), rgb, Path)
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
@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("feature", features())
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
            ["a.svg:1:106: the picture https://example.org/a.png is not fetched: save it into the drawing or beside it"],
        ),
        ("<image href='art/b.png' width='9'/>", ["a.svg:1:106: a picture is left out: there is no file 'art/b.png'"]),
        ("<use href='#a' id='a'/>", ["a.svg:1:106: <use> contains itself: it is left out there"]),
        (
            "<g id='a'><use href='#b'/></g><g id='b'><use href='#a'/></g>",
            ["a.svg:1:136: <g> contains itself: it is left out there"],
        ),
        ("<rect width='9' height='9' fill='url(#no)'/>", ["a.svg:1:106: there is no gradient '#no': nothing is painted with it"]),
        ("<path d='M0 0L9 9X'/>", ["a.svg:1:106: path data: at character 9 a command is expected, not 'X': it is drawn as far as that"]),
        ("<rect width='9' height='9' fill='cornflour'/>", ["a.svg:1:106: fill: 'cornflour' is not understood"]),
        (
            "<filter id='f'><feTurbulence/></filter><rect width='9' height='9' filter='url(#f)'/>",
            ["a.svg:1:145: <feTurbulence> of a filter is not known here: the filter is left out"],
        ),
        (
            "<pattern id='p' width='.01' height='.01' patternUnits='userSpaceOnUse'><rect width='1' height='1'/></pattern>"
            "<rect width='99' height='99' fill='url(#p)'/>",
            ["a.svg:1:106: the pattern repeats more than 6,000 times: it is left out"],
        ),
    ],
)  # fmt: skip
def test_what_is_not_drawn_is_told(elements: str, said: list[str]) -> None:
    """Each thing that is drawn otherwise, or not at all, is told with its line."""
    assert list(read(f"{HEAD}{elements}</svg>").notes) == [
        line.replace("no file 'art/b.png'", "no file 'art/b.png'") for line in said
    ]


def test_at_most_ten_lines_are_told_of_a_file() -> None:
    """Of many things the first ten are told, and how many there are beside them."""
    notes = read(HEAD + "".join([f"<odd{at}/>" for at in range(14)]) + "</svg>").notes
    assert len(notes) == 10
    assert notes[-1].endswith("; and 4 more of this file")


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
    """Damaged, hostile and boundless drawings are a problem, soon and in one line."""
    with pytest.raises(ProblemsFound) as caught:
        read(markup)
    assert len(caught.value.problems) == 1
    assert what in caught.value.problems[0].what


def test_editors_own_words_are_passed_over_in_silence() -> None:
    """Nothing is told of namespaces, metadata and values that change nothing."""
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
    """Whatever its encoding, packing and declarations, a drawing is the same, and nothing is told of it."""
    assert read(data) == read(PLAIN)


def test_a_file_that_is_not_the_utf_8_it_should_be_is_read() -> None:
    """Letters of a file that doesn't say its encoding are taken as most programs meant them; told."""
    symbol = read(PLAIN.replace("<rect", "<title>Grüße</title><rect").encode("iso-8859-1"))
    assert symbol.items == read(PLAIN).items
    assert symbol.notes == ("a.svg:1:1: the file is not UTF-8, as it should be: its letters are read as ISO-8859-1",)


def test_a_drawing_with_nothing_in_it_is_empty() -> None:
    """It can be read: it shows nothing, which is told."""
    symbol = read('<svg xmlns="http://www.w3.org/2000/svg"><defs><path d="M0 0H9"/></defs></svg>')
    assert symbol.items == ()
    assert "the drawing is empty" in symbol.notes[0]


def test_what_is_packed_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """A packed drawing is not unpacked beyond what a drawing may have."""
    monkeypatch.setattr("generator.svg.foreign.nodes._MOST_BYTES", 1000)
    for data, what in (
        (gzip.compress(PLAIN.encode() + b" " * 5000), "more than 1,000 bytes"),
        (gzip.compress(PLAIN.encode())[:-20], "is damaged"),
    ):
        with pytest.raises(ProblemsFound) as caught:
            read(data)
        assert what in caught.value.problems[0].what


def test_colours_do_not_depend_on_what_others_asked_pillow_for() -> None:
    """Pillow changes its table of names when a name is asked for: ours are the same before and after."""
    Image.new("RGB", (1, 1), "cornsilk")
    assert colour("cornsilk") == Tint("#fff8dc")


@pytest.mark.parametrize(
    ("origin", "point"),
    [("top", "50 0"), ("left", "0 50"), ("right bottom", "100 100"), ("bottom right", "100 100"), ("25%", "25 50")],
)
def test_origins_by_words(origin: str, point: str) -> None:
    """A transform turns about the point that words name; what one word leaves open is the middle."""
    turned = "<rect width='30' height='20' {}/></svg>"
    named = HEAD + turned.format(f"style='transform-origin:{origin};transform:rotate(45deg)'")
    assert read(named).items == read(HEAD + turned.format(f"transform='rotate(45 {point})'")).items
