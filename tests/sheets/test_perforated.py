"""Named sizes, and perforated stock: cards in the middle of their cells, and nothing over the perforation."""

from pathlib import Path

import pytest
from conftest import ROOT, Pnp
from hypothesis import assume, given
from hypothesis import strategies as st
from sheet_cases import cut_marks, deck, lay, piece, runs
from tests_support import TinyProject, examples

from generator.base.files import Resources
from generator.base.geometry import CARD_SIZES, PAPER_SIZES, Rect, Size, paper_size
from generator.game.preset_files import find_preset, load_presets
from generator.game.presets import Paper, Sleeves, Stock
from generator.game.print_pages import Page
from generator.sheets.imposition import fit_perforated_grid
from generator.sheets.place_pieces import DoesNotFit
from generator.sheets.settings import SheetSettings


def _make_stock(*cells: object) -> Stock:
    names = ("paper", "left", "top", "columns", "rows", "cell", "gap_x", "gap_y")
    return Stock("ten", "ten cards", "a test", "2026-11-29", **dict(zip(names, cells, strict=False)))  # type: ignore[arg-type]


TEN = _make_stock(Size(210, 297), 14, 11, 2, 5, Size(91, 55))
few = examples(50)


def on_stock(backs: str = "long", perforation: Stock = TEN) -> SheetSettings:
    return SheetSettings(perforation.paper, "ten cards", backs=backs, stock=perforation)  # type: ignore[arg-type]


def turned_over(box: Rect) -> Rect:
    """Seen from the other side of an A4 sheet that is turned on its long edge."""
    return Rect(210 - box.right, box.y, box.width, box.height)


def test_name_cards_fill_their_cells_and_are_not_cut() -> None:
    """Ten 91 x 55 mm cards on ten cells, the eleventh on a second sheet; backs behind them; no cut marks, no plan."""
    front, back, second, _ = lay(deck(11, 91, 55), on_stock())
    cells = [Rect(14 + 91 * (n % 2), 11 + 55 * (n // 2), 91, 55) for n in range(10)]
    assert [p.trim for p in front.placements] == cells
    assert [turned_over(p.trim) for p in back.placements] == cells
    assert second.placements[0].trim == cells[0]
    assert not cut_marks(front)
    assert not [run for run in runs(front) if run.text.isdigit()]


def test_no_bleed_crosses_a_perforation() -> None:
    clips = [p.clip for p in lay(deck(10, 91, 55), on_stock())[0].placements]
    assert clips[0] == Rect(11, 8, 94, 58)
    assert clips[1] == Rect(105, 8, 94, 58)
    assert clips[2] == Rect(11, 66, 94, 55)


def test_a_smaller_card_lies_in_the_middle_and_is_cut_on() -> None:
    """85.6 x 54 mm: 2.7 and 0.5 mm of the cell around it; its edges have marks as on any sheet."""
    page = lay(deck(10, 85.6, 54), on_stock())[0]
    trim = page.placements[0].trim
    assert (trim.x, trim.y, trim.width, trim.height) == pytest.approx((16.7, 11.5, 85.6, 54))
    assert cut_marks(page)


@few
@given(st.floats(20, 120), st.floats(20, 120), st.floats(0, 4), st.floats(0, 8), st.floats(0, 8))
def test_every_card_lies_inside_its_own_cell(
    width: float, height: float, bleed: float, across: float, down: float
) -> None:
    """Upright or turned, centred, whatever the gaps; one that fits neither way has no sheet."""
    cells = _make_stock(Size(297, 420), 15, 15, 2, 5, Size(91, 55), across, down)
    lie = fit_perforated_grid(cells, Size(width, height), bleed)
    fits = (width <= 91 and height <= 55) or (width <= 55 and height <= 91)
    assert (lie is not None) == fits
    assume(lie)
    assert lie is not None
    for n in range(lie.capacity):
        cell, slot = cells.get_cell(n), lie.get_slot(n)
        assert cell.contains(slot, 0.011)
        assert slot.x + slot.right == pytest.approx(cell.x + cell.right)
        clip = lie.get_clip(n, bleed, range(lie.capacity))
        assert clip.contains(slot, 0.011)
        assert not any(clip.overlaps(cells.get_cell(m), 0.011) for m in range(lie.capacity) if m != n)


def test_what_does_not_belong_in_a_cell_is_told() -> None:
    large, token = piece("big#1", 63, 88), piece("token#1", 20, 20)
    token = type(token)(token.id, token.front, token.back, lie="packed")
    with pytest.raises(DoesNotFit) as found:
        lay([large, token], on_stock())
    assert str(found.value).splitlines() == [
        "big#1 is 63 x 88 mm: ten cards takes at most 91 x 55 mm in a perforated cell",
        "token#1 is 20 x 20 mm and cut out by itself: it is not printed in a perforated cell of ten cards",
    ]


def everything(page: Page) -> list[Rect]:
    return [placement.clip for placement in page.placements]


def test_words_keep_off_the_cards() -> None:
    page = lay(deck(10, 91, 55), on_stock())[0]
    boxes = everything(page)
    assert runs(page)
    assert not any(box.contains(Rect(run.x, run.y, 0, 0)) for run in runs(page) for box in boxes)


def test_the_home_presets_are_what_the_sizes_say() -> None:
    """Papers are as large as the paper sizes; A-One 51003 is on the A4 sheet exactly, and its geometry is unconfirmed."""
    presets = load_presets(Resources((ROOT,)))
    papers = {preset.id: preset for preset in presets if isinstance(preset, Paper)}
    assert {name: paper.size for name, paper in papers.items()} == {
        f"plain-{name.lower()}": PAPER_SIZES[name].size for name in ("A3", "A4", "B4", "Letter")
    }
    (stock,) = [preset for preset in presets if isinstance(preset, Stock)]
    assert stock.left * 2 + stock.columns * stock.cell.width == stock.paper.width == 210
    assert stock.top * 2 + stock.rows * stock.cell.height == stock.paper.height == 297
    assert {"left", "top", "cell"} <= set(stock.unverified)


def test_every_card_size_up_to_the_largest_sleeve_has_one() -> None:
    table = find_preset(Resources((ROOT,)), "sleeves", "sleeve")
    assert isinstance(table, Sleeves)
    names = {"jp-poker": "standard-card-game", "jp-small": "japanese-small", "tarot": "tarot", "us-bridge": "asia"}
    for card, sleeve in names.items():
        assert sleeve in [one.id for one in table.find_fitting(CARD_SIZES[card].size)]
    plays = [one.inner.width + one.inner.height for one in table.find_fitting(Size(58, 89))]
    assert plays
    assert plays == sorted(plays)
    assert table.find_fitting(Size(100, 100)) == ()


STOCK = Path(__file__).with_name("perforated_stock.yaml").read_text("utf-8")


def test_a_project_brings_stock_of_its_own(tiny: TinyProject, pnp: Pnp) -> None:
    """Confirmed figures say nothing; the cards lie where the file says; --paper beside it is wrong usage."""
    tiny.write("presets/mine.yaml", STOCK)
    ran = pnp("sheets", "--stock", "mine")
    assert (ran.code, ran.err) == (0, "")
    clash = pnp("sheets", "--stock", "mine", "--paper", "A4")
    assert clash.code == 2
    assert "--perforated sets the paper" in clash.err
    assert pnp("sheets", "--stock", "mine", "--backs", "fold").code == 2
    gap = pnp("sheets", "--stock", "mine", "--gap", "3mm")
    assert gap.code == 2 and "--perforated sets the gaps; leave --gap out" in " ".join(gap.err.split())
    near = pnp("sheets", "--stock", "mien")
    assert near.code == 1
    assert "unknown preset 'mien'; did you mean 'mine'?" in near.err


def test_unconfirmed_figures_warn_and_large_cards_stop(tiny: TinyProject, pnp: Pnp) -> None:
    """The warning names the figures; a 60 x 90 mm card is a problem with its place and no file is written."""
    ran = pnp("sheets", "--stock", "a-one-51003")
    assert ran.code == 0
    assert "warning:" in ran.err
    assert "has unconfirmed figures: paper, left, top, cell" in ran.err
    tiny.change("data/tiny/game.yaml", "size: [40, 60]", "size: [60, 90]")
    large = pnp("sheets", "--stock", "a-one-51003", "--out", "large")
    assert large.code == 1
    assert "data/tiny/game.yaml:" in large.err
    assert "takes at most 91 x 55 mm in a perforated cell; choose other stock" in large.err
    assert not (tiny.root / "large").exists()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("columns: 2", "columns: 3", "presets/mine.yaml:10:10: 3 columns end at 255 mm, and the paper at 210 mm"),
        ("rows: 3", "rows: 9", "presets/mine.yaml:11:7: 9 rows end at 650 mm, and the paper at 297 mm"),
        ("rows: 3", "rows: none", "presets/mine.yaml:11:7: rows must be a whole number"),
        ("left: 15", "lift: 15", "presets/mine.yaml:8:1: unknown field 'lift'; did you mean 'left'?"),
    ],
)
def test_broken_stock_is_a_problem_with_its_place(tiny: TinyProject, pnp: Pnp, old: str, new: str, said: str) -> None:
    tiny.write("presets/mine.yaml", STOCK.replace(old, new))
    ran = pnp("sheets", "--stock", "mine")
    assert ran.code == 1
    assert said in ran.err


def test_a_paper_of_the_presets_brings_its_margin(tiny: TinyProject, pnp: Pnp) -> None:
    ran = pnp("sheets", "--paper", "plain-letter", "--out", "one")
    assert ran.code == 0
    assert "has unconfirmed figures: margin" in ran.err
    assert pnp("sheets", "--paper", "plain-letter", "--margin", "6.35mm", "--out", "two").err == ""
    one, two = ((tiny.root / name / "tiny/sheets.en.pdf").read_bytes() for name in ("one", "two"))
    assert one == two
    assert pnp("sheets", "--paper", "Letter", "--out", "three").err == ""
    assert (tiny.root / "three/tiny/sheets.en.pdf").read_bytes() != one


@pytest.mark.parametrize(
    ("name", "width", "height"),
    [
        ("jp-poker", 63, 88),
        ("us-poker", 63.5, 88.9),
        ("us-bridge", 57.15, 88.9),
        ("half-poker-62", 44.45, 62.23),
        ("us-tarot", 69.85, 120.65),
        ("jp-business", 91, 55),
    ],
)
def test_cards_have_the_trade_s_figures(name, width, height):
    assert CARD_SIZES[name].size == Size(width, height)


@pytest.mark.parametrize(
    ("name", "width", "height"),
    [("A4", 210, 297), ("A3", 297, 420), ("B5", 182, 257), ("B4", 257, 364), ("Letter", 215.9, 279.4)],
)
def test_papers_have_their_sizes_and_b_sizes_are_the_japanese_ones(name, width, height):
    """B4 and B5 are JIS, as sold in Japan, not the smaller ISO sheets."""
    assert paper_size(name) == Size(width, height)


def test_unknown_names_are_key_errors():
    with pytest.raises(KeyError, match="A9"):
        paper_size("A9")


def test_every_size_is_plausible_and_says_who_uses_it():
    """Between a token and a sheet, papers upright, each with a note, no size twice under two names."""
    for name, named in CARD_SIZES.items():
        assert named.name == name == name.lower()
        assert 40 <= min(named.size.width, named.size.height) <= max(named.size.width, named.size.height) <= 125
        assert named.note
    assert len({named.size for named in CARD_SIZES.values()}) == len(CARD_SIZES) >= 25
    for named in PAPER_SIZES.values():
        assert named.size.width < named.size.height
        assert named.note


def test_sources_that_disagree_have_names_of_their_own():
    sizes = {CARD_SIZES[name].size for name in ("euro-mini", "euro-mini-44x68", "euro-mini-44x67")}
    assert len(sizes) == 3
    assert "44 x 67" in CARD_SIZES["euro-mini"].note
