"""The command `pnp`: arguments in, text and exit code out. The only room that prints.

Each module brings its commands to the group; the heavy rooms are imported when a command runs.
"""

from generator.cli import (
    checking,
    comparing,
    exporting,
    making,
    playing,
    preflighting,
    printers,
    proofing,
    recording,
    serving,
    shopping,
    starting,
)
from generator.cli.group import main, run

__all__ = [
    "checking",
    "comparing",
    "exporting",
    "main",
    "making",
    "playing",
    "preflighting",
    "printers",
    "proofing",
    "recording",
    "run",
    "serving",
    "shopping",
    "starting",
]
