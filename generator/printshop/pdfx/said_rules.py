"""Rules of PDF/X about what a file says of itself: its standard, title, dates, trapping and printing condition."""

from collections.abc import Iterator
from datetime import UTC, datetime

from generator.printshop.dates import pdf_moment
from generator.printshop.pdfx.rule import Found, rule
from generator.printshop.pdfx.subject import OpenPdf
from generator.printshop.pdfx.values import data, figure, part, text, word

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
    """GTS_PDFXVersion is what readers know the standard by."""
    if text(part(subject.info, "/GTS_PDFXVersion")) != "PDF/X-1a:2003":
        yield 0, "the information doesn't say PDF/X-1a:2003"


@rule("info-title", "Info has a title.", ("pdfx1a",))
def info_title(subject: OpenPdf) -> Iterator[Found]:
    """A file is known by it."""
    if not text(part(subject.info, "/Title")).strip():
        yield 0, "the information has no title"


@rule("info-dates", "Info says when the file was made and changed.", ("pdfx1a",))
def info_dates(subject: OpenPdf) -> Iterator[Found]:
    """In PDF's own form of a date."""
    for key in ("/CreationDate", "/ModDate"):
        if pdf_moment(text(part(subject.info, key))) is None:
            yield 0, f"the information has no {key[1:]}, or none that is a date"


@rule("info-trapped", "Info says whether the file is trapped.", ("pdfx1a",))
def info_trapped(subject: OpenPdf) -> Iterator[Found]:
    """Yes or no: unknown is not enough."""
    if word(part(subject.info, "/Trapped")) not in {"/True", "/False"}:
        yield 0, "the information doesn't say whether the file is trapped"


@rule("xmp", "The file carries a readable XMP packet.", ("pdfx4",))
def xmp(subject: OpenPdf) -> Iterator[Found]:
    """X-4 says everything there."""
    if subject.metadata is None:
        yield 0, "the file has no XMP packet that can be read"


@rule("x4-version", "XMP says PDF/X-4.", ("pdfx4",))
def x4_version(subject: OpenPdf) -> Iterator[Found]:
    """GTS_PDFXVersion is what readers know the standard by."""
    if subject.metadata and subject.metadata.text(_PDFX) != "PDF/X-4":
        yield 0, "the XMP packet doesn't say PDF/X-4"


@rule("xmp-title", "XMP has a title.", ("pdfx4",))
def xmp_title(subject: OpenPdf) -> Iterator[Found]:
    """A file is known by it."""
    if subject.metadata and not subject.metadata.text(f"{_DC}title").strip():
        yield 0, "the XMP packet has no title"


@rule("xmp-dates", "XMP says when the file and the packet were made and changed.", ("pdfx4",))
def xmp_dates(subject: OpenPdf) -> Iterator[Found]:
    """As ISO 8601 writes dates."""
    if not subject.metadata:
        return
    for key in ("CreateDate", "ModifyDate", "MetadataDate"):
        if _moment(subject.metadata.text(f"{_XMP}{key}")) is None:
            yield 0, f"the XMP packet has no {key}, or none that is a date"


@rule("xmp-identity", "XMP tells this document and its version from others.", ("pdfx4",))
def xmp_identity(subject: OpenPdf) -> Iterator[Found]:
    """DocumentID, VersionID and RenditionClass."""
    if not subject.metadata:
        return
    for key in ("DocumentID", "VersionID", "RenditionClass"):
        if not subject.metadata.text(f"{_MM}{key}").strip():
            yield 0, f"the XMP packet has no {key}"


@rule("xmp-trapped", "XMP says whether the file is trapped.", ("pdfx4",))
def xmp_trapped(subject: OpenPdf) -> Iterator[Found]:
    """Yes or no: unknown is not enough."""
    if subject.metadata and subject.metadata.text(f"{_PDF}Trapped") not in {"True", "False"}:
        yield 0, "the XMP packet doesn't say whether the file is trapped"


@rule("xmp-agrees", "Info says nothing else than XMP does.", ("pdfx4",))
def xmp_agrees(subject: OpenPdf) -> Iterator[Found]:
    """Texts are equal, dates the same moment, trapping the same."""
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
    """The moment of a date of XMP; one without a zone counts as UTC."""
    try:
        moment = datetime.fromisoformat(date)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


@rule("output-intent", "There is one output intent for PDF/X.")
def output_intent(subject: OpenPdf) -> Iterator[Found]:
    """Two printing conditions can't both be meant."""
    if len(subject.intents) != 1:
        yield 0, f"the file has {len(subject.intents) or 'no'} output intents for PDF/X"


@rule("condition", "The output intent names its printing condition.")
def condition(subject: OpenPdf) -> Iterator[Found]:
    """By OutputConditionIdentifier."""
    for intent in subject.intents:
        if not text(part(intent, "/OutputConditionIdentifier")).strip():
            yield 0, "the output intent names no printing condition"


@rule("condition-known", "A printing condition that is in no registry is described in words.")
def condition_known(subject: OpenPdf) -> Iterator[Found]:
    """Info is needed where RegistryName is missing."""
    for intent in subject.intents:
        if not text(part(intent, "/RegistryName")) and not text(part(intent, "/Info")):
            yield 0, "the output intent names neither a registry nor describes its condition"


@rule("registered-or-profile", "The output intent has a profile or is registered.", ("pdfx1a",))
def registered_or_profile(subject: OpenPdf) -> Iterator[Found]:
    """Else nobody knows what its colours are."""
    for intent in subject.intents:
        if part(intent, "/DestOutputProfile") is None and not text(part(intent, "/RegistryName")):
            yield 0, "the output intent has no profile and names no registry"


@rule("profile", "The output intent carries its ICC profile.", ("pdfx4",))
def profile(subject: OpenPdf) -> Iterator[Found]:
    """X-4 files carry it themselves (those that refer to one are X-4p)."""
    for intent in subject.intents:
        if not data(part(intent, "/DestOutputProfile")):
            yield 0, "the output intent has no profile, or one that can't be read"


@rule("profile-kind", "The profile is that of an output device.")
def profile_kind(subject: OpenPdf) -> Iterator[Found]:
    """Of class prtr; of CMYK for X-1a, of CMYK, RGB or grey for X-4 (see profile-cmyk)."""
    if subject.profile and (subject.profile[12:16] != b"prtr" or subject.profile[16:20] not in _SPACES):
        yield 0, "the output intent's profile isn't that of a printing press"


@rule("profile-cmyk", "The profile is one of CMYK.", ("pdfx1a",))
def profile_cmyk(subject: OpenPdf) -> Iterator[Found]:
    """X-1a knows no other printing."""
    if subject.profile[16:20] in {b"GRAY", b"RGB "}:
        yield 0, "the output intent's profile isn't one of CMYK"


@rule("profile-components", "The profile's stream says how many colours it has.")
def profile_components(subject: OpenPdf) -> Iterator[Found]:
    """N: four for CMYK."""
    wanted = _SPACES.get(subject.profile[16:20])
    if wanted and figure(part(part(subject.intents[0], "/DestOutputProfile"), "/N")) != wanted:
        yield 0, f"the output intent's profile doesn't say that it has {wanted} colours"


@rule("profile-age", "The profile is of version 2.", ("pdfx1a",))
def profile_age(subject: OpenPdf) -> Iterator[Found]:
    """PDF 1.4 knows no later ones."""
    if len(subject.profile) > 8 and subject.profile[8] > 2:
        yield 0, f"the output intent's profile is of version {subject.profile[8]}, which PDF 1.4 doesn't know"
