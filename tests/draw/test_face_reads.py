"""What faces and files read: after any change of any value of the data, those of earlier runs are those of a clean run."""

from pathlib import Path
from typing import Any

import pytest
from reads_project import BOOKS, CHANGES, GAME, PATHS, Reads, changed
from tests_support import quick

from generator.base.cache import Store
from generator.base.display_list import Drawing
from generator.books.rulebook import book_files, read_book
from generator.drawing.faces.draw_face import FaceKey
from generator.drawing.faces.game_drawing import Workshop
from generator.drawing.templates.game_templates import Templates
from generator.game.print_pages import Document


@pytest.fixture
def game(tmp_path: Path) -> Reads:
    return Reads(tmp_path / "project")


@pytest.mark.parametrize("path", quick(zip(PATHS), (("rules", "hand"),), (("words", "greeting", "en"),)), ids=lambda path: ".".join(map(str, path)))  # fmt: skip
def test_any_value_may_change(game: Reads, tmp_path: Path, path: tuple[Any, ...]) -> None:
    store = Store(tmp_path / "kept")
    game.faces(store)
    game.write("data/reads/game.yaml", changed(path))
    clean = game.faces(None)
    assert not clean[1]
    assert game.faces(store) == clean
    game.write("data/reads/game.yaml", GAME)
    assert game.faces(store) == game.faces(None)


TEXTS = [path for path in PATHS if path[-1] in ("en", "de")]
"""Where the data have one text for each language."""


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The books that were read and the documents that were written, by language."""
    done: list[str] = []
    write, read = Workshop.write_document, read_book.read_book

    def write_document(self: Workshop, document: Document, *more: Any, **options: Any) -> None:
        done.append(f"written in {document.lang}")
        write(self, document, *more, **options)

    def read_a_book(shop: Workshop, lang: str, *more: Any) -> Any:
        done.append(f"{more[1].name} read in {lang}")
        return read(shop, lang, *more)

    monkeypatch.setattr(Workshop, "write_document", write_document)
    monkeypatch.setattr(book_files, "read_book", read_a_book)
    return done


@pytest.mark.slow
@pytest.mark.parametrize("path", quick(zip(TEXTS), (("title", "en"),), (("words", "greeting", "de"),)), ids=lambda path: ".".join(map(str, path)))  # fmt: skip
def test_a_text_changes_the_files_in_its_language(
    game: Reads, tmp_path: Path, built: list[str], path: tuple[Any, ...]
) -> None:
    """Files in the other one are those of the earlier run, unless they show what all data are."""
    store, out = Store(tmp_path / "kept"), tmp_path / "out"
    game.write_books(BOOKS)
    before = game.files(out, store)
    game.write("data/reads/game.yaml", changed(path))
    built.clear()
    after = game.files(out, store)
    made = list(built)
    assert after == game.files(out, None)
    other = "de" if path[-1] == "en" else "en"
    assert {name for name in before if f".{other}." in name and before[name] != after[name]} == {
        f"notes.{other}.html",
        f"notes.{other}.pdf",
    }
    both = ["written in en"] if other == "en" else []  # the sheets in both languages, whose first is English
    assert [one for one in made if one.endswith(other)] == [*both, f"notes read in {other}", f"written in {other}"]


@pytest.mark.slow
def test_a_book_hears_what_it_takes_from_another(game: Reads, tmp_path: Path) -> None:
    """A quick start with a hash of all data that stands in the rulebook changes with every text."""
    store, out = Store(tmp_path / "kept"), tmp_path / "out"
    state = f"{BOOKS['rulebook']}\n# Data {{#data}}\n\n```state\n```\n"
    game.write_books({"rulebook": state, "quickstart": "```part #data\ntake: tables\n```\n"})
    before = game.files(out, store)
    game.write("data/reads/game.yaml", changed(("words", "greeting", "en")))
    after = game.files(out, store)
    assert after["quickstart.de.pdf"] != before["quickstart.de.pdf"]
    assert after == game.files(out, None)


@pytest.mark.slow
def test_the_project_reads_in_many_ways(game: Reads) -> None:
    drawn, problems = game.faces(None)
    assert not problems
    assert all(drawn.values())
    unread = [path for path in PATHS if _faces_after(game, path) == drawn]
    assert {path[0] for path in unread} <= {"draft", "date", "players", "credit", "licence", "rules", "components"}
    assert ("rules", "unread") in unread and ("rules", "hand") not in unread


def _faces_after(game: Reads, path: tuple[Any, ...]) -> dict[FaceKey, Drawing | None]:
    game.write("data/reads/game.yaml", changed(path))
    return game.faces(None)[0]


@pytest.mark.parametrize("name", CHANGES)
def test_anything_else_may_change(game: Reads, tmp_path: Path, name: str) -> None:
    store = Store(tmp_path / "kept")
    before = game.faces(store)
    game.write(*CHANGES[name])
    clean = game.faces(None)
    assert not clean[1]
    assert clean != before
    assert game.faces(store) == clean


def test_a_new_outline_is_compared_with_the_texts(game: Reads, tmp_path: Path) -> None:
    store = Store(tmp_path / "kept")
    game.faces(store)
    outline = "M 10 10 L 30 10 L 30 30 L 10 30 Z"
    game.write("data/reads/game.yaml", GAME.replace("front: mark", f'front: mark\n    outline: "{outline}"'))
    clean = game.faces(None)
    assert any("outline" in problem for problem in clean[1])
    assert game.faces(store) == clean


def test_only_faces_that_read_it_are_rendered(game: Reads, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rendered: list[str] = []
    really = Templates.render_face

    def render(self: Templates, name: str, *more: Any) -> Any:
        rendered.append(name)
        return really(self, name, *more)

    monkeypatch.setattr(Templates, "render_face", render)
    store = Store(tmp_path / "kept")
    game.faces(store)
    rendered.clear()
    game.write("data/reads/game.yaml", changed(("rules", "unread")))
    game.faces(store)
    assert rendered == []
    rendered.clear()
    game.write("data/reads/game.yaml", changed(("rules", "prices", 2)))
    game.faces(store)
    assert rendered.count("mark.svg") == 3 and "card.svg" not in rendered
