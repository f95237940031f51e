"""xanadu played to the end: laws, both modes, hidden cards, every switch, every example."""

from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import engine_laws as laws
import pytest
from game_changes import card
from xanadu_game import loaded

from generator.base.errors import ProblemsFound
from generator.rules.engine.contract import Box
from generator.rules.engine.kernel import INTERPRETED, Record, seed_chance
from generator.rules.engine.settings import read_choices, read_settings
from generator.rules.engine.table import Seed, Table, fresh_state
from generator.rules.xanadu.box import UNPLAYABLE
from generator.rules.xanadu.rules import RULES
from generator.rules.xanadu.words import zones

GAME = loaded()
SETTINGS = [
    (name, value)
    for name, known in read_choices(GAME).items()
    for value in known
    if value != read_settings(GAME)[name] and f"{name}: {value}" not in UNPLAYABLE
]
ADVANCED = {"style": "advanced"}


def ended(box: Box, games: int) -> Iterator[Record]:
    """The last states of random games, in which no law was broken after any move."""
    facts = INTERPRETED.make_record(box.numbers)
    moves = [0] * RULES.most(box)
    for game in range(games):
        random, made = Random(game), 0
        s = fresh_state(RULES, box, Seed(box.players, game), INTERPRETED)
        RULES.set_up(s, facts)
        while not s.over:
            RULES.apply(s, facts, moves[int(random.random() * RULES.legal(s, facts, moves))])
            broken = RULES.broken(s, facts)
            made += 1
            assert not broken, (RULES.laws[broken - 1], game)
            assert made < laws.MOST_MOVES, f"game {game} does not end"
        yield s


def check_ends(box: Box, games: int) -> None:
    """Games end, no law was broken after any move, and every piece lies somewhere in the end."""
    for s in ended(box, games):
        lying: Counter[str] = Counter()
        for pieces in zones(s, box).values():
            lying.update(pieces)
        assert lying == laws.printed(box)


# Laws of every game


@pytest.mark.slow
def test_every_piece_is_somewhere_after_every_move() -> None:
    laws.check_conservation(RULES, [*laws.boxes_of(RULES, GAME), *laws.boxes_of(RULES, GAME, ADVANCED)], 1)


@pytest.mark.slow
@laws.many(100)
@pytest.mark.parametrize("players", list(GAME.players))
def test_games_end_within_the_laws(players: int, games: int) -> None:
    for options in ({}, ADVANCED):
        check_ends(RULES.box(GAME, players, options), games)


@laws.many(7)
@pytest.mark.parametrize(("name", "value"), SETTINGS, ids=str)
def test_every_switch_can_be_played(name: str, value: Any, games: int) -> None:
    for players, style in ((3, "standard"), (4, "advanced"), (5 if name != "growth_layout" else 4, "standard")):
        check_ends(RULES.box(GAME, players, {"style": style, name: value}), games)


def test_switches_together_can_be_played() -> None:
    random = Random(18)
    for _ in range(25):
        chosen = {name: value for name, value in SETTINGS if random.random() < 0.3}
        if chosen.get("growth_layout") == "twelve":
            chosen.pop("dispatch_total", None)
        check_ends(RULES.box(GAME, random.choice([3, 4, 5]), chosen), 1)


@pytest.mark.slow
def test_moves_have_words_of_their_own() -> None:
    """Notation and both languages tell the legal moves apart, also those that only switches and drafts bring."""
    laws.check_texts(RULES, [RULES.box(GAME, players, ADVANCED) for players in (3, 5)], 1)
    rare = {
        "pass_action": "dispatch_123",
        "transport_level2": "second_office",
        "impossible_fulfil": "wasted",
        "start_player": "once_then_lowest_vp_chooses",
    }
    laws.check_texts(RULES, [RULES.box(GAME, 3, rare)], 2)


def test_games_can_be_taken_back_saved_and_replayed() -> None:
    laws.check_undo_save_replay(RULES, [RULES.box(GAME, 3, {}), RULES.box(GAME, 4, ADVANCED)], 1)


def hidden(table: Table, seat: int) -> set[str]:
    """What a seat can't look into: drafted skills of others, and those left over."""
    if table.box.options != ADVANCED:
        return set()
    zones_now = table.list_zones()
    if not any(zone.startswith(("pack", "skills", "hand")) for zone in zones_now):
        return set()
    others = [f"{kind} {other + 1}" for kind in ("hand", "pack") for other in range(table.box.players) if other != seat]
    return {zone for zone in ("undealt", *others) if zone in zones_now}


@pytest.mark.slow
def test_nobody_sees_what_is_hidden() -> None:
    """States that look alike to a seat become equal: drafted skills are mixed, hands dealt openly are not."""
    laws.check_blind(RULES, [RULES.box(GAME, 3, ADVANCED), RULES.box(GAME, 3, {})], 1, hidden)


def test_the_order_of_decks_is_hidden() -> None:
    table = laws.play(Table(RULES, RULES.box(GAME, 3, {}), Seed(1)), Random(1))
    facts = INTERPRETED.make_record(table.box.numbers)
    seen = INTERPRETED.copy(table.state)
    RULES.blind(seen, facts, 0)
    before, after = INTERPRETED.read_numbers(table.state), INTERPRETED.read_numbers(seen)
    assert {name for name in before if before[name] != after[name]} == {"deck", "rng"}
    assert sorted(before["deck"]) == sorted(after["deck"])


def test_what_is_hidden_is_mixed_by_chance() -> None:
    """Other chances give other decks and other skills in the hands of others, not one order that could be learnt."""
    table = laws.play(Table(RULES, RULES.box(GAME, 3, ADVANCED), Seed(1)), Random(1))
    facts, seen = INTERPRETED.make_record(table.box.numbers), []
    for chance in range(5):
        state = INTERPRETED.copy(table.state)
        seed_chance(state.rng, chance, 5)
        RULES.blind(state, facts, 0)
        seen.append((tuple(state.deck), tuple(state.hand[1:3])))
    assert len({deck for deck, _ in seen}) == len({hands for _, hands in seen}) == len(seen)


# The course of a game


def test_games_have_six_rounds_and_turns_within_bounds() -> None:
    """Nobody has more turns than the extra worker allows, nobody more VP than its tokens were counted for."""
    rules = GAME.sections["rules"]
    for players in GAME.players:
        for s in ended(RULES.box(GAME, players, {}), 30):
            turns = s.turns[:players]
            assert s.round_now == rules["rounds"]
            assert 12 < min(turns) <= max(turns) <= rules["limits"]["turns"]["most"]
            assert sum(turns) == s.turn
            assert max(s.vp) <= rules["limits"]["vp"]["player"]


def test_places_follow_vp_and_then_ranks() -> None:
    """The most VP win; among equals the lower sum of ranks, and who is still equal shares the place."""
    shares = {"p0": [1], "p2": [2, 3], "p3": [3, 2]}
    for vp, wanted in (({1: 5, 2: 7, 3: 6}, (3, 1, 2)), ({1: 9, 2: 9, 3: 9}, (3, 1, 1))):
        table = Table.arrange(RULES, RULES.box(GAME, 3, {}), Seed(0), {"vp": vp, "gauges": shares})
        assert table.compute_places() == wanted


@pytest.mark.parametrize(
    ("law", "breaks"),
    [
        ("sim_conservation", lambda s: s.stock.__setitem__(0, s.stock[0] - 1)),
        ("sim_conservation", lambda s: s.hands.__setitem__(1, s.hands[1] + 1)),
        ("sim_conservation", lambda s: s.dispatch.__setitem__(0, 1)),
        ("sim_conservation", lambda s: s.shares.__setitem__(2, 11)),
        ("sim_limits_kept", lambda s: s.limit.__setitem__(0, 1)),
        ("sim_rows_open", lambda s: (s.rows.__setitem__(slice(0, 3), [0, 1, 2]), s.row_n.__setitem__(0, 3))),
        ("sim_gauge_prefix", lambda s: s.gauge.__setitem__(3, s.gauge[3] + 1)),
        ("sim_daily_row_fixed", lambda s: s.daily.__setitem__(0, s.daily[1])),
        ("sim_game_length", lambda s: s.turns.__setitem__(0, 22)),
        ("sim_vp_total", lambda s: s.coins.__setitem__(0, 31)),
        ("sim_vp_never_fall", lambda s: s.vp.__setitem__(0, 19)),
    ],
)
def test_each_law_can_be_broken(law: str, breaks: Callable[[Any], Any]) -> None:
    given = {"goods": {1: {"p3": [2, 0, 0]}}, "vp": {1: 20}, "gauges": {"p3": [1, 2]}}
    table = Table.arrange(RULES, RULES.box(GAME, 3, {}), Seed(0), given)
    facts = INTERPRETED.make_record(table.box.numbers)
    assert RULES.broken(table.state, facts) == 0
    breaks(table.state)
    if law == "sim_rows_open":  # the pawns must come from somewhere
        for seat in range(3):
            table.state.reserve[seat] -= 1
    found = RULES.broken(table.state, facts)
    assert found
    assert RULES.laws[found - 1] == law


def test_decks_that_run_out_are_mixed_anew() -> None:
    given = {"lids": {1: {"skill": 2}}, "gone": {"lower": ["all"]}, "market": {"lower": ["FL1", "FL2", "FL3"]}}
    table = Table.arrange(RULES, RULES.box(GAME, 3, {}), Seed(0), given)
    assert table.state.deck_n[0] == 0
    gone = table.state.gone_n[0]
    table.apply(next(move for move in table.list_legal_moves() if table.write_move(move) == "research FL1"))
    assert table.state.mixed == 1
    assert (table.state.gone_n[0], table.state.deck_n[0]) == (0, gone)
    assert len([card for card in table.state.market if card >= 0]) == len(table.state.market)


def test_unplayable_values_exist() -> None:
    known = read_choices(GAME)
    for setting, reason in RULES.unplayable.items():
        name, value = setting.split(": ")
        assert value in map(str, known[name])
        assert reason


def test_skills_that_do_not_fit_their_time_are_refused() -> None:
    """More actions can't be had when a card is placed at the end of a round: the data are told so."""
    with pytest.raises(ProblemsFound, match="skill/P4 is install, and 'act' can't be played then"):
        RULES.box(card("skill/P4", timing="install")(GAME), 3, {})


def test_every_skill_has_an_example() -> None:
    texts = " ".join(f"{example.given} {example.moves}" for example in GAME.examples)
    missing = [skill.id for skill in GAME.kinds["skill"].designs if skill.id.split("/")[1] not in texts]
    assert missing == []


# Rules of whole default games


@pytest.mark.parametrize("players", list(GAME.players))
def test_the_start_player_marker_goes_left_each_round(players: int) -> None:
    """To the last round, too, when everybody has had it: nobody names the next one, as in one of the notes' ideas."""
    starts = {}

    def watch(now: Table, legal: tuple[int, ...]) -> None:
        starts[int(now.state.round_now)] = int(now.state.start)
        assert not any(now.write_move(move).startswith("start") for move in legal)

    laws.play(Table(RULES, RULES.box(GAME, players, {}), Seed(players, 0)), Random(1), watch)
    assert starts == {0: 0, **{number: (number - 1) % players for number in range(1, 7)}}


@pytest.mark.parametrize("players", list(GAME.players))
def test_every_card_of_a_daily_row_begins_face_up(players: int) -> None:
    """Three requests and the Daily card of each seat, at the first choice of round 1."""
    table = Table(RULES, RULES.box(GAME, players, {}), Seed(players, 0))
    while table.state.round_now == 0:
        table.apply(table.list_legal_moves()[0])
    rows = [RULES.ask(table.state, table.box, "up", (str(seat),)) for seat in range(1, players + 1)]
    assert all(len(row) == 4 and row[-1] == "daily" for row in rows), rows


def test_games_are_measured_by_what_happened_in_them() -> None:
    """Numbers of a game whose course is known: one upgrade refused, three workers of one company left on the board."""
    table = Table.arrange(
        RULES,
        RULES.box(GAME, 3, {}),
        Seed(1),
        {
            "round": 6,
            "workers": {1: 1, 2: 0, 3: 0},
            "rows": {"fulfil": [1], "transport": [1, 2]},
            "goods": {1: {"p1": [1, 1, 0]}, 2: {"p1": [0, 0, 15]}},
            "gauges": {"p3": [2, 2, 2, 2]},
            "market": {"lower": ["BL1"]},
            "vp": {1: 4, 2: 5, 3: 9},
        },
    )
    for written in ("place upgrade", "end"):
        table.apply({table.write_move(move): move for move in table.list_legal_moves()}[written])
    told = [0] * len(RULES.measures)
    RULES.measure(table.state, INTERPRETED.make_record(table.box.numbers), told)
    numbers = {f"{measure.check}: {measure.says}": number for measure, number in zip(RULES.measures, told, strict=True)}

    assert table.is_over
    assert [number for name, number in numbers.items() if "refused" in name] == [0, 1]
    assert [number for name, number in numbers.items() if "workers of" in name] == [3, 4]
    assert [number for name, number in numbers.items() if "full at the end" in name] == [1]
    assert numbers["sim_vp_by_round: VP of a player, on average, after round 6"] > 6
