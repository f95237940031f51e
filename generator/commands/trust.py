"""The command `trust`: let the Python rules of a project run."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from generator.base.errors import InvalidInput, Place, Problem, ProblemsFound
from generator.base.output_files import deliver_file
from generator.commands.command_line import say
from generator.commands.options import PROJECT, open_project, path_from_here
from generator.commands.settings import code_digest, code_files, project_key, read_trusted, trust_file
from generator.game.project import Project


@click.command()
@click.option("--remove", is_flag=True, help="Stop trusting this project.")
@PROJECT
@click.pass_obj
def trust(obj: Path | None, /, **options: Any) -> None:
    """Allow the Python rules of this project to run.

    Rules are Python programs and can do whatever you can. Trust only authors you know. The permission ends when the
    code changes. pnp stores it in your settings folder.
    """
    code = store_trust(trust_file(), open_project(obj, options), trusted=not options["remove"])
    if options["remove"]:
        say("Rules of this project run only with --trust-rules.")
        return
    for path in code:
        say(path_from_here(path))
    say("These files run without --trust-rules until one of them changes.")


def store_trust(file: Path, project: Project, *, trusted: bool) -> tuple[Path, ...]:
    """Store whether a project is trusted; return its code files. Raise ProblemsFound if it has none to trust."""
    code = code_files(project.root)
    if trusted and not code:
        place = Place(project.resources.display_path(project.root / "data"))
        what = "no game in this project has its own Python rules"
        raise ProblemsFound([Problem(place, what, "see docs/rules.md for how to add rules")])
    try:
        known = {key: digest for key, digest in read_trusted(file).items() if key != project_key(project.root)}
        if trusted:
            known[project_key(project.root)] = code_digest(project.root)
        content = (json.dumps(known, indent=2, sort_keys=True) + "\n").encode("utf-8")
        deliver_file(file, content)
    except InvalidInput as error:
        raise ProblemsFound([Problem(None, str(error), error.hint)]) from error
    except ProblemsFound as found:
        hint = "make its folder writable, or name another settings folder in PNP_HOME"
        raise ProblemsFound([replace(problem, hint=hint) for problem in found.problems]) from found
    return code
