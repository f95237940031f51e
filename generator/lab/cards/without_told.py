"""Restricted play in plain text: what a seat loses that goes without a card."""

from collections.abc import Iterator

from generator.errors import as_lines
from generator.lab.chunks import Cell
from generator.lab.findings import ArmDifference, broken_laws, findings
from generator.lab.naming import WIN_IN_TURN
from generator.lab.results import Result, sorted_cells
from generator.lab.told import aligned, gap_texts, method_text, table_text


def goes_without(result: Result) -> bool:
    """Whether a result is one of restricted play."""
    return any("without" in arm for arm in result.about["experiment"]["arms"].values())


def without_text(result: Result) -> str:
    """All that a result of restricted play says."""
    return as_lines(_lines(result))


def _lines(result: Result) -> Iterator[str]:
    about = result.about
    yield f"{about['game']}, draft {about['draft']}: run {about['experiment']['run']}, {method_text(result)}"
    for cell, arm, games in broken_laws(result):
        yield f"{arm}, {table_text(cell)}: a law is broken in {games:,} games; their figures are left out"
    found = [one for one in findings(result) if one.measure == WIN_IN_TURN]
    for cell in dict.fromkeys(place[0] for place, _ in sorted_cells(result)):
        yield ""
        yield f"{table_text(cell)}: {result.games(cell):,} games of each, share of wins of one seat that goes"
        rows = [_row(result, cell, one) for one in sorted(found, key=lambda one: one.gap.at) if one.cell == cell]
        yield from (f"  {line}" for line in aligned(rows))
    yield ""
    yield f"*: no work of chance among all {len(found):,} differences (Holm)."
    yield "Bots are not people: with good players it may be otherwise."


def _row(result: Result, cell: Cell, one: ArmDifference) -> list[str]:
    sums = result.cells[cell, one.arm]
    same = f"{sums.against.identical / max(1, sums.games):.0%} the same games".replace("%", " %")
    return [one.arm, *gap_texts(one.gap, share=True), "*" if one.stands else "", same]
