"""Card experiments: plan experiments that track all cards or forbid one, and write their results as plain text."""

from collections.abc import Iterator
from math import isfinite

from generator.base.errors import Problem, ProblemsFound, did_you_mean, join_lines
from generator.books.measure_names import Interval
from generator.commands.plain_text import align_columns
from generator.game.model import Kind
from generator.lab.arms import Arm, Restriction
from generator.lab.card_findings import (
    CardFinding,
    CardTables,
    Preference,
    card_findings,
    find_dominated,
    is_card_result,
    sort_by_worth,
)
from generator.lab.card_records import CardPlan, CardWishes, list_card_designs
from generator.lab.card_zones import find_card_places
from generator.lab.chunks import Cell
from generator.lab.experiment import unchanged_arm
from generator.lab.experiment_runs import LabGame
from generator.lab.result_text import (
    compare_results,
    format_gap,
    format_interval,
    format_restriction_result,
    format_table,
    frame_lines,
    is_restriction_result,
    require_same_game,
)
from generator.lab.results import Result
from generator.lab.sweep_text import format_sweep
from generator.rules.registry import report_rule_errors


def format_card_result(result: Result) -> str:
    """Return a result with tracked cards as text."""
    tables = card_findings(result)
    found = sum(len(one.found) for one in tables)
    notes = (
        f"*: significant among {found:,} designs (Holm).",
        "Cards are drawn by chance, so 'wins if drawn' shows their worth. Playing and choosing a card is no chance:",
        "those figures may only show that winners do it.",
    )
    return join_lines(frame_lines(result, _result_lines(result, tables), *notes))


def _result_lines(result: Result, tables: tuple[CardTables, ...]) -> Iterator[str]:
    cards = result.about["experiment"]["cards"]
    if cards["held"]:
        played = f"played: from hand to {', '.join(cards['played'])}" if cards["played"] else "played: nowhere"
        yield f"in hand: {', '.join(cards['held'])}; {played}"
    for name, where in (("before a seat", "before"), ("by chance", "draws")):
        if cards[where]:
            yield f"{name}: {', '.join(cards[where])}"
    under: dict[str, list[str]] = {}
    for pair in cards["dominated"]:
        design, _, other = pair.partition(" < ")
        under.setdefault(design, []).append(_design_name(other))
    for design, others in under.items():
        yield f"by the data, {design} is never better and sometimes worse than {', '.join(others)}"
    for one in tables:
        yield ""
        yield from _table_lines(one)


def _table_lines(tables: CardTables) -> Iterator[str]:
    numbers = [cell.players for cell in tables.cells]
    each = {name for cell in tables.cells for name in cell.bots}
    if len(numbers) == 1:
        head = format_table(tables.cells[0])
    else:
        head = f"{', '.join(map(str, numbers[:-1]))} and {numbers[-1]} players, {' '.join(sorted(each))}"
    yield f"{head}: {tables.games:,} games"
    for kind in tables.never:
        yield f"  {kind}: no seat ever has one"
    for kind in dict.fromkeys(one.kind for one in tables.found):
        designs = [one for one in tables.found if one.kind == kind]
        yield f"  {kind}: {len(designs)} designs"
        rows = [_HEADS, *map(_finding_row, sort_by_worth(designs))]
        told = [any(row[at] for row in rows[1:]) for at in range(len(rows[0]))]
        rows = [[part for part, some in zip(row, told, strict=True) if some] for row in rows]
        yield from align_columns(rows, "    ")
    for one in tables.preferences:
        yield from _preference_lines(one)


def _preference_lines(preference: Preference) -> Iterator[str]:
    times = sum(preference.taken.values())
    over = f"({times:,} choices): probability over an average one"
    yield f"  chosen by '{preference.phrase}' among {preference.kind} {over}"
    ordered = sorted(preference.strengths.items(), key=lambda found: (-found[1].at, found[0]))
    rows = [
        [_design_name(design), format_interval(found, share=True), _format_outdone(preference, design)]
        for design, found in ordered
    ]
    yield from align_columns(rows, "    ")


def _format_outdone(preference: Preference, design: str) -> str:
    others = preference.under.get(design, ())
    if not others:
        return ""
    named = ", ".join(map(_design_name, others[:_MOST_NAMED]))
    more = f" and {len(others) - _MOST_NAMED} more" if len(others) > _MOST_NAMED else ""
    return f"never chosen over {named}{more}"


def _design_name(design: str) -> str:
    return design.partition("/")[2]


_MOST_NAMED = 5

_HEADS = ["", "had", "drawn", "played", "kept", "unseen"]
_HEADS += ["wins if drawn", "", "", "wins if played", "", "wins if had", ""]


def _finding_row(finding: CardFinding) -> list[str]:
    had = [
        _format_share(finding.had) if finding.had != finding.drawn else "",
        _format_share(finding.drawn) if finding.drawn else "",
    ]
    used = [_format_share(finding.played), _format_share(finding.kept)] if finding.went or finding.kept else ["", ""]
    unseen = _format_share(finding.unseen)
    name = _design_name(finding.design)
    return [
        name,
        *had,
        *used,
        unseen,
        *_gap_columns(finding.by_drawing),
        "*" if finding.stands else "",
        *_gap_columns(finding.with_playing),
        *_gap_columns(finding.with_having),
    ]


def _gap_columns(found: Interval) -> list[str]:
    return format_gap(found, share=True) if isfinite(found.half) else ["", ""]


def _format_share(share: float) -> str:
    return f"{100 * share:.0f} %"


def plan_cards(lab_game: LabGame, cells: tuple[Cell, ...], wishes: CardWishes) -> CardPlan:
    """Find the zones that hold cards by playing a few games, and designs that others dominate. Return the plan.

    Raise ProblemsFound for a game without cards or without hands, and for unknown zones and fields.
    """
    numbers = {cell.players for cell in cells}
    if numbers != {1}:
        numbers = (numbers | {lab_game.game.players.fewest, lab_game.game.players.most}) - {1}
    with report_rule_errors(lab_game.game):
        boxes = [lab_game.rules.box(lab_game.game, number, {}) for number in sorted(numbers)]
    if not any(box.cards for box in boxes):
        hint = "`box` of its rules lists the copies that can be told from each other as `cards`: docs/rules.md"
        raise ProblemsFound([Problem(None, f"the rules of {lab_game.game.id} use no cards", hint)])
    where = find_card_places(lab_game.rules, boxes)
    if not where.held and not where.before:
        what = f"no seat of {lab_game.game.id} ever has a card: its cards lie in {', '.join(where.kinds)}"
        hint = "a seat's own are zones named `hand`, with the seat's number, or which it alone sees"
        raise ProblemsFound([Problem(None, what, hint)])
    kinds = dict.fromkeys(copy.split("/")[0] for box in boxes for copy in box.cards)
    numbers_of = dict.fromkeys(name for kind in kinds for name in _number_fields(lab_game.game.kinds[kind]))
    problems = [
        Problem(None, f"{lab_game.game.id} has no cards in the zone '{zone}'", did_you_mean(zone, where.kinds))
        for zone in wishes.played
        if zone not in where.kinds
    ]
    problems += [
        Problem(None, f"no cards of {lab_game.game.id} have a number '{name}'", did_you_mean(name, numbers_of))
        for name in (*wishes.better, *wishes.worse)
        if name not in numbers_of
    ]
    if problems:
        raise ProblemsFound(problems)
    dominated = find_dominated(lab_game.game, kinds, wishes.better, wishes.worse)
    return CardPlan(where, wishes.played or where.out, tuple(dominated))


def _number_fields(kind: Kind) -> Iterator[str]:
    for design in kind.designs:
        for name, value in design.fields.items():
            if isinstance(value, int | float) and not isinstance(value, bool):
                yield name


def make_restricted_arms(
    lab_game: LabGame, card_names: tuple[str, ...], may: tuple[str, ...], players: int
) -> tuple[Arm, ...]:
    """Return the unchanged game and an arm without each named card or kind; `each` means every single design.

    Raise ProblemsFound for unknown cards and phrases.
    """
    with report_rule_errors(lab_game.game):
        designs = list_card_designs(lab_game.rules.box(lab_game.game, players, {}))
    kinds = dict.fromkeys(design.split("/")[0] for design in designs)
    brief = {design.split("/")[1]: design for design in reversed(designs)}
    problems = [
        Problem(None, f"{lab_game.game.id} has no move '{phrase}'", did_you_mean(phrase, lab_game.game.moves))
        for phrase in may
        if phrase not in lab_game.game.moves
    ]
    cards: list[str] = []
    for name in card_names:
        if name == "each":
            cards += designs
        elif name in designs or name in kinds:
            cards.append(name)
        elif name in brief:
            cards.append(brief[name])
        else:
            known = (*designs, *kinds, *brief)
            problems.append(Problem(None, f"{lab_game.game.id} has no card '{name}'", did_you_mean(name, known)))
    if problems:
        raise ProblemsFound(problems)
    return (*unchanged_arm(), *(Arm(f"without {one}", without=Restriction(one, may)) for one in dict.fromkeys(cards)))


def format_any_result(result: Result) -> str:
    """Return a result of any kind as text."""
    if is_card_result(result):
        return format_card_result(result)
    return format_restriction_result(result) if is_restriction_result(result) else format_sweep(result)


def format_comparison(first: Result, second: Result) -> str:
    """Return the differences between two results as text. Raise ProblemsFound for results with tracked cards."""
    if is_card_result(first) or is_card_result(second):
        what = "results of `pnp lab cards` can't be compared with others"
        raise ProblemsFound([Problem(None, what, "show one result at a time")])
    require_same_game(first, second)
    return compare_results(first, second)
