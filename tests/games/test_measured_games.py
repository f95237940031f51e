"""What games are measured by decides every check of the five games that takes play, and measures what it says."""

from collections import Counter
from dataclasses import replace

import pytest
from journey8_game import arranged
from shipped_games import game_and_rules
from wayfaring_game import loaded as wayfaring

from generator.play.batch import MatchRunner, keeps_secrets
from generator.rules.engine.contract import REPEATS, SECRETS, TIES, WINS, Observation
from generator.rules.engine.kernel import INTERPRETED, seed_chance
from generator.rules.engine.table import Seed, visible_zones
from generator.rules.journey8.rules import RULES
from generator.rules.registry import list_program_rules
from generator.rules.wayfaring.data import redraw_chance_at
from generator.rules.wayfaring.rules import RULES as WAYFARING


@pytest.mark.parametrize("name", list_program_rules())
def test_every_check_that_takes_play_is_decided_by_it(name: str) -> None:
    game, rules = game_and_rules(name)
    decided = [*rules.laws, *{measure.check for measure in rules.measures}, *rules.answers]
    assert set(decided) == {spec.id for spec in game.checks if spec.undecided}
    assert max(Counter(decided).values()) == 1, "each check is decided in one way"
    assert set(rules.answers.values()) <= {WINS, TIES, REPEATS, SECRETS, *(supply.id for supply in rules.supplies)}


def test_effects_of_held_cards_are_measured_against_their_worth() -> None:
    """Red 7 would drop 4 sone where there are 3; Red 1 brings 2; what Yellow 3 gives to all brings its holder nothing."""
    table = arranged(2, at="scoring", hands=[["red-7", "yellow-3"], ["red-1"]], sone=[3, 3], coherence=[0, 0])
    while not table.is_over:
        table.apply({table.write_move(move): move for move in table.list_legal_moves()}["event red-7"])
    told = [0] * len(RULES.measures)
    RULES.measure(table.state, INTERPRETED.make_record(table.box.numbers), told)
    assert (table.state.held_at_end, table.state.applied) == (3, 3)
    assert (table.state.brought, table.state.promised) == (3 + 0 - 2, 4 + 0 - 2)
    assert told == [0, 0, 3, 33, 66]


def test_modes_and_keys_are_measured() -> None:
    table = arranged(
        2,
        story=["red-2", "blue-2", "red-5", "blue-5", "red-6"],
        keys=[2, 4],
        hands=[["blue-6", "yellow-6"], []],
        deck=[],
    )
    for written in ("play blue-6", "play yellow-6"):
        table.apply({table.write_move(move): move for move in table.list_legal_moves()}[written])
    told = [0] * len(RULES.measures)
    RULES.measure(table.state, INTERPRETED.make_record(table.box.numbers), told)

    assert table.is_over
    assert told[:3] == [1, 1, 0]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_first_hands_are_drawn_anew_as_often_as_the_chance_says(players: int) -> None:
    """A number of the game that is 0 or 1; the share of many deals lies near the chance worked out for a table."""
    game = wayfaring()
    box = WAYFARING.box(game, players, {})
    state, facts, told, seen = (INTERPRETED.make_record(WAYFARING.state(box)), INTERPRETED.make_record(box.numbers), [0], 0)  # fmt: skip
    blank = INTERPRETED.copy(state)
    for number in range(1500):
        state = INTERPRETED.copy(blank)
        state.players = players
        seed_chance(state.rng, number, players)
        assert WAYFARING.deal is not None
        WAYFARING.deal(state, facts)
        WAYFARING.measure(state, facts, told)
        assert told[0] == (state.redraws > 0)
        seen += told[0]
    chance = redraw_chance_at(box)

    assert chance == pytest.approx({2: 0.0183, 3: 0.0273, 4: 0.0362}[players], abs=5e-5)
    assert abs(seen / 1500 - chance) < 0.015


def test_a_series_tells_the_same_numbers_as_single_games() -> None:
    game, rules = game_and_rules("xanadu")
    matches = MatchRunner(rules, rules.box(game, 3, {}), ("random",))
    tally = matches.play_tally(1, 0, 2)
    played = [matches.play(Seed(1, number)) for number in (0, 1)]
    assert tally.repeated == 1
    assert tally.first_unlike is None
    for at in range(len(rules.measures)):
        assert tally.measured[at] == Counter(one.measured[at] for one in played)
    assert played[0].measured[-1] > 0


@pytest.mark.parametrize("name", list_program_rules())
def test_secrets_are_kept_and_a_leak_is_noticed(name: str) -> None:
    """Of the rules as they are; and of rules that tell all others the whole move, where anything is laid face down."""
    game, rules = game_and_rules(name)
    box = rules.box(game, game.players.fewest, {"style": "advanced"} if name == "xanadu" else {})
    if name != "xanadu":  # its games are long, and looked through by the tests of what is seen
        assert keeps_secrets(rules, box, Seed(1, 2))
    if name in ("wayfaring", "xanadu"):
        assert not keeps_secrets(replace(rules, tell=lambda s, box, move, seat, said: said), box, Seed(1, 2))


def test_eyes_that_see_more_than_they_may_are_noticed() -> None:
    box = WAYFARING.box(wayfaring(), 2, {})
    open_eyes = replace(WAYFARING, observe=lambda s, box, seat: Observation(visible_zones(WAYFARING.zones(s, box))))
    assert not keeps_secrets(open_eyes, box, Seed(1, 0))
