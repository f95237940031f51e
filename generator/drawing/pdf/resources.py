"""Resources of a PDF: writes faces, symbols, fonts, inks, gradients and effects, each only once."""

import hashlib
from collections.abc import Callable, Hashable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.base.cache import RecentValues
from generator.base.colour import Bitmap, Ink, Inks, Overprint, Rgb, rgb_from_hex
from generator.base.display_list import Blend, Drawing, Gradient, Group, Item, Mask, Paint, Picture, Role, Shape, Symbol
from generator.base.geometry import MM_PER_PT, Rect
from generator.drawing.pdf.content import Content, LookCache, Operators, Resource, SizedFont
from generator.drawing.pdf.font_subset import CidFont
from generator.drawing.pdf.objects import (
    PdfFile,
    add_object,
    encode_name,
    encode_number,
    encode_numbers,
    encode_text,
    make_stream,
)
from generator.text.fonts import FontBook

if TYPE_CHECKING:
    from generator.drawing.pdf.pdf_pictures import StencilledPicture


_OPERATORS = {"gray": ("g", "G"), "rgb": ("rg", "RG"), "cmyk": ("k", "K")}
_DEVICE = {1: "/DeviceGray", 3: "/DeviceRGB", 4: "/DeviceCMYK"}


class ScreenInks:
    """Colours for screens and desktop printers. Greys use black ink only, so that small type stays sharp."""

    keeps_pictures = True
    overprints: Overprint = "never"

    def __init__(self, palette: Callable[[Paint], Rgb]):
        self._palette = palette

    def ink(self, paint: Paint, role: Role) -> Ink:  # noqa: ARG002 - a screen shows all roles alike
        """Return a paint as red, green and blue, or as a grey if these are equal, for any role."""
        red, green, blue = self._palette(paint)
        return Ink("gray", (red,)) if red == green == blue else Ink("rgb", (red, green, blue))

    def bitmap(self, bitmap: Bitmap) -> Bitmap:
        """Return the bitmap unchanged."""
        return bitmap


def make_separation(ink: Ink) -> str:
    """Return the PDF colour space of a spot ink; devices without its plate print its process colours."""
    full = encode_numbers(ink.alternate or (0, 0, 0, 1))
    tint = f"<</FunctionType 2/Domain[0 1]/C0[0 0 0 0]/C1[{full}]/N 1>>"
    return f"[/Separation{encode_name(ink.spot)}/DeviceCMYK{tint}]"


def format_overprint_state(fill: bool, stroke: bool, how: Overprint) -> str:
    """Return the graphics state in which fills or strokes overprint or not; `how`: OPM 1, or the blend mode Darken."""
    if how == "darkening":
        return f"<</Type/ExtGState/BM/{'Darken' if fill or stroke else 'Normal'}>>"
    words = {True: "true", False: "false"}
    return f"<</Type/ExtGState/OP {words[stroke]}/op {words[fill]}/OPM {int(fill or stroke)}>>"


def convert_inks(inks: list[Ink]) -> tuple[str, list[tuple[float, ...]]]:
    """Return one colour space for all these inks, and each ink's values in it; spot inks give their process colours."""
    channels = max(len(find_process_values(ink)) for ink in inks)
    return _DEVICE[channels], [_widen_values(find_process_values(ink), channels) for ink in inks]


def find_process_values(ink: Ink) -> tuple[float, ...]:
    """Return the process colours of an ink: for a spot ink, its substitute."""
    if ink.space != "spot":
        return ink.values
    return tuple(part * ink.values[0] for part in ink.alternate or (0, 0, 0, 1))


def _widen_values(values: tuple[float, ...], channels: int) -> tuple[float, ...]:
    if len(values) == channels:
        return values
    if len(values) == 1:
        return (0.0, 0.0, 0.0, 1 - values[0]) if channels == 4 else values * 3
    red, green, blue = values  # only where someone's inks mix screen and press
    black = 1 - max(values)
    return (1 - red - black, 1 - green - black, 1 - blue - black, black)


_NARROW = 0.005
"""Share of a gradient that a hard edge at its end gets: renderers compute 256 colours, the last is invisible."""


def find_solid_paint(gradient: Gradient) -> Paint | None:
    """Return the paint of a gradient of zero length (as in SVG, its last stop's); None for any other gradient."""
    a, b, c, d, _, _ = gradient.matrix
    line = gradient.line
    flat = line[:2] == line[2:] if gradient.kind == "linear" else line[2] <= 0
    if flat or a * d - b * c == 0:
        return gradient.stops[-1][1]
    return None


def write_shading(document: Any, gradient: Gradient, inks: Callable[[Paint], Ink]) -> int:
    """Write a gradient's shading in a colour space for all its stops; `inks` convert paints. Return its number."""
    stops = _sort_stops(gradient.stops, inks)
    space, values = convert_inks([ink for _, ink in stops])
    body = _make_stitching([offset for offset, _ in stops], [encode_numbers(each) for each in values])
    function = add_object(document, body)
    kind = 2 if gradient.kind == "linear" else 3
    return add_object(
        document,
        f"<</ShadingType {kind}/ColorSpace{space}/Coords[{encode_numbers(_compute_coordinates(gradient), 4)}]"
        f"/Extend[true true]/Function {function} 0 R>>",
    )


def _compute_coordinates(gradient: Gradient) -> tuple[float, ...]:
    if gradient.kind == "linear":
        return gradient.line
    cx, cy, r, fx, fy = gradient.line
    # A focus on or outside the circle would leave part of the plane unpainted; SVG moves it inside.
    away = ((fx - cx) ** 2 + (fy - cy) ** 2) ** 0.5
    bound_items = 0.99 * r
    if away > bound_items:
        fx, fy = cx + (fx - cx) * bound_items / away, cy + (fy - cy) * bound_items / away
    return (fx, fy, 0.0, cx, cy, r)


def _sort_stops(stops: tuple[tuple[float, Paint], ...], inks: Callable[[Paint], Ink]) -> list[tuple[float, Ink]]:
    """Return the stops as inks in ascending order, completed to 0 and 1 (SVG moves a stop that goes back)."""
    result: list[tuple[float, Ink]] = []
    reached = 0.0
    for offset, paint in stops:
        reached = min(max(offset, reached), 1.0)
        result.append((reached, inks(paint)))
    if result[0][0] > 0:
        result.insert(0, (0.0, result[0][1]))
    if result[-1][0] < 1:
        result.append((1.0, result[-1][1]))
    if result[-2][0] > 1 - _NARROW:
        result.insert(-1, (1 - _NARROW, result[-1][1]))
    return result


def _make_stitching(offsets: list[float], colours: list[str]) -> str:
    """Return a PDF function of the colours at `offsets` (0 to 1), linear between; at a hard edge two pieces meet."""
    last = len(offsets) - 1
    places = [0.0, *(min(max(place, _NARROW), 1 - _NARROW) for place in offsets[1:last]), 1.0]
    pieces, bounds = [], []
    for index in range(last):
        if places[index + 1] - places[index] > 1e-5:
            pieces.append(f"<</FunctionType 2/Domain[0 1]/C0[{colours[index]}]/C1[{colours[index + 1]}]/N 1>>")
            bounds.append(places[index + 1])
    if len(pieces) == 1:
        return pieces[0]
    return (
        f"<</FunctionType 3/Domain[0 1]/Functions[{''.join(pieces)}]/Bounds[{encode_numbers(bounds[:-1], 5)}]"
        f"/Encode[{' '.join(['0 1'] * len(pieces))}]>>"
    )


RECENT_FACES = 50
"""Number of latest face objects whose content is remembered; others are drawn again and then found by content."""

_DRAWN = 0
"""Object number that stands for a face drawn directly on its page, without a form."""

_BOUNDLESS = Rect(-10000, -10000, 20000, 20000)


class FaceContent(NamedTuple):
    """The PDF operators and resources that draw a face, and its `box` with bleed. Equal content has the same `key`."""

    key: bytes
    operators: bytes
    resources: dict[str, Resource]
    box: str


class PdfResources:
    """Writes the resources of one PDF, each only once. `lang` is the document's language; other content is tagged.

    `made` are pictures without a file, by asset. Resources created `beside` others share their fonts.
    """

    def __init__(
        self,
        pdf: PdfFile,
        lang: str,
        fonts: FontBook,
        inks: Inks,
        pictures: Callable[[str], Path],
        made: "Mapping[str, StencilledPicture]",
        beside: "PdfResources | None" = None,
    ):
        self._pdf, self._lang = pdf, lang
        self._book, self._inks, self._paths, self._made = fonts, inks, pictures, made
        self.look_cache = LookCache(self)
        self._fonts: dict[str, CidFont] = {}
        self._types: dict[tuple[str, float], SizedFont] = {}
        self._operators: dict[tuple[Paint, Role], Operators] = {}
        self._written: dict[Hashable, list[Resource]] = {}
        self._seen: dict[tuple[int, bool], tuple[object, Resource]] = {}
        self._faces: RecentValues[int, tuple[Drawing, FaceContent]] = RecentValues(RECENT_FACES)
        self._forms: dict[bytes, int] = {}
        self._dictionaries: dict[tuple[str, ...], int] = {}
        self._named_fonts: int = pdf.reserve() if beside is None else beside._named_fonts
        if beside is not None:
            self._fonts, self._types = beside._fonts, beside._types
        self._greys: PdfResources | None = None

    def embed_type(self, key: str, size: float) -> SizedFont:
        """Return the document's font of this key in a size in points."""
        found = self._types.get((key, size))
        if found is None:
            font = self._fonts.get(key)
            if font is None:
                font = self._fonts[key] = CidFont(f"F{len(self._fonts) + 1}", self._book.get_font(key))
            height = size * MM_PER_PT
            found = self._types[key, size] = SizedFont(font, height, f"/{font.name} {encode_number(height, 4)} Tf")
        return found

    def find_operators(self, paint: Paint, role: Role) -> Operators:
        """Return the operators that select a paint for an item of this role."""
        found = self._operators.get((paint, role))
        if found is None:
            ink = self._inks.ink(paint, role)
            if ink.space == "spot":
                space = self._write_once(("C", ink.spot), lambda: add_object(self._pdf, make_separation(ink)))
                tint = encode_number(ink.values[0])
                found = Operators(f"/{space.name} cs {tint} scn", f"/{space.name} CS {tint} SCN", False, space)
            else:
                fill, stroke = _OPERATORS[ink.space]
                values = encode_numbers(ink.values)
                found = Operators(f"{values} {fill}", f"{values} {stroke}", ink.overprint)
            self._operators[paint, role] = found
        return found

    def embed_overprint(self, fill: bool, stroke: bool) -> Resource | None:
        """Return the state in which fills and strokes overprint or not, or None if these inks never overprint."""
        how = self._inks.overprints
        if how == "never":
            return None
        return self._write_once(
            ("E", fill, stroke), lambda: add_object(self._pdf, format_overprint_state(fill, stroke, how))
        )

    def embed_picture(self, picture: Picture) -> Resource:
        """Return the image of a picture's asset."""
        return self._write_once(("P", picture.asset), lambda: self._write_picture(picture))

    def embed_gradient(self, gradient: Gradient, role: Role) -> Resource | Paint:
        """Return the shading of a gradient, or a paint if it has only one."""
        paint = find_solid_paint(gradient)
        if paint is not None:
            return paint
        key = ("G", gradient.kind, gradient.line, gradient.stops, role)
        return self._write_once(
            key, lambda: write_shading(self._pdf, gradient, lambda paint: self._inks.ink(paint, role))
        )

    def embed_blending(self, group: Group) -> Resource:
        """Return the graphics state that blends a group painted as one with what is below it."""
        mask = group.mask
        key = ("E", group.opacity, group.blend, mask)
        return self._write_once(
            key,
            lambda: add_object(
                self._pdf, format_blend_state(group.opacity, group.blend, self._write_mask(mask) if mask else "")
            ),
        )

    def embed_group(self, group: Group) -> Resource | None:
        """Return the form XObject of a group painted as one layer; None if it is empty, or a single fill or stroke."""
        from generator.base.outlines import bound_items

        box = bound_items(group.items)
        if box is None or is_lone_paint(group):
            return None
        return self._write_once(("S", "group", group.items), lambda: self._write_group(group.items, box))

    def _write_group(self, items: tuple[Item, ...], box: Rect, space: str = "") -> int:
        return self._write_drawn(items, box, f"/Group<</S/Transparency/I true{space}>>")

    def _write_mask(self, mask: Mask) -> str:
        """Write a mask, always in greys, as its lightness is no colour on paper. Return its graphics state's entry."""
        from generator.base.outlines import bound_items

        if self._greys is None:
            inks = ScreenInks(lambda paint: rgb_from_hex(paint) if paint.startswith("#") else (0.0, 0.0, 0.0))
            self._greys = PdfResources(self._pdf, self._lang, self._book, inks, self._paths, {}, self)
        box = bound_items(mask.items) or Rect(0, 0, 1, 1)
        return format_soft_mask(self._greys._write_group(mask.items, box, "/CS/DeviceGray"), mask.alpha)

    def embed_symbol(self, symbol: Symbol, clip: bool) -> Resource:
        """Return the form of a symbol, clipped to its box or not."""
        seen = self._seen.get((id(symbol), clip))
        if seen is None:
            box = Rect(*symbol.box) if clip else _BOUNDLESS
            key = ("S", box, symbol.items)
            resource = self._write_once(key, lambda: self._write_drawn(symbol.items, box))
            seen = self._seen[id(symbol), clip] = symbol, resource
        return seen[1]

    def draw_face(self, drawing: Drawing) -> FaceContent:
        """Return the content of a face, clipped to its bleed."""
        seen = self._faces.get(id(drawing))
        if seen is None:
            # Its content is remembered: all objects would need too much memory.
            content = Content(self)
            foreign = drawing.lang and drawing.lang != self._lang
            if foreign:
                content.insert_mark(f"/Span<</Lang{encode_text(drawing.lang)}>>BDC")
            content.draw(drawing.items)
            if foreign:
                content.insert_mark("EMC")
            box = _format_corners(Rect(0, 0, drawing.width, drawing.height).grow(drawing.bleed))
            operators = content.join_operators()
            key = hashlib.blake2b(box.encode("ascii") + b" " + operators, digest_size=16).digest()
            seen = drawing, FaceContent(key, operators, content.resources, box)
            self._faces.put(id(drawing), seen)
        return seen[1]

    def embed_face(self, face: FaceContent, alone: bool) -> Resource | None:
        """Return the form of a face; None if it is `alone` on its page and new, since the page then draws it itself.

        A page compresses the common parts of its faces once, forms would do so separately.
        """
        number = self._forms.get(face.key)
        if number is None and alone:
            self._forms[face.key] = _DRAWN
            return None
        if not number:
            number = self._forms[face.key] = self._add_form(face.operators, face.resources, face.box)
        return Resource(f"D{number}", number)

    def write_dictionary(self, resources: dict[str, Resource]) -> int:
        """Return the object number of a resource dictionary with these and all fonts. Equal ones are shared."""
        key = tuple(sorted(resources))
        found = self._dictionaries.get(key)
        if found is None:
            entries = [f"/Font {self._named_fonts} 0 R"]
            for kind, letters in (("XObject", "DSP"), ("Shading", "G"), ("ColorSpace", "C"), ("ExtGState", "E")):
                named = [f"/{name} {resources[name].number} 0 R" for name in key if name[0] in letters]
                if named:
                    entries.append(f"/{kind}<<{''.join(named)}>>")
            found = self._dictionaries[key] = add_object(self._pdf, f"<<{''.join(entries)}>>")
        return found

    def write_fonts(self) -> None:
        """Add every used font once all content is written."""
        named = [f"/{font.name} {font.write_font(self._pdf)} 0 R" for font in self._fonts.values()]
        self._pdf.fill(self._named_fonts, f"<<{''.join(named)}>>")

    def _write_picture(self, picture: Picture) -> int:
        from generator.drawing.pdf.pdf_pictures import write_picture, write_stencilled

        made = self._made.get(picture.asset)
        if made is not None:
            return write_stencilled(self._pdf, made)
        return write_picture(self._pdf, self._paths(picture.source), self._inks)

    def _add_form(self, operators: bytes, resources: dict[str, Resource], box: str, group: str = "") -> int:
        entries = f"/Type/XObject/Subtype/Form/BBox[{box}]/Resources {self.write_dictionary(resources)} 0 R{group}"
        return add_object(self._pdf, make_stream(entries, operators))

    def _write_drawn(self, items: tuple[Item, ...], box: Rect, group: str = "") -> int:
        content = Content(self)
        content.draw(items)
        return self._add_form(content.join_operators(), content.resources, _format_corners(box), group)

    def _write_once(self, key: tuple[Hashable, ...], write: Callable[[], int]) -> Resource:
        slot = self._written.setdefault(key, [])  # only one lookup: hashing a whole face is slow
        if not slot:
            number = write()
            slot.append(Resource(f"{key[0]}{number}", number))
        return slot[0]


def _format_corners(box: Rect) -> str:
    return encode_numbers((box.x, box.y, box.right, box.bottom))


_BLENDS: dict[Blend, str] = {
    "normal": "Normal", "multiply": "Multiply", "screen": "Screen", "overlay": "Overlay", "darken": "Darken",
    "lighten": "Lighten", "color-dodge": "ColorDodge", "color-burn": "ColorBurn", "hard-light": "HardLight",
    "soft-light": "SoftLight", "difference": "Difference", "exclusion": "Exclusion", "hue": "Hue",
    "saturation": "Saturation", "color": "Color", "luminosity": "Luminosity",
}  # fmt: skip


def format_blend_state(opacity: float, blend: Blend, mask: str) -> str:
    """Return the graphics state in which a group is painted; `mask` is the entry of its mask, or ''."""
    alpha = encode_number(opacity, 4)
    mode = f"/BM/{_BLENDS[blend]}" if blend != "normal" else ""
    return f"<</Type/ExtGState/ca {alpha}/CA {alpha}{mode}{mask}>>"


def format_soft_mask(form: int, alpha: bool) -> str:
    """Return the graphics state's entry for a soft mask: the form's lightness, or its alpha, is the opacity."""
    return f"/SMask<</Type/Mask/S/{'Alpha' if alpha else 'Luminosity'}/G {form} 0 R>>"


def is_lone_paint(group: Group) -> bool:
    """Return True if a group paints a single fill or stroke, so that its opacity needs no transparency group."""
    if group.mask is not None or len(group.items) != 1:
        return False
    item = group.items[0]
    return isinstance(item, Shape) and (item.fill is None or item.stroke is None or not item.width)
