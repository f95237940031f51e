"""The printable list of what changed: what to take out of the box, what to put in, old and new side by side."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from generator.checklist.cells import Columns
from generator.checklist.document import FOOT, body_of, leaf_of
from generator.checklist.setting import GREY, ListSetter, ListStyle
from generator.checklist.things import ListBlock, ListThing, NoRoom, paged, rule, side_by_side, stacked
from generator.errors import Problem, ProblemsFound
from generator.faces.workshop import LABEL_FAMILY, Workshop
from generator.model.drawing import Paint
from generator.model.edition import first_language
from generator.model.phrases import counted, phrase
from generator.model.sheet import Document
from generator.record.change_cells import Cell, CellSetter, in_rows
from generator.record.changes import SORTS, Changes, Sort
from generator.sheets.settings import SheetSettings
from generator.text.typecase import is_cjk
from generator.units import Rect

_TITLE = ListStyle(24, least=12.0, leading=1.15, bold=True, title=True, phrases=True)
_SECTION = ListStyle(11, least=8.0, bold=True, phrases=True)
_TEXT = ListStyle(8.5, least=7.0, leading=1.35)
_FACTS = ListStyle(7.0, paint=GREY)
_ROW_GAP, _SECTION_GAP = 2.8, 6.0
_TITLE_SHARE = 0.6
_DESIGNS_WIDE = 18.0
"""mm at the right of a section's heading, for the number of its designs."""


def change_list(changes: Changes, workshop: Workshop, settings: SheetSettings, file: str, accent: Paint) -> Document:
    """The list of changes in their language, written by `workshop`; `file` has the sheets to it, empty for none.

    `settings` give the paper and what the printer can't reach. ProblemsFound with every text that can't be set.
    """
    lang, until = first_language(changes.lang), changes.until
    families = tuple(workshop.game.fonts) or (LABEL_FAMILY,)
    western = next((other for other in workshop.game.languages if not is_cjk(other)), "")
    setter = ListSetter(lang, families, LABEL_FAMILY, workshop.fonts, workshop.artist.icon, western)
    room = body_of(settings)
    sheet = _Sections(changes, setter, accent, room.width)
    blocks = [sheet.head(file), *sheet.sections()]
    try:
        leaves = paged(blocks, room)
    except NoRoom:
        what = f"the list of changes finds no room on {settings.paper_name} with margins of {settings.margin:g} mm"
        raise ProblemsFound([Problem(None, what, "choose a larger --paper or a smaller --margin")]) from None
    pages = tuple(
        leaf_of(settings, number, [*leaf, *_foot(sheet, number, len(leaves), room)])
        for number, leaf in enumerate(leaves, start=1)
    )
    problems = [*setter.problems, *workshop.problems]
    if problems:
        raise ProblemsFound(problems)
    title = f"{until.title[lang]} – {phrase('changes', lang)}"
    return Document(title, lang, pages, subject=span(changes, lang), date=workshop.game.date)


def span(changes: Changes, lang: str) -> str:
    """From what to what: `since first`, or `first → second`."""
    if changes.until.label:
        return f"{changes.since.label} → {changes.until.label}"
    return phrase("changes_since", lang, since=changes.since.label)


@dataclass(frozen=True, slots=True)
class _Sections:
    """Sets the parts of a list of changes, `width` mm wide."""

    changes: Changes
    setter: ListSetter
    accent: Paint
    width: float

    @property
    def lang(self) -> str:
        return first_language(self.changes.lang)

    def head(self, file: str) -> ListBlock:
        """Title, from what to what, how much there is to do; a rule in the accent's colour below."""
        changes, lang, text = self.changes, self.lang, self.setter.text
        wide = self.width * _TITLE_SHARE
        title = text(changes.until.title[lang], wide, replace(_TITLE, paint=self.accent), None, "title")
        kind = text(phrase("changes", lang).capitalize(), wide, replace(_TEXT, bold=True))
        drafts = dict.fromkeys([changes.since.draft, changes.until.draft])
        shown = " → ".join(phrase("draft", lang, draft=draft) for draft in drafts)
        facts = [span(changes, lang), shown, *self._sums()]
        right = replace(_FACTS, align="end")
        lines = [text(fact, self.width - wide - 2, right, None, f"fact {fact}") for fact in facts]
        left = stacked([ListBlock(title.box.height, (title,)), ListBlock(kind.box.height, (kind,), above=2.2)])
        aside = stacked([ListBlock(line.box.height, (line,), above=1.3) for line in lines], wide + 2)
        bottom = max(left.height, aside.height)
        lowered = [thing.moved(0, bottom - aside.height) for thing in aside.things]
        line = rule(0, bottom + 3, self.width, self.accent, 0.8)
        head = ListBlock(bottom + 3.8, (*left.things, *lowered, line))
        if not (changes.printed or changes.taken_out):
            return head
        words = phrase("changes_legend", lang, file=file) if file else phrase("changes_legend_out", lang)
        legend = text(words, self.width, _TEXT, None, "legend")
        return stacked([head, ListBlock(legend.box.height, (legend,), above=3.0)])

    def _sums(self) -> Iterator[str]:
        if self.changes.taken_out:
            yield counted("changes_take", self.lang, self.changes.taken_out)
        if self.changes.printed:
            yield counted("changes_print", self.lang, self.changes.printed)

    def sections(self) -> Iterator[ListBlock]:
        """The changes by sort; two sorts of which half a page's width holds all stand side by side."""
        columns = Columns(self.width)
        half = columns.number // 2
        setter = CellSetter(self.changes, self.setter, columns)
        waiting: ListBlock | None = None
        for sort in SORTS:
            changes = self.changes.of(sort)
            cells = [cell for change in changes for cell in setter.cells(change)]
            if sum(cell.columns for cell in cells) > half:
                if waiting:
                    yield waiting
                waiting = None
                yield from self._long(sort, len(changes), cells, columns)
            elif cells:
                short = self._short(sort, len(changes), cells, columns.span(half))
                if waiting:
                    right = stacked([short], columns.pitch * (columns.number - half))
                    yield side_by_side([waiting, right], _SECTION_GAP)
                waiting = None if waiting else short
        if waiting:
            yield waiting

    def _long(self, sort: Sort, number: int, cells: Sequence[Cell], columns: Columns) -> Iterator[ListBlock]:
        """The changes of one sort in rows under their heading, which stands again where a page begins."""
        yield replace(self._heading(sort, number, self.width), above=_SECTION_GAP, keep=True)
        again = self._heading(sort, number, self.width, continued=True)
        for at, row in enumerate(in_rows(cells, columns)):
            yield replace(row, above=_ROW_GAP, again=again if at else None)

    def _short(self, sort: Sort, number: int, cells: Sequence[Cell], width: float) -> ListBlock:
        """The changes of one sort in one row, with their heading above it."""
        (row,) = in_rows(cells, Columns(self.width))
        heading = self._heading(sort, number, width)
        return replace(stacked([heading, replace(row, above=_ROW_GAP)]), above=_SECTION_GAP)

    def _heading(self, sort: Sort, number: int, width: float, *, continued: bool = False) -> ListBlock:
        lang, text, aside = self.lang, self.setter.text, _DESIGNS_WIDE
        words = phrase(f"changes_{sort}", lang)
        shown = phrase("continued", lang, title=words) if continued else words
        title = text(shown, width - aside - 1, replace(_SECTION, paint=self.accent), None, f"section {sort}")
        right = text(counted("designs", lang, number), aside, replace(_FACTS, align="end"), None, f"designs {sort}")
        things = (rule(0, 0, width), title.moved(0, 1.4), right.moved(width - aside, 2.4))
        return ListBlock(1.4 + title.box.height, things)

    def foot(self, page: int, of: int) -> ListBlock:
        """A page's running foot: game, draft and span at the left, the page's number at the right."""
        lang, text, changes = self.lang, self.setter.text, self.changes
        draft = phrase("draft", lang, draft=changes.until.draft)
        words = f"{changes.until.title[lang]} · {draft} · {phrase('changes', lang)} · {span(changes, lang)}"
        left = text(words, self.width * 0.78, _FACTS)
        number = phrase("page", lang, page=page, of=of)
        right = text(number, self.width * 0.2, replace(_FACTS, align="end"), None, "page")
        things = (rule(0, 0, self.width), left.moved(0, 1.6), right.moved(self.width * 0.8, 1.6))
        return ListBlock(1.6 + max(left.box.height, right.box.height), things)


def _foot(sections: _Sections, number: int, of: int, room: Rect) -> list[ListThing]:
    foot = sections.foot(number, of)
    return [thing.moved(room.x, room.bottom + FOOT - foot.height) for thing in foot.things]
