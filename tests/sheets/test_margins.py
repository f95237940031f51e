"""A margin for each edge: how it is written, where pieces and marks go, and backs behind their fronts."""

from pathlib import Path

import pytest
from conftest import Pnp
from sheet_cases import cut_marks, deck, lay, on, printable, runs, text_box
from test_everything_on_the_table import faces_on
from tests_support import TinyProject

from generator.base.geometry import Margins, Rect, parse_margins
from generator.drawing.pdf.page_images import render_page

UNEVEN = Margins(8.0, 3.0, 15.0, 12.0)


@pytest.mark.parametrize(
    ("text", "sides"),
    [
        ("4mm", (4, 4, 4, 4)),
        ("4 mm", (4, 4, 4, 4)),
        ("4mm 1cm", (4, 10, 4, 10)),
        ("4 mm  1 cm .5in", (4, 10, 12.7, 10)),
        ("1 2 3 4", (1, 2, 3, 4)),
    ],
)
def test_one_to_four_lengths_mean_what_they_mean_in_css(text: str, sides: tuple[float, ...]) -> None:
    assert parse_margins(text) == sides


def test_pieces_are_in_the_middle_of_what_the_printer_reaches() -> None:
    """Nine cards need 189 x 264 mm with bleed: they fit uneven margins whose sums are those of even ones."""
    front, back = lay(deck(9), on("A4", margin=Margins(2.0, 2.0, 8.0, 8.0)))
    first, behind = front.placements[0].trim, back.placements[0].trim
    assert (first.x, first.y) == (10.5 + 3, 16.5 - 3)
    assert behind == Rect(210 - first.right, first.y, 63, 88)
    assert len(front.placements) == 9


@pytest.mark.parametrize("backs", ["long", "short", "separate", "fold"])
def test_label_and_rulers_keep_to_the_margins_of_their_side(backs: str) -> None:
    """On the back, left and right (or top and bottom) have changed places, and all is within the new margins."""
    settings = on("A4", margin=UNEVEN, backs=backs)
    for page in lay(deck(5), settings):
        room = printable(page, settings)
        assert all(room.contains(text_box(run)) for run in runs(page))
        assert all(room.contains(placement.clip) for placement in page.placements)


def test_marks_reach_each_edge_of_the_printable_area() -> None:
    parts = cut_marks(lay(deck(4), on("A4", margin=UNEVEN, backs="none"))[0])
    xs, ys = ({end for part in parts for end in part[at::2]} for at in (0, 1))
    assert (min(xs), max(xs)) == (12, 207)
    assert (min(ys), max(ys)) == (8, 282)


def read_trims(path: Path) -> list[list[Rect]]:
    import pikepdf

    with pikepdf.open(path) as opened:
        return [[seen.trim for seen in faces_on(page, opened.Root.StructTreeRoot.ParentTree)] for page in opened.pages]


def test_option_variable_and_settings_take_four_margins(
    tiny: TinyProject, pnp: Pnp, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same bytes each way; the written backs are behind their fronts."""
    tiny.change("data/tiny/game.yaml", "front: card\n", "front: card\n    back: card\n")
    assert pnp("sheets", "--margin", "8mm 3mm 15mm 12mm", "--out", "one").code == 0
    monkeypatch.setenv("PNP_MARGIN", "8 3 15 12")
    assert pnp("sheets", "--out", "two").code == 0
    monkeypatch.delenv("PNP_MARGIN")
    tiny.write("pnp.toml", 'margin = "8mm 3mm 1.5cm 12mm"\n')
    assert pnp("sheets", "--out", "three").code == 0
    one, two, three = ((tiny.root / name / "tiny/sheets.en.pdf") for name in ("one", "two", "three"))
    assert one.read_bytes() == two.read_bytes() == three.read_bytes()
    fronts, backs, *_ = read_trims(one)
    mirrored = [Rect(210 - box.right, box.y, box.width, box.height) for box in backs]
    assert all(any(box.grow(0.01).contains(front) for box in mirrored) for front in fronts)
    block = [min(box.x for box in fronts), max(box.right for box in fronts)]
    assert sum(block) / 2 == pytest.approx(105 + (12 - 3) / 2, abs=0.01)


def test_a_paper_has_four_margins(tiny: TinyProject, pnp: Pnp) -> None:
    paper = "id: mine\nkind: paper\nname: Mine\nsource: me\ndate: 2026-11-29\nverified: true\nsize: A4\nmargin: {}\n"
    tiny.write("presets/mine.yaml", paper.format("8mm 3 15 12"))
    assert pnp("sheets", "--paper", "mine", "--out", "one").err == ""
    assert pnp("sheets", "--margin", "8 3 15 12", "--out", "two").code == 0
    one, two = (read_trims(tiny.root / name / "tiny/sheets.en.pdf") for name in ("one", "two"))
    assert one == two
    for wrong, said in (
        ("8 3 290", "margins of 8 3 290 3 mm cover the whole paper"),
        ("[5, 6]", "'[5,' is not a length"),
    ):
        tiny.write("presets/mine.yaml", paper.format(wrong))
        assert f"presets/mine.yaml:8:9: {said}" in pnp("sheets", "--paper", "mine").err


def test_uneven_margins_get_no_hint_to_lower_them(tiny: TinyProject, pnp: Pnp) -> None:
    """Who gives four margins knows the printer, so pnp does not suggest one for all."""
    tiny.change("data/tiny/game.yaml", "size: [40, 60]", "size: us-poker")
    tiny.change("data/tiny/game.yaml", "    stated: 5\n", "")
    tiny.change("data/tiny/game.yaml", "count: 2", "count: 15")
    card = "templates/tiny/card.svg"
    tiny.change(card, 'x="-3" y="-3" width="46" height="66"', 'x="-3" y="-3" width="70" height="95"')
    assert any("9 with --margin 4mm" in line for line in pnp("sheets").said)
    assert not any("to a sheet" in line for line in pnp("sheets", "--margin", "5mm 5mm 6mm").said)


def test_boxes_keep_to_each_margin(tiny: TinyProject, pnp: Pnp) -> None:
    """The net moves away from the wider margin, and so do the notes beside it."""
    found = []
    for margin, out in (("5mm", "one"), ("5mm 5mm 105mm", "two")):
        assert pnp("boxes", "--margin", margin, "--out", out).code == 0
        page = render_page((tiny.root / out / "tiny/boxes.en.pdf").read_bytes(), 0, 254).convert("L")
        left, top, right, bottom = page.point(lambda grey: 255 * (grey < 200)).getbbox()
        assert (page.size, left > 49, right < 2051) == ((2100, 2970), True, True)
        found.append((top, bottom))
    assert found[1][1] <= 1920 < found[0][1]
    assert 49 < found[1][0] < found[0][0]
