"""The box of journey18: the numbers that its kernels read, from the model, the switches and the items taken along."""

from collections.abc import Iterator, Mapping
from typing import Any

from generator.errors import Problem, ProblemsFound, did_you_mean
from generator.games.engine.codes import numbers
from generator.games.engine.contract import Box, Options
from generator.games.engine.facts import kind_of
from generator.games.engine.settings import readings, with_options
from generator.games.journey18.facts import (
    EVENTS,
    ITEMS,
    LETTERS,
    LOCATIONS,
    PAWNS,
    STORIES,
    Event,
    Facts,
    Switches,
    events_of,
    facts_of,
    limits_of,
    locations_of,
)
from generator.games.journey18.figures import best_points, capacity, first_hand, points_with, single_event_points
from generator.games.journey18.moves import MOST_DAYS, READINGS, Op
from generator.games.journey18.outlook import SUIT_BITS
from generator.model.game import Game

AMOUNTS = {"step_black": "steps", "draw_cards": "cards", "return_cards": "cards"}
"""The value of an operation of the data that says how much."""

_OPERATIONS = {name.lower(): number for name, number in numbers(Op).items() if number != Op.END}

MOST_EVENTS = 62
MOST_SUITS = 10
"""What fits into the bits of a whole number."""

UNPLAYABLE = {
    "next_turn_from: move": "without the refill the hand is empty after two turns and the third has no card to play"
}


def box(game: Game, players: int, options: Options) -> Box:
    """The game with the items and switches of the options; ProblemsFound names everything that can't be played."""
    played = with_options(
        game, players, options, unplayable=UNPLAYABLE, own={"items": ()}, further=_wrong_items(game, options)
    )
    facts, switches = facts_of(played)
    events = events_of(played)
    problems = list(_too_large(played, facts, events))
    if problems:
        raise ProblemsFound(problems)
    items = tuple(options.get("items", ()))
    numbers = {
        **_measures(facts),
        **_cards(facts, events),
        **_locations(played, switches, items),
        **_items(facts, switches, items),
        **readings(played, READINGS),
        **_bounds(played, facts, switches, items),
    }
    cards = tuple(
        copy
        for kind in (EVENTS, LOCATIONS, STORIES, ITEMS)
        for design in kind_of(played, kind).designs
        for copy in design.copies()
    )
    counted = {design.id: design.count for kind in (LETTERS, PAWNS) for design in kind_of(played, kind).designs}
    return Box(game, players, options, numbers, cards, counted)


def numbers_of(box: Box) -> Mapping[str, Any]:
    """The numbers of a box, of whatever shape each of them is."""
    return box.numbers


def _wrong_items(game: Game, options: Options) -> Iterator[Problem]:
    """Items to take along that there are none of."""
    taken = options.get("items", ())
    names = [design.fields["item"] for design in kind_of(game, ITEMS).designs]
    if not isinstance(taken, (list, tuple)):
        yield Problem(None, f"the option items is {taken}", f"list the items to take: {', '.join(names)}")
        return
    for item in taken:
        if item not in names:
            yield Problem(None, f"there is no item '{item}'", did_you_mean(str(item), names))
    yield from (Problem(None, f"the item {item} is there only once") for item in names if taken.count(item) > 1)


def _too_large(game: Game, facts: Facts, events: tuple[Event, ...]) -> Iterator[Problem]:
    """What the kernels have no numbers for."""
    if facts.days > MOST_DAYS:
        yield Problem(game.places.place("rules", "days"), f"{facts.days} days", f"test games take {MOST_DAYS} at most")
    if len(events) > MOST_EVENTS or len(facts.suits) > MOST_SUITS:
        place = game.places.place("components", EVENTS)
        hint = f"test games take {MOST_EVENTS} and {MOST_SUITS} at most"
        yield Problem(place, f"{len(events)} events in {len(facts.suits)} suits", hint)
    if max(facts.numbers) > facts.move_total:
        place = game.places.place("rules", "move_total")
        yield Problem(place, f"a move of {facts.move_total} has no rest for every number", "make it as large as them")
    if (facts.white_pawns, facts.black_pawns) != (1, 2):
        place = game.places.place("components", PAWNS)
        yield Problem(
            place, f"{facts.white_pawns} white and {facts.black_pawns} black pawns", "test games need 1 and 2"
        )
    if sum(location.last for location in locations_of(game)) != 1 or len(locations_of(game)) != facts.days:
        place = game.places.place("components", LOCATIONS)
        yield Problem(place, "test games need a location for each day, one of them the last", "see C18-LOCATIONS")
    for event in events:
        for effect in event.effects:
            if effect.op not in _OPERATIONS:
                place = game.design(event.id).place
                yield Problem(place, f"test games don't know '{effect.op}'", did_you_mean(effect.op, _OPERATIONS))


def _measures(facts: Facts) -> dict[str, Any]:
    return {
        "days": facts.days,
        "last": facts.days - 1,
        "first": facts.first_day - 1,
        "suits": len(facts.suits),
        "stories": (1 << len(facts.suits)) - 1,
        "letters": facts.letters,
        "draw": facts.draw,
        "move_total": facts.move_total,
        "loop_cost": facts.loop_cost,
        "memory_cost": facts.memory_cost,
    }


def _cards(facts: Facts, events: tuple[Event, ...]) -> dict[str, Any]:
    """Of each event its suit, number and key icon, the next one of its number, and its operations; Op.END ends these.

    `mark` counts events by suit in a single number; `spare` is how many of a suit are more than its story takes.
    `giving` is 1 if an effect makes the deck grow.
    """
    width = max(len(event.effects) for event in events) + 1
    rows: dict[str, list[list[int]]] = {"op": [], "amount": []}
    for event in events:
        blank = [0] * (width - len(event.effects))
        rows["op"].append([*(_OPERATIONS[effect.op] for effect in event.effects), *blank])
        amounts = (effect.values.get(AMOUNTS.get(effect.op, ""), 1) for effect in event.effects)
        rows["amount"].append([*amounts, *blank])
    numbers = [event.number for event in events]
    return {
        "events": len(events),
        "suit": [facts.suits.index(event.suit) for event in events],
        "mark": [1 << SUIT_BITS * facts.suits.index(event.suit) for event in events],
        "spare": len(events) // len(facts.suits) - facts.pawns,
        "number": numbers,
        "key": [facts.key_icons.index(event.key) for event in events],
        "twin": [numbers.index(n, at + 1) if n in numbers[at + 1 :] else -1 for at, n in enumerate(numbers)],
        **rows,
        "giving": int(any(_given(event) > 0 for event in events)),
        "hand_room": max(facts.hand, facts.rucksack_hand) + facts.draw + max(map(max, rows["amount"])),
    }


def _given(event: Event) -> int:
    """By how many cards the deck grows through an effect."""
    amounts = {"draw_cards": -1, "return_cards": 1}
    return sum(amounts.get(e.op, 0) * e.values.get(AMOUNTS.get(e.op, ""), 1) for e in event.effects)


def _locations(game: Game, switches: Switches, items: tuple[str, ...]) -> dict[str, Any]:
    """Room of each location, how many events a key bonus takes there, rows from one column's start to the next's."""
    locations = locations_of(game)
    lantern = "lantern" in items
    room = [capacity(location, lantern) for location in locations]
    whole = lantern and switches.lantern_bonus == "full_column"
    return {
        "locations": len(locations),
        "final": next(at for at, location in enumerate(locations) if location.last),
        "room": room,
        "least": [most if whole and location.red else 1 for most, location in zip(room, locations, strict=True)],
        "rows": max(capacity(location, True) for location in locations) + 1,
    }


def _items(facts: Facts, switches: Switches, items: tuple[str, ...]) -> dict[str, Any]:
    """What the items change."""
    points = points_with(facts, switches, items)
    return {
        "map": int("map" in items),
        "tent": int("tent" in items),
        "seen": facts.radio_seen if "radio" in items else 0,
        "hand": first_hand(facts, items),
        "deck_points": points.deck,
        "letter_points": points.letter,
        "key_points": points.key,
        "single_points": single_event_points(points, switches),
        "penalty": sum(facts.penalties[item] for item in items),
        "taken": sum(1 << at for at, item in enumerate(facts.penalties) if item in items),
    }


def _bounds(game: Game, facts: Facts, switches: Switches, items: tuple[str, ...]) -> dict[str, Any]:
    """What no game that is won goes beyond: the closer bounds, so that they catch more."""
    limits = limits_of(game)
    best = best_points(facts, switches, len(events_of(game)), locations_of(game), items)
    return {
        "fewest_turns": limits.fewest_turns,
        "fewest_loops": limits.best_loops,
        "most_points": 0 if best is None else best,
    }
