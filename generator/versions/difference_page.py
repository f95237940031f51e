"""The printable comparison: summary, differences in lines, pictures, sentences."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from generator.base.display_list import Paint
from generator.base.languages import phrase
from generator.books.page.blocks import Lettering, Part, Row, RuledLine, Stack
from generator.books.page.list_pages import ListPages, add_caption, place_before_and_after
from generator.books.page.page_style import FACTS, GREY, HEADING, LINE, NAME, SECTION, SMALL, TITLE, TypeStyle
from generator.drawing.faces.game_drawing import Workshop
from generator.game.print_pages import Document
from generator.game.rich_text import Plain, RichText
from generator.sheets.settings import SheetSettings
from generator.versions.change_list import make_cut_picture
from generator.versions.compare_games import FacePair, find_pairs
from generator.versions.differences import (
    Difference,
    DifferenceEntry,
    ValueChange,
    alike_words,
    book_name,
    entry_name,
    format_piece_counts,
    format_sides,
    format_value,
    group_changed_looks,
    mark_name,
    mark_words,
    shorten_runs,
    state_name,
    summarise,
    value_label,
    value_runs,
)
from generator.versions.game_version import Version
from generator.versions.sentences import SentenceChange, TextPart, word_runs

_HIGH, _BETWEEN, _ARROW, _ABOVE = 35.0, 8.0, 5.0, 3.0
"""Maximum height of pictures, and the space between pairs, within pairs and above them (mm)."""

_OLD = replace(LINE, paint=GREY)
_SIGN, _INDENT = 4.0, 8.0
"""Width of the column of signs, and indent of values (mm)."""

_LONGEST = 700
"""Maximum number of characters of one value on a page. The JSON has all of it."""

_RUN_IN, _PARAGRAPH = 40, 600
"""Maximum number of characters of a value that shares a line with others, and of such a paragraph."""

_SIGNS = {"added": "+", "removed": "−", "renamed": "=", "changed": "~", "moved": ">"}


def make_difference_page(
    comparison: Difference,
    states: tuple[Version, Version],
    lang: str,
    workshop: Workshop,
    paper: SheetSettings,
    ink: Paint,
) -> Document:
    """Return the comparison in a language as a document. `ink` is the paint of its headings.

    Raise ProblemsFound with every text that can't be set, or if the paper is too small.
    """
    pages = ListPages(workshop, paper, lang, ink, "the comparison")
    sections = _Sections(comparison, states, lang, pages)
    parts = [
        *(
            sections.make_head(),
            *sections.iter_groups(),
            *sections.iter_pictures(),
            *sections.iter_books(),
            *sections.iter_left_out(),
        )
    ]
    title, diff = sections.title, phrase("diff", lang)
    foot = Lettering(f"{title} · {diff} · {sections.span}", FACTS, pages.foot_width)
    return pages.make_document(f"{title} – {diff}", parts, foot, sections.span)


@dataclass(frozen=True, slots=True)
class _Sections:
    found: Difference
    states: tuple[Version, Version]
    lang: str
    pages: ListPages

    @property
    def width(self) -> float:
        """Width of the text (mm)."""
        return self.pages.width

    @property
    def title(self) -> str:
        """The game's title in the language, or its first title."""
        titles = self.found.until.title
        return titles.get(self.lang) or next(iter(titles.values()))

    @property
    def span(self) -> str:
        """The two states as text."""
        since, until = self.found.since, self.found.until
        return f"{state_name(since, until, self.lang)} → {state_name(until, since, self.lang)}"

    def make_head(self) -> Part:
        """Return the head: title, states and the number of differences."""
        title = Lettering(self.title, replace(TITLE, paint=self.pages.accent), self.width * 0.6, name="title")
        return Stack(
            (self.pages.make_head(title, phrase("diff", self.lang).capitalize(), [self.span]), *self._iter_summary())
        )

    def _iter_summary(self) -> Iterator[Part]:
        if self.found.is_empty:
            yield Lettering(phrase("diff_same", self.lang), LINE, self.width, above=4.0)
            return
        half = (self.width - 8) / 2
        rows = [self._make_sum(what, much, half) for what, much in summarise(self.found, self.lang)]
        middle = (len(rows) + 1) // 2
        yield Row([(x, Stack(some)) for x, some in ((0.0, rows[:middle]), (half + 8, rows[middle:]))], above=4.0)
        counted = format_piece_counts(self.found, self.lang)
        if counted:
            yield Lettering(counted, LINE, self.width, above=2.4)

    def _make_sum(self, what: str, much: str, width: float) -> Part:
        name, number = Lettering(what, HEADING, width * 0.42), Lettering(much, LINE, width * 0.56)
        return Row(((0.0, name), (width * 0.44, number)), above=0.8)

    def make_heading(self, words: str, name: str) -> Part:
        """Return a heading below a rule. It stays on the page of the next part."""
        style = replace(SECTION, paint=self.pages.accent)
        title = Lettering(words, style, self.width, name=f"section {name}", above=1.4)
        return Stack((RuledLine(self.width), title), above=6.0, keep=True)

    def iter_groups(self) -> Iterator[Part]:
        """Yield the parts of every group with differences."""
        for group, entries in self.found.groups.items():
            yield self.make_heading(phrase(f"diff_{group}", self.lang).capitalize(), group)
            alike, others = group_changed_looks(entries)
            order = list(_SIGNS)
            ordered = sorted(others, key=lambda one: order.index(one.sort))
            for (sort, several), some in groupby(ordered, key=lambda one: (one.sort, self._is_run_in(one))):
                if several:
                    yield from self._iter_paragraphs(sort, [self._entry_line(group, entry) for entry in some])
                else:
                    for entry in some:
                        rows = [row for value in entry.values for row in self._value_lines(group, value)][
                            self._is_single(entry) :
                        ]
                        if entry.looks:
                            rows.append(
                                (Plain(phrase("diff_looks", self.lang, faces=format_sides(entry.looks, self.lang))),)
                            )
                        yield self._make_signed_line(entry.sort, tuple(self._entry_line(group, entry)), keep=bool(rows))
                        for row in rows:
                            yield Row(((_INDENT, Lettering(_clip_text(row), LINE, self.width - _INDENT)),), above=0.5)
            for (kind, looks), same in alike.items():
                yield self._make_signed_line("changed", (Plain(alike_words(kind, looks, same, self.lang)),))

    def _is_run_in(self, entry: DifferenceEntry) -> bool:
        """Return True if an added or removed item is short enough to share a line with others."""
        if entry.sort not in ("added", "removed") or entry.looks or len(entry.values) > 1:
            return False
        return all(not value.path and len(format_value(value.new, "")) < _RUN_IN for value in entry.values)

    def _iter_paragraphs(self, sort: str, lines: Sequence[Sequence[Plain]]) -> Iterator[Part]:
        """Yield short items joined into paragraphs that can break across pages."""
        said: list[Plain] = []
        for line in lines:
            if said and sum(len(part.text) for part in (*said, *line)) > _PARAGRAPH:
                yield self._make_signed_line(sort, tuple(said))
                said = []
            said += [Plain("  ·  "), *line] if said else line
        yield self._make_signed_line(sort, tuple(said))

    def _entry_line(self, group: str, entry: DifferenceEntry) -> list[Plain]:
        """Return the line of an item: its name, the copies of an added or removed one, and its only value."""
        name = entry_name(entry, self.lang)
        said = [Plain(f"{entry.was} → {entry.id}" if entry.was else entry.id, bold=True)]
        said += [Plain(f" {name}")] if name else []
        copies = max(entry.counts) if entry.counts and entry.sort in ("added", "removed") else 1
        said += [Plain(f" ×{copies}")] if copies != 1 else []
        if self._is_single(entry):
            said += [Plain(" "), *self._value_lines(group, entry.values[0])[0]]
        return said

    def _is_single(self, entry: DifferenceEntry) -> bool:
        return len(entry.values) == 1 and not entry.looks and not value_label(entry.values[0], self.lang)

    def _value_lines(self, group: str, value: ValueChange) -> list[tuple[Plain, ...]]:
        """Return a value as one line, or as two lines if only some of its words changed."""
        name = f"{value_label(value, self.lang)}: " if value_label(value, self.lang) else ""
        if group == "marks":
            return [(Plain(f"{name}{mark_name(value.old, self.lang)} → {mark_name(value.new, self.lang)}"),)]
        mark = mark_words(value, self.lang)
        end = [Plain(f" ({mark})")] if mark else []
        runs = value_runs(value, self.lang)
        if any(run.sort == "same" for run in runs):
            old, new = _split_runs(runs)
            return [
                (Plain(f"{name}{phrase('diff_before', self.lang)} "), *old),
                (Plain(f"{name}{phrase('diff_after', self.lang)} "), *new, *end),
            ]
        parts = [Plain(run.text, bold=run.sort == "new" and len(runs) > 1) for run in runs]
        joined = [parts[0], *(part for one in parts[1:] for part in (Plain(" → "), one))]
        return [(Plain(name), *joined, *end)]

    def iter_pictures(self) -> Iterator[Part]:
        """Yield the changed pictures in pairs, in rows below a heading, or nothing if there are none."""
        shown = find_pairs(self.found, *self.states, self.lang)
        if shown:
            words = f"{phrase('diff_before', self.lang)} → {phrase('diff_after', self.lang)}"
            yield self.make_heading(words.capitalize(), "pictures")
        row: list[tuple[float, Part]] = []
        at = 0.0
        for pair in shown:
            cell, wide = self._make_pair(pair)
            if row and at + wide > self.width:
                yield Row(row, _ABOVE)
                row, at = [], 0.0
            row.append((at, cell))
            at += wide + _BETWEEN
        if row:
            yield Row(row, _ABOVE)

    def _make_pair(self, pair: FacePair) -> tuple[Part, float]:
        """Return a pair with its caption, and its width (mm)."""
        since, until = self.states
        sides = [(since, pair.old_id, "old"), (until, pair.entry.id, "new")]
        sizes = [one.kinds[one.designs[design].kind].size for one, design, _ in sides]
        room = (self.width - _BETWEEN) / 2 - _ARROW
        factor = min([1.0, *(_HIGH / size.height for size in sizes), room / sum(size.width for size in sizes)])
        arts = []
        for one, design, when in sides:
            drawing = one.draw_face(design, pair.face, self.lang, self.pages.workshop)
            name = f"{when} {design} {pair.face}"
            arts.append(make_cut_picture(one, one.designs[design].kind, drawing, factor, name, self.lang))
        both, wide = place_before_and_after(arts[0], arts[1], _ARROW)
        called = Lettering(entry_name(pair.entry, self.lang) or pair.entry.id, NAME, wide)
        more = f" +{len(pair.also)}" if pair.also else ""
        small = Lettering(f"{pair.entry.id} {phrase(pair.face, self.lang)}{more}", SMALL, wide)
        return add_caption(Row(both), [[(0.0, called)], [(0.0, small)]]), wide

    def iter_books(self) -> Iterator[Part]:
        """Yield the changed sentences of each book below their headings. Changed words are bold."""
        for book, changes in self.found.books.items():
            if changes:
                words = book_name(book, self.lang)
                yield self.make_heading(words[:1].upper() + words[1:], f"book {' '.join(book)}")
                yield from self._iter_sentences(changes)

    def _iter_sentences(self, changes: Sequence[SentenceChange]) -> Iterator[Part]:
        for heading, under in groupby(changes, key=lambda change: change.heading):
            if heading:
                yield Stack((Lettering(heading, HEADING, self.width),), above=2.4, keep=True)
            for sort, some in groupby(under, key=lambda change: change.sort):
                if sort == "changed":
                    for change in some:
                        old, new = _split_runs(
                            word_runs(change.old.text if change.old else "", change.new.text if change.new else "")
                        )
                        yield self._make_signed_line("removed", old, _OLD, keep=True)
                        yield self._make_signed_line("added", new)
                else:
                    yield from self._iter_whole_sentences(sort, some)

    def _iter_whole_sentences(self, sort: str, changes: Iterable[SentenceChange]) -> Iterator[Part]:
        """Yield added, removed or moved sentences as running text."""
        said = ""
        style = _OLD if sort == "removed" else LINE
        for change in changes:
            sentence = change.new or change.old
            if said and sentence and len(said) + len(sentence.text) > _PARAGRAPH:
                yield self._make_signed_line(sort, (Plain(said),), style)
                said = ""
            parted = bool(said) and not said.endswith(("。", "！", "？"))
            said += f"{' ' * parted}{sentence.text if sentence else ''}"
        yield self._make_signed_line(sort, (Plain(said),), style)

    def iter_left_out(self) -> Iterator[Part]:
        """Yield what could not be compared, and why."""
        if self.found.not_compared:
            yield self.make_heading(phrase("diff_not_compared", self.lang).capitalize(), "not compared")
            for note in self.found.not_compared:
                yield self._make_signed_line("", (Plain(note.to_sentence(self.lang)),))

    def _make_signed_line(
        self, sort: str, said: Sequence[Plain], style: TypeStyle = LINE, *, keep: bool = False
    ) -> Part:
        sign = Lettering(_SIGNS.get(sort, "·"), replace(style, bold=True), _SIGN)
        text = Lettering(_clip_text(said), style, self.width - _SIGN, name=sort)
        return Stack((Row(((0.0, sign), (_SIGN, text))),), 1.2, keep=keep)


def _split_runs(runs: Sequence[TextPart]) -> tuple[tuple[Plain, ...], tuple[Plain, ...]]:
    """Return the old and the new text with differences in bold. Long common parts are shortened."""
    short = shorten_runs(runs)
    old = tuple(Plain(run.text, bold=run.sort == "old") for run in short if run.sort != "new")
    new = tuple(Plain(run.text, bold=run.sort == "new") for run in short if run.sort != "old")
    return old, new


def _clip_text(parts: Sequence[Plain]) -> RichText:
    """Return the text up to the maximum length. A longer one ends with an ellipsis."""
    room, kept = _LONGEST, list[Plain]()
    for part in parts:
        if len(part.text) > room:
            return (*kept, part._replace(text=f"{part.text[:room]}…"))
        kept.append(part)
        room -= len(part.text)
    return tuple(kept)
