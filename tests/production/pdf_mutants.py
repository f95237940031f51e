"""Sound PDFs spoilt by chance from a seed: bytes, keys, trees, streams and boxes that no reader expects."""

import io
import random
import zlib
from collections.abc import Callable, Iterator

import pikepdf
from pikepdf import Array, Dictionary, Name, Stream, String

from generator.production.preflight.pdf_document import BROKEN_FILE_ERRORS

Mutation = Callable[[random.Random, bytes], bytes]

_PACKINGS = (
    "/FlateDecode", "/LZWDecode", "/RunLengthDecode", "/ASCII85Decode", "/ASCIIHexDecode", "/DCTDecode", "/JPXDecode",
    "/JBIG2Decode", "/CCITTFaxDecode", "/Crypt", "/Nonsense",
)  # fmt: skip
_RAW = (
    b"nan", b"1e999", b"-99999999999999999999", b"0.0000000000000000000001", b"null", b"true", b"/#80#FF", b"/A#00", b"()",
    b"(\\377\\376)", b"[]", b"<<>>", b"[[[[[[[[]]]]]]]]", b"99999 0 R", b"1 0 R", b"/DeviceN", b"<</FunctionType 4>>",
)  # fmt: skip
_BOXES = ([0, 0, 0, 0], [0, 0, 9e7, 9e7], [9, 9, -9, -9], [1, 2], [-3e38, 0, 3e38, 1], [0, 0, 1e-9, 1e-9])


def _flipped(chance: random.Random, data: bytes) -> bytes:
    spoilt = bytearray(data)
    for _ in range(chance.randint(1, 30)):
        spoilt[chance.randrange(len(spoilt))] ^= 1 << chance.randrange(8)
    return bytes(spoilt)


def _cut(chance: random.Random, data: bytes) -> bytes:
    at = chance.randrange(len(data))
    return data[:at] if chance.random() < 0.5 else data[:at] + data[at + chance.randint(1, 2000) :]


def _doubled(chance: random.Random, data: bytes) -> bytes:
    at, to = chance.randrange(len(data)), chance.randrange(len(data))
    return data[:to] + data[at : at + chance.randint(1, 3000)] + data[to:]


def _reworded(chance: random.Random, data: bytes) -> bytes:
    """Another number, name or reference where one was, in the bytes themselves."""
    pieces = data.split(b" ")
    for _ in range(chance.randint(1, 4)):
        pieces[chance.randrange(len(pieces))] = chance.choice(_RAW)
    return b" ".join(pieces)


def _holders(pdf: pikepdf.Pdf) -> list[pikepdf.Object]:
    """Every dictionary and stream of the file, and those within."""
    found, waiting = [], [thing for thing in pdf.objects if isinstance(thing, (Dictionary, Stream))]
    while waiting and len(found) < 2000:
        thing = waiting.pop()
        found.append(thing)
        waiting += [
            value for value in dict(thing.items()).values() if isinstance(value, Dictionary) and not value.is_indirect
        ]
    return found


def _opened(change: Callable[[random.Random, pikepdf.Pdf], None]) -> Mutation:
    def mutate(chance: random.Random, data: bytes) -> bytes:
        with pikepdf.open(io.BytesIO(data)) as pdf:
            change(chance, pdf)
            out = io.BytesIO()
            modes = (pikepdf.ObjectStreamMode.disable, pikepdf.ObjectStreamMode.generate)
            pdf.save(out, static_id=True, object_stream_mode=chance.choice(modes))
            return out.getvalue()

    return mutate


def _wrong_values(chance: random.Random, pdf: pikepdf.Pdf) -> None:
    """Values of another kind under some keys."""
    holders = _holders(pdf)
    for _ in range(chance.randint(1, 4)):
        holder = chance.choice(holders)
        keys = [key for key in holder.keys() if key not in ("/Length", "/Filter")]  # noqa: SIM118 - a PDF's dictionary
        if keys:
            holder[chance.choice(keys)] = _value(chance, pdf, holders)


def _value(chance: random.Random, pdf: pikepdf.Pdf, holders: list[pikepdf.Object]) -> object:
    odd: list[object] = [
        -1, 0, 2**31, 2**63 - 1, 1e30, True, Name("/Nothing"), String("x" * 50), Array([]), Dictionary(), Array([1] * 9),
        pdf.make_stream(b"q"), Array([Name.Indexed, Name.DeviceRGB, 255, b"abc"]), Array([Name.ICCBased, 3]),
    ]  # fmt: skip
    near = [holder for holder in holders if holder.is_indirect]
    return chance.choice(near) if near and chance.random() < 0.4 else chance.choice(odd)


def _cycle(chance: random.Random, pdf: pikepdf.Pdf) -> None:
    """Something that holds itself, a few steps down."""
    holders = [holder for holder in _holders(pdf) if holder.is_indirect]
    first, last = chance.choice(holders), chance.choice(holders)
    keys = (
        "/Kids", "/Parent", "/XObject", "/Font", "/Resources", "/SMask", "/Next", "/First", "/DescendantFonts",
        "/Functions",
    )  # fmt: skip
    for one, other in ((first, last), (last, first)):
        key = chance.choice(keys)
        one[key] = Array([other]) if key in ("/Kids", "/DescendantFonts", "/Functions") else other


def _deep(chance: random.Random, pdf: pikepdf.Pdf) -> None:
    """A value nested very deep."""
    value: object = 1
    for _ in range(chance.choice((50, 90))):
        value = Array([value]) if chance.random() < 0.7 else Dictionary(Deep=value)
    chance.choice(_holders(pdf))[
        chance.choice(("/MediaBox", "/Resources", "/Contents", "/Encoding", "/ColorSpace"))
    ] = value


def _boxes(chance: random.Random, pdf: pikepdf.Pdf) -> None:
    page = chance.choice(list(pdf.pages)).obj
    for key in ("/MediaBox", "/CropBox", "/TrimBox", "/BleedBox", "/ArtBox"):
        if chance.random() < 0.4:
            page[key] = Array(chance.choice(_BOXES))
    page["/Rotate"] = chance.choice((0, 90, 45, -90, 10**12))
    page["/UserUnit"] = chance.choice((1, 0, -1, 1e9))


def _packed(chance: random.Random, pdf: pikepdf.Pdf) -> None:
    """A stream that says it is packed otherwise than it is."""
    streams = [thing for thing in pdf.objects if isinstance(thing, Stream)]
    stream = chance.choice(streams)
    names = [Name(chance.choice(_PACKINGS)) for _ in range(chance.randint(1, 3))]
    data = stream.read_raw_bytes()
    stream.write(zlib.compress(data) if chance.random() < 0.3 else data, filter=Array(names), decode_parms=None)


def _garbled(chance: random.Random, pdf: pikepdf.Pdf) -> None:
    """Content with pieces of other kinds in it."""
    page = chance.choice(list(pdf.pages)).obj
    words = page.Contents.read_bytes().split(b" ")
    for _ in range(chance.randint(1, 20)):
        words.insert(
            chance.randrange(len(words)),
            chance.choice((*_RAW, b"Do", b"sh", b"gs", b"BI ID", b"q", b"Q", b"Tj", b"scn")),
        )
    page.Contents = pdf.make_stream(b" ".join(words))


def _locked(chance: random.Random, data: bytes) -> bytes:
    out = io.BytesIO()
    with pikepdf.open(io.BytesIO(data)) as pdf:
        user = chance.choice(("", "x"))
        pdf.save(out, encryption=pikepdf.Encryption(owner="o", user=user))
    return _flipped(chance, out.getvalue()) if chance.random() < 0.5 else out.getvalue()


MUTATIONS: dict[str, Mutation] = {
    "flipped": _flipped, "cut": _cut, "doubled": _doubled, "reworded": _reworded, "locked": _locked,
    "wrong values": _opened(_wrong_values), "cycle": _opened(_cycle), "deep": _opened(_deep), "boxes": _opened(_boxes),
    "packed": _opened(_packed), "garbled": _opened(_garbled),
}  # fmt: skip


def mutants(sound: list[bytes], number: int, seed: int) -> Iterator[tuple[str, bytes]]:
    """So many spoilt files with their names; equal seeds give equal files."""
    for at in range(number):
        chance = random.Random(f"{seed} {at}")
        kind = list(MUTATIONS)[at % len(MUTATIONS)]
        data = chance.choice(sound)
        for _ in range(chance.choice((1, 1, 2))):
            try:
                data = MUTATIONS[kind](chance, data)
            except BROKEN_FILE_ERRORS:  # it can't be written so: as far as it came
                break
        yield f"{seed}-{at} {kind}", data
