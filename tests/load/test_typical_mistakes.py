"""What a designer is told of typical mistakes in a new project: one message each, at the right place.

The tables beside this file are the list of mistakes with their messages: `<` what stands in the project, `>` what is
written instead, with ▸ where the message must point, `=` the message. In new text, → is a tab and ␀ a null character.
"""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from conftest import Pnp

from generator.commands.new import new_project
from generator.game.yaml_mistakes import find_first_mistake

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
SIGNS = str.maketrans({"→": "\t", "␀": "\0"})


class Mistake(NamedTuple):
    """A mistake in a file of a project, and what must be said of it."""

    name: str
    file: str
    old: str
    new: str
    said: str


def mistakes(table: str) -> Iterator[Mistake]:
    """Yield the mistakes of a table."""
    for block in (HERE / table).read_text("utf-8").split("\n\n"):
        parts: dict[str, list[str]] = {}
        for line in block.splitlines():
            parts.setdefault(line[0], []).append(line[2:])
        (name,), (old,), (said,) = parts["#"], parts["<"], parts["="]
        yield Mistake(name, *old.split(": ", 1), "\n".join(parts[">"]), said)


IN_THE_DATA = list(mistakes("sixty_mistakes.txt"))
IN_TEMPLATES = list(mistakes("template_mistakes.txt"))


@pytest.fixture(scope="module")
def projects(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A new project in English, and one in two languages."""
    folder = tmp_path_factory.mktemp("new")
    new_project(folder, "hill", "cards", ("en",))
    new_project(folder, "two", "cards")
    return {"hill": folder / "hill", "two": folder / "two"}


@pytest.mark.parametrize("mistake", IN_THE_DATA + IN_TEMPLATES, ids=lambda mistake: mistake.name)
def test_each_mistake_has_one_message_at_its_place(
    mistake: Mistake, projects: dict[str, Path], tmp_path: Path, pnp: Pnp, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One mistake is one line of what is wrong and what to do, exit 1, at the line and column where it was made."""
    file, _, encoding = mistake.file.partition(" as ")
    game = "two" if file.startswith("two/") else "hill"
    shutil.copytree(projects[game], tmp_path / game)
    monkeypatch.chdir(tmp_path / game)
    shown = f"{'templates' if file.endswith('.svg') else 'data'}/{game}/{file.removeprefix('two/')}"
    text = Path(shown).read_text("utf-8")
    assert mistake.old in text
    text = text.replace(mistake.old, mistake.new.translate(SIGNS), 1)
    at = text.index("▸")
    Path(shown).write_text(text.replace("▸", ""), encoding or "utf-8", newline="\n")

    ran = pnp("list") if file.partition(" ")[0].endswith(".yaml") else pnp("sheets")
    ran = ran if ran.code else pnp("sheets")

    line, column = text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
    lines_alone = shown.endswith(".svg") and f":{line}:{column}:" not in ran.err
    place = f"{shown}:{line}" if lines_alone else f"{shown}:{line}:{column}"
    assert (ran.code, ran.out, ran.said) == (1, "", [f"{place}: {mistake.said}"])


def test_there_are_sixty_mistakes() -> None:
    assert len(IN_THE_DATA) == len({mistake.name for mistake in IN_THE_DATA}) == 60


@pytest.mark.parametrize("folder", ["data", "packs", "presets", "generator"])
def test_nothing_is_wrong_with_files_that_are_right(folder: str) -> None:
    """The search for the first mistake finds none in any YAML file of the program, so that it blames no right line."""
    files = [path for path in (ROOT / folder).rglob("*.yaml") if "{{" not in path.name]
    assert files
    assert {str(path): find_first_mistake(path.read_text("utf-8")) for path in files} == dict.fromkeys(map(str, files))
