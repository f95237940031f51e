"""What a kind may say in its form: a shape, rounded corners, feet; what would have no effect is a problem."""

from collections.abc import Iterator, Sequence

from generator.errors import Problem
from generator.load.schema import KindData
from generator.model.contour import REGULAR
from generator.model.source import Section, Source
from generator.units import Size

FOLDED = ("standee", "cube")
"""Forms that are cut along a net and folded."""

_CURVED = ("round", "hexagon")
"""Shapes with an outline of their own."""

_UNEQUAL = 0.1
"""Sides may be rounded to so many mm."""

FOOT_LEAST = 8.0
"""How long a foot is at least unless the data say otherwise, mm: a fingertip's room for glue."""


def foot_of(data: KindData, size: Size) -> float:
    """The length of each foot of a standee, mm: half of its width by default; 0 for what has no feet."""
    if data.form != "standee":
        return 0.0
    return data.foot if data.foot is not None else max(size.width / 2, FOOT_LEAST)


def form_problems(
    name: str, data: KindData, size: Size | None, designs: Sequence[Source], places: Section
) -> Iterator[Problem]:
    """What a kind says that has no effect on its form, or contradicts it; `size` is the one that it will have."""
    if data.foot is not None and data.form != "standee":
        yield Problem(places.place(name, "foot"), f"a {data.form} has no foot", "take `foot:` out, or `form: standee`")
    yield from _corner_problems(name, data, places)
    if data.form not in FOLDED:
        yield from _shape_problems(name, data, size, places)
        return
    if "shape" in data.model_fields_set:
        what = f"a {data.form} has no shape of its own: it is cut along its net"
        yield Problem(places.place(name, "shape"), what, "take `shape:` out")
    if data.form == "cube":
        yield from _cube_problems(name, data, size, designs, places)


def _corner_problems(name: str, data: KindData, places: Section) -> Iterator[Problem]:
    """Rounded corners of what has no corners to be rounded; to say that they are 0 is true of all."""
    if "corner" not in data.model_fields_set or not data.corner:
        return
    around = "its net" if data.form in FOLDED else "its outline" if data.outline else ""
    around = around or (f"its {data.shape} outline" if data.form == "token" and data.shape in _CURVED else "")
    if around:
        what = f"`corner` has no effect: a {data.form} like this is cut along {around}"
        yield Problem(places.place(name, "corner"), what, "take `corner:` out")


def _shape_problems(name: str, data: KindData, size: Size | None, places: Section) -> Iterator[Problem]:
    """Only tokens are cut round or as hexagons; and equal sides are equal."""
    if data.form != "token" and data.shape in _CURVED:
        what = f"`shape: {data.shape}` has no effect: a {data.form} is cut as a rectangle"
        yield Problem(places.place(name, "shape"), what, "write `form: token`, or take `shape:` out")
        return
    if size is None:
        return
    told = f"{size.width:g} x {size.height:g} mm"
    if data.shape == "square" and abs(size.width - size.height) > _UNEQUAL:
        what = f"a square's sides are equal, but its size is {told}"
        yield Problem(places.place(name, "size"), what, "write one number, or take `shape:` out")
    if data.shape == "hexagon" and not data.outline and abs(size.height - size.width * REGULAR) > _UNEQUAL:
        regular = f"{size.width:g} x {size.width * REGULAR:.1f} mm"
        what = f"a hexagon of {told} is stretched: it stands on a point, and a regular one of this width is {regular}"
        hint = f"write `size: {size.width:g}`, the width from side to side, or draw a stretched one as `outline:`"
        yield Problem(places.place(name, "size"), what, hint)


def _cube_problems(
    name: str, data: KindData, size: Size | None, designs: Sequence[Source], places: Section
) -> Iterator[Problem]:
    if size and size.width != size.height and isinstance(data.size, (list, str)):
        what = f"a cube's sides are equal, but its size is {size.width:g} x {size.height:g} mm"
        yield Problem(places.place(name, "size"), what, "write one number: the edge in mm")
    six = "all six sides are drawn by `front`, which sees in `face` which one it is"
    if data.back:
        yield Problem(places.place(name, "back"), "a cube has no back of its own", six)
    if data.two_faced:
        yield Problem(places.place(name, "two_faced"), "a cube is not two-faced", six)
    for design in designs:
        if design.value.get("back"):
            yield Problem(design.place("back"), "a cube has no back of its own", six)
