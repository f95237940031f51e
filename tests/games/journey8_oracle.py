"""Draft 8's plays, modes, totals and effects as pure functions: an oracle for what is played, without kernels."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from generator.game.model import Effect
from generator.rules.journey8.data import Facts, Switches


class Card(NamedTuple):
    """A card as it counts while a play is resolved; a joker has what was declared."""

    colour: str
    number: int
    joker: bool = False


class Step(NamedTuple):
    """What a play does to the player's counters: sone given, gained and turned; and whether the card is a key."""

    given: int
    gained: int
    turned: int
    key: bool


class Final(NamedTuple):
    """What a player has at the end: the sum of the numbers in hand, sone and coherence."""

    hand: int
    sone: int
    coherence: int


def step(new: Card, left: Card, sone: int, opponents: int, facts: Facts, switches: Switches) -> Step:
    """What playing `new` to the right of `left` does for a player with `sone`; turning comes after giving."""
    always = switches.joker_colour == "always_same" and (new.joker or left.joker)
    given = min(sone, opponents * facts.gift) if always or new.colour == left.colour else 0
    rise = new.number - left.number
    return Step(given, max(rise, 0), min(max(-rise, 0), sone - given), rise == 0)


def mode_by_count(keys: int, modes: Mapping[int, str]) -> str:
    """V-KEYCOUNT: how hand numbers count after so many keys; `modes` says from how many on."""
    return modes[max(fewest for fewest in modes if fewest <= keys)]


def total(final: Final, mode: str) -> int:
    """What a player is compared by: the least wins in Normal, the most otherwise."""
    gain = final.coherence - final.sone
    if mode == "ignored":
        return gain
    return final.hand - gain if mode == "normal" else final.hand + gain


def winners(finals: Sequence[Final], mode: str) -> tuple[int, ...]:
    """The places of the best in `finals`; on equal totals more coherence wins, and several are a draw."""
    sign = -1 if mode == "normal" else 1
    merits = [(sign * total(final, mode), final.coherence) for final in finals]
    return tuple(place for place, merit in enumerate(merits) if merit == max(merits))


# The mode


def key_runs(row: Sequence[bool], facts: Facts, switches: Switches) -> int:
    """How often a row (true for a key) has keys side by side."""
    runs = [len(list(cards)) for key, cards in groupby(row) if key]
    long = [length for length in runs if length >= facts.run]
    return len(long) if switches.run_count == "groups" else sum(length - facts.run + 1 for length in long)


def mode(row: Sequence[bool], facts: Facts, switches: Switches) -> str:
    """How hand numbers count after a row: each place with keys side by side changes it."""
    return "reverse" if key_runs(row, facts, switches) % 2 else "normal"


# Effects


class Counters(NamedTuple):
    """The sone and the coherence of a player."""

    sone: int
    coherence: int


Table = tuple[Counters, ...]
"""The counters of all players, by seat."""


def effect_applied(effect: Effect, seat: int, table: Table, chosen: Sequence[int] = ()) -> Table:
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
