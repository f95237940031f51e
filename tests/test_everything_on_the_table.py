"""Everything that the drafts list is in the PDFs of the games that ship: counted, readable, not blank, backs behind their fronts."""

import hashlib
import re
import subprocess
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pikepdf
import pypdfium2
import pytest
from conftest import Tool
from shipped_games import PROJECT, SWEPT, SWEPT_EDITIONS, frames
from shipped_games import drawn as workshop
from tests_support import page_count

from generator.base.geometry import Rect, Size, paper_size
from generator.base.output_files import open_delivery
from generator.commands.orders import Job
from generator.commands.print_sheets import PrintOrder, impose_sheets, write_sheets
from generator.game.model import Design, Game, Kind
from generator.game.print_pages import Backs
from generator.sheets.nets import make_cube_net, make_standee_net
from generator.sheets.settings import SheetSettings

CARDS = {"fortuna": 81, "journey8": 28, "journey18": 49, "wayfaring": 104, "xanadu": 95}
ALL = {"fortuna": 86, "journey8": 96, "journey18": 61, "wayfaring": 113, "xanadu": 367 + 80 + 13}
"""Of xanadu the draft counts 367 pieces; 80 VP tokens, a round track, a zone map, five aids and a VP track with five markers are added."""

PAGES = {"fortuna": 9 * 2 + 3, "journey8": 6 * 2, "journey18": 7 * 2 + 1, "wayfaring": 12 * 2 + 1, "xanadu": 26 * 2 + 1}
"""Sheets and their backs; a last sheet without backs has no back page."""

MM = 72 / 25.4
Transform = tuple[float, float, float, float, float, float]

each = pytest.mark.parametrize(("game", "lang"), SWEPT_EDITIONS)


@dataclass(frozen=True)
class Seen:
    """A face on a page as the PDF has it: its form, its trim on the page, what of it is printed, how it is turned.

    `corner`: its upper left corner is printed; of a board in parts that is so on one sheet alone. `down` is where its
    foot points.
    """

    form: str
    size: tuple[float, float]
    trim: Rect
    shown: Rect
    corner: bool
    down: tuple[int, int]


Sheets = Callable[[str], Path]


def printer(folder: Path, *languages: str, paper: str = "A4", backs: Backs = "long") -> Sheets:
    """The folder of a game's print sheets, which are made when they are first asked for."""
    order = PrintOrder(languages, folder, sheets=SheetSettings(paper_size(paper), paper, backs=backs))

    @cache
    def printed(game: str) -> Path:
        with open_delivery() as files:
            job = Job(PROJECT, workshop(game), files, lambda _doing: None)
            write_sheets(job, order, impose_sheets(job.workshop, order, job.progress))
            files.hand_over()
        return folder / game

    return printed


@pytest.fixture(scope="module")
def long_edge(tmp_path_factory: pytest.TempPathFactory) -> Sheets:
    return printer(tmp_path_factory.mktemp("long"))


@pytest.fixture(scope="module")
def short_edge(tmp_path_factory: pytest.TempPathFactory) -> Sheets:
    """A game for printers that turn on the short edge."""
    return printer(tmp_path_factory.mktemp("short"), "ja", backs="short")


@pytest.fixture(scope="module")
def small_paper(tmp_path_factory: pytest.TempPathFactory) -> Sheets:
    """A game on paper that xanadu's company boards are too large for."""
    return printer(tmp_path_factory.mktemp("small"), "en", paper="A5")


def through(first: Transform, then: Transform) -> Transform:
    a, b, c, d, e, f = first
    p, q, r, s, t, u = then
    return (a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e * p + f * r + t, e * q + f * s + u)


def box_through(box: Rect, matrix: Transform) -> Rect:
    """The box around a transformed box."""
    a, b, c, d, e, f = matrix
    corners = [(x, y) for x in (box.x, box.right) for y in (box.y, box.bottom)]
    xs = [a * x + c * y + e for x, y in corners]
    ys = [b * x + d * y + f for x, y in corners]
    return Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


def meet(one: Rect, other: Rect) -> Rect:
    """What two boxes have in common; empty boxes have no width or height."""
    x, y = max(one.x, other.x), max(one.y, other.y)
    return Rect(x, y, max(0.0, min(one.right, other.right) - x), max(0.0, min(one.bottom, other.bottom) - y))


class Placed(NamedTuple):
    """Where a content places a face: its number among the page's figures, its matrix, the first and last of its steps."""

    figure: int
    by: int
    first: int
    last: int


def places_on(steps: Sequence[Any]) -> list[Placed]:
    """The faces that a content places: as forms, or drawn by steps of its own where they come once."""
    found = []
    for at, (operands, operator) in enumerate(steps):
        if str(operator) == "BDC" and str(operands[0]) == "/Figure":
            by = next(n for n in range(at, len(steps)) if str(steps[n][1]) == "cm")
            last, depth = by, 1
            while depth:
                last += 1
                depth += {"q": 1, "Q": -1}.get(str(steps[last][1]), 0)
            found.append(Placed(int(operands[1].MCID), by, by + 1, last - 1))
    return found


def faces_on(page: pikepdf.Page, tree: pikepdf.Object) -> Iterator[Seen]:
    """Every face that a page's content places, in mm from the upper left corner, y down.

    `tree` is the parent tree of the file, whose figures say how large their pieces are.
    """
    height = float(page.mediabox[3]) / MM
    state: tuple[Transform, Rect] = ((1 / MM, 0, 0, -1 / MM, 0, height), Rect(0, 0, float(page.mediabox[2]) / MM, height))  # fmt: skip
    saved: list[tuple[Transform, Rect]] = []
    pending: Rect | None = None
    steps = list(pikepdf.parse_content_stream(page))
    places = {placed.by: placed for placed in places_on(steps)}
    numbered = dict(zip(list(tree.Nums)[::2], list(tree.Nums)[1::2], strict=True))
    figures = numbered[page.StructParents]
    for at, (operands, operator) in enumerate(steps):
        matrix, clip = state
        name = str(operator)
        if name == "q":
            saved.append(state)
        elif name == "Q":
            state = saved.pop()
        elif name == "cm":
            numbers = [float(operand) for operand in operands]
            state = (through((*numbers,), matrix), clip)
        elif name == "re":
            pending = box_through(Rect(*map(float, operands)), matrix)
        elif name == "W" and pending is not None:
            state, pending = (matrix, meet(clip, pending)), None
        if at in places:
            placed = places[at]
            yield face_at(drawn(page, steps[placed.first : placed.last + 1]), figures[placed.figure].A.BBox, *state)


def drawn(page: pikepdf.Page, steps: Sequence[Any]) -> str:
    """What a face draws: the same whether by a form or by the page's own steps."""
    if len(steps) == 1 and str(steps[0][1]) == "Do" and str(steps[0][0][0]).startswith("/D"):
        steps = list(pikepdf.parse_content_stream(page.Resources.XObject[str(steps[0][0][0])]))
    return hashlib.sha256(pikepdf.unparse_content_stream(steps)).hexdigest()


def face_at(form: str, box: Iterable[Any], matrix: Transform, clip: Rect) -> Seen:
    """A placed face; its trim begins at its origin and is as large as its figure's box."""
    left, foot, right, head = (float(value) / MM for value in box)
    across, along = right - left, head - foot
    if abs(matrix[0]) < abs(matrix[1]):
        across, along = along, across
    trim = Rect(0, 0, across, along)
    x, y = matrix[4], matrix[5]
    corner = clip.grow(1e-3).contains(Rect(x, y, 0, 0))
    return Seen(
        form,
        (round(across + 0.0004, 2), round(along + 0.0004, 2)),  # corners are in whole thousandths of a point
        box_through(trim, matrix),
        clip,
        corner,
        (round(matrix[2]), round(matrix[3])),
    )


@cache
def pages(pdf: Path) -> list[list[Seen]]:
    with pikepdf.open(pdf) as opened:
        return [list(faces_on(page, opened.Root.StructTreeRoot.ParentTree)) for page in opened.pages]


def flat(kind: Kind) -> tuple[float, float]:
    """The paper that a piece takes, mm: of folded ones the net."""
    size = Size(kind.size.width, kind.size.height)
    if kind.form == "cube":
        net = make_cube_net(size.width)
        size = Size(net.width, net.height)
    if kind.form == "standee":
        size = Size(size.width, make_standee_net(size.width, size.height, kind.foot).height)
    return round(size.width, 2), round(size.height, 2)


def copies(game: Game) -> Iterator[tuple[Kind, Design]]:
    for kind in game.kinds.values():
        for design in kind.designs:
            yield from [(kind, design)] * design.count


def expected(name: str, lang: str) -> dict[tuple[float, float], list[int]]:
    """For each size, how often each of its different pieces is there, fewest first; told apart by all that they show."""
    drawn = workshop(name)
    found: dict[tuple[float, float], Counter[tuple[str, ...]]] = {}
    for kind, design in copies(drawn.game):
        shown = [drawn.draw_face(design, face, lang) for face in kind.faces(design)]
        if kind.form not in ("cube", "standee"):
            shown = shown[:1]
        key = tuple(drawn.digest_face(drawing) for drawing in shown if drawing is not None)
        found.setdefault(flat(kind), Counter())[key] += 1
    return {size: sorted(count.values()) for size, count in found.items()}


def by_size(found: Sequence[tuple[tuple[float, float], object]]) -> dict[tuple[float, float], list[int]]:
    """For each size, how often each different thing of that size is there, fewest first."""
    ordered = sorted(Counter(found).items(), key=lambda entry: entry[0][0])
    return {
        size: sorted(times for _, times in entries) for size, entries in groupby(ordered, lambda entry: entry[0][0])
    }


def fronts(pdf: Path) -> list[Seen]:
    """The faces on front pages: of a duplex print that is every other page."""
    return [seen for page in pages(pdf)[::2] for seen in page]


@pytest.mark.slow
@each
def test_the_sheets_hold_every_piece_as_often_as_the_box(game: str, lang: str, long_edge: Sheets) -> None:
    """Placed faces, counted in the PDF: every design of every size as often as the data say, 367 of the draft's xanadu."""
    placed = fronts(long_edge(game) / f"sheets.{lang}.pdf")
    assert len(placed) == ALL[game] == sum(1 for _ in copies(workshop(game).game))
    assert sum(seen.size == (63, 88) for seen in placed) == CARDS[game]
    assert all(seen.corner for seen in placed)
    assert by_size([(seen.size, seen.form) for seen in placed]) == expected(game, lang)


@pytest.mark.slow
def test_a_board_in_parts_is_one_piece(small_paper: Sheets) -> None:
    """On A5 each company board comes in three parts, whose pictures cover it; it is still one piece of the 460."""
    placed = fronts(small_paper("xanadu") / "sheets.en.pdf")
    pieces = [seen for seen in placed if seen.corner]
    assert len(pieces) == ALL["xanadu"]
    assert by_size([(seen.size, seen.form) for seen in pieces]) == expected("xanadu", "en")
    parts = [seen for seen in placed if seen.size == (262, 180)]
    assert Counter(Counter(seen.form for seen in parts).values()) == {3: 5}
    for form in {seen.form for seen in parts}:
        reached = 0.0
        for part in sorted((seen for seen in parts if seen.form == form), key=lambda seen: -seen.trim.x):
            window = meet(part.shown, part.trim).move(-part.trim.x, -part.trim.y)
            assert window.x <= reached + 1e-3, "no gap between the parts"
            assert (window.y, window.bottom) == pytest.approx((0, 180), abs=1e-3)
            reached = window.right
        assert reached == pytest.approx(262, abs=1e-3)


@pytest.mark.slow
@pytest.mark.parametrize("game", SWEPT)
def test_page_counts_are_as_stated(game: str, long_edge: Sheets) -> None:
    for lang in workshop(game).game.languages:
        assert page_count(long_edge(game) / f"sheets.{lang}.pdf") == PAGES[game]


def plain(text: str) -> str:
    """Characters alone, NFKC: no spaces, no soft hyphens."""
    return re.sub(r"[\s\u00ad]", "", unicodedata.normalize("NFKC", text))


RUBY = re.compile(r"\{[^{}|\s]+\|([ぁ-ヿ|]+)\}")


def readings(game: str) -> list[str]:
    """Every reading that stands over a word of the game, the longest first."""
    data = "".join(path.read_text(encoding="utf-8") for path in PROJECT.find_folder(game).glob("*.yaml"))
    return sorted({part for reading in RUBY.findall(data) for part in reading.split("|")}, key=len, reverse=True)


@pytest.mark.slow
@pytest.mark.parametrize("game", SWEPT)
def test_every_word_can_be_extracted(game: str, long_edge: Sheets, tool: Tool) -> None:
    """A PDF reader finds every text of every face, vertical text in reading order, ruby aside."""
    pdftotext = tool("pdftotext")
    ruby = re.compile("|".join(readings(game)) or "(?!)")
    for lang in workshop(game).game.languages:
        run = [pdftotext, "-raw", str(long_edge(game) / f"sheets.{lang}.pdf"), "-"]
        found = ruby.sub("", plain(subprocess.run(run, check=True, capture_output=True).stdout.decode()))
        left_out = {kind.id for kind in workshop(game).game.kinds.values() if kind.left_out}
        for where, face_lang, frame in frames(game):
            if face_lang == lang and where.partition("/")[0] not in left_out:
                for line in frame.lines:
                    assert ruby.sub("", plain(line)) in found, (where, lang, line)


@pytest.mark.slow
@each
def test_no_slot_is_blank(game: str, lang: str, long_edge: Sheets) -> None:
    """Rendered by another program, every placed face, front or back, shows something in the middle of its trim."""
    path = long_edge(game) / f"sheets.{lang}.pdf"
    with pypdfium2.PdfDocument(path) as document:
        for number, faces in enumerate(pages(path)):
            picture = rendered(document, number, 1.5)
            for seen in faces:
                inner = meet(seen.shown, seen.trim).grow(-2.0)
                part = cropped(picture, inner, 1.5)
                assert part.min() < 200, (number + 1, seen)
                # Cut lines and frames lie in the outer millimetres; a page of a pad is mostly paper.
                assert (part < 245).mean() > 0.02, (number + 1, seen)


def rendered(document: pypdfium2.PdfDocument, number: int, scale: float) -> "np.ndarray[tuple[int, int], np.dtype]":
    """A page in grey, `scale` pixels for each mm, white where nothing is printed."""
    page = document[number]
    bitmap = page.render(scale=scale / MM, grayscale=True)
    picture = bitmap.to_numpy().copy()
    bitmap.close()
    page.close()
    return picture.reshape(picture.shape[:2])


def cropped(picture: np.ndarray, box: Rect, scale: float) -> np.ndarray:
    """The pixels in a box of the page."""
    return picture[
        round(box.y * scale) : max(round(box.bottom * scale), round(box.y * scale) + 1),
        round(box.x * scale) : max(round(box.right * scale), round(box.x * scale) + 1),
    ]


@pytest.mark.slow
@pytest.mark.parametrize("edge", ["long", "short"])
def test_printed_tokens_show_no_white_when_held_against_the_light(
    edge: str, long_edge: Sheets, short_edge: Sheets
) -> None:
    """As pictures: the ink of xanadu's token backs, turned over, lies on that of their fronts, to half a millimetre."""
    path = (long_edge if edge == "long" else short_edge)("xanadu") / "sheets.ja.pdf"
    leaves, scale, compared = pages(path), 8.0, 0
    with pypdfium2.PdfDocument(path) as document:
        for number in range(0, len(leaves), 2):
            tokens = [seen for seen in leaves[number] if seen.size in ((20, 20), (16, 18.48), (15, 15), (35, 35))]
            if not tokens:
                continue
            front, back = rendered(document, number, scale), rendered(document, number + 1, scale)
            back = back[:, ::-1] if edge == "long" else back[::-1]
            for seen in tokens:
                above, below = (cropped(side, seen.trim.grow(0.9), scale) < 250 for side in (front, back))
                # A pixel is an eighth of a millimetre: what one side prints, the other prints within a pixel of it.
                bare = (above & ~widened(below)) | (below & ~widened(above))
                assert not (bare & oval(bare.shape)).any(), (number, seen)
                compared += 1
    assert compared == 105 + 80 + 60 + 60 + 1


def oval(shape: tuple[int, ...]) -> np.ndarray:
    """What lies inside the ellipse that fills a picture: a token without its neighbours at the corners."""
    down, across = (np.linspace(-1, 1, length) for length in shape)
    return down[:, None] ** 2 + across[None, :] ** 2 < 1


def widened(ink: np.ndarray) -> np.ndarray:
    """The same with a pixel more on every side."""
    padded = np.pad(ink, 1, mode="edge")
    high, wide = ink.shape
    shifted = [padded[y : y + high, x : x + wide] for y in range(3) for x in range(3)]
    return np.logical_or.reduce(shifted)
