"""Paint checks: lines, pictures, ink, colour, and overlaps."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from generator.base.geometry import PT_PER_INCH, PT_PER_MM
from generator.production.preflight.inspection import (
    CheckFinding,
    FileContext,
    PageContext,
    Severity,
    file_check,
    find_heaviest_spot,
    group_by_figure,
    page_check,
)
from generator.production.preflight.pdf_colours import CMYK, PageMark, StatedColour
from generator.production.preflight.pdf_document import PageBox, intersect_boxes

_GROUND = 1.0  # mm: a narrower area is no background
_WET = 2.5  # mm: a smaller square doesn't stay wet
_MOST_BELOW, _MOST_OVER, _MOST_SPOTS = 300, 100, 30
_UNKNOWN = 3.0
"""Ink assumed for colours whose inks are unknown: 3.0 means 300 %."""

_PROCESS = ("Cyan", "Magenta", "Yellow", "Black")

InkAmounts = dict[str, float]


class InkPile(NamedTuple):
    """The total ink (percent) in a box. `sure` is False if shapes or colours make the sum uncertain."""

    percent: float
    box: PageBox
    sure: bool


def _is_area(mark: PageMark, least: float) -> bool:
    box = mark.box
    return mark.kind in ("fill", "image", "shading") and min(box[2] - box[0], box[3] - box[1]) >= least


def find_marks_on_ground(marks: Iterable[PageMark]) -> frozenset[int]:
    """Return the `id()` of white marks with their middle on ground that is not white; `marks` are in painting order."""
    areas, found = list[PageMark](), set[int]()
    for mark in marks:
        if mark.colour.is_white:
            x, y = (mark.box[0] + mark.box[2]) / 2, (mark.box[1] + mark.box[3]) / 2
            below = next((area for area in areas[: -_MOST_BELOW - 1 : -1] if _covers_point(area.box, x, y)), None)
            if below is not None and not below.colour.is_white:
                found.add(id(mark))
        if _is_area(mark, _GROUND):
            areas.append(mark)
    return frozenset(found)


def _covers_point(box: PageBox, x: float, y: float) -> bool:
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


def find_heaviest_pile(
    marks: Sequence[PageMark], over: Iterable[PageMark], within: PageBox, cmyk: bool
) -> InkPile | None:
    """Return the most ink where marks in `over` print over others within a box, judged by boxes. None if there is none.

    Colours without inks, such as RGB, count as much ink on a CMYK job (`cmyk`), otherwise as none.
    """
    areas = [mark for mark in marks if _is_area(mark, _WET)]
    piles = [
        _stack_inks(areas, mark, spot, cmyk)
        for mark in list(over)[:_MOST_OVER]
        for spot in _find_spots(areas, mark, within)
    ]
    return max(piles, key=lambda pile: (pile.percent, pile.sure), default=None)


def _find_spots(areas: Sequence[PageMark], over: PageMark, within: PageBox) -> list[PageBox]:
    """Return boxes in `within` where ink may add up: that of `over`, and overlaps with areas if 2.5 mm wide or more."""
    own = intersect_boxes(over.box, within)
    if own is None:
        return []
    found = dict.fromkeys([own])
    for area in areas:
        box = intersect_boxes(area.box, own)
        if box is not None and min(box[2] - box[0], box[3] - box[1]) >= _WET:
            found[box] = None
        if len(found) > _MOST_SPOTS:
            break
    return list(found)


def _stack_inks(areas: Sequence[PageMark], over: PageMark, spot: PageBox, cmyk: bool) -> InkPile:
    """Return the total ink in the middle of `spot` once all areas and `over` are printed."""
    x, y = (spot[0] + spot[2]) / 2, (spot[1] + spot[3]) / 2
    plates, sure = InkAmounts(), True
    for mark in [area for area in areas if area is over or _covers_point(area.box, x, y)][-_MOST_BELOW:]:
        inks = _read_inks(mark, cmyk)
        known = mark.solid and not any(name.startswith("?") for name in inks)
        if mark.blended:
            sure = sure and known and mark.blended == "Multiply"
            for name, value in inks.items():
                plates[name] = value + plates.get(name, 0.0) * (1 - value)
        elif mark.see_through:
            sure = False  # a mix of itself and what is below
        elif _keeps_other_plates(mark):
            sure = sure and known
            plates |= {name: value for name, value in inks.items() if value > 0}
        elif known and mark.overprint:  # it sets all four inks; spot inks stay
            plates = {name: value for name, value in plates.items() if name not in _PROCESS} | inks
        elif known:
            plates, sure = inks, True
        else:  # it may or may not cover what is below: the larger ink counts
            sure = False
            plates = max(plates, inks, key=lambda one: sum(one.values()))
    return InkPile(100 * sum(plates.values()), spot, sure)


def _keeps_other_plates(mark: PageMark) -> bool:
    """Return True if the mark overprints and plates that it doesn't name keep their ink.

    A zero leaves its plate alone only in DeviceCMYK stated as such, never in a profile's CMYK or from a table (ISO
    32000-1, 8.6.7): those print all four plates.
    """
    colour = mark.colour
    named = mark.overprint > 1 and colour.chosen_space == CMYK
    return bool(mark.overprint) and (colour.space.family == "spot" or named)


def _read_inks(mark: PageMark, cmyk: bool) -> InkAmounts:
    """Return the ink of each plate (0 to 1) that a mark prints, by the ink's name; `?` is ink on unknown plates."""
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


_LINE_SLACK = 0.012  # points
_TINY = 4  # pixels: smaller images are a colour or a gradient step
_OVERPRINTING_TYPE, _LINE = 24.0, 3.0  # points: black up to this overprints so that no white shows around it
_SLIVER = 3.0  # points: a longer filled sliver is meant as a line


@page_check("hairlines")
def check_hairlines(look: PageContext) -> Iterator[CheckFinding]:
    """Report lines under a quarter of a point: they may break up. A width of 0 is as thin as the machine can print."""
    hint = f"make lines at least {look.rules.line:g} pt thick"
    for where, thin in group_by_figure(mark for mark in look.shown if _is_hairline(mark, look.rules.line)):
        for white in (False, True):
            lines = [mark for mark in thin if mark.colour.is_white == white and (not white or look.on_ground(mark))]
            if not lines:
                continue
            least = min(lines, key=_measure_thickness)
            width, what = _measure_thickness(least), "a white line" if white else "a line"
            if width == 0:
                yield CheckFinding("error", f"{what} has no width{where}", hint, least.box, times=len(lines))
            else:
                closes = ", which ink may fill" if white else ""
                yield CheckFinding(
                    "warning", f"{what} of {width:.2f} pt{where}{closes}", hint, least.box, times=len(lines)
                )


def _measure_thickness(mark: PageMark) -> float:
    if mark.kind == "stroke":
        return mark.size
    return min(mark.box[2] - mark.box[0], mark.box[3] - mark.box[1]) * PT_PER_MM


def _is_hairline(mark: PageMark, least: float) -> bool:
    if mark.kind == "stroke":
        return mark.size < least - _LINE_SLACK
    if mark.kind != "fill" or not mark.straight:
        return False
    width, height = (mark.box[2] - mark.box[0]) * PT_PER_MM, (mark.box[3] - mark.box[1]) * PT_PER_MM
    return 0 < min(width, height) < least - _LINE_SLACK and max(width, height) >= _SLIVER


@page_check("resolution")
def check_bitmap_resolution(look: PageContext) -> Iterator[CheckFinding]:
    """Report pictures under half the required resolution as errors, under 3/4 as warnings, and needless pixels."""
    for mark in look.shown:
        picture = mark.picture
        if picture is None or min(picture.pixels) <= _TINY or min(mark.across) <= 0:
            continue
        dpi = min(pixels / side * PT_PER_INCH for pixels, side in zip(picture.pixels, mark.across, strict=True))
        wanted = look.rules.bitmap_dpi if picture.bits == 1 else look.rules.dpi
        what = f"a picture of {picture.pixels[0]} x {picture.pixels[1]} pixels has {dpi:.0f} dpi"
        if dpi < wanted * 0.75:
            severity: Severity = "error" if dpi < wanted / 2 else "warning"
            yield CheckFinding(
                severity, what, f"use a picture of {wanted:.0f} dpi, or place this one smaller", mark.box
            )
        if picture.bits > 8:
            what = f"a picture has {picture.bits} bits per colour"
            yield CheckFinding("note", what, "save it with 8 bits; many programs accept no more", mark.box)
        if dpi > wanted * 2.05 and picture.bits > 1:
            yield CheckFinding("note", what, f"{wanted:.0f} dpi is enough", mark.box)


@page_check("ink")
def check_ink(look: PageContext) -> Iterator[CheckFinding]:
    """Check the sum of all plates: of each paint, each pixel of a CMYK picture, and paints over each other.

    Overlaps are computed from rectangles. If shapes or colours leave the result open, Ghostscript renders; without it a
    note says that the ink was not checked.
    """
    limit = look.rules.ink_limit
    severity: Severity = "error" if look.rules.ink_stated else "warning"
    most, within = _find_inkiest(look, limit), look.cut or look.sheet.whole
    over = [mark for mark in look.shown if _adds_up(mark) and (look.cmyk or mark.colour.space.family in _INKS)]
    printed = [mark for mark in look.shown if not _is_registration(mark.colour)]  # they have a check of their own
    pile = find_heaviest_pile(printed, over, within, look.cmyk) if over else None
    if pile and pile.percent > limit + 1:
        spaces = {mark.colour.space for mark in look.shown}
        converted = any(one.family in ("rgb", "lab") or (one.family == "cmyk" and not one.device) for one in spaces)
        plates = None if pile.sure or converted else look.plates()  # other programs convert colours differently
        below: tuple[float, PageBox] | None = (pile.percent, pile.box) if pile.sure else None
        if plates:
            below = find_heaviest_spot(plates, plates[0].width / look.sheet.view.size[0], within, limit)
        elif not pile.sure and not look.is_unread:
            what = f"overprinting may add up to {pile.percent:.0f} % of ink; pnp could not measure it"
            yield CheckFinding("note", what, _RENDER, pile.box)
        most = max(filter(None, (most, below)), key=lambda found: found[0], default=None)
    if most:
        hint = f"reduce it to {limit:.0f} %; first remove colour below black"
        yield CheckFinding(severity, f"{most[0]:.0f} % of ink", hint, most[1])


_INKS = ("cmyk", "spot")


_RENDER = "install Ghostscript and use plain CMYK colours, or check the plates in another program"


def _find_inkiest(look: PageContext, limit: float) -> tuple[float, PageBox] | None:
    """Return ink (percent) and box of the mark that alone has the most ink, or None if all are within the limit."""
    most: tuple[float, PageBox] | None = None
    for mark in look.shown:
        found = _find_ink(mark)
        heavier = found is not None and found[0] > (limit + 1 if most is None else most[0])
        if heavier and not _is_registration(mark.colour):
            most = found
    return most


def _adds_up(mark: PageMark) -> bool:
    """Return True if the mark covers an area, and its ink can add to the ink below it."""
    small = mark.size <= _OVERPRINTING_TYPE if mark.kind == "text" else mark.kind == "stroke" and mark.size <= _LINE
    return bool(mark.overprint or mark.blended) and not small and not mark.colour.is_white


def _find_ink(mark: PageMark) -> tuple[float, PageBox] | None:
    if mark.picture is not None and not mark.picture.stencil:
        if mark.picture.ink is None:
            return None
        x = mark.box[0] + (mark.box[2] - mark.box[0]) * mark.picture.inkiest[0]
        y = mark.box[1] + (mark.box[3] - mark.box[1]) * mark.picture.inkiest[1]
        return mark.picture.ink, (x, y, x, y)
    total = mark.colour.ink
    return None if total is None else (total, mark.box)


def _is_registration(colour: StatedColour) -> bool:
    space = colour.space
    if space.family == "spot" and space.names == ("All",):
        return bool(colour.values) and colour.values[0] > 0
    return space.family == "cmyk" and bool(colour.values) and min(colour.values) > 0.99


@page_check("registration")
def check_registration(look: PageContext) -> Iterator[CheckFinding]:
    """Report the registration colour: it prints on every plate, so type is never sharp and areas never dry."""
    for mark in look.shown:
        if _is_registration(mark.colour):
            hint = "use black: C0 M0 Y0 K100"
            yield CheckFinding("error", f"{_KINDS[mark.kind]} in the registration colour", hint, mark.box)


_KINDS = {
    "fill": "an area", "stroke": "a line", "text": "type", "image": "a picture", "shading": "a gradient"
}  # fmt: skip


_DARK_TYPE = 2.02  # our own writer produces 200 %, except for rounding


@page_check("rich-black-type")
def check_rich_black_type(look: PageContext) -> Iterator[CheckFinding]:
    """Report small type in four inks: plates never match exactly, so it gets coloured edges."""
    for mark in look.shown:
        values = mark.colour.values
        if mark.kind != "text" or mark.colour.space.family != "cmyk" or _is_registration(mark.colour):
            continue
        inks = sum(value >= _AN_INK for value in values)
        small = mark.size < look.rules.inks_type and inks > 1
        dark = values[3] >= 0.7 and sum(values[:3]) > 0.15 and mark.size < look.rules.rich_black_type
        if not small and not dark:
            continue
        parts = " ".join(f"{plate}{value * 100:.0f}" for plate, value in zip("CMYK", values, strict=True))
        if small and not (dark and _is_neutral(values)):
            how: Severity = "warning" if inks > 2 else "note"
            what = f"small type of {mark.size:.1f} pt in {inks} inks ({parts})"
            yield CheckFinding(how, what, "use one ink, preferably black, or larger type", mark.box)
            continue
        if _is_neutral(values):
            yield CheckFinding("warning", f"black type of {mark.size:.1f} pt in {parts}", "use C0 M0 Y0 K100", mark.box)
        elif sum(values) > _DARK_TYPE:
            hint = "use fewer inks; its edges may show colours"
            yield CheckFinding("note", f"dark type of {mark.size:.1f} pt in {parts}", hint, mark.box)


_AN_INK = 0.1  # a fraction: less is not visible as an edge


def _is_neutral(values: tuple[float, ...]) -> bool:
    """Return True if inks (cyan, magenta, yellow, black, 0 to 1) mean black: much black, and a balanced rest."""
    return values[3] >= 0.85 and max(values[:3]) - min(values[:3]) <= 0.3


@page_check("white-overprint")
def check_white_overprint(look: PageContext) -> Iterator[CheckFinding]:
    """Report white that overprints: it vanishes."""
    for mark in look.shown:
        if mark.overprint and mark.colour.is_white:
            what = f"{_KINDS[mark.kind]} in white overprints, so it disappears"
            yield CheckFinding("error", what, "set white to knock out", mark.box)


@page_check("rgb")
def check_rgb(look: PageContext) -> Iterator[CheckFinding]:
    """Report RGB, which somebody else would convert, and Lab, which is usually a mistake."""
    for mark in look.shown:
        if not look.cmyk:
            if mark.colour.space.family == "lab":
                yield CheckFinding(
                    "note", f"{_KINDS[mark.kind]} in Lab", "convert it to the colour space of the rest", mark.box
                )
        elif mark.colour.space.family in ("rgb", "lab"):
            name = "RGB" if mark.colour.space.family == "rgb" else "Lab"
            hint = "convert it to CMYK with the shop's profile"
            yield CheckFinding("error", f"{_KINDS[mark.kind]} in {name}", hint, mark.box)


@page_check("transparency")
def check_transparency(look: PageContext) -> Iterator[CheckFinding]:
    """Report transparency: PDF/X-1a forbids it, and flattening may leave thin white lines. PDF/X-4 allows it."""
    if not look.rules.flat and (look.rules.standard or not look.cmyk):
        return
    severity: Severity = "error" if look.rules.flat else "note"
    for mark in look.shown:
        if mark.see_through:
            yield CheckFinding(severity, f"{_KINDS[mark.kind]} is transparent", "flatten transparency", mark.box)


@file_check("mixed-colours")
def check_mixed_colours(look: FileContext) -> Iterator[CheckFinding]:
    """Report RGB and CMYK in one file, which are converted differently, if the job isn't known to be CMYK."""
    if look.rules.cmyk or look.file.intent == 4:
        return
    places = {space.family: place for space, place in reversed(list(look.seen.spaces.items()))}
    if "rgb" in places and "cmyk" in places:
        page, box = max(places["rgb"], places["cmyk"])
        yield CheckFinding("warning", "the file mixes RGB and CMYK", "convert all to one of them", box, page)


@file_check("intent")
def check_intent(look: FileContext) -> Iterator[CheckFinding]:
    """Report CMYK without an output intent: the same four numbers are another colour on every paper."""
    if look.file.intent is not None or look.rules.standard:
        return
    for space, (page, box) in look.seen.spaces.items():
        if space.family == "cmyk" and space.device:
            hint = "add an output intent, or tell the shop the profile"
            yield CheckFinding("note", "CMYK without an output intent", hint, box, page)
            return


@file_check("spots")
def check_spots(look: FileContext) -> Iterator[CheckFinding]:
    """Report two spellings of one spot colour: they become two plates."""
    alike: dict[str, list[str]] = {}
    for name in look.seen.plates:
        bare = re.sub(r"[\s_\-.]+", "", name.casefold())
        if bare.startswith("pantone"):
            bare = re.sub(r"(cvc|cvu|cv|cp|up|pc|[cum])$", "", bare)
        alike.setdefault(bare, []).append(name)
    for names in alike.values():
        page, box = look.seen.plates[names[-1]]
        if len(names) > 1:
            said = " and ".join(f"'{ascii(name)[1:-1]}'" for name in names)
            yield CheckFinding(
                "warning", f"the spot colours {said} have almost the same name", "use one name for both", box, page
            )
        elif look.rules.cmyk and not look.rules.spots and names[0] not in _NO_SPOTS:
            what = f"the spot colour '{ascii(names[0])[1:-1]}' needs a separate plate"
            yield CheckFinding("error", what, f"{look.rules.name} prints four inks: convert it to CMYK", box, page)
        elif not look.rules.shop and names[0] not in _NO_SPOTS:
            what = f"the spot colour '{ascii(names[0])[1:-1]}' needs a separate plate"
            yield CheckFinding("note", what, "convert it to CMYK unless you pay for that ink", box, page)


_NO_SPOTS = ("All", "None", "Cyan", "Magenta", "Yellow", "Black")
