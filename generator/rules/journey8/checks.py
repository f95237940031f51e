"""Checks of Draft 8 that need more than a line of arithmetic."""

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from generator.game.model import Design, Game
from generator.rules.engine.facts import (
    Outcome,
    check,
    check_each_table,
    count_printed,
    find_card_faults,
    find_code_name,
    find_kind,
    format_finding,
    is_proposed,
    make_outcome,
)
from generator.rules.journey8.data import (
    BOOKMARKS,
    JOKERS,
    Deal,
    Facts,
    Switches,
    can_occur,
    count_deal,
    counters_added,
    counters_in_play,
    effect_worth,
    effects_of,
    example_of,
    facts_of,
    limits_of,
    longest_row,
    make_box,
    most_keys,
    most_rises,
    most_turns,
    rising_row,
    worth_of,
)
from generator.rules.journey8.state import Mode, key_runs, mode_of


class _Table(NamedTuple):
    """A number of players, the deal to them, and the rules by which they play."""

    players: int
    deal: Deal
    facts: Facts
    switches: Switches


@check
def every_bookmark_once(game: Game) -> Outcome:
    """Check that each colour has each number on one card with the right id, as in the rules' table of colours."""
    facts, _ = facts_of(game)
    designs = find_kind(game, BOOKMARKS).designs
    wanted = {f"{colour}-{number}": 1 for colour in facts.colours for number in facts.numbers}
    found = count_printed(game, BOOKMARKS, "colour")
    faults = [*find_card_faults(designs, "{colour}-{number}", wanted)]
    stated = facts.colours.items()
    faults += [f"{colour}: {found[colour]}, not {cards}" for colour, cards in stated if found[colour] != cards]
    return make_outcome(f"{found.total()} cards, {len(designs)} pairs of colour and number", faults)


@check
def effects_given(game: Game) -> Outcome:
    """Check that every card has an effect that is not a proposal of ours."""
    effects = effects_of(game)
    cards = [design for kind in (BOOKMARKS, JOKERS) for design in find_kind(game, kind).designs]
    missing = [design.id for design in cards if not effects.get(design.id)]
    if missing:
        return Outcome(False, f"no effect: {', '.join(missing)}")
    proposed = any(is_proposed(game, design) for design in cards)
    return Outcome(bool(cards) and not proposed, "the draft lacks effects that we propose" if proposed else "all given")


@check
def effects_worth(game: Game) -> Outcome:
    """Check that each effect is worth its card's number (0 if discarded) less the same amount for all."""
    wanted = worth_of(game)
    effects = effects_of(game)
    rows: list[str] = []
    for design in (design for kind in (BOOKMARKS, JOKERS) for design in find_kind(game, kind).designs):
        number = (
            design.fields.get("number", 0) if all(effect.op != "discard_this" for effect in effects[design.id]) else 0
        )
        found, due = effect_worth(effects[design.id], wanted.players), number - wanted.number_less
        if found != due:
            rows.append(f"{design.id}: {found:+} for {due:+}")
    told = f"{wanted.players} players, number less {wanted.number_less}"
    if rows:
        return Outcome(False, f"{told}: {len(rows)} of {len(effects)} differ: {', '.join(rows)}")
    return Outcome(bool(effects), f"{told}: all {len(effects)} cards")


@check
def cards_in_game(game: Game) -> Outcome:
    """Check that the cards in the game after set-up equal the limits."""
    limits = limits_of(game)
    box = _list_box(game)

    def row(at: _Table) -> tuple[bool, str]:
        stays, stated = box - at.deal.removed, limits.table[at.players].in_game
        return stays == stated == at.deal.in_game, f"{box} - {at.deal.removed} = {format_finding(stays, stated)}"

    return _check_each_table(game, row)


@check
def set_up_deals(game: Game) -> Outcome:
    """Check that all cards are shuffled and add up to hands, story and deck; deck and counters equal the limits."""
    limits = limits_of(game)
    box = _list_box(game)
    shuffled = sum(item.take for item in game.setup if item.kind in (BOOKMARKS, JOKERS) and not item.each_player)
    if shuffled != box:
        return Outcome(False, f"set-up takes {shuffled} of {box} cards from the box")

    def row(at: _Table) -> tuple[bool, str]:
        stated, stays = limits.table[at.players], box - at.deal.removed
        deck = stays - at.deal.hands - at.deal.story
        counters = counters_in_play(at.players, (), at.facts)
        figures = f"{at.deal.hands} + {at.deal.story} + {format_finding(deck, stated.deck)} = {stays}"
        ok = deck == at.deal.deck == stated.deck and counters == stated.counters
        return ok, f"{figures}, {format_finding(counters, stated.counters)} counters"

    return _check_each_table(game, row)


@check
def turns_equal(game: Game) -> Outcome:
    """Check that players get equal turns in a game that goes on until the deck is empty."""
    return _check_each_table(game, _shared_turns)


@check
def turns_equal_without_story_card(game: Game) -> Outcome:
    """Check the same for a game without a card in the story at the start."""
    return _check_each_table(game, _shared_turns, equal_turns="no_start_card")


@check
def row_bounded(game: Game) -> Outcome:
    """Check that the longest row of cards that a story can have is exactly as long as `limits` says."""
    limits = limits_of(game)

    def row(at: _Table) -> tuple[bool, str]:
        longest, stated = longest_row(at.deal, at.facts, at.switches), limits.table[at.players].row
        return longest == stated, format_finding(longest, stated)

    return _check_each_table(game, row)


@check
def counters_suffice(game: Game) -> Outcome:
    """Check that the box has the most counters that play can need, unless the supply may run out.

    The figures also show the most counters that effects at the end could need, because these may be settled on paper.
    """

    def row(at: _Table) -> tuple[bool, str]:
        rises = _count_rises(game, at)
        most = counters_in_play(at.players, rises[-1:], at.facts)
        with_end = counters_in_play(at.players, [_with_effects(game, at, rises)], at.facts)
        ok = most <= at.facts.counters or at.switches.supply == "finite"
        return ok, f"{most} of {at.facts.counters} ({with_end} at most with the effects at the end)"

    return _check_each_table(game, row)


@check
def reverse_possible(game: Game) -> Outcome:
    """Check that enough cards share a number to make a run of keys without jokers, which turns the mode to Reverse."""
    facts, _ = facts_of(game)
    copies = count_printed(game, BOOKMARKS, "number")
    enough = [number for number in facts.numbers if copies[number] > facts.run]
    figures = f"{facts.run + 1} equal numbers: {', '.join(map(str, enough)) or 'none'}"
    return Outcome(bool(enough), figures)


@check
def keys_bounded(game: Game) -> Outcome:
    """Check that the most keys that a game can show equal the limits."""
    stated = limits_of(game).keys

    def row(at: _Table) -> tuple[bool, str]:
        most = most_keys(most_turns(at.deal.deck, at.facts), at.facts, at.switches)
        return most == stated, format_finding(most, stated)

    return _check_each_table(game, row)


@check
def example_counts(game: Game) -> Outcome:
    """Check that the draft's example row leads to the mode stated in the draft."""
    example = example_of(game)
    f, row = make_box(game, game.players.fewest, {}).make_facts(), example.row
    found = find_code_name(Mode, mode_of(f, row, len(row)))
    figures = f"places with keys side by side: {key_runs(f, row, len(row))}, so {found}"
    return Outcome(found == example.mode, figures)


@check
def example_can_occur(game: Game) -> Outcome:
    """Check that the draft's example row is possible by the rules on keys."""
    facts, switches = facts_of(game)
    row = example_of(game).row
    last = max((place for place, key in enumerate(row, start=1) if key), default=0)
    figures = f"{sum(row)} keys, {len(row) - last} cards after the last; keys that end the game: {switches.key_end}"
    return Outcome(can_occur(row, facts, switches), figures)


def _shared_turns(at: _Table) -> tuple[bool, str]:
    turns = most_turns(at.deal.deck, at.facts)
    over = turns % at.players
    return over == 0, f"{turns} turns" + (f", {over} over" if over else f", {turns // at.players} each")


def _count_rises(game: Game, at: _Table) -> list[int]:
    """Return the most counters from larger numbers, without a joker in the story, with one, ... with all."""
    row = rising_row(at.deal, at.facts, at.switches)
    fresh = at.switches.joker_memory == "none"
    copies, jokers = count_printed(game, BOOKMARKS, "number"), range(find_kind(game, JOKERS).count + 1)
    return [most_rises(copies, played, row, fresh=fresh) for played in jokers]


def _with_effects(game: Game, at: _Table, rises: list[int]) -> int:
    """Return a bound for counters from larger numbers and effects; each joker is either played or held."""
    if at.switches.events == "none":
        return rises[-1]
    effects = effects_of(game)

    def count_added(design: Design) -> int:
        return counters_added(effects[design.id], at.players)

    marks = sum(count_added(design) * design.count for design in find_kind(game, BOOKMARKS).designs)
    held = max((count_added(design) for design in find_kind(game, JOKERS).designs), default=0)
    return marks + max(rise + held * (len(rises) - 1 - played) for played, rise in enumerate(rises))


def _check_each_table(game: Game, row: Callable[[_Table], tuple[bool, str]], **changed: str) -> Outcome:
    """Check a fact for every number of players: `row` returns if it holds, and figures; `changed` are switches."""
    facts, switches = facts_of(game)
    switches = replace(switches, **changed)  # type: ignore[arg-type]
    return check_each_table(game, lambda n: row(_Table(n, count_deal(n, facts, switches), facts, switches)))


def _list_box(game: Game) -> int:
    """Return the number of printed cards, which all are in the deck before set-up."""
    return find_kind(game, BOOKMARKS).count + find_kind(game, JOKERS).count
