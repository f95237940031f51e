"""The command `pnp`: arguments in, text and exit code out. The only room that prints.

Each module brings its commands to the group when one of them is asked for; the heavy rooms are imported when a command
runs.
"""

from generator.cli.group import main, run

__all__ = ["main", "run"]
