"""Errors: problems in a user's files, each with its place, what is wrong and what to do.

A `Problem` is the user's to mend and is printed; any other exception is a fault of the program itself.
"""

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from generator.base.dataclass import dataclass

UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Characters that give orders to terminals or reorder what they show: C0, C1, line ends, bidirectional controls."""

_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def in_one_line(text: str) -> str:
    """Return a text with escapes as in JSON for unprintable characters, so that it is one line and gives no orders."""
    return UNPRINTABLE.sub(lambda found: _SHORT.get(found[0]) or f"\\u{ord(found[0]):04x}", text)


def as_lines(lines: Iterable[str]) -> str:
    """Return a text of these lines: a line end within one becomes a visible escape."""
    return "".join(f"{in_one_line(line)}\n" for line in lines)


_LONG = re.compile(r"'([^']{60})[^']{140,}'")


def in_short_line(text: str) -> str:
    """Return a message as `in_one_line`, with only the beginning of long quoted values."""
    return in_one_line(_LONG.sub(r"'\1...'", text))


class Unfit(ValueError):
    """A value that cannot be used, with a way out; whoever knows its place makes a Problem of it."""

    def __init__(self, what: str, hint: str = ""):
        super().__init__(what)
        self.hint = hint


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A spot in a file: path as the user would type it; line and column from 1, 0 where unknown."""

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
    """The number of a list's entry, from 0, as a step of a path; other numbers in a path are names."""


def format_path(path: Sequence[object]) -> str:
    """Return a path as people say it: `players.most`, or `take in entry 1 of setup`, as they count from 1."""
    at = next((at for at in reversed(range(len(path))) if isinstance(path[at], EntryNumber)), None)
    if at is None:
        return ".".join(map(str, path))
    entry = f"entry {int(str(path[at])) + 1} of {format_path(path[:at])}"
    return f"{'.'.join(map(str, path[at + 1 :]))} in {entry}" if path[at + 1 :] else entry


class LineStarts:
    """The lines of a text, counted once for any number of offsets."""

    def __init__(self, text: str):
        self._starts = array("L", [0])
        self._starts.extend(found.end() for found in re.finditer("\n", text))

    def at(self, offset: int) -> tuple[int, int]:
        """Return the line and the column of an offset, both from 1."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing to mend: where it is, what is wrong, what to do about it."""

    place: Place | None
    what: str
    hint: str = ""

    def __str__(self) -> str:
        text = f"{self.what}; {self.hint}" if self.hint else self.what
        return in_short_line(f"{self.place}: {text}" if self.place else text)


class ProblemsFound(Exception):
    """The user's input has problems; carries every one of them."""

    def __init__(self, problems: Iterable[Problem]):
        self.problems = in_reading_order(problems)
        super().__init__("\n".join(map(str, self.problems)))

    def __reduce__(self) -> tuple[type["ProblemsFound"], tuple[tuple[Problem, ...]]]:
        """Made of its problems again when it comes from another process."""
        return type(self), (self.problems,)


class WrongUsage(ProblemsFound):
    """What was asked for can't be had in any project: a name that nothing can have."""


def in_reading_order(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Without repeats, by file, line and column; problems without a place come last."""

    def key(problem: Problem) -> tuple[bool, Place, str]:
        return (problem.place is None, problem.place or Place(""), problem.what)

    return tuple(sorted(dict.fromkeys(problems), key=key))


MOST_COMPARED = 150
"""Names that a misspelt one is compared with; of more, those alone from which it differs by a letter or two."""

_LONGEST_NAME = 200
_CLOSE = 0.75
"""How much of two names is the same where one is taken for the other, misspelt."""
_BEGINNING = 3
"""So many letters at least are taken for the beginning of a longer name."""
_LONGEST_OF_MANY = 40
_SHOWN = 24
_ALIKE = 4


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A hint for a misspelt name: the nearest known one, or all that there are.

    Who asks again and again among very many gives the same frozenset, which is then looked through once.
    """
    names = known if isinstance(known, frozenset) else frozenset(known)
    parts = word.split()
    if len(parts) > 1 and names.issuperset(parts):
        return f"a comma is missing: write {', '.join(parts)}"
    near = nearest(word, names)
    if near:
        return f"did you mean '{near}'?"
    if not names:
        return "there are none to choose from"
    return f"known: {', '.join(_first(names))}{' ...' if len(names) > _SHOWN else ''}"


def nearest(word: str, names: frozenset[str]) -> str:
    """The known name that a misspelt one is nearest to; empty where none is near."""
    from difflib import get_close_matches

    if len(word) > _LONGEST_NAME:
        return ""
    compared = {name.casefold(): name for name in reversed(_near(word, names))}
    plain = word.casefold()
    slips = [name for name in compared if _is_slip(plain, name)]
    near = get_close_matches(plain, slips, n=1, cutoff=0) or get_close_matches(plain, compared, n=1, cutoff=_CLOSE)
    if not near and len(plain) >= _BEGINNING:
        near = sorted(name for name in compared if name.startswith(plain.rpartition(".")[0] or plain))
    return compared[near[0]] if near else ""


def _is_slip(word: str, name: str) -> bool:
    """Return True if a letter is wrong, missing or too many, or the letters are in another order."""
    return sorted(word) == sorted(name) or bool((_one_less(word) & _one_less(name)) - {""})


def _near(word: str, names: frozenset[str]) -> list[str]:
    """The names that are worth comparing, in their order."""
    if len(names) <= MOST_COMPARED:
        return sorted(name for name in names if len(name) <= _LONGEST_NAME)
    shortened = _names_without_a_letter(names)
    return sorted({name for short in _one_less(word) for name in shortened.get(short, ())})


@lru_cache(maxsize=4)
def _names_without_a_letter(names: frozenset[str]) -> Mapping[str, list[str]]:
    """The names by what is left of them without a letter; a few for each, as more can't be told apart by it."""
    found: dict[str, list[str]] = {}
    for name in sorted(name for name in names if len(name) <= _LONGEST_OF_MANY):
        for short in _one_less(name):
            alike = found.setdefault(short, [])
            if len(alike) < _ALIKE:
                alike.append(name)
    return found


def _one_less(word: str) -> set[str]:
    return {word, *(word[:at] + word[at + 1 :] for at in range(min(len(word), _LONGEST_OF_MANY)))}


@lru_cache(maxsize=4)
def _first(names: frozenset[str]) -> Sequence[str]:
    return sorted(names)[:_SHOWN]
