"""Read a book: render its template, parse it as Markdown, and build its blocks."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import cache
from itertools import takewhile
from typing import Any, cast

from generator.base.errors import Problem, ProblemsFound, Unfit, did_you_mean
from generator.base.languages import phrase
from generator.books.page.blocks import (
    BackCover,
    Block,
    Book,
    Box,
    Contents,
    Figure,
    Heading,
    Level,
    Link,
    Listing,
    Origin,
    Paragraph,
    Table,
    Text,
    change_texts,
    without_arrangement,
)
from generator.books.page.references import anchored
from generator.books.rulebook.block_makers import (
    ArrangementMaker,
    CoverMaker,
    ExampleMaker,
    FigureMaker,
    credited_lines,
    example_names,
    state_lines,
    upright_page,
)
from generator.books.rulebook.book_lists import BackMatter, Legends, RegisterMaker
from generator.books.rulebook.book_templates import RULEBOOK, Volume, is_volume, typed_numbers
from generator.books.rulebook.designer_notes import DesignerNotes, open_values, reading_words
from generator.books.rulebook.inline_text import IconColours, InlineReader, Terms
from generator.books.rulebook.manuscript import Body, Fence, Manuscript, MarkdownReader, body_of
from generator.books.rulebook.piece_pictures import Faces
from generator.books.rulebook.ring_numbers import CalloutNumbers, PlaceNumbers, mentioned_rings, shown_rings
from generator.books.rulebook.rulebook_play import FoundLines, RulebookPlay
from generator.drawing.faces.game_drawing import Workshop, accent
from generator.drawing.templates.template_values import GameViews, View
from generator.game.model import Design, Example, Game, Kind, Reading
from generator.game.rich_text import Plain
from generator.rules.engine.table import piece_name


class Values:
    """The variables of one game's rulebook in one language. Raises Unfit for unknown names."""

    def __init__(self, game: Game, lang: str, views: GameViews):
        self._game, self._lang, self._views = game, lang, views

    def variables(self) -> dict[str, Any]:
        """Return all names that the template can use."""
        game, lang = self._game, self._lang
        return {
            **self._views.of_game(lang),
            "switches": self._views.entry(game.switches, "switches", lang),
            "count": self.count,
            "name": self.name,
            "design": lambda name: self._component(self._design(name)),
            "designs": lambda name: tuple(self._component(design) for design in self._chosen(name)),
            "setup": self.setup,
            "reading": lambda name: self._reading(self._found(name, game.readings, "reading"))["reading"],
            "readings": tuple(self._reading(reading) for reading in game.readings.values()),
            "example": lambda name: self._example(self._found(name, {one.id: one for one in game.examples}, "example")),
            "operations": tuple(game.operations),
            "provisional": tuple(
                self._views.entry({"path": path, "value": value}, "provisional", lang)
                for path, value in open_values(game, lang)
            ),
        }

    def count(self, name: str) -> int:
        """Return the number of printed pieces of a kind or pattern."""
        return sum(design.count for design in self._chosen(name))

    def name(self, name: str) -> str:
        """Return the name of a kind or a component."""
        if name in self._game.kinds:
            return self._game.kinds[name].name[self._lang]
        return piece_name(self._game, self._design(name).id, self._lang)

    def setup(self, players: int) -> tuple[View, ...]:
        """Return the pieces that set-up takes for N players. Raise Unfit for a wrong number."""
        if players not in tuple(self._game.players):
            most = self._game.players
            raise Unfit(f"there is no set-up for {players} players", f"this game is for {most.fewest} to {most.most}")
        return tuple(
            self._views.entry(
                {
                    "kind": item.kind,
                    "name": self._game.kinds[item.kind].name[self._lang],
                    "take": item.take,
                    "each_player": item.each_player,
                    "amount": item.take * (players if item.each_player else 1),
                },
                "setup",
                self._lang,
            )
            for item in self._game.setup
        )

    def _component(self, design: Design) -> View:
        more = {"name": piece_name(self._game, design.id, self._lang), "kind": design.kind}
        return self._views.component(design, self._lang, more)

    def _design(self, name: str) -> Design:
        found: Design = self._found(name, {design.id: design for design in self._game.designs()}, "component")
        return found

    def _chosen(self, name: str) -> list[Design]:
        kind: Kind | None = self._game.kinds.get(name)
        if kind is not None:
            return list(kind.designs)
        chosen = [design for design in self._game.designs() if fnmatchcase(design.id, str(name))]
        if not chosen:
            known = [*self._game.kinds, *(design.id for design in self._game.designs())]
            raise Unfit(f"unknown component '{name}'", did_you_mean(str(name), known))
        return chosen

    def _found(self, name: str, among: Any, what: str) -> Any:
        if name not in among:
            raise Unfit(f"unknown {what} '{name}'", did_you_mean(str(name), map(str, among)))
        return among[name]

    def _reading(self, reading: Reading) -> View:
        raw = {
            "id": reading.id,
            "passage": reading.passage,
            "problem": reading.problem,
            "reading": reading_words(reading, self._lang),
            "switch": reading.switch,
            "value": reading.value,
            "choices": reading.choices,
        }
        return self._views.entry(raw, f"reading {reading.id}", self._lang, reading.place)

    def _example(self, example: Example) -> View:
        raw = {"id": example.id, "players": example.players, "moves": example.moves, "given": example.given}
        more = {"says": example.says} if example.says is not None else {}
        return self._views.entry({**raw, **more}, f"example {example.id}", self._lang, example.place)


TAKEN = ("text", "lists", "tables", "figures", "notes", "examples")
"""The words for the parts that may be taken of a section; notes and examples are in boxes."""

USUAL = TAKEN[:-1]
"""The parts that are taken by default."""


_MOST = 100
"""A number of blocks larger than any section."""

_LEVEL: Level = 2
_STEP: Level = 3
"""Levels of a section taken from the rulebook, and of a section inside it."""


class RulebookSections:
    """Sections of a rulebook, which is read on first use; `anchors` are those of the headings."""

    def __init__(self, rulebook: Callable[[], Book], inline: InlineReader):
        self._rulebook, self._inline = rulebook, inline
        self.anchors: set[str] = set()
        self._taken: list[tuple[str, Body, Sequence[Block]]] = []

    def cover_picture(self) -> Figure | None:
        """Return the picture on the rulebook's cover, or the drawing on its background."""
        return self._rulebook().cover.shown

    def part(self, name: str, body: Body) -> list[Block]:
        """Return the blocks of the section `#anchor` that a part asks for. Report those it can't take."""
        body.keys("title", "untitled", "step", "take", "most", "whole")
        blocks = tuple(without_arrangement(self._rulebook().blocks))
        at = next((at for at, each in enumerate(blocks) if isinstance(each, Heading) and name == f"#{each.anchor}"), -1)
        if at < 0:
            known = [f"#{block.anchor}" for block in blocks if isinstance(block, Heading)]
            body.problem(f"'{name}' is no section of the rulebook", did_you_mean(name, known))
            return []
        opened, *rest = blocks[at:]
        assert isinstance(opened, Heading)  # noqa: S101 - found by its anchor
        whole = body.flag("whole")
        found = list(takewhile(lambda block: not _ends(block, opened, whole=whole), rest))
        wanted = [str(word) for word in body.entries("take")] if "take" in body else list(USUAL)
        for word in wanted:
            if word not in TAKEN:
                body.problem(f"part.take has '{word}'", did_you_mean(word, TAKEN), "take")
        most = body.number("most", 1, _MOST)
        made = [_fitted(block, opened) for block in found if isinstance(block, Heading) or kind_of(block) in wanted]
        made = made[: int(most)] if most else made
        if not made:
            body.problem(f"nothing of '{name}' is taken", f"it has {_listed(found)}; write them to `take:`", "take")
        words = self._inline.plain(body.text("title"), body.place("title")) if "title" in body else opened.text
        level = _STEP if body.flag("step") else _LEVEL
        title = [] if body.flag("untitled") else [replace(opened, level=level, text=words)]
        for heading in [*title, *(block for block in made if isinstance(block, Heading))]:
            if heading.anchor in self.anchors:
                body.problem(f"'#{heading.anchor}' is taken twice", "leave out one of them, or write `untitled: true`")
            self.anchors.add(heading.anchor)
        self.anchors |= {anchor for anchor, _ in anchored(made)}
        self._taken.append((name, body, made))
        return [*title, *made]

    def check_rings(self, blocks: Sequence[Block]) -> None:
        """Report parts that mention numbers in rings which no figure among the blocks of the book shows."""
        shown = shown_rings(blocks)
        for name, body, taken in self._taken:
            numbers = sorted({ring.number for ring in mentioned_rings(taken) - shown})
            if numbers:
                what = f"'{name}' mentions numbers that no figure here shows: {', '.join(map(str, numbers))}"
                body.problem(what, "take the figures that show them, too, or leave out this text", "take")


def _ends(block: Block, opened: Heading, *, whole: bool) -> bool:
    """Return True at the end of a section: at the next heading, or, taken whole, at the next of its level."""
    if isinstance(block, BackCover):
        return True
    return isinstance(block, Heading) and (not whole or block.level <= opened.level)


def _fitted(block: Block, opened: Heading) -> Block:
    """Return a block for its new place: subsections become steps, lead paragraphs become plain ones."""
    if isinstance(block, Heading):
        return replace(block, level=cast("Level", min(_STEP, _LEVEL + block.level - opened.level)))
    if isinstance(block, Paragraph) and block.role == "lead":
        return replace(block, role="body")
    if isinstance(block, Box):
        return replace(block, name="")  # its number is that of the rulebook
    return block


def kind_of(block: Block) -> str:
    """Return the word of `TAKEN` for a block, or an empty string for a block that can't move."""
    if isinstance(block, Box):
        return "examples" if block.role == "example" else "notes"
    kinds = {Paragraph: "text", Listing: "lists", Table: "tables", Figure: "figures"}
    return kinds.get(type(block), "")


def _listed(blocks: Iterable[Block]) -> str:
    kinds = dict.fromkeys(filter(None, map(kind_of, blocks)))
    return ", ".join(kinds) or "nothing to take"


def without_links(blocks: Iterable[Block], places: Collection[str], lang: str) -> tuple[Block, ...]:
    """Return the blocks with links as plain words, except links to `places`: the others lead to another book.

    A link without words of its own names the rulebook.
    """

    def unlink(text: Text) -> Text:
        away = [isinstance(inline, Link) and inline.anchor not in places for inline in text]
        return tuple(
            Plain(inline.text or phrase("book_rulebook", lang)) if gone and isinstance(inline, Link) else inline
            for inline, gone in zip(text, away, strict=True)
        )

    return tuple(change_texts(block, unlink) for block in blocks)


def read_book(workshop: Workshop, lang: str, played: RulebookPlay, volume: Volume = RULEBOOK) -> Book:
    """Return a book in a language. Raise ProblemsFound with all faults of its template."""
    return _Reader(workshop, lang, played, volume).book()


class _Reader:
    """Reader of one book."""

    def __init__(self, workshop: Workshop, lang: str, played: RulebookPlay, volume: Volume):
        self._workshop, self._game, self._lang, self._played = workshop, workshop.game, lang, played
        self._volume, self._name = volume, f"{workshop.game.id}/{volume.template(lang)}"
        templates, views = workshop.artist.templates, workshop.artist.views
        source = templates.source(self._name)
        assert source is not None, self._name  # noqa: S101 - checked by the caller
        self._problems = list(typed_numbers(*source))
        self._file = source[1]
        try:
            written = templates.render_text(self._name, Values(self._game, lang, views).variables())
        except ProblemsFound as found:
            raise ProblemsFound([*self._problems, *found.problems]) from found
        for file, text in sorted(templates.texts_read().items()):
            if not is_volume(file):  # included files only; other books are checked separately
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
        """Read the meanings of all terms even if they are not shown, to count their marks and report their faults."""
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
