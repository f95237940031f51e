"""`pnp showcase` and `pnp pack`: pictures in the sizes that pages ask for, an archive that is the same each time."""

import io
import zipfile
from dataclasses import replace
from math import isclose
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from conftest import Pnp
from PIL import Image
from tests_support import TinyProject

from generator.base.display_list import Drawing, Group, Shape, walk_leaves
from generator.base.geometry import Rect, map_point
from generator.base.outlines import find_bounds
from generator.drawing.faces.game_drawing import Workshop
from generator.game.load_game import load_game
from generator.game.preset_files import find_preset
from generator.game.presets import PictureSize, ShopPictures
from generator.game.project import find_project
from generator.production.scenes import Exhibit, draw_exhibit, draw_table, make_placement_matrix, scale_path
from generator.production.showcase import Selection, Showcase, add_grounds, picture_size_mm

PAGE = """\
id: corner-page
kind: pictures
name: A page
source: its form
date: 2026-01-31
verified: true
pictures:
  - {id: cover, name: cover, pixels: [126, 100], scene: fan, titled: true}
  - {id: box, name: box, pixels: [120, 120], scene: box}
"""


def paged(tiny: TinyProject) -> TinyProject:
    tiny.write("presets/corner-page.yaml", PAGE)
    return tiny


def showcase_of(tiny: TinyProject, *pictures: PictureSize) -> Showcase:
    """The pictures of the tiny game."""
    project = find_project(tiny.root)
    game = load_game(project.find_folder("tiny"), project.resources)
    workshop = Workshop(add_grounds(game, pictures, Workshop(game, project.resources)), project.resources)
    return Showcase(workshop, Selection(workshop, game, tuple(game.designs()), "en"), "en")


def made(tiny: TinyProject, pnp: Pnp, *more: str, out: str = "made") -> dict[str, bytes]:
    """The files that `pnp showcase` makes of the tiny game for its page, by name."""
    ran = pnp("showcase", "tiny", "--preset", "corner-page", "--out", str(tiny.root / out), *more)
    assert ran.code == 0, ran.err
    return {path.name: path.read_bytes() for path in sorted((tiny.root / out / "tiny" / "showcase").iterdir())}


@pytest.mark.slow
def test_a_page_gets_its_pictures_to_the_pixel(tiny: TinyProject, pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(paged(tiny).root)
    first, second = made(tiny, pnp), made(tiny, pnp, out="again")
    assert first == second
    sizes = {name: Image.open(io.BytesIO(data)).size for name, data in first.items()}
    assert sizes == {"corner-page-cover.en.png": (126, 100), "corner-page-box.en.png": (120, 120)}


def test_the_ground_is_the_games_own(tiny: TinyProject, pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    ground = (
        '<svg xmlns="http://www.w3.org/2000/svg"><rect width="{{ width }}" height="{{ height }}" fill="#0000ff"/>'
        '<g id="scene"><rect x="8" y="8" width="10" height="10" fill="#00ff00"/></g></svg>'
    )
    tiny.write("templates/tiny/showcase.svg", ground)
    monkeypatch.chdir(paged(tiny).root)
    picture = Image.open(io.BytesIO(made(tiny, pnp)["corner-page-cover.en.png"])).convert("RGB")
    assert picture.getpixel((2, 2)) == picture.getpixel((120, 95)) == (0, 0, 255)
    assert (0, 255, 0) not in [colour for _, colour in picture.getcolors(100_000) or ()]


def test_things_lie_in_the_templates_frame(tiny: TinyProject) -> None:
    for pixels in ((400, 200), (200, 400), (300, 300)):
        picture = PictureSize("one", "one", pixels, "fan", titled=True)
        drawing = showcase_of(tiny, picture).draw_picture(picture)
        assert drawing is not None
        size = picture_size_mm(picture)
        frame = Rect(0, 0.25 * size.height, size.width, 0.75 * size.height)
        faces = face_boxes(drawing)
        assert len(faces) == 2
        assert all(frame.contains(box, 0.01) for box in faces), pixels


def face_boxes(drawing: Drawing) -> list[Rect]:
    """Where the faces' hairlines lie in a picture."""
    found = []
    for leaf, at in walk_leaves(drawing.items):
        if isinstance(leaf, Shape) and leaf.stroke and leaf.width == 0.12:
            box = find_bounds(leaf.path, at)
            assert box is not None
            found.append(box)
    return found


def a_thing(width: float = 40.0, height: float = 60.0) -> Exhibit:
    return Exhibit(Drawing(width, height, 0.0, ()), f"M 0 0 L {width} 0 L {width} {height} L 0 {height} Z", 0.0, 0.3)


def test_light_comes_from_one_side() -> None:
    for turn in (0, 37, 90, 200):
        shadow, *_ = draw_exhibit(a_thing(), make_placement_matrix(100, 100, turn))
        assert isinstance(shadow, Group)
        x, y = map_point(shadow.matrix, (20, 30))
        middle = map_point(make_placement_matrix(100, 100, turn), (20, 30))
        assert x > middle[0] and y > middle[1], turn


def test_a_full_table_covers_its_frame() -> None:
    frame = Rect(10, 20, 300, 150)
    for number, covers in ((30, True), (3, False)):
        drawing = Drawing(400, 300, 0.0, tuple(draw_table([a_thing() for _ in range(number)], frame)))
        boxes = face_boxes(drawing)
        assert len(boxes) == number
        reach = (min(box.x for box in boxes) < frame.x, max(box.right for box in boxes) > frame.right)
        down = (min(box.y for box in boxes) < frame.y, max(box.bottom for box in boxes) > frame.bottom)
        assert (all(reach) and all(down)) is covers
        assert any((*reach, *down)) is covers


def test_a_path_grows_around_its_middle() -> None:
    box = find_bounds(scale_path("M 10 10 L 30 10 L 30 20 Z", 2.0))
    assert box is not None
    assert all(map(isclose, (box.x, box.y, box.width, box.height), (8, 8, 24, 14)))


def test_only_picks_what_is_shown(tiny: TinyProject) -> None:
    """Without `--only` cards come from all over the list; of those that it names the first are held, in their order."""
    more = "".join(f"      - {{id: c{n}, count: 1, title: C{n}, value: {n}}}\n" for n in range(4))
    tiny.change("data/tiny/game.yaml", "setup:\n", f"{more}setup:\n")
    tiny.change("data/tiny/game.yaml", "    stated: 5\n", "")
    choice = showcase_of(tiny).choice
    faces = [choice.workshop.draw_face(design, "front", "en") for design in choice.designs]
    asked = replace(choice, designs=choice.designs[1:], asked=True)
    assert [one.face for one in choice.pick_fronts(3)] == [faces[0], faces[2], faces[4]]
    assert [one.face for one in asked.pick_fronts(3)] == [faces[1], faces[2], faces[3]]


def test_a_page_is_told_of_its_slips(tiny: TinyProject, pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(paged(tiny).root)
    tiny.change("presets/corner-page.yaml", "id: box,", "id: cover,")
    assert "presets/corner-page.yaml:9:10: the id 'cover' is given twice; rename one of them" in pnp("showcase").err
    tiny.change("presets/corner-page.yaml", "scene: box", "scene: bax")
    assert "presets/corner-page.yaml:9" in pnp("showcase").err
    assert "the preset 'plain-a4' is a paper, not a pictures" in pnp("showcase", "--preset", "plain-a4").err


def test_unconfirmed_figures_of_a_page_are_reported(
    tiny: TinyProject, pnp: Pnp, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A picture may have the wrong size for a page whose figures nobody has confirmed: `pnp showcase` warns."""
    paged(tiny).change("presets/corner-page.yaml", "verified: true", "verified: [pictures.cover]")
    monkeypatch.chdir(tiny.root)
    assert (
        "warning: presets/corner-page.yaml: the preset corner-page has unconfirmed figures"
        in pnp("showcase", "--preset", "corner-page").err
    )


@pytest.mark.slow
def test_an_archive_with_pictures_of_unconfirmed_sizes_is_warned_of(
    tiny: TinyProject, pnp: Pnp, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`pnp pack` names the figures of its page that nobody has confirmed; the archive is there."""
    tiny.write(
        "presets/itch-page.yaml",
        PAGE.replace("corner-page", "itch-page").replace("verified: true", "verified: [pictures.cover]"),
    )
    monkeypatch.chdir(tiny.root)
    ran = pnp("pack", "tiny", "--paper", "A4")
    assert ran.code == 0
    assert "warning: presets/itch-page.yaml: the preset itch-page has unconfirmed figures" in ran.err


def test_shipped_pages_name_what_nobody_has_confirmed() -> None:
    resources = find_project(Path(__file__).parent).resources
    itch, crafter = (find_preset(resources, name, "pictures") for name in ("itch-page", "the-game-crafter-page"))
    assert isinstance(itch, ShopPictures)
    assert {one.id: one.pixels for one in itch.pictures}["cover"] == (630, 500)
    assert "pictures.cover" not in itch.unverified
    assert "pictures.backdrop" in crafter.unverified


def packed(tiny: TinyProject, pnp: Pnp, out: str) -> bytes:
    ran = pnp("pack", "tiny", "--out", str(tiny.root / out))
    assert ran.code == 0, ran.err
    return (tiny.root / out / "tiny" / "tiny-print-and-play-1.zip").read_bytes()


def test_an_archive_holds_all_that_players_need(tiny: TinyProject, pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    """Clean sheets on both papers, pictures, licence and a read-me that names each file; the same bytes each time."""
    tiny.write("presets/itch-page.yaml", PAGE.replace("corner-page", "itch-page"))
    monkeypatch.chdir(tiny.root)

    data = packed(tiny, pnp, "first")

    assert data == packed(tiny, pnp, "second")
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        names = archive.namelist()
        readme = archive.read("tiny-print-and-play-1/readme.en.txt").decode()
        licence = archive.read("tiny-print-and-play-1/licence.en.txt").decode()
        sheets = archive.read("tiny-print-and-play-1/en/tiny-sheets-letter.en.pdf")
        thumbnail = Image.open(io.BytesIO(archive.read("tiny-print-and-play-1/en/tiny-thumbnail.en.png")))
    assert thumbnail.size == (63, 50)
    assert pnp("sheets", "tiny", "--clean", "--cover-sheet", "--paper", "Letter").code == 0
    assert sheets == (tiny.root / "output/tiny/sheets.en.pdf").read_bytes()
    assert {name.rpartition("/")[2] for name in names} == {
        *("readme.en.txt", "licence.en.txt"),
        *(f"tiny-sheets-{paper}{look}.en.pdf" for paper in ("a4", "letter") for look in ("", "-low-ink", "-fold")),
        *(f"tiny-{what}-{paper}.en.pdf" for paper in ("a4", "letter") for what in ("components", "boxes")),
        *("tiny-cover.en.png", "tiny-thumbnail.en.png", "tiny-box.en.png"),
    }
    assert all(name.rpartition("/")[2] in readme for name in names if "/en/" in name)
    assert licence == "Somebody\nall rights reserved\n"
    assert "all rights reserved" in readme


@pytest.mark.slow
def test_no_archive_without_a_licence(tiny: TinyProject, pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who downloads it must know what may be done with it: the problem says what to add, and nothing is written."""
    monkeypatch.chdir(tiny.root)
    tiny.change("data/tiny/game.yaml", "licence: all rights reserved\n", "")
    ran = pnp("pack", "tiny")
    assert ran.code == 1
    assert "tiny does not say what others may do with it (en); write `licence:" in ran.err
    assert not (tiny.root / "output").exists()


def test_an_archive_that_is_too_large_is_named(tiny: TinyProject, pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    tiny.write("presets/itch-page.yaml", PAGE.replace("corner-page", "itch-page"))
    monkeypatch.chdir(tiny.root)
    monkeypatch.setattr("generator.production.pack.MOST_MB", 0.01)
    ran = pnp("pack", "tiny", "--paper", "A4")
    assert ran.code == 0 and "tiny: the archive has 0 MB; many sites take 0.01 MB" in ran.err + ran.out


def test_a_sell_sheet_is_one_page_of_the_data(tiny: TinyProject, pnp: Pnp) -> None:
    """Hook, steps, facts, pieces and contact; the minutes of a lab's result only while its data are those of now."""
    tiny.change("data/tiny/game.yaml", "licence:", "contact: ask@example.org\nminutes: 45\nlicence:")
    ran = pnp("pack", "tiny", "--sell-sheet")
    assert ran.code == 1 and not (tiny.root / "output").exists()
    assert ran.said[:-1] == [
        "data/tiny/game.yaml:2:8: tiny has no `hook` for a sell sheet; "
        'write `hook: {en: "One line that makes people want to play."}`',
        "data/tiny/game.yaml:2:8: tiny has no `steps` for a sell sheet; "
        "write `steps: [{en: First ...}, {en: Then ...}, {en: At last ...}]`",
    ]
    steps = "steps: [{en: Draw one.}, {en: Keep one.}, {en: Count all.}]"
    tiny.change("data/tiny/game.yaml", "minutes:", f"hook: {{en: Small cards tell tall tales.}}\n{steps}\nminutes:")
    assert pnp("pack", "tiny", "--sell-sheet", "--paper", "Letter").code == 0
    assert [path.name for path in (tiny.root / "output").rglob("*.*")] == ["sell-sheet.en.pdf"]
    with pikepdf.open(tiny.root / "output/tiny/sell-sheet.en.pdf") as pdf:
        (page,) = pdf.pages
        assert [round(float(side)) for side in page.mediabox[2:]] == [612, 792]
    document = pypdfium2.PdfDocument(tiny.root / "output/tiny/sell-sheet.en.pdf")
    said = " ".join(document[0].get_textpage().get_text_range().split())
    for words in (
        "Small cards tell tall tales.",
        "Draw one.",
        "Keep one.",
        "Count all.",
        "45 minutes",
        "×5",
        "ask@example.org",
    ):
        assert words in said, words
