"""The command `images`: a PNG of every face or print sheet."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from generator.base.display_list import Drawing
from generator.base.errors import raise_problems
from generator.base.files import number_duplicates, to_safe_name
from generator.base.languages import first_language, second_language
from generator.commands.options import PICKED, open_project, run_order
from generator.commands.orders import GameOutput, Job, Order, Progress, editions_of
from generator.commands.print_sheets import PrintLook, PrintOrder, impose_sheets
from generator.commands.settings import REUSE
from generator.drawing.faces.game_drawing import Workshop
from generator.game.model import Design, FaceName, Game
from generator.sheets.page_marks import mirror_back_outline
from generator.sheets.pieces import pick_designs
from generator.sheets.raster import cut_away, encode_png, make_cut_page, make_face_page, render_pages


@click.command()
@PICKED
@click.option("--dpi", type=click.FloatRange(36, 2400), default=300, show_default=True, help="Pixels per inch.")
@click.option("--bleed", is_flag=True, help="Include the bleed around each face.")
@click.option("--round", "rounded", is_flag=True, help="Make corners and the outside of tokens transparent.")
@click.option("--sheets", is_flag=True, help="Export print sheets (A4) instead of faces.")
@click.option("--clean", is_flag=True, help="Omit draft number and hash on the faces of --sheets.")
@REUSE
@click.pass_obj
def images(obj: Path | None, /, **options: Any) -> None:
    """Export each card and piece as a PNG.

    pnp names each file after the component: OUT/<game>/images/reel-6-wheat.front.ja.png.
    """
    if not math.isfinite(options["dpi"]):
        raise click.BadParameter("write a number of pixels, such as 300", param_hint="--dpi")
    if options["bleed"] and options["rounded"]:
        raise click.UsageError("--bleed keeps what --round cuts off; choose one of them")
    if options["sheets"] and (options["bleed"] or options["rounded"] or options["stamp"]):
        raise click.UsageError("--bleed, --round and --stamp are for faces; leave them out with --sheets")
    if options["clean"] and options["stamp"]:
        raise click.UsageError("--clean and --stamp exclude each other; leave one out")
    run_order(open_project(obj, options), options, ImageOrder)


@dataclass(frozen=True, slots=True)
class ImageOrder(Order):
    """Order for pictures with `dpi` pixels per inch.

    By default faces are trimmed. `bleed` adds their bleed; `rounded` makes everything outside the piece transparent.
    `stamp` prints draft and hash on them. `sheets` asks for print sheets instead of faces, with `clean` for sheets
    without stamps.
    """

    dpi: float = 300.0
    bleed: bool = False
    rounded: bool = False
    stamp: bool = False
    sheets: bool = False
    clean: bool = False

    def make(self, job: Job) -> GameOutput:
        """Write the pictures of one game."""
        return GameOutput(tuple((_write_sheet_pictures if self.sheets else _write_face_pictures)(job, self)))


@dataclass(frozen=True, slots=True)
class _FacePicture:
    design: Design
    side: FaceName
    face: Drawing
    name: str


def _write_sheet_pictures(job: Job, order: ImageOrder) -> Iterable[str]:
    workshop, game = job.workshop, job.workshop.game
    printing = PrintOrder(order.languages, order.out, order.only, look=PrintLook(clean=order.clean))
    printed = impose_sheets(workshop, printing, job.progress)
    for edition, document in printed.items():
        names = number_duplicates(f"{printing.file}-{page.sheet:03}.{page.side}.{edition}" for page in document.pages)
        images = render_pages(workshop, document.pages, order.dpi, document.lang)
        for name, image in zip(names, images, strict=True):
            job.progress(f"{game.id}: {name}.png")
            job.files.put(_picture_folder(order, game) / f"{name}.png", encode_png(image, order.dpi))
    return printed


def _write_face_pictures(job: Job, order: ImageOrder) -> Iterable[str]:
    workshop = job.workshop
    for name, data in draw_face_pictures(workshop, order, job.progress):
        job.files.put(_picture_folder(order, workshop.game) / name, data)
    editions = editions_of(workshop.game, order.languages) if _pick_designs(workshop.game, order) else ()
    return [edition for edition in editions if not second_language(edition) or workshop.has_both_languages(edition)]


def draw_face_pictures(workshop: Workshop, order: ImageOrder, progress: Progress) -> Iterator[tuple[str, bytes]]:
    """Yield the file name and PNG of each face of the order. Raise ProblemsFound first if a face can't be drawn."""
    game = workshop.game
    designs = _pick_designs(game, order)
    editions = editions_of(game, order.languages) if designs else ()
    for edition in editions:
        progress(f"{game.id}: faces ({edition})")
        workshop.draw_all(designs, [edition])
    raise_problems(workshop.problems)
    yield from draw_valid_pictures(workshop, order, progress)


def draw_valid_pictures(workshop: Workshop, order: ImageOrder, progress: Progress) -> Iterator[tuple[str, bytes]]:
    """Yield the file name and PNG of each face of the order that can be drawn, edition by edition."""
    game = workshop.game
    designs = _pick_designs(game, order)
    for edition in editions_of(game, order.languages) if designs else ():
        if second_language(edition) and not workshop.has_both_languages(edition):
            continue
        shown = tuple(_iter_face_pictures(workshop, designs, edition, order.stamp))
        names = number_duplicates(f"{to_safe_name(each.name)}.{each.side}.{edition}" for each in shown)
        pages = [make_face_page(each.face, order.bleed) for each in shown]
        images = render_pages(workshop, pages, order.dpi, first_language(edition))
        for each, name, image in zip(shown, names, images, strict=True):
            progress(f"{game.id}: {name}.png")
            picture = image
            if order.rounded:
                kind = game.kinds[each.design.kind]
                outline = kind.outline
                if outline and kind.template_side(each.side) == "back":
                    outline = mirror_back_outline(outline, kind.size.width)
                corner = kind.corner if kind.form == "card" else 0.0
                mask = make_cut_page(each.face.width, each.face.height, corner, outline)
                (cut,) = render_pages(workshop, [mask], order.dpi)
                picture = cut_away(image, cut)
            yield f"{name}.png", encode_png(picture, order.dpi)


def _pick_designs(game: Game, order: ImageOrder) -> tuple[Design, ...]:
    """Return the designs that the patterns pick, or all printed designs if there are no patterns."""
    designs = pick_designs(game, order.only)
    return designs if order.only else tuple(d for d in designs if not game.kinds[d.kind].left_out)


def _iter_face_pictures(
    workshop: Workshop, designs: Sequence[Design], edition: str, stamp: bool
) -> Iterator[_FacePicture]:
    """Yield every face of the designs in an edition, with draft and hash if `stamp`.

    A back that all designs of a kind share is yielded once, named after the kind.
    """
    game = workshop.game
    backs: dict[str, dict[str, Design]] = {}
    for design in designs:
        kind = game.kinds[design.kind]
        for side in kind.faces(design):
            face = workshop.draw_printed(edition, design, side, clean=not stamp)
            if face is None:
                continue
            if kind.template_side(side) == "back":
                backs.setdefault(kind.id, {}).setdefault(workshop.digest_face(face), design)
            else:
                yield _FacePicture(design, side, face, design.id)
    for kind_id, found in backs.items():
        for first in found.values():
            face = workshop.draw_printed(edition, first, "back", clean=not stamp)
            if face is not None:
                yield _FacePicture(first, "back", face, kind_id if len(found) == 1 else first.id)


def _picture_folder(order: ImageOrder, game: Game) -> Path:
    return order.out / game.id / "images"
