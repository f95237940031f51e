"""What stands where it cannot: unknown attributes, elements in the wrong place."""

from generator.svg.scene import Scene
from generator.svg.subset import ATTRIBUTES, SHAPES, attribute_hint, element_hint
from generator.svg.tree import Element

_SPEAKS = ("title", "desc")
CHILDLESS = SHAPES | {"text", "textbox", "image", "use"}
_HOLDS: dict[str, tuple[str, ...]] = {
    "title": (),
    "desc": (),
    "stop": (),
    "linearGradient": ("stop",),
    "radialGradient": ("stop",),
}


def check_names(scene: Scene, element: Element) -> None:
    """Complain of every attribute that this element cannot have."""
    known = ATTRIBUTES[element.tag]
    for name in element.attributes.keys() - known:
        if not name.startswith(("data-", "xmlns:")):
            scene.complain(element, f"unknown attribute '{name}' on <{element.tag}>", attribute_hint(name, known))


def check_childless(scene: Scene, element: Element) -> None:
    """Complain of what stands in a shape, text or picture."""
    for child in element.children:
        if child.tag not in _SPEAKS:
            hint = "" if child.tag in ATTRIBUTES else element_hint(child.tag)
            scene.complain(child, f"<{child.tag}> cannot stand in <{element.tag}>", hint)


def check_unseen(scene: Scene, element: Element) -> None:
    """Look for slips in what is not drawn here; what is referred to is looked at in full there."""
    for child in element.children:
        if child.tag not in ATTRIBUTES:
            scene.complain(child, f"<{child.tag}> is not supported", element_hint(child.tag))
        elif child.tag not in _HOLDS.get(element.tag, (child.tag,)):
            scene.complain(child, f"<{child.tag}> cannot stand in <{element.tag}>")
        else:
            check_names(scene, child)
            check_unseen(scene, child)
