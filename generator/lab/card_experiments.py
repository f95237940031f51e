"""Card experiments: plans for following or forbidding cards, and the result as plain text."""

from collections.abc import Iterator
from math import isfinite

from generator.base.errors import Problem, ProblemsFound, as_lines, did_you_mean
from generator.books.measure_names import Interval
from generator.game.model import Kind
from generator.lab.arms import Arm, Without
from generator.lab.card_findings import (
    CardFinding,
    CardTables,
    Preference,
    card_findings,
    dominated_designs,
    follows_cards,
)
from generator.lab.card_records import CardPlan, CardWishes, designs_of
from generator.lab.card_zones import find_whereabouts
from generator.lab.chunks import Cell
from generator.lab.experiment import as_it_is
from generator.lab.experiment_runs import LabGame
from generator.lab.findings import broken_laws
from generator.lab.result_text import (
    aligned,
    both_text,
    gap_texts,
    goes_without,
    method_text,
    same_game,
    table_text,
    value_text,
    without_text,
)
from generator.lab.results import Result
from generator.lab.sweep_text import sweep_text
from generator.rules.registry import mending


def cards_text(result: Result) -> str:
    """Return a result of followed cards as text."""
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
    """Yield the kinds of zones by their role."""
    if cards["held"]:
        played = f"played: from there to {', '.join(cards['played'])}" if cards["played"] else "played: nowhere"
        yield f"in hand: {', '.join(cards['held'])}; {played}"
    if cards["before"]:
        yield f"before a seat: {', '.join(cards['before'])}"
    if cards["draws"]:
        yield f"by chance: {', '.join(cards['draws'])}"


def _dominated(pairs: list[str]) -> Iterator[str]:
    """Yield a line for each design that the data make worse than others."""
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
    """Yield the lines of a preference, the most wanted design first."""
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
    """Return the rows without columns that are empty for all designs."""
    told = [any(row[at] for row in rows[1:]) for at in range(len(rows[0]))]
    return [[part for part, some in zip(row, told, strict=True) if some] for row in rows]


def card_plan(of: LabGame, cells: tuple[Cell, ...], wishes: CardWishes) -> CardPlan:
    """Return a plan with the card zones, found in a few games, and the dominated designs.

    Raise ProblemsFound for a game without cards or without hands, and for unknown zones and fields.
    """
    numbers = {cell.players for cell in cells}
    if numbers != {1}:
        numbers = (numbers | {of.game.players.fewest, of.game.players.most}) - {1}
    with mending(of.game):
        boxes = [of.rules.box(of.game, number, {}) for number in sorted(numbers)]
    if not any(box.cards for box in boxes):
        hint = "`box` of its rules lists the copies that can be told from each other as `cards`: docs/rules.md"
        raise ProblemsFound([Problem(None, f"the rules of {of.game.id} play with no cards", hint)])
    where = find_whereabouts(of.rules, boxes)
    if not where.held and not where.before:
        what = f"no seat of {of.game.id} ever has a card: its cards lie in {', '.join(where.kinds)}"
        hint = "a seat's own are zones named `hand`, with the seat's number, or which it alone sees"
        raise ProblemsFound([Problem(None, what, hint)])
    kinds = dict.fromkeys(copy.split("/")[0] for box in boxes for copy in box.cards)
    numbers_of = dict.fromkeys(name for kind in kinds for name in _numbers_in(of.game.kinds[kind]))
    problems = [
        Problem(None, f"no cards of {of.game.id} lie in '{zone}'", did_you_mean(zone, where.kinds))
        for zone in wishes.played
        if zone not in where.kinds
    ]
    problems += [
        Problem(None, f"no cards of {of.game.id} have a number '{name}'", did_you_mean(name, numbers_of))
        for name in (*wishes.better, *wishes.worse)
        if name not in numbers_of
    ]
    if problems:
        raise ProblemsFound(problems)
    dominated = dominated_designs(of.game, kinds, wishes.better, wishes.worse)
    return CardPlan(where, wishes.played or where.out, tuple(dominated))


def _numbers_in(kind: Kind) -> Iterator[str]:
    """Yield the fields of a kind that are numbers in any of its designs."""
    for design in kind.designs:
        for name, value in design.fields.items():
            if isinstance(value, int | float) and not isinstance(value, bool):
                yield name


def arms_without(of: LabGame, asked: tuple[str, ...], may: tuple[str, ...], players: int) -> tuple[Arm, ...]:
    """Return the unchanged arm and an arm without each design or kind; `each` means every single design.

    Raise ProblemsFound for unknown cards and phrases.
    """
    with mending(of.game):
        designs = designs_of(of.rules.box(of.game, players, {}))
    kinds = dict.fromkeys(design.split("/")[0] for design in designs)
    brief = {design.split("/")[1]: design for design in reversed(designs)}
    problems = [
        Problem(None, f"no move of {of.game.id} is called '{phrase}'", did_you_mean(phrase, of.game.moves))
        for phrase in may
        if phrase not in of.game.moves
    ]
    cards: list[str] = []
    for name in asked:
        if name == "each":
            cards += designs
        elif name in designs or name in kinds:
            cards.append(name)
        elif name in brief:
            cards.append(brief[name])
        else:
            known = (*designs, *kinds, *brief)
            problems.append(Problem(None, f"{of.game.id} has no card '{name}'", did_you_mean(name, known)))
    if problems:
        raise ProblemsFound(problems)
    return (*as_it_is(), *(Arm(f"without {one}", without=Without(one, may)) for one in dict.fromkeys(cards)))


def told_result(result: Result) -> str:
    """Return a result of any kind as text."""
    if follows_cards(result):
        return cards_text(result)
    return without_text(result) if goes_without(result) else sweep_text(result)


def told_beside(first: Result, second: Result) -> str:
    """Return the differences between two results as text. Raise ProblemsFound for results of cards."""
    if follows_cards(first) or follows_cards(second):
        what = "results of `pnp lab cards` can't be shown beside others"
        raise ProblemsFound([Problem(None, what, "show one at a time")])
    same_game(first, second)
    return both_text(first, second)
