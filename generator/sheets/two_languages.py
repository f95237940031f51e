"""What pieces show in an edition like `ja+en` where a template does not set both languages on one face."""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property

from generator.faces.workshop import Workshop
from generator.model.drawing import Drawing
from generator.model.edition import first_language, second_language
from generator.model.game import Design, FaceName, Kind
from generator.sheets.making import FOLDED

IN_SECOND = "+"
"""Before the language in the id of a copy that is printed once more in a second one, `aid/turn#1+en`."""


class TwoLanguages:
    """Where the second language of an edition is shown; nothing of it in an edition of one language.

    A face is single if it is in the first language alone and would not look the same in the second. A blank other side
    shows the second language. A piece that speaks on both sides is printed once more in the second one; not so where
    its back is that of other pieces too: these are a deck, which twice the cards would spoil.
    """

    def __init__(self, workshop: Workshop, edition: str):
        self._workshop, self.edition = workshop, edition
        self.first, self.second = first_language(edition), second_language(edition)

    def behind(self, design: Design) -> bool:
        """Whether a blank other side has the front in the second language."""
        return not design.back and self._kind(design).form not in FOLDED and self._single(design, "front")

    def again(self, design: Design) -> bool:
        """Whether it is printed once more in the second language."""
        if not design.back or self._kind(design).form in FOLDED or self._shown(design, "back") in self._shared_backs:
            return False
        return self._single(design, "front") and self._single(design, "back")

    def notes(self, designs: Iterable[Design]) -> Iterator[str]:
        """A line for each kind of which something is left in the first language alone."""
        left: dict[str, list[FaceName]] = {}
        for design in designs:
            if not self.second or not design.count or self.behind(design) or self.again(design):
                continue
            faces = [face for face in self._kind(design).faces(design) if self._single(design, face)]
            if faces:
                left[design.kind] = list(dict.fromkeys([*left.get(design.kind, []), *faces]))
        for kind, faces in left.items():
            sides = ", ".join(faces)
            said = f"{self._workshop.game.id}: {kind} ({sides}) is in {self.first} alone"
            yield f"{said}; use {{{{ second... }}}} in its template to show {self.second} too"

    @cached_property
    def _shared_backs(self) -> frozenset[str]:
        """The backs that several designs have."""
        backs = (self._shown(design, "back") for design in self._workshop.game.designs() if design.back)
        return frozenset(back for back, number in Counter(backs).items() if back and number > 1)

    def _single(self, design: Design, face: FaceName) -> bool:
        if not self.second:
            return False
        both, one, other = (
            self._digest(self._workshop.face(design, face, lang)) for lang in (self.edition, self.first, self.second)
        )
        return other is not None and both == one != other

    def _shown(self, design: Design, face: FaceName) -> str | None:
        return self._digest(self._workshop.face(design, face, self.first))

    def _digest(self, drawing: Drawing | None) -> str | None:
        return self._workshop.digest(drawing) if drawing is not None else None

    def _kind(self, design: Design) -> Kind:
        return self._workshop.game.kinds[design.kind]
