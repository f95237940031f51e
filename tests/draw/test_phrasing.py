"""Titles: Japanese ones break between phrases, evenly, and never leave a single character on a line."""

import subprocess
import sys
from itertools import pairwise
from typing import Any

import pytest
from column_cases import EM, put
from hypothesis import given
from hypothesis import strategies as st
from tests_support import examples

from generator.text.kinsoku import Phrasing


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
    """Rather than a lone character below, the title becomes smaller; where it can't, a companion goes with it."""
    assert put("珍獣屋の夜", phrases=True, text_role="title", vertical=False, width=4.5 * EM).frame.lines == (
        "珍獣屋の夜",
    )
    assert put("珍獣屋の夜", phrases=True, text_role="title", vertical=False, width=4.5 * EM).frame.size < 8
    assert title("珍獣屋の夜", 4.5) == ("珍獣屋", "の夜")


def test_phrases_end_behind_marks_and_spaces() -> None:
    """Where the author put a space, a stop or a middle dot, a title may always break."""
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
