"""Anchors of a kind's list that other lines of its file use: with the list they would go."""

from pathlib import Path
from typing import Any

import yaml

from generator.files import read_file

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def lent_anchors(path: Path, kind: str) -> dict[str, list[int]]:
    """The anchors in `designs` of a kind in a file that can be parsed, with the lines outside that use them."""
    text = read_file(path, "data").decode("utf-8-sig")
    node: Any = yaml.compose(text, Loader=_LOADER)
    for key in ("components", kind, "designs"):
        node = next(value for name, value in node.value if name.value == key)
    start, end = _spot(node.start_mark), _spot(node.end_mark)
    inside: dict[str, bool] = {}
    lent: dict[str, list[int]] = {}
    for event in yaml.parse(text, Loader=_LOADER):
        anchor = getattr(event, "anchor", None)
        if anchor is None:
            continue
        spot = _spot(event.start_mark)
        within = start <= spot < end
        if not isinstance(event, yaml.AliasEvent):
            inside[anchor] = within
        elif inside.get(anchor) and not within:
            lent.setdefault(anchor, []).append(spot[0] + 1)
    return lent


def _spot(mark: Any) -> tuple[int, int]:
    return mark.line, mark.column
