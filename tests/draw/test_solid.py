"""Japanese set solid: whole ems, lines weighed over the whole paragraph, words and counters whole."""

import re
from itertools import pairwise
from pathlib import Path

import pytest
from conftest import ROOT
from hypothesis import given
from hypothesis import strategies as st

from generator.base.display_list import TextRun
from generator.base.geometry import MM_PER_PT
from generator.game.model import FontFamily
from generator.game.rich_text import Plain
from generator.text.fonts import FontBook
from generator.text.glyph_rows import TextBox
from generator.text.kinsoku import CLOSING, NO_START_KANA, OPENING, STOPS
from generator.text.passage import Passage, SetLine

FONTS = ROOT / "fonts"
ZEN = FontFamily({"ja": ("ZenKakuGothicNew_400Regular.ttf",)}, {}, {})
BOOK = FontBook({"zen": ZEN}, lambda name: Path(FONTS / name))
SIZE = 9.0
EM = SIZE * MM_PER_PT

_KANA = st.text(st.sampled_from("あいうえおかきくけこっゃアイウー山札手番"), min_size=1, max_size=9)
_PIECES = st.one_of(_KANA, st.sampled_from(["、", "。", "「あい」", "（か）", "3枚", "12", "Xanadu", "……", "・"]))
TEXTS = (
    st.lists(_PIECES, min_size=6, max_size=40)
    .map("".join)
    .map(lambda text: re.sub("^[、。・ーっゃ…]+", "", text) + "あ")
)


def passage(text: str, justified: bool = True) -> Passage:
    """A Japanese text of 9 pt in a face for books."""
    box = TextBox(
        x=0, y=0, width=0, height=0, family="zen", size=SIZE, min_size=SIZE, lang="ja",
        align="justify" if justified else "start",
    )  # fmt: skip
    return Passage((Plain(text),), box, BOOK, lambda _name, _paint: None)


def lines_of(text: str, ems: float, justified: bool = True) -> list[str]:
    """The words of its lines in a measure of so many ems."""
    return [line.text for line in passage(text, justified).set_lines(ems * EM)[0]]


def places(line: SetLine) -> list[tuple[str, float, float]]:
    """Each glyph of a line: its characters, where it is and how far the pen moves, in ems."""
    found = []
    for run in line.items:
        if isinstance(run, TextRun):
            x = run.x / EM
            font = BOOK.get_font(run.font)
            for text, move in zip(run.clusters, run.advances or map(font.measure_advance, run.glyphs), strict=True):
                found.append((text, x, move / 1000))
                x += move / 1000
    return found


def test_everything_stands_on_whole_ems() -> None:
    text = "手番では、山札から札を引き、手札から場に出す。" * 3
    lines = passage(text).set_lines(23 * EM)[0]
    assert [line.text for line in lines] == ["手番では、山札から札を引き、手札から場に出す。"] * 3
    for line in lines:
        assert [x for _, x, _ in places(line)] == pytest.approx(range(23), abs=1e-6)


def test_marks_that_follow_each_other_share_their_blanks() -> None:
    """A full stop and a closing bracket take one em and a half together, a comma and an opening one too."""
    line = passage("「あ。」、「い」う").set_lines(40 * EM)[0][0]
    assert {text: round(move, 3) for text, _, move in places(line)} == {
        "「": 1, "あ": 1, "。": 0.5, "」": 1, "、": 0.5, "い": 1, "う": 1,
    } | {"」": 1.0}  # fmt: skip


@given(TEXTS, st.integers(14, 40))
def test_lines_run_from_edge_to_edge(text: str, ems: int) -> None:
    """Each line but the last is as wide as its measure, a mark's blank at its end apart.

    Nothing is lost, and no line begins or ends with a forbidden character.
    """
    lines, excess = passage(text).set_lines(ems * EM)

    assert not excess
    assert "".join(line.text for line in lines) == text
    for line in lines[:-1]:
        *_, (last, x, move) = places(line)
        assert ems - 0.01 <= x + move <= ems + (0.51 if last in CLOSING + STOPS + "・" else 0.01)
    for before, behind in pairwise(lines):
        assert before.text[-1] not in OPENING
        assert behind.text[0] not in CLOSING + STOPS + NO_START_KANA


@given(st.integers(20, 36), st.integers(0, 60))
def test_no_paragraph_ends_in_a_short_line(ems: int, more: int) -> None:
    whole = "手番では山札から札を一枚引き、手札から好きな札を場に出します。出せないなら捨て札にします。次の人の番です。"
    lines = lines_of((whole * 3)[: ems + 1 + more] + "。", ems)
    assert len(lines) == 1 or len(lines[-1]) > 4


@given(TEXTS, st.integers(8, 40), st.booleans())
def test_a_number_stays_with_what_it_counts(text: str, ems: int, justified: bool) -> None:
    """3枚, 3ラウンド, 第3, 2 VP: none is on two lines, wherever the text breaks."""
    lines = lines_of(text.replace("12", "第3ラウンドは2 VPを3か所に"), ems, justified)
    for before, behind in pairwise(lines):
        assert not (re.search("[0-9]$", before) and re.match("[枚ラか]|VP", behind.lstrip()))
        assert not before.endswith("第")


def test_short_lines_end_between_phrases() -> None:
    text = "手札補充フェイズにリュックサックを使う"
    assert lines_of(text, 9, justified=False) == ["手札補充フェイズに", "リュックサックを", "使う"]
    assert passage(text, justified=False).narrowest == pytest.approx(7 * EM)
    assert passage(text, justified=False).easiest > 7 * EM


@given(st.integers(3, 6), st.integers(1, 4))
def test_lines_beside_a_figure_are_weighed_with_those_below(times: int, beside: int) -> None:
    text = "手番では、山札から札を引き、手札から場に出す。" * times
    lines, excess = passage(text).set_lines(30 * EM, beside, 18 * EM)
    assert not excess
    assert "".join(line.text for line in lines) == text
    for at, line in enumerate(lines[:-1]):
        *_, (_, x, move) = places(line)
        assert x + move == pytest.approx(18 if at < beside else 30, abs=0.51)
