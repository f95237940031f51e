"""The command `shop`: orders cards as products of a preset, and writes its files in the inks of the shop's press."""

import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import click

from generator.base.display_list import Drawing, Item
from generator.base.errors import Place, Problem, ProblemsFound, join_lines, locate_fault, raise_problems
from generator.base.files import Resources
from generator.base.geometry import Size
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
from generator.game.model import Design, FaceName, Game, Kind
from generator.game.preset_files import find_figure_place, find_preset
from generator.game.presets import Product, Shop, add_bleed
from generator.game.print_pages import Document
from generator.game.project import Project
from generator.production.finish_pdf import REGISTRY, Intent, Standard, finish_pdf
from generator.production.press_colour import PressInks, default_profile
from generator.production.shop_pages import OrderPart, ProductRun, ShopCard, ShopFile, measure_reach, plan_shop_files
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
        """Yield a problem for each requested pair of languages that no template offers; if `strict`, each warning."""
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


_SLACK = 1e-6
_SAME = 0.02
"""Sizes that differ by at most this count as equal (mm): inch and mm figures of one size are rounded."""


@dataclass(frozen=True, slots=True)
class Fit:
    """The product chosen for a card; the card is `turned` by 90 degrees if that fits better.

    `wider` and `higher`: by how much the product exceeds the card at each side edge, and at top and bottom (mm).
    """

    product: Product
    turned: bool
    wider: float
    higher: float

    @property
    def cut_width(self) -> float:
        """Return the widest strip of the card that the shop cuts off at an edge (mm), or 0."""
        return max(0.0, -self.wider, -self.higher)

    @property
    def fill_width(self) -> float:
        """Return the widest strip at an edge that the card's background must fill (mm)."""
        return max(0.0, self.wider, self.higher)

    @property
    def difference(self) -> float:
        """Return the largest difference at an edge (mm)."""
        return max(self.cut_width, self.fill_width)

    @property
    def note(self) -> str:
        """Return the effect of the difference as text, or an empty string if the sizes are equal."""
        said = []
        if self.fill_width > _SAME / 2:
            said.append(f"the ground goes on for up to {self.fill_width:.2f} mm at an edge")
        if self.cut_width > _SAME / 2:
            said.append(f"up to {self.cut_width:.2f} mm are cut off at an edge")
        return "; ".join(said)


def fit_product(size: Size, shop: Shop) -> Fit | None:
    """Return the product nearest to a card of this size, or None if all exceed the shop's tolerance.

    A shop without products makes any size: the product is then the card itself.
    """
    if not shop.products:
        name = f"{size.width:g} x {size.height:g} mm"
        product = Product(name.replace(" ", ""), name, size, add_bleed(size, shop.bleed), shop.safe)
        return Fit(product, False, 0.0, 0.0)
    near = find_nearest_fit(size, shop.products)
    return near if 2 * near.difference <= shop.tolerance + _SLACK else None


def find_nearest_fit(size: Size, products: Sequence[Product]) -> Fit:
    """Return the product that differs least from a size, whatever the tolerance. There must be one."""
    fits = (found for product in products for found in _fit_both_ways(size, product))
    return min(fits, key=lambda found: (found.difference, found.turned))


def _fit_both_ways(size: Size, product: Product) -> Iterator[Fit]:
    for turned, card in ((False, size), (True, size.swap_sides())):
        wider, higher = (product.trim.width - card.width) / 2, (product.trim.height - card.height) / 2
        yield Fit(product, turned, round(wider, 4), round(higher, 4))


UNSAID = 1.0
"""Extending art by up to this much beyond its own bleed (mm) needs no note: the cutter never reaches that far."""

DrawFace = Callable[[Design, FaceName], Drawing | None]


@dataclass(frozen=True, slots=True)
class LeftOutKind:
    """A kind that the shop does not print: its id, its number of pieces, the reason, and its place in the data."""

    kind: str
    count: int
    why: str
    place: Place | None

    def to_problem(self, game: Game) -> Problem:
        """Return it as a warning: the pieces must be made elsewhere."""
        what = f"{game.id}: {self.kind} ({self.count}) is left out: {self.why}"
        return Problem(self.place, what, "print it with pnp sheets, or use another shop")


@dataclass(frozen=True, slots=True)
class OrderPlan:
    """An order: runs, kinds left out, and notes about the effect of the shop's sizes on the cards."""

    runs: tuple[ProductRun, ...]
    left_out: tuple[LeftOutKind, ...]
    notes: tuple[str, ...]


def plan_order(
    game: Game, shop: Shop, designs: Sequence[Design], draw: DrawFace, copies: int | None = None
) -> OrderPlan:
    """Return the runs of the designs with `copies` of each, or their counts. Leave out designs that can't be drawn."""
    runs: dict[str, tuple[Product, list[ShopCard]]] = {}
    left_out: list[LeftOutKind] = []
    notes: list[str] = []
    for kind in game.kinds.values():
        wanted = [d for d in designs if d.kind == kind.id and (d.count if copies is None else copies)]
        if not wanted:
            continue
        found, why = _choose_product(kind, shop)
        if found is None:
            count = sum(d.count if copies is None else copies for d in wanted)
            left_out.append(LeftOutKind(kind.id, count, why, game.places.place("components", kind.id, "size")))
            continue
        notes += _iter_notes(kind, found)
        _, cards = runs.setdefault(found.product.id, (found.product, []))
        for design in wanted:
            front, back = draw(design, "front"), draw(design, "back") if design.back else None
            if front is not None and (back is not None or not design.back):
                count = design.count if copies is None else copies
                cards.append(ShopCard(design.id, count, front, back, found.turned))
    made = tuple(ProductRun(product, tuple(cards)) for product, cards in runs.values() if cards)
    return OrderPlan(made, tuple(left_out), tuple(notes))


def _choose_product(kind: Kind, shop: Shop) -> tuple[Fit | None, str]:
    """Return a kind's product and '', or None and the reason why the shop can't print it."""
    if kind.form not in shop.forms:
        return None, f"{shop.name} prints no {kind.form}s"
    if kind.outline:
        return None, f"its outline is not a rectangle, and {shop.name} cuts only straight"
    found = fit_product(kind.size, shop)
    if found is not None:
        return found, ""
    near = find_nearest_fit(kind.size, shop.products).product
    size = f"{kind.size.width:g} x {kind.size.height:g} mm"
    return None, f"{shop.name} has no product of {size}; the nearest is {near.id}, {_format_size(near)}"


def _format_size(product: Product) -> str:
    return f"{product.trim.width:g} x {product.trim.height:g} mm"


def _iter_notes(kind: Kind, fitting: Fit) -> Iterable[str]:
    product = fitting.product
    if fitting.note:
        size = f"{kind.size.width:g} x {kind.size.height:g} mm"
        yield f"{kind.id}: {size} is printed as {product.id}, {_format_size(product)}: {fitting.note}"
    safe = kind.safe + min(fitting.wider, fitting.higher)
    if safe < product.safe - 0.01:
        yield (
            f"{kind.id}: text may be only {safe:.2f} mm from the cut, but the shop requires {product.safe:g} mm; "
            "raise `safe` of the kind and run pnp validate"
        )
    if kind.bleed < measure_reach(product) + fitting.fill_width - UNSAID:
        yield f"{kind.id}: its bleed is {kind.bleed:g} mm; beyond it the edge of the art is mirrored"


ORDER, MANIFEST = "order.txt", "manifest.json"


@dataclass(frozen=True, slots=True)
class OrderSheet:
    """An order of one game in one language (or two on a card) at one shop."""

    game: Game
    shop: Shop
    edition: str
    parts: tuple[OrderPart, ...]
    plan: OrderPlan
    notes: tuple[str, ...] = ()

    def to_text(self) -> str:
        """Return the order as text for people."""
        return join_lines(self._iter_lines())

    def _iter_lines(self) -> Iterator[str]:
        game, shop = self.game, self.shop
        title = game.title[self.edition.split("+", maxsplit=1)[0]]
        yield ", ".join(filter(None, [f"{title} ({game.id})", f"draft {game.draft}", game.date, self.edition]))
        yield f"for {shop.name} (preset {shop.id}: {shop.source}, {shop.date})"
        yield from _iter_paragraph(
            "Unconfirmed figures: compare them with the shop's own before you pay", shop.unverified
        )
        for part in self.parts:
            yield ""
            product = part.product
            trim, full, pixels = product.trim, product.full, product.pixels
            cut = f"cut to {trim.width:g} x {trim.height:g} mm, with bleed {full.width:g} x {full.height:g} mm"
            dots = f", {pixels[0]} x {pixels[1]} pixels" if pixels else ""
            yield f"{part.copies} x {product.name}: {cut}{dots}"
            for line in part.lines:
                back = line.back.words if line.back else "blank"
                yield f"  {line.card.count:>3} x {line.card.id:<28} front {line.front.words}, back {back}"
        left = [f"{out.kind} ({out.count}): {out.why}" for out in self.plan.left_out]
        yield from _iter_paragraph("Left out, to be made elsewhere", left)
        notes = [*self.plan.notes, *self.notes, *([shop.note] if shop.note else [])]
        yield from _iter_paragraph("Notes", notes)
        yield ""
        yield "Files that are not named here are no part of the order."

    def to_json(self) -> str:
        """Return the order as JSON for programs."""
        game, shop = self.game, self.shop
        preset = {"id": shop.id, "name": shop.name, "source": shop.source, "date": shop.date}
        data = {
            "format": 1, "game": game.id, "draft": game.draft, "date": game.date, "language": self.edition,
            "preset": preset | {"unverified": list(shop.unverified)},
            "parts": [part.to_data() for part in self.parts],
            "left_out": [{"kind": out.kind, "count": out.count, "why": out.why} for out in self.plan.left_out],
            "notes": [*self.plan.notes, *self.notes],
        }  # fmt: skip
        return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


def _iter_paragraph(title: str, lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield ""
        yield f"{title}:"
        yield from (f"  {line}" for line in lines)


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
