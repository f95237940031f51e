"""A PDF as the rules of PDF/X look at it: its pages, every content stream with its resources, every stream."""

import re
import warnings
from collections.abc import Iterator
from dataclasses import field
from functools import cached_property

import pikepdf
from pikepdf import Object, Page, Stream

from generator.dataclass import dataclass
from generator.printshop.foreign_pdf import UNREAD, ReadingLimits, reason
from generator.printshop.pdfx.values import data, identity, part, parts, row, word

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
