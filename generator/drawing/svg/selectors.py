"""Selectors of style sheets, matched with all elements of an art file at once.

cssselect2 reads selectors and tests one part. Its test of a whole selector tries every chain of ancestors and siblings
for every element, which takes years for some selectors.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element as Leaf

import cssselect2
from cssselect2 import compiler, parser

from generator.base.errors import InvalidInput
from generator.drawing.svg.tree import Element

_MOST_PARTS = 100
_MOST_WORK = 10_000_000
"""Comparisons of a part of a selector with an element, and declarations given to elements: some seconds."""

_REFUSED = (cssselect2.SelectorError, NotImplementedError, RecursionError, SyntaxError, ValueError)
"""Everything that cssselect2 raises for selectors that it cannot read or compile."""


class SelectorStep(NamedTuple):
    """A part of a selector. `looks_around` parts visit siblings or descendants of each element."""

    combinator: str
    test: Callable[[Any], bool]
    bucket: str
    cost: int
    looks_around: bool


class Selector(NamedTuple):
    """A selector as steps from left to right, and its specificity."""

    steps: tuple[SelectorStep, ...]
    specificity: tuple[int, ...]


@lru_cache(maxsize=1_000)
def read_selectors(text: str) -> tuple[Selector, ...]:
    """Return a rule's selectors, cached, without pseudo-elements. Raise InvalidInput if one is not understood."""
    try:
        parsed = [one for one in parser.parse(text) if one.pseudo_element is None]
        return tuple([Selector(_split_steps(one.parsed_tree), one.specificity) for one in parsed])
    except _REFUSED as error:
        raise InvalidInput("the selector is not understood") from error


def _split_steps(tree: Any) -> tuple[SelectorStep, ...]:
    parts: list[tuple[str, Any]] = []
    while isinstance(tree, parser.CombinedSelector):
        parts.append((tree.combinator, tree.right))
        tree = tree.left
    parts.append(("", tree))
    if sum(len([*_iter_simple(compound)]) for _, compound in parts) > _MOST_PARTS:
        raise InvalidInput(f"the selector has more than {_MOST_PARTS} parts")
    return tuple([_compile_step(combinator, compound) for combinator, compound in reversed(parts)])


def _compile_step(combinator: str, compound: Any) -> SelectorStep:
    made = compiler.CompiledSelector(parser.Selector(compound))
    inner = [*_iter_simple(compound)]
    looks_around = any(
        isinstance(one, parser.RelationalSelector) or "-type" in getattr(one, "name", "") for one in inner
    )
    bucket = f"#{made.id}" if made.id else f".{made.class_name}" if made.class_name else made.local_name or ""
    return SelectorStep(combinator, made.test, bucket, 1 + len(inner), looks_around)


def _iter_simple(compound: Any) -> Iterator[Any]:
    """Yield the simple selectors of a compound and of its `:not()`. Raise InvalidInput for combinators there."""
    for simple in compound.simple_selectors:
        yield simple
        if any(argument.type == "ident" and argument.value == "of" for argument in getattr(simple, "arguments", ())):
            raise InvalidInput("'of' in a pseudo-class is not supported")
        for one in getattr(simple, "selector_list", ()):
            tree = (one.selector if isinstance(one, parser.RelativeSelector) else one).parsed_tree
            if isinstance(tree, parser.CombinedSelector):
                raise InvalidInput("a combinator in a pseudo-class is not supported")
            yield from _iter_simple(tree)


class SelectorMatcher:
    """All elements of a drawing, in order, to be matched with selectors."""

    def __init__(self, root: Element):
        self.nodes = [*root.iter_elements()]
        self._work = 0
        self._buckets: dict[str, list[int]] = {"": [*range(len(self.nodes))]}
        self._parents, self._previous = [-1] * len(self.nodes), [-1] * len(self.nodes)
        leaves: list[Leaf] = []
        numbers = {node: at for at, node in enumerate(self.nodes)}
        last, sizes, self._around = dict[int, int](), dict[int, int](), 0
        for at, node in enumerate(self.nodes):
            leaves.append(Leaf(f"{{http://www.w3.org/2000/svg}}{node.tag}", node.attributes))
            if at and node.parent is not None:
                above = self._parents[at] = numbers[node.parent]
                leaves[above].append(leaves[at])
                self._previous[at] = last.get(above, -1)
                last[above] = at
                sizes[above] = sizes.get(above, 0) + 1
            names = node.attributes.get("class", "").split()
            for name in {node.tag, f"#{node.attributes.get('id', '')}", *(f".{name}" for name in names)}:
                self._buckets.setdefault(name, []).append(at)
        self._around = sum(size * size for size in sizes.values())
        self._elements = [*cssselect2.ElementWrapper.from_xml_root(leaves[0]).iter_subtree()]

    def match_selector(self, selector: Selector, cost: int) -> Iterable[int]:
        """Return the numbers of the elements that a selector means. Raise InvalidInput if that is too much work."""
        found: set[int] = set()
        for step in selector.steps:
            reached = self._reach_by_combinator(found, step.combinator)
            wanted = self._buckets.get(step.bucket, [])
            self._spend_work(step.cost * len(wanted) + (self._around if step.looks_around else 0))
            elements = self._elements
            found = {at for at in wanted if (reached is None or reached[at]) and step.test(elements[at])}
            if not found:
                break
        self._spend_work(cost * len(found))
        return sorted(found)

    def _spend_work(self, work: int) -> None:
        self._work += work
        if self._work > _MOST_WORK:
            raise InvalidInput("the style sheets are too much work")

    def _reach_by_combinator(self, found: set[int], combinator: str) -> list[bool] | None:
        """Return for each element whether a combinator leads to it from those found; None means all elements."""
        if not combinator:
            return None
        self._spend_work(len(self.nodes))
        by = self._parents if combinator in " >" else self._previous
        reached = [False] * len(self.nodes)
        through = combinator in " ~"
        for at, before in enumerate(by):
            if before >= 0:
                reached[at] = before in found or (through and reached[before])
        return reached
