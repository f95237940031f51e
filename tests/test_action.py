"""The action for repositories: its steps run as its runner runs them, on a repository with two commits."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from conftest import ROOT
from tests_support import TinyProject, quick

ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))

pytestmark = pytest.mark.skipif(
    os.name != "posix" or not shutil.which("git"), reason="the action runs in bash, with git"
)

REFUSED = """\
checks:
  - {id: T-01, says: There are 99 cards., computed: "count('card')", expected: "99", reading: E1,
     finding: "computed 5, expected 99"}
"""
READINGS = """\
readings:
  - {id: E1, passage: some cards, problem: How many?, reading: All of them.}
"""


def git(root: Path, *words: str) -> str:
    me = ("-c", "user.name=me", "-c", "user.email=me@example.org")
    return subprocess.run(["git", *me, *words], cwd=root, check=True, capture_output=True, text=True).stdout.strip()


def commit(project: TinyProject) -> str:
    """All that is there as a commit; its name."""
    if not (project.root / ".git").is_dir():
        git(project.root, "init", "--quiet")
    git(project.root, "add", "-A")
    git(project.root, "commit", "--quiet", "-m", "as it is")
    return git(project.root, "rev-parse", "HEAD")


def run(project: TinyProject, temporary: Path, *but: str, **given: str) -> tuple[dict[str, int], str]:
    """All steps of the action with a script, but those named: their exit codes by name, and the run's summary."""
    temporary.mkdir()
    inputs = {name: one["default"] for name, one in ACTION["inputs"].items()} | given
    runner = {"RUNNER_TEMP": str(temporary), "GITHUB_ACTION_PATH": str(ROOT)}
    files = {name: temporary / name for name in ("GITHUB_OUTPUT", "GITHUB_PATH", "GITHUB_STEP_SUMMARY")}
    for path in files.values():
        path.touch()
    codes: dict[str, int] = {}
    for step in ACTION["runs"]["steps"]:
        if "run" not in step or step["name"] in but or (any(codes.values()) and step.get("if") != "always()"):
            continue
        path = [*files["GITHUB_PATH"].read_text().split(), str(Path(sys.executable).parent), os.environ["PATH"]]
        environment = os.environ | runner | {name: str(path) for name, path in files.items()} | _given(step, inputs)
        environment["PATH"] = ":".join(path)
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
        codes[step["name"]] = subprocess.run(command, cwd=project.root, env=environment, check=False).returncode
    assert files["GITHUB_OUTPUT"].read_text() == f"files={temporary}/print-and-play\n"
    return codes, files["GITHUB_STEP_SUMMARY"].read_text(encoding="utf-8")


def _given(step: dict[str, Any], inputs: dict[str, str]) -> dict[str, str]:
    return {name: inputs[value.removeprefix("${{ inputs.").removesuffix(" }}")] for name, value in step.get("env", {}).items()}  # fmt: skip


@pytest.mark.slow  # builds two commits in an installed copy
def test_two_commits(tiny: TinyProject, tmp_path: Path) -> None:
    first = commit(tiny)
    tiny.change("data/tiny/game.yaml", "title: Two", "title: Two and a half")
    commit(tiny)
    codes, page = run(tiny, tmp_path / "good", "Install", since=first)
    assert codes == {"Place": 0, "Build and validate": 0, "Show what changed": 0}
    assert "## tiny" in page and "Two and a half" in page and "diff.*.html" in page
    made = tmp_path / "good/print-and-play/tiny"
    assert (made / "sheets.en.pdf").is_file()
    assert "<svg" in (made / "diff.en.html").read_text(encoding="utf-8") or "<img" in (made / "diff.en.html").read_text(encoding="utf-8")  # fmt: skip


@pytest.mark.slow
def test_what_a_strict_build_refuses(tiny: TinyProject, tmp_path: Path) -> None:
    """A change with a finding is refused, and shown too; with `strict: false` it is built."""
    second = commit(tiny)
    tiny.write("data/tiny/checks.yaml", REFUSED)
    tiny.write("data/tiny/readings.yaml", READINGS)
    commit(tiny)
    codes, page = run(tiny, tmp_path / "bad", "Install", since=second)
    assert codes == {"Place": 0, "Build and validate": 1, "Show what changed": 0}
    assert "finding: " in page and "[T-01, E1]" in page
    assert run(tiny, tmp_path / "loose", "Install", since=second, strict="false")[0]["Build and validate"] == 0


@pytest.mark.slow
def test_nothing_to_compare_with(tiny: TinyProject, tmp_path: Path) -> None:
    """A branch's first push and a game that the commit before lacks are told; no input is ever read as a script."""
    first = commit(tiny)
    nothing = "0" * 40
    assert "no earlier commit" in run(tiny, tmp_path / "first", "Install", "Build and validate", since=nothing)[1]
    shutil.copytree(tiny.root / "data/tiny", tiny.root / "data/twin")
    shutil.copytree(tiny.root / "templates/tiny", tiny.root / "templates/twin")
    commit(tiny)
    page = run(tiny, tmp_path / "new", "Install", "Build and validate", since=first)[1]
    assert page.index("## tiny") < page.index("## twin") < page.index("New: ")
    hostile = f"$(touch {tmp_path}/ran); `touch {tmp_path}/ran`"
    run(tiny, tmp_path / "hostile", "Install", games=hostile, languages=hostile, since=hostile)
    assert not (tmp_path / "ran").exists()
    assert not [step for step in ACTION["runs"]["steps"] if "inputs." in step.get("run", "")]


@pytest.mark.release
def test_it_installs_itself_from_its_own_checkout(tiny: TinyProject, tmp_path: Path) -> None:
    """With nothing but a Python: the program that builds is the one that lies beside action.yml."""
    commit(tiny)
    codes, _ = run(tiny, tmp_path / "whole", since="")
    assert codes == {"Place": 0, "Install": 0, "Build and validate": 0, "Show what changed": 0}
    assert (tmp_path / "whole/print-and-play-tools/bin/pnp").is_file()


HOSTILE = {
    "since": ("--upload-pack=touch {ran};", "refs/heads/*:refs/heads/x*", "+HEAD:refs/heads/y", "a..b", "-h", "ext::sh"),
    "games": ("--trust-rules", "--out={ran}", "tiny --trust-rules --out={ran}", "--help", "../../tiny"),
    "languages": ("--out={ran}", "--trust-rules", "*"),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "value"),
    quick(
        ((name, value) for name, values in HOSTILE.items() for value in values),
        *((name, values[0]) for name, values in HOSTILE.items()),
    ),
)
def test_inputs_are_never_options(tiny: TinyProject, tmp_path: Path, name: str, value: str) -> None:
    commit(tiny)
    far = tmp_path / "far"
    git(tiny.root, "clone", "--quiet", "--bare", ".", str(far))
    git(tiny.root, "remote", "add", "origin", str(far))
    rules = tiny.root / "data/tiny/rules.py"
    rules.write_text(f"open({str(tmp_path / 'ran')!r}, 'w').close()\n", encoding="utf-8")
    tiny.change("data/tiny/game.yaml", "draft: 1", "draft: 1\nrules: {module: rules.py}")
    before = git(tiny.root, "for-each-ref")
    codes, _ = run(tiny, tmp_path / "runner", "Install", **{name: value.format(ran=tmp_path / "ran")})

    assert any(codes.values())
    assert not (tmp_path / "ran").exists()
    assert git(tiny.root, "for-each-ref") == before


@pytest.mark.slow
def test_a_hostile_repository_gives_no_orders(
    tiny: TinyProject, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    ran = tmp_path / "ran"
    for module in ("venv", "site", "multiprocessing", "generator", "click"):
        tiny.write(f"{module}.py", f"open({str(ran)!r}, 'w').close()\n")
    tiny.write("data/--trust-rules/game.yaml", "kind: '##[error]forged'\n")
    tiny.write("data/a\n## forged/game.yaml", "x: 1\n")
    tiny.change("data/tiny/game.yaml", "front: card", 'front: card\n    kind: "##[error]a\\n::error::forged"')
    first = commit(tiny)
    codes, page = run(tiny, tmp_path / "runner", "Install", since=first)
    lines = capfd.readouterr().out.splitlines()

    assert codes["Build and validate"] == 1
    assert not ran.exists()
    assert "\n## forged" not in page
    begins = next(at for at, line in enumerate(lines) if line.startswith("::stop-commands::"))
    ends = lines.index(f"::{lines[begins].removeprefix('::stop-commands::')}::")
    assert not [line for line in [*lines[:begins], *lines[ends:]] if "forged" in line]


def test_actions_of_others_are_named_by_their_commits() -> None:
    texts = (ROOT / name for name in ("action.yml", "docs/continuous.md"))
    used = [
        line for text in texts for line in text.read_text(encoding="utf-8").splitlines() if "uses: actions/" in line
    ]
    assert len(used) >= 3
    assert all(re.search(r"@[0-9a-f]{40}  # v[0-9.]+$", line) for line in used)
