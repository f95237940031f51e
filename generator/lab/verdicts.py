"""Verdicts: whether another reading changes the game, matters too little, is not known yet, or never came up."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, inf, isfinite, sqrt

from generator.base.languages import phrase
from generator.game.data_fields import VERDICTS, ReadingVerdict
from generator.lab.findings import ArmDifference, find_differences
from generator.lab.measures import UNRANKED
from generator.lab.results import Result
from generator.lab.statistics import compute_moments, judge_interval

SHARE_MARGIN, SPREAD_MARGIN = 0.05, 0.2
"""Effects too small to matter: 5 percentage points of a share; else a fifth of the games' standard deviation."""


@dataclass(frozen=True, slots=True)
class ArmVerdict:
    """What a reading does, by its arm: it "changes" results, makes a "small" difference, "never" matters, or "unknown".

    `main` is its largest effect, `size` how many margins it is, None if it was not compared. `reach` has the least and
    the greatest effect on this measure at all tables. `games` at each table would decide a reading that is unknown.
    `where` names a position in which the reading matters, if that never came up, or ''.
    """

    arm: str
    verdict: ReadingVerdict
    main: ArmDifference | None
    size: float
    reach: tuple[float, float]
    games: int
    where: str


def judge_readings(result: Result) -> list[ArmVerdict]:
    """Return the verdict on each arm but the first, in the order in which to decide them.

    `result.asked.unreached` must not be None: the experiment compares readings.
    """
    by_arm: dict[str, list[ArmDifference]] = {arm: [] for arm in result.arms[1:]}
    for one in find_differences(result):
        if one.measure.partition(":")[0] not in UNRANKED:
            by_arm[one.arm].append(one)
    found = [_judge_arm(result, arm, ranked) for arm, ranked in by_arm.items()]
    return sorted(found, key=lambda one: (VERDICTS.index(one.verdict), -one.size))


def _judge_arm(result: Result, arm: str, ranked: Sequence[ArmDifference]) -> ArmVerdict:
    sized = [(one, find_margin(result, one)) for one in ranked]
    proven = {pair: judge_interval(pair[0].gap, -pair[1], pair[1]) for pair in sized}
    outside = [pair for pair in sized if proven[pair] != "met"]
    standing = [pair for pair in outside if pair[0].stands and proven[pair] == "missed"]
    main, margin = max(standing or outside or sized, key=lambda pair: _count_margins(*pair), default=(None, 0.0))
    size = _count_margins(main, margin) if main else 0.0
    reach = [one.gap.at for one in ranked if main and one.measure == main.measure] or [0.0]
    unreached = result.asked.unreached or {}
    verdict: ReadingVerdict = "changes" if standing else "unknown" if outside or not ranked else "small"
    played = [result.cells[one.cell, arm] for one in ranked]
    gaps = (set(found) - {0} for one in played for found in one.against.differences.values())
    if arm in unreached and not (any(one.against.identical < one.games for one in played) or any(gaps)):
        verdict = "never"
    games = max((_count_needed(result, *pair) for pair in outside), default=0) if verdict == "unknown" else 0
    where = unreached.get(arm, "") if verdict == "never" else ""
    return ArmVerdict(arm, verdict, main, size, (min(reach), max(reach)), games, where)


def find_margin(result: Result, one: ArmDifference) -> float:
    """Return the largest difference that is too small to matter, in the units of the difference."""
    if one.measure in result.shares:
        return SHARE_MARGIN
    variance = compute_moments(result.cells[one.cell, result.arms[0]].measures[one.measure])[2]
    return SPREAD_MARGIN * sqrt(variance) / result.whole[one.measure]


def _count_margins(one: ArmDifference, margin: float) -> float:
    return abs(one.gap.at) / margin if margin else inf if one.gap.at else 0.0


def _count_needed(result: Result, one: ArmDifference, margin: float) -> int:
    """Return how many games would bring the interval inside or outside the margin, at most 100 times those played."""
    games, wanted = result.count_games(one.cell), abs(margin - abs(one.gap.at))
    if not isfinite(one.gap.half) or one.gap.half > 10 * wanted:
        return 100 * games
    return max(games + 1, ceil(games * (one.gap.half / wanted) ** 2))


def format_verdict_counts(result: Result) -> str:
    """Return how many readings have each verdict so far."""
    counts = Counter(one.verdict for one in judge_readings(result))
    return ", ".join(f"{phrase(f'verdict_{one}', 'en')}: {counts[one]}" for one in VERDICTS if counts[one])
