"""The state of an art file's reader: elements by id, styles, notes, limits."""

import base64
import binascii
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, Protocol
from urllib.parse import unquote_to_bytes

from generator.base.display_list import Item, Paint, Role, Symbol
from generator.base.errors import InvalidInput, Place, Problem, ProblemsFound
from generator.base.geometry import IDENTITY, Matrix, Rect, make_translation, multiply
from generator.drawing.svg.style import Style, StyleBook, UnresolvedPaint, make_initial_style
from generator.drawing.svg.tree import DEEPEST_ART, MOST_ELEMENTS, ArtNotes, Element, read_art_tree, read_natural_size
from generator.drawing.svg.values import (
    MEET,
    AlphaColour,
    Aspect,
    Box,
    LengthBasis,
    Value,
    fit_box,
    list_numbers,
    parse_aspect,
    parse_length,
    parse_transform,
)
from generator.text.fonts import FontBook

if TYPE_CHECKING:
    from PIL import Image


_DEEPEST = 24
"""Maximum depth of <use>, masks, patterns and drawings inside each other."""

_REGION = ("-10%", "-10%", "120%", "120%")
"""Default region of a mask or filter: a tenth more than its box on each side."""


AS_A_PICTURE = "the result of a filter is drawn as a picture, not as lines"

HAIR = 1 / 1200
"""Half a pixel (600 dpi on a card) as a fraction of a drawing's longer side."""

_PIXELS = LengthBasis()


class ArtBitmap(NamedTuple):
    """A bitmap that a drawing shows: the sha256 of its bytes, where they are, and its size in pixels."""

    asset: str
    source: str
    width: int
    height: int


class DrawnArt(NamedTuple):
    """An icon or art file as a symbol (None if it has problems); `weight` counts its items.

    `size` is its width and height in mm where it is shown without any. `aspect` says how it is fitted into a box.
    `painted` is the box around everything it paints, including parts beyond its page.
    """

    symbol: Symbol | None
    problems: list[Problem]
    weight: int = 1
    size: tuple[float, float] = (0.0, 0.0)
    aspect: Aspect = MEET
    painted: Rect | None = None


class ArtResources(Protocol):
    """The project's resources that a drawing can use."""

    @property
    def fonts(self) -> FontBook:
        """Return the project's fonts."""

    def find_screen_colour(self, paint: Paint) -> tuple[float, float, float]:
        """Return the screen colour of a paint as red, green and blue, 0 to 1."""

    def find_picture(self, name: str) -> ArtBitmap:
        """Return a picture file next to the drawing. Raise InvalidInput if there is none."""

    def find_drawing(self, name: str) -> bytes:
        """Return a drawing next to this one. Raise InvalidInput if there is none."""

    def draw_symbol(self, href: str, paint: Paint) -> DrawnArt:
        """Return an icon or a drawing as a symbol; an empty paint means the icon's own. Raise InvalidInput."""

    def store_picture(self, data: bytes) -> ArtBitmap:
        """Store the bytes of a picture and return it. Raise InvalidInput if they are not a picture."""

    def render_items(self, items: tuple[Item, ...], box: Rect, scale: float) -> "Image.Image":
        """Render items (RGBA) on a transparent background, with `scale` pixels to a unit."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class NodeContext:
    """A position in the drawing: `matrix` converts user units to the items', `measure` is for relative lengths.

    `inside` are the elements that led here by reference. `context` are the fill and stroke of a marker's line.
    `depth` counts what is nested around: elements, clips, masks, effects and references.
    """

    matrix: Matrix
    style: Style
    measure: LengthBasis
    inside: tuple[Element, ...] = ()
    context: tuple[UnresolvedPaint, UnresolvedPaint] = (None, None)
    depth: int = 0

    def move_by(self, by: Matrix) -> "NodeContext":
        """Return the same context in the coordinates of an inner transform."""
        return self if by == IDENTITY else replace(self, matrix=multiply(self.matrix, by))


@dataclass(slots=True, eq=False, repr=False)
class ReaderState:
    """The state that the reader's parts share. `clipping`, `measuring`, `masking`: the purpose of the items drawn.

    Lines under `thinnest` (in the items' units) become areas. `fineness` says how many pixels to a unit a filter makes
    of a box; 0 leaves it to the filter. `side` is the longer side of the drawing in the items' units, `softened` how
    many pixels its filters have made. Lengths outside of any element refer to `basis`.
    """

    styles: StyleBook
    notes: ArtNotes
    around: ArtResources
    locate: Callable[[str], Place]
    role: Role
    lang: str
    current: Paint = "ink"
    unit: float = 1.0
    side: float = 1000.0
    thinnest: float = 0.0
    softened: int = 0
    ids: dict[str, Element] = field(default_factory=dict)
    drawn: int = 0
    clipping: int = 0
    measuring: int = 0
    masking: int = 0
    linear: bool = False
    fineness: Callable[[Rect], float] = lambda _box: 0.0
    basis: LengthBasis = _PIXELS

    def count_drawn(self, node: Element, number: int = 1) -> None:
        """Add to the number of elements drawn. Raise ProblemsFound if there are too many."""
        self.drawn += number
        if self.drawn > MOST_ELEMENTS * 2:
            what = f"the drawing is too large: with all that it repeats, more than {MOST_ELEMENTS * 2:,} elements"
            raise ProblemsFound([Problem(self.locate(node.at), what, "simplify it, or save it as a picture")])

    def go_deeper(self, spot: NodeContext, node: Element, by: int) -> NodeContext:
        """Return the context `by` levels deeper. Raise ProblemsFound beyond the maximum depth."""
        if spot.depth + by > DEEPEST_ART:
            what = f"the drawing is nested more than {DEEPEST_ART} deep, with its clips, masks, effects and references"
            raise ProblemsFound([Problem(self.locate(node.at), what, "ungroup some of it")])
        return replace(spot, depth=spot.depth + by)

    def enter_reference(self, spot: NodeContext, node: Element) -> NodeContext | None:
        """Return the context inside a referenced element; None, with a note, if it contains itself or is too deep."""
        if node in spot.inside:
            self.notes.add(node.at, f"<{node.tag}> contains itself: it is left out there")
            return None
        if len(spot.inside) >= _DEEPEST:
            self.notes.add(node.at, f"references nested more than {_DEEPEST} deep are ignored")
            return None
        return replace(self.go_deeper(spot, node, 3), inside=(*spot.inside, node))

    def derive_style(self, parent: Style, node: Element, measure: LengthBasis) -> Style:
        """Return an element's style inside `parent`; `measure` resolves lengths. Note and ignore invalid values."""
        return self.styles.derive_style(parent, node, measure, partial(self.notes.add_value, node.at))

    def resolve_current(self, style: Style) -> AlphaColour:
        """Return the colour that `currentColor` means."""
        return style.color or AlphaColour(self.current)

    def read_style(self, node: Element) -> Style:
        """Return the style of an element at its place in the file, whichever element refers to it."""
        lines = [node]
        while lines[-1].parent is not None:
            lines.append(lines[-1].parent)
        style = make_initial_style(self.current)
        for one in reversed(lines):
            style = self.derive_style(style, one, self.basis)
        return style

    def read_value(self, node: Element, name: str, read: Callable[[str], Value], default: Value) -> Value:
        """Return the value of an attribute, or the default. Add a note if it can't be read."""
        text = node.attributes.get(name)
        if text is None or not text.strip() or text.strip() == "auto":
            return default
        try:
            return read(text)
        except ValueError as mistake:
            self.notes.add_value(node.at, name, text, mistake)
            return default

    def read_box(self, node: Element, measure: LengthBasis, defaults: tuple[str, str, str, str]) -> Box:
        """Return x, y, width and height of an element in user units; `defaults` are the texts of missing ones."""

        def read_side(name: str, axis: str, default: str) -> float:
            read = partial(parse_length, basis=measure, axis=axis)
            return self.read_value(node, name, read, read(default))

        x, y, width, height = map(read_side, ("x", "y", "width", "height"), "xyxy", defaults)
        return x, y, width, height

    def read_region(self, node: Element, spot: NodeContext, box: Rect | None) -> Box:
        """Return x, y, width, height (user units) of a mask's or filter's area, given in parts of `box`, if any."""
        if box is None:
            return self.read_box(node, spot.measure, _REGION)
        x, y, width, height = self.read_box(node, spot.measure._replace(width=1.0, height=1.0), _REGION)
        return box.x + x * box.width, box.y + y * box.height, width * box.width, height * box.height

    def enter_viewport(self, node: Element, spot: NodeContext, box: Box) -> NodeContext | None:
        """Return the context inside an element that shows its viewBox in a box, or None if nothing is visible."""
        if box[2] <= 0 or box[3] <= 0:
            return None
        by, size = make_translation(box[0], box[1]), (box[2], box[3])
        view = list_numbers(node.attributes.get("viewBox", ""))
        if len(view) == 4:
            if view[2] <= 0 or view[3] <= 0:
                return None
            shown: Box = (view[0], view[1], view[2], view[3])
            how = self.read_value(node, "preserveAspectRatio", parse_aspect, MEET)
            by, size = fit_box(shown, box, how), (view[2], view[3])
        return replace(spot, measure=LengthBasis(spot.measure.em, *size)).move_by(by)

    def read_transform(self, node: Element, name: str, spot: NodeContext) -> Matrix:
        """Return the transform in the property or attribute `name`. An invalid one is noted and counts as none."""
        text = node.properties.get(name, node.attributes.get(name, ""))
        if not text.strip() or text.strip() == "none":
            return IDENTITY
        try:
            return parse_transform(text, spot.measure)
        except (InvalidInput, ValueError) as mistake:
            self.notes.add(node.at, f"{name}: {mistake}")
            return IDENTITY

    def paint_of_colour(self, colour: AlphaColour) -> Paint:
        """Return a colour as a paint: an equally light grey in masks, white in clips."""
        if self.clipping:
            return "#ffffff"
        if not self.masking:
            return colour.paint
        red, green, blue = self.around.find_screen_colour(colour.paint)
        if self.linear:
            red, green, blue = (
                part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in (red, green, blue)
            )
        level = round(255 * min(1.0, 0.2125 * red + 0.7154 * green + 0.0721 * blue))
        return f"#{level:02x}{level:02x}{level:02x}"


_MOST_BYTES = 40_000_000


class ShownImage(NamedTuple):
    """A picture, or the bytes of a drawing, with its width and height."""

    picture: ArtBitmap | None
    data: bytes
    width: float
    height: float


def find_image(desk: ReaderState, node: Element, name: str) -> ShownImage | None:
    """Return the picture of an <image>. Add a note and return None if it is not available."""
    try:
        if name.lower().startswith("data:"):
            return _read_data_address(desk, node, name)
        if "://" in name or name.startswith("//"):
            shown = name if len(name) <= 60 else f"{name[:57]}..."
            desk.notes.add(node.at, f"pnp does not download the picture {shown}; save it in the drawing or next to it")
            return None
        if name.lower().endswith((".svg", ".svgz")):
            return _read_nested(desk, node, desk.around.find_drawing(name))
        made = desk.around.find_picture(name)
    except InvalidInput as mistake:
        desk.notes.add(node.at, f"a picture is ignored: {mistake}")
        return None
    return ShownImage(made, b"", float(made.width), float(made.height))


def _read_data_address(desk: ReaderState, node: Element, address: str) -> ShownImage | None:
    head, _, body = address.partition(",")
    if len(body) > _MOST_BYTES:
        raise InvalidInput("it is too large")
    if head.lower().replace(" ", "").endswith(";base64"):
        try:
            data = base64.b64decode("".join(unquote_to_bytes(body).decode("ascii", "replace").split()) + "==")
        except (binascii.Error, ValueError) as error:
            raise InvalidInput("its data are damaged") from error
    else:
        data = unquote_to_bytes(body)
    if "svg" in head.lower():
        return _read_nested(desk, node, data)
    made = desk.around.store_picture(data)
    return ShownImage(made, b"", float(made.width), float(made.height))


def _read_nested(desk: ReaderState, node: Element, data: bytes) -> ShownImage | None:
    try:
        root = read_art_tree(data, lambda _: desk.locate(node.at))
    except ProblemsFound as found:
        raise InvalidInput(found.problems[0].what) from found
    width, height = read_natural_size(root)
    if width <= 0 or height <= 0:
        width = height = 100.0
    return ShownImage(None, data, width, height)
