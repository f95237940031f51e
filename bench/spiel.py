"""Random games of OpenSpiel driven from Python, as JSON: the yardstick of engine.py; needs a Python with `pyspiel`.

python spiel.py SECONDS GAME [GAME ...]
"""

import importlib
import json
import random
import sys
import time


def main() -> None:
    """Measure each game for so many seconds of CPU time."""
    seconds, names = float(sys.argv[1]), sys.argv[2:]
    spiel = importlib.import_module("pyspiel")
    importlib.import_module("open_spiel.python.games")
    json.dump({name: measured(spiel.load_game(name), seconds) for name in names}, sys.stdout)


def measured(game: object, seconds: float) -> dict[str, float]:
    """Choices among two or more, games, and the CPU seconds that they took."""
    chance = random.Random(1)  # noqa: S311 - a bench's chances are no secret
    games = choices = 0
    begin = time.process_time()
    while time.process_time() - begin < seconds:
        state = game.new_initial_state()  # type: ignore[attr-defined]
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(chance.choices(outcomes, weights)[0])
                continue
            legal = state.legal_actions()
            choices += len(legal) > 1
            state.apply_action(chance.choice(legal))
        games += 1
    return {"games": games, "choices": choices, "seconds": time.process_time() - begin}


if __name__ == "__main__":
    main()
