"""The commands `serve`, `site` and `language-server`."""

import sys
import webbrowser
from pathlib import Path
from typing import Any

import click

from generator.commands.command_line import say
from generator.commands.options import GAMES, PROJECT, open_project, progress, say_notes
from generator.commands.user_folders import cache_folder


@click.command()
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
    from generator.live.gallery import Gallery
    from generator.live.page_server import open_server

    gallery = Gallery(open_project(obj, options), options["games"], trusted=options["trusted"], say=say)
    with open_server(gallery, port, in_panel=in_panel) as server:
        say(f"{server.url}  (Ctrl+C ends it)")
        if in_browser:
            webbrowser.open(server.url)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            say()


@click.command()
@GAMES
@click.option(
    "--out", type=click.Path(path_type=Path), default="site", show_default=True, help="The folder to be written."
)
@click.option(
    "--runtime",
    "named",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Where the files lie that npm and pip would get (docs/browser.md names them).",
)
@PROJECT
@click.pass_obj
def site(obj: Path | None, /, out: Path, named: Path | None, **options: Any) -> None:
    """Make a web site of the program and the GAMES: nothing to install, nothing sent anywhere.

    Any web server can show the folder. A browser loads it once; from then on it works without a line.
    """
    from generator.live.site_folder import make_site
    from generator.live.site_runtime import load_runtime, open_runtime_folder

    found, tell = open_project(obj, options), progress()
    runtime = load_runtime(named, named or open_runtime_folder(cache_folder()), tell)
    made = make_site(found, options["games"], out, runtime, tell)
    for name, size in made.sizes.items():
        say(f"{name:<10} {size / 1e6:6.1f} MB")
    say(f"{'together':<10} {sum(made.sizes.values()) / 1e6:6.1f} MB in {len(made.files)} files: {out.as_posix()}")
    say_notes(made.notes)


@click.command("language-server")
def language_server() -> None:
    """Tell an editor, over standard input and output, what is wrong with data and templates while they are written.

    It shows cards, completes names and finds where they are given. Editors start it; docs/editor.md says how.
    Needs the extra `editor`.
    """
    try:
        from generator.live.language_server import make_server
    except ModuleNotFoundError as error:
        if error.name not in ("pygls", "lsprotocol"):
            raise
        raise click.ClickException("the language server needs pygls: install the extra `editor`") from error
    make_server().start_io(sys.stdin.buffer, sys.stdout.buffer)
