"""Narrow columns, wide blocks and spreads: their marks, and the blocks between two taken together."""

from collections.abc import Iterable, Iterator
from typing import cast

from generator.errors import Problem
from generator.pages.blocks import Arranged, BackCover, Block, Contents, Index, Manner, Origin, Upright
from generator.rulebook.fenced import Body

_CALLED = {"columns": "narrow columns", "wide": "a wide block", "spread": "a spread"}
_WITHIN = {"": ("columns", "wide", "spread"), "spread": ("columns", "wide")}
"""What may begin outside all of them, and what inside each."""


class ArrangementMaker:
    """Makes what stands on its pages in a manner of its own."""

    def __init__(self, problems: list[Problem]):
        self._problems = problems
        self._open: list[Manner] = []

    def mark(self, body: Body) -> list[Block]:
        """Where something begins or ends: `joined` takes what stands between."""
        body.keys()
        around = self._open[-1] if self._open else ""
        if body.name != "end":
            manner = cast("Manner", body.name)
            if manner not in _WITHIN.get(around, ()):
                what = f"{_CALLED[manner]} can't stand in {_CALLED[around]}"
                body.problem(what, f"write ```end before it: that ends {_CALLED[around]}")
                return []
            self._open.append(manner)
            return [Arranged((), Origin(body.begins), manner)]
        if not around:
            body.problem("nothing has begun that ends here", "write ```columns, ```wide or ```spread before it")
            return []
        return [Arranged((), Origin(body.begins), self._open.pop())]

    def joined(self, blocks: Iterable[Block]) -> Iterator[Block]:
        """The blocks, those between two marks in one."""
        open_: list[tuple[Arranged, list[Block]]] = []
        for block in blocks:
            made = block
            if isinstance(block, Arranged):
                if not open_ or open_[-1][0].manner != block.manner:
                    open_.append((block, []))
                    continue
                begun, within = open_.pop()
                made = Arranged(tuple(within), begun.origin, begun.manner)
            elif open_ and isinstance(block, Upright | Contents | Index | BackCover):
                called = _CALLED[open_[-1][0].manner]
                what = f"contents, index, upright pages and the back cover can't stand in {called}"
                self._problems.append(Problem(block.origin.place, what, "write ```end before it"))
                continue
            if open_:
                open_[-1][1].append(made)
            else:
                yield made
        for begun, _ in open_:
            what = f"{_CALLED[begun.manner]} without an end"
            self._problems.append(Problem(begun.origin.place, what, "write ```end behind what stands in it"))
