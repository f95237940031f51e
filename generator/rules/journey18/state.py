"""The state of journey18: its fields, names for moves and steps, and facts from the data."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from generator.game.model import Effect, Game
from generator.rules.engine.contract import State, row_field
from generator.rules.engine.facts import FactReader, codes, find_kind, read_rule_texts
from generator.rules.engine.settings import read_choices

LOCATIONS, EVENTS, PAWNS, LETTERS, ITEMS, STORIES = "location", "event", "pawn", "letter", "item", "story"
STEP = "step_black"
"""The operation that moves one black pawn, which shifts a sum that ordinary moves never change."""


class Points(NamedTuple):
    """The points for a card left in the deck, a letter left in hand, a location of one key icon."""

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
    """A location card: its room for events without and with the Lantern, and a mark for the end of the trip."""

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
    reader = FactReader(game)
    facts = reader.read_facts(
        Facts,
        days=reader.read_whole("days", least=2),
        first_day=reader.read_whole("first_day", least=1),
        white_pawns=_count_copies(game, PAWNS, "white"),
        black_pawns=_count_copies(game, PAWNS, "black"),
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


def _count_copies(game: Game, kind: str, name: str) -> int:
    """Return the number of pieces of one design."""
    return sum(design.count for design in find_kind(game, kind).designs if design.id == f"{kind}/{name}")


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


MOST_CARDS, MOST_DAYS = 100, 10
"""The capacity of the numbers of moves."""

NONE = -1
"""The value for no card in play, for a place in `at` outside any location, and for no neighbour."""


@codes
class Move:
    """Kinds of moves. Each has a hundred numbers for its card, suit or pair of days, which limits their number."""

    PASS = 0  # Use no letter, decline an effect, solve nothing.
    DRAW = 1
    APART = 2  # The memories used together end here: the next one counts the letters anew.
    PLAY = 100
    TOP = 200  # Return a card to the top of the deck.
    BOTTOM = 300
    COPY = 400
    SOLVE = 500
    BLACK = 600  # + the days where the black pawns then stand: see `score.pair_days`
    MEMORY = 700  # The same by a Location Memory.
    RECALL = 800  # An Adventure Memory.
    SWAP = 1000  # + two cards, the lower one * MOST_CARDS


@codes
class Chance:
    """Purposes of random numbers: the order of locations, the order of the deck."""

    PLACES, DECK = 0, 1


@codes
class Step:
    """The steps of a turn. Those marked * wait for a choice if there is one; the others run by themselves."""

    START = 0  # * letters before the draw
    REFILL = 1
    CARD = 2  # * which card to play
    LOOP = 3  # * letters before a loop takes its card
    ADVANCE = 4  # the white pawn
    BLACK = 5  # * the black pawns
    PLACE = 6
    EVENTS = 7  # which event is next
    EFFECT = 8  # * the operations of its effect
    SOLVE = 9  # * which story, letters before that
    END = 10  # * letters after it
    CHECK = 11


@codes
class Op:
    """The operations of effects, by their names in the data; END ends a row of them."""

    END, STEP_BLACK, SWAP_EVENTS, DRAW_CARDS, RETURN_CARDS, COPY_NEIGHBOUR, BRING_BLACK = range(7)


@codes
class Side:
    """The side on which a neighbour of an event lies."""

    NEARER, FARTHER, DAY_BEFORE, DAY_AFTER = range(4)


@codes
class Result:
    """The result of the trip."""

    WON, LOST = 1, 2


@codes
class Supply:
    """Indexes in RULES.supplies."""

    EVENTS, LETTERS = 0, 1


@codes
class Law:
    """The laws of play by their index in LAWS, from 1."""

    CARDS_LOST, LETTERS_LOST, DECK_COUNT, DISCARD_COUNT, RESIDUE = 1, 2, 3, 4, 5
    OVERFULL, HAND_SIZE, NO_CHOICE, SOLVED_TWICE, OUT_OF_BOUNDS = 6, 7, 8, 9, 10


LAWS = (
    *("C18-CONS-CARD", "C18-CONS-LETTER", "C18-DECK-ID", "C18-DISCARD-ID", "C18-MOD7"),
    *("C18-CAP", "C18-HAND-SIZE", "C18-LEGAL", "C18-ONE-SOLVE", "C18-BOUND"),
)
"""The data's checks that games decide."""


STATE = State(
    chances=Chance,
    supplies=2,
    step="at which step the turn is: a Step",
    result="how the trip ended: a Result, 0 before",
    # pawns, stories, letters
    white="the white pawn's day",
    black=row_field("the black pawns' days, the earlier first: nothing tells the pawns apart", 2),
    solved="a bit for each suit whose story is solved",
    letters="letters in hand",
    spent="letters that have left the game",
    on_stories="letters on stories",
    # where the cards are
    place=row_field("the location of each day", "days"),
    column=row_field("events: a day's from day * rows on, the nearest first", "days", "rows"),
    ncolumn=row_field("how many events each day has", "days"),
    at=row_field("where in `column` each event is", "events"),
    deck=row_field("the deck, its bottom first", "events"),
    ndeck="how many cards it has",
    known_top="how many cards at the deck's top the player has seen there",
    known_bottom="how many at its bottom",
    hand=row_field("the hand, ascending", "hand_room"),
    nhand="how many cards it has",
    thrown=row_field("1 for each event that is discarded", "events"),
    nthrown="how many are",
    playing="the card in play",
    # what has happened
    loops="loops of the white pawn",
    adventures="Adventure Memories used",
    sevens="cards discarded for an end on the last day",
    overflows="events that fell off their columns",
    held="cards that effects have added to the hand",
    solves="stories solved this turn",
    # the move phase
    rest="what the black pawns have to go",
    before="the pawns' days added up before the move: see `score.pawn_days`",
    drift="by how much the last move phase changed that",
    # letters
    passed="1 if letters were declined and nothing has happened since",
    may_solve="1 if a story may be solved now",
    power="the power of memories used together, if that is kept, until letters are used apart",
    # effects
    fired="a bit for each suit whose effect was used this turn",
    used=row_field("the turn in which each event's effect was used last", "events"),
    copied=row_field("the turn in which each event copied another last", "events"),
    todo=row_field("the events whose effects are due", "rows"),
    ntodo="how many they are",
    next="which of them is next",
    source="the event whose effect it is",
    job="the event whose text is carried out: another one while it is copied",
    line="the operation there",
    left="how much of it is left to do",
)
