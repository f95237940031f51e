"""Values from data give no orders to terminals, CI runners and readers: they are printed with visible escapes."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Ran
from tests_support import TinyProject

from generator.base.errors import UNPRINTABLE, Problem, join_lines, to_one_line
from generator.commands.command_line import colour_text, overwrite_line, say, say_text

Pnp = Callable[..., Ran]

EVIL = "a\x1b]52;c;eA==\x07\x9b2J\x7f\u2028\u2029\u202e\u2066\u200f\u061c\n::error file=x::forged\r\tb"
SHOWN = r"a\u001b]52;c;eA==\u0007\u009b2J\u007f\u2028\u2029\u202e\u2066\u200f\u061c\n::error file=x::forged\r\tb"


@pytest.fixture
def hostile(tiny: TinyProject, monkeypatch: pytest.MonkeyPatch) -> TinyProject:
    """The tiny project with values that would be orders to whoever prints them."""
    monkeypatch.chdir(tiny.root)
    quoted = json.dumps(EVIL)
    tiny.change("data/tiny/game.yaml", "title: Tiny", f"title: {quoted}")
    tiny.change("data/tiny/game.yaml", "name: Card", f"name: {quoted}")
    tiny.write("data/tiny/checks.yaml", f"checks:\n  - {{id: T01, says: {quoted}, computed: '1', expected: '1'}}\n")
    return tiny


def plain(ran: Ran) -> bool:
    """Return True if nothing unprintable was printed, and no line begins with an order to a CI runner."""
    lines = (ran.out + ran.err).split("\n")
    return not any(UNPRINTABLE.search(line) or line.lstrip().startswith("::") for line in lines)


def test_every_order_becomes_visible() -> None:
    """C0, C1, DEL, line and paragraph ends and bidirectional controls; nothing else changes."""
    assert to_one_line(EVIL) == SHOWN
    assert to_one_line("Krähe \u3000狐 \u200d💡 'x'") == "Krähe \u3000狐 \u200d💡 'x'"
    assert join_lines(["a\nb", "c"]) == "a\\nb\nc\n"
    assert str(Problem(None, EVIL, "go")) == f"{SHOWN}; go"


def test_printed_texts_keep_their_own_lines_and_colours(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("click.utils.should_strip_ansi", lambda *_: False)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    say(colour_text("red\x1b[8m\n", fg="red"))
    say_text("one\n\ttwo\x1b[31m\n")
    overwrite_line("x\x1b[2J")
    said = capsys.readouterr()
    assert said.out == "\x1b[31mred\\u001b[8m\\n\x1b[0m\none\n\ttwo\\u001b[31m\n"
    assert said.err == "\r\x1b[Kx\\u001b[2J"


@pytest.mark.parametrize(
    "command", [["list"], ["validate"], ["validate", "--format", "json"], ["list", "--format", "json"]]
)
def test_commands_escape_values_of_the_data(hostile: TinyProject, pnp: Pnp, command: list[str]) -> None:
    """Titles, names and sentences of checks are shown with escapes; JSON stays valid and says the same."""
    ran = pnp(*command)
    assert plain(ran)
    assert SHOWN in ran.out
    if "json" in command:
        title = json.loads(ran.out)["games"][0]["title"]
        assert EVIL in (title, *(title.values() if isinstance(title, dict) else ()))


def test_problems_are_one_line_each(tiny: TinyProject, pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tiny.root)
    tiny.change("data/tiny/game.yaml", "front: card", f"front: card\n    kind: {json.dumps(EVIL)}")
    tiny.change("data/tiny/game.yaml", "mark: star", f"mark: {'x' * 5000}")
    ran = pnp("validate", "tiny")
    assert ran.code == 1
    assert plain(ran)
    assert all(len(line) < 500 for line in ran.err.splitlines())


def test_import_escapes_headings_and_names(tmp_path: Path, pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    """Headings of a stranger's table and names of files are shown with escapes, in IMPORT.md too."""
    monkeypatch.chdir(tmp_path)
    source = tmp_path / "src"
    source.mkdir()
    row = '"name","a\x1b]0;x\x07\n::error::b"\nFox,nowhere.png\n'
    (source / "deck.csv").write_text(row, encoding="utf-8")
    (source / "a\n::error::c.png").write_bytes(b"")
    ran = pnp("import", "src", "game")
    assert plain(ran)
    assert "::error::c.png" in ran.err
    assert not any(line.startswith("::") for line in (tmp_path / "game" / "IMPORT.md").read_text("utf-8").splitlines())


def test_wrong_usage_is_short(tiny: TinyProject, pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    """Exit code 2 and a short message, whatever was typed: an option, a pattern, a name of a record or project."""
    monkeypatch.chdir(tiny.root)
    tiny.write("src/deck.csv", "name\nFox\n")
    for command in (
        ["sheets", "--only", "x" * 5000],
        ["sheets", f"--{'x' * 5000}\x1b[2J"],
        ["sheets", "--backs", "x\n::error::" * 500],
        ["x" * 5000],
        ["record", "x" * 5000],
        ["record", "a/b"],
        ["record", "nul"],
        ["build", "--record", "a\n::error::b"],
        ["new", "x" * 5000],
        ["new", "A B\x1b"],
        ["new", "nul"],
        ["import", "src", "../x"],
    ):
        ran = pnp(*command)
        assert ran.code == 2, (command, ran)
        assert len(ran.err) < 700, command
        assert plain(ran), command
