"""How often the lab's intervals hold what they should: games of a known truth, counted over and over.

`python bench/interval_coverage.py [REPETITIONS]` prints the table of bench/README.md. Intervals of 95 % should hold the
truth in 95 of 100 repetitions; sequences, looked at 40 times each, should let it go in 5 of 100 at the most.
"""

import sys
from collections import Counter
from collections.abc import Iterator

import numpy as np

from generator.lab.statistics import (
    adjust_holm,
    chance_of_pairs,
    difference_interval,
    difference_sequence,
    mean_interval,
    mean_sequence,
    quantile_interval,
    share_interval,
    share_sequence,
)
from generator.lab.strengths import estimate_luck_shares, match_interval

SHARES = (1 / 3, 0.5, 0.02, 0.98, 0.999)
GAMES = (100, 1000)
LOOKS = 40
ALPHA = 0.05


def main(repetitions: int) -> None:
    """Prints a row for each interval, truth and number of games."""
    print("| interval | truth | games | held |\n|---|---|---|---|")
    for name, truth, games, held in rows(repetitions, np.random.default_rng(1)):
        print(f"| {name} | {truth} | {games:,} | {held:.1%} |")


def rows(repetitions: int, chance: np.random.Generator) -> Iterator[tuple[str, str, int, float]]:
    """Each interval with its truth, the games of one repetition, and the share of repetitions that hold it."""
    for games in GAMES:
        for share in SHARES:
            seen = Counter(chance.binomial(games, share, repetitions).tolist())
            kept = {n: share_interval(n, games) for n in seen}
            held = sum(times for n, times in seen.items() if not kept[n].excludes_value(share))
            yield "share", f"{share:.3f}", games, held / repetitions
        for name, values in (("mean of turns", chance.poisson(12, (repetitions, games))),):
            held = sum(not mean_interval(Counter(row.tolist())).excludes_value(12.0) for row in values)
            yield name, "12", games, held / repetitions
            held = sum(not quantile_interval(Counter(row.tolist()), 0.5).excludes_value(12.0) for row in values)
            yield "middle of turns", "12", games, held / repetitions
        for few in (0.004, 0.2):
            pairs = chance.choice([-1, 0, 1], (repetitions, games), p=[few / 2, 1 - few, few / 2])
            held = sum(not difference_interval(Counter(row.tolist()), 1, whole=1).excludes_value(0.0) for row in pairs)
            yield f"pairs, {few:.1%} differ", "0", games, held / repetitions
    yield from rare_differences(repetitions, chance)
    yield from sequences(repetitions, chance)
    yield from of_skill(repetitions, chance)
    yield "nothing among 24 differences (Holm)", "0", 200, nothing_found(repetitions, chance)


SIZES = {"±4": (-4, 4), "1 to 7": (1, 7), "-1 to 20": (-1, 20)}
"""Sizes of rare differences: two values, or all between them; of -1 to 20 larger ones are rarer."""


def draw_rare(few: float, sizes: str, games: int, chance: np.random.Generator) -> Counter[int]:
    """Return values that are 0 in all games but a few, whose number is drawn too."""
    number, (low, high) = int(chance.binomial(games, few)), SIZES[sizes]
    weights = np.full(high - low + 1, 1.0)
    if sizes == "±4":
        weights[1:-1] = 0
    elif low < 0:
        weights = np.exp(-np.arange(len(weights)) / 4)
    drawn = chance.choice(np.arange(low, high + 1), number, p=weights / weights.sum())
    return Counter(drawn.tolist()) + Counter({0: games - number})


def mean_size(sizes: str) -> float:
    """Return the mean of the sizes that `draw_rare` draws."""
    low, high = SIZES[sizes]
    if low >= 0 or low == -high:
        return (low + high) / 2
    weights = np.exp(-np.arange(high - low + 1) / 4)
    return float(np.arange(low, high + 1) @ weights / weights.sum())


def rare_differences(repetitions: int, chance: np.random.Generator) -> Iterator[tuple[str, str, int, float]]:
    """Pairs of which few differ, at the end and at each of 40 looks; measures that are 0 in 97 % of the games."""
    for sizes, (low, high) in SIZES.items():
        for few in (0.05, 0.01, 0.003, 0.001):
            truth, held, reach = few * mean_size(sizes), 0, max(-low, high)
            for _ in range(repetitions):
                pairs = draw_rare(few, sizes, 1000, chance)
                held += not difference_interval(pairs, reach).excludes_value(truth)
            yield f"pairs, {few:.1%} differ by {sizes}", f"{truth:.3f}", 1000, held / repetitions
        for few in (0.05, 0.005):
            truth, held = few * mean_size(sizes), 0
            for _ in range(repetitions):
                sums = Counter[int]()
                held += all(
                    not difference_sequence(sums, LOOKS * 50, reach).excludes_value(truth)
                    for _ in range(LOOKS)
                    if sums.update(draw_rare(few, sizes, 50, chance)) is None
                )
            yield f"sequence, {few:.1%} differ by {sizes}", f"{truth:.3f}", LOOKS * 50, held / repetitions
    for games in (60, 200, 1000):
        truth, held, told = 0.03 * mean_size("1 to 7"), 0, 0
        for _ in range(repetitions):
            values = draw_rare(0.03, "1 to 7", games, chance)
            if len(values) > 1:  # else only the share of such games is told
                told += 1
                held += not mean_interval(values).excludes_value(truth)
        yield "mean, 0 in 97 % of the games", f"{truth:.3f}", games, held / told


def of_skill(repetitions: int, chance: np.random.Generator) -> Iterator[tuple[str, str, int, float]]:
    """Matches whose seeds are won by both, by one or by none; deals of which each settles a part of what is won."""
    for strength, luck in ((0.5, 0.3), (0.9, 0.3), (0.99, 0.0)):
        for seeds in (40, 400):
            # Whoever sits where the seed wants it wins, so often; else each game goes by strength.
            drawn = chance.random((repetitions, seeds)) < luck
            wins = np.where(drawn, 1, chance.binomial(2, strength, (repetitions, seeds)))
            truth = luck * 0.5 + (1 - luck) * strength
            held = sum(not match_interval(Counter(row.tolist()), 2).excludes_value(truth) for row in wins)
            yield "match of two", f"{truth:.3f}", seeds, held / repetitions
    for settled in (0.02, 0.25, 0.9):
        # A deal is won with a chance whose variance is that share of 1 / 4: beta distributions have it so.
        shape = (1 / settled - 1) / 2
        for deals in (50, 200):
            won = chance.binomial(10, chance.beta(shape, shape, (repetitions, deals)))
            held = 0
            for row in won.tolist():
                rows = [(n, 10 - n, 10) for n in row]
                held += not estimate_luck_shares([rows], 10)[0].excludes_value(settled)
            yield "share of luck", f"{settled:.2f}", deals, held / repetitions


def nothing_found(repetitions: int, chance: np.random.Generator, games: int = 200) -> float:
    """An arm against itself on other seeds: in how many of such results of 24 measures nothing stands."""
    silent = 0
    for _ in range(repetitions):
        turns = chance.poisson(12, (8, games)) - chance.poisson(12, (8, games))
        shares = chance.binomial(1, 0.3, (8, games)) - chance.binomial(1, 0.3, (8, games))
        rare = chance.binomial(1, 0.01, (8, games)) - chance.binomial(1, 0.01, (8, games))
        pairs = [Counter(row.tolist()) for rows in (turns, shares, rare) for row in rows]
        silent += min(adjust_holm([chance_of_pairs(one) for one in pairs])) >= ALPHA
    return silent / repetitions


def sequences(repetitions: int, chance: np.random.Generator) -> Iterator[tuple[str, str, int, float]]:
    """The same of sequences: the share of repetitions in which they hold the truth at every one of 40 looks."""
    games = LOOKS * 50
    held = 0
    for _ in range(repetitions):
        sums, row = Counter[int](), chance.normal(0, 4, games).round().astype(int)
        held += all(
            not mean_sequence(sums, games).excludes_value(0.0)
            for look in range(LOOKS)
            if sums.update(row[look * 50 : look * 50 + 50].tolist()) is None
        )
    yield f"sequence of differences, {LOOKS} looks", "0", games, held / repetitions
    for share in (1 / 3, 0.98):
        held = 0
        for _ in range(repetitions):
            seen = chance.binomial(50, share, LOOKS).cumsum()
            held += all(
                not share_sequence(int(n), 50 * look).excludes_value(share)
                for look, n in enumerate(seen.tolist(), start=1)
            )
        yield f"sequence of a share, {LOOKS} looks", f"{share:.3f}", games, held / repetitions


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
