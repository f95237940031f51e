"""The command that makes a folder of static files of the program: site."""

from pathlib import Path
from typing import Any

import click

from generator.cli.group import pnp
from generator.cli.options import GAMES, PROJECT, open_project, progress, say_notes
from generator.cli.output import say
from generator.cli.stored import cache_folder


@pnp.command()
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
    from generator.site.folder import make_site
    from generator.site.runtime import runtime_folder, runtime_of

    found, tell = open_project(obj, options), progress()
    runtime = runtime_of(named, named or runtime_folder(cache_folder()), tell)
    made = make_site(found, options["games"], out, runtime, tell)
    for name, size in made.sizes.items():
        say(f"{name:<10} {size / 1e6:6.1f} MB")
    say(f"{'together':<10} {sum(made.sizes.values()) / 1e6:6.1f} MB in {len(made.files)} files: {out.as_posix()}")
    say_notes(made.notes)
