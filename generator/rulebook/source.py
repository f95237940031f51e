"""A game's book in one language: its template filled in, read as Markdown, its blocks made; or every problem."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cache

from generator.errors import Problem, ProblemsFound, did_you_mean
from generator.faces.accent import accent
from generator.faces.workshop import Workshop
from generator.model.phrases import phrase
from generator.pages.blocks import BackCover, Block, Book, Contents, Origin
from generator.rulebook.annotations.numbers import CalloutNumbers
from generator.rulebook.designer import DesignerNotes
from generator.rulebook.faces import Faces
from generator.rulebook.fenced import Body, body_of
from generator.rulebook.figures.maker import FigureMaker
from generator.rulebook.inline import IconColours, InlineReader, Terms
from generator.rulebook.legends import Legends
from generator.rulebook.lint import typed_numbers
from generator.rulebook.makers.arrangement import ArrangementMaker
from generator.rulebook.makers.covers import CoverMaker
from generator.rulebook.makers.examples import ExampleMaker, example_names
from generator.rulebook.makers.found import FoundLines
from generator.rulebook.makers.imprint import credited_lines, state_lines
from generator.rulebook.makers.uprights import upright_page
from generator.rulebook.markdown import Fence, Manuscript, MarkdownReader
from generator.rulebook.notes import BackMatter
from generator.rulebook.played import RulebookPlay
from generator.rulebook.register import RegisterMaker
from generator.rulebook.sections import RulebookSections, without_links
from generator.rulebook.tabletop.numbers import PlaceNumbers
from generator.rulebook.values import Values
from generator.rulebook.volumes import RULEBOOK, Volume, is_volume


def read_book(workshop: Workshop, lang: str, played: RulebookPlay, volume: Volume = RULEBOOK) -> Book:
    """A book of a language; ProblemsFound with everything wrong with its template."""
    return _Reader(workshop, lang, played, volume).book()


class _Reader:
    """Reads one book."""

    def __init__(self, workshop: Workshop, lang: str, played: RulebookPlay, volume: Volume):
        self._workshop, self._game, self._lang, self._played = workshop, workshop.game, lang, played
        self._volume, self._name = volume, f"{workshop.game.id}/{volume.template(lang)}"
        templates, views = workshop.artist.templates, workshop.artist.views
        source = templates.source(self._name)
        assert source is not None, self._name  # noqa: S101 - whoever asks has looked
        self._problems = list(typed_numbers(*source))
        self._file = source[1]
        try:
            written = templates.render_text(self._name, Values(self._game, lang, views).variables())
        except ProblemsFound as found:
            raise ProblemsFound([*self._problems, *found.problems]) from found
        for file, text in sorted(templates.texts_read().items()):
            if not is_volume(file):  # what it includes; other books are read by themselves
                self._problems += typed_numbers(text, file)
        self._manuscript = Manuscript(written, self._problems, templates.texts_read())
        self._terms = Terms(self._game, lang)
        paints = IconColours(workshop)
        paint = accent(self._game.palette)
        self._numbers = CalloutNumbers(paint, self._problems)
        self._places = PlaceNumbers(self._game, written.text, paint)
        names = example_names(written.text, lang)
        self._inline = InlineReader(
            self._game, lang, self._terms, paints, self._numbers, self._places, self._problems, names
        )
        self._faces = Faces(workshop, lang, self._problems)
        self._figures = FigureMaker(
            self._faces, self._inline, played, self._numbers, self._places, paint, self._problems
        )
        self._register = RegisterMaker(self._game, lang, self._inline, self._manuscript.begun)
        self._notes = BackMatter(self._game, lang, self._inline, views)
        showed = FoundLines(self._game, lang, played, self._problems)
        designer = DesignerNotes(self._game, lang, self._inline, views, showed)
        self._examples = ExampleMaker(workshop, lang, played, self._inline, self._figures, self._problems)
        self._cover = CoverMaker(workshop, lang, self._figures)
        self._arrangement = ArrangementMaker(self._problems)
        self._backed = False
        legends = Legends(self._faces, self._inline, self._figures, paints)
        self._sections = RulebookSections(cache(lambda: read_book(workshop, lang, played)), self._inline)
        self._makers: Mapping[str, Callable[[Body], Iterable[Block]]] = {
            "figure": self._figure,
            "tabletop": self._tabletop,
            "cover": self._cover.on_cover,
            "legend": legends.legend,
            "components": legends.components,
            "setup": legends.setup,
            "contents": self._contents,
            "columns": self._arrangement.mark,
            "wide": self._arrangement.mark,
            "spread": self._arrangement.mark,
            "end": self._arrangement.mark,
            "back": self._back,
            "index": self._register.index,
            "glossary": self._notes.glossary,
            "readings": designer.readings,
            "provisional": designer.provisional,
            "state": designer.state,
        }

    def book(self) -> Book:
        reader = MarkdownReader(self._manuscript, self._inline, self._block)
        joined = tuple(self._arrangement.joined(self._numbers.resolved(reader.blocks())))
        if self._volume.defines:
            self._explain_all()
        blocks = tuple(self._register.filled(joined))
        anchors = reader.anchors | self._examples.anchors | self._sections.anchors
        for anchor, place in self._register.anchors.items():
            if anchor in anchors:
                self._problems.append(Problem(place, f"the anchor '{anchor}' is given twice", "rename one of them"))
            anchors = anchors | {anchor}
        for anchor, place in self._inline.links:
            if anchor not in anchors:
                what = f"a link leads to '{anchor}', which is no heading's anchor"
                self._problems.append(Problem(place, what, did_you_mean(anchor, anchors)))
        unused = self._terms.unused(self._file) if self._volume.defines else ()
        if self._volume is not RULEBOOK:
            blocks = without_links(blocks, anchors, self._lang)
            self._sections.check_rings(blocks)
        problems = [*self._problems, *self._places.unseen(), *unused, *self._workshop.problems]
        if problems:
            raise ProblemsFound(problems)
        game, lang = self._game, self._lang
        volume, begins = self._volume, self._manuscript.begins(0)
        cover = self._cover.cover(volume, begins)
        if volume.sheet and cover.picture is None and cover.ground is None:
            cover = replace(cover, picture=self._sections.cover_picture())
        written = self._manuscript.written.text
        state = volume.states or not game.credits
        imprint = [*(state_lines(self._workshop, lang, written, blocks) if state else credited_lines(game, lang))]
        origin = Origin(begins, tuple(game.places.place(*path, lang) for path, _ in imprint))
        lines = tuple(line for _, line in imprint)
        return Book(game.id, lang, cover, blocks, lines, game.date, volume.name, volume.folded, volume.sheet, origin)

    def _explain_all(self) -> None:
        """Reads what terms mean, whether it is shown or not: marks in it count, and mistakes in it are told."""
        self._notes.glossary(Body("glossary", {}, lambda *_path: None, self._problems))

    def _block(self, fence: Fence) -> Iterable[Block]:
        if fence.name == "upright":
            return [upright_page(fence, self._manuscript, self._inline)]
        known = [*self._makers, "example", "upright", *(["part"] if self._volume is not RULEBOOK else [])]
        if fence.name not in known:
            what = f"unknown block '{fence.name}'" if fence.name else "a block without a name"
            self._manuscript.problem(fence.line, what, did_you_mean(fence.name, known))
            return []
        if fence.argument and fence.name not in ("example", "part"):
            what = f"'{fence.argument}' after the name of the {fence.name} block"
            self._manuscript.problem(fence.line, what, "write it into the block")
        body = body_of(fence, self._manuscript)
        if body is None:
            return []
        if fence.name == "example":
            return self._examples.example(fence.argument, body)
        if fence.name == "part":
            return self._sections.part(fence.argument, body)
        return self._makers[fence.name](body)

    def _figure(self, body: Body) -> list[Block]:
        figure = self._figures.figure(body)
        return [figure] if figure is not None else []

    def _tabletop(self, body: Body) -> list[Block]:
        figure = self._figures.figure(body, "tabletop")
        self._places.picture_failed |= figure is None
        return [figure] if figure is not None else []

    def _contents(self, body: Body) -> list[Block]:
        body.keys("title")
        title = body.text("title") or phrase("table_of_contents", self._lang)
        return [Contents(self._inline.plain(title, body.place()), Origin(body.begins))]

    def _back(self, body: Body) -> list[Block]:
        body.keys()
        if self._backed:
            body.problem("the back cover begins twice", "remove one of them")
        self._backed = True
        return [BackCover(Origin(body.begins))]
