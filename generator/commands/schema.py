"""The command `schema`: the JSON Schema of each game's files for text editors, written beside the data."""

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import click

from generator.base.errors import Place, Problem, ProblemsFound, gather_problems, raise_problems
from generator.base.files import Resources, is_file, read_file
from generator.base.output_files import open_delivery
from generator.commands.command_line import say
from generator.commands.options import GAMES, PROJECT, open_project, path_from_here
from generator.game.data_fields import FieldSpec
from generator.game.fields import RESERVED, SchemaWriter
from generator.game.kinds import read_specs, specs_from_data
from generator.game.load_game import reword_table_problems, validate_sections
from generator.game.model import Game
from generator.game.project import Project, read_sections
from generator.game.schema import GAME
from generator.game.source import Sections

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
    """Return the new content of a game's schema file, or None if it is up to date, missing or not writable."""
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


Fields: TypeAlias = Mapping[str, FieldSpec]

OF_EVERY_DESIGN: dict[str, Any] = {
    "id": {"description": "its name, unlike all others of the kind", "type": ["string", "integer"]},
    "count": {"description": "how many are printed", "type": "integer", "minimum": 0, "default": 1},
    "front": {"description": "a template of its own for the front", "type": "string"},
    "back": {"description": "a template of its own for the back", "type": "string"},
}
"""Fields that every design may have, whatever its kind declares."""

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def read_game_schema(folder: Path, resources: Resources) -> dict[str, Any]:
    """Return the schema for a game's files, without titles (editors show them above keys), or raise ProblemsFound."""
    places, _, problems = read_sections(folder, resources)
    data, found = validate_sections(places)
    if data is None or problems:
        raise ProblemsFound(reword_table_problems([*problems, *found], places))
    return _build_schema(tuple(data.icons), tuple(data.palette), *_read_declarations(data, places))


def schema_from_game(game: Game) -> dict[str, Any]:
    """Return the schema for a game that was loaded."""
    takes = {name: operation.takes for name, operation in game.operations.items()}
    kinds = {name: kind.fields for name, kind in game.kinds.items()}
    return _build_schema(tuple(game.icons), tuple(game.palette), takes, kinds)


def _build_schema(
    icons: tuple[str, ...], palette: tuple[str, ...], takes: Mapping[str, Fields], kinds: Mapping[str, Fields]
) -> dict[str, Any]:
    parts: dict[str, Any] = {}
    schema = sort_keys({**GAME.full_json_schema(parts), "$defs": parts})
    del schema["required"]  # a section may be in another file
    writer = SchemaWriter(icons, (*palette, "ink"), takes)
    components = schema["properties"]["components"]
    components["properties"] = {}
    for name, fields in kinds.items():
        designs = writer.describe_fields(fields, OF_EVERY_DESIGN, ["id"]) | {"type": ["object", "string"]}
        properties = {"designs": {"type": ["array", "string"], "items": designs}}
        components["properties"][name] = {"allOf": [{"$ref": "#/$defs/KindData"}], "properties": properties}
    return {"$schema": DIALECT, **schema}


def _read_declarations(data: Any, places: Sections) -> tuple[Mapping[str, Fields], Mapping[str, Fields]]:
    problems: list[Problem] = []
    takes = {
        name: read_specs(("operations", name, "takes"), specs_from_data(operation.takes), places, problems)
        for name, operation in data.operations.items()
    }
    kinds = {
        name: read_specs(("components", name, "fields"), specs_from_data(kind.fields), places, problems, RESERVED)
        for name, kind in data.kinds.items()
    }
    raise_problems(problems)
    return takes, kinds


def sort_keys(value: Any, under: str = "") -> Any:
    """Return a value with sorted keys at all levels, but not in `properties` and `default`; `under` is its own key."""
    if isinstance(value, dict):
        keys = value if under in ("properties", "default") else sorted(value)
        return {key: sort_keys(value[key], key) for key in keys}
    return [sort_keys(part) for part in value] if isinstance(value, list) else value
