"""The command `showcase`: pictures of a game for shop pages, and the choice of what they show."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Any, ClassVar

import click

from generator.base.colour import BLACK, WHITE, measure_contrast, mix_colours
from generator.base.display_list import Drawing, Group, Item, Shape
from generator.base.errors import ProblemsFound
from generator.base.geometry import MM_PER_INCH, Rect, Size
from generator.base.outlines import find_bounds
from generator.commands.options import GAMES, LANG, ONLY, OUT, PROJECT, open_project, run_order, say_warnings
from generator.commands.orders import GameOutput, Job, Order
from generator.drawing.faces.game_drawing import Workshop, find_accent
from generator.game.model import CUBE_FACES, Design, Game, Kind
from generator.game.preset_files import find_preset, load_presets
from generator.game.presets import PictureSize, ShopPictures
from generator.game.print_pages import Document
from generator.game.project import Project
from generator.game.rich_text import Words, forbid_breaks, split_title
from generator.production.boxes import (
    BoxContents,
    add_boxes,
    draw_walls,
    group_decks,
    make_art_kind,
    make_box_settings,
    spread_evenly,
)
from generator.production.scenes import BoxExhibit, Exhibit, draw_box, draw_fan, draw_hand, draw_table, make_exhibit
from generator.sheets.pieces import pick_designs
from generator.sheets.raster import encode_png, make_face_page, render_exactly

_MANY = 4
"""A kind with fewer designs counts as a player aid, unless all kinds have few."""

_CARDS, _BOARDS, _TOKENS = 20, 3, 8
"""Largest numbers of pieces on the table: all cards (but at least five of each kind), boards, tokens of a kind."""

_PILE = 18
"""Cards in the picture of a deck."""

_HELD = 7


@click.command()
@GAMES
@LANG
@OUT
@ONLY
@click.option(
    "--preset",
    "pages",
    multiple=True,
    metavar="ID",
    help="Render only the pictures for this shop page (see `pnp presets`); repeatable.",
)
@click.option("--pdf", is_flag=True, help="Also write each picture as a vector PDF.")
@PROJECT
@click.pass_obj
def showcase(obj: Path | None, /, **options: Any) -> None:
    """Render pictures for a shop page.

    pnp writes a fan, a hand, the table and the box to OUT/<game>/showcase/*.png. Without --only, pnp chooses some
    components of every kind.
    """
    project = open_project(obj, options)
    say_doubts(run_order(project, options, ShowcaseOrder, pages=find_pages(project, options["pages"])).pages)


def say_doubts(pages: Iterable[ShopPictures]) -> None:
    """Warn of unconfirmed figures in presets of shop pages."""
    say_warnings(filter(None, (page.check_figures() for page in pages)))


@dataclass(frozen=True, slots=True)
class Selection:
    """Chooses which components of a game to show, in one language. `designs` are those to choose from."""

    workshop: Workshop
    game: Game
    designs: Sequence[Design]
    lang: str
    asked: bool = False

    def pick_fronts(self, number: int) -> list[Exhibit]:
        """Return the fronts of `number` cards of one size: some of each kind, or with --only the first that match."""
        return list(self._draw_fronts(_pick_hand(self._group_cards(), number, asked=self.asked)))

    def pick_lane(self) -> list[Exhibit]:
        """Return the pieces behind the hand on the table: a pile of cards, and cards that are not in the hand."""
        held = _pick_hand(self._group_cards(), _HELD + 3, asked=self.asked)
        return [*self._draw_piles(held[:1]), *self._draw_fronts(held[_HELD:])]

    def pick_everything(self) -> list[Exhibit]:
        """Return some of each kind: decks, cards with boards between them, tokens."""
        kinds = [(kind, own) for kind in self.game.kinds.values() if (own := self._find_designs(kind))]
        decks = sum(kind.form == "card" and len(own) >= _MANY for kind, own in kinds)
        few = max(5, _CARDS // max(decks, 1))
        cards = [self._show_cards(kind, own, few) for kind, own in kinds if kind.form == "card"]
        large = [list(self._draw_fronts([own[0]])) for kind, own in kinds if kind.form == "board"]
        small = [
            thing
            for kind, own in kinds
            if kind.form in ("token", "cube", "standee")
            for thing in self._draw_fronts(spread_evenly(own, _TOKENS))
        ]
        boards = [thing for found in large[:_BOARDS] for thing in found]
        things = [thing for lot in zip_longest(*cards) for thing in lot if thing is not None]
        return _mix_things(things, boards, small)

    def _find_designs(self, kind: Kind) -> list[Design]:
        return [design for design in self.designs if design.kind == kind.id and design.count]

    def _group_cards(self) -> list[list[Design]]:
        kinds = [kind for kind in self.game.kinds.values() if kind.form == "card" and self._find_designs(kind)]
        sizes: dict[tuple[float, float], list[Kind]] = {}
        for kind in kinds:
            sizes.setdefault((kind.size.width, kind.size.height), []).append(kind)
        of_size = max(sizes.values(), key=lambda some: sum(kind.count for kind in some), default=[])
        found = [self._find_designs(kind) for kind in of_size]
        many = [own for own in found if len(own) >= _MANY]
        return sorted(many or found, key=lambda own: -len(own))

    def _show_cards(self, kind: Kind, own: Sequence[Design], number: int) -> list[Exhibit]:
        few = spread_evenly(own, number if len(own) >= _MANY else 2)
        return [*(self._draw_piles(few[:1]) if len(own) >= _MANY and kind.back else ()), *self._draw_fronts(few)]

    def _draw_fronts(self, designs: Sequence[Design]) -> Iterator[Exhibit]:
        for design in designs:
            face = self.workshop.draw_face(design, "front", self.lang)
            if face is not None:
                yield make_exhibit(face, self.game.kinds[design.kind])

    def _draw_piles(self, designs: Sequence[Design]) -> Iterator[Exhibit]:
        """Yield the decks of cards, face down."""
        for design in designs:
            face = self.workshop.draw_face(design, "back", self.lang) if design.back else None
            if face is not None:
                yield make_exhibit(face, self.game.kinds[design.kind], _PILE)


def _pick_hand(kinds: Sequence[Sequence[Design]], number: int, *, asked: bool) -> list[Design]:
    """Return `number` cards, taken from the kinds in turn; if `asked` for, just the first ones."""
    if asked:
        return [design for own in kinds for design in own][:number]
    lots = [spread_evenly(own, -(-number // max(len(kinds), 1))) for own in kinds]
    return [design for lot in zip_longest(*lots) for design in lot if design is not None][:number]


def _mix_things(cards: Sequence[Exhibit], boards: Sequence[Exhibit], small: Sequence[Exhibit]) -> list[Exhibit]:
    """Return cards in their order, with boards and small things at even distances among them."""
    if not cards:
        return [*boards, *small]
    mixed: list[Exhibit] = []
    for n, card in enumerate(cards):
        mixed.append(card)
        for some in (boards, small):
            mixed += some[n * len(some) // len(cards) : (n + 1) * len(some) // len(cards)]
    return mixed


TEMPLATE = "showcase"
"""The template of the background. The program has a plain one for games without it."""

SCREEN_DPI = 96.0
"""Pixels per inch of a picture's drawing."""

_KIND = "showcase_{width}_{height}_{scene}_{titled}"
_FRAME = "scene"
"""The group of the template whose rectangle is the area for things."""


def picture_size_mm(picture: PictureSize) -> Size:
    """Return the size of a picture's drawing (mm)."""
    width, height = (pixels / SCREEN_DPI * MM_PER_INCH for pixels in picture.pixels)
    return Size(width, height)


def add_grounds(game: Game, pictures: Sequence[PictureSize], hexes: Workshop) -> Game:
    """Return the game with a kind for each picture's background and each wall of the box; `hexes` knows its colours."""
    fields = build_fields(game, hexes)
    kinds = {}
    for picture in pictures:
        name, told = _format_name(picture), {**fields, "scene": picture.scene, "titled": picture.titled}
        size = picture_size_mm(picture)
        kinds[name] = make_art_kind(game, f"{name}/ground", TEMPLATE, size, told, bleed=0.0, safe=0.0)
    boxed_game = add_boxes(game, _find_largest(game), make_box_settings(hexes, clean=True))
    return replace(boxed_game, kinds={**boxed_game.kinds, **kinds})


@dataclass(frozen=True, slots=True)
class Showcase:
    """Draws the shop pictures of a game that `add_grounds` returned. `choice` picks the pieces; texts are in `lang`."""

    workshop: Workshop
    choice: Selection
    lang: str

    def draw_picture(self, picture: PictureSize) -> Drawing | None:
        """Draw a picture as large as `picture_size_mm` says. Return None if its background fails (see `problems`)."""
        (design,) = self.workshop.game.kinds[_format_name(picture)].designs
        ground = self.workshop.draw_face(design, "front", self.lang)
        if ground is None:
            return None
        frame = next(_find_frames(ground.items), Rect(0, 0, ground.width, ground.height))
        below = tuple(_drop_frame(ground.items))
        return ground._replace(items=(*below, *self._draw_scene(picture, frame)), stamps=(), frames=())

    def _draw_scene(self, picture: PictureSize, frame: Rect) -> Iterator[Item]:
        choice, wide = self.choice, frame.width > 1.5 * frame.height
        if picture.scene == "title":
            return
        if picture.scene == "table":
            yield from draw_table(choice.pick_everything(), frame)
        elif not (cards := choice.pick_fronts(7 if wide and not picture.titled else 5)):
            yield from draw_table(choice.pick_everything(), frame)  # no cards for a hand
        elif picture.scene == "fan":
            yield from draw_fan(cards, frame)
        elif picture.scene == "hand":
            yield from draw_hand(cards[:6], choice.pick_lane(), frame)
        elif (box := self._make_box()) is not None:
            yield from draw_box(box, cards[:5], frame)

    def _make_box(self) -> BoxExhibit | None:
        (content,) = _find_largest(self.choice.game)
        walls = draw_walls(self.workshop, content, 0, self.lang)
        if len(walls) < len(CUBE_FACES):
            return None
        settings = make_box_settings(self.workshop)
        inside = mix_colours(self.workshop.hex_of_paint(settings.accent), BLACK, 0.2)
        return BoxExhibit(content.make_box(settings), walls, inside)


def _find_largest(game: Game) -> tuple[BoxContents, ...]:
    """Return the group of cards with the most cards, whose box is shown. Return () for a game without cards."""
    return tuple(sorted(group_decks(game), key=lambda content: -content.count)[:1])


def _find_frames(items: Sequence[Item]) -> Iterator[Rect]:
    for item in items:
        if isinstance(item, Group):
            if item.id == _FRAME:
                yield from (
                    box for shape in item.items if isinstance(shape, Shape) and (box := find_bounds(shape.path))
                )
            yield from _find_frames(item.items)


def _drop_frame(items: Sequence[Item]) -> Iterator[Item]:
    for item in items:
        if not isinstance(item, Group):
            yield item
        elif item.id != _FRAME:
            yield item._replace(items=tuple(_drop_frame(item.items)))


def _format_name(picture: PictureSize) -> str:
    width, height = picture.pixels
    return _KIND.format(width=width, height=height, scene=picture.scene, titled=picture.titled)


def build_fields(game: Game, hexes: Workshop) -> dict[str, object]:
    """Return values that the background's template reads as `card.NAME`: colours (by `hexes`), fonts, the title."""
    first, *more = game.fonts
    paint = hexes.hex_of_paint(find_accent(game.palette))
    light = measure_contrast(paint, WHITE) >= measure_contrast(paint, BLACK)
    return {
        "accent": paint, "deep": mix_colours(paint, BLACK, 0.45), "light": mix_colours(paint, WHITE, 0.16),
        "accent_on": WHITE if light else BLACK, "reading": first, "titling": more[0] if more else first,
        "title": Words({lang: _break_title(game.title[lang]) for lang in game.languages}),
    }  # fmt: skip


def _break_title(title: str) -> str:
    """Return a title without a trailing note, such as `(working title)`, that breaks only where the cover breaks it."""
    title = title.partition("（")[0].partition("(")[0].strip() or title
    parts = split_title(title)
    if len(parts) == 1:
        return title
    whole = [forbid_breaks(part).replace(" ", "\u00a0") for part in parts]
    return f"{whole[0]}{' ' if ' ' in title else ''}{whole[1]}"


@dataclass(frozen=True, slots=True)
class ShowcaseOrder(Order):
    """The shop pages (presets) to make pictures for. With `pdf`, each picture is also written as a PDF.

    `only` limits the components to show. If more cards match than fit, the first ones appear.
    """

    pages: tuple[ShopPictures, ...] = ()
    pdf: bool = False
    one_language: ClassVar[str] = "pictures for shop pages"

    def make(self, job: Job) -> GameOutput:
        """Make the pictures of one game. Raise ProblemsFound with everything wrong."""
        game, folder = job.workshop.game, self.out / job.workshop.game.id / "showcase"
        wanted = {f"{page.id}-{one.id}": one for page in self.pages for one in page.pictures}
        workshop = Workshop(add_grounds(game, tuple(wanted.values()), job.workshop), job.project.resources)
        designs = tuple(pick_designs(game, self.only))
        made = []
        for lang in self.pick_languages(game) if designs else ():
            choice = Selection(workshop, game, designs, lang, asked=bool(self.only))
            shown = Showcase(workshop, choice, lang)
            for name, picture in wanted.items():
                job.progress(f"{game.id}: {name}.{lang}.png")
                self._write_picture(job, shown, picture, f"{folder}/{name}.{lang}")
            made.append(lang)
        return GameOutput(tuple(made))

    def _write_picture(self, job: Job, shown: Showcase, picture: PictureSize, path: str) -> None:
        drawing = shown.draw_picture(picture)
        if drawing is None or shown.workshop.problems:
            raise ProblemsFound(shown.workshop.problems)
        page = make_face_page(drawing, bleed=False)
        image = render_exactly(shown.workshop, page, picture.pixels, shown.lang)
        job.files.put(type(self.out)(f"{path}.png"), encode_png(image, SCREEN_DPI))
        if self.pdf:
            title = shown.choice.game.title[shown.lang]
            document = Document(title, shown.lang, (page,), subject=shown.choice.game.subject(shown.lang))
            job.files.write(type(self.out)(f"{path}.pdf"), partial(shown.workshop.write_document, document))


def find_pages(project: Project, names: Sequence[str]) -> tuple[ShopPictures, ...]:
    """Return the presets with these names, or all of their kind. Raise ProblemsFound for a broken or unknown one."""
    if names:
        found = [find_preset(project.resources, name, "pictures") for name in names]
    else:
        found = list(load_presets(project.resources))
    return tuple(preset for preset in found if isinstance(preset, ShopPictures))
