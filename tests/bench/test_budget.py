"""What sheets cost in instructions, held against the yardstick: no later change loses what was won."""

from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

FEW, MORE = 78, 234


@pytest.mark.slow
def test_sheets_keep_their_budget_of_instructions(
    bench: Callable[[str], ModuleType],
    tool: Callable[[str], str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """As whole processes without a cache: a small deck, and each card more. A busy machine counts the same."""
    tool("valgrind")
    sheets = bench("sheets")
    for name in ("PNP_NO_CACHE", "PYTHONDONTWRITEBYTECODE"):
        monkeypatch.setenv(name, "")  # put back afterwards
    sheets.prepare_environment()
    counts: dict[str, dict[int, int]] = {}
    for size in (FEW, MORE):
        for contender in sheets.prepare(tmp_path, size)[:2]:
            sheets.timed(contender.command)  # the first run compiles Python's modules
            counts.setdefault(contender.name, {})[size] = sheets.instructions(contender.command)
    floor, ours = counts["floor"], counts["pnp"]
    few = ours[FEW] / floor[FEW]
    each = (ours[MORE] - ours[FEW]) / (floor[MORE] - floor[FEW])
    assert few <= sheets.BUDGETS["78 cards"], f"{few:.3f} times the floor at {FEW} cards"
    assert each <= sheets.BUDGETS["each card more"], f"{each:.3f} times the floor for each card more"
