"""The PDF of a document: its structure for an independent reader, its text for a searcher, the same bytes anywhere."""

import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pikepdf
import pytest
from pdf_samples import (
    BOOK,
    block,
    document,
    face,
    font,
    palette,
    pdf,
    placed,
    reread,
    sample,
    sheet,
    symbol,
    twice,
    words,
)
from PIL import Image

from generator.base.display_list import Group, PlacedSymbol, Shape, TextRun
from generator.base.geometry import PT_PER_MM, Rect, Size
from generator.drawing.pdf.document import write_pdf
from generator.game.print_pages import Document

HERE = Path(__file__).parent


@pytest.fixture
def opened():
    """Opens documents as an independent reader has them, until the test is over."""
    kept = []

    def read(made: Document) -> pikepdf.Pdf:
        kept.append(reread(made))
        return kept[-1]

    yield read
    for one in kept:
        one.close()


def forms(made: pikepdf.Pdf) -> list[pikepdf.Object]:
    """Every form of a PDF, in the order of the file."""
    return [o for o in made.objects if isinstance(o, pikepdf.Stream) and o.get("/Subtype") == "/Form"]


def calls(stream: pikepdf.Object) -> int:
    return len(re.findall(rb" Do\b", stream.read_bytes()))


def box(*mm: float) -> list[float]:
    return [pytest.approx(side * PT_PER_MM, abs=0.001) for side in mm]


def test_each_page_has_the_boxes_of_its_own_paper(opened):
    made = opened(document(sheet(width=210, height=297), sheet(width=297, height=210), sheet(width=50, height=60)))
    sizes = ((210, 297), (297, 210), (50, 60))
    for page, (width, height) in zip(made.pages, sizes, strict=True):
        for name in ("/MediaBox", "/TrimBox", "/BleedBox"):
            assert [float(side) for side in page.obj[name]] == box(0, 0, width, height)


def test_a_face_is_written_once_and_placed_often(opened):
    one, same, other = (face(block(0, 0, side, 1), title=str(side)) for side in (1, 1.0, 2))
    assert one is not same
    pages = [sheet(placed(one), placed(same, 4), placed(other, 8), placed(other)), sheet(placed(one), placed(one, 4))]
    made = opened(document(*pages))
    assert len(forms(made)) == 2
    assert [calls(page.Contents) for page in made.pages] == [4, 2]


def test_a_face_alone_is_drawn_on_its_page(opened):
    """One copy on the page is drawn there as its form would be, in its own box; from the second page on it is a form.

    Not so the tile of a face, of which more follows.
    """
    one = face(block(-9, -9, 20, 20), words("a"), width=6, height=8, bleed=1)
    made = opened(document(sheet(placed(one, 5, 5)), sheet(placed(one, 7, 7)), sheet(placed(one, 9, 9))))
    (form,) = forms(made)
    drawn = made.pages[0].Contents.read_bytes()
    assert b"q 4 4 8 10 re W n 1 0 0 1 5 5 cm\n" + form.read_bytes() + b"\nQ" in drawn
    assert [calls(page.Contents) for page in made.pages] == [0, 1, 1]
    assert "/XObject" not in made.pages[0].Resources
    tile = opened(document(sheet(placed(one, 5, 5, clip=Rect(5, 5, 3, 3)))))
    assert len(forms(tile)) == 1


def test_a_face_drawn_on_its_page_leaves_its_neighbours_bleed_alone(opened):
    one = face(block(-9, -9, 20, 20), width=6, height=8, bleed=2)
    made = opened(document(sheet(placed(one, 5, 5, clip=Rect(4, 5, 9, 8)))))
    assert b"q 4 5 9 8 re W n 1 0 0 1 5 5 cm\n" in made.pages[0].Contents.read_bytes()


def test_small_objects_are_packed_together(opened):
    """Nothing but streams lies openly in the file, and no pack holds more than readers like to unpack at once."""
    made = pdf(sample())
    bodies = re.findall(rb"\n\d+ 0 obj\n(.*?)endobj\n", made, re.DOTALL)
    assert len(bodies) > 5
    assert all(body.endswith(b"\nendstream\n") for body in bodies)
    many = document(*(sheet(width=100 + at, height=50) for at in range(500)))
    packs = [int(found) for found in re.findall(rb"/Type/ObjStm/N (\d+)", pdf(many))]
    assert sum(packs) > 500
    assert len(packs) > 2
    assert max(packs) == 200


def test_what_makes_a_face_another_makes_another_form(opened):
    """Size, bleed, language and content tell faces apart; title and set frames don't."""
    first = face(block(0, 0, 1, 1))
    others = [
        first._replace(width=5),
        first._replace(bleed=1),
        first._replace(lang="ja"),
        first._replace(items=(*first.items, block(2, 2, 1, 1))),
    ]
    made = opened(document(sheet(*twice(first, first._replace(title="other", description="x"), *others))))
    assert len(forms(made)) == 5


def test_a_symbol_is_written_once_however_deep_it_stands(opened):
    """An icon on many faces, inside groups and inside other icons is one form, named in each form's own resources."""
    inner = symbol(block(0, 0, 1, 1), name="icon:inner")
    twin = symbol(block(0, 0, 1, 1), name="icon:inner")
    outer = symbol(PlacedSymbol(inner, (1, 0, 0, 1, 0, 0)), name="icon:outer")
    faces = [
        face(
            block(0, 0, size, 1),
            Group((PlacedSymbol(outer, (1, 0, 0, 1, 0, 0)),)),
            PlacedSymbol(twin, (1, 0, 0, 1, 1, 1)),
        )
        for size in (1, 2, 3)
    ]
    made = opened(document(sheet(*twice(*faces))))
    assert len(forms(made)) == 3 + 2
    for form in forms(made):
        used = {str(name) for name in re.findall(r"(/[A-Z]\d+) Do", form.read_bytes().decode())}
        assert used == set(form.Resources.get("/XObject", {}).keys())
    assert sorted(len(form.Resources.get("/XObject", {})) for form in forms(made)) == [0, 1, 2, 2, 2]


def test_forms_end_where_their_art_ends(opened):
    cut, uncut = symbol(block(0, 0, 9, 9)), symbol(block(0, 0, 8, 8))
    made = opened(
        document(
            sheet(
                *twice(
                    face(
                        PlacedSymbol(cut, (1, 0, 0, 1, 0, 0), clip=True),
                        PlacedSymbol(uncut, (1, 0, 0, 1, 0, 0)),
                        width=63,
                        height=88,
                        bleed=3,
                    )
                )
            )
        )
    )
    boxes = [[float(side) for side in form.BBox] for form in forms(made)]
    assert [-3, -3, 66, 91] in boxes
    assert [0, 0, 2, 2] in boxes
    assert any(left < -1000 and right > 1000 for left, _, right, _ in boxes)


def test_every_font_is_embedded_and_readable(opened):
    made = opened(sample())
    fonts = [o for o in made.objects if isinstance(o, pikepdf.Dictionary) and o.get("/Type") == "/Font"]
    types = [entry for entry in fonts if entry.Subtype == "/Type0"]
    assert len(types) == 4
    for entry in types:
        assert entry.ToUnicode.read_bytes()
        assert entry.DescendantFonts[0].FontDescriptor.FontFile2.read_bytes()
    names = {str(entry.BaseFont).split("+")[-1] for entry in fonts}
    assert names == {"BIZUDPGothic-Regular", "BIZUDMincho-Regular", "SourceSans3-Regular", "Cinzel-Bold"}


def test_no_page_or_form_is_transparent_or_moves(opened):
    """No graphics state, no transparency group, no page transition, no ASCII85: every stream is plain Flate."""
    made = opened(sample())
    for entry in made.objects:
        if isinstance(entry, pikepdf.Dictionary | pikepdf.Stream):
            assert not {"/ExtGState", "/Group", "/Trans", "/SMask", "/ca", "/CA"} & set(entry.keys())
        if isinstance(entry, pikepdf.Stream):
            assert entry.Filter == "/FlateDecode"


def test_the_document_says_what_it_is(opened):
    """Title, author, subject, dates and program are in the information; empty ones are left out."""
    made = opened(document(title="稲妻 (Lightning)", author="作者", subject="Draft 5", date="2026-03-01"))
    info = {key: str(value) for key, value in made.docinfo.items()}
    assert info == {
        "/Title": "稲妻 (Lightning)", "/Author": "作者", "/Subject": "Draft 5", "/Creator": "print-and-play-generator",
        "/Producer": "print-and-play-generator", "/CreationDate": "D:20260301000000Z", "/ModDate": "D:20260301000000Z",
        "/Trapped": "/False",
    }  # fmt: skip
    bare = opened(document()).docinfo
    assert "/Author" not in bare
    assert "/Subject" not in bare
    assert bare["/CreationDate"] == "D:20000101000000Z"


@pytest.mark.parametrize("date", ["March 2026", "2026-3-1", "20260301", "2026-03-01T00:00"])
def test_a_date_in_another_form_is_refused(date):
    with pytest.raises(ValueError, match=re.escape(f"'{date}' is not a date like 2026-01-31")):
        pdf(document(date=date))


@pytest.mark.parametrize(
    ("backs", "duplex"),
    [
        ("long", "/DuplexFlipLongEdge"),
        ("short", "/DuplexFlipShortEdge"),
        ("none", "/Simplex"),
        ("fold", "/Simplex"),
        ("separate", "/Simplex"),
    ],
)
def test_the_printer_is_asked_for_true_size_and_the_right_turn(backs, duplex, opened):
    root = opened(document(sheet(), backs=backs, lang="ja")).Root
    assert root.Lang == "ja"
    assert root.ViewerPreferences.DisplayDocTitle is True
    assert root.ViewerPreferences.PrintScaling == "/None"
    assert root.ViewerPreferences.Duplex == duplex
    assert "/Outlines" not in root


def test_a_face_in_another_language_says_so(opened):
    made = opened(document(sheet(*twice(face(block(0, 0, 1, 1), lang="en"))), lang="ja"))
    (foreign,) = forms(made)
    assert foreign.read_bytes().startswith(b"/Span<</Lang<FEFF0065006E>>>BDC\n")
    assert foreign.read_bytes().endswith(b"\nEMC")
    (own,) = forms(opened(document(sheet(*twice(face(block(0, 0, 1, 1), lang="ja"))), lang="ja")))
    assert b"BDC" not in own.read_bytes()


def test_a_document_without_pages_is_still_one(opened):
    assert len(opened(document()).pages) == 0


def test_numbers_are_short_and_plain(opened):
    """No operand has more than six decimals or an exponent, and a scaled symbol keeps its size to a millionth."""
    tiny = symbol(block(0, 0, 1000000, 1000000), size=1000000)
    drawing = face(
        PlacedSymbol(tiny, (1e-6, 0, 0, 1e-6, 1e-9, -1e-9)), words("x", angle=33.3), block(1 / 3, 2 / 3, 1, 1)
    )
    (drawn,) = [form for form in forms(opened(document(sheet(*twice(drawing))))) if b"Do" in form.read_bytes()]
    content = drawn.read_bytes().decode()
    assert content.startswith("q 0.000001 0 0 0.000001 0 0 cm /S")
    assert all(re.fullmatch(r"-?\d+(\.\d{1,6})?", word) for word in content.split() if re.match(r"[-.\d]", word))


def test_greys_are_printed_with_black_ink_alone(opened):
    drawing = face(
        Shape("M 0 0 L 1 1", stroke="ink", width=0.1),
        block(0, 0, 1, 1, "#808080"),
        block(0, 0, 1, 1, "#ff0080"),
        Shape("M 0 0 L 1 1", stroke="#00ff80", width=0.1),
    )
    (form,) = forms(opened(document(sheet(*twice(drawing)))))
    colours = re.findall(rb"(?m)^(.*) (g|G|rg|RG)$", form.read_bytes())
    assert colours == [(b"0", b"G"), (b"0.502", b"g"), (b"1 0 0.502", b"rg"), (b"0 1 0.502", b"RG")]


def test_state_is_set_only_when_it_changes(opened):
    drawing = face(*(words("a", y=y) for y in range(5)), *(Shape("M 0 0 L 1 1", stroke="ink", width=1) for _ in "abc"))
    (form,) = forms(opened(document(sheet(*twice(drawing)))))
    content = form.read_bytes()
    for operator, times in ((b" Tf", 1), (b"BT", 1), (b"ET", 1), (b" Tc", 1), (b" g\n", 1), (b" G\n", 1), (b" w ", 1)):
        assert content.count(operator) == times
    assert content.count(b" Tm ") == 5


def test_the_file_is_sound(tool, tmp_path):
    """Qpdf finds nothing to complain about, and poppler lists every font as embedded, subset and mapped."""
    path = tmp_path / "sample.pdf"
    path.write_bytes(pdf(sample()))
    checked = subprocess.run([tool("qpdf"), "--check", path], capture_output=True, check=False)
    assert (checked.returncode, b"WARNING" in checked.stderr) == (0, False)
    listed = subprocess.run([tool("pdffonts"), path], capture_output=True, check=True).stdout.decode().splitlines()[2:]
    assert len(listed) == 4
    assert all(re.search(r"CID TrueType +Identity-H +yes yes yes", line) for line in listed)


def test_streams_end_on_a_line_of_their_own():
    made = pdf(sample())
    streams = re.findall(rb"/Length (\d+)>>\nstream\n", made)
    assert len(streams) > 10
    for match in re.finditer(rb"/Length (\d+)>>\nstream\n", made):
        assert made[match.end() + int(match[1]) :].startswith(b"\nendstream\nendobj\n")


def test_the_identifier_is_of_the_content(opened):
    """Equal documents share their ID; another word, size of paper or title gives another."""
    made = sample()
    first = made.pages[0]
    others = (
        replace(made, title="Another"),
        replace(made, pages=(first._replace(items=()), *made.pages[1:])),
        replace(made, pages=(*made.pages[:1], made.pages[1]._replace(size=Size(298, 210)))),
    )
    marks = [bytes(opened(one).trailer.ID[0]) for one in (made, sample(), *others)]
    assert marks[0] == marks[1]
    assert len(set(marks)) == 4
    assert len(marks[0]) == 16


SCRIPT = """
import io, pathlib, sys
from dataclasses import replace
from pdf_samples import BOOK, palette, sample
from generator.drawing.pdf.document import write_pdf
from generator.base.display_list import Picture
made = sample()
picture = Picture("content", sys.argv[1], 1, 1, 5, 5)
first = made.pages[0]._replace(items=(*made.pages[0].items, picture))
out = io.BytesIO()
write_pdf(replace(made, pages=(first, *made.pages[1:])), BOOK, palette, pathlib.Path, out)
sys.stdout.buffer.write(out.getvalue())
"""


@pytest.mark.slow
def test_the_same_document_is_the_same_file_anywhere(tmp_path):
    """Hash seed, time zone, working directory, a picture's path and SOURCE_DATE_EPOCH leave no trace in the bytes."""
    made = []
    for number, (seed, zone, epoch) in enumerate((("0", "Asia/Tokyo", ""), ("1", "America/Lima", "1700000000"))):
        folder = tmp_path / f"place{number}"
        folder.mkdir()
        Image.new("RGB", (4, 4), (200, 100, 50)).save(folder / "art.png")
        paths = os.pathsep.join((str(HERE), str(HERE.parent.parent)))
        settings = {"PYTHONHASHSEED": seed, "TZ": zone, "PYTHONPATH": paths, "SOURCE_DATE_EPOCH": epoch}
        call = [sys.executable, "-W", "error", "-c", SCRIPT, str(folder / "art.png")]
        run = subprocess.run(call, cwd=folder, env={**os.environ, **settings}, capture_output=True, check=False)
        assert run.returncode == 0, run.stderr.decode()
        made.append(run.stdout)
    assert made[0] == made[1]
    assert made[0].startswith(b"%PDF-1.7")
    assert b"place" not in made[0]


def test_an_unknown_font_is_an_error():
    run = TextRun(0, 0, 8, "nowhere", (1,), ("x",))
    with pytest.raises(KeyError, match="nowhere"):
        pdf(document(sheet(items=(run,))))


def test_what_cannot_show_is_not_written(opened):
    """Empty runs, lines of no width, dashes of no length and squeezed groups leave nothing to stumble on."""
    flat = (1.0, 2.0, 2.0, 4.0, 0.0, 0.0)
    items = (
        TextRun(0, 0, 8, font("sans").key, (), ()),
        Shape("M 0 0 L 1 1", stroke="ink"),
        Group((block(0, 0, 1, 1),), flat),
        PlacedSymbol(symbol(block(0, 0, 1, 1)), flat),
    )
    (form,) = forms(opened(document(sheet(*twice(face(*items))))))
    assert form.read_bytes() == b""
    dashed = Shape("M 0 0 L 1 1", stroke="ink", width=1, dash=(0.0, 0.0))
    (form,) = forms(opened(document(sheet(*twice(face(dashed))))))
    assert b" []0 d\n" in form.read_bytes()


def test_many_faces_share_their_resource_dictionaries(opened):
    icon = symbol(block(0, 0, 1, 1))
    faces = [face(PlacedSymbol(icon, (1, 0, 0, 1, 0, 0)), block(0, 0, 1 + at / 100, 1)) for at in range(100)]
    made = opened(document(sheet(*twice(*faces))))
    assert len({form.Resources.objgen for form in forms(made)}) == 2


def test_written_to_any_stream():
    class Sink:
        taken = b""

        def write(self, data: bytes) -> None:
            self.taken += data

    sink = Sink()
    write_pdf(document(sheet()), BOOK, palette, Path, sink)
    assert sink.taken == pdf(document(sheet()))
