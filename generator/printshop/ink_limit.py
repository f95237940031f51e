"""Keeping the inks on one spot below what a paper can take: black takes over from the three colours."""

from typing import Any

from PIL import Image, ImageMath

from generator.model.ink import Cmyk

_TAKEN = 0.5
"""How much black stands for equal parts of the three colours. On coated paper dark colours stay closest with a half:
more makes them blacker, none makes them brown."""

_FULL = 255


def limit_inks(inks: Cmyk, limit: float) -> Cmyk:
    """The inks with at most `limit` percent together: first grey goes to black, then colour is thinned.

    The limit is at least 100, for black is never thinned.
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


def coverage(bitmap: Image.Image) -> float:
    """The most ink that any pixel of a CMYK bitmap takes, percent."""
    bands = dict(zip("cmyk", bitmap.split(), strict=True))
    total = ImageMath.lambda_eval(lambda of: of["c"] + of["m"] + of["y"] + of["k"], **bands)
    return float(total.getextrema()[1]) / _FULL * 100


def limit_bitmap(bitmap: Image.Image, limit: float) -> Image.Image:
    """A CMYK bitmap with at most `limit` percent on any pixel, by the same rule as `limit_inks`, rounded down."""
    most = limit / 100 * _FULL
    bands = dict(zip("cmyk", bitmap.split(), strict=True))
    grey = ImageMath.lambda_eval(lambda of: _grey(of, most), **bands)
    thinner = ImageMath.lambda_eval(lambda of: _thinner(of, most), grey=grey, **bands)
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


def _grey(of: dict[str, Any], most: float) -> Any:
    """What every pixel gives from each colour to black, in steps of a channel."""
    cyan, magenta, yellow, black = (of["float"](of[name]) for name in "cmyk")
    least, excess = of["min"], cyan + magenta + yellow + black - most
    grey = least(least(least(cyan, magenta), yellow), least((_FULL - black) / _TAKEN, excess / (3 - _TAKEN)))
    return of["max"](grey, 0)


def _thinner(of: dict[str, Any], most: float) -> Any:
    """What every pixel's colours are multiplied by when black has taken its part."""
    colours = of["float"](of["c"]) + of["m"] + of["y"] - of["grey"] * 3
    black = of["float"](of["k"]) + of["grey"] * _TAKEN
    return of["min"]((most - black) / of["max"](colours, 1), 1)
