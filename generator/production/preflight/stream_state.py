"""The state of a content stream, and the operators that paint: paths, shadings and images."""

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import pikepdf
from PIL import Image, ImageChops

from generator.base.geometry import IDENTITY, Matrix
from generator.production.preflight.pdf_colours import (
    BLACK,
    CMYK,
    GRAY,
    PATTERN,
    RGB,
    ColourSpace,
    FontFacts,
    MarkKind,
    PageMark,
    PagePicture,
    StatedColour,
    make_colour,
    make_first_colour,
    read_shading_colour,
    read_space,
)
from generator.production.preflight.pdf_document import (
    EVERYWHERE,
    PageBox,
    PdfTooLarge,
    ReadingLimits,
    float_from_pdf,
    intersect_boxes,
    is_upright,
    measure_scale,
    measure_scales,
    move_box,
)

MOST_MARKS = 400_000
_MOST_HELD = 1_000_000
_MOST_KEPT = 400_000
DEEPEST_FORM = 20


@dataclass(slots=True)
class GraphicsState:
    """The graphics state that `q` saves. `clip` is the clip path's box (mm); `ragged`: the path was no rectangle."""

    matrix: Matrix
    clip: PageBox | None = EVERYWHERE
    fill: StatedColour = BLACK
    stroke: StatedColour = BLACK
    fill_pattern: Any = None
    stroke_pattern: Any = None
    pen: float = 1.0
    font: FontFacts | None = None
    font_size: float = 0.0
    char_space: float = 0.0
    word_space: float = 0.0
    stretch: float = 1.0
    leading: float = 0.0
    rise: float = 0.0
    render: int = 0
    fill_alpha: float = 1.0
    stroke_alpha: float = 1.0
    blend: str = ""
    soft_mask: bool = False
    fill_over: bool = False
    stroke_over: bool = False
    zeros_leave: bool = False
    ragged: bool = False

    def overprint_mode(self, wanted: bool) -> int:
        """Return a mark's `overprint`: 0 unless `wanted`; 2 if inks of 0 % leave the ink below unchanged, else 1."""
        return (2 if self.zeros_leave else 1) if wanted else 0

    def inherited_settings(self) -> tuple[Any, ...]:
        """Return the settings that a form inherits where it is drawn. Forms with equal settings are read only once."""
        return (
            self.fill, self.stroke, self.pen, self.font, self.font_size, self.char_space, self.word_space,
            self.stretch, self.leading, self.rise, self.render, self.fill_alpha < 1, self.stroke_alpha < 1,
            self.blend, self.soft_mask, self.fill_over, self.stroke_over, self.zeros_leave,
        )  # fmt: skip


@dataclass(slots=True)
class FileFacts:
    """Data shared by all content streams of a file: facts of fonts, forms already read, and the amount read so far.

    `held` counts the marks of the page and its open forms, `kept` those of forms already read. `tiles` reads a pattern
    tile.
    """

    hidden: frozenset[tuple[int, int]] = frozenset()
    fonts: dict[Any, FontFacts] = field(default_factory=dict)
    pictures: dict[Any, Any] = field(default_factory=dict)
    forms: dict[Any, "ShownForm"] = field(default_factory=dict)
    reading: ReadingLimits = field(default_factory=ReadingLimits)
    held: int = 0
    kept: int = 0
    tiles: Callable[["StreamRun", Any], tuple[PageMark, ...]] = lambda _run, _pattern: ()

    def hold_marks(self, marks: int) -> None:
        """Add to the number of marks held for a page and its open forms. Raise PdfTooLarge if there are too many."""
        self.held += marks
        if self.held > _MOST_HELD:
            raise PdfTooLarge(f"more than {_MOST_HELD} things drawn")

    def keep_form(self, key: Any, shown: "ShownForm") -> None:
        """Store the marks of a form for its next use, unless too many marks are stored already."""
        if self.kept + len(shown.marks) <= _MOST_KEPT:
            self.forms[key] = shown
            self.kept += len(shown.marks)
        else:
            self.held -= len(shown.marks)


@dataclass(frozen=True, slots=True)
class ShownForm:
    """What a form draws, in its own coordinates; errors in it; and names of content that leaves no mark."""

    marks: tuple[PageMark, ...]
    troubles: tuple[str, ...]
    asides: frozenset[str] = frozenset()


@dataclass(slots=True)
class StreamRun:
    """The interpreter of one content stream: current state and path, and the marks and errors collected so far."""

    supplies: FileFacts
    resources: Any
    state: GraphicsState
    open_forms: tuple[Any, ...] = ()
    saved: list[GraphicsState] = field(default_factory=list)
    marks: list[PageMark] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)
    asides: set[str] = field(default_factory=set)
    path: PageBox | None = None
    pen_at: tuple[float, float] = (0.0, 0.0)
    begun_at: tuple[float, float] = (0.0, 0.0)
    edges: list[PageBox] = field(default_factory=list)
    straight: bool = True
    lines: int = 0
    clip_next: bool = False
    text: Matrix = IDENTITY
    line: Matrix = IDENTITY
    tags: list[str] = field(default_factory=list)
    hidden_from: int | None = None

    def get_resource(self, kind: str, name: Any) -> Any:
        """Return the resource of this kind (such as `/Font`) and name. Raise KeyError if there is none."""
        category = self.resources.get(kind) if self.resources is not None else None
        if category is None:
            raise KeyError(f"{kind}{name}")
        return category[str(name)]

    @property
    def spaces(self) -> Any:
        """Return the colour spaces of the resources, or None."""
        return self.resources.get("/ColorSpace") if self.resources is not None else None

    @property
    def is_hidden(self) -> bool:
        """Return True while the stream draws on a layer that is switched off."""
        return self.hidden_from is not None

    def add(self, mark: PageMark) -> None:
        """Add a mark if it is visible. Raise PdfTooLarge above MOST_MARKS."""
        if self.is_hidden:
            self.asides.add(SWITCHED_OFF)
            return
        if len(self.marks) >= MOST_MARKS:
            raise PdfTooLarge(f"more than {MOST_MARKS} things drawn")
        self.supplies.hold_marks(1)
        self.marks.append(mark._replace(blended=self.state.blend) if self.state.blend else mark)


INVISIBLE = "invisible type"
SWITCHED_OFF = "content on a hidden layer"
TRANSFER = "a transfer curve"
"""Names of page content that preflight reports although it leaves no visible mark."""

Operator = Callable[[StreamRun, list[Any]], None]


def object_key(thing: Any) -> Any:
    """Return the (object number, generation) of a thing, or None if it stands inside another object."""
    return thing.objgen if thing.objgen != (0, 0) else None


_MOST_PIXELS = 60_000_000
_STRAY = 0.0005  # part of all pixels: fewer pixels with more ink are noise


def read_image_facts(image: Any, spaces: Any) -> tuple[PagePicture, ColourSpace]:
    """Return the facts of an image XObject and its space. Raise ValueError or similar if it is too broken to read."""
    pixels = (max(0, int(image.get("/Width", 0))), max(0, int(image.get("/Height", 0))))
    if bool(image.get("/ImageMask", False)):
        return PagePicture(pixels, 1, stencil=True), GRAY
    space = read_space(image.get("/ColorSpace", pikepdf.Name("/Unknown")), spaces)
    soft = "/SMask" in image or int(image.get("/SMaskInData", 0)) > 0
    most, spot = find_most_ink(image) if space.family == "cmyk" else (None, (0.0, 0.0))
    return PagePicture(pixels, int(image.get("/BitsPerComponent", 8)), soft=soft, ink=most, inkiest=spot), space


def find_most_ink(image: Any) -> tuple[float | None, tuple[float, float]]:
    """Return the largest ink sum (percent, None if unknown) and its place as fractions of width and height."""
    if int(image.get("/Width", 0)) * int(image.get("/Height", 0)) > _MOST_PIXELS:
        return None, (0.0, 0.0)
    try:
        picture = pikepdf.PdfImage(image).as_pil_image(apply_mask=False)  # a mask removes no ink
    except (pikepdf.PdfError, pikepdf.UnsupportedImageTypeError, ValueError, OSError, NotImplementedError, KeyError):
        return None, (0.0, 0.0)
    return _sum_inks(picture) if picture.mode == "CMYK" else (None, (0.0, 0.0))


def _sum_inks(picture: Image.Image) -> tuple[float, tuple[float, float]]:
    cyan, magenta, yellow, black = picture.split()
    # A quarter of the sum fits into a byte; at most half a unit is lost.
    quarter = ImageChops.add(ImageChops.add(cyan, magenta, 2), ImageChops.add(yellow, black, 2), 2)
    left = _STRAY * quarter.width * quarter.height
    counts = quarter.histogram()
    top = max((value for value in range(256) if counts[value]), default=0)
    while top and sum(counts[top:]) < min(left, 16):
        top -= 1
    box = quarter.point([255 if value >= top else 0 for value in range(256)]).getbbox() or (0, 0, 1, 1)
    return top * 4 / 2.55, (box[0] / quarter.width, box[1] / quarter.height)


_MOST_EDGES = 400
_UNIT: PageBox = (0.0, 0.0, 1.0, 1.0)


def _extend_path(run: StreamRun, *points: Any) -> None:
    """Extend the path to these points, given as x, y, x, y ... of user space."""
    values = [float_from_pdf(point) for point in points]
    xs, ys = values[0::2], values[1::2]
    box = run.path
    if box is None:
        run.path = (min(xs), min(ys), max(xs), max(ys))
    else:
        run.path = (min(box[0], *xs), min(box[1], *ys), max(box[2], *xs), max(box[3], *ys))
    run.pen_at = (xs[-1], ys[-1])


def _begin_path(run: StreamRun, operands: list[Any]) -> None:
    x, y = operands
    _extend_path(run, x, y)
    run.begun_at = run.pen_at


def _add_line(run: StreamRun, operands: list[Any]) -> None:
    x, y = operands
    start = run.pen_at
    _extend_path(run, x, y)
    _add_edge(run, start, run.pen_at)


def _add_edge(run: StreamRun, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Record a horizontal or vertical line, up to a limit: many lines are a pattern, where single ones don't matter."""
    run.lines += start != end
    if (start[0] == end[0]) != (start[1] == end[1]) and len(run.edges) < _MOST_EDGES:
        run.edges.append((min(start[0], end[0]), min(start[1], end[1]), max(start[0], end[0]), max(start[1], end[1])))


def _add_curve(run: StreamRun, operands: list[Any]) -> None:
    if len(operands) not in (4, 6):
        raise ValueError("a curve has two or three points")
    _extend_path(run, *operands)
    run.straight = False


def _add_rectangle(run: StreamRun, operands: list[Any]) -> None:
    x, y, width, height = (float_from_pdf(value) for value in operands)
    _extend_path(run, x, y, x + width, y + height)
    corners = ((x, y), (x + width, y), (x + width, y + height), (x, y + height), (x, y))
    for start, end in pairwise(corners):
        _add_edge(run, start, end)


def _close_path(run: StreamRun, _operands: list[Any]) -> None:
    _add_edge(run, run.pen_at, run.begun_at)
    run.pen_at = run.begun_at


def _make_painter(fill: bool, stroke: bool) -> Operator:
    def paint_path(run: StreamRun, _operands: list[Any]) -> None:
        if run.path is not None:
            if fill:
                solid = not run.state.ragged and _is_rectangle(run)
                paint_box(run, "fill", move_box(run.path, run.state.matrix), straight=run.straight, solid=solid)
            if stroke:
                _stroke_path(run, run.path)
        _end_path(run, _operands)

    return paint_path


def _end_path(run: StreamRun, _operands: list[Any]) -> None:
    if run.clip_next:
        state = run.state
        if run.path is not None and state.clip is not None:
            state.ragged = state.ragged or not _is_rectangle(run)
            state.clip = intersect_boxes(move_box(run.path, state.matrix), state.clip)
        run.clip_next = False
    run.path, run.straight, run.lines = None, True, 0
    run.edges.clear()


def _is_rectangle(run: StreamRun) -> bool:
    """Return True if the path fills its box: four lines along its sides, on a page that isn't slanted."""
    box = run.path
    return (
        box is not None
        and run.straight
        and run.lines == len(run.edges) == 4
        and is_upright(run.state.matrix)
        and all(edge[0] == edge[2] in (box[0], box[2]) or edge[1] == edge[3] in (box[1], box[3]) for edge in run.edges)
    )


def _mark_clip(run: StreamRun, _operands: list[Any]) -> None:
    run.clip_next = True


def paint_box(run: StreamRun, kind: MarkKind, box: PageBox, *, stroke: bool = False, **more: Any) -> None:
    """Add a mark for the part of a box that the clip shows: in the current paint, or what the current pattern draws.

    With `stroke` it is the paint or pattern of lines. `more` are fields of the mark.
    """
    state = run.state
    shown = intersect_boxes(box, state.clip) if state.clip is not None else None
    pattern = state.stroke_pattern if stroke else state.fill_pattern
    if shown is None:
        return
    if pattern is None:
        run.add(PageMark(kind, shown, state.stroke if stroke else state.fill, **_describe_paint(run, stroke), **more))
    elif pattern.get("/PatternType") == 2:
        run.add(PageMark("shading", shown, read_shading_colour(pattern["/Shading"], run.spaces), tag=find_tag(run)))
    else:
        for mark in run.supplies.tiles(run, pattern):
            run.add(mark._replace(box=shown, straight=False))


def _describe_paint(run: StreamRun, stroke: bool) -> dict[str, Any]:
    state = run.state
    alpha, over = (state.stroke_alpha, state.stroke_over) if stroke else (state.fill_alpha, state.fill_over)
    through = alpha < 1 or bool(state.blend) or state.soft_mask
    return {"see_through": through, "overprint": state.overprint_mode(over), "tag": find_tag(run)}


def _stroke_path(run: StreamRun, box: PageBox) -> None:
    state = run.state
    width = state.pen * measure_scale(state.matrix)
    left, top, right, bottom = move_box(box, state.matrix)
    half, clip = width / 2, state.clip or _UNIT
    edges = [intersect_boxes(move_box(edge, state.matrix), clip) for edge in run.edges]
    inside = tuple([edge for edge in edges if edge is not None])
    around = (left - half, top - half, right + half, bottom + half)
    paint_box(run, "stroke", around, stroke=True, size=width, edges=inside)


def _fill_shading(run: StreamRun, operands: list[Any]) -> None:
    found = run.get_resource("/Shading", operands[0])
    if run.state.clip is not None:
        paint = _describe_paint(run, stroke=False) | {"overprint": 0}
        run.add(PageMark("shading", run.state.clip, read_shading_colour(found, run.spaces), **paint))


def draw_image(run: StreamRun, image: Any) -> None:
    """Record the area and colours that an image XObject paints: the unit square of user space."""
    key = object_key(image)
    facts = run.supplies.pictures.get(key) if key else None
    if facts is None:
        facts = read_image_facts(image, run.spaces)
        if key:
            run.supplies.pictures[key] = facts
    _show_picture(run, *facts)


def _show_picture(run: StreamRun, picture: PagePicture, space: ColourSpace) -> None:
    state = run.state
    shown = intersect_boxes(move_box(_UNIT, state.matrix), state.clip) if state.clip is not None else None
    if shown is None:
        return
    colour, paint = state.fill if picture.stencil else StatedColour(space), _describe_paint(run, stroke=False)
    if not picture.stencil:
        paint["overprint"] = 0
    paint["see_through"] |= picture.soft
    solid = is_upright(state.matrix) and not (state.ragged or picture.stencil or picture.soft)
    run.add(
        PageMark("image", shown, colour, picture=picture, across=measure_scales(state.matrix), solid=solid, **paint)
    )


def draw_inline(run: StreamRun, inline: Any) -> None:
    """Draw an inline image: record the area and colours that it paints, as `draw_image` does."""
    entries = inline.obj
    pixels = (int(inline.width), int(inline.height))
    if bool(inline.image_mask):
        _show_picture(run, PagePicture(pixels, 1, stencil=True), GRAY)
        return
    named = entries.get("/ColorSpace", entries.get("/CS", pikepdf.Name("/Unknown")))
    _show_picture(run, PagePicture(pixels, int(inline.bits_per_component)), read_space(named, run.spaces))


def _make_device_setter(space: ColourSpace, stroke: bool) -> Operator:
    def set_device_space(run: StreamRun, operands: list[Any]) -> None:
        # A default space of the resources replaces the device's own.
        meant = space
        if run.spaces is not None:
            meant = read_space(pikepdf.Name(f"/Device{_LETTERS[space.family]}"), run.spaces)
        _set_paint(run, make_colour(meant, tuple(float_from_pdf(value) for value in operands)), None, stroke)

    return set_device_space


_LETTERS = {"gray": "Gray", "rgb": "RGB", "cmyk": "CMYK"}


def _set_paint(run: StreamRun, chosen: StatedColour, pattern: Any, stroke: bool) -> None:
    if stroke:
        run.state.stroke, run.state.stroke_pattern = chosen, pattern
    else:
        run.state.fill, run.state.fill_pattern = chosen, pattern


def _make_space_setter(stroke: bool) -> Operator:
    def set_space(run: StreamRun, operands: list[Any]) -> None:
        name = operands[0]
        space = read_space(name, run.spaces)
        if space.family == "unknown":
            raise KeyError(f"no colour space {name}")
        _set_paint(run, make_first_colour(space), None, stroke)

    return set_space


def _make_colour_setter(stroke: bool) -> Operator:
    def set_colour(run: StreamRun, operands: list[Any]) -> None:
        if operands and isinstance(operands[-1], pikepdf.Name):
            _set_paint(run, StatedColour(PATTERN), run.get_resource("/Pattern", operands[-1]), stroke)
            return
        space = (run.state.stroke if stroke else run.state.fill).chosen_space
        _set_paint(run, make_colour(space, tuple(float_from_pdf(value) for value in operands)), None, stroke)

    return set_colour


def find_tag(run: StreamRun) -> str:
    """Return the innermost open marked-content tag; `Artifact` or `Figure` if one of these is open; '' if none is."""
    for role in OVERRIDING:
        if role in run.tags:
            return role
    return run.tags[-1] if run.tags else ""


OVERRIDING = ("Artifact", "Figure")
"""Marked-content tags that count for everything inside them, even below other tags."""


PAINTING: dict[str, Operator] = {
    "m": _begin_path, "l": _add_line, "c": _add_curve, "v": _add_curve, "y": _add_curve, "re": _add_rectangle,
    "h": _close_path,
    "f": _make_painter(True, False), "F": _make_painter(True, False), "f*": _make_painter(True, False),
    "S": _make_painter(False, True), "s": _make_painter(False, True),
    "B": _make_painter(True, True), "B*": _make_painter(True, True), "b": _make_painter(True, True),
    "b*": _make_painter(True, True),
    "n": _end_path, "W": _mark_clip, "W*": _mark_clip, "sh": _fill_shading,
    "g": _make_device_setter(GRAY, False), "G": _make_device_setter(GRAY, True),
    "rg": _make_device_setter(RGB, False), "RG": _make_device_setter(RGB, True),
    "k": _make_device_setter(CMYK, False), "K": _make_device_setter(CMYK, True),
    "cs": _make_space_setter(False), "CS": _make_space_setter(True),
    "sc": _make_colour_setter(False), "scn": _make_colour_setter(False), "SC": _make_colour_setter(True),
    "SCN": _make_colour_setter(True),
}  # fmt: skip
"""The operators of paths, colours and shadings."""
