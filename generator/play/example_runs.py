"""Example runs: sets up and plays the examples in a game's data, and compares the results with them."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from generator.base.errors import ProblemsFound
from generator.game.data_fields import format_value
from generator.game.model import Example, Game
from generator.rules.engine.contract import Rules
from generator.rules.engine.kernel import INTERPRETED, Mode
from generator.rules.engine.settings import iter_other_choices
from generator.rules.engine.table import IllegalMove, Seed, Table


def find_example_faults(game: Game, rules: Rules, example: Example, mode: Mode = INTERPRETED) -> list[str]:
    """Play an example. Return its differences from the rules as messages, [] if it agrees.

    Standard questions: `legal` (exactly these moves), `legal includes`, `illegal`, `seat` (from 1), `over`, `scores`,
    `places`, `zone NAME` (ids, of copies or designs, in any order; or just their number), `sees SEAT NAME`
    (those of them that the seat can see). The rules answer all other questions.
    """
    try:
        box = rules.box(game, example.players, example.options)
        table = Table.arrange(rules, box, Seed(0), example.given, mode)
    except ProblemsFound as found:
        return [f"options: {problem}" for problem in found.problems]
    except ValueError as error:
        return [f"given: {error}"]
    for number, move in enumerate(example.moves, 1):
        try:
            table.apply(find_move(table, move))
        except IllegalMove as error:
            return [f"move {number}: {error}"]
    return list(_find_differences(table, example.expected))


def find_shown_choices(game: Game, rules: Rules) -> dict[str, list[str]]:
    """Return, for each other choice of a reading, such as `E5 wheel_condition: at_least`, ids of examples that show it.

    An example shows a choice that its options make if something else comes out with the choice in force. Only choices
    that can be played are there, and no switches that just decide what is printed.
    """
    printed = {kind.option for kind in game.kinds.values()}
    return {
        f"{reading.id} {reading.switch}: {format_value(value)}": [
            example.id
            for example in game.examples
            if example.options.get(reading.switch) == value and _depends_on(game, rules, example, reading.switch)
        ]
        for reading, value in iter_other_choices(game, rules)
        if reading.switch not in printed
    }


def _depends_on(game: Game, rules: Rules, example: Example, switch: str) -> bool:
    """Return True if an example fails without its option for `switch`, unless it is then impossible."""
    options = {name: value for name, value in example.options.items() if name != switch}
    faults = find_example_faults(game, rules, replace(example, options=options))
    return bool(faults) and not faults[0].startswith(("options: ", "given: "))


def find_move(table: Table, text: str) -> int:
    """Return the legal move with this notation. Raise IllegalMove, with the legal ones, if there is none."""
    written = {table.write_move(move): move for move in table.list_legal_moves()}
    if text not in written:
        raise IllegalMove(f"'{text}' is not a legal move; choose from {format_value(list(written))}")
    return written[text]


def _find_differences(table: Table, expected: Mapping[str, Any]) -> Iterator[str]:
    for question, wanted in expected.items():
        try:
            found = _answer_question(table, question, wanted)
        except LookupError as error:
            yield f"{question}: {error}"
            continue
        if found != _to_plain(wanted):
            yield f"{question} is {format_value(found)}, not {format_value(_to_plain(wanted))}"


def _answer_question(table: Table, question: str, wanted: Any) -> Any:
    head, *rest = question.split()
    if question in ("legal", "legal includes", "illegal"):
        written = [table.write_move(move) for move in table.list_legal_moves()]
        if question == "legal":
            return _sort_as_expected(written, wanted)
        return [move for move in wanted if (move in written) == (question == "legal includes")]
    if question in ("scores", "places"):
        return list(table.compute_scores() if question == "scores" else table.compute_places())
    if question == "seat":
        return table.seat + 1
    if question == "over":
        return table.is_over
    if head == "zone":
        return _list_zone(table.list_zones().get(" ".join(rest), {}), wanted)
    if head == "sees":
        seat = int(rest[0]) if rest and rest[0].isdigit() else 0
        if not 1 <= seat <= table.box.players:
            raise LookupError("it takes a seat and a zone, as in `sees 1 deck`")
        seen = table.observe(seat - 1).zones.get(" ".join(rest[1:]), ())
        return _list_zone({one.piece: one.number for one in seen if one.piece}, wanted)
    return _to_plain(table.rules.ask(table.state, table.box, head, tuple(rest)))


def _list_zone(pieces: Mapping[str, int], wanted: Any) -> Any:
    """Return a zone's pieces to compare with `wanted`: a number, designs, or copies `design#1`, whichever it has."""
    if isinstance(wanted, int):
        return sum(pieces.values())
    copies = [str(piece) for piece in wanted]
    plain = not any("#" in piece for piece in copies)
    found = [piece.split("#")[0] if plain else piece for piece, number in pieces.items() for _ in range(number)]
    return _sort_as_expected(found, copies)


def _sort_as_expected(found: list[str], wanted: list[Any]) -> list[Any]:
    """Return the found entries in the order in which they are expected, then others: here the order is irrelevant."""
    left, ordered = list(found), []
    for entry in wanted:
        if entry in left:
            left.remove(entry)
            ordered.append(entry)
    return ordered + sorted(left)


def _to_plain(value: Any) -> Any:
    """Return mappings and tuples as plain dicts and lists, so that answers compare equal."""
    if isinstance(value, Mapping):
        return {key: _to_plain(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_to_plain(part) for part in value]
    return value
