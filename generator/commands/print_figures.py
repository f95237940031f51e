"""Print figures: sheets, cuts and ink of a deck, and what a copy costs by the presets of costs."""

from collections.abc import Iterator
from pathlib import Path

from generator.base.files import Resources
from generator.checks.deck_figures import FigureTable
from generator.commands.print_sheets import PrintOrder, impose_sheets, list_sheets
from generator.drawing.faces.game_drawing import Workshop
from generator.game.preset_files import load_presets
from generator.game.presets import Costs
from generator.sheets.raster import measure_ink_share, render_pages
from generator.sheets.settings import SheetSettings
from generator.sheets.sheet_pages import plan_cuts

_DPI = 36.0
"""Resolution at which ink is measured."""


def tabulate_printing(
    workshop: Workshop, resources: Resources, settings: SheetSettings, lang: str
) -> Iterator[FigureTable]:
    """Yield the paper, cuts and ink of the sheets in a language, then the costs of each preset for this paper.

    A straight cut goes through the whole sheet. Pieces without straight cuts are cut out singly. Raise ProblemsFound.
    """
    order = PrintOrder((lang,), Path(), sheets=settings)
    pages = impose_sheets(workshop, order, lambda _doing: None)[lang].pages
    sheets = list_sheets(workshop, lang, order)
    plans = [(sheet, plan_cuts(sheet.arrangement, range(len(sheet.pieces)))) for sheet in sheets]
    cuts = sum(len(plan.cuts) for _, plan in plans if plan)
    singly = sum(len(sheet.pieces) for sheet, plan in plans if not plan)
    inks = [measure_ink_share(picture) for picture in render_pages(workshop, pages, _DPI, lang)]
    sides, share = sum(bool(page.placements) for page in pages), sum(inks)
    head = ("paper", "sheets", "sides", "cuts", "singly", "ink")
    row = (settings.paper_name, len(sheets), sides, cuts, singly, share / len(pages))
    yield FigureTable("paper", "", head, (row,))
    rows = []
    for preset in (one for one in load_presets(resources) if isinstance(one, Costs) and one.size == settings.paper):
        paper, print_, ink = preset.sheet * len(sheets), preset.side * sides, preset.ink * share
        minutes = (preset.cut * cuts + preset.outline * singly) / 60
        total = round(paper + print_ + ink, 2)
        state = "unverified" if preset.unverified else "verified"
        parts = (round(paper, 2), round(print_, 2), round(ink, 2), total, round(minutes, 1))
        rows.append((preset.id, preset.currency, *parts, preset.date, state, preset.source))
    costs = (
        "preset",
        "currency",
        "sheet_price",
        "side_price",
        "ink_price",
        "copy",
        "minutes",
        "date",
        "state",
        "source",
    )
    if rows:
        yield FigureTable("costs", settings.paper_name, costs, tuple(rows))
