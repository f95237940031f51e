"""Every command line of the documents is one that the program takes: each command and each option that it names is there."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest
from conftest import ROOT
from tests_support import TinyProject

from generator.commands.command_line import pnp

PAGES = sorted(path for path in (ROOT / "docs").glob("*.md") if path.name != "extending.md")  # test_extensions has it
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *PAGES]

_INLINE = re.compile(r"`(pnp [^`]+)`", re.DOTALL)
_LINE = re.compile(r"^(?:\$ )?(?:[A-Z_]+=\S+ )*(?:python -m generator|pnp) .*$", re.MULTILINE)
_BLOCK = re.compile(r"^ *(`{3,})([^\n`]*)\n(.*?)^ *\1$", re.MULTILINE | re.DOTALL)


def command_lines(text: str) -> list[str]:
    """Those of blocks, line by line without comments and pipes, and those within sentences."""
    shown = [block for _, kind, block in _BLOCK.findall(text) if kind in ("", "sh", "text")]
    blocks = [line for block in shown for line in _LINE.findall(block.replace("\\\n", " "))]
    return [*blocks, *(" ".join(line.split()) for line in _INLINE.findall(text))]


def faults(line: str) -> list[str]:
    """What the program does not have of a command line: the command, a command of a group, an option."""
    line = re.sub(r"^([A-Z_]+=\S+ )+", "", line.removeprefix("$ ")).replace("python -m generator", "pnp")
    words = shlex.split(re.split(r"\s[|&;>]|…", line)[0].replace("\\|", "|"), comments=True)[1:]
    command: click.Command = pnp
    context = click.Context(pnp)
    wrong = []
    known = {name for option in pnp.params for name in option.opts}
    for word in words:
        if word.startswith("--"):
            if word.partition("=")[0] not in known | {"--help", "--version"}:
                wrong.append(f"{command.name} has no {word}")
        elif isinstance(command, click.Group) and re.fullmatch(r"[a-z]+(\|[a-z]+)*", word):
            found = [command.get_command(context, name) for name in word.split("|")]
            if None in found:
                wrong.append(f"{command.name} has no {word}")
                break
            command = found[0] or command
            known |= {name for option in command.get_params(context) for name in option.opts}
        elif isinstance(command, click.Group) and not word[0].isupper():
            break  # the value of an option
    return wrong


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_command_line_is_one_that_the_program_takes(document: Path) -> None:
    wrong = {line: faults(line) for line in command_lines(document.read_text(encoding="utf-8"))}
    assert {line: what for line, what in wrong.items() if what} == {}


def test_there_is_something_to_hold() -> None:
    assert sum(len(command_lines(path.read_text(encoding="utf-8"))) for path in DOCUMENTS) > 150
    assert faults("pnp bild") and faults("pnp build --strickt") and faults("pnp lab reedings fortuna")
    assert not faults("pnp lab readings fortuna --seed 3")
    assert faults("PNP_WORDS=own pnp bild") and not faults("PNP_WORDS=own pnp build")


def blocks_of_commands(name: str) -> list[str]:
    """The blocks of a document in docs/ that are typed into a shell."""
    return re.findall(
        r"^ *```sh\n(.*?)^ *```$", (ROOT / f"docs/{name}.md").read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )


def typed(block: str, folder: Path, home: Path) -> None:
    """Types a block line by line into a shell in that folder; each line must end well."""
    environment = os.environ | {"PNP_HOME": str(home), "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    ran = subprocess.run(
        ["bash", "-ec", block], cwd=folder, check=False, capture_output=True, text=True, env=environment
    )
    assert ran.returncode == 0, ran.stderr + ran.stdout


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="the lines are typed into bash")
@pytest.mark.parametrize("name", ["printing", "print-shops", "spreadsheets"])
def test_blocks_about_a_game_that_ships_run(name: str, tmp_path: Path) -> None:
    for folder in ("data", "templates"):
        shutil.copytree(ROOT / folder / "fortuna", tmp_path / folder / "fortuna")
    blocks = [block for block in blocks_of_commands(name) if "pnp build" not in block]
    assert blocks
    for block in blocks:
        typed(block, tmp_path, tmp_path / "home")


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="the lines are typed into bash")
def test_blocks_about_a_game_of_ones_own_run(tiny: TinyProject, tmp_path: Path) -> None:
    git = "git -c user.name=me -c user.email=me@example.org"
    typed(f"git init -q; git add -A; {git} commit -qm one", tiny.root, tmp_path)
    tiny.change("data/tiny/game.yaml", "title: Two", "title: Three")
    typed(f"git add -A; {git} commit -qm two", tiny.root, tmp_path)
    for block in blocks_of_commands("continuous"):
        typed(block, tiny.root, tmp_path)
    assert (tiny.root / "output/tiny/diff.en.html").is_file()


def missing_commands(text: str, group: click.Group, name: str = "pnp") -> list[str]:
    """The commands of a group, and of its groups, that a text does not name."""
    context = click.Context(group)
    commands = {f"{name} {word}": group.get_command(context, word) for word in group.list_commands(context)}
    missing = [said for said in commands if not re.search(rf"\b{said}\b", text)]
    within = (
        missing_commands(text, command, said) for said, command in commands.items() if isinstance(command, click.Group)
    )
    return [*missing, *(said for more in within for said in more)]


def test_every_command_is_in_a_guide() -> None:
    text = "\n".join(page.read_text(encoding="utf-8") for page in DOCUMENTS if page.name != "reference.md")
    assert missing_commands(text, pnp) == []
    assert missing_commands(text.replace("pnp lab readings", ""), pnp) == ["pnp lab readings"]
