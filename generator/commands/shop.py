"""Orders at print shops: for each game and language the files that the shop's preset asks for."""

from collections.abc import Iterable, Sequence
from dataclasses import field
from functools import partial
from pathlib import Path
from typing import NamedTuple

from generator.commands.editions import editions_of, unmade_editions
from generator.commands.order import Job, Made, Order
from generator.dataclass import dataclass
from generator.errors import Problem, ProblemsFound
from generator.faces.workshop import Workshop
from generator.load.presets import find_preset
from generator.load.project import Project
from generator.model.drawing import Item
from generator.model.edition import first_language, second_language
from generator.model.game import Design, Game
from generator.model.preset import Shop
from generator.model.sheet import Document
from generator.printshop.order_sheet import MANIFEST, ORDER, OrderPart, OrderSheet
from generator.printshop.raster import jpeg, page_images, png
from generator.printshop.runs import OrderPlan, plan
from generator.printshop.shop_files import ShopFile, shop_files
from generator.printshop.shop_press import ShopPress, shop_press
from generator.printshop.standards import Standard
from generator.sheets.order import pick_designs

PREVIEW_DPI = 150.0
"""Of the pictures that go with a shop's PDFs: enough to see what is what."""

LABEL_PT = 5.0


@dataclass(frozen=True, slots=True)
class ShopOrder(Order):
    """What is ordered at which shop; copies of each design, its count if None.

    `standard` and `profile` take the place of the shop's; `stamp` puts draft and hash on the faces; `strict` lets
    warnings stop the work.
    """

    shop: Shop = field(kw_only=True)
    copies: int | None = None
    standard: Standard | None = None
    profile: Path | None = None
    stamp: bool = False
    strict: bool = False

    def make(self, job: Job) -> Made:
        """Everything of one game, `more` being a `ForShop`; ProblemsFound with all that stops it."""
        workshop, game = job.workshop, job.workshop.game
        designs = pick_designs(game, self.only)
        editions = editions_of(game, self.languages) if designs else ()
        if not editions:
            return Made(more=ForShop())
        job.progress(f"{game.id}: faces ({', '.join(editions)})")
        printed = [design for design in designs if game.kinds[design.kind].form in self.shop.forms]
        workshop.draw_all(printed, editions)
        if workshop.problems:
            raise ProblemsFound(workshop.problems)
        standard = self.standard or self.shop.standard or None
        press = shop_press(game, self.shop, job.project.resources, standard, self.profile)
        offered = tuple(one for one in editions if not second_language(one) or workshop.offers(one))
        parts = [_edition(job, self, designs, edition, press) for edition in offered]
        warnings = [problem for part in parts for problem in part.warnings]
        used = frozenset(name for part in parts for name in part.used)
        return Made(offered, more=ForShop((*warnings, *press.problems), used))

    def missing_problems(self, games: Sequence[Game], made: Sequence[Made]) -> Iterable[Problem]:
        """Pairs of languages that no template offers; warnings, where they are to stop the work."""
        yield from unmade_editions(games, self.languages, (edition for one in made for edition in one.editions))
        if self.strict:
            yield from warnings_of(self, made)


class ForShop(NamedTuple):
    """What the user should know of a game though nothing was stopped by it, and the shop's figures that it used."""

    warnings: tuple[Problem, ...] = ()
    used: frozenset[str] = frozenset()


def find_shop(project: Project, preset: str, standard: Standard | None, profile: Path | None) -> Shop:
    """The shop of that preset; ProblemsFound where there is none, or where it takes no PDF to which these apply."""
    shop = find_preset(project.resources, preset, "shop")
    if not isinstance(shop, Shop):
        raise TypeError(f"{shop.id} is of kind shop, but no Shop")
    if shop.upload == "png" and (standard or profile):
        option = "--standard" if standard else "--profile"
        what = f"{option} is for PDF, and {shop.name} takes pictures"
        raise ProblemsFound([Problem(shop.place, what, "leave it out, or choose another preset")])
    return shop


def warnings_of(order: ShopOrder, made: Iterable[Made]) -> tuple[Problem, ...]:
    """All warnings, each once: that figures which were used are not confirmed, then those of the games."""
    found = [one.more for one in made]
    used = frozenset[str]().union(*(one.used for one in found))
    idle = {f"products.{product.id}" for product in order.shop.products} - used
    doubts = order.shop.doubts(tuple(name for name in order.shop.unverified if name not in idle))
    warnings = (problem for one in found for problem in one.warnings)
    return tuple(dict.fromkeys([*([doubts] if doubts else []), *warnings]))


def _edition(job: Job, order: ShopOrder, designs: Sequence[Design], edition: str, press: ShopPress) -> ForShop:
    """Write the files of a game in an edition; ProblemsFound where nothing of it can be ordered."""
    workshop, game, shop = job.workshop, job.workshop.game, order.shop
    drawn = partial(workshop.printed, edition, clean=not order.stamp)
    ordered = plan(game, shop, designs, drawn, order.copies)
    if not ordered.runs:
        raise ProblemsFound(_nothing(game, shop, ordered))
    # A selection must not take the place of the whole deck, whose order.txt it would contradict.
    chosen = "-selection" if order.only or order.copies is not None else ""
    folder = order.out / game.id / f"{shop.id}{chosen}.{edition}"
    parts: list[OrderPart] = []
    for run in ordered.runs:
        label = partial(_label, workshop, edition, run.product.name)
        part, made = shop_files(run, shop, game.id, edition, workshop.digest, label)
        parts.append(part)
        for file in made:
            job.progress(f"{game.id}: {folder.name}/{file.name}")
            _write(job, file, folder, edition, shop, press)
    # Without the places: they are paths on this computer, and the files go to others.
    notes = tuple(dict.fromkeys(problem.what for problem in press.problems))
    sheet = OrderSheet(game, shop, edition, tuple(parts), ordered, notes)
    job.files.put(folder / ORDER, sheet.text().encode("utf-8"))
    job.files.put(folder / MANIFEST, sheet.manifest().encode("utf-8"))
    left_out = [out.problem(game) for out in ordered.left_out]
    said = [*left_out, *(Problem(None, f"{game.id}: {note}") for note in ordered.notes)]
    return ForShop(tuple(said), frozenset(f"products.{run.product.id}" for run in ordered.runs))


def _write(job: Job, file: ShopFile, folder: Path, edition: str, shop: Shop, press: ShopPress) -> None:
    workshop, files, lang = job.workshop, job.files, first_language(edition)
    if shop.upload == "png":
        (image,) = page_images(workshop, file.pages, shop.dpi, lang)
        files.put(folder / f"{file.name}.png", png(image, shop.dpi))
        return
    files.put(folder / f"{file.name}.pdf", press.pdf(workshop, _document(workshop.game, file, lang)))
    if shop.previews:
        for number, image in enumerate(page_images(workshop, file.pages, PREVIEW_DPI, lang), 1):
            name = file.name if len(file.pages) == 1 else f"{file.name}-{number}"
            files.put(folder / f"{name}.jpg", jpeg(image, PREVIEW_DPI))


def _document(game: Game, file: ShopFile, lang: str) -> Document:
    subject = game.subject(lang)
    return Document(f"{game.title[lang]} – {file.name}", lang, file.pages, subject=subject, date=game.date)


def _label(workshop: Workshop, edition: str, product: str, face: str, x: float, y: float) -> tuple[Item, ...]:
    game = workshop.game
    text = f"{game.title[first_language(edition)]} · {game.draft} · {edition} · {product} · {face}"
    return workshop.typeset(text, x, y, LABEL_PT, "start", 0.0)


def _nothing(game: Game, shop: Shop, ordered: OrderPlan) -> Iterable[Problem]:
    """Nothing of the game comes out of the order: every reason."""
    for out in ordered.left_out:
        what = f"{game.id}: {out.kind} can't be ordered: {out.why}"
        yield Problem(out.place, what, "choose another preset (pnp presets lists them)")
    if not ordered.left_out:
        what = f"{game.id}: nothing to order at {shop.name}: nothing of it is counted"
        yield Problem(None, what, "print some with --copies 1")
