"""Laws that hold for every game's rules, whatever is played: each function plays games and asserts one of them."""

from collections import Counter
from collections.abc import Callable, Iterable
from random import Random
from typing import Any

import pytest

from generator.rules.engine.contract import Box, Options, Rules
from generator.rules.engine.kernel import INTERPRETED, Mode, seed_chance
from generator.rules.engine.table import IllegalMove, Seed, Table, replay_game

MOST_MOVES = 20_000
"""A game longer than this doesn't end."""


def many(games: int) -> pytest.MarkDecorator:
    """So many games for a test that takes `games`: `make test` plays a fifth of them, `make release-check` all."""
    return pytest.mark.parametrize("games", [max(1, games // 5), pytest.param(games, marks=pytest.mark.release)])


def printed(box: Box) -> Counter[str]:
    """Every piece of the box, copies one by one, alike pieces by number."""
    return Counter(box.cards) + Counter(dict(box.counted))


def lying(table: Table) -> dict[str, int]:
    """Every piece that lies in some zone. Asked after every move, and a Counter takes twice the time."""
    found: dict[str, int] = {}
    for zone, pieces in table.list_zones().items():
        for piece, number in pieces.items():
            assert number > 0, (zone, piece, number)
            found[piece] = found.get(piece, 0) + number
    return found


def play(table: Table, random: Random, watch: Callable[[Table, tuple[int, ...]], None] = lambda *_: None) -> Table:
    """Random moves to the end; `watch` sees the table and its legal moves before each."""
    for _ in range(MOST_MOVES):
        if table.is_over:
            return table
        legal = table.list_legal_moves()
        assert legal, f"not a legal move in turn {table.state.turn}: seed {table.seed}, moves {table.moves}"
        assert list(legal) == sorted(set(legal))
        watch(table, legal)
        table.apply(random.choice(legal))
    raise AssertionError(f"no end after {MOST_MOVES} moves: seed {table.seed}")


def tables(rules: Rules, boxes: Iterable[Box], games: int, mode: Mode = INTERPRETED) -> Iterable[Table]:
    for box in boxes:
        for game in range(games):
            yield Table(rules, box, Seed(box.players, game), mode)


def check_conservation(rules: Rules, boxes: Iterable[Box], games: int) -> None:
    """After every move each printed piece lies in exactly one zone, and no law of the rules is broken."""
    seen = 0
    for table in tables(rules, boxes, games):
        wanted = dict(printed(table.box))
        facts = INTERPRETED.make_record(table.box.numbers)

        def watch(now: Table, _legal: tuple[int, ...], wanted: dict[str, int] = wanted, facts: Any = facts) -> None:
            nonlocal seen
            seen += 1
            assert lying(now) == wanted, (now.seed, now.moves)
            broken = rules.broken(now.state, facts)
            assert broken == 0, f"{rules.laws[broken - 1]}: {now.seed} {now.moves}"

        play(table, Random(table.seed.game), watch)
        watch(table, ())
        assert min(table.compute_places()) == 1 or table.box.players == 1
    assert seen > games, "the test must see moves"


def check_texts(rules: Rules, boxes: Iterable[Box], games: int) -> None:
    """Every legal move has a notation and a text of its own in every language."""
    seen = 0
    for table in tables(rules, boxes, games):

        def watch(now: Table, legal: tuple[int, ...]) -> None:
            nonlocal seen
            seen += len(legal)
            for texts in (
                [now.write_move(move) for move in legal],
                *([now.describe_move(move, lang) for move in legal] for lang in now.box.game.languages),
            ):
                assert all(text.strip() and "{" not in text for text in texts), texts
                assert len(set(texts)) == len(texts), sorted(texts)

        play(table, Random(table.seed.game), watch)
    assert seen, "the test must see texts"


def check_undo_save_replay(rules: Rules, boxes: Iterable[Box], games: int) -> None:
    """A clone, a replay and a resumed save are the same game; undo goes back to the deal; refusals change nothing."""
    for table in tables(rules, boxes, games):
        first = INTERPRETED.read_numbers(table.state)
        twin = table.clone()
        play(table, Random(table.seed.game))
        last = INTERPRETED.read_numbers(table.state)
        assert INTERPRETED.read_numbers(twin.state) == first

        again = replay_game(rules, table.box, table.seed, table.moves)
        kept = table.save()
        saved = replay_game(rules, table.box, Seed(*kept["seed"]), kept["moves"])
        assert INTERPRETED.read_numbers(again.state) == INTERPRETED.read_numbers(saved.state) == last

        before = INTERPRETED.read_numbers(again.state)
        with pytest.raises(IllegalMove):
            again.apply(-1)
        assert INTERPRETED.read_numbers(again.state) == before
        while again.moves:
            again.undo()
        assert INTERPRETED.read_numbers(again.state) == first


def check_modes_agree(rules: Rules, boxes: Iterable[Box], games: int, compiled: Mode) -> None:
    """Compiled and interpreted play agree in every field after every move."""
    compared = 0
    for box in boxes:
        for game in range(games):
            one, other = (Table(rules, box, Seed(box.players, game), mode) for mode in (INTERPRETED, compiled))
            random = Random(game)
            while not one.is_over:
                legal = one.list_legal_moves()
                assert legal == other.list_legal_moves()
                move = random.choice(legal)
                one.apply(move)
                other.apply(move)
                assert INTERPRETED.read_numbers(one.state) == compiled.read_numbers(other.state), (one.seed, one.moves)
                compared += 1
            assert (one.compute_scores(), one.compute_places()) == (other.compute_scores(), other.compute_places())
    assert compared, "the test must compare moves"


def check_blind(rules: Rules, boxes: Iterable[Box], games: int, hidden: Callable[[Table, int], set[str]]) -> None:
    """States that look alike to a seat become equal when mixed; what lies in hidden zones changes, nowhere else.

    `hidden` names the zones that a seat can't look into now. Each of them must be seen to change in some state.
    """
    open_zones, mixed, all_hidden = 0, set[str](), set[str]()
    for table in tables(rules, boxes, games):
        facts = INTERPRETED.make_record(table.box.numbers)

        def blinded(state: Any, chance: int, seat: int, facts: Any = facts) -> Any:
            copy = INTERPRETED.copy(state)
            seed_chance(copy.rng, chance, 5)
            rules.blind(copy, facts, seat)
            return copy

        def watch(now: Table, _legal: tuple[int, ...], blinded: Callable[..., Any] = blinded) -> None:
            nonlocal open_zones
            for seat in range(now.box.players):
                closed = hidden(now, seat)
                all_hidden.update(closed)
                first, second = blinded(now.state, 1, seat), blinded(now.state, 2, seat)
                one, other = blinded(first, 9, seat), blinded(second, 9, seat)
                assert INTERPRETED.read_numbers(one) == INTERPRETED.read_numbers(other), (seat, now.seed, now.moves)
                before, after = now.list_zones(), rules.zones(first, now.box)
                for zone in set(before) | set(after):
                    if zone in closed:
                        assert sum(before[zone].values()) == sum(after[zone].values()), zone
                        if before[zone] != after[zone]:
                            mixed.add(zone)
                    else:
                        assert before[zone] == after[zone], (zone, seat, now.seed, now.moves)
                        open_zones += 1

        play(table, Random(table.seed.game), watch)
    assert open_zones, "the test must see states"
    assert mixed == all_hidden, f"never mixed: {sorted(all_hidden - mixed)}"


def boxes_of(rules: Rules, game: Any, options: Options | None = None) -> list[Box]:
    return [rules.box(game, players, options or {}) for players in game.players]


def check_deal(rules: Rules, boxes: Iterable[Box], games: int) -> None:
    """Where rules have a deal of their own every piece has its place before play begins, and no law is broken."""
    assert rules.deal is not None
    for box in boxes:
        for game in range(games):
            table = Table.deal(rules, box, Seed(box.players, game))
            assert lying(table) == printed(box)
            assert table.state.turn == 0
            assert rules.broken(table.state, INTERPRETED.make_record(box.numbers)) == 0
