"""A PDF to be checked: opens any file within limits of size and time, and reads its page boxes in mm."""

import io
import re
import struct
import zlib
from base64 import a85decode
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import hypot, inf, isfinite
from time import process_time
from typing import Any

import pikepdf
import pikepdf.exceptions
from PIL import Image

from generator.base.errors import Place, Problem, ProblemsFound
from generator.base.geometry import MM_PER_PT, Matrix, multiply

_OF_THE_READER = tuple(
    kind for kind in vars(pikepdf.exceptions).values() if isinstance(kind, type) and issubclass(kind, Exception)
)

BROKEN_FILE_ERRORS: tuple[type[BaseException], ...] = (
    ArithmeticError, AssertionError, AttributeError, BufferError, EOFError, LookupError, MemoryError, OSError,
    RuntimeError, SyntaxError, TypeError, UserWarning, ValueError, struct.error, zlib.error,
    Image.DecompressionBombError, *_OF_THE_READER,
)  # fmt: skip
"""Errors that broken files raise in libraries and in our own code: any value may have any type."""

LONGEST_CONTENT = 16_000_000
LARGEST_STREAM = 64_000_000
_MOST_WORDS = 1_500_000  # of content in memory at once: an operator takes 280 bytes in the reader
_MOST_WORDS_OF_A_FILE = 10_000_000
_LONGEST = 15.0  # seconds of processor time: what is unread then is reported
_BLOCK = 1 << 20
_GROWTH = {"/RunLengthDecode": 64, "/LZWDecode": 60, "/ASCII85Decode": 4, "/FlateDecode": 1100}
"""Largest ratio of unpacked to packed bytes of filters that don't measure it while unpacking."""

_STREAM = re.compile(r"(?:content )?stream <[^>]*>[:,]? *|stream object \d+ \d+:? *")
"""Parts of the PDF library's error messages that contain a memory address, which differs in each run."""
_RUNS = bytes.maketrans(bytes(range(256)), bytes(32 if chr(at) in "\0\t\n\f\r ()<>[]{}/%" else 97 for at in range(256)))


def format_reason(error: BaseException, most: int = 90) -> str:
    """Return an error's message in ASCII, its first `most` characters, without parts that differ from run to run."""
    words = _STREAM.sub("", " ".join(str(error).split()))
    return ascii(words[:most])[1:-1] or type(error).__name__


def unpack_stream(stream: pikepdf.Stream, most: int = LARGEST_STREAM) -> bytes:
    """Return the bytes of a stream. Raise ValueError for more than `most`, before they fill the memory."""
    check_bulk(stream, most)
    return stream.read_bytes()


def check_bulk(stream: pikepdf.Stream, most: int) -> None:
    """Raise ValueError if a stream unpacks to more than `most` bytes."""
    found = stream.get("/Filter")
    names = [str(name) for name in (found if isinstance(found, pikepdf.Array) else [found]) if name is not None]
    data: bytes | None = stream.read_raw_bytes()
    size = len(data or b"")
    for name in names:
        if data is not None and name == "/FlateDecode":
            data, size = _inflate_bytes(data, most, keep=len(names) > 1)
        elif data is not None and name == "/ASCII85Decode" and size < most:
            try:
                data = a85decode(data.strip().removesuffix(b">").removesuffix(b"~"), ignorechars=b" \t\n\r\v\f\0")
            except ValueError:
                data = None
            size = len(data) if data is not None else size * _GROWTH[name]
        else:
            data, size = None, size * _GROWTH.get(name, 1)
        if size > most:
            raise ValueError(f"it unpacks to more than {most} bytes")


def _inflate_bytes(packed: bytes, most: int, keep: bool) -> tuple[bytes | None, int]:
    """Return unpacked bytes (None unless `keep`) and their number; stop at a fault, or one block beyond `most`."""
    reader, parts, size = zlib.decompressobj(), list[bytes](), 0
    try:
        while packed and size <= most and not reader.eof:
            part = reader.decompress(packed, _BLOCK)
            size, packed = size + len(part), reader.unconsumed_tail
            if keep:
                parts.append(part)
    except zlib.error:
        pass  # the reader also uses the bytes before the fault
    return (b"".join(parts) if keep else None), size


class PdfTooLarge(Exception):
    """A page or file needs more than any game does. Reading stops here."""


READING_ERRORS: tuple[type[BaseException], ...] = (*BROKEN_FILE_ERRORS, PdfTooLarge)
"""Errors that end the reading of a file."""


class ReadingLimits:
    """Counts what was read of a file: its words (operands and operators) in all and in memory, and processor time."""

    def __init__(self) -> None:
        self._left, self._held, self._begun = _MOST_WORDS_OF_A_FILE, 0, process_time()

    @property
    def is_spent(self) -> bool:
        """Return True if no more of the file may be read."""
        return self._left < 0 or process_time() - self._begun > _LONGEST

    @contextmanager
    def read_instructions(self, thing: Any) -> Iterator[list[Any]]:
        """Return a context manager that gives the list of instructions of `thing`, a page or form.

        Raise ValueError if the stream is too large, PdfTooLarge if the file is. The words count as held until the exit.
        """
        contents = thing.get("/Contents") if not isinstance(thing, pikepdf.Stream) else thing
        if contents is None:
            yield []
            return
        parts = list(contents) if isinstance(contents, pikepdf.Array) else [contents]
        words, room = 0, LONGEST_CONTENT
        for part in parts:
            if isinstance(part, pikepdf.Stream):
                data = unpack_stream(part, room)
                room -= len(data)
                words += (b" " + data).translate(_RUNS).count(b" a")
        if self._held + words > _MOST_WORDS:
            raise ValueError(f"more than {_MOST_WORDS} words of content")
        self._left -= words
        if self.is_spent:
            raise PdfTooLarge("the file is too large")
        self._held += words
        try:
            yield list(pikepdf.parse_content_stream(thing))
        finally:
            self._held -= words


PageBox = tuple[float, float, float, float]
"""Left, top, right and bottom."""

EVERYWHERE: PageBox = (-inf, -inf, inf, inf)


def float_from_pdf(value: Any) -> float:
    """Return a number of a PDF as float. Raise ValueError if it is no number or not finite."""
    found = float(value)
    if not isfinite(found):
        raise ValueError(f"{value} is not a usable number")
    return found


def matrix_from_pdf(values: Any) -> Matrix:
    """Return six numbers of a PDF as a matrix. Raise ValueError for anything else."""
    a, b, c, d, e, f = (float_from_pdf(value) for value in values)
    return (a, b, c, d, e, f)


def chain_matrices(first: Matrix, then: Matrix) -> Matrix:
    """Return the matrix that applies `first`, then `then`. Raise OverflowError for infinite numbers."""
    made = multiply(then, first)
    if not isfinite(sum(made)):
        raise OverflowError("a matrix leaves every bound")
    return made


def move_box(box: PageBox, matrix: Matrix) -> PageBox:
    """Return the smallest upright box around a transformed box."""
    a, b, c, d, e, f = matrix
    x0, y0, x1, y1 = box
    if b == 0 == c:
        left, right = a * x0 + e, a * x1 + e
        top, bottom = d * y0 + f, d * y1 + f
        return (min(left, right), min(top, bottom), max(left, right), max(top, bottom))
    xs = (a * x0 + c * y0, a * x1 + c * y0, a * x0 + c * y1, a * x1 + c * y1)
    ys = (b * x0 + d * y0, b * x1 + d * y0, b * x0 + d * y1, b * x1 + d * y1)
    return (min(xs) + e, min(ys) + f, max(xs) + e, max(ys) + f)


def intersect_boxes(one: PageBox, other: PageBox) -> PageBox | None:
    """Return the overlap of two boxes, or None. Touching counts as overlap, because a line has no height."""
    left, top = max(one[0], other[0]), max(one[1], other[1])
    right, bottom = min(one[2], other[2]), min(one[3], other[3])
    return (left, top, right, bottom) if left <= right and top <= bottom else None


def is_box_within(inner: PageBox, outer: PageBox, slack: float) -> bool:
    """Return True if a box is inside another, or exceeds it by at most `slack`."""
    low = inner[0] >= outer[0] - slack and inner[1] >= outer[1] - slack
    return low and inner[2] <= outer[2] + slack and inner[3] <= outer[3] + slack


def is_upright(by: Matrix) -> bool:
    """Return True if a matrix keeps upright boxes upright."""
    return by[1] == 0 == by[2] or by[0] == 0 == by[3]


def measure_scales(by: Matrix) -> tuple[float, float]:
    """Return the factors by which a matrix stretches lengths along x and along y."""
    return hypot(by[0], by[1]), hypot(by[2], by[3])


def measure_scale(by: Matrix) -> float:
    """Return the smaller stretch of the matrix `by` along x or y: the factor of the thinnest pen."""
    return min(measure_scales(by))


def box_from_points(values: Iterable[Any]) -> PageBox:
    """Return a PDF rectangle with its corners in order (pt). Raise ValueError if it isn't four numbers."""
    x0, y0, x1, y1 = (float_from_pdf(value) for value in values)
    return (min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))


@dataclass(frozen=True, slots=True)
class PageView:
    """The view of a page: `base` maps points to mm from its top left corner, `size` is its width and height in mm."""

    base: Matrix
    size: tuple[float, float]


def make_view(media: PageBox, rotate: int, unit: float) -> PageView:
    """Return the view of a page with this MediaBox, rotated clockwise by a multiple of 90 degrees.

    `unit` is the length of its unit in points.
    """
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
_A4: PageBox = (0.0, 0.0, 595.276, 841.89)
LARGEST_PDF = 200_000_000
"""Largest PDF that is inspected (bytes). Unpacking all its pages may take as many bytes again."""
_MOST_PAGES = 5_000
_DEEPEST = 60


@dataclass(frozen=True, slots=True)
class UnreadPage:
    """A page whose content has not been read; `turn` is its clockwise rotation in degrees.

    `boxes` are the page boxes that the file states (mm from the top left corner); `bad` names broken ones.
    """

    number: int
    obj: Any
    view: PageView
    turn: int
    boxes: dict[str, PageBox]
    bad: tuple[str, ...]

    @property
    def whole(self) -> PageBox:
        """Return the box of the whole page."""
        return (0.0, 0.0, *self.view.size)

    @property
    def trim(self) -> PageBox:
        """Return the TrimBox, else the CropBox, else the whole page."""
        return self.boxes.get("TrimBox", self.boxes.get("CropBox", self.whole))


@dataclass(frozen=True, slots=True)
class OpenedPdf:
    """An opened PDF: `name` as the user typed it; `intent` is the number of inks of its output intent's profile.

    `intent` is 0 if it names no profile, None without an output intent. `mended`: the PDF's list of objects was broken.
    """

    name: str
    data: bytes
    pdf: Any
    sheets: tuple[UnreadPage, ...]
    intent: int | None
    encrypted: bool
    mended: bool = False


def open_file(name: str, data: bytes) -> OpenedPdf:
    """Open a PDF, called `name` in messages. Raise ProblemsFound if it needs a password or is no PDF."""
    place = Place(name)
    if len(data) > LARGEST_PDF:
        raise ProblemsFound([Problem(place, f"the file is larger than {LARGEST_PDF // 1_000_000} MB", "split it")])
    if not data:
        raise ProblemsFound(
            [Problem(place, "pnp can't read this file as a PDF (the file is empty)", "save the file again")]
        )
    try:
        pdf = pikepdf.open(io.BytesIO(data))
    except pikepdf.PasswordError as error:
        hint = "save it without a password; print shops can't open it"
        raise ProblemsFound([Problem(place, "the PDF is locked by a password", hint)]) from error
    except BROKEN_FILE_ERRORS as error:
        what = f"pnp can't read this file as a PDF ({format_reason(error)})"
        raise ProblemsFound([Problem(place, what, "save the file again")]) from error
    try:
        if len(pdf.pages) > _MOST_PAGES:
            raise ProblemsFound([Problem(place, f"the PDF has more than {_MOST_PAGES} pages", "split it")])
        sheets = tuple(_read_page(number, page.obj) for number, page in enumerate(pdf.pages, 1))
        if not sheets:
            raise ProblemsFound([Problem(place, "the PDF has no pages", "save the file again")])
        mended = any("reconstruct" in str(warning) for warning in pdf.get_warnings())  # as in a truncated file
        return OpenedPdf(name, data, pdf, sheets, _read_intent(pdf), bool(pdf.is_encrypted), mended)
    except BROKEN_FILE_ERRORS as error:
        what = f"the PDF's pages can't be found ({format_reason(error)})"
        raise ProblemsFound([Problem(place, what, "save the file again")]) from error


def find_inherited_entry(page: Any, key: str) -> Any:
    """Return an entry of a page, inherited from its parent nodes if the page has none, or None."""
    node = page
    for _ in range(_DEEPEST):
        if not isinstance(node, pikepdf.Dictionary):
            return None
        if key in node:
            return node[key]
        node = node.get("/Parent")
    return None


def _read_page(number: int, page: Any) -> UnreadPage:
    stated: dict[str, PageBox] = {}
    bad: list[str] = []
    for name in BOXES:
        found = find_inherited_entry(page, f"/{name}") if name in ("MediaBox", "CropBox") else page.get(f"/{name}")
        if found is None:
            continue
        try:
            stated[name] = box_from_points(found)
        except BROKEN_FILE_ERRORS:
            bad.append(name)
    media = stated.get("MediaBox", _A4)
    if media[2] - media[0] <= 0 or media[3] - media[1] <= 0:
        media = _A4
        bad.append("MediaBox")
    try:
        turn, unit = int(find_inherited_entry(page, "/Rotate") or 0) % 360, float_from_pdf(page.get("/UserUnit", 1))
    except BROKEN_FILE_ERRORS:
        turn, unit = 0, 1.0
    seen = make_view(media, turn, unit if 0 < unit <= 1000 else 1.0)
    return UnreadPage(
        number, page, seen, turn, {name: move_box(box, seen.base) for name, box in stated.items()}, tuple(bad)
    )


def _read_intent(pdf: Any) -> int | None:
    try:
        for intent in pdf.Root.get("/OutputIntents", []):
            profile = intent.get("/DestOutputProfile")
            return int(profile.get("/N", 0)) if profile is not None else 0
    except BROKEN_FILE_ERRORS:
        return None
    return None


def find_hidden_layers(pdf: Any) -> frozenset[tuple[int, int]]:
    """Return the (object number, generation) of each layer that is off when the file is opened."""
    try:
        usual = pdf.Root.get("/OCProperties", {}).get("/D", {})
        off = {layer.objgen for layer in usual.get("/OFF", [])}
        if usual.get("/BaseState") == "/OFF":
            on = {layer.objgen for layer in usual.get("/ON", [])}
            off |= {layer.objgen for layer in pdf.Root.OCProperties.get("/OCGs", [])} - on
    except BROKEN_FILE_ERRORS:
        return frozenset()
    return frozenset(off)
