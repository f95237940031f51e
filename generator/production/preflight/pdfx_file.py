"""A PDF for the rules of PDF/X: its values, pages and streams, and the class of rules."""

import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from hashlib import sha256

import pikepdf
from pikepdf import Array, Dictionary, Name, Object, Page, Stream, String

from generator.production.finish_pdf import Standard
from generator.production.preflight.pdf_document import (
    BROKEN_FILE_ERRORS,
    READING_ERRORS,
    ReadingLimits,
    format_reason,
    unpack_stream,
)
from generator.production.preflight.preflight_report import Finding

_DEEPEST = 12
_PACKING = {"/Length", "/Filter", "/DecodeParms"}

PointsBox = tuple[float, float, float, float]
"""Left, bottom, right and top, in points."""


def get_entry(holder: object, key: str) -> object:
    """Return the value of `key`, or None if there is none or `holder` is neither dictionary nor stream."""
    return holder.get(key) if isinstance(holder, (Dictionary, Stream)) else None


def get_entries(holder: object, key: str = "") -> Mapping[str, object]:
    """Return the entries of a dictionary, or of the one at `key`; empty if there is none."""
    inside = get_entry(holder, key) if key else holder
    return dict(inside.items()) if isinstance(inside, (Dictionary, Stream)) else {}


def list_members(value: object) -> list[object]:
    """Return the members of an array, or an empty list for anything else."""
    return list(value) if isinstance(value, Array) else []


def list_pdf_values(value: object) -> list[object]:
    """Return the members of an array, or the one value in its place."""
    return list_members(value) if isinstance(value, Array) else [] if value is None else [value]


def get_name(value: object) -> str:
    """Return a name with its slash, or an empty string for anything else."""
    return str(value) if isinstance(value, Name) else ""


def get_text(value: object) -> str:
    """Return a string, or an empty one for anything else."""
    return str(value) if isinstance(value, String) else ""


def get_number(value: object) -> float | None:
    """Return a number, or None for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, float, Decimal)):
        return None
    return float(value)


def get_box(value: object) -> PointsBox | None:
    """Return four numbers in the order left, bottom, right, top, or None for anything else."""
    members = list_members(value)
    numbers = [number for number in map(get_number, members) if number is not None]
    if len(members) != 4 or len(numbers) != 4:
        return None
    first, second, third, fourth = numbers
    return (min(first, third), min(second, fourth), max(first, third), max(second, fourth))


def get_object_number(value: object) -> tuple[int, int]:
    """Return the number of an indirect object, or (0, 0) for a direct one."""
    return value.objgen if isinstance(value, Object) else (0, 0)


def decode_data(value: object) -> bytes:
    """Return the decoded data of a stream, or empty bytes on failure."""
    if not isinstance(value, Stream):
        return b""
    try:
        return unpack_stream(value)
    except BROKEN_FILE_ERRORS:
        return b""


def value_to_bytes(value: object, known: dict[tuple[int, int, int], bytes], depth: int = 0) -> bytes:
    """Return a value as bytes. Equal values give equal bytes, however they are split into objects.

    Results are stored in `known`, so that objects that contain each other many times are read only a few times.
    """
    if depth > _DEEPEST:
        return b""
    key = (*get_object_number(value), depth)
    if key[0] and key in known:
        return known[key]
    if isinstance(value, Array):
        said = b"[" + b" ".join([value_to_bytes(member, known, depth + 1) for member in value])
    elif isinstance(value, (Dictionary, Stream)):
        entries = sorted((name, inner) for name, inner in value.items() if name not in _PACKING)
        inside = [name.encode() + b" " + value_to_bytes(inner, known, depth + 1) for name, inner in entries]
        said = b"<" + sha256(decode_data(value)).digest() + b" ".join(inside)
    else:
        number = get_number(value)
        said = repr(number).encode() if number is not None else _unparse_value(value)
    found = sha256(said).digest()
    if key[0]:
        known[key] = found
    return found


def _unparse_value(value: object) -> bytes:
    return value.unparse() if isinstance(value, Object) else repr(value).encode()


_STREAM = re.compile(r"stream <[^>]*>[:,]? *")
"""The name that qpdf gives a file from memory. It differs in each run."""

_KINDS = {"rg": "/DeviceRGB", "RG": "/DeviceRGB", "k": "/DeviceCMYK", "K": "/DeviceCMYK"}
"""Operators that choose a colour space themselves. g and G are missing, because grey may always be printed."""


@dataclass(slots=True)
class StreamFacts:
    """The operators of a content stream, its named colour spaces and inline images, and why it can't be read."""

    operators: set[str] = field(default_factory=set)
    spaces: set[str] = field(default_factory=set)
    images: list[Object] = field(default_factory=list)
    broken: str = ""


@dataclass(frozen=True, slots=True)
class Scope:
    """A content stream as a page draws it (from 1). All its resources count as used."""

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
        """Return the catalog."""
        return self.pdf.Root

    @cached_property
    def info(self) -> object:
        """Return the document information, or None."""
        return self.pdf.trailer.get("/Info")

    @cached_property
    def pages(self) -> tuple[tuple[int, Page], ...]:
        """Return the pages with their numbers, from 1."""
        return tuple(enumerate(self.pdf.pages, 1))

    @cached_property
    def repairs(self) -> tuple[str, ...]:
        """Return the repairs that were needed to open the file and to find its pages."""
        self.pdf.pages.__len__()  # finding the pages triggers the warnings
        return tuple(_STREAM.sub("", warning) for warning in self.pdf.get_warnings())

    @cached_property
    def streams(self) -> tuple[Stream, ...]:
        """Return every stream of the file."""
        return tuple(thing for thing in self.pdf.objects if isinstance(thing, Stream))

    @cached_property
    def scopes(self) -> tuple[Scope, ...]:
        """Return every content stream of every page, including forms, patterns, glyphs, soft masks and annotations."""
        return tuple(scope for number, page in self.pages for scope in self._scopes_of_page(number, page))

    @cached_property
    def metadata(self) -> "Metadata | None":
        """Return the XMP packet, or None if there is none that can be read."""
        if not decode_data(get_entry(self.root, "/Metadata")).strip():
            return None
        try:
            packet = self.pdf.open_metadata(set_pikepdf_as_editor=False, update_docinfo=False, strict=True)
            return Metadata({str(key): packet[key] for key in packet})
        except (SyntaxError, ValueError, pikepdf.PdfError):  # lxml raises SyntaxError
            return None

    @cached_property
    def intents(self) -> list[object]:
        """Return the output intents for PDF/X."""
        return [
            intent
            for intent in list_members(get_entry(self.root, "/OutputIntents"))
            if get_name(get_entry(intent, "/S")) == "/GTS_PDFX"
        ]

    @cached_property
    def profile(self) -> bytes:
        """Return the ICC profile of the first output intent for PDF/X, or empty bytes."""
        return decode_data(get_entry(self.intents[0], "/DestOutputProfile")) if self.intents else b""

    def _scopes_of_page(self, number: int, page: Page) -> Iterator[Scope]:
        waiting: list[tuple[object, object]] = [(page.obj, _page_resources(page))]
        waiting += [(look, None) for look in _iter_appearances(page)]
        seen: set[tuple[int, int]] = set()
        while waiting:
            source, around = waiting.pop()
            if get_object_number(source) in seen:
                continue
            seen.add(get_object_number(source))
            resources = get_entry(source, "/Resources") or around
            key = get_object_number(source)
            if key not in self._contents:
                self._contents[key] = _read_stream(source, self._reading)
            yield Scope(number, source, resources, self._contents[key])
            waiting += _iter_children(resources)


@dataclass(frozen=True, slots=True)
class Metadata:
    """The properties of an XMP packet, by `{namespace}name`."""

    values: dict[str, object]

    def get_text(self, key: str) -> str:
        """Return a property as text, with the members of a list joined; empty if there is none."""
        value = self.values.get(key)
        return "; ".join(map(str, value)) if isinstance(value, list) else str(value or "")


def _page_resources(page: Page) -> object:
    """Return a page's resources, which may come from the page tree above it."""
    holder: object = page.obj
    for _ in range(50):
        found = get_entry(holder, "/Resources")
        if found is not None:
            return found
        holder = get_entry(holder, "/Parent")
    return None


def _iter_appearances(page: Page) -> Iterator[object]:
    for annotation in list_members(get_entry(page.obj, "/Annots")):
        for look in get_entries(annotation, "/AP").values():
            states = [look] if isinstance(look, Stream) else get_entries(look).values()
            yield from (state for state in states if isinstance(state, Stream))


def _iter_children(resources: object) -> Iterator[tuple[object, object]]:
    """Yield the content streams of resources, each with the resources that it inherits if it has none."""
    for thing in get_entries(resources, "/XObject").values():
        if get_name(get_entry(thing, "/Subtype")) == "/Form":
            yield thing, resources
    for pattern in get_entries(resources, "/Pattern").values():
        if isinstance(pattern, Stream):
            yield pattern, resources
    for font in get_entries(resources, "/Font").values():
        own = get_entry(font, "/Resources") or resources
        yield from ((drawn, own) for drawn in get_entries(font, "/CharProcs").values() if isinstance(drawn, Stream))
    for state in get_entries(resources, "/ExtGState").values():
        mask = get_entry(get_entry(state, "/SMask"), "/G")
        if isinstance(mask, Stream):
            yield mask, resources


def _read_stream(source: object, reading: ReadingLimits) -> StreamFacts:
    content = StreamFacts()
    if not isinstance(source, Object):
        return content
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # a truncated stream gives only a warning
            with reading.read_instructions(source) as steps:
                for step in steps:
                    _note_step(step, content)
    except READING_ERRORS as error:
        content.broken = format_reason(error)
    return content


def _note_step(step: object, content: StreamFacts) -> None:
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
        content.spaces.add(get_name(step.operands[0]))


BOTH: tuple[Standard, ...] = ("pdfx4", "pdfx1a")

RuleFinding = tuple[int, str]
"""The page with the problem (from 1; 0 for the whole file), and its description."""


@dataclass(frozen=True, slots=True)
class PdfxRule:
    """A requirement of PDF/X: its name, the clause in our words, its standards, and what finds breaches."""

    id: str
    says: str
    standards: tuple[Standard, ...]
    find: Callable[[OpenPdf], Iterable[RuleFinding]]

    def iter_findings(self, subject: OpenPdf) -> Iterator[Finding]:
        """Yield every breach of this rule once."""
        try:
            for page, what in dict.fromkeys(self.find(subject)):
                yield Finding(self.id, "error", page, None, what)
        except READING_ERRORS as error:
            yield Finding(self.id, "error", 0, None, f"this can't be checked: {format_reason(error)}")


def pdfx_rule(
    name: str, says: str, standards: tuple[Standard, ...] = BOTH
) -> Callable[[Callable[[OpenPdf], Iterable[RuleFinding]]], PdfxRule]:
    """Make a function a rule: it yields the breaches."""
    return lambda find: PdfxRule(name, says, standards, find)
