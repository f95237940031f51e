"""The legal moves for a page: in words, with the pieces that each begins with and the zones that it leads to."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from generator.dataclass import dataclass
from generator.games.engine.contract import Said, Zones
from generator.games.engine.phrases import move_text
from generator.games.engine.table import Table
from generator.model.game import Design
from generator.serve.table.seen import TableSight


@dataclass(frozen=True, slots=True)
class Choice:
    """A legal move: in notation and in words, the keys of pieces that it begins with, the zones that these go to."""

    move: int
    short: str
    text: str
    pieces: tuple[str, ...]
    zones: tuple[str, ...]


def choices_of(table: Table, sight: TableSight, lang: str) -> list[Choice]:
    """What whose choice it is can choose, in the order of the rules.

    Where pieces go is tried out on the game as the seat may think that it is, so that it tells nothing more.
    """
    thought = table.as_seen(table.seat)
    lies = _places(thought.zones(), sight)
    moves = table.legal()
    said = {move: table.rules.say(table.state, table.box, move) for move in moves}
    gone = {move: _gone(thought, move, lies) for move in moves}
    # What every choice sets in motion is no sign of any of them.
    often = Counter(way for found in gone.values() for way in found.items())
    common = {way for way, number in often.items() if number == len(moves) > 1}
    return [_choice(table, sight, move, said[move], gone[move], common, lang) for move in moves]


Places = Mapping[tuple[str, str], int]
"""How many of a piece lie in a zone: (copy or design, zone)."""


def _places(zones: Zones, sight: TableSight) -> Places:
    """Of what is seen."""
    seen = {(piece.key.split("@")[0], zone) for zone, there in sight.zones.items() for piece in there}
    return {
        (piece, zone): number
        for zone, there in zones.items()
        for piece, number in there.items()
        if (piece, zone) in seen
    }


def _gone(thought: Table, move: int, lies: Places) -> dict[str, tuple[str, ...]]:
    """The keys of seen pieces that the move takes away, each with the zones where such pieces have come."""
    twin = thought.clone()
    before = {zone: dict(there) for zone, there in twin.zones().items()}
    twin.apply(move)
    after = twin.zones()
    found: dict[str, tuple[str, ...]] = {}
    for (piece, zone), number in lies.items():
        if after.get(zone, {}).get(piece, 0) >= number:
            continue
        come = [other for other, there in after.items() if there.get(piece, 0) > before.get(other, {}).get(piece, 0)]
        key = piece if "#" in piece else f"{piece}@{zone}"
        found[key] = tuple(come)
    return found


def _choice(
    table: Table,
    sight: TableSight,
    move: int,
    said: Said,
    gone: Mapping[str, tuple[str, ...]],
    common: set[tuple[str, tuple[str, ...]]],
    lang: str,
) -> Choice:
    named = {one.id for one in _designs(said)}
    by_design: dict[str, list[str]] = {}
    for there in sight.zones.values():
        for piece in there:
            if not piece.hidden:
                by_design.setdefault(piece.design, []).append(piece.key)
    meant = [key for design in named for key in by_design.get(design, ())]
    moved = [key for key in meant if key in gone]
    own = [way[0] for way in gone.items() if way not in common]
    begin = [*moved, *_alike(sight, moved)] if moved else meant or own
    leads = dict.fromkeys(zone for key in begin for zone in gone.get(key, ()))
    text = move_text(table.box.game, said, lang)
    return Choice(move, table.write(move), text, tuple(dict.fromkeys(begin)), tuple(leads))


def _alike(sight: TableSight, keys: list[str]) -> Iterator[str]:
    """Copies of the same design in the same zone: which of them is taken makes no difference."""
    for there in sight.zones.values():
        designs = {piece.design for piece in there if piece.key in keys}
        yield from (piece.key for piece in there if piece.design in designs and not piece.hidden)


def _designs(said: Said) -> Iterator[Design]:
    for value in said.values.values():
        parts: tuple[Any, ...] = value if isinstance(value, tuple) else (value,)
        yield from (part for part in parts if isinstance(part, Design))
