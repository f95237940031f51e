"""Data checks: those that a game's checks.yaml states as expressions or rules functions, and those of board spaces."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, TypeAlias

from generator.base.errors import Place, ProblemsFound, did_you_mean
from generator.checks.check_report import Check, Status, format_first_entries
from generator.checks.visible_items import Context, Face, list_distinct_faces
from generator.drawing.svg.face_areas import (
    TOLERANCE,
    PrintedSpace,
    count_fitting,
    count_places,
    draw_footprint,
    find_printed_spaces,
    format_size,
    measure_outline_box,
)
from generator.game.consistency import find_designs
from generator.game.data_fields import CheckSpec, SpaceSpec
from generator.game.model import Design, Effect, Game, Kind, describe_reading
from generator.game.rich_text import Words
from generator.rules.engine.facts import Outcome

Evaluate: TypeAlias = Callable[[str, Mapping[str, Any]], Any]
"""Function that evaluates an expression: (expression, values by name) -> value. It raises ValueError if it is invalid.

The values may compute their parts on demand. They must then raise ValueError as well.
"""

Functions: TypeAlias = Mapping[str, Callable[[Game], Outcome]]
"""Check functions of a game's rules module, by the name that the data use."""

_LONGEST = 100_000
"""Maximum length of a range in an expression: the data may be untrusted."""


class NoValue(Exception):
    """Error: an expression can't be computed. The message says why."""


def run_data_checks(game: Game, evaluate: Evaluate, functions: Functions, lang: str) -> Iterator[Check]:
    """Yield the result of every check in the data, worded in `lang`: it evaluates expressions or calls a function."""
    names = list_expression_names(game)
    for spec in game.checks:
        if spec.reading and spec.reading not in game.readings:
            figures = f"unknown reading '{spec.reading}'; {did_you_mean(spec.reading, game.readings)}"
            yield _make_check(spec, "fail", figures, lang)
        elif spec.undecided:
            yield _make_check(spec, "undecided", "only play or search can decide it", lang)
        elif spec.function:
            yield _check_by_function(spec, game, functions, lang)
        else:
            yield _check_by_expressions(spec, game, evaluate, names, lang)


def _make_check(spec: CheckSpec, status: Status, figures: str, lang: str) -> Check:
    return Check(spec.id, "rules", status, spec.says[lang], figures, spec.place, spec.reading)


def _make_disagreement(spec: CheckSpec, game: Game, figures: str, lang: str) -> Check:
    """Return a finding with the problem of its reading if the figures are those of the draft, otherwise a failure."""
    if not spec.finding or figures != spec.finding:
        known = f"; the draft's wording explains only: {spec.finding}" if spec.finding else ""
        return _make_check(spec, "fail", figures + known, lang)
    reading = game.readings[spec.reading]
    quoted = f"“{reading.passage}”: " if reading.passage else ""
    sentence = f"{quoted}{reading.problem[lang]} → {describe_reading(reading, lang)}"
    return Check(spec.id, "rules", "finding", sentence, "", reading.place or spec.place, spec.reading)


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
    if outcome.ok:
        return _make_check(spec, "pass", outcome.figures, lang)
    return _make_disagreement(spec, game, outcome.figures, lang)


def _check_by_expressions(
    spec: CheckSpec, game: Game, evaluate: Evaluate, names: Mapping[str, Any], lang: str
) -> Check:
    try:
        computed = _evaluate_value(spec.computed, evaluate, names)
        expected = _evaluate_value(spec.expected, evaluate, names)
    except NoValue as error:
        return _make_check(spec, "fail", str(error), lang)
    if _are_equal(computed, expected):
        return _make_check(spec, "pass", _format_value(computed), lang)
    if isinstance(computed, dict) and isinstance(expected, dict) and computed.keys() == expected.keys():
        apart = [name for name in computed if not _are_equal(computed[name], expected[name])]
        computed, expected = ({name: value[name] for name in apart} for value in (computed, expected))
    figures = f"computed {_format_value(computed)}, expected {_format_value(expected)}"
    return _make_disagreement(spec, game, figures, lang)


def _evaluate_value(expression: str, evaluate: Evaluate, names: Mapping[str, Any]) -> Any:
    value = evaluate_plain(expression, evaluate, names)
    if value is None:
        raise NoValue(f"'{expression}' has no value; is a name in it misspelt?")
    return value


def evaluate_plain(expression: str, evaluate: Evaluate, names: Mapping[str, Any]) -> Any:
    """Return the value of an expression as lists, dicts and scalars. Raise NoValue if it can't be computed.

    The value is None for a field that the design omits.
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
    """Return True if two values or all that they hold are equal. Floats may be off by rounding; True is not 1."""
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
    """Return the values that an expression may use, by name.

    They are: the free-form sections of the data (`rules` ...); `players`, the range of numbers of players; `setup`, a
    list of items with `kind`, `take` and `each_player`; `components` and `icons` by id; `switches`; the functions
    `count(what)` and `designs(what)`, where `what` is a kind, a design's id or a pattern such as `reel/6-*`;
    `add_up(value)`, the sum of all numbers inside; and `sum`, `ceil`, `floor`, `min`, `max`, `len`, `range`.
    """
    kinds = {}
    for kind in game.kinds.values():
        designs = list(map(make_design_namespace, kind.designs))
        kinds[kind.id] = SimpleNamespace(id=kind.id, count=kind.count, stated=kind.stated, designs=designs)
    return {
        **game.sections,
        "players": game.players,
        "setup": [SimpleNamespace(kind=item.kind, take=item.take, each_player=item.each_player) for item in game.setup],
        "components": kinds,
        "icons": {icon.id: SimpleNamespace(id=icon.id, letter=icon.letter) for icon in game.icons.values()},
        "switches": game.switches,
        "count": lambda what: sum(design.count for design in _find_designs(game, what)),
        "designs": lambda what: [make_design_namespace(design) for design in _find_designs(game, what)],
        "add_up": _add_up_numbers,
        "sum": sum,
        "ceil": math.ceil,
        "floor": math.floor,
        "min": min,
        "max": max,
        "len": len,
        "range": _checked_range,
    }


def _find_designs(game: Game, what: str) -> list[Design]:
    """Return the designs of a kind, an id or a pattern of ids.

    A pattern may match nothing. Raise LookupError for an unknown name, because a check such as `count('reeel') == 0`
    would pass by mistake.
    """
    found = list(find_designs(game, what))
    if not found and what not in game.kinds and not any(sign in what for sign in "*?["):
        known = [*game.kinds, *(design.id for design in game.designs())]
        raise LookupError(f"there is no kind and no design '{what}'; {did_you_mean(what, known)}")
    return found


def make_design_namespace(design: Design) -> SimpleNamespace:
    """Return a design for expressions: its fields as attributes, with `id`, `kind`, `count` and `fields`."""
    own = {"id": design.id, "kind": design.kind, "count": design.count, "fields": design.fields}
    return SimpleNamespace(**{**design.fields, **own})


def _add_up_numbers(value: Any) -> float:
    """Return the sum of all numbers inside lists, tables and effects of cards."""
    if isinstance(value, Effect | Mapping):
        return sum(map(_add_up_numbers, (value if isinstance(value, Mapping) else value.values).values()))
    if isinstance(value, Sequence | Iterator) and not isinstance(value, str):
        return sum(map(_add_up_numbers, value))
    return value if isinstance(value, int | float) and not isinstance(value, bool) else 0


def _checked_range(*bounds: int) -> range:
    numbers = range(*bounds)
    if len(numbers) > _LONGEST:
        raise ValueError(f"a range of {len(numbers)} numbers is too long; {_LONGEST} are allowed")
    return numbers


def check_spaces(game: Game, context: Context) -> Iterator[Check]:
    """Check for each kind with printed spaces that every space names an existing kind, whose pieces fit there.

    A space for several pieces either shows one outline for each piece, or one compartment that fits all of them in
    rows. A pile needs space for one piece.
    """
    for kind in game.kinds.values():
        wrong: list[tuple[Face, str]] = []
        looked = piles = taken = 0
        for face in list_distinct_faces(game, kind, context):
            for space in find_printed_spaces(face.drawing):
                looked += 1
                piles += space.holds is None
                taken += space.holds or 0
                fault = space.fault
                if not fault and space.piece in game.kinds:
                    fault = _explain_misfit(game.kinds[space.piece], space)
                elif not fault:
                    hint = did_you_mean(space.piece, game.kinds)
                    fault = f"is for the unknown component '{space.piece}'; {hint}"
                if fault:
                    wrong.append((face, f"the space '{space.id}' {fault}"))
        if not looked:
            continue
        check = f"spaces-fit.{kind.id}"
        if wrong:
            named = [(face, f"{kind.template(face.design, face.face)}.svg", fault) for face, fault in wrong]
            figures = format_first_entries(f"{face} ({template}): {fault}" for face, template, fault in named)
            sentence = f"{kind.id}: pieces don't fit on their spaces"
            yield Check(check, "space", "fail", sentence, figures, wrong[0][0].design.place)
        else:
            figures = f"{looked} spaces with {taken} places and {piles} piles"
            yield Check(check, "space", "pass", f"{kind.id}: pieces fit on their spaces", figures, kind.place)


def _explain_misfit(kind: Kind, space: PrintedSpace) -> str:
    """Return why the pieces of a kind don't fit on a space, or an empty string if they do."""
    piece, wanted = draw_footprint(kind), space.holds or 1
    lost = f"; {space.cut_off} more are cut off" if space.cut_off else ""
    what = f"is for {'a pile of' if space.holds is None else wanted} {kind.id} of {format_size(piece)}"
    if len(space.outlines) == 1:
        found = count_fitting(piece, space.outlines[0], wanted)
        few = f"{what}, but its outline of {format_size(space.outlines[0])} takes {found}{lost}"
        return few if found < wanted else ""
    found = count_places(piece, space.outlines)
    if found >= wanted if space.holds is None else found == wanted:
        return ""
    unfit = [around for around in space.outlines if not count_places(piece, (around,))]
    if found < wanted and unfit:
        own, wide = measure_outline_box(piece), measure_outline_box(unfit[0])
        longer = max(own.width, own.height) > max(wide.width, wide.height) + TOLERANCE
        broader = min(own.width, own.height) > min(wide.width, wide.height) + TOLERANCE
        why = "is too small" if longer or broader else "has another shape"
        lost = f"; {format_size(unfit[0])} {why}{lost}"
    return f"{what}, but has {found} places for them{lost}"


@dataclass(frozen=True, slots=True)
class SpaceContents:
    """The contents of a space: `piece` is the id of a kind, `holds` the number of pieces, or None for a pile."""

    piece: str
    holds: int | None

    def __str__(self) -> str:
        return f"{'a pile of' if self.holds is None else self.holds} {self.piece}"


def check_needed_spaces(game: Game, context: Context, evaluate: Evaluate) -> Iterator[Check]:
    """Check for each kind that its designs show exactly the spaces that `spaces:` in the data requires.

    A problem points to the design, or to an invalid entry of `spaces:`. Faces that could not be drawn are skipped,
    because another check reports them.
    """
    names = list_expression_names(game)
    for kind in game.kinds.values():
        if not kind.spaces:
            continue
        wrong: list[tuple[str, Place | None]] = []
        designs = spaces = 0
        for design in kind.designs:
            try:
                needed = _evaluate_spaces(kind, {**names, "card": make_design_namespace(design)}, evaluate)
            except _InvalidStatement as unclear:
                wrong.append((f"{design.id}: {unclear}", unclear.place))
                continue
            faults: dict[str, list[str]] = {}
            for lang, printed in _iter_face_spaces(kind, design, context, game.languages):
                designs += lang == game.languages[0]
                spaces += len(printed)
                for fault in _list_differences(needed, printed):
                    faults.setdefault(fault, []).append(lang)
            for fault, langs in faults.items():
                where = design.id if len(langs) == len(game.languages) else f"{design.id} ({', '.join(langs)})"
                wrong.append((f"{where}: {fault}", design.place))
        status: Status = "fail" if wrong else "pass" if designs else "undecided"
        sentence = f"{kind.id}: every design has the spaces that the rules need"
        figures, place = f"{spaces} spaces on {designs} designs, all languages", kind.place
        if wrong:
            sentence = f"{kind.id}: the spaces of designs differ from those that the rules need"
            figures, place = format_first_entries(told for told, _ in wrong), wrong[0][1]
        yield Check(f"spaces.{kind.id}", "space", status, sentence, figures, place)


class _InvalidStatement(Exception):
    """Error: an entry of `spaces:` has no usable value for a design. `place` is the entry's place in the data."""

    def __init__(self, told: str, place: Place | None):
        super().__init__(told)
        self.place = place


def _evaluate_spaces(kind: Kind, names: Mapping[str, Any], evaluate: Evaluate) -> dict[str, SpaceContents]:
    """Return the required spaces of one design by id. Raise _InvalidStatement if one fails or is declared twice."""
    needed: dict[str, SpaceContents] = {}
    for spec in kind.spaces:
        try:
            stated = {
                spec.id.replace("*", each): _evaluate_contents(spec, {**names, "each": each}, evaluate)
                for each in _expand_names(spec, names, evaluate)
            }
        except (NoValue, ValueError) as error:
            raise _InvalidStatement(f"the space '{spec.id}' can't be computed: {error}", spec.place) from error
        for name, lies in stated.items():
            if name in needed:
                raise _InvalidStatement(f"the space '{name}' is declared twice", spec.place)
            if lies is not None:
                needed[name] = lies
    return needed


def _expand_names(spec: SpaceSpec, names: Mapping[str, Any], evaluate: Evaluate) -> list[str]:
    """Return the names for the * in a space's id; without one, an empty name. Raise ValueError for anything else."""
    if not spec.each:
        return [""]
    value = evaluate_plain(spec.each, evaluate, names)
    if not isinstance(value, (list, dict)) or not all(isinstance(name, str) and name for name in value):
        raise ValueError(f"'{spec.each}' is not a list of names")
    return list(value)


def _evaluate_contents(spec: SpaceSpec, names: Mapping[str, Any], evaluate: Evaluate) -> SpaceContents | None:
    pile = evaluate_plain(spec.pile, evaluate, names) if spec.pile else None
    if pile is not None and not isinstance(pile, bool):
        raise ValueError(f"'{spec.pile}' is neither true nor false")
    if pile:
        return SpaceContents(spec.piece, None)
    holds = evaluate_plain(spec.holds, evaluate, names) if spec.holds else 0
    if isinstance(holds, bool) or not isinstance(holds, int) or holds < 0:
        raise ValueError(f"'{spec.holds}' is not a whole number of 0 or more")
    return SpaceContents(spec.piece, holds) if holds else None


def _iter_face_spaces(
    kind: Kind, design: Design, context: Context, languages: tuple[str, ...]
) -> Iterator[tuple[str, list[tuple[str, SpaceContents]]]]:
    for lang in languages:
        drawings = [context.drawings.get((design.id, face, lang)) for face in kind.faces(design)]
        whole = [drawing for drawing in drawings if drawing is not None]
        if len(whole) == len(drawings):
            spaces = (space for drawing in whole for space in find_printed_spaces(drawing))
            yield lang, [(space.id, SpaceContents(space.piece, space.holds)) for space in spaces]


def _list_differences(needed: Mapping[str, SpaceContents], printed: list[tuple[str, SpaceContents]]) -> Iterator[str]:
    found = dict(printed)
    for name, lies in needed.items():
        if name not in found:
            yield f"there is no space '{name}' for {lies}"
        elif found[name] != lies:
            yield f"the space '{name}' is for {found[name]}, but must be for {lies}"
    for name in found:
        if name not in needed:
            yield f"the space '{name}' is printed, but `spaces:` of its kind doesn't have it"
    for name in found:
        if [other for other, _ in printed].count(name) > 1:
            yield f"the space '{name}' is printed twice"
