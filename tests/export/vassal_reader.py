"""A module of Vassal as the program reads it: the build file's components, and pieces taken apart into their traits."""

import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

PACKAGE = "VASSAL.build."


def tokens(text: str, delimiter: str) -> list[str]:
    """A sequence split at its delimiters; one after a backslash belongs to the token, quotes around a token do not."""
    found, token = [], ""
    for at, letter in enumerate(text):
        if letter != delimiter:
            token += letter
        elif at and text[at - 1] == "\\":
            token = token[:-1] + letter
        else:
            found.append(token)
            token = ""
    return [one[1:-1] if len(one) > 1 and one[0] == one[-1] == "'" else one for one in [*found, token]]


@dataclass
class Piece:
    """A piece of a slot: its traits by their ids (`obs`, `mark`) with their tokens and states, outermost first."""

    slot: str
    gpid: str
    traits: dict[str, list[str]] = field(default_factory=dict)
    states: dict[str, list[str]] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.traits["piece"][3]

    @property
    def images(self) -> list[str]:
        """Every picture that it shows: its own, those of its layers, its mask's."""
        layers = tokens(self.traits["emb2"][15], ",") if "emb2" in self.traits else []
        found = [self.traits["piece"][2], *layers, *(self.traits["obs"][1:2] if "obs" in self.traits else [])]
        return [image for image in found if image]


def piece(slot: ElementTree.Element) -> Piece:
    """The piece that the text of a slot adds; the type and the state must have as many layers as each other."""
    start, nothing, kind, state = tokens((slot.text or "").strip(), "/")
    assert (start, nothing) == ("+", "null")
    found = Piece(slot.tag.rsplit(".", 1)[1], slot.attrib["gpid"])
    while True:
        outer, *inner = tokens(kind, "\t")
        own, *rest = tokens(state, "\t")
        trait, _, said = outer.partition(";")
        found.traits[trait] = tokens(said, "," if trait == "mark" else ";")
        found.states[trait] = tokens(own, "," if trait == "mark" else ";")
        assert len(inner) == len(rest) == (trait != "piece")
        if trait == "piece":
            return found
        kind, state = inner[0], rest[0]


@dataclass
class Module:
    """An opened module."""

    files: dict[str, bytes]

    @property
    def root(self) -> ElementTree.Element:
        return ElementTree.fromstring(self.files["buildFile.xml"])  # noqa: S314 - our own

    @property
    def listed(self) -> dict[str, str]:
        said = ElementTree.fromstring(self.files["moduledata"])  # noqa: S314 - our own
        return {one.tag: one.text or "" for one in said}

    def components(self, name: str) -> Iterator[ElementTree.Element]:
        return self.root.iter(PACKAGE + name)

    def stacks(self) -> dict[str, list[Piece]]:
        """What lies where when a game begins, by the names of decks and stacks."""
        found: dict[str, list[Piece]] = {}
        for name in ("module.map.DrawPile", "module.map.SetupStack"):
            for stack in self.components(name):
                assert stack.attrib["name"] not in found
                found[stack.attrib["name"]] = [piece(slot) for slot in stack]
        return found

    def pieces(self) -> list[Piece]:
        return [one for stack in self.stacks().values() for one in stack]


def opened(path: Path) -> Module:
    with zipfile.ZipFile(path) as archive:
        return Module({name: archive.read(name) for name in archive.namelist()})
