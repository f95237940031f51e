"""Findings: how much arms change the measures and cards help to win, what is significant, which aims are met."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import inf, isfinite

from generator.books.measure_names import Interval
from generator.game.model import Design, Game
from generator.game.rich_text import Words
from generator.lab.card_records import (
    CARD,
    DRAWN,
    KEPT,
    LEFT,
    LUCK_WITH,
    PLAYED,
    TAKEN_BY,
    LuckTable,
    estimate_worth,
    unpack_record,
)
from generator.lab.chunks import Cell
from generator.lab.measures import BROKEN, Histogram
from generator.lab.results import MeasureAim, Result, sort_cells
from generator.lab.statistics import (
    FEW,
    OutcomeCase,
    Verdict,
    adjust_holm,
    chance_of_mean,
    chance_of_pairs,
    difference_interval,
    difference_sequence,
    estimate_difference,
    judge_interval,
    mean_interval,
    mean_sequence,
    quantile_interval,
    quantile_of_normal,
    saved_games_factor,
    share_interval,
    share_sequence,
)
from generator.lab.strengths import estimate_strengths

MIDDLE = 0.5


@dataclass(frozen=True, slots=True)
class ArmDifference:
    """How much an arm changes a measure at a table. `gap` is in the measure's units, for shares from -1 to 1.

    `stands`: it is significant among all differences. `saved`: factor by which common seeds reduce the games needed.
    `verdict`: "met" if the gap is within the measure's margin, "missed" if outside, else "open"; None without a margin.
    `differ` and `size` are the share of pairs that differ and their mean difference, if fewer than 50 differ.
    """

    cell: Cell
    arm: str
    measure: str
    gap: Interval
    stands: bool
    saved: float
    verdict: Verdict | None
    differ: Interval | None = None
    size: Interval | None = None


def is_sound(result: Result, cell: Cell, arm: str) -> bool:
    """Return True if no game of this arm or the first broke a law of the rules. Otherwise the figures are invalid."""
    return not _count_broken(result, cell, arm) and not _count_broken(result, cell, result.arms[0])


def _count_broken(result: Result, cell: Cell, arm: str) -> int:
    return sum(times for value, times in result.cells[cell, arm].measures.get(BROKEN, Histogram()).items() if value)


def find_broken_laws(result: Result) -> Iterator[tuple[Cell, str, int]]:
    """Yield tables and arms with their number of games that broke a law of the rules, if any."""
    for (cell, arm), _ in sort_cells(result):
        if games := _count_broken(result, cell, arm):
            yield cell, arm, games


def find_differences(result: Result) -> list[ArmDifference]:
    """Return how much each arm changes each measure, by table, arm and measure, without arms that broke laws.

    Significance is among all differences of the result together: by Holm's method, or, if somebody looked early, by
    sequences that share the confidence equally.
    """
    pairs = [
        (cell, arm, measure, gaps)
        for (cell, arm), sums in sort_cells(result)
        for measure, gaps in sums.against.differences.items()
        if measure != BROKEN and is_sound(result, cell, arm)
    ]
    if not pairs:
        return []
    beyond = 1 - result.asked.confidence
    adjusted = [] if result.looked else adjust_holm([chance_of_pairs(gaps) for *_, gaps in pairs])
    found = []
    for number, (cell, arm, measure, gaps) in enumerate(pairs):
        if result.looked:
            stands = _gap_interval(result, cell, arm, measure, 1 - beyond / len(pairs)).excludes_value(0)
        else:
            stands = adjusted[number] < beyond
        gap = _gap_interval(result, cell, arm, measure, result.asked.confidence)
        mine, other = (result.cells[cell, one].measures[measure] for one in (arm, result.arms[0]))
        verdict, saved = _judge_margin(result, measure, gap), saved_games_factor(mine, other, gaps)
        found.append(ArmDifference(cell, arm, measure, gap, stands, saved, verdict, *_limit_few(result, measure, gaps)))
    return found


def _gap_interval(result: Result, cell: Cell, arm: str, measure: str, confidence: float) -> Interval:
    whole, gaps = result.whole[measure], result.cells[cell, arm].against.differences[measure]
    share = whole if measure in result.shares else 0
    values = [value for one in (arm, result.arms[0]) for value in result.cells[cell, one].measures[measure]]
    reach = share or max(values) - min(values)
    if result.looked:
        return difference_sequence(gaps, result.looked, reach, confidence, whole=share).divide_by(whole)
    return difference_interval(gaps, reach, confidence, whole=share).divide_by(whole)


def _limit_few(result: Result, measure: str, gaps: Histogram) -> tuple[Interval | None, Interval | None]:
    """Return the intervals of the share of pairs that differ and of their mean (None: no pairs); twice None if many."""
    games = sum(gaps.values())
    differ, sizes = games - gaps[0], {gap: times for gap, times in gaps.items() if gap}
    if differ >= FEW:
        return None, None
    confidence = result.asked.confidence
    share, mean = _limit_share(result, differ, games, confidence), _limit_mean(result, sizes, FEW, confidence)
    return share, mean.divide_by(result.whole[measure]) if sizes else None


def _limit_share(result: Result, seen: int, games: int, confidence: float) -> Interval:
    return (share_sequence if result.looked else share_interval)(seen, games, confidence)


def _limit_mean(result: Result, histogram: Mapping[int, int], planned: int, confidence: float) -> Interval:
    return mean_sequence(histogram, planned, confidence) if result.looked else mean_interval(histogram, confidence)


def _judge_margin(result: Result, measure: str, gap: Interval) -> Verdict | None:
    margin = result.asked.margins.get(measure)
    return None if margin is None else judge_interval(gap, -margin, margin)


def measure_interval(result: Result, measure: str, histogram: Mapping[int, int], parts: int = 1) -> Interval:
    """Return the interval of a measure's mean or share, so wide that `parts` such intervals hold simultaneously."""
    found = _limit_value(result, measure, histogram, 1 - (1 - result.asked.confidence) / parts)
    if measure not in result.shares:
        return found
    return Interval(found.at, max(0.0, found.low), min(1.0, found.high))


def _limit_value(result: Result, measure: str, histogram: Mapping[int, int], confidence: float) -> Interval:
    """Return the interval of a mean or share; that of a share of several winners may reach beyond 0 and 1."""
    whole = result.whole[measure]
    if measure in result.shares and set(histogram) <= {0, whole}:
        return _limit_share(result, histogram.get(whole, 0), sum(histogram.values()), confidence)
    return _limit_mean(result, histogram, result.looked, confidence).divide_by(whole)


def judge_aims(result: Result, cell: Cell, arm: str) -> Iterator[tuple[str, Interval, Verdict]]:
    """Yield each measure that has an aim, with its interval (of the share or the median) and the verdict."""
    sums = result.cells[cell, arm]
    for measure, aim in result.asked.aims.items():
        if measure in sums.measures and is_sound(result, cell, arm):
            histogram = sums.measures[measure]
            if measure in result.shares:
                found = measure_interval(result, measure, histogram)
            else:
                found = quantile_interval(histogram, MIDDLE, result.asked.confidence).divide_by(result.whole[measure])
            yield measure, found, judge_interval(found, *aim.find_limits(cell.players))


def widest_half(result: Result, cells: Iterable[Cell]) -> float:
    """Return the largest half width of the intervals of the first arm's shares and of the others' changes."""
    halves = [0.0]
    for cell in cells:
        for arm in result.arms:
            sums = result.cells[cell, arm]
            for measure in result.shares - {BROKEN}:
                if arm != result.arms[0] and measure in sums.against.differences:
                    halves.append(_gap_interval(result, cell, arm, measure, result.asked.confidence).half)
                elif arm == result.arms[0] and measure in sums.measures:
                    halves.append(measure_interval(result, measure, sums.measures[measure]).half)
    return max(halves)


def are_margins_decided(result: Result, cells: Iterable[Cell]) -> bool:
    """Return True if it is decided for every margin whether the change is smaller."""
    for cell in cells:
        for arm in result.arms[1:]:
            gaps = result.cells[cell, arm].against.differences
            for measure in result.asked.margins:
                if measure in gaps:
                    gap = _gap_interval(result, cell, arm, measure, result.asked.confidence)
                    if _judge_margin(result, measure, gap) == "open":
                        return False
    return True


def judge_arms(result: Result, cells: Iterable[Cell], confidence: float) -> dict[str, Verdict]:
    """Return for each arm in order "met" (all aims at all tables), "missed" (at least one) or "open".

    Each single statement has this confidence. Early looks use sequences.
    """
    tables = tuple(cells)
    return {arm: _combine_verdicts(_iter_verdicts(result, tables, arm, confidence)) for arm in result.arms}


def is_settled(verdicts: Iterable[Verdict]) -> bool:
    """Return True if the first arm that meets all aims is known, or if it is known that none does."""
    for verdict in verdicts:
        if verdict != "missed":
            return verdict == "met"
    return True


def _combine_verdicts(verdicts: Iterable[Verdict]) -> Verdict:
    found = set(verdicts)
    return "missed" if "missed" in found else "open" if found != {"met"} else "met"


def _iter_verdicts(result: Result, cells: tuple[Cell, ...], arm: str, confidence: float) -> Iterator[Verdict]:
    for cell in cells:
        if (cell, arm) not in result.cells:
            yield "open"
            continue
        if not is_sound(result, cell, arm):
            yield "missed"
            continue
        for measure, aim in result.asked.aims.items():
            if measure in result.cells[cell, arm].measures:
                yield judge_aim(result, measure, aim, cell, arm, confidence)


def judge_aim(result: Result, measure: str, aim: MeasureAim, cell: Cell, arm: str, confidence: float) -> Verdict:
    """Return the verdict on one aim for an arm at a table: a share itself, or otherwise the median, within its limits.

    The median is within the limits if fewer than half of all games are below them and fewer than half above. Both are
    shares, and sequences of shares are valid at every look.
    """
    histogram, whole = result.cells[cell, arm].measures[measure], result.whole[measure]
    low, high = aim.find_limits(cell.players)
    if measure in result.shares:
        return judge_interval(_limit_value(result, measure, histogram, confidence), low, high)
    outside: Mapping[str, int] = {
        "below": sum(times for number, times in histogram.items() if number < low * whole),
        "above": sum(times for number, times in histogram.items() if number > high * whole),
    }
    shares = (_limit_share(result, seen, sum(histogram.values()), (1 + confidence) / 2) for seen in outside.values())
    return _combine_verdicts(judge_interval(share, 0.0, 0.5) for share in shares)


LEAST_TIMES = 30
"""To call one design better than another, players must have preferred it at least this often, and always."""


def find_dominated(
    game: Game, kinds: Iterable[str], better: tuple[str, ...], worse: tuple[str, ...]
) -> Iterator[tuple[str, str]]:
    """Yield (worse, better) pairs of designs of one kind, compared by fields of their data.

    `better` fields are better the larger they are, `worse` fields the smaller. The second is better in at least one of
    them and worse in none. All other fields are equal, except texts.
    """
    for kind in kinds:
        designs = game.kinds[kind].designs
        for design in designs:
            for other in designs:
                if _is_better(other, design, better, worse):
                    yield design.id, other.id


def _is_better(design: Design, other_design: Design, better: tuple[str, ...], worse: tuple[str, ...]) -> bool:
    steps = []
    for name in {**design.fields, **other_design.fields}:
        mine, others = design.fields.get(name), other_design.fields.get(name)
        if mine == others or isinstance(mine, Words) or isinstance(others, Words):
            continue
        sign = (name in better) - (name in worse)
        if not sign or not isinstance(mine, int | float) or not isinstance(others, int | float):
            return False
        steps.append(sign if mine > others else -sign)
    return bool(steps) and min(steps) > 0


@dataclass(frozen=True, slots=True)
class Preference:
    """How bots chose among the cards of one kind in one kind of move (`phrase`).

    `taken`: (design, other) -> how often the first was taken instead of the second. `strengths`: probability of taking
    each design rather than an average one (Bradley-Terry model). `under`: design -> designs often taken instead of it,
    and never the reverse.
    """

    phrase: str
    kind: str
    taken: Mapping[tuple[str, str], int]
    strengths: Mapping[str, Interval]
    under: Mapping[str, tuple[str, ...]]


_FEW = 10
"""A difference of wins is computed only if both groups have at least this many cases."""


@dataclass(frozen=True, slots=True)
class CardFinding:
    """The results of one card design in games of equal bots.

    `had` and `drawn` are shares of all seats' games. `played` and `kept` (in hand at the end) are shares of those that
    had it. `unseen` is the share of games in which no seat had it. `by_drawing` is the gain in the share of wins from
    drawing it instead of other cards; `stands` is True if that gain is significant among all designs of the result.
    `with_playing` compares the wins of those who played it with those who only had it; `with_having` compares having it
    with not having it, for kinds that are never drawn by chance. `went`: kind of zone -> share of the copies that left
    a hand.
    """

    design: str
    had: float
    drawn: float
    played: float
    kept: float
    unseen: float
    by_drawing: Interval
    stands: bool
    with_playing: Interval
    with_having: Interval
    went: Mapping[str, float]

    @property
    def kind(self) -> str:
        """The kind of the card."""
        return self.design.split("/")[0]

    @property
    def worth(self) -> Interval:
        """The gain in wins from drawing the card, or from having it if it is never drawn by chance."""
        return self.by_drawing if isfinite(self.by_drawing.half) else self.with_having


@dataclass(frozen=True, slots=True)
class CardTables:
    """The results of all cards in games of equal bots, over all numbers of players.

    `never` are kinds of which no seat ever had a card. `preferences` are the players' choices.
    """

    cells: tuple[Cell, ...]
    games: int
    found: tuple[CardFinding, ...]
    never: tuple[str, ...]
    preferences: tuple[Preference, ...] = ()


def sort_by_worth(findings: Iterable[CardFinding]) -> list[CardFinding]:
    """Return the findings, the best card first. Cards of unknown worth come last."""
    return sorted(findings, key=lambda one: (not isfinite(one.worth.half), -one.worth.at))


def is_card_result(result: Result) -> bool:
    """Return True if the experiment tracked the cards."""
    return "cards" in result.about["experiment"]


def card_findings(result: Result) -> tuple[CardTables, ...]:
    """Return the results of the cards for each kind of bots, without tables where a law of the game was broken."""
    arm = result.arms[0]
    by_bots: dict[tuple[str, ...], list[Cell]] = {}
    for cell, _ in sorted(result.cells, key=lambda place: (place[0].players, place[0].bots)):
        if is_sound(result, cell, arm):
            by_bots.setdefault(tuple(dict.fromkeys(cell.bots)), []).append(cell)
    drafts = [_find_table_effects(result, tuple(cells)) for cells in by_bots.values()]
    chances = []
    for worth in (one.by_drawing for tables in drafts for one in tables.found):
        error = worth.half / quantile_of_normal(result.asked.confidence)
        chances.append(chance_of_mean(worth.at, error * error * 2, 2) if isfinite(worth.half) else 1.0)
    stands = iter([chance < 1 - result.asked.confidence for chance in adjust_holm(chances)])
    return tuple(
        replace(one, found=tuple(replace(found, stands=next(stands)) for found in one.found)) for one in drafts
    )


def _find_table_effects(result: Result, cells: tuple[Cell, ...]) -> CardTables:
    arm = result.arms[0]
    kinds: dict[str, dict[str, None]] = {}
    for cell in cells:
        for name in result.cells[cell, arm].measures:
            if name.startswith(CARD):
                design = name.removeprefix(CARD)
                kinds.setdefault(design.split("/")[0], {})[design] = None
    found, never = [], []
    for kind, designs in kinds.items():
        here = [_find_design_effects(result, cells, design) for design in designs]
        if any(one.had for one in here):
            found += here
        else:
            never.append(kind)
    games = sum(result.cells[cell, arm].games for cell in cells)
    return CardTables(cells, games, tuple(found), tuple(never), tuple(_find_preferences(result, cells)))


def _find_preferences(result: Result, cells: tuple[Cell, ...]) -> Iterator[Preference]:
    taken: dict[tuple[str, str], Counter[tuple[str, str]]] = {}
    for cell in cells:
        measures = result.cells[cell, result.arms[0]].measures
        designs = [name.removeprefix(CARD) for name in measures if name.startswith(CARD)]
        for name, pairs in measures.items():
            if name.startswith(TAKEN_BY):
                for pair, times in pairs.items():
                    design, other = (designs[at] for at in divmod(pair, len(designs)))
                    way = name.removeprefix(TAKEN_BY), design.split("/")[0]
                    taken.setdefault(way, Counter())[design, other] += times
    for (phrase, kind), counts in sorted(taken.items()):
        under: dict[str, tuple[str, ...]] = {}
        for (design, other), times in sorted(counts.items()):
            if times >= LEAST_TIMES and not counts.get((other, design)):
                under[other] = (*under.get(other, ()), design)
        yield Preference(phrase, kind, counts, estimate_strengths(counts, result.asked.confidence), under)


def _find_design_effects(result: Result, cells: tuple[Cell, ...], design: str) -> CardFinding:
    counts: Counter[str] = Counter()
    having, playing, luck, left = [], [], [], Counter[int]()
    for cell in cells:
        measures = result.cells[cell, result.arms[0]].measures
        luck.append(LuckTable(measures[f"{LUCK_WITH}{design}"], result.whole[f"{LUCK_WITH}{design}"]))
        left.update(measures[f"{LEFT}{design}"])
        for number, games in measures[f"{CARD}{design}"].items():
            codes, won = unpack_record(number, cell.players)
            counts["games"] += games
            counts["unseen"] += games * (not any(codes))
            having.append(
                ([OutcomeCase((cell.players, at), code > 0, won[at]) for at, code in enumerate(codes)], games)
            )
            cases = []
            for seat, code in enumerate(codes):
                counts["seats"] += games
                counts["had"] += games * (code > 0)
                counts["drawn"] += games * (code & 3 >= DRAWN)
                counts["played"] += games * (code & PLAYED > 0)
                counts["kept"] += games * (code & KEPT > 0)
                if code:
                    cases.append(OutcomeCase((cell.players, seat), code & PLAYED > 0, won[seat]))
            playing.append((cases, games))
    drawn, played, had_it = counts["drawn"], counts["played"], counts["had"]
    confidence, unknown = result.asked.confidence, Interval(0.0, -inf, inf)
    enough = min(drawn, counts["seats"] - drawn) >= _FEW
    told = result.about["experiment"]["cards"]
    kinds = sorted({*told["held"], *told["before"], *told["hidden"], *told["others"]})
    names = {number: kinds[number] if number < len(kinds) else "elsewhere" for number in left}
    return CardFinding(
        design,
        had=had_it / max(1, counts["seats"]),
        drawn=drawn / max(1, counts["seats"]),
        played=played / max(1, had_it),
        kept=counts["kept"] / max(1, had_it),
        unseen=counts["unseen"] / max(1, counts["games"]),
        by_drawing=estimate_worth(luck, confidence) if enough else unknown,
        stands=False,
        with_playing=estimate_difference(playing, confidence) if min(played, had_it - played) >= _FEW else unknown,
        with_having=estimate_difference(having, confidence) if not drawn and had_it >= _FEW else unknown,
        went={
            names[number]: times / sum(left.values()) for number, times in sorted(left.items(), key=lambda one: -one[1])
        },
    )
