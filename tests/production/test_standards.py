"""PDF/X-4 and X-1a files: what they say of themselves, what is taken away, and what other programs make of them."""

import io
import re
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from functools import cache
from pathlib import Path

import pikepdf
import pytest
from conftest import Tool
from hypothesis import given
from hypothesis import strategies as st
from pdfx_cases import good, plain, profile
from pikepdf import Array, Dictionary, Name, String
from press_samples import BOOK, FOGRA39, block, game, screen_only, words
from shipped_games import GAMES, SWEPT, workshop
from tests_support import quick

from generator.base.colour import REGISTRATION
from generator.base.display_list import Drawing, Shape
from generator.base.errors import InvalidInput
from generator.base.geometry import Rect, Size
from generator.drawing.pdf.document import write_pdf
from generator.drawing.pdf.objects import format_pdf_date, parse_pdf_date
from generator.game.print_pages import Document, Page, Placement
from generator.production.finish_pdf import Intent, Standard, finish_pdf
from generator.production.preflight.preflight import find_pdfx_faults
from generator.production.press_colour import PressInks

STANDARDS: tuple[Standard, ...] = ("pdfx4", "pdfx1a")
EDGE, BLEED = 10.0, 3.0
INTENT = Intent("FOGRA39", profile())


def reread(pdf: bytes) -> pikepdf.Pdf:
    return pikepdf.open(io.BytesIO(pdf))


def one_up(drawing: Drawing) -> Page:
    """A face on a page of its own, cut 10 mm inside the paper, with marks in the registration colour outside its bleed."""
    trim = Rect(EDGE, EDGE, drawing.width, drawing.height)
    size = Size(drawing.width + 2 * EDGE, drawing.height + 2 * EDGE)
    mark = Shape(f"M {EDGE:g} 1 L {EDGE:g} 6", stroke=REGISTRATION, width=0.1, role="mark")
    placed = Placement("x#1", drawing, trim, trim.grow(BLEED))
    return Page(size, "front", 1, (placed,), (mark,), trim=trim, bleed=trim.grow(BLEED))


@cache
def cards(name: str, lang: str, standard: Standard) -> bytes:
    """The faces of one design of each kind of a game, in press inks and finished to the standard."""
    shop = workshop(name)
    made = shop.game
    designs = [kind.designs[0] for kind in made.kinds.values()]
    faces = [(design, face) for design in designs for face in made.kinds[design.kind].faces(design)]
    pages = tuple(one_up(shop.draw_printed(lang, design, face)) for design, face in faces)
    out = io.BytesIO()
    document = Document(made.title[lang], lang, pages, author=made.credit[lang], date=made.date)
    shop.write_document(document, out, PressInks(made))
    intent = Intent("FOGRA39", FOGRA39.read_bytes() if standard == "pdfx4" else None)
    return finish_pdf(out.getvalue(), standard, intent)


def busy() -> bytes:
    """A file with all that a screen wants and a press forbids."""
    with reread(plain()) as pdf:
        action = Dictionary(S=Name.JavaScript, JS=String("app.beep()"))
        pdf.Root.OpenAction, pdf.Root.AA, pdf.Root.AcroForm = action, Dictionary(WC=action), Dictionary(Fields=Array())
        pdf.Root.Names = Dictionary(JavaScript=Dictionary(Names=Array([String("x"), action])))
        pdf.Root.ViewerPreferences, pdf.Root.PageMode = Dictionary(PrintClip=Name.TrimBox), Name.UseOutlines
        pdf.Root.Outlines = Dictionary(First=pdf.make_indirect(Dictionary(Title=String("x"), A=action)))
        first = pdf.pages[0]
        first.Trans, first.AA, first.Group = (Dictionary(S=Name.Fade), Dictionary(O=action), Dictionary(S=Name.Transparency))  # fmt: skip
        first.Annots = Array([Dictionary(Type=Name.Annot, Subtype=Name.Link, Rect=[50, 50, 60, 60], A=action)])
        second = pdf.pages[1]
        second.ArtBox = second.TrimBox
        del second["/TrimBox"]
        pdf.trailer.Info.ModDate = String("D:20260201120000+09'00'")
        out = io.BytesIO()
        pdf.save(out)
    return out.getvalue()


@pytest.mark.parametrize("standard", STANDARDS)
def test_what_a_press_forbids_is_taken_away(standard: Standard) -> None:
    """Actions, links, outlines, forms and transitions are gone, boxes stay, and the rules find nothing."""
    made = finish_pdf(busy(), standard, INTENT)
    assert find_pdfx_faults(made, standard) == ()
    with reread(made) as pdf:
        kept = {"/Type", "/Pages", "/OutputIntents"} | ({"/Metadata"} if standard == "pdfx4" else set())
        assert set(pdf.Root.keys()) == kept
        for page in pdf.pages:
            assert [float(value) for value in page.obj.TrimBox] == [20, 20, 280, 380]
            assert [float(value) for value in page.obj.BleedBox] == [12, 12, 288, 388]
            assert not {"/Trans", "/AA", "/Annots", "/ArtBox"} & set(page.keys())
        assert ("/Group" in pdf.pages[0]) == (standard == "pdfx4")


def test_a_page_that_says_nothing_is_cut_at_its_edge() -> None:
    """Without a TrimBox all of the page is what is printed."""
    with reread(plain()) as pdf:
        for page in pdf.pages:
            del page["/TrimBox"], page["/BleedBox"]
        out = io.BytesIO()
        pdf.save(out)
    with reread(finish_pdf(out.getvalue(), "pdfx4", INTENT)) as pdf:
        assert [[float(value) for value in page.obj.TrimBox] for page in pdf.pages] == [[0, 0, 300, 400]] * 2


def test_an_x4_file_says_what_it_is() -> None:
    """Version, output intent, information and XMP, to the letter."""
    with reread(finish_pdf(busy(), "pdfx4", INTENT)) as pdf:
        x, a = pdf.Root.OutputIntents
        packet = pdf.Root.Metadata.read_raw_bytes().decode()  # not even compressed: it is found by looking for it
        assert pdf.pdf_version == "1.6"
        assert (str(x.S), str(a.S)) == ("/GTS_PDFX", "/GTS_PDFA1")
        assert x.DestOutputProfile.objgen == a.DestOutputProfile.objgen
        assert (x.DestOutputProfile.read_bytes(), int(x.DestOutputProfile.N)) == (profile(), 4)
        assert (str(x.OutputConditionIdentifier), str(x.RegistryName)) == ("FOGRA39", "http://www.color.org")
        assert str(pdf.docinfo.ModDate) == "D:20260201120000+09'00'"
        assert str(pdf.docinfo.Trapped) == "/False"
    assert packet.startswith(
        '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>\n<x:xmpmeta xmlns:x="adobe:ns:meta/"><'
    )
    for said in (
        "<pdfxid:GTS_PDFXVersion>PDF/X-4</pdfxid:GTS_PDFXVersion>",
        "<pdfaid:part>2</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance>",
        '<rdf:li xml:lang="x-default">見本 &amp; sample</rdf:li>',
        "<xmp:ModifyDate>2026-02-01T12:00:00+09:00</xmp:ModifyDate>",
        "<pdf:Trapped>False</pdf:Trapped>",
    ):
        assert said in packet


def test_an_x1a_file_says_what_it_is() -> None:
    """Version, output intent and information, to the letter; no XMP, no profile that PDF 1.4 doesn't support."""
    with reread(finish_pdf(plain(), "pdfx1a", Intent("JC200103", profile(version=4)))) as pdf:
        (x,) = pdf.Root.OutputIntents
        assert pdf.pdf_version == "1.4"
        assert str(x.OutputConditionIdentifier) == "JC200103"
        assert "/DestOutputProfile" not in x
        assert str(pdf.docinfo.GTS_PDFXVersion) == "PDF/X-1a:2003"
        assert "/Metadata" not in pdf.Root


@pytest.mark.parametrize("standard", STANDARDS)
def test_same_input_same_bytes(standard: Standard) -> None:
    """Nothing comes from a clock or from chance; another intent gives another file with other names of its own."""
    once, again = (finish_pdf(plain(), standard, INTENT) for _ in range(2))
    other = finish_pdf(plain(), standard, Intent("JC200103", profile()))
    assert once == again
    names = rb"/ID \[.*?\]|DocumentID>uuid:.*?<"
    pairs = list(zip(re.findall(names, once), re.findall(names, other), strict=True))
    assert len(pairs) == (2 if standard == "pdfx4" else 1)
    assert all(mine != theirs for mine, theirs in pairs)


@pytest.mark.parametrize(
    ("standard", "intent", "why"),
    [
        ("pdfx4", Intent("FOGRA39", None), "requires the ICC profile"),
        ("pdfx4", Intent("", profile()), "names no printing condition"),
        ("pdfx1a", Intent("Our press", None, ""), "is in no registry"),
        ("pdfx1a", Intent("Our press", profile(version=4), ""), "is in no registry"),
    ],
)
def test_an_intent_that_lacks_something_is_refused(standard: Standard, intent: Intent, why: str) -> None:
    """No file is written that its standard would not have."""
    with pytest.raises(InvalidInput, match=why):
        finish_pdf(plain(), standard, intent)


def test_a_file_without_a_title_is_refused() -> None:
    """Both standards want one, and we don't invent it."""
    with reread(plain()) as pdf:
        del pdf.trailer.Info["/Title"]
        out = io.BytesIO()
        pdf.save(out)
    with pytest.raises(InvalidInput, match="title"):
        finish_pdf(out.getvalue(), "pdfx4", INTENT)


@given(title=st.text(min_size=1), author=st.text(), standard=st.sampled_from(STANDARDS))
def test_any_title_can_be_written(title: str, author: str, standard: Standard) -> None:
    """Whatever characters it has, information and XMP say the same and no rule is broken."""
    with reread(plain()) as pdf:
        pdf.trailer.Info.Title, pdf.trailer.Info.Author = String(f"T{title}"), String(author)
        out = io.BytesIO()
        pdf.save(out)
    assert find_pdfx_faults(finish_pdf(out.getvalue(), standard, INTENT), standard) == ()


ZONES = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))


@given(moment=st.datetimes(timezones=ZONES).map(lambda moment: moment.replace(microsecond=0)))
def test_dates_come_back(moment: datetime) -> None:
    """A date written is the moment that is read, in its zone."""
    read = parse_pdf_date(format_pdf_date(moment))
    assert read == moment
    assert read.utcoffset() == moment.utcoffset()


@pytest.mark.parametrize("said", ["", "2026", "D:20260230", "D:2026013199", "D:20260101+99'00'", "yesterday"])
def test_what_is_no_date_is_none(said: str) -> None:
    """A day that no calendar has is not read as another one."""
    assert parse_pdf_date(said) is None


def test_short_dates_begin_their_year() -> None:
    """PDF lets the end of a date be left out."""
    assert parse_pdf_date("D:2026") == datetime(2026, 1, 1, tzinfo=UTC)


@pytest.mark.slow
@pytest.mark.parametrize("standard", STANDARDS)
@pytest.mark.parametrize("name", SWEPT)
def test_cards_of_every_game_keep_to_the_standard(name: str, standard: Standard) -> None:
    """Faces of each kind, in Japanese and English, break no rule of ours."""
    for lang in ("ja", "en"):
        assert find_pdfx_faults(cards(name, lang, standard), standard) == ()


def test_cards_of_every_game_pass_as_pdfa(verapdf: Callable[..., None], tmp_path: Path) -> None:
    """VeraPDF, which doesn't know PDF/X, finds our X-4 files to be PDF/A-2b, which asks much the same."""
    paths = []
    for name in GAMES:
        for lang in ("ja", "en"):
            paths.append(tmp_path / f"{name}.{lang}.pdf")
            paths[-1].write_bytes(cards(name, lang, "pdfx4"))
    verapdf("2b", *paths)


def test_verapdf_names_what_fails(verapdf: Callable[..., None], tmp_path: Path) -> None:
    """A file that is none fails with the clause, and one that can't be read fails too."""
    (tmp_path / "x.pdf").write_bytes(plain())
    (tmp_path / "y.pdf").write_bytes(b"GIF89a")
    with pytest.raises(AssertionError, match=r"(?s)FAIL 2b [^ ]*x\.pdf.*\n +6\.6\.2\.1-1 x1 .*\n +at root/document"):
        verapdf("2b", tmp_path / "x.pdf")
    with pytest.raises(AssertionError, match="not readable"):
        verapdf("2b", tmp_path / "y.pdf")


@pytest.mark.parametrize("standard", STANDARDS)
@pytest.mark.parametrize("name", SWEPT)
def test_qpdf_finds_nothing_wrong(name: str, standard: Standard, tool: Tool, tmp_path: Path) -> None:
    """The files are sound PDF to an independent reader."""
    path = tmp_path / "x.pdf"
    path.write_bytes(cards(name, "ja", standard))
    said = subprocess.run([tool("qpdf"), "--check", path], check=False, capture_output=True, text=True)
    assert said.returncode == 0, said.stdout + said.stderr
    assert "No syntax or stream encoding errors found" in said.stdout


def test_poppler_knows_an_x1a_file(tool: Tool, tmp_path: Path) -> None:
    """Another program reads which standard it is; our X-4 file is not taken for it."""
    for standard in STANDARDS:
        (tmp_path / standard).write_bytes(cards("fortuna", "ja", standard))
    said = [
        subprocess.run(
            [tool("pdfinfo"), "-box", tmp_path / standard], check=True, capture_output=True, text=True
        ).stdout
        for standard in STANDARDS
    ]
    assert "PDF/X-1a:2003" in said[1] and "ISO 15930-4" in said[1]
    assert "PDF/X-1a" not in said[0]
    assert all(re.search(r"TrimBox: +28\.35 +28\.35 +", text) for text in said)


def plates(pdf: bytes, room: Path, gs: str) -> set[str]:
    """The names of the plates into which Ghostscript separates the first page; it stops at anything odd."""
    room.mkdir()
    (room / "x.pdf").write_bytes(pdf)
    command = [gs, "-q", "-dBATCH", "-dNOPAUSE", "-dPDFSTOPONWARNING", "-dLastPage=1", "-sDEVICE=tiffsep", "-r72"]
    subprocess.run([*command, f"-sOutputFile={room / 'page.tif'}", room / "x.pdf"], check=True, capture_output=True)
    return {re.search(r"\((.+)\)", path.name)[1] for path in room.glob("*(*).tif")}


@pytest.mark.slow
@pytest.mark.parametrize("standard", quick(STANDARDS, "pdfx4"))
def test_ghostscript_separates_into_the_plates_expected(standard: Standard, tool: Tool, tmp_path: Path) -> None:
    """Four process plates and one for each spot ink that is used, no more; marks in the registration colour add none."""
    sample = Document(
        "Sample", "en", (one_up(Drawing(60, 90, 0, (block(5, 5, 20, 20, "gold"), words("ink")), "en", "")),)
    )
    plain_sample = Document("Sample", "en", (one_up(Drawing(60, 90, 0, (block(5, 5, 9, 9, "red"),), "en", "")),))
    process, found = {"Cyan", "Magenta", "Yellow", "Black"}, []
    for at, document in enumerate((sample, plain_sample)):
        made = finish_pdf(printed(document, standard), standard, Intent("FOGRA39", FOGRA39.read_bytes()))
        assert find_pdfx_faults(made, standard) == ()
        found.append(plates(made, tmp_path / str(at), tool("gs")))

    assert found == [process | {"DIC 156"}, process]
    assert plates(cards("fortuna", "ja", standard), tmp_path / "fortuna", tool("gs")) == process


def printed(document: Document, standard: Standard) -> bytes:
    out = io.BytesIO()
    write_pdf(document, BOOK, screen_only, Path, out, PressInks(game()))
    return out.getvalue()


def test_the_samples_are_what_they_say() -> None:
    """The files that rules are tried on are to both standards, so that a planted fault is the only one."""
    assert good("pdfx4") != good("pdfx1a")
    assert b"FOGRA39" in good("pdfx1a")
