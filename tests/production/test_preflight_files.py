"""Files as they come: locked, broken, huge; presets, standards, and what the command says."""

import io
import json
import os
import threading
import zlib
from collections.abc import Callable
from pathlib import Path

import pikepdf
import pytest
from conftest import Pnp
from hypothesis import given
from hypothesis import strategies as st
from pdf_mutants import mutants
from pikepdf import Array, Dictionary, Name
from preflight_samples import BLEED, HEIGHT, MM, WIDTH, added, changed, deck, said
from tests_support import TinyProject, examples

from generator.base.errors import ProblemsFound
from generator.base.geometry import IDENTITY
from generator.production.preflight import pdfx_file
from generator.production.preflight.inspection import GENERAL, PreflightRules
from generator.production.preflight.preflight import Overrun, inspect_pdf, run_in_process
from generator.production.preflight.stream_reader import read_page_marks
from generator.production.preflight.stream_state import FileFacts


def locked(data: bytes, password: str) -> bytes:
    """The PDF with a user's password (none: only an owner's, who forbids printing)."""
    out = io.BytesIO()
    with pikepdf.open(io.BytesIO(data)) as pdf:
        allowed = pikepdf.Permissions(print_highres=False, print_lowres=False)
        pdf.save(out, encryption=pikepdf.Encryption(owner="owner", user=password, allow=allowed))
    return out.getvalue()


def test_an_encrypted_file_that_opens_is_a_finding() -> None:
    """A shop may not print it, so it is an error there; at home a warning."""
    data = locked(deck(), "")
    assert said(inspect_pdf("a.pdf", data).findings) == [("encryption", "warning", 0)]
    shop = PreflightRules(name="shop", shop=True)
    assert said(inspect_pdf("a.pdf", data, shop).findings) == [("encryption", "error", 0)]


@pytest.mark.parametrize("left", [0.5, 0.8, 0.99], ids=str)
def test_a_file_that_was_cut_short_is_an_error(left: float) -> None:
    """What a reader pieces together from half a download may lack pages and pictures; a whole file is not blamed."""
    data = deck()
    short = inspect_pdf("a.pdf", data[: int(len(data) * left)]).findings
    assert ("damage", "error", 0) in said(short)
    assert inspect_pdf("a.pdf", data).findings == ()


def test_a_slip_that_any_reader_takes_is_no_damage() -> None:
    """A key given twice is told by the library, too, but nothing had to be guessed."""
    odd = deck().replace(b"/PageMode /UseNone", b"/Lang () /Lang () ")
    assert odd != deck()
    assert inspect_pdf("a.pdf", odd).findings == ()


@pytest.mark.parametrize(
    ("side", "words"), [(1.0, "0.4 x 0.4 mm"), (14_500.0, "5115.3 x 5115.3 mm")], ids=["tiny", "huge"]
)
def test_a_page_beyond_what_pdf_allows_is_a_warning(side: float, words: str) -> None:
    """Under 3 points and over 200 inches many programs refuse the page, though ours could read it."""

    def resized(pdf: pikepdf.Pdf) -> None:
        for page in pdf.pages:
            page.obj.MediaBox = page.obj.TrimBox = page.obj.BleedBox = Array([0, 0, side, side])
            page.obj.Contents = pdf.make_stream(b"0 g 0 0 1 1 re f")

    found = inspect_pdf("a.pdf", deck(change=resized)).findings
    assert any(one.check == "boxes" and one.severity == "warning" and words in one.what for one in found), found


def test_the_same_broken_file_is_told_the_same_way() -> None:
    """No address of the reader's memory is in the words, and an empty file is called so."""
    told = []
    for data in (b"nothing" * 50, b"nothing" * 50, b""):
        with pytest.raises(ProblemsFound) as found:
            inspect_pdf("a.pdf", data)
        told.append(str(found.value.problems[0]))
    assert told[0] == told[1] and "object at" not in told[0] and "stream" not in told[0]
    assert "(the file is empty)" in told[2]


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (locked(deck(), "secret"), "a.pdf: the PDF is locked by a password"),
        (b"", "a.pdf: pnp can't read this file as a PDF"),
        (b"%PDF-1.7\n%%EOF", "a.pdf: pnp can't read this file as a PDF"),
        (b"\x89PNG\r\n\x1a\n" * 50, "a.pdf: pnp can't read this file as a PDF"),
        (changed(deck(), lambda pdf: pdf.pages.__delitem__(slice(0, 2))), "a.pdf: the PDF has no pages"),
    ],
    ids=["locked", "empty", "hollow", "png", "no-pages"],
)
def test_what_is_no_readable_pdf_is_a_problem(data: bytes, what: str) -> None:
    """The user hears what is wrong with the file and what to do."""
    with pytest.raises(ProblemsFound) as found:
        inspect_pdf("a.pdf", data)
    assert len(found.value.problems) == 1
    assert str(found.value.problems[0]).startswith(what)
    assert found.value.problems[0].hint


def _bomb(pdf: pikepdf.Pdf) -> None:
    packer = zlib.compressobj(9)
    data = b"".join([*(packer.compress(b" " * 1_000_000) for _ in range(260)), packer.flush()])
    stream = pdf.make_stream(b"")
    stream.write(data, filter=Name.FlateDecode)
    pdf.pages[1].obj.Contents = stream


def _packed_twice(pdf: pikepdf.Pdf) -> None:
    stream = pdf.make_stream(b"")
    stream.write(zlib.compress(zlib.compress(b" " * 40_000_000, 9), 9), filter=Array([Name.FlateDecode] * 2))
    pdf.pages[1].obj.Contents = stream


def _crowd(pdf: pikepdf.Pdf) -> None:
    pdf.pages[1].obj.Contents = pdf.make_stream(b"f " * 2_000_000)


def _doubling(pdf: pikepdf.Pdf) -> None:
    """Nine forms, each of which draws the next one ten times."""
    inner = pdf.make_stream(b"0 0 1 1 re f")
    inner.update({"/Subtype": Name.Form, "/BBox": Array([0, 0, 9, 9])})
    for _ in range(8):
        outer = pdf.make_stream(b"/Inner Do " * 10)
        outer.update({"/Subtype": Name.Form, "/BBox": Array([0, 0, 9, 9])})
        outer["/Resources"] = Dictionary(XObject=Dictionary(Inner=inner))
        inner = outer
    pdf.pages[1].obj.Resources.XObject["/Planted"] = inner
    added("/Planted Do")(pdf)


@pytest.mark.parametrize("number", [33, pytest.param(1100, marks=pytest.mark.release)])
def test_spoilt_files_end_in_reports_and_problems(number: int) -> None:
    """Each kind of damage, to others' files too: wrong values, circles, depth, boxes, packings. None ends otherwise."""
    shop = PreflightRules(name="shop", shop=True, cmyk=True, standard="pdfx1a", flat=True)
    folder = Path(__file__).parent / "foreign"
    sound = [_DECK, *(path.read_bytes() for path in sorted(folder.glob("*.pdf")))]
    for at, (name, data) in enumerate(mutants(sound, number, 1)):
        try:
            report = inspect_pdf(name, data, shop if at % 2 else GENERAL, ghostscript=False)
        except ProblemsFound as found:
            assert all(problem.hint for problem in found.problems), name
        else:
            assert report.pages >= 1, name


def test_a_device_or_a_pipe_is_not_read(tiny: TinyProject, pnp: Pnp) -> None:
    """It may never end: it is refused at once, and so is a folder."""
    os.mkfifo(tiny.root / "pipe.pdf")
    for name in ("/dev/zero", "pipe.pdf"):
        assert pnp("preflight", name).said == [
            f"{name}: this is a device or a pipe, not a file; give the path of a PDF"
        ]
    assert pnp("preflight", ".").said == [".: can't be read: Is a directory; give the path of a PDF"]


def test_threads_of_the_program_take_nothing_from_the_memory_of_a_check() -> None:
    """The stacks of 150 threads set more aside than a check may take. What the check itself takes still counts."""
    end = threading.Event()
    threads = [threading.Thread(target=end.wait) for _ in range(150)]
    for thread in threads:
        thread.start()
    try:
        assert run_in_process(lambda size: len(bytearray(size)), 100_000_000) == 100_000_000
        with pytest.raises(Overrun, match="too much memory"):
            run_in_process(bytearray, 900_000_000)
    finally:
        end.set()
        for thread in threads:
            thread.join()


@pytest.mark.parametrize(
    ("change", "what"),
    [
        pytest.param(_bomb, "unpacks to more than", marks=pytest.mark.slow),
        pytest.param(_doubling, "things drawn: the rest of the page was not checked", marks=pytest.mark.slow),
        (_packed_twice, "unpacks to more than"),
        (_crowd, "words of content"),
        (added("q " * 600), "saved states: the rest of the page was not checked"),
    ],
    ids=["bomb", "doubling", "packed-twice", "crowd", "saving"],
)
def test_a_page_that_asks_for_too_much_is_an_error(change: Callable[[pikepdf.Pdf], None], what: str) -> None:
    """Whoever made it: looking over it ends, and says where it ended."""
    findings = [one for one in inspect_pdf("a.pdf", deck(change=change)).findings if one.check == "content"]
    assert [(one.severity, one.page) for one in findings] == [("error", 2)]
    assert what in findings[0].what


def test_a_gradient_whose_steps_fan_out_is_broken() -> None:
    """Few objects that name each other many times are not followed for ever: it is told, and the page is read on."""

    def fan(pdf: pikepdf.Pdf) -> None:
        step = pdf.make_indirect(Dictionary(FunctionType=2, C0=[0] * 4, C1=[1] * 4, N=1, Domain=[0, 1]))
        for _ in range(5):
            step = pdf.make_indirect(Dictionary(FunctionType=3, Functions=Array([step] * 15), Domain=[0, 1]))
        shading = Dictionary(ShadingType=2, ColorSpace=Name.DeviceCMYK, Function=step, Coords=[0, 0, 1, 1])
        pdf.pages[1].obj.Resources["/Shading"] = Dictionary(Fan=shading)
        added("/Fan sh")(pdf)

    found = [one for one in inspect_pdf("a.pdf", deck(change=fan)).findings if one.check == "content"]

    assert [(one.severity, one.page) for one in found] == [("warning", 2)]
    assert "a gradient of more than 1000 functions" in found[0].what


def test_values_that_fan_out_are_compared_object_by_object(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten arrays, each of which holds the next one three times, are read once each, not 59,049 times."""
    calls = list[object]()
    real = pdfx_file.get_object_number
    monkeypatch.setattr(pdfx_file, "get_object_number", lambda value: (calls.append(value), real(value))[1])
    with pikepdf.open(io.BytesIO(_DECK)) as pdf:
        ends = [pdf.make_indirect(Array([1, 2])) for _ in range(2)]
        for at in range(2):
            for _ in range(10):
                ends[at] = pdf.make_indirect(Array([ends[at]] * 3))
        one, other = (pdfx_file.value_to_bytes(end, {}) for end in ends)
        assert one == other != pdfx_file.value_to_bytes(Array([1, 3]), {})
    assert len(calls) < 200


_PIECES = (
    b" q ", b" Q ", b" BT ", b" ET ", b" cm ", b" Do ", b" Tf ", b"(", b")", b"<", b">", b"[", b"]", b" << ", b" >> ",
    b"/", b" BI ", b" ID ", b" EI ", b" 1e99 ", b" -1 ", b" 0 ", b" 9" * 40, b" f ", b" S ", b" W n ", b" sh ", b" gs ",
    b" scn ", b" cs /Pattern ", b" BDC ", b" EMC ", b" Tj ", b" TJ ", b"\x00", b"\xff", b" null ", b" true ", b" 1 0 R ",
)  # fmt: skip
_DECK = deck()
with pikepdf.open(io.BytesIO(_DECK)) as opened:
    _CONTENT = opened.pages[0].Contents.read_bytes()


@examples(200)
@given(st.lists(st.tuples(st.integers(0, len(_CONTENT)), st.integers(0, 40), st.sampled_from(_PIECES)), max_size=12))
def test_a_garbled_content_stream_is_read_to_its_end(cuts: list[tuple[int, int, bytes]]) -> None:
    """Whatever stands in a page's content: marks with finite boxes on the page, and troubles in words."""
    content = _CONTENT
    for at, gone, put in cuts:
        content = content[:at] + put + content[at + gone :]
    with pikepdf.open(io.BytesIO(_DECK)) as pdf:
        page = pdf.pages[1].obj
        page.Contents = pdf.make_stream(content)

        marks, troubles, _ = read_page_marks(page, page.Resources, IDENTITY, (0, 0, 300, 300), FileFacts())

    for mark in marks:
        left, top, right, bottom = mark.box
        assert 0 <= left <= right <= 300
        assert 0 <= top <= bottom <= 300
    assert all(troubles)


@examples(60)
@given(st.lists(st.tuples(st.integers(0, 60_000), st.binary(min_size=1, max_size=6)), min_size=1, max_size=8))
def test_a_damaged_file_never_ends_in_anything_but_problems(damage: list[tuple[int, bytes]]) -> None:
    """Bytes changed anywhere give a report or a problem."""
    data = bytearray(_DECK)
    for place, put in damage:
        at = place % len(data)
        data[at : at + len(put)] = put
    try:
        report = inspect_pdf("a.pdf", bytes(data))
    except ProblemsFound as found:
        assert found.problems
    else:
        assert report.pages >= 1


def test_a_shop_hears_what_breaks_its_standard() -> None:
    """Each broken rule of PDF/X is an error, and what another check found with its place is not said twice."""
    rules = PreflightRules(name="shop", shop=True, cmyk=True, standard="pdfx1a", flat=True)

    def red(pdf: pikepdf.Pdf) -> None:
        added(f"1 0 0 rg {23 * MM} {21 * MM} {5 * MM} {5 * MM} re f")(pdf)

    plain, spoilt = (inspect_pdf("a.pdf", deck(change=change), rules).findings for change in (None, red))
    assert {finding.check for finding in plain} == {"standard"}
    assert any("PDF/X-1a:2003" in finding.what and "x1a-version" in finding.what for finding in plain)
    assert {(finding.check, finding.page) for finding in set(spoilt) - set(plain)} == {("rgb", 2)}
    assert GENERAL.standard == ""


def test_the_cut_of_a_page_without_trim_is_the_products(tiny: TinyProject, pnp: Pnp) -> None:
    """A page as large as a shop's product with bleed is cut in its middle, though nothing in it says so."""
    path = tiny.root / "deck.pdf"
    wide, high = (WIDTH + 2 * BLEED) * MM, (HEIGHT + 2 * BLEED) * MM

    def poker(pdf: pikepdf.Pdf) -> None:
        for page in pdf.pages:
            grow = ((69.85 * MM - wide) / 2, (95.25 * MM - high) / 2)
            page.obj.MediaBox = Array([-grow[0], -grow[1], wide + grow[0], high + grow[1]])
            del page.obj["/TrimBox"], page.obj["/BleedBox"]

    path.write_bytes(deck(change=poker))
    ran = pnp("preflight", "deck.pdf", "--preset", "drivethrucards", "--format", "json")

    findings = json.loads(ran.out)["files"][0]["findings"]
    bare = [(one["page"], one["at"]) for one in findings if one["check"] == "bleed"]
    assert len(bare) == 8, "3 mm are less than an eighth of an inch, on all sides"
    assert bare[0] == (1, {"x": 0, "y": 0})
    assert not [one for one in findings if one["check"] == "size"]


@pytest.mark.slow
def test_the_command_says_file_page_place_and_what_to_do(tiny: TinyProject, pnp: Pnp) -> None:
    """One line a finding and one that sums up; errors end with exit code 1, warnings only where asked."""
    good, poor, bad = (tiny.root / f"{name}.pdf" for name in ("good", "poor", "bad"))
    good.write_bytes(deck())
    poor.write_bytes(deck(lambda card: card.line(20, 70, 40, 70, 0.1)))
    bad.write_bytes(deck(lambda card: card.line(20, 70, 40, 70, 0)))

    ran = pnp("preflight", "good.pdf", "poor.pdf")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        "good.pdf: 2 pages, no errors, no warnings, no notes (30 checks, general rules)",
        "poor.pdf: page 2, 20.0 x 70.0 mm: warning: a line of 0.10 pt; make lines at least 0.25 pt thick",
        "poor.pdf: 2 pages, no errors, 1 warning, no notes (30 checks, general rules)",
    ]
    assert pnp("preflight", "poor.pdf", "--strict").code == 1
    assert pnp("preflight", "good.pdf", "--strict").code == 0
    ran = pnp("preflight", "bad.pdf", "good.pdf", "none.pdf", code=1)
    assert "bad.pdf: page 2, 20.0 x 70.0 mm: error: a line has no width; make lines at least 0.25 pt thick" in ran.out
    assert ran.said == ["none.pdf: can't be read: No such file or directory; give the path of a PDF"]


def test_what_holds_for_many_pages_is_said_once(tiny: TinyProject, pnp: Pnp) -> None:
    """A fault of whole pages is one line that counts them; in JSON each page has its own."""

    def no_trim(pdf: pikepdf.Pdf) -> None:
        for page in pdf.pages:
            del page.obj["/TrimBox"]

    (tiny.root / "bare.pdf").write_bytes(deck(change=no_trim, pages=3))

    lines = pnp("preflight", "bare.pdf").out.splitlines()
    found = json.loads(pnp("preflight", "bare.pdf", "--format", "json").out)["files"][0]["findings"]

    assert len(lines) == 2
    assert lines[0].startswith("bare.pdf: page 1 and 2 others: warning: the page has no TrimBox")
    assert [one["page"] for one in found] == [1, 2, 3]


def test_json_is_versioned_and_complete(tiny: TinyProject, pnp: Pnp) -> None:
    """A program gets check, severity, page, place in mm and words of each finding, and files that can't be read."""
    (tiny.root / "bad.pdf").write_bytes(deck(lambda card: card.line(20, 70, 40, 70, 0)))

    ran = pnp("preflight", "bad.pdf", "none.pdf", "--format", "json")
    found = json.loads(ran.out)

    assert (ran.code, found["version"]) == (1, 1)
    assert found["unreadable"][0]["file"] == "none.pdf"
    (file,) = found["files"]
    assert (file["file"], file["pages"], file["errors"], file["warnings"], file["notes"]) == ("bad.pdf", 2, 1, 0, 0)
    (finding,) = file["findings"]
    assert finding == {
        "check": "hairlines", "severity": "error", "page": 2, "at": {"x": 20.0, "y": 70.0}, "times": 1,
        "what": "a line has no width", "hint": "make lines at least 0.25 pt thick",
    }  # fmt: skip


def test_a_preset_brings_its_rules_and_its_doubts(room: Path, pnp: Pnp) -> None:
    """Anybody's file is held against a shop's figures outside any project too; unconfirmed ones are said aloud."""
    (room / "deck.pdf").write_bytes(deck())

    ran = pnp("preflight", "deck.pdf", "--preset", "drivethrucards", code=1)
    assert "drivethrucards has no product of 63.0 x 88.0 mm; choose one of: poker" in ran.out
    assert ran.err.startswith("warning: ") and "ink_limit" in ran.err
    assert ran.out.splitlines()[-1].endswith("(30 checks, drivethrucards)")

    ran = pnp("preflight", "deck.pdf", "--preset", "drivethrucard", code=1)
    assert ran.err == "unknown preset 'drivethrucard'; did you mean 'drivethrucards'?\n"
