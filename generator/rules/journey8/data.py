"""The data of Draft 8: facts, and their consequences that need no play."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Literal, NamedTuple

from generator.base.errors import Problem, ProblemsFound, did_you_mean
from generator.game.model import Design, Effect, Game
from generator.rules.engine.contract import Box, Options
from generator.rules.engine.facts import FactReader, code_numbers, encode_facts, find_kind
from generator.rules.engine.kernel import Value
from generator.rules.engine.settings import apply_options, encode_settings, read_settings
from generator.rules.journey8.state import MOST_CARDS, MOST_COLOURS, MOST_NUMBERS, Mode, Op, Side

KEY, PLAIN = "■", "□"
"""The signs for a key and for any other card in a written row."""

BOOKMARKS, JOKERS, COUNTERS = "bookmark", "joker", "counter"

MODES = ("normal", "reverse", "ignored")
"""The counting of hand numbers at the end: lower is better, higher is better, or they don't count."""


@dataclass(frozen=True, slots=True)
class Removal:
    """The cards laid aside for a number of players: as in the draft, and for equal turns (E3)."""

    players: int
    cards: int
    level: int


@dataclass(frozen=True, slots=True)
class Facts:
    """The numbers of the rules, by their names in `rules.yaml`, and the counters in the box."""

    numbers: tuple[int, ...]
    colours: Mapping[str, int]
    jokers: int
    removed: Mapping[int, Removal]
    hand: int
    story: int
    sone: int
    counters: int
    draw: int
    gift: int
    extra_plays: int
    hand_limit: int
    run: int

    @property
    def cards(self) -> int:
        """The number of cards in the box."""
        return sum(self.colours.values()) + self.jokers


@dataclass(frozen=True, slots=True)
class Switches:
    """The reading in force for each passage of the rules with several readings (`readings.yaml`)."""

    events: Literal["provisional", "none"]
    equal_turns: Literal["off", "no_start_card", "remove_fix"]
    key_end: int | Literal["off"]
    end_check: Literal["turn_end", "immediate"]
    run_count: Literal["groups", "adjacent_pairs"]
    joker_colour: Literal["declared", "always_same"]
    event_order: Literal["from_start", "from_next", "by_number"]
    event_optional: bool
    joker_memory: Literal["none", "keep_declared"]
    supply: Literal["infinite", "finite"]
    extra_after_third: bool
    # "pass" is no name in Python; the others are called as in the data.
    passing: Literal["free", "forbidden", "hand_limit"]
    print_start_marker: bool = False


@dataclass(frozen=True, slots=True)
class TableLimits:
    """Consequences of the number of players: cards in game and deck, counters at the start, longest row."""

    players: int
    in_game: int
    deck: int
    counters: int
    row: int


@dataclass(frozen=True, slots=True)
class Limits:
    """Consequences of the numbers as stated in the data; the checks recompute them."""

    table: Mapping[int, TableLimits]
    keys: int


@dataclass(frozen=True, slots=True)
class Worth:
    """The intended worth of an effect for `players` players: its card's number less the fixed amount `number_less`."""

    number_less: int
    players: int


@dataclass(frozen=True, slots=True)
class Example:
    """The row printed in the draft: a key mark for each card, and the resulting mode."""

    row: tuple[bool, ...]
    mode: str


def facts_of(game: Game) -> tuple[Facts, Switches]:
    """Return the numbers and readings of a game's data. Raise ProblemsFound with all missing or wrong values."""
    reader = FactReader(game)
    facts = reader.read_facts(
        Facts,
        numbers=reader.read_wholes("numbers", fewest=1),
        removed=reader.read_player_rows(Removal, "removed"),
        counters=find_kind(game, COUNTERS).count,
        draw=reader.read_whole("draw", least=1),
        run=reader.read_whole("run", least=2),
    )
    switches = reader.read_switches(tuple("pass" if name == "passing" else name for name in Switches.__annotations__))
    reader.raise_problems()
    return facts, Switches(passing=switches.pop("pass"), **switches)


def limits_of(game: Game) -> Limits:
    """Return the limits stated in the data. Raise ProblemsFound as `facts_of` does."""
    reader = FactReader(game)
    limits = reader.read_facts(Limits, "limits", table=reader.read_player_rows(TableLimits, "limits", "table"))
    reader.raise_problems()
    return limits


def worth_of(game: Game) -> Worth:
    """Return the intended worth of effects from the data. Raise ProblemsFound as `facts_of` does."""
    reader = FactReader(game)
    worth = Worth(reader.read_whole("worth", "number_less"), reader.read_whole("worth", "players", least=2))
    reader.raise_problems()
    return worth


def example_of(game: Game) -> Example:
    """Return the draft's example row. Raise ProblemsFound for a row with other signs, and as `facts_of` does."""
    reader = FactReader(game)
    mode = reader.read_name("example", "mode", known=MODES)
    reader.raise_problems()
    row = game.sections["rules"]["example"].get("row", "")
    if not isinstance(row, str) or not row or set(row) - {KEY, PLAIN}:
        place = game.places.place("rules", "example", "row")
        what = f"rules.example.row must be a row of {KEY} (a key) and {PLAIN} (another card)"
        raise ProblemsFound([Problem(place, what, f"write it as {PLAIN}{KEY}{KEY}{PLAIN}")])
    return Example(tuple(sign == KEY for sign in row), mode)


def key_count_modes(game: Game) -> Mapping[int, str]:
    """Return the mode from each number of keys on (V-KEYCOUNT). Raise ProblemsFound as `facts_of` does."""
    reader = FactReader(game)
    keys = [row["keys"] for row in reader.read_rows("key_count_modes", columns=("keys",))]
    modes = [reader.read_name("key_count_modes", n, "mode", known=MODES) for n in range(len(keys))]
    reader.raise_problems()
    return dict(zip(keys, modes, strict=True))


def effects_of(game: Game) -> Mapping[str, tuple[Effect, ...]]:
    """Return the effects of every card, by the ids of their designs."""
    return {design.id: design.fields["effects"] for design in game.designs() if "effects" in design.fields}


class Deal(NamedTuple):
    """The number of cards in each place after set-up."""

    removed: int
    hands: int
    story: int
    deck: int

    @property
    def in_game(self) -> int:
        """The number of cards that are not laid aside."""
        return self.hands + self.story + self.deck


def count_deal(players: int, facts: Facts, switches: Switches) -> Deal:
    """Return the deal of the box for a number of players."""
    removal = facts.removed[players]
    removed = removal.level if switches.equal_turns == "remove_fix" else removal.cards
    story = 0 if switches.equal_turns == "no_start_card" else facts.story
    hands = players * facts.hand
    return Deal(removed, hands, story, facts.cards - removed - hands - story)


def most_turns(deck: int, facts: Facts) -> int:
    """Return the number of turns of a game that goes on until the deck is empty."""
    return -(-deck // facts.draw)


def longest_row(dealt: Deal, facts: Facts, switches: Switches) -> int:
    """Return the most cards in the story's row: one for each turn and, after each key, that of the extra play."""
    turns = most_turns(dealt.deck, facts)
    keys = turns if switches.key_end == "off" else switches.key_end
    return min(dealt.story + turns + keys * facts.extra_plays, dealt.in_game)


def rising_row(dealt: Deal, facts: Facts, switches: Switches) -> int:
    """Return how many cards of the story's row count for `most_rises`: the first extra play on a key does not."""
    turns = most_turns(dealt.deck, facts)
    keys = turns if switches.key_end == "off" else switches.key_end
    return dealt.story + turns + keys * max(facts.extra_plays - 1, 0)


def counters_in_play(players: int, rises: Iterable[int], facts: Facts) -> int:
    """Return the most sone and coherence of all players before scoring: those of the start, and the `rises`."""
    return players * facts.sone + sum(rises)


def most_keys(turns: int, facts: Facts, switches: Switches) -> int:
    """Return the most keys in a game of N turns. The last of them may follow the key that ends it."""
    plays = turns * (1 + facts.extra_plays)
    if switches.key_end == "off":
        return plays
    return min(plays, switches.key_end + _plays_after_last_key(facts, switches))


def can_occur(row: Sequence[bool], facts: Facts, switches: Switches) -> bool:
    """Return True if a game can lead to a row: the first card is no key, and few cards follow the last key."""
    keys = [place for place, key in enumerate(row) if key]
    if keys and keys[0] == 0:
        return False
    if switches.key_end == "off" or len(keys) < switches.key_end:
        return True
    last = keys[switches.key_end - 1]
    return len(row) - 1 - last <= _plays_after_last_key(facts, switches)


def _plays_after_last_key(facts: Facts, switches: Switches) -> int:
    """Return the number of plays that may follow the key that ends the game, in the same turn."""
    return facts.extra_plays if switches.extra_after_third and switches.end_check == "turn_end" else 0


# Effects


def effect_worth(effects: Iterable[Effect], players: int) -> int:
    """Return an effect's worth to a holder with plenty of counters: coherence won, sone lost; counters to all are 0."""
    return sum(_operation_worth(effect.op, effect.values, players) for effect in effects)


def _operation_worth(op: str, values: Mapping[str, Any], players: int) -> int:
    sign = -1 if values.get("side") == "sone" else 1
    signs = {
        "gain": sign,
        "drop": -sign,
        "turn": 2,
        "turn_back": -2,
        "give": 1,
        "take_one": -1,
        "take_each": 1 - players,
    }
    return signs.get(op, 0) * (values.get("n") or 0)


def counters_added(effects: Iterable[Effect], players: int) -> int:
    """Return the most counters that a card can bring into play."""
    each = {"gain": 1, "all_gain": players}
    return sum(each.get(effect.op, 0) * effect.values.get("n", 0) for effect in effects)


# Counters


def most_rises(numbers: Mapping[int, int], jokers: int, length: int, *, fresh: bool = True) -> int:
    """Return the most counters that larger numbers can bring in a story of `length` cards or fewer.

    `length` includes the first card. `numbers` is the number of bookmarks with each number. `fresh` jokers (E11) are
    declared again for each neighbour; otherwise a joker keeps its number.

    The maximum is the sum of all n - l, where n is played to the right of a smaller l. Extra plays can be ignored: a
    second play on a key brings no more than the same card played without that key. If the key is a joker, it could have
    replaced the card that it equals. So a story is a row with one card per turn, and because players may play the card
    just drawn, every row is possible.

    Cut a row wherever it does not rise. Each piece brings its last number less its first, so the row brings the sum of
    its tops less the sum of its bottoms; and any tops and bottoms, lined up in any pairs, bring at least that much. A
    fresh joker does more: between two pieces it is a top with the largest number and a bottom with the smallest, with a
    single card.
    """
    low, high = min(numbers), max(numbers)
    filled = tops_less_bottoms(numbers.items(), length)
    best = 0
    for pieces in range(length + 1):
        for double in range(min(jokers, max(pieces - 1, 0)) + 1 if fresh else 1):
            if 2 * pieces - double > length:
                continue
            for tops, bottoms in product(range(jokers - double + 1), repeat=2):
                sides = (pieces - double - tops, pieces - double - bottoms)
                if double + tops + bottoms <= jokers and sides in filled:
                    wild = (double + tops) * high - (double + bottoms) * low
                    best = max(best, wild + filled[sides])
    return best


def tops_less_bottoms(cards: Iterable[tuple[int, int]], most: int) -> Mapping[tuple[int, int], int]:
    """Return the largest sum of tops less the sum of bottoms for each possible (tops, bottoms).

    `cards` are (number, copies); a card is a top, a bottom or unused. At most `most` cards are used.
    """
    best = {(0, 0): 0}
    for number, copies in cards:
        ways = [(tops, bottoms) for tops, bottoms in product(range(copies + 1), repeat=2) if tops + bottoms <= copies]
        after: dict[tuple[int, int], int] = {}
        for (tops, bottoms), value in best.items():
            for more_tops, more_bottoms in ways:
                sides = (tops + more_tops, bottoms + more_bottoms)
                if sum(sides) <= most:
                    reached = value + number * (more_tops - more_bottoms)
                    after[sides] = max(after.get(sides, reached), reached)
        best = after
    return best


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
        "mode_names": [code_numbers(Mode)[mode.upper()] for _, mode in modes],
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
            if effect.op.upper() not in code_numbers(Op):
                what = f"these rules don't know what '{effect.op}' does"
                yield Problem(design.place, what, did_you_mean(effect.op, [name.lower() for name in code_numbers(Op)]))


def _number_cards(facts: Facts, designs: list[Design], players: int) -> Mapping[str, Value]:
    """Return colours, numbers, jokers, effects of cards, and the first of equal cards (`alike`), which are adjacent."""
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
    """Return the operation `op` of an effect as three numbers: its code, the side of the counters, how many."""
    return (
        code_numbers(Op)[op.upper()],
        code_numbers(Side)[(values.get("side") or "sone").upper()],
        values.get("n") or 0,
    )


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
