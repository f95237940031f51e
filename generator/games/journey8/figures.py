"""The arithmetic of draft 8: how the cards are dealt, what a played card does, when keys end the game, who wins."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from generator.games.journey8.facts import Facts, Mode, Switches


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


def key_runs(row: Sequence[bool], facts: Facts, switches: Switches) -> int:
    """How often a row (true for a key) has keys side by side."""
    runs = [len(list(cards)) for key, cards in groupby(row) if key]
    long = [length for length in runs if length >= facts.run]
    return len(long) if switches.run_count == "groups" else sum(length - facts.run + 1 for length in long)


def mode(row: Sequence[bool], facts: Facts, switches: Switches) -> Mode:
    """How hand numbers count after a row: each place with keys side by side changes it."""
    return "reverse" if key_runs(row, facts, switches) % 2 else "normal"


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
