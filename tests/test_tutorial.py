"""Every tutorial ends as its page says; the projects of the guides and of the gallery build."""

import csv
import io
import json
import re
import shutil
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, Pnp, Ran
from tests_support import load_script, page_count

from generator.commands.guide import GUIDES
from generator.game.load_game import load_game
from generator.game.project import find_project

TUTORIALS = {
    "cards": ("README.md", "## Your own game in ten minutes"),
    "cards-ja": ("README.md", "## 日本語"),
    "board": ("docs/tutorial-board.md", ""),
    "spreadsheet": ("docs/tutorial-spreadsheet.md", ""),
    "drawing": ("docs/tutorial-drawing.md", ""),
}
"""File and heading of each tutorial."""

NOT_RUN = {"pnp serve --open", "pnp guide", "pnp new --from gallery", "pnp changed", "pnp pull"}
"""Commands that a tutorial mentions without asking the reader to run them."""

SENTENCES = {
    "block": (r"```sh\n(.*?)```",),
    "save": (r"```svg (\S+)\n(.*?)```",),
    "shown": (r"```text\n(.*?)```",),
    "run": (r"[Rr]un\s+`(pnp [^`]+)`", r"`(pnp [^`]+)`\s*を実行"),
    "change": (r"[Cc]hange\s+`([^`]+)`\s+to\s+`([^`]+)`", r"`([^`]+)`\s*[をも]\s*`([^`]+)`\s*に変え"),
    "add": (r"below the line with\s+`([^`]+)`.*?```\w+\n(.*?)```", r"`([^`]+)`\s*の行の下に.*?```\w+\n(.*?)```"),
    "type": (r"[Tt]ype\s+(`[^`]+`(?:,\s+`[^`]+`)*)\s+into\s+(?:cell|row)\s+`([A-Z]*\d+)`",),
    "open": (r"`(output/[^`]+)`",),
    "pages": (r"It has (\d+) pages", r"(\d+)ページあ"),
    "file": (r"`((?:data|templates)/[^`]+)`",),
}
"""How a step asks for something or promises a result, in each language."""

ACTION = re.compile(
    "|".join(f"(?P<{k}_{n}>{s})" for k, each in SENTENCES.items() for n, s in enumerate(each)), re.DOTALL
)


def steps(name: str) -> dict[int, str]:
    """Return the text of each step by its number."""
    file, heading = TUTORIALS[name]
    text = (ROOT / file).read_text(encoding="utf-8")
    section = text.split(f"{heading}\n")[1].split("\n## ")[0] if heading else text
    parts = re.split(r"^(?:\*\*|## )(\d)\. ", section, flags=re.MULTILINE)
    return {int(number): text for number, text in zip(parts[1::2], parts[2::2], strict=True)}


def actions(step: str) -> Iterator[tuple[str, list[str]]]:
    """Yield each action of a step with its words. A command within a sentence may be on two lines."""
    for found in ACTION.finditer(re.sub(r"(?<=`)pnp [^`]+(?=`)", lambda found: " ".join(found[0].split()), step)):
        assert found.lastgroup is not None
        yield found.lastgroup.partition("_")[0], [word for word in found.groups() if word is not None][1:]


def commands(step: str) -> list[str]:
    """Return the commands that a step asks the reader to run, without those of other programs."""
    lines = [line for kind, (text, *_) in actions(step) if kind in ("block", "run") for line in text.splitlines()]
    return [re.sub(r"\s+#.*", "", line) for line in lines if line.startswith(("pnp ", "cd "))]


def output() -> Mapping[Path, bytes]:
    """Return the files of the last build."""
    return {path: path.read_bytes() for path in sorted(Path("output").rglob("*.*")) if path.is_file()}


class Reader:
    """Someone who follows a tutorial, with nothing to type at a prompt."""

    def __init__(self, pnp: Pnp, monkeypatch: pytest.MonkeyPatch):
        self._pnp, self._monkeypatch = pnp, monkeypatch
        self._file, self._opened, self._ran, self._good = Path(), Path(), Ran(0, "", ""), output()

    def check_step(self, step: str) -> None:
        """Do what a step asks for, and check what it promises."""
        does = {"block": self._run, "run": self._run, "shown": self._compare, "open": self._open, "pages": self._count}
        does |= {"save": lambda file, text: Path(file).write_text(text, encoding="utf-8")}
        does |= {"file": self._choose, "change": self._change, "add": self._add, "type": self._type}
        kinds = []
        for kind, words in actions(step):
            does[kind](*words)
            kinds.append(kind)
        assert {"shown", "open", "save"} & set(kinds), f"the reader sees no result of: {step}"
        assert self._ran.code == 0, self._ran

    def _run(self, block: str) -> None:
        for command in commands(f"```sh\n{block}```"):
            assert self._ran.code == 0, self._ran
            self._good = output()
            self._monkeypatch.setattr("sys.stdin", io.StringIO())
            words = command.split()
            if words[0] == "cd":
                self._monkeypatch.chdir(words[1])
            else:
                self._ran = self._pnp(*words[1:])

    def _compare(self, shown: str) -> None:
        """The lines are those of the last command, `…` stands for anything; one with problems leaves all files."""
        pattern = re.escape(shown.strip()).replace("…", "(?s:.*)")
        assert re.search(rf"^{pattern}$", self._ran.out + self._ran.err, re.MULTILINE), (shown, self._ran)
        if re.search(r"^\S+:\d+(:\d+)?: ", shown):
            assert self._ran.code == 1 and output() == self._good
            self._ran = Ran(0, "", "")

    def _open(self, path: str) -> None:
        self._opened = Path(path)
        assert self._opened.is_file(), path

    def _count(self, pages: str) -> None:
        assert page_count(self._opened) == int(pages), self._opened

    def _choose(self, path: str) -> None:
        self._file = Path(path)

    def _change(self, old: str, new: str) -> None:
        text = self._file.read_text(encoding="utf-8")
        assert text.count(old) == 1, (self._file, old, text.count(old))
        self._file.write_text(text.replace(old, new), encoding="utf-8")

    def _add(self, part: str, lines: str) -> None:
        (line,) = [line for line in self._file.read_text(encoding="utf-8").splitlines() if part in line]
        self._change(line, f"{line}\n{lines.rstrip()}")

    def _type(self, values: str, cell: str) -> None:
        """Save the table as a spreadsheet does: all rows are as wide as the widest."""
        words = re.findall(r"`([^`]+)`", values)
        rows = list(csv.reader(io.StringIO(self._file.read_text(encoding="utf-8-sig"))))
        letters = re.sub(r"\d", "", cell)
        column, row = ord(letters or "A") - ord("A"), int(cell.removeprefix(letters))
        width = max(column + len(words), *map(len, rows))
        rows += [[] for _ in range(row - len(rows))]
        rows = [[*cells, *[""] * (width - len(cells))] for cells in rows]
        rows[row - 1][column : column + len(words)] = words
        with self._file.open("w", encoding="utf-8-sig", newline="") as stream:
            csv.writer(stream).writerows(rows)


def slow(name: str, last: int) -> object:
    """Return a case of the test that `make test` leaves out."""
    return pytest.param(name, last, marks=pytest.mark.slow)


@pytest.mark.usefixtures("keeping")
@pytest.mark.parametrize(("name", "last"), [("cards", 4), *(slow(name, 8) for name in TUTORIALS)])
def test_each_step_ends_as_its_page_says(
    name: str, last: int, room: Path, pnp: Pnp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PNP_HOME", str(room / "settings"))
    reader = Reader(pnp, monkeypatch)
    for number, step in steps(name).items():
        if number <= last:
            reader.check_step(step)


@pytest.mark.parametrize("name", TUTORIALS)
def test_a_tutorial_is_short_and_runs_all_its_commands(name: str) -> None:
    text = steps(name)
    assert list(text) == list(range(1, len(text) + 1))
    assert 5 <= len(text) <= 8
    whole = "\n".join(text.values())
    mentioned = {" ".join(line.split()) for line in re.findall(r"`(pnp [^`]+)`", whole)}
    assert mentioned <= {*commands(whole), *NOT_RUN}
    assert (
        not TUTORIALS[name][0].startswith("docs/") or len((ROOT / TUTORIALS[name][0]).read_text("utf-8").split()) <= 600
    )


def test_the_japanese_tutorial_has_the_steps_of_the_english_one() -> None:
    english, japanese = steps("cards"), steps("cards-ja")
    assert list(japanese) == list(english)
    for number, step in japanese.items():
        assert [command.replace(" ja", " en") for command in commands(step)] == commands(english[number])


@pytest.fixture(scope="module")
def projects() -> Any:
    """The module that makes projects of guides."""
    return load_script(ROOT / "docs/guide_projects.py")


@pytest.mark.parametrize("name", ["pictures", "fonts", "two-sided", "shapes", "print-shops"])
def test_what_a_guide_shows_builds(
    projects: Any, name: str, tmp_path: Path, pnp: Pnp, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Block by block, as a reader copies them: sheets come of each step, and validation finds nothing wrong."""
    monkeypatch.chdir(tmp_path)
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
    for name in ("pictures", "fonts", "two-sided", "shapes", "print-shops", "faq"):
        text = (ROOT / f"docs/{name}.md").read_text(encoding="utf-8")
        assert re.findall(r"^```(?:yaml|svg)$", text, re.MULTILINE) == []


def test_guides_are_listed_printed_and_written(tmp_path: Path, pnp: Pnp) -> None:
    """`pnp guide --out` writes each page and picture that its pages link to."""
    assert [line.split()[0] for line in pnp("guide").out.splitlines()] == list(GUIDES)
    assert pnp("guide", "fonts").out == (ROOT / "docs/fonts.md").read_text(encoding="utf-8")
    assert "did you mean 'fonts'" in pnp("guide", "font").err
    assert pnp("guide", "--out", str(tmp_path / "docs")).code == 0
    written = {path.relative_to(tmp_path / "docs").as_posix() for path in (tmp_path / "docs").rglob("*.*")}
    shown = {found for name in GUIDES for found in re.findall(r"\((guides/[\w-]+\.png)\)", pnp("guide", name).out)}
    assert shown and shown | {f"{name}.md" for name in GUIDES} == written
    for name in GUIDES:
        text = re.sub(r"(?s)```.*?```", "", (tmp_path / f"docs/{name}.md").read_text(encoding="utf-8"))
        links = re.findall(r"\]\(((?!http)[^)#\s]+\.(?:md|png))", text)
        assert [link for link in links if not (tmp_path / "docs" / link).is_file()] == []
    (tmp_path / "docs/faq.md").write_text("mine", encoding="utf-8")
    ran = pnp("guide", "--out", str(tmp_path / "docs"))
    assert (ran.code, len(ran.said)) == (1, 1)
    assert "faq.md: this file already exists with different text" in ran.said[0]


def test_guides_come_with_the_wheel() -> None:
    with (ROOT / "pyproject.toml").open("rb") as stream:
        built = tomllib.load(stream)["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    assert {f"docs/{name}.md" for name in GUIDES} | {"docs/guides"} <= set(built)


def test_each_page_that_the_program_names_is_a_guide() -> None:
    places = [*(ROOT / "generator").rglob("*.py"), *(ROOT / "packs").rglob("*.*")]
    texts = [path.read_bytes().decode(errors="ignore") for path in places if "bundled" not in path.parts]
    named = {name for text in texts for name in re.findall(r"\bdocs/([\w-]+)\.md", text)}
    assert len(named) > 5 and named <= set(GUIDES)


GAMES = ROOT / "docs/gallery/games"
PIECES = {"bienen": 4, "ebb": 24, "orrery": 44}


@pytest.mark.slow
@pytest.mark.usefixtures("keeping")
@pytest.mark.parametrize("name", sorted(PIECES))
def test_a_game_of_the_gallery_builds_wherever_it_is_copied(
    name: str, tmp_path: Path, pnp: Pnp, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sheets come without one problem, every check passes, and its licence lets anybody use it."""
    shutil.copytree(GAMES / name, tmp_path / name)
    monkeypatch.chdir(tmp_path / name)

    built, validated = pnp("build"), pnp("validate", "--strict", "--format", "json")

    assert built.code == 0 and re.fullmatch(r"validation: \d+ checks passed\n", built.err)
    game = load_game(tmp_path / name / "data" / name, find_project(tmp_path / name).resources)
    (lang,) = game.languages
    assert (tmp_path / name / "output" / name / f"sheets.{lang}.pdf").is_file()
    assert validated.code == 0
    assert {check["status"] for check in json.loads(validated.out)["games"][0]["checks"]} == {"pass"}
    assert sum(design.count for design in game.designs()) == PIECES[name]
    assert game.licence[lang].startswith("CC0 1.0")


def test_the_page_shows_each_game_with_its_data() -> None:
    page = (ROOT / "docs/gallery.md").read_text(encoding="utf-8")
    assert {path.name for path in GAMES.iterdir()} == PIECES.keys()
    for name in PIECES:
        assert f"(gallery/game-{name}.png)" in page
        assert f"(gallery/games/{name}/data/{name}/components.yaml)" in page
