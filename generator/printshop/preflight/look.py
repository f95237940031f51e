"""What checks look at, page by page and file by file, and what a check is."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import field
from typing import NamedTuple, TypeVar

from PIL import Image

from generator.dataclass import dataclass
from generator.printshop.findings import Finding, Severity
from generator.printshop.foreign_pdf import BROKEN, reason
from generator.printshop.preflight.colours import Space
from generator.printshop.preflight.document import File, UnreadPage
from generator.printshop.preflight.geometry import Box, intersection
from generator.printshop.preflight.marks import PageMark
from generator.printshop.preflight.plates import Plates
from generator.printshop.preflight.rules import Rules

GRAVE = ("can't be read", "draws itself", "was not looked at", "deep in each other")
"""Words of troubles that hide part of a page."""


class Found(NamedTuple):
    """What a check says: how bad, what, what to do, and where on the page (mm in its view); None for all of it."""

    severity: Severity
    what: str
    hint: str
    box: Box | None = None
    page: int = 0
    times: int = 1


def alike(marks: Iterable[PageMark]) -> Iterator[tuple[str, list[PageMark]]]:
    """Those in the text and those in figures apart, with words for where: one kind doesn't hide the other."""
    groups: dict[str, list[PageMark]] = {}
    for mark in marks:
        groups.setdefault(" in a figure" if mark.tag == "Figure" else "", []).append(mark)
    yield from groups.items()


@dataclass(frozen=True, slots=True)
class PageLook:
    """One page with its marks. `cut` is where it is cut smaller, None when nobody cuts it.

    `grounded` are white marks, by id, that lie on something; `asides` are what the page holds besides marks.
    `shown` are marks of what is left after cutting: those that reach into the trim.
    `pixels` renders it on white, 0 < dpi < 400, with all that lies beyond the cut; None when that can't be done.
    `plates` are what a press would print, at their own dpi; None where nothing is there to separate them.
    """

    file: File
    sheet: UnreadPage
    rules: Rules
    cut: Box | None
    marks: list[PageMark]
    grounded: frozenset[int]
    troubles: list[str]
    asides: frozenset[str]
    pixels: Callable[[float], Image.Image | None]
    plates: Callable[[], Plates | None]
    shown: tuple[PageMark, ...] = field(init=False)

    def __post_init__(self) -> None:
        """Tell once, for all checks, what is left after cutting."""
        inside = self.cut or self.sheet.whole
        object.__setattr__(self, "shown", tuple([mark for mark in self.marks if intersection(mark.box, inside)]))

    def on_ground(self, mark: PageMark) -> bool:
        """Whether something that isn't white lies under a white mark."""
        return id(mark) in self.grounded

    @property
    def unread(self) -> bool:
        """Whether part of the page could not be read, so that nothing may be concluded from what is missing."""
        return any(part in trouble for trouble in self.troubles for part in GRAVE)

    @property
    def cmyk(self) -> bool:
        """Whether the job is for the four inks: the shop or the file's output intent says so."""
        return self.rules.cmyk or self.file.intent == 4


@dataclass(slots=True)
class PagesSeen:
    """What pages showed, gathered while they were read: each colour space and plate with its first page and place."""

    spaces: dict[Space, tuple[int, Box]] = field(default_factory=dict)
    plates: dict[str, tuple[int, Box]] = field(default_factory=dict)
    empty: list[int] = field(default_factory=list)
    unread: list[int] = field(default_factory=list)

    def note(self, page: int, marks: Iterable[PageMark], unread: bool = False) -> None:
        """Take down a page; one that could not be read is not called empty."""
        bare = not unread
        for mark in marks:
            bare = bare and mark.colour.white
            space = mark.colour.space
            if space not in self.spaces:
                self.spaces[space] = (page, mark.box)
            for name in space.names:
                self.plates.setdefault(name, (page, mark.box))
        if bare:
            self.empty.append(page)


@dataclass(frozen=True, slots=True)
class FileLook:
    """The file after all its pages were read.

    `cuts` are theirs, in order; `found` are the ids of checks that have found something.
    """

    file: File
    rules: Rules
    cuts: tuple[Box | None, ...]
    seen: PagesSeen
    found: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class PageCheck:
    """A check of one page: its id, what it holds in words, and what finds breaches."""

    id: str
    says: str
    find: Callable[[PageLook], Iterable[Found]]

    def findings(self, look: PageLook) -> Iterator[Finding]:
        """What it finds, at places from the corner of the trim."""
        for found in _ask_check(self.find, look):
            yield finding_on_page(self.id, found, look.sheet, look.cut)


@dataclass(frozen=True, slots=True)
class FileCheck:
    """A check of the file as a whole, or of its pages beside each other."""

    id: str
    says: str
    find: Callable[[FileLook], Iterable[Found]]

    def findings(self, look: FileLook) -> Iterator[Finding]:
        """What it finds; a breach that names a page has its place there."""
        for found in _ask_check(self.find, look):
            if found.page:
                yield finding_on_page(self.id, found, look.file.sheets[found.page - 1], look.cuts[found.page - 1])
            else:
                yield Finding(self.id, found.severity, 0, None, found.what, found.hint)


Look = TypeVar("Look")


def _ask_check(find: Callable[[Look], Iterable[Found]], look: Look) -> Iterator[Found]:
    """What is found until the check stumbles over something broken, and then that it did."""
    try:
        yield from find(look)
    except BROKEN as error:
        yield Found(
            "error", f"this could not be looked at ({reason(error)})", "write the file anew with another program"
        )


def finding_on_page(check: str, found: Found, sheet: UnreadPage, cut: Box | None) -> Finding:
    """A finding whose place counts from the top left corner of the trim, to a tenth of a mm."""
    at = None
    if found.box is not None:
        left, top = (cut or sheet.trim)[:2]
        # What began before the page's edge is found at the edge.
        x, y = max(found.box[0], 0.0) - left, max(found.box[1], 0.0) - top
        at = (round(x, 1) + 0.0, round(y, 1) + 0.0)
    return Finding(check, found.severity, sheet.number, at, found.what, found.hint, found.times)


def page_check(name: str, says: str) -> Callable[[Callable[[PageLook], Iterable[Found]]], PageCheck]:
    """Make a function a check of one page: what it yields is found."""
    return lambda find: PageCheck(name, says, find)


def file_check(name: str, says: str) -> Callable[[Callable[[FileLook], Iterable[Found]]], FileCheck]:
    """Make a function a check of the whole file."""
    return lambda find: FileCheck(name, says, find)
