"""Backs in the written PDFs of every game: read back as another program reads them, each lies behind its own front."""

import io
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from shipped_games import GAMES, SWEPT, workshop
from test_everything_on_the_table import MM, Seen, faces_on
from tests_support import quick

from generator.base.geometry import Rect, paper_size
from generator.commands.print_sheets import PrintOrder, impose_sheets
from generator.game.presets import Printer
from generator.sheets.settings import SheetSettings

MODES = ("long", "short", "fold", "separate", "none")
PAPER = Rect(0, 0, 210, 297)
LABEL = re.compile(r"シート\s*(\d+)\s*/\s*\d+\s*·\s*([表裏])")
FOLD = "印刷面を外にして折り"
PROFILE = Printer("test", 0.6, -0.4, 1.002, 0.9985)


@dataclass(frozen=True)
class Face:
    """A face on a page with the hashes that its own stamps show."""

    seen: Seen
    hashes: frozenset[str]


@dataclass(frozen=True)
class Leaf:
    """A page by its printed label: the sheet's number, its side, the faces on it, and whether it is to be folded."""

    sheet: int
    side: str
    faces: tuple[Face, ...]
    folded: bool


def written(game: str, mode: str, printer: Printer | None = None) -> bytes:
    """The Japanese print sheets of a whole game as a PDF."""
    drawn = workshop(game)
    settings = SheetSettings(paper_size("A4"), "A4", backs=mode, printer=printer)  # type: ignore[arg-type]
    document = impose_sheets(drawn, PrintOrder(("ja",), Path("unused"), sheets=settings), lambda _doing: None)["ja"]
    out = io.BytesIO()
    drawn.write_document(document, out)
    return out.getvalue()


@cache
def made(game: str, mode: str) -> bytes:
    return written(game, mode)


@cache
def hashes(game: str) -> frozenset[str]:
    """What stamps of the game may show."""
    drawn = workshop(game)
    faces = drawn.draw_all(drawn.game.designs(), ["ja"])
    return frozenset(
        drawn.digest_face(drawing)[:6] for (_, _, lang), drawing in faces.items() if drawing and lang == "ja"
    )


def leaves(game: str, pdf: bytes) -> list[Leaf]:
    """Every page with what another program reads on it."""
    known = hashes(game)
    found = []
    with pikepdf.open(io.BytesIO(pdf)) as opened, pypdfium2.PdfDocument(pdf) as document:
        for number, page in enumerate(opened.pages):
            leaf = document[number]
            text = leaf.get_textpage()
            words = " ".join(text.get_text_range().split())
            label = LABEL.search(words)
            assert label, f"page {number + 1} says which sheet it is"
            faces = []
            for seen in faces_on(page, opened.Root.StructTreeRoot.ParentTree):
                box, high = seen.trim, float(page.mediabox[3])
                shown = text.get_text_bounded(box.x * MM, high - box.bottom * MM, box.right * MM, high - box.y * MM)
                faces.append(Face(seen, frozenset(word for word in re.findall(r"[0-9a-f]{6}", shown) if word in known)))
            found.append(Leaf(int(label[1]), label[2], tuple(faces), FOLD in words))
            text.close()
            leaf.close()
    return found


def turned(box: Rect, vertical: bool) -> Rect:
    """A box seen from the other side of an A4 sheet that was turned over, or folded, about its middle."""
    if vertical:
        return Rect(PAPER.right - box.right, box.y, box.width, box.height)
    return Rect(box.x, PAPER.bottom - box.bottom, box.width, box.height)


def corrected(box: Rect, printer: Printer) -> Rect:
    """Where a printer with this profile is told to print a box of a back page."""
    x = PAPER.right / 2 + (box.x - PAPER.right / 2) * printer.scale_x + printer.back_x
    y = PAPER.bottom / 2 + (box.y - PAPER.bottom / 2) * printer.scale_y + printer.back_y
    return Rect(x, y, box.width * printer.scale_x, box.height * printer.scale_y)


def near(one: Rect, other: Rect) -> bool:
    return one.grow(0.003).contains(other) and other.grow(0.003).contains(one)


def pairs(game: str, pdf: bytes, mode: str, printer: Printer | None = None) -> Iterator[tuple[Face, Face | None]]:
    """Every front with the back that comes to lie behind it; AssertionError where one lies behind nothing."""
    by_sheet: dict[int, dict[str, Leaf]] = {}
    for leaf in leaves(game, pdf):
        assert leaf.side not in by_sheet.setdefault(leaf.sheet, {}), "a sheet has each side once"
        by_sheet[leaf.sheet][leaf.side] = leaf
    for sides in by_sheet.values():
        fronts, backs, vertical = list(sides["表"].faces), [], None
        if "裏" in sides:
            backs = list(sides["裏"].faces)
            vertical = {"long": True, "short": False}.get(mode)
        elif sides["表"].folded:
            fronts, backs, vertical = folded(fronts)
        for back in backs:
            front = behind(back, fronts, vertical, printer)
            fronts.remove(front)
            yield front, back
        yield from ((front, None) for front in fronts)


def folded(faces: list[Face]) -> tuple[list[Face], list[Face], bool]:
    """A folded page's fronts and backs, and whether its fold is upright."""
    for vertical in (True, False):
        low = [
            one for one in faces if (one.seen.trim.right <= 105.001 if vertical else one.seen.trim.bottom <= 148.501)
        ]
        high = [one for one in faces if one not in low]
        if low and len(low) == len(high):
            places = [turned(one.seen.trim, vertical) for one in high]
            if all(any(near(place, one.seen.trim) for one in low) for place in places):
                return low, high, vertical
    raise AssertionError("the halves of a folded page don't lie on each other")


def behind(back: Face, fronts: list[Face], vertical: bool | None, printer: Printer | None) -> Face:
    """The front that a back lies behind, head to head; without an axis both lie in the same place, to be glued."""
    for front in fronts:
        wanted = front.seen.trim if vertical is None else turned(front.seen.trim, vertical)
        if near(back.seen.trim, corrected(wanted, printer) if printer else wanted):
            across, down = front.seen.down
            head = {None: (across, down), True: (-across, down), False: (across, -down)}[vertical]
            assert back.seen.down == head, "head lies at head"
            return front
    raise AssertionError(f"a back lies behind no front: {back.seen.trim}")


def designed(game: str) -> Counter[tuple[str, str, str, tuple[float, float]]]:
    """By the data: kind, hash of the front, hash of the back (empty for none) and size, as often as it is printed."""
    drawn = workshop(game)
    found: Counter[tuple[str, str, str, tuple[float, float]]] = Counter()
    for kind in drawn.game.kinds.values():
        for design in kind.designs:
            front = drawn.draw_face(design, "front", "ja")
            back = drawn.draw_face(design, "back", "ja") if "back" in kind.faces(design) else None
            assert front is not None
            flat = kind.form not in ("cube", "standee")
            key = (
                kind.id,
                drawn.digest_face(front)[:6],
                drawn.digest_face(back)[:6] if back is not None and flat else "",
                (round(front.width, 2), round(front.height, 2)),
            )
            found[key] += design.count
    return +found


def check(game: str, pdf: bytes, mode: str, printer: Printer | None = None) -> set[str]:
    """Every copy of every kind has its own back behind it, or none where none is meant; the kinds that have backs."""
    wanted = designed(game)
    found = list(pairs(game, pdf, mode, printer))
    assert len(found) == wanted.total()
    backs_of: dict[str, set[str]] = {}
    for _, front, back, _ in wanted:
        backs_of.setdefault(front, set()).add(back)
    stamped = 0
    for front, back in found:
        owners = [backs_of[one] for one in front.hashes if one in backs_of]
        if back is not None and back.hashes and owners:
            stamped += 1
            assert any(back.hashes & own for own in owners), (game, front, back)
    printed = mode != "none"
    with_back = Counter(front.seen.size for front, back in found if back is not None)
    meant = Counter({})
    for (_, _, back, size), count in wanted.items():
        if back and printed:
            meant[size] += count
    assert with_back == meant
    assert stamped or not printed, "the test must see stamps"
    return {kind for kind, _, back, _ in wanted if back}


@pytest.mark.slow
@pytest.mark.parametrize("mode", quick(MODES, "long", "fold"))
@pytest.mark.parametrize("game", SWEPT)
def test_every_back_lies_behind_its_own_front(game: str, mode: str) -> None:
    """By the PDF's matrices and the hashes that it shows: turned, folded or glued, each copy of each kind is right."""
    assert check(game, made(game, mode), mode), "every game has kinds with backs"


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["long", "short"])
@pytest.mark.parametrize("game", quick(GAMES, "fortuna", rest="release"))
def test_a_printers_profile_moves_backs_by_exactly_its_figures(game: str, mode: str) -> None:
    moved = written(game, mode, PROFILE)
    assert check(game, moved, mode, PROFILE)
    with pytest.raises(AssertionError, match="behind no front"):
        check(game, moved, mode)
    fronts = [[face.seen for face in leaf.faces] for leaf in leaves(game, moved) if leaf.side == "表"]
    assert fronts == [
        [face.seen for face in leaf.faces] for leaf in leaves(game, made(game, mode)) if leaf.side == "表"
    ]


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["fold", "separate", "none"])
def test_a_printers_profile_changes_nothing_where_no_sheet_is_turned(mode: str) -> None:
    """A fold is printed on one side, and backs on paper of their own are cut by themselves: the bytes are the same."""
    assert written("fortuna", mode, PROFILE) == made("fortuna", mode)
