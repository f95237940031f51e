"""Ring numbers: the numbers of callouts and places, in running text and in figures."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from generator.base.display_list import Paint, PlacedSymbol, visit_items
from generator.base.errors import Place, Problem, did_you_mean
from generator.base.geometry import Rect
from generator.books.page.blocks import Block, Figure, Text, change_texts, iter_blocks_within
from generator.drawing.faces.face_marks import RING_IN_TEXT
from generator.game.model import Game
from generator.game.rich_text import RING, Icon


@dataclass(frozen=True, slots=True)
class PlaceMark(Icon):
    """The number of a place on the table; all other numbers in rings belong to callouts."""


class Ring(NamedTuple):
    """A number in a ring; True if it belongs to a place on the table."""

    number: int
    place: bool


def find_mentioned_rings(blocks: Iterable[Block]) -> set[Ring]:
    """Return the numbers in rings that the texts of blocks mention."""
    found = set[Ring]()

    def read(text: Text) -> Text:
        for inline in text:
            if isinstance(inline, Icon) and inline.name.startswith(RING):
                found.add(Ring(int(inline.name.removeprefix(RING)), isinstance(inline, PlaceMark)))
        return text

    for block in blocks:
        change_texts(block, read)
    return found


def find_shown_rings(blocks: Iterable[Block]) -> set[Ring]:
    """Return the numbers in rings that the figures among the blocks show."""
    figures = (block for block in iter_blocks_within(blocks) if isinstance(block, Figure))
    return {
        Ring(int(item.symbol.name.removeprefix(RING)), not figure.key)
        for figure in figures
        for item, _ in visit_items(figure.drawing.items, True, lambda _holder, inside: inside)
        if isinstance(item, PlacedSymbol) and item.symbol.name.startswith(RING)
    }


_MENTION = "callout:"


class CalloutNumbers:
    """The numbers of one book's figures in order, and the mentions of them in the text.

    A part that several figures call out refers to the last one before the words, else to the first one after.
    """

    def __init__(self, paint: Paint, problems: list[Problem]):
        self._paint, self._problems = paint, problems
        self._figures: list[Mapping[str, int]] = []
        self._mentions: list[tuple[str, Place | None, int]] = []

    def add_figure(self, names: Sequence[str]) -> None:
        """Add a figure with these callouts; the first is number 1."""
        self._figures.append({name: number for number, name in enumerate(names, start=1)})

    def mention_part(self, name: str, place: Place | None) -> Icon:
        """Return a placeholder for the number of a part until all figures are known."""
        self._mentions.append((name, place, len(self._figures)))
        return Icon(f"{_MENTION}{len(self._mentions) - 1}")

    def resolve_mentions(self, blocks: Sequence[Block]) -> tuple[Block, ...]:
        """Return the blocks with numbers for all mentions. Report mentions that no figure calls out."""
        known = [name for figure in self._figures for name in figure]
        numbers = []
        for name, place, at in self._mentions:
            nearest = [*reversed(self._figures[:at]), *self._figures[at:]]
            number = next((figure[name] for figure in nearest if name in figure), 0)
            numbers.append(number)
            if not number:
                hint = did_you_mean(name, known) if known else "give a figure `callouts:`"
                self._problems.append(Problem(place, f"no figure calls out '{name}'", hint))
        if not numbers:
            return tuple(blocks)

        def resolve(text: Text) -> Text:
            return tuple(
                [
                    Icon(f"{RING}{numbers[int(inline.name.removeprefix(_MENTION))]}", self._paint, RING_IN_TEXT)
                    if isinstance(inline, Icon) and inline.name.startswith(_MENTION)
                    else inline
                    for inline in text
                ]
            )

        return tuple([change_texts(block, resolve) for block in blocks])


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

    def show_number(self, name: str) -> int | None:
        """Return the number of a place and record that a picture shows it; None if the text doesn't mention it."""
        self._shown.add(name)
        return self._numbers.get(name)

    def mention_place(self, name: str, place: Place | None) -> PlaceMark:
        """Return the number as it appears in a text."""
        self._mentioned.setdefault(name, place)
        return PlaceMark(f"{RING}{self._numbers.get(name, 0)}", self._paint, RING_IN_TEXT)

    def find_unseen(self) -> Iterator[Problem]:
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


def find_free_spot(pieces: Sequence[Rect], whole: Rect, others: Sequence[Rect]) -> Rect:
    """Return the leftmost spot for a number beside the pieces of a place that covers none of them.

    It is within the `whole` picture, and clear of the `others` that are already there.
    """
    spots, side = list[Rect](), RING_IN_TEXT
    for piece in pieces:
        x, y = piece.x + (piece.width - side) / 2, piece.y + (piece.height - side) / 2
        corners = (x, piece.y - side), (piece.x - side, y), (piece.right, y), (x, piece.bottom)
        spots += [Rect(*corner, side, side) for corner in corners]
    free = [spot for spot in spots if whole.contains(spot) and not any(map(spot.overlaps, (*pieces, *others)))]
    return min(free or spots, key=lambda spot: (spot.x, spot.y))
