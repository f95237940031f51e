"""Press colour: paints and pictures in a press's inks by its ICC profile, within the ink limit."""

import io
import re
from bisect import bisect_left
from functools import cached_property
from pathlib import Path
from typing import Any

from PIL import Image, ImageCms, ImageMath

from generator.base.colour import (
    EVERY_PLATE,
    REGISTRATION,
    Bitmap,
    Cmyk,
    Ink,
    Overprint,
    Rgb,
    lightness_from_luminance,
    linear_from_srgb,
    luminance_from_lightness,
    rgb_from_hex,
)
from generator.base.display_list import Paint, Role
from generator.base.errors import InvalidInput, Place, Problem, ProblemsFound
from generator.base.files import read_file
from generator.drawing.pdf.pdf_pictures import is_grey, remove_transparency, replace_pixels
from generator.game.model import Colour, Game
from generator.game.project import find_bundled_root

_INTENT = ImageCms.Intent.RELATIVE_COLORIMETRIC
_FULL = 255  # largest value of a bitmap's channel

_CONDITIONS = (
    (r"fogra ?(\d\d)", r"FOGRA\1"), (r"iso coated v2", "FOGRA39"), (r"pso coated v3", "FOGRA51"),
    (r"pso uncoated v3", "FOGRA52"), (r"japan color 2001 coated|jc200103", "JC200103"),
    (r"japan color 2001 uncoated|jc200104", "JC200104"), (r"japan color 2011 coated|jc201103", "JC201103"),
    (r"u\.?s\.? web coated \(swop\) v2", "CGATS TR 001"), (r"gracol ?2006", "CGATS TR 006"),
    (r"tr ?(00\d)", r"CGATS TR \1"),
)  # fmt: skip
"""Patterns found in the names of ICC profiles, and the ICC registry's name of each printing condition."""


class PressProfile:
    """The ICC profile of a four-colour press. `data` are its bytes, `name` is its own name.

    Colours are converted relative to the paper's white, and black becomes the press's darkest black (relative
    colorimetric with black point compensation). Raises ProblemsFound for a file that is no such profile.
    """

    def __init__(self, path: Path):
        self._place = Place(path.as_posix())
        try:
            self.data = read_file(path, "profile")
        except InvalidInput as unfit:
            raise self._make_refusal(str(unfit)) from unfit
        said = int.from_bytes(self.data[:4], "big")
        if self.data[36:40] == b"acsp" and said > len(self.data):
            raise self._make_refusal(f"this colour profile is cut short: {len(self.data)} of {said} bytes are there")
        try:
            opened = ImageCms.getOpenProfile(io.BytesIO(self.data))
        except (ImageCms.PyCMSError, OSError) as mistake:
            raise self._make_refusal("this is not an ICC colour profile") from mistake
        space, use = opened.profile.xcolor_space.strip(), opened.profile.device_class.strip()
        if (space, use) != ("CMYK", "prtr"):
            raise self._make_refusal(
                f"this colour profile is for {space} ({use}), not for a press with four inks (prtr)"
            )
        self.name = (opened.profile.profile_description or path.stem).strip()
        self._profile = opened
        try:
            self._transform = ImageCms.buildTransform(
                ImageCms.createProfile("sRGB"), opened, "RGB", "CMYK", _INTENT, ImageCms.Flags.BLACKPOINTCOMPENSATION
            )
        except ImageCms.PyCMSError as mistake:
            raise self._make_refusal("this colour profile doesn't say which inks give a colour") from mistake

    def convert_bitmap(self, rgb: Image.Image) -> Image.Image:
        """Return an sRGB bitmap in the press's four inks."""
        converted = ImageCms.applyTransform(rgb, self._transform)
        if converted is None:
            raise AssertionError("only a conversion in place gives nothing back")
        return converted

    def convert_colour(self, colour: Rgb) -> Cmyk:
        """Return the inks of a colour."""
        red, green, blue = (round(value * _FULL) for value in colour)
        values = self.convert_bitmap(Image.new("RGB", (1, 1), (red, green, blue))).tobytes()
        return (values[0] / _FULL, values[1] / _FULL, values[2] / _FULL, values[3] / _FULL)

    def black_from_grey(self, grey: float) -> float:
        """Return the amount of black ink (0..1) that looks like a grey of sRGB (0 black to 1 white)."""
        darkest = luminance_from_lightness(-self._darkness[-1])
        wanted = -lightness_from_luminance(darkest + (1 - darkest) * linear_from_srgb(grey))
        at = bisect_left(self._darkness, wanted)
        if at in (0, len(self._darkness)):
            return min(1.0, at / _FULL)
        before, after = self._darkness[at - 1], self._darkness[at]
        return (at - 1 + (wanted - before) / (after - before)) / _FULL

    @property
    def condition(self) -> str:
        """Return the printing condition named in the profile as the ICC registry calls it; empty if unknown."""
        name = self.name.casefold().replace("_", " ")
        found = ((re.search(words, name), condition) for words, condition in _CONDITIONS)
        return next((match.expand(condition) for match, condition in found if match), "")

    @cached_property
    def _darkness(self) -> list[float]:
        """Return for each of 256 steps of black ink its printed lightness, times -1, so that the values never fall."""
        steps = Image.frombytes("CMYK", (_FULL + 1, 1), b"".join(bytes((0, 0, 0, k)) for k in range(_FULL + 1)))
        transform = ImageCms.buildTransform(self._profile, ImageCms.createProfile("LAB"), "CMYK", "LAB", _INTENT)
        seen = ImageCms.applyTransform(steps, transform)
        if seen is None:
            raise AssertionError("only a conversion in place gives nothing back")
        found, reached = [], -100.0
        for light in seen.getchannel("L").tobytes():
            reached = max(reached, -100 * light / _FULL)
            found.append(reached)
        return found

    def _make_refusal(self, what: str) -> ProblemsFound:
        return ProblemsFound([Problem(self._place, what, "name the .icc file that the print shop gives for its press")])


_TAKEN = 0.5
"""Black ink that replaces one unit each of cyan, magenta and yellow.

On coated paper dark colours stay closest with a half: more makes them blacker, zero makes them brown.
"""


def limit_inks(inks: Cmyk, limit: float) -> Cmyk:
    """Return the inks with at most `limit` percent: first black replaces grey, then colours are reduced.

    The limit is at least 100, because black is never reduced.
    """
    cyan, magenta, yellow, black = inks
    excess = sum(inks) - limit / 100
    if excess <= 0:
        return inks
    grey = max(0.0, min(cyan, magenta, yellow, (1 - black) / _TAKEN, excess / (3 - _TAKEN)))
    cyan, magenta, yellow, black = cyan - grey, magenta - grey, yellow - grey, black + _TAKEN * grey
    colours = cyan + magenta + yellow
    thinner = min(1.0, (limit / 100 - black) / colours) if colours else 1.0
    return (cyan * thinner, magenta * thinner, yellow * thinner, black)


def measure_coverage(bitmap: Image.Image) -> float:
    """Return the largest ink sum of any pixel of a CMYK bitmap (percent)."""
    bands = dict(zip("cmyk", bitmap.split(), strict=True))
    total = ImageMath.lambda_eval(lambda of: of["c"] + of["m"] + of["y"] + of["k"], **bands)
    return float(total.getextrema()[1]) / _FULL * 100


def limit_bitmap(bitmap: Image.Image, limit: float) -> Image.Image:
    """Return a CMYK bitmap with at most `limit` percent on any pixel, as in `limit_inks`, rounded down."""
    most = limit / 100 * _FULL
    bands = dict(zip("cmyk", bitmap.split(), strict=True))
    grey = ImageMath.lambda_eval(lambda of: _find_grey(of, most), **bands)
    thinner = ImageMath.lambda_eval(lambda of: _find_thinning(of, most), grey=grey, **bands)
    parts = [
        ImageMath.lambda_eval(
            lambda of: of["convert"](of["int"]((of["float"](of["ink"]) - of["grey"]) * of["thinner"]), "L"),
            ink=bands[name],
            grey=grey,
            thinner=thinner,
        )
        for name in "cmy"
    ]
    black = ImageMath.lambda_eval(
        lambda of: of["convert"](of["int"](of["float"](of["k"]) + of["grey"] * _TAKEN), "L"), grey=grey, **bands
    )
    return Image.merge("CMYK", (*parts, black))


def _find_grey(operations: dict[str, Any], most: float) -> Any:
    """Return how much of each colour black replaces per pixel (0..255); `operations`: inks by letter, and functions."""
    cyan, magenta, yellow, black = (operations["float"](operations[name]) for name in "cmyk")
    least, excess = operations["min"], cyan + magenta + yellow + black - most
    grey = least(least(least(cyan, magenta), yellow), least((_FULL - black) / _TAKEN, excess / (3 - _TAKEN)))
    return operations["max"](grey, 0)


def _find_thinning(operations: dict[str, Any], most: float) -> Any:
    """Return for each pixel the factor (at most 1) for its colours less `grey` that makes the sum of inks `most`."""
    colours = operations["float"](operations["c"]) + operations["m"] + operations["y"] - operations["grey"] * 3
    black = operations["float"](operations["k"]) + operations["grey"] * _TAKEN
    return operations["min"]((most - black) / operations["max"](colours, 1), 1)


# A palette entry's own CMYK and spot ink come first; other colours are converted, greys to black ink alone.

DEFAULT_PROFILE = "FOGRA39L_coated.icc"
"""The bundled profile: coated paper, ISO 12647-2."""

_TYPE_LIMIT, _DARK = 200.0, 0.5
"""Ink limit of dark type (percent), and the black from which type counts as dark.

Fewer plates show less colour at the edges of type.
"""
_BLACK, _TINT = 0.85, 0.3
"""To count as black, type needs at least this much black, and other inks that differ by at most this much."""

_LOSS = 8.0  # largest ink in percent that JPEG compression adds, measured on noise
_SOLID_BLACK: Cmyk = (0.0, 0.0, 0.0, 1.0)
_ALL_PLATES: Cmyk = (1.0, 1.0, 1.0, 1.0)


def default_profile() -> Path:
    """Return the path of the bundled profile."""
    return find_bundled_root() / "profiles" / DEFAULT_PROFILE


class PressInks:
    """Converts the paints and pictures of a game to the inks of a press.

    `profile` is the press's ICC file, by default FOGRA39 on coated paper. Without `spots`, spot inks are printed in
    their process colours. `limit` is the most ink at any point in percent, at least 100. Raises ProblemsFound if the
    profile is not for a press.

    `problems` lists palette colours whose stated inks exceed the limit; these are printed within the limit anyway.
    `notes` lists paints and pictures changed later, while pages are written.
    """

    keeps_pictures = False
    overprints: Overprint = "plates"

    def __init__(self, game: Game, profile: Path | None = None, spots: bool = True, limit: float | None = None):
        if limit is not None and limit < 100:
            raise ValueError(f"an ink limit of {limit:g} % leaves no room for black")
        self._game, self._spots = game, spots
        self._limit = 400.0 if limit is None else limit
        self._notes: dict[str, Problem] = {}
        self._known: dict[tuple[Paint, bool], Ink] = {}
        self.profile = PressProfile(profile or default_profile())
        found = []
        for name, colour in self._game.palette.items():
            total = sum(colour.cmyk or ())
            if total > self._limit and name != "ink":
                what = f"'{name}' takes {total:g} % ink, but the press's limit is {self._limit:g} %"
                found.append(Problem(colour.place, what, "in `cmyk:`, use more black and less of the other inks"))
        self.problems = tuple(found)

    @property
    def notes(self) -> tuple[Problem, ...]:
        """Return a note for each paint or picture that was changed so far to fit the press's ink limit."""
        return tuple(self._notes.values())

    def ink(self, paint: Paint, role: Role) -> Ink:
        """Return a paint in the press's inks. The paint REGISTRATION in the role `mark` is on every plate.

        In dark `text` black replaces the other three inks, unless the palette states them.
        """
        if paint == REGISTRATION and role == "mark":
            return Ink("spot", (1.0,), EVERY_PLATE, _ALL_PLATES)
        key = paint, role == "text"
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._resolve_paint(paint, of_type=role == "text")
        return found

    def bitmap(self, bitmap: Bitmap) -> Bitmap:
        """Return a picture in the four inks, or in black alone if it has no colour."""
        image = remove_transparency(bitmap)
        if is_grey(image):
            grey = image.getchannel(0).point(
                [round(255 * (1 - self.profile.black_from_grey(v / 255))) for v in range(256)]
            )
            return replace_pixels(grey, bitmap.alpha, bitmap)
        if image.mode != "CMYK":
            image = self.profile.convert_bitmap(image)
        return replace_pixels(self._limit_separated(image, bitmap), bitmap.alpha, bitmap)

    def limit_image(self, image: Image.Image) -> Image.Image:
        """Return a four-ink picture within the limit."""
        return limit_bitmap(image, self._limit) if measure_coverage(image) > self._limit else image

    def _limit_separated(self, image: Image.Image, bitmap: Bitmap) -> Image.Image:
        """Return a picture, made from `bitmap`, within the limit; a JPEG well within it, since compression adds ink."""
        most, changed = measure_coverage(image), bitmap.space != "cmyk"
        below = max(100.0, self._limit - _LOSS) if bitmap.lossy else self._limit
        if most > self._limit:
            what = f"it takes {most:.0f} % ink, but the limit is {self._limit:g} %: pnp replaced colour with black"
            self._notes.setdefault(f"{bitmap.name} {what}", Problem(Place(bitmap.name), what, ""))
        if most > (below if changed else self._limit):
            return limit_bitmap(image, below)
        return image

    def _resolve_paint(self, paint: Paint, *, of_type: bool) -> Ink:
        colour = Colour(paint) if paint.startswith("#") else self._game.palette[paint]
        inks = self._find_process_inks(paint, colour)
        if colour.spot and self._spots:
            return Ink("spot", (1.0,), colour.spot, limit_inks(inks, self._limit))
        if colour.spot:
            what = f"'{paint}' is printed in the four inks, because the shop has no plate for '{colour.spot}'"
            hint = "to keep it, use your own preset with `spots: true` if the shop prints it"
            self._notes.setdefault(f"{paint} {what}", Problem(colour.place, what, hint))
        total = 100 * sum(inks)
        if total > self._limit:
            inks = limit_inks(inks, self._limit)
            if not colour.cmyk:  # otherwise it is in `problems`
                what = f"'{paint}' takes {total:.0f} % ink, but the limit is {self._limit:g} %"
                what += ": pnp replaced colour with black"
                self._notes.setdefault(paint, Problem(colour.place, what, "set its inks with `cmyk:` in the palette"))
        if of_type and not colour.cmyk and inks[3] >= _DARK:
            inks = limit_inks(inks, min(_TYPE_LIMIT, self._limit))
            colours, black = inks[:3], inks[3]
            inks = (0.0, 0.0, 0.0, black) if black >= _BLACK and max(colours) - min(colours) <= _TINT else inks
        return Ink("cmyk", inks, overprint=paint == "ink")

    def _find_process_inks(self, paint: Paint, colour: Colour) -> Cmyk:
        if paint == "ink":
            return _SOLID_BLACK
        if colour.cmyk:
            cyan, magenta, yellow, black = colour.cmyk
            return (cyan / 100, magenta / 100, yellow / 100, black / 100)
        rgb = rgb_from_hex(colour.srgb)
        if rgb[0] == rgb[1] == rgb[2]:
            return (0.0, 0.0, 0.0, self.profile.black_from_grey(rgb[0]))
        return self.profile.convert_colour(rgb)
