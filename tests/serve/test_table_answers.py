"""The table's answers: legal moves as the rules have them, saves as `pnp play` writes them, and nobody's secrets."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from table_cases import GAMES, ask, base_36, packed, room, seen_by
from tests_support import quick

from generator.base.errors import ProblemsFound
from generator.books.rulebook.piece_pictures import PieceFaces
from generator.books.rulebook.table_layout import BoardSpaces
from generator.drawing.faces.game_drawing import Workshop
from generator.live.table_answers import LentGame
from generator.live.table_places import PlaceMaker
from generator.live.table_request import LARGEST_MOVE, parse_request
from generator.live.table_view import list_choices, view_table
from generator.play.play_setup import (
    Seating,
    format_saved_game,
    resume_saved_game,
    resume_saved_text,
    set_up_human_game,
)
from generator.play.series import MOST_MOVES
from generator.rules.engine.table import Seed, Table

STEPS = 30
"""Choices of a random game that are looked at."""

MOST = 400
"""Choices within which a game of one person must have ended."""


def lent(name: str) -> LentGame:
    """The game as the gallery lends it to the table."""
    found = room(name)._lend(name)
    assert found is not None
    return found


def table_of(name: str) -> Table:
    """The same game as `ask` plays, on a table of its own."""
    game, rules = lent(name).workshop.game, room(name)._find_rules(lent(name))[0]
    assert rules is not None
    return Table(rules, rules.box(game, GAMES[name], {}), Seed(1, 3))


@pytest.mark.parametrize("name", quick(GAMES, *(name for name in GAMES if name != "xanadu")))
def test_the_moves_shown_are_the_legal_ones(name: str) -> None:
    """At every step of a random game the page offers exactly what the rules allow, in the rules' words, each once."""
    chance, moves, played = Random(name), list[int](), table_of(name)
    for _ in range(STEPS):
        told = ask(name, moves=moves)
        for move in told["moves"][len(played.moves) :]:
            played.apply(move)
        if played.is_over:
            assert told["over"] and not told["choices"]
            break
        shown = [(one["move"], one["short"], one["text"]) for one in told["choices"]]
        assert shown == [
            (move, played.write_move(move), played.describe_move(move, "en")) for move in played.list_legal_moves()
        ]
        assert told["seat"] == played.seat + 1 == 1
        moves = [*told["moves"], chance.choice(told["choices"])["move"]]
    assert len(moves) > 5, "the test must see a game"


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_every_piece_that_is_seen_lies_somewhere(name: str) -> None:
    moves: list[int] = []
    chance = Random(name)
    for _ in range(STEPS // 3):
        told = ask(name, moves=moves)
        if told["over"]:
            break
        played = table_of(name)
        for move in told["moves"]:
            played.apply(move)
        places = told["places"].values()
        pieces = [piece for place in places for cell in place["cells"] for piece in cell["pieces"] if cell["zone"]]
        pieces += [piece for place in places for piece in place["on"] if piece["zone"]]
        plan = lent(name).workshop.game.tabletop
        elsewhere = sum(sum(one.pieces.values()) for one in plan.places.values() if one.out_of) if plan else 0
        wanted = sum(lying.number for there in played.observe(0).zones.values() for lying in there)
        assert sum(piece["n"] for piece in pieces) == wanted - elsewhere
        keys = {piece["key"] for piece in pieces}
        zones = {cell["zone"] for place in places for cell in (*place["cells"], *place["spaces"])}
        for choice in told["choices"]:
            assert set(choice["pieces"]) <= keys, choice
            assert set(choice["zones"]) <= zones, choice
        moves = [*told["moves"], chance.choice(told["choices"])["move"]]


def lids_on(told: dict[str, Any], row: str) -> list[tuple[str, list[float]]]:
    """The lids on a row of one's own company board: the board's space and where on the board."""
    on = told["places"]["company 1"]["on"]
    return [(piece["space"], piece["matrix"]) for piece in on if piece["zone"] == f"lids 1 {row}"]


@pytest.mark.slow  # sets up a large game
def test_a_lid_lies_on_the_row_that_it_covers() -> None:
    """A lid comes off its own row of Xanadu's company board, the leftmost first, and its move begins with that row's."""
    moves, rows = list[int](), set[str]()
    for _ in range(MOST):
        told = ask("xanadu", moves=moves)
        if told["over"]:
            break
        lids = [one for one in told["choices"] if one["short"].split()[0] == "lid"]
        chosen = (lids or told["choices"])[-1]
        moves = [*told["moves"], chosen["move"]]
        if not lids:
            continue
        row = chosen["short"].split()[1]
        rows.add(row)
        assert f"dispatch/dispatch@lids 1 {row}" in chosen["pieces"] or row == "skill", chosen
        before, after = lids_on(told, row), lids_on(ask("xanadu", moves=moves), row)
        assert {space for space, _ in before} == {f"lids-{row}"}
        places = sorted(matrix for _, matrix in before)
        assert sorted(matrix for _, matrix in after) == sorted(places, key=lambda matrix: matrix[4])[1:]
    assert len(rows) > 1, "the test must see lids come off several rows"


def shown_at(name: str, table: Table, eyes: tuple[int, ...]) -> Any:
    """All that the page gets of how a table stands, for these eyes."""
    sight = view_table(table, eyes, "en")
    choices = list_choices(table, sight, "en") if table.seat in eyes and not table.is_over else []
    workshop: Workshop = lent(name).workshop
    zones = list(dict.fromkeys(zone for choice in choices for zone in choice.zones))
    spots = BoardSpaces(PieceFaces(workshop, "en", []))
    made = PlaceMaker(table.box.game, sight.zones, table.box.players, eyes[0] + 1, zones, "en", spots).make_places()
    return [made, [(choice.move, choice.text, choice.pieces, choice.zones) for choice in choices], sight.observation]


@pytest.mark.slow
@pytest.mark.parametrize("name", quick(["fortuna", "journey8", "wayfaring", "xanadu"], "fortuna", "wayfaring"))
def test_nothing_that_a_seat_can_not_know_leaves_the_server(name: str) -> None:
    """However the hidden pieces are mixed, the answer for a seat stays the same: it can't hang on what is hidden."""
    table, chance = table_of(name), Random(name)
    looked = 0
    while not table.is_over and looked < 25:
        for seat in range(table.box.players):
            real = shown_at(name, table, (seat,))
            for mixed in (1, 2):
                assert shown_at(name, table.copy_as_seen(seat, mixed), (seat,)) == real, (seat, len(table.moves))
        looked += 1
        for _ in range(3):
            if not table.is_over:
                table.apply(chance.choice(table.list_legal_moves()))


@pytest.mark.parametrize("name", ["fortuna", "wayfaring"])
def test_between_two_people_neither_hand_is_shown(name: str) -> None:
    told = ask(name, people="1,2", eyes="1")
    assert told["call"] == 0 and told["eyes"] == 1
    chance = Random(7)
    for _ in range(30):
        if told["call"] or told["over"]:
            break
        told = ask(name, moves=[*told["moves"], chance.choice(told["choices"])["move"]], people="1,2", eyes="1")
    assert told["call"] == 2 and told["choices"] == [] and "2" in told["call_text"]
    played = table_of(name)
    for move in told["moves"]:
        played.apply(move)
    held = {piece for seat in (1, 2) for piece in played.list_zones().get(f"hand {seat}", {})}
    assert held, "the test must see hands"
    assert not [piece for piece in held if f'"{piece}"' in json.dumps(seen_by(told))]
    there = ask(name, moves=told["moves"], people="1,2", eyes="2")
    assert there["choices"] and there["call"] == 0
    own = played.list_zones()["hand 2"]
    assert all(f'"{piece}"' in json.dumps(there["places"]) for piece in own)


@pytest.mark.parametrize("name", quick(GAMES, *(name for name in GAMES if name != "xanadu")))
def test_a_save_is_that_of_play(name: str, tmp_path: Path) -> None:
    """The page's file is, to the last character, the one that `pnp play --save` writes; each reads the other's."""
    chance, moves = Random(name), list[int]()
    for _ in range(8):
        told = ask(name, moves=moves)
        if told["over"]:
            break
        moves = [*told["moves"], chance.choice(told["choices"])["move"]]
    told = ask(name, moves=moves)
    text = ask(name, "save", moves=told["moves"])["text"]

    game, rules = lent(name).workshop.game, room(name)._find_rules(lent(name))[0]
    assert rules is not None
    sitting = set_up_human_game(game, rules, Seating(GAMES[name], (1,), "random", Seed(1, 3)))
    sitting.replay_moves(told["moves"])
    assert text == format_saved_game(sitting)
    file = tmp_path / "game.json"
    file.write_text(text, encoding="utf-8")
    assert resume_saved_game(game, rules, file).table.moves == told["moves"]
    assert resume_saved_text(game, rules, text, "it").table.moves == told["moves"]
    found = ask(name, "resume", saved=text)
    assert (found["moves"], found["people"], found["seed"]) == (told["moves"], [1], "1/3")
    short = json.dumps(json.loads(text))
    assert ask(name, "resume", saved=short) == found, "a page writes the file anew, shorter"


@pytest.mark.slow
def test_a_shelf_changes_no_answer() -> None:
    """Whatever was asked before: forward, back and sideways the answer is that of a server that has just begun."""
    first = ask("fortuna")
    one = ask("fortuna", moves=[*first["moves"], first["choices"][0]["move"]])
    two = ask("fortuna", moves=[*one["moves"], one["choices"][-1]["move"]])
    assert ask("fortuna", moves=first["moves"]) == first
    other = ask("fortuna", moves=[*first["moves"], first["choices"][1]["move"]])
    assert other["moves"] != one["moves"]
    assert ask("fortuna", moves=two["moves"]) == two
    room.cache_clear()
    assert ask("fortuna", moves=two["moves"]) == two


def test_bots_can_be_watched_one_by_one() -> None:
    told = ask("fortuna")
    moves = [*told["moves"], told["choices"][0]["move"]]
    whole = ask("fortuna", moves=moves)
    step = ask("fortuna", moves=moves, most="0")
    assert step["moves"] == moves and step["more"]
    while step["more"]:
        before = len(step["moves"])
        step = ask("fortuna", moves=step["moves"], most="1")
        assert len(step["moves"]) == before + 1
    assert step == whole


def test_undo_goes_to_the_last_choice_of_a_person() -> None:
    told = ask("fortuna")
    assert told["undo"] == -1
    begun = told["moves"]
    told = ask("fortuna", moves=[*begun, told["choices"][0]["move"]])
    assert told["undo"] == len(begun) < len(told["moves"]) - 1


def test_bots_differ_by_seat() -> None:
    games = {bots: ask("journey8", people="", bots=bots)["moves"] for bots in ("random", "greedy", "random,greedy")}
    assert len({tuple(moves) for moves in games.values()}) == 3
    text = ask("journey8", "save", moves=games["random,greedy"], people="", bots="random,greedy")["text"]
    assert json.loads(text)["bot"] == "random,greedy"
    assert ask("journey8", "resume", saved=text)["moves"] == games["random,greedy"]


def test_a_hint_is_a_legal_move_and_the_same_again() -> None:
    told = ask("fortuna")
    found = ask("fortuna", "hint", moves=told["moves"], bot="greedy")
    assert found["move"] in [choice["move"] for choice in told["choices"]]
    assert ask("fortuna", "hint", moves=told["moves"], bot="greedy") == found
    assert ask("fortuna", moves=told["moves"]) == told


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"moves": "1.-x"}, "moves=1.-x is not valid"),
        ({"moves": base_36(999999)}, "move 1: 999999 is not a legal move"),
        ({"moves": ".".join(["1"] * 5001)}, "5001 moves are more than a game has"),
        ({"players": "9"}, "is a game for 3 to 4 players, not for 9"),
        ({"people": "7"}, "there is no seat 7"),
        ({"bots": "clever"}, "unknown bot 'clever'"),
        ({"bots": "greedy,greedy"}, "2 bots for 3 seats"),
        ({"seed": "one"}, "'one' is not a seed"),
        ({"option": "zero_set_max"}, "is not an option"),
        ({"option": "ten_value=eleven"}, "ten_value does not allow 'eleven'"),
        ({"eyes": "1,2"}, "eyes=1,2 is not valid"),
        ({"bots": "greedy,search:5001,random"}, "'search:5001' takes too long at a table; write search:5000 or less"),
        ({"bot": "search:100000"}, "'search:100000' takes too long at a table; write search:5000 or less"),
    ],
)
def test_a_bad_question_is_told(more: dict[str, str], said: str) -> None:
    query = {name: [value] for name, value in {"players": "3", "people": "1", "seed": "1/3", **more}.items()}
    with pytest.raises(ProblemsFound, match=said.replace("(", r"\(")):
        room("fortuna").answer("fortuna", "at", query)


@pytest.mark.parametrize(
    ("saved", "said"),
    [
        ("", "this is not a complete saved game"),
        ("{", "this is not a complete saved game"),
        ("[1]", "this is not a saved game"),
        ('{"digest": "0"}', "the saved game was edited"),
    ],
)
def test_a_bad_file_is_told(saved: str, said: str) -> None:
    with pytest.raises(ProblemsFound, match=said):
        ask("fortuna", "resume", saved=saved)


def test_a_hint_asks_a_bot_that_there_is() -> None:
    with pytest.raises(ProblemsFound, match="unknown bot 'wise'"):
        ask("fortuna", "hint", bot="wise")
    with pytest.raises(ProblemsFound, match="no player has to choose"):
        ask("fortuna", "hint", people="")


def test_what_there_is_not_is_not_answered() -> None:
    assert room("fortuna").answer("nothing", "at", {}) is None
    assert room("fortuna").answer("fortuna", "everything", {}) is None


def test_the_table_speaks_the_languages_of_the_game() -> None:
    told = ask("fortuna", lang="ja")
    assert "パスする" in told["choices"][0]["text"]
    setup = ask("fortuna", "setup", lang="ja")
    assert setup["words"]["undo"] == "一手戻す" and setup["lang"] == "ja"
    assert ask("fortuna", "setup", lang="fr")["lang"] == "ja"


def test_the_longest_game_fits_into_an_address() -> None:
    """As many moves as a game may have, each as large as it may be, take less than the 64 kB that a server reads."""
    told = packed([LARGEST_MOVE] * MOST_MOVES)
    assert len(told) < 63_000
    assert parse_request({"moves": [told]}).moves == (LARGEST_MOVE,) * MOST_MOVES


def test_the_end_says_who_lost_and_why() -> None:
    """Who plays alone is told that he lost and by what, with points and without a place among others."""
    told, chance = ask("journey18"), Random(1)
    while not told["over"]:
        told = ask("journey18", moves=[*told["moves"], chance.choice(told["choices"])["move"]])
    assert told["result"] == ["You lost", "player 1: 0 points"]
    assert told["reasons"] == ["the deck has no card to draw: you lose"]


def test_one_point_is_no_points() -> None:
    assert ask("fortuna", "setup")["words"]["points_one"] == "1 point"


@pytest.mark.parametrize(
    ("lang", "names"), [("en", ("Your area", "Player 2’s area")), ("ja", ("自分の場", "プレイヤー2の場"))]
)
def test_another_players_area_is_named_after_that_player(lang: str, names: tuple[str, str]) -> None:
    places = ask("wayfaring", lang=lang)["places"]
    assert (places["area 1"]["name"], places["area 2"]["name"]) == names
