"""The places for pieces that a kind's designs need: known kinds, and a name for each place."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from generator.errors import Problem, did_you_mean
from generator.load.schema import SpaceData
from generator.model.game import Kind, SpaceSpec
from generator.model.source import Sections


def with_spaces(
    kind: Kind, spaces: Sequence[SpaceData], kinds: Collection[str], places: Sections, problems: list[Problem]
) -> Kind:
    """The kind with its spaces; what is wrong with them goes to `problems`."""
    found: list[SpaceSpec] = []
    for n, data in enumerate(spaces):
        path = ("components", kind.id, "spaces", n)
        if data.for_ not in kinds:
            what = f"unknown component '{data.for_}'"
            problems.append(Problem(places.place(*path, "for"), what, did_you_mean(data.for_, kinds)))
        if not data.holds and not data.pile:
            what = f"the space '{data.id}' says neither how many pieces it holds nor that it is a pile"
            problems.append(Problem(places.place(*path), what, "add `holds:` or `pile: true`"))
        if data.id.count("*") != bool(data.each):
            what = f"the space '{data.id}' " + ("has no single *" if data.each else "has a * but no names for it")
            problems.append(Problem(places.place(*path, "id"), what, "write one * and `each:`, or neither"))
        if data.id in [known.id for known in found]:
            what = f"the space '{data.id}' of {kind.id} is given twice"
            problems.append(Problem(places.place(*path, "id"), what, "take one of them out"))
        found.append(SpaceSpec(data.id, data.for_, data.holds, data.pile, data.each, places.place(*path)))
    return replace(kind, spaces=tuple(found)) if found else kind
