"""Table pictures: draws a table, laid out by the game's table plan, with the real components."""

from collections.abc import Iterator, Sequence
from colorsys import hls_to_rgb, rgb_to_hls
from functools import partial
from itertools import starmap
from math import hypot, inf
from typing import NamedTuple

from generator.base.colour import rgb_from_hex
from generator.base.display_list import Group, Item, Paint, PlacedSymbol, Shape
from generator.base.errors import Place, Problem, did_you_mean
from generator.base.geometry import MM_PER_PT, Matrix, Rect, Size
from generator.base.languages import phrase
from generator.books.rulebook.figure_marks import PlaceNumbers, find_free_spot
from generator.books.rulebook.manuscript import BlockBody
from generator.books.rulebook.piece_pictures import Anchor, Anchored, PieceFaces, round_matrix
from generator.books.rulebook.rulebook_play import RulebookPlay
from generator.books.rulebook.table_layout import (
    LABEL_HIGH,
    Board,
    LaidTable,
    PlaceBox,
    Sign,
    TableLayout,
    TableRoom,
    enclose_pieces,
    select_places,
)
from generator.drawing.faces.face_marks import RING_IN_TEXT, RING_SIDE, draw_rounded_box
from generator.game.data_fields import TablePlan
from generator.game.model import Example
from generator.game.rich_text import RING
from generator.play.table_positions import PLAYERS, LaidPlace, lay_places
from generator.rules.engine.contract import Zones
from generator.rules.engine.table import piece_name, zone_kind

_LABEL, _NUMBER, _SEAT = 6.4, 6.4, 6.6
"""Type sizes of a place's name, a pile's count and a player's name (points)."""

_CORNER, _TAB, _TAB_CORNER = 5.0, 4.2, 2.1
_GROUND, _EDGE, _ROOM = 0.958, 0.84, 0.6
"""Lightness of the table, of its edge and tabs, and of outlines; all have the accent's hue."""

_LEAST_COLOUR, _MOST_COLOUR = 0.2, 0.42

_HAIR = 0.22
_MOST_NAMED = 4
_PILED = ("pile", "fan")


class TablePicture(NamedTuple):
    """A drawn table: figure, description, scale, places, and the places whose pieces don't fit any space.

    `homeless` maps the names of these places to the number of pieces and the place below that lacks space.
    """

    figure: Anchored
    words: str
    scale: float
    places: frozenset[str]
    homeless: tuple[tuple[str, int, str], ...]


class TablePictures:
    """Draws a book's tables in its accent `paint`. `board` finds spaces on boards, `numbers` those of places."""

    def __init__(self, faces: PieceFaces, board: Board, numbers: PlaceNumbers, paint: Paint):
        self._faces, self._board, self._numbers, self._paint = faces, board, numbers, paint
        self._game, self._lang = faces.workshop.game, faces.lang

    def compose_table(
        self,
        plan: TablePlan,
        zones: Zones,
        players: int,
        room: TableRoom,
        only: Sequence[str] = (),
        place: Place | None = None,
        most: float = inf,
        *,
        numbered: bool,
    ) -> TablePicture:
        """Return a picture of the table with the pieces in `zones`; `room` limits its size, `most` its scale.

        `only` are the places to show, all if empty; `place` is the place of the block; `numbered`: places have the
        numbers of the text.
        """
        laid = lay_places(self._game, plan, zones, players)
        shown = [name for name, one in plan.places.items() if not only or name in only or one.on in only]
        sign = partial(self._measure_sign, numbered=numbered)

        def find_size(name: str) -> Size:
            return self._game.kinds[name.partition("/")[0]].size

        layout = TableLayout(select_places(plan, shown), laid, find_size, sign, self._board, room.gaps)
        table = layout.fit_table(room.width, room.height, most)
        homeless = tuple(
            (one.place.id, missing, one.place.on)
            for one in laid
            if one.place.id in shown and {one.place.on, f"{one.place.on} {one.seat}"} & table.boxes.keys()
            if (missing := one.number - len(table.find_pieces(one.key)))
        )
        there = frozenset(one.laid.place.id for one in table.boxes.values())
        drawn = self._draw_table(table, place, numbered)
        filled = [one for one in table.boxes.values() if one.laid.number]
        words = "; ".join(self._describe_place(one, players, numbered) for one in filled)
        return TablePicture(drawn, words, table.scale, there, homeless)

    def _make_label(self, laid: LaidPlace) -> str:
        """Return the text below a place: its name, for piles with the count; '' for other players' places."""
        if laid.seat > 1:
            return ""
        name = laid.place.name[self._lang]
        counted = laid.number > 1 and laid.place.lies in _PILED
        return f"{name} ×{laid.number}" if counted else name

    def _measure_sign(self, laid: LaidPlace, *, numbered: bool) -> Sign:
        text = self._make_label(laid)
        if not text:
            return Sign(0.0)
        number = RING_IN_TEXT if numbered and self._find_number(laid) is not None else 0.0
        return Sign(self._set_words(text, 0.0, 0.0, _LABEL)[1] + 1.0, number)

    def _set_words(self, text: str, x: float, y: float, size: float) -> tuple[tuple[Item, ...], float]:
        workshop = self._faces.workshop
        runs = workshop.set_label(text, x, y, size, "middle", 0.0)
        letters = [(run.font, glyph) for run in runs for glyph in run.glyphs]
        wide = sum(starmap(workshop.fonts.measure_advance, letters)) * size * MM_PER_PT / 1000
        return runs, wide

    def _draw_table(self, table: LaidTable, place: Place | None, numbered: bool) -> Anchored:
        by, paint = table.scale, self._paint
        whole = Rect(0, 0, table.size.width * by, table.size.height * by)
        edge = self._tint_paint(paint, _EDGE)
        path, tint = draw_rounded_box(whole.grow(-_HAIR / 2), _CORNER), self._tint_paint(paint, _GROUND)
        ground = Shape(path, tint, edge, _HAIR, role="ground")
        items: list[Item] = [ground]
        words: list[Rect] = []
        for seat, box in table.seats.items():
            tab, there = self._draw_seat(box.scale(by), seat, seat == 1, edge)
            items.append(tab)
            words.append(there)
        anchors: dict[str, Anchor] = {}
        rings: list[Rect] = []
        signs: list[Item] = []
        for key, one in table.boxes.items():
            box, lying = one.box.scale(by), table.find_pieces(key)
            anchors[key] = Anchor(box, "", (len(items),))
            if one.laid.seat == 1:
                anchors[one.laid.place.id] = anchors[key]
            for zone in dict.fromkeys(piece.zone for piece in lying if piece.zone):  # targets for arrows
                around = enclose_pieces([piece for piece in lying if piece.zone == zone]).scale(by)
                anchors.setdefault(zone, Anchor(around, "", (len(items),)))
            items.append(self._draw_place(key, one, table, self._tint_paint(paint, _ROOM), place))
            if one.label is not None:
                label = one.label.scale(by)
                lower = label.y + LABEL_HIGH * (0.42 if one.turned else 0.72)
                runs, _ = self._set_words(self._make_label(one.laid), label.x + label.width / 2, lower, _LABEL)
                items.append(Group(runs))
                words.append(label)
            number = self._find_number(one.laid) if numbered else None
            if number is not None:
                taken = [enclose_pieces([piece]).scale(by) for piece in lying]
                under = [enclose_pieces([piece]).scale(by) for row in table.pieces.values() for piece in row]
                boards = [box for box in under if taken and box not in taken and box.contains(taken[0])]
                board = min(boards, key=lambda box: box.width, default=whole)
                rings.append(one.ring.scale(by) if one.ring is not None else find_free_spot(taken, board, rings))
                symbol = self._faces.workshop.find_sign(f"{RING}{number}", paint)
                assert symbol is not None  # noqa: S101 - every number has a ring
                ring, scale = rings[-1], rings[-1].width / RING_SIDE
                shift = round(ring.x, 3), round(ring.y, 3)
                signs.append(PlacedSymbol(symbol, (scale, 0.0, 0.0, scale, *shift)))
        return Anchored((*items, *signs), whole, anchors, tuple(words))

    def _draw_place(self, key: str, content: PlaceBox, table: LaidTable, line: Paint, place: Place | None) -> Group:
        """Return one place as a group: outlines (in `line`) for later pieces, its pieces, and the counts of piles."""
        by = table.scale
        items: list[Item] = []
        for room in content.rooms:
            kind = self._game.kinds[content.laid.place.room]
            outline = draw_rounded_box(room.scale(by), max(kind.corner * by, 0.3))
            items.append(Shape(outline, None, line, _HAIR, dash=(1.0, 0.8), role="guide"))
        zones = content.laid.zones
        for piece in table.find_pieces(key):
            design = self._game.design(piece.design)
            if piece.down:
                picture = self._faces.draw_hidden(design, place)
            else:
                zone = self._game.zones.get(zone_kind(piece.zone))
                backed = bool(design.back) and zone is not None and zone.back
                picture = self._faces.draw_piece(design, place, back=backed)
            if picture is not None:
                a, b, c, d, e, f = piece.matrix
                matrix: Matrix = (a * by, b * by, c * by, d * by, e * by, f * by)
                items.append(picture.place_piece(round_matrix(matrix), hypot(a, b) * by))
        for pile in content.numbers:
            y = pile.y * by + (-0.7 if content.turned else 2.3)
            items.append(Group(self._set_words(f"×{pile.number}", pile.x * by, y, _NUMBER)[0]))
        return Group(tuple(items), id="place", data=(("zones", " ".join(zones)),) if zones else ())

    def _draw_seat(self, box: Rect, seat: int, near: bool, edge: Paint) -> tuple[Item, Rect]:
        """Return a player's seat, a tab at the table's lower edge if `near`, else its upper, and the tab's box."""
        text = phrase("play_player", self._lang, seat=seat)
        text = text[:1].title() + text[1:]
        middle = box.x + box.width / 2
        top = box.bottom - _TAB + 0.2 if near else box.y - 0.2
        runs, wide = self._set_words(text, middle, top + _TAB * 0.68, _SEAT)
        tab = Rect(middle - wide / 2 - 2.6, top, wide + 5.2, _TAB)
        return Group((Shape(draw_rounded_box(tab, _TAB_CORNER), edge, role="frame"), *runs)), tab

    def _tint_paint(self, paint: Paint, light: float) -> Paint:
        """Return a muted colour with the hue of `paint` and this lightness."""
        hue, _, strong = rgb_to_hls(*rgb_from_hex(self._faces.workshop.hex_of_paint(paint)))
        colour = min(max(strong, _LEAST_COLOUR if strong else 0.0), _MOST_COLOUR)
        return "#" + "".join(f"{round(255 * part):02x}" for part in hls_to_rgb(hue, light, colour))

    def _find_number(self, laid: LaidPlace) -> int | None:
        """Return the number that the text uses for a place, or None; other players' places show none."""
        number = self._numbers.show_number(laid.place.id)
        return number if laid.seat <= 1 else None

    def _describe_place(self, laid_place: PlaceBox, players: int, numbered: bool) -> str:
        laid = laid_place.laid
        number = self._find_number(laid) if numbered else None
        name = laid.place.name[self._lang]
        if laid.seat and players > 1:
            name = f"{phrase('play_player', self._lang, seat=laid.seat)}, {name}"
        ring = f"({number}) " if number is not None else ""
        return f"{ring}{name}: {phrase('and', self._lang).join(self._name_pieces(laid))}"

    def _name_pieces(self, laid: LaidPlace) -> Iterator[str]:
        """Yield names and counts of the pieces, or of kinds if pieces are face down or of too many designs."""
        counted: dict[str, int] = {}
        for cell in laid.cells:
            for name, number in cell.pieces:
                counted[name] = counted.get(name, 0) + number
        if laid.is_face_down() or len(counted) > _MOST_NAMED:
            kinds: dict[str, int] = {}
            for name, number in counted.items():
                kind = self._game.kinds[name.partition("/")[0]].name[self._lang]
                kinds[kind] = kinds.get(kind, 0) + number
            counted = kinds
        else:
            counted = {piece_name(self._game, name, self._lang): number for name, number in counted.items()}
        yield from (f"{name} ×{number}" if number > 1 else name for name, number in counted.items())


_HEIGHT = 138.0
"""Default maximum height of a table picture (mm)."""

_SLACK = 0.01
_LEAST, _MOST = 20.0, 400.0


class TableMaker:
    """Makes the table pictures of one book; adds faults to `problems`."""

    def __init__(self, plan: TablePlan | None, pictures: TablePictures, played: RulebookPlay, problems: list[Problem]):
        self._plan, self._pictures, self._played, self._problems = plan, pictures, played, problems

    def read_players(self, body: BlockBody) -> int:
        """Return the number of players for the table that a block shows."""
        return int(body.read_number("players", 1, 100) or (self._plan.usual if self._plan is not None else 1))

    def make_table(
        self,
        body: BlockBody,
        example: Example | None,
        width: float,
        after: bool | None,
        most: float,
        *,
        numbered: bool,
        by: float = 1.0,
    ) -> TablePicture | None:
        """Return the picture of an example's table or the set-up, at most `width` mm wide; None for a problem.

        Its scale is at most `most`; `by` scales its height and its gaps. `numbered`: places have the numbers of the
        text. `after` tells if it is the table after the example's moves; if None, the block tells (`after:`).
        """
        if self._plan is None:
            body.add_problem("the data has no plan of the table", "write the section `tabletop:` (docs/rulebook.md)")
            return None
        before, high = len(self._problems), body.read_number("height", _LEAST, _MOST) or _HEIGHT
        room = TableRoom(width, high * by, by)
        if example is None and "example" in body:
            example = self._played.find_example(body.get_text("example"), body.place("example"), self._problems)
        if len(self._problems) > before:
            return None
        if example is not None:
            arranged = self._played.arrange_example(example, after=body.read_flag("after") if after is None else after)
            if arranged is None:
                return None
            zones, limits = arranged.list_zones(), (room, most)
            return self._make_laid_table(body, self._plan, zones, example.players, numbered, limits)
        players = self.read_players(body)
        if not self._played.allows_players(players):
            body.add_problem(f"there is no set-up for {players} players", "name another number", "players")
            return None
        named = self._plan.example.replace(PLAYERS, str(players))
        table = self._played.lay_table(players, named, body.place(), self._problems)
        if len(self._problems) > before:
            return None
        zones = table.list_zones() if table is not None else {}
        return self._make_laid_table(body, self._plan, zones, players, numbered, (room, most))

    def _make_laid_table(
        self,
        body: BlockBody,
        plan: TablePlan,
        zones: Zones,
        players: int,
        numbered: bool,
        limits: tuple[TableRoom, float],
    ) -> TablePicture | None:
        """Return the picture of a table with the pieces in `zones`, within `limits`: room, scale; None for problems."""
        only, before = [str(name) for name in body.read_entries("only")], len(self._problems)
        for name in only:
            if name not in plan.places:
                body.add_problem(f"unknown place '{name}'", did_you_mean(name, plan.places), "only")
        if len(self._problems) > before:
            return None
        room, most = limits
        made = self._pictures.compose_table(plan, zones, players, room, only, body.place(), most, numbered=numbered)
        for name in only:
            if name not in made.places:
                what = f"the place '{name}' is empty in this picture"
                body.add_problem(what, "leave it out, or give the place `room:`", "only")
        for name, number, under in made.homeless:
            pieces = "1 piece" if number == 1 else f"{number} pieces"
            what = f"no free space for {pieces} at '{name}' on the pieces at '{under}'"
            body.add_problem(what, "name spaces of its template in the plan of the table")
        box = made.figure.box
        if box.width > room.width + _SLACK or box.height > room.height + _SLACK:
            what = f"the table has no room in {room.width:.0f} x {room.height:.0f} mm, however small its pieces"
            body.add_problem(what, "show a part of it with `only: [places]`, or shorten the places' names")
        return made if len(self._problems) == before else None
