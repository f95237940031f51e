"""A game for two whose truth is on paper: each round a ball is drawn from an urn and put back; red is a point for seat 1.

With r red balls among n the first seat wins a round with r / n; of 3 rounds it has most with p * p * (3 - 2 * p). A
game has as many turns as rounds. The number `idle` does nothing at all, and with `curse` above 0 a law is broken.
"""

from collections.abc import Mapping
from typing import Any

from generator.base.errors import Problem, ProblemsFound
from generator.game.model import Game
from generator.rules.engine.contract import Box, Message, Options, Rules, Zones
from generator.rules.engine.kernel import Record, Row, draw_below, kernel


def box(game: Game, players: int, options: Options) -> Box:
    """Balls, the red ones first; ProblemsFound for an urn without any."""
    cards = tuple(copy for design in game.kinds["ball"].designs for copy in design.copies())
    if not cards:
        where = game.places.place("components", "ball", "designs")
        raise ProblemsFound([Problem(where, "the urn has no balls", "print one")])
    if options.get("ball") == "away" and len(cards) < game.sections["rules"]["rounds"]:
        raise ProblemsFound([Problem(None, "there are fewer balls than rounds", "put them back (E1), or print more")])
    rules = game.sections["rules"]
    red = sum(design.count for design in game.kinds["ball"].designs if design.id == "ball/red")
    numbers = {"balls": len(cards), "red": red}
    return Box(game, players, options, numbers | {name: rules[name] for name in ("rounds", "idle", "curse")}, cards)


def state(box: Box) -> dict[str, Any]:
    fields = dict.fromkeys(("players", "seat", "over", "turn", "hole"), 0)
    return fields | {"rng": [0] * 4, "short": [0], "won": [0, 0]}


@kernel
def set_up(s: Record, f: Record) -> None:
    s.turn = 0


@kernel
def legal(s: Record, f: Record, moves: Row) -> int:
    moves[0] = 0
    return 1


@kernel
def apply(s: Record, f: Record, move: int) -> None:
    """Draws a ball, and puts it back."""
    s.won[0 if draw_below(s.rng, f.balls) < f.red else 1] += 1
    s.turn += 1
    s.seat = 1 - s.seat
    if s.turn == f.rounds:
        s.over = 1


@kernel
def score(s: Record, f: Record, points: Row) -> None:
    points[0] = s.won[0]
    points[1] = s.won[1]


@kernel
def place(s: Record, f: Record, places: Row) -> None:
    places[0] = 1 if s.won[0] >= s.won[1] else 2
    places[1] = 1 if s.won[1] >= s.won[0] else 2


@kernel
def value(s: Record, f: Record, seat: int) -> int:
    return s.won[seat]


@kernel
def blind(s: Record, f: Record, seat: int) -> None:
    s.hole = s.hole


@kernel
def demand(s: Record, f: Record, taken: Row) -> None:
    taken[0] = 0


@kernel
def broken(s: Record, f: Record) -> int:
    return 1 if f.curse > 0 else 0


def zones(s: Record, box: Box) -> Zones:
    return {"urn": dict.fromkeys(box.cards, 1)}


def write(s: Record, box: Box, move: int) -> str:
    return "draw"


def say(s: Record, box: Box, move: int) -> Message:
    return Message("draw")


def arrange(s: Record, box: Box, given: Mapping[str, Any]) -> None:
    raise ValueError("nothing can be given")


def ask(s: Record, box: Box, question: str, words: tuple[str, ...]) -> Any:
    raise LookupError(question)


RULES = Rules(
    box=box, state=state, set_up=set_up, legal=legal, apply=apply, score=score, place=place, value=value, blind=blind,
    demand=demand, most=lambda box: 1, zones=zones, write=write, say=say, arrange=arrange, ask=ask, broken=broken,
)  # fmt: skip
