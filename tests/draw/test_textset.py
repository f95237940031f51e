"""Rich text set in boxes and on lines: what comes out, where it stands, and what is said when it does not fit."""

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests_support import examples

from generator.base.display_list import Paint, PlacedSymbol, Symbol, TextRun
from generator.base.geometry import MM_PER_PT
from generator.game.model import FontFamily
from generator.game.rich_text import Plain, parse_markup
from generator.text import paragraphs
from generator.text.fonts import FontBook
from generator.text.glyph_cache import get_glyph_cache
from generator.text.glyph_rows import GlyphRow, SetText, TextBox
from generator.text.set_text import set_box, set_line

FONTS = Path(__file__).parents[2] / "fonts"
GOTHIC, GOTHIC_BOLD, SANS = "BIZUDPGothic_400Regular.ttf", "BIZUDPGothic_700Bold.ttf", "SourceSans3_400Regular.ttf"
COIN = Symbol("icon:coin", (), (0, 0, 24, 24))
CLOSING = "」』）】。、，．”"


def new_book() -> FontBook:
    """Families: `body` (Source Sans with BIZ UDPGothic), `mincho` (one font, full-width punctuation)."""
    body = FontFamily(
        regular={"ja": (SANS, GOTHIC), "en": (SANS,)},
        bold={"ja": ("SourceSans3_700Bold.ttf", GOTHIC_BOLD)},
        italic={"en": ("SourceSans3_400Regular_Italic.ttf",)},
    )
    mincho = FontFamily(regular={"ja": ("BIZUDMincho_400Regular.ttf",)}, bold={}, italic={})
    return FontBook({"body": body, "mincho": mincho}, lambda name: FONTS / name)


@cache
def book() -> FontBook:
    return new_book()


def icon(name: str, _paint: Paint) -> Symbol | None:
    return COIN if name == "coin" else None


def box(**changed: Any) -> TextBox:
    """A box of 53 by 30 mm at (5, 50) for Japanese of 7.5 pt."""
    usual = {"x": 5, "y": 50, "width": 53, "height": 30, "family": "body", "size": 7.5, "min_size": 6.5, "lang": "ja"}
    return TextBox(**(usual | changed))


def put(text: str, **changed: Any) -> SetText:
    return set_box(parse_markup(text), box(**changed), book(), icon)


def runs(done: SetText) -> list[TextRun]:
    return [item for item in done.items if isinstance(item, TextRun)]


def rows(done: SetText) -> list[list[TextRun]]:
    """The runs line by line, from top to bottom."""
    found: dict[float, list[TextRun]] = {}
    for run in runs(done):
        found.setdefault(round(run.y, 4), []).append(run)
    return [found[y] for y in sorted(found)]


def pens(run: TextRun) -> list[float]:
    """Where each glyph of a run starts, and where the last one ends, in mm."""
    font, scale = book().get_font(run.font), run.size * MM_PER_PT / 1000
    advances = run.advances or tuple(font.measure_advance(glyph) for glyph in run.glyphs)
    places = [run.x]
    for advance in advances:
        places.append(places[-1] + advance * scale)
    return places


def ink(row: list[TextRun]) -> tuple[float, float]:
    """Left and right end of a line's ink, mm."""
    lefts, rights = [], []
    for run in row:
        font, scale = book().get_font(run.font), run.size * MM_PER_PT / 1000
        for glyph, x in zip(run.glyphs, pens(run), strict=False):
            edges = font.measure_ink(glyph)
            if edges:
                lefts.append(x + edges[0] * scale)
                rights.append(x + edges[2] * scale)
    return min(lefts), max(rights)


def right_edge(row: list[TextRun]) -> float:
    """Where a line ends without the blank of its last mark, mm."""
    run = next(run for run in reversed(row) if run.text.strip())
    font, scale = book().get_font(run.font), run.size * MM_PER_PT / 1000
    shown = [index for index, cluster in enumerate(run.clusters) if cluster.strip()]
    last = shown[-1]
    x = pens(run)[last]
    edges = font.measure_ink(run.glyphs[last])
    advance = font.measure_advance(run.glyphs[last])
    if run.clusters[last] in CLOSING and edges:
        advance -= min(max(advance - edges[2] - max(edges[0], 0), 0), 500)
    return x + advance * scale


RULE = (
    "手札から、1枚（リール）を選び、捨て札に置く。その後、山札から2枚を引いて「稲妻」の数字を9まで進めてもよい。"
    "ただし、5km以内の“Fortuna”には使えない……。"
)


def test_a_card_text_line_by_line() -> None:
    done = put(RULE)
    assert done.frame.lines == ("手札から、1枚（リール）を選び、捨て札に置く。", "その後、山札から2枚を引いて「稲妻」の数字", "を9まで進めてもよい。ただし、5km以内の", "“Fortuna”には使えない……。")  # fmt: skip
    assert done.frame.text == RULE
    assert (done.frame.size, done.overflow, done.missing, done.unknown_icons) == (7.5, 0.0, (), ())


def test_runs_come_in_reading_order_with_their_fonts() -> None:
    done = put(RULE)
    assert "".join(run.text for run in runs(done)) == RULE
    by_font: dict[str, str] = {}
    for run in runs(done):
        by_font[run.font] = by_font.get(run.font, "") + run.text
    latin = next(text for key, text in by_font.items() if key.startswith("SourceSans3"))
    assert latin == "1295kmFortuna"
    assert len(by_font) == 2


def test_unjustified_japanese_has_natural_advances() -> None:
    assert all(run.advances == () for run in runs(put("運命の女神が、手札を見る。")))


def test_justified_lines_end_at_the_edge() -> None:
    """Every line but the last reaches exactly to the box's right edge; a bracket at its start is flush left."""
    done = put(RULE, align="justify")
    lines = rows(done)
    assert [round(right_edge(line) - 58, 3) for line in lines[:-1]] == [0, 0, 0]
    assert right_edge(lines[-1]) < 50
    flush = put("「稲妻」のあるとき", family="mincho")
    assert 5 < ink(rows(flush)[0])[0] < 5.5
    assert runs(flush)[0].x < 5


def test_stops_may_hang_past_the_edge() -> None:
    em = 7.5 * MM_PER_PT
    done = put("ああああああああ。いいい", family="mincho", width=8 * em, align="justify")
    first = rows(done)[0]
    assert done.frame.lines[0] == "ああああああああ。"
    assert pens(first[0])[8] == pytest.approx(5 + 8 * em)
    assert 58 > ink(first)[1] > 5 + 8 * em


def test_alignment_places_the_ink_not_the_blanks() -> None:
    em = 7.5 * MM_PER_PT
    middle = put("「ああ」", family="mincho", align="middle")
    assert runs(middle)[0].x + em / 2 == pytest.approx(5 + (53 - 3 * em) / 2)
    end = put("ああ。", family="mincho", align="end")
    assert runs(end)[0].x == pytest.approx(5 + 53 - 2.5 * em)


def test_the_largest_size_that_fits_is_taken() -> None:
    done = put(RULE, height=12, size=9, min_size=5)
    size = done.frame.size
    assert 5 < size < 9
    assert done.overflow == 0
    assert put(RULE, height=12, size=size, min_size=size).overflow == 0
    assert put(RULE, height=12, size=size + 0.25, min_size=size + 0.25).overflow > 0


def test_too_tall_a_text_is_set_at_the_smallest_size_and_said() -> None:
    """What does not fit comes out at min_size with its overflow in mm: so much higher a box would hold it."""
    done = put(RULE, height=6)
    assert done.frame.size == 6.5
    assert done.overflow > 0
    assert "".join(run.text for run in runs(done)) == RULE
    assert put(RULE, height=6 + done.overflow + 1e-6, size=6.5).overflow == 0


def test_too_wide_a_word_is_cut_and_said() -> None:
    done = put("uncharacteristically", lang="en", width=14, hyphenate=False)
    assert done.frame.size == 6.5
    whole = set_line(parse_markup("uncharacteristically"), 0, 0, box(lang="en", size=6.5), "start", book(), icon)
    assert done.overflow == pytest.approx(whole.frame.width - 14)
    assert "".join(done.frame.lines) == "uncharacteristically"
    assert all(ink(row)[1] < 5 + 14 + 0.2 for row in rows(done))
    hyphenated = put("uncharacteristically so", lang="en", width=18)
    assert hyphenated.overflow == 0
    assert "\u00ad" in hyphenated.frame.lines[0]


def test_first_baseline_and_line_pitch() -> None:
    """Leading is by the size: 1.5 in Japanese, 1.25 in English, or as asked for; the type's top touches the box."""
    em = 7.5 * MM_PER_PT
    for changed, pitch in (({}, 1.5), ({"lang": "en"}, 1.25), ({"leading": 1.7}, 1.7)):
        done = put("One\ntwo" if changed.get("lang") else "一\n二", **changed)
        first, second = (row[0].y for row in rows(done))
        assert second - first == pytest.approx(pitch * em)
    assert rows(put("一"))[0][0].y == pytest.approx(50 + 0.88 * em)
    assert rows(put("One", lang="en"))[0][0].y == pytest.approx(50 + 0.712 * em, abs=0.01)


def test_blank_line_is_half_a_line() -> None:
    em = 7.5 * MM_PER_PT
    ys = [row[0].y for row in rows(put("\n一\n二\n\n三\n\n\n四\n"))]
    assert [round((b - a) / em, 3) for a, b in pairwise(ys)] == [1.5, 2.25, 2.25]
    assert ys[0] == pytest.approx(50 + 0.88 * em)


def test_valign_places_the_block() -> None:
    """At the bottom the type's lowest part touches the box; in the middle figures are centred by their height."""
    em = 7.5 * MM_PER_PT
    assert runs(put("一", valign="bottom"))[0].y == pytest.approx(80 - 0.12 * em)
    assert runs(put("一", valign="middle"))[0].y == pytest.approx(65 + 0.38 * em)
    run = runs(put("6", valign="middle", size=30))[0]
    _, low, _, high = book().get_font(run.font).measure_ink(run.glyphs[0]) or (0, 0, 0, 0)
    assert run.y - (low + high) / 2 * 30 * MM_PER_PT / 1000 == pytest.approx(65, abs=0.15)


def test_icons_stand_on_the_line() -> None:
    em = 8 * MM_PER_PT
    japanese = put("小麦{coin}を", size=8)
    (placed,) = [item for item in japanese.items if isinstance(item, PlacedSymbol)]
    base = runs(japanese)[0].y
    assert placed.symbol.name == "icon:coin"
    assert placed.role == "icon"
    assert placed.matrix[0] * 24 == pytest.approx(em)
    assert placed.matrix[5] == pytest.approx(base - 0.88 * em)
    assert runs(japanese)[0].x + 2.125 * em == pytest.approx(placed.matrix[4], abs=0.03)
    english = put("Take {coin} now", size=8, lang="en")
    (placed,) = [item for item in english.items if isinstance(item, PlacedSymbol)]
    base, capital = runs(english)[0].y, 0.66 * em
    assert placed.matrix[0] * 24 == pytest.approx(1.15 * capital, abs=0.02)
    top, bottom = placed.matrix[5], placed.matrix[5] + placed.matrix[0] * 24
    assert base < bottom < base + 0.1 * capital
    assert base - capital > top > base - 1.1 * capital


def test_icons_break_like_ideographs() -> None:
    em = 7.5 * MM_PER_PT
    done = put("ああああああ3{coin}を", family="mincho", width=7.8 * em)
    assert done.frame.lines == ("ああああああ", "3を")
    done = put("ああああああ{coin}。いいいい", family="mincho", width=7.2 * em)
    assert done.frame.lines[0] == "ああああああ。"
    assert len(put("{coin}{coin}{coin}{coin}", width=2.3 * em).frame.lines) == 2
    assert len(put("あ\u200b{coin}").items) == 2


def test_unknown_icons_are_listed_once() -> None:
    done = put("あ{con}い{con}{x}")
    assert done.unknown_icons == ("con", "x")
    assert "".join(run.text for run in runs(done)) == "あい"


def test_bold_emphasis_and_colour() -> None:
    done = put("あ**い**{bronze:う}*え*お")
    assert [(run.text, run.font.split("-")[0], run.paint) for run in runs(done)] == [
        ("あ", "BIZUDPGothic_400Regular", "ink"),
        ("い", "BIZUDPGothic_700Bold", "ink"),
        ("う", "BIZUDPGothic_400Regular", "bronze"),
        ("えお", "BIZUDPGothic_400Regular", "ink"),
    ]
    italic = runs(put("a *b*", lang="en"))
    assert [run.font.split("-")[0] for run in italic] == ["SourceSans3_400Regular", "SourceSans3_400Regular_Italic"]
    assert {run.paint for run in runs(put("あ1", paint="ivory"))} == {"ivory"}


def test_kinsoku_holds_across_runs() -> None:
    """A bold boundary is no place to break: not before a stop, not inside a word, not behind a bracket."""
    em = 7.5 * MM_PER_PT
    assert put("ああああああああ**ー**いいい", family="mincho", width=8 * em).frame.lines[0] == "あああああああ"
    assert put("あああああああ「**い**いいい", family="mincho", width=8 * em).frame.lines[0] == "あああああああ"
    assert put("a word par**tly** bold", lang="en", width=14).frame.lines[0] == "a word"


def test_ruby_stands_over_its_base() -> None:
    """Half the size, centred over the base, emitted behind it; no smaller than 3.5 pt."""
    done = put("{女神|めがみ}と", size=10, family="mincho")
    base, ruby, rest = runs(done)
    assert (base.text, ruby.text, rest.text) == ("女神", "めがみ", "と")
    assert ruby.size == 5
    assert ruby.y < base.y - 0.8 * 10 * MM_PER_PT
    middle = (ink([ruby])[0] + ink([ruby])[1]) / 2
    assert middle == pytest.approx((ink([base])[0] + ink([base])[1]) / 2, abs=0.1)
    small = runs(put("{女神|めがみ}", size=6, min_size=6, family="mincho"))[1]
    assert small.size == 3.5


def test_ruby_wider_than_its_base_spreads_it_or_overhangs_kana() -> None:
    em = 10 * MM_PER_PT
    between_kana = runs(put("あ{志|こころざし}い", size=10, family="mincho"))
    assert between_kana[-1].x - between_kana[0].x == pytest.approx(em * (1 + 2.5 - 0.5))
    between_kanji = runs(put("漢{志|こころざし}漢", size=10, family="mincho"))
    assert between_kanji[-1].x - between_kanji[0].x == pytest.approx(em * (1 + 2.5))
    reading = next(run for run in between_kanji if run.text == "こころざし")
    assert reading.x == pytest.approx(between_kanji[0].x + em)


def test_ruby_at_the_lines_ends_stays_in_the_box() -> None:
    for width in (10.6, 11.6, 13.0, 16.0):
        for row in rows(put("ああ{志|こころざし}いい{志|こころざし}う", size=10, family="mincho", width=width)):
            left, right = ink(row)
            assert left >= 5
            assert right <= 5 + width + 0.01


def test_ruby_makes_room_for_itself() -> None:
    """Lines with ruby lie far enough apart, and the first one low enough, for readings to clear all else."""
    done = put("{一|いち}二三四五六七八{九|きゅう}十", family="mincho", width=13, leading=1.2, size=7.5)
    bases = sorted({run.y for run in runs(done) if run.size == 7.5})
    readings = [run for run in runs(done) if run.size < 7.5]
    em = 7.5 * MM_PER_PT
    assert len(bases) >= 2
    for reading in readings:
        top = reading.y - 0.88 * reading.size * MM_PER_PT
        above = [y for y in bases if y < reading.y]
        assert top >= (max(above) + 0.12 * em if above else 50 - 0.01)


def test_ruby_breaks_between_groups_only() -> None:
    em = 7.5 * MM_PER_PT
    whole = put("ああああああ{電子|でんし}機いい", family="mincho", width=7 * em)
    assert whole.frame.lines == ("ああああああ", "電子機いい")
    assert put("ああああああ{電子|でん|し}機", family="mincho", width=7 * em).frame.lines == ("ああああああ電", "子機")


def test_missing_characters_are_listed_once_and_take_no_room() -> None:
    done = put("あ\U0001f0a1い\U0001f0a1\u200bう\u00ad\ufe0eえ")
    assert done.missing == ("\U0001f0a1",)
    assert "".join(run.text for run in runs(done)).replace("\ufe0e", "") == "あいうえ"
    assert right_edge(rows(done)[0]) == pytest.approx(right_edge(rows(put("あいうえ"))[0]))
    assert put("葛\U000e0100が\u3099").missing == ()


def test_characters_without_a_font_at_all() -> None:
    absent = FontBook({"body": FontFamily({"ja": ("x.ttf",)}, {}, {})}, lambda _name: None)
    done = set_box((Plain("あa"),), box(), absent, icon)
    assert done.missing == ("あ", "a")
    assert done.items == ()


def test_trailing_spaces_keep_their_place_in_the_text() -> None:
    """The space at a line's end is a glyph without width, so that extracted words do not run together."""
    done = put("Draw a card and discard another one at once", lang="en", width=20)
    assert "".join(run.text for run in runs(done)) == "Draw a card and discard another one at once"
    for row in rows(done)[:-1]:
        assert row[-1].clusters[-1] == " "
        assert pens(row[-1])[-1] == pytest.approx(pens(row[-1])[-2])
        assert pens(row[-1])[-1] <= 25.01


def test_a_last_line_is_no_single_character() -> None:
    em = 7.5 * MM_PER_PT
    assert put("あ" * 17, family="mincho", width=8 * em).frame.lines == ("あ" * 8, "あ" * 7, "ああ")


def test_titles_break_at_phrases_or_become_smaller() -> None:
    assert put("運命の女神と車輪", phrases=True, text_role="title", width=18, size=10).frame.lines == ("運命の", "女神と車輪")  # fmt: skip
    done = put("ホイールオブフォーチュンのはじまり", phrases=True, text_role="title", width=34, size=11)
    assert done.frame.lines == ("ホイールオブフォーチュンの", "はじまり")
    assert done.frame.size < 11
    cut = put("ホイールオブフォーチュン", phrases=True, text_role="title", width=10, size=11, height=60)
    assert (cut.frame.size, cut.overflow) == (10.25, 0)  # フォー, which no line may part, has room at that size
    assert len(cut.frame.lines) > 4


def test_lines_stand_at_their_anchor() -> None:
    for anchor, part in (("start", 0.0), ("middle", 0.5), ("end", 1.0)):
        done = set_line(parse_markup("運命の\n女神"), 30, 40, box(), anchor, book(), icon)  # type: ignore[arg-type]
        (row,) = rows(done)
        assert row[0].y == 40
        assert row[0].x == pytest.approx(30 - part * done.frame.width)
        assert right_edge(row) == pytest.approx(30 + (1 - part) * done.frame.width)
        assert "".join(run.text for run in row) == "運命の 女神"


def test_letter_spacing_opens_between_letters_only() -> None:
    plain = set_line(parse_markup("office"), 0, 0, box(lang="en"), "start", book(), icon)
    wide = set_line(parse_markup("office"), 0, 0, box(lang="en", spacing=100.0), "middle", book(), icon)
    assert len(runs(wide)[0].glyphs) == 6
    assert wide.frame.width - plain.frame.width == pytest.approx(5 * 0.1 * 7.5 * MM_PER_PT, abs=0.05)
    assert runs(wide)[0].x == pytest.approx(-wide.frame.width / 2)


def test_empty_text_sets_nothing() -> None:
    for text in ("", " ", "\n\n"):
        done = put(text)
        assert (done.items, done.overflow) == ((), 0)
        assert done.frame.width == 53


def test_what_was_set_before_changes_nothing() -> None:
    """A book that has set other texts, soft hyphens too, gives the same result as a new one."""
    words = ["take con\u00adsideration of it", "take consideration of it", "Take Consideration of it"]
    asked = [(text, box(lang="en", width=18)) for text in words] + [(RULE, box()), ("{女神|めがみ}{coin}", box())]
    alone = [set_box(parse_markup(text), where, new_book(), icon) for text, where in asked]
    assert alone[0].frame.lines[0] != alone[1].frame.lines[0] != alone[2].frame.lines[0]
    for order in (range(len(asked)), reversed(range(len(asked)))):
        together = new_book()
        for index in order:
            text, where = asked[index]
            assert set_box(parse_markup(text), where, together, icon) == alone[index]


pieces = st.one_of(
    st.text("あいうかきっゃゅー漢字運命女神手札、。・：！？…―〜「」（）“”￥％　", min_size=1, max_size=8),
    st.sampled_from(["12,345", "3.5", "10%", "5km", "Fortuna ", " of the", "――", "……", "「「", "。」"]),
)
texts = st.lists(pieces, min_size=1, max_size=12).map("".join).filter(str.strip)


@examples(80)
@given(texts, st.floats(5.3, 24), st.sampled_from(["body", "mincho"]), st.sampled_from(["start", "end", "justify"]))
def test_text_is_kept_and_ink_stays_in_the_box(text: str, ems: float, family: str, align: str) -> None:
    """All characters come out, in order; no ink leaves the box but a hanging stop at the right."""
    em = 7.5 * MM_PER_PT
    done = put(text, width=ems * em, height=500, family=family, align=align)
    assert "".join(run.text for run in runs(done)) == text
    for row in rows(done):
        if not "".join(run.text for run in row).strip():
            continue
        left, right = ink(row)
        hanging = 0.5 * em if "".join(run.text for run in row).rstrip()[-1] in "、。" else 0.0
        assert left > 5 - 0.05 * em
        assert right < 5 + ems * em + hanging + 0.05 * em


@examples(60)
@given(texts, st.floats(8, 24), st.sampled_from(["body", "mincho"]))
def test_justified_lines_reach_the_edge(text: str, ems: float, family: str) -> None:
    """A line that is mostly kana and ideographs, and not the last, ends at the edge within 0.01 mm."""
    em = 7.5 * MM_PER_PT
    done = put(text + "漢" * 60, width=ems * em, height=500, family=family, align="justify")
    lines = rows(done)
    for row, said in zip(lines[:-1], done.frame.lines, strict=False):
        if sum("ぁ" <= char <= "龠" for char in said) < ems * 0.8 or said[-1] in "・：":
            continue
        edge = 5 + ems * em
        if said[-1] in "、。" and right_edge(row) > edge + 0.01:
            edge += 0.5 * em  # it hangs: its own start is at the edge
            assert pens(row[-1])[-2] == pytest.approx(5 + ems * em, abs=0.01)
        else:
            assert right_edge(row) == pytest.approx(edge, abs=0.01)


@examples(150)
@given(
    st.text(max_size=40),
    st.floats(2, 60),
    st.sampled_from(["ja", "en", "ko", "zh-Hant"]),
    st.sampled_from(["start", "middle", "justify"]),
    st.booleans(),
)
def test_any_characters_can_be_set(text: str, width: float, lang: str, align: str, phrases: bool) -> None:
    body = FontFamily({lang: (SANS, GOTHIC)}, {}, {})
    fonts = book()
    fonts.get_chain("body", "ja")
    other = FontBook({"body": body}, lambda name: FONTS / name) if lang not in ("ja", "en") else fonts
    done = set_box((Plain(text),), box(width=width, lang=lang, align=align, phrases=phrases), other, icon)
    assert all(run.glyphs for run in runs(done))
    assert all(len(run.glyphs) == len(run.clusters) for run in runs(done))
    assert all(not run.advances or len(run.advances) == len(run.glyphs) for run in runs(done))
    set_line((Plain(text),), 0, 0, box(lang=lang), "middle", other, icon)


@pytest.mark.slow
@examples(400)
@given(
    st.lists(
        st.one_of(
            texts, st.text("aW1- あ漢。、「9", max_size=9), st.sampled_from(["7", "「", "。", "山、「川」。", "ᚠ"])
        ),
        min_size=2,
        max_size=4,
    ),
    st.fixed_dictionaries(
        {
            "width": st.floats(4, 60),
            "size": st.sampled_from([7.5, 20.0]),
            "lang": st.sampled_from(["ja", "en"]),
            "align": st.sampled_from(["start", "middle", "end", "justify"]),
            "valign": st.sampled_from(["top", "middle"]),
            "spacing": st.sampled_from([0.0, 0.0, 40.0]),
            "phrases": st.booleans(),
            "family": st.sampled_from(["body", "mincho"]),
        }
    ).filter(lambda asked: asked["lang"] == "ja" or asked["family"] == "body"),
)
def test_plain_text_needs_less_work_and_comes_out_the_same(several: list[str], asked: dict[str, Any]) -> None:
    """Texts of one box share what depends on the box; numbers need no row, and lines of one font are slices of it."""

    def put_all(boxes: Sequence[TextBox]) -> list[SetText]:
        rich = [(Plain(text),) for text in several]
        boxed = [set_box(one, where, book(), icon) for one, where in zip(rich, boxes, strict=True)]
        lined = [set_line(one, 9, 9, where, "middle", book(), icon) for one, where in zip(rich, boxes, strict=True)]
        return boxed + lined

    def make_bare_row(self: GlyphRow, *given: Any) -> None:
        make_row(self, *given)
        self.row = ()

    quick = put_all([box(**asked)] * len(several))
    make_row = GlyphRow.__init__
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(paragraphs, "_PLAIN", None)
        patch.setattr(GlyphRow, "__init__", make_bare_row)
        assert put_all([box(**asked) for _ in several]) == quick


def test_running_text_without_room_for_phrases_is_filled_like_any_other() -> None:
    text = "スタートプレイヤーの右隣まで手番を終えたら、精算する。"
    filled = put(text, width=11, size=7.5, height=20)
    by_phrases = put(text, phrases=True, width=11, size=7.5, height=20)
    as_title = put(text, phrases=True, text_role="title", width=11, size=7.5, height=20)
    assert by_phrases.frame.lines == filled.frame.lines
    assert as_title.frame.lines != filled.frame.lines


def test_words_of_latin_text_in_japanese_are_parted_by_latin_spaces() -> None:
    case = get_glyph_cache(book(), "body", "ja", False, False, 0.0)
    latin, wide = (
        book().get_chain("body", "ja")[at].measure_advance(book().get_chain("body", "ja")[at].find_glyph(" "))
        for at in (0, 1)
    )
    assert latin < wide
    spaces = [sort.width for sort in case.get_groups("Forwarder of Xanadu") if sort.text == " "]
    assert spaces == [latin, latin]
    assert [sort.width for sort in case.get_groups("あ いa う") if sort.text == " "] == [wide, wide]
