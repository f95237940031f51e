"""The command `dielines`: where sheets are cut and folded, as SVG and DXF for cutting machines."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias
from xml.sax.saxutils import escape

import click

from generator.base.display_list import Item, Shape, format_mm, walk_leaves
from generator.base.geometry import Matrix, Point, Rect, Size, map_point
from generator.base.outlines import Segment, Subpath, flatten_path, rectangle_path, split_subpaths
from generator.commands.options import open_project, progress, say_done
from generator.commands.orders import GameOutput, Job, Order, carry_out
from generator.commands.print_sheets import PrintOrder, impose_sheets
from generator.commands.sheets import PRINTING, print_order_from_options
from generator.drawing.faces.face_marks import draw_rounded_box, to_page
from generator.game.model import Game, Kind
from generator.game.piece_outlines import format_step
from generator.game.presets import Cutter
from generator.game.print_pages import Document, Page, Placement
from generator.sheets.board_tiles import LAP
from generator.sheets.page_marks import find_cut_line, is_cut_straight, make_registration_paths, mirror_back_outline

Layer: TypeAlias = Literal["cut", "fold", "registration"]
LAYERS: tuple[Layer, ...] = ("cut", "fold", "registration")


@click.command()
@PRINTING
@click.option(
    "--format", "form", type=click.Choice(["svg", "dxf"]), default="svg", show_default=True, help="File format."
)
@click.pass_obj
def dielines(obj: Path | None, /, **options: Any) -> None:
    """Draw cut lines for a cutting machine.

    The lines match the sheets that `pnp sheets` builds with the same options.
    """
    if options["backs"] == "fold":
        what = "a cutting machine can't take folded sheets; choose other --backs"
        raise click.BadParameter(what, param_hint="--backs")
    if options["stock"]:
        raise click.BadParameter("perforated sheets need no cutting machine; leave it out", param_hint="--perforated")
    project = open_project(obj, options)
    order = print_order_from_options(options, project, DieOrder)
    say_done(carry_out(project, options["games"], order, progress()))


@dataclass(frozen=True, slots=True)
class DieLines:
    """The cut and fold lines of sheets with equal lines: SVG paths of each layer; `sheets` are the sheets' numbers.

    Outlines of the layers `cut` and `registration` are closed; folds are single lines.
    """

    size: Size
    side: Literal["front", "back"]
    sheets: tuple[int, ...]
    paths: Mapping[Layer, tuple[str, ...]]


def build_die_lines(
    document: Document, kinds: Mapping[str, Kind], cutter: Cutter | None = None
) -> tuple[DieLines, ...]:
    """Return the lines of every sheet with something to cut. Merge consecutive sheets with equal lines.

    Sheets are cut with their fronts up; backs on their own sheets are cut as well. `kinds` gives the radius of round
    corners, `cutter` the marks on the sheets. Raise ValueError for backs across a fold: a machine can't cut them.
    """
    if document.backs == "fold":
        raise ValueError("a cutting machine can't take folded sheets")
    found: list[DieLines] = []
    for page in document.pages:
        if page.side == "back" and document.backs != "separate":
            continue
        paths = _collect_paths(page, kinds, cutter, duplex=document.backs in ("long", "short"))
        if not paths["cut"]:
            continue
        last = found[-1] if found else None
        if last and last.side == page.side and last.sheets[-1] == page.sheet - 1 and last.paths == paths:
            found[-1] = DieLines(page.size, page.side, (*last.sheets, page.sheet), paths)
        else:
            found.append(DieLines(page.size, page.side, (page.sheet,), paths))
    return tuple(found)


def _collect_paths(
    page: Page, kinds: Mapping[str, Kind], cutter: Cutter | None, *, duplex: bool
) -> dict[Layer, tuple[str, ...]]:
    cuts, folds = [], []
    for placement in page.placements:
        kind = kinds[placement.id.split("/", maxsplit=1)[0]]
        cuts.append(_cut_outline(placement, kind, duplex))
        folds += [_transform_path(path, to_page(placement)) for path in _iter_folds(placement.drawing.items)]
    marks = make_registration_paths(page.size, cutter) if cutter else ()
    return {"cut": tuple(cuts), "fold": tuple(folds), "registration": marks}


def _cut_outline(placement: Placement, kind: Kind, duplex: bool) -> str:
    """Return a piece's outline on its page as a path: its own cut line, its rounded trim, or a part of a board.

    At a part's joins, LAP mm of spare art are cut off: left and above, with backs (`duplex`) on all sides.
    """
    if not placement.clip.contains(placement.trim):
        backed = duplex and any(design.back for design in kind.designs)
        spare = LAP if backed else 0.0
        trim, clip = placement.trim, placement.clip
        left = trim.x if clip.x <= trim.x else clip.x + LAP
        top = trim.y if clip.y <= trim.y else clip.y + LAP
        right = trim.right if clip.right >= trim.right else clip.right - spare
        bottom = trim.bottom if clip.bottom >= trim.bottom else clip.bottom - spare
        return rectangle_path(Rect(left, top, right - left, bottom - top))
    own = find_cut_line(placement.drawing)
    if own:
        return _transform_path(own, to_page(placement))
    if kind.outline:  # a back without its own line is at its front's place, with the mirrored outline
        return _transform_path(mirror_back_outline(kind.outline, kind.size.width), to_page(placement))
    corner = kind.corner if kind.form in ("card", "board") and is_cut_straight(placement.drawing) else 0.0
    return draw_rounded_box(placement.trim, corner)


def _iter_folds(items: tuple[Item, ...]) -> Iterator[str]:
    """Yield each fold of a net once, in the net's coordinates."""
    known: set[str] = set()
    for shape, matrix in walk_leaves(items):
        if isinstance(shape, Shape) and shape.role == "fold":
            for subpath in split_subpaths(_transform_path(shape.path, matrix)):
                for (x, y), *_, (u, v) in subpath.segments:
                    line = f"M {format_mm(x)} {format_mm(y)} L {format_mm(u)} {format_mm(v)}"
                    if line not in known:
                        known.add(line)
                        yield line


def _transform_path(path: str, matrix: Matrix) -> str:
    parts: list[str] = []
    for subpath in split_subpaths(path):
        parts.append(format_step("M", map_point(matrix, subpath.start)))
        for segment in subpath.segments:
            points = [map_point(matrix, point) for point in segment[1:]]
            parts.append(format_step("L" if len(points) == 1 else "C", *points))
        parts += ["Z"] if subpath.closed else []
    return " ".join(parts)


_STROKES: dict[Layer, str] = {
    "cut": 'fill="none" stroke="#ff0000" stroke-width="0.1"',
    "fold": 'fill="none" stroke="#0000ff" stroke-width="0.1" stroke-dasharray="3 1.5"',
    "registration": 'fill="#000000" stroke="none"',
}
_ACI: dict[Layer, int] = {"cut": 1, "fold": 5, "registration": 7}
"""AutoCAD's colour numbers: red, blue, and black or white."""

_ROUND = 0.01
"""Largest distance between a curve and a circle for the curve to count as an arc (mm)."""

DxfPair = tuple[int, str]

_FINE = 0.01
"""Largest distance between any other curve and the lines that replace it (mm)."""


def die_lines_to_svg(lines: DieLines, title: str) -> bytes:
    """Return an SVG of the sheet's size, with a group for each layer that has lines."""
    width, height = format_mm(lines.size.width), format_mm(lines.size.height)
    parts = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm"',
        f'  viewBox="0 0 {width} {height}">',
        f"<title>{escape(title)}</title>",
    ]
    for layer in LAYERS:
        if lines.paths[layer]:
            parts.append(f'<g id="{layer}" {_STROKES[layer]}>')
            parts += [f'<path d="{path}"/>' for path in lines.paths[layer]]
            parts.append("</g>")
    return ("\n".join([*parts, "</svg>"]) + "\n").encode("utf-8")


def die_lines_to_dxf(lines: DieLines) -> bytes:
    """Return a DXF with layers CUT, FOLD and REGISTRATION: origin at the lower left corner, y up, units mm."""
    pairs: list[DxfPair] = [(0, "SECTION"), (2, "HEADER"), (9, "$ACADVER"), (1, "AC1009")]
    # R12 itself has no units; programs that write them nevertheless state millimetres here.
    pairs += [(9, "$INSUNITS"), (70, "4"), (9, "$EXTMIN"), (10, "0"), (20, "0"), (30, "0")]
    width, height = format_mm(lines.size.width), format_mm(lines.size.height)
    pairs += [(9, "$EXTMAX"), (10, width), (20, height), (30, "0"), (0, "ENDSEC")]
    pairs += [*_iter_tables(), (0, "SECTION"), (2, "ENTITIES")]
    for layer in LAYERS:
        for path in lines.paths[layer]:
            for subpath in split_subpaths(path):
                pairs += _iter_entity(subpath, layer, lines.size.height)
    pairs += [(0, "ENDSEC"), (0, "EOF")]
    return "".join(f"{code:3d}\n{value}\n" for code, value in pairs).encode("ascii")


def _iter_tables() -> Iterator[DxfPair]:
    yield from ((0, "SECTION"), (2, "TABLES"))
    yield from ((0, "TABLE"), (2, "LTYPE"), (70, "1"))
    yield from ((0, "LTYPE"), (2, "CONTINUOUS"), (70, "0"), (3, "Solid line"), (72, "65"), (73, "0"), (40, "0"))
    yield (0, "ENDTAB")
    yield from ((0, "TABLE"), (2, "LAYER"), (70, str(len(LAYERS))))
    for layer in LAYERS:
        yield from ((0, "LAYER"), (2, layer.upper()), (70, "0"), (62, str(_ACI[layer])), (6, "CONTINUOUS"))
    yield from ((0, "ENDTAB"), (0, "ENDSEC"))


def _iter_entity(subpath: Subpath, layer: Layer, height: float) -> Iterator[DxfPair]:
    """Yield a subpath as (code, value): a single line as LINE, else one POLYLINE; y becomes `height` - y."""
    name = layer.upper()
    corners = list(_iter_corners(subpath, height))
    if len(corners) == 2 and not subpath.closed and not corners[0].bulge:
        (x, y, _), (u, v, _) = corners
        yield from ((0, "LINE"), (8, name), (10, format_mm(x)), (20, format_mm(y)), (30, "0"))
        yield from ((11, format_mm(u)), (21, format_mm(v)), (31, "0"))
        return
    yield from ((0, "POLYLINE"), (8, name), (66, "1"), (10, "0"), (20, "0"), (30, "0"))
    yield (70, "1" if subpath.closed else "0")
    for x, y, bulge in corners:
        yield from ((0, "VERTEX"), (8, name), (10, format_mm(x)), (20, format_mm(y)), (30, "0"))
        if bulge:
            yield (42, f"{bulge:.8f}")
    yield from ((0, "SEQEND"), (8, name))


class _Corner(NamedTuple):
    """A vertex, y up. `bulge` is tan(angle / 4) of the arc that begins there, 0 for a line."""

    x: float
    y: float
    bulge: float


def _iter_corners(subpath: Subpath, height: float) -> Iterator[_Corner]:
    for segment in subpath.segments:
        if math.dist(segment[0], segment[-1]) < 1e-9:
            continue
        bulge = 0.0 if len(segment) == 2 else _find_bulge(segment)
        if bulge is not None:
            yield _Corner(segment[0][0], height - segment[0][1], bulge)
            continue
        words = [format_mm(value) for point in segment for value in point]
        for point in flatten_path(f"M {' '.join(words[:2])} C {' '.join(words[2:])}", _FINE)[0].points[:-1]:
            yield _Corner(point[0], height - point[1], 0.0)
    end = subpath.segments[-1][-1] if subpath.segments else subpath.start
    if not subpath.closed or math.dist(end, subpath.start) > 1e-9:
        yield _Corner(end[0], height - end[1], 0.0)


def _find_bulge(curve: Segment) -> float | None:
    """Return the bulge (y up) of the arc that a cubic approximates, or None if it is no arc of a circle."""
    (x0, y0), first, second, (x1, y1) = curve  # type: ignore[misc]
    middle = _point_at(curve, 0.5)
    chord = math.dist((x0, y0), (x1, y1))
    # The distance of the curve's middle to the left of the chord, as seen on paper with y down.
    rise = ((x1 - x0) * (middle[1] - y0) - (y1 - y0) * (middle[0] - x0)) / chord
    if abs(rise) < 1e-6:
        flat = all(abs((x1 - x0) * (y - y0) - (y1 - y0) * (x - x0)) / chord < _ROUND for x, y in (first, second))
        return 0.0 if flat else None
    radius = (chord * chord / 4 + rise * rise) / (2 * abs(rise))
    towards = (rise - math.copysign(radius, rise)) / chord
    centre = ((x0 + x1) / 2 - (y1 - y0) * towards, (y0 + y1) / 2 + (x1 - x0) * towards)
    if any(abs(math.dist(_point_at(curve, step / 8), centre) - radius) > _ROUND for step in range(9)):
        return None
    return rise / (chord / 2)


def _point_at(curve: Segment, t: float) -> Point:
    u = 1 - t
    weights = (u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t)
    x, y = (sum(weight * point[axis] for weight, point in zip(weights, curve, strict=True)) for axis in (0, 1))
    return x, y


@dataclass(frozen=True, slots=True)
class DieOrder(PrintOrder):
    """Writes the die lines of the sheets that `pnp sheets` prints with the same options."""

    form: Literal["svg", "dxf"] = "svg"

    def for_cache(self, _game: Game) -> Order | None:
        """Return None: die lines are not cached, as they have a folder of their own."""
        return None

    def make(self, job: Job) -> GameOutput:
        """Make the die lines of one game."""
        game = job.workshop.game
        printed = impose_sheets(job.workshop, self, job.progress)
        for edition, document in printed.items():
            digits = len(str(max(page.sheet for page in document.pages)))
            for lines in build_die_lines(document, game.kinds, self.sheets.registration):
                # `03`, `01-09` for a run of sheets, `03.back` for separate backs
                ends = dict.fromkeys((lines.sheets[0], lines.sheets[-1]))
                numbers = "-".join(f"{sheet:0{digits}d}" for sheet in ends)
                numbers += "" if lines.side == "front" else ".back"
                target = self.out / game.id / "dielines" / f"{self.file}.{edition}.{numbers}.{self.form}"
                title = f"{document.title} {numbers}"
                job.files.put(target, die_lines_to_svg(lines, title) if self.form == "svg" else die_lines_to_dxf(lines))
        return GameOutput(tuple(printed))
