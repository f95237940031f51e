"""Faces that were drawn in earlier runs: by their markup, and by the whole game while nothing of it has changed."""

import hashlib
from collections.abc import Collection
from dataclasses import field
from functools import cached_property
from typing import Any, NamedTuple

from generator.cache.kept import Kept
from generator.cache.reads import PICTURED
from generator.cache.store import fingerprint
from generator.dataclass import dataclass
from generator.model.drawing import Drawing
from generator.model.game import Design, FaceName, Game, Kind
from generator.text.fonts import Chain, FontBook

MOST = 4
"""Faces of earlier states of a game are kept too, until they are so many times as many as those in use."""

MANY = 20_000
"""Faces of one run; more are not kept: taking them in and out again would need more memory than drawing them."""

FaceId = tuple[str, FaceName, str]
"""Design, face, edition."""


_FACES = tuple[dict[str, Any], Collection[Chain]]
"""Drawings by their digests, and the fonts that they name."""


class Sketch(NamedTuple):
    """A face as it was drawn for a design, and whether it shows two languages."""

    drawing: Drawing
    offered: bool


@dataclass(slots=True)
class _Album:
    """Drawings by their digests, the latest last; those used in this run; whether any is new."""

    drawings: dict[str, Drawing] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    grown: bool = False


class KnownFaces:
    """Remembers the faces of one game without problems; `save` keeps them for later runs.

    A face is known by its markup, kind and language, and rests on palette, icons, fonts and art; where its text names
    components, on these names. While data and templates are as they were, its design's id is enough.
    """

    def __init__(self, kept: Kept, game: Game, fonts: FontBook):
        self._kept, self._game, self._fonts = kept, game, fonts
        self._keys: dict[int, str] = {}  # of drawings in the album, which lives as long
        self._sketches: dict[FaceId, tuple[str, bool]] = {}
        self._new_sketches = False

    @cached_property
    def _look(self) -> str:
        return look_of(self._game)

    @cached_property
    def _names(self) -> str:
        return fingerprint(_names(self._game))

    @cached_property
    def _album(self) -> _Album:
        """The drawings of earlier runs, read when the first face is asked for, and the fonts opened that they name."""
        known = self._kept.get("faces", _FACES, self._look)
        if known is None:
            return _Album()
        drawings, chains = known
        if not all(isinstance(drawing, Drawing) for drawing in drawings.values()):  # somebody else has kept them
            return _Album()
        for chain in chains:
            self._fonts.chain(*chain)
        self._keys = {id(drawing): key for key, drawing in drawings.items()}
        self._sketches = self._kept.get("sketches", dict[FaceId, tuple[str, bool]], self._kept.game) or {}
        return _Album(drawings)

    def key(self, kind: Kind, edition: str, name: str, markup: str) -> str:
        """The digest of a face to be drawn from this markup."""
        named = self._names if "@" in markup or "&#" in markup else ""  # a text may name components: {@reel/6-wheat}
        size = f"{kind.size.width!r} {kind.size.height!r} {kind.bleed!r}"
        parts = "\0".join((kind.id, size, edition, name, named, markup))
        return hashlib.blake2b(parts.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()

    def drawing(self, key: str) -> Drawing | None:
        """The face of that digest, if it is known."""
        found = self._album.drawings.get(key)
        if found is not None:
            self._album.used.add(key)
        return found

    def add(self, key: str, drawing: Drawing) -> None:
        """A face that was drawn, and had no problem."""
        self._album.drawings[key] = drawing
        self._keys[id(drawing)] = key
        self._album.used.add(key)
        self._album.grown = True

    def sketch(self, design: Design, face: FaceName, edition: str) -> Sketch | None:
        """What is known of a face while its game is as it was."""
        album = self._album  # brings the sketches along
        key, offered = self._sketches.get((design.id, face, edition), ("", False))
        drawing = self.drawing(key) if key in album.drawings else None
        return Sketch(drawing, offered) if drawing is not None else None

    def sketched(self, design: Design, face: FaceName, edition: str, drawing: Drawing, *, offered: bool) -> None:
        """Which drawing a face has come to be."""
        self._sketches[design.id, face, edition] = self._keys[id(drawing)], offered
        self._new_sketches = True

    def save(self) -> None:
        """Keep what is new for later runs; nothing while a font has problems, as any text may be set otherwise then."""
        if self._fonts.problems or "_album" not in self.__dict__ or len(self._album.used) > MANY:
            return
        album = self._album
        if album.grown:
            late = {key: drawing for key, drawing in album.drawings.items() if key in album.used}
            early = [pair for pair in album.drawings.items() if pair[0] not in album.used]
            room = max(0, (MOST - 1) * len(late))
            kept = {**dict(early[max(0, len(early) - room) :]), **late}
            self._kept.put("faces", (kept, self._fonts.chains), self._look, rests_on=PICTURED)
            album.grown = False
        if self._new_sketches:
            self._kept.put("sketches", self._sketches, self._kept.game)
            self._new_sketches = False


def look_of(game: Game) -> str:
    """The digest of all data but its markup that a drawing rests on: whatever `Studio` hands to those who draw."""
    icons = [(icon.id, icon.colour, icon.art, icon.emoji) for icon in game.icons.values()]
    fonts = [
        (name, *map(dict, (family.regular, family.bold, family.italic, family.weights)))
        for name, family in game.fonts.items()
    ]
    return fingerprint((game.languages, sorted(game.palette), icons, fonts))


def _names(game: Game) -> list[object]:
    """What texts can call components."""
    kinds = [(kind.id, dict(kind.name.items())) for kind in game.kinds.values()]
    return [*kinds, *((design.id, design.fields.get("name")) for design in game.designs())]
