"""Braille: a book as lines in reading order, translated by liblouis and paged as a BRF file (Braille Ready Format)."""

import re
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, assert_never

from generator.base.errors import Problem, ProblemsFound
from generator.base.languages import phrase
from generator.base.processes import find_program
from generator.books.page.blocks import (
    BackCover,
    Block,
    BlockGroup,
    Book,
    Box,
    Contents,
    Figure,
    Heading,
    Index,
    Link,
    Listing,
    Mention,
    Paragraph,
    Table,
    Term,
    Text,
    VerticalText,
    dissolve_groups,
    iter_contents_headings,
)
from generator.books.page.references import format_box_title
from generator.books.web_page import make_web_text
from generator.drawing.faces.game_drawing import Workshop
from generator.drawing.svg_writer import Definitions
from generator.game.model import Game
from generator.game.rich_text import Icon, Plain

CELLS, LINES = 40, 25
"""Cells per line and lines per page of most embossers."""

TABLES = {"en": "en-us-brf.dis,en-ueb-g2.ctb", "de": "en-us-brf.dis,de-g2.ctb"}
"""Contracted braille by language, by liblouis table name. Japanese braille needs readings that are not available."""

_PATIENCE = 60
"""Timeout for all texts of a game (seconds)."""

_FOREIGN = re.compile(r"[\u0590-\u1fff\u2e80-\ud7ff\uf900-\ufdff\ufe30-\uffee\U00010000-\U0010ffff]+")
"""Scripts that the tables lack; they would spell out each character's number."""

_NO_CELL = re.compile(r"[^\x00-\x7f]")

_ROOM, _SIDES, _APART = LINES - 1, 3, 2
"""Lines for text above the page number, side margins of centred text (cells), and cells left of a page number."""

_TOGETHER = 2
"""Number of lines after a heading that must be on its page."""

_SETTINGS = 5
"""Maximum number of passes that settle the page numbers in the table of contents; two are usually enough."""


class BraillePassage(NamedTuple):
    """A paragraph of a braille book.

    `first` and `others` are the indents of the first line and of the other lines (cells); `above` is the number of
    empty lines above. `kept`: the next passage begins on the same page. Other passages refer to this one by its
    `anchor`. `to` is the anchor of a passage whose page number is written at the end of the last line.
    """

    words: str
    first: int = 2
    others: int = 0
    above: int = 0
    centred: bool = False
    kept: bool = False
    anchor: str = ""
    to: str = ""


def translate_to_braille(lines: Sequence[str], lang: str, program: str) -> tuple[str, ...]:
    """Translate each line to braille ASCII with `program`, the path of liblouis's lou_translate.

    Characters of scripts that braille tables lack become three dots; a cell without an ASCII sign becomes `=`, the full
    cell. Raise ValueError if the program fails, KeyError for a language that is not in TABLES.
    """
    command = [program, TABLES[lang]]
    asked = "".join(f"{' '.join(_FOREIGN.sub('...', line).split())}\n" for line in lines).encode()
    try:
        done = subprocess.run(command, input=asked, capture_output=True, timeout=_PATIENCE, check=False)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ValueError(f"{program} did not answer: {error}") from error
    said = done.stdout.decode("utf-8", "replace").splitlines()
    if done.returncode or len(said) != len(lines):
        raise ValueError(f"{program} failed: {done.stderr.decode('utf-8', 'replace').strip() or 'no answer'}")
    return tuple(_NO_CELL.sub("=", line) for line in said)


def brf_from_paragraphs(paragraphs: Iterable[str]) -> bytes:
    """Return paragraphs as pages of braille ASCII. All lines but a paragraph's first are indented by two cells."""
    lines = [line for paragraph in paragraphs for line in _wrap_words(paragraph, 0, 2)]
    return _join_pages(lines[at : at + LINES] for at in range(0, len(lines), LINES))


def brf_from_passages(passages: Sequence[BraillePassage]) -> bytes:
    """Return a book in braille ASCII, with a page number in the lower corner of each page."""
    known: Mapping[str, int] = {}
    for _ in range(_SETTINGS):
        pages = _Pages(known)
        for at, passage in enumerate(passages):
            pages.add_passage(passage, passages[at + 1 :])
        if pages.found == known:
            break
        known = pages.found
    numbered = enumerate(pages.pages, 1)
    return _join_pages(
        [*page, *[""] * (_ROOM - len(page)), format_braille_number(n).rjust(CELLS)] for n, page in numbered
    )


def format_braille_number(number: int) -> str:
    """Return a number in braille ASCII, the same in all languages: the number sign, then letters for digits."""
    return "#" + "".join("JABCDEFGHI"[int(digit)] for digit in str(number))


@dataclass(slots=True)
class _Pages:
    """Braille pages being filled. `known` maps anchors to page numbers, as found in the previous pass."""

    known: Mapping[str, int]
    pages: list[list[str]] = field(default_factory=lambda: [[]])
    found: dict[str, int] = field(default_factory=dict)

    def add_passage(self, passage: BraillePassage, after: Sequence[BraillePassage]) -> None:
        """Add a passage; begin a new page if its first lines, with those in `after` that it is kept with, don't fit."""
        lines = self._wrap_passage(passage)
        above = passage.above if self.pages[-1] else 0
        needed = len(lines) if passage.kept else min(len(lines), _TOGETHER)
        for one in after if passage.kept else ():
            height = len(self._wrap_passage(one))
            needed += one.above + (height if one.kept else min(height, _TOGETHER))
            if not one.kept:
                break
        if len(self.pages[-1]) + above + needed > _ROOM and self.pages[-1]:
            self.pages.append([])
            above = 0
        if passage.anchor:
            self.found[passage.anchor] = len(self.pages)
        for line in [*[""] * above, *lines]:
            if len(self.pages[-1]) == _ROOM:
                self.pages.append([])
            self.pages[-1].append(line)

    def _wrap_passage(self, passage: BraillePassage) -> list[str]:
        if passage.centred:
            room = CELLS - 2 * _SIDES
            return [line.strip().center(CELLS).rstrip() for line in _wrap_words(passage.words, 0, 0, room)]
        number = format_braille_number(self.known.get(passage.to, 0)) if passage.to else ""
        room = CELLS - (len(number) + _APART if number else 0)
        lines = [*_wrap_words(passage.words, passage.first, passage.others, room)]
        return [*lines[:-1], lines[-1].ljust(CELLS - len(number)) + number] if number else lines


def _join_pages(pages: Iterable[Sequence[str]]) -> bytes:
    return ("\r\n\f".join("\r\n".join(page) for page in pages) + "\r\n\f").encode("ascii")


def _wrap_words(paragraph: str, first: int, others: int, room: int = CELLS) -> Iterator[str]:
    """Yield the lines of a paragraph, at most `room` cells long; `first` and `others` are indents. Split long words."""
    line, begun = " " * first, False
    for word in paragraph.split():
        longer = f"{line} {word}" if begun else f"{line}{word}"
        if len(longer) > room and begun:
            yield line
            longer = f"{' ' * others}{word}"
        while len(longer) > room:
            yield longer[:room]
            longer = f"{' ' * others}{longer[room:]}"
        line, begun = longer, True
    yield line if begun else ""


_MINOR, _MINUTE, _STEP = 4, 6, 2
"""Indent of a section's heading, of a step's heading, and of each list level (cells)."""


def read_passages(book: Book, workshop: Workshop) -> tuple[BraillePassage, ...]:
    """Return the text of a book from cover to imprint as passages, with pictures described and without the index."""
    words, _ = make_web_text(book, workshop, Definitions(workshop.fonts, workshop.hex_of_paint, Path))
    names = {icon.id: icon.name[book.lang] for icon in workshop.game.icons.values()}
    reading = _PassageReader(
        book.lang,
        lambda text: words.plain_from_text(_drop_named_icons(text, names)),
        tuple(iter_contents_headings(dissolve_groups(book.blocks))),
    )
    cover = book.cover
    said = [cover.title, cover.subtitle, *cover.facts]
    head = [BraillePassage(text, centred=True, above=int(at == 2)) for at, text in enumerate(said) if text]
    imprint = [BraillePassage(line, 0, 2, above=int(at == 0)) for at, line in enumerate(book.imprint)]
    return (*head, *reading.read_blocks(book.blocks), *imprint)


class _PassageReader:
    """Reader that turns the blocks of a book into passages; `plain` returns a text as characters, with icon names."""

    def __init__(self, lang: str, plain: Callable[[Text], str], headings: Sequence[Heading]):
        self._lang, self._plain, self._headings = lang, plain, headings

    def read_blocks(self, blocks: Iterable[Block], depth: int = 0) -> Iterator[BraillePassage]:
        """Yield the passages of blocks; `depth` is the number of lists around them."""
        for block in blocks:
            yield from self._read_block(block, depth)

    def _read_block(self, block: Block, depth: int) -> Iterator[BraillePassage]:
        if isinstance(block, Heading):
            indent = 0 if block.level == 1 else _MINOR if block.level == 2 else _MINUTE
            words = BraillePassage(self._plain(block.text), indent, indent, above=1, kept=True, anchor=block.anchor)
            yield words._replace(first=2, centred=True) if block.level == 1 else words
        elif isinstance(block, Paragraph):
            yield self._read_paragraph(block.text, depth)
        elif isinstance(block, Listing):
            yield from self._read_listing(block, depth)
        elif isinstance(block, Table):
            yield from self._read_table(block, depth)
        elif isinstance(block, Figure):
            yield from self._read_figure(block, depth)
        elif isinstance(block, Box):
            title = format_box_title(block, self._lang)
            yield from self._read_titled_blocks(title, self.read_blocks(block.blocks, depth))
        elif isinstance(block, VerticalText):
            texts = (self._read_paragraph(text, depth) for text in block.paragraphs)
            yield from self._read_titled_blocks(block.title, texts)
        elif isinstance(block, BlockGroup):
            yield from self.read_blocks(block.blocks, depth)
        elif isinstance(block, Contents):
            indented = [(heading, _STEP * (heading.level - 1)) for heading in self._headings]
            yield from self._read_titled_blocks(
                block.title,
                (
                    BraillePassage(self._plain(heading.text), by, by + 2 * _STEP, to=heading.anchor)
                    for heading, by in indented
                ),
            )
        elif not isinstance(block, Index | BackCover):  # neither has a meaning in braille
            assert_never(block)

    def _read_paragraph(self, text: Text, depth: int) -> BraillePassage:
        within = _STEP * depth
        return BraillePassage(self._plain(text), within if depth else _STEP, within)

    def _read_titled_blocks(self, title: Text, within: Iterable[BraillePassage]) -> Iterator[BraillePassage]:
        """Yield the title, if any, and the passages `within`; the first passage has an empty line above it."""
        if title:
            yield BraillePassage(self._plain(title), _MINOR, _MINOR, above=1, kept=True)
        for at, passage in enumerate(within):
            yield passage._replace(above=max(passage.above, int(at == 0 and not title)))

    def _read_listing(self, listing: Listing, depth: int) -> Iterator[BraillePassage]:
        """Yield a list's entries, numbered if it is ordered, indented by `depth` steps; further lines one step more."""
        for number, entry in enumerate(listing.entries, 1):
            mark = f"{number}. " if listing.ordered else ""
            for at, passage in enumerate(self.read_blocks(entry, depth + 1)):
                first = _STEP * depth
                begins = passage._replace(words=mark + passage.words, first=first, others=first + _STEP)
                yield passage if at else begins

    def _read_table(self, table: Table, depth: int) -> Iterator[BraillePassage]:
        """Yield the caption and one passage per row (`cell: head: cell; ...`), without columns in other languages."""
        if table.caption:
            yield self._read_paragraph(table.caption, depth)._replace(above=1, kept=True)
        own = [at for at in range(len(table.align)) if not table.langs or table.langs[at] in ("", self._lang)]
        head = [self._plain(table.head[at]) if table.head else "" for at in own]
        rows = [[self._plain(row[at]) for at in own] for row in table.rows]
        if len(own) <= 2:
            rows, head = ([head, *rows] if any(head) else rows), [""] * len(own)
        for cells in rows:
            pairs = [(name, cell) for name, cell in zip(head[1:], cells[1:], strict=True) if cell]
            named = [f"{name}: {cell}" if name else cell for name, cell in pairs]
            said = ": ".join(part for part in (cells[0] if cells else "", "; ".join(named)) if part)
            if said:
                yield BraillePassage(said, _STEP * depth, _STEP * (depth + 1))

    def _read_figure(self, shown: Figure, depth: int) -> Iterator[BraillePassage]:
        """Yield a figure's alternative text and its caption, indented by `depth` steps; without text the caption."""
        within = _STEP * depth
        alt = shown.alt or self._plain(shown.caption)
        yield BraillePassage(phrase("braille_picture", self._lang, shown=alt), within, within + _STEP, above=1)
        if shown.caption and shown.alt:
            yield BraillePassage(self._plain(shown.caption), within, within + _STEP)


def _drop_named_icons(text: Text, names: Mapping[str, str]) -> Text:
    """Return the text without icons before their own names, by id in `names`, so that no name is read twice."""
    parts = []
    for part, follows in zip(text, (*text[1:], None), strict=False):
        said = follows.text if isinstance(follows, Plain | Term | Link | Mention) else ""
        name = names.get(part.name, "") if isinstance(part, Icon) else ""
        if not name or not said.lstrip().casefold().startswith(name.casefold()):
            parts.append(part)
    return tuple(parts)


def list_braille_notes(game: Game, languages: Sequence[str]) -> tuple[str, ...]:
    """Return notes for languages (none: all) without a braille table. Raise ProblemsFound if none has one."""
    without = [lang for lang in game.languages if lang not in TABLES and (not languages or lang in languages)]
    if not any(lang in TABLES for lang in languages or game.languages):
        what = f"--braille: no requested language of {game.id} has a braille table"
        raise ProblemsFound([Problem(None, what, f"braille is made in {' and '.join(TABLES)}: add --lang en")])
    return tuple(
        f"{game.id}: no braille in {lang}; pnp writes braille in {' and '.join(TABLES)} only" for lang in without
    )


def lines_to_braille(lines: Sequence[str], lang: str) -> tuple[str, ...]:
    """Translate each line to braille ASCII. Raise ProblemsFound if liblouis is missing or fails."""
    program = find_program("lou_translate")
    if program is None:
        hint = "install liblouis (Debian: liblouis-bin), or leave --braille out"
        raise ProblemsFound([Problem(None, "--braille: lou_translate is not installed", hint)])
    try:
        return translate_to_braille(lines, lang, program)
    except ValueError as error:
        raise ProblemsFound([Problem(None, f"--braille: {error}", "reinstall liblouis")]) from error
