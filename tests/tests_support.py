"""What tests build on: a complete project of five cards to change and break, and how many examples are tried."""

import importlib.util
import os
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pypdfium2
import pytest
import yaml
from hypothesis import settings
from PIL import Image

PROJECTS = Path(__file__).parent / "projects"
"""Small projects for tests to change and break, each in a folder."""


@cache
def project_files(name: str) -> Mapping[str, str]:
    """The texts of a project's files by their names, the same whatever the order of the disk."""
    folder = PROJECTS / name
    files = sorted(path for path in folder.rglob("*.*") if path.is_file())
    return MappingProxyType({path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in files})


TINY = project_files("tiny")
TINY_GAME, TINY_TEMPLATE = TINY["data/tiny/game.yaml"], TINY["templates/tiny/card.svg"]
STAR = TINY["templates/tiny/icons/star.svg"]


def examples(number: int) -> settings:
    """So many examples where a hundred are usual: a quarter of them in the fast suite, ten times as many to explore."""
    return settings(max_examples=max(1, number * settings().max_examples // 100))


def quick(cases: Iterable[Any], *fast: Any, rest: str = "slow") -> list[Any]:
    """All cases of a test: the `fast` ones, named by themselves or by their first value, and the `rest` with that mark."""
    found = [case if isinstance(case, tuple) else (case,) for case in cases]
    wanted = [case if isinstance(case, tuple) else (case,) for case in fast]
    chosen = [any(case[: len(one)] == one for one in wanted) for case in found]
    assert sum(chosen) >= len(wanted), f"no such case among {fast}"
    return [
        pytest.param(*case, marks=() if is_fast else getattr(pytest.mark, rest))
        for case, is_fast in zip(found, chosen, strict=True)
    ]


def iter_values(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths of all values that are no group."""
    if isinstance(value, (dict, list)) and value:
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from iter_values(inner, (*path, key))
    else:
        yield path


def change_value(text: str, path: tuple[Any, ...]) -> str:
    """A game's YAML with another value at a path: a longer text, a number larger by one, the next day."""
    data = yaml.safe_load(text)
    inner = data
    for step in path[:-1]:
        inner = inner[step]
    old = inner[path[-1]]
    if isinstance(old, date):
        inner[path[-1]] = old + timedelta(days=1)
    else:
        inner[path[-1]] = f"{old} new" if isinstance(old, str) else old + 1
    return yaml.safe_dump(data, sort_keys=False, allow_unicode=True)


class ProjectFolder:
    """A project in a folder; tests change one thing in it and look what happens."""

    def __init__(self, root: Path, *names: str):
        self.root = root
        for name in names:
            for file, text in project_files(name).items():
                self.write(file, text)

    def write(self, name: str, text: str | bytes) -> Path:
        """Write a file of the project as careful editors do: who looks meanwhile sees the old one or the new one."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_name(f".{path.name}.new")
        beside.write_bytes(text.encode() if isinstance(text, str) else text)
        beside.replace(path)
        return path

    def change(self, name: str, old: str, new: str) -> None:
        text = (self.root / name).read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {name}"
        self.write(name, text.replace(old, new))


def enter(project: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The project, whose folder is the current one from now on."""
    monkeypatch.chdir(project.root)
    return project


class TinyProject(ProjectFolder):
    """A complete project of five cards."""

    def __init__(self, root: Path):
        super().__init__(root, "tiny")

    def add_chips(self, described: str) -> None:
        """Add tokens of 20 x 20 mm to the game; `described` says the rest of them, as the data do."""
        chip = f"  chip: {{name: Chip, form: token, size: [20, 20], front: chip, {described}}}\n"
        self.change("data/tiny/game.yaml", "setup:", f"{chip}setup:")
        drawn = '<svg xmlns="http://www.w3.org/2000/svg"><rect width="20" height="20"/></svg>'
        self.write("templates/tiny/chip.svg", drawn)


def refuse_new_files(monkeypatch: pytest.MonkeyPatch, fault: int) -> None:
    """From now on whoever begins a new file hears what a full or a locked disk says."""
    opened = Path.open

    def answer(path: Path, *rest: Any, **options: Any) -> Any:
        if path.parent.name.startswith(".pnp-"):
            raise OSError(fault, os.strerror(fault))
        return opened(path, *rest, **options)

    monkeypatch.setattr(Path, "open", answer)


def files_below(folder: Path) -> dict[str, bytes]:
    """All files below a folder by their names in it."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def open_picture(path: Path) -> Image.Image:
    """A picture, whose file is closed again."""
    with Image.open(path) as image:
        return image.copy()


def load_script(path: Path) -> Any:
    """The module of a script that is in no package."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def page_count(pdf: bytes | Path) -> int:
    """How many pages a PDF has."""
    with pypdfium2.PdfDocument(pdf) as document:
        return len(document)
