"""The command `preflight`: check PDF files for print faults."""

import sys
from pathlib import Path
from typing import Any

import click

from generator.commands.command_line import say, say_text
from generator.commands.options import FORMAT, PROJECT, say_warnings
from generator.production.preflight.preflight_report import preflight_to_json, preflight_to_text
from generator.production.preflight.preflight_run import find_preflight_rules, inspect_files


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE.pdf...", type=click.Path(path_type=Path))
@click.option("--preset", metavar="ID", help="Check the requirements of this print shop (see `pnp presets`).")
@FORMAT
@click.option("--strict", is_flag=True, help="Treat warnings as errors.")
@click.option(
    "--ghostscript/--no-ghostscript",
    default=True,
    help="Use Ghostscript to measure ink on complex pages (default: if it is installed).",
)
@PROJECT
@click.pass_obj
def preflight(obj: Path | None, /, **options: Any) -> None:
    """Check PDF files for print faults.

    pnp checks boxes, bleed, type, fonts, pictures, ink, colours and lines. It accepts PDF files of any program. The
    exit code is 1 if there are errors.
    """
    rules, doubts = find_preflight_rules(options["preset"], Path.cwd(), options["project"] or obj)
    say_warnings(doubts)
    reports, problems = inspect_files(options["files"], rules, options["ghostscript"])
    if options["form"] == "json":
        say_text(preflight_to_json(reports, problems))
    else:
        for report in reports:
            say_text(preflight_to_text(report))
        for problem in problems:
            say(str(problem), err=True)
    severe = 0
    for report in reports:
        severe += report.count("error") + (report.count("warning") if options["strict"] else 0)
    if problems or severe:
        sys.exit(1)
