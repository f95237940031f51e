"""`pnp export images`: a folder of pictures with a list, as tables take them that want a file for each face."""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from conftest import Pnp
from online_games import PROJECT, SWEPT, counts, face
from PIL import ImageChops
from tests_support import TinyProject, open_picture, quick

from generator.exchange.face_folder import FolderOrder, export_images


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Each game's folder in English, made once."""
    out = tmp_path_factory.mktemp("images")

    @cache
    def folder(name: str) -> Path:
        export_images(PROJECT, (name,), FolderOrder(("en",), out, dpi=50), lambda _doing: None)
        return out / name / "online" / "en"

    return folder


def listed(folder: Path) -> list[dict[str, Any]]:
    kinds: list[dict[str, Any]] = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["kinds"]
    return kinds


@pytest.mark.slow
@pytest.mark.parametrize("name", SWEPT)
def test_the_list_names_every_file(folders: Callable[[str], Path], name: str) -> None:
    """Every file that is named is there, and every one that is there is named."""
    folder = folders(name)
    named = {file for kind in listed(folder) for piece in kind["pieces"] for file in piece["files"].values()}
    assert named == {path.relative_to(folder).as_posix() for path in folder.rglob("*.png")}
    assert len(named) > 10


@pytest.mark.slow
@pytest.mark.parametrize("name", SWEPT)
def test_the_list_counts_every_piece(folders: Callable[[str], Path], name: str) -> None:
    """Kinds and copies are those of the data."""
    kinds = listed(folders(name))
    assert {kind["kind"]: kind["count"] for kind in kinds} == dict(counts(name))
    assert all(sum(piece["count"] for piece in kind["pieces"]) == kind["count"] for kind in kinds)
    assert all(piece["name"] for kind in kinds for piece in kind["pieces"])


@pytest.mark.slow
@pytest.mark.parametrize("name", SWEPT)
def test_a_kinds_pictures_have_the_same_pixels(folders: Callable[[str], Path], name: str) -> None:
    """Fronts and backs of a kind don't differ by a single pixel."""
    folder = folders(name)
    for kind in listed(folder):
        sizes = {open_picture(folder / file).size for piece in kind["pieces"] for file in piece["files"].values()}
        assert sizes == {tuple(kind["pixels"])}


@pytest.mark.slow
def test_a_shared_back_is_one_file(folders: Callable[[str], Path]) -> None:
    """Where all cards of a kind look alike from behind there is a `back.png`; else each has its own."""
    kinds = {kind["kind"]: kind for kind in listed(folders("journey18"))}
    assert {piece["files"]["back"] for piece in kinds["event"]["pieces"]} == {"event/back.png"}
    assert len({piece["files"]["back"] for piece in kinds["story"]["pieces"]}) == 5
    assert set(kinds["letter"]["pieces"][0]["files"]) == {"front", "back", "left", "right", "top", "bottom"}
    assert "back" not in kinds["score_sheet"]["pieces"][0]["files"]


@pytest.mark.slow
def test_pictures_are_the_faces(folders: Callable[[str], Path]) -> None:
    """A file shows its face as it looks when cut."""
    folder = folders("fortuna")
    shown, alone = open_picture(folder / "reel/6-wheat.png"), face("fortuna", "reel/6-wheat", dpi=50)
    back, behind = open_picture(folder / "reel/back.png"), face("fortuna", "reel/6-wheat", "back", dpi=50)
    assert ImageChops.difference(shown, alone).getbbox() is None
    assert ImageChops.difference(back, behind).getbbox() is None


def test_a_blank_back_is_white(tiny: TinyProject, pnp: Pnp) -> None:
    """Cards without a back have a white one."""
    assert pnp("export", "images", "--out", "out", "--dpi", "36").code == 0
    (back,) = tiny.root.glob("out/tiny/online/*/card/back.png")
    assert open_picture(back).getextrema() == ((255, 255),) * 3


def test_round_pieces_are_cut_out(tmp_path: Path) -> None:
    """Beyond a token's outline its picture has nothing."""
    order = FolderOrder(("en",), tmp_path, only=("pass_marker",), dpi=50)
    export_images(PROJECT, ("wayfaring",), order, lambda _doing: None)
    (path,) = tmp_path.rglob("pass_marker/*.png")
    image = open_picture(path)
    assert image.mode == "RGBA" and image.getchannel("A").getpixel((0, 0)) == 0


def test_no_two_faces_are_one_file(tiny: TinyProject, pnp: Pnp) -> None:
    """A design called `back`, or like another but for its capitals, has a file of its own."""
    more = "      - {id: back, title: B, value: 3}\n      - {id: ONE, title: C, value: 4}\n"
    tiny.change("data/tiny/game.yaml", "setup:", f"{more}setup:")
    tiny.change("data/tiny/game.yaml", "    stated: 5\n", "")
    pnp("export", "images", "--out", "out", "--dpi", "36", code=0)
    folder = tiny.root / "out/tiny/online/en"
    (kind,) = listed(folder)
    fronts = [piece["files"]["front"].lower() for piece in kind["pieces"]]
    assert len(set(fronts)) == 4 and "card/back.png" not in fronts
    assert len(list(folder.rglob("*.png"))) == 5


@pytest.mark.parametrize(("name", "kind", "code"), [("fortuna", "score_sheet", 0), ("xanadu", "zone_map", 1)])
def test_two_languages_on_a_card(tmp_path: Path, shipped: Pnp, name: str, kind: str, code: int) -> None:
    """Both languages on one face where templates offer it; where none does that is said, and nothing is written."""
    ran = shipped("export", "images", name, "--lang", "ja+en", "--only", kind, "--dpi", "36")
    assert ran.code == code
    assert ("--lang ja+en" in ran.err) == bool(code)
    assert sorted(path.suffix for path in tmp_path.rglob("*.*")) == ([] if code else [".json", ".png"])


def test_pictures_of_pieces_that_are_gone_go(tiny: TinyProject, pnp: Pnp) -> None:
    """What an earlier list names and this export does not make is removed, and said; a stranger's files stay."""
    assert pnp("export", "images").code == 0
    folder = tiny.root / "output/tiny/online/en"
    mine = tiny.write("output/tiny/online/en/card/mine.png", b"mine")
    outside = tiny.write("output/tiny/online/out.png", b"mine")
    tiny.change("output/tiny/online/en/manifest.json", '"card/one.png"', '"card/one.png", "up": "../out.png"')
    tiny.change("data/tiny/game.yaml", "{id: two,", "{id: three,")

    for name in ("one", "three"):
        assert pnp("export", "images", "--only", f"card/{name}").code == 0
    assert (folder / "card/one.png").exists(), "a selection says nothing about the rest"
    assert (folder / "card/two.png").exists()
    ran = pnp("export", "images")
    assert ran.out.splitlines()[-1] == "output/tiny/online/en/card/two.png: removed, because the game no longer has it"
    assert ran.out.count("removed") == 1
    assert {path.name for path in folder.glob("card/*.png")} == {"one.png", "three.png", "back.png", "mine.png"}
    assert mine.read_bytes() == outside.read_bytes() == b"mine"


@pytest.mark.parametrize(
    "listed", quick([b"", b"\xff", b"[]", b"{}", b'{"kinds": [{"pieces": 3}]}', b"[" * 99999], b"\xff", b'{"kinds": [{"pieces": 3}]}')
)  # fmt: skip
def test_a_list_that_cannot_be_read_removes_nothing(tiny: TinyProject, pnp: Pnp, listed: bytes) -> None:
    """A damaged list of an earlier export is written anew; no picture goes for it."""
    assert pnp("export", "images").code == 0
    tiny.write("output/tiny/online/en/manifest.json", listed)
    tiny.change("data/tiny/game.yaml", "{id: two,", "{id: three,")
    ran = pnp("export", "images")
    assert (ran.code, "removed" in ran.out) == (0, False)
    assert (tiny.root / "output/tiny/online/en/card/two.png").exists()
