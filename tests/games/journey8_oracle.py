"""Draft 8's plays, modes and totals as pure functions: an oracle for what is played, written without kernels."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from generator.games.journey8.facts import Facts, Mode, Switches


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


def mode_by_count(keys: int, modes: Mapping[int, Mode]) -> Mode:
    """V-KEYCOUNT: how hand numbers count after so many keys; `modes` says from how many on."""
    return modes[max(fewest for fewest in modes if fewest <= keys)]


def total(final: Final, mode: Mode) -> int:
    """What a player is compared by: the least wins in Normal, the most otherwise."""
    gain = final.coherence - final.sone
    if mode == "ignored":
        return gain
    return final.hand - gain if mode == "normal" else final.hand + gain


def winners(finals: Sequence[Final], mode: Mode) -> tuple[int, ...]:
    """The places of the best in `finals`; on equal totals more coherence wins, and several are a draw."""
    sign = -1 if mode == "normal" else 1
    merits = [(sign * total(final, mode), final.coherence) for final in finals]
    return tuple(place for place, merit in enumerate(merits) if merit == max(merits))
