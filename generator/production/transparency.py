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

from generator.base.cache import RecentValues
from generator.base.colour import Bitmap, Ink, Inks, Overprint
from generator.base.display_list import (
    Drawing,
    Group,
    Item,
    Paint,
    Picture,
    PlacedSymbol,
    Role,
    get_inner_items,
    visit_items,
)
from generator.base.geometry import IDENTITY, MM_PER_INCH, Matrix, Rect, Size, find_scale, invert_matrix, multiply
from generator.base.outlines import bound_items, find_bounds, rectangle_path
from generator.base.picture_files import name_picture, open_picture_file, save_picture
from generator.drawing.pdf.page_images import render_page
from generator.drawing.pdf.pdf_pictures import StencilledPicture, remove_transparency, split_pixels, stencil_picture
from generator.drawing.pdf.resources import find_process_values
from generator.drawing.svg.art_files import encode_data_address
from generator.game.print_pages import Document, Page
from generator.production.press_colour import PressInks

# Multiplied groups stay multiplied: inks do that, plate by plate. Lightening modes would fail there, because black has
# its own plate: such groups become pictures blended in screen colours first, and then lie on what is below like others.
# `Flattening` handles groups that are painted as one for files without transparency.

_MIXED: dict[str, Callable[[Image.Image, Image.Image], Image.Image]] = {
    "multiply": ImageChops.multiply, "screen": ImageChops.screen, "darken": ImageChops.darker,
    "lighten": ImageChops.lighter, "difference": ImageChops.difference,
    "overlay": lambda above, below: ImageChops.overlay(below, above), "hard-light": ImageChops.overlay,
    "soft-light": lambda above, below: ImageChops.soft_light(below, above),
}  # fmt: skip
"""Blend modes: functions of the upper and the lower picture."""


def blend_layer(above: Image.Image, below: Image.Image, how: str) -> Image.Image:
    """Return the layer to put on a picture so that both look blended; `how` is a blend mode, a key of _MIXED."""
    colours = above.convert("RGB")
    made = Image.composite(_MIXED[how](colours, below.convert("RGB")), colours, below.getchannel("A")).convert("RGBA")
    made.putalpha(above.getchannel("A"))
    return made


RenderItems = Callable[[tuple[Item, ...], Rect, float], Image.Image]
"""Renders items within a box: takes items, box, and pixels per unit; returns an RGBA image."""

_FINE = 600.0
"""Resolution of pictures that replace a group (dpi), so that its edges stay sharp."""

_MOST_BLEND_PIXELS = 30_000_000


def group_from_item(item: Group | PlacedSymbol) -> Group:
    """Return a placed symbol as a group with the same content, since blending depends on what is below it."""
    if isinstance(item, Group):
        return item
    return Group(item.symbol.items, item.matrix, rectangle_path(Rect(*item.symbol.box)) if item.clip else "")


def _render_group(group: Group, matrix: Matrix, render: RenderItems) -> tuple[Image.Image, Rect, float] | None:
    """Render a group by itself. Return pixels, box (in the group's units) and pixels per unit, or None if empty."""
    shown = group._replace(matrix=IDENTITY, blend="normal")
    box = bound_items((shown,))
    if box is None or box.width <= 0 or box.height <= 0:
        return None
    fine = _FINE / MM_PER_INCH * find_scale(multiply(matrix, group.matrix))
    fine = min(fine, (_MOST_BLEND_PIXELS / (box.width * box.height)) ** 0.5)
    return render((shown,), box, fine), box, fine


PaintAround = Callable[[tuple[Item, ...]], tuple[Item, ...]]
"""Takes some items of a group; returns everything painted before the group, followed by these items."""


def paint_within(
    around: PaintAround, before: tuple[Item, ...], group: Group, inner: tuple[Item, ...]
) -> tuple[Item, ...]:
    """Return all that is painted up to `inner` in a group: what `around` puts before, then `before`, then `inner`."""
    return around((*before, group._replace(items=inner)))


def blend_on_screen(
    items: tuple[Item, ...], matrix: Matrix, render: RenderItems, around: PaintAround = tuple
) -> tuple[Item, ...]:
    """Turn groups to pictures unless they blend as normal or multiply; `matrix`: to mm, `around` adds what is below."""
    if not _has_blends(items):
        return items
    done: list[Item] = []
    for at, item in enumerate(items):
        if isinstance(item, Group) and item.blend in _ON_SCREEN:
            done += _blend_group(item, matrix, render, around(items[:at]))
        elif (
            isinstance(item, (Group, PlacedSymbol))
            and not (isinstance(item, Group) and item.is_composited)
            and _has_blends((item,))
        ):
            group = group_from_item(item)
            put = partial(paint_within, around, items[:at], group)
            done.append(group._replace(items=blend_on_screen(group.items, multiply(matrix, group.matrix), render, put)))
        else:
            done.append(item)
    return tuple(done)


def blend_document(document: Document, render: RenderItems) -> Document:
    """Return the document with `blend_on_screen` applied to its faces. Unchanged faces are the same objects."""
    return _change_faces(document, partial(_blend_face, render=render))


def _blend_face(face: Drawing, render: RenderItems) -> Drawing:
    items = blend_on_screen(face.items, IDENTITY, render)
    return face if items is face.items else face._replace(items=items)


def _change_faces(document: Document, change: Callable[[Drawing], Drawing]) -> Document:
    """Return the document with `change` applied once to each face."""
    faces = {id(put.drawing): put.drawing for page in document.pages for put in page.placements}
    done = {key: change(face) for key, face in faces.items()}
    pages = []
    for page in document.pages:
        placements = [put._replace(drawing=done[id(put.drawing)]) for put in page.placements]
        pages.append(page._replace(placements=tuple(placements)))
    return replace(document, pages=tuple(pages))


_ON_SCREEN = _MIXED.keys() - {"multiply"}


def _has_blends(items: tuple[Item, ...]) -> bool:
    inner = visit_items(items, True, lambda _, around: around)
    return any(isinstance(item, Group) and item.blend in _ON_SCREEN for item, _ in inner)


def _blend_group(group: Group, matrix: Matrix, render: RenderItems, below: tuple[Item, ...]) -> list[Item]:
    """Return a picture of a group blended with the colours below it."""
    shown, face = _render_group(group, matrix, render), invert_matrix(multiply(matrix, group.matrix))
    if shown is None or face is None:
        return []
    image, box, fine = shown
    ground = Image.new("RGBA", image.size, "white")
    if below:
        ground = Image.alpha_composite(ground, render((Group(below, face),), box, fine))
    image = blend_layer(image, ground, group.blend)
    kept = encode_data_address(save_picture(image, compress_level=6))
    picture = Picture(kept.asset, kept.source, box.x, box.y, box.width, box.height)
    return [picture if group.matrix == IDENTITY else Group((picture,), group.matrix)]


# This works like a flattener before a press: the visible part of every picture is mixed with the inks below it, pixel
# by pixel, and becomes an opaque picture there. Where it hides nothing, a stencil leaves what is below untouched, so
# type and lines stay sharp. The same picture on two backgrounds becomes two.

_MOST_FLAT_PIXELS = 60_000_000
"""Largest number of pixels of a picture. A larger one is flattened at its own resolution, not at a finer one."""

_MOST_MERGED = 30_000_000
"""Largest number of pixels of a flattened group. A larger group gets a lower resolution."""

_PIXEL = 0.05
"""Size of a pixel (mm) on the temporary page that renders what is below a picture, one pixel for each of its own."""

_LARGE = 10_000
"""A picture that slants by less than one pixel over this many pixels counts as straight."""

_ROUND = 1e-3  # part of a pixel

_NEARLY = 0.05
"""Up to this part of a pixel by which a picture is coarser than required is tolerated."""

_FULL = 255

Write: TypeAlias = Callable[[Document, BinaryIO, Inks], None]
"""Writes a document as PDF in these inks: a workshop's `write`."""


class _Layers(NamedTuple):
    """A picture split up: its four inks, the opacity of each pixel, and whether it is pure black like a shadow."""

    inks: Image.Image
    alpha: Image.Image
    is_black: bool


class Flattening:
    """Makes transparent pictures of documents opaque for a press; `made` are the replacements."""

    def __init__(self, write: Write, press: PressInks, render: RenderItems):
        self.made: dict[str, StencilledPicture] = {}
        self._write, self._press, self._render = write, press, render
        self._drawings: dict[int, tuple[Drawing, Drawing]] = {}
        self._clear: dict[str, bool] = {}
        self._layers: RecentValues[str, _Layers] = RecentValues(2)

    def flatten_document(self, document: Document) -> Document:
        """Return the document with every face opaque. Faces without transparency are the same objects."""
        return _change_faces(document, self.flatten_drawing)

    def flatten_drawing(self, drawing: Drawing) -> Drawing:
        """Return a face without transparency."""
        known = self._drawings.get(id(drawing))
        if known is None:
            seen = Rect(0, 0, drawing.width, drawing.height).grow(drawing.bleed)
            done = _blend_face(drawing, self._render)
            if self._shows_through(done.items):
                done = done._replace(items=self._flatten_items(done.items, IDENTITY, seen, tuple))
            known = self._drawings[id(drawing)] = drawing, done
        return known[1]

    def _shows_through(self, items: tuple[Item, ...]) -> bool:
        """Return True if any item is or contains a transparent picture, or a group that is painted as one."""
        inner = visit_items(items, True, lambda _, around: around)
        return any(
            self._is_clear(item) if isinstance(item, Picture) else isinstance(item, Group) and item.is_composited
            for item, _ in inner
        )

    def _is_clear(self, picture: Picture) -> bool:
        if picture.asset not in self._clear:
            opened, data = open_picture_file(Path(picture.source))
            self._clear[picture.asset] = opened.has_transparency_data and bool(split_pixels(opened, data, "").alpha)
        return self._clear[picture.asset]

    def _flatten_items(
        self, items: tuple[Item, ...], matrix: Matrix, visible: Rect, around: PaintAround
    ) -> tuple[Item, ...]:
        """Return items opaque; `matrix` maps them to the face, whose part `visible` (mm) shows; see PaintAround."""
        done: list[Item] = []
        for at, each in enumerate(items):
            item = each
            if isinstance(item, Group) and item.is_composited:
                merged = self._merge_group(item, matrix, visible, around(items[: at + 1]))
                if merged is None:
                    continue
                item = merged
            elif isinstance(item, (Group, PlacedSymbol)) and self._shows_through(get_inner_items(item)):
                group = group_from_item(item)
                by = multiply(matrix, group.matrix)
                shown = _intersect_rects(visible, find_bounds(group.clip, by)) if group.clip else visible
                if shown is None:
                    continue
                put = partial(paint_within, around, items[:at], group)
                item = group._replace(items=self._flatten_items(group.items, by, shown, put))
            elif isinstance(item, Picture) and self._is_clear(item):
                made = self._compose_picture(item, matrix, visible, around(items[:at]))
                if made is None:
                    continue
                item = made
            done.append(item)
        return tuple(done)

    def _merge_group(self, group: Group, matrix: Matrix, visible: Rect, whole: tuple[Item, ...]) -> Group | None:
        """Return the visible part of a blended or see-through group as an opaque picture; `whole` is the face up to it.

        It is mixed plate by plate, as a press's own program does: black stays black alone, palette colours keep their
        inks. Return None if nothing is visible.
        """
        box, out = bound_items((group,), matrix), invert_matrix(matrix)
        shared = _intersect_rects(visible, box)
        if shared is None or out is None or not shared.width or not shared.height:
            return None
        pixel = max(MM_PER_INCH / _FINE, (shared.width * shared.height / _MOST_MERGED) ** 0.5)
        left, top = floor(shared.x / pixel), floor(shared.y / pixel)
        size = (ceil(shared.right / pixel) - left, ceil(shared.bottom / pixel) - top)
        area = Rect(left * pixel, top * pixel, size[0] * pixel, size[1] * pixel)
        alone = group._replace(blend="normal")
        alpha = self._render((Group((alone,), matrix),), area, 1 / pixel).getchannel("A").crop((0, 0, *size))
        if not alpha.getbbox():
            return None
        grid = (pixel, 0.0, 0.0, pixel, area.x, area.y)
        inks = self._press.limit_image(self._render_ground(whole, grid, size))
        return self._place_picture(stencil_picture(inks, alpha), size, multiply(out, grid))

    def _place_picture(self, made: StencilledPicture, size: tuple[int, int], by: Matrix) -> Group:
        """Return the picture `made` as a group, a unit wide per pixel and placed by `by`; store it in `self.made`."""
        asset = hashlib.sha256(b"".join((made.entries.encode(), made.rows, made.stencil))).hexdigest()
        self.made[asset] = made
        return Group((Picture(asset, "", 0.0, 0.0, float(size[0]), float(size[1])),), by)

    def _compose_picture(
        self, picture: Picture, matrix: Matrix, visible: Rect, below: tuple[Item, ...]
    ) -> Group | None:
        """Return the visible part of a picture mixed with what is below, or None if nothing is visible."""
        unit = multiply(matrix, (picture.width, 0.0, 0.0, picture.height, picture.x, picture.y))
        out = invert_matrix(matrix)
        if out is None or invert_matrix(unit) is None:
            return None
        layers = self._separate_picture(picture)
        own = multiply(unit, (1 / layers.alpha.width, 0.0, 0.0, 1 / layers.alpha.height, 0.0, 0.0))
        grid = _make_grid(own, layers.alpha)
        box = _find_covered_pixels(grid, own, layers.alpha, visible)
        if box is None:
            return None
        left, top, right, bottom = box
        size, corner = (right - left, bottom - top), multiply(grid, (1.0, 0.0, 0.0, 1.0, left, top))
        inks, alpha = (_place_layer(layer, own, corner, size) for layer in (layers.inks, layers.alpha))
        if not alpha.getbbox():
            return None
        ground = self._render_ground(below, corner, size)
        mixed = Image.composite(inks, ground, alpha)
        if layers.is_black:  # black darkens: if it removed colours, a shadow would become brown and hardly darker
            mixed = Image.merge("CMYK", (*ground.split()[:3], mixed.getchannel("K")))
        made = stencil_picture(self._press.limit_image(mixed), alpha)
        return self._place_picture(made, size, multiply(out, corner))

    def _separate_picture(self, picture: Picture) -> _Layers:
        """Return the picture in the press's inks. Invisible pixels are white, so that their colours don't matter."""
        known = self._layers.get(picture.asset)
        if known is None:
            given = split_pixels(*open_picture_file(Path(picture.source)), name_picture(Path(picture.source)))
            alpha = Image.frombytes("L", (given.width, given.height), given.alpha)
            image = remove_transparency(given)
            paper = (0, 0, 0, 0) if image.mode == "CMYK" else "white"
            visible = alpha.point(lambda value: _FULL if value else 0)
            image.paste(paper, mask=ImageChops.invert(visible))
            inks = remove_transparency(self._press.bitmap(given._replace(pixels=image.tobytes(), alpha=b"")))
            is_black = inks.mode == "L" and ImageChops.multiply(inks, visible).getbbox() is None
            if inks.mode == "L":
                none = Image.new("L", inks.size)
                inks = Image.merge("CMYK", (none, none, none, ImageChops.invert(inks)))
            known = _Layers(inks, alpha, is_black)
            self._layers.put(picture.asset, known)
        return known

    def _render_ground(self, below: tuple[Item, ...], grid: Matrix, size: tuple[int, int]) -> Image.Image:
        """Return a four-ink picture of `size` pixels of everything `below`. `grid` maps its pixels to the face."""
        face = invert_matrix(grid)
        if face is None:
            raise AssertionError("a picture that shows lies on no line")
        width, height = (side * _PIXEL for side in size)
        by = multiply((_PIXEL, 0.0, 0.0, _PIXEL, 0.0, 0.0), face)
        page = Page(Size(width, height), "front", 1, (), (Group(below, by),))
        shown = []
        for black in (False, True):
            out = io.BytesIO()
            self._write(Document("", "", (page,)), out, _Plates(self._press, black))
            shown.append(ImageChops.invert(render_page(out.getvalue(), 0, MM_PER_INCH / _PIXEL)))
        return Image.merge("CMYK", (*shown[0].split(), shown[1].getchannel(0)))


class _Plates:
    """Inks for rendering a press's plates on screen: cyan, magenta and yellow as missing RGB, or black as grey."""

    keeps_pictures = False
    overprints: Overprint = "darkening"

    def __init__(self, press: PressInks, black: bool):
        self._press, self._black = press, black

    def ink(self, paint: Paint, role: Role) -> Ink:
        """Return how a paint shows on the plates. A spot ink shows as its process colours."""
        ink = self._press.ink(paint, role)
        cyan, magenta, yellow, black = find_process_values(ink)
        if self._black:
            return Ink("gray", (1 - black,), overprint=ink.overprint)
        return Ink("rgb", (1 - cyan, 1 - magenta, 1 - yellow), overprint=ink.overprint)

    def bitmap(self, bitmap: Bitmap) -> Bitmap:
        """Return how a picture shows on the plates."""
        made = self._press.bitmap(bitmap)
        if made.space == "gray":
            return made if self._black else made._replace(pixels=b"\xff" * len(made.pixels))
        *colours, black = remove_transparency(made).split()
        if self._black:
            return made._replace(space="gray", pixels=ImageChops.invert(black).tobytes())
        return made._replace(space="rgb", pixels=ImageChops.invert(Image.merge("RGB", colours)).tobytes())


def _intersect_rects(one: Rect, other: Rect | None) -> Rect | None:
    if other is None or not one.overlaps(other):
        return None
    x, y = max(one.x, other.x), max(one.y, other.y)
    return Rect(x, y, min(one.right, other.right) - x, min(one.bottom, other.bottom) - y)


def _make_grid(placement: Matrix, alpha: Image.Image) -> Matrix:
    """Return the matrix from the pixels of the opaque picture to the face.

    The grid is that of the picture, placed by `placement`; where something shines through, each pixel is split to keep
    the parts below sharp. A slanted picture becomes a straight one, because not every press's program can mask a
    slanted one.
    """
    a, b, c, d, _, _ = placement
    across = hypot(a, b)
    if (abs(b) + abs(c)) * _LARGE > across and (abs(a) + abs(d)) * _LARGE > across:
        least = (2 * across * alpha.width * hypot(c, d) * alpha.height / _MOST_FLAT_PIXELS) ** 0.5
        pixel = max(least, min(across, hypot(c, d), MM_PER_INCH / _FINE))
        return (pixel, 0.0, 0.0, pixel, 0.0, 0.0)
    if not any(alpha.histogram()[1:_FULL]):
        return placement
    finer = min(
        ceil(max(across, hypot(c, d)) * _FINE / MM_PER_INCH - _NEARLY),
        isqrt(_MOST_FLAT_PIXELS // (alpha.width * alpha.height)),
    )
    return multiply(placement, (1 / finer, 0.0, 0.0, 1 / finer, 0.0, 0.0)) if finer > 1 else placement


def _find_covered_pixels(
    grid: Matrix, placement: Matrix, alpha: Image.Image, visible_area: Rect
) -> tuple[int, int, int, int] | None:
    """Return left, top, right and bottom (pixels of `grid`) of the part of a picture that shows; None if none does."""
    back, shows = invert_matrix(grid), alpha.getbbox()
    if back is None or shows is None:
        return None
    visible = Rect(shows[0], shows[1], shows[2] - shows[0], shows[3] - shows[1])
    picture = find_bounds(rectangle_path(visible), multiply(back, placement))
    shared = _intersect_rects(picture, find_bounds(rectangle_path(visible_area), back)) if picture else None
    if shared is None:
        return None
    left, top = floor(shared.x + _ROUND), floor(shared.y + _ROUND)
    return (left, top, ceil(shared.right - _ROUND), ceil(shared.bottom - _ROUND))


def _place_layer(layer: Image.Image, placement: Matrix, grid: Matrix, size: tuple[int, int]) -> Image.Image:
    """Return a layer of a picture resampled to the pixels of `grid`. Both matrices map pixels to the face."""
    back = invert_matrix(placement)
    if back is None:
        raise AssertionError("a picture that shows lies on no line")
    a, b, c, d, e, f = multiply(back, grid)
    return layer.transform(size, Image.Transform.AFFINE, (a, c, e, b, d, f), Image.Resampling.NEAREST)
