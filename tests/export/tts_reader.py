"""Reads a saved object as Tabletop Simulator does, by its documented rules alone: nothing here is the program's own."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from PIL import Image

Object = dict[str, Any]


@dataclass(frozen=True)
class Save:
    """A saved object and the folder of its files."""

    root: Object
    folder: Path

    @property
    def objects(self) -> list[Object]:
        found: list[Object] = self.root["ObjectStates"]
        return found

    def everything(self) -> Iterator[Object]:
        return _within(self.objects)

    def file(self, url: str) -> Path:
        """The file that an address stands for, wherever it points."""
        return self.folder / unquote(urlsplit(url).path).rsplit("/", 1)[-1]

    def picture(self, url: str) -> Image.Image:
        return _opened(self.file(url)).copy()

    def slot(self, card: Object, side: str = "FaceURL") -> Image.Image:
        """What a card shows: its slot of the sheet, cut by the numbers in its id."""
        key, slot = divmod(card["CardID"], 100)
        sheet = card["CustomDeck"][str(key)]
        image = self.picture(sheet[side])
        if side == "BackURL" and not sheet["UniqueBack"]:
            return image
        wide, high = image.width // sheet["NumWidth"], image.height // sheet["NumHeight"]
        row, column = slot // sheet["NumWidth"], slot % sheet["NumWidth"]
        return image.crop((column * wide, row * high, (column + 1) * wide, (row + 1) * high))

    def copies(self) -> Counter[tuple[str, str]]:
        """How often each thing is there, by its tag and its name."""
        plain = (o for o in self.everything() if o["Name"] not in ("Deck", "Bag", "Custom_PDF"))
        return Counter((o["Tags"][0], o["Nickname"]) for o in plain)


@lru_cache(maxsize=8)  # a sheet of cards is asked for once for every card
def _opened(path: Path) -> Image.Image:
    with Image.open(path) as image:
        return image.copy()


def read(path: Path) -> Save:
    return Save(json.loads(path.read_text(encoding="utf-8")), path.parent)


def urls(value: Any) -> Iterator[str]:
    """Every address in it."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key.lower().endswith("url") and inner:
                yield inner
            else:
                yield from urls(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from urls(inner)


def faults(save: Save) -> list[str]:
    """Everything for which the program would show nothing, the wrong thing or an error."""
    return [*_names(save), *_decks(save), *_sheets(save), *_pictures(save), *_kinds(save)]


def _within(objects: list[Object]) -> Iterator[Object]:
    for each in objects:
        yield each
        yield from _within(each.get("ContainedObjects", []))


def _names(save: Save) -> Iterator[str]:
    guids = [each["GUID"] for each in save.everything()]
    yield from (f"GUID {guid}" for guid in guids if not re.fullmatch("[0-9a-f]{6}", guid))
    yield from (f"GUID {guid} twice" for guid, number in Counter(guids).items() if number > 1)


def _decks(save: Save) -> Iterator[str]:
    for each in save.everything():
        if each["Name"] == "Deck":
            inside = each["ContainedObjects"]
            if len(inside) < 2:
                yield f"{each['GUID']} is a deck of {len(inside)}"
            if each["DeckIDs"] != [card["CardID"] for card in inside]:
                yield f"{each['GUID']}: DeckIDs are not its cards"
            if set(each["CustomDeck"]) != {str(number // 100) for number in each["DeckIDs"]}:
                yield f"{each['GUID']}: sheets that no card uses, or cards without a sheet"
            if any(each["CustomDeck"][key] != sheet for card in inside for key, sheet in card["CustomDeck"].items()):
                yield f"{each['GUID']}: a card names another sheet than its deck"
        elif each["Name"] == "Card":
            key, slot = divmod(each["CardID"], 100)
            sheet = each["CustomDeck"].get(str(key))
            if sheet is None or len(each["CustomDeck"]) != 1:
                yield f"{each['GUID']}: card without its sheet"
            elif slot >= min(69, sheet["NumWidth"] * sheet["NumHeight"] - 1):
                yield f"{each['GUID']}: slot {slot} is outside, or the one for hidden cards"


def _sheets(save: Save) -> Iterator[str]:
    known: dict[str, Object] = {}
    for each in save.everything():
        for key, sheet in each.get("CustomDeck", {}).items():
            if known.setdefault(key, sheet) != sheet:
                yield f"two sheets {key}"
            if not (2 <= sheet["NumWidth"] <= 10 and 2 <= sheet["NumHeight"] <= 7):
                yield f"sheet {key}: grid"
            for side in ["FaceURL"] + ["BackURL"] * sheet["UniqueBack"]:
                image = save.picture(sheet[side])
                if image.width % sheet["NumWidth"] or image.height % sheet["NumHeight"]:
                    yield f"sheet {key}: {side} of {image.size} is no grid"


def _pictures(save: Save) -> Iterator[str]:
    for url in sorted(set(urls(save.root))):
        path = save.file(url)
        if not path.is_file():
            yield f"{url} is not there"
        elif path.suffix == ".png":
            image = save.picture(url)
            if image.format not in ("PNG", None) or image.mode not in ("RGB", "RGBA") or max(image.size) > 4096:
                yield f"{path.name}: {image.mode} {image.size}"
            if not re.search(r"-[0-9a-f]{12}\.png$", path.name):
                yield f"{path.name} has no hash"


def _kinds(save: Save) -> Iterator[str]:
    needs = {
        "Custom_Tile": ("CustomImage", "CustomTile"),
        "Custom_Token": ("CustomImage", "CustomToken"),
        "Figurine_Custom": ("CustomImage",),
        "Custom_Model": ("CustomMesh",),
        "Custom_PDF": ("CustomPDF",),
        "Bag": ("ContainedObjects",),
        "Deck": ("DeckIDs",),
        "Card": ("CardID",),
    }
    for each in save.everything():
        inner: Any = each
        for key in needs.get(each["Name"], ("unknown kind of object",)):
            inner = inner.get(key) if isinstance(inner, dict) else None
        if inner is None or inner == []:
            yield f"{each['GUID']}: {each['Name']} without what makes it one"
