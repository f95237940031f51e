"""How good a won game of journey18 can be at best: closer bounds than those of `rules`, which no game goes beyond."""

from collections.abc import Collection, Iterable, Iterator

from generator.games.journey18.facts import Facts, Location, Switches
from generator.games.journey18.figures import (
    capacity,
    first_hand,
    most_turns,
    placements_to_win,
    points_with,
    shortest_trip,
    single_event_points,
)


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
