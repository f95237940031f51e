"""Reports say what was found and nothing else, in both languages, the same each time."""

from collections.abc import Iterable
from functools import cache

import pytest
from made_results import LARGE, NONE, SMALL, made_result
from shipped_games import GAMES, workshop

from generator.base.errors import ProblemsFound
from generator.books.page.blocks import Block, Book, Figure, Heading, Paragraph, Table, Text
from generator.books.page.text_setter import plain_from_text
from generator.game.rich_text import LineBreak
from generator.lab.chunks import Cell
from generator.lab.measures import PairedSums, make_measures
from generator.lab.reports.report_findings import ReportNames, ResultFindings
from generator.lab.reports.result_report import ResultReport, make_report_html, write_report_pdf
from generator.lab.results import MeasureAim, Question, Result
from generator.rules.registry import load_rules

RANDOM, GREEDY = Cell(4, ("random",) * 4), Cell(4, ("greedy",) * 4)
ARMS = {
    "E10 declared": ("E10", "declared", LARGE),
    "E5 at_least": ("E5", "at_least", SMALL),
    "E24 immediate": ("E24", "immediate", NONE),
}


def report(result: Result, lang: str = "en", *, stale: bool = False) -> Book:
    shop = workshop(str(result.about["game"]))
    return ResultReport(result, shop, lang, load_rules(shop.game, None), stale=stale).make_book()


@cache
def usual(lang: str) -> Book:
    return report(made_result(ARMS), lang)


def told(blocks: Iterable[Block]) -> list[str]:
    """All that blocks say, line by line: rows of tables as one, figures by their words for who can't see them."""
    lines = []
    for block in blocks:
        if isinstance(block, Table):
            lines += [" | ".join(map(words, row)) for row in block.rows]
        elif isinstance(block, Figure):
            lines += [block.alt, words(block.caption)]
        elif isinstance(block, Heading | Paragraph):
            lines.append(words(block.text))
    return lines


def words(text: Text) -> str:
    return plain_from_text(tuple(part for part in text if not isinstance(part, LineBreak)))


def test_findings_are_what_was_put_in() -> None:
    """The large change is graded as one, the small as one, and what changes nothing as the same in every game."""
    found = ResultFindings(made_result(ARMS))
    (table,) = found.tables
    large, small, none = (table.find_effect(arm, "turns") for arm in ARMS)
    assert large is not None and small is not None and none is not None
    assert (large.by.at, large.sign, large.grade) == (4.0, 1, 3)
    assert (small.by.at, small.sign, small.grade) == (0.25, 1, 1)
    assert (none.by.at, none.sign, none.grade, none.same) == (0.0, 0, 0, True)
    assert found.sort_arms() == tuple(ARMS)
    assert [found.is_changed(name) for name in ("turns", "ties")] == [True, False]


def test_the_first_page_says_what_matters() -> None:
    """What changes most comes first, in words; then what changes little, and what changes nothing."""
    lines = told(usual("en").blocks[:4])
    assert lines[1] == "E10 | Read as “a card may be discarded as a number that it counts as”: turns up by 4.00."
    assert lines[2].startswith("a little | E5: significant")
    assert lines[3] == "nothing | E24: no significant change in 800 games."


def test_an_arm_without_a_difference() -> None:
    """It is told as the same in every game, and no number stands beside it."""
    lines = told(usual("ja").blocks)
    row = next(line for line in lines if line.startswith("その場で終わる |"))
    assert row == "その場で終わる | 測った数字は全局で同じ | 同じ手順 100%"


def test_only_arms_without_a_difference() -> None:
    """There is a report even then: a map without columns for measures, and nothing by measure but the seats."""
    book = report(made_result({"E24 immediate": ("E24", "immediate", NONE)}), "ja")
    assert write_report_pdf(book, workshop("fortuna"))
    assert told(book.blocks[:3])[1].startswith("なし | E24は、800局")


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_same_input_same_bytes(lang: str) -> None:
    """Pages and web page are the same each time, and say the same on paper and on the screen."""
    again = report(made_result(ARMS), lang)
    shop = workshop("fortuna")
    assert write_report_pdf(again, shop) == write_report_pdf(usual(lang), shop)
    page = make_report_html(again, shop).decode()
    assert page == make_report_html(usual(lang), shop).decode()
    assert "E10" in page and page.count("<svg") >= 3


def test_what_depends_on_how_well_one_plays() -> None:
    """A change that turns around between two bots is told so; one that does not is not."""
    turned = report(made_result(ARMS, (RANDOM, GREEDY), turned=1))
    alike = report(made_result(ARMS, (RANDOM, GREEDY)))
    both = "turns −4.00 with 4 players (greedy players), +4.00 with 4 players (random players)"
    assert f"E10 | It depends on how well one plays: {both}." in told(turned.blocks)
    assert not any("E10 | Read as" in line for line in told(turned.blocks))
    assert not any("how well one plays" in line for line in told(alike.blocks))
    assert "turns up by 4.00, with 4 players (greedy players)." in told(alike.blocks)[1]


def test_laws_that_are_broken_and_data_that_have_changed() -> None:
    """Both are told before anything else, and the arm's figures are left out."""
    result = made_result(ARMS)
    result.cells[RANDOM, "E10 declared"].measures["law broken"] = type(
        result.cells[RANDOM, "as it is"].measures["turns"]
    )({0: 797, 1: 3})
    lines = told(report(result, stale=True).blocks)
    assert lines[1].startswith("The data have changed since")
    assert lines[2].endswith("a law of the game was broken in 3 games; their results are omitted.")
    assert not any("turns up by 4" in line for line in lines)


def test_aims_and_margins_have_verdicts() -> None:
    """The question is the experiment's own; each aim and each margin is met, missed or not yet known."""
    asked = Question({"en": "Is it short?"}, {"turns": "length"}, {"turns": MeasureAim(30, 37)}, {"turns": 1.0})
    lines = told(report(made_result(ARMS, asked=asked)).blocks)
    assert lines[0] == "Is it short?"
    assert "as it is read now: length | 36 (36 … 38) | 30–37 | not yet known" in lines
    assert any("length | +4.00" in line and line.endswith("| ±1 | missed") for line in lines)
    assert any("length | +0.25" in line and line.endswith("| ±1 | met") for line in lines)


def test_readings_have_verdicts() -> None:
    """The first table has each reading's largest effect, what is too small, and the verdict, as on the terminal."""
    asked = Question(unreached={"E24 immediate": "example F-21"})
    lines = told(report(made_result(ARMS, asked=asked)).blocks)
    verdicts = [line for line in lines if line.count(" | ") == 3]
    assert len(verdicts) == len(ARMS)
    assert (
        verdicts[0].startswith("E10 ") and "turns +4.0" in verdicts[0] and verdicts[0].endswith(" | changes the game")
    )
    assert verdicts[-1].startswith("E24 ") and verdicts[-1].endswith(" |  |  | never came up")
    assert not any("changes the game" in line for line in told(usual("en").blocks))


def test_a_game_alone() -> None:
    """Without other arms the report tells the games of the base arm, by tables, and what never happened."""
    result = made_result({}, (Cell(3, ("random",) * 3), RANDOM))
    result.cells[RANDOM, "as it is"].against = PairedSums()
    lines = told(report(result, "ja").blocks)
    assert "3人の席順と勝ち" in lines and "4人の席順と勝ち" in lines
    assert not any("読み方ごと" in line for line in lines if line.startswith("E"))


def test_nothing_played() -> None:
    """A result without games says how to play some."""
    result = made_result(ARMS)
    result.cells.clear()
    with pytest.raises(ProblemsFound, match="no games"):
        report(result)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("lang", ["ja", "en"])
def test_every_measure_has_a_name(game: str, lang: str) -> None:
    """No measure of any game is told by its name in the program, where the data have words for it."""
    shop = workshop(game)
    rules = load_rules(shop.game, None)
    assert rules is not None
    players = shop.game.players.most
    names = ReportNames(shop, rules, made_result({}, (Cell(players, ("random",) * players),), game=game), lang)
    for name in make_measures(rules, rules.box(shop.game, players, {})):
        if name == "law broken" or name.startswith("measure: "):
            continue
        assert names.measure_name(name) != name or lang == "en", name
        assert names.brief_name(name) != name or lang == "en", name
