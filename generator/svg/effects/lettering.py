"""Letters with a line around them, and letters that are not opaque."""

from generator.model.drawing import Item, Shape, TextRun
from generator.svg.effects.coats import clearer, line_of
from generator.svg.effects.outlined import outlined
from generator.svg.paint import CURRENT, Style, parted
from generator.svg.scene import Scene


def lettered(scene: Scene, items: tuple[Item, ...], style: Style) -> tuple[Item, ...]:
    """Set text with the line of its style around its letters, or behind them; `fill="none"` leaves the line alone."""
    runs = [item for item in items if isinstance(item, TextRun)]
    path = outlined(runs, scene.studio.fonts) if style.stroke is not None and style.width else ""
    stroke = (style.color or scene.current) if style.stroke == CURRENT else style.stroke
    lined = line_of(Shape(path, role=style.role or "text"), stroke, style) if path else ()
    if lined and style.fill is None:
        items = tuple([item for item in items if not isinstance(item, TextRun)])
    covers = parted(style.fill)[1] if style.fill is not None else 1.0
    items = clearer(items, covers * style.fill_opacity)
    return (*lined, *items) if style.stroke_first else (*items, *lined)
