"""Template art: draw the art files and symbols that a template shows; the place of a drawn layout on its card."""

import re
from dataclasses import replace

from generator.base.display_list import Picture, Role, Symbol, visit_items
from generator.base.errors import InvalidInput, Problem, ProblemsFound
from generator.base.files import PICTURES
from generator.base.geometry import MM_PER_INCH, Matrix, Rect, invert_matrix, map_rect, scan_numbers
from generator.base.outlines import PAINTS_NOTHING, bound_items, find_bounds, is_too_deep
from generator.drawing.svg.scene import TOO_DEEP, ArtFile, DrawnArt, Scene, Studio
from generator.drawing.svg.tree import Element
from generator.drawing.svg.values import MM, Box, convert_length, parse_view_box
from generator.game.model import IconEntry

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
    from generator.drawing.svg.art_files import ArtUse, draw_art_use

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


_SAME_SIZE, _SAME_SHAPE = 0.15, 0.01
"""By how many mm a document's sides may differ from the card's, and by what share its ratio may."""

_DOTS = (96, 72, 300, 600)
"""Dots per inch at which programs draw in pixels, the most usual first."""


def place_document(scene: Scene, root: Element, box: Box | None, outer: Box | None) -> tuple[Box | None, Box | None]:
    """Return the viewBox of a drawn layout and the box of its document: the card's trim or its bleed (mm).

    Add a problem if the document has neither size. One in pixels may have any resolution. `preserveAspectRatio` with
    `none`, `meet` or `slice` asks to scale it; LibreOffice always writes `xMidYMid`.
    """
    sides = [scan_numbers(root.attributes.get(name, ""))[0][:1] for name in ("width", "height")]
    if scene.design is None or outer is None or (box is None and not all(sides)):
        return box, outer
    width, height = (number for ((number, _),) in sides) if all(sides) else box[2:]  # type: ignore[index]
    box = box or (0.0, 0.0, width, height)
    kind = scene.studio.game.kinds[scene.design.kind]
    bleed = kind.bleed
    places = (outer, (-bleed, -bleed, outer[2] + 2 * bleed, outer[3] + 2 * bleed))
    unit = sides[0][0][1] if all(sides) else "px"
    in_pixels = unit in ("", "px", "%")
    if unit == "%":
        width, height = box[2:]
    if not in_pixels:
        width, height = (convert_length(number, each, MM) for ((number, each),) in sides)
    for scale in [MM_PER_INCH / dots for dots in _DOTS] if in_pixels else [1.0]:
        for place in places:
            if max(abs(width * scale - place[2]), abs(height * scale - place[3])) <= _SAME_SIZE:
                return box, place
    place = min(places, key=lambda each: abs(width / height * each[3] / each[2] - 1))
    like = abs(width / height * place[3] / place[2] - 1) <= _SAME_SHAPE
    asked = root.attributes.get("preserveAspectRatio", "").split()[-1:] in (["none"], ["meet"], ["slice"])
    if not asked and not (in_pixels and like):
        sizes = [f"{each[2]:g} x {each[3]:g} mm" for each in places]
        own = f"{width:g} x {height:g} {'px' if in_pixels else 'mm'}"
        hint = 'change the size of the document, or write preserveAspectRatio="xMidYMid meet" on <svg> to scale it'
        scene.add_problem(root, f"the document is {own}, but the {kind.form} {sizes[0]}, with bleed {sizes[1]}", hint)
    return box, place
