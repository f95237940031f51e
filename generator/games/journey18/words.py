"""journey18's states and moves as people read them: zones, notation, phrases."""

from generator.games.engine.codes import begin_of, name_of
from generator.games.engine.contract import Box, Said, Zones
from generator.games.engine.kernel import Record
from generator.games.journey18.box import numbers_of
from generator.games.journey18.facts import ITEMS, LETTERS, LOCATIONS, PAWNS, STORIES
from generator.games.journey18.moves import NONE, Move, Step
from generator.games.journey18.pieces import earlier_of, first_swapped, later_of, second_swapped
from generator.model.game import Design

PASSES = {
    Step.START: "go_on_draw",
    Step.LOOP: "go_on_loop",
    Step.EFFECT: "decline",
    Step.SOLVE: "end_turn",
    Step.END: "end_turn",
}
"""What passing is called at each step."""

WITH_CARD = {
    Move.PLAY: "play",
    Move.TOP: "to_top",
    Move.BOTTOM: "to_bottom",
    Move.COPY: "copy",
    Move.RECALL: "recall",
}
"""Kinds of moves that name a card, and what they are called."""

WITHOUT = (Move.PASS, Move.DRAW, Move.APART)
"""Moves that name nothing."""


def zones(s: Record, box: Box) -> Zones:
    """Deck, hand, card in play, discards; each day's location with its pawns, its column; stories, letters, items."""
    game, cards = box.game, box.cards
    suits = game.sections["rules"]["suits"]
    solved = {f"{STORIES}/{suit}" for at, suit in enumerate(suits) if s.solved >> at & 1}
    taken = {f"{ITEMS}/{item}" for item in box.options.get("items", ())}
    places = [card for card in cards if card.startswith(f"{LOCATIONS}/")]
    found: dict[str, dict[str, int]] = {
        "deck": _row(box, s.deck[: s.ndeck]),
        "hand": _row(box, s.hand[: s.nhand]),
        "in play": _row(box, [s.playing] if s.playing != NONE else []),
        "discard": _row(box, discards(s, box)),
        "open stories": {c: 1 for c in cards if c.startswith(f"{STORIES}/") and _design(c) not in solved},
        "solved stories": {c: 1 for c in cards if c.startswith(f"{STORIES}/") and _design(c) in solved},
        "items": {c: 1 for c in cards if c.startswith(f"{ITEMS}/") and _design(c) in taken},
        "other items": {c: 1 for c in cards if c.startswith(f"{ITEMS}/") and _design(c) not in taken},
    }
    letter = next(design for design in box.counted if design.startswith(f"{LETTERS}/"))
    for name, number in (("on stories", s.on_stories), ("in hand", s.letters), ("spent", s.spent)):
        found[f"letters {name}"] = {letter: int(number)}
    pawns = [(int(s.white), f"{PAWNS}/white"), *((int(day), f"{PAWNS}/black") for day in s.black)]
    for day in range(numbers_of(box)["days"]):
        there = {places[s.place[day]]: 1}
        for stands, pawn in pawns:
            if stands == day:
                there[pawn] = there.get(pawn, 0) + 1
        found[f"day {day + 1}"] = there
        found[f"column {day + 1}"] = _row(box, column(s, box, day))
    return {name: {p: n for p, n in pieces.items() if n} for name, pieces in found.items() if any(pieces.values())}


def column(s: Record, box: Box, day: int) -> list[int]:
    """A day's events, the nearest first; days from 0."""
    start = day * numbers_of(box)["rows"]
    return [int(card) for card in s.column[start : start + s.ncolumn[day]]]


def discards(s: Record, box: Box) -> list[int]:
    """Discarded events in the order of the data."""
    return [card for card in range(numbers_of(box)["events"]) if s.thrown[card]]


def _row(box: Box, cards: list[int]) -> dict[str, int]:
    return {box.cards[card]: 1 for card in cards}


def _design(copy: str) -> str:
    return copy.split("#", maxsplit=1)[0]


def design_of(box: Box, card: int) -> Design:
    """The design of an event."""
    return box.game.design(_design(box.cards[card]))


def code(box: Box, card: int) -> str:
    """An event in short: `Y4`, its suit by the letter of its icon."""
    fields = design_of(box, card).fields
    icon = box.game.icons.get(fields["suit"])
    return f"{icon.letter if icon and icon.letter else fields['suit']}{fields['number']}"


def write(s: Record, box: Box, move: int) -> str:
    """`play Y4`, `black 3 5`, `memory 3 5`, `recall R1`, `swap R5 W5`, `copy R5`, `top G2`, `solve red`, `pass` ..."""
    kind = begin_of(Move, move)
    word = name_of(Move, kind)
    if kind in WITHOUT:
        return word
    if kind == Move.SWAP:
        return f"{word} {code(box, first_swapped(move))} {code(box, second_swapped(move))}"
    if kind in WITH_CARD:
        return f"{word} {code(box, move - kind)}"
    if kind == Move.SOLVE:
        return f"{word} {box.game.sections['rules']['suits'][move - kind]}"
    return f"{word} {earlier_of(move - kind) + 1} {later_of(move - kind) + 1}"


def say(s: Record, box: Box, move: int) -> Said:
    """The move by the names of cards and stories, and by days."""
    kind = begin_of(Move, move)
    name = name_of(Move, kind)
    if kind == Move.PASS:
        return Said("go_on_move" if s.step == Step.LOOP and not _loops(s, box) else PASSES[int(s.step)])
    if kind in WITHOUT:
        return Said(name)
    if kind == Move.SWAP:
        pair = {"one": first_swapped(move), "other": second_swapped(move)}
        return Said(name, {which: design_of(box, card) for which, card in pair.items()})
    if kind in WITH_CARD:
        return Said(WITH_CARD[kind], {"card": design_of(box, move - kind)})
    if kind == Move.SOLVE:
        suit = box.game.sections["rules"]["suits"][move - kind]
        return Said(name, {"story": box.game.design(f"{STORIES}/{suit}")})
    return _said_of_pawns(s, name, move - kind)


def _loops(s: Record, box: Box) -> bool:
    """Whether the card in play carries the white pawn past the last day."""
    numbers = numbers_of(box)
    return int(s.white) + int(numbers["number"][s.playing]) > int(numbers["last"])


def _said_of_pawns(s: Record, name: str, days: int) -> Said:
    """Where one black pawn goes; where both stand then, if both move."""
    before, after = [int(day) + 1 for day in s.black], [earlier_of(days) + 1, later_of(days) + 1]
    left, come = list(before), []
    for day in after:
        if day in left:
            left.remove(day)
        else:
            come.append(day)
    if len(come) == 1:
        return Said(f"{name}_one", {"old": left[0], "new": come[0]})
    return Said(f"{name}_both", {"one": after[0], "other": after[1]})
