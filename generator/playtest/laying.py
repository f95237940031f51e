"""What lies where on a table by the game's plan: each place with its pieces, for pictures and for checks."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from fnmatch import fnmatchcase

from generator.dataclass import dataclass
from generator.games.engine.contract import Zones
from generator.model.game import Design, Game
from generator.model.tabletop import TablePlace, TablePlan, arranged

SEAT, PLAYERS = "{seat}", "{players}"
"""In names of zones and examples: the number of a player, and of players."""

_PLACE = re.compile(r"\{([\w-]+)\}")
_DIGITS = re.compile(r"(\d+)")


@dataclass(frozen=True, slots=True)
class LaidCell:
    """What lies together at a place: the designs with their numbers in order; of a `zone`, empty for no zone's.

    `rest` is what the `*` of its name in the plan stands for.
    """

    zone: str
    pieces: tuple[tuple[str, int], ...]
    rest: str = ""

    @property
    def number(self) -> int:
        """How many pieces lie there."""
        return sum(number for _, number in self.pieces)


@dataclass(frozen=True, slots=True)
class LaidPlace:
    """A place with what lies there; `seat` is the number of the player whose it is, 0 for everybody's."""

    place: TablePlace
    seat: int
    cells: tuple[LaidCell, ...]

    @property
    def key(self) -> str:
        """Its name: that of the plan, with the number of the player whose it is."""
        return f"{self.place.id} {self.seat}" if self.seat else self.place.id

    @property
    def number(self) -> int:
        """How many pieces lie there."""
        return sum(cell.number for cell in self.cells)

    @property
    def zones(self) -> tuple[str, ...]:
        """The zones of the rules whose pieces lie there."""
        return tuple(cell.zone for cell in self.cells if cell.zone)

    def face_down(self, eyes: int = 1) -> bool:
        """Whether its pieces lie face down for a player."""
        face = self.place.face
        return face == "down" or (face == "own" and self.seat != eyes)


def laid_places(game: Game, plan: TablePlan, zones: Zones, players: int) -> tuple[LaidPlace, ...]:
    """Every place that so many players have, in the order of the plan; those of each player one after another."""
    own = set(arranged(plan.seat))
    less = {place.out_of: dict(taken_pieces(game, place.pieces)) for place in plan.places.values() if place.out_of}
    found = []
    for place in plan.places.values():
        if place.players and players not in place.players:
            continue
        each = bool({place.id, place.on} & own) or any(SEAT in zone for zone in place.zone)
        for seat in range(1, players + 1) if each else (0,):
            if place.seats and seat not in place.seats:
                continue
            cells = _cells(game, place, zones, seat)
            found.append(LaidPlace(place, seat, tuple(_fewer(cells, less.get(place.id, {})))))
    return tuple(found)


def _fewer(cells: Iterable[LaidCell], less: Mapping[str, int]) -> Iterator[LaidCell]:
    """The cells without what lies elsewhere."""
    for cell in cells:
        pieces = [(name, number - less.get(name, 0)) for name, number in cell.pieces]
        yield replace(cell, pieces=tuple((name, number) for name, number in pieces if number > 0))


def _cells(game: Game, place: TablePlace, zones: Zones, seat: int) -> Iterator[LaidCell]:
    if place.pieces:
        yield LaidCell("", tuple(taken_pieces(game, place.pieces)))
    for written in place.zone:
        pattern = written.replace(SEAT, str(seat))
        before, star, after = pattern.partition("*")
        if not star:
            yield LaidCell(pattern, _designs(zones.get(pattern, {})))
            continue
        for zone in sorted(zones, key=_by_number):
            if zone.startswith(before) and zone.endswith(after) and zones[zone]:
                yield LaidCell(zone, _designs(zones[zone]), zone[len(before) : len(zone) - len(after)])


def taken_pieces(game: Game, wanted: Mapping[str, int]) -> Iterator[tuple[str, int]]:
    """Designs with how many of each: as many of an id or kind as are wanted, from the first design on."""
    for name, number in wanted.items():
        left = number
        for design in matching(game, name):
            take = min(left, design.count)
            if take:
                yield design.id, take
            left -= take


def matching(game: Game, name: str) -> tuple[Design, ...]:
    """The designs of a kind, an id or a pattern."""
    if name in game.kinds:
        return tuple(game.kinds[name].designs)
    return tuple(design for design in game.designs() if fnmatchcase(design.id, name))


def _designs(pieces: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    """The pieces of a zone by design, in the order in which they lie."""
    counted: dict[str, int] = {}
    for piece, number in pieces.items():
        name = piece.split("#")[0]
        counted[name] = counted.get(name, 0) + number
    return tuple((name, number) for name, number in counted.items() if number)


def _by_number(zone: str) -> list[tuple[int, str]]:
    """The key that sorts `town p10` after `town p9`."""
    return [(int(part), "") if part.isdigit() else (0, part) for part in _DIGITS.split(zone) if part]


def spaces_of(laid: LaidPlace, around: Mapping[str, LaidPlace]) -> tuple[str, ...]:
    """The spaces on which a place's pieces lie, `{place}` in them filled in with what lies at that place of the seat.

    `around` are the laid places by key.
    """

    def fill(found: re.Match[str]) -> str:
        there = around.get(f"{found[1]} {laid.seat}") or around.get(found[1])
        if there is None or not there.number:
            return found[0]
        first = next(cell for cell in there.cells if cell.pieces)
        return first.pieces[0][0].partition("/")[2]

    return tuple(_PLACE.sub(fill, space) for space in laid.place.spaces)
