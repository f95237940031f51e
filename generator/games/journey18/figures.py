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
    return points.key if switches.single_event_bonus == "full" else switches.single_event_bonus


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
