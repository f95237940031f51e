"""`python -m generator` is the command `pnp`."""

import gc
import sys


def main() -> None:
    """Run the command line. Ctrl+C also ends it quietly (exit code 130) while its modules are still being loaded."""
    # A command builds values that live until it ends. Garbage collection would take a fifth of its time.
    gc.disable()
    try:
        from generator.commands.command_line import main as command

        command()
    except KeyboardInterrupt:
        sys.stderr.write("Aborted!\n")
        raise SystemExit(130) from None
    finally:
        gc.freeze()  # nor is there anything to look for at the exit


if __name__ == "__main__":
    main()
