"""Every block of a rulebook knows where it is written, which is no part of what it says and of what is kept."""

from dataclasses import replace
from pathlib import Path

import pytest
from every_block import EVERYTHING, every_block, origins
from rulebook_project import DATA, EN, EXAMPLES, GLOSSARY, BookProject

from generator.base.cache import Store, hash_value
from generator.base.errors import ProblemsFound
from generator.books.page.blocks import Block, Book, Cover, Origin, drop_places
from generator.books.rulebook import book_files
from generator.books.rulebook.rulebook_play import RulebookPlay
from generator.drawing.faces.game_drawing import Workshop
from generator.game.load_game import load_game
from generator.game.project import find_project
from generator.rules.registry import load_rules

NO_GLYPH = "🂡"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> BookProject:
    made = every_block(tmp_path / "project")
    monkeypatch.chdir(made.root)
    return made


def test_every_block_knows_where_it_is_written(project: BookProject) -> None:
    project.body(EVERYTHING, free=False)
    found = list(origins(project.book()))
    names = {name for name, _ in found}
    assert names == {kind.__name__ for kind in (Book, Cover, *Block.__args__)}  # type: ignore[attr-defined]
    for name, origin in found:
        assert all(place.line and place.column for place in (origin.place, *origin.parts) if place), (name, origin)
        assert origin.place, name
    assert sum(len(origin.parts) for _, origin in found) > 30


MOVES = [
    (EN, "```cover", "{# a remark #}\n```cover"),
    (GLOSSARY, "glossary:", "# a remark\nglossary:"),
    (DATA, "format: 1", "# a remark\nformat: 1"),
    (EXAMPLES, "examples:", "# a remark\nexamples:"),
]


@pytest.mark.parametrize(("file", "old", "new"), MOVES)
def test_a_moved_line_changes_places_and_no_content(project: BookProject, file: str, old: str, new: str) -> None:
    """A remark in template or data moves what stands below it; what the book says, and is kept by, is the same."""
    project.body(EVERYTHING, free=False)
    before = project.book()
    project.change(file, old, new)
    after = project.book()
    assert before == after
    assert list(origins(before)) != list(origins(after))
    assert hash_value(drop_places(before)) == hash_value(drop_places(after))
    assert all(origin == Origin() for _, origin in origins(drop_places(after)))


def test_kept_books_have_no_places(project: BookProject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A remark sets no page anew, and a problem is told in the line where it stands now, however often it was told."""
    store, was_set = Store(tmp_path / "kept"), list[str]()
    folder = project.root / "data/higher"
    true = book_files.typeset_and_proofread
    monkeypatch.setattr(book_files, "typeset_and_proofread", lambda *all_: was_set.append("set") or true(*all_))

    def made() -> book_files.BookFiles | list[str]:
        found = find_project(project.root)
        game = load_game(found.find_folder("higher"), found.resources)
        game = replace(game, rules_module="")  # what a stranger's rules say is asked for each time
        shop = Workshop(game, found.resources, store=store)
        try:
            return book_files.make_book_files(
                shop, "en", RulebookPlay(game, lambda: load_rules(game, folder)), book_files.BookOptions(), "ink"
            )
        except ProblemsFound as problems:
            return [str(problem).split(": ")[0] for problem in problems.problems]

    project.body("Words.\n")
    first = made()
    project.body("{# a remark #}\nWords.\n")
    assert made() == first and len(was_set) == 1
    project.body(f"Words. {NO_GLYPH}\n")
    assert [made(), made()] == [[f"{EN}:1:1"]] * 2
    project.body(f"{{# a remark #}}\nWords. {NO_GLYPH}\n")
    assert made() == [f"{EN}:2:1"]
    project.body("{# a remark #}\n{# another #}\nWords.\n")
    assert made() == first and len(was_set) == 4
