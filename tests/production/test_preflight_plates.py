"""Ink where paints print over each other: what no paint says by itself is seen on the rendered plates."""

import shutil
from collections.abc import Callable

import pikepdf
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pikepdf import Array, Dictionary, Name
from PIL import Image, ImageDraw
from preflight_samples import MM, added, deck, said

from generator.production.preflight import preflight
from generator.production.preflight.plates import heaviest

Tool = Callable[[str], str]
BOX = f"{23 * MM:.3f} {20 * MM:.3f} {10 * MM:.3f} {10 * MM:.3f} re f"
"""10 mm square, its corner 20 mm from the left and 61 mm from the top of the trim."""
TYPE = f"BT 0 0 0 1 k /F1 24 Tf {23 * MM:.3f} {21 * MM:.3f} Td <000300040005> Tj ET"
BAR = f"0 0 0 1 k {24 * MM:.3f} {22 * MM:.3f} {2 * MM:.3f} 20 re f"
"""A bar 2 mm wide, which is no type and has plates made for it."""
BELOW = f"0.9 0.9 0.1 0 k {BOX}"


def mixed(entries: str, operators: str, below: str = BELOW) -> Callable[[pikepdf.Pdf], None]:
    """A box, and something on it under a graphics state, on the second page."""

    def change(pdf: pikepdf.Pdf) -> None:
        resources = pdf.pages[1].obj.Resources
        resources["/ExtGState"] = Dictionary(Planted=pikepdf.Object.parse(entries.encode()))
        tint = Dictionary(FunctionType=2, Domain=[0, 1], C0=[0, 0, 0, 0], C1=[0, 0.2, 0.6, 0], N=1)
        resources["/ColorSpace"] = Dictionary(
            Spot=Array([Name.Separation, Name("/Gold"), Name.DeviceCMYK, tint]),
        )
        added(f"q {below} /Planted gs {operators} Q")(pdf)

    return change


@pytest.mark.parametrize(
    ("entries", "operators", "percent"),
    [
        ("<</op true /OPM 1>>", f"0 0 0.8 0.9 k {BOX}", 348),
        ("<</op true /OPM 1>>", f"0 0 0.8 0.9 k {BOX.replace('re f', 're B')}", 348),
        ("<</BM /Multiply>>", f"0.1 0.1 0.8 0.8 k {BOX}", 344),
        ("<</op true /OPM 1>>", f"0 0 0.8 0.7 k {BOX} /Spot cs 1 scn {BOX}", 428),
    ],
    ids=["overprint", "overprinting fill and line", "multiply", "spot ink"],
)
def test_ink_that_adds_up_is_found(entries: str, operators: str, percent: int, tool: Tool) -> None:
    """Each paint alone is within the limit; the plates together are not, told to a millimetre and once."""
    tool("gs")
    data = deck(change=mixed(entries, operators))

    found = [one for one in preflight("x.pdf", data).findings if one.check == "ink"]

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
    ],
    ids=["knocked out", "black within the limit", "white", "half of it"],
)
def test_what_covers_or_stays_within_the_limit_is_not(entries: str, operators: str, tool: Tool) -> None:
    """No finding where the plates together are within the limit, whatever the paints are called."""
    tool("gs")
    data = deck(change=mixed(entries, operators))

    assert [one for one in preflight("x.pdf", data).findings if one.check == "ink"] == []


def test_black_type_on_a_dark_ground_is_within_what_dries(tool: Tool) -> None:
    """Type of 24 points that overprints a ground of 300 % is no fault: it is meant so, and its strokes are thin."""
    tool("gs")
    data = deck(change=mixed("<</op true /OPM 1>>", f"{BAR} {TYPE}", BELOW.replace("0.9 0.9 0.1", "1 1 1")))

    assert [one for one in preflight("x.pdf", data).findings if one.check == "ink"] == []


def test_without_ghostscript_a_note_says_what_was_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is called sound that nobody has looked at; a file without such paints gets no note."""
    monkeypatch.setattr(shutil, "which", lambda _name: None)

    findings = preflight("x.pdf", deck(change=mixed("<</op true /OPM 1>>", f"0 0 0.8 0.9 k {BOX}"))).findings

    assert said(findings) == [("ink", "note", 2)]
    assert "Ghostscript" in findings[0].hint
    for harmless in (TYPE, f"0 0 0 0 k {BOX}", f"0.5 w 0 0 0 1 K {BOX.replace('re f', 're S')}"):
        findings = preflight("x.pdf", deck(change=mixed("<</OP true /op true /OPM 1>>", harmless))).findings
        assert [one for one in findings if one.check == "ink"] == []


@given(st.integers(4, 50), st.integers(4, 50), st.integers(1, 14), st.integers(121, 255))
def test_a_spot_is_found_from_two_and_a_half_millimetres_on(x: int, y: int, side: int, ink: int) -> None:
    """On four plates: what is less than seven pixels of 72 dpi wide dries, more is told with place and total."""
    plate = Image.new("L", (70, 70), 255)
    ImageDraw.Draw(plate).rectangle((x, y, x + side - 1, y + side - 1), fill=255 - ink)
    total = 4 * ink / 2.55

    found = heaviest([plate] * 4, 2.0, (0.0, 0.0, 35.0, 35.0), 240.0)

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

    assert heaviest([plate] * 4, 2.0, (5.0, 5.0, 25.0, 25.0), 240.0) is None
    assert heaviest([plate] * 4, 2.0, (0.0, 0.0, 25.0, 25.0), 240.0) is not None
