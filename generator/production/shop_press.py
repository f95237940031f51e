"""A shop's printing condition at work: whose profile gives the inks, and what the file says it is made for."""

import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from generator.draw.workshop import Workshop
from generator.errors import Problem, ProblemsFound, Unfit
from generator.load.presets import figure_place
from generator.model.game import Game
from generator.model.preset import Shop
from generator.model.resources import Resources
from generator.model.sheet import Document
from generator.production.colour import DEFAULT_PROFILE, PressInks, default_profile, press_inks
from generator.production.standards import Intent, Standard, finished

OWN_CONDITION = "FOGRA39"
"""What the profile that comes with the program is called in the registry."""


@dataclass(frozen=True, slots=True)
class ShopPress:
    """How the PDFs of one game are made for a shop; without `inks` in screen colours, without `standard` as they are.

    `problems` grow while documents are written: paints and pictures with more ink than the shop takes, and a profile
    that only stands in for the shop's. None of them stops the work.
    """

    inks: PressInks | None
    standard: Standard | None
    intent: Intent | None
    stand_in: Problem | None

    @property
    def problems(self) -> Iterator[Problem]:
        """What the user should know, so far."""
        if self.stand_in is not None:
            yield self.stand_in
        if self.inks is not None:
            yield from self.inks.problems
            yield from self.inks.notes

    def pdf(self, workshop: Workshop, document: Document) -> bytes:
        """The document as the shop wants it; ProblemsFound when the standard forbids what was asked for."""
        out = io.BytesIO()
        workshop.write(document, out, self.inks)
        if self.standard is None or self.intent is None:
            return out.getvalue()
        try:
            return finished(out.getvalue(), self.standard, self.intent)
        except Unfit as mistake:
            raise ProblemsFound([Problem(None, str(mistake), mistake.hint)]) from mistake


def shop_press(
    game: Game, shop: Shop, resources: Resources, standard: Standard | None, profile: Path | None
) -> ShopPress:
    """The press of a shop: by the user's `profile`, else by the preset's, else by FOGRA39 with a warning.

    ProblemsFound for a profile that is none, or that the preset names and nobody has.
    """
    if shop.colour == "rgb" and standard is None:
        return ShopPress(None, None, None, None)
    path = profile or _own_profile(shop, resources)
    stands_in = path is None
    path = path or default_profile()
    inks = press_inks(game, path, shop.spots, shop.ink_limit, flat=standard == "pdfx1a")
    warning = _stand_in(shop) if stands_in else None
    intent = None
    if standard is not None:
        condition = shop.condition or inks.profile.name
        registry = shop.registry if shop.condition else ""
        data: bytes | None = inks.profile.data
        if stands_in and shop.condition and standard == "pdfx1a":
            data = None  # the registry's name says it; our stand-in is no profile of that condition
        elif stands_in:
            condition, registry = OWN_CONDITION, shop.registry
        intent = Intent(condition, data, registry)
    return ShopPress(inks, standard, intent, warning)


def _own_profile(shop: Shop, resources: Resources) -> Path | None:
    if not shop.profile:
        return None
    path = resources.find("profiles", shop.profile)
    if path is None:
        what = f"the preset {shop.id} names the profile '{shop.profile}', which is not in profiles/"
        place = figure_place(resources, shop, "profile")
        raise ProblemsFound([Problem(place, what, "put it there, or name yours with --profile FILE.icc")])
    return path


def _stand_in(shop: Shop) -> Problem:
    asked = f"for {shop.condition}" if shop.condition else "for no certain press"
    what = f"{shop.name} prints {asked}; colours were made by {DEFAULT_PROFILE} instead"
    return Problem(shop.place, what, "give the shop's own profile with --profile FILE.icc")
