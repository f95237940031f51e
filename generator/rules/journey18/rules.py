"""The rules of journey18 as played, with words, views and examples."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from generator.rules.engine.contract import Box, Message, Observation, Questions, Supply, Zones, answer_question
from generator.rules.engine.facts import (
    CardPool,
    find_code_name,
    find_known_name,
    find_range_start,
    read_number,
    require_known_names,
)
from generator.rules.engine.kernel import Record, kernel, shuffle, sort
from generator.rules.engine.table import visible_zones
from generator.rules.journey18.data import ITEMS, LETTERS, LOCATIONS, PAWNS, STORIES, UNPLAYABLE, make_box
from generator.rules.journey18.score import demand, fill_key, find_broken_law, is_hopeless, rank_seats, score, value
from generator.rules.journey18.state import (
    LAWS,
    MOST_CARDS,
    MOST_DAYS,
    NONE,
    Move,
    Phase,
    Result,
    discard_card,
    find_solvable,
    pawn_days,
)
from generator.rules.journey18.turns import STORY, lay_out, most_moves

PASSES = {Phase.REFILL: "go_on_draw", Phase.LOOP: "go_on_loop", Phase.SOLVE: "end_turn", Phase.END: "end_turn"}
"""The names of passing in each phase; in others it declines an effect."""

WITH_CARD = {Move.PLAY: "play", Move.TOP: "to_top", Move.BOTTOM: "to_bottom", Move.COPY: "copy", Move.RECALL: "recall"}
"""The names of the kinds of moves that name a card."""

WITHOUT = (Move.PASS, Move.DRAW, Move.APART)
"""Moves without an argument."""


def zones(s: Record, box: Box) -> Zones:
    """Return deck, hand, card in play, discards; each day's location, pawns and column; stories, letters, items."""
    game, cards = box.game, box.cards
    suits = game.sections["rules"]["suits"]
    solved = {f"{STORIES}/{suit}" for at, suit in enumerate(suits) if s.solved >> at & 1}
    taken = {f"{ITEMS}/{item}" for item in box.options.get("items", ())}
    places = [card for card in cards if card.startswith(f"{LOCATIONS}/")]
    found: dict[str, dict[str, int]] = {
        "deck": _list_copies(box, s.deck[: s.ndeck]),
        "hand": _list_copies(box, s.hand[: s.nhand]),
        "in play": _list_copies(box, [s.playing] if s.playing != NONE else []),
        "discard": _list_copies(box, list_discards(s, box)),
        "open stories": {c: 1 for c in cards if c.startswith(f"{STORIES}/") and c.partition("#")[0] not in solved},
        "solved stories": {c: 1 for c in cards if c.startswith(f"{STORIES}/") and c.partition("#")[0] in solved},
        "items": {c: 1 for c in cards if c.startswith(f"{ITEMS}/") and c.partition("#")[0] in taken},
        "other items": {c: 1 for c in cards if c.startswith(f"{ITEMS}/") and c.partition("#")[0] not in taken},
    }
    letter = next(design for design in box.counted if design.startswith(f"{LETTERS}/"))
    for name, number in (("on stories", s.on_stories), ("in hand", s.letters), ("spent", s.spent)):
        found[f"letters {name}"] = {letter: int(number)}
    pawns = [(int(s.white), f"{PAWNS}/white"), *((int(day), f"{PAWNS}/black") for day in s.black)]
    for day in range(box.get_number("days")):
        there = {places[s.place[day]]: 1}
        for stands, pawn in pawns:
            if stands == day:
                there[pawn] = there.get(pawn, 0) + 1
        found[f"day {day + 1}"] = there
        found[f"column {day + 1}"] = _list_copies(box, list_column(s, box, day))
    return {name: {p: n for p, n in pieces.items() if n} for name, pieces in found.items() if any(pieces.values())}


def list_column(s: Record, box: Box, day: int) -> list[int]:
    """Return a day's events, the nearest first; days count from 0."""
    start = day * box.get_number("rows")
    return [int(card) for card in s.column[start : start + s.ncolumn[day]]]


def list_discards(s: Record, box: Box) -> list[int]:
    """Return discarded events in the order of the data."""
    return [card for card in range(box.get_number("events")) if s.thrown[card]]


def _list_copies(box: Box, cards: list[int]) -> dict[str, int]:
    return {box.cards[card]: 1 for card in cards}


def card_code(box: Box, card: int) -> str:
    """Return the short name of an event: `Y4`, its suit as the letter of its icon."""
    fields = box.find_design(card).fields
    icon = box.game.icons.get(fields["suit"])
    return f"{icon.letter if icon and icon.letter else fields['suit']}{fields['number']}"


def write(s: Record, box: Box, move: int) -> str:
    """Return the notation: `play Y4`, `black 3 5`, `memory 3 5`, `recall R1`, `swap R5 W5`, `copy R5`, `pass` ..."""
    kind = find_range_start(Move, move)
    word = find_code_name(Move, kind)
    if kind in WITHOUT:
        return word
    if kind == Move.SWAP:
        return " ".join([word, *(card_code(box, card) for card in divmod(move - kind, MOST_CARDS))])
    if kind in WITH_CARD:
        return f"{word} {card_code(box, move - kind)}"
    if kind == Move.SOLVE:
        return f"{word} {box.game.sections['rules']['suits'][move - kind]}"
    return " ".join([word, *(str(day + 1) for day in divmod(move - kind, MOST_DAYS))])


def say(s: Record, box: Box, move: int) -> Message:
    """Return the move with the names of cards and stories, and with days."""
    kind = find_range_start(Move, move)
    name = find_code_name(Move, kind)
    if kind == Move.PASS:
        loops = int(s.white) + box.get_row("number")[s.playing] > box.get_number("last")
        return Message("go_on_move" if s.phase == Phase.LOOP and not loops else PASSES.get(int(s.phase), "decline"))
    if kind in WITHOUT:
        return Message(name)
    if kind == Move.SWAP:
        one, other = (box.find_design(card) for card in divmod(move - kind, MOST_CARDS))
        return Message(name, {"one": one, "other": other})
    if kind in WITH_CARD:
        return Message(WITH_CARD[kind], {"card": box.find_design(move - kind)})
    if kind == Move.SOLVE:
        suit = box.game.sections["rules"]["suits"][move - kind]
        return Message(name, {"story": box.game.design(f"{STORIES}/{suit}")})
    return _describe_pawns(s, name, move - kind)


def _describe_pawns(s: Record, name: str, days: int) -> Message:
    """Return the phrase `name` of black pawns: where one goes, or both stand; `days` is a number of `pair_days`."""
    before, after = [int(day) + 1 for day in s.black], [day + 1 for day in divmod(days, MOST_DAYS)]
    left, come = list(before), []
    for day in after:
        if day in left:
            left.remove(day)
        else:
            come.append(day)
    if len(come) == 1:
        return Message(f"{name}_one", {"old": left[0], "new": come[0]})
    return Message(f"{name}_both", {"one": after[0], "other": after[1]})


@kernel
def blind(s: Record, f: Record, seat: int) -> None:
    """Shuffle the deck except the cards at both ends that the player has seen there."""
    start = s.known_bottom
    end = s.ndeck - s.known_top
    if end - start > 1:
        sort(s.deck, start, end)
        shuffle(s.rng, s.deck, start, end)


_PHASES = {
    Phase.REFILL: "at_start",
    Phase.CARD: "at_card",
    Phase.LOOP: "at_loop",
    Phase.BLACK: "at_black",
    Phase.SOLVE: "at_solve",
    Phase.END: "at_end",
}


def observe(s: Record, box: Box, seat: int) -> Observation:
    """Return everything except the deck, whose ends may be known."""
    known = {int(card) for card in (*s.deck[: s.known_bottom], *s.deck[max(0, s.ndeck - s.known_top) : s.ndeck])}
    laid = visible_zones(zones(s, box), seat, closed=("deck",), known={box.cards[card] for card in known})
    room = box.get_row("room")
    there = tuple(f"{day + 1}: {s.ncolumn[day]}/{room[s.place[day]]}" for day in range(box.get_number("days")))
    return Observation(laid, tuple(_describe_status(s, box)), {"columns": Message("columns", {"days": there})})


def _describe_status(s: Record, box: Box) -> Iterator[Message]:
    if s.over:
        return
    values = {
        "turn": int(s.turn),
        "loops": int(s.loops),
        "white": s.white + 1,
        "black": tuple(int(day) + 1 for day in s.black),
        "letters": int(s.letters),
    }
    yield Message("standing", values)
    if s.phase in _PHASES:
        yield Message(_PHASES[int(s.phase)], {"rest": int(s.rest)})
    else:
        yield Message("at_effect", {"card": box.find_design(int(s.source)), "left": int(s.left)})


def follow(before: Record | None, after: Record, _box: Box, _seat: int) -> Iterator[Message]:
    """Report loops, and how the trip ended."""
    if before is not None and after.loops > before.loops:
        yield Message("looped", {"loops": int(after.loops)})
    if before is not None and after.over:
        yield Message("arrived" if after.result == Result.WON else "no_card_left")


PHASES = {"refill": 1, "move": 2, "event": 4, "resolution": 5, "end": 6}
"""The phase in which a situation begins, by the names in `words.phases`."""

GIVEN = (
    *("phase", "white", "black", "hand", "deck", "discard", "columns", "locations"),
    *("solved", "letters", "turn", "loops", "won"),
)


def arrange(s: Record, box: Box, given: Mapping[str, Any]) -> None:
    """Arrange the given situation.

    By default, pawns stand on day 1, locations lie in the order of the data, the deck has all other events in the order
    of the data; hand, discards and columns are empty, and no story is solved.
    """
    require_known_names(given, GIVEN)
    f = box.make_facts()
    lay_out(s, f)
    _place_locations(s, box, given.get("locations", {}))
    s.white = _read_day(box, given.get("white", 1))
    days = given.get("black", (1, 1))
    if not isinstance(days, (list, tuple)) or len(days) != 2:
        raise ValueError(f"black is {days}, but two black pawns stand somewhere; write [1, 1]")
    s.black[0], s.black[1] = sorted(_read_day(box, day) for day in days)
    _deal_given(s, box, given)
    _place_letters(s, box, given)
    s.turn, s.loops = read_number(given.get("turn", 1), "turn", 0), read_number(given.get("loops", 0), "loops", 0)
    phase = PHASES[find_known_name(given.get("phase", "move"), PHASES, "phase")]
    if phase == PHASES["event"]:
        s.ntodo = s.ncolumn[s.white]
        for row, card in enumerate(list_column(s, box, s.white)):
            s.todo[row] = card
    if given.get("won"):
        s.result, s.over = Result.WON, 1
    else:
        STORY.begin_at(s, f, phase)


def _place_locations(s: Record, box: Box, given: Mapping[Any, str]) -> None:
    """Put named locations on their days, the others on the free days, the last one at the end."""
    names = [box.name_card(at) for at, card in enumerate(box.cards) if card.startswith(f"{LOCATIONS}/")]
    final = names[box.get_number("final")]
    named = {_read_day(box, day): find_known_name(name, names, "location") for day, name in given.items()}
    if final in named.values() or box.get_number("last") in named or len(set(named.values())) < len(named):
        raise ValueError(f"{final} lies on the last day, and each other location on one of the days before")
    free = [name for name in names if name not in named.values() and name != final]
    for day in range(box.get_number("last")):
        s.place[day] = names.index(named[day] if day in named else free.pop(0))
    s.place[box.get_number("last")] = box.get_number("final")


def _deal_given(s: Record, box: Box, given: Mapping[str, Any]) -> None:
    """Put each named event into its place; the deck is given from the top."""
    pool = CardPool({card_code(box, card): [card] for card in range(box.get_number("events"))})
    for name, events in given.get("columns", {}).items():
        day, cards = _read_day(box, name), pool.take(events, f"column {name}")
        room, start = box.get_row("room")[s.place[day]], day * box.get_number("rows")
        if len(cards) > room:
            raise ValueError(f"the location of day {day + 1} has room for {room}: choose another in `locations`")
        for at, card in enumerate(cards, start):
            s.column[at], s.at[card] = card, at
        s.ncolumn[day] = len(cards)
    hand = pool.take(given.get("hand", ()), "hand")
    if len(hand) > len(s.hand):
        raise ValueError(f"a hand has {len(s.hand)} events at most")
    s.hand[: len(hand)], s.nhand = sorted(hand), len(hand)
    for card in pool.take(given.get("discard", ()), "discard"):
        discard_card(s, card)
    deck = pool.take(given["deck"], "deck") if "deck" in given else pool.free
    for at, card in enumerate(reversed(deck)):
        s.deck[at] = card
    s.ndeck = len(deck)


def _place_letters(s: Record, box: Box, given: Mapping[str, Any]) -> None:
    """Mark solved stories, and put the given number of their letters into the hand, by default all."""
    suits = box.game.sections["rules"]["suits"]
    solved = given.get("solved", ())
    solved = (
        suits if solved == "all" else tuple(dict.fromkeys(find_known_name(suit, suits, "story") for suit in solved))
    )
    s.solved = sum(1 << suits.index(suit) for suit in solved)
    s.on_stories = box.get_number("letters") - len(solved)
    s.letters = read_number(given.get("letters", len(solved)), "letters", 0)
    s.spent = len(solved) - s.letters
    if s.spent < 0:
        raise ValueError(f"{s.letters} letters in hand, but {len(solved)} stories solved")


def _read_day(box: Box, day: Any) -> int:
    """Return a user's day (from 1) counted from 0. Raise ValueError if the week has no such day."""
    return read_number(day, "a day", 1, box.get_number("days")) - 1


def _list_codes(box: Box, cards: Sequence[int]) -> list[str]:
    return [card_code(box, card) for card in cards]


def _list_suits(box: Box, bits: int) -> list[str]:
    return [suit for at, suit in enumerate(box.game.sections["rules"]["suits"]) if bits >> at & 1]


QUESTIONS: Questions = {
    "white": lambda s, _box: int(s.white) + 1,
    "black": lambda s, _box: [int(day) + 1 for day in s.black],
    "deck": lambda s, box: _list_codes(box, s.deck[: s.ndeck][::-1]),
    "seen": lambda s, box: _list_codes(box, s.deck[s.ndeck - s.known_top : s.ndeck][::-1]),
    "hand": lambda s, box: _list_codes(box, s.hand[: s.nhand]),
    "discard": lambda s, box: _list_codes(box, list_discards(s, box)),
    "letters": lambda s, _box: int(s.letters),
    "solved": lambda s, box: _list_suits(box, int(s.solved)),
    "solvable": lambda s, box: _list_suits(box, find_solvable(s, box.make_facts())),
    "applied": lambda s, box: _list_suits(box, int(s.fired)),
    "loops": lambda s, _box: int(s.loops),
    "turn": lambda s, _box: int(s.turn),
    "residue": lambda s, box: pawn_days(s, box.make_facts()),
    "column": lambda s, box, day: _list_codes(box, list_column(s, box, _read_day(box, day))),
    "room": lambda s, box, day: box.get_row("room")[s.place[_read_day(box, day)]],
}
"""What examples may ask. `deck` and `seen` begin at the top; `seen` is what the player knows there.

`solvable` and `applied` are suits: stories that could be solved as the pawns stand, effects used in the last event
phase; `residue` is the days of all pawns, counted from 0, added up without full weeks. A day's `column` begins with the
nearest event; `room` is for its events.
"""


RULES = STORY.make_rules(
    box=make_box,
    roomy=True,
    score=score,
    place=rank_seats,
    value=value,
    blind=blind,
    demand=demand,
    most=most_moves,
    zones=zones,
    write=write,
    say=say,
    arrange=arrange,
    ask=partial(answer_question, QUESTIONS),
    broken=find_broken_law,
    key=fill_key,
    hopeless=is_hopeless,
    observe=observe,
    follow=follow,
    laws=LAWS,
    supplies=(Supply("deck", "event", "E13b"), Supply("letters", "letter")),
    unplayable=UNPLAYABLE,
)
