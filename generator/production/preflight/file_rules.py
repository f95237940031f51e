"""Rules of PDF/X about the file as a whole, and about its metadata."""

from collections.abc import Iterator
from datetime import UTC, datetime

from pikepdf import Array, Stream

from generator.drawing.pdf.objects import parse_pdf_date
from generator.production.preflight.pdfx_file import (
    OpenPdf,
    RuleFinding,
    decode_data,
    get_entries,
    get_entry,
    get_name,
    get_number,
    get_text,
    list_members,
    list_pdf_values,
    pdfx_rule,
)


@pdfx_rule("undamaged", "Nothing in the file needs repair.")
def forbid_damage(subject: OpenPdf) -> Iterator[RuleFinding]:
    """Check that the file needs no repair: every reader repairs in its own way."""
    if subject.repairs:
        yield 0, f"the file is damaged: {'; '.join(subject.repairs)}"


@pdfx_rule("encryption", "The file is not encrypted.")
def forbid_encryption(subject: OpenPdf) -> Iterator[RuleFinding]:
    """Check encryption: a shop must open the file without a password."""
    if subject.pdf.is_encrypted:
        yield 0, "the file is encrypted"


@pdfx_rule("file-id", "The trailer holds an ID of two strings.")
def require_file_id(subject: OpenPdf) -> Iterator[RuleFinding]:
    """Check the ID, which tells copies and versions apart."""
    names = list_members(subject.pdf.trailer.get("/ID"))
    if len(names) != 2 or not all(get_text(name) for name in names):
        yield 0, "the file has no ID"


def _find_version(subject: OpenPdf) -> tuple[int, ...]:
    said = [subject.pdf.pdf_version, get_name(get_entry(subject.root, "/Version")).strip("/")]
    numbers = [tuple(int(digit) for digit in version.split(".")) for version in said if version[:1].isdigit()]
    return max(numbers, default=(0,))


@pdfx_rule("version-1.4", "The file is PDF 1.4 or older.", ("pdfx1a",))
def require_version_14(subject: OpenPdf) -> Iterator[RuleFinding]:
    """Check the version: X-1a:2003 is based on PDF 1.4."""
    if _find_version(subject) > (1, 4):
        yield 0, f"the file is PDF {'.'.join(map(str, _find_version(subject)))}, not 1.4"


@pdfx_rule("version-1.6", "The file is PDF 1.6 or older.", ("pdfx4",))
def require_version_16(subject: OpenPdf) -> Iterator[RuleFinding]:
    """Check the version: X-4 is based on PDF 1.6."""
    if _find_version(subject) > (1, 6):
        yield 0, f"the file is PDF {'.'.join(map(str, _find_version(subject)))}, not 1.6"


@pdfx_rule("object-streams", "Objects lie openly in the file, not in compressed streams.", ("pdfx1a",))
def forbid_object_streams(subject: OpenPdf) -> Iterator[RuleFinding]:
    """Check that there are no object streams: PDF 1.4 doesn't know them."""
    if get_name(subject.pdf.trailer.get("/Type")) == "/XRef":
        yield 0, "the file has a cross-reference stream, which PDF 1.4 doesn't know"


@pdfx_rule("outside-data", "All data lie in the file itself.")
def forbid_outside_data(subject: OpenPdf) -> Iterator[RuleFinding]:
    """Check that all stream data are in this file."""
    for stream in subject.streams:
        if get_entry(stream, "/F") is not None:
            yield 0, f"object {stream.objgen[0]} has its data in another file"


@pdfx_rule("embedded-files", "No files are embedded.", ("pdfx1a",))
def forbid_embedded_files(subject: OpenPdf) -> Iterator[RuleFinding]:
    """Check that there are no attachments: they are not printed."""
    if get_entry(get_entry(subject.root, "/Names"), "/EmbeddedFiles") is not None:
        yield 0, "the file carries other files"


def _list_filters(stream: Stream) -> list[str]:
    return [get_name(name) for name in list_pdf_values(get_entry(stream, "/Filter"))]


@pdfx_rule("lzw", "Nothing is compressed by LZW.")
def forbid_lzw(subject: OpenPdf) -> Iterator[RuleFinding]:
    """Check streams and inline images for LZW."""
    for stream in subject.streams:
        if "/LZWDecode" in _list_filters(stream):
            yield 0, f"object {stream.objgen[0]} is compressed by LZW"
    for scope in subject.scopes:
        for image in scope.content.images:
            if "/LZWDecode" in [get_name(name) for name in list_pdf_values(get_entry(image, "/Filter"))]:
                yield scope.page, "an inline image is compressed by LZW"


@pdfx_rule("jbig2", "Nothing is compressed by JBIG2.", ("pdfx1a",))
def forbid_jbig2(subject: OpenPdf) -> Iterator[RuleFinding]:
    """Check for JBIG2: X-1a:2003 forbids it, although PDF 1.4 allows it."""
    for stream in subject.streams:
        if "/JBIG2Decode" in _list_filters(stream):
            yield 0, f"object {stream.objgen[0]} is compressed by JBIG2"


@pdfx_rule("jpeg2000", "No picture is a JPEG 2000.", ("pdfx1a",))
def forbid_jpeg2000(subject: OpenPdf) -> Iterator[RuleFinding]:
    """Check for JPEG 2000: PDF 1.4 doesn't know it."""
    for stream in subject.streams:
        if "/JPXDecode" in _list_filters(stream):
            yield 0, f"object {stream.objgen[0]} is a JPEG 2000"


@pdfx_rule("crypt-filter", "No stream is encrypted by itself.")
def forbid_crypt_filter(subject: OpenPdf) -> Iterator[RuleFinding]:
    """Check that no stream is encrypted. The Crypt filter may only be the identity."""
    for stream in subject.streams:
        settings = list_pdf_values(get_entry(stream, "/DecodeParms"))
        for at, name in enumerate(_list_filters(stream)):
            method = get_name(get_entry(settings[at], "/Name")) if at < len(settings) else ""
            if name == "/Crypt" and method not in {"", "/Identity"}:
                yield 0, f"object {stream.objgen[0]} is encrypted by itself"


@pdfx_rule("no-layers", "Nothing lies on layers.", ("pdfx1a",))
def forbid_layers(subject: OpenPdf) -> Iterator[RuleFinding]:
    """Check that there are no layers: PDF 1.4 doesn't know them."""
    if get_entry(subject.root, "/OCProperties") is not None:
        yield 0, "the file has layers"


@pdfx_rule("layers-stay", "Each set of layers has a name, and none switches itself.", ("pdfx4",))
def require_fixed_layers(subject: OpenPdf) -> Iterator[RuleFinding]:
    """Check layers: the print may not depend on the viewer."""
    layers = get_entry(subject.root, "/OCProperties")
    first = get_entry(layers, "/D")
    others = list_members(get_entry(layers, "/Configs"))
    for settings in ([] if first is None else [first]) + others:
        if get_entry(settings, "/AS") is not None:
            yield 0, "a set of layers switches itself by use (/AS)"
    for settings in others:
        if not get_text(get_entry(settings, "/Name")):
            yield 0, "a set of layers has no name"


@pdfx_rule("actions", "Nothing acts: no actions, no JavaScript.")
def forbid_actions(subject: OpenPdf) -> Iterator[RuleFinding]:
    """Check actions of the file, its outline, its pages and their annotations."""
    opens = get_entry(subject.root, "/OpenAction")
    if opens is not None and not isinstance(opens, Array):  # an array is only the first page to show
        yield 0, "the file acts when it is opened"
    if get_entry(subject.root, "/AA") is not None:
        yield 0, "the file has actions"
    if get_entry(get_entry(subject.root, "/Names"), "/JavaScript") is not None:
        yield 0, "the file has JavaScript"
    if any("/A" in get_entries(entry) for entry in _iter_outline(subject)):
        yield 0, "the outline has actions"
    for number, page in subject.pages:
        if get_entry(page.obj, "/AA") is not None:
            yield number, "the page has actions"
        for annotation in list_members(get_entry(page.obj, "/Annots")):
            if get_entries(annotation).keys() & {"/A", "/AA"}:
                yield number, "an annotation has actions"


def _iter_outline(subject: OpenPdf) -> Iterator[object]:
    waiting = [get_entry(get_entry(subject.root, "/Outlines"), "/First")]
    seen: set[tuple[int, int]] = set()
    while waiting:
        entry = waiting.pop()
        number = getattr(entry, "objgen", (0, 0))
        if entry is None or number in seen:
            continue
        seen.add(number)
        yield entry
        waiting += [get_entry(entry, "/Next"), get_entry(entry, "/First")]


@pdfx_rule("viewer-boxes", "Viewers show and print no less than what lies inside the bleed.")
def require_viewer_boxes(subject: OpenPdf) -> Iterator[RuleFinding]:
    """Check that ViewArea, ViewClip, PrintArea and PrintClip are MediaBox or BleedBox."""
    wishes = get_entries(subject.root, "/ViewerPreferences")
    for key in ("/ViewArea", "/ViewClip", "/PrintArea", "/PrintClip"):
        if key in wishes and get_name(wishes[key]) not in {"/MediaBox", "/BleedBox"}:
            yield 0, f"the wish {key} is neither MediaBox nor BleedBox"


@pdfx_rule("readable", "Every page's content can be read.")
def require_readable_content(subject: OpenPdf) -> Iterator[RuleFinding]:
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


@pdfx_rule("x1a-version", "Info says PDF/X-1a:2003.", ("pdfx1a",))
def require_x1a_version(subject: OpenPdf) -> Iterator[RuleFinding]:
    """Check GTS_PDFXVersion, by which readers recognise the standard."""
    if get_text(get_entry(subject.info, "/GTS_PDFXVersion")) != "PDF/X-1a:2003":
        yield 0, "the information doesn't say PDF/X-1a:2003"


@pdfx_rule("info-title", "Info has a title.", ("pdfx1a",))
def require_info_title(subject: OpenPdf) -> Iterator[RuleFinding]:
    """Check that the document information has a title."""
    if not get_text(get_entry(subject.info, "/Title")).strip():
        yield 0, "the information has no title"


@pdfx_rule("info-dates", "Info says when the file was made and changed.", ("pdfx1a",))
def require_info_dates(subject: OpenPdf) -> Iterator[RuleFinding]:
    """Check that the dates are in PDF's own form."""
    for key in ("/CreationDate", "/ModDate"):
        if parse_pdf_date(get_text(get_entry(subject.info, key))) is None:
            yield 0, f"the information has no {key[1:]}, or none that is a date"


@pdfx_rule("info-trapped", "Info says whether the file is trapped.", ("pdfx1a",))
def require_info_trapped(subject: OpenPdf) -> Iterator[RuleFinding]:
    """Check that Trapped is yes or no: unknown is not enough."""
    if get_name(get_entry(subject.info, "/Trapped")) not in {"/True", "/False"}:
        yield 0, "the information doesn't say whether the file is trapped"


@pdfx_rule("xmp", "The file carries a readable XMP packet.", ("pdfx4",))
def require_xmp(subject: OpenPdf) -> Iterator[RuleFinding]:
    """Check that there is an XMP packet: X-4 keeps all metadata there."""
    if subject.metadata is None:
        yield 0, "the file has no XMP packet that can be read"


@pdfx_rule("x4-version", "XMP says PDF/X-4.", ("pdfx4",))
def require_x4_version(subject: OpenPdf) -> Iterator[RuleFinding]:
    """Check GTS_PDFXVersion, by which readers recognise the standard."""
    if subject.metadata and subject.metadata.get_text(_PDFX) != "PDF/X-4":
        yield 0, "the XMP packet doesn't say PDF/X-4"


@pdfx_rule("xmp-title", "XMP has a title.", ("pdfx4",))
def require_xmp_title(subject: OpenPdf) -> Iterator[RuleFinding]:
    """Check that the XMP packet has a title."""
    if subject.metadata and not subject.metadata.get_text(f"{_DC}title").strip():
        yield 0, "the XMP packet has no title"


@pdfx_rule("xmp-dates", "XMP says when the file and the packet were made and changed.", ("pdfx4",))
def require_xmp_dates(subject: OpenPdf) -> Iterator[RuleFinding]:
    """Check that the dates are in ISO 8601."""
    if not subject.metadata:
        return
    for key in ("CreateDate", "ModifyDate", "MetadataDate"):
        if _parse_moment(subject.metadata.get_text(f"{_XMP}{key}")) is None:
            yield 0, f"the XMP packet has no {key}, or none that is a date"


@pdfx_rule("xmp-identity", "XMP tells this document and its version from others.", ("pdfx4",))
def require_xmp_identity(subject: OpenPdf) -> Iterator[RuleFinding]:
    """Check DocumentID, VersionID and RenditionClass."""
    if not subject.metadata:
        return
    for key in ("DocumentID", "VersionID", "RenditionClass"):
        if not subject.metadata.get_text(f"{_MM}{key}").strip():
            yield 0, f"the XMP packet has no {key}"


@pdfx_rule("xmp-trapped", "XMP says whether the file is trapped.", ("pdfx4",))
def require_xmp_trapped(subject: OpenPdf) -> Iterator[RuleFinding]:
    """Check that Trapped is yes or no: unknown is not enough."""
    if subject.metadata and subject.metadata.get_text(f"{_PDF}Trapped") not in {"True", "False"}:
        yield 0, "the XMP packet doesn't say whether the file is trapped"


@pdfx_rule("xmp-agrees", "Info says nothing else than XMP does.", ("pdfx4",))
def require_xmp_agreement(subject: OpenPdf) -> Iterator[RuleFinding]:
    """Check that information and XMP agree: equal texts, same moments, same trapping."""
    if not subject.metadata:
        return
    packet = subject.metadata
    for key, name in _AGREEING.items():
        said = get_text(get_entry(subject.info, key))
        if said and said != packet.get_text(name):
            yield 0, f"{key[1:]} is another one in the information than in the XMP packet"
    for key, name in (("/CreationDate", "CreateDate"), ("/ModDate", "ModifyDate")):
        said, meant = get_text(get_entry(subject.info, key)), _parse_moment(packet.get_text(f"{_XMP}{name}"))
        if said and meant and parse_pdf_date(said) != meant:
            yield 0, f"{key[1:]} is another one in the information than in the XMP packet"
    trapped = get_name(get_entry(subject.info, "/Trapped")).strip("/")
    if (
        trapped
        and packet.get_text(f"{_PDF}Trapped") in {"True", "False"}
        and trapped != packet.get_text(f"{_PDF}Trapped")
    ):
        yield 0, "Trapped is another one in the information than in the XMP packet"


def _parse_moment(date: str) -> datetime | None:
    """Return the moment of an XMP date, or None if it is no date. A date without a zone counts as UTC."""
    try:
        moment = datetime.fromisoformat(date)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


@pdfx_rule("output-intent", "There is one output intent for PDF/X.")
def require_output_intent(subject: OpenPdf) -> Iterator[RuleFinding]:
    """Check that there is exactly one printing condition."""
    if len(subject.intents) != 1:
        yield 0, f"the file has {len(subject.intents) or 'no'} output intents for PDF/X"


@pdfx_rule("condition", "The output intent names its printing condition.")
def require_condition(subject: OpenPdf) -> Iterator[RuleFinding]:
    """Check the OutputConditionIdentifier."""
    for intent in subject.intents:
        if not get_text(get_entry(intent, "/OutputConditionIdentifier")).strip():
            yield 0, "the output intent names no printing condition"


@pdfx_rule("condition-known", "A printing condition that is in no registry is described in words.")
def require_known_condition(subject: OpenPdf) -> Iterator[RuleFinding]:
    """Check that Info describes the condition if RegistryName is missing."""
    for intent in subject.intents:
        if not get_text(get_entry(intent, "/RegistryName")) and not get_text(get_entry(intent, "/Info")):
            yield 0, "the output intent names neither a registry nor describes its condition"


@pdfx_rule("registered-or-profile", "The output intent has a profile or is registered.", ("pdfx1a",))
def require_registry_or_profile(subject: OpenPdf) -> Iterator[RuleFinding]:
    """Check that the colours are defined by a profile or a registry."""
    for intent in subject.intents:
        if get_entry(intent, "/DestOutputProfile") is None and not get_text(get_entry(intent, "/RegistryName")):
            yield 0, "the output intent has no profile and names no registry"


@pdfx_rule("profile", "The output intent carries its ICC profile.", ("pdfx4",))
def require_profile(subject: OpenPdf) -> Iterator[RuleFinding]:
    """Check that the profile is embedded: files that only refer to one are X-4p."""
    for intent in subject.intents:
        if not decode_data(get_entry(intent, "/DestOutputProfile")):
            yield 0, "the output intent has no profile, or one that can't be read"


@pdfx_rule("profile-kind", "The profile is that of an output device.")
def require_profile_kind(subject: OpenPdf) -> Iterator[RuleFinding]:
    """Check the profile's class, prtr, and its colours: CMYK for X-1a; CMYK, RGB or grey for X-4 (see profile-cmyk)."""
    if subject.profile and (subject.profile[12:16] != b"prtr" or subject.profile[16:20] not in _SPACES):
        yield 0, "the output intent's profile isn't that of a printing press"


@pdfx_rule("profile-cmyk", "The profile is one of CMYK.", ("pdfx1a",))
def require_cmyk_profile(subject: OpenPdf) -> Iterator[RuleFinding]:
    """Check that the profile is CMYK: X-1a allows nothing else."""
    if subject.profile[16:20] in {b"GRAY", b"RGB "}:
        yield 0, "the output intent's profile isn't one of CMYK"


@pdfx_rule("profile-components", "The profile's stream says how many colours it has.")
def require_profile_components(subject: OpenPdf) -> Iterator[RuleFinding]:
    """Check N, the number of components: four for CMYK."""
    wanted = _SPACES.get(subject.profile[16:20])
    if wanted and get_number(get_entry(get_entry(subject.intents[0], "/DestOutputProfile"), "/N")) != wanted:
        yield 0, f"the output intent's profile doesn't say that it has {wanted} colours"


@pdfx_rule("profile-age", "The profile is of version 2.", ("pdfx1a",))
def require_profile_age(subject: OpenPdf) -> Iterator[RuleFinding]:
    """Check the profile's version: PDF 1.4 knows no later ones."""
    if len(subject.profile) > 8 and subject.profile[8] > 2:
        yield 0, f"the output intent's profile is of version {subject.profile[8]}, which PDF 1.4 doesn't know"
