"""Presets are data with a source: the shipped ones load, broken ones say where, and unconfirmed figures are told."""

import json
from pathlib import Path

import pytest
from conftest import Pnp
from shop_cases import SHOP, project
from tests_support import TinyProject

from generator.base.errors import ProblemsFound
from generator.base.geometry import Size
from generator.game.preset_files import find_preset, load_presets
from generator.game.presets import Shop
from generator.game.project import find_project


def shop(name: str) -> Shop:
    found = find_preset(project().resources, name, "shop")
    assert isinstance(found, Shop)
    return found


def broken(tiny: TinyProject, old: str, new: str) -> list[str]:
    """What is said about the corner shop's file after a change."""
    tiny.write("presets/corner-shop.yaml", SHOP)
    return broken_as_it_is(tiny, old, new)


def broken_as_it_is(tiny: TinyProject, old: str, new: str) -> list[str]:
    """The same, of the file as a test has left it."""
    tiny.change("presets/corner-shop.yaml", old, new)
    with pytest.raises(ProblemsFound) as found:
        find_preset(find_project(tiny.root).resources, "corner-shop")
    return [str(problem) for problem in found.value.problems]


def test_every_shipped_preset_has_a_source_and_a_date() -> None:
    """No figure without where it comes from and when it was looked up."""
    presets = load_presets(project().resources)
    assert len([preset for preset in presets if preset.kind == "shop"]) >= 6
    for preset in presets:
        assert preset.source and preset.date >= "2026", preset.id


def test_shops_have_the_figures_of_their_sources() -> None:
    """The sizes that the shops state come out to the pixel and the hundredth of a millimetre."""
    crafter, drive, cards = shop("the-game-crafter"), shop("drivethrucards"), shop("makeplayingcards")
    upload = {product.id: product.pixels for product in crafter.products}
    assert (upload["poker-deck"], upload["bridge-deck"], upload["square-deck"]) == ((825, 1125), (750, 1125), (1125, 1125))  # fmt: skip
    assert drive.products[0].full == Size(69.85, 95.25)  # 2.75 x 3.75 in
    assert (drive.standard, drive.order, drive.condition) == ("pdfx1a", "alternating", "CGATS TR 001")
    assert cards.products[0].pixels == (822, 1122)
    assert (shop("mb-print").safe, shop("mb-print").condition) == (4.0, "FOGRA39")
    assert shop("offset-jp").marks == "japanese"


def test_unconfirmed_figures_are_named() -> None:
    """What nobody has confirmed is marked as such, alone or as a whole."""
    assert "products.mini-deck" in shop("the-game-crafter").unverified
    assert "products.poker-deck" not in shop("the-game-crafter").unverified
    assert "ink_limit" in shop("drivethrucards").unverified
    assert {"bleed", "products.poker"} <= set(shop("makeplayingcards").unverified)
    doubt = shop("drivethrucards").check_figures(("bleed", "ink_limit"))
    assert doubt is not None and "ink_limit" in doubt.what and "bleed" not in doubt.what
    assert shop("drivethrucards").check_figures(("bleed",)) is None


def test_a_projects_own_preset_is_found_first(tiny: TinyProject) -> None:
    """A shop that is not among ours is a file; one of the same name takes the place of ours."""
    tiny.write("presets/corner-shop.yaml", SHOP)
    tiny.write("presets/drivethrucards.yaml", SHOP.replace("corner-shop", "drivethrucards"))
    resources = find_project(tiny.root).resources
    assert find_preset(resources, "corner-shop").name == "Corner Shop"
    assert find_preset(resources, "drivethrucards").name == "Corner Shop"
    assert find_preset(resources, "mb-print").name == "MB Print"


def test_an_unknown_preset_gets_a_suggestion(tiny: TinyProject) -> None:
    """A misspelt id names the nearest one; a path is no id."""
    resources = find_project(tiny.root).resources
    with pytest.raises(ProblemsFound, match="unknown preset 'drivethrucard'; did you mean 'drivethrucards'"):
        find_preset(resources, "drivethrucard", "shop")
    with pytest.raises(ProblemsFound, match="unknown preset"):
        find_preset(resources, "../data/tiny/game")


def test_a_preset_of_another_kind_is_refused(tiny: TinyProject) -> None:
    """Paper is no print shop: the message says what it is and which shops there are."""
    with pytest.raises(ProblemsFound, match="the preset 'plain-a4' is a paper, not a shop; known: digital"):
        find_preset(find_project(tiny.root).resources, "plain-a4", "shop")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("bleed: 5", "bleeds: 5", "presets/corner-shop.yaml:9:1: unknown field 'bleeds'; did you mean 'bleed'?"),
        ("bleed: 5", "bleed: 5furlongs", "presets/corner-shop.yaml:9:8: '5furlongs' has the unknown unit 'furlongs'"),
        ("bleed: 5", "bleed: -1", "presets/corner-shop.yaml:9:8: bleed is -1, but must be at least 0"),
        ("trim: [41, 61]", "trim: us-pokr", "presets/corner-shop.yaml:14:41: unknown size 'us-pokr'; did you mean"),
        ("trim: [41, 61]", "trim: [41]", "presets/corner-shop.yaml:14:41: a size is a name, or [width, height]"),
        ("trim: [41, 61]", "trim: [41, 0]", "presets/corner-shop.yaml:14:41: the sides of a size are lengths"),
        ("kind: shop", "kind: shoe", "presets/corner-shop.yaml:2:7: unknown kind of preset 'shoe'; did you mean"),
        ("id: corner-shop", "id: corner", "presets/corner-shop.yaml:1:5: the id 'corner' differs from the file name"),
        ("products.small]", "products.smal]", "presets/corner-shop.yaml:6:27: 'products.smal' is marked as verified"),
        ("{game}-{product}", "{games}-{product}", "presets/corner-shop.yaml:12:7: the pattern names '{games}'"),
        ("{game}-{product}", "{game}-{product", "presets/corner-shop.yaml:12:7: the pattern '{game}-{product-{lang}'"),
        ("{game}-{product}", "{game}", "presets/corner-shop.yaml:12:7: the pattern '{game}-{lang}' gives two files"),
        ("trim: [41, 61]", "trim: [41, 61], full: [40, 70]", "the full size of small is smaller than"),
        ("upload: pdf", "upload: png", "presets/corner-shop.yaml:12:7: the pattern '{game}-{product}-{lang}' gives"),
        ("date: 2026-01-31", "date: soon", "presets/corner-shop.yaml:5:7: date is 'soon'"),
        ("date: 2026-01-31", "date: 2026-02-30", "presets/corner-shop.yaml:5:7: the date 2026-02-30 does not"),
        ("{game}-{product}", "{game}-{product:x}", "presets/corner-shop.yaml:12:7: the pattern gives 'product' a form"),
        ("{game}-{product}", "{game!r}-{product}", "presets/corner-shop.yaml:12:7: the pattern gives 'game' a form"),
        ("trim: [41, 61]", "trim: [41, 61], safe: 21", "presets/corner-shop.yaml:14:57: a safe zone of 21 mm"),
        ("safe: 3", "safe: 30", "presets/corner-shop.yaml:10:7: a safe zone of 30 mm leaves no room"),
        ("trim: [41, 61]", "trim: [41, 61], corner: 21", "presets/corner-shop.yaml:14:59: corners of 21 mm are rounder"),
        ("copies: each", "copies: each\ntolerance: 50", "12:12: tolerance is 50, but must be at most 10"),
    ],
)  # fmt: skip
def test_a_broken_preset_says_where(tiny: TinyProject, old: str, new: str, said: str) -> None:
    """Each mistake is told with file, line and column."""
    told = broken(tiny, old, new)
    assert any(said in line for line in told), told


def test_pixels_must_be_the_full_size(tiny: TinyProject) -> None:
    """Pixels that contradict the size in millimetres are a slip of one of the two."""
    assert broken(tiny, "trim: [41, 61]", "trim: [41, 61], full: [51, 71], pixels: [602, 840]") == [
        "presets/corner-shop.yaml:14:75: 602 x 840 pixels at 300 dpi are not the full size; "
        "correct one of `full`, `pixels` and `dpi`"
    ]


def test_all_mistakes_are_told_at_once(tiny: TinyProject) -> None:
    """One run is enough to see every mistake of a file."""
    said = broken(tiny, "bleed: 5\nsafe: 3", "bleeds: 5\nsafe: x\nmarks: dots")
    assert len(said) == 4  # no bleed, an unknown field, no length, no such marks


def test_wrong_shapes_hide_no_other_mistakes(tiny: TinyProject) -> None:
    """The id and the pattern of file names are looked at even where fields have the wrong shape."""
    tiny.write("presets/corner-shop.yaml", SHOP)
    tiny.change("presets/corner-shop.yaml", "id: corner-shop", "id: shop")
    tiny.change("presets/corner-shop.yaml", "{game}-{product}", "{games}-{product}")
    said = broken_as_it_is(tiny, "bleed: 5", "bleeds: 5")
    assert [line.split(": ")[0].removeprefix("presets/corner-shop.yaml:") for line in said] == [
        "1:1", "1:5", "9:1", "12:7",
    ]  # fmt: skip


@pytest.mark.parametrize("value", ["maybe", "3", "{bleed: true}", "[1, 2]"])
def test_verified_is_told_in_one_line(tiny: TinyProject, value: str) -> None:
    """One mistake is one problem, in the file's own words."""
    said = broken(tiny, "[upload, bleed, products.small]", value)
    assert len(said) == 1
    assert said[0].startswith("presets/corner-shop.yaml:6:11: verified must be true, false or a list of figures")


def test_a_folder_is_no_preset(tiny: TinyProject) -> None:
    """What is named like a preset and can't be read as one is told as such."""
    (tiny.root / "presets" / "corner-shop.yaml").mkdir(parents=True)
    with pytest.raises(ProblemsFound, match="the preset 'corner-shop' is outside presets/ or not a file"):
        find_preset(find_project(tiny.root).resources, "corner-shop")


def test_pnp_presets_lists_all(pnp: Pnp) -> None:
    """The list gives sizes, source, date and what is unverified, and the same as JSON."""
    said = pnp("presets", "--kind", "shop").out
    data = json.loads(pnp("presets", "--kind", "shop", "--format", "json").out)
    assert "- poker-deck: 63.5 x 88.9 mm, with bleed 69.85 x 95.25 mm, 825 x 1125 pixels (Poker Deck)" in said
    assert "unverified: colour, copies, products.mini-deck, products.tarot-deck" in said
    assert "(2026-11-20)" in said
    crafter = next(preset for preset in data["presets"] if preset["id"] == "the-game-crafter")
    assert crafter["figures"]["products"][0]["pixels"] == [825, 1125]
    assert crafter["figures"]["products"][0]["trim"] == [63.5, 88.9]


def test_pnp_presets_names_the_sleeves_for_a_card(pnp: Pnp) -> None:
    """By size in any unit or by name, the tightest first, with its play; what nobody confirmed is said."""
    assert pnp("presets", "--fits", "58 x 89").out.splitlines() == [
        "sleeves/standard-usa: Standard USA, 58 x 89 mm inside, 0 and 0 mm of play",
        "sleeves/asia: Asia or Chimera, 59 x 91 mm inside, 1 and 2 mm of play",
        "sleeves/japanese-small: Japanese small, 62 x 89 mm inside, 4 and 0 mm of play",
        "    unverified: makers differ by a millimetre; put one card into one sleeve before you buy for all",
    ]
    assert "standard-card-game" in pnp("presets", "--fits", "us-poker").out
    assert pnp("presets", "--fits", "us-poker").out == pnp("presets", "--fits", "2.5inx3.5in").out
    assert "100 x 300 mm: no sleeve of sleeves fits" in pnp("presets", "--fits", "100x300").out


def test_presets_are_listed_outside_any_project(room: Path, pnp: Pnp) -> None:
    """Who only looks over a PDF finds the shop's id without a project; a wrong --project is told all the same."""
    assert "  mb-print: MB Print" in pnp("presets").out
    assert pnp("presets", "--project", str(room)).code == 1


def test_pnp_presets_tells_of_broken_files(tiny: TinyProject, pnp: Pnp) -> None:
    """A broken file of the project is a problem with its place, not a preset that is missing."""
    tiny.write("presets/corner-shop.yaml", SHOP.replace("bleed: 5\n", ""))
    assert pnp("presets", code=1).err.startswith("presets/corner-shop.yaml:1:1: 'bleed' is missing")


def test_a_link_out_of_the_folder_is_refused(tiny: TinyProject, tmp_path: Path) -> None:
    """No preset is read from outside the project's folder."""
    (tmp_path / "outside.yaml").write_text(SHOP, encoding="utf-8")
    tiny.write("presets/other.yaml", SHOP.replace("corner-shop", "other"))
    (tiny.root / "presets" / "corner-shop.yaml").symlink_to(tmp_path / "outside.yaml")
    with pytest.raises(ProblemsFound, match="the preset 'corner-shop' is outside presets/"):
        find_preset(find_project(tiny.root).resources, "corner-shop")
