"""Holds a game against its marks and examples whenever a line comes in: answers `same` or `other`.

    python bench/same_games.py GAME SECONDS

All but the game's own modules is loaded once; each answer comes from a fork that loads these as they are then. A fork
that takes longer than SECONDS answers by being stopped: `other`.
"""

import os
import signal
import sys
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "playtest")]

from generator.game.load_game import load_game  # noqa: E402
from generator.game.model import Game  # noqa: E402
from generator.game.project import find_project  # noqa: E402
from generator.rules.engine.contract import Rules  # noqa: E402 - the path comes first
from generator.rules.registry import PACKAGE  # noqa: E402


def same(game: Game, name: str, marks: list[str]) -> bool:
    """Whether all examples hold and every line of the record comes out; stops at whatever goes wrong first."""
    try:
        rules: Rules = import_module(f"{PACKAGE}.{name}.rules").RULES
        lines = import_module("game_marks").record(game, rules)
        faults = import_module("generator.play.example_runs").find_example_faults
        if any(faults(game, rules, example) for example in game.examples):
            return False
        return all(line == other for line, other in zip(lines, marks, strict=True))
    except Exception:  # noqa: BLE001 - a changed rule may raise anything
        return False


def main() -> None:
    """Answer until the input ends."""
    name, seconds = sys.argv[1], int(sys.argv[2])
    project = find_project(ROOT)
    game = load_game(project.find_folder(name), project.resources)
    marks = (ROOT / "tests" / "golden" / f"{name}-marks.txt").read_text(encoding="utf-8").splitlines()
    for module in [module for module in sys.modules if module.startswith(f"{PACKAGE}.{name}")]:
        del sys.modules[module]
    for _ in sys.stdin:
        child = os.fork()
        if child == 0:
            signal.alarm(seconds)
            os._exit(0 if same(game, name, marks) else 1)
        print("same" if os.waitpid(child, 0)[1] == 0 else "other", flush=True)


if __name__ == "__main__":
    main()
