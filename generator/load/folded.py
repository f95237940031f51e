"""What a cube and a standing pawn may say: equal sides, no outline of their own, and feet."""

from collections.abc import Iterator, Sequence

from generator.errors import Problem
from generator.load.schema import KindData
from generator.model.source import Section, Source
from generator.units import Size

FOLDED = ("standee", "cube")
"""Forms that are cut along a net and folded."""

FOOT_LEAST = 8.0
"""How long a foot is at least unless the data say otherwise, mm: a fingertip's room for glue."""


def foot_of(data: KindData, size: Size) -> float:
    """The length of each foot of a standee, mm: half of its width by default; 0 for what has no feet."""
    if data.form != "standee":
        return 0.0
    return data.foot if data.foot is not None else max(size.width / 2, FOOT_LEAST)


def folded_problems(
    name: str, data: KindData, size: Size, designs: Sequence[Source], places: Section
) -> Iterator[Problem]:
    """What a kind says that doesn't suit its form; `size` is the one that it will have."""
    if data.foot is not None and data.form != "standee":
        yield Problem(places.place(name, "foot"), f"a {data.form} has no foot", "take `foot:` out, or `form: standee`")
    if data.form not in FOLDED:
        return
    if "shape" in data.model_fields_set:
        what = f"a {data.form} has no shape of its own: it is cut along its net"
        yield Problem(places.place(name, "shape"), what, "take `shape:` out")
    if data.form == "cube":
        yield from _cube_problems(name, data, size, designs, places)


def _cube_problems(
    name: str, data: KindData, size: Size, designs: Sequence[Source], places: Section
) -> Iterator[Problem]:
    if size.width != size.height and isinstance(data.size, (list, str)):
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
