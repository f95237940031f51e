"""What stands in a column, at its place: its things, with the grounds of boxes behind them."""

from collections.abc import Sequence

from generator.model.drawing import Paint, Shape
from generator.model.outline import rectangle
from generator.pages.makeup.levels import Column, Put
from generator.pages.strips import Frame, Thing
from generator.pages.style import EDGE
from generator.units import Rect


def column_things(column: Column, x: float, y: float) -> list[Thing]:
    """The things of a column whose corner is at (x, y), mm."""
    things: list[Thing] = []
    run: list[Put] = []
    behind: Frame | None = None
    for put in [*column.puts, None]:
        frame = put.strip.frame if put is not None else None
        if run and behind is not None and frame != behind:
            things += _box_grounds(run, behind, x, y)
            run = []
        behind = frame
        if put is not None and frame is not None:
            run.append(put)
    for put in column.puts:
        things += [thing.moved(x, y + put.y) for thing in put.strip.things]
    return things


def _box_grounds(run: Sequence[Put], frame: Frame, x: float, y: float) -> list[Thing]:
    """The ground of a box, from a pad above its first strip in a column to one below the last."""
    pad = frame.pad
    box = Rect(x + frame.x, y + run[0].y - pad, frame.width, run[-1].y + run[-1].strip.height + 2 * pad - run[0].y)
    return [_paint_box(box, frame.ground), _paint_box(Rect(box.x, box.y, EDGE, box.height), frame.edge)]


def _paint_box(box: Rect, paint: Paint) -> Thing:
    return Thing("artifact", box, (Shape(rectangle(Rect(0, 0, box.width, box.height)), paint, role="ground"),))
