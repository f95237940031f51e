"""EPUB: a book as EPUB 3 with chapters, cover and contents; equal books give equal bytes."""

import re
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from generator.base.archives import zip_files
from generator.base.display_list import Paint
from generator.base.errors import raise_problems
from generator.base.files import read_file
from generator.base.languages import phrase
from generator.books.page.blocks import Block, Book, Contents, Heading, Index, dissolve_groups, iter_contents_headings
from generator.books.page.page_style import choose_page_colours
from generator.books.web_page import BlockWriter, make_web_text, write_contents_list, write_tints
from generator.drawing.faces.game_drawing import Workshop
from generator.drawing.svg_writer import Definitions, escape_text

_COVER_DPI = 200.0
_BEGUN = "2000-01-01"
"""Modification date of a book without a date: EPUB requires one."""

_OURS = uuid.UUID("0d9d1b26-3a86-5c0f-9d3e-6f0a5a0c7d11")
"""UUID namespace: a book's identifier depends only on game and language, so new versions keep it."""

_LINK = re.compile(r'(<a\b[^>]*? href=")(#[^"]+)(")')
_ID = re.compile(r' id="([^"]+)"')
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


@dataclass(frozen=True, slots=True)
class _Chapter:
    """A file of the book: its name, plain title and XHTML; `drawn` if it contains pictures."""

    file: str
    title: str
    body: str
    drawn: bool = False


def make_epub(book: Book, workshop: Workshop, pages: bytes, accent: Paint = "ink") -> bytes:
    """Return the book as EPUB; `pages` is its PDF, of which page 1 is the cover. Raise ProblemsFound for bad links."""
    colours = choose_page_colours(workshop.game.palette, accent)
    definitions = Definitions(workshop.fonts, workshop.hex_of_paint, Path)
    words, glossary = make_web_text(book, workshop, definitions)
    blocks = BlockWriter(words, glossary)
    flow = list(dissolve_groups(book.blocks))
    parts = list(_split_chapters(flow))
    written: dict[int, _Chapter] = {}
    # An index needs every use of a term, so it is written last.
    for at in sorted(range(len(parts)), key=lambda at: isinstance(parts[at][0], Index)):
        text, first = blocks.write_page(parts[at]), parts[at][0]
        title = first.text if isinstance(first, Heading) else first.title if isinstance(first, Index) else ()
        body = f"<section>\n{text}</section>\n{_collect_shapes(text, definitions)}"
        name = f"chapter-{at + 1:02}.xhtml"
        written[at] = _Chapter(name, words.plain_from_text(title), body, "<svg" in body)
    cover = book.cover
    below = f'<p class="subtitle">{escape_text(cover.subtitle)}</p>\n' if cover.subtitle else ""
    facts = f'<p class="facts">{escape_text(" · ".join(cover.facts))}</p>\n' if cover.facts else ""
    picture = f'<p class="cover"><img src="cover.png" alt="{escape_text(cover.title)}"/></p>\n'
    front = f'<section class="front">\n{picture}<h1>{escape_text(cover.title)}</h1>\n{below}{facts}</section>\n'
    chapters = [_Chapter("title.xhtml", cover.title, front), *(written[at] for at in range(len(parts)))]
    if book.imprint:
        lines = "".join([f"<p>{escape_text(line)}</p>\n" for line in book.imprint])
        chapters.append(_Chapter("imprint.xhtml", book.cover.title, f'<section class="imprint">\n{lines}</section>\n'))
    named = write_contents_list(words, [one for one in iter_contents_headings(flow) if one.level <= 2])
    raise_problems(words.problems)
    places: dict[str, str] = {}
    for chapter in chapters:
        own = chapter.body.split('<svg class="store"', maxsplit=1)[0]  # outlines that pictures share are no targets
        places |= {f"#{found[1].replace('%', '%25')}": chapter.file for found in _ID.finditer(own)}
    from generator.drawing.pdf.page_images import render_page_png  # loads PDFium, which few books need

    listed, shapes = _relink_files(named, places), _collect_shapes(named, definitions)
    day = colours.day_accent
    accents = f"h1, h2, h3, .title {{ color: {day}; }}\naside {{ border-color: {day}; }}\n"
    style = read_file(Path(__file__).with_name("epub.css"), "own").decode()
    head = escape_text(phrase("table_of_contents", book.lang))
    # A book without chapters gets one entry for the whole book.
    entries = listed or f'<ol><li><a href="{chapters[0].file}">{escape_text(cover.title)}</a></li></ol>'
    nav = f'<nav epub:type="toc" id="toc" role="doc-toc">\n<h1>{head}</h1>\n{entries}\n</nav>\n{shapes}'
    files: dict[str, str | bytes] = {
        "mimetype": "application/epub+zip",  # first and uncompressed
        "META-INF/container.xml": _CONTAINER,
        "EPUB/package.opf": _write_package(book, chapters, "<svg" in named),
        "EPUB/nav.xhtml": _write_document(book.lang, book.cover.title, nav),
        "EPUB/style.css": f"{accents}{style}{write_tints(words.colours, workshop, colours)}",
        "EPUB/cover.png": render_page_png(pages, 0, _COVER_DPI),
    }
    for one in chapters:
        files[f"EPUB/{one.file}"] = _write_document(book.lang, one.title, _relink_files(one.body, places))
    packed = ((name, text.encode() if isinstance(text, str) else text) for name, text in files.items())
    return zip_files(packed, stored="mimetype")


def _split_chapters(blocks: Iterable[Block]) -> Iterator[Sequence[Block]]:
    """Yield the blocks of each chapter; an index is its own chapter. The contents have their own file."""
    part: list[Block] = []
    for block in blocks:
        if isinstance(block, Contents):
            continue
        begins = isinstance(block, Index) or (isinstance(block, Heading) and block.level == 1)
        if part and (begins or isinstance(part[-1], Index)):
            yield part
            part = []
        part.append(block)
    if part:
        yield part


def _collect_shapes(html: str, definitions: Definitions) -> str:
    """Return the SVG symbols and other definitions used in `html`; every file of an EPUB needs its own copy."""
    store = definitions.write_definitions(html)
    # Not `display: none`, because some e-readers then ignore the picture.
    return f'<svg class="store" width="0" height="0" aria-hidden="true"><defs>{store}</defs></svg>\n' if store else ""


def _relink_files(html: str, places: Mapping[str, str]) -> str:
    return _LINK.sub(lambda found: f"{found[1]}{places.get(found[2], '')}{found[2]}{found[3]}", html)


def _write_document(lang: str, title: str, body: str) -> str:
    """Return an XHTML file with the HTML `body`. In it `<` always begins a tag, because all texts are escaped."""
    said, closed = escape_text(lang), body.replace("<br>", "<br/>").replace("<wbr>", "<wbr/>")
    body = closed.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ')
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE html>\n'
        '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" '
        f'lang="{said}" xml:lang="{said}">\n<head>\n<meta charset="utf-8"/>\n'
        f"<title>{escape_text(title) or '·'}</title>\n"
        '<link rel="stylesheet" type="text/css" href="style.css"/>\n</head>\n'
        f"<body>\n{body}</body>\n</html>\n"
    )


def _write_package(book: Book, chapters: Sequence[_Chapter], drawn: bool) -> str:
    """Return the package file: contents, order and metadata; `drawn` if the contents have pictures."""
    date = book.date if _DATE.fullmatch(book.date) else ""
    name = uuid.uuid5(_OURS, f"{book.game}/{book.name}/{book.lang}")
    lang, title = escape_text(book.lang), escape_text(book.cover.title)
    said = [f'<dc:identifier id="book">urn:uuid:{name}</dc:identifier>', f"<dc:title>{title}</dc:title>"]
    said += [f"<dc:language>{lang}</dc:language>"]
    said += [f"<dc:description>{escape_text(book.cover.subtitle)}</dc:description>"] if book.cover.subtitle else []
    said += [f"<dc:date>{date}</dc:date>"] if date else []
    said += [f'<meta property="dcterms:modified">{date or _BEGUN}T00:00:00Z</meta>']
    said += [f'<meta property="schema:{key}">{value}</meta>' for key, value in _ACCESS]
    kind = "nav svg" if drawn else "nav"
    items = [f'<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="{kind}"/>']
    items += ['<item id="style" href="style.css" media-type="text/css"/>']
    items += ['<item id="cover" href="cover.png" media-type="image/png" properties="cover-image"/>']
    order = []
    for chapter in chapters:
        kind = ' properties="svg"' if chapter.drawn else ""
        key = chapter.file.removesuffix(".xhtml")
        items.append(f'<item id="{key}" href="{chapter.file}" media-type="application/xhtml+xml"{kind}/>')
        order.append(f'<itemref idref="{key}"/>')
    order.insert(1, '<itemref idref="nav"/>')
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        f'<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="book" xml:lang="{lang}">\n'
        f'<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">\n{_join_lines(said)}</metadata>\n'
        f"<manifest>\n{_join_lines(items)}</manifest>\n<spine>\n{_join_lines(order)}</spine>\n</package>\n"
    )


def _join_lines(lines: Iterable[str]) -> str:
    return "".join([f"{line}\n" for line in lines])


_ACCESS = (
    ("accessMode", "textual"),
    ("accessMode", "visual"),
    ("accessModeSufficient", "textual"),
    ("accessibilityFeature", "alternativeText"),
    ("accessibilityFeature", "structuralNavigation"),
    ("accessibilityFeature", "tableOfContents"),
    ("accessibilityHazard", "none"),
)
"""Accessibility metadata of the EPUB: it states that every picture has a description."""

_CONTAINER = """\
<?xml version="1.0" encoding="utf-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles><rootfile full-path="EPUB/package.opf" media-type="application/oebps-package+xml"/></rootfiles>
</container>
"""
