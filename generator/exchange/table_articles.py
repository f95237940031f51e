"""Pieces for online tables: designs with names, copies and sides, in decks and rows."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import click

from generator.base.display_list import Drawing
from generator.base.errors import Problem, raise_problems
from generator.base.geometry import Rect, Size
from generator.base.languages import first_language, second_language
from generator.books.check_list import find_design_names
from generator.commands.options import GAMES, LANGS, ONLY, OUT, PROJECT, Command, combine_options
from generator.commands.orders import GameOutput, Job, Order, editions_of
from generator.drawing.faces.game_drawing import DesignNamer, Workshop, collect_design_texts, strip_markup
from generator.game.model import Design, FaceName, Game, Kind
from generator.rules.engine.table import piece_name
from generator.sheets.pieces import pick_designs

NAMING = ("name", "title")
"""Fields left out of a piece's text, because they are its name."""


@dataclass(frozen=True, slots=True)
class Article:
    """A design for an online table: name, text, copies, drawings of its sides, and their hashes (hex)."""

    id: str
    name: str
    says: str
    count: int
    faces: Mapping[FaceName, Drawing]
    digests: Mapping[FaceName, str]

    @property
    def front(self) -> Drawing:
        """Return the side that every design has."""
        return self.faces["front"]

    @property
    def back(self) -> Drawing | None:
        """Return the other side, or None if it stays blank."""
        return self.faces.get("back")


@dataclass(frozen=True, slots=True)
class ArticleLot:
    """The pieces of one kind, in the order of the data, and the kind's name without markup."""

    kind: Kind
    name: str
    articles: tuple[Article, ...]


def make_lots(
    workshop: Workshop, edition: str, designs: Sequence[Design], called: DesignNamer, spare: int = 0
) -> list[ArticleLot]:
    """Return the designs by kind, drawn in one or two languages. Raise ProblemsFound with everything wrong.

    A design without copies is left out, or gets `spare` copies.
    """
    problems: list[Problem] = []
    workshop.draw_all(designs, [edition])
    found = list(_iter_lots(workshop, edition, designs, called, spare, problems))
    raise_problems([*workshop.problems, *problems])
    return found


def _iter_lots(
    workshop: Workshop,
    edition: str,
    designs: Sequence[Design],
    called: DesignNamer,
    spare: int,
    problems: list[Problem],
) -> Iterator[ArticleLot]:
    game, lang = workshop.game, first_language(edition)
    for kind in game.kinds.values():
        articles = []
        for design in designs:
            count = design.count or spare
            if design.kind != kind.id or not count:
                continue
            drawn = {face: workshop.draw_face(design, face, edition) for face in kind.faces(design)}
            faces = {face: drawing for face, drawing in drawn.items() if drawing is not None}
            if len(faces) < len(drawn):
                continue  # see the workshop's problems
            digests = {face: workshop.digest_face(drawing) for face, drawing in faces.items()}
            texts = collect_design_texts(workshop.artist, game, design, lang, called, problems, without=NAMING)
            says = "\n".join(texts.values())
            articles.append(Article(design.id, called(design, lang), says, count, faces, digests))
        if articles:
            name = strip_markup(game, kind.name[lang], lang, called, kind.place, problems)
            yield ArticleLot(kind, " ".join(name.split()), tuple(articles))


@dataclass(frozen=True, slots=True)
class ArticleDeck:
    """Cards that form one pile. With `own_backs` their backs differ; otherwise all have the first card's back."""

    name: str
    articles: tuple[Article, ...]
    own_backs: bool = False

    @property
    def cards(self) -> int:
        """Return the number of cards in it."""
        return sum(article.count for article in self.articles)


def split_decks(lot: ArticleLot) -> list[ArticleDeck]:
    """Return the decks of a kind: cards with equal backs; all cards with a unique back. Number several decks."""
    by_back: dict[str, list[Article]] = {}
    for article in lot.articles:
        by_back.setdefault(article.digests.get("back", ""), []).append(article)
    shared = [articles for articles in by_back.values() if len(articles) > 1]
    single = [articles[0] for articles in by_back.values() if len(articles) == 1]
    piles: list[tuple[Sequence[Article], bool]] = [(articles, False) for articles in shared]
    if single:
        piles.append((single, len(single) > 1))
    order = {article.id: at for at, article in enumerate(lot.articles)}
    piles.sort(key=lambda pile: order[pile[0][0].id])
    many = len(piles) > 1
    return [
        ArticleDeck(f"{lot.name} {n}" if many else lot.name, tuple(articles), own)
        for n, (articles, own) in enumerate(piles, 1)
    ]


def is_fixed_board(lot: ArticleLot) -> bool:
    """Return True for a kind with a single board without a back, which can be fixed to the table."""
    return (
        lot.kind.form == "board" and len(lot.articles) == 1 and lot.articles[0].count == 1 and not lot.articles[0].back
    )


_SLACK = 1e-9


@dataclass(frozen=True, slots=True)
class BoxLayout:
    """Boxes laid out: their positions and total size, in the unit of the boxes."""

    boxes: tuple[Rect, ...]
    size: Size


def lay_boxes_in_rows(sizes: Sequence[Size], width: float, gap: float) -> BoxLayout:
    """Lay boxes in rows from the top left, `gap` apart.

    A row is at most `width` long, except for a single longer box.
    """
    boxes: list[Rect] = []
    x = y = high = longest = 0.0
    for size in sizes:
        if x and x + size.width > width + _SLACK:
            x, y, high = 0.0, y + high + gap, 0.0
        boxes.append(Rect(x, y, size.width, size.height))
        high = max(high, size.height)
        longest = max(longest, x + size.width)
        x += size.width + gap
    return BoxLayout(tuple(boxes), Size(longest, y + high))


ONLINE = combine_options([GAMES, LANGS, OUT, ONLY, PROJECT])
"""The options of every export for online tables, besides its resolution."""


def dpi_option(usual: int, what: str) -> Callable[[Command], Command]:
    """Return the option for the resolution of faces."""
    return click.option("--dpi", type=click.IntRange(36, 600), default=usual, show_default=True, help=what)


def url_option(what: str) -> Callable[[Command], Command]:
    """Return the option for the address of the files on the web."""
    return click.option("--url", default="", metavar="BASE", help=what)


@dataclass(frozen=True, slots=True)
class OnlineOrder(Order):
    """Options of every export for online tables; `dpi` is the highest resolution of a face."""

    dpi: int = 300

    def make(self, job: Job) -> GameOutput:
        """Make the files of one game, edition by edition."""
        editions: list[str] = []
        written: set[str] = set()
        for edition, lots in iter_online_editions(job, self):
            self.write_edition(job, edition, lots, written)
            editions.append(edition)
        return GameOutput(tuple(editions))

    def write_edition(self, job: Job, edition: str, lots: list[ArticleLot], written: set[str]) -> None:
        """Write the files of an edition. `written` are the names of pictures that earlier editions have written."""
        raise NotImplementedError

    def name_files(self, game: Game, edition: str) -> str:
        """Return the common part of an edition's file names. A selection must not replace the whole game."""
        return f"{'selection' if self.only else game.id}.{edition}"


def iter_online_editions(job: Job, order: OnlineOrder) -> Iterator[tuple[str, list[ArticleLot]]]:
    """Yield each edition of a game with its pieces. A design named with --only gets at least one copy."""
    workshop, game = job.workshop, job.workshop.game
    designs = pick_designs(game, order.only)
    if not designs:
        return
    called = player_names(workshop)
    for edition in editions_of(game, order.languages):
        job.progress(f"{game.id}: faces ({edition})")
        found = make_lots(workshop, edition, designs, called, spare=1 if order.only else 0)
        if found and (not second_language(edition) or workshop.has_both_languages(edition)):
            yield edition, found


def player_names(workshop: Workshop) -> DesignNamer:
    """Return a function that names a design: as players call it, by its own name, or by kind and id."""
    problems: list[Problem] = []
    names = find_design_names(workshop, problems)
    raise_problems(problems)

    def name_of(design: Design, lang: str) -> str:
        own = names[design.id].get(lang, "")
        if own and workshop.game.kinds[design.kind].called is None:
            return own
        return piece_name(workshop.game, design.id, lang)

    return name_of
