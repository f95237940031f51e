"""Texts in braille, as embossers take them (BRF): lines of 40 cells, 25 to a page, translated by liblouis' program."""

import re
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import NamedTuple

from generator.dataclass import dataclass

CELLS, LINES = 40, 25
"""Of a page, as most embossers have them."""

TABLES = {"en": "en-us-brf.dis,en-ueb-g2.ctb", "de": "en-us-brf.dis,de-g2.ctb"}
"""Contracted braille by language, as liblouis calls its tables. Japanese braille needs readings that nothing gives."""

_PATIENCE = 60
"""Seconds for all texts of a game."""

_FOREIGN = re.compile(r"[\u0590-\u1fff\u2e80-\ud7ff\uf900-\ufdff\ufe30-\uffee\U00010000-\U0010ffff]+")
"""Scripts of which the tables know nothing: they would spell out each character's number."""

_NO_CELL = re.compile(r"[^\x00-\x7f]")

_ROOM, _SIDES, _APART = LINES - 1, 3, 2
"""Of a book: lines above the page's number, cells at either side of what is centred, before a number at the margin."""

_TOGETHER = 2
"""So many lines of what follows a heading stand on its page."""

_SETTINGS = 5
"""Times that a book is set to find the pages that its contents give; they are right after two."""


class BraillePassage(NamedTuple):
    """A paragraph of a book: how many cells its first line and the others are indented, how many lines are above it.

    `kept`: what follows stands on the same page. `anchor` is what its page is known by, `to` the anchor whose page
    stands at the end of its last line.
    """

    words: str
    first: int = 2
    others: int = 0
    above: int = 0
    centred: bool = False
    kept: bool = False
    anchor: str = ""
    to: str = ""


def translated(lines: Sequence[str], lang: str, program: str) -> tuple[str, ...]:
    """Each line in braille ASCII; ValueError in words where the program fails; KeyError for other languages.

    Words of another script become three dots, a sign that the table lacks a full cell.
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


def as_brf(paragraphs: Iterable[str]) -> bytes:
    """Paragraphs in braille ASCII as pages: the first line of each from the margin, further ones two cells in."""
    lines = [line for paragraph in paragraphs for line in _wrapped(paragraph, 0, 2)]
    return _written(lines[at : at + LINES] for at in range(0, len(lines), LINES))


def book_brf(passages: Sequence[BraillePassage]) -> bytes:
    """A book of passages in braille ASCII: each page with its number in the corner below, as its contents give it."""
    known: Mapping[str, int] = {}
    for _ in range(_SETTINGS):
        pages = _Pages(known)
        for at, passage in enumerate(passages):
            pages.put(passage, passages[at + 1 :])
        if pages.found == known:
            break
        known = pages.found
    numbered = enumerate(pages.pages, 1)
    return _written([*page, *[""] * (_ROOM - len(page)), number_in_cells(n).rjust(CELLS)] for n, page in numbered)


def number_in_cells(number: int) -> str:
    """A number in braille ASCII, the same in all languages: the sign before it, and letters for digits."""
    return "#" + "".join("JABCDEFGHI"[int(digit)] for digit in str(number))


@dataclass(slots=True)
class _Pages:
    """Pages under way, filled with passages; `known` are the pages of anchors that an earlier setting found."""

    known: Mapping[str, int]
    pages: list[list[str]] = field(default_factory=lambda: [[]])
    found: dict[str, int] = field(default_factory=dict)

    def put(self, passage: BraillePassage, after: Sequence[BraillePassage]) -> None:
        """Set a passage; one that is kept with what comes after it begins a page where both have no room."""
        lines = self._lines(passage)
        above = passage.above if self.pages[-1] else 0
        needed = len(lines) if passage.kept else min(len(lines), _TOGETHER)
        for one in after if passage.kept else ():
            needed += one.above + (len(self._lines(one)) if one.kept else min(len(self._lines(one)), _TOGETHER))
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

    def _lines(self, passage: BraillePassage) -> list[str]:
        if passage.centred:
            room = CELLS - 2 * _SIDES
            return [line.strip().center(CELLS).rstrip() for line in _wrapped(passage.words, 0, 0, room)]
        number = number_in_cells(self.known.get(passage.to, 0)) if passage.to else ""
        room = CELLS - (len(number) + _APART if number else 0)
        lines = [*_wrapped(passage.words, passage.first, passage.others, room)]
        return [*lines[:-1], lines[-1].ljust(CELLS - len(number)) + number] if number else lines


def _written(pages: Iterable[Sequence[str]]) -> bytes:
    return ("\r\n\f".join("\r\n".join(page) for page in pages) + "\r\n\f").encode("ascii")


def _wrapped(paragraph: str, first: int, others: int, room: int = CELLS) -> Iterator[str]:
    """The lines of a paragraph, the first and the others indented by so many cells; a word longer than one is torn."""
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
