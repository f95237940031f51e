"""Outlines from SVG files: the one line of a drawing, whatever its units and groups, or what is wrong with it."""

import pytest
from tests_support import TinyProject

from generator.base.errors import ProblemsFound
from generator.game.load_game import load_game
from generator.game.model import Kind
from generator.game.piece_outlines import MOST_SEGMENTS
from generator.game.project import find_project

GAME = "data/tiny/game.yaml"
TRIANGLE = "M 0 0 L 20 0 L 10 30 Z"


def kind(tiny: TinyProject, drawing: str, form: str = "card") -> Kind:
    """The tiny game's kind, 20 x 30 mm, with this drawing as the file of its outline."""
    (tiny.root / "templates/tiny/ship.svg").write_text(drawing, encoding="utf-8")
    tiny.change(GAME, "    size: [40, 60]\n", f"    size: [20, 30]\n    form: {form}\n    outline: ship.svg\n")
    found = find_project(tiny.root)
    return load_game(found.find_folder("tiny"), found.resources).kinds["card"]


def said(tiny: TinyProject, drawing: str) -> str:
    """The one problem that the drawing makes, without its place, which is that of the key."""
    with pytest.raises(ProblemsFound) as found:
        kind(tiny, drawing)
    (problem,) = found.value.problems
    assert str(problem).startswith(f"{GAME}:16:14: ")
    return f"{problem.what}; {problem.hint}"


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
    assert kind(tiny, drawing).outline == TRIANGLE


def test_round_shapes_are_lines_too(tiny: TinyProject) -> None:
    line = kind(tiny, '<svg viewBox="0 0 40 60"><ellipse cx="20" cy="30" rx="20" ry="30"/></svg>').outline
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
    """Each file that gives no line to cut along is one problem at the key, with the file's name and a way out."""
    assert said(tiny, drawing).startswith(what)


def test_a_file_that_is_not_there(tiny: TinyProject) -> None:
    """A wrong name, and one outside the templates, are told at the key."""
    for name in ("boat.svg", "../../../boat.svg"):
        (tiny.root / "boat.svg").write_text(f'{PAGE}<path d="M0 0H20L10 30Z"/></svg>', encoding="utf-8")
        before = (tiny.root / GAME).read_text(encoding="utf-8")
        tiny.change(GAME, "    size: [40, 60]\n", f"    size: [20, 30]\n    outline: {name}\n")
        found = find_project(tiny.root)
        with pytest.raises(ProblemsFound) as told:
            load_game(found.find_folder("tiny"), found.resources)
        assert f"there is no file '{name}'" in str(told.value)
        (tiny.root / GAME).write_text(before, encoding="utf-8")
