"""The cascade: which properties each element of a drawing is given by its attributes, style sheets and `style`."""

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from generator.svg.foreign.nodes import Node
from generator.svg.foreign.notes import Notes

PROPERTIES = frozenset(
    [
        "alignment-baseline",
        "baseline-shift",
        "clip-path",
        "clip-rule",
        "color",
        "color-interpolation",
        "color-interpolation-filters",
        "cursor",
        "direction",
        "display",
        "dominant-baseline",
        "fill",
        "fill-opacity",
        "fill-rule",
        "filter",
        "flood-color",
        "flood-opacity",
        "font",
        "font-family",
        "font-kerning",
        "font-size",
        "font-size-adjust",
        "font-stretch",
        "font-style",
        "font-variant",
        "font-weight",
        "image-rendering",
        "isolation",
        "letter-spacing",
        "lighting-color",
        "line-height",
        "marker",
        "marker-end",
        "marker-mid",
        "marker-start",
        "mask",
        "mask-type",
        "mix-blend-mode",
        "opacity",
        "overflow",
        "paint-order",
        "pointer-events",
        "shape-rendering",
        "stop-color",
        "stop-opacity",
        "stroke",
        "stroke-dasharray",
        "stroke-dashoffset",
        "stroke-linecap",
        "stroke-linejoin",
        "stroke-miterlimit",
        "stroke-opacity",
        "stroke-width",
        "text-anchor",
        "text-decoration",
        "text-rendering",
        "transform",
        "transform-box",
        "transform-origin",
        "unicode-bidi",
        "vector-effect",
        "visibility",
        "white-space",
        "word-spacing",
        "writing-mode",
        "text-transform",
    ]
)
"""Those with a meaning here, as attributes as well as in style sheets."""

_GEOMETRY = frozenset(["x", "y", "width", "height", "cx", "cy", "r", "rx", "ry", "d"])
_DECLARATION = re.compile(r"(?:[^;\"'(]|\"[^\"]*\"|'[^']*'|\((?:[^()\"']|\"[^\"]*\"|'[^']*'|\([^()]*\))*\))+")
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_MOST_MATCHES = 3_000_000
"""So many times may a selector be held against an element: some seconds."""


class Declaration(NamedTuple):
    """A property with its value; `important` where it says so."""

    name: str
    value: str
    important: bool


def declarations(text: str) -> Iterator[Declaration]:
    """The declarations of a `style` attribute; what is none of them is passed over, as CSS has it."""
    if "/*" in text:
        text = _COMMENT.sub("", text)
    for part in _DECLARATION.findall(text):
        name, colon, value = part.partition(":")
        if colon and value.strip():
            name = name.strip()
            yield _declaration(name if name.startswith("--") else name.lower(), value.strip())


def _declaration(name: str, value: str) -> Declaration:
    bare, mark, rest = value.rpartition("!")
    if mark and rest.strip().lower() == "important":
        return Declaration(name, bare.strip(), True)
    return Declaration(name, value, False)


def cascade(root: Node, notes: Notes) -> None:
    """Fill in what each element is given, the weightiest last."""
    sheets = [node for node in root.within() if node.tag == "style" and node.words().strip()]
    ruled = _ruled(root, sheets, notes) if sheets else {}
    for node in root.within():
        given = {name: text.strip() for name, text in node.attributes.items() if name in PROPERTIES}
        rules = ruled.get(node, ())
        style = tuple(declarations(node.attributes["style"])) if "style" in node.attributes else ()
        for heavy in (False, True):
            for told in (*rules, *style):
                if told.important is heavy:
                    given[told.name] = told.value
                    if told.name in _GEOMETRY:
                        node.attributes[told.name] = _path_of(told.value) if told.name == "d" else told.value
        node.declared = given


def _path_of(value: str) -> str:
    match = re.fullmatch(r"path\(\s*(['\"])(.*)\1\s*\)", value, re.DOTALL)
    return match[2] if match else value


class _Rule(NamedTuple):
    selector: Any
    weight: tuple[Any, ...]
    declared: tuple[Declaration, ...]


def _ruled(root: Node, sheets: Iterable[Node], notes: Notes) -> dict[Node, tuple[Declaration, ...]]:
    """What the style sheets say of each element, the weightiest last."""
    from xml.etree.ElementTree import Element as Leaf

    import cssselect2

    rules: list[_Rule] = []
    for sheet in sheets:
        if sheet.attributes.get("type", "text/css").strip().lower() not in ("text/css", ""):
            notes.add(sheet.at, "a style sheet that is not CSS is left out")
            continue
        _read_sheet(sheet.words(), sheet, rules, notes)
    if not rules:
        return {}
    leaves: dict[Node, Leaf] = {}
    nodes: dict[int, Node] = {}
    for node in root.within():
        leaf = Leaf(f"{{http://www.w3.org/2000/svg}}{node.tag}", node.attributes)
        leaves[node] = leaf
        nodes[id(leaf)] = node
        if node.parent is not None:
            leaves[node.parent].append(leaf)
    if len(leaves) * len(rules) > _MOST_MATCHES:
        notes.add(
            root.at, f"{len(rules):,} rules of style for {len(leaves):,} elements are too many: they are left out"
        )
        return {}
    rules.sort(key=lambda rule: rule.weight)
    found: dict[Node, tuple[Declaration, ...]] = {}
    for element in cssselect2.ElementWrapper.from_xml_root(leaves[root]).iter_subtree():
        told = [declared for rule in rules if rule.selector.test(element) for declared in rule.declared]
        if told:
            found[nodes[id(element.etree_element)]] = tuple(told)
    return found


def _read_sheet(text: str, sheet: Node, rules: list[_Rule], notes: Notes) -> None:
    import tinycss2

    _read_rules(tinycss2.parse_stylesheet(text, skip_comments=True, skip_whitespace=True), sheet, rules, notes)


def _read_rules(parsed: Iterable[Any], sheet: Node, rules: list[_Rule], notes: Notes) -> None:
    import cssselect2
    import tinycss2

    for rule in parsed:
        if rule.type == "at-rule":
            prelude = tinycss2.serialize(rule.prelude).strip()
            if rule.lower_at_keyword == "media" and rule.content is not None:
                if {"all", "screen", "print"} & set(re.split(r"[\s,]+", prelude.lower())) and "(" not in prelude:
                    inner = tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True)
                    _read_rules(inner, sheet, rules, notes)
                else:
                    notes.add(sheet.at, f"the rules of '@media {prelude}' are left out")
            elif rule.lower_at_keyword == "font-face":
                notes.add(sheet.at, "@font-face brings no font along: add the font to the project (fonts: in its data)")
            elif rule.lower_at_keyword not in ("charset", "namespace"):
                notes.add(sheet.at, f"'@{rule.at_keyword}' of the style sheet is left out")
            continue
        if rule.type != "qualified-rule":
            continue
        try:
            selectors = cssselect2.compile_selector_list(rule.prelude)
        except cssselect2.SelectorError:
            notes.add(sheet.at, f"the selector '{tinycss2.serialize(rule.prelude).strip()}' is not understood")
            continue
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
        rules += [
            _Rule(selector, (selector.specificity, len(rules) + at), declared)
            for at, selector in enumerate(selectors)
            if selector.pseudo_element is None
        ]
