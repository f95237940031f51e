"""A shop's printing condition at work: whose profile gives the inks, and what the file says it is made for."""

import io
from collections.abc import Iterator
from pathlib import Path

from generator.dataclass import dataclass
from generator.errors import Problem, ProblemsFound, Unfit
from generator.faces.workshop import Workshop
from generator.load.presets import figure_place
from generator.model.game import Game
from generator.model.preset import Shop
from generator.model.resources import Resources
from generator.model.sheet import Document
from generator.printshop.colour import PressInks, default_profile, press_inks
from generator.printshop.effects import document_on_screen
from generator.printshop.flattening import Flattening
from generator.printshop.standards import REGISTRY, Intent, Standard, finish_pdf


@dataclass(frozen=True, slots=True)
class ShopPress:
    """How the PDFs of one game are made for a shop; without `inks` in screen colours, without `standard` as they are.

    `problems` grow while documents are written: paints and pictures with more ink than the shop takes, and inks that
    are for `another` press than the shop's. None of them stops the work.
    """

    inks: PressInks | None
    standard: Standard | None
    intent: Intent | None
    another: Problem | None

    @property
    def problems(self) -> Iterator[Problem]:
        """What the user should know, so far."""
        if self.another is not None:
            yield self.another
        if self.inks is not None:
            yield from self.inks.problems
            yield from self.inks.notes

    def pdf(self, workshop: Workshop, document: Document) -> bytes:
        """The document as the shop wants it; ProblemsFound when the standard forbids what was asked for."""
        out = io.BytesIO()
        if self.standard == "pdfx1a" and self.inks is not None:
            flattening = Flattening(workshop.write, self.inks, workshop.artist.render)
            workshop.write(flattening.document(document), out, self.inks, flattening.made)
        elif self.inks is not None:
            workshop.write(document_on_screen(document, workshop.artist.render), out, self.inks)
        else:
            workshop.write(document, out)
        if self.standard is None or self.intent is None:
            return out.getvalue()
        try:
            return finish_pdf(out.getvalue(), self.standard, self.intent)
        except Unfit as mistake:
            raise ProblemsFound([Problem(None, str(mistake), mistake.hint)]) from mistake


def shop_press(
    game: Game, shop: Shop, resources: Resources, standard: Standard | None, profile: Path | None
) -> ShopPress:
    """The press of a shop: by the user's `profile`, else by the preset's, else by FOGRA39.

    What the files say they are made for is what their inks were made for: where that is not what the shop prints for,
    they say so all the same, and a warning does. ProblemsFound for a profile that is none, or that the preset names
    and nobody has.
    """
    if shop.colour == "rgb" and standard is None:
        return ShopPress(None, None, None, None)
    own = None if profile else _own_profile(shop, resources)
    path = profile or own or default_profile()
    inks = press_inks(game, path, shop.spots, shop.ink_limit)
    # A preset that names a condition together with a profile says what an unknown profile is for.
    made_for = inks.profile.condition or (shop.condition if own else "")
    intent = None
    if standard is not None:
        registry = shop.registry if made_for == shop.condition else REGISTRY
        intent = Intent(made_for or inks.profile.name, inks.profile.data, registry if made_for else "")
    if made_for == shop.condition or ((profile or own) and not shop.condition):
        return ShopPress(inks, standard, intent, None)
    return ShopPress(inks, standard, intent, _another(shop, path, intent))


def _own_profile(shop: Shop, resources: Resources) -> Path | None:
    if not shop.profile:
        return None
    path = resources.find("profiles", shop.profile)
    if path is None:
        what = f"the preset {shop.id} names the profile '{shop.profile}', which is not in profiles/"
        place = figure_place(resources, shop, "profile")
        raise ProblemsFound([Problem(place, what, "put it there, or name yours with --profile FILE.icc")])
    return path


def _another(shop: Shop, path: Path, intent: Intent | None) -> Problem:
    asked = f"for {shop.condition}" if shop.condition else "for no certain press"
    what = f"{shop.name} prints {asked}; colours were made by {path.name} instead"
    if intent is not None:
        what += f", and the files say so: {intent.condition}"
    return Problem(shop.place, what, "give the shop's own profile with --profile FILE.icc")
