"""The data of Fortuna: facts, arithmetic and the box of numbers that kernels read."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from math import ceil
from typing import NamedTuple

from generator.base.errors import Problem, ProblemsFound
from generator.game.model import Game
from generator.rules.engine.contract import Box, Options
from generator.rules.engine.facts import FactReader, find_kind
from generator.rules.engine.kernel import Value
from generator.rules.engine.settings import apply_options, encode_settings
from generator.rules.fortuna.state import ICON_BITS, MOST_CARDS


@dataclass(frozen=True, slots=True)
class Facts:
    """The numbers of the rules, by their names in `rules.yaml`."""

    numbers: tuple[int, ...]
    copies: Mapping[str, int]
    wild: str
    modulus: int
    hand: int
    end_pile: int
    draw: int
    pass_discard: int
    wheel_total: int
    refill_minus: int
    one_card_discard: int
    zero_set_min: int
    zero_set_max: int

    @property
    def cards(self) -> int:
        """The number of cards in the deck: every number with all copies of every icon."""
        return len(self.numbers) * sum(self.copies.values())


@dataclass(frozen=True, slots=True)
class Switches:
    """The reading in force for each passage of the rules with several readings (`readings.yaml`)."""

    ten_value: str
    zero_set_max: int
    zero_all_in: bool
    number_fix: str
    same_number_scope: str
    discard_key: str
    wheel_trigger: str
    wheel_condition: str
    wheel_destination: str
    wheel_optional: bool
    allin_source: str
    face_down_icons: str
    refill_counts: str
    refill_in_progress: str
    one_card_discard_after_trigger: bool
    turn_draw_after_trigger: bool
    all_in_after_trigger: bool
    end_pile_exhausted: str
    tie_break: str


@dataclass(frozen=True, slots=True)
class GameLength:
    """Consequences of the number of players: main deck after set-up; rounds of the shortest and the longest game."""

    players: int
    main_deck: int
    shortest: int
    longest: int


@dataclass(frozen=True, slots=True)
class Limits:
    """Consequences of the numbers as stated in the data; the checks recompute them."""

    game_length: Mapping[int, GameLength]
    most_points: tuple[int, ...]
    all_in_only: tuple[int, ...]


def facts_of(game: Game) -> tuple[Facts, Switches]:
    """Return the numbers and readings of a game's data. Raise ProblemsFound with all missing or wrong values."""
    reader = FactReader(game)
    facts = reader.read_facts(
        Facts,
        numbers=reader.read_wholes("numbers", fewest=1),
        wild=reader.read_name("wild", known=reader.read_table("copies")),
        modulus=reader.read_whole("modulus", least=1),
    )
    switches = reader.read_readings(Switches)
    reader.raise_problems()
    return facts, switches


def limits_of(game: Game) -> Limits:
    """Return the limits stated in the data. Raise ProblemsFound as `facts_of` does."""
    reader = FactReader(game)
    lengths = reader.read_player_rows(GameLength, "limits", "game_length")
    limits = reader.read_facts(Limits, "limits", game_length=lengths)
    reader.raise_problems()
    return limits


class Play(NamedTuple):
    """A set when played: its number, the cards from hand, and its size after discards are added."""

    number: int
    from_hand: int
    size: int

    @property
    def all_in(self) -> bool:
        """True if the set must be filled up with discards."""
        return self.from_hand < self.size


class Turn(NamedTuple):
    """The effect of a turn on a hand: cards drawn in total, cards held at its end."""

    drawn: int
    hand: int


def _counts_as(total: int, modulus: int, ten_value: str) -> int | None:
    """Return what the sum of a card's number and discards counts as: its rest by `modulus`; for 10, see `ten_value`."""
    if total == modulus and ten_value != "zero":
        return total if ten_value == "ten" else None
    return total % modulus


def list_values(base: int, discards: int, facts: Facts, switches: Switches) -> tuple[int, ...]:
    """Return all numbers that a hand card `base` may count as over this many discards, lowest sum first."""
    return _list_values(base, discards, facts.modulus, switches.ten_value)


@lru_cache(maxsize=1 << 14)
def _list_values(base: int, discards: int, modulus: int, ten_value: str) -> tuple[int, ...]:
    numbers = (_counts_as(base + extra, modulus, ten_value) for extra in range(discards + 1))
    return tuple(dict.fromkeys(number for number in numbers if number is not None))


def set_numbers(facts: Facts, switches: Switches) -> tuple[int, ...]:
    """Return every number that a set can have, over piles of any size."""
    return _set_numbers(facts.numbers, facts.cards, facts.modulus, switches.ten_value)


@lru_cache
def _set_numbers(bases: tuple[int, ...], cards: int, modulus: int, ten_value: str) -> tuple[int, ...]:
    return tuple(sorted({n for base in bases for n in _list_values(base, cards, modulus, ten_value)}))


def iter_plays(held: int, facts: Facts, switches: Switches) -> Iterator[Play]:
    """Yield every set that a hand of `held` cards can make if its cards count as needed and discards suffice."""
    for number in set_numbers(facts, switches):
        if number > 0:
            if held > 0:
                yield Play(number, min(number, held), number)
            continue
        for size in range(facts.zero_set_min, min(facts.zero_set_max, held) + 1):
            yield Play(number, size, size)
        if switches.zero_all_in and 0 < held < facts.zero_set_max:
            yield Play(number, held, facts.zero_set_max)


def count_refill(play: Play, facts: Facts, switches: Switches) -> int:
    """Return the number of cards drawn after a play, before the end trigger."""
    if play.size == 1:
        return 0
    counted = play.from_hand if switches.refill_counts == "hand_cards" else play.size
    return max(0, counted - facts.refill_minus)


def iter_turns(hand: int, facts: Facts, switches: Switches, *, after_trigger: bool = False) -> Iterator[Turn]:
    """Yield every possible course of a turn that starts with `hand` cards; a pass comes first."""
    drawn = 0 if after_trigger and not switches.turn_draw_after_trigger else facts.draw
    held = hand + drawn
    yield Turn(drawn, max(0, held - facts.pass_discard))
    for play in iter_plays(held, facts, switches):
        left = held - play.from_hand
        if play.all_in and after_trigger and not switches.all_in_after_trigger:
            continue
        if play.size == 1:
            costs = not after_trigger or switches.one_card_discard_after_trigger
            yield Turn(drawn, max(0, left - facts.one_card_discard) if costs else left)
        else:
            refilled = 0 if after_trigger else count_refill(play, facts, switches)
            yield Turn(drawn + refilled, left + refilled)


def list_hand_sizes(facts: Facts, switches: Switches) -> frozenset[int]:
    """Return every hand size that can occur between turns, up to the size of the deck."""
    found: set[int] = set()
    waiting = {facts.hand}
    while waiting:
        hand = waiting.pop()
        found.add(hand)
        if hand <= facts.cards:
            ways = [turn for after in (False, True) for turn in iter_turns(hand, facts, switches, after_trigger=after)]
            waiting |= {turn.hand for turn in ways} - found
    return frozenset(found)


def most_held(facts: Facts, switches: Switches) -> int:
    """Return the largest possible hand, which occurs after the draw that begins a turn."""
    return max(list_hand_sizes(facts, switches)) + facts.draw


def most_drawn(facts: Facts, switches: Switches) -> Iterator[int]:
    """Yield the most cards that a player can have drawn after round 1, 2, 3 ... before the end trigger; endless."""
    best = {facts.hand: 0}
    while True:
        after: dict[int, int] = {}
        for hand, so_far in best.items():
            for turn in iter_turns(hand, facts, switches):
                after[turn.hand] = max(after.get(turn.hand, 0), so_far + turn.drawn)
        best = after
        yield max(best.values())


def fewest_drawn(facts: Facts, switches: Switches) -> int:
    """Return the fewest cards that a turn before the end trigger can draw."""
    return min(turn.drawn for hand in list_hand_sizes(facts, switches) for turn in iter_turns(hand, facts, switches))


def wheel_turns(base: int, discards: int, facts: Facts, switches: Switches) -> bool:
    """Return True if discarding a card `base` by a pass turns the Wheel; `discards` includes that card."""
    total = base + discards
    return total == facts.wheel_total or (switches.wheel_condition == "at_least" and total > facts.wheel_total)


def set_points(size: int, icons: Iterable[str], wild: str) -> int:
    """Return a set's points: its size times its most frequent icon plus wild ones; `icons` are those that count."""
    tally = Counter(icons)
    wilds = tally.pop(wild, 0)
    return size * (max(tally.values(), default=0) + wilds)


UNPLAYABLE = {"number_fix: live": "nobody has said what becomes of a set whose number changes or meets another (E12)"}
"""Switch values that can't be played, with the reason."""

INTEGER_BITS = 62
"""The bits available for counts packed into one integer."""


def make_box(game: Game, players: int, options: Options) -> Box:
    """Return the box with all reel cards in the order of the data. Raise ProblemsFound with everything unplayable."""
    game = apply_options(game, players, options, unplayable=UNPLAYABLE)
    facts, switches = facts_of(game)
    designs = find_kind(game, "reel").designs
    cards = tuple(copy for design in designs for copy in design.copies())
    # A bound for the cards of a hand, from the effect of turns and the cards that the others leave.
    fewest = game.players.fewest
    deck, others = len(cards) - fewest * facts.hand, (fewest - 1) * facts.draw
    gain = facts.draw + max(0, max(*set_numbers(facts, switches), facts.zero_set_max) - facts.refill_minus)
    drawn = max(min(turn * gain, deck - (turn - 1) * others) for turn in range(1, len(cards) + 1))
    width = min(most_held(facts, switches), facts.hand + max(0, drawn))
    wrong = list(_find_unfit(game, facts, switches, len(cards), width))
    if wrong:
        raise ProblemsFound(wrong)
    names = ("hand", "end_pile", "draw", "pass_discard", "wheel_total", "refill_minus", "one_card_discard")
    numbers = {
        **_card_numbers(game, facts),
        **encode_settings(game),
        **{name: getattr(facts, name) for name in (*names, "zero_set_min", "zero_set_max")},
        "end_room": max(1, facts.end_pile),
        "play_hand_law": int(switches.refill_counts == "hand_cards" and switches.refill_in_progress == "complete"),
        **_value_table(facts, switches, len(cards), width),
        **_bound_rounds(facts, switches, len(cards), players),
    }
    return Box(game, players, options, numbers, cards)


def _find_unfit(game: Game, facts: Facts, switches: Switches, cards: int, width: int) -> Iterator[Problem]:
    """Yield problems for unplayable numbers of the rules: also too many cards, icons, or cards in a hand (`width`)."""
    most = game.players.most

    def wrong(name: str, what: str, hint: str) -> Problem:
        return Problem(game.places.place("rules", name), what, hint)

    if facts.draw < 1:
        yield wrong("draw", "rules.draw must be 1 or more", "otherwise the game need not end")
    if facts.pass_discard < 1:
        yield wrong("pass_discard", "rules.pass_discard must be 1 or more", "a pass is known by its card")
    if most * facts.hand + facts.end_pile > cards:
        what = f"{cards} reel cards are too few for {most} hands of {facts.hand} and the End pile"
        yield wrong("hand", what, "deal fewer")
    if cards > MOST_CARDS:
        yield wrong("copies", f"{cards} reel cards", f"{MOST_CARDS} can be played with at most")
    if len(facts.copies) * ICON_BITS > INTEGER_BITS:
        yield wrong("copies", f"{len(facts.copies)} icons", f"{INTEGER_BITS // ICON_BITS} can be played with at most")
    if (max(set_numbers(facts, switches)) + 1) * width.bit_length() > INTEGER_BITS:
        yield wrong("hand", f"hands may grow to {width} cards, more than can be played with", "draw fewer")


def _card_numbers(game: Game, facts: Facts) -> Mapping[str, Value]:
    """Return the values of each card; equal designs are alike. A card's `unit` is its part of a tally of icons."""
    copies = [(n, design) for n, design in enumerate(find_kind(game, "reel").designs) for _ in design.copies()]
    slot = {icon: n for n, icon in enumerate(sorted(facts.copies, key=lambda icon: (icon == facts.wild, icon)))}
    return {
        "cards": len(copies),
        "number": [int(design.fields["number"]) for _, design in copies],
        "design": [n for n, _ in copies],
        "unit": [1 << ICON_BITS * slot[design.fields["icon"]] for _, design in copies],
        "icons": len(slot) - 1,
    }


def _value_table(facts: Facts, switches: Switches, cards: int, width: int) -> Mapping[str, Value]:
    """Return the numbers that a card may count as; no hand has more than `width` cards, and the deck has `cards`.

    `spread[b][c]` has a 1 for each number that a card numbered b may count as over c discards, `bits` apart, so that
    the sum over a hand counts each number. `piles[n]` is 1 if number n has a pile.
    """
    bits = width.bit_length()
    sets = set_numbers(facts, switches)
    numbers = max((*sets, *facts.numbers)) + 1
    spread = [[0] * (cards + 1) for _ in range(numbers)]
    for base in facts.numbers:
        for discards in range(cards + 1):
            spread[base][discards] = sum(1 << bits * value for value in list_values(base, discards, facts, switches))
    piles = sets if switches.discard_key == "declared" else facts.numbers
    return {
        "numbers": numbers,
        "piles": [int(number in piles) for number in range(numbers)],
        "spread": spread,
        "bits": bits,
        "most_counted": (1 << bits) - 1,
        "width": width,
    }


def _bound_rounds(facts: Facts, switches: Switches, cards: int, players: int) -> Mapping[str, Value]:
    """Return the rounds of the shortest and the longest game, by the most and the fewest cards that turns can draw."""
    deck = cards - players * facts.hand - facts.end_pile
    drawn = enumerate(islice(most_drawn(facts, switches), cards), start=1)
    shortest = next((n for n, most in drawn if players * most > deck), 0)
    fewest = fewest_drawn(facts, switches)
    longest = ceil((deck // fewest + 1) / players) if fewest else 0
    return {"shortest": shortest, "longest": longest}
