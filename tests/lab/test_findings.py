"""What a result lets one say: what stands, what is only chance, which aims and margins are met, and how it is told."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from generator.lab.chunks import Cell
from generator.lab.experiment import Limit
from generator.lab.findings import find_differences, measure_interval, widest_half
from generator.lab.measures import BROKEN, Histogram, PairedSums, Sums
from generator.lab.result_text import compare_results, format_result
from generator.lab.results import MeasureAim, Question, Result
from generator.lab.statistics import adjust_holm, chance_of_pairs, difference_sequence

TABLE = Cell(2, ("random", "random"))
ABOUT = {"game": "toss", "draft": "1", "experiment": {"run": 1}}


def spread(rows: list[int]) -> Histogram:
    return Counter(rows)


def result(gaps: dict[str, list[int]], **asked: object) -> Result:
    """Each arm's length of 400 games, against one that is 10 or 11 turns long; seat 1 wins every other game."""
    games = 400
    base_rows, wins = [10 + game % 2 for game in range(games)], [2 * (game % 2) for game in range(games)]
    base = Sums(games, {"turns": spread(base_rows), "win of seat 1": spread(wins), BROKEN: Counter({0: games})})
    cells = {(TABLE, "base"): base}
    for name, rows in gaps.items():
        lengths = spread([one + gap for one, gap in zip(base_rows, rows, strict=True)])
        against = PairedSums(rows.count(0), {"turns": spread(rows), "win of seat 1": Counter({0: games})})
        cells[TABLE, name] = Sums(games, {**base.measures, "turns": lengths}, against)
    arms = ("base", *gaps)
    enquiry = Question(**asked)  # type: ignore[arg-type]
    shares = frozenset({"win of seat 1", BROKEN})
    return Result(ABOUT, "k", arms, {"turns": 1, "win of seat 1": 2, BROKEN: 1}, shares, cells, 0, enquiry)


def chances(mean: float, seed: int = 1) -> list[int]:
    """Differences of -1, 0, 1 with about such a mean."""
    random = Random(seed)
    return [random.choices((-1, 0, 1), (1, 2, 1 + 4 * mean))[0] for _ in range(400)]


def test_what_stands() -> None:
    """A real difference does among many that are none; of one that plays identical games only a bound is known.

    What comes once in 2,500 times does not stand out among 400.
    """
    many = {f"chance {n}": chances(0, n) for n in range(200)}
    seldom = [1] * 125 + [-1] * 75 + [0] * 200
    found = find_differences(result({"longer": [1, 0] * 200, "same": [0] * 400, "seldom": seldom, **many}))
    assert 0.0003 < chance_of_pairs(Counter(seldom)) < 0.0005
    standing = [(one.arm, one.measure) for one in found if one.stands]
    same = next(one for one in found if one.arm == "same")

    assert standing == [("longer", "turns")]
    assert same.gap.at == 0 and -0.05 < same.gap.low == -same.gap.high < 0
    assert same.differ is not None and same.differ.high < 0.01 and same.size is None
    longer = next(one for one in found if one.arm == "longer")
    assert longer.gap.low < 0.5 < longer.gap.high < 0.56


@pytest.mark.slow  # statsmodels takes seconds to load
def test_chances_of_pairs_and_families() -> None:
    """As statsmodels reckons them: McNemar's exact test, Holm's method."""
    from statsmodels.stats.contingency_tables import mcnemar
    from statsmodels.stats.multitest import multipletests

    for more, fewer in ((9, 1), (20, 8), (3, 3), (1, 0)):
        told = mcnemar([[100, more], [fewer, 7]], exact=True).pvalue
        assert chance_of_pairs(Counter({1: more, -1: fewer, 0: 107})) == pytest.approx(min(1, told))
    raw = [0.001, 0.04, 0.03, 0.005, 0.9]
    assert adjust_holm(raw) == pytest.approx(list(multipletests(raw, method="holm")[1]))


def test_margins_and_aims() -> None:
    """Inside, outside, and what nobody knows yet; aims at numbers are aims at the middle game."""
    arms = {"same": [0] * 400, "longer": [2, 3] * 200, "perhaps": [1, 0] * 200}
    asked = {
        "margins": {"turns": 0.5},
        "aims": {"turns": MeasureAim(10, 11), "win of seat 1": MeasureAim(-0.02, 0.02, fair=True)},
        "labels": {"turns": "length"},
    }
    verdicts = {one.arm: one.verdict for one in find_differences(result(arms, **asked)) if one.measure == "turns"}
    told = format_result(result(arms, **asked))

    assert verdicts == {"same": "met", "longer": "missed", "perhaps": "open"}
    assert "  same     length  +0.0000  (-0.0095 to +0.0095)  no difference that matters (±0.5)\n" in told
    assert "  longer   length  +2.500   (+2.451 to +2.549)    a difference that matters (±0.5)\n" in told
    assert "  base     length         10 (10 to 11), wanted 10 to 11            met\n" in told
    assert "win of seat 1  50.0 % (45.1 to 54.9), wanted 48 to 52 %  not yet known\n" in told


def test_an_arm_that_breaks_a_law() -> None:
    """It is told, and its figures are left out."""
    broken = result({"longer": [1] * 400, "other": [2, 3] * 200})
    broken.cells[TABLE, "longer"].measures[BROKEN] = Counter({0: 397, 1: 3})
    told = format_result(broken)
    assert "longer, 2 players, random: a law is broken in 3 games; their figures are left out\n" in told
    assert {one.arm for one in find_differences(broken)} == {"other"}
    assert told.count("longer") == 1


def test_looking_early_is_allowed() -> None:
    """With nothing to find, few of many runs find something at any of their looks; the usual interval would in a third."""
    found, usual = 0, 0
    for seed in range(200):
        rows = chances(0, seed)
        looks = [Counter(rows[:games]) for games in range(20, 401, 10)]
        found += any(difference_sequence(gaps, 400, 2).excludes_value(0) for gaps in looks)
        usual += any(chance_of_pairs(gaps) < 0.05 for gaps in looks)
    assert found <= 16
    assert usual > 40


def test_a_share_that_never_differs_is_not_known_for_sure() -> None:
    """After 200 equal games a few in a hundred may still differ; parts of games count as whole ones at most."""
    never = difference_sequence(Counter({0: 200}), 1000, 2, whole=2)
    parts = difference_sequence(Counter({0: 190, 1: 10}), 1000, 2, whole=2)
    assert 0.02 < never.high / 2 < 0.06
    assert never.low == -never.high
    assert parts.at / 2 == 0.025
    assert parts.low < 0
    assert 0.1 < parts.high < 0.3


def test_how_sure_is_sure_enough() -> None:
    """One stops at the first look at which every share is known so well, in no other round."""
    known = replace(result({"same": [0] * 400}), looked=1000)
    near = widest_half(known, [TABLE])
    assert 0.05 < near < 0.1
    assert Limit(10_000, near).is_reached(known, (TABLE,))
    assert not Limit(10_000, near * 0.99).is_reached(known, (TABLE,))
    known.cells[TABLE, "same"].games = known.cells[TABLE, "base"].games = 401
    assert not Limit(10_000, near).is_reached(known, (TABLE,))
    assert measure_interval(known, "win of seat 1", Counter({0: 200, 2: 200})).half == near


def test_two_results_side_by_side() -> None:
    """What differs more than by chance stands; what they have not in common is not shown."""
    first, second = result({}), result({})
    second.cells[TABLE, "base"].measures["turns"] = Counter({12: 200, 13: 200})
    assert compare_results(first, replace(second, about={**ABOUT, "draft": "2"})) == (
        "first: toss, draft 1, run 1\n"
        "second: toss, draft 2, run 1\n"
        "\n"
        "2 players, random, base:\n"
        "  turns          10.500 (10.451 to 10.549)  12.500 (12.451 to 12.549)  +2.000   (+1.931 to +2.069)  significant\n"
        "  win of seat 1  50.0 % (45.1 to 54.9)      50.0 % (45.1 to 54.9)      +0.0 pp  (-6.9 to +6.9)\n"
        "\n"
        "'significant': among all 2 differences (Holm)\n"
    )
    assert compare_results(first, replace(second, cells={})).endswith(
        "the results have no table, arm and measure in common\n"
    )
