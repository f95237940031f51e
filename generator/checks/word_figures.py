"""Word figures: frequent words, long and shrunk texts, two words for one thing, and texts that differ little."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import combinations
from typing import NamedTuple

from generator.base.errors import Place
from generator.checks.deck_figures import MOST_COMPARED, FigureHint, FigureTable
from generator.checks.visible_items import Face
from generator.game.model import Design

MOST_WORDS, MOST_TEXTS = 20, 8
"""Rows of the tables of frequent words, and of long or shrunk texts."""

_STOP = frozenset(
    "a all also an and any are as at be been both but by can do does each every for from had has have if in into is "  # noqa: SIM905
    "it its may must no none nor not now of off on once one only or other others out over own so some still such than "
    "that the their them then there these they this those to too until up was when where which while who whose will "
    "with without you your player players seat seats".split()
)
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_COUNTED = re.compile(r"(?<=\d)[枚個回日目人番巡点種本]+")
_JAPANESE = re.compile(r"[\u3400-\u9fff々]+|[\u30a1-\u30faー]{2,}|[A-Za-z]{2,}")


class TextPassage(NamedTuple):
    """A text in one language, where it is (a design, `rulebook: Set-up`), and its place in the data."""

    text: str
    where: str
    place: Place | None = None


def split_words(text: str, lang: str) -> list[str]:
    """Return the words that carry meaning, in lower case: in Japanese, runs of kanji and of katakana."""
    text = re.sub(r"\{[^{}]*\}", " ", text)  # icons
    if lang.partition("-")[0] == "ja":
        return [word for word in _JAPANESE.findall(_COUNTED.sub(" ", text)) if word not in ("プレイヤー", "席")]
    return [word for word in map(str.casefold, _WORD.findall(text)) if len(word) > 2 and word not in _STOP]


_ENDINGS = ("ing", "ed", "es", "s", "e")
_IRREGULAR = {
    "dealt": "deal", "drawn": "draw", "shown": "show", "spent": "spend", "kept": "keep", "chosen": "choose",
    "laid": "lay", "taken": "take", "given": "give", "made": "make", "held": "hold", "paid": "pay", "sold": "sell",
}  # fmt: skip


def find_stem(word: str) -> str:
    """Return a word without its English ending: `played` and `plays` become `play`, `drawn` becomes `draw`."""
    word = _IRREGULAR.get(word, word)
    ending = next((end for end in _ENDINGS if word.endswith(end) and len(word) - len(end) >= 3), "")
    stem = word.removesuffix(ending)
    return stem[:-1] if len(stem) > 4 and stem[-1] == stem[-2] else stem


def tabulate_words(faces: Sequence[Face], lang: str) -> Iterator[FigureTable]:
    """Yield the frequent words of all pieces, the longest texts, and those that are shrunk most, in a language."""
    counts: Counter[str] = Counter()
    texts: dict[str, tuple[int, float, float, Face]] = {}
    for face in (face for face in faces if face.lang == lang):
        for frame in face.drawing.frames:
            for word in split_words(frame.text, lang) if face.face != "back" else ():
                counts[word] += face.design.count
            known = texts.get(frame.text)
            if frame.text.strip() and (known is None or known[1] > frame.shrunk):
                texts[frame.text] = len(frame.text), frame.shrunk, frame.size, face
    common = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:MOST_WORDS]
    if common:
        yield FigureTable("words", lang, ("word", "times"), tuple(common))
    rows = [
        (f"{face.design.id} {face.face}", _shorten(text), long, round(size, 2), shrunk)
        for text, (long, shrunk, size, face) in texts.items()
    ]
    head = ("design", "text", "characters", "points", "shrunk")
    longest = sorted(rows, key=lambda row: (-row[2], row[0]))[:MOST_TEXTS]
    smallest = sorted((row for row in rows if row[4] < 1), key=lambda row: (row[4], row[0]))[:MOST_TEXTS]
    for topic, chosen in (("longest", longest), ("shrunk", smallest)):
        if chosen:
            yield FigureTable(topic, lang, head, tuple(chosen))


def _shorten(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 30 else f"{line[:30]}…"


_MOST_APART, _LEAST_WORDS = 2, 6
_TOKEN = re.compile(
    r"[^\W\d_\u3040-\u30ff\u3400-\u9fff]+|[\u30a1-\u30faー]+|[\u3400-\u9fff々]+|[\u3041-\u309f]+|\d+|[^\s\w]"
)
_LIGHT = frozenset(
    "a an the this that these those your their its his her it they you then is are be been was were".split()  # noqa: SIM905
)
_PARTICLE = re.compile(r"から|まで|ない|より|[へにとやか]")
_NUMBERS = {"one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "一": "1", "二": "2", "三": "3"}


class AlikeTexts(NamedTuple):
    """Two designs whose texts differ in a few words: the words of each, and whether both say the same."""

    one: Design
    other: Design
    old: str
    new: str
    means_same: bool

    def to_hint(self, lang: str) -> FigureHint:
        """Return the hint that both say the same."""
        values = {"one": self.one.id, "other": self.other.id, "old": self.old, "new": self.new, "spoken": lang}
        return FigureHint("alike", values, self.other.place)


def list_alike_texts(faces: Sequence[Face], lang: str) -> list[AlikeTexts]:
    """Return the pairs of designs of a kind with texts that differ in one or two words, in the order of the data."""
    groups: dict[tuple[str, str, str], dict[str, tuple[Design, list[str]]]] = defaultdict(dict)
    for face in (face for face in faces if face.lang == lang and face.design.count):
        for frame in face.drawing.frames:
            tokens = _TOKEN.findall(frame.text)
            if frame.text_role != "title" and len(tokens) >= _LEAST_WORDS:
                groups[face.design.kind, face.face, frame.text_role].setdefault(frame.text, (face.design, tokens))
    found = []
    for texts in groups.values():
        for (one, first), (other, second) in combinations(list(texts.values())[:MOST_COMPARED], 2):
            if abs(len(first) - len(second)) > _MOST_APART or one is other:
                continue
            steps = SequenceMatcher(None, first, second, autojunk=False).get_opcodes()
            parts = [(first[i:j], second[k:m]) for step, i, j, k, m in steps if step != "equal"]
            if sum(max(len(old), len(new)) for old, new in parts) <= _MOST_APART:
                said = [" … ".join(" ".join(part[side]) or "–" for part in parts) for side in (0, 1)]
                same = all(_find_meaning(old, lang) == _find_meaning(new, lang) for old, new in parts)
                found.append(AlikeTexts(one, other, said[0], said[1], same))
    return found


def _find_meaning(tokens: Iterable[str], lang: str) -> list[str]:
    """Return what a difference means: numbers, particles of place, and words without their endings."""
    heavy = (_NUMBERS.get(token.casefold(), token.casefold()) for token in tokens if token.casefold() not in _LIGHT)
    if lang.partition("-")[0] == "ja":
        return ["".join(_PARTICLE.findall(one)) if "ぁ" <= one[0] <= "ゟ" else one for one in heavy if one.isalnum()]
    return [find_stem(word) for word in heavy if word.isalnum()]


_SPELLINGS = (("our", "or"), ("grey", "gray"), ("centre", "center"), ("defence", "defense"), ("offence", "offense"))
_OUR = ("colour", "favour", "honour", "armour", "harbour", "neighbour", "rumour", "labour", "behaviour")
_HEAPS = "pile|stack|deck|heap"
_BEFORE = r"\b(?:the|all|any|your|their|of|these|those|no|my|its|two|three|\d+) "
_OKURIGANA = re.compile("[きぎけげしちてびみめりれえ]")


def list_variants(passages: Sequence[TextPassage], lang: str) -> Iterator[FigureHint]:
    """Yield pairs of words that mean one thing, each with a place where it is used.

    Only five kinds of pairs are sure enough: `setup` and `set-up`; `colour` and `color`; `discard pile` and
    `discard stack`, or `the discards`; 捨て札 and 捨札; プレイヤー and プレーヤー.
    """
    found: dict[str, TextPassage] = {}
    groups: dict[str, set[str]] = defaultdict(set)
    japanese = lang.partition("-")[0] == "ja"
    for passage in passages:
        for key, word in _iter_japanese(passage.text) if japanese else _iter_latin(passage.text):
            groups[key].add(word)
            found.setdefault(word, passage)
    for words in groups.values():
        for one, other in combinations(sorted(words, key=lambda word: (len(word), word)), 2):
            if not japanese or "\u30a1" <= one[0] <= "\u30fa" or _OKURIGANA.sub("", other) == one:
                first, second = found[one], found[other]
                values = {"one": one, "at": first.where, "other": other, "beside": second.where, "spoken": lang}
                yield FigureHint("variants", values, second.place or first.place)


def _iter_latin(text: str) -> Iterator[tuple[str, str]]:
    """Yield each word that can have a variant, after the key that the variants share."""
    lower = text.casefold()
    for word in _WORD.findall(lower):
        plain = word.replace("-", "").removesuffix("s")
        plain = plain.replace("our", "or") if plain.startswith(_OUR) else plain
        for british, american in _SPELLINGS[1:]:
            plain = plain.replace(british, american)
        if len(plain) > 3 and not word.endswith(("'s", "’s")):
            yield plain, word.removesuffix("s")
    for match in re.finditer(rf"\b([a-z]{{3,}}) (?:{_HEAPS})\b", lower):
        if match[1] not in _STOP:
            yield f"{match[1]} pile", match[0]
    for match in re.finditer(rf"{_BEFORE}(discard|draw)s\b(?! (?:a|an|the|your|one|\d))", lower):
        yield f"{match[1]} pile", f"{match[1]}s"


def _iter_japanese(text: str) -> Iterator[tuple[str, str]]:
    for word in re.findall(r"[\u30a1-\u30faー]{4,}", text):
        yield re.sub(r"([エケセテネヘメレゲゼデベペェ])イ", r"\1ー", word).replace("ー", ""), word
    for word in re.findall(rf"[\u3400-\u9fff々](?:{_OKURIGANA.pattern}?[\u3400-\u9fff々])+", text):
        yield _OKURIGANA.sub("", word), word
