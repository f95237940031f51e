"""Who sees and is told what at a table of Fortuna."""

from collections.abc import Iterator, Sequence

from generator.games.engine.contract import ALL_SEEN, Box, Observation, Said
from generator.games.engine.kernel import Record, kernel, shuffle
from generator.games.engine.observing import visible_zones
from generator.games.fortuna.effects import put_in_hand
from generator.games.fortuna.moves import Phase
from generator.games.fortuna.words import zones

_PHASES = {
    Phase.ACTION: "at_action",
    Phase.CARDS: "at_cards",
    Phase.FILL: "at_fill",
    Phase.DISCARD: "at_discard",
    Phase.DECLARE: "at_declare",
    Phase.FROM: "at_wheel",
    Phase.TO: "at_wheel",
    Phase.AMOUNT: "at_wheel",
}


@kernel
def blind(s: Record, f: Record, seat: int) -> None:
    """Both piles and all other hands are mixed. They are gathered in the main deck's row, in ascending order."""
    for i in range(s.main_n):
        s.under[s.main[i]] = -1
    for i in range(s.end_n):
        s.under[s.end[i]] = -1
    for other in range(s.players):
        if other != seat:
            for i in range(other * f.width, other * f.width + s.hand_n[other]):
                s.under[s.hand[i]] = -1
    unseen = 0
    for card in range(f.cards):
        if s.under[card] < 0:
            s.under[card] = 0
            s.main[unseen] = card
            unseen += 1
    shuffle(s.rng, s.main, 0, unseen)
    for i in range(s.end_n):
        unseen -= 1
        s.end[i] = s.main[unseen]
    for other in range(s.players):
        if other != seat:
            number = s.hand_n[other]
            s.hand_n[other] = 0
            for _ in range(number):
                unseen -= 1
                put_in_hand(s, f, other, s.main[unseen])
    for i in range(s.main_n, f.cards):
        s.main[i] = 0


def observe(s: Record, box: Box, seat: int) -> Observation:
    """All but both piles and other hands."""

    def is_hidden(zone: str, _piece: str) -> bool:
        return zone in ("main", "end") or (zone.startswith("hand ") and zone != f"hand {seat + 1}")

    laid = visible_zones(zones(s, box)) if seat == ALL_SEEN else visible_zones(zones(s, box), is_hidden)
    return Observation(laid, tuple(_status(s, box)), {"piles": _piles(s, box)})


def _piles(s: Record, box: Box) -> Said:
    """How many cards lie on each number, as that changes numbers and turns the Wheel."""
    there = tuple(f"{pile}: {s.count[pile]}" for pile in range(box.number("numbers")) if s.count[pile])
    return Said("piles" if there else "no_piles", {"piles": there, "total": box.number("wheel_total")})


def _status(s: Record, box: Box) -> Iterator[Said]:
    if s.over or s.phase not in _PHASES:
        return
    rounds = (s.turn + s.players - 1) // s.players
    number = int(s.set_number) or box.number("zero_set_max")
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
    return () if before is None else tuple(_consequences(before, after, box))


def _consequences(before: Record, after: Record, box: Box) -> Iterator[Said]:
    for seat in range(after.players):
        if after.points[seat] != before.points[seat]:
            more = int(after.points[seat] - before.points[seat])
            yield Said("scores", {"seat": seat + 1, "more": more, "points": int(after.points[seat])})
    if before.phase == Phase.TO and after.phase != Phase.AMOUNT and before.count[before.source] == 1:
        yield Said("one_moved", {"source": int(before.source)})
    if after.wheeled and after.phase == Phase.FROM and before.phase not in (Phase.FROM, Phase.TO, Phase.AMOUNT):
        total = box.number("wheel_total")
        yield Said("wheel_turns", {"pile": int(after.pile), "cards": int(after.count[after.pile]), "total": total})
    if after.trigger and not before.trigger:
        yield Said("end_opened")
    if after.over:
        yield Said("decided")
