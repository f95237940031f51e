"""Where pieces lie on the spaces that a board's template has, as a table asks for it."""

from collections.abc import Sequence

from generator.model.drawing import Drawing
from generator.model.geometry import Matrix
from generator.rulebook.faces import Faces
from generator.rulebook.on_boards import on_board
from generator.rulebook.tabletop.layout import Board, BoardSpace
from generator.svg.pieces_on_spaces import box
from generator.svg.printed_spaces import PrintedSpace, printed_spaces
from generator.units import Rect


class BoardSpots:
    """The spaces of one book's boards, each board looked at once."""

    def __init__(self, faces: Faces):
        self._faces = faces
        self._known: dict[str, dict[str, PrintedSpace]] = {}

    @property
    def board(self) -> Board:
        """What a layout asks."""
        return Board(self._spaces, self._spots)

    def box(self, design: str, name: str) -> Rect | None:
        """The box around a space of a design, mm of its face; None for a space without outlines."""
        space = self._printed(design).get(name)
        boxes = [box(outline) for outline in space.outlines] if space is not None else []
        if not boxes:
            return None
        left, top = min(one.x for one in boxes), min(one.y for one in boxes)
        return Rect(left, top, max(one.right for one in boxes) - left, max(one.bottom for one in boxes) - top)

    def _spaces(self, design: str) -> list[BoardSpace]:
        return [BoardSpace(space.id, space.holds) for space in self._printed(design).values()]

    def _spots(self, design: str, name: str, pieces: Sequence[str]) -> list[Matrix]:
        game = self._faces.workshop.game
        board = self._faces.piece(game.design(design))
        lying = [self._faces.piece(game.design(piece)) for piece in pieces]
        if board is None or not all(lying):
            return []
        return [matrix for _, matrix, _ in on_board(board, 1.0, self._printed(design), {name: lying})[1:]]

    def _printed(self, design: str) -> dict[str, PrintedSpace]:
        if design not in self._known:
            piece = self._faces.piece(self._faces.workshop.game.design(design))
            found = printed_spaces(Drawing(piece.width, piece.height, 0.0, piece.symbol.items)) if piece else ()
            self._known[design] = {space.id: space for space in found}
        return self._known[design]
