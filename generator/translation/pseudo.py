"""A language that is none: longer, with accents and brackets, to see what would not fit and what is hard-wired."""

import re
from collections.abc import Mapping

from generator.templates.tag_places import jinja_tags
from generator.translation.passages import LITERAL, PHRASE

PSEUDO = "qps"
"""Its tag: one of those that stand for no language."""

_LONGER, _WORD_LENGTH = 0.3, 6
"""By so much of its length a text is longer, in words of so many characters."""

_ACCENTS = str.maketrans("aceinosuyzACEINOSUYZ", "àçéîñöšûýžÀÇÉÎÑÖŠÛÝŽ")
"""Letters with accents that nearly every typeface has, those for display too."""

_ACCENTED = frozenset(map(chr, _ACCENTS.values()))

_WORD = re.compile(r"[^\W\d_]{3}")

_KEPT = re.compile(
    r"\[\[=?(?P<term>[^\[\]|\n]+)(?:\|(?P<other>[^\[\]|\n]+))?\]\]"  # [[term]], [[entry|text]], [[=term]]
    r"|\]\(#[^()\s]*\)|\{@?[\w./*:#@-]+\}"  # goals, icons, places
    r"|\{(?:index|[a-z_]+(?:=[^:{}\n]*)?):"  # {index:, {red:
    r"|\bE[0-9]+\b|\\.|`[^`]*`"  # numbers of open passages, escapes
)


def pseudo(text: str, terms: Mapping[str, str]) -> str:
    """A text in that language, its marks as they are; `terms`: ids of the glossary by their terms in small letters."""
    rows = text.lstrip().startswith(("|", "["))
    parts, done, letters = [], 0, 0
    for begin, end in [*jinja_tags(text), (len(text), len(text))]:
        plain, said = _said(text[done:begin], terms)
        letters += said
        parts += [plain, LITERAL.sub(_literal, text[begin:end])]
        done = end
    made = "".join(parts)
    if not letters or rows or text.startswith("{%"):
        return made
    more = max(1, round(_LONGER * letters) - 2)
    return f"‹{made} {' '.join('~' * min(_WORD_LENGTH, more - at) for at in range(0, more, _WORD_LENGTH + 1))}›"


def is_hard_wired(line: str) -> bool:
    """Whether a line that a face shows is none of the texts that can be translated: few of its letters have accents."""
    without = sum(letter.translate(_ACCENTS) != letter for letter in line)
    return _WORD.search(line) is not None and without > sum(letter in _ACCENTED for letter in line)


def _literal(found: re.Match[str]) -> str:
    """Words in quotes within a tag, if they are said."""
    return found[0].translate(_ACCENTS) if PHRASE.search(found[0][1:-1]) and "\\" not in found[0] else found[0]


def _said(text: str, terms: Mapping[str, str]) -> tuple[str, int]:
    """A part without tags, and how many characters of it are read."""
    parts, done, said = [], 0, 0
    for found in _KEPT.finditer(text):
        before = text[done : found.start()]
        parts += [before.translate(_ACCENTS), _term(found, terms) if found["term"] else found[0]]
        said += len(before)
        done = found.end()
    parts.append(text[done:].translate(_ACCENTS))
    return "".join(parts), said + len(text) - done


def _term(found: re.Match[str], terms: Mapping[str, str]) -> str:
    """A mark of a term, by its id: what it is called is another word now."""
    begin = "=" if found[0].startswith("[[=") else ""
    term, other = found["term"], found["other"]
    if begin:
        entry, shown = (term, other) if other else (terms.get(term.casefold(), term), term)
        return f"[[={entry}|{shown.translate(_ACCENTS)}]]"
    entry = terms.get((other or term).casefold(), other or term)
    return f"[[{term.translate(_ACCENTS)}|{entry}]]"
