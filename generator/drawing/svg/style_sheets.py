"""The cascade of art files: the properties that attributes and style sheets give to elements."""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.base.errors import InvalidInput
from generator.drawing.svg.tree import ArtNotes, Declaration, Element

if TYPE_CHECKING:
    from generator.drawing.svg.selectors import Selector


_DATA = r"(?i)url\(\s*[\"']?data:[^)\"']*"
_DEEPEST = 20
_MOST_CHARACTERS = 1_000_000
"""Maximum characters of a drawing's style sheets, without embedded fonts and pictures."""


def apply_cascade(root: Element, notes: ArtNotes) -> None:
    """Give each element the declarations of attributes and style sheets, the highest priority last."""
    sheets = [node for node in root.iter_elements() if node.tag == "style" and node.text.strip()]
    ruled = _apply_rules(root, sheets, notes) if sheets else {}
    for element in root.iter_elements():
        element.rules = tuple(ruled.get(element, ()))
        element.properties = element.merge_declarations()


class _Rule(NamedTuple):
    selector: "Selector"
    weight: tuple[Any, ...]
    declared: tuple[Declaration, ...]
    cost: int


def _apply_rules(root: Element, sheets: Iterable[Element], notes: ArtNotes) -> dict[Element, list[Declaration]]:
    """Give each element the declarations of the style sheets, the highest priority last."""
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
        _read_sheet(text, sheet, rules, notes)
    return _match_rules(root, rules, notes) if rules else {}


def _match_rules(root: Element, rules: list[_Rule], notes: ArtNotes) -> dict[Element, list[Declaration]]:
    from generator.drawing.svg.selectors import SelectorMatcher

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


def _read_sheet(text: str, sheet: Element, rules: list[_Rule], notes: ArtNotes) -> None:
    import tinycss2

    try:
        parsed = tinycss2.parse_stylesheet(text, skip_comments=True, skip_whitespace=True)
    except ValueError:  # Python reads no whole number of more than 4,300 digits
        notes.add(sheet.at, "a style sheet with a number of thousands of digits is left out")
        return
    _read_rules(parsed, sheet, rules, notes)


def _read_rules(parsed: Iterable[Any], sheet: Element, rules: list[_Rule], notes: ArtNotes) -> None:
    import tinycss2

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
    import tinycss2

    from generator.drawing.svg.selectors import read_selectors

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
