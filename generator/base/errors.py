"""Errors: problems in a user's files, each with its place, the fault and the remedy.

A `Problem` is the user's to fix and is printed. Any other exception is a fault of the program itself.
"""

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache

UNPRINTABLE = r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
"""Characters that control terminals or reorder text: C0, C1, line ends, bidirectional controls."""

_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def to_one_line(text: str) -> str:
    """Return a text on one line: unprintable characters become escapes as in JSON."""
    if text.isprintable():
        return text
    return re.sub(UNPRINTABLE, lambda found: _SHORT.get(found[0]) or f"\\u{ord(found[0]):04x}", text)


def join_lines(lines: Iterable[str]) -> str:
    """Return a text of these lines. A line end within one becomes a visible escape."""
    return "".join(f"{to_one_line(line)}\n" for line in lines)


_LONG = r"'([^']{60})[^']{140,}'"


def to_short_line(text: str) -> str:
    """Return a message on one line, with long quoted values shortened."""
    return to_one_line(re.sub(_LONG, r"'\1...'", text))


class InvalidInput(ValueError):
    """An invalid value, with a remedy. A caller that knows its place makes a Problem of it."""

    def __init__(self, what: str, hint: str = ""):
        super().__init__(what)
        self.hint = hint


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A spot in a file: the path as the user would type it; line and column from 1, or 0 if unknown."""

    file: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        parts = [self.file]
        if self.line:
            parts.append(str(self.line))
            if self.column:
                parts.append(str(self.column))
        return ":".join(parts)


class EntryNumber(int):
    """The index of a list entry (from 0) in a path, to distinguish it from a key that is a number."""


def format_path(path: Sequence[object]) -> str:
    """Return a path in words, with entries counted from 1: `players.most_moves`, `take in entry 1 of setup`."""
    at = next((at for at in reversed(range(len(path))) if isinstance(path[at], EntryNumber)), None)
    if at is None:
        return ".".join(map(str, path))
    entry = f"entry {int(str(path[at])) + 1} of {format_path(path[:at])}"
    return f"{'.'.join(map(str, path[at + 1 :]))} in {entry}" if path[at + 1 :] else entry


class LineStarts:
    """Finds line and column of offsets in a text; its lines are indexed once."""

    def __init__(self, text: str):
        self._starts = array("L", [0])
        self._starts.extend(found.end() for found in re.finditer("\n", text))

    def find_position(self, offset: int) -> tuple[int, int]:
        """Return the line and the column of an offset, both from 1."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that the user must fix: its place, what is wrong (`what`), and what to do (`hint`)."""

    place: Place | None
    what: str
    hint: str = ""

    def __str__(self) -> str:
        text = f"{self.what}; {self.hint}" if self.hint else self.what
        return to_short_line(f"{self.place}: {text}" if self.place else text)


class ProblemsFound(Exception):
    """An error that carries all problems found in the user's input."""

    def __init__(self, problems: Iterable[Problem]):
        self.problems = sort_problems(problems)
        super().__init__("\n".join(map(str, self.problems)))

    def __reduce__(self) -> tuple[type["ProblemsFound"], tuple[tuple[Problem, ...]]]:
        """Return how to pickle the error, so that other processes can raise it."""
        return type(self), (self.problems,)


def raise_problems(problems: Iterable[Problem]) -> None:
    """Raise ProblemsFound with these problems, if there are any."""
    if found := tuple(problems):
        raise ProblemsFound(found)


@contextmanager
def gather_problems(problems: list[Problem]) -> Iterator[None]:
    """Return a context manager that catches ProblemsFound and adds its problems to the list."""
    try:
        yield
    except ProblemsFound as found:
        problems += found.problems


@contextmanager
def locate_fault(place: Place | None) -> Iterator[None]:
    """Return a context manager that raises ProblemsFound at this place for InvalidInput."""
    try:
        yield
    except InvalidInput as unfit:
        raise ProblemsFound([Problem(place, str(unfit), unfit.hint)]) from unfit


class WrongUsage(ProblemsFound):
    """The user named something, such as a file, with a name that no project can have. The exit code is 2, not 1."""


def sort_problems(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Return problems without repeats by file, line and column, those without a place last."""

    def key(problem: Problem) -> tuple[bool, Place, str]:
        return (problem.place is None, problem.place or Place(""), problem.what)

    return tuple(sorted(dict.fromkeys(problems), key=key))


def join_words(words: Iterable[str], word: str = "and", most: int = 1_000_000) -> str:
    """Return `a, b and c`. Of more than `most` words, name one less than that: `a, b and 3 more`."""
    listed = list(words)
    if len(listed) > most:
        listed[most - 1 :] = [f"{len(listed) - most + 1:,} more"]
    *before, last = listed
    return f"{', '.join(before)} {word} {last}" if before else last


def join_first_words(words: Sequence[str], most: int) -> str:
    """Return the first words, and how many more there are: `a, b`, or `a, b and 3 more`."""
    return ", ".join(words[:most]) + (f" and {len(words) - most:,} more" if len(words) > most else "")


MOST_COMPARED = 150
"""Maximum number of names that a misspelt one is compared with. Among more, only names that differ by a letter or two
are compared."""

_LONGEST_NAME = 200
_CLOSE = 0.75
"""Similarity (0 to 1) from which a name is suggested for a misspelt one."""
_BEGINNING = 3
"""Minimum length of a word that is recognised as the beginning of a longer name."""
_LONGEST_OF_MANY = 40
_SHOWN = 24
_ALIKE = 4


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return a hint for a misspelt name: the nearest known one, a comma that is missing, or the first known names.

    For repeated calls with many names, pass the same frozenset: its index is built once.
    """
    names = known if isinstance(known, frozenset) else frozenset(known)
    parts = word.split()
    if len(parts) > 1 and names.issuperset(parts):
        return f"a comma is missing: write {', '.join(parts)}"
    near = find_similar_name(word, names)
    if near:
        return f"did you mean '{near}'?"
    if not names:
        return "there are none to choose from"
    return f"known: {', '.join(_list_first_names(names))}{' ...' if len(names) > _SHOWN else ''}"


def find_similar_name(word: str, names: frozenset[str]) -> str:
    """Return the known name nearest to a misspelt one, or an empty string if none is close."""
    from difflib import get_close_matches

    if len(word) > _LONGEST_NAME:
        return ""
    compared = {name.casefold(): name for name in reversed(_select_comparable(word, names))}
    plain = word.casefold()
    # a letter is wrong, missing or too many, or the letters are in another order
    letters, near_forms = sorted(plain), _drop_each_letter(plain) - {""}
    slips = [name for name in compared if sorted(name) == letters or near_forms & _drop_each_letter(name)]
    near = get_close_matches(plain, slips, n=1, cutoff=0) or get_close_matches(plain, compared, n=1, cutoff=_CLOSE)
    if not near and len(plain) >= _BEGINNING:
        near = sorted(name for name in compared if name.startswith(plain.rpartition(".")[0] or plain))
    return compared[near[0]] if near else ""


def _select_comparable(word: str, names: frozenset[str]) -> list[str]:
    """Return, sorted, the names to compare with the word: of a few all but long ones, of many those a letter away."""
    if len(names) <= MOST_COMPARED:
        return sorted(name for name in names if len(name) <= _LONGEST_NAME)
    shortened = _index_shortened_names(names)
    return sorted({name for short in _drop_each_letter(word) for name in shortened.get(short, ())})


@lru_cache(maxsize=4)
def _index_shortened_names(names: frozenset[str]) -> Mapping[str, list[str]]:
    """Return an index of the names by each spelling with one letter left out."""
    found: dict[str, list[str]] = {}
    for name in sorted(name for name in names if len(name) <= _LONGEST_OF_MANY):
        for short in _drop_each_letter(name):
            alike = found.setdefault(short, [])
            if len(alike) < _ALIKE:
                alike.append(name)
    return found


def _drop_each_letter(word: str) -> set[str]:
    return {word, *(word[:at] + word[at + 1 :] for at in range(min(len(word), _LONGEST_OF_MANY)))}


@lru_cache(maxsize=4)
def _list_first_names(names: frozenset[str]) -> Sequence[str]:
    return sorted(names)[:_SHOWN]
