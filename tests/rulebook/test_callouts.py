"""Callouts: numbers around a piece whose lines cross neither each other nor words; the key to them; their mention."""

from itertools import pairwise
from pathlib import Path

import pytest
from figure_parts import figure
from hypothesis import given
from hypothesis import strategies as st
from rulebook_project import BookProject

from generator.base.display_list import Drawing, Group, Item, PlacedSymbol
from generator.base.errors import InvalidInput
from generator.base.geometry import Point, Rect
from generator.books.page.blocks import Paragraph
from generator.books.page.book_pages import typeset_book
from generator.books.rulebook.callouts import MARGIN, PITCH, RADIUS, Leader, Target, place_leaders, spread_evenly
from generator.books.rulebook.inline_text import words_from_text
from generator.books.web_page import make_web_page
from generator.game.rich_text import RING, Icon

CARD = """\
<svg xmlns="http://www.w3.org/2000/svg">
  <rect x="-3" y="-3" width="46" height="66" fill="#f0e8d8" data-role="ground"/>
  <text{number} x="5" y="10" font-family="body" font-size="12pt">{{{{ card.strength }}}}</text>
  <rect{picture} x="5" y="15" width="30" height="30" fill="red"/>
  <g{foot}><circle cx="8" cy="54" r="2" fill="red"/><circle cx="14" cy="54" r="2" fill="red"/></g>
</svg>
"""
NAMED = CARD.format(number=' id="number"', picture=' id="picture"', foot=' id="foot"')
UNNAMED = CARD.format(number="", picture="", foot="")

BODY = """\
show: one
of: card/c8
callouts:
  foot: Two dots. {# typed: as drawn #}
  number: The **strength**.
"""

PIECE = Rect(0, 0, 60, 84)
shares = st.floats(0, 1)
boxes = st.builds(lambda x, y, w, h: Rect(x * 50, y * 74, 2 + w * 8, 2 + h * 8), *[shares] * 4)


@pytest.fixture
def project(tmp_path: Path) -> BookProject:
    made = BookProject(tmp_path)
    made.write("templates/higher/card.svg", NAMED)
    return made


def legs(leader: Leader) -> list[tuple[Point, Point]]:
    """The straight parts of a line, without length left out."""
    return [leg for leg in pairwise((leader.dot, leader.exit, leader.ring)) if leg[0] != leg[1]]


def side(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def cross(one: tuple[Point, Point], other: tuple[Point, Point]) -> bool:
    return side(*one, other[0]) * side(*one, other[1]) < -1e-6 and side(*other, one[0]) * side(*other, one[1]) < -1e-6


@pytest.mark.slow
@given(st.lists(boxes, min_size=1, max_size=9), st.lists(boxes, max_size=6))
def test_leaders_cross_nothing(wanted: list[Rect], words: list[Rect]) -> None:
    """They cross neither each other nor words, numbers stand apart around the piece, in reading order; or it is told."""
    targets = [Target(f"part-{at}", box) for at, box in enumerate(wanted)]
    try:
        made = place_leaders(targets, PIECE, words)
    except InvalidInput:
        return

    assert sorted(one.name for one in made) == sorted(target.name for target in targets)
    for at, one in enumerate(made):
        for other in made[:at]:
            assert not any(cross(leg, more) for leg in legs(one) for more in legs(other))
            apart = abs(one.ring[0] - other.ring[0]) + abs(one.ring[1] - other.ring[1])
            assert apart >= 2 * RADIUS - 1e-6
        assert PIECE.grow(MARGIN).contains(Rect(*one.ring, 0, 0).grow(RADIUS), slack=RADIUS + 1e-6)
        over = Rect(
            min(one.dot[0], one.exit[0]),
            min(one.dot[1], one.exit[1]),
            abs(one.dot[0] - one.exit[0]),
            abs(one.dot[1] - one.exit[1]),
        )
        assert over.width == 0 or over.height == 0
        own = wanted[int(one.name[5:])].grow(0.3)
        assert not any(
            over.overlaps(word) for word in words if not own.contains(word.grow(0.3)) and not own.contains(word)
        )
    places = [(round((box.y + box.height / 2) / 3), box.x) for box in (wanted[int(one.name[5:])] for one in made)]
    assert places == sorted(places)


@given(st.lists(st.floats(0, 80), max_size=12))
def test_places_are_spread(wanted: list[float]) -> None:
    places = spread_evenly(sorted(wanted), 0, 80)
    assert all(other - one >= PITCH - 1e-6 for one, other in pairwise(places))
    if places and (len(places) - 1) * PITCH <= 80:
        assert places[0] >= -1e-6
        assert places[-1] <= 80 + 1e-6
    alone = [place for place in sorted(wanted) if 0 <= place <= 80]
    if len(alone) == 1 == len(wanted):
        assert places == pytest.approx(alone)


def rings(drawing: Drawing) -> list[str]:
    """The numbers in a figure."""

    def found(items: tuple[Item, ...]) -> list[str]:
        here = []
        for item in items:
            if isinstance(item, PlacedSymbol) and item.symbol.name.startswith(RING):
                here.append(item.symbol.name.removeprefix(RING))
            elif isinstance(item, Group):
                here += found(item.items)
        return here

    return found(drawing.items)


def test_a_figure_has_its_numbers_and_their_words(project: BookProject) -> None:
    """Numbers go down the side, the words follow them as rich text, and who can't see the picture is told both."""
    shown = figure(project, BODY)
    assert rings(shown.drawing) == ["1", "2"]
    assert [words_from_text(text) for text in shown.key] == ["The strength.", "Two dots."]
    assert [getattr(inline, "bold", False) for inline in shown.key[0]] == [False, True, False]
    assert shown.alt == "the 8; 1: The strength.; 2: Two dots."
    assert [place.line for place in shown.origin.parts if place] == [6, 5]


def test_a_text_prints_the_number_of_a_part(project: BookProject) -> None:
    again = BODY.replace("  number: The **strength**.\n", "")
    project.body(f"At {{callout:foot}}.\n\n```figure\n{BODY}```\n\n```figure\n{again}```\n\n{{callout:foot}} there.\n")
    first, _, _, last = project.book().blocks
    assert isinstance(first, Paragraph)
    assert isinstance(last, Paragraph)
    assert [inline.name for inline in first.text if isinstance(inline, Icon)] == [f"{RING}2"]
    assert [inline.name for inline in last.text if isinstance(inline, Icon)] == [f"{RING}1"]


def test_what_is_called_out_must_be_there(project: BookProject) -> None:
    file = "templates/higher/rulebook.en.md"
    project.body(f"```figure\n{BODY.replace('number:', 'numbr:')}```\n\n{{callout:fot}}\n")
    assert project.problems() == [
        f"{file}:6: the 8 has no part 'numbr'; did you mean 'number'?",
        f"{file}:9: no figure calls out 'fot'; give a figure `callouts:`",
    ]
    project.body(f"```figure\n{BODY}```\n\n{{callout:fot}}\n")
    assert project.problems() == [f"{file}:9: no figure calls out 'fot'; did you mean 'foot'?"]
    project.body("```figure\nshow: one\nof: card/c8\nside: beside\ncallouts: {}\n```\n")
    assert project.problems() == [
        f"{file}:4: a figure with callouts can't be in a `side` column; leave `side` out: its key needs that space",
        f"{file}:5: there is nothing in callouts; write `callouts: {{part: words}}`",
    ]
    project.write("templates/higher/card.svg", UNNAMED)
    project.body("```figure\nshow: one\nof: card/c8\ncallouts: {foot: Dots.}\n```\n")
    assert project.problems() == [f"{file}:4: the 8 has no part 'foot'; give an element of its template an id=\"...\""]


def test_a_line_that_crosses_words_is_told(project: BookProject) -> None:
    around = "".join(
        f'<text x="{x}" y="{y}" font-family="body" font-size="30pt">{words}</text>'
        for x, y, words in ((2, 12, "MMM"), (2, 58, "MMM"), (1, 35, "M"), (28, 35, "M"))
    )
    face = (
        f'{UNNAMED.replace("</svg>", "")}{around}<rect id="gem" x="17" y="29" width="3" height="3" fill="red"/></svg>'
    )
    project.write("templates/higher/card.svg", face)
    project.body("```figure\nshow: one\nof: card/c8\ncallouts: {gem: A gem.}\n```\n")

    assert project.problems() == [
        "templates/higher/rulebook.en.md:4: every line to 'gem' would cross words; leave it out, or show the "
        "piece by itself"
    ]


def test_the_key_is_a_list(project: BookProject) -> None:
    project.body(f"# Cards\n\n```figure\n{BODY}```\n")
    _, workshop = project.workshop()
    book = project.book()
    pages = typeset_book(book, workshop, "A5", "red").pages
    kinds = {tag.kind for page in pages for item in page.items if isinstance(item, Group) for tag in item.tags}
    assert {"Figure", "L", "LI", "Lbl", "LBody"} <= kinds
    web = make_web_page(book, workshop, "red")
    assert '<ol class="key">\n<li>The <strong>strength</strong>.</li>\n<li>Two dots.</li>\n</ol>' in web


def test_a_name_changes_no_print(project: BookProject) -> None:
    game, workshop = project.workshop()
    named = [
        workshop.digest_face(face) for design in game.designs() if (face := workshop.draw_face(design, "front", "en"))
    ]
    project.write("templates/higher/card.svg", UNNAMED)
    game, workshop = project.workshop()
    unnamed = [
        workshop.digest_face(face) for design in game.designs() if (face := workshop.draw_face(design, "front", "en"))
    ]
    assert len(set(named)) == 20
    assert named == unnamed


def test_a_line_gives_way_to_another() -> None:
    targets = [Target("free", Rect(20, 40, 2, 2)), Target("bound", Rect(10, 44, 2, 2))]
    words = [Rect(6, 43, 2, 5), Rect(14, 43, 2, 5), Rect(8, 50, 6, 2)]
    made = {one.name: one.side for one in place_leaders(targets, PIECE, words)}
    assert {one.name: one.side for one in place_leaders(targets[:1], PIECE, words)} == {"free": "left"}
    assert made == {"bound": "top", "free": "right"}


def test_a_dot_covers_no_small_part() -> None:
    small, large = Rect(20, 40, 3, 3), Rect(60, 20, 20, 20)
    dots = {one.name: one.dot for one in place_leaders([Target("small", small), Target("large", large)], PIECE, [])}
    assert not small.grow(0.8).contains(Rect(*dots["small"], 0, 0))
    assert small.grow(1).contains(Rect(*dots["small"], 0, 0))
    assert large.contains(Rect(*dots["large"], 0, 0))


def test_numbers_follow_the_pieces_and_their_lines() -> None:
    boxes = {
        "foot": Rect(5, 60, 3, 3),
        "2 head": Rect(40, 10, 3, 3),
        "right": Rect(30, 20, 3, 3),
        "left": Rect(5, 20.5, 3, 3),
    }
    made = place_leaders([Target(name, box) for name, box in boxes.items()], PIECE, [])
    assert [one.name for one in made] == ["left", "right", "foot", "2 head"]


def test_places_too_near_each_other_are_spread_around_their_middle() -> None:
    assert spread_evenly([40, 40, 40, 70], 0, 80) == pytest.approx([40 - PITCH, 40, 40 + PITCH, 70])


def test_the_cover_shows_no_callouts(project: BookProject) -> None:
    project.body(f"```cover\n{BODY}```\n")
    assert project.problems() == [
        "templates/higher/rulebook.en.md:5: the cover has no room for a key; show the callouts in a figure of the text"
    ]


def test_a_piece_is_called_out_by_its_number(project: BookProject) -> None:
    shown = figure(project, "show: row\nof: [card/c1, card/c2]\ncallouts: {2: Its neighbour.}")
    assert [words_from_text(text) for text in shown.key] == ["Its neighbour."]
