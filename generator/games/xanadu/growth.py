"""The growth of a company in draft 18: which lids may come off, and what a company can look like in the end."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

WORKER = "worker"

Off: TypeAlias = Mapping[str, int]
"""How many lids are off each row of the growth track."""


@dataclass(frozen=True, slots=True)
class Growth:
    """The growth track: lids that come off after each round, lids of each row, and what rows are worth by lids off."""

    by_round: tuple[int, ...]
    lids: Mapping[str, int]
    opens_worker: tuple[str, ...]
    limit: tuple[int, ...]
    restock: tuple[int, ...]
    carry: tuple[int, ...]
    transport_actions: tuple[int, ...]
    upgrade_actions: tuple[int, ...]
    workers: tuple[int, ...]

    @property
    def handed_out(self) -> int:
        """The dispatch workers that each company gets: one for each lid."""
        return sum(self.lids.values())

    @property
    def removed(self) -> int:
        """The lids that come off in a game."""
        return sum(self.by_round)


def removable(off: Off, growth: Growth) -> tuple[str, ...]:
    """The rows that a lid may be taken from; the extra worker waits until one of its rows is empty."""
    opened = any(off[row] == growth.lids[row] for row in growth.opens_worker)
    return tuple(row for row, lids in growth.lids.items() if off[row] < lids and (row != WORKER or opened))


def states(removed: int, growth: Growth) -> tuple[Off, ...]:
    """Everything that a company can look like after so many lids."""
    rows = tuple(growth.lids)
    reached = {tuple(0 for _ in rows)}
    for _ in range(removed):
        reached = {after for state in reached for after in _after(state, rows, growth)}
    return tuple(dict(zip(rows, state, strict=True)) for state in sorted(reached))


def worker_round(growth: Growth) -> int | None:
    """The first round whose end can bring the extra worker; None if no round does."""
    needed = min(growth.lids[row] for row in growth.opens_worker) + 1
    total = 0
    for number, removed in enumerate(growth.by_round, start=1):
        total += removed
        if total >= needed:
            return number
    return None


def _after(state: tuple[int, ...], rows: tuple[str, ...], growth: Growth) -> Iterator[tuple[int, ...]]:
    for row in removable(dict(zip(rows, state, strict=True)), growth):
        place = rows.index(row)
        yield (*state[:place], state[place] + 1, *state[place + 1 :])
