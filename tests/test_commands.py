"""The commands: each is where its entry says, and none is imported before it is asked for."""

import subprocess
import sys
from pathlib import Path

import click

from generator.base.extensions import Entry, find_additions
from generator.commands.command_line import COMMANDS, pnp

ROOT = Path(__file__).parent.parent

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
    """`pnp COMMAND --help` starts with the line of `pnp --help`, and every option has a help text."""
    context = click.Context(pnp)
    for name, entry in COMMANDS.items():
        command = pnp.get_command(context, name)
        assert command is not None
        assert (command.help or "").splitlines()[0] == f"{entry.summary}."
        assert [one.name for one in command.params if isinstance(one, click.Option) and not one.help] == []


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
    """Rulebook, check list, checks, boards and tokens are imported by those who have any."""
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
