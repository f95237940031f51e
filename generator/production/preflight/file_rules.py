"""Rules of PDF/X about the file as a whole, and about its metadata."""

from collections.abc import Iterator
from datetime import UTC, datetime

from pikepdf import Array, Stream

from generator.drawing.pdf.objects import pdf_moment
from generator.production.preflight.pdfx_file import (
    Found,
    OpenPdf,
    data,
    figure,
    part,
    parts,
    row,
    rule,
    several,
    text,
    word,
)


@rule("undamaged", "Nothing in the file needs repair.")
def undamaged(subject: OpenPdf) -> Iterator[Found]:
    """Check that the file needs no repair: every reader repairs in its own way."""
    if subject.repairs:
        yield 0, f"the file is damaged: {'; '.join(subject.repairs)}"


@rule("encryption", "The file is not encrypted.")
def encryption(subject: OpenPdf) -> Iterator[Found]:
    """Check encryption: a shop must open the file without a password."""
    if subject.pdf.is_encrypted:
        yield 0, "the file is encrypted"


@rule("file-id", "The trailer holds an ID of two strings.")
def file_id(subject: OpenPdf) -> Iterator[Found]:
    """Check the ID, which tells copies and versions apart."""
    names = row(subject.pdf.trailer.get("/ID"))
    if len(names) != 2 or not all(text(name) for name in names):
        yield 0, "the file has no ID"


def _version(subject: OpenPdf) -> tuple[int, ...]:
    said = [subject.pdf.pdf_version, word(part(subject.root, "/Version")).strip("/")]
    numbers = [tuple(int(digit) for digit in version.split(".")) for version in said if version[:1].isdigit()]
    return max(numbers, default=(0,))


@rule("version-1.4", "The file is PDF 1.4 or older.", ("pdfx1a",))
def version_14(subject: OpenPdf) -> Iterator[Found]:
    """Check the version: X-1a:2003 is based on PDF 1.4."""
    if _version(subject) > (1, 4):
        yield 0, f"the file is PDF {'.'.join(map(str, _version(subject)))}, not 1.4"


@rule("version-1.6", "The file is PDF 1.6 or older.", ("pdfx4",))
def version_16(subject: OpenPdf) -> Iterator[Found]:
    """Check the version: X-4 is based on PDF 1.6."""
    if _version(subject) > (1, 6):
        yield 0, f"the file is PDF {'.'.join(map(str, _version(subject)))}, not 1.6"


@rule("object-streams", "Objects lie openly in the file, not in compressed streams.", ("pdfx1a",))
def object_streams(subject: OpenPdf) -> Iterator[Found]:
    """Check that there are no object streams: PDF 1.4 doesn't know them."""
    if word(subject.pdf.trailer.get("/Type")) == "/XRef":
        yield 0, "the file has a cross-reference stream, which PDF 1.4 doesn't know"


@rule("outside-data", "All data lie in the file itself.")
def outside_data(subject: OpenPdf) -> Iterator[Found]:
    """Check that all stream data are in this file."""
    for stream in subject.streams:
        if part(stream, "/F") is not None:
            yield 0, f"object {stream.objgen[0]} has its data in another file"


@rule("embedded-files", "No files are embedded.", ("pdfx1a",))
def embedded_files(subject: OpenPdf) -> Iterator[Found]:
    """Check that there are no attachments: they are not printed."""
    if part(part(subject.root, "/Names"), "/EmbeddedFiles") is not None:
        yield 0, "the file carries other files"


def _filters(stream: Stream) -> list[str]:
    return [word(name) for name in several(part(stream, "/Filter"))]


@rule("lzw", "Nothing is compressed by LZW.")
def lzw(subject: OpenPdf) -> Iterator[Found]:
    """Check streams and inline images for LZW."""
    for stream in subject.streams:
        if "/LZWDecode" in _filters(stream):
            yield 0, f"object {stream.objgen[0]} is compressed by LZW"
    for scope in subject.scopes:
        for image in scope.content.images:
            if "/LZWDecode" in [word(name) for name in several(part(image, "/Filter"))]:
                yield scope.page, "an inline image is compressed by LZW"


@rule("jbig2", "Nothing is compressed by JBIG2.", ("pdfx1a",))
def jbig2(subject: OpenPdf) -> Iterator[Found]:
    """Check for JBIG2: X-1a:2003 forbids it, although PDF 1.4 allows it."""
    for stream in subject.streams:
        if "/JBIG2Decode" in _filters(stream):
            yield 0, f"object {stream.objgen[0]} is compressed by JBIG2"


@rule("jpeg2000", "No picture is a JPEG 2000.", ("pdfx1a",))
def jpeg2000(subject: OpenPdf) -> Iterator[Found]:
    """Check for JPEG 2000: PDF 1.4 doesn't know it."""
    for stream in subject.streams:
        if "/JPXDecode" in _filters(stream):
            yield 0, f"object {stream.objgen[0]} is a JPEG 2000"


@rule("crypt-filter", "No stream is encrypted by itself.")
def crypt_filter(subject: OpenPdf) -> Iterator[Found]:
    """Check that no stream is encrypted. The Crypt filter may only be the identity."""
    for stream in subject.streams:
        settings = several(part(stream, "/DecodeParms"))
        for at, name in enumerate(_filters(stream)):
            method = word(part(settings[at], "/Name")) if at < len(settings) else ""
            if name == "/Crypt" and method not in {"", "/Identity"}:
                yield 0, f"object {stream.objgen[0]} is encrypted by itself"


@rule("no-layers", "Nothing lies on layers.", ("pdfx1a",))
def no_layers(subject: OpenPdf) -> Iterator[Found]:
    """Check that there are no layers: PDF 1.4 doesn't know them."""
    if part(subject.root, "/OCProperties") is not None:
        yield 0, "the file has layers"


@rule("layers-stay", "Each set of layers has a name, and none switches itself.", ("pdfx4",))
def layers_stay(subject: OpenPdf) -> Iterator[Found]:
    """Check layers: the print may not depend on the viewer."""
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
    """Check actions of the file, its outline, its pages and their annotations."""
    opens = part(subject.root, "/OpenAction")
    if opens is not None and not isinstance(opens, Array):  # an array is only the first page to show
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
    """Yield every entry of the outline."""
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
    """Check that ViewArea, ViewClip, PrintArea and PrintClip are MediaBox or BleedBox."""
    wishes = parts(subject.root, "/ViewerPreferences")
    for key in ("/ViewArea", "/ViewClip", "/PrintArea", "/PrintClip"):
        if key in wishes and word(wishes[key]) not in {"/MediaBox", "/BleedBox"}:
            yield 0, f"the wish {key} is neither MediaBox nor BleedBox"


@rule("readable", "Every page's content can be read.")
def readable(subject: OpenPdf) -> Iterator[Found]:
    """Check that the content can be read: what we can't read, we can't vouch for."""
    for scope in subject.scopes:
        if scope.content.broken:
            yield scope.page, f"content can't be read: {scope.content.broken}"


_DC = "{http://purl.org/dc/elements/1.1/}"
_XMP = "{http://ns.adobe.com/xap/1.0/}"
_MM = "{http://ns.adobe.com/xap/1.0/mm/}"
_PDF = "{http://ns.adobe.com/pdf/1.3/}"
_PDFX = "{http://www.npes.org/pdfx/ns/id/}GTS_PDFXVersion"

_AGREEING = {
    "/Title": f"{_DC}title",
    "/Author": f"{_DC}creator",
    "/Subject": f"{_DC}description",
    "/Creator": f"{_XMP}CreatorTool",
    "/Producer": f"{_PDF}Producer",
    "/Keywords": f"{_PDF}Keywords",
}
_SPACES = {b"GRAY": 1, b"RGB ": 3, b"CMYK": 4}


@rule("x1a-version", "Info says PDF/X-1a:2003.", ("pdfx1a",))
def x1a_version(subject: OpenPdf) -> Iterator[Found]:
    """Check GTS_PDFXVersion, by which readers recognise the standard."""
    if text(part(subject.info, "/GTS_PDFXVersion")) != "PDF/X-1a:2003":
        yield 0, "the information doesn't say PDF/X-1a:2003"


@rule("info-title", "Info has a title.", ("pdfx1a",))
def info_title(subject: OpenPdf) -> Iterator[Found]:
    """Check that the document information has a title."""
    if not text(part(subject.info, "/Title")).strip():
        yield 0, "the information has no title"


@rule("info-dates", "Info says when the file was made and changed.", ("pdfx1a",))
def info_dates(subject: OpenPdf) -> Iterator[Found]:
    """Check that the dates are in PDF's own form."""
    for key in ("/CreationDate", "/ModDate"):
        if pdf_moment(text(part(subject.info, key))) is None:
            yield 0, f"the information has no {key[1:]}, or none that is a date"


@rule("info-trapped", "Info says whether the file is trapped.", ("pdfx1a",))
def info_trapped(subject: OpenPdf) -> Iterator[Found]:
    """Check that Trapped is yes or no: unknown is not enough."""
    if word(part(subject.info, "/Trapped")) not in {"/True", "/False"}:
        yield 0, "the information doesn't say whether the file is trapped"


@rule("xmp", "The file carries a readable XMP packet.", ("pdfx4",))
def xmp(subject: OpenPdf) -> Iterator[Found]:
    """Check that there is an XMP packet: X-4 keeps all metadata there."""
    if subject.metadata is None:
        yield 0, "the file has no XMP packet that can be read"


@rule("x4-version", "XMP says PDF/X-4.", ("pdfx4",))
def x4_version(subject: OpenPdf) -> Iterator[Found]:
    """Check GTS_PDFXVersion, by which readers recognise the standard."""
    if subject.metadata and subject.metadata.text(_PDFX) != "PDF/X-4":
        yield 0, "the XMP packet doesn't say PDF/X-4"


@rule("xmp-title", "XMP has a title.", ("pdfx4",))
def xmp_title(subject: OpenPdf) -> Iterator[Found]:
    """Check that the XMP packet has a title."""
    if subject.metadata and not subject.metadata.text(f"{_DC}title").strip():
        yield 0, "the XMP packet has no title"


@rule("xmp-dates", "XMP says when the file and the packet were made and changed.", ("pdfx4",))
def xmp_dates(subject: OpenPdf) -> Iterator[Found]:
    """Check that the dates are in ISO 8601."""
    if not subject.metadata:
        return
    for key in ("CreateDate", "ModifyDate", "MetadataDate"):
        if _moment(subject.metadata.text(f"{_XMP}{key}")) is None:
            yield 0, f"the XMP packet has no {key}, or none that is a date"


@rule("xmp-identity", "XMP tells this document and its version from others.", ("pdfx4",))
def xmp_identity(subject: OpenPdf) -> Iterator[Found]:
    """Check DocumentID, VersionID and RenditionClass."""
    if not subject.metadata:
        return
    for key in ("DocumentID", "VersionID", "RenditionClass"):
        if not subject.metadata.text(f"{_MM}{key}").strip():
            yield 0, f"the XMP packet has no {key}"


@rule("xmp-trapped", "XMP says whether the file is trapped.", ("pdfx4",))
def xmp_trapped(subject: OpenPdf) -> Iterator[Found]:
    """Check that Trapped is yes or no: unknown is not enough."""
    if subject.metadata and subject.metadata.text(f"{_PDF}Trapped") not in {"True", "False"}:
        yield 0, "the XMP packet doesn't say whether the file is trapped"


@rule("xmp-agrees", "Info says nothing else than XMP does.", ("pdfx4",))
def xmp_agrees(subject: OpenPdf) -> Iterator[Found]:
    """Check that information and XMP agree: equal texts, same moments, same trapping."""
    if not subject.metadata:
        return
    packet = subject.metadata
    for key, name in _AGREEING.items():
        said = text(part(subject.info, key))
        if said and said != packet.text(name):
            yield 0, f"{key[1:]} is another one in the information than in the XMP packet"
    for key, name in (("/CreationDate", "CreateDate"), ("/ModDate", "ModifyDate")):
        said, meant = text(part(subject.info, key)), _moment(packet.text(f"{_XMP}{name}"))
        if said and meant and pdf_moment(said) != meant:
            yield 0, f"{key[1:]} is another one in the information than in the XMP packet"
    trapped = word(part(subject.info, "/Trapped")).strip("/")
    if trapped and packet.text(f"{_PDF}Trapped") in {"True", "False"} and trapped != packet.text(f"{_PDF}Trapped"):
        yield 0, "Trapped is another one in the information than in the XMP packet"


def _moment(date: str) -> datetime | None:
    """Return the moment of an XMP date, or None if it is no date. A date without a zone counts as UTC."""
    try:
        moment = datetime.fromisoformat(date)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


@rule("output-intent", "There is one output intent for PDF/X.")
def output_intent(subject: OpenPdf) -> Iterator[Found]:
    """Check that there is exactly one printing condition."""
    if len(subject.intents) != 1:
        yield 0, f"the file has {len(subject.intents) or 'no'} output intents for PDF/X"


@rule("condition", "The output intent names its printing condition.")
def condition(subject: OpenPdf) -> Iterator[Found]:
    """Check the OutputConditionIdentifier."""
    for intent in subject.intents:
        if not text(part(intent, "/OutputConditionIdentifier")).strip():
            yield 0, "the output intent names no printing condition"


@rule("condition-known", "A printing condition that is in no registry is described in words.")
def condition_known(subject: OpenPdf) -> Iterator[Found]:
    """Check that Info describes the condition if RegistryName is missing."""
    for intent in subject.intents:
        if not text(part(intent, "/RegistryName")) and not text(part(intent, "/Info")):
            yield 0, "the output intent names neither a registry nor describes its condition"


@rule("registered-or-profile", "The output intent has a profile or is registered.", ("pdfx1a",))
def registered_or_profile(subject: OpenPdf) -> Iterator[Found]:
    """Check that the colours are defined by a profile or a registry."""
    for intent in subject.intents:
        if part(intent, "/DestOutputProfile") is None and not text(part(intent, "/RegistryName")):
            yield 0, "the output intent has no profile and names no registry"


@rule("profile", "The output intent carries its ICC profile.", ("pdfx4",))
def profile(subject: OpenPdf) -> Iterator[Found]:
    """Check that the profile is embedded: files that only refer to one are X-4p."""
    for intent in subject.intents:
        if not data(part(intent, "/DestOutputProfile")):
            yield 0, "the output intent has no profile, or one that can't be read"


@rule("profile-kind", "The profile is that of an output device.")
def profile_kind(subject: OpenPdf) -> Iterator[Found]:
    """Check the profile's class, prtr, and its colours: CMYK for X-1a; CMYK, RGB or grey for X-4 (see profile-cmyk)."""
    if subject.profile and (subject.profile[12:16] != b"prtr" or subject.profile[16:20] not in _SPACES):
        yield 0, "the output intent's profile isn't that of a printing press"


@rule("profile-cmyk", "The profile is one of CMYK.", ("pdfx1a",))
def profile_cmyk(subject: OpenPdf) -> Iterator[Found]:
    """Check that the profile is CMYK: X-1a allows nothing else."""
    if subject.profile[16:20] in {b"GRAY", b"RGB "}:
        yield 0, "the output intent's profile isn't one of CMYK"


@rule("profile-components", "The profile's stream says how many colours it has.")
def profile_components(subject: OpenPdf) -> Iterator[Found]:
    """Check N, the number of components: four for CMYK."""
    wanted = _SPACES.get(subject.profile[16:20])
    if wanted and figure(part(part(subject.intents[0], "/DestOutputProfile"), "/N")) != wanted:
        yield 0, f"the output intent's profile doesn't say that it has {wanted} colours"


@rule("profile-age", "The profile is of version 2.", ("pdfx1a",))
def profile_age(subject: OpenPdf) -> Iterator[Found]:
    """Check the profile's version: PDF 1.4 knows no later ones."""
    if len(subject.profile) > 8 and subject.profile[8] > 2:
        yield 0, f"the output intent's profile is of version {subject.profile[8]}, which PDF 1.4 doesn't know"
