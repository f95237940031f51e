"""Calibration: what the sheet shows when it is printed by a printer that errs, and profiles kept and used."""

from collections.abc import Iterator
from pathlib import Path

import pikepdf
import pytest
from conftest import ROOT, Pnp
from hypothesis import example, given
from hypothesis import strategies as st
from tests_support import TinyProject, examples

from generator.base.display_list import Shape, TextRun
from generator.base.files import Resources
from generator.base.geometry import PAPER_SIZES, Matrix, Size
from generator.game.preset_files import format_printer, list_printers, read_printer
from generator.game.presets import Printer
from generator.game.print_pages import Page
from generator.production.calibrate import COMB_EXTRA_STEP, COMB_LINES, COMB_STEP, CalibrationSheet, PaperTooSmall

LARGE = [name for name in PAPER_SIZES if name != "Hagaki"]
RESOURCES = Resources((ROOT,))
Line = tuple[float, float, float, float]

few = examples(20)
shifts = st.integers(-10, 10).map(lambda tenths: tenths / 10)


def sheet(paper: str = "A4", printer: Printer | None = None) -> CalibrationSheet:
    return CalibrationSheet(PAPER_SIZES[paper].size, "long", RESOURCES, printer)


def lines(page: Page) -> list[Line]:
    """Every straight line that a page prints."""
    found = []
    for item in page.items:
        if isinstance(item, Shape):
            for part in item.path.split("M ")[1:]:
                x1, y1, _, x2, y2 = part.split()
                found.append((float(x1), float(y1), float(x2), float(y2)))
    return found


def printed(line: Line, by: Matrix) -> Line:
    x1, y1, x2, y2 = line
    a, _, _, d, e, f = by
    return (a * x1 + e, d * y1 + f, a * x2 + e, d * y2 + f)


def readings(made: CalibrationSheet, error: Matrix, paper: Size) -> Iterator[tuple[str, float, float, float]]:
    """(axis, middle x, middle y, reading) of all eight combs, read as the sheet says, the back towards the reader.

    Front lines shine through mirrored; the printer puts all that is on the back where `error` says.
    """
    front = [(paper.width - x1, y1, paper.width - x2, y2) for x1, y1, x2, y2 in lines(made.pages[0])]
    back = [printed(printed(line, made.pages[1].adjust), error) for line in lines(made.pages[1])]
    for axis, upright in (("x", True), ("y", False)):
        for group in combs(back, upright):
            met = []
            for n, line in enumerate(group):
                along = line[0] if upright else line[1]
                others = [one for one in front if touches(one, line, upright)]
                if others:
                    nearest = min(abs((one[0] if upright else one[1]) - along) for one in others)
                    met.append((nearest, (n - COMB_LINES) * COMB_EXTRA_STEP))
            middle = group[COMB_LINES]
            yield axis, middle[0], middle[1], min(met)[1]


def combs(back: list[Line], upright: bool) -> list[list[Line]]:
    """The combs of the back whose lines are upright (they tell x) or level: twenty-one teeth in a row."""
    rows: dict[float, list[Line]] = {}
    for line in back:
        x1, y1, x2, y2 = line
        if (abs(x1 - x2) < 1e-6) == upright and 2.5 < abs(x1 - x2) + abs(y1 - y2) < 4.5:
            rows.setdefault(round(y1 if upright else x1, 3), []).append(line)
    found = []
    for row in rows.values():
        row.sort(key=lambda line: line[0 if upright else 1])
        assert len(row) in (2 * (2 * COMB_LINES + 1), 2 * COMB_LINES + 1)
        found += [row[start : start + 2 * COMB_LINES + 1] for start in range(0, len(row), 2 * COMB_LINES + 1)]
    assert len(found) == 4
    return found


def touches(front: Line, back: Line, upright: bool) -> bool:
    """Whether a line shining through begins where a tooth of the back begins, to a millimetre and a half."""
    x1, y1, x2, y2 = front
    if (abs(x1 - x2) < 1e-6) != upright or not 2.5 < abs(x1 - x2) + abs(y1 - y2) < 4.5:
        return False
    along, across = (x1 - back[0], y1 - back[1]) if upright else (y1 - back[1], x1 - back[0])
    return abs(along) < 3 and abs(across) < 1.5


@few
@given(shifts, shifts, st.sampled_from(LARGE))
def test_what_is_read_is_what_is_stored(x: float, y: float, paper: str) -> None:
    """A printer that shifts backs by -x and -y: every comb reads x or y, sign and all, to a twentieth of a mm."""
    size = PAPER_SIZES[paper].size
    found = list(readings(sheet(paper), (1, 0, 0, 1, -x, -y), size))
    assert len(found) == 8
    for axis, _, _, value in found:
        assert value == pytest.approx(x if axis == "x" else y, abs=0.051)


@few
@given(shifts, shifts, st.floats(0.998, 1.002), st.floats(0.998, 1.002))
def test_a_printer_so_corrected_reads_nought(x: float, y: float, across: float, down: float) -> None:
    """With a profile that undoes the printer's own error, the sheet reads 0.0 everywhere, as it promises."""
    size = PAPER_SIZES["A4"].size
    printer = Printer("it", x, y, across, down)
    middle_x, middle_y = size.width / 2, size.height / 2
    astray = (middle_x - (middle_x + x) / across, middle_y - (middle_y + y) / down)
    error = (1 / across, 0.0, 0.0, 1 / down, *astray)
    assert {value for *_, value in readings(sheet("A4", printer), error, size)} == {0.0}


def test_the_formula_on_the_sheet_gives_the_scale() -> None:
    """A back printed 0.5 % too narrow about the middle: right minus left, times the printed factor, is half a per cent."""
    size, share = PAPER_SIZES["A4"].size, 0.995
    error = (share, 0.0, 0.0, share, size.width / 2 * (1 - share), size.height / 2 * (1 - share))
    words = " ".join(run.text for run in sheet().pages[1].items if isinstance(run, TextRun))
    found = list(readings(sheet(), error, size))
    for axis, factor in (("x", 0.91), ("y", 0.43)):
        assert f"× {factor:.2f}" in words
        low, high = (
            [v for a, mx, my, v in found if a == axis and side(axis, mx, my, size, far)] for far in (False, True)
        )
        scale = 100 + (sum(high) / 2 - sum(low) / 2) * factor
        assert scale == pytest.approx(100.5, abs=0.1)


def side(axis: str, x: float, y: float, size: Size, far: bool) -> bool:
    """Whether a comb is on the right or below (`far`), or on the left or above."""
    return (x > size.width / 2 if axis == "x" else y > size.height / 2) == far


@pytest.mark.parametrize("paper", LARGE)
def test_everything_is_within_the_printers_reach(paper: str) -> None:
    """Lines and words of both sides keep 9 mm from the paper's edges; crosses stand about its middle."""
    size = PAPER_SIZES[paper].size
    for page in sheet(paper).pages:
        for x1, y1, x2, y2 in lines(page):
            assert min(x1, x2) >= 9
            assert max(x1, x2) <= size.width - 9
            assert min(y1, y2) >= 9
            assert max(y1, y2) <= size.height - 9
        for run in (item for item in page.items if isinstance(item, TextRun)):
            assert 8 <= run.x <= size.width - 8
            assert 8 <= run.y <= size.height - 8
    assert COMB_STEP * COMB_LINES == 20


def test_a_postcard_is_too_small() -> None:
    """It says so instead of printing half a comb."""
    with pytest.raises(PaperTooSmall, match="the calibration sheet doesn't fit on 100 x 148 mm"):
        sheet("Hagaki")


@given(
    st.floats(-5, 5), st.floats(-5, 5), st.floats(0.98, 1.02), st.floats(0.98, 1.02), st.from_regex(r"\A[a-z]\w{0,9}\Z")
)
@example(1e-05, -1e-06, 1.0, 0.98, "a")
@example(0.0, -0.0, 1.00001, 1.0, "a")
@examples(30)
def test_a_profile_is_read_as_it_was_written(
    tmp_path_factory: pytest.TempPathFactory, x: float, y: float, across: float, down: float, name: str
) -> None:
    """To a millionth of a millimetre."""
    folder = tmp_path_factory.mktemp("settings")
    (folder / "printers").mkdir()
    (folder / "printers" / f"{name}.yaml").write_text(
        format_printer(Printer(name, x, y, across, down)), encoding="utf-8"
    )
    assert list_printers(folder) == (name,)
    back = read_printer(folder, name)
    assert (back.back_x, back.back_y) == pytest.approx((x, y), abs=1e-6)
    assert (back.scale_x, back.scale_y) == pytest.approx((across, down), abs=1e-6)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PNP_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def test_a_profile_is_stored_listed_and_used_by_name(tiny: TinyProject, pnp: Pnp, home: Path) -> None:
    """Backs alone are moved; without --printer nothing changes, and a wrong name is wrong usage with a hint."""
    tiny.change("data/tiny/game.yaml", "    front: card\n", "    front: card\n    back: card\n")
    stored = pnp("calibrate", "--set", "brother", "--back-x", "0.6mm", "--back-y", "-0.4mm", "--scale-x", "100.2%")
    assert stored.code == 0
    assert (home / "printers" / "brother.yaml").is_file()
    assert pnp("calibrate", "--list").said == []
    assert pnp("calibrate", "--list").out == "brother: back +0.6 mm, -0.4 mm; scale 100.2 %, 100 %\n"
    assert pnp("sheets", "--out", "plain").code == 0
    assert pnp("sheets", "--out", "moved", "--printer", "brother").code == 0
    plain, moved = (streams(tiny.root / name / "tiny/sheets.en.pdf") for name in ("plain", "moved"))
    assert plain[0] == moved[0]
    assert moved[1] == plain[1].replace(b"cm\n", b"cm\n1.002 0 0 1 0.39 -0.4 cm\n", 1)
    wrong = pnp("sheets", "--printer", "brothr", code=2)
    assert "unknown printer 'brothr'; did you mean 'brother'?" in wrong.err
    idle = pnp("sheets", "--printer", "brother", "--backs", "fold", code=0)
    assert "warning: --printer has no effect with --backs fold" in idle.err


def test_a_hair_is_stored_and_listed_in_plain_decimals(tiny: TinyProject, pnp: Pnp, home: Path) -> None:
    """No file and no list of ours holds an exponent: 0.00001 mm is a number to every reader."""
    pnp("calibrate", "--set", "fine", "--back-x", "0.00001", "--back-y", "-0.00002", "--scale-x", "100.00001%", code=0)
    assert (home / "printers/fine.yaml").read_text(encoding="utf-8").splitlines()[1:] == [
        "back_x: 0.00001", "back_y: -0.00002", "scale_x: 1", "scale_y: 1",
    ]  # fmt: skip
    assert pnp("calibrate", "--list").out == "fine: back +0.00001 mm, -0.00002 mm; scale 100 %, 100 %\n"
    assert pnp("sheets", "--printer", "fine").code == 0


def streams(path: Path) -> list[bytes]:
    with pikepdf.open(path) as pdf:
        return [page.Contents.read_bytes() for page in pdf.pages]


def test_a_name_without_figures_keeps_what_was_measured(tiny: TinyProject, pnp: Pnp, home: Path) -> None:
    """A forgotten figure doesn't wipe out a profile; noughts are stored when they are written."""
    assert pnp("calibrate", "--set", "b", "--back-x", "1mm").code == 0
    assert pnp("calibrate", "--set", "b").code == 2
    assert read_printer(home, "b").back_x == 1
    assert pnp("calibrate", "--set", "b", "--back-x", "0mm").code == 0
    assert read_printer(home, "b").back_x == 0


def test_the_list_says_all_that_is_stored(tiny: TinyProject, pnp: Pnp, home: Path) -> None:
    """Nothing stored is said; damaged profiles are problems beside the sound ones, not in their place."""
    none = pnp("calibrate", "--list")
    assert (none.code, none.out) == (0, "")
    assert "no printers are stored; store one with pnp calibrate --set NAME" in none.err
    assert pnp("calibrate", "--set", "m", "--back-x", "1mm").code == 0
    for name in ("a", "z"):
        (home / "printers" / f"{name}.yaml").write_text("back_x: far\n", encoding="utf-8")
    ran = pnp("calibrate", "--list", code=1)
    assert ran.out.startswith("m: back +1 mm")
    assert "a.yaml:1:9" in ran.err and "z.yaml:1:9" in ran.err


def test_a_folder_of_settings_that_cannot_be_written(tiny: TinyProject, pnp: Pnp, home: Path) -> None:
    """The way out is the variable that names the folder: there is no --out for settings."""
    home.write_text("a file stands here", encoding="utf-8")
    ran = pnp("calibrate", "--set", "b", "--back-x", "1mm", code=1)
    assert "the file can't be written" in ran.err
    assert "PNP_HOME" in ran.err and "--out" not in ran.err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("back_x: 7\n", "back-x is 7 mm; it can be 5 mm at most either way"),
        ("back_x: far\n", ":1:9: back_x must be a number, not 'far'"),
        ("back_z: 1\n", ":1:1: unknown field 'back_z'"),
        ("- 1\n", "the file has no sections"),
    ],
)
def test_a_damaged_profile_is_a_problem_with_its_place(
    text: str, said: str, tiny: TinyProject, pnp: Pnp, home: Path
) -> None:
    """Exit code 1 and the file with line and column; no sheet is printed with half a profile."""
    (home / "printers").mkdir(parents=True)
    (home / "printers" / "b.yaml").write_text(text, encoding="utf-8")
    ran = pnp("sheets", "--printer", "b", code=1)
    assert "b.yaml" in ran.err
    assert said in ran.err
    assert not (tiny.root / "output").exists()


def test_the_sheet_is_a_duplex_pdf_of_two_pages_and_always_the_same(tiny: TinyProject, pnp: Pnp) -> None:
    """As `pnp calibrate` writes it, on the paper and for the edge that were asked for."""
    for name in ("one.pdf", "two.pdf"):
        assert pnp("calibrate", "--paper", "A3", "--backs", "short", "--out", name).code == 0
    assert (tiny.root / "one.pdf").read_bytes() == (tiny.root / "two.pdf").read_bytes()
    with pikepdf.open(tiny.root / "one.pdf") as pdf:
        assert len(pdf.pages) == 2
        assert [round(float(side) / 72 * 25.4) for side in pdf.pages[0].mediabox[2:]] == [297, 420]
        assert pdf.Root.ViewerPreferences.Duplex == "/DuplexFlipShortEdge"
