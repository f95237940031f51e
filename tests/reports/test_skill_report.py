"""The report on skill and luck says what was found, in both languages, with pictures for who sees them and words too."""

from collections import Counter
from collections.abc import Iterator
from functools import cache

import pytest
from shipped_games import workshop
from test_charts import box, pen, shapes
from test_report import told

from generator.base.errors import ProblemsFound
from generator.books.page.blocks import Book, Figure
from generator.lab.reports.charts import StackRow, draw_stacked_shares
from generator.lab.reports.result_report import make_report_html, write_report_pdf
from generator.lab.results import LuckSource
from generator.lab.skill_result import (
    SOURCES,
    DealTable,
    LotResult,
    Match,
    SkillQuestion,
    SkillResult,
    begin_skill,
    make_pairs,
)
from generator.lab.skill_run import SkillReport

BOTS = ("random", "greedy", "search:50")
WHOLE = 12


def made(players: int = 2, bots: tuple[str, ...] = BOTS, *, pairs: bool = True) -> SkillResult:
    """Each wins three of four seeds against any below it; the deal settles a quarter, chance later another."""
    head = {"game": "fortuna", "draft": "2", "data": "d" * 16, "rules": "r" * 16, "program": "0"}
    result = begin_skill(head, SkillQuestion((players,), bots), WHOLE)
    for match in make_pairs(players, bots):
        stronger = bots.index(match.one) > bots.index(match.others)
        if pairs or (stronger and bots.index(match.one) - bots.index(match.others) == 1):
            whole = WHOLE * players
            wins = Counter({whole: 75, 0: 25} if stronger else {whole: 25, 0: 75})
            result.join(match, LotResult(100, wins, ()))
    for source in SOURCES:
        rows = tuple(_deals(source, players))
        result.join(DealTable(players, "random", source), LotResult(len(rows), Counter(), rows))
    return result


def _deals(source: LuckSource, players: int) -> Iterator[tuple[int, ...]]:
    """Deals of ten games, in which the first seat wins 5 +- 3 or 5 +- 4 of them."""
    for at in range(100):
        won = 5 + (3 if source == "deal" else 4) * (-1) ** at
        yield (WHOLE * won, WHOLE * (10 - won), *([0] * (players - 2)), 10 * WHOLE * WHOLE)


@cache
def report(lang: str, players: int = 2) -> Book:
    return SkillReport(made(players), workshop("fortuna"), lang).make_book()


def test_what_is_said_of_each() -> None:
    """The ladder from the strongest down, ratings, all pairs, luck, how it was found."""
    lines = told(report("en").blocks)
    assert "Share of wins: players who try 50 times against greedy players 75 ±9 %, greedy players against random" in (
        " ".join(lines)
    )
    assert (
        "random players: the deal 29.147 ±0.000 %, chance after it 31.110 ±0.000 %, choices 39.743 ±0.000 %." in lines
    )
    assert lines.count("Share of wins of each against each: a table.") == 1
    games = "Games | run 1; seeds of a match: 100, each once from every seat; deals: 100, each 10 times."
    assert games in lines
    assert len([block for block in report("en").blocks if isinstance(block, Figure)]) == 4


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_pages_and_a_web_page(lang: str) -> None:
    """Both are made, the same each time; in Japanese nothing is English."""
    shop = workshop("fortuna")
    assert write_report_pdf(report(lang), shop).startswith(b"%PDF")
    assert make_report_html(report(lang), shop) == make_report_html(report(lang), shop)
    assert ("What luck settles" in make_report_html(report(lang), shop).decode()) == (lang == "en")


def test_without_all_pairs_there_is_no_map() -> None:
    """The ladder alone; what was not measured is not told."""
    book = SkillReport(made(pairs=False), workshop("fortuna"), "en").make_book()
    result = made(bots=("random",))
    alone = SkillReport(result, workshop("fortuna"), "en").make_book()
    assert len([block for block in book.blocks if isinstance(block, Figure)]) == 3
    assert len([block for block in alone.blocks if isinstance(block, Figure)]) == 1


def test_broken_laws_and_changed_data_come_first() -> None:
    """In bold, and the match has no figures."""
    result = made()
    match = Match(2, "greedy", "random")
    result.matches[match].faults = 1
    lines = told(SkillReport(result, workshop("fortuna"), "en", stale=True).make_book().blocks)
    assert lines[1].startswith("The data have changed since this experiment")
    assert lines[2].startswith("In 1 of the matches and tables a law of the game was broken")
    assert not any("greedy players against random players" in line for line in lines)


def test_who_plays_alone() -> None:
    """Differences in points of a percent on the same deals, and no ratings."""
    head = {"game": "journey18", "draft": "2"}
    result = begin_skill(head, SkillQuestion((1,), ("random", "greedy")), WHOLE)
    result.join(Match(1, "greedy", "random"), LotResult(100, Counter({0: 60, WHOLE: 40}), ()))
    book = SkillReport(result, workshop("journey18"), "en").make_book()
    lines = told(book.blocks)
    assert any("greedy players against random players +40 ±10" in line for line in lines)
    assert not any("Elo" in line for line in lines[:-8])


def test_stacks_are_as_long_as_their_shares() -> None:
    """Parts lie side by side without gaps, each as wide as its share; a number that finds no room is left out."""
    rows = [StackRow("", "読み", (0.5, 0.3, 0.2), ("50", "30", "20")), StackRow("", "別", (1.0, 0.0, 0.0), ("all", "", ""))]  # fmt: skip
    drawing = draw_stacked_shares(pen(), ("一", "二", "三"), rows, "alt")
    fields = [box(one) for one in shapes(drawing) if one.fill and not one.stroke][3:]
    widths = [right - left for left, _, right, _ in fields]
    assert len(fields) == 4
    assert [width / sum(widths[:3]) for width in widths] == pytest.approx([0.5, 0.3, 0.2, 1.0], abs=1e-4)
    assert [fields[0][2], fields[1][2]] == pytest.approx([fields[1][0], fields[2][0]])
    assert all(right <= drawing.width + 1e-6 for _, _, right, _ in fields)


def test_texts_that_can_not_be_set_are_problems() -> None:
    """A bot whose name the fonts have no letters for is told, as every text is."""
    with pytest.raises(ProblemsFound):
        SkillReport(made(bots=("random", "𐎀")), workshop("fortuna"), "en").make_book()
