"""The table view: the pieces as one seat sees them, and the moves that it can choose."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from generator.base.languages import phrase
from generator.game.model import Design, FaceName, Game
from generator.play.table_text import share_observation
from generator.rules.engine.contract import ALL_SEEN, Message, Observation, VisiblePieces, Zones
from generator.rules.engine.table import Table, move_text, piece_name, zone_kind

# Nothing here reads the state except by what the seat observes, and by the game as the seat may imagine it.


@dataclass(frozen=True, slots=True)
class SeenPiece:
    """Equal pieces in a zone, with a unique `key`; `side` of `design` is shown ('' for a blank piece).

    For hidden pieces the design is one with the same back, not one of them. `turned`: face down, known to the seat.
    """

    key: str
    design: str
    side: FaceName | None
    number: int
    hidden: bool
    turned: bool
    name: str


@dataclass(frozen=True, slots=True)
class TableView:
    """What a viewer sees: the pieces of each zone in order, and the rules' observation from which they come."""

    observation: Observation
    zones: Mapping[str, tuple[SeenPiece, ...]]


def view_table(table: Table, eyes: Sequence[int], lang: str) -> TableView:
    """Return the view of one seat; for several seats, only what all of them may see."""
    seen = [table.observe(eye) for eye in eyes]
    observation = seen[0] if len(seen) == 1 else share_observation(seen)
    stand_in = _find_stand_ins(table, eyes)
    game = table.box.game
    zones = {
        zone: tuple(_iter_pieces(game, zone, there, stand_in.get(zone, ()), lang))
        for zone, there in observation.zones.items()
    }
    return TableView(observation, zones)


def _find_stand_ins(table: Table, eyes: Sequence[int]) -> Mapping[str, tuple[str, ...]]:
    """Return for each zone the designs that replace hidden pieces: they have the same backs and reveal nothing."""
    for eye in eyes:
        table = table if eye == ALL_SEEN else table.copy_as_seen(eye)
    thought = table.list_zones()
    game = table.box.game
    return {
        zone: tuple(dict.fromkeys(_find_stand_in(game, piece.split("#")[0]) for piece in pieces))
        for zone, pieces in thought.items()
    }


def _find_stand_in(game: Game, name: str) -> str:
    """Return the first design of the kind with the same back, which reveals nothing about the real piece."""
    design = game.design(name)
    return next(one.id for one in game.kinds[design.kind].designs if one.back == design.back)


def _iter_pieces(
    game: Game, zone: str, heaps: Sequence[VisiblePieces], stand_in: Sequence[str], lang: str
) -> Iterator[SeenPiece]:
    kind = zone_kind(zone)
    turned_over = kind in game.zones and game.zones[kind].back
    for at, lying in enumerate(heaps):
        if lying.piece:
            design = game.design(lying.piece.split("#")[0])
            key = lying.piece if "#" in lying.piece else f"{lying.piece}@{zone}"
            side = "back" if turned_over and design.back else game.kinds[design.kind].faces(design)[0]
            name = piece_name(game, lying.piece, lang)
            if lying.turned:
                name = phrase("play_turned", lang, piece=name)
            yield SeenPiece(key, design.id, side, lying.number, False, lying.turned, name)
            continue
        back = game.design(stand_in[0]) if stand_in else next(game.designs())
        name = phrase("play_hidden", lang, n=lying.number)
        yield SeenPiece(f"?{at}@{zone}", back.id, "back" if back.back else None, lying.number, True, False, name)


def find_owner(zone: str, players: int, zones: Mapping[str, object]) -> int:
    """Return the seat (from 1) that owns a zone outside the table plan, or 0 if it is nobody's.

    The number in the zone's name is the seat, if all zones of this kind have numbers of players.
    """
    number = re.search(r"\d+", zone)
    if players < 2 or number is None:
        return 0
    kind = zone_kind(zone)
    firsts = {int(found[0]) for one in zones if zone_kind(one) == kind and (found := re.search(r"\d+", one))}
    return int(number[0]) if firsts <= set(range(1, players + 1)) else 0


@dataclass(frozen=True, slots=True)
class TableChoice:
    """A legal move: in notation, in words, with the keys of the pieces that it moves, and the zones they can go to."""

    move: int
    short: str
    text: str
    pieces: tuple[str, ...]
    zones: tuple[str, ...]


def list_choices(table: Table, sight: TableView, lang: str) -> list[TableChoice]:
    """Return the moves that the current player can choose, in the order of the rules.

    The destinations of pieces are tried on a game as the seat may imagine it, so that they reveal nothing more.
    """
    thought = table.copy_as_seen(table.seat)
    lies = _count_pieces(thought.list_zones(), sight)
    moves = table.list_legal_moves()
    said = {move: table.rules.say(table.state, table.box, move) for move in moves}
    gone = {move: _find_removed(thought, move, lies) for move in moves}
    # What every choice sets in motion does not identify any of them.
    often = Counter(way for found in gone.values() for way in found.items())
    common = {way for way, number in often.items() if number == len(moves) > 1}
    return [_make_choice(table, sight, move, said[move], gone[move], common, lang) for move in moves]


PieceCounts = Mapping[tuple[str, str], int]
"""Number of visible pieces by (copy or design, zone)."""


def _count_pieces(zones: Zones, sight: TableView) -> PieceCounts:
    """Return how many copies of each visible piece lie in each zone, by (piece, zone)."""
    seen = {(piece.key.split("@")[0], zone) for zone, there in sight.zones.items() for piece in there}
    return {
        (piece, zone): number
        for zone, there in zones.items()
        for piece, number in there.items()
        if (piece, zone) in seen
    }


def _find_removed(thought: Table, move: int, lies: PieceCounts) -> dict[str, tuple[str, ...]]:
    """Try a move on a copy. Return the keys of pieces in `lies` that it takes away, each with the zones they go to."""
    twin = thought.clone()
    before = {zone: dict(there) for zone, there in twin.list_zones().items()}
    twin.apply(move)
    after = twin.list_zones()
    found: dict[str, tuple[str, ...]] = {}
    for (piece, zone), number in lies.items():
        if after.get(zone, {}).get(piece, 0) >= number:
            continue
        come = [other for other, there in after.items() if there.get(piece, 0) > before.get(other, {}).get(piece, 0)]
        key = piece if "#" in piece else f"{piece}@{zone}"
        found[key] = tuple(come)
    return found


def _make_choice(
    table: Table,
    sight: TableView,
    move: int,
    message: Message,
    gone: Mapping[str, tuple[str, ...]],
    common: set[tuple[str, tuple[str, ...]]],
    lang: str,
) -> TableChoice:
    values = (value if isinstance(value, tuple) else (value,) for value in message.values.values())
    named = {part.id for parts in values for part in parts if isinstance(part, Design)}
    by_design: dict[str, list[str]] = {}
    for there in sight.zones.values():
        for piece in there:
            if not piece.hidden:
                by_design.setdefault(piece.design, []).append(piece.key)
    meant = [key for design in named for key in by_design.get(design, ())]
    moved = [key for key in meant if key in gone]
    own = [way[0] for way in gone.items() if way not in common]
    begin = [*moved, *_find_alike(sight, moved)] if moved else meant or own
    leads = dict.fromkeys(zone for key in begin for zone in gone.get(key, ()))
    text = move_text(table.box.game, message, lang)
    return TableChoice(move, table.write_move(move), text, tuple(dict.fromkeys(begin)), tuple(leads))


def _find_alike(sight: TableView, keys: list[str]) -> Iterator[str]:
    """Yield the keys of all visible copies equal to the given pieces in their zone: any of them may be taken."""
    for there in sight.zones.values():
        designs = {piece.design for piece in there if piece.key in keys}
        yield from (piece.key for piece in there if piece.design in designs and not piece.hidden)
