"""Art files that go beyond what templates may have: they are read as drawings of any program."""

import re

from generator.errors import ProblemsFound
from generator.model.drawing import Role, visit
from generator.svg.assets import Art
from generator.svg.scene import Drawn, Scene
from generator.svg.tree import Element
from generator.svg.values import view_box

_MEASURED = re.compile(r"[\d.](?:px|pt|pc|mm|cm|in|em|ex|%)")
_FINE = 8.0


def is_our_own(root: Element | None) -> bool:
    """Whether a drawing shows icons or other art files by <use>, as only drawings for this program do."""
    waiting = [root] if root is not None else []
    while waiting:
        element = waiting.pop()
        name = element.attributes.get("href") or element.attributes.get("xlink:href") or "#"
        if element.tag == "use" and not name.startswith("#"):
            return True
        waiting += element.children
    return False


def has_own_measure(root: Element | None) -> bool:
    """Whether a drawing has lengths with units: in drawings of any program they are not those of templates.

    So small a drawing that a thousandth of its units shows is left to the same reader.
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


def drawn_guest(scene: Scene, href: str, art: Art, role: Role) -> Drawn:
    """A drawing that goes beyond what templates may have: read as any program's."""
    from generator.svg.foreign.guest import Guest, guest_symbol

    studio = scene.studio
    try:
        guest = Guest(href, scene.current, role, scene.lang)
        symbol = guest_symbol(art, guest, studio.game, studio.fonts, studio.assets, studio.render)
    except ProblemsFound as found:
        return Drawn(None, None, art.problems or list(found.problems), 0)
    root = art.root if art.root is not None else Element("svg", {}, "")
    return Drawn(symbol, root, [], sum(1 for _ in visit(symbol.items, True, lambda _, around: around)))
