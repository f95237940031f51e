"""Preflight over everything that `pnp build` makes of the games that ship: nothing is found but notes."""

import io
from functools import cache
from pathlib import Path

import pikepdf
import pytest
from shipped_games import PROJECT
from shipped_games import workshop as shared

from generator.delivery import delivery
from generator.games.registry import rules_of
from generator.jobs.proof import ProofOrder, proofs
from generator.model.sizes import paper_size
from generator.press import BookOrder, Look, Order, lay_sheets, write_check_lists, write_rulebooks, write_sheets
from generator.production.colour import grey_inks
from generator.production.low_ink import thinner
from generator.production.preflight import preflight
from generator.production.preflight.findings import Finding
from generator.sheets.settings import SheetSettings

EXPECTED = {"sheets", "components", "rulebook", "rulebook-booklet"}
PICTURED = ("in a picture", "for a printer that prints both sides", "the page is empty")


@cache
def printed() -> bytes:
    """The sheets of one game in one language."""
    workshop, out = shared(PROJECT.games[0]), io.BytesIO()
    order = Order(("en",), Path("unused"), SheetSettings(paper_size("A4"), "A4"))
    workshop.write(lay_sheets(workshop, order, lambda _doing: None)["en"], out)
    return out.getvalue()


def made(game: str, out: Path) -> list[Path]:
    """Sheets and check lists of a game in every language, and rulebooks and booklets."""
    workshop = shared(game)
    order = Order((), out, SheetSettings(paper_size("A4"), "A4"))
    with delivery() as files:
        sheets = write_sheets(workshop, order, files, lambda _doing: None)
        write_check_lists(workshop, sheets, order, files, lambda _doing: None)
        write_rulebooks(workshop, lambda: rules_of(workshop.game), BookOrder((), out), files, lambda _doing: None)
        files.hand_over()
    return sorted((out / game).glob("*.pdf"))


@pytest.mark.parametrize("game", PROJECT.games)
def test_our_own_files_have_no_fault(game: str, tmp_path: Path) -> None:
    """No error and no warning; notes only say that pictures of cards are small, and how paper is printed."""
    files = made(game, tmp_path)
    faults: dict[str, list[Finding]] = {}

    for path in files:
        for finding in preflight(path.name, path.read_bytes()).findings:
            if finding.severity != "note" or not any(words in finding.what for words in PICTURED):
                faults.setdefault(path.name, []).append(finding)

    assert {path.name.split(".")[0] for path in files} == EXPECTED
    assert faults == {}


def faults(path: Path) -> list[Finding]:
    """What is found but notes."""
    return [one for one in preflight(path.name, path.read_bytes()).findings if one.severity != "note"]


@pytest.mark.parametrize("game", PROJECT.games)
def test_thinned_and_grey_sheets_have_no_fault(game: str, tmp_path: Path) -> None:
    """Less ink leaves no outline too thin to be printed, however small a picture is placed."""
    workshop = shared(game)
    look = Look(thinned=thinner, inks=grey_inks, prototype=True, numbers=True)
    order = Order(("en",), tmp_path, SheetSettings(paper_size("A4"), "A4"), copies=1, look=look)
    with delivery() as files:
        write_sheets(workshop, order, files, lambda _doing: None)
        (path,) = files.hand_over()

    assert faults(path) == []


@pytest.mark.parametrize("game", PROJECT.games)
def test_our_own_proofs_have_no_fault(game: str, tmp_path: Path) -> None:
    """What is looked at on paper can be printed: its guides and swatches too."""
    (path,) = proofs(PROJECT, (game,), ProofOrder(("en",), tmp_path), lambda _doing: None)

    assert faults(path) == []


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

    findings = [one for one in preflight("sheet.pdf", sheet.read_bytes()).findings if one.severity != "note"]

    assert [(one.check, one.page) for one in findings] == [(check, 1)]


def test_a_thin_line_in_an_icon_of_a_printed_card_is_found(tmp_path: Path) -> None:
    """A card on a sheet is printed in its true size, tagged as a figure or not: its icons' lines must hold."""
    sheet = tmp_path / "sheet.pdf"
    with pikepdf.open(io.BytesIO(printed())) as pdf:
        faces = [form for name, form in pdf.pages[0].Resources.XObject.items() if name.startswith("/D")]
        icon = next(form for face in faces for form in face.Resources.get("/XObject", {}).values())
        icon.write(icon.read_bytes() + b" 0 G 0.02 w 40 40 m 60 60 l S 0.4 0.4 m 0.6 0.6 l S")
        pdf.save(sheet)

    findings = preflight("sheet.pdf", sheet.read_bytes()).findings

    assert {(one.check, one.severity) for one in findings if one.page} == {("hairlines", "warning")}
