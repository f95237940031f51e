"""Each game's JSON Schema beside its data."""

import json
from pathlib import Path

from generator.delivery import delivery
from generator.errors import Place, Problem, ProblemsFound
from generator.files import is_file, read_file
from generator.load.json_schema import game_schema
from generator.load.project import Project


def schemas(project: Project, names: tuple[str, ...], *, check_only: bool) -> tuple[Path, ...]:
    """Write each game's JSON Schema beside its data; or only say which are out of date."""
    problems: list[Problem] = []
    with delivery() as files:
        for name in project.choose(names):
            folder = project.folder(name)
            target = folder / "schema.json"
            try:
                text = json.dumps(game_schema(folder, project.resources), ensure_ascii=False, indent=2) + "\n"
            except ProblemsFound as found:
                problems += found.problems
                continue
            if not check_only:
                files.put(target, text.encode("utf-8"), at_home=True)
            elif not is_file(target) or read_file(target, "list") != text.encode():
                place = Place(project.resources.shown(target))
                problems.append(Problem(place, "the schema is out of date", f"run `pnp schema {name}`"))
        if problems:
            raise ProblemsFound(problems)
        return files.hand_over()
