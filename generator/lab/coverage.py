"""Coverage of rules: which games reach each reading, branch, gap, example and card, and the shortest that does."""

import ast
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from inspect import getsource
from pathlib import Path
from types import FrameType
from typing import Any, TypeAlias

from generator.base.errors import ProblemsFound
from generator.game.model import Example, Game
from generator.lab.chunks import Cell, format_options, read_options
from generator.play.example_runs import find_move
from generator.play.series import StepSeries
from generator.play.story_lines import make_counting_rules
from generator.play.table_text import find_named_designs
from generator.rules.engine.contract import Box, Options, Rules
from generator.rules.engine.kernel import INTERPRETED, Mode, Numbers, Record, draw_below
from generator.rules.engine.story import find_story
from generator.rules.engine.table import IllegalMove, Seed, Table, fresh_state
from generator.rules.registry import PACKAGE

Item: TypeAlias = tuple[str, str]
"""What a game can reach: its kind (one of KINDS), and its name."""

KINDS = SWITCH, BRANCH, GAP, EXAMPLE, CARD = ("reading", "branch", "gap", "example", "card")

_MARKS = {"kernel", "story", "offer"}
"""Decorators of the functions whose branches count: those that play runs through."""

_AHEAD = 40
"""Number of random moves after an example's last position."""

_CHANGED = 300
"""Maximum number of situations, with one changed number each, that are tried."""


@dataclass(slots=True)
class Reached:
    """The number of games that reach an item; the fewest moves until one does, and that game's number."""

    games: int = 0
    moves: int = 0
    where: str = ""

    def add(self, moves: int, where: str) -> None:
        """Count a game that reaches the item after this many moves. Keep the fewest moves, and `where` that was."""
        if not self.games or moves < self.moves:
            self.moves, self.where = moves, where
        self.games += 1


class NotedFacts:
    """A box's numbers as a record that notes in `seen` which of the watched fields kernels read."""

    def __init__(self, numbers: Numbers, watched: Iterable[str]):
        kept, self.seen = INTERPRETED.make_record(numbers), set[str]()
        members: dict[str, Any] = {name: getattr(kept, name) for name in numbers}
        members |= {name: property(self._note_reads(name, members[name])) for name in watched if name in members}
        self.record: Record = type("Facts", (), {"__slots__": (), **members})()

    def _note_reads(self, name: str, value: Any) -> Callable[[Record], Any]:
        def read(_: Record) -> Any:
            self.seen.add(name)
            return value

        return read


@dataclass(frozen=True, slots=True)
class Branch:
    """A part of the rules that runs only under a condition: its file, its lines, and the condition's line of source.

    `function` has the branch; `whole` is the first and last line of its body.
    """

    file: str
    function: str
    first: int
    last: int
    whole: tuple[int, int]
    text: str

    @property
    def name(self) -> str:
        """Return the branch's place and condition."""
        return f"{Path(self.file).name}:{self.first} {self.text}"


def list_branches(rules: Rules) -> tuple[Branch, ...]:
    """Return the branches of all kernels, stories and offers in the rules' package, or in their module alone."""
    return tuple(branch for file, source in _list_sources(rules) for branch in _read_branches(file, source))


def list_read_fields(rules: Rules) -> set[str]:
    """Return the names of all fields that the rules' package reads or writes."""
    nodes = (node for _, source in _list_sources(rules) for node in ast.walk(ast.parse(source)))
    return {node.attr for node in nodes if isinstance(node, ast.Attribute)}


def _list_sources(rules: Rules) -> list[tuple[str, str]]:
    name = rules.legal.__module__
    package = name.rpartition(".")[0] if name.startswith(f"{PACKAGE}.") else name
    modules = [one for known, one in sorted(sys.modules.items()) if f"{known}.".startswith(f"{package}.")]
    return [(str(module.__file__), getsource(module)) for module in modules]


def _read_branches(file: str, source: str) -> Iterator[Branch]:
    lines = source.splitlines()
    for function in ast.walk(ast.parse(source)):
        if not isinstance(function, ast.FunctionDef):
            continue
        if not _MARKS & {one.id for one in function.decorator_list if isinstance(one, ast.Name)}:
            continue
        whole = function.body[0].lineno, int(function.end_lineno or 0)
        for node in ast.walk(function):
            if isinstance(node, ast.If | ast.For | ast.While):
                text = lines[node.lineno - 1].strip()
                yield Branch(file, function.name, node.body[0].lineno, int(node.body[-1].end_lineno or 0), whole, text)
                rest = node.orelse
                if rest and not (len(rest) == 1 and isinstance(rest[0], ast.If)):
                    yield Branch(
                        file, function.name, rest[0].lineno, int(rest[-1].end_lineno or 0), whole, f"else of {text}"
                    )


class LineNotes:
    """Notes the lines of some source files that run while it is the trace function."""

    def __init__(self, files: Iterable[str]):
        self._files = frozenset(files)
        self.lines: set[tuple[str, int]] = set()

    def __call__(self, frame: FrameType, event: str, _: Any) -> "LineNotes | None":
        """Note the line that runs, as Python's trace function. Return None in other files, to stop tracing there."""
        if frame.f_code.co_filename not in self._files:
            return None
        if event == "line":
            self.lines.add((frame.f_code.co_filename, frame.f_lineno))
        return self


class RuleProbe:
    """Plays games at one table and tells what each reaches. `arms` are other readings: name -> options.

    A game reaches a reading where the legal moves, what the chosen move does, or the points and places at the end
    differ from those of the reading in force in the same position. With `branches` it notes these as well; they make
    it some four times slower. Bots choose and play in `mode`; each step is made once more, interpreted, to look at it.
    """

    def __init__(
        self,
        rules: Rules,
        game: Game,
        cell: Cell,
        arms: Mapping[str, Options],
        branches: Sequence[Branch] = (),
        mode: Mode = INTERPRETED,
    ):
        self.box = rules.box(game, cell.players, options := read_options(cell.options))
        self._steps = StepSeries(rules, self.box, mode, cell.bots)
        story = find_story(rules) if branches else None
        if story is not None:  # its lines with choices and parts run in no other kernels
            rules, _ = make_counting_rules(rules, story)
        self.rules, self.cell, self._branches = rules, cell, branches
        self._boxes: dict[str, Box] = {}
        for name, own in arms.items():
            try:
                self._boxes[name] = rules.box(game, cell.players, {**options, **own})
            except ProblemsFound:  # this reading can't be combined with the table's options
                continue
        here = self.box.numbers
        self._fields = {
            name: frozenset(one for one in box.numbers if box.numbers[one] != here.get(one))
            for name, box in self._boxes.items()
        }
        self._facts = NotedFacts(here, set[str]().union(*self._fields.values()))
        self._others = {name: INTERPRETED.make_record(box.numbers) for name, box in self._boxes.items()}
        self._row = INTERPRETED.make_row(max(rules.most(box) for box in (self.box, *self._boxes.values())))
        self._notes, self._noted = LineNotes({branch.file for branch in branches}), 0
        self._at_line: dict[tuple[str, int], list[int]] = {}
        for number, branch in enumerate(branches):
            for line in range(branch.first, branch.last + 1):
                self._at_line.setdefault((branch.file, line), []).append(number)
        self.examples: dict[str, frozenset[Item]] = {}
        """The branches that each learned example runs through."""
        self._wholes = {(branch.file, *branch.whole) for branch in branches}
        self.entered: set[tuple[str, int, int]] = set()
        """Functions with branches that play ran through: file, first and last line."""

    def play_game(self, seed: Seed) -> dict[Item, int]:
        """Play a game and return what it reaches, each with the number of moves made by then."""
        found, left = self.deal_game(seed)
        moves = 0
        for moves, (_, move, _) in enumerate(self._steps.play_game(seed), 1):
            state = self._steps.state
            left = self._note_arms(found, left, moves, self._compare_step(state, move, left))
            if state.hole:
                found.setdefault((GAP, self.rules.holes[state.hole - 1].id), moves - 1)
            if self._branches:
                for design in find_named_designs(self.rules.say(state, self.box, move)):
                    found.setdefault((CARD, design), moves)
                self._note_branches(found, moves)
        end = self._steps.state
        if end.hole:
            found.setdefault((GAP, self.rules.holes[end.hole - 1].id), moves)
        if end.over:
            self._note_arms(found, left, moves, self._compare_ends(end, left))
        self._note_branches(found, moves)
        found |= {(EXAMPLE, name): moves for name, own in self.examples.items() if own <= found.keys()}
        return found

    def deal_game(self, seed: Seed) -> tuple[dict[Item, int], set[str]]:
        """Return what the deal of a game reaches, and the readings that deal alike."""
        found = dict[Item, int]()
        self._forget_lines()
        left = self._compare_deals(seed, found)
        self._note_branches(found, 0)
        return found, left

    def learn_examples(self, examples: Iterable[Example]) -> None:
        """Record each example's branches of the rules. A game that runs through all of them reaches the example."""
        for example in examples:
            try:
                table = Table.arrange(self.rules, self.box, Seed(0), example.given)
                self._forget_lines()
                self._trace(table.list_legal_moves)
                for move in example.moves:
                    chosen = find_move(table, move)
                    self._trace(table.apply, chosen)
                    self._trace(table.list_legal_moves)
                if table.is_over:
                    self._trace(self._rank_seats, table.state, self._facts.record)
            except (ValueError, IllegalMove):  # `pnp validate` tells of such an example
                continue
            own = dict[Item, int]()
            self._note_branches(own, 0)
            self.examples[example.id] = frozenset(own)

    def walk(self, example: Example, given: Mapping[str, Any], ahead: int) -> Iterator[set[str]]:
        """Yield the readings that matter in a situation, by any move there, then in `ahead` moves of random play.

        `given` is the situation, the one of `example` or a changed one. Raise ValueError if it is impossible.
        """
        table, left = Table.arrange(self.rules, self.box, Seed(0), given), set(self._boxes)
        for number in range(len(example.moves) + 1 + ahead):
            legal = table.list_legal_moves()
            if not legal:
                break
            own = number < len(example.moves)
            move = legal[draw_below(table.state.rng, len(legal))]
            for tried in legal if number <= len(example.moves) else (move,):
                yield self._compare_step(table.state, tried, left)
            try:
                table.apply(find_move(table, example.moves[number]) if own else move)
            except IllegalMove:  # a changed situation may lead elsewhere
                break
        if table.is_over:
            yield self._compare_ends(table.state, left)

    def _note_arms(self, found: dict[Item, int], left: set[str], moves: int, differ: set[str]) -> set[str]:
        for name in differ:
            found[SWITCH, name] = moves
        return left - differ

    def _forget_lines(self) -> None:
        self._notes.lines.clear()
        self._noted = 0

    def _note_branches(self, found: dict[Item, int], moves: int) -> None:
        if len(self._notes.lines) == self._noted:
            return
        self._noted = len(self._notes.lines)
        for whole in self._wholes - self.entered:
            if any(file == whole[0] and whole[1] <= line <= whole[2] for file, line in self._notes.lines):
                self.entered.add(whole)
        for number in {number for line in self._notes.lines for number in self._at_line.get(line, ())}:
            found.setdefault((BRANCH, str(number)), moves)

    def _trace(self, run: Callable[..., Any], *arguments: Any) -> Any:
        if not self._branches:
            return run(*arguments)
        before = sys.gettrace()
        sys.settrace(self._notes)
        try:
            return run(*arguments)
        finally:
            sys.settrace(before)

    def _compare_deals(self, seed: Seed, found: dict[Item, int]) -> set[str]:
        """Add the readings that deal another table to `found`, after 0 moves, and return the others."""
        state = fresh_state(self.rules, self.box, seed, INTERPRETED)
        self._facts.seen.clear()
        blank = INTERPRETED.read_numbers(state)
        self._trace(self.rules.set_up, state, self._facts.record)
        dealt, left = INTERPRETED.read_numbers(state), set[str]()
        for name, box in self._boxes.items():
            other = fresh_state(self.rules, box, seed, INTERPRETED)
            same = INTERPRETED.read_numbers(other) == blank and box.cards == self.box.cards
            if same and self._fields[name] & self._facts.seen:
                self.rules.set_up(other, self._others[name])
                same = INTERPRETED.read_numbers(other) == dealt
            if same:
                left.add(name)
            else:
                found[SWITCH, name] = 0
        return left

    def _compare_step(self, state: Record, move: int, left: set[str]) -> set[str]:
        """Return the readings of `left` with other legal moves here, or by which the move does something else."""
        self._facts.seen.clear()
        legal, after = self._trace(self._make_step, state, self._facts.record, move)
        return {
            name
            for name in left
            if self._fields[name] & self._facts.seen
            and not self._is_same_step(state, self._others[name], move, legal, after)
        }

    def _make_step(self, state: Record, facts: Record, move: int) -> tuple[list[int], Record]:
        after = INTERPRETED.copy(state)
        legal = self._row[: self.rules.legal(after, facts, self._row)]
        self.rules.apply(after, facts, move)
        return legal, after

    def _is_same_step(self, state: Record, facts: Record, move: int, legal: list[int], after: Record) -> bool:
        other = INTERPRETED.copy(state)
        if self._row[: self.rules.legal(other, facts, self._row)] != legal:
            return False
        try:
            self.rules.apply(other, facts, move)
        except (ArithmeticError, LookupError, ValueError):  # it has no such position: it plays differently
            return False
        return INTERPRETED.read_numbers(other) == INTERPRETED.read_numbers(after)

    def _compare_ends(self, state: Record, left: set[str]) -> set[str]:
        """Return the readings of `left` by which other points or places count at the end."""
        self._facts.seen.clear()
        told = self._trace(self._rank_seats, state, self._facts.record)
        read = set(self._facts.seen)
        return {
            name for name in left if self._fields[name] & read and self._rank_seats(state, self._others[name]) != told
        }

    def _rank_seats(self, state: Record, facts: Record) -> list[list[int]]:
        told = []
        for kernel in (self.rules.score, self.rules.place):
            seats = [0] * self.box.players
            kernel(INTERPRETED.copy(state), facts, seats)
            told.append(seats)
        return told


def name_game(cell: Cell, seed: Seed) -> str:
    """Return how a person finds a game again, as with `pnp play --seed`."""
    return (
        f"seed {seed.run}/{seed.game}, {cell.players} {'players' if cell.players > 1 else 'player'}, {cell.bot_names}"
    )


def list_option_sets(game: Game) -> tuple[str, ...]:
    """Return the examples' options that no reading has, as texts of a Cell; an option's lists are joined to one."""
    switches = {reading.switch for reading in game.readings.values()}
    found: dict[str, None] = {}
    joined: dict[str, dict[Any, None]] = {}
    for example in game.examples:
        own = {name: value for name, value in example.options.items() if name not in switches}
        for name, value in own.items():
            if isinstance(value, list | tuple):
                joined.setdefault(name, {}).update(dict.fromkeys(value))
            else:
                found[format_options({name: value})] = None
    return (*(format_options({name: list(values)}) for name, values in joined.items()), *found)


@dataclass(slots=True)
class SituationSearch:
    """Looks for a position in which readings matter: in examples, changed examples, and with other readings."""

    rules: Rules
    game: Game
    arms: Mapping[str, Options]
    _probes: dict[tuple[int, str, str], RuleProbe] = field(default_factory=dict)

    def find_reasons(self, names: Iterable[str]) -> dict[str, str]:
        """Return for each of these arms the first position found in which it matters, or leave it out."""
        left, found = dict.fromkeys(names), dict[str, str]()
        for search in (self._search_examples, self._search_changed_examples, self._search_readings):
            for name, why in search(left):
                if name in left:
                    del left[name]
                    found[name] = why
                if not left:
                    return found
        return found

    def _search_examples(self, left: Mapping[str, None]) -> Iterator[tuple[str, str]]:
        for example in self.game.examples:
            yield from ((name, f"example {example.id}") for name in self._walk(example, example.given, left, _AHEAD))

    def _search_changed_examples(self, left: Mapping[str, None]) -> Iterator[tuple[str, str]]:
        changed = [(example, *change) for example in self.game.examples for change in _vary_numbers(example.given)]
        for example, path, number, given in changed[:: len(changed) // _CHANGED + 1]:
            why = f"example {example.id} with {path} {number}"
            yield from ((name, why) for name in self._walk(example, given, left, 0))

    def _search_readings(self, left: Mapping[str, None]) -> Iterator[tuple[str, str]]:
        """Yield readings that matter only beside another, with where, from two random games with each other reading."""
        for other, own in self.arms.items():
            wanted = {name: self.arms[name] for name in left if not self.arms[name].keys() & own.keys()}
            players = self.game.players.most
            cell = Cell(players, ("random",) * players, format_options(own))
            try:
                probe = RuleProbe(self.rules, self.game, cell, wanted)
            except ProblemsFound:
                continue
            for game in range(2):
                for kind, name in probe.play_game(Seed(1, game)):
                    if kind == SWITCH:
                        yield name, f"together with {other}: {name_game(cell, Seed(1, game))}"

    def _walk(self, example: Example, given: Mapping[str, Any], left: Mapping[str, None], ahead: int) -> Iterator[str]:
        """Yield the arms that matter in a situation or `ahead` moves on. The example's option for an arm is dropped."""
        groups: dict[str, dict[str, Options]] = {}
        for name in left:
            beside = {key: value for key, value in example.options.items() if key not in self.arms[name]}
            groups.setdefault(format_options(beside), {})[name] = self.arms[name]
        for options, arms in groups.items():
            key = example.players, options, " ".join(arms)
            try:
                if key not in self._probes:
                    cell = Cell(example.players, ("random",) * example.players, options)
                    self._probes[key] = RuleProbe(self.rules, self.game, cell, arms)
                for differ in self._probes[key].walk(example, given, ahead):
                    yield from differ
                    if differ >= arms.keys():
                        break
            except (ProblemsFound, ValueError):  # impossible with these options, or after the change
                continue


def _vary_numbers(value: Any, path: str = "") -> Iterator[tuple[str, int, Any]]:
    """Yield a situation with each of its numbers changed by 1: path, new number, situation."""
    if isinstance(value, bool):
        return
    if isinstance(value, int):
        yield from ((path, value + step, value + step) for step in (1, -1))
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            for way, number, changed in _vary_numbers(inner, f"{path} {key}".strip()):
                yield way, number, {**value, key: changed}
    elif isinstance(value, list | tuple):
        for at, inner in enumerate(value):
            for way, number, changed in _vary_numbers(inner, f"{path} {at + 1}".strip()):
                yield way, number, [*value[:at], changed, *value[at + 1 :]]
