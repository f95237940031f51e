"""Table places: lays out everything on the page's table.

Lengths are in mm of the pieces; the page chooses the scale.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from generator.base.geometry import IDENTITY
from generator.base.languages import phrase
from generator.books.rulebook.table_content import PlacedPiece
from generator.books.rulebook.table_layout import BoardSpaces, find_spaces, find_spots
from generator.game.data_fields import TablePlace, TablePlan
from generator.game.model import Game, Kind
from generator.live.table_view import SeenPiece, find_owner
from generator.play.table_positions import LaidCell, LaidPlace, lay_places
from generator.play.table_text import player_name
from generator.rules.engine.table import piece_name, zone_kind, zone_name

Places = dict[str, dict[str, Any]]


class PlaceMaker:
    """Lays out what a viewer sees; `near` is the seat (from 1) at the lower edge, 0 for none.

    `asked` are zones that need a place even if empty, because a piece may be put there.
    """

    def __init__(
        self,
        game: Game,
        zones: Mapping[str, tuple[SeenPiece, ...]],
        players: int,
        near: int,
        asked: Sequence[str],
        lang: str,
        spots: BoardSpaces,
    ):
        self._game, self._zones, self._players, self._near, self._lang = game, zones, players, near, lang
        self._spots = spots
        self._rest = {zone: list(there) for zone, there in zones.items()}
        self._asked = [zone for zone in asked if zone not in zones]

    def make_places(self) -> dict[str, Any]:
        """Return `areas` (by seat, 0: the middle, from far to near), `places` by key, and the keys of those `aside`."""
        places: Places = {}
        areas = (
            self._make_planned_areas(self._game.tabletop, places)
            if self._game.tabletop
            else self._make_areas(lambda _seat: [], [])
        )
        covered = {cell["zone"] for place in places.values() for cell in (*place["cells"], *place["spaces"])}
        aside = set(self._game.tabletop.left_out) if self._game.tabletop else set[str]()
        left, loose = list[str](), dict[int, list[str]]()
        for zone in (*self._zones, *self._asked):
            if zone in covered:
                continue
            key = f"zone {zone}"
            places[key] = self._make_loose_place(zone)
            seat = find_owner(zone, self._players, {**self._zones, **dict.fromkeys(self._asked)})
            places[key]["seat"] = seat
            if zone in aside:
                left.append(key)
                continue
            area = next(area for area in areas if area["seat"] == seat)
            loose.setdefault(area["seat"], []).append(key)
        for area in areas:
            own = sorted(loose.get(area["seat"], ()), key=lambda key: self._zone_key(key, places))
            # A player's own zones come after what the plan places before the player, so that the hand stays nearest.
            area["rows"] = (
                [own, *area["rows"]] if own and area["seat"] else [*area["rows"], own] if own else area["rows"]
            )
        kept = [area for area in areas if any(area["rows"]) or (area["seat"] and self._players > 1)]
        return {"areas": kept, "places": places, "aside": left}

    def _make_areas(self, rows_of: Any, middle: list[Any]) -> list[dict[str, Any]]:
        seats = list(range(1, self._players + 1)) if self._players > 1 or self._near else []
        if self._players == 1:
            others, own = [], [1]
        else:
            own = [self._near] if self._near else []
            around = range(self._near, self._near + self._players) if self._near else range(self._players)
            others = [at % self._players + 1 for at in around if at % self._players + 1 in seats]
            others = [seat for seat in others if seat not in own]

        def name_player(seat: int) -> str:
            return player_name(seat - 1, self._lang)

        return [
            *({"seat": seat, "name": name_player(seat), "rows": rows_of(seat), "near": False} for seat in others),
            {"seat": 0, "name": phrase("table_middle", self._lang), "rows": middle, "near": False},
            *({"seat": seat, "name": name_player(seat), "rows": rows_of(seat), "near": True} for seat in own),
        ]

    def _make_planned_areas(self, plan: TablePlan, places: Places) -> list[dict[str, Any]]:
        """Add the table plan's places, with their pieces, to `places`. Return the areas as the plan arranges them."""
        known = {zone: {piece.design: 0 for piece in there} for zone, there in self._zones.items()}
        for zone, there in self._zones.items():
            for piece in there:
                known[zone][piece.design] += piece.number
        known |= {zone: {"": 0} for zone in self._asked}
        laid = lay_places(self._game, plan, known, self._players)
        by_key = {one.key: one for one in laid}
        for one in laid:
            if not one.place.on:
                made = self._make_place(one)
                if made is not None:
                    places[one.key] = made
        for one in laid:
            if one.place.on:
                self._lay_on(one, by_key, places)

        def keep_existing(entry: Any, seat: int) -> Any:
            if isinstance(entry, tuple):
                return [part for part in (keep_existing(one, seat) for one in entry) if part]
            key = f"{entry} {seat}" if seat else str(entry)
            return key if key in places else ""

        return self._make_areas(lambda seat: keep_existing(plan.seat, seat), keep_existing(plan.rows, 0))

    def _make_place(self, laid: LaidPlace) -> dict[str, Any] | None:
        """Return a place of the plan, or None for an empty one that reserves no room."""
        place = laid.place
        is_lent = any(one.out_of == place.id for one in self._plan_places())
        cells = [self._make_cell(cell, bool(place.out_of) or is_lent, place.face == "down") for cell in laid.cells]
        kept = place.room or any(cell.zone in self._asked for cell in laid.cells)
        if not kept and not any(cell["pieces"] for cell in cells):
            return None
        return {
            "name": self._name_place(laid), "lies": place.lies, "lines": list(place.lines), "gap": place.gap,
            "turned": place.turned, "seat": laid.seat, "room": place.room,
            "aid": not place.zone and not any(one.on == place.id for one in self._plan_places()), "cells": cells,
            "on": [], "spaces": [],
        }  # fmt: skip

    def _name_place(self, laid: LaidPlace) -> str:
        """Return a place's name; in front of another player, the form with that player's name if there is one."""
        theirs = laid.place.theirs
        if theirs is None or not laid.seat or laid.seat == self._near:
            return laid.place.name[self._lang]
        name = theirs[self._lang].replace("{player}", player_name(laid.seat - 1, self._lang))
        return name[:1].upper() + name[1:]

    def _plan_places(self) -> Iterable[TablePlace]:
        plan = self._game.tabletop
        return plan.places.values() if plan is not None else ()

    def _make_cell(self, cell: LaidCell, fewer: bool, down: bool) -> dict[str, Any]:
        pieces = self._zones.get(cell.zone, ()) if cell.zone else tuple(self._iter_fixed_pieces(cell))
        if fewer and cell.zone:
            pieces = tuple(_drop_lent_pieces(pieces, Counter(dict(cell.pieces))))
        if down:  # known pieces also lie face down
            pieces = tuple(piece if piece.hidden else replace(piece, turned=True) for piece in pieces)
        name = zone_name(self._game, cell.zone, self._lang) if cell.zone else ""
        shown = [self._make_piece(piece) for piece in self._find_standing(pieces)]
        return {"zone": cell.zone, "name": name, "pieces": shown}

    def _iter_fixed_pieces(self, cell: LaidCell) -> Iterator[SeenPiece]:
        """Yield pieces that only the table plan places, because the rules don't use them."""
        for name, number in cell.pieces:
            design = self._game.design(name)
            side = self._game.kinds[design.kind].faces(design)[0]
            called = piece_name(self._game, name, self._lang)
            yield SeenPiece(f"{name}@", name, side, number, False, False, called)

    def _find_standing(self, pieces: Sequence[SeenPiece]) -> list[tuple[SeenPiece, bool]]:
        """Return each piece with True if it is to be put on the one large piece, such as a board, that lies there."""
        areas = {piece.key: self._find_kind(piece).size.width * self._find_kind(piece).size.height for piece in pieces}
        if not areas:
            return []
        large = [piece for piece in pieces if areas[piece.key] >= max(areas.values()) / 2]
        alone = len(large) == 1 and large[0].number == 1 and len(pieces) > 1
        return [(piece, alone and piece not in large) for piece in pieces]

    def _make_piece(self, seen: tuple[SeenPiece, bool]) -> dict[str, Any]:
        piece, stands = seen
        return {
            "key": piece.key, "design": piece.design, "side": piece.side, "n": piece.number, "name": piece.name,
            "hidden": piece.hidden, "turned": piece.turned, "stands": stands,
        }  # fmt: skip

    def _find_kind(self, piece: SeenPiece) -> Kind:
        return self._game.kinds[piece.design.partition("/")[0]]

    def _lay_on(self, laid: LaidPlace, by_key: Mapping[str, LaidPlace], places: Places) -> None:
        """Add the pieces of `laid` to `places`, on spaces of the pieces below; put the others beside them."""
        key = f"{laid.place.on} {laid.seat}"
        key = key if key in places else laid.place.on
        if key not in places:
            return
        under = places[key]
        boards = [(piece, cell["zone"]) for cell in under["cells"] for piece in cell["pieces"]]
        kinds = self._game.kinds
        base = [
            PlacedPiece(piece["design"], zone, False, IDENTITY, kinds[piece["design"].partition("/")[0]].size)
            for piece, zone in boards
        ]
        board = self._spots.board
        left: dict[tuple[str, str], list[SeenPiece]] = defaultdict(list)
        for cell in laid.cells:
            pieces = self._zones.get(cell.zone, ()) if cell.zone else tuple(self._iter_fixed_pieces(cell))
            for piece in pieces:
                left[cell.zone, piece.design] += [piece] * piece.number
        for spot in find_spots(laid, by_key[key], base, by_key, board):
            piece = left[spot.zone, spot.design].pop(0)
            made = {**self._make_piece((piece, False)), "n": 1, "zone": spot.zone, "space": spot.space}
            under["on"].append({**made, "under": boards[spot.under][0]["key"], "matrix": list(spot.matrix)})
        for cell in laid.cells:
            for at, space in find_spaces(laid, cell, by_key[key], base, by_key, board):
                box = self._spots.find_box(base[at].design, space.id)
                if box is not None and cell.zone:
                    name, place = zone_name(self._game, cell.zone, self._lang), [box.x, box.y, box.width, box.height]
                    under["spaces"].append(
                        {"zone": cell.zone, "name": name, "under": boards[at][0]["key"], "box": place}
                    )
            beside = [piece for (zone, _), pieces in left.items() if zone == cell.zone for piece in pieces]
            if beside:
                homeless = places.setdefault(f"beside {key}", {**under, "name": self._name_place(laid)})
                if homeless["cells"] is under["cells"]:
                    homeless |= {"cells": [], "on": [], "spaces": [], "lies": "row", "room": ""}
                lying = [self._make_piece((piece, False)) for piece in dict.fromkeys(beside)]
                homeless["cells"].append({"zone": cell.zone, "name": homeless["name"], "pieces": lying})

    def _make_loose_place(self, zone: str) -> dict[str, Any]:
        """Return a place for a zone that is not in the table plan: a fan (hand), a pile (hidden) or a row of pieces."""
        there = self._zones.get(zone, ())
        number = sum(piece.number for piece in there)
        hand = zone_kind(zone).partition("-")[0] == "hand"
        hidden = all(piece.hidden for piece in there)
        lies = "fan" if hand and not hidden else "pile" if hidden and number > 1 else "row"
        name = zone_name(self._game, zone, self._lang)
        cell = {"zone": zone, "name": name, "pieces": [self._make_piece(piece) for piece in self._find_standing(there)]}
        return {
            "name": name, "lies": lies, "lines": [], "gap": 4.0, "turned": 0, "seat": 0, "room": "", "aid": False,
            "cells": [cell], "on": [], "spaces": [],
        }  # fmt: skip

    def _zone_key(self, key: str, places: Places) -> tuple[bool, int]:
        """Return a sort key for zones outside the plan: in the order of the data, hands last."""
        named, kind = list(self._game.zones), zone_kind(key.removeprefix("zone "))
        return places[key]["lies"] == "fan", named.index(kind) if kind in named else len(named)


def _drop_lent_pieces(pieces: Sequence[SeenPiece], counts: Counter[str]) -> Iterator[SeenPiece]:
    """Yield as many pieces of each design as `counts` says lie here; others are shown elsewhere. Use up `counts`."""
    for piece in pieces:
        number = min(piece.number, counts[piece.design])
        counts[piece.design] -= number
        if number:
            yield replace(piece, number=number)
