"""Designs print the spaces that the data state for their kind, these and no others."""

from collections.abc import Mapping
from typing import Any

import pytest
from tiny_game import box, context, design, drawing, game, kind, place

from generator.base.display_list import Group
from generator.checks.data_checks import check_needed_spaces
from generator.game.data_fields import SpaceSpec

RULES = {"rules": {"limit": 6, "companies": ("red", "blue"), "rows": {"red": 2, "blue": 3}}}


def evaluate(expression: str, names: Mapping[str, Any]) -> Any:
    """Python stands in for the template language."""
    try:
        words = {"true": True, "false": False, "rules": names["rules"], "card": names["card"], "each": names.get("each")}  # fmt: skip
        return eval(expression, {**words, "__builtins__": {}})  # noqa: S307 - the tests' own expressions
    except (AttributeError, NameError) as error:
        raise ValueError(str(error)) from error


def printed(**spaces: str) -> tuple[Group, ...]:
    """Groups for pieces of the kind `token`: so many, or a pile."""
    return tuple(
        Group(
            (box(1, 1, 5, 5),),
            id=name.replace("_", "-"),
            data=(("space", "token"), ("pile", "yes") if holds == "pile" else ("holds", holds)),
        )
        for name, holds in spaces.items()
    )


def check(*specs: SpaceSpec, faces: Any = None, **spaces: str):
    """The one check of a game whose kind `card` states these spaces; its one design has gauge 4 and is no port."""
    card = kind(design("a", gauge=4, port=None), spaces=specs)
    seen = drawing(*printed(**spaces)) if faces is None else faces
    (found,) = check_needed_spaces(game(card, kind(name="token"), sections=RULES), context(seen), evaluate)
    return found


def spec(name: str = "gauge", holds: str = "", **more: str) -> SpaceSpec:
    return SpaceSpec(name, "token", holds, place=place(30), **more)


GAUGE = spec(holds="card.gauge")
WAREHOUSES = spec("warehouse-*", "rules['limit']", pile="card.port", each="rules['companies']")


def test_the_stated_spaces_pass():
    found = check(GAUGE, WAREHOUSES, gauge="4", warehouse_red="6", warehouse_blue="6")
    assert (found.id, found.kind, found.status, found.place) == ("spaces.card", "space", "pass", place(5))
    assert found.sentence == "card: every design has the spaces that the rules need"
    assert found.figures == "6 spaces on 1 designs, all languages"


@pytest.mark.parametrize(
    ("spaces", "said"),
    [
        ({}, "there is no space 'gauge' for 4 token"),
        ({"gauge": "3"}, "the space 'gauge' is for 3 token, but must be for 4 token"),
        ({"gauge": "pile"}, "the space 'gauge' is for a pile of token, but must be for 4 token"),
        ({"gauge": "4", "gouge": "1"}, "the space 'gouge' is printed, but `spaces:` of its kind doesn't have it"),
    ],
)
def test_other_spaces_than_stated_fail(spaces, said):
    found = check(GAUGE, **spaces)
    assert (found.status, found.place, found.figures) == ("fail", place(10), f"card/a: {said}")
    assert found.sentence == "card: designs lack spaces that the rules need, or have others"


def test_each_name_has_its_space():
    assert check(WAREHOUSES, warehouse_red="6").figures == "card/a: there is no space 'warehouse-blue' for 6 token"
    rows = spec("row-*", "rules['rows'][each]", each="rules['rows']")
    assert check(rows, row_red="2", row_blue="3").status == "pass"
    assert check(rows, row_red="3", row_blue="3").figures.endswith("is for 3 token, but must be for 2 token")


def test_a_pile_goes_before_a_number():
    """Where `pile` is true, any number lies there."""
    assert check(spec(holds="4", pile="true"), gauge="pile").status == "pass"
    assert check(spec(holds="4", pile="true"), gauge="4").status == "fail"
    assert check(spec(pile="true"), gauge="pile").status == "pass"


def test_a_space_for_none_is_not_there():
    """Where `holds` comes to 0, a design must not print it."""
    none = spec(holds="card.gauge - 4")
    assert check(none).status == "pass"
    assert check(none, gauge="4").status == "fail"


def test_one_language_may_differ():
    faces = {("card/a", "front", "ja"): drawing(*printed(gauge="4")), ("card/a", "front", "en"): drawing()}
    assert check(GAUGE, faces=faces).figures == "card/a (en): there is no space 'gauge' for 4 token"


def test_a_space_printed_twice_fails():
    assert check(GAUGE, faces=drawing(*printed(gauge="4"), *printed(gauge="4"))).figures == (
        "card/a: the space 'gauge' is printed twice"
    )


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (spec(holds="card.guage"), "'card.guage' can't be computed: "),
        (spec(holds="card.port"), "'card.port' is not a whole number of 0 or more"),
        (spec(holds="0 - 1"), "'0 - 1' is not a whole number of 0 or more"),
        (spec(holds="true"), "'true' is not a whole number of 0 or more"),
        (spec(pile="card.gauge"), "'card.gauge' is neither true nor false"),
        (spec("a-*", "1", each="card.gauge"), "'card.gauge' is not a list of names"),
        (spec("a-*", "1", each="[1, 2]"), "'[1, 2]' is not a list of names"),
    ],
)
def test_a_statement_without_sense_fails_at_its_own_line(bad, said):
    found = check(bad, gauge="4")
    assert (found.status, found.place) == ("fail", place(30))
    assert found.figures.startswith(f"card/a: the space '{bad.id}' can't be computed: {said}")


def test_two_statements_for_one_space_fail():
    found = check(spec("row-red", "1"), spec("row-*", "1", each="['red']"), row_red="1")
    assert (found.status, found.figures) == ("fail", "card/a: the space 'row-red' is declared twice")


def test_without_faces_it_is_undecided():
    assert check(GAUGE, faces={}).status == "undecided"


def test_kinds_that_state_nothing_are_not_asked():
    made = game(kind(design("a")), kind(name="token"), sections=RULES)
    assert list(check_needed_spaces(made, context(drawing(*printed(gauge="4"))), evaluate)) == []
