"""A passage gives the lines that a box would hold, at any measure, and narrower ones beside a figure."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from pdf_samples import BOOK

from generator.base.display_list import TextRun
from generator.game.rich_text import DEFAULT_STYLE, Plain, RunStyle
from generator.text.glyph_rows import TextBox
from generator.text.passage import Passage
from generator.text.set_text import set_box

ENGLISH = "On your turn, draw a card from the deck and play another one from your hand to the table. "


def passage(text: str, manner: RunStyle = DEFAULT_STYLE) -> Passage:
    """An English text made up, without a width, in a manner."""
    box = TextBox(x=0, y=0, width=0, height=0, family="sans", size=9, min_size=9, lang="en")
    return Passage((Plain(text, manner=manner),), box, BOOK, lambda _name, _paint: None)


@given(st.integers(1, 6), st.floats(30, 120))
def test_lines_are_those_of_a_box(times: int, width: float) -> None:
    text = ENGLISH * times
    boxed = TextBox(x=0, y=0, width=width, height=900, family="sans", size=9, min_size=9, lang="en", align="justify")
    made = Passage((Plain(text),), boxed, BOOK, lambda _name, _paint: None)
    lines, excess = made.set_lines(width)
    done = set_box((Plain(text),), boxed, BOOK, lambda _name, _paint: None)
    assume(" " in done.frame.lines[-1].strip())

    assert tuple(line.text for line in lines) == done.frame.lines
    assert (excess > 0) == (done.overflow > 0)
    runs = [item for item in done.items if isinstance(item, TextRun)]
    shown = [item for line in lines for item in line.items if isinstance(item, TextRun)]
    assert [(run.glyphs, run.advances, run.x) for run in runs] == [(run.glyphs, run.advances, run.x) for run in shown]
    assert all(run.y == 0 for run in shown)


@given(st.integers(3, 8), st.integers(1, 6), st.floats(40, 50))
def test_lines_beside_a_figure_are_narrow(times: int, beside: int, narrow: float) -> None:
    """So many lines keep to the narrow measure, the rest takes the whole; no word is lost or doubled between them."""
    text = ENGLISH * times
    lines, excess = passage(text).set_lines(110.0, beside, narrow)
    assert not excess
    assert all(line.width <= narrow + 0.1 for line in lines[:beside])
    assert not lines[beside + 1 :] or max(line.width for line in lines[beside:]) > 60
    shown = "".join(line.text for line in lines)
    assert "".join(shown.replace("-", "").split()) == "".join(text.split())


def test_a_passage_knows_how_wide_it_would_be() -> None:
    made = passage("a lighthouse-keeper's unbelievable luck")
    assert made.set_lines(made.natural + 0.01)[1] == 0
    assert len(made.set_lines(made.natural + 0.01)[0]) == 1
    assert len(made.set_lines(made.natural - 0.5)[0]) == 2
    assert made.narrowest < made.natural / 2
    assert made.set_lines(made.narrowest + 0.01)[1] == 0
    stiff = passage("a WWWWWWWWWWWW b")
    assert stiff.set_lines(stiff.narrowest - 0.1)[1] > 0


def test_larger_words_make_all_lines_of_a_passage_higher() -> None:
    """So they don't touch the lines around them, wherever the text breaks; smaller ones change nothing."""
    usual, large, small = (passage(ENGLISH, RunStyle(size=size)) for size in (1.0, 1.5, 0.8))
    assert (large.pitch, large.above) == (pytest.approx(1.5 * usual.pitch), pytest.approx(1.5 * usual.above))
    assert small.pitch == usual.pitch


@pytest.mark.parametrize("width", range(30, 60))
def test_no_paragraph_ends_in_a_short_word(width: int) -> None:
    lines, _ = passage("To play no set; you discard one card from your hand instead.").set_lines(width)
    assert len(lines[-1].text.split()) > 1
