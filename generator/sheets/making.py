"""From a design's drawn faces to what lies on the sheets: faces as they are, cut round, or on a net."""

from collections.abc import Callable, Mapping
from dataclasses import field

from generator.dataclass import dataclass
from generator.model.drawing import Drawing
from generator.model.game import FaceName, Form, Kind
from generator.model.sheet import Face, Lie, Piece
from generator.sheets.cutting import back_outline, cut_face

LIE: Mapping[Form, Lie] = {
    "card": "rows",
    "pad": "rows",
    "board": "tiled",
    "token": "packed",
    "standee": "packed",
    "cube": "packed",
}
"""How the pieces of each form come to lie on paper that are cut along straight lines."""


def lie_of(kind: Kind) -> Lie:
    """How the pieces of a kind come to lie on paper: with an outline of their own each is cut out by itself."""
    return "packed" if kind.outline else LIE[kind.form]


FOLDED: tuple[Form, ...] = ("standee", "cube")
"""Forms that are cut along a net: they have no other side."""

REACH = 1.5
"""How far art goes on beyond a cut line of its own, mm: scissors and a duplex printer go astray together."""

Sides = tuple[Face, Face | None]
"""Front and back of a piece of paper; no back where that side stays blank."""


@dataclass(slots=True)
class Making:
    """Makes the pieces of one kind. The same faces give the same drawings again, so that a PDF holds each once.

    `lined_backs`: the backs of tokens bear their cut lines, as they must where they are cut out by themselves.
    """

    kind: Kind
    lined_backs: bool = False
    _made: dict[tuple[str, tuple[int, ...]], tuple[tuple[Drawing, ...], Drawing]] = field(default_factory=dict)

    def piece(self, name: str, faces: Mapping[FaceName, Face]) -> Piece:
        """One copy with the id `name`; `faces` are all sides that its kind has, `front` at least."""
        front, back = self._sides(faces)
        kind = self.kind
        # A net has no safe zone: its faces have, and one of this depth is nowhere shown.
        safe = front.width + front.height if kind.form in FOLDED else kind.safe
        return Piece(name, front, back, safe, kind.corner, lie_of(kind), kind.shape)

    def _sides(self, faces: Mapping[FaceName, Face]) -> Sides:
        if lie_of(self.kind) != "packed":
            return faces["front"], faces.get("back")
        return self._cut_out({name: face.drawn() for name, face in faces.items()})

    def _cut_out(self, faces: Mapping[FaceName, Drawing]) -> Sides:
        front, back = faces["front"], faces.get("back")
        size = self.kind.size
        if self.kind.form not in FOLDED:
            return self._round(front), self._round_back(back) if back is not None else None
        from generator.sheets.folding import on_net  # most games have flat pieces alone
        from generator.sheets.nets import cube_net, standee_net

        if self.kind.form == "standee":
            shown: dict[FaceName, Drawing] = {"front": front, "back": back if back is not None else front}
            net = standee_net(size.width, size.height, self.kind.foot)
            return self._once("net", tuple(shown.values()), lambda: on_net(net, shown)), None
        net = cube_net(size.width)
        return self._once("net", tuple(faces.values()), lambda: on_net(net, faces)), None

    def _round(self, front: Drawing) -> Drawing:
        return self._once("front", (front,), lambda: cut_face(front, self.kind.outline, self._reach))

    def _round_back(self, back: Drawing) -> Drawing:
        """A back is seen from behind, and so is its outline."""
        behind = back_outline(self.kind.outline, self.kind.size.width) if self.kind.outline else ""
        return self._once("back", (back,), lambda: cut_face(back, behind, self._reach, self.lined_backs))

    @property
    def _reach(self) -> float:
        return min(self.kind.bleed, REACH)

    def _once(self, what: str, faces: tuple[Drawing, ...], make: Callable[[], Drawing]) -> Drawing:
        """By identity, not equality: comparing drawings costs more than making them; the faces are kept for that."""
        key = (what, tuple(map(id, faces)))
        if key not in self._made:
            self._made[key] = (faces, make())
        return self._made[key][1]
