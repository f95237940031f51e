"""Embedded art: draw the art files and symbols that a template shows."""

import re
from dataclasses import replace

from generator.base.display_list import Picture, Role, Symbol, visit
from generator.base.errors import Problem, ProblemsFound, Unfit
from generator.base.files import PICTURES
from generator.base.geometry import Matrix, Rect, inverse, map_box
from generator.base.outlines import PAINTS_NOTHING, bounds, is_too_deep, reach
from generator.drawing.svg.elements import Element
from generator.drawing.svg.scene import TOO_DEEP, Art, Drawn, Scene, Studio
from generator.drawing.svg.shape_outlines import view_box
from generator.game.model import IconEntry

_MEASURED = re.compile(r"[\d.](?:px|pt|pc|mm|cm|in|em|ex|%)")
_FINE = 8.0


def is_our_own(root: Element | None) -> bool:
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
    return bool(view) and max(view_box(view)[2:]) < _FINE


def art_or_picture(studio: Studio, name: str, href: str) -> Art | Drawn:
    """Return the art file of a name, or an icon's picture if there is no such file. Raise Unfit if neither exists."""
    try:
        return studio.assets.art(name)
    except Unfit:
        pictured = _pictured(studio, studio.game.icons[href[5:]], href) if href.startswith("icon:") else None
        if pictured is None:
            raise
        return pictured


def _pictured(studio: Studio, icon: IconEntry, href: str) -> Drawn | None:
    """Return an icon's picture: the file named in the data, or one named like the icon; None if there is none."""
    known = studio.symbols.get((href,))
    if known is not None:
        return known
    stem = f"icons/{(icon.art or icon.id).removesuffix('.svg')}"
    names = [stem] if stem.lower().endswith(PICTURES) else [stem + ending for ending in PICTURES]
    for name in names:
        if len(names) > 1 and not studio.assets.has_picture(name):
            continue
        bitmap = studio.assets.bitmap(name)
        width, height = float(bitmap.width), float(bitmap.height)
        picture = Picture(bitmap.asset, bitmap.path.as_posix(), 0.0, 0.0, width, height, role="icon")
        symbol = Symbol(href, (picture,), (0.0, 0.0, width, height))
        done = studio.symbols[href,] = Drawn(symbol, Element("svg", {}, ""), [], 1)
        return done
    return None


def drawn_guest(scene: Scene, href: str, art: Art, role: Role) -> Drawn:
    """Draw an art file that exceeds the subset of templates, with the reader for other programs' drawings."""
    from generator.drawing.svg.art_files import Guest, guest_symbol

    studio = scene.studio
    try:
        guest = Guest(href, scene.current, role, scene.lang)
        symbol = guest_symbol(art, guest, studio.game, studio.fonts, studio.assets, studio.render)
    except ProblemsFound as found:
        return Drawn(None, None, art.problems or list(found.problems), 0)
    root = art.root if art.root is not None else Element("svg", {}, "")
    return Drawn(symbol, root, [], sum(1 for _ in visit(symbol.items, True, lambda _, around: around)))


def looked_over(done: Drawn, art: Art) -> Drawn:
    """Return a drawing with problems that only the whole shows: too deep, blank, or painting beyond its page."""
    symbol = done.symbol
    if symbol is None:
        return done
    if is_too_deep(symbol.items):
        return Drawn(None, None, [Problem(art.locate(""), TOO_DEEP, "ungroup some of it")], 0)
    page, painted = Rect(*symbol.box), reach(symbol.items)
    if painted is None or not page.meets(painted):
        note = f"{art.file}: {PAINTS_NOTHING}"
        return done._replace(symbol=replace(symbol, notes=(*symbol.notes, note)))
    return done._replace(painted=painted)


def spills(done: Drawn, matrix: Matrix, clip: str) -> bool:
    """Return True if a drawing, placed by a matrix and clipped, would show what is beyond its page."""
    if done.symbol is None or done.painted is None or not clip:
        return False
    window, back = bounds(clip), inverse(matrix)
    if window is None or back is None:
        return False
    (left, top), (right, bottom) = map_box(back, window.x, window.y, window.right, window.bottom)
    shown = Rect(left, top, right - left, bottom - top)
    return shown.meets(done.painted) and not Rect(*done.symbol.box).holds(shown.shared(done.painted), slack=1e-3)
