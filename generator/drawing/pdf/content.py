"""Contents of pages and forms: the operators that draw items, and the graphics state they need."""

from collections.abc import Mapping
from functools import lru_cache
from itertools import islice
from math import cos, radians, sin
from typing import Literal, NamedTuple, Protocol, TypeAlias

from generator.base.display_list import Gradient, Group, Item, Paint, Picture, Placed, Role, Shape, Symbol, TextRun
from generator.base.geometry import IDENTITY, MM_PER_PT, Matrix
from generator.drawing.pdf.font_subset import CidFont
from generator.drawing.pdf.objects import Here, Marks, number, numbers, path, text_string, transform

_SMALL_TYPE = 24.0  # points: black type up to this size overprints
_THIN_LINE = 1.0  # mm, in a symbol its own units: the same for lines
_CAPS = {"butt": 0, "round": 1, "square": 2}
_JOINS = {"miter": 0, "round": 1, "bevel": 2}
_MOST_THINGS = 2_000

Choice: TypeAlias = Literal["", "fill", "stroke", "overprint", "font", "spacing", "pen"]
"""Settings that stay in force until they are changed; the empty string marks operators that paint."""


class Type(NamedTuple):
    """A font in a size: the font, the size in mm and the operator that selects both."""

    font: CidFont
    size: float
    operator: str


class Resource(NamedTuple):
    """An object that content refers to by a name in its resource dictionary."""

    name: str
    number: int


class Operators(NamedTuple):
    """Operators that select a paint for filling and stroking, whether it may overprint, and its own colour space."""

    fill: str
    stroke: str
    overprint: bool = False
    space: Resource | None = None


class Asked(NamedTuple):
    """Settings that an item needs, in order; entries without a setting are operators that paint."""

    steps: tuple[tuple[Choice, str], ...]
    resources: tuple[Resource, ...]


class TypeLook(NamedTuple):
    """How to show text of one look: the font, the size in mm, and the settings it needs."""

    font: CidFont
    size: float
    asked: Asked


class Supplies(Protocol):
    """Resources of a document, each written once, for its contents."""

    @property
    def known(self) -> "Known":
        """The cache of text looks and items."""

    def type(self, key: str, size: float) -> Type:
        """Return the document's font of this key in a size in points."""

    def operators(self, paint: Paint, role: Role) -> Operators:
        """Return the operators that select a paint for an item of this role."""

    def overprint(self, fill: bool, stroke: bool) -> Resource | None:
        """Return the state in which fills and strokes overprint or not, or None without plates."""

    def symbol(self, symbol: Symbol, clip: bool) -> Resource:
        """Return the form of a symbol, clipped to its box or not."""

    def picture(self, picture: Picture) -> Resource:
        """Return the image of a picture's asset."""

    def gradient(self, gradient: Gradient, role: Role) -> Resource | Paint:
        """Return the shading of a gradient, or a paint if it has only one."""

    def mixing(self, group: Group) -> Resource:
        """Return the graphics state that blends a group painted as one with what is below it."""

    def as_one(self, group: Group) -> Resource | None:
        """Return the form of such a group. Return None if it is empty, or holds one item that needs no form."""


class Known:
    """Cache of the settings that text looks and items need, for all contents of a document.

    Most items of a face are the same objects on the next one, because the template draws them independently of the
    card. Their settings don't depend on what is drawn before, so they are computed once.
    """

    def __init__(self, stock: Supplies) -> None:
        self._stock = stock
        self._looks: dict[tuple[str, float, Paint, Role], TypeLook] = {}
        self._things: dict[int, tuple[Shape | Placed, Asked | None]] = {}  # keep the item, so that its id stays valid

    def look(self, font: str, size: float, paint: Paint, role: Role) -> TypeLook:
        """Return how to show text of this look."""
        look = self._looks.get((font, size, paint, role))
        if look is None:
            type_ = self._stock.type(font, size)
            steps = Steps(self._stock)
            over = steps.choose("fill", paint, role) and size <= _SMALL_TYPE
            steps.overprint(over, over)
            steps.add("font", type_.operator)
            look = self._looks[font, size, paint, role] = TypeLook(type_.font, type_.size, steps.asked())
        return look

    def asked(self, thing: Shape | Placed) -> Asked | None:
        """Return the settings that a shape or placed symbol needs, or None if it shows nothing."""
        known = self._things.get(id(thing))
        if known is None:
            known = thing, self._worked_out(thing)
            if len(self._things) >= _MOST_THINGS:
                self._things.clear()
            self._things[id(thing)] = known
        return known[1]

    def _worked_out(self, thing: Shape | Placed) -> Asked | None:
        steps = Steps(self._stock)
        if isinstance(thing, Placed):
            if flat(thing.matrix):
                return None
            steps.symbol(thing)
        elif not thing.path:
            return None
        else:
            steps.shape(thing)
        return steps.asked()


class Steps:
    """A collector of the settings that an item needs."""

    def __init__(self, stock: Supplies):
        self._stock = stock
        self._steps: list[tuple[Choice, str]] = []
        self._resources: list[Resource] = []

    def asked(self) -> Asked:
        """Return all collected settings."""
        return Asked(tuple(self._steps), tuple(self._resources))

    def add(self, key: Choice, operator: str) -> None:
        """Add a setting."""
        self._steps.append((key, operator))

    def choose(self, key: Literal["fill", "stroke"], paint: Paint, role: Role) -> bool:
        """Add a paint for filling or stroking. Return True if it may overprint."""
        chosen = self._stock.operators(paint, role)
        if chosen.space is not None:
            self._resources.append(chosen.space)
        self.add(key, chosen.fill if key == "fill" else chosen.stroke)
        return chosen.overprint

    def overprint(self, fill: bool, stroke: bool) -> None:
        """Set whether fills and strokes leave the plates below unchanged."""
        state = self._stock.overprint(fill, stroke)
        if state is not None:
            self._resources.append(state)
            self.add("overprint", f"/{state.name} gs")

    def symbol(self, placed: Placed) -> None:
        """Add a form placed by a matrix."""
        form = self._stock.symbol(placed.symbol, placed.clip)
        self._resources.append(form)
        self.add("", f"q {transform(placed.matrix)} /{form.name} Do Q")

    def shape(self, shape: Shape) -> None:
        """Add an outline, filled and stroked."""
        fill, outline = shape.fill, path(shape.path)
        stroke = shape.stroke if shape.width > 0 else None
        if isinstance(fill, Gradient):
            shading = self._stock.gradient(fill, shape.role)
            if isinstance(shading, Resource):
                self._shade(outline, shape.even_odd, shading, fill.matrix)
                fill = None
            else:
                fill = shading
        if fill is not None:
            self.choose("fill", fill, shape.role)
        over = False
        if stroke is not None:
            over = self.choose("stroke", stroke, shape.role) and shape.width <= _THIN_LINE
            self.add("pen", _pen(shape.width, shape.cap, shape.join, shape.miter, shape.dash, shape.dash_from))
        if fill is not None:
            paint = ("f" if stroke is None else "B") + ("*" if shape.even_odd else "")
        elif stroke is not None:
            paint = "S"
        else:
            return
        self.overprint(False, over)
        self.add("", f"{outline} {paint}")

    def _shade(self, outline: str, even_odd: bool, shading: Resource, by: Matrix) -> None:
        self._resources.append(shading)
        self.overprint(False, False)
        move = "" if by == IDENTITY else f"{transform(by)} "
        self.add("", f"q {outline} W{'*' if even_odd else ''} n {move}/{shading.name} sh Q")


def flat(matrix: Matrix) -> bool:
    """Return True if the matrix flattens everything to a line or point.

    Such items are invisible, and readers reject them.
    """
    a, b, c, d, _, _ = matrix
    return a * d == b * c


@lru_cache(maxsize=1024)
def _pen(width: float, cap: str, join: str, miter: float, dash: tuple[float, ...], begin: float) -> str:
    limit = f" {number(miter)} M" if join == "miter" else ""
    lengths = numbers(dash) if any(dash) else ""  # without length, dashes and gaps make a solid line
    return f"{number(width, 4)} w {_CAPS[cap]} J {_JOINS[join]} j{limit} [{lengths}]{number(begin) if lengths else 0} d"


_ASIDE, _APART = 0.6, 2.5  # em at most between the pens of neighbours in one column: across, and down beside their own


class Content:
    """The drawn items of a form or page: operators and `resources`.

    With `marks`, everything painted is in marked sequences, as the tags of groups say.
    """

    def __init__(self, stock: Supplies, marks: Marks | None = None):
        self.resources: dict[str, Resource] = {}
        self._stock, self._known = stock, stock.known
        self._out: list[str] = []
        self._in_text = False
        # Settings in force, by operator. Empty at first: a form starts in the state of its caller.
        self._state: dict[Choice, str] = {}
        self._saved: list[dict[Choice, str]] = []
        self._marks = marks
        self._marked: Here | None = None  # the context of the open sequence

    def operators(self) -> bytes:
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
                if item.stands or item.angle == 90:
                    done = self._column(items, at)
                else:
                    self._text(item)
            elif isinstance(item, (Shape, Placed)):
                asked = self._known.asked(item)
                if asked is not None:
                    self._end_text()
                    self._follow(asked)
            elif isinstance(item, Group):
                self._group(item)
            else:
                self._picture(item)

    def place(self, resource: Resource, by: Matrix, clip: str = "") -> None:
        """Draw a form or image placed by a matrix, inside `clip` (path operators) in the outer coordinates."""
        if self._marks is not None:
            self._begin_mark(self._marks)
        self._end_text()
        self.resources[resource.name] = resource
        cut = f"{clip} W n " if clip else ""
        self._out.append(f"q {cut}{transform(by)} /{resource.name} Do Q")

    def insert(self, operators: str, resources: Mapping[str, Resource], by: Matrix, clip: str) -> None:
        """Draw the content of another one placed by a matrix, like a form of it."""
        if self._marks is not None:
            self._begin_mark(self._marks)
        self._end_text()
        self.resources.update(resources)
        self._out.append(f"q {clip} W n {transform(by)}\n{operators}\nQ")

    def mark(self, operators: str) -> None:
        """Add operators that mark or move what follows (BDC, EMC, cm)."""
        self._end_text()
        self._out.append(operators)

    def _begin_mark(self, marks: Marks) -> None:
        """In a tagged document, begin the marked sequence for the tags of the groups around."""
        if self._marked is not marks.here:
            self._end_mark()
            self.mark(marks.begin())
            self._marked = marks.here

    def _end_mark(self) -> None:
        if self._marked is not None:
            self.mark("EMC")
            self._marked = None

    def _set(self, key: Choice, operator: str) -> None:
        if self._state.get(key) != operator:
            self._state[key] = operator
            self._out.append(operator)

    def _follow(self, asked: Asked) -> None:
        """Select the settings that are not in force yet, then paint."""
        state, out = self._state, self._out
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

    def _column(self, items: tuple[Item, ...], at: int) -> int:
        """Draw the runs of a column from an item on. Return the index after it.

        Readers can't tell from their places that glyphs below each other are a line, so the text is spelled out.
        """
        runs = column_from(items, at)
        if not any(run.stands for run in runs):
            self._text(runs[0])
            return at + 1
        if not self._in_text:
            self._out.append("BT")
            self._in_text = True
        self._out.append(f"/Span<</ActualText{text_string(''.join([run.text for run in runs]))}>>BDC")
        for run in runs:
            self._text(run)
        self._out.append("EMC")
        return at + len(runs)

    def _text(self, run: TextRun) -> None:
        x, y, size, key, glyphs, clusters, advances, paint, angle, role, places = run
        if not glyphs:
            return
        font, height, asked = self._known.look(key, size, paint, role)
        if not self._in_text:
            self._out.append("BT")
            self._in_text = True
        self._follow(asked)
        if places:
            show = font.show_leftward if advances else font.show_apart
            self._out.append(show(glyphs, clusters, [(x + right, y + down) for right, down in places]))
            return
        spacing, shown = font.show(glyphs, clusters, advances)
        self._set("spacing", f"{number(spacing * height / 1000, 5)} Tc" if spacing else "0 Tc")
        turn = "1 0 0 -1"
        if angle:
            along, across = cos(radians(angle)), sin(radians(angle))
            turn = numbers((along, across, across, -along), 5)
        self._out.append(f"{turn} {number(x)} {number(y)} Tm {shown}")

    def _group(self, group: Group) -> None:
        if not group.tags:
            self._moved(group)
            return
        if self._marks is None:
            # Without structure, only pictures are marked: their text need not be read.
            pictured = any(tag.kind == "Figure" for tag in group.tags)
            if pictured:
                self.mark("/Figure BMC")
            self._moved(group)
            if pictured:
                self.mark("EMC")
            return
        self._marks.enter(group.tags)
        self._moved(group)
        self._marks.leave()

    def _moved(self, group: Group) -> None:
        if group.matrix == IDENTITY and not group.clip and not group.as_one:
            self.draw(group.items)
            return
        if flat(group.matrix):
            return
        self._end_mark()  # a sequence ends on the level where it began
        self._end_text()
        self._out.append("q")
        self._saved.append(self._state.copy())
        if group.matrix != IDENTITY:
            self._out.append(transform(group.matrix))
        if group.clip:
            self._out.append(f"{path(group.clip)} W{'*' if group.clip_even_odd else ''} n")
        if group.as_one:
            self._mixed(group)
        else:
            self.draw(group.items)
        self._end_mark()
        self._end_text()
        self._out.append("Q")
        self._state = self._saved.pop()

    def _mixed(self, group: Group) -> None:
        """Paint a group as one, in the graphics state saved for it."""
        steps = Steps(self._stock)  # settings of small black type before it must not apply to the group
        steps.overprint(False, False)
        self._follow(steps.asked())
        state, form = self._stock.mixing(group), self._stock.as_one(group)
        self.resources[state.name] = state
        self._out.append(f"/{state.name} gs")
        if form is None:
            self.draw(group.items)
            return
        if self._marks is not None:
            self._begin_mark(self._marks)
        self.resources[form.name] = form
        self._out.append(f"/{form.name} Do")

    def _picture(self, picture: Picture) -> None:
        x, y, width, height = picture.x, picture.y, picture.width, picture.height
        steps = Steps(self._stock)
        steps.overprint(False, False)
        self._follow(steps.asked())
        self.place(self._stock.picture(picture), (width, 0.0, 0.0, -height, x, y + height))


def column_from(items: tuple[Item, ...], at: int) -> list[TextRun]:
    """Return the runs from an item on that continue its column, each closely below the one before."""
    column: list[TextRun] = []
    for item in islice(items, at, None):
        if not isinstance(item, TextRun) or not (item.stands or item.angle == 90):
            break
        if column and not _continues(column[-1], item):
            break
        column.append(item)
    return column


def _continues(above: TextRun, below: TextRun) -> bool:
    """Return True if a run continues a column. Ruby is too far to the side, other texts are too far down."""
    x, y = above.places[-1] if above.places else (0.0, 0.0)
    em = max(above.size, below.size) * MM_PER_PT
    length = 1 if above.places else len(above.glyphs)
    return abs(below.x - above.x - x) <= _ASIDE * em and 0 < below.y - above.y - y <= (length + _APART) * em
