"""The printable comparison: a summary, every difference in lines, pictures before and after, sentences."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from generator.checklist.cells import captioned, picture
from generator.checklist.document import FOOT, body_of, leaf_of
from generator.checklist.setting import GREY, ListSetter, ListStyle
from generator.checklist.things import HAIR, RULE, ListBlock, ListThing, NoRoom, paged, rule, side_by_side, stacked
from generator.errors import Problem, ProblemsFound
from generator.faces.workshop import LABEL_FAMILY, Workshop
from generator.model.drawing import Paint, Shape
from generator.model.game import Kind
from generator.model.outline import rectangle
from generator.model.phrases import phrase
from generator.model.sheet import Document
from generator.model.text import Plain, RichText
from generator.record.differences import Difference, Entry
from generator.record.editions import Edition
from generator.record.portraits import Pair, pairs
from generator.record.sentences import SentenceChange, TextPart, word_runs
from generator.record.values import ValueChange
from generator.record.wording import (
    alike_words,
    elided,
    label,
    looks_alone,
    mark_name,
    mark_words,
    name_of,
    pieces,
    shown,
    sides_in_words,
    state_name,
    summary,
    value_runs,
)
from generator.sheets.settings import SheetSettings
from generator.text.typecase import is_cjk
from generator.units import Rect

_HIGH, _BETWEEN, _ARROW, _ABOVE = 35.0, 8.0, 5.0, 3.0
"""mm: how high pictures are at most, so that small letters can be read; the room between pairs, within, above them."""

_NAME, _SMALL = ListStyle(6.5), ListStyle(6.0, paint=GREY)


@dataclass(frozen=True, slots=True)
class PairGallery:
    """The pairs of pictures of a comparison in a language, on a page `width` mm wide that `workshop` writes."""

    found: Difference
    states: tuple[Edition, Edition]
    lang: str
    setter: ListSetter
    workshop: Workshop
    width: float

    def rows(self) -> Iterator[ListBlock]:
        """Rows of pairs; none where nothing looks different."""
        row: list[ListBlock] = []
        at = 0.0
        for pair in pairs(self.found, *self.states, self.lang):
            cell, wide = self._cell(pair)
            if row and at + wide > self.width:
                yield side_by_side(row, _ABOVE)
                row, at = [], 0.0
            row.append(stacked([cell], at))
            at += wide + _BETWEEN
        if row:
            yield side_by_side(row, _ABOVE)

    def _cell(self, pair: Pair) -> tuple[ListBlock, float]:
        """A pair with its caption, and its width, mm."""
        since, until = self.states
        sides = [(since, pair.before), (until, pair.entry.id)]
        sizes = [one.kinds[one.designs[design].kind].size for one, design in sides]
        room = (self.width - _BETWEEN) / 2 - _ARROW
        factor = min([1.0, *(_HIGH / size.height for size in sizes), room / sum(size.width for size in sizes)])
        old, new = (self._picture(one, design, pair, factor) for one, design in sides)
        new = new.moved(old.box.width + _ARROW, 0)
        wide = new.box.right
        between = Rect(old.box.width, max(0.0, old.box.height / 2 - 1.2), _ARROW, 2.4)
        arrow = ListThing("rule", between, (Shape("M 1.3 0 L 3.7 1.2 L 1.3 2.4 Z", GREY, role="frame"),), "arrow")
        name = self.setter.text(name_of(pair.entry, self.lang) or pair.entry.id, wide, _NAME)
        more = f" +{len(pair.also)}" if pair.also else ""
        small = self.setter.text(f"{pair.entry.id} {phrase(pair.face, self.lang)}{more}", wide, _SMALL)
        whole = ListThing("picture", Rect(0, 0, wide, max(old.box.height, new.box.height)), ())
        block = captioned(whole, [[name], [small]])
        return ListBlock(block.height, (old, arrow, new, *block.things[1:])), wide

    def _picture(self, one: Edition, design: str, pair: Pair, factor: float) -> ListThing:
        """A side as it is cut out; an empty frame that says so where there is no picture of it."""
        kind = one.kinds[one.designs[design].kind]
        drawing = one.face(design, pair.face, self.lang, self.workshop)
        if drawing is not None:
            cut = Kind(kind.id, kind.name, kind.size, (), corner=kind.corner, outline=kind.outline)
            return picture(drawing, cut, factor, f"{'new' if one is self.states[1] else 'old'} {design} {pair.face}")
        box = Rect(0, 0, kind.size.width * factor, kind.size.height * factor)
        words = self.setter.text(phrase("changes_no_picture", self.lang), box.width, replace(_SMALL, least=2.0))
        frame = Shape(rectangle(box), stroke=RULE, width=HAIR, role="frame")
        return ListThing("picture", box, (frame, *words.items), f"no picture {design} {pair.face}")


_TITLE = ListStyle(24, least=12.0, leading=1.15, bold=True, title=True, phrases=True)
_SECTION = ListStyle(11, least=8.0, bold=True)
_HEADING = ListStyle(8.0, least=7.0, bold=True)
_TEXT = ListStyle(8.0, least=6.0, leading=1.35)
_OLD = replace(_TEXT, paint=GREY)
_FACTS = ListStyle(7.0, paint=GREY)
_SIGN, _INDENT = 4.0, 8.0
"""mm: the column of signs, how far values stand in."""

_LONGEST = 700
"""Characters of one value that a page shows; JSON has all of it."""

_RUN_IN, _PARAGRAPH = 40, 600
"""Characters: of a value that stands in a line with others, of such a paragraph."""

_SIGNS = {"added": "+", "removed": "−", "renamed": "=", "changed": "~", "moved": ">"}


def difference_page(
    found: Difference, states: tuple[Edition, Edition], lang: str, workshop: Workshop, paper: SheetSettings, ink: Paint
) -> Document:
    """The comparison in a language, written by `workshop`; `ink` is the paint of its headings.

    ProblemsFound with every text that can't be set, or where the paper (mm) has no room for it.
    """
    families = tuple(workshop.game.fonts) or (LABEL_FAMILY,)
    western = next((other for other in workshop.game.languages if not is_cjk(other)), "")
    setter = ListSetter(lang, families, LABEL_FAMILY, workshop.fonts, workshop.artist.icon, western)
    room = body_of(paper)
    sections = _Sections(found, lang, setter, ink, room.width)
    gallery = PairGallery(found, states, lang, setter, workshop, room.width)
    pictures = sections.pictures(list(gallery.rows()))
    blocks = [sections.head(), *sections.groups(), *pictures, *sections.books(), *sections.left_out()]
    try:
        leaves = paged(blocks, room)
    except NoRoom:
        what = f"the comparison finds no room on {paper.paper_name} with margins of {paper.margin:g} mm"
        raise ProblemsFound([Problem(None, what, "choose a larger --paper")]) from None
    pages = tuple(
        leaf_of(paper, number, [*leaf, *sections.foot(number, len(leaves), room)])
        for number, leaf in enumerate(leaves, start=1)
    )
    problems = [*setter.problems, *workshop.problems]
    if problems:
        raise ProblemsFound(problems)
    title = f"{sections.title} – {phrase('diff', lang)}"
    return Document(title, lang, pages, subject=sections.span, date=workshop.game.date)


@dataclass(frozen=True, slots=True)
class _Sections:
    """Sets the parts of a comparison, `width` mm wide."""

    found: Difference
    lang: str
    setter: ListSetter
    ink: Paint
    width: float

    @property
    def title(self) -> str:
        """The game's title in the language, its first where it has none in it."""
        titles = self.found.until.title
        return titles.get(self.lang) or next(iter(titles.values()))

    @property
    def span(self) -> str:
        """From which state to which."""
        since, until = self.found.since, self.found.until
        return f"{state_name(since, until, self.lang)} → {state_name(until, since, self.lang)}"

    def head(self) -> ListBlock:
        """Title and span, a rule, and what differs in how many places."""
        text, wide = self.setter.text, self.width * 0.6
        title = text(self.title, wide, replace(_TITLE, paint=self.ink), None, "title")
        kind = text(phrase("diff", self.lang).capitalize(), wide, replace(_HEADING, size=8.5))
        left = stacked([_block([title]), replace(_block([kind]), above=2.2)])
        right = replace(_FACTS, align="end")
        aside = stacked([_block([text(self.span, self.width - wide - 2, right)])], wide + 2)
        bottom = max(left.height, aside.height)
        lowered = [thing.moved(0, bottom - aside.height) for thing in aside.things]
        line = rule(0, bottom + 3, self.width, self.ink, 0.8)
        head = ListBlock(bottom + 3.8, (*left.things, *lowered, line))
        return stacked([head, *self._summary()])

    def _summary(self) -> Iterator[ListBlock]:
        if self.found.is_empty:
            yield replace(_block([self.setter.text(phrase("diff_same", self.lang), self.width, _TEXT)]), above=4.0)
            return
        lines, half = summary(self.found, self.lang), (self.width - 8) / 2
        rows = [self._sum(what, much, half) for what, much in lines]
        middle = (len(rows) + 1) // 2
        columns = [stacked(rows[:middle]), stacked(rows[middle:], half + 8)]
        yield side_by_side(columns, 4.0)
        counted = pieces(self.found, self.lang)
        if counted:
            yield replace(_block([self.setter.text(counted, self.width, _TEXT)]), above=2.4)

    def _sum(self, what: str, much: str, width: float) -> ListBlock:
        name = self.setter.text(what, width * 0.42, _HEADING)
        number = self.setter.text(much, width * 0.56, _TEXT)
        return replace(_block([name, number.moved(width * 0.44, 0)]), above=0.8)

    def heading(self, words: str, name: str) -> ListBlock:
        """A heading below a rule, kept with what follows."""
        title = self.setter.text(words, self.width, replace(_SECTION, paint=self.ink), None, f"section {name}")
        return ListBlock(1.4 + title.box.height, (rule(0, 0, self.width), title.moved(0, 1.4)), above=6.0, keep=True)

    def groups(self) -> Iterator[ListBlock]:
        """Every group of things that differ."""
        for group, entries in self.found.groups.items():
            yield self.heading(phrase(f"diff_{group}", self.lang).capitalize(), group)
            alike, others = looks_alone(entries)
            order = list(_SIGNS)
            ordered = sorted(others, key=lambda one: order.index(one.sort))
            for (sort, several), some in groupby(ordered, key=lambda one: (one.sort, self._runs_in(one))):
                if several:
                    yield from self._run_in(sort, [self._line(group, entry) for entry in some])
                else:
                    for entry in some:
                        yield from self._entry(group, entry)
            for (kind, looks), same in alike.items():
                yield self._signed("changed", (Plain(alike_words(kind, looks, same, self.lang)),))

    def _runs_in(self, entry: Entry) -> bool:
        """Whether a thing came or went without more to say than fits into a line with others."""
        if entry.sort not in ("added", "removed") or entry.looks or len(entry.values) > 1:
            return False
        return all(not value.path and len(shown(value.new, "")) < _RUN_IN for value in entry.values)

    def _run_in(self, sort: str, lines: Sequence[Sequence[Plain]]) -> Iterator[ListBlock]:
        """Short things one after the other, in paragraphs that a page can part."""
        said: list[Plain] = []
        for line in lines:
            if said and sum(len(part.text) for part in (*said, *line)) > _PARAGRAPH:
                yield self._signed(sort, tuple(said))
                said = []
            said += [Plain("  ·  "), *line] if said else line
        yield self._signed(sort, tuple(said))

    def _line(self, group: str, entry: Entry) -> list[Plain]:
        """What a thing is called, how many copies there are of one that came or went, its value if it is one."""
        name = name_of(entry, self.lang)
        said = [Plain(f"{entry.was} → {entry.id}" if entry.was else entry.id, bold=True)]
        said += [Plain(f" {name}")] if name else []
        copies = max(entry.counts) if entry.counts and entry.sort in ("added", "removed") else 1
        said += [Plain(f" ×{copies}")] if copies != 1 else []
        if self._is_single(entry):
            said += [Plain(" "), *self._value(group, entry.values[0])[0]]
        return said

    def _is_single(self, entry: Entry) -> bool:
        return len(entry.values) == 1 and not entry.looks and not label(entry.values[0], self.lang)

    def _entry(self, group: str, entry: Entry) -> Iterator[ListBlock]:
        """A thing on a line, its values below it; a single value without a name on the same line."""
        rows = [row for value in entry.values for row in self._value(group, value)][self._is_single(entry) :]
        if entry.looks:
            rows.append((Plain(phrase("diff_looks", self.lang, faces=sides_in_words(entry.looks, self.lang))),))
        yield replace(self._signed(entry.sort, tuple(self._line(group, entry))), keep=bool(rows))
        for row in rows:
            yield self._indented(row)

    def _value(self, group: str, value: ValueChange) -> list[tuple[Plain, ...]]:
        """A value in one line, or in two where only some words of it differ."""
        name = f"{label(value, self.lang)}: " if label(value, self.lang) else ""
        if group == "marks":
            return [(Plain(f"{name}{mark_name(value.old, self.lang)} → {mark_name(value.new, self.lang)}"),)]
        mark = mark_words(value, self.lang)
        end = [Plain(f" ({mark})")] if mark else []
        runs = value_runs(value, self.lang)
        if any(run.sort == "same" for run in runs):
            old, new = _halves(runs)
            return [
                (Plain(f"{name}{phrase('diff_before', self.lang)} "), *old),
                (Plain(f"{name}{phrase('diff_after', self.lang)} "), *new, *end),
            ]
        parts = [Plain(run.text, bold=run.sort == "new" and len(runs) > 1) for run in runs]
        joined = [parts[0], *(part for one in parts[1:] for part in (Plain(" → "), one))]
        return [(Plain(name), *joined, *end)]

    def pictures(self, rows: Sequence[ListBlock]) -> Iterator[ListBlock]:
        """The rows of a gallery under their heading; nothing for none."""
        if rows:
            words = f"{phrase('diff_before', self.lang)} → {phrase('diff_after', self.lang)}"
            yield self.heading(words.capitalize(), "pictures")
            yield from rows

    def books(self) -> Iterator[ListBlock]:
        """Each language's rulebook: sentences under their headings, the words that differ bold."""
        for lang, changes in self.found.books.items():
            if changes:
                yield self.heading(f"{phrase('diff_book', self.lang).capitalize()} ({lang})", f"book {lang}")
                yield from self._sentences(changes)

    def _sentences(self, changes: Sequence[SentenceChange]) -> Iterator[ListBlock]:
        for heading, under in groupby(changes, key=lambda change: change.heading):
            if heading:
                yield replace(_block([self.setter.text(heading, self.width, _HEADING)]), above=2.4, keep=True)
            for sort, some in groupby(under, key=lambda change: change.sort):
                if sort == "changed":
                    for change in some:
                        yield from self._changed(change)
                else:
                    yield from self._whole(sort, some)

    def _changed(self, change: SentenceChange) -> Iterator[ListBlock]:
        old, new = _halves(word_runs(change.old.text if change.old else "", change.new.text if change.new else ""))
        yield replace(self._signed("removed", old, _OLD), keep=True)
        yield self._signed("added", new)

    def _whole(self, sort: str, changes: Iterable[SentenceChange]) -> Iterator[ListBlock]:
        """Sentences that came, went or moved, one after the other as a text is read."""
        said = ""
        style = _OLD if sort == "removed" else _TEXT
        for change in changes:
            sentence = change.new or change.old
            if said and sentence and len(said) + len(sentence.text) > _PARAGRAPH:
                yield self._signed(sort, (Plain(said),), style)
                said = ""
            parted = bool(said) and not said.endswith(("。", "！", "？"))
            said += f"{' ' * parted}{sentence.text if sentence else ''}"
        yield self._signed(sort, (Plain(said),), style)

    def left_out(self) -> Iterator[ListBlock]:
        """What could not be compared, and why."""
        if self.found.not_compared:
            yield self.heading(phrase("diff_not_compared", self.lang).capitalize(), "not compared")
            for note in self.found.not_compared:
                yield self._signed("", (Plain(note.told(self.lang)),))

    def _signed(self, sort: str, said: Sequence[Plain], style: ListStyle = _TEXT) -> ListBlock:
        sign = self.setter.text(_SIGNS.get(sort, "·"), _SIGN, replace(style, bold=True))
        text = self.setter.text(_clipped(said), self.width - _SIGN, style, None, sort)
        return replace(_block([sign, text.moved(_SIGN, 0)]), above=1.2)

    def _indented(self, said: Sequence[Plain]) -> ListBlock:
        return replace(
            _block([self.setter.text(_clipped(said), self.width - _INDENT, _TEXT).moved(_INDENT, 0)]), above=0.5
        )

    def foot(self, page: int, of: int, room: Rect) -> list[ListThing]:
        """A page's running foot: game and span at the left, the page's number at the right."""
        left = self.setter.text(f"{self.title} · {phrase('diff', self.lang)} · {self.span}", self.width * 0.78, _FACTS)
        number = phrase("page", self.lang, page=page, of=of)
        right = self.setter.text(number, self.width * 0.2, replace(_FACTS, align="end"), None, "page")
        things = (rule(0, 0, self.width), left.moved(0, 1.6), right.moved(self.width * 0.8, 1.6))
        high = 1.6 + max(left.box.height, right.box.height)
        return [thing.moved(room.x, room.bottom + FOOT - high) for thing in things]


def _halves(runs: Sequence[TextPart]) -> tuple[tuple[Plain, ...], tuple[Plain, ...]]:
    """The old text and the new one, each with what the other lacks in bold, and without long parts of both."""
    short = elided(runs)
    old = tuple(Plain(run.text, bold=run.sort == "old") for run in short if run.sort != "new")
    new = tuple(Plain(run.text, bold=run.sort == "new") for run in short if run.sort != "old")
    return old, new


def _clipped(said: Sequence[Plain]) -> RichText:
    """The text up to the longest that is shown; a sentence or value that long is told by its beginning."""
    room, kept = _LONGEST, list[Plain]()
    for part in said:
        if len(part.text) > room:
            return (*kept, replace(part, text=f"{part.text[:room]}…"))
        kept.append(part)
        room -= len(part.text)
    return tuple(kept)


def _block(things: Sequence[ListThing]) -> ListBlock:
    return ListBlock(max(thing.box.bottom for thing in things), tuple(things))
