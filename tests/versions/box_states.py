"""A copy of fortuna that tests change, and readers of what `pnp record` and `pnp changed` made of it."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent
COMPONENTS = "data/fortuna/components.yaml"


class FortunaCopy:
    """Fortuna in a project of its own; tests change one thing in it."""

    def __init__(self, root: Path):
        self.root = root
        shutil.copytree(ROOT / "data/fortuna", root / "data/fortuna")
        shutil.copytree(ROOT / "templates/fortuna", root / "templates/fortuna")
        shutil.copytree(ROOT / "templates/common", root / "templates/common")

    def change(self, name: str, old: str, new: str) -> None:
        """Replace the one place where `old` stands."""
        path = self.root / name
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {name}"
        path.write_text(text.replace(old, new), encoding="utf-8")

    def out(self) -> list[str]:
        """The names of all files in the output folder of the game."""
        return sorted(path.name for path in (self.root / "output/fortuna").glob("*"))


def git(root: Path, *words: str) -> str:
    """Run git in a folder, as somebody whom it knows."""
    who = ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.org", "-c", "commit.gpgsign=false"]
    done = subprocess.run(["git", *who, *words], cwd=root, check=True, capture_output=True, text=True)
    return done.stdout


def committed(root: Path, message: str) -> None:
    """Commit everything in a folder, which becomes a repository if it is none."""
    if not (root / ".git").exists():
        git(root, "init", "--quiet")
    git(root, "add", "--all", "--force", "data", "templates")
    git(root, "commit", "--quiet", "--message", message)


def told(out: str) -> dict[str, Any]:
    """The first game of what `pnp changed --format json` says."""
    data = json.loads(out)
    assert data["format"] == 1
    game: dict[str, Any] = data["games"][0]
    return game


def ids(game: dict[str, Any], lang: str, sort: str) -> list[str]:
    return [one["id"] for one in game["languages"][lang][sort]]
