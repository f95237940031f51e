"""Each command is where its entry says; how much it says, in which colours, and how Ctrl+C ends it."""

import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import click
import pytest
from conftest import ROOT, Pnp, Ran
from tests_support import TinyProject

from generator.base.extensions import Entry, find_additions
from generator.commands import options
from generator.commands.command_line import COMMANDS, pnp

MOST_FOR_ONE_CARD = 105
"""Modules of the program that printing one card may import: what is imported is waited for."""


def entries() -> dict[str, Entry]:
    """Return every command, of the core and of the optional packages."""
    return COMMANDS | {name: one.entry for name, one in find_additions("commands", tuple(COMMANDS)).entries.items()}


def test_every_entry_leads_to_its_command() -> None:
    context = click.Context(pnp)
    loaded = {name: pnp.get_command(context, name) for name in pnp.list_commands(context)}

    assert loaded.keys() == entries().keys()
    assert {name: command.name for name, command in loaded.items() if command} == {name: name for name in loaded}


def test_one_command_imports_no_other() -> None:
    """`pnp list --help` imports the module of `list`, no other command's, and looks for no packages."""
    code = (
        "import sys\nfrom generator.commands.command_line import pnp\n"
        "pnp.main(['list', '--help'], standalone_mode=False)\n"
        "print(*sorted(name for name in sys.modules if name.startswith(('generator.', 'importlib.'))))"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    imported = {*said.splitlines()[-1].split()}

    assert {one.target.partition(":")[0] for one in entries().values()} & imported == {"generator.commands.list"}
    assert "importlib.metadata" not in imported


def test_help_shows_sections_without_importing_commands() -> None:
    """`pnp --help` lists every command once, in sections, each summary on one line; it imports no command."""
    code = (
        "import sys\nfrom generator.commands.command_line import pnp\n"
        "pnp.main(['--help'], standalone_mode=False)\n"
        "print(*sorted(name for name in sys.modules if name.startswith('generator.')))"
    )
    *shown, imported = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    sections = ["Start", "Make", "Check", "Print", "Share", "Play", "Experiment", "Edit"]

    assert not {one.target.partition(":")[0] for one in entries().values()} & {*imported.split()}
    assert [line[:-1] for line in shown if line in {f"{section}:" for section in sections}] == sections
    for name, entry in entries().items():
        assert len(entry.summary) <= 60
        assert [line.split() for line in shown].count([name, *entry.summary.split()]) == 1


def test_help_of_a_command_starts_with_its_summary() -> None:
    """`pnp COMMAND --help` starts with the line of `pnp --help`, and every option has a help text.

    The commands of a group also have a summary of at most 60 characters.
    """
    context = click.Context(pnp)
    for name, entry in entries().items():
        command = pnp.get_command(context, name)
        assert command is not None
        assert command.get_short_help_str(1000).removesuffix(".") == entry.summary
        assert [one.name for one in command.params if isinstance(one, click.Option) and not one.help] == []
        if isinstance(command, click.Group):
            inner = [command.get_command(context, one) for one in command.list_commands(context)]
            assert [one.name for one in inner if one and len(one.get_short_help_str(1000)) > 60] == []


def test_renamed_options_keep_their_old_names() -> None:
    context = click.Context(pnp)
    old = {
        ("sheets", "--stock"): "--perforated",
        ("boxes", "--stock"): "--thickness",
        ("build", "--record"): "--snapshot",
    }
    for (name, option), new in old.items():
        command = pnp.get_command(context, name)
        assert command is not None
        assert [new, option] in [list(one.opts) for one in command.get_params(context)]


def test_one_card_needs_few_modules(tmp_path: Path) -> None:
    asked = ["sheets", "fortuna", "--lang", "en", "--only", "reel/6-wheat", "--copies", "1", "--out", str(tmp_path)]
    code = (
        f"import sys\nsys.argv = ['pnp', '--project', {str(ROOT)!r}, *{asked!r}]\n"
        "from generator.commands.command_line import main\ntry:\n    main()\nexcept SystemExit:\n    pass\n"
        "print(*sorted(name for name in sys.modules if name.split('.')[0] == 'generator'))"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT).stdout
    modules = said.splitlines()[-1].split()
    assert (tmp_path / "fortuna" / "selection.en.pdf").is_file()
    assert 50 < len(modules) <= MOST_FOR_ONE_CARD
    assert not [name for name in modules if name.split(".")[1:2] in (["books"], ["rules"], ["lab"])]


BUILD = [sys.executable, "-m", "generator", "build"]


def at_a_terminal(command: list[str], folder: Path, **environment: str) -> tuple[int, str]:
    """The command run at a terminal of its own: its exit code and all that it showed."""
    here, there = pty.openpty()
    given = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "TERM")}
    with subprocess.Popen(command, cwd=folder, env=given | {"TERM": "xterm"} | environment, stdout=there, stderr=there, stdin=there) as ran:  # fmt: skip
        os.close(there)
        said = b""
        while True:
            try:
                part = os.read(here, 65536)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            said += part
    os.close(here)
    return ran.returncode, said.decode()


READINGS = """\
readings:
  - {id: E1, passage: some cards, problem: How many?, reading: All of them.}
"""

REFUSED = """\
checks:
  - {id: T-01, says: There are 99 cards., computed: "count('card')", expected: "99", reading: E1,
     finding: "computed 5, expected 99"}
"""


def test_quiet_says_only_what_is_wrong(tiny: TinyProject, pnp: Pnp) -> None:
    assert pnp("sheets", "--lang", "en").out.splitlines() == ["output/tiny/sheets.en.pdf"]
    ran = pnp("sheets", "--lang", "en", "--quiet", "--out", "more")
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    assert (tiny.root / "more/tiny/sheets.en.pdf").is_file()
    assert pnp("validate", "-q") == Ran(0, "", "")
    assert pnp("build", "-q") == Ran(0, "", "")


def test_build_and_validate_say_that_all_is_well(tiny: TinyProject, pnp: Pnp) -> None:
    """One line with the number of checks that passed; findings are counted beside them, and nothing else is said."""
    report = json.loads(pnp("validate", "--format", "json").out)["games"][0]["checks"]
    ran = pnp("validate")
    assert (ran.code, ran.said) == (0, [f"validation: {len(report)} checks passed"])
    assert pnp("build").said == ran.said

    tiny.write("data/tiny/readings.yaml", READINGS + REFUSED)
    assert (
        pnp("build").said
        == pnp("validate").said
        == [f"validation: {len(report)} of {len(report) + 1} checks passed, 1 finding"]
    )
    assert pnp("validate", "--strict").said == []

    tiny.change("data/tiny/game.yaml", "draft:", "draught:")
    assert "data/tiny/game.yaml:" in pnp("build", "-q", code=1).err


def test_verbose_says_each_step_wherever_the_output_goes(tiny: TinyProject, pnp: Pnp) -> None:
    """A line each with the time since the beginning, though there is no terminal."""
    said = pnp("sheets", "--lang", "en", "--verbose").said
    assert [line.split(" s  ")[1] for line in said] == ["tiny: faces (en)", "tiny: sheets.en.pdf"]
    assert all(float(line.split(" s  ")[0]) >= 0 for line in said)


def test_a_strict_build_refuses_what_a_strict_validate_refuses(tiny: TinyProject, pnp: Pnp) -> None:
    """Findings and undecided checks end it with 1, each told in a line; the files are there to be looked at."""
    assert pnp("build", "--lang", "en").code == 0
    strict, checked = pnp("build", "--lang", "en", "--strict"), pnp("validate", "--strict")
    assert strict.code == checked.code
    tiny.write("data/tiny/checks.yaml", REFUSED)
    tiny.write("data/tiny/readings.yaml", READINGS)
    loose, strict = pnp("build", "--lang", "en"), pnp("build", "--lang", "en", "--strict", "--out", "more")
    assert (loose.code, strict.code, pnp("validate", "--strict").code) == (0, 1, 1)
    assert [line for line in strict.said if line.startswith("finding: ") and line.endswith("[T-01, E1]")]
    assert (tiny.root / "more/tiny/sheets.en.pdf").is_file()


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="there are no terminals to be made")
def test_colours_are_for_terminals_that_want_them(tiny: TinyProject) -> None:
    tiny.change("data/tiny/game.yaml", "draft:", "draught:")
    code, said = at_a_terminal(BUILD, tiny.root)
    assert code == 1
    assert "\x1b[1mdata/tiny/game.yaml:" in said
    for plain in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        assert "\x1b[1m" not in at_a_terminal(BUILD, tiny.root, **plain)[1]


def test_the_time_left_is_what_the_same_steps_took(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """After two seconds: the first run says how long it has been, the next how long the rest took that time."""
    monkeypatch.setenv("PNP_NO_CACHE", "")
    monkeypatch.setenv("PNP_CACHE", str(tmp_path))
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    now = [0.0]
    monkeypatch.setattr(options, "monotonic", lambda: now[0])

    @click.command()
    def working() -> None:
        tell = options.progress()
        for doing, takes in (("faces", 1.0), ("sheets", 30.0), ("books", 11.0)):
            tell(doing)
            now[0] += takes

    def shown() -> list[str]:
        capsys.readouterr()
        working.main([], prog_name="working", standalone_mode=False)
        return capsys.readouterr().err.split("\r\x1b[K")[1:-1]

    assert shown() == ["faces", "sheets", "books (31 s so far)"]
    assert shown() == ["faces", "sheets", "books (about 11 s left)"]
    (tmp_path / "times.json").write_text("[1]", encoding="utf-8")
    assert shown()[-1] == "books (31 s so far)"
    assert list(json.loads((tmp_path / "times.json").read_text(encoding="utf-8"))) == ["working"]


WAITING = """
import signal, sys, time
from pathlib import Path
from generator.commands import sheets
from generator.commands.command_line import main

def wait(self, job):
    Path(sys.argv[-1], "there").touch()
    time.sleep(60)

sheets.SheetsOrder.make = wait
signal.signal(signal.SIGINT, signal.default_int_handler)  # which shells turn off in what they start in the background
main()
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals are those of POSIX")
def test_ctrl_c_ends_with_130(tiny: TinyProject, tmp_path: Path) -> None:
    """As shells expect: a script that runs the program sees that it was stopped, and nothing is left behind."""
    (tmp_path / "waiting.py").write_text(WAITING, encoding="utf-8")
    command = [sys.executable, tmp_path / "waiting.py", "sheets", "--out", tmp_path]
    with subprocess.Popen(command, cwd=tiny.root, stderr=subprocess.PIPE, env=os.environ | {"PYTHONPATH": str(options.__file__).partition("generator")[0]}) as ran:  # fmt: skip
        patience = time.monotonic() + 60
        while not (tmp_path / "there").exists() and time.monotonic() < patience:
            time.sleep(0.02)
        ran.send_signal(signal.SIGINT)
        _, said = ran.communicate(timeout=60)
    assert (ran.returncode, said) == (130, b"Aborted!\n")
    assert not list(tmp_path.rglob("*.pdf"))


@pytest.mark.slow
def test_a_shell_completes_commands_and_options(tmp_path: Path) -> None:
    """What docs/commands.md tells to type brings a script, by which the shell asks the program for what may follow."""
    command = Path(sys.executable).with_name("pnp")
    source = subprocess.run([command], check=True, capture_output=True, text=True, env=os.environ | {"_PNP_COMPLETE": "zsh_source"}).stdout  # fmt: skip
    assert "#compdef pnp" in source
    asked = {"_PNP_COMPLETE": "bash_complete", "COMP_WORDS": "pnp build --st", "COMP_CWORD": "2"}
    said = subprocess.run([command], check=False, capture_output=True, text=True, env=os.environ | asked).stdout
    assert said.split() == ["plain,--stock", "plain,--stacked", "plain,--strict"]
    told = (Path(__file__).parent.parent / "docs/commands.md").read_text(encoding="utf-8")
    assert all(f"_PNP_COMPLETE={shell}_source pnp" in told for shell in ("bash", "zsh", "fish"))
