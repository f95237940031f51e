"""Every tutorial ends as its page says: its commands, edits and results are read from the page and tried in order."""

import csv
import io
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pikepdf
import pytest
from conftest import ROOT, Ran

Pnp = Callable[..., Ran]

TUTORIALS = {
    "cards": ("README.md", "## Your own game in ten minutes"),
    "cards-ja": ("README.md", "## 日本語"),
    "board": ("docs/tutorial-board.md", ""),
    "spreadsheet": ("docs/tutorial-spreadsheet.md", ""),
}
"""File and heading of each tutorial."""

NOT_RUN = {"pnp serve --open", "pnp guide", "pnp new --from gallery", "pnp changed", "pnp pull"}
"""Commands that a tutorial mentions without asking the reader to run them."""

SENTENCES = {
    "block": (r"```sh\n(.*?)```",),
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
        does |= {"file": self._choose, "change": self._change, "add": self._add, "type": self._type}
        kinds = []
        for kind, words in actions(step):
            does[kind](*words)
            kinds.append(kind)
        assert {"shown", "open"} & set(kinds), f"the reader sees no result of: {step}"
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
        with pikepdf.open(self._opened) as pdf:
            assert len(pdf.pages) == int(pages), self._opened

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
@pytest.mark.parametrize(("name", "last"), [("cards", 4), ("cards-ja", 3), *(slow(name, 8) for name in TUTORIALS)])
def test_each_step_ends_as_its_page_says(
    name: str, last: int, tmp_path: Path, pnp: Pnp, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reader who types the commands and edits in their order sees the results that the page shows."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PNP_HOME", str(tmp_path / "settings"))
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
