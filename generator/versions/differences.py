"""Differences between two states of a game: changed values, designs and texts, and how they are worded."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, is_dataclass
from itertools import zip_longest
from typing import Any, Literal, NamedTuple, TypeAlias

from generator.base.languages import phrase
from generator.checks.deck_figures import Cell
from generator.game.data_fields import collect_values
from generator.game.model import Effect, FaceName
from generator.game.rich_text import Words
from generator.versions.sentences import SENTENCE_SORTS, SentenceChange, TextPart, word_runs


class AbsentValue:
    """Type of `MISSING`, which stands for a value that only the other state has."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "MISSING"


MISSING = AbsentValue()


@dataclass(frozen=True, slots=True)
class ValueChange:
    """A changed value. `path` leads to it (empty for the whole item); `lang` is the language of a text.

    `where` is its path in the data from the section's name, if it has one. `old` and `new` are plain values (as in
    JSON), or MISSING. The marks tell how the draft qualifies a value: provisional, derived or related.
    """

    path: str
    old: Any
    new: Any
    lang: str = ""
    where: str = ""
    old_mark: str = ""
    new_mark: str = ""


def plain_from_value(value: Any) -> Any:
    """Return a value as JSON stores it: texts by language, effects by operation, whole numbers without a point."""
    if isinstance(value, Words):
        return dict(value.items())
    if isinstance(value, Effect):
        return {"op": value.op} | {str(name): plain_from_value(part) for name, part in value.values.items()}
    if isinstance(value, Mapping):
        return {str(name): plain_from_value(part) for name, part in value.items()}
    if isinstance(value, (tuple, list)):
        return [plain_from_value(part) for part in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if isinstance(value, (str, int, float, bool, AbsentValue, type(None))) else str(value)


def is_equal_value(old: Any, new: Any) -> bool:
    """Return True if two plain values are equal. `true` is not 1; mappings may differ in order."""
    if isinstance(old, AbsentValue) or isinstance(new, AbsentValue):
        return old is new
    return json.dumps(old, sort_keys=True) == json.dumps(new, sort_keys=True)


def iter_value_changes(old: Any, new: Any, path: str = "") -> Iterator[ValueChange]:
    """Yield every change between two values, in the order of the new value. Removed parts come last.

    List entries are identified by their id, or by their number from 0 as in the data's lists of provisional values.
    """
    if isinstance(old, Words) or isinstance(new, Words):
        yield from _text_changes(old, new, path)
        return
    old, new = _open_value(old), _open_value(new)
    before, after = (value if isinstance(value, Mapping) else {} for value in (old, new))
    if all(isinstance(value, (Mapping, AbsentValue)) for value in (old, new)) and (before or after):
        for name in dict.fromkeys([*after, *before]):
            parts = before.get(name, MISSING), after.get(name, MISSING)
            yield from iter_value_changes(*parts, _join_path(path, name))
        return
    entries = _match_entries(old, new)
    if entries is not None:
        for name, then, now in entries:
            yield from iter_value_changes(then, now, _join_path(path, name))
        return
    if old is not MISSING and new is not MISSING and (_has_parts(old) or _has_parts(new)):
        yield from iter_value_changes(MISSING, new, path)  # of another build: nothing in it is what something was
        yield from iter_value_changes(old, MISSING, path)
        return
    old, new = plain_from_value(old), plain_from_value(new)
    if not is_equal_value(old, new):
        yield ValueChange(path, old, new)


def _text_changes(old: Any, new: Any, path: str) -> Iterator[ValueChange]:
    """Yield the changes of a text by language. If one value is not a text, yield it as one change."""
    if not all(isinstance(value, (Words, AbsentValue, type(None))) for value in (old, new)):
        yield ValueChange(path, plain_from_value(old), plain_from_value(new))
        return
    before = dict(old.items()) if isinstance(old, Words) else {}
    after = dict(new.items()) if isinstance(new, Words) else {}
    for lang in dict.fromkeys([*after, *before]):
        if before.get(lang) != after.get(lang):
            yield ValueChange(path, before.get(lang, MISSING), after.get(lang, MISSING), lang)


def _open_value(value: Any) -> Any:
    """Return an effect or a dataclass as a mapping of its parts; return other values unchanged."""
    if isinstance(value, Effect):
        return {"op": value.op, **value.values}
    return collect_values(value) if is_dataclass(value) else value


def _join_path(path: str, name: object) -> str:
    return f"{path}.{name}" if path else str(name)


def _match_entries(old: Any, new: Any) -> list[tuple[str, Any, Any]] | None:
    """Return name, old and new entry of two lists, or None if the lists can only be compared as a whole."""
    lists = [value for value in (old, new) if isinstance(value, (tuple, list))]
    if not lists or not all(isinstance(value, (tuple, list, AbsentValue)) for value in (old, new)) or not any(lists):
        return None
    if not all(isinstance(_open_value(entry), (Mapping, Words)) for value in lists for entry in value):
        return None
    keyed = [_index_by_id(value) for value in lists]
    if all(keyed):
        before = _index_by_id(old) if old is not MISSING else {}
        after = _index_by_id(new) if new is not MISSING else {}
        return [(n, before.get(n, MISSING), after.get(n, MISSING)) for n in dict.fromkeys([*after, *before])]
    # Entries without ids are paired by their numbers, apart from equal ones at the start and at the end.
    old, new = (() if entries is MISSING else entries for entries in (old, new))
    shorter = min(len(old), len(new))
    first = next((n for n in range(shorter) if any(iter_value_changes(old[n], new[n]))), shorter)
    rest = range(1, shorter - first + 1)
    last = next((n - 1 for n in rest if any(iter_value_changes(old[-n], new[-n]))), shorter - first)
    differing = (entries[first : len(entries) - last] for entries in (old, new))
    return [(str(first + n), *pair) for n, pair in enumerate(zip_longest(*differing, fillvalue=MISSING))]


def _has_parts(value: Any) -> bool:
    """Return True if the parts of the value are compared one by one."""
    return bool(value) and (isinstance(value, Mapping) or _match_entries(value, MISSING) is not None)


def _index_by_id(entries: Sequence[Any]) -> dict[str, Any]:
    """Return the entries by id, or an empty dict if one has no id or two share one."""
    ids = [str(entry["id"]) for entry in entries if isinstance(entry, Mapping) and "id" in entry]
    return dict(zip(ids, entries, strict=True)) if len(set(ids)) == len(entries) else {}


EntrySort = Literal["added", "removed", "renamed", "changed"]

ENTRY_SORTS: tuple[EntrySort, ...] = ("added", "removed", "renamed", "changed")

GROUPS = (
    "facts", "kinds", "components", "rules", "switches", "readings", "setup", "glossary", "moves", "zones", "checks",
    "examples", "words", "icons", "operations", "palette", "fonts", "marks",
)  # fmt: skip
"""The compared groups in the order of the reports."""

Side = tuple[FaceName, str]


@dataclass(frozen=True, slots=True)
class DifferenceEntry:
    """A changed item: a design, a kind, a number of the rules, a term.

    `name` is its name by language, empty if the id is enough. `was` is the old id of a renamed design. `looks` are the
    faces, with their language, that look different. `counts` are a design's copies before and after.
    """

    sort: EntrySort
    id: str
    name: Mapping[str, str] = field(default_factory=dict)
    values: tuple[ValueChange, ...] = ()
    looks: tuple[Side, ...] = ()
    was: str = ""
    counts: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class VersionState:
    """Describes one of the two states. `label` is the user's name for it, or empty for the present project."""

    label: str
    id: str
    draft: str
    title: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class NotCompared:
    """Something that could not be compared: one of the program's phrases, and the reason.

    `of` is the user's name of the state (empty for the present project), `game` its game. `why` is the error message,
    if any.
    """

    phrase: str
    of: str
    game: str
    why: str = ""

    def to_sentence(self, lang: str) -> str:
        """Return the whole sentence."""
        state = phrase("diff_named" if self.of else "diff_game_now", lang, state=self.of or self.game)
        return phrase(self.phrase, lang, state=state, why=self.why)


class FigureChange(NamedTuple):
    """A changed figure of `pnp figures`: its table (topic and subject), row and column, and both values."""

    topic: str
    of: str
    row: Cell
    column: str
    old: Cell
    new: Cell


BookName: TypeAlias = tuple[str, str]
"""File name and language of one of a game's books."""


@dataclass(frozen=True, slots=True)
class Difference:
    """All differences between two states of a game.

    `pieces` counts the printed pieces before and after. `totals` counts those of each kind whose number
    changed. `books` has the changed sentences of each book that both states have, by language. `not_compared` says what
    could not be compared, and why. `figures` follow from the other changes.
    """

    since: VersionState
    until: VersionState
    groups: Mapping[str, tuple[DifferenceEntry, ...]]
    pieces: tuple[int, int]
    totals: Mapping[str, tuple[int, int]]
    books: Mapping[BookName, tuple[SentenceChange, ...]]
    not_compared: tuple[NotCompared, ...] = ()
    figures: tuple[FigureChange, ...] = ()

    @property
    def is_empty(self) -> bool:
        """True if nothing differs, as far as it could be compared."""
        return not any(self.groups.values()) and not any(self.books.values())

    def count_entries(self, group: str) -> dict[str, int]:
        """Return the number of a group's entries by sort. Sorts without entries are left out."""
        found = Counter(entry.sort for entry in self.groups.get(group, ()))
        return {sort: found[sort] for sort in ENTRY_SORTS if found[sort]}

    def count_sentences(self, book: BookName) -> dict[str, int]:
        """Return the number of sentences by sort. Sorts without sentences are left out."""
        found = Counter(change.sort for change in self.books[book])
        return {sort: found[sort] for sort in SENTENCE_SORTS if found[sort]}


LONG = 60
"""Of longer texts (characters), only the changed words are shown, with some words around them."""

_SOON_READ, _AROUND = 160, 30
"""Texts up to the first length are shown whole; in longer ones, the second number of characters around a change."""

_MORE_OF_A_WORD, _REST_OF_A_WORD = re.compile(r"(?<=\s)[!-~]+$"), re.compile(r"^[!-~]+(?=\s)")

_LEAST_SHARED = 0.4
"""Two texts are compared word by word if at least this share of them is equal."""


def format_value(value: Any, lang: str) -> str:
    """Return a plain value on one line; for a missing one, a word in the language `lang`."""
    if isinstance(value, AbsentValue) or value is None:
        return phrase("diff_nothing", lang)
    if isinstance(value, str):
        return " / ".join(line.strip() for line in value.splitlines() if line.strip()) or "“”"
    return json.dumps(value, ensure_ascii=False)


def value_runs(change: ValueChange, lang: str) -> tuple[TextPart, ...]:
    """Return a change as parts: the old and the new value, or for long similar texts each changed part."""
    old, new = format_value(change.old, lang), format_value(change.new, lang)
    if isinstance(change.old, AbsentValue):
        return (TextPart("new", new),)
    if isinstance(change.new, AbsentValue):
        return (TextPart("old", old),)
    if min(len(old), len(new)) > LONG:
        runs = word_runs(old, new)
        if sum(len(run.text) for run in runs if run.sort == "same") >= _LEAST_SHARED * min(len(old), len(new)):
            return shorten_runs(runs)
    return (TextPart("old", old), TextPart("new", new))


def shorten_runs(runs: Sequence[TextPart]) -> tuple[TextPart, ...]:
    """Return the parts with long equal ones shortened. Short texts stay unchanged."""
    if sum(len(run.text) for run in runs) <= _SOON_READ:
        return tuple(runs)
    found = []
    for at, run in enumerate(runs):
        text = run.text
        if run.sort == "same" and len(text) > 2 * _AROUND + 3:
            left = _MORE_OF_A_WORD.sub("", text[:_AROUND]) if at else ""
            right = _REST_OF_A_WORD.sub("", text[-_AROUND:]) if at < len(runs) - 1 else ""
            text = f"{left}…{right}"
        found.append(TextPart(run.sort, text))
    return tuple(found)


def mark_words(change: ValueChange, lang: str) -> str:
    """Return the marks of old and new value: `provisional`, or `provisional → stated`; '' if none has a mark."""
    sides = ((change.old, change.old_mark), (change.new, change.new_mark))
    marks = [mark for value, mark in sides if not isinstance(value, AbsentValue)]
    return " → ".join(dict.fromkeys(mark_name(mark, lang) for mark in marks)) if any(marks) else ""


def mark_name(mark: object, lang: str) -> str:
    """Return a mark's name in a language; no mark is `stated`."""
    return phrase(f"diff_{mark}" if mark and not isinstance(mark, AbsentValue) else "diff_stated", lang)


def value_label(change: ValueChange, lang: str = "") -> str:
    """Return a label for the value: `title (ja)`, `cost.gold`, or an empty string for a whole item.

    The language is omitted if it is `lang`.
    """
    spoken = f"({change.lang})" if change.lang not in ("", lang) else ""
    return " ".join(filter(None, [change.path, spoken]))


def entry_name(entry: DifferenceEntry, lang: str) -> str:
    """Return an item's name on one line, or an empty string if it equals the id."""
    name = entry.name.get(lang) or next(iter(entry.name.values()), "")
    return "" if name == entry.id else format_value(name, lang) if name else ""


def state_name(state: VersionState, other: VersionState, lang: str) -> str:
    """Return a state's name: its label, its game if that differs from the other state's, and its draft."""
    said = state.label or phrase("diff_now", lang)
    if state.id not in (other.id, said):
        said = f"{state.id}, {said}"
    return f"{said} ({phrase('draft', lang, draft=state.draft)})"


def format_sides(looks: Iterable[Side], lang: str) -> str:
    """Return the sides as text: `front (ja, en); back (en)`."""
    by_face: dict[FaceName, list[str]] = {}
    for face, language in looks:
        by_face.setdefault(face, []).append(language)
    together: dict[tuple[str, ...], list[str]] = {}
    for face, languages in by_face.items():
        together.setdefault(tuple(languages), []).append(phrase(face, lang))
    return "; ".join(f"{', '.join(faces)} ({', '.join(languages)})" for languages, faces in together.items())


def group_changed_looks(
    entries: Iterable[DifferenceEntry],
) -> tuple[Mapping[tuple[str, tuple[Side, ...]], list[DifferenceEntry]], list[DifferenceEntry]]:
    """Return the designs that only look different, by kind and sides, and all other entries.

    Designs with the same data are grouped, because a changed template changes all cards of a kind.
    """
    alike: dict[tuple[str, tuple[Side, ...]], list[DifferenceEntry]] = {}
    others = []
    for entry in entries:
        if entry.sort == "changed" and entry.looks and not entry.values:
            alike.setdefault((entry.id.partition("/")[0], entry.looks), []).append(entry)
        else:
            others.append(entry)
    return alike, others


def format_counts(numbers: Mapping[str, int], lang: str) -> str:
    """Return counts as text: `2 added, 1 removed`."""
    return phrase("and", lang).join(phrase(f"diff_{sort}", lang, n=number) for sort, number in numbers.items())


def summarise(found: Difference, lang: str) -> list[tuple[str, str]]:
    """Return (name, counts) for each group and each book."""
    lines = [(phrase(f"diff_{group}", lang), format_counts(found.count_entries(group), lang)) for group in found.groups]
    books = [(book_name(book, lang), format_counts(found.count_sentences(book), lang)) for book in found.books]
    return [*lines, *(line for line in books if line[1])]


def book_name(book: BookName, lang: str) -> str:
    """Return a book's name with its language."""
    return f"{phrase(f'diff_{book[0]}', lang)} ({book[1]})"


def format_piece_counts(found: Difference, lang: str) -> str:
    """Return the number of pieces and the kinds whose number changed, or an empty string if none did."""
    if not found.totals:
        return ""
    kinds = phrase("and", lang).join(f"{kind} {old} → {new}" for kind, (old, new) in found.totals.items())
    return f"{phrase('diff_pieces', lang, old=found.pieces[0], new=found.pieces[1])}: {kinds}"


def alike_words(kind: str, looks: Iterable[Side], entries: Sequence[DifferenceEntry], lang: str) -> str:
    """Return a line about designs whose data are equal, but which look different. A single design is named."""
    faces = format_sides(looks, lang)
    if len(entries) == 1:
        name = entry_name(entries[0], lang)
        return f"{entries[0].id}{f' ({name})' if name else ''}: {phrase('diff_looks', lang, faces=faces)}"
    return phrase("diff_alike", lang, n=len(entries), kind=kind, faces=faces)
