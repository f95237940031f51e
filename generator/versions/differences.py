"""How two states of a game differ as designs: components, numbers, wording, sentences; no files, no drawing."""

from collections.abc import Mapping
from dataclasses import field
from typing import Literal, TypeAlias

from generator.dataclass import dataclass
from generator.model.game import FaceName
from generator.model.phrases import phrase
from generator.versions.sentences import SENTENCE_SORTS, SentenceChange
from generator.versions.values import ValueChange

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
