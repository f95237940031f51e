"""A game's book in one language: its template filled in, read as Markdown, its blocks made; or every problem."""

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache

from generator.errors import Place, Problem, ProblemsFound, did_you_mean
from generator.faces.accent import accent
from generator.faces.stamp import HASH_SHOWN
from generator.faces.workshop import Workshop
from generator.model.drawing import Drawing
from generator.model.game import Example, Game
from generator.model.markup import parse_markup, plain_text
from generator.model.phrases import count_phrase, phrase
from generator.model.sizes import paper_size
from generator.model.text import Words
from generator.pages.blocks import (
    NOWHERE,
    BackCover,
    Block,
    Book,
    Box,
    Contents,
    Cover,
    Figure,
    Index,
    Listing,
    NarrowColumns,
    Origin,
    Paragraph,
    Sign,
    Text,
    Upright,
)
from generator.rulebook.annotations.numbers import CalloutNumbers
from generator.rulebook.designer import DesignerNotes
from generator.rulebook.faces import Faces
from generator.rulebook.fenced import Body, body_of
from generator.rulebook.figures import FigureMaker
from generator.rulebook.inline import IconColours, InlineReader, Terms
from generator.rulebook.legends import Legends
from generator.rulebook.lint import typed_numbers
from generator.rulebook.markdown import Fence, Manuscript, MarkdownReader
from generator.rulebook.notes import BackMatter
from generator.rulebook.played import RulebookPlay
from generator.rulebook.register import RegisterMaker
from generator.rulebook.sections import RulebookSections, without_links
from generator.rulebook.tabletop.numbers import PlaceNumbers
from generator.rulebook.values import Values
from generator.rulebook.volumes import RULEBOOK, Volume, is_volume

COVER_TEMPLATE = "cover.svg"
"""The file of templates/<game>/ that covers the whole first page."""

PAGES_OWN = paper_size("A5")
"""How large that is drawn; other pages show it larger."""

_EXAMPLE = re.compile(r"^[\s>-]*```+example\s+(\S+)", re.MULTILINE)


def example_anchor(name: str) -> str:
    """The anchor of the example of that id."""
    return f"example-{name}"


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
        numbered = enumerate(_EXAMPLE.findall(written.text), start=1)
        names = {example_anchor(name): self._example_name(number) for number, name in reversed([*numbered])}
        self._inline = InlineReader(
            self._game, lang, self._terms, paints, self._numbers, self._places, self._problems, names
        )
        self._faces = Faces(workshop, lang, self._problems)
        self._figures = FigureMaker(
            self._faces, self._inline, played, self._numbers, self._places, paint, self._problems
        )
        self._register = RegisterMaker(self._game, lang, self._inline)
        self._notes = BackMatter(self._game, lang, self._inline, views)
        designer = DesignerNotes(self._game, lang, self._inline, views)
        self._cover: Figure | None = None
        self._ground: Drawing | str | None = None
        self._ink = ""
        self._covered = self._narrows = self._backed = False
        self._examples = 0
        self._anchors: set[str] = set()
        legends = Legends(self._faces, self._inline, self._figures, paints)
        self._sections = RulebookSections(cache(lambda: read_book(workshop, lang, played)), self._inline)
        self._makers: Mapping[str, Callable[[Body], Iterable[Block]]] = {
            "figure": self._figure,
            "tabletop": self._tabletop,
            "cover": self._on_cover,
            "legend": legends.legend,
            "components": legends.components,
            "setup": legends.setup,
            "contents": self._contents,
            "columns": self._narrow,
            "end": self._narrow,
            "back": self._back,
            "index": self._register.index,
            "glossary": self._notes.glossary,
            "readings": designer.readings,
            "provisional": designer.provisional,
            "state": designer.state,
        }

    def book(self) -> Book:
        reader = MarkdownReader(self._manuscript, self._inline, self._block)
        written = tuple(self._in_columns(self._numbers.resolved(reader.blocks())))
        if self._volume.defines:
            self._explain_all()
        blocks = tuple(self._register.filled(written))
        anchors = reader.anchors | self._anchors | self._sections.anchors
        for anchor, place in self._inline.links:
            if anchor not in anchors:
                what = f"a link leads to '{anchor}', which is no heading's anchor"
                self._problems.append(Problem(place, what, did_you_mean(anchor, anchors)))
        unused = self._terms.unused(self._file) if self._volume.defines else ()
        if self._volume is not RULEBOOK:
            blocks = without_links(blocks, anchors, self._lang)
        problems = [*self._problems, *self._places.unseen(), *unused, *self._workshop.problems]
        if problems:
            raise ProblemsFound(problems)
        game, lang = self._game, self._lang
        volume, at = self._volume, game.places.place
        if volume.title:
            subtitle, below = phrase(volume.title, lang), None
        else:
            subtitle, below = self._said("overview") if game.overview else "", at("overview", lang)
        told = () if volume.states else tuple(_facts(game, lang))
        facts = tuple(_state(game, lang)) if volume.states else tuple(fact for _, fact in told)
        picture = self._sections.cover_picture() if volume.sheet and not self._covered else self._cover
        parts = (at("title", lang), below, at("players"))
        cover = Cover(
            self._said("title"),
            subtitle,
            facts,
            picture,
            self._ground,
            self._ink,
            tuple(sign for sign, _ in told),
            self._origin(*parts),
        )
        credited = game.credits and not volume.states
        imprint = list(self._credited() if credited else self._imprint(blocks))
        origin = self._origin(*(at(*path, lang) for path, _ in imprint))
        lines = tuple(line for _, line in imprint)
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

    def _tabletop(self, body: Body) -> list[Block]:
        figure = self._figures.figure(body, "tabletop")
        return [figure] if figure is not None else []

    def _on_cover(self, body: Body) -> list[Block]:
        if self._covered:
            body.problem("the cover has a picture already", "remove one of them")
        self._covered = True
        ground = self._paint(body, "ground")
        name = f"{self._game.id}/{COVER_TEMPLATE}"
        drawn = self._workshop.artist.templates.source(name) is not None
        if drawn:
            self._ground = self._workshop.artist.ground(name, PAGES_OWN, self._lang)
            if ground:
                body.problem(f"the cover has a ground, and there is {COVER_TEMPLATE}", "remove one of them", "ground")
        else:
            self._ground = ground or None
        self._ink = self._paint(body, "ink")
        shown = body.without("ground", "ink")
        if "of" in shown or "show" in shown or not (drawn or ground):
            self._cover = self._figures.figure(shown)
        else:
            shown.keys()
        return []

    def _paint(self, body: Body, key: str) -> str:
        """A colour of the game's palette, empty where the key is missing."""
        name = body.text(key)
        if name and name not in self._game.palette:
            body.problem(f"unknown colour '{name}'", did_you_mean(name, self._game.palette), key)
            return ""
        return name

    def _contents(self, body: Body) -> list[Block]:
        body.keys("title")
        title = body.text("title") or phrase("table_of_contents", self._lang)
        return [Contents(self._inline.plain(title, body.place()), Origin(body.begins))]

    def _narrow(self, body: Body) -> list[Block]:
        """Where narrow columns begin or end: `_in_columns` takes what stands between."""
        body.keys()
        begins = body.name == "columns"
        if begins == self._narrows:
            what = "narrow columns begin inside others" if begins else "narrow columns end that have not begun"
            body.problem(what, "write ```columns before what stands in them and ```end behind it")
            return []
        self._narrows = begins
        return [NarrowColumns((), Origin(body.begins))]

    def _in_columns(self, blocks: Iterable[Block]) -> Iterator[Block]:
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

    def _back(self, body: Body) -> list[Block]:
        body.keys()
        if self._backed:
            body.problem("the back cover begins twice", "remove one of them")
        self._backed = True
        return [BackCover(Origin(body.begins))]

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
        self._examples += 1
        name = self._example_name(self._examples)
        anchor = example_anchor(example.id)
        title = self._title_of(example, body)
        first = anchor not in self._anchors
        self._anchors.add(anchor)
        return [Box("example", title, tuple(blocks), Origin(body.begins), anchor if first else "", name)]

    def _example_name(self, number: int) -> str:
        return phrase("example_number", self._lang, n=number)

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

    def _credited(self) -> Iterator[tuple[tuple[str | int, ...], str]]:
        """The lines at the end of a book for players: who made the game, whom to ask, which edition it is.

        Each has the path of the data that it is taken from.
        """
        game, lang = self._game, self._lang
        for number, line in enumerate(game.credits):
            words = phrase("credited", lang, role=line.role[lang], who=line.name[lang])
            yield ("credits", number, "name"), words
        if game.contact is not None and game.contact[lang]:
            yield ("contact",), game.contact[lang]
        version = phrase("version", lang, version=game.version) if game.version else ""
        edition = (version, phrase("draft_of", lang, draft=game.draft), game.date)
        yield ("draft",), " · ".join(part for part in (*edition, *dict(_facts(game, lang)).values()) if part)

    def _imprint(self, blocks: tuple[Block, ...]) -> Iterator[tuple[tuple[str | int, ...], str]]:
        """The lines at the end of a book that says its state, by the path of the data that they are taken from."""
        game, lang = self._game, self._lang
        seen = hashlib.sha256(self._manuscript.written.text.encode())
        for figure in _figures(blocks):
            seen.update(self._workshop.digest(figure.drawing).encode())
        name = "imprint" if game.date else "imprint_undated"
        yield ("draft",), phrase(name, lang, draft=game.draft, date=game.date, hash=seen.hexdigest()[:HASH_SHOWN])
        for section, line in (("credit", game.credit), ("licence", game.licence)):
            if line[lang]:
                yield (section,), line[lang]

    def _said(self, name: str) -> str:
        """A text about the game, without markup."""
        return " ".join(
            plain_text(parse_markup(str(self._workshop.artist.views.of_game(self._lang)["game"][name]))).split()
        )


def _facts(game: Game, lang: str) -> Iterator[tuple[Sign, str]]:
    fewest, most = game.players.fewest, game.players.most
    if fewest == most:
        yield "players", count_phrase("players", lang, fewest)
    else:
        yield "players", phrase("players_range", lang, fewest=fewest, most=most)
    if game.minutes is not None:
        yield "minutes", count_phrase("minutes", lang, game.minutes)
    if game.age is not None:
        yield "age", phrase("age", lang, n=game.age)


def _state(game: Game, lang: str) -> Iterator[str]:
    if game.draft:
        yield phrase("draft_named", lang, draft=game.draft)
    if game.date:
        yield game.date


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
        elif isinstance(block, Box | NarrowColumns):
            yield from _figures(block.blocks)
        elif isinstance(block, Listing):
            for entry in block.entries:
                yield from _figures(entry)
