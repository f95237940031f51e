"""Names with readings: printed where a chapter mentions one first, wherever the words come from."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rulebook_project import BookProject
from tests_support import TinyProject

from generator.books.page.blocks import Heading, Paragraph
from generator.game.rich_text import Plain, Ruby

CRANE = Ruby(("紅鶴",), ("べにづる",))


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> BookProject:
    """The project with a name that has a reading among its words, and a longer one around it."""
    made = BookProject(tmp_path / "project")
    monkeypatch.chdir(made.root)
    return made


def texts(project: BookProject, text: str, lang: str = "ja") -> list[tuple[object, ...]]:
    """The words of each heading and paragraph of a book of this text."""
    project.body(text, lang=lang)
    names = 'words:\n  names: ["{紅鶴|べにづる}", "{紅鶴|べにづる}の{宿|やど}", {ja: "長い{文|ぶん}は、読みがあっても名前とは限らない。", en: x}]\n'
    project.write("data/higher/words.yaml", names)
    return [block.text for block in project.book(lang).blocks if isinstance(block, (Heading, Paragraph))]


def test_a_chapter_reads_a_name_once(project: BookProject) -> None:
    found = texts(project, "# 始め\n\n紅鶴と紅鶴。\n\n紅鶴。\n\n## 節\n\n紅鶴。\n\n# 紅鶴\n\n紅鶴。\n")
    plain = Plain("紅鶴。")
    assert found[1:] == [(CRANE, Plain("と紅鶴。")), (plain,), (Plain("節"),), (plain,), (CRANE,), (plain,)]


def test_the_longest_name_is_read(project: BookProject) -> None:
    found = texts(project, "紅鶴の宿、紅鶴、長い文は、読みがあっても名前とは限らない。\n")
    inn = Ruby(("宿",), ("やど",))
    assert found == [
        (CRANE, Plain("の"), inn, Plain("、"), CRANE, Plain("、長い文は、読みがあっても名前とは限らない。"))
    ]


def test_bold_names_have_bold_readings(project: BookProject) -> None:
    (found,) = texts(project, "**紅鶴へ**\n")
    assert found == (Ruby(("紅鶴",), ("べにづる",), bold=True), Plain("へ", bold=True))


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("One {{ 1 + 1 }}", "players call a piece by 'One {{ 1 + 1 }}', but names have no placeholders"),
        ("One {", "wrong markup: '{' is not closed"),
    ],
)
@pytest.mark.parametrize("asked", ["rulebook", "validate"])
def test_a_name_that_cant_be_read_is_told_at_its_line(
    tiny: TinyProject, pnp: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, written: str, told: str, asked: str
) -> None:
    """A design's title with a place to be filled in, or with a brace left open, beside whatever else is wrong."""
    monkeypatch.chdir(tiny.root)
    tiny.change("data/tiny/game.yaml", "title: One", f'title: "{written}"')
    tiny.write("templates/tiny/rulebook.en.md", "# Tiny\n\nPlay [[nothing]].\n")

    ran = pnp(asked, "tiny")

    assert ran.code == 1
    assert "fault of the program" not in ran.err + ran.out
    lines = [line for line in (ran.err + ran.out).splitlines() if "data/tiny/game.yaml:22:36: " in line]
    assert any(told in line for line in lines)
    assert "the term 'nothing' is not in the glossary" in ran.err + ran.out
