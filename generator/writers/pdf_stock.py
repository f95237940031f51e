"""What a PDF under way holds: each face, symbol, picture, gradient and font once, found again by what it shows."""

import hashlib
from collections.abc import Callable, Hashable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from generator.cache.recent import Recent
from generator.model.colour import rgb_of
from generator.model.drawing import Drawing, Gradient, Group, Item, Mask, Paint, Picture, Role, Symbol
from generator.model.ink import Inks, Rgb
from generator.units import MM_PER_PT, Rect
from generator.writers.cid_font import CidFont, FontFile
from generator.writers.pdf_asked import Known, Operators, Resource, Type
from generator.writers.pdf_content import Content
from generator.writers.pdf_gradients import shading, solid
from generator.writers.pdf_inks import ScreenInks, device_operators, overprint_state, separation
from generator.writers.pdf_objects import Objects, add, number, numbers, stream, text_string

if TYPE_CHECKING:
    from generator.writers.pdf_pictures import Stencilled

RECENT_FACES = 50
"""Faces known by the objects that they are; of all others their forms are made again, and then found."""

_DRAWN = 0
"""Instead of a form's number: the face is drawn on a page."""

_BOUNDLESS = Rect(-10000, -10000, 20000, 20000)


def _literal(paint: Paint) -> Rgb:
    """What the paints of masks are: greys by their numbers, white and black by the palette's names."""
    return rgb_of(paint) if paint.startswith("#") else (0.0, 0.0, 0.0)


class Fonts(Protocol):
    """Where fonts come from: a `FontBook`."""

    def font(self, key: str) -> FontFile:
        """The font of a key that text runs carry."""


class FaceContent(NamedTuple):
    """A face as its form draws it, or the page that it lies on: operators with their resources, inside a `BBox`.

    `key` is the same for faces that come to the same.
    """

    key: bytes
    operators: bytes
    resources: dict[str, Resource]
    box: str


class PdfStock:
    """The once-written things of one document. `lang` is its language: content in another is marked with its own.

    `made` are pictures that have no file, by their assets. A stock `beside` another has the same fonts.
    """

    def __init__(
        self,
        pdf: Objects,
        lang: str,
        fonts: Fonts,
        inks: Inks,
        pictures: Callable[[str], Path],
        made: "Mapping[str, Stencilled]",
        beside: "PdfStock | None" = None,
    ):
        self._pdf, self._lang = pdf, lang
        self._book, self._inks, self._paths, self._made = fonts, inks, pictures, made
        self.known = Known(self)
        self._fonts: dict[str, CidFont] = {}
        self._types: dict[tuple[str, float], Type] = {}
        self._operators: dict[tuple[Paint, Role], Operators] = {}
        self._written: dict[Hashable, list[Resource]] = {}
        self._seen: dict[tuple[int, bool], tuple[object, Resource]] = {}
        self._faces: Recent[int, tuple[Drawing, FaceContent]] = Recent(RECENT_FACES)
        self._forms: dict[bytes, int] = {}
        self._dictionaries: dict[tuple[str, ...], int] = {}
        self._named_fonts: int = pdf.reserve() if beside is None else beside._named_fonts
        if beside is not None:
            self._fonts, self._types = beside._fonts, beside._types
        self._greys: PdfStock | None = None

    def font(self, key: str) -> CidFont:
        """The document's font of that key."""
        font = self._fonts.get(key)
        if font is None:
            font = self._fonts[key] = CidFont(f"F{len(self._fonts) + 1}", self._book.font(key))
        return font

    def type(self, key: str, size: float) -> Type:
        """The document's font of that key in a size in points."""
        found = self._types.get((key, size))
        if found is None:
            font = self.font(key)
            height = size * MM_PER_PT
            found = self._types[key, size] = Type(font, height, f"/{font.name} {number(height, 4)} Tf")
        return found

    def operators(self, paint: Paint, role: Role) -> Operators:
        """How a paint is chosen on a thing of that role."""
        found = self._operators.get((paint, role))
        if found is None:
            ink = self._inks.ink(paint, role)
            if ink.space == "spot":
                space = self._once(("C", ink.spot), lambda: add(self._pdf, separation(ink)))
                tint = number(ink.values[0])
                found = Operators(f"/{space.name} cs {tint} scn", f"/{space.name} CS {tint} SCN", False, space)
            else:
                found = Operators(*device_operators(ink), ink.overprint)
            self._operators[paint, role] = found
        return found

    def overprint(self, fill: bool, stroke: bool) -> Resource | None:
        """The state in which fills and strokes leave the plates below as they are, or not; None without plates."""
        how = self._inks.overprints
        if how == "never":
            return None
        return self._once(("E", fill, stroke), lambda: add(self._pdf, overprint_state(fill, stroke, how)))

    def picture(self, picture: Picture) -> Resource:
        """The image of a picture's asset."""
        return self._once(("P", picture.asset), lambda: self._image(picture))

    def gradient(self, gradient: Gradient, role: Role) -> Resource | Paint:
        """The shading of a gradient, or a paint when it has only one."""
        paint = solid(gradient)
        if paint is not None:
            return paint
        key = ("G", gradient.kind, gradient.line, gradient.stops, role)
        return self._once(key, lambda: shading(self._pdf, gradient, lambda paint: self._inks.ink(paint, role)))

    def mixing(self, group: Group) -> Resource:
        """The state in which a group that is painted as one is mixed with what lies below it."""
        from generator.writers.pdf_effects import mixing_state  # few faces have any

        mask = group.mask
        key = ("E", group.opacity, group.blend, mask)
        return self._once(
            key, lambda: add(self._pdf, mixing_state(group.opacity, group.blend, self._soft_mask(mask) if mask else ""))
        )

    def as_one(self, group: Group) -> Resource | None:
        """The form of what such a group holds; None where it holds nothing, or one thing that needs no form."""
        from generator.model.reach import reach
        from generator.writers.pdf_effects import lone_paint

        box = reach(group.items)
        if box is None or lone_paint(group):
            return None
        return self._once(("S", "group", group.items), lambda: self._transparent(group.items, box))

    def _transparent(self, items: tuple[Item, ...], box: Rect, space: str = "") -> int:
        """Write items as a form that is painted as one."""
        return self._drawn(items, box, f"/Group<</S/Transparency/I true{space}>>")

    def _soft_mask(self, mask: Mask) -> str:
        """A mask, written in greys whatever inks the document has: its lightness is no colour on paper."""
        from generator.model.reach import reach
        from generator.writers.pdf_effects import soft_mask

        if self._greys is None:
            self._greys = PdfStock(self._pdf, self._lang, self._book, ScreenInks(_literal), self._paths, {}, self)
        box = reach(mask.items) or Rect(0, 0, 1, 1)
        return soft_mask(self._greys._transparent(mask.items, box, "/CS/DeviceGray"), mask.alpha)

    def symbol(self, symbol: Symbol, clip: bool) -> Resource:
        """The form of a symbol, cut off at its box or not."""
        seen = self._seen.get((id(symbol), clip))
        if seen is None:
            box = Rect(*symbol.box) if clip else _BOUNDLESS
            key = ("S", box, symbol.items)
            resource = self._once(key, lambda: self._drawn(symbol.items, box))
            seen = self._seen[id(symbol), clip] = symbol, resource
        return seen[1]

    def face(self, drawing: Drawing) -> FaceContent:
        """What a face comes to, cut off where its bleed ends."""
        seen = self._faces.get(id(drawing))
        if seen is None:
            seen = drawing, self._face_content(drawing)
            self._faces.keep(id(drawing), seen)
        return seen[1]

    def form(self, face: FaceContent, alone: bool) -> Resource | None:
        """The form of a face; None for one that is `alone` on its page and was on none before: it is drawn there.

        A page packs what its faces have in common once, their forms would each for itself.
        """
        number = self._forms.get(face.key)
        if number is None and alone:
            self._forms[face.key] = _DRAWN
            return None
        if not number:
            number = self._forms[face.key] = self._add_form(face.operators, face.resources, face.box)
        return Resource(f"D{number}", number)

    def dictionary(self, resources: dict[str, Resource]) -> int:
        """The number of a resource dictionary with the document's fonts and these; equal ones are shared."""
        key = tuple(sorted(resources))
        found = self._dictionaries.get(key)
        if found is None:
            entries = [f"/Font {self._named_fonts} 0 R"]
            for kind, letters in (("XObject", "DSP"), ("Shading", "G"), ("ColorSpace", "C"), ("ExtGState", "E")):
                named = [f"/{name} {resources[name].number} 0 R" for name in key if name[0] in letters]
                if named:
                    entries.append(f"/{kind}<<{''.join(named)}>>")
            found = self._dictionaries[key] = add(self._pdf, f"<<{''.join(entries)}>>")
        return found

    def write_fonts(self) -> None:
        """Add every font that was used, once all content is written."""
        named = [f"/{font.name} {font.write(self._pdf)} 0 R" for font in self._fonts.values()]
        self._pdf.fill(self._named_fonts, f"<<{''.join(named)}>>")

    def _face_content(self, drawing: Drawing) -> FaceContent:
        """Draw a face.

        Faces are known by what they come to: to keep them all would take as much memory as the game has cards.
        """
        content = Content(self)
        foreign = drawing.lang and drawing.lang != self._lang
        if foreign:
            content.mark(f"/Span<</Lang{text_string(drawing.lang)}>>BDC")
        content.draw(drawing.items)
        if foreign:
            content.mark("EMC")
        box = _corners(Rect(0, 0, drawing.width, drawing.height).grown(drawing.bleed))
        operators = content.operators()
        key = hashlib.blake2b(box.encode("ascii") + b" " + operators, digest_size=16).digest()
        return FaceContent(key, operators, content.resources, box)

    def _image(self, picture: Picture) -> int:
        from generator.writers.pdf_pictures import image, stencilled_image

        made = self._made.get(picture.asset)
        if made is not None:
            return stencilled_image(self._pdf, made)
        return image(self._pdf, self._paths(picture.source), self._inks)

    def _add_form(self, operators: bytes, resources: dict[str, Resource], box: str, group: str = "") -> int:
        entries = f"/Type/XObject/Subtype/Form/BBox[{box}]/Resources {self.dictionary(resources)} 0 R{group}"
        return add(self._pdf, stream(entries, operators))

    def _drawn(self, items: tuple[Item, ...], box: Rect, group: str = "") -> int:
        """The form of items that are cut off at a box."""
        content = Content(self)
        content.draw(items)
        return self._add_form(content.operators(), content.resources, _corners(box), group)

    def _once(self, key: tuple[Hashable, ...], write: Callable[[], int]) -> Resource:
        slot = self._written.setdefault(key, [])  # asked only once: hashing a whole face takes its time
        if not slot:
            number = write()
            slot.append(Resource(f"{key[0]}{number}", number))
        return slot[0]


def _corners(box: Rect) -> str:
    return numbers((box.x, box.y, box.right, box.bottom))
