"""The game's own checks: expressions that must agree, functions of the rules, disagreements bound to a reading."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests_support import examples
from tiny_game import design, game, icon, kind, place, words

from generator.base.errors import Problem, ProblemsFound
from generator.checks.data_checks import list_expression_names, run_data_checks
from generator.game.data_fields import CheckSpec
from generator.game.model import Reading, SetupItem
from generator.rules.engine.facts import Outcome

E13 = Reading("E13", "…−2", words("?"), words("hand cards"), "refill_counts", "hand_cards", ("hand_cards", "set_size"))
RULES = MappingProxyType({"rules": MappingProxyType({"hand": 7, "numbers": (1, 2, 3), "share": 0.3})})


def evaluate(expression: str, names: Mapping[str, Any]) -> Any:
    """Python stands in for the template language: same names, same arithmetic."""
    try:
        return eval(expression, {**names, "__builtins__": {}})  # noqa: S307 - the tests' own expressions
    except (NameError, SyntaxError) as error:
        raise ValueError(str(error)) from error


def tiny(*specs: CheckSpec, **more: Any):
    """A game of 3 + 2 cards and 4 coins with these checks."""
    return game(
        kind(design("1-a", 3, number=1, icon="wheat"), design("2-b", 2, number=2)),
        kind(design("c", 4, kind="coin"), name="coin", stated=4),
        sections=RULES,
        checks=specs,
        readings={"E13": E13},
        icons=(icon("wheat"),),
        setup=(SetupItem(2, "card", each_player=True),),
        **more,
    )


def spec(computed: str = "", expected: str = "", **more: Any) -> CheckSpec:
    return CheckSpec("FC-01", words("five cards"), computed, expected, place=place(40), **more)


def result(made: Any, functions: Any = None, lang: str = "en"):
    (check,) = run_data_checks(made, evaluate, functions or {}, lang)
    return check


def test_expressions_that_agree_pass():
    check = result(tiny(spec("count('card')", "5")))
    assert (check.id, check.kind, check.status, check.sentence) == ("FC-01", "rules", "pass", "five cards")
    assert (check.figures, check.place, check.reading) == ("5", place(40), "")
    assert result(tiny(spec("count('card')", "5")), lang="ja").sentence == "five cards（日）"


def test_expressions_that_disagree_fail_with_both_values():
    check = result(tiny(spec("count('card')", "rules['hand']")))
    assert (check.status, check.figures) == ("fail", "computed 5, expected 7")


def test_only_the_disagreement_of_the_draft_itself_is_a_finding():
    """It is told in the words of its reading. Any other figures are a slip in the data, and fail with both."""
    known = {"reading": "E13", "finding": "computed 5, expected 7"}
    check = result(tiny(spec("count('card')", "7", **known)))
    assert (check.status, check.reading, check.sentence) == ("finding", "E13", "“…−2”: ? → hand cards")
    assert result(tiny(spec("count('card')", "5", **known))).status == "pass"
    slip = result(tiny(spec("count('card')", "8", **known)))
    told = "computed 5, expected 8; the draft's wording explains only: computed 5, expected 7"
    assert (slip.status, slip.figures) == ("fail", told)
    assert result(tiny(spec("count('card')", "7", reading="E13"))).status == "fail"


def test_tables_that_disagree_tell_only_where():
    check = result(tiny(spec("{'a': 1, 'b': 2}", "{'a': 1, 'b': 3}")))
    assert check.figures == "computed {b: 2}, expected {b: 3}"


def test_numbers_of_effects_add_up():
    """Numbers inside tables, lists and effects count, texts and truth values do not."""
    assert result(tiny(spec("add_up([{'a': 1, 'b': [2, 0.5]}, 'x', True])", "3.5"))).status == "pass"


def test_an_unregistered_reading_fails_with_a_hint():
    check = result(tiny(spec("1", "2", reading="E31")))
    assert (check.status, check.figures) == ("fail", "unknown reading 'E31'; did you mean 'E13'?")


@pytest.mark.parametrize(
    ("expression", "told"),
    [
        ("1 / 0", "'1 / 0' can't be computed: division by zero"),
        ("rules['hnd']", "'rules['hnd']' can't be computed: hnd"),
        ("ruels", "'ruels' can't be computed: name 'ruels' is not defined"),
        ("rules['hand'", "'rules['hand'' can't be computed: '[' was never closed (<string>, line 1)"),
        ("None", "'None' has no value; is a name in it misspelt?"),
        ("sum(range(10**9))", "'sum(range(10**9))' can't be computed: a range of 1000000000 numbers is too long; 100000 are allowed"),
        ("count('coim')", "'count('coim')' can't be computed: there is no kind and no design 'coim'; did you mean 'coin'?"),
        ("players + 1", "'players + 1' can't be computed: unsupported operand type(s) for +: 'Players' and 'int'"),
        ("count", "'count' can't be computed: it is not a number, text or list; check the spelling of its names"),
        ("[1, count]", "'[1, count]' can't be computed: it is not a number, text or list; check the spelling of its names"),
        ("(1 / n for n in (1, 0))", "'(1 / n for n in (1, 0))' can't be computed: division by zero"),
        ("players.least", "'players.least' can't be computed: 'Players' object has no attribute 'least'"),
    ],
)  # fmt: skip
def test_an_expression_that_goes_wrong_fails_in_words(expression, told):
    for one in (spec(expression, "5"), spec("5", expression), spec(expression, "5", reading="E13")):
        check = result(tiny(one))
        assert (check.status, check.figures, check.place) == ("fail", told, place(40))


def test_a_bug_in_the_evaluator_is_no_failure_of_the_game():
    """Only errors of the user's expression are told; anything else stays a traceback."""

    def broken(_expression: str, _names: Mapping[str, Any]) -> Any:
        raise RuntimeError("ours")

    with pytest.raises(RuntimeError, match="ours"):
        list(run_data_checks(tiny(spec("1", "1")), broken, {}, "en"))


@pytest.mark.parametrize(
    ("one", "other", "agree"),
    [
        ("[1, 2]", "(1, 2)", True),
        ("(n for n in (1, 2))", "[1, 2]", True),
        ("{2, 1}", "[1, 2]", True),
        ("range(1, 3)", "[1, 2]", True),
        ("[1, 2]", "[2, 1]", False),
        ("[1]", "[1, 1]", False),
        ("rules", "{'numbers': [1, 2, 3], 'hand': 7, 'share': 0.1 + 0.2}", True),
        ("{'a': 1}", "{'b': 1}", False),
        ("0.1 + 0.2", "rules['share']", True),
        ("0.1 + 0.2", "0.3001", False),
        ("2.0", "2", True),
        ("True", "1", False),
        ("1 == 1", "True", True),
        ("'7'", "7", False),
        ("'card'", "'card'", True),
        ("designs('card')", "designs('card*')", True),
        ("designs('card/1-a')", "designs('card/2-b')", False),
        ("None", "1", False),
        ("[None]", "[None]", True),
    ],
)
def test_values_agree_by_what_they_say(one, other, agree):
    """Lists of any make, decimals up to rounding; but true is not 1 and text is not a number."""
    assert (result(tiny(spec(one, other))).status == "pass") is agree


def test_figures_show_every_kind_of_value_shortly():
    check = result(tiny(spec("[True, 0.5, 'x', {'a': 1.0}]", "range(30)")))
    numbers = ", ".join(map(str, range(24)))
    assert check.figures == f"computed [true, 0.5, x, {{a: 1}}], expected [{numbers}, ... 30 in all]"


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("count('card')", 5),
        ("count('card/*-a')", 3),
        ("count('card/2-b')", 2),
        ("count('*')", 9),
        ("count('card/7-*')", 0),
        ("len(designs('card'))", 2),
        ("[d.id for d in designs('card')]", ["card/1-a", "card/2-b"]),
        ("sum([d.number * d.count for d in designs('card')])", 7),
        ("designs('card/1-a')[0].fields['icon']", "wheat"),
        ("designs('card/1-a')[0].kind", "card"),
        ("components['coin'].stated - components['coin'].count", 0),
        ("components['card'].designs[1].number", 2),
        ("[n for n in players]", [2, 3]),
        ("players.most", 3),
        ("sum([s.take * (players.most if s.each_player else 1) for s in setup if s.kind == 'card'])", 6),
        ("switches['refill_counts']", "hand_cards"),
        ("icons['wheat'].id", "wheat"),
        ("ceil(78 / 9) + floor(0.5) + min(1, 2) + max(1, 2)", 12),
        ("rules['hand']", 7),
    ],
)
def test_expressions_speak_of_the_game(expression, value):
    check = result(tiny(spec(expression, repr(value))))
    assert (check.status, check.figures) == ("pass", check.figures)


def test_a_field_cant_take_the_place_of_a_designs_own_facts():
    made = game(kind(design("a", 2)))
    made = game(kind(type(made.kinds["card"].designs[0])("card/a", "card", 2, "f", "", {"count": 99, "id": "x"}, None)))
    (one,) = list_expression_names(made)["designs"]("card")
    assert (one.count, one.id, one.fields["count"]) == (2, "card/a", 99)


def test_a_function_of_the_rules_decides():
    functions = {"holds": lambda made: Outcome(True, made.id), "breaks": lambda _: Outcome(False, "3 of 4")}
    check = result(tiny(spec(function="holds")), functions)
    assert (check.status, check.figures, check.sentence) == ("pass", "tiny", "five cards")
    check = result(tiny(spec(function="breaks")), functions)
    assert (check.status, check.figures) == ("fail", "3 of 4")
    assert result(tiny(spec(function="breaks", reading="E13")), functions).status == "fail"
    assert result(tiny(spec(function="breaks", reading="E13", finding="3 of 4")), functions).status == "finding"


def test_an_unknown_function_fails_with_a_hint():
    check = result(tiny(spec(function="brakes"), rules_module="fortuna"), {"breaks": None, "holds": None})
    assert (check.status, check.place) == ("fail", place(40))
    assert check.figures == "the rules module 'fortuna' has no function 'brakes'; did you mean 'breaks'?"
    check = result(tiny(spec(function="brakes")))
    assert check.figures == "the game names no rules_module, so there is no function 'brakes'"


def test_problems_that_a_function_reports_are_told():
    def needs(_made: Any) -> Outcome:
        raise ProblemsFound([Problem(place(3), "rules.hand is missing", "add it")])

    check = result(tiny(spec(function="needs")), {"needs": needs})
    assert (check.status, check.figures) == ("fail", "data/tiny/game.yaml:3:3: rules.hand is missing; add it")


values = st.recursive(
    st.booleans() | st.integers(-9, 9) | st.text("ab", max_size=2),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab", max_size=2), inner, max_size=2),
    max_leaves=6,
)


@given(values, values)
@examples(60)
def test_agreement_is_equality_of_what_is_written(one, other):
    status = result(tiny(spec(repr(one), repr(other)))).status
    assert (status == "pass") == (written(one) == written(other))


def written(value: Any) -> str:
    """A value in one canonical spelling, by a way of its own."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{key!r}:{written(value[key])}" for key in sorted(value)) + "}"
    return "[" + ",".join(map(written, value)) + "]" if isinstance(value, list) else repr(value)


def test_what_takes_play_stays_undecided() -> None:
    """A check marked `undecided` is reported as that, never as passed."""
    (check,) = run_data_checks(tiny(CheckSpec("T-1", words("nobody runs out"), undecided=True)), evaluate, {}, "en")
    assert (check.status, check.figures) == ("undecided", "only play or search can decide it")
