"""The report of a comparison: summary, differences, pictures and sentences, as the blocks of a book."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, groupby
from pathlib import Path
from typing import Any

from generator.base.display_list import Drawing, Group
from generator.base.geometry import Size, paper_size
from generator.base.languages import phrase
from generator.base.output_files import Delivery
from generator.books.page.blocks import (
    Artwork,
    Block,
    Book,
    Cover,
    Figure,
    Heading,
    Level,
    Listing,
    Paragraph,
    Part,
    Table,
    Text,
    change_texts,
)
from generator.books.page.book_pages import typeset_book
from generator.books.page.list_pages import make_frame, place_before_and_after
from generator.books.page.page_style import Format
from generator.books.rulebook.book_templates import VOLUMES
from generator.books.web_page import make_web_page
from generator.checks.deck_figures import format_cell
from generator.commands.plain_text import write_lines
from generator.drawing.faces.game_drawing import Workshop, find_accent
from generator.game.model import FaceName
from generator.game.rich_text import Plain, RunStyle
from generator.versions.change_list import make_cut_picture
from generator.versions.compare_games import FacePair, find_pairs
from generator.versions.differences import (
    ENTRY_SORTS,
    AbsentValue,
    Difference,
    DifferenceEntry,
    ValueChange,
    alike_words,
    book_name,
    entry_name,
    format_piece_counts,
    format_sides,
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
from generator.versions.sentences import SENTENCE_SORTS, SentenceChange, TextPart, word_runs

PAGE = Format("A4 comparison", paper_size("A4"), 18, 18, 18, 18, 2, 8, larger=0.85, opening="masthead")

SIGNS = {"added": "+", "removed": "-", "renamed": "=", "changed": "~", "moved": ">"}

_PAIR, _ARROW = Size(62.0, 35.0), 5.0
"""Maximum size of a pair of pictures, and the width of the arrow between them (mm)."""


def find_title(found: Difference, lang: str) -> str:
    """Return the game's title in the language, or its first title."""
    titles = found.until.title
    return titles.get(lang) or next(iter(titles.values()))


def format_span(found: Difference, lang: str) -> str:
    """Return which two states are compared, as text."""
    return f"{state_name(found.since, found.until, lang)} → {state_name(found.until, found.since, lang)}"


def make_difference_book(
    found: Difference, states: tuple[Version, Version], lang: str, used_by: Workshop | None, longest: int | None
) -> Book:
    """Return the report in a language, with pictures. Values have at most `longest` characters, if given.

    `used_by` is the workshop that writes the book, if it can draw faces again; otherwise they are small pictures.
    """
    title, span, name = find_title(found, lang), format_span(found, lang), phrase("diff", lang)
    blocks = DifferenceBlocks(found, lang, lang, longest=longest)
    pairs = [_make_pair(pair, states, lang, used_by) for pair in find_pairs(found, *states, lang)]
    cover = Cover(title, name.capitalize(), (span,))
    imprint = (f"{title} · {name} · {span}",)
    all_blocks = (*blocks.iter_summary(), *blocks.iter_groups(), *blocks.iter_figures(), *blocks.iter_pictures(pairs))
    all_blocks += (*blocks.iter_books(), *blocks.iter_left_out())
    return Book(found.until.id, lang, cover, all_blocks, imprint, name="diff", folded=False)


@dataclass(frozen=True, slots=True)
class DifferenceBlocks:
    """Makes the blocks of a comparison's report. A text in another language than `spoken` has its code in brackets.

    A group shows at most `most` items of a sort, and texts have at most `longest` characters. None: no limit.
    """

    found: Difference
    lang: str
    spoken: str
    most: int | None = None
    longest: int | None = None

    def iter_summary(self) -> Iterator[Block]:
        """Yield a table of the numbers of differences and the changed numbers of pieces, or that nothing differs."""
        if self.found.is_empty:
            yield Paragraph((Plain(phrase("diff_same", self.lang)),))
            return
        rows = [((Plain(what),), (Plain(much),)) for what, much in summarise(self.found, self.lang)]
        yield Table(((), ()), tuple(rows), ("left", "left"))
        if counted := format_piece_counts(self.found, self.lang):
            yield Paragraph((Plain(counted),))

    def iter_groups(self) -> Iterator[Block]:
        """Yield every group with differences: a list for each sort."""
        for group, entries in self.found.groups.items():
            yield self._make_heading(1, phrase(f"diff_{group}", self.lang), group)
            alike, others = group_changed_looks(entries)
            for sort in ENTRY_SORTS:
                chosen = [entry for entry in others if entry.sort == sort]
                listed = [self._describe_entry(group, entry) for entry in chosen[: self.most]]
                listed += self._count_more(len(chosen))
                if sort == "changed":
                    same = (alike_words(*key, some, self.lang) for key, some in alike.items())
                    listed += [_make_line((Plain(words),)) for words in same]
                if listed:
                    yield Listing(tuple(listed), sign=SIGNS[sort])

    def iter_figures(self) -> Iterator[Block]:
        """Yield the changed figures as a table, or nothing if none changed."""
        if not self.found.figures:
            return
        yield self._make_heading(1, phrase("figures", self.lang), "figures")
        rows = []
        for one in self.found.figures[: self.most]:
            what = f"{one.of} {one.row}".lstrip() + f", {phrase(f'figures_{one.column}', self.lang)}"
            rows.append(
                tuple((Plain(cell),) for cell in (what, *(format_cell(one.column, n) for n in (one.old, one.new))))
            )
        heads = tuple((Plain(phrase(f"diff_{when}", self.lang)),) for when in ("before", "after"))
        yield Table(((), *heads), tuple(rows), ("left", "right", "right"))
        if more := self._count_more(len(self.found.figures)):
            yield Listing(more)

    def iter_pictures(self, pairs: Sequence[Figure]) -> Iterator[Block]:
        """Yield a heading and these changed pictures, or nothing if there are none."""
        if pairs:
            words = f"{phrase('diff_before', self.lang)} → {phrase('diff_after', self.lang)}"
            yield self._make_heading(1, words, "pictures")
            yield from pairs

    def iter_books(self) -> Iterator[Block]:
        """Yield the changed sentences of each book below their headings."""
        for book, changes in self.found.books.items():
            if not changes:
                continue
            yield self._make_heading(1, book_name(book, self.lang), f"book {' '.join(book)}")
            of_sort = {sort: [change for change in changes if change.sort == sort] for sort in SENTENCE_SORTS}
            shown = set(chain.from_iterable(some[: self.most] for some in of_sort.values()))
            under_headings = groupby((one for one in changes if one in shown), key=lambda change: change.heading)
            for number, (heading, under) in enumerate(under_headings):
                if heading:
                    yield Heading(2, (Plain(heading),), f"book {' '.join(book)} {number}")
                for sort, some in groupby(under, key=lambda change: change.sort):
                    yield Listing(tuple(_make_line(self._mark_sentence(one)) for one in some), sign=SIGNS[sort])
            for sort, listed in of_sort.items():
                if more := self._count_more(len(listed)):
                    yield Listing(more, sign=SIGNS[sort])

    def iter_left_out(self) -> Iterator[Block]:
        """Yield what could not be compared, and why."""
        if self.found.not_compared:
            yield self._make_heading(1, phrase("diff_not_compared", self.lang), "not compared")
            yield from (Paragraph((Plain(note.to_sentence(self.lang)),)) for note in self.found.not_compared)

    def _make_heading(self, level: Level, words: str, anchor: str) -> Heading:
        return Heading(level, (Plain(words[:1].upper() + words[1:]),), anchor)

    def _count_more(self, number: int) -> tuple[tuple[Block, ...], ...]:
        """Return an entry that says how many of `number` items are left out beyond `most`, or nothing."""
        if self.most is None or number <= self.most:
            return ()
        return (_make_line((Plain(f"… {phrase('diff_more', self.lang, n=number - self.most)}"),)),)

    def _describe_entry(self, group: str, entry: DifferenceEntry) -> tuple[Block, ...]:
        """Return an item and a list of its values. An item with a single value takes one line."""
        name = entry_name(entry, self.lang)
        said = [Plain(f"{entry.was} → {entry.id}" if entry.was else entry.id, bold=True)]
        said += [Plain(f" ({self._shorten(name)})")] if name else []
        copies = max(entry.counts) if entry.counts and entry.sort in ("added", "removed") else 1
        said += [Plain(f" ×{copies}")] if copies != 1 else []
        values = [(value_label(value, self.spoken), self._mark_value(group, value)) for value in entry.values]
        if len(values) == 1 and not entry.values[0].path and not entry.looks:
            label, value = values[0]
            return _make_line((*said, Plain(f" {label}: " if label else ": "), *value))
        rows = [_make_line((Plain(f"{label}: "), *value) if label else value) for label, value in values]
        if entry.looks:
            faces = format_sides(entry.looks, self.lang)
            rows.append(_make_line((Plain(phrase("diff_looks", self.lang, faces=faces)),)))
        return (*_make_line(tuple(said)), *([Listing(tuple(rows))] if rows else []))

    def _mark_value(self, group: str, value: ValueChange) -> Text:
        """Return old and new value, or the common text with its changed words; in the group `marks`, both marks."""
        if group == "marks":
            return (Plain(f"{mark_name(value.old, self.lang)} → {mark_name(value.new, self.lang)}"),)
        runs = value_runs(value, self.lang)
        said = self._mark_runs(runs)
        if not any(run.sort == "same" for run in runs):
            parts = [Plain(self._shorten(run.text), bold=run.sort == "new" and len(runs) > 1) for run in runs]
            said = (parts[0], *(part for one in parts[1:] for part in (Plain(" → "), one)))
        mark = mark_words(value, self.lang)
        return (*said, Plain(f" ({mark})")) if mark else said

    def _mark_sentence(self, change: SentenceChange) -> Text:
        if change.sort == "changed" and change.old and change.new:
            return self._mark_runs(shorten_runs(word_runs(change.old.text, change.new.text)))
        sentence = change.new or change.old
        return (Plain(self._shorten(sentence.text) if sentence else ""),)

    def _mark_runs(self, runs: Iterable[TextPart]) -> Text:
        """Return a text with its old words struck and its new ones underlined."""
        manners = {"same": Plain(""), "old": _OLD, "new": _NEW}
        return tuple(manners[run.sort]._replace(text=self._shorten(run.text)) for run in runs)

    def _shorten(self, text: str) -> str:
        return text if self.longest is None or len(text) <= self.longest else f"{text[: self.longest]}…"


_OLD = Plain("", colour="#8c1d18", manner=RunStyle(struck=True))
_NEW = Plain("", bold=True, colour="#14532d", manner=RunStyle(underlined=True))


def _make_line(text: Text) -> tuple[Block, ...]:
    return (Paragraph(text),)


def _make_pair(pair: FacePair, states: tuple[Version, Version], lang: str, used_by: Workshop | None) -> Figure:
    """Return the old and the new picture of a side, with an arrow between (`used_by`: see `make_difference_book`)."""
    sides = ((states[0], pair.old_id, "diff_before"), (states[1], pair.entry.id, "diff_after"))
    drawn, missing = draw_side_by_side(sides, pair.face, lang, used_by)
    name, face = entry_name(pair.entry, lang), phrase(pair.face, lang)
    also = f" +{len(pair.also)}" if pair.also else ""
    caption = f"{name or pair.entry.id} · {pair.entry.id} {face}{also}" if name else f"{pair.entry.id} {face}{also}"
    alt = f"{name or pair.entry.id}, {face}, {phrase('diff_before', lang)} → {phrase('diff_after', lang)}"
    return Figure(drawn, alt, (Plain("; ".join([caption, *missing])),), firm=True)


def draw_side_by_side(
    sides: Sequence[tuple[Version, str, str]],
    face: FaceName,
    lang: str,
    used_by: Workshop | None,
    height: float = _PAIR.height,
) -> tuple[Drawing, list[str]]:
    """Return a side of one or two designs, with an arrow between them, and sentences about missing pictures.

    A design is given with its version and the phrase for that time. `height` is the most that it may have (mm).
    """
    kinds = [one.designs[design].kind for one, design, _ in sides]
    sizes = [one.kinds[kind].size for (one, _, _), kind in zip(sides, kinds, strict=True)]
    room = (_PAIR.width - _ARROW) / sum(size.width for size in sizes)
    factor = min(1.0, room, *(height / size.height for size in sizes))
    arts, missing = [], []
    for (one, design, when), kind in zip(sides, kinds, strict=True):
        drawing = one.draw_face(design, face, lang, used_by)
        arts.append(make_cut_picture(one, kind, drawing, factor, f"{when} {design} {face}", lang))
        missing += [] if drawing else [f"{phrase(when, lang)}: {phrase('changes_no_picture', lang)}"]
    parts: list[tuple[float, Part]] = [(0.0, arts[0])]
    wide = arts[0].size.width
    if len(arts) > 1:
        parts, wide = place_before_and_after(arts[0], arts[1], _ARROW)
    items = tuple(
        Group(art.items or (make_frame(art.size),), (1.0, 0.0, 0.0, 1.0, x, art.above))
        for x, art in parts
        if isinstance(art, Artwork)
    )
    return Drawing(wide, max(art.size.height for art in arts), 0.0, items, lang), missing


FORMAT = 1

LIMITS = ((60, 12), (200, 8))
"""Pairs (differences, items): with at most this number of differences, a group lists this number of items."""

_LEAST_SHOWN = 5
_LONGEST = 160
"""Maximum number of characters of a value or sentence in the text."""

_REPORT_LANGUAGE = "en"
"""Language of the text output, and of names that exist in it."""


def difference_lines(comparison: Difference, *, whole: bool = False) -> list[str]:
    """Return the lines of the text. Long lists and long values are shortened, unless `whole` is set."""
    most, longest = (None, None) if whole else (limit_for(comparison), _LONGEST)
    blocks = DifferenceBlocks(comparison, _REPORT_LANGUAGE, "", most, longest)
    lines = [f"{comparison.until.id}: {format_span(comparison, _REPORT_LANGUAGE)}"]
    if comparison.is_empty:
        lines[0] += f": {phrase('diff_same', _REPORT_LANGUAGE)}"
    else:
        lines += write_lines(blocks.iter_summary(), "  ")
    lines += write_lines((*blocks.iter_groups(), *blocks.iter_figures(), *blocks.iter_books(), *blocks.iter_left_out()))
    return [line.replace(" → ", " -> ") for line in lines]  # many terminals on Windows have no arrows


def limit_for(found: Difference) -> int:
    """Return how many items of one sort a group may show: the fewer, the more differences there are in all."""
    number = sum(map(len, (*found.groups.values(), *found.books.values())))
    return next((limit for most, limit in LIMITS if number <= most), _LEAST_SHOWN)


def difference_to_data(comparison: Difference) -> dict[str, Any]:
    """Return the difference as plain values for JSON. Keys keep their meaning as long as `format` stays equal."""
    states = (
        {"name": state.label, "game": state.id, "draft": state.draft, "title": dict(state.title)}
        for state in (comparison.since, comparison.until)
    )
    return {
        "format": FORMAT,
        **dict(zip(("since", "until"), states, strict=True)),
        "different": not comparison.is_empty,
        "pieces": list(comparison.pieces),
        "totals": {kind: list(numbers) for kind, numbers in comparison.totals.items()},
        "groups": {group: [_entry_data(entry) for entry in entries] for group, entries in comparison.groups.items()},
        **{
            volume.name: {
                book[1]: [*map(_change_data, changes)]
                for book, changes in comparison.books.items()
                if book[0] == volume.name
            }
            for volume in VOLUMES
        },
        "figures": [change._asdict() for change in comparison.figures],
        "not_compared": [note.to_sentence(_REPORT_LANGUAGE) for note in comparison.not_compared],
    }


def _entry_data(entry: DifferenceEntry) -> dict[str, Any]:
    data: dict[str, Any] = {"sort": entry.sort, "id": entry.id, "name": dict(entry.name)}
    if entry.was:
        data["was"] = entry.was
    if entry.counts is not None:
        data["counts"] = list(entry.counts)
    data["values"] = [_value_data(value) for value in entry.values]
    if entry.looks:
        data["looks"] = [{"face": face, "language": lang} for face, lang in entry.looks]
    return data


def _value_data(value: ValueChange) -> dict[str, Any]:
    """Return a change as plain values. A missing value has no key, because null can be a value."""
    data: dict[str, Any] = {"path": value.path, "language": value.lang}
    for side, what, mark in (("old", value.old, value.old_mark), ("new", value.new, value.new_mark)):
        if not isinstance(what, AbsentValue):
            data[side] = what
        if mark:
            data[f"{side}_mark"] = mark
    return data


def _change_data(change: SentenceChange) -> dict[str, Any]:
    data: dict[str, Any] = {"sort": change.sort, "heading": change.heading}
    if change.old:
        data["old"] = change.old.text
    if change.new:
        data["new"] = change.new.text
    if change.old and change.new and change.sort == "changed":
        data["words"] = [[run.sort, run.text] for run in word_runs(change.old.text, change.new.text)]
    return data


def write_report(files: Delivery, book: Book, workshop: Workshop, target: Path, page: Format = PAGE) -> None:
    """Write a report as a web page or as pages, by the target's suffix. Raise ProblemsFound for what can't be set."""
    ink = find_accent(workshop.game.palette)
    if target.suffix == ".html":
        files.put(target, make_web_page(book, workshop, ink, scripted=False).encode())
    else:
        document = typeset_book(_allow_breaks(book), workshop, page, ink)
        files.write(target, partial(workshop.write_document, document))


_LONG_WORD = re.compile(r"[^\s\u3000-\u9fff\uf900-\uffef]{24}(?=\S)")
"""Matches a long part of a word, after which a line may end. Chinese and Japanese need no such breaks."""


def _allow_breaks(book: Book) -> Book:
    """Return the book with breaks allowed in long words such as addresses, which are wider than a page."""

    def split(words: str) -> str:
        return _LONG_WORD.sub(lambda found: f"{found[0]}\u200b", words)

    def split_text(text: Text) -> Text:
        return tuple(part._replace(text=split(part.text)) if isinstance(part, Plain) else part for part in text)

    cover = replace(book.cover, title=split(book.cover.title), facts=tuple(map(split, book.cover.facts)))
    blocks = tuple(change_texts(block, split_text) for block in book.blocks)
    return replace(book, cover=cover, blocks=blocks, imprint=tuple(map(split, book.imprint)))
