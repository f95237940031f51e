"""The command preflight: PDF files looked over before they go to print."""

import sys
from pathlib import Path
from typing import Any

import click

from generator.cli.group import pnp
from generator.cli.options import FORMAT, PROJECT, say_warnings
from generator.cli.output import say, say_text


@pnp.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE.pdf...", type=click.Path(path_type=Path))
@click.option("--preset", metavar="ID", help="Hold them against what this print shop asks for (`pnp presets`).")
@FORMAT
@click.option("--strict", is_flag=True, help="Warnings count as errors.")
@click.option(
    "--ghostscript/--no-ghostscript",
    default=True,
    help="Hand pages to Ghostscript, if it is installed, where only a rendering tells how much ink they take.",
)
@PROJECT
@click.pass_obj
def preflight(obj: Path | None, /, **options: Any) -> None:
    """Look over PDF files, ours or anybody's: boxes, bleed, type, fonts, pictures, ink, colours, lines.

    Exit code 1 if there are errors.
    """
    from generator.commands.preflight import look_over, rules_of
    from generator.printshop.preflight.report import json_of, text_of

    rules, doubts = rules_of(options["preset"], Path.cwd(), options["project"] or obj)
    say_warnings(doubts)
    reports, problems = look_over(options["files"], rules, options["ghostscript"])
    if options["form"] == "json":
        say_text(json_of(reports, problems))
    else:
        for report in reports:
            say_text(text_of(report))
        for problem in problems:
            say(str(problem), err=True)
    severe = 0
    for report in reports:
        severe += report.count("error") + (report.count("warning") if options["strict"] else 0)
    if problems or severe:
        sys.exit(1)
