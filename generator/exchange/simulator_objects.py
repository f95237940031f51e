"""Objects in the JSON of a Tabletop Simulator save: cards, decks, tiles, bags and others."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any, TypeAlias

ObjectState: TypeAlias = dict[str, Any]
"""An object of the simulator, as stored in JSON."""

BOX, HEX, CIRCLE, ROUNDED = 0, 1, 2, 3
"""Codes of the simulator for shapes of tiles."""

THICKNESS = 0.1
"""Thickness of tiles in the table's units: the thinnest in the program's own menu."""

FACE_UP, FACE_DOWN = 0.0, 180.0


@dataclass(slots=True)
class Guids:
    """Makes unique ids of six hex digits, derived from labels, so that another export gives the same ids."""

    scope: str
    _taken: set[str] = field(default_factory=set)

    def make_guid(self, label: str) -> str:
        """Return an id that no other object has, made from a label, such as a copy's id."""
        tries = (hashlib.sha256(f"{self.scope} {label} {number}".encode()).hexdigest()[:6] for number in count())
        found = next(tried for tried in tries if tried not in self._taken)
        self._taken.add(found)
        return found


@dataclass(frozen=True, slots=True)
class ObjectLabel:
    """An object's name, its description, and tags for searching."""

    name: str
    says: str = ""
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CardSheet:
    """A picture with the faces of many cards, as decks refer to it: number, addresses of faces and backs, grid."""

    key: int
    face: str
    back: str
    columns: int
    rows: int
    own_backs: bool

    def card_number(self, slot: int) -> int:
        """Return the simulator's number for the card in a slot (slots count from 0, row by row)."""
        return self.key * 100 + slot

    @property
    def state(self) -> ObjectState:
        """Return the sheet's entry in the JSON of a deck."""
        return {
            "FaceURL": self.face, "BackURL": self.back, "NumWidth": self.columns, "NumHeight": self.rows,
            "BackIsHidden": True, "UniqueBack": self.own_backs, "Type": 0,
        }  # fmt: skip


def _make_object(
    name: str, guid: str, label: ObjectLabel, scale: tuple[float, float, float], turned: float
) -> ObjectState:
    return {
        "GUID": guid, "Name": name,
        "Transform": {
            "posX": 0.0, "posY": 1.0, "posZ": 0.0, "rotX": 0.0, "rotY": 180.0, "rotZ": turned,
            "scaleX": round(scale[0], 4), "scaleY": round(scale[1], 4), "scaleZ": round(scale[2], 4),
        },
        "Nickname": label.name, "Description": label.says, "GMNotes": "",
        "ColorDiffuse": {"r": 1.0, "g": 1.0, "b": 1.0}, "Tags": list(label.tags), "Locked": False, "Grid": True,
        "Snap": True, "Autoraise": True, "Sticky": True, "Tooltip": True, "HideWhenFaceDown": False, "Hands": False,
        "LuaScript": "", "LuaScriptState": "", "XmlUI": "",
    }  # fmt: skip


def move_object(state: ObjectState, x: float, z: float) -> ObjectState:
    """Return the object moved to x (to the right) and z (away from the player) on the table."""
    return {**state, "Transform": {**state["Transform"], "posX": round(x, 4), "posZ": round(z, 4)}}


def make_card(
    guid: str, label: ObjectLabel, sheet: CardSheet, slot: int, scale: float, *, face_up: bool = False
) -> ObjectState:
    """Return the card that a sheet shows in a slot, face down unless `face_up`. `scale` enlarges it."""
    state = _make_object("Card", guid, label, (scale, 1.0, scale), FACE_UP if face_up else FACE_DOWN)
    state |= {"HideWhenFaceDown": True, "Hands": True}
    deck = {str(sheet.key): sheet.state}
    return state | {"CardID": sheet.card_number(slot), "SidewaysCard": False, "CustomDeck": deck}


def make_deck(guid: str, label: ObjectLabel, cards: Sequence[ObjectState], scale: float) -> ObjectState:
    """Return a deck of cards, face down, the first on top. Raise ValueError for fewer than two cards."""
    if len(cards) < 2:
        raise ValueError("a deck has two cards at least")
    sheets: dict[str, Any] = {}
    for each in cards:
        sheets |= each["CustomDeck"]
    state = _make_object("Deck", guid, label, (scale, 1.0, scale), FACE_DOWN) | {"HideWhenFaceDown": True}
    numbers = [each["CardID"] for each in cards]
    return state | {"SidewaysCard": False, "DeckIDs": numbers, "CustomDeck": sheets, "ContainedObjects": list(cards)}


def make_tile(guid: str, label: ObjectLabel, images: tuple[str, str], shape: int, scale: float) -> ObjectState:
    """Return a flat tile with pictures (addresses) for both sides. `shape` is the simulator's number for it."""
    state = _make_object("Custom_Tile", guid, label, (scale, 1.0, scale), FACE_UP)
    how = {"Type": shape, "Thickness": THICKNESS, "Stackable": False, "Stretch": True}
    return state | {"CustomImage": {**_make_image(*images), "CustomTile": how}}


def make_token(guid: str, label: ObjectLabel, images: Sequence[str], scale: float) -> ObjectState:
    """Return a flat piece with the outline of its picture (an address). A second picture is stored as another state."""
    how = {"Thickness": THICKNESS, "MergeDistancePixels": 5.0, "StandUp": False, "Stackable": False}
    states = [
        _make_object("Custom_Token", guid, label, (scale, 1.0, scale), FACE_UP)
        | {"CustomImage": {**_make_image(image, ""), "CustomToken": how}}
        for image in images
    ]
    return states[0] | ({"States": {"2": states[1]}} if len(states) > 1 else {})


def make_figurine(guid: str, label: ObjectLabel, images: tuple[str, str], scale: float) -> ObjectState:
    """Return an upright figure with pictures (addresses) for front and back."""
    state = _make_object("Figurine_Custom", guid, label, (scale, scale, scale), FACE_UP)
    return state | {"CustomImage": _make_image(*images)}


def make_model(guid: str, label: ObjectLabel, mesh: str, picture: str) -> ObjectState:
    """Return a solid piece: the address of its mesh, in the table's units, and of the picture around it."""
    state = _make_object("Custom_Model", guid, label, (1.0, 1.0, 1.0), FACE_UP)
    addresses = {"MeshURL": mesh, "DiffuseURL": picture, "NormalURL": "", "ColliderURL": ""}
    manner = {"Convex": True, "MaterialIndex": 3, "TypeIndex": 0, "CastShadows": True}
    return state | {"CustomMesh": addresses | manner}


def make_bag(
    guid: str, label: ObjectLabel, things: Sequence[ObjectState], colour: tuple[float, float, float]
) -> ObjectState:
    """Return a bag that contains these objects. The colour is red, green and blue from 0 to 1."""
    state = _make_object("Bag", guid, label, (1.0, 1.0, 1.0), FACE_UP)
    red, green, blue = colour
    return state | {"ColorDiffuse": {"r": red, "g": green, "b": blue}, "ContainedObjects": list(things)}


def make_pdf_object(guid: str, label: ObjectLabel, address: str) -> ObjectState:
    """Return a PDF, which is at the address, to read at the table."""
    state = _make_object("Custom_PDF", guid, label, (1.0, 1.0, 1.0), FACE_UP)
    return state | {"CustomPDF": {"PDFUrl": address, "PDFPassword": "", "PDFPage": 0, "PDFPageOffset": 0}}


def make_saved_object(name: str, note: str, states: Sequence[ObjectState]) -> Mapping[str, Any]:
    """Return the JSON of a save file called `name` with a note, these objects and no table."""
    blank = ("GameMode", "Date", "VersionNumber", "GameType", "GameComplexity")
    return {
        "SaveName": name, **dict.fromkeys(blank, ""), "Tags": [], "Gravity": 0.5, "PlayArea": 0.5, "Table": "",
        "Sky": "", "Note": note, "TabStates": {}, "LuaScript": "", "LuaScriptState": "", "XmlUI": "",
        "ObjectStates": list(states),
    }  # fmt: skip


def _make_image(front: str, back: str) -> ObjectState:
    return {"ImageURL": front, "ImageSecondaryURL": back, "ImageScalar": 1.0, "WidthScale": 0.0}
