"""A stranger's dice, pawns and coins: drawn, put on nets or cut round, and placed once for each copy."""

import re
import subprocess
from collections import Counter
from pathlib import Path

import pikepdf
import pytest
from conftest import Pnp, Tool
from tests_support import TinyProject, project_files

from generator.base.display_list import Drawing, TextRun, walk_leaves
from generator.drawing.faces.game_drawing import Workshop
from generator.game.load_game import load_game
from generator.game.model import CUBE_FACES, FaceName
from generator.game.project import find_project
from generator.sheets.pieces import PieceMaker

GAME = "data/tiny/game.yaml"


@pytest.fixture
def table(tiny: TinyProject) -> TinyProject:
    """The tiny game with two kinds of dice, two pawns and a coin."""
    files = project_files("folded")
    tiny.change(GAME, "setup:\n", files["pieces.yaml"])
    tiny.change(GAME, '  red: "#c02020"\n', '  red: "#c02020"\n  night: "#102030"\n')
    for name in ("die", "pawn", "coin"):
        tiny.write(f"templates/tiny/{name}.svg", files[f"templates/tiny/{name}.svg"])
    return tiny


def workshop(project: TinyProject) -> Workshop:
    found = find_project(project.root)
    return Workshop(load_game(found.find_folder("tiny"), found.resources), found.resources)


def placed_forms(pdf: Path) -> Counter[str]:
    """How often each face lies on the pages, by its name and size; one that is drawn on its page is called `here`."""
    count: Counter[str] = Counter()
    with pikepdf.open(pdf) as opened:
        for page in opened.pages:
            forms = page.Resources.get("/XObject", {})
            clip = ""
            for operands, operator in pikepdf.parse_content_stream(page):
                if str(operator) == "re":
                    clip = f"here {float(operands[2]):.0f} x {float(operands[3]):.0f}"
                elif str(operator) == "Do" and str(operands[0]).startswith("/D"):
                    left, top, right, bottom = map(float, forms[str(operands[0])].BBox)
                    count[f"{operands[0]} {right - left:.0f} x {bottom - top:.0f}"] += 1
                    clip = ""
                elif clip and str(operator) not in ("W", "n", "cm"):
                    count[clip] += 1
                    clip = ""
    return count


def test_every_copy_is_placed_and_every_form_written_once(table: TinyProject, pnp: Pnp) -> None:
    """Six dice of two forms, four pawns of two, seven coins with backs, five cards: that many placed, no more."""
    ran = pnp("sheets")
    assert (ran.code, ran.err) == (0, "")
    forms = placed_forms(table.root / "output/tiny/sheets.en.pdf")
    # A 12 mm cube's net is 52.8 x 45.6 mm, a pawn's 25 x 115 mm (both with a millimetre of bleed), a coin 15 mm.
    sizes = sorted((name.split(" ", 1)[1], times) for name, times in forms.items())
    assert sizes == [
        ("18 x 18", 7),
        ("18 x 18", 7),
        ("27 x 117", 1),
        ("27 x 117", 3),
        ("46 x 66", 2),
        ("46 x 66", 3),
        ("55 x 48", 2),
        ("55 x 48", 4),
    ]


def test_all_sides_can_be_read(table: TinyProject, pnp: Pnp, tool: Tool) -> None:
    """The template's `face` says which side it draws: each of a die's six, and a pawn's two."""
    assert pnp("sheets", "--only", "die/*", "--only", "pawn/*", "--copies", "1").code == 0
    pdf = str(table.root / "output/tiny/selection.en.pdf")
    text = subprocess.run([tool("pdftotext"), "-raw", pdf, "-"], capture_output=True, text=True, check=True).stdout
    words = Counter(re.findall(r"\b(front|back|left|right|top|bottom)\b", text.replace("sheet 1 of 1 · front", "")))
    dice = dict.fromkeys(CUBE_FACES, 2)
    assert {side: words[side] - dice[side] for side in CUBE_FACES} == {**dict.fromkeys(CUBE_FACES, 0), "front": 3, "back": 1}  # fmt: skip


def stamps(drawing: Drawing | None) -> str:
    assert drawing is not None
    runs = [leaf for leaf, _ in walk_leaves(drawing.items) if isinstance(leaf, TextRun) and leaf.role == "stamp"]
    return "".join(run.text for run in runs)


def test_a_template_without_face_is_drawn_once(table: TinyProject) -> None:
    """A cube whose sides look alike has one drawing, one stamped form; with `face` in its template it has six."""
    drawn = workshop(table)
    red = next(design for design in drawn.game.designs() if design.id == "die/red")
    assert len({id(drawn.draw_printed("en", red, face)) for face in CUBE_FACES}) == 6
    table.change("templates/tiny/die.svg", "{{ face }}", "x")
    drawn = workshop(table)
    red = next(design for design in drawn.game.designs() if design.id == "die/red")
    assert len({id(drawn.draw_face(red, face, "en")) for face in CUBE_FACES}) == 1
    assert len({id(drawn.draw_printed("en", red, face)) for face in CUBE_FACES}) == 1
    assert drawn.problems == ()


def test_small_things_keep_their_faces_clean(table: TinyProject) -> None:
    for name in ("die", "coin", "pawn"):
        table.change(f"templates/tiny/{name}.svg", "</svg>", '<stamp x="6" y="11"/></svg>')
    drawn = workshop(table)
    asked: list[tuple[str, FaceName]] = [("die/red", "left"), ("coin/one", "front"), ("pawn/both", "front")]
    for name, face in asked:
        assert stamps(drawn.draw_printed("en", drawn.game.design(name), face)) == "", name


def test_a_new_draft_alone_makes_no_new_net(table: TinyProject) -> None:
    hashes = set()
    for draft in ("1", "2"):
        drawn = workshop(table)
        kind = drawn.game.kinds["pawn"]
        faces = {face: drawn.draw_printed("en", kind.designs[0], face) for face in ("front", "back")}
        net = PieceMaker(kind).make_piece("pawn/both#1", faces).front
        hashes.add(drawn.digest_face(net))
        if draft == "1":
            table.change(GAME, "draft: 1", "draft: 2")
    assert len(hashes) == 1


def test_a_missing_template_is_told_where_it_was_asked_for(table: TinyProject, pnp: Pnp) -> None:
    """One problem for six sides, at the `front:` of the kind."""
    table.change(GAME, "front: die", "front: dei")
    assert pnp("sheets", code=1).said == [
        f"{GAME}:28:12: there is no template 'dei.svg' in templates/tiny or templates/common; did you mean 'die'?"
    ]
