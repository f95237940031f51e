"""Deck figures: pieces by kind and field, curves, cross tables, odds of opening hands, and the hints in them."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, permutations, product
from math import comb
from statistics import median
from typing import Any, TypeAlias

from generator.base.errors import Place, Problem, did_you_mean, raise_problems
from generator.base.languages import phrase
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
    """Yield the tables that follow from the data alone, in the order of the report."""
    kinds = [kind for kind in game.kinds.values() if kind.count]
    rows = [(kind.id, len(kind.designs), kind.count, kind.stated if kind.stated is not None else "") for kind in kinds]
    yield FigureTable("pieces", "", ("kind", "designs", "pieces", "stated"), tuple(rows))
    spreads = [row for kind in kinds for row in _spread_rows(kind)]
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
    """Yield choices without a piece, holes of nearly full cross tables, and dominated designs."""
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


def _spread_rows(kind: Kind) -> Iterator[tuple[Cell, ...]]:
    for name, spec in kind.fields.items():
        counts = count_values(kind.designs, name) if _is_numeric(spec) else Counter()
        every = sorted(counts.elements())
        if len(counts) > 1:
            mean = round(sum(every) / len(every), 3)
            yield f"{kind.id}.{name}", len(every), every[0], mean, median(every), every[-1]


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
    """Yield designs that another of their kind beats: equal in all but the directed fields, and worse in these."""
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
    """Return the hand that is asked for, else that of set-up; None if neither names one. Raise ProblemsFound."""
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
