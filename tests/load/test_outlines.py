"""Outlines in the data or in SVG files: one canonical path, or every fault that it has, each with its place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_load_game import GAME, load, problems
from tests_support import TinyProject, examples

from generator.base.geometry import Size
from generator.game.piece_outlines import MOST_SEGMENTS, find_crossing, read_outline

EXAMPLE = 'write e.g. "M 0 0 L 20 0 L 10 17 Z", in mm from the piece\'s top left corner'
SCISSORS = "draw a line that scissors can follow"
KINK = "M 0 0 L 20 0 L 20 20 L 10 0 L 0 20 Z"

coordinate = st.integers(0, 40)


def change(tiny: TinyProject, lines: str) -> None:
    """Put other lines in the place of the size of the tiny game's kind, which stands in line 14."""
    tiny.change(GAME, "    size: [40, 60]\n", f"    {lines}\n")


FAULTS = [
    ("M 0 0 L 20 0 L 10", f"the outline is not valid path data: at character 18 a number is expected, but the data ends; {EXAMPLE}"),
    ("L 1 1", f"the outline is not valid path data: the first command must be M or m; {EXAMPLE}"),
    ("M 0 0", f"the outline draws nothing; {EXAMPLE}"),
    ("M 0 0 L 20 0 L 10 17", "the outline is not closed; end it with Z"),
    ("M 0 0 L 20 0 L 9 9 Z M 5 5 L 8 5 L 8 8 Z", "the outline has 2 parts; draw one closed line; a piece has no holes"),
    ("M 0 0 L 20 20 L 20 0 L 0 20 Z", f"the outline crosses or touches itself near x = 10, y = 10 mm; {SCISSORS}"),
    (KINK, f"the outline crosses or touches itself near x = 10, y = 0 mm; {SCISSORS}"),
    ("M 0 0 L 20 0 L 20 15 L 20 5 L 0 5 Z", f"the outline crosses or touches itself near x = 20, y = 5 mm; {SCISSORS}"),
    ("M 0 0 L 20 20 Z", f"the outline encloses nothing; {EXAMPLE}"),
    ("M -1.5 0 L 23 0 L 10 17 Z", "the outline of a piece of 20 x 20 mm reaches 1.5 mm beyond its left edge, 3 mm beyond its right edge; move it, or enlarge `size`"),
    ("M 0 5 C 0 -5 20 -5 20 5 L 20 20 Z", "the outline of a piece of 20 x 20 mm reaches 2.5 mm beyond its top edge; move it, or enlarge `size`"),
]  # fmt: skip


@pytest.mark.parametrize(("data", "said"), FAULTS, ids=[data for data, _ in FAULTS])
def test_each_fault_of_an_outline_is_told_with_its_place(tiny: TinyProject, data: str, said: str) -> None:
    change(tiny, f'size: [20, 20]\n    form: token\n    outline: "{data}"')
    assert problems(tiny) == [f"{GAME}:16:14: {said}"]


def test_all_faults_of_an_outline_come_at_once(tiny: TinyProject) -> None:
    change(tiny, 'size: [20, 20]\n    form: token\n    shape: round\n    outline: "M 0 0 L 25 0 L 9 9"')
    assert set(problems(tiny)) == {
        f"{GAME}:17:14: `outline` and `shape: round` contradict each other; keep one of them",
        f"{GAME}:17:14: the outline is not closed; end it with Z",
        f"{GAME}:17:14: the outline of a piece of 20 x 20 mm reaches 5 mm beyond its right edge; move it, or enlarge `size`",
    }


@pytest.mark.parametrize("form", ["card", "board", "pad", "token"])
def test_any_flat_piece_has_an_outline(tiny: TinyProject, form: str) -> None:
    change(tiny, f'size: [20, 20]\n    form: {form}\n    outline: "M 0 0 L 20 0 L 10 17 Z"')
    assert load(tiny).kinds["card"].outline == "M 0 0 L 20 0 L 10 17 Z"


def test_an_unknown_size_is_not_held_against_the_outline(tiny: TinyProject) -> None:
    change(tiny, 'size: big\n    form: token\n    outline: "M 0 0 L 200 0 L 10 17 Z"')
    (said,) = problems(tiny)
    assert said.startswith(f"{GAME}:14:11: unknown size 'big'; ")


@pytest.mark.parametrize(
    ("lines", "outline"),
    [
        ("size: 16\n    form: token\n    shape: square", ""),
        ("size: [16, 20]\n    form: token", ""),
        ("size: 20\n    form: token\n    shape: round", "M 20 10 C 20 15.523 15.523 20 10 20 C 4.477 20 0 15.523 0 10 C 0 4.477 4.477 0 10 0 C 15.523 0 20 4.477 20 10 Z"),
        ("size: 16\n    form: token\n    shape: hexagon", "M 8 0 L 16 4.619 L 16 13.856 L 8 18.475 L 0 13.856 L 0 4.619 Z"),
        ('size: [20, 20]\n    form: token\n    outline: "m0,5h20l-10 12z"', "M 0 5 L 20 5 L 10 17 Z"),
        ("size: 16\n    form: board\n    shape: square", ""),
    ],
)  # fmt: skip
def test_every_token_knows_where_it_is_cut(tiny: TinyProject, lines: str, outline: str) -> None:
    """Round tokens, hexagons and those with path data have a canonical outline; rectangles and other forms have none."""
    change(tiny, lines)
    assert load(tiny).kinds["card"].outline == outline


@given(st.lists(st.tuples(coordinate, coordinate), min_size=3, max_size=9, unique=True))
@examples(300)
def test_a_crossing_is_found_wherever_any_two_sides_meet(points):
    sides = list(zip(points, [*points[1:], points[0]], strict=True))

    def side_of(a, b, c):
        return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

    def on(p, a, b):
        within = min(a[0], b[0]) <= p[0] <= max(a[0], b[0]) and min(a[1], b[1]) <= p[1] <= max(a[1], b[1])
        return side_of(a, b, p) == 0 and within

    def meet(one, other):
        (a, b), (c, d) = one, other
        if b == c or d == a:
            shared, p, q = (b, a, d) if b == c else (a, b, c)
            return on(p, shared, q) or on(q, shared, p)
        proper = side_of(a, b, c) * side_of(a, b, d) < 0 and side_of(c, d, a) * side_of(c, d, b) < 0
        return proper or on(c, a, b) or on(d, a, b) or on(a, c, d) or on(b, c, d)

    expected = any(meet(one, other) for n, one in enumerate(sides) for other in sides[:n])
    assert (find_crossing(tuple((float(x), float(y)) for x, y in points)) is not None) == expected


def test_a_long_outline_is_read_whole():
    teeth = " ".join(f"L {x / 100:.2f} {x % 2}" for x in range(2000))
    path, faults = read_outline(f"M 0 5 {teeth} L 20 5 Z", Size(20, 5))
    assert faults == []
    assert path.count("L") == 2001


TRIANGLE = "M 0 0 L 20 0 L 10 30 Z"


def cut_by_file(tiny: TinyProject, drawing: str) -> None:
    """Make the tiny game's kind 20 x 30 mm large, with this drawing as the file of its outline."""
    (tiny.root / "templates/tiny/ship.svg").write_text(drawing, encoding="utf-8")
    tiny.change(GAME, "    size: [40, 60]\n", "    size: [20, 30]\n    form: card\n    outline: ship.svg\n")


INKSCAPE = """<?xml version="1.0"?><!-- drawn -->
<svg width="20mm" height="30mm" viewBox="0 0 200 300" xmlns="http://www.w3.org/2000/svg"
 xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd">
<sodipodi:namedview/><defs><path d="M 0 0 h 9 v 9 z"/></defs>
<g transform="translate(50,100)"><g transform="translate(-50 -100)"><path style="fill:none" d="m 0,0 h 200 l -100,300 z"/></g></g>
</svg>"""


@pytest.mark.parametrize(
    "drawing",
    [
        INKSCAPE,
        '<svg viewBox="0 0 20 30"><polygon points="0,0 20,0 10,30"/></svg>',
        '<svg width="2in" height="3in"><path d="M0 0H2L1 3Z"/></svg>',
        '<svg viewBox="-10 0 20 30"><path d="M -10 0 H 10 L 0 30 Z"/></svg>',
        '<svg viewBox="0 0 20 30"><path transform="rotate(180 10 15)" d="M 20 30 H 0 L 10 0 Z"/></svg>',
        '<svg viewBox="0 0 20 30"><g transform="scale(2)"><path transform="matrix(1 0 0 1 5 0)" d="M -5 0 h 10 l -5 15 z"/></g></svg>',
    ],
)  # fmt: skip
def test_a_line_is_put_on_the_piece(tiny: TinyProject, drawing: str) -> None:
    cut_by_file(tiny, drawing)
    assert load(tiny).kinds["card"].outline == TRIANGLE


def test_round_shapes_are_lines_too(tiny: TinyProject) -> None:
    cut_by_file(tiny, '<svg viewBox="0 0 40 60"><ellipse cx="20" cy="30" rx="20" ry="30"/></svg>')
    line = load(tiny).kinds["card"].outline
    assert line.startswith("M 0 15 C")
    assert line.endswith("Z")


PAGE = '<svg viewBox="0 0 20 30">'


@pytest.mark.parametrize(
    ("drawing", "what"),
    [
        (f"{PAGE}</svg>", "'ship.svg' draws no shapes; leave only one closed line in it, the cut line"),
        (f'{PAGE}<path d="M0 0"/><path d="M0 0"/></svg>', "'ship.svg' draws 2 shapes; leave only one closed line in it"),
        ('<svg><path d="M0 0H20L10 30Z"/></svg>', "'ship.svg' has neither a viewBox nor width and height; save it"),
        ('<svg viewBox="0 0 20 20"><path d="M0 0"/></svg>', "the page of 'ship.svg' is 20 x 20, which 20 x 30 mm stretches"),
        (f"{PAGE}<text>A</text></svg>", "'ship.svg': <text> is not a path; turn it into a path"),
        (f'{PAGE}<path transform="spin(9)" d="M0 0H20L10 30Z"/></svg>', "'ship.svg': there is no transform 'spin'"),
        (f'{PAGE}<path d="M0 0H20L10 30"/></svg>', "the outline is not closed; end it with Z"),
        (f'{PAGE}<path d="M0 0H25L10 30Z"/></svg>', "the outline of a piece of 20 x 30 mm reaches 5 mm beyond its right"),
        (f'{PAGE}<path d="M0 0H20L10 30Z M1 1h2v2z"/></svg>', "the outline has 2 parts; draw one closed line"),
        (f'{PAGE}<path d="M0 0 {"l1 0 " * (MOST_SEGMENTS + 1)}"/></svg>', "the line of 'ship.svg' has 2,001 pieces"),
        ("<html/>", "'ship.svg': its first element is <html>; name an SVG file"),
        ("<!DOCTYPE svg [<!ENTITY a 'b'>]><svg/>", "'ship.svg': it has a DTD; save it as plain SVG"),
        (f"{PAGE}<g>", "'ship.svg' is not an SVG file: line 1: no element found"),
        ("", "'ship.svg' is not an SVG file: line 1: no element found"),
        (PAGE + "<g>" * 250, "'ship.svg': elements are nested more than 200 deep"),
    ],
)  # fmt: skip
def test_what_gives_no_line_is_told(tiny: TinyProject, drawing: str, what: str) -> None:
    cut_by_file(tiny, drawing)
    (problem,) = problems(tiny)
    assert problem.startswith(f"{GAME}:16:14: {what}")


def test_a_file_that_is_not_there(tiny: TinyProject) -> None:
    for name in ("boat.svg", "../../../boat.svg"):
        (tiny.root / "boat.svg").write_text(f'{PAGE}<path d="M0 0H20L10 30Z"/></svg>', encoding="utf-8")
        before = (tiny.root / GAME).read_text(encoding="utf-8")
        tiny.change(GAME, "    size: [40, 60]\n", f"    size: [20, 30]\n    outline: {name}\n")
        assert f"there is no file '{name}'" in "\n".join(problems(tiny))
        (tiny.root / GAME).write_text(before, encoding="utf-8")
