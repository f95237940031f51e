"""A tab that sits down at the table of a game, at any moment of it: for tests, and for the documents' picture."""

import json
from collections.abc import Sequence

from browser import Tab
from table_cases import GAMES, ask

READY = (
    "document.querySelectorAll('#moves button[data-move], #result:not([hidden]), #curtain:not([hidden])').length > 0"
)
"""Somebody may choose, or is asked for, or the game is over."""

DRAWN = "[...document.querySelectorAll('#table img')].every((image) => image.complete)"


def sit_down(
    tab: Tab,
    url: str,
    name: str,
    *,
    people: str = "1",
    moves: Sequence[int] = (),
    speed: float = 1000,
    lang: str = "en",
) -> None:
    """Open the table of a game as a browser has kept it, and wait until somebody may choose."""
    tab.call("Page.navigate", url=f"{url}icon.svg")
    tab.wait("document.readyState === 'complete' && location.pathname === '/icon.svg'")
    game = {
        "players": GAMES[name],
        "people": [int(seat) for seat in people.split(",")],
        "bots": "random",
        "seed": "1/3",
        "options": [],
        "moves": list(moves),
    }
    prefs = {"lang": lang, "tableSpeed": speed}
    for key, value in {f"pnp.table.{name}": game, "pnp.page": prefs}.items():
        tab.run(f"localStorage.setItem({json.dumps(key)}, {json.dumps(json.dumps(value))})")
    tab.call("Page.navigate", url=f"{url}play.html#{name}")
    tab.wait(READY, f"the table of {name}")


def choices_on(name: str, number: int) -> list[int]:
    """The moves of a game up to a person's choice after so many, or to its end; each time the middle one is taken."""
    moves: list[int] = []
    for _ in range(number):
        told = ask(name, moves=moves)
        if told["over"]:
            break
        moves = [*told["moves"], told["choices"][len(told["choices"]) // 2]["move"]]
    return [*ask(name, moves=moves)["moves"]]
