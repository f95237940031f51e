"""Drawings that ask for too much or are odd end in a problem or a note; those that minifiers write are read right."""

from pathlib import Path

import pytest
from face_games import drawn
from test_strangers_art import HEAD, read

from generator.base.display_list import Group, PlacedSymbol
from generator.base.errors import ProblemsFound
from generator.base.geometry import read_transform
from generator.base.outlines import DEEPEST_NESTING, PAINTS_NOTHING, is_too_deep
from generator.drawing.svg import values

BOX = '<rect width="50" height="50"/>'


def refusal(markup: str | bytes) -> str:
    with pytest.raises(ProblemsFound) as caught:
        read(markup)
    return str(caught.value)


@pytest.mark.parametrize("name", ["shift_jis", "nope", "punycode", "idna", "base64", "x" * 30])
def test_xml_of_any_encoding_is_read_or_refused(name: str) -> None:
    said = f"its encoding '{name}' is not supported; save the file as UTF-8 and leave out 'encoding'"
    declared = f'<?xml version="1.0" encoding="{name}"?>'
    assert said in refusal(declared + HEAD + "</svg>")


@pytest.mark.parametrize(
    "sheet",
    [
        *("[*|href]{}", ":not(" * 500 + "a" + ")" * 500 + "{}", " ".join(f"a{n}" for n in range(200)) + "{}"),
        *("@media all{" * 3000 + "}" * 3000, "rect{fill:" + "(" * 3000, ":nth-child(" + "9" * 5000 + "){}", ".a" * 999 + "{}",),
        ":has(* * x){}",
    ],
    ids=lambda sheet: sheet[:12],
)  # fmt: skip
def test_style_sheets_that_are_not_understood_are_left_out(sheet: str) -> None:
    symbol = read(f"{HEAD}<style>{sheet}</style><style>rect{{fill:#123456}}</style>{BOX}</svg>")
    assert symbol.items[0].fill == "#123456"  # type: ignore[union-attr]
    assert len(symbol.notes) == 1


@pytest.mark.parametrize(
    ("selector", "matches"),
    [
        *(("g rect", True), ("g > rect", False), ("g > a > rect", True), ("svg g *", True), ("circle + rect", True)),
        *(("circle ~ rect", True), ("line ~ rect", False), ("rect:not(.x):last-child", True), ("#r.s", True), ("g line rect", False)),
        *((":is(rect, circle)", True), ("rect:nth-of-type(1)", True), ("g a rect, b", True), ("rect:has(b)", False)),
    ],
)  # fmt: skip
def test_selectors_match_as_in_css(selector: str, matches: bool) -> None:
    body = f'<g class="k"><line/><a><circle/>{BOX.replace("<rect", "<rect id=" + repr("r") + " class=" + repr("s t"))}</a></g>'
    symbol = read(f"{HEAD}<style>{selector}{{fill:#123456}}</style>{body}</svg>")
    assert (symbol.items[-1].fill == "#123456") is matches  # type: ignore[union-attr]


def test_selectors_with_many_parts_take_no_time() -> None:
    """Twelve parts on elements 60 deep were 10 to the 17 comparisons; they are 700."""
    symbol = read(
        f"{HEAD}<style>{'* ' * 12}{{fill:#123456}}{'* ~ ' * 9} x{{}}</style>{'<g>' * 60}{BOX * 300}{'</g>' * 60}</svg>"
    )
    assert symbol.items[0].fill == "#123456"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("effect", "count"),
    [("opacity='.9'", 110), ("mask='url(#m)'", 110), ("mask='url(#m)' opacity='.9' clip-path='url(#c)'", 60)],
)
def test_nesting_is_bounded_with_its_effects(effect: str, count: int) -> None:
    """Opacity, masks and clips count as levels, so that nothing behind the reader is too deep."""
    defs = '<mask id="m"><rect width="9" height="9"/></mask><clipPath id="c"><rect width="9" height="9"/></clipPath>'
    said = refusal(f"{HEAD}{defs}{f'<g {effect}>' * count}{BOX}{'</g>' * count}</svg>")
    assert "nested more than 120 deep" in said
    assert "ungroup some of it" in said
    symbol = read(f"{HEAD}{defs}{f'<g {effect}>' * 15}{BOX}{'</g>' * 15}</svg>")
    assert not is_too_deep(symbol.items)


def test_depth_counts_groups_masks_and_symbols() -> None:
    deep = (Group(()),)
    for _level in range(DEEPEST_NESTING - 2):
        deep = (Group(deep),)
    assert not is_too_deep(deep)
    assert is_too_deep((Group(deep),))


@pytest.mark.slow
@pytest.mark.parametrize(
    "step",
    [
        *('<feGaussianBlur stdDeviation="1e9"/>', '<feOffset dx="1e9" dy="-1e9"/>', '<feDropShadow dx="1e9" stdDeviation="1e9"/>'),
        '<feComponentTransfer><feFuncR type="gamma" exponent="-5"/></feComponentTransfer>',
        '<feComponentTransfer><feFuncR type="gamma" exponent="1e9" amplitude="-1e9"/></feComponentTransfer>',
        *('<feTurbulence baseFrequency="1e30" numOctaves="1e9"/>', '<feMorphology radius="1e9"/>', '<feFlood width="1e30"/>'),
    ],
)  # fmt: skip
def test_filters_take_any_number(step: str) -> None:
    assert read(f'{HEAD}<filter id="f">{step}</filter>{BOX.replace("/>", " filter=" + repr("url(#f)") + "/>")}</svg>')


@pytest.mark.parametrize(
    ("minified", "spelled_out"),
    [
        *(("translate(-612-1314.36)", "translate(-612, -1314.36)"), ("scale(1-1)", "scale(1 -1)"), ("scale(.5.5)", "scale(0.5 0.5)")),
        *(("translate(1e3-2)", "translate(1000 -2)"), ("rotate(9-5.5.5)", "rotate(9 -5.5 0.5)")),
        ("matrix(1-0 0 1-3.5.5)scale(2)", "matrix(1 0 0 1 -3.5 0.5) scale(2 2)"),
    ],
)  # fmt: skip
def test_numbers_need_no_separator(minified: str, spelled_out: str) -> None:
    """What minifiers write means what people write: in transforms of templates, of other programs and of gradients."""
    assert values.parse_transform(minified) == values.parse_transform(spelled_out) == read_transform(minified)
    shape = '<g transform="{0}"><rect x="600px" y="1300" width="50" height="50" fill="url(#g)" stroke="red" stroke-dasharray="{1}"/></g>'
    paint = '<linearGradient id="g" gradientTransform="{0}"><stop/><stop offset="1" stop-color="red"/></linearGradient>'
    one, other = (
        read(HEAD + (paint + shape).replace("{0}", text).replace("{1}", dash) + "</svg>")
        for text, dash in ((minified, "3.5.5"), (spelled_out, "3.5 0.5"))
    )
    assert one == other
    assert one.items
    assert one.notes == ()
    assert values.parse_numbers("1-2.5.5 3e1-4") == (1, -2.5, 0.5, 30, -4)


def test_dashes_of_templates_need_no_separator(tmp_path: Path) -> None:
    line = '<path d="M 1 1 H 9" stroke="ink" stroke-dasharray="{}"/>'
    items = [drawn(tmp_path / text, line.format(text)).items for text in ("1.5.5", "1.5, 0.5mm")]
    assert items[0] == items[1]
    assert items[0][0].dash == (1.5, 0.5)  # type: ignore[union-attr]


def test_long_attributes_are_refused() -> None:
    assert "'stroke-dasharray' has more than 100,000 characters" in refusal(
        f'{HEAD}<rect stroke-dasharray="{"1 " * 60_000}"/></svg>'
    )


def test_attributes_of_a_doctype_are_bounded() -> None:
    many = " ".join(f'a{n} CDATA "x"' for n in range(60))
    assert "declares more than 50 attributes" in refusal(f"<!DOCTYPE svg [<!ATTLIST rect {many}>]>{HEAD}</svg>")


def test_gradients_and_texts_are_bounded() -> None:
    stops = "<stop offset='.5'/>" * 1_100
    symbol = read(
        f"{HEAD}<linearGradient id='g'>{stops}</linearGradient><rect width='9' height='9' fill='url(#g)'/></svg>"
    )
    assert "a gradient has more than 1,000 stops: the rest is left out" in symbol.notes[0]
    symbol = read(f"{HEAD}<text>{'a' * 20_001}</text></svg>")
    assert "a text has more than 20,000 characters and is ignored" in symbol.notes[0]


SPILLING = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><rect width="10" height="10" fill="ink"/><rect x="{0}" width="6" height="10" fill="ink"/></svg>'


@pytest.mark.parametrize(("x", "width", "clipped"), [(8, 20, True), (4, 20, False), (8, 10, True), (4, 10, True)])
def test_art_is_cut_off_at_its_page(tmp_path: Path, x: int, width: int, clipped: bool) -> None:
    """What lies beyond the viewBox is not shown beside it; no clip is written where nothing spills into a wider box."""
    files = {"tale/art/a.svg": SPILLING.replace("{0}", str(x))}
    item = drawn(tmp_path, f'<use href="art/a.svg" width="{width}" height="10"/>', files=files).items[0]
    placed = item.items[0] if isinstance(item, Group) else item
    assert isinstance(placed, PlacedSymbol)
    assert placed.clip is clipped


@pytest.mark.parametrize(
    "body", ["", '<rect x="50" width="5" height="5" fill="ink"/>', '<rect width="0px" height="5"/>']
)
def test_art_that_paints_nothing_is_noted(tmp_path: Path, body: str) -> None:
    files = {"tale/art/a.svg": f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">{body}</svg>'}
    drawing = drawn(tmp_path, '<use href="art/a.svg" width="9"/>', files=files)
    assert drawing.notes[-1] == f"templates/tale/art/a.svg: {PAINTS_NOTHING}"


@pytest.mark.slow
def test_patterns_that_refer_through_many_are_counted() -> None:
    box = '<rect width="9" height="9" fill="url(#a{})"/>'
    chain = "".join(
        f'<pattern id="a{n}" href="#a{n + 1}" width="1" height="1">{box.format(n + 1) * 8}</pattern>' for n in range(60)
    )
    drawing = f"{HEAD}<defs>{chain}</defs>{box.format(0)}</svg>"
    assert "the drawing is too large" in refusal(drawing)
