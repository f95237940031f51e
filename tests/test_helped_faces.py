"""Faces of large decks drawn by several processes: the same bytes and the same problems, whatever becomes of these."""

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from shipped_games import SWEPT
from tests_support import TinyProject, examples

from generator.cache.store import Store
from generator.commands import in_passing
from generator.commands.order import carry_out
from generator.commands.printing import PrintLook
from generator.commands.sheets import SheetsOrder
from generator.errors import ProblemsFound
from generator.faces import helped
from generator.faces.workshop import Printing
from generator.load.project import find_project
from generator.sheets.settings import SheetSettings
from generator.units import Size

ROOT = Path(__file__).parent.parent

pytestmark = pytest.mark.skipif(
    multiprocessing.get_start_method() != "fork", reason="helpers would not know what a test has changed"
)

HEAD = """\
format: 1
title: Tiny
draft: 1
date: 2026-01-31
languages: [en]
players: {fewest: 2, most: 4}
credit: Somebody
licence: all rights reserved
icons:
  star: {name: Star, colour: red}
  drop: {name: Drop}
components:
  card:
    name: Card
    size: [40, 60]
    front: card
    back: card
    fields:
      title: words
      value: {type: integer}
      mark: {type: icon, optional: true}
    designs:
"""
FOOT = """\
palette:
  red: "#c02020"
fonts:
  body: {en: {regular: [SourceSans3_400Regular.ttf], bold: [SourceSans3_700Bold.ttf]}}
"""
TEMPLATE = """\
<svg xmlns="http://www.w3.org/2000/svg">
  <defs><linearGradient id="sky"><stop offset="0" stop-color="#ffeedd"/><stop offset="1" stop-color="#aabbcc"/>
  </linearGradient></defs>
  {% if card.value > 4 %}<rect x="-3" y="-3" width="46" height="66" fill="url(#sky)"/>{% endif %}
  {% if face == "back" %}<circle cx="9" cy="40" r="9" fill="url(#sky)"/>
    <text x="9" y="40" font-family="body" font-size="9pt">µ{% if card.value == 9 %}☃{% endif %}</text>{% endif %}
  <text x="5" y="10" font-family="body" font-size="12pt">{{ card.value }}</text>
  <textbox x="5" y="15" width="30" height="10" font-family="body" font-size="8pt">{{ card.title }}</textbox>
  {% if card.mark %}<use href="icon:{{ card.mark }}" x="15" y="30" width="10" height="10"/>{% endif %}
</svg>
"""
DROP = '<svg viewBox="0 0 100 100"><path d="M50 5 L95 95 L5 95 Z" fill="currentColor"/></svg>\n'

Card = tuple[int, int, str, str]
"""How many, the value, the title, the icon."""

TITLES = (
    "One",
    "5 µm",
    "5 μm",
    "**Bold** µ",
    "Ω",
    "\u2126",
    "☃",
    "so many words " * 9,
    "{nothing}",
    "office-\u00ad",
    "",
)
CARDS = st.lists(
    st.tuples(st.integers(1, 3), st.integers(0, 9), st.sampled_from(TITLES), st.sampled_from(("", "star", "drop"))),
    min_size=1,
    max_size=24,
)
SOUND = st.sampled_from(("One", "5 µm", "5 μm", "**Bold** µ", "Ω", "\u2126", "office-\u00ad"))


@pytest.fixture(autouse=True)
def small_lots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few faces are many here, so that small decks are shared out too."""
    monkeypatch.setattr(in_passing, "FEW_FACES", 0)
    monkeypatch.setattr(helped, "LOT", 3)
    monkeypatch.setattr(helped, "AHEAD", 2)
    monkeypatch.setattr(helped, "AT_HAND", 4)
    monkeypatch.setattr("generator.faces.workshop.AT_HAND", 4)


def project_of(root: Path, cards: list[Card]) -> TinyProject:
    """A project of these cards."""
    project = TinyProject(root)
    designs = [
        f"      - {{id: c{at}, count: {count}, value: {value}, title: {title!r}{f', mark: {mark}' if mark else ''}}}\n"
        for at, (count, value, title, mark) in enumerate(cards)
    ]
    project.write("data/tiny/game.yaml", HEAD + "".join(designs) + FOOT)
    project.write("templates/tiny/card.svg", TEMPLATE)
    project.write("templates/tiny/icons/drop.svg", DROP)
    return project


def printed(
    root: Path,
    processes: int,
    backs: str = "long",
    store: Store | None = None,
    game: str = "tiny",
    *,
    clean: bool = False,
) -> dict[str, bytes] | list[str]:
    """The print sheets by name, or what is wrong."""
    settings = SheetSettings(Size(210.0, 297.0), backs=backs)  # type: ignore[arg-type]
    order = SheetsOrder((), root / "out", sheets=settings, look=PrintLook(clean=clean))
    try:
        made = carry_out(find_project(root), (game,), order, lambda _doing: None, store, processes)
    except ProblemsFound as found:
        assert not list((root / "out").rglob("*.pdf"))
        return [str(problem) for problem in found.problems]
    files = {path.name: path.read_bytes() for path in made.files}
    for path in made.files:
        path.unlink()
    return files


def many(titles: tuple[str, ...] = TITLES[:3]) -> list[Card]:
    """A deck of sound cards for several pages."""
    return [(1 + at % 2, at % 9, titles[at % len(titles)], ("", "star", "drop")[at % 3]) for at in range(60)]


@given(CARDS, st.sampled_from(("none", "long", "fold", "separate")), st.integers(2, 4))
@example(many(), "long", 2)
@example(many(("5 µm", "One", "Two", "5 μm")), "none", 2)
@example([*many(), (1, 9, "Its back has a problem", "")], "none", 2)
@example([*many(), (1, 1, "{nothing}", ""), (1, 1, "☃", ""), *many(("One", "☃"))], "none", 3)
@examples(16)
def test_any_number_of_processes_gives_the_same(
    tmp_path_factory: pytest.TempPathFactory, cards: list[Card], backs: str, processes: int
) -> None:
    """The same bytes, or the same problems in the same order."""
    project = project_of(tmp_path_factory.mktemp("deck"), cards)

    assert printed(project.root, processes, backs) == printed(project.root, 1, backs)


@given(st.lists(st.tuples(st.integers(1, 3), st.integers(0, 8), SOUND, st.sampled_from(("", "star", "drop")))))
@examples(16)
def test_sound_decks_come_out_the_same(tmp_path_factory: pytest.TempPathFactory, cards: list[Card]) -> None:
    """The same where nothing is wrong, which random cards seldom are."""
    project = project_of(tmp_path_factory.mktemp("deck"), [*cards, *many()])
    alone = printed(project.root, 1)

    assert isinstance(alone, dict), alone
    assert printed(project.root, 2) == alone


def test_helpers_draw_clean_faces(tmp_path: Path) -> None:
    """Without stamps faces come out the same, too, and not as those with stamps."""
    project = project_of(tmp_path / "deck", many())
    alone = printed(project.root, 1, clean=True)

    assert printed(project.root, 2, clean=True) == alone
    assert printed(project.root, 2) != alone


@pytest.mark.parametrize("backs", ["long", "separate", "fold", "none"])
@pytest.mark.parametrize("game", SWEPT)
def test_games_come_out_the_same(game: str, backs: str, tmp_path: Path) -> None:
    """All that games have on their faces, shared out among three."""
    settings = SheetSettings(Size(210.0, 297.0), backs=backs)  # type: ignore[arg-type]
    found = []
    for processes in (1, 3):
        order = SheetsOrder((), tmp_path / str(processes), sheets=settings)
        made = carry_out(find_project(ROOT), (game,), order, lambda _doing: None, processes=processes)
        found.append({path.name: path.read_bytes() for path in made.files})

    assert found[0] == found[1]


def test_helpers_draw_most_faces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is tested here is not the one process alone: it draws nothing by itself of a deck that is in order."""
    project = project_of(tmp_path, many())
    alone = printed(project.root, 1)
    monkeypatch.setattr(helped.HelpedFaces, "_drawn", None)

    assert printed(project.root, 2) == alone


@pytest.mark.parametrize("at", [0, 1, 5])
def test_a_helper_that_dies_is_done_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: int) -> None:
    """Killed in the middle, it leaves the rest to the process that asked: the same bytes."""
    project = project_of(tmp_path, many())
    alone = printed(project.root, 1)
    lot = helped._Drawer.lot

    def deadly(drawer: helped._Drawer, wanted: Printing, asked: list[helped.Asked]) -> helped._Lot:
        if any(one == f"card/c{at * 3}" for one, _ in asked):
            os.kill(os.getpid(), signal.SIGKILL)
        return lot(drawer, wanted, asked)

    monkeypatch.setattr(helped._Drawer, "lot", deadly)

    assert printed(project.root, 2) == alone


def test_what_helpers_have_read_is_kept_with_the_files(tmp_path: Path) -> None:
    """A file that only a helper has read is looked at again, too, before sheets of an earlier run are used."""
    project = project_of(tmp_path, many())
    store = Store(tmp_path / "kept")
    first = printed(project.root, 2, store=store)

    assert printed(project.root, 2, store=store) == first
    project.write("templates/tiny/icons/drop.svg", DROP.replace("95 95", "80 80"))
    changed = printed(project.root, 2, store=store)
    assert changed == printed(project.root, 1) != first


SPAWNED = """
import multiprocessing, sys
from pathlib import Path
from generator.commands import in_passing
from generator.commands.order import carry_out
from generator.commands.sheets import SheetsOrder
from generator.faces import helped
from generator.load.project import find_project

if __name__ == "__main__":
    multiprocessing.set_start_method("spawn")
    in_passing.FEW_FACES = 0
    helped.LOT = 3
    helped.HelpedFaces._drawn = None
    carry_out(find_project(Path(sys.argv[1])), ("tiny",), SheetsOrder((), Path(sys.argv[2])), print, processes=2)
"""


def test_helpers_need_not_be_forked(tmp_path: Path) -> None:
    """As on Windows and macOS, where helpers start with nothing: they open the game themselves."""
    project = project_of(tmp_path / "project", many())
    script = tmp_path / "spawned.py"
    script.write_text(SPAWNED)
    subprocess.run([sys.executable, script, project.root, tmp_path / "out"], check=True, cwd=ROOT)
    alone = printed(project.root, 1)

    assert {path.name: path.read_bytes() for path in (tmp_path / "out").rglob("*.pdf")} == alone


STOPPED = """
import os, signal, sys, time
from pathlib import Path
from generator.cli.group import main
from generator.commands import in_passing
from generator.faces import helped

lot, sent, there = helped._Drawer.lot, helped.HelpedFaces._sent, Path(sys.argv[1]).parent / "there"

def told(drawer, wanted, asked):
    (there / str(os.getpid())).touch()
    while len(list(there.iterdir())) < 2:  # one alone would do all the work, where the other comes late
        time.sleep(0.01)
    return lot(drawer, wanted, asked)

def slow(faces, design, face):
    time.sleep(0.2)  # so that helpers have nothing to do
    return sent(faces, design, face)

helped.HelpedFaces._sent = slow
in_passing.FEW_FACES = 0
helped.LOT = 3
helped._Drawer.lot = told
os.cpu_count = lambda: 2
signal.signal(signal.SIGINT, signal.default_int_handler)  # which shells turn off in what they start in the background
sys.argv[1:] = ["--project", sys.argv[1], "sheets", "--no-cache", "--out", sys.argv[2]]
main()
"""


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="there is no list of processes")
def test_stopping_leaves_nothing_behind(tmp_path: Path) -> None:
    """Ctrl+C, which reaches all processes of a terminal: no file, no process, no traceback."""
    project = project_of(tmp_path / "project", many())
    (tmp_path / "there").mkdir()
    script = tmp_path / "stopped.py"
    script.write_text(STOPPED)
    command = [sys.executable, script, project.root, tmp_path / "out"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, stderr=pipe, stdout=pipe, start_new_session=True) as made:
        patience = time.monotonic() + 60
        while len(list((tmp_path / "there").iterdir())) < 2 and time.monotonic() < patience:
            time.sleep(0.02)
        time.sleep(0.1)
        os.killpg(made.pid, signal.SIGINT)
        _, said = made.communicate(timeout=60)

    assert made.returncode == 130
    assert said.decode().strip() == "Aborted!"
    assert not [path for path in (tmp_path / "out").rglob("*") if path.is_file()]
    assert not [path for path in (tmp_path / "there").iterdir() if Path("/proc", path.name).exists()]
