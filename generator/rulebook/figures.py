"""Figures of a rulebook: what a block asks for, composed of the components' faces as one drawing in mm."""

from collections.abc import Container, Mapping, Sequence
from math import ceil

from generator.errors import Place, Problem, Unfit, did_you_mean
from generator.games.engine.contract import ALL_SEEN, Zones
from generator.model.drawing import Drawing
from generator.model.game import Example
from generator.model.geometry import Matrix
from generator.model.phrases import count_phrase, phrase
from generator.model.text import Plain
from generator.pages.blocks import Figure, Origin, Text
from generator.rulebook.faces import Faces, PiecePicture
from generator.rulebook.fenced import Body
from generator.rulebook.inline import InlineReader, words_of
from generator.rulebook.layouts import (
    BESIDE,
    WIDTH,
    Laid,
    bounds,
    drawing_of,
    fan_pieces,
    in_column,
    in_rows,
    pieces_as_drawing,
)
from generator.rulebook.played import RulebookPlay
from generator.rulebook.situations import HEIGHT, SituationSetter, ZoneRow, zone_rows
from generator.rulebook.tabletop.layout import Board, BoardSpace
from generator.rulebook.tabletop.picture import TablePictures
from generator.svg.pieces_on_spaces import box
from generator.svg.printed_spaces import PrintedSpace, printed_spaces
from generator.units import Rect, Size

_PILE_STEP = 0.9
"""How far the pieces of a pile are shifted, mm of the board."""

_SLACK = 0.3


def on_board(
    board: PiecePicture,
    scale: float,
    spaces: Mapping[str, PrintedSpace],
    pieces: Mapping[str, Sequence[PiecePicture | None]],
) -> list[Laid]:
    """The board with pieces on it, None for a place that stays free; Unfit for a space or number that can't be."""
    laid: list[Laid] = [(board, (scale, 0.0, 0.0, scale, 0.0, 0.0), scale)]
    for name, wanted in pieces.items():
        if name not in spaces:
            raise Unfit(f"{board.id} has no space '{name}'", did_you_mean(name, spaces))
        space = spaces[name]
        if space.holds is not None and len(wanted) > space.holds:
            raise Unfit(f"the space '{name}' holds {space.holds}, not {len(wanted)}", "take some away")
        for piece, around in zip(wanted, _places(space, wanted), strict=True):
            if piece is not None:
                laid.append((piece, _on(piece, around, scale), scale))
    return laid


def _places(space: PrintedSpace, wanted: Sequence[PiecePicture | None]) -> list[Rect]:
    """Where so many pieces lie: one on each outline, in rows within a single one, shifted on a pile."""
    number = len(wanted)
    boxes = _inner([box(outline) for outline in space.outlines], [piece for piece in wanted if piece is not None])
    if not boxes:
        raise Unfit(f"the space '{space.id}' paints no outline for its pieces", "draw one in its group")
    if len(boxes) >= number:
        return boxes[:number]
    around = boxes[0]
    if space.holds is None:
        return [around.moved(_PILE_STEP * at, -_PILE_STEP * at) for at in range(number)]
    columns = ceil((number * around.width / around.height) ** 0.5)
    rows = ceil(number / columns)
    wide, high = around.width / columns, around.height / rows
    return [Rect(around.x + at % columns * wide, around.y + at // columns * high, wide, high) for at in range(number)]


def _inner(boxes: list[Rect], pieces: Sequence[PiecePicture]) -> list[Rect]:
    """Outlines that are places: of several those that are large enough and surround no other such one."""
    if len(boxes) > 1:
        large = [
            around for around in boxes if all(_upright(piece, around) or _is_turned(piece, around) for piece in pieces)
        ]
        boxes = large or boxes
    return [around for around in boxes if not any(around.holds(other) and other != around for other in boxes)]


def _upright(piece: PiecePicture, around: Rect) -> bool:
    return piece.width <= around.width + _SLACK and piece.height <= around.height + _SLACK


def _is_turned(piece: PiecePicture, around: Rect) -> bool:
    return piece.height <= around.width + _SLACK and piece.width <= around.height + _SLACK


def _on(piece: PiecePicture, around: Rect, scale: float) -> Matrix:
    """The piece with its middle on a place's, turned by a quarter where only that fits."""
    x, y = (around.x + around.width / 2) * scale, (around.y + around.height / 2) * scale
    if _is_turned(piece, around) and not _upright(piece, around):
        return (0.0, scale, -scale, 0.0, x + piece.height * scale / 2, y - piece.width * scale / 2)
    return (scale, 0.0, 0.0, scale, x - piece.width * scale / 2, y - piece.height * scale / 2)


SHOW = ("one", "row", "fan", "column", "board", "situation")
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
        "seat",
        "laid",
        "only",
        "alt",
        "caption",
    ),
)
_HEIGHTS = {"one": 42.0, "row": 30.0, "fan": 36.0, "column": 36.0}
"""mm of the tallest piece, where nothing else is asked for."""

_LEAST, _MOST = 3.0, 200.0

TABLE_KEYS = ("players", "example", "after", "height", "only", "alt", "caption")
_TABLE_HEIGHT = 138.0
"""mm that a picture of the table may be high, where nothing else is asked for."""


class FigureMaker:
    """Makes the figures of one book; what can't be shown goes to `problems`."""

    def __init__(self, faces: Faces, inline: InlineReader, played: RulebookPlay, problems: list[Problem]):
        self._faces, self._inline, self._played, self._problems = faces, inline, played, problems
        self.tables = TablePictures(faces, Board(self._spaces, self._spots))

    def tabletop(self, body: Body) -> Figure | None:
        """The table after set-up, or as an example has it, by the game's plan; None for a problem."""
        body.keys(*TABLE_KEYS)
        plan = self._faces.workshop.game.tabletop
        if plan is None:
            body.problem("the data have no plan of the table", "write the section `tabletop:` (docs/rulebook.md)")
            return None
        before = len(self._problems)
        players = int(body.number("players", 1, 100) or plan.usual)
        if players not in tuple(self._faces.workshop.game.players):
            body.problem(f"there is no set-up for {players} players", "name another number", "players")
            return None
        if "example" in body:
            example = self._played.example(body.text("example"), body.place("example"), self._problems)
            table = self._played.arranged(example, after=body.flag("after")) if example is not None else None
            players = example.players if example is not None else players
        else:
            named = plan.example.replace("{players}", str(players))
            table = self._played.laid(players, named, body.place(), self._problems)
        if len(self._problems) > before:
            return None
        made = self._laid_table(body, table.zones() if table is not None else {}, players)
        if made is None:
            return None
        drawing, alt = made
        caption = self._text(body, "caption")
        if "caption" not in body and "example" not in body:
            caption = (Plain(count_phrase("table_set_up", self._faces.lang, players)),)
        return Figure(drawing, body.text("alt") or alt, caption, "block", Origin(body.begins))

    def _laid_table(self, body: Body, zones: Zones, players: int) -> tuple[Drawing, str] | None:
        """A table with pieces in these zones, by the plan."""
        plan = self._faces.workshop.game.tabletop
        if plan is None:
            body.problem(
                "the data have no plan of the table", "write the section `tabletop:` (docs/rulebook.md)", "laid"
            )
            return None
        only, before = [str(name) for name in body.entries("only")], len(self._problems)
        for name in only:
            if name not in plan.places:
                body.problem(f"unknown place '{name}'", did_you_mean(name, plan.places), "only")
        if len(self._problems) > before:
            return None
        room = Size(WIDTH, body.number("height", _LEAST, _MOST) or _TABLE_HEIGHT)
        figure, alt = self.tables.composed(plan, zones, players, room, only, body.place())
        return figure.drawing(self._faces.lang, alt), alt

    def _spaces(self, design: str) -> list[BoardSpace]:
        piece = self._faces.piece(self._faces.workshop.game.design(design))
        face = Drawing(piece.width, piece.height, 0.0, piece.symbol.items) if piece is not None else None
        return [BoardSpace(space.id, space.holds) for space in printed_spaces(face)] if face is not None else []

    def _spots(self, design: str, name: str, pieces: Sequence[str]) -> list[Matrix]:
        game = self._faces.workshop.game
        board = self._faces.piece(game.design(design))
        lying = [self._faces.piece(game.design(piece)) for piece in pieces]
        if board is None or any(piece is None for piece in lying):
            return []
        face = Drawing(board.width, board.height, 0.0, board.symbol.items)
        spaces = {space.id: space for space in printed_spaces(face)}
        return [matrix for _, matrix, _ in on_board(board, 1.0, spaces, {name: lying})[1:]]

    def figure(self, body: Body, default: str = "row", example: Example | None = None) -> Figure | None:
        """The figure that a block describes, by `default` of this kind, an `example`'s; None for a problem."""
        before = len(self._problems)
        body.keys(*KEYS)
        show = body.choice("show", SHOW, "situation" if "players" in body or "example" in body else default)
        if "raised" in body and show not in ("row", "situation"):
            body.problem(f"nothing is raised in a {show}", "use `show: row`, or a situation", "raised")
        beside = body.choice("side", ("block", "beside"), "block") == "beside"
        if len(self._problems) > before:
            return None
        if show == "situation":
            made = self._situation(body, example)
        elif show == "board":
            made = self._board(body, BESIDE if beside else WIDTH)
        else:
            made = self._lay_out(body, show, BESIDE if beside else WIDTH)
        if made is None:
            return None
        drawing, alt = made
        caption = self._text(body, "caption") or self._first_choice(body, show)
        alt = body.text("alt") or alt or words_of(caption)
        return Figure(drawing, alt, caption, "beside" if beside else "block", Origin(body.begins))

    def single(self, piece: PiecePicture, height: float, origin: Origin) -> Figure:
        """A small picture beside the words about it."""
        scale = min(1.0, height / piece.height, BESIDE / piece.width)
        laid: list[Laid] = [(piece, (scale, 0.0, 0.0, scale, 0.0, 0.0), scale)]
        return Figure(pieces_as_drawing(laid, self._faces.lang, piece.name), piece.name, (), "beside", origin)

    def _lay_out(self, body: Body, show: str, width: float) -> tuple[Drawing, str] | None:
        pieces = self._pieces(body)
        if not pieces:
            return None
        height = body.number("height", _LEAST, _MOST)
        tallest = max(piece.height for piece in pieces)
        scale = height / tallest if height else min(1.0, _HEIGHTS[show] / tallest)
        raised = body.numbers("raised", len(pieces))
        laid = self._layout(show, pieces, scale, width, raised)
        wide = bounds(laid).width
        if wide > width:
            laid = self._layout(show, pieces, scale * width / wide, width, raised)
        alt = self._names(pieces)
        return pieces_as_drawing(laid, self._faces.lang, alt), alt

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

    def _board(self, body: Body, width: float) -> tuple[Drawing, str] | None:
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
        alt = self._list([board.name, *names])
        return pieces_as_drawing(laid, self._faces.lang, alt), alt

    def _on_space(self, body: Body, name: str) -> list[PiecePicture | None]:
        """What lies on a space of a board; nothing on a place that stays free."""
        laid: list[PiecePicture | None] = []
        for wanted in body.inner("pieces").entries(name):
            laid += [None] if wanted is None else self._faces.pieces([wanted], body.place("pieces", name))
        return laid

    def _situation(self, body: Body, example: Example | None) -> tuple[Drawing, str] | None:
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
        if body.text("laid") == "table":
            return self._laid_table(body, table.zones(), table.box.players)
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

    def _drawn_zones(self, rows: Sequence[ZoneRow], height: float) -> tuple[Drawing, str]:
        items, box = SituationSetter(self._faces, rows, height).items()
        alt = "; ".join(row.words for row in rows)
        return drawing_of(items, box, self._faces.lang, alt), alt

    def _text(self, body: Body, key: str) -> Text:
        place: Place | None = body.place(key)
        return self._inline.plain(body.text(key), place) if key in body else ()

    def _first_choice(self, body: Body, show: str) -> Text:
        """What a table shows where the writer has no words for it and the rules may have played on."""
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
