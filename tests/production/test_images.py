"""`pnp images`: a PNG of every face by id, exact in pixels, with bleed or with what is cut away transparent."""

from pathlib import Path

import pytest
from conftest import Pnp
from hypothesis import example, given
from hypothesis import strategies as st
from tests_support import TinyProject, open_picture

from generator.base.files import fill_name_pattern, number_duplicates, to_safe_name

GROUND = (240, 232, 216)


@pytest.mark.slow
def test_faces_are_named_by_id(tmp_path: Path, shipped: Pnp) -> None:
    """Design, side and language make the name; a back that a kind shares is there once, named by the kind."""
    ran = shipped("images", "fortuna", "--only", "reel/6-w*", "--dpi", "40")
    assert [Path(line).name for line in ran.out.splitlines()] == [
        "reel-6-wheat.front.ja.png", "reel-6-wheel.front.ja.png", "reel.back.ja.png", "reel-6-wheat.front.en.png",
        "reel-6-wheel.front.en.png", "reel.back.en.png",
    ]  # fmt: skip


def test_a_cube_has_six_pictures(tmp_path: Path, shipped: Pnp) -> None:
    """Every side of every form is a face."""
    ran = shipped("images", "journey18", "--only", "letter", "--lang", "en", "--dpi", "40")
    sides = [Path(line).name.split(".")[1] for line in ran.out.splitlines()]
    assert sides == ["front", "back", "left", "right", "top", "bottom"]


@pytest.mark.parametrize(
    ("options", "size"),
    [
        ([], (472, 709)),
        (["--dpi", "254"], (400, 600)),
        (["--dpi", "254", "--bleed"], (460, 660)),
        (["--dpi", "254", "--round"], (400, 600)),
    ],
)
def test_pixels_are_exact(tiny: TinyProject, pnp: Pnp, options: list[str], size: tuple[int, int]) -> None:
    """40 x 60 mm at so many pixels an inch, with 3 mm of bleed on each side where it is asked for."""
    pnp("images", "--out", "out", *options)
    image = open_picture(tiny.root / "out/tiny/images/card-one.front.en.png")
    assert image.size == size
    assert image.mode == ("RGBA" if "--round" in options else "RGB")


def test_the_bleed_is_inked(tiny: TinyProject, pnp: Pnp) -> None:
    """With --bleed the ground goes on to the picture's corner."""
    pnp("images", "--out", "out", "--bleed", "--dpi", "100")
    image = open_picture(tiny.root / "out/tiny/images/card-one.front.en.png")
    assert image.getpixel((0, 0)) == image.getpixel((image.width - 1, image.height - 1)) == GROUND


def test_round_corners_are_transparent(tiny: TinyProject, pnp: Pnp) -> None:
    """With --round there is nothing at the corner, all of the card a radius away from it, and no white rim."""
    pnp("images", "--out", "out", "--round", "--dpi", "254")
    image = open_picture(tiny.root / "out/tiny/images/card-one.front.en.png")
    alpha = image.getchannel("A")
    assert alpha.getpixel((0, 0)) == alpha.getpixel((399, 599)) == 0
    assert alpha.getpixel((30, 0)) == alpha.getpixel((0, 30)) == alpha.getpixel((200, 300)) == 255
    rim = [image.getpixel((x, 0)) for x in range(400)]
    assert {pixel[:3] for pixel in rim if isinstance(pixel, tuple) and pixel[3]} == {GROUND}


def test_a_token_is_cut_out_along_its_outline(tmp_path: Path, shipped: Pnp) -> None:
    """A round token's picture is round."""
    shipped("images", "xanadu", "--only", "share/red", "--round", "--lang", "en", "--dpi", "254")
    alpha = open_picture(tmp_path / "xanadu/images/share-red.front.en.png").getchannel("A")
    width, height = alpha.size
    assert alpha.getpixel((0, 0)) == 0 and alpha.getpixel((width // 2, 1)) == 255
    assert alpha.getpixel((round(width * 0.1), round(height * 0.1))) == 0  # a round corner of 3 mm would show it
    inked = sum(value * count for value, count in enumerate(alpha.histogram())) / 255
    assert inked / (width * height) == pytest.approx(0.7854, abs=0.01)


def test_a_tokens_back_is_cut_out_from_behind(tiny: TinyProject, pnp: Pnp) -> None:
    """An outline that is not the same on both sides is mirrored on the back."""
    tiny.add_chips("outline: 'M 0 0 H 20 V 10 H 10 V 20 H 0 Z', back: chip, designs: [{id: a}]")
    pnp("images", "--only", "chip", "--round", "--dpi", "127", "--out", "out")
    front, back = (
        open_picture(tiny.root / f"out/tiny/images/{name}.en.png").getchannel("A")
        for name in ("chip-a.front", "chip.back")
    )

    assert (front.getpixel((20, 80)), front.getpixel((80, 80))) == (255, 0)
    assert (back.getpixel((20, 80)), back.getpixel((80, 80))) == (0, 255)


def test_sheets_can_be_had_too(tiny: TinyProject, pnp: Pnp) -> None:
    """--sheets makes a picture of every page that pnp sheets makes."""
    ran = pnp("images", "--sheets", "--dpi", "50.8", "--out", "out")
    assert [Path(line).name for line in ran.out.splitlines()] == ["sheets-001.front.en.png"]
    assert open_picture(tiny.root / ran.out.strip()).size == (420, 594)


def test_same_faces_same_bytes(tiny: TinyProject, pnp: Pnp) -> None:
    """Two runs give identical pictures."""
    for out in ("first", "second"):
        pnp("images", "--round", "--dpi", "150", "--out", out)
    names = sorted(path.name for path in (tiny.root / "first/tiny/images").iterdir())
    assert names == ["card-one.front.en.png", "card-two.front.en.png"]
    for name in names:
        assert (tiny.root / "first/tiny/images" / name).read_bytes() == (
            tiny.root / "second/tiny/images" / name
        ).read_bytes()


def test_ids_that_differ_in_case_only_get_two_files(tiny: TinyProject, pnp: Pnp) -> None:
    """On a system that ignores case no picture takes another's place."""
    tiny.change("data/tiny/game.yaml", "id: two", "id: ONE")
    ran = pnp("images", "--dpi", "40", "--out", "out")
    assert [Path(line).name for line in ran.out.splitlines()] == ["card-one.front.en.png", "card-ONE.front.en-2.png"]


@example("con")
@example("NUL.png")
@example("..")
@given(st.text(max_size=40))
def test_names_are_safe_on_every_system(text: str) -> None:
    """Whatever an id holds, its file lies in its folder and can be made on any system."""
    name = to_safe_name(text)
    assert name and not set(name) & set('/\\:*?"<>| ')
    assert not name.startswith(".") and not name.endswith(".") and name.isascii()
    assert name.split(".")[0].lower() not in ("con", "prn", "aux", "nul", "com1", "lpt9")


@given(st.lists(st.sampled_from(["a", "A", "a-2", "b", "A-2", "a-3"]), max_size=12))
def test_no_name_is_given_twice(names: list[str]) -> None:
    """As many names as asked for, all different without regard to case, the first ones unchanged."""
    given_names = number_duplicates(names)
    assert len({name.lower() for name in given_names}) == len(names)
    assert given_names[:1] == tuple(names[:1])


def test_a_patterns_values_cannot_lead_elsewhere() -> None:
    """What fills a pattern brings no folder and no brace with it."""
    assert fill_name_pattern(
        "{game}-{design}-{side}", {"game": "../x", "design": "reel/6-{wheat}", "side": "front"}
    ) == ("x-reel-6-wheat-front")
