"""The command `language-server`."""

import sys

import click


@click.command("language-server")
def language_server() -> None:
    """Connect a text editor: errors, previews, completion.

    The editor starts this command; see docs/editor.md. You need the extra `editor`.
    """
    try:
        from generator.live.editor_server import make_server
    except ModuleNotFoundError as error:
        if error.name not in ("pygls", "lsprotocol"):
            raise
        raise click.ClickException("the language server needs pygls: install the extra `editor`") from error
    make_server().start_io(sys.stdin.buffer, sys.stdout.buffer)
