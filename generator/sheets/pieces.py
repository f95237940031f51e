"""Pieces to print: the designs, their copies, their faces and the overprint."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cached_property
from itertools import accumulate, starmap

from generator.base.display_list import Drawing, Group, Item, Shape, TextRun
from generator.base.geometry import MM_PER_PT, Rect, Size, make_turn_into_box
from generator.base.languages import first_language, phrase, second_language
from generator.drawing.faces.face_marks import draw_rounded_box, find_foot_place, has_stamp
from generator.drawing.faces.game_drawing import Workshop
from generator.game.model import Design, FaceName, Form, Game, Kind
from generator.game.print_pages import Face, Lie, Piece
from generator.sheets.page_marks import DARK, LIGHT, LINE, cut_face, mirror_back_outline

LIE: Mapping[Form, Lie] = {
    "card": "rows", "pad": "rows", "board": "tiled", "token": "packed", "standee": "packed", "cube": "packed",
}  # fmt: skip
"""How pieces of each form are placed if they have no outline of their own: in rows, tiled, or packed."""


def choose_lie(kind: Kind) -> Lie:
    """Return how the pieces of a kind are placed. Pieces with an outline of their own are packed and cut out singly."""
    return "packed" if kind.outline else LIE[kind.form]


FOLDED: tuple[Form, ...] = ("standee", "cube")
"""Forms that are cut out as a net and folded, so that they have no back."""

REACH = 1.5
"""Width of the art beyond a piece's own cut line (mm), for inexact scissors and duplex printers."""

Sides = tuple[Face, Face | None]
"""Front and back of a piece of paper; the back is None if that side stays blank."""


@dataclass(slots=True, eq=False, repr=False)
class PieceMaker:
    """Makes the pieces of one kind. Equal faces give the same drawing object, so that a PDF stores each once.

    With `lined_backs`, the backs of tokens have cut lines, because they are cut out separately.
    """

    kind: Kind
    lined_backs: bool = False
    _made: dict[tuple[str, tuple[int, ...]], tuple[tuple[Drawing, ...], Drawing]] = field(default_factory=dict)

    def make_piece(self, name: str, faces: Mapping[FaceName, Face]) -> Piece:
        """Return one copy with the id `name`; `faces` are all sides of its kind, at least `front`."""
        kind = self.kind
        front, back = faces["front"], faces.get("back")
        if choose_lie(kind) == "packed":
            front, back = self._cut_faces({name: face.to_drawing() for name, face in faces.items()})
        # A net has no safe zone of its own (its faces have); one of this depth is never shown.
        safe = front.width + front.height if kind.form in FOLDED else kind.safe
        return Piece(name, front, back, safe, kind.corner, choose_lie(kind), kind.shape)

    def _cut_faces(self, faces: Mapping[FaceName, Drawing]) -> Sides:
        front, back = faces["front"], faces.get("back")
        size = self.kind.size
        if self.kind.form not in FOLDED:
            outline, reach = self.kind.outline, min(self.kind.bleed, REACH)
            cut = self._make_once("front", (front,), lambda: cut_face(front, outline, reach))
            if back is None:
                return cut, None
            behind = mirror_back_outline(outline, size.width) if outline else ""  # it is seen from behind
            return cut, self._make_once("back", (back,), lambda: cut_face(back, behind, reach, self.lined_backs))
        from generator.sheets.nets import draw_net, make_cube_net, make_standee_net  # most games have only flat pieces

        if self.kind.form == "standee":
            shown: dict[FaceName, Drawing] = {"front": front, "back": back if back is not None else front}
            net = make_standee_net(size.width, size.height, self.kind.foot)
            return self._make_once("net", tuple(shown.values()), lambda: draw_net(net, shown)), None
        net = make_cube_net(size.width)
        return self._make_once("net", tuple(faces.values()), lambda: draw_net(net, faces)), None

    def _make_once(self, what: str, faces: tuple[Drawing, ...], make: Callable[[], Drawing]) -> Drawing:
        """Return the drawing that `make` made for these very faces, calling it only once. Faces compare by identity."""
        key = (what, tuple(map(id, faces)))
        if key not in self._made:
            self._made[key] = (faces, make())
        return self._made[key][1]


__all__ = ["Draw", "choose_lie", "find_idle_patterns", "make_pieces", "matches_pattern", "pick_designs"]

Draw = Callable[[Design, FaceName], Face | None]


def matches_pattern(design: Design, patterns: Iterable[str]) -> bool:
    """Return True if a design's id matches a pattern such as `reel/6-*`; a kind matches all its designs."""
    return any(fnmatchcase(design.id, pattern) or design.kind == pattern for pattern in patterns)


def pick_designs(game: Game, patterns: Sequence[str]) -> tuple[Design, ...]:
    """Return the designs that match the patterns, or all designs without patterns."""
    return tuple(design for design in game.designs() if not patterns or matches_pattern(design, patterns))


def find_idle_patterns(game: Game, patterns: Sequence[str]) -> tuple[str, ...]:
    """Return the patterns that match no design."""
    return tuple(pattern for pattern in patterns if not any(matches_pattern(d, [pattern]) for d in game.designs()))


def make_pieces(
    kind: Kind,
    designs: Iterable[Design],
    draw: Draw,
    copies: int | None,
    lined_backs: bool = False,
    parts: Mapping[str, range] | None = None,
    behind: Callable[[Design], Face | None] = lambda _design: None,
) -> Iterator[Piece]:
    """Yield every copy to print of a kind's designs: `copies` of each if given, else their counts.

    Skip a design if a side could not be drawn. With `lined_backs`, backs get their own cut lines. `parts` maps design
    ids to the copy numbers to print. `behind` returns the picture for the blank back of a flat piece, or None.
    """
    making = PieceMaker(kind, lined_backs)
    for design in designs:
        drawn = {face: draw(design, face) for face in kind.faces(design)}
        faces = {face: drawing for face, drawing in drawn.items() if drawing is not None}
        if len(faces) < len(drawn):
            continue
        other = behind(design) if "back" not in faces and kind.form not in FOLDED else None
        if other is not None:
            faces["back"] = other
        every = range(1, (design.count if copies is None else copies) + 1)
        for n in every if parts is None else parts.get(design.id, ()):
            yield making.make_piece(f"{design.id}#{n}", faces)


IN_SECOND = "+"
"""Separator before the language in the id of a copy that is repeated in the second language: `aid/turn#1+en`."""


class TwoLanguages:
    """Decides how pieces show the second language of an edition such as `ja+en`; does nothing for one language.

    If a front shows only the first language, its blank back shows the second. A piece with such text on both sides is
    printed again in the second language, unless other pieces share its back: such pieces are a deck, which must not be
    doubled.
    """

    def __init__(self, workshop: Workshop, edition: str):
        self._workshop, self.edition = workshop, edition
        self.first, self.second = first_language(edition), second_language(edition)

    def shows_behind(self, design: Design) -> bool:
        """Return True if the design's blank back is to show its front in the second language."""
        return not design.back and self._get_kind(design).form not in FOLDED and self._is_single(design, "front")

    def prints_again(self, design: Design) -> bool:
        """Return True if the design is printed again in the second language."""
        if not design.back or self._get_kind(design).form in FOLDED or self._hash_back(design) in self._shared_backs:
            return False
        return self._is_single(design, "front") and self._is_single(design, "back")

    def list_notes(self, designs: Iterable[Design]) -> Iterator[str]:
        """Yield a line for each kind with faces in the first language only."""
        left: dict[str, list[FaceName]] = {}
        for design in designs:
            if not self.second or not design.count or self.shows_behind(design) or self.prints_again(design):
                continue
            faces = [face for face in self._get_kind(design).faces(design) if self._is_single(design, face)]
            if faces:
                left[design.kind] = list(dict.fromkeys([*left.get(design.kind, []), *faces]))
        for kind, faces in left.items():
            sides = ", ".join(faces)
            said = f"{self._workshop.game.id}: {kind} ({sides}) is in {self.first} alone"
            yield f"{said}; use {{{{ second... }}}} in its template to show {self.second} too"

    @cached_property
    def _shared_backs(self) -> frozenset[str]:
        backs = (self._hash_back(design) for design in self._workshop.game.designs() if design.back)
        return frozenset(back for back, number in Counter(backs).items() if back and number > 1)

    def _is_single(self, design: Design, face: FaceName) -> bool:
        if not self.second:
            return False
        langs = (self.edition, self.first, self.second)
        faces = (self._workshop.draw_face(design, face, lang) for lang in langs)
        both, one, other = map(self._hash_face, faces)
        return other is not None and both == one != other

    def _hash_back(self, design: Design) -> str | None:
        return self._hash_face(self._workshop.draw_face(design, "back", self.first))

    def _hash_face(self, drawing: Drawing | None) -> str | None:
        return self._workshop.digest_face(drawing) if drawing is not None else None

    def _get_kind(self, design: Design) -> Kind:
        return self._workshop.game.kinds[design.kind]


MARK_PT = 4.5
MARK_HEIGHT = 2.2
MARK_INSET = 0.5
"""Distance from the trim to the prototype mark (mm); the mark stays within the usual safe zone, clear of text."""

_BASELINE = 1.62
_PADDING = 0.9
_STAMP_REACH = 12.0
"""Half of the maximum length of a stamp (mm)."""


class Overprinter:
    """Draws what is printed over the fronts of one game in one edition. It does not change the hash of a face.

    `prototype` puts a mark into the margin of each flat front with enough room, clear of all texts. `numbers` puts the
    card's number within its kind (12/49) into its stamp. `copies` of each design are printed, else their counts.
    """

    def __init__(self, workshop: Workshop, edition: str, *, prototype: bool, numbers: bool, copies: int | None):
        self._workshop, self._edition = workshop, edition
        self._prototype, self._numbers, self._copies = prototype, numbers, copies
        self._bare: dict[int, tuple[Drawing, Drawing, str]] = {}
        self._marks: dict[int, tuple[Drawing, tuple[Item, ...]]] = {}
        self._before: dict[str, int] = {}
        for kind in workshop.game.kinds.values():
            counts = [self._count_copies(design) for design in kind.designs]
            starts = accumulate(counts, initial=0)
            self._before |= {design.id: start for design, start in zip(kind.designs, starts, strict=False)}

    def draw_face(self, design: Design, face: FaceName) -> Drawing | None:
        """Return a face as printed for all copies, without its stamp if the stamp differs between copies."""
        drawing = self._workshop.draw_printed(self._edition, design, face)
        if drawing is None or face != "front" or not self._has_numbers(design):
            return drawing
        return self._split_stamp(drawing)[0]

    def draw_overprint(self, piece: Piece) -> tuple[Item, ...]:
        """Return the items printed over a copy's front, in face coordinates."""
        name, _, copy = piece.id.partition("#")
        design, number = self._workshop.game.design(name), int(copy.partition(IN_SECOND)[0])
        return (*self._draw_stamp(design, number), *(self._draw_mark(piece, design) if self._prototype else ()))

    def _count_copies(self, design: Design) -> int:
        return design.count if self._copies is None else self._copies

    def _get_kind(self, design: Design) -> Kind:
        return self._workshop.game.kinds[design.kind]

    def _has_numbers(self, design: Design) -> bool:
        return self._numbers and self._get_kind(design).form == "card" and has_stamp(self._get_kind(design))

    def _split_stamp(self, drawing: Drawing) -> tuple[Drawing, str]:
        """Return the face without its stamp (the same object for the same face) and the stamp's text."""
        known = self._bare.get(id(drawing))
        if known is None:
            runs = [item for item in drawing.items if isinstance(item, TextRun) and item.role == "stamp"]
            text = "".join(run.text for run in runs if (run.y, run.angle) == (runs[0].y, runs[0].angle))
            items = tuple(item for item in drawing.items if not (isinstance(item, TextRun) and item.role == "stamp"))
            known = self._bare[id(drawing)] = (drawing, drawing._replace(items=items), text)
        return known[1:]

    def _draw_stamp(self, design: Design, copy: int) -> Iterator[Item]:
        """Yield a copy's stamp with its number before it: `draw_face` omits the stamp if copies are numbered."""
        drawing = self._workshop.draw_face(design, "front", self._edition)
        printed = self._workshop.draw_printed(self._edition, design, "front")
        if drawing is None or printed is None or not self._has_numbers(design):
            return
        of = sum(map(self._count_copies, self._get_kind(design).designs))
        number = f"{self._before[design.id] + copy}/{of}"
        _, stamp = self._split_stamp(printed)
        for place in drawing.stamps or (find_foot_place(drawing, self._get_kind(design)),):
            yield from self._workshop.set_stamp(" · ".join(filter(None, [number, stamp])), place)

    def _draw_mark(self, piece: Piece, design: Design) -> tuple[Item, ...]:
        front = piece.front.to_drawing()
        if not has_stamp(self._get_kind(design)):
            return ()
        known = self._marks.get(id(front))
        if known is None:
            stamps = self._workshop.draw_face(design, "front", self._edition)
            avoid = [Rect(frame.x, frame.y, frame.width, frame.height) for frame in front.frames]
            for stamp in (stamps.stamps or (find_foot_place(stamps, self._get_kind(design)),)) if stamps else ():
                height = stamp.size * MM_PER_PT
                along, across = (_STAMP_REACH, height) if stamp.angle % 180 == 0 else (height, _STAMP_REACH)
                avoid.append(Rect(stamp.x - along, stamp.y - across, 2 * along, 2 * across))
            word = phrase("prototype", first_language(self._edition))
            known = self._marks[id(front)] = (front, tuple(self._draw_label(front, word, avoid)))
        return known[1]

    def _draw_label(self, front: Drawing, word: str, avoid: list[Rect]) -> Iterator[Item]:
        """Draw a white label with the word, at the head or turned at a side, where it covers least of `avoid`."""
        runs = self._workshop.set_label(word, 0.0, 0.0, MARK_PT, "start", 0.0)
        letters = [(run.font, glyph) for run in runs for glyph in run.glyphs]
        advance = sum(starmap(self._workshop.fonts.measure_advance, letters))
        size = Size(advance * MARK_PT * MM_PER_PT / 1000 + 2 * _PADDING, MARK_HEIGHT)

        def measure_overlap(place: tuple[Rect, int]) -> float:
            common = [place[0].intersect(text) for text in avoid]
            return sum(box.width * box.height for box in common)

        box, angle = min(_iter_label_places(front, size), key=measure_overlap)
        lying = Rect(0, 0, size.width, size.height)
        shape = Shape(path=draw_rounded_box(lying, size.height / 2), fill=LIGHT, stroke=DARK, width=LINE, role="mark")
        text = self._workshop.set_label(word, size.width / 2, _BASELINE, MARK_PT, "middle", 0.0)
        turn = make_turn_into_box(box, 270 if angle else 0)
        yield Group((shape, *text), turn)


def _iter_label_places(front: Drawing, size: Size) -> Iterator[tuple[Rect, int]]:
    """Yield boxes for a label of this size and their rotations (0 or 270 degrees), the best first."""
    across, down, inset = front.width, front.height, MARK_INSET
    for share in (0.5, 0.75, 0.25):
        yield Rect(across * share - size.width / 2, inset, size.width, size.height), 0
    for share in (0.5, 0.7, 0.3):
        middle = down * share - size.width / 2
        yield Rect(inset, middle, size.height, size.width), 270
        yield Rect(across - inset - size.height, middle, size.height, size.width), 270
    yield Rect((across - size.width) / 2, down - inset - size.height, size.width, size.height), 0
