"""Fortuna as it is played: whole games, every reading, both modes, what a seat can know, which moves there are."""

from collections import Counter
from itertools import combinations
from random import Random
from typing import Any

import engine_laws as laws
import pytest
from fortuna_game import boxes, loaded

from generator.rules.engine.contract import Box
from generator.rules.engine.kernel import INTERPRETED, seed_chance
from generator.rules.engine.table import Seed, Table
from generator.rules.fortuna.data import facts_of, list_values
from generator.rules.fortuna.rules import RULES
from generator.rules.fortuna.state import Move, Phase, best_icon, best_promise
from generator.rules.fortuna.turns import full_size


def fields(box: Box, copy: str) -> Any:
    return box.game.design(copy.split("#", maxsplit=1)[0]).fields


def test_hidden_cards_are_mixed_evenly() -> None:
    """What a seat can't see lies in each hidden place about equally often, and no row keeps a trace of it elsewhere."""
    box = boxes()[0]
    facts = INTERPRETED.make_record(box.numbers)
    table = Table(RULES, box, Seed(2))
    found = Counter[str]()
    for chance in range(400):
        state = INTERPRETED.copy(table.state)
        seed_chance(state.rng, chance, 0)
        RULES.blind(state, facts, 0)
        assert not any(state.main[state.main_n :]) and not any(state.under)
        zones = RULES.zones(state, box)
        found.update([*zones["hand 2"], *zones["end"]])

    unseen = 78 - 8
    assert len(found) == unseen
    assert all(40 < number < 130 for number in found.values()), "14 of 70 places, in 400 mixtures: 80"


def test_games_keep_to_the_bounds_of_the_arithmetic() -> None:
    """Hands of 1 to 8 after the draw, 3 to 17 or 2 to 11 rounds, 0 to 6 End cards left, no set beyond its most points."""
    most = loaded().sections["rules"]["limits"]["most_points"]
    shortest, longest = {3: 3, 4: 2}, {3: 17, 4: 11}
    for table in laws.tables(RULES, boxes(), 60):

        def watch(now: Table, _legal: tuple[int, ...]) -> None:
            s = now.state
            if s.phase == Phase.ACTION:
                assert 1 <= s.hand_n[s.seat] <= 8
                assert all(s.hand_n[seat] <= 7 for seat in range(s.players) if seat != s.seat)

        laws.play(table, Random(table.seed.game), watch)
        players = table.box.players
        assert shortest[players] <= -(-table.state.turn // players) <= longest[players]
        assert 0 <= table.state.end_n <= 6
        for points, sets in recounted(table):
            assert all(worth <= most[number] for number, worth in sets.items())
            assert points == sum(sets.values())


def recounted(table: Table) -> list[tuple[int, dict[int, int]]]:
    """Each seat's points, and what its sets are worth when goddesses are tried as every icon."""
    facts, _ = facts_of(table.box.game)
    worth: list[dict[int, int]] = [{} for _ in range(table.box.players)]
    zones = table.list_zones()
    for zone, cards in zones.items():
        if zone.startswith("set") and not zone.endswith("down"):
            _, seat, number = zone.split()
            icons = [fields(table.box, copy)["icon"] for copy in cards]
            size = len(cards) + len(zones.get(f"{zone} down", ()))
            ordinary = [icon for icon in facts.copies if icon != facts.wild]
            best = max(Counter(mine if icon == facts.wild else icon for icon in icons)[mine] for mine in ordinary)
            worth[int(seat) - 1][int(number)] = size * best
    return list(zip(table.compute_scores(), worth, strict=True))


def test_legal_actions_are_those_of_the_rules() -> None:
    """Passes, sets and All-in sets on offer are the ones that the rules' arithmetic gives, in every situation."""
    seen = Counter[str]()
    for table in laws.tables(RULES, boxes(), 15):
        facts, switches = facts_of(table.box.game)

        def watch(now: Table, legal: tuple[int, ...], facts: Any = facts, switches: Any = switches) -> None:
            s = now.state
            if s.phase != Phase.ACTION:
                return
            zones = now.list_zones()
            hand = [fields(now.box, copy) for copy in zones[f"hand {s.seat + 1}"]]
            piles = {number: len(zones.get(f"pile {number}", ())) for number in facts.numbers}
            owned = {int(zone.split()[2]) for zone in zones if zone.startswith(f"set {s.seat + 1} ")}
            wanted = {f"pass {card['number']}{now.box.game.icons[card['icon']].letter}" for card in hand}
            for number in set(range(facts.modulus)) - owned:
                able = [c for c in hand if number in list_values(c["number"], piles[c["number"]], facts, switches)]
                if able and len(able) >= number:
                    wanted.add(f"play {number}")
                elif len(able) == len(hand) and number - len(hand) <= sum(piles.values()):
                    wanted.add(f"all-in {number}")
            written = [now.write_move(move) for move in legal]
            assert {text[:-1] if text.startswith("pass") else text for text in written} == wanted
            seen.update(text.split()[0] for text in written)

        laws.play(table, Random(table.seed.game), watch)
    assert min(seen["play"], seen["all-in"]) > 20, "the test must see plays"


@pytest.mark.parametrize(
    ("number", "able", "sizes"),
    [
        (6, ["6W", "6W", "6V", "6V", "6L", "6G", "6H", "5H"], [6]),
        (0, ["6W", "6W", "6V", "6V", "6L", "6G", "6H"], [1, 2, 3, 4, 5, 6]),
    ],
)
def test_picking_cards_reaches_every_set_once(number: int, able: list[str], sizes: list[int]) -> None:
    hand = ["6W", "6W", "6V", "6V", "6L", "6G", "6H", "5H"]
    given = {"hands": {1: hand}, "drawn": True, "piles": {6: 4, 5: 1}}
    table = Table.arrange(RULES, boxes()[0], Seed(1), given)
    table.apply(Move.PLAY + number)
    wanted = {tuple(sorted(some)) for size in sizes for some in combinations(able, size)}
    assert Counter(_sets_reached(table, number)) == dict.fromkeys(wanted, 1)


def _sets_reached(table: Table, number: int) -> list[tuple[str, ...]]:
    zone = f"set 1 {number}"
    if table.seat != 0 or not any(Move.CARD <= move <= Move.DONE for move in table.list_legal_moves()):
        cards = [fields(table.box, copy) for copy in table.list_zones()[zone]]
        return [tuple(sorted(f"{card['number']}{table.box.game.icons[card['icon']].letter}" for card in cards))]
    found = []
    for move in table.list_legal_moves():
        twin = table.clone()
        twin.apply(move)
        found += _sets_reached(twin, number)
    return found


def test_simulated_games_are_like_those_of_the_dossier() -> None:
    """With passes half of the time, games last 13.6 and 8.8 rounds, as they did for another program."""
    for box, rounds, sets in ((boxes()[0], 13.6, 4.8), (boxes()[1], 8.8, 3.5)):
        length = laid = 0
        for game in range(120):
            table, random = Table(RULES, box, Seed(77, game)), Random(game)
            while not table.is_over:
                legal = table.list_legal_moves()
                plays = [move for move in legal if move >= Move.PLAY] or list(legal)
                passes = [move for move in legal if move < Move.PLAY] or list(legal)
                table.apply(random.choice(plays if random.random() < 0.5 else passes))
            length += -(-table.state.turn // box.players)
            laid += sum(table.state.sets)
        assert length / 120 == pytest.approx(rounds, abs=0.3)
        assert laid / 120 / box.players == pytest.approx(sets, abs=0.3)


def test_a_set_promises_the_best_that_it_can_still_bring() -> None:
    seen = 0
    for table in laws.tables(RULES, boxes(), 12):
        facts = INTERPRETED.make_record(table.box.numbers)

        def watch(now: Table, legal: tuple[int, ...], facts: Any = facts) -> None:
            nonlocal seen
            if (
                any(Move.CARD <= move <= Move.DONE for move in legal)
                and len(now.list_zones()[f"hand {now.seat + 1}"]) < 8
            ):
                seen += 1
                best = max(_points_reached(now, now.seat))
                assert now.compute_scores()[now.seat] + best_promise(now.state, facts) == best, (now.seed, now.moves)
            elif legal and legal[0] // 1000 == 6:
                seen += 1
                brings = full_size(now.state, facts) * best_icon(facts, now.state.tally)
                assert now.compute_scores()[now.seat] + brings == _points_reached(now, now.seat)[0]

        laws.play(table, Random(table.seed.game), watch)
    assert seen > 20, "the test must see choices"


def _points_reached(table: Table, seat: int) -> list[int]:
    """The seat's points after each way to complete the set that it lays out."""
    if table.is_over or table.seat != seat or table.list_legal_moves()[0] < Move.CARD:
        return [table.compute_scores()[seat]]
    found = []
    for move in table.list_legal_moves():
        twin = table.clone()
        twin.apply(move)
        if (
            twin.list_legal_moves()
            and twin.list_legal_moves()[0] >= Move.DONE + 1000
            and twin.list_legal_moves()[0] // 1000 != 6
        ):
            found.append(twin.compute_scores()[seat])
        else:
            found += _points_reached(twin, seat)
    return found


def test_demand_is_what_lies_in_neither_deck() -> None:
    for table in laws.tables(RULES, boxes(), 2):
        facts, taken = INTERPRETED.make_record(table.box.numbers), [0]

        def watch(now: Table, _legal: tuple[int, ...], facts: Any = facts, taken: list[int] = taken) -> None:
            RULES.demand(now.state, facts, taken)
            zones = now.list_zones()
            assert taken[0] == 78 - len(zones.get("main", ())) - len(zones.get("end", ()))

        laws.play(table, Random(1), watch)
