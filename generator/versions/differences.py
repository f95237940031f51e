"""Differences of two states: values, designs, texts, and words for them."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from itertools import zip_longest
from typing import Any, Literal, TypeAlias

from generator.base.dataclass import dataclass
from generator.base.languages import phrase
from generator.game.model import Effect, FaceName
from generator.game.rich_text import Words
from generator.versions.sentences import SENTENCE_SORTS, SentenceChange, TextPart, word_runs


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


EntrySort = Literal["added", "removed", "renamed", "changed"]

ENTRY_SORTS: tuple[EntrySort, ...] = ("added", "removed", "renamed", "changed")

GROUPS = (
    "facts",
    "kinds",
    "components",
    "rules",
    "switches",
    "readings",
    "setup",
    "glossary",
    "moves",
    "zones",
    "checks",
    "examples",
    "words",
    "icons",
    "operations",
    "palette",
    "fonts",
    "marks",
)
"""What is compared, in the order in which it is told."""

Side = tuple[FaceName, str]


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that is not as it was: a design, a kind, a number of the rules, a term.

    `name` is what it is called by language, empty where its id says all. `was` is the old id of a renamed one. `looks`
    are the faces, with their language, that show something else. `counts` are its copies before and after, of designs.
    """

    sort: EntrySort
    id: str
    name: Mapping[str, str] = field(default_factory=dict)
    values: tuple[ValueChange, ...] = ()
    looks: tuple[Side, ...] = ()
    was: str = ""
    counts: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class State:
    """One of the two states: `label` is how the user calls it, empty for the project as it is."""

    label: str
    id: str
    draft: str
    title: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class NotCompared:
    """Something that could not be compared, and why: one of the program's phrases, told in the reader's language.

    `of` is the state that it is about as the user calls it (empty for the project as it is), `game` its game, `why`
    what was wrong there, if anything, as the program tells it everywhere.
    """

    phrase: str
    of: str
    game: str
    why: str = ""

    def told(self, lang: str) -> str:
        """The whole sentence."""
        state = phrase("diff_named" if self.of else "diff_game_now", lang, state=self.of or self.game)
        return phrase(self.phrase, lang, state=state, why=self.why)


BookName: TypeAlias = tuple[str, str]
"""One of a game's books, as its files are called, and its language."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Everything in which two states of a game differ.

    `pieces` are all that are printed, before and after; `totals` those of each kind whose number is another. `books`
    has the sentences of each book in each language; one that is not on both sides is missing.
    `not_compared` is what could not be compared, and why.
    """

    since: State
    until: State
    groups: Mapping[str, tuple[Entry, ...]]
    pieces: tuple[int, int]
    totals: Mapping[str, tuple[int, int]]
    books: Mapping[BookName, tuple[SentenceChange, ...]]
    not_compared: tuple[NotCompared, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing differs, as far as it could be compared."""
        return not any(self.groups.values()) and not any(self.books.values())

    def of(self, group: str, sort: EntrySort) -> tuple[Entry, ...]:
        """A group's entries of one sort."""
        return tuple(entry for entry in self.groups.get(group, ()) if entry.sort == sort)

    def numbers(self, group: str) -> dict[str, int]:
        """How many entries of each sort a group has, without sorts that it has none of."""
        found: dict[str, int] = {sort: len(self.of(group, sort)) for sort in ENTRY_SORTS}
        return {sort: number for sort, number in found.items() if number}

    def sentence_numbers(self, book: BookName) -> dict[str, int]:
        """How many sentences of each sort, without sorts of which there are none."""
        found: dict[str, int] = {
            sort: sum(change.sort == sort for change in self.books[book]) for sort in SENTENCE_SORTS
        }
        return {sort: number for sort, number in found.items() if number}


LONG = 60
"""Characters of a text from which on only the words that differ are shown, with some of those around them."""

_SOON_READ, _AROUND = 160, 30
"""Characters: of a text that is shown whole, of what is shown around a difference in a longer one."""

_MORE_OF_A_WORD, _REST_OF_A_WORD = re.compile(r"(?<=\s)[!-~]+$"), re.compile(r"^[!-~]+(?=\s)")

_LEAST_SHARED = 0.4
"""The share of a text that must be in both for one to be shown as the other changed."""


def format_value(value: Any, lang: str) -> str:
    """A plain value on one line."""
    if isinstance(value, NothingThere) or value is None:
        return phrase("diff_nothing", lang)
    if isinstance(value, str):
        return " / ".join(line.strip() for line in value.splitlines() if line.strip()) or "“”"
    return json.dumps(value, ensure_ascii=False)


def value_runs(change: ValueChange, lang: str) -> tuple[TextPart, ...]:
    """Old and new value; of two long texts that are much alike the words that differ."""
    old, new = format_value(change.old, lang), format_value(change.new, lang)
    if isinstance(change.old, NothingThere):
        return (TextPart("new", new),)
    if isinstance(change.new, NothingThere):
        return (TextPart("old", old),)
    if min(len(old), len(new)) > LONG:
        runs = word_runs(old, new)
        if sum(len(run.text) for run in runs if run.sort == "same") >= _LEAST_SHARED * min(len(old), len(new)):
            return shorten_runs(runs)
    return (TextPart("old", old), TextPart("new", new))


def shorten_runs(runs: Sequence[TextPart]) -> tuple[TextPart, ...]:
    """The runs with what both texts share cut short, away from what differs; as they are where all is soon read."""
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
    """What the draft says of the values: `provisional`, or `provisional → stated`; empty where it states them."""
    marks = [change.old_mark, change.new_mark]
    if isinstance(change.old, NothingThere):
        marks = marks[1:]
    elif isinstance(change.new, NothingThere):
        marks = marks[:1]
    if not any(marks):
        return ""
    return " → ".join(dict.fromkeys(mark_name(mark, lang) for mark in marks))


def mark_name(mark: object, lang: str) -> str:
    """A mark as people call it."""
    return phrase(f"diff_{mark}" if mark and not isinstance(mark, NothingThere) else "diff_stated", lang)


def label(change: ValueChange, lang: str = "") -> str:
    """Which value it is: `title (ja)`, `cost.gold`; empty for the whole of a thing.

    `lang` goes without saying.
    """
    spoken = f"({change.lang})" if change.lang not in ("", lang) else ""
    return " ".join(filter(None, [change.path, spoken]))


def name_of(entry: Entry, lang: str) -> str:
    """What a thing is called, on one line; empty where its id says all."""
    name = entry.name.get(lang) or next(iter(entry.name.values()), "")
    return "" if name == entry.id else format_value(name, lang) if name else ""


def state_name(state: State, other: State, lang: str) -> str:
    """How a state is called beside the other: by its label, its game if that differs, and its draft."""
    said = state.label or phrase("diff_now", lang)
    if state.id not in (other.id, said):
        said = f"{state.id}, {said}"
    return f"{said} ({phrase('draft', lang, draft=state.draft)})"


def sides_in_words(looks: Iterable[Side], lang: str) -> str:
    """`front (ja, en); back (en)`."""
    by_face: dict[FaceName, list[str]] = {}
    for face, language in looks:
        by_face.setdefault(face, []).append(language)
    together: dict[tuple[str, ...], list[str]] = {}
    for face, languages in by_face.items():
        together.setdefault(tuple(languages), []).append(phrase(face, lang))
    return "; ".join(f"{', '.join(faces)} ({', '.join(languages)})" for languages, faces in together.items())


def looks_alone(entries: Iterable[Entry]) -> tuple[Mapping[tuple[str, tuple[Side, ...]], list[Entry]], list[Entry]]:
    """Changed designs with the same data, by kind and sides, that a template or a palette made look different; others.

    They are told together: a changed template changes all cards of a kind.
    """
    alike: dict[tuple[str, tuple[Side, ...]], list[Entry]] = {}
    others = []
    for entry in entries:
        if entry.sort == "changed" and entry.looks and not entry.values:
            alike.setdefault((entry.id.partition("/")[0], entry.looks), []).append(entry)
        else:
            others.append(entry)
    return alike, others


def sums(numbers: Mapping[str, int], lang: str) -> str:
    """`2 added, 1 removed`."""
    return phrase("and", lang).join(phrase(f"diff_{sort}", lang, n=number) for sort, number in numbers.items())


def summary(found: Difference, lang: str) -> list[tuple[str, str]]:
    """What differs and how much, a line for each group and each book."""
    lines = [(phrase(f"diff_{group}", lang), sums(found.numbers(group), lang)) for group in found.groups]
    books = [(book_name(book, lang), sums(found.sentence_numbers(book), lang)) for book in found.books]
    return [*lines, *(line for line in books if line[1])]


def book_name(book: BookName, lang: str) -> str:
    """What a book is called, with its language."""
    return f"{phrase(f'diff_{book[0]}', lang)} ({book[1]})"


def pieces(found: Difference, lang: str) -> str:
    """How many pieces there are, and of which kinds there are more or fewer; empty where their numbers stayed."""
    if not found.totals:
        return ""
    kinds = phrase("and", lang).join(f"{kind} {old} → {new}" for kind, (old, new) in found.totals.items())
    return f"{phrase('diff_pieces', lang, old=found.pieces[0], new=found.pieces[1])}: {kinds}"


def alike_words(kind: str, looks: Iterable[Side], entries: Sequence[Entry], lang: str) -> str:
    """The line about designs that look different by their template alone; a single one is called by its name."""
    faces = sides_in_words(looks, lang)
    if len(entries) == 1:
        name = name_of(entries[0], lang)
        return f"{entries[0].id}{f' ({name})' if name else ''}: {phrase('diff_looks', lang, faces=faces)}"
    return phrase("diff_alike", lang, n=len(entries), kind=kind, faces=faces)
