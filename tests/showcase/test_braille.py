"""`--braille`: lines and pages as embossers take them, by liblouis' program, told where it is missing; whole books."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from tests_support import TinyProject

from generator.base.processes import find_program
from generator.books.braille import (
    BraillePassage,
    brf_from_paragraphs,
    brf_from_passages,
    format_braille_number,
    translate_to_braille,
)

Pnp = Callable[..., Any]
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
    """Japanese beside English is a note; alone it is a problem. Books say the same."""
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


BOOK = """\
# What it is {#what}

A game of {star} Star and cards.

```contents
```

1. First.
2. Second, which is so long that it goes on in another line of the page.

   - An entry within it.

## A table {#table}

| Cards | Points | Turns |
|---|--:|--:|
| ace | 1 | 10 |
| king |   | 20 |

| Word | What it means |
|---|---|
| hand | cards held |

```figure
show: row
of: [card/one]
height: 20
caption: Here it is.
alt: A card.
```
"""


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
