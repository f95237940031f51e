"""The pictures of docs/lab.md: what other readings do to each game, drawn as the lab's reports draw it.

Each game is played as `pnp lab readings GAME --fast` plays it, which takes minutes; what `output/` has of it counts.
"""

import io
import os
from pathlib import Path

from PIL import Image

from generator.books.page.page_style import Look
from generator.books.page.text_setter import TextSetter
from generator.drawing.faces.game_drawing import Workshop, find_accent
from generator.drawing.pdf.page_images import render_drawing_png
from generator.game.load_game import load_game
from generator.game.project import Project, find_project
from generator.lab.chunks import Crew
from generator.lab.experiment import Experiment, Limit, make_reading_arms
from generator.lab.experiment_runs import Effort, make_cells, open_lab_game, run_experiment
from generator.lab.reports.chart_pen import Pen, choose_shades
from generator.lab.reports.report_book import PAGE
from generator.lab.reports.report_figures import Charts
from generator.lab.reports.report_findings import ReportNames, ReportSentences, ResultFindings
from generator.lab.results import Result
from generator.rules.registry import load_rules

HERE = Path(__file__).parent
LANG = "en"
MEASURES = {
    "fortuna": "turns",
    "journey8": "best score",
    "journey18": "decisions",
    "wayfaring": "best score",
    "xanadu": "best score",
}
"""What each game's picture tells of."""

_GAMES, _DPI, _COLOURS, _MARGIN = 1000, 120.0, 32, 10


def of_lab() -> dict[str, bytes]:
    """The pictures by their files' names."""
    project = find_project(HERE)
    return {f"lab-{game}.png": drawn(project, game, played(project, game)) for game in MEASURES}


def played(project: Project, game: str) -> Result:
    """What 1,000 games of each reading show, between as many random players as can play."""
    of = open_lab_game(project, game, trusted=False)
    cells = make_cells(of, (of.game.players.most,), ("random",))
    experiment = Experiment(make_reading_arms(of.game, of.rules), cells, games=_GAMES)
    effort = Effort(
        Limit(_GAMES), 0.0, Crew("processes", os.cpu_count() or 1), kernels=HERE.parent / "output" / "kernels"
    )
    return run_experiment(of, experiment, HERE.parent / "output" / game / "lab-readings.json", effort)[0]


def drawn(project: Project, game: str, result: Result) -> bytes:
    """The chart of the game's measure."""
    workshop = Workshop(load_game(project.find_folder(game), project.resources), project.resources)
    rules, colour = load_rules(workshop.game), find_accent(workshop.game.palette)
    findings, names = ResultFindings(result), ReportNames(workshop, rules, result, LANG)
    pen = Pen(TextSetter(workshop, Look(PAGE, LANG, colour), f"{game}: {{}}"), choose_shades(workshop, colour))
    figure = Charts(pen, findings, names, ReportSentences(findings, names, LANG)).draw_dots(MEASURES[game])
    chart = render_drawing_png(figure.drawing, _DPI, workshop.fonts, workshop.rgb_of_paint, Path).convert("RGBA")
    sheet = Image.new("RGBA", (chart.width + 2 * _MARGIN, chart.height + 2 * _MARGIN), "white")
    sheet.alpha_composite(chart, (_MARGIN, _MARGIN))
    file = io.BytesIO()
    sheet.convert("RGB").quantize(_COLOURS, dither=Image.Dither.NONE).save(file, "PNG", optimize=True)
    return file.getvalue()
