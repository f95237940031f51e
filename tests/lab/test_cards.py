"""`pnp lab cards`: who has which card and who wins with it, held against games whose truth is on paper."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cards_project import FAVOUR, LAID, CardsProject, StairsProject
from conftest import Pnp, Ran

from generator.lab.card_records import (
    CERTAIN,
    HAD,
    HAVING,
    LuckTable,
    chance_of_drawing,
    estimate_worth,
    pack_record,
    sum_luck,
    unpack_record,
)
from generator.lab.findings import CardFinding, card_findings, find_differences
from generator.lab.results import read_result
from generator.lab.statistics import OutcomeCase, estimate_difference
from generator.lab.strengths import estimate_strengths

FILE = Path("out/known/lab-cards.json")


@pytest.fixture
def cards(room: Path, pnp: Pnp) -> Callable[..., Ran]:
    """The command on a game of ten cards, one of which helps; `ahead` for whether a seat may be ahead by chance."""

    def command(*arguments: str, ahead: int = 0, executor: str = "processes:1") -> Ran:
        CardsProject(room, "favour", FAVOUR, {"ahead": ahead, "laid": 0})
        return pnp("lab", "cards", "known", "--trust-rules", "--executor", executor, "--out", "out", *arguments)

    return command


def found_in(file: Path) -> dict[str, CardFinding]:
    result = read_result(file.read_text(encoding="utf-8"), str(file))
    return {one.design: one for table in card_findings(result) for one in table.found}


def test_a_card_worth_a_tenth_of_wins(cards: Callable[..., Ran]) -> None:
    """It is found, within its interval, and stands; of the others, worth -0.10 / 9, none does."""
    ran = cards("--games", "2500")
    assert ran.code == 0, ran.err
    found = found_in(FILE)
    others = [one for design, one in found.items() if design != "card/c3"]
    (sums,) = read_result(FILE.read_text(encoding="utf-8"), "").cells.values()
    luck = sums.measures["luck with card/c3"]

    assert luck[HAVING] == luck[HAD] * 700_000, "three of ten come to a seat, and so 0.3 was to be expected"
    assert not found["card/c3"].by_drawing.excludes_value(0.10)
    assert found["card/c3"].stands
    assert found["card/c3"].by_drawing.half < 0.06
    assert not any(one.stands for one in others)
    assert sum(one.by_drawing.excludes_value(-0.10 / 9) for one in others) <= 2
    assert sum(one.with_playing.excludes_value(0) for one in found.values()) <= 2, (
        "which cards are laid decides nothing"
    )
    assert all(abs(one.drawn - 0.3) < 0.04 and abs(one.played - 2 / 3) < 0.05 for one in found.values())
    assert all(one.kept == pytest.approx(1 - one.played) for one in found.values())
    assert all(abs(one.unseen - 0.4) < 0.04 for one in found.values())


def test_who_draws_more_and_wins_more(cards: Callable[..., Ran]) -> None:
    """Winners draw more cards: so all cards go with wins, but it is only told of the one that helps that it does."""
    ran = cards("--games", "1500", ahead=1)
    assert ran.code == 0, ran.err
    found = found_in(FILE)
    result = read_result(FILE.read_text(encoding="utf-8"), "")
    measures = next(iter(result.cells.values())).measures

    def as_seen(design: str) -> float:
        games = [(unpack_record(number, 2), times) for number, times in measures[f"card {design}"].items()]
        seats = [
            ([OutcomeCase(seat, code > 0, won[seat]) for seat, code in enumerate(codes)], n)
            for (codes, won), n in games
        ]
        return estimate_difference(seats).at

    assert "by chance: deck > hand" in ran.out
    stands = [design for design, one in found.items() if one.stands]
    assert "card/c3" in stands
    assert len(stands) <= 2, "one of ten that does nothing may, by chance"
    assert sum(one.by_drawing.excludes_value(0) for one in found.values()) <= 3
    assert all(as_seen(design) > 0.02 for design in found), "what a plain comparison would say"


def test_where_cards_lie_is_found(cards: Callable[..., Ran]) -> None:
    """A hand is what its seat alone sees; what has seats' numbers is before them; the deck is seen by nobody."""
    cards("--games", "20", ahead=1)
    assert json.loads(FILE.read_text(encoding="utf-8"))["experiment"]["cards"] == {
        "held": ["hand"], "before": ["table"], "hidden": ["deck"], "others": [],
        "draws": ["deck > hand"], "played": ["table"], "dominated": [],
    }  # fmt: skip


@pytest.mark.slow
def test_whoever_plays_and_in_parts(cards: Callable[..., Ran], pnp: Pnp) -> None:
    """Two processes, two threads, begun and gone on with: the same bytes; shown again it says the same."""
    ran = cards("--games", "450")
    once = FILE.read_bytes()
    for executor in ("processes:2", "threads:2"):
        cards("--games", "450", "--anew", executor=executor)
        assert FILE.read_bytes() == once, executor
    cards("--games", "130", "--anew")
    assert FILE.read_bytes() != once
    cards("--games", "450")
    assert FILE.read_bytes() == once
    assert pnp("lab", "show", str(FILE)).out == ran.out


@pytest.mark.release
def test_compiled_rules_play_the_same(room: Path, pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cards followed and restricted play, by players who choose: the same bytes."""
    CardsProject(room, "favour", LAID, {"ahead": 1, "laid": 1})
    monkeypatch.setattr("generator.lab.experiment_runs.kernel_folder", lambda *_: room / "kernels")
    files = []
    for more in ((), ("--fast",)):
        for asked in ((), ("--without", "c3")):
            ran = pnp("lab", "cards", "known", "--trust-rules", "--executor", "processes:1", "--out", f"out{len(more)}",
                      "--games", "60", "--bot", "greedy", *asked, *more)  # fmt: skip
            assert ran.code == 0, ran.err
            files.append(Path(ran.err.strip()).read_bytes())
    assert files[:2] == files[2:]


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (("known", "--played", "tabel"), 1, "known has no cards in the zone 'tabel'; did you mean 'table'?\n"),
        (("known", "--better", "favor"), 1, "no cards of known have a number 'favor'; did you mean 'favour'?\n"),
        (("known", "--bot", "gredy"), 1, "unknown bot 'gredy'; did you mean 'greedy'?\n"),
        (("known", "--until", "1pp"), 2, "--until does not work here"),
        (("known", "--without", "c33"), 1, "known has no card 'c33'; did you mean 'c3'?\n"),
        (("known", "--without", "c3", "--may", "lie"), 1, "known has no move 'lie'; known: lay\n"),
    ],
    ids=str,
)
def test_what_there_is_not(
    cards: Callable[..., Ran], pnp: Pnp, arguments: tuple[str, ...], code: int, told: str
) -> None:
    """Zones, bots, cards to go without and moves by which they may be used; looking early is for other results."""
    cards("--games", "1")
    ran = pnp("lab", "cards", *arguments, "--trust-rules", "--executor", "processes:1")
    assert (ran.code, ran.out) == (code, "")
    assert told == ran.err or (code == 2 and told in ran.err)


def test_a_game_in_which_no_seat_has_a_card(pnp: Pnp, room: Path) -> None:
    """Cards that come onto rows in the open are nobody's: that is told, with what would be."""
    StairsProject(room)
    ran = pnp("lab", "cards", "stairs", "--trust-rules", "--executor", "processes:1")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err == (
        "no seat of stairs ever has a card: its cards are in deck, laid; "
        "a seat's own zones are named `hand`, have its number, or are visible to it alone\n"
    )


def test_a_dominated_card(room: Path, pnp: Pnp) -> None:
    """The data say that the card that only costs is no better than any; who plays well never lays it while there is another.

    So is every card beside the one that helps; which is always laid first, and all others are alike.
    """
    CardsProject(room, "favour", LAID, {"ahead": 0, "laid": 1})
    asked = ("lab", "cards", "known", "--trust-rules", "--executor", "processes:1", "--out", "out", "--bot", "greedy")
    ran = pnp(*asked, "--games", "400", "--better", "favour", "--worse", "cost", code=0)
    (tables,) = card_findings(read_result(FILE.read_text(encoding="utf-8"), ""))
    (laid,) = tables.preferences
    plain = {f"card/c{n}" for n in (0, 1, 2, 4, 5, 6, 8, 9)}
    dominated = json.loads(FILE.read_text(encoding="utf-8"))["experiment"]["cards"]["dominated"]

    assert set(dominated) == {
        *(f"{one} < card/c3" for one in (*plain, "card/c7")), *(f"card/c7 < {one}" for one in plain),
    }  # fmt: skip
    assert (laid.phrase, laid.kind) == ("lay", "card")
    assert set(laid.under["card/c7"]) == {*plain, "card/c3"}
    assert all(laid.under[one] == ("card/c3",) for one in plain)
    assert max(laid.strengths, key=lambda one: laid.strengths[one].at) == "card/c3"
    assert all(laid.strengths["card/c7"].high < laid.strengths[one].low for one in plain)
    assert "by the data, card/c7 is never better and sometimes worse than c0, c1, c2" in ran.out
    assert "never chosen over c0" in ran.out


def test_who_chooses_by_chance_prefers_nothing(cards: Callable[..., Ran]) -> None:
    """Of random players it is not told what they take."""
    assert "chosen by" not in cards("--games", "30").out


def test_strengths_by_hand() -> None:
    """Of two, one is taken three times as often: odds of 3 to 1 between them, the root of that over the average."""
    found = estimate_strengths({("a", "b"): 30_000, ("b", "a"): 10_000})
    assert found["a"].at == pytest.approx(3**0.5 / (1 + 3**0.5), abs=0.001)
    assert found["b"].at == pytest.approx(1 - found["a"].at)
    assert estimate_strengths({("a", "b"): 50})["a"].high < 1, "what always wins is not infinitely strong"
    assert not estimate_strengths({})


def test_going_without_a_card(room: Path, pnp: Pnp) -> None:
    """Who may not lay the card that is worth 0.10 loses that; without another card it is laid more often: + 0.10 / 9."""
    CardsProject(room, "favour", LAID, {"ahead": 0, "laid": 1})
    asked = ("lab", "cards", "known", "--trust-rules", "--executor", "processes:1", "--out", "out")
    ran = pnp(*asked, "--without", "c3", "--without", "card/c5", "--games", "1500", code=0)
    result = read_result(Path("out/known/lab-without.json").read_text(encoding="utf-8"), "")
    gaps = {one.arm: one for one in find_differences(result)}
    same = {arm: sums.against.identical / sums.games for (_, arm), sums in result.cells.items()}

    assert not gaps["without card/c3"].gap.excludes_value(-0.10)
    assert gaps["without card/c3"].stands
    assert gaps["without card/c3"].gap.half < 0.04
    assert not gaps["without card/c5"].gap.excludes_value(0.10 / 9)
    assert all(0.7 < same[arm] < 0.85 for arm in gaps)
    assert [line.split()[1] for line in ran.out.splitlines() if line.startswith("  without")] == ["card/c3", "card/c5"]
    assert pnp("lab", "show", "out/known/lab-without.json").out == ran.out


@pytest.mark.parametrize(
    ("codes", "winners"), [((0, 0), (0,)), ((7, 14, 0), (2,)), ((3, 0, 5, 15), (1, 3)), ((15,) * 8, range(8))]
)
def test_a_number_tells_a_game(codes: tuple[int, ...], winners: Any) -> None:
    """What was packed comes out again; those who win together have their parts."""
    told, won = unpack_record(pack_record(codes, winners), len(codes))
    assert tuple(told) == codes
    assert won == [1 / len(winners) if seat in winners else 0 for seat in range(len(codes))]


def test_the_chance_that_a_card_comes() -> None:
    """By counting all hands: one copy of ten cards in three is 3/10, two copies 1 - 8/10 x 7/9 x 6/8."""
    assert chance_of_drawing(10, 1, 3) == 300_000
    assert chance_of_drawing(10, 2, 3) == round(CERTAIN * (1 - 8 * 7 * 6 / (10 * 9 * 8)))
    assert (chance_of_drawing(5, 1, 5), chance_of_drawing(5, 0, 2)) == (CERTAIN, 0)


def test_luck_is_a_ratio() -> None:
    """Of two seats, one of which draws the card in each game: who does wins three games of four."""
    games = [sum_luck((gain, -gain), (True, False), (500_000, -500_000)) for gain in (1, 1, 1, -1)] * 25
    sums = {name: sum(one[name] for one in games) for name in games[0]}
    worth = estimate_worth([LuckTable(sums, 2)])
    assert worth.at == pytest.approx(0.5)
    assert worth.half == pytest.approx(1.96 * 2 * (0.1875 / 100) ** 0.5, rel=0.01)


def test_strata_are_compared_within_themselves() -> None:
    """Each stratum has the difference 0.5, at levels that would hide it; weights are n1 n0 / n (by hand: 3 and 3)."""
    low = (
        [OutcomeCase("low", True, 1.0)] * 2
        + [OutcomeCase("low", True, 0.0)] * 2
        + [OutcomeCase("low", False, 0.0)] * 12
    )
    high = [OutcomeCase("high", True, 1.0)] * 12 + [OutcomeCase("high", False, 0.5)] * 4
    assert estimate_difference([([case], 1) for case in (*low, *high)]).at == pytest.approx(0.5)
    assert estimate_difference([([OutcomeCase(1, True, 1.0)], 5)]).half == float("inf"), "nothing to compare with"


def test_seats_of_a_game_depend_on_each_other() -> None:
    """Pairs of which one always wins are no more than half as many cases: the interval is wider by the root of two."""
    pairs = [([OutcomeCase(0, True, won), OutcomeCase(0, False, 1 - won)], 50) for won in (0.0, 1.0)]
    alone = [([case], times) for cases, times in pairs for case in cases]
    assert estimate_difference(pairs).half == pytest.approx(2**0.5 * estimate_difference(alone).half)
