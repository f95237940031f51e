"""Narrow columns: the marks where they begin and end, and the blocks between two marks taken together."""

from collections.abc import Iterable, Iterator

from generator.errors import Problem
from generator.pages.blocks import NOWHERE, BackCover, Block, Contents, Index, NarrowColumns, Origin, Upright
from generator.rulebook.fenced import Body


class ColumnMaker:
    """Makes narrow columns."""

    def __init__(self, problems: list[Problem]):
        self._problems = problems
        self._narrows = False

    def mark(self, body: Body) -> list[Block]:
        """Where narrow columns begin or end: `joined` takes what stands between."""
        body.keys()
        begins = body.name == "columns"
        if begins == self._narrows:
            what = "narrow columns begin inside others" if begins else "narrow columns end that have not begun"
            body.problem(what, "write ```columns before what stands in them and ```end behind it")
            return []
        self._narrows = begins
        return [NarrowColumns((), Origin(body.begins))]

    def joined(self, blocks: Iterable[Block]) -> Iterator[Block]:
        """The blocks, those between two marks of narrow columns in one."""
        within: list[Block] | None = None
        begins = NOWHERE
        for block in blocks:
            if isinstance(block, NarrowColumns):
                if within is not None:
                    yield NarrowColumns(tuple(within), begins)
                within, begins = (None if within is not None else []), block.origin
            elif within is None:
                yield block
            elif isinstance(block, Upright | Contents | Index | BackCover):
                what = "contents, index, upright pages and the back cover can't stand in narrow columns"
                self._problems.append(Problem(block.origin.place, what, "end the columns before it"))
            else:
                within.append(block)
        if within is not None:
            self._problems.append(Problem(begins.place, "narrow columns without an end", "write ```end behind them"))
