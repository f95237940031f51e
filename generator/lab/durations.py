"""Durations: how long a game lasts by a stored result of `pnp lab`, for other packages."""

from pathlib import Path

from generator.base.errors import ProblemsFound
from generator.game.project import Project
from generator.lab.experiment import read_result_text
from generator.lab.experiment_runs import open_lab_game, stamps_of
from generator.lab.reports.report_findings import ResultFindings
from generator.lab.reports.result_report import SECONDS
from generator.lab.results import read_result


def find_duration(project: Project, game: str, folder: Path, *, trusted: bool) -> tuple[int, int, int] | None:
    """Return the minutes that nine of ten games last, at least and at most, and the number of games.

    They come from `lab-report.json` in the folder, with the lab's seconds for each decision. Return None without this
    file, or if the game's data have changed since. Raise ProblemsFound for a damaged file.
    """
    path = folder / "lab-report.json"
    if not path.is_file():
        return None
    result = read_result(read_result_text(path), str(path))
    try:
        if stamps_of(open_lab_game(project, game, trusted=trusted))["data"] != result.about["data"]:
            return None
        findings = ResultFindings(result)
    except ProblemsFound:
        return None  # rules that can't run, or no games
    tables = [table for table in findings.tables if "decisions" in table.units]
    ends = [[table.find_quantile(findings.base, "decisions", share).at for share in (0.05, 0.95)] for table in tables]
    if not ends:
        return None
    minutes = [round(decisions * SECONDS / 60) for decisions in (min(e[0] for e in ends), max(e[1] for e in ends))]
    return minutes[0], minutes[1], sum(table.games for table in tables)
