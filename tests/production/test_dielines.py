"""Die lines lie where the sheets are printed: against the placed faces, the printed marks and other programs' readers."""

import io
import math
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

import ezdxf
import ezdxf.path
import pytest
from conftest import ROOT, Pnp
from hypothesis import given
from hypothesis import strategies as st
from shipped_games import SWEPT, workshop
from tests_support import examples, quick

from generator.base.display_list import Item, Shape, walk_leaves
from generator.base.files import Resources
from generator.base.geometry import Rect, Size, map_point, paper_size
from generator.base.outlines import Loop, find_bounds, flatten_path, is_point_inside, measure_distance, split_subpaths
from generator.commands.print_sheets import PrintOrder, impose_sheets
from generator.drawing.faces.face_marks import draw_rounded_box, to_page
from generator.drawing.pdf.page_images import render_page
from generator.game.piece_outlines import make_ellipse_path, make_hexagon_path, measure_double_area
from generator.game.preset_files import find_preset
from generator.game.presets import Cutter
from generator.game.print_pages import Document, Page
from generator.production.dielines import LAYERS, DieLines, build_die_lines, die_lines_to_dxf, die_lines_to_svg
from generator.sheets.page_marks import find_cut_line, list_registration_boxes, make_registration_paths
from generator.sheets.settings import SheetSettings

SILHOUETTE = find_preset(Resources((ROOT,)), "silhouette", "cutter")
assert isinstance(SILHOUETTE, Cutter)


@cache
def sheets(name: str, registration: bool = False, backs: str = "long", paper: str = "A4") -> Document:
    marks = SILHOUETTE if registration else None
    order = PrintOrder(("en",), Path(), sheets=SheetSettings(paper_size(paper), paper, backs=backs, registration=marks))
    return impose_sheets(workshop(name), order, lambda _doing: None)["en"]


def lines_of(name: str, registration: bool = False, paper: str = "A4") -> dict[int, DieLines]:
    found = build_die_lines(
        sheets(name, registration, paper=paper), workshop(name).game.kinds, SILHOUETTE if registration else None
    )
    return {number: lines for lines in found for number in lines.sheets}


def fronts(document: Document) -> Iterator[Page]:
    return (page for page in document.pages if page.side == "front")


def segments(items: tuple[Item, ...]) -> Iterator[tuple[tuple[float, float], tuple[float, float]]]:
    """Every straight printed mark of a page, by its ends."""
    for leaf, matrix in walk_leaves(items):
        if isinstance(leaf, Shape) and leaf.role == "mark" and leaf.stroke:
            for subpath in split_subpaths(leaf.path):
                for segment in subpath.segments:
                    yield map_point(matrix, segment[0]), map_point(matrix, segment[-1])


@pytest.mark.parametrize("name", SWEPT)
def test_every_piece_is_cut_where_it_is_printed(name: str) -> None:
    """On each sheet there is one outline for each placed piece; it fills the piece's trim, or what a part shows of it."""
    lines = lines_of(name)
    for page in fronts(sheets(name)):
        cuts = lines[page.sheet].paths["cut"]
        assert len(cuts) == len(page.placements)
        for path, placement in zip(cuts, page.placements, strict=True):
            box = find_bounds(path)
            assert box is not None
            if placement.clip.contains(placement.trim):
                trim = placement.trim
                assert (box.x, box.y, box.right, box.bottom) == pytest.approx(
                    (trim.x, trim.y, trim.right, trim.bottom), abs=0.004
                ), placement.id
            else:
                assert placement.clip.contains(box) and placement.trim.grow(0.01).contains(box)


@pytest.mark.parametrize(
    ("name", "paper"),
    [
        *(pytest.param(*one.values, "A4", marks=one.marks) for one in SWEPT),
        ("fortuna", "A5"),
        pytest.param("xanadu", "A5", marks=pytest.mark.slow),
    ],
)
def test_straight_outlines_end_at_the_printed_cut_marks(name: str, paper: str) -> None:
    """Every side of every straight outline stands at a cut mark of its sheet; on A5, where boards come in parts, too."""
    lines = lines_of(name, paper=paper)
    seen = parts = 0
    for page in fronts(sheets(name, paper=paper)):
        if any(find_cut_line(placement.drawing) for placement in page.placements):
            continue
        marks = list(segments(page.items))
        xs = {round(a[0], 2) for a, b in marks if a[0] == b[0] and abs(a[1] - b[1]) > 1.4}
        ys = {round(a[1], 2) for a, b in marks if a[1] == b[1] and abs(a[0] - b[0]) > 1.4}
        for path, placement in zip(lines[page.sheet].paths["cut"], page.placements, strict=True):
            box = find_bounds(path)
            assert box is not None
            for at, known in ((box.x, xs), (box.right, xs), (box.y, ys), (box.bottom, ys)):
                assert any(abs(at - mark) < 0.02 for mark in known), (placement.id, at, sorted(known))
            seen += 1
            parts += not placement.clip.contains(placement.trim)
    assert seen > 10
    assert parts or paper == "A4"


@pytest.mark.parametrize("name", SWEPT)
def test_tokens_and_nets_are_cut_along_their_printed_lines(name: str) -> None:
    """A piece that bears its own cut line is cut along just that line, and folded along the printed folds."""
    lines = lines_of(name)
    for page in fronts(sheets(name)):
        folds = 0
        for path, placement in zip(lines[page.sheet].paths["cut"], page.placements, strict=True):
            printed = find_cut_line(placement.drawing)
            if printed:
                loops = flatten_path(path, 0.005)
                for point in flatten_path(printed, 0.005)[0].points:
                    x, y = map_point(to_page(placement), point)
                    assert measure_distance(loops, x, y) < 0.02, placement.id
            paths = {
                leaf.path
                for leaf, _ in walk_leaves(placement.drawing.items)
                if isinstance(leaf, Shape) and leaf.role == "fold"
            }
            folds += sum(len(subpath.segments) for fold in paths for subpath in split_subpaths(fold))
        assert len(lines[page.sheet].paths["fold"]) == folds


def test_cards_have_their_round_corners() -> None:
    """A card's outline leaves its trim's corner by what its kind's radius makes: (1 - 1/sqrt 2) times as far as a square."""
    lines = lines_of("fortuna")[1]
    page = next(iter(fronts(sheets("fortuna"))))
    trim, radius = page.placements[0].trim, workshop("fortuna").game.kinds["reel"].corner
    loops = flatten_path(lines.paths["cut"][0], 0.001)
    assert radius > 0
    assert measure_distance(loops, trim.x, trim.y) == pytest.approx(radius * (math.sqrt(2) - 1), abs=0.01)


@pytest.mark.parametrize("name", ["journey8", pytest.param("xanadu", marks=pytest.mark.slow)])
def test_equal_sheets_share_a_file(name: str) -> None:
    """Sheets that are cut alike and follow each other make one file; its numbers are theirs, none twice, none missing."""
    found = build_die_lines(sheets(name), workshop(name).game.kinds)
    numbers = [number for lines in found for number in lines.sheets]
    assert numbers == sorted(set(numbers)) == sorted({page.sheet for page in fronts(sheets(name))})
    assert any(len(lines.sheets) > 1 for lines in found) and len(found) > 3


def test_backs_of_their_own_paper_are_cut_too() -> None:
    """Separate backs have files of their own; a fold sheet, which is cut after gluing, is refused."""
    kinds = workshop("journey8").game.kinds
    sides = {lines.side for lines in build_die_lines(sheets("journey8", backs="separate"), kinds)}
    assert sides == {"front", "back"}
    assert {lines.side for lines in build_die_lines(sheets("journey8"), kinds)} == {"front"}
    with pytest.raises(ValueError, match="folded"):
        build_die_lines(sheets("journey8", backs="fold"), kinds)


@pytest.mark.slow
@pytest.mark.parametrize("name", SWEPT)
def test_registration_marks_have_their_places_to_themselves(name: str) -> None:
    """Around the three marks of each front nothing is printed, no piece, mark or letter; backs bear none."""
    document = sheets(name, registration=True)
    boxes = list_registration_boxes(document.pages[0].size, SILHOUETTE)
    stream = io.BytesIO()
    workshop(name).write_document(document, stream)
    marks = flatten_path(" ".join(make_registration_paths(document.pages[0].size, SILHOUETTE)))
    grid = [
        (box.x + box.width * n / 25, box.y + box.height * m / 25) for box in boxes for n in range(26) for m in range(26)
    ]
    points = [(x, y, is_point_inside(marks, x, y)) for x, y in grid if measure_distance(marks, x, y) >= 0.3]
    assert {marked for _, _, marked in points} == {True, False}
    for number, page in enumerate(document.pages):
        assert page.size == document.pages[0].size
        if page.side == "front":
            image = render_page(stream.getvalue(), number, 100).convert("L")
            for x, y, marked in points:
                dark = image.getpixel((int(x / 25.4 * 100), int(y / 25.4 * 100))) < 128  # type: ignore[operator]
                assert dark == marked, (name, number, x, y)
        printed = any(_marks(page.items, path) for path in make_registration_paths(page.size, SILHOUETTE))
        assert printed == (page.side == "front")


def _marks(items: tuple[Item, ...], path: str) -> bool:
    return any(isinstance(item, Shape) and item.role == "mark" and path in item.path for item in items)


def test_marks_cost_one_card_and_are_not_there_unasked() -> None:
    """Of nine cards on A4 eight are left beside the marks; without the option no sheet bears or makes room for any."""
    plain, marked = (next(iter(fronts(sheets("fortuna", registration)))) for registration in (False, True))
    assert (len(plain.placements), len(marked.placements)) == (9, 8)
    assert not any(_marks(plain.items, path) for path in make_registration_paths(plain.size, SILHOUETTE))
    assert lines_of("fortuna", registration=True)[1].paths["registration"] == make_registration_paths(
        plain.size, SILHOUETTE
    )
    assert lines_of("fortuna")[1].paths["registration"] == ()


def test_marks_are_what_the_machine_looks_for() -> None:
    """10 mm from the edges: a square of 5 mm at the upper left, angles of 5 mm and 1 mm at the upper right, lower left."""
    square, right, lower = (find_bounds(path) for path in make_registration_paths(Size(210, 297), SILHOUETTE))
    assert (square, right, lower) == (Rect(10, 10, 5, 5), Rect(195, 10, 5, 5), Rect(10, 282, 5, 5))
    areas = [
        abs(measure_double_area(flatten_path(path)[0].points)) / 2
        for path in make_registration_paths(Size(210, 297), SILHOUETTE)
    ]
    assert areas == pytest.approx([25, 9, 9])
    _, right_path, lower_path = (flatten_path(path) for path in make_registration_paths(Size(210, 297), SILHOUETTE))
    assert is_point_inside(right_path, 199.5, 14) and not is_point_inside(right_path, 196, 14), (
        "its corner is the paper's"
    )
    assert is_point_inside(lower_path, 10.5, 283) and not is_point_inside(lower_path, 14, 283)


def test_four_marks_are_mirrored_into_their_corners() -> None:
    """A preset gives the points by their distances from the corner's edges."""
    cutter = find_preset(Resources((ROOT,)), "opos", "cutter")
    assert isinstance(cutter, Cutter)
    boxes = [find_bounds(path) for path in make_registration_paths(Size(210, 297), cutter)]
    assert boxes == [Rect(12, 12, 3, 3), Rect(195, 12, 3, 3), Rect(12, 282, 3, 3), Rect(195, 282, 3, 3)]
    assert list_registration_boxes(Size(210, 297), cutter)[3] == Rect(189, 276, 15, 15)


def made(paths: dict[str, tuple[str, ...]]) -> DieLines:
    return DieLines(Size(210, 297), "front", (1,), {layer: paths.get(layer, ()) for layer in LAYERS})


boxes = st.builds(Rect, st.floats(0, 100), st.floats(0, 150), st.floats(5, 100), st.floats(5, 140))
outlines = st.one_of(
    st.builds(draw_rounded_box, boxes, st.floats(0, 20)),
    st.builds(make_ellipse_path, boxes),
    st.builds(lambda box: make_ellipse_path(Rect(box.x, box.y, box.width, box.width)), boxes),
    st.builds(make_hexagon_path, boxes),
)


@pytest.mark.slow
@examples(40)
@given(st.lists(outlines, min_size=1, max_size=3))
def test_dxf_is_read_by_another_program(paths: list[str]) -> None:
    """The library ezdxf reads every outline closed, on its layer, in its place (y up), arcs within 0.03 mm."""
    data = die_lines_to_dxf(made({"cut": tuple(paths), "fold": ("M 1 2 L 30 40",)}))
    document = ezdxf.read(io.StringIO(data.decode("ascii")))
    assert not document.audit().errors
    assert document.dxfversion == "AC1009"
    assert {"CUT", "FOLD", "REGISTRATION"} <= {layer.dxf.name for layer in document.layers}
    shapes = list(document.modelspace().query("POLYLINE"))
    assert len(shapes) == len(paths)
    for shape, path in zip(shapes, paths, strict=True):
        assert shape.dxf.layer == "CUT" and shape.is_closed
        points = [(p.x, 297 - p.y) for p in ezdxf.path.make_path(shape).flattening(0.002)]
        (loop,) = flatten_path(path, 0.002)
        assert all(measure_distance((loop,), x, y) < 0.03 for x, y in points)
        read = Loop(tuple(points), closed=True)
        assert all(measure_distance((read,), x, y) < 0.03 for x, y in loop.points)
        around = sum(math.dist(one, other) for one, other in pairwise((*loop.points, loop.points[0])))
        assert abs(measure_double_area(tuple(points))) == pytest.approx(
            abs(measure_double_area(loop.points)), abs=0.03 * around
        )
    (line,) = document.modelspace().query("LINE")
    assert line.dxf.layer == "FOLD"
    ends = [(line.dxf.start.x, line.dxf.start.y), (line.dxf.end.x, line.dxf.end.y)]
    assert ends == [(1, 295), (30, 257)]


def test_circles_and_corners_are_arcs() -> None:
    """A machine gets four arcs for a circle and four for a card's corners, not a hundred little lines."""
    data = die_lines_to_dxf(
        made({"cut": (make_ellipse_path(Rect(10, 10, 20, 20)), draw_rounded_box(Rect(50, 50, 63, 88), 3))})
    )
    document = ezdxf.read(io.StringIO(data.decode("ascii")))
    circle, card = document.modelspace().query("POLYLINE")
    assert [vertex.dxf.bulge for vertex in circle.vertices] == pytest.approx([-math.tan(math.pi / 8)] * 4, rel=2e-3)
    assert sum(1 for vertex in card.vertices if vertex.dxf.bulge) == 4 and len(card.vertices) == 8


@pytest.mark.parametrize("name", quick(["journey8", "xanadu"], "journey8"))
def test_svg_says_the_same(name: str) -> None:
    """Another XML reader finds the sheet's size in mm and each path in the group of its layer."""
    lines = lines_of(name, registration=True)
    for one in {id(found): found for found in lines.values()}.values():
        root = ET.fromstring(die_lines_to_svg(one, "A <title> & more"))  # noqa: S314 - our own file
        assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("210mm", "297mm", "0 0 210 297")
        read = {
            group.get("id"): tuple(path.get("d") for path in group)
            for group in root.iter("{http://www.w3.org/2000/svg}g")
        }
        assert read == {layer: paths for layer, paths in one.paths.items() if paths}
        assert root.find("{http://www.w3.org/2000/svg}title").text == "A <title> & more"  # type: ignore[union-attr]


@pytest.mark.slow
def test_same_input_same_bytes(tmp_path: Path, pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two runs of the command write equal files, one for each run of sheets."""
    monkeypatch.chdir(ROOT)
    names: list[list[tuple[str, bytes]]] = []
    for run in ("one", "two"):
        pnp("dielines", "journey8", "--lang", "en", "--format", "dxf", "--out", str(tmp_path / run), code=0)
        names.append([(path.name, path.read_bytes()) for path in sorted((tmp_path / run).rglob("*.dxf"))])
    assert names[0] == names[1] and names[0][0][0].startswith("sheets.en.")
