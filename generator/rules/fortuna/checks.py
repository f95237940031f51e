"""Checks of Fortuna that need more than a line of arithmetic."""

from itertools import combinations_with_replacement, islice, zip_longest
from math import ceil

from generator.game.model import Game
from generator.rules.engine.facts import (
    Outcome,
    check,
    check_each_table,
    count_printed,
    find_card_faults,
    find_kind,
    format_finding,
    make_outcome,
)
from generator.rules.fortuna.data import (
    Facts,
    GameLength,
    count_refill,
    facts_of,
    fewest_drawn,
    iter_plays,
    limits_of,
    list_hand_sizes,
    list_values,
    most_drawn,
    most_held,
    set_numbers,
    set_points,
    wheel_turns,
)

REELS = "reel"


@check
def every_card_once(game: Game) -> Outcome:
    """Check that every number meets every icon, on as many cards as the rules say, each with the right id."""
    facts, _ = facts_of(game)
    designs = find_kind(game, REELS).designs
    wanted = {f"{number}-{icon}": copies for number in facts.numbers for icon, copies in facts.copies.items()}
    figures = f"{len(designs)} designs, {sum(design.count for design in designs)} different cards"
    return make_outcome(figures, find_card_faults(designs, "{number}-{icon}", wanted))


@check
def deal_fits(game: Game) -> Outcome:
    """Check that hands, End pile and main deck add up to the deck, and that the main deck equals the limits."""
    facts, _ = facts_of(game)
    lengths = _read_lengths(game)

    def row(players: int) -> tuple[bool, str]:
        takes, rest, stated = _set_up_cards(game, players), _main_deck(game, players), lengths[players].main_deck
        parts = " + ".join(map(str, (*takes, format_finding(rest, stated))))
        ok = takes == [players * facts.hand, facts.end_pile] and rest == stated
        return ok, f"{parts} = {find_kind(game, REELS).count}"

    return check_each_table(game, row)


@check
def no_early_trigger(game: Game) -> Outcome:
    """Check that the most draws first touch the End pile in the round that the limits call the shortest game."""
    facts, switches = facts_of(game)
    rows, ok = [], True
    for players, length in _read_lengths(game).items():
        deck = _main_deck(game, players)
        drawn = enumerate(islice(most_drawn(facts, switches), facts.cards), start=1)
        first = next((n for n, most in drawn if players * most > deck), None)
        ok &= first == length.shortest
        when = f"round {format_finding(first, length.shortest)}" if first else "never"
        rows.append(f"{players} players, main deck of {deck}: {when}")
    return Outcome(ok, "; ".join(rows))


@check
def longest_game(game: Game) -> Outcome:
    """Check that the fewest draws touch the End pile by the round that the limits call the longest game."""
    facts, switches = facts_of(game)
    fewest = fewest_drawn(facts, switches)
    if fewest == 0:
        return Outcome(False, "a turn may draw nothing, so the game need not end")
    lengths = _read_lengths(game)

    def row(players: int) -> tuple[bool, str]:
        turn, stated = _main_deck(game, players) // fewest + 1, lengths[players].longest
        last = ceil(turn / players)
        return last == stated, f"turn {turn}, round {format_finding(last, stated)}"

    return check_each_table(game, row)


@check
def wheel_can_turn(game: Game) -> Outcome:
    """Check that the cards of each number alone suffice to turn the Wheel of Fortune."""
    facts, switches = facts_of(game)
    printed = count_printed(game, REELS, "number")
    rows, ok = [], True
    for number in facts.numbers:
        enough = [n for n in range(1, printed[number] + 1) if wheel_turns(number, n, facts, switches)]
        ok &= bool(enough)
        rows.append(f"{number}: {enough[0] if enough else 'never'} of {printed[number]}")
    return Outcome(ok, ", ".join(rows))


@check
def refill_spares_end_pile(game: Game) -> Outcome:
    """Check that the largest refill is smaller than the End pile."""
    facts, _ = facts_of(game)
    most = _largest_refill(game)
    return Outcome(most < facts.end_pile, f"refill of {most} at most, End pile of {facts.end_pile}")


@check
def end_pile_can_run_out(game: Game) -> Outcome:
    """Check that the End pile can be used up within a round for each number of players."""
    facts, switches = facts_of(game)
    completed = _largest_refill(game)
    later = facts.draw if switches.turn_draw_after_trigger else 0

    def row(players: int) -> tuple[bool, str]:
        others = (players - 1) * later
        taken = {"complete": max(facts.draw, completed) + others, "stop": max(facts.draw, min(1, completed)) + others}
        told = f"up to {taken['complete']}, but {taken['stop']} if a refill stops at the trigger"
        return taken[switches.refill_in_progress] >= facts.end_pile, told

    found = check_each_table(game, row)
    return Outcome(found.ok, f"{found.figures}; End pile of {facts.end_pile}")


@check
def set_sizes_lawful(game: Game) -> Outcome:
    """Check that a set of a number above 0 has that many cards, and a set of 0 from the least to the most for it."""
    facts, switches = facts_of(game)
    sizes: dict[int, set[int]] = {}
    for held in range(1, most_held(facts, switches) + 1):
        for play in iter_plays(held, facts, switches):
            sizes.setdefault(play.number, set()).add(play.size)
    zeros = sizes.pop(0, set())
    lawful = all(found == {number} for number, found in sizes.items())
    wanted = set(range(max(1, facts.zero_set_min), facts.zero_set_max + 1))
    ok = lawful and bool(wanted) and zeros == wanted and switches.zero_set_max == facts.zero_set_max
    listed = ", ".join(f"{number}: {_format_span(found)}" for number, found in sorted(sizes.items()))
    return Outcome(ok, f"0: {_format_span(zeros)}, {listed} (0 by its reading: up to {switches.zero_set_max})")


@check
def hand_within_bounds(game: Game) -> Outcome:
    """Check that hands never exceed the first hand between turns, and are never empty after a turn's draw."""
    facts, switches = facts_of(game)
    between = list_hand_sizes(facts, switches)
    draws = {facts.draw, facts.draw if switches.turn_draw_after_trigger else 0}
    after = {hand + drawn for hand in between for drawn in draws}
    figures = f"between turns {_format_span(between)}, after the draw {_format_span(after)}"
    return Outcome(max(between) <= facts.hand and min(after) >= 1, figures)


@check
def ten_set_numbers(game: Game) -> Outcome:
    """Check that cards can count as the numbers below 10 and no others, so that a player can have 10 sets."""
    facts, switches = facts_of(game)
    numbers = set_numbers(facts, switches)
    return Outcome(numbers == tuple(range(facts.modulus)), f"{len(numbers)} numbers: {_format_span(numbers)}")


@check
def best_sets(game: Game) -> Outcome:
    """Check that the most points for a set of each number, over all possible icons, equal the limits."""
    facts, switches = facts_of(game)
    best: dict[int, int] = {}
    for play in {
        play for held in range(1, most_held(facts, switches) + 1) for play in iter_plays(held, facts, switches)
    }:
        showing = play.size if switches.face_down_icons == "count" else play.from_hand
        best[play.number] = max(best.get(play.number, 0), _best_points(play.size, showing, facts))
    found, stated = [best[number] for number in sorted(best)], limits_of(game).most_points
    pairs = zip_longest(sorted(best), found, stated)
    figures = ", ".join(f"{number}: {format_finding(points, limit)}" for number, points, limit in pairs)
    return Outcome(found == list(stated), figures)


@check
def all_in_only_numbers(game: Game) -> Outcome:
    """Check that the numbers that no hand can complete equal the limits."""
    facts, switches = facts_of(game)
    most = most_held(facts, switches)
    in_hand = {
        play.number for held in range(1, most + 1) for play in iter_plays(held, facts, switches) if not play.all_in
    }
    beyond = tuple(number for number in set_numbers(facts, switches) if number not in in_hand)
    stated = limits_of(game).all_in_only
    return Outcome(
        beyond == stated,
        f"largest hand {most}; beyond it: {format_finding(_format_span(beyond), _format_span(stated))}",
    )


@check
def value_counts(game: Game) -> Outcome:
    """Check that a card may count as one number more than there are discards, and as ten at most."""
    facts, switches = facts_of(game)
    cases = [(base, discards) for base in facts.numbers for discards in range(facts.cards + 1)]
    wrong = [
        f"{base} with {discards} discards: {len(found)}"
        for base, discards in cases
        if len(found := list_values(base, discards, facts, switches)) != min(discards + 1, facts.modulus)
    ]
    if wrong:
        return Outcome(False, f"{len(wrong)} of {len(cases)} cases differ, the first is {wrong[0]}")
    return Outcome(bool(cases), f"all {len(cases)} cases of number and discards")


def _read_lengths(game: Game) -> dict[int, GameLength]:
    """Return the limits for each number of players."""
    given = limits_of(game).game_length
    return {players: given[players] for players in game.players}


def _set_up_cards(game: Game, players: int) -> list[int]:
    """Return how many reel cards each line of the game's set-up takes."""
    return [item.take * (players if item.each_player else 1) for item in game.setup if item.kind == REELS]


def _main_deck(game: Game, players: int) -> int:
    """Return the number of reel cards left after set-up."""
    return find_kind(game, REELS).count - sum(_set_up_cards(game, players))


def _largest_refill(game: Game) -> int:
    """Return the most cards that one refill can draw after any possible turn."""
    facts, switches = facts_of(game)
    held = range(1, most_held(facts, switches) + 1)
    return max(
        (count_refill(play, facts, switches) for cards in held for play in iter_plays(cards, facts, switches)),
        default=0,
    )


def _best_points(size: int, showing: int, facts: Facts) -> int:
    """Return the most points of a set of `size` cards that shows so many icons, within the deck's copies of each."""
    supply = {icon: copies * len(facts.numbers) for icon, copies in facts.copies.items()}
    mixes = combinations_with_replacement(sorted(supply), showing)
    there = (icons for icons in mixes if all(icons.count(icon) <= supply[icon] for icon in set(icons)))
    return max((set_points(size, icons, facts.wild) for icons in there), default=0)


def _format_span(numbers: set[int] | frozenset[int] | tuple[int, ...]) -> str:
    """Return `0-7` for an unbroken run, otherwise every number."""
    listed = sorted(numbers)
    if len(listed) > 1 and listed[-1] - listed[0] == len(listed) - 1:
        return f"{listed[0]}-{listed[-1]}"
    return " ".join(map(str, listed)) or "none"
