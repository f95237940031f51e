"""A PDF opened for inspection: its pages with their boxes, what it says of itself, and what is not for print."""

import io
from typing import Any

import pikepdf

from generator.dataclass import dataclass
from generator.errors import Place, Problem, ProblemsFound
from generator.printshop.foreign_pdf import BROKEN, reason
from generator.printshop.preflight.geometry import Box, PageView, figure, move_box, points_box, view

BOXES = ("MediaBox", "CropBox", "BleedBox", "TrimBox", "ArtBox")
_A4: Box = (0.0, 0.0, 595.276, 841.89)
LARGEST = 200_000_000
"""Bytes of a file that is looked over; its pages may take as much again."""
_MOST_PAGES = 5_000
_DEEPEST = 60


@dataclass(frozen=True, slots=True)
class UnreadPage:
    """A page before its content is read, turned clockwise by so many degrees when it is shown.

    `boxes` are those that it states, mm in its view; `bad` names broken ones.
    """

    number: int
    obj: Any
    view: PageView
    turn: int
    boxes: dict[str, Box]
    bad: tuple[str, ...]

    @property
    def whole(self) -> Box:
        """The page itself."""
        return (0.0, 0.0, *self.view.size)

    @property
    def trim(self) -> Box:
        """Where the page is cut, as far as it says so."""
        return self.boxes.get("TrimBox", self.boxes.get("CropBox", self.whole))


@dataclass(frozen=True, slots=True)
class File:
    """An opened PDF: `name` as the user typed it. `intent` is the number of inks of its output intent's profile.

    `intent` is 0 where a condition is only named, None without one; `mended`: its list of objects had to be guessed.
    """

    name: str
    data: bytes
    pdf: Any
    sheets: tuple[UnreadPage, ...]
    intent: int | None
    encrypted: bool
    mended: bool = False


def open_file(name: str, data: bytes) -> File:
    """Open a PDF; ProblemsFound when nobody could without a password, or when it is none."""
    place = Place(name)
    if len(data) > LARGEST:
        raise ProblemsFound([Problem(place, f"the file is larger than {LARGEST // 1_000_000} MB", "split it")])
    if not data:
        raise ProblemsFound(
            [Problem(place, "this is no PDF that can be read (the file is empty)", "write the file anew")]
        )
    try:
        pdf = pikepdf.open(io.BytesIO(data))
    except pikepdf.PasswordError as error:
        hint = "save it without password: no print shop can open it"
        raise ProblemsFound([Problem(place, "the PDF is locked by a password", hint)]) from error
    except BROKEN as error:
        what = f"this is no PDF that can be read ({reason(error)})"
        raise ProblemsFound([Problem(place, what, "write the file anew")]) from error
    try:
        if len(pdf.pages) > _MOST_PAGES:
            raise ProblemsFound([Problem(place, f"the PDF has more than {_MOST_PAGES} pages", "split it")])
        sheets = tuple(_sheet(number, page.obj) for number, page in enumerate(pdf.pages, 1))
        if not sheets:
            raise ProblemsFound([Problem(place, "the PDF has no pages", "write the file anew")])
        return File(name, data, pdf, sheets, _intent(pdf), bool(pdf.is_encrypted), _needs_repair(pdf))
    except BROKEN as error:
        what = f"the PDF's pages can't be found ({reason(error)})"
        raise ProblemsFound([Problem(place, what, "write the file anew")]) from error


def _needs_repair(pdf: Any) -> bool:
    """Whether the reader had to search for the objects, as it must when the end of a file is missing."""
    return any("reconstruct" in str(warning) for warning in pdf.get_warnings())


def inherited_entry(page: Any, key: str) -> Any:
    """An entry of a page or of the nodes above it; None when nobody has it."""
    node = page
    for _ in range(_DEEPEST):
        if not isinstance(node, pikepdf.Dictionary):
            return None
        if key in node:
            return node[key]
        node = node.get("/Parent")
    return None


def _sheet(number: int, page: Any) -> UnreadPage:
    stated: dict[str, Box] = {}
    bad: list[str] = []
    for name in BOXES:
        found = inherited_entry(page, f"/{name}") if name in ("MediaBox", "CropBox") else page.get(f"/{name}")
        if found is None:
            continue
        try:
            stated[name] = points_box(found)
        except BROKEN:
            bad.append(name)
    media = stated.get("MediaBox", _A4)
    if media[2] - media[0] <= 0 or media[3] - media[1] <= 0:
        media = _A4
        bad.append("MediaBox")
    turn, unit = _turn(page)
    seen = view(media, turn, unit)
    return UnreadPage(
        number, page, seen, turn, {name: move_box(box, seen.base) for name, box in stated.items()}, tuple(bad)
    )


def _turn(page: Any) -> tuple[int, float]:
    """How far the page is turned clockwise, and its unit (1 is a point)."""
    try:
        rotate, unit = int(inherited_entry(page, "/Rotate") or 0) % 360, figure(page.get("/UserUnit", 1))
    except BROKEN:
        return 0, 1.0
    return rotate, unit if 0 < unit <= 1000 else 1.0


def _intent(pdf: Any) -> int | None:
    try:
        for intent in pdf.Root.get("/OutputIntents", []):
            profile = intent.get("/DestOutputProfile")
            return int(profile.get("/N", 0)) if profile is not None else 0
    except BROKEN:
        return None
    return None


def hidden_layers(pdf: Any) -> frozenset[tuple[int, int]]:
    """The layers that are off when the file is opened."""
    try:
        usual = pdf.Root.get("/OCProperties", {}).get("/D", {})
        off = {layer.objgen for layer in usual.get("/OFF", [])}
        if usual.get("/BaseState") == "/OFF":
            on = {layer.objgen for layer in usual.get("/ON", [])}
            off |= {layer.objgen for layer in pdf.Root.OCProperties.get("/OCGs", [])} - on
    except BROKEN:
        return frozenset()
    return frozenset(off)
