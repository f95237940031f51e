"""The display list: immutable items that a face consists of, and the structure tags that describe them."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import copysign
from operator import itemgetter
from typing import Literal, NamedTuple, TypeAlias, TypeVar

from generator.base.geometry import IDENTITY, Matrix, Rect, multiply

Kind: TypeAlias = Literal[
    "Document", "Sect", "Div", "H1", "H2", "H3", "P", "Caption", "Figure", "L", "LI", "Lbl", "LBody", "Table", "TR",
    "TH", "TD", "TOC", "TOCI", "Reference", "Index", "Span", "Link", "Ruby", "RB", "RT", "Layout", "Pagination",
    "Header", "Footer",
]  # fmt: skip
"""The standard types of PDF 1.7. The last four are artifacts: lines and backgrounds, and what each page repeats."""

ARTIFACTS: frozenset[Kind] = frozenset(("Layout", "Pagination", "Header", "Footer"))


@dataclass(frozen=True, slots=True)
class Tag:
    """An element of a tagged PDF's structure tree, as the contents refer to it.

    `number` distinguishes it from its siblings and is its position among them; with 0, each use is a new element in its
    place. `alt` describes what it shows, `actual` is the text it stands for, and `lang` is its language if that differs
    from its surroundings. `scope` belongs to a header cell, `listing` is a list's kind of marks, and `box` is the place
    of a figure on its page (mm).
    """

    kind: Kind
    number: int = 0
    alt: str = ""
    actual: str = ""
    lang: str = ""
    scope: Literal["", "Row", "Column"] = ""
    listing: Literal["", "Disc", "Decimal"] = ""
    box: Rect | None = None

    @property
    def is_content(self) -> bool:
        """Return True for content, False for an artifact, which screen readers skip."""
        return self.kind not in ARTIFACTS


Tags: TypeAlias = tuple[Tag, ...]
"""A path down the structure. The tags of a group inside another continue its path."""

LAYOUT: Tags = (Tag("Layout"),)
REPEATED: Tags = (Tag("Pagination"),)
HEADER: Tags = (Tag("Header"),)
FOOTER: Tags = (Tag("Footer"),)


# Lengths are mm with the origin at the trim corner and y down; font sizes are points. Paths are canonical strings of
# absolute `M x y`, `L x y`, `C x1 y1 x2 y2 x y` and `Z`, numbers to 0.001, so that equal outlines are equal strings.

Role: TypeAlias = Literal["ground", "art", "frame", "text", "icon", "cut", "fold", "glue", "mark", "guide", "stamp"]

_MOST_LINES, _MOST_NUMBERS = 2_000, 10_000

Paint: TypeAlias = str
"""A palette name (`bronze`, `ink`) or an sRGB literal `#rrggbb` in lower case. A writer resolves it."""


class Gradient(NamedTuple):
    """A smooth fill in the shape's own coordinates (mm).

    `line` is x1 y1 x2 y2 for a linear one and cx cy r fx fy for a radial one; `matrix` maps the gradient's space to the
    shape's. Stops are (offset 0..1, paint).
    """

    kind: Literal["linear", "radial"]
    line: tuple[float, ...]
    stops: tuple[tuple[float, Paint], ...]
    matrix: Matrix = IDENTITY


class Shape(NamedTuple):
    """A filled or stroked outline. `width` is the stroke's, in mm; `dash` is in mm, empty for a solid line.

    The line begins `dash_from` mm into its dashes.
    """

    path: str
    fill: Paint | Gradient | None = None
    stroke: Paint | None = None
    width: float = 0.0
    cap: Literal["butt", "round", "square"] = "butt"
    join: Literal["miter", "round", "bevel"] = "miter"
    miter: float = 4.0
    dash: tuple[float, ...] = ()
    even_odd: bool = False
    role: Role = "art"
    dash_from: float = 0.0


class TextRun(NamedTuple):
    """Glyphs of one font on one line.

    (x, y) is the start of the baseline in mm, `size` the font size in points, `angle` degrees clockwise. `font` is the
    font book's key. `glyphs` are glyph numbers. `clusters` are the characters of each glyph ("" for the second glyph of
    a cluster), so joined they are the text. `advances` are the pen's movement after each glyph in 1/1000 em; empty
    means natural advances. A run of upright glyphs in a column has `places` instead: the pen's position for each glyph,
    in mm from (x, y); its angle is 0. A run that reads from right to left has both `places` and `advances`: its glyphs
    are in the order of their characters.
    """

    x: float
    y: float
    size: float
    font: str
    glyphs: tuple[int, ...]
    clusters: tuple[str, ...]
    advances: tuple[float, ...] = ()
    paint: Paint = "ink"
    angle: float = 0.0
    role: Role = "text"
    places: tuple[tuple[float, float], ...] = ()

    @property
    def text(self) -> str:
        """The characters that the run shows."""
        return "".join(self.clusters)

    @property
    def is_upright(self) -> bool:
        """Return True if its glyphs are upright in a column, each at its own place."""
        return bool(self.places) and not self.advances


class Picture(NamedTuple):
    """A bitmap stretched over a box. `asset` is the sha256 of the file's bytes, `source` its path."""

    asset: str
    source: str
    x: float
    y: float
    width: float
    height: float
    role: Role = "art"


Blend: TypeAlias = Literal[
    "normal", "multiply", "screen", "overlay", "darken", "lighten", "color-dodge", "color-burn",
    "hard-light", "soft-light", "difference", "exclusion", "hue", "saturation", "color", "luminosity",
]  # fmt: skip
"""How the colours of a group are mixed with those below it, as in CSS and PDF."""


class Mask(NamedTuple):
    """The visible part of a group: as much as these items are light (greys on black), or opaque with `alpha`.

    They use the coordinates of the group's items and contain no type.
    """

    items: tuple["Item", ...]
    alpha: bool = False


class Group(NamedTuple):
    """Items that are transformed, clipped or named together; `tags` place them in a tagged PDF's structure.

    With an `opacity` (0 to 1), a `blend` or a `mask`, the items are painted onto an empty layer first, then onto what
    is below.
    """

    items: tuple["Item", ...]
    matrix: Matrix = IDENTITY
    clip: str = ""
    clip_even_odd: bool = False
    id: str = ""
    data: tuple[tuple[str, str], ...] = ()
    title: str = ""
    tags: Tags = ()
    opacity: float = 1.0
    blend: Blend = "normal"
    mask: Mask | None = None

    @property
    def is_composited(self) -> bool:
        """Return True if the items are blended into the page as one layer, not one by one."""
        return self.opacity < 1 or self.blend != "normal" or self.mask is not None


class Symbol(NamedTuple):
    """A drawing that is drawn once and placed often; `box` is x y width height in its own units.

    `name` lets checks recognise the icon: `icon:wheat`, `art/laurel.svg` or `#local-id`. `notes` report what is drawn
    differently from its file, or left out.
    """

    name: str
    items: tuple["Item", ...]
    box: tuple[float, float, float, float]
    notes: tuple[str, ...] = ()


class PlacedSymbol(NamedTuple):
    """A placed symbol; `matrix` maps the symbol's units to mm, and `clip` hides what is outside its box."""

    symbol: Symbol
    matrix: Matrix
    clip: bool = False
    role: Role = "icon"


class StampPlace(NamedTuple):
    """Where a template wants the stamp: `note`, draft and hash. (x, y) is on the baseline, `anchor` is as in SVG."""

    x: float
    y: float
    size: float = 4.0
    anchor: Literal["start", "middle", "end"] = "middle"
    paint: Paint = "ink"
    angle: float = 0.0
    note: str = ""


Item: TypeAlias = Shape | TextRun | Picture | Group | PlacedSymbol


class TextFrame(NamedTuple):
    """A text box as it was set: its place (mm, in face coordinates), type size and text. It is read `aloud` or not.

    `shrunk` is the type size as a share of the size that the template asks for.
    """

    x: float
    y: float
    width: float
    height: float
    size: float
    text_role: str
    text: str
    lines: tuple[str, ...]
    aloud: bool = True
    shrunk: float = 1.0


class ArtNote(NamedTuple):
    """A note on a file that a face shows: what is drawn differently, or left out."""

    said: str


class Drawing(NamedTuple):
    """One face. Art may extend `bleed` mm beyond the trim on every side; the rest is cut off.

    `frames` records how each text box was set (for checks, previews and tests), `stamps` the places of draft and hash;
    neither draws anything. `notes` are reported when the face is printed. A back that looks the same upside down needs
    its stamp twice, once each way up.
    """

    width: float
    height: float
    bleed: float
    items: tuple[Item, ...]
    lang: str = ""
    title: str = ""
    description: str = ""
    stamps: tuple[StampPlace, ...] = ()
    frames: tuple[TextFrame, ...] = ()
    notes: tuple[str, ...] = ()

    def to_drawing(self) -> "Drawing":
        """Return the drawing itself. Faces that are not drawn yet have this method, too, and then draw themselves."""
        return self


Around = TypeVar("Around")


def visit_items(
    items: Iterable[Item], around: Around, enter: Callable[[Group | PlacedSymbol, Around], Around | None]
) -> Iterator[tuple[Item, Around]]:
    """Yield every item in drawing order, groups and placed symbols before their inner items, with its surroundings.

    `around`, of any type, are those of `items`. `enter` makes those of inner items from the outer; None skips these.
    """
    for item in items:
        yield item, around
        if isinstance(item, (Group, PlacedSymbol)):
            inner = enter(item, around)
            if inner is not None:
                yield from visit_items(get_inner_items(item), inner, enter)


def get_inner_items(item: Group | PlacedSymbol) -> tuple[Item, ...]:
    """Return the items inside a group or a placed symbol."""
    return item.items if isinstance(item, Group) else item.symbol.items


def replace_inner_items(item: Group | PlacedSymbol, items: tuple[Item, ...]) -> Group | PlacedSymbol:
    """Return a copy of a group or a placed symbol with other inner items."""
    if isinstance(item, Group):
        return item._replace(items=items)
    return item._replace(symbol=item.symbol._replace(items=items))


def walk_leaves(items: tuple[Item, ...]) -> Iterator[tuple[Shape | TextRun | Picture, Matrix]]:
    """Yield every leaf in drawing order, with the matrix that maps its coordinates to the face's.

    Symbols are expanded.
    """
    for item, at in visit_items(items, IDENTITY, lambda holder, around: multiply(around, holder.matrix)):
        if not isinstance(item, (Group, PlacedSymbol)):
            yield item, at


def format_mm(value: float) -> str:
    """Return a coordinate in canonical form: at most three decimals, no trailing zeros, never `-0`."""
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


class _FormattedNumbers(dict[float, bytes]):
    """Cache of numbers formatted with `form` as bytes. Zeros are not cached, because -0.0 equals 0.0."""

    def __init__(self, form: bytes):
        super().__init__()
        self._form = form

    def __missing__(self, value: float) -> bytes:
        text = self._form % value
        if value:
            if len(self) >= _MOST_NUMBERS:
                self.clear()
            self[value] = text
        return text


def _look_up(numbers: _FormattedNumbers, values: Sequence[float]) -> Sequence[bytes]:
    if len(values) > 1:
        return itemgetter(*values)(numbers)  # type: ignore[no-any-return]  # a tuple of what they are
    return [numbers[value] for value in values]


class FaceHasher:
    """Hashes what a face shows: rounded coordinates, paints resolved by `resolve`, contents of picture files.

    Stamps, group names and descriptions don't count: they don't change the picture.

    Objects that many faces share (what their template draws independently of the card) are processed only once.
    """

    def __init__(self, resolve: Callable[[Paint], str]):
        self._resolve = resolve
        self._symbols: dict[int, tuple[Symbol, bytes]] = {}
        self._known: dict[int, tuple[Item, bytes]] = {}  # holds the item, so that its id is not reused
        self._heads: dict[tuple[float, float, float], bytes] = {}
        self._manners: dict[tuple[float, float, float, str, Paint, Role], tuple[bytes, bytes]] = {}
        self._thousandths, self._tenths, self._glyphs = (
            _FormattedNumbers(b"%.3f"),
            _FormattedNumbers(b"%.1f "),
            _FormattedNumbers(b"%d"),
        )

    def hash(self, drawing: Drawing) -> str:
        """Return the sha256 of a face, in hex."""
        size = drawing.width, drawing.height, drawing.bleed
        head = self._heads.get(size)
        if head is None:
            head = self._heads[size] = f"{' '.join(map(format_mm, size))}\n".encode()
        return hashlib.sha256(head + self._format_items(drawing.items)).hexdigest()

    def _format_items(self, items: tuple[Item, ...]) -> bytes:
        lines = []
        for item in items:
            if isinstance(item, TextRun):
                if item.role != "stamp":
                    lines.append(self._format_run(item))
                continue
            if isinstance(item, Group) and item.id and item == Group(item.items, id=item.id):
                lines.append(self._format_items(item.items))  # a group with only a name
                continue
            known = self._known.get(id(item))
            if known is None:
                if len(self._known) >= _MOST_LINES:
                    self._known.clear()
                known = self._known[id(item)] = item, self._format_item(item)
            lines.append(known[1])
        return b"\n".join(lines)

    def _format_run(self, run: TextRun) -> bytes:
        x, y, size, font, glyphs, clusters, advances, paint, angle, role, places = run
        key = (size, angle, copysign(1.0, angle), font, paint, role)
        manner = self._manners.get(key)
        if manner is None:
            type_ = f" {size:.3f} {angle:.2f} {font} ("
            manner = self._manners[key] = type_.encode(), f"{self._resolve(paint)} {role}".encode()
        thousandths, single = self._thousandths, b"," if len(glyphs) == 1 else b""
        shown = b", ".join(_look_up(self._glyphs, glyphs))
        if places:
            moves = b"".join([b"%.3f,%.3f " % place for place in places])
        else:
            moves = b"".join(_look_up(self._tenths, advances)) if advances else b""
        words = "".join(clusters).encode()
        parts = (thousandths[x], b" ", thousandths[y], manner[0], shown, single, b") ", words, b" ", moves, manner[1])
        return b"t " + b"".join(parts)

    def _format_item(self, item: Shape | PlacedSymbol | Group | Picture) -> bytes:
        if isinstance(item, Shape):
            fill, stroke = self._format_fill(item.fill), self._resolve(item.stroke) if item.stroke else ""
            line = f"{item.width:.3f} {item.cap} {item.join} {item.miter:.2f} {item.dash}" if stroke else ""
            if stroke and item.dash and item.dash_from:
                line += f" from {item.dash_from:.3f}"
            return f"s {item.path} {fill} {stroke} {line} {item.even_odd} {item.role}".encode()
        if isinstance(item, PlacedSymbol):
            known = self._symbols.get(id(item.symbol))
            if known is None:
                lines = f"{item.symbol.box}\n".encode() + self._format_items(item.symbol.items) + b"\nend"
                known = self._symbols[id(item.symbol)] = item.symbol, lines
            return f"u {_format_matrix(item.matrix)} {item.clip} {item.role} ".encode() + known[1]
        if isinstance(item, Group):
            head = f"g {_format_matrix(item.matrix)} {item.clip} {item.clip_even_odd}".encode()
            if item.is_composited:
                head += f" {item.opacity:.4f} {item.blend} ".encode()
                if (mask := item.mask) is not None:
                    head += f"{mask.alpha}\n".encode() + self._format_items(mask.items) + b"\nend"
            return head + b"\n" + self._format_items(item.items) + b"\nend"
        return (f"p {item.asset} {item.x:.3f} {item.y:.3f} {item.width:.3f} {item.height:.3f} {item.role}").encode()

    def _format_fill(self, fill: Paint | Gradient | None) -> str:
        if fill is None:
            return ""
        if isinstance(fill, Gradient):
            stops = [(round(offset, 4), self._resolve(paint)) for offset, paint in fill.stops]
            return f"{fill.kind} {[round(v, 3) for v in fill.line]} {stops} {_format_matrix(fill.matrix)}"
        return self._resolve(fill)


def _format_matrix(matrix: Matrix) -> str:
    return "%.5f %.5f %.5f %.5f %.5f %.5f" % matrix  # noqa: UP031 - a third of an f-string's time, at every symbol
