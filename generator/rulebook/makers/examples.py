"""Examples in a book: their words with the values that were played, their situations, numbers and anchors."""

import re

from generator.errors import Problem
from generator.faces.workshop import Workshop
from generator.model.game import Example
from generator.model.phrases import phrase
from generator.model.text import Words
from generator.pages.blocks import Block, Box, Origin, Paragraph, Text
from generator.rulebook.fenced import Body
from generator.rulebook.figures.maker import FigureMaker
from generator.rulebook.inline import InlineReader
from generator.rulebook.played import RulebookPlay

_EXAMPLE = re.compile(r"^[\s>-]*```+example\s+(\S+)", re.MULTILINE)


def example_anchor(name: str) -> str:
    """The anchor of the example of that id."""
    return f"example-{name}"


def example_names(written: str, lang: str) -> dict[str, str]:
    """What each example of a template is called, by its anchor: one that is shown again keeps its first number."""
    numbered = enumerate(_EXAMPLE.findall(written), start=1)
    return {example_anchor(name): _example_name(number, lang) for number, name in reversed([*numbered])}


class ExampleMaker:
    """Makes the examples of a book; `anchors` are those of the examples made."""

    def __init__(
        self,
        workshop: Workshop,
        lang: str,
        played: RulebookPlay,
        inline: InlineReader,
        figures: FigureMaker,
        problems: list[Problem],
    ):
        self._workshop, self._game, self._lang, self._played = workshop, workshop.game, lang, played
        self._inline, self._figures, self._problems = inline, figures, problems
        self._examples = 0
        self.anchors: set[str] = set()

    def example(self, name: str, body: Body) -> list[Block]:
        """An example in words, with its situation where the block asks for it."""
        body.keys("title", "figure")
        example = self._played.example(name, body.place(), self._problems)
        if example is None:
            return []
        says = self._words_of(example)
        if not says:
            body.problem(f"the example {example.id} says nothing", "give it `says:`")
        blocks: list[Block] = [says] if says else []
        if "figure" in body:
            figure = self._figures.figure(body.inner("figure"), "situation", example)
            blocks += [figure] if figure is not None else []
        self._examples += 1
        number = _example_name(self._examples, self._lang)
        anchor = example_anchor(example.id)
        title = self._title_of(example, body)
        first = anchor not in self.anchors
        self.anchors.add(anchor)
        return [Box("example", title, tuple(blocks), Origin(body.begins), anchor if first else "", number)]

    def _title_of(self, example: Example, body: Body) -> Text:
        """What an example is called: in the block, else in the data."""
        if "title" in body:
            return self._inline.plain(body.text("title"), body.place("title"))
        return self._filled(example, "title", example.title)

    def _words_of(self, example: Example) -> Paragraph | None:
        text = self._filled(example, "says", example.says)
        place = self._game.places.place("examples", self._game.examples.index(example), "says", self._lang)
        return Paragraph(text, origin=Origin(place)) if text else None

    def _filled(self, example: Example, field: str, said: Words | None) -> Text:
        """A text of an example with its values."""
        if said is None:
            return ()
        place = self._game.places.place("examples", self._game.examples.index(example), field, self._lang)
        entry = self._workshop.artist.views.entry({field: said}, f"example {example.id}", self._lang, place)
        return self._inline.plain(str(entry[field]), place)


def _example_name(number: int, lang: str) -> str:
    return phrase("example_number", lang, n=number)
