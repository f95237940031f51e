"""Kinsoku (Japanese line-breaking rules): where lines may break, spaces between characters, words and phrases."""

import re
from collections.abc import Hashable, Sequence
from enum import IntEnum
from functools import cache, lru_cache
from itertools import accumulate, pairwise
from typing import Any, TypeAlias

# Based on JIS X 4051 and the W3C's Requirements for Japanese Text Layout, reduced to horizontal text on small cards.

OPENING = "「『（【〈《〔［｛〖〘〚｟｢“‘〝"
CLOSING = "」』）】〉》〕］｝〗〙〛｠｣”’〟"
STOPS = "、。，．､｡"  # the marks that may hang past the edge
MIDDLE = "・：；･"
EXCLAIM = "！？‼⁇⁈⁉"
SMALL = "ぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶㇰㇱㇲㇳㇴㇵㇶㇷㇸㇹㇺㇻㇼㇽㇾㇿｧｨｩｪｫｬｭｮｯ"
NO_START_KANA = SMALL + "ーｰ々〻ゝゞヽヾ゛゜ﾞﾟ"
POSTFIX = "％‰‱℃℉°′″¢￠"
RANGE = "〜～〰゠‐‑–"  # also between two numbers
PREFIX = "￥＄￡￦€¥£№＃§〒＋－−±×"
LEADERS = "…‥―—─⋯"
ORDINAL = "第"
COUNTERS_IN_KANA = "つかこヵヶ"
"""Kana with which a counter word can begin: 3つ, 2か所, 5こ."""

SPACES = " \t\u3000\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2008\u2009\u200a\u205f"
GLUES = "\u00a0\u2007\u202f\u2060"

LETTERS = (  # of scripts with words, and other characters inside words
    "\u00aa\u00b5\u00baÀ-ÖØ-öø-\u02ff\u0370-\u1cff\u1d00-\u1fff\u2c00-\u2dff"
    "\ua4d0-\uabff\uac00-\ud7ff\ufb00-\ufdff\ufe70-\ufefc"
)
MARKS = (
    "\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f\u3099\u309a\ufe00-\ufe0f"
    "\U000e0100-\U000e01ef\U0001f3fb-\U0001f3ff"
)
WIDE = "\u2190-\u2bff\u2e80-\ua4cf\uf900-\ufaff\ufe10-\ufe1f\ufe30-\ufe6f\uff00-\uffef\U0001f000-\U0003ffff"
"""East Asian characters, symbols and pictographs, each of which is a unit of its own."""
BREAKERS = "-/\u2010–—"  # a word may be split behind these


class Edge(IntEnum):
    """Class of the first or last character of a glyph group, on which breaks and spaces depend."""

    __hash__ = (
        int.__hash__
    )  # an enum's own hashes the name, slowly: building the table of pairs needs it ten thousand times

    IDEOGRAPH = 0
    OPENING = 1
    CLOSING = 2
    STOP = 3
    MIDDLE = 4
    EXCLAIM = 5
    KANA = 6  # small kana and similar: never first on a line
    POSTFIX = 7
    PREFIX = 8
    LEADER = 9
    LETTER = 10
    DIGIT = 11
    WORD_OPENING = 12
    WORD_CLOSING = 13
    HYPHEN = 14
    SPACE = 15
    ICON = 16
    BREAK = 17  # U+200B
    GLUE = 18
    WIDE_NUMBER = 19
    RANGE = 20
    COUNTER = 21  # an ideograph or katakana: it stays on the line of the number that it counts
    ORDINAL = 22  # stays on the line of the number that follows


class Between(IntEnum):
    """Class of two neighbours on a line, which determines the space between them."""

    PLAIN = 0  # no room; widened last when a line is justified
    SOLID = 1  # never any room
    AFTER = 2  # the blank behind a closing mark
    BEFORE = 3  # the blank before an opening bracket
    QUARTER = 4  # a quarter em between Japanese and Latin
    OPENING_TIGHT = 5  # an opening bracket behind a closing mark: one of the two blanks
    OPENINGS = 6  # two opening brackets: no blank
    CLOSINGS = 7  # two closing marks: no blank
    ICON = 8
    SPACE = 9  # behind a word space


_NO_START = {
    Edge.CLOSING, Edge.STOP, Edge.MIDDLE, Edge.EXCLAIM, Edge.KANA, Edge.POSTFIX, Edge.RANGE, Edge.LEADER,
    Edge.WORD_CLOSING,
}  # fmt: skip
_NO_END = {Edge.OPENING, Edge.PREFIX, Edge.WORD_OPENING}
_WORD = {Edge.LETTER, Edge.DIGIT}
_LATIN = _WORD | {Edge.WORD_OPENING, Edge.WORD_CLOSING}
_NUMBERS = {Edge.DIGIT, Edge.WIDE_NUMBER}
_JAPANESE = {Edge.IDEOGRAPH, Edge.KANA, Edge.COUNTER, Edge.ORDINAL}
_CLOSERS = {Edge.CLOSING, Edge.STOP, Edge.MIDDLE}
NO_END_TRAILS = frozenset(_NO_END)

_SINGLE: dict[str, Edge] = {
    char: edge
    for edge, chars in (
        (Edge.OPENING, OPENING), (Edge.CLOSING, CLOSING), (Edge.STOP, STOPS), (Edge.MIDDLE, MIDDLE),
        (Edge.EXCLAIM, EXCLAIM), (Edge.KANA, NO_START_KANA), (Edge.POSTFIX, POSTFIX), (Edge.RANGE, RANGE),
        (Edge.PREFIX, PREFIX), (Edge.LEADER, LEADERS), (Edge.SPACE, SPACES), (Edge.GLUE, GLUES),
        (Edge.BREAK, "\u200b"), (Edge.ORDINAL, ORDINAL),
    )
    for char in chars
}  # fmt: skip
_WORD_OPENERS = set("([{<$£€¥#@\\“‘«‹„‚¿¡§")
_WORD_CLOSERS = set(",.!?:;)]}>%'\"”’»›…—–°′″")
_EITHER = set(".'\"…—–<>’")  # part of a letter or digit behind them
_PARTED = re.compile(rf"[^\W\d_]{{2}}[{BREAKERS}]$")
_WIDE = [(span[0], span[2]) for span in re.findall(".-.", WIDE)]


def find_edge(char: str) -> Edge:
    """Return the class of a single character that is not part of a word."""
    found = _SINGLE.get(char[0])
    if found is not None:
        return found
    if "０" <= char[0] <= "９":
        return Edge.WIDE_NUMBER
    if "\u4e00" <= char[0] <= "\u9fff" or "ァ" <= char[0] <= "ヺ" or char[0] in COUNTERS_IN_KANA:
        return Edge.COUNTER
    return Edge.LETTER if char[0].isalpha() and not is_wide(char[0]) else Edge.IDEOGRAPH


def is_wide(char: str) -> bool:
    """Return True if a character is a unit of its own, not part of a word."""
    return any(first <= char <= last for first, last in _WIDE)


def is_latin(char: str) -> bool:
    """Return True if a character is ASCII or a Latin letter, which use the Latin font even in Japanese."""
    return "!" <= char <= "~" or ("À" <= char <= "ɏ" and char not in "×÷") or "Ḁ" <= char <= "ỿ"


def find_word_edges(word: str) -> tuple[Edge, Edge]:
    """Return the classes of a Latin word at its start and at its end, including its punctuation."""
    first, last = word[0], word[-1]
    if first in _WORD_CLOSERS and not (first in _EITHER and word[1:2].isalnum()):
        lead = Edge.WORD_CLOSING
    elif first in _WORD_OPENERS:
        lead = Edge.WORD_OPENING
    else:
        lead = Edge.DIGIT if first.isdigit() else Edge.LETTER
    if _PARTED.search(word):
        trail = Edge.HYPHEN
    elif last in _WORD_OPENERS:
        trail = Edge.WORD_OPENING
    elif last in _WORD_CLOSERS and last not in "%°′″":
        trail = Edge.WORD_CLOSING
    else:
        trail = Edge.DIGIT if last.isdigit() else Edge.LETTER
    return lead, trail


def _can_break(trail: Edge, lead: Edge) -> bool:
    if trail == Edge.BREAK:
        return lead not in (Edge.BREAK, Edge.SPACE)
    if lead in (Edge.SPACE, Edge.BREAK, Edge.GLUE) or trail == Edge.GLUE:
        return False
    if lead in _NO_START or trail in _NO_END:
        return False
    if trail in _LATIN and lead in _LATIN:
        return False
    if trail == Edge.RANGE and lead in _NUMBERS:
        return False  # "1〜6"
    if {trail, lead} <= _NUMBERS:
        return False  # "１２34" is one number, whatever its digits' widths
    return not _is_one_unit(trail, lead)


def _is_one_unit(trail: Edge, lead: Edge) -> bool:
    """Return True if a number and its neighbour (counter, icon) belong together, so that lines avoid breaking there."""
    if trail in _NUMBERS and lead in (Edge.COUNTER, Edge.PREFIX):
        return True  # "3枚", "3×3"
    if trail == Edge.ORDINAL and lead in _NUMBERS:
        return True  # "第3"
    return {trail, lead} == {Edge.ICON} | ({trail, lead} & _WORD) and trail != lead  # "3" and its icon


def _find_between(trail: Edge, lead: Edge) -> Between:
    if trail == Edge.SPACE and lead not in (Edge.SPACE, Edge.BREAK):
        return Between.SPACE
    if lead in (Edge.SPACE, Edge.GLUE, Edge.BREAK) or trail in (Edge.GLUE, Edge.BREAK, Edge.SPACE):
        return Between.SOLID
    if trail in _CLOSERS:
        if lead == Edge.OPENING:
            return Between.OPENING_TIGHT
        return Between.CLOSINGS if lead in _CLOSERS else Between.AFTER
    if trail == Edge.OPENING:
        return Between.OPENINGS if lead == Edge.OPENING else Between.SOLID
    if lead in (Edge.OPENING, Edge.MIDDLE):
        return Between.BEFORE
    return _find_between_letters(trail, lead)


def _find_between_letters(trail: Edge, lead: Edge) -> Between:
    sides = {trail, lead}
    if lead in _CLOSERS or sides in ({Edge.LEADER}, {Edge.WIDE_NUMBER}):
        return Between.SOLID
    if Edge.ICON in sides:
        return Between.ICON if sides <= _JAPANESE | _WORD | {Edge.ICON} else Between.SOLID
    if sides & _WORD and sides & _JAPANESE:
        return Between.QUARTER
    if trail in _LATIN | {Edge.HYPHEN} and lead in _LATIN | {Edge.HYPHEN}:
        return Between.SOLID
    if sides & _WORD and sides & {Edge.POSTFIX, Edge.PREFIX, Edge.RANGE}:
        return Between.SOLID
    return Between.PLAIN


QUARTER = 250.0
"""The room between Japanese and Latin, 1/1000 em."""


def find_quarters(text: str) -> tuple[int, ...]:
    """Return after how many characters a line has a quarter em of space, between Japanese and Latin."""
    head = _UP_TO_THE_LAST.match(text)  # stamps of many cards have the same beginning, and end in a hash
    return _find_quarters(head[0]) if head else ()


_UP_TO_THE_LAST = re.compile(r".*[^\x00-\x7f].?", re.DOTALL)
"""Matches up to one character after the last non-ASCII one: behind it there are no such spaces."""


@lru_cache(1000)
def _find_quarters(text: str) -> tuple[int, ...]:
    pairs = pairwise(map(_find_single_edges, text))
    return tuple([at for at, ((_, trails), (lead, _)) in enumerate(pairs, 1) if trails[lead] in _QUARTERS])


_QUARTERS = frozenset({2 * Between.QUARTER, 2 * Between.QUARTER + 1})


@cache
def _find_single_edges(char: str) -> tuple[int, bytes]:
    """Return the class of a single character as the start of a group, and its row of `TRAILS` as the end of one."""
    lead, trail = find_word_edges(char) if is_latin(char) else (find_edge(char),) * 2
    return int(lead), TRAILS[trail]


TRAILS: tuple[bytes, ...] = tuple(
    bytes([*(2 * _find_between(trail, lead) + (not _can_break(trail, lead)) for lead in Edge), trail]) for trail in Edge
)
"""`TRAILS[trail][lead]`: `Between` times 2, plus 1 if no line may end there. Last, the trail: no row equals another."""

PARTED_AT_NEED = frozenset((TRAILS[trail], int(lead)) for trail in Edge for lead in Edge if _is_one_unit(trail, lead))
"""Pairs of a number and its counter, which a line may split only to avoid a forbidden mark at its end or start."""


_RIDES = re.compile(f"[{MARKS}\u200d]")
_SEPARATE = " \t\n\u00a0\u1680\u2000-\u200b\u202f\u205f\u2060\u3000"
_INSIDE = r"(?<=[^\W_])[’‐‑–](?=[^\W_])"  # in Japanese these are part of a word only between its letters
_UNCOMMON = re.compile("([^\u3000-\u3098\u309b-\u30ff\u3400-\u9fff！？（）：；]+)")


@cache
def _compile_pattern(cjk: bool) -> re.Pattern[str]:
    """Return a pattern for words (split behind hyphens), wide numbers and single characters with their marks."""
    if cjk:
        word, breakers = f"[!-,.0-~{LETTERS}{MARKS}\u00ad\u200c\u200d]|{_INSIDE}", "-/"
    else:
        word, breakers = f"[^{_SEPARATE}{WIDE}{BREAKERS}]", BREAKERS
    letter, breaker = r"[^\W\d_]", f"[{breakers}]"
    kept = f"(?<!{letter}{letter}){breaker}|{breaker}(?!{letter})"
    single = f"[\\s\\S](?:\u200d[\\s\\S]|[{MARKS}\u200d])*"
    return re.compile(f"(?:{word}|{kept})+{breaker}?|[０-９]+(?:[．，][０-９]+)*|{single}")


Pieces: TypeAlias = list[Sequence[str]]
"""The pieces of a text, in rows. Each character of a string is one piece."""


def split_japanese(text: str) -> Pieces:
    """Split Japanese text into pieces (words, or characters with their marks), faster than by one pattern."""
    if text.isascii() and text.isdigit():
        return [[text]]
    find = _compile_pattern(cjk=True).findall
    parts = _UNCOMMON.split(text)
    rows: Pieces = [*parts]
    for index in range(1, len(parts), 2):
        before, part = parts[index - 1], parts[index]
        if before and _RIDES.match(part):
            rows[index - 1], part = before[:-1], before[-1] + part
        rows[index] = find(part)
    return rows


def split_spaced(text: str) -> Pieces:
    """Return the pieces of a text in a language with spaces between words."""
    return [_compile_pattern(cjk=False).findall(text)]


def split_thai(text: str) -> Pieces:
    """Return the pieces of a Thai text, whose words a dictionary separates."""
    return [split_thai_piece(piece) for row in split_spaced(text) for piece in row]


WORD_SPACE = "\0 "
"""Stands for a space between two Latin words in Japanese or Chinese, which has the width of the Latin font."""


def mark_word_spaces(pieces: list[str]) -> list[str]:
    """Put `WORD_SPACE` for spaces between Latin words, and return the pieces."""
    at, last = -1, len(pieces) - 1
    for _ in range(pieces.count(" ")):
        at = pieces.index(" ", at + 1)
        if 0 < at < last and is_latin(pieces[at - 1][-1:]) and is_latin(pieces[at + 1][:1]):
            pieces[at] = WORD_SPACE
    return pieces


_THAI = "[\u0e01-\u0e5b]{2}"
_PARTS = "(?<=[^\u0e40-\u0e44\\W])(?=[^\u0e2f\u0e30-\u0e3a\u0e45-\u0e4e\\W])"
"""Keeps a vowel before its letter, and a mark or vowel behind it, with the letter."""

BETWEEN_WORDS = ""
"""An invisible piece at which a line may end."""


@cache
def _load_thai_parser() -> Any:
    import budoux  # here, as it takes a hundredth of a second

    return budoux.load_default_thai_parser()


@cache
def split_thai_piece(piece: str) -> tuple[str, ...]:
    """Return the words of a piece without spaces, with `BETWEEN_WORDS` between them."""
    if not re.search(_THAI, piece):
        return (piece,)
    may_end = {found.start() for found in re.finditer(_PARTS, piece)}
    words, start, at = list[str](), 0, 0
    for phrase in _load_thai_parser().parse(piece):
        at += len(phrase)
        if at in may_end:
            words += [piece[start:at], BETWEEN_WORDS]
            start = at
    return (*words, piece[start:])


_PARSERS = {
    "ja": "load_default_japanese_parser",
    "zh": "load_default_simplified_chinese_parser",
    "zh-hant": "load_default_traditional_chinese_parser",
    "zh-tw": "load_default_traditional_chinese_parser",
    "zh-hk": "load_default_traditional_chinese_parser",
}
_COMPOUND = "(?<=[一-鿿][えきぎけげしせちてねびべみめりれ])(?=[一-鿿])"
"""Places inside 捨て札 or 置き場, which the model splits: a verb's stem before an ideograph is half of a noun."""


class Phrasing:
    """The phrases of one language, whose model is loaded on first use. Without a model there are none."""

    def __init__(self, lang: str):
        self._lang = lang.lower()
        self._parser: Any = None
        self._ends: dict[str, frozenset[int]] = {}

    def find_ends(self, text: str) -> frozenset[int] | None:
        """Return the ends of phrases as counts of characters, or None if each word is a phrase."""
        loader = _PARSERS.get(self._lang) or _PARSERS.get(self._lang.split("-", 1)[0])
        if loader is None:
            return None
        found = self._ends.get(text)
        if found is None:
            if self._parser is None:
                import budoux  # here, as it takes a hundredth of a second and only titles need it

                self._parser = getattr(budoux, loader)()
            ends = frozenset(accumulate(map(len, self._parser.parse(text))))
            found = self._ends[text] = ends - {inside.start() for inside in re.finditer(_COMPOUND, text)}
        return found


ANYWHERE = Phrasing("")
"""The phrasing for titles that must be split inside phrases."""


def get_phrasing(memo: dict[Hashable, Any], lang: str) -> Phrasing:
    """Return the phrases of a language, kept in a font book's `memo` so that their model is loaded once."""
    found: Phrasing | None = memo.get(("phrasing", lang))
    if found is None:
        found = memo["phrasing", lang] = Phrasing(lang)
    return found
