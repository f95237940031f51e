"""Art files of a game: read an SVG file of any program as a symbol."""

import base64
import hashlib
import io
import posixpath
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from generator.base.display_list import Group, Item, Paint, Role, Symbol
from generator.base.errors import Place, Problem, ProblemsFound, Unfit
from generator.base.geometry import IDENTITY, Rect, times
from generator.base.picture_files import checked_bytes
from generator.drawing.svg.art_cascade import cascade
from generator.drawing.svg.art_reader import Walk
from generator.drawing.svg.art_style import Styles, initial
from generator.drawing.svg.art_tree import Measure, Notes, ids_of, natural_size, numbers, read_nodes
from generator.drawing.svg.reader_state import Desk, Pictured, Station
from generator.drawing.svg.scene import Art, Assets
from generator.game.model import Game
from generator.text.fonts import FontBook

if TYPE_CHECKING:
    from PIL import Image


_LARGE, _SMALL = 20_000.0, 500.0
_SIDE = 1000.0
"""Drawings whose longer side is outside the two are brought to this size, so that rounding doesn't show."""


def read_drawing(data: bytes, name: str, desk: Desk) -> Symbol:
    """The symbol of a drawing; ProblemsFound where it can't be read. `desk` is new."""
    root = read_nodes(data, desk.locate, desk.notes)
    cascade(root, desk.notes)
    desk.ids = ids_of(root)
    reader = Walk(desk)
    width, height = natural_size(root)
    view = numbers(root.attributes.get("viewBox", ""))
    if len(view) == 4 and (view[2] <= 0 or view[3] <= 0):
        del root.attributes["viewBox"]
        desk.notes.add(root.at, "the viewBox has no area: it is passed over")
    measure = Measure(16.0, width or 100.0, height or 100.0)
    style = desk.styles.derived(initial(desk.current), root, measure)
    spot = Station(IDENTITY, style, measure)
    if width <= 0 or height <= 0:
        box = reader.local_box(root, replace(spot, measure=Measure(16.0, 1000.0, 1000.0)))
        if box is None or box.width <= 0 or box.height <= 0:
            desk.notes.add(root.at, "the drawing is empty: it shows nothing, and has neither a viewBox nor a size")
            return Symbol(name, (), (0.0, 0.0, _SIDE, _SIDE), desk.notes.told())
        desk.notes.add(root.at, "the drawing has neither a viewBox nor a size: it is taken as large as what it shows")
        width, height = width or box.right, height or box.bottom
        spot = replace(spot, measure=Measure(16.0, width, height))
    longer = max(width, height)
    unit = 1.0 if _SMALL <= longer <= _LARGE else _SIDE / longer
    within = reader.viewport(root, spot, (0.0, 0.0, width, height))
    if within is None:
        raise ProblemsFound([Problem(desk.locate(root.at), "the drawing has no area", "give it a viewBox")])
    desk.unit, desk.side = unit, longer * unit
    within = replace(within, matrix=times((unit, 0.0, 0.0, unit, 0.0, 0.0), within.matrix))
    items = reader.as_one(root, within, reader.inside(root, within))
    return Symbol(name, tuple(items), (0.0, 0.0, width * unit, height * unit), desk.notes.told())


Render = Callable[[tuple[Item, ...], Rect, float], "Image.Image"]
"""Items in a box as pixels (RGBA), so many to a unit, on nothing."""

_FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "TIFF", "BMP")
_EDGE = 1e-6


def keep(data: bytes) -> Pictured:
    """Bytes of a picture as a source that says it all; what is neither PNG nor JPEG becomes PNG."""
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(io.BytesIO(data), formats=_FORMATS) as opened:
            kind = opened.format
            if kind not in ("PNG", "JPEG"):
                out = io.BytesIO()
                opened.convert("RGBA").save(out, format="PNG")
                kind, data = "PNG", out.getvalue()
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise Unfit("its data are no picture that can be read") from error
    width, height, _ = checked_bytes(data, "in the drawing")
    body = base64.urlsafe_b64encode(data).decode("ascii")
    source = f"data:image/{(kind or 'PNG').lower()};base64,{body}"
    return Pictured(hashlib.sha256(data).hexdigest(), source, width, height)


class GameSurroundings(NamedTuple):
    """What drawings may use of a game: its fonts and colours, the files beside them."""

    fonts: FontBook
    families: tuple[str, ...]
    palette: frozenset[str]
    game: Game
    assets: Assets
    folder: str
    render: Render

    def light(self, paint: Paint) -> tuple[float, float, float]:
        """A paint's red, green and blue on a screen, 0 to 1."""
        if not paint.startswith("#"):
            paint = self.game.palette[paint].srgb if paint in self.game.palette else "#000000"
        return int(paint[1:3], 16) / 255, int(paint[3:5], 16) / 255, int(paint[5:7], 16) / 255

    def _beside(self, name: str) -> tuple[str, ...]:
        return (posixpath.normpath(posixpath.join(self.folder, name)), name)

    def picture(self, name: str) -> Pictured:
        """A picture file beside the drawing, or by its name in the templates; Unfit where there is none."""
        near, plain = self._beside(name)
        try:
            found = self.assets.bitmap(near)
        except Unfit:
            found = self.assets.bitmap(plain)
        return Pictured(found.asset, found.path.as_posix(), found.width, found.height)

    def drawing(self, name: str) -> bytes:
        """A drawing beside this one, or by its name in the templates; Unfit where there is none."""
        near, plain = self._beside(name)
        try:
            art = self.assets.art(near)
        except Unfit:
            art = self.assets.art(plain)
        return art.read()

    def kept(self, data: bytes) -> Pictured:
        """Bytes of a picture, kept; Unfit where they are none."""
        return keep(data)

    def rendered(self, items: tuple[Item, ...], box: Rect, scale: float) -> "Image.Image":
        """Items as pixels, so many to a unit, on nothing."""
        return self.render(items, box, scale)


class Guest(NamedTuple):
    """How a drawing is shown: its name, the colour that stands for `currentColor`, its role, its language."""

    name: str
    current: Paint
    role: Role
    lang: str


def guest_symbol(art: Art, guest: Guest, game: Game, fonts: FontBook, assets: Assets, render: Render) -> Symbol:
    """The symbol of an art file; ProblemsFound where it can't be read. An icon's box becomes square."""
    folder = posixpath.dirname(guest.name if not guest.name.startswith("icon:") else "icons/x")
    names = frozenset(game.palette) | {"ink"}
    around = GameSurroundings(fonts, tuple(game.fonts), names, game, assets, folder, render)
    notes = Notes(art.file)

    def locate(stamp: str) -> Place:
        return art.locate(stamp)

    desk = Desk(Styles(names, notes), notes, around, locate, guest.role, guest.lang, guest.current)
    symbol = read_drawing(art.read(), guest.name, desk)
    return _squared(symbol) if guest.name.startswith("icon:") else symbol


def _squared(symbol: Symbol) -> Symbol:
    """The symbol in the middle of a square: icons stand in lines of text."""
    _, _, width, height = symbol.box
    side = max(width, height)
    if abs(width - height) <= _EDGE * side:
        return Symbol(symbol.name, symbol.items, (0.0, 0.0, side, side), symbol.notes)
    by = (1.0, 0.0, 0.0, 1.0, (side - width) / 2, (side - height) / 2)
    return Symbol(symbol.name, (Group(symbol.items, by),), (0.0, 0.0, side, side), symbol.notes)
