"""`pnp changed --since git:REV`: each revision is drawn with its own data, templates and fonts; what is missing is said."""

import subprocess
from pathlib import Path

import pytest
from box_states import committed, git, ids, told
from conftest import Pnp, Tool
from tests_support import TinyProject

from generator.game.project import find_project
from generator.versions.game_version import open_version

GAME = "data/tiny/game.yaml"
CARD = "templates/tiny/card.svg"


@pytest.fixture
def kept(tiny: TinyProject, tool: Tool) -> TinyProject:
    """The tiny project in a repository of its own, its first commit tagged `v1`."""
    tool("git")
    committed(tiny.root, "first")
    git(tiny.root, "tag", "v1")
    return tiny


@pytest.mark.slow
def test_a_revision_is_drawn_with_its_own_template(kept: TinyProject, pnp: Pnp) -> None:
    """After a template changed, with and without a commit of it, all cards of it are printed; the user's tree stays."""
    kept.change(CARD, 'fill="#f0e8d8"', 'fill="#d8e8f0"')
    for _ in range(2):
        before = git(kept.root, "status", "--porcelain", "--", "data", "templates")
        game = told(pnp("changed", "--since", "git:v1", "--format", "json").out)
        assert ids(game, "en", "changed") == ["card/one", "card/two"]
        assert git(kept.root, "status", "--porcelain", "--", "data", "templates") == before
        git(kept.root, "commit", "--quiet", "--allow-empty", "--all", "--message", "second")
    assert pnp("changed", "--since", "git:HEAD").out.splitlines()[0] == "tiny since git:HEAD (en): nothing has changed"


def test_two_revisions_are_compared_without_the_working_tree(kept: TinyProject, pnp: Pnp) -> None:
    """Both ends may be revisions: what lies in the folder now plays no part, and the later one is printed."""
    kept.change(GAME, "value: 2}", "value: 7}")
    committed(kept.root, "second")
    kept.write(CARD, "broken")
    assert pnp("changed", "tiny", "--since", "git:v1", "--until", "git:HEAD").out.splitlines() == [
        "tiny from git:v1 to git:HEAD (en): print 3, take out 3",
        "  changed: take the old ones out, put the new ones in",
        "    card/two (Two): take out 3, print 3",
        "output/tiny/changed.en.pdf",
        "output/tiny/changed-list.en.pdf",
    ]


def test_a_project_below_the_repository(tiny: TinyProject, pnp: Pnp, tool: Tool) -> None:
    """A project may be a folder of a larger repository; only its own files are read."""
    tool("git")
    git(tiny.root.parent, "init", "--quiet")
    git(tiny.root.parent, "add", "--all")
    git(tiny.root.parent, "commit", "--quiet", "--message", "first")
    tiny.change(GAME, "value: 2}", "value: 7}")
    assert ids(told(pnp("changed", "--since", "git:HEAD", "--format", "json").out), "en", "changed") == ["card/two"]


def test_a_branch_with_a_stroke_and_a_game(kept: TinyProject) -> None:
    """`git:some/branch` is the branch; `git:some/branch/tiny` is its game."""
    git(kept.root, "branch", "some/branch")
    project = find_project(kept.root)
    for text in ("git:some/branch", "git:some/branch/tiny", "git:v1/tiny"):
        with open_version(project, text) as old:
            assert (old.id, old.designs["card/two"].count) == ("tiny", 3)
            assert old.game is not None
            assert old.workshop is not None
            room = Path(old.room.name) if old.room else None
            assert room is not None
            assert room.is_dir()
        assert not room.exists(), "what was read is gone"


@pytest.mark.parametrize(
    ("rev", "said"),
    [
        ("v9", "git:v9: git knows no such revision; name a commit, a tag or a branch; `git log --oneline` lists commits"),
        ("-p", "git:-p: git knows no such revision; name a commit, a tag or a branch; `git log --oneline` lists commits"),
        ("", "git:: git knows no such revision; name a commit, a tag or a branch; `git log --oneline` lists commits"),
        ("v1..v1", "git:v1..v1: git knows no such revision; name a commit, a tag or a branch; `git log --oneline` lists commits"),
        ("v1/tinny", "there is no game 'tinny' at git:v1; did you mean 'tiny'?"),
    ],
)  # fmt: skip
def test_an_unknown_revision_or_game(kept: TinyProject, pnp: Pnp, rev: str, said: str) -> None:
    """A revision that git does not know, or that has no such game, is a problem that says what there is."""
    ran = pnp("changed", "tiny", "--since", f"git:{rev}")
    assert (ran.code, ran.said) == (1, [said])
    assert not (kept.root / "output").exists()


def test_a_forged_commit_writes_nothing_outside(kept: TinyProject, pnp: Pnp, tmp_path: Path) -> None:
    """A tree with `..` for a name, which no honest git makes, is refused before a byte is written there."""

    def tree(*rows: str) -> str:
        said = "".join(f"{row}\n" for row in rows)
        done = subprocess.run(["git", "mktree"], cwd=kept.root, input=said, check=True, capture_output=True, text=True)
        return done.stdout.strip()

    blob = git(kept.root, "rev-parse", f"HEAD:{GAME}").strip()
    evil = tree(f"100644 blob {blob}\tevil.yaml")
    above = tree(f"040000 tree {evil}\t..")
    data = tree(f"040000 tree {above}\t..")
    commit = git(kept.root, "commit-tree", "-m", "forged", tree(f"040000 tree {data}\tdata")).strip()

    assert pnp("changed", "tiny", "--since", f"git:{commit}").said == [
        "data/../../evil.yaml: the name can't be used: it is absolute, or has an empty part, '.' or '..'; rename the file"
    ]
    assert list(tmp_path.rglob("evil.yaml")) == []


def test_a_game_that_did_not_exist_then(kept: TinyProject, pnp: Pnp) -> None:
    """A game younger than the revision: a problem where it was named, else said beside the others' changes."""
    game = (kept.root / GAME).read_text(encoding="utf-8")
    kept.write("data/young/game.yaml", game)
    kept.write("templates/young/card.svg", (kept.root / CARD).read_bytes())
    kept.write("templates/young/icons/star.svg", (kept.root / "templates/tiny/icons/star.svg").read_bytes())
    assert pnp("changed", "young", "--since", "git:v1").said == [
        "there is no game 'young' at git:v1; known: tiny"
    ]  # fmt: skip
    said = pnp("changed", "--since", "git:v1")
    assert (said.code, said.out) == (0, "tiny since git:v1 (en): nothing has changed\n")
    assert said.err == "note: there is no game 'young' at git:v1\n"


def test_a_project_without_git(tiny: TinyProject, pnp: Pnp, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No repository, or no git: a problem that names records as the way out."""
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert pnp("changed", "--since", "git:v1").said == [
        "the project is not in a git repository; compare with a record: `pnp record NAME` makes one"
    ]
    monkeypatch.setenv("PATH", str(tmp_path))
    assert pnp("changed", "--since", "git:v1").said == [
        "git is not installed, or not found; install git, or compare with a record: `pnp record NAME` makes one"
    ]


def test_problems_of_a_revision_have_its_places(kept: TinyProject, pnp: Pnp) -> None:
    """A revision whose data are broken is told as git calls its files, with line and column."""
    kept.change(GAME, "value: 2}", "value: 70}")
    committed(kept.root, "broken")
    kept.change(GAME, "value: 70}", "value: 2}")
    assert pnp("changed", "--since", "git:HEAD").said == [
        "HEAD:data/tiny/game.yaml:23:48: value is 70, but must be at most 9; change the number, or `max` of the field"
    ]


def test_a_project_without_a_commit(tiny: TinyProject, pnp: Pnp, tool: Tool) -> None:
    """A repository without a commit has no revision to compare with."""
    subprocess.run([tool("git"), "init", "--quiet"], cwd=tiny.root, check=True)
    assert pnp("changed", "--since", "git:HEAD").said == [
        "git:HEAD: git knows no such revision; name a commit, a tag or a branch; `git log --oneline` lists commits"
    ]


def test_drafts_of_a_game(tiny: TinyProject, pnp: Pnp) -> None:
    """Another game of the project may be the earlier draft; its own templates draw it."""
    for name in (GAME, CARD, "templates/tiny/icons/star.svg"):
        tiny.write(name.replace("tiny", "tiny2", 1), (tiny.root / name).read_bytes())
    tiny.change("data/tiny2/game.yaml", "value: 2}", "value: 7}")
    assert ids(told(pnp("changed", "tiny2", "--since", "tiny", "--format", "json").out), "en", "changed") == [
        "card/two"
    ]


def test_another_project(tiny: TinyProject, pnp: Pnp, tmp_path: Path) -> None:
    """The folder of another project may be the earlier state."""
    other = TinyProject(tmp_path / "older")
    other.change(GAME, "value: 2}", "value: 7}")
    assert ids(told(pnp("changed", "--since", "../older", "--format", "json").out), "en", "changed") == ["card/two"]
