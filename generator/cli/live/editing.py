"""The command that an editor starts: language-server."""

import sys

import click

from generator.cli.group import pnp


@pnp.command("language-server")
def language_server() -> None:
    """Tell an editor, over standard input and output, what is wrong with data and templates while they are written.

    It shows cards, completes names and finds where they are given. Editors start it; docs/editor.md says how.
    Needs the extra `editor`.
    """
    try:
        from generator.editor.server import made_server
    except ModuleNotFoundError as error:
        if error.name not in ("pygls", "lsprotocol"):
            raise
        raise click.ClickException("the language server needs pygls: install the extra `editor`") from error
    made_server().start_io(sys.stdin.buffer, sys.stdout.buffer)
