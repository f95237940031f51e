"""Rules of PDF/X about the file as a whole: how it is written, and that nothing in it acts or lies elsewhere."""

from collections.abc import Iterator

from pikepdf import Array, Stream

from generator.printshop.pdfx.rule import Found, rule
from generator.printshop.pdfx.subject import OpenPdf
from generator.printshop.pdfx.values import part, parts, row, several, text, word


@rule("undamaged", "Nothing in the file needs repair.")
def undamaged(subject: OpenPdf) -> Iterator[Found]:
    """Every reader repairs in its own way."""
    if subject.repairs:
        yield 0, f"the file is damaged: {'; '.join(subject.repairs)}"


@rule("encryption", "The file is not encrypted.")
def encryption(subject: OpenPdf) -> Iterator[Found]:
    """A shop must open it without a password."""
    if subject.pdf.is_encrypted:
        yield 0, "the file is encrypted"


@rule("file-id", "The trailer holds an ID of two strings.")
def file_id(subject: OpenPdf) -> Iterator[Found]:
    """By it copies and versions are told apart."""
    names = row(subject.pdf.trailer.get("/ID"))
    if len(names) != 2 or not all(text(name) for name in names):
        yield 0, "the file has no ID"


def _version(subject: OpenPdf) -> tuple[int, ...]:
    said = [subject.pdf.pdf_version, word(part(subject.root, "/Version")).strip("/")]
    numbers = [tuple(int(digit) for digit in version.split(".")) for version in said if version[:1].isdigit()]
    return max(numbers, default=(0,))


@rule("version-1.4", "The file is PDF 1.4 or older.", ("pdfx1a",))
def version_14(subject: OpenPdf) -> Iterator[Found]:
    """X-1a:2003 is built on PDF 1.4."""
    if _version(subject) > (1, 4):
        yield 0, f"the file is PDF {'.'.join(map(str, _version(subject)))}, not 1.4"


@rule("version-1.6", "The file is PDF 1.6 or older.", ("pdfx4",))
def version_16(subject: OpenPdf) -> Iterator[Found]:
    """X-4 is built on PDF 1.6."""
    if _version(subject) > (1, 6):
        yield 0, f"the file is PDF {'.'.join(map(str, _version(subject)))}, not 1.6"


@rule("object-streams", "Objects lie openly in the file, not in compressed streams.", ("pdfx1a",))
def object_streams(subject: OpenPdf) -> Iterator[Found]:
    """Streams of objects are younger than PDF 1.4."""
    if word(subject.pdf.trailer.get("/Type")) == "/XRef":
        yield 0, "the file has a cross-reference stream, which PDF 1.4 doesn't know"


@rule("outside-data", "All data lie in the file itself.")
def outside_data(subject: OpenPdf) -> Iterator[Found]:
    """A stream's data may not lie in another file."""
    for stream in subject.streams:
        if part(stream, "/F") is not None:
            yield 0, f"object {stream.objgen[0]} has its data in another file"


@rule("embedded-files", "No files are embedded.", ("pdfx1a",))
def embedded_files(subject: OpenPdf) -> Iterator[Found]:
    """Attachments are not printed."""
    if part(part(subject.root, "/Names"), "/EmbeddedFiles") is not None:
        yield 0, "the file carries other files"


def _filters(stream: Stream) -> list[str]:
    return [word(name) for name in several(part(stream, "/Filter"))]


@rule("lzw", "Nothing is compressed by LZW.")
def lzw(subject: OpenPdf) -> Iterator[Found]:
    """Not in streams, nor in inline images."""
    for stream in subject.streams:
        if "/LZWDecode" in _filters(stream):
            yield 0, f"object {stream.objgen[0]} is compressed by LZW"
    for scope in subject.scopes:
        for image in scope.content.images:
            if "/LZWDecode" in [word(name) for name in several(part(image, "/Filter"))]:
                yield scope.page, "an inline image is compressed by LZW"


@rule("jbig2", "Nothing is compressed by JBIG2.", ("pdfx1a",))
def jbig2(subject: OpenPdf) -> Iterator[Found]:
    """X-1a:2003 leaves it out of what PDF 1.4 can."""
    for stream in subject.streams:
        if "/JBIG2Decode" in _filters(stream):
            yield 0, f"object {stream.objgen[0]} is compressed by JBIG2"


@rule("jpeg2000", "No picture is a JPEG 2000.", ("pdfx1a",))
def jpeg2000(subject: OpenPdf) -> Iterator[Found]:
    """It is younger than PDF 1.4."""
    for stream in subject.streams:
        if "/JPXDecode" in _filters(stream):
            yield 0, f"object {stream.objgen[0]} is a JPEG 2000"


@rule("crypt-filter", "No stream is encrypted by itself.")
def crypt_filter(subject: OpenPdf) -> Iterator[Found]:
    """The Crypt filter may at most be the identity."""
    for stream in subject.streams:
        settings = several(part(stream, "/DecodeParms"))
        for at, name in enumerate(_filters(stream)):
            method = word(part(settings[at], "/Name")) if at < len(settings) else ""
            if name == "/Crypt" and method not in {"", "/Identity"}:
                yield 0, f"object {stream.objgen[0]} is encrypted by itself"


@rule("no-layers", "Nothing lies on layers.", ("pdfx1a",))
def no_layers(subject: OpenPdf) -> Iterator[Found]:
    """Layers are younger than PDF 1.4."""
    if part(subject.root, "/OCProperties") is not None:
        yield 0, "the file has layers"


@rule("layers-stay", "Each set of layers has a name, and none switches itself.", ("pdfx4",))
def layers_stay(subject: OpenPdf) -> Iterator[Found]:
    """What is printed may not depend on who looks."""
    layers = part(subject.root, "/OCProperties")
    first = part(layers, "/D")
    others = row(part(layers, "/Configs"))
    for settings in ([] if first is None else [first]) + others:
        if part(settings, "/AS") is not None:
            yield 0, "a set of layers switches itself by use (/AS)"
    for settings in others:
        if not text(part(settings, "/Name")):
            yield 0, "a set of layers has no name"


@rule("actions", "Nothing acts: no actions, no JavaScript.")
def actions(subject: OpenPdf) -> Iterator[Found]:
    """Not of the file, its outline, its pages or their annotations."""
    opens = part(subject.root, "/OpenAction")
    if opens is not None and not isinstance(opens, Array):  # an array is only a page to begin with
        yield 0, "the file acts when it is opened"
    if part(subject.root, "/AA") is not None:
        yield 0, "the file has actions"
    if part(part(subject.root, "/Names"), "/JavaScript") is not None:
        yield 0, "the file has JavaScript"
    if any("/A" in parts(entry) for entry in _outline(subject)):
        yield 0, "the outline has actions"
    for number, page in subject.pages:
        if part(page.obj, "/AA") is not None:
            yield number, "the page has actions"
        for annotation in row(part(page.obj, "/Annots")):
            if parts(annotation).keys() & {"/A", "/AA"}:
                yield number, "an annotation has actions"


def _outline(subject: OpenPdf) -> Iterator[object]:
    """Every entry of the outline."""
    waiting = [part(part(subject.root, "/Outlines"), "/First")]
    seen: set[tuple[int, int]] = set()
    while waiting:
        entry = waiting.pop()
        number = getattr(entry, "objgen", (0, 0))
        if entry is None or number in seen:
            continue
        seen.add(number)
        yield entry
        waiting += [part(entry, "/Next"), part(entry, "/First")]


@rule("viewer-boxes", "Viewers show and print no less than what lies inside the bleed.")
def viewer_boxes(subject: OpenPdf) -> Iterator[Found]:
    """ViewArea, ViewClip, PrintArea and PrintClip may only be MediaBox or BleedBox."""
    wishes = parts(subject.root, "/ViewerPreferences")
    for key in ("/ViewArea", "/ViewClip", "/PrintArea", "/PrintClip"):
        if key in wishes and word(wishes[key]) not in {"/MediaBox", "/BleedBox"}:
            yield 0, f"the wish {key} is neither MediaBox nor BleedBox"


@rule("readable", "Every page's content can be read.")
def readable(subject: OpenPdf) -> Iterator[Found]:
    """What we can't read, we can't vouch for."""
    for scope in subject.scopes:
        if scope.content.broken:
            yield scope.page, f"content can't be read: {scope.content.broken}"
