"""The game at the terminal and who sits at it."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from small_games import BOXES, GAME, higher

from generator.base.languages import count_columns
from generator.game.data_fields import ZoneEntry
from generator.game.rich_text import Words
from generator.play.batch import MatchRunner
from generator.play.bot_registry import list_bot_names
from generator.play.human_game import Answer, HumanGame, Terminal
from generator.play.table_text import WIDTH, pad_text, seat_view, write_transcript, zone_lines
from generator.rules.engine import table as observing
from generator.rules.engine.contract import Supply, Zones
from generator.rules.engine.kernel import INTERPRETED, kernel
from generator.rules.engine.table import IllegalMove, Seed, Table

ZONED = replace(
    GAME,
    zones={
        "hand": ZoneEntry("hand", Words({"ja": "手札{n}", "en": "hand of {n}"})),
        "deck": ZoneEntry("deck", Words({"ja": "山", "en": "stock"})),
    },
)
BOX = higher.RULES.box(ZONED, 3, {})


FIRST = Seed(1, 0)


def terminal(people: tuple[int, ...] = (0,), lang: str = "en", seed: Seed = FIRST) -> tuple[Terminal, HumanGame]:
    sitting = HumanGame(Table(higher.RULES, BOX, seed), people, "greedy")
    return Terminal(sitting, lang), sitting


def text(answer: Answer) -> str:
    return "\n".join(answer.lines)


def called(shown: Terminal, answer: Answer) -> Answer:
    """What the next person reads once he has come to the screen."""
    return shown.answer("") if answer.clear else answer


def own(sitting: HumanGame) -> list[str]:
    """The names of the cards in the hand of the seat that chooses."""
    hand = sitting.table.list_zones()[f"hand {sitting.table.seat + 1}"]
    return [f"the {copy.split('/c')[1].split('#')[0]}" for copy in hand]


def test_the_opening_shows_game_hand_and_choices() -> None:
    """Title and seed, the own hand by name, what is hidden by number, and each legal move with number and words."""
    shown, sitting = terminal()
    lines = shown.show_opening().lines

    assert lines[0] == "card, draft 1: players 3, seed 1/0"
    assert f"  hand of 1: {', '.join(own(sitting))}" in lines
    assert "  hand of 2: 3 unseen" in lines
    assert "  stock: 11 unseen" in lines
    written = [sitting.table.write_move(move) for move in sitting.table.list_legal_moves()]
    offered = lines[-4:-1]
    assert [line.split("  ")[1:2] for line in (one.strip() for one in offered)] == [[one] for one in written]
    assert [line.strip().split(" ")[0] for line in offered] == ["1", "2", "3"]
    assert all(name in line for name, line in zip(own(sitting), offered, strict=True))
    assert lines[-1] == "player 1, type a number or a notation (? for help)."


def test_japanese_speaks_japanese_throughout() -> None:
    lines = terminal(lang="ja")[0].show_opening().lines
    assert lines[0] == "札　草案1　3人　シード 1/0"
    assert "  山: 見えないもの11" in lines
    assert lines[-1] == "プレイヤー1、番号か記号を入力してください（?で説明）。"
    for line in lines:
        assert not set("abcdefghijklmnopqrstuvwxyz") & set(line.replace("play c", "")), line


@pytest.mark.parametrize("by", ["number", "notation"])
def test_a_move_is_made_by_number_or_notation(by: str) -> None:
    shown, sitting = terminal()
    shown.show_opening()
    legal = sitting.table.list_legal_moves()
    written, name = sitting.table.write_move(legal[1]), own(sitting)[1]
    answer = shown.answer("2\n" if by == "number" else f"  {written} \n")
    assert sitting.table.moves[0] == legal[1]
    assert sitting.table.seat == 0
    assert answer.lines[0] == f"  player 1  {pad_text(written, 24)}  play {name}"
    assert sum(line.startswith("  player ") and "play " in line for line in answer.lines) == len(sitting.table.moves)


@pytest.mark.parametrize("typed", ["", "0", "4", "-1", "play c99", "x", "１", "9" * 400, "1 2", "\x00"])
def test_nonsense_changes_nothing(typed: str) -> None:
    shown, sitting = terminal()
    shown.show_opening()
    before = INTERPRETED.read_numbers(sitting.table.state)
    answer = shown.answer(typed)
    assert answer == Answer((f"'{typed.strip()}' is none of these (? for help).",))
    assert INTERPRETED.read_numbers(sitting.table.state) == before


def test_a_whole_game_can_be_played() -> None:
    shown, sitting = terminal()
    answer = shown.show_opening()
    for _ in range(30):
        if answer.end:
            break
        answer = shown.answer("" if len(sitting.table.list_legal_moves()) == 1 else "1")

    assert sitting.table.is_over
    assert answer.lines[-4] == "The end"
    for seat, (points, place) in enumerate(
        zip(sitting.table.compute_scores(), sitting.table.compute_places(), strict=True)
    ):
        assert answer.lines[-3 + seat] == f"  player {seat + 1}: {points} points, place {place}"


def test_commands() -> None:
    """Help, the whole board, undo, save and quit."""
    shown, sitting = terminal()
    opening = shown.show_opening()
    assert "undo" not in text(shown.answer("?"))
    assert "take your last choice back" in text(shown.answer("?"))
    assert shown.answer("u").lines == ("There is no choice to take back.",)
    shown.answer("1")
    board = shown.answer("b").lines
    assert [line for line in board if line.startswith("  stock")] == ["  stock: 11 unseen"]
    undone = shown.answer("u")
    assert undone.lines[0] == "Your last choice is taken back."
    assert undone.lines[1:] == opening.lines[1:]
    assert sitting.table.moves == []
    assert shown.answer("s") == Answer((), save=True)
    assert shown.answer("q") == Answer(("Left before the end.",), save=True, end=True)


def test_only_what_changed_is_shown_again() -> None:
    shown, _ = terminal()
    assert sum(line.startswith("  stock") for line in shown.show_opening().lines) == 1
    again = shown.answer("1").lines
    assert not any(line.startswith("  stock") for line in again)
    assert any(line.startswith("  hand of 1: ") for line in again)


def test_an_emptied_zone_is_told() -> None:
    seen_taken = 0
    for number in range(5):
        shown, sitting = terminal((0, 1, 2), seed=Seed(1, number))
        shown.show_opening()
        leaders = [sitting.table.seat]
        while not (answer := called(shown, shown.answer("1"))).end:
            if "trick" not in sitting.table.list_zones():
                leaders.append(sitting.table.seat)
                taken = leaders[-2] != leaders[-1]  # who led saw no trick before the own card
                assert answer.lines.count("  trick: nothing") == taken
                seen_taken += taken
    assert seen_taken


def test_nothing_hidden_is_shown() -> None:
    compared = 0
    for number in range(20):
        table = Table(higher.RULES, BOX, Seed(2, number))
        for move in (table.list_legal_moves()[0],):
            table.apply(move)
        for seat in range(3):
            other = table.copy_as_seen(seat, 77)
            assert seat_view(table, seat, "en") == seat_view(other, seat, "en")
            compared += table.list_zones() != other.list_zones()
    assert compared > 30, "the test must see tables that differ"


def test_points_that_hang_on_hidden_things_are_not_told() -> None:
    def score(s, f, points):  # type: ignore[no-untyped-def]
        for card in range(f.number):
            if 0 <= s.at[card] < 10:
                points[s.at[card]] += f.strength[card]

    table = Table(replace(higher.RULES, score=score), BOX, Seed(1))
    own_points = table.compute_scores()[0]
    assert list(seat_view(table, 0, "en").points) == [f"player 1: {own_points} points", "player 2: ? points", "player 3: ? points"]  # fmt: skip


def test_long_zones_are_continued_within_the_width() -> None:
    """Names of both widths are wrapped between names, none is lost, equal ones are counted."""
    zones: Zones = {
        "deck": {copy: 1 for design in ZONED.kinds["card"].designs for copy in design.copies()},
        "hand 1": {"card/c1": 3},
    }
    for lang in ("ja", "en"):
        lines = list(zone_lines(ZONED, observing.visible_zones(zones), lang))
        assert len(lines) > 2
        assert all(count_columns(line) <= WIDTH for line in lines)
        comma = "、" if lang == "ja" else ", "
        whole = " ".join(line.strip() for line in lines[1:]).replace(", ", ",").replace("、 ", "、")
        assert whole.count(comma.strip()) == 19
        assert lines[0] in ("  手札1: 1の札 ×3", "  hand of 1: the 1 ×3"), "in the order of the data"


def test_a_transcript_tells_the_whole_game() -> None:
    table = Table(higher.RULES, BOX, Seed(1, 2))
    written = []
    while not table.is_over:
        move = table.list_legal_moves()[0]
        written.append((table.seat, table.write_move(move), table.describe_move(move, "ja")))
        table.apply(move)
    before = INTERPRETED.read_numbers(table.state)
    lines = write_transcript(table, "ja").splitlines()

    assert INTERPRETED.read_numbers(table.state) == before
    start = lines.index("経過") + 1
    course = lines[start : lines.index("終了") - 1]
    moves = [line for line in course if "→" not in line]
    for number, (line, (seat, short, words)) in enumerate(zip(moves, written, strict=True), 1):
        assert line == f"{number:>4}  プレイヤー{seat + 1}  {short:<24}  {words}"
    assert sum("→ won" in line for line in course) == 3, "what came of the choices is told, too"
    assert lines[-1].startswith("  プレイヤー3：")
    assert any(line.startswith("  山: ") for line in lines[lines.index("準備") + 1 : start])


def test_an_unfinished_game_is_told_so_far() -> None:
    table = Table(higher.RULES, BOXES[1], Seed(1))
    table.apply(table.list_legal_moves()[0])
    lines = write_transcript(table, "en").splitlines()
    assert "Left before the end." in lines
    assert lines[-1] == "  player 3: 0 points"


def test_several_people_are_called_one_by_one() -> None:
    """Before the next one looks the screen is cleared, and nothing of his is shown until he has come."""
    screen, sitting = terminal((0, 1))
    screen.show_opening()
    first = own(sitting)[0]
    answer = screen.answer("1")
    assert answer == Answer(("player 2 is next. Press Enter when nobody else is looking.",), clear=True)
    lines = screen.answer("").lines
    assert next(line.split() for line in lines if line.startswith("  player 1  ")) == ["player", "1", "play", *first.split()]  # fmt: skip
    assert "  hand of 1: 2 unseen" in lines
    assert screen.answer("1").clear


def test_who_leaves_an_unsaved_game_is_asked() -> None:
    """The game can't be saved: that is told at once, and q asks first; anything else stays."""
    sitting = HumanGame(Table(higher.RULES, BOX, FIRST), (0,), "greedy")
    screen = Terminal(sitting, "en", saves=False)
    assert screen.show_opening().lines[1] == "This game can’t be saved. To save games, start with --save FILE."
    asked = Answer(("This game is not saved. Type q again to leave it.",))
    assert screen.answer("q") == asked
    screen.answer("1")
    assert screen.answer("q") == asked
    assert screen.answer("q").end


def test_a_piece_in_sight_is_told_in_full() -> None:
    screen, sitting = terminal()
    screen.show_opening()
    name = own(sitting)[0]
    number = name.removeprefix("the ")
    wanted = (f"{name} (c{number}, card)", f"  strength: {number}", "  lies here: hand of 1")
    for asked in (f"? {name}", f"? {name.upper()}", f"? c{number}", f"show c{number}", "? 1"):
        assert screen.answer(asked).lines == wanted, asked
    assert screen.answer("? th").lines[0].startswith("the ")


def test_what_is_not_in_sight_is_not_told() -> None:
    screen, sitting = terminal()
    screen.show_opening()
    hidden = next(iter(sitting.table.list_zones()["hand 2"])).split("/")[1].split("#")[0]
    (line,) = screen.answer(f"? {hidden}").lines
    assert line.startswith(f"Nothing in sight is called '{hidden}'.")
    (line,) = screen.answer(f"? teh {own(sitting)[0][4:]}").lines
    assert "did you mean" in line


def test_a_transcript_for_a_seat_leaves_out_what_it_can_not_see() -> None:
    table = Table(higher.RULES, BOX, Seed(1, 2))
    for seat in range(3):
        lines = write_transcript(table, "en", (seat,)).splitlines()
        assert lines[1] == f"As seen by player {seat + 1}."
        hands = [line for line in lines if line.startswith("  hand of ") and "unseen" not in line]
        assert [line.split(":")[0] for line in hands] == [f"  hand of {seat + 1}"] * 2
    both = write_transcript(table, "en", (0, 1)).splitlines()
    assert "  hand of 1: 3 unseen" in both
    assert "  hand of 2: 3 unseen" in both
    assert "unseen" not in write_transcript(table, "en")


HOARDED = replace(higher.RULES, supplies=(Supply("cards", "card"),))


FOURTH = Seed(1, 4)


def sitting(people: Sequence[int] = (0,), bot: str = "greedy", seed: Seed = FOURTH) -> HumanGame:
    return HumanGame(Table(HOARDED, BOXES[1], seed), people, bot)


def played_on(one: HumanGame) -> HumanGame:
    """To the end, people choosing their last legal move."""
    while not one.table.is_over:
        list(one.play_bots("en"))
        if one.is_waiting:
            one.make_move(one.table.list_legal_moves()[-1], "en")
    return one


@pytest.mark.parametrize("bot", list_bot_names(HOARDED))
def test_a_reports_seed_leads_to_the_game_of_the_batch(bot: str) -> None:
    for number in range(12):
        seed = Seed(1, number)
        alone = played_on(sitting((), bot, seed)).table
        counted = MatchRunner(HOARDED, BOXES[1], (bot,)).play(seed)
        assert (alone.compute_scores(), alone.compute_places(), len(alone.moves)) == (counted.scores, counted.places, counted.moves)  # fmt: skip


def test_the_games_of_a_batch_differ() -> None:
    assert len({tuple(played_on(sitting((), "random", Seed(1, n))).table.moves) for n in range(12)}) == 12


def test_moves_and_seed_replay_a_game_of_random_moves() -> None:
    one = played_on(sitting((), "random"))
    again = Table(HOARDED, BOXES[1], one.table.seed)
    for move in one.table.moves:
        again.apply(move)
    assert INTERPRETED.read_numbers(again.state) == INTERPRETED.read_numbers(one.table.state)


@pytest.mark.parametrize("bot", ["random", "greedy"])
def test_resuming_at_any_point_is_the_same_game(bot: str) -> None:
    whole = played_on(sitting((1,), bot)).table.moves
    for length in range(len(whole)):
        resumed = sitting((1,), bot)
        resumed.replay_moves(whole[:length])
        assert played_on(resumed).table.moves == whole


def test_undo_goes_back_to_the_last_own_choice() -> None:
    """What bots did since is taken back with it; choosing alike leads to the same game."""
    one = sitting((0,))
    list(one.play_bots("en"))
    before, move = one.table.moves[:], one.table.list_legal_moves()[0]
    one.make_move(move, "en")
    list(one.play_bots("en"))
    after = one.table.moves[:]
    one.undo()
    assert one.table.moves == before
    one.make_move(move, "en")
    list(one.play_bots("en"))
    assert one.table.moves == after


def test_undo_before_any_choice_is_refused() -> None:
    one = sitting((0,), seed=Seed(1, 1))
    list(one.play_bots("en"))
    with pytest.raises(IllegalMove, match="no human player has chosen yet"):
        one.undo()
    nobody = played_on(sitting(()))
    with pytest.raises(IllegalMove):
        nobody.undo()
    assert nobody.table.is_over


def test_moves_that_do_not_fit_are_named() -> None:
    one = sitting()
    first = one.table.list_legal_moves()[0]
    with pytest.raises(IllegalMove, match="move 2: "):
        one.replay_moves([first, first])


@kernel
def stuck(s, f, moves):  # type: ignore[no-untyped-def]
    return 0 if s.turn == 4 else higher.legal(s, f, moves)


def test_a_game_that_can_not_go_on_is_left() -> None:
    one = HumanGame(Table(replace(HOARDED, legal=stuck), BOXES[0], Seed(1)), (), "random")
    assert len(list(one.play_bots("en"))) == 4
    assert one.is_stuck
    assert not one.is_waiting
