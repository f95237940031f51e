"""`python -m generator` is the command `pnp`."""


def main() -> None:
    """Run the command line; Ctrl-C while it is still being loaded ends it as quietly as later."""
    try:
        from generator.cli import main as command

        command()
    except KeyboardInterrupt:
        raise SystemExit("Aborted!") from None


if __name__ == "__main__":
    main()
