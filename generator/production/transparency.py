"""Transparency: turns blended and see-through things into opaque pictures."""

import hashlib
import io
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import ceil, floor, hypot, isqrt
from pathlib import Path
from typing import BinaryIO, NamedTuple, TypeAlias

from PIL import Image, ImageChops

from generator.base.cache import Recent
from generator.base.colour import Bitmap, Ink, Inks, Overprint
from generator.base.display_list import Drawing, Group, Item, Paint, Picture, Placed, Role, parts_of, visit
from generator.base.geometry import IDENTITY, MM_PER_INCH, Matrix, Rect, Size, inverse, scale_of, times
from generator.base.outlines import bounds, reach, rectangle
from generator.base.picture_files import name_of, picture_file
from generator.drawing.pdf.page_images import render_page
from generator.drawing.pdf.pdf_pictures import Stencilled, pixels, pixels_of, stencilled
from generator.drawing.pdf.resources import process
from generator.drawing.svg.art_files import keep
from generator.drawing.svg.filter_pixels import MIXES, blended
from generator.game.print_pages import Document, Page
from generator.production.press_colour import PressInks

# Multiplied groups stay multiplied: inks do that, plate by plate. Lightening modes would fail there, because black has
# its own plate: such groups become pictures blended in screen colours first, and then lie on what is below like others.
# `Flattening` handles groups that are painted as one for files without transparency.

Render = Callable[[tuple[Item, ...], Rect, float], Image.Image]
"""Renders items in a box of their own units as pixels (RGBA, pixels per unit): an artist's `render`."""

_FINE = 600.0
"""Dots per inch, so that sharp edges within such a group stay sharp."""

_MOST_BLEND_PIXELS = 30_000_000


def opened_up(item: Group | Placed) -> Group:
    """Return a placed symbol as a group: its result depends on its place."""
    if isinstance(item, Group):
        return item
    return Group(item.symbol.items, item.matrix, rectangle(Rect(*item.symbol.box)) if item.clip else "")


def _rendered(group: Group, matrix: Matrix, render: Render) -> tuple[Image.Image, Rect, float] | None:
    """Render a group. Return the pixels, the box in its coordinates, and pixels per unit, or None for nothing."""
    shown = replace(group, matrix=IDENTITY, blend="normal")
    box = reach((shown,))
    if box is None or box.width <= 0 or box.height <= 0:
        return None
    fine = _FINE / MM_PER_INCH * scale_of(times(matrix, group.matrix))
    fine = min(fine, (_MOST_BLEND_PIXELS / (box.width * box.height)) ** 0.5)
    return render((shown,), box, fine), box, fine


def _picture(image: Image.Image, box: Rect, _fine: float) -> Picture:
    out = io.BytesIO()
    image.save(out, format="PNG", compress_level=6)
    kept = keep(out.getvalue())
    return Picture(kept.asset, kept.source, box.x, box.y, box.width, box.height)


Around = Callable[[tuple[Item, ...]], tuple[Item, ...]]
"""Returns everything painted before some items of a group, followed by these items."""


def within(around: Around, before: tuple[Item, ...], group: Group, inner: tuple[Item, ...]) -> tuple[Item, ...]:
    """Return everything painted before some items of a group that follows other items."""
    return around((*before, replace(group, items=inner)))


def blended_on_screen(
    items: tuple[Item, ...], matrix: Matrix, render: Render, around: Around = tuple
) -> tuple[Item, ...]:
    """Replace groups that are blended but not multiplied by pictures, on a face with matrix `matrix`."""
    if not _blends(items):
        return items
    done: list[Item] = []
    for at, item in enumerate(items):
        if isinstance(item, Group) and item.blend in _ON_SCREEN:
            done += _blended(item, matrix, render, around(items[:at]))
        elif isinstance(item, (Group, Placed)) and not (isinstance(item, Group) and item.as_one) and _blends((item,)):
            group = opened_up(item)
            put = partial(within, around, items[:at], group)
            done.append(replace(group, items=blended_on_screen(group.items, times(matrix, group.matrix), render, put)))
        else:
            done.append(item)
    return tuple(done)


def document_on_screen(document: Document, render: Render) -> Document:
    """Return the document with `blended_on_screen` applied to its faces. Unchanged faces are the same objects."""
    done: dict[int, tuple[Drawing, Drawing]] = {}
    pages = []
    for page in document.pages:
        placements = []
        for put in page.placements:
            face = put.drawing
            if id(face) not in done:
                items = blended_on_screen(face.items, IDENTITY, render)
                done[id(face)] = face, face if items is face.items else replace(face, items=items)
            placements.append(replace(put, drawing=done[id(face)][1]))
        pages.append(replace(page, placements=tuple(placements)))
    return replace(document, pages=tuple(pages))


_ON_SCREEN = MIXES - {"multiply"}


def _blends(items: tuple[Item, ...]) -> bool:
    inner = visit(items, True, lambda _, around: around)
    return any(isinstance(item, Group) and item.blend in _ON_SCREEN for item, _ in inner)


def _blended(group: Group, matrix: Matrix, render: Render, below: tuple[Item, ...]) -> list[Item]:
    """Return a picture of a group blended with the colours below it."""
    shown, face = _rendered(group, matrix, render), inverse(times(matrix, group.matrix))
    if shown is None or face is None:
        return []
    image, box, fine = shown
    ground = Image.new("RGBA", image.size, "white")
    if below:
        ground = Image.alpha_composite(ground, render((Group(below, face),), box, fine))
    picture = _picture(blended(image, ground, group.blend), box, fine)
    return [picture if group.matrix == IDENTITY else Group((picture,), group.matrix)]


# This works like a flattener before a press: the visible part of every picture is mixed with the inks below it, pixel
# by pixel, and becomes an opaque picture there. Where it hides nothing, a stencil leaves what is below untouched, so
# type and lines stay sharp. The same picture on two backgrounds becomes two.

_MOST_FLAT_PIXELS = 60_000_000
"""Largest number of pixels of one picture. Beyond it the part below is as coarse as the picture itself."""

_MOST_MERGED = 30_000_000
"""Largest number of pixels of a group painted as one. A larger group is coarser."""

_PIXEL = 0.05
"""Size of a pixel (mm) on the page that shows what is below. That page has as many pixels as the picture."""

_LARGE = 10_000
"""Pixels along an edge: a picture that slants by less than one pixel over this length counts as straight."""

_ROUND = 1e-3  # part of a pixel

_NEARLY = 0.05
"""Tolerance: a picture so little coarser than required is fine enough."""

_FULL = 255

Write: TypeAlias = Callable[[Document, BinaryIO, Inks], None]
"""Writes a document as PDF in these inks: a workshop's `write`."""


class _Layers(NamedTuple):
    """A picture's inks, the opacity of each pixel, and whether it is full black ink alone, like a shadow."""

    inks: Image.Image
    alpha: Image.Image
    is_black: bool


class Flattening:
    """Makes transparent pictures of documents opaque for a press; `made` are the replacements."""

    def __init__(self, write: Write, press: PressInks, render: Render):
        self.made: dict[str, Stencilled] = {}
        self._write, self._press, self._render = write, press, render
        self._drawings: dict[int, tuple[Drawing, Drawing]] = {}
        self._clear: dict[str, bool] = {}
        self._layers: Recent[str, _Layers] = Recent(2)

    def document(self, document: Document) -> Document:
        """Return the document with every face opaque. Faces without transparency are the same objects."""
        pages = []
        for page in document.pages:
            placements = [replace(put, drawing=self.drawing(put.drawing)) for put in page.placements]
            pages.append(replace(page, placements=tuple(placements)))
        return replace(document, pages=tuple(pages))

    def drawing(self, drawing: Drawing) -> Drawing:
        """Return a face without transparency."""
        known = self._drawings.get(id(drawing))
        if known is None:
            seen = Rect(0, 0, drawing.width, drawing.height).grown(drawing.bleed)
            items = blended_on_screen(drawing.items, IDENTITY, self._render)
            done = drawing if items is drawing.items else replace(drawing, items=items)
            if self._shows_through(done.items):
                done = replace(done, items=self._opaque(done.items, IDENTITY, seen, tuple))
            known = self._drawings[id(drawing)] = drawing, done
        return known[1]

    def _shows_through(self, items: tuple[Item, ...]) -> bool:
        """Return True if any item is or contains a transparent picture, or a group that is painted as one."""
        inner = visit(items, True, lambda _, around: around)
        return any(
            self._is_clear(item) if isinstance(item, Picture) else isinstance(item, Group) and item.as_one
            for item, _ in inner
        )

    def _is_clear(self, picture: Picture) -> bool:
        if picture.asset not in self._clear:
            opened, data = picture_file(Path(picture.source))
            self._clear[picture.asset] = opened.has_transparency_data and bool(pixels_of(opened, data, "").alpha)
        return self._clear[picture.asset]

    def _opaque(self, items: tuple[Item, ...], matrix: Matrix, seen: Rect, around: Around) -> tuple[Item, ...]:
        """Return the items opaque, on a face with matrix `matrix`; only `seen` (mm of the face) is visible."""
        done: list[Item] = []
        for at, each in enumerate(items):
            item = each
            if isinstance(item, Group) and item.as_one:
                merged = self._merged(item, matrix, seen, around(items[: at + 1]))
                if merged is None:
                    continue
                item = merged
            elif isinstance(item, (Group, Placed)) and self._shows_through(parts_of(item)):
                group = opened_up(item)
                by = times(matrix, group.matrix)
                shown = _intersection(seen, bounds(group.clip, by)) if group.clip else seen
                if shown is None:
                    continue
                put = partial(within, around, items[:at], group)
                item = replace(group, items=self._opaque(group.items, by, shown, put))
            elif isinstance(item, Picture) and self._is_clear(item):
                made = self._compose(item, matrix, seen, around(items[:at]))
                if made is None:
                    continue
                item = made
            done.append(item)
        return tuple(done)

    def _merged(self, group: Group, matrix: Matrix, seen: Rect, whole: tuple[Item, ...]) -> Group | None:
        """Return the visible part of a group that is painted as one; `whole` is the face up to that group.

        It is mixed plate by plate, as a press's own program does: black stays black alone, palette colours keep their
        inks.
        """
        box, out = reach((group,), matrix), inverse(matrix)
        shared = _intersection(seen, box)
        if shared is None or out is None or not shared.width or not shared.height:
            return None
        pixel = max(MM_PER_INCH / _FINE, (shared.width * shared.height / _MOST_MERGED) ** 0.5)
        left, top = floor(shared.x / pixel), floor(shared.y / pixel)
        size = (ceil(shared.right / pixel) - left, ceil(shared.bottom / pixel) - top)
        area = Rect(left * pixel, top * pixel, size[0] * pixel, size[1] * pixel)
        alone = replace(group, blend="normal")
        alpha = self._render((Group((alone,), matrix),), area, 1 / pixel).getchannel("A").crop((0, 0, *size))
        if not alpha.getbbox():
            return None
        grid = (pixel, 0.0, 0.0, pixel, area.x, area.y)
        inks = self._press.within(self._ground_pixels(whole, grid, size))
        return self._put(stencilled(inks, alpha), size, times(out, grid))

    def _put(self, made: Stencilled, size: tuple[int, int], by: Matrix) -> Group:
        """Return an opaque picture in its place, with one unit for each pixel."""
        asset = hashlib.sha256(b"".join((made.entries.encode(), made.rows, made.stencil))).hexdigest()
        self.made[asset] = made
        return Group((Picture(asset, "", 0.0, 0.0, float(size[0]), float(size[1])),), by)

    def _compose(self, picture: Picture, matrix: Matrix, seen: Rect, below: tuple[Item, ...]) -> Group | None:
        """Return the visible part of a picture mixed with what is below, or None if nothing is visible."""
        unit = times(matrix, (picture.width, 0.0, 0.0, picture.height, picture.x, picture.y))
        out = inverse(matrix)
        if out is None or inverse(unit) is None:
            return None
        layers = self._separate(picture)
        own = times(unit, (1 / layers.alpha.width, 0.0, 0.0, 1 / layers.alpha.height, 0.0, 0.0))
        grid = _grid(own, layers.alpha)
        box = _covered_pixels(grid, own, layers.alpha, seen)
        if box is None:
            return None
        left, top, right, bottom = box
        size, corner = (right - left, bottom - top), times(grid, (1.0, 0.0, 0.0, 1.0, left, top))
        inks, alpha = (_place_layer(layer, own, corner, size) for layer in (layers.inks, layers.alpha))
        if not alpha.getbbox():
            return None
        ground = self._ground_pixels(below, corner, size)
        mixed = Image.composite(inks, ground, alpha)
        if layers.is_black:  # black darkens: if it removed colours, a shadow would become brown and hardly darker
            mixed = Image.merge("CMYK", (*ground.split()[:3], mixed.getchannel("K")))
        made = stencilled(self._press.within(mixed), alpha)
        return self._put(made, size, times(out, corner))

    def _separate(self, picture: Picture) -> _Layers:
        """Return the picture in the press's inks. Invisible pixels are white, so that their colours don't matter."""
        known = self._layers.get(picture.asset)
        if known is None:
            given = pixels_of(*picture_file(Path(picture.source)), name_of(Path(picture.source)))
            alpha = Image.frombytes("L", (given.width, given.height), given.alpha)
            image = pixels(given)
            paper = (0, 0, 0, 0) if image.mode == "CMYK" else "white"
            image.paste(paper, mask=ImageChops.invert(alpha.point(_seen)))
            inks = pixels(self._press.bitmap(replace(given, pixels=image.tobytes(), alpha=b"")))
            is_black = inks.mode == "L" and ImageChops.multiply(inks, alpha.point(_seen)).getbbox() is None
            if inks.mode == "L":
                none = Image.new("L", inks.size)
                inks = Image.merge("CMYK", (none, none, none, ImageChops.invert(inks)))
            known = _Layers(inks, alpha, is_black)
            self._layers.keep(picture.asset, known)
        return known

    def _ground_pixels(self, below: tuple[Item, ...], grid: Matrix, size: tuple[int, int]) -> Image.Image:
        """Render items of a face in four inks, at a size in pixels that `grid` maps to the face."""
        face = inverse(grid)
        if face is None:
            raise AssertionError("a picture that shows lies on no line")
        width, height = (side * _PIXEL for side in size)
        by = times((_PIXEL, 0.0, 0.0, _PIXEL, 0.0, 0.0), face)
        page = Page(Size(width, height), "front", 1, (), (Group(below, by),))
        shown = []
        for black in (False, True):
            out = io.BytesIO()
            self._write(Document("", "", (page,)), out, _Plates(self._press, black))
            shown.append(ImageChops.invert(render_page(out.getvalue(), 0, MM_PER_INCH / _PIXEL)))
        return Image.merge("CMYK", (*shown[0].split(), shown[1].getchannel(0)))


class _Plates:
    """Shows a press's plates: cyan, magenta and yellow as the lack of red, green and blue, or black as a grey."""

    keeps_pictures = False
    overprints: Overprint = "darkening"

    def __init__(self, press: PressInks, black: bool):
        self._press, self._black = press, black

    def ink(self, paint: Paint, role: Role) -> Ink:
        """Return how a paint shows on the plates. A spot ink shows as its process colours."""
        ink = self._press.ink(paint, role)
        cyan, magenta, yellow, black = process(ink)
        if self._black:
            return Ink("gray", (1 - black,), overprint=ink.overprint)
        return Ink("rgb", (1 - cyan, 1 - magenta, 1 - yellow), overprint=ink.overprint)

    def bitmap(self, bitmap: Bitmap) -> Bitmap:
        """Return how a picture shows on the plates."""
        made = self._press.bitmap(bitmap)
        if made.space == "gray":
            return made if self._black else replace(made, pixels=b"\xff" * len(made.pixels))
        *colours, black = pixels(made).split()
        if self._black:
            return replace(made, space="gray", pixels=ImageChops.invert(black).tobytes())
        return replace(made, space="rgb", pixels=ImageChops.invert(Image.merge("RGB", colours)).tobytes())


def _seen(alpha: int) -> int:
    """Return the mask value of a pixel's opacity: full if it is visible at all."""
    return _FULL if alpha else 0


def _intersection(one: Rect, other: Rect | None) -> Rect | None:
    """Return the overlap of both, or None."""
    if other is None or not one.meets(other):
        return None
    x, y = max(one.x, other.x), max(one.y, other.y)
    return Rect(x, y, min(one.right, other.right) - x, min(one.bottom, other.bottom) - y)


def _grid(own: Matrix, alpha: Image.Image) -> Matrix:
    """Return the matrix from the pixels of the opaque picture to the face.

    They are the picture's own pixels, placed by `own`; where something shines through there are several for each, so
    that it stays readable. A slanted picture becomes a straight one, because not every press's program can stencil a
    slanted one.
    """
    a, b, c, d, _, _ = own
    across = hypot(a, b)
    if (abs(b) + abs(c)) * _LARGE > across and (abs(a) + abs(d)) * _LARGE > across:
        least = (2 * across * alpha.width * hypot(c, d) * alpha.height / _MOST_FLAT_PIXELS) ** 0.5
        pixel = max(least, min(across, hypot(c, d), MM_PER_INCH / _FINE))
        return (pixel, 0.0, 0.0, pixel, 0.0, 0.0)
    if not any(alpha.histogram()[1:_FULL]):
        return own
    finer = min(
        ceil(max(across, hypot(c, d)) * _FINE / MM_PER_INCH - _NEARLY),
        isqrt(_MOST_FLAT_PIXELS // (alpha.width * alpha.height)),
    )
    return times(own, (1 / finer, 0.0, 0.0, 1 / finer, 0.0, 0.0)) if finer > 1 else own


def _covered_pixels(grid: Matrix, own: Matrix, alpha: Image.Image, seen: Rect) -> tuple[int, int, int, int] | None:
    """Return the visible pixels of a grid that a picture, placed by `own`, covers on a face."""
    back, shows = inverse(grid), alpha.getbbox()
    if back is None or shows is None:
        return None
    visible = Rect(shows[0], shows[1], shows[2] - shows[0], shows[3] - shows[1])
    picture = bounds(rectangle(visible), times(back, own))
    shared = _intersection(picture, bounds(rectangle(seen), back)) if picture else None
    if shared is None:
        return None
    left, top = floor(shared.x + _ROUND), floor(shared.y + _ROUND)
    return (left, top, ceil(shared.right - _ROUND), ceil(shared.bottom - _ROUND))


def _place_layer(layer: Image.Image, own: Matrix, grid: Matrix, size: tuple[int, int]) -> Image.Image:
    """Return a picture's layer, placed on a face by `own`, in the pixels of a grid."""
    back = inverse(own)
    if back is None:
        raise AssertionError("a picture that shows lies on no line")
    a, b, c, d, e, f = times(back, grid)
    return layer.transform(size, Image.Transform.AFFINE, (a, c, e, b, d, f), Image.Resampling.NEAREST)
