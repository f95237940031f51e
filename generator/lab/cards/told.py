"""Followed cards in plain text: a line for each design, those that help most first."""

from collections.abc import Iterator
from math import isfinite

from generator.errors import as_lines
from generator.lab.cards.dominated import Preference
from generator.lab.cards.findings import CardFinding, CardTables, card_findings
from generator.lab.findings import broken_laws
from generator.lab.numbers import Interval
from generator.lab.results import Result
from generator.lab.told import aligned, gap_texts, method_text, table_text, value_text


def cards_text(result: Result) -> str:
    """All that a result of followed cards says."""
    return as_lines(_lines(result))


def _lines(result: Result) -> Iterator[str]:
    about = result.about
    yield f"{about['game']}, draft {about['draft']}: run {about['experiment']['run']}, {method_text(result)}"
    yield from _places(about["experiment"]["cards"])
    yield from _dominated(about["experiment"]["cards"]["dominated"])
    for cell, arm, games in broken_laws(result):
        yield f"{arm}, {table_text(cell)}: a law is broken in {games:,} games; their figures are left out"
    tables = card_findings(result)
    for one in tables:
        yield ""
        yield from _table(one)
    yield ""
    yield f"*: no work of chance among all {sum(len(one.found) for one in tables):,} designs (Holm)."
    yield "Which card is drawn is chance: 'if drawn' is what it brings. Who plays or takes a card is not: the rest goes"
    yield "with wins, and may come of them."
    yield "Bots are not people: with good players it may be otherwise."


def _places(cards: dict[str, list[str]]) -> Iterator[str]:
    """Which kinds of zones are what."""
    if cards["held"]:
        played = f"played: from there to {', '.join(cards['played'])}" if cards["played"] else "played: nowhere"
        yield f"in hand: {', '.join(cards['held'])}; {played}"
    if cards["before"]:
        yield f"before a seat: {', '.join(cards['before'])}"
    if cards["draws"]:
        yield f"by chance: {', '.join(cards['draws'])}"


def _dominated(pairs: list[str]) -> Iterator[str]:
    """Designs that the data say are worse than others in nothing but what counts, and in that."""
    under: dict[str, list[str]] = {}
    for pair in pairs:
        design, _, other = pair.partition(" < ")
        under.setdefault(design, []).append(_short(other))
    for design, others in under.items():
        yield f"by the data {design} is no better in anything, and worse in something, than {', '.join(others)}"


def _table(tables: CardTables) -> Iterator[str]:
    numbers = [cell.players for cell in tables.cells]
    each = {name for cell in tables.cells for name in cell.bots}
    if len(numbers) == 1:
        head = table_text(tables.cells[0])
    else:
        head = f"{', '.join(map(str, numbers[:-1]))} and {numbers[-1]} players, {' '.join(sorted(each))}"
    yield f"{head}: {tables.games:,} games"
    for kind in tables.never:
        yield f"  {kind}: no seat ever has one"
    for kind in dict.fromkeys(one.kind for one in tables.found):
        designs = [one for one in tables.found if one.kind == kind]
        yield f"  {kind}: {len(designs)} designs"
        rows = [_HEADS, *map(_row, sorted(designs, key=_order))]
        rows = _without_empty(rows)
        yield from (f"    {line}" for line in aligned(rows))
    for one in tables.preferences:
        yield from _taken(one)


def _taken(one: Preference) -> Iterator[str]:
    """What was taken where others could be, the most wanted first; what was never taken over another."""
    times = sum(one.taken.values())
    yield f"  taken by '{one.phrase}', of {one.kind} ({times:,} times over another): how likely over an average one"
    ordered = sorted(one.strengths.items(), key=lambda found: (-found[1].at, found[0]))
    rows = [[_short(design), value_text(found, share=True), _under(one, design)] for design, found in ordered]
    yield from (f"    {line}" for line in aligned(rows))


def _under(one: Preference, design: str) -> str:
    others = one.under.get(design, ())
    if not others:
        return ""
    named = ", ".join(map(_short, others[:_MOST_NAMED]))
    more = f" and {len(others) - _MOST_NAMED} more" if len(others) > _MOST_NAMED else ""
    return f"never where it could be {named}{more}"


def _short(design: str) -> str:
    return design.partition("/")[2]


_MOST_NAMED = 5

_HEADS = ["", "had", "drawn", "played", "kept", "unseen"]
_HEADS += ["wins if drawn", "", "", "wins if played", "", "wins if had", ""]


def _order(one: CardFinding) -> tuple[bool, float]:
    known = next((found for found in (one.by_drawing, one.with_having) if isfinite(found.half)), None)
    return known is None, -known.at if known else 0.0


def _row(one: CardFinding) -> list[str]:
    had = [_share(one.had) if one.had != one.drawn else "", _share(one.drawn) if one.drawn else ""]
    used = [_share(one.played), _share(one.kept)] if one.went or one.kept else ["", ""]
    unseen = _share(one.unseen)
    name = _short(one.design)
    return [
        name,
        *had,
        *used,
        unseen,
        *_gap(one.by_drawing),
        "*" if one.stands else "",
        *_gap(one.with_playing),
        *_gap(one.with_having),
    ]


def _gap(found: Interval) -> list[str]:
    return gap_texts(found, share=True) if isfinite(found.half) else ["", ""]


def _share(share: float) -> str:
    return f"{100 * share:.0f} %"


def _without_empty(rows: list[list[str]]) -> list[list[str]]:
    """Without columns of which no design has anything."""
    told = [any(row[at] for row in rows[1:]) for at in range(len(rows[0]))]
    return [[part for part, some in zip(row, told, strict=True) if some] for row in rows]
