"""The structure of a tagged PDF: its elements in reading order, and which marked content and links each one holds."""

from collections.abc import Iterator, Sequence
from itertools import count
from typing import NamedTuple, TypeAlias

from generator.model.structure import LAYOUT, Kind, Tag, Tags
from generator.units import PT_PER_MM
from generator.writers.pdf_file import PdfFile
from generator.writers.pdf_objects import add, numbers, said_string

_ARTIFACTS: dict[Kind, str] = {
    "Layout": "/Type/Layout",
    "Pagination": "/Type/Pagination",
    "Header": "/Type/Pagination/Subtype/Header",
    "Footer": "/Type/Pagination/Subtype/Footer",
}


class _Content(NamedTuple):
    """A marked sequence: its page (from 0) and its number on it."""

    page: int
    number: int


class _Annotation(NamedTuple):
    """A link's area: its page (from 0) and the number of its object."""

    page: int
    object: int


class TagElement:
    """An element under way: its tag, and what it holds in the order in which it came."""

    __slots__ = ("_known", "kids", "number", "tag")

    def __init__(self, tag: Tag):
        self.tag = tag
        self.number = 0  # of its object, once it has one
        self.kids: list[TagElement | _Content | _Annotation] = []
        self._known: dict[tuple[Kind, int], TagElement] | None = None  # most have no children

    def child(self, tag: Tag) -> "TagElement":
        """The child of a kind and number, a new one where there is none yet."""
        if not tag.number:
            self.kids.append(child := TagElement(tag))
            return child
        if self._known is None:
            self._known = {}
        found = self._known.get((tag.kind, tag.number))
        if found is None:
            found = self._known[tag.kind, tag.number] = TagElement(tag)
            self.kids.append(found)
        return found

    def in_order(self) -> "list[TagElement | _Content | _Annotation]":
        """What it holds, by number where all of it is numbered: a figure may be printed behind the text after it."""
        elements = [kid for kid in self.kids if isinstance(kid, TagElement) and kid.tag.number]
        if len(elements) < len(self.kids):
            return self.kids
        return [*sorted(elements, key=lambda element: element.tag.number)]


Here: TypeAlias = TagElement | Tag
"""What is drawn now: an element's content, or an artifact."""


class Marks:
    """Marks the content of one page; `here` is what the groups around it make of it."""

    def __init__(self, document: TagElement, page: int):
        self.here: Here = LAYOUT[0]
        self.owners: list[TagElement] = []
        self._document, self._page = document, page
        self._outer: list[Here] = []

    def enter(self, tags: Tags) -> None:
        """What follows, until `leave`, is what these tags say; what no tags are around is an artifact."""
        outermost = not self._outer
        self._outer.append(self.here)
        if isinstance(self.here, Tag) and not outermost:
            return  # nothing inside an artifact tells anything
        above = self.here if isinstance(self.here, TagElement) else self._document
        for tag in tags:
            if not tag.tells:
                self.here = tag
                return
            self.here = above = above.child(tag)

    def leave(self) -> None:
        """The end of the last `enter`."""
        self.here = self._outer.pop()

    def begin(self) -> str:
        """The operator that begins a marked sequence of what is here; it ends with EMC."""
        here = self.here
        if isinstance(here, Tag):
            return f"/Artifact<<{_ARTIFACTS[here.kind]}>>BDC"
        here.kids.append(_Content(self._page, len(self.owners)))
        self.owners.append(here)
        return f"/{here.tag.kind}<</MCID {len(self.owners) - 1}>>BDC"


class Structure:
    """The elements of one document, page after page."""

    def __init__(self) -> None:
        self._document = TagElement(Tag("Document"))
        self._pages: list[Marks] = []
        self._heights: list[float] = []
        self._links: list[TagElement] = []

    def page(self, height: float) -> Marks:
        """The marks of the next page, so many points high."""
        self._pages.append(Marks(self._document, len(self._pages)))
        self._heights.append(height)
        return self._pages[-1]

    def link(self, tags: Tags, page: int, annotation: int) -> int:
        """Gives an annotation (its object's number) to the element at the end of `tags`; its key in the parent tree.

        All pages must have been begun.
        """
        element = self._document
        for tag in tags:
            element = element.child(tag)
        element.kids.append(_Annotation(page, annotation))
        self._links.append(element)
        return len(self._pages) + len(self._links) - 1

    def write(self, pdf: PdfFile, pages: Sequence[int]) -> int:
        """Adds all elements to a document whose pages are these objects; the number of the structure's root."""
        root = pdf.reserve()
        for element in _down(self._document):
            element.number = pdf.reserve()
        self._fill(pdf, self._document, root, pages)
        rows = [f"[{' '.join(f'{owner.number} 0 R' for owner in marks.owners)}]" for marks in self._pages]
        rows += [f"{element.number} 0 R" for element in self._links]
        tree = add(pdf, f"<</Nums[{' '.join(f'{key} {row}' for key, row in zip(count(), rows, strict=False))}]>>")
        top = f"/K {self._document.number} 0 R/ParentTree {tree} 0 R/ParentTreeNextKey {len(rows)}"
        pdf.fill(root, f"<</Type/StructTreeRoot{top}>>".encode("ascii"))
        return root

    def _fill(self, pdf: PdfFile, element: TagElement, above: int, pages: Sequence[int]) -> None:
        """Writes an element that stands below the object `above`, and then all that it holds."""
        kids = element.in_order()
        own = next((kid.page for kid in kids if isinstance(kid, _Content)), -1)
        held = [f"{kid.number} 0 R" if isinstance(kid, TagElement) else _held(kid, own, pages) for kid in kids]
        page = f"/Pg {pages[own]} 0 R" if own >= 0 else ""
        content = f"/K[{' '.join(held)}]" if held else ""
        where = f"/P {above} 0 R{page}"
        pdf.fill(element.number, f"<</S/{element.tag.kind}{where}{self._said(element)}{content}>>".encode("ascii"))
        for kid in kids:
            if isinstance(kid, TagElement):
                self._fill(pdf, kid, element.number, pages)

    def _said(self, element: TagElement) -> str:
        """What an element's dictionary says besides its place and contents."""
        tag = element.tag
        texts = {"Alt": tag.alt, "ActualText": tag.actual, "Lang": tag.lang}
        said = "".join(f"/{key}{said_string(text)}" for key, text in texts.items() if text)
        if tag.scope:
            said += f"/A<</O/Table/Scope/{tag.scope}>>"
        if tag.listing:
            said += f"/A<</O/List/ListNumbering/{tag.listing}>>"
        page = next((kid.page for kid in element.kids if isinstance(kid, _Content)), -1)
        if tag.box is not None and page >= 0:
            box, height = tag.box, self._heights[page] / PT_PER_MM
            corners = (box.x, height - box.bottom, box.right, height - box.y)
            said += f"/A<</O/Layout/BBox[{numbers([value * PT_PER_MM for value in corners])}]>>"
        return said


def _down(element: TagElement) -> Iterator[TagElement]:
    """An element and all below it, in reading order."""
    yield element
    for kid in element.in_order():
        if isinstance(kid, TagElement):
            yield from _down(kid)


def _held(kid: _Content | _Annotation, own: int, pages: Sequence[int]) -> str:
    """Content or an annotation as an element's entry that has `own` for its page."""
    if isinstance(kid, _Annotation):
        page = "" if kid.page == own else f"/Pg {pages[kid.page]} 0 R"
        return f"<</Type/OBJR/Obj {kid.object} 0 R{page}>>"
    return str(kid.number) if kid.page == own else f"<</Type/MCR/Pg {pages[kid.page]} 0 R/MCID {kid.number}>>"
