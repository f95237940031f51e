"""Images: a PNG of every face or print sheet."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from generator.base.dataclass import dataclass
from generator.base.display_list import Drawing
from generator.base.errors import ProblemsFound
from generator.base.files import distinct, safe_name
from generator.base.languages import first_language, second_language
from generator.commands.orders import Job, Made, Order, Progress, editions_of
from generator.commands.print_sheets import PrintLook, PrintOrder, lay_sheets
from generator.drawing.faces.game_drawing import Workshop
from generator.drawing.raster import cut_image, cut_shape, face_page_of, page_images, png
from generator.game.model import Design, FaceName, Game
from generator.game.print_pages import Page
from generator.sheets.page_marks import back_outline
from generator.sheets.pieces import pick_designs


@dataclass(frozen=True, slots=True)
class ImageOrder(Order):
    """Order for pictures with `dpi` pixels per inch.

    By default faces are trimmed. `bleed` adds their bleed; `rounded` makes everything outside the piece transparent.
    `stamp` prints draft and hash on them. `sheets` asks for print sheets instead, with `clean` for sheets without
    stamps.
    """

    dpi: float = 300.0
    bleed: bool = False
    rounded: bool = False
    stamp: bool = False
    sheets: bool = False
    clean: bool = False

    def make(self, job: Job) -> Made:
        """Write the pictures of one game."""
        return Made(tuple((_sheets if self.sheets else _faces)(job, self)))


@dataclass(frozen=True, slots=True)
class _Shown:
    """One picture to make: its design, side, drawing and name."""

    design: Design
    side: FaceName
    face: Drawing
    name: str


def _sheets(job: Job, order: ImageOrder) -> Iterable[str]:
    workshop, game = job.workshop, job.workshop.game
    printing = PrintOrder(order.languages, order.out, order.only, look=PrintLook(clean=order.clean))
    printed = lay_sheets(workshop, printing, job.progress)
    for edition, document in printed.items():
        names = distinct(f"{printing.file}-{page.sheet:03}.{page.side}.{edition}" for page in document.pages)
        images = page_images(workshop, document.pages, order.dpi, document.lang)
        for name, image in zip(names, images, strict=True):
            job.progress(f"{game.id}: {name}.png")
            job.files.put(_folder(order, game) / f"{name}.png", png(image, order.dpi))
    return printed


def _faces(job: Job, order: ImageOrder) -> Iterable[str]:
    workshop = job.workshop
    for name, data in face_pictures(workshop, order, job.progress):
        job.files.put(_folder(order, workshop.game) / name, data)
    editions = editions_of(workshop.game, order.languages) if _pick_designs(workshop.game, order) else ()
    return [edition for edition in editions if not second_language(edition) or workshop.offers(edition)]


def face_pictures(workshop: Workshop, order: ImageOrder, progress: Progress) -> Iterator[tuple[str, bytes]]:
    """Yield the file name and PNG of each face. Raise ProblemsFound if a face can't be drawn."""
    game = workshop.game
    designs = _pick_designs(game, order)
    editions = editions_of(game, order.languages) if designs else ()
    for edition in editions:
        progress(f"{game.id}: faces ({edition})")
        workshop.draw_all(designs, [edition])
    if workshop.problems:
        raise ProblemsFound(workshop.problems)
    yield from drawn_pictures(workshop, order, progress)


def drawn_pictures(workshop: Workshop, order: ImageOrder, progress: Progress) -> Iterator[tuple[str, bytes]]:
    """Yield the file name and PNG of each face that can be drawn."""
    game = workshop.game
    designs = _pick_designs(game, order)
    for edition in editions_of(game, order.languages) if designs else ():
        if second_language(edition) and not workshop.offers(edition):
            continue
        shown = tuple(_face_pictures(workshop, designs, edition, order.stamp))
        names = distinct(f"{safe_name(each.name)}.{each.side}.{edition}" for each in shown)
        pages = [face_page_of(each.face, order.bleed) for each in shown]
        images = page_images(workshop, pages, order.dpi, first_language(edition))
        for each, name, image in zip(shown, names, images, strict=True):
            progress(f"{game.id}: {name}.png")
            picture = image
            if order.rounded:
                (cut,) = page_images(workshop, [_cut_mask(game, each)], order.dpi)
                picture = cut_image(image, cut)
            yield f"{name}.png", png(picture, order.dpi)


def _pick_designs(game: Game, order: ImageOrder) -> tuple[Design, ...]:
    """Return the designs that the patterns pick, or all printed designs if there are no patterns."""
    designs = pick_designs(game, order.only)
    return designs if order.only else tuple(d for d in designs if not game.kinds[d.kind].left_out)


def _face_pictures(workshop: Workshop, designs: Sequence[Design], edition: str, stamp: bool) -> Iterator[_Shown]:
    """Yield every face of the designs.

    A back that all designs of a kind share is yielded once, named after the kind.
    """
    game = workshop.game
    backs: dict[str, dict[str, Design]] = {}
    for design in designs:
        kind = game.kinds[design.kind]
        for side in kind.faces(design):
            face = workshop.printed(edition, design, side, clean=not stamp)
            if face is None:
                continue
            if kind.drawn_as(side) == "back":
                backs.setdefault(kind.id, {}).setdefault(workshop.digest(face), design)
            else:
                yield _Shown(design, side, face, design.id)
    for kind_id, found in backs.items():
        for first in found.values():
            face = workshop.printed(edition, first, "back", clean=not stamp)
            if face is not None:
                yield _Shown(first, "back", face, kind_id if len(found) == 1 else first.id)


def _cut_mask(game: Game, shown: _Shown) -> Page:
    """Return a page with the outline of the piece. The outline of a back is mirrored."""
    kind = game.kinds[shown.design.kind]
    outline = kind.outline
    if outline and kind.drawn_as(shown.side) == "back":
        outline = back_outline(outline, kind.size.width)
    corner = kind.corner if kind.form == "card" else 0.0
    return cut_shape(shown.face.width, shown.face.height, corner, outline)


def _folder(order: ImageOrder, game: Game) -> Path:
    return order.out / game.id / "images"
