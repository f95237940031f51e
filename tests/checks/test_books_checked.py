"""`pnp validate` reads the books: what would stop them from being made is told, at its line, before they are made."""

from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Ran
from rulebook_project import BookProject

Pnp = Callable[..., Ran]

TEMPLATE = "templates/higher/rulebook.en.md"
QUICK = {lang: f"templates/higher/quickstart.{lang}.md" for lang in ("ja", "en")}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> BookProject:
    """A game with a rulebook and a quick start in two languages, in the current folder."""
    made = BookProject(tmp_path / "project")
    for name in QUICK.values():
        made.write(name, "```part #play\ntake: text\n```\n")
    monkeypatch.chdir(made.root)
    return made


def books(pnp: Pnp, *options: str) -> tuple[int, list[str]]:
    """The exit code of validating, and what it says of books."""
    ran = pnp("validate", "higher", "--games", "0", "--trust-rules", "--no-cache", *options)
    return ran.code, [line.strip() for line in ran.out.splitlines() if "book." in line]


def test_each_book_is_a_check(project: BookProject, pnp: Pnp) -> None:
    code, lines = books(pnp)
    assert code == 0, lines
    assert [line.split()[0] for line in lines] == ["book.rulebook.ja", "book.rulebook.en", "book.quickstart.ja", "book.quickstart.en"]  # fmt: skip
    assert all("can be made" in line for line in lines)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("See [there](#nowhere).", "a link leads to 'nowhere', but no heading has this anchor"),
        ("```figure\nof: card/c99\n```", "unknown component 'card/c99'"),
        ("A rare \u2672 sign.", "\u2672"),
        ("```example lowest\n```", "unknown example 'lowest'"),
    ],
)
def test_a_broken_book_fails_at_its_line(project: BookProject, pnp: Pnp, words: str, told: str) -> None:
    """An unknown anchor, component or example, a character without a glyph: with file and line, and exit code 1."""
    text = (project.root / TEMPLATE).read_text(encoding="utf-8")
    project.write(TEMPLATE, f"{text}\n{words}\n")
    code, lines = books(pnp)
    failed = [line for line in lines if "[book.rulebook.en.1]" in line]
    assert code == 1
    assert len(failed) == 1 and failed[0].startswith(f"{TEMPLATE}:") and told in failed[0], lines


def test_a_quick_start_longer_than_its_page_fails(project: BookProject, pnp: Pnp) -> None:
    words = "Play well, play fair, and mind what the others do. " * 400
    project.write(QUICK["en"], f"# All\n\n{words}\n")
    code, lines = books(pnp)
    assert code == 1
    assert [line for line in lines if "[book.quickstart.en.1]" in line and " mm" in line], lines
    assert any(line.startswith("book.rulebook.en ") for line in lines)


def test_a_language_without_its_book_fails(project: BookProject, pnp: Pnp) -> None:
    (project.root / QUICK["ja"]).unlink()
    code, lines = books(pnp)
    assert code == 1
    assert [line for line in lines if "the quick start is missing" in line], lines
