"""What to print and what to take out when a box goes from one state of a game to another, in one language."""

from collections.abc import Callable, Hashable, Mapping
from typing import Literal

from generator.dataclass import dataclass
from generator.model.drawing import Drawing
from generator.model.edition import first_language
from generator.model.game import FaceName
from generator.versions.parts import FACES, VersionDesign, cut_key, one_for_one
from generator.versions.version import Version

Sort = Literal["removed", "changed", "added", "more", "fewer", "renamed"]

SORTS: tuple[Sort, ...] = ("removed", "changed", "added", "more", "fewer", "renamed")
"""In the order in which a box is put right: first out, then in."""


@dataclass(frozen=True, slots=True)
class Change:
    """One design that is not as it was: `before` in the box, `after` in the data; one of them may be missing.

    `faces` are the sides that show something else, all of them where the piece has another size or outline. So many
    copies are `to_print`, so many to `take_out`.
    """

    sort: Sort
    before: VersionDesign | None
    after: VersionDesign | None
    faces: tuple[FaceName, ...] = ()

    @property
    def id(self) -> str:
        """The design's id, the one that it has now if it has any."""
        design = self.after or self.before
        return design.id if design else ""

    @property
    def to_print(self) -> int:
        """Copies to be printed: all of a new or changed design, else what the box lacks."""
        if self.sort in ("changed", "added"):
            return _count(self.after)
        return max(0, _count(self.after) - _count(self.before))

    @property
    def take_out(self) -> int:
        """Copies to be taken out of the box: all of what is gone or changed, else what is too many."""
        if self.sort in ("changed", "removed"):
            return _count(self.before)
        return max(0, _count(self.before) - _count(self.after))

    @property
    def copies(self) -> range:
        """The numbers of the copies to be printed: of three where there was one, the second and the third."""
        return range(_count(self.after) - self.to_print + 1, _count(self.after) + 1)


@dataclass(frozen=True, slots=True)
class Changes:
    """All that is different in one language, in the order of the data; what is gone in its old order."""

    since: Version
    until: Version
    lang: str
    all: tuple[Change, ...]

    def of(self, sort: Sort) -> tuple[Change, ...]:
        """Those of one sort."""
        return tuple(change for change in self.all if change.sort == sort)

    @property
    def parts(self) -> Mapping[str, range]:
        """The copies of each design that are to be printed."""
        return {change.id: change.copies for change in self.all if change.to_print}

    @property
    def printed(self) -> int:
        """All copies to be printed."""
        return sum(change.to_print for change in self.all)

    @property
    def taken_out(self) -> int:
        """All copies to be taken out."""
        return sum(change.take_out for change in self.all)

    def name(self, change: Change) -> str:
        """What the design is called in this language; empty where it has no name of its own."""
        design = change.after or change.before
        return design.name.get(first_language(self.lang), "") if design else ""


def compare(since: Version, until: Version, lang: str, chosen: Callable[[str], bool] = lambda _: True) -> Changes:
    """The changes of the designs whose ids are chosen; a design of which nothing is printed is not in the box.

    Pieces that look as others did are those, whatever ids designs have now: where cards were numbered anew nothing
    is printed again.
    """
    before = {d.id: d for d in since.designs.values() if d.count and chosen(d.id)}
    after = {d.id: d for d in until.designs.values() if d.count and chosen(d.id)}
    faces = {
        name: _changed_faces(since, until, before[name], now, lang) for name, now in after.items() if name in before
    }
    gone = [(name, _looks(since, design, lang)) for name, design in before.items() if faces.get(name) != ()]
    new = [(name, _looks(until, design, lang)) for name, design in after.items() if faces.get(name) != ()]
    renamed = one_for_one(gone, new)
    used = set(renamed.values())
    found = []
    for name, now in after.items():
        if name in renamed:
            found.append(Change("renamed", before[renamed[name]], now))
        elif name not in before or name in used:
            found.append(Change("added", None, now))
        elif faces[name]:
            found.append(Change("changed", before[name], now, faces[name]))
        elif now.count != before[name].count:
            found.append(Change("more" if now.count > before[name].count else "fewer", before[name], now))
    left = [design for name, design in before.items() if name not in used and (name in renamed or name not in after)]
    return Changes(since, until, lang, (*found, *(Change("removed", design, None) for design in left)))


def _changed_faces(
    since: Version, until: Version, then: VersionDesign, now: VersionDesign, lang: str
) -> tuple[FaceName, ...]:
    old, new = then.sides(lang), now.sides(lang)
    there = tuple(face for face in FACES if face in old or face in new)
    if cut_key(since.kinds[then.kind]) != cut_key(until.kinds[now.kind]):
        return there
    return tuple(face for face in there if old.get(face) != new.get(face))


def _looks(version: Version, design: VersionDesign, lang: str) -> Hashable:
    """All that can be seen of a piece."""
    return (cut_key(version.kinds[design.kind]), tuple(design.sides(lang).items()))


Hashes = tuple[str | None, str | None]
"""What a side showed and what it shows."""


def sides_to_see(changes: Changes, change: Change, seen: set[Hashes]) -> tuple[FaceName, ...]:
    """The sides of a change that show what no other change has shown: those are in `seen`, which grows.

    None where all of them were seen before, as the new back that sixty cards share.
    """
    fresh = []
    for face in change.faces:
        sides = [design.faces.get((face, changes.lang)) if design else None for design in (change.before, change.after)]
        if (sides[0], sides[1]) not in seen:
            seen.add((sides[0], sides[1]))
            fresh.append(face)
    return tuple(fresh)


def pictures_of(changes: Changes, change: Change, face: FaceName) -> tuple[Drawing | None, Drawing | None]:
    """The old and the new picture of a side, the new one as the new state's own workshop draws it."""
    lang, by = changes.lang, changes.until.workshop
    old = changes.since.face(change.before.id, face, lang, by) if change.before else None
    new = changes.until.face(change.after.id, face, lang, by) if change.after else None
    return old, new


def _count(design: VersionDesign | None) -> int:
    return design.count if design else 0
