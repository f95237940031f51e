"""Fortuna's arithmetic: what a card may count as, which sets a hand makes, what a turn draws, what a set is worth."""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from generator.games.fortuna.facts import Facts, Switches


class Play(NamedTuple):
    """A set as it is played: its number, the cards from hand, and its size once discards have filled it up."""

    number: int
    from_hand: int
    size: int

    @property
    def all_in(self) -> bool:
        """Whether discards have to fill the set up."""
        return self.from_hand < self.size


class Turn(NamedTuple):
    """What a turn does to a hand: cards drawn in all, cards held at its end."""

    drawn: int
    hand: int


def _counts_as(total: int, modulus: int, ten_value: str) -> int | None:
    """The number that a sum of base number and discards stands for; None if it stands for none."""
    if total == modulus and ten_value != "zero":
        return total if ten_value == "ten" else None
    return total % modulus


def values(base: int, discards: int, facts: Facts, switches: Switches) -> tuple[int, ...]:
    """All that a hand card numbered `base` may count as over a pile of that many discards, lowest sum first."""
    return _values(base, discards, facts.modulus, switches.ten_value)


@lru_cache(maxsize=1 << 14)
def _values(base: int, discards: int, modulus: int, ten_value: str) -> tuple[int, ...]:
    numbers = (_counts_as(base + extra, modulus, ten_value) for extra in range(discards + 1))
    return tuple(dict.fromkeys(number for number in numbers if number is not None))


def set_numbers(facts: Facts, switches: Switches) -> tuple[int, ...]:
    """Every number that a set can have, over piles of any size."""
    return _set_numbers(facts.numbers, facts.cards, facts.modulus, switches.ten_value)


@lru_cache
def _set_numbers(bases: tuple[int, ...], cards: int, modulus: int, ten_value: str) -> tuple[int, ...]:
    return tuple(sorted({n for base in bases for n in _values(base, cards, modulus, ten_value)}))


def plays(held: int, facts: Facts, switches: Switches) -> Iterator[Play]:
    """Every set that a hand of `held` cards can make when its cards count as they should and discards suffice."""
    for number in set_numbers(facts, switches):
        if number > 0:
            if held > 0:
                yield Play(number, min(number, held), number)
            continue
        for size in range(facts.zero_set_min, min(facts.zero_set_max, held) + 1):
            yield Play(number, size, size)
        if switches.zero_all_in and 0 < held < facts.zero_set_max:
            yield Play(number, held, facts.zero_set_max)


def refill(play: Play, facts: Facts, switches: Switches) -> int:
    """How many cards are drawn after a play, before the end trigger."""
    if play.size == 1:
        return 0
    counted = play.from_hand if switches.refill_counts == "hand_cards" else play.size
    return max(0, counted - facts.refill_minus)


def turns(hand: int, facts: Facts, switches: Switches, *, after_trigger: bool = False) -> Iterator[Turn]:
    """Every way in which a turn that starts with `hand` cards can go, with a pass first."""
    drawn = 0 if after_trigger and not switches.turn_draw_after_trigger else facts.draw
    held = hand + drawn
    yield Turn(drawn, max(0, held - facts.pass_discard))
    for play in plays(held, facts, switches):
        left = held - play.from_hand
        if play.all_in and after_trigger and not switches.all_in_after_trigger:
            continue
        if play.size == 1:
            costs = not after_trigger or switches.one_card_discard_after_trigger
            yield Turn(drawn, max(0, left - facts.one_card_discard) if costs else left)
        else:
            refilled = 0 if after_trigger else refill(play, facts, switches)
            yield Turn(drawn + refilled, left + refilled)


def hands(facts: Facts, switches: Switches) -> frozenset[int]:
    """Every hand size that can be reached between turns; none above the size of the deck is followed up."""
    found: set[int] = set()
    waiting = {facts.hand}
    while waiting:
        hand = waiting.pop()
        found.add(hand)
        if hand <= facts.cards:
            ways = [turn for after in (False, True) for turn in turns(hand, facts, switches, after_trigger=after)]
            waiting |= {turn.hand for turn in ways} - found
    return frozenset(found)


def most_held(facts: Facts, switches: Switches) -> int:
    """The largest hand that a player can hold, namely after the draw that begins a turn."""
    return max(hands(facts, switches)) + facts.draw


def most_drawn(facts: Facts, switches: Switches) -> Iterator[int]:
    """The most cards that one player can have drawn after round 1, 2, 3 ... before the end trigger; without end."""
    best = {facts.hand: 0}
    while True:
        after: dict[int, int] = {}
        for hand, so_far in best.items():
            for turn in turns(hand, facts, switches):
                after[turn.hand] = max(after.get(turn.hand, 0), so_far + turn.drawn)
        best = after
        yield max(best.values())


def fewest_drawn(facts: Facts, switches: Switches) -> int:
    """The fewest cards that a turn before the end trigger can draw."""
    return min(turn.drawn for hand in hands(facts, switches) for turn in turns(hand, facts, switches))


def wheel_turns(base: int, discards: int, facts: Facts, switches: Switches) -> bool:
    """Whether discarding a card numbered `base` by a pass turns the Wheel; `discards` includes that card."""
    total = base + discards
    return total == facts.wheel_total or (switches.wheel_condition == "at_least" and total > facts.wheel_total)


def set_points(size: int, icons: Iterable[str], wild: str) -> int:
    """The points of a set: its size times its most frequent icon, wild ones added; `icons` are those that count."""
    tally = Counter(icons)
    wilds = tally.pop(wild, 0)
    return size * (max(tally.values(), default=0) + wilds)
