"""Two values of the data walked side by side: every place where they differ, with both values as plain ones."""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from generator.dataclass import dataclass
from generator.model.game import Effect
from generator.model.text import Words


class NothingThere:
    """What stands for a value that there is not; there is one, `MISSING`."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "MISSING"


MISSING = NothingThere()


@dataclass(frozen=True, slots=True)
class ValueChange:
    """A value that is not as it was: `path` leads to it, empty for the whole; `lang` is its language if it is a text.

    `where` is its path in the data, from its section's name on, where it has one.
    `old` and `new` are plain (as in JSON), MISSING where there is no such value. The marks say that the draft does
    not give it: provisional, derived or related.
    """

    path: str
    old: Any
    new: Any
    lang: str = ""
    where: str = ""
    old_mark: str = ""
    new_mark: str = ""


def plain(value: Any) -> Any:
    """A value of the data as JSON has it: texts by language, effects by what they do, whole numbers without a point."""
    if isinstance(value, Words):
        return dict(value.items())
    if isinstance(value, Effect):
        return {"op": value.op} | {str(name): plain(part) for name, part in value.values.items()}
    if isinstance(value, Mapping):
        return {str(name): plain(part) for name, part in value.items()}
    if isinstance(value, (tuple, list)):
        return [plain(part) for part in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if isinstance(value, (str, int, float, bool, NothingThere, type(None))) else str(value)


def same(old: Any, new: Any) -> bool:
    """Whether two plain values are the same: `true` is no 1, and mappings may be in any order."""
    if isinstance(old, NothingThere) or isinstance(new, NothingThere):
        return old is new
    return json.dumps(old, sort_keys=True) == json.dumps(new, sort_keys=True)


def value_changes(old: Any, new: Any, path: str = "") -> Iterator[ValueChange]:
    """Every value that differs below two values, in the order of the new ones; those that are gone come last.

    Entries of lists are told by their id or by their number from 0, as in the data's own lists of provisional values.
    """
    if isinstance(old, Words) or isinstance(new, Words):
        yield from _texts(old, new, path)
        return
    old, new = _open_value(old), _open_value(new)
    maps = [value for value in (old, new) if isinstance(value, Mapping)]
    if maps and all(isinstance(value, (Mapping, NothingThere)) for value in (old, new)) and any(maps):
        for name in dict.fromkeys([*_names(new), *_names(old)]):
            yield from value_changes(_part(old, name), _part(new, name), _below(path, name))
        return
    entries = _entries(old, new)
    if entries is not None:
        for name, before, after in entries:
            yield from value_changes(before, after, _below(path, name))
        return
    if old is not MISSING and new is not MISSING and (_has_parts(old) or _has_parts(new)):
        yield from value_changes(MISSING, new, path)  # of another build: nothing in it is what something was
        yield from value_changes(old, MISSING, path)
        return
    before, after = plain(old), plain(new)
    if not same(before, after):
        yield ValueChange(path, before, after)


def _texts(old: Any, new: Any, path: str) -> Iterator[ValueChange]:
    """A text in each of its languages; a value that was no text before is told as a whole."""
    if not all(isinstance(value, (Words, NothingThere, type(None))) for value in (old, new)):
        yield ValueChange(path, plain(old), plain(new))
        return
    before = dict(old.items()) if isinstance(old, Words) else {}
    after = dict(new.items()) if isinstance(new, Words) else {}
    for lang in dict.fromkeys([*after, *before]):
        if before.get(lang) != after.get(lang):
            yield ValueChange(path, before.get(lang, MISSING), after.get(lang, MISSING), lang)


def _open_value(value: Any) -> Any:
    return {"op": value.op, **value.values} if isinstance(value, Effect) else value


def _names(value: Any) -> Sequence[Any]:
    return list(value) if isinstance(value, Mapping) else []


def _part(value: Any, name: Any) -> Any:
    return value.get(name, MISSING) if isinstance(value, Mapping) else MISSING


def _below(path: str, name: object) -> str:
    return f"{path}.{name}" if path else str(name)


def _entries(old: Any, new: Any) -> list[tuple[str, Any, Any]] | None:
    """Name, old and new entry of lists whose entries can be told one by one; None for what is told as a whole."""
    lists = [value for value in (old, new) if isinstance(value, (tuple, list))]
    if not lists or not all(isinstance(value, (tuple, list, NothingThere)) for value in (old, new)) or not any(lists):
        return None
    if not all(isinstance(_open_value(entry), (Mapping, Words)) for value in lists for entry in value):
        return None
    keyed = [_by_id(value) for value in lists]
    if all(keyed):
        before = _by_id(old) if old is not MISSING else {}
        after = _by_id(new) if new is not MISSING else {}
        return [(n, before.get(n, MISSING), after.get(n, MISSING)) for n in dict.fromkeys([*after, *before])]
    return _by_number(old if old is not MISSING else (), new if new is not MISSING else ())


def _by_number(old: Sequence[Any], new: Sequence[Any]) -> list[tuple[str, Any, Any]]:
    """Entries without ids by their numbers; what both lists begin and end with is left out."""
    shorter = min(len(old), len(new))
    first = next((n for n in range(shorter) if any(value_changes(old[n], new[n]))), shorter)
    rest = range(1, shorter - first + 1)
    last = next((n - 1 for n in rest if any(value_changes(old[-n], new[-n]))), shorter - first)
    before, after = list(old[first : len(old) - last]), list(new[first : len(new) - last])
    return [(str(first + n), *pair) for n, pair in enumerate(zip_longest(before, after, fillvalue=MISSING))]


def _has_parts(value: Any) -> bool:
    """Whether a value is made of values that are told one by one."""
    return bool(value) and (isinstance(value, Mapping) or _entries(value, MISSING) is not None)


def _by_id(entries: Sequence[Any]) -> dict[str, Any]:
    """The entries by their ids; nothing where one has none or two have the same."""
    ids = [str(entry["id"]) for entry in entries if isinstance(entry, Mapping) and "id" in entry]
    return dict(zip(ids, entries, strict=True)) if len(set(ids)) == len(entries) else {}
