"""The numbers of places on the table: in the order in which a book's text first mentions them."""

import re
from collections.abc import Iterator, Sequence

from generator.errors import Place, Problem, did_you_mean
from generator.faces.ring import AMONG_WORDS
from generator.model.drawing import Paint
from generator.model.game import Game
from generator.model.text import RING
from generator.rulebook.annotations.rings import PlaceMark
from generator.units import Rect

_PLACE = re.compile(r"(?<!\\)\{place:([^{}|\n]+)\}")


class PlaceNumbers:
    """The numbers of one book, found in its `text`; `paint` is their colour."""

    def __init__(self, game: Game, text: str, paint: Paint):
        self._plan, self._paint = game.tabletop, paint
        names = (found[1].strip() for found in _PLACE.finditer(text))
        self._numbers = {name: number for number, name in enumerate(dict.fromkeys(names), start=1)}
        self._mentioned: dict[str, Place | None] = {}
        self._shown: set[str] = set()
        self.picture_failed = False

    def of(self, name: str) -> int | None:
        """The number of a place; None where the text doesn't mention it. A picture shows it from now on."""
        self._shown.add(name)
        return self._numbers.get(name)

    def mention(self, name: str, place: Place | None) -> PlaceMark:
        """The number as it stands in a text."""
        self._mentioned.setdefault(name, place)
        return PlaceMark(f"{RING}{self._numbers.get(name, 0)}", self._paint, AMONG_WORDS)

    def unseen(self) -> Iterator[Problem]:
        """Yield places that the text mentions and no picture shows.

        A picture that failed has a problem of its own and might show any place of the plan.
        """
        places = self._plan.places if self._plan is not None else {}
        for name, place in self._mentioned.items():
            if name in self._shown or (self.picture_failed and name in places):
                continue
            if name in places:
                hint = "add a `tabletop` block that shows it, or remove the mark"
            else:
                hint = did_you_mean(name, places) if places else "write the section `tabletop:` (docs/rulebook.md)"
            yield Problem(place, f"the place '{name}' is in no picture of the table", hint)


def free_spot(pieces: Sequence[Rect], whole: Rect, others: Sequence[Rect]) -> Rect:
    """The leftmost spot for a number beside one of the pieces of a place, where it covers none of them.

    It lies within the `whole` picture, and beside the `others` that stand there already.
    """
    spots = [spot for piece in pieces for spot in _beside(piece, AMONG_WORDS)]
    free = [spot for spot in spots if whole.holds(spot) and not any(map(spot.meets, (*pieces, *others)))]
    return min(free or spots, key=lambda spot: (spot.x, spot.y))


def _beside(piece: Rect, side: float) -> Iterator[Rect]:
    """Boxes of that side above, at the left, at the right and below a piece."""
    x, y = piece.x + (piece.width - side) / 2, piece.y + (piece.height - side) / 2
    yield Rect(x, piece.y - side, side, side)
    yield Rect(piece.x - side, y, side, side)
    yield Rect(piece.right, y, side, side)
    yield Rect(x, piece.bottom, side, side)
