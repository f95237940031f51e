"""The data of Draft 8: facts, and their consequences that need no play."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Literal, NamedTuple

from generator.base.errors import Problem, ProblemsFound
from generator.game.model import Effect, Game
from generator.rules.engine.facts import FactReader, find_kind, require_player_rows

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
    """The intended worth of an effect: its card's number less a fixed amount, at a table of so many players."""

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
    require_player_rows(game, facts.removed, "removed")
    return facts, Switches(passing=switches.pop("pass"), **switches)


def limits_of(game: Game) -> Limits:
    """Return the limits stated in the data. Raise ProblemsFound as `facts_of` does."""
    reader = FactReader(game)
    limits = reader.read_facts(Limits, "limits", table=reader.read_player_rows(TableLimits, "limits", "table"))
    reader.raise_problems()
    require_player_rows(game, limits.table, "limits", "table")
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
    """Return the cards of a row that can matter for larger numbers: no first extra play, see `most_rises`."""
    turns = most_turns(dealt.deck, facts)
    keys = turns if switches.key_end == "off" else switches.key_end
    return dealt.story + turns + keys * max(facts.extra_plays - 1, 0)


def counters_in_play(players: int, rises: Iterable[int], facts: Facts) -> int:
    """Return the sone and coherence of all players before scoring; only larger numbers bring more."""
    return players * facts.sone + sum(rises)


def most_keys(turns: int, facts: Facts, switches: Switches) -> int:
    """Return the most keys in a game of so many turns; the last of them may follow the one that ends it."""
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
    """Return coherence gained and sone lost by the card's holder, at a table with plenty of both.

    Counters for all players give no advantage and are worth nothing.
    """
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
