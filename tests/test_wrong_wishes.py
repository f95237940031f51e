"""Wishes that can't be fulfilled, of every command: each is told in words with its exit code, and makes no file."""

import shlex

import pytest
from conftest import Pnp
from tests_support import TinyProject

WRONG_USAGE = [
    ("frobnicate", "Error: "),
    ("build --backs sideways", "Error: "),
    ("build --paper A47", "Error: "),
    ("build --gap -1mm", "Error: "),
    ("build --margin 3parsec", "'3parsec' has the unknown unit 'parsec'; use mm, cm, in, pt or Q"),
    ("build --margin ''", "Invalid value for --margin: '' is not a length"),
    ("build --margin '5mm wide'", "'5mm wide' is not a length"),
    (
        "build --margin '1 2 3 4 5'",
        "'1 2 3 4 5' has 5 lengths; write 5mm, or top, right, bottom and left: 5mm 5mm 15mm 5mm",
    ),
    ("build --margin '5mm -1mm'", "a margin must not be negative; write 5mm, or top"),
    ("sheets --margin '0 106mm'", "margins of 0 106 0 106 mm cover the whole paper; write smaller ones"),
    ("sheets --stock a-one-51003 --margin 150mm", "margins of 150 mm cover the whole paper"),
    ("build --copies 0", "Error: "),
    ("validate --format xml", "Error: "),
    ("play tiny --save ''", "the file has no name"),
    ("calibrate --set b --back-x 5.1mm", "back-x is 5.1 mm; it can be 5 mm at most either way"),
    ("calibrate --set b --back-y -6mm --scale-y 97%", "scale-y is 97 %; it can be 98 % to 102 %"),
    ("calibrate --set b --back-x nan", "'nan' is not a length"),
    ("calibrate --set b --scale-x nan%", "scale-x is nan %"),
    ("calibrate --set b --scale-x much", "'much' is not a percentage; write 100.2%"),
    ("calibrate --set ../b --back-x 1mm", "'../b' is not a valid printer name"),
    ("calibrate --set b", "--set stores what was measured: give --back-x"),
    ("calibrate --back-x 1mm", "--back-x needs a printer name; add --set NAME"),
    ("calibrate --paper Hagaki", "use A5 or larger"),
    ("calibrate --paper A44", "unknown paper"),
    ("calibrate --printer none", "store one with pnp calibrate --set NAME"),
    ("boxes --sleeve 5mm", "the film must be at most 1 mm thick"),
    ("boxes --stock 3mm", "the thickness must be from 0.05 to 2 mm"),
    ("boxes --stock thick", "'thick' is not a length"),
    ("boxes --sleeve -1mm", "must not be negative"),
    ("boxes --paper A9", "unknown paper 'A9'"),
    ("images --bleed --round", "--bleed keeps what --round cuts off"),
    ("images --sheets --round", "are for faces; leave them out with --sheets"),
    ("images --dpi 5", "5.0 is not in the range"),
    ("images --dpi nan", "write a number of pixels, such as 300"),
    ("presets --fits poker", "'poker' is not a size; write 63x88, or a name such as us-poker"),
    ("presets --fits 63x", "'63x' is not a size"),
    ("presets --fits 63x88x2", "is not a size"),
    ("presets --fits 0x88", "width and height must be more than 0 mm"),
    ("presets --fits 63x88 --kind shop", "--fits lists sleeves"),
    ("dielines --backs fold", "a cutting machine can't take folded sheets"),
    ("sheets --backs fold --registration silhouette", "a cutting machine can't take folded sheets"),
    ("dielines --stock a-one-51003", "perforated sheets need no cutting machine"),
    ("export tts --url example.org/x", "--url"),
    ("export tts --url ftp://example.org", "--url"),
    ("export tts --url https://", "--url"),
    ("export tts --url https://a.org/?q=1", "--url"),
    ("export tts --url 'http://a b'", "--url"),
    ("build --record first --only card/one", "leave --only and --copies out"),
    ("build --record first --copies 1", "leave --only and --copies out"),
    ("changed --copies 2", "leave --copies out"),
    ("sheets -q -v", "exclude each other"),
    ("sheets tiny --high-contrast --low-ink", "--high-contrast"),
    ("rulebook tiny --high-contrast --epub", "--high-contrast"),
]

PROBLEMS = [
    ("boxes --deck cart", "--deck cart: tiny has no such kind of cards; did you mean 'card'?"),
    ("boxes --lang fr", "--lang fr: not a language of this game"),
    ("boxes --lang en+ja", "each of the boxes has one language; write --lang en --lang ja for one of each"),
    ("boxes --margin 200mm", "A4 or A3 does not hold it within margins of 200 mm"),
    ("boxes --margin '5mm 5mm 400mm'", "A4 or A3 does not hold it within margins of 5 5 400 5 mm"),
    ("proof --only 'cart/*'", "--only 'cart/*' matches no component of tiny"),
    ("proof --lang fr", "--lang fr: not a language of this game"),
    ("proof --lang en+ja", "each of the proofs has one language; write --lang en --lang ja for one of each"),
    ("shop --preset drivethrucard", "unknown preset 'drivethrucard'; did you mean 'drivethrucards'?"),
    ("shop --preset the-game-crafter --standard pdfx4", "--standard is for PDF, but The Game Crafter accepts"),
    ("shop --preset mb-print --profile nothing.icc", "nothing.icc: the file can't be read"),
    ("shop --preset mb-print --lang fr", "--lang fr: not a language of this game"),
    ("shop --preset mb-print --only cart", "--only 'cart' matches no component of tiny; known: card/one"),
    ("export tts --lang fr --only crad", "--lang fr: not a language of this game; known: en"),
    ("export tts --lang fr --only crad", "--only 'crad' matches no component of tiny; known: card"),
]  # fmt: skip


WHOLE = [
    ("images --sheets --dpi 2400", "a picture of 210 x 297 mm has too many pixels at 2400 dpi; write --dpi 1438 or less"),
    ("layout export tiny/cart", "tiny has no kind 'cart'; did you mean 'card'?"),
    ("layout export templates/tiny/cart.svg", "no card uses the template 'cart'; did you mean 'card'?"),
    ("layout export tiny/card --design thre", "--design: there is no 'thre' among these cards; known: card/one, card/two"),
    ("layout export tiny/card --lang fr", "data/tiny/game.yaml:5:12: --lang fr: the game has no such language; known: en"),
    ("layout export tin/card", "data: unknown game 'tin'; did you mean 'tiny'?"),
]  # fmt: skip
"""Nothing else is said."""


CASES = [(wish, 2, said) for wish, said in WRONG_USAGE]
CASES += [(wish, 1, said) for wish, said in PROBLEMS]
CASES += [(wish, 1, f"{said}\n") for wish, said in WHOLE]


@pytest.mark.parametrize(("wish", "code", "said"), CASES, ids=str)
def test_a_wish_that_cannot_be_fulfilled(
    tiny: TinyProject, pnp: Pnp, monkeypatch: pytest.MonkeyPatch, wish: str, code: int, said: str
) -> None:
    """Neither in the project nor among the settings is anything written. The longest lines are broken between words."""
    monkeypatch.setenv("PNP_HOME", str(tiny.root / "home"))
    before = sorted(tiny.root.rglob("*"))
    ran = pnp(*shlex.split(wish))
    assert (ran.code, ran.out) == (code, "")
    assert said == ran.err if said.endswith("\n") else said in " ".join(ran.err.split())
    assert sorted(tiny.root.rglob("*")) == before
