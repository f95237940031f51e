"""A fan: how points are spread after each part of a game: nine of ten games, half of them, the one in the middle."""

from collections.abc import Sequence

from generator.dataclass import dataclass
from generator.lab.numbers import written
from generator.model.drawing import Drawing, Item, Shape, number
from generator.pages.style import GREY
from generator.reports.charts.pen import HAIRLINE, QUIET, SMALL, STROKE, Pen, scale_around, stroke

_LEFT, _RIGHT = 9.0, 26.0
_HIGH = 46.0
_TOP, _FOOT = 2.0, 9.0


@dataclass(frozen=True, slots=True)
class FanPart:
    """What is followed: its name, for each step from the left the values at five quantiles; `sign` is its colour."""

    name: str
    steps: Sequence[Sequence[float]]
    sign: int


def fan(pen: Pen, parts: Sequence[FanPart], steps: Sequence[str], name: str, alt: str) -> Drawing:
    """The chart, as wide as the text: `steps` name what lies below each, `name` says what they are."""
    width = pen.width - _LEFT - _RIGHT
    scale = scale_around(tuple(value for part in parts for step in part.steps for value in step), 0.0, _HIGH)
    bottom = _TOP + _HIGH

    def at(value: float) -> float:
        return bottom - scale.at(value)

    places = [_LEFT + width * step / max(1, len(steps) - 1) for step in range(len(steps))]
    items: list[Item] = []
    for tick in scale.ticks():
        y = at(tick)
        items.append(stroke(_LEFT, y, _LEFT + width, y, QUIET, HAIRLINE))
        items += pen.words(written(tick, scale.places if tick else 0), _LEFT - 1.5, y + pen.drop(SMALL), SMALL, 1.0)
    for x, told in zip(places, steps, strict=True):
        items += pen.words(told, x, bottom + 3.6, SMALL, 0.5, paint=GREY)
    items += pen.words(name, _LEFT, bottom + 7.4, SMALL, paint=GREY)
    for grade, low, high in ((1, 0, 4), (3, 1, 3)):
        for part in parts:
            upper = [(x, at(step[high])) for x, step in zip(places, part.steps, strict=True)]
            lower = [(x, at(step[low])) for x, step in zip(places, part.steps, strict=True)]
            items.append(Shape(f"{_line([*upper, *reversed(lower)])} Z", pen.shades.pale(part.sign, grade)))
    for part in parts:
        middle = [(x, at(step[2])) for x, step in zip(places, part.steps, strict=True)]
        items.append(Shape(_line(middle), stroke=pen.shades.of(part.sign), width=2 * STROKE, join="round"))
        x, y = middle[-1]
        items += pen.words(part.name, x + 2.0, y + pen.drop(SMALL), SMALL, paint=pen.shades.of(part.sign))
    return Drawing(pen.width, bottom + _FOOT, 0.0, tuple(items), pen.lang, alt)


def _line(points: Sequence[tuple[float, float]]) -> str:
    return "M " + " L ".join(f"{number(x)} {number(y)}" for x, y in points)
