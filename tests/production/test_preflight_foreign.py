"""PDFs that other programs made: sensible findings at the right places, nothing imagined."""

import subprocess
from pathlib import Path

import pytest
from conftest import ROOT, Tool

from generator.production.preflight.inspection import Finding, PreflightRules
from generator.production.preflight.preflight import inspect_pdf

FOLDER = Path(__file__).parent / "foreign"

EXPECTED = {
    "cairo": [("boxes", "warning", None, "no TrimBox"), ("type-size", "warning", (10.0, 28.9), "type of 4.0 pt"), ("hairlines", "warning", (10.0, 80.0), "a line of 0.14 pt")],
    "chromium": [("boxes", "warning", None, "no TrimBox"), ("type-size", "warning", (8.0, 25.9), "type of 4.0 pt")],
    "ghostscript": [
        ("fonts", "error", (10.6, 19.5), "Times-Roman is not embedded"),
        ("fonts", "error", (10.6, 29.4), "Helvetica is not embedded"),
        ("hairlines", "error", (10.6, 41.1), "a line has no width"),
        ("boxes", "warning", None, "no TrimBox"),
        ("type-size", "warning", (10.6, 29.4), "type of 4.0 pt"),
        ("intent", "note", (0.0, 0.0), "CMYK without an output intent"),
    ],
    "matplotlib": [("boxes", "warning", None, "no TrimBox"), ("fonts", "warning", (8.2, 86.0), "DejaVuSans is of type 3")],
}  # fmt: skip


def agree(findings: tuple[Finding, ...], expected: list[tuple[str, str, tuple[float, float] | None, str]]) -> None:
    """Hold findings on page 1 against what is expected, one by one."""
    assert [(one.check, one.severity, one.page) for one in findings] == [
        (check, how, 1) for check, how, _, _ in expected
    ]
    for finding, (_, _, at, words) in zip(findings, expected, strict=True):
        assert words in finding.what
        assert finding.at == (None if at is None else pytest.approx(at, abs=0.3))


@pytest.mark.parametrize("name", EXPECTED)
def test_kept_files_have_their_faults(name: str) -> None:
    """A page of each program has the faults that were drawn into it, where they were drawn, and no other."""
    agree(inspect_pdf("a.pdf", (FOLDER / f"{name}.pdf").read_bytes()).findings, EXPECTED[name])


def test_an_rgb_page_is_nothing_for_a_cmyk_shop() -> None:
    """The same page of cairo's has its colours, its transparency and its standard refused where a shop asks for them."""
    rules = PreflightRules(name="shop", shop=True, cmyk=True, standard="pdfx1a", flat=True)
    findings = inspect_pdf("a.pdf", (FOLDER / "cairo.pdf").read_bytes(), rules).findings
    found = {(one.check, one.severity) for one in findings}
    assert {("rgb", "error"), ("transparency", "error"), ("standard", "error"), ("boxes", "error")} <= found
    assert any(one.check == "rgb" and one.what.startswith("a gradient") for one in findings)


def test_this_machines_cairo_draws_the_same_faults(tool: Tool, tmp_path: Path) -> None:
    """Whatever version is installed, what the SVG has wrong is found in its PDF."""
    out = tmp_path / "card.pdf"
    subprocess.run([tool("rsvg-convert"), "-f", "pdf", "-o", out, FOLDER / "card.svg"], check=True)
    found = {(one.check, one.what.split(",")[0]) for one in inspect_pdf("a.pdf", out.read_bytes()).findings}
    assert {("type-size", "type of 4.0 pt"), ("hairlines", "a line of 0.14 pt")} <= found


def test_this_machines_ghostscript_draws_the_same_faults(tool: Tool, tmp_path: Path) -> None:
    """Whatever version is installed, what the PostScript has wrong is found in its PDF."""
    out = tmp_path / "card.pdf"
    device = ["-q", "-dBATCH", "-dNOPAUSE", "-sDEVICE=pdfwrite", f"-sOutputFile={out}"]
    subprocess.run([tool("gs"), *device, FOLDER / "card.ps"], check=True)
    found = {one.check for one in inspect_pdf("a.pdf", out.read_bytes()).findings}
    assert {"hairlines", "type-size", "intent"} <= found


def test_pages_of_two_programs_in_one_file_keep_their_faults(tool: Tool, tmp_path: Path) -> None:
    """Put together by poppler, each page has its own faults, and the file mixes RGB with CMYK."""
    out = tmp_path / "both.pdf"
    subprocess.run([tool("pdfunite"), FOLDER / "cairo.pdf", FOLDER / "ghostscript.pdf", out], check=True)
    found = {(one.check, one.page) for one in inspect_pdf("a.pdf", out.read_bytes()).findings}
    assert {("hairlines", 1), ("hairlines", 2), ("fonts", 2), ("mixed-colours", 2)} <= found
    assert ("fonts", 1) not in found


def test_the_fixtures_say_where_they_come_from() -> None:
    """Each kept PDF has its line in the folder's README."""
    said = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert {path.name for path in FOLDER.glob("*.pdf")} == {f"{name}.pdf" for name in EXPECTED}
    assert all(f"`{name}.pdf`" in said for name in EXPECTED)
    assert (ROOT / "tests" / "production" / "foreign").is_dir()
