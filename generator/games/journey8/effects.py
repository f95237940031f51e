"""What the effects of draft 8 do to the counters of all players, and what they are worth to who holds the card."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from generator.model.game import Effect


class Counters(NamedTuple):
    """The sone and the coherence of a player."""

    sone: int
    coherence: int


Table = tuple[Counters, ...]
"""The counters of all players, by seat."""

DISCARDS = "discard_this"
"""The operation by which a card leaves the hand, so that its number no longer counts."""


def apply(effect: Effect, seat: int, table: Table, chosen: Sequence[int] = ()) -> Table:
    """The table after an effect of the player at `seat`, done as far as the counters go.

    `chosen` are the seats that this player picks: one for each sone to give, or the one to take from, if there is any.
    ValueError for an operation that these rules do not know.
    """
    values = effect.values
    match effect.op:
        case "gain":
            return _changed(table, {seat: _some(values["side"], values["n"])})
        case "drop":
            return _changed(
                table, {seat: _some(values["side"], -min(values["n"], getattr(table[seat], values["side"])))}
            )
        case "turn":
            n = min(values["n"], table[seat].sone)
            return _changed(table, {seat: Counters(-n, n)})
        case "turn_back":
            n = min(values["n"], table[seat].coherence)
            return _changed(table, {seat: Counters(n, -n)})
        case "give":
            return _moved(table, seat, chosen[: min(values["n"], table[seat].sone)], gives=True)
        case "take_one":
            return _moved(table, seat, _from_each(chosen[:1], values["n"], table), gives=False)
        case "take_each":
            others = [other for other in range(len(table)) if other != seat]
            return _moved(table, seat, _from_each(others, values["n"], table), gives=False)
        case "all_gain":
            return _changed(table, dict.fromkeys(range(len(table)), _some(values["side"], values["n"])))
        case "discard_this":
            return table
    raise ValueError(f"unknown operation '{effect.op}'")


def worth(effects: Iterable[Effect], players: int) -> int:
    """Coherence gained and sone lost by whoever holds the card, at a table with plenty of both.

    What all players get moves nobody ahead and is worth nothing.
    """
    plenty = 100
    table: Table = (Counters(plenty, plenty),) * players
    for effect in effects:
        if effect.op != "all_gain":
            table = apply(effect, 0, table, chosen=[1] * plenty)
    return table[0].coherence - table[0].sone


def counters_added(effects: Iterable[Effect], players: int) -> int:
    """The most counters that a card can bring into play."""
    each = {"gain": 1, "all_gain": players}
    return sum(each.get(effect.op, 0) * effect.values.get("n", 0) for effect in effects)


def keeps_number(effects: Iterable[Effect]) -> bool:
    """Whether the card's number counts towards the total, as it is not discarded."""
    return all(effect.op != DISCARDS for effect in effects)


def _some(side: Any, n: int) -> Counters:
    return Counters(n, 0) if side == "sone" else Counters(0, n)


def _changed(table: Table, change: dict[int, Counters]) -> Table:
    none = Counters(0, 0)
    changes = (change.get(seat, none) for seat in range(len(table)))
    pairs = zip(table, changes, strict=True)
    return tuple(Counters(had.sone + new.sone, had.coherence + new.coherence) for had, new in pairs)


def _from_each(seats: Iterable[int], n: int, table: Table) -> list[int]:
    """Each seat as often as it has sone to hand over, `n` times at most."""
    return [seat for seat in seats for _ in range(min(n, table[seat].sone))]


def _moved(table: Table, seat: int, others: Iterable[int], *, gives: bool) -> Table:
    """One sone moved between `seat` and each seat of `others`."""
    shares = Counter(others)
    way = -1 if gives else 1
    change = {other: Counters(-way * n, 0) for other, n in shares.items()}
    change[seat] = Counters(way * shares.total(), 0)
    return _changed(table, change)
