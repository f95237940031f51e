"""Figures of a rulebook: what a block asks for, composed of the components' faces as one drawing in mm."""

from collections.abc import Container, Sequence
from typing import NamedTuple

from generator.errors import Place, Problem, Unfit, did_you_mean
from generator.games.engine.contract import ALL_SEEN
from generator.model.drawing import Drawing, Paint
from generator.model.game import Example
from generator.model.phrases import count_phrase, phrase
from generator.model.text import Plain
from generator.pages.blocks import Figure, Origin, Text
from generator.rulebook.annotations.anchored import Anchor, Anchored, all_around
from generator.rulebook.annotations.callouts import call_out
from generator.rulebook.annotations.composed import anchored_pieces, parts_of_pieces, words_of_pieces
from generator.rulebook.annotations.leaders import MARGIN, Target
from generator.rulebook.annotations.numbers import CalloutNumbers
from generator.rulebook.faces import Faces, PiecePicture
from generator.rulebook.fenced import Body
from generator.rulebook.inline import InlineReader, words_of
from generator.rulebook.layouts import (
    BESIDE,
    WIDTH,
    Laid,
    bounds,
    fan_pieces,
    in_column,
    in_rows,
    pieces_as_drawing,
)
from generator.rulebook.on_boards import on_board
from generator.rulebook.played import RulebookPlay
from generator.rulebook.situations import HEIGHT, SituationSetter, ZoneRow, zone_rows
from generator.rulebook.tabletop.numbers import PlaceNumbers
from generator.rulebook.tabletop.picture import TablePictures
from generator.rulebook.tabletop.spots import BoardSpots
from generator.rulebook.tabletop.tables import TableMaker
from generator.svg.pieces_on_spaces import box
from generator.svg.printed_spaces import printed_spaces
from generator.units import Rect

_TABLETOP = "tabletop"
SHOW = ("one", "row", "fan", "column", "board", "situation", _TABLETOP)
KEYS = (
    *(
        "show",
        "of",
        "height",
        "side",
        "back",
        "pieces",
        "players",
        "example",
        "after",
        "zones",
        "hidden",
        "raised",
        "callouts",
        "seat",
        "laid",
        "only",
        "alt",
        "caption",
    ),
)
_HEIGHTS = {"one": 42.0, "row": 30.0, "fan": 36.0, "column": 36.0}
"""mm of the tallest piece, where nothing else is asked for."""

_CALLED_OUT = 60.0
"""The same, of a piece with callouts."""

_LEAST, _MOST = 3.0, 200.0


class Composed(NamedTuple):
    """A figure before it is drawn, what it shows in words, and the pieces in it whose parts have names."""

    figure: Anchored
    alt: str
    laid: Sequence[Laid] = ()


Key = tuple[tuple[Text, Place | None], ...]
"""The words to the numbers of a figure, with their places."""


def _scaled(around: Rect | None, scale: float) -> Rect:
    """A box of a board in the figure's mm."""
    if around is None:
        return Rect(0, 0, 0, 0)
    return Rect(around.x * scale, around.y * scale, around.width * scale, around.height * scale)


class FigureMaker:
    """Makes the figures of one book; what can't be shown goes to `problems`."""

    def __init__(
        self,
        faces: Faces,
        inline: InlineReader,
        played: RulebookPlay,
        numbers: CalloutNumbers,
        places: PlaceNumbers,
        paint: Paint,
        problems: list[Problem],
    ):
        """`paint` is the accent of the book."""
        self._faces, self._inline, self._played, self._problems = faces, inline, played, problems
        self._numbers, self._paint = numbers, paint
        pictures = TablePictures(faces, BoardSpots(faces).board, places, paint)
        self._tables = TableMaker(faces.workshop.game.tabletop, pictures, played, problems)

    def figure(self, body: Body, default: str = "row", example: Example | None = None) -> Figure | None:
        """The figure that a block describes, by `default` of this kind, an `example`'s; None for a problem."""
        before = len(self._problems)
        body.keys(*KEYS)
        usual = "situation" if default != _TABLETOP and ("players" in body or "example" in body) else default
        show = body.choice("show", SHOW, usual)
        if "raised" in body and show not in ("row", "situation"):
            body.problem(f"nothing is raised in a {show}", "use `show: row`, or a situation", "raised")
        beside = body.choice("side", ("block", "beside"), "block") == "beside"
        if len(self._problems) > before:
            return None
        if "callouts" in body and beside:
            body.problem(
                "a figure with callouts stands by itself", "leave `side` out: its key stands beside it", "side"
            )
        width = BESIDE if beside else WIDTH - 2 * MARGIN if "callouts" in body else WIDTH
        if show == _TABLETOP:
            made = self._tabletop(body)
        elif show == "situation":
            made = self._situation(body, example)
        elif show == "board":
            made = self._board(body, width)
        else:
            made = self._lay_out(body, show, width)
        if made is None:
            return None
        key: Key = ()
        if "callouts" in body:
            called = self._call_out(body, made)
            if called is None:
                return None
            made, key = called
        caption = self._text(body, "caption") or self._first_choice(body, show)
        alt = body.text("alt") or made.alt or words_of(caption)
        alt += "".join([f"; {number}: {words_of(text)}" for number, (text, _) in enumerate(key, start=1)])
        drawing = made.figure.drawing(self._faces.lang, alt)
        origin = Origin(body.begins, tuple([place for _, place in key]))
        words = tuple([text for text, _ in key])
        return Figure(drawing, alt, caption, "beside" if beside else "block", origin, words)

    def _call_out(self, body: Body, made: Composed) -> tuple[Composed, Key] | None:
        """The picture with its numbers, and the words to each with their places; None for a problem."""
        inner, fonts = body.inner("callouts"), self._faces.workshop.fonts
        parts = parts_of_pieces(made.laid, fonts)
        known = [*parts, *made.figure.anchors]
        names = [str(name) for name in body.mapping("callouts")]
        before = len(self._problems)
        if not names:
            body.problem("there is nothing in callouts", "write `callouts: {part: words}`", "callouts")
        targets = []
        for name in names:
            anchor = made.figure.anchors.get(name)
            if name in parts:
                targets.append(Target(name, *parts[name]))
            elif anchor is not None:
                targets.append(Target(name, anchor.box))
            else:
                what = f"{made.alt} has no part '{name}'"
                hint = did_you_mean(name, known) if known else 'give an element of its template an id="..."'
                inner.problem(what, hint, name)
        if len(self._problems) > before:
            return None
        words = (*words_of_pieces(made.laid, fonts), *made.figure.words)
        try:
            called = call_out(made.figure, targets, words, self._faces.workshop, self._paint)
        except Unfit as mistake:
            body.problem(str(mistake), mistake.hint, "callouts")
            return None
        self._numbers.figure(called.names)
        key = tuple(
            [(self._inline.plain(inner.text(name), inner.place(name)), inner.place(name)) for name in called.names]
        )
        return Composed(called.figure, made.alt, made.laid), key

    def single(self, piece: PiecePicture, height: float, origin: Origin) -> Figure:
        """A small picture beside the words about it."""
        scale = min(1.0, height / piece.height, BESIDE / piece.width)
        laid: list[Laid] = [(piece, (scale, 0.0, 0.0, scale, 0.0, 0.0), scale)]
        return Figure(pieces_as_drawing(laid, self._faces.lang, piece.name), piece.name, (), "beside", origin)

    def _lay_out(self, body: Body, show: str, width: float) -> Composed | None:
        pieces = self._pieces(body)
        if not pieces:
            return None
        height = body.number("height", _LEAST, _MOST)
        tallest = max(piece.height for piece in pieces)
        usual = _CALLED_OUT if "callouts" in body else _HEIGHTS[show]
        scale = height / tallest if height else min(1.0, usual / tallest)
        raised = body.numbers("raised", len(pieces))
        laid = self._layout(show, pieces, scale, width, raised)
        wide = bounds(laid).width
        if wide > width:
            laid = self._layout(show, pieces, scale * width / wide, width, raised)
        return Composed(anchored_pieces(laid), self._names(pieces), laid)

    def _layout(
        self, show: str, pieces: Sequence[PiecePicture], scale: float, width: float, raised: Container[int]
    ) -> list[Laid]:
        if show == "fan":
            return fan_pieces(pieces, scale)
        if show == "column":
            return in_column(pieces, scale)
        return in_rows(pieces, scale, width, raised)

    def _pieces(self, body: Body) -> list[PiecePicture]:
        wanted, before = body.entries("of"), len(self._problems)
        if not wanted:
            if len(self._problems) == before:
                body.problem(f"the {body.name} block names no component", "add `of: ...`")
            return []
        return self._faces.pieces(wanted, body.place("of"), back=body.flag("back"))

    def _board(self, body: Body, width: float) -> Composed | None:
        boards = self._pieces(body)
        if not boards:
            return None
        board = boards[0]
        if len(boards) > 1:
            body.problem(f"a board figure shows one board, not {len(boards)}", "name one", "of")
        height = body.number("height", _LEAST, _MOST)
        scale = min(height / board.height if height else 1.0, width / board.width)
        face = Drawing(board.width, board.height, 0.0, board.symbol.items)
        spaces = {space.id: space for space in printed_spaces(face)}
        on: dict[str, list[PiecePicture | None]] = {}
        for name in body.mapping("pieces"):
            on[str(name)] = self._on_space(body, str(name))
        try:
            laid = on_board(board, scale, spaces, on)
        except Unfit as mistake:
            body.problem(str(mistake), mistake.hint, "pieces")
            return None
        names = [piece.name for there in on.values() for piece in there if piece is not None]
        figure = anchored_pieces(laid)
        around = {name: Anchor(_scaled(all_around(map(box, space.outlines)), scale)) for name, space in spaces.items()}
        on_it = Anchored(figure.items, figure.box, around)
        return Composed(on_it, self._list([board.name, *names]), laid)

    def _tabletop(self, body: Body) -> Composed | None:
        made = self._tables.set_up(body)
        return Composed(made[0], made[1]) if made is not None else None

    def _on_space(self, body: Body, name: str) -> list[PiecePicture | None]:
        """What lies on a space of a board; nothing on a place that stays free."""
        laid: list[PiecePicture | None] = []
        for wanted in body.inner("pieces").entries(name):
            laid += [None] if wanted is None else self._faces.pieces([wanted], body.place("pieces", name))
        return laid

    def _situation(self, body: Body, example: Example | None) -> Composed | None:
        place = body.place()
        if example is None and "example" in body:
            example = self._played.example(body.text("example"), body.place("example"), self._problems)
            if example is None:
                return None
        if example is not None:
            table = self._played.arranged(example, after=body.flag("after"))
        else:
            players = body.number("players", 1, 100)
            if players is None:
                body.problem("a situation needs `players` or `example`", "add `players: ...`")
                return None
            table = self._played.set_up(int(players), body.place("players"), self._problems)
        if table is None:
            return None
        eyes: int | None = ALL_SEEN
        if body.text("seat") != "all":
            seat = body.number("seat", 1, table.box.players)
            eyes = None if seat is None else int(seat) - 1
        if body.choice("laid", ("zones", "table"), "zones") == "table":
            by_plan = self._tables.laid(body, table.zones(), table.box.players)
            return Composed(by_plan[0], by_plan[1]) if by_plan is not None else None
        wanted, hidden = ([str(zone) for zone in body.entries(key)] for key in ("zones", "hidden"))
        rows = zone_rows(table, self._faces, wanted, eyes, hidden, place)
        if not rows:
            body.problem("the situation shows no zone", f"there are {', '.join(table.zones())}", "zones")
            return None
        rows = self._lift_pieces(rows, body)
        return self._drawn_zones(rows, body.number("height", _LEAST, _MOST) or HEIGHT)

    def _lift_pieces(self, rows: list[ZoneRow], body: Body) -> list[ZoneRow]:
        """The zones with what is raised in each; a list alone is meant for an only zone."""
        if "raised" not in body:
            return rows
        zones = {row.zone: row for row in rows}
        if not body.has_mapping("raised"):
            if len(rows) > 1:
                body.problem("`raised` does not say in which zone", "write `raised: {zone: [numbers]}`", "raised")
                return rows
            return [row.lifted(body.numbers("raised", len(row.heaps))) for row in rows]
        inner = body.inner("raised")
        inner.keys(*zones)
        return [
            row.lifted(inner.numbers(row.zone, len(row.heaps))) if row.zone in inner else row for row in zones.values()
        ]

    def _drawn_zones(self, rows: Sequence[ZoneRow], height: float) -> Composed:
        figure = SituationSetter(self._faces, rows, height).figure()
        return Composed(figure, "; ".join(row.words for row in rows))

    def _text(self, body: Body, key: str) -> Text:
        place: Place | None = body.place(key)
        return self._inline.plain(body.text(key), place) if key in body else ()

    def _first_choice(self, body: Body, show: str) -> Text:
        """What a table shows where the writer has no words for it and the rules may have played on."""
        if show == _TABLETOP and "caption" not in body and "example" not in body:
            plan = self._faces.workshop.game.tabletop
            players = int(body.number("players", 1, 100) or (plan.usual if plan else 1))
            return (Plain(count_phrase("table_set_up", self._faces.lang, players)),)
        if show != "situation" or "players" not in body or "caption" in body or "alt" in body:
            return ()
        if not self._played.runs_on:
            return ()
        return (Plain(count_phrase("first_choice", self._faces.lang, int(body.number("players", 1, 100) or 1))),)

    def _names(self, pieces: Sequence[PiecePicture]) -> str:
        return self._list([piece.name for piece in pieces])

    def _list(self, names: Sequence[str]) -> str:
        """Names, each once with its number."""
        counted = dict.fromkeys(names, 0)
        for name in names:
            counted[name] += 1
        shown = [f"{name} ×{number}" if number > 1 else name for name, number in counted.items()]
        return phrase("and", self._faces.lang).join(shown)
