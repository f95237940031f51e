"""Style sheets of art files: their rules, and selectors that are matched with all elements of a file at once.

cssselect2 reads selectors and tests one part. Its test of a whole selector tries every chain of ancestors and siblings
for every element, which takes years for some selectors.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element as Leaf

import cssselect2
import tinycss2
from cssselect2 import compiler, parser

from generator.base.errors import InvalidInput
from generator.drawing.svg.tree import ArtNotes, Declaration, Element

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
        """Return the numbers of a selector's elements. Raise InvalidInput if the work (each: `cost`) is too much."""
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


_DATA = r"(?i)url\(\s*[\"']?data:[^)\"']*"
_DEEPEST = 20
_MOST_CHARACTERS = 1_000_000
"""Maximum characters of a drawing's style sheets, without embedded fonts and pictures."""


class _Rule(NamedTuple):
    selector: Selector
    weight: tuple[Any, ...]
    declared: tuple[Declaration, ...]
    cost: int


def apply_sheets(root: Element, sheets: Iterable[Element], notes: ArtNotes) -> dict[Element, list[Declaration]]:
    """Return each element's declarations from the sheets, the highest priority last. Note sheets that are ignored."""
    rules: list[_Rule] = []
    left = _MOST_CHARACTERS
    for sheet in sheets:
        if sheet.attributes.get("type", "text/css").strip().lower() not in ("text/css", ""):
            notes.add(sheet.at, "a style sheet is not valid CSS and is ignored")
            continue
        text = re.sub(_DATA, "url(", sheet.text)
        left -= len(text)
        if left < 0:
            what = f"style sheets of more than {_MOST_CHARACTERS:,} characters are left out from here on; simplify them"
            notes.add(sheet.at, what)
            break
        try:
            parsed = tinycss2.parse_stylesheet(text, skip_comments=True, skip_whitespace=True)
        except ValueError:  # Python reads no whole number of more than 4,300 digits
            notes.add(sheet.at, "a style sheet with a number of thousands of digits is left out")
        else:
            _read_rules(parsed, sheet, rules, notes)
    return _match_rules(root, rules, notes) if rules else {}


def _match_rules(root: Element, rules: list[_Rule], notes: ArtNotes) -> dict[Element, list[Declaration]]:
    matcher = SelectorMatcher(root)
    found: dict[Element, list[Declaration]] = {}
    try:
        for rule in sorted(rules, key=lambda rule: rule.weight):
            for at in matcher.match_selector(rule.selector, rule.cost):
                found.setdefault(matcher.nodes[at], []).extend(rule.declared)
    except InvalidInput:
        what = f"{len(rules):,} rules of style for {len(matcher.nodes):,} elements are too much work"
        notes.add(root.at, f"{what}: they are left out; use fewer rules, or simpler selectors")
        return {}
    return found


def _read_rules(parsed: Iterable[Any], sheet: Element, rules: list[_Rule], notes: ArtNotes) -> None:
    for rule in parsed:
        if _is_too_deep(rule):
            notes.add(sheet.at, f"rules nested more than {_DEEPEST} deep are left out")
        elif rule.type == "at-rule":
            prelude = tinycss2.serialize(rule.prelude).strip()
            if rule.lower_at_keyword == "media" and rule.content is not None:
                if {"all", "screen", "print"} & set(re.split(r"[\s,]+", prelude.lower())) and "(" not in prelude:
                    inner = tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True)
                    _read_rules(inner, sheet, rules, notes)
                else:
                    notes.add(sheet.at, f"the rules of '@media {prelude[:40]}' are left out")
            elif rule.lower_at_keyword == "font-face":
                notes.add(sheet.at, "@font-face loads no font: add the font to the project (fonts: in its data)")
            elif rule.lower_at_keyword not in ("charset", "namespace"):
                notes.add(sheet.at, f"'@{rule.at_keyword[:40]}' of the style sheet is left out")
        elif rule.type == "qualified-rule":
            _read_rule(rule, sheet, rules, notes)


def _read_rule(rule: Any, sheet: Element, rules: list[_Rule], notes: ArtNotes) -> None:
    shown = tinycss2.serialize(rule.prelude).strip()
    try:
        selectors = read_selectors(shown)
    except InvalidInput:
        notes.add(sheet.at, f"the selector '{shown if len(shown) <= 60 else shown[:57] + '...'}' is not understood")
        return
    declared = tuple(
        [
            Declaration(
                told.name if told.name.startswith("--") else told.lower_name,
                tinycss2.serialize(told.value).strip(),
                told.important,
            )
            for told in tinycss2.parse_blocks_contents(rule.content, skip_comments=True, skip_whitespace=True)
            if told.type == "declaration"
        ]
    )
    cost = sum(1 + len(told.value) // 50 for told in declared)
    rules += [
        _Rule(selector, (selector.specificity, len(rules) + at), declared, cost)
        for at, selector in enumerate(selectors)
    ]


def _is_too_deep(rule: Any) -> bool:
    """Return True if a rule's brackets are nested too deep for the recursive parsers."""
    level = [rule]
    for _ in range(_DEEPEST + 1):
        level = [
            inner
            for token in level
            for name in ("prelude", "content", "arguments")
            for inner in getattr(token, name, None) or ()
        ]
        if not level:
            return False
    return True
