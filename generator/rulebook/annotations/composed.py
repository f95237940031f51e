"""Pieces that lie somewhere as a figure with anchors: each by its number from 1, and the parts of their faces."""

from collections import Counter
from collections.abc import Mapping, Sequence

from generator.model import outline
from generator.model.geometry import Matrix, map_point
from generator.model.outline import rectangle
from generator.model.phrases import phrase
from generator.rulebook.annotations.anchored import Anchor, Anchored
from generator.rulebook.annotations.parts import Part, parts_of_face, words_of_face
from generator.rulebook.faces import PiecePicture
from generator.rulebook.layouts import Laid, bounds, round_matrix
from generator.text.fonts import FontBook
from generator.units import Rect

_FINE = 0.05


def anchored_pieces(laid: Sequence[Laid]) -> Anchored:
    """Pieces as a figure; each is an anchor by its number, from 1."""
    items = tuple([piece.place(round_matrix(matrix), scale) for piece, matrix, scale in laid])
    anchors = {
        str(number): Anchor(bounds([one]), moved_path(one[0].outline, one[1]), (number - 1,))
        for number, one in enumerate(laid, start=1)
    }
    return Anchored(items, bounds(laid), anchors)


def moved_path(path: str, matrix: Matrix) -> str:
    """The outline of a piece where a matrix takes it, its curves as short lines."""
    drawn = []
    for loop in outline.flatten(path, _FINE):
        spots = [map_point(matrix, point) for point in loop.points]
        drawn.append("M " + " L ".join(f"{x:.3f} {y:.3f}" for x, y in spots) + " Z")
    return " ".join(drawn) or rectangle(Rect(0, 0, 0, 0))


def parts_of_pieces(laid: Sequence[Laid], fonts: FontBook) -> Mapping[str, Part]:
    """The named parts of the first piece by their ids, and of the others by `2 id`, `3 id` ..., in the figure's mm."""
    found: dict[str, Part] = {}
    for number, (piece, matrix, _) in enumerate(laid, start=1):
        for name, part in _parts(piece, matrix, fonts).items():
            found[f"{number} {name}" if number > 1 else name] = part
    return found


def words_of_pieces(laid: Sequence[Laid], fonts: FontBook) -> tuple[Rect, ...]:
    """The boxes of all words that stand on pieces, in the figure's mm."""
    return tuple([box for piece, matrix, _ in laid for box in words_of_face(piece.symbol.items, matrix, fonts)])


def _parts(piece: PiecePicture, matrix: Matrix, fonts: FontBook) -> Mapping[str, Part]:
    """The parts of a piece, as far as they lie within its cut."""
    whole = outline.bounds(piece.outline, matrix) or Rect(0, 0, 0, 0)
    found = parts_of_face(piece.symbol.items, matrix, fonts)
    return {name: part._replace(box=part.box.shared(whole)) for name, part in found.items() if part.box.meets(whole)}


def scaled_box(around: Rect | None, scale: float) -> Rect:
    """A box of a board in the figure's mm."""
    if around is None:
        return Rect(0, 0, 0, 0)
    return Rect(around.x * scale, around.y * scale, around.width * scale, around.height * scale)


def names_listed(names: Sequence[str], lang: str) -> str:
    """Names, each once with its number."""
    shown = [f"{name} ×{number}" if number > 1 else name for name, number in Counter(names).items()]
    return phrase("and", lang).join(shown)
