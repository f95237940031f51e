"""The command `pnp`: arguments in, text and exit code out. The only room that prints.

Each module brings its commands to the group; the heavy rooms are imported when a command runs.
"""

from generator.cli import checking, making, playing
from generator.cli.group import main, run

__all__ = ["checking", "main", "making", "playing", "run"]
