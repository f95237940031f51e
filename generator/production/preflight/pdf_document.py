"""A PDF document of a stranger: opened within limits, with its pages' boxes in mm."""

import io
import re
import struct
import zlib
from base64 import a85decode
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from math import hypot, inf, isfinite
from time import process_time
from typing import Any

import pikepdf
import pikepdf.exceptions
from PIL import Image

from generator.base.dataclass import dataclass
from generator.base.errors import Place, Problem, ProblemsFound
from generator.base.geometry import MM_PER_PT, Matrix, times

_OF_THE_READER = tuple(
    kind for kind in vars(pikepdf.exceptions).values() if isinstance(kind, type) and issubclass(kind, Exception)
)

BROKEN: tuple[type[BaseException], ...] = (
    ArithmeticError, AssertionError, AttributeError, BufferError, EOFError, LookupError, MemoryError, OSError,
    RuntimeError, SyntaxError, TypeError, UserWarning, ValueError, struct.error, zlib.error,
    Image.DecompressionBombError, *_OF_THE_READER,
)  # fmt: skip
"""What broken files raise in libraries and in our own hands: anything may stand where anything else is due."""

LONGEST_CONTENT = 16_000_000
LARGEST_STREAM = 64_000_000
_MOST_WORDS = 1_500_000  # in content that is held at once: an operator takes 280 bytes in the reader
_MOST_WORDS_OF_A_FILE = 10_000_000
_LONGEST = 15.0  # seconds of a processor: what is left unread then is said
_BLOCK = 1 << 20
_GROWTH = {"/RunLengthDecode": 64, "/LZWDecode": 60, "/ASCII85Decode": 4, "/FlateDecode": 1100}
"""How many times as long packed bytes may become, where that isn't measured (LZW: without being a bomb)."""

_STREAM = re.compile(r"(?:content )?stream <[^>]*>[:,]? *|stream object \d+ \d+:? *")
"""How the library names what it reads from memory, with an address that is another one each time."""
_RUNS = bytes.maketrans(bytes(range(256)), bytes(32 if chr(at) in "\0\t\n\f\r ()<>[]{}/%" else 97 for at in range(256)))


def reason(error: BaseException, most: int = 90) -> str:
    """What an error says, in plain letters and without what differs from run to run."""
    words = _STREAM.sub("", " ".join(str(error).split()))
    return ascii(words[:most])[1:-1] or type(error).__name__


def unpack(stream: pikepdf.Stream, most: int = LARGEST_STREAM) -> bytes:
    """The bytes of a stream; ValueError when they are more than `most`, before they fill the memory."""
    check_bulk(stream, most)
    return stream.read_bytes()


def check_bulk(stream: pikepdf.Stream, most: int) -> None:
    """ValueError when a stream unpacks to more bytes than that."""
    found = stream.get("/Filter")
    names = [str(name) for name in (found if isinstance(found, pikepdf.Array) else [found]) if name is not None]
    data: bytes | None = stream.read_raw_bytes()
    size = len(data or b"")
    for name in names:
        if data is not None and name == "/FlateDecode":
            data, size = _inflate(data, most, keep=len(names) > 1)
        elif data is not None and name == "/ASCII85Decode" and size < most:
            data = _a85(data)
            size = len(data) if data is not None else size * _GROWTH[name]
        else:
            data, size = None, size * _GROWTH.get(name, 1)
        if size > most:
            raise ValueError(f"it unpacks to more than {most} bytes")


def _inflate(packed: bytes, most: int, keep: bool) -> tuple[bytes | None, int]:
    """The bytes (where they are kept) and how many they are, up to one more block than `most`."""
    reader, parts, size = zlib.decompressobj(), list[bytes](), 0
    try:
        while packed and size <= most and not reader.eof:
            part = reader.decompress(packed, _BLOCK)
            size, packed = size + len(part), reader.unconsumed_tail
            if keep:
                parts.append(part)
    except zlib.error:
        pass  # the reader takes what came before the fault, too
    return (b"".join(parts) if keep else None), size


def _a85(data: bytes) -> bytes | None:
    try:
        return a85decode(data.strip().removesuffix(b">").removesuffix(b"~"), ignorechars=b" \t\n\r\v\f\0")
    except ValueError:
        return None


class PdfTooLarge(Exception):
    """A page or file asks for more than any game needs: reading it stops here."""


UNREAD: tuple[type[BaseException], ...] = (*BROKEN, PdfTooLarge)
"""What ends the reading of a file that nobody reads on."""


class ReadingLimits:
    """How much of one file's content may be read: every word counts, what is held at once, and in the end the time."""

    def __init__(self) -> None:
        self._left, self._held, self._begun = _MOST_WORDS_OF_A_FILE, 0, process_time()

    @property
    def spent(self) -> bool:
        """Whether no more of the file may be read."""
        return self._left < 0 or process_time() - self._begun > _LONGEST

    @contextmanager
    def instructions(self, thing: Any) -> Iterator[list[Any]]:
        """The instructions of a page's or form's content; ValueError where it has too many, TooMuch where the file has.

        They count as held until they are no longer needed.
        """
        contents = thing.get("/Contents") if not isinstance(thing, pikepdf.Stream) else thing
        if contents is None:
            yield []
            return
        parts = list(contents) if isinstance(contents, pikepdf.Array) else [contents]
        words, room = 0, LONGEST_CONTENT
        for part in parts:
            if isinstance(part, pikepdf.Stream):
                data = unpack(part, room)
                room -= len(data)
                words += (b" " + data).translate(_RUNS).count(b" a")
        if self._held + words > _MOST_WORDS:
            raise ValueError(f"more than {_MOST_WORDS} words of content")
        self._left -= words
        if self.spent:
            raise PdfTooLarge("the file is too large to be checked whole")
        self._held += words
        try:
            yield list(pikepdf.parse_content_stream(thing))
        finally:
            self._held -= words


Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""

EVERYWHERE: Box = (-inf, -inf, inf, inf)


def figure(value: Any) -> float:
    """A number of a PDF as float; ValueError when it is none or not finite."""
    found = float(value)
    if not isfinite(found):
        raise ValueError(f"{value} is not a usable number")
    return found


def matrix_of(values: Any) -> Matrix:
    """Six numbers of a PDF as a matrix; ValueError for anything else."""
    a, b, c, d, e, f = (figure(value) for value in values)
    return (a, b, c, d, e, f)


def chain(first: Matrix, then: Matrix) -> Matrix:
    """The matrix that does `first`, then `then`; OverflowError where numbers leave every bound."""
    made = times(then, first)
    if not isfinite(sum(made)):
        raise OverflowError("a matrix leaves every bound")
    return made


def move_box(box: Box, by: Matrix) -> Box:
    """The smallest upright box around a box through a matrix."""
    a, b, c, d, e, f = by
    x0, y0, x1, y1 = box
    if b == 0 == c:
        left, right = a * x0 + e, a * x1 + e
        top, bottom = d * y0 + f, d * y1 + f
        return (min(left, right), min(top, bottom), max(left, right), max(top, bottom))
    xs = (a * x0 + c * y0, a * x1 + c * y0, a * x0 + c * y1, a * x1 + c * y1)
    ys = (b * x0 + d * y0, b * x1 + d * y0, b * x0 + d * y1, b * x1 + d * y1)
    return (min(xs) + e, min(ys) + f, max(xs) + e, max(ys) + f)


def intersection(one: Box, other: Box) -> Box | None:
    """What two boxes share (touching counts: a line has no height), None when they lie apart."""
    left, top = max(one[0], other[0]), max(one[1], other[1])
    right, bottom = min(one[2], other[2]), min(one[3], other[3])
    return (left, top, right, bottom) if left <= right and top <= bottom else None


def upright(by: Matrix) -> bool:
    """Whether a matrix leaves upright boxes upright."""
    return by[1] == 0 == by[2] or by[0] == 0 == by[3]


def scales(by: Matrix) -> tuple[float, float]:
    """How much longer a matrix makes lengths along x and along y."""
    return hypot(by[0], by[1]), hypot(by[2], by[3])


def scale(by: Matrix) -> float:
    """How much thinner a pen may become through a matrix: its smaller stretch."""
    return min(scales(by))


def points_box(values: Iterable[Any]) -> Box:
    """A PDF rectangle with its corners in order, points; ValueError when it isn't four numbers."""
    x0, y0, x1, y1 = (figure(value) for value in values)
    return (min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))


@dataclass(frozen=True, slots=True)
class PageView:
    """How a page is looked at: `base` brings points to mm from its top left corner, `size` is mm across and down."""

    base: Matrix
    size: tuple[float, float]


def view(media: Box, rotate: int, unit: float) -> PageView:
    """The view of a page with this MediaBox, turned clockwise by a multiple of 90 degrees, a `unit` points long."""
    left, low, right, high = media
    s = MM_PER_PT * unit
    width, height = (right - left) * s, (high - low) * s
    if rotate == 90:
        return PageView((0.0, s, s, 0.0, -low * s, -left * s), (height, width))
    if rotate == 180:
        return PageView((-s, 0.0, 0.0, s, right * s, -low * s), (width, height))
    if rotate == 270:
        return PageView((0.0, -s, -s, 0.0, high * s, right * s), (height, width))
    return PageView((s, 0.0, 0.0, -s, -left * s, high * s), (width, height))


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
