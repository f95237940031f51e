"""Columns of Japanese: where they break, where every glyph stands, and what is said when something cannot be right."""

from itertools import pairwise
from typing import Any

import pytest
from column_cases import EM, book, ink, put, put_line, runs, said, stands
from hypothesis import assume, example, given
from hypothesis import strategies as st
from tests_support import examples

from generator.base.display_list import PlacedSymbol
from generator.game.rich_text import Plain
from generator.text.glyph_rows import TextBox
from generator.text.set_text import set_box

# The tests' own rules, written from the brief and not from the code.
NO_START = set("、。，．・：；！？…―〜～ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ％」』）】》〉〕］｝")
NO_END = set("「『（【〈《〔［｛￥＋")
RULE = "珍獣屋の主人は、12月の夜に「フェニックス」を3羽、あわせて2048万円で売った!!（カードAを見よ。）"


def test_a_text_column_by_column() -> None:
    """A rule text breaks as a typesetter would break it, and its runs come in reading order."""
    done = put(RULE, height=14 * EM)
    assert done.frame.lines == ("珍獣屋の主人は、12月の夜に", "「フェニックス」を3羽、あわ", "せて2048万円で売った!!（カー", "ドAを見よ。）")  # fmt: skip
    assert said(done) == RULE
    assert (done.frame.size, done.overflow, done.missing, done.unturned) == (8, 0.0, (), ())
    assert (done.frame.x, done.frame.y, done.frame.width, done.frame.height) == (5, 10, 40, 14 * EM)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ああああああああああ", ["ああああああああ", "ああ"]),
        ("ああああああああーい", ["あああああああ", "あーい"]),  # pushed out
        ("あああああああ「いい", ["あああああああ", "「いい"]),
        ("ああああああああ。いい", ["ああああああああ。", "いい"]),  # hangs
        ("あああああ、ああ。いい", ["あああああ、ああ。", "いい"]),  # pulled in
        ("ああああああ「あ」いい", ["ああああああ「あ」", "いい"]),
        ("あああああああ――い", ["ああああああ", "あ――い"]),
        ("あああああああ12月日", ["あああああああ", "12月日"]),  # a number stays with what it counts
        ("ああああああああ12月", ["ああああああああ", "12月"]),
        ("ああああああ123月", ["ああああああ", "123月"]),  # three are turned, with a quarter em around them
        ("あああああああっ!?い", ["ああああああ", "あっ!?い"]),
        ("ああああああああ　いい", ["ああああああああ", "いい"]),
    ],
)
def test_columns_of_eight_ems(text: str, expected: list[str]) -> None:
    """The same rules as on lines: forbidden characters are pulled in or pushed out, stops hang."""
    assert list(put(text, height=8 * EM).frame.lines) == expected


def test_columns_go_from_right_to_left() -> None:
    """The first column's middle is half an em from the right side; each next one lies a pitch farther left."""
    for leading, pitch in ((None, 1.5), (2.0, 2.0)):
        done = put("一\n二\n三", leading=leading)
        middles = [stands(run)[0].middle for run in runs(done)]
        assert middles[0] == pytest.approx(45 - EM / 2)
        assert [a - b for a, b in pairwise(middles)] == pytest.approx([pitch * EM] * 2)


def test_upright_glyphs_stand_on_the_middle_of_their_column() -> None:
    """Kana, ideographs and marks follow each other without a gap, all centred; the first touches the top."""
    (run,) = runs(put("珍獣ー屋っ（は）"))
    places = stands(run)
    assert {round(place.middle, 6) for place in places} == {round(45 - EM / 2, 6)}
    assert places[0].top == pytest.approx(10)
    assert [below.top - above.bottom for above, below in pairwise(places)] == pytest.approx([0] * 7, abs=1e-6)


def test_marks_take_their_forms_for_columns() -> None:
    """Brackets lie across, the long-vowel mark stands, stops and small kana keep to the upper right of their square."""
    font = book().get_chain("mincho", "ja")[0]
    for char in "「」（）ー〜、。っ…":
        (run,) = runs(put(char))
        assert run.glyphs != (font.find_glyph(char),), char
    for char in "、。":
        ((left, top, _, bottom),) = ink(runs(put("あ" + char))[0])[1:]
        assert left > 45 - EM / 2
        assert 10 + EM < top < bottom < 10 + 1.5 * EM
    ((left, top, right, bottom),) = ink(runs(put("ー"))[0])
    assert bottom - top > 3 * (right - left)


def test_a_bracket_at_the_top_is_flush() -> None:
    """The blank before an opening bracket goes where a column begins, and one of two blanks between marks."""
    (run,) = runs(put("「あ」「い"))
    tops = [box[1] for box in ink(run)]
    assert 10 < tops[0] < 10 + 0.2 * EM
    places = stands(run)
    assert places[3].top - places[2].top == pytest.approx(0.5 * EM, abs=1e-6)


def test_short_numbers_stand_abreast_in_one_em() -> None:
    for family in ("mincho", "body", "gothic"):
        for short in ("12", "7", "+2", "−1", "!!", "!?", "!!!"):
            done = put(f"あ{short}い", family=family)
            first, middle, last = runs(done)
            assert middle.text == short, short
            assert stands(last)[0].top - stands(first)[0].bottom == pytest.approx(EM)
            left, right = min(box[0] for box in ink(middle)), max(box[2] for box in ink(middle))
            assert 45 - EM - 0.02 <= left < right <= 45 + 0.02, (family, short)
            assert abs((left + right) / 2 - 45 + EM / 2) < 0.15 * EM
            assert all(10 + EM < top < bottom < 10 + 2 * EM for _, top, _, bottom in ink(middle))


def test_wide_figures_abreast_become_smaller() -> None:
    font = book().get_chain("gothic", "ja")[0]
    width = sum(font.measure_advance(font.find_glyph(char)) for char in "12")
    assert width > 1000
    run = runs(put("12", family="gothic"))[0]
    assert run.size == pytest.approx(8 * 1000 / width)
    (_, top, _, bottom), _ = ink(run)
    assert (top + bottom) / 2 == pytest.approx(10 + EM / 2, abs=0.02 * EM)


def test_single_capitals_stand_and_words_are_turned() -> None:
    capital, word, number = (runs(put(f"あ{text}い", family="body"))[1] for text in ("A", "Fortuna", "2048"))
    assert capital.angle == 0
    assert stands(capital)[0].middle == pytest.approx(45 - EM / 2)
    assert (word.angle, number.angle) == (90, 90)
    left, right = min(box[0] for box in ink(number)), max(box[2] for box in ink(number))
    assert (left + right) / 2 == pytest.approx(45 - EM / 2, abs=0.02 * EM)
    assert stands(word)[0].middle == pytest.approx(45 - EM / 2)


def test_a_quarter_em_parts_japanese_from_turned_latin_only() -> None:
    for text, room in (("Fortuna", 0.25), ("123", 0.25), ("12", 0), ("A", 0)):
        before, latin, behind = runs(put(f"漢{text}字", family="body"))
        length = book().get_font(latin.font).shape(text).width / 1000 if room else 1
        assert stands(behind)[0].top - stands(before)[0].bottom == pytest.approx((length + 2 * room) * EM)


def test_a_phrase_of_latin_words_stays_together() -> None:
    assert [run.text for run in runs(put("あPlan Bと", family="mincho"))] == ["あ", "Plan B", "と"]
    assert [run.text for run in runs(put("HP 5と5", family="mincho"))] == ["HP 5", "と", "5"]
    assert [run.text for run in runs(put("A dogと5 HP", family="mincho"))] == ["A dog", "と", "5 HP"]


def test_a_foreign_text_is_turned_as_a_whole() -> None:
    done = put("Draw 2 cards – or “A” of them, 12 at most!", lang="en", family="body", height=30)
    assert {run.angle for run in runs(done)} == {90}
    assert len(done.frame.lines) > 1
    xs = [run.x for run in runs(done)]
    assert xs == sorted(xs, reverse=True)
    assert all(left > 5 and right < 45 + 0.02 * EM for run in runs(done) for left, _, right, _ in ink(run))


def test_justified_columns_reach_the_foot() -> None:
    """Every column but the last ends exactly at the foot, its last mark's blank left out; marks open first."""
    done = put("珍獣屋の主人は今夜も「フェニックスの卵」を火にかけている。" * 2, height=11.3 * EM, align="justify")
    lines: dict[float, float] = {}
    for run in runs(done):
        for place in stands(run):
            bottom = place.bottom - (0.5 * EM if place.text in "」。、" else 0)
            lines[round(place.middle, 3)] = max(lines.get(round(place.middle, 3), 0), bottom)
    ends = [lines[middle] for middle in sorted(lines, reverse=True)]
    assert len(ends) > 4
    assert ends[:-1] == pytest.approx([10 + 11.3 * EM] * (len(ends) - 1), abs=0.01)


def test_align_is_along_the_column_and_valign_across() -> None:
    length = 3 * EM
    for align, top in (("start", 10), ("middle", 40 - length / 2), ("end", 70 - length)):
        assert stands(runs(put("あいう", align=align))[0])[0].top == pytest.approx(top)
    for valign, middle in (("top", 45 - EM / 2), ("middle", 25), ("bottom", 5 + EM / 2)):
        assert stands(runs(put("あいう", valign=valign))[0])[0].middle == pytest.approx(middle)


def test_size_and_overflow_go_by_width() -> None:
    """Type becomes smaller until the columns fit the width; what does not fit says by how many mm."""
    text = "珍獣屋の主人は今夜も卵を火にかけている。" * 3
    done = put(text, height=30, width=15, size=12, min_size=4)
    assert 4 < done.frame.size < 12
    assert done.overflow == 0
    size = done.frame.size + 0.25
    assert put(text, height=30, width=15, size=size, min_size=size).overflow > 0
    tight = put(text, height=30, width=6, size=8, min_size=8)
    assert tight.overflow > 0
    assert put(text, height=30, width=6 + tight.overflow + 1e-6, size=8, min_size=8).overflow == 0


def test_letter_spacing_opens_between_characters_only() -> None:
    wide = put_line("珍獣12屋A", spacing=200.0)
    assert wide.frame.height == pytest.approx(5.8 * EM)
    tops = [place.top for run in runs(wide) for place in stands(run)]
    assert tops[1] - tops[0] == pytest.approx(1.2 * EM)
    (run,) = runs(put_line("珍獣", anchor="end", spacing=200.0))
    assert stands(run)[-1].bottom == pytest.approx(0)


def test_one_column_stands_at_its_anchor() -> None:
    for anchor, part in (("start", 0.0), ("middle", 0.5), ("end", 1.0)):
        done = put_line("珍獣屋", 30, 40, anchor)
        places = stands(runs(done)[0])
        assert {round(place.middle, 6) for place in places} == {30}
        assert places[0].top == pytest.approx(40 - part * 3 * EM)
        frame = done.frame
        assert (frame.x, frame.width) == pytest.approx((30 - EM / 2, EM))
        assert (frame.y, frame.height) == pytest.approx((40 - part * 3 * EM, 3 * EM))


def test_ruby_stands_at_the_right_of_its_base() -> None:
    base, reading, rest = runs(put("{女神|めがみ}と", size=8))
    assert (base.text, reading.text, rest.text) == ("女神", "めがみ", "と")
    assert reading.size == 4
    places, beside = stands(base), stands(reading)
    assert {round(place.middle, 6) for place in beside} == {round(45 - EM / 4, 6)}
    assert places[0].middle == pytest.approx(45 - EM)
    assert (beside[0].top + beside[-1].bottom) / 2 == pytest.approx((places[0].top + places[-1].bottom) / 2, abs=0.15)
    assert all(right < 45 for _, _, right, _ in ink(reading))


def test_ruby_spreads_its_base_and_overhangs_kana_as_on_lines() -> None:
    kana = [run for run in runs(put("あ{志|こころざし}い")) if run.size == 8]
    kanji = [run for run in runs(put("漢{志|こころざし}漢")) if run.size == 8]
    assert stands(kana[-1])[0].top - stands(kana[0])[0].top == pytest.approx(EM * (1 + 2.5 - 0.5))
    assert stands(kanji[-1])[0].top - stands(kanji[0])[0].top == pytest.approx(EM * (1 + 2.5))
    groups = runs(put("{電子|でん|し}"))
    assert [run.text for run in groups] == ["電", "でん", "子", "し"]


def test_columns_with_ruby_lie_apart() -> None:
    done = put("一二三\n{四|よん}五", leading=1.0)
    first = next(run for run in runs(done) if run.text == "一二三")
    reading = next(run for run in runs(done) if run.size < 8)
    assert max(box[2] for box in ink(reading)) < min(box[0] for box in ink(first))


def test_styles_and_icons_in_a_column() -> None:
    """Bold takes the bold font, colour goes to the run, an icon stands upright on the column's middle, one em long."""
    done = put("あ**い**{bronze:う}{coin}え")
    assert [(run.text, run.font.split("-")[0], run.paint) for run in runs(done)] == [
        ("あ", "BIZUDMincho_400Regular", "ink"),
        ("い", "BIZUDMincho_700Bold", "ink"),
        ("う", "BIZUDMincho_400Regular", "bronze"),
        ("え", "BIZUDMincho_400Regular", "ink"),
    ]
    (placed,) = [item for item in done.items if isinstance(item, PlacedSymbol)]
    a, b, c, d, x, y = placed.matrix
    assert (b, c) == (0, 0)
    assert (a * 24, d * 24) == pytest.approx((EM, EM))
    assert x + a * 12 == pytest.approx(45 - EM / 2)
    assert y == pytest.approx(10 + 3.125 * EM)
    assert stands(runs(done)[-1])[0].top == pytest.approx(10 + 4.25 * EM)


def test_kana_have_the_fonts_own_lengths() -> None:
    font = book().get_chain("gothic", "ja")[0]
    (run,) = runs(put("っ「あ", family="gothic"))
    places = stands(run)
    assert places[1].top - places[0].top == pytest.approx(font.shape_column("っ").advances[0] / 1000 * EM)
    assert font.shape_column("っ").advances[0] < 900


MIXED = "あいうかきっゃー々アイッ漢字運命女神手札、。・：；！？…―〜「」『』（）【】％￥　"
pieces = st.one_of(
    st.text(MIXED, min_size=1, max_size=8),
    st.sampled_from(
        ["12", "7", "123", "!!", "!?", "Fortuna", "Plan B", "A", "＋１２", "――", "……", "「「", "。」", "+2"]
    ),
)
texts = st.lists(pieces, min_size=1, max_size=12).map("".join).map(str.strip).filter(bool)
families = st.sampled_from(["mincho", "body", "gothic"])


FIGURES = frozenset("0123456789０１２３４５６７８９")


def legal(text: str, at: int) -> bool:
    """Whether the tests' own rules let a column end before character `at`."""
    before, behind = text[:at].rstrip(" 　")[-1:], text[at]
    if behind in " 　" or behind in NO_START or before in NO_END or behind in "!?":
        return False
    number = before in FIGURES and behind in FIGURES  # of either width: in a column both stand upright, as one number
    return not number and not (text[at - 1].isascii() and text[at - 1] != " " and behind.isascii())


@examples(120)
@given(texts, st.floats(9, 24), families)
@example("＋１２12――――――", 9.0, "gothic")
@example("――――＋１２1212―", 9.0, "mincho")
@example("――――＋1212１２―", 9.0, "mincho")
def test_no_column_breaks_kinsoku_unless_it_must(text: str, ems: float, family: str) -> None:
    done = put(text, height=ems * EM, width=500, family=family, size=8, min_size=8)
    assume(not done.overflow)  # a word longer than a column is cut
    at = 0
    for column, following in pairwise(done.frame.lines):
        begin = text.index(column, at)
        at = text.index(following, begin + len(column))
        if not legal(text, at):
            assert not [here for here in range(begin + 1, at) if legal(text, here)], (text, column, following)


@examples(80)
@given(texts, st.floats(9, 24), families, st.sampled_from(["start", "end", "justify"]))
def test_text_is_kept_and_ink_stays_in_the_box(text: str, ems: float, family: str, align: str) -> None:
    """All characters come out in order; no ink leaves the box but a stop that hangs below the foot."""
    done = put(text, height=ems * EM, width=500, family=family, align=align, size=8, min_size=8)
    assert said(done) == text
    pitch, right = 1.5 * EM, 505 - EM / 2
    for run in runs(done):
        for place in stands(run):
            column = (right - place.middle) / pitch
            assert column == pytest.approx(round(column), abs=1e-3)
        for (_, top, _, bottom), char in zip(ink(run), run.text.replace("　", "").replace(" ", ""), strict=False):
            hanging = 0.5 * EM if char in "、。" else 0
            assert 10 - 0.08 * EM < top < bottom < 10 + (ems + 0.08) * EM + hanging, char


@examples(120)
@example("0\U00010800", 1.0, "ja", "start", False, 0.0)  # a figure and a letter that runs leftwards
@given(
    st.text(max_size=30),
    st.floats(0.5, 40),
    st.sampled_from(["ja", "en"]),
    st.sampled_from(["start", "middle", "justify"]),
    st.booleans(),
    st.sampled_from([0.0, 150.0]),
)
def test_any_characters_can_be_set(
    text: str, height: float, lang: str, align: Any, phrases: bool, spacing: float
) -> None:
    usual = {"x": 0, "y": 0, "width": 30, "family": "body", "size": 8, "min_size": 6.5, "vertical": True}
    box = TextBox(**usual, height=height, lang=lang, align=align, phrases=phrases, spacing=spacing)  # type: ignore[arg-type]
    done = set_box((Plain(text),), box, book(), lambda _name, _paint: None)
    assert all(len(run.glyphs) == len(run.clusters) for run in runs(done))
    assert all(run.angle == 90 or len(run.places) == len(run.glyphs) for run in runs(done))
