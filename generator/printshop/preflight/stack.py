"""What lies on what: grounds under white marks, and the ink of paints that print over each other, by their boxes."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from generator.printshop.preflight.colours import CMYK
from generator.printshop.preflight.geometry import Box, intersection
from generator.printshop.preflight.marks import PageMark

_GROUND = 1.0  # mm: what is narrower is no ground
_WET = 2.5  # mm: on less than that square nothing stays wet
_MOST_BELOW, _MOST_OVER, _MOST_SPOTS = 300, 100, 30
_UNKNOWN = 3.0
"""So much ink, as a fraction, may lie where colours name no inks, or only as the most of a picture or gradient."""

_PROCESS = ("Cyan", "Magenta", "Yellow", "Black")

Plates = dict[str, float]


class InkPile(NamedTuple):
    """So much ink, percent, where paints lie on each other; `sure` when each is a rectangle whose inks are known."""

    percent: float
    box: Box
    sure: bool


def _is_area(mark: PageMark, least: float) -> bool:
    box = mark.box
    return mark.kind in ("fill", "image", "shading") and min(box[2] - box[0], box[3] - box[1]) >= least


def marks_on_ground(marks: Iterable[PageMark]) -> frozenset[int]:
    """The white marks, by id, whose middle lies on something that is not white."""
    areas, found = list[PageMark](), set[int]()
    for mark in marks:
        if mark.colour.white:
            x, y = (mark.box[0] + mark.box[2]) / 2, (mark.box[1] + mark.box[3]) / 2
            below = next((area for area in areas[: -_MOST_BELOW - 1 : -1] if _covers(area.box, x, y)), None)
            if below is not None and not below.colour.white:
                found.add(id(mark))
        if _is_area(mark, _GROUND):
            areas.append(mark)
    return frozenset(found)


def _covers(box: Box, x: float, y: float) -> bool:
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


def heaviest_pile(marks: Sequence[PageMark], over: Iterable[PageMark], within: Box, cmyk: bool) -> InkPile | None:
    """The most ink at the spots where the marks `over` print over others, as far as boxes tell.

    Where colours name no inks, as RGB, that counts as much ink on a job for the four inks (`cmyk`), else as none.
    """
    areas = [mark for mark in marks if _is_area(mark, _WET)]
    piles = [_pile(areas, mark, spot, cmyk) for mark in list(over)[:_MOST_OVER] for spot in _spots(areas, mark, within)]
    return max(piles, key=lambda pile: (pile.percent, pile.sure), default=None)


def _spots(areas: Sequence[PageMark], over: PageMark, within: Box) -> list[Box]:
    """What the mark shares with each area, and the whole of it."""
    own = intersection(over.box, within)
    if own is None:
        return []
    found = dict.fromkeys([own])
    for area in areas:
        box = intersection(area.box, own)
        if box is not None and min(box[2] - box[0], box[3] - box[1]) >= _WET:
            found[box] = None
        if len(found) > _MOST_SPOTS:
            break
    return list(found)


def _pile(areas: Sequence[PageMark], over: PageMark, spot: Box, cmyk: bool) -> InkPile:
    """The inks in the middle of a spot, when all is printed."""
    x, y = (spot[0] + spot[2]) / 2, (spot[1] + spot[3]) / 2
    plates, sure = Plates(), True
    for mark in [area for area in areas if area is over or _covers(area.box, x, y)][-_MOST_BELOW:]:
        inks = _inks(mark, cmyk)
        known = mark.solid and not any(name.startswith("?") for name in inks)
        if mark.blended:
            sure = sure and known and mark.blended == "Multiply"
            for name, value in inks.items():
                plates[name] = value + plates.get(name, 0.0) * (1 - value)
        elif mark.see_through:
            sure = False  # something between what is below and itself
        elif _leaves(mark):
            sure = sure and known
            plates |= {name: value for name, value in inks.items() if value > 0}
        elif known and mark.overprint:  # all four inks are its own, spot inks stay
            plates = {name: value for name, value in plates.items() if name not in _PROCESS} | inks
        elif known:
            plates, sure = inks, True
        else:  # it may cover what is below or not: the more ink counts
            sure = False
            plates = max(plates, inks, key=lambda one: sum(one.values()))
    return InkPile(100 * sum(plates.values()), spot, sure)


def _leaves(mark: PageMark) -> bool:
    """Whether it overprints so that plates which it doesn't name keep their ink.

    Zeros leave their plate alone in DeviceCMYK that is stated as such, never in a profile's CMYK or out of a table
    (ISO 32000-1, 8.6.7): those print all four plates.
    """
    colour = mark.colour
    named = mark.overprint > 1 and colour.chosen == CMYK
    return bool(mark.overprint) and (colour.space.family == "spot" or named)


def _inks(mark: PageMark, cmyk: bool) -> Plates:
    """The ink on each plate, as a fraction; plates with a question mark stand for several that can't be told apart."""
    colour, space = mark.colour, mark.colour.space
    most = mark.picture.ink if mark.picture is not None and not mark.picture.stencil else colour.most
    if most is not None:
        return {"?": most / 100}
    if colour.values and space.family == "gray":
        return {"Black": 1 - colour.values[0]}
    if colour.values and space.family == "cmyk":
        return dict(zip(_PROCESS, colour.values, strict=True))
    if colour.values and space.family == "spot":
        return {name: value for name, value in zip(space.names, colour.values, strict=False) if name != "None"}
    return {"?": _UNKNOWN if cmyk or space.family not in ("rgb", "lab") else 0.0}
