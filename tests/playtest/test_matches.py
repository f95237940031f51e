"""Matches of bots, their batches and statistics: the same each time, whoever plays."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plans import carry_out
from small_games import BOXES, OPENER, higher

from generator.play import game_loop
from generator.play.batch import GamePlan, MatchRunner, split_plan
from generator.play.bot_registry import TableBots, find_bot, list_bot_names
from generator.play.series import Series
from generator.play.tally import PlayedGame, Tally, compute_mean, find_quantile, largest_unseen_share, wilson_interval
from generator.rules.engine.contract import Rules, Supply
from generator.rules.engine.kernel import INTERPRETED, CompiledMode, kernel
from generator.rules.engine.table import Seed, Table

BOTS = ("random", "greedy", "look-ahead", "look-ahead:3")


@pytest.mark.parametrize("bot", BOTS)
def test_every_game_ends_and_is_counted(bot: str) -> None:
    tally = MatchRunner(higher.RULES, BOXES[1], (bot,)).play_tally(1, 0, 40)
    assert (tally.games, tally.ended, tally.moves, tally.choices) == (40, 40, 40 * 9, Counter({6: 40}))
    assert tally.turns == {9: 40}
    assert sum(points * times for points, times in tally.scores.items()) == 40 * 9
    assert sum(tally.wins.values()) >= 40
    assert tally.widest == 3
    assert tally.first_endless is None


@pytest.mark.parametrize("bot", BOTS[:2])
def test_the_first_game_is_played_twice_and_no_other(bot: str, monkeypatch: pytest.MonkeyPatch) -> None:
    matches, played = MatchRunner(higher.RULES, BOXES[0], (bot,)), []
    play = MatchRunner.play
    monkeypatch.setattr(MatchRunner, "play", lambda self, seed: (played.append(seed.game), play(self, seed))[1])
    tally = matches.play_tally(1, 0, 3)
    assert (tally.games, tally.repeated, tally.first_unlike) == (3, 1, None)
    assert played == [0]
    assert matches.play_tally(1, 1, 2).repeated == 0


def test_equal_seeds_give_equal_games() -> None:
    matches = MatchRunner(higher.RULES, BOXES[0], ("greedy",))
    one = [matches.play(Seed(3, game)) for game in (0, 1, 2)]
    other = [matches.play(Seed(3, game)) for game in (2, 0)]
    assert other == [one[2], one[0]]
    assert len({played.scores for played in (matches.play(Seed(run, 0)) for run in range(30))}) > 1


@pytest.mark.slow  # to compile takes many times as long as to play
def test_compiled_games_are_the_same(request: pytest.FixtureRequest) -> None:
    pytest.importorskip("numba", reason="the extra `fast` is not installed")
    plain = MatchRunner(higher.RULES, BOXES[2], ("random",))
    fast = MatchRunner(higher.RULES, BOXES[2], ("random",), CompiledMode(request.getfixturevalue("kernels")))
    assert [plain.play(Seed(1, game)) for game in range(20)] == [fast.play(Seed(1, game)) for game in range(20)]


def test_any_number_of_processes_gives_the_same() -> None:
    plan = GamePlan({(2, "random"): 600, (3, "greedy"): 50})
    one, two = carry_out(plan, OPENER, 1), carry_out(plan, OPENER, 2)
    assert one == two
    assert one[2, "random"].games == 600
    assert one[3, "greedy"].games == 50
    assert [(work.first, work.games) for work in split_plan(plan)] == [(0, 250), (250, 250), (500, 100), (0, 20), (20, 20), (40, 10)]  # fmt: skip


def choices(rules: Rules, bot: str) -> Iterator[tuple[int, int, bool]]:
    """For many states what a bot chooses, and what it does with the hidden cards mixed; whether they then lie elsewhere."""
    facts = INTERPRETED.make_record(BOXES[1].numbers)
    for game in range(10):
        table = Table(higher.RULES, BOXES[1], Seed(1, game))
        while not table.is_over:
            other = INTERPRETED.copy(table.state)
            higher.RULES.blind(other, facts, table.seat)
            one, two = (
                TableBots(rules, BOXES[1], Seed(7), (bot,)).choose(state, table.list_legal_moves())
                for state in (table.state, other)
            )
            yield one, two, table.state.at != other.at
            table.apply(one)


@pytest.mark.parametrize("bot", [*list_bot_names(higher.RULES), "search:12"])
def test_bots_go_by_what_they_see(bot: str) -> None:
    looked = 0
    for one, other, elsewhere in choices(higher.RULES, bot):
        assert one == other
        looked += elsewhere
    assert looked > 10, "the test must see hidden cards that lie elsewhere"


@kernel
def blinds_nothing(s: Any, f: Any, seat: int) -> None:
    """All lies open."""


@kernel
def other_hands(s: Any, f: Any, seat: int) -> int:
    """What no seat can see: how strong the hand to the left is."""
    total = 0
    for card in range(f.number):
        if s.at[card] == (seat + 1) % s.players:
            total += f.strength[card] * card
    return total % 7 + (s.best * total) % 5


@pytest.mark.parametrize("bot", ["greedy", "look-ahead", "look-ahead:3", "search:12"])
def test_a_peeking_bot_would_be_noticed(bot: str) -> None:
    open_rules = replace(higher.RULES, blind=blinds_nothing, value=other_hands)
    assert any(one != other for one, other, _ in choices(open_rules, bot))


def test_unknown_bots_are_named() -> None:
    with pytest.raises(ValueError, match="unknown bot 'greddy'; did you mean 'greedy'"):
        find_bot("greddy", higher.RULES)


@kernel
def stuck(s: Any, f: Any, moves: Any) -> int:
    return 0 if s.turn == 4 else higher.legal(s, f, moves)


@kernel
def breaking(s: Any, f: Any) -> int:
    return 1 if s.turn == 5 else 0


@kernel
def using(s: Any, f: Any, taken: Any) -> None:
    taken[0] = s.turn


def test_what_goes_wrong_is_counted_with_its_first_game() -> None:
    supplied = (Supply("cards", "card"),)
    spoilt: Rules = replace(higher.RULES, broken=breaking, laws=("L1",), demand=using, supplies=supplied)
    tally = MatchRunner(spoilt, BOXES[0], ("random",)).play_tally(1, 5, 10)
    assert (tally.broken, tally.first_broken) == (Counter({0: 10}), {0: 5})
    assert tally.peaks == {0: Counter({6: 10})}
    assert (
        MatchRunner(replace(higher.RULES, legal=stuck), BOXES[0], ("random",)).play_tally(1, 5, 10).first_endless == 5
    )
    assert MatchRunner(replace(higher.RULES, legal=stuck), BOXES[0], ("greedy",)).play_tally(1, 5, 10).ended == 0


def test_tallies_join_in_any_order() -> None:
    games = [
        PlayedGame(n, n != 3, n, n // 2, n % 5, n % 3, (n, 1), (1, 1 + n % 2), (n % 4,), (n % 2,), n % 3, n % 2, n)
        for n in range(12)
    ]
    whole, halves = Tally(), (Tally(), Tally())
    for played in games:
        whole.add(played)
        halves[played.game % 2].add(played)
    one, other = Tally(), Tally()
    for half in halves:
        one.add_tally(half)
    for half in reversed(halves):
        other.add_tally(half)

    assert one == other == whole
    assert whole.first_endless == 3
    assert whole.ties == 6


def test_a_digest_tells_games_apart() -> None:
    games = list(Series(higher.RULES, BOXES[0], INTERPRETED).play_games(1, 0, 200))
    again = list(Series(higher.RULES, BOXES[0], INTERPRETED).play_games(1, 0, 200))
    table, bot = Table(higher.RULES, BOXES[0], Seed(1, 5)), TableBots(higher.RULES, BOXES[0], Seed(1, 5), ("greedy",))
    while not table.is_over:
        table.apply(bot.choose(table.state, table.list_legal_moves()))
    told = 0
    for move in table.moves:
        told = game_loop.extend_digest(told, move)
    assert [game.digest for game in games] == [game.digest for game in again]
    assert len({game.digest for game in games}) == 200
    assert MatchRunner(higher.RULES, BOXES[0], ("greedy",)).play(Seed(1, 5)).digest == told


def test_each_column_of_a_series_has_its_name() -> None:
    series = Series(higher.RULES, BOXES[0], INTERPRETED)
    game = next(series.play_games(1, 3, 1))
    told = dict(zip(series.columns, series.game_figures(1, 3, 1), strict=True))
    assert (told["turns"], told["moves"], told["digest"]) == (game.turns, game.moves, game.digest)
    assert tuple(told[f"score {seat + 1}"] for seat in range(BOXES[0].players)) == game.scores
    assert tuple(told[f"place {seat + 1}"] for seat in range(BOXES[0].players)) == game.places


@pytest.mark.parametrize(
    ("seen", "of", "low", "high"),
    [
        (25, 100, 0.1755, 0.3430),
        (250, 1000, 0.2242, 0.2778),
        (250_000, 1_000_000, 0.2492, 0.2508),
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (0, 0, 0.0, 1.0),
    ],
)
def test_wilson_interval(seen: int, of: int, low: float, high: float) -> None:
    """Worked values of Wilson's interval at 95 %."""
    assert wilson_interval(seen, of) == pytest.approx((low, high), abs=5e-5)


@given(st.integers(0, 1000), st.integers(1, 1000))
def test_wilson_holds_what_was_seen(seen: int, of: int) -> None:
    """The interval lies within 0 and 1 and holds the share that was seen."""
    seen = min(seen, of)
    low, high = wilson_interval(seen, of)
    assert 0 <= low <= seen / of <= high <= 1
    assert low < high


def test_never_seen_is_about_three_in_n() -> None:
    assert largest_unseen_share(1000) == pytest.approx(3 / 1000, rel=0.01)
    assert largest_unseen_share(0) == 1


@given(st.lists(st.integers(-50, 50), min_size=1), st.floats(0, 1))
def test_quantile_is_the_least_that_suffices(values: list[int], share: float) -> None:
    histogram = {value: values.count(value) for value in values}
    found = find_quantile(histogram, share)
    assert sum(value <= found for value in values) >= share * len(values)
    assert found == min(values) or sum(value < found for value in values) < share * len(values)
    assert compute_mean(histogram) == pytest.approx(sum(values) / len(values))


def test_quantile_of_nothing_is_an_error() -> None:
    with pytest.raises(ValueError, match="no cases"):
        find_quantile({}, 0.5)
    assert compute_mean({}) == 0
