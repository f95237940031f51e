"""Tables without a browser: the five games asked as the page asks them, and a small game whose rules a stranger wrote."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any
from urllib.parse import parse_qs, urlencode

from conftest import ROOT

from generator.game.project import find_project
from generator.live.gallery import Gallery
from generator.live.table_answers import PlayRoom

GAMES = {"fortuna": 3, "journey18": 1, "journey8": 2, "wayfaring": 2, "xanadu": 3}
"""Each game with the number of players that it is tried with."""


@cache
def room(*names: str) -> PlayRoom:
    return PlayRoom(Gallery(find_project(ROOT, ROOT), names).lend_game)


def base_36(number: int) -> str:
    """A move as the page writes it."""
    digits = ""
    while number or not digits:
        number, digit = divmod(number, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
    return digits


def packed(moves: Sequence[int]) -> str:
    return ".".join(map(base_36, moves))


def ask(name: str, what: str = "at", moves: Sequence[int] = (), **more: Any) -> dict[str, Any]:
    """What the table of a game answers; `more` as in the page's address."""
    query = {"players": GAMES[name], "people": "1", "seed": "1/3", "lang": "en", "bots": "random", **more}
    written = urlencode({**query, "moves": packed(moves)})
    found = room(name).answer(name, what, parse_qs(written, keep_blank_values=True))
    assert found is not None, (name, what)
    return found


def seen_by(answer: Mapping[str, Any]) -> dict[str, Any]:
    """What an answer shows: without the moves, by which the page asks on, and without what is told of the past."""
    return {name: value for name, value in answer.items() if name not in ("moves", "log", "dealt")}
