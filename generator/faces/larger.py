"""Large print: pieces and pages of the same design, each the square root of two as large: A5 comes out as A4."""

from collections.abc import Callable
from dataclasses import replace

from generator.model.drawing import Drawing, Group, StampPlace, TextFrame, number
from generator.model.game import Kind
from generator.model.geometry import Matrix
from generator.model.sheet import Document, Page
from generator.units import Rect, Size

LARGER = 2**0.5
"""How much larger: each paper's next size is as much larger than it."""

_MATRIX: Matrix = (LARGER, 0.0, 0.0, LARGER, 0.0, 0.0)


def larger_kind(kind: Kind) -> Kind:
    """The kind in large print: its size, its margins, where it is cut."""
    return replace(
        kind,
        size=_size(kind.size),
        bleed=kind.bleed * LARGER,
        safe=kind.safe * LARGER,
        corner=kind.corner * LARGER,
        foot=kind.foot * LARGER,
        outline=_path(kind.outline),
    )


def enlarger() -> Callable[[Drawing], Drawing]:
    """Makes faces larger; the same face gives the same again."""
    known: dict[int, tuple[Drawing, Drawing]] = {}

    def enlarge(drawing: Drawing) -> Drawing:
        if id(drawing) not in known:
            known[id(drawing)] = drawing, _drawing(drawing)  # kept together: an id is only good while its object lives
        return known[id(drawing)][1]

    return enlarge


def larger_document(document: Document) -> Document:
    """A book's pages in large print, with their links and their outline; for documents of items alone."""
    pages = tuple(_page(page) for page in document.pages)
    outline = tuple(replace(mark, y=mark.y * LARGER) for mark in document.outline)
    return replace(document, pages=pages, outline=outline)


def _page(page: Page) -> Page:
    links = tuple(replace(link, box=_rect(link.box), y=link.y * LARGER) for link in page.links)
    return replace(page, size=_size(page.size), items=(Group(page.items, _MATRIX),), links=links)


def _drawing(drawing: Drawing) -> Drawing:
    return replace(
        drawing,
        width=drawing.width * LARGER,
        height=drawing.height * LARGER,
        bleed=drawing.bleed * LARGER,
        items=(Group(drawing.items, _MATRIX),),
        stamps=tuple(map(_stamp, drawing.stamps)),
        frames=tuple(map(_frame, drawing.frames)),
    )


def _stamp(stamp: StampPlace) -> StampPlace:
    return replace(stamp, x=stamp.x * LARGER, y=stamp.y * LARGER, size=stamp.size * LARGER)


def _frame(frame: TextFrame) -> TextFrame:
    return frame._replace(
        x=frame.x * LARGER,
        y=frame.y * LARGER,
        width=frame.width * LARGER,
        height=frame.height * LARGER,
        size=frame.size * LARGER,
    )


def _size(size: Size) -> Size:
    return Size(size.width * LARGER, size.height * LARGER)


def _rect(box: Rect) -> Rect:
    return Rect(box.x * LARGER, box.y * LARGER, box.width * LARGER, box.height * LARGER)


def _path(path: str) -> str:
    return " ".join(part if part.isalpha() else number(float(part) * LARGER) for part in path.split())
