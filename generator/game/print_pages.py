"""Pages to print: pieces, placed faces, links, bookmarks, and the document that they make."""

from collections.abc import Callable
from typing import Literal, TypeAlias

from generator.base.dataclass import dataclass
from generator.base.display_list import Drawing, Item, Tags
from generator.base.geometry import IDENTITY, Matrix, Rect, Size
from generator.game.model import Design, FaceName, Shape

Backs = Literal["none", "separate", "long", "short", "fold"]
Turn = Literal[0, 90, 180, 270]

Lie = Literal["rows", "packed", "tiled"]
"""How pieces come to lie on paper: in the rows of a grid, cut along shared straight lines; packed with others of any
size, each cut along its own printed outline; or in rows where the paper is large enough, else in tiles on several
sheets."""


@dataclass(frozen=True, slots=True)
class Undrawn:
    """A face of which size and bleed (mm) are known, and which is drawn when its page is laid: each time anew."""

    width: float
    height: float
    bleed: float
    draw: Callable[[Design, FaceName], Drawing]
    design: Design
    name: FaceName

    def drawn(self) -> Drawing:
        """The face."""
        return self.draw(self.design, self.name)


Face: TypeAlias = Drawing | Undrawn


@dataclass(frozen=True, slots=True)
class Piece:
    """One printed piece: a copy of a design with its two faces, or the net that is folded into one.

    Safe zone and corner radius are in mm, for guides. `shape` tells a packer which pieces nest like honeycomb.
    """

    id: str
    front: Face
    back: Face | None = None
    safe: float = 3.0
    corner: float = 3.0
    lie: Lie = "rows"
    shape: Shape = "rectangle"


@dataclass(frozen=True, slots=True)
class Placement:
    """A face on a page: `trim` is where its cut edges come to lie, `turn` its rotation in degrees clockwise.

    Only what lies inside `clip` is printed: the trim plus as much bleed as its neighbours leave.
    """

    id: str
    drawing: Drawing
    trim: Rect
    clip: Rect
    turn: Turn = 0


@dataclass(frozen=True, slots=True)
class Leap:
    """An area of a page that leads to a page of the same document (from 0), to the height y mm from its top.

    In a tagged document it belongs to the element at the end of `tags`; `words` are what it shows.
    """

    box: Rect
    page: int
    y: float
    tags: Tags = ()
    words: str = ""


@dataclass(frozen=True, slots=True)
class Bookmark:
    """A line of a document's outline: level 1 is the highest; page (from 0) and y as of a leap."""

    title: str
    level: int
    page: int
    y: float


@dataclass(frozen=True, slots=True)
class Page:
    """One side of a sheet: placed faces below, marks and labels (`items`, page coordinates) above them.

    `label` is what the page is called where readers count pages; none, and they count. `trim` is where a shop cuts the
    page and `bleed` how far its picture reaches; without them all of the page is what is printed. `adjust` moves and
    stretches all that is on it, against what the printer does with its backs.
    """

    size: Size
    side: Literal["front", "back"]
    sheet: int
    placements: tuple[Placement, ...]
    items: tuple[Item, ...] = ()
    links: tuple[Leap, ...] = ()
    label: str = ""
    trim: Rect | None = None
    bleed: Rect | None = None
    adjust: Matrix = IDENTITY


@dataclass(frozen=True, slots=True)
class Document:
    """A PDF to be: pages with a title, a language and how a duplex printer should turn the paper.

    `tagged`: with the structure that its groups' tags name, for readers who can't see it: a placed face is a figure,
    all else an artifact.
    """

    title: str
    lang: str
    pages: tuple[Page, ...]
    author: str = ""
    subject: str = ""
    date: str = ""
    backs: Backs = "none"
    outline: tuple[Bookmark, ...] = ()
    tagged: bool = False
