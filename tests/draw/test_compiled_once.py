"""Templates are compiled once a process, and a game that is opened again is drawn as if they had been compiled anew."""

import pytest
from tests_support import TinyProject

from generator.base.display_list import Drawing
from generator.drawing.faces.game_drawing import Workshop
from generator.drawing.templates.sandbox import Sandbox
from generator.game.load_game import load_game
from generator.game.project import find_project


def drawn(tiny: TinyProject) -> tuple[list[Drawing | None], list[str]]:
    """The fronts of the tiny game, opened anew, and what is wrong with them."""
    project = find_project(tiny.root)
    shop = Workshop(load_game(project.find_folder("tiny"), project.resources), project.resources)
    return [shop.draw_face(design, "front", "en") for design in shop.game.designs()], [
        str(one) for one in shop.problems
    ]


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str | None]:
    """The files that are compiled from now on."""
    files: list[str | None] = []
    really = Sandbox._generate

    def generate(
        self: Sandbox, source: object, name: str | None, filename: str | None, defer_init: bool = False
    ) -> str:
        files.append(filename)
        return really(self, source, name, filename, defer_init)  # type: ignore[arg-type]

    monkeypatch.setattr(Sandbox, "_generate", generate)
    return files


def test_a_game_that_is_opened_again_compiles_nothing(tiny: TinyProject, compiled: list[str | None]) -> None:
    tiny.change("templates/tiny/card.svg", "<rect", "<!-- of this test alone --><rect")
    first = drawn(tiny)
    assert compiled.count("templates/tiny/card.svg") == 1
    compiled.clear()
    assert drawn(tiny) == first
    assert compiled == []
    tiny.change("templates/tiny/card.svg", "#f0e8d8", "#d8e8f0")
    assert drawn(tiny) != first
    assert compiled == ["templates/tiny/card.svg"]


def test_a_problem_keeps_its_place(tiny: TinyProject) -> None:
    """Both times a wrong value is told at its line and column, also where another file has been compiled before it."""
    tiny.change("templates/tiny/card.svg", 'height="66"', 'height="tall"')
    (first, *_) = told = drawn(tiny)[1]
    assert first.startswith("templates/tiny/card.svg:2:")
    assert drawn(tiny)[1] == told
    tiny.write(
        "templates/tiny/before.svg",
        '<svg xmlns="http://www.w3.org/2000/svg"><rect width="{{ 20 }}" height="20"/></svg>',
    )
    before = "  before: {name: Before, size: [20, 20], front: before, designs: [{id: a}]}\n"
    tiny.change("data/tiny/game.yaml", "components:\n", f"components:\n{before}")
    assert drawn(tiny)[1] == told
