"""The state of The Wayfaring Book: its fields, names for whole numbers, and the box."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

from generator.base.errors import Problem, ProblemsFound
from generator.game.model import Design, Effect, Game
from generator.rules.engine.contract import Box, Options, State, row_field
from generator.rules.engine.facts import code_numbers as numbers_of
from generator.rules.engine.facts import codes, find_kind, pack_members
from generator.rules.engine.settings import apply_options, encode_settings
from generator.rules.wayfaring.data import CHARACTERS, Facts, Switches, facts_of

MOST_PLAYERS = 4
"""The number of seats for which rows have room, for any number of players."""

ARGUMENT = 255
"""The bits of a move's argument: a design of the deck, an entry (a card that can lie in areas), or a seat."""

SEAT_SHIFT, TROUBLE_DESIGN = 6, 63
"""The position of the bits for a trouble's seat in the argument, and the bits for its design."""


@codes
class Move:
    """Kinds of moves. To PLACE and later ones, an argument is added: see ARGUMENT."""

    DONE, DECLINE, PASS, GO, SKIP = range(5)
    PLACE, TROUBLE, RECRUIT, CURSE, USE, PLAY = range(1 << 8, 7 << 8, 1 << 8)
    THROW, SET, TAKE, RECALL, DISMISS, JOIN, LEAVE, TARGET, BURY = range(7 << 8, 16 << 8, 1 << 8)


@codes
class Chance:
    """Purposes of random numbers: each shuffle of the deck and of the character deck."""

    DECK, CHARACTERS = 0, 1


@codes
class Zone:
    """The zone of a card. To HAND, UP (of a path), DOWN and AREA, a seat is added."""

    DECK, DISCARDS, DISPLAY, CHARACTERS, STACK = range(1, 6)
    HAND, UP, DOWN, AREA = 10, 20, 30, 40


@codes
class Op:
    """Operations of effects, costs and conditions, by their names in the data; END ends a list of them.

    Those up to SKIP_MAIN2 need no choice, those from VISITED on are conditions.
    """

    END, VITALITY, MARK, APPEAR, NEGATE, SKIP_MAIN2 = range(6)
    FATIGUE, DISCARD, PLACE, MOVE, BURY, RECALL, DISMISS, JOIN, LEAVE, RECOVER = range(6, 16)
    VISITED, TERRAIN, TROUBLES, COMPANIONS, CURSED, HAND_MAX = range(16, 22)


@codes
class Stage:
    """Moments of a turn, in their order: the next step when nothing is pending."""

    DRAW, MAIN_1, MOVE, MOVED, MAIN_2, END_CURSES, END_HAND, END_REFILL = range(8)


@codes
class Wait:
    """The kind of choice: an action of a main phase, an answer, moving or passing, a choice of an effect."""

    MAIN, ANSWER, MOVE, STEP = range(4)


@codes
class Item:
    """Declared items that wait for answers. OWN is an ability for the own turn, ABILITY one to intervene with."""

    RECRUIT, CARD, ABILITY, OWN, MOVE, PLACED = range(1, 7)


@codes
class Then:
    """The consequence of a finished effect, cost or deed.

    An ability whose cost was paid is declared, a character joins, the card is discarded, that of a path has arrived.
    """

    NOTHING, ITEM, COMPANION, DISCARDED, ARRIVED = range(5)


@codes
class Ending:
    """The reason for the end: enough memories (RECALL: by an effect), one seat left, all fainted, the last turn."""

    MEMORIES, RECALL, LASTING, FAINTING_LAST, TURNS = range(1, 6)


@codes
class Out:
    """The reason why a seat is out: it passed too often, or its hand was empty."""

    PASSED, EMPTY_HAND = 1, 2


@codes
class Gap:
    """Situations that the rules don't cover, by their index in RULES.holes, from 1."""

    EMPTY_DECK, NO_END = 1, 2


LAWS = (
    *("TC-20", "TC-21", "TC-22", "TC-23", "TC-24", "TC-25", "TC-26"),
    *("TC-28", "TC-29", "TC-30", "TC-31", "TC-32", "TC-35", "TC-36"),
)
"""The data's checks that games decide."""


@codes
class Law:
    """The laws by their index in LAWS, from 1."""

    CARDS, PATHS, PLACED, LIMITS, DEAL, DRAWN, OUT = range(1, 8)
    RESHUFFLES, END, WINNERS, OUT_EMPTY, STACK, HANDS, MEMORIES = range(8, 15)


# Sets are bits of a number: of designs of the deck, or of entries (cards that can lie in areas).

STATE = State(
    chances=Chance,
    at=row_field("in which zone each card lies; the rest tells the same by zones", "cards"),
    # Decks
    deck=row_field("the deck, which goes round in its row", "deck_cards"),
    deck_top="the place of its top card",
    deck_count="how many cards it has",
    discards="the designs on the discards, as a set",
    discard_count="how many cards they have",
    line=row_field("the character deck, which goes round in its row", "characters_printed"),
    line_top="the place of its top card",
    line_count="how many cards it has",
    display="the entries on display, as a set",
    shown="how many they are",
    # Seats
    hand=row_field("the designs of each hand, as a set", MOST_PLAYERS),
    held=row_field("how many cards it has", MOST_PLAYERS),
    path=row_field("the cards of each path, the past first", MOST_PLAYERS, "deck_cards"),
    by=row_field("who placed each of them", MOST_PLAYERS, "deck_cards"),
    length=row_field("how many cards a path has", MOST_PLAYERS),
    memories=row_field("how many of them are face up", MOST_PLAYERS),
    most_memories=row_field("the most there ever were", MOST_PLAYERS),
    seen=row_field("destinations face up, for each seat: all, then by terrain", MOST_PLAYERS, "terrains"),
    area=row_field("the entries of each area, as a set", MOST_PLAYERS),
    companions=row_field("how many of them are characters", MOST_PLAYERS),
    cursed=row_field("how many are cursed items", MOST_PLAYERS),
    marks=row_field("pass markers", MOST_PLAYERS),
    rested=row_field("how often a seat rested", MOST_PLAYERS),
    out=row_field("0, or why a seat is out: an Out", MOST_PLAYERS),
    out_marks=row_field("its pass markers when it dropped out", MOST_PLAYERS),
    out_hand=row_field("its cards in hand then", MOST_PLAYERS),
    out_memories=row_field("its memories then", MOST_PLAYERS),
    out_turn=row_field("the turn in which that was", MOST_PLAYERS),
    # The turn
    turn_seat="whose turn it is",
    stage="the moment of the turn",
    phase="what the seat is to choose: a Wait",
    turn_lost="1 when the turn player has fainted",
    skip_main2="1 when the second main phase is left out",
    placed="destinations placed in this turn",
    troubled=row_field("troubles placed on each path in this turn", MOST_PLAYERS),
    recruited="characters recruited in this turn",
    drawn="cards drawn in the Draw phase",
    nothing_drawn="1 when a card could not be drawn in this turn",
    reshuffled="reshuffles of this turn",
    used="the entries whose ability is used up, as a set",
    joined="the entries that came in this turn, as a set",
    # What is declared, and what is being carried out: the last of each goes on first
    items="how many things are declared",
    item_what=row_field("what each is: an Item", "most_items"),
    item_card=row_field("the card that it is about", "most_items"),
    item_seat=row_field("who declared it", "most_items"),
    asked="how many seats have been asked whether they answer the last one, or the end of a main phase",
    frames="how many effects, costs and deeds are begun",
    frame_step=row_field("the step that each has come to", "most_frames"),
    frame_left=row_field("how often the step is still to be done; -1 before it begins", "most_frames"),
    frame_seat=row_field("who carries it out", "most_frames"),
    frame_whom=row_field("whose cards it is about; -1 before that is chosen", "most_frames"),
    frame_card=row_field("the card that it stands on", "most_frames"),
    frame_then=row_field("what follows: a Then", "most_frames"),
    kind="the kind of move that the step asks for",
    options="what there is to choose from, as a set",
    # The end
    winners="the winners, as a set of seats",
    ending="how the game ended: an Ending",
    redraws="first hands that were drawn anew",
    faulty_deal="1 when the deal was not as it should be",
)


ORDER = ("destination", "trouble", "intervention", "cursed", CHARACTERS)
"""The order in which cards are numbered: first the deck, last all that can lie in an area."""

MARKERS = "pass_marker"

ASK_EVERYONE = "ask_everyone"
"""An option of play, not of the rules: windows also ask players who have nothing to answer with."""

MOMENTS = ("recruit", "intervention", "main_done", "own_turn_ability", "placement", "move")
"""The moments that `rules.windows` may list."""

_MOST = 60
"""The most designs of the deck, and entries: kernels store sets of them as bits of a whole number."""


class _Cards(NamedTuple):
    """The designs of the deck and of characters, and the entries: a design for each copy that can lie in an area."""

    deck: tuple[Design, ...]
    characters: tuple[Design, ...]
    entries: tuple[Design, ...]

    @property
    def designs(self) -> tuple[Design, ...]:
        """All designs: those of the deck, then the characters."""
        return (*self.deck, *self.characters)


_RULE_NUMBERS = ("hand", "display", "draw", "passes", "refill", "memories", "turns", "reshuffles")


def make_box(game: Game, players: int, options: Options) -> Box:
    """Return the cards and numbers of a table. Raise ProblemsFound for a wrong number of players, option or card."""
    game = apply_options(game, players, options, own={ASK_EVERYONE: (False, True)})
    facts, switches = facts_of(game)
    deck = tuple(design for kind in ORDER[:-1] for design in find_kind(game, kind).designs)
    characters = find_kind(game, CHARACTERS).designs
    lying = [*(design for design in deck if design.kind == "cursed"), *characters]
    cards = _Cards(deck, tuple(characters), tuple(design for design in lying for _ in range(design.count)))
    markers = {design.id: design.count for design in find_kind(game, MARKERS).designs}
    steps = _Steps(facts)
    numbers = {
        **_count_sizes(facts, cards),
        **_number_deck(facts, cards, steps),
        **_number_entries(facts, cards, steps),
        **{f"rule_{name}": getattr(facts, name) for name in _RULE_NUMBERS},
        **{f"per_turn_{name}": facts.per_turn[name] for name in ("destination", "trouble", "recruit")},
        "rest_hand": facts.rest.hand,
        "rest_memories": facts.rest.memories,
        **_encode_readings(game, facts, switches),
        ASK_EVERYONE: int(options.get(ASK_EVERYONE, False)),
        "markers": sum(markers.values()),
        "plain_discard": steps.add_effects([Effect("discard", {"n": 1})]),
        "no_design": -1,  # of a card that is none of the deck
    }
    wrong = list(_find_misfits(game, facts, switches, cards))
    if wrong:
        raise ProblemsFound(wrong)
    copies = tuple(copy for design in cards.designs for copy in design.copies())
    return Box(game, players, dict(options), numbers | steps.to_columns(), copies, markers)


def _encode_readings(game: Game, facts: Facts, switches: Switches) -> Mapping[str, int]:
    """Return 1 or 0 for each choice of a reading and each moment to answer (`answers_move`), and the limit of hands."""
    windows = facts.windows[switches.intervention_windows]
    read = encode_settings(game)
    read |= {f"answers_{moment}": int(moment in windows) for moment in MOMENTS}
    read["answers_intervention"] *= read["intervention_resolution_stack"]
    return read | {"hand_limit": 0 if switches.hand_limit == "none" else switches.hand_limit}


def _find_misfits(game: Game, facts: Facts, switches: Switches, cards: _Cards) -> Iterator[Problem]:
    """Yield problems for cards and numbers that exceed the kernels' capacity."""
    place = game.places.place("components")
    names = [design.id.split("/")[1] for design in cards.designs]
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield Problem(place, f"two cards have the id {name}", "give each card of the game an id of its own")
    for found, what in ((cards.deck, "different cards in the deck"), (cards.entries, "characters and cursed items")):
        if len(found) > _MOST:
            yield Problem(place, f"the rules have no room for {len(found)} {what}", f"at most {_MOST}")
    if game.players.most > MOST_PLAYERS:
        yield Problem(game.places.place("players"), f"the rules have room for {MOST_PLAYERS} players", "")
    if facts.moves != 1:
        what = "the rules know one move in the Move phase"
        yield Problem(game.places.place("rules", "moves"), what, "let effects give more")
    for name, values in get_type_hints(Switches).items():
        known = get_args(values) if get_origin(values) is Literal and name != "intervention_windows" else ()
        if known and getattr(switches, name) not in known:
            what = f"the rules don't know {name}: {getattr(switches, name)}"
            yield Problem(game.places.place("readings"), what, f"it can be {', '.join(known)}")


def _count_sizes(facts: Facts, cards: _Cards) -> dict[str, int]:
    """Return the numbers of pieces, and the most effects that can be pending at once."""
    deck = sum(design.count for design in cards.deck)
    moving = (design for design in cards.deck if any(effect.op == "move" for effect in design.fields["effects"]))
    return {
        "cards": sum(design.count for design in cards.designs),
        "deck_cards": deck,
        "characters_printed": sum(design.count for design in cards.characters),
        "deck_designs": len(cards.deck),
        "first_area": deck - sum(design.count for design in cards.deck if design.kind == "cursed"),
        "area_cards": len(cards.entries),
        "terrains": 1 + len(facts.terrains),
        "most_items": 2
        + sum(design.count for design in cards.deck if design.kind == "intervention")
        + len(cards.entries),
        "most_frames": 3 + sum(design.count for design in moving),
    }


def _number_deck(facts: Facts, cards: _Cards, steps: "_Steps") -> dict[str, Any]:
    """Return rows of deck cards or designs: first card, end of its cards, terrain, effect (added to `steps`) ..."""
    ends = [sum(design.count for design in cards.deck[: number + 1]) for number in range(len(cards.deck))]
    terrains = ["", *facts.terrains]
    people = sum(design.count for design in cards.characters)
    return {
        "design": [number for number, design in enumerate(cards.deck) for _ in range(design.count)] + [0] * people,
        "first": [0, *ends[:-1]],
        "last": ends,
        "terrain": [terrains.index(design.fields.get("terrain", "")) for design in cards.deck],
        "effect": [steps.add_effects(design.fields["effects"]) for design in cards.deck],
        **{f"{kind}_designs": pack_members(design.kind == kind for design in cards.deck) for kind in ORDER[:-1]},
    }


def _number_entries(facts: Facts, cards: _Cards, steps: "_Steps") -> dict[str, Any]:
    """Return rows with the data of each entry: design, effects (added to `steps`), curse; and sets of entries."""
    entries = cards.entries
    kinds = [pack_members(kind in (design.fields.get("kinds") or ()) for design in entries) for kind in facts.kinds]
    return {
        "area_design": [cards.designs.index(design) for design in entries],
        "ability": [steps.add_effects(design.fields["effects"]) for design in entries],
        **{
            part: [steps.add_effects(design.fields.get(part)) for design in entries]
            for part in ("cost", "situation", "deed")
        },
        "characters": pack_members(design.kind == CHARACTERS for design in entries),
        "advanced": pack_members(bool(design.fields.get("advanced")) for design in entries),
        "own_turn": pack_members(design.fields["timing"] == "own_turn" for design in entries),
        "intervene": pack_members(design.fields["timing"] == "intervene" for design in entries),
        "of_kind": [0, *kinds],
        "need_more": [_encode_curse(design, "need_more") for design in entries],
        "end_discard": [_encode_curse(design, "end_discard") for design in entries],
        "no_vitality": pack_members(_encode_curse(design, "no_vitality") > 0 for design in entries),
    }


class _Step(NamedTuple):
    """A step, cost or condition: an Op, how often, 1 for other players, kind, type or terrain; all zeros end a list."""

    op: int = Op.END
    times: int = 0
    other: int = 0
    kind: int = 0
    destination: int = 0
    other_design: int = 0
    of: int = 0


class _Steps:
    """All steps, costs and conditions of the cards in one table."""

    def __init__(self, facts: Facts):
        self._kinds, self._terrains = ["", *facts.kinds], ["", *facts.terrains]
        self._rows = [_Step()]

    def add_effects(self, effects: Iterable[Effect] | None) -> int:
        """Add steps and return the index of the first, or 0 if there are none."""
        steps = [self._encode_step(effect.op, effect.values) for effect in effects or ()]
        start = len(self._rows) if steps else 0
        self._rows += [*steps, _Step()] if steps else []
        return start

    def _encode_step(self, op: str, values: Mapping[str, Any]) -> _Step:
        return _Step(
            op=numbers_of(Op)[op.upper()],
            times=values.get("n") or values.get("k") or 1,
            other=int(values.get("who") in ("each_other", "one_other", "any")),
            kind=self._kinds.index(values.get("kind") or ""),
            destination=int(values.get("type") == "destination"),
            other_design=int(bool(values.get("other_design"))),
            of=self._terrains.index(values.get("of") or ""),
        )

    def to_columns(self) -> dict[str, list[int]]:
        """Return the table as one list of numbers for each field of _Step, by its name."""
        return {name: list(column) for name, column in zip(_Step._fields, zip(*self._rows, strict=True), strict=True)}


def _encode_curse(design: Design, op: str) -> int:
    curses = design.fields.get("curse") or ()
    return sum(int(curse.values.get("n") or 1) for curse in curses if curse.op == op)
