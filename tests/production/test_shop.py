"""`pnp shop`: for every shop and game true boxes, bleed that is inked, exact pixels, counts that add up, plain words."""

import io
import json
import subprocess
from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2
import pytest
from conftest import ROOT, Pnp, Tool
from PIL import Image
from shipped_games import PROJECT, SWEPT
from shop_cases import DECKS, SHOP, bare, box, project
from tests_support import TinyProject, page_count, quick

from generator.base.geometry import MM_PER_INCH
from generator.drawing.pdf.page_images import render_page
from generator.game.preset_files import find_preset, load_presets
from generator.game.presets import Shop
from generator.game.project import find_project
from generator.production.preflight.inspection import rules_from_shop
from generator.production.preflight.preflight import find_pdfx_faults, inspect_pdf

SHOPS = [one.id for one in load_presets(project().resources) if isinstance(one, Shop) and "card" in one.forms]
LOOK = 101.6  # dpi: four pixels a millimetre

TURNED = """\
products:
  - {id: small, name: Small card, trim: [60.5, 41]}
"""


def made(folder: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    return data


def ordered(tiny: TinyProject, pnp: Pnp, *options: str, shop: str = SHOP) -> Any:
    """What the command says when the corner shop gets the tiny game."""
    tiny.write("presets/corner-shop.yaml", shop)
    return pnp("shop", "--preset", "corner-shop", "--out", "out", *options)


@pytest.mark.slow
@pytest.mark.parametrize("name", quick(SHOPS, "the-game-crafter", "offset-jp"))
@pytest.mark.parametrize("game", SWEPT)
def test_files_are_as_the_shop_wants_them(name: str, game: str, tmp_path: Path, shipped: Pnp) -> None:
    """A deck of each game for each shop: boxes or pixels exactly, art to the very edge, PDF/X without a fault."""
    shop = find_preset(find_project(ROOT).resources, name, "shop")
    assert isinstance(shop, Shop)
    shipped("shop", game, "--preset", name, "--lang", "en", "--only", DECKS[game], "--copies", "1", code=0)
    folder = tmp_path / game / f"{name}-selection.en"
    manifest = made(folder)
    parts = {file: part for part in manifest["parts"] for file in part["files"]}
    pictures = {path.name for path in folder.iterdir()} - {"order.txt", "manifest.json"}

    assert parts and set(parts) == {file for file in pictures if not file.endswith(".jpg")}
    previews = {Path(file).stem for file in pictures if file.endswith(".jpg")}
    assert previews == ({Path(file).stem for file in parts} if shop.previews else set())
    for file, part in parts.items():
        if shop.upload == "png":
            _picture_is_right(folder / file, part, shop)
        else:
            _pages_are_right(folder / file, part, shop)


def test_boards_have_a_preset_of_their_own(tiny: TinyProject, pnp: Pnp) -> None:
    """A board is a picture of the shop's pixels, and pnp names the figures that nobody has confirmed."""
    tiny.change("data/tiny/game.yaml", "size: [40, 60]", "form: board\n    size: [101.6, 203.2]")
    tiny.change("templates/tiny/card.svg", 'width="46" height="66"', 'width="108" height="210"')
    ran = pnp("shop", "--preset", "the-game-crafter-boards", "--out", "out")
    assert ran.code == 0, ran.err
    assert "unconfirmed figures" in ran.err and "products.domino-board" in ran.err
    pictures = list((tiny.root / "out").rglob("*.png"))
    assert pictures
    for path in pictures:
        with Image.open(path) as image:
            assert image.size == (1275, 2475)


def _picture_is_right(path: Path, part: dict[str, Any], shop: Shop) -> None:
    with Image.open(path) as image:
        assert list(image.size) == part["pixels"]
        assert image.mode == "RGB" and image.info["dpi"][0] == pytest.approx(shop.dpi, abs=0.01)
        edge = round((part["full_mm"][0] - part["trim_mm"][0]) / 2 * shop.dpi / MM_PER_INCH)
        assert len(bare(image, edge)) <= 2, path.name


def _pages_are_right(path: Path, part: dict[str, Any], shop: Shop) -> None:
    pdf = path.read_bytes()
    with pikepdf.open(io.BytesIO(pdf)) as document:
        for number, page in enumerate(document.pages):
            media, bleed, trim = (box(page, name) for name in ("/MediaBox", "/BleedBox", "/TrimBox"))
            assert _within(bleed, media) and _within(trim, bleed)
            assert [trim[2] - trim[0], trim[3] - trim[1]] == pytest.approx(part["trim_mm"], abs=0.01)
            assert [bleed[2] - bleed[0], bleed[3] - bleed[1]] == pytest.approx(part["full_mm"], abs=0.01)
            assert (media != pytest.approx(bleed, abs=0.01)) == (shop.marks != "none")
            if number < 4:
                scale = LOOK / MM_PER_INCH
                shown = render_page(pdf, number, LOOK)
                cropped = shown.crop(tuple(round(value * scale) for value in (bleed[0], bleed[0], bleed[2], bleed[3])))
                assert len(bare(cropped, round((trim[0] - bleed[0]) * scale))) <= 4, f"{path.name} page {number + 1}"
    assert find_pdfx_faults(pdf, shop.standard or "pdfx4") == ()


def _within(inner: tuple[float, ...], outer: tuple[float, ...]) -> bool:
    slack = 0.01
    return (
        inner[0] >= outer[0] - slack
        and inner[1] >= outer[1] - slack
        and inner[2] <= outer[2] + slack
        and inner[3] <= outer[3] + slack
    )


def test_every_copy_has_its_pages(tiny: TinyProject, pnp: Pnp) -> None:
    """A shop that wants each card of the deck gets it, and the order's lists say where each is."""
    ran = ordered(tiny, pnp)
    folder = tiny.root / "out/tiny/corner-shop.en"
    (part,) = made(folder)["parts"]

    assert ran.out.splitlines() == [
        "out/tiny/corner-shop.en/tiny-small-en.pdf",
        "out/tiny/corner-shop.en/order.txt",
        "out/tiny/corner-shop.en/manifest.json",
    ]
    assert page_count(folder / "tiny-small-en.pdf") == 5
    assert part["copies"] == 5
    assert [(card["id"], card["count"], card["front"]["pages"]) for card in part["cards"]] == [("card/one", 2, [1, 2]), ("card/two", 3, [3, 4, 5])]  # fmt: skip
    text = (folder / "order.txt").read_text(encoding="utf-8")
    assert "5 x Small card: cut to 41 x 61 mm, with bleed 51 x 71 mm" in text
    assert "  2 x card/one                     front tiny-small-en.pdf pages 1 to 2, back blank" in text
    assert "Corner Shop (preset corner-shop: the shop's own page, 2026-01-31)" in text


def test_one_of_each_carries_its_count(tiny: TinyProject, pnp: Pnp) -> None:
    """A shop that wants each design once learns the counts from the lists, or from the files' names."""
    by_face = SHOP.replace("copies: each", "copies: once\nfiles: face")
    ran = ordered(tiny, pnp, shop=by_face.replace('"{game}-{product}-{lang}"', '"{count}x-{number}-{design}-{side}"'))
    assert [Path(line).name for line in ran.out.splitlines()] == ["2x-001-card-one-front.pdf", "3x-002-card-two-front.pdf", "order.txt", "manifest.json"]  # fmt: skip


def test_bleed_that_no_template_draws_is_mirrored(tiny: TinyProject, pnp: Pnp) -> None:
    """The tiny template ends its ground 3 mm beyond the cut; the shop's 5 mm are covered all the same, and told of."""
    ran = ordered(tiny, pnp)
    page = render_page(tiny.root / "out/tiny/corner-shop.en/tiny-small-en.pdf", 0, LOOK)
    assert bare(page, round(5 * LOOK / MM_PER_INCH)) == []
    assert page.getpixel((1, 1)) == page.getpixel((30, 30)) != (255, 255, 255)
    assert "warning: tiny: card: its bleed is 3 mm; beyond it the edge of the art is mirrored" in ran.err


@pytest.mark.parametrize("options", [["--only", "card/one"], ["--copies", "1"]], ids=["only", "copies"])
def test_a_selection_leaves_the_whole_order_alone(options: list[str], tiny: TinyProject, pnp: Pnp) -> None:
    """A few cards tried out lie in a folder of their own: nobody sends them in place of the deck."""
    whole = {path: (tiny.root / path).read_bytes() for path in ordered(tiny, pnp).out.splitlines()}
    tried = ordered(tiny, pnp, *options)
    assert (tried.code, len(whole)) == (0, 3)
    assert all(path.startswith("out/tiny/corner-shop-selection.en/") for path in tried.out.splitlines())
    assert whole == {path: (tiny.root / path).read_bytes() for path in whole}


def test_a_profile_that_is_not_there_is_told_with_its_line(tiny: TinyProject, pnp: Pnp) -> None:
    """The preset's own line is named, and no other profile takes its place unasked; --profile does."""
    shop = SHOP.replace("colour: rgb", "colour: cmyk\nprofile: theirs.icc")
    ran = ordered(tiny, pnp, shop=shop)
    assert (ran.code, len(ran.said)) == (1, 1)
    assert ran.said[0].startswith(
        "presets/corner-shop.yaml:9:10: the preset corner-shop names the profile 'theirs.icc'"
    )
    assert ordered(tiny, pnp, "--profile", str(ROOT / "profiles/FOGRA39L_coated.icc"), shop=shop).code == 0


def test_an_order_tells_nothing_of_the_computer(
    tiny: TinyProject, pnp: Pnp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From wherever the command is run the same files go to the shop, without a path in their notes."""
    cmyk = SHOP.replace("colour: rgb", "colour: cmyk")
    here = {Path(path).name: (tiny.root / path).read_bytes() for path in ordered(tiny, pnp, shop=cmyk).out.split()}
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    ran = pnp("shop", "--preset", "corner-shop", "--project", str(tiny.root), "--out", "out")
    assert here == {Path(path).name: Path(path).read_bytes() for path in ran.out.split()}
    assert b"for no certain press" in here["order.txt"] and b".yaml" not in here["order.txt"]
    assert b".yaml" not in here["manifest.json"]


def test_words_stand_once_in_the_file(tiny: TinyProject, pnp: Pnp, tool: Tool) -> None:
    """The mirrored edge repeats ground and art, never text."""
    ordered(tiny, pnp, "--only", "card/one", "--copies", "1")
    file = tiny.root / "out/tiny/corner-shop-selection.en/tiny-small-en.pdf"
    said = subprocess.run([tool("pdftotext"), str(file), "-"], capture_output=True, text=True, check=True).stdout
    assert said.split() == ["1", "One"]


def test_what_is_doubtful_is_said_and_stops_nothing(tiny: TinyProject, pnp: Pnp) -> None:
    """Unconfirmed figures that were used are a warning on standard error; exit code 0."""
    ran = ordered(tiny, pnp)
    assert ran.code == 0
    assert ran.said[0] == (
        "warning: presets/corner-shop.yaml: the preset corner-shop has unconfirmed figures: colour, safe, "
        "copies; compare them with the product or the shop's requirements before you pay"
    )
    more = ordered(tiny, pnp, shop=f"{SHOP}  - {{id: huge, name: Huge card, trim: [400, 600]}}\n")
    assert more.said[0] == ran.said[0], "a product that nothing is printed as worries nobody"
    quiet = ordered(tiny, pnp, shop=SHOP.replace("[upload, bleed, products.small]", "true"))
    assert "confirmed" not in quiet.err


def test_kinds_that_the_shop_does_not_print_are_named(tiny: TinyProject, pnp: Pnp) -> None:
    """Tokens are left out aloud: on standard error, in order.txt and in the manifest."""
    tiny.add_chips("designs: [{id: a, count: 7}]")
    ran = ordered(tiny, pnp)
    folder = tiny.root / "out/tiny/corner-shop.en"

    assert any("tiny: chip (7) is left out: Corner Shop prints no tokens" in line for line in ran.said)
    assert made(folder)["left_out"] == [{"kind": "chip", "count": 7, "why": "Corner Shop prints no tokens"}]
    assert "chip (7): Corner Shop prints no tokens" in (folder / "order.txt").read_text(encoding="utf-8")


def test_a_card_too_large_for_any_product_is_a_problem(tiny: TinyProject, pnp: Pnp) -> None:
    """Where nothing can be ordered the size is the problem, with its place and the nearest product."""
    ran = ordered(tiny, pnp, shop=SHOP.replace("[41, 61]", "[38, 58]"))
    assert (ran.code, ran.out) == (1, "")
    assert ran.said == [
        "data/tiny/game.yaml:14:11: tiny: card can't be ordered: Corner Shop has no product of 40 x 60 mm; "
        "the nearest is small, 38 x 58 mm; choose another preset (pnp presets lists them)"
    ]
    assert not (tiny.root / "out").exists() or not list((tiny.root / "out").rglob("*.*"))


def test_a_lying_product_takes_the_card_on_its_side(tiny: TinyProject, pnp: Pnp) -> None:
    """A product that lies takes an upright card, turned; the manifest says so."""
    ordered(tiny, pnp, shop=SHOP[: SHOP.index("products:")].replace("products.small", "products") + TURNED)
    (part,) = made(tiny.root / "out/tiny/corner-shop.en")["parts"]
    assert all(card["turned"] for card in part["cards"])
    assert part["trim_mm"] == [60.5, 41]


def named(name: bytes, version: int = 2) -> bytes:
    """FOGRA39's colours as a profile that calls itself something else, of an ICC version."""
    data = bytearray((ROOT / "profiles" / "FOGRA39L_coated.icc").read_bytes())
    tags = [data[at : at + 12] for at in range(132, 132 + 12 * int.from_bytes(data[128:132], "big"), 12)]
    offset = next(int.from_bytes(tag[4:8], "big") for tag in tags if tag[:4] == b"desc")
    size = int.from_bytes(data[offset + 8 : offset + 12], "big")
    data[offset + 12 : offset + 12 + size] = name.ljust(size, b"\0")
    data[8] = version
    return bytes(data)


JAPAN, OWN = b"JC200103 x", b"Our press"
"""Names of profiles: one that the registry knows, and one that nobody does; no longer than FOGRA39's own."""

MADE_BY = "pnp used the profile"

SHIPPED = "FOGRA39L_coated.icc"


@pytest.mark.parametrize(
    ("preset", "profile", "says", "warned"),
    [
        ("offset-jp", None, "FOGRA39", f"prints for JC200103; {MADE_BY} {SHIPPED} instead, and the files name FOGRA39"),
        ("drivethrucards", None, "FOGRA39", f"prints for CGATS TR 001; {MADE_BY} {SHIPPED} instead"),
        ("offset-jp", SHIPPED, "FOGRA39", f"prints for JC200103; {MADE_BY} {SHIPPED} instead"),
        ("offset-jp", named(JAPAN), "JC200103", ""),
        ("offset-jp", named(JAPAN, version=4), "JC200103", ""),
        ("offset-jp", named(OWN), "Our press", f"prints for JC200103; {MADE_BY} own.icc instead, and the files name Our"),
        ("digital", named(JAPAN), "JC200103", f"prints for FOGRA39; {MADE_BY} own.icc instead"),
        ("digital", None, "FOGRA39", ""),
    ],
)  # fmt: skip
def test_no_file_claims_another_condition_than_its_inks_were_made_for(
    preset: str, profile: Any, says: str, warned: str, tiny: TinyProject, pnp: Pnp
) -> None:
    """The output intent names what the profile is for, registered or not; the user and the shop read where it differs."""
    given = ROOT / "profiles" / SHIPPED
    if isinstance(profile, bytes):
        given = tiny.write("own.icc", profile)
    shop = (ROOT / "presets" / f"{preset}.yaml").read_text("utf-8")
    tiny.write(f"presets/{preset}.yaml", shop.replace("trim: us-poker", "trim: [40, 60]"))
    ran = pnp("shop", "--preset", preset, "--out", "out", *(["--profile", str(given)] if profile else []))
    (file,) = (tiny.root / line for line in ran.out.splitlines() if line.endswith(".pdf"))
    with pikepdf.open(file) as document:
        intent = document.Root.OutputIntents[0]
        assert str(intent.OutputConditionIdentifier) == str(intent.Info) == says
        assert ("/RegistryName" in intent) == (says != "Our press")
        assert "/DestOutputProfile" not in intent or intent.DestOutputProfile.read_bytes() == given.read_bytes()
    order = (file.parent / "order.txt").read_text("utf-8")

    assert warned in ran.err
    assert warned in order
    assert ("--profile FILE.icc" in ran.err) == bool(warned)
    assert (MADE_BY in ran.err) == (MADE_BY in order) == bool(warned)


def test_a_preset_may_say_what_an_unknown_profile_is_for(tiny: TinyProject, pnp: Pnp) -> None:
    """A condition and a profile in one preset belong together, unless the profile itself names another condition."""
    shop = SHOP.replace("colour: rgb", "colour: cmyk\nstandard: pdfx4\ncondition: JC200103\nprofile: own.icc")
    said = []
    for name in (OWN, b"FOGRA51"):
        tiny.write("profiles/own.icc", named(name))
        ran = ordered(tiny, pnp, shop=shop)
        with pikepdf.open(tiny.root / ran.out.splitlines()[0]) as document:
            said.append((str(document.Root.OutputIntents[0].OutputConditionIdentifier), MADE_BY in ran.err))
    assert said == [("JC200103", False), ("FOGRA51", True)]


def test_strict_lets_warnings_stop_the_order(tiny: TinyProject, pnp: Pnp) -> None:
    """With --strict inks for another press, as any other warning, are an error, and nothing is written."""
    shop = SHOP.replace("colour: rgb", "colour: cmyk\ncondition: JC200103").replace(
        "verified: [upload, bleed, products.small]", "verified: true"
    )
    shop = shop.replace("[41, 61]", "[40, 60]").replace("bleed: 5", "bleed: 3")
    refused = ordered(tiny, pnp, "--strict", shop=shop)
    assert (refused.code, refused.out) == (1, "")
    assert len(refused.said) == 1
    assert MADE_BY in refused.said[0]
    assert not list(tiny.root.glob("out/**/*.*"))
    japan = tiny.write("own.icc", named(JAPAN))
    assert ordered(tiny, pnp, "--strict", "--profile", str(japan), shop=shop).code == 0


def test_another_standard_can_be_asked_for(tiny: TinyProject, pnp: Pnp) -> None:
    """--standard takes the place of the preset's; X-4 carries the profile that made the colours."""
    ran = pnp("shop", "--preset", "offset-jp", "--standard", "pdfx4", "--out", "out")
    file = tiny.root / ran.out.splitlines()[0]
    assert find_pdfx_faults(file.read_bytes(), "pdfx4") == ()
    with pikepdf.open(file) as document:
        intent = document.Root.OutputIntents[0]
        assert str(intent.OutputConditionIdentifier) == "FOGRA39"  # whose profile it carries, not JC200103


def test_a_standard_that_can_not_be_kept_is_a_problem(tiny: TinyProject, pnp: Pnp) -> None:
    """PDF/X-1a for a press that no registry knows needs a profile of version 2: told, exit code 1, nothing written."""
    tiny.write("own.icc", named(OWN, version=4))  # which PDF 1.4 can't carry
    shop = SHOP.replace("colour: rgb", "colour: cmyk\nstandard: pdfx1a")
    ran = ordered(tiny, pnp, "--profile", "own.icc", shop=shop)
    assert ran.code == 1
    assert "PDF/X-1a can't carry a profile of this kind" in ran.err
    assert not (tiny.root / "out").exists()


@pytest.mark.slow  # other files of ours are looked over by test_preflight_ours
@pytest.mark.parametrize("game", quick(PROJECT.games, "fortuna", rest="release"))
def test_preflight_finds_nothing_in_our_own_order(game: str, tmp_path: Path, shipped: Pnp) -> None:
    """One of each design as an offset shop gets it: no error, no note but that a back is blank, no warning but of type.

    Small type in several inks is told, as anybody's is; so is journey18's ruby, which is under 5 points.
    """
    shipped("shop", game, "--preset", "offset-jp", "--lang", "ja", "--copies", "1", code=0)
    rules = rules_from_shop(find_preset(project().resources, "offset-jp", "shop"))  # type: ignore[arg-type]

    files = sorted(tmp_path.rglob("*.pdf"))
    said = [one for path in files for one in inspect_pdf(path.name, path.read_bytes(), rules).findings]

    assert files
    known = {"rich-black-type", *(["type-size"] if game == "journey18" else [])}
    assert {one.check for one in said if one.check not in known and "the page is empty" not in one.what} == set()
    assert {one.severity for one in said} <= {"warning", "note"}


def test_same_order_same_bytes(tiny: TinyProject, pnp: Pnp) -> None:
    """Two runs of one order give identical files, PDF and PNG alike."""
    tiny.write("presets/corner-shop.yaml", SHOP)
    for out in ("first", "second"):
        for preset in ("corner-shop", "mb-print"):
            assert pnp("shop", "--preset", preset, "--out", out).code == 0
        png = SHOP.replace("upload: pdf", "upload: png").replace("{product}-{lang}", "{design}-{side}")
        tiny.write("presets/png-shop.yaml", png.replace("corner-shop", "png-shop"))
        assert pnp("shop", "--preset", "png-shop", "--out", out).code == 0
    first = sorted(path for path in (tiny.root / "first").rglob("*") if path.is_file())
    assert len(first) == 10
    for path in first:
        assert path.read_bytes() == (tiny.root / "second" / path.relative_to(tiny.root / "first")).read_bytes(), path


def test_stamps_are_put_on_when_asked(tiny: TinyProject, pnp: Pnp) -> None:
    """For a prototype draft and hash stand on each face, the hash that sheets made at home show; else they don't."""
    plain = ordered(tiny, pnp, "--only", "card/one", "--copies", "1")
    file = tiny.root / plain.out.splitlines()[0]
    bare_bytes = _text_of(file)
    ordered(tiny, pnp, "--only", "card/one", "--copies", "1", "--stamp")
    stamped = _text_of(file)
    pnp("sheets", "--only", "card/one", "--copies", "1", "--out", "home")
    home = _text_of(tiny.root / "home/tiny/selection.en.pdf")
    assert "draft" not in bare_bytes
    hashed = stamped.split("draft 1 · ")[1][:6]
    assert f"draft 1 · {hashed}" in home


def _text_of(file: Path) -> str:
    with pypdfium2.PdfDocument(file) as document:
        return str(document[0].get_textpage().get_text_range())
