"""Lines of Japanese and English: which characters may start or end them, and how they fill their measure."""

import re
from functools import cache
from itertools import chain, pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests_support import examples

from generator.base.display_list import Item
from generator.game.model import FontFamily
from generator.text.fonts import FontBook
from generator.text.glyph_cache import GlyphCache, get_glyph_cache
from generator.text.glyph_rows import GlyphRow, LineSpot
from generator.text.kinsoku import Phrasing, _compile_pattern, split_japanese
from generator.text.line_breaks import Hyphens, Line, Spacing, fill_lines, wrap_lines
from generator.text.line_items import set_groups
from generator.text.set_text import fit_line

FONTS = Path(__file__).parents[2] / "fonts"
GOTHIC, MINCHO, SANS = "BIZUDPGothic_400Regular.ttf", "BIZUDMincho_400Regular.ttf", "SourceSans3_400Regular.ttf"

# The tests' own rules, written from the brief and not from the code.
NO_START = set("、。，．・：；！？…―—〜～ー々ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ％℃」』）】》〉〕］｝”’")
NO_END = set("「『（【〈《〔［｛“‘￥＄")
HANGING = set("、。，．")


@cache
def book() -> FontBook:
    """Families: `gothic` with Latin from Source Sans, `mincho` alone (full-width punctuation)."""
    gothic = FontFamily(regular={"ja": (SANS, GOTHIC), "en": (SANS,)}, bold={}, italic={})
    mincho = FontFamily(regular={"ja": (MINCHO,)}, bold={}, italic={})
    return FontBook({"gothic": gothic, "mincho": mincho}, lambda name: FONTS / name)


def case(family: str = "gothic", lang: str = "ja", spacing: float = 0.0) -> GlyphCache:
    return get_glyph_cache(book(), family, lang, bold=False, italic=False, spacing=spacing)


def galley(text: str, family: str = "gothic", lang: str = "ja") -> GlyphRow:
    return GlyphRow(case(family, lang).get_groups(text))


def lines(text: str, ems: float, family: str = "mincho") -> list[str]:
    """The lines of a Japanese text in a measure of so many ems (each kana of the Mincho is one em wide)."""
    row = galley(text, family)
    return [said(row, line) for line in fill_lines(row, ems * 1000)]


def said(row: GlyphRow, line: Line) -> str:
    return "".join(row.texts[line.start : line.end])


def words(text: str, ems: float, hyphenate: bool = False, manner: Spacing | None = None) -> list[str]:
    wrapped = wrap_lines(galley(text, lang="en"), ems * 1000, manner or Spacing(), Hyphens("en") if hyphenate else None)
    assert wrapped
    return [said(wrapped[0], line) for line in wrapped[1]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ああああああああああ", ["ああああああああ", "ああ"]),
        ("ああああああああーい", ["あああああああ", "あーい"]),  # pushed out: nothing gives way
        ("あああああああっっい", ["ああああああ", "あっっい"]),
        ("あああああああ「いい", ["あああああああ", "「いい"]),  # no opening bracket at the end
        ("ああああああああ。い", ["ああああああああ。", "い"]),  # hangs
        ("あああああ、ああ。い", ["あああああ、ああ。", "い"]),  # pulled in: the comma's blank gives way
        ("ああああ・あああ。い", ["ああああ・あああ。", "い"]),
        ("あああああ、あ」いい", ["あああああ、あ」", "いい"]),
        ("ああああああ「あ」いい", ["ああああああ「あ」", "いい"]),
        ("ああああああ）」いい", ["ああああああ）」", "いい"]),  # one blank between the two
        ("ああああああ……い", ["ああああああ……", "い"]),
        ("あああああああ……い", ["ああああああ", "あ……い"]),  # leaders stay together and never start a line
        ("あああああああ――い", ["ああああああ", "あ――い"]),
        ("ああああああ12,345点", ["ああああああ", "12,345点"]),
        ("ああああああ3.5%です", ["ああああああ", "3.5%です"]),
        ("ああああああ５０％です", ["ああああああ", "５０％です"]),
        ("ああああああ1〜10枚", ["ああああああ", "1〜10枚"]),
        ("あああああああ5kmです", ["あああああああ", "5kmです"]),
        ("あああああああ ccc です", ["あああああああ", "ccc です"]),
        ("ああああああ￥ああ", ["ああああああ￥あ", "あ"]),
        ("あああああああ￥ああ", ["あああああああ", "￥ああ"]),
        ("ああああああああ！？い", ["あああああああ", "あ！？い"]),
        ("ああああああああ　い", ["ああああああああ", "い"]),  # a full-width space at the edge is dropped
        ("ああああああああ　　　　　　い", ["ああああああああ", "い"]),
    ],
)
def test_japanese_lines_of_eight_ems(text: str, expected: list[str]) -> None:
    """Forbidden characters are pulled in where blanks allow it, stops hang, all else is pushed out."""
    assert lines(text, 8) == expected


def test_forbidden_everywhere_is_cut_where_it_is_full() -> None:
    assert lines("ーーーーーーーーーー", 4) == ["ーーーー", "ーーーー", "ーー"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [("3.5命―", ["3.5", "命―"]), ("12345枚。」", ["12345", "枚。」"]), ("第1234！", ["第", "1234！"])],
)
def test_a_number_leaves_its_counter_before_a_mark_stands_first(text: str, expected: list[str]) -> None:
    assert lines(text, 3, "gothic") == expected


def test_adjoining_punctuation_shares_one_blank() -> None:
    alone = {mark: galley(f"あ{mark}あ", "mincho").ends[1] - 1000 for mark in "「」、。"}
    assert set(alone.values()) == {1000.0}
    for pair in ("」「", "。」", "、「", "「「", "」」", "」、"):
        row = galley(f"あ{pair}あ", "mincho")
        assert row.ends[2] - row.ends[0] == pytest.approx(1500), pair
    assert galley("「あ」", "mincho").measure_width(0, 3) == pytest.approx(2000)


def test_blanks_are_the_glyphs_own() -> None:
    stop = case("gothic")["。"]
    assert 100 < stop.right < 250
    wide = case("mincho")["。"]
    assert wide.right == 500


def test_quarter_em_beside_latin_only_where_nothing_else_stands() -> None:
    room = {
        text: galley(text).rooms[1]
        for text in ("あA", "Aあ", "あ1", "1あ", "、A", "A、", "（A", "A）", "あ ", "1％", "〜1")
    }
    quarter = {text for text, width in room.items() if width == 250}
    assert quarter == {"あA", "Aあ", "あ1", "1あ"}
    assert all(width == 0 for text, width in room.items() if text not in quarter)


def test_justified_line_opens_punctuation_first_then_latin_then_all() -> None:
    """A little slack goes behind the comma; more beside the figure; the rest evenly between all characters."""
    row = galley("ああ、あ1あ「あ」ああ")
    assert row.get_natural_rooms(0, 11)[2:4] == [0, 250]
    little = fit_line(row, 0, 11, 100)
    assert [round(room) for room in little[:2]] == [0, 0]
    assert little[2] > 0
    assert little[3] == 250
    more = fit_line(row, 0, 11, 850)
    assert more[3] > 250
    assert more[0] == 0
    much = fit_line(row, 0, 11, 2000)
    assert much[0] > 0
    assert sum(much) - sum(row.get_natural_rooms(0, 11)) == pytest.approx(2000)


def test_tightened_line_closes_blanks_before_the_quarter_ems() -> None:
    row = galley("ああ、あ1あ「あ」ああ", "mincho")
    slight = fit_line(row, 0, 11, -300)
    assert slight[3] == 250
    assert sum(slight) - sum(row.get_natural_rooms(0, 11)) == pytest.approx(-300)
    strong = fit_line(row, 0, 11, -5000)
    assert strong[3] == 125


def test_a_line_with_few_gaps_stays_ragged() -> None:
    row = galley("ああ")
    assert fit_line(row, 0, 2, 4000) == row.get_natural_rooms(0, 2)
    assert fit_line(row, 0, 1, 300) == [0.0]


JAPANESE = "あいうかきっゃゅ々ーアイッ漢字運命女神手札引捨、。，．・：；！？…―〜「」『』（）【】“”￥％℃　"
pieces = st.one_of(
    st.text(JAPANESE, min_size=1, max_size=8),
    st.sampled_from(
        ["12,345", "3.5", "10%", "5km", "Fortuna", "Wheel of", " HP ", "――", "……", "「「", "。」", "）、", "a"]
    ),
)
texts = st.lists(pieces, min_size=1, max_size=14).map("".join).map(str.strip).filter(bool)
measures = st.floats(3, 30)


def legal(text: str, at: int) -> bool:
    """Whether the tests' own rules let a line end before character `at`."""
    before, behind = text[at - 1], text[at]
    if behind in " 　":
        return False
    pair = text[:at].rstrip(" 　")[-1:], behind
    if pair[1] in NO_START or pair[0] in NO_END or re.match("[.,%]", pair[1]):
        return False
    if before in "〜～" and behind.isdigit():
        return False
    return not (before.isascii() and before != " " and behind.isascii())


@examples(150)
@given(texts, measures, st.sampled_from(["gothic", "mincho"]))
def test_no_line_breaks_kinsoku_unless_it_must(text: str, ems: float, family: str) -> None:
    """A line ends illegally only if it has no legal break inside: not one position after its first character."""
    row = galley(text, family)
    broken = fill_lines(row, max(ems * 1000, *row.widths))
    at = 0
    for line in broken[:-1]:
        begin = at
        at += sum(map(len, row.texts[line.start : line.after]))
        if not legal(text, at):
            inside = range(begin + 1, at)
            assert not [here for here in inside if legal(text, here)], (text, text[begin:at])
    assert "".join(row.texts) == text
    assert [line.start for line in broken[1:]] == [line.after for line in broken[:-1]]
    assert broken[-1].after == len(row.texts)
    assert [line.last for line in broken] == [False] * (len(broken) - 1) + [True]


@examples(150)
@given(texts, measures, st.sampled_from(["gothic", "mincho"]))
def test_lines_fit_when_tightened(text: str, ems: float, family: str) -> None:
    row = galley(text, family)
    measure = max(ems * 1000, *row.widths)
    for line in fill_lines(row, measure):
        edge = line.end - line.hangs
        if line.hangs:
            assert row.texts[edge] in HANGING
        over = row.measure_width(line.start, edge) - measure
        if over > 0:
            rooms = fit_line(row, line.start, edge, -over)
            tightened = sum(row.get_natural_rooms(line.start, edge)) - sum(rooms)
            assert tightened == pytest.approx(over, abs=0.6)
            assert all(
                room >= before - 500.01 for room, before in zip(rooms, row.rooms[line.start + 1 :], strict=False)
            )


@examples(100)
@given(texts, st.floats(0, 6000))
def test_justifying_gives_exactly_the_slack_or_nothing(text: str, slack: float) -> None:
    row = galley(text)
    end = max(row.trim_spaces(0, len(row.texts)), 1)
    gained = sum(fit_line(row, 0, end, slack)) - sum(row.get_natural_rooms(0, end))
    assert gained == pytest.approx(slack, abs=0.01) or gained == 0
    assert fit_line(row, 0, end, slack)[-1] == 0


def test_english_breaks_at_spaces_hyphens_and_dashes() -> None:
    """Behind a hyphen or a dash between letters a line may end; not in figures, dates or a short prefix."""
    assert words("a well-known card—then more", 6) == ["a well-known", "card—then", "more"]
    row = galley("well-known card—then and/or 3–4 1-2 e-mail 2-player don’t 1,000.50", lang="en")
    assert [text for text in row.texts if text != " "] == [
        "well-", "known", "card—", "then", "and/", "or", "3–4", "1-2", "e-mail", "2-player", "don’t", "1,000.50",
    ]  # fmt: skip


def test_english_lines_come_out_even() -> None:
    """The breaks are chosen together: no full line beside a nearly empty one where the words allow better."""
    text = "Draw a card, then discard any two cards that show the same icon."
    widths = [len(line) for line in words(text, 13)]
    assert max(widths[:-1]) - min(widths[:-1]) <= 6
    text = "aaa bbb ccc ddddd"
    ems = galley("aaa bbb ccc", lang="en").measure_width(0, 5) / 1000
    assert words(text, ems) == ["aaa bbb ccc", "ddddd"]
    assert words(text, ems, manner=Spacing(even_last=True)) == ["aaa bbb", "ccc ddddd"]


def test_a_last_line_is_no_single_short_word() -> None:
    assert words("Take one card of the pile to go", 11.2)[-1] != "go"


def test_hyphenation_is_a_last_resort_with_limits() -> None:
    """Only where lines would be too uneven; never a capitalised word, nor the last one."""
    text = "take it simultaneously and immediately from any player of the four"
    hyphenated = words(text, 8, hyphenate=True)
    parted = [line for line in hyphenated if line.endswith("\u00ad")]
    assert parted
    assert words(text.title(), 8, hyphenate=True) == words(text.title(), 8)
    assert words("take the consideration", 7.5, hyphenate=True) == ["take the", "consideration"]
    assert words("take the consideration of", 7.5, hyphenate=True) == ["take the consider\u00ad", "ation of"]
    assert words(text, 30, hyphenate=True) == words(text, 30)


def test_no_three_lines_in_a_row_end_in_a_hyphen() -> None:
    text = "simultaneously the competition preparation of consideration of"
    ends = "".join("h" if line.endswith("\u00ad") else "." for line in words(text, 6.5, hyphenate=True))
    assert "h" in ends
    assert "hhh" not in ends


ENGLISH = [
    "draw", "discard", "consideration", "immediately", "the", "a", "of", "well-known", "simultaneously", "card",
    "opponents'", "victory", "(points)",
]  # fmt: skip


@examples(60)
@given(st.lists(st.sampled_from(ENGLISH), min_size=1, max_size=25), st.floats(7, 25), st.booleans())
def test_english_keeps_the_text_and_the_measure(chosen: list[str], ems: float, justified: bool) -> None:
    """Without the hyphens the lines are the text; none is too long; at most two in a row end in a hyphen."""
    text = " ".join(chosen)
    wrapped = wrap_lines(galley(text, lang="en"), ems * 1000, Spacing(justified), Hyphens("en"))
    assert wrapped
    row, broken = wrapped
    assert "".join(row.texts).replace("\u00ad", "") == text
    for line in broken:
        over = row.measure_width(line.start, line.end) - ems * 1000
        room = sum(gap.close + gap.tighten for gap in row.find_gaps(line.start, line.end)[1])
        assert over <= (room if justified else 0) + 1.1
    ends = "".join("h" if said(row, line).endswith("\u00ad") else "." for line in broken)
    assert "hhh" not in ends
    assert not ends.endswith("h")


def test_soft_hyphens_in_the_text_come_first() -> None:
    wrapped = wrap_lines(galley("a Wheelof\u00adfortune of it", lang="en"), 6000, Spacing(), Hyphens("en"))
    assert wrapped
    assert [said(wrapped[0], line) for line in wrapped[1]] == ["a Wheelof\u00ad", "fortune of it"]


def test_titles_break_between_phrases_only() -> None:
    def phrases(text: str) -> list[str]:
        row = galley(text).break_at_phrases(Phrasing("ja"))
        cuts = [0, *(at for at, code in enumerate(row.codes) if at and not code & 1), len(row.texts)]
        return ["".join(row.texts[start:end]) for start, end in pairwise(cuts)]

    assert phrases("運命の女神") == ["運命の", "女神"]
    assert phrases("捨て札置き場から引く") == ["捨て札置き場から", "引く"]
    assert phrases("リールカード、稲妻と「兜」") == ["リールカード、", "稲妻と", "「兜」"]
    assert phrases("三枚　引く") == ["三枚　", "引く"]


def test_widest_part_is_what_no_line_may_break() -> None:
    row = galley("a wheel (fortune), b", lang="en")
    assert row.measure_widest_chunk() == pytest.approx(galley("(fortune),", lang="en").measure_width(0, 1))


@examples(300)
@given(
    st.text(st.sampled_from("あがっー山１２9 0Aa、。「」（・\u3000\u0301\u3099\ufe0f\u00ad\u200bｱ한\n"), max_size=14)
)
def test_pieces_of_japanese_are_those_of_the_pattern(text: str) -> None:
    assert [*chain.from_iterable(split_japanese(text))] == _compile_pattern(cjk=True).findall(text)


@examples(300)
@given(
    st.text(st.sampled_from("あがっー山川番９9 Aa、。「」（・：\u3000\u200b1fi"), min_size=1, max_size=40),
    measures,
    st.sampled_from(["gothic", "mincho"]),
    st.sampled_from([0.0, 50.0, -30.0]),
)
def test_a_line_as_it_comes_is_one_with_its_rooms(text: str, ems: float, family: str, spacing: float) -> None:
    row = GlyphRow(case(family, spacing=spacing).get_groups(text))
    spot = LineSpot(3.0, 5.0, 8.0, "ink", 60.0)
    for line in fill_lines(row, ems * 1000):
        if line.end > line.start:
            as_it_comes: list[Item] = []
            told: list[Item] = []
            set_groups(row, line.start, line.end, line.after, None, spot, as_it_comes)
            set_groups(row, line.start, line.end, line.after, row.get_natural_rooms(line.start, line.end), spot, told)
            assert as_it_comes == told


@pytest.mark.parametrize("ems", range(4, 16))
def test_a_number_and_its_unit_are_one(ems: int) -> None:
    """5 mm, 2 VP, p. 12, E 3: no line ends between them; it may behind a number before another word."""
    lines = words("It is 5 mm high, worth 2 VP to 4 players (see p. 12 and E 3).", ems)
    for one in ("5 mm", "2 VP", "p. 12", "E 3"):
        assert any(one in line for line in lines)


def test_a_number_may_part_from_other_words() -> None:
    """Of players there may be 4 on one line and what they are on the next."""
    assert words("aaaa 4 players", 3.5) == ["aaaa 4", "players"]
