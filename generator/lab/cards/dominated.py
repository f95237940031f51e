"""Designs that another one is better than in every way: by what the data say, and by what players take."""

from collections.abc import Iterable, Iterator, Mapping

from generator.dataclass import dataclass
from generator.lab.numbers import Interval
from generator.lab.statistics.strengths import strengths
from generator.model.game import Design, Game
from generator.model.text import Words

ENOUGH = 30
"""So often one design is taken over another, and never the other way: then it is called better."""


def dominated_designs(
    game: Game, kinds: Iterable[str], better: tuple[str, ...], worse: tuple[str, ...]
) -> Iterator[tuple[str, str]]:
    """Pairs of designs of a kind: one, and another that is better, as the data's fields say.

    Fields `better` are so the larger they are, `worse` the smaller. In none of them the second is worse, in one at
    least it is better; all other fields are the same, but for texts, which say no more than the other fields do.
    """
    for kind in kinds:
        designs = game.kinds[kind].designs
        for design in designs:
            for other in designs:
                if _is_better(other, design, better, worse):
                    yield design.id, other.id


def _is_better(one: Design, than: Design, better: tuple[str, ...], worse: tuple[str, ...]) -> bool:
    steps = []
    for name in {**one.fields, **than.fields}:
        mine, others = one.fields.get(name), than.fields.get(name)
        if mine == others or isinstance(mine, Words) or isinstance(others, Words):
            continue
        sign = (name in better) - (name in worse)
        if not sign or not isinstance(mine, int | float) or not isinstance(others, int | float):
            return False
        steps.append(sign if mine > others else -sign)
    return bool(steps) and min(steps) > 0


@dataclass(frozen=True, slots=True)
class Preference:
    """What players took of a kind of cards by one kind of move, where they could have taken another.

    `taken`: (design, other) -> how often the first was taken over the second. `strengths`: how likely each is taken
    where an average one could be, by the model of Bradley and Terry. `under`: design -> those that were taken over it,
    often enough, and never it over them.
    """

    phrase: str
    kind: str
    taken: Mapping[tuple[str, str], int]
    strengths: Mapping[str, Interval]
    under: Mapping[str, tuple[str, ...]]


def preference(phrase: str, kind: str, taken: Mapping[tuple[str, str], int], confidence: float) -> Preference:
    """What such choices show."""
    under: dict[str, tuple[str, ...]] = {}
    for (design, other), times in sorted(taken.items()):
        if times >= ENOUGH and not taken.get((other, design)):
            under[other] = (*under.get(other, ()), design)
    return Preference(phrase, kind, taken, strengths(taken, confidence), under)
