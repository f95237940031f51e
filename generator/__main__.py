"""`python -m generator` is the command `pnp`."""

import sys


def main() -> None:
    """Run the command line; Ctrl-C while it is still being loaded ends it as quietly as later."""
    try:
        from generator.commands.command_line import main as command

        command()
    except KeyboardInterrupt:
        sys.stderr.write("Aborted!\n")
        raise SystemExit(130) from None


if __name__ == "__main__":
    main()
