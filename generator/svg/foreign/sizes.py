"""How large a drawing says it is."""

from generator.errors import Unfit
from generator.svg.foreign.measures import Measure, length, numbers
from generator.svg.foreign.nodes import Node


def natural_size(root: Node) -> tuple[float, float]:
    """The width and height that a drawing says it has; 0 for one that it doesn't, or gives in percent."""
    view = numbers(root.attributes.get("viewBox", ""))
    sides = []
    for name in ("width", "height"):
        text = root.attributes.get(name, "").strip()
        try:
            value = 0.0 if not text or text.endswith("%") or text == "auto" else length(text, Measure())
        except Unfit:
            value = 0.0
        sides.append(max(value, 0.0))
    width, height = sides
    if len(view) == 4 and view[2] > 0 and view[3] > 0:
        if not width and not height:
            return view[2], view[3]
        if not width or not height:
            return (width or height * view[2] / view[3], height or width * view[3] / view[2])
    return width, height
