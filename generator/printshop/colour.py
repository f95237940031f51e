"""Paints and pictures for printing in a press's inks by its colour profile.

A palette entry's own CMYK and spot ink come first; what has none is converted, greys to black ink alone.
"""

from pathlib import Path

from PIL import Image

from generator.errors import Place, Problem
from generator.load.project import bundled_root
from generator.model.colour import rgb_of
from generator.model.drawing import Paint, Role
from generator.model.game import Colour, Game
from generator.model.ink import EVERY_PLATE, REGISTRATION, Bitmap, Cmyk, Ink, Overprint
from generator.printshop.ink_limit import coverage, limit_bitmap, limit_inks
from generator.printshop.press_profile import PressProfile
from generator.writers.grey_inks import bitmap_from, is_grey, pixels

DEFAULT_PROFILE = "FOGRA39L_coated.icc"
"""The profile that comes with the program: coated paper, ISO 12647-2."""

_TYPE_LIMIT, _DARK = 200.0, 0.5
"""Percent of ink that dark type takes at most, and the black from which it counts as dark: the fewer plates must meet,
the less colour shows at its edges."""
_BLACK, _TINT = 0.85, 0.3
"""Black from which, and difference of the other three up to which, type is as good as black."""

_LOSS = 8.0  # percent of ink that packing a picture as JPEG adds at most, measured on noise
_SOLID_BLACK: Cmyk = (0.0, 0.0, 0.0, 1.0)
_ALL_PLATES: Cmyk = (1.0, 1.0, 1.0, 1.0)


def press_inks(game: Game, profile: Path | None = None, spots: bool = True, limit: float | None = None) -> "PressInks":
    """The inks of a game on a press.

    `profile` is its ICC file, FOGRA39 on coated paper if none is named. Without `spots` spot inks are printed in their
    process colours. `limit` is how much ink one spot may take, percent, at least 100. ProblemsFound when the profile is
    none for a press.
    """
    return PressInks(game, PressProfile(profile or default_profile()), spots, limit)


def default_profile() -> Path:
    """Where the profile that comes with the program lies."""
    return bundled_root() / "profiles" / DEFAULT_PROFILE


class PressInks:
    """The inks of a game on a press.

    `problems` are the palette's stated inks that are more than the paper takes, known from the beginning; such a paint
    is printed within the limit all the same. `notes` say what had to be changed on the way.
    """

    keeps_pictures = False
    overprints: Overprint = "plates"

    def __init__(self, game: Game, profile: PressProfile, spots: bool, limit: float | None):
        if limit is not None and limit < 100:
            raise ValueError(f"an ink limit of {limit:g} % leaves no room for black")
        self._game, self._spots = game, spots
        self._limit = 400.0 if limit is None else limit
        self._notes: dict[str, Problem] = {}
        self._known: dict[tuple[Paint, bool], Ink] = {}
        self.profile = profile
        self.problems = tuple(self._too_much())

    @property
    def notes(self) -> tuple[Problem, ...]:
        """What was changed so far so that press and paper can print it: paints and pictures by name."""
        return tuple(self._notes.values())

    def ink(self, paint: Paint, role: Role) -> Ink:
        """A paint in the press's inks; marks in the paint REGISTRATION are on every plate.

        In dark type black takes over from the other three, unless the palette states the inks.
        """
        if paint == REGISTRATION and role == "mark":
            return Ink("spot", (1.0,), EVERY_PLATE, _ALL_PLATES)
        key = paint, role == "text"
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._resolve(paint, of_type=role == "text")
        return found

    def bitmap(self, bitmap: Bitmap) -> Bitmap:
        """A picture in the four inks, or in black alone if it has no colour."""
        image = pixels(bitmap)
        if is_grey(image):
            grey = image.getchannel(0).point([round(255 * (1 - self.profile.black(v / 255))) for v in range(256)])
            return bitmap_from(grey, bitmap.alpha, bitmap)
        if image.mode != "CMYK":
            image = self.profile.bitmap(image)
        return bitmap_from(self._within(image, bitmap), bitmap.alpha, bitmap)

    def within(self, image: Image.Image) -> Image.Image:
        """A picture in four inks within the limit."""
        return limit_bitmap(image, self._limit) if coverage(image) > self._limit else image

    def _within(self, image: Image.Image, bitmap: Bitmap) -> Image.Image:
        """The separated picture within the limit, and so much below it that packing it leaves it there."""
        most, changed = coverage(image), bitmap.space != "cmyk"
        below = max(100.0, self._limit - _LOSS) if bitmap.lossy else self._limit
        if most > self._limit:
            self._note(bitmap.name, f"it takes {most:.0f} % ink, and the limit is {self._limit:g} %: black took over")
        if most > (below if changed else self._limit):
            return limit_bitmap(image, below)
        return image

    def _resolve(self, paint: Paint, *, of_type: bool) -> Ink:
        colour = Colour(paint) if paint.startswith("#") else self._game.palette[paint]
        inks = self._process(paint, colour)
        if colour.spot and self._spots:
            return Ink("spot", (1.0,), colour.spot, limit_inks(inks, self._limit))
        if colour.spot:
            what = f"'{paint}' is printed in the four inks, for '{colour.spot}' has no plate there"
            hint = "a preset of yours with `spots: true` keeps it, if the shop does"
            self._notes.setdefault(f"{paint} {what}", Problem(colour.place, what, hint))
        total = 100 * sum(inks)
        if total > self._limit:
            inks = limit_inks(inks, self._limit)
            if not colour.cmyk:  # else it is one of `problems`
                what = f"'{paint}' takes {total:.0f} % ink, and the limit is {self._limit:g} %: black took over"
                self._notes.setdefault(paint, Problem(colour.place, what, "a palette entry's `cmyk:` says it exactly"))
        if of_type and not colour.cmyk and inks[3] >= _DARK:
            inks = _nearly_black(limit_inks(inks, min(_TYPE_LIMIT, self._limit)))
        return Ink("cmyk", inks, overprint=paint == "ink")

    def _process(self, paint: Paint, colour: Colour) -> Cmyk:
        if paint == "ink":
            return _SOLID_BLACK
        if colour.cmyk:
            cyan, magenta, yellow, black = colour.cmyk
            return (cyan / 100, magenta / 100, yellow / 100, black / 100)
        rgb = rgb_of(colour.srgb)
        if rgb[0] == rgb[1] == rgb[2]:
            return (0.0, 0.0, 0.0, self.profile.black(rgb[0]))
        return self.profile.inks(rgb)

    def _too_much(self) -> list[Problem]:
        found = []
        for name, colour in self._game.palette.items():
            total = sum(colour.cmyk or ())
            if total > self._limit and name != "ink":
                what = f"'{name}' takes {total:g} % ink, and the press's limit is {self._limit:g} %"
                found.append(Problem(colour.place, what, "let `cmyk:` have more black and less of the other three"))
        return found

    def _note(self, name: str, what: str, hint: str = "") -> None:
        self._notes.setdefault(f"{name} {what}", Problem(Place(name), what, hint))


def _nearly_black(inks: Cmyk) -> Cmyk:
    """Dark type that is hardly coloured in black ink alone: plates that don't meet show more than the tint."""
    colours, black = inks[:3], inks[3]
    return (0.0, 0.0, 0.0, black) if black >= _BLACK and max(colours) - min(colours) <= _TINT else inks
