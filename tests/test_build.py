"""What `pnp build` writes is complete, extractable, and the same every time, also with very many faces."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pikepdf
import pytest
from conftest import ROOT, Pnp, Tool
from shipped_games import SWEPT
from tests_support import TinyProject, page_count, quick

from generator.base.errors import ProblemsFound
from generator.base.geometry import Size
from generator.commands import sheets
from generator.commands.orders import carry_out
from generator.commands.sheets import SheetsOrder
from generator.game.project import find_project
from generator.sheets.settings import SheetSettings

LANGUAGES = ("ja", "en")


@pytest.fixture(scope="session")
def fortuna(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Fortuna's files, built once as a whole process."""
    out = tmp_path_factory.mktemp("built")
    run = [sys.executable, "-m", "generator", "--project", str(ROOT), "build", "fortuna", "--out", str(out)]
    done = subprocess.run(run, capture_output=True, text=True, check=False, cwd=out)
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(r"validation: \d+ checks passed\n", done.stderr), "nothing fails, and a pipe stays quiet"
    return out / "fortuna"


@pytest.mark.slow
def test_a_build_writes_sheets_and_report(fortuna: Path) -> None:
    """Sheets, check list and the three books in both languages and the validation report, nothing else."""
    books = ("rulebook-booklet.{}.pdf", "rulebook.{}.html", "rulebook.{}.pdf", "notes.{}.html", "notes.{}.pdf")
    books += ("quickstart.{}.pdf",)
    wanted = {part.format(lang) for part in ("components.{}.pdf", "sheets.{}.pdf", *books) for lang in ("en", "ja")}
    assert {path.name for path in fortuna.iterdir()} == {*wanted, "validation.txt"}
    assert ", 0 fail," in (fortuna / "validation.txt").read_text(encoding="utf-8").splitlines()[0]


@pytest.mark.slow
@pytest.mark.parametrize("lang", LANGUAGES)
def test_nine_fronts_sheets_the_board_and_the_pad(fortuna: Path, lang: str) -> None:
    """78 reel cards and 3 aids make nine sheets with their backs, board and score sheets one each; all on A4."""
    with pikepdf.open(fortuna / f"sheets.{lang}.pdf") as pdf:
        assert len(pdf.pages) == 9 * 2 + 3, "between two sheets the board has an empty back"
        for page in pdf.pages:
            assert [round(float(value), 2) for value in page.mediabox] == [0, 0, 595.28, 841.89]
            assert "/TrimBox" in page and "/BleedBox" in page
        assert pdf.Root.Lang == lang
        assert pdf.Root.ViewerPreferences.PrintScaling == "/None"
        assert pdf.Root.ViewerPreferences.Duplex == "/DuplexFlipLongEdge"
        assert pdf.Root.ViewerPreferences.DisplayDocTitle is True


@pytest.mark.slow
@pytest.mark.parametrize("lang", LANGUAGES)
def test_all_fonts_are_embedded_subsets(fortuna: Path, lang: str, tool: Tool) -> None:
    run = [tool("pdffonts"), str(fortuna / f"sheets.{lang}.pdf")]
    lines = subprocess.run(run, capture_output=True, text=True, check=True).stdout.splitlines()[2:]
    assert len(lines) >= 2
    for line in lines:
        assert re.fullmatch(r"[A-Z]{6}\+\S+\s+CID (TrueType|Type 0C).*Identity-H\s+yes yes yes\s+\d+\s+\d+\s*", line), (
            line
        )


def built_elsewhere(project: Path, game: str, folder: Path) -> Path:
    """Where a game is built by a process in other surroundings."""
    surroundings = {**os.environ, "PYTHONHASHSEED": "4711", "TZ": "Asia/Tokyo", "LC_ALL": "C", "LANG": "C"}
    elsewhere = folder / "a folder with spaces"
    elsewhere.mkdir()
    run = [sys.executable, "-m", "generator", "--project", str(project), "build", game, "--out", str(elsewhere)]
    subprocess.run(run, capture_output=True, check=True, cwd=elsewhere, env=surroundings)
    return elsewhere


@pytest.mark.slow
def test_a_second_build_of_a_small_game_is_byte_identical(tiny: TinyProject, tmp_path: Path, pnp: Pnp) -> None:
    """The same of five cards: another process, folder, hash seed, time zone and locale."""
    assert pnp("build", "--out", "here").code == 0
    elsewhere = built_elsewhere(tiny.root, "tiny", tmp_path)
    made = sorted((tiny.root / "here/tiny").glob("*.pdf"))
    assert made
    for path in made:
        assert (elsewhere / "tiny" / path.name).read_bytes() == path.read_bytes(), path.name


@pytest.mark.slow
def test_a_second_build_is_byte_identical(fortuna: Path, tmp_path: Path) -> None:
    elsewhere = built_elsewhere(ROOT, "fortuna", tmp_path)
    for path in sorted(fortuna.glob("*.pdf")):
        assert (elsewhere / "fortuna" / path.name).read_bytes() == path.read_bytes(), path.name


@pytest.mark.usefixtures("keeping")
@pytest.mark.slow
def test_a_changed_count_fails_until_the_stated_one_follows(tmp_path: Path, pnp: Pnp) -> None:
    project = tmp_path / "project"
    for folder in ("data/fortuna", "templates/fortuna", "templates/common"):
        shutil.copytree(ROOT / folder, project / folder)
    components = project / "data/fortuna/components.yaml"
    text = components.read_text(encoding="utf-8")
    components.write_text(text.replace("{id: 6-wheat,     count: 3", "{id: 6-wheat,     count: 13"), encoding="utf-8")
    line = next(n for n, row in enumerate(text.splitlines(), 1) if "stated: 78" in row)

    assert f"components.yaml:{line}:" in pnp("--project", str(project), "validate", code=1).out
    assert pnp("--project", str(project), "sheets", "--out", str(tmp_path)).code == 1

    changed = components.read_text(encoding="utf-8").replace("stated: 78", "stated: 88")
    components.write_text(changed, encoding="utf-8")
    assert pnp("--project", str(project), "sheets", "--lang", "en", "--out", str(tmp_path)).code == 0
    assert page_count(tmp_path / "fortuna/sheets.en.pdf") == 11 * 2 + 3


@pytest.mark.slow
@pytest.mark.usefixtures("keeping")
def test_only_and_copies_pick_what_is_printed(tmp_path: Path, shipped: Pnp) -> None:
    """`--only 'reel/6-*' --copies 1` prints the five designs of number 6 once each, of the game that has them."""
    shipped("sheets", "--only", "reel/6-*", "--copies", "1", "--lang", "ja", code=0)
    assert [path.name for path in tmp_path.rglob("*.pdf")] == ["selection.ja.pdf"], "the whole sheets keep their name"
    assert page_count(tmp_path / "fortuna/selection.ja.pdf") == 2


@pytest.mark.parametrize(
    ("backs", "pages"),
    quick([("none", 11), ("separate", 26), ("long", 21), ("short", 21), ("fold", 23)], "none", "fold"),
)
@pytest.mark.usefixtures("keeping")
def test_backs_are_a_setting_of_the_printer(tmp_path: Path, shipped: Pnp, backs: str, pages: int) -> None:
    shipped("sheets", "fortuna", "--backs", backs, "--lang", "en", code=0)
    assert page_count(tmp_path / "fortuna/sheets.en.pdf") == pages


def test_the_list_names_components_with_both_counts(pnp: Pnp) -> None:
    """`pnp list` shows stated and actual counts, for readers and for programs."""
    text = pnp("--project", str(ROOT), "list", "fortuna").out
    listed = json.loads(pnp("--project", str(ROOT), "list", "fortuna", "--format", "json").out)
    reel = listed["games"][0]["kinds"][0]
    assert "reel               78  (78 stated, 30 designs, 63 x 88 mm)" in text
    assert (listed["format"], reel["id"], reel["count"], reel["stated"]) == (1, "reel", 78, 78)
    assert {"id": "reel/6-wheat", "count": 3} in reel["designs"]


def test_the_list_speaks_as_the_reports_do(pnp: Pnp) -> None:
    """`pnp list` names kinds in English where the game has it, whatever language comes first, and one is no plural."""
    text = pnp("--project", str(ROOT), "list", "fortuna", "wayfaring").out
    assert "Reel card" in text
    assert "リール" not in text
    assert "1 designs" not in text
    assert ", 1 design," in text


def test_schemas_are_up_to_date(pnp: Pnp) -> None:
    """The schema beside each game's data is what `pnp schema` writes."""
    ran = pnp("--project", str(ROOT), "schema", "--check")
    assert (ran.code, ran.err) == (0, "")


def test_a_console_without_unicode_gets_escapes(tiny: object) -> None:
    surroundings = {**os.environ, "PYTHONIOENCODING": "latin-1"}
    run = [sys.executable, "-m", "generator", "--project", str(ROOT), "list", "fortuna", "--format", "json"]
    done = subprocess.run(run, capture_output=True, check=False, env=surroundings)
    assert done.returncode == 0
    assert b"\\u30ea\\u30fc\\u30eb" in done.stdout


sys.path.append(str(ROOT / "bench"))

import deck  # noqa: E402 - the bench is no package

CARDS = 50_000
MOST_MIB = 285
"""Peak memory of the whole command: 257 MiB were measured."""


def printed(game: str, out: Path, backs: str) -> dict[str, bytes]:
    settings = SheetSettings(Size(210.0, 297.0), backs=backs)  # type: ignore[arg-type]
    made = carry_out(find_project(ROOT), (game,), SheetsOrder((), out, sheets=settings), lambda _doing: None)
    return {path.name: path.read_bytes() for path in made.files}


@pytest.mark.slow
@pytest.mark.parametrize("backs", quick(["long", "separate", "fold", "none"], "long", rest="release"))
@pytest.mark.parametrize("game", SWEPT)
def test_faces_in_passing_give_the_same_bytes(
    game: str, backs: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_once = printed(game, tmp_path / "at_once", backs)
    monkeypatch.setattr(sheets, "FEW_FACES", 0)
    monkeypatch.setattr("generator.drawing.faces.game_drawing.AT_HAND", 10)
    assert printed(game, tmp_path / "in_passing", backs) == at_once


@pytest.mark.parametrize("few", [1_000, 0])
def test_faces_in_passing_give_the_same_problems(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, few: int) -> None:
    tiny = TinyProject(tmp_path)
    tiny.change("data/tiny/game.yaml", "count: 2, title: One", "count: 2, title: '{nothing}'")
    tiny.change("data/tiny/game.yaml", "count: 3, title: Two", "count: 0, title: ☃")
    tiny.change("data/tiny/game.yaml", "stated: 5", "stated: 2")
    monkeypatch.setattr(sheets, "FEW_FACES", few)
    with pytest.raises(ProblemsFound) as found:
        carry_out(find_project(tmp_path), ("tiny",), SheetsOrder((), tmp_path / "out"), lambda _doing: None)

    assert [problem.what for problem in found.value.problems] == [
        "the text of card/one (en) shows the unknown icon 'nothing'",
        "U+2603 '☃' has no glyph in family 'body' (text of card/two (en))",
    ]
    assert not list((tmp_path / "out").rglob("*.pdf"))


@pytest.mark.release
def test_a_deck_of_fifty_thousand_cards_takes_little_memory(tmp_path: Path) -> None:
    deck.write_project(tmp_path, CARDS)
    pnp = [sys.executable, "-m", "generator", "--project", str(tmp_path), "sheets", "--backs", "none", "--no-cache"]
    meter = [sys.executable, "-I", "-S", str(ROOT / "bench/meter.py"), *pnp, "--out", str(tmp_path / "out")]
    done = subprocess.run(meter, cwd=ROOT, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["peak"] < MOST_MIB
