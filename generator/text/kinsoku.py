"""Where a line may break and what stands between two neighbours: the classes of characters and the table of pairs.

After JIS X 4051 and the W3C's Requirements for Japanese Text Layout, cut down to horizontal text on small cards.
"""

import re
from enum import IntEnum
from functools import cache, lru_cache
from itertools import pairwise

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
"""Kana that a counter may begin with: 3つ, 2か所, 5こ."""

SPACES = " \t\u3000\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2008\u2009\u200a\u205f"
GLUES = "\u00a0\u2007\u202f\u2060"

LETTERS = (  # of scripts that are written in words, with what stands in them
    "\u00aa\u00b5\u00baÀ-ÖØ-öø-\u02ff\u0370-\u1cff\u1d00-\u1fff\u2c00-\u2dff"
    "\ua4d0-\uabff\uac00-\ud7ff\ufb00-\ufdff\ufe70-\ufefc"
)
MARKS = (
    "\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f\u3099\u309a\ufe00-\ufe0f"
    "\U000e0100-\U000e01ef\U0001f3fb-\U0001f3ff"
)
WIDE = "\u2190-\u2bff\u2e80-\ua4cf\uf900-\ufaff\ufe10-\ufe1f\ufe30-\ufe6f\uff00-\uffef\U0001f000-\U0003ffff"
"""East Asian characters, symbols and pictographs: each stands by itself."""
BREAKERS = "-/\u2010–—"  # a word may be parted behind these


class Edge(IntEnum):
    """What a sort is to its neighbour on one side. The order means nothing."""

    __hash__ = (
        int.__hash__
    )  # an enum's own hashes the name, slowly: the table of pairs looks in sets ten thousand times

    IDEOGRAPH = 0
    OPENING = 1
    CLOSING = 2
    STOP = 3
    MIDDLE = 4
    EXCLAIM = 5
    KANA = 6  # small kana and the like: never first on a line
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
    """What stands between two neighbours on a line."""

    PLAIN = 0  # nothing; opened up last when a line is justified
    SOLID = 1  # nothing, ever
    AFTER = 2  # the blank behind a closing mark
    BEFORE = 3  # the blank before an opening bracket
    QUARTER = 4  # a quarter em between Japanese and Latin
    OPENING_TIGHT = 5  # an opening bracket behind a closing mark: one blank of the two
    OPENINGS = 6  # two opening brackets: no blank
    CLOSINGS = 7  # two closing marks: no blank
    ICON = 8
    SPACE = 9  # behind a word space


_NO_START = {
    Edge.CLOSING,
    Edge.STOP,
    Edge.MIDDLE,
    Edge.EXCLAIM,
    Edge.KANA,
    Edge.POSTFIX,
    Edge.RANGE,
    Edge.LEADER,
    Edge.WORD_CLOSING,
}
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
        (Edge.OPENING, OPENING),
        (Edge.CLOSING, CLOSING),
        (Edge.STOP, STOPS),
        (Edge.MIDDLE, MIDDLE),
        (Edge.EXCLAIM, EXCLAIM),
        (Edge.KANA, NO_START_KANA),
        (Edge.POSTFIX, POSTFIX),
        (Edge.RANGE, RANGE),
        (Edge.PREFIX, PREFIX),
        (Edge.LEADER, LEADERS),
        (Edge.SPACE, SPACES),
        (Edge.GLUE, GLUES),
        (Edge.BREAK, "\u200b"),
        (Edge.ORDINAL, ORDINAL),
    )
    for char in chars
}
_WORD_OPENERS = set("([{<$£€¥#@\\“‘«‹„‚¿¡§")
_WORD_CLOSERS = set(",.!?:;)]}>%'\"”’»›…—–°′″")
_EITHER = set(".'\"…—–<>’")  # before a letter or digit they belong to it
_PARTED = re.compile(rf"[^\W\d_]{{2}}[{BREAKERS}]$")
_WIDE = [(span[0], span[2]) for span in re.findall(".-.", WIDE)]


def edge_of(char: str) -> Edge:
    """The class of a single character that is no part of a word."""
    found = _SINGLE.get(char[0])
    if found is not None:
        return found
    if "０" <= char[0] <= "９":
        return Edge.WIDE_NUMBER
    if "\u4e00" <= char[0] <= "\u9fff" or "ァ" <= char[0] <= "ヺ" or char[0] in COUNTERS_IN_KANA:
        return Edge.COUNTER
    return Edge.LETTER if char[0].isalpha() and not is_wide(char[0]) else Edge.IDEOGRAPH


def is_wide(char: str) -> bool:
    """Whether a character stands by itself, not in words."""
    return any(first <= char <= last for first, last in _WIDE)


def is_latin(char: str) -> bool:
    """Whether a character is ASCII or a Latin letter: set in the Latin font also in Japanese."""
    return "!" <= char <= "~" or ("À" <= char <= "ɏ" and char not in "×÷") or "Ḁ" <= char <= "ỿ"


def word_edges(word: str) -> tuple[Edge, Edge]:
    """The classes of a Latin word at its start and at its end, its punctuation included."""
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


def _code(trail: Edge, lead: Edge) -> int:
    return 2 * _between(trail, lead) + (not _may_break(trail, lead))


def _may_break(trail: Edge, lead: Edge) -> bool:
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
    return not _belong(trail, lead)


def _belong(trail: Edge, lead: Edge) -> bool:
    """Whether a number and its neighbour are read as one: no line ends between them, unless all else is worse."""
    if trail in _NUMBERS and lead in (Edge.COUNTER, Edge.PREFIX):
        return True  # "3枚", "3×3"
    if trail == Edge.ORDINAL and lead in _NUMBERS:
        return True  # "第3"
    return {trail, lead} == {Edge.ICON} | ({trail, lead} & _WORD) and trail != lead  # "3" and its icon


def _between(trail: Edge, lead: Edge) -> Between:
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
    return _between_letters(trail, lead)


def _between_letters(trail: Edge, lead: Edge) -> Between:
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
"""1/1000 em between Japanese and Latin."""


def quarters(text: str) -> tuple[int, ...]:
    """Behind how many characters of a line a quarter em stands between Japanese and Latin."""
    head = _UP_TO_THE_LAST.match(text)  # stamps of many cards begin alike, and end in a hash
    return _quarters(head[0]) if head else ()


_UP_TO_THE_LAST = re.compile(r".*[^\x00-\x7f].?", re.DOTALL)
"""All up to the last character that is not ASCII, and one more: nothing parts what follows."""


@lru_cache(1000)
def _quarters(text: str) -> tuple[int, ...]:
    pairs = pairwise(map(_sides_alone, text))
    return tuple([at for at, ((_, trails), (lead, _)) in enumerate(pairs, 1) if trails[lead] in _QUARTERS])


_QUARTERS = frozenset({2 * Between.QUARTER, 2 * Between.QUARTER + 1})


@cache
def _sides_alone(char: str) -> tuple[int, bytes]:
    """Of a character that stands alone, the class at its start, and the row of codes behind it."""
    lead, trail = word_edges(char) if is_latin(char) else (edge_of(char),) * 2
    return int(lead), TRAILS[trail]


TRAILS: tuple[bytes, ...] = tuple(bytes([*(_code(trail, lead) for lead in Edge), trail]) for trail in Edge)
"""`TRAILS[trail][lead]` is the code of a pair: `Between` times 2, plus 1 where no line may end between them.

A row ends with the trail itself, so that no two are equal.
"""

PARTED_AT_NEED = frozenset((TRAILS[trail], int(lead)) for trail in Edge for lead in Edge if _belong(trail, lead))
"""Pairs that a line may part before it begins or ends with a forbidden mark: a number and its counter."""
