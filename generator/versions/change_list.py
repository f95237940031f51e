"""The change list: which pieces to take out of a printed game's box, and which to add."""

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from math import ceil
from typing import Literal

from generator.base.display_list import Drawing, Paint
from generator.base.geometry import Size
from generator.base.languages import count_phrase, first_language, phrase
from generator.books.page.blocks import Artwork, Lettering, Part, Row, RuledLine, Stack, TickBox
from generator.books.page.list_pages import (
    GUTTER,
    Columns,
    ListPages,
    add_caption,
    choose_scale,
    cut_artwork,
    make_empty_frame,
    place_before_and_after,
    rows_from_cells,
)
from generator.books.page.page_style import COUNT, FACTS, NAME, SECTION, SMALL, TEXT, TICK, TITLE
from generator.drawing.faces.game_drawing import Workshop
from generator.game.model import FaceName
from generator.game.print_pages import Document
from generator.sheets.settings import SheetSettings
from generator.versions.game_version import Version
from generator.versions.records import FACES, VersionDesign, cut_key, match_by_look

Sort = Literal["removed", "changed", "added", "more", "fewer", "renamed"]

SORTS: tuple[Sort, ...] = ("removed", "changed", "added", "more", "fewer", "renamed")
"""Kinds of changes, in the order in which to update a box: removals first, then additions."""


@dataclass(frozen=True, slots=True)
class Change:
    """How one design changed: `before` is the printed design, `after` the present one. One of them may be None.

    `faces` are the sides that look different, or all sides if the size or outline changed.
    """

    sort: Sort
    before: VersionDesign | None
    after: VersionDesign | None
    faces: tuple[FaceName, ...] = ()

    @property
    def id(self) -> str:
        """The design's present id, or its old one if the design was removed."""
        design = self.after or self.before
        return design.id if design else ""

    @property
    def to_print(self) -> int:
        """Number of copies to print: all of a new or changed design, else the copies missing from the box."""
        if self.sort in ("changed", "added"):
            return _copies_of(self.after)
        return max(0, _copies_of(self.after) - _copies_of(self.before))

    @property
    def take_out(self) -> int:
        """Number of copies to take out of the box: all of a removed or changed design, else the surplus copies."""
        if self.sort in ("changed", "removed"):
            return _copies_of(self.before)
        return max(0, _copies_of(self.before) - _copies_of(self.after))

    @property
    def copies(self) -> range:
        """Numbers of the copies to print, such as 2 and 3 if there was one copy and there are now three."""
        return range(_copies_of(self.after) - self.to_print + 1, _copies_of(self.after) + 1)


@dataclass(frozen=True, slots=True)
class VersionChanges:
    """All changes in one language, in the order of the data. Removed designs keep their old order."""

    since: Version
    until: Version
    lang: str
    all: tuple[Change, ...]

    def changes_of_sort(self, sort: Sort) -> tuple[Change, ...]:
        """Return the changes of one sort."""
        return tuple(change for change in self.all if change.sort == sort)

    @property
    def parts(self) -> Mapping[str, range]:
        """The numbers of the copies to print, by design id."""
        return {change.id: change.copies for change in self.all if change.to_print}

    @property
    def copies_to_print(self) -> int:
        """Number of copies to print."""
        return sum(change.to_print for change in self.all)

    @property
    def copies_to_take_out(self) -> int:
        """Number of copies to take out."""
        return sum(change.take_out for change in self.all)

    def design_name(self, change: Change) -> str:
        """Return the design's name in this language, or an empty string if it has none."""
        design = change.after or change.before
        return design.name.get(first_language(self.lang), "") if design else ""


def compare_versions(
    since: Version, until: Version, lang: str, chosen: Callable[[str], bool] = lambda _: True
) -> VersionChanges:
    """Return the changes of the designs for which `chosen` is true. Designs without copies count as absent.

    Designs that look the same are matched even if their ids differ, so renumbered cards are not printed again.
    """
    before = {d.id: d for d in since.designs.values() if d.count and chosen(d.id)}
    after = {d.id: d for d in until.designs.values() if d.count and chosen(d.id)}
    faces = {
        name: _changed_faces(since, until, before[name], now, lang) for name, now in after.items() if name in before
    }
    gone = [(name, _look_key(since, design, lang)) for name, design in before.items() if faces.get(name) != ()]
    new = [(name, _look_key(until, design, lang)) for name, design in after.items() if faces.get(name) != ()]
    renamed = match_by_look(gone, new)
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
    return VersionChanges(since, until, lang, (*found, *(Change("removed", design, None) for design in left)))


def _changed_faces(
    since: Version, until: Version, then: VersionDesign, now: VersionDesign, lang: str
) -> tuple[FaceName, ...]:
    old, new = then.side_hashes(lang), now.side_hashes(lang)
    there = tuple(face for face in FACES if face in old or face in new)
    if cut_key(since.kinds[then.kind]) != cut_key(until.kinds[now.kind]):
        return there
    return tuple(face for face in there if old.get(face) != new.get(face))


def _look_key(version: Version, design: VersionDesign, lang: str) -> Hashable:
    """Return a key that is equal for designs that look the same: cut and hashes of the sides."""
    return (cut_key(version.kinds[design.kind]), tuple(design.side_hashes(lang).items()))


Hashes = tuple[str | None, str | None]
"""Hashes of a side's old and new look; None if the side did not or does not exist."""


def sides_to_see(changes: VersionChanges, change: Change, seen: set[Hashes]) -> tuple[FaceName, ...]:
    """Return the sides of a change whose (old, new) pair of looks is not in `seen` yet, and add it there.

    Return an empty tuple if all were shown before, such as a new back shared by sixty cards.
    """
    fresh = []
    for face in change.faces:
        sides = [design.faces.get((face, changes.lang)) if design else None for design in (change.before, change.after)]
        if (sides[0], sides[1]) not in seen:
            seen.add((sides[0], sides[1]))
            fresh.append(face)
    return tuple(fresh)


def pictures_of(changes: VersionChanges, change: Change, face: FaceName) -> tuple[Drawing | None, Drawing | None]:
    """Return the old and the new picture of a side, None for one that does not exist."""
    lang, by = changes.lang, changes.until.workshop
    old = changes.since.draw_face(change.before.id, face, lang, by) if change.before else None
    new = changes.until.draw_face(change.after.id, face, lang, by) if change.after else None
    return old, new


def _copies_of(design: VersionDesign | None) -> int:
    return design.count if design else 0


_ARROW = 4.4
"""Width of the arrow between an old and a new picture (mm)."""

_PAIR = Size(60.0, 26.0)
"""Maximum size of each picture of a pair (mm)."""


@dataclass(frozen=True, slots=True)
class ChangeCells:
    """Makes the cells that show changes in the columns of a page."""

    changes: VersionChanges
    columns: Columns
    seen: set[Hashes] = field(default_factory=set)

    def iter_cells(self, change: Change) -> Iterator[tuple[Part, int]]:
        """Yield a cell for each side to show, with its width in columns. The first has the numbers and the name.

        If all its differences were shown before, only the front is shown, to identify the piece.
        """
        compared = sides_to_see(self.changes, change, self.seen)
        for number, face in enumerate(compared or ("front",)):
            old, new = pictures_of(self.changes, change, face)
            shown, wide = self._picture_pair(change, old, new, paired=bool(compared))
            columns = min(self.columns.number, max(1, ceil((wide + GUTTER) / self.columns.pitch - 1e-6)))
            width = self.columns.measure_span(columns)
            lines = [] if number else self._caption_lines(change, width)
            named = (face,) if compared else change.faces
            if len(change.faces) > 1 or named not in ((), ("front",)):
                label = phrase("and", self._lang).join(phrase(one, self._lang) for one in named)
                lines.append([(0.0, Lettering(label, SMALL, width, name=f"side {change.id} {face}"))])
            yield add_caption(shown, lines), columns

    @property
    def _lang(self) -> str:
        return first_language(self.changes.lang)

    def _picture_pair(
        self, change: Change, old: Drawing | None, new: Drawing | None, *, paired: bool
    ) -> tuple[Part, float]:
        """Return the old picture, an arrow and the new one, with their width (mm).

        Return one picture if they are not `paired`: the new one, or the old one of a removed design.
        """
        sides = [(self.changes.since, change.before, old, "old"), (self.changes.until, change.after, new, "new")]
        if not paired:
            sides = sides[:1] if change.sort == "removed" else sides[1:]
        known = [(version, design, drawing, when) for version, design, drawing, when in sides if design]
        sizes = [version.kinds[one.kind].size for version, one, _, _ in known]
        widest = min(_PAIR.width, (self.columns.width - _ARROW) / 2)
        factor = min(min(widest / size.width, _PAIR.height / size.height, 1.0) for size in sizes)
        factor = factor if len(known) > 1 else choose_scale(sizes[0], self.columns).factor
        arts = [
            make_cut_picture(version, one.kind, drawing, factor, f"{when} {change.id}", self._lang)
            for version, one, drawing, when in known
        ]
        if len(arts) == 1:
            return arts[0], arts[0].size.width
        pair, wide = place_before_and_after(arts[0], arts[1], _ARROW)
        return Row(pair), wide

    def _caption_lines(self, change: Change, width: float) -> list[list[tuple[float, Part]]]:
        """Return the lines below a picture: numbers with a tick box, the name and the id."""
        tick: list[tuple[float, Part]] = [(0.0, TickBox(change.id))] if change.to_print or change.take_out else []
        left = TICK + 1.4 if tick else 0.0
        lines = [[*tick, (left, Lettering(format_numbers(change), COUNT, width - left, name=f"count {change.id}"))]]
        name = self.changes.design_name(change)
        if name:
            lines.append([(0.0, Lettering(name, NAME, width, name=f"name {change.id}"))])
        shown = change.id
        if change.sort == "renamed" and change.before:
            shown = f"{change.before.id} → {change.id}"
        lines.append([(0.0, Lettering(shown, SMALL, width, name=f"id {change.id}"))])
        return lines


def make_cut_picture(
    version: Version, kind: str, drawing: Drawing | None, factor: float, name: str, lang: str
) -> Artwork:
    """Return a face within its cut line, scaled by `factor`, or an empty frame with a note if there is no picture."""
    cut = version.kinds[kind]
    if drawing is not None:
        return cut_artwork(drawing, cut.outline, cut.corner, factor, name)
    size = Size(cut.size.width * factor, cut.size.height * factor)
    return make_empty_frame(size, phrase("changes_no_picture", lang), name)


def format_numbers(change: Change) -> str:
    """Return `−3 +3` for a replaced design, or `3 → 5  +2` if only the number of copies changed."""
    parts = [f"−{change.take_out}"] if change.take_out else []
    parts += [f"+{change.to_print}"] if change.to_print else []
    before, after = change.before, change.after
    if before and after and before.count != after.count and change.sort != "changed":
        parts.insert(0, f"{before.count} → {after.count} ")
    return " ".join(parts) or f"×{after.count if after else 0}"


_ROW_GAP, _SECTION_GAP = 2.8, 6.0
_TITLE_SHARE = 0.6
_DESIGNS_WIDE = 18.0
"""Width to the right of a section's heading for the number of its designs (mm)."""


def make_change_list(
    changes: VersionChanges, workshop: Workshop, settings: SheetSettings, file: str, accent: Paint
) -> Document:
    """Return the list of changes as a document. `file` names the matching sheets, or is empty.

    `settings` give the paper and the unprintable margin. Raise ProblemsFound with every text that can't be set.
    """
    lang, until = first_language(changes.lang), changes.until
    pages = ListPages(workshop, settings, lang, accent, "the list of changes")
    sheet = _ListSections(changes, lang, pages)
    title, draft = phrase("changes", lang), phrase("draft", lang, draft=until.draft)
    words = f"{until.title[lang]} · {draft} · {title} · {format_span(changes, lang)}"
    parts = [sheet.make_head(file), *sheet.iter_sections()]
    foot = Lettering(words, FACTS, pages.foot_width)
    return pages.make_document(f"{until.title[lang]} – {title}", parts, foot, format_span(changes, lang))


def format_span(changes: VersionChanges, lang: str) -> str:
    """Return which states are compared, as text: `since first`, or `first → second`."""
    if changes.until.label:
        return f"{changes.since.label} → {changes.until.label}"
    return phrase("changes_since", lang, since=changes.since.label)


@dataclass(frozen=True, slots=True)
class _ListSections:
    changes: VersionChanges
    lang: str
    pages: ListPages

    def make_head(self, file: str) -> Part:
        """Return the head: title, compared states and the numbers of copies."""
        changes, lang, width = self.changes, self.lang, self.pages.width
        style = replace(TITLE, paint=self.pages.accent)
        title = Lettering(changes.until.title[lang], style, width * _TITLE_SHARE, name="title")
        drafts = dict.fromkeys([changes.since.draft, changes.until.draft])
        shown = " → ".join(phrase("draft", lang, draft=draft) for draft in drafts)
        facts = [format_span(changes, lang), shown]
        if changes.copies_to_take_out:
            facts.append(count_phrase("changes_take", lang, changes.copies_to_take_out))
        if changes.copies_to_print:
            facts.append(count_phrase("changes_print", lang, changes.copies_to_print))
        head = self.pages.make_head(title, phrase("changes", lang).capitalize(), facts)
        if not (changes.copies_to_print or changes.copies_to_take_out):
            return head
        words = phrase("changes_legend", lang, file=file) if file else phrase("changes_legend_out", lang)
        return Stack((head, Lettering(words, TEXT, width, name="legend", above=3.0)))

    def iter_sections(self) -> Iterator[Part]:
        """Yield the changes by sort. Two short sections are placed side by side."""
        columns = Columns(self.pages.width)
        half = columns.number // 2
        of = ChangeCells(self.changes, columns)
        waiting: Stack | None = None
        for sort in SORTS:
            changes = self.changes.changes_of_sort(sort)
            cells = [cell for change in changes for cell in of.iter_cells(change)]
            rows = list(rows_from_cells(cells, columns))
            if sum(wide for _, wide in cells) > half:
                if waiting:
                    yield replace(waiting, above=_SECTION_GAP)
                waiting = None
                number = len(changes)
                yield replace(self._make_heading(sort, number, self.pages.width), above=_SECTION_GAP, keep=True)
                again = self._make_heading(sort, number, self.pages.width, continued=True)
                for at, row in enumerate(rows):
                    yield Stack((row,), _ROW_GAP, again=again if at else None)
            elif cells:
                heading = self._make_heading(sort, len(changes), columns.measure_span(half))
                short = Stack((heading, replace(rows[0], above=_ROW_GAP)))
                if waiting:
                    yield Row(((0.0, waiting), (columns.pitch * (columns.number - half), short)), _SECTION_GAP)
                waiting = None if waiting else short
        if waiting:
            yield replace(waiting, above=_SECTION_GAP)

    def _make_heading(self, sort: Sort, number: int, width: float, *, continued: bool = False) -> Stack:
        lang, aside = self.lang, _DESIGNS_WIDE
        words = phrase(f"changes_{sort}", lang)
        shown = phrase("continued", lang, title=words) if continued else words
        style = replace(SECTION, paint=self.pages.accent)
        title = Lettering(shown, style, width - aside - 1, name=f"section {sort}")
        designs = count_phrase("designs", lang, number)
        right = Lettering(designs, replace(FACTS, align="end"), aside, name=f"designs {sort}", above=1.0)
        return Stack((RuledLine(width), Row(((0.0, title), (width - aside, right)), above=1.4)))
