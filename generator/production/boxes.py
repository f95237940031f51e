"""The command `boxes`: a page for each deck, drawn by its template, with notes beside the net."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import click

from generator.base.colour import measure_contrast
from generator.base.display_list import Drawing, Group, Item, Paint, PlacedSymbol, Shape, Symbol
from generator.base.errors import Place, Problem, ProblemsFound, did_you_mean, gather_problems, raise_problems
from generator.base.geometry import MARGIN, Margins, Matrix, Rect, Size, paper_size
from generator.base.languages import count_phrase, phrase
from generator.base.outlines import bound_points, find_bounds
from generator.books.page.blocks import Lettering, Stack
from generator.books.page.list_pages import PartSetter
from generator.books.page.page_style import GREY, Look, make_list_format
from generator.books.page.text_setter import TextSetter
from generator.books.rulebook.block_makers import list_player_facts
from generator.commands.options import EDGE, GAMES, LANG, OUT, PROJECT, find_paper, open_project, read_length, run_order
from generator.commands.orders import GameOutput, Job, Order
from generator.drawing.faces.game_drawing import Workshop, find_accent
from generator.game.model import CUBE_FACES, Design, FaceName, Game, Kind
from generator.game.print_pages import Document, Page, Placement
from generator.game.rich_text import Words, forbid_breaks
from generator.game.source import Source
from generator.production.box_net import BoxedDeck, TuckBox, fit_tuck_box
from generator.sheets.nets import draw_net
from generator.sheets.page_marks import CASING, METRIC, draw_ruler
from generator.sheets.slug import SPOT_DEPTH, Spot

_SIZE, _LINE = 6.0, 3.0
_INSET = 2.0
_LEAST_STOCK, _MOST_STOCK, _MOST_FILM = 0.05, 2.0, 1.0


@click.command()
@GAMES
@LANG
@OUT
@click.option("--deck", default="", metavar="KIND", help="Draw a box for this deck only (default: all decks).")
@click.option(
    "--thickness", "--stock", "stock", default="0.30mm", show_default=True, help="Thickness of a card and of the box."
)
@click.option("--sleeve", default="0mm", show_default=True, help="Thickness of the sleeve film.")
@click.option("--paper", default="A4", show_default=True, help="Paper for the net; A3 if it is too small.")
@EDGE
@click.option("--clean", is_flag=True, help="Print no draft number on the boxes, only beside the net.")
@PROJECT
@click.pass_obj
def boxes(obj: Path | None, /, **options: Any) -> None:
    """Draw tuck boxes for the decks. Cut, fold and glue each net. The boxes carry the art of the game."""
    project = open_project(obj, options)
    stock, sleeve = (read_length(options, name) for name in ("stock", "sleeve"))
    if not _LEAST_STOCK <= stock <= _MOST_STOCK:
        what = f"the thickness must be from {_LEAST_STOCK:g} to {_MOST_STOCK:g} mm"
        raise click.BadParameter(what, param_hint="--thickness")
    if sleeve > _MOST_FILM:
        raise click.BadParameter(f"the film must be at most {_MOST_FILM:g} mm thick", param_hint="--sleeve")
    paper = find_paper(options["paper"])
    run_order(project, options, BoxOrder, stock=stock, sleeve=sleeve, margin=options["margin"], paper=paper)


def draw_notes(
    workshop: Workshop, lang: str, content: "BoxContents", settings: "BoxSettings", net: Rect, end: float
) -> Iterator[Item]:
    """Draw the notes on a box's page: a heading above the front, a ruler and how to assemble the box below it.

    `net` is the net's box on the page, `end` the lowest printable y. Below the front is free space: the notes continue
    below the net if a small box leaves too little room.
    """
    game, deck, box, letters = (
        workshop.game,
        content.make_deck(settings),
        content.make_box(settings),
        workshop.make_labeller(lang),
    )
    wide, high, deep = box.inner_size
    stock = phrase(
        "box_sleeved" if deck.sleeve else "box_stock", lang, stock=f"{deck.stock:g}", film=f"{deck.sleeve:g}"
    )
    facts = (
        f"{game.title[lang]} · {phrase('draft', lang, draft=game.draft)}",
        ", ".join(kind.name[lang] for kind in content.kinds),
        f"{count_phrase('cards', lang, deck.count)} · {deck.card.width:g} × {deck.card.height:g} mm · {stock}",
        phrase("box_inside", lang, width=f"{wide:.1f}", height=f"{high:.1f}", depth=f"{deep:.1f}"),
    )
    room, y, foot = box.width - 2 * _INSET, net.y + _LINE, net.y + box.tuck + box.depth - _INSET - SPOT_DEPTH
    for at, line in enumerate(facts):
        if y > foot:
            break
        shown = letters.shorten_text(line, _SIZE, room)
        yield from letters.set_level_line(shown, net.x, y, _SIZE, "start", GREY if at else "ink")
        y += _LINE
    above = METRIC.room <= room + _INSET and y - _LINE <= foot
    look = Look(make_list_format("", Size(room, end), 0.0), lang, "ink")
    style = look.make_plain_style(_SIZE)
    steps = [Lettering(phrase(f"box_step_{n}", lang), style, room, above=0.8) for n in (1, 2, 3, 4)]
    strip = PartSetter(TextSetter(workshop, look, "{}"), end).make_strip(Stack(steps))
    y = net.y + box.tuck + box.depth + box.height + _INSET + 0.6
    things = [thing.move_by(net.x, y) for thing in strip.things]
    yield from (thing.draw_on_page() for thing in things if thing.box.bottom <= end)
    ruler = foot if above else max(y + strip.height + _LINE, net.bottom + _INSET)
    if above or ruler + SPOT_DEPTH <= end:
        spot = Spot(Rect(net.x, ruler, METRIC.room, SPOT_DEPTH), "top")
        yield from draw_ruler(METRIC, spot, workshop.set_label)


TEMPLATE = "tuck_box"
_KIND = "tuck_box_{number}_{face}"
_FANNED = 3
_WAITING = re.compile(r"(?:deck-(back|front)|picture)(?:-([1-9]))?")
"""Ids of a template's placeholders for card faces and pictures. If the number is too high, the last face is used."""


@dataclass(frozen=True, slots=True)
class BoxContents:
    """The contents of a box: kinds of cards of one size. Designs without copies do not count."""

    kinds: tuple[Kind, ...]

    @property
    def count(self) -> int:
        """Return the number of cards."""
        return sum(kind.count for kind in self.kinds)

    @property
    def designs(self) -> tuple[Design, ...]:
        """Return the designs that have copies in the game."""
        return tuple(design for kind in self.kinds for design in kind.designs if design.count)

    def make_deck(self, settings: "BoxSettings") -> BoxedDeck:
        """Return the card size, count and thicknesses that the size of the box depends on."""
        return BoxedDeck(self.kinds[0].size, self.count, settings.stock, settings.sleeve)

    def make_box(self, settings: "BoxSettings") -> TuckBox:
        """Return the box for the deck."""
        return fit_tuck_box(self.make_deck(settings), settings.stock)


@dataclass(frozen=True, slots=True)
class BoxSettings:
    """How to make boxes: thickness of cards (`stock`) and sleeve film (0: no sleeves), papers to try, margin. In mm.

    Templates without a palette of their own use `accent`, the game's accent colour, and `accent_on`, the colour of text
    on it. `clean` boxes don't name the draft.
    """

    stock: float
    sleeve: float
    papers: tuple[tuple[str, Size], ...]
    margin: Margins
    accent: Paint
    accent_on: Paint
    clean: bool = False


def make_box_settings(
    workshop: Workshop,
    stock: float = 0.3,
    sleeve: float = 0.0,
    papers: tuple[tuple[str, Size], ...] = (),
    margin: Margins = MARGIN,
    clean: bool = False,
) -> BoxSettings:
    """Return settings with the game's accent and the text colour most readable on it; `stock`, `sleeve`: mm thick."""
    paint = find_accent(workshop.game.palette)
    on_white, on_black = (measure_contrast(workshop.hex_of_paint(paint), other) for other in ("#ffffff", "#000000"))
    return BoxSettings(stock, sleeve, papers, margin, paint, "#ffffff" if on_white >= on_black else "ink", clean)


def group_decks(game: Game, chosen: str = "") -> tuple[BoxContents, ...]:
    """Group all cards by size, in the order of the data, or return only those of the kind `chosen`."""
    by_size: dict[tuple[float, float], list[Kind]] = {}
    for kind in game.kinds.values():
        if kind.form == "card" and kind.count and chosen in ("", kind.id):
            by_size.setdefault((round(kind.size.width, 3), round(kind.size.height, 3)), []).append(kind)
    return tuple(BoxContents(tuple(kinds)) for kinds in by_size.values())


def add_boxes(game: Game, contents: Sequence[BoxContents], settings: BoxSettings) -> Game:
    """Return the game with one kind of card for each wall of each box: a wall is drawn from a template like a card."""
    kinds = dict(game.kinds)
    for number, content in enumerate(contents):
        fields = _build_fields(game, content, settings)
        box = content.make_box(settings)
        for face in CUBE_FACES:
            name, told = _KIND.format(number=number, face=face), {**fields, "panel": face}
            bleed = box.face_bleed(face)
            kinds[name] = make_art_kind(game, f"{name}/box", TEMPLATE, box.face_size(face), told, bleed, 1.5)
    return replace(game, kinds=kinds)


def build_boxes(workshop: Workshop, contents: Sequence[BoxContents], lang: str, settings: BoxSettings) -> Document:
    """Return a page for each box in one language. Raise ProblemsFound with all walls or papers that fail.

    The workshop must belong to the game that `add_boxes` returned for the same contents and settings.
    """
    game = workshop.game
    pages: list[Page] = []
    problems: list[Problem] = []
    for number, content in enumerate(contents):
        faces = draw_walls(workshop, content, number, lang)
        drawing = draw_net(content.make_box(settings).build_net(), faces) if len(faces) == len(CUBE_FACES) else None
        if drawing is None:
            continue
        with gather_problems(problems):
            pages.append(_lay_page(workshop, content, drawing, number + 1, lang, settings))
    problems += workshop.problems
    raise_problems(problems)
    title = f"{game.title[lang]} – {phrase('boxes', lang)}"
    return Document(title, lang, tuple(pages), subject=game.subject(lang), date=game.date)


def draw_walls(workshop: Workshop, content: BoxContents, number: int, lang: str) -> dict[FaceName, Drawing]:
    """Draw each wall of the box with that number (from 0). Leave out walls that fail (see `problems`)."""
    fronts = [
        shown
        for design in spread_evenly(content.designs, _FANNED)
        if (shown := workshop.draw_face(design, "front", lang))
    ]
    drawn = [workshop.draw_face(design, "back", lang) for design in content.designs if design.back]
    backs = list({id(face): face for face in drawn if face is not None}.values())
    faces: dict[FaceName, Drawing] = {}
    for face in CUBE_FACES:
        (design,) = workshop.game.kinds[_KIND.format(number=number, face=face)].designs
        drawing = workshop.draw_face(design, "front", lang)
        if drawing is not None:
            faces[face] = drawing._replace(items=tuple(fill_deck_faces(drawing.items, fronts, backs)))
    return faces


def spread_evenly(designs: Sequence[Design], number: int) -> list[Design]:
    """Return `number` designs spread evenly over a list, or all of a shorter list."""
    number = min(number, len(designs))
    return [designs[n * len(designs) // number] for n in range(number)]


def _build_fields(game: Game, content: BoxContents, settings: BoxSettings) -> dict[str, object]:
    """Return the values that a box's template reads as `card.NAME`, except the name of the wall."""
    first, *more = game.fonts
    card = content.make_deck(settings).card
    names = {
        kind.id: Words({lang: forbid_breaks(kind.name[lang]) for lang in game.languages}) for kind in content.kinds
    }
    return {
        "width": card.width, "height": card.height, "cards": content.count,
        "fronts": len(spread_evenly(content.designs, _FANNED)),
        "has_back": any(design.back for design in content.designs),
        "name": content.kinds[0].name if len(content.kinds) == 1 else game.title,
        "kinds": tuple({"id": kind.id, "name": names[kind.id], "count": kind.count} for kind in content.kinds),
        "said": make_words(game, lambda lang: count_phrase("cards", lang, content.count)),
        "facts": make_words(game, lambda lang: " · ".join(fact for _, fact in list_player_facts(game, lang))),
        "edition": make_words(game, lambda lang: "" if settings.clean else phrase("draft", lang, draft=game.draft)),
        "accent": settings.accent, "accent_on": settings.accent_on, "reading": first,
        "titling": more[0] if more else first,
    }  # fmt: skip


def make_words(game: Game, say: Callable[[str], str]) -> Words:
    """Return what `say` returns for each language of a game: a text of the program."""
    return Words({lang: say(lang) for lang in game.languages})


def make_art_kind(
    game: Game, design_id: str, template: str, size: Size, fields: Mapping[str, object], bleed: float, safe: float
) -> Kind:
    """Return art that is no card, such as a box's wall, as a kind with one design, drawn like a card. Lengths in mm."""
    name = design_id.partition("/")[0]
    said = game.places.place("title") or Place(f"templates/{game.id}/{template}.svg")
    source = Source(said.file, None, (said.line, said.column))
    design = Design(design_id, name, 1, template, "", fields, source)
    title = Words(dict(game.title.items()))
    return Kind(name, title, size, (design,), bleed=bleed, safe=safe, corner=0.0, place=source.place())


def fill_deck_faces(items: Iterable[Item], fronts: Sequence[Drawing], backs: Sequence[Drawing]) -> Iterator[Item]:
    """Yield a template's items. Replace groups named deck-front-N, picture-N or deck-back by these faces."""
    for item in items:
        if not isinstance(item, Group):
            yield item
            continue
        waiting = _WAITING.fullmatch(item.id)
        faces = (backs if waiting[1] == "back" else fronts) if waiting else ()
        if waiting and faces:
            yield _stretch_face(faces[min(int(waiting[2] or 1), len(faces)) - 1], item)
        else:
            yield item._replace(items=tuple(fill_deck_faces(item.items, fronts, backs)))


def _stretch_face(face: Drawing, place: Group) -> Item:
    """Return the face, scaled evenly to the bounding box of a group; the face's own bleed extends beyond it."""
    boxes = [found for shape in place.items if isinstance(shape, Shape) and (found := find_bounds(shape.path))]
    box = bound_points([corner for found in boxes for corner in ((found.x, found.y), (found.right, found.bottom))])
    if box is None:
        return place
    scale = min(box.width / face.width, box.height / face.height)
    x = box.x + (box.width - face.width * scale) / 2
    y = box.y + (box.height - face.height * scale) / 2
    bleed = face.bleed if place.id.startswith("deck-back") else 0.0
    symbol = Symbol(f"face:{face.title}", face.items, (-bleed, -bleed, face.width + 2 * bleed, face.height + 2 * bleed))
    matrix: Matrix = (scale, 0.0, 0.0, scale, x, y)
    return Group((PlacedSymbol(symbol, matrix, clip=True, role="art"),), place.matrix, id=place.id)


def _lay_page(
    workshop: Workshop, content: BoxContents, drawing: Drawing, number: int, lang: str, settings: BoxSettings
) -> Page:
    """Lay out page `number`: net and notes on the first paper that holds it, upright or across. Raise ProblemsFound."""
    for _, upright in settings.papers:
        for paper in (upright, upright.swap_sides()):
            aside, down = settings.margin.offset
            x, y = (paper.width - drawing.width) / 2 + aside, (paper.height - drawing.height) / 2 + down
            trim = Rect(round(x, 3), round(y, 3), drawing.width, drawing.height)
            if settings.margin.shrink(paper).grow(-CASING).contains(trim, 1e-3):
                placement = Placement("box", drawing, trim, trim.grow(drawing.bleed))
                items = draw_notes(workshop, lang, content, settings, trim, paper.height - settings.margin.bottom)
                return Page(paper, "front", number, (placement,), tuple(items))
    names_of = " or ".join(name for name, _ in settings.papers)
    card = content.make_deck(settings).card
    what = f"the box for {content.count} cards of {card.width:g} x {card.height:g} mm unfolds to"
    what += f" {drawing.width:.0f} x {drawing.height:.0f} mm: {names_of} does not hold it"
    what += f" within margins of {settings.margin} mm"
    place = workshop.game.places.place("components", content.kinds[0].id, "size")
    hint = "choose a larger --paper, a smaller --margin, thinner --stock, or boxes for single kinds with --deck"
    raise ProblemsFound([Problem(place, what, hint)])


LARGER_PAPERS = {"Letter": "Tabloid", "Legal": "Tabloid"}
"""The paper to try after the chosen one if a box doesn't fit on it. All other papers are followed by A3."""


@dataclass(frozen=True, slots=True)
class BoxOrder(Order):
    """Which boxes to make: the kind of a single deck, or all if empty. Lengths in mm; `clean` boxes name no draft."""

    deck: str = ""
    stock: float = 0.3
    sleeve: float = 0.0
    paper: str = "A4"
    margin: Margins = MARGIN
    clean: bool = False
    one_language: ClassVar[str] = "boxes"

    @property
    def file(self) -> str:
        """Return the name of the files. A single deck's box must not replace all boxes."""
        return f"box-{self.deck}" if self.deck else "boxes"

    def option_problems(self, games: Sequence[Game]) -> Iterable[Problem]:
        """Yield problems, also for a deck that no game has, or for games without cards."""
        yield from Order.option_problems(self, games)
        if not games or any(group_decks(game, self.deck) for game in games):
            return
        of = f"{games[0].id} has no" if len(games) == 1 else "no game has"
        if not self.deck:
            yield Problem(None, f"{of} cards to put into a box")
            return
        kinds = [kind.id for game in games for content in group_decks(game) for kind in content.kinds]
        yield Problem(None, f"--deck {self.deck}: {of} such kind of cards", did_you_mean(self.deck, kinds))

    def make(self, job: Job) -> GameOutput:
        """Make the boxes of one game. Raise ProblemsFound with everything wrong."""
        game = job.workshop.game
        tried = dict.fromkeys((self.paper, LARGER_PAPERS.get(self.paper, "A3")))
        papers = tuple((name, paper_size(name)) for name in tried)
        settings = make_box_settings(job.workshop, self.stock, self.sleeve, papers, self.margin, self.clean)
        contents = group_decks(game, self.deck)
        dressed = Workshop(add_boxes(game, contents, settings), job.project.resources)
        for lang in self.pick_languages(game) if contents else ():
            job.progress(f"{game.id}: {self.file}.{lang}.pdf")
            made = build_boxes(dressed, contents, lang, settings)
            job.files.write(self.out / game.id / f"{self.file}.{lang}.pdf", partial(dressed.write_document, made))
        return GameOutput()
