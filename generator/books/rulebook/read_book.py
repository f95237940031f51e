"""Read a book: render its template, parse it as Markdown, and build its blocks."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import cache
from itertools import takewhile
from typing import Any, cast

from generator.base.errors import InvalidInput, Problem, ProblemsFound, did_you_mean, raise_problems
from generator.base.extensions import Addition, find_additions
from generator.base.languages import phrase
from generator.books.page.blocks import (
    BackCover,
    Block,
    Book,
    Box,
    Contents,
    Figure,
    Heading,
    Inline,
    Level,
    Link,
    Listing,
    Origin,
    Paragraph,
    Table,
    change_texts,
    dissolve_groups,
)
from generator.books.page.references import find_anchored_titles
from generator.books.rulebook.block_makers import (
    CoverMaker,
    ExampleMaker,
    FigureMaker,
    GroupMaker,
    list_credits,
    list_state_lines,
    make_vertical_text,
    name_examples,
)
from generator.books.rulebook.book_lists import BackMatter, IndexMaker, Legends
from generator.books.rulebook.book_templates import RULEBOOK, Volume, find_typed_numbers, is_volume
from generator.books.rulebook.designer_notes import DesignerNotes, list_open_values
from generator.books.rulebook.figure_marks import CalloutNumbers, PlaceNumbers, find_mentioned_rings, find_shown_rings
from generator.books.rulebook.inline_text import IconColours, InlineReader, Terms
from generator.books.rulebook.manuscript import BlockBody, Fence, Manuscript, MarkdownReader, parse_body
from generator.books.rulebook.piece_pictures import PieceFaces
from generator.books.rulebook.rulebook_play import FindingLines, RulebookPlay
from generator.books.rulebook.story_pages import StoryPages
from generator.drawing.faces.game_drawing import Workshop, find_accent
from generator.drawing.templates.template_values import GameViews, View
from generator.game.model import Design, Example, Game, Kind, Reading, describe_reading
from generator.game.packs import list_pack_notices
from generator.game.rich_text import Plain, Words, hear_languages
from generator.rules.engine.table import piece_name


class RulebookValues:
    """The variables that a game's book templates can use, in one language. Raises InvalidInput for unknown names."""

    def __init__(self, game: Game, lang: str, views: GameViews):
        self._game, self._lang, self._views = game, lang, views

    def list_variables(self) -> dict[str, Any]:
        """Return the variables and functions of the template by name."""
        game, lang, examples = self._game, self._lang, {one.id: one for one in self._game.examples}
        return {
            **self._views.make_game_variables(lang),
            "switches": self._views.make_view(game.switches, "switches", lang),
            "count": lambda name: sum(design.count for design in self._choose_designs(name)),
            "name": self.find_name,
            "design": lambda name: self._make_component(self._find_design(name)),
            "designs": lambda name: tuple(self._make_component(design) for design in self._choose_designs(name)),
            "setup": self.list_setup,
            "reading": lambda name: self._make_reading(self._look_up(name, game.readings, "reading"))["reading"],
            "readings": tuple(self._make_reading(reading) for reading in game.readings.values()),
            "example": lambda name: self._make_example(self._look_up(name, examples, "example")),
            "operations": tuple(game.operations),
            "provisional": tuple(
                self._views.make_view({"path": path, "value": value}, "provisional", lang)
                for path, value in list_open_values(game, lang)
            ),
        }

    def find_name(self, name: str) -> str:
        """Return the name of a kind or a component, by its id."""
        if name in self._game.kinds:
            return self._game.kinds[name].name[self._lang]
        return piece_name(self._game, self._find_design(name).id, self._lang)

    def list_setup(self, players: int) -> tuple[View, ...]:
        """Return the pieces to set up for a number of players. Raise InvalidInput for an impossible number."""
        if players not in tuple(self._game.players):
            most = self._game.players
            hint = f"this game is for {most.fewest} to {most.most}"
            raise InvalidInput(f"there is no set-up for {players} players", hint)
        rows = []
        for item in self._game.setup:
            name, amount = self._game.kinds[item.kind].name, item.take * (players if item.each_player else 1)
            row = {"kind": item.kind, "name": name[self._lang], "take": item.take, "each_player": item.each_player}
            rows.append(self._views.make_view({**row, "amount": amount}, "setup", self._lang))
        return tuple(rows)

    def _make_component(self, design: Design) -> View:
        more = {"name": piece_name(self._game, design.id, self._lang), "kind": design.kind}
        return self._views.collect_fields(design, self._lang, more)

    def _find_design(self, name: str) -> Design:
        found: Design = self._look_up(name, {design.id: design for design in self._game.designs()}, "component")
        return found

    def _choose_designs(self, name: str) -> list[Design]:
        kind: Kind | None = self._game.kinds.get(name)
        if kind is not None:
            return list(kind.designs)
        chosen = [design for design in self._game.designs() if fnmatchcase(design.id, str(name))]
        if not chosen:
            known = [*self._game.kinds, *(design.id for design in self._game.designs())]
            raise InvalidInput(f"unknown component '{name}'", did_you_mean(str(name), known))
        return chosen

    def _look_up(self, name: str, among: Any, what: str) -> Any:
        if name not in among:
            raise InvalidInput(f"unknown {what} '{name}'", did_you_mean(str(name), map(str, among)))
        return among[name]

    def _make_reading(self, reading: Reading) -> View:
        raw = {
            "id": reading.id, "passage": reading.passage, "problem": reading.problem,
            "reading": describe_reading(reading, self._lang), "switch": reading.switch, "value": reading.value,
            "choices": reading.choices,
        }  # fmt: skip
        return self._views.make_view(raw, f"reading {reading.id}", self._lang, reading.place)

    def _make_example(self, example: Example) -> View:
        raw = {"id": example.id, "players": example.players, "moves": example.moves, "given": example.given}
        more = {"says": example.says} if example.says is not None else {}
        return self._views.make_view({**raw, **more}, f"example {example.id}", self._lang, example.place)


TAKEN = ("text", "lists", "tables", "figures", "notes", "examples")
"""Words for `take:`, which chooses what another book copies from a section of the rulebook."""

USUAL = TAKEN[:-1]
"""The contents that are copied if `take:` is missing."""


_MOST = 100
"""More blocks than any section has: the default for `most:`."""

_LEVEL: Level = 2
_STEP: Level = 3
"""Heading levels of a section copied from the rulebook, and of a section inside it."""


class RulebookSections:
    """Copies sections of the rulebook into another book. `anchors` are those of the copied headings."""

    def __init__(self, rulebook: Callable[[], Book], inline: InlineReader):
        self._rulebook, self._inline = rulebook, inline
        self.anchors: set[str] = set()
        self._taken: list[tuple[str, BlockBody, Sequence[Block]]] = []

    def find_cover_picture(self) -> Figure | None:
        """Return the picture on the rulebook's cover, else the drawing in its background."""
        return self._rulebook().cover.any_picture

    def take_part(self, name: str, body: BlockBody) -> list[Block]:
        """Return the blocks of the section with the anchor `name` (`#anchor`), as the block chooses. Report faults."""
        body.check_keys("title", "untitled", "step", "take", "most", "whole")
        blocks = tuple(dissolve_groups(self._rulebook().blocks))
        at = next((at for at, each in enumerate(blocks) if isinstance(each, Heading) and name == f"#{each.anchor}"), -1)
        if at < 0:
            known = [f"#{block.anchor}" for block in blocks if isinstance(block, Heading)]
            body.add_problem(f"the rulebook has no section '{name}'", did_you_mean(name, known))
            return []
        opened, *rest = blocks[at:]
        assert isinstance(opened, Heading)  # noqa: S101 - found by its anchor
        whole = body.read_flag("whole")

        def continues(block: Block) -> bool:
            ends = isinstance(block, Heading) and (not whole or block.level <= opened.level)
            return not ends and not isinstance(block, BackCover)

        found = list(takewhile(continues, rest))
        wanted = [str(word) for word in body.read_entries("take")] if "take" in body else list(USUAL)
        for word in wanted:
            if word not in TAKEN:
                body.add_problem(f"part.take has '{word}'", did_you_mean(word, TAKEN), "take")
        most = body.read_number("most", 1, _MOST)
        chosen = (one for one in found if isinstance(one, Heading) or find_block_word(one) in wanted)
        made = [_fit_block(block, opened) for block in chosen]
        made = made[: int(most)] if most else made
        if not made:
            kinds = ", ".join(dict.fromkeys(filter(None, map(find_block_word, found)))) or "nothing to take"
            body.add_problem(f"`take:` selects nothing from '{name}'", f"it has {kinds}; write them to `take:`", "take")
        words = self._inline.read_plain(body.get_text("title"), body.place("title")) if "title" in body else opened.text
        level = _STEP if body.read_flag("step") else _LEVEL
        title = [] if body.read_flag("untitled") else [replace(opened, level=level, text=words)]
        for heading in [*title, *(block for block in made if isinstance(block, Heading))]:
            if heading.anchor in self.anchors:
                hint = "leave out one of them, or write `untitled: true`"
                body.add_problem(f"'#{heading.anchor}' is taken twice", hint)
            self.anchors.add(heading.anchor)
        self.anchors |= {anchor for anchor, _ in find_anchored_titles(made)}
        self._taken.append((name, body, made))
        return [*title, *made]

    def check_rings(self, blocks: Sequence[Block]) -> None:
        """Report copied sections that mention numbers in rings although no figure of this book shows them."""
        shown = find_shown_rings(blocks)
        for name, body, taken in self._taken:
            numbers = sorted({ring.number for ring in find_mentioned_rings(taken) - shown})
            if numbers:
                what = f"'{name}' mentions numbers that no figure here shows: {', '.join(map(str, numbers))}"
                body.add_problem(what, "take the figures that show them, too, or leave out this text", "take")


def _fit_block(block: Block, opened: Heading) -> Block:
    """Return a copied block changed for its new place: subsections become steps, lead paragraphs plain ones."""
    if isinstance(block, Heading):
        return replace(block, level=cast("Level", min(_STEP, _LEVEL + block.level - opened.level)))
    if isinstance(block, Paragraph) and block.role == "lead":
        return replace(block, role="body")
    if isinstance(block, Box):
        return replace(block, name="")  # its number is that of the rulebook
    return block


def find_block_word(block: Block) -> str:
    """Return the word in `TAKEN` for this kind of block, or '' for a block that can't be copied."""
    if isinstance(block, Box):
        return "examples" if block.role == "example" else "notes"
    kinds = {Paragraph: "text", Listing: "lists", Table: "tables", Figure: "figures"}
    return kinds.get(type(block), "")


def count_blocks(book: Book) -> Counter[str]:
    """Return the number of `blocks`, and by chapter (`#anchor figures`) of headings, examples, tables and figures."""
    counted, chapter = Counter(blocks=len(book.blocks)), ""
    for block in dissolve_groups(book.blocks):
        if isinstance(block, Heading) and block.level == 1:
            chapter = block.anchor
        for part in (block, *(block.blocks if isinstance(block, Box) else ())):
            word = "headings" if isinstance(part, Heading) else find_block_word(part)
            if word in ("headings", "examples", "tables", "figures"):
                counted[f"#{chapter} {word}"] += 1
    return counted


def drop_links(blocks: Iterable[Block], places: Collection[str], lang: str) -> tuple[Block, ...]:
    """Replace links by plain words or the rulebook's name, except those to `places`, which are in this book."""

    def plain(inline: Inline) -> Inline:
        if isinstance(inline, Link) and inline.anchor not in places:
            return Plain(inline.text or phrase("book_rulebook", lang))
        return inline

    return tuple(change_texts(block, lambda text: tuple(map(plain, text))) for block in blocks)


def read_book(workshop: Workshop, lang: str, played: RulebookPlay, volume: Volume = RULEBOOK) -> Book:
    """Read a book in a language. Raise ProblemsFound with all faults of its template.

    A book that was read with `played` before is not read again: a quick start copies sections of the rulebook.
    """
    if (volume.name, lang) not in played.books:
        with hear_languages() as heard:
            book = _BookReader(workshop, lang, played, volume).read_book()
        played.books[volume.name, lang] = book, heard
    book, heard = played.books[volume.name, lang]
    Words.heard.update(heard)
    return book


class _BookReader:
    def __init__(self, workshop: Workshop, lang: str, played: RulebookPlay, volume: Volume):
        self._workshop, self._game, self._lang, self._played = workshop, workshop.game, lang, played
        self._volume, self._name = volume, f"{workshop.game.id}/{volume.get_template_name(lang)}"
        templates, views = workshop.artist.templates, workshop.artist.views
        source = templates.find_source(self._name)
        assert source is not None, self._name  # noqa: S101 - checked by the caller
        self._problems = list(find_typed_numbers(*source))
        self._file = source[1]
        try:
            written = templates.jinja.render_text(self._name, RulebookValues(self._game, lang, views).list_variables())
        except ProblemsFound as found:
            raise ProblemsFound([*self._problems, *found.problems]) from found
        for file, text in sorted(templates.jinja.read_texts().items()):
            if not is_volume(file):  # included files only; other books are checked separately
                self._problems += find_typed_numbers(text, file)
        self._manuscript = Manuscript(written, self._problems, templates.jinja.read_texts())
        self._terms = Terms(self._game, lang)
        paints = IconColours(workshop)
        paint = find_accent(self._game.palette)
        self._numbers = CalloutNumbers(paint, self._problems)
        self._places = PlaceNumbers(self._game, written.text, paint)
        names = name_examples(written.text, lang)
        marks = self._numbers, self._places
        self._inline = InlineReader(self._game, lang, self._terms, paints, *marks, self._problems, names)
        self._faces = PieceFaces(workshop, lang, self._problems)
        self._figures = FigureMaker(self._faces, self._inline, played, *marks, paint)
        self._register = IndexMaker(self._game, lang, self._inline, self._manuscript.add_column)
        self._notes = BackMatter(self._game, lang, self._inline, views)
        showed = FindingLines(self._game, lang, played, self._problems)
        designer = DesignerNotes(self._game, lang, self._inline, views, showed)
        story = StoryPages(self._game, lang, self._inline, played, self._problems, workshop.kept)
        self._examples = ExampleMaker(self._faces, played, self._inline, self._figures)
        self._cover = CoverMaker(workshop, lang, self._figures)
        self._arrangement = GroupMaker(self._problems)
        self._backed = False
        legends = Legends(self._faces, self._inline, self._figures, paints)
        self._sections = RulebookSections(cache(lambda: read_book(workshop, lang, played)), self._inline)
        self._makers: Mapping[str, Callable[[BlockBody], Iterable[Block]]] = {
            "figure": self._make_figure, "tabletop": self._make_tabletop, "cover": self._cover.read_cover_block,
            "legend": legends.make_legend, "components": legends.list_components, "setup": legends.list_setup,
            "contents": self._make_contents, "columns": self._arrangement.read_mark,
            "wide": self._arrangement.read_mark, "spread": self._arrangement.read_mark,
            "end": self._arrangement.read_mark, "back": self._make_back_cover, "index": self._register.make_index,
            "glossary": self._notes.make_glossary, "readings": designer.list_readings,
            "provisional": designer.list_provisional, "state": designer.make_state,
            "story": story.list_story,
            "decisions": designer.rank_readings,
        }  # fmt: skip

    def read_book(self) -> Book:
        reader = MarkdownReader(self._manuscript, self._inline, self._make_blocks)
        joined = tuple(self._arrangement.group_blocks(self._numbers.resolve_mentions(reader.read_blocks())))
        if self._volume.defines:  # reads the meanings of all terms, to count their marks and report their faults
            self._notes.make_glossary(BlockBody("glossary", {}, lambda *_path: None, self._problems))
        blocks = tuple(self._register.fill_index(joined))
        anchors = reader.anchors | self._examples.anchors | self._sections.anchors
        for anchor, place in self._register.anchors.items():
            if anchor in anchors:
                self._problems.append(Problem(place, f"the anchor '{anchor}' is used twice", "rename one of them"))
            anchors = anchors | {anchor}
        for anchor, place in self._inline.links:
            if anchor not in anchors:
                what = f"a link leads to '{anchor}', but no heading has this anchor"
                self._problems.append(Problem(place, what, did_you_mean(anchor, anchors)))
        unused = self._terms.find_unused(self._file) if self._volume.defines else ()
        if self._volume is not RULEBOOK:
            blocks = drop_links(blocks, anchors, self._lang)
            self._sections.check_rings(blocks)
        self._cover.draw_lettering(on_paper=self._volume.sheet)
        raise_problems([*self._problems, *self._places.find_unseen(), *unused, *self._workshop.problems])
        game, lang = self._game, self._lang
        volume, begins = self._volume, self._manuscript.find_begin(0)
        cover = self._cover.make_cover(volume, begins)
        if volume.sheet and cover.picture is None and cover.ground is None:
            cover = replace(cover, picture=self._sections.find_cover_picture())
        written = self._manuscript.written.text
        state = volume.states or not game.credits
        imprint = [*(list_state_lines(self._workshop, lang, written, blocks) if state else list_credits(game, lang))]
        imprint += ((("components",), line) for line in list_pack_notices(self._workshop.resources, game.id))
        origin = Origin(begins, tuple(game.places.place(*path, lang) for path, _ in imprint))
        lines = tuple(line for _, line in imprint)
        return Book(game.id, lang, cover, blocks, lines, game.date, volume.name, volume.folded, volume.sheet, origin)

    def _make_blocks(self, fence: Fence) -> Iterable[Block]:
        if fence.name == "upright":
            return [make_vertical_text(fence, self._manuscript, self._inline)]
        known = [*self._makers, "example", "upright", *(["part"] if self._volume is not RULEBOOK else [])]
        added: Mapping[str, Addition] = {}
        if fence.name not in known and self._volume is not RULEBOOK:  # an added block may read the rulebook
            added = find_additions("blocks", tuple(known)).entries
        if fence.name not in known and fence.name not in added:
            what = f"unknown block '{fence.name}'" if fence.name else "the block has no name"
            self._manuscript.add_problem(fence.line, what, did_you_mean(fence.name, [*known, *added]))
            return []
        if fence.argument and fence.name not in ("example", "part"):
            what = f"'{fence.argument}' after the name of the {fence.name} block"
            self._manuscript.add_problem(fence.line, what, "write it into the block")
        body = parse_body(fence, self._manuscript)
        if body is None:
            return []
        if fence.name == "example":
            return self._examples.make_example(fence.argument, body)
        if fence.name == "part":
            return self._sections.take_part(fence.argument, body)
        if fence.name in added:
            self._played.has_added_blocks = True
            try:
                return [*added[fence.name].load(Callable)(self._workshop, self._lang, self._played, body)]
            except ProblemsFound as found:
                self._problems += found.problems
                return []
        return self._makers[fence.name](body)

    def _make_figure(self, body: BlockBody) -> list[Block]:
        figure = self._figures.make_figure(body)
        return [figure] if figure is not None else []

    def _make_tabletop(self, body: BlockBody) -> list[Block]:
        figure = self._figures.make_figure(body, "tabletop")
        self._places.picture_failed |= figure is None
        return [figure] if figure is not None else []

    def _make_contents(self, body: BlockBody) -> list[Block]:
        body.check_keys("title")
        title = body.get_text("title") or phrase("table_of_contents", self._lang)
        return [Contents(self._inline.read_plain(title, body.place()), Origin(body.begins))]

    def _make_back_cover(self, body: BlockBody) -> list[Block]:
        body.check_keys()
        if self._backed:
            body.add_problem("the back cover begins twice", "remove one of them")
        self._backed = True
        return [BackCover(Origin(body.begins))]
