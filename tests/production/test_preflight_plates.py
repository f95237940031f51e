"""Ink where paints print over each other: what no paint says by itself is seen on the rendered plates."""

from collections.abc import Callable

import pikepdf
import pytest
from conftest import Tool
from hypothesis import given
from hypothesis import strategies as st
from pikepdf import Array, Dictionary, Name
from PIL import Image, ImageDraw
from preflight_samples import MM, added, changed, deck, said

from generator.production.preflight import inspection
from generator.production.preflight.inspection import PreflightRules, find_heaviest_spot
from generator.production.preflight.preflight import inspect_pdf

BOX = f"{23 * MM:.3f} {20 * MM:.3f} {10 * MM:.3f} {10 * MM:.3f} re f"
"""10 mm square, its corner 20 mm from the left and 61 mm from the top of the trim."""
TYPE = f"BT 0 0 0 1 k /F1 24 Tf {23 * MM:.3f} {21 * MM:.3f} Td <000300040005> Tj ET"
BAR = f"0 0 0 1 k {24 * MM:.3f} {22 * MM:.3f} {2 * MM:.3f} 20 re f"
"""A bar 2 mm wide, which is no type and has plates made for it."""
ROUND = f"{23 * MM} {20 * MM} m {50 * MM} {20 * MM} {50 * MM} {40 * MM} {23 * MM} {30 * MM} c f"
"""A bulge over the box, whose own box says nothing sure of it."""
BELOW = f"0.9 0.9 0.1 0 k {BOX}"


def mixed(entries: str, operators: str, below: str = BELOW) -> Callable[[pikepdf.Pdf], None]:
    """A box, and something on it under a graphics state, on the second page."""

    def change(pdf: pikepdf.Pdf) -> None:
        resources = pdf.pages[1].obj.Resources
        resources["/ExtGState"] = Dictionary(Planted=pikepdf.Object.parse(entries.encode()))
        tint = Dictionary(FunctionType=2, Domain=[0, 1], C0=[0, 0, 0, 0], C1=[0, 0.2, 0.6, 0], N=1)
        resources["/ColorSpace"] = Dictionary(
            Spot=Array([Name.Separation, Name("/Gold"), Name.DeviceCMYK, tint]),
            Listed=Array([Name.Indexed, Name.DeviceCMYK, 1, bytes((0, 0, 204, 230, 0, 0, 204, 230))]),
            Profiled=Array([Name.ICCBased, pdf.make_stream(b"", N=4)]),
        )
        resources.ExtGState["/Off"] = Dictionary(op=False)
        added(f"q {below} /Planted gs {operators} Q")(pdf)

    return change


@pytest.mark.parametrize(
    ("entries", "operators", "percent"),
    [
        ("<</op true /OPM 1>>", f"0 0 0.8 0.9 k {BOX}", 348),
        ("<</op true /OPM 1>>", f"0 0 0.8 0.9 k {BOX.replace('re f', 're B')}", 348),
        ("<</BM /Multiply>>", f"0.1 0.1 0.8 0.8 k {BOX}", 344),
        ("<</op true /OPM 1>>", f"0 0 0.8 0.7 k {BOX} /Spot cs 1 scn {BOX}", 428),
        ("<</op true /OPM 0>>", f"/Spot cs 1 scn {BOX} 0.9 0.9 0.6 0.1 k {BOX}", 350),
    ],
    ids=["overprint", "overprinting fill and line", "multiply", "spot ink", "spot ink below"],
)
@pytest.mark.parametrize("intent", [True, False], ids=["for four inks", "for nobody knows what"])
def test_ink_that_adds_up_is_found(
    entries: str, operators: str, percent: int, intent: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each paint alone is within the limit; the plates together are not, told to a millimetre and once, by us alone."""
    monkeypatch.setattr(inspection, "find_program", lambda *_names: pytest.fail("no other program is asked"))
    data = deck(change=mixed(entries, operators))
    if not intent:
        data = changed(data, lambda pdf: pdf.Root.__delitem__("/OutputIntents"))
    found = [one for one in inspect_pdf("x.pdf", data, ghostscript=False).findings if one.check == "ink"]
    assert said(tuple(found)) == [("ink", "warning", 2)]
    assert int(found[0].what.split()[0]) == pytest.approx(percent, abs=6)
    assert found[0].at == pytest.approx((20, 61), abs=1.0)


@pytest.mark.parametrize(
    ("entries", "operators"),
    [
        ("<</op false /OPM 1>>", f"0 0 0.8 0.9 k {BOX}"),
        ("<</op true /OPM 1>>", f"0 0 0 1 k {BOX}"),
        ("<</BM /Multiply>>", f"0 0 0 0 k {BOX}"),
        ("<</ca 0.5>>", f"0.9 0.9 0.9 0.2 k {BOX}"),
        ("<</op true /OPM 0>>", f"0 0 0.8 0.9 k {BOX}"),
        ("<</op true /OPM 1>>", f"0 0 0.8 0.9 k {BOX} /Off gs 0 0 0.2 0 k {BOX}"),
        ("<</op true /OPM 1>>", f"/Listed cs 1 sc 0 sc {BOX}"),
        ("<</op true /OPM 1>>", f"/Profiled cs 0 0 0.8 0.9 sc {BOX}"),
    ],
    ids=["knocked out", "black within the limit", "white", "half of it", "zeros that knock out", "covered again",
         "zeros out of a table", "zeros of a profile's CMYK"],
)  # fmt: skip
def test_what_covers_or_stays_within_the_limit_is_not(entries: str, operators: str) -> None:
    """No finding where the plates together are within the limit, whatever the paints are called."""
    data = deck(change=mixed(entries, operators))
    findings = inspect_pdf("x.pdf", data, ghostscript=False).findings
    assert [one for one in findings if one.check in ("ink", "content")] == []


def test_black_type_on_a_dark_ground_is_within_what_dries(tool: Tool) -> None:
    """Type of 24 points that overprints a ground of 300 % is no fault: it is meant so, and its strokes are thin."""
    tool("gs")
    data = deck(change=mixed("<</op true /OPM 1>>", f"{BAR} {TYPE}", BELOW.replace("0.9 0.9 0.1", "1 1 1")))
    assert [one for one in inspect_pdf("x.pdf", data).findings if one.check == "ink"] == []


@pytest.mark.parametrize(
    ("program", "level", "told"),
    [(None, 0, [("ink", "note", 2)]), ("gs", 0, []), ("gs", 242, [("ink", "warning", 2)])],
    ids=["without", "it finds little ink", "it finds much"],
)
def test_where_shapes_leave_it_open_ghostscript_decides(
    program: str | None, level: int, told: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it renders is told in place of the note; a blending that is a fault by itself is one with it and without."""
    monkeypatch.setattr(inspection, "find_program", lambda *_names: program)
    monkeypatch.setattr(inspection, "_run_ghostscript", lambda *_: [Image.new("L", (200, 200), 255 - level)] * 4)
    data = deck(change=mixed("<</BM /Multiply>>", f"0.1 0.1 0.8 0.9 k {ROUND}"))
    flat = PreflightRules(name="shop", cmyk=True, flat=True)
    findings = inspect_pdf("x.pdf", data, flat).findings
    assert sorted(said(findings)) == [*told, ("transparency", "error", 2)]


def test_without_ghostscript_a_note_says_what_was_not_checked() -> None:
    """Where shapes leave it open how much ink meets, nothing is called sound; a file without such paints gets no note."""
    data = deck(change=mixed("<</op true /OPM 1>>", f"0 0 0.8 0.9 k {ROUND}"))
    findings = inspect_pdf("x.pdf", data, ghostscript=False).findings
    assert said(findings) == [("ink", "note", 2)]
    assert "may add up to 350 %" in findings[0].what
    assert "Ghostscript" in findings[0].hint
    for harmless in (TYPE, f"0 0 0 0 k {BOX}", f"0.5 w 0 0 0 1 K {BOX.replace('re f', 're S')}"):
        data = deck(change=mixed("<</OP true /op true /OPM 1>>", harmless))
        findings = inspect_pdf("x.pdf", data, ghostscript=False).findings
        assert [one for one in findings if one.check == "ink"] == []


def test_ghostscript_has_so_many_seconds_for_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """What one page took is missing for the next, and without time or leave the program isn't called."""
    clock, given_ = iter([0.0, 7.0, 7.0, 17.0]), list[float]()
    monkeypatch.setattr(inspection, "find_program", lambda *_names: "/usr/bin/gs")
    monkeypatch.setattr(inspection, "monotonic", lambda: next(clock))
    monkeypatch.setattr(inspection, "_run_ghostscript", lambda *words: given_.append(words[-1]))
    program = inspection.Ghostscript(allowed=True)
    for page in (1, 2, 3):
        program.separate(b"", page, 72)
    inspection.Ghostscript(allowed=False).separate(b"", 1, 72)
    assert given_ == [10.0, 3.0]


@given(st.integers(4, 50), st.integers(4, 50), st.integers(1, 14), st.integers(121, 255))
def test_a_spot_is_found_from_two_and_a_half_millimetres_on(x: int, y: int, side: int, ink: int) -> None:
    """On four plates: what is less than seven pixels of 72 dpi wide dries, more is told with place and total."""
    plate = Image.new("L", (70, 70), 255)
    ImageDraw.Draw(plate).rectangle((x, y, x + side - 1, y + side - 1), fill=255 - ink)
    total = 4 * ink / 2.55
    found = find_heaviest_spot([plate] * 4, 2.0, (0.0, 0.0, 35.0, 35.0), 240.0)
    if side < 7 or total <= 240:
        assert found is None
    elif total > 248:
        assert found is not None
        assert total - 4 <= found[0] <= total + 0.1
        assert found[1][:2] == (x / 2, y / 2)


def test_only_what_is_kept_after_cutting_counts() -> None:
    """Marks of all plates beyond the cut are full of ink and are cut off."""
    plate = Image.new("L", (60, 60), 255)
    ImageDraw.Draw(plate).rectangle((0, 0, 9, 59), fill=0)
    assert find_heaviest_spot([plate] * 4, 2.0, (5.0, 5.0, 25.0, 25.0), 240.0) is None
    assert find_heaviest_spot([plate] * 4, 2.0, (0.0, 0.0, 25.0, 25.0), 240.0) is not None
