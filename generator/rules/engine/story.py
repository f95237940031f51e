"""Stories: rules that read from top to bottom, with `choose` wherever somebody decides, made into kernels."""

import ast
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from copy import deepcopy
from functools import partial
from typing import Any, Concatenate, NoReturn, ParamSpec, TypeVar, cast

from generator.rules.engine.contract import Box, Rules, State, refuse_field
from generator.rules.engine.kernel import Kernel, Record, Row, kernel
from generator.rules.engine.story_blocks import Block, Swap, keep_names, list_blocks, place_at
from generator.rules.engine.story_flow import (
    CHOICE,
    OFFER,
    START,
    STORY,
    Writer,
    check_names,
    find_called,
    find_definition,
    find_place,
    list_stores,
    report,
)

_F = TypeVar("_F", bound=Callable[..., Any])
_P = ParamSpec("_P")

# docs/rules.md shows a story.


def story(function: _F) -> _F:
    """Mark a function as a story, or as a part that stories use; return it unchanged."""
    setattr(function, STORY, True)
    return function


def offer(function: _F) -> _F:
    """Mark a generator of the moves that a choice offers, in ascending order; return it unchanged."""
    setattr(function, OFFER, True)
    return function


def choose(
    phase: int, moves: Callable[Concatenate[Record, Record, _P], Iterator[int]], *more: _P.args, **named: _P.kwargs
) -> int:
    """Return the move that the seat chooses among those offered; the offer gets `more` as further arguments.

    It works in stories only. Each phase has one `choose`, because the phase tells where the story goes on.
    """
    raise RuntimeError("`choose` works in stories only: mark the function @story, and make a Story of it")


def mark_start(number: int) -> None:
    """Mark a spot where a situation can begin: `Story.begin_at(s, f, number)` goes on from there. Play does nothing."""


@kernel
def once(move: int) -> int:
    """Return the move: where an offer yields this, it is sorted in among its moves, unless it is there already."""
    return move


@offer
def list_members(s: Record, f: Record, kind: int, members: int) -> Iterator[int]:
    """Offer a move for each member of a set of bits: `kind` plus the bit's number, from 0."""
    while members:
        lowest = members & -members
        yield kind + lowest.bit_length() - 1
        members ^= lowest


@offer
def list_numbers(s: Record, f: Record, first: int, end: int) -> Iterator[int]:
    """Offer the moves from `first` on, before `end`."""
    while first < end:
        yield first
        first += 1


setattr(choose, CHOICE, True)
setattr(mark_start, START, True)


@kernel
def _offer_once(moves: Row, start: int, number: int, move: int) -> int:
    """Insert a move into the ascending ones from `start` on, unless it is there; return the number of moves."""
    at = number
    while at > start and moves[at - 1] > move:
        at -= 1
    if at > start and moves[at - 1] == move:
        return number
    for i in range(number, at, -1):
        moves[i] = moves[i - 1]
    moves[at] = move
    return number + 1


class _Fill(ast.NodeTransformer):
    """Turns the `yield`s of an offer into steps that fill a row of moves."""

    def __init__(self, function: Kernel):
        self._function = function
        self.others: list[str] = []
        self.yields, self.sorts = 0, False

    def visit_Expr(self, node: ast.Expr) -> Any:
        """Return the steps for a `yield` of a move, or the call for a `yield from` another offer."""
        given = node.value
        if isinstance(given, ast.Yield) and given.value is not None:
            self.yields += 1
            move = given.value
            if find_called(move, self._function.__globals__) is once:
                self.sorts = True
                filled = ast.parse("_number = _once(_moves, _start, _number)").body
                cast(Any, filled[0]).value.args += cast(ast.Call, move).args
            else:
                filled = ast.parse("_moves[_number] = 0; _number += 1").body
                cast(ast.Assign, filled[0]).value = move
            return [place_at(step, node) for step in filled]
        call = given.value if isinstance(given, ast.YieldFrom) else None
        name = ast.unparse(call.func) if isinstance(call, ast.Call) else ""
        if isinstance(call, ast.Call) and hasattr(self._function.__globals__.get(name), OFFER):
            self.yields += 1
            self.others.append(name)
            call.args[2:2] = [ast.Name("_moves", ast.Load()), ast.Name("_number", ast.Load())]
            return place_at(ast.Assign([ast.Name("_number", ast.Store())], call), node)
        return self.generic_visit(node)

    def visit_Return(self, node: ast.Return) -> ast.stmt:
        """Make every `return` of the offer return the number of moves."""
        return place_at(ast.Return(ast.Name("_number", ast.Load())), node)

    def visit_Yield(self, node: ast.Yield) -> NoReturn:
        """Report a `yield` in any other form."""
        report(self._function, node, "this `yield` gives no move", "write `yield move` on a line of its own")

    def visit_YieldFrom(self, node: ast.YieldFrom) -> NoReturn:
        """Report a `yield from` of anything but an offer."""
        report(self._function, node, "`yield from` needs an offer", "write a loop, or mark the function @offer")


SEEN = "_seen"
"""The name under which kernels that count lines find the row of counts."""


def _count_steps(steps: list[ast.stmt], cut: Collection[int]) -> list[ast.stmt]:
    """Return the steps with one before each that counts its line in SEEN; on lines in `cut`, only `pass` counts."""
    counted: list[ast.stmt] = []
    last = 0
    for step in steps:
        for name in ("body", "orelse"):
            if hasattr(step, name):
                setattr(step, name, _count_steps(getattr(step, name), cut))
        line = getattr(step, "lineno", 0)
        if line > _WRITTEN and line != last and (line not in cut or isinstance(step, ast.Pass)):
            last = line
            counted += ast.parse(f"{SEEN}[{line}] += 1").body
        counted.append(step)
    return counted


_WRITTEN = 2
"""The last line number of steps that this module writes; a story follows imports."""


def find_story(rules: Rules) -> "Story | None":
    """Return the story that the rules tell, or None for rules without one."""
    told: Story | None = getattr(rules.apply, TOLD, None)
    return told


TOLD = "_story"
"""The attribute of `apply` that holds its story."""


def _make_offer(function: Kernel, trail: tuple[Kernel, ...], seen: list[int] | None, file: str) -> Kernel:
    """Return a kernel (s, f, moves, number, ...) that adds an offer's moves to `number` others; it returns how many.

    `seen` counts the lines of offers in `file`, the story's. `trail` has the offers that yield from this one.
    """
    tree, scope, fill = deepcopy(find_definition(function)), function.__globals__, _Fill(function)
    if function in trail:
        report(function, tree, f"the offer `{tree.name}` yields from itself", "write a loop")
    check_names(function, tree)
    own = list_stores(tree)
    fold = Swap({}, {name: value for name, value in scope.items() if name not in own})
    body = [*fill.visit(fold.visit(ast.Module(tree.body, []))).body, *ast.parse("return _number").body]
    if fill.sorts:
        body = [*ast.parse("_start = _number").body, *body]
    if not fill.yields:
        report(function, tree, f"the offer `{tree.name}` yields nothing", "write `yield` before each move")
    tree.args.args[2:2] = [ast.arg("_moves"), ast.arg("_number")]
    others = {name: _make_offer(scope[name], (*trail, function), seen, file) for name in fill.others}
    if seen is not None and function.__code__.co_filename == file:
        body = _count_steps(body, ())
    scope = {**scope, **others, "_once": _offer_once, SEEN: seen}
    return _make_kernel(function, tree.name, ast.unparse(tree.args), body, scope)


def _make_kernel(origin: Kernel, name: str, arguments: str, body: list[ast.stmt], scope: dict[str, Any]) -> Kernel:
    """Return a kernel with this body and this list of arguments; tracebacks name the lines of the origin's file."""
    module = ast.parse(f"def {name}({arguments}): pass")
    function = cast(ast.FunctionDef, module.body[0])
    function.body, function.lineno = body, origin.__code__.co_firstlineno
    function.end_lineno = function.lineno
    made: dict[str, Any] = {}
    exec(compile(ast.fix_missing_locations(module), origin.__code__.co_filename, "exec"), scope, made)  # noqa: S102
    return kernel(cast(Kernel, made[name]))


class Story:
    """A story and its parts as the kernels `set_up`, `legal` and `apply`, which play from choice to choice.

    `set_up` deals first; `begin` plays on from an arranged situation, `begin_at` from a spot that `mark_start` marks.
    A part is written in where it is called; one that is called several times is written once, and goes on behind the
    call that led to it. All must be defined before this call. A name whose value is needed after a choice becomes a
    field of the state (`fields`), which is 0 while nobody needs it. Raise ProblemsFound for mistakes in the story.

    With `seen`, a row with a number for each line of the file, interpreted kernels count there how often games come to
    each line.
    """

    def __init__(
        self,
        game: Callable[[Record, Record], None],
        state: State,
        deal: Kernel | None = None,
        seen: list[int] | None = None,
    ):
        writer = Writer(game, state, counts=seen is not None)
        self._choices, self._seen, self._cut = writer.choices, seen, writer.cut
        self.state, self.game, self.deal, self.functions = state, game, deal, writer.list_functions()
        if not writer.choices:
            report(game, writer.tree, f"there is no choice in the story `{game.__name__}`", "write choose(...) in it")
        blocks = list_blocks(writer.start)
        kept = keep_names(blocks, writer.names)
        for name in kept:
            refuse_field(name, partial(find_place, game, writer.names[name]))
        self.fields = tuple(sorted(kept))
        offers = {name: _make_offer(made, (), seen, game.__code__.co_filename) for name, made in writer.offers.items()}
        self._scope = {**game.__globals__, **offers, SEEN: seen}
        begin_phase = min(0, *writer.choices) - 1
        ways = self._number_blocks(blocks, begin_phase)
        found: list[ast.stmt] = [ast.If(_compare("_at", ast.Eq(), key), way, []) for key, way in ways.items()]
        self._scope["_run"] = self._make("run", "s, f, _at, _move", [*found, *ast.parse(f"return {begin_phase}").body])
        steps = f"_at = _run(s, f, s.phase, _move)\nwhile _at != {begin_phase}:\n _at = _run(s, f, _at, _move)"
        self.legal = self._make("legal", "s, f, _moves", self._write_offers())
        self.apply = self._scope["_apply"] = self._make("apply", "s, f, _move", ast.parse(steps).body)
        setattr(self.apply, TOLD, self)
        self._scope["_deal"] = deal
        go_on = f"s.phase = {begin_phase}; _apply(s, f, 0)"
        self.begin = self._make("begin", "s, f", ast.parse(go_on).body)
        self.set_up = self._make("set_up", "s, f", ast.parse(f"_deal(s, f); {go_on}" if deal else go_on).body)
        marked = ast.parse(f"s.phase = {begin_phase - 1} - number; _apply(s, f, 0)").body
        self.begin_at = self._make("begin_at", "s, f, number", marked)

    def make_rules(self, **own: Any) -> Rules:
        """Return the rules of a game: the story's functions, and what else the game has (see Rules)."""
        made = {"set_up": self.set_up, "legal": self.legal, "apply": self.apply, "deal": self.deal}
        return Rules(state=self.make_fields, **(made | own))

    def make_fields(self, box: Box) -> dict[str, Any]:
        """Return the fields of a state before set-up, and those that the story keeps."""
        return {**self.state.make_fields(box), **dict.fromkeys(self.fields, 0)}

    def _make(self, name: str, arguments: str, body: list[ast.stmt]) -> Kernel:
        if self._seen is not None:
            body = _count_steps(body, self._cut)
        return _make_kernel(self.game, name, arguments, body, self._scope)

    def _number_blocks(self, blocks: list[Block], begin_phase: int) -> dict[int, list[ast.stmt]]:
        """Return the steps of `apply` by number, in the order of the story.

        They run one after the other where the number that is looked for comes later, as nearly all do; so machine code
        needs no search. To go back they return the number, and the number of the beginning where the story stops: a
        loop around all of them would make every move prepare what any step may need. Numbers are phases, then blocks
        with several ways in.
        """
        free, ways = max(0, *self._choices) + 1, dict[int, list[ast.stmt]]()
        self._stop, blocks[0].key = ast.parse(f"return {begin_phase}").body[0], begin_phase
        for block in blocks:
            if block.start is not None:
                block.key = begin_phase - 1 - block.start
        for phase, end in self._choices.items():
            end.next[0].key = phase
        ways_in = Counter(one for block in blocks if block.choice is None for one in block.next)
        for block in blocks:
            if block.key is None and ways_in[block] > 1:
                block.key, free = free, free + 1
        later = {block: block.key for block in blocks if block.key is not None}
        for block, key in list(later.items()):
            del later[block]
            ways[key] = self._write(block, later)
        return ways

    def _write(self, block: Block, later: Collection[Block]) -> list[ast.stmt]:
        """Return the steps of a block and of all that only it leads to; other blocks they name by their number."""
        if block.choice is not None:
            return [*block.steps, *ast.parse(f"s.phase = {block.phase}").body, self._stop]
        ways = [
            self._write(one, later)
            if one.key is None
            else ast.parse(f"_at = {one.key}" if one in later else f"return {one.key}").body
            for one in block.next
        ]
        if block.test is not None:
            return [*block.steps, ast.copy_location(ast.If(block.test, *ways), block.test)]
        return [*block.steps, *(ways[0] if ways else [self._stop])]

    def _write_offers(self) -> list[ast.stmt]:
        """Return the steps of `legal`: ask the offer of the phase."""
        ways: dict[int, list[ast.stmt]] = {}
        for phase, end in self._choices.items():
            _, moves, *more = cast(ast.Call, end.choice).args
            given = [ast.parse(name, mode="eval").body for name in ("s", "f", "_moves", "0")]
            asked = ast.copy_location(ast.Return(ast.Call(moves, [*given, *more], [])), moves)
            ways[phase] = [ast.If(_compare("_at", ast.Eq(), phase), [asked], [])]
        return [*ast.parse("_at = s.phase").body, *_choose_by("_at", ways), *ast.parse("return 0").body]


def _compare(name: str, operator: ast.cmpop, number: int) -> ast.expr:
    return ast.Compare(ast.parse(name, mode="eval").body, [operator], [ast.Constant(number)])


def _choose_by(name: str, ways: dict[int, list[ast.stmt]]) -> list[ast.stmt]:
    """Return steps that run the one of `ways` whose number the variable `name` has, with the fewest comparisons."""
    numbers = sorted(ways)
    if len(numbers) == 1:
        return ways[numbers[0]]
    middle = numbers[len(numbers) // 2]
    halves = [{at: way for at, way in ways.items() if (at < middle) == low} for low in (True, False)]
    return [ast.If(_compare(name, ast.Lt(), middle), *(_choose_by(name, half) for half in halves))]
