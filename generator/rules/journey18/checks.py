"""Checks of journey18 that need more than a line of arithmetic."""

from collections import Counter
from collections.abc import Iterable, Mapping
from math import comb

from generator.game.model import Game
from generator.rules.engine.facts import (
    Outcome,
    check,
    find_card_faults,
    find_kind,
    format_finding,
    make_outcome,
    read_rule_texts,
)
from generator.rules.journey18.data import (
    EVENTS,
    Event,
    best_points,
    bound_drift,
    bound_shifts,
    compute_residue,
    events_of,
    facts_of,
    fewest_loops,
    find_capacity,
    first_hand,
    is_even,
    iter_stands,
    limits_of,
    locations_of,
    residues_within_reach,
    shortest_trip,
)
from generator.rules.journey18.data import most_points as points_bound
from generator.rules.journey18.data import most_turns as turns_bound


@check
def every_event_once(game: Game) -> Outcome:
    """Check that every suit has every number on one printed card with the right id."""
    facts, _ = facts_of(game)
    events = find_kind(game, EVENTS)
    wanted = {f"{suit}-{number}": 1 for suit in facts.suits for number in facts.numbers}
    figures = f"{len(facts.suits)} suits x {len(facts.numbers)} numbers, {events.count} cards"
    return make_outcome(figures, find_card_faults(events.designs, "{suit}-{number}", wanted))


@check
def locations_hold_events(game: Game) -> Outcome:
    """Check that every location but the last holds an event without the Lantern, and the last never any."""
    rows, ok = [], True
    for location in locations_of(game):
        room, more = find_capacity(location, lantern=False), find_capacity(location, lantern=True)
        ok &= more == 0 if location.last else room >= 1
        rows.append(f"{location.id.partition('/')[2]} {room}/{more}")
    return Outcome(ok and bool(rows), ", ".join(rows))


@check
def key_icons_even(game: Game) -> Outcome:
    """Check that key icons are spread as evenly as possible over all events, each suit and each number."""
    facts, _ = facts_of(game)
    events = events_of(game)
    stray = sorted({event.key for event in events} - set(facts.key_icons))
    groups: dict[str, list[list[Event]]] = {
        "in all": [list(events)],
        "in a suit": [[event for event in events if event.suit == suit] for suit in facts.suits],
        "with a number": [[event for event in events if event.number == number] for number in facts.numbers],
    }
    rows, faults = [], [f"no key icon: {name}" for name in stray]
    for name, group in groups.items():
        spreads = []
        for part in group:
            counts = Counter(event.key for event in part)
            spreads.append({key: counts[key] for key in facts.key_icons})
            if not is_even(spreads[-1]):
                found = ", ".join(f"{key} {number}" for key, number in spreads[-1].items())
                faults.append(f"{found} of {len(part)} {name}, expected {len(part) / len(spreads[-1]):.3g} of each")
        # Such as 2/2/1: the evenness matters, not the icon.
        shown = ["/".join(map(str, sorted(spread.values(), reverse=True))) for spread in spreads]
        rows.append(f"{name} {' or '.join(dict.fromkeys(shown))}")
    return Outcome(not faults, "; ".join([*rows, *faults]))


@check
def stories_can_be_solved(game: Game) -> Outcome:
    """Check that each suit has an event for each pawn, and that the pawns have places with room for them."""
    facts, _ = facts_of(game)
    locations = locations_of(game)
    cards = Counter(event.suit for event in events_of(game))
    fewest = min((cards[suit] for suit in facts.suits), default=0)
    ways = sum(1 for _ in iter_stands(locations, facts.pawns))
    every = comb(sum(not location.last for location in locations) + facts.pawns - 1, facts.pawns)
    room = sum(find_capacity(location, lantern=False) for location in locations)
    figures = f"{fewest} events in a suit for {facts.pawns} pawns; room for {room}, in {ways} of {every} ways to stand"
    return Outcome(fewest >= facts.pawns and ways > 0, figures)


@check
def components_exist(game: Game) -> Outcome:
    """Check that every component named in the draft's rules is in the box."""
    known = [kind.name for kind in game.kinds.values()]
    return _check_all_known(
        read_rule_texts(game, "stated", "components"), {text for name in known for _, text in name.items()}
    )


@check
def phases_exist(game: Game) -> Outcome:
    """Check that every phase written as `number:name` in the draft is the phase with that number."""
    phases = game.sections.get("words", {}).get("phases", {})
    headings = {f"{n}:{text}" for n, name in enumerate(phases.values(), start=1) for _, text in name.items()}
    return _check_all_known(read_rule_texts(game, "stated", "phases"), headings)


@check
def residue_can_shift(game: Game) -> Outcome:
    """Check the residue (all pawns' days, modulo the week): moves keep it, and effects can lead from start to goal."""
    facts, _ = facts_of(game)
    limits = limits_of(game)
    start, goal = (compute_residue([day] * facts.pawns, facts.days) for day in (1, facts.days))
    moves, effects = bound_drift(facts), bound_shifts(events_of(game))
    reached = goal in residues_within_reach(start, effects, facts.days)
    figures = (
        f"modulo {facts.days}: start {format_finding(start, limits.start_residue)}, "
        f"goal {format_finding(goal, limits.goal_residue)}; a move phase changes it by {_join_numbers(moves)}, "
        f"an effect by {_join_numbers(effects)}, so the goal is {'within' if reached else 'out of'} reach"
    )
    agrees = (start, goal) == (limits.start_residue, limits.goal_residue)
    return Outcome(agrees and moves == {0} and reached, figures)


@check
def enough_cards(game: Game) -> Outcome:
    """Check that the deck has a card for each draw of the shortest game, whose length equals the limits."""
    facts, _ = facts_of(game)
    limits = limits_of(game)
    turns, laps = shortest_trip(facts, "turns"), shortest_trip(facts, "loops")
    if turns is None or laps is None:
        return Outcome(False, "the white pawn can't place what a win takes and end on the last day")
    needed = turns * facts.draw + laps * facts.loop_cost
    decks = {name: len(events_of(game)) - first_hand(facts, items) for name, items in _SETS.items() if name != "camera"}
    figures = (
        f"{format_finding(turns, limits.fewest_turns)} turns and "
        f"{format_finding(laps, limits.fewest_loops)} loops take {needed} "
        f"cards of {', '.join(f'{deck} ({name})' for name, deck in decks.items())}"
    )
    agrees = (turns, laps) == (limits.fewest_turns, limits.fewest_loops)
    return Outcome(agrees and all(needed <= deck for deck in decks.values()), figures)


@check
def most_points(game: Game) -> Outcome:
    """Check that the best score that the rules allow equals the limits."""
    facts, switches = facts_of(game)
    stated, events = limits_of(game).most_points, len(events_of(game))
    found = {name: points_bound(facts, switches, events, _SETS[name]) for name in stated}
    return _format_finding(found, stated)


@check
def best_loops(game: Game) -> Outcome:
    """Check that the numbers on the cards give the white pawn as many loops as the limits say."""
    facts, _ = facts_of(game)
    found, stated = fewest_loops(facts), limits_of(game).best_loops
    return Outcome(found == stated, f"{format_finding(found, stated)} loops")


@check
def best_score(game: Game) -> Outcome:
    """Check that the best score by cards, letters and locations equals the limits, and that examples reach it."""
    facts, switches = facts_of(game)
    stated, events, locations = limits_of(game).best_points, len(events_of(game)), locations_of(game)
    found = {name: best_points(facts, switches, events, locations, _SETS[name]) for name in stated}
    told = _format_finding(found, stated)
    missed = [name for name in stated if not _can_reach(game, _SETS[name], found[name])]
    if not missed:
        return Outcome(told.ok, f"{told.figures}, each reached by an example")
    return Outcome(False, f"{told.figures}; no example reaches it: {', '.join(missed)}")


@check
def most_turns(game: Game) -> Outcome:
    """Check that the most turns that the deck and the letters allow equal the limits."""
    facts, _ = facts_of(game)
    stated, events = limits_of(game).most_turns, len(events_of(game))
    found = {name: turns_bound(facts, events, _SETS[name]) for name in stated}
    return _format_finding(found, stated)


_SETS: Mapping[str, tuple[str, ...]] = {"plain": (), "rucksack": ("rucksack",), "camera": ("camera",)}
"""The sets of items in the limits."""


def _can_reach(game: Game, items: tuple[str, ...], score: int | None) -> bool:
    """Return True if an example with just these items and the readings in force reaches the score."""
    options = {"items": [*items]} if items else {}
    return any(example.options == options and example.expected.get("scores") == [score] for example in game.examples)


def _check_all_known(named: Iterable[str], known: set[str]) -> Outcome:
    listed = list(named)
    missing = [name for name in listed if name not in known]
    figures = f"{len(listed) - len(missing)} of {len(listed)}"
    return Outcome(not missing, f"{figures}; not found: {', '.join(missing)}" if missing else figures)


def _format_finding(found: Mapping[str, int | None], stated: Mapping[str, int]) -> Outcome:
    rows = [f"{name}: {format_finding(found[name], stated[name])}" for name in stated]
    return Outcome(found == stated, ", ".join(rows))


def _join_numbers(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, sorted(numbers))) or "nothing"
