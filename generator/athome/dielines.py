"""Where a printed sheet is cut and folded, as lines for a cutting machine: page coordinates in mm, y down."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, TypeAlias

from generator.dataclass import dataclass
from generator.model.drawing import Item, Shape, number, walk
from generator.model.game import Kind
from generator.model.geometry import Matrix, map_point
from generator.model.outline import rectangle, subpaths
from generator.model.sheet import Document, Page, Placement
from generator.sheets.cutting import back_outline, cut_line, straight
from generator.sheets.guides import rounded_box, to_page
from generator.sheets.registration import registration_marks
from generator.sheets.tiles import LAP
from generator.units import Rect, Size

Layer: TypeAlias = Literal["cut", "fold", "registration"]
LAYERS: tuple[Layer, ...] = ("cut", "fold", "registration")


@dataclass(frozen=True, slots=True)
class DieLines:
    """The lines of sheets that are cut alike: a canonical path for each outline, by layer; `sheets` are their numbers.

    Outlines of the layer `cut` and of `registration` are closed; folds are single lines.
    """

    size: Size
    side: Literal["front", "back"]
    sheets: tuple[int, ...]
    paths: Mapping[Layer, tuple[str, ...]]


def die_lines(document: Document, kinds: Mapping[str, Kind], *, registered: bool) -> tuple[DieLines, ...]:
    """The lines of every sheet that has something to cut, equal ones that follow each other together.

    Sheets are cut with their fronts up; backs on sheets of their own are cut as well. `kinds` says how round corners
    are, `registered` whether the sheets bear the marks of a cutting machine. Backs across a fold can't be cut by
    machine: ValueError.
    """
    if document.backs == "fold":
        raise ValueError("a sheet that is folded and glued before it is cut can't be laid into a machine")
    found: list[DieLines] = []
    for page in document.pages:
        if page.side == "back" and document.backs != "separate":
            continue
        paths = _paths(page, kinds, registered=registered, duplex=document.backs in ("long", "short"))
        if not paths["cut"]:
            continue
        last = found[-1] if found else None
        if last and last.side == page.side and last.sheets[-1] == page.sheet - 1 and last.paths == paths:
            found[-1] = DieLines(page.size, page.side, (*last.sheets, page.sheet), paths)
        else:
            found.append(DieLines(page.size, page.side, (page.sheet,), paths))
    return tuple(found)


def _paths(page: Page, kinds: Mapping[str, Kind], *, registered: bool, duplex: bool) -> dict[Layer, tuple[str, ...]]:
    cuts, folds = [], []
    for placement in page.placements:
        kind = kinds[placement.id.split("/", maxsplit=1)[0]]
        cuts.append(_cut_outline(placement, kind, duplex))
        folds += [_transform_path(path, to_page(placement)) for path in _folds(placement.drawing.items)]
    marks = registration_marks(page.size) if registered else ()
    return {"cut": tuple(cuts), "fold": tuple(folds), "registration": marks}


def _cut_outline(placement: Placement, kind: Kind, duplex: bool) -> str:
    """The outline of one piece on its page: its own cut line, its trim with round corners, that of a board's part."""
    if not placement.clip.holds(placement.trim):
        backed = duplex and any(design.back for design in kind.designs)
        return rectangle(_part(placement, LAP if backed else 0.0))
    own = cut_line(placement.drawing)
    if own:
        return _transform_path(own, to_page(placement))
    if kind.outline:  # a back without a line of its own lies where its front does; its outline is the mirror image
        return _transform_path(back_outline(kind.outline, kind.size.width), to_page(placement))
    corner = kind.corner if kind.form in ("card", "board") and straight(placement.drawing) else 0.0
    return rounded_box(placement.trim, corner)


def _part(placement: Placement, spare: float) -> Rect:
    """What is cut out of a board's part: up to the board's own edges, to joins, and to the ends of its strips."""
    trim, clip = placement.trim, placement.clip
    left = trim.x if clip.x <= trim.x else clip.x + LAP
    top = trim.y if clip.y <= trim.y else clip.y + LAP
    right = trim.right if clip.right >= trim.right else clip.right - spare
    bottom = trim.bottom if clip.bottom >= trim.bottom else clip.bottom - spare
    return Rect(left, top, right - left, bottom - top)


def _folds(items: tuple[Item, ...]) -> Iterator[str]:
    """Each fold of a net once, in the net's coordinates."""
    known: set[str] = set()
    for shape, matrix in walk(items):
        if isinstance(shape, Shape) and shape.role == "fold":
            for line in _single(_transform_path(shape.path, matrix)):
                if line not in known:
                    known.add(line)
                    yield line


def _single(path: str) -> Iterator[str]:
    for subpath in subpaths(path):
        for segment in subpath.segments:
            (x, y), (u, v) = segment[0], segment[-1]
            yield f"M {number(x)} {number(y)} L {number(u)} {number(v)}"


def _transform_path(path: str, matrix: Matrix) -> str:
    """A canonical path through a matrix."""
    parts: list[str] = []
    for subpath in subpaths(path):
        parts.append(_step("M", [map_point(matrix, subpath.start)]))
        for segment in subpath.segments:
            points = [map_point(matrix, point) for point in segment[1:]]
            parts.append(_step("L" if len(points) == 1 else "C", points))
        parts += ["Z"] if subpath.closed else []
    return " ".join(parts)


def _step(letter: str, points: Iterable[tuple[float, float]]) -> str:
    return " ".join([letter, *(number(value) for point in points for value in point)])
