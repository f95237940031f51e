"""A press as its ICC profile describes it: which inks give a colour, and how dark black ink alone is."""

import io
import re
from bisect import bisect_left
from functools import cached_property
from pathlib import Path

from PIL import Image, ImageCms

from generator.errors import Place, Problem, ProblemsFound, Unfit
from generator.files import read_file
from generator.model.colour import lightness, linear, luminance_at
from generator.model.ink import Cmyk, Rgb

_INTENT = ImageCms.Intent.RELATIVE_COLORIMETRIC
_FULL = 255  # of a channel of a bitmap

_CONDITIONS = (
    (r"fogra ?(\d\d)", r"FOGRA\1"),
    (r"iso coated v2", "FOGRA39"),
    (r"pso coated v3", "FOGRA51"),
    (r"pso uncoated v3", "FOGRA52"),
    (r"japan color 2001 coated|jc200103", "JC200103"),
    (r"japan color 2001 uncoated|jc200104", "JC200104"),
    (r"japan color 2011 coated|jc201103", "JC201103"),
    (r"u\.?s\.? web coated \(swop\) v2", "CGATS TR 001"),
    (r"gracol ?2006", "CGATS TR 006"),
    (r"tr ?(00\d)", r"CGATS TR \1"),
)
"""Words in the names of profiles, and which printing condition of the ICC's registry they stand for."""


class PressProfile:
    """The profile of a four-colour press. `data` are its bytes, `name` is what it calls itself.

    Colours are converted relative to the paper's white, and black goes to the press's darkest black (relative
    colorimetric with black point compensation). ProblemsFound for a file that is no such profile.
    """

    def __init__(self, path: Path):
        self._place = Place(path.as_posix())
        try:
            self.data = read_file(path, "profile")
        except Unfit as unfit:
            raise self._refusal(str(unfit)) from unfit
        said = int.from_bytes(self.data[:4], "big")
        if self.data[36:40] == b"acsp" and said > len(self.data):
            raise self._refusal(f"this colour profile is cut short: {len(self.data)} of {said} bytes are there")
        try:
            opened = ImageCms.getOpenProfile(io.BytesIO(self.data))
        except (ImageCms.PyCMSError, OSError) as mistake:
            raise self._refusal("this is no ICC colour profile") from mistake
        space, use = opened.profile.xcolor_space.strip(), opened.profile.device_class.strip()
        if (space, use) != ("CMYK", "prtr"):
            raise self._refusal(f"this colour profile is for {space} ({use}), not for a press with four inks (prtr)")
        self.name = (opened.profile.profile_description or path.stem).strip()
        self._profile = opened
        try:
            self._transform = ImageCms.buildTransform(
                ImageCms.createProfile("sRGB"), opened, "RGB", "CMYK", _INTENT, ImageCms.Flags.BLACKPOINTCOMPENSATION
            )
        except ImageCms.PyCMSError as mistake:
            raise self._refusal("this colour profile doesn't say which inks give a colour") from mistake

    def bitmap(self, rgb: Image.Image) -> Image.Image:
        """An sRGB bitmap in the press's four inks."""
        converted = ImageCms.applyTransform(rgb, self._transform)
        if converted is None:
            raise AssertionError("only a conversion in place gives nothing back")
        return converted

    def inks(self, colour: Rgb) -> Cmyk:
        """The inks that give a colour."""
        red, green, blue = (round(value * _FULL) for value in colour)
        values = self.bitmap(Image.new("RGB", (1, 1), (red, green, blue))).tobytes()
        return (values[0] / _FULL, values[1] / _FULL, values[2] / _FULL, values[3] / _FULL)

    def black(self, grey: float) -> float:
        """How much black ink alone (0..1) looks like a grey of sRGB (0 black to 1 white)."""
        darkest = luminance_at(-self._darkness[-1])
        wanted = -lightness(darkest + (1 - darkest) * linear(grey))
        at = bisect_left(self._darkness, wanted)
        if at in (0, len(self._darkness)):
            return min(1.0, at / _FULL)
        before, after = self._darkness[at - 1], self._darkness[at]
        return (at - 1 + (wanted - before) / (after - before)) / _FULL

    @property
    def condition(self) -> str:
        """The printing condition that the profile's name stands for, as the registry calls it; empty if unknown."""
        name = self.name.casefold().replace("_", " ")
        found = ((re.search(words, name), condition) for words, condition in _CONDITIONS)
        return next((match.expand(condition) for match, condition in found if match), "")

    @cached_property
    def _darkness(self) -> list[float]:
        """For each step of black ink the lightness of the print, negative so that it grows with the ink."""
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

    def _refusal(self, what: str) -> ProblemsFound:
        return ProblemsFound([Problem(self._place, what, "name the .icc file that the print shop gives for its press")])
