"""What the page asks of a table: who plays, from which seed, the moves so far. All of it stands in the question."""

from collections.abc import Mapping
from typing import Any

from generator.commands.session import Seating, option_of, seed_of
from generator.dataclass import dataclass
from generator.errors import Problem, ProblemsFound
from generator.playtest.series import MOST_MOVES

LARGEST = 2**53
"""No move is a larger number: a page could not write it."""

MOST_PLAYOUTS = 5_000
"""Playouts of a search at a table, where somebody waits for each choice: some seconds of work."""

Query = Mapping[str, list[str]]


@dataclass(frozen=True, slots=True)
class TableAsked:
    """A table and who looks at it.

    `eyes` is the seat (from 1) of who looks, 0 for nobody of those who play. `most` is how many moves bots make at most
    before the page is told, None for all. `bot` is who is asked for a hint.
    """

    seating: Seating
    moves: tuple[int, ...]
    lang: str
    eyes: int = 0
    most: int | None = None
    bot: str = "greedy"


def asked_of(query: Query) -> TableAsked:
    """The question that an address asks; ProblemsFound with all that is no such thing."""
    problems: list[Problem] = []
    moves = _moves(query, problems)
    if len(moves) > MOST_MOVES:
        problems.append(Problem(None, f"{len(moves)} moves are more than a game has", f"{MOST_MOVES} at most"))
    people = _wholes(query, "people", problems, 100)
    single = {name: _wholes(query, name, problems, 100, 1) for name in ("players", "eyes", "most")}
    bots, bot = _text(query, "bots", "greedy"), _text(query, "bot", "greedy")
    for name in dict.fromkeys(f"{bots},{bot}".split(",")):
        if _is_slow(name.strip()):
            what = f"'{name.strip()[:40]}' takes too long at a table"
            problems.append(Problem(None, what, f"write search:{MOST_PLAYOUTS} or less, or use `pnp play`"))
    seed, options = seed_of("1/0"), dict[str, Any]()
    try:
        seed = seed_of(_text(query, "seed", "1/0"))
        options = dict(option_of(text) for text in query.get("option", []))
    except ValueError as error:
        problems.append(Problem(None, str(error)))
    if problems:
        raise ProblemsFound(problems)
    players = single["players"][0] if single["players"] else None
    seating = Seating(players, tuple(people), bots, seed, options)
    eyes = single["eyes"][0] if single["eyes"] else 0
    most = single["most"][0] if single["most"] else None
    return TableAsked(seating, tuple(moves), _text(query, "lang", ""), eyes, most, bot)


def _is_slow(bot: str) -> bool:
    """Return True for a search with more playouts than somebody at a table should wait for."""
    kind, _, number = bot.partition(":")
    return kind == "search" and number.isascii() and number.isdigit() and int(number[:9]) > MOST_PLAYOUTS


def _text(query: Query, name: str, usual: str) -> str:
    return query.get(name, [usual])[0]


def _moves(query: Query, problems: list[Problem]) -> list[int]:
    """Numbers to the base 36 between points: as many moves as a game may have fit into an address of 64 kB."""
    text = _text(query, "moves", "")
    parts = text.split(".") if text else []
    good = all(part.isascii() and part.isalnum() and len(part) < 12 and int(part, 36) <= LARGEST for part in parts)
    if not good:
        what = f"moves={text[:40]} is no such thing"
        problems.append(Problem(None, what, "write numbers to the base 36 between points"))
    return [int(part, 36) for part in parts] if good else []


def _wholes(query: Query, name: str, problems: list[Problem], most: int, number: int | None = None) -> list[int]:
    """Whole numbers between commas; none where nothing is said."""
    parts = _text(query, name, "").split(",")
    if parts == [""]:
        return []
    good = all(part.isascii() and part.isdigit() and len(part) < 17 and int(part) <= most for part in parts)
    if not good or (number is not None and len(parts) != number):
        what = "a whole number" if number == 1 else "whole numbers between commas"
        problems.append(Problem(None, f"{name}={_text(query, name, '')[:40]} is no such thing", f"write {what}"))
        return []
    return [int(part) for part in parts]
