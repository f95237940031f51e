"""Projects of strangers for the tests of `pnp import`: an empty folder, files written, the game that came of them."""

from pathlib import Path

from generator.game.load_game import load_game
from generator.game.model import Game
from generator.game.project import find_project


def write(folder: Path, files: dict[str, str | bytes]) -> Path:
    """A stranger's project."""
    for name, said in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(said.encode() if isinstance(said, str) else said)
    return folder


def game_of(root: Path) -> Game:
    return load_game(root / "data" / root.name, find_project(root).resources)
