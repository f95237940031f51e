"""Markup to the display list: what each element draws, and where equal things are one object."""

import io
from pathlib import Path

import pytest
from face_games import Table, complaints, design, drawn, svg, tale
from PIL import Image

from generator.base.display_list import (
    Drawing,
    Gradient,
    Group,
    Picture,
    PlacedSymbol,
    Shape,
    StampPlace,
    Symbol,
    TextRun,
    walk_leaves,
)

BOX = "M 0 0 L 4 0 L 4 2 L 0 2 Z"


def only(drawing: Drawing) -> object:
    (item,) = drawing.items
    return item


def shape(root: Path, attributes: str, before: str = "") -> Shape:
    """What a rectangle of 4 x 2 with these attributes draws."""
    item = only(drawn(root, f'{before}<rect width="4" height="2" {attributes}/>'))
    assert isinstance(item, Shape)
    return item


def test_a_template_spelled_out(tmp_path: Path) -> None:
    body = """<title>Six of {{ card.suit }}</title><desc>A test.</desc>
<defs><linearGradient id="sky"><stop offset="0" stop-color="night"/><stop offset="100%" stop-color="#FFF"/>
</linearGradient>
<clipPath id="pane"><circle cx="1" cy="1" r="1"/></clipPath></defs>
<rect x="-3" y="-3" width="{{ width + 6 }}" height="{{ height + 6 }}" fill="url(#sky)" data-role="ground"/>
<g transform="translate(5 {{ card.number }})" stroke="bronze" fill="none" stroke-width="0.5mm" data-role="frame">
{% for i in range(2) %}<line x2="{{ i + 1 }}"/>{% endfor %}
</g>
<use href="icon:star" x="10" y="20" width="12" height="12"/>
<g id="pond" data-space="3" data-holds="2" clip-path="url(#pane)"><title>Pond</title><path d="M0 0h2v2z"/></g>
<stamp x="30" y="80"/>"""
    drawing = drawn(tmp_path, body, number=6, suit="stars")
    circle = "M 2 1 C 2 1.552 1.552 2 1 2 C 0.448 2 0 1.552 0 1 C 0 0.448 0.448 0 1 0 C 1.552 0 2 0.448 2 1 Z"
    star = Symbol("icon:star", (Shape("M 12 2 L 22 22 L 2 22 Z", "bronze", role="icon"),), (0, 0, 24, 24))
    sky = Gradient("linear", (0, 0, 1, 0), ((0, "night"), (1, "#ffffff")), (66, 0, 0, 96, -3, -3))
    lines = tuple(Shape(f"M 0 0 L {i} 0", None, "bronze", 0.5, role="frame") for i in (1, 2))
    pond = Group(
        (Shape("M 0 0 L 2 0 L 2 2 Z", "ink"),),
        clip=circle,
        id="pond",
        data=(("space", "3"), ("holds", "2")),
        title="Pond",
    )
    assert drawing == Drawing(
        60,
        90,
        3.0,
        (
            Shape("M -3 -3 L 63 -3 L 63 93 L -3 93 Z", sky, role="ground"),
            Group(lines, (1, 0, 0, 1, 5, 6)),
            PlacedSymbol(star, (0.5, 0, 0, 0.5, 10, 20), clip=True, role="icon"),
            pond,
        ),
        lang="en",
        title="Six of stars",
        description="A test.",
        stamps=(StampPlace(30, 80),),
    )


def test_properties(tmp_path: Path) -> None:
    """Fill, stroke and their properties come from attributes, `style` and parents; `style` wins."""
    assert shape(tmp_path, "") == Shape(BOX, "ink")
    assert shape(tmp_path, 'fill="rgb(255, 0, 16)"') == Shape(BOX, "#ff0010")
    assert shape(tmp_path, 'fill="#ABC"') == Shape(BOX, "#aabbcc")
    assert shape(tmp_path, 'fill="black"') == Shape(BOX, "#000000")
    assert shape(tmp_path, 'fill="bronze" style="fill: night; stroke: white"') == Shape(BOX, "night", "#ffffff", 1.0)
    line = (
        'fill="none" stroke="ink" stroke-width="2pt" stroke-linecap="round" stroke-linejoin="bevel" '
        'stroke-miterlimit="7" stroke-dasharray="1, 2mm 3" fill-rule="evenodd"'
    )
    dash = (1.0, 2.0, 3.0, 1.0, 2.0, 3.0)
    assert shape(tmp_path, line) == Shape(BOX, None, "ink", 25.4 / 36, "round", "bevel", 7.0, dash, True)
    assert shape(tmp_path, 'fill="currentColor" color="bronze"') == Shape(BOX, "bronze")


def test_invisible_shapes_leave_nothing(tmp_path: Path) -> None:
    assert drawn(tmp_path, '<rect width="4" height="2" fill="none"/><path/><circle/><g id="a"/>').items == ()
    assert drawn(tmp_path, '<rect width="4" height="2" fill="none" stroke="ink" stroke-width="0"/>').items == ()


def test_groups_collapse_unless_they_say_something(tmp_path: Path) -> None:
    plain = '<rect width="4" height="2"/>'
    assert only(drawn(tmp_path, f'<g fill="bronze"><g>{plain}</g></g>')) == Shape(BOX, "bronze")
    assert only(drawn(tmp_path, f'<g id="a">{plain}</g>')) == Group((Shape(BOX, "ink"),), id="a")
    assert only(drawn(tmp_path, f'<g data-b="c" data-role="frame">{plain}</g>')) == Group(
        (Shape(BOX, "ink", role="frame"),), data=(("b", "c"),)
    )
    assert only(drawn(tmp_path, '<rect width="4" height="2" transform="scale(2)"/>')) == Group(
        (Shape(BOX, "ink"),), (2, 0, 0, 2, 0, 0)
    )


def test_view_box_maps_onto_the_trim(tmp_path: Path) -> None:
    body = '<rect width="4" height="2"/><stamp x="3" y="0" font-size="4pt"/><text x="0" y="10" font-size="6pt">a</text>'
    drawing = drawn(tmp_path, body, ' viewBox="0 0 30 30"')
    (group,) = drawing.items
    assert isinstance(group, Group)
    assert group.matrix == (2, 0, 0, 2, 0, 15)
    assert drawing.stamps == (StampPlace(6, 15, 8),)
    (frame,) = drawing.frames
    assert frame.size == pytest.approx(12)
    assert frame.y + frame.height > 35 > frame.y


GRADIENT = (
    '<linearGradient id="a" gradientUnits="userSpaceOnUse" x1="1" x2="3" gradientTransform="scale(2)">'
    '<stop offset="0" stop-color="ink"/><stop offset="1" style="stop-color: bronze"/></linearGradient>'
)


def test_gradients(tmp_path: Path) -> None:
    """Gradients are in mm or in parts of the shape's box, inherit from each other, and shrink to one colour or none."""
    stops = ((0.0, "ink"), (1.0, "bronze"))
    assert shape(tmp_path, 'fill="url(#a)"', GRADIENT).fill == Gradient(
        "linear", (1, 0, 3, 0), stops, (2, 0, 0, 2, 0, 0)
    )
    radial = (
        f'{GRADIENT}<radialGradient id="b" href="#a" gradientUnits="objectBoundingBox" gradientTransform="" r="40%"/>'
    )
    assert shape(tmp_path, "fill='url(#b)'", radial).fill == Gradient(
        "radial", (0.5, 0.5, 0.4, 0.5, 0.5), stops, (4, 0, 0, 2, 0, 0)
    )
    single = '<linearGradient id="c"><stop stop-color="bronze"/></linearGradient>'
    assert shape(tmp_path, 'fill="url(#c)"', single).fill == "bronze"
    backwards = '<linearGradient id="d"><stop offset=".7"/><stop offset=".2" stop-color="night"/></linearGradient>'
    fill = shape(tmp_path, 'fill="url(#d)"', backwards).fill
    assert isinstance(fill, Gradient)
    assert fill.stops == ((0.7, "ink"), (0.7, "night"))
    assert drawn(tmp_path, '<linearGradient id="e"/><rect width="4" height="2" fill="url(#e)"/>').items == ()


def test_clips_unite_their_shapes(tmp_path: Path) -> None:
    clip = (
        '<clipPath id="c" transform="translate(1 0)"><rect width="4" height="2"/>'
        '<path d="M0 0V2H2V0Z" transform="scale(2)"/></clipPath>'
    )
    item = only(drawn(tmp_path, f'{clip}<rect width="9" height="9" clip-path="url(#c)"/>'))
    assert isinstance(item, Group)
    assert item.clip == "M 1 0 L 5 0 L 5 2 L 1 2 Z M 5 0 L 5 4 L 1 4 L 1 0 Z"
    ring = '<clipPath id="c"><path clip-rule="evenodd" d="M0 0H4V2H0Z"/></clipPath>'
    item = only(drawn(tmp_path, f'{ring}<rect width="9" height="9" style="clip-path: url(#c)"/>'))
    assert isinstance(item, Group)
    assert (item.clip, item.clip_even_odd) == (BOX, True)


def test_use_of_elements_and_symbols(tmp_path: Path) -> None:
    body = (
        '<defs><rect id="r" width="4" height="2"/></defs><use href="#r" x="3" y="5" fill="bronze"/>'
        '<symbol id="s" viewBox="0 0 4 2"><rect width="4" height="2"/></symbol>'
        '<use xlink:href="#s" width="8"/><use href="#s" x="1" width="8" height="8" preserveAspectRatio="none"/>'
        '<use href="#s" width="8" height="8" preserveAspectRatio="xMidYMid slice"/>'
    )
    first, second, third, fourth = drawn(tmp_path, body, ' xmlns:xlink="http://www.w3.org/1999/xlink"').items
    assert first == Group((Group((Shape(BOX, "bronze"),), id="r"),), (1, 0, 0, 1, 3, 5))
    symbol = Symbol("#s", (Shape(BOX, "ink"),), (0, 0, 4, 2))
    assert second == PlacedSymbol(symbol, (2, 0, 0, 2, 0, 0), clip=True, role="art")
    assert third == PlacedSymbol(symbol, (2, 0, 0, 4, 1, 0), clip=True, role="art")
    square = "M 0 0 L 8 0 L 8 8 L 0 8 Z"
    assert fourth == Group((PlacedSymbol(symbol, (4, 0, 0, 4, -4, 0), clip=False, role="art"),), clip=square)


def test_icons_take_colours(tmp_path: Path) -> None:
    body = (
        '<use href="icon:star" width="6"/><use href="icon:star" x="9" height="6"/><use href="icon:star" color="night"/>'
        '<g color="#fff" data-role="ground"><use href="icon:star" width="6" height="6"/></g>'
    )
    first, second, third, fourth = drawn(tmp_path, body).items
    assert isinstance(first, PlacedSymbol)
    assert isinstance(second, PlacedSymbol)
    assert isinstance(third, PlacedSymbol)
    assert isinstance(fourth, PlacedSymbol)
    assert first.symbol is second.symbol
    assert (first.matrix[0], second.matrix, third.matrix[0]) == (0.25, (0.25, 0, 0, 0.25, 9, 0), 1)
    fills = [item.symbol.items[0].fill for item in (first, third, fourth)]  # type: ignore[union-attr]
    assert fills == ["bronze", "night", "#ffffff"]
    assert (first.role, fourth.role) == ("icon", "ground")
    assert [leaf.role for leaf, _ in walk_leaves(fourth.symbol.items)] == ["ground"]


def test_art_files(tmp_path: Path) -> None:
    art = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="4"><rect width="4" height="2" fill="currentColor"/>'
        '<text font-size="3">{a}</text></svg>'
    )
    files = {"common/art/leaf.svg": art, "tale/art/two.svg": svg('<use href="art/leaf.svg"/>', ' viewBox="0 0 8 4"')}
    item = only(drawn(tmp_path, '<use href="art/two.svg" width="4" color="night"/>', files=files))
    assert isinstance(item, PlacedSymbol)
    assert (item.symbol.name, item.symbol.box, item.matrix) == ("art/two.svg", (0, 0, 8, 4), (0.5, 0, 0, 0.5, 0, 0))
    (inner,) = item.symbol.items
    assert isinstance(inner, PlacedSymbol)
    rect, text = inner.symbol.items
    assert rect == Shape(BOX, "night")
    assert isinstance(text, TextRun)
    assert text.text == "{a}"


def test_inner_svg_is_cut_off(tmp_path: Path) -> None:
    body = '<svg x="1" y="2" width="8" height="8" viewBox="0 0 4 2"><rect width="4" height="2"/></svg>'
    clip = "M 1 2 L 9 2 L 9 10 L 1 10 Z"
    assert only(drawn(tmp_path, body)) == Group((Group((Shape(BOX, "ink"),), (2, 0, 0, 2, 1, 4)),), clip=clip)


def test_an_inner_svg_without_size_is_as_large_as_the_one_around_it(tmp_path: Path) -> None:
    """So a whole template can be included in another one, scaled by the svg around it."""
    plain = '<svg x="1" y="2" width="8" height="8" viewBox="0 0 4 2"><rect width="4" height="2"/></svg>'
    within = plain.replace("<rect", '<svg xmlns="http://www.w3.org/2000/svg"><rect').replace(
        "/></svg>", "/></svg></svg>"
    )
    assert within != plain and drawn(tmp_path, within).items == drawn(tmp_path, plain).items


def png(width: int, height: int) -> bytes:
    out = io.BytesIO()
    Image.new("L", (width, height)).save(out, "PNG")
    return out.getvalue()


def test_pictures(tmp_path: Path) -> None:
    """A picture fits its box, covers it (cut off) or is stretched; a missing side follows from the other."""
    body = (
        '<image href="p.png" x="1" width="4"/><image href="p.png" width="8" height="8"/>'
        '<image href="p.png" width="8" height="8" preserveAspectRatio="none"/>'
        '<image href="p.png" width="8" height="8" preserveAspectRatio="xMidYMid slice" data-role="ground"/>'
    )
    first, second, third, fourth = drawn(tmp_path, body, files={"tale/p.png": png(20, 10)}).items
    assert isinstance(first, Picture)
    assert (first.x, first.y, first.width, first.height) == (1, 0, 4, 2)
    assert (len(first.asset), Path(first.source).read_bytes()) == (64, png(20, 10))
    assert isinstance(second, Picture)
    assert (second.x, second.y, second.width, second.height) == (0, 2, 8, 4)
    assert isinstance(third, Picture)
    assert (third.width, third.height) == (8, 8)
    assert isinstance(fourth, Group)
    (inner,) = fourth.items
    assert isinstance(inner, Picture)
    assert (inner.x, inner.width, inner.height, inner.role) == (-4, 16, 8, "ground")
    assert fourth.clip == "M 0 0 L 8 0 L 8 8 L 0 8 Z"


def test_remembered_elements_follow_what_they_refer_to(tmp_path: Path) -> None:
    """Equal markup that refers to a changed definition is drawn anew, also where a parent holds the reference."""
    body = (
        '<linearGradient id="a"><stop stop-color="{{ card.paint }}"/></linearGradient>'
        '<rect width="4" height="2" fill="url(#a)"/><g fill="url(#a)"><rect width="4" height="2"/></g>'
        '<symbol id="s" viewBox="0 0 4 2"><rect width="4" height="2" fill="{{ card.paint }}"/></symbol><use href="#s"/>'
    )
    game = tale(design("one", paint="bronze"), design("two", paint="night"))
    table = Table(tmp_path, game, {"tale/card.svg": svg(body)})
    for number, paint in enumerate(("bronze", "night")):
        drawing = table.draw(number)
        assert drawing is not None
        fills = [leaf.fill for leaf, _ in walk_leaves(drawing.items) if isinstance(leaf, Shape)]
        assert fills == [paint, paint, paint]


def test_text_lines_and_boxes(tmp_path: Path) -> None:
    body = (
        '<g transform="translate(10 20)"><text x="1" y="2" font-size="9pt" text-anchor="middle" fill="bronze">'
        '{{ card.t }}</text></g>\n<textbox x="5" y="40" width="40" height="20" font-size="8pt" text-role="label">\n'
        "  one\n  **two**\n</textbox>"
    )
    drawing = drawn(tmp_path, body, t="a & <b>")
    line, box = drawing.frames
    assert (line.text, line.size, line.text_role) == ("a & <b>", 9, "label")
    assert line.x < 11 < line.x + line.width
    assert line.y < 22 < line.y + line.height
    assert (box.x, box.y, box.width, box.height, box.size) == (5, 40, 40, 20, 8)
    assert box.lines == ("one", "two")
    runs = [leaf for leaf, _ in walk_leaves(drawing.items) if isinstance(leaf, TextRun)]
    assert "".join(run.text for run in runs).startswith("a & <b>")
    assert runs[0].paint == "bronze"


def test_letter_spacing_in_em_and_mm(tmp_path: Path) -> None:
    """Letter spacing of 0.1em and of the same length in mm widen a line alike."""
    em = 10 * 25.4 / 72
    widths = []
    for spacing in ("normal", "0.1em", f"{em / 10}mm"):
        body = f'<text y="9" font-size="10pt" letter-spacing="{spacing}">abcde</text>'
        (frame,) = drawn(tmp_path, body).frames
        widths.append(frame.width)
    assert widths[1] == pytest.approx(widths[2])
    assert 3.9 * em / 10 < widths[1] - widths[0] < 5.1 * em / 10


def test_references_in_text_are_names(tmp_path: Path) -> None:
    """`{@kind}` and `{@kind/design}` become names in the face's language."""
    body = '<text y="9">{@deck} {@deck/one}</text>'
    assert drawn(tmp_path, body, name="Ace").frames[0].text == "Deck Ace"


def test_icons_in_texts_take_their_own_colour_beside_black(tmp_path: Path) -> None:
    """`{star}` is bronze in black text, and takes the text's colour where that is another one."""
    body = "".join(f'<text y="9" {fill}>a {{star}}</text>' for fill in ("", 'fill="ink"', 'fill="night"'))
    fills = [leaf.fill for leaf, _ in walk_leaves(drawn(tmp_path, body).items) if isinstance(leaf, Shape)]
    assert fills == ["bronze", "bronze", "night"]


def test_icons_without_a_colour_follow_the_text(tmp_path: Path) -> None:
    moon = {"tale/icons/moon.svg": '<svg viewBox="0 0 2 2"><path d="M0 0h2v2z" fill="currentColor"/></svg>'}
    drawing = drawn(tmp_path, '<text y="9">{moon}</text>', files=moon)
    assert [leaf.fill for leaf, _ in walk_leaves(drawing.items) if isinstance(leaf, Shape)] == ["ink"]


@pytest.mark.parametrize(
    ("given", "plain"),
    [
        ('x="50%" y="10px" width="25%" height="10%"', 'x="30" y="10" width="15" height="9"'),
        ('x="2em" y="1ex" width="1pc" height="4q" font-size="10"', 'x="20" y="5" width="12pt" height="1"'),
        ('width="9" height="9" transform="translate(50%, 1cm) rotate(0.25turn)"',
         'width="9" height="9" transform="translate(30 10) rotate(90)"'),
        ('width="9" height="9" fill="hsl(0, 100%, 50%)"', 'width="9" height="9" fill="#ff0000"'),
        ('width="9" height="9" fill="RebeccaPurple"', 'width="9" height="9" fill="#663399"'),
    ],
)  # fmt: skip
def test_templates_accept_units_and_colours_of_css(tmp_path: Path, given: str, plain: str) -> None:
    """A px is a user unit, % refers to the card of 60 x 90 mm, em to the font size; colours have CSS names."""
    assert drawn(tmp_path / "a", f"<rect {given}/>").items == drawn(tmp_path / "b", f"<rect {plain}/>").items


def test_templates_ignore_what_drawing_programs_add(tmp_path: Path) -> None:
    spaces = ' xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" xmlns:svg="http://www.w3.org/2000/svg"'
    body = '<inkscape:view zoom="2"><g/>words</inkscape:view><svg:rect inkscape:label="a" width="9" height="9"/>'
    expected = drawn(tmp_path / "a", '<rect width="9" height="9"/>').items
    assert drawn(tmp_path / "b", body, spaces + ' inkscape:version="1.3"').items == expected
    (told,) = complaints(tmp_path / "c", '<rect width="9" inkscap:label="a" height="9"/>')
    assert told.startswith("templates/tale/card.svg:2:1: unknown attribute 'inkscap:label' on <rect>")


def test_style_sheets_apply_to_templates(tmp_path: Path) -> None:
    sheet = "<style>g > .warm { fill: bronze; stroke-width: 2px } #own { fill: none }</style>"
    shapes = '<g><rect class="warm" width="9" height="9" fill="night" style="stroke: ink"/></g><rect id="own"/>'
    plain = '<g><rect width="9" height="9" fill="bronze" stroke="ink" stroke-width="2"/></g>'
    assert drawn(tmp_path / "a", sheet + shapes).items == drawn(tmp_path / "b", plain).items
    (told,) = complaints(tmp_path / "c", "<style>rect { fil: bronze }</style>\n<rect width='9' height='9'/>")
    assert told.startswith("templates/tale/card.svg:3:1: unknown property 'fil' in a style sheet; did you mean 'fill'?")


def test_font_sizes_and_families_of_css(tmp_path: Path) -> None:
    """Em and % of a font size refer to the size around the text; the first known family of a list is used."""
    body = '<g font-size="10"><text y="9" font-size="{}" font-family="{}">Word</text></g>'
    (expected,) = drawn(tmp_path / "a", body.format("5", "body")).frames
    for at, given in enumerate((("0.5em", "Nowhere, 'body'"), ("50%", "body, serif"))):
        assert drawn(tmp_path / str(at), body.format(*given)).frames == (expected,)
