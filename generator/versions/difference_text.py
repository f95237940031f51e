"""A difference as lines for a terminal, the summary first, and as versioned plain values for JSON."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from generator.model.phrases import phrase
from generator.rulebook.volumes import VOLUMES
from generator.versions.differences import ENTRY_SORTS, Difference, Entry, EntrySort, State
from generator.versions.sentences import SentenceChange, TextPart, word_runs
from generator.versions.values import NothingThere, ValueChange
from generator.versions.wording import (
    alike_words,
    book_name,
    label,
    looks_alone,
    mark_name,
    mark_words,
    name_of,
    pieces,
    shorten_runs,
    sides_in_words,
    state_name,
    summary,
    value_runs,
)

FORMAT = 1

LIMITS = ((60, 12), (200, 8))
"""Up to so many differences, so many things of one sort in one group; the rest is counted."""

_LEAST_SHOWN = 5
_LONGEST = 160
"""Characters of one value or sentence that a text shows."""

_TELLING = "en"
"""The program's own words are English; names are told in it where there are any."""

_SIGNS: Mapping[str, str] = {"added": "+", "removed": "-", "renamed": "=", "changed": "~", "moved": ">"}


def difference_lines(found: Difference, *, whole: bool = False) -> Iterator[str]:
    """The lines; the more differs, the fewer things of a sort are shown. Long values are cut. `whole`: neither."""
    limit = None if whole else limit_for(found)
    since, until = found.since, found.until
    first, second = (state_name(*pair, _TELLING) for pair in ((since, until), (until, since)))
    head = f"{until.id}: {first} -> {second}"
    if found.is_empty:
        yield f"{head}: {phrase('diff_same', _TELLING)}"
    else:
        yield head
        yield from _summary(found)
        for group, entries in found.groups.items():
            yield ""
            yield f"{phrase(f'diff_{group}', _TELLING)}:"
            yield from _group(group, entries, limit)
        for book, changes in found.books.items():
            if changes:
                yield ""
                yield f"{book_name(book, _TELLING)}:"
                yield from _book(changes, limit)
    for note in found.not_compared:
        yield f"{phrase('diff_not_compared', _TELLING)}: {note.told(_TELLING)}"


def limit_for(found: Difference) -> int:
    """How many things of one sort in one group a text of so many differences shows."""
    number = sum(map(len, (*found.groups.values(), *found.books.values())))
    return next((limit for most, limit in LIMITS if number <= most), _LEAST_SHOWN)


def _summary(found: Difference) -> Iterator[str]:
    lines = summary(found, _TELLING)
    wide = max(len(what) for what, _ in lines)
    yield from (f"  {what:<{wide}}  {much}" for what, much in lines)
    counted = pieces(found, _TELLING)
    if counted:
        yield f"  {counted.replace('→', '->')}"


def _group(group: str, entries: Sequence[Entry], limit: int | None) -> Iterator[str]:
    alike, others = looks_alone(entries)
    for sort in ENTRY_SORTS:
        chosen = [entry for entry in others if entry.sort == sort]
        for entry in chosen[:limit]:
            yield from _entry(group, entry, cut=limit is not None)
        yield from _rest(len(chosen), limit, sort)
    for (kind, looks), same in alike.items():
        yield f"  ~ {alike_words(kind, looks, same, _TELLING)}"


def _rest(number: int, limit: int | None, sort: EntrySort) -> Iterator[str]:
    if limit is not None and number > limit:
        yield f"  {_SIGNS[sort]} … {phrase('diff_more', _TELLING, n=number - limit)}"


def _entry_name(entry: Entry) -> str:
    name = name_of(entry, _TELLING)
    said = f"{entry.id} ({name})" if name else entry.id
    return f"{entry.was} -> {said}" if entry.was else said


def _entry(group: str, entry: Entry, *, cut: bool) -> Iterator[str]:
    """A thing with its values; one that is a single value on its own line."""
    sign = _SIGNS[entry.sort]
    copies = max(entry.counts) if entry.counts and entry.sort in ("added", "removed") else 1
    head = f"  {sign} {_entry_name(entry)}{f' x{copies}' if copies != 1 else ''}"
    if len(entry.values) == 1 and not entry.values[0].path and not entry.looks:
        spoken = label(entry.values[0])
        yield f"{head}{f' {spoken}' if spoken else ''}: {_value(group, entry.values[0], cut=cut)}"
        return
    yield _short(head) if cut else head
    for value in entry.values:
        yield f"      {label(value)}: {_value(group, value, cut=cut)}"
    if entry.looks:
        yield f"      {phrase('diff_looks', _TELLING, faces=sides_in_words(entry.looks, _TELLING))}"


def _value(group: str, value: ValueChange, *, cut: bool) -> str:
    if group == "marks":
        return f"{mark_name(value.old, _TELLING)} -> {mark_name(value.new, _TELLING)}"
    runs = value_runs(value, _TELLING)
    if cut:
        runs = tuple(TextPart(run.sort, _short(run.text)) for run in runs)
    plain = [run.sort for run in runs] in (["old", "new"], ["old"], ["new"])
    said = " -> ".join(run.text for run in runs) if plain else mark_text(runs)
    mark = mark_words(value, _TELLING).replace("→", "->")
    return f"{said} ({mark})" if mark else said


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def mark_text(runs: Sequence[TextPart]) -> str:
    """A text with what only one of two has in brackets: `take [-5-]{+6+} cards`."""
    signs = {"same": ("", ""), "old": ("[-", "-]"), "new": ("{+", "+}")}
    return "".join(f"{signs[run.sort][0]}{run.text}{signs[run.sort][1]}" for run in runs)


def _book(changes: Sequence[SentenceChange], limit: int | None) -> Iterator[str]:
    """The sentences under their headings; those that only moved are counted."""
    heading = None
    left: dict[str, int] = {}
    for change in changes:
        left[change.sort] = left.get(change.sort, 0) + 1
        if change.sort == "moved" or (limit is not None and left[change.sort] > limit):
            continue
        if change.heading != heading:
            heading = change.heading
            if heading:
                yield f"  {heading}"
        yield f"    {_SIGNS[change.sort]} {_sentence(change) if limit is None else _short(_sentence(change))}"
    for sort, number in left.items():
        over = number if sort == "moved" else number - limit if limit is not None else 0
        if over > 0:
            words = "diff_moved" if sort == "moved" else "diff_more"
            yield f"  {_SIGNS[sort]} {phrase(words, _TELLING, n=over)}"


def _sentence(change: SentenceChange) -> str:
    if change.old and change.new:
        return mark_text(shorten_runs(word_runs(change.old.text, change.new.text)))
    sentence = change.new or change.old
    return sentence.text if sentence else ""


def as_data(found: Difference) -> dict[str, Any]:
    """Everything as plain values; their keys and what they mean stay as long as `format` does."""
    return {
        "format": FORMAT,
        "since": _state(found.since),
        "until": _state(found.until),
        "different": not found.is_empty,
        "pieces": list(found.pieces),
        "totals": {kind: list(numbers) for kind, numbers in found.totals.items()},
        "groups": {group: [_entry_data(entry) for entry in entries] for group, entries in found.groups.items()},
        **{volume.name: _book_data(found, volume.name) for volume in VOLUMES},
        "not_compared": [note.told(_TELLING) for note in found.not_compared],
    }


def _book_data(found: Difference, name: str) -> dict[str, list[dict[str, Any]]]:
    """The changes of a book by language."""
    return {book[1]: [*map(_change_data, changes)] for book, changes in found.books.items() if book[0] == name}


def _state(state: State) -> dict[str, Any]:
    return {"name": state.label, "game": state.id, "draft": state.draft, "title": dict(state.title)}


def _entry_data(entry: Entry) -> dict[str, Any]:
    data: dict[str, Any] = {"sort": entry.sort, "id": entry.id, "name": dict(entry.name)}
    if entry.was:
        data["was"] = entry.was
    if entry.counts is not None:
        data["counts"] = list(entry.counts)
    data["values"] = [_value_data(value) for value in entry.values]
    if entry.looks:
        data["looks"] = [{"face": face, "language": lang} for face, lang in entry.looks]
    return data


def _value_data(value: ValueChange) -> dict[str, Any]:
    """A value that there is not has no key, as null may be one."""
    data: dict[str, Any] = {"path": value.path, "language": value.lang}
    for side, what, mark in (("old", value.old, value.old_mark), ("new", value.new, value.new_mark)):
        if not isinstance(what, NothingThere):
            data[side] = what
        if mark:
            data[f"{side}_mark"] = mark
    return data


def _change_data(change: SentenceChange) -> dict[str, Any]:
    data: dict[str, Any] = {"sort": change.sort, "heading": change.heading}
    if change.old:
        data["old"] = change.old.text
    if change.new:
        data["new"] = change.new.text
    if change.old and change.new and change.sort == "changed":
        data["words"] = [[run.sort, run.text] for run in word_runs(change.old.text, change.new.text)]
    return data
