"""Font files: metrics, shapes, subsets, ink, numbers composed of digits, and the fonts that are refused."""

import struct
from collections.abc import Callable
from functools import reduce
from io import BytesIO
from pathlib import Path

import pytest
from conftest import ROOT
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import newTable
from fontTools.ttLib.tables._f_v_a_r import Axis
from hypothesis import given
from hypothesis import strategies as st

from generator.base.display_list import TextRun
from generator.base.errors import Place
from generator.base.geometry import IDENTITY, Matrix, Rect
from generator.drawing.svg.face_areas import measure_glyph_boxes, measure_ink_box
from generator.game.model import FontFamily
from generator.text.font_files import MANY, _make_digit_row, check_font, is_variable
from generator.text.fonts import Font, FontBook
from generator.text.glyph_cache import get_glyph_cache

FONTS = Path(__file__).parents[2] / "fonts"
PLACE = Place("data/game/fonts.yaml", 3)


def box_pen(pen: object, left: int, bottom: int, right: int, top: int) -> None:
    """Draws a rectangle."""
    pen.moveTo((left, bottom))  # type: ignore[attr-defined]
    for point in ((left, top), (right, top), (right, bottom)):
        pen.lineTo(point)  # type: ignore[attr-defined]
    pen.closePath()  # type: ignore[attr-defined]


def tiny_font(
    cff: bool = False, licence: int = 0, variable: bool = False, width: int = 500, capital: int = 300
) -> bytes:
    """A font of 500 units to the em with a box for A, a lower one for B, and a blank for the space."""
    builder = FontBuilder(500, isTTF=not cff)
    builder.setupGlyphOrder([".notdef", "space", "A", "B"])
    builder.setupCharacterMap({32: "space", 65: "A", 66: "B"})
    boxes = {"A": (50, 0, 200, 350), "B": (50, -100, 150, 250)}
    glyphs = {}
    for name in (".notdef", "space", "A", "B"):
        pen = T2CharStringPen(width, None) if cff else TTGlyphPen(None)
        if name in boxes:
            box_pen(pen, *boxes[name])
        glyphs[name] = pen.getCharString() if cff else pen.glyph()
    if cff:
        builder.setupCFF("Tiny", {"FullName": "Tiny"}, glyphs, {})
    else:
        builder.setupGlyf(glyphs)
    builder.setupHorizontalMetrics({name: (width if name != "B" else 200, boxes.get(name, (0,))[0]) for name in glyphs})
    builder.setupHorizontalHeader(ascent=400, descent=-100)
    builder.setupNameTable({"familyName": "Tiny", "styleName": "Regular", "psName": "Tiny"})
    builder.setupOS2(sCapHeight=capital, fsType=licence)
    builder.setupPost()
    if variable:
        axis = Axis()
        axis.axisTag, axis.minValue, axis.defaultValue, axis.maxValue = "wght", 100, 400, 900
        axis.axisNameID = 256
        builder.font["fvar"] = table = newTable("fvar")
        table.axes = [axis]
    out = BytesIO()
    builder.font.recalcTimestamp = False
    builder.font["head"].created = builder.font["head"].modified = 3_500_000_000
    builder.save(out)
    return out.getvalue()


@pytest.mark.parametrize("cff", [False, True])
def test_metrics_of_both_kinds_of_outline(cff: bool, tmp_path: Path) -> None:
    """TrueType and PostScript outlines give the same numbers, in thousandths of an em whatever the font's units."""
    font = Font(tmp_path / "tiny.ttf", tiny_font(cff))
    assert font.is_cff is cff
    assert (font.upem, font.ascent, font.descent, font.cap_height) == (500, 0.8, -0.2, 0.6)
    glyph = font.find_glyph("B")
    assert glyph
    assert font.measure_advance(glyph) == 400
    assert font.measure_ink(glyph) == (100, -200, 300, 500)
    assert font.measure_ink(font.find_glyph(" ")) is None
    assert font.find_glyph("C") == 0
    assert Font(tmp_path / "tiny.ttf", tiny_font(cff, capital=0)).cap_height == 0.7


def test_key_changes_with_the_font_and_only_then(tmp_path: Path) -> None:
    """The key is the file's stem and a digest: other metrics give another key, the same bytes the same one."""
    path = tmp_path / "tiny.ttf"
    first, again, other = Font(path, tiny_font()), Font(path, tiny_font()), Font(path, tiny_font(width=510))
    assert first.key == again.key != other.key
    stem, _, digest = first.key.rpartition("-")
    assert stem == "tiny"
    assert len(digest) == 8


@pytest.mark.parametrize("cff", [False, True])
def test_subset_keeps_glyph_numbers(cff: bool, tmp_path: Path) -> None:
    font = Font(tmp_path / "tiny.ttf", tiny_font(cff))
    small = Font(tmp_path / "small.ttf", font.subset([font.find_glyph("B")]))
    assert small.measure_ink(font.find_glyph("B")) == font.measure_ink(font.find_glyph("B"))
    assert small.measure_advance(font.find_glyph("B")) == 400
    assert small.measure_ink(font.find_glyph("A")) is None


def test_subset_is_small_and_always_the_same() -> None:
    """A few glyphs of a Japanese font are a few kilobytes, byte for byte the same whatever the order they come in."""
    font = Font(FONTS / "BIZUDPGothic_400Regular.ttf", (FONTS / "BIZUDPGothic_400Regular.ttf").read_bytes())
    glyphs = [font.find_glyph(char) for char in "運命の女神"]
    subset = font.subset(glyphs)
    assert len(subset) < 150_000
    assert subset == font.subset(glyphs[::-1])


def test_font_that_forbids_subsets_is_embedded_whole(tmp_path: Path) -> None:
    data = tiny_font(licence=0x0100)
    assert Font(tmp_path / "tiny.ttf", data).subset([1]) == data


def test_words_are_kerned_and_ligated_but_never_decorated() -> None:
    """Kerning narrows "AV", "ff" is one glyph for two characters, and Japanese unit ligatures stay away."""
    sans = Font(FONTS / "SourceSans3_400Regular.ttf", (FONTS / "SourceSans3_400Regular.ttf").read_bytes())
    kerned = sans.shape("AV")
    assert kerned.width < sans.measure_advance(kerned.glyphs[0]) + sans.measure_advance(kerned.glyphs[1])
    assert not kerned.natural
    office = sans.shape("off")
    assert office.clusters == ("o", "ff")
    assert len(sans.shape("off", ligatures=False).glyphs) == 3
    gothic = Font(FONTS / "BIZUDPGothic_400Regular.ttf", (FONTS / "BIZUDPGothic_400Regular.ttf").read_bytes())
    assert gothic.shape("km").glyphs == (gothic.find_glyph("k"), gothic.find_glyph("m"))


def test_marks_and_selectors_stay_in_their_cluster() -> None:
    sans = Font(FONTS / "SourceSans3_400Regular.ttf", (FONTS / "SourceSans3_400Regular.ttf").read_bytes())
    shaped = sans.shape("x\u0323y")
    assert "".join(shaped.clusters) == "x\u0323y"
    assert shaped.clusters[0].startswith("x")
    mincho = Font(FONTS / "BIZUDMincho_400Regular.ttf", (FONTS / "BIZUDMincho_400Regular.ttf").read_bytes())
    assert mincho.shape("葛\ufe00").clusters == ("葛\ufe00",)


def book_of(files: dict[str, bytes], folder: Path, regular: tuple[str, ...]) -> FontBook:
    """A book with one family `body` for English over files in a folder."""
    for name, data in files.items():
        (folder / name).write_bytes(data)
    family = FontFamily(regular={"en": regular}, bold={}, italic={}, place=PLACE)

    def find(name: str) -> Path | None:
        return folder / name if (folder / name).is_file() else None

    return FontBook({"body": family}, find, lambda: files)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"not a font at all", "is not a TrueType or OpenType font"),
        (b"", "is not a TrueType or OpenType font"),
        (b"ttcf" + tiny_font()[4:], "collection"),
        (b"wOF2" + tiny_font()[4:], "web font"),
        (tiny_font(licence=0x0002), "forbids embedding"),
        (tiny_font(licence=0x0200), "only bitmaps"),
        (tiny_font()[:40], "damaged"),
    ],
)
def test_unfit_files_are_problems_with_the_familys_place(data: bytes, said: str, tmp_path: Path) -> None:
    book = book_of({"bad.ttf": data, "good.ttf": tiny_font()}, tmp_path, ("bad.ttf", "good.ttf"))
    chain = book.get_chain("body", "en")
    book.get_chain("body", "en", bold=True)
    assert [font.path.name for font in chain] == ["good.ttf"]
    assert len(book.problems) == 1
    assert said in str(book.problems[0])
    assert book.problems[0].place == PLACE


@pytest.mark.parametrize("licence", [0x0004, 0x0008, 0x0006])
def test_fonts_that_may_be_embedded_are_taken(licence: int, tmp_path: Path) -> None:
    book = book_of({"tiny.ttf": tiny_font(licence=licence)}, tmp_path, ("tiny.ttf",))
    assert book.get_chain("body", "en")
    assert book.problems == []


def test_missing_file_asks_did_you_mean(tmp_path: Path) -> None:
    book = book_of({"SourceSans3.ttf": tiny_font()}, tmp_path, ("SourceSan3.ttf",))
    assert not book.get_chain("body", "en")
    assert str(book.problems[0]) == (
        "data/game/fonts.yaml:3: there is no font file 'SourceSan3.ttf'; did you mean 'SourceSans3.ttf'?"
    )


def test_files_are_opened_when_first_used(tmp_path: Path) -> None:
    asked: list[str] = []
    (tmp_path / "tiny.ttf").write_bytes(tiny_font())

    def find(name: str) -> Path:
        asked.append(name)
        return tmp_path / name

    family = FontFamily(regular={"en": ("tiny.ttf",)}, bold={"en": ("absent.ttf",)}, italic={}, place=PLACE)
    book = FontBook({"body": family}, find)
    assert asked == []
    (font,) = book.get_chain("body", "en")
    assert tuple(book.get_chain("body", "en", italic=True)) == (font,)
    assert book.get_font(font.key) is font
    assert asked == ["tiny.ttf"]
    assert book.problems == []


def test_the_programs_own_fonts_are_opened_when_a_character_needs_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """A label in Latin type opens no Japanese font; a run that an earlier process has set opens the font it names."""
    opened: list[str] = []

    def note(path: Path) -> bytes:
        opened.append(path.name)
        return path.read_bytes()

    monkeypatch.setattr("generator.text.fonts.open_font_file", note)
    files = ("SourceSans3_400Regular.ttf", "BIZUDPGothic_400Regular.ttf", "NotoEmoji_400Regular.ttf")
    family = FontFamily(dict.fromkeys(("en", "ja"), files), {}, {}, place=NAMED)
    book = FontBook({"body": family}, FONTS.joinpath)
    for lang in ("en", "ja"):
        assert get_glyph_cache(book, "body", lang, bold=False, italic=False, spacing=0.0).get_groups("Ab 1")
        assert opened == [*files[:1]]
    (group,) = get_glyph_cache(book, "body", "ja", bold=False, italic=False, spacing=0.0).get_groups("山")
    assert group.font is not None
    assert opened == [*files[:2]]
    later = FontBook({"body": family}, FONTS.joinpath)
    later.get_chain("body", "ja")
    opened.clear()
    assert later.get_font(group.font.key).path.name == files[1]
    assert opened == [*files[:2]]
    with pytest.raises(KeyError):
        later.get_font("none")


def test_chain_falls_back_and_names_what_it_lacks(tmp_path: Path) -> None:
    """Bold without files is regular; a language without files is a problem, an unknown family a KeyError."""
    book = book_of({"tiny.ttf": tiny_font()}, tmp_path, ("tiny.ttf",))
    assert tuple(book.get_chain("body", "en", bold=True)) == tuple(book.get_chain("body", "en"))
    assert not book.get_chain("body", "ja")
    assert not book.get_chain("body", "ja", bold=True)
    assert len(book.problems) == 1
    assert "the font family 'body' has no files for the language 'ja'" in str(book.problems[0])
    with pytest.raises(KeyError):
        book.get_chain("title", "en")


def test_bundled_fonts_are_fit_and_measured() -> None:
    paths = sorted(FONTS.glob("*.ttf"))
    assert len(paths) >= 12
    for path in paths:
        font = Font(path, path.read_bytes())
        assert 0.6 < font.cap_height < (0.95 if "Emoji" in path.name else 0.85)
        assert font.descent < 0 < font.ascent


WHOLE = (ROOT / "fonts/SourceSans3_400Regular.ttf").read_bytes()
NAMED = Place("data/tale/look.yaml", 7, 3)


def entry(tag: str) -> int:
    (count,) = struct.unpack_from(">H", WHOLE, 4)
    return next(at for at in range(12, 12 + 16 * count, 16) if WHOLE[at : at + 4] == tag.encode())


def changed(at: int, new: bytes) -> bytes:
    return WHOLE[:at] + new + WHOLE[at + len(new) :]


def in_table(tag: str, offset: int, new: bytes) -> bytes:
    """The font with other bytes in a table, whose checksum is set to nothing, as if it had none."""
    at = entry(tag)
    start = struct.unpack_from(">I", WHOLE, at + 8)[0] + offset
    return changed(start, new)[: at + 4] + bytes(4) + changed(start, new)[at + 8 :]


DAMAGED: dict[str, Callable[[], bytes]] = {
    "cut off": lambda: WHOLE[: len(WHOLE) // 2],
    "a table beyond the end": lambda: changed(entry("glyf") + 8, struct.pack(">I", len(WHOLE))),
    "a table without a name": lambda: changed(entry("name"), b"\xff\xff\xff\xff"),
    "no such many tables": lambda: changed(4, b"\xff\xff"),
    "noise in the names": lambda: changed(struct.unpack_from(">I", WHOLE, entry("name") + 8)[0], b"\xff" * 64),
    "an em of nothing": lambda: in_table("head", 18, b"\0\0"),
    "too few widths": lambda: in_table("hhea", 34, b"\xff\xff"),
    "places in disorder": lambda: in_table("loca", 40, b"\xff" * 8),
    "names of nothing": lambda: in_table("name", 2, b"\xff\xff\xff\xff"),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_damaged_fonts_are_refused_where_they_are_named(tmp_path: Path, name: str) -> None:
    path = tmp_path / "f.ttf"
    path.write_bytes(DAMAGED[name]())
    book = FontBook({"body": FontFamily({"en": ("f.ttf",)}, {}, {}, place=NAMED)}, lambda _name: path)
    assert not book.get_chain("body", "en")
    (problem,) = book.problems
    assert str(problem).startswith(f"{NAMED}: the font file 'f.ttf' can't be used: it is damaged")


def test_a_font_with_a_wrong_checksum_is_used_with_a_note(tmp_path: Path) -> None:
    path = tmp_path / "f.ttf"
    path.write_bytes(changed(entry("glyf") + 4, b"\1\2\3\4"))
    book = FontBook({"body": FontFamily({"en": ("f.ttf",)}, {}, {}, place=NAMED)}, lambda _name: path)
    assert len(book.get_chain("body", "en")) == 1
    assert book.problems == []
    (note,) = book.notes
    assert note.startswith("the checksum of 'glyf' in the font file 'f.ttf' is wrong: the font is used as it is; copy")


def test_the_fonts_that_come_with_the_program_are_whole() -> None:
    """They are checked here alone, so that no run takes time for it. None is variable."""
    files = {path: path.read_bytes() for path in sorted((ROOT / "fonts").glob("*.ttf"))}
    assert not [path.name for path, data in files.items() if check_font(Font(path, data)) or is_variable(data)]
    family = FontFamily({"en": tuple(path.name for path in files)}, {}, {}, place=NAMED)
    book = FontBook({"all": family}, (ROOT / "fonts").joinpath)
    assert [font.data[:] for font in book.get_chain("all", "en")] == list(files.values())
    assert book.problems == []


FAMILY = FontFamily({"ja": ("BIZUDPGothic_400Regular.ttf",)}, {}, {})
BOOK = FontBook({"body": FAMILY}, lambda name: FONTS / name)
FONT = BOOK.get_chain("body", "ja")[0]
STRAIGHT: tuple[Matrix, ...] = (IDENTITY, (-1.0, 0.0, 0.0, -1.0, 63.0, 88.0), (0.0, 2.0, -2.0, 0.0, 3.0, 4.0))
ASKEW: Matrix = (0.8, 0.6, -0.6, 0.8, 1.0, 2.0)


@given(
    st.text(st.sampled_from("1Wg 山。Jj|"), min_size=1, max_size=5),
    st.sampled_from(["natural", "spaced", "apart"]),
    st.sampled_from([0.0, 90.0, 30.0]),
    st.sampled_from([*STRAIGHT, ASKEW]),
)
def test_box_of_a_run(text: str, how: str, angle: float, matrix: Matrix) -> None:
    glyphs = tuple(map(FONT.find_glyph, text))
    advances = tuple(700.0 - 300 * at for at in range(len(text))) if how == "spaced" else ()
    places = tuple((0.0, 3.0 * at) for at in range(len(text))) if how == "apart" else ()
    angle = 0.0 if places else angle
    run = TextRun(5.0, 9.0, 12.0, FONT.key, glyphs, tuple(text), advances, angle=angle, places=places)
    boxes = [*measure_glyph_boxes(run, matrix, BOOK)]
    box = measure_ink_box(run, matrix, BOOK)
    if not boxes:
        assert box is None
        return
    around = reduce(Rect.unite, boxes)
    assert box is not None
    assert box.contains(around)
    if angle != 30 and matrix != ASKEW:
        assert (box.x, box.y, box.width, box.height) == pytest.approx((around.x, around.y, around.width, around.height))


@given(st.lists(st.text(st.sampled_from("1Wg 山。Jj|／＿"), min_size=1, max_size=5), min_size=1, max_size=4))
def test_the_reach_of_a_font_holds_the_ink_of_its_glyphs(texts: list[str]) -> None:
    font = FontBook({"body": FAMILY}, lambda name: FONTS / name).get_chain("body", "ja")[0]
    for text in texts:
        left, low, right, high = font.measure_reach([*map(font.find_glyph, text)])
        for ink in filter(None, map(font.measure_ink, map(font.find_glyph, "".join(texts[: texts.index(text) + 1])))):
            assert left <= ink[0]
            assert low <= ink[1]
            assert ink[2] <= right
            assert ink[3] <= high


def practised(file: str) -> Font:
    """A font that has set many numbers."""
    path = FONTS / file
    font = Font(path, path.read_bytes())
    for number in range(1000, 1000 + MANY + 1):
        font.shape(str(number), "ja")
    return font


KERNED = practised("Cinzel_700Bold.ttf")
APART = [practised("BIZUDPGothic_400Regular.ttf"), practised("SourceSans3_400Regular_Italic.ttf")]


@given(st.from_regex(r"\A[0-9]{1,9}\Z"), st.sampled_from([*APART, KERNED]))
def test_any_number_is_what_harfbuzz_makes(text: str, font: Font) -> None:
    assert font.shape(text, "ja") == font._shape_text(text, "ja", ligatures=True)


def test_only_digits_that_stand_apart_are_composed(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(Font, "_shape_text", lambda self, text, *_: asked.append(f"{self.path.name[:3]} {text}"))
    for font in (*APART, KERNED):
        font._numerals._shape = font._shape_text
        for text in ("7701", "7a", "٣٤"):
            font.shape(text, "ja")
    assert asked == ["BIZ 7a", "BIZ ٣٤", "Sou 7a", "Sou ٣٤", "Cin 7701", "Cin 7a", "Cin ٣٤"]


def test_the_row_has_every_three_digits() -> None:
    row = _make_digit_row()
    assert sorted(row[at : at + 3] for at in range(1000)) == [f"{number:03}" for number in range(1000)]


@pytest.mark.parametrize(
    ("wanted", "family", "meant"),
    [
        (["Body"], "body", True),
        (["Foo", "headings"], "headings", True),
        (["Source Sans 3"], "body", True),
        (["SourceSans3-Bold"], "body", True),
        (["Times New Roman", "serif"], "headings", False),
        (["serif"], "headings", True),
        (["MyriadPro-Regular"], "body", False),
        (["Courier New"], "body", False),
        ([], "body", False),
    ],
)
def test_a_name_of_a_typeface_means_a_family_or_the_closest_one(wanted: list[str], family: str, meant: bool) -> None:
    families = {
        "body": FontFamily({"en": ("SourceSans3_400Regular.ttf",)}, {}, {}),
        "headings": FontFamily({"en": ("EBGaramond_400Regular.ttf", "NotoEmoji_400Regular.ttf")}, {}, {}),
    }
    book = FontBook(families, lambda _: None)
    assert book.match_family(wanted) == book.match_family(wanted) == (family, meant)
    assert FontBook({}, lambda _: None).match_family(wanted) == ("", False)
