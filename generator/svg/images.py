"""Pictures in templates: how a bitmap lies in the box of its <image>."""

from generator.errors import Unfit
from generator.model.drawing import ArtNote, Group, Item, Picture
from generator.svg.outlines import rect_outline, rectangle
from generator.svg.paint import Style
from generator.svg.scene import Scene
from generator.svg.shapes import sides
from generator.svg.tree import Element, link
from generator.svg.values import FITS, Box, aspect, choice, fills, fitted, focus, length


def image_items(scene: Scene, element: Element, style: Style) -> tuple[Item, ...]:
    """The picture in its box; a missing width or height follows from the other one."""
    try:
        bitmap = scene.studio.assets.bitmap(link(element))
    except Unfit as mistake:
        scene.complain_of(element, link(element), mistake)
        return ()
    scene.marks += map(ArtNote, bitmap.notes)
    shape = (0.0, 0.0, float(bitmap.width), float(bitmap.height))
    x, y = (scene.value(element, name, length, 0.0) for name in ("x", "y"))
    width, height = sides(scene, element, shape[2], shape[3], natural=False)
    if width <= 0 or height <= 0:
        scene.complain(element, "an <image> needs a width or a height above 0")
        return ()
    box = (x, y, width, height)
    how, kept = _fit_of(scene, element)
    matrix = fitted(shape, box, how, kept)
    across, down = shape[2] * matrix[0], shape[3] * matrix[3]
    picture = Picture(
        bitmap.asset, bitmap.path.as_posix(), matrix[4], matrix[5], across, down, role=style.role or "art"
    )
    spills = not fills(shape, box, matrix) and (across > width + 1e-6 or down > height + 1e-6)
    if "rx" in element.attributes or "ry" in element.attributes:
        seen = box if spills else (matrix[4], matrix[5], across, down)
        return (Group((picture,), clip=_rounded(scene, element, seen)),)
    return (Group((picture,), clip=rectangle(*box)),) if spills else (picture,)


def _rounded(scene: Scene, element: Element, box: Box) -> str:
    """A box with the corners that an element gives to it, as those of a <rect>."""
    own = dict(zip(("x", "y", "width", "height"), box, strict=True))

    def read(name: str, default: float) -> float:
        return float(own[name] if name in own else scene.value(element, name, length, default))

    return rect_outline(read, element.attributes.__contains__)


def _fit_of(scene: Scene, element: Element) -> tuple[str, tuple[float, float]]:
    """How a picture is fitted into its box, as `aspect` has it, and which point of it is to stay in view."""
    said = element.attributes
    how: str = scene.value(element, "preserveAspectRatio", aspect, "meet")
    if "fit" in said:
        if "preserveAspectRatio" in said:
            scene.complain(element, "fit and preserveAspectRatio both say how the picture is fitted", "keep one")
        how = scene.value(element, "fit", choice(FITS), "meet")
    if not said.get("focus", "").strip():
        return how, _MIDDLE
    if how != "slice":
        why = "focus has no effect: the whole picture is in view"
        scene.complain(element, why, 'write fit="cover", or take it out')
    return how, scene.value(element, "focus", focus, _MIDDLE)


_MIDDLE = (0.5, 0.5)
