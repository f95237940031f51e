"""Pictures: <image> elements of PNG and JPEG files in the templates folder."""

from generator.errors import Unfit
from generator.model.drawing import Group, Item, Picture
from generator.svg.outlines import rectangle
from generator.svg.paint import Style
from generator.svg.scene import Scene
from generator.svg.tree import Element
from generator.svg.values import aspect, fills, fitted, length


def link(element: Element) -> str:
    """What an element refers to."""
    return (element.attributes.get("href") or element.attributes.get("xlink:href") or "").strip()


def image_items(scene: Scene, element: Element, style: Style) -> tuple[Item, ...]:
    """The picture in its box; a missing width or height follows from the other one."""
    try:
        bitmap = scene.studio.assets.bitmap(link(element))
    except Unfit as mistake:
        scene.complain_of(element, link(element), mistake)
        return ()
    shape = (0.0, 0.0, float(bitmap.width), float(bitmap.height))
    x, y = (scene.value(element, name, length, 0.0) for name in ("x", "y"))
    width, height = sides(scene, element, shape[2], shape[3], natural=False)
    if width <= 0 or height <= 0:
        scene.complain(element, "an <image> needs a width or a height above 0")
        return ()
    box = (x, y, width, height)
    matrix = fitted(shape, box, scene.value(element, "preserveAspectRatio", aspect, "meet"))
    across, down = shape[2] * matrix[0], shape[3] * matrix[3]
    picture = Picture(
        bitmap.asset, bitmap.path.as_posix(), matrix[4], matrix[5], across, down, role=style.role or "art"
    )
    spills = not fills(shape, box, matrix) and (across > width + 1e-6 or down > height + 1e-6)
    return (Group((picture,), clip=rectangle(*box)),) if spills else (picture,)


def sides(scene: Scene, element: Element, width: float, height: float, *, natural: bool) -> tuple[float, float]:
    """The width and height that an element gives to something of that shape; `natural` is what neither means."""
    across = scene.value(element, "width", length, None)
    down = scene.value(element, "height", length, None)
    if across is None and down is None:
        return (width, height) if natural else (0.0, 0.0)
    if across is None:
        return down * width / height, down
    return across, across * height / width if down is None else down
