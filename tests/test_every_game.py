"""Laws that hold for every game that ships: its texts, its columns, and what a changed number changes."""

import re
import shutil
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from conftest import ROOT
from shipped_games import SWEPT, faces, frames
from shipped_games import drawn as workshop
from tests_support import quick

from generator.base.display_list import TextRun
from generator.base.geometry import Rect
from generator.checks.data_checks import run_data_checks
from generator.checks.visible_items import Context, find_ink_box, iter_visible_leaves
from generator.drawing.faces.draw_face import Artist
from generator.drawing.faces.game_drawing import Workshop
from generator.game.load_game import load_game
from generator.game.project import find_project
from generator.rules.registry import load_checks
from generator.text.fonts import FontBook

# Written out here on purpose, independent of the program's own table.
NEVER_FIRST = set(
    "、。，．・：；？！」』）】〉》〕］｝ゝゞ々ー…‥―〜～％℃ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ!?,.:;)]}%”’"
)
NEVER_LAST = set("「『（【〈《〔［｛([{“‘＄￥£")


@pytest.mark.parametrize("game", SWEPT)
def test_no_line_starts_or_ends_with_a_forbidden_character(game: str) -> None:
    seen_lines = 0
    for where, lang, frame in frames(game):
        for line, following in pairwise(frame.lines):
            seen_lines += 1
            assert line.strip(), (where, lang, frame.text)
            assert following.strip()[0] not in NEVER_FIRST, (where, lang, frame.lines)
            assert line.strip()[-1] not in NEVER_LAST, (where, lang, frame.lines)
    assert seen_lines > 20, "the test must see broken lines"


@pytest.mark.slow
@pytest.mark.parametrize("game", SWEPT)
def test_nothing_leaves_its_column(game: str) -> None:
    """The ink of every text lies in a text frame, but for marks that hang by up to one em."""
    drawn = workshop(game)
    context = Context({}, drawn.fonts, drawn.draw_silhouette)
    count = 0
    for design, face, lang, drawing in faces(game):
        boxes = [Rect(f.x, f.y, f.width, f.height).grow(f.size * 25.4 / 72) for f in drawing.frames]
        for one in iter_visible_leaves(drawing):
            ink = find_ink_box(one, context) if isinstance(one.leaf, TextRun) else None
            if ink is not None:
                count += 1
                assert any(box.contains(ink, 0.05) for box in boxes), (design.id, face, lang, one.leaf.text)
    assert count > 20, "the test must see text"


def copy_of(game: str, folder: Path) -> Path:
    """A project of its own with one game in it."""
    for name in (f"data/{game}", f"templates/{game}", "templates/common"):
        shutil.copytree(ROOT / name, folder / name)
    return folder


def named_checks_of(project: Path, game: str) -> dict[str, tuple[str, str]]:
    """Status and figures of the game's own checks."""
    found = find_project(project)
    loaded = load_game(found.find_folder(game), found.resources)
    compute = Artist(loaded, found.resources, FontBook({}, lambda _name: None)).compute_value
    checks = run_data_checks(loaded, compute, load_checks(loaded), "en")
    return {check.id: (check.status, check.figures) for check in checks}


def digests(drawn: Workshop) -> dict[tuple[str, str, str], str]:
    faces = drawn.draw_all(drawn.game.designs(), drawn.game.languages)
    assert drawn.problems == ()
    return {key: drawn.digest_face(drawing) for key, drawing in faces.items() if drawing is not None}


@cache
def as_shipped(game: str) -> tuple[dict[tuple[str, str, str], str], dict[str, tuple[str, str]]]:
    """Faces and checks of a game before anything is changed in it, found out once for all changes."""
    return digests(workshop(game)), named_checks_of(ROOT, game)


RED_EVENTS = {f"event/red-{number} front" for number in range(1, 7)}
CHANGES = [
    ("fortuna", "rules.yaml", r"hand:     &hand 7", "hand:     &hand 6", set(), "FC-05"),
    ("fortuna", "rules.yaml", r"end_pile: &end_pile 7", "end_pile: &end_pile 9", {"aid/end-pile front"}, "FC-05"),
    ("fortuna", "rules.yaml", r"refill_minus:     2", "refill_minus:     3", {"aid/summary front"}, "FC-10"),
    ("journey18", "rules.yaml", r"rucksack: \{hand: 2\}", "rucksack: {hand: 3}", {"item/rucksack front"}, "C18-SETUP"),
    ("journey18", "rules.yaml", r"tent: 10\}", "tent: 12}", {"item/tent front", "score_sheet/score-sheet front"}, "C18-ITEMS"),
    ("journey18", "components.yaml", r"\{op: step_black, steps: 1\}", "{op: step_black, steps: 2}", {*RED_EVENTS, "summary/summary back"}, "C18-RESIDUE"),
    ("journey8", "components.yaml", r"\{op: drop, side: sone, n: 4\}", "{op: drop, side: sone, n: 5}", {"bookmark/red-7 front"}, "C8-WORTH"),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "file", "old", "new", "changed", "check"),
    quick(CHANGES, ("fortuna", "rules.yaml", r"refill_minus:     2")),
    ids=[change[3] for change in CHANGES],
)
def test_a_changed_number_changes_its_texts_and_nothing_else(
    tmp_path: Path, game: str, file: str, old: str, new: str, changed: set[str], check: str
) -> None:
    project = copy_of(game, tmp_path)
    before, checked = as_shipped(game)
    path = project / "data" / game / file
    text, times = re.subn(old, new, path.read_text(encoding="utf-8"))
    assert times == 1, old
    path.write_text(text, encoding="utf-8")
    found = find_project(project)
    after = digests(Workshop(load_game(found.find_folder(game), found.resources), found.resources))

    languages = workshop(game).game.languages
    differing = {key for key in before if before[key] != after[key]}
    assert differing == {(*name.split(), lang) for name in changed for lang in languages}
    assert named_checks_of(project, game)[check] != checked[check]
