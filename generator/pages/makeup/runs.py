"""Runs of narrow columns across a wide one: balanced, and parted over pages where they are too long for one."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from generator.pages.makeup.grounds import column_things
from generator.pages.makeup.levels import SLACK, Column, Level
from generator.pages.strips import Strip

_TALL = 120.0
"""mm: what stays together is not parted for a column that is lower."""

_FEW = 3
"""Strips in each column at least where a run goes on in the next."""


def part_run(strip: Strip, within: int, deep: float, unit: float) -> tuple[Strip | None, int]:
    """What of a run stands in `deep` mm from its strip `within` on, as one strip, and how many strips that are.

    All that is left, in columns of about one height, or else as much as they hold. None where they hold nothing.
    """
    narrow = strip.narrow
    assert narrow is not None  # noqa: S101 - whoever asks has looked
    left = narrow.strips[within:]
    columns = _filled(left, narrow.columns, deep, unit)
    taken = sum(map(len, columns))
    least = _FEW * narrow.columns
    if taken == len(left):
        columns = _balanced(left, narrow.columns, deep, unit)
    elif len(left) - taken < least:  # they are too few to stand alone
        left = _whole(left[: max(0, len(left) - least)])
        columns = _balanced(left, narrow.columns, deep, unit)
        taken = len(left)
        if taken < least:
            return None, 0
    elif deep < _TALL and min(map(len, columns)) < _FEW:
        return None, 0
    return _set(strip, columns, unit, first=not within), taken


def _whole(strips: tuple[Strip, ...]) -> tuple[Strip, ...]:
    """The strips without those at their end that must not part from what came behind them."""
    last = next((at for at in range(len(strips), 0, -1) if not strips[at - 1].keep), 0)
    return strips[:last]


def _balanced(strips: Sequence[Strip], count: int, deep: float, unit: float) -> list[list[Strip]]:
    """The strips in so many columns, as low as they can be."""
    least, most = 1, max(1, int(deep / unit + 1))
    while least < most:
        middle = (least + most) // 2
        if sum(map(len, _filled(strips, count, min(deep, middle * unit), unit))) == len(strips):
            most = middle
        else:
            least = middle + 1
    return _filled(strips, count, min(deep, least * unit), unit)


def _filled(strips: Sequence[Strip], count: int, deep: float, unit: float) -> list[list[Strip]]:
    """Strips in so many columns, each as full as it may be."""
    columns: list[list[Strip]] = []
    at = 0
    for _ in range(count):
        taken = _taken(strips[at:], deep, unit)
        columns.append(list(strips[at : at + taken]))
        at += taken
    return columns


def _taken(strips: Sequence[Strip], deep: float, unit: float) -> int:
    """How many strips a column takes; what is kept together and taller than the column is parted."""
    level, good, forced = Level(), 0, 0
    for at, strip in enumerate(strips, start=1):
        level = level.below(strip, unit)
        if level.bottom > deep + SLACK:
            break
        forced = at
        if not strip.keep or at == len(strips):
            good = at
    return good or (forced if _too_tall(strips, deep, unit) else 0)


def _too_tall(strips: Sequence[Strip], deep: float, unit: float) -> bool:
    """Whether the first of the strips and what is kept with it fills more than a tall column."""
    level = Level()
    for strip in strips:
        level = level.below(strip, unit)
        if not strip.keep:
            break
    return level.bottom > max(deep, _TALL) + SLACK


def _set(run: Strip, columns: Sequence[Sequence[Strip]], unit: float, *, first: bool) -> Strip:
    """The columns as one strip."""
    narrow = run.narrow
    assert narrow is not None  # noqa: S101 - whoever asks has looked
    set_columns = [Column(1.0, unit, column) for column in columns]
    things = [
        thing
        for across, column in enumerate(set_columns)
        for thing in column_things(column, across * narrow.pitch, 0.0)
    ]
    across = tuple(replace(strip, members=(*run.members, *strip.members)) for strip in _shown(columns))
    return replace(
        run,
        height=max(column.bottom for column in set_columns),
        things=tuple(things),
        above=run.above if first else 0.0,
        narrow=None,
        across=across,
        anchors=tuple(anchor for strip in across for anchor in strip.anchors),
        terms=tuple(dict.fromkeys(term for strip in across for term in strip.terms)),
    )


def _shown(columns: Sequence[Sequence[Strip]]) -> Iterator[Strip]:
    for column in columns:
        yield from column
