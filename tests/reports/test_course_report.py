"""How games go, in a report: a fan of points for each table, and that points say nothing where they don't."""

from collections import Counter
from functools import cache

import pytest
from made_results import made_result
from shipped_games import workshop
from test_charts import box, pen, shapes
from test_report import report, told

from generator.books.page.blocks import Book, Figure, Heading
from generator.lab.measures import LEADS, STEPS
from generator.lab.reports.charts import FanPart, draw_fan_chart
from generator.lab.reports.result_report import write_report_pdf
from generator.lab.results import Result


def followed(won: int) -> Result:
    """Of 800 games so many are won by who has most points; the best seat has 3 more after each step, the worst 1."""
    result = made_result({})
    (sums,) = result.cells.values()
    whole = 144
    sums.measures |= {name: Counter({0: 800 - won, whole: won}) for name in LEADS[3:]}
    sums.measures |= {LEADS[0]: Counter({2: 800}), LEADS[1]: Counter({50: 800}), LEADS[2]: Counter({1: 800})}
    for which, each in (("best", 3), ("worst", 1)):
        for number, step in enumerate(STEPS, 1):
            sums.measures[f"{which} score: {step}"] = Counter({each * number: 700, each * number + 1: 100})
    added = {name: whole if name in LEADS[3:] else 1 for name in sums.measures if name not in result.whole}
    result.whole = {**result.whole, **added}
    result.shares |= set(LEADS[2:])
    return result


@cache
def book(won: int, lang: str = "en") -> Book:
    return report(followed(won), lang)


@pytest.mark.slow
def test_points_as_the_games_go() -> None:
    """One picture for all steps of both, leads among the other measures."""
    lines = told(book(790).blocks)
    assert "The game in the middle: best score 15 after half of the turns, 30 at the end, worst score 5 after half" in (
        " ".join(lines).replace(" and worst", ", worst")
    )
    assert {"Changes of the lead", "Last change of the lead (% of the turns)", "As the games go"} <= set(lines)
    assert not any("best score after" in line for line in lines if "game in the middle" not in line)
    assert not any("not told" in line for line in lines)
    assert write_report_pdf(book(790, "ja"), workshop("fortuna")).startswith(b"%PDF")


def test_points_that_do_not_say_who_leads() -> None:
    """That is told, and no leads are."""
    lines = told(book(400).blocks)
    assert "The leader is not shown (4 players (random players)): most points often do not win there." in lines
    assert "Changes of the lead" not in lines and "As the games go" in lines


def test_games_that_were_not_followed() -> None:
    """Neither picture nor words."""
    plain = report(made_result({}))
    assert "As the games go" not in told(plain.blocks)
    assert len([one for one in book(790).blocks if isinstance(one, Figure)]) > 5
    assert [one.anchor for one in book(790).blocks if isinstance(one, Heading)].count("course") == 1


def test_a_fan_stands_where_its_numbers_say() -> None:
    """Bands from the fifth to the ninety-fifth and around the middle, each step as far from the next."""
    steps = [(0.0, 1.0, 2.0, 3.0, 4.0), (0.0, 2.0, 4.0, 6.0, 8.0), (0.0, 3.0, 6.0, 9.0, 12.0)]
    drawing = draw_fan_chart(pen(), [FanPart("最高点", steps, 1)], ("10%", "20%", "30%"), "手番", "alt")
    wide, narrow = (box(one) for one in shapes(drawing) if one.fill and not one.stroke)
    assert wide[0] == narrow[0] and wide[2] == narrow[2] < drawing.width
    assert (wide[3] - wide[1]) / (narrow[3] - narrow[1]) == pytest.approx(12 / 8, abs=1e-3)
