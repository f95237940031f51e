"""journey18's states and moves as people read them: zones, notation, phrases."""

from generator.games.engine.contract import Box, Said, Zones
from generator.games.engine.kernel import Record
from generator.games.journey18.facts import LETTERS, LOCATIONS, PAWNS
from generator.games.journey18.play_box import ITEMS, STORIES, numbers_of
from generator.games.journey18.play_codes import (
    APART,
    BOTTOM,
    COPY,
    DRAW,
    EFFECT,
    END,
    LOOP,
    MEMORY,
    MOVE_BLACK,
    NONE,
    PASS,
    PLAY,
    RECALL,
    SOLVE,
    SOLVE_STORY,
    START,
    SWAP,
    TOP,
)
from generator.model.game import Design

PASSES = {START: "go_on_draw", LOOP: "go_on_loop", EFFECT: "decline", SOLVE: "end_turn", END: "end_turn"}
"""What passing is called at each step."""

WITH_CARD = {PLAY: "play", TOP: "to_top", BOTTOM: "to_bottom", COPY: "copy", RECALL: "recall"}
"""Kinds of moves that name a card, and what they are called."""

SINGLE = {PASS: "pass", DRAW: "draw", APART: "apart"}
"""Moves that name nothing."""

WRITTEN = {PLAY: "play", TOP: "top", BOTTOM: "bottom", COPY: "copy", RECALL: "recall"}


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
    kind = move // 100 * 100
    if move in SINGLE:
        return SINGLE[move]
    if move >= SWAP:
        return f"swap {code(box, (move - SWAP) // 100)} {code(box, (move - SWAP) % 100)}"
    if kind in WRITTEN:
        return f"{WRITTEN[kind]} {code(box, move - kind)}"
    if kind == SOLVE_STORY:
        return f"solve {box.game.sections['rules']['suits'][move - kind]}"
    name = "black" if kind == MOVE_BLACK else "memory"
    return f"{name} {(move - kind) // 10 + 1} {(move - kind) % 10 + 1}"


def say(s: Record, box: Box, move: int) -> Said:
    """The move by the names of cards and stories, and by days."""
    kind = move // 100 * 100
    if move == PASS:
        return Said("go_on_move" if s.step == LOOP and not _loops(s, box) else PASSES[int(s.step)])
    if move in SINGLE:
        return Said(SINGLE[move])
    if move >= SWAP:
        pair = ((move - SWAP) // 100, (move - SWAP) % 100)
        return Said("swap", {"one": design_of(box, pair[0]), "other": design_of(box, pair[1])})
    if kind in WITH_CARD:
        return Said(WITH_CARD[kind], {"card": design_of(box, move - kind)})
    if kind == SOLVE_STORY:
        suit = box.game.sections["rules"]["suits"][move - kind]
        return Said("solve", {"story": box.game.design(f"{STORIES}/{suit}")})
    return _said_of_pawns(s, "memory" if kind == MEMORY else "black", move - kind)


def _loops(s: Record, box: Box) -> bool:
    """Whether the card in play carries the white pawn past the last day."""
    numbers = numbers_of(box)
    return int(s.white) + int(numbers["number"][s.playing]) > int(numbers["last"])


def _said_of_pawns(s: Record, name: str, days: int) -> Said:
    """Where one black pawn goes; where both stand then, if both move."""
    before, after = [int(day) + 1 for day in s.black], [days // 10 + 1, days % 10 + 1]
    left, come = list(before), []
    for day in after:
        if day in left:
            left.remove(day)
        else:
            come.append(day)
    if len(come) == 1:
        return Said(f"{name}_one", {"old": left[0], "new": come[0]})
    return Said(f"{name}_both", {"one": after[0], "other": after[1]})
