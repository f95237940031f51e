"""The box of a table of Fortuna: every number that the kernels read, from the data and the readings in force."""

from collections.abc import Iterator, Mapping
from itertools import islice
from math import ceil

from generator.errors import Problem, ProblemsFound
from generator.games.engine.contract import Box, Options
from generator.games.engine.facts import kind_of
from generator.games.engine.kernel import Value
from generator.games.engine.settings import readings, with_options
from generator.games.fortuna.facts import Facts, Switches, facts_of
from generator.games.fortuna.figures import fewest_drawn, most_drawn, most_held, set_numbers, values
from generator.games.fortuna.moves import MOST_CARDS, READINGS
from generator.games.fortuna.score import ICON_BITS
from generator.model.game import Game

UNPLAYABLE = {
    "number_fix: live": "nobody has said what becomes of a set whose number changes or meets another (E12)",
}
"""Switch values that can't be played, and why."""

INTEGER_BITS = 62
"""Counts packed into one integer must fit into so many bits."""


def box(game: Game, players: int, options: Options) -> Box:
    """All reel cards in the order of the data; ProblemsFound names everything that can't be played."""
    game = with_options(game, players, options, unplayable=UNPLAYABLE)
    facts, switches = facts_of(game)
    designs = kind_of(game, "reel").designs
    cards = tuple(copy for design in designs for copy in design.copies())
    width = _width(facts, switches, len(cards), game.players.fewest)
    wrong = list(_unfit(game, facts, switches, len(cards), width))
    if wrong:
        raise ProblemsFound(wrong)
    numbers = {
        **_card_numbers(game, facts),
        **readings(game, READINGS),
        **_rule_numbers(facts, switches),
        **_value_table(facts, switches, len(cards), width),
        **_lengths(facts, switches, len(cards), players),
    }
    return Box(game, players, options, numbers, cards)


def _unfit(game: Game, facts: Facts, switches: Switches, cards: int, width: int) -> Iterator[Problem]:
    """Numbers of the rules that no game can be played with, or that the kernels have no room for."""
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


def _width(facts: Facts, switches: Switches, cards: int, fewest_players: int) -> int:
    """A bound for the cards of a hand: by what turns do to it, and by what the others leave in the deck."""
    deck = cards - fewest_players * facts.hand
    others = (fewest_players - 1) * facts.draw
    gain = facts.draw + max(0, max(*set_numbers(facts, switches), facts.zero_set_max) - facts.refill_minus)
    drawn = max(min(turn * gain, deck - (turn - 1) * others) for turn in range(1, cards + 1))
    return min(most_held(facts, switches), facts.hand + max(0, drawn))


def _card_numbers(game: Game, facts: Facts) -> Mapping[str, Value]:
    """What each card shows; equal designs can't be told apart. A card's `unit` is what it adds to a tally of icons."""
    copies = [(n, design) for n, design in enumerate(kind_of(game, "reel").designs) for _ in design.copies()]
    slot = {icon: n for n, icon in enumerate(sorted(facts.copies, key=lambda icon: (icon == facts.wild, icon)))}
    return {
        "cards": len(copies),
        "number": [int(design.fields["number"]) for _, design in copies],
        "design": [n for n, _ in copies],
        "unit": [1 << ICON_BITS * slot[design.fields["icon"]] for _, design in copies],
        "icons": len(slot) - 1,
    }


def _rule_numbers(facts: Facts, switches: Switches) -> Mapping[str, Value]:
    """The rules' own numbers; room for the End pile; whether the law of how hands shrink binds by the readings."""
    names = ("hand", "end_pile", "draw", "pass_discard", "wheel_total", "refill_minus", "one_card_discard")
    return {
        **{name: getattr(facts, name) for name in (*names, "zero_set_min", "zero_set_max")},
        "end_room": max(1, facts.end_pile),
        "play_hand_law": int(switches.refill_counts == "hand_cards" and switches.refill_in_progress == "complete"),
    }


def _value_table(facts: Facts, switches: Switches, cards: int, width: int) -> Mapping[str, Value]:
    """Which numbers a card may count as.

    `spread[b][c]` has a 1 for each number that a card numbered b may count as over c discards, `bits` apart, so that
    the sum over a hand is a count for each number. A pile's place is its number.
    """
    bits = width.bit_length()
    sets = set_numbers(facts, switches)
    numbers = max((*sets, *facts.numbers)) + 1
    spread = [[0] * (cards + 1) for _ in range(numbers)]
    for base in facts.numbers:
        for discards in range(cards + 1):
            spread[base][discards] = sum(1 << bits * value for value in values(base, discards, facts, switches))
    piles = sets if switches.discard_key == "declared" else facts.numbers
    return {
        "numbers": numbers,
        "piles": [int(number in piles) for number in range(numbers)],
        "spread": spread,
        "bits": bits,
        "most_counted": (1 << bits) - 1,
        "width": width,
    }


def _lengths(facts: Facts, switches: Switches, cards: int, players: int) -> Mapping[str, Value]:
    """The rounds of the shortest and the longest game, by the most and the fewest cards that turns can draw."""
    deck = cards - players * facts.hand - facts.end_pile
    drawn = enumerate(islice(most_drawn(facts, switches), cards), start=1)
    shortest = next((n for n, most in drawn if players * most > deck), 0)
    fewest = fewest_drawn(facts, switches)
    longest = ceil((deck // fewest + 1) / players) if fewest else 0
    return {"shortest": shortest, "longest": longest}
