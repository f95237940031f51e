"""The box of a table of Fortuna: every number that the kernels read, from the data and the readings in force."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from math import ceil
from typing import Any

from generator.errors import did_you_mean
from generator.games.engine.contract import Box, Options
from generator.games.engine.facts import kind_of
from generator.games.engine.kernel import Value
from generator.games.engine.variants import choices
from generator.games.fortuna.facts import Facts, Switches, facts_of
from generator.games.fortuna.figures import fewest_drawn, most_drawn, most_held, set_numbers, values
from generator.games.fortuna.play_codes import FAILED_DRAW, FINISH_TURN, ICON_BITS, IMMEDIATE, MOST_CARDS
from generator.model.game import Game

UNPLAYABLE = {
    "number_fix: live": "nobody has said what becomes of a set whose number changes or meets another (E12)",
}
"""Switch values that can't be played, and why."""

EXHAUSTED = {"finish_turn": FINISH_TURN, "immediate": IMMEDIATE, "on_failed_draw": FAILED_DRAW}

INTEGER_BITS = 62
"""Counts packed into one integer must fit into so many bits."""


def box(game: Game, players: int, options: Options) -> Box:
    """All reel cards in the order of the data; ValueError names everything that can't be played."""
    game = settled(game, players, options)
    facts, switches = facts_of(game)
    designs = kind_of(game, "reel").designs
    cards = tuple(copy for design in designs for copy in design.copies())
    width = _width(facts, switches, len(cards), game.players.fewest)
    wrong = list(_unfit(facts, switches, len(cards), game.players.most, width))
    if wrong:
        raise ValueError("; ".join(wrong))
    numbers = {
        **_card_numbers(game, facts),
        **_rule_numbers(facts),
        **_switch_numbers(switches),
        **_value_table(facts, switches, len(cards), width),
        **_lengths(facts, switches, len(cards), players),
    }
    return Box(game, players, options, numbers, cards)


def settled(game: Game, players: int, options: Options) -> Game:
    """The game with the options as its readings; ValueError names every wrong one."""
    known = choices(game)
    wrong = []
    if players not in game.players:
        wrong.append(f"{players} can't play; there are {game.players.fewest} to {game.players.most} players")
    for name, value in options.items():
        if name not in known:
            wrong.append(f"there is no switch '{name}'; {did_you_mean(name, known)}")
        elif not any(value == choice and isinstance(value, bool) == isinstance(choice, bool) for choice in known[name]):
            wrong.append(f"{name} can't be '{value}'; {did_you_mean(str(value), map(str, known[name]))}")
    settings = (f"{name}: {value}" for name, value in {**game.switches, **options}.items())
    wrong += [f"{setting} can't be played: {UNPLAYABLE[setting]}" for setting in settings if setting in UNPLAYABLE]
    if wrong:
        raise ValueError("; ".join(wrong))
    readings = {
        key: replace(reading, value=options.get(reading.switch, reading.value)) if reading.switch else reading
        for key, reading in game.readings.items()
    }
    return replace(game, readings=readings)


def _unfit(facts: Facts, switches: Switches, cards: int, most_players: int, width: int) -> Iterator[str]:
    """Numbers of the rules that no game can be played with, or that the kernels have no room for."""
    if facts.draw < 1:
        yield "rules.draw must be 1 or more, or the game need not end"
    if facts.pass_discard < 1:
        yield "rules.pass_discard must be 1 or more: a pass is known by its card"
    if most_players * facts.hand + facts.end_pile > cards:
        yield f"{cards} reel cards are too few for {most_players} hands of {facts.hand} and the End pile"
    if cards > MOST_CARDS:
        yield f"{cards} reel cards are more than the {MOST_CARDS} that can be played with"
    if len(facts.copies) * ICON_BITS > INTEGER_BITS:
        yield f"{len(facts.copies)} icons are more than the {INTEGER_BITS // ICON_BITS} that can be played with"
    if (max(set_numbers(facts, switches)) + 1) * width.bit_length() > INTEGER_BITS:
        yield f"hands may grow to {width} cards, more than can be played with"


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


def _rule_numbers(facts: Facts) -> Mapping[str, Value]:
    names = ("hand", "end_pile", "draw", "pass_discard", "wheel_total", "refill_minus", "one_card_discard")
    return {name: getattr(facts, name) for name in (*names, "zero_set_min", "zero_set_max")}


def _switch_numbers(switches: Switches) -> Mapping[str, Value]:
    """Each reading as a number: 0 for the reading in force in the draft's default where there are two."""
    whole_law = switches.refill_counts == "hand_cards" and switches.refill_in_progress == "complete"
    return {
        "zero_all_in": int(switches.zero_all_in),
        "table_scope": int(switches.same_number_scope == "table"),
        "declared": int(switches.discard_key == "declared"),
        "any_discard": int(switches.wheel_trigger == "any_discard"),
        "at_least": int(switches.wheel_condition == "at_least"),
        "not_discarded": int(switches.wheel_destination == "not_source_not_discarded"),
        "optional": int(switches.wheel_optional),
        "random_fill": int(switches.allin_source == "random"),
        "down_counts": int(switches.face_down_icons == "count"),
        "by_set_size": int(switches.refill_counts == "set_size"),
        "stop_refill": int(switches.refill_in_progress == "stop"),
        "discard_late": int(switches.one_card_discard_after_trigger),
        "draw_late": int(switches.turn_draw_after_trigger),
        "all_in_late": int(switches.all_in_after_trigger),
        "exhausted": EXHAUSTED[switches.end_pile_exhausted],
        "play_hand_law": int(whole_law),
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


def state(box: Box) -> dict[str, Any]:
    """A fresh state.

    `main` and `end` are stacks, the top last. Cards in piles and sets are chained: `top`, `up` and `down` hold the
    uppermost card plus 1 (0 for none), `under` the next below it. A seat's hand lies ascending in its part of `hand`;
    the sets of a seat begin at `seat * numbers` in `up` and `down`. `trigger` is the turn in which the end trigger was
    pulled, `by_refill` whether by a refill, `first_end` how many End cards that turn took. Of the turn last used:
    `kind` is what for, `used` how many hand cards its set took, `size` its size, `closed` whether the trigger barred
    its refill, `pile` where the last discard went, `wheeled` whether it turned the Wheel. Of the choice at hand:
    `set_number`, `last` card picked plus 1, `need` cards to fill in, `least` pile to take them from, `left` cards to
    discard, `held` the card in hand between two piles plus 1, `source` and `target` of the Wheel.
    """
    numbers, facts = box.numbers, dict[str, Any](box.numbers)
    seats = box.game.players.most
    names = (
        *("players", "seat", "over", "turn", "hole", "phase", "main_n", "end_n", "discards", "laid"),
        *("trigger", "by_refill", "first_end", "kind", "used", "size", "closed", "pile", "wheeled"),
        *("set_number", "tally", "last", "need", "least", "left", "held", "source", "target"),
    )
    rows = {
        "rng": 4,
        "short": 1,
        "main": facts["cards"],
        "end": max(1, facts["end_pile"]),
        "under": facts["cards"],
        "hand": seats * facts["width"],
        "hand_n": seats,
        "before": seats,
        "points": seats,
        "owned": seats,
        "sets": seats,
        "top": numbers["numbers"],
        "count": numbers["numbers"],
        "up": seats * facts["numbers"],
        "down": seats * facts["numbers"],
    }
    return {**dict.fromkeys(names, 0), **{name: [0] * length for name, length in rows.items()}}
