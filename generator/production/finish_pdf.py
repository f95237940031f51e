"""Finish a PDF as PDF/X-4 or PDF/X-1a:2003: output intent, metadata, boxes.

Our own rules (`preflight`) check the PDF/X settings; veraPDF checks PDF/X-4 files as PDF/A-2b, as a proxy. No PDF/X
preflight has certified them.
"""

import hashlib
import io
import re
import uuid
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal
from xml.sax.saxutils import escape

import pikepdf
from pikepdf import Array, Dictionary, Name, String

from generator.base.errors import InvalidInput
from generator.drawing.pdf.objects import format_pdf_date, parse_pdf_date

_NAMESPACES = {
    "dc": "http://purl.org/dc/elements/1.1/",
    "xmp": "http://ns.adobe.com/xap/1.0/",
    "pdf": "http://ns.adobe.com/pdf/1.3/",
    "xmpMM": "http://ns.adobe.com/xap/1.0/mm/",
    "pdfxid": "http://www.npes.org/pdfx/ns/id/",
    "pdfaid": "http://www.aiim.org/pdfa/ns/id/",
    "pdfaExtension": "http://www.aiim.org/pdfa/ns/extension/",
    "pdfaSchema": "http://www.aiim.org/pdfa/ns/schema#",
    "pdfaProperty": "http://www.aiim.org/pdfa/ns/property#",
}

_STRANGE_TO_PDFA = (
    ("PDF/X identification", "pdfxid", "GTS_PDFXVersion", "internal", "The PDF/X standard that the file is written to"),
    ("Trapping", "pdf", "Trapped", "internal", "Whether the file has been trapped"),
)
"""XMP properties that PDF/A does not define. The packet must describe them: name, prefix, property, type and text."""


def build_xmp_packet(texts: Mapping[str, str], created: datetime, modified: datetime, document_id: str) -> bytes:
    """Return an XMP packet for PDF/X-4 and PDF/A-2b in UTF-8. `texts` are those of the document information."""
    namespaces = "".join(f' xmlns:{prefix}="{name}"' for prefix, name in _NAMESPACES.items())
    schemas = "\n".join(_format_schema(*entry) for entry in _STRANGE_TO_PDFA)
    title, author, subject, creator, producer = (texts.get(key, "") for key in _TEXTS)
    lines = ["<dc:format>application/pdf</dc:format>", f"<dc:title>{_format_alternative(title)}</dc:title>"]
    if author:
        lines.append(f"<dc:creator><rdf:Seq><rdf:li>{escape(author)}</rdf:li></rdf:Seq></dc:creator>")
    if subject:
        lines.append(f"<dc:description>{_format_alternative(subject)}</dc:description>")
    if creator:
        lines.append(f"<xmp:CreatorTool>{escape(creator)}</xmp:CreatorTool>")
    if producer:
        lines.append(f"<pdf:Producer>{escape(producer)}</pdf:Producer>")
    lines += [
        f"<xmp:CreateDate>{created.isoformat()}</xmp:CreateDate>",
        f"<xmp:ModifyDate>{modified.isoformat()}</xmp:ModifyDate>",
        f"<xmp:MetadataDate>{modified.isoformat()}</xmp:MetadataDate>",
        "<pdf:Trapped>False</pdf:Trapped>",
        f"<xmpMM:DocumentID>{document_id}</xmpMM:DocumentID>",
        "<xmpMM:VersionID>1</xmpMM:VersionID><xmpMM:RenditionClass>default</xmpMM:RenditionClass>",
        "<pdfxid:GTS_PDFXVersion>PDF/X-4</pdfxid:GTS_PDFXVersion>",
        "<pdfaid:part>2</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance>",
        f"<pdfaExtension:schemas><rdf:Bag>\n{schemas}\n</rdf:Bag></pdfaExtension:schemas>",
    ]
    body = "\n".join(lines)
    return (
        '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>\n'
        '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\n'
        f'<rdf:Description rdf:about=""{namespaces}>\n{body}\n</rdf:Description>\n'
        '</rdf:RDF></x:xmpmeta>\n<?xpacket end="w"?>'
    ).encode()


def _format_alternative(text: str) -> str:
    return f'<rdf:Alt><rdf:li xml:lang="x-default">{escape(text)}</rdf:li></rdf:Alt>'


def _format_schema(name: str, prefix: str, key: str, category: str, says: str) -> str:
    return (
        '<rdf:li rdf:parseType="Resource">'
        f"<pdfaSchema:schema>{name}</pdfaSchema:schema>"
        f"<pdfaSchema:namespaceURI>{_NAMESPACES[prefix]}</pdfaSchema:namespaceURI>"
        f"<pdfaSchema:prefix>{prefix}</pdfaSchema:prefix>"
        '<pdfaSchema:property><rdf:Seq><rdf:li rdf:parseType="Resource">'
        f"<pdfaProperty:name>{key}</pdfaProperty:name><pdfaProperty:valueType>Text</pdfaProperty:valueType>"
        f"<pdfaProperty:category>{category}</pdfaProperty:category>"
        f"<pdfaProperty:description>{says}</pdfaProperty:description>"
        "</rdf:li></rdf:Seq></pdfaSchema:property></rdf:li>"
    )


Standard = Literal["pdfx4", "pdfx1a"]
"""PDF/X-4 (ISO 15930-7) or PDF/X-1a:2003 (ISO 15930-4)."""

REGISTRY = "http://www.color.org"
"""The registry of printing conditions to which PDF/X refers: that of the International Color Consortium."""

_VERSIONS: dict[Standard, str] = {"pdfx4": "1.6", "pdfx1a": "1.4"}
_UNDATED = datetime(2000, 1, 1, tzinfo=UTC)

_TEXTS = ("/Title", "/Author", "/Subject", "/Creator", "/Producer")
"""Entries that the document information may have besides dates and trapping."""

_UNWRITABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff]+")
"""Control characters and others that must not be in XML, or that XML parsers change."""

_KEPT_IN_CATALOG = frozenset({"/Type", "/Pages", "/Lang", "/OCProperties"})
"""Entries of the catalog that a print file needs.

Outlines, actions, forms, viewer preferences and tags are for screens.
"""

_KEPT_ON_PAGES = frozenset(
    {"/Type", "/Parent", "/Resources", "/Contents", "/Rotate", "/UserUnit", "/Group"}
    | {"/MediaBox", "/CropBox", "/BleedBox", "/TrimBox", "/ArtBox"}
)


@dataclass(frozen=True, slots=True)
class Intent:
    """The printing condition that a file is made for.

    `condition` is its name in the `registry` (FOGRA39, JC200103); an empty registry means that it is in none. `profile`
    is its ICC output profile. PDF/X-4 must contain the profile; PDF/X-1a may omit it if the condition is registered.
    """

    condition: str
    profile: bytes | None
    registry: str = REGISTRY


def finish_pdf(pdf: bytes, standard: Standard, intent: Intent) -> bytes:
    """Return the PDF with everything the standard requires. Equal arguments give equal bytes.

    Colours, fonts and transparency don't change: writers must have made them fit, and `find_pdfx_faults` reports
    whether they did. For X-1a, pages lose the mark of a transparency group, which changes nothing without transparency.
    Raise InvalidInput if the intent lacks what the standard requires, or if the document has no title.
    """
    _check_demands(standard, intent)
    with pikepdf.open(io.BytesIO(pdf)) as work:
        _strip_interactive(work, standard)
        _square_boxes(work)
        work.Root.OutputIntents = Array(_build_intents(work, standard, intent))
        said = f"{standard}\n{intent.condition}\n{intent.registry}\n".encode()
        digest = hashlib.blake2b(said + (intent.profile or b"") + pdf, digest_size=16).digest()
        _write_metadata(work, standard, f"uuid:{uuid.UUID(bytes=digest, version=4)}")
        out = io.BytesIO()
        work.save(
            out,
            min_version=_VERSIONS[standard],
            force_version=_VERSIONS[standard],
            fix_metadata_version=False,  # keep the packet as written
            deterministic_id=True,
            object_stream_mode=pikepdf.ObjectStreamMode.disable,
        )
    return out.getvalue()


def _check_demands(standard: Standard, intent: Intent) -> None:
    if not intent.condition:
        raise InvalidInput("the output intent names no printing condition", "name the press and paper, such as FOGRA39")
    if intent.profile is None and standard == "pdfx4":
        raise InvalidInput("PDF/X-4 requires the ICC profile of its printing condition", "name one with --profile")
    if _output_profile(standard, intent) is None and not intent.registry:
        raise InvalidInput(
            f"PDF/X-1a can't carry a profile of this kind, and '{intent.condition}' is in no registry",
            "use an ICC profile of version 2, a registered printing condition, or PDF/X-4",
        )


def _output_profile(standard: Standard, intent: Intent) -> bytes | None:
    """Return the ICC profile to embed, or None. PDF/X-1a allows none later than version 2 and can omit it."""
    profile = intent.profile
    return None if standard == "pdfx1a" and profile and profile[8] > 2 else profile


def _strip_interactive(work: pikepdf.Pdf, standard: Standard) -> None:
    """Remove actions, animations and all else only for screens; for PDF/X-1a also pages' transparency groups."""
    for key in set(pikepdf.Object.keys(work.Root)) - _KEPT_IN_CATALOG:
        del work.Root[key]
    for page in work.pages:
        for key in set(pikepdf.Object.keys(page.obj)) - _KEPT_ON_PAGES:
            del page[key]
        if standard == "pdfx1a" and "/Group" in page:
            del page["/Group"]


def _square_boxes(work: pikepdf.Pdf) -> None:
    """Give every page a TrimBox: the one it has, or its whole area."""
    for page in work.pages:
        if "/ArtBox" in page:
            if "/TrimBox" not in page:
                page["/TrimBox"] = page["/ArtBox"]
            del page["/ArtBox"]
        if "/TrimBox" not in page:
            page["/TrimBox"] = Array(page.cropbox)
        page["/MediaBox"] = Array(page.mediabox)  # set on the page itself, not inherited


def _build_intents(work: pikepdf.Pdf, standard: Standard, intent: Intent) -> list[pikepdf.Object]:
    """Return PDF/X's output intent. For X-4, add the same intent under PDF/A's name, with the same profile."""
    entries: dict[str, pikepdf.Object] = {
        "/Type": Name.OutputIntent,
        "/OutputConditionIdentifier": String(intent.condition),
        "/OutputCondition": String(intent.condition),
        "/Info": String(intent.condition),
    }
    if intent.registry:
        entries["/RegistryName"] = String(intent.registry)
    profile = _output_profile(standard, intent)
    if profile is not None:
        components = {b"GRAY": 1, b"RGB ": 3, b"CMYK": 4}.get(profile[16:20], 4)
        packed = zlib.compress(profile, 9)
        entries["/DestOutputProfile"] = work.make_stream(packed, N=components, Filter=Name.FlateDecode)
    names = ("/GTS_PDFX", "/GTS_PDFA1") if standard == "pdfx4" else ("/GTS_PDFX",)
    return [work.make_indirect(Dictionary({**entries, "/S": Name(name)})) for name in names]


def _write_metadata(work: pikepdf.Pdf, standard: Standard, document_id: str) -> None:
    """Write the information dictionary, and XMP metadata for X-4. Raise InvalidInput without a title."""
    info = work.docinfo
    said = {key: _UNWRITABLE.sub(" ", str(value)) for key, value in info.items() if isinstance(value, String)}
    if not said.get("/Title"):
        raise InvalidInput("a print file requires a title", "give the document a title")
    created = parse_pdf_date(said.get("/CreationDate", "")) or _UNDATED
    modified = parse_pdf_date(said.get("/ModDate", "")) or created
    for key in set(info.keys()) - set(_TEXTS):
        del info[key]
    for key in said.keys() & set(_TEXTS):
        info[key] = String(said[key])
    info["/CreationDate"], info["/ModDate"] = String(format_pdf_date(created)), String(format_pdf_date(modified))
    info["/Trapped"] = Name("/False")
    if standard == "pdfx1a":
        info["/GTS_PDFXVersion"] = String("PDF/X-1a:2003")
        return
    packet = build_xmp_packet(said, created, modified, document_id)
    work.Root.Metadata = work.make_stream(packet, Type=Name.Metadata, Subtype=Name.XML)
