"""Data checks: the checks that a game's data state, as expressions or functions of its rules."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from types import SimpleNamespace
from typing import Any, TypeAlias

from generator.base.errors import ProblemsFound, did_you_mean
from generator.checks.check_report import Check, Status
from generator.game.consistency import find_designs
from generator.game.data_fields import CheckSpec
from generator.game.model import Design, Game, Kind
from generator.game.rich_text import Words
from generator.rules.engine.facts import Outcome

Evaluate: TypeAlias = Callable[[str, Mapping[str, Any]], Any]
"""Function that evaluates an expression with the given names. It raises ValueError for invalid expressions.

Values that compute their parts on demand must follow the same rule.
"""

Functions: TypeAlias = Mapping[str, Callable[[Game], Outcome]]
"""The check functions of the game's rules module, by name."""

_LONGEST = 100_000
"""Maximum length of a range in an expression: the data may be untrusted."""


class NoValue(Exception):
    """Error: an expression has no value. The message says why."""


def run_data_checks(game: Game, evaluate: Evaluate, functions: Functions, lang: str) -> Iterator[Check]:
    """Yield the result of every check of the data, in order, with sentences in the game's language `lang`."""
    names = list_expression_names(game)
    for spec in game.checks:
        if spec.reading and spec.reading not in game.readings:
            figures = f"unknown reading '{spec.reading}'; {did_you_mean(spec.reading, game.readings)}"
            yield _make_check(spec, "fail", figures, lang)
        elif spec.undecided:
            yield _make_check(spec, "undecided", "it takes play or search to tell", lang)
        elif spec.function:
            yield _check_by_function(spec, game, functions, lang)
        else:
            yield _check_by_expressions(spec, evaluate, names, lang)


def _make_check(spec: CheckSpec, status: Status, figures: str, lang: str) -> Check:
    return Check(spec.id, "rules", status, spec.says[lang], figures, spec.place, spec.reading)


def _get_failed_status(spec: CheckSpec) -> Status:
    return "finding" if spec.reading else "fail"


def _check_by_function(spec: CheckSpec, game: Game, functions: Functions, lang: str) -> Check:
    if not game.rules_module and not functions:
        figures = f"the game names no rules_module, so there is no function '{spec.function}'"
        return _make_check(spec, "fail", figures, lang)
    if spec.function not in functions:
        hint = did_you_mean(spec.function, functions)
        figures = f"the rules module '{game.rules_module}' has no function '{spec.function}'; {hint}"
        return _make_check(spec, "fail", figures, lang)
    try:
        outcome = functions[spec.function](game)
    except ProblemsFound as found:
        return _make_check(spec, "fail", "; ".join(map(str, found.problems)), lang)
    return _make_check(spec, "pass" if outcome.ok else _get_failed_status(spec), outcome.figures, lang)


def _check_by_expressions(spec: CheckSpec, evaluate: Evaluate, names: Mapping[str, Any], lang: str) -> Check:
    try:
        computed = _evaluate_value(spec.computed, evaluate, names)
        expected = _evaluate_value(spec.expected, evaluate, names)
    except NoValue as error:
        return _make_check(spec, "fail", str(error), lang)
    if _are_equal(computed, expected):
        return _make_check(spec, "pass", _format_value(computed), lang)
    figures = f"computed {_format_value(computed)}, expected {_format_value(expected)}"
    return _make_check(spec, _get_failed_status(spec), figures, lang)


def _evaluate_value(expression: str, evaluate: Evaluate, names: Mapping[str, Any]) -> Any:
    value = evaluate_plain(expression, evaluate, names)
    if value is None:
        raise NoValue(f"'{expression}' has no value; is a name in it misspelt?")
    return value


def evaluate_plain(expression: str, evaluate: Evaluate, names: Mapping[str, Any]) -> Any:
    """Return the value as plain lists, mappings and scalars. Raise NoValue with the reason if there is none.

    None is the value of a field that the design omits.
    """
    try:
        return _plain_from_value(evaluate(expression, names))
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        # str() of a LookupError would quote the message like a key.
        told = error.args[0] if isinstance(error, LookupError) and error.args else error
        raise NoValue(f"'{expression}' can't be computed: {told}") from error


def _plain_from_value(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain_from_value(part) for key, part in value.items()}
    if isinstance(value, Set):
        return sorted(map(_plain_from_value, value), key=repr)
    if isinstance(value, SimpleNamespace):
        return _plain_from_value(vars(value))
    if isinstance(value, Sequence | Iterator) and not isinstance(value, str):
        return [_plain_from_value(part) for part in value]
    if value is None or isinstance(value, int | float | str | Words):
        return value
    # Functions, and a template's undefined values, which must not even be printed.
    raise TypeError("it is not a number, text or list; check the spelling of its names")


def _are_equal(one: Any, other: Any) -> bool:
    """Return True if equal, ignoring the last digits of decimals; true never equals 1."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, float) or isinstance(other, float):
        numbers = isinstance(one, int | float) and isinstance(other, int | float)
        return numbers and math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_are_equal, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_are_equal(one[key], other[key]) for key in one)
    return bool(one == other)


def _format_value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{value:.10g}"
    if isinstance(value, list):
        return f"[{_format_first_parts([_format_value(part) for part in value])}]"
    if isinstance(value, dict):
        return f"{{{_format_first_parts([f'{key}: {_format_value(part)}' for key, part in value.items()])}}}"
    return str(value)


def _format_first_parts(parts: list[str]) -> str:
    return ", ".join(parts[:24]) + (f", ... {len(parts)} in all" if len(parts) > 24 else "")


def list_expression_names(game: Game) -> dict[str, Any]:
    """Return the names that an expression may use.

    These are the free-form sections (`rules` ...); `players` (fewest, most, or every number in a loop); `setup` (kind,
    take, each_player); `components` and `icons` by id; `switches`; `count(what)` and `designs(what)` of a kind, a
    design's id or a pattern of ids such as `reel/6-*`; `sum`, `ceil`, `floor`, `min`, `max`, `len`, `range`.
    """
    return {
        **game.sections,
        "players": game.players,
        "setup": [SimpleNamespace(kind=item.kind, take=item.take, each_player=item.each_player) for item in game.setup],
        "components": {kind.id: _make_kind_namespace(kind) for kind in game.kinds.values()},
        "icons": {icon.id: SimpleNamespace(id=icon.id, letter=icon.letter) for icon in game.icons.values()},
        "switches": game.switches,
        "count": lambda what: sum(design.count for design in _find_designs(game, what)),
        "designs": lambda what: [make_design_namespace(design) for design in _find_designs(game, what)],
        "sum": sum,
        "ceil": math.ceil,
        "floor": math.floor,
        "min": min,
        "max": max,
        "len": len,
        "range": _checked_range,
    }


def _find_designs(game: Game, what: str) -> list[Design]:
    """Return the designs of a kind, an id or a pattern of ids. Raise LookupError for an unknown name.

    A pattern may match nothing, a plain name may not: `count('reeel') == 0` would hold for the wrong reason.
    """
    found = list(find_designs(game, what))
    if not found and what not in game.kinds and not any(sign in what for sign in "*?["):
        known = [*game.kinds, *(design.id for design in game.designs())]
        raise LookupError(f"there is no kind and no design '{what}'; {did_you_mean(what, known)}")
    return found


def _make_kind_namespace(kind: Kind) -> SimpleNamespace:
    designs = [make_design_namespace(design) for design in kind.designs]
    return SimpleNamespace(id=kind.id, count=kind.count, stated=kind.stated, designs=designs)


def make_design_namespace(design: Design) -> SimpleNamespace:
    """Return the declared fields by name, and again as `fields`; id, kind and count always come from the design."""
    own = {"id": design.id, "kind": design.kind, "count": design.count, "fields": design.fields}
    return SimpleNamespace(**{**design.fields, **own})


def _checked_range(*bounds: int) -> range:
    numbers = range(*bounds)
    if len(numbers) > _LONGEST:
        raise ValueError(f"a range of {len(numbers)} numbers is too long; {_LONGEST} are allowed")
    return numbers
