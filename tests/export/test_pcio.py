"""`pnp export pcio`: rooms of PlayingCards.io, read back by the format's own rules."""

import csv
import io
import json
import re
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from conftest import Pnp
from online_games import PROJECT, SWEPT, counts, design_counts, face, workshop
from PIL import Image, ImageChops
from tests_support import TinyProject

from generator.commands.orders import carry_out
from generator.exchange.playing_cards import PcioOrder

PACKAGE = "package://"


@dataclass(frozen=True)
class Room:
    """A room's archive, opened."""

    archive: zipfile.ZipFile
    widgets: list[dict[str, Any]]

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [each for each in self.widgets if each["type"] == kind]

    def picture(self, asset: str) -> Image.Image:
        return Image.open(io.BytesIO(self.archive.read(asset.removeprefix(PACKAGE))))


def opened(path: Path) -> Room:
    archive = zipfile.ZipFile(io.BytesIO(path.read_bytes()))
    return Room(archive, json.loads(archive.read("widgets.json")))


@pytest.fixture(scope="module")
def rooms(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Room]:
    """Each game's room in English, made once."""
    out = tmp_path_factory.mktemp("pcio")

    @cache
    def room(name: str) -> Room:
        carry_out(PROJECT, (name,), PcioOrder(("en",), out, dpi=72), lambda _doing: None)
        return opened(out / name / "pcio" / f"{name}.en.pcio")

    return room


def assets(value: Any) -> Iterator[str]:
    """Every picture that widgets name."""
    if isinstance(value, dict):
        for inner in value.values():
            yield from assets(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from assets(inner)
    elif isinstance(value, str) and value.startswith(PACKAGE):
        yield value.removeprefix(PACKAGE)


def boxes(room: Room) -> list[tuple[float, float, float, float]]:
    """Where piles and boards lie: left, top, right, bottom."""
    return [
        (w["x"], w["y"], w["x"] + w["width"], w["y"] + w["height"]) for w in [*room.of("holder"), *room.of("board")]
    ]


@pytest.mark.slow
@pytest.mark.parametrize("name", SWEPT)
def test_a_room_is_whole(rooms: Callable[[str], Room], name: str) -> None:
    """Ids are unique, parents, decks and types exist, and the archive holds exactly the pictures that are shown."""
    room = rooms(name)
    ids = [each["id"] for each in room.widgets]
    decks = {each["id"]: each for each in room.of("cardDeck")}

    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch(r"[A-Za-z0-9_-]+", each) for each in ids)
    assert {each["type"] for each in room.widgets} <= {"hand", "holder", "cardDeck", "card", "board"}
    assert len(room.of("hand")) == 1
    assert all(each["parent"] in ids for each in room.widgets if "parent" in each)
    assert all(each["cardType"] in decks[each["deck"]]["cardTypes"] for each in room.of("card"))
    assert {each["deck"] for each in room.of("card")} == set(decks)
    held = {n for n in room.archive.namelist() if n not in ("widgets.json", "schemaVersion")}
    assert held == set(assets(room.widgets)) and len(held) > 3
    assert room.archive.read("schemaVersion") == b"8"


@pytest.mark.slow
@pytest.mark.parametrize("name", SWEPT)
def test_every_piece_is_in_the_room(rooms: Callable[[str], Room], name: str) -> None:
    """Each design has as many copies as the data say; a single board lies there once."""
    room = rooms(name)
    copies = Counter(each["cardType"] for each in room.of("card"))
    boards = len(room.of("board"))
    assert sum(copies.values()) + boards == sum(counts(name).values())
    numbers = sorted(n for kind in counts(name) for n in design_counts(name, kind))
    assert sorted([*copies.values(), *[1] * boards]) == numbers


@pytest.mark.slow
@pytest.mark.parametrize("name", SWEPT)
def test_all_lies_on_the_table_above_the_hand(rooms: Callable[[str], Room], name: str) -> None:
    """Nothing lies on anything, beyond the room's edge or under the hand."""
    found = boxes(rooms(name))
    assert min(min(box[:2]) for box in found) >= 0
    assert max(box[2] for box in found) <= 1600 and max(box[3] for box in found) <= 820
    for n, (left, top, right, bottom) in enumerate(found):
        for other in found[:n]:
            assert right <= other[0] or other[2] <= left or bottom <= other[1] or other[3] <= top


@pytest.mark.slow
@pytest.mark.parametrize("name", SWEPT)
def test_pictures_have_the_pieces_proportions(rooms: Callable[[str], Room], name: str) -> None:
    """No card or board is squeezed, and all are to one scale."""
    room, scales = rooms(name), []
    kinds = {kind.id: kind for kind in workshop(name).game.kinds.values()}
    for deck in room.of("cardDeck"):
        for shown in deck["cardTypes"].values():
            for side in ("face", "back"):
                if side in shown:
                    image = room.picture(shown[side])
                    assert image.width / image.height == pytest.approx(deck["cardWidth"] / deck["cardHeight"], rel=0.02)
        kind = max((k for k in kinds if deck["id"].startswith(f"pile-{k}-")), key=len)
        scales.append(deck["cardWidth"] / kinds[kind].size.width)

    assert max(scales) == pytest.approx(min(scales), rel=0.01)
    assert max(scales) <= 103 / 63 + 0.01


@pytest.mark.slow
def test_cards_show_their_faces(rooms: Callable[[str], Room]) -> None:
    """A type's pictures are its design's front and back; cards with backs lie face down, others face up."""
    room = rooms("journey18")
    types = {key: shown for deck in room.of("cardDeck") for key, shown in deck["cardTypes"].items()}
    up = {each["cardType"]: each["faceup"] for each in room.of("card")}
    for design, side, shown in (("story/red", "front", "face"), ("story/red", "back", "back")):
        alone = face("journey18", design, side)  # type: ignore[arg-type]
        picture = room.picture(types["story-red"][shown]).convert("RGB")
        assert picture.size == alone.size and ImageChops.difference(picture, alone).getbbox() is None
    assert types["event-red-1"]["label"] == "Red 1"
    assert (up["story-red"], up["letter-letter"], up["score_sheet-score-sheet"]) == (False, True, True)
    assert "back" not in types["letter-letter"]


@pytest.mark.slow  # draws a whole game
def test_round_tokens_are_round(rooms: Callable[[str], Room]) -> None:
    """A token has nothing beyond its outline, and no card's border around it."""
    room = rooms("journey8")
    (deck,) = [each for each in room.of("cardDeck") if "counter" in each["id"]]
    image = room.picture(next(iter(deck["cardTypes"].values()))["face"])
    assert image.mode == "RGBA" and image.getpixel((0, 0))[3] == 0  # type: ignore[index]
    assert image.getpixel((image.width // 2, image.height // 2))[3] == 255  # type: ignore[index]
    assert deck["faceTemplate"]["includeRadius"] is False


@pytest.mark.slow
def test_lists_for_the_deck_editor(tmp_path: Path, shipped: Pnp) -> None:
    """With --url there is a list for each pile: addresses of pictures that are there, names, copies, keys."""
    shipped("export", "pcio", "fortuna", "--lang", "ja", "--url", "https://example.org/f/", "--dpi", "40", code=0)
    folder = tmp_path / "fortuna/pcio"
    with (folder / "fortuna.ja.pile-reel-1-lightning.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.reader(stream))

    assert rows[0] == ["image", "label", "item-count", "item-key"]
    assert len(rows) == 31 and sum(int(row[2]) for row in rows[1:]) == 78
    assert rows[1][1] == "1の稲妻" and len({row[3] for row in rows[1:]}) == 30
    for row in rows[1:]:
        base, _, name = row[0].rpartition("/")
        assert base == "https://example.org/f" and (folder / name).is_file()


@pytest.mark.parametrize("table", [pytest.param("pcio", marks=pytest.mark.slow), "tts"])
def test_languages_share_what_bears_no_words(tmp_path: Path, shipped: Pnp, table: str) -> None:
    """A back that is the same in both languages is one file, and it is there for both."""
    shipped("export", table, "fortuna", "--only", "reel/6-wheat", "--url", "https://example.org", "--dpi", "36", code=0)
    files = [path.name for path in (tmp_path / "fortuna" / table).iterdir()]
    assert len([name for name in files if "-back-" in name]) == 1
    assert {name for name in files if name.startswith("selection.") and not name.endswith(".png")} >= {
        f"selection.{lang}.{'json' if table == 'tts' else 'pcio'}" for lang in ("ja", "en")
    }


def test_without_an_address_there_is_the_room_alone(tiny: TinyProject, pnp: Pnp) -> None:
    """The room holds its pictures itself, and no clock is in the archive."""
    pnp("export", "pcio", "--out", "out", code=0)
    (path,) = (tiny.root / "out/tiny/pcio").iterdir()
    assert path.name == "tiny.en.pcio"
    assert {entry.date_time[0] for entry in opened(path).archive.infolist()} == {1980}


def test_a_crowded_table_becomes_smaller(tiny: TinyProject, pnp: Pnp) -> None:
    """Six hundred kinds of tokens have room, each in a place of its own."""
    chips = "".join(f"{{id: c{n}}}, " for n in range(600))
    tiny.add_chips(f"designs: [{chips}]")
    ran = pnp("export", "pcio", "--out", "out", "--dpi", "36")
    found = boxes(opened(tiny.root / "out/tiny/pcio/tiny.en.pcio"))
    assert ran.code == 0 and len(found) == 601
    assert max(box[2] for box in found) <= 1600 and max(box[3] for box in found) <= 820
    assert len({box[:2] for box in found}) == 601
