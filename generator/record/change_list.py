"""The printable list of what changed: what to take out of the box, what to put in, old and new side by side."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from generator.faces.workshop import Workshop
from generator.model.drawing import Paint
from generator.model.edition import first_language
from generator.model.phrases import counted, phrase
from generator.model.sheet import Document
from generator.pages.blocks import Lettering, Part, Row, RuledLine, Stack
from generator.pages.cells import Columns, in_rows
from generator.pages.lists import ListPages
from generator.pages.style import FACTS, SECTION, TEXT, TITLE
from generator.record.change_cells import ChangeCells
from generator.record.changes import SORTS, Changes, Sort
from generator.sheets.settings import SheetSettings

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
            yield counted("changes_take", self.lang, self.changes.taken_out)
        if self.changes.printed:
            yield counted("changes_print", self.lang, self.changes.printed)

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
        designs = counted("designs", lang, number)
        right = Lettering(designs, replace(FACTS, align="end"), aside, name=f"designs {sort}", above=1.0)
        return Stack((RuledLine(width), Row(((0.0, title), (width - aside, right)), above=1.4)))
