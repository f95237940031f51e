"""Counts, ids and set-up: each check passes, and each fails at the right place."""

from dataclasses import replace

from tiny_game import context, design, game, kind, place

from generator.checks.check_report import Check, check_setup_pieces, check_stated_counts, check_unique_ids
from generator.game.model import SetupItem


def test_a_kind_with_as_many_as_stated_passes():
    """3 + 2 pieces where the draft states 5; the figures give number and designs."""
    made = game(kind(design("a", 3), design("b", 2), stated=5))
    assert list(check_stated_counts(made, context())) == [
        Check("count.card", "count", "pass", "card: the data hold as many as the draft states", "5 of 5 in 2 designs", place(5)),
    ]  # fmt: skip


def test_a_kind_with_another_number_fails():
    made = game(kind(design("a", 3), stated=5))
    (check,) = check_stated_counts(made, context())
    assert (check.status, check.sentence) == ("fail", "card: the data hold 3, the draft states 5")
    assert check.place == place(5)


def test_a_silent_draft_is_not_held_against_the_data():
    assert list(check_stated_counts(game(kind(design())), context())) == []


def test_ids_of_all_kinds_are_unique():
    made = game(kind(design("a", 3), design("b")), kind(design("a", kind="token"), name="token"))
    (check,) = check_unique_ids(made, context())
    assert (check.status, check.figures) == ("pass", "5 pieces of 3 designs")


def test_two_designs_with_one_id_fail_at_the_second():
    made = game(kind(design("a", line=10), design("b", line=11), design("a", line=12)))
    (check,) = check_unique_ids(made, context())
    assert (check.status, check.sentence) == ("fail", "several designs or pieces share an id")
    assert (check.figures, check.place) == ("card/a; card/a#1", place(12))


def test_a_design_with_the_id_of_a_copy_fails():
    """`card/a#2` is the second copy of card/a and nothing else; with one copy only the id is free."""
    named = replace(design("x", line=12), id="card/a#2")
    (check,) = check_unique_ids(game(kind(design("a", 2), named)), context())
    assert (check.status, check.figures, check.place) == ("fail", "card/a#2", place(12))
    assert [check.status for check in check_unique_ids(game(kind(design("a", 1), named)), context())] == ["pass"]


def test_a_game_without_designs_is_undecided():
    assert [check.status for check in check_unique_ids(game(), context())] == ["undecided"]


def test_setup_is_reckoned_for_each_number_of_players():
    """3 cards each and 2 for the table out of 11 do for 2 and for 3 players."""
    made = game(
        kind(design("a", 11)),
        setup=(SetupItem(3, "card", each_player=True, place=place(30)), SetupItem(2, "card", place=place(31))),
    )
    checks = list(check_setup_pieces(made, context()))
    assert [(check.id, check.status, check.figures) for check in checks] == [("setup.2", "pass", "2 players: 8 of 11 card"), ("setup.3", "pass", "3 players: 11 of 11 card")]  # fmt: skip
    assert checks[0].sentence == "set-up for 2 players is in the box"


def test_setup_that_takes_too_much_fails_for_those_players_only():
    made = game(
        kind(design("a", 10)),
        kind(design("a", 9, kind="coin"), name="coin"),
        setup=(
            SetupItem(1, "coin", place=place(29)),
            SetupItem(3, "card", each_player=True, place=place(30)),
            SetupItem(2, "card"),
        ),
    )
    two, three = check_setup_pieces(made, context())
    assert two.status == "pass"
    assert (three.status, three.figures, three.place) == ("fail", "3 players: 1 of 9 coin, 11 of 10 card", place(30))
    assert three.sentence == "set-up for 3 players takes more than there is: card"


def test_setup_from_an_unknown_kind_fails_with_a_hint():
    made = game(kind(design("a", 10)), setup=(SetupItem(3, "crad", place=place(30)), SetupItem(1, "card")))
    unknown, two, _ = check_setup_pieces(made, context())
    assert (unknown.status, unknown.sentence) == ("fail", "set-up takes 'crad', but there is no such component")
    assert (unknown.figures, unknown.place) == ("did you mean 'card'?", place(30))
    assert two.figures == "2 players: 1 of 10 card"


def test_a_game_without_setup_has_no_setup_check():
    assert list(check_setup_pieces(game(kind(design())), context())) == []
