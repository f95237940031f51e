"""Fonts in a PDF: glyphs come to stand where the text setter put them, and read as the text that they show."""

import io
import re
from itertools import accumulate

import pikepdf
import pytest
from fontTools.cffLib import FDArrayIndex, FDSelect, FontDict
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.ttLib import TTFont
from hypothesis import given
from hypothesis import strategies as st
from pdf_samples import BOOK, FILES, document, face, font, palette, pdf, placed, sheet, spelled, words
from tests_support import examples

from generator.base.display_list import TextRun
from generator.drawing.pdf.document import write_pdf
from generator.drawing.pdf.font_subset import CidFont
from generator.drawing.pdf.page_images import render_drawing_png
from generator.text.fonts import Font


def opened(*runs):
    """The fonts of a PDF with these runs, by their names without the subset's tag."""
    made = pikepdf.open(io.BytesIO(pdf(document(sheet(placed(face(*runs, width=60, height=60)), width=60, height=60)))))
    fonts = [entry for entry in made.objects if isinstance(entry, pikepdf.Dictionary) and "/DescendantFonts" in entry]
    return made, {str(entry.BaseFont).split("+")[1]: entry for entry in fonts}


def widths_of(entry):
    """Glyph -> width as a reader finds it in /W and /DW."""
    descendant = entry.DescendantFonts[0]
    found, array = {}, list(descendant.W)
    while array:
        first, values = int(array.pop(0)), array.pop(0)
        found |= {first + index: float(width) for index, width in enumerate(values)}
    return found, float(descendant.DW)


def positions(glyphs, spacing, operators, width):
    """Where each glyph starts (1/1000 em) by the rules of Tc and TJ."""
    assert re.fullmatch(r"<[0-9a-f]+>Tj|\[(<[0-9a-f]+>-?\d*)+\]TJ", operators)
    x, found, shown = 0.0, [], []
    for codes, step in re.findall(r"<([0-9a-f]+)>(-?\d+)?", operators):
        for at in range(0, len(codes), 4):
            glyph = int(codes[at : at + 4], 16)
            shown.append(glyph)
            found.append(x)
            x += width(glyph) + spacing
        x -= int(step or 0)
    assert tuple(shown) == glyphs
    return found


def test_natural_advances_need_no_adjustment():
    face_font = font("sans")
    glyphs = tuple(face_font.find_glyph(char) for char in "Wheat")
    spacing, operators = CidFont("F1", face_font).show_glyphs(glyphs, tuple("Wheat"), ())
    assert (spacing, operators) == (0.0, "<" + "".join(f"{glyph:04x}" for glyph in glyphs) + ">Tj")


def test_even_letter_spacing_is_one_operator():
    face_font = font("gothic")
    glyphs = tuple(face_font.find_glyph(char) for char in "珍獣を、一枚")
    advances = tuple(face_font.measure_advance(glyph) + 37.5 for glyph in glyphs)
    spacing, operators = CidFont("F1", face_font).show_glyphs(glyphs, tuple("珍獣を、一枚"), advances)
    assert spacing == pytest.approx(37.5, abs=0.01)
    assert operators.endswith(">Tj")
    unspaced_end = (*advances[:-1], face_font.measure_advance(glyphs[-1]))
    assert CidFont("F1", face_font).show_glyphs(glyphs, tuple("珍獣を、一枚"), unspaced_end) == (spacing, operators)


@given(st.lists(st.floats(-400, 900), min_size=1, max_size=30), st.booleans())
@examples(40)
def test_each_glyph_stands_where_it_was_set(moves, even):
    """Whatever the advances, no glyph starts more than 0.6/1000 em from its place: rounding doesn't add up."""
    face_font = font("sans")
    text = ("Fortuna AVATAR To wheat office" * 2)[: len(moves)]
    glyphs = tuple(face_font.find_glyph(char) for char in text)
    moves = [moves[0]] * len(moves) if even else moves
    advances = tuple(face_font.measure_advance(glyph) + move for glyph, move in zip(glyphs, moves, strict=True))
    spacing, operators = CidFont("F1", face_font).show_glyphs(glyphs, tuple(text), advances)
    wanted = list(accumulate(advances, initial=0.0))[:-1]
    for found, place in zip(positions(glyphs, spacing, operators, face_font.measure_advance), wanted, strict=True):
        assert abs(found - place) < 0.6


def test_a_reader_finds_every_glyphs_width():
    texts = {"gothic": "稲妻の神殿、「ヴィア」1234", "mincho": "鉄道、駅。", "sans": "An AVATAR waffles", "italic": "VAT"}  # fmt: skip
    runs = [words(text, name, 1, 5 * at + 5) for at, (name, text) in enumerate(texts.items())]
    _, fonts = opened(*runs)
    assert len(fonts) == len(runs)
    for run in runs:
        face_font = BOOK.get_font(run.font)
        base = str(TTFont(face_font.path)["name"].getDebugName(6))
        widths, usual = widths_of(fonts[base])
        for glyph in run.glyphs:
            assert widths.get(glyph, usual) == pytest.approx(face_font.measure_advance(glyph), abs=0.006)


def test_common_widths_are_left_to_the_default():
    _, fonts = opened(words("鉄道駅舎改札構内", "mincho"))
    widths, usual = widths_of(fonts["BIZUDMincho-Regular"])
    assert (widths, usual) == ({}, 1000.0)


@pytest.mark.parametrize("name", FILES)
def test_descriptor_says_what_the_font_file_says(name):
    made, fonts = opened(words("Hx", name))
    tables = TTFont(font(name).path)
    (entry,) = fonts.values()
    descendant = entry.DescendantFonts[0]
    descriptor = descendant.FontDescriptor
    scale = 1000 / tables["head"].unitsPerEm
    head = tables["head"]
    assert [int(edge) for edge in descriptor.FontBBox] == [
        round(edge * scale) for edge in (head.xMin, head.yMin, head.xMax, head.yMax)
    ]
    assert int(descriptor.Ascent) == round(tables["hhea"].ascent * scale)
    assert int(descriptor.Descent) == round(tables["hhea"].descent * scale)
    assert 500 < int(descriptor.CapHeight) < 900
    assert float(descriptor.ItalicAngle) == pytest.approx(tables["post"].italicAngle)
    fixed, serif, symbolic, italic = 1, 2, 4, 64  # BIZ UDMincho calls itself fixed-pitch, Cinzel nothing at all
    kinds = {"mincho": fixed | serif, "italic": italic}
    assert int(descriptor.Flags) == symbolic | kinds.get(name, 0)
    assert int(descriptor.StemV) == (166 if name == "caps" else 88)
    assert (descendant.Subtype, descendant.CIDToGIDMap, entry.Encoding) == ("/CIDFontType2", "/Identity", "/Identity-H")
    embedded = descriptor.FontFile2.read_bytes()
    assert int(descriptor.FontFile2.Length1) == len(embedded)
    assert len(embedded) < len(font(name).data) / 4
    assert descriptor.FontName == entry.BaseFont == descendant.BaseFont
    made.close()


def test_subset_tag_depends_on_the_glyphs_alone():
    tags = []
    for text in ("wheat", "tahew", "what"):
        _, fonts = opened(words(text))
        (entry,) = fonts.values()
        tags.append(str(entry.BaseFont).split("+")[0])
    assert all(re.fullmatch("/[A-Z]{6}", tag) for tag in tags)
    assert tags[0] == tags[1] != tags[2]


def unicode_map(entry):
    cmap = entry.ToUnicode.read_bytes().decode("ascii")
    blocks = "".join(re.findall(r"beginbfchar(.*?)endbfchar", cmap, re.DOTALL))
    return {int(g, 16): bytes.fromhex(t).decode("utf-16-be") for g, t in re.findall(r"<(.{4})> <(\w+)>", blocks)}


def test_unicode_map_holds_ligatures_and_far_characters():
    """A ligature reads as its letters; a character outside the first plane keeps its pair; 100 entries per block."""
    run = words("office")
    assert "ff" in run.clusters
    kanji = "".join(chr(code) for code in range(0x4E00, 0x4F80) if font("gothic").find_glyph(chr(code)))
    _, fonts = opened(run, words(kanji, "gothic", size=1), words("𠮟", "gothic", y=20))
    assert set(unicode_map(fonts["SourceSans3-Regular"]).values()) == {"o", "ff", "i", "c", "e"}
    found = unicode_map(fonts["BIZUDPGothic-Regular"])
    assert set(found.values()) == {*kanji, "𠮟"}
    cmap = fonts["BIZUDPGothic-Regular"].ToUnicode.read_bytes().decode("ascii")
    assert max(int(size) for size in re.findall(r"(\d+) beginbfchar", cmap)) == 100


def test_soft_hyphen_is_spelled_out_and_leaves_the_hyphen_its_entry():
    """The hyphen that hyphenation sets reads as U+00AD, a true hyphen of the same glyph as itself, in either order."""
    face_font = font("sans")
    hyphen = face_font.find_glyph("-")
    for texts in (("\u00ad", "-"), ("-", "\u00ad")):
        writer = CidFont("F1", face_font)
        shown = {text: writer.show_glyphs((hyphen,), (text,), ())[1] for text in texts}
        assert shown["-"] == f"<{hyphen:04x}>Tj"
        assert shown["\u00ad"] == f"/Span<</ActualText<FEFF00AD>>>BDC <{hyphen:04x}>Tj EMC"


def test_a_soft_hyphen_with_its_own_glyph_needs_no_spelling():
    own = font("sans").find_glyph("~")
    assert CidFont("F1", font("sans")).show_glyphs((own,), ("\u00ad",), ())[1] == f"<{own:04x}>Tj"


def test_only_what_the_map_cannot_tell_is_spelled_out():
    """In a mixed run the plain glyphs stay plain; a cluster of several glyphs and a borrowed glyph are spelled."""
    face_font = font("sans")
    a, b, c = (face_font.find_glyph(char) for char in "abc")
    writer = CidFont("F1", face_font)
    writer.show_glyphs((a, b, c), ("a", "b", "c"), ())
    _, operators = writer.show_glyphs((a, b, c, a), ("a", "xy", "", "α"), ())
    assert operators == f"<{a:04x}>Tj /Span<</ActualText<FEFF0078007903B1>>>BDC <{b:04x}{c:04x}{a:04x}>Tj EMC"
    _, operators = writer.show_glyphs((b, c), ("b", ""), ())
    assert operators == f"/Span<</ActualText<FEFF0062>>>BDC <{b:04x}{c:04x}>Tj EMC"


def test_spelled_runs_keep_their_advances():
    face_font = font("sans")
    glyphs = tuple(face_font.find_glyph(char) for char in "ab-c")
    advances = tuple(face_font.measure_advance(glyph) + 100 for glyph in glyphs)
    _, operators = CidFont("F1", face_font).show_glyphs(glyphs, ("a", "b", "\u00ad", "c"), advances)
    assert re.sub(r"<[0-9a-f]{4}>", "#", operators) == (
        "[#-100#-100]TJ /Span<</ActualText<FEFF00AD>>>BDC [#-100]TJ EMC [#-100]TJ"
    )


def test_missing_glyphs_read_as_what_is_missing():
    """Glyph 0 stands for any character: each is spelled out, none enters the map."""
    writer = CidFont("F1", font("caps"))
    assert writer.show_glyphs((0, 0), ("漢", "字"), ())[1] == "/Span<</ActualText<FEFF6F225B57>>>BDC <00000000>Tj EMC"


def squares(cid_keyed):
    """An OpenType font with PostScript outlines: A is a full square, B its lower half, C a blank."""
    builder = FontBuilder(1000, isTTF=False)
    names = [".notdef", "cid00900", "cid00700", "cid00800"]
    builder.setupGlyphOrder(names)
    builder.setupCharacterMap(dict(zip(b"ABC", names[1:], strict=True)))
    strings = {}
    for name, height in zip(names, (0, 1000, 500, 0), strict=True):
        pen = T2CharStringPen(1000, None)
        if height:
            pen.moveTo((0, 0))
            for point in ((0, height), (1000, height), (1000, 0)):
                pen.lineTo(point)
            pen.closePath()
        strings[name] = pen.getCharString()
    builder.setupCFF("Squares", {"FullName": "Squares"}, strings, {})
    builder.setupHorizontalMetrics(dict.fromkeys(names, (1000, 0)))
    builder.setupHorizontalHeader(ascent=1000, descent=-200)
    builder.setupNameTable({"familyName": "Squares", "styleName": "Regular", "psName": "Squares"})
    builder.setupOS2(sTypoAscender=1000)
    builder.setupPost()
    if cid_keyed:
        give_adobe_numbers(builder.font["CFF "].cff.topDictIndex[0])
    out = io.BytesIO()
    builder.save(out)
    return out.getvalue()


def give_adobe_numbers(top):
    """Make the outlines CID-keyed with the character numbers of the names, which are not the glyphs' own."""
    private, strings = top.Private, top.CharStrings
    top.ROS = ("Adobe", "Japan1", 0)
    top.CIDCount = 1000
    part = FontDict()
    part.Private, part.FontName = private, "Squares-One"
    top.FDArray = FDArrayIndex()
    top.FDArray.append(part)
    top.FDSelect = FDSelect()
    top.FDSelect.format, top.FDSelect.gidArray = 3, [0] * len(top.charset)
    strings.fdArray, strings.fdSelect = top.FDArray, top.FDSelect
    del top.Private
    top.rawDict.pop("Private", None)


class OneFont:
    """A font book of one font."""

    def __init__(self, only):
        self.only = only

    def get_font(self, key):
        """The font; it goes by its own key alone."""
        return {self.only.key: self.only}[key]


@pytest.mark.parametrize("cid_keyed", [False, True])
def test_postscript_outlines_show_under_their_glyph_numbers(cid_keyed, tmp_path):
    only = Font(tmp_path / "Squares.otf", squares(cid_keyed))
    glyphs = tuple(only.find_glyph(char) for char in "ACB")
    assert only.is_cff
    two_mm = 2 / 0.352777778
    drawing = face(TextRun(0, 2, two_mm, only.key, glyphs, tuple("ACB")), width=6, height=2)
    assert spelled(render_drawing_png(drawing, 254, OneFont(only), palette, None), 10) == "KK....\nKK..KK"


def test_postscript_outlines_go_in_bare(tmp_path):
    """A CFF font is a CIDFontType0 with the bare outlines, which readers since PDF 1.3 know."""
    only = Font(tmp_path / "Squares.otf", squares(cid_keyed=True))
    drawing = face(TextRun(0, 2, 6, only.key, (only.find_glyph("A"),), ("A",)))
    out = io.BytesIO()
    write_pdf(document(sheet(placed(drawing))), OneFont(only), palette, None, out)
    made = pikepdf.open(out)
    (descendant,) = [o for o in made.objects if isinstance(o, pikepdf.Dictionary) and o.get("/CIDSystemInfo")]
    assert descendant.Subtype == "/CIDFontType0"
    assert descendant.FontDescriptor.FontFile3.Subtype == "/CIDFontType0C"
    assert "/CIDToGIDMap" not in descendant
    assert descendant.FontDescriptor.FontFile3.read_bytes()[:1] == b"\x01"
