"""PDFs of the page: they have the bytes of the commands, and what does not exist is refused."""

from pathlib import Path

import pytest
from conftest import Pnp
from tests_support import TinyProject

from generator.game.project import find_project
from generator.live.gallery import Gallery
from generator.live.routes import Routes

BOOK = "# {{ game.title }}\n\n## Play\n\nTake a card.\n"


@pytest.fixture
def routes(tiny: TinyProject) -> Routes:
    (tiny.root / "templates" / "tiny" / "rulebook.en.md").write_text(BOOK, encoding="utf-8")
    return Routes(Gallery(find_project(tiny.root, tiny.root), ()))


@pytest.mark.parametrize(
    ("address", "words", "file"),
    [
        ("/pdf/tiny/sheets/en.pdf", ["sheets"], "sheets.en.pdf"),
        ("/pdf/tiny/sheets/en.pdf?paper=Letter", ["sheets", "--paper", "Letter"], "sheets.en.pdf"),
        ("/pdf/tiny/rulebook/en.pdf", ["rulebook"], "rulebook.en.pdf"),
        ("/pdf/tiny/rulebook/en.pdf?page=A4", ["rulebook", "--page", "A4"], "rulebook.en.pdf"),
    ],
)
def test_a_pdf_has_the_bytes_of_the_command(
    routes: Routes, tiny: TinyProject, pnp: Pnp, tmp_path: Path, address: str, words: list[str], file: str
) -> None:
    pnp("--project", str(tiny.root), *words, "tiny", "--lang", "en", "--out", str(tmp_path), code=0)
    reply = routes.answer(address)
    assert (reply.status.value, reply.type) == (200, "application/pdf")
    assert reply.body == (tmp_path / "tiny" / file).read_bytes()


@pytest.mark.parametrize(
    "address",
    [
        "/pdf/tiny/sheets/xx.pdf", "/pdf/tiny/sheets/en.png", "/pdf/tiny/sheets/en.pdf?paper=A99", "/pdf/other/sheets/en.pdf",
        "/pdf/tiny/rulebook/en.pdf?page=A3", "/pdf/tiny/secrets/en.pdf", "/pdf/tiny/quickstart/en.pdf",
    ],
)  # fmt: skip
def test_what_is_no_pdf_of_the_game_is_refused(routes: Routes, address: str) -> None:
    assert routes.answer(address).status.value == 404
