"""What follows from the rules of draft 8 without playing: deals, turns, rows, keys, what effects are worth."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

from generator.games.journey8.facts import Facts, Switches
from generator.model.game import Effect


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
