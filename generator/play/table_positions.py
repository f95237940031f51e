"""Table positions: what lies where on a table by the game's plan."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import replace

from generator.base.dataclass import dataclass
from generator.game.consistency import matching, number_of, printed
from generator.game.data_fields import PieceCount, TablePlace, TablePlan, arranged
from generator.game.model import Game
from generator.rules.engine.contract import Zones

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
    """Every place that so many players have, in the order of the plan; those of each player one after another.

    Without rules there are no zones: what a place with a zone has then are its pieces.
    """
    own = set(arranged(plan.seat))
    seats = {place.id: tuple(_seats(place, own, players)) for place in plan.places.values()}
    less: dict[str, Counter[str]] = {}
    for place in plan.places.values():
        if place.out_of and not (place.zone and zones):
            for seat in seats[place.id]:
                less.setdefault(place.out_of, Counter()).update(dict(taken_pieces(game, place.pieces, seat)))
    return tuple(
        LaidPlace(place, seat, tuple(_fewer(_cells(game, place, zones, seat), less.get(place.id, {}))))
        for place in plan.places.values()
        for seat in seats[place.id]
    )


def _seats(place: TablePlace, own: Set[str], players: int) -> Iterator[int]:
    """The players who have a place, 0 for one that is everybody's."""
    if place.players and players not in place.players:
        return
    each = bool({place.id, place.on} & own) or any(SEAT in zone for zone in place.zone)
    yield from (seat for seat in (range(1, players + 1) if each else (0,)) if not place.seats or seat in place.seats)


def _fewer(cells: Iterable[LaidCell], less: Mapping[str, int]) -> Iterator[LaidCell]:
    """The cells without what lies elsewhere."""
    for cell in cells:
        pieces = [(name, number - less.get(name, 0)) for name, number in cell.pieces]
        yield replace(cell, pieces=tuple((name, number) for name, number in pieces if number > 0))


def _cells(game: Game, place: TablePlace, zones: Zones, seat: int) -> Iterator[LaidCell]:
    if place.pieces and not (place.zone and zones):
        yield LaidCell("", tuple(taken_pieces(game, place.pieces, seat)))
    for written in place.zone:
        pattern = written.replace(SEAT, str(seat))
        before, star, after = pattern.partition("*")
        if not star:
            yield LaidCell(pattern, _designs(zones.get(pattern, {})))
            continue
        for zone in sorted(zones, key=_by_number):
            if zone.startswith(before) and zone.endswith(after) and zones[zone]:
                yield LaidCell(zone, _designs(zones[zone]), zone[len(before) : len(zone) - len(after)])


def taken_pieces(game: Game, wanted: Mapping[str, PieceCount], seat: int = 0) -> Iterator[tuple[str, int]]:
    """Designs with how many of each: as many of an id or kind as are wanted, from the first design on.

    The second player's are the copies behind the first one's, and so on, where there are as many.
    """
    for name, count in wanted.items():
        number = number_of(game, name, count)
        passed, left = number * max(0, seat - 1), number
        if passed + number > printed(game, name):
            passed = 0
        for design in matching(game, name):
            skip = min(passed, design.count)
            passed -= skip
            take = min(left, design.count - skip)
            if take:
                yield design.id, take
            left -= take


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
