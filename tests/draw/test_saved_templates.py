"""Templates as drawing programs save them: what changes nothing is accepted, lines of text are filled in."""

import csv
import os
import re
import shutil
import subprocess
from dataclasses import astuple, replace
from pathlib import Path
from typing import Any

import pytest
from face_games import Table, complaints, design, drawn, tale
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageChops, ImageStat
from test_svg_problems import picture

from generator.base.colour import rgb_from_hex
from generator.base.display_list import Drawing, Group, Picture, Shape, TextRun, walk_leaves
from generator.base.geometry import Rect, Size
from generator.base.outlines import bound_items, find_bounds
from generator.commands.new import new_project
from generator.drawing.faces.game_drawing import Workshop
from generator.drawing.pdf.page_images import render_items_png
from generator.drawing.svg.drawing_layout import adapt_layout
from generator.drawing.svg.layout_objects import find_name, join_words, parse_objects
from generator.game.load_game import load_game
from generator.game.model import Design
from generator.game.project import find_project

LAYOUTS = Path(__file__).with_name("layouts")
LINES = LAYOUTS / "inkscape-lines.svg"
SAVED = LINES.read_text("utf-8")
PLAIN = """<g id="layer1" transform="translate(1 2)">
<rect id="rect1" x="4" y="4" width="50" height="30" rx="2" fill="#ffcc00" stroke="#333333" stroke-width="0.5"/>
<g id="text1" fill="#000000" font-family="body"><text x="5" y="50" font-size="4">{{ card.title }}</text>
<text x="5" y="55" font-size="5">together</text></g></g>"""


def saved(root: Path, markup: str, *titles: str) -> list[Drawing]:
    """The fronts of cards with these titles."""
    table = Table(root, tale(*[design(title, title=title) for title in titles]), {"tale/card.svg": markup})
    fronts = [table.draw(number) for number in range(len(titles))]
    assert all(fronts), table.complaints
    return [front for front in fronts if front is not None]


def test_a_drawing_saved_by_inkscape_is_a_template(tmp_path: Path) -> None:
    """It looks like the same card written by hand, also for further cards, which share what their template draws."""
    titles = ("One", "Another", "Third")
    for title, front in zip(titles, saved(tmp_path / "a", SAVED, *titles), strict=True):
        expected = drawn(tmp_path / title, PLAIN, title=title)
        assert [frame.text for frame in front.frames] == [title, "together"]
        assert front.frames == expected.frames
        assert [*walk_leaves(front.items)] == [*walk_leaves(expected.items)]


@pytest.mark.parametrize("given", ["display:inline", "font-variant:normal", "-inkscape-x:y", "visibility:visible"])
def test_properties_that_change_nothing_are_accepted(tmp_path: Path, given: str) -> None:
    drawn(tmp_path / "a", f'<rect width="9" height="9" style="{given}"/>')
    if not given.startswith("-"):
        name = given.partition(":")[0]
        (told,) = complaints(tmp_path / "b", f'<rect width="9" height="9" style="{name}:small-caps"/>')
        assert f"unknown property '{name}' in style" in told


def test_transforms_may_be_properties(tmp_path: Path) -> None:
    expected = drawn(tmp_path / "a", '<rect width="9" height="9" transform="translate(3 4) rotate(90)"/>').items
    moved = '<rect width="9" height="9" style="transform: translate(3px, 4mm) rotate(90deg)"/>'
    assert drawn(tmp_path / "b", moved).items == expected


def layout_table(root: Path, markup: str, *designs: Design) -> Table:
    """A deck whose cards are drawn by a layout; each may have a picture."""
    game = tale(*designs)
    deck = replace(game.kinds["deck"], size=Size(63, 88))
    files: dict[str, str | bytes] = {"tale/card.svg": markup, "tale/p.png": picture(12, 9, "RGB")}
    return Table(root, replace(game, kinds={"deck": deck}), files)


TITLE, TEXT = "Harbour", "Draw two cards, keep one of them, and give the other to the player on your left."


def card(key: str = "one", **fields: Any) -> Design:
    known: dict[str, Any] = {"title": TITLE, "text": TEXT, "picture": "p.png", "cost": 3}
    return design(key, **{**known, **fields})


@pytest.mark.slow
@pytest.mark.parametrize("file", sorted(LAYOUTS.iterdir()), ids=lambda path: path.stem)
def test_the_layouts_of_drawing_programs_make_decks(tmp_path: Path, file: Path) -> None:
    """Each becomes a project. Its table has twenty cards with a title, a text in full, and a picture where it has one."""
    new_project(tmp_path, "deck", "drawing", ("en",), file)
    root, resources = tmp_path / "deck", find_project(tmp_path / "deck").resources
    table = root / "data/deck/cards.csv"
    head = table.read_text("utf-8-sig").splitlines()[0].split(",")
    (root / "templates/deck/p.png").write_bytes(picture(12, 9, "RGB"))

    def fronts(*texts: str) -> list[Drawing | None]:
        rows = [
            {
                "id": f"c{at}",
                "count": 1,
                "title": f"Ship {at}",
                "text": text,
                "picture": at != 7 and "p.png",
                "cost": at,
            }
            for at, text in enumerate(texts)
        ]
        lines = [[str(row[name.removesuffix(".en")] or "") for name in head] for row in rows]
        with table.open("w", encoding="utf-8", newline="") as stream:
            csv.writer(stream).writerows([head, *lines])
        game = load_game(root / "data/deck", resources)
        workshop = Workshop(game, resources)
        drawn_all = [workshop.draw_face(each, "front", "en") for each in game.designs()]
        assert bool(workshop.problems) == (None in drawn_all)
        return drawn_all

    deck = [TEXT[: 30 + at].strip() for at in range(20)]
    for number, (front, text) in enumerate(zip(fronts(*deck), deck, strict=True)):
        assert front is not None
        shown = " ".join(frame.text for frame in front.frames)
        assert f"Ship {number}" in shown and "{" not in shown
        assert ("text.en" in head) == (text in shown)
        if "picture" in head:
            shown_pictures = sum(isinstance(leaf, Picture) for leaf, _ in walk_leaves(front.items))
            assert shown_pictures == (number != 7) + (file.stem == "figma")  # its shadow is a picture
        assert all(re.search("not in the project|has no font|joins them|as a picture", note) for note in front.notes), (
            front.notes
        )
    if file.stem not in ("boxy", "inkscape-lines"):
        assert fronts("word " * 400) == [None]  # what doesn't fit is reported


def without_fields(data: bytes) -> bytes:
    """A layout without the objects that change from card to card."""
    parsed = parse_objects(data)
    assert parsed is not None
    left, done = b"", 0
    for each, (begin, _, end) in parsed[1].items():
        words = join_words(each) if each.tag in ("text", "flowRoot") else ""
        if begin >= done and ("{{" in words or re.match(r"card\.|if:|reference", find_name(each))):
            left, done = left + data[done:begin], end
    return left + data[done:]


@pytest.mark.slow
@pytest.mark.skipif(not (shutil.which("inkscape") or "CI" in os.environ), reason="inkscape is missing")
@pytest.mark.parametrize("file", sorted(LAYOUTS.iterdir()), ids=lambda path: path.stem)
def test_layouts_look_as_in_inkscape(tmp_path: Path, file: Path) -> None:
    """What is the same on all cards differs by less than 2 % on average."""
    new_project(tmp_path, "deck", "drawing", ("en",), file)
    root, resources = tmp_path / "deck", find_project(tmp_path / "deck").resources
    template = root / "templates/deck/card.svg"
    template.write_bytes(without_fields(template.read_bytes()))
    game = load_game(root / "data/deck", resources)
    workshop, kind = Workshop(game, resources), game.kinds["card"]
    front = workshop.draw_face(next(game.designs()), "front", "en")
    assert front is not None, workshop.problems
    bleed = kind.bleed
    box = Rect(-bleed, -bleed, kind.size.width + 2 * bleed, kind.size.height + 2 * bleed)
    width = round(8 * box.width)
    command = [
        "inkscape",
        template,
        "--export-type=png",
        "--export-area-page",
        f"--export-width={width}",
        "--export-background=white",
    ]
    subprocess.run([*command, f"--export-filename={tmp_path / 'inkscape.png'}"], check=True, capture_output=True)
    ours = render_items_png(front.items, box, 8.0, workshop.fonts, rgb_from_hex, Path)
    white = Image.new("RGBA", ours.size, "#ffffff")
    with Image.open(tmp_path / "inkscape.png") as theirs:
        pair = Image.alpha_composite(white, ours).convert("RGB"), theirs.convert("RGB").resize(ours.size)
    difference = ImageStat.Stat(ImageChops.difference(*pair)).mean
    assert sum(difference) / 3 < 0.02 * 255


def drawing(body: str, size: str = 'width="63mm" height="88mm" viewBox="0 0 63 88"') -> str:
    names = 'xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" xmlns:xlink="http://www.w3.org/1999/xlink"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {names} {size}>\n{body}\n</svg>'


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (
            '<g inkscape:groupmode="layer" inkscape:label="Front">\n<text id="t1" x="5" y="9">{{ card.titel }}</text></g>',
            "3: in the object 't1' in the layer 'Front': card has no field 'titel'; did you mean 'title'?",
        ),
        ('<text id="t1" x="5" y="9">{{ card.title }</text>', "2:27: in the object 't1': the `{{` is never closed; write `}}` where it ends"),
        ('<rect inkscape:label="card.art" width="9" height="9"/>', "2: in the object 'card.art': card has no field 'art'"),
        ('<g inkscape:label="if:card.gold"><rect width="9" height="9"/></g>', "2: in the object 'if:card.gold': card has no field 'gold'"),
        (
            '<rect id="f" width="0" height="9"/>\n<text style="shape-inside:url(#f)">{{ card.text }}</text>',
            "3:1: the frame of a text needs a width above 0",
        ),
        ('<g inkscape:label="card.title">\n<text>a</text><text>b</text></g>', "2: 'card.title': it has 2 texts or more than a text; name"),
        ('<g/>\n<g inkscape:label="card.icon"/>', "3: 'card.icon': it has no size in which a picture could be drawn"),
        ('<rect inkscape:label="if:{{ card.cost }}"/>', "2: 'if:{{ card.cost }}': its name may have one expression"),
        ("<script>alert(1)</script>", "2:1: <script> is not supported; templates are drawn, not run"),
        ('<rect width="9" height="9" style="fill:{{ card.title }}"/>', "2:1: unknown colour 'Harbour'"),
    ],
)  # fmt: skip
def test_mistakes_in_layouts_name_their_object(tmp_path: Path, body: str, told: str) -> None:
    table = layout_table(tmp_path, drawing(body), card())
    assert table.draw() is None
    assert table.complaints[0].startswith(f"templates/tale/card.svg:{told}")


def test_a_layout_has_the_size_of_the_card_or_of_its_bleed(tmp_path: Path) -> None:
    rect = '<rect width="20" height="20" fill="#000000"/>'
    for number, (size, corner) in enumerate(
        [
            ('width="63mm" height="88mm" viewBox="0 0 63 88"', (0, 0)),
            ('width="69mm" height="94mm" viewBox="0 0 69 94"', (-3, -3)),
            ('width="815" height="1110"', (-3, -3)),
            ('width="630" height="880"', (0, 0)),
            ('width="60mm" height="90mm" viewBox="0 0 60 90" preserveAspectRatio="xMidYMid slice"', (0, -3.25)),
        ]
    ):
        front = layout_table(tmp_path / str(number), drawing(rect, size), card()).draw()
        assert front is not None
        box = bound_items(front.items)
        assert box is not None
        assert (box.x, box.y) == pytest.approx(corner, abs=0.1)
    table = layout_table(tmp_path / "wrong", drawing(rect, 'width="70mm" height="90mm" viewBox="0 0 70 90"'), card())
    assert table.draw() is None
    assert "the document is 70 x 90 mm, but the card 63 x 88 mm, with bleed 69 x 94 mm; " in table.complaints[0]


def test_names_bind_objects(tmp_path: Path) -> None:
    """An icon is drawn in its object's box, a picture covers it; what is hidden or named `reference` is left out."""
    body = """<g style="display:none"><text x="9" y="9">hidden</text></g>
<g inkscape:label="reference"><text x="9" y="9">reference</text></g>
<circle inkscape:label="card.icon" cx="20" cy="20" r="5"/><rect id="card_x2E_picture_1_" x="5" y="40" width="30" height="9"/>
<text inkscape:label="card.title" x="5" y="60"><tspan style="font-weight:bold">any</tspan></text>"""
    front = layout_table(tmp_path, drawing(body), card(icon="star")).draw()
    assert front is not None
    assert [frame.text for frame in front.frames] == [TITLE]
    (star, matrix), (shown, _) = ((leaf, at) for leaf, at in walk_leaves(front.items) if not isinstance(leaf, TextRun))
    assert isinstance(star, Shape)
    box = find_bounds(star.path, matrix)
    assert box is not None
    assert astuple(box) == pytest.approx((15 + 5 / 6,) * 2 + (25 / 3,) * 2)
    assert isinstance(shown, Picture)
    assert (shown.width, shown.height) == pytest.approx((30, 22.5))


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ('inkscape:label="if:card.cost-3"', False),
        ('inkscape:label="if:card.cost == -1"', False),
        ('id="if:card.cost-2"', True),
        ('id="if:card.cost_2"', True),
        ('id="if_x3A_card_x2E_cost_1_"', True),
    ],
)
def test_numbers_at_the_end_of_a_name(tmp_path: Path, name: str, shown: bool) -> None:
    """Programs number the IDs of copies. In a label they belong to the expression."""
    front = layout_table(tmp_path, drawing(f'<rect {name} width="9" height="9"/>'), card()).draw()
    assert front is not None
    assert bool(front.items) == shown


def test_a_bound_text_follows_its_path(tmp_path: Path) -> None:
    path = '<defs><path id="p" d="M5 20 C20 5 40 5 55 20"/></defs>'
    text = '<text inkscape:label="card.title" style="font-size:5px"><textPath xlink:href="#p">any</textPath></text>'
    front = layout_table(tmp_path, drawing(path + text), card()).draw()
    assert front is not None
    runs = [leaf for leaf, _ in walk_leaves(front.items) if isinstance(leaf, TextRun)]
    assert "".join(run.text for run in runs) == TITLE
    assert len({round(run.angle) for run in runs}) > 3


def test_a_faint_group_makes_its_text_faint_once(tmp_path: Path) -> None:
    text = '<text style="shape-inside:url(#f)">{{ card.text }}</text>'
    body = f'<defs><rect id="f" width="50" height="50"/></defs><g style="opacity:0.5">{text}</g>'
    front = layout_table(tmp_path, drawing(body), card()).draw()
    assert front is not None
    waiting, faint = [*front.items], []
    while waiting:
        item = waiting.pop()
        if isinstance(item, Group):
            waiting += item.items
            faint += [item.opacity] if item.opacity < 1 else []
    assert faint == [0.5]


@given(st.text(alphabet="<>&\"'{}%# \nab/=é", max_size=40), st.sampled_from(["text", "g", "rect"]))
def test_any_file_is_adapted_or_left_alone(words: str, tag: str) -> None:
    """Lines keep their numbers, and nothing is raised."""
    source = drawing(f'<{tag} inkscape:label="card.title">{words}</{tag}>\n<text x="1" y="{words}">{{{{ a }}}}</text>')
    adapted = adapt_layout(source)
    assert adapted.count("\n") == source.count("\n")
