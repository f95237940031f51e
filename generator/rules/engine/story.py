"""Stories: rules that read from top to bottom, with `choose` wherever somebody decides, made into kernels."""

import ast
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from functools import partial
from typing import Any, Concatenate, NoReturn, ParamSpec, TypeVar, cast

from generator.rules.engine.contract import Box, State, refuse_field
from generator.rules.engine.kernel import Kernel, Record, kernel
from generator.rules.engine.story_flow import (
    CHOICE,
    OFFER,
    STORY,
    Block,
    Swap,
    Writer,
    check_names,
    find_definition,
    find_place,
    keep_names,
    list_blocks,
    list_stores,
    place_at,
    report,
)

_F = TypeVar("_F", bound=Callable[..., Any])
_P = ParamSpec("_P")

PLACE = "story_place"
"""The field that tells which copy of a choice is asked, where a story uses a part twice."""

# @story
# def game(s: Record, f: Record) -> None:
#     """Play until the deck is empty."""
#     while s.deck_n > 0:
#         s.seat = s.turn % s.players
#         s.turn += 1
#         card = choose(Phase.PLAY, list_hand)    # the seat decides
#         if f.number[card] == 6:
#             give_card(s, f, card)               # a part: a story of its own, written in here
#     s.over = 1
#
# @offer
# def list_hand(s: Record, f: Record) -> Iterator[int]:
#     """Offer the cards of the hand."""
#     for card in range(f.cards):
#         if s.owner[card] == s.seat:
#             yield card
#
# STORY = Story(game, STATE)
#
# `set_up` deals and calls `STORY.begin`, which plays to the first choice.


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


setattr(choose, CHOICE, True)


class _Fill(ast.NodeTransformer):
    """Turns the `yield`s of an offer into steps that fill a row of moves."""

    def __init__(self, function: Kernel):
        self._function = function
        self.others: list[str] = []
        self.yields = 0

    def visit_Expr(self, node: ast.Expr) -> Any:
        """Return the steps for a `yield` of a move, or the call for a `yield from` another offer."""
        given = node.value
        if isinstance(given, ast.Yield) and given.value is not None:
            self.yields += 1
            filled = ast.parse("_moves[_number] = 0; _number += 1").body
            cast(ast.Assign, filled[0]).value = given.value
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
        """Return the number of moves at every end."""
        return place_at(ast.Return(ast.Name("_number", ast.Load())), node)

    def visit_Yield(self, node: ast.Yield) -> NoReturn:
        """Report a `yield` in any other form."""
        report(self._function, node, "this `yield` gives no move", "write `yield move` on a line of its own")

    def visit_YieldFrom(self, node: ast.YieldFrom) -> NoReturn:
        """Report a `yield from` of anything but an offer."""
        report(self._function, node, "`yield from` needs an offer", "write a loop, or mark the function @offer")


def _make_offer(function: Kernel, trail: tuple[Kernel, ...] = ()) -> Kernel:
    """Return a kernel (s, f, moves, number, ...) that fills in an offer's moves from a number on, and counts them."""
    tree, scope, fill = find_definition(function), function.__globals__, _Fill(function)
    if function in trail:
        report(function, tree, f"the offer `{tree.name}` yields from itself", "write a loop")
    check_names(function, tree)
    own = list_stores(tree)
    fold = Swap({}, {name: value for name, value in scope.items() if name not in own})
    body = [*fill.visit(fold.visit(ast.Module(tree.body, []))).body, *ast.parse("return _number").body]
    if not fill.yields:
        report(function, tree, f"the offer `{tree.name}` yields nothing", "write `yield` before each move")
    tree.args.args[2:2] = [ast.arg("_moves"), ast.arg("_number")]
    others = {name: _make_offer(scope[name], (*trail, function)) for name in fill.others}
    return _make_kernel(function, tree.name, ast.unparse(tree.args), body, {**scope, **others})


def _make_kernel(origin: Kernel, name: str, arguments: str, body: list[ast.stmt], scope: dict[str, Any]) -> Kernel:
    """Return a kernel with this body; tracebacks name the lines of the origin's file."""
    module = ast.parse(f"def {name}({arguments}): pass")
    function = cast(ast.FunctionDef, module.body[0])
    function.body, function.lineno = body, origin.__code__.co_firstlineno
    function.end_lineno = function.lineno
    made: dict[str, Any] = {}
    exec(compile(ast.fix_missing_locations(module), origin.__code__.co_filename, "exec"), scope, made)  # noqa: S102
    return kernel(cast(Kernel, made[name]))


class Story:
    """A story and its parts as the kernels `begin`, `legal` and `apply`, which play from choice to choice.

    Parts are written in wherever they are called; all must be defined before this call. A name whose value is needed
    after a choice becomes a field of the state (`fields`), which is 0 while nobody needs it. Raise ProblemsFound for
    mistakes in the story.
    """

    def __init__(self, game: Callable[[Record, Record], None], state: State):
        writer = Writer(game, state)
        self._state, self._game, self._choices = state, game, writer.choices
        if not writer.choices:
            report(game, writer.tree, f"nobody chooses in the story `{game.__name__}`", "write choose(...) in it")
        blocks = list_blocks(writer.start)
        kept = keep_names(blocks, writer.names)
        for name in kept:
            refuse_field(name, partial(find_place, game, writer.names[name]))
        several = [ends for ends in writer.choices.values() if len(ends) > 1]
        self.fields = (*sorted(kept), *([PLACE] if several else []))
        self._scope = {**game.__globals__, **{name: _make_offer(made) for name, made in writer.offers.items()}}
        begin_phase = min(0, *writer.choices) - 1
        ways = self._number_blocks(blocks, begin_phase)
        found: list[ast.stmt] = [ast.If(_compare("_at", ast.Eq(), key), way, []) for key, way in ways.items()]
        self._scope["_run"] = self._make("run", "s, f, _at, _move", [*found, *ast.parse(f"return {begin_phase}").body])
        steps = f"_at = _run(s, f, _at, _move)\nwhile _at != {begin_phase}:\n _at = _run(s, f, _at, _move)"
        find = f"_at = s.{PLACE}\nif _at:\n s.{PLACE} = 0\nelse:\n _at = s.phase\n" if several else "_at = s.phase\n"
        self.legal = self._make("legal", "s, f, _moves", self._write_offers())
        self.apply = self._scope["_apply"] = self._make("apply", "s, f, _move", ast.parse(find + steps).body)
        self.begin = self._make("begin", "s, f", ast.parse(f"s.phase = {begin_phase}; _apply(s, f, 0)").body)

    def make_fields(self, box: Box) -> dict[str, Any]:
        """Return the fields of a state before set-up, and those that the story keeps."""
        return {**self._state.make_fields(box), **dict.fromkeys(self.fields, 0)}

    def _make(self, name: str, arguments: str, body: list[ast.stmt]) -> Kernel:
        return _make_kernel(self._game, name, arguments, body, self._scope)

    def _number_blocks(self, blocks: list[Block], begin_phase: int) -> dict[int, list[ast.stmt]]:
        """Return the steps of `apply` by number, in the order of the story.

        They run one after the other where the number that is looked for comes later, as nearly all do; so machine code
        needs no search. To go back they return the number, and the number of the beginning where the story stops: a
        loop around all of them would make every move prepare what any step may need. Numbers are phases, then copies of
        choices, then blocks with several ways in.
        """
        free, ways = max(0, *self._choices) + 1, dict[int, list[ast.stmt]]()
        self._stop, blocks[0].key = ast.parse(f"return {begin_phase}").body[0], begin_phase
        for phase, ends in self._choices.items():
            for end in ends:
                end.place = end.next[0].key = free if len(ends) > 1 else phase
                free += len(ends) > 1
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
        """Return the steps of a block and of those that only it leads to; they name the number of any other."""
        if block.choice is not None:
            stop = f"s.phase = {block.phase}"
            if block.place != block.phase:
                stop += f"; s.{PLACE} = {block.place}"
            return [*block.steps, *ast.parse(stop).body, self._stop]
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
        for phase, ends in self._choices.items():
            copies: dict[int, list[ast.stmt]] = {}
            for end in ends:
                _, moves, *more = cast(ast.Call, end.choice).args
                given = [ast.parse(name, mode="eval").body for name in ("s", "f", "_moves", "0")]
                asked = ast.copy_location(ast.Return(ast.Call(moves, [*given, *more], [])), moves)
                copies[end.place] = [asked]
            ways[phase] = [ast.If(_compare("_at", ast.Eq(), phase), _choose_by(f"s.{PLACE}", copies), [])]
        return [*ast.parse("_at = s.phase").body, *_choose_by("_at", ways), *ast.parse("return 0").body]


def _compare(name: str, operator: ast.cmpop, number: int) -> ast.expr:
    return ast.Compare(ast.parse(name, mode="eval").body, [operator], [ast.Constant(number)])


def _choose_by(name: str, ways: dict[int, list[ast.stmt]]) -> list[ast.stmt]:
    """Return steps that go one of these ways, by a name's number, in as few comparisons as possible."""
    numbers = sorted(ways)
    if len(numbers) == 1:
        return ways[numbers[0]]
    middle = numbers[len(numbers) // 2]
    halves = [{at: way for at, way in ways.items() if (at < middle) == low} for low in (True, False)]
    return [ast.If(_compare(name, ast.Lt(), middle), *(_choose_by(name, half) for half in halves))]
