"""What a stranger's PDF does to who reads it: the errors that it raises, and streams that unpack without end."""

import re
import struct
import zlib
from base64 import a85decode
from collections.abc import Iterator
from contextlib import contextmanager
from time import process_time
from typing import Any

import pikepdf
import pikepdf.exceptions
from PIL import Image

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
