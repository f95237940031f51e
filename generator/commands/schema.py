"""The command `schema`: write each game's JSON Schema beside its data."""

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from generator.base.errors import Place, Problem, gather_problems, raise_problems
from generator.base.files import is_file, read_file
from generator.base.output_files import open_delivery
from generator.commands.command_line import say
from generator.commands.options import GAMES, PROJECT, open_project, path_from_here
from generator.game.json_schema import read_game_schema, schema_from_game
from generator.game.model import Game
from generator.game.project import Project

NAME = "schema.json"


@click.command()
@GAMES
@click.option("--check", is_flag=True, help="Write nothing, and fail if a schema is out of date.")
@PROJECT
@click.pass_obj
def schema(obj: Path | None, /, **options: Any) -> None:
    """Write JSON schemas for completion in editors.

    pnp writes data/<game>/schema.json. Editors use it to complete and check the data files.
    """
    for path in write_schemas(open_project(obj, options), options["games"], check_only=options["check"]):
        say(path_from_here(path))


def write_schemas(project: Project, names: tuple[str, ...], *, check_only: bool) -> tuple[Path, ...]:
    """Write each game's JSON Schema beside its data. With `check_only`, only return the outdated ones."""
    problems: list[Problem] = []
    with open_delivery() as files:
        for name in project.choose_games(names):
            folder = project.find_folder(name)
            target = folder / NAME
            with gather_problems(problems):
                text = schema_text(read_game_schema(folder, project.resources))
                if not check_only:
                    files.put(target, text.encode("utf-8"), at_home=True)
                elif not is_file(target) or read_file(target, "list") != text.encode():
                    place = Place(project.resources.display_path(target))
                    problems.append(Problem(place, "the schema is out of date", f"run `pnp schema {name}`"))
        raise_problems(problems)
        return files.hand_over()


def schema_text(schema: object) -> str:
    """Return a schema as the text of its file."""
    return json.dumps(schema, ensure_ascii=False, indent=2) + "\n"


def outdated_schema(game: Game, folder: Path) -> bytes | None:
    """Return the new content of a game's schema file if the file is outdated.

    Return None if it is up to date, if there is no such file, or if the folder is not writable.
    """
    target = folder / NAME
    if not is_file(target) or not os.access(folder, os.W_OK):
        return None
    text = schema_text(schema_from_game(game)).encode("utf-8")
    return None if read_file(target, "list") == text else text


def update_schemas(project: Project, games: Iterable[Game]) -> tuple[Path, ...]:
    """Rewrite the outdated schema files of the games and return their paths."""
    with open_delivery() as files:
        for game in games:
            folder = project.find_folder(game.id)
            text = outdated_schema(game, folder)
            if text is not None:
                files.put(folder / NAME, text, at_home=True)
        return files.hand_over()
