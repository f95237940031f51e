"""The structure of a tagged PDF: its elements in reading order, and which marked content and links each one holds."""

from array import array
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
    """A marked sequence: the number of its page's object, and its own on that page."""

    page: int
    number: int


class _Annotation(NamedTuple):
    """A link's area: the numbers of its page and of its own object."""

    page: int
    object: int


class TagElement:
    """An element under way: its tag, its object's number, and what it holds in the order in which it came."""

    __slots__ = ("_known", "kids", "number", "tag")

    def __init__(self, tag: Tag, number: int):
        self.tag, self.number = tag, number
        self.kids: list[TagElement | int | _Content | _Annotation] = []  # of finished elements the numbers alone
        self._known: dict[tuple[Kind, int], TagElement] | None = None  # most have no children

    def child(self, tag: Tag, pdf: PdfFile) -> "TagElement":
        """The child of a kind and number, a new one where there is none yet."""
        if not tag.number:
            self.kids.append(child := TagElement(tag, pdf.reserve()))
            return child
        if self._known is None:
            self._known = {}
        found = self._known.get((tag.kind, tag.number))
        if found is None:
            found = self._known[tag.kind, tag.number] = TagElement(tag, pdf.reserve())
            self.kids.append(found)
        return found

    def in_order(self) -> "list[TagElement | int | _Content | _Annotation]":
        """What it holds, by number where all of it is numbered: a figure may be printed behind the text after it."""
        elements = [kid for kid in self.kids if isinstance(kid, TagElement) and kid.tag.number]
        if len(elements) < len(self.kids):
            return self.kids
        return [*sorted(elements, key=lambda element: element.tag.number)]


Here: TypeAlias = TagElement | Tag
"""What is drawn now: an element's content, or an artifact."""


class Marks:
    """Marks the content of one page; `here` is what the groups around it make of it."""

    def __init__(self, structure: "Structure", page: int):
        self.here: Here = LAYOUT[0]
        self.owners = array("Q")  # by marked sequence, the number of the element that has it
        self._structure, self._page = structure, page
        self._outer: list[tuple[Here, TagElement | None, TagElement | None]] = []

    def enter(self, tags: Tags) -> None:
        """What follows, until `leave`, is what these tags say; what no tags are around is an artifact."""
        around, parent, ends = self.here, None, None
        outermost = not self._outer
        if outermost or isinstance(around, TagElement):  # nothing inside an artifact tells anything
            above = around if isinstance(around, TagElement) else self._structure.document
            for tag in tags:
                if not tag.tells:
                    self.here = tag
                    break
                if not tag.number and ends is None:
                    parent, ends = above, self._structure.child(above, tag)
                    self.here = above = ends
                else:
                    self.here = above = self._structure.child(above, tag)
        self._outer.append((around, parent, ends))

    def leave(self) -> None:
        """The end of the last `enter`; an element that nothing more can come to is written."""
        self.here, parent, ended = self._outer.pop()
        if parent is not None and ended is not None:
            self._structure.end(parent, ended)

    def begin(self) -> str:
        """The operator that begins a marked sequence of what is here; it ends with EMC."""
        here = self.here
        if isinstance(here, Tag):
            return f"/Artifact<<{_ARTIFACTS[here.kind]}>>BDC"
        here.kids.append(_Content(self._page, len(self.owners)))
        self.owners.append(here.number)
        return f"/{here.tag.kind}<</MCID {len(self.owners) - 1}>>BDC"


class Structure:
    """The elements of one document, page after page; those without a number are written as soon as they end."""

    def __init__(self, pdf: PdfFile) -> None:
        self._pdf = pdf
        self._root = pdf.reserve()
        self.document = TagElement(Tag("Document"), pdf.reserve())
        self._pages: list[Marks] = []
        self._heights: dict[int, float] = {}
        self._links = array("Q")

    def page(self, number: int, height: float) -> Marks:
        """The marks of the next page: its object's number, and how many points it is high."""
        self._pages.append(Marks(self, number))
        self._heights[number] = height
        return self._pages[-1]

    def child(self, element: TagElement, tag: Tag) -> TagElement:
        """The child of an element that a tag names."""
        return element.child(tag, self._pdf)

    def end(self, parent: TagElement, element: TagElement) -> None:
        """Write the child that came to its parent last, and keep no more of it than its number."""
        self._write(element, parent.number)
        parent.kids[-1] = element.number

    def link(self, tags: Tags, page: int, annotation: int) -> int:
        """Gives an annotation to the element at the end of `tags`; its key in the parent tree.

        Page and annotation by their objects' numbers. All pages must have been begun.
        """
        element = self.document
        for tag in tags:
            element = self.child(element, tag)
        element.kids.append(_Annotation(page, annotation))
        self._links.append(element.number)
        return len(self._pages) + len(self._links) - 1

    def write(self) -> int:
        """Writes what is not written yet; the number of the structure's root."""
        pdf = self._pdf
        self._write(self.document, self._root)
        rows = [f"[{' '.join([f'{owner} 0 R' for owner in marks.owners])}]" for marks in self._pages]
        rows += [f"{element} 0 R" for element in self._links]
        tree = add(pdf, f"<</Nums[{' '.join([f'{key} {row}' for key, row in enumerate(rows)])}]>>")
        top = f"/K {self.document.number} 0 R/ParentTree {tree} 0 R/ParentTreeNextKey {len(rows)}"
        pdf.fill(self._root, f"<</Type/StructTreeRoot{top}>>")
        return self._root

    def _write(self, element: TagElement, above: int) -> None:
        """Writes an element that stands below the object `above`, and then all that it holds."""
        kids = element.in_order()
        own = next((kid.page for kid in kids if isinstance(kid, _Content)), 0)
        page = f"/Pg {own} 0 R" if own else ""
        content = f"/K[{' '.join([_held(kid, own) for kid in kids])}]" if kids else ""
        head = f"<</S/{element.tag.kind}/P {above} 0 R{page}"
        self._pdf.fill(element.number, f"{head}{self._said(element, own)}{content}>>")
        for kid in kids:
            if isinstance(kid, TagElement):
                self._write(kid, element.number)

    def _said(self, element: TagElement, page: int) -> str:
        """What an element's dictionary says besides its place and contents; `page` has the first of these."""
        tag = element.tag
        texts = {"Alt": tag.alt, "ActualText": tag.actual, "Lang": tag.lang}
        said = "".join(f"/{key}{said_string(text)}" for key, text in texts.items() if text)
        if tag.scope:
            said += f"/A<</O/Table/Scope/{tag.scope}>>"
        if tag.listing:
            said += f"/A<</O/List/ListNumbering/{tag.listing}>>"
        if tag.box is not None and page:
            box, height = tag.box, self._heights[page] / PT_PER_MM
            corners = (box.x, height - box.bottom, box.right, height - box.y)
            said += f"/A<</O/Layout/BBox[{numbers([value * PT_PER_MM for value in corners])}]>>"
        return said


def _held(kid: TagElement | int | _Content | _Annotation, own: int) -> str:
    """What an element holds as an entry of its dictionary, which has the page `own`."""
    if isinstance(kid, int):
        return f"{kid} 0 R"
    if isinstance(kid, TagElement):
        return f"{kid.number} 0 R"
    if isinstance(kid, _Annotation):
        page = "" if kid.page == own else f"/Pg {kid.page} 0 R"
        return f"<</Type/OBJR/Obj {kid.object} 0 R{page}>>"
    return str(kid.number) if kid.page == own else f"<</Type/MCR/Pg {kid.page} 0 R/MCID {kid.number}>>"
