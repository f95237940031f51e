"""Durations: how long a game lasts by a stored result of `pnp lab`, for other packages."""

from pathlib import Path

from generator.game.project import Project
from generator.lab.experiment import read_result_text
from generator.lab.experiment_runs import open_lab_game, stamps_of
from generator.lab.reports.report_findings import ResultFindings
from generator.lab.reports.result_report import SECONDS
from generator.lab.results import read_result


def find_duration(project: Project, game: str, folder: Path, *, trusted: bool) -> tuple[int, int, int] | None:
    """Return the minutes that nine of ten games last, at least and at most, and the number of games.

    They come from `lab-report.json` in the folder, with the lab's seconds for each decision. Return None without this
    file, or if the game's data have changed since. Raise ProblemsFound for a damaged file, or rules that can't run.
    """
    path = folder / "lab-report.json"
    if not path.is_file():
        return None
    result = read_result(read_result_text(path), str(path))
    if stamps_of(open_lab_game(project, game, trusted=trusted))["data"] != result.about["data"]:
        return None
    findings = ResultFindings(result)
    ends = [
        [table.find_quantile(findings.base, "decisions", share).at * SECONDS / 60 for share in (0.05, 0.95)]
        for table in findings.tables
        if "decisions" in table.units
    ]
    games = sum(table.games for table in findings.tables)
    return (round(min(least for least, _ in ends)), round(max(most for _, most in ends)), games) if ends else None
