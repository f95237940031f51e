"""Art files and pictures of a game's templates: found in its folder or in common, checked before they are decoded."""

import base64
import binascii
import hashlib
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from generator.cache.reads import Kind, Reads
from generator.cache.store import digest
from generator.errors import Place, Problem, ProblemsFound, Unfit, did_you_mean, nearest
from generator.files import read_file
from generator.model.resources import PICTURES, Resources
from generator.svg.bitmaps import KNOWN, checked_bytes, checked_picture
from generator.svg.tree import Element, parse_markup_tree
from generator.templates.markup_files import read_markup

_DATA = re.compile(r"data:(image/[\w.+-]+)?(?:;[\w=.-]+)*?(;base64)?,", re.IGNORECASE)
_DRAWINGS = (".svg", ".svgz")
MOST_DATA = 2_000_000
"""Characters of a picture that is written out in the markup: a file has no such limit."""


class PictureFile(NamedTuple):
    """A picture file: the sha256 of its bytes, where it is, its size in pixels, what has to be told of it."""

    asset: str
    path: Path
    width: int
    height: int
    notes: tuple[str, ...] = ()


class Art:
    """An SVG file of the templates, its elements stamped with their places; `lettered` when the language may matter.

    `state` is the digest of its bytes, empty where they can't be read.
    """

    __slots__ = ("file", "lettered", "path", "problems", "root", "state")

    def __init__(self, path: Path, file: str, root: Element | None, problems: list[Problem]):
        self.path, self.file = path, file
        self.root = root
        self.problems = problems
        self.lettered = False
        self.state = ""

    def read(self) -> bytes:
        """The bytes of the file; ProblemsFound where they can't be read."""
        try:
            return read_file(self.path, "markup")
        except Unfit as unfit:
            raise ProblemsFound([Problem(Place(self.file), str(unfit), unfit.hint)]) from unfit

    def locate(self, stamp: str) -> Place:
        """The place that a stamp, `line:column`, stands for; the file for an empty one."""
        return Place(self.file, *map(int, stamp.split(":"))) if stamp else Place(self.file)


class Assets:
    """Looks up what templates refer to by file name; every file is read once, and noted in `reads`."""

    def __init__(self, game: str, resources: Resources, reads: Reads | None = None):
        self._game = game
        self._resources = resources
        self._art: dict[str, Art] = {}
        self._bitmaps: dict[str, PictureFile] = {}
        self._known: dict[str, list[str]] = {}
        self._reads = reads
        if reads is not None:
            reads.look["art"], reads.look["picture"] = self._art_state, self._picture_state

    def art(self, name: str) -> Art:
        """The SVG file `name` (`art/laurel.svg`, `icons/wheat.svg`); Unfit when there is none."""
        known = self._art.get(name)
        if known is None:
            _refuse_outside(name)
            if not name.endswith(_DRAWINGS):
                hint = "show pictures by <image>" if name.lower().endswith(PICTURES) else "name an .svg file"
                raise Unfit(f"'{name}' is not an SVG file", hint)
            with self._noting_faults("art", name):
                known = self._art[name] = _read_art(self._find(name, _DRAWINGS), self._resources)
            self._note("art", name, known.state)
        return known

    def bitmap(self, name: str) -> PictureFile:
        """The picture file `name`, or a picture in a `data:` address; Unfit when there is none that can be printed."""
        known = self._bitmaps.get(name)
        if known is None and name.lower().startswith("data:"):
            known = self._bitmaps[name] = _read_data(name)
        elif known is None:
            _refuse_outside(name)
            if not name.lower().endswith(PICTURES):
                raise Unfit(*_no_picture(name))
            with self._noting_faults("picture", name):
                known = self._bitmaps[name] = _read_bitmap(name, self._find(name, PICTURES))
            self._note("picture", name, f"{known.asset} {known.path.as_posix()}")
        return known

    def has_picture(self, name: str) -> bool:
        """Whether there is a picture file of that name."""
        state = self._picture_state(name)
        self._note("picture", name, state)
        return bool(state)

    @contextmanager
    def _noting_faults(self, kind: Kind, name: str) -> Iterator[None]:
        try:
            yield
        except Unfit:
            self._note(kind, name, "")
            raise

    def _note(self, kind: Kind, name: str, state: str) -> None:
        if self._reads is not None:
            self._reads.note(kind, name, state)

    def _art_state(self, name: str) -> str:
        try:
            return digest(read_file(self._find(name, _DRAWINGS), "markup"))
        except Unfit:
            return ""

    def _picture_state(self, name: str) -> str:
        try:
            path = self._find(name, PICTURES)
            return f"{hashlib.sha256(read_file(path, 'picture')).hexdigest()} {path.as_posix()}"
        except Unfit:
            return ""

    def _names(self, suffix: str) -> list[str]:
        """The files with this ending; looked for once, however many are misspelt."""
        known = self._known.get(suffix)
        if known is None:
            known = self._known[suffix] = self._resources.names("templates", suffix)
        return known

    def _find(self, name: str, suffixes: tuple[str, ...]) -> Path:
        own, common = f"{self._game}/", "common/"
        candidates = [name] if name.startswith((own, common)) else [own + name, common + name]
        for candidate in candidates:
            path = self._resources.find("templates", candidate)
            if path is not None:
                return path
            if self._resources.leaves_root("templates", candidate):
                raise Unfit(f"'{name}' is a link to a file outside the templates", "copy the file into the templates")
        known = [file for suffix in suffixes for file in self._names(suffix)]
        known = [file.removeprefix(own).removeprefix(common) for file in known if file.startswith((own, common))]
        where = f"templates/{self._game} or templates/common"
        # Without their endings: these make all names alike.
        asked, stems = name.rpartition(".")[0], {file.rpartition(".")[0]: file for file in known}
        near = nearest(asked, frozenset(stems))
        hint = f"did you mean '{stems[near]}'?" if near else did_you_mean(asked, stems)
        if name.startswith("icons/"):  # an icon of the data, which has no drawing yet
            hint = f"draw it as templates/{own}{name}{f'; {hint}' if near else ''}"
        raise Unfit(f"there is no file '{name}' in {where}", hint)


def _refuse_outside(name: str) -> None:
    parts = name.replace("\\", "/").split("/")
    if ":" in name or ".." in parts or not parts[0]:
        shown = name if len(name) <= 40 else f"{name[:40]}..."
        raise Unfit(f"'{shown}' lies outside the templates", "put the file into the game's templates folder")


def _read_art(path: Path, resources: Resources) -> Art:
    file = resources.shown(path)
    art = Art(path, file, None, [])
    try:
        art.state = digest(art.read())
        markup = read_markup(path, file)
        art.lettered = "<text" in markup or "<use" in markup
        art.root, art.problems = parse_markup_tree(markup, art.locate, stamped=False)
    except ProblemsFound as found:
        art.problems = list(found.problems)
    return art


def _read_bitmap(name: str, path: Path) -> PictureFile:
    data, measures = checked_picture(path, name)
    told = f"'{name}' has several frames or pages: the first is shown"
    notes = (told,) if measures.first_of_several else ()
    return PictureFile(hashlib.sha256(data).hexdigest(), path, measures.width, measures.height, notes)


def _no_picture(name: str) -> tuple[str, str]:
    known = "write its ending" if "." not in name.rpartition("/")[2] else "save it as one of these"
    return f"'{name}' is not a {KNOWN} file", known


def _read_data(name: str) -> PictureFile:
    """A picture that is written out: its source is the address itself, with letters that no path changes."""
    head = _DATA.match(name)
    if head is None or not head[2]:
        raise Unfit("a picture in a data address is not base64", "write data:image/png;base64,... or name a file")
    if "svg" in (head[1] or "").lower():
        raise Unfit("a data address holds a drawing, not a picture", 'save it as a file: <use href="art/x.svg" .../>')
    if len(name) > MOST_DATA:
        what = f"a picture in a data address has {len(name):,} characters, more than {MOST_DATA:,}"
        raise Unfit(what, "save it as a file and name that")
    try:
        data = base64.b64decode("".join(name[head.end() :].split()), validate=True)
    except (binascii.Error, ValueError) as error:
        raise Unfit("the picture in a data address is damaged: its base64 can't be read", "copy it whole") from error
    width, height, _ = checked_bytes(data, "data:")
    source = f"data:image/{(head[1] or 'image/png')[6:]};base64,{base64.urlsafe_b64encode(data).decode('ascii')}"
    return PictureFile(hashlib.sha256(data).hexdigest(), Path(source), width, height)
