"""A drawing's bytes to a symbol: its size, its style, and all that stands in it."""

from dataclasses import replace

from generator.errors import Problem, ProblemsFound
from generator.model.drawing import Symbol
from generator.model.geometry import IDENTITY, times
from generator.svg.foreign.cascade import cascade
from generator.svg.foreign.desk import Desk, Station
from generator.svg.foreign.measures import Measure, numbers
from generator.svg.foreign.nodes import ids_of, natural_size, read_nodes
from generator.svg.foreign.reader import Walk
from generator.svg.foreign.style import initial

_LARGE, _SMALL = 20_000.0, 500.0
_SIDE = 1000.0
"""Drawings whose longer side is outside the two are brought to this size, so that rounding doesn't show."""


def read_drawing(data: bytes, name: str, desk: Desk) -> Symbol:
    """The symbol of a drawing; ProblemsFound where it can't be read. `desk` is new."""
    root = read_nodes(data, desk.locate, desk.notes)
    cascade(root, desk.notes)
    desk.ids = ids_of(root)
    reader = Walk(desk)
    width, height = natural_size(root)
    view = numbers(root.attributes.get("viewBox", ""))
    if len(view) == 4 and (view[2] <= 0 or view[3] <= 0):
        del root.attributes["viewBox"]
        desk.notes.add(root.at, "the viewBox has no area: it is passed over")
    measure = Measure(16.0, width or 100.0, height or 100.0)
    style = desk.styles.derived(initial(desk.current), root, measure)
    spot = Station(IDENTITY, style, measure)
    if width <= 0 or height <= 0:
        box = reader.local_box(root, replace(spot, measure=Measure(16.0, 1000.0, 1000.0)))
        if box is None or box.width <= 0 or box.height <= 0:
            desk.notes.add(root.at, "the drawing is empty: it shows nothing, and has neither a viewBox nor a size")
            return Symbol(name, (), (0.0, 0.0, _SIDE, _SIDE), desk.notes.told())
        desk.notes.add(root.at, "the drawing has neither a viewBox nor a size: it is taken as large as what it shows")
        width, height = width or box.right, height or box.bottom
        spot = replace(spot, measure=Measure(16.0, width, height))
    longer = max(width, height)
    unit = 1.0 if _SMALL <= longer <= _LARGE else _SIDE / longer
    within = reader.viewport(root, spot, (0.0, 0.0, width, height))
    if within is None:
        raise ProblemsFound([Problem(desk.locate(root.at), "the drawing has no area", "give it a viewBox")])
    desk.unit, desk.side = unit, longer * unit
    within = replace(within, matrix=times((unit, 0.0, 0.0, unit, 0.0, 0.0), within.matrix))
    items = reader.as_one(root, within, reader.inside(root, within))
    return Symbol(name, tuple(items), (0.0, 0.0, width * unit, height * unit), desk.notes.told())
