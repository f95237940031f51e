"""Checks at the cut: art that ends there, type and thin lines that stand too near."""

from collections import Counter
from collections.abc import Iterator
from itertools import groupby

from PIL import Image

from generator.printshop.preflight.colours import StatedColour
from generator.printshop.preflight.geometry import Box
from generator.printshop.preflight.look import Found, PageLook, page_check
from generator.printshop.preflight.marks import PageMark
from generator.units import MM_PER_PT

_DPI = 150.0
_INSIDE, _OUTSIDE = 0.35, 0.25  # mm: so far from the cut, and from where bleed must end, is looked
_SHORTEST = 1.0  # mm: shorter stretches are corners of slanting things
_GUESS = 0.15  # mm: glyphs are taken to be as high as their font usually is
_PAPER = 248
_THIN = 2.0  # points: a thicker line doesn't show so soon that it isn't in the middle
_TOUCH = 0.05  # mm
_PATTERN = 6  # lines alike along a side: a double frame has four
_SIDES = ("left", "top", "right", "bottom")


@page_check("bleed", "Art that meets the cut goes on beyond it, as far as the bleed.")
def bleed(look: PageLook) -> Iterator[Found]:
    """Looked at in pixels: whatever makes them, paper beyond the cut shows as a white edge when the knife slips."""
    if look.cut is None or look.unread:  # what was too much to read is too much to render
        return
    wanted = _wanted(look)
    picture = look.pixels(_DPI)
    if picture is None:
        yield Found("error", "the page can't be rendered", "write the file anew with another program")
        return
    page = _Pixels(picture, picture.width / look.sheet.view.size[0])
    for side in _SIDES:
        yield from _bare(page, look.cut, side, wanted)


def _wanted(look: PageLook) -> float:
    """How far art must go on: as the shop says, else as far as the page's BleedBox reaches."""
    stated = look.sheet.boxes.get("BleedBox")
    if look.rules.shop or stated is None or look.cut is None:
        return look.rules.bleed
    out = min(look.cut[0] - stated[0], look.cut[1] - stated[1], stated[2] - look.cut[2], stated[3] - look.cut[3])
    return min(out, look.rules.bleed) if out >= 1.0 else look.rules.bleed


class _Pixels:
    """A page's picture, asked in mm; beyond it there is nothing."""

    def __init__(self, picture: Image.Image, scale: float):
        self.scale = scale
        self._bands = picture.split()
        self._size = picture.size

    def inked(self, cut: Box, side: str, out: float) -> list[bool]:
        """Whether there is ink along a side of the cut, pixel by pixel, `out` mm beyond it (negative: inside)."""
        upright = side in ("left", "right")
        edge = {"left": cut[0] - out, "right": cut[2] + out, "top": cut[1] - out, "bottom": cut[3] + out}[side]
        low, high = (cut[1], cut[3]) if upright else (cut[0], cut[2])
        start, end, at = int(low * self.scale), int(high * self.scale), int(edge * self.scale // 1)
        if not 0 <= at < self._size[0 if upright else 1]:
            return [False] * (end - start)
        strip = (at, start, at + 1, end) if upright else (start, at, end, at + 1)
        rows = [band.crop(strip).tobytes() for band in self._bands]
        return [min(values) < _PAPER for values in zip(*rows, strict=True)]


def _bare(page: _Pixels, cut: Box, side: str, wanted: float) -> Iterator[Found]:
    """Stretches of a side where art meets the cut and is not there at the end of the bleed."""
    inside = page.inked(cut, side, -_INSIDE)
    outside = _widen(page.inked(cut, side, max(wanted - _OUTSIDE, 0.1)), round(page.scale * wanted))
    missing = [here and not there for here, there in zip(inside, outside, strict=True)]
    at = 0
    for bare, run in groupby(missing):
        length = len(list(run))
        if bare and length >= _SHORTEST * page.scale:
            reach = _reach(page, cut, side, at + length // 2, wanted)
            yield _bare_stretch(cut, side, (at / page.scale, length / page.scale), reach, wanted)
        at += length


def _widen(row: list[bool], by: int) -> list[bool]:
    """True wherever it is true within so many pixels: slanting art arrives further along."""
    near, last = [False] * len(row), -by - 1
    for at, true in enumerate(row):
        last = at if true else last
        near[at] = at - last <= by
    last = len(row) + by
    for at in range(len(row) - 1, -1, -1):
        last = at if row[at] else last
        near[at] = near[at] or last - at <= by
    return near


def _reach(page: _Pixels, cut: Box, side: str, at: int, wanted: float) -> float:
    """How far art goes on beyond the cut there, mm to the nearest quarter."""
    reach = 0.0
    while reach < wanted and page.inked(cut, side, reach + 0.05)[at]:
        reach += 0.05
    return round(reach * 4) / 4


def _bare_stretch(cut: Box, side: str, along: tuple[float, float], reach: float, wanted: float) -> Found:
    start, length = along
    left, top, right, bottom = cut
    box = {
        "left": (left, top + start, left, top + start + length),
        "right": (right, top + start, right, top + start + length),
        "top": (left + start, top, left + start + length, top),
        "bottom": (left + start, bottom, left + start + length, bottom),
    }[side]
    what = f"art meets the {side} cut for {length:.0f} mm with {reach:g} mm of bleed"
    return Found("error", what, f"let it reach {wanted:.4g} mm beyond the cut", box)


def _distance(mark: PageMark, cut: Box) -> float:
    """How far a mark stays inside the cut at its nearest side, mm; negative where it crosses the cut."""
    box = mark.box
    return min(box[0] - cut[0], box[1] - cut[1], cut[2] - box[2], cut[3] - box[3])


@page_check("safe-text", "Type keeps its distance from the cut.")
def safe_text(look: PageLook) -> Iterator[Found]:
    """Type that the knife may touch, or that looks off centre when it slips."""
    if look.cut is None:
        return
    for mark in look.shown:
        if mark.kind != "text":
            continue
        distance = _distance(mark, look.cut)
        if distance < -0.3:
            yield Found("error", "type is cut through", f"keep it {look.rules.safe:.4g} mm inside the cut", mark.box)
        elif distance < look.rules.safe - _GUESS:
            what = f"type stands {max(distance, 0):.1f} mm from the cut"
            yield Found("warning", what, f"keep it {look.rules.safe:.4g} mm inside the cut", mark.box)


@page_check("safe-line", "Frames keep their distance from the cut.")
def safe_line(look: PageLook) -> Iterator[Found]:
    """A thin line along the cut shows every tenth of a millimetre by which the knife slips.

    One of a pattern does not, whose next line lies beyond the cut or that has many lines alike: nobody sees where such
    a pattern ends.
    """
    if look.cut is None:
        return
    runs = list(_lines_along(look, look.cut))
    alike = Counter(_style(mark, side) for mark, side, _ in runs)
    patterns = {style for style, lines in alike.items() if lines >= _PATTERN}
    patterns |= {_style(mark, side) for mark, side, near in runs if near < -_TOUCH}
    told: set[tuple[int, str]] = set()
    for mark, side, near in runs:
        if _style(mark, side) in patterns or (id(mark), side) in told:
            continue
        if -_TOUCH <= near < look.rules.safe / 2 - _TOUCH:
            told.add((id(mark), side))
            what = f"a line runs {max(near, 0):.1f} mm beside the {side} cut"
            hint = f"keep lines {look.rules.safe / 2:.2g} mm away, or make it a ground with bleed"
            yield Found("warning", what, hint, mark.box)


def _style(mark: PageMark, side: str) -> tuple[StatedColour, float, str]:
    """What lines of one pattern have in common."""
    return mark.colour, round(mark.size, 1), side


def _lines_along(look: PageLook, cut: Box) -> Iterator[tuple[PageMark, str, float]]:
    """Thin lines along at least half of a side: the mark, the side, how far inside the cut its edge runs, mm."""
    for mark in look.marks:  # those beyond the cut too: they tell that a pattern goes on
        if mark.kind == "stroke" and mark.size <= _THIN and not mark.colour.white:
            for edge in mark.edges:
                for side, near in _nearness(edge, cut):
                    yield mark, side, near - mark.size * MM_PER_PT / 2


def _nearness(edge: Box, cut: Box) -> Iterator[tuple[str, float]]:
    """Sides along at least half of which a stretch runs, and how far inside."""
    if edge[2] - edge[0] < _TOUCH and min(edge[3], cut[3]) - max(edge[1], cut[1]) >= (cut[3] - cut[1]) / 2:
        yield "left", edge[0] - cut[0]
        yield "right", cut[2] - edge[2]
    if edge[3] - edge[1] < _TOUCH and min(edge[2], cut[2]) - max(edge[0], cut[0]) >= (cut[2] - cut[0]) / 2:
        yield "top", edge[1] - cut[1]
        yield "bottom", cut[3] - edge[3]
