"""`pnp export cgs`: archives of Card Game Simulator, read back by the format's own rules."""

import io
import json
import zipfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from online_games import PROJECT, counts
from PIL import Image

from generator.commands.orders import carry_out
from generator.exchange.card_simulator import CgsOrder

KNOWN = {
    "name", "cardNameIsUnique", "cardPrimaryProperty", "cardProperties", "cardSetIdentifier", "cardSize", "copyright",
    "deckFileTxtId", "deckFileType", "gameDefaultCardAction", "gameStartHandCount", "playMatSize",
}  # fmt: skip
"""What a game may say there, as far as we say it; the program refuses no other, and ignores it."""


GAMES = ["fortuna", "xanadu"]


@dataclass(frozen=True)
class Simulated:
    """An archive, opened: its files by their paths in the game's folder."""

    files: dict[str, bytes]

    def json(self, name: str) -> Any:
        return json.loads(self.files[name])

    def picture(self, name: str) -> Image.Image:
        return Image.open(io.BytesIO(self.files[name]))

    def decks(self) -> dict[str, Counter[str]]:
        """The copies of each card in each deck, by the ids that the lines name."""
        found: dict[str, Counter[str]] = {}
        for name, data in self.files.items():
            if name.startswith("decks/"):
                head, *lines = data.decode().splitlines()
                assert head.startswith("### ")
                found[name] = Counter()
                for line in lines:
                    number, key, _ = line.split(" ", 2)
                    found[name][key.strip("[]")] += int(number)
        return found


def opened(path: Path) -> Simulated:
    """An archive from its file: one folder, called as the archive is, and nothing beside it."""
    with zipfile.ZipFile(path) as archive:
        folder = f"{path.name.removesuffix('.cgs.zip')}/"
        assert all(name.startswith(folder) for name in archive.namelist())
        return Simulated({name.removeprefix(folder): archive.read(name) for name in archive.namelist()})


@pytest.fixture(scope="module")
def simulated(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Simulated]:
    """A game's archive in English, made once."""
    out = tmp_path_factory.mktemp("cgs")

    @cache
    def game(name: str) -> Simulated:
        carry_out(PROJECT, (name,), CgsOrder(("en",), out, dpi=40), lambda _doing: None)
        return opened(out / name / "cgs" / f"{name}.en.cgs.zip")

    return game


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_all_that_is_named_is_there(simulated: Callable[[str], Simulated], name: str) -> None:
    """Each card has its set, its picture and its back, an id of its own; lists name cards that exist."""
    game = simulated(name)
    said, cards = game.json("cgs.json"), game.json("AllCards.json")
    sets = {one["code"] for one in game.json("AllSets.json")}
    ids = [card["id"] for card in cards]

    assert set(said) <= KNOWN and said["name"]
    assert len(set(ids)) == len(ids) > 20
    for card in cards:
        assert card["set"] in sets and card["name"]
        assert f"sets/{card['set']}/{card['id']}.png" in game.files
        assert all(f"backs/{back}.png" in game.files for back in card["backs"])
    assert {key for deck in game.decks().values() for key in deck} == set(ids)
    assert "CardBack.png" in game.files


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_every_copy_is_in_a_deck(simulated: Callable[[str], Simulated], name: str) -> None:
    """The lists have what the box has; boards that lie still are on the mat instead."""
    game = simulated(name)
    on_mat = {"xanadu": 4, "fortuna": 1}[name]
    assert sum(deck.total() for deck in game.decks().values()) == counts(name).total() - on_mat
    assert "PlayMat.png" in game.files and "playMatSize" in game.json("cgs.json")


@pytest.mark.slow  # draws all of a large game
def test_pictures_have_the_card_s_proportions(simulated: Callable[[str], Simulated]) -> None:
    """Cards fill them with round corners; a piece of another size lies in the middle, with nothing around it."""
    game = simulated("xanadu")
    size = game.json("cgs.json")["cardSize"]
    for card in game.json("AllCards.json"):
        image = game.picture(f"sets/{card['set']}/{card['id']}.png")
        assert abs(image.width / image.height - size["x"] / size["y"]) < 0.02
        assert image.mode == "RGBA" and image.getpixel((0, 0))[3] == 0
        assert image.getpixel((image.width // 2, image.height // 2))[3] == 255


@pytest.mark.slow  # draws all of a large game
def test_the_mat_shows_the_boards(simulated: Callable[[str], Simulated]) -> None:
    """In its middle and at their size; cards find room around them."""
    game = simulated("xanadu")
    mat, size = game.picture("PlayMat.png"), game.json("cgs.json")["playMatSize"]
    colours = mat.crop((mat.width // 4, mat.height // 3, 3 * mat.width // 4, 2 * mat.height // 3)).getcolors(10**6)
    assert abs(mat.width / mat.height - size["x"] / size["y"]) < 0.01
    assert mat.getpixel((5, 5)) == mat.getpixel((mat.width - 5, mat.height - 5)) == (0x35, 0x52, 0x4A)
    assert colours is None or len(colours) > 100
