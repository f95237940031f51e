"""Cards with outlines and pictures of their own, from the data to sheets, pictures, a shop and Tabletop Simulator."""

import json
import re
from dataclasses import replace

import pytest
from conftest import Pnp
from PIL import Image
from tests_support import TinyProject

from generator.exchange.tabletop_simulator import ObjectState
from generator.game.load_game import load_game
from generator.game.project import find_project
from generator.sheets.pieces import choose_lie

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
    ran = pnp("shop", "--preset", "mb-print", code=1)
    assert "card can't be ordered: its outline is not a rectangle, and MB Print cuts only straight" in ran.err


def test_they_are_no_deck_on_a_table_of_rectangles(sloping: TinyProject, pnp: Pnp) -> None:
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
    assert "text or icons leave the safe zone, 3 mm from the cut" in ran.out
    assert re.search(r"'end' by \d\.\d\d mm at the right", ran.out)


GAME, CARD = "data/tiny/game.yaml", "templates/tiny/card.svg"
FIELD = "      mark: {type: icon, optional: true}\n"
SHOWN = '{% if card.art %}<image href="{{ card.art }}" x="5" y="25" width="25.4" height="25.4"/>{% endif %}</svg>'


@pytest.fixture
def pictured(tiny: TinyProject) -> TinyProject:
    """The tiny game with a field of pictures, which its cards show an inch wide."""
    tiny.change(GAME, FIELD, FIELD + "      art: {type: picture, folder: art/card}\n")
    tiny.change(CARD, "</svg>", SHOWN)
    return tiny


def save(tiny: TinyProject, name: str, pixels: int = 300) -> None:
    path = tiny.write(f"templates/tiny/art/card/{name}", b"")
    form = "GIF" if name.lower().endswith(".gif") else "PNG"
    Image.new("RGB", (pixels, pixels), "red").save(path, form)


def test_pictures_are_found_by_the_designs_ids(pictured: TinyProject, pnp: Pnp) -> None:
    save(pictured, "One.PNG")
    save(pictured, "t wo.gif")
    assert pnp("sheets").code == 0
    ran = pnp("validate")
    assert "card: pictures have at least 200 dpi as they are printed" in ran.out
    assert "2 pictures, the coarsest 300 dpi" in ran.out


def test_what_has_no_picture_is_told_once(pictured: TinyProject, pnp: Pnp) -> None:
    save(pictured, "three.png")
    assert pnp("sheets").said == [
        f"{GAME}:21:12: 2 of 2 designs have no picture in art/card: one, two; "
        "save it as one.png there, name another file in the field, or write `optional: true`"
    ]


def test_what_may_do_without_a_picture_is_left_to_the_checks(pictured: TinyProject, pnp: Pnp) -> None:
    pictured.change(GAME, "folder: art/card}", "folder: art/card, optional: true}")
    save(pictured, "one.png")
    assert pnp("sheets").code == 0
    ran = pnp("validate")
    assert "card: designs have no picture in art/card" in ran.out
    assert "1 of 2: card/two" in ran.out


def test_a_wrong_picture_is_told_at_its_cell(pictured: TinyProject, pnp: Pnp) -> None:
    """Also where the designs stand in a table; the nearest name is offered, and two of one name are told apart."""
    save(pictured, "storm.png")
    save(pictured, "calm.png")
    save(pictured, "Calm.gif")
    designs = (pictured.root / GAME).read_text().partition("    designs:\n")[2].partition("setup:")[0]
    pictured.change(GAME, designs, "")
    pictured.change(GAME, "    designs:\n", "    designs: cards.csv\n")
    pictured.write("data/tiny/cards.csv", "id,count,title,value,art\none,2,One,1,strom\ntwo,3,Two,2,calm\n")

    assert pnp("sheets").said[:2] == [
        "data/tiny/cards.csv:2:5: cell E2, column 'art': is 'strom', but there is no such picture in art/card; did you mean 'storm'?",
        "data/tiny/cards.csv:3:5: cell E3, column 'art': is 'calm', which is 'Calm.gif' and 'calm.png'; write the full name of one of them",
    ]
    pictured.write("data/tiny/cards.csv", "id,count,title,value,art\none,2,One,1,Storm\ntwo,3,Two,2,calm.png\n")
    assert pnp("sheets").code == 0


def test_a_folder_without_pictures_says_where_they_belong(pictured: TinyProject, pnp: Pnp) -> None:
    pictured.change(GAME, "{id: one,", "{id: one, art: storm,")
    hint = "save it there, or write the folder that has the pictures, as `folder: art`"
    assert any(
        said.endswith(f"is 'storm', but there is no such picture in art/card; {hint}") for said in pnp("sheets").said
    )


def test_a_name_that_the_template_makes_of_a_cell_is_told_there(tiny: TinyProject, pnp: Pnp) -> None:
    tiny.change(CARD, "</svg>", '<image href="art/{{ card.title | lower }}.png" width="5"/></svg>')
    tiny.change(GAME, "title: One", "title: Old One")
    tiny.change(CARD, "| lower", "| lower | replace(' ', '-')")
    said = pnp("sheets").said
    assert said[0].startswith(f"{GAME}:22:36: there is no file 'art/old-one.png' in")
    assert "(shown at templates/tiny/card.svg:6:1)" in said[0]
    tiny.change(CARD, "{{ card.title | lower | replace(' ', '-') }}", "{{ card.id.split('/')[1] }}-x")
    tiny.change(CARD, "-x.png", ".png")
    tiny.change(GAME, "title: Old One", "title: First")
    tiny.change(GAME, "title: Two", "title: Second")
    assert [line.partition(": ")[0] for line in pnp("sheets").said[:2]] == [f"{GAME}:22:14", f"{GAME}:23:14"]


def test_coarse_pictures_are_told_by_card(pictured: TinyProject, pnp: Pnp) -> None:
    save(pictured, "one.png", 60)
    save(pictured, "two.png")
    ran = pnp("validate")
    assert "card: pictures have less than 200 dpi as they are printed; use larger ones" in ran.out
    assert "card/one: card/one.png has 60 dpi at 25.4 x 25.4 mm" in ran.out
    assert "card/two:" not in ran.out


def test_a_folder_is_for_pictures(tiny: TinyProject, pnp: Pnp) -> None:
    tiny.change(GAME, "{type: icon, optional: true}", "{type: icon, folder: art, optional: true}")
    assert pnp("sheets").said == [
        f"{GAME}:20:34: `folder` has no effect: only pictures have a folder, but this field has the type icon; "
        "remove it"
    ]


BLANK = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"></svg>'
BARRED = '<svg xmlns="http://www.w3.org/2000/svg">{}</svg>'


def test_every_command_that_draws_says_the_notes_on_art(tiny: TinyProject, pnp: Pnp) -> None:
    tiny.write("templates/tiny/art/blank.svg", BLANK)
    tiny.change(CARD, "</svg>", '<use href="art/blank.svg" x="5" y="5" width="9"/></svg>')
    note = "note: templates/tiny/art/blank.svg: the drawing shows nothing inside its page"
    for words in (("sheets",), ("images", "--dpi", "50"), ("export", "cgs")):
        ran = pnp(*words)
        assert ran.code == 0, ran.said
        assert note in ran.said
    assert "templates/tiny/art/blank.svg paints nothing" in pnp("validate", code=1).out


def test_lines_thinner_than_a_pixel_are_as_light_as_they_are_thin(tiny: TinyProject, pnp: Pnp) -> None:
    """Bars of 0.1 mm every 2 mm darken a picture by a twentieth, at whatever resolution."""
    bars = "".join(
        f'<path d="M {x}.3 -9 V 120" stroke="ink" stroke-width="0.1" fill="none"/>' for x in range(-4, 90, 2)
    )
    ground = '<rect x="-9" y="-9" width="120" height="140" fill="#ffffff" data-role="ground"/>'
    tiny.write(CARD, BARRED.format(ground + bars))
    for dpi in (100, 200, 600):
        ran = pnp("images", "--dpi", str(dpi), "--only", "card/one")
        assert ran.code == 0, ran.said
        (file,) = [tiny.root / line for line in ran.out.splitlines() if "one" in line and line.endswith(".png")]
        with Image.open(file) as picture:
            histogram = picture.convert("L").histogram()
        mean = sum(level * count for level, count in enumerate(histogram)) / sum(histogram)
        assert mean == pytest.approx(255 * 0.95, abs=2.0)
