"""Contents of pages and forms: turns items into PDF operators, with the graphics state that they need."""

from collections.abc import Mapping
from functools import lru_cache
from itertools import islice
from math import cos, radians, sin
from typing import Literal, NamedTuple, Protocol, TypeAlias

from generator.base.display_list import (
    Gradient,
    Group,
    Item,
    Paint,
    Picture,
    PlacedSymbol,
    Role,
    Shape,
    Symbol,
    TextRun,
)
from generator.base.geometry import IDENTITY, MM_PER_PT, Matrix, is_flat
from generator.drawing.pdf.font_subset import CidFont
from generator.drawing.pdf.objects import (
    Marks,
    TagContext,
    encode_matrix,
    encode_number,
    encode_numbers,
    encode_path,
    encode_text,
)

_SMALL_TYPE = 24.0  # points: black type up to this size overprints
_THIN_LINE = 1.0  # mm, in a symbol its own units: the same for lines
_CAPS = {"butt": 0, "round": 1, "square": 2}
_JOINS = {"miter": 0, "round": 1, "bevel": 2}
_MOST_THINGS = 2_000

Choice: TypeAlias = Literal["", "fill", "stroke", "overprint", "font", "spacing", "pen"]
"""Graphics settings that stay until they are changed; '' marks an operator that paints."""


class SizedFont(NamedTuple):
    """A font at a size: the font, the size in mm, and the PDF operator that selects both."""

    font: CidFont
    size: float
    operator: str


class Resource(NamedTuple):
    """A PDF object (font, image, form ...) with the name by which content refers to it."""

    name: str
    number: int


class Operators(NamedTuple):
    """PDF operators that select a paint for fills and for strokes, whether it may overprint, and its colour space."""

    fill: str
    stroke: str
    overprint: bool = False
    space: Resource | None = None


class GraphicsChange(NamedTuple):
    """The settings and painting operators for an item, in order, and the resources that they use."""

    steps: tuple[tuple[Choice, str], ...]
    resources: tuple[Resource, ...]


class TypeLook(NamedTuple):
    """How to show text of one font, size, paint and role: the font, the size in mm, and the settings needed."""

    font: CidFont
    size: float
    asked: GraphicsChange


class ContentResources(Protocol):
    """Writes the resources of a document, each only once, and returns them for use in contents."""

    @property
    def look_cache(self) -> "LookCache":
        """The cache of text looks and items."""

    def embed_type(self, key: str, size: float) -> SizedFont:
        """Return the document's font of this key in a size in points."""

    def find_operators(self, paint: Paint, role: Role) -> Operators:
        """Return the operators that select a paint for an item with this role."""

    def embed_overprint(self, fill: bool, stroke: bool) -> Resource | None:
        """Return the graphics state that makes fills and strokes overprint or not; None if inks never overprint."""

    def embed_symbol(self, symbol: Symbol, clip: bool) -> Resource:
        """Return a form XObject of a symbol, clipped to its box if `clip`."""

    def embed_picture(self, picture: Picture) -> Resource:
        """Return the image of a picture's asset."""

    def embed_gradient(self, gradient: Gradient, role: Role) -> Resource | Paint:
        """Return the shading of a gradient, or a paint if it has only one."""

    def embed_blending(self, group: Group) -> Resource:
        """Return the graphics state that blends a group, painted as one layer, with what is below it."""

    def embed_group(self, group: Group) -> Resource | None:
        """Return the form XObject of a group painted as one layer; None if it is empty or needs no form."""


class LookCache:
    """Caches the settings that items and text need, for all contents of a document.

    Most items of a face are the same objects on the next one, because the template draws them independently of the
    card. Their settings don't depend on what is drawn before, so they are computed once.
    """

    def __init__(self, stock: ContentResources) -> None:
        self._stock = stock
        self._looks: dict[tuple[str, float, Paint, Role], TypeLook] = {}
        self._things: dict[
            int, tuple[Shape | PlacedSymbol, GraphicsChange | None]
        ] = {}  # keep the item, so that its id stays valid

    def find_look(self, font: str, size: float, paint: Paint, role: Role) -> TypeLook:
        """Return how to show text with this font, size, paint and role."""
        look = self._looks.get((font, size, paint, role))
        if look is None:
            type_ = self._stock.embed_type(font, size)
            steps = GraphicsSteps(self._stock)
            over = steps.choose_paint("fill", paint, role) and size <= _SMALL_TYPE
            steps.choose_overprint(over, over)
            steps.add("font", type_.operator)
            look = self._looks[font, size, paint, role] = TypeLook(type_.font, type_.size, steps.get_change())
        return look

    def find_change(self, thing: Shape | PlacedSymbol) -> GraphicsChange | None:
        """Return the settings that a shape or placed symbol needs, or None if it shows nothing."""
        known = self._things.get(id(thing))
        if known is None:
            steps = GraphicsSteps(self._stock)
            if isinstance(thing, PlacedSymbol):
                if shown := not is_flat(thing.matrix):
                    steps.add_symbol(thing)
            elif shown := bool(thing.path):
                steps.add_shape(thing)
            known = thing, steps.get_change() if shown else None
            if len(self._things) >= _MOST_THINGS:
                self._things.clear()
            self._things[id(thing)] = known
        return known[1]


class GraphicsSteps:
    """Collects the settings and operators that an item needs."""

    def __init__(self, stock: ContentResources):
        self._stock = stock
        self._steps: list[tuple[Choice, str]] = []
        self._resources: list[Resource] = []

    def get_change(self) -> GraphicsChange:
        """Return all collected settings."""
        return GraphicsChange(tuple(self._steps), tuple(self._resources))

    def add(self, key: Choice, operator: str) -> None:
        """Add a step: the operator that sets what `key` names."""
        self._steps.append((key, operator))

    def choose_paint(self, key: Literal["fill", "stroke"], paint: Paint, role: Role) -> bool:
        """Add a paint for filling or stroking. Return True if it may overprint."""
        chosen = self._stock.find_operators(paint, role)
        if chosen.space is not None:
            self._resources.append(chosen.space)
        self.add(key, chosen.fill if key == "fill" else chosen.stroke)
        return chosen.overprint

    def choose_overprint(self, fill: bool, stroke: bool) -> None:
        """Set whether fills and strokes leave the plates below unchanged."""
        state = self._stock.embed_overprint(fill, stroke)
        if state is not None:
            self._resources.append(state)
            self.add("overprint", f"/{state.name} gs")

    def add_symbol(self, placed: PlacedSymbol) -> None:
        """Add a form placed by a matrix."""
        form = self._stock.embed_symbol(placed.symbol, placed.clip)
        self._resources.append(form)
        self.add("", f"q {encode_matrix(placed.matrix)} /{form.name} Do Q")

    def add_shape(self, shape: Shape) -> None:
        """Add an outline, filled and stroked."""
        fill, outline = shape.fill, encode_path(shape.path)
        stroke = shape.stroke if shape.width > 0 else None
        if isinstance(fill, Gradient):
            shading = self._stock.embed_gradient(fill, shape.role)
            if isinstance(shading, Resource):
                self._resources.append(shading)
                self.choose_overprint(False, False)
                move = "" if fill.matrix == IDENTITY else f"{encode_matrix(fill.matrix)} "
                self.add("", f"q {outline} W{'*' if shape.even_odd else ''} n {move}/{shading.name} sh Q")
                fill = None
            else:
                fill = shading
        if fill is not None:
            self.choose_paint("fill", fill, shape.role)
        over = False
        if stroke is not None:
            over = self.choose_paint("stroke", stroke, shape.role) and shape.width <= _THIN_LINE
            self.add("pen", _format_pen(shape.width, shape.cap, shape.join, shape.miter, shape.dash, shape.dash_from))
        if fill is not None:
            paint = ("f" if stroke is None else "B") + ("*" if shape.even_odd else "")
        elif stroke is not None:
            paint = "S"
        else:
            return
        self.choose_overprint(False, over)
        self.add("", f"{outline} {paint}")


@lru_cache(maxsize=1024)
def _format_pen(width: float, cap: str, join: str, miter: float, dash: tuple[float, ...], begin: float) -> str:
    limit = f" {encode_number(miter)} M" if join == "miter" else ""
    lengths = encode_numbers(dash) if any(dash) else ""  # without length, dashes and gaps make a solid line
    phase = encode_number(begin) if lengths else 0
    return f"{encode_number(width, 4)} w {_CAPS[cap]} J {_JOINS[join]} j{limit} [{lengths}]{phase} d"


_ASIDE, _APART = 0.6, 2.5  # em at most between the pens of neighbours in one column: across, and down beside their own


class Content:
    """The content of a form or page while items are drawn. With `marks`, everything painted is in marked sequences."""

    def __init__(self, stock: ContentResources, marks: Marks | None = None):
        self.resources: dict[str, Resource] = {}
        self._stock, self._known = stock, stock.look_cache
        self._out: list[str] = []
        self._in_text = False
        # Settings in force, by operator. Empty at first: a form starts in the state of its caller.
        self._state: dict[Choice, str] = {}
        self._applied: GraphicsChange | None = None  # the last change, which is in force
        self._saved: list[dict[Choice, str]] = []
        self._marks = marks
        self._marked: TagContext | None = None  # the context of the open sequence

    def join_operators(self) -> bytes:
        """Return all operators so far."""
        self._end_mark()
        self._end_text()
        return "\n".join(self._out).encode("ascii")

    def draw(self, items: tuple[Item, ...]) -> None:
        """Draw items in order, later ones on top."""
        done = 0
        for at, item in enumerate(items):
            if at < done:
                continue
            if self._marks is not None and not isinstance(item, Group):
                self._begin_mark(self._marks)
            if isinstance(item, TextRun):
                if (item.places and item.is_upright) or item.angle == 90:
                    done = self._draw_column(items, at)
                else:
                    self._draw_text(item)
            elif isinstance(item, (Shape, PlacedSymbol)):
                asked = self._known.find_change(item)
                if asked is not None:
                    self._end_text()
                    self._apply_change(asked)
            elif isinstance(item, Group):
                self._draw_group(item)
            else:
                x, y, width, height = item.x, item.y, item.width, item.height
                steps = GraphicsSteps(self._stock)
                steps.choose_overprint(False, False)
                self._apply_change(steps.get_change())
                self.draw_resource(self._stock.embed_picture(item), (width, 0.0, 0.0, -height, x, y + height))

    def draw_resource(self, resource: Resource, by: Matrix, clip: str = "") -> None:
        """Draw a form or image placed by a matrix, inside `clip` (path operators before the matrix applies)."""
        if self._marks is not None:
            self._begin_mark(self._marks)
        self._end_text()
        self.resources[resource.name] = resource
        cut = f"{clip} W n " if clip else ""
        self._out.append(f"q {cut}{encode_matrix(by)} /{resource.name} Do Q")

    def insert_content(self, operators: str, resources: Mapping[str, Resource], by: Matrix, clip: str) -> None:
        """Insert operators of another content, placed by a matrix and clipped, instead of using a form."""
        if self._marks is not None:
            self._begin_mark(self._marks)
        self._end_text()
        self.resources.update(resources)
        self._out.append(f"q {clip} W n {encode_matrix(by)}\n{operators}\nQ")

    def insert_mark(self, operators: str) -> None:
        """Add operators that mark or move what follows (BDC, EMC, cm)."""
        self._end_text()
        self._out.append(operators)

    def _begin_mark(self, marks: Marks) -> None:
        """Begin a marked sequence for the tags of the current groups, if the PDF is tagged."""
        if self._marked is not marks.here:
            self._end_mark()
            self.insert_mark(marks.begin_sequence())
            self._marked = marks.here

    def _end_mark(self) -> None:
        if self._marked is not None:
            self.insert_mark("EMC")
            self._marked = None

    def _apply_change(self, asked: GraphicsChange) -> None:
        state, out, self._applied = self._state, self._out, asked
        for resource in asked.resources:
            self.resources[resource.name] = resource
        for key, operator in asked.steps:
            if not key:
                out.append(operator)
            elif state.get(key) != operator:
                state[key] = operator
                out.append(operator)

    def _end_text(self) -> None:
        if self._in_text:
            self._out.append("ET")
            self._in_text = False

    def _draw_column(self, items: tuple[Item, ...], start: int) -> int:
        """Draw a column's runs from item `start` on, with their text for screen readers. Return the index after it."""
        runs = find_column(items, start)
        if not any(run.is_upright for run in runs):
            self._draw_text(runs[0])
            return start + 1
        if not self._in_text:
            self._out.append("BT")
            self._in_text = True
        self._out.append(f"/Span<</ActualText{encode_text(''.join([run.text for run in runs]))}>>BDC")
        for run in runs:
            self._draw_text(run)
        self._out.append("EMC")
        return start + len(runs)

    def _draw_text(self, run: TextRun) -> None:
        x, y, size, key, glyphs, clusters, advances, paint, angle, role, places = run
        if not glyphs:
            return
        font, height, asked = self._known.find_look(key, size, paint, role)
        if not self._in_text:
            self._out.append("BT")
            self._in_text = True
        if asked is not self._applied:
            self._apply_change(asked)
        if places:
            show = font.show_leftward if advances else font.show_apart
            self._out.append(show(glyphs, clusters, [(x + right, y + down) for right, down in places]))
            return
        spacing, shown = font.show_glyphs(glyphs, clusters, advances)
        operator = f"{encode_number(spacing * height / 1000, 5)} Tc" if spacing else "0 Tc"
        if self._state.get("spacing") != operator:
            self._state["spacing"] = operator
            self._out.append(operator)
        turn = "1 0 0 -1"
        if angle:
            along, across = cos(radians(angle)), sin(radians(angle))
            turn = encode_numbers((along, across, across, -along), 5)
        self._out.append(f"{turn} {encode_number(x)} {encode_number(y)} Tm {shown}")

    def _draw_group(self, group: Group) -> None:
        """Draw a group. Without structure, mark only pictures: their text need not be read."""
        marks = self._marks if group.tags else None
        pictured = self._marks is None and any(tag.kind == "Figure" for tag in group.tags)
        if marks is not None:
            marks.enter_tags(group.tags)
        elif pictured:
            self.insert_mark("/Figure BMC")
        if group.matrix == IDENTITY and not group.clip and not group.is_composited:
            self.draw(group.items)
        elif not is_flat(group.matrix):
            self._end_mark()  # a sequence ends on the level where it began
            self._end_text()
            self._out.append("q")
            self._saved.append(self._state.copy())
            if group.matrix != IDENTITY:
                self._out.append(encode_matrix(group.matrix))
            if group.clip:
                self._out.append(f"{encode_path(group.clip)} W{'*' if group.clip_even_odd else ''} n")
            if group.is_composited:
                self._draw_blended(group)
            else:
                self.draw(group.items)
            self._end_mark()
            self._end_text()
            self._out.append("Q")
            self._state, self._applied = self._saved.pop(), None
        if marks is not None:
            marks.leave_tags()
        elif pictured:
            self.insert_mark("EMC")

    def _draw_blended(self, group: Group) -> None:
        steps = GraphicsSteps(self._stock)  # settings of small black type before it must not apply to the group
        steps.choose_overprint(False, False)
        self._apply_change(steps.get_change())
        state, form = self._stock.embed_blending(group), self._stock.embed_group(group)
        self.resources[state.name] = state
        self._out.append(f"/{state.name} gs")
        if form is None:
            self.draw(group.items)
            return
        if self._marks is not None:
            self._begin_mark(self._marks)
        self.resources[form.name] = form
        self._out.append(f"/{form.name} Do")


def find_column(items: tuple[Item, ...], start: int) -> list[TextRun]:
    """Return the runs from item `start` on that form one column, each closely below the one before."""
    column: list[TextRun] = []
    for item in islice(items, start, None):
        if not isinstance(item, TextRun) or not (item.is_upright or item.angle == 90):
            break
        if column and not _is_next_run(column[-1], item):
            break
        column.append(item)
    return column


def _is_next_run(above: TextRun, below: TextRun) -> bool:
    """Return True if run `below` continues the column of `above`. Ruby is too far aside, other texts too far down."""
    x, y = above.places[-1] if above.places else (0.0, 0.0)
    em = max(above.size, below.size) * MM_PER_PT
    length = 1 if above.places else len(above.glyphs)
    return abs(below.x - above.x - x) <= _ASIDE * em and 0 < below.y - above.y - y <= (length + _APART) * em
