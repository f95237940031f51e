"""Block makers: turn fenced blocks of a book's template into figures, cover, examples, columns and imprint."""

import hashlib
import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import TypeAlias, cast

from generator.base.colour import measure_luminance
from generator.base.display_list import Drawing, Paint
from generator.base.errors import Place, Problem, did_you_mean
from generator.base.geometry import Size, paper_size
from generator.base.languages import count_phrase, phrase
from generator.books.page.blocks import (
    BackCover,
    Block,
    BlockGroup,
    Box,
    Contents,
    Cover,
    Figure,
    Index,
    Manner,
    Origin,
    Paragraph,
    Sign,
    Text,
    VerticalText,
    iter_blocks_within,
)
from generator.books.rulebook.book_templates import Volume
from generator.books.rulebook.callouts import Composed, Key
from generator.books.rulebook.figure_composer import KEYS, SHOW, TABLETOP, FigureComposer
from generator.books.rulebook.figure_marks import CalloutNumbers, PlaceNumbers
from generator.books.rulebook.inline_text import InlineReader, words_from_text
from generator.books.rulebook.manuscript import BlockBody, Fence, Manuscript
from generator.books.rulebook.piece_pictures import BESIDE, Laid, PieceFaces, PiecePicture, drawing_from_pieces
from generator.books.rulebook.rulebook_play import RulebookPlay
from generator.books.rulebook.table_layout import BoardSpaces
from generator.books.rulebook.table_pictures import TableMaker, TablePictures
from generator.drawing.faces.face_marks import HASH_SHOWN
from generator.drawing.faces.game_drawing import Workshop
from generator.game.model import Example, Game
from generator.game.rich_text import Plain, Words, parse_markup, to_plain_text


class FigureMaker:
    """Makes the figures of one book from their blocks; adds faults to `problems`."""

    def __init__(
        self,
        faces: PieceFaces,
        inline: InlineReader,
        played: RulebookPlay,
        numbers: CalloutNumbers,
        places: PlaceNumbers,
        paint: Paint,
    ):
        """Store the helpers; `paint` is the accent colour of the book, and problems are added to those of `faces`."""
        self._faces, self._inline, self._played, self._problems = faces, inline, played, faces.problems
        pictures = TablePictures(faces, BoardSpaces(faces).board, places, paint)
        self._tables = TableMaker(faces.workshop.game.tabletop, pictures, played, faces.problems)

        def smaller(by: float, width: float) -> FigureComposer:
            unheard = CalloutNumbers(paint, faces.problems)
            return FigureComposer(faces, inline, played, unheard, self._tables, paint, by, width)

        self._composer = FigureComposer(faces, inline, played, numbers, self._tables, paint)
        self._smaller = cache(smaller)

    def make_figure(self, body: BlockBody, default: str = "row", example: Example | None = None) -> Figure | None:
        """Return the figure that a block describes (its `show`, else `default`, is its kind), or None for a problem."""
        before = len(self._problems)
        body.check_keys(*KEYS)
        show = self._composer.read_figure_kind(body, SHOW, default, example)
        beside = body.read_choice("side", ("block", "beside"), "block") == "beside"
        if len(self._problems) > before:
            return None
        if "callouts" in body and beside:
            hint = "leave `side` out: its key needs that space"
            body.add_problem("a figure with callouts can't be in a `side` column", hint, "side")
        explained = self._composer.compose_annotated(body, show, example)
        if explained is None:
            return None
        made, key = explained
        caption = self._inline.read_plain(body.get_text("caption"), body.place("caption")) if "caption" in body else ()
        caption = caption or self._describe_first_choice(body, show)
        alt = body.get_text("alt") or made.alt or words_from_text(caption)
        alt += "".join([f"; {number}: {words_from_text(text)}" for number, (text, _) in enumerate(key, start=1)])
        drawing = made.figure.make_drawing(self._faces.lang, alt)
        origin = Origin(body.begins, tuple([place for _, place in key]))
        words = tuple([text for text, _ in key])

        @cache
        def smaller(by: float, width: float) -> Drawing | None:
            composed = self._make_narrower(body, show, example, key, (by, width))
            return composed and composed.figure.make_drawing(self._faces.lang, alt)

        return Figure(drawing, alt, caption, "beside" if beside else "block", origin, words, smaller)

    def _make_narrower(
        self, body: BlockBody, show: str, example: Example | None, key: Key, room: tuple[float, float]
    ) -> Composed | None:
        """Return the figure for `room`: (scale, width in mm); None on problems, or if its callouts aren't `key`."""
        told = len(self._problems)
        explained = self._smaller(*room).compose_annotated(body, show, example)
        hindered = len(self._problems) > told
        del self._problems[told:]
        return None if explained is None or hindered or explained[1] != key else explained[0]

    def make_piece_figure(self, piece: PiecePicture, height: float, origin: Origin) -> Figure:
        """Return a picture of a piece beside a text, at most `height` mm high and BESIDE mm wide, never enlarged."""
        scale = min(1.0, height / piece.height, BESIDE / piece.width)
        laid: list[Laid] = [(piece, (scale, 0.0, 0.0, scale, 0.0, 0.0), scale)]
        return Figure(drawing_from_pieces(laid, self._faces.lang, piece.name), piece.name, (), "beside", origin)

    def _describe_first_choice(self, body: BlockBody, show: str) -> Text:
        """Return a caption for a table without one if it shows a set-up, or the game at its first choice; else ()."""
        if show == TABLETOP and "caption" not in body and "example" not in body:
            return (Plain(count_phrase("table_set_up", self._faces.lang, self._tables.read_players(body))),)
        if show != "situation" or "players" not in body or "caption" in body or "alt" in body:
            return ()
        if not self._played.runs_on:
            return ()
        return (Plain(count_phrase("first_choice", self._faces.lang, int(body.read_number("players", 1, 100) or 1))),)


COVER_TEMPLATE, TITLE_TEMPLATE, RULE_TEMPLATE = "cover.svg", "title.svg", "chapter.svg"
"""Names of the game's templates that draw a full-page cover, the title on it, and the line below chapters' titles."""

PAGES_OWN, TITLES_OWN, RULES_OWN = paper_size("A5"), Size(122.0, 33.0), Size(122.0, 10.0)
"""Sizes for which these templates are drawn; they are enlarged for other pages."""


_PALE = 0.75
"""Minimum luminance of the paint of boxes."""


class CoverMaker:
    """Makes the cover of a book; `picture` is its figure, if the book's template has one."""

    def __init__(self, workshop: Workshop, lang: str, figures: FigureMaker):
        self._workshop, self._game, self._lang, self._figures = workshop, workshop.game, lang, figures
        self.picture: Figure | None = None
        self._ground: Drawing | str | None = None
        self._ink = ""
        self._lettering: Drawing | None = None
        self._tint = ""
        self._rule: Drawing | None = None
        self._covered = False

    def make_cover(self, volume: Volume, begins: Place | None) -> Cover:
        """Return the cover. `begins`, the start of the template, is the place of parts that have none in the data."""
        game, lang, at = self._game, self._lang, self._game.places.place
        told = () if volume.states else tuple(list_player_facts(game, lang))
        if volume.sheet:  # the number of players distinguishes games with the same title
            subtitle, below = f"{phrase(volume.title, lang)} · {told[0][1]}", at("players")
            told = told[1:]
        elif volume.title:
            subtitle, below = phrase(volume.title, lang), None
        else:
            subtitle, below = self._get_text("overview") if game.overview else "", at("overview", lang)
        facts = tuple(fact for _, fact in told)
        if volume.states:
            draft = phrase("draft_named", lang, draft=game.draft) if game.draft else ""
            facts = tuple(filter(None, (draft, game.date)))
        signs = tuple(sign for sign, _ in told)
        origin = Origin(begins, (at("title", lang), below, at("players")))
        drawn = (self.picture, self._ground, self._ink, self._lettering)
        return Cover(self._get_text("title"), subtitle, facts, *drawn, signs, self._tint, self._rule, origin)

    def read_cover_block(self, body: BlockBody) -> list[Block]:
        """Read the cover block. Return [], because it adds no block to the text."""
        if self._covered:
            body.add_problem("the cover has a picture already", "remove one of them")
        self._covered = True
        ground = self._read_paint(body, "ground")
        name = f"{self._game.id}/{COVER_TEMPLATE}"
        drawn = self._workshop.artist.templates.find_source(name) is not None
        if drawn:
            self._ground = self._workshop.artist.draw_background(name, PAGES_OWN, self._lang)
            if ground:
                what = f"the cover has a ground, and there is {COVER_TEMPLATE}"
                body.add_problem(what, "remove one of them", "ground")
        else:
            self._ground = ground or None
        self._ink, self._tint = self._read_paint(body, "ink"), self._read_paint(body, "tint")
        if self._tint and measure_luminance(self._game.palette[self._tint].srgb) < _PALE:
            body.add_problem(f"'{self._tint}' is too dark for the text in boxes", "choose a paler colour", "tint")
        shown = body.drop_keys("ground", "ink", "tint")
        if "callouts" in shown:
            body.add_problem("the cover has no room for a key", "show the callouts in a figure of the text", "callouts")
        if "of" in shown or "show" in shown or not (drawn or ground):
            self.picture = self._figures.make_figure(shown)
        else:
            shown.check_keys()
        return []

    def draw_lettering(self, *, on_paper: bool) -> None:
        """Draw the lettering of the title, for a cover that was read or on white paper, and of the chapters' rule."""

        def draw(name: str, size: Size) -> Drawing | None:
            path, artist = f"{self._game.id}/{name}", self._workshop.artist
            known = artist.templates.find_source(path) is not None
            return artist.draw_background(path, size, self._lang, on_paper=on_paper) if known else None

        self._lettering = draw(TITLE_TEMPLATE, TITLES_OWN) if self._covered or on_paper else None
        self._rule = draw(RULE_TEMPLATE, RULES_OWN)

    def _read_paint(self, body: BlockBody, key: str) -> str:
        name = body.get_text(key)
        if name and name not in self._game.palette:
            body.add_problem(f"unknown colour '{name}'", did_you_mean(name, self._game.palette), key)
            return ""
        return name

    def _get_text(self, name: str) -> str:
        """Return the game's `title` or `overview`, without markup."""
        game = self._workshop.artist.views.make_game_variables(self._lang)["game"]
        return " ".join(to_plain_text(parse_markup(str(game[name]))).split())


def list_player_facts(game: Game, lang: str) -> Iterator[tuple[Sign, str]]:
    """Yield number of players, duration and age, each with the kind of its icon."""
    fewest, most = game.players.fewest, game.players.most
    if fewest == most:
        yield "players", count_phrase("players", lang, fewest)
    else:
        yield "players", phrase("players_range", lang, fewest=fewest, most=most)
    if game.minutes is not None:
        yield "minutes", count_phrase("minutes", lang, game.minutes)
    if game.age is not None:
        yield "age", phrase("age", lang, n=game.age)


_EXAMPLE = re.compile(r"^[\s>-]*```+example\s+(\S+)", re.MULTILINE)


def anchor_from_example(name: str) -> str:
    """Return the anchor (link target) of the example with this id."""
    return f"example-{name}"


def name_examples(written: str, lang: str) -> dict[str, str]:
    """Return by anchor the numbered names of the examples in the Markdown `written`; a repeated one keeps its first."""
    numbered = enumerate(_EXAMPLE.findall(written), start=1)
    return {anchor_from_example(name): _format_example_name(number, lang) for number, name in reversed([*numbered])}


class ExampleMaker:
    """Makes the examples of a book. `anchors` are the link targets of those made so far."""

    def __init__(self, faces: PieceFaces, played: RulebookPlay, inline: InlineReader, figures: FigureMaker):
        self._workshop, self._game, self._lang, self._played = faces.workshop, faces.workshop.game, faces.lang, played
        self._inline, self._figures, self._problems = inline, figures, faces.problems
        self._examples = 0
        self.anchors: set[str] = set()

    def make_example(self, name: str, body: BlockBody) -> list[Block]:
        """Return an example as a box: its text, and a picture if `body` asks for one; [] if it can't be played."""
        body.check_keys("title", "figure")
        example = self._played.find_example(name, body.place(), self._problems)
        if example is None:
            return []
        blocks: list[Block] = []
        if text := self._fill_text(example, "says", example.says):
            place = self._game.places.place("examples", self._game.examples.index(example), "says", self._lang)
            blocks.append(Paragraph(text, origin=Origin(place)))
        else:
            body.add_problem(f"the example {example.id} says nothing", "give it `says:`")
        shown = body.read_inner("figure") if "figure" in body else None
        if shown is not None and (figure := self._figures.make_figure(shown, "situation", example)):
            blocks.insert(0 if figure.place == "beside" else len(blocks), figure)
        self._examples += 1
        number = _format_example_name(self._examples, self._lang)
        anchor = anchor_from_example(example.id)
        if "title" in body:
            title = self._inline.read_plain(body.get_text("title"), body.place("title"))
        else:
            title = self._fill_text(example, "title", example.title)
        first = anchor not in self.anchors
        self.anchors.add(anchor)
        return [Box("example", title, tuple(blocks), Origin(body.begins), anchor if first else "", number)]

    def _fill_text(self, example: Example, field: str, said: Words | None) -> Text:
        if said is None:
            return ()
        place = self._game.places.place("examples", self._game.examples.index(example), field, self._lang)
        entry = self._workshop.artist.views.make_view({field: said}, f"example {example.id}", self._lang, place)
        return self._inline.read_plain(str(entry[field]), place)


def _format_example_name(number: int, lang: str) -> str:
    return phrase("example_number", lang, n=number)


_CALLED = {"columns": "narrow columns", "wide": "a wide block", "spread": "a spread"}
_WITHIN = {"": ("columns", "wide", "spread"), "spread": ("columns", "wide")}
"""Groups that may begin outside of others (key '') and inside each kind of group."""


class GroupMaker:
    """Makes groups (columns, wide blocks and spreads) from the marks at their beginning and end."""

    def __init__(self, problems: list[Problem]):
        self._problems = problems
        self._open: list[Manner] = []

    def read_mark(self, body: BlockBody) -> list[Block]:
        """Return an empty group, which marks a beginning or end for `group_blocks`; report a misplaced one."""
        body.check_keys()
        around = self._open[-1] if self._open else ""
        if body.name != "end":
            manner = cast("Manner", body.name)
            if manner not in _WITHIN.get(around, ()):
                what = f"{_CALLED[around]} can't contain {_CALLED[manner]}"
                body.add_problem(what, f"write ```end before it: that ends {_CALLED[around]}")
                return []
            self._open.append(manner)
            return [BlockGroup((), Origin(body.begins), manner)]
        if not around:
            hint = "write ```columns, ```wide or ```spread before it"
            body.add_problem("this ends a block that was not started", hint)
            return []
        return [BlockGroup((), Origin(body.begins), self._open.pop())]

    def group_blocks(self, blocks: Iterable[Block]) -> Iterator[Block]:
        """Yield the blocks; replace the two marks of a group and the blocks between them by the group."""
        open_: list[tuple[BlockGroup, list[Block]]] = []
        for block in blocks:
            made = block
            if isinstance(block, BlockGroup):
                if not open_ or open_[-1][0].manner != block.manner:
                    open_.append((block, []))
                    continue
                begun, within = open_.pop()
                made = BlockGroup(tuple(within), begun.origin, begun.manner)
            elif open_ and isinstance(block, VerticalText | Contents | Index | BackCover):
                called = _CALLED[open_[-1][0].manner]
                what = f"{called} can't contain contents, index, upright pages or the back cover"
                self._problems.append(Problem(block.origin.place, what, "write ```end before it"))
                continue
            if open_:
                open_[-1][1].append(made)
            else:
                yield made
        for begun, _ in open_:
            what = f"{_CALLED[begun.manner]} without an end"
            self._problems.append(Problem(begun.origin.place, what, "write ```end after its content"))


def make_vertical_text(fence: Fence, manuscript: Manuscript, inline: InlineReader) -> VerticalText:
    """Return the block's paragraphs, separated by empty lines, as vertical text. A first line with # is the title."""
    title: Text = ()
    paragraphs: list[Text] = []
    parts: list[Place] = []
    for line, text in _split_paragraphs(fence):
        places = [manuscript.find_place(line + at) for at in range(text.count("\n") + 1)]
        if text.startswith("# "):
            title = inline.parse_text(text[2:], places)
        else:
            paragraphs.append(inline.parse_text(text, places))
            parts.append(manuscript.find_begin(line))
    if not paragraphs:
        manuscript.add_problem(fence.line, "this upright page has no paragraph", "write some text into it")
    return VerticalText(tuple(paragraphs), title, Origin(manuscript.find_begin(fence.line), tuple(parts)))


def _split_paragraphs(fence: Fence) -> Iterator[tuple[int, str]]:
    """Yield the paragraphs of a block of text with the line on which each begins."""
    start, lines = fence.first, list[str]()
    for at, line in enumerate([*fence.body.split("\n"), ""]):
        if lines and (not line.strip() or lines[0].startswith("# ")):
            yield start, "\n".join(lines)
            lines = []
        if line.strip():
            start = start if lines else fence.first + at
            lines.append(line)


SaidLine: TypeAlias = tuple[tuple[str | int, ...], str]
"""A line of text, and the path in the game's data that it comes from."""


def list_credits(game: Game, lang: str) -> Iterator[SaidLine]:
    """Yield a players' imprint: credits, contact and edition. Each line is its path in the data and its words."""
    for number, line in enumerate(game.credits):
        words = phrase("credited", lang, role=line.role[lang], who=line.name[lang])
        yield ("credits", number, "name"), words
    if game.contact is not None and game.contact[lang]:
        yield ("contact",), game.contact[lang]
    version = phrase("version", lang, version=game.version) if game.version else ""
    edition = (version, phrase("draft_of", lang, draft=game.draft), game.date)
    yield ("draft",), " · ".join(part for part in (*edition, *dict(list_player_facts(game, lang)).values()) if part)


def list_state_lines(workshop: Workshop, lang: str, written: str, blocks: Iterable[Block]) -> Iterator[SaidLine]:
    """Yield, like `list_credits`, a designers' imprint: draft, date, hash of `written` and figures, credit, licence."""
    game = workshop.game
    seen = hashlib.sha256(written.encode())
    for block in iter_blocks_within(blocks):
        if isinstance(block, Figure):
            seen.update(workshop.digest_face(block.drawing).encode())
    name = "imprint" if game.date else "imprint_undated"
    yield ("draft",), phrase(name, lang, draft=game.draft, date=game.date, hash=seen.hexdigest()[:HASH_SHOWN])
    for section, line in (("credit", game.credit), ("licence", game.licence)):
        if line[lang]:
            yield (section,), line[lang]
