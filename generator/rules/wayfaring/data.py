"""The data of The Wayfaring Book: numbers, readings, cards, and chances."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Any, Literal, NamedTuple

from generator.base.errors import Problem, ProblemsFound, did_you_mean
from generator.game.model import Design, Effect, Game
from generator.rules.engine.contract import Box
from generator.rules.engine.facts import FactReader, find_kind, read_rule_texts

DESTINATION, TROUBLE, CHARACTERS = "destination", "trouble", "character"

DECK = (DESTINATION, TROUBLE, "cursed", "intervention")
"""The kinds of cards that are shuffled together as the deck."""

CARDS = (*DECK, CHARACTERS)

KIND_MARKED = ("arrival", "intervention")
"""The parts whose steps may be marked with a kind of companion."""

_EFFECTS = {DESTINATION: "arrival", TROUBLE: "occurrence", "intervention": "intervention"}
"""The part with the effects of a kind of card; all other kinds have abilities."""

_PARTS = ("cost", "deed", "situation", "curse")


class Part(NamedTuple):
    """A step, cost or condition of a design: the design, the part of it with the step, and the printed copies."""

    card: Design
    part: str
    effect: Effect
    copies: int


class Rest(NamedTuple):
    """The effect of fainting if players don't drop out (E54): cards drawn up to, and memories lost."""

    hand: int
    memories: int


class Action(NamedTuple):
    """An action of a main phase, its sign in the rules, and the times at which it is allowed."""

    id: str
    sign: str
    timing: str


@dataclass(frozen=True, slots=True)
class Facts:
    """The numbers of the rules, by their names in `rules.yaml`."""

    hand: int
    display: int
    draw: int
    per_turn: Mapping[str, int]
    moves: int
    passes: int
    refill: int
    memories: int
    turns: int
    reshuffles: int
    rest: Rest
    ordinary: int
    advanced: int
    terrains: Mapping[str, int]
    kinds: Mapping[str, int]
    kindless: int
    phases: tuple[str, ...]
    main_phases: tuple[str, ...]
    actions: tuple[Action, ...]
    windows: Mapping[str, tuple[str, ...]]

    @property
    def characters(self) -> int:
        """The number of characters."""
        return self.ordinary + self.advanced


@dataclass(frozen=True, slots=True)
class Switches:
    """The reading in force for each passage of the rules with several readings (`readings.yaml`)."""

    mulligan_order: Literal["after_all", "per_player"]
    forced_pass_counts: bool
    elimination_cards: Literal["dispose", "stay"]
    trouble_limit: Literal["total", "per_opponent"]
    deed_payment: Literal["check_both", "as_much_as_possible"]
    recheck_situation: bool
    summoning_delay: bool
    ability_refresh: Literal["own_turn", "every_turn"]
    noop_use: Literal["forbidden", "allowed"]
    faint_by_own_action: Literal["allowed", "forbidden"]
    intervention_resolution: Literal["stack", "immediate"]
    intervention_order: Literal["left_of_declarer", "turn_player_first"]
    intervention_windows: Literal["standard", "abilities", "placements", "all"]
    owner_may_peek: bool
    display_refill: Literal["end_phase", "immediate", "none"]
    advanced_on_refill: Literal["normal", "skip"]
    deck_out: Literal["reshuffle", "none"]
    hand_limit: int | Literal["none"]
    faint_check: Literal["settled", "immediate", "end_of_turn"]
    instant_win: Literal["no_hand_condition", "needs_hand"]
    fainting: Literal["eliminate", "rest"]


class TableLimits(NamedTuple):
    """Consequences of the number of players.

    Cards in hands, in the deck and in the character deck after set-up; destinations that must exist; set-ups with a
    redraw in 10 000; path cards used up by a victory, and the same with every Laughing Mask on the table.
    """

    players: int
    hands: int
    deck: int
    characters: int
    sure: int
    redraws: int
    path: int
    masked: int


class Ratio(NamedTuple):
    """A chance or an average as two whole numbers."""

    of: int
    in_: int


@dataclass(frozen=True, slots=True)
class Limits:
    """Consequences of the numbers as stated in the data; the checks recompute them."""

    table: Mapping[int, TableLimits]
    cards: int
    deck: int
    path_cards: int
    most_players_sure: int
    redraw: Ratio
    most_redraws: int
    aside_expected: Ratio
    aside_none: Ratio
    aside_most: int
    conditions: Mapping[str, int]
    timings: Mapping[str, int]


def facts_of(game: Game) -> tuple[Facts, Switches]:
    """Return the numbers and readings of a game's data. Raise ProblemsFound with all missing or wrong values."""
    reader = FactReader(game)
    facts = reader.read_facts(
        Facts,
        hand=reader.read_whole("hand", least=1),
        memories=reader.read_whole("memories", least=1),
        turns=reader.read_whole("turns", least=1),
        rest=Rest(reader.read_whole("rest", "hand"), reader.read_whole("rest", "memories")),
        ordinary=reader.read_whole("characters", "ordinary"),
        advanced=reader.read_whole("characters", "advanced"),
        phases=read_rule_texts(game, "phases"),
        main_phases=read_rule_texts(game, "main_phases"),
        actions=_read_actions(game),
        windows={name: read_rule_texts(game, "windows", name) for name in _read_section(game, "windows")},
    )
    switches = reader.read_readings(Switches)
    reader.raise_problems()
    name = str(switches.intervention_windows)
    if name not in facts.windows:
        place = game.places.place("rules", "windows")
        what = f"the switch intervention_windows is set to '{name}', which rules.windows does not have"
        raise ProblemsFound([Problem(place, what, did_you_mean(name, facts.windows))])
    return facts, switches


def limits_of(game: Game) -> Limits:
    """Return the limits stated in the data. Raise ProblemsFound as `facts_of` does."""
    reader = FactReader(game)
    limits = reader.read_facts(
        Limits,
        "limits",
        table=reader.read_player_rows(TableLimits, "limits", "table"),
        redraw=_read_ratio(reader, "redraw"),
        aside_expected=_read_ratio(reader, "aside", "expected"),
        aside_none=_read_ratio(reader, "aside", "none"),
        aside_most=reader.read_whole("limits", "aside", "most"),
    )
    reader.raise_problems()
    return limits


def vocabulary_of(game: Game) -> Mapping[str, tuple[str, ...]]:
    """Return the operations allowed in each part of a card. Raise ProblemsFound for an unknown operation."""
    vocabulary = {part: read_rule_texts(game, "vocabulary", part) for part in _read_section(game, "vocabulary")}
    place = game.places.place("rules", "vocabulary")
    unknown = [
        Problem(place, f"rules.vocabulary.{part} names the unknown operation '{op}'", did_you_mean(op, game.operations))
        for part, ops in vocabulary.items()
        for op in ops
        if op not in game.operations
    ]
    if unknown:
        raise ProblemsFound(unknown)
    return vocabulary


def _read_section(game: Game, name: str) -> Mapping[str, Any]:
    value = game.sections.get("rules", {}).get(name)
    if isinstance(value, Mapping) and value:
        return value
    place = game.places.place("rules", name) or game.places.place("rules")
    what = f"rules.{name} must hold lists by name, and the rules of {game.id} need it"
    raise ProblemsFound([Problem(place, what, "write it as {name: [one, other]}")])


def _read_actions(game: Game) -> tuple[Action, ...]:
    rows = game.sections.get("rules", {}).get("actions")
    if isinstance(rows, tuple) and all(isinstance(row, Mapping) and set(Action._fields) <= set(row) for row in rows):
        return tuple(Action(*(str(row[name]) for name in Action._fields)) for row in rows)
    place = game.places.place("rules", "actions") or game.places.place("rules")
    what = "rules.actions must be a list of actions, each with id, sign and timing"
    raise ProblemsFound([Problem(place, what, "write each as `- {id: place, sign: ①, timing: own_turn}`")])


def _read_ratio(reader: FactReader, *path: str) -> Ratio:
    return Ratio(reader.read_whole("limits", *path, "of"), reader.read_whole("limits", *path, "in", least=1))


# The cards


def count_cards(game: Game, kind: str) -> int:
    """Return the number of printed cards of a kind."""
    return find_kind(game, kind).count


def printed_designs(game: Game, kind: str) -> Iterator[Design]:
    """Return the cards of a kind, a design once for each copy."""
    return (card for card in find_kind(game, kind).designs for _ in range(card.count))


def parts_of(game: Game) -> Iterator[Part]:
    """Yield every effect and requirement of the cards, in the order of the data."""
    for kind in CARDS:
        for card in find_kind(game, kind).designs:
            fields = {_EFFECTS.get(kind, "ability"): "effects", **{part: part for part in _PARTS}}
            for part, field in fields.items():
                for effect in card.fields.get(field) or ():
                    yield Part(card, part, effect, card.count)


def chance_without(deck: int, wanted: int, hand: int) -> Fraction:
    """Return the chance that a hand drawn from a deck contains none of the `wanted` cards."""
    return Fraction(comb(deck - wanted, hand), comb(deck, hand))


def at_least_once(chance: Fraction, times: int) -> Fraction:
    """Return the chance that an event happens at least once in N independent tries."""
    return 1 - (1 - chance) ** times


def redraw_chance_at(table: Box) -> float:
    """Return the chance that some first hand of a table lacks a destination."""
    game = table.game
    facts, _ = facts_of(game)
    deck = sum(count_cards(game, kind) for kind in DECK)
    return float(at_least_once(chance_without(deck, count_cards(game, DESTINATION), facts.hand), table.players))
