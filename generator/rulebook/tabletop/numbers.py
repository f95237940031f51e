"""The numbers of places on the table: in the order in which a book's text first mentions them."""

import re
from collections.abc import Iterator

from generator.errors import Place, Problem, did_you_mean
from generator.faces.ring import AMONG_WORDS
from generator.model.drawing import Paint
from generator.model.game import Game
from generator.model.text import RING
from generator.rulebook.annotations.rings import PlaceMark

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
