"""The numbers of callouts in running text: which figure's number is meant, once all of the book is read."""

from collections.abc import Mapping, Sequence

from generator.errors import Place, Problem, did_you_mean
from generator.faces.ring import AMONG_WORDS
from generator.model.drawing import Paint
from generator.model.text import RING, Icon
from generator.pages.blocks import Block, Inline, Text
from generator.pages.references.texts import change_texts

_MENTION = "callout:"


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
        if not numbers:
            return tuple(blocks)

        def resolve(text: Text) -> Text:
            return tuple([self._inline(inline, numbers) for inline in text])

        return tuple([change_texts(block, resolve) for block in blocks])

    def _inline(self, inline: Inline, numbers: Sequence[int]) -> Inline:
        if isinstance(inline, Icon) and inline.name.startswith(_MENTION):
            return Icon(f"{RING}{numbers[int(inline.name.removeprefix(_MENTION))]}", self._paint, AMONG_WORDS)
        return inline
