"""What followed cards show: of each design how often seats have and play it, and how the wins go with it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from math import inf, isfinite

from generator.dataclass import dataclass
from generator.lab.cards.dominated import Preference, preference
from generator.lab.cards.following import CARD, LEFT, LUCK, TAKEN_BY, unpacked
from generator.lab.cards.luck import LuckTable, worth_of_drawing
from generator.lab.cards.story import DRAWN, KEPT, PLAYED
from generator.lab.chunks import Cell
from generator.lab.findings import sound
from generator.lab.numbers import Interval
from generator.lab.results import Result
from generator.lab.statistics.families import chance_of, holm
from generator.lab.statistics.intervals import quantile_of_normal
from generator.lab.statistics.strata import Case, stratified_difference

_FEW = 10
"""Seats on either side: with fewer, no difference of wins is told."""


@dataclass(frozen=True, slots=True)
class CardFinding:
    """One design at the tables of one kind of bots.

    `had`, `drawn`: shares of all seats' games; `played` and `kept` (in hand at the end) of those that had it; `unseen`:
    of games in which no seat did. `by_drawing`: what it adds to the share of wins to draw it rather than other cards;
    it `stands` where that is no work of chance among all designs of the result. `with_playing`: how much more often
    those who had it won that played it; `with_having`: than those who had not, of a kind that never comes by chance.
    `went`: kind of zone -> part of the copies that seats put out of their hands.
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
        """What kind of card it is."""
        return self.design.split("/")[0]


@dataclass(frozen=True, slots=True)
class CardTables:
    """The tables of one kind of bots, whatever the number of players, and what was found at them together.

    `never` are kinds of cards of which no seat ever had one; `preferences` what players took over what.
    """

    cells: tuple[Cell, ...]
    games: int
    found: tuple[CardFinding, ...]
    never: tuple[str, ...]
    preferences: tuple[Preference, ...] = ()


def follows_cards(result: Result) -> bool:
    """Whether a result is one of following cards."""
    return "cards" in result.about["experiment"]


def card_findings(result: Result) -> tuple[CardTables, ...]:
    """What is found for each kind of bots; tables at which a law was broken are left out."""
    arm = result.arms[0]
    by_bots: dict[tuple[str, ...], list[Cell]] = {}
    for cell, _ in sorted(result.cells, key=lambda place: (place[0].players, place[0].bots)):
        if sound(result, cell, arm):
            by_bots.setdefault(tuple(dict.fromkeys(cell.bots)), []).append(cell)
    drafts = [_draft(result, tuple(cells)) for cells in by_bots.values()]
    chances = [_chance(one.by_drawing, result) for tables in drafts for one in tables.found]
    stands = iter([chance < 1 - result.asked.confidence for chance in holm(chances)])
    return tuple(
        replace(one, found=tuple(replace(found, stands=next(stands)) for found in one.found)) for one in drafts
    )


def _chance(worth: Interval, result: Result) -> float:
    if not isfinite(worth.half):
        return 1.0
    error = worth.half / quantile_of_normal(result.asked.confidence)
    return chance_of(worth.at, error * error * 2, 2)


def _draft(result: Result, cells: tuple[Cell, ...]) -> CardTables:
    arm = result.arms[0]
    names = [
        name.removeprefix(CARD) for cell in cells for name in result.cells[cell, arm].measures if name.startswith(CARD)
    ]
    found, never = [], []
    for kind, designs in _by_kind(dict.fromkeys(names)):
        here = [_finding(result, cells, design) for design in designs]
        if any(one.had for one in here):
            found += here
        else:
            never.append(kind)
    games = sum(result.cells[cell, arm].games for cell in cells)
    return CardTables(cells, games, tuple(found), tuple(never), tuple(_preferences(result, cells)))


def _preferences(result: Result, cells: tuple[Cell, ...]) -> Iterator[Preference]:
    """What players took, for each kind of move and of card."""
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
        yield preference(phrase, kind, counts, result.asked.confidence)


def _by_kind(designs: Iterable[str]) -> Iterator[tuple[str, list[str]]]:
    kinds: dict[str, list[str]] = {}
    for design in designs:
        kinds.setdefault(design.split("/")[0], []).append(design)
    yield from kinds.items()


def _finding(result: Result, cells: tuple[Cell, ...], design: str) -> CardFinding:
    counts: Counter[str] = Counter()
    having, playing, luck, left = [], [], [], Counter[int]()
    for cell in cells:
        measures = result.cells[cell, result.arms[0]].measures
        luck.append(LuckTable(measures[f"{LUCK}{design}"], result.whole[f"{LUCK}{design}"]))
        left.update(measures[f"{LEFT}{design}"])
        for number, games in measures[f"{CARD}{design}"].items():
            had = unpacked(number, cell.players)
            counts["games"] += games
            counts["unseen"] += games * (not any(had.codes))
            having.append(
                ([Case((cell.players, at), code > 0, had.won[at]) for at, code in enumerate(had.codes)], games)
            )
            cases = []
            for seat, code in enumerate(had.codes):
                counts["seats"] += games
                counts["had"] += games * (code > 0)
                counts["drawn"] += games * (code & 3 >= DRAWN)
                counts["played"] += games * (code & PLAYED > 0)
                counts["kept"] += games * (code & KEPT > 0)
                if code:
                    cases.append(Case((cell.players, seat), code & PLAYED > 0, had.won[seat]))
            playing.append((cases, games))
    drawn, played, had_it = counts["drawn"], counts["played"], counts["had"]
    confidence, unknown = result.asked.confidence, Interval(0.0, -inf, inf)
    enough = min(drawn, counts["seats"] - drawn) >= _FEW
    return CardFinding(
        design,
        had=had_it / max(1, counts["seats"]),
        drawn=drawn / max(1, counts["seats"]),
        played=played / max(1, had_it),
        kept=counts["kept"] / max(1, had_it),
        unseen=counts["unseen"] / max(1, counts["games"]),
        by_drawing=worth_of_drawing(luck, confidence) if enough else unknown,
        stands=False,
        with_playing=stratified_difference(playing, confidence) if min(played, had_it - played) >= _FEW else unknown,
        with_having=stratified_difference(having, confidence) if not drawn and had_it >= _FEW else unknown,
        went=_went(result, left),
    )


def _went(result: Result, left: Mapping[int, int]) -> dict[str, float]:
    told = result.about["experiment"]["cards"]
    kinds = sorted({*told["held"], *told["before"], *told["hidden"], *told["others"]})
    names = {number: kinds[number] if number < len(kinds) else "elsewhere" for number in left}
    return {
        names[number]: times / sum(left.values()) for number, times in sorted(left.items(), key=lambda one: -one[1])
    }
