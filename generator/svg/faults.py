"""What stands where it cannot: unknown attributes, elements in the wrong place."""

from generator.svg.paint import Style, declarations
from generator.svg.scene import Scene
from generator.svg.subset import (
    ATTRIBUTES,
    CLEARED,
    EFFECTS,
    FILTER_PARTS,
    FILTER_STEPS,
    OF_TEMPLATES,
    SHAPES,
    attribute_hint,
    element_hint,
)
from generator.svg.tree import Element

_SPEAKS = ("title", "desc")
CHILDLESS = SHAPES | {"text", "textbox", "image", "use"}
_HOLDS: dict[str, tuple[str, ...]] = {
    "title": (),
    "desc": (),
    "stop": (),
    "linearGradient": ("stop",),
    "radialGradient": ("stop",),
    "filter": tuple(FILTER_STEPS),
    **dict.fromkeys(FILTER_STEPS, tuple(FILTER_PARTS)),
}


def check_names(scene: Scene, element: Element) -> None:
    """Complain of every attribute that this element cannot have."""
    known = (ATTRIBUTES if scene.design is None else OF_TEMPLATES)[element.tag]
    for name in element.attributes.keys() - known:
        if not name.startswith(("data-", "xmlns:")):
            scene.complain(element, f"unknown attribute '{name}' on <{element.tag}>", attribute_hint(name, known))


def check_childless(scene: Scene, element: Element) -> None:
    """Complain of what stands in a shape, text or picture."""
    for child in element.children:
        if child.tag == "textPath" and element.tag == "text" and scene.design is not None:
            check_names(scene, child)
        elif child.tag not in _SPEAKS:
            hint = "" if child.tag in OF_TEMPLATES else element_hint(child.tag)
            scene.complain(child, f"<{child.tag}> cannot stand in <{element.tag}>", hint)


def check_unseen(scene: Scene, element: Element) -> None:
    """Look for slips in what is not drawn here; what is referred to is looked at in full there."""
    known = ATTRIBUTES if scene.design is None else OF_TEMPLATES
    for child in element.children:
        if child.tag not in known:
            scene.complain(child, f"<{child.tag}> is not supported", element_hint(child.tag))
        elif child.tag not in _HOLDS.get(element.tag, (child.tag,)):
            scene.complain(child, f"<{child.tag}> cannot stand in <{element.tag}>")
        else:
            check_names(scene, child)
            check_unseen(scene, child)


def check_plain(scene: Scene, element: Element, style: Style) -> None:
    """Complain of transparency in a drawing in a file: with it, it is read as a drawing of any program."""
    if style.clear:
        scene.complain(
            element, "colours of drawings for this program have no opacity", attribute_hint("opacity", CLEARED)
        )
    if "style" in element.attributes:
        for name, _ in scene.value(element, "style", declarations, ()):
            if name in EFFECTS or name in CLEARED:
                scene.complain(element, f"unknown property '{name}' in style", attribute_hint(name, CLEARED))
