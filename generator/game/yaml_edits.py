"""Edits of YAML files that keep comments and layout: remove languages, find anchors used elsewhere."""

import csv
import io
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import yaml

from generator.base.files import read_file

ONLY_IN = {"kana": "ja"}
"""Keys that serve one language alone: `kana` sorts a Japanese index."""

Cut = tuple[int, int, str]
"""The start and end of a replaced part, and its replacement."""


def remove_yaml_languages(text: str, known: Collection[str], remaining: Collection[str]) -> str:
    """Return the YAML of a game reduced from all `known` languages to the `remaining` ones.

    If one language is left, a text in each, `{ja: 凧, en: kite}`, becomes the text alone. A text's line for a language,
    and `kana`, must not be the first of a list's entry, and `kana` must not be in braces.
    """
    if set(known) == set(remaining):
        return text
    root = yaml.compose(text, Loader=yaml.SafeLoader)
    cuts = sorted(_iter_cuts(text, root, known, remaining)) if root is not None else []
    done, pieces = 0, []
    for start, end, instead in cuts:
        pieces += [text[done:start], instead]
        done = end
    return "".join([*pieces, text[done:]])


def remove_table_languages(text: str, known: Collection[str], remaining: Collection[str]) -> str:
    """Return a CSV table with commas, without the columns (`title.ja`) of languages `known` but not `remaining`."""
    rows = list(csv.reader(io.StringIO(text, newline="")))
    if set(known) == set(remaining) or not rows:
        return text
    gone = {n for n, cell in enumerate(rows[0]) if cell.rpartition(".")[2] in set(known) - set(remaining)}
    made = io.StringIO(newline="")
    ending = "\r\n" if "\r\n" in text else "\n"
    csv.writer(made, lineterminator=ending).writerows([[c for n, c in enumerate(row) if n not in gone] for row in rows])
    return made.getvalue()


def replace_yaml_value(text: str, keys: Collection[str], value: str) -> str:
    """Return the YAML with another value at a path of keys. Raise LookupError if there is no such key."""
    name: Any = None
    node: Any = yaml.compose(text, Loader=yaml.SafeLoader)
    for key in keys:
        found = [pair for pair in getattr(node, "value", ()) if isinstance(pair, tuple) and pair[0].value == key]
        name, node = found[0]
    end = _find_end(node) if not isinstance(node, yaml.CollectionNode) or node.value else node.end_mark.index
    return text[: name.end_mark.index] + f": {value}" + text[end:] if name else text


def append_yaml_entry(text: str, key: str, entry: str) -> str:
    """Return the YAML with an entry (one line) at the end of the top-level list `key`, if need be a new one."""
    root: Any = yaml.compose(text, Loader=yaml.SafeLoader)
    node = next((value for name, value in root.value if name.value == key), None)
    ending = "\r\n" if "\r\n" in text else "\n"
    text += "" if text.endswith("\n") else ending
    if node is None:
        return f"{text}{key}:{ending}  - {entry}{ending}"
    if not isinstance(node, yaml.SequenceNode) or not node.value:
        return replace_yaml_value(text, (key,), f"[{entry}]")
    if node.flow_style:
        end = node.end_mark.index - 1
        return f"{text[:end].rstrip()}, {entry}{text[end:]}"
    end = _find_end(node)
    end = end if text[end - 1] == "\n" else text.index("\n", end) + 1
    return f"{text[:end]}{' ' * node.start_mark.column}- {entry}{ending}{text[end:]}"


def _iter_cuts(text: str, node: yaml.Node, known: Collection[str], kept: Collection[str]) -> Iterator[Cut]:
    """Yield the cuts that leave only the languages `kept` in YAML, in the order of the text, without overlaps."""
    if isinstance(node, yaml.SequenceNode):
        for entry in node.value:
            yield from _iter_cuts(text, entry, known, kept)
    if not isinstance(node, yaml.MappingNode):
        return
    spoken = {key.value for key, _ in node.value} == set(known)
    if spoken and node.flow_style:
        yield node.start_mark.index, node.end_mark.index, _shorten_braces(text, node, kept)
        return
    for key, value in node.value:
        lang = key.value if spoken else ONLY_IN.get(key.value)
        if lang in known and lang not in kept:
            yield _cut_lines(text, key)
        elif (alone := _find_single_text(value, known, kept)) is not None:
            yield key.end_mark.index + 1, _find_end(value), f" {_get_source_text(text, alone)}"
        else:
            yield from _iter_cuts(text, value, known, kept)


def _find_single_text(node: yaml.Node, known: Collection[str], kept: Collection[str]) -> yaml.Node | None:
    if not isinstance(node, yaml.MappingNode) or node.flow_style or {key.value for key, _ in node.value} != set(known):
        return None
    left = [value for key, value in node.value if key.value in kept]
    return left[0] if len(left) == 1 and isinstance(left[0], yaml.ScalarNode) else None


def _shorten_braces(text: str, node: yaml.MappingNode, kept: Collection[str]) -> str:
    """Return a text in braces with the kept languages; one alone without the braces."""
    pairs = [(key, value) for key, value in node.value if key.value in kept]
    if len(pairs) == 1 and isinstance(pairs[0][1], yaml.ScalarNode):
        return _get_source_text(text, pairs[0][1])
    return f"{{{', '.join(f'{key.value}: {_get_source_text(text, value)}' for key, value in pairs)}}}"


def _get_source_text(text: str, node: yaml.Node) -> str:
    return text[node.start_mark.index : node.end_mark.index]


def _find_end(node: yaml.Node) -> int:
    """Return the end of a value's last word. The mark of a block value is only where the next token begins."""
    if not isinstance(node, yaml.CollectionNode) or node.flow_style:
        return int(node.end_mark.index)
    last = node.value[-1]
    return _find_end(last[1] if isinstance(node, yaml.MappingNode) else last)


def _cut_lines(text: str, key: yaml.Node) -> Cut:
    """Return a cut of the key's line and its block: following lines with a deeper indent, or list entries with none."""
    start = text.rindex("\n", 0, key.start_mark.index) + 1 if "\n" in text[: key.start_mark.index] else 0
    end = start
    for number, line in enumerate(text[start:].splitlines(keepends=True)):
        rest = line.lstrip(" ")
        indent = len(line) - len(rest)
        if number and (indent < key.start_mark.column or (indent == key.start_mark.column and rest[:2] != "- ")):
            break
        end += len(line)
    return start, end, ""


_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def find_lent_anchors(path: Path, kind: str) -> dict[str, list[int]]:
    """Return the anchors in `designs` of a kind in a valid file, with the lines outside that use them."""
    text = read_file(path, "data").decode("utf-8-sig")
    node: Any = yaml.compose(text, Loader=_LOADER)
    for key in ("components", kind, "designs"):
        node = next(value for name, value in node.value if name.value == key)
    start, end = _mark_position(node.start_mark), _mark_position(node.end_mark)
    inside: dict[str, bool] = {}
    lent: dict[str, list[int]] = {}
    for event in yaml.parse(text, Loader=_LOADER):
        anchor = getattr(event, "anchor", None)
        if anchor is None:
            continue
        spot = _mark_position(event.start_mark)
        within = start <= spot < end
        if not isinstance(event, yaml.AliasEvent):
            inside[anchor] = within
        elif inside.get(anchor) and not within:
            lent.setdefault(anchor, []).append(spot[0] + 1)
    return lent


def _mark_position(mark: Any) -> tuple[int, int]:
    return mark.line, mark.column
