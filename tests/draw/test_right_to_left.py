"""Arabic, Hebrew and what else runs from right to left: its order, its joined letters, its lines, what is read out."""

import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.base.display_list import PlacedSymbol, Shape, Symbol, TextRun
from generator.base.languages import is_right_to_left
from generator.game.model import FontFamily
from generator.game.rich_text import parse_markup
from generator.text.bidi import order_visually, resolve_levels
from generator.text.fonts import Font, FontBook, FontChain
from generator.text.glyph_rows import SetText, TextBox
from generator.text.set_text import Labeller, set_box, set_line
from generator.text.text_blocks import Block, TextGrid, set_blocks

FONTS = Path(__file__).parents[2] / "fonts"
LATIN = "SourceSans3_400Regular.ttf"
FILES = {
    "ar": (LATIN, "NotoSansArabic_400Regular.ttf"),
    "fa": (LATIN, "NotoSansArabic_400Regular.ttf"),
    "he": (LATIN, "NotoSansHebrew_400Regular.ttf"),
    "en": (LATIN, "NotoSansHebrew_400Regular.ttf", "NotoSansArabic_400Regular.ttf"),
    "ja": (LATIN, "BIZUDPGothic_400Regular.ttf", "NotoSansHebrew_400Regular.ttf"),
}
BOLD = {"ar": ("NotoSansArabic_700Bold.ttf",), "he": ("NotoSansHebrew_700Bold.ttf",)}
BOOK = FontBook({"body": FontFamily(FILES, BOLD, {})}, lambda name: FONTS / name)
COIN = Symbol("coin", (), (0.0, 0.0, 10.0, 10.0))


def box(lang: str, **changed: object) -> TextBox:
    asked = {"x": 5.0, "y": 5.0, "width": 60.0, "height": 60.0, "size": 10.0, "min_size": 10.0, **changed}
    return TextBox(family="body", lang=lang, **asked)


def set_in(text: str, lang: str, **changed: object) -> SetText:
    """A text with its marks set in such a box."""
    return set_box(parse_markup(text), box(lang, **changed), BOOK, lambda *_: COIN)


def runs_of(done: SetText) -> list[TextRun]:
    """The runs of a text in the order of its characters."""
    return [item for item in done.items if isinstance(item, TextRun)]


def seen(done: SetText) -> str:
    """The characters of a text from left to right: each cluster where its first glyph begins."""
    places = []
    for run in runs_of(done):
        pen = 0.0
        font = BOOK.get_font(run.font)
        for at, glyph in enumerate(run.glyphs):
            across = run.places[at][0] if run.places else pen * run.size * 25.4 / 72 / 1000
            pen += run.advances[at] if run.advances else font.measure_advance(glyph)
            if run.clusters[at]:
                places.append((run.x + across, run.clusters[at]))
    places += [(item.matrix[4], "#") for item in done.items if isinstance(item, PlacedSymbol)]
    return "".join(char for _, char in sorted(places, key=lambda place: place[0]))


def cases() -> list[tuple[str, int, list[str], list[int]]]:
    """Unicode's own cases: the text, its level, the level of each character, their order."""
    found = []
    for line in (Path(__file__).parent / "bidi_cases.txt").read_text("utf-8").splitlines():
        if not line.startswith("#"):
            chars, _, base, each, order = line.split(";")
            text = "".join(chr(int(code, 16)) for code in chars.split())
            found.append((text, int(base), each.split(), [int(number) for number in order.split()]))
    return found


def test_unicodes_own_cases_come_out() -> None:
    """Levels and order of UAX #9, embeddings, overrides, isolates and brackets among them."""
    assert len(cases()) == 400
    for text, base, each, order in cases():
        found = resolve_levels(text, base)
        assert all(want in ("x", str(level)) for want, level in zip(each, found, strict=True)), ascii(text)
        kept = [at for at, want in enumerate(each) if want != "x"]
        assert [kept[at] for at in order_visually([found[at] for at in kept])] == order, ascii(text)


LETTERS = st.text("abc אבגשם 123 (.,)-+% مرحبا ٣٤ \u200f\u2067\u2069\u202b\u202c[]", max_size=40)


@given(LETTERS, st.sampled_from([0, 1]))
def test_every_character_has_a_place(text: str, base: int) -> None:
    """None is lost or doubled, whatever marks of direction there are; letters of Latin run rightwards."""
    found = resolve_levels(text, base)
    assert sorted(order_visually(found)) == list(range(len(text)))
    assert all(
        level % 2 == 0 for char, level in zip(text, found, strict=True) if char in "abc" and "\u202b" not in text
    )
    assert all(level >= base for level in found)


@settings(max_examples=60)
@given(st.text("abc אבג שלום 123 (.,)-% ", min_size=1, max_size=60), st.sampled_from(["he", "en"]))
def test_what_is_set_is_what_was_written(text: str, lang: str) -> None:
    done = set_box(parse_markup(text.replace("*", "")), box(lang, width=30.0), BOOK, lambda *_: None)
    assert "".join(run.text for run in runs_of(done)).replace(" ", "") == text.replace(" ", "")
    for run in runs_of(done):
        assert all(4.9 <= run.x + across <= 35.1 for across, _ in run.places or [(0.0, 0.0)])


@pytest.mark.parametrize(
    ("lang", "text", "shown"),
    [
        ("he", "שלום עולם", "םלוע םולש"),
        ("he", "קלף 12 ו-5", "5-ו 12 ףלק"),
        ("he", "(שלום)", ")םולש("),
        ("he", "שלום abc def!", "!abc def םולש"),
        ("en", "say שלום עולם (now)", "say םלוע םולש (now)"),
        ("en", "12 קלפים, 3", "12 3 ,םיפלק"),
        ("he", "שלם 2 {coin} עכשיו", "וישכע # 2 םלש"),
        ("he", "PNG!", "PNG!"),
        ("ja", "赤い「שלום」です", "赤い「םולש」です"),
    ],
)
def test_a_line_stands_as_it_is_read(lang: str, text: str, shown: str) -> None:
    """Words from right to left, numbers and Latin from left to right, brackets and icons where they belong."""
    assert seen(set_in(text, lang)) == shown


def test_brackets_are_mirrored() -> None:
    runs = runs_of(set_in("(שלום)", "he"))
    assert "".join(run.text for run in runs) == "(שלום)"
    font = BOOK.get_font(runs[0].font)
    assert runs[0].glyphs[0] == font.find_glyph(")")
    font = BOOK.get_font(runs[-1].font)
    assert runs[-1].glyphs[-1] == font.find_glyph("(")


def test_letters_join_across_marks() -> None:
    whole = runs_of(set_in("محمد", "ar"))
    parts = runs_of(set_in("م{red:حم}د", "ar"))
    assert len(parts) == 3
    assert [run.paint for run in parts] == ["ink", "red", "ink"]
    assert [glyph for run in parts for glyph in run.glyphs] == [glyph for run in whole for glyph in run.glyphs]
    font = BOOK.get_font(whole[0].font)
    assert sum(glyph == font.find_glyph(char) for glyph, char in zip(whole[0].glyphs, "محمد", strict=False)) < 2


def test_bold_letters_join_their_neighbours() -> None:
    whole, parts = runs_of(set_in("كتاب", "ar")), runs_of(set_in("كت**اب**", "ar"))
    assert parts[0].glyphs == whole[0].glyphs[: len(parts[0].glyphs)]
    assert parts[1].font != parts[0].font


def test_lines_begin_at_the_right() -> None:
    """`start` is where reading begins, `end` where it ends; a line of English in a Hebrew text begins there, too."""
    for text in ("שלום", "abc"):
        ends = {}
        for align in ("start", "middle", "end"):
            run = runs_of(set_in(text, "he", align=align))[0]
            lefts = [run.x + across for across, _ in run.places or [(0.0, 0.0)]]
            ends[align] = min(lefts)
        assert ends["end"] == pytest.approx(5.0, abs=0.2)
        assert 25 < ends["middle"] < 40
        assert 50 < ends["start"] < 65


def test_the_anchor_of_a_line_is_its_right() -> None:
    for lang, text in (("he", "שלום"), ("en", "abcd")):
        done = set_line(parse_markup(text), 30.0, 10.0, box(lang), "start", BOOK, lambda *_: None)
        assert done.frame.x == pytest.approx(30.0 if lang == "en" else 30.0 - done.frame.width)
        assert all(
            (run.x + across < 30.0) == (lang == "he") for run in runs_of(done) for across, _ in run.places or [(0, 0)]
        )


def test_justified_lines_open_at_spaces_only() -> None:
    text = "اسحب بطاقات من الرزمة ثم ادفع العملات للتخلص من العاصفة"
    done, natural = set_in(text, "ar", align="justify", width=40.0), set_in(text, "ar", width=40.0)
    assert len(done.frame.lines) > 1
    for ours, plain in zip(runs_of(done), runs_of(natural), strict=True):
        for word, other in zip(_words(ours), _words(plain), strict=True):
            assert word == pytest.approx(other, abs=1e-6)
    first = [run for run in runs_of(done) if run.y == runs_of(done)[0].y]
    assert min(run.x + across for run in first for across, _ in run.places) == pytest.approx(5.0, abs=0.5)
    assert first[0].x == pytest.approx(runs_of(natural)[0].x)


def _words(run: TextRun) -> list[float]:
    """The ways from glyph to glyph inside the words of a run."""
    inside = [at for at in range(1, len(run.glyphs)) if " " not in (run.clusters[at], run.clusters[at - 1])]
    return [run.places[at][0] - run.places[at - 1][0] for at in inside]


def test_a_text_shrinks_until_it_fits() -> None:
    text = "שלום עולם " * 12
    fitting = set_in(text, "he", height=20.0, width=40.0, min_size=5.0)
    assert fitting.frame.size < 10
    assert not fitting.overflow
    assert set_in(text, "he", height=5.0, width=40.0, min_size=8.0).overflow > 1


def test_marks_stay_on_their_letters() -> None:
    run = runs_of(set_in("שָׁלוֹם", "he"))[0]
    assert run.text == "שָׁלוֹם"
    font = BOOK.get_font(run.font)
    base = 0.0
    for at, cluster in enumerate(run.clusters):
        if cluster and not unicodedata.combining(cluster[0]):
            base = run.places[at][0]
            width = font.measure_advance(run.glyphs[at]) * run.size * 25.4 / 72 / 1000
        else:
            ink = font.measure_ink(run.glyphs[at])
            assert ink is not None
            middle = run.places[at][0] + (ink[0] + ink[2]) / 2 * run.size * 25.4 / 72 / 1000
            assert base - 0.5 <= middle <= base + width + 0.5


def test_a_column_has_it_turned() -> None:
    """In a column of Japanese a word of Hebrew lies on its side, each glyph a run of its own, read upwards."""
    runs = runs_of(set_in("赤שלום", "ja", vertical=True))
    hebrew = [run for run in runs if "\u0590" < run.text < "\u0600"]
    assert [run.text for run in hebrew] == list("שלום")
    assert all(run.angle == 90 and not run.places for run in hebrew)
    assert [run.y for run in hebrew] == sorted((run.y for run in hebrew), reverse=True)


def test_marks_of_lists_and_columns_of_tables_begin_at_the_right() -> None:
    word, other = parse_markup("סלע"), parse_markup("ים")
    within = box("he")
    done = set_blocks((Block(word, mark="-"),), within, BOOK, lambda *_: COIN)
    bullet, words = runs_of(done)
    assert (bullet.text, words.text) == ("•", "סלע")
    assert within.x + within.width - 3 < bullet.x < within.x + within.width
    assert max(words.x + across for across, _ in words.places) < bullet.x
    grid = TextGrid(((word, other),), headed=False, sides=("start", "start"))
    first, second = runs_of(set_blocks((grid,), within, BOOK, lambda *_: COIN))
    assert (first.text, second.text) == ("סלע", "ים")
    assert first.x > second.x


def test_words_among_joined_letters_may_be_smaller_higher_and_underlined() -> None:
    """Marks change what runs leftwards as they change all else: its size, its level, the line below it."""
    done = set_in("שלום {size=50%:{underline:קטן}} {super:גבוה}", "he")
    plain, small, high = (run for run in runs_of(done) if run.text.strip())
    (bar,) = [item for item in done.items if isinstance(item, Shape)]
    assert (plain.size, small.size) == (10.0, 5.0)
    assert high.size < plain.size
    assert high.y < plain.y == small.y
    ends = [float(number) for number in re.findall(r"[ML] (\S+)", bar.path)]
    glyphs = [small.x + across for across, _ in small.places]
    assert min(ends) - 0.01 <= min(glyphs) < max(glyphs) <= max(ends)
    assert max(ends) < plain.x + min(across for across, _ in plain.places)


def test_labels_join_and_turn_their_letters() -> None:
    fonts = BOOK.get_chain("body", "ar")
    letters = Labeller(fonts)
    runs = letters.set_level_line("كوخ الجبل", 10.0, 10.0, 8.0)
    assert "".join(run.text for run in runs) == "كوخ الجبل"
    assert [run.glyphs for run in runs] == [run.glyphs for run in runs_of(set_in("كوخ الجبل", "ar"))]
    end = 10.0 + letters.measure_width("كوخ الجبل", 8.0)
    assert all(10.0 <= run.x + across <= end for run in runs for across, _ in run.places)
    turned = letters.set("كوخ", 10.0, 10.0, 8.0, "start", 90.0, "ink", "mark")
    assert {part.angle for part in turned} == {90.0}
    assert "".join(part.text for part in letters.set_level_line("كوخ שלום", 0.0, 0.0, 8.0)) == "كوخ ????"


def test_labels_take_fonts_of_other_languages() -> None:
    opened = []

    def further() -> Iterator[Font]:
        yield BOOK.get_chain("body", "ar")[0]
        opened.append(1)
        yield from BOOK.get_chain("body", "he")

    letters = Labeller(FontChain(further()))
    assert letters.set_level_line("abc", 0.0, 0.0, 8.0)[0].text == "abc"
    assert not opened
    assert "".join(run.text for run in letters.set_level_line("שלום", 0.0, 0.0, 8.0)) == "שלום"
    assert opened == [1]


def test_languages_that_begin_at_the_right() -> None:
    right = ["ar", "he", "fa", "ur", "he-IL", "ar-EG", "az-Arab", "yi"]
    left = ["en", "ja", "ko", "th", "zh-Hans", "zh-Hant", "az", "ur-Latn", "de-AT"]
    assert [lang for lang in right + left if is_right_to_left(lang)] == right
