"""What the things on a face ask for in a PDF: choices of paint, pen and type, and the operators that then paint."""

from functools import lru_cache
from typing import Literal, NamedTuple, Protocol, TypeAlias

from generator.model.drawing import Gradient, Group, Paint, Picture, Placed, Role, Shape, Symbol
from generator.model.geometry import IDENTITY, Matrix
from generator.writers.cid_font import CidFont
from generator.writers.pdf_objects import number, numbers, path, transform

_SMALL_TYPE = 24.0  # points: black type up to this size overprints
_THIN_LINE = 1.0  # mm, in a symbol its own units: the same for lines
_CAPS = {"butt": 0, "round": 1, "square": 2}
_JOINS = {"miter": 0, "round": 1, "bevel": 2}
_MOST_THINGS = 2_000

Choice: TypeAlias = Literal["", "fill", "stroke", "overprint", "font", "spacing", "pen"]
"""What can be chosen, and stays so until something else is; nothing, where an operator paints."""


class Type(NamedTuple):
    """A font in a size: the font, the size in mm and the operator that chooses both."""

    font: CidFont
    size: float
    operator: str


class Resource(NamedTuple):
    """An object that content refers to by a name of its resource dictionary."""

    name: str
    number: int


class Operators(NamedTuple):
    """How a paint is chosen for filling and for stroking, whether it may overprint, and its own colour space."""

    fill: str
    stroke: str
    overprint: bool = False
    space: Resource | None = None


class Asked(NamedTuple):
    """What comes before and with a painting: what must be chosen for it, and where nothing is, operators that paint."""

    steps: tuple[tuple[Choice, str], ...]
    resources: tuple[Resource, ...]


class TypeLook(NamedTuple):
    """How text of one look is shown: the font, the size in mm, and what must be chosen for it."""

    font: CidFont
    size: float
    asked: Asked


class Supplies(Protocol):
    """What a document holds ready for its contents: each thing is written once."""

    @property
    def known(self) -> "Known":
        """What its contents have found out."""

    def type(self, key: str, size: float) -> Type:
        """The document's font of that key in a size in points."""

    def operators(self, paint: Paint, role: Role) -> Operators:
        """How a paint is chosen on a thing of that role."""

    def overprint(self, fill: bool, stroke: bool) -> Resource | None:
        """The state in which fills and strokes leave the plates below as they are, or not; None without plates."""

    def symbol(self, symbol: Symbol, clip: bool) -> Resource:
        """The form of a symbol, cut off at its box or not."""

    def picture(self, picture: Picture) -> Resource:
        """The image of a picture's asset."""

    def gradient(self, gradient: Gradient, role: Role) -> Resource | Paint:
        """The shading of a gradient, or a paint when it has only one."""

    def mixing(self, group: Group) -> Resource:
        """The state in which a group that is painted as one is mixed with what lies below it."""

    def as_one(self, group: Group) -> Resource | None:
        """The form of what such a group holds; None where it holds nothing, or one thing that needs no form."""


class Known:
    """What the contents of a document have found out, for those that come: what looks of text and things ask for.

    Most of what a face shows is the same object on the next one, as its template draws it without asking the card. What
    that asks for does not depend on what stands before it, so it is worked out once.
    """

    def __init__(self, stock: Supplies) -> None:
        self._stock = stock
        self._looks: dict[tuple[str, float, Paint, Role], TypeLook] = {}
        self._things: dict[int, tuple[Shape | Placed, Asked | None]] = {}  # the thing is kept, so that its id stays

    def look(self, font: str, size: float, paint: Paint, role: Role) -> TypeLook:
        """How text of a look is shown."""
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
        """What a shape or a placed symbol asks for; None where it shows nothing."""
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
    """Gathers what a thing asks for."""

    def __init__(self, stock: Supplies):
        self._stock = stock
        self._steps: list[tuple[Choice, str]] = []
        self._resources: list[Resource] = []

    def asked(self) -> Asked:
        """All of it."""
        return Asked(tuple(self._steps), tuple(self._resources))

    def add(self, key: Choice, operator: str) -> None:
        """Something to choose."""
        self._steps.append((key, operator))

    def choose(self, key: Literal["fill", "stroke"], paint: Paint, role: Role) -> bool:
        """A paint for filling or stroking; whether it may overprint."""
        chosen = self._stock.operators(paint, role)
        if chosen.space is not None:
            self._resources.append(chosen.space)
        self.add(key, chosen.fill if key == "fill" else chosen.stroke)
        return chosen.overprint

    def overprint(self, fill: bool, stroke: bool) -> None:
        """Whether fills and strokes leave the plates below as they are."""
        state = self._stock.overprint(fill, stroke)
        if state is not None:
            self._resources.append(state)
            self.add("overprint", f"/{state.name} gs")

    def symbol(self, placed: Placed) -> None:
        """A form through a matrix."""
        form = self._stock.symbol(placed.symbol, placed.clip)
        self._resources.append(form)
        self.add("", f"q {transform(placed.matrix)} /{form.name} Do Q")

    def shape(self, shape: Shape) -> None:
        """An outline, filled and stroked."""
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
    """Whether everything shrinks to a line or point: it doesn't show, and readers stumble over such a matrix."""
    a, b, c, d, _, _ = matrix
    return a * d == b * c


@lru_cache(maxsize=1024)
def _pen(width: float, cap: str, join: str, miter: float, dash: tuple[float, ...], begin: float) -> str:
    limit = f" {number(miter)} M" if join == "miter" else ""
    lengths = numbers(dash) if any(dash) else ""  # dashes and gaps of no length make a solid line
    return f"{number(width, 4)} w {_CAPS[cap]} J {_JOINS[join]} j{limit} [{lengths}]{number(begin) if lengths else 0} d"
