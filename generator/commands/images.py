"""From the project to pictures: a PNG of every face, or of every print sheet, named by what it shows."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from generator.commands.every_game import load_games, make_files
from generator.commands.printing import Order, Progress, editions_of, idle_options, lay_sheets, unmade_editions
from generator.delivery import Delivery
from generator.errors import Problem, ProblemsFound
from generator.faces.workshop import Workshop
from generator.load.project import Project
from generator.model.drawing import Drawing
from generator.model.edition import first_language, second_language
from generator.model.game import Design, FaceName, Game
from generator.model.sheet import Page
from generator.model.sizes import paper_size
from generator.printshop.file_names import distinct, safe_name
from generator.printshop.raster import cut_out_of, cut_page, face_page_of, page_images, png
from generator.sheets.cutting import mirrored_outline
from generator.sheets.order import chosen_designs
from generator.sheets.settings import SheetSettings


@dataclass(frozen=True, slots=True)
class ImageOrder:
    """Which pictures are made: languages (all if empty), folder, ids by pattern, pixels an inch.

    Faces are as they look when cut, with `bleed` around them, or `rounded`: transparent where the piece ends. With
    `stamp` they bear draft and hash. `sheets`: print sheets instead.
    """

    languages: tuple[str, ...]
    out: Path
    only: tuple[str, ...] = ()
    dpi: float = 300.0
    bleed: bool = False
    rounded: bool = False
    stamp: bool = False
    sheets: bool = False

    @property
    def printing(self) -> Order:
        """The same as an order of sheets on A4."""
        return Order(self.languages, self.out, SheetSettings(paper_size("A4"), paper_name="A4"), self.only)


@dataclass(frozen=True, slots=True)
class _Shown:
    """One picture to be made: whose face it is, which side, and what it is called."""

    design: Design
    side: FaceName
    face: Drawing
    name: str


def images_of(project: Project, names: tuple[str, ...], order: ImageOrder, progress: Progress) -> tuple[Path, ...]:
    """Write the pictures of every game; ProblemsFound with everything wrong, and then nothing is written."""
    games, problems = load_games(project, names)
    made: set[str] = set()

    def make(workshop: Workshop, files: Delivery) -> None:
        made.update((_sheets if order.sheets else _faces)(workshop, order, files, progress))

    def finish() -> Iterable[Problem]:
        progress("")
        return unmade_editions(games, order.printing, frozenset(made))

    return make_files(project, games, [*problems, *idle_options(games, order.printing)], make, finish)


def _sheets(workshop: Workshop, order: ImageOrder, files: Delivery, progress: Progress) -> Iterable[str]:
    game, printing = workshop.game, order.printing
    printed = lay_sheets(workshop, printing, progress)
    for edition, document in printed.items():
        names = distinct(f"{printing.file}-{page.sheet:03}.{page.side}.{edition}" for page in document.pages)
        images = page_images(workshop, document.pages, order.dpi, document.lang)
        for name, image in zip(names, images, strict=True):
            progress(f"{game.id}: {name}.png")
            files.put(_folder(order, game) / f"{name}.png", png(image, order.dpi))
    return printed


def _faces(workshop: Workshop, order: ImageOrder, files: Delivery, progress: Progress) -> Iterable[str]:
    game = workshop.game
    designs = _wanted(game, order)
    editions = editions_of(game, order.languages) if designs else ()
    for edition in editions:
        progress(f"{game.id}: faces ({edition})")
        workshop.draw_all(designs, [edition])
    if workshop.problems:
        raise ProblemsFound(workshop.problems)
    offered = [edition for edition in editions if not second_language(edition) or workshop.offers(edition)]
    for edition in offered:
        shown = tuple(_shown(workshop, designs, edition, order.stamp))
        names = distinct(f"{safe_name(each.name)}.{each.side}.{edition}" for each in shown)
        pages = [face_page_of(each.face, order.bleed) for each in shown]
        images = page_images(workshop, pages, order.dpi, first_language(edition))
        for each, name, image in zip(shown, names, images, strict=True):
            progress(f"{game.id}: {name}.png")
            picture = image
            if order.rounded:
                (cut,) = page_images(workshop, [_cut(game, each)], order.dpi)
                picture = cut_out_of(image, cut)
            files.put(_folder(order, game) / f"{name}.png", png(picture, order.dpi))
    return offered


def _wanted(game: Game, order: ImageOrder) -> tuple[Design, ...]:
    """What the patterns pick; without any, all that is printed."""
    designs = chosen_designs(game, order.only)
    return designs if order.only else tuple(d for d in designs if not game.kinds[d.kind].left_out)


def _shown(workshop: Workshop, designs: Sequence[Design], edition: str, stamp: bool) -> Iterator[_Shown]:
    """Every face of every design; a back that all designs of a kind share is one picture, named by the kind."""
    game = workshop.game
    backs: dict[str, dict[str, Design]] = {}
    for design in designs:
        kind = game.kinds[design.kind]
        for side in kind.faces(design):
            face = workshop.printed(edition, design, side) if stamp else workshop.face(design, side, edition)
            if face is None:
                continue
            if kind.drawn_as(side) == "back":
                backs.setdefault(kind.id, {}).setdefault(workshop.digest(face), design)
            else:
                yield _Shown(design, side, face, design.id)
    for kind_id, found in backs.items():
        for first in found.values():
            face = workshop.printed(edition, first, "back") if stamp else workshop.face(first, "back", edition)
            if face is not None:
                yield _Shown(first, "back", face, kind_id if len(found) == 1 else first.id)


def _cut(game: Game, shown: _Shown) -> Page:
    """What is left of a face when it is cut; a back's outline is seen from behind."""
    kind = game.kinds[shown.design.kind]
    outline = kind.outline
    if outline and kind.drawn_as(shown.side) == "back":
        outline = mirrored_outline(outline, kind.size.width)
    corner = kind.corner if kind.form == "card" else 0.0
    return cut_page(shown.face.width, shown.face.height, corner, outline)


def _folder(order: ImageOrder, game: Game) -> Path:
    return order.out / game.id / "images"
