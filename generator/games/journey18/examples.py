"""Situations of journey18 for the examples of its data: arranged from words, asked about in words."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from generator.errors import did_you_mean
from generator.games.engine.contract import Box
from generator.games.engine.kernel import INTERPRETED, Record
from generator.games.engine.situations import Pool, one_of, only, whole
from generator.games.journey18.box import numbers_of
from generator.games.journey18.facts import LOCATIONS
from generator.games.journey18.moves import Result, Step
from generator.games.journey18.pieces import discard, pawn_days, solvable, take_into_hand
from generator.games.journey18.turns import lay_out, run_on
from generator.games.journey18.words import code, column, discards

PHASES = {"refill": Step.START, "move": Step.CARD, "event": Step.EVENTS, "resolution": Step.SOLVE, "end": Step.END}
"""The phase in which a situation begins, by the names in `words.phases`; a move phase begins with choosing a card."""

GIVEN = (
    *("phase", "white", "black", "hand", "deck", "discard", "columns", "locations"),
    *("solved", "letters", "turn", "loops", "won"),
)


def arrange(s: Record, box: Box, given: Mapping[str, Any]) -> None:
    """Lays out what is given.

    Pawns stand on day 1, locations lie in the order of the data, the deck has all other events in the order of the
    data, hand, discards and columns are empty, nothing is solved, unless the example says otherwise.
    """
    only(given, GIVEN)
    f = INTERPRETED.record(box.numbers)
    lay_out(s, f)
    _place_locations(s, box, given.get("locations", {}))
    s.white = _day(box, given.get("white", 1))
    s.black[0], s.black[1] = sorted(_day(box, day) for day in _two(given.get("black", (1, 1))))
    _deal(s, box, given)
    _place_letters(s, box, given)
    s.turn, s.loops = whole(given.get("turn", 1), "turn", 0), whole(given.get("loops", 0), "loops", 0)
    s.step = PHASES[one_of(given.get("phase", "move"), PHASES, "phase")]
    s.may_solve = 1
    if s.step == Step.EVENTS:
        s.ntodo = s.ncolumn[s.white]
        for row, card in enumerate(column(s, box, s.white)):
            s.todo[row] = card
    if given.get("won"):
        s.result, s.over = Result.WON, 1
    run_on(s, f)


def _place_locations(s: Record, box: Box, given: Mapping[Any, str]) -> None:
    """Named ones on their days, the others on the free days, the last one at the end."""
    names = [card.split("/")[1].split("#")[0] for card in box.cards if card.startswith(f"{LOCATIONS}/")]
    final = names[numbers_of(box)["final"]]
    named = {_day(box, day): one_of(name, names, "location") for day, name in given.items()}
    if final in named.values() or numbers_of(box)["last"] in named or len(set(named.values())) < len(named):
        raise ValueError(f"{final} lies on the last day, and each other location on one of the days before")
    free = [name for name in names if name not in named.values() and name != final]
    for day in range(numbers_of(box)["last"]):
        s.place[day] = names.index(named[day] if day in named else free.pop(0))
    s.place[numbers_of(box)["last"]] = numbers_of(box)["final"]


def _deal(s: Record, box: Box, given: Mapping[str, Any]) -> None:
    """Puts each named event where it is named; the deck is given from the top."""
    pool = Pool({code(box, card): [card] for card in range(box.number("events"))})
    for day, names in given.get("columns", {}).items():
        _fill_column(s, box, _day(box, day), pool.take(names, f"column {day}"))
    hand = pool.take(given.get("hand", ()), "hand")
    if len(hand) > len(s.hand):
        raise ValueError(f"a hand has {len(s.hand)} events at most")
    for card in hand:
        take_into_hand(s, card)
    for card in pool.take(given.get("discard", ()), "discard"):
        discard(s, card)
    deck = pool.take(given["deck"], "deck") if "deck" in given else pool.free
    for at, card in enumerate(reversed(deck)):
        s.deck[at] = card
    s.ndeck = len(deck)


def _fill_column(s: Record, box: Box, day: int, cards: Sequence[int]) -> None:
    room = numbers_of(box)["room"][s.place[day]]
    if len(cards) > room:
        raise ValueError(f"the location of day {day + 1} has room for {room}: choose another in `locations`")
    start = day * numbers_of(box)["rows"]
    for row, card in enumerate(cards):
        s.column[start + row], s.at[card] = card, start + row
    s.ncolumn[day] = len(cards)


def _place_letters(s: Record, box: Box, given: Mapping[str, Any]) -> None:
    """Solved stories, and how many of their letters are still in hand: all, unless the example says otherwise."""
    suits = box.game.sections["rules"]["suits"]
    solved = given.get("solved", ())
    solved = suits if solved == "all" else tuple(dict.fromkeys(one_of(suit, suits, "story") for suit in solved))
    s.solved = sum(1 << suits.index(suit) for suit in solved)
    s.on_stories = numbers_of(box)["letters"] - len(solved)
    s.letters = whole(given.get("letters", len(solved)), "letters", 0)
    s.spent = len(solved) - s.letters
    if s.spent < 0:
        raise ValueError(f"{s.letters} letters in hand, but {len(solved)} stories solved")


def _day(box: Box, day: Any) -> int:
    """A day from 0."""
    return whole(day, "a day", 1, box.number("days")) - 1


def _two(days: Any) -> Any:
    if not isinstance(days, (list, tuple)) or len(days) != 2:
        raise ValueError(f"black is {days}, but two black pawns stand somewhere; write [1, 1]")
    return days


def ask(s: Record, box: Box, question: str, words: tuple[str, ...]) -> Any:
    """Answers one of `QUESTIONS`, or of `DAILY`, which ask for a day."""
    if question in DAILY:
        try:
            day = _day(box, words[0])
        except (IndexError, ValueError) as error:
            raise LookupError(f"name a day, as in `{question} 3`") from error
        return DAILY[question](s, box, day)
    if question not in QUESTIONS:
        raise LookupError(f"unknown question '{question}'; {did_you_mean(question, [*QUESTIONS, *DAILY])}")
    return QUESTIONS[question](s, box)


def _codes(box: Box, cards: Sequence[int]) -> list[str]:
    return [code(box, card) for card in cards]


def _suits(box: Box, bits: int) -> list[str]:
    return [suit for at, suit in enumerate(box.game.sections["rules"]["suits"]) if bits >> at & 1]


def _facts(box: Box) -> Record:
    return INTERPRETED.record(box.numbers)


QUESTIONS: Mapping[str, Callable[[Record, Box], Any]] = {
    "white": lambda s, _box: int(s.white) + 1,
    "black": lambda s, _box: [int(day) + 1 for day in s.black],
    "deck": lambda s, box: _codes(box, s.deck[: s.ndeck][::-1]),
    "seen": lambda s, box: _codes(box, s.deck[s.ndeck - s.known_top : s.ndeck][::-1]),
    "hand": lambda s, box: _codes(box, s.hand[: s.nhand]),
    "discard": lambda s, box: _codes(box, discards(s, box)),
    "letters": lambda s, _box: int(s.letters),
    "solved": lambda s, box: _suits(box, int(s.solved)),
    "solvable": lambda s, box: _suits(box, solvable(s, _facts(box))),
    "applied": lambda s, box: _suits(box, int(s.fired)),
    "loops": lambda s, _box: int(s.loops),
    "turn": lambda s, _box: int(s.turn),
    "residue": lambda s, box: pawn_days(s, _facts(box)),
}
"""What examples may ask. `deck` and `seen` begin at the top; `seen` is what the player knows there.

`solvable` and `applied` are suits: stories that could be solved as the pawns stand, effects used in the last event
phase; `residue` is the days of all pawns, counted from 0, added up without full weeks.
"""

DAILY: Mapping[str, Callable[[Record, Box, int], Any]] = {
    "column": lambda s, box, day: _codes(box, column(s, box, day)),
    "room": lambda s, box, day: numbers_of(box)["room"][s.place[day]],
}
"""What they may ask of a day: its events, the nearest first, and how many it has room for."""
