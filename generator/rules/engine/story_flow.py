"""The flow of a story: its source, cut into blocks at each choice."""

import ast
import builtins
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import lru_cache
from inspect import findsource
from types import FunctionType
from typing import Any, NoReturn, cast

from generator.base.errors import Place, Problem, ProblemsFound
from generator.rules.engine.contract import State
from generator.rules.engine.kernel import MARK, Kernel
from generator.rules.engine.story_blocks import Block, Swap, list_stores_of, place_at

STORY, OFFER, CHOICE, START = "_is_story", "_is_offer", "_is_choice", "_is_start"
"""The attributes by which functions are known as parts of stories, as offers, as `choose`, and as `mark_start`."""


def report(function: Kernel, node: ast.AST, what: str, hint: str) -> NoReturn:
    """Raise ProblemsFound: `what` is wrong at a node of a function's source, `hint` says what to do."""
    raise ProblemsFound([Problem(find_place(function, node), what, hint)])


def find_place(function: Kernel, node: ast.AST) -> Place:
    """Return the spot of a node in a function's file."""
    return Place(function.__code__.co_filename, getattr(node, "lineno", 0), getattr(node, "col_offset", -1) + 1)


def find_definition(function: Kernel) -> ast.FunctionDef:
    """Return the syntax tree of a function, with the lines of its file; to be copied before it is changed."""
    for node in _parse_file("".join(findsource(function)[0])).body:
        if isinstance(node, ast.FunctionDef) and node.name == function.__name__:
            return node
    raise TypeError(f"{function} is not defined at the top of its file")


@lru_cache(maxsize=2)
def _parse_file(text: str) -> ast.Module:
    return ast.parse(text)


def list_stores(tree: ast.FunctionDef) -> dict[str, ast.AST]:
    """Return the names of a function's parameters and of what it assigns, each with its first place."""
    stores: dict[str, ast.AST] = {arg.arg: arg for arg in tree.args.args}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            stores.setdefault(node.id, node)
    return stores


def check_names(function: Kernel, tree: ast.FunctionDef) -> None:
    """Raise ProblemsFound for a name that nothing has, or a call of a function that can't be compiled."""
    scope, own = function.__globals__, list_stores(tree)
    for node in (node for step in tree.body for node in ast.walk(step)):
        if isinstance(node, ast.Name) and not (node.id in own or node.id in scope or hasattr(builtins, node.id)):
            report(function, node, f"nothing has the name `{node.id}`", "correct it, or define it before the Story")
        called = find_called(node, scope)
        if isinstance(called, FunctionType) and not any(
            hasattr(called, mark) for mark in (MARK, STORY, OFFER, CHOICE, START)
        ):
            report(function, node, f"`{called.__name__}` is no kernel", "mark it @kernel, or @story if it chooses")


def find_called(node: ast.AST, scope: Mapping[str, Any]) -> Any:
    """Return what a node calls by its name, or None."""
    return scope.get(node.func.id) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else None


def _is_endless(loop: ast.While, calls_story: Callable[[ast.AST], bool]) -> bool:
    """Return True if a loop can't end: nothing that its `while` asks changes within it, and nothing leaves it."""
    inside = [node for step in loop.body for node in ast.walk(step)]
    if any(isinstance(node, (ast.Break, ast.Return)) or calls_story(node) for node in inside):
        return False
    asked = list(ast.walk(loop.test))
    if not isinstance(loop.test, ast.Constant) and any(isinstance(node, ast.Call) for node in (*asked, *inside)):
        return False  # what is called may change anything
    changed = {ast.unparse(node) for node in inside if isinstance(getattr(node, "ctx", None), ast.Store)}
    rows = {name.partition("[")[0] for name in changed}
    return not any(ast.unparse(node) in rows for node in asked if isinstance(node, (ast.Name, ast.Attribute)))


@dataclass(frozen=True, slots=True)
class _Frame:
    """Where `break`, `continue` and `return` lead, where the result goes, and the parts that are being written in."""

    trail: tuple[Kernel, ...]
    after: Block
    head: Block | None = None
    behind: Block | None = None
    result: ast.expr | None = None

    def report(self, node: ast.AST, what: str, hint: str) -> NoReturn:
        """Raise ProblemsFound: `what` is wrong at a node of the part being written in, `hint` says what to do."""
        report(self.trail[-1], node, what, hint)


@dataclass(eq=False, slots=True)
class _Part:
    """A part of a story, written as blocks once for all calls; the name `after` has the number of the present call."""

    tree: ast.FunctionDef
    first: Block
    last: Block
    after: str = ""
    result: str = ""
    calls: int = 0


class Writer:
    """Writes a story and its parts into blocks; `choices` are the blocks that end in a choice, by their phase.

    `cut` are the lines of statements that are split over blocks. With `counts`, each of these begins with a `pass`.
    """

    def __init__(self, game: Kernel, state: State, *, counts: bool = False):
        self._counts, self.cut = counts, set[int]()
        self.start, self.names = Block(), dict[str, ast.AST]()
        self.choices: dict[int, Block] = {}
        self.offers: dict[str, Kernel] = {}
        self.starts = set[int]()
        self._state, self._scope, self._own = state, game.__globals__, dict[Kernel, dict[str, str]]()
        self._calls, self._parts = Counter[Kernel](), dict[Kernel, _Part]()
        self._count_calls(game)
        self.tree = self._read(game)
        end = self._lower(self.tree.body, self.start, _Frame((game,), after := Block()))
        if end is not None:
            end.next = [after]

    def list_functions(self) -> list[Kernel]:
        """Return the story, its parts and their offers, in the order of their file."""
        found = [*self._own, *self.offers.values()]
        for one in found:  # offers that offers yield from come behind them
            named = (one.__globals__.get(name) for name in one.__code__.co_names)
            found += [other for other in named if other is not None and hasattr(other, OFFER) and other not in found]
        return sorted(found, key=lambda one: one.__code__.co_firstlineno)

    def _count_calls(self, function: Kernel) -> None:
        for node in ast.walk(find_definition(function)):
            called = find_called(node, self._scope)
            if hasattr(called, STORY):
                self._calls[called] += 1
                if self._calls[called] == 1:
                    self._count_calls(called)

    def _takes_phase(self, function: Kernel) -> bool:
        """Return True if a part takes its phase as an argument. Such a part is copied into each call."""
        tree = find_definition(function)
        arguments = {arg.arg for arg in tree.args.args}
        asked = (node for node in ast.walk(tree) if hasattr(find_called(node, self._scope), CHOICE))
        return any(ast.unparse(cast(ast.Call, node).args[0]) in arguments for node in asked)

    def _read(self, function: Kernel) -> ast.FunctionDef:
        """Return a copy of a story's tree with names of its own; report what is wrong with it."""
        tree = deepcopy(find_definition(function))
        check_names(function, tree)
        if [arg.arg for arg in tree.args.args[:2]] != ["s", "f"]:
            report(function, tree, f"the story `{tree.name}` has no state", "begin its arguments with s, f")
        stores = list_stores(tree)
        del stores["s"], stores["f"]
        for node in ast.walk(tree):
            if isinstance(node, ast.While) and _is_endless(node, self._calls_story):
                report(function, node, "this loop never ends", "change what its `while` asks, or leave it by `break`")
        for name, node in stores.items():
            if name in self._state.fields:
                what = f"`{name}` is also a field of the state"
                report(function, node, what, f"write `s.{name}` for the field, or choose another name")
        if function not in self._own:
            self._own[function] = {name: self._find_free_name(name) for name in stores}
            self.names |= {new: stores[name] for name, new in self._own[function].items()}
        swaps: dict[str, ast.expr] = {name: ast.Name(new) for name, new in self._own[function].items() if new != name}
        fold = Swap(swaps, {name: value for name, value in self._scope.items() if name not in stores})
        tree.body = fold.visit(ast.Module(tree.body, [])).body
        return tree

    def _find_free_name(self, name: str) -> str:
        """Return the name, with a number if another part of the story has it."""
        free, copies = name, 1
        while free in self.names or free in self._state.fields:
            copies += 1
            free = f"{name}_{copies}"
        return free

    def _calls_story(self, node: ast.AST) -> bool:
        """Return True if a node calls `choose` or a part of the story."""
        called = find_called(node, self._scope)
        return any(hasattr(called, mark) for mark in (STORY, CHOICE, START))

    def _breaks_off(self, node: ast.AST, *, in_loop: bool = False) -> bool:
        """Return True if the story may stop in a node or leave it. `in_loop`: its break and continue stay in it."""
        if isinstance(node, (ast.Break, ast.Continue)):
            return not in_loop
        if self._calls_story(node) or isinstance(node, ast.Return):
            return True
        in_loop = in_loop or isinstance(node, (ast.For, ast.While))
        return any(self._breaks_off(part, in_loop=in_loop) for part in ast.iter_child_nodes(node))

    def _lower(self, steps: Iterable[ast.stmt], block: Block, frame: _Frame) -> Block | None:
        """Write statements behind a block. Return the block where the story goes on, None if it doesn't."""
        open_end: Block | None = block
        for step in steps:
            if open_end is None:
                break
            if self._breaks_off(step):
                open_end = self._lower_step(step, open_end, frame)
            elif not (isinstance(step, ast.Expr) and isinstance(step.value, ast.Constant)):  # a docstring
                open_end.steps.append(step)
        return open_end

    def _lower_step(self, step: ast.stmt, block: Block, frame: _Frame) -> Block | None:
        """Write a statement where the story may stop or branch. Return the block where it goes on, or None."""
        if self._counts:
            self.cut.add(step.lineno)
            block.steps.append(place_at(ast.Pass(), step))
        targets = step.targets if isinstance(step, ast.Assign) else []
        alone = step.value if len(targets) == 1 or isinstance(step, (ast.Expr, ast.Return)) else None  # type: ignore[attr-defined]
        parts = (part for part in ast.iter_child_nodes(step) if isinstance(part, ast.expr))
        for node in (node for part in parts for node in ast.walk(part)):
            if self._calls_story(node) and node is not alone:
                name = ast.unparse(cast(ast.Call, node).func)
                what = f"{'a choice' if name == 'choose' else f'the part `{name}`'} stands inside an expression"
                frame.report(node, what, f"write `answer = {name}(...)` on a line of its own")
        if isinstance(step, (ast.Break, ast.Continue)):
            block.next = [cast(Block, frame.behind if isinstance(step, ast.Break) else frame.head)]
        elif isinstance(step, ast.Return):
            if alone is not None and self._calls_story(alone):
                block = self._lower_call(cast(ast.Call, alone), deepcopy(frame.result), block, frame)
            elif frame.result is not None and step.value is not None:
                block.steps.append(place_at(ast.Assign([deepcopy(frame.result)], step.value), step))
            block.next = [frame.after]
        elif isinstance(step, ast.If):
            return self._lower_if(step, block, frame)
        elif isinstance(step, ast.While) and not step.orelse:
            return self._lower_loop(step.test, step.body, None, block, frame)
        elif isinstance(step, ast.For) and not step.orelse:
            return self._lower_for(step, block, frame)
        elif alone is not None:
            return self._lower_call(cast(ast.Call, alone), targets[0] if targets else None, block, frame)
        else:
            what = f"a story can't choose within `{ast.unparse(step).split()[0].rstrip(':')}`"
            frame.report(step, what, "use `if`, `while`, or `for` with `range`")
        return None

    def _lower_if(self, step: ast.If, block: Block, frame: _Frame) -> Block | None:
        block.test, block.next = step.test, [Block(), Block()]
        ways = zip((step.body, step.orelse), block.next, strict=True)
        ends = [end for way, first in ways if (end := self._lower(way, first, frame)) is not None]
        join = Block()
        for end in ends:
            end.next = [join]
        return join if ends else None

    def _lower_loop(
        self, test: ast.expr, body: list[ast.stmt], count: ast.stmt | None, block: Block, frame: _Frame
    ) -> Block:
        """Write a loop; the step `count` ends each round, and is undone after the last. Return the block behind it."""
        head, inner, behind = Block(), Block(), Block()
        again, done = (Block([count], None, [head]), Block([], None, [behind])) if count else (head, behind)
        if isinstance(count, ast.AugAssign):
            done.steps = [place_at(ast.AugAssign(deepcopy(count.target), ast.Sub(), count.value), count)]
        block.next = [head]
        if isinstance(test, ast.Constant) and test.value:
            head.next = [inner]
        else:
            head.test, head.next = test, [inner, done]
        end = self._lower(body, inner, replace(frame, head=again, behind=behind))
        if end is not None:
            end.next = [again]
        return behind

    def _lower_for(self, step: ast.For, block: Block, frame: _Frame) -> Block:
        """Write a loop over a range. Return the block behind it. Raise ProblemsFound for any other loop."""
        steps, named = step.iter, step.target
        if not (isinstance(steps, ast.Call) and ast.unparse(steps.func) == "range" and 1 <= len(steps.args) <= 2):
            frame.report(steps, "a story chooses only in loops over a range", "write `range(end)`")
        assert isinstance(named, ast.Name)  # noqa: S101 - a range has whole numbers
        if named.id in list_stores_of(step.body):
            what = f"`{named.id}` counts the rounds, and the loop changes it"
            frame.report(named, what, "choose another name for one of them")
        start, end = (ast.Constant(0), *steps.args)[-2:]
        if not isinstance(end, ast.Constant) and not ast.unparse(end).startswith("f."):
            last = self._find_free_name(f"{named.id}_end")
            self.names[last] = steps
            block.steps.append(place_at(ast.Assign([ast.Name(last, ast.Store())], end), step))
            end = ast.Name(last, ast.Load())
        block.steps.append(place_at(ast.Assign([named], start), step))
        test = place_at(ast.Compare(ast.Name(named.id, ast.Load()), [ast.Lt()], [end]), step)
        count = place_at(ast.AugAssign(named, ast.Add(), ast.Constant(1)), step)
        return self._lower_loop(test, step.body, count, block, frame)

    def _lower_call(self, call: ast.Call, target: ast.expr | None, block: Block, frame: _Frame) -> Block:
        """Write a choice, a marked spot or a part (in place of its call) behind a block. Return the block after it."""
        function: Kernel = self._scope[cast(ast.Name, call.func).id]
        if hasattr(function, CHOICE):
            return self._lower_choice(call, target, block, frame)
        if hasattr(function, START):
            return self._lower_start(call, block, frame)
        trail, once = (*frame.trail, function), self._calls[function] == 1 or self._takes_phase(function)
        if function in frame.trail:
            names = " -> ".join(one.__name__ for one in trail[frame.trail.index(function) :])
            frame.report(call, f"the story goes round in a circle: {names}", "write a loop with `while`")
        if function.__code__.co_filename != frame.trail[0].__code__.co_filename:
            frame.report(call, f"the part `{function.__name__}` is in another file", "move it to this file")
        part = self._parts.get(function) or _Part(self._read(function), Block(), Block())
        if len(part.tree.args.args) != len(call.args) or call.keywords:
            names = ", ".join(arg.arg for arg in part.tree.args.args)
            frame.report(call, f"`{function.__name__}` needs other arguments", f"give it ({names})")
        constants: dict[str, ast.expr] = {}
        stores = list_stores_of(part.tree.body)
        for arg, value in zip(part.tree.args.args[2:], call.args[2:], strict=True):
            new = self._own[function][arg.arg]
            if isinstance(value, ast.Constant) and new not in stores and once:
                constants[new] = value
            else:
                block.steps.append(place_at(ast.Assign([ast.Name(new, ast.Store())], value), call))
        if function not in self._parts:
            if not once:
                self._parts[function] = part
                part.after = self._find_free_name(f"after_{function.__name__}")
                part.result = self._find_free_name(f"{function.__name__}_result")
                self.names |= {part.after: call, part.result: call}
            result = target if once else ast.Name(part.result, ast.Store())
            body = [Swap(constants).visit(step) for step in part.tree.body]
            end = self._lower(body, part.first, _Frame(trail, part.last, result=result))
            if end is not None:
                end.next = [part.last]
        after, block.next = Block(), [part.first]
        part.last.next = [after]
        if not once:
            block.steps.append(place_at(ast.parse(f"{part.after} = {part.calls}").body[0], call))
            if part.calls < self._calls[function] - 1:
                part.last.test = ast.parse(f"{part.after} == {part.calls}", mode="eval").body
                part.last.next.append(Block())
                part.last = part.last.next[1]
            if target is not None:
                after.steps.append(place_at(ast.Assign([target], ast.Name(part.result, ast.Load())), call))
        part.calls += 1
        return after

    def _lower_start(self, call: ast.Call, block: Block, frame: _Frame) -> Block:
        number = call.args[0].value if len(call.args) == 1 and isinstance(call.args[0], ast.Constant) else None
        if type(number) is not int or number < 0:
            frame.report(call, "`mark_start` needs a whole number from 0", "write mark_start(1)")
        if number in self.starts:
            frame.report(call, f"{number} marks two spots", "give each spot a number of its own")
        self.starts.add(number)
        block.next, after = [Block(start=number)], Block()
        block.next[0].next = [after]
        return after

    def _lower_choice(self, call: ast.Call, target: ast.expr | None, block: Block, frame: _Frame) -> Block:
        if len(call.args) < 2 or call.keywords:
            frame.report(call, "`choose` needs a phase and an offer", "write choose(Phase.PLAY, list_hand)")
        phase, moves = call.args[:2]
        if not isinstance(phase, ast.Constant) or type(phase.value) is not int:
            frame.report(phase, "this is no phase", "name one of the codes, such as Phase.PLAY")
        made: Kernel = self._scope.get(ast.unparse(moves), report)
        if not hasattr(made, OFFER):
            frame.report(moves, f"`{ast.unparse(moves)}` is no offer", "mark it @offer")
        if phase.value in self.choices:
            what = f"line {cast(ast.Call, self.choices[phase.value].choice).lineno} already uses this phase"
            frame.report(call, what, "give each choice its own phase, or move both into one part")
        self.choices[phase.value] = block
        self.offers[ast.unparse(moves)] = made
        block.choice, block.phase, after = call, phase.value, Block()
        block.next = [after]
        if target is not None:
            after.steps.append(place_at(ast.Assign([target], ast.Name("_move", ast.Load())), call))
        return after
