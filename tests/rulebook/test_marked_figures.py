"""Arrows, halos and faded pieces; before and after, grids and paths: each lies where it should, and tells what it can't."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import ROOT
from figure_parts import figure, ids, placed_pieces
from hypothesis import example, given
from hypothesis import strategies as st
from rulebook_project import BookProject

from generator.base import outlines
from generator.base.display_list import Drawing, Group, Item, PlacedSymbol, Shape, Symbol, TextRun, walk_leaves
from generator.base.errors import InvalidInput
from generator.base.geometry import IDENTITY, Matrix, Rect, multiply
from generator.books.page.blocks import Box, Figure
from generator.books.rulebook.figure_marks import FADED, Arrow, draw_arrows, route_arrows_around
from generator.books.rulebook.piece_pictures import Anchor, Anchored, WordLine
from generator.books.rulebook.read_book import read_book
from generator.books.rulebook.rulebook_play import RulebookPlay
from generator.drawing.faces.game_drawing import Workshop
from generator.game.load_game import load_game
from generator.game.project import find_project

FILE = "templates/higher/rulebook.en.md"
shares = st.floats(0, 1)
rects = st.builds(lambda x, y, w, h: Rect(x * 100, y * 60, 3 + w * 20, 3 + h * 20), *[shares] * 4)


@pytest.fixture
def project(tmp_path: Path) -> BookProject:
    return BookProject(tmp_path)


def shapes(items: tuple[Item, ...], matrix: Matrix = IDENTITY) -> Iterator[tuple[Shape, Rect]]:
    """What is drawn over a figure, each with its box."""
    for item in items:
        if isinstance(item, Group):
            yield from shapes(item.items, multiply(matrix, item.matrix))
        elif isinstance(item, Shape) and item.role == "mark":
            box = outlines.find_bounds(item.path, matrix)
            assert box is not None
            yield item, box


def said(drawing: Drawing) -> list[str]:
    """The words of a figure, without those of its cards."""
    return [leaf.text for leaf, _ in walk_leaves(drawing.items) if isinstance(leaf, TextRun) and leaf.role == "mark"]


def lefts(shown: Figure) -> list[tuple[str, float, float]]:
    found = placed_pieces(shown.drawing)
    return [(dict(group.data)["design"], round(matrix[4], 1), round(matrix[5], 1)) for matrix, group in found]


# The arrows are long, and the words lie between two of the points at which the curve is tried.
@example(
    places=[Rect(0, 15, 6.75, 18), Rect(96.875, 26.25, 3, 3), Rect(25, 15, 3, 23), Rect(46.875, 0, 3, 23)],
    words=[Rect(15.625, 11.25, 3, 3)],
)
@given(st.lists(rects, min_size=2, max_size=5), st.lists(rects, max_size=4))
def test_arrows_and_their_words_cross_no_words(places: list[Rect], words: list[Rect]) -> None:
    anchors = {str(at): Anchor(box, "", (at,)) for at, box in enumerate(places)}
    figure_ = Anchored(tuple(Group(()) for _ in places), Rect(0, 0, 130, 90), anchors, tuple(words))
    arrows = [Arrow("0", "1", "says"), Arrow("1", "0", "more")]
    try:
        done = draw_arrows(figure_, arrows, lambda _: WordLine(Group(()), 9.0, 3.0), "red")
    except InvalidInput as told:
        assert str(told).startswith(("no arrow leads from ", "the words "))
        return

    drawn = [box for _, box in shapes(done.items)]
    assert len(drawn) == 8
    assert all(done.box.grow(1).contains(box) for box in drawn)
    labels = done.words[len(words) :]
    assert len(labels) == 2
    assert not labels[0].overlaps(labels[1])
    assert not any(label.overlaps(word) for label in labels for word in words)
    for item, _ in shapes(done.items):
        points = [point for loop in outlines.flatten_path(item.path) for point in loop.points]
        if item.cap == "round":
            assert not any(word.contains(Rect(x, y, 0, 0), slack=-0.2) for word in (*words, *labels) for x, y in points)


def test_an_arrow_may_lead_around_the_figure() -> None:
    """It leaves at the right and comes in at the left, the same symbol at both ends, on the rows of its ends."""
    sun = Symbol("icon:sun", (), (0, 0, 24, 24))
    anchors = {str(at): Anchor(Rect(30 * at, 10 * at, 20, 30), "", (at,)) for at in range(4)}
    row = Anchored(tuple(Group(()) for _ in anchors), Rect(0, 0, 110, 60), anchors)
    led, arrows = route_arrows_around(row, [Arrow("3", "1", "loop", sun)])
    out, back = led.items[4:]
    assert isinstance(out, PlacedSymbol) and isinstance(back, PlacedSymbol)
    assert out.symbol == back.symbol == sun
    assert out.matrix[4] > 110 and back.matrix[4] < 0
    assert (out.matrix[5] - 30, back.matrix[5] - 10) == pytest.approx((12.75, 12.75))
    assert [(arrow.start == "3", arrow.end == "1", arrow.says) for arrow in arrows] == [(True, False, ""), (False, True, "loop")]  # fmt: skip
    draw_arrows(led, arrows, lambda _: WordLine(Group(()), 9.0, 3.0), "red")


def test_an_arrow_around_names_an_icon(project: BookProject) -> None:
    project.body("```figure\nshow: row\nof: [card/c1, card/c2]\narrows: [{from: 2, to: 1, around: sin}]\n```\n")
    (told,) = project.problems()
    assert "there is no icon 'sin'" in told


def test_some_are_lit_and_the_rest_fades(project: BookProject) -> None:
    body = "show: row\nof: [card/c1, card/c2, card/c3, card/c4]\nhighlight: [2]\ndim: rest\n"
    shown = figure(project, body + "arrows: [{from: 2, to: 4, says: beats}]")
    faded = [
        dict(piece.data)["design"]
        for piece, faint in faint_pieces(shown.drawing.items)
        if faint == pytest.approx(FADED)
    ]
    assert faded == ["card/c1", "card/c3"]
    assert said(shown.drawing) == ["beats"]
    assert shown.alt.endswith("; beats")
    assert len([item for item, _ in shapes(shown.drawing.items) if item.stroke == "red"]) == 2  # the halo, the shaft


def faint_pieces(items: tuple[Item, ...], faint: float = 1.0) -> Iterator[tuple[Group, float]]:
    """Each piece with how much of it is left."""
    for item in items:
        if isinstance(item, Group):
            left = faint * item.opacity
            if item.id == "piece":
                yield item, left
            else:
                yield from faint_pieces(item.items, left)


def test_names_that_a_figure_lacks_are_told(project: BookProject) -> None:
    project.body(
        "```figure\nshow: row\nof: [card/c1, card/c2]\nhighlight: [3]\ndim: [nobody]\n"
        "arrows:\n  - {from: 1, to: 21}\n  - {from: 1, too: 2}\n  - 7\n```\n"
    )
    assert project.problems() == [
        f"{FILE}:4: the figure has no '3'; known: 1, 2",
        f"{FILE}:5: the figure has no 'nobody'; known: 1, 2",
        f"{FILE}:7: the figure has no '21'; did you mean '2'?",
        f"{FILE}:8: figure.arrows has no key 'too'; did you mean 'to'?",
        f"{FILE}:8: the figure has no ''; known: 1, 2",
        f"{FILE}:9: figure.arrows must hold mappings, not 7; write mappings",
    ]
    project.body("```figure\nshow: row\nof: [card/c1, card/c2]\ndim: rest\n```\n")
    assert project.problems() == [f"{FILE}:4: `dim: rest` needs something in `highlight`; add `highlight`"]


def test_a_change_has_one_scale_and_level_pieces(project: BookProject) -> None:
    grids = "before: {show: grid, columns: [[card/c1, card/c2]], height: 30}\nafter: {show: grid, columns: [[card/c1]], height: 12}"
    rows = "before: {of: [card/c1], height: 20}\nafter: {of: [card/c1, card/c2], height: 30}"
    for body in (grids, rows):
        shown = list(placed_pieces(figure(project, f"show: change\n{body}").drawing))
        assert len({round(matrix[0], 4) for matrix, _ in shown}) == 1, body
        tops = [round(matrix[5], 2) for matrix, group in shown if dict(group.data)["design"] == "card/c1"]
        assert len(tops) == 2 and len(set(tops)) == 1, body


def test_a_change_shows_both_sides(project: BookProject) -> None:
    """Of an example the table before its moves and after; of two figures these, side by side, each below its word."""
    shown = figure(project, "show: change\nexample: highest\nzones: [hand 1, won 2]\nseat: all\nheight: 12")
    assert said(shown.drawing) == ["Hand 1", "Hand 1", "Won by 2", "before", "after"]
    assert ids(shown.drawing)[:2] == ["card/c3", "card/c9"]
    assert shown.alt.startswith("before: Hand 1: the 3, the 9; after: Hand 1: the 9; Won by 2: ")

    body = "show: change\nbefore: {of: [card/c1, card/c2], arrows: [{from: 1, to: 2}]}\nafter: {of: [card/c2, card/c1]}"
    both = lefts(figure(project, body))
    assert [name for name, _, _ in both] == ["card/c1", "card/c2", "card/c2", "card/c1"]
    assert [x for _, x, _ in both] == sorted(x for _, x, _ in both)
    assert len({y for _, _, y in both}) == 1

    project.body("```figure\nshow: change\nbefore: {of: card/c1}\n```\n")
    assert project.problems() == [
        f"{FILE}:1: a change needs `example`, or `before` and `after`; `after` is missing; add it"
    ]


@pytest.mark.parametrize(("towards", "key"), [("down", (0, 1)), ("up", (0, -1)), ("right", (1, 0)), ("left", (-1, 0))])
def test_a_grid_lies_as_on_the_table(project: BookProject, towards: str, key: tuple[int, int]) -> None:
    body = f"show: grid\ncolumns: [[card/c1, card/c2, card/c3], [card/c4]]\ntowards: {towards}\nheight: 20\n"
    shown = figure(project, body + "labels: [A, B]\nends: [inside, outside]\nhighlight: [1 2]")
    found = {name: (x, y) for name, x, y in lefts(shown)}
    first, second, third = (found[f"card/c{at}"] for at in (1, 2, 3))
    assert sorted(said(shown.drawing)) == ["A", "B", "inside", "outside"]
    for one, other in ((first, second), (second, third)):
        step = (other[0] - one[0], other[1] - one[1])
        assert [(value > 0) - (value < 0) for value in step] == list(key)
    order = [name for name, _, _ in lefts(shown)]
    assert (order.index("card/c1") < order.index("card/c3")) == (towards in ("down", "right"))


def test_a_grid_of_zones(project: BookProject) -> None:
    shown = figure(project, "show: grid\nexample: highest\nseat: all\nzones: [[hand 1, hand 2], deck]")
    assert ids(shown.drawing)[:4] == ["card/c3", "card/c9", "card/c4", "card/c8"]
    assert said(shown.drawing) == ["Hand 1", "Deck"]
    project.body("```figure\nshow: grid\ncolumns: [[card/c1]]\nlabels: [A, B]\nends: [in]\n```\n")
    assert project.problems() == [f"{FILE}:4: there are 1 columns and 2 labels; give each its own"]
    project.body("```figure\nshow: grid\ncolumns: [[card/c1]]\nends: [in]\n```\n")
    assert project.problems() == [f"{FILE}:4: there are two ends, not 1; write `ends: [first, last]`"]


def test_a_path_has_two_ends_and_a_next_place(project: BookProject) -> None:
    body = "show: path\nof: [card/c1, card/c2]\nends: [past, future]\nnext: 2\nhighlight: [next]"
    shown = figure(project, body)
    (_, first, _), (_, second, _) = lefts(shown)
    dashed = next(box for item, box in shapes(shown.drawing.items) if item.dash)
    assert first + 30 * 20 / 60 < dashed.x + 15
    assert first < dashed.x < dashed.right < second
    assert said(shown.drawing) == ["past", "future"]


def test_the_examples_of_the_page_are_figures(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "rulebook.md").read_text(encoding="utf-8")
    section = text.split("## Figures that explain")[1].split("\n## ")[0]
    blocks = re.findall(r"^````\n(.*?)^````$", section, re.DOTALL | re.MULTILINE)
    for name in ("data", "templates", "fonts"):
        for folder in ("fortuna", "common") if name != "fonts" else ("",):
            if (ROOT / name / folder).exists():
                shutil.copytree(ROOT / name / folder, tmp_path / name / folder)
    glossary = (ROOT / "data" / "fortuna" / "glossary.yaml").read_text(encoding="utf-8")
    terms = " ".join(f"[[{term}]]" for term in re.findall(r"^  ([a-z_]+):$", glossary, re.MULTILINE))
    (tmp_path / "templates" / "fortuna" / "rulebook.en.md").write_text("\n\n".join([*blocks, terms]), encoding="utf-8")
    project = find_project(tmp_path)
    game = load_game(project.find_folder("fortuna"), project.resources)

    book = read_book(Workshop(game, project.resources), "en", RulebookPlay(game, lambda: None))

    figures = [block for block in book.blocks if isinstance(block, Figure)]
    assert len(figures) == len(blocks) == 5
    assert [len(one.key) for one in figures] == [3, 0, 0, 0, 0]


GRIDS = "before:\n    show: grid\n    zones: [hand 1]\n  after:\n    show: grid\n    zones: [won 2]"


def test_an_examples_change_shows_what_its_sides_ask_for(project: BookProject) -> None:
    project.body(f"```example highest\nfigure:\n  show: change\n  {GRIDS}\n```\n")
    (box,) = project.book().blocks
    assert isinstance(box, Box)
    shown = box.blocks[-1]
    assert isinstance(shown, Figure)
    assert ids(shown.drawing) == ["card/c3", "card/c9", "card/c3", "card/c8"]
    tops = [round(matrix[5], 2) for matrix, _ in placed_pieces(shown.drawing)]
    assert tops[0] < tops[1] and tops[2] < tops[3], "each card covers the one before it, head in sight"
    alone = figure(project, f"show: change\nexample: highest\n{GRIDS.replace('  after', 'after')}")
    assert ids(alone.drawing) == ids(shown.drawing)


def test_half_a_change_of_an_example_is_told(project: BookProject) -> None:
    project.body("```example highest\nfigure: {show: change, before: {zones: [hand 1]}}\n```\n")
    assert project.problems() == [
        f"{FILE}:2: a change needs `example`, or `before` and `after`; `after` is missing; add it"
    ]
    project.body("```figure\nshow: change\nbefore: {of: card/c1, callouts: {number: N.}}\nafter: {of: card/c2}\n```\n")
    assert [problem.partition(";")[0] for problem in project.problems()] == [
        f"{FILE}:3: figure.before has no key 'callouts'"
    ]


UNREAD = [
    ("of: [card/c1]\ntowards: left", "3: `towards` says nothing in a row; leave it out; it goes with `show: grid`"),
    ("show: one\nof: card/c1\nplayers: 2", "4: `players` says nothing in a one; leave it out"),
    ("show: one\nof: [card/c1, card/c2]", "3: a figure of one piece shows one, not 2; name one, or use `show: row`"),
    ("show: grid\ncolumns: [[card/c1]]\nzones: [hand 1]", "4: `zones` says nothing beside `columns`"),
    ("example: highest\nplayers: 3", "3: `players` says nothing beside `example`, which has its own"),
    ("players: 3\nafter: true", "3: `after` says nothing without `example`"),
    ("example: highest\nonly: [hand]", "3: `only` says nothing without `laid: table`"),
    ("show: change\nexample: highest\nafter: true", "4: `after` says nothing in a change, which shows both"),
    ("example: highest\nzones: [hand 1, hnad 2]", "3: the situation has no zone 'hnad 2'; choose from "),
    ("example: highest\nzones: [hand 1]\nhidden: [dekc]", "3: the situation has no zone 'dekc'; choose from "),
]


@pytest.mark.parametrize(("body", "message"), UNREAD)
def test_what_says_nothing_in_a_figure_is_told(project: BookProject, body: str, message: str) -> None:
    project.body(f"```figure\n{body}\n```\n")
    (problem,) = project.problems()
    assert problem.startswith(f"{FILE}:{message}")


def test_an_empty_column_keeps_its_place(project: BookProject) -> None:
    full = figure(project, "show: grid\ncolumns: [[card/c1], [card/c2]]\nlabels: [a, b]")
    body = "show: grid\ncolumns: [[card/c1], [], [card/c2]]\nlabels: [a, x, b]\nhighlight: [2]"
    shown = figure(project, body)
    dashed = [box for shape, box in shapes(shown.drawing.items) if shape.dash]
    assert ids(shown.drawing) == ["card/c1", "card/c2"] and said(shown.drawing) == ["a", "x", "b"]
    assert [(round(box.width, 1), round(box.height, 1)) for box in dashed] == [(19.4, 29.4)]
    assert shown.drawing.width > full.drawing.width + 20
    assert "x: –" in shown.alt
    zones = figure(project, "show: grid\nexample: highest\nzones: [hand 1, won 1]\nseat: all")
    assert len([shape for shape, _ in shapes(zones.drawing.items) if shape.dash]) == 1
