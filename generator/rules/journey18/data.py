"""The data of journey18: facts, their arithmetic, and the numbers that kernels read."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from heapq import heappop, heappush
from itertools import combinations_with_replacement
from typing import Any, Literal, NamedTuple

from generator.base.errors import Problem, ProblemsFound, did_you_mean
from generator.game.model import Effect, Game
from generator.rules.engine.contract import Box, Options
from generator.rules.engine.facts import FactReader, code_numbers, encode_facts, find_kind, read_rule_texts
from generator.rules.engine.settings import apply_options, encode_settings, read_choices
from generator.rules.journey18.state import MOST_DAYS, SUIT_BITS, Op

LOCATIONS, EVENTS, PAWNS, LETTERS, ITEMS, STORIES = "location", "event", "pawn", "letter", "item", "story"
STEP = "step_black"
"""The operation that moves one black pawn, which shifts a sum that ordinary moves never change."""


class Points(NamedTuple):
    """The points for a card left in the deck, a letter left in hand, a location whose events share one key icon."""

    deck: int
    letter: int
    key: int


@dataclass(frozen=True, slots=True)
class Facts:
    """The numbers of the rules, by their names in `rules.yaml`, and of the pieces in the box."""

    days: int
    first_day: int
    white_pawns: int
    black_pawns: int
    letters: int
    suits: tuple[str, ...]
    numbers: tuple[int, ...]
    key_icons: tuple[str, ...]
    hand: int
    rucksack_hand: int
    radio_seen: int
    draw: int
    move_total: int
    loop_cost: int
    memory_cost: int
    penalties: Mapping[str, int]
    score: Points
    camera: Mapping[str, Points]

    @property
    def pawns(self) -> int:
        """The number of pawns; a story takes an event for each of them."""
        return self.white_pawns + self.black_pawns


@dataclass(frozen=True, slots=True)
class Switches:
    """The reading in force for each passage of the rules with several readings (`readings.yaml`)."""

    camera: str
    single_event_bonus: int | str
    next_turn_from: str
    suit_once: str
    yellow: str
    yellow_empty: str
    blue_pair: str
    swapped_out_resolves: bool
    green_copies_green: bool | str
    green_source: str
    solve: str
    solve_per_turn: int | str
    letter_windows: str
    memory_power: str
    memory_multi: str
    memory_direction: str
    memory_backward_wrap: bool
    lantern_bonus: str
    radio: str
    tent_empty: str
    print_proxies: bool


@dataclass(frozen=True, slots=True)
class Limits:
    """Consequences of the numbers as stated in the data; the checks recompute them."""

    start_residue: int
    goal_residue: int
    fewest_turns: int
    fewest_loops: int
    most_turns: Mapping[str, int]
    most_points: Mapping[str, int]
    best_loops: int
    best_points: Mapping[str, int]


class Location(NamedTuple):
    """A location card: room for events without (`black`) and with the Lantern (`red`); the trip ends at the `last`."""

    id: str
    black: int
    red: int
    last: bool


class Event(NamedTuple):
    """An event card: its suit, number, key icon and effects."""

    id: str
    suit: str
    number: int
    key: str
    effects: tuple[Effect, ...]


def facts_of(game: Game) -> tuple[Facts, Switches]:
    """Return the numbers and readings of a game's data. Raise ProblemsFound with all missing or wrong values."""
    reader, pawns = FactReader(game), {design.id: design.count for design in find_kind(game, PAWNS).designs}
    facts = reader.read_facts(
        Facts,
        days=reader.read_whole("days", least=2),
        first_day=reader.read_whole("first_day", least=1),
        white_pawns=pawns.get(f"{PAWNS}/white", 0),
        black_pawns=pawns.get(f"{PAWNS}/black", 0),
        letters=find_kind(game, LETTERS).count,
        suits=read_rule_texts(game, "suits"),
        numbers=reader.read_wholes("numbers", fewest=1),
        key_icons=read_rule_texts(game, "key_icons"),
        rucksack_hand=reader.read_whole("rucksack", "hand"),
        radio_seen=reader.read_whole("radio", "seen"),
        draw=reader.read_whole("draw", least=1),
        memory_cost=reader.read_whole("memory_cost", least=1),
        score=_read_points(reader, "score"),
        camera={row: _read_points(reader, "camera", row) for row in read_choices(game)["camera"]},
    )
    switches = reader.read_readings(Switches)
    reader.raise_problems()
    return facts, switches


def limits_of(game: Game) -> Limits:
    """Return the limits stated in the data. Raise ProblemsFound as `facts_of` does."""
    reader = FactReader(game)
    limits = reader.read_facts(
        Limits,
        "limits",
        start_residue=reader.read_whole("limits", "residue", "start"),
        goal_residue=reader.read_whole("limits", "residue", "goal"),
        most_turns={name: reader.read_whole("limits", "most_turns", name) for name in ("plain", "rucksack")},
        most_points={name: reader.read_whole("limits", "most_points", name) for name in ("plain", "camera")},
        best_points={name: reader.read_whole("limits", "best_points", name) for name in ("plain", "camera")},
    )
    reader.raise_problems()
    return limits


def locations_of(game: Game) -> tuple[Location, ...]:
    """Return the location cards in the order of the data."""
    cards = find_kind(game, LOCATIONS).designs
    return tuple(Location(card.id, card.fields["black"], card.fields["red"], card.fields["last"]) for card in cards)


def events_of(game: Game) -> tuple[Event, ...]:
    """Return every printed event card in the order of the data, a design once for each copy."""
    cards = (card for card in find_kind(game, EVENTS).designs for _ in range(card.count))
    return tuple(
        Event(card.id, *(card.fields[name] for name in ("suit", "number", "key", "effects"))) for card in cards
    )


def _read_points(reader: FactReader, *path: str) -> Points:
    return Points(*(reader.read_whole(*path, name) for name in Points._fields))


def step_day(day: int, distance: int, days: int) -> int:
    """Return the day reached from `day` (1 to `days`) by this distance round the ring; negative means back."""
    return (day - 1 + distance) % days + 1


def passes_last_day(day: int, distance: int, days: int) -> bool:
    """Return True if a forward move passes the last day: stopping on it is no loop, leaving it is one."""
    return day + distance > days


def find_capacity(location: Location, lantern: bool) -> int:
    """Return the number of events that a location holds, with or without the Lantern."""
    return location.black + (location.red if lantern else 0)


def compute_residue(pawns: Iterable[int], days: int) -> int:
    """Return the sum of the days of all pawns, counted from 0, without full rounds of the ring."""
    return sum(day - 1 for day in pawns) % days


def bound_drift(facts: Facts) -> frozenset[int]:
    """Return the changes of the residue that a move phase can cause: the white pawn's number plus the black's rest."""
    ends = ((step_day(1, n, facts.days), step_day(1, facts.move_total - n, facts.days)) for n in facts.numbers)
    return frozenset(compute_residue(pawns, facts.days) for pawns in ends)


def bound_shifts(events: Iterable[Event]) -> frozenset[int]:
    """Return the distances by which the events' effects can move a single black pawn, either way."""
    return frozenset(effect.values["steps"] for event in events for effect in event.effects if effect.op == STEP)


def residues_within_reach(start: int, changes: Collection[int], days: int) -> frozenset[int]:
    """Return every residue that these changes can reach; on a ring, enough forward steps also lead back."""
    found: set[int] = set()
    waiting = {start}
    while waiting:
        found |= waiting
        waiting = {(known + change) % days for known in waiting for change in changes} - found
    return frozenset(found)


def placements_to_win(facts: Facts) -> int:
    """Return the fewest events that must have been placed: for each story one for each pawn."""
    return len(facts.suits) * facts.pawns


def shortest_trip(facts: Facts, counted: Literal["turns", "loops"]) -> int | None:
    """Return the fewest turns, or loops of the white pawn, for placing what a win takes and ending on the last day.

    This is a lower bound: it considers the white pawn alone, with any card in hand when needed. None if there is no
    way.
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
            arrived = step_day(day, number, days)
            cost = 1 if counted == "turns" else int(passes_last_day(day, number, days))
            more = placed + (arrived != days)
            heappush(waiting, (spent + cost, min(more, wanted), arrived))
    return None


def first_hand(facts: Facts, items: Collection[str]) -> int:
    """Return the number of events that set-up draws."""
    return facts.rucksack_hand if "rucksack" in items else facts.hand


def most_left(facts: Facts, events: int, items: Collection[str]) -> int | None:
    """Return the most cards left in the deck at a win without Adventure Memories; None if no game can be won."""
    turns, laps = shortest_trip(facts, "turns"), shortest_trip(facts, "loops")
    if turns is None or laps is None:
        return None
    looped = 0 if "tent" in items else laps * facts.loop_cost
    left = events - first_hand(facts, items) - turns * facts.draw - looped
    return left if left >= 0 else None


def points_with(facts: Facts, switches: Switches, items: Collection[str]) -> Points:
    """Return the points of a game with these items: with the camera, those of its reading."""
    return facts.camera[switches.camera] if "camera" in items else facts.score


def single_event_points(points: Points, switches: Switches) -> int:
    """Return the points of a location with a single event."""
    bonus = switches.single_event_bonus
    return bonus if isinstance(bonus, int) else points.key


def most_points(facts: Facts, switches: Switches, events: int, items: Collection[str]) -> int | None:
    """Return a score that no game with these items can exceed; None if no game can be won."""
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
    """Return a bound for the turns of a game with these items: each draws a card, each memory returns one."""
    return (events - first_hand(facts, items) + facts.letters // facts.memory_cost) // facts.draw


def iter_stands(locations: Collection[Location], pawns: int, lantern: bool = False) -> Iterator[tuple[str, ...]]:
    """Yield every position of the pawns in which each finds room for an event of its own."""
    room = {location.id: find_capacity(location, lantern) for location in locations}
    for places in combinations_with_replacement(room, pawns):
        if all(there <= room[place] for place, there in Counter(places).items()):
            yield places


def is_even(counts: Mapping[str, int]) -> bool:
    """Return True if the numbers differ by at most 1."""
    return max(counts.values()) - min(counts.values()) <= 1


# How good a won game can be at best: closer bounds than those above, which no game goes beyond.


def loops_at_least(facts: Facts, turns: int, recalls: int) -> int | None:
    """Return the fewest loops of the white pawn in a won game of so many turns and Adventure Memories, or None.

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
    """Return the fewest loops of the white pawn in any game that is won; None if no game can be won."""
    turns = shortest_trip(facts, "turns")
    return None if turns is None else loops_at_least(facts, turns, facts.letters // facts.memory_cost)


def iter_endings(facts: Facts, events: int, items: Collection[str]) -> Iterator[tuple[int, int]]:
    """Yield every pair (cards in the deck, letters in hand) that a won game may end with."""
    shortest = shortest_trip(facts, "turns")
    if shortest is None:
        return
    drawn, memories = events - first_hand(facts, items), facts.letters // facts.memory_cost
    for turns in range(shortest, most_turns(facts, events, items) + 1):
        # While a story is solved, no pawn is on the last day. In the turn that ends there no event takes effect, and
        # without the Map a single black pawn moves. So right after the last placement a Location Memory must help.
        helped = turns == placements_to_win(facts) + 1 and facts.black_pawns > 1 and "map" not in items
        fewest = 1 if helped else 0
        for recalls in range(memories + 1 - fewest):
            laps = loops_at_least(facts, turns, recalls)
            if laps is None:
                continue
            looped = 0 if "tent" in items else laps * facts.loop_cost
            left = drawn - turns * facts.draw - looped + recalls
            if left >= 0:
                yield left, facts.letters - (recalls + fewest) * facts.memory_cost


def best_points(
    facts: Facts, switches: Switches, events: int, locations: Iterable[Location], items: Collection[str]
) -> int | None:
    """Return a score that no game with these items can exceed; None if no game can be won."""
    points = points_with(facts, switches, items)
    single = single_event_points(points, switches)
    kept = [left * points.deck + letters * points.letter for left, letters in iter_endings(facts, events, items)]
    room = [find_capacity(location, "lantern" in items) for location in locations if not location.last]
    bonuses = sum(max([0, single, points.key][: min(there, 2) + 1]) for there in room)
    return max(kept) + bonuses - sum(facts.penalties.get(item, 0) for item in items) if kept else None


AMOUNTS = {"step_black": "steps", "draw_cards": "cards", "return_cards": "cards"}
"""The values of operations in the data that say an amount."""

_OPERATIONS = {name.lower(): number for name, number in code_numbers(Op).items() if number != Op.END}

MOST_EVENTS = 62
MOST_SUITS = 10
"""The capacity of the bits of a whole number."""

UNPLAYABLE = {
    "next_turn_from: move": "without the refill the hand is empty after two turns and the third has no card to play"
}


def make_box(game: Game, players: int, options: Options) -> Box:
    """Return the game with the items and switches of the options. Raise ProblemsFound with everything unplayable."""
    played = apply_options(
        game, players, options, unplayable=UNPLAYABLE, own={"items": ()}, further=_wrong_items(game, options)
    )
    facts, switches = facts_of(played)
    events = events_of(played)
    problems = list(_too_large(played, facts, events))
    if problems:
        raise ProblemsFound(problems)
    items = tuple(options.get("items", ()))
    points, limits, locations = points_with(facts, switches, items), limits_of(played), locations_of(played)
    lantern = "lantern" in items
    room = [find_capacity(location, lantern) for location in locations]
    whole = lantern and switches.lantern_bonus == "full_column"
    numbers = {
        **encode_facts(facts),
        "last": facts.days - 1,
        "first": facts.first_day - 1,
        "suits": len(facts.suits),
        "stories": (1 << len(facts.suits)) - 1,
        **_number_cards(facts, events),
        "locations": len(locations),
        "final": next(at for at, location in enumerate(locations) if location.last),
        "room": room,
        "least": [most if whole and location.red else 1 for most, location in zip(room, locations, strict=True)],
        "rows": max(find_capacity(location, True) for location in locations) + 1,
        # The changes by items.
        "map": int("map" in items),
        "tent": int("tent" in items),
        "seen": facts.radio_seen if "radio" in items else 0,
        "hand": first_hand(facts, items),
        "deck_points": points.deck,
        "letter_points": points.letter,
        "key_points": points.key,
        "single_points": single_event_points(points, switches),
        "penalty": sum(facts.penalties[item] for item in items),
        **encode_settings(played),
        # Bounds for won games, the closest ones, so that they find more errors.
        "fewest_turns": limits.fewest_turns,
        "fewest_loops": limits.best_loops,
        "most_points": best_points(facts, switches, len(events), locations, items) or 0,
    }
    cards = tuple(
        copy
        for kind in (EVENTS, LOCATIONS, STORIES, ITEMS)
        for design in find_kind(played, kind).designs
        for copy in design.copies()
    )
    counted = {design.id: design.count for kind in (LETTERS, PAWNS) for design in find_kind(played, kind).designs}
    return Box(game, players, options, numbers, cards, counted)


def _wrong_items(game: Game, options: Options) -> Iterator[Problem]:
    """Yield problems for the option `items`: no list, unknown or repeated items."""
    taken = options.get("items", ())
    names = [design.fields["item"] for design in find_kind(game, ITEMS).designs]
    if not isinstance(taken, (list, tuple)):
        yield Problem(None, f"the option items is {taken}", f"list the items to take: {', '.join(names)}")
        return
    for item in taken:
        if item not in names:
            yield Problem(None, f"there is no item '{item}'", did_you_mean(str(item), names))
    yield from (Problem(None, f"the item {item} is there only once") for item in names if taken.count(item) > 1)


def _too_large(game: Game, facts: Facts, events: tuple[Event, ...]) -> Iterator[Problem]:
    """Yield problems for data that exceed the kernels' capacity."""

    def wrong(what: str, hint: str, *path: str) -> Problem:
        return Problem(game.places.place(*path), what, hint)

    locations, pawns = locations_of(game), (facts.white_pawns, facts.black_pawns)
    if facts.days > MOST_DAYS:
        yield wrong(f"{facts.days} days", f"test games take {MOST_DAYS} at most", "rules", "days")
    if len(events) > MOST_EVENTS or len(facts.suits) > MOST_SUITS:
        hint = f"test games take {MOST_EVENTS} and {MOST_SUITS} at most"
        yield wrong(f"{len(events)} events in {len(facts.suits)} suits", hint, "components", EVENTS)
    if max(facts.numbers) > facts.move_total:
        what = f"a move of {facts.move_total} has no rest for every number"
        yield wrong(what, "make it as large as them", "rules", "move_total")
    if pawns != (1, 2):
        yield wrong("{} white and {} black pawns".format(*pawns), "test games need 1 and 2", "components", PAWNS)
    if sum(location.last for location in locations) != 1 or len(locations) != facts.days:
        what = "test games need a location for each day, one of them the last"
        yield wrong(what, "see C18-LOCATIONS", "components", LOCATIONS)
    for event in events:
        for effect in event.effects:
            if effect.op not in _OPERATIONS:
                place = game.design(event.id).place
                yield Problem(place, f"test games don't know '{effect.op}'", did_you_mean(effect.op, _OPERATIONS))


def _number_cards(facts: Facts, events: tuple[Event, ...]) -> dict[str, Any]:
    """Return each event's suit, number, key icon, next one of its number, and operations; Op.END ends these.

    `mark` counts events by suit in a single number; `spare` is the number of a suit beyond its story's need. `giving`
    is 1 if an effect makes the deck grow.
    """
    width = max(len(event.effects) for event in events) + 1
    rows: dict[str, list[list[int]]] = {"op": [], "amount": []}
    for event in events:
        blank = [0] * (width - len(event.effects))
        rows["op"].append([*(_OPERATIONS[effect.op] for effect in event.effects), *blank])
        amounts = (effect.values.get(AMOUNTS.get(effect.op, ""), 1) for effect in event.effects)
        rows["amount"].append([*amounts, *blank])
    numbers, suits = [event.number for event in events], [facts.suits.index(event.suit) for event in events]
    given = {Op.RETURN_CARDS: 1, Op.DRAW_CARDS: -1}
    gains = [sum(given.get(op, 0) * n for op, n in zip(*row, strict=True)) for row in zip(*rows.values(), strict=True)]
    return {
        "events": len(events),
        "suit": suits,
        "mark": [1 << SUIT_BITS * suit for suit in suits],
        "spare": len(events) // len(facts.suits) - facts.pawns,
        "number": numbers,
        "key": [facts.key_icons.index(event.key) for event in events],
        "twin": [numbers.index(n, at + 1) if n in numbers[at + 1 :] else -1 for at, n in enumerate(numbers)],
        **rows,
        "giving": int(max(gains) > 0),
        "hand_room": max(facts.hand, facts.rucksack_hand) + facts.draw + max(map(max, rows["amount"])),
    }
