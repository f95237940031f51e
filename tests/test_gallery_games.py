"""The small games of the gallery: each builds and validates as it lies there, and the page shows it."""

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import ROOT, Ran

from generator.game.load_game import load_game
from generator.game.project import find_project

Pnp = Callable[..., Ran]
GAMES = ROOT / "docs/gallery/games"
PIECES = {"bienen": 4, "ebb": 24, "orrery": 44}


@pytest.mark.usefixtures("keeping")
@pytest.mark.parametrize("name", sorted(PIECES))
def test_a_game_of_the_gallery_builds_wherever_it_is_copied(
    name: str, tmp_path: Path, pnp: Pnp, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sheets come without one problem, every check passes, and its licence lets anybody use it."""
    shutil.copytree(GAMES / name, tmp_path / name)
    monkeypatch.chdir(tmp_path / name)

    built, validated = pnp("build"), pnp("validate", "--strict", "--format", "json")

    assert built.code == 0 and re.fullmatch(r"validation: \d+ checks passed\n", built.err)
    game = load_game(tmp_path / name / "data" / name, find_project(tmp_path / name).resources)
    (lang,) = game.languages
    assert (tmp_path / name / "output" / name / f"sheets.{lang}.pdf").is_file()
    assert validated.code == 0
    assert {check["status"] for check in json.loads(validated.out)["games"][0]["checks"]} == {"pass"}
    assert sum(design.count for design in game.designs()) == PIECES[name]
    assert game.licence[lang].startswith("CC0 1.0")


def test_the_page_shows_each_game_with_its_data() -> None:
    page = (ROOT / "docs/gallery.md").read_text(encoding="utf-8")
    assert {path.name for path in GAMES.iterdir()} == PIECES.keys()
    for name in PIECES:
        assert f"(gallery/game-{name}.png)" in page
        assert f"(gallery/games/{name}/data/{name}/components.yaml)" in page
