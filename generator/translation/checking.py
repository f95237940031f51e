"""What is wrong with a translation as it stands, before anything is drawn: texts of no game, marks lost on the way."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from generator.errors import Place, Problem, did_you_mean
from generator.load.po import Translation
from generator.translation.marks import marks_of
from generator.translation.units import Unit

_OPTIONAL = "{{ words."
"""The game's own words may be written out, as another grammar needs another form of them."""


def entry_problems(
    entries: Iterable[Translation], units: Sequence[Unit], before: Iterable[Translation], shown: str
) -> Iterator[Problem]:
    """Everything wrong with the entries of a file; `before` are those that the game has already."""
    known = {unit.key for unit in units} | {one.key for one in before}
    pairs = {(unit.key, unit.source): unit for unit in units}
    for one in entries:
        place = Place(shown, one.line, one.column)
        if one.key not in known and not one.obsolete:
            what = (
                f"'{one.key}' is no text of this game" if one.key else "a text without msgctxt, which says which it is"
            )
            yield Problem(place, what, did_you_mean(one.key, known) if one.key else "export it anew")
        elif (unit := pairs.get((one.key, one.source))) is not None and one.is_done:
            yield from mark_problems(one, unit, place)


def mark_problems(entry: Translation, unit: Unit, place: Place) -> Iterator[Problem]:
    """Marks of the source that a translation has lost, and marks that are in no language of it."""
    spoken = [marks_of(unit.source), *(marks_of(text) for _, text in unit.others)]
    has = marks_of(entry.text)
    for mark in sorted(frozenset.intersection(*spoken) - has):
        if not mark.startswith(_OPTIONAL):
            yield Problem(place, f"the translation of '{entry.key}' has lost {mark}", "put it where it belongs")
    for mark in sorted(has - frozenset.union(*spoken)):
        if not mark.startswith("{{"):
            known = frozenset.union(*spoken)
            hint = did_you_mean(mark, known) if known else "take it out"
            yield Problem(place, f"the translation of '{entry.key}' has {mark}, which its source has not", hint)


def likeliest_source(entries: Iterable[Translation], units: Mapping[str, Sequence[Unit]]) -> str:
    """The language whose texts most of the entries translate: what a file says that has lost its head's field."""
    said = {(one.key, one.source) for one in entries}
    return max(units, key=lambda lang: sum((unit.key, unit.source) in said for unit in units[lang]), default="")
