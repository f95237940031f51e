"""The box of journey18: the numbers that its kernels read, from the model, the switches and the items taken along."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from generator.errors import Problem, ProblemsFound, did_you_mean
from generator.games.engine.contract import Box, Options
from generator.games.engine.facts import kind_of
from generator.games.engine.variants import choices
from generator.games.journey18.best import best_points
from generator.games.journey18.facts import (
    EVENTS,
    LETTERS,
    LOCATIONS,
    PAWNS,
    Event,
    Facts,
    Switches,
    events_of,
    facts_of,
    limits_of,
    locations_of,
)
from generator.games.journey18.figures import capacity, first_hand, points_with, single_event_points
from generator.games.journey18.play_codes import (
    BRING_BLACK,
    COPY_NEIGHBOUR,
    DRAW_CARDS,
    RETURN_CARDS,
    STEP_BLACK,
    SWAP_EVENTS,
)
from generator.model.game import Game

ITEMS = "item"
STORIES = "story"

OPERATIONS = {
    "step_black": (STEP_BLACK, "steps"),
    "swap_events": (SWAP_EVENTS, ""),
    "draw_cards": (DRAW_CARDS, "cards"),
    "return_cards": (RETURN_CARDS, "cards"),
    "copy_neighbour": (COPY_NEIGHBOUR, ""),
    "bring_black": (BRING_BLACK, ""),
}
"""Operations of the data: the number that the kernels know, and the value that says how much."""

MOST_DAYS = 10
MOST_EVENTS = 62
MOST_SUITS = 10
"""What fits into the numbers of moves, and into the bits of a whole number."""

UNPLAYABLE = {
    "next_turn_from: move": "without the refill the hand is empty after two turns and the third has no card to play"
}


def box(game: Game, players: int, options: Options) -> Box:
    """The game with the items and switches of the options; ProblemsFound names everything that can't be played."""
    problems = list(_problems(game, players, options))
    if problems:
        raise ProblemsFound(problems)
    played = _with(game, options)
    facts, switches = facts_of(played)
    events = events_of(played)
    items = tuple(options.get("items", ()))
    problems = list(_too_large(played, facts, events))
    if problems:
        raise ProblemsFound(problems)
    numbers = {
        **_measures(facts),
        **_cards(facts, events),
        **_locations(played, switches, items),
        **_items(facts, switches, items),
        **_readings(switches),
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


def _problems(game: Game, players: int, options: Options) -> Iterator[Problem]:
    """What is wrong with the wishes of whoever plays."""
    if players not in game.players:
        place = game.places.place("players")
        hint = f"{game.players.fewest} to {game.players.most} can play"
        yield Problem(place, f"{game.id} can't be played by {players}", hint)
    known = choices(game)
    taken = options.get("items", ())
    names = [design.fields["item"] for design in kind_of(game, ITEMS).designs]
    if not isinstance(taken, (list, tuple)):
        yield Problem(None, f"the option items is {taken}", f"list the items to take: {', '.join(names)}")
        taken = ()
    for item in taken:
        if item not in names:
            yield Problem(None, f"there is no item '{item}'", did_you_mean(str(item), names))
    yield from (Problem(None, f"the item {item} is there only once") for item in names if taken.count(item) > 1)
    for name, value in options.items():
        if name != "items" and name not in known:
            yield Problem(None, f"{game.id} has no option '{name}'", did_you_mean(name, [*known, "items"]))
        elif name != "items" and value not in known[name]:
            yield Problem(None, f"the option {name} can't be {value}", f"it can be {', '.join(map(str, known[name]))}")
    for switch, value in {**game.switches, **options}.items():
        if f"{switch}: {value}" in UNPLAYABLE:
            hint = f"choose another value for {switch}"
            yield Problem(None, f"{switch}: {value} can't be played: {UNPLAYABLE[f'{switch}: {value}']}", hint)


def _with(game: Game, options: Options) -> Game:
    """The game with the switches as the options set them."""
    readings = {
        name: replace(reading, value=options[reading.switch]) if reading.switch in options else reading
        for name, reading in game.readings.items()
    }
    return replace(game, readings=readings)


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
            if effect.op not in OPERATIONS:
                place = game.design(event.id).place
                yield Problem(place, f"test games don't know '{effect.op}'", did_you_mean(effect.op, OPERATIONS))


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
    """Of each event its suit, number and key icon, the next one of its number, and its operations; a 0 ends these.

    `mark` counts events by suit in a single number; `spare` is how many of a suit are more than its story takes.
    """
    width = max(len(event.effects) for event in events) + 1
    rows: dict[str, list[list[int]]] = {"op": [], "amount": []}
    for event in events:
        codes = [
            (code, effect.values.get(much, 1)) for effect in event.effects for code, much in [OPERATIONS[effect.op]]
        ]
        codes += [(0, 0)] * (width - len(codes))
        rows["op"].append([code for code, _ in codes])
        rows["amount"].append([amount for _, amount in codes])
    numbers = [event.number for event in events]
    return {
        "events": len(events),
        "suit": [facts.suits.index(event.suit) for event in events],
        "mark": [1 << 6 * facts.suits.index(event.suit) for event in events],
        "spare": len(events) // len(facts.suits) - facts.pawns,
        "number": numbers,
        "key": [facts.key_icons.index(event.key) for event in events],
        "twin": [numbers.index(n, at + 1) if n in numbers[at + 1 :] else -1 for at, n in enumerate(numbers)],
        **rows,
    }


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
        "hand_most": max(facts.hand, facts.rucksack_hand) + facts.draw,
        "deck_points": points.deck,
        "letter_points": points.letter,
        "key_points": points.key,
        "single_points": single_event_points(points, switches),
        "penalty": sum(facts.penalties[item] for item in items),
        "taken": sum(1 << at for at, item in enumerate(facts.penalties) if item in items),
    }


def _readings(switches: Switches) -> dict[str, Any]:
    """The switches that change how a turn is played, as 0 and 1, and the power of a memory."""
    return {
        "first_card_only": int(switches.suit_once == "first_card_only"),
        "yellow_optional": int(switches.yellow == "optional"),
        "yellow_skip": int(switches.yellow_empty == "skip"),
        "own_number": int(switches.blue_pair == "own_number"),
        "out_resolves": int(switches.swapped_out_resolves),
        "chain": int(switches.green_copies_green == "chain"),
        "unused_only": int(switches.green_source == "unused_only"),
        "solve_forced": int(switches.solve == "forced"),
        "solve_again": int(switches.solve_per_turn == "many_sequential"),
        "windows": int(switches.letter_windows == "all"),
        "power": ("before", "after", "solved_count").index(switches.memory_power),
        "simultaneous": int(switches.memory_multi == "simultaneous"),
        "per_step": int(switches.memory_direction == "per_step"),
        "wrap": int(switches.memory_backward_wrap),
        "radio_always": int(switches.radio == "always"),
        "tent_safe": int(switches.tent_empty == "safe"),
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
