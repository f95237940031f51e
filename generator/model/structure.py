"""What the things of a document are to a reader who can't see it: elements of its structure, and what tells nothing."""

from typing import Literal, TypeAlias

from generator.dataclass import dataclass
from generator.units import Rect

Kind: TypeAlias = Literal[
    "Document",
    "Sect",
    "Div",
    "H1",
    "H2",
    "H3",
    "P",
    "Caption",
    "Figure",
    "L",
    "LI",
    "Lbl",
    "LBody",
    "Table",
    "TR",
    "TH",
    "TD",
    "TOC",
    "TOCI",
    "Reference",
    "Index",
    "Span",
    "Link",
    "Ruby",
    "RB",
    "RT",
    "Layout",
    "Pagination",
    "Header",
    "Footer",
]
"""The standard types of PDF 1.7; the last four are kinds of artifacts: rules and grounds, what a page repeats."""

ARTIFACTS: frozenset[Kind] = frozenset(("Layout", "Pagination", "Header", "Footer"))


@dataclass(frozen=True, slots=True)
class Tag:
    """An element of a document's structure, as its contents name it.

    `number` tells it from its siblings and is its place among them; 0 is a new element each time, where it comes.
    `alt` says what it shows, `actual` what it reads as, `lang` is said where it isn't that of what is around it.
    `scope` is a header cell's, `listing` says what a list's marks are, `box` is where a figure lies on its page, mm.
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
    def tells(self) -> bool:
        """Whether it is more than an artifact."""
        return self.kind not in ARTIFACTS


Tags: TypeAlias = tuple[Tag, ...]
"""A way down the structure; on a group inside another it goes on from there."""

LAYOUT: Tags = (Tag("Layout"),)
REPEATED: Tags = (Tag("Pagination"),)
HEADER: Tags = (Tag("Header"),)
FOOTER: Tags = (Tag("Footer"),)
