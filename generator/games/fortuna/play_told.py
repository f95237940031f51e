"""What a seat at a table of Fortuna sees, and what is said of that nobody chose."""

from collections.abc import Iterator, Sequence
from typing import Any

from generator.games.engine.contract import ALL_SEEN, Box, Observation, Said
from generator.games.engine.kernel import Record
from generator.games.engine.observing import shown
from generator.games.fortuna import play_codes as c
from generator.games.fortuna.play_words import zones

_PHASES = {
    c.AT_ACTION: "at_action",
    c.AT_CARDS: "at_cards",
    c.AT_FILL: "at_fill",
    c.AT_DISCARD: "at_discard",
    c.AT_DECLARE: "at_declare",
    c.AT_FROM: "at_wheel",
    c.AT_TO: "at_wheel",
    c.AT_AMOUNT: "at_wheel",
}


def observe(s: Record, box: Box, seat: int) -> Observation:
    """All but both piles and other hands."""

    def hidden(zone: str, _piece: str) -> bool:
        return zone in ("main", "end") or (zone.startswith("hand ") and zone != f"hand {seat + 1}")

    laid = shown(zones(s, box)) if seat == ALL_SEEN else shown(zones(s, box), hidden)
    return Observation(laid, tuple(_status(s, box)), {"piles": _piles(s, box)})


def _piles(s: Record, box: Box) -> Said:
    """How many cards lie on each number, as that changes numbers and turns the Wheel."""
    there = tuple(f"{pile}: {s.count[pile]}" for pile in range(_number(box, "numbers")) if s.count[pile])
    return Said("piles" if there else "no_piles", {"piles": there, "total": _number(box, "wheel_total")})


def _status(s: Record, box: Box) -> Iterator[Said]:
    if s.over or s.phase not in _PHASES:
        return
    rounds = (s.turn + s.players - 1) // s.players
    number = int(s.set_number) or _number(box, "zero_set_max")
    values = {
        "turn": int(s.turn),
        "round": rounds,
        "seat": s.seat + 1,
        "number": int(s.set_number),
        "picked": int(s.used),
        "wanted": number,
        "need": int(s.need),
        "left": int(s.left),
        "pile": int(s.pile),
    }
    yield Said(_PHASES[int(s.phase)], values)
    if s.trigger:
        yield Said("end_near", {"number": int(s.end_n)})


def follow(before: Record | None, after: Record, box: Box, _seat: int) -> Sequence[Said]:
    """Points for sets, the End pile being opened, how much the Wheel moved where there was one way, and the end."""
    return () if before is None else tuple(_followed(before, after, box))


def _followed(before: Record, after: Record, box: Box) -> Iterator[Said]:
    for seat in range(after.players):
        if after.points[seat] != before.points[seat]:
            more = int(after.points[seat] - before.points[seat])
            yield Said("scores", {"seat": seat + 1, "more": more, "points": int(after.points[seat])})
    if before.phase == c.AT_TO and after.phase != c.AT_AMOUNT and before.count[before.source] == 1:
        yield Said("one_moved", {"source": int(before.source)})
    if after.wheeled and after.phase == c.AT_FROM and before.phase not in (c.AT_FROM, c.AT_TO, c.AT_AMOUNT):
        total = _number(box, "wheel_total")
        yield Said("wheel_turns", {"pile": int(after.pile), "cards": int(after.count[after.pile]), "total": total})
    if after.trigger and not before.trigger:
        yield Said("end_opened")
    if after.over:
        yield Said("decided")


def _number(box: Box, name: str) -> int:
    number: Any = box.numbers[name]
    return int(number)
