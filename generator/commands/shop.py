"""From the project to a print shop: for each game and language the files that the shop's preset asks for."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from generator.commands.every_game import load_games, make_files
from generator.commands.printing import Order, Progress, editions_of, idle_options, unmade_editions
from generator.delivery import Delivery
from generator.errors import Problem, ProblemsFound
from generator.faces.workshop import Workshop
from generator.load.presets import find_preset
from generator.load.project import Project
from generator.model.drawing import Drawing, Item
from generator.model.edition import first_language, second_language
from generator.model.game import Design, FaceName, Game
from generator.model.preset import Shop
from generator.model.sheet import Document
from generator.model.subject import subject_of
from generator.printshop.order_sheet import MANIFEST, ORDER, OrderPart, OrderSheet
from generator.printshop.raster import jpeg, page_images, png
from generator.printshop.runs import OrderPlan, plan
from generator.printshop.shop_files import ShopFile, shop_files
from generator.printshop.shop_press import ShopPress, shop_press
from generator.printshop.standards import Standard
from generator.sheets.order import chosen_designs

PREVIEW_DPI = 150.0
"""Of the pictures that go with a shop's PDFs: enough to see what is what."""

LABEL_PT = 5.0


@dataclass(frozen=True, slots=True)
class ShopOrder:
    """What is ordered: the preset's id, and of the games what `order` says (languages, folder, ids, copies).

    `standard` and `profile` take the place of the preset's; `stamp` puts draft and hash on the faces; `strict` lets
    warnings stop the work.
    """

    preset: str
    order: Order
    standard: Standard | None = None
    profile: Path | None = None
    stamp: bool = False
    strict: bool = False


@dataclass(frozen=True, slots=True)
class Shopped:
    """The files, and what the user should know though nothing was stopped by it."""

    files: tuple[Path, ...]
    warnings: tuple[Problem, ...]


@dataclass(slots=True)
class _Counter:
    """Takes the orders of all games to one shop; `warnings`, `made` editions and `used` figures grow."""

    project: Project
    shop: Shop
    asked: ShopOrder
    progress: Progress
    warnings: list[Problem] = field(default_factory=list)
    made: set[str] = field(default_factory=set)
    used: set[str] = field(default_factory=set)

    def take(self, workshop: Workshop, files: Delivery) -> None:
        """Write everything of one game; ProblemsFound with all that stops it."""
        game, order = workshop.game, self.asked.order
        designs = chosen_designs(game, order.only)
        editions = editions_of(game, order.languages) if designs else ()
        if not editions:
            return
        self.progress(f"{game.id}: faces ({', '.join(editions)})")
        printed = [design for design in designs if game.kinds[design.kind].form in self.shop.forms]
        workshop.draw_all(printed, editions)
        if workshop.problems:
            raise ProblemsFound(workshop.problems)
        standard = self.asked.standard or self.shop.standard or None
        press = shop_press(game, self.shop, self.project.resources, standard, self.asked.profile)
        for edition in editions:
            if not second_language(edition) or workshop.offers(edition):
                self._edition(workshop, designs, edition, press, files)
        self.warnings += press.problems

    def _edition(
        self, workshop: Workshop, designs: Sequence[Design], edition: str, press: ShopPress, files: Delivery
    ) -> None:
        game, shop, order = workshop.game, self.shop, self.asked.order
        ordered = plan(game, shop, designs, partial(self._face, workshop, edition), order.copies)
        if not ordered.runs:
            raise ProblemsFound(_nothing(game, shop, ordered))
        # A selection must not take the place of the whole deck, whose order.txt it would contradict.
        chosen = "" if order.file == "sheets" else f"-{order.file}"
        folder = order.out / game.id / f"{shop.id}{chosen}.{edition}"
        parts: list[OrderPart] = []
        for run in ordered.runs:
            label = partial(_label, workshop, edition, run.product.name)
            part, made = shop_files(run, shop, game.id, edition, workshop.digest, label)
            parts.append(part)
            self.used.add(f"products.{run.product.id}")
            for file in made:
                self.progress(f"{game.id}: {folder.name}/{file.name}")
                self._write(workshop, file, folder, edition, press, files)
        # Without the places: they are paths on this computer, and the files go to others.
        notes = tuple(dict.fromkeys(problem.what for problem in press.problems))
        sheet = OrderSheet(game, shop, edition, tuple(parts), ordered, notes)
        files.put(folder / ORDER, sheet.text().encode("utf-8"))
        files.put(folder / MANIFEST, sheet.manifest().encode("utf-8"))
        self.made.add(edition)
        left_out = [out.problem(game) for out in ordered.left_out]
        self.warnings += [*left_out, *(Problem(None, f"{game.id}: {note}") for note in ordered.notes)]

    def _write(
        self, workshop: Workshop, file: ShopFile, folder: Path, edition: str, press: ShopPress, files: Delivery
    ) -> None:
        shop, lang = self.shop, first_language(edition)
        if shop.upload == "png":
            (image,) = page_images(workshop, file.pages, shop.dpi, lang)
            files.put(folder / f"{file.name}.png", png(image, shop.dpi))
            return
        document = _document(workshop.game, file, lang)
        files.put(folder / f"{file.name}.pdf", press.pdf(workshop, document))
        if shop.previews:
            for number, image in enumerate(page_images(workshop, file.pages, PREVIEW_DPI, lang), 1):
                name = file.name if len(file.pages) == 1 else f"{file.name}-{number}"
                files.put(folder / f"{name}.jpg", jpeg(image, PREVIEW_DPI))

    def _face(self, workshop: Workshop, edition: str, design: Design, face: FaceName) -> Drawing | None:
        return workshop.printed(edition, design, face) if self.asked.stamp else workshop.face(design, face, edition)

    def said(self) -> tuple[Problem, ...]:
        """All warnings, each once: that figures which were used are not confirmed, then those of the games."""
        products = {f"products.{product.id}" for product in self.shop.products}
        idle = products - self.used
        doubts = self.shop.doubts(tuple(name for name in self.shop.unverified if name not in idle))
        return tuple(dict.fromkeys([*([doubts] if doubts else []), *self.warnings]))


def shop_orders(project: Project, names: tuple[str, ...], asked: ShopOrder, progress: Progress) -> Shopped:
    """Write the files of the order for every game; ProblemsFound with everything wrong, and then nothing is written."""
    shop = find_preset(project.resources, asked.preset, "shop")
    if not isinstance(shop, Shop):
        raise TypeError(f"{shop.id} is of kind shop, but no Shop")
    if shop.upload == "png" and (asked.standard or asked.profile):
        option = "--standard" if asked.standard else "--profile"
        what = f"{option} is for PDF, and {shop.name} takes pictures"
        raise ProblemsFound([Problem(shop.place, what, "leave it out, or choose another preset")])
    games, problems = load_games(project, names)
    counter = _Counter(project, shop, asked, progress)

    def finish() -> Iterable[Problem]:
        progress("")
        unmade = unmade_editions(games, asked.order, frozenset(counter.made))
        return [*unmade, *(counter.said() if asked.strict else ())]

    found = [*problems, *idle_options(games, asked.order)]
    files = make_files(project, games, found, counter.take, finish)
    return Shopped(files, counter.said())


def _document(game: Game, file: ShopFile, lang: str) -> Document:
    subject = subject_of(game, lang)
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
