"""Stamps and sheet labels: the program's own words, set exactly where they are asked for, and never in a face's hash."""

from dataclasses import replace
from math import isclose
from pathlib import Path

import pytest
from conftest import ROOT
from face_games import drawn
from hypothesis import given
from hypothesis import strategies as st
from shipped_games import GAMES, faces, workshop
from tests_support import quick

from generator.base.colour import measure_contrast
from generator.base.display_list import Drawing, FaceHasher, Item, StampPlace, TextRun
from generator.base.geometry import MM_PER_PT
from generator.checks.visible_items import Context, find_ink_box, find_leaves
from generator.drawing.faces.face_marks import add_stamps, find_foot_place
from generator.drawing.faces.game_drawing import Workshop
from generator.game.load_game import load_game
from generator.game.project import find_project
from generator.text.fonts import Font, FontChain
from generator.text.set_text import Labeller

CLEAR = 0.5
"""mm between a stamp and what is read."""


def typeset(text: str, place: StampPlace) -> tuple[Item, ...]:
    return (TextRun(place.x, place.y, place.size, "font", (1,), (text,), angle=place.angle, role="stamp"),)


def stamps(drawing: Drawing) -> list[tuple[float, float, float]]:
    """x, y and angle of each stamp on a face."""
    return [(run.x, run.y, run.angle) for run in drawing.items if isinstance(run, TextRun) and run.role == "stamp"]


def test_every_place_gets_the_stamp(tmp_path: Path) -> None:
    body = '<stamp x="30" y="8"/><g transform="rotate(180 30 45)"><stamp x="30" y="8"/></g>'
    drawing = drawn(tmp_path, body)
    assert drawing.stamps == (StampPlace(30, 8), StampPlace(30, 82, angle=180))
    done = add_stamps(drawing, "draft 1", None, typeset)
    assert stamps(done) == [(30, 8, 0), (30, 82, 180)]
    assert done.stamps == ()


@pytest.mark.parametrize(("safe", "inset"), [(1.0, 3.0), (3.0, 3.0), (4.0, 4.0)])
def test_fronts_are_never_without_one(safe: float, inset: float) -> None:
    """One whose template has no stamp gets one at its foot, in the safe zone; a back like that stays as it was drawn."""
    plain = Drawing(60, 90, 3, ())
    project = find_project(ROOT)
    kinds = load_game(project.find_folder("fortuna"), project.resources).kinds
    kind = replace(next(iter(kinds.values())), safe=safe)
    ((x, y, angle),) = stamps(add_stamps(plain, "draft 1", find_foot_place(plain, kind), typeset))
    assert (x, angle) == (30, 0)
    assert 90 - inset - 0.5 < y < 90 - inset - 0.2, "room for what goes below the line"
    assert add_stamps(plain, "draft 1", None, typeset).items == ()


def test_stamps_are_not_part_of_the_hash(tmp_path: Path) -> None:
    drawing = drawn(tmp_path, '<rect width="9" height="9"/><stamp x="30" y="8"/>')
    hasher = FaceHasher(str)
    assert hasher.hash(drawing) == hasher.hash(drawing._replace(stamps=()))
    assert hasher.hash(drawing) != hasher.hash(drawing._replace(items=()))


@pytest.fixture(scope="module")
def fortuna() -> Workshop:
    project = find_project(ROOT, ROOT)
    return Workshop(load_game(project.find_folder("fortuna"), project.resources), project.resources)


def test_a_face_that_is_front_and_back(fortuna: Workshop) -> None:
    front = next(fortuna.game.designs())
    plain = replace(front, front=front.back, fields={})
    same = fortuna.draw_face(plain, "front", "ja")
    assert same is not None
    bare = same._replace(stamps=())
    fortuna.artist.faces[plain.id, "front", "ja"] = fortuna.artist.faces[plain.id, "back", "ja"] = bare
    sides = [fortuna.draw_printed("ja", plain, face) for face in ("back", "front")]
    assert [side is not None and len(stamps(side)) for side in sides] == [0, 2]  # two fonts, so two runs


def test_fortunas_back_is_the_same_upside_down(fortuna: Workshop) -> None:
    """Its stamps are each other's half turn, 4 pt, in the safe zone, and legible on the ground and its lattice."""
    design = list(fortuna.game.designs())[1]
    back = fortuna.draw_face(design, "back", "ja")
    assert back is not None
    one, other = back.stamps
    assert (other.x, other.y) == pytest.approx((back.width - one.x, back.height - one.y))
    assert (one.angle, other.angle) == (0, 180)
    assert one.size == other.size == 4
    assert 3 + 4 * 25.4 / 72 < one.y < back.height - 3
    for ground in ("green", "green_mid"):
        assert measure_contrast(fortuna.hex_of_paint(one.paint), fortuna.hex_of_paint(ground)) >= 3


def test_a_note_stands_before_the_stamp(tmp_path: Path) -> None:
    """What a template says in a stamp is read with draft and hash, each place's own, and a face without stamps lacks it."""
    drawing = drawn(tmp_path, '<stamp x="30" y="8" note="proposal"/><stamp x="30" y="80"/>')
    assert [place.note for place in drawing.stamps] == ["proposal", ""]
    runs = [
        item for item in add_stamps(drawing, "draft 1", StampPlace(30, 87), typeset).items if isinstance(item, TextRun)
    ]
    assert [run.clusters for run in runs] == [("proposal · draft 1",), ("draft 1",)]
    assert drawing.items == ()


@pytest.mark.parametrize("game", quick(GAMES, "fortuna", "journey8"))
def test_no_stamp_of_the_games_touches_text_or_icons(game: str) -> None:
    shop = workshop(game)
    context = Context({}, shop.fonts, shop.draw_silhouette)
    met: dict[str, None] = {}
    for design, face, lang, _ in faces(game):
        printed = shop.draw_printed(lang, design, face)
        assert printed is not None
        seen = [(one, box) for one in find_leaves(printed, context) if (box := find_ink_box(one, context))]
        stamped_at = [box.grow(CLEAR) for one, box in seen if one.role == "stamp"]
        for one, box in seen:
            if one.role in ("text", "icon") and any(box.overlaps(stamp) for stamp in stamped_at):
                what = one.icon or (one.leaf.text if isinstance(one.leaf, TextRun) else "an icon")
                met[f"{design.id} {face} {lang}: {what}"] = None
    assert "\n".join(met) == ""


LATIN, JAPANESE = (
    Font(path, path.read_bytes())
    for path in (ROOT / "fonts/SourceSans3_400Regular.ttf", ROOT / "fonts/BIZUDPGothic_400Regular.ttf")
)
LABELLER = Labeller(FontChain([LATIN, JAPANESE]))


def width(text: str, size: float) -> float:
    """The sum of natural advances, mm."""
    fonts = [LATIN if LATIN.find_glyph(char) else JAPANESE for char in text]
    return (
        sum(font.measure_advance(font.find_glyph(char)) for font, char in zip(fonts, text, strict=True))
        * size
        * MM_PER_PT
        / 1000
    )


def test_each_stretch_of_one_font_is_a_run() -> None:
    """Latin comes from the first font, Japanese from the second, in reading order, a quarter em between them."""
    runs = LABELLER.set("草案2 · ab草", 10.0, 20.0, 6.0, "start", 0.0, "ink", "mark")
    assert [(run.text, run.font) for run in runs] == [
        ("草案", JAPANESE.key), ("2 · ab", LATIN.key), ("草", JAPANESE.key),
    ]  # fmt: skip
    assert [(run.y, run.role, run.paint, run.size) for run in runs] == [(20.0, "mark", "ink", 6.0)] * 3
    quarter = 6.0 * MM_PER_PT / 4
    assert isclose(runs[1].x, 10.0 + width("草案", 6.0) + quarter)
    assert isclose(runs[2].x, 10.0 + width("草案2 · ab", 6.0) + 2 * quarter)
    assert isclose(LABELLER.measure_width("草案2 · ab草", 6.0), width("草案2 · ab草", 6.0) + 2 * quarter)


def test_a_quarter_em_stands_inside_a_run_too() -> None:
    """Where one font has both; none stands beside marks and spaces, nor between Latin words."""
    (run,) = Labeller(FontChain([JAPANESE])).set("席1の 2×3（4", 0.0, 0.0, 6.0, "start", 0.0, "ink", "mark")
    advances = [JAPANESE.measure_advance(glyph) for glyph in run.glyphs]
    more = [round(move - own) for move, own in zip(run.advances, advances, strict=True)]
    assert more == [250, 250, 0, 0, 0, 0, 0, 0, 0]


@pytest.mark.parametrize(("anchor", "share"), [("start", 0.0), ("middle", 0.5), ("end", 1.0)])
def test_the_anchor_is_where_it_is_in_svg(anchor: str, share: float) -> None:
    (run,) = LABELLER.set("sheet 1", 50.0, 5.0, 8.0, anchor, 0.0, "ink", "mark")
    assert isclose(run.x, 50.0 - share * width("sheet 1", 8.0))


@given(st.floats(-360, 360), st.sampled_from(["start", "middle", "end"]))
def test_a_turned_line_stays_on_its_baseline(angle: float, anchor: str) -> None:
    from math import cos, radians, sin

    flat = LABELLER.set("草2草", 0.0, 0.0, 6.0, anchor, 0.0, "ink", "stamp")
    turned = LABELLER.set("草2草", 0.0, 0.0, 6.0, anchor, angle, "ink", "stamp")
    for one, other in zip(flat, turned, strict=True):
        assert isclose(other.x, one.x * cos(radians(angle)), abs_tol=1e-9)
        assert isclose(other.y, one.x * sin(radians(angle)), abs_tol=1e-9)
        assert other.angle == angle


def test_a_character_that_no_font_has_is_shown_as_a_question_mark() -> None:
    """Nothing vanishes silently: the glyph is a `?`, the text stays for readers."""
    (run,) = LABELLER.set("a\U0001f0a1", 0.0, 0.0, 6.0, "start", 0.0, "ink", "mark")
    assert run.glyphs == (LATIN.find_glyph("a"), LATIN.find_glyph("?"))
    assert run.text == "a\U0001f0a1"
