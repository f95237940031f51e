"""The arithmetic of journey18: days in a ring, what moves keep, how short, how long and how good a game can be."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from heapq import heappop, heappush
from itertools import combinations_with_replacement
from typing import Literal

from generator.games.journey18.facts import STEP, Event, Facts, Location, Points, Switches


def step(day: int, distance: int, days: int) -> int:
    """The day reached from `day` (1 to `days`) by going so far forward, or back if negative, round the ring."""
    return (day - 1 + distance) % days + 1


def loops(day: int, distance: int, days: int) -> bool:
    """Whether a forward move passes the last day: stopping on it is no loop, leaving it always is."""
    return day + distance > days


def capacity(location: Location, lantern: bool) -> int:
    """How many events a location holds."""
    return location.black + (location.red if lantern else 0)


def residue(pawns: Iterable[int], days: int) -> int:
    """The days of all pawns added up, counted from 0, without full rounds of the ring."""
    return sum(day - 1 for day in pawns) % days


def drift(facts: Facts) -> frozenset[int]:
    """By how much a move phase can change the residue: the white pawn's number plus the black pawn's rest."""
    start = residue((1, 1), facts.days)
    return frozenset(
        (residue((step(1, n, facts.days), step(1, facts.move_total - n, facts.days)), facts.days) - start) % facts.days
        for n in facts.numbers
    )


def shifts(events: Iterable[Event]) -> frozenset[int]:
    """How far the events' effects can move a single black pawn, either way."""
    return frozenset(effect.values["steps"] for event in events for effect in event.effects if effect.op == STEP)


def residues_within_reach(start: int, changes: Collection[int], days: int) -> frozenset[int]:
    """Every residue that changes by these amounts lead to; on a ring, going forward often enough is going back."""
    found: set[int] = set()
    waiting = {start}
    while waiting:
        found |= waiting
        waiting = {(known + change) % days for known in waiting for change in changes} - found
    return frozenset(found)


def placements_to_win(facts: Facts) -> int:
    """The fewest events that must have been placed: for each story its own, one for each pawn."""
    return len(facts.suits) * facts.pawns


def shortest_trip(facts: Facts, counted: Literal["turns", "loops"]) -> int | None:
    """The fewest turns, or loops of the white pawn, in which it can place what a win takes and end on the last day.

    A lower bound: it looks at the white pawn alone, and at any card being in hand when it is wanted. None if there is
    no way at all.
    """
    return _shortest_trip(tuple(facts.numbers), facts.days, placements_to_win(facts), counted)


@lru_cache(64)
def _shortest_trip(numbers: tuple[int, ...], days: int, wanted: int, counted: str) -> int | None:
    waiting, seen = [(0, 0, 1)], set[tuple[int, int]]()
    while waiting:
        spent, placed, day = heappop(waiting)
        if (placed, day) == (wanted, days):
            return spent
        if (placed, day) in seen:
            continue
        seen.add((placed, day))
        for number in numbers:
            arrived = step(day, number, days)
            cost = 1 if counted == "turns" else int(loops(day, number, days))
            more = placed + (arrived != days)
            heappush(waiting, (spent + cost, min(more, wanted), arrived))
    return None


def first_hand(facts: Facts, items: Collection[str]) -> int:
    """The events that set-up draws."""
    return facts.rucksack_hand if "rucksack" in items else facts.hand


def most_left(facts: Facts, events: int, items: Collection[str]) -> int | None:
    """The most cards that the deck can hold when a game is won, without Adventure Memories; None if none can be won."""
    turns, laps = shortest_trip(facts, "turns"), shortest_trip(facts, "loops")
    if turns is None or laps is None:
        return None
    looped = 0 if "tent" in items else laps * facts.loop_cost
    left = events - first_hand(facts, items) - turns * facts.draw - looped
    return left if left >= 0 else None


def points_with(facts: Facts, switches: Switches, items: Collection[str]) -> Points:
    """What cards, letters and key icons are worth with these items."""
    return facts.camera[switches.camera] if "camera" in items else facts.score


def single_event_points(points: Points, switches: Switches) -> int:
    """What a location with a single event is worth."""
    bonus = switches.single_event_bonus
    return bonus if isinstance(bonus, int) else points.key


def most_points(facts: Facts, switches: Switches, events: int, items: Collection[str]) -> int | None:
    """A score that no game with these items can exceed; None if no game can be won."""
    left = most_left(facts, events, items)
    if left is None:
        return None
    points = points_with(facts, switches, items)
    # Each memory may turn letters into a card of the deck, which can be worth more or less than they are.
    memories = range(facts.letters // facts.memory_cost + 1)
    kept = max((left + n) * points.deck + (facts.letters - n * facts.memory_cost) * points.letter for n in memories)
    bonuses = (facts.days - 1) * max(points.key, single_event_points(points, switches))
    return kept + bonuses - sum(facts.penalties.get(item, 0) for item in items)


def most_turns(facts: Facts, events: int, items: Collection[str]) -> int:
    """A number of turns that no game with these items can exceed: each draws, and memories give a card back each."""
    return (events - first_hand(facts, items) + facts.letters // facts.memory_cost) // facts.draw


def stands(locations: Collection[Location], pawns: int, lantern: bool = False) -> Iterator[tuple[str, ...]]:
    """Every way in which the pawns can stand so that each finds room for an event of its own."""
    room = {location.id: capacity(location, lantern) for location in locations}
    for places in combinations_with_replacement(room, pawns):
        if all(there <= room[place] for place, there in Counter(places).items()):
            yield places


def even(counts: Mapping[str, int]) -> bool:
    """Whether numbers are as equal as their total allows: none is more than 1 above another."""
    return max(counts.values()) - min(counts.values()) <= 1


# How good a won game can be at best: closer bounds than those above, which no game goes beyond.


def loops_at_least(facts: Facts, turns: int, recalls: int) -> int | None:
    """The fewest loops of the white pawn in a won game of so many turns and Adventure Memories; None if there is none.

    The numbers played add up to the white pawn's way, and a suit has each number once. Only a card that a memory
    brought back can be played again, and not in place of an event that a story takes.
    """
    laps = shortest_trip(facts, "loops")
    again = max(0, min(recalls, turns - placements_to_win(facts)))
    once = sorted(facts.numbers * len(facts.suits))[: turns - again]
    if laps is None or len(once) < turns - again:
        return None
    way = sum(once) + again * min(facts.numbers)
    return max(laps, -(-(way - facts.days + 1) // facts.days))


def fewest_loops(facts: Facts) -> int | None:
    """The fewest loops of the white pawn in any game that is won; None if none can be won."""
    turns = shortest_trip(facts, "turns")
    return None if turns is None else loops_at_least(facts, turns, facts.letters // facts.memory_cost)


def endings(facts: Facts, events: int, items: Collection[str]) -> Iterator[tuple[int, int]]:
    """Cards in the deck and letters in hand at the end of a won game: every pair that nothing here rules out."""
    shortest = shortest_trip(facts, "turns")
    if shortest is None:
        return
    drawn, memories = events - first_hand(facts, items), facts.letters // facts.memory_cost
    for turns in range(shortest, most_turns(facts, events, items) + 1):
        fewest = 1 if _ends_with_a_memory(facts, turns, items) else 0
        for recalls in range(memories + 1 - fewest):
            laps = loops_at_least(facts, turns, recalls)
            if laps is None:
                continue
            looped = 0 if "tent" in items else laps * facts.loop_cost
            left = drawn - turns * facts.draw - looped + recalls
            if left >= 0:
                yield left, facts.letters - (recalls + fewest) * facts.memory_cost


def _ends_with_a_memory(facts: Facts, turns: int, items: Collection[str]) -> bool:
    """Whether only a Location Memory can bring all black pawns to the last day.

    While a story is solved, no pawn is there. In the turn that ends there no event takes effect, and without the Map a
    single black pawn moves; so a game that ends with the turn after the last placement lacks the other's move.
    """
    return turns == placements_to_win(facts) + 1 and facts.black_pawns > 1 and "map" not in items


def best_points(
    facts: Facts, switches: Switches, events: int, locations: Iterable[Location], items: Collection[str]
) -> int | None:
    """A score that no game with these items can exceed; None if no game can be won."""
    points = points_with(facts, switches, items)
    single = single_event_points(points, switches)
    kept = [left * points.deck + letters * points.letter for left, letters in endings(facts, events, items)]
    room = [capacity(location, "lantern" in items) for location in locations if not location.last]
    bonuses = sum(max([0, single, points.key][: min(there, 2) + 1]) for there in room)
    return max(kept) + bonuses - sum(facts.penalties.get(item, 0) for item in items) if kept else None
