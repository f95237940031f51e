"""However a command ends, it says why in a sentence, with no traceback and no orders to terminals from values of the data."""

import errno
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import ROOT, Pnp, Ran
from tests_support import TinyProject

from generator import __version__
from generator.base.errors import UNPRINTABLE, Problem, join_lines, to_one_line
from generator.commands import validate as command
from generator.commands.command_line import colour_text, overwrite_line, say, say_text


def fails(error: BaseException) -> Callable[..., None]:
    """A function that raises this, whatever it is asked for."""

    def fail(*_args: object, **_kwargs: object) -> None:
        raise error

    return fail


@pytest.mark.parametrize("error", [KeyError("seed"), RecursionError("too deep"), UnicodeEncodeError("utf-8", "\ud800", 0, 1, "no"), OSError(errno.EIO, "Input/output error"), AssertionError()], ids=lambda error: type(error).__name__)  # fmt: skip
def test_a_fault_of_the_program_is_one_sentence_and_a_report(tiny: TinyProject, pnp: Pnp, monkeypatch: pytest.MonkeyPatch, error: Exception, tmp_path: Path) -> None:  # fmt: skip
    """What nobody foresaw is told in one line, exit 70; the report holds traceback, version and command, no home folder."""
    monkeypatch.setattr(command, "validate_games", fails(error))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    ran = pnp("validate", "--fast")

    (report,) = tmp_path.glob("pnp-fault-*.txt")
    text = report.read_text(encoding="utf-8")
    assert (ran.code, ran.out, len(ran.said)) == (70, "", 1)
    assert ran.err.startswith(f"internal error of pnp: {type(error).__name__}")
    assert ran.err.endswith(f"; the report is in {report}, please send it to us\n")
    assert all(
        part in text for part in (f"pnp {__version__}", "pnp validate --fast\n", "Traceback", type(error).__name__)
    )
    assert str(Path.home()) not in text


def test_a_report_that_cannot_be_written_is_no_second_fault(tiny: TinyProject, pnp: Pnp, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:  # fmt: skip
    monkeypatch.setattr(command, "validate_games", fails(KeyError("seed")))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "nowhere"))
    assert "no report could be written; please send us the command" in pnp("validate", code=70).err


def test_too_little_memory_is_one_line(tiny: TinyProject, pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "validate_games", fails(MemoryError()))
    ran = pnp("validate")
    assert (ran.code, ran.said) == (1, ["not enough memory; close other programs, or build fewer games at once"])  # fmt: skip


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is full")
def test_an_output_that_takes_nothing_is_one_sentence(tiny: TinyProject) -> None:
    with open("/dev/full", "w") as full:  # noqa: PTH123
        ran = subprocess.run([sys.executable, "-m", "generator", "list"], check=False, stdout=full, stderr=subprocess.PIPE, text=True)  # fmt: skip
    assert ran.returncode == 1
    assert ran.stderr == f"the output can't be written: {os.strerror(errno.ENOSPC)}; check where you redirect it\n"


def test_leaving_while_the_program_loads_is_quiet(tmp_path: Path) -> None:
    """Ctrl-C during the imports ends the command as it does later: one word, exit 130."""
    (tmp_path / "click.py").write_text("raise KeyboardInterrupt\n", encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    ran = subprocess.run([sys.executable, "-m", "generator", "list"], check=False, capture_output=True, text=True, env=environment)  # fmt: skip
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "", "Aborted!\n")


def test_a_flood_of_problems_is_told_to_where_it_can_be_read(tiny: TinyProject, pnp: Pnp) -> None:
    designs = "\n".join(f"      - {{id: d{n}, title: T, value: ten}}" for n in range(60))
    tiny.change("data/tiny/game.yaml", "setup:", f"{designs}\nsetup:")
    ran = pnp("validate", code=1)
    assert len(ran.said) == 52
    assert ran.said[-2:] == ["data/tiny/game.yaml: and 10 more", "60 problems"]


def test_rules_that_close_the_output(tmp_path: Path) -> None:
    code = "import generator.commands.command_line as cli; sys.argv = ['pnp', 'presets']; click.echo = shut; cli.main()"
    shut = "import click\nsay = click.echo\ndef shut(*said, **how):\n    sys.stdout.close()\n    say(*said, **how)\n"
    ran = subprocess.run(
        [sys.executable, "-c", f"import sys\n{shut}{code}"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ran.stderr.startswith("the game's rules closed the output")


def limited(tiny: TinyProject, limits: str, program: str) -> subprocess.CompletedProcess[str]:
    """A run of Python with so few open files allowed."""
    run = ["bash", "-c", f"{limits}; exec {sys.executable} {program}"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.run(run, cwd=tiny.root, env=environment, capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.skipif(sys.platform == "win32", reason="has no such limit")
@pytest.mark.parametrize("allowed", [16, 32])
def test_too_few_open_files_are_told_before_anything_fails(tiny: TinyProject, allowed: int) -> None:
    ran = limited(tiny, f"ulimit -n {allowed}", "-m generator sheets")
    said = f"only {allowed} files may be open at once, but pnp needs 64; raise the limit (ulimit -n 256)\n"
    assert (ran.returncode, ran.stderr, ran.stdout) == (1, said, "")


@pytest.mark.skipif(sys.platform == "win32", reason="has no such limit")
def test_a_limit_that_may_be_raised_is_raised(tiny: TinyProject) -> None:
    asked = "from generator.commands.command_line import *; print([check_file_limit(), *resource.getrlimit(resource.RLIMIT_NOFILE)])"
    ran = limited(tiny, "ulimit -Sn 16; ulimit -Hn 256", f'-c "{asked}"')
    assert ran.stdout == "['', 64, 256]\n", ran.stderr


def test_too_many_open_files_are_one_line(tiny: TinyProject, pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "validate_games", fails(OSError(errno.EMFILE, "Too many open files")))
    ran = pnp("validate")
    assert (ran.code, ran.said) == (1, ["too many files are open; raise the limit (ulimit -n 1024), or close other programs"])  # fmt: skip


EVIL = "a\x1b]52;c;eA==\x07\x9b2J\x7f\u2028\u2029\u202e\u2066\u200f\u061c\n::error file=x::forged\r\tb"
SHOWN = r"a\u001b]52;c;eA==\u0007\u009b2J\u007f\u2028\u2029\u202e\u2066\u200f\u061c\n::error file=x::forged\r\tb"


@pytest.fixture
def hostile(tiny: TinyProject) -> TinyProject:
    """The tiny project with values that would be orders to whoever prints them."""
    quoted = json.dumps(EVIL)
    tiny.change("data/tiny/game.yaml", "title: Tiny", f"title: {quoted}")
    tiny.change("data/tiny/game.yaml", "name: Card", f"name: {quoted}")
    tiny.write("data/tiny/checks.yaml", f"checks:\n  - {{id: T01, says: {quoted}, computed: '1', expected: '1'}}\n")
    return tiny


def plain(ran: Ran) -> bool:
    """Return True if nothing unprintable was printed, and no line begins with an order to a CI runner."""
    lines = (ran.out + ran.err).split("\n")
    return not any(re.search(UNPRINTABLE, line) or line.lstrip().startswith("::") for line in lines)


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


def test_problems_are_one_line_each(tiny: TinyProject, pnp: Pnp) -> None:
    tiny.change("data/tiny/game.yaml", "front: card", f"front: card\n    kind: {json.dumps(EVIL)}")
    tiny.change("data/tiny/game.yaml", "mark: star", f"mark: {'x' * 5000}")
    ran = pnp("validate", "tiny", code=1)
    assert plain(ran)
    assert all(len(line) < 500 for line in ran.err.splitlines())


def test_import_escapes_headings_and_names(room: Path, pnp: Pnp) -> None:
    source = room / "src"
    source.mkdir()
    row = '"name","a\x1b]0;x\x07\n::error::b"\nFox,nowhere.png\n'
    (source / "deck.csv").write_text(row, encoding="utf-8")
    (source / "a\n::error::c.png").write_bytes(b"")
    ran = pnp("import", "src", "game")
    assert plain(ran)
    assert "::error::c.png" in ran.err
    assert not any(line.startswith("::") for line in (room / "game" / "IMPORT.md").read_text("utf-8").splitlines())


def test_wrong_usage_is_short(tiny: TinyProject, pnp: Pnp) -> None:
    """Exit code 2 and a short message, whatever was typed: an option, a pattern, a name of a record or project."""
    tiny.write("src/deck.csv", "name\nFox\n")
    for words in (
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
        ran = pnp(*words)
        assert ran.code == 2, (words, ran)
        assert len(ran.err) < 700, words
        assert plain(ran), words
