"""Deck figures: pieces by kind and field, curves, cross tables, odds of opening hands, words, and the hints in them."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from fractions import Fraction
from itertools import combinations, permutations, product
from math import comb
from statistics import median
from typing import Any, NamedTuple, TypeAlias

from generator.base.errors import Place, Problem, did_you_mean, raise_problems
from generator.base.languages import phrase
from generator.checks.visible_items import Face
from generator.game.data_fields import FieldSpec, format_value
from generator.game.model import Design, Game, Kind

COUNTED = ("integer", "number", "boolean", "icon", "colour", "choice")
"""Types of fields whose values are counted, alone or in a list."""

MOST_VALUES = 24
"""A field with more values than this has no table of them."""

MOST_IN_CROSS = 14
"""Both fields of a cross table have at most this many values."""

_LEAST_CELLS, _MOST_HOLES = 6, 0.2
"""A table is nearly full if it has this many cells, and at most this share of them is empty."""

MOST_COMPARED = 400
"""Designs or texts of one sort that are compared with each other, from the first on."""

BETTER: Mapping[str, str] = {
    **dict.fromkeys(("cost", "price"), "less"),
    **dict.fromkeys(("vp", "points", "attack", "defence", "defense", "health", "hp"), "more"),
}
"""Fields whose name says which direction is better, if `better:` does not."""

Cell: TypeAlias = str | int | float


@dataclass(frozen=True, slots=True)
class FigureTable:
    """A table of figures: `topic` and `head` name phrases, `of` is the subject (`reel.number`), or empty.

    The columns of a `cross` table are values of a field instead of phrases.
    """

    topic: str
    of: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


_SHARES = frozenset(("share", "chance_1", "chance_2", "chance_3", "shrunk", "ink"))


def format_cell(column: str, value: Cell) -> str:
    """Return a value as text; shares of pieces as a bar, too, so that a column of them is a curve."""
    if column in _SHARES and not isinstance(value, str):
        bar = f" {'█' * round(20 * value)}" if column == "share" else ""
        return f"{100 * value:.3g} %{bar}"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


@dataclass(frozen=True, slots=True)
class FigureHint:
    """Something that the figures show and a person should judge: a phrase, its values, and a place in the data."""

    name: str
    values: Mapping[str, Any] = field(default_factory=dict)
    place: Place | None = None

    def to_sentence(self, lang: str) -> str:
        """Return the sentence in a language, with its place."""
        said = phrase(f"figures_hint_{self.name}", lang, **self.values)
        return f"{self.place}: {said}" if self.place else said


@dataclass(frozen=True, slots=True)
class OpeningHand:
    """A hand of `size` cards from a deck of all cards of these kinds."""

    size: int
    kinds: tuple[str, ...]


def tabulate_deck(game: Game, hand: OpeningHand | None) -> Iterator[FigureTable]:
    """Yield the tables that follow from the data alone, in the order of the report, the odds of `hand` last."""
    kinds = [kind for kind in game.kinds.values() if kind.count]
    rows = [(kind.id, len(kind.designs), kind.count, kind.stated if kind.stated is not None else "") for kind in kinds]
    yield FigureTable("pieces", "", ("kind", "designs", "pieces", "stated"), tuple(rows))
    spreads = list[tuple[Cell, ...]]()
    for kind in kinds:
        for name, spec in kind.fields.items():
            every = sorted(count_values(kind.designs, name).elements()) if _is_numeric(spec) else []
            if len(set(every)) > 1:
                mean = round(sum(every) / len(every), 3)
                spreads.append((f"{kind.id}.{name}", len(every), every[0], mean, median(every), every[-1]))
    if spreads:
        yield FigureTable("spread", "", ("field", "pieces", "least", "mean", "median", "most"), tuple(spreads))
    for kind in kinds:
        for name in _list_counted_fields(kind):
            counts = count_values(kind.designs, name)
            known = _list_values(kind, name)
            if 1 < len(known) <= MOST_VALUES:
                values = tuple((format_value(value), counts[value], counts[value] / kind.count) for value in known)
                yield FigureTable("values", f"{kind.id}.{name}", ("value", "pieces", "share"), values)
        yield from _cross_tables(kind)
    if hand is not None:
        yield tabulate_odds(game, hand)


def list_deck_hints(game: Game) -> Iterator[FigureHint]:
    """Yield choices that no piece has, empty cells of nearly full cross tables, and dominated designs."""
    for kind in (kind for kind in game.kinds.values() if kind.count):
        for name in _list_counted_fields(kind):
            counts = count_values(kind.designs, name)
            for value in kind.fields[name].choices:
                if not counts[value]:
                    place = game.places.place("components", kind.id, "fields", name) or kind.place
                    yield FigureHint("choice", {"field": f"{kind.id}.{name}", "value": value}, place)
        for table in _cross_tables(kind):
            holes = [
                f"{row[0]} {name}" for row in table.rows for name, n in zip(table.head, row, strict=True) if n == 0
            ]
            cells = len(table.rows) * (len(table.head) - 1)
            if holes and cells >= _LEAST_CELLS and len(holes) <= _MOST_HOLES * cells:
                yield FigureHint("hole", {"fields": table.of, "holes": ", ".join(holes)}, kind.place)
        yield from _list_dominated(kind)


def count_values(designs: Iterable[Design], name: str) -> Counter[Any]:
    """Return the number of pieces with each value of a field. A value that a list repeats counts once."""
    counts: Counter[Any] = Counter()
    for design in designs:
        for value in _values_of(design, name):
            counts[value] += design.count
    return counts


def _values_of(design: Design, name: str) -> tuple[Any, ...]:
    value = design.fields.get(name)
    return tuple(dict.fromkeys(value)) if isinstance(value, tuple) else () if value is None else (value,)


def _list_counted_fields(kind: Kind) -> list[str]:
    return [name for name, spec in kind.fields.items() if (spec.of or spec.type) in COUNTED]


def _list_values(kind: Kind, name: str) -> list[Any]:
    """Return the values of a field: its choices in their declared order, or those of the designs."""
    return [*kind.fields[name].choices] or _sort_values(count_values(kind.designs, name))


def _sort_values(values: Iterable[Any]) -> list[Any]:
    """Return numbers by size, other values in their order."""
    known = list(values)
    return sorted(known) if all(isinstance(value, (int, float)) for value in known) else known


def _is_numeric(spec: FieldSpec) -> bool:
    return spec.type in ("integer", "number")


def _cross_tables(kind: Kind) -> Iterator[FigureTable]:
    """Yield a table of pieces for each pair of fields with few values that has more full cells than empty ones.

    Lists are left out.
    """
    single = [name for name in _list_counted_fields(kind) if not kind.fields[name].of]
    known = {name: _list_values(kind, name) for name in single}
    for first, second in combinations([name for name in single if 1 < len(known[name]) <= MOST_IN_CROSS], 2):
        counts: Counter[tuple[Any, Any]] = Counter()
        for design in kind.designs:
            for pair in product(_values_of(design, first), _values_of(design, second)):
                counts[pair] += design.count
        rows: tuple[tuple[Cell, ...], ...] = tuple(
            (format_value(one), *[counts[one, other] for other in known[second]]) for one in known[first]
        )
        if 2 * sum(map(bool, counts.values())) > len(rows) * len(known[second]):
            head = (first, *map(format_value, known[second]))
            yield FigureTable("cross", f"{kind.id}: {first} × {second}", head, rows)


def _list_dominated(kind: Kind) -> Iterator[FigureHint]:
    """Yield designs that another of their kind beats: worse where more or less is better, alike in other fields."""
    ways = {name: spec.better or BETTER.get(name, "") for name, spec in kind.fields.items() if _is_numeric(spec)}
    signs = {name: -1 if way == "less" else 1 for name, way in ways.items() if way}
    if len(signs) < 2:
        return  # a single field makes a series, in which every card but one is beaten
    named = next((name for name, spec in kind.fields.items() if spec.type in ("words", "text")), "")
    ignored = {named, *signs, *(name for name, spec in kind.fields.items() if spec.type == "picture")}
    printed, told = [design for design in kind.designs if design.count], set[str]()
    for one, other in permutations(printed[:MOST_COMPARED], 2):
        pairs = [(one.fields.get(name), other.fields.get(name), sign) for name, sign in signs.items()]
        margins = [(beats - own) * sign for own, beats, sign in pairs if own is not None and beats is not None]
        same = all(one.fields.get(name) == other.fields.get(name) for name in kind.fields if name not in ignored)
        if same and len(margins) == len(signs) and min(margins) >= 0 < max(margins) and one.id not in told:
            told.add(one.id)
            yield FigureHint("dominated", {"design": one.id, "other": other.id, "fields": ", ".join(signs)}, one.place)


def find_opening_hand(game: Game, size: int | None, kinds: Sequence[str]) -> OpeningHand | None:
    """Return the hand of `size` and `kinds`, else of set-up; None if neither tells. Raise ProblemsFound if wrong."""
    cards = [kind.id for kind in game.kinds.values() if kind.form == "card" and kind.count]
    problems = [
        Problem(None, f"--deck {name}: {game.id} has no cards of this kind", did_you_mean(name, cards))
        for name in kinds
        if name not in cards
    ]
    dealt = {
        one.kind: one.take
        for one in game.setup
        if one.kind in cards and one.take > 1 and (one.each_player or game.players.most == 1)
    }
    deck = tuple(kinds) or tuple(dealt if len(dealt) == 1 else cards if len(cards) == 1 else ())
    hand = OpeningHand(size or dealt.get(deck[0], 0) if deck else 0, deck)
    there = sum(game.kinds[kind].count for kind in deck if kind in cards)
    if not problems and not hand.size and (size or kinds):
        problems = [Problem(None, f"{game.id}: no hand is known", f"write --hand N --deck KIND: {', '.join(cards)}")]
    if not problems and hand.size > there:
        what = f"--hand {hand.size}: the deck of {' and '.join(deck)} has only {there} cards"
        problems = [Problem(None, what, "ask for a smaller hand")]
    raise_problems(problems)
    return hand if hand.size else None


def tabulate_odds(game: Game, hand: OpeningHand) -> FigureTable:
    """Return the chance that an opening hand has at least one, two and three cards with each value of a field."""
    designs = [design for kind in hand.kinds for design in game.kinds[kind].designs]
    deck, rows = sum(design.count for design in designs), list[tuple[Cell, ...]]()
    for name in dict.fromkeys(name for kind in hand.kinds for name in _list_counted_fields(game.kinds[kind])):
        counts = count_values(designs, name)
        for value in _sort_values(counts) if 1 < len(counts) <= MOST_VALUES else ():
            chances = [float(chance_of(least, counts[value], deck, hand.size)) for least in (1, 2, 3)]
            expected = hand.size * counts[value] / deck
            rows.append((f"{name} {format_value(value)}", counts[value], *chances, expected))
    head = ("value", "copies", "chance_1", "chance_2", "chance_3", "expected")
    return FigureTable("odds", f"{' + '.join(hand.kinds)}: {hand.size} / {deck}", head, tuple(rows))


def chance_of(least: int, copies: int, deck: int, hand: int) -> Fraction:
    """Return the exact chance of at least `least` of `copies` cards in a hand from the deck (hypergeometric)."""
    fewer = sum(comb(copies, found) * comb(deck - copies, hand - found) for found in range(min(least, hand + 1)))
    return 1 - Fraction(fewer, comb(deck, hand))


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
    """Return the words that a difference in meaning needs: numbers, particles of place, words without endings."""
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
