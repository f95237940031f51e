"""A PDF for the rules of PDF/X: its values, pages, streams and colours."""

import re
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from hashlib import sha256
from itertools import chain

import pikepdf
from pikepdf import Array, Dictionary, Name, Object, Page, Stream, String

from generator.production.preflight.pdf_document import (
    BROKEN_FILE_ERRORS,
    READING_ERRORS,
    PageBox,
    ReadingLimits,
    find_inherited_entry,
    format_reason,
    unpack_stream,
)

_DEEPEST = 12
_PACKING = {"/Length", "/Filter", "/DecodeParms"}


def get_entry(holder: object, *path: str) -> object:
    """Return the value at a path of keys, or None if it doesn't lead through dictionaries or streams."""
    for key in path:
        holder = holder.get(key) if isinstance(holder, (Dictionary, Stream)) else None
    return holder


def get_entries(holder: object, *path: str) -> Mapping[str, object]:
    """Return the entries of the dictionary at a path of keys; empty if there is none."""
    inside = get_entry(holder, *path)
    return dict(inside.items()) if isinstance(inside, (Dictionary, Stream)) else {}


def list_members(holder: object, *path: str) -> list[object]:
    """Return the members of the array at a path of keys, or an empty list for anything else."""
    value = get_entry(holder, *path)
    return list(value) if isinstance(value, Array) else []


def list_names(holder: object, *path: str) -> list[str]:
    """Return the names in the array at a path of keys, or the one name there; other values give empty strings."""
    value = get_entry(holder, *path)
    members = list_members(value) if isinstance(value, Array) else [] if value is None else [value]
    return [get_name(member) for member in members]


def get_name(holder: object, *path: str) -> str:
    """Return the name at a path of keys, with its slash, or an empty string for anything else."""
    value = get_entry(holder, *path)
    return str(value) if isinstance(value, Name) else ""


def get_text(holder: object, *path: str) -> str:
    """Return the string at a path of keys, or an empty one for anything else."""
    value = get_entry(holder, *path)
    return str(value) if isinstance(value, String) else ""


def get_number(holder: object, *path: str) -> float | None:
    """Return the number at a path of keys, or None for anything else."""
    value = get_entry(holder, *path)
    if isinstance(value, bool) or not isinstance(value, (int, float, Decimal)):
        return None
    return float(value)


def get_box(holder: object, *path: str) -> PageBox | None:
    """Return the four numbers at a path of keys as left, bottom, right, top, or None for anything else."""
    members = list_members(holder, *path)
    numbers = [number for number in map(get_number, members) if number is not None]
    if len(members) != 4 or len(numbers) != 4:
        return None
    first, second, third, fourth = numbers
    return (min(first, third), min(second, fourth), max(first, third), max(second, fourth))


def get_object_number(value: object) -> tuple[int, int]:
    """Return (number, generation) of an indirect object, or (0, 0) for one that is written in its place."""
    return value.objgen if isinstance(value, Object) else (0, 0)


def decode_data(holder: object, *path: str) -> bytes:
    """Return the unpacked data of the stream at a path of keys, or empty bytes on failure."""
    value = get_entry(holder, *path)
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
        unknown = number is None and isinstance(value, Object)
        said = value.unparse() if unknown else repr(value if number is None else number).encode()  # type: ignore[attr-defined]
    found = sha256(said).digest()
    if key[0]:
        known[key] = found
    return found


_STREAM = re.compile(r"stream <[^>]*>[:,]? *")
"""The label that the PDF library gives to data from memory in messages. It differs in each run."""

_KINDS = {"rg": "/DeviceRGB", "RG": "/DeviceRGB", "k": "/DeviceCMYK", "K": "/DeviceCMYK"}
"""Operators that select a colour space by themselves. g and G are missing, because grey may always be printed."""


@dataclass(slots=True)
class StreamFacts:
    """The operators in a content stream, its named colour spaces and inline images, and any error in reading it."""

    operators: set[str] = field(default_factory=set)
    spaces: set[str] = field(default_factory=set)
    images: list[Object] = field(default_factory=list)
    broken: str = ""


@dataclass(frozen=True, slots=True)
class Scope:
    """A content stream used on a page (from 1), the object that has it (`source`), and its resources, all in use."""

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
    def metadata(self) -> dict[str, str] | None:
        """Return the texts of the XMP packet by `{namespace}name`, or None if there is none that can be read."""
        if not decode_data(self.root, "/Metadata").strip():
            return None
        try:
            packet = self.pdf.open_metadata(set_pikepdf_as_editor=False, update_docinfo=False, strict=True)
            values = ((str(key), packet[key]) for key in packet)
            return {key: "; ".join(map(str, one)) if isinstance(one, list) else str(one or "") for key, one in values}
        except (SyntaxError, ValueError, pikepdf.PdfError):  # lxml raises SyntaxError
            return None

    @cached_property
    def intents(self) -> list[object]:
        """Return the output intents for PDF/X."""
        return [intent for intent in list_members(self.root, "/OutputIntents") if get_name(intent, "/S") == "/GTS_PDFX"]

    @cached_property
    def profile(self) -> bytes:
        """Return the ICC profile of the first output intent for PDF/X, or empty bytes."""
        return decode_data(self.intents[0], "/DestOutputProfile") if self.intents else b""

    def _scopes_of_page(self, number: int, page: Page) -> Iterator[Scope]:
        waiting: list[tuple[object, object]] = [(page.obj, find_inherited_entry(page.obj, "/Resources"))]
        for annotation in list_members(page.obj, "/Annots"):
            for look in get_entries(annotation, "/AP").values():
                states = [look] if isinstance(look, Stream) else get_entries(look).values()
                waiting += [(state, None) for state in states if isinstance(state, Stream)]
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


def _iter_children(resources: object) -> Iterator[tuple[object, object]]:
    """Yield the content streams in a resource dictionary, each with the resources to use if it has none of its own."""
    for thing in get_entries(resources, "/XObject").values():
        if get_name(thing, "/Subtype") == "/Form":
            yield thing, resources
    for pattern in get_entries(resources, "/Pattern").values():
        if isinstance(pattern, Stream):
            yield pattern, resources
    for font in get_entries(resources, "/Font").values():
        own = get_entry(font, "/Resources") or resources
        yield from ((drawn, own) for drawn in get_entries(font, "/CharProcs").values() if isinstance(drawn, Stream))
    for state in get_entries(resources, "/ExtGState").values():
        mask = get_entry(state, "/SMask", "/G")
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


Part = tuple[int, str, object]
"""A part of a file: its page (from 1; 0 for the whole file), its name in messages, and its value."""

Breaches = Iterator[tuple[int, str]]
"""For each breach of a rule: its page (0 for the whole file) and a description."""


def iter_xobjects(pdf: OpenPdf) -> Iterator[Part]:
    """Yield (page, name in messages, object) of the forms and pictures of every scope."""
    for scope in pdf.scopes:
        yield from ((scope.page, name[1:], thing) for name, thing in get_entries(scope.resources, "/XObject").items())


def iter_states(pdf: OpenPdf) -> Iterator[Part]:
    """Yield (page, name in messages, object) of the graphics states of every scope."""
    for scope in pdf.scopes:
        yield from ((scope.page, name[1:], state) for name, state in get_entries(scope.resources, "/ExtGState").items())


def iter_descriptors(pdf: OpenPdf) -> Iterator[Part]:
    """Yield (page, font name, descriptor) of each font, except those whose glyphs are content streams (Type 3)."""
    for scope in pdf.scopes:
        for font in get_entries(scope.resources, "/Font").values():
            if get_name(font, "/Subtype") != "/Type3":
                holder = (list_members(font, "/DescendantFonts") or [font])[0]
                yield scope.page, get_name(font, "/BaseFont").strip("/") or "?", get_entry(holder, "/FontDescriptor")


_PRINTED = {"/DeviceGray", "/DeviceCMYK", "/Separation", "/DeviceN", "/Indexed", "/Pattern"}
_DEVICES = {"/DeviceRGB": "/DefaultRGB", "/DeviceCMYK": "/DefaultCMYK"}
"""Device spaces that print only with an output intent, or if the default space named here replaces them."""

_OWN_DEVICE = {b"RGB ": "/DeviceRGB", b"GRAY": ""}
"""The device space that a press prints directly, by its profile's colour space. Other presses print CMYK."""

_DEEPEST_SPACE = 8
"""Largest depth of nested colour spaces; deeper ones are ignored."""


def _iter_uses(scope: Scope) -> Iterator[tuple[str, object]]:
    """Yield (user, colour space) for each space that a stream may use; the user is a text such as `a picture`."""
    resources = scope.resources
    yield from (("content", Name(name)) for name in sorted(scope.content.spaces & _DEVICES.keys()))
    yield from (("content", space) for space in get_entries(resources, "/ColorSpace").values())
    yield from (("an inline image", get_entry(image, "/ColorSpace")) for image in scope.content.images)
    for thing in get_entries(resources, "/XObject").values():
        if get_name(thing, "/Subtype") == "/Image":
            yield "a picture", get_entry(thing, "/ColorSpace")
    shadings = list(get_entries(resources, "/Shading").values())
    patterns = get_entries(resources, "/Pattern").values()
    for shading in chain(shadings, (get_entry(pattern, "/Shading") for pattern in patterns)):
        yield "a gradient", get_entry(shading, "/ColorSpace")
    yield "a transparency group", get_entry(scope.source, "/Group", "/CS")


def _iter_families(space: object, resources: object, depth: int = 0) -> Iterator[tuple[str, object]]:
    """Yield (family, space) for a colour space and those inside it; the family is its PDF name, such as `/ICCBased`."""
    members = list_members(space)
    family = get_name(members[0] if members else space)
    if depth > _DEEPEST_SPACE or not family:
        return
    local = get_entry(resources, "/ColorSpace", family) if not members else None
    if local is not None and family not in _PRINTED | _DEVICES.keys():
        yield from _iter_families(local, resources, depth + 1)
        return
    yield family, space
    base = {"/Indexed": 1, "/Pattern": 1, "/Separation": 2, "/DeviceN": 2}.get(family)
    if base and len(members) > base:
        yield from _iter_families(members[base], resources, depth + 1)


def _iter_used_spaces(pdf: OpenPdf) -> Iterator[tuple[Scope, str, str, object]]:
    for scope in pdf.scopes:
        for user, space in _iter_uses(scope):
            for family, inner in _iter_families(space, scope.resources):
                yield scope, user, family, inner


def find_unprinted_colours(pdf: OpenPdf) -> Breaches:
    """Report the colours that are neither grey, CMYK nor spot inks: RGB, Lab and ICC-based."""
    for scope, user, family, _ in _iter_used_spaces(pdf):
        if family not in _PRINTED:
            yield scope.page, f"{user} is in {family[1:]}"


def find_device_colours(pdf: OpenPdf) -> Breaches:
    """Report device colours that the output intent doesn't define: DeviceRGB on a CMYK press, without a default."""
    own = _OWN_DEVICE.get(pdf.profile[16:20], "/DeviceCMYK")
    for scope, user, family, _ in _iter_used_spaces(pdf):
        if family not in _DEVICES or family == own:
            continue
        if get_entry(scope.resources, "/ColorSpace", _DEVICES[family]) is None:
            yield scope.page, f"{user} is in {family[1:]}, which the output intent doesn't define"


def find_repeated_profile(pdf: OpenPdf) -> Breaches:
    """Report ICC colours with the output intent's own profile: a conversion would change only black and overprint."""
    for scope, user, family, space in _iter_used_spaces(pdf) if pdf.profile else ():
        if family == "/ICCBased" and any(decode_data(member) == pdf.profile for member in list_members(space)[1:2]):
            yield scope.page, f"{user} has the same profile as the output intent"


def find_different_spots(pdf: OpenPdf) -> Breaches:
    """Report spot inks of one name that are defined with different alternate colours."""
    known, read = dict[str, object](), dict[tuple[int, int, int], bytes]()
    for scope, _, family, space in _iter_used_spaces(pdf):
        members = list_members(space)
        if family != "/Separation" or len(members) < 4:
            continue
        name, described = get_name(members[1]), (value_to_bytes(members[2], read), value_to_bytes(members[3], read))
        if known.setdefault(name, described) != described:
            yield scope.page, f"the spot colour {name[1:]} has two different definitions"
