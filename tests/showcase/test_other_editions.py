"""Braille, large print and texts to be read aloud: what embossers take, what is enlarged, what a face says."""

import io
import re
from collections.abc import Sequence
from itertools import pairwise
from math import isclose
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from conftest import Pnp
from tests_support import TinyProject, project_files

from generator.base.display_list import Group, Shape, TextRun, walk_leaves
from generator.base.geometry import MM_PER_PT, Rect, Size
from generator.base.outlines import find_bounds
from generator.base.processes import find_program
from generator.books.braille import (
    BraillePassage,
    brf_from_paragraphs,
    brf_from_passages,
    format_braille_number,
    translate_to_braille,
)
from generator.drawing.faces.face_variants import ENLARGEMENT, enlarge_document, enlarge_kind, make_enlarger
from generator.drawing.faces.game_drawing import Workshop
from generator.exchange.read_aloud import CodeLabel, SpokenDesign, set_code_labels, spoken_to_page
from generator.game.load_game import load_game
from generator.game.print_pages import Bookmark, Document, Page, PageLink
from generator.game.project import find_project

LOU = find_program("lou_translate")


def in_print(lines: Sequence[str], _lang: str) -> tuple[str, ...]:
    """Stands in for braille, so that a test can be read."""
    return tuple(line.encode("ascii", "replace").decode() for line in lines)


def test_lines_and_pages_keep_their_measure() -> None:
    """40 cells and 25 lines at most, pages parted by form feeds; words that fit stay whole, and none is lost."""
    words = [f"{'X' * (number % 9 + 1)}" for number in range(600)] + ["Y" * 90]
    brf = brf_from_paragraphs([" ".join(words), "", "A"]).decode("ascii")
    assert brf.endswith("\r\n\f")
    pages = [page.split("\r\n")[:-1] for page in brf.split("\f")[:-1]]
    assert len(pages) > 3
    assert all(len(page) <= 25 for page in pages)
    lines = [line for page in pages for line in page]
    assert all(len(line) <= 40 for line in lines)
    assert lines[-2:] == ["", "A"]
    assert " ".join(lines).split()[:600] == words[:600]
    assert "".join(lines).count("Y") == 90


@pytest.mark.skipif(LOU is None, reason="liblouis-bin is not installed")
def test_a_game_is_read_in_braille(tiny: TinyProject, pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the text says, in contracted braille: `and` is one cell, a capital has its sign, numbers theirs."""
    monkeypatch.chdir(tiny.root)
    assert LOU is not None
    assert translate_to_braille(["You and I", "2 cards"], "en", LOU) == (",Y & ,I", "#B C>DS")
    assert pnp("read-aloud", "tiny", "--braille").code == 0
    brf = (tiny.root / "output" / "tiny" / "read-aloud.en.brf").read_text(encoding="ascii")
    assert brf.startswith(",T9Y1 R1D AL\\D")


def test_a_missing_program_is_told(tiny: TinyProject, pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tiny.root)
    monkeypatch.setattr("generator.books.braille.find_program", lambda *_names: None)
    ran = pnp("read-aloud", "tiny", "--braille")
    assert ran.code == 1
    assert "liblouis-bin" in ran.err


def test_a_language_without_braille_is_told_and_no_other_stops(
    tiny: TinyProject, pnp: Pnp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tiny.root)
    tiny.change("data/tiny/game.yaml", "languages: [en]", "languages: [ja, en]")
    tiny.change("data/tiny/game.yaml", "body: {en:", "body: {ja: {regular: [BIZUDPGothic_400Regular.ttf]}, en:")
    for text in ("title: Tiny", "name: Star", "name: Card", "title: One", "title: Two"):
        key, word = text.split(": ")
        tiny.change("data/tiny/game.yaml", text, f"{key}: {{ja: {word}, en: {word}}}")
    for lang in ("ja", "en"):
        tiny.write(f"templates/tiny/rulebook.{lang}.md", "# Tiny\n\nPlay.\n")
    for command, module in (("read-aloud", "exchange.read_aloud"), ("rulebook", "books.braille")):
        monkeypatch.setattr(f"generator.{module}.lines_to_braille", in_print)
        ran = pnp(command, "tiny", "--braille")
        assert ran.code == 0, ran.err
        assert "note: tiny: no braille in ja" in ran.err
        assert [path.name for path in (tiny.root / "output/tiny").glob(f"{command}.*.brf")] == [f"{command}.en.brf"]
        assert "no braille" not in pnp(command, "tiny", "--braille", "--lang", "en").err
        ran = pnp(command, "tiny", "--braille", "--lang", "ja")
        assert ran.code == 1 and "has a braille table" in ran.err


BOOK = project_files("book")["braille.md"]


def test_a_book_is_read_from_its_cover_to_its_imprint(
    tiny: TinyProject, pnp: Pnp, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Headings centred and set in, lists hanging, tables row by row, pictures in words, pages numbered and listed."""
    monkeypatch.chdir(tiny.root)
    book = BOOK
    for number in ("| 1 |", "| 10 |", "| 20 |"):
        book = book.replace(number, number.replace("| ", "| {{ ").replace(" |", " }} |"))
    tiny.write("templates/tiny/rulebook.en.md", book)
    monkeypatch.setattr("generator.books.braille.lines_to_braille", in_print)

    ran = pnp("rulebook", "tiny", "--braille")

    assert ran.code == 0, ran.err
    pages = (tiny.root / "output/tiny/rulebook.en.brf").read_bytes().decode("ascii").split("\r\n\f")
    lines = [line for page in pages for line in page.split("\r\n")]
    assert lines[0] == "Tiny".center(40).rstrip()
    assert "What it is".center(40).rstrip() in lines
    assert "  A game of Star and cards." in lines
    listed = ["What it is".ljust(38) + "#A", "  A table".ljust(38) + "#A"]
    assert [line for line in lines if line.endswith("#A")] == [*listed, "#A".rjust(40)]
    at = lines.index("1. First.")
    assert lines[at + 1 : at + 4] == ["2. Second, which is so long that it goes", "  on in another line of the page.", "  An entry within it."]  # fmt: skip
    assert "    A table" in lines
    told = [line for line in lines if ": " in line]
    assert told[:4] == ["ace: Points: 1; Turns: 10", "king: Turns: 20", "Word: What it means", "hand: cards held"]
    at = lines.index("Picture: A card.")
    assert (lines[at - 1], lines[at + 1]) == ("", "Here it is.")
    assert "Somebody" in "".join(lines)


def test_pages_of_a_book_are_full_and_right() -> None:
    """25 lines each with the number below; a heading takes two lines of its text along; the contents give its page."""
    passages = [BraillePassage("Contents"), *(BraillePassage(f"H{n:02}", 0, 4, to=f"h{n}") for n in range(12))]
    for n in range(12):
        passages += [
            BraillePassage(f"H{n:02}", above=1, centred=True, kept=True, anchor=f"h{n}"),
            BraillePassage("word " * 70),
        ]
    pages = [page.split("\r\n") for page in brf_from_passages(passages).decode("ascii").split("\r\n\f")[:-1]]
    assert all(len(page) == 25 and max(map(len, page)) <= 40 for page in pages)
    assert [page[-1].strip() for page in pages] == [format_braille_number(n) for n in range(1, len(pages) + 1)]
    where = {line.strip(): n for n, page in enumerate(pages, 1) for line in page if line.startswith(" " * 18 + "H")}
    given = {line.split()[0]: line.split()[1] for line in pages[0] if line.startswith("H")}
    assert given == {name: format_braille_number(page) for name, page in where.items()} and len(given) == 12
    for page in pages:
        for at, line in enumerate(page[:-1]):
            if line.startswith(" " * 18 + "H"):
                assert at == 0 or page[at - 1] == ""
                assert at + 2 < 24 and page[at + 1] and page[at + 2]
    assert format_braille_number(120) == "#ABJ"


@pytest.mark.skipif(LOU is None, reason="liblouis-bin is not installed")
def test_what_a_table_does_not_know_is_no_fault() -> None:
    assert LOU is not None
    for lang, dots in (("en", "444"), ("de", "'''")):
        (line,) = translate_to_braille(["Go 囲碁 → ½ 🀄"], lang, LOU)
        assert line.isascii() and line.count(dots) == 2
        brf_from_paragraphs([line])


BOOK_LARGE = "# The game\n\nTake a card.\n"


def test_a_face_grows_with_all_that_is_on_it(tiny: TinyProject) -> None:
    project = find_project(tiny.root)
    game = load_game(project.find_folder("tiny"), project.resources)
    workshop, enlarge = Workshop(game, project.resources), make_enlarger()
    face = workshop.draw_face(next(iter(game.designs())), "front", "en")
    assert face is not None

    large = enlarge(face)

    assert enlarge(face) is large
    assert (large.width, large.height, large.bleed) == (40 * ENLARGEMENT, 60 * ENLARGEMENT, face.bleed * ENLARGEMENT)
    before, after = (
        [find_bounds(leaf.path, at) for leaf, at in walk_leaves(one.items) if isinstance(leaf, Shape)]
        for one in (face, large)
    )
    assert before and len(before) == len(after)
    for small, grown in zip(before, after, strict=True):
        assert small and grown and isclose(grown.right, small.right * ENLARGEMENT)
    assert [frame.size for frame in large.frames] == [frame.size * ENLARGEMENT for frame in face.frames]


def test_where_it_is_cut_grows_too(tiny: TinyProject) -> None:
    """Corner, safe zone and an outline of its own: a guide and a cut line lie where the face says."""
    project = find_project(tiny.root)
    kind = load_game(project.find_folder("tiny"), project.resources).kinds["card"]
    large = enlarge_kind(kind)
    assert (large.size, large.corner, large.safe) == (Size(40 * ENLARGEMENT, 60 * ENLARGEMENT), 3 * ENLARGEMENT, 3 * ENLARGEMENT)  # fmt: skip
    assert large.designs == kind.designs


def test_links_of_a_book_stay_on_their_words() -> None:
    link = PageLink(Rect(10, 20, 30, 4), 0, 100)
    page = Page(Size(148, 210), "front", 1, (), (Shape("M 0 0 L 1 0 Z", "ink"),), (link,))
    book = Document("Book", "en", (page,), outline=(Bookmark("Part", 1, 0, 50),))
    large = enlarge_document(book)
    (grown,) = large.pages
    assert isclose(grown.size.width, 210, abs_tol=0.8) and isclose(grown.size.height, 297, abs_tol=0.8)
    assert (grown.links[0].box.x, grown.links[0].y) == (10 * ENLARGEMENT, 100 * ENLARGEMENT)
    assert large.outline[0].y == 50 * ENLARGEMENT
    assert isinstance(grown.items[0], Group)


def sizes(path: Path) -> set[tuple[int, int]]:
    with pikepdf.open(io.BytesIO(path.read_bytes())) as pdf:
        boxes = [[float(side) for side in page.mediabox] for page in pdf.pages]
    return {(round(box[2] * 25.4 / 72), round(box[3] * 25.4 / 72)) for box in boxes}


def test_sheets_and_books_come_in_large_print(tiny: TinyProject, pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside the usual files and not in their place: sheets on the same paper, an A5 book on A4."""
    tiny.write("templates/tiny/rulebook.en.md", BOOK_LARGE)
    monkeypatch.chdir(tiny.root)
    out = tiny.root / "output" / "tiny"

    assert pnp("sheets", "tiny").code == pnp("sheets", "tiny", "--large-print").code == 0
    assert pnp("rulebook", "tiny", "--large-print").code == 0

    assert {path.name for path in out.iterdir()} == {
        *("sheets.en.pdf", "sheets-large-print.en.pdf", "rulebook-large-print.en.pdf")
    }
    assert sizes(out / "sheets-large-print.en.pdf") == {(210, 297)}
    assert sizes(out / "rulebook-large-print.en.pdf") == {(209, 297)}
    with pikepdf.open(out / "sheets-large-print.en.pdf") as pdf:
        assert len(pdf.pages) == 1


@pytest.mark.parametrize(
    "asked",
    [("sheets", "--numbers"), ("sheets", "--prototype"), ("rulebook", "--page", "Letter"), ("rulebook", "--epub")],
)
def test_what_has_no_large_print_is_wrong_usage(
    tiny: TinyProject, pnp: Pnp, monkeypatch: pytest.MonkeyPatch, asked: tuple[str, ...]
) -> None:
    """Marks that would lie beside their places, and files that readers enlarge themselves."""
    monkeypatch.chdir(tiny.root)
    ran = pnp(*asked, "--large-print")
    assert ran.code == 2
    assert "--large-print" in ran.err


def said(tiny: TinyProject, pnp: Pnp, *more: str) -> tuple[str, str]:
    """The tiny game's text and page."""
    ran = pnp("read-aloud", "tiny", "--out", str(tiny.root / "out"), *more)
    assert ran.code == 0, ran.err
    folder = tiny.root / "out" / "tiny"
    return tuple((folder / f"read-aloud.en.{suffix}").read_text(encoding="utf-8") for suffix in ("txt", "html"))  # type: ignore[return-value]


def test_every_piece_is_told_with_its_icons(tiny: TinyProject, pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tiny.root)
    text, page = said(tiny, pnp)
    assert text == ("Tiny, read aloud\n\nOne – Card, 2 copies\n1\nShown: Star\n\nTwo – Card, 3 copies\n2\n")
    assert re.findall(r'<article id="([^"]+)"><h3>([^<]+)', page) == [("card-one", "One"), ("card-two", "Two")]
    assert "<svg" not in page


def test_what_stands_twice_is_said_once(tiny: TinyProject, pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    """A card that may be turned says its title twice, and an icon before its name says it again: both are heard once."""
    monkeypatch.chdir(tiny.root)
    box = '<textbox x="5" y="15" width="30" height="10" font-family="body" font-size="8pt">{{ card.title }}</textbox>'
    rule = box.replace("{{ card.title }}", "Take a {star} Star and <b>{star}</b>.").replace('y="15"', 'y="42"')
    rule = rule.replace("<b>", "").replace("</b>", "")
    tiny.change("templates/tiny/card.svg", box, box + box.replace('y="15"', 'y="28"') + rule)
    text, _ = said(tiny, pnp)
    assert "One – Card, 2 copies\n1\nTake a Star and Star.\n\nTwo" in text


def test_what_a_template_keeps_from_it_is_not_said(
    tiny: TinyProject, pnp: Pnp, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A text with `aloud="no"` is printed but not read; anything but yes and no is a mistake of the template."""
    monkeypatch.chdir(tiny.root)
    number = 'x="5" y="40" font-family="body" font-size="8pt" text-role="number"'
    scale = f'<g transform="translate(1 1)"><text {number} aloud="no">9</text><text {number}>7</text></g></svg>'
    tiny.change("templates/tiny/card.svg", "</svg>", scale)

    text, _ = said(tiny, pnp)

    assert "7" in text
    assert "9" not in text
    tiny.change("templates/tiny/card.svg", 'aloud="no"', 'aloud="perhaps"')
    ran = pnp("read-aloud", "tiny")
    assert ran.code == 1
    assert "perhaps" in ran.err


def test_codes_lead_to_the_anchors(tiny: TinyProject, pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tiny.root)
    _, page = said(tiny, pnp, "--url", "https://example.org/tiny/")
    addresses = re.findall(r'aria-label="([^"]+)"', page)
    assert addresses == [f"https://example.org/tiny/read-aloud.en.html#card-{name}" for name in ("one", "two")]
    assert len(set(re.findall(r'<path d="([^"]+)"', page))) == 2
    ran = pnp("read-aloud", "tiny", "--url", "https://example.org/" + "x" * 300)
    assert ran.code == 1
    assert "choose a shorter address" in ran.err


def test_codes_come_on_labels_too(tiny: TinyProject, pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tiny.root)
    assert said(tiny, pnp)
    path = tiny.root / "out/tiny/read-aloud-labels.en.pdf"
    assert not path.exists()

    _, page = said(tiny, pnp, "--url", "https://example.org/tiny/")

    document = pypdfium2.PdfDocument(path)
    assert [tuple(round(side * MM_PER_PT) for side in one.get_size()) for one in document] == [(210, 297)]
    words = document[0].get_textpage().get_text_range().split()
    assert words == ["One", "Card", "Two", "Card"]
    seen = document[0].render(scale=300 / 72).to_pil().convert("L")
    codes = re.findall(r'<path d="([^"]+)"', page)
    for number, code in enumerate(codes):
        x, y = 12 + number * 62 + 4, (297 - 8 * 32) / 2 + 4
        dark = [tuple(map(float, corner)) for corner in re.findall(r"M ?([\d.]+)[ ,]([\d.]+)", code)]
        assert len(dark) > 100
        module = min(b - a for a, b in pairwise(sorted({corner[1] for corner in dark})))
        for dx, dy in dark:
            at = [round((place + module / 2) / MM_PER_PT / 72 * 300) for place in (x + dx, y + dy)]
            assert seen.getpixel((at[0], at[1])) < 100, (number, dx, dy)


def test_many_labels_take_more_sheets(tiny: TinyProject) -> None:
    """24 on each, in order; a long name is set smaller."""
    project = find_project(tiny.root)
    game = load_game(project.find_folder("tiny"), project.resources)
    workshop = Workshop(game, project.resources)
    names = [
        "A name that is long enough to want many lines beside its code on paper, and goes on, and on, and on, until it is over"
    ] + ["Short"] * 48
    document = set_code_labels(
        workshop, "en", "Tiny", [CodeLabel(name, "Card", f"https://x.org/#{n}") for n, name in enumerate(names)]
    )
    assert [len(page.items) for page in document.pages] == [24, 24, 1]
    long, short = (
        {leaf.size for leaf, _ in walk_leaves((item,)) if isinstance(leaf, TextRun)}
        for item in document.pages[0].items[:2]
    )
    assert max(long) < max(short)


def test_page_escapes_texts_of_the_game() -> None:
    design = SpokenDesign("card-one", "<b>One", 'A "kind" & more', 2, ("<script>alert(1)</script>",))
    page = spoken_to_page("<i>", [design], "en", 'https://example.org/"x').decode()
    assert "<h1>&lt;i&gt;</h1>" in page
    assert "<h3>&lt;b&gt;One</h3>" in page
    assert "<h2>A &quot;kind&quot; &amp; more</h2>" in page
    assert "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>" in page
    assert 'aria-label="https://example.org/&quot;x#card-one"' in page
