"""Art files of a game: read an SVG file of any program as a symbol, for a template that shows it."""

import base64
import hashlib
import io
import posixpath
import re
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from generator.base.display_list import Group, Item, Paint, Picture, Role, Symbol, visit_items
from generator.base.errors import InvalidInput, Place, Problem, ProblemsFound
from generator.base.files import PICTURES
from generator.base.geometry import IDENTITY, Matrix, Rect, invert_matrix, map_rect, multiply
from generator.base.outlines import PAINTS_NOTHING, bound_items, find_bounds, is_too_deep
from generator.base.picture_files import check_picture_bytes
from generator.drawing.svg.reader_state import ArtBitmap, NodeContext, ReaderState
from generator.drawing.svg.scene import TOO_DEEP, ArtFile, Assets, DrawnArt, Scene, Studio
from generator.drawing.svg.style import StyleBook, make_initial_style
from generator.drawing.svg.style_sheets import apply_cascade
from generator.drawing.svg.tree import ArtNotes, Element, index_by_id, read_art_tree, read_natural_size
from generator.drawing.svg.values import LengthBasis, list_numbers, parse_view_box
from generator.game.model import Game, IconEntry
from generator.text.fonts import FontBook

if TYPE_CHECKING:
    from PIL import Image


_LARGE, _SMALL = 20_000.0, 500.0
_SIDE = 1000.0
"""Drawings whose longer side is outside the two are brought to this size, so that rounding doesn't show."""


def read_art(data: bytes, name: str, desk: ReaderState) -> Symbol:
    """Return the symbol of a drawing. Raise ProblemsFound if it can't be read. `desk` must be new."""
    from generator.drawing.svg.art_reader import ArtWalker  # few templates show drawings of other programs

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
            return Symbol(name, (), (0.0, 0.0, _SIDE, _SIDE), desk.notes.sort_notes())
        desk.notes.add(root.at, "the drawing has no viewBox and no size; pnp uses the size of its content")
        width, height = width or box.right, height or box.bottom
        spot = replace(spot, measure=LengthBasis(16.0, width, height))
    longer = max(width, height)
    unit = 1.0 if _SMALL <= longer <= _LARGE else _SIDE / longer
    within = reader.enter_viewport(root, spot, (0.0, 0.0, width, height))
    if within is None:
        raise ProblemsFound([Problem(desk.locate(root.at), "the drawing has no area", "give it a viewBox")])
    desk.unit, desk.side = unit, longer * unit
    within = replace(within, matrix=multiply((unit, 0.0, 0.0, unit, 0.0, 0.0), within.matrix))
    items = reader.apply_effects(root, within, reader.draw_children(root, within))
    return Symbol(name, tuple(items), (0.0, 0.0, width * unit, height * unit), desk.notes.sort_notes())


Render = Callable[[tuple[Item, ...], Rect, float], "Image.Image"]
"""Items in a box as pixels (RGBA), so many to a unit, on nothing."""

_FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "TIFF", "BMP")
_EDGE = 1e-6


def encode_data_address(data: bytes) -> ArtBitmap:
    """Return a picture as a data address. Convert formats other than PNG and JPEG to PNG."""
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(io.BytesIO(data), formats=_FORMATS) as opened:
            kind = opened.format
            if kind not in ("PNG", "JPEG"):
                out = io.BytesIO()
                opened.convert("RGBA").save(out, format="PNG")
                kind, data = "PNG", out.getvalue()
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise InvalidInput("its data is not a readable picture") from error
    width, height, _ = check_picture_bytes(data, "in the drawing")
    body = base64.urlsafe_b64encode(data).decode("ascii")
    source = f"data:image/{(kind or 'PNG').lower()};base64,{body}"
    return ArtBitmap(hashlib.sha256(data).hexdigest(), source, width, height)


class GameArtResources(NamedTuple):
    """What drawings may use of a game: its fonts and colours, the files beside them."""

    fonts: FontBook
    families: tuple[str, ...]
    palette: frozenset[str]
    game: Game
    assets: Assets
    folder: str
    render: Render

    def find_screen_colour(self, paint: Paint) -> tuple[float, float, float]:
        """Return red, green and blue of a paint on a screen, 0 to 1."""
        if not paint.startswith("#"):
            paint = self.game.palette[paint].srgb if paint in self.game.palette else "#000000"
        return int(paint[1:3], 16) / 255, int(paint[3:5], 16) / 255, int(paint[5:7], 16) / 255

    def _list_names(self, name: str) -> tuple[str, ...]:
        return (posixpath.normpath(posixpath.join(self.folder, name)), name)

    def find_picture(self, name: str) -> ArtBitmap:
        """Return a picture file next to the drawing or in the templates. Raise InvalidInput if there is none."""
        near, plain = self._list_names(name)
        try:
            found = self.assets.find_bitmap(near)
        except InvalidInput:
            found = self.assets.find_bitmap(plain)
        return ArtBitmap(found.asset, found.path.as_posix(), found.width, found.height)

    def find_drawing(self, name: str) -> bytes:
        """Return a drawing next to this one or in the templates. Raise InvalidInput if there is none."""
        near, plain = self._list_names(name)
        try:
            art = self.assets.find_art(near)
        except InvalidInput:
            art = self.assets.find_art(plain)
        return art.load_bytes()

    def store_picture(self, data: bytes) -> ArtBitmap:
        """Store the bytes of a picture and return it. Raise InvalidInput if they are not a picture."""
        return encode_data_address(data)

    def render_items(self, items: tuple[Item, ...], box: Rect, scale: float) -> "Image.Image":
        """Render items on a transparent background, with `scale` pixels to a unit."""
        return self.render(items, box, scale)


class ArtUse(NamedTuple):
    """How a drawing is shown: its name, the colour that stands for `currentColor`, its role, its language."""

    name: str
    current: Paint
    role: Role
    lang: str


def draw_art_use(art: ArtFile, use: ArtUse, game: Game, fonts: FontBook, assets: Assets, render: Render) -> Symbol:
    """Return the symbol of an art file. An icon's box becomes square. Raise ProblemsFound if it can't be read."""
    folder = posixpath.dirname(use.name if not use.name.startswith("icon:") else "icons/x")
    names = frozenset(game.palette) | {"ink"}
    around = GameArtResources(fonts, tuple(game.fonts), names, game, assets, folder, render)
    notes = ArtNotes(art.file)

    def locate(stamp: str) -> Place:
        return art.locate_stamp(stamp)

    desk = ReaderState(StyleBook(names), notes, around, locate, use.role, use.lang, use.current)
    symbol = read_art(art.load_bytes(), use.name, desk)
    return _centre_in_square(symbol) if use.name.startswith("icon:") else symbol


def _centre_in_square(symbol: Symbol) -> Symbol:
    """The symbol in the middle of a square: icons stand in lines of text."""
    _, _, width, height = symbol.box
    side = max(width, height)
    if abs(width - height) <= _EDGE * side:
        return Symbol(symbol.name, symbol.items, (0.0, 0.0, side, side), symbol.notes)
    by = (1.0, 0.0, 0.0, 1.0, (side - width) / 2, (side - height) / 2)
    return Symbol(symbol.name, (Group(symbol.items, by),), (0.0, 0.0, side, side), symbol.notes)


_MEASURED = re.compile(r"[\d.](?:px|pt|pc|mm|cm|in|em|ex|%)")
_FINE = 8.0


def is_own_drawing(root: Element | None) -> bool:
    """Return True if a drawing shows icons or art files by <use>, which only drawings for this program do."""
    waiting = [root] if root is not None else []
    while waiting:
        element = waiting.pop()
        name = element.attributes.get("href") or element.attributes.get("xlink:href") or "#"
        if element.tag == "use" and not name.startswith("#"):
            return True
        waiting += element.children
    return False


def has_own_measure(root: Element | None) -> bool:
    """Return True if a drawing has lengths with units, whose meaning differs from that of templates.

    Very small drawings, in which a thousandth of a unit is visible, use the same reader.
    """
    if root is None:
        return False
    waiting = [*root.children]
    while waiting:
        element = waiting.pop()
        if any(_MEASURED.search(text) for name, text in element.attributes.items() if name not in ("id", "href", "d")):
            return True
        waiting += element.children
    view = root.attributes.get("viewBox", "")
    return bool(view) and max(parse_view_box(view)[2:]) < _FINE


def find_art_or_picture(studio: Studio, name: str, href: str) -> ArtFile | DrawnArt:
    """Return the art file of a name, else the icon's picture. Raise InvalidInput if neither exists."""
    try:
        return studio.assets.find_art(name)
    except InvalidInput:
        pictured = _find_picture(studio, studio.game.icons[href[5:]], href) if href.startswith("icon:") else None
        if pictured is None:
            raise
        return pictured


def _find_picture(studio: Studio, icon: IconEntry, href: str) -> DrawnArt | None:
    """Return an icon's picture: the file named in the data, or one named like the icon; None if there is none."""
    known = studio.symbols.get((href,))
    if known is not None:
        return known
    stem = f"icons/{(icon.art or icon.id).removesuffix('.svg')}"
    names = [stem] if stem.lower().endswith(PICTURES) else [stem + ending for ending in PICTURES]
    for name in names:
        if len(names) > 1 and not studio.assets.has_picture(name):
            continue
        bitmap = studio.assets.find_bitmap(name)
        width, height = float(bitmap.width), float(bitmap.height)
        picture = Picture(bitmap.asset, bitmap.path.as_posix(), 0.0, 0.0, width, height, role="icon")
        symbol = Symbol(href, (picture,), (0.0, 0.0, width, height))
        done = studio.symbols[href,] = DrawnArt(symbol, Element("svg", {}, ""), [], 1)
        return done
    return None


def draw_guest(scene: Scene, href: str, art: ArtFile, role: Role) -> DrawnArt:
    """Draw an art file that exceeds the subset of templates, with the reader for other programs' drawings."""
    studio = scene.studio
    try:
        guest = ArtUse(href, scene.current, role, scene.lang)
        symbol = draw_art_use(art, guest, studio.game, studio.fonts, studio.assets, studio.render)
    except ProblemsFound as found:
        return DrawnArt(None, None, art.problems or list(found.problems), 0)
    root = art.root if art.root is not None else Element("svg", {}, "")
    return DrawnArt(symbol, root, [], sum(1 for _ in visit_items(symbol.items, True, lambda _, around: around)))


def check_drawn(drawn: DrawnArt, art: ArtFile) -> DrawnArt:
    """Return a drawing with problems that only the whole shows: too deep, blank, or painting beyond its page."""
    symbol = drawn.symbol
    if symbol is None:
        return drawn
    if is_too_deep(symbol.items):
        return DrawnArt(None, None, [Problem(art.locate_stamp(""), TOO_DEEP, "ungroup some of it")], 0)
    page, painted = Rect(*symbol.box), bound_items(symbol.items)
    if painted is None or not page.overlaps(painted):
        note = f"{art.file}: {PAINTS_NOTHING}"
        return drawn._replace(symbol=replace(symbol, notes=(*symbol.notes, note)))
    return drawn._replace(painted=painted)


def has_overflow(drawn: DrawnArt, matrix: Matrix, clip: str) -> bool:
    """Return True if a drawing, placed by a matrix and clipped, would show what is beyond its page."""
    if drawn.symbol is None or drawn.painted is None or not clip:
        return False
    window, back = find_bounds(clip), invert_matrix(matrix)
    if window is None or back is None:
        return False
    shown = map_rect(back, window)
    beyond = not Rect(*drawn.symbol.box).contains(shown.intersect(drawn.painted), slack=1e-3)
    return shown.overlaps(drawn.painted) and beyond
