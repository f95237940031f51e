"""Preflight over everything that `pnp build` makes of the games that ship: what it finds in anybody's file, and no error."""

import io
import math
import re
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

import pikepdf
import pytest
from shipped_games import PROJECT, SWEPT
from shipped_games import workshop as shared
from tests_support import quick

from generator.base.output_files import open_delivery
from generator.commands.build import write_check_lists
from generator.commands.orders import Job, carry_out
from generator.commands.print_sheets import PrintLook, PrintOrder, impose_sheets, write_sheets
from generator.commands.rulebook import write_books
from generator.production.preflight import pdf_document
from generator.production.preflight.inspection import Finding
from generator.production.preflight.preflight import inspect_pdf
from generator.production.proof import ProofOrder

EDITIONS = [(game, lang) for game in PROJECT.games for lang in ("ja", "en")]
EXPECTED = {"notes", "quickstart", "sheets", "components", "rulebook", "rulebook-booklet"}
NOTED = ("for two-sided printing", "the page is empty")
SMALL = {
    "sheets": {"type of 4.0 pt in a figure"},
    "components": {"type of # pt", "a line of # pt"},
    **{key: {"type of # pt in a figure", "a line of # pt in a figure"} for key in ("rulebook", "notes", "quickstart")},
    "proof": {*("type of # pt", "light type of # pt that is not bold"), *("a line of # pt", "a white line of # pt, which ink may fill")},
}  # fmt: skip
"""The warnings of each kind of file, and no others: the stamps of 4 points on faces in their true size, and what stands
on pictures of cards that books, lists and proofs show smaller."""
RUBY = {
    ("journey18", "rulebook-booklet.ja.pdf"): {"type of 3.8 pt"},
    ("wayfaring", "rulebook.ja.pdf"): {"type of 4.0 pt"},
    ("wayfaring", "rulebook-booklet.ja.pdf"): {"type of 4.0 pt"},
    ("xanadu", "rulebook.ja.pdf"): {"type of 4.0 pt", "type of 4.5 pt"},
    ("xanadu", "rulebook-booklet.ja.pdf"): {"type of 4.0 pt", "type of 4.5 pt"},
}
"""Readings over names, half as large as type of 8 and 9 points, as usual; and where booklets halve the book."""
_SIZE = re.compile(r"\d+\.\d+")


def unexpected(path: Path, kind: str, allowed: frozenset[str] | set[str] = frozenset()) -> list[Finding]:
    """What is found in a file besides the warnings of its kind, each once a page at most, and notes how paper is printed."""
    told = Counter[tuple[int, str]]()
    found = []
    for one in inspect_pdf(path.name, path.read_bytes()).findings:
        what = one.what if kind == "sheets" or one.what in allowed else _SIZE.sub("#", one.what)
        told[one.page, one.what if kind == "proof" else what] += 1  # a proof's page has several sizes of faces
        once = told[one.page, one.what if kind == "proof" else what] == 1
        small = one.severity == "warning" and what in SMALL[kind] | allowed and once
        noted = one.severity == "note" and any(words in one.what for words in NOTED)
        if not small and not noted:
            found.append(one)
    return found


@cache
def printed() -> bytes:
    """The first sheet of one game in one language, both sides."""
    workshop, out = shared(PROJECT.games[0]), io.BytesIO()
    order = PrintOrder(("en",), Path("unused"))
    sheets = impose_sheets(workshop, order, lambda _doing: None)["en"]
    workshop.write_document(replace(sheets, pages=sheets.pages[:2]), out)
    return out.getvalue()


def made(game: str, lang: str, out: Path) -> list[Path]:
    """Sheets and check list of a game in a language, its rulebook and booklet."""
    workshop = shared(game)
    order = PrintOrder((lang,), out)
    with open_delivery() as files:
        job = Job(PROJECT, workshop, files, lambda _doing: None)
        sheets = impose_sheets(workshop, order, job.progress)
        write_sheets(job, order, sheets)
        write_check_lists(job, order, sheets)
        write_books(job, (lang,), out, trusted=False)
        files.hand_over()
    return sorted((out / game).glob("*.pdf"))


@pytest.mark.slow
@pytest.mark.parametrize(("game", "lang"), quick(EDITIONS, ("fortuna", "ja"), ("journey8", "en"), rest="release"))
def test_our_own_files_have_no_fault(game: str, lang: str, tmp_path: Path) -> None:
    """No error; warnings only say what is small in that kind of file, and notes how paper is printed."""
    files = made(game, lang, tmp_path)
    faults = {
        path.name: unexpected(
            path, path.name.split(".")[0].removesuffix("-booklet"), RUBY.get((game, path.name), set())
        )
        for path in files
    }
    assert {path.name.split(".")[0] for path in files} == EXPECTED
    assert {name: found for name, found in faults.items() if found} == {}


def test_who_made_a_file_changes_nothing() -> None:
    """The same pages under another program's name get the same report to the letter."""
    reports = []
    for creator in ("print-and-play-generator", "Somebody Else 1.0"):
        with pikepdf.open(io.BytesIO(printed())) as pdf:
            pdf.docinfo["/Creator"] = pdf.docinfo["/Producer"] = creator
            out = io.BytesIO()
            pdf.save(out, static_id=True)
        reports.append(inspect_pdf("a.pdf", out.getvalue()))
    assert reports[0] == reports[1]
    assert any(one.what.startswith("type of 4.0 pt") for one in reports[0].findings)


@pytest.mark.slow
@pytest.mark.parametrize("game", SWEPT)
def test_thinned_and_grey_sheets_have_no_fault(game: str, tmp_path: Path) -> None:
    """Less ink leaves no outline too thin to be printed, however small a picture is placed."""
    workshop = shared(game)
    look = PrintLook(low_ink=True, grey=True, prototype=True, numbers=True)
    order = PrintOrder(("en",), tmp_path, copies=1, look=look)
    with open_delivery() as files:
        job = Job(PROJECT, workshop, files, lambda _doing: None)
        write_sheets(job, order, impose_sheets(workshop, order, job.progress))
        (path,) = files.hand_over()
    assert unexpected(path, "sheets") == []


@pytest.mark.slow
@pytest.mark.parametrize("game", quick(PROJECT.games, "fortuna", rest="release"))
def test_our_own_proofs_have_no_fault(game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is looked at on paper can be printed: its guides and swatches too. A slow machine gets all the time it needs."""
    monkeypatch.setattr(pdf_document, "_LONGEST", math.inf)
    (path,) = carry_out(PROJECT, (game,), ProofOrder(("en",), tmp_path), lambda _doing: None).files
    assert unexpected(path, "proof") == []


@pytest.mark.parametrize(
    ("operators", "check"),
    [
        ("0 0 0 RG 0.1 w 100 100 m 200 100 l S", "hairlines"),
        ("BT /F1 3 Tf 100 100 Td <0003> Tj ET", "type-size"),
        ("BT /F1 9 Tf 100 100 Td <0000> Tj ET", "missing-glyphs"),
    ],
)
def test_a_fault_in_our_own_file_is_found(operators: str, check: str, tmp_path: Path) -> None:
    """Nothing is overlooked because it is ours: the same sheet with one fault has it found."""
    sheet = tmp_path / "sheet.pdf"
    with pikepdf.open(io.BytesIO(printed())) as pdf:
        page = pdf.pages[0]
        page.Contents = pdf.make_stream(b"q " + page.Contents.read_bytes() + b" Q " + operators.encode())
        pdf.save(sheet)
    found = [
        one for one in inspect_pdf("a.pdf", sheet.read_bytes()).findings if one.page == 1 and "figure" not in one.what
    ]
    assert [one.check for one in found] == [check]


def test_a_thin_line_in_an_icon_of_a_printed_card_is_found(tmp_path: Path) -> None:
    """A card on a sheet is printed in its true size, tagged as a figure or not: its icons' lines must hold."""
    sheet = tmp_path / "sheet.pdf"
    with pikepdf.open(io.BytesIO(printed())) as pdf:
        faces = [form for name, form in pdf.pages[0].Resources.XObject.items() if name.startswith("/D")]
        icon = next(form for face in faces for form in face.Resources.get("/XObject", {}).values())
        icon.write(icon.read_bytes() + b" 0 G 0.02 w 40 40 m 60 60 l S 0.4 0.4 m 0.6 0.6 l S")
        pdf.save(sheet)
    assert {(one.check, one.severity) for one in unexpected(sheet, "sheets") if one.page} == {("hairlines", "warning")}
