"""Rules that a project brings run where the user says so, once or from now on; other code never does."""

import compileall
import os
import py_compile
import shutil
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from conftest import Pnp
from rules_project import RULES, RulesProject
from tests_support import enter

from generator.commands.command_line import pnp as program

MODULE = "data/higher/rules.py"
ASKS = "add --trust-rules, or type `pnp trust` once"
VALIDATE = ("validate", "--games", "0", "--no-cache")


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PNP_HOME", str(tmp_path / "settings"))
    return tmp_path / "settings"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Path) -> RulesProject:
    """A project with rules of its own and a rulebook that plays an example, in the current folder."""
    made = RulesProject(tmp_path / "project")
    for lang in ("ja", "en"):
        made.write(f"templates/higher/rulebook.{lang}.md", "# Play {#play}\n\n```example highest\n```\n")
    return enter(made, monkeypatch)


def commands(group: click.Group = program, *above: str) -> Iterator[tuple[str, click.Command]]:
    """Yield each command that is no group, with its words."""
    for name in group.list_commands(click.Context(group)):
        command = group.get_command(click.Context(group), name)
        assert command is not None, name
        if isinstance(command, click.Group):
            yield from commands(command, *above, name)
        else:
            yield " ".join((*above, name)), command


def test_every_command_that_opens_a_project_takes_trust_rules() -> None:
    """Whoever types it once for `build` can type it everywhere."""
    found = {name: {word for option in command.params for word in option.opts} for name, command in commands()}
    opens = {name for name, options in found.items() if "--project" in options}
    assert {"images", "boxes", "changed", "export cgs", "lab sweep", "showcase", "list", "site"} <= opens
    assert {name for name, options in found.items() if "--trust-rules" in options} == opens


def test_commands_without_need_of_rules_run_with_and_without_trust(project: RulesProject, pnp: Pnp) -> None:
    project.write(MODULE, f"open('ran', 'w').close()\n{RULES}")
    for more in ((), ("--trust-rules",)):
        for command in (("list",), ("presets",), ("images", "--dpi", "36"), ("record", f"a{len(more)}")):
            assert pnp(*command, *more).code == 0, command
    assert not Path("ran").exists()


@pytest.mark.parametrize(
    "command",
    [
        VALIDATE,
        ("play", "higher", "--bots-only"),
        ("lab", "schema", "higher"),
        *(
            pytest.param(command, marks=pytest.mark.slow)
            for command in (
                ("build",),
                ("rulebook", "--lang", "en"),
                ("export", "tts", "--dpi", "36"),
                ("pack", "--lang", "en", "--paper", "A4"),
                ("translate", "pseudo", "higher", "--dpi", "30"),
            )
        ),
    ],
    ids=" ".join,
)
def test_a_trusted_project_is_not_asked_for(project: RulesProject, pnp: Pnp, command: tuple[str, ...]) -> None:
    """`pnp trust` holds for every command that runs rules, `pnp trust --remove` ends it."""
    assert ASKS in pnp(*command).err
    assert pnp("trust").out.startswith(f"{MODULE}\n")
    assert ASKS not in (ran := pnp(*command)).err, ran.err
    assert (project.root / MODULE).is_file()
    assert pnp("trust", "--remove").code == 0
    assert ASKS in pnp(*command).err


def test_books_of_states_are_compared_only_with_trusted_code(project: RulesProject, tmp_path: Path, pnp: Pnp) -> None:
    other = tmp_path / "other"
    shutil.copytree(project.root, other)
    assert pnp("trust").code == 0
    assert ASKS not in pnp("diff", str(other)).out
    (other / MODULE).write_text(f"open('ran', 'w').close()\n{RULES}", encoding="utf-8")
    assert ASKS in pnp("diff", str(other)).out
    assert not Path("ran").exists()


@pytest.mark.parametrize(
    ("file", "content"),
    [
        (MODULE, f"{RULES}\n"),
        ("data/higher/helper.py", ""),
        ("data/higher/deep/helper.so", ""),
        ("data/more/x.pyc", ""),
    ],
)
def test_changed_code_is_asked_for_again(project: RulesProject, pnp: Pnp, file: str, content: str) -> None:
    """Whatever Python can import counts, other files don't; trusting it anew is enough."""
    assert pnp("trust").code == 0
    project.write("data/higher/notes.txt", "nothing that runs")
    assert pnp(*VALIDATE).code == 0
    project.write(file, content)
    assert ASKS in pnp(*VALIDATE).err
    assert pnp("trust").code == 0
    assert pnp(*VALIDATE).code == 0
    assert pnp(*VALIDATE).code == 0, "running it leaves no code behind"


def test_a_project_elsewhere_is_not_trusted(project: RulesProject, tmp_path: Path, pnp: Pnp) -> None:
    assert pnp("trust").code == 0
    shutil.copytree(project.root, tmp_path / "copy")
    (tmp_path / "link").symlink_to(project.root)
    assert ASKS in pnp("--project", str(tmp_path / "copy"), *VALIDATE).err
    assert pnp("--project", str(tmp_path / "link"), *VALIDATE).code == 0


@pytest.mark.parametrize("content", ["", "[]", "{", "5", '{"a": 1}', "[" * 100_000])
def test_a_damaged_file_trusts_nothing(project: RulesProject, pnp: Pnp, settings: Path, content: str) -> None:
    """It is written anew by the next `pnp trust`."""
    settings.mkdir()
    (settings / "trusted.json").write_text(content, encoding="utf-8")
    assert ASKS in pnp(*VALIDATE).err
    assert pnp("trust").code == 0
    assert pnp(*VALIDATE).code == 0
    assert project.root.is_dir()


def test_a_project_cannot_trust_itself(
    project: RulesProject, pnp: Pnp, settings: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert pnp("trust").code == 0
    if os.name == "posix":
        (settings / "trusted.json").chmod(0o666)
        assert ASKS in pnp(*VALIDATE).err
    shutil.copytree(settings, project.root / ".pnp")
    monkeypatch.setenv("PNP_HOME", str(project.root / ".pnp"))
    assert ASKS in pnp(*VALIDATE).err


def test_compiled_code_beside_trusted_rules_does_not_run(project: RulesProject, pnp: Pnp) -> None:
    source = project.root / MODULE
    source.write_text(f"open('ran', 'w').close()\n{RULES}", encoding="utf-8")
    compileall.compile_file(source, quiet=1, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
    source.write_text(RULES, encoding="utf-8")
    assert pnp(*VALIDATE, "--trust-rules").code == 0
    assert not Path("ran").exists()


def test_there_is_nothing_to_trust_without_code(project: RulesProject, pnp: Pnp) -> None:
    (project.root / MODULE).unlink()
    ran = pnp("trust")
    assert (ran.code, ran.said[0].partition("; ")[0]) == (1, "data: no game in this project has its own Python rules")  # fmt: skip
