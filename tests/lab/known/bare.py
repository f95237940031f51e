"""What the games of chance beside it share: no cards, nothing hidden, one legal move, points and winners in two rows."""

from collections.abc import Mapping
from typing import Any

from generator.game.model import Game
from generator.rules.engine.contract import Box, Message, Options, Rules, Zones
from generator.rules.engine.kernel import PURPOSES, Record, Row, kernel


def box(game: Game, players: int, options: Options) -> Box:
    return Box(game, players, options, {"nothing": 0, **game.sections.get("rules", {})}, ())


def state(box: Box) -> dict[str, Any]:
    """`points` and `won` (1 for each winner) by seat; `rng` has two purposes; `deal` and `chosen` are as a game likes."""
    fields = dict.fromkeys(("players", "seat", "over", "turn", "hole", "deal", "chosen"), 0)
    return fields | {"rng": [0] * (PURPOSES + 2), "short": [0], "points": [0] * box.players, "won": [0] * box.players}


@kernel
def set_up(s: Record, f: Record) -> None:
    """Nothing to lay out."""


@kernel
def legal(s: Record, f: Record, moves: Row) -> int:
    moves[0] = 0
    return 1


@kernel
def apply(s: Record, f: Record, move: int) -> None:
    """Each game has its own."""


@kernel
def score(s: Record, f: Record, points: Row) -> None:
    for seat in range(s.players):
        points[seat] = s.points[seat]


@kernel
def place(s: Record, f: Record, places: Row) -> None:
    for seat in range(s.players):
        places[seat] = 1 if s.won[seat] else 2


@kernel
def value(s: Record, f: Record, seat: int) -> int:
    return s.points[seat]  # type: ignore[no-any-return]


@kernel
def blind(s: Record, f: Record, seat: int) -> None:
    """All lies open."""


@kernel
def demand(s: Record, f: Record, taken: Row) -> None:
    taken[0] = 0


@kernel
def broken(s: Record, f: Record) -> int:
    return 0


def zones(s: Record, box: Box) -> Zones:
    return {}


def write(s: Record, box: Box, move: int) -> str:
    return str(move)


def say(s: Record, box: Box, move: int) -> Message:
    return Message("move", {"n": move})


def arrange(s: Record, box: Box, given: Mapping[str, Any]) -> None:
    raise ValueError("nothing can be given")


def ask(s: Record, box: Box, question: str, words: tuple[str, ...]) -> Any:
    raise LookupError(question)


RULES = Rules(
    box=box, state=state, set_up=set_up, legal=legal, apply=apply, score=score, place=place, value=value, blind=blind,
    demand=demand, most=lambda box: 10, zones=zones, write=write, say=say, arrange=arrange, ask=ask, broken=broken,
)  # fmt: skip
