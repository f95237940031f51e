"""A PDF as the rules of PDF/X read it: its values, pages, streams; and what a rule is."""

import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field
from decimal import Decimal
from functools import cached_property
from hashlib import sha256

import pikepdf
from pikepdf import Array, Dictionary, Name, Object, Page, Stream, String

from generator.base.dataclass import dataclass
from generator.production.finish_pdf import Standard
from generator.production.preflight.pdf_document import BROKEN, UNREAD, ReadingLimits, reason, unpack
from generator.production.preflight.preflight_report import Finding

_DEEPEST = 12
_PACKING = {"/Length", "/Filter", "/DecodeParms"}

Box = tuple[float, float, float, float]
"""Left, foot, right and top, in points."""


def part(holder: object, key: str) -> object:
    """The value of `key` in a dictionary or stream; None if it has no such key, or `holder` is neither."""
    return holder.get(key) if isinstance(holder, (Dictionary, Stream)) else None


def parts(holder: object, key: str = "") -> Mapping[str, object]:
    """The entries of a dictionary, or of the one below its `key`; empty where there is none."""
    inside = part(holder, key) if key else holder
    return dict(inside.items()) if isinstance(inside, (Dictionary, Stream)) else {}


def row(value: object) -> list[object]:
    """The members of an array; none where it isn't one."""
    return list(value) if isinstance(value, Array) else []


def several(value: object) -> list[object]:
    """The members of an array, or the one value that stands in its place."""
    return row(value) if isinstance(value, Array) else [] if value is None else [value]


def word(value: object) -> str:
    """A name with its slash; empty where it isn't one."""
    return str(value) if isinstance(value, Name) else ""


def text(value: object) -> str:
    """A string; empty where it isn't one."""
    return str(value) if isinstance(value, String) else ""


def figure(value: object) -> float | None:
    """A number; None where it isn't one."""
    if isinstance(value, bool) or not isinstance(value, (int, float, Decimal)):
        return None
    return float(value)


def box(value: object) -> Box | None:
    """Four numbers in the order left, foot, right, top; None where it isn't four numbers."""
    members = row(value)
    numbers = [number for number in map(figure, members) if number is not None]
    if len(members) != 4 or len(numbers) != 4:
        return None
    first, second, third, fourth = numbers
    return (min(first, third), min(second, fourth), max(first, third), max(second, fourth))


def identity(value: object) -> tuple[int, int]:
    """The number of an indirect object; (0, 0) of a direct one."""
    return value.objgen if isinstance(value, Object) else (0, 0)


def data(value: object) -> bytes:
    """A stream's data, decoded; empty where it can't be."""
    if not isinstance(value, Stream):
        return b""
    try:
        return unpack(value)
    except BROKEN:
        return b""


def value_as_bytes(value: object, known: dict[tuple[int, int, int], bytes], depth: int = 0) -> bytes:
    """A value by what it says, not by where it stands: equal things are equal, however they are split into objects.

    What was read stays in `known`, so that a few objects that hold each other many times are read a few times.
    """
    if depth > _DEEPEST:
        return b""
    key = (*identity(value), depth)
    if key[0] and key in known:
        return known[key]
    if isinstance(value, Array):
        said = b"[" + b" ".join([value_as_bytes(member, known, depth + 1) for member in value])
    elif isinstance(value, (Dictionary, Stream)):
        entries = sorted((name, inner) for name, inner in value.items() if name not in _PACKING)
        inside = [name.encode() + b" " + value_as_bytes(inner, known, depth + 1) for name, inner in entries]
        said = b"<" + sha256(data(value)).digest() + b" ".join(inside)
    else:
        number = figure(value)
        said = repr(number).encode() if number is not None else _plain(value)
    found = sha256(said).digest()
    if key[0]:
        known[key] = found
    return found


def _plain(value: object) -> bytes:
    return value.unparse() if isinstance(value, Object) else repr(value).encode()


_STREAM = re.compile(r"stream <[^>]*>[:,]? *")
"""What qpdf calls a file that it has from memory; it would be another one each time."""

_KINDS = {"rg": "/DeviceRGB", "RG": "/DeviceRGB", "k": "/DeviceCMYK", "K": "/DeviceCMYK"}
"""Operators that choose a colour space themselves; g and G are left out, as grey may be printed anywhere."""


@dataclass(slots=True)
class StreamFacts:
    """What a content stream does: operators, colour spaces chosen by name, inline images; why it can't be read."""

    operators: set[str] = field(default_factory=set)
    spaces: set[str] = field(default_factory=set)
    images: list[Object] = field(default_factory=list)
    broken: str = ""


@dataclass(frozen=True, slots=True)
class Scope:
    """A content stream as a page draws it (from 1). Resources that are there count as used."""

    page: int
    source: object
    resources: object
    content: StreamFacts


class OpenPdf:
    """An open PDF. Streams are read once, however many pages draw them."""

    def __init__(self, pdf: pikepdf.Pdf):
        self.pdf = pdf
        self._contents: dict[tuple[int, int], StreamFacts] = {}
        self._reading = ReadingLimits()

    @cached_property
    def root(self) -> Object:
        """The catalog."""
        return self.pdf.Root

    @cached_property
    def info(self) -> object:
        """The document information; None if the file has none."""
        return self.pdf.trailer.get("/Info")

    @cached_property
    def pages(self) -> tuple[tuple[int, Page], ...]:
        """The pages with their numbers, from 1."""
        return tuple(enumerate(self.pdf.pages, 1))

    @cached_property
    def repairs(self) -> tuple[str, ...]:
        """What had to be repaired when the file was opened and its pages were found."""
        self.pdf.pages.__len__()  # finding them is what tells
        return tuple(_STREAM.sub("", warning) for warning in self.pdf.get_warnings())

    @cached_property
    def streams(self) -> tuple[Stream, ...]:
        """Every stream of the file."""
        return tuple(thing for thing in self.pdf.objects if isinstance(thing, Stream))

    @cached_property
    def scopes(self) -> tuple[Scope, ...]:
        """Every content stream of every page: forms, patterns, drawn characters, soft masks and annotations too."""
        return tuple(scope for number, page in self.pages for scope in self._scopes_of_page(number, page))

    @cached_property
    def metadata(self) -> "Metadata | None":
        """The XMP packet; None if the file has none that can be read."""
        if not data(part(self.root, "/Metadata")).strip():
            return None
        try:
            packet = self.pdf.open_metadata(set_pikepdf_as_editor=False, update_docinfo=False, strict=True)
            return Metadata({str(key): packet[key] for key in packet})
        except (SyntaxError, ValueError, pikepdf.PdfError):  # lxml's errors of syntax are SyntaxErrors
            return None

    @cached_property
    def intents(self) -> list[object]:
        """The output intents for PDF/X."""
        return [intent for intent in row(part(self.root, "/OutputIntents")) if word(part(intent, "/S")) == "/GTS_PDFX"]

    @cached_property
    def profile(self) -> bytes:
        """The ICC profile of the first output intent for PDF/X; empty where there is none."""
        return data(part(self.intents[0], "/DestOutputProfile")) if self.intents else b""

    def _scopes_of_page(self, number: int, page: Page) -> Iterator[Scope]:
        waiting: list[tuple[object, object]] = [(page.obj, _page_resources(page))]
        waiting += [(look, None) for look in _appearances(page)]
        seen: set[tuple[int, int]] = set()
        while waiting:
            source, around = waiting.pop()
            if identity(source) in seen:
                continue
            seen.add(identity(source))
            resources = part(source, "/Resources") or around
            yield Scope(number, source, resources, self._content(source))
            waiting += _children(resources)

    def _content(self, source: object) -> StreamFacts:
        key = identity(source)
        if key not in self._contents:
            self._contents[key] = _read_stream(source, self._reading)
        return self._contents[key]


@dataclass(frozen=True, slots=True)
class Metadata:
    """The properties of an XMP packet, by `{namespace}name`."""

    values: dict[str, object]

    def text(self, key: str) -> str:
        """A property as text, the members of a list one after another; empty where there is none."""
        value = self.values.get(key)
        return "; ".join(map(str, value)) if isinstance(value, list) else str(value or "")


def _page_resources(page: Page) -> object:
    """A page's resources, which it may have from the tree above it."""
    holder: object = page.obj
    for _ in range(50):
        found = part(holder, "/Resources")
        if found is not None:
            return found
        holder = part(holder, "/Parent")
    return None


def _appearances(page: Page) -> Iterator[object]:
    for annotation in row(part(page.obj, "/Annots")):
        for look in parts(annotation, "/AP").values():
            states = [look] if isinstance(look, Stream) else parts(look).values()
            yield from (state for state in states if isinstance(state, Stream))


def _children(resources: object) -> Iterator[tuple[object, object]]:
    """The content streams that resources hold, each with the resources that it has if it brings none."""
    for thing in parts(resources, "/XObject").values():
        if word(part(thing, "/Subtype")) == "/Form":
            yield thing, resources
    for pattern in parts(resources, "/Pattern").values():
        if isinstance(pattern, Stream):
            yield pattern, resources
    for font in parts(resources, "/Font").values():
        own = part(font, "/Resources") or resources
        yield from ((drawn, own) for drawn in parts(font, "/CharProcs").values() if isinstance(drawn, Stream))
    for state in parts(resources, "/ExtGState").values():
        mask = part(part(state, "/SMask"), "/G")
        if isinstance(mask, Stream):
            yield mask, resources


def _read_stream(source: object, reading: ReadingLimits) -> StreamFacts:
    content = StreamFacts()
    if not isinstance(source, Object):
        return content
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # a stream that ends too early is only warned of
            with reading.instructions(source) as steps:
                for step in steps:
                    _note(step, content)
    except UNREAD as error:
        content.broken = reason(error)
    return content


def _note(step: object, content: StreamFacts) -> None:
    if isinstance(step, pikepdf.ContentStreamInlineImage):
        content.images.append(step.iimage.obj)
        return
    if not isinstance(step, pikepdf.ContentStreamInstruction):
        return
    operator = str(step.operator)
    content.operators.add(operator)
    if operator in _KINDS:
        content.spaces.add(_KINDS[operator])
    elif operator in {"cs", "CS"} and step.operands:
        content.spaces.add(word(step.operands[0]))


BOTH: tuple[Standard, ...] = ("pdfx4", "pdfx1a")

Found = tuple[int, str]
"""The page on which something was found (from 1; 0: the file as a whole), and what it is."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One demand of the standards: its name, the clause in our words, whose it is, and what finds breaches."""

    id: str
    says: str
    standards: tuple[Standard, ...]
    find: Callable[[OpenPdf], Iterable[Found]]

    def findings(self, subject: OpenPdf) -> Iterator[Finding]:
        """Every breach of this rule, once."""
        try:
            for page, what in dict.fromkeys(self.find(subject)):
                yield Finding(self.id, "error", page, None, what)
        except UNREAD as error:
            yield Finding(self.id, "error", 0, None, f"this can't be checked: {reason(error)}")


def rule(
    name: str, says: str, standards: tuple[Standard, ...] = BOTH
) -> Callable[[Callable[[OpenPdf], Iterable[Found]]], Rule]:
    """Make a function a rule: what it yields is what breaks it."""
    return lambda find: Rule(name, says, standards, find)
