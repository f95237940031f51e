"""What the rules of journey18 take from the data: numbers, cards, and the readings they are played by."""

from collections.abc import Mapping
from dataclasses import fields
from typing import NamedTuple

from generator.dataclass import dataclass
from generator.games.engine.facts import FactReader, kind_of, texts_of
from generator.games.engine.variants import choices
from generator.model.game import Effect, Game

LOCATIONS, EVENTS, PAWNS, LETTERS, ITEMS, STORIES = "location", "event", "pawn", "letter", "item", "story"
STEP = "step_black"
"""The operation that moves one black pawn and so shifts what ordinary moves never change."""


class Points(NamedTuple):
    """What is worth how much: a card left in the deck, a letter left in hand, a location of one key icon."""

    deck: int
    letter: int
    key: int


@dataclass(frozen=True, slots=True)
class Facts:
    """The numbers of the rules, by the names that they have in `rules.yaml`, and of the pieces in the box."""

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
        """All pawns; a story takes an event for each of them."""
        return self.white_pawns + self.black_pawns


@dataclass(frozen=True, slots=True)
class Switches:
    """The reading in force for each passage that can be played in more than one way (`readings.yaml`)."""

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
    """What the data say follows from the numbers; the checks compute it afresh."""

    start_residue: int
    goal_residue: int
    fewest_turns: int
    fewest_loops: int
    most_turns: Mapping[str, int]
    most_points: Mapping[str, int]
    best_loops: int
    best_points: Mapping[str, int]


class Location(NamedTuple):
    """A location card: the events that it holds, those that it holds with the Lantern, and whether it ends the trip."""

    id: str
    black: int
    red: int
    last: bool


class Event(NamedTuple):
    """An event card: its suit, number and key icon, and what it does."""

    id: str
    suit: str
    number: int
    key: str
    effects: tuple[Effect, ...]


def facts_of(game: Game) -> tuple[Facts, Switches]:
    """The numbers and readings of a game's data; ProblemsFound with all that is missing or of the wrong kind."""
    reader = FactReader(game)
    facts = Facts(
        days=reader.whole("days", least=2),
        first_day=reader.whole("first_day", least=1),
        white_pawns=_copies(game, PAWNS, "white"),
        black_pawns=_copies(game, PAWNS, "black"),
        letters=kind_of(game, LETTERS).count,
        suits=texts_of(game, "suits"),
        numbers=reader.wholes("numbers", fewest=1),
        key_icons=texts_of(game, "key_icons"),
        hand=reader.whole("hand"),
        rucksack_hand=reader.whole("rucksack", "hand"),
        radio_seen=reader.whole("radio", "seen"),
        draw=reader.whole("draw", least=1),
        move_total=reader.whole("move_total"),
        loop_cost=reader.whole("loop_cost"),
        memory_cost=reader.whole("memory_cost", least=1),
        penalties=reader.table("penalties"),
        score=_points(reader, "score"),
        camera={row: _points(reader, "camera", row) for row in choices(game)["camera"]},
    )
    switches = reader.switches(tuple(field.name for field in fields(Switches)))
    reader.finish()
    return facts, Switches(**switches)


def limits_of(game: Game) -> Limits:
    """The limits that the data state; ProblemsFound as for `facts_of`."""
    reader = FactReader(game)
    limits = Limits(
        start_residue=reader.whole("limits", "residue", "start"),
        goal_residue=reader.whole("limits", "residue", "goal"),
        fewest_turns=reader.whole("limits", "fewest_turns"),
        fewest_loops=reader.whole("limits", "fewest_loops"),
        most_turns={name: reader.whole("limits", "most_turns", name) for name in ("plain", "rucksack")},
        most_points={name: reader.whole("limits", "most_points", name) for name in ("plain", "camera")},
        best_loops=reader.whole("limits", "best_loops"),
        best_points={name: reader.whole("limits", "best_points", name) for name in ("plain", "camera")},
    )
    reader.finish()
    return limits


def _copies(game: Game, kind: str, name: str) -> int:
    """How many pieces of one design there are."""
    return sum(design.count for design in kind_of(game, kind).designs if design.id == f"{kind}/{name}")


def locations_of(game: Game) -> tuple[Location, ...]:
    """The location cards in the order of the data."""
    cards = kind_of(game, LOCATIONS).designs
    return tuple(Location(card.id, card.fields["black"], card.fields["red"], card.fields["last"]) for card in cards)


def events_of(game: Game) -> tuple[Event, ...]:
    """Every printed event card in the order of the data, a design as often as it is printed."""
    cards = (card for card in kind_of(game, EVENTS).designs for _ in range(card.count))
    return tuple(
        Event(card.id, *(card.fields[name] for name in ("suit", "number", "key", "effects"))) for card in cards
    )


def _points(reader: FactReader, *path: str) -> Points:
    return Points(*(reader.whole(*path, name) for name in Points._fields))
