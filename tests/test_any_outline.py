"""Cards with an outline of their own, from the data to sheets, pictures, a shop and Tabletop Simulator."""

import json
import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from conftest import Ran
from PIL import Image
from tests_support import TinyProject

from generator.exchange.simulator_objects import ObjectState
from generator.game.load_game import load_game
from generator.game.project import find_project
from generator.sheets.pieces import choose_lie

Pnp = Callable[..., Ran]
GAME = "data/tiny/game.yaml"
SLOPE = "M 0 0 L 40 0 L 0 60 Z"
PLAIN = """<svg xmlns="http://www.w3.org/2000/svg">
<rect x="-3" y="-3" width="46" height="66" fill="#204060" data-role="ground"/></svg>"""


@pytest.fixture
def sloping(tiny: TinyProject) -> TinyProject:
    """The tiny game with triangles for cards, red behind, their right angle at the left of the front."""
    more = f'    size: [40, 60]\n    outline: "{SLOPE}"\n    back: behind\n'
    tiny.change(GAME, "    size: [40, 60]\n", more)
    tiny.write("templates/tiny/card.svg", PLAIN)
    tiny.write("templates/tiny/behind.svg", PLAIN.replace("#204060", "#c03020"))
    return tiny


def test_pictures_are_cut_along_the_outline(sloping: TinyProject, pnp: Pnp) -> None:
    assert pnp("images", "--lang", "en", "--round").code == 0
    folder = sloping.root / "output/tiny/images"
    front, back = (Image.open(next(folder.glob(f"*.{side}.en.png"))).convert("RGBA") for side in ("front", "back"))
    assert [front.getpixel((x, front.height * 3 // 4))[3] for x in (5, front.width - 6)] == [255, 0]
    assert [back.getpixel((x, back.height * 3 // 4))[3] for x in (5, back.width - 6)] == [0, 255]


def test_each_is_cut_out_by_itself(sloping: TinyProject) -> None:
    """With an outline cards are packed like tokens; those without lie in the rows of a grid."""
    project = find_project(sloping.root)
    kind = load_game(project.find_folder("tiny"), project.resources).kinds["card"]
    assert choose_lie(kind) == "packed"
    assert choose_lie(replace(kind, outline="")) == "rows"


def test_a_shop_that_cuts_straight_leaves_them_out_aloud(sloping: TinyProject, pnp: Pnp) -> None:
    ran = pnp("shop", "--preset", "mb-print")
    assert ran.code == 1
    assert "card can't be ordered: it is cut along an outline, and MB Print cuts straight" in ran.err


def test_they_are_no_deck_on_a_table_of_rectangles(sloping: TinyProject, pnp: Pnp) -> None:
    """Tabletop Simulator's cards are rectangles: these are tokens, cut out, in bags."""
    assert pnp("export", "tts", "--lang", "en").code == 0
    saved = json.loads((sloping.root / "output/tiny/tts/tiny.en.json").read_text(encoding="utf-8"))
    states: list[ObjectState] = saved["ObjectStates"]
    inner = [one for state in states for one in state.get("ContainedObjects", [state])]
    assert {one["Name"] for one in inner} == {"Custom_Token"}


def test_text_keeps_clear_of_the_outline(sloping: TinyProject, pnp: Pnp) -> None:
    """What is inside the box but near the slanting cut is told by the safe zone's check."""
    text = '<text x="21" y="20" font-family="body" font-size="9pt" fill="#ffffff">end</text></svg>'
    sloping.change("templates/tiny/card.svg", "</svg>", text)
    ran = pnp("validate")
    assert "text or icons come nearer to the cut than 3 mm" in ran.out
    assert re.search(r"'end' \d\.\d\d mm out at the right", ran.out)
