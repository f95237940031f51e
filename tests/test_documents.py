"""What the documents name is there: every path and link of README, CONTRIBUTING and docs/ is followed."""

import re
import tomllib
from pathlib import Path

import pytest
from conftest import ROOT

DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
FOLDERS = ("generator", "tests", "docs", "bench", "data", "templates", "fonts", "profiles", "presets", "packs", ".ci")  # fmt: skip

OF_A_READER = (
    "packs/packs.lock", "data/game", "data/NAME", "data/windy-hill", "data/ring-isles", "data/kite-list",
    "data/harbour", "templates/harbour", "templates/windy-hill", "templates/ring-isles", "templates/kite-list",
    "templates/game", "templates/my-game",
)  # fmt: skip

LINK = re.compile(r"\]\(([^)\s#]*)(?:#([^)\s]*))?\)")
PATH = re.compile(rf"(?<![\w/<.-])(?:{'|'.join(map(re.escape, FOLDERS))})/[\w./-]*[\w/](?!<)")


def anchors(text: str) -> set[str]:
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_link_leads_somewhere(document: Path) -> None:
    text = re.sub(r"^````\n.*?^````$", "", document.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"`[^`\n]+`", "", text)
    wrong = []
    for target, heading in LINK.findall(text):
        if target.startswith(("http:", "https:")):
            continue
        path = document.parent / target if target else document
        if not path.exists() or (heading and heading not in anchors(path.read_text(encoding="utf-8"))):
            wrong.append(f"{target}#{heading}")
    assert not wrong


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_path_is_there(document: Path) -> None:
    """Files of the project that a document names; what stands for a reader's own game is written in <> or is new."""
    text = re.sub(r"```.*?```", "", document.read_text(encoding="utf-8"), flags=re.DOTALL)
    named = {path for path in PATH.findall(text) if not path.startswith(OF_A_READER)}
    assert not sorted(path for path in named if not (ROOT / path).exists())


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_cells_of_tables_are_short(document: Path) -> None:
    """A cell has at most 25 words: more of them belong into a sentence below the table. The reference is made from the code."""
    rows = re.findall(r"^\|(.*)\|$", document.read_text(encoding="utf-8"), re.MULTILINE)
    long = [cell for row in rows for cell in re.split(r"(?<!\\)\|", row) if len(cell.split()) > 25]
    assert rows or document.name not in ("packs.md", "source.md"), "these have tables"
    assert document.name == "reference.md" or long == []


def test_the_readme_is_a_tour() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")

    assert len(text.split("## 日本語\n")[0].splitlines()) < 200
    assert {f"docs/{path.name}" for path in DOCUMENTS[2:]} <= {target for target, _ in LINK.findall(text)}


def test_readme_names_every_optional_part() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    section = (ROOT / "README.md").read_text(encoding="utf-8").split("## Optional parts\n")[1].split("\n## ")[0]
    named = re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)
    others = re.findall(r"`(\w+)`", section.split("The parts ")[1])

    assert sorted([*named, *others]) == sorted(extras)
