"""Nim with one heap, for tests of search: who can't leave a multiple of four is lost, and nothing but the end tells."""

from dataclasses import replace
from typing import Any

from small_games import GAME, higher

from generator.rules.engine.contract import Box
from generator.rules.engine.kernel import Record, Row, kernel


def box_of(heap: int, players: int = 2) -> Box:
    return Box(GAME, players, {}, {"heap": heap}, ())


def state(box: Box) -> dict[str, Any]:
    """The heap, and who took the last one, from 1."""
    fields = dict.fromkeys(("players", "seat", "over", "turn", "hole", "heap", "winner"), 0)
    return fields | {"rng": [0] * 4, "short": [0]}


@kernel
def set_up(s: Record, f: Record) -> None:
    s.heap = f.heap


@kernel
def legal(s: Record, f: Record, moves: Row) -> int:
    """One to three."""
    number = min(3, s.heap)
    for i in range(number):
        moves[i] = i + 1
    return number  # type: ignore[no-any-return]


@kernel
def apply(s: Record, f: Record, move: int) -> None:
    """Who takes the last one wins."""
    s.heap -= move
    s.turn += 1
    if s.heap == 0:
        s.over, s.winner = 1, s.seat + 1
    s.seat = (s.seat + 1) % s.players


@kernel
def place(s: Record, f: Record, places: Row) -> None:
    for seat in range(s.players):
        places[seat] = 1 if s.winner == seat + 1 else 2


@kernel
def score(s: Record, f: Record, points: Row) -> None:
    for seat in range(s.players):
        points[seat] = 1 if s.winner == seat + 1 else 0


@kernel
def value(s: Record, f: Record, seat: int) -> int:
    return 0


@kernel
def blind(s: Record, f: Record, seat: int) -> None:
    """All lies open."""


RULES = replace(
    higher.RULES, state=state, set_up=set_up, legal=legal, apply=apply, score=score, place=place, value=value,
    blind=blind, most=lambda box: 3,
)  # fmt: skip
