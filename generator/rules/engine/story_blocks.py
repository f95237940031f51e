"""The blocks of a story, and the names that they need from others."""

import ast
from collections.abc import Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

from generator.rules.engine.facts import Codes

_NodeT = TypeVar("_NodeT", bound=ast.AST)


def place_at(node: _NodeT, origin: ast.AST) -> _NodeT:
    """Return a new node with the line of another."""
    return ast.fix_missing_locations(ast.copy_location(node, origin))


class Swap(ast.NodeTransformer):
    """Replaces names by expressions, and names of whole numbers by the numbers, which Python reads faster."""

    def __init__(self, expressions: Mapping[str, ast.expr], scope: Mapping[str, Any] | None = None):
        self._expressions, self._scope = expressions, scope or {}

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Return the expression that replaces a name, even one that is assigned, or its number, or the name itself."""
        new = self._expressions.get(node.id)
        if new is None:
            value = self._scope.get(node.id)
            return ast.copy_location(ast.Constant(value), node) if type(value) is int else node
        new = deepcopy(new)
        if isinstance(new, (ast.Name, ast.Attribute)):
            new.ctx = node.ctx
        return place_at(new, node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        """Return the number for a name of Codes, as in `Phase.PLAY`."""
        value = self._scope.get(node.value.id) if isinstance(node.value, ast.Name) else None
        if isinstance(value, Codes) and hasattr(value, node.attr):
            return ast.copy_location(ast.Constant(getattr(value, node.attr)), node)
        return cast(ast.expr, self.generic_visit(node))

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt | None:
        """Return the assignment without its type, or nothing if it has only a type."""
        if node.value is None:
            return None
        return cast(ast.stmt, self.generic_visit(ast.copy_location(ast.Assign([node.target], node.value), node)))


@dataclass(eq=False, slots=True)
class Block:
    """Steps that run in one go, and what follows: one block, two after a test (yes, no), or none.

    At a choice the story stops in a phase; the next block begins with the move. A key is a number to find a block by. A
    situation can begin at a block with a `start`.
    """

    steps: list[ast.stmt] = field(default_factory=list)
    test: ast.expr | None = None
    next: list["Block"] = field(default_factory=list)
    choice: ast.Call | None = None
    phase: int = 0
    key: int | None = None
    start: int | None = None


# Names that the story needs after a choice, or in the next round of a loop: those that may be read before they get
# another value.


def _list_reads(nodes: Iterable[ast.AST | None]) -> set[str]:
    """Return the names that are read."""
    found = set()
    for node in (node for tree in nodes if tree is not None for node in ast.walk(tree)):
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            found.add(node.target.id)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            found.add(node.id)
    return found


def list_stores_of(steps: Iterable[ast.AST]) -> set[str]:
    """Return the names that steps give values to."""
    nodes = (node for step in steps for node in ast.walk(step))
    return {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


def _find_needs(steps: list[ast.stmt], after: set[str], loop: tuple[set[str], set[str]] = (set(), set())) -> set[str]:
    """Return the names needed before the steps, given those needed `after` them, and at a loop's head and behind it."""
    needs = after
    for step in reversed(steps):
        if isinstance(step, (ast.Break, ast.Continue)):
            needs = loop[isinstance(step, ast.Break)]
        elif isinstance(step, ast.Return):
            needs = _list_reads([step])
        elif isinstance(step, ast.If):
            ways = (_find_needs(way, needs, loop) for way in (step.body, step.orelse))
            needs = _list_reads([step.test]).union(*ways)
        elif isinstance(step, (ast.For, ast.While)):
            behind = needs
            own = list_stores_of([step.target]) if isinstance(step, ast.For) else set()
            head = behind | (set() if isinstance(step, ast.For) else _list_reads([step.test]))
            while not (inner := _find_needs(step.body, head, (head, behind)) - own) <= head:
                head = head | inner
            needs = head | (_list_reads([step.iter]) if isinstance(step, ast.For) else set())
        else:
            needs = (needs - list_stores_of([step])) | _list_reads([step])
    return needs


def list_blocks(start: Block) -> list[Block]:
    """Return all blocks that a story can reach, without those that have nothing to do."""

    def skip(block: Block) -> Block:
        skipped = set()
        while (
            not (block.steps or block.test or block.choice)
            and block.start is None
            and block.next
            and block not in skipped
        ):
            skipped.add(block)
            block = block.next[0]
        return block

    found: list[Block] = []
    seen = set[Block]()

    def visit(block: Block) -> None:
        seen.add(block)
        if block.choice is None:
            block.next = [skip(one) for one in block.next]
        for one in reversed(block.next):
            if one not in seen:
                visit(one)
        found.append(block)

    visit(start)
    return found[::-1]


def keep_names(blocks: list[Block], names: Iterable[str]) -> set[str]:
    """Turn local names needed after a choice, or where the story goes back, into fields of the state. Return the names.

    Fields are 0 while nobody needs them.
    """
    before, needs = _trace_needs(blocks, set(names))
    order = {block: n for n, block in enumerate(blocks)}
    kept = {name for block in blocks if block.choice or block.start is not None for name in needs[block]}
    kept |= {name for one in blocks for head in one.next if order[head] <= order[one] for name in before[head]}
    fields = Swap({name: ast.Attribute(ast.Name("s", ast.Load()), name) for name in kept})
    given: dict[Block, set[str]] = {block: set() for block in blocks}
    changed = True
    while changed:
        changed = False
        for block in blocks:
            now = given[block] | (list_stores_of(block.steps) & kept)
            now &= needs[block] if block.choice else kept
            for one in block.next:
                changed |= not now <= given[one]
                given[one] |= now
    for block in blocks:
        if block.choice or not block.next:
            idle = sorted((given[block] | (list_stores_of(block.steps) & kept)) - needs[block])
            block.steps += ast.parse("; ".join(f"{name} = 0" for name in idle)).body
        block.steps = [fields.visit(step) for step in block.steps]
        block.test = block.test and fields.visit(block.test)
        if block.choice:
            block.choice.args[2:] = [fields.visit(one) for one in block.choice.args[2:]]
    return kept


def _trace_needs(blocks: list[Block], names: set[str]) -> tuple[dict[Block, set[str]], dict[Block, set[str]]]:
    """Return, by block, the names of `names` whose values are needed before it, and behind its steps."""
    before: dict[Block, set[str]] = {block: set() for block in blocks}
    behind: dict[Block, set[str]] = {}
    changed = True
    while changed:
        changed = False
        for block in reversed(blocks):
            asked = _list_reads([block.test, *(block.choice.args[2:] if block.choice else ())])
            behind[block] = (asked & names).union(*(before[one] for one in block.next))
            needs = _find_needs(block.steps, behind[block]) & names
            changed |= needs != before[block]
            before[block] = needs
    return before, behind
