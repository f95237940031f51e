"""The XMP packet of a print file: the same facts as its document information, and which standards it is written to."""

from dataclasses import dataclass
from xml.sax.saxutils import escape

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
"""Properties that PDF/A does not know by itself: it wants them described in the packet."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What a print file says of itself. Dates as XMP writes them (2026-01-31T00:00:00Z), absent texts empty."""

    title: str
    author: str
    subject: str
    creator: str
    producer: str
    created: str
    modified: str
    document_id: str


def packet(facts: Facts) -> bytes:
    """An XMP packet for PDF/X-4 and PDF/A-2b in UTF-8; equal facts give equal bytes."""
    namespaces = "".join(f' xmlns:{prefix}="{name}"' for prefix, name in _NAMESPACES.items())
    body = "\n".join((*_described(facts), *_dated(facts), *_identified(facts), _extensions()))
    return (
        '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>\n'
        '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\n'
        f'<rdf:Description rdf:about=""{namespaces}>\n{body}\n</rdf:Description>\n'
        '</rdf:RDF></x:xmpmeta>\n<?xpacket end="w"?>'
    ).encode()


def _described(facts: Facts) -> list[str]:
    lines = ["<dc:format>application/pdf</dc:format>", f"<dc:title>{_alternative(facts.title)}</dc:title>"]
    if facts.author:
        lines.append(f"<dc:creator><rdf:Seq><rdf:li>{escape(facts.author)}</rdf:li></rdf:Seq></dc:creator>")
    if facts.subject:
        lines.append(f"<dc:description>{_alternative(facts.subject)}</dc:description>")
    if facts.creator:
        lines.append(f"<xmp:CreatorTool>{escape(facts.creator)}</xmp:CreatorTool>")
    if facts.producer:
        lines.append(f"<pdf:Producer>{escape(facts.producer)}</pdf:Producer>")
    return lines


def _alternative(text: str) -> str:
    return f'<rdf:Alt><rdf:li xml:lang="x-default">{escape(text)}</rdf:li></rdf:Alt>'


def _dated(facts: Facts) -> list[str]:
    return [
        f"<xmp:CreateDate>{facts.created}</xmp:CreateDate>",
        f"<xmp:ModifyDate>{facts.modified}</xmp:ModifyDate>",
        f"<xmp:MetadataDate>{facts.modified}</xmp:MetadataDate>",
    ]


def _identified(facts: Facts) -> list[str]:
    return [
        "<pdf:Trapped>False</pdf:Trapped>",
        f"<xmpMM:DocumentID>{facts.document_id}</xmpMM:DocumentID>",
        "<xmpMM:VersionID>1</xmpMM:VersionID><xmpMM:RenditionClass>default</xmpMM:RenditionClass>",
        "<pdfxid:GTS_PDFXVersion>PDF/X-4</pdfxid:GTS_PDFXVersion>",
        "<pdfaid:part>2</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance>",
    ]


def _extensions() -> str:
    schemas = "\n".join(_schema(*entry) for entry in _STRANGE_TO_PDFA)
    return f"<pdfaExtension:schemas><rdf:Bag>\n{schemas}\n</rdf:Bag></pdfaExtension:schemas>"


def _schema(name: str, prefix: str, key: str, category: str, says: str) -> str:
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
