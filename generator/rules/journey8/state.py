"""The state of Draft 8: its fields, names for moves and phases, and the box of numbers."""

from collections.abc import Iterator, Mapping
from typing import Any

from generator.base.errors import Problem, ProblemsFound, did_you_mean
from generator.game.model import Design, Game
from generator.rules.engine.contract import Box, Options, State, row_field
from generator.rules.engine.facts import code_numbers as numbers_of
from generator.rules.engine.facts import codes, encode_facts, find_kind
from generator.rules.engine.kernel import Value
from generator.rules.engine.settings import apply_options, encode_settings, read_settings
from generator.rules.journey8.data import (
    BOOKMARKS,
    COUNTERS,
    JOKERS,
    Deal,
    Facts,
    Switches,
    count_deal,
    effect_worth,
    facts_of,
    key_count_modes,
    longest_row,
    most_turns,
)

PER_COLOUR = 32
"""The factor of the colour in a declaration, to which the number's index is added."""

MOST_CARDS, MOST_COLOURS, MOST_NUMBERS = 60, 6, 32
"""The capacity of the numbers of moves, and of the bits of a whole number."""


@codes
class Chance:
    """The purpose of random numbers: the order of the deck."""

    DECK = 0


@codes
class Phase:
    """The choice that the seat has now; RUN is no choice: the kernels continue."""

    TURN, EXTRA, DECLARE, DECLARE_LEFT, GIVE, TAKE, EVENT, KEEP, DONE = range(9)
    RUN = -1


@codes
class Move:
    """Kinds of moves. To PLAY and later ones, a card, a declaration or a seat is added."""

    PASS = 0
    STOP = 1
    PLAY = 100  # + card: lay it at the end of the story.
    AS = 200  # + declaration: the joker that is played is this.
    LEFT_AS = 400  # + declaration: the joker on its left is this.
    GIVE = 600  # + seat: one sone to it.
    TAKE = 620  # + seat: sone from it.
    EVENT = 700  # + card: apply its effect.
    KEEP = 800  # + card: of its colour, this one stays.


@codes
class Mode:
    """The counting of hand numbers."""

    NORMAL, REVERSE, IGNORED = range(3)


@codes
class Op:
    """Operations of effects, by their names in the data."""

    GAIN, DROP, TURN, TURN_BACK, GIVE, TAKE_ONE, TAKE_EACH, ALL_GAIN, DISCARD_THIS = range(9)


@codes
class Side:
    """The two sides of a counter."""

    SONE, COHERENCE = range(2)


LAWS = (
    *("C8-CONS-CARD", "C8-CONS-COUNTER", "C8-RISES", "C8-NONNEG"),
    *("C8-ONE-EXTRA", "C8-TURNS", "C8-DRAW", "C8-ROW"),
)
"""The data's checks that games decide."""


@codes
class Law:
    """The laws by their index in LAWS, from 1."""

    CARDS, COUNTERS, RISES, NOT_NEGATIVE, ONE_EXTRA, TURNS, DRAWN, ROW = range(1, 9)


STATE = State(
    chances=Chance,
    phase="what the seat has to choose now: one of Phase",
    start="who began",
    current="whose turn it is",
    scoring="1 once the hands are laid open",
    # Cards
    deck=row_field("the cards that were shuffled, the drawn ones as 0", "cards"),
    top="the place of the deck's next card",
    hand=row_field("each seat's cards, ascending", "cards", "seats"),
    held=row_field("how many they are", "seats"),
    story=row_field("the cards laid out, from left to right", "cards"),
    keys=row_field("1 for each of them that is a key", "cards"),
    said=row_field("1 + what a joker there was declared as, where that lasts", "cards"),
    laid="how many cards the story has",
    keys_laid="how many of them are keys",
    removed=row_field("the cards laid aside before the game", "cards"),
    aside="how many they are",
    discards=row_field("the cards thrown away at the end", "cards"),
    thrown="how many they are",
    # Counters
    sone=row_field("counters of each seat with this side up", "seats"),
    coherence=row_field("and with this one", "seats"),
    supply="counters that nobody has",
    given_out="counters in play at the start",
    rises="what larger numbers have brought since",
    # The turn
    first="the number of turns that the deck is good for",
    dry="1 when a player had nothing to draw",
    plays="cards played in this turn",
    first_key="1 when the first of them is a key",
    card="what is being played or applied; -1 for nothing",
    new_colour="colour and number of the card that is played ...",
    new_number="... as it is compared ...",
    left_colour="... with those of the card ...",
    left_number="... on its left",
    give_left="sone still to be given",
    give_cap="the most for each",
    give_to="who got the last",
    give_same="how much of it so far",
    # The end
    key_end="1 when keys ended the game",
    mode="how hand numbers count: one of Mode",
    group="the cards that are applied now: those of a seat, or of a number in a seat's hand",
    done="the cards whose event has been seen to, as bits",
    op="the place of the card's next operation",
    colour="the colour of which one card is kept",
    # For the figures
    held_at_end="cards held when the hands were laid open",
    applied="effects applied",
    brought="what they brought their owners together",
    promised="and what they were worth",
    before="how far the owner was ahead before the effect",
)


def make_box(game: Game, players: int, options: Options) -> Box:
    """Return the printed cards and counters, and the rules with the options. Raise ProblemsFound if unplayable."""
    game = apply_options(game, players, options)
    facts, switches = facts_of(game)
    designs = [design for kind in (BOOKMARKS, JOKERS) for design in find_kind(game, kind).designs]
    dealt = count_deal(players, facts, switches)
    problems = list(_find_faults(game, facts, dealt, designs))
    if problems:
        raise ProblemsFound(problems)
    modes, target = sorted(key_count_modes(game).items()), read_settings(game)["target"]
    numbers: dict[str, Value] = {
        **encode_facts(facts),
        "cards": facts.cards,
        "removed": dealt.removed,
        "story": dealt.story,
        "turns": most_turns(dealt.deck, facts),
        "longest": longest_row(dealt, facts, switches),
        **_number_cards(facts, designs, players),
        **_list_declarations(facts, switches),
        **encode_settings(game),
        "events": int(switches.events != "none"),
        "key_end": 0 if switches.key_end == "off" else switches.key_end,
        "aimed": int(target != "off"),
        "target": 0 if target == "off" else target,
        "mode_keys": [keys for keys, _ in modes],
        "mode_names": [numbers_of(Mode)[mode.upper()] for _, mode in modes],
        "modes": len(modes),
    }
    cards = tuple(copy for design in designs for copy in design.copies())
    counted = {design.id: design.count for design in find_kind(game, COUNTERS).designs}
    return Box(game, players, options, numbers, cards, counted)


def _find_faults(game: Game, facts: Facts, dealt: Deal, designs: list[Design]) -> Iterator[Problem]:
    """Yield problems for data that these rules can't play."""
    place = game.places.place("components")
    number = sum(design.count for design in designs)
    for what, found, most in (
        ("cards", number, MOST_CARDS),
        ("colours", len(facts.colours), MOST_COLOURS),
        ("numbers", len(facts.numbers), MOST_NUMBERS),
    ):
        if found > most:
            yield Problem(place, f"there are {found} {what}, and these rules can play with {most}", "take some out")
    if number != facts.cards:
        what = f"the box has {number} cards, and rules.colours and rules.jokers make {facts.cards}"
        yield Problem(place, what, "make them agree")
    if dealt.deck < 1:
        what = f"{dealt.removed} cards laid aside, {dealt.hands} in hands and {dealt.story} in the story leave no deck"
        yield Problem(game.places.place("rules", "removed"), what, "lay fewer aside")
    if len(find_kind(game, COUNTERS).designs) != 1:
        yield Problem(
            find_kind(game, COUNTERS).place, "these rules need one design of counters", "keep one, with a count"
        )
    for design in designs:
        for name, known in (("colour", facts.colours), ("number", facts.numbers)):
            if design.kind == BOOKMARKS and design.fields[name] not in known:
                what = f"{design.id} has the {name} {design.fields[name]}, which rules.{name}s does not have"
                yield Problem(design.place, what, "add it there, or change the card")
        for effect in design.fields["effects"]:
            if effect.op.upper() not in numbers_of(Op):
                what = f"these rules don't know what '{effect.op}' does"
                yield Problem(design.place, what, did_you_mean(effect.op, [name.lower() for name in numbers_of(Op)]))


def _number_cards(facts: Facts, designs: list[Design], players: int) -> Mapping[str, Value]:
    """Return each card's colour, number, joker mark, effects, and the first card equal to it.

    `alike` names the first of cards that the rules don't distinguish; they lie next to each other.
    """
    colours = list(facts.colours)
    ops = max(len(design.fields["effects"]) for design in designs)
    rows: list[tuple[Any, ...]] = []
    first: dict[tuple[Any, ...], int] = {}
    for design in designs:
        effects = design.fields["effects"]
        steps = [_encode_step(effect.op, effect.values) for effect in effects]
        flat = [number for step in steps for number in step] + [0] * (3 * (ops - len(steps)))
        joker = 1 if design.kind == JOKERS else 0
        colour = -1 if joker else colours.index(design.fields["colour"])
        number = 0 if joker else design.fields["number"]
        rank = len(facts.numbers) if joker else facts.numbers.index(number)
        row = (colour, number, joker, rank, len(steps), flat, effect_worth(effects, players))
        for _ in range(design.count):
            rows.append((*row, first.setdefault((colour, number, joker, tuple(flat)), len(rows))))
    names = ("colour", "number", "joker", "rank", "steps", "effect", "worth", "alike")
    return {name: [row[at] for row in rows] for at, name in enumerate(names)}


def _encode_step(op: str, values: Mapping[str, Any]) -> tuple[int, int, int]:
    """Return an operation as three numbers: which one, on which side of the counters, how many."""
    return numbers_of(Op)[op.upper()], numbers_of(Side)[(values.get("side") or "sone").upper()], values.get("n") or 0


def _list_declarations(facts: Facts, switches: Switches) -> Mapping[str, Value]:
    """Return the possible declarations of jokers; `pair[n][m]` is 1 if n is offered beside a joker as m.

    Of two jokers that are declared for one play, only their difference matters, so each is offered once.
    """
    numbers = facts.numbers
    pair = [[0] * len(numbers) for _ in numbers]
    seen: set[int] = set()
    for new in sorted(range(len(numbers)), key=lambda at: (at != 0, -at)):
        for left in range(len(numbers)):
            if numbers[new] - numbers[left] not in seen:
                seen.add(numbers[new] - numbers[left])
                pair[new][left] = 1
    return {
        "numbers": list(numbers),
        "count": len(numbers),
        "colours": len(facts.colours),
        "pair": pair,
        "opens": [max(row) for row in pair],
    }
