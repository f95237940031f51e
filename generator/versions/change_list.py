"""The printable list of what changed: what to take out of the box, what to put in, old and new side by side."""

from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from math import ceil

from generator.dataclass import dataclass
from generator.faces.workshop import Workshop
from generator.model.drawing import Drawing, Paint
from generator.model.edition import first_language
from generator.model.phrases import count_phrase, phrase
from generator.model.sheet import Document
from generator.pages.blocks import Artwork, Lettering, Part, Row, RuledLine, Stack, TickBox
from generator.pages.cells import (
    GUTTER,
    Columns,
    add_caption,
    before_and_after,
    cut_artwork,
    in_rows,
    no_picture,
    scale_for,
)
from generator.pages.lists import ListPages
from generator.pages.style import COUNT, FACTS, NAME, SECTION, SMALL, TEXT, TICK, TITLE
from generator.sheets.settings import SheetSettings
from generator.units import Size
from generator.versions.changes import SORTS, Change, Changes, Hashes, Sort, pictures_of, sides_to_see
from generator.versions.version import Version

_ARROW = 4.4
"""mm between an old picture and its new one, where the arrow stands."""

_PAIR = Size(60.0, 26.0)
"""mm: how large an old and a new picture are at most, so that one sees what changed."""


@dataclass(frozen=True, slots=True)
class ChangeCells:
    """The cells of changes in the columns of a page."""

    changes: Changes
    columns: Columns
    seen: set[Hashes] = field(default_factory=set)

    def cells(self, change: Change) -> Iterator[tuple[Part, int]]:
        """A cell for each side that is to be looked at, and its columns; the first one has the numbers and the name.

        A side that changed as one above did is not shown again: the front alone says which piece it is.
        """
        compared = sides_to_see(self.changes, change, self.seen)
        for number, face in enumerate(compared or ("front",)):
            old, new = pictures_of(self.changes, change, face)
            shown, wide = self._picture_pair(change, old, new, paired=bool(compared))
            columns = min(self.columns.number, max(1, ceil((wide + GUTTER) / self.columns.pitch - 1e-6)))
            width = self.columns.span(columns)
            lines = [] if number else self._lines(change, width)
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
        """The old picture, an arrow and the new one, and their width; one picture where there is nothing to compare."""
        sides = [(self.changes.since, change.before, old, "old"), (self.changes.until, change.after, new, "new")]
        if not paired:
            sides = sides[:1] if change.sort == "removed" else sides[1:]
        known = [(version, design, drawing, when) for version, design, drawing, when in sides if design]
        factor = min(self._factor(version.kinds[one.kind].size, paired=len(known) > 1) for version, one, _, _ in known)
        arts = [
            picture_of(version, one.kind, drawing, factor, f"{when} {change.id}", self._lang)
            for version, one, drawing, when in known
        ]
        if len(arts) == 1:
            return arts[0], arts[0].size.width
        pair, wide = before_and_after(arts[0], arts[1], _ARROW)
        return Row(pair), wide

    def _factor(self, size: Size, *, paired: bool) -> float:
        """How large a piece is drawn, 1 for its true size."""
        if not paired:
            return scale_for(size, self.columns).factor
        widest = min(_PAIR.width, (self.columns.width - _ARROW) / 2)
        return min(widest / size.width, _PAIR.height / size.height, 1.0)

    def _lines(self, change: Change, width: float) -> list[list[tuple[float, Part]]]:
        """The numbers with a box to tick where something is to be done, the name, the id where it tells more."""
        tick: list[tuple[float, Part]] = [(0.0, TickBox(change.id))] if change.to_print or change.take_out else []
        left = TICK + 1.4 if tick else 0.0
        lines = [[*tick, (left, Lettering(numbers(change), COUNT, width - left, name=f"count {change.id}"))]]
        name = self.changes.name(change)
        if name:
            lines.append([(0.0, Lettering(name, NAME, width, name=f"name {change.id}"))])
        shown = change.id
        if change.sort == "renamed" and change.before:
            shown = f"{change.before.id} → {change.id}"
        lines.append([(0.0, Lettering(shown, SMALL, width, name=f"id {change.id}"))])
        return lines


def picture_of(version: Version, kind: str, drawing: Drawing | None, factor: float, name: str, lang: str) -> Artwork:
    """A face of a kind as it is cut out; an empty frame that says so where there is no picture of it."""
    cut = version.kinds[kind]
    if drawing is not None:
        return cut_artwork(drawing, cut.outline, cut.corner, factor, name)
    size = Size(cut.size.width * factor, cut.size.height * factor)
    return no_picture(size, phrase("changes_no_picture", lang), name)


def numbers(change: Change) -> str:
    """`−3 +3` of an exchanged design, `3 → 5  +2` where only the number of copies is another."""
    parts = [f"−{change.take_out}"] if change.take_out else []
    parts += [f"+{change.to_print}"] if change.to_print else []
    before, after = change.before, change.after
    if before and after and before.count != after.count and change.sort != "changed":
        parts.insert(0, f"{before.count} → {after.count} ")
    return " ".join(parts) or f"×{after.count if after else 0}"


_ROW_GAP, _SECTION_GAP = 2.8, 6.0
_TITLE_SHARE = 0.6
_DESIGNS_WIDE = 18.0
"""mm at the right of a section's heading, for the number of its designs."""


def change_list(changes: Changes, workshop: Workshop, settings: SheetSettings, file: str, accent: Paint) -> Document:
    """The list of changes in their language, written by `workshop`; `file` has the sheets to it, empty for none.

    `settings` give the paper and what the printer can't reach. ProblemsFound with every text that can't be set.
    """
    lang, until = first_language(changes.lang), changes.until
    pages = ListPages(workshop, settings, lang, accent, "the list of changes")
    sheet = _Sections(changes, lang, pages)
    title, draft = phrase("changes", lang), phrase("draft", lang, draft=until.draft)
    words = f"{until.title[lang]} · {draft} · {title} · {span(changes, lang)}"
    parts = [sheet.head(file), *sheet.sections()]
    foot = Lettering(words, FACTS, pages.foot_width)
    return pages.document(f"{until.title[lang]} – {title}", parts, foot, span(changes, lang))


def span(changes: Changes, lang: str) -> str:
    """From what to what: `since first`, or `first → second`."""
    if changes.until.label:
        return f"{changes.since.label} → {changes.until.label}"
    return phrase("changes_since", lang, since=changes.since.label)


@dataclass(frozen=True, slots=True)
class _Sections:
    """The parts of a list of changes."""

    changes: Changes
    lang: str
    pages: ListPages

    def head(self, file: str) -> Part:
        """Title, from what to what, how much there is to do."""
        changes, lang, width = self.changes, self.lang, self.pages.width
        style = replace(TITLE, paint=self.pages.accent)
        title = Lettering(changes.until.title[lang], style, width * _TITLE_SHARE, name="title")
        drafts = dict.fromkeys([changes.since.draft, changes.until.draft])
        shown = " → ".join(phrase("draft", lang, draft=draft) for draft in drafts)
        head = self.pages.head(title, phrase("changes", lang).capitalize(), [span(changes, lang), shown, *self._sums()])
        if not (changes.printed or changes.taken_out):
            return head
        words = phrase("changes_legend", lang, file=file) if file else phrase("changes_legend_out", lang)
        return Stack((head, Lettering(words, TEXT, width, name="legend", above=3.0)))

    def _sums(self) -> Iterator[str]:
        if self.changes.taken_out:
            yield count_phrase("changes_take", self.lang, self.changes.taken_out)
        if self.changes.printed:
            yield count_phrase("changes_print", self.lang, self.changes.printed)

    def sections(self) -> Iterator[Part]:
        """The changes by sort; two sorts of which half a page's width holds all stand side by side."""
        columns = Columns(self.pages.width)
        half = columns.number // 2
        of = ChangeCells(self.changes, columns)
        waiting: Stack | None = None
        for sort in SORTS:
            changes = self.changes.of(sort)
            cells = [cell for change in changes for cell in of.cells(change)]
            rows = list(in_rows(cells, columns))
            if sum(wide for _, wide in cells) > half:
                if waiting:
                    yield replace(waiting, above=_SECTION_GAP)
                waiting = None
                yield from self._long(sort, len(changes), rows)
            elif cells:
                heading = self._heading(sort, len(changes), columns.span(half))
                short = Stack((heading, replace(rows[0], above=_ROW_GAP)))
                if waiting:
                    yield Row(((0.0, waiting), (columns.pitch * (columns.number - half), short)), _SECTION_GAP)
                waiting = None if waiting else short
        if waiting:
            yield replace(waiting, above=_SECTION_GAP)

    def _long(self, sort: Sort, number: int, rows: Sequence[Row]) -> Iterator[Part]:
        """The changes of one sort in rows under their heading, which stands again where a page begins."""
        yield replace(self._heading(sort, number, self.pages.width), above=_SECTION_GAP, keep=True)
        again = self._heading(sort, number, self.pages.width, continued=True)
        for at, row in enumerate(rows):
            yield Stack((row,), _ROW_GAP, again=again if at else None)

    def _heading(self, sort: Sort, number: int, width: float, *, continued: bool = False) -> Stack:
        lang, aside = self.lang, _DESIGNS_WIDE
        words = phrase(f"changes_{sort}", lang)
        shown = phrase("continued", lang, title=words) if continued else words
        style = replace(SECTION, paint=self.pages.accent)
        title = Lettering(shown, style, width - aside - 1, name=f"section {sort}")
        designs = count_phrase("designs", lang, number)
        right = Lettering(designs, replace(FACTS, align="end"), aside, name=f"designs {sort}", above=1.0)
        return Stack((RuledLine(width), Row(((0.0, title), (width - aside, right)), above=1.4)))
