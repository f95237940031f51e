"""Table positions: where the pieces are on a table, according to the game's table plan."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from generator.base.languages import make_number_key
from generator.game.consistency import count_printed, find_designs, resolve_count
from generator.game.data_fields import PieceCount, TablePlace, TablePlan, iter_arrangement
from generator.game.model import Game
from generator.rules.engine.contract import Zones

SEAT, PLAYERS = "{seat}", "{players}"
"""Placeholders in names of zones: the number of a player, and the number of players."""

_PLACE = re.compile(r"\{([\w-]+)\}")


@dataclass(frozen=True, slots=True)
class LaidCell:
    """Pieces that lie together at a place: designs with their numbers, in order; `zone` is '' outside any zone.

    `rest` is the text that `*` in the plan's pattern of zone names stands for.
    """

    zone: str
    pieces: tuple[tuple[str, int], ...]
    rest: str = ""

    @property
    def number(self) -> int:
        """The number of pieces in the cell."""
        return sum(number for _, number in self.pieces)


@dataclass(frozen=True, slots=True)
class LaidPlace:
    """A place of the table plan with its pieces; `seat` is the player who owns it (from 1), 0 for a shared place."""

    place: TablePlace
    seat: int
    cells: tuple[LaidCell, ...]

    @property
    def key(self) -> str:
        """The name of the place in the plan, followed by the number of the player who owns it."""
        return f"{self.place.id} {self.seat}" if self.seat else self.place.id

    @property
    def number(self) -> int:
        """The number of pieces at the place."""
        return sum(cell.number for cell in self.cells)

    @property
    def zones(self) -> tuple[str, ...]:
        """The zones of the rules whose pieces lie there."""
        return tuple(cell.zone for cell in self.cells if cell.zone)

    def is_face_down(self) -> bool:
        """Return True if its pieces lie face down for the first player."""
        face = self.place.face
        return face == "down" or (face == "own" and self.seat != 1)


def lay_places(game: Game, plan: TablePlan, zones: Zones, players: int) -> tuple[LaidPlace, ...]:
    """Return every place of the plan for a number of players; a player's places are one after another.

    Without rules there are no zones: a place with a zone then contains its `pieces`.
    """
    own = set(iter_arrangement(plan.seat))
    seats: dict[str, list[int]] = {}
    for place in plan.places.values():
        each = bool({place.id, place.on} & own) or any(SEAT in zone for zone in place.zone)
        there = not place.players or players in place.players
        owners = range(1, players + 1) if each else (0,)  # 0 for a shared place
        seats[place.id] = [seat for seat in owners if there and (not place.seats or seat in place.seats)]
    less: dict[str, Counter[str]] = {}
    for place in plan.places.values():
        if place.out_of and not (place.zone and zones):
            for seat in seats[place.id]:
                less.setdefault(place.out_of, Counter()).update(dict(take_pieces(game, place.pieces, seat)))
    return tuple(
        LaidPlace(place, seat, tuple(_subtract_pieces(_iter_cells(game, place, zones, seat), less.get(place.id, {}))))
        for place in plan.places.values()
        for seat in seats[place.id]
    )


def _subtract_pieces(cells: Iterable[LaidCell], less: Mapping[str, int]) -> Iterator[LaidCell]:
    """Yield the cells with the numbers of pieces reduced by those that lie at other places."""
    for cell in cells:
        pieces = [(name, number - less.get(name, 0)) for name, number in cell.pieces]
        yield replace(cell, pieces=tuple((name, number) for name, number in pieces if number > 0))


def _iter_cells(game: Game, place: TablePlace, zones: Zones, seat: int) -> Iterator[LaidCell]:
    if place.pieces and not (place.zone and zones):
        yield LaidCell("", tuple(take_pieces(game, place.pieces, seat)))
    for written in place.zone:
        pattern = written.replace(SEAT, str(seat))
        before, star, after = pattern.partition("*")
        if not star:
            yield LaidCell(pattern, _count_designs(zones.get(pattern, {})))
            continue
        for zone in sorted(zones, key=make_number_key):
            if zone.startswith(before) and zone.endswith(after) and zones[zone]:
                yield LaidCell(zone, _count_designs(zones[zone]), zone[len(before) : len(zone) - len(after)])


def take_pieces(game: Game, wanted: Mapping[str, PieceCount], seat: int = 0) -> Iterator[tuple[str, int]]:
    """Yield designs and how many of each to take, to fill counts of kinds or designs from the first design on.

    The second player gets the copies after those of the first player, and so on, if there are enough.
    """
    for name, count in wanted.items():
        number = resolve_count(game, name, count)
        passed, left = number * max(0, seat - 1), number
        if passed + number > count_printed(game, name):
            passed = 0
        for design in find_designs(game, name):
            skip = min(passed, design.count)
            passed -= skip
            take = min(left, design.count - skip)
            if take:
                yield design.id, take
            left -= take


def _count_designs(pieces: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    counted: dict[str, int] = {}
    for piece, number in pieces.items():
        name = piece.split("#")[0]
        counted[name] = counted.get(name, 0) + number
    return tuple((name, number) for name, number in counted.items() if number)


def fill_spaces(laid: LaidPlace, around: Mapping[str, LaidPlace]) -> tuple[str, ...]:
    """Return the patterns that ids of spaces for a place's pieces must match; () if all fit.

    `{place}` becomes the id of the piece at that place of the same seat, if any. `around` has the laid places by key.
    """

    def fill(found: re.Match[str]) -> str:
        there = around.get(f"{found[1]} {laid.seat}") or around.get(found[1])
        if there is None or not there.number:
            return found[0]
        first = next(cell for cell in there.cells if cell.pieces)
        return first.pieces[0][0].partition("/")[2]

    return tuple(_PLACE.sub(fill, space) for space in laid.place.spaces)
