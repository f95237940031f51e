"""What holds for all five games alike: texts, readings, examples, deals, and the laws of play."""

import ast
import re
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from random import Random
from string import Formatter
from types import ModuleType
from typing import Any

import engine_laws as laws
import pytest
import yaml
from game_texts import check_markup, every_text, faces_of
from shipped_games import GAMES, SWEPT, game_and_rules, workshop
from tests_support import quick

from generator.game.model import Example
from generator.play.example_runs import find_example_faults, find_shown_choices
from generator.rules.engine.contract import Box, Message, Options, Rules
from generator.rules.engine.kernel import INTERPRETED, CompiledMode, seed_chance
from generator.rules.engine.settings import read_choices, read_settings
from generator.rules.engine.table import Seed, Table, move_text

ITEMS = {"items": ["lantern", "map", "radio", "camera", "rucksack", "tent"]}
MORE: dict[str, tuple[Options, ...]] = {"fortuna": ({"discard_key": "declared", "zero_all_in": True},), "journey18": (ITEMS,)}  # fmt: skip
"""Options that bring moves which a game does not have as it is."""


def boxes(name: str, options: Iterable[Options] = ({},)) -> tuple[Rules, list[Box]]:
    """Rules, and a box for each number of players with each of these options."""
    game, rules = game_and_rules(name)
    return rules, [box for chosen in options for box in laws.boxes_of(rules, game, chosen)]


@pytest.mark.parametrize(
    ("name", "least"), [("fortuna", 150), ("journey8", 500), ("journey18", 400), ("wayfaring", 700), ("xanadu", 1000)]
)
def test_every_text_is_well_formed_in_both_languages(name: str, least: int) -> None:
    game = workshop(name).game
    texts = every_text(game)
    assert len(texts) > least
    for text in texts:
        check_markup(game, text)


COMPOSED = yaml.safe_load((Path(__file__).parent / "composed_texts.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("name", "design"), [(name, design) for name, texts in COMPOSED.items() for design in texts])
def test_texts_are_composed_of_phrases(name: str, design: str) -> None:
    """Effects, conditions and curses read as a native writer would put them, in both languages."""
    faces = faces_of(workshop(name).game)
    for lang, wanted in COMPOSED[name][design].items():
        card = faces(design, lang)["card"]
        assert {field: card[field] for field in wanted} == wanted


@pytest.mark.parametrize(
    ("name", "last", "split", "switches"),
    [
        ("fortuna", 38, set(), 19),
        ("journey8", 28, {"E19b"}, 13),
        ("journey18", 37, {"E13b", "E20b"}, 21),
        ("wayfaring", 57, {"E19b"}, None),
        ("xanadu", 60, set(), 22),
    ],
)
def test_every_unclear_passage_has_a_reading(name: str, last: int, split: set[str], switches: int | None) -> None:
    """Each passage once, some in two parts; a switch is set to one of its choices, and the rules know every switch."""
    game = workshop(name).game
    assert split <= set(game.readings)
    assert sorted(int(reading[1:]) for reading in set(game.readings) - split) == list(range(1, last + 1))
    for reading in game.readings.values():
        assert len(reading.passage) <= 30
        assert reading.passage or name == "wayfaring", reading.id
        assert bool(reading.switch) == bool(reading.choices), reading.id
        assert not reading.switch or reading.value in reading.choices
    assert switches is None or len(game.switches) == switches


@pytest.mark.parametrize(
    ("name", "example"),
    [pytest.param(name, example, id=f"{name} {example.id}") for name in GAMES for example in workshop(name).game.examples],
)  # fmt: skip
def test_every_example_comes_out(name: str, example: Example) -> None:
    assert find_example_faults(workshop(name).game, game_and_rules(name)[1], example) == []


@pytest.mark.parametrize("name", GAMES)
def test_every_other_reading_has_an_example_in_words(name: str) -> None:
    """Something else comes out of it by the reading in force; its words stand beside the entry in the book of notes."""
    game, rules = game_and_rules(name)
    shown = find_shown_choices(game, rules)
    assert len(shown) >= 15
    told = {one.id for reading in game.readings.values() for one in game.list_examples_of(reading) if one.says}
    assert told <= {example for examples in shown.values() for example in examples}
    assert not [choice for choice, examples in shown.items() if not told & set(examples)]


@laws.many(200)
@pytest.mark.parametrize("name", ["fortuna", "journey8", "journey18", "wayfaring"])
def test_games_keep_all_pieces_and_laws(name: str, games: int) -> None:
    laws.check_conservation(*boxes(name), games)


@pytest.mark.parametrize(
    ("name", "games"),
    [("fortuna", 5), ("journey8", 30), ("journey18", 10), ("wayfaring", 1), pytest.param("wayfaring", 8, marks=pytest.mark.release)],
)  # fmt: skip
def test_texts_tell_moves_apart(name: str, games: int) -> None:
    laws.check_texts(*boxes(name, ({}, *MORE.get(name, ()))), games)


@pytest.mark.parametrize(("name", "games"), [("fortuna", 10), ("journey8", 20), ("journey18", 5), ("wayfaring", 6)])
def test_games_are_taken_back_saved_and_replayed(name: str, games: int) -> None:
    more = MORE.get(name, ()) if name == "journey18" else ()
    laws.check_undo_save_replay(*boxes(name, ({}, *more)), games)


def others(table: Table, seat: int, kind: str = "hand") -> set[str]:
    """The zones of this kind of all other seats."""
    return {f"{kind} {n + 1}" for n in range(table.box.players) if n != seat}


def in_wayfaring(table: Table, seat: int) -> set[str]:
    """Deck, other hands, and face-down cards that anybody placed; one's own too, unless owners may look (E12)."""
    peeking = bool(table.box.options.get("owner_may_peek"))
    return {"deck", *others(table, seat), *others(table, seat if peeking else -1, "ahead")}


PEEKING = {"owner_may_peek": True}
IN_RELEASE = (pytest.mark.slow, pytest.mark.release)


@pytest.mark.parametrize(
    ("name", "options", "games", "hidden"),
    [
        pytest.param("fortuna", [{}], 3, lambda table, seat: {"main", "end", *others(table, seat)} & set(table.list_zones()), marks=pytest.mark.slow),
        ("journey8", [{}], 10, lambda table, seat: {"deck"} | (set() if table.state.scoring else others(table, seat))),
        ("journey18", [{}, ITEMS, {"items": ["radio"], "radio": "named_moments"}], 8, lambda _table, _seat: set()),
        *(pytest.param("wayfaring", [chosen], 1, in_wayfaring, marks=pytest.mark.slow) for chosen in ({}, PEEKING)),
        *(pytest.param("wayfaring", [chosen], games, in_wayfaring, marks=IN_RELEASE) for chosen, games in (({}, 5), (PEEKING, 3))),
    ],
)  # fmt: skip
def test_what_is_hidden_stays_hidden(name: str, options: Any, games: int, hidden: Any) -> None:
    """States that look alike to a seat become equal. In journey8 hands lie open while points are counted."""
    laws.check_blind(*boxes(name, options), games, hidden)


PLAYED = {"fortuna": 10, "journey8": 20, "journey18": 10, "wayfaring": 7}
"""Games for each other reading; Xanadu's are played in its own tests, without looking at every move."""


def other_readings() -> Iterator[Any]:
    """Every value of a switch that is not in force, every variant; a fifth of the games, all of them for a release."""
    for name, games in PLAYED.items():
        game, now = workshop(name).game, read_settings(workshop(name).game)
        chosen: list[Options] = [
            {switch: value}
            for switch, values in read_choices(game).items()
            for value in values
            if value != now[switch] and f"{switch}: {value}" not in game_and_rules(name)[1].unplayable
        ]
        chosen += [variant["sets"] for variant in game.sections["rules"].get("variants", ()) if "sets" in variant]
        for options in chosen:
            # Players who play at random never finish where nobody drops out.
            number = 1 if "fainting" in options else games
            yield pytest.param(name, options, max(1, number // 5), id=f"{name} {dict(options)}")
            yield pytest.param(name, options, number, id=f"{name} {dict(options)}, all", marks=pytest.mark.release)


@pytest.mark.parametrize(("name", "options", "games"), list(other_readings()))
def test_every_reading_and_variant_can_be_played(name: str, options: Options, games: int) -> None:
    more = [{**ITEMS, **options}] if name == "journey18" else []
    rules, opened = boxes(name, [options, *more])
    laws.check_conservation(rules, opened, games)
    if name == "journey8":
        laws.check_texts(rules, opened, max(1, games // 10))


COMPILED: list[tuple[str, list[Options], int]] = [
    ("fortuna", [{}], 20),
    ("fortuna", [{"discard_key": "declared", "wheel_trigger": "any_discard", "allin_source": "random", "zero_all_in": True}], 3),
    ("fortuna", [{"end_pile_exhausted": "immediate", "refill_counts": "set_size", "turn_draw_after_trigger": False}], 3),
    ("journey8", [{}], 20),
    ("journey8", [{"joker_memory": "keep_declared", "event_order": "by_number", "pair_discard": "colour", "supply": "finite"}], 5),
    ("journey18", [{}, ITEMS, {"items": ["map"], "memory_direction": "per_step", "green_copies_green": "chain"}], 7),
    ("wayfaring", [{}], 7),
    ("xanadu", [{}, {"style": "advanced"}], 3),
    ("xanadu", [{"worker_shortage": "recall", "dispatch_fill": "after_turn", "daily_model": "one_shot", "style": "advanced"}], 3),
]  # fmt: skip
"""To compile takes many times as long as to play, so that only a release tries all of them."""


@pytest.mark.parametrize(
    ("name", "options", "games"),
    [
        pytest.param(*case, marks=getattr(pytest.mark, "slow" if case[0] == "fortuna" else "release"))
        for case in COMPILED
    ],
)
def test_compiled_and_interpreted_play_agree(
    request: pytest.FixtureRequest, name: str, options: list[Options], games: int
) -> None:
    pytest.importorskip("numba", reason="the extra `fast` is not installed")
    compiled, (rules, opened) = CompiledMode(request.getfixturevalue("kernels")), boxes(name, options)
    laws.check_modes_agree(rules, opened, games, compiled)
    if (name, options) == ("fortuna", [{}]):
        game = workshop(name).game
        compilable = [example for example in game.examples if "ten_value" not in example.options]
        assert not any(find_example_faults(game, rules, example, compiled) for example in compilable)


@pytest.mark.parametrize("name", GAMES)
def test_phrases_name_the_same_things_in_every_language(name: str) -> None:
    game = workshop(name).game
    for phrase, words in {**game.moves, **{zone: entry.name for zone, entry in game.zones.items()}}.items():
        named = [{part[1] for part in Formatter().parse(words[lang]) if part[1]} for lang in game.languages]
        assert named.count(named[0]) == len(named), phrase


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("fortuna", [*(f"F-{n:02}" for n in (1, 2, 3, 4, 6, 7, 9, 10, 12, 14, 15, 17, 18, 20, 21, 22, 24, 26, 27, 29)), *(f"A-{n}" for n in range(1, 7))]),
        ("journey18", [f"X{n}" for n in (1, 2, 3, 4, 5, 6, 7, 9, 10, 12, 13, 14, 15, 17, 18, 20, 22, 23, 25, 26, 27, 28, 30, 31)]),
        ("journey8", [f"Y{n}" for n in (1, 2, 3, 5, 7, 8, 9, 11, 13, 14, 15, 17, 19, 21, 23, 24, 25, 26)]),
        ("wayfaring", [f"T-{n:02}" for n in (1, 3, 4, 5, 6, 8, 10, 11, 13, 15, 17, 19, 21, 22, 23, 24, 25, 26, 27, 28)]),
    ],
)  # fmt: skip
def test_all_worked_examples_of_the_dossier_are_there(name: str, wanted: list[str]) -> None:
    examples = workshop(name).game.examples
    assert set(wanted) <= {match[0] for example in examples if (match := re.match(r"[A-Z]+-?\d+", example.id))}
    assert all(example.says for example in examples if re.match(r"F-\d\d$", example.id))


DEALT = ("fortuna", "journey18", "journey8", "wayfaring")
"""The games whose set-up plays on to the first choice. Xanadu's ends with one, that of a company."""


@pytest.mark.parametrize("name", DEALT)
def test_every_piece_has_its_place_before_play_begins(name: str) -> None:
    laws.check_deal(*boxes(name), 20)


@pytest.mark.parametrize("name", DEALT)
def test_hands_are_as_dealt(name: str) -> None:
    (rules, opened), hand = boxes(name), workshop(name).game.sections["rules"]["hand"]
    for box in opened:
        dealt = Table.deal(rules, box, Seed(7)).list_zones()
        hands = [sum(pieces.values()) for zone, pieces in dealt.items() if zone.split()[0] == "hand"]
        assert hands == [hand] * box.players


@pytest.mark.parametrize("name", DEALT)
def test_the_game_goes_on_from_the_deal(name: str) -> None:
    """With equal seeds the first player begins with the cards that were dealt, and in three games has drawn others."""
    rules, opened = boxes(name)
    for box in opened:
        zone = "hand" if box.players == 1 else "hand 1"
        for game in range(10):
            dealt, begun = (open_(rules, box, Seed(7, game)).list_zones()[zone] for open_ in (Table.deal, Table))
            assert dict(dealt).items() <= dict(begun).items()
            assert (len(begun) > len(dealt)) == (name != "wayfaring")  # there the draw itself is a choice


def written(module: ModuleType) -> Iterator[str]:
    """The phrases that a game's modules name: where something is said, and in tables of the module that tells."""
    for path in Path(str(module.__file__)).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "Message" and node.args:
                one = node.args[0]
                for phrase in (one.body, one.orelse) if isinstance(one, ast.IfExp) else (one,):
                    if isinstance(phrase, ast.Constant):
                        yield str(phrase.value)
    for name, table in vars(module).items():
        if (
            name not in ("UNPLAYABLE", "NOTATION")  # no phrases: options, words of the notation
            and isinstance(table, dict)
            and all(isinstance(phrase, str) for phrase in table.values())
        ):
            yield from (phrase for phrase in table.values() if "." not in phrase)


@pytest.mark.parametrize("name", quick(GAMES, *(name for name in GAMES if name != "xanadu")))
def test_all_phrases_have_words(name: str) -> None:
    game, rules = game_and_rules(name)
    assert rules.observe is not None
    assert rules.follow is not None
    assert len(found := set(written(import_module(rules.follow.__module__)))) > 10, "the test must see phrases"
    assert found - set(game.moves) == set()
    told: dict[str, Message] = {}
    look, follow = rules.observe, rules.follow

    def watch(now: Table, _legal: tuple[int, ...]) -> None:
        sight = look(now.state, now.box, now.seat)
        for said in (*sight.status, *sight.facts.values(), *follow(now.previous_state, now.state, now.box, now.seat)):
            told.setdefault(said.phrase, said)

    for table in laws.tables(rules, laws.boxes_of(rules, game)[:2], 3):
        laws.play(table, Random(table.seed.game), watch)
        watch(table, ())
    for said in told.values():
        for lang in game.languages:
            assert "{" not in move_text(game, said, lang)
    assert len(told) > 5, "the test must see phrases"


@pytest.mark.parametrize("name", SWEPT)
def test_every_situation_is_the_same_compiled(name: str, tmp_path: Path) -> None:
    """Numbers that a record gives back are good wherever those of the data are: nothing has to be compiled to see it."""
    pytest.importorskip("numba", reason="the extra `fast` is not installed")
    (game, rules), compiled = game_and_rules(name), CompiledMode(str(tmp_path))
    assert game.examples, "the test must see situations"
    for example in game.examples:
        box = rules.box(game, example.players, example.options)
        numbers = []
        for mode in (INTERPRETED, compiled):
            state = mode.make_record(rules.state(box))
            state.players = box.players
            seed_chance(state.rng, 1, 2)
            rules.arrange(state, box, example.given)
            numbers.append(mode.read_numbers(state))
        assert numbers[0] == numbers[1], example.id
