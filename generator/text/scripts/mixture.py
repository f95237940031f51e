"""A paragraph in which some of the writing runs from right to left: its sorts, each with its level."""

import re
import unicodedata
from collections.abc import Iterator, Sequence

from generator.model.scripts import runs_left
from generator.model.text import Icon, Inline, Plain, Reference, Ruby
from generator.text.fonts import Font
from generator.text.kinsoku import GLUES, SPACES, TRAILS, Edge, edge_of, is_wide, word_edges
from generator.text.scripts.bidi import levels
from generator.text.shaped import clusters_of
from generator.text.typecase import Rarity, Sort, Typecase

_AN_ICON = "\ufffc"
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
_RIDERS = re.compile("[\u200c\u200d\ufe00-\ufe0f]")
_ALONE = frozenset(SPACES + GLUES + "\u200b")
_UNJOINED = ("HEBREW", "THAANA", "SAMARITAN", "PHOENICIAN")
"""Scripts whose letters may be spaced: those of the others hold on to each other."""


class Mixture:
    """Gives the sorts of a paragraph's inlines in their order; `lang` says where its lines begin."""

    def __init__(self, inlines: Sequence[Inline], lang: str):
        self._text = "".join(map(_said, inlines))
        self._levels = levels(self._text, int(runs_left(lang)))
        if runs_left(lang) and _only_rightward(self._text):  # words of another language, their full stop at their end
            self._levels = [2] * len(self._text)
        self._shown = _UNSEEN.sub("\u200b", self._text)  # of the same length, and nothing that a font must have
        self._at = 0

    def passed(self, sorts: list[Sort]) -> list[Sort]:
        """The sorts of an icon, or of a base with its reading, which come next."""
        level = self._levels[self._at] if self._at < len(self._levels) else 0
        self._at += max(len("".join([sort.text for sort in sorts])), 1)
        return [_at_level(sort, level + level % 2) for sort in sorts]

    def sorts(self, text: str, case: Typecase, missing: list[str]) -> list[Sort]:
        """The sorts of the text that comes next; `missing` gets the characters that no font has."""
        sorts: list[Sort] = []
        for row in case.pieces(text):
            for piece in row:
                start, self._at = self._at, self._at + len(piece)
                sorts += self._piece(start, piece, case, missing)
        return sorts

    def _piece(self, start: int, piece: str, case: Typecase, missing: list[str]) -> list[Sort]:
        parts = list(self._of_one_level(start, start + len(piece)))
        sorts: list[Sort] = []
        for first, end in parts or [(start, start)]:
            level = self._levels[first] if end > first else 0
            text = self._text[first:end]
            if level % 2 and not _ALONE.issuperset(text):
                part = list(self._leftward(first, end, case, missing))
            else:
                part = [_at_level(sort, level) for sort in case.sorts(text or piece)]
                missing += case.missing(text)
            if sorts and part:  # a line ends between pieces, not within one
                sorts[-1] = sorts[-1]._replace(trail=TRAILS[Edge.GLUE])
                part[0] = part[0]._replace(lead=int(Edge.GLUE))
            sorts += part
        return sorts

    def _of_one_level(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        while start < end:
            last = start
            while last < end and self._levels[last] == self._levels[start]:
                last += 1
            yield start, last
            start = last

    def _leftward(self, start: int, end: int, case: Typecase, missing: list[str]) -> Iterator[Sort]:
        """Sorts of one font and script each, their letters joined across the bounds."""
        parts = list(self._of_one_font(start, end, case, missing))
        shown = "".join([self._shown[first:last] for _, first, last in parts]).replace("\u200b", "")
        if not shown:
            return
        lead, trail = (edge_of(shown[0]), edge_of(shown[-1])) if is_wide(shown[0]) else word_edges(shown)
        for number, (font, first, last) in enumerate(parts):
            before = lead if number == 0 else Edge.GLUE
            after = trail if number == len(parts) - 1 else Edge.GLUE
            yield self._sort(font, (first, last), case, before, after)

    def _of_one_font(self, start: int, end: int, case: Typecase, missing: list[str]) -> Iterator[tuple[Font, int, int]]:
        font, script, first = None, "", start
        for at in range(start, end):
            char = self._shown[at]
            if char == "\u200b" or _RIDERS.match(char):
                continue
            found, wanted = case.font_for(char), _script(char)
            if font is not None and font.glyph(char) and (not wanted or not script or wanted == script):
                script = script or wanted  # what stands by itself, or on a letter, is set in the font of its neighbour
                continue
            if found is None:
                missing.append(char)
            if font is not None:
                yield font, first, at
            font, script, first = found, wanted, at if found is not None else at + 1
        if font is not None:
            yield font, first, end

    def _sort(self, font: Font, span: tuple[int, int], case: Typecase, lead: Edge, trail: Edge) -> Sort:
        start, end = span
        apart = case.spacing if any(_script(char) in _UNJOINED for char in self._shown[start:end]) else 0.0
        drawn = font.leftward(self._shown, start, end, case.lang, not case.spacing)[::-1]
        clusters = [
            _UNSEEN.sub("", text) for text in clusters_of(self._text[start:end], [at - start for _, at, *_ in drawn])
        ]
        advances: list[float] = []
        for number, (_, _, advance, _, _) in enumerate(drawn):
            ends = number + 1 == len(drawn) or bool(clusters[number + 1])
            advances.append(advance + (apart if ends else 0.0))
        pen = width = sum(advances)
        spots = []
        for (_, _, advance, right, up), whole in zip(drawn, advances, strict=True):
            pen -= whole
            spots.append((pen + whole - advance + right, up))
        return Sort(
            "".join(clusters),
            int(lead),
            TRAILS[trail],
            width,
            font,
            natural=False,
            rarity=Rarity(level=self._levels[start], spots=tuple(spots)),
            glyphs=tuple([glyph for glyph, *_ in drawn]),
            clusters=tuple(clusters),
            advances=tuple(advances),
        )


def _only_rightward(text: str) -> bool:
    kinds = set(map(unicodedata.bidirectional, text))
    return "L" in kinds and not kinds & {"R", "AL"}


def _said(inline: Inline) -> str:
    """The characters of an inline as they count for the direction of their neighbours."""
    if isinstance(inline, Plain):
        return inline.text
    if isinstance(inline, Ruby):
        return "".join(inline.base)
    if isinstance(inline, Reference):
        return inline.component
    return _AN_ICON if isinstance(inline, Icon) else ""


def _script(char: str) -> str:
    """The script of a letter; empty for what every script may have."""
    return unicodedata.name(char, "").partition(" ")[0] if unicodedata.category(char)[0] == "L" else ""


def _at_level(sort: Sort, level: int) -> Sort:
    """The sort among others of its level; where lines begin at the right, its blanks are no line's first or last."""
    return sort._replace(left=0.0, right=0.0, rarity=sort.rarity._replace(level=level)) if level else sort
