"""A translation brought up to date: what still fits, what has to be looked at, what is kept though nothing says it."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher

from generator.load.po import Translation
from generator.translation.units import Unit

_MOST_COMPARED, _LONGEST_COMPARED = 100, 3_000
"""Passages that a changed one is compared with, and their characters: comparing takes their product in time."""

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
    by_key, by_source = _groups(left.values(), lambda one: one.key), _groups(left.values(), lambda one: one.source)
    found: list[Translation] = []
    for unit in units:
        entry = pairs.get((unit.key, unit.source))
        if entry is None or not entry.text:
            same_key, same_source = (
                [one for one in group if (one.key, one.source) in left]
                for group in (by_key.get(unit.key, ()), by_source.get(unit.source, ()))
            )
            older = _older(unit, same_key, same_source)
            if older is not None:
                del left[older.key, older.source]
                changed = replace(older, fuzzy=True, previous=older.source)
                entry = replace(changed, remarks=_all_remarks(entry, older))
        found.append(_of_unit(unit, entry))
    return [*found, *(replace(one, obsolete=True, references=(), notes=()) for one in left.values())]


def _all_remarks(entry: Translation | None, older: Translation) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*(entry.remarks if entry else ()), *older.remarks)))


def _groups(entries: Iterable[Translation], name: Callable[[Translation], str]) -> Mapping[str, list[Translation]]:
    found: dict[str, list[Translation]] = defaultdict(list)
    for one in entries:
        found[name(one)].append(one)
    return found


def _older(unit: Unit, same_key: Sequence[Translation], same_source: Sequence[Translation]) -> Translation | None:
    """The translation of what the unit said before, or of the same words elsewhere."""
    if "#" not in unit.key:
        if same_key:
            return same_key[0]
    else:
        likeness = [(_likeness(one.source, unit.source), one) for one in same_key[:_MOST_COMPARED]]
        best = max(likeness, key=lambda pair: pair[0], default=(0.0, None))
        if best[0] >= _ALIKE:
            return best[1]
    return next(iter(same_source), None)


def _likeness(one: str, other: str) -> float:
    return SequenceMatcher(None, one[:_LONGEST_COMPARED], other[:_LONGEST_COMPARED], autojunk=False).ratio()


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
