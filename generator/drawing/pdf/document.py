"""Writes a document as PDF: pages, links, bookmarks, labels and document information."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from generator.base.colour import Inks, Rgb
from generator.base.display_list import Paint, Tag
from generator.base.geometry import IDENTITY, PT_PER_MM, Matrix, Rect, make_turn_into_box
from generator.drawing.pdf.content import Content
from generator.drawing.pdf.objects import (
    PdfFile,
    Structure,
    add_object,
    encode_matrix,
    encode_number,
    encode_numbers,
    encode_short_text,
    encode_text,
    make_stream,
)
from generator.drawing.pdf.resources import PdfResources, ScreenInks
from generator.game.print_pages import Document, Page, PageLink
from generator.text.fonts import FontBook

if TYPE_CHECKING:
    from generator.drawing.pdf.pdf_pictures import StencilledPicture


class _Sheet(NamedTuple):
    """A page whose content is written: object number, height (mm), dictionary entries, links, its number as shown."""

    number: int
    height: float
    entries: str
    links: tuple[PageLink, ...]
    label: str


def _format_destination(sheet: _Sheet, y: float) -> str:
    """Return a PDF destination: a page scrolled to `y` mm below its top, with unchanged zoom."""
    return f"[{sheet.number} 0 R/XYZ null {encode_number((sheet.height - y) * PT_PER_MM)} null]"


def _write_link(
    pdf: PdfFile, sheet: _Sheet, link: PageLink, sheets: Sequence[_Sheet], structure: Structure | None
) -> int:
    box, height = link.box, sheet.height
    corners = (box.x, height - box.bottom, box.right, height - box.y)
    area = encode_numbers([value * PT_PER_MM for value in corners])
    done = pdf.reserve()
    told = f"/Contents{encode_short_text(link.words)}" if link.words else ""
    if structure is not None:
        told += f"/StructParent {structure.add_link(link.tags, sheet.number, done)}"
    goal = _format_destination(sheets[link.page], link.y)
    pdf.fill(done, f"<</Type/Annot/Subtype/Link/Rect[{area}]/Border[0 0 0]/F 4/Dest{goal}{told}>>")
    return done


def _write_outline(pdf: PdfFile, document: Document, sheets: Sequence[_Sheet]) -> str:
    """Add the tree of bookmarks and return the catalog's entries. A skipped level counts as the next one."""
    root, marks = pdf.reserve(), document.outline
    numbers_of = [pdf.reserve() for _ in marks]
    parents: list[int] = []  # the parent index of each bookmark (-1 for the root)
    for at, mark in enumerate(marks):
        parents.append(next((up for up in range(at - 1, -1, -1) if marks[up].level < mark.level), -1))
    for at, mark in enumerate(marks):
        siblings = [other for other, parent in enumerate(parents) if parent == parents[at]]
        place = siblings.index(at)
        parent = root if parents[at] < 0 else numbers_of[parents[at]]
        parts = [f"<</Title{encode_text(mark.title)}/Parent {parent} 0 R"]
        if place:
            parts.append(f"/Prev {numbers_of[siblings[place - 1]]} 0 R")
        if place + 1 < len(siblings):
            parts.append(f"/Next {numbers_of[siblings[place + 1]]} 0 R")
        goal = f"/Dest{_format_destination(sheets[mark.page], mark.y)}>>"
        pdf.fill(numbers_of[at], "".join((*parts, _format_children(at, parents, numbers_of, "-"), goal)))
    pdf.fill(root, f"<</Type/Outlines{_format_children(-1, parents, numbers_of, '')}>>")
    return f"/Outlines {root} 0 R/PageMode/UseOutlines"


def _format_children(at: int, parents: Sequence[int], numbers_of: Sequence[int], sign: str) -> str:
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


def build_document_xmp(document: Document, date: str) -> bytes:
    """Return the XMP packet in UTF-8; `date` is a PDF date, `D:20260131000000Z`, or ''."""
    day = f"{date[2:6]}-{date[6:8]}-{date[8:10]}T{date[10:12]}:{date[12:14]}:{date[14:16]}Z"
    spaces = "".join(f' xmlns:{name}="{address}"' for name, address in _SPACES.items())
    creator = f"<dc:creator><rdf:Seq><rdf:li>{document.author.translate(_ENTITIES)}</rdf:li></rdf:Seq></dc:creator>"
    lines = [
        _HEAD,
        '<x:xmpmeta xmlns:x="adobe:ns:meta/">',
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">',
        f'<rdf:Description rdf:about=""{spaces}>',
        "<dc:format>application/pdf</dc:format>",
        f"<dc:title>{_format_alternatives(document.title)}</dc:title>",
        *([creator] if document.author else []),
        *([f"<dc:description>{_format_alternatives(document.subject)}</dc:description>"] if document.subject else []),
        f"<dc:language><rdf:Bag><rdf:li>{document.lang.translate(_ENTITIES)}</rdf:li></rdf:Bag></dc:language>",
        f"<pdf:Producer>{_PROGRAM}</pdf:Producer>",
        "<pdf:Trapped>False</pdf:Trapped>",
        f"<xmp:CreatorTool>{_PROGRAM}</xmp:CreatorTool>",
        f"<xmp:CreateDate>{day}</xmp:CreateDate>",
        f"<xmp:ModifyDate>{day}</xmp:ModifyDate>",
        "<pdfuaid:part>1</pdfuaid:part>",
        "</rdf:Description>",
        "</rdf:RDF>",
        "</x:xmpmeta>",
        '<?xpacket end="r"?>',
    ]
    return "\n".join(lines).encode("utf-8")


def _format_alternatives(text: str) -> str:
    return f'<rdf:Alt><rdf:li xml:lang="x-default">{text.translate(_ENTITIES)}</rdf:li></rdf:Alt>'


_PROGRAM = "print-and-play-generator"
_DUPLEX = {"long": "DuplexFlipLongEdge", "short": "DuplexFlipShortEdge"}
_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)")


def write_pdf(
    document: Document,
    fonts: FontBook,
    palette: Callable[[Paint], Rgb],
    pictures: Callable[[str], Path],
    out: BinaryIO,
    inks: Inks | None = None,
    made: "Mapping[str, StencilledPicture]" = MappingProxyType({}),
    coming: Iterable[Page] = (),
) -> None:
    """Write the document to `out`; equal documents give equal bytes.

    `coming` are pages after those of the document. Each is laid out when it is written, and not kept. `palette`
    resolves a paint to red, green and blue (0 to 1) unless `inks` do. `pictures` returns the file of a picture's
    `source`, unless the picture was `made` under its asset. Raise ValueError if the document's date is neither
    `YYYY-MM-DD` nor empty.
    """
    date = _format_date(document.date)
    pdf = PdfFile(out)
    stock = PdfResources(pdf, document.lang, fonts, inks or ScreenInks(palette), pictures, made)
    structure = Structure(pdf) if document.tagged else None
    sheets = [_write_sheet(pdf, page, stock, structure, at) for at, page in enumerate(chain(document.pages, coming))]
    for sheet in sheets:  # in a tagged document the links become part of the structure
        links = " ".join([f"{_write_link(pdf, sheet, link, sheets, structure)} 0 R" for link in sheet.links])
        pdf.fill(sheet.number, f"<<{sheet.entries}{f'/Annots[{links}]' if links else ''}>>")
    kids = " ".join([f"{sheet.number} 0 R" for sheet in sheets])
    pdf.fill(pdf.pages, f"<</Type/Pages/Count {len(sheets)}/Kids[{kids}]>>")
    stock.write_fonts()
    duplex = _DUPLEX.get(document.backs, "Simplex")
    wishes = f"/ViewerPreferences<</DisplayDocTitle true/PrintScaling/None/Duplex/{duplex}>>"
    entries = f"/Lang{encode_short_text(document.lang)}{wishes}"
    if document.outline:
        entries += _write_outline(pdf, document, sheets)
    if any(sheet.label for sheet in sheets):
        labels = "".join([f"{at}<</P{encode_text(sheet.label)}>>" for at, sheet in enumerate(sheets)])
        entries += f"/PageLabels {add_object(pdf, f'<</Nums[{labels}]>>')} 0 R"
    if structure is not None:
        data = build_document_xmp(document, date)
        metadata = add_object(pdf, make_stream("/Type/Metadata/Subtype/XML", data, packed=True))
        entries += f"/StructTreeRoot {structure.write_root()} 0 R/MarkInfo<</Marked true>>/Metadata {metadata} 0 R"
    catalog = add_object(pdf, f"<</Type/Catalog/Pages {pdf.pages} 0 R{entries}>>")
    texts = {"Title": document.title, "Author": document.author, "Subject": document.subject}
    information = "".join(f"/{key}{encode_text(text)}" for key, text in texts.items() if text)
    information += f"/Creator({_PROGRAM})/Producer({_PROGRAM})/CreationDate({date})/ModDate({date})/Trapped/False"
    pdf.write_trailer(catalog, add_object(pdf, f"<<{information}>>"))


def _write_sheet(pdf: PdfFile, page: Page, stock: PdfResources, structure: Structure | None, at: int) -> _Sheet:
    """Write a page's content and resources, tagged if there is a `structure`; `at` is its index in the document."""
    number_of, height = pdf.reserve(), page.size.height * PT_PER_MM
    marks = structure.begin_page(number_of, height) if structure is not None else None
    content = Content(stock, marks)
    operators = f"{encode_number(PT_PER_MM, 6)} 0 0 {encode_number(-PT_PER_MM, 6)} 0 {encode_number(height)} cm"
    content.insert_mark(operators)
    if page.adjust != IDENTITY:
        content.insert_mark(encode_matrix(page.adjust))
    faces = [stock.draw_face(placement.drawing) for placement in page.placements]
    copies = Counter([face.key for face in faces])
    for placement, face in zip(page.placements, faces, strict=True):
        if marks is not None:
            drawing = placement.drawing
            words = ". ".join(filter(None, (drawing.title, drawing.description)))
            marks.enter_tags((Tag("Figure", alt=" · ".join(filter(None, (words, placement.id))), box=placement.trim),))
        whole = placement.clip.contains(placement.trim)  # other pages show the rest of a tile
        form = stock.embed_face(face, copies[face.key] == 1 and whole)
        by, within, inside = _find_frame(*placement[2:5], placement.drawing.bleed, placement.scale)
        if form is not None:
            content.draw_resource(form, by, within)
        else:
            content.insert_content(face.operators.decode("ascii"), face.resources, by, inside)
        if marks is not None:
            marks.leave_tags()
    content.draw(page.items)
    body = add_object(pdf, make_stream("", content.join_operators()))
    paper = Rect(0, 0, page.size.width, page.size.height)
    # A sheet cut at home is not trimmed: all of it is printed, and cut marks are content.
    trim, bleed = page.trim or paper, page.bleed or page.trim or paper
    named = (("Media", paper), ("Trim", trim), ("Bleed", bleed))
    boxes = "".join(f"/{name}Box{_convert_box(box, height)}" for name, box in named)
    entries = f"/Type/Page/Parent {pdf.pages} 0 R/Resources {stock.write_dictionary(content.resources)} 0 R{boxes}"
    told = f"/StructParents {at}/Tabs/S" if structure is not None else ""
    return _Sheet(number_of, page.size.height, f"{entries}/Contents {body} 0 R{told}", page.links, page.label)


def _convert_box(box: Rect, height: float) -> str:
    """Return a box of a page (mm, y down) in points with y up from the foot of the page."""
    left, right = box.x * PT_PER_MM, box.right * PT_PER_MM
    return f"[{encode_numbers((left, height - box.bottom * PT_PER_MM, right, height - box.y * PT_PER_MM))}]"


@lru_cache(64)
def _find_frame(trim: Rect, clip: Rect, turn: int, bleed: float, scale: float) -> tuple[Matrix, str, str]:
    """Return the matrix of a face turned into `trim`, its form's clip path ('' if needless), and one without a form."""
    reach = trim.grow(bleed * scale)  # the form itself ends there
    inner = reach.intersect(clip)
    paths = [f"{encode_numbers((box.x, box.y, box.width, box.height))} re" for box in (clip, inner)]
    return make_turn_into_box(trim, turn, scale), "" if clip.contains(reach) else paths[0], paths[1]


def _format_date(text: str) -> str:
    if not text:
        return "D:20000101000000Z"
    match = _DATE.fullmatch(text)
    if not match:
        raise ValueError(f"'{text}' is not a date like 2026-01-31")
    return f"D:{''.join(match.groups())}000000Z"
