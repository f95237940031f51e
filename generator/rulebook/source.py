"""A game's book in one language: its template filled in, read as Markdown, its blocks made; or every problem."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache

from generator.errors import Place, Problem, ProblemsFound, did_you_mean
from generator.faces.stamp import HASH_SHOWN
from generator.faces.workshop import Workshop
from generator.model.game import Example, Game
from generator.model.markup import parse_markup, plain_text
from generator.model.phrases import count_phrase, phrase
from generator.pages.blocks import (
    Block,
    Book,
    Box,
    Contents,
    Cover,
    Figure,
    Listing,
    Origin,
    Paragraph,
    Text,
    Upright,
)
from generator.rulebook.faces import Faces
from generator.rulebook.fenced import Body, body_of
from generator.rulebook.figures import FigureMaker
from generator.rulebook.inline import IconColours, InlineReader, Terms
from generator.rulebook.legends import Legends
from generator.rulebook.lint import typed_numbers
from generator.rulebook.markdown import Fence, Manuscript, MarkdownReader
from generator.rulebook.notes import DesignerNotes
from generator.rulebook.played import RulebookPlay
from generator.rulebook.sections import RulebookSections, without_links
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
        self._inline = InlineReader(self._game, lang, self._terms, paints, self._problems)
        self._faces = Faces(workshop, lang, self._problems)
        self._figures = FigureMaker(self._faces, self._inline, played, self._problems)
        self._notes = DesignerNotes(self._game, lang, self._inline, views)
        self._cover: Figure | None = None
        legends = Legends(self._faces, self._inline, self._figures, paints)
        self._sections = RulebookSections(cache(lambda: read_book(workshop, lang, played)), self._inline)
        self._makers: Mapping[str, Callable[[Body], Iterable[Block]]] = {
            "figure": self._figure,
            "cover": self._on_cover,
            "legend": legends.legend,
            "components": legends.components,
            "setup": legends.setup,
            "contents": self._contents,
            "index": self._notes.index,
            "glossary": self._notes.glossary,
            "readings": self._notes.readings,
            "provisional": self._notes.provisional,
        }

    def book(self) -> Book:
        reader = MarkdownReader(self._manuscript, self._inline, self._block)
        blocks = reader.blocks()
        if self._volume.defines:
            self._explain_all()
        anchors = reader.anchors | self._sections.anchors
        for anchor, place in self._inline.links:
            if anchor not in anchors:
                what = f"a link leads to '{anchor}', which is no heading's anchor"
                self._problems.append(Problem(place, what, did_you_mean(anchor, anchors)))
        unused = self._terms.unused(self._file) if self._volume.defines else ()
        if self._volume is not RULEBOOK:
            blocks = without_links(blocks, anchors, self._lang)
        problems = [*self._problems, *unused, *self._workshop.problems]
        if problems:
            raise ProblemsFound(problems)
        game, lang = self._game, self._lang
        volume, at = self._volume, game.places.place
        if volume.title:
            subtitle, below = phrase(volume.title, lang), None
        else:
            subtitle, below = self._said("overview") if game.overview else "", at("overview", lang)
        facts = tuple(_facts(game, lang))
        parts = (at("title", lang), below, at("players"))
        picture = self._cover
        if picture is None and volume.sheet:
            picture = self._sections.cover_picture()
        cover = Cover(self._said("title"), subtitle, facts, picture, self._origin(*parts))
        imprint = dict(self._imprint(blocks))
        origin = self._origin(*(at(section, lang) for section in imprint))
        lines = tuple(imprint.values())
        return Book(game.id, lang, cover, blocks, lines, game.date, volume.name, volume.folded, volume.sheet, origin)

    def _origin(self, *parts: Place | None) -> Origin:
        """Of what the book takes from the data: the places there, that of the template for what has none."""
        return Origin(self._manuscript.begins(0), parts)

    def _explain_all(self) -> None:
        """Reads what terms mean, whether it is shown or not: marks in it count, and mistakes in it are told."""
        self._notes.glossary(Body("glossary", {}, lambda *_path: None, self._problems))

    def _block(self, fence: Fence) -> Iterable[Block]:
        if fence.name == "upright":
            return [self._upright(fence)]
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
            return self._example(fence, body)
        if fence.name == "part":
            return self._sections.part(fence.argument, body)
        return self._makers[fence.name](body)

    def _figure(self, body: Body) -> list[Block]:
        figure = self._figures.figure(body)
        return [figure] if figure is not None else []

    def _on_cover(self, body: Body) -> list[Block]:
        if self._cover is not None:
            body.problem("the cover has a picture already", "remove one of them")
        self._cover = self._figures.figure(body)
        return []

    def _contents(self, body: Body) -> list[Block]:
        body.keys("title")
        title = body.text("title") or phrase("table_of_contents", self._lang)
        return [Contents(self._inline.plain(title, body.place()), Origin(body.begins))]

    def _example(self, fence: Fence, body: Body) -> list[Block]:
        """An example in words, with its situation where the block asks for it."""
        body.keys("title", "figure")
        example = self._played.example(fence.argument, body.place(), self._problems)
        if example is None:
            return []
        says = self._words_of(example)
        if not says:
            body.problem(f"the example {example.id} says nothing", "give it `says:`")
        blocks: list[Block] = [says] if says else []
        if "figure" in body:
            figure = self._figures.figure(body.inner("figure"), "situation", example)
            blocks += [figure] if figure is not None else []
        title = body.text("title") or phrase("example", self._lang)
        words = self._inline.plain(title, body.place("title"))
        return [Box("example", words, tuple(blocks), Origin(body.begins))]

    def _words_of(self, example: Example) -> Paragraph | None:
        if example.says is None:
            return None
        place = self._game.places.place("examples", self._game.examples.index(example), "says", self._lang)
        entry = self._workshop.artist.views.entry({"says": example.says}, f"example {example.id}", self._lang, place)
        text = self._inline.plain(str(entry["says"]), place)
        return Paragraph(text, origin=Origin(place)) if text else None

    def _upright(self, fence: Fence) -> Upright:
        """Paragraphs parted by empty lines; a first line with a # is their title."""
        title: Text = ()
        paragraphs: list[Text] = []
        parts: list[Place] = []
        for line, text in _paragraphs(fence):
            places = [self._manuscript.place(line + at) for at in range(text.count("\n") + 1)]
            if text.startswith("# "):
                title = self._inline.read(text[2:], places)
            else:
                paragraphs.append(self._inline.read(text, places))
                parts.append(self._manuscript.begins(line))
        if not paragraphs:
            self._manuscript.problem(fence.line, "an upright page without a paragraph", "write some text into it")
        return Upright(tuple(paragraphs), title, Origin(self._manuscript.begins(fence.line), tuple(parts)))

    def _imprint(self, blocks: tuple[Block, ...]) -> Iterator[tuple[str, str]]:
        """The lines at the end of the book, by the section of the data that they are taken from."""
        game, lang = self._game, self._lang
        seen = hashlib.sha256(self._manuscript.written.text.encode())
        for figure in _figures(blocks):
            seen.update(self._workshop.digest(figure.drawing).encode())
        name = "imprint" if game.date else "imprint_undated"
        yield "draft", phrase(name, lang, draft=game.draft, date=game.date, hash=seen.hexdigest()[:HASH_SHOWN])
        for section, line in (("credit", game.credit), ("licence", game.licence)):
            if line[lang]:
                yield section, line[lang]

    def _said(self, name: str) -> str:
        """A text about the game, without markup."""
        return " ".join(
            plain_text(parse_markup(str(self._workshop.artist.views.of_game(self._lang)["game"][name]))).split()
        )


def _facts(game: Game, lang: str) -> Iterator[str]:
    fewest, most = game.players.fewest, game.players.most
    if fewest == most:
        yield count_phrase("players", lang, fewest)
    else:
        yield phrase("players_range", lang, fewest=fewest, most=most)
    if game.minutes is not None:
        yield count_phrase("minutes", lang, game.minutes)
    if game.age is not None:
        yield phrase("age", lang, n=game.age)


def _paragraphs(fence: Fence) -> Iterator[tuple[int, str]]:
    """The paragraphs of a block of text with the line on which each begins."""
    start, lines = fence.first, list[str]()
    for at, line in enumerate([*fence.body.split("\n"), ""]):
        if lines and (not line.strip() or lines[0].startswith("# ")):
            yield start, "\n".join(lines)
            lines = []
        if line.strip():
            start = start if lines else fence.first + at
            lines.append(line)


def _figures(blocks: Iterable[Block]) -> Iterator[Figure]:
    for block in blocks:
        if isinstance(block, Figure):
            yield block
        elif isinstance(block, Box):
            yield from _figures(block.blocks)
        elif isinstance(block, Listing):
            for entry in block.entries:
                yield from _figures(entry)
