"""The guides: every project that they build up builds, and `pnp guide` brings them to whoever has no checkout."""

import importlib.util
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, Ran

from generator.commands.guide import GUIDES

Pnp = Callable[..., Ran]


@pytest.fixture(scope="module")
def projects() -> Any:
    """The module that makes projects of guides."""
    spec = importlib.util.spec_from_file_location("guide_projects", ROOT / "docs/guide_projects.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["pictures", "fonts", "two-sided", "shapes", "print-shops"])
def test_what_a_guide_shows_builds(projects: Any, name: str, tmp_path: Path, pnp: Pnp) -> None:
    """Block by block, as a reader copies them: sheets come of each step, and validation finds nothing wrong."""
    root = projects.begin(tmp_path)
    steps = 0
    for _ in projects.follow(name, root):
        steps += 1
        for command in ("sheets", "validate"):
            ran = pnp("--project", str(root), command)
            assert ran.code == 0, ran.out + ran.err
    text = (ROOT / f"docs/{name}.md").read_text(encoding="utf-8")
    assert steps >= max(1, len(re.findall(r"^!\[", text, re.MULTILINE)))
    assert name in projects.WITH_PROJECTS


def test_every_block_of_data_or_template_names_its_file() -> None:
    """A block without a name would be run by no test."""
    for name in ("pictures", "fonts", "two-sided", "shapes", "print-shops", "faq"):
        text = (ROOT / f"docs/{name}.md").read_text(encoding="utf-8")
        assert re.findall(r"^```(?:yaml|svg)$", text, re.MULTILINE) == []


def test_guides_are_listed_printed_and_written(tmp_path: Path, pnp: Pnp) -> None:
    """By name as text, all of them with their pictures into a folder; a wrong name gets a hint."""
    assert [line.split()[0] for line in pnp("guide").out.splitlines()] == list(GUIDES)
    assert pnp("guide", "fonts").out == (ROOT / "docs/fonts.md").read_text(encoding="utf-8")
    assert "did you mean 'fonts'" in pnp("guide", "font").err
    assert pnp("guide", "--out", str(tmp_path / "docs")).code == 0
    written = {path.relative_to(tmp_path / "docs").as_posix() for path in (tmp_path / "docs").rglob("*.*")}
    shown = {found for name in GUIDES for found in re.findall(r"\((guides/[\w-]+\.png)\)", pnp("guide", name).out)}
    assert shown and shown | {f"{name}.md" for name in GUIDES} == written
    (tmp_path / "docs/faq.md").write_text("mine", encoding="utf-8")
    ran = pnp("guide", "--out", str(tmp_path / "docs"))
    assert (ran.code, len(ran.said)) == (1, 1)
    assert "faq.md: this file already exists with different text" in ran.said[0]


def test_guides_come_with_the_wheel() -> None:
    with (ROOT / "pyproject.toml").open("rb") as stream:
        built = tomllib.load(stream)["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    assert {f"docs/{name}.md" for name in GUIDES} | {"docs/guides"} <= set(built)


def test_links_of_written_guides_lead_to_files(tmp_path: Path, pnp: Pnp) -> None:
    """`pnp guide --out` writes each page and picture that its pages link to."""
    assert pnp("guide", "--out", str(tmp_path)).code == 0
    for name in GUIDES:
        text = re.sub(r"(?s)```.*?```", "", (tmp_path / f"{name}.md").read_text(encoding="utf-8"))
        links = re.findall(r"\]\(((?!http)[^)#\s]+\.(?:md|png))", text)
        assert [link for link in links if not (tmp_path / link).is_file()] == []


def test_each_page_that_the_program_names_is_a_guide() -> None:
    """Messages, help texts and starters send users only to pages that an installed program has."""
    places = [*(ROOT / "generator").rglob("*.py"), *(ROOT / "starters").rglob("*.*")]
    texts = [path.read_bytes().decode(errors="ignore") for path in places if "bundled" not in path.parts]
    named = {name for text in texts for name in re.findall(r"\bdocs/([\w-]+)\.md", text)}
    assert len(named) > 5 and named <= set(GUIDES)
