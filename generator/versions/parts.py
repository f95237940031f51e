"""The kinds and designs of one state of a game: counts, names and the hash of what each face shows."""

from collections.abc import Hashable, Iterable, Mapping

from generator import __version__
from generator.dataclass import dataclass
from generator.model.game import CUBE_FACES, FaceName, Kind

FACES: tuple[FaceName, ...] = CUBE_FACES
"""All sides that a component can have, in the order in which they are told."""

FaceOf = tuple[FaceName, str]
"""A side, and the language or two languages (`ja+en`) in which it is drawn."""


KEPT_FROM_THE_FIRST = ("name", "size", "form", "corner", "outline", "foot")
"""The fields of a kind that every record has: how a piece is called, cut and folded."""

KEPT_OF_A_KIND = (*KEPT_FROM_THE_FIRST,)
"""The fields of a kind that a record keeps, in the order of its file.

Others follow those of the first records: where an older record lacks one, it has the default of the model.
"""


def cut_key(kind: Kind) -> tuple[object, ...]:
    """What decides how a piece comes out of the paper, beside its faces; rounded corners are cut by hand."""
    return (kind.size, kind.form, kind.outline, kind.foot)


@dataclass(frozen=True, slots=True)
class VersionDesign:
    """A design as a version has it: `count` copies, its name by language (none where it has none of its own).

    `faces` gives the sha256 of what each side shows in each language, in hex.
    """

    id: str
    kind: str
    count: int
    name: Mapping[str, str]
    faces: Mapping[FaceOf, str]

    def sides(self, lang: str) -> Mapping[FaceName, str]:
        """The hash of each side in a language, the front first."""
        return {face: self.faces[face, lang] for face in FACES if (face, lang) in self.faces}


def one_for_one(gone: Iterable[tuple[str, Hashable]], new: Iterable[tuple[str, Hashable]]) -> dict[str, str]:
    """New id -> old id of designs that look the same, the first of the one with the first of the other.

    Each design is given by its id and all that can be seen of it.
    """
    free: dict[Hashable, list[str]] = {}
    for name, looks in gone:
        free.setdefault(looks, []).append(name)
    return {name: free[looks].pop(0) for name, looks in new if free.get(looks)}


@dataclass(frozen=True, slots=True)
class Record:
    """What was printed of a game under a name. `number` counts the records of a game: the highest is the newest.

    Its kinds have no designs, and of their fields those that a record keeps.
    """

    game: str
    number: int
    draft: str
    title: Mapping[str, str]
    languages: tuple[str, ...]
    kinds: Mapping[str, Kind]
    designs: Mapping[str, VersionDesign]
    program: str = __version__
