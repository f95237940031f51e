"""Old and new pictures of the designs that look different: which pairs, each once, ready to be shown side by side."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from generator.dataclass import dataclass
from generator.faces.workshop import Workshop
from generator.files import read_file, write_below
from generator.model.drawing import Drawing, Picture
from generator.model.game import FaceName
from generator.versions.differences import Difference, Entry
from generator.versions.pictures import SHOWN, small_pictures
from generator.versions.version import Version


@dataclass(frozen=True, slots=True)
class Pair:
    """A side of a design before and after; `also` are other designs of which it shows the very same.

    A hash is empty where the design had or has no such side.
    """

    entry: Entry
    face: FaceName
    old: str
    new: str
    also: tuple[str, ...] = ()

    @property
    def before(self) -> str:
        """The design's id in the earlier state."""
        return self.entry.was or self.entry.id


def pairs(found: Difference, since: Version, until: Version, lang: str) -> tuple[Pair, ...]:
    """Every side that looks different in a language; sides that show the same, as backs do, once."""
    first: dict[tuple[str, str, str], Pair] = {}
    also: dict[tuple[str, str, str], list[str]] = {}
    for entry in found.groups.get("components", ()):
        for face, language in entry.looks:
            if language != lang:
                continue
            old = since.designs[entry.was or entry.id].faces.get((face, lang), "")
            new = until.designs[entry.id].faces.get((face, lang), "")
            key = (entry.id.partition("/")[0], old, new)
            if key in first:
                also[key] += [entry.id] if entry.id not in (first[key].entry.id, *also[key]) else []
            else:
                first[key], also[key] = Pair(entry, face, old, new), []
    return tuple(Pair(pair.entry, pair.face, pair.old, pair.new, tuple(also[key])) for key, pair in first.items())


def make_portraits(shown: Sequence[Pair], since: Version, until: Version, lang: str, used_by: Workshop | None) -> None:
    """Make the small pictures of all pairs at once, which is far quicker than one by one when they are asked for.

    None of a state whose workshop writes the document itself: it draws its faces there.
    """
    if since.workshop is not used_by:
        _draw(since, ((pair.before, pair.face) for pair in shown if pair.old), lang)
    if until.workshop is not used_by:
        _draw(until, ((pair.entry.id, pair.face) for pair in shown if pair.new), lang)


def _draw(version: Version, sides: Iterable[tuple[str, FaceName]], lang: str) -> None:
    if version.workshop is None:
        return
    wanted: dict[Path, Drawing] = {}
    for path, drawing in _drawings(version, sides, lang):
        if not path.exists():
            wanted.setdefault(path, drawing)
    for path, png in zip(wanted, small_pictures(version.workshop, wanted.values(), SHOWN), strict=True):
        write_below(version.pictures, path.name, png)


def _drawings(version: Version, sides: Iterable[tuple[str, FaceName]], lang: str) -> Iterator[tuple[Path, Drawing]]:
    for design, face in sides:
        if version.game is not None and version.workshop is not None:
            drawing = version.workshop.face(version.game.design(design), face, lang)
            if drawing is not None:
                yield version.pictures / f"{version.workshop.digest(drawing)}.png", drawing


def png_of(version: Version, design: str, face: FaceName, lang: str) -> bytes | None:
    """The small picture of a side; None where it has none or the picture is lost."""
    drawing = version.face(design, face, lang)
    if drawing is None or not drawing.items or not isinstance(drawing.items[0], Picture):
        return None
    return read_file(Path(drawing.items[0].source), "picture")
