"""Which keys a kind of figure reads: one that it does not read would say nothing, and is told at its line."""

from collections.abc import Iterator

from generator.rulebook.annotations.explained import KEYS as EXPLAINED
from generator.rulebook.fenced import Body

TABLETOP = "tabletop"

_PIECES = ("of", "back")
_PLAYED = ("players", "example", "after")
_ZONES = (*_PLAYED, "zones", "seat", "hidden")
_SITUATION = (*_ZONES, "raised", "laid", "only")

READ = {
    "one": _PIECES,
    "row": (*_PIECES, "raised"),
    "fan": _PIECES,
    "column": _PIECES,
    "board": (*_PIECES, "pieces"),
    "situation": _SITUATION,
    "change": (*_SITUATION, "before"),
    "grid": ("columns", "back", *_ZONES, "towards", "labels", "whole", "ends"),
    "path": (*_PIECES, *_ZONES, "ends", "next"),
    TABLETOP: (*_PLAYED, "only"),
}
"""What each kind of figure reads of its block."""

SHOW = tuple(READ)
OF_ALL = ("show", "height", "side", "alt", "caption", *EXPLAINED)
KEYS = tuple(dict.fromkeys([*OF_ALL, *(key for keys in READ.values() for key in keys)]))
INNER = tuple(key for key in KEYS if key not in ("side", "caption", "callouts", "before", "example", "players"))
"""What before and after of a change may say: what stands around both is the change's."""

_BOTH = ("before", "after", "example")

_LISTED = {"grid": "columns", "path": "of"}
"""The key that lists a figure's own pieces, where it may show zones instead."""


def unread(body: Body, show: str, *, played: bool) -> Iterator[tuple[str, str, str]]:
    """The keys of a block that its kind of figure does not read: each with what is wrong and what to do.

    `played`: the figure is of an example that stands outside the block.
    """
    for key in body:
        if key not in OF_ALL and key not in READ[show] and key in KEYS:
            kinds = ", ".join(kind for kind, keys in READ.items() if key in keys)
            yield key, f"`{key}` says nothing in a {show}", f"leave it out; it goes with `show: {kinds}`"
    for key, why in _shut_out(body, show, played=played):
        if key in body and key in READ[show]:
            yield key, f"`{key}` says nothing {why}", "leave out one of them"


def _shut_out(body: Body, show: str, *, played: bool) -> Iterator[tuple[str, str]]:
    """Keys that say nothing beside another one, and beside which."""
    if played:
        yield from ((key, "in the figure of an example, which has its own") for key in ("example", "players"))
    if show == "change" and body.has_mapping("before"):
        yield from ((key, "beside `before` and `after`, each a figure") for key in READ["change"] if key not in _BOTH)
        return
    if show == "change" and not body.has_mapping("after"):
        yield "after", "in a change, which shows both"
    listed = _LISTED.get(show, "")
    if listed and listed in body:
        yield from ((key, f"beside `{listed}`") for key in _ZONES)
    elif listed:
        yield "back", f"without `{listed}`"
    if "example" in body and "players" in body and not played:
        yield "players", "beside `example`, which has its own"
    if "players" in body and not played and "example" not in body and show != "change":
        yield "after", "without `example`"
    if "laid" in body and body.word("laid") == "table":
        yield from ((key, "with `laid: table`") for key in ("zones", "seat", "hidden", "raised"))
    elif show in ("situation", "change"):
        yield "only", "without `laid: table`"
