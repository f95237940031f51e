"""The eight steps of README end as README says: its files, edits, commands and numbers are taken from its own text."""

import io
import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pikepdf
import pytest
from conftest import ROOT, Ran

Pnp = Callable[..., Ran]

HEADING = "## Your own game in ten minutes"
NOT_TYPED = {"pnp serve --open", "pnp new .", "pnp guide"}
"""Commands that README mentions, but does not ask for in a step."""

LAST_STEP = 8


def steps() -> dict[int, str]:
    section = (ROOT / "README.md").read_text(encoding="utf-8").split(HEADING)[1].split("\n## ")[0]
    parts = re.split(r"^\*\*(\d)\. ", section, flags=re.MULTILINE)
    return {int(number): text for number, text in zip(parts[1::2], parts[2::2], strict=True)}


class Reader:
    """Someone who follows the steps in a folder; `lang` is the only language of the game, if it has one."""

    def __init__(self, pnp: Pnp, monkeypatch: pytest.MonkeyPatch, lang: str = ""):
        self._pnp, self._monkeypatch, self._lang = pnp, monkeypatch, lang
        self.typed: set[str] = set()
        self._text, self._at = "", 0

    def read(self, number: int) -> None:
        self._text, self._at = steps()[number], 0

    def find(self, pattern: str) -> re.Match[str]:
        """Return the next place of the step where a pattern stands; it must be there, behind the last one."""
        found = re.compile(pattern.replace(" ", r"\s+")).search(self._text, self._at)
        assert found, f"README no longer says, behind {self._text[: self._at][-80:]!r}: {pattern}"
        self._at = found.end()
        return found

    def type(self, command: str, *, code: int = 0) -> Ran:
        self.find(re.escape(command).replace(r"\ ", " "))
        self.typed.add(command)
        return self.run(command, code=code)

    def run(self, command: str, *, code: int = 0) -> Ran:
        """Run a command, at a table with nobody at the keyboard."""
        self._monkeypatch.setattr("sys.stdin", io.StringIO())
        more = ["--lang", self._lang] if self._lang and command.startswith("pnp new") else []
        ran = self._pnp(*command.split()[1:], *more)
        assert ran.code == code, (command, ran)
        return ran

    def build(self, said: str = "") -> Ran:
        """Build; `said` is the last line that the step then promises."""
        ran = self.run("pnp build")
        if said:
            wanted = self.find(f"`({said})`")[1]
            last = ran.said[-1].partition(";")[0]
            assert last == wanted or (self._lang and re.sub(r"\d+", "", last) == re.sub(r"\d+", "", wanted))
        return ran

    def edit(self, file: str, old: str, new: str) -> None:
        """Put a text for another one that stands once in a file of the data."""
        path = next(Path("data").glob(f"*/{Path(file).name}"))
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1, (file, old, text.count(old))
        path.write_text(text.replace(old, new), encoding="utf-8")

    def insert(self, file: str, below: str, lines: str) -> None:
        """Put lines below the one with an id."""
        if self._lang:
            lines = re.sub(rf"\{{ja:.*?{self._lang}: *(.*?)\}}", r"\1", lines)
        path = next(Path("data").glob(f"*/{file}"))
        text = path.read_text(encoding="utf-8")
        (line,) = [line for line in text.splitlines(keepends=True) if f"id: {below}," in line]
        path.write_text(text.replace(line, line + lines), encoding="utf-8")


def begins(reader: Reader, lang: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Step 2."""
    reader.read(2)
    name = reader.find(r"```sh pnp new ([\w-]+) cd \1 pnp build ```")[1]
    reader.run(f"pnp new {name}")
    monkeypatch.chdir(name)
    built = reader.build(r"validation: \d+ checks passed")
    fewer = reader.find(r"\((\d+) with `--lang en`\)")[1]
    assert not lang or built.said[-1] == f"validation: {fewer} checks passed"
    sheets = reader.find(r"Open `(\S+sheets\.en\.pdf)`: three sheets of cards with their backs")[1]
    with pikepdf.open(sheets) as pdf:
        assert len(pdf.pages) == 2 * 3
    for _ in range(2):
        assert Path(sheets).with_name(reader.find(r"`([\w.]+\.(pdf|txt))`")[1]).is_file()


def changes_a_card_and_a_number(reader: Reader) -> None:
    """Steps 3 and 4."""
    reader.read(3)
    reader.edit(*reader.find(r"In `(data/\S+)`, find `(.+?)` and call it `(.+?)`").groups())
    command = reader.find(r"```sh (pnp sheets .*?) ```")[1]
    reader.typed.add(command)
    reader.run(command)
    assert Path(reader.find(r"It is in `(\S+)`")[1]).is_file()
    reader.read(4)
    file, new, old, before = reader.find(r"In `(\S+)`, beside it, put `(\d)` for the `(\d)` after `(.*?)`").groups()
    reader.edit(file, f"{before} {old}", f"{before} {new}")
    assert not reader.type("pnp build").said[-1].endswith("failed")
    assert "8 of 24 kite" in Path("output/windy-hill/validation.txt").read_text(encoding="utf-8")


def adds_cards(reader: Reader) -> None:
    """Step 5."""
    reader.read(5)
    found = reader.find(r"In `(\S+)`, put these below `(\S+)`, with the same indent: ```yaml\n((?s:.*?\n))\s*```")
    reader.insert(*found.groups())
    good = output()
    stopped = reader.type("pnp build", code=1)
    most = reader.find(r"stops: the numbers were to be (\d) at most")[1]
    problems = stopped.said[:-1]
    assert len(problems) == found[3].count("\n")
    for line in problems:
        assert re.fullmatch(rf"\S+components\.yaml:\d+:\d+: .* must be at most {most}; .+", line)
    assert output() == good
    new = reader.find(r"Put `(max: \d)` where the field `number` is declared, and build")[1]
    reader.edit("components.yaml", f"max: {most}}}", f"{new}}}")
    stopped = reader.run("pnp build", code=1)
    old, new = reader.find(r"more than the `(\d+)` that `stated:` says. Make it `(\d+)`, and build").groups()
    assert [re.sub(r"^\S+ ", "", line).split(":")[0] for line in stopped.said] == ["kite"]
    assert f"the draft states {old}" in stopped.said[0]
    reader.edit("components.yaml", f"stated: {old}", f"stated: {new}")
    reader.build(r"validation: \d failed")
    why = reader.type("pnp validate", code=1).out
    assert f"expected [{', '.join([reader.find('speak of ([0-9]) cards of each kind')[1]] * 4)}]" in why
    new, old, file = reader.find(r"Put `(each_kind: \d)` for `(each_kind: \d)` into `(\S+)`, and build").groups()
    reader.edit(file, old, new)
    reader.build(r"validation: \d+ checks passed")


def changes_the_look(reader: Reader) -> None:
    """Step 6."""
    reader.read(6)
    file, new, old = reader.find(r"`(look\.yaml)` has the colours: put `(.+?)` for `(.+?)`").groups()
    reader.edit(file, old, new)
    folder, template, tilt = reader.find(r"a file of `(\S+?)/`: in `(\S+)`, `(.+?)` tilts the kites").groups()
    assert tilt in Path(folder, template).read_text(encoding="utf-8")


def plays(reader: Reader) -> None:
    """Step 7."""
    reader.read(7)
    file, key = reader.find(r"in `(\S+)`, take the `#` away before `(\w+)`").groups()
    reader.edit(file, f"# {key}", key)
    assert "player" in reader.type("pnp play windy-hill --trust-rules --lang en").out
    asks = [reader.run(f"pnp {reader.find('`([a-z]+)`')[1]}", code=1).err for _ in range(2)]
    option = reader.find(r"all commands that run them ask for `(--[a-z-]+)`")[1]
    assert all(said.count("\n") == 1 and f"add {option}" in said for said in asks)
    reader.type("pnp trust")
    reader.find("pnp build")
    reader.build(r"validation: \d+ checks passed")


def shows_it_around(reader: Reader) -> None:
    """Step 8."""
    reader.read(8)
    for command in re.findall(r"`(pnp [^`]+)`", steps()[8]):
        if command not in NOT_TYPED:
            reader.type(command)
    assert Path("records/windy-hill/first.json").is_file()


def output() -> Mapping[Path, bytes]:
    return {path: path.read_bytes() for path in sorted(Path("output").rglob("*.*")) if path.is_file()}


@pytest.mark.usefixtures("keeping")
@pytest.mark.parametrize(
    ("lang", "last"),
    [("", 4), pytest.param("", 8, marks=pytest.mark.slow), pytest.param("en", 8, marks=pytest.mark.slow)],
)
def test_the_steps_end_as_readme_says(
    lang: str, last: int, tmp_path: Path, pnp: Pnp, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each edit and each command of README, typed in its order; with `--lang en` the English texts stand by themselves."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PNP_HOME", str(tmp_path / "settings"))
    reader = Reader(pnp, monkeypatch, lang)
    begins(reader, lang, monkeypatch)
    changes_a_card_and_a_number(reader)
    if last == LAST_STEP:
        adds_cards(reader)
        changes_the_look(reader)
        plays(reader)
        shows_it_around(reader)
        mentioned = {command for step in steps().values() for command in re.findall(r"`(pnp [^`]+)`", step)}
        assert {" ".join(command.split()) for command in mentioned} <= reader.typed | NOT_TYPED
