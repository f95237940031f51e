"""The metadata packet of a tagged PDF: what the document information says, and that it keeps to PDF/UA-1."""

from xml.sax.saxutils import escape

from generator.model.sheet import Document

_HEAD = '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>'
_SPACES = {
    "dc": "http://purl.org/dc/elements/1.1/",
    "pdf": "http://ns.adobe.com/pdf/1.3/",
    "xmp": "http://ns.adobe.com/xap/1.0/",
    "pdfuaid": "http://www.aiim.org/pdfua/ns/id/",
}


def packet(document: Document, program: str, date: str) -> bytes:
    """The packet in UTF-8; `date` is the document information's, `D:20260131000000Z`."""
    day = f"{date[2:6]}-{date[6:8]}-{date[8:10]}T{date[10:12]}:{date[12:14]}:{date[14:16]}Z"
    spaces = "".join(f' xmlns:{name}="{address}"' for name, address in _SPACES.items())
    creator = f"<dc:creator><rdf:Seq><rdf:li>{escape(document.author)}</rdf:li></rdf:Seq></dc:creator>"
    lines = [
        _HEAD,
        '<x:xmpmeta xmlns:x="adobe:ns:meta/">',
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">',
        f'<rdf:Description rdf:about=""{spaces}>',
        "<dc:format>application/pdf</dc:format>",
        f"<dc:title>{_alternatives(document.title)}</dc:title>",
        *([creator] if document.author else []),
        *([f"<dc:description>{_alternatives(document.subject)}</dc:description>"] if document.subject else []),
        f"<dc:language><rdf:Bag><rdf:li>{escape(document.lang)}</rdf:li></rdf:Bag></dc:language>",
        f"<pdf:Producer>{program}</pdf:Producer>",
        "<pdf:Trapped>False</pdf:Trapped>",
        f"<xmp:CreatorTool>{program}</xmp:CreatorTool>",
        f"<xmp:CreateDate>{day}</xmp:CreateDate>",
        f"<xmp:ModifyDate>{day}</xmp:ModifyDate>",
        "<pdfuaid:part>1</pdfuaid:part>",
        "</rdf:Description>",
        "</rdf:RDF>",
        "</x:xmpmeta>",
        '<?xpacket end="r"?>',
    ]
    return "\n".join(lines).encode("utf-8")


def _alternatives(text: str) -> str:
    return f'<rdf:Alt><rdf:li xml:lang="x-default">{escape(text)}</rdf:li></rdf:Alt>'
