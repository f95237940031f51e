"""Figure composer: makes figures of pieces, tables and game situations, or of two of them, scaled to fit."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from math import inf
from typing import cast

from generator.base.display_list import Drawing, Paint
from generator.base.errors import InvalidInput
from generator.base.geometry import Rect
from generator.base.languages import phrase
from generator.books.rulebook.callouts import KEYS as EXPLAINED
from generator.books.rulebook.callouts import MARGIN, Composed, FigureAnnotator, Key
from generator.books.rulebook.figure_marks import CalloutNumbers
from generator.books.rulebook.inline_text import InlineReader
from generator.books.rulebook.manuscript import BlockBody
from generator.books.rulebook.piece_pictures import (
    BESIDE,
    WIDTH,
    Anchor,
    Anchored,
    PieceFaces,
    PiecePicture,
    WordLine,
    enclose_boxes,
    lay_on_board,
    lay_out_pieces,
    measure_pieces,
)
from generator.books.rulebook.rulebook_play import RulebookPlay
from generator.books.rulebook.sequences import (
    ARROW_ROOM,
    TOWARDS,
    CardColumn,
    Towards,
    anchor_pieces,
    draw_card_grid,
    draw_card_path,
    draw_change,
    list_names,
)
from generator.books.rulebook.situations import HEIGHT, SituationSetter, ZoneReader, lift_zone_rows
from generator.books.rulebook.table_pictures import TableMaker
from generator.drawing.svg.face_areas import find_printed_spaces, measure_outline_box
from generator.game.model import Example

TABLETOP = "tabletop"

_PIECES = ("of", "back")
_PLAYED = ("players", "example", "after")
_ZONES = (*_PLAYED, "zones", "seat", "hidden")
_SITUATION = (*_ZONES, "labels", "raised", "laid", "only")

READ = {
    "one": _PIECES, "row": (*_PIECES, "raised"), "fan": _PIECES, "column": _PIECES, "board": (*_PIECES, "pieces"),
    "situation": _SITUATION, "change": (*_SITUATION, "before"),
    "grid": ("columns", "back", *_ZONES, "towards", "labels", "whole", "ends"),
    "path": (*_PIECES, *_ZONES, "ends", "next"), TABLETOP: (*_PLAYED, "only"),
}  # fmt: skip
"""The keys of a block that each kind of figure (`show:`) uses."""

SHOW = tuple(READ)
OF_ALL = ("show", "height", "side", "alt", "caption", *EXPLAINED)
KEYS = tuple(dict.fromkeys([*OF_ALL, *(key for keys in READ.values() for key in keys)]))
INNER = tuple(key for key in KEYS if key not in ("side", "caption", "callouts", "before", "example", "players"))
"""Keys allowed in each half of a before-and-after figure; keys for both are written in the outer block."""

_BOTH = ("before", "after", "example")

_LISTED = {"grid": "columns", "path": "of"}
"""The key that lists a figure's pieces directly; without it the figure shows zones of a situation."""


def find_unread_keys(body: BlockBody, show: str, *, played: bool) -> Iterator[tuple[str, str, str]]:
    """Yield keys without effect in a figure of kind `show` (`played`: of an example), with a message and a remedy."""
    for key in body:
        if key not in OF_ALL and key not in READ[show] and key in KEYS:
            kinds = ", ".join(kind for kind, keys in READ.items() if key in keys)
            yield key, f"`{key}` says nothing in a {show}", f"leave it out; it goes with `show: {kinds}`"
    for key, why in _find_excluded_keys(body, show, played=played):
        if key in body and key in READ[show]:
            yield key, f"`{key}` says nothing {why}", "leave out one of them"


def _find_excluded_keys(body: BlockBody, show: str, *, played: bool) -> Iterator[tuple[str, str]]:
    """Yield keys without effect in a figure of kind `show` due to other keys or an example (`played`), and why."""
    if played:
        yield from ((key, "in the figure of an example, which has its own") for key in ("example", "players"))
    if show == "change" and body.has_mapping("before"):
        yield from ((key, "beside `before` and `after`, each a figure") for key in READ["change"] if key not in _BOTH)
        return
    if show == "change" and not body.has_mapping("after"):
        yield "after", "in a change, which shows both"
    listed = _LISTED.get(show, "")
    if listed and listed in body:
        yield from ((key, f"beside `{listed}`") for key in _ZONES)
    elif listed:
        yield "back", f"without `{listed}`"
    if "example" in body and "players" in body and not played:
        yield "players", "beside `example`, which has its own"
    if "players" in body and not played and "example" not in body and show != "change":
        yield "after", "without `example`"
    if "laid" in body and body.read_word("laid") == "table":
        yield from ((key, "with `laid: table`") for key in ("zones", "labels", "seat", "hidden", "raised"))
    elif show in ("situation", "change"):
        yield "only", "without `laid: table`"


_HEIGHTS = {"one": 42.0, "row": 30.0, "fan": 36.0, "column": 36.0, "grid": 30.0, "path": 30.0}
"""Default height of the tallest piece (mm)."""

_CALLED_OUT = 60.0
"""Default height of a piece with callouts (mm)."""

_SAME_SCALE = 1e-6
_CLOSER = 0.75
"""Before and after are put side by side if that is lower than this share of their height below each other."""

_LEAST, _MOST = 3.0, 200.0


class FigureComposer:
    """Composes a book's figures, at most `width` mm wide, with pieces `by` times their size; adds to `problems`."""

    def __init__(
        self,
        faces: PieceFaces,
        inline: InlineReader,
        played: RulebookPlay,
        numbers: CalloutNumbers,
        tables: TableMaker,
        paint: Paint,
        by: float = 1.0,
        width: float = WIDTH,
    ):
        """Store helpers, the accent colour `paint`, the width (mm) of figures and `by`, which scales their pieces."""
        self._faces, self._played, self._problems = faces, played, faces.problems
        self._by, self._width, self._paint, self._tables = by, width, paint, tables
        self._zones = ZoneReader(faces, played)
        self._explainer = FigureAnnotator(faces, inline, numbers, paint)

    def compose_annotated(self, body: BlockBody, show: str, example: Example | None) -> tuple[Composed, Key] | None:
        """Return a block's figure of kind `show`, annotated, and the key to its numbers; None if it has problems."""
        beside = body.read_choice("side", ("block", "beside"), "block") == "beside"
        made = self._compose_figure(body, show, BESIDE * self._by if beside else self._width, example)
        return self._explainer.annotate_figure(body, made) if made is not None else None

    def read_figure_kind(self, body: BlockBody, choices: Iterable[str], default: str, example: Example | None) -> str:
        """Return which of `choices` a block asks for, or the default. Report keys that have no effect in it."""
        usual = "situation" if default != TABLETOP and ("players" in body or "example" in body) else default
        before = len(self._problems)
        show = body.read_choice("show", choices, usual)
        if len(self._problems) == before:
            for key, what, hint in find_unread_keys(body, show, played=example is not None):
                body.add_problem(what, hint, key)
        return show

    def _read_piece_height(self, body: BlockBody, usual: float) -> float:
        return (body.read_number("height", _LEAST, _MOST) or usual) * self._by

    def _compose_figure(
        self,
        body: BlockBody,
        show: str,
        width: float,
        example: Example | None,
        after: bool | None = None,
        most: float = inf,
    ) -> Composed | None:
        """Return the figure of a block, without arrows and numbers, or None if it has problems, which are noted.

        `most` limits the pieces' scale. `after` picks an example's end (True) or beginning; None: the block says which.
        """
        if "callouts" in body:
            width -= 2 * MARGIN
        if show == TABLETOP:
            return self._compose_tabletop(body, example, width, after, most, numbered=True)
        if show == "situation":
            return self._compose_situation(body, example, width, after, most)
        if show == "board":
            return self._compose_board(body, width, most)
        if show == "change":
            return self._compose_change(body, width, example)
        if show == "grid":
            return self._compose_grid(body, width, example, after, most)
        if show == "path":
            return self._compose_path(body, width, example, after, most)
        return self._compose_pieces(body, show, width, most)

    def _compose_change(self, body: BlockBody, width: float, example: Example | None) -> Composed | None:
        """Return a before-and-after figure, of an example or of two figures in the block; side by side if that fits."""
        both = self._compose_sides(body, width, example)
        if both is not None and sum(side.figure.box.width for side in both) + ARROW_ROOM > width:
            tall = sum(side.figure.box.height for side in both)
            close = self._compose_sides(body, (width - ARROW_ROOM) / 2, example)
            if close is not None and max(side.figure.box.height for side in close) < tall * _CLOSER:
                both = close
        if both is None:
            return None
        before, after = both
        said = [phrase(name, self._faces.lang) for name in ("change_before", "change_after")]
        lines = [self._faces.set_line_of_words(words, body.place(), self._paint) for words in said]
        figure = draw_change(before.figure, after.figure, (lines[0], lines[1]), width, self._paint)
        alt = "; ".join(f"{words}: {side.alt}" for words, side in zip(said, both, strict=True))
        return Composed(figure, alt)

    def _compose_sides(
        self, body: BlockBody, width: float, example: Example | None, most: float = inf
    ) -> tuple[Composed, Composed] | None:
        """Return the figures before and after, both at the smaller scale (`most` at most); None for a problem."""
        if example is None and "example" in body:
            example = self._played.find_example(body.get_text("example"), body.place("example"), self._problems)
            if example is None:
                return None
        described = body.has_mapping("before") or body.has_mapping("after")
        sides = []
        for side in ("before", "after"):
            if body.has_mapping(side):
                made = self._compose_side(body.read_inner(side), width, example, side == "after", most)
            elif example is not None and not described:
                made = self._compose_situation(body, example, width, side == "after", most)
            else:
                body.add_problem(f"a change needs `example`, or `before` and `after`; `{side}` is missing", "add it")
                made = None
            if made is None:
                return None
            sides.append(made)
        before, after = sides
        least = min(before.scale, after.scale)
        if most == inf and abs(before.scale - after.scale) > _SAME_SCALE:
            return self._compose_sides(body, width, example, least)
        return before, after

    def _compose_side(
        self, inner: BlockBody, width: float, example: Example | None, after: bool, most: float
    ) -> Composed | None:
        told = len(self._problems)
        inner.check_keys(*INNER)
        default = "row" if example is None or {"of", "columns"} & {*inner} else "situation"
        show = self.read_figure_kind(inner, [kind for kind in SHOW if kind != "change"], default, example)
        if len(self._problems) > told:
            return None
        composed = self._compose_figure(inner, show, width, example, after, most)
        explained = self._explainer.annotate_figure(inner, composed) if composed is not None else None
        if explained is None:
            return None
        return explained[0]._replace(alt=inner.get_text("alt") or explained[0].alt)

    def _compose_grid(
        self, body: BlockBody, width: float, example: Example | None, after: bool | None, most: float
    ) -> Composed | None:
        """Return columns of cards as on the table, from lists of ids or an example's zones; None for a problem."""
        columns = self._read_columns(body, example, after)
        if not columns or not any(pieces for _, pieces, _ in columns):
            if columns is not None:
                body.add_problem("the grid shows no card", "add `columns: [[ids], [ids]]`, or `example` and `zones`")
            return None
        said = self._read_labels(body, [label for _, _, label in columns], "columns")
        if said is None:
            return None
        tallest = max(piece.height for _, pieces, _ in columns for _, piece in pieces)
        scale = min(self._by, most, self._read_piece_height(body, _HEIGHTS["grid"]) / tallest)
        towards = cast(Towards, body.read_choice("towards", TOWARDS, "down"))
        shown = [
            CardColumn(names, pieces, self._faces.set_line_of_words(label, body.place("labels")) if label else None)
            for (names, pieces, _), label in zip(columns, said, strict=True)
        ]
        whole, ends = body.read_flag("whole"), self._read_ends(body)
        figure = draw_card_grid(shown, towards, scale, whole, ends, self._paint)
        if figure.box.width > width:
            scale *= width / figure.box.width * 0.97
            figure = draw_card_grid(shown, towards, scale, whole, ends, self._paint)
        told = zip(said, ([piece for _, piece in pieces] for _, pieces, _ in columns), strict=True)
        alt = "; ".join(f"{label}: {self._join_names(pieces) or '–'}".lstrip(": ") for label, pieces in told)
        return Composed(figure, alt, scale=scale)

    def _read_labels(self, body: BlockBody, usual: list[str], things: str) -> list[str] | None:
        """Return the block's labels, else the `usual`; None for a wrong number of them. `things`: what they label."""
        labels = [str(label) for label in body.read_entries("labels")]
        if labels and len(labels) != len(usual):
            body.add_problem(f"there are {len(usual)} {things} and {len(labels)} labels", "give each its own", "labels")
            return None
        return labels or usual

    def _read_columns(
        self, body: BlockBody, example: Example | None, after: bool | None
    ) -> list[tuple[list[str], list[tuple[str, PiecePicture]], str]] | None:
        """Return a grid's columns: names, pieces by name, label; None for a problem. `after`: at an example's end."""
        found: list[tuple[list[str], list[tuple[str, PiecePicture]], str]] = []
        if "columns" in body:
            before = len(self._problems)
            for number, wanted in enumerate(body.read_entries("columns"), start=1):
                listed = wanted if isinstance(wanted, list) else [wanted]
                pieces = self._faces.find_pieces(listed, body.place("columns"), back=body.read_flag("back"))
                if pieces or not listed:
                    found.append(([str(number)], [(f"{number} {at}", one) for at, one in enumerate(pieces, 1)], ""))
            return None if len(self._problems) > before else found
        zones = body.read_entries("zones")
        wanted = [[str(zone) for zone in (one if isinstance(one, list) else [one])] for one in zones]
        rows = self._zones.read_rows(body, example, after, [zone for column in wanted for zone in column])
        if rows is None:
            return None
        for column in wanted or [[row.zone] for row in rows]:
            here = [row for pattern in column for row in rows if fnmatchcase(row.zone, pattern)]
            for some in [here] if len(column) > 1 else [[row] for row in here]:
                named = [
                    (f"{row.zone} {at}", heap.piece)
                    for row in some
                    for at, heap in enumerate((one for one in row.heaps for _ in range(one.number)), start=1)
                ]
                if some:
                    found.append(([row.zone for row in some], named, some[0].label))
        return found

    def _compose_path(
        self, body: BlockBody, width: float, example: Example | None, after: bool | None, most: float
    ) -> Composed | None:
        """Return cards in a line between two ends, from a list of ids or an example's zone; None without cards."""
        if "of" in body:
            pieces = self._read_pieces(body)
        else:
            rows = self._zones.read_rows(body, example, after)
            if rows is None:
                return None
            pieces = [heap.piece for row in rows for heap in row.heaps for _ in range(heap.number)]
        if not pieces:
            return None
        place = body.read_number("next", 1, len(pieces) + 1)
        tallest = max(piece.height for piece in pieces)
        scale = min(self._by, most, self._read_piece_height(body, _HEIGHTS["path"]) / tallest)
        ends, at = self._read_ends(body), None if place is None else int(place)
        figure = draw_card_path(pieces, scale, ends, at, self._paint)
        if figure.box.width > width:
            scale *= width / figure.box.width * 0.97
            figure = draw_card_path(pieces, scale, ends, at, self._paint)
        return Composed(figure, " – ".join(piece.name for piece in pieces), scale=scale)

    def _read_ends(self, body: BlockBody) -> tuple[WordLine, WordLine] | None:
        ends = [str(end) for end in body.read_entries("ends")]
        if len(ends) not in (0, 2):
            body.add_problem(f"there are two ends, not {len(ends)}", "write `ends: [first, last]`", "ends")
        if len(ends) != 2:
            return None
        first, last = (self._faces.set_line_of_words(end, body.place("ends"), self._paint) for end in ends)
        return first, last

    def _compose_pieces(self, body: BlockBody, show: str, width: float, most: float) -> Composed | None:
        pieces = self._read_pieces(body)
        if not pieces:
            return None
        tallest = max(piece.height for piece in pieces)
        usual = _CALLED_OUT if "callouts" in body else _HEIGHTS[show]
        scale = min(most, self._read_piece_height(body, min(tallest, usual)) / tallest)
        raised = body.read_numbers("raised", len(pieces))
        laid = lay_out_pieces(show, pieces, scale, width, raised)
        wide = measure_pieces(laid).width
        if show == "one" and len(pieces) > 1:
            what = f"a figure of one piece shows one, not {len(pieces)}"
            body.add_problem(what, "name one, or use `show: row`", "of")
            return None
        if wide > width:
            scale *= width / wide
            laid = lay_out_pieces(show, pieces, scale, width, raised)
        return Composed(anchor_pieces(laid), self._join_names(pieces), laid, scale)

    def _read_pieces(self, body: BlockBody) -> list[PiecePicture]:
        wanted, before = body.read_entries("of"), len(self._problems)
        if not wanted and len(self._problems) == before:
            body.add_problem(f"the {body.name} block names no component", "add `of: ...`")
        return self._faces.find_pieces(wanted, body.place("of"), back=body.read_flag("back"))

    def _compose_board(self, body: BlockBody, width: float, most: float) -> Composed | None:
        boards = self._read_pieces(body)
        if not boards:
            return None
        board = boards[0]
        if len(boards) > 1:
            body.add_problem(f"a board figure shows one board, not {len(boards)}", "name one", "of")
        scale = min(most, self._read_piece_height(body, board.height) / board.height, width / board.width)
        face = Drawing(board.width, board.height, 0.0, board.symbol.items)
        spaces = {space.id: space for space in find_printed_spaces(face)}
        on: dict[str, list[PiecePicture | None]] = {}
        for name in map(str, body.read_mapping("pieces")):
            on[name] = []
            for wanted in body.read_inner("pieces").read_entries(name):
                # None is a place that stays free.
                on[name] += [None] if wanted is None else self._faces.find_pieces([wanted], body.place("pieces", name))
        try:
            laid = lay_on_board(board, scale, spaces, on)
        except InvalidInput as mistake:
            body.add_problem(str(mistake), mistake.hint, "pieces")
            return None
        names = [piece.name for there in on.values() for piece in there if piece is not None]
        figure = anchor_pieces(laid)
        boxes = {name: enclose_boxes(map(measure_outline_box, space.outlines)) for name, space in spaces.items()}
        around = {name: Anchor(box.scale(scale) if box else Rect(0, 0, 0, 0)) for name, box in boxes.items()}
        on_it = Anchored(figure.items, figure.box, around)
        return Composed(on_it, list_names([board.name, *names], self._faces.lang), laid, scale)

    def _compose_tabletop(
        self, body: BlockBody, example: Example | None, width: float, after: bool | None, most: float, *, numbered: bool
    ) -> Composed | None:
        made = self._tables.make_table(body, example, width, after, most, numbered=numbered, by=self._by)
        return Composed(made.figure, made.words, scale=made.scale) if made is not None else None

    def _compose_situation(
        self, body: BlockBody, example: Example | None, width: float, after: bool | None = None, most: float = inf
    ) -> Composed | None:
        if body.read_choice("laid", ("zones", "table"), "zones") == "table":
            return self._compose_tabletop(body, example, width, after, most, numbered=False)
        rows = self._zones.read_rows(body, example, after)
        said = self._read_labels(body, [row.label for row in rows], "zones") if rows is not None else None
        if rows is None or said is None:
            return None
        rows = [replace(row, label=label) for row, label in zip(lift_zone_rows(rows, body), said, strict=True)]
        setter = SituationSetter(self._faces, rows, self._read_piece_height(body, HEIGHT), width, most)
        return Composed(setter.set_figure(), "; ".join(row.words for row in rows), scale=setter.scale)

    def _join_names(self, pieces: Sequence[PiecePicture]) -> str:
        return list_names([piece.name for piece in pieces], self._faces.lang)
