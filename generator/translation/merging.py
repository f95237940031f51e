"""A translation brought up to date: what still fits, what has to be looked at, what is kept though nothing says it."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher

from generator.load.po import Translation
from generator.translation.units import Unit

_ALIKE = 0.5
"""Of two passages under one heading: from so much on the one is taken for what the other has become."""


def brought_up_to_date(units: Sequence[Unit], known: Iterable[Translation]) -> list[Translation]:
    """A translation of each unit in their order, empty where there is none, then what no unit has any more.

    One whose source was changed since is fuzzy and remembers what it was made for. Nothing that was translated is
    lost: what is left over is obsolete.
    """
    entries = list(known)
    pairs = {(one.key, one.source): one for one in sorted(entries, key=lambda one: (not one.obsolete, bool(one.text)))}
    wanted = {(unit.key, unit.source) for unit in units}
    left = {pair: one for pair, one in pairs.items() if pair not in wanted and one.text}
    found: list[Translation] = []
    for unit in units:
        entry = pairs.get((unit.key, unit.source))
        if entry is None or not entry.text:
            older = _older(unit, left)
            if older is not None:
                del left[older.key, older.source]
                changed = replace(older, fuzzy=True, previous=older.source)
                entry = replace(changed, remarks=_all_remarks(entry, older))
        found.append(_of_unit(unit, entry))
    return [*found, *(replace(one, obsolete=True, references=(), notes=()) for one in left.values())]


def _all_remarks(entry: Translation | None, older: Translation) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*(entry.remarks if entry else ()), *older.remarks)))


def _older(unit: Unit, left: Mapping[tuple[str, str], Translation]) -> Translation | None:
    """The translation of what the unit said before, or of the same words elsewhere."""
    same_key = [one for one in left.values() if one.key == unit.key]
    if "#" not in unit.key:
        if same_key:
            return same_key[0]
    else:
        likeness = [(SequenceMatcher(None, one.source, unit.source, autojunk=False).ratio(), one) for one in same_key]
        best = max(likeness, key=lambda pair: pair[0], default=(0.0, None))
        if best[0] >= _ALIKE:
            return best[1]
    return next((one for one in left.values() if one.source == unit.source), None)


def _of_unit(unit: Unit, entry: Translation | None) -> Translation:
    notes = tuple(f"{lang}: {' ⏎ '.join(text.split(chr(10)))}" for lang, text in unit.others)
    places = tuple(f"{place.file}:{place.line}" for place in unit.places)
    kept = entry or Translation(unit.key, unit.source)
    return replace(
        kept, key=unit.key, source=unit.source, obsolete=False, notes=notes, references=places, line=0, column=0
    )


def overlaid(known: Iterable[Translation], newer: Iterable[Translation]) -> list[Translation]:
    """Translations with newer ones in the place of those of the same text."""
    found: dict[tuple[str, str], Translation] = {}
    for one in (*known, *newer):
        was = found.get((one.key, one.source))
        if was is None or one.text or not was.text:
            found[one.key, one.source] = one
    return list(found.values())


def counts(entries: Iterable[Translation]) -> Mapping[str, int]:
    """How many are done, fuzzy, empty, obsolete."""
    found: dict[str, int] = defaultdict(int)
    for one in entries:
        state = "obsolete" if one.obsolete else "empty" if not one.text else "fuzzy" if one.fuzzy else "done"
        found[state] += 1
    return found
