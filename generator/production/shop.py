"""The command `shop`: the files of a preset for each game, in the inks of the shop's press."""

import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import click

from generator.base.display_list import Item
from generator.base.errors import Problem, ProblemsFound, locate_fault, raise_problems
from generator.base.files import Resources
from generator.base.languages import first_language, second_language
from generator.commands.options import (
    COPIES,
    PICKED,
    open_project,
    order_from_options,
    progress,
    say_done,
    say_warnings,
)
from generator.commands.orders import GameOutput, Job, Order, carry_out, editions_of, missing_editions
from generator.drawing.faces.game_drawing import Workshop
from generator.game.model import Design, Game
from generator.game.preset_files import find_figure_place, find_preset
from generator.game.presets import Shop
from generator.game.print_pages import Document
from generator.game.project import Project
from generator.production.finish_pdf import REGISTRY, Intent, Standard, finish_pdf
from generator.production.press_colour import PressInks, default_profile
from generator.production.shop_files import (
    MANIFEST,
    ORDER,
    OrderPart,
    OrderSheet,
    ShopFile,
    plan_order,
    plan_shop_files,
)
from generator.production.transparency import Flattening, blend_document
from generator.sheets.pieces import pick_designs
from generator.sheets.raster import encode_jpeg, encode_png, render_pages


@click.command()
@PICKED
@click.option("--preset", required=True, metavar="ID", help="Print shop; `pnp presets` lists all of them.")
@COPIES
@click.option(
    "--standard",
    type=click.Choice(["pdfx4", "pdfx1a"]),
    help="PDF/X settings (default: those of the preset); not certified.",
)
@click.option(
    "--profile",
    type=click.Path(path_type=Path),
    metavar="FILE.icc",
    help="Colour profile of the press, from the print shop.",
)
@click.option("--strict", is_flag=True, help="Treat warnings as errors, and write nothing.")
@click.pass_obj
def shop(obj: Path | None, /, **options: Any) -> None:
    """Export files for a print shop.

    pnp writes OUT/<game>/<preset>.<lang>/ with order.txt and manifest.json. It lists the components that the shop
    can't print and skips them. Warnings don't stop the export unless you add --strict.
    """
    project = open_project(obj, options)
    chosen = find_shop(project, options["preset"], options["standard"], options["profile"])
    order = order_from_options(ShopOrder, options, shop=chosen)
    done = carry_out(project, options["games"], order, progress())
    say_done(done)
    say_warnings(collect_warnings(order, done.made))


@dataclass(frozen=True, slots=True)
class ShopPress:
    """How to write a game's PDFs for a shop: RGB if `inks` is None, plain PDF if `standard` is None.

    `problems` grow while documents are written: paints and pictures with more ink than the shop allows, and `another`:
    the inks were made for another press than the shop's. These are warnings.
    """

    inks: PressInks | None
    standard: Standard | None
    intent: Intent | None
    another: Problem | None

    @property
    def problems(self) -> Iterator[Problem]:
        """Yield the problems found so far."""
        if self.another is not None:
            yield self.another
        if self.inks is not None:
            yield from self.inks.problems
            yield from self.inks.notes

    def write_pdf(self, workshop: Workshop, document: Document) -> bytes:
        """Return the document as the shop wants it. Raise ProblemsFound if the standard forbids a requested option."""
        out = io.BytesIO()
        if self.standard == "pdfx1a" and self.inks is not None:
            flattening = Flattening(workshop.write_document, self.inks, workshop.artist.render_items)
            workshop.write_document(flattening.flatten_document(document), out, self.inks, flattening.made)
        elif self.inks is not None:
            workshop.write_document(blend_document(document, workshop.artist.render_items), out, self.inks)
        else:
            workshop.write_document(document, out)
        if self.standard is None or self.intent is None:
            return out.getvalue()
        with locate_fault(None):
            return finish_pdf(out.getvalue(), self.standard, self.intent)


def make_shop_press(
    game: Game, shop: Shop, resources: Resources, standard: Standard | None, profile: Path | None
) -> ShopPress:
    """Return the press of a shop. Its ICC profile is `profile`, else the preset's, else FOGRA39.

    Files name the printing condition of that profile, even if it is not the shop's; then `problems` has a warning.
    Raise ProblemsFound for a file that is no profile, or if the preset names a profile that is missing.
    """
    if shop.colour == "rgb" and standard is None:
        return ShopPress(None, None, None, None)
    own = None if profile else _find_own_profile(shop, resources)
    path = profile or own or default_profile()
    inks = PressInks(game, path, shop.spots, shop.ink_limit)
    # A preset that names both a condition and a profile states what an unknown profile is for.
    made_for = inks.profile.condition or (shop.condition if own else "")
    intent = None
    if standard is not None:
        registry = shop.registry if made_for == shop.condition else REGISTRY
        intent = Intent(made_for or inks.profile.name, inks.profile.data, registry if made_for else "")
    if made_for == shop.condition or ((profile or own) and not shop.condition):
        return ShopPress(inks, standard, intent, None)
    asked = f"for {shop.condition}" if shop.condition else "for no certain press"
    what = f"{shop.name} prints {asked}; pnp used the profile {path.name} instead"
    if intent is not None:
        what += f", and the files name {intent.condition}"
    another = Problem(shop.place, what, "give the shop's own profile with --profile FILE.icc")
    return ShopPress(inks, standard, intent, another)


def _find_own_profile(shop: Shop, resources: Resources) -> Path | None:
    if not shop.profile:
        return None
    path = resources.find("profiles", shop.profile)
    if path is None:
        what = f"the preset {shop.id} names the profile '{shop.profile}', which is not in profiles/"
        place = find_figure_place(resources, shop, "profile")
        raise ProblemsFound([Problem(place, what, "put it there, or name yours with --profile FILE.icc")])
    return path


PREVIEW_DPI = 150.0
"""Resolution of the previews beside a shop's PDFs: enough to recognise faces."""

LABEL_PT = 5.0


@dataclass(frozen=True, slots=True)
class ShopOrder(Order):
    """What to export for a shop: `copies` of each design (None: its count in the game).

    `standard` and `profile` replace the shop's. `stamp` prints draft and hash on the faces. With `strict`, warnings
    stop the work.
    """

    shop: Shop = field(kw_only=True)
    copies: int | None = None
    standard: Standard | None = None
    profile: Path | None = None
    stamp: bool = False
    strict: bool = False

    def make(self, job: Job) -> GameOutput:
        """Make all files of one game; `more` is a `ShopResult`. Raise ProblemsFound."""
        workshop, game = job.workshop, job.workshop.game
        designs = pick_designs(game, self.only)
        editions = editions_of(game, self.languages) if designs else ()
        if not editions:
            return GameOutput(more=ShopResult())
        job.progress(f"{game.id}: faces ({', '.join(editions)})")
        printed = [design for design in designs if game.kinds[design.kind].form in self.shop.forms]
        workshop.draw_all(printed, editions)
        raise_problems(workshop.problems)
        standard = self.standard or self.shop.standard or None
        press = make_shop_press(game, self.shop, job.project.resources, standard, self.profile)
        offered = tuple(one for one in editions if not second_language(one) or workshop.has_both_languages(one))
        parts = [_write_edition(job, self, designs, edition, press) for edition in offered]
        warnings = [problem for part in parts for problem in part.warnings]
        used = frozenset(name for part in parts for name in part.used)
        return GameOutput(offered, more=ShopResult((*warnings, *press.problems), used))

    def missing_problems(self, games: Sequence[Game], made: Sequence[GameOutput]) -> Iterable[Problem]:
        """Yield pairs of languages that no template offers, and warnings if they stop the work."""
        yield from missing_editions(games, self.languages, (edition for one in made for edition in one.editions))
        if self.strict:
            yield from collect_warnings(self, made)


class ShopResult(NamedTuple):
    """A game's warnings, and the preset's fields that were needed (`products.ID`), to warn only of those."""

    warnings: tuple[Problem, ...] = ()
    used: frozenset[str] = frozenset()


def find_shop(project: Project, preset: str, standard: Standard | None, profile: Path | None) -> Shop:
    """Return the shop of a preset. Raise ProblemsFound if there is none, or if PDF options don't apply to it."""
    shop = find_preset(project.resources, preset, "shop")
    if not isinstance(shop, Shop):
        raise TypeError(f"{shop.id} is of kind shop, but no Shop")
    if shop.upload == "png" and (standard or profile):
        option = "--standard" if standard else "--profile"
        what = f"{option} is for PDF, but {shop.name} accepts pictures"
        raise ProblemsFound([Problem(shop.place, what, "leave it out, or choose another preset")])
    return shop


def collect_warnings(order: ShopOrder, made: Iterable[GameOutput]) -> tuple[Problem, ...]:
    """Return each warning once: first unconfirmed figures of the preset that were used, then the games' warnings."""
    found = [one.more for one in made]
    used = frozenset[str]().union(*(one.used for one in found))
    idle = {f"products.{product.id}" for product in order.shop.products} - used
    doubts = order.shop.check_figures(tuple(name for name in order.shop.unverified if name not in idle))
    warnings = (problem for one in found for problem in one.warnings)
    return tuple(dict.fromkeys([*([doubts] if doubts else []), *warnings]))


def _write_edition(job: Job, order: ShopOrder, designs: Sequence[Design], edition: str, press: ShopPress) -> ShopResult:
    """Write the files of a game in an edition. Raise ProblemsFound if nothing of it can be ordered."""
    workshop, game, shop = job.workshop, job.workshop.game, order.shop
    drawn = partial(workshop.draw_printed, edition, clean=not order.stamp)
    ordered = plan_order(game, shop, designs, drawn, order.copies)
    if not ordered.runs:
        hint = "choose another preset (pnp presets lists them)"
        reasons = [(one.place, f"{one.kind} can't be ordered: {one.why}", hint) for one in ordered.left_out]
        nothing = (None, f"nothing to order at {shop.name}: no component has a count", "set the number with --copies")
        raise ProblemsFound([Problem(place, f"{game.id}: {what}", how) for place, what, how in reasons or [nothing]])
    # A selection must not replace the whole deck: it would contradict its order.txt.
    chosen = "-selection" if order.only or order.copies is not None else ""
    folder = order.out / game.id / f"{shop.id}{chosen}.{edition}"
    parts: list[OrderPart] = []
    for run in ordered.runs:
        label = partial(_set_label, workshop, edition, run.product.name)
        part, made = plan_shop_files(run, shop, game.id, edition, workshop.digest_face, label)
        parts.append(part)
        for file in made:
            job.progress(f"{game.id}: {folder.name}/{file.name}")
            _write_file(job, file, folder, edition, shop, press)
    # Without the places: they are paths on this computer, and other people get the files.
    notes = tuple(dict.fromkeys(problem.what for problem in press.problems))
    sheet = OrderSheet(game, shop, edition, tuple(parts), ordered, notes)
    job.files.put(folder / ORDER, sheet.to_text().encode("utf-8"))
    job.files.put(folder / MANIFEST, sheet.to_json().encode("utf-8"))
    left_out = [out.to_problem(game) for out in ordered.left_out]
    said = [*left_out, *(Problem(None, f"{game.id}: {note}") for note in ordered.notes)]
    return ShopResult(tuple(said), frozenset(f"products.{run.product.id}" for run in ordered.runs))


def _write_file(job: Job, file: ShopFile, folder: Path, edition: str, shop: Shop, press: ShopPress) -> None:
    workshop, files, lang = job.workshop, job.files, first_language(edition)
    if shop.upload == "png":
        (image,) = render_pages(workshop, file.pages, shop.dpi, lang)
        files.put(folder / f"{file.name}.png", encode_png(image, shop.dpi))
        return
    game = workshop.game
    title = f"{game.title[lang]} – {file.name}"
    document = Document(title, lang, file.pages, subject=game.subject(lang), date=game.date)
    files.put(folder / f"{file.name}.pdf", press.write_pdf(workshop, document))
    if shop.previews:
        for number, image in enumerate(render_pages(workshop, file.pages, PREVIEW_DPI, lang), 1):
            name = file.name if len(file.pages) == 1 else f"{file.name}-{number}"
            files.put(folder / f"{name}.jpg", encode_jpeg(image, PREVIEW_DPI))


def _set_label(workshop: Workshop, edition: str, product: str, face: str, x: float, y: float) -> tuple[Item, ...]:
    game = workshop.game
    text = f"{game.title[first_language(edition)]} · {game.draft} · {edition} · {product} · {face}"
    return workshop.set_label(text, x, y, LABEL_PT, "start", 0.0)
