"""A copy of fortuna that tests change, and readers of what `pnp record` and `pnp changed` made of it."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

from conftest import ROOT
from tests_support import ProjectFolder

COMPONENTS = "data/fortuna/components.yaml"


class FortunaCopy(ProjectFolder):
    """Fortuna in a project of its own; tests change one thing in it."""

    def __init__(self, root: Path):
        super().__init__(root)
        for folder in ("data/fortuna", "templates/fortuna", "templates/common"):
            shutil.copytree(ROOT / folder, root / folder)


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
