"""Goods and VP of draft 18: what pays for a request, what it is worth, and how VP are changed into tokens.

Goods are numbers of resources by grade, from the lowest: (2, 1, 0) is two normal and one fine.
"""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

Goods: TypeAlias = tuple[int, ...]


def payable(have: Goods, cost: Goods) -> bool:
    """Whether goods suffice for a cost: each resource asked for is paid by one of its grade or a higher one."""
    return all(sum(have[grade:]) >= sum(cost[grade:]) for grade in range(len(cost)))


def cheapest(have: Goods, cost: Goods) -> Goods:
    """The payment of a payable cost that spends the lowest grades; ValueError if the goods do not suffice."""
    if not payable(have, cost):
        raise ValueError(f"{have} does not pay for {cost}")
    left, spent = list(have), [0] * len(have)
    for wanted, owed in enumerate(cost):
        due = owed
        for grade in range(wanted, len(have)):
            paid = min(due, left[grade])
            left[grade] -= paid
            spent[grade] += paid
            due -= paid
    return tuple(spent)


def steps(cost: Goods, by_grade: Goods) -> int:
    """The upgrades that the goods of a request need."""
    return sum(number * step for number, step in zip(cost, by_grade, strict=True))


def worth(cost: Goods, by_grade: Goods, further: int) -> int:
    """The VP of a request by the formula: so much for each grade, and more for each resource beyond the first."""
    return sum(number * vp for number, vp in zip(cost, by_grade, strict=True)) + further * max(sum(cost) - 1, 0)


def change(vp: int, values: Sequence[int]) -> Mapping[int, int]:
    """VP in as few tokens as possible, by value; there are tokens of 1."""
    tokens = {}
    for value in sorted(values, reverse=True):
        tokens[value], vp = divmod(vp, value)
    return tokens


def most_tokens(vp: int, values: Sequence[int]) -> Mapping[int, int]:
    """The most tokens of each value that any amount up to `vp` needs."""
    amounts = [change(amount, values) for amount in range(vp + 1)]
    return {value: max(tokens[value] for tokens in amounts) for value in sorted(values)}
