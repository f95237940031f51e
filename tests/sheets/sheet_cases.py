"""Pieces, a stand-in typesetter and random prints for the tests of the sheets; measures pages by means of its own."""

from dataclasses import dataclass
from math import cos, radians, sin

from hypothesis import strategies as st

from generator.base.display_list import Drawing, Item, Shape, TextRun, walk_leaves
from generator.base.geometry import Margins, Rect, Size, paper_size
from generator.game.print_pages import Page, Piece, Placement
from generator.sheets.place_pieces import DoesNotFit
from generator.sheets.settings import SheetSettings
from generator.sheets.sheet_pages import iter_sheet_pages

EM = 25.4 / 72


def label(sheet: int, of: int, digest: str, side: str) -> str:
    """A label as a print of a small game has it."""
    return f"Fortuna 0.3 sheet {sheet}/{of} {side} {digest}"


def typeset(text: str, x: float, y: float, size: float, anchor: str, angle: float) -> tuple[Item, ...]:
    assert anchor == "start"
    return (TextRun(x, y, size, "font", tuple(range(len(text))), tuple(text), angle=angle),)


def piece(name: str, width: float, height: float, bleed: float = 3.0, back: str | None = "back") -> Piece:
    """A piece whose faces differ only in their titles; `back` is the back's, None for a blank one."""
    behind = None if back is None else Drawing(width, height, bleed, (), title=back)
    return Piece(name, Drawing(width, height, bleed, (), title=name), behind)


def deck(
    number: int, width: float = 63, height: float = 88, bleed: float = 3.0, back: str | None = "back"
) -> list[Piece]:
    return [piece(f"c#{n}", width, height, bleed, back) for n in range(1, number + 1)]


def on(name: str, **settings: object) -> SheetSettings:
    return SheetSettings(paper_size(name), name, **settings)  # type: ignore[arg-type]


def lay(pieces: list[Piece], settings: SheetSettings) -> tuple[Page, ...]:
    """The pages with the stand-in label, typesetter and digest."""
    return tuple(iter_sheet_pages(pieces, settings, label, typeset, lambda drawing: drawing.title))


@st.composite
def margins(draw: st.DrawFn) -> Margins:
    """The same margin all around, or four that differ."""
    sides = draw(st.lists(st.floats(0, 10), min_size=4, max_size=4))
    return Margins(*(sides if draw(st.booleans()) else sides[:1] * 4))


def printable(page: Page, settings: SheetSettings) -> Rect:
    """What the printer reaches of a page: on the back of a duplex print, the margins have changed sides."""
    top, right, bottom, left = settings.margin
    if page.side == "back" and settings.backs in ("long", "short"):
        if (settings.backs == "long") == (page.size.height >= page.size.width):
            left, right = right, left
        else:
            top, bottom = bottom, top
    return Rect(left, top, page.size.width - left - right, page.size.height - top - bottom)


@dataclass(frozen=True)
class Print:
    """Pieces, settings and the pages that came of them; shows only the first two where a test fails."""

    pieces: list[Piece]
    settings: SheetSettings
    pages: tuple[Page, ...]

    def __repr__(self) -> str:
        first = self.pieces[0].front
        backs = [p.back.title if p.back else None for p in self.pieces]
        return f"Print({first.width} x {first.height}, bleed {first.bleed}, backs {backs}, {self.settings})"

    @property
    def fronts(self) -> list[Page]:
        return [page for page in self.pages if page.side == "front"]

    @property
    def backs(self) -> list[Page]:
        return [page for page in self.pages if page.side == "back"]


@st.composite
def prints(draw: st.DrawFn, backs: tuple[str, ...] = ("none", "separate", "long", "short", "fold")) -> Print:
    """Random pieces of one size on random paper, laid out; pieces that don't fit are replaced by small ones."""
    settings = SheetSettings(
        Size(draw(st.floats(140, 430)), draw(st.floats(140, 430))),
        "test paper",
        margin=draw(margins()),
        gap=draw(st.sampled_from([0.0, 0.0, 1.0, 3.0, 6.0, 9.0])),
        backs=draw(st.sampled_from(backs)),  # type: ignore[arg-type]
    )
    size, bleed = Size(draw(st.floats(12, 130)), draw(st.floats(12, 130))), draw(st.sampled_from([0.0, 1.5, 3.0, 5.0]))
    behind = draw(st.lists(st.sampled_from(["red", "blue", None]), min_size=1, max_size=4))
    names = [(f"c#{n}", behind[n % len(behind)]) for n in range(draw(st.integers(1, 30)))]
    pieces = [piece(name, size.width, size.height, bleed, back) for name, back in names]
    try:
        pages = lay(pieces, settings)
    except DoesNotFit:
        if surely_fits(size, bleed, settings):
            raise
        pieces = [piece(name, 12, 20, 1.5, back) for name, back in names]
        pages = lay(pieces, settings)
    return Print(pieces, settings, pages)


def surely_fits(size: Size, bleed: float, settings: SheetSettings) -> bool:
    """Whether 13 mm beyond the bleed stay free on every side (enough for marks and all that is printed there)."""
    around = 2 * (bleed + max(settings.margin) + 13)
    width, height = settings.paper.width - around, settings.paper.height - around
    if settings.backs == "fold":
        width, height = width / 2 - 5, height / 2 - 5
    return any(width >= side.width and height >= side.height for side in (size, size.swap_sides()))


def at(placement: Placement, across: float, down: float) -> tuple[float, float]:
    """The page point of a face point given in fractions of the face's width and height, by turning about the middle."""
    trim, face = placement.trim, placement.drawing
    dx, dy = (across - 0.5) * face.width, (down - 0.5) * face.height
    turn = radians(placement.turn)
    x = trim.x + trim.width / 2 + dx * cos(turn) - dy * sin(turn)
    y = trim.y + trim.height / 2 + dx * sin(turn) + dy * cos(turn)
    return x, y


def shapes(page: Page, role: str) -> list[Shape]:
    return [item for item, _ in walk_leaves(page.items) if isinstance(item, Shape) and item.role == role]


def runs(page: Page) -> list[TextRun]:
    return [item for item, _ in walk_leaves(page.items) if isinstance(item, TextRun)]


def segments(shape: Shape) -> list[tuple[float, float, float, float]]:
    """The straight pieces of a path of M and L."""
    found, pen = [], (0.0, 0.0)
    words = iter(shape.path.split())
    for command in words:
        point = float(next(words)), float(next(words))
        if command == "L":
            found.append((*pen, *point))
        pen = point
    return found


def cut_marks(page: Page) -> list[tuple[float, float, float, float]]:
    """The segments of the cut marks: those of the outlines that have a white casing."""
    cased = {shape.path for shape in shapes(page, "mark") if shape.stroke == "#ffffff"}
    return [
        part
        for shape in shapes(page, "mark")
        if shape.stroke == "ink" and shape.path in cased
        for part in segments(shape)
    ]


def rulers(page: Page) -> list[Shape]:
    """The scales: dark outlines without a casing."""
    cased = {shape.path for shape in shapes(page, "mark") if shape.stroke == "#ffffff"}
    return [shape for shape in shapes(page, "mark") if shape.path not in cased]


def box(parts: list[tuple[float, float, float, float]]) -> Rect:
    xs = [x for part in parts for x in part[::2]]
    ys = [y for part in parts for y in part[1::2]]
    return Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


def text_box(run: TextRun) -> Rect:
    """The room of a run in a wide sans serif: 0.6 em a letter, 0.85 em up, 0.25 em down."""
    length, up, down = len(run.text) * 0.6 * run.size * EM, 0.85 * run.size * EM, 0.25 * run.size * EM
    if run.angle == 0:
        return Rect(run.x, run.y - up, length, up + down)
    assert run.angle == 270
    return Rect(run.x - up, run.y - length, up + down, length)
