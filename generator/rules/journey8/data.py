"""Data of Draft 8: facts, and what follows from them without playing."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from itertools import product
from typing import Any, Literal, NamedTuple

from generator.base.dataclass import dataclass
from generator.base.errors import Problem, ProblemsFound
from generator.game.model import Effect, Game
from generator.rules.engine.facts import FactReader, kind_of

KEY, PLAIN = "■", "□"
"""How a row of cards is written: a card that is a key, and one that is none."""

BOOKMARKS, JOKERS, COUNTERS = "bookmark", "joker", "counter"

Mode = Literal["normal", "reverse", "ignored"]
"""How hand numbers count at the end: the lower the better, the higher the better, or not at all."""

MODES: Mapping[str, Mode] = {"normal": "normal", "reverse": "reverse", "ignored": "ignored"}


@dataclass(frozen=True, slots=True)
class Removal:
    """The cards that are laid aside for a number of players: as the draft has it, and for equal turns (E3)."""

    players: int
    cards: int
    level: int


@dataclass(frozen=True, slots=True)
class Facts:
    """The numbers of the rules, by the names that they have in `rules.yaml`, and the counters in the box."""

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
        """How many cards the box holds."""
        return sum(self.colours.values()) + self.jokers


@dataclass(frozen=True, slots=True)
class Switches:
    """The reading in force for each passage that can be played in more than one way (`readings.yaml`)."""

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
    """What follows for one number of players: cards in the game and in the deck, counters at the start, longest row."""

    players: int
    in_game: int
    deck: int
    counters: int
    row: int


@dataclass(frozen=True, slots=True)
class Limits:
    """What the data say follows from the numbers; the checks compute it afresh."""

    table: Mapping[int, TableLimits]
    keys: int


@dataclass(frozen=True, slots=True)
class Worth:
    """What an effect should be worth: its card's number less so much, at a table of so many players."""

    number_less: int
    players: int


@dataclass(frozen=True, slots=True)
class Example:
    """The row that the draft prints: whether each card is a key, and the mode that it leads to."""

    row: tuple[bool, ...]
    mode: Mode


def facts_of(game: Game) -> tuple[Facts, Switches]:
    """The numbers and readings of a game's data; ProblemsFound with all that is missing or of the wrong kind."""
    reader = FactReader(game)
    removed = reader.rows("removed", columns=_columns(Removal))
    facts = Facts(
        numbers=reader.wholes("numbers", fewest=1),
        colours=reader.table("colours"),
        jokers=reader.whole("jokers"),
        removed={row["players"]: Removal(**row) for row in removed},
        hand=reader.whole("hand"),
        story=reader.whole("story"),
        sone=reader.whole("sone"),
        counters=kind_of(game, COUNTERS).count,
        draw=reader.whole("draw", least=1),
        gift=reader.whole("gift"),
        extra_plays=reader.whole("extra_plays"),
        hand_limit=reader.whole("hand_limit"),
        run=reader.whole("run", least=2),
    )
    names = tuple("pass" if name == "passing" else name for name in _columns(Switches))
    switches = reader.switches(names)
    reader.finish()
    _all_players(game, facts.removed, "removed")
    return facts, Switches(passing=switches.pop("pass"), **switches)


def limits_of(game: Game) -> Limits:
    """The limits that the data state; ProblemsFound as for `facts_of`."""
    reader = FactReader(game)
    rows = reader.rows("limits", "table", columns=_columns(TableLimits))
    limits = Limits({row["players"]: TableLimits(**row) for row in rows}, reader.whole("limits", "keys"))
    reader.finish()
    _all_players(game, limits.table, "limits", "table")
    return limits


def worth_of(game: Game) -> Worth:
    """What the data say effects should be worth; ProblemsFound as for `facts_of`."""
    reader = FactReader(game)
    worth = Worth(reader.whole("worth", "number_less"), reader.whole("worth", "players", least=2))
    reader.finish()
    return worth


def example_of(game: Game) -> Example:
    """The draft's example row; ProblemsFound for one with other signs, and as for `facts_of`."""
    reader = FactReader(game)
    mode = reader.name("example", "mode", known=MODES)
    reader.finish()
    row = game.sections["rules"]["example"].get("row", "")
    if not isinstance(row, str) or not row or set(row) - {KEY, PLAIN}:
        place = game.places.place("rules", "example", "row")
        what = f"rules.example.row must be a row of {KEY} (a key) and {PLAIN} (another card)"
        raise ProblemsFound([Problem(place, what, f"write it as {PLAIN}{KEY}{KEY}{PLAIN}")])
    return Example(tuple(sign == KEY for sign in row), MODES[mode])


def key_count_modes(game: Game) -> Mapping[int, Mode]:
    """V-KEYCOUNT: the mode from so many keys on; ProblemsFound as for `facts_of`."""
    reader = FactReader(game)
    keys = [row["keys"] for row in reader.rows("key_count_modes", columns=("keys",))]
    modes = [reader.name("key_count_modes", n, "mode", known=MODES) for n in range(len(keys))]
    reader.finish()
    return {fewest: MODES[mode] for fewest, mode in zip(keys, modes, strict=True)}


def effects_of(game: Game) -> Mapping[str, tuple[Effect, ...]]:
    """The effects of every card, by the ids of their designs."""
    return {design.id: design.fields["effects"] for design in game.designs() if "effects" in design.fields}


def _columns(row: type) -> tuple[str, ...]:
    return tuple(field.name for field in fields(row))


def _all_players(game: Game, given: Mapping[int, object], *path: str) -> None:
    """ProblemsFound unless every number of players has its row."""
    place = game.places.place("rules", *path)
    shown = ".".join(("rules", *path))
    missing = [n for n in game.players if n not in given]
    if missing:
        told = (f"{shown} has no row for {players} players" for players in missing)
        hints = (f"add `- {{players: {players}, ...}}`" for players in missing)
        raise ProblemsFound(Problem(place, what, hint) for what, hint in zip(told, hints, strict=True))


class Deal(NamedTuple):
    """Where the cards of the box are once set-up is done: so many in each place."""

    removed: int
    hands: int
    story: int
    deck: int

    @property
    def in_game(self) -> int:
        """The cards that are not laid aside."""
        return self.hands + self.story + self.deck


def deal(players: int, facts: Facts, switches: Switches) -> Deal:
    """How set-up deals the box for a number of players."""
    removal = facts.removed[players]
    removed = removal.level if switches.equal_turns == "remove_fix" else removal.cards
    story = 0 if switches.equal_turns == "no_start_card" else facts.story
    hands = players * facts.hand
    return Deal(removed, hands, story, facts.cards - removed - hands - story)


def most_turns(deck: int, facts: Facts) -> int:
    """The turns of a game that goes on until the deck is gone."""
    return -(-deck // facts.draw)


def longest_row(dealt: Deal, facts: Facts, switches: Switches) -> int:
    """The most cards that the story's row can hold: one for each turn and, after each key, the extra play's."""
    turns = most_turns(dealt.deck, facts)
    keys = turns if switches.key_end == "off" else switches.key_end
    return min(dealt.story + turns + keys * facts.extra_plays, dealt.in_game)


def rising_row(dealt: Deal, facts: Facts, switches: Switches) -> int:
    """The cards of a row that matter for how much larger numbers can bring: no first extra play, see `supply`."""
    turns = most_turns(dealt.deck, facts)
    keys = turns if switches.key_end == "off" else switches.key_end
    return dealt.story + turns + keys * max(facts.extra_plays - 1, 0)


def counters_in_play(players: int, rises: Iterable[int], facts: Facts) -> int:
    """The sone and coherence of all players before scoring: only larger numbers bring more."""
    return players * facts.sone + sum(rises)


def most_keys(turns: int, facts: Facts, switches: Switches) -> int:
    """The most keys that a game of so many turns can show; the last of them may follow the one that ends it."""
    plays = turns * (1 + facts.extra_plays)
    if switches.key_end == "off":
        return plays
    return min(plays, switches.key_end + _plays_after_last_key(facts, switches))


def can_occur(row: Sequence[bool], facts: Facts, switches: Switches) -> bool:
    """Whether a game can lead to a row: the first card is no key, and little follows the key that ends the game."""
    keys = [place for place, key in enumerate(row) if key]
    if keys and keys[0] == 0:
        return False
    if switches.key_end == "off" or len(keys) < switches.key_end:
        return True
    last = keys[switches.key_end - 1]
    return len(row) - 1 - last <= _plays_after_last_key(facts, switches)


def _plays_after_last_key(facts: Facts, switches: Switches) -> int:
    """The plays that may follow the key that ends the game, in the same turn."""
    return facts.extra_plays if switches.extra_after_third and switches.end_check == "turn_end" else 0


# Effects


def worth(effects: Iterable[Effect], players: int) -> int:
    """Coherence gained and sone lost by whoever holds the card, at a table with plenty of both.

    What all players get moves nobody ahead and is worth nothing.
    """
    return sum(_worth(effect.op, effect.values, players) for effect in effects)


def _worth(op: str, values: Mapping[str, Any], players: int) -> int:
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
    """The most counters that a card can bring into play."""
    each = {"gain": 1, "all_gain": players}
    return sum(each.get(effect.op, 0) * effect.values.get("n", 0) for effect in effects)


def keeps_number(effects: Iterable[Effect]) -> bool:
    """Whether the card's number counts towards the total, as it is not discarded."""
    return all(effect.op != "discard_this" for effect in effects)


# Counters


def most_rises(numbers: Mapping[int, int], jokers: int, length: int, *, fresh: bool = True) -> int:
    """The most counters that larger numbers can bring in a story of at most `length` cards (the first one included).

    `numbers` says how many bookmarks there are of each. `fresh` jokers (E11) are declared anew by whoever plays next
    to them; otherwise a joker keeps its number.

    What is maximised is the sum of all n - l, where n is played to the right of a smaller l. Extra plays need not be
    looked at: a second play on a key brings no more than the same card played without that key, and where the key is a
    joker, it could have taken the place of the card that it equals. So a story is a row with one card a turn, and as
    everybody may play the card just drawn, every row can come about.

    Cut a row wherever it does not rise. Each piece brings its last number less its first, so the row brings the sum of
    its tops less the sum of its bottoms; and any tops and bottoms, lined up in any pairs, bring at least that much. A
    fresh joker does more: at the end of one piece and the beginning of the next it is a top as the largest number and a
    bottom as the smallest, with a single card.
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
    """For each (tops, bottoms) that can be filled, the largest sum of tops less the sum of bottoms.

    `cards` are (number, how many of it); a card is a top, a bottom or unused. At most `most` cards are used.
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
