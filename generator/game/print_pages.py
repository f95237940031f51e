"""Pages to print: pieces, placed faces, links, bookmarks, and the document that contains them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from generator.base.display_list import Drawing, Item, Tags
from generator.base.geometry import IDENTITY, Matrix, Rect, Size
from generator.game.model import Design, FaceName, Shape

Backs = Literal["none", "separate", "long", "short", "fold"]
Turn = Literal[0, 90, 180, 270]

Lie = Literal["rows", "packed", "tiled"]
"""How pieces are laid out: in the rows of a grid, cut along shared straight lines; packed with others of any size, each
cut along its own printed outline; or in rows if the paper is large enough, else in tiles on several sheets."""


class LazyFace(NamedTuple):
    """A face of known size and bleed (mm) that is drawn when its page is laid out, each time again."""

    width: float
    height: float
    bleed: float
    draw: Callable[[Design, FaceName], Drawing]
    design: Design
    name: FaceName

    def to_drawing(self) -> Drawing:
        """Draw the face now, again at each call, and return it."""
        return self.draw(self.design, self.name)


Face: TypeAlias = Drawing | LazyFace


class Piece(NamedTuple):
    """One printed piece: a copy of a design with its two faces, or the net that is folded into one.

    Safe zone and corner radius are in mm, for guides. A packer uses `shape` to nest pieces like honeycomb.
    """

    id: str
    front: Face
    back: Face | None = None
    safe: float = 3.0
    corner: float = 3.0
    lie: Lie = "rows"
    shape: Shape = "rectangle"


class Placement(NamedTuple):
    """A face on a page: `trim` is the place of its cut edges, `turn` its rotation in degrees clockwise.

    Only the part inside `clip` is printed: the trim plus the bleed that its neighbours leave room for. `scale` is that
    of the drawing: less than 1 in a small picture of a sheet.
    """

    id: str
    drawing: Drawing
    trim: Rect
    clip: Rect
    turn: Turn = 0
    scale: float = 1.0

    def shrink(self, scale: float, box: Rect) -> "Placement":
        """Return the placement in a small picture of its page, whose corner is that of `box`."""
        trim, clip = (
            Rect(box.x + r.x * scale, box.y + r.y * scale, r.width * scale, r.height * scale)
            for r in (self.trim, self.clip)
        )
        return self._replace(trim=trim, clip=clip, scale=scale)


class PageLink(NamedTuple):
    """An area of a page that links to a page of the same document (from 0), at the height y mm from its top.

    In a tagged document it belongs to the element at the end of `tags`; `words` are its text.
    """

    box: Rect
    page: int
    y: float
    tags: Tags = ()
    words: str = ""


class Bookmark(NamedTuple):
    """An entry in a document's outline: level 1 is the highest; page (from 0) and y as in a link."""

    title: str
    level: int
    page: int
    y: float


class Page(NamedTuple):
    """One side of a sheet: placed faces below, marks and labels (`items`, page coordinates) above them.

    `label` is the page's name in PDF readers, which count pages without it. `trim` is the shop's cut and `bleed` the
    extent of the picture; by default the whole page is printed. `adjust` moves and stretches everything on the page, to
    compensate for the printer's shift of backs.
    """

    size: Size
    side: Literal["front", "back"]
    sheet: int
    placements: tuple[Placement, ...]
    items: tuple[Item, ...] = ()
    links: tuple[PageLink, ...] = ()
    label: str = ""
    trim: Rect | None = None
    bleed: Rect | None = None
    adjust: Matrix = IDENTITY


@dataclass(frozen=True, slots=True)
class Document:
    """A PDF to be written: pages with a title, a language and the side on which a duplex printer turns the paper.

    `tagged`: with the structure of its groups' tags, for screen readers. Then a placed face is a figure, and everything
    else an artifact.
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
