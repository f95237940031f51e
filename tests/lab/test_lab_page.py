"""docs/lab.md shows what the commands print; it and docs/lab-reference.md name every option and key."""

import re
import shlex
from pathlib import Path

import click
import pytest
from conftest import Pnp
from shipped_games import PROJECT

from generator.lab.commands.lab_group import lab
from generator.lab.experiment_shape import EXPERIMENT

PAGE = PROJECT.root / "docs" / "lab.md"
REFERENCE = PROJECT.root / "docs" / "lab-reference.md"
COMMANDS = {name: lab.get_command(click.Context(lab), name) for name in lab.list_commands(click.Context(lab))}
BLOCK = re.compile(r"^```\n\$ pnp (lab [^\n]*)\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"^```yaml\n(.*?)^```\n", re.MULTILINE | re.DOTALL)


@pytest.mark.release  # plays thousands of games
def test_the_page_shows_what_is_said(pnp: Pnp, room: Path, request: pytest.FixtureRequest) -> None:
    """Run every command of the page with the page's own file. A line `...` stands for output that the page leaves out.

    `--update-golden` writes the full output of each block that no longer fits; cut it again by hand.
    """
    page = PAGE.read_text(encoding="utf-8")
    (room / "hands.yaml").write_text(FILE.findall(page)[0], encoding="utf-8")

    def said(block: re.Match[str]) -> str:
        asked = shlex.split(block[1])
        known = {name for option in COMMANDS.get(asked[1], COMMANDS["report"]).params for name in option.opts}
        more = {"--project": str(PROJECT.root), "--out": "out", "--executor": "processes:1"}
        ran = pnp(*asked, *(word for pair in more.items() if pair[0] in known for word in pair), code=0)
        shown = ".*".join(map(re.escape, re.split(r"^ +\.\.\.\n", block[2], flags=re.MULTILINE)))
        return block[0] if re.fullmatch(shown, ran.out, re.DOTALL) else f"```\n$ pnp {block[1]}\n{ran.out}```\n"

    now = BLOCK.sub(said, page)
    assert len(BLOCK.findall(page)) == 11
    if request.config.getoption("--update-golden"):
        PAGE.write_text(now, encoding="utf-8", newline="\n")
    else:
        assert now == page


def test_the_pages_name_every_key_and_option() -> None:
    """Each key of an experiment, each command and each option of the lab is on one of the two pages."""
    page = PAGE.read_text(encoding="utf-8") + REFERENCE.read_text(encoding="utf-8")
    options = {name for command in COMMANDS.values() for option in command.params for name in option.opts}
    assert {f"`{key}`" for key in EXPERIMENT.entries if key != "format"} <= set(re.findall(r"`[a-z ]+`", page))
    assert set(COMMANDS) == set(re.findall(r"pnp lab (\w+)", page)) - {"GAME", "journey8"}
    assert {one for one in options if one.startswith("--")} - {"--out", "--project", "--trust-rules", "--resume", "--quiet", "--verbose"} <= set(re.findall(r"--[a-z-]+", page))  # fmt: skip


def test_help_states_the_default_number_of_games(pnp: Pnp) -> None:
    """`--games` counts other things in `skill` and `solve`, and has other defaults in `skill` and `run`."""
    said = {name: " ".join(pnp("lab", name, "--help").out.split()) for name in ("report", "skill", "solve", "run")}
    assert "--games N Play N games for each variant and number of players (default: 1000)." in said["report"]
    assert "--games N Play N seeds of each match (default: 400, fewer for bots that search)." in said["skill"]
    assert "--games N Search N deals (default: 1000)." in said["solve"]
    assert "(default: as FILE says, or 1000)." in said["run"]
