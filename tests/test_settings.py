"""Settings and results for other programs: `pnp.toml`, environment variables, `build --format json`, pre-commit hooks."""

import json
import subprocess
import sys
from pathlib import Path

import pypdfium2
import pytest
from conftest import ROOT, Pnp
from rules_project import RulesProject
from tests_support import TinyProject

from generator.base.cache import RecentValues
from generator.drawing.templates import sandbox

SIZES = {"A3": (842, 1191), "A4": (595, 842), "A5": (420, 595), "Letter": (612, 792)}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's settings folder."""
    made = tmp_path / "settings"
    made.mkdir()
    monkeypatch.setenv("PNP_HOME", str(made))
    return made


def paper(project: TinyProject) -> str:
    """The paper of the sheets that are there."""
    with pypdfium2.PdfDocument(project.root / "output/tiny/sheets.en.pdf") as document:
        size = tuple(round(side) for side in document[0].get_size())
    return next(name for name, known in SIZES.items() if size in (known, known[::-1]))


def test_the_command_wins_over_variable_project_and_user(
    tiny: TinyProject, home: Path, pnp: Pnp, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []
    for step in (
        lambda: None,
        lambda: (home / "pnp.toml").write_text('paper = "A5"\n'),
        lambda: tiny.write("pnp.toml", 'paper = "Letter"\n'),
        lambda: monkeypatch.setenv("PNP_PAPER", "A3"),
    ):
        step()
        assert pnp("sheets").code == 0
        found.append(paper(tiny))
    assert pnp("sheets", "--paper", "A4").code == 0

    assert [*found, paper(tiny)] == ["A4", "A5", "Letter", "A3", "A4"]


@pytest.mark.parametrize(("place", "stored"), [("settings", True), ("project/settings", False)])
def test_code_is_stored_outside_the_project_only(
    tiny: TinyProject,
    tmp_path: Path,
    pnp: Pnp,
    keeping: Path,
    monkeypatch: pytest.MonkeyPatch,
    place: str,
    stored: bool,
) -> None:
    """Compiled templates run in later builds, so no project may bring some."""
    monkeypatch.setenv("PNP_HOME", str(tmp_path / place))
    monkeypatch.setattr(sandbox, "_COMPILED", RecentValues(500))
    tiny.change("data/tiny/game.yaml", "title: One", f"title: {place}")
    assert pnp("sheets").code == 0
    assert (tmp_path / place / "templates").exists() is stored
    assert not list(keeping.glob("code-*"))


def test_languages_are_a_list(tiny: TinyProject, home: Path, pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    tiny.write("pnp.toml", 'languages = ["de"]\n')
    assert "--lang de: not a language of this game" in pnp("sheets").said[0]
    monkeypatch.setenv("PNP_LANGUAGES", "en")
    assert pnp("sheets").code == 0


@pytest.mark.parametrize(
    "command",
    ["sheets", "rulebook", "images", "proof", "boxes", "showcase", "pack", "read-aloud", "export pcio", "export cgs"],
)
def test_every_command_uses_the_languages_of_the_settings(
    tiny: TinyProject, home: Path, pnp: Pnp, command: str
) -> None:
    """A language in `pnp.toml` counts like --lang in each command that has this option."""
    tiny.write("pnp.toml", 'languages = ["de"]\n')
    assert "--lang de: not a language of this game" in pnp(*command.split()).err


def test_boxes_use_the_paper_of_the_settings(tiny: TinyProject, home: Path, pnp: Pnp) -> None:
    """An unknown paper in `pnp.toml` is a problem of `pnp boxes` at its line."""
    tiny.write("pnp.toml", 'paper = "Leter"\n')
    assert "pnp.toml:1:1: paper: unknown paper 'Leter'" in pnp("boxes").err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('paper = "Leter"\n', "pnp.toml:1:1: paper: unknown paper 'Leter'; known: A3, A4, A5, B4, B5, Hagaki, Letter, Legal, Tabloid"),
        ('\nbaks = "none"\n', "pnp.toml:2:1: unknown setting 'baks'; did you mean 'backs'?"),
        ('backs = "left"\n', "pnp.toml:1:1: backs: 'left' is not one of 'none', 'separate', 'long', 'short', 'fold'; change backs"),
        ("margin = 5\n", "pnp.toml:1:1: 'margin' has the wrong type; write margin = \"...\""),
        ('margin = "5 feet"\n', "pnp.toml:1:1: margin: "),
        ('margin = "5mm 5mm 300mm"\n', "pnp.toml:1:1: margin: margins of 5 5 300 5 mm cover the whole paper; write smaller ones"),
        ('printer = "attic"\n', "pnp.toml:1:1: printer: unknown printer 'attic'; store one with pnp calibrate --set NAME"),
        ('languages = "en"\n', "pnp.toml:1:1: 'languages' has the wrong type; write languages = [\"en\", \"ja\"]"),
        ('trust = ["/"]\n', "pnp.toml:1:1: a project can't trust itself; move this line to pnp.toml in your own settings folder, or run `pnp trust`"),
        ('paper = "A4\n', "pnp.toml:1:12: this is not TOML: Illegal character '\\n'; write lines such as paper = \"A4\""),
    ],
)  # fmt: skip
def test_a_fault_in_the_file_is_a_problem_at_its_line(
    tiny: TinyProject, home: Path, pnp: Pnp, text: str, said: str
) -> None:
    """The exit code is 1, and nothing is written."""
    tiny.write("pnp.toml", text)
    ran = pnp("sheets")

    assert (ran.code, ran.said[0][: len(said)], ran.out) == (1, said, "")
    assert not (tiny.root / "output").exists()


def test_all_faults_of_both_files_are_reported(tiny: TinyProject, home: Path, pnp: Pnp) -> None:
    (home / "pnp.toml").write_text("trust = 1\n")
    tiny.write("pnp.toml", 'papers = "A4"\nmargin = 1\n')

    assert [line.partition(": ")[0] for line in pnp("sheets").said] == [
        f"{home / 'pnp.toml'}:1:1", "pnp.toml:1:1", "pnp.toml:2:1", "3 problems",
    ]  # fmt: skip


def test_a_command_ignores_settings_that_it_has_no_option_for(tiny: TinyProject, home: Path, pnp: Pnp) -> None:
    """`list` prints nothing on paper."""
    tiny.write("pnp.toml", 'paper = "A5"\n')
    assert pnp("list").code == 0


def test_the_users_file_trusts_folders(tmp_path: Path, home: Path, pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    project = RulesProject(tmp_path / "games" / "higher")
    monkeypatch.chdir(project.root)
    validate = ("validate", "--games", "0", "--no-cache")
    assert pnp(*validate).code == 1
    (home / "pnp.toml").write_text(f'trust = ["{(tmp_path / "games").as_posix()}"]\n')
    assert pnp(*validate).code == 0
    if sys.platform != "win32":
        (home / "pnp.toml").chmod(0o666)
        assert pnp(*validate).code == 1
        (home / "pnp.toml").chmod(0o644)

    monkeypatch.setenv("PNP_HOME", str(project.root))
    (project.root / "pnp.toml").write_text((home / "pnp.toml").read_text())
    assert pnp(*validate).code == 1


def test_the_pre_commit_hooks_are_valid() -> None:
    command = [sys.executable, "-m", "pre_commit", "validate-manifest", ROOT / ".pre-commit-hooks.yaml"]
    assert subprocess.run(command, check=False).returncode == 0


def test_a_build_reports_its_result_as_json(tiny: TinyProject, pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PNP_HOME", str(tiny.root / "home"))
    done = json.loads(pnp("build", "--format", "json").out)
    assert done["files"][0] == "output/tiny/sheets.en.pdf"
    assert (done["checks"]["failed"], done["checks"]["passed"] > 0) == ([], True)

    tiny.write("pnp.toml", 'paper = "Leter"\n')
    ran = pnp("build", "--format", "json")
    (problem,) = json.loads(ran.out)["problems"]
    assert (ran.code, ran.err) == (1, "")
    assert problem["place"] == {"file": "pnp.toml", "line": 1, "column": 1}
    assert problem["what"] == "paper: unknown paper 'Leter'"

    (tiny.root / "pnp.toml").unlink()
    tiny.change("data/tiny/game.yaml", "title: Tiny", "titel: Tiny")
    found = json.loads(pnp("build", "--format", "json").out)["problems"]
    assert {problem["place"]["file"] for problem in found} == {"data/tiny/game.yaml"}
