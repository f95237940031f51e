"""The command that shows games while they are made: serve."""

import webbrowser
from pathlib import Path
from typing import Any

import click

from generator.cli.group import pnp
from generator.cli.options import GAMES, PROJECT, open_project
from generator.cli.output import say


@pnp.command()
@GAMES
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8013, show_default=True, help="On this machine; 0: any free one."
)
@click.option("--open", "in_browser", is_flag=True, help="Open the page in the browser.")
@click.option("--in-panel", is_flag=True, help="Let a panel of Visual Studio Code show the page.")
@PROJECT
@click.pass_obj
def serve(obj: Path | None, /, port: int, in_browser: bool, in_panel: bool, **options: Any) -> None:
    """Show the GAMES on a page of this machine's browser, drawn again whenever a file is saved.

    Nothing leaves the machine, and the page changes nothing. Ctrl+C ends it.
    """
    from generator.serve.gallery import Gallery
    from generator.serve.server import serving

    gallery = Gallery(open_project(obj, options), options["games"], trusted=options["trusted"], say=say)
    with serving(gallery, port, in_panel=in_panel) as server:
        say(f"{server.url}  (Ctrl+C ends it)")
        if in_browser:
            webbrowser.open(server.url)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            say()
