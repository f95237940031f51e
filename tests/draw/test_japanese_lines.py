"""Japanese lines: titles break between phrases, paragraphs are set solid, passages keep the lines of a box."""

import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from column_cases import EM, put
from conftest import ROOT
from hypothesis import assume, given
from hypothesis import strategies as st
from pdf_samples import BOOK
from tests_support import examples

from generator.base.display_list import TextRun
from generator.base.geometry import MM_PER_PT
from generator.game.model import FontFamily
from generator.game.rich_text import DEFAULT_STYLE, Plain, RunStyle
from generator.text.fonts import FontBook
from generator.text.glyph_rows import TextBox
from generator.text.kinsoku import CLOSING, NO_START_KANA, OPENING, STOPS, Phrasing
from generator.text.passage import Passage, SetLine
from generator.text.set_text import set_box


def phrases(text: str, lang: str = "ja") -> list[str]:
    ends = Phrasing(lang).find_ends(text)
    assert ends is not None
    return [text[start:end] for start, end in pairwise([0, *sorted(ends)])]


def title(text: str, ems: float, **changed: Any) -> tuple[str, ...]:
    usual = {"phrases": True, "text_role": "title", "vertical": False, "width": ems * EM, "min_size": 8}
    return put(text, **(usual | changed)).frame.lines


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("運命の女神と車輪", ["運命の", "女神と", "車輪"]),
        ("星降る夜に旅立つ者たち", ["星降る", "夜に", "旅立つ", "者たち"]),
        ("フェニックスの卵を温める", ["フェニックスの", "卵を", "温める"]),
        ("捨て札置き場から引く", ["捨て札置き場から", "引く"]),
        ("受け取り手のない手紙", ["受け取り手の", "ない", "手紙"]),
    ],
)
def test_phrases_are_those_that_a_reader_hears(text: str, expected: list[str]) -> None:
    assert phrases(text) == expected


def test_other_languages() -> None:
    assert phrases("我們的命運之輪", "zh-Hant")[-1].endswith("輪")
    assert phrases("命运的女神和车轮", "zh") != ["命运的女神和车轮"]
    assert phrases("運命の女神", "ja-JP") == ["運命の", "女神"]
    assert Phrasing("en").find_ends("the wheel") is None
    assert title("the wheel of fortune turns", 7, lang="en", family="body") == ("the wheel of", "fortune turns")


@pytest.mark.parametrize("vertical", [False, True])
def test_titles_break_between_phrases_evenly(vertical: bool) -> None:
    measure: dict[str, Any] = {"vertical": vertical, "width": 100.0, "height": 100.0}
    measure["height" if vertical else "width"] = 8.5 * EM
    assert title("卵を温める不死鳥の夜明け", 0, **measure) == ("卵を温める", "不死鳥の夜明け")
    assert title("星降る夜に旅立つ者たち", 0, **measure) == ("星降る夜に", "旅立つ者たち")


def test_kinsoku_holds_in_titles() -> None:
    for text in ("夜の、（秘密の）扉。ひらく！", "「夜」の「扉」を「ひらく」"):
        for ems in (4.2, 5.2, 6.2, 8.2):
            lines = title(text, ems)
            assert not any(line[0] in "、）。！」" or line[-1] in "（「" for line in lines), lines


def test_the_last_line_is_no_single_character() -> None:
    assert put("珍獣屋の夜", phrases=True, text_role="title", vertical=False, width=4.5 * EM).frame.lines == (
        "珍獣屋の夜",
    )
    assert put("珍獣屋の夜", phrases=True, text_role="title", vertical=False, width=4.5 * EM).frame.size < 8
    assert title("珍獣屋の夜", 4.5) == ("珍獣屋", "の夜")


def test_phrases_end_behind_marks_and_spaces() -> None:
    assert title("三枚　引く", 3.2) == ("三枚", "引く")
    assert title("ヴィア・アンティカ", 6.2) == ("ヴィア・", "アンティカ")


def test_icons_stay_with_their_words() -> None:
    assert title("三つの{coin}を集める", 5.6) == ("三つのを", "集める")
    assert title("星降る夜に{coin}を集める", 5.5) == ("星降る夜に", "を集める")


@examples(40)
@given(
    st.lists(
        st.sampled_from(["運命の", "女神と", "車輪を", "夜、", "「扉」に", "3枚", "星降る"]), min_size=1, max_size=6
    ),
    st.floats(3, 12),
)
def test_titles_keep_their_text(parts: list[str], ems: float) -> None:
    text = "".join(parts)
    assert "".join(title(text, ems)) == text


def test_the_model_is_loaded_for_titles_only() -> None:
    code = "import sys, generator.text.set_text; sys.exit('budoux' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


FONTS = ROOT / "fonts"
ZEN = FontFamily({"ja": ("ZenKakuGothicNew_400Regular.ttf",)}, {}, {})
SOLID_BOOK = FontBook({"zen": ZEN}, lambda name: Path(FONTS / name))
SIZE = 9.0
SOLID_EM = SIZE * MM_PER_PT

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
    return Passage((Plain(text),), box, SOLID_BOOK, lambda _name, _paint: None)


def lines_of(text: str, ems: float, justified: bool = True) -> list[str]:
    """The words of its lines in a measure of so many ems."""
    return [line.text for line in passage(text, justified).set_lines(ems * SOLID_EM)[0]]


def places(line: SetLine) -> list[tuple[str, float, float]]:
    """Each glyph of a line: its characters, where it is and how far the pen moves, in ems."""
    found = []
    for run in line.items:
        if isinstance(run, TextRun):
            x = run.x / SOLID_EM
            font = SOLID_BOOK.get_font(run.font)
            for text, move in zip(run.clusters, run.advances or map(font.measure_advance, run.glyphs), strict=True):
                found.append((text, x, move / 1000))
                x += move / 1000
    return found


def test_everything_stands_on_whole_ems() -> None:
    text = "手番では、山札から札を引き、手札から場に出す。" * 3
    lines = passage(text).set_lines(23 * SOLID_EM)[0]
    assert [line.text for line in lines] == ["手番では、山札から札を引き、手札から場に出す。"] * 3
    for line in lines:
        assert [x for _, x, _ in places(line)] == pytest.approx(range(23), abs=1e-6)


def test_marks_that_follow_each_other_share_their_blanks() -> None:
    """A full stop and a closing bracket take one em and a half together, a comma and an opening one too."""
    line = passage("「あ。」、「い」う").set_lines(40 * SOLID_EM)[0][0]
    assert {text: round(move, 3) for text, _, move in places(line)} == {
        "「": 1, "あ": 1, "。": 0.5, "」": 1, "、": 0.5, "い": 1, "う": 1,
    } | {"」": 1.0}  # fmt: skip


@given(TEXTS.filter(lambda text: "XanaduXanadu" not in text), st.integers(14, 40))  # so long a word is not parted
def test_lines_run_from_edge_to_edge(text: str, ems: int) -> None:
    """Each line but the last is as wide as its measure, a mark's blank at its end apart.

    A paragraph in which a line had gaps of over a quarter em is set flush left instead. Nothing is lost, and no line begins or ends with a forbidden character.
    """
    lines, excess = passage(text).set_lines(ems * SOLID_EM)

    assert not excess
    assert "".join(line.text for line in lines) == text
    gaps = [sum(not text[:1].isascii() for text, *_ in places(line)) - 1 for line in lines[:-1]]
    wide = [ems - line.width / SOLID_EM > 0.25 * max(gap, 1) for line, gap in zip(lines, gaps, strict=False)]
    for line in lines[:-1]:
        *_, (last, x, move) = places(line)
        least = 0 if any(wide) else ems - 0.01
        assert least <= x + move <= ems + (0.51 if last in CLOSING + STOPS + "・" else 0.01)
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
    assert passage(text, justified=False).narrowest == pytest.approx(7 * SOLID_EM)
    assert passage(text, justified=False).easiest > 7 * SOLID_EM


@given(st.integers(3, 6), st.integers(1, 4))
def test_lines_beside_a_figure_are_weighed_with_those_below(times: int, beside: int) -> None:
    text = "手番では、山札から札を引き、手札から場に出す。" * times
    lines, excess = passage(text).set_lines(30 * SOLID_EM, beside, 18 * SOLID_EM)
    assert not excess
    assert "".join(line.text for line in lines) == text
    for at, line in enumerate(lines[:-1]):
        *_, (_, x, move) = places(line)
        assert x + move == pytest.approx(18 if at < beside else 30, abs=0.51)


ENGLISH = "On your turn, draw a card from the deck and play another one from your hand to the table. "


def own_passage(text: str, manner: RunStyle = DEFAULT_STYLE) -> Passage:
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
    lines, excess = own_passage(text).set_lines(110.0, beside, narrow)
    assert not excess
    assert all(line.width <= narrow + 0.1 for line in lines[:beside])
    assert not lines[beside + 1 :] or max(line.width for line in lines[beside:]) > 60
    shown = "".join(line.text for line in lines)
    assert "".join(shown.replace("-", "").split()) == "".join(text.split())


def test_a_passage_knows_how_wide_it_would_be() -> None:
    made = own_passage("a lighthouse-keeper's unbelievable luck")
    assert made.set_lines(made.natural + 0.01)[1] == 0
    assert len(made.set_lines(made.natural + 0.01)[0]) == 1
    assert len(made.set_lines(made.natural - 0.5)[0]) == 2
    assert made.narrowest < made.natural / 2
    assert made.set_lines(made.narrowest + 0.01)[1] == 0
    stiff = own_passage("a WWWWWWWWWWWW b")
    assert stiff.set_lines(stiff.narrowest - 0.1)[1] > 0


def test_larger_words_make_all_lines_of_a_passage_higher() -> None:
    """So they don't touch the lines around them, wherever the text breaks; smaller ones change nothing."""
    usual, large, small = (own_passage(ENGLISH, RunStyle(size=size)) for size in (1.0, 1.5, 0.8))
    assert (large.pitch, large.above) == (pytest.approx(1.5 * usual.pitch), pytest.approx(1.5 * usual.above))
    assert small.pitch == usual.pitch


@pytest.mark.parametrize("width", range(30, 60))
def test_no_paragraph_ends_in_a_short_word(width: int) -> None:
    lines, _ = own_passage("To play no set; you discard one card from your hand instead.").set_lines(width)
    assert len(lines[-1].text.split()) > 1
