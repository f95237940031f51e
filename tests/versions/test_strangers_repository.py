"""A stranger's project may bring its own repository: reading it runs nothing that its settings name."""

import os
import subprocess
from pathlib import Path

import pytest
from box_states import committed, git
from conftest import Pnp, Tool
from tests_support import TinyProject

from generator.base.errors import ProblemsFound
from generator.versions import game_version
from generator.versions.game_version import find_revision, read_revision

TEMPLATE = "templates/tiny/card.svg"

FETCHED: dict[str, dict[str, str]] = {
    "ext": {"remote.evil.url": "ext::{canary}", "protocol.ext.allow": "always"},
    "upload-pack": {"remote.evil.url": "{root}", "remote.evil.uploadpack": "{canary}", "protocol.allow": "always"},
    "ssh": {"remote.evil.url": "ssh://nobody@localhost/x", "core.sshCommand": "{canary}"},
    "proxy": {"remote.evil.url": "git://localhost/x", "core.gitProxy": "{canary}", "protocol.git.allow": "always"},
}
"""Ways to have git run a program when a file that the repository lacks is asked for."""

NAMED: dict[str, dict[str, str]] = {
    "file monitor": {"core.fsmonitor": "{canary}"},
    "hooks elsewhere": {"core.hooksPath": "{root}/templates"},
    "pager": {"core.pager": "{canary}", "pager.cat-file": "{canary}", "pager.ls-tree": "{canary}"},
    "difference": {"diff.external": "{canary}", "diff.evil.textconv": "{canary}", "diff.evil.command": "{canary}"},
    "filter": {"filter.evil.smudge": "{canary}", "filter.evil.clean": "{canary}", "filter.evil.process": "{canary}"},
    "another name": {f"alias.{name}": "!{canary}" for name in ("cat-file", "ls-tree", "rev-parse")},
    "signature": {"gpg.program": "{canary}", "log.showSignature": "true"},
    "asking": {"core.askPass": "{canary}", "core.editor": "{canary}", "credential.helper": "!{canary}"},
    "other repositories": {"core.alternateRefsCommand": "{canary}", "uploadpack.packObjectsHook": "{canary}"},
}
"""Settings that name programs for other occasions."""


class Trap:
    """A project with a repository whose settings name a program, which leaves a mark where it is run."""

    def __init__(self, project: TinyProject, there: Path):
        self.root, self.mark = project.root, there / "it was run"
        self.canary = there / "canary"
        self.canary.write_text(f"#!/bin/sh\ntouch '{self.mark}'\nexit 0\n", encoding="utf-8")
        self.canary.chmod(0o755)
        project.write(".gitattributes", "* filter=evil diff=evil\n")
        committed(self.root, "first")

    def set(self, settings: dict[str, str]) -> None:
        """Write the settings, as a stranger writes them: into a file that the repository's own includes."""
        for name, value in settings.items():
            text = value.format(canary=self.canary, root=self.root)
            git(self.root, "config", "--file", str(self.root / ".git" / "more"), name, text)
        git(self.root, "config", "include.path", "more")

    def lose(self) -> None:
        """Take a file's content out of the repository: it is to be fetched from a place that the settings name."""
        blob = git(self.root, "rev-parse", f"HEAD:{TEMPLATE}").strip()
        (self.root / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
        self.set({"remote.evil.promisor": "true", "remote.evil.fetch": "+refs/heads/*:refs/remotes/evil/*"})
        git(self.root, "config", "core.repositoryFormatVersion", "1")
        git(self.root, "config", "extensions.partialClone", "evil")


@pytest.fixture
def trap(tiny: TinyProject, tmp_path: Path, tool: Tool) -> Trap:
    """The tiny project in a stranger's repository."""
    tool("git")
    if os.name != "posix":
        pytest.skip("the program that must not run is a shell script")
    return Trap(tiny, tmp_path)


@pytest.mark.parametrize("way", FETCHED)
def test_what_is_missing_is_not_fetched(trap: Trap, pnp: Pnp, way: str, tmp_path: Path) -> None:
    """A partial clone says what it lacks; git by itself would have run the program that it names for fetching."""
    trap.set(FETCHED[way])
    trap.lose()
    said = subprocess.run(
        ["git", "cat-file", "-e", f"HEAD:{TEMPLATE}"], cwd=trap.root, check=False, capture_output=True
    )
    assert trap.mark.exists(), f"the trap works: {said.stderr.decode()}"
    trap.mark.unlink()
    for command in (("diff", "git:HEAD"), ("changed", "--since", "git:HEAD")):
        ran = pnp(*command)
        assert (ran.code, [line.split(" of the revision")[0] for line in ran.said]) == (1, [f"git has lost the file {TEMPLATE}"])  # fmt: skip
    assert not trap.mark.exists()


@pytest.mark.parametrize("way", NAMED)
def test_settings_run_nothing(trap: Trap, tmp_path: Path, way: str) -> None:
    """No program that the repository's settings name for anything is run when a revision is read."""
    trap.set(NAMED[way])
    room = tmp_path / "room"
    for text in ("HEAD", "HEAD^{/first}", "HEAD@{0}"):
        commit, _ = find_revision(trap.root, text)
        room.mkdir(exist_ok=True)
        read_revision(trap.root, commit, room)
    assert (room / TEMPLATE).is_file()
    assert not trap.mark.exists()


@pytest.mark.parametrize("folder", [".git/hooks", "templates"])
def test_no_monitor_and_no_hook_is_run(trap: Trap, folder: str) -> None:
    """Nor by commands that would ask a file monitor and hooks, should the program come to use them."""
    trap.set({"core.hooksPath": f"{{root}}/{folder}", "core.fsmonitor": "{canary}"})
    (trap.root / folder).mkdir(exist_ok=True)
    (trap.root / folder / "post-checkout").write_bytes(trap.canary.read_bytes())
    (trap.root / folder / "post-checkout").chmod(0o755)
    for words in (["status"], ["checkout", "--quiet", "--detach"]):
        git(trap.root, *words)
        assert trap.mark.exists(), "the trap works"
        trap.mark.unlink()
        assert game_version._run_git(trap.root, *words).returncode == 0
    assert not trap.mark.exists()


@pytest.mark.parametrize("text", ["-p", "--output=x", "--exec=x", "-h/tiny", "--all", "-"])
def test_a_revision_is_never_an_option(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """Git never gets to read a revision that begins with a dash."""
    heard: list[str] = []

    def answered(_root: Path, *words: str, **_options: object) -> subprocess.CompletedProcess[bytes]:
        heard.extend(words)
        return subprocess.CompletedProcess(words, 0, b"0" * 40, b"")

    monkeypatch.setattr(game_version, "_run_git", answered)
    with pytest.raises(ProblemsFound, match="git knows no such revision"):
        find_revision(tmp_path, text)
    assert heard == ["rev-parse", "--git-dir"]
