"""The commands: each is found where the table says, and none is imported before it is asked for."""

import importlib
import subprocess
import sys
from pathlib import Path

from generator.cli.group import HOMES, pnp

CLI = Path(__file__).parent.parent / "generator" / "cli"


def test_the_table_names_every_command() -> None:
    """What the modules of the room bring is what the table promises, name by name."""
    for module in CLI.glob("*.py"):
        importlib.import_module(f"generator.cli.{module.stem}")
    homes = {
        name: command.callback.__module__.split(".")[-1] for name, command in pnp.commands.items() if command.callback
    }

    assert homes == HOMES


def test_one_command_imports_no_other() -> None:
    """`pnp list --help` brings the module of `list` and no other command's."""
    code = (
        "import sys\nfrom generator.cli.group import pnp\n"
        "pnp.main(['list', '--help'], standalone_mode=False)\n"
        "print(sorted(name.split('.')[-1] for name in sys.modules if name.startswith('generator.cli.')))"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    brought = {name for name in set(HOMES.values()) if f"'{name}'" in said.splitlines()[-1]}

    assert brought == {HOMES["list"]}
