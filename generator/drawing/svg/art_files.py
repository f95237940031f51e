"""Art files of a game: read an SVG file of any program as a symbol, for a template that shows it."""

import base64
import hashlib
import io
import posixpath
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from generator.base.display_list import Group, Item, Paint, Picture, Role, Symbol, visit_items
from generator.base.errors import InvalidInput, Problem, ProblemsFound, did_you_mean
from generator.base.files import PICTURES
from generator.base.geometry import IDENTITY, MM_PER_INCH, Matrix, Rect, invert_matrix, map_rect, multiply
from generator.base.outlines import PAINTS_NOTHING, bound_items, find_bounds, is_too_deep
from generator.base.picture_files import check_picture_bytes, save_picture
from generator.drawing.svg.reader_state import HAIR, ArtBitmap, DrawnArt, NodeContext, ReaderState
from generator.drawing.svg.scene import TOO_DEEP, ArtFile, Studio
from generator.drawing.svg.style import apply_cascade, make_initial_style
from generator.drawing.svg.tree import ArtNotes, Element, index_by_id, read_art_tree, read_natural_size
from generator.drawing.svg.values import MEET, LengthBasis, list_numbers, parse_aspect
from generator.text.fonts import FontBook

if TYPE_CHECKING:
    from PIL import Image


_LARGE, _SMALL = 20_000.0, 8.0
_SIDE = 1000.0
"""Drawings whose longer side is outside these limits are scaled to `_SIDE`, so that rounding is invisible."""


def read_art(data: bytes, name: str, desk: ReaderState) -> tuple[Symbol, Element]:
    """Return a drawing's symbol and root element. Raise ProblemsFound if it can't be read. `desk` must be new."""
    from generator.drawing.svg.art_reader import ArtWalker  # not all cards show drawings

    root = read_art_tree(data, desk.locate, desk.notes)
    apply_cascade(root, desk.notes)
    desk.ids = index_by_id(root)
    reader = ArtWalker(desk)
    width, height = read_natural_size(root)
    view = list_numbers(root.attributes.get("viewBox", ""))
    if len(view) == 4 and (view[2] <= 0 or view[3] <= 0):
        del root.attributes["viewBox"]
        desk.notes.add(root.at, "the viewBox has no area and is ignored")
    measure = LengthBasis(16.0, width or 100.0, height or 100.0)
    style = desk.derive_style(make_initial_style(desk.current), root, measure)
    spot = NodeContext(IDENTITY, style, measure)
    if width <= 0 or height <= 0:
        box = reader.measure_local_box(root, replace(spot, measure=LengthBasis(16.0, 1000.0, 1000.0)))
        if box is None or box.width <= 0 or box.height <= 0:
            desk.notes.add(root.at, "the drawing is empty: it has no content, viewBox or size")
            return Symbol(name, (), (0.0, 0.0, _SIDE, _SIDE), desk.notes.sort_notes()), root
        desk.notes.add(root.at, "the drawing has no viewBox and no size; pnp uses the size of its content")
        width, height = width or box.right, height or box.bottom
        spot = replace(spot, measure=LengthBasis(16.0, width, height))
    longer = max(width, height)
    unit = 1.0 if _SMALL <= longer <= _LARGE else _SIDE / longer
    within = reader.desk.enter_viewport(root, spot, (0.0, 0.0, width, height))
    if within is None:
        raise ProblemsFound([Problem(desk.locate(root.at), "the drawing has no area", "give it a viewBox")])
    desk.unit, desk.side, desk.thinnest = unit, longer * unit, longer * unit * HAIR
    within = replace(within, matrix=multiply((unit, 0.0, 0.0, unit, 0.0, 0.0), within.matrix))
    items = reader.apply_effects(root, within, reader.draw_children(root, within))
    return Symbol(name, tuple(items), (0.0, 0.0, width * unit, height * unit), desk.notes.sort_notes()), root


_FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "TIFF", "BMP")
_EDGE = 1e-6
_DEEPEST = 24
"""Maximum depth of drawings inside drawings."""


def encode_data_address(data: bytes) -> ArtBitmap:
    """Return a picture whose source is a data address. Formats but PNG and JPEG become PNG. Raise InvalidInput."""
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(io.BytesIO(data), formats=_FORMATS) as opened:
            kind = opened.format
            if kind not in ("PNG", "JPEG"):
                kind, data = "PNG", save_picture(opened.convert("RGBA"))
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise InvalidInput("its data is not a readable picture") from error
    width, height, _ = check_picture_bytes(data, "in the drawing")
    body = base64.urlsafe_b64encode(data).decode("ascii")
    source = f"data:image/{(kind or 'PNG').lower()};base64,{body}"
    return ArtBitmap(hashlib.sha256(data).hexdigest(), source, width, height)


class GameArtResources(NamedTuple):
    """What a drawing may use of a game: its fonts, colours, icons, and the files beside it in `folder`."""

    studio: Studio
    folder: str
    use: "ArtUse"

    @property
    def fonts(self) -> FontBook:
        """Return the game's fonts."""
        return self.studio.fonts

    def find_screen_colour(self, paint: Paint) -> tuple[float, float, float]:
        """Return the screen colour of a paint as red, green and blue, 0 to 1."""
        palette = self.studio.game.palette
        if not paint.startswith("#"):
            paint = palette[paint].srgb if paint in palette else "#000000"
        return int(paint[1:3], 16) / 255, int(paint[3:5], 16) / 255, int(paint[5:7], 16) / 255

    def _list_names(self, name: str) -> tuple[str, ...]:
        return (posixpath.normpath(posixpath.join(self.folder, name)), name)

    def find_picture(self, name: str) -> ArtBitmap:
        """Return a picture file next to the drawing or in the templates. Raise InvalidInput if there is none."""
        near, plain = self._list_names(name)
        try:
            found = self.studio.assets.find_bitmap(near)
        except InvalidInput:
            found = self.studio.assets.find_bitmap(plain)
        return ArtBitmap(found.asset, found.path.as_posix(), found.width, found.height)

    def find_drawing(self, name: str) -> bytes:
        """Return a drawing next to this one or in the templates. Raise InvalidInput if there is none."""
        near, plain = self._list_names(name)
        try:
            art = self.studio.assets.find_art(near)
        except InvalidInput:
            art = self.studio.assets.find_art(plain)
        return art.load_bytes()

    def draw_symbol(self, href: str, paint: Paint) -> DrawnArt:
        """Return an icon or a drawing as a symbol. Raise InvalidInput if it does not exist."""
        role: Role = "icon" if href.startswith("icon:") else self.use.role
        return draw_art(self.studio, href, self.use._replace(paint=paint, role=role))

    def store_picture(self, data: bytes) -> ArtBitmap:
        """Store the bytes of a picture and return it. Raise InvalidInput if they are not a picture."""
        return encode_data_address(data)

    def render_items(self, items: tuple[Item, ...], box: Rect, scale: float) -> "Image.Image":
        """Render items on a transparent background, with `scale` pixels to a unit."""
        return self.studio.render(items, box, scale)


def _find_art_or_picture(studio: Studio, name: str, href: str) -> ArtFile | Symbol:
    """Return the art file `name`; without one, for an icon's `href`, its picture. Else raise InvalidInput."""
    try:
        return studio.assets.find_art(name)
    except InvalidInput:
        stem = name.removesuffix(".svg")
        names = [stem] if stem.lower().endswith(PICTURES) else [stem + ending for ending in PICTURES]
        for picture in names if href.startswith("icon:") else ():
            if len(names) == 1 or studio.assets.has_picture(picture):
                bitmap = studio.assets.find_bitmap(picture)
                box = (0.0, 0.0, float(bitmap.width), float(bitmap.height))
                return Symbol(href, (Picture(bitmap.asset, bitmap.path.as_posix(), *box, role="icon"),), box)
        raise


class ArtUse(NamedTuple):
    """How a drawing is shown: the colour of `currentColor` (empty: an icon's own), its role and its language."""

    paint: Paint
    role: Role
    lang: str


def draw_art(studio: Studio, href: str, use: ArtUse) -> DrawnArt:
    """Return an icon (`icon:wheat`) or art file as a symbol. Raise InvalidInput if there is no such icon or file."""
    name, paint, is_icon = href, use.paint, href.startswith("icon:")
    if is_icon:
        icons = studio.game.icons
        if (entry := icons.get(href[5:])) is None:
            raise InvalidInput(f"unknown icon '{href[5:]}'", did_you_mean(href[5:], icons))
        paint = paint or entry.colour
        name = f"icons/{(entry.art or entry.id).removesuffix('.svg')}.svg"
    elif not href:
        raise InvalidInput("<use> refers to nothing", 'write href="#id", "icon:name" or "art/file.svg"')
    art = _find_art_or_picture(studio, name, href)
    paint = paint or "ink"
    key = (href,) if isinstance(art, Symbol) else (href, paint, use.role, use.lang if art.lettered else "")
    known = studio.symbols.get(key)
    if known is None:
        known = _draw_file(studio, href, posixpath.dirname(name), art, use._replace(paint=paint))
        studio.symbols[key] = known
    return known


def _draw_file(studio: Studio, href: str, folder: str, art: ArtFile | Symbol, use: ArtUse) -> DrawnArt:
    if isinstance(art, Symbol):
        return DrawnArt(art, [], size=art.box[2:])
    fault = f"'{href}' contains itself" if href in studio.opened else "drawings are nested too deep"
    if href in studio.opened or len(studio.opened) >= _DEEPEST:
        return DrawnArt(None, [Problem(art.locate_stamp(""), fault)])
    around = GameArtResources(studio, folder, use)
    desk = ReaderState(studio.styles, ArtNotes(art.file), around, art.locate_stamp, use.role, use.lang, use.paint)
    studio.opened.append(href)
    try:
        return _check_drawn(*read_art(art.load_bytes(), href, desk), art)
    except ProblemsFound as found:
        return DrawnArt(None, [*found.problems])
    finally:
        studio.opened.pop()


def _check_drawn(symbol: Symbol, root: Element, art: ArtFile) -> DrawnArt:
    """Return the drawing with its size (mm) and the box that it paints; if nested too deep, a problem and no symbol."""
    if is_too_deep(symbol.items):
        return DrawnArt(None, [Problem(art.locate_stamp(""), TOO_DEEP, "ungroup some of it")])
    page, painted = Rect(*symbol.box), bound_items(symbol.items)
    if painted is None or not page.overlaps(painted):
        symbol, painted = symbol._replace(notes=(*symbol.notes, f"{art.file}: {PAINTS_NOTHING}")), None
    width, height = (side * MM_PER_INCH / 96 for side in read_natural_size(root))
    view, aspect = list_numbers(root.attributes.get("viewBox", "")), MEET
    if len(view) == 4 or not (width and height):
        width, height = view[2:] if len(view) == 4 else symbol.box[2:]  # units of a viewBox count as mm
    if symbol.name.startswith("icon:"):
        symbol, width = _centre_in_square(symbol), max(width, height)
        height = width
    with suppress(InvalidInput):
        aspect = parse_aspect(root.attributes.get("preserveAspectRatio", "xMidYMid"))
    weight = sum(1 for _ in visit_items(symbol.items, True, lambda _, around: around))
    return DrawnArt(symbol, [], weight, (width, height), aspect, painted)


def _centre_in_square(symbol: Symbol) -> Symbol:
    """Return the symbol in the middle of a square, as icons in a line of text need it."""
    _, _, width, height = symbol.box
    side = max(width, height)
    if abs(width - height) <= _EDGE * side:
        return symbol._replace(box=(0.0, 0.0, side, side))
    by = (1.0, 0.0, 0.0, 1.0, (side - width) / 2, (side - height) / 2)
    return symbol._replace(items=(Group(symbol.items, by),), box=(0.0, 0.0, side, side))


def has_overflow(drawn: DrawnArt, matrix: Matrix, clip: str) -> bool:
    """Return True if a drawing, placed by a matrix and clipped, shows anything outside its page."""
    if drawn.symbol is None or drawn.painted is None or not clip:
        return False
    window, back = find_bounds(clip), invert_matrix(matrix)
    if window is None or back is None:
        return False
    shown = map_rect(back, window)
    beyond = not Rect(*drawn.symbol.box).contains(shown.intersect(drawn.painted), slack=1e-3)
    return shown.overlaps(drawn.painted) and beyond
