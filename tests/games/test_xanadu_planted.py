"""Faults planted in a copy of Xanadu's files: `pnp validate` names each of them, with its line."""

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from conftest import Ran
from xanadu_game import PROJECT

from generator.game.project import find_project

Pnp = Callable[..., Ran]


@dataclass(frozen=True)
class Copy:
    """A project that holds Xanadu alone."""

    root: Path

    @property
    def data(self) -> str:
        return find_project(self.root).find_folder("xanadu").relative_to(self.root).as_posix()

    def path(self, name: str) -> Path:
        return self.root / ("templates/xanadu" if name.endswith(".svg") else self.data) / name

    def plant(self, name: str, old: str, new: str) -> None:
        """Put a fault into the one place where `old` stands."""
        text = self.path(name).read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {name}"
        self.path(name).write_text(text.replace(old, new), encoding="utf-8")

    def line(self, name: str, text: str) -> str:
        """`data/xanadu/boards.yaml:12` of the one line that has this text in it."""
        lines = self.path(name).read_text(encoding="utf-8").splitlines()
        (number,) = [number for number, line in enumerate(lines, 1) if text in line]
        return f"{self.data}/{name}:{number}"


@pytest.fixture
def copied(tmp_path: Path, keeping: Path, monkeypatch: pytest.MonkeyPatch) -> Copy:
    """A copy of the files that tests may spoil, in the current folder; what is as it was is drawn once for all."""
    folder = find_project(PROJECT).find_folder("xanadu")
    shutil.copytree(folder, tmp_path / "data" / folder.name)
    for name in ("xanadu", "common"):
        shutil.copytree(PROJECT / "templates" / name, tmp_path / "templates" / name)
    monkeypatch.chdir(tmp_path)
    return Copy(tmp_path)


def failures(pnp: Pnp) -> dict[str, str]:
    """The lines of the report that begin with what failed, by the id of the check; no game is played for them."""
    ran = pnp("validate", "xanadu", "--games", "0")
    failed = ran.out.partition("\nfail (")[2].partition("\n\n")[0].splitlines()[1:]
    assert ran.code == (1 if failed else 0)
    return {line.rpartition("[")[2].split(",")[0].rstrip("]"): line.strip() for line in failed}


@pytest.mark.slow  # draws all of a large game
@pytest.mark.usefixtures("copied")
def test_the_files_as_they_are_have_none_of_these_faults(pnp: Pnp) -> None:
    """So that what the other tests find is what they planted."""
    kinds = ("spaces.", "spaces-fit.", "count.", "map_", "icons_cover_types")
    assert [check for check in failures(pnp) if check.startswith(kinds)] == []


@pytest.mark.slow
def test_faults_are_named_together(copied: Copy, pnp: Pnp) -> None:
    """A warehouse 1 mm too small, a 61st request, a street that leads one way, an icon too many, a row of no spaces.

    A gauge without its last box, too: the group says four, the picture shows three. And a board whose gauge says three
    where the rules need five.
    """
    copied.plant(
        "area.svg",
        'width="15" height="15" rx="1" fill="{{ \'wood_pale\'',
        'width="14" height="15" rx="1" fill="{{ \'wood_pale\'',
    )
    copied.plant("requests.yaml", "{id: FL1, count: 1,", "{id: FL1, count: 2,")
    copied.plant("map.yaml", "next: [p1, p3]}", "next: [p3]}")
    copied.plant("boards.yaml", "types: [furniture, books],", "types: [furniture, books, food],")
    copied.plant("action.svg", 'data-space="worker" data-holds="{{ rules.rows[action] | length }}"', "")
    gauge = '<g id="gauge" data-space="share" data-holds="{{ card.gauge }}">\n{% for k in range(card.gauge) %}'
    copied.plant("area.svg", gauge, gauge.replace("range(card.gauge)", "range(card.gauge - 1)"))
    copied.plant(
        "area.svg", 'data-holds="{{ card.gauge }}"', "data-holds=\"{{ 3 if name == 'chime' else card.gauge }}\""
    )
    found = failures(pnp)

    assert found["spaces-fit.area_board"].startswith(
        f"{copied.line('boards.yaml', '{id: lantern,')}:9: area_board: pieces don't fit on"
    )
    assert (
        "area_board/lantern front ja (area.svg): the space 'warehouse-red' is for 6 resource of 15 x 15 mm, "
        "but has 0 places for them; 14 x 15 mm is too small"
    ) in found["spaces-fit.area_board"]
    assert found["count.request"].startswith(
        f"{copied.line('requests.yaml', 'stated: 60')}:13: request: the data hold 61, the draft states 60"
    )
    assert found["map_edges"].startswith(copied.line("checks.yaml", "- id: map_edges"))
    assert f"({copied.line('map.yaml', 'next: [p3]}')})" in found["map_edges"]
    assert found["icons_cover_types"].startswith(copied.line("checks.yaml", "- id: icons_cover_types"))
    assert "food is on 5" in found["icons_cover_types"]
    assert found["spaces.action_board"].startswith(
        f"{copied.line('boards.yaml', '{id: action, count: 1}')}:9: action_board: designs lack spaces"
    )
    assert "action_board/action: there is no space 'row-fulfil' for 3 worker" in found["spaces.action_board"]
    assert (
        "area_board/lantern front ja (area.svg): the space 'gauge' is for 4 share of 15 x 15 mm, but has 3 places for them"
    ) in found["spaces-fit.area_board"]
    assert found["spaces.area_board"].startswith(f"{copied.line('boards.yaml', '{id: chime,')}:9")
    assert "area_board/chime: the space 'gauge' is for 3 share, but must be for 5 share" in found["spaces.area_board"]


def test_a_phrase_missing_in_one_language(copied: Copy, pnp: Pnp) -> None:
    english = "      en: \"{{ words.actions[action] }}: +{{ n }} action{{ 's' if n > 1 else '' }}\"\n"
    copied.plant("operations.yaml", english, "")
    ran = pnp("validate", "xanadu")
    line = int(copied.line("operations.yaml", "more_actions:").rpartition(":")[2]) + 5
    assert (ran.code, ran.out) == (1, "")
    assert ran.said[0].startswith(
        f"{copied.data}/operations.yaml:{line}:7: operations.more_actions.says has no text in 'en'"
    )
