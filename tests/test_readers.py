"""Text stands where it was set for every reader: PDFium, which our own pictures come from, agrees with three others."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from conftest import Pnp, Tool
from fonts_of_2048 import scaled
from shipped_games import GAMES
from tests_support import TINY_TEMPLATE, TinyProject, quick
from text_places import Glyph, apart, by_ghostscript, by_pdfium, by_pdfminer, by_poppler, farthest, told_apart

CLOSE = 0.1
"""mm between two readers."""

TEMPLATE = TINY_TEMPLATE.replace(
    "</svg>",
    """\
  <text x="5" y="35" font-family="body" font-size="8pt">AVATAR 0123456789 wheat</text>
  <text x="35" y="40" font-family="body" font-size="7pt" text-anchor="end" letter-spacing="0.4">spaced out</text>
  <text x="5" y="45" font-family="body" font-size="7pt" transform="rotate(20 5 45)">askew</text>
  <textbox x="5" y="47" width="25" height="12" font-family="body" font-size="7pt" text-align="justify">set to both edges of \
a narrow column of words</textbox>
</svg>""",
)

Pages = Sequence[list[Glyph]]


@pytest.fixture
def files(tiny: TinyProject, pnp: Pnp) -> list[Path]:
    """Sheets and shop files of a deck in a font of 2048 units."""
    tiny.write("fonts/SourceSans3_400Regular.ttf", scaled())
    tiny.write("templates/tiny/card.svg", TEMPLATE)
    ran = [
        pnp("sheets", "--out", "out"),
        *(pnp("shop", "--preset", name, "--out", "out") for name in ("digital", "manindo")),
    ]
    assert [each.err for each in ran if each.code] == []
    return sorted((tiny.root / "out").rglob("*.pdf"))


def worst(one: Pages, other: Pages, measure: Callable[[list[Glyph], list[Glyph]], float] = apart) -> float:
    """The farthest that any glyph of a file stands from where it should."""
    assert len(one) == len(other)
    return max(measure(a, b) for a, b in zip(one, other, strict=True))


@pytest.mark.slow
def test_a_reader_in_python_finds_the_glyphs_where_pdfium_does(files: list[Path]) -> None:
    assert len(files) >= 4
    for path in files:
        copy = told_apart(path.read_bytes())
        ours, theirs = list(by_pdfium(copy)), list(by_pdfminer(copy))
        assert sum(map(len, ours)) > 60
        assert worst(ours, theirs) < CLOSE, path.name


@pytest.mark.slow
def test_poppler_and_ghostscript_find_the_glyphs_where_pdfium_does(
    files: list[Path], tool: Tool, tmp_path: Path
) -> None:
    for path in files:
        check_readers(path, tool, tmp_path)


@pytest.mark.slow
def test_a_wrong_width_is_noticed(files: list[Path]) -> None:
    copy = told_apart(files[-1].read_bytes())
    moved = [[Glyph(n, x + 0.2, y) for n, x, y, _ in page] for page in by_pdfminer(copy)]
    assert worst(list(by_pdfium(copy)), moved) > CLOSE


def check_readers(path: Path, tool: Tool, room: Path) -> None:
    """Hold all readers to each other on a file; Ghostscript alone where lines lie or stand, since it tells no others."""
    copy = told_apart(path.read_bytes())
    (room / "told.pdf").write_bytes(copy)
    ours, miner = list(by_pdfium(copy)), list(by_pdfminer(copy))
    poppler = list(by_poppler(room / "told.pdf", range(1, len(ours) + 1), tool("pdftocairo")))
    ghostscript = list(by_ghostscript(copy, room, tool("gs")))
    assert worst(ours, miner) < CLOSE, path.name
    assert worst(miner, poppler) < CLOSE, path.name
    for line in ("lying", "standing"):
        some, others = ([[g for g in page if g.line == line] for page in pages] for pages in (miner, ghostscript))
        assert worst(some, others, farthest) < CLOSE, (path.name, line)


@pytest.mark.slow
@pytest.mark.parametrize("game", quick(GAMES, "fortuna", rest="release"))
def test_all_readers_agree_on_the_files_of_every_game(game: str, shipped: Pnp, tool: Tool, tmp_path: Path) -> None:
    """The print sheets of every game in Japanese, whose fonts have 1,000 and 2,048 units an em."""
    shipped("sheets", game, "--lang", "ja", code=0)
    (path,) = tmp_path.rglob("*.pdf")
    check_readers(path, tool, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("game", quick(GAMES, "fortuna", rest="release"))
def test_poppler_agrees_on_the_books_and_shop_files_of_every_game(
    game: str, shipped: Pnp, tool: Tool, tmp_path: Path
) -> None:
    shipped("rulebook", game, code=0)
    shipped("shop", game, "--preset", "digital", "--lang", "ja", code=0)
    files = sorted(tmp_path.rglob("*.pdf"))
    assert len(files) > 4
    for path in files:
        copy = told_apart(path.read_bytes())
        (tmp_path / "told.pdf").write_bytes(copy)
        ours = list(by_pdfium(copy))
        poppler = list(by_poppler(tmp_path / "told.pdf", range(1, len(ours) + 1), tool("pdftocairo")))
        assert worst(ours, poppler, farthest) < CLOSE, path.name
