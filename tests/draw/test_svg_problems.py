"""What a template may not do, each with the exact sentence that its author reads."""

import io
from dataclasses import replace
from pathlib import Path

import pytest
from face_games import Table, complaints, design, drawn, svg, tale
from PIL import Image

from generator.base.display_list import PlacedSymbol
from generator.base.geometry import Size
from generator.base.outlines import PAINTS_NOTHING
from generator.game.piece_outlines import outline_from_shape
from generator.game.rich_text import Words

CARD = "templates/tale/card.svg:2:1: "


def picture(width: int, height: int, mode: str = "1", kind: str = "PNG") -> bytes:
    out = io.BytesIO()
    Image.new(mode, (width, height)).save(out, kind)
    return out.getvalue()


FILES = {
    "tale/fake.png": b"hello",
    "tale/big.png": picture(9000, 9000),
    "tale/cut.png": picture(300, 300)[:60],
    "tale/float.png": picture(3, 3, "F", "TIFF"),
    "tale/ok.png": picture(3, 3),
    "tale/art/leaf.svg": svg("<rectt/>", ' viewBox="0 0 1 1"'),
    "tale/art/loop.svg": svg('<use href="art/loop.svg"/>', ' viewBox="0 0 1 1"'),
    "tale/art/bare.svg": svg(""),
    "tale/art/blank.svg": " \n",
    "tale/art/torn.svg": "<svg>\n<g></svg>",
    "tale/art/bytes.svg": b"\xef\xbb\xbf<svg>\r\n\xe7\x8c\xabb\xff",
}

OUTSIDE = "is outside the templates; put the file into the game's templates folder"
WHERE = "in templates/tale or templates/common"
DRAW_MOON = "draw it as templates/tale/icons/moon.svg"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("<rectt/>", "<rectt> is not supported; did you mean 'rect'?"),
        ("<rect fil='ink'/>", "unknown attribute 'fil' on <rect>; did you mean 'fill'?"),
        ("<rect opacity='half'/>", "opacity: 'half' is not a number"),
        ("<rect width='1' height='1' style='opacity: half'/>", "opacity: 'half' is not a number"),
        ("<symbol id='a' viewBox='0 0 1 1' opacity='.5'/>", "unknown attribute 'opacity' on <symbol>"),
        ("<rect fill-opacity='1mm'/>", "fill-opacity: '1mm' is not a number"),
        ("<rect mix-blend-mode='multiplied'/>", "mix-blend-mode: 'multiplied' is not available; did you mean 'multiply'?"),
        ("<rect mix-blend-mode='luminosity'/>", "mix-blend-mode: 'luminosity' is not available; known: multiply, normal, screen"),
        ("<rect width='1' height='1' mask='url(#a)'/>", "there is no mask '#a'; there are none to choose from"),
        ("<rect width='1' height='1' mask='a'/>", "'a' is not a reference; write url(#id)"),
        ("<rect width='1' height='1' filter='url(#a)'/>", "there is no filter '#a'; there are none to choose from"),
        ("<rect width='1' height='1' filter='misty'/>", "filter: 'misty' is not a filter; write url(#id), blur(1mm) or drop-shadow(...)"),
        ("<rect width='1' height='1' filter='swirl(2)'/>", "filter: 'swirl' is not known here; write url(#id), blur(1mm) or drop-shadow(...)"),
        ("<rect width='1' height='1' filter='blur(2pi)'/>", "filter: 'blur(2pi)' is not known here"),
        ("<filter id='a'>^<feWarp/></filter>", "<feWarp> is not supported"),
        ("<filter id='a'>^<rect/></filter>", "<rect> cannot stand in <filter>"),
        ("<rect width='1' height='1' shadow='1mm 1mm'/>", "shadow: '1mm 1mm' is not x, y, blur and colour; " 'write x, y, blur and colour: shadow="1mm 1mm 2mm ink 50%"'),
        ("<rect width='1' height='1' shadow='1 1 -1 ink'/>", "shadow: the blur '-1' is negative"),
        ("<rect width='1' height='1' shadow='1 1 1 bronz'/>", "shadow: unknown colour 'bronz'; did you mean 'bronze'?"),
        ("<rect width='1' height='1' shadow='0 0 1 ink' filter='blur(1)'/>", "an element has either a filter or a shadow; put a <g> around it for the other"),
        ("<text font-size='9pt'>^<textPath href='#a'>word</textPath></text>", "there is no path '#a'"),
        ("<textPath href='#a'>word</textPath>", "<textPath> is not allowed here"),
        ("<feFlood/>", "<feFlood> is not allowed here; put it into <text>, <filter> or <defs>"),
        ("<rect paint-order='line'/>", "paint-order: 'line' is not a valid paint-order"),
        (
            "<pattern id='a' width='9' height='9' patternUnits='userSpaceOnUse'><rect width='5' height='5' fill='url(#a)'/></pattern><rect width='5' height='5' fill='url(#a)'/>",
            "'#a' contains itself",
        ),
        (
            "<pattern id='a' width='0.1' height='0.1' patternUnits='userSpaceOnUse'><rect width='1' height='1'/></pattern><rect width='60' height='90' fill='url(#a)'/>",
            "the pattern repeats more than 6,000 times and is ignored",
        ),
        ("<rect style='ink'/>", "style: 'ink' is not a property; write name: value"),
        ("<rect width='5pi'/>", "width: '5pi' has the unknown unit 'pi'"),
        ("<rect width='-5' height='1'/>", "width is negative"),
        ("<rect fill='bronz'/>", "unknown colour 'bronz'; did you mean 'bronze'?"),
        ("<rect fill='rgb(0,0)'/>", "unknown colour 'rgb(0,0)'"),
        ("<rect stroke-linecap='roun'/>", "stroke-linecap: 'roun' is not a valid value; did you mean 'round'?"),
        ("<rect stroke-width='-1'/>", "stroke-width: '-1' is negative"),
        ("<rect stroke-dasharray='1 -1'/>", "stroke-dasharray: '1 -1' has a negative dash"),
        ("<rect data-role='groud'/>", "unknown data-role 'groud'; did you mean 'ground'?"),
        ("<g font-weight='1000'/>", "font-weight: '1000' is not a weight; use normal, bold, or a number from 100 to 900"),
        ("<path d='M 0 0 L 5'/>", "path data: at character 10 a number is expected, but the data ends"),
        ("<polygon points='1 2 3'/>", "points has an odd number of values: 3"),
        ("<g transform='rotat(5)'/>", "transform: there is no transform 'rotat'; did you mean 'rotate'?"),
        ("<use href='#a'/><g id='b'/>", "there is no element '#a'; did you mean '#b'?"),
        ("<clipPath id='a'/>^<use href='#a'/>", "<clipPath> '#a' cannot be placed; refer to a symbol, group or shape"),
        ("<g id='a'>^<use href='#a'/></g>", "'#a' contains itself"),
        ("<g id='a'/>^<g id='a'/>", "the id 'a' is given twice"),
        ("<symbol id='a'/><use href='#a'/>", "the symbol '#a' has no viewBox; give it one: viewBox=\"0 0 width height\""),
        ("<symbol id='a' viewBox='0 0 1'/><use href='#a'/>", "viewBox: '0 0 1' is not 'x y width height' with both sides"),
        ("<use/>", '<use> refers to nothing; write href="#id", "icon:name" or "art/file.svg"'),
        ("<use href='icon:stra'/>", "unknown icon 'stra'; did you mean 'star'?"),
        ("<use href='icon:moon'/>", f"there is no file 'icons/moon.svg' {WHERE}; {DRAW_MOON}"),
        ("<use href='art/leav.svg'/>", f"there is no file 'art/leav.svg' {WHERE}; did you mean 'art/leaf.svg'?"),
        ("<use href='../x.svg'/>", f"'../x.svg' {OUTSIDE}"),
        ("<use href='https://a.example/x.svg'/>", f"'https://a.example/x.svg' {OUTSIDE}"),
        ("<use href='ok.png'/>", "'ok.png' is not an SVG file; show pictures by <image>"),
        ("<use href='icon:star' width='0'/>", "a <use> needs a width and a height above 0"),
        ("<image href='/etc/a.png' width='5'/>", f"'/etc/a.png' {OUTSIDE}"),
        ("<image href='data:image/png;base64,A' width='5'/>", "the picture in a data address is damaged: its base64"),
        ("<image href='data:image/png,A' width='5'/>", "a picture in a data address is not base64; write data:image/png;"),
        ("<image href='data:image/svg+xml;base64,AA' width='5'/>", "the data address contains a drawing, not a picture; save"),
        ("<image href='ok.png' fit='fill' width='5'/>", "fit: 'fill' is not a valid value; known: contain, cover, stretch"),
        ("<image href='ok.png' fit='cover' preserveAspectRatio='none' width='5'/>", "fit and preserveAspectRatio both say"),
        ("<image href='ok.png' focus='top' width='5'/>", "focus has no effect: the whole picture is in view; write fit="),
        ("<image href='ok.png' fit='cover' focus='up' width='5'/>", "focus: 'up' is not a position in a picture; write two percentages"),
        ("<image href='a.bmp' width='5'/>", "'a.bmp' is not a PNG, JPEG, WebP, GIF, TIFF or AVIF file; save it as one of these"),
        ("<image href='a' width='5'/>", "'a' is not a PNG, JPEG, WebP, GIF, TIFF or AVIF file; write its ending"),
        ("<image href='a.svg' width='5'/>", "there is no file 'a.svg'"),
        ("<image href='ko.png' width='5'/>", f"there is no file 'ko.png' {WHERE}; did you mean 'ok.png'?"),
        ("<image href='fake.png' width='5'/>", "'fake.png' is not a PNG, JPEG, WebP, GIF, TIFF or AVIF picture, although its name says so; save it as one"),
        ("<image href='float.png' width='5'/>", "the picture 'float.png' has pixels that are not printed (F); save it as"),
        ("<image href='cut.png' width='5'/>", "the picture 'cut.png' is damaged: "),
        ("<image href='big.png' width='5'/>", "the picture 'big.png' has 9000 x 9000 pixels, more than 60 million; 600 dpi at its printed size is enough"),
        ("<image href='ok.png'/>", "an <image> needs a width or a height above 0"),
        ("<rect fill='url(#a)'/>", "there is no gradient or pattern '#a'; there are none to choose from"),
        ("<rect fill='url(a)'/>", "there is no gradient or pattern '#a'"),
        ("<rect stroke='url(#a)'/>", "there is no gradient or pattern '#a'; there are none to choose from"),
        ("<linearGradient id='a' href='#a'/><rect fill='url(#a)'/>", "the gradient '#a' refers to itself"),
        ("<linearGradient id='a' href='#b'/><rect fill='url(#a)'/>", "there is no gradient '#b'; did you mean '#a'?"),
        ("<linearGradient id='a' gradientUnits='user'/><rect fill='url(#a)'/>", "gradientUnits: 'user' is not a valid value; did you mean 'userSpaceOnUse'?"),
        ("<linearGradient id='a'>^<stop stop-color='none'/></linearGradient><rect width='1' height='1' fill='url(#a)'/>", "unknown colour 'none'"),
        ("<linearGradient id='a'>^<stop style='stop-opacity: x'/></linearGradient><rect width='1' height='1' fill='url(#a)'/>", "stop-opacity: 'x' is not a number"),
        ("<linearGradient id='a'>^<rect/></linearGradient>", "<rect> cannot stand in <linearGradient>"),
        ("<defs>^<blob/></defs>", "<blob> is not supported"),
        ("<symbol id='a' viewBox='0 0 1 1'>^<rect fil='b'/></symbol>", "unknown attribute 'fil' on <rect>"),
        ("<rect clip-path='url(#a)'/>", "there is no clipPath '#a'; there are none to choose from"),
        ("<clipPath id='a'>^<g/><rect width='1' height='1'/></clipPath><rect clip-path='url(#a)'/>", "<g> cannot stand in"),
        ("<clipPath id='a'/><rect width='1' height='1' clip-path='url(#a)'/>", "the clipPath has no area, so nothing would show"),
        (("<clipPath id='a' clipPathUnits='objectBoundinBox'><rect width='1' height='1'/></clipPath><rect clip-path='url(#a)'/>"), "clipPathUnits: 'objectBoundinBox' is not a valid value; did you mean 'objectBoundingBox'?"),
        ('<svg width="4"/>', "an <svg> within needs a width and a height above 0"),
        ("<rect>^<g/></rect>", "<g> cannot stand in <rect>"),
        ("<svg width='1' height='1' preserveAspectRatio='middle'/>", "preserveAspectRatio: 'middle' is not supported"),
        ("<g/>\nloose", "text 'loose' is directly inside <svg>; put it in a <text> or <textbox>"),
        ("<text font-family='bdy'>x</text>", "unknown font family 'bdy'; did you mean 'body'?"),
        ("<g fill='url(#a)'>^<text>x</text></g>", "text cannot be filled with a gradient; use a colour"),
        ("<text font-size='0'>x</text>", "font-size: font size '0' is not above 0"),
        ("<text font-size='3pt'>x</text>", "font-size is 3 pt, below the 4 pt that readers need for a label; enlarge"),
        (
            "<g transform='scale(.5)'>^<textbox width='9' height='9' font-size='8pt'>x</textbox></g>",
            "font-size is 4 pt, below the 6.5 pt that readers need for a rule; enlarge it, or give it",
        ),
        ("<textbox width='9' height='9' min-size='4pt'>x</textbox>", "min-size is 4 pt, below the 6.5 pt"),
        ("<textbox width='9' height='9' min-size='9pt' font-size='8pt'>x</textbox>", "min-size is 9 pt, but the font-size is only 8 pt"),
        ("<textbox width='9'>x</textbox>", "the textbox needs a height above 0"),
        ("<textbox width='9' height='9' text-align='midle'>x</textbox>", "text-align: 'midle' is not a valid value; did you me"),
        ("<textbox width='9' height='9' line-height='9'>x</textbox>", "line-height: 9 is not between 0.8 and 4 times the font"),
        ("<text text-role='tilte'>x</text>", "unknown text-role 'tilte'; did you mean 'title'?"),
        ("<text y='9'>a^<tspan fill='bronze'>b</tspan></text>", "a <tspan> within a line has a style of its own; write **bold**"),
        ("^<tspan>b</tspan>", "<tspan> is not allowed here; put it into <text>"),
        ("<textbox width='9' height='9' style='line-height: 2'>x</textbox>", "unknown property 'line-height' in style"),
        ("<text>a {b</text>", "the text of deck (en) has wrong markup near '{b': "),
        ("<text>{bronz:x}</text>", "the text of deck (en) names the unknown colour 'bronz'; did you mean 'bronze'?"),
        ("<text>{stra}</text>", "the text of deck (en) shows the unknown icon 'stra'; did you mean 'star'?"),
        ("<text>{@deck/on}</text>", "the text of deck (en) names the unknown component 'deck/on'; did you mean 'deck/one'?"),
        ("<text>☃</text>", "U+2603 '☃' has no glyph in family 'body' (text of deck (en)); add a font that has it to the family: Noto Emoji"),
    ],
)  # fmt: skip
def test_each_fault_has_its_sentence(tmp_path: Path, body: str, message: str) -> None:
    """Each thing outside of the subset is told with the template's line and column, marked `^` here, and only once."""
    column = body.index("^") + 1 if "^" in body else 1
    (told,) = complaints(tmp_path, body.replace("^", ""), FILES)
    assert told.startswith(f"templates/tale/card.svg:2:{column}: {message}")


@pytest.mark.parametrize(
    ("href", "message"),
    [
        ("art/torn.svg", "templates/tale/art/torn.svg:2:6: the markup is not well-formed: <g> of line 2 is still open; write </g> before this"),
        ("art/bytes.svg", "templates/tale/art/bytes.svg:2:3: the markup is not well-formed: this character is not allowed here; check the quotes; write &lt; for a < in a text"),
        ("art/blank.svg", "templates/tale/art/blank.svg: the file is empty; draw an <svg> in it"),
    ],
)  # fmt: skip
def test_faults_of_art_files_are_theirs(tmp_path: Path, href: str, message: str) -> None:
    assert complaints(tmp_path, f"<use href='{href}'/><use href='{href}' x='1'/>", FILES) == [message]


def test_icons_stand_in_a_square(tmp_path: Path) -> None:
    wide = {"tale/icons/star.svg": svg("<rect width='2' height='1'/>", ' viewBox="0 0 2 1"')}
    table = Table(tmp_path, tale(design()), {"tale/card.svg": svg("<use href='icon:star'/>"), **wide})
    drawing = table.draw()
    assert drawing is not None
    (placed,) = drawing.items
    assert isinstance(placed, PlacedSymbol)
    assert placed.symbol.box == (0.0, 0.0, 1000.0, 1000.0)


def test_notes_of_art_files_are_theirs(tmp_path: Path) -> None:
    noted = drawn(tmp_path, "<use href='art/loop.svg'/>", files=FILES)
    loop = "templates/tale/art/loop.svg"
    assert noted.notes == (
        f"{loop}:2:1: 'art/loop.svg' is left out: 'art/loop.svg' contains itself",
        f"{loop}: {PAINTS_NOTHING}",
    )


def test_an_icon_without_art_in_a_text(tmp_path: Path) -> None:
    assert complaints(tmp_path, "<text>{moon}</text>") == [
        (f"data/tale/look.yaml:4: there is no file 'icons/moon.svg' in templates/tale or templates/common; {DRAW_MOON}")
    ]


def test_an_icon_drawn_where_it_was_missed_is_found(tmp_path: Path) -> None:
    (told,) = complaints(tmp_path, "<text>{moon}</text>")
    name = told.partition("draw it as templates/")[2].partition(";")[0]
    box = ' viewBox="0 0 1 1"'
    assert drawn(tmp_path / "mended", "<text>{moon}</text>", files={name: svg("<rect width='1' height='1'/>", box)})


def test_all_problems_of_a_face_in_one_pass(tmp_path: Path) -> None:
    body = "<rectt/>\n<g/><rect fil='a' width='x'/>\n<g>\n  <text fill='bronz'>{stra}</text></g>"
    assert complaints(tmp_path, body) == [
        "templates/tale/card.svg:2:1: <rectt> is not supported; did you mean 'rect'?",
        "templates/tale/card.svg:3:5: unknown attribute 'fil' on <rect>; did you mean 'fill'?",
        "templates/tale/card.svg:3:5: width: 'x' is not a length",
        "templates/tale/card.svg:5:3: unknown colour 'bronz'; did you mean 'bronze'?",
        "templates/tale/card.svg:5:3: the text of deck (en) shows the unknown icon 'stra'; did you mean 'star'?",
    ]


def test_text_that_does_not_fit(tmp_path: Path) -> None:
    """A text too long for its box is told where the data say it, with card, language, excess and the textbox."""
    body = '<rect/>\n<textbox width="30" height="6" font-size="8pt">{{ card.text }}</textbox>'
    (told,) = complaints(tmp_path, body, text=Words({"en": "many words " * 9, "ja": "x"}))
    start, _, rest = told.partition(" mm too tall")
    assert start.startswith("data/tale/deck.yaml:7:3: text of deck/one (en) does not fit its box: ")
    assert 2 < float(start.rpartition(" ")[2]) < 30
    assert rest == " at 6.5 pt; shorten it or enlarge the textbox at templates/tale/card.svg:3:1"


def test_the_outermost_element_is_svg(tmp_path: Path) -> None:
    table = Table(tmp_path, tale(design()), {"tale/card.svg": "<g/>"})
    assert table.draw() is None
    table2 = Table(tmp_path / "b", tale(design()), {"tale/card.svg": '<svg transform="scale(2)"/>'})
    assert table2.draw() is None
    assert [*table.complaints, *table2.complaints] == [
        "templates/tale/card.svg:1:1: the outermost element is <g>; it must be <svg>",
        "templates/tale/card.svg:1:1: transform does nothing on the outermost <svg>; put a <g> with it inside",
    ]


def test_use_cannot_multiply_without_end(tmp_path: Path) -> None:
    """Elements that place each other twice, twenty levels deep, are refused rather than drawn a million times."""
    levels = "".join(f"<g id='l{i}'><use href='#l{i + 1}'/><use href='#l{i + 1}' x='1'/></g>" for i in range(20))
    body = f"<defs>{levels}<rect id='l20' width='1' height='1'/></defs><use href='#l0'/>"
    assert complaints(tmp_path, body) == [
        "templates/tale/card.svg:1:1: the drawing is too large: more than 50,000 elements and segments of outlines;"
        " simplify it, or show less"
    ]


def test_an_outline_cannot_be_endless(tmp_path: Path) -> None:
    told = complaints(tmp_path, f"<path d='M 0 0 {'C 1 2 3 4 5 6' * 25_001}'/>")
    assert told[0] == "templates/tale/card.svg:2:1: an outline of 25,001 segments; 25,000 are the most; simplify it"


def test_outlines_together_cannot_be_endless(tmp_path: Path) -> None:
    """Long outlines weigh; short ones, as traced drawings have by the thousand, weigh what their elements do."""
    long = f"<path d='M 0 0 {'C 1 2 3 4 5 6' * 9_000}'/>"
    assert drawn(tmp_path / "two", 2 * long)
    assert "more than 50,000 elements and segments of outlines" in complaints(tmp_path / "three", 3 * long)[0]
    short = f"<path d='M 0 0 {'C 1 2 3 4 5 6' * 12}'/>"
    assert drawn(tmp_path / "short", 9_000 * short)


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("<text x='50' y='20' font-size='20pt'>WWWWW</text>", "17.6 mm beyond its right edge"),
        ("<text x='-1' y='20'>HH</text>", "0.7 mm beyond its left edge"),
        ("<text x='9' y='1'>H</text>", "0.9 mm beyond its top edge"),
        ("<text x='9' y='89.5'>p</text>", "0.1 mm beyond its bottom edge"),
        ("<text x='9' y='200'>H</text>", "110.0 mm beyond its bottom edge"),
        ("<textbox x='9' y='80' width='30' height='20' valign='bottom'>H</textbox>", "9.4 mm beyond its bottom edge"),
        ("<g transform='rotate(90)'>^<text x='9' y='1'>H</text></g>", "1.0 mm beyond its left edge"),
        ("<text x='60' y='40' writing-mode='vertical-rl'>H</text>", "0.9 mm beyond its right edge"),
    ],
)
def test_text_that_leaves_the_card_is_told(tmp_path: Path, body: str, told: str) -> None:
    (problem,) = complaints(tmp_path, body.replace("^", ""))
    column = body.index("^") + 1 if "^" in body else 1
    tag = "textbox" if "<textbox" in body else "text"
    where = f"templates/tale/card.svg:2:{column}"
    assert problem == f"{where}: text of deck (en) leaves the card: {told}; shorten it, or correct the {tag} at {where}"


def token(tmp_path: Path, shape: str, body: str) -> Table:
    """A table with the front of one token of that shape, 60 x 90 mm."""
    game = tale(design())
    kind = replace(game.kinds["deck"], form="token", outline=outline_from_shape(shape, Size(60, 90)))
    return Table(tmp_path, replace(game, kinds={"deck": kind}), {"tale/card.svg": svg(body)})


@pytest.mark.parametrize(
    ("shape", "body", "by"),
    [
        ("round", "<text x='5' y='16'>HHHH</text>", "2.0"),
        ("hexagon", "<text x='2' y='16'>HHHH</text>", "4.9"),
        ("round", "<text x='2' y='4'>.</text>", "10.8"),
        ("round", "<textbox x='54' y='10' width='6' height='9'>H</textbox>", "4.8"),
    ],
)
def test_text_that_leaves_a_pieces_outline_is_told(tmp_path: Path, shape: str, body: str, by: str) -> None:
    table = token(tmp_path, shape, body)
    assert table.draw() is None
    assert table.complaints[0].startswith(
        f"templates/tale/card.svg:2:1: text of deck (en) leaves the token: {by} mm beyond its outline; shorten it"
    )
    assert token(tmp_path / "rectangle", "square", body).draw() is not None
    assert token(tmp_path / "within", shape, "<text x='20' y='45'>HHHH</text>").draw() is not None


def test_text_in_the_bleed_around_an_outline_is_meant(tmp_path: Path) -> None:
    assert token(tmp_path, "round", "<text x='-0.2' y='39' font-size='1pt' text-role='label'>.</text>").draw() is None
    assert token(tmp_path / "near", "round", "<text x='7' y='13'>.</text>").draw() is not None


@pytest.mark.parametrize(
    "body",
    [
        "<text x='9' y='9'>H</text>",
        "<text x='0' y='8'>  .</text>",
        "<text x='9' y='-0.5'>.</text>",
        "<clipPath id='cut'><rect width='63' height='88'/></clipPath><g clip-path='url(#cut)'><text y='20' x='50' font-size='40pt'>WW</text></g>",
        "<svg x='9' y='9' width='9' height='9'><text x='5' y='5' font-size='40pt'>WW</text></svg>",
    ],
    ids=["inside", "blank at the edge", "in the bleed", "clipped", "in a window"],
)  # fmt: skip
def test_text_that_is_meant_to_be_cut_is_not(tmp_path: Path, body: str) -> None:
    table = Table(tmp_path, tale(design()), {"tale/card.svg": svg(body)})
    assert table.draw() is not None, table.complaints
