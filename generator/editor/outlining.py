"""The designs of a YAML file with their kinds, as an editor lists them."""

from generator.dataclass import dataclass
from generator.editor.written import read_written

MOST_HEADINGS = 20_000
"""Entries of an outline; nobody looks for the others in one."""


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """A kind, or a design of the kind before it, with the offsets of what says so."""

    name: str
    design: bool
    start: int
    end: int


def headings(text: str) -> list[OutlineEntry]:
    """Kinds and designs in the order of the text."""
    found = []
    for one in read_written(text):
        if one.path[:1] != ("components",):
            continue
        if len(one.path) == 2:
            found.append(OutlineEntry(str(one.path[1]), False, *one.key))
        elif len(one.path) == 5 and one.path[2] == "designs" and one.path[4] == "id" and one.value:
            found.append(OutlineEntry(one.value, True, *one.span))
    return found
