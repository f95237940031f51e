"""What leads a reader through a PDF: its outline, links from page to page, names of pages."""

from collections.abc import Sequence
from typing import Any

from generator.model.sheet import Bookmark, Document, Leap
from generator.units import PT_PER_MM
from generator.writers.pdf_file import PdfFile
from generator.writers.pdf_objects import add, number, number_of, numbers, said_string, text_string
from generator.writers.pdf_tags import Structure


def add_guidance(pdf: PdfFile, document: Document, sheets: Sequence[Any], structure: Structure | None = None) -> None:
    """Adds the document's outline, links and page labels; `sheets` are its pages as ReportLab holds them.

    Links become part of the `structure` of a tagged document.
    """
    pages = [number_of(pdf, sheet) for sheet in sheets]
    for at, (page, sheet) in enumerate(zip(document.pages, sheets, strict=True)):
        if page.links:
            links = [f"{_link(pdf, document, at, link, pages, structure)} 0 R" for link in page.links]
            sheet.Annots = f"[{' '.join(links)}]"
    if document.outline:
        _add_outline(pdf, document, pages)
    if any(page.label for page in document.pages):
        labels = "".join(f"{at}<</P{text_string(page.label)}>>" for at, page in enumerate(document.pages))
        pdf.Catalog.PageLabels = f"{add(pdf, f'<</Nums[{labels}]>>')} 0 R"


def _goal(document: Document, pages: Sequence[int], page: int, y: float) -> str:
    """A destination: the page with a line (mm from its top) at the window's upper edge, enlarged as it was."""
    top = document.pages[page].size.height - y
    return f"[{pages[page]} 0 R/XYZ null {number(top * PT_PER_MM)} null]"


def _link(
    pdf: PdfFile, document: Document, at: int, link: Leap, pages: Sequence[int], structure: Structure | None
) -> int:
    page = document.pages[at]
    box, height = link.box, page.size.height
    corners = (box.x, height - box.bottom, box.right, height - box.y)
    area = numbers([value * PT_PER_MM for value in corners])
    goal = _goal(document, pages, link.page, link.y)
    done = pdf.reserve()
    told = f"/Contents{said_string(link.words)}" if link.words else ""
    if structure is not None:
        told += f"/StructParent {structure.link(link.tags, at, done)}"
    body = f"<</Type/Annot/Subtype/Link/Rect[{area}]/Border[0 0 0]/F 4/Dest{goal}{told}>>"
    pdf.fill(done, body.encode("ascii"))
    return done


def _add_outline(pdf: PdfFile, document: Document, pages: Sequence[int]) -> None:
    """The tree of bookmarks; a level that is skipped counts as the next one."""
    root, marks = pdf.reserve(), document.outline
    numbers_of = [pdf.reserve() for _ in marks]
    parents = _parents(marks)
    for at, mark in enumerate(marks):
        siblings = [other for other, parent in enumerate(parents) if parent == parents[at]]
        place = siblings.index(at)
        parent = root if parents[at] < 0 else numbers_of[parents[at]]
        parts = [f"<</Title{text_string(mark.title)}/Parent {parent} 0 R"]
        if place:
            parts.append(f"/Prev {numbers_of[siblings[place - 1]]} 0 R")
        if place + 1 < len(siblings):
            parts.append(f"/Next {numbers_of[siblings[place + 1]]} 0 R")
        parts.append(_children(at, parents, numbers_of, "-"))
        parts.append(f"/Dest{_goal(document, pages, mark.page, mark.y)}>>")
        pdf.fill(numbers_of[at], "".join(parts).encode("ascii"))
    pdf.fill(root, f"<</Type/Outlines{_children(-1, parents, numbers_of, '')}>>".encode("ascii"))
    pdf.Catalog.Outlines = f"{root} 0 R"
    pdf.Catalog.PageMode = "/UseOutlines"


def _parents(marks: Sequence[Bookmark]) -> list[int]:
    """For each bookmark the one that it stands below, -1 for the root."""
    parents: list[int] = []
    for at, mark in enumerate(marks):
        parents.append(next((up for up in range(at - 1, -1, -1) if marks[up].level < mark.level), -1))
    return parents


def _children(at: int, parents: Sequence[int], numbers_of: Sequence[int], sign: str) -> str:
    """First, last and count of the bookmarks below one; closed (`-`) below the root."""
    children = [number for number, parent in zip(numbers_of, parents, strict=True) if parent == at]
    if not children:
        return ""
    return f"/First {children[0]} 0 R/Last {children[-1]} 0 R/Count {sign}{len(children)}"
