"""Where readers that know nothing of each other put the glyphs of a PDF: PDFium, pdfminer, Poppler, Ghostscript."""

import ctypes
import io
import re
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import product
from math import dist
from pathlib import Path
from typing import Literal, NamedTuple
from xml.etree import ElementTree

import pikepdf
import pypdfium2
import pypdfium2.raw
from pdfminer.converter import PDFPageAggregator
from pdfminer.layout import LTChar, LTContainer
from pdfminer.pdfinterp import PDFPageInterpreter, PDFResourceManager
from pdfminer.pdfpage import PDFPage

MM_PER_PT = 25.4 / 72


class Glyph(NamedTuple):
    """A glyph as a reader places it, mm from the page's top left.

    `number` is its number in its font, `BLANK` for any that shows nothing, `UNTOLD` where a reader tells none; `line`
    says how its line runs.
    """

    number: int
    x: float
    y: float
    line: Literal["lying", "standing", "askew"] = "lying"


BLANK, UNTOLD = -2, -1

LOST = 99.0
"""How far a glyph is from where it should be that is nowhere near it."""

_FIRST = 0x3400
"""The character that stands for glyph 0: from here on there are more ideographs than a font of ours has glyphs."""

_GLYPHS = 0x5F00

_SLANT = 1e-4
"""How much a line rises at most that lies."""

_SVG = "{http://www.w3.org/2000/svg}"

_FINE = 7200
"""Dots an inch: Ghostscript tells whole ones."""


_PATH = re.compile(rb"^-?[\d.]+ -?[\d.]+ m [-\d. mlch]*(?:S|f\*?|B\*?)\n", re.MULTILINE)
"""A path that is painted, on a line of its own; what it clips to ends in `W n`."""


def told_apart(pdf: bytes) -> bytes:
    """The same file with every glyph reading as a character of its own, so that readers can be held to each other.

    Texts that are spelled out for copying go, what glyphs mean, and painted paths, which readers take most of their time
    for: widths and places stay as they are.
    """
    with pikepdf.open(io.BytesIO(pdf)) as work:
        for each in work.objects:
            if isinstance(each, pikepdf.Stream) and (each.get("/Subtype") == "/Form" or "/Type" not in each):
                content = each.read_bytes()
                plain = re.sub(
                    rb"/Span<</(?:ActualText|Lang)(?:<[0-9A-F]*>|\((?:[^()\\]|\\.)*\))>>BDC", b"/Span BMC", content
                )
                plain = _PATH.sub(b"", plain)
                if plain != content:
                    each.write(plain)
            if isinstance(each, pikepdf.Dictionary) and "/DescendantFonts" in each:
                each.ToUnicode = work.make_stream(_own_characters(each.ToUnicode.read_bytes()))
        out = io.BytesIO()
        work.save(out)
    return out.getvalue()


def _own_characters(known: bytes) -> bytes:
    """A map that gives each glyph a character of its own, but leaves blanks what they are."""
    told = re.findall(rb"<([0-9A-F]{4})> <([0-9A-F]+)>", known)
    blank = {
        int(glyph, 16): text.decode()
        for glyph, text in told
        if not bytes.fromhex(text.decode()).decode("utf-16-be").strip()
    }
    rows, low = [], 0
    for end in sorted({*range(0x100, _GLYPHS + 1, 0x100), *blank, *(glyph + 1 for glyph in blank)}):
        if low < end:
            rows.append(f"<{low:04X}> <{end - 1:04X}> <{blank.get(low) or f'{_FIRST + low:04X}'}>")
        low = end
    body = "\n".join(f"1 beginbfrange\n{row}\nendbfrange" for row in rows)
    head = "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def /CMapType 2 def\n"
    return f"{head}1 begincodespacerange <0000> <FFFF> endcodespacerange\n{body}\nendcmap end end".encode()


def _glyph(character: str) -> int:
    return ord(character) - _FIRST if ord(character) >= _FIRST else BLANK


def by_pdfium(pdf: bytes) -> Iterator[list[Glyph]]:
    """Page by page."""
    raw = pypdfium2.raw
    document = pypdfium2.PdfDocument(pdf)
    for page in document:
        height = page.get_height()
        text = page.get_textpage()
        found, x, y = [], ctypes.c_double(), ctypes.c_double()
        for at in range(text.count_chars()):
            code = raw.FPDFText_GetUnicode(text, at)
            if code >= _FIRST and raw.FPDFText_GetCharOrigin(text, at, x, y):
                found.append(Glyph(_glyph(chr(code)), x.value * MM_PER_PT, (height - y.value) * MM_PER_PT))
        yield found
    document.close()


def by_pdfminer(pdf: bytes) -> Iterator[list[Glyph]]:
    """Page by page; written in Python alone."""
    fonts = PDFResourceManager()
    device = PDFPageAggregator(fonts)
    interpreter = PDFPageInterpreter(fonts, device)
    for leaf in PDFPage.get_pages(io.BytesIO(pdf)):
        interpreter.process_page(leaf)
        page = device.get_result()
        yield [_placed(char, page.height) for char in _characters(page)]


def _placed(char: LTChar, height: float) -> Glyph:
    a, b, _, _, x, y = char.matrix
    across, along = abs(a) > _SLANT * abs(b), abs(b) > _SLANT * abs(a)
    line: Literal["lying", "standing", "askew"] = "askew" if across and along else "lying" if across else "standing"
    return Glyph(_glyph(char.get_text()), x * MM_PER_PT, (height - y) * MM_PER_PT, line)


def _characters(container: LTContainer) -> Iterator[LTChar]:
    for each in container:
        if isinstance(each, LTChar):
            yield each
        elif isinstance(each, LTContainer):
            yield from _characters(each)


def by_poppler(pdf: Path, pages: Iterable[int], program: str) -> Iterator[list[Glyph]]:
    """The pages asked for (from 1); the numbers of glyphs are not told."""
    for page in pages:
        command = [program, "-svg", "-noshrink", "-nocenter", "-f", str(page), "-l", str(page), str(pdf), "-"]
        svg = subprocess.run(command, check=True, capture_output=True).stdout
        page_of = ElementTree.fromstring(svg)  # noqa: S314 - a program's answer to our own file
        surfaces = {name: each for each in page_of.iter() if (name := each.get("id", "")).startswith("surface")}
        spots = _used(surfaces["surface1"], surfaces)
        yield [Glyph(UNTOLD, x * MM_PER_PT, y * MM_PER_PT) for x, y in spots]


def _used(part: ElementTree.Element, surfaces: dict[str, ElementTree.Element]) -> Iterator[tuple[float, float]]:
    """Where glyphs stand in a part of Poppler's drawing, and in what is drawn apart and laid there, as dimmed cards are."""
    for use in part.iter(f"{_SVG}use"):
        name = use.get("{http://www.w3.org/1999/xlink}href", "").removeprefix("#")
        if name.startswith("glyph"):
            yield float(use.get("x", 0)), float(use.get("y", 0))
        elif name in surfaces:
            a, b, c, d, e, f = map(float, re.findall(r"-?[\d.]+", use.get("transform", "matrix(1,0,0,1,0,0)")))
            yield from ((a * x + c * y + e, b * x + d * y + f) for x, y in _used(surfaces[name], surfaces))


def by_ghostscript(pdf: bytes, room: Path, program: str) -> Iterator[list[Glyph]]:
    """Page by page each glyph twice: as it lies, and as it lies on the turned page.

    Within a line that stands it tells no heights, so only glyphs of lying lines are where it says.
    """
    lying, standing = (_ghostscript(turned, room, program) for turned in (pdf, _turned(pdf)))
    for here, there, (_, height) in zip(lying, standing, _sizes(pdf), strict=True):
        yield [Glyph(UNTOLD, x, y) for x, y in here] + [Glyph(UNTOLD, y, height - x, "standing") for x, y in there]


def _ghostscript(pdf: bytes, room: Path, program: str) -> Iterator[list[tuple[float, float]]]:
    copy = room / "copy.pdf"
    copy.write_bytes(pdf)
    command = [program, "-q", "-dBATCH", "-dNOPAUSE", "-dSAFER", "-sDEVICE=txtwrite", "-dTextFormat=0"]
    done = subprocess.run([*command, f"-r{_FINE}", "-sOutputFile=-", str(copy)], check=True, capture_output=True)
    for page in done.stdout.decode("utf-8").split("<page>")[1:]:
        found = re.findall(r'<char bbox="(-?\d+) (-?\d+) ', page)
        yield [(int(x) * 25.4 / _FINE, int(y) * 25.4 / _FINE) for x, y in found]


def _turned(pdf: bytes) -> bytes:
    """The same file with its pages turned a quarter clockwise."""
    with pikepdf.open(io.BytesIO(pdf)) as work:
        for page in work.pages:
            page.Rotate = 90
        out = io.BytesIO()
        work.save(out)
    return out.getvalue()


def _sizes(pdf: bytes) -> list[tuple[float, float]]:
    with pikepdf.open(io.BytesIO(pdf)) as work:
        boxes = [[float(side) * MM_PER_PT for side in page.mediabox] for page in work.pages]
    return [(right - left, top - bottom) for left, bottom, right, top in boxes]


def apart(one: list[Glyph], other: list[Glyph]) -> float:
    """How far (mm) a glyph of one reader stands at most from where the other puts one like it, or the other way round.

    A blank may be missing: some readers leave some out.
    """
    return max(farthest(one, other), farthest(other, one))


def farthest(some: list[Glyph], others: list[Glyph]) -> float:
    """How far (mm) a glyph of `some` that shows stands at most from one like it among the `others`."""
    told = all(glyph.number != UNTOLD for glyph in (*some, *others))
    cells: dict[tuple[int, int, int], list[tuple[float, float]]] = defaultdict(list)
    for glyph in others:
        cells[glyph.number if told else UNTOLD, round(glyph.x), round(glyph.y)].append((glyph.x, glyph.y))
    worst = 0.0
    for number, x, y, _ in some:
        if number != BLANK:
            key, around = number if told else UNTOLD, product((-1, 0, 1), (-1, 0, 1))
            near = [spot for dx, dy in around for spot in cells.get((key, round(x) + dx, round(y) + dy), ())]
            worst = max(worst, min((dist((x, y), spot) for spot in near), default=LOST))
    return worst
