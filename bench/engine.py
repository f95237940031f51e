"""How fast games are played at random, interpreted and compiled, beside OpenSpiel driven from Python; see README.md."""

import argparse
import gc
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from generator.game.load_game import load_game
from generator.game.model import Game
from generator.game.project import find_project
from generator.play import game_loop
from generator.play.series import Series
from generator.rules.engine.contract import Box, Rules
from generator.rules.engine.kernel import INTERPRETED, CompiledMode, Mode
from generator.rules.registry import load_rules

HERE = Path(__file__).resolve().parent
COLUMNS = ("game", "players", "mode", "choices/s", "aim", "games/s", "choices/game", "first call s")

AIMS = {
    ("fortuna", "interpreted"): 60_000,
    ("journey18", "interpreted"): 60_000,
    ("journey8", "interpreted"): 60_000,
    ("wayfaring", "interpreted"): 30_000,
    ("xanadu", "interpreted"): 30_000,
    ("fortuna", "compiled"): 6_000_000,
    ("journey18", "compiled"): 6_000_000,
    ("journey8", "compiled"): 6_000_000,
    ("wayfaring", "compiled"): 6_000_000,
    ("xanadu", "compiled"): 6_000_000,
}
"""At least so many choices among two or more in a second of CPU time."""

FIRST_CALL_AIM = 15.0
"""Seconds at most for compiling a game."""

AT_ONCE = 50
"""Games between two looks at the clock."""

SPIEL_GAMES = ("hearts", "crazy_eights", "python_block_dominoes")


@dataclass(frozen=True, slots=True)
class Result:
    """What was played in so many seconds of CPU time; `first` are the seconds of the first game, compiling included."""

    game: str
    players: int
    mode: str
    games: int
    choices: int
    seconds: float
    first: float


def main() -> None:
    """Measure and print, game by game."""
    options = _options()
    gc.disable()  # as `pnp` does
    print(f"| {' | '.join(COLUMNS)} |\n{'|---' * len(COLUMNS)}|")
    with tempfile.TemporaryDirectory() as cache:
        modes: list[Mode] = [INTERPRETED, *([] if options.interpreted else [CompiledMode(cache)])]
        for game, rules in _games(options.games):
            for players in game.players:
                box = rules.box(game, players, {})
                for mode in modes:
                    print(_row(measured(rules, box, mode, options.seconds)), flush=True)
    yardstick = spiel(options.spiel, options.seconds)
    for name, figures in yardstick.items():
        rate, games = figures["choices"] / figures["seconds"], figures["games"] / figures["seconds"]
        length = figures["choices"] / figures["games"]
        print(f"| {name} |  | OpenSpiel | {rate:,.0f} |  | {games:,.1f} | {length:.0f} |  |")
    if not yardstick:
        print("\nOpenSpiel is not installed: `make bench-engine` installs it beside the program.")


def measured(rules: Rules, box: Box, mode: Mode, seconds: float) -> Result:
    """Whole games at random, for at least so many seconds of CPU time after the first."""
    series, games, choices = Series(rules, box, mode, watch=False), 0, 0
    begin = time.process_time()
    series.game_figures(1, 0, 1)
    first = time.process_time() - begin
    begin = time.process_time()
    while (passed := time.process_time() - begin) < seconds:
        told = series.game_figures(1, games, AT_ONCE)
        games += AT_ONCE
        choices += sum(told[game_loop.CHOICES :: len(series.columns)])
    return Result(box.game.id, box.players, mode.name, games, choices, passed, first)


def spiel(python: str, seconds: float) -> dict[str, dict[str, float]]:
    """The same of OpenSpiel's games; nothing where that Python doesn't have it."""
    known = subprocess.run((python, "-c", "import pyspiel"), capture_output=True, check=False)
    if known.returncode:
        return {}
    run = subprocess.run(
        (python, str(HERE / "spiel.py"), str(seconds), *SPIEL_GAMES), stdout=subprocess.PIPE, check=True, text=True
    )
    figures: dict[str, dict[str, float]] = json.loads(run.stdout[run.stdout.index("{") :])
    return figures


def _games(names: tuple[str, ...]) -> Iterator[tuple[Game, Rules]]:
    project = find_project(HERE.parent)
    for name in project.choose_games(names):
        game = load_game(project.find_folder(name), project.resources)
        rules = load_rules(game)
        if rules is not None:
            yield game, rules


def _row(result: Result) -> str:
    rate, aim = result.choices / result.seconds, AIMS.get((result.game, result.mode))
    first = f"{result.first:.1f}, {'met' if result.first <= FIRST_CALL_AIM else 'MISSED'}"
    cells = (
        result.game,
        result.players,
        result.mode,
        f"{rate:,.0f}",
        f"{aim:,}, {'met' if rate >= aim else 'MISSED'}" if aim else "",
        f"{result.games / result.seconds:,.1f}",
        f"{result.choices / result.games:.0f}",
        first if result.mode == "compiled" else "",
    )
    return f"| {' | '.join(map(str, cells))} |"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", help="games of the project (default: all that can be played)")
    parser.add_argument("--seconds", type=float, default=3.0, help="of CPU time for each row (default 3)")
    parser.add_argument("--interpreted", action="store_true", help="leave the compiler out")
    parser.add_argument("--spiel", default=sys.executable, metavar="PYTHON", help="a Python that has OpenSpiel")
    options = parser.parse_args()
    options.games = tuple(options.games)
    return options


if __name__ == "__main__":
    main()
