"""`pnp translate pseudo`: a language that is none shows what would not fit and what no translation reaches."""

from collections.abc import Callable

from conftest import Ran
from hypothesis import given
from hypothesis import strategies as st
from tests_support import TinyProject, examples

from generator.exchange.translate import is_hard_wired, translate_to_pseudo
from generator.exchange.translation_check import find_marks

CARD = "templates/tiny/card.svg"
Pnp = Callable[..., Ran]


def test_texts_are_longer_and_marked() -> None:
    """Accents, brackets, three tenths more; values, icons, goals and terms stay."""
    made = translate_to_pseudo("Have {star} or [[hands|hand]], [see](#aim): {{ rules.hand }}", {"hand": "hand"})
    assert made.startswith("‹Hàvé {star} ör [[hàñdš|hand]], [šéé](#aim): {{ rules.hand }} ~")
    assert translate_to_pseudo("| {{ n }} |", {}) == "| {{ n }} |"


@given(st.text("abc {}[]|#é*", max_size=40))
@examples(100)
def test_marks_are_kept(text: str) -> None:
    """Whatever a text is, its marks are there again."""
    assert find_marks(translate_to_pseudo(text, {})) == find_marks(text)


def test_faces_and_what_they_lack_are_shown(tiny: TinyProject, pnp: Pnp) -> None:
    """Pictures of all faces; a word that the template has typed is told, a text of the data is not."""
    tiny.change(CARD, "</svg>", '<text x="5" y="58" font-family="body" font-size="6pt">Value</text></svg>')
    said = pnp("translate", "pseudo", "tiny")
    assert said.code == 0, said.err
    assert (tiny.root / "output/tiny/pseudo/card-one.front.qps.png").is_file()
    assert "“Value” is hard-wired: no text of the data, on card/one (front) and 1 more" in said.err
    assert said.err.count("hard-wired") == 1
    assert not (tiny.root / "data/tiny/translations").exists()


def test_what_would_not_fit_is_told(tiny: TinyProject, pnp: Pnp) -> None:
    """A box that holds the text as it is, and nothing longer."""
    tiny.change(
        CARD,
        'width="30" height="10" font-family="body" font-size="8pt"',
        'width="8" height="4" font-family="body" font-size="8pt" min-size="8pt"',
    )
    assert pnp("sheets").code == 0
    said = pnp("translate", "pseudo", "tiny")
    assert said.code == 0
    assert "does not fit its box" in said.err


def test_what_is_hard_wired() -> None:
    """Most letters without an accent; figures and signs are no words."""
    assert is_hard_wired("Value")
    assert not is_hard_wired(translate_to_pseudo("Value", {}))
    assert not is_hard_wired("12 ×")
