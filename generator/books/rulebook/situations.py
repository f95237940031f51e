"""Situations: draws the state of a game as labelled rows of small pieces, one row for each zone."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from itertools import chain
from typing import NamedTuple

from generator.base.display_list import Group, Item
from generator.base.errors import Place
from generator.base.geometry import MM_PER_PT, Rect
from generator.base.languages import make_number_key
from generator.books.rulebook.manuscript import BlockBody
from generator.books.rulebook.piece_pictures import (
    RAISED,
    WIDTH,
    Anchor,
    Anchored,
    PieceFaces,
    PiecePicture,
    enclose_boxes,
    round_matrix,
)
from generator.books.rulebook.rulebook_play import RulebookPlay
from generator.game.data_fields import ZoneEntry
from generator.game.model import Example, Game
from generator.rules.engine.contract import ALL_SEEN, Zones
from generator.rules.engine.table import Table, zone_kind, zone_name

HEIGHT = 17.0
"""Default height of a card (mm); smaller pieces keep their proportion to it."""

LABEL = 6.5
"""Size of the words over a zone (points)."""

_LEAST_PIECE = 4.5
_MOST_SINGLE = 8
"""Up to this number, equal pieces are drawn one by one; the count of more is written."""

_BETWEEN, _ROW_GAP, _GAP = 6.0, 3.0, 1.2
_OVERLAP = 0.4
"""Minimum visible share of a covered piece. Only pieces of one size without counts are overlapped."""


@dataclass(frozen=True, slots=True)
class Heap:
    """Equal pieces of a zone, shown as one picture; a `number` above 1 is written beside it. `raised`: shifted up."""

    piece: PiecePicture
    number: int
    raised: bool = False


@dataclass(frozen=True, slots=True)
class ZoneRow:
    """A zone as shown: its name in words, its heaps of pieces, its name in the rules, and the place of the name."""

    label: str
    heaps: tuple[Heap, ...]
    zone: str = ""
    place: Place | None = field(default=None, compare=False, repr=False)

    @property
    def words(self) -> str:
        """Return a description of the zone for readers who can't see the picture."""
        names = [heap.piece.name + (f" ×{heap.number}" if heap.number > 1 else "") for heap in self.heaps]
        return f"{self.label}: {', '.join(names) or '–'}"

    def lift_heaps(self, numbers: Container[int]) -> "ZoneRow":
        """Return the zone with only these heaps (numbers from 1) shifted up."""
        heaps = [replace(heap, raised=at in numbers) for at, heap in enumerate(self.heaps, start=1)]
        return replace(self, heaps=tuple(heaps))


def make_zone_rows(
    table: Table,
    faces: PieceFaces,
    wanted: Sequence[str],
    seat: int | None,
    hidden: Sequence[str],
    place: Place | None,
    *,
    vacant: bool = False,
) -> list[ZoneRow]:
    """Return the zones to show, in order: those `wanted` by name or pattern, else all that hold pieces.

    `seat` is the seat that sees them (from 0) or ALL_SEEN; without one, everything that no seat can see is hidden.
    `hidden` are patterns of further zones that are shown face down. `vacant`: also show wanted zones that the rules
    list only while they hold pieces.
    """
    zones = table.list_zones()
    covered = {zone for zone in zones for one in hidden if fnmatchcase(zone, one)}
    secret = _find_hidden_zones(table, zones, seat) | covered
    names = [zone for zone in _sort_zones(zones) if zones[zone]]
    if wanted:
        there = {*zones, *(zone for zone in wanted if vacant and is_zone_named(table.box.game, zone))}
        names = [zone for pattern in wanted for zone in _sort_zones(there) if fnmatchcase(zone, pattern)]
    game, lang = table.box.game, faces.lang
    rows = []
    for zone in dict.fromkeys(names):
        entry = _find_entry(game, zone)
        back = entry is not None and entry.back
        heaps = tuple(_make_heaps(zones.get(zone, {}), zone in secret, faces, place, back=back))
        named, name = None, zone_name(game, zone, lang)
        if entry is not None:  # the name is alone or under `name`
            written = game.places["zones"].value[entry.id]
            inner = ("name", lang) if isinstance(written, Mapping) and "name" in written else (lang,)
            named = game.places.place("zones", entry.id, *inner)
        rows.append(ZoneRow(name[:1].title() + name[1:], heaps, zone, named or place))
    return rows


def lift_zone_rows(rows: list[ZoneRow], body: BlockBody) -> list[ZoneRow]:
    """Return the zones with the heaps named by the block's `raised` shifted up; a list needs a single zone."""
    if "raised" not in body:
        return rows
    zones = {row.zone: row for row in rows}
    if not body.has_mapping("raised"):
        if len(rows) > 1:
            body.add_problem("`raised` does not say in which zone", "write `raised: {zone: [numbers]}`", "raised")
            return rows
        return [row.lift_heaps(body.read_numbers("raised", len(row.heaps))) for row in rows]
    inner = body.read_inner("raised")
    inner.check_keys(*zones)
    return [
        row.lift_heaps(inner.read_numbers(row.zone, len(row.heaps))) if row.zone in inner else row
        for row in zones.values()
    ]


def is_zone_named(game: Game, zone: str) -> bool:
    """Return True if the data name a zone: then an empty one can be shown even if the rules don't list it."""
    return _find_entry(game, zone) is not None


def _find_entry(game: Game, zone: str) -> ZoneEntry | None:
    return game.zones.get(zone_kind(zone))


def _find_least_squeeze(heaps: Sequence[Heap]) -> float:
    alike = len({(heap.piece.width, heap.piece.height) for heap in heaps}) == 1
    return _OVERLAP if alike and all(heap.number == 1 for heap in heaps) else 1.0


def _sort_zones(zones: Iterable[str]) -> list[str]:
    """Return the zones in the order of the rules, with zones that differ only in numbers sorted together."""
    first: dict[str, int] = {}
    for at, zone in enumerate(zones):
        first.setdefault(zone_kind(zone), at)
    return sorted(zones, key=lambda zone: (first[zone_kind(zone)], make_number_key(zone)))


def _find_hidden_zones(table: Table, zones: Zones, seat: int | None) -> set[str]:
    """Return the zones in which `seat` can't know every piece; for None those that no seat knows, for ALL_SEEN none."""
    if seat == ALL_SEEN:
        return set()
    secrets = []
    for eyes in range(table.box.players) if seat is None else (seat,):
        seen = table.observe(eyes).zones
        secrets.append({name for name in zones if any(not lying.piece for lying in seen.get(name, ()))})
    return set.intersection(*secrets)


def _make_heaps(
    pieces: Mapping[str, int], secret: bool, faces: PieceFaces, place: Place | None, *, back: bool = False
) -> Iterator[Heap]:
    """Yield a heap for each design; secret pieces and those with `back` up show backs and are merged if alike."""
    counted: dict[str, int] = {}
    for piece, number in pieces.items():
        name = piece.split("#")[0]
        counted[name] = counted.get(name, 0) + number
    heaps = []
    for name, number in counted.items():
        if number:
            own = faces.workshop.game.design(name)
            picture = faces.draw_hidden(own, place) if secret else faces.draw_piece(own, place, back=back)
            heaps += [Heap(picture, number)] if picture is not None else []
    yield from _merge_heaps(heaps) if secret or back else heaps


def _merge_heaps(heaps: Iterable[Heap]) -> list[Heap]:
    """Merge heaps that look the same; the result has the names of all."""
    alike: list[list[Heap]] = []
    for heap in heaps:
        there = next((group for group in alike if _make_look_key(group[0].piece) == _make_look_key(heap.piece)), None)
        if there is None:
            alike.append([heap])
        else:
            there.append(heap)
    made = []
    for group in alike:
        names = sorted({heap.piece.name for heap in group})
        made.append(Heap(replace(group[0].piece, name=" / ".join(names)), sum(heap.number for heap in group)))
    return made


def _make_look_key(piece: PiecePicture) -> tuple[object, ...]:
    """Return a key that is equal for pieces that look the same."""
    return piece.width, piece.height, piece.outline, piece.symbol.box, piece.symbol.items


class _Line(NamedTuple):
    """One row of heaps: its items, box and item index of each heap, boxes of counts, right end and lower end."""

    items: list[Item]
    pieces: list[tuple[Rect, int]]
    words: list[Rect]
    right: float
    foot: float


class SituationSetter:
    """Draws zones in rows `width` mm wide, the tallest piece `height` mm high, at a `scale` of `most` at most."""

    def __init__(
        self,
        faces: PieceFaces,
        rows: Sequence[ZoneRow],
        height: float = HEIGHT,
        width: float = WIDTH,
        most: float = 1.0,
    ):
        self._faces, self._rows, self._width = faces, rows, width
        tallest = max((heap.piece.height for row in rows for heap in row.heaps), default=1.0)
        self.scale = min(1.0, most, height / tallest)

    def set_figure(self) -> Anchored:
        """Return the figure. Its anchors are the heaps, `zone` (the first), `zone 2` ...; its `words` are labels."""
        items: list[Item] = []
        anchors: dict[str, Anchor] = {}
        words: list[Rect] = []
        x = y = high = right = 0.0
        for row in self._rows:
            block = self._set_zone(row)
            wide, tall = block.box.width, block.box.height
            if x and x + wide > self._width:
                x, y, high = 0.0, y + high + _ROW_GAP, 0.0
            placed = block.move_by(x, y)
            anchors |= placed.number_anchors(len(items))
            items += placed.items
            words += placed.words
            x, high = x + wide + _BETWEEN, max(high, tall)
            right = max(right, x - _BETWEEN)
        return Anchored(tuple(items), Rect(0, 0, max(right, 1.0), max(y + high, 1.0)), anchors, tuple(words))

    def _set_zone(self, row: ZoneRow) -> Anchored:
        label, wide = self._set_words(row.label, 0.0, LABEL * MM_PER_PT * 0.9, row.place)
        y = LABEL * MM_PER_PT * 1.35
        items, words, anchors = [label], [Rect(0, 0, wide, y)], dict[str, Anchor]()
        single = [[replace(one, number=1)] * one.number if one.number <= _MOST_SINGLE else [one] for one in row.heaps]
        for number, heaps in enumerate(self._split_lines([*chain.from_iterable(single)])):
            y += _GAP if number else 0.0
            line = self._set_line(heaps, y, row.place)
            for box, at in line.pieces:
                anchors[f"{row.zone} {len(anchors) + 1}"] = Anchor(box, "", (at + len(items),))
            items += line.items
            words += line.words
            wide, y = max(wide, line.right), line.foot
        around = enclose_boxes(one.box for one in anchors.values()) or Rect(0, y, wide, 0.0)
        anchors[row.zone] = Anchor(around, "", tuple([at for one in anchors.values() for at in one.items]))
        return Anchored(tuple(items), Rect(0, 0, wide, y), anchors, tuple(words))

    def _split_lines(self, heaps: Sequence[Heap]) -> list[Sequence[Heap]]:
        """Split the heaps into as few equal lines as possible, so that overlapped pieces stay visible enough."""
        number = 1
        while heaps:
            each = -(-len(heaps) // number)
            lines = [heaps[at : at + each] for at in range(0, len(heaps), each)]
            if each == 1 or all(self._measure_squeeze(line) >= _find_least_squeeze(line) for line in lines):
                return lines
            number += 1
        return []

    def _set_line(self, heaps: Sequence[Heap], top: float, place: Place | None) -> "_Line":
        items: list[Item] = []
        pieces: list[tuple[Rect, int]] = []
        words: list[Rect] = []
        tall = max(self._measure_heap(heap) for heap in heaps)
        squeeze, x, right, numbered = self._measure_squeeze(heaps), 0.0, 0.0, False
        for heap in heaps:
            scale = self._choose_scale(heap.piece)
            y = top + tall - self._measure_heap(heap)
            pieces.append((Rect(x, y, heap.piece.width * scale, heap.piece.height * scale), len(items)))
            items.append(heap.piece.place_piece(round_matrix((scale, 0.0, 0.0, scale, x, y)), scale))
            right = max(right, x + heap.piece.width * scale)
            if heap.number > 1:
                numbered = True
                number = self._set_words(f"×{heap.number}", x, top + tall + LABEL * MM_PER_PT * 1.1, place)
                items.append(number[0])
                words.append(Rect(x, top + tall, number[1] - x, LABEL * MM_PER_PT * 1.35))
                right = max(right, number[1])
            x += self._measure_step(heap) * squeeze
        foot = top + tall + (LABEL * MM_PER_PT * 1.35 if numbered else 0.0)
        return _Line(items, pieces, words, right, foot)

    def _measure_heap(self, heap: Heap) -> float:
        """Return a heap's height above its base line (mm), more if it is raised."""
        return heap.piece.height * self._choose_scale(heap.piece) * (1 + RAISED if heap.raised else 1.0)

    def _choose_scale(self, piece: PiecePicture) -> float:
        """Return the common scale, or a larger one for pieces too small to recognise."""
        least = min(1.0, _LEAST_PIECE / max(piece.width, piece.height))
        return max(self.scale, least)

    def _measure_step(self, heap: Heap) -> float:
        """Return the distance (mm) from a heap's left edge to the next heap, so that its count fits."""
        number = LABEL * MM_PER_PT * 0.6 * (len(str(heap.number)) + 1) if heap.number > 1 else 0.0
        return max(heap.piece.width * self._choose_scale(heap.piece), number) + _GAP

    def _measure_squeeze(self, heaps: Sequence[Heap]) -> float:
        """Return the factor (at most 1) by which the steps between heaps shrink so that the line fits the figure."""
        needed = sum(self._measure_step(heap) for heap in heaps[:-1])
        room = self._width - heaps[-1].piece.width * self._choose_scale(heaps[-1].piece)
        return min(1.0, room / needed) if needed else 1.0

    def _set_words(self, text: str, x: float, y: float, place: Place | None) -> tuple[Item, float]:
        """Return a line of text with its baseline from (x, y) and its right end (mm). Report missing characters."""
        runs = self._faces.workshop.set_label(text, x, y, LABEL, "start", 0.0)
        return Group(runs), max(x, self._faces.measure_words(runs, place))


class ZoneReader:
    """Reads the zones to show from blocks of one book; adds faults to `problems`."""

    def __init__(self, faces: PieceFaces, played: RulebookPlay):
        self._faces, self._played, self._problems = faces, played, faces.problems

    def read_rows(
        self, body: BlockBody, example: Example | None, after: bool | None = None, zones: Sequence[str] | None = None
    ) -> list[ZoneRow] | None:
        """Return `zones`, or those a block names, in an example (its end if `after`) or set-up; None for a problem."""
        if example is None and "example" in body:
            example = self._played.find_example(body.get_text("example"), body.place("example"), self._problems)
            if example is None:
                return None
        if example is not None:
            table = self._played.arrange_example(example, after=body.read_flag("after") if after is None else after)
        else:
            players = body.read_number("players", 1, 100)
            if players is None:
                body.add_problem("a situation needs `players` or `example`", "add `players: ...`")
                return None
            table = self._played.set_up_table(int(players), body.place("players"), self._problems)
        if table is None:
            return None
        eyes: int | None = ALL_SEEN
        if body.get_text("seat") != "all":
            seat = body.read_number("seat", 1, table.box.players)
            eyes = None if seat is None else int(seat) - 1
        hidden = [str(zone) for zone in body.read_entries("hidden")]
        wanted = [str(zone) for zone in body.read_entries("zones")] if zones is None else zones
        if self._report_unknown_zones(body, table, example, [*wanted, *hidden]):
            return None
        rows = make_zone_rows(table, self._faces, wanted, eyes, hidden, body.place(), vacant=zones is not None)
        if not rows:
            hint = f"choose from {', '.join(table.list_zones())}"
            body.add_problem("the situation does not name a zone", hint, "zones")
        return rows or None

    def _report_unknown_zones(
        self, body: BlockBody, table: Table, example: Example | None, wanted: Sequence[str]
    ) -> bool:
        """Report zones in `wanted` that the table lacks; return True if any. Those an example adds are known."""
        known = dict.fromkeys(table.list_zones())
        if example is not None:
            end = self._played.arrange_example(example, after=True)
            known |= dict.fromkeys(end.list_zones() if end is not None else ())
        unnamed = (zone for zone in wanted if not is_zone_named(table.box.game, zone))
        unknown = [zone for zone in unnamed if not any(fnmatchcase(name, zone) for name in known)]
        for zone in unknown:
            body.add_problem(f"the situation has no zone '{zone}'", f"choose from {', '.join(known)}", "zones")
        return bool(unknown)
