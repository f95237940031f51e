"""Writes a document of sheets as PDF: every face, symbol, picture and font once, placed as often as it is needed."""

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO, ClassVar

from reportlab.pdfbase import pdfdoc

from generator.model.drawing import Paint
from generator.model.geometry import IDENTITY, turn_into_box
from generator.model.ink import Inks, Rgb
from generator.model.sheet import Bookmark, Document, Leap, Page, Placement
from generator.model.structure import Tag, Tags
from generator.units import PT_PER_MM, Rect
from generator.writers.pdf_content import Content
from generator.writers.pdf_file import PdfFile
from generator.writers.pdf_inks import ScreenInks
from generator.writers.pdf_objects import add, number, number_of, numbers, said_string, stream, text_string, transform
from generator.writers.pdf_pictures import Stencilled
from generator.writers.pdf_stock import Fonts, PdfStock
from generator.writers.pdf_tags import Structure


def add_guidance(pdf: PdfFile, document: Document, sheets: Sequence[Any], structure: Structure | None = None) -> None:
    """Adds the document's outline, links and page labels; `sheets` are its pages as ReportLab holds them.

    Links become part of the `structure` of a tagged document.
    """
    pages = [number_of(pdf, sheet) for sheet in sheets]
    for at, (page, sheet) in enumerate(zip(document.pages, sheets, strict=True)):
        if page.links:
            links = [f"{_link(pdf, document, at, link, pages, structure)} 0 R" for link in page.links]
            sheet.Annots = f"[{' '.join(links)}]"
    if document.outline:
        _add_outline(pdf, document, pages)
    if any(page.label for page in document.pages):
        labels = "".join(f"{at}<</P{text_string(page.label)}>>" for at, page in enumerate(document.pages))
        pdf.Catalog.PageLabels = f"{add(pdf, f'<</Nums[{labels}]>>')} 0 R"


def _goal(document: Document, pages: Sequence[int], page: int, y: float) -> str:
    """A destination: the page with a line (mm from its top) at the window's upper edge, enlarged as it was."""
    top = document.pages[page].size.height - y
    return f"[{pages[page]} 0 R/XYZ null {number(top * PT_PER_MM)} null]"


def _link(
    pdf: PdfFile, document: Document, at: int, link: Leap, pages: Sequence[int], structure: Structure | None
) -> int:
    page = document.pages[at]
    box, height = link.box, page.size.height
    corners = (box.x, height - box.bottom, box.right, height - box.y)
    area = numbers([value * PT_PER_MM for value in corners])
    goal = _goal(document, pages, link.page, link.y)
    done = pdf.reserve()
    told = f"/Contents{said_string(link.words)}" if link.words else ""
    if structure is not None:
        told += f"/StructParent {structure.link(link.tags, at, done)}"
    body = f"<</Type/Annot/Subtype/Link/Rect[{area}]/Border[0 0 0]/F 4/Dest{goal}{told}>>"
    pdf.fill(done, body.encode("ascii"))
    return done


def _add_outline(pdf: PdfFile, document: Document, pages: Sequence[int]) -> None:
    """The tree of bookmarks; a level that is skipped counts as the next one."""
    root, marks = pdf.reserve(), document.outline
    numbers_of = [pdf.reserve() for _ in marks]
    parents = _parents(marks)
    for at, mark in enumerate(marks):
        siblings = [other for other, parent in enumerate(parents) if parent == parents[at]]
        place = siblings.index(at)
        parent = root if parents[at] < 0 else numbers_of[parents[at]]
        parts = [f"<</Title{text_string(mark.title)}/Parent {parent} 0 R"]
        if place:
            parts.append(f"/Prev {numbers_of[siblings[place - 1]]} 0 R")
        if place + 1 < len(siblings):
            parts.append(f"/Next {numbers_of[siblings[place + 1]]} 0 R")
        parts.append(_children(at, parents, numbers_of, "-"))
        parts.append(f"/Dest{_goal(document, pages, mark.page, mark.y)}>>")
        pdf.fill(numbers_of[at], "".join(parts).encode("ascii"))
    pdf.fill(root, f"<</Type/Outlines{_children(-1, parents, numbers_of, '')}>>".encode("ascii"))
    pdf.Catalog.Outlines = f"{root} 0 R"
    pdf.Catalog.PageMode = "/UseOutlines"


def _parents(marks: Sequence[Bookmark]) -> list[int]:
    """For each bookmark the one that it stands below, -1 for the root."""
    parents: list[int] = []
    for at, mark in enumerate(marks):
        parents.append(next((up for up in range(at - 1, -1, -1) if marks[up].level < mark.level), -1))
    return parents


def _children(at: int, parents: Sequence[int], numbers_of: Sequence[int], sign: str) -> str:
    """First, last and count of the bookmarks below one; closed (`-`) below the root."""
    children = [number for number, parent in zip(numbers_of, parents, strict=True) if parent == at]
    if not children:
        return ""
    return f"/First {children[0]} 0 R/Last {children[-1]} 0 R/Count {sign}{len(children)}"


_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
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
    creator = f"<dc:creator><rdf:Seq><rdf:li>{document.author.translate(_ENTITIES)}</rdf:li></rdf:Seq></dc:creator>"
    lines = [
        _HEAD,
        '<x:xmpmeta xmlns:x="adobe:ns:meta/">',
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">',
        f'<rdf:Description rdf:about=""{spaces}>',
        "<dc:format>application/pdf</dc:format>",
        f"<dc:title>{_alternatives(document.title)}</dc:title>",
        *([creator] if document.author else []),
        *([f"<dc:description>{_alternatives(document.subject)}</dc:description>"] if document.subject else []),
        f"<dc:language><rdf:Bag><rdf:li>{document.lang.translate(_ENTITIES)}</rdf:li></rdf:Bag></dc:language>",
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
    return f'<rdf:Alt><rdf:li xml:lang="x-default">{text.translate(_ENTITIES)}</rdf:li></rdf:Alt>'


_PROGRAM = "print-and-play-generator"
_VERSION = (1, 7)  # the first that knows /Duplex
_DUPLEX = {"long": "DuplexFlipLongEdge", "short": "DuplexFlipShortEdge"}
_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)")


def write_pdf(
    document: Document,
    fonts: Fonts,
    palette: Callable[[Paint], Rgb],
    pictures: Callable[[str], Path],
    out: BinaryIO,
    inks: Inks | None = None,
    made: Mapping[str, Stencilled] = MappingProxyType({}),
    coming: Iterable[Page] = (),
) -> None:
    """Write the document to `out`; equal documents give equal bytes.

    `coming` are pages after those of the document, each laid when it is its turn and not kept.
    `palette` resolves a paint to red, green and blue (0..1) unless `inks` do, `pictures` a picture's `source` to its
    file, unless it was `made` under its asset. ValueError when the document's date is neither `YYYY-MM-DD` nor empty.
    """
    with closing(PdfFile(_VERSION, document.lang)) as pdf:
        _introduce(pdf, document)
        stock = PdfStock(pdf, document.lang, fonts, inks or ScreenInks(palette), pictures, made)
        structure = Structure() if document.tagged else None
        sheets, led = list[Any](), list[Page]()
        for page in chain(document.pages, coming):
            sheets.append(_add_page(pdf, page, stock, structure))
            led.append(replace(page, placements=(), items=()))
        add_guidance(pdf, replace(document, pages=tuple(led)), sheets, structure)
        if structure is not None:
            _add_structure(pdf, document, structure, sheets)
        stock.write_fonts()
        pdf.write(out)


def _introduce(pdf: PdfFile, document: Document) -> None:
    """Title, dates and the wishes for viewer and printer."""
    # ReportLab would start the ID with a clock or SOURCE_DATE_EPOCH; ours comes from the content alone.
    pdf.signature = hashlib.blake2b(digest_size=16)
    pdf.info = _Information(document)
    pdf.Catalog.ViewerPreferences = pdfdoc.ViewerPreferencesPDFDictionary(
        {
            "DisplayDocTitle": "true",
            "PrintScaling": pdfdoc.PDFName("None"),
            "Duplex": pdfdoc.PDFName(_DUPLEX.get(document.backs, "Simplex")),
        }
    )


def _add_structure(pdf: PdfFile, document: Document, structure: Structure, sheets: Sequence[Any]) -> None:
    """The tree of a tagged document's elements, and what says that the document is tagged, in what language."""
    root = structure.write(pdf, [number_of(pdf, sheet) for sheet in sheets])
    data = packet(document, _PROGRAM, _date(document.date))
    metadata = add(pdf, stream("/Type/Metadata/Subtype/XML", data, packed=True))
    pdf.Catalog.StructTreeRoot = f"{root} 0 R"
    pdf.Catalog.MarkInfo = f"{add(pdf, '<</Marked true>>')} 0 R"
    pdf.Catalog.Metadata = f"{metadata} 0 R"
    for at, sheet in enumerate(sheets):
        sheet.StructParents, sheet.Tabs = at, pdfdoc.PDFName("S")


def _add_page(pdf: PdfFile, page: Page, stock: PdfStock, structure: Structure | None) -> Any:
    height = page.size.height * PT_PER_MM
    marks = structure.page(height) if structure is not None else None
    content = Content(stock, marks)
    content.mark(f"{number(PT_PER_MM, 6)} 0 0 {number(-PT_PER_MM, 6)} 0 {number(height)} cm")
    if page.adjust != IDENTITY:
        content.mark(transform(page.adjust))
    for placement in page.placements:
        if marks is not None:
            marks.enter(_figure(placement))
        _place(content, placement, stock)
        if marks is not None:
            marks.leave()
    content.draw(page.items)
    operators = content.operators()
    sheet = _Sheet()
    sheet.Override_default_compilation = 1
    sheet.Parent = pdf.Reference(pdf.Pages)
    whole = Rect(0, 0, page.size.width, page.size.height)
    sheet.MediaBox = box = _box(whole, height)
    # A sheet cut at home is not trimmed: what is printed is all of it, and the cut marks are content.
    sheet.TrimBox = _box(page.trim or whole, height)
    sheet.BleedBox = _box(page.bleed or page.trim or whole, height)
    sheet.Resources = f"{stock.dictionary(content.resources)} 0 R"
    sheet.Contents = f"{add(pdf, stream('', operators))} 0 R"
    pdf.updateSignature(f"{box}{sheet.TrimBox}{sheet.BleedBox}")
    pdf.addPage(sheet)
    return sheet


def _box(box: Rect, height: float) -> str:
    """A box of page coordinates (mm, y down) as PDF wants it: points, y up from the foot of a page so high."""
    left, right = box.x * PT_PER_MM, box.right * PT_PER_MM
    return f"[{numbers((left, height - box.bottom * PT_PER_MM, right, height - box.y * PT_PER_MM))}]"


def _place(content: Content, placement: Placement, stock: PdfStock) -> None:
    drawing, trim, clip = placement.drawing, placement.trim, placement.clip
    reach = trim.grown(drawing.bleed)  # the form ends there by itself
    cut = "" if clip.holds(reach) else f"{numbers((clip.x, clip.y, clip.width, clip.height))} re"
    content.place(stock.drawing(drawing), turn_into_box(placement.trim, placement.turn), cut)


def _figure(placement: Placement) -> Tags:
    """What a placed face is in a tagged document: one figure, called as its template calls it, and by its piece."""
    drawing = placement.drawing
    words = ". ".join(filter(None, (drawing.title, drawing.description)))
    return (Tag("Figure", alt=" · ".join(filter(None, (words, placement.id))), box=placement.trim),)


class _Sheet(pdfdoc.PDFPage):  # type: ignore[misc]  # ReportLab ships no types
    """A page that may say which entry of the parent tree its marked content has, and in which order its links come."""

    __NoDefault__: ClassVar[list[str]] = [*pdfdoc.PDFPage.__NoDefault__, "StructParents", "Tabs"]

    def __init__(self) -> None:
        """Not as its base, which notes of each of thirty entries that it isn't there."""


class _Information(pdfdoc.PDFInfo):  # type: ignore[misc]  # ReportLab ships no types
    """The document information: what it is, who made it and the draft's date, never a clock's."""

    def __init__(self, document: Document):
        super().__init__()
        self.title, self.author, self.subject = document.title, document.author, document.subject
        self._date = _date(document.date)

    def format(self, document: Any) -> bytes:
        texts = {"Title": self.title, "Author": self.author, "Subject": self.subject}
        entries = "".join(f"/{key}{text_string(text)}" for key, text in texts.items() if text)
        date = f"/CreationDate({self._date})/ModDate({self._date})"
        body = f"<<{entries}/Creator({_PROGRAM})/Producer({_PROGRAM}){date}/Trapped/False>>\n".encode("ascii")
        document.updateSignature(body)
        return body


def _date(text: str) -> str:
    if not text:
        return "D:20000101000000Z"
    match = _DATE.fullmatch(text)
    if not match:
        raise ValueError(f"'{text}' is not a date like 2026-01-31")
    return f"D:{''.join(match.groups())}000000Z"
