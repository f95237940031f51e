"""Sentences of a rulebook, and how those of two rulebooks differ."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal, assert_never

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
)
from generator.game.rich_text import RING, Icon, to_plain_text

SentenceSort = Literal["changed", "added", "removed", "moved"]

SENTENCE_SORTS: tuple[SentenceSort, ...] = ("changed", "added", "removed", "moved")

LEAST_ALIKE = 0.6
"""Minimum share of common words for two sentences to count as one changed sentence."""

_END = re.compile(r"(?<=[。！？])|(?<=[.!?:]) +")
_TOKEN = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+|\s+|.", re.DOTALL)
"""Matches a word, a number, blanks, or a single kana, kanji or punctuation mark."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence without markup, and its heading (empty before the first one)."""

    text: str
    heading: str = ""


@dataclass(frozen=True, slots=True)
class TextPart:
    """A part of two merged texts: in both of them (`same`), only in the old one, or only in the new one."""

    sort: Literal["same", "old", "new"]
    text: str


@dataclass(frozen=True, slots=True)
class SentenceChange:
    """A changed sentence. `old` is None if it was added, `new` is None if it was removed."""

    sort: SentenceSort
    old: Sentence | None
    new: Sentence | None

    @property
    def heading(self) -> str:
        """Its heading in the new book, or in the old one if it was removed."""
        sentence = self.new or self.old
        return sentence.heading if sentence else ""


def read_sentences(book: Book) -> tuple[Sentence, ...]:
    """Return every sentence of a book in order: cover, text, tables by row, captions.

    Contents, index, imprint, picture descriptions and the numbers of picture parts are left out, because they follow
    from the rest.
    """
    found = [Sentence(text) for text in (book.cover.title, book.cover.subtitle, *book.cover.facts) if text]
    heading = ""
    for block in dissolve_groups(book.blocks):
        if isinstance(block, Heading):
            heading = _plain_words(block.text)
        found += [
            Sentence(part.strip(), heading)
            for text in _iter_texts([block])
            for part in _END.split(text)
            if part.strip()
        ]
    return tuple(found)


def _iter_texts(blocks: Iterable[Block]) -> Iterator[str]:
    for block in blocks:
        if isinstance(block, (Heading, Paragraph)):
            yield _plain_words(block.text)
        elif isinstance(block, Listing):
            for entry in block.entries:
                yield from _iter_texts(entry)
        elif isinstance(block, Table):
            yield from (" | ".join(map(_plain_words, row)) for row in (block.head, *block.rows))
        elif isinstance(block, Figure):
            yield from map(_plain_words, (*block.key, block.caption))  # what it shows is no sentence
        elif isinstance(block, Box):
            yield _plain_words(block.title)
            yield from _iter_texts(block.blocks)
        elif isinstance(block, VerticalText):
            yield _plain_words(block.title)
            yield from map(_plain_words, block.paragraphs)
        elif isinstance(block, BlockGroup):
            yield from _iter_texts(block.blocks)
        elif not isinstance(block, Contents | Index | BackCover):  # these follow the rest
            assert_never(block)


def _plain_words(text: Text) -> str:
    """Return the words of a text without numbers in rings, which change with the pictures."""
    words = [part for part in text if not (isinstance(part, Icon) and part.name.startswith(RING))]
    said = "".join(part.text if isinstance(part, (Term, Link, Mention)) else to_plain_text((part,)) for part in words)
    return " ".join(said.split())


def compare_sentences(old: Sequence[Sentence], new: Sequence[Sentence]) -> tuple[SentenceChange, ...]:
    """Return all changes in the order of the new book. Removals come before additions at the same place.

    Comparing in the other direction gives the mirrored result.
    """
    gone, come = _unmatched_texts([one.text for one in old], [one.text for one in new])
    kept_old, kept_new = _count_kept_before(len(old), gone), _count_kept_before(len(new), come)
    # Sentences that were removed at one place and added at another were moved.
    waiting: dict[str, list[int]] = defaultdict(list)
    for i in sorted(gone):
        waiting[old[i].text].append(i)
    moved = [(waiting[new[j].text].pop(0), j) for j in sorted(come) if waiting[new[j].text]]
    changed = _pair_by_likeness(old, new, sorted(gone - {i for i, _ in moved}), sorted(come - {j for _, j in moved}))
    found: list[tuple[int, int, int, SentenceChange]] = []
    pairs: list[tuple[SentenceSort, list[tuple[int, int]]]] = [("moved", moved), ("changed", changed)]
    for sort, both in pairs:
        found += [(kept_new[j], 1, j, SentenceChange(sort, old[i], new[j])) for i, j in both]
    paired = [*moved, *changed]
    found += [(kept_new[j], 1, j, SentenceChange("added", None, new[j])) for j in come - {j for _, j in paired}]
    lost = gone - {i for i, _ in paired}
    found += [(kept_old[i], 0, i, SentenceChange("removed", old[i], None)) for i in lost]
    return tuple(change for *_, change in sorted(found, key=lambda entry: entry[:3]))


def _count_kept_before(count: int, unmatched: set[int]) -> list[int]:
    """Return for each of `count` sentences how many matched ones are before it, which aligns removals and additions."""
    kept, before = 0, []
    for number in range(count):
        before.append(kept)
        kept += number not in unmatched
    return before


def word_runs(old: str, new: str) -> tuple[TextPart, ...]:
    """Merge two texts into one sequence of parts: common words, and words of only one text, the old ones first."""
    swapped = old > new  # difflib finds other matches on the way back
    a, b = map(_TOKEN.findall, (new, old) if swapped else (old, new))
    runs: list[TextPart] = []
    for step, i, j, k, m in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        one, other = "".join(a[i:j]), "".join(b[k:m])
        if step == "equal":
            runs.append(TextPart("same", one))
            continue
        gone, come = (other, one) if swapped else (one, other)
        runs += [TextPart("old", gone)] if gone else []
        runs += [TextPart("new", come)] if come else []
    return tuple(runs)


def _unmatched_texts(old: list[str], new: list[str]) -> tuple[set[int], set[int]]:
    if old > new:
        come, gone = _unmatched_texts(new, old)
        return gone, come
    gone, come = set(range(len(old))), set(range(len(new)))
    for i, j, size in SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks():
        gone -= set(range(i, i + size))
        come -= set(range(j, j + size))
    return gone, come


def _pair_by_likeness(
    old: Sequence[Sentence], new: Sequence[Sentence], gone: Sequence[int], come: Sequence[int]
) -> list[tuple[int, int]]:
    """Return pairs (place in `old`, in `new`) of sentences in `gone` and `come` that are alike; nearest in a tie."""
    before = {i: Counter(_split_words(old[i].text)) for i in gone}
    after = {j: Counter(_split_words(new[j].text)) for j in come}
    where: dict[str, list[int]] = defaultdict(list)
    for j, words in after.items():
        for word in words:
            where[word].append(j)
    likely = []
    for i, words in before.items():
        shared = Counter(j for word in words for j in where.get(word, ()))
        for j in shared:
            other = after[j]
            alike = 2 * (words & other).total() / (words.total() + other.total())
            if alike >= LEAST_ALIKE:
                apart = abs(i / len(old) - j / len(new))
                texts = tuple(sorted((old[i].text, new[j].text)))
                likely.append((-alike, round(apart, 6), texts, tuple(sorted((i, j))), i, j))
    pairs, used_old, used_new = [], set(), set()
    for *_, i, j in sorted(likely):
        if i not in used_old and j not in used_new:
            pairs.append((i, j))
            used_old.add(i)
            used_new.add(j)
    return pairs


def _split_words(text: str) -> list[str]:
    return [token for token in _TOKEN.findall(text.casefold()) if not token.isspace()]
