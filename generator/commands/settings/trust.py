"""Rules of a project that the user trusts from now on, or no more: kept in the settings folder."""

from dataclasses import replace
from pathlib import Path

from generator.delivery import delivery
from generator.errors import Place, Problem, ProblemsFound, Unfit
from generator.load.project import Project
from generator.load.trust import code_files, with_trust


def keep_trust(file: Path, project: Project, *, trusted: bool) -> tuple[Path, ...]:
    """Store whether a project is trusted; return its code files. Raise ProblemsFound if it has none to trust."""
    code = code_files(project.root)
    if trusted and not code:
        place = Place(project.resources.shown(project.root / "data"))
        what = "no game here has rules of its own, so there is nothing to trust"
        raise ProblemsFound([Problem(place, what, "docs/rules.md says how to bring rules")])
    try:
        content = with_trust(file, project.root, trusted=trusted)
        with delivery() as files:
            files.put(file, content)
            files.hand_over()
    except Unfit as error:
        raise ProblemsFound([Problem(None, str(error), error.hint)]) from error
    except ProblemsFound as found:
        hint = "make its folder writable, or name another settings folder in PNP_HOME"
        raise ProblemsFound([replace(problem, hint=hint) for problem in found.problems]) from found
    return code
