"""Which kinds of a game name tables, and what they say of them."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from generator.dataclass import dataclass
from generator.errors import Place, Problem, ProblemsFound
from generator.model.resources import Resources
from generator.model.source import Map, Seq, Source

OF_TABLES = ("columns", "ignore", "id_from")
"""What a kind may say of its tables."""


@dataclass(frozen=True, slots=True)
class TablesOf:
    """A kind whose designs, or some of them, stand in tables: its name, what it says, and the file that says it."""

    name: str
    kind: Map
    path: Path
    source: Source

    @property
    def entries(self) -> list[tuple[Any, Place]]:
        """What `designs` has, a table's name or a design each, with its place."""
        designs = self.kind["designs"]
        if isinstance(designs, str):
            return [(designs, self.source.place("designs"))]
        return [(entry, self.source.place("designs", number)) for number, entry in enumerate(designs)]


def kinds_with_tables(files: Sequence[tuple[Path, Map]], resources: Resources) -> Iterator[TablesOf]:
    """Every kind that names a table."""
    for path, root in files:
        kinds = root.get("components")
        for name, kind in kinds.items() if isinstance(kinds, Map) else ():
            if isinstance(kind, Map) and names_tables(kind.get("designs")):
                yield TablesOf(str(name), kind, path, Source(resources.shown(path), kind))


def names_tables(designs: Any) -> bool:
    """Whether what stands after `designs:` is a table, or has one among its entries."""
    return isinstance(designs, str) or (isinstance(designs, Seq) and any(isinstance(entry, str) for entry in designs))


def languages_of(files: Sequence[tuple[Path, Map]], resources: Resources) -> list[str]:
    """The game's languages; ProblemsFound where they are not given as a list."""
    path, root = next(((path, root) for path, root in files if "languages" in root), files[0])
    found = root.get("languages")
    if not isinstance(found, list) or not found or not all(isinstance(lang, str) for lang in found):
        place = Source(resources.shown(path), root).place("languages")
        what = "the game's languages are not known, so its tables can't be read"
        raise ProblemsFound([Problem(place, what, "write `languages: [ja, en]`")])
    return found
