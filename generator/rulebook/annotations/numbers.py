"""The numbers of callouts in running text: which figure's number is meant, once all of the book is read."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from generator.errors import Place, Problem, did_you_mean
from generator.faces.ring import AMONG_WORDS
from generator.model.drawing import Paint
from generator.model.text import RING, Icon
from generator.pages.blocks import Block, Box, Figure, Heading, Inline, Listing, Paragraph, Table, Text, Upright

_MENTION = "callout:"
_B = TypeVar("_B", bound=Block)


class CalloutNumbers:
    """The numbers of one book's figures, in the order in which they stand, and the words that speak of them.

    A part that several figures call out is that of the last one before the words, else that of the first one after.
    """

    def __init__(self, paint: Paint, problems: list[Problem]):
        self._paint, self._problems = paint, problems
        self._figures: list[Mapping[str, int]] = []
        self._mentions: list[tuple[str, Place | None, int]] = []

    def figure(self, names: Sequence[str]) -> None:
        """A figure with these callouts: the first is number 1."""
        self._figures.append({name: number for number, name in enumerate(names, start=1)})

    def mention(self, name: str, place: Place | None) -> Icon:
        """What stands for the number of a part until all figures are known."""
        self._mentions.append((name, place, len(self._figures)))
        return Icon(f"{_MENTION}{len(self._mentions) - 1}")

    def resolved(self, blocks: Sequence[Block]) -> tuple[Block, ...]:
        """The blocks with numbers in the place of all mentions; tells those that no figure calls out."""
        known = [name for figure in self._figures for name in figure]
        numbers = []
        for name, place, at in self._mentions:
            nearest = [*reversed(self._figures[:at]), *self._figures[at:]]
            number = next((figure[name] for figure in nearest if name in figure), 0)
            numbers.append(number)
            if not number:
                hint = did_you_mean(name, known) if known else "give a figure `callouts:`"
                self._problems.append(Problem(place, f"no figure calls out '{name}'", hint))
        return tuple([self._block(block, numbers) for block in blocks]) if numbers else tuple(blocks)

    def _block(self, block: _B, numbers: Sequence[int]) -> _B:
        def text(one: Text) -> Text:
            return tuple([self._inline(inline, numbers) for inline in one])

        if isinstance(block, (Heading, Paragraph)):
            return replace(block, text=text(block.text))
        if isinstance(block, Listing):
            entries = [tuple([self._block(inner, numbers) for inner in entry]) for entry in block.entries]
            return replace(block, entries=tuple(entries))
        if isinstance(block, Table):
            rows = tuple([tuple(map(text, row)) for row in block.rows])
            return replace(block, head=tuple(map(text, block.head)), rows=rows, caption=text(block.caption))
        if isinstance(block, Figure):
            return replace(block, caption=text(block.caption), key=tuple(map(text, block.key)))
        if isinstance(block, Box):
            inner = tuple([self._block(one, numbers) for one in block.blocks])
            return replace(block, title=text(block.title), blocks=inner)
        if isinstance(block, Upright):
            return replace(block, title=text(block.title), paragraphs=tuple(map(text, block.paragraphs)))
        return block

    def _inline(self, inline: Inline, numbers: Sequence[int]) -> Inline:
        if isinstance(inline, Icon) and inline.name.startswith(_MENTION):
            return Icon(f"{RING}{numbers[int(inline.name.removeprefix(_MENTION))]}", self._paint, AMONG_WORDS)
        return inline
