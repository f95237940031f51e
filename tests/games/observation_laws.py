"""What a seat can't tell apart looks the same to it, whatever is played: each function plays games and asserts that."""

from collections import Counter
from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

from engine_laws import MOST_MOVES, tables

from generator.game.model import Design
from generator.play.bot_registry import TableBots
from generator.play.table_text import MoveReporter, player_name, seat_view
from generator.rules.engine.contract import Box, Rules
from generator.rules.engine.kernel import INTERPRETED, seed_chance
from generator.rules.engine.table import Seed, Table

READ = 10
"""Lines are made of what is observed, so that one reading in so many is enough."""


def states(rules: Rules, boxes: Iterable[Box], games: int, share: int) -> Iterator[tuple[Table, Random]]:
    """Tables in random games: one state of `share` on average, the first and the last of each game always."""
    for table in tables(rules, boxes, games):
        random = Random(table.seed.game)
        for number in range(MOST_MOVES):
            if table.is_over:
                break
            if number == 0 or random.randrange(share) == 0:
                yield table, random
            table.apply(random.choice(table.list_legal_moves()))
        yield table, random


def check_sights(rules: Rules, boxes: Iterable[Box], games: int, share: int) -> None:
    """Two states that differ in what a seat can't see are one to it: what it observes and reads, and what it may do.

    What it observes is true, and what is kept from it really differs in some state.
    """
    compared, kept, mixed = 0, set[str](), set[str]()
    for table, random in states(rules, boxes, games, share):
        zones = table.list_zones()
        for seat in range(table.box.players):
            other = table.copy_as_seen(seat, random.getrandbits(32))
            sight = table.observe(seat)
            assert sight == other.observe(seat), (seat, table.seed, table.moves)
            lang = random.choice(table.box.game.languages)
            if random.randrange(READ) == 0:
                assert seat_view(table, seat, lang) == seat_view(other, seat, lang)
            if table.seat == seat and not table.is_over:
                assert table.list_legal_moves() == other.list_legal_moves()
                for move in table.list_legal_moves():
                    assert table.write_move(move) == other.write_move(move)
                    assert table.describe_move(move, lang) == other.describe_move(move, lang)
            for zone, there in sight.zones.items():
                assert sum(heap.number for heap in there) == sum(zones[zone].values()), zone
                assert all(zones[zone][heap.piece] >= heap.number for heap in there if heap.piece), zone
            closed = {zone for zone, there in sight.zones.items() if not all(heap.piece for heap in there)}
            elsewhere = other.list_zones()
            assert all(list(zones[zone]) == list(elsewhere[zone]) for zone in zones if zone not in closed)
            kept |= closed
            mixed |= {zone for zone in closed if list(zones[zone]) != list(elsewhere[zone])}
            compared += 1
    assert compared > 50, "the test must see states"
    assert kept == mixed, f"kept from a seat for nothing: {sorted(kept - mixed)}"


def check_tellings(rules: Rules, boxes: Iterable[Box], games: int, share: int, tried: int = 4) -> None:
    """Choices of one kind that lead to what a seat can't tell apart are told to it in the same words.

    Those may differ where both name what it saw before: which of two open cards is used first.
    """
    grouped = 0
    for table, random in states(rules, boxes, games, share):
        others = [seat for seat in range(table.box.players) if seat != table.seat]
        if table.is_over or not others:
            continue
        seat, lang = random.choice(others), random.choice(table.box.game.languages)
        facts = INTERPRETED.make_record(table.box.numbers)
        known = {heap.piece.split("#")[0] for there in table.observe(seat).zones.values() for heap in there}
        told: dict[Any, dict[tuple[str, ...], bool]] = {}
        for start in (table.clone(), *(table.copy_as_seen(seat, random.getrandbits(32)) for _ in range(2))):
            for move in random.sample(start.list_legal_moves(), min(tried, len(start.list_legal_moves()))):
                now = start.clone()
                said = rules.say(now.state, now.box, move)
                named = {value.id for value in said.values.values() if isinstance(value, Design)}
                (line,) = MoveReporter(now, (seat,), lang).make_move(move).values()
                result = INTERPRETED.copy(now.state)
                seed_chance(result.rng, 9, 9)
                rules.blind(result, facts, seat)
                key = (said.phrase, repr(INTERPRETED.read_numbers(result)))
                words = tuple(line.format_lines(lang))
                told.setdefault(key, {})[words] = bool(named) and named <= known
                grouped += 1
        for words_of in told.values():
            assert len(words_of) == 1 or all(words_of.values()), (seat, table.seed, table.moves, sorted(words_of))
    assert grouped > 50, "the test must see moves of others"


def check_callings(rules: Rules, boxes: Iterable[Box], games: int, share: int, tried: int = 4) -> None:
    """Who chooses next tells a seat nothing: it is the same in all states that the seat can't tell apart."""
    compared = 0
    for table, random in states(rules, boxes, games, share):
        for seat in range(table.box.players):
            if table.is_over or seat == table.seat:
                continue
            called: dict[str, set[int]] = {}
            for start in (table, *(table.copy_as_seen(seat, random.getrandbits(32)) for _ in range(4))):
                for move in random.sample(start.list_legal_moves(), min(tried, len(start.list_legal_moves()))):
                    now = start.clone()
                    (line,) = MoveReporter(now, (seat,), "en").make_move(move).values()
                    key = repr((tuple(line.format_lines("en")), now.observe(seat)))
                    if not now.is_over:
                        called.setdefault(key, set()).add(now.seat)
                        compared += 1
            assert all(len(seats) == 1 for seats in called.values()), (seat, table.seed, table.moves)
    assert compared > 50, "the test must see moves of others"


def check_bots(rules: Rules, boxes: Iterable[Box], games: int, bots: Counter[str]) -> None:
    """Bots choose alike in states that their seat can't tell apart, from the same chances; so many states for each."""
    left = bots.copy()
    for table, random in states(rules, boxes, games, 2):
        if table.is_over or len(table.list_legal_moves()) < 2:
            continue
        other = table.copy_as_seen(table.seat, random.getrandbits(32))
        for bot in [name for name, number in left.items() if number > 0]:
            left[bot] -= 1
            seated = [TableBots(rules, table.box, Seed(7), (bot,)) for _ in range(2)]
            chosen = [
                one.choose(now.state, table.list_legal_moves()) for one, now in zip(seated, (table, other), strict=True)
            ]
            assert chosen[0] == chosen[1], (bot, table.seed, table.moves)
    assert not any(number > 0 for number in left.values()), f"the test must see choices: {left}"


def played(table: Table) -> Table:
    """The table after random moves to its end."""
    random = Random(table.seed.game)
    while not table.is_over:
        table.apply(random.choice(table.list_legal_moves()))
    return table


def says(seat: int, line: str, lang: str) -> bool:
    """Whether a line of a transcript tells of this seat's choice."""
    return line[4:].startswith(f"  {player_name(seat, lang)}  ")
