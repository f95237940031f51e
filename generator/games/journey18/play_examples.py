"""Situations of journey18 for the examples of its data: arranged from words, asked about in words."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from generator.errors import did_you_mean
from generator.games.engine.contract import Box
from generator.games.engine.kernel import INTERPRETED, Record
from generator.games.journey18.facts import LOCATIONS
from generator.games.journey18.play_box import numbers_of
from generator.games.journey18.play_codes import CARD, END, EVENTS, SOLVE, START, WON
from generator.games.journey18.play_grid import discard, pawn_days, solvable, take_into_hand
from generator.games.journey18.play_turn import lay_out, run_on
from generator.games.journey18.play_words import code, column, discards

PHASES = {"refill": START, "move": CARD, "event": EVENTS, "resolution": SOLVE, "end": END}
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
    for name in given:
        _known(name, GIVEN)
    f = INTERPRETED.record(box.numbers)
    lay_out(s, f)
    _place_locations(s, box, given.get("locations", {}))
    s.white = _day(box, given.get("white", 1))
    s.black[0], s.black[1] = sorted(_day(box, day) for day in _two(given.get("black", (1, 1))))
    _deal(s, box, given)
    _place_letters(s, box, given)
    s.turn, s.loops = _count(given, "turn", 1), _count(given, "loops", 0)
    s.step = PHASES[_known(given.get("phase", "move"), PHASES)]
    s.may_solve = 1
    if s.step == EVENTS:
        s.ntodo = s.ncolumn[s.white]
        for row, card in enumerate(column(s, box, s.white)):
            s.todo[row] = card
    if given.get("won"):
        s.result, s.over = WON, 1
    run_on(s, f)


def _place_locations(s: Record, box: Box, given: Mapping[Any, str]) -> None:
    """Named ones on their days, the others on the free days, the last one at the end."""
    names = [card.split("/")[1].split("#")[0] for card in box.cards if card.startswith(f"{LOCATIONS}/")]
    final = names[numbers_of(box)["final"]]
    named = {_day(box, day): _known(name, names) for day, name in given.items()}
    if final in named.values() or numbers_of(box)["last"] in named or len(set(named.values())) < len(named):
        raise ValueError(f"{final} lies on the last day, and each other location on one of the days before")
    free = [name for name in names if name not in named.values() and name != final]
    for day in range(numbers_of(box)["last"]):
        s.place[day] = names.index(named[day] if day in named else free.pop(0))
    s.place[numbers_of(box)["last"]] = numbers_of(box)["final"]


def _deal(s: Record, box: Box, given: Mapping[str, Any]) -> None:
    """Puts each named event where it is named; the deck is given from the top."""
    cards = {code(box, card): card for card in range(numbers_of(box)["events"])}
    used: list[int] = []

    def named(texts: Sequence[str]) -> list[int]:
        found = [cards[_known(text, cards)] for text in texts]
        twice = [code(box, card) for card in found if (used + found).count(card) > 1]
        if twice:
            raise ValueError(f"{twice[0]} is there twice")
        used.extend(found)
        return found

    for day, texts in given.get("columns", {}).items():
        _fill_column(s, box, _day(box, day), named(texts))
    hand = named(given.get("hand", ()))
    if len(hand) > len(s.hand):
        raise ValueError(f"a hand has {len(s.hand)} events at most")
    for card in hand:
        take_into_hand(s, card)
    for card in named(given.get("discard", ())):
        discard(s, card)
    deck = named(given["deck"]) if "deck" in given else [card for card in cards.values() if card not in used]
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
    solved = suits if solved == "all" else tuple(dict.fromkeys(_known(suit, suits) for suit in solved))
    s.solved = sum(1 << suits.index(suit) for suit in solved)
    s.on_stories = numbers_of(box)["letters"] - len(solved)
    s.letters = _count(given, "letters", len(solved))
    s.spent = len(solved) - s.letters
    if s.spent < 0:
        raise ValueError(f"{s.letters} letters in hand, but {len(solved)} stories solved")


def _known(name: Any, known: Any) -> Any:
    if name not in known:
        raise ValueError(f"unknown '{name}'; {did_you_mean(str(name), known)}")
    return name


def _day(box: Box, day: Any) -> int:
    """A day from 0."""
    if not str(day).isdigit() or not 1 <= int(day) <= numbers_of(box)["days"]:
        raise ValueError(f"there is no day {day}")
    return int(day) - 1


def _two(days: Any) -> Any:
    if not isinstance(days, (list, tuple)) or len(days) != 2:
        raise ValueError(f"black is {days}, but two black pawns stand somewhere; write [1, 1]")
    return days


def _count(given: Mapping[str, Any], name: str, usual: int) -> int:
    value = given.get(name, usual)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ValueError(f"{name} is {value}; it must be a whole number, 0 or more")
    return value


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
