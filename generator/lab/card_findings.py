"""Card findings: how often each card is held and played, and how much it helps to win."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import inf, isfinite

from generator.books.measure_names import Interval
from generator.game.model import Design, Game
from generator.game.rich_text import Words
from generator.lab.card_records import CARD, LEFT, LUCK_WITH, TAKEN_BY, LuckTable, estimate_worth, unpack_record
from generator.lab.card_zones import DRAWN, KEPT, PLAYED
from generator.lab.chunks import Cell
from generator.lab.findings import is_sound
from generator.lab.results import Result
from generator.lab.statistics import (
    OutcomeCase,
    adjust_holm,
    chance_of_mean,
    estimate_difference,
    estimate_strengths,
    quantile_of_normal,
)

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


def find_preference(phrase: str, kind: str, taken: Mapping[tuple[str, str], int], confidence: float) -> Preference:
    """Return the preference computed from counts of (taken, not taken) pairs."""
    under: dict[str, tuple[str, ...]] = {}
    for (design, other), times in sorted(taken.items()):
        if times >= LEAST_TIMES and not taken.get((other, design)):
            under[other] = (*under.get(other, ()), design)
    return Preference(phrase, kind, taken, estimate_strengths(taken, confidence), under)


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
    chances = [_chance_of_worth(one.by_drawing, result) for tables in drafts for one in tables.found]
    stands = iter([chance < 1 - result.asked.confidence for chance in adjust_holm(chances)])
    return tuple(
        replace(one, found=tuple(replace(found, stands=next(stands)) for found in one.found)) for one in drafts
    )


def _chance_of_worth(worth: Interval, result: Result) -> float:
    if not isfinite(worth.half):
        return 1.0
    error = worth.half / quantile_of_normal(result.asked.confidence)
    return chance_of_mean(worth.at, error * error * 2, 2)


def _find_table_effects(result: Result, cells: tuple[Cell, ...]) -> CardTables:
    arm = result.arms[0]
    names = [
        name.removeprefix(CARD) for cell in cells for name in result.cells[cell, arm].measures if name.startswith(CARD)
    ]
    found, never = [], []
    for kind, designs in _group_by_kind(dict.fromkeys(names)):
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
        yield find_preference(phrase, kind, counts, result.asked.confidence)


def _group_by_kind(designs: Iterable[str]) -> Iterator[tuple[str, list[str]]]:
    kinds: dict[str, list[str]] = {}
    for design in designs:
        kinds.setdefault(design.split("/")[0], []).append(design)
    yield from kinds.items()


def _find_design_effects(result: Result, cells: tuple[Cell, ...], design: str) -> CardFinding:
    counts: Counter[str] = Counter()
    having, playing, luck, left = [], [], [], Counter[int]()
    for cell in cells:
        measures = result.cells[cell, result.arms[0]].measures
        luck.append(LuckTable(measures[f"{LUCK_WITH}{design}"], result.whole[f"{LUCK_WITH}{design}"]))
        left.update(measures[f"{LEFT}{design}"])
        for number, games in measures[f"{CARD}{design}"].items():
            had = unpack_record(number, cell.players)
            counts["games"] += games
            counts["unseen"] += games * (not any(had.codes))
            having.append(
                ([OutcomeCase((cell.players, at), code > 0, had.won[at]) for at, code in enumerate(had.codes)], games)
            )
            cases = []
            for seat, code in enumerate(had.codes):
                counts["seats"] += games
                counts["had"] += games * (code > 0)
                counts["drawn"] += games * (code & 3 >= DRAWN)
                counts["played"] += games * (code & PLAYED > 0)
                counts["kept"] += games * (code & KEPT > 0)
                if code:
                    cases.append(OutcomeCase((cell.players, seat), code & PLAYED > 0, had.won[seat]))
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
