"""A difference in words for people: values, marks, sides and sentences as runs that are old, new or the same."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from generator.model.game import FaceName
from generator.model.phrases import phrase
from generator.versions.differences import BookName, Difference, Entry, Side, State
from generator.versions.sentences import TextPart, word_runs
from generator.versions.values import NothingThere, ValueChange

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
