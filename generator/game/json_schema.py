"""The JSON Schema of a game's files, for text editors."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

from generator.base.errors import Problem, ProblemsFound, raise_problems
from generator.base.files import Resources
from generator.game.data_fields import FieldSpec
from generator.game.fields import RESERVED, SchemaWriter
from generator.game.kinds import read_specs, specs_from_data
from generator.game.load_game import reword_table_problems, validate_sections
from generator.game.model import Game
from generator.game.project import read_sections
from generator.game.schema import GAME
from generator.game.source import Sections

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
    """Return the value with sorted keys at all levels. Keep the order inside `properties` and `default`."""
    if isinstance(value, dict):
        keys = value if under in ("properties", "default") else sorted(value)
        return {key: sort_keys(value[key], key) for key in keys}
    return [sort_keys(part) for part in value] if isinstance(value, list) else value
