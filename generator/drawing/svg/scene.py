"""The scene of one face: palette, art files, pictures, problems, and checks of elements and attributes."""

import base64
import binascii
import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from generator.base.cache import RecentValues, hash_bytes
from generator.base.display_list import ArtNote, Item, Paint, StampPlace, Symbol, TextFrame
from generator.base.errors import (
    InvalidInput,
    Place,
    Problem,
    ProblemsFound,
    did_you_mean,
    find_similar_name,
    locate_fault,
)
from generator.base.files import PICTURES, Resources, normalize_file_name, read_file
from generator.base.geometry import IDENTITY, PT_PER_MM, Matrix, Rect
from generator.base.outlines import DEEPEST_NESTING
from generator.base.picture_files import KNOWN_FORMATS, check_picture_bytes, read_checked_picture
from generator.drawing.svg.reader_state import DrawnArt, ReaderState
from generator.drawing.svg.style import Style, StyleBook, read_font_size
from generator.drawing.svg.tree import PACKED, Element
from generator.drawing.svg.values import MM, LengthBasis, find_axis, parse_length, parse_transform
from generator.drawing.svg.vocabulary import (
    FILTER_PARTS,
    FILTER_STEPS,
    HARMLESS,
    OF_TEMPLATES,
    SHAPES,
    STYLED,
    is_neutral,
    suggest_attribute,
    suggest_element,
)
from generator.game.game_cache import Kind, ReadLog
from generator.game.model import Design, Game
from generator.game.rich_text import Words
from generator.text.fonts import FontBook
from generator.text.glyph_rows import SetText, TextBox

if TYPE_CHECKING:
    from PIL import Image


_DATA = r"(?i)data:(image/[\w.+-]+)?(?:;[\w=.-]+)*?(;base64)?,"
_DRAWINGS = (".svg", ".svgz")
MOST_DATA = 2_000_000
"""Maximum characters of a picture embedded in the markup. Files have no such limit."""


class PictureFile(NamedTuple):
    """A picture file: the sha256 of its bytes, its path, its size in pixels, and a note for the user."""

    asset: str
    path: Path
    width: int
    height: int
    notes: tuple[str, ...] = ()


class ArtFile:
    """An SVG file; `lettered` if it may have text. `state` is the digest of its bytes, or empty if unreadable."""

    __slots__ = ("file", "lettered", "path", "state")

    def __init__(self, path: Path, file: str):
        self.path, self.file = path, file
        data = b""
        with suppress(ProblemsFound):
            data = self.load_bytes()
        self.state = hash_bytes(data) if data else ""
        self.lettered = b"<text" in data or b"<use" in data or data.startswith(PACKED)

    def load_bytes(self) -> bytes:
        """Return the bytes of the file. Raise ProblemsFound if they can't be read."""
        with locate_fault(Place(self.file)):
            return read_file(self.path, "markup")

    def locate_stamp(self, stamp: str) -> Place:
        """Return the place of a stamp, `line:column`; the file for an empty one."""
        return Place(self.file, *map(int, stamp.split(":"))) if stamp else Place(self.file)


class Assets:
    """The files named in templates. Every file is read once and noted in `reads`."""

    def __init__(self, game: str, resources: Resources, reads: ReadLog | None = None):
        self._game = game
        self._resources = resources
        self._art: dict[str, ArtFile] = {}
        self._bitmaps: dict[str, PictureFile] = {}
        self._list_names = cache(partial(resources.list_names, "templates"))
        self._reads = reads
        if reads is not None:
            reads.look["art"] = lambda name: hash_bytes(read_file(self._find_file(name, _DRAWINGS), "markup"))
            reads.look["picture"] = self._find_picture_state

    def find_art(self, name: str) -> ArtFile:
        """Return the SVG file `name` (`art/laurel.svg`, `icons/wheat.svg`). Raise InvalidInput if there is none."""
        known = self._art.get(name)
        if known is None:
            _refuse_outside(name)
            if not name.endswith(_DRAWINGS):
                hint = "show pictures by <image>" if name.lower().endswith(PICTURES) else "name an .svg file"
                raise InvalidInput(f"'{name}' is not an SVG file", hint)
            with self._note_faults("art", name):
                path = self._find_file(name, _DRAWINGS)
            known = self._art[name] = ArtFile(path, self._resources.display_path(path))
            self._note_read("art", name, known.state)
        return known

    def find_bitmap(self, name: str) -> PictureFile:
        """Return the picture `name` (a file or a `data:` address). Raise InvalidInput if none can be printed."""
        known = self._bitmaps.get(name)
        if known is None and name.lower().startswith("data:"):
            known = self._bitmaps[name] = _read_data(name)
        elif known is None:
            _refuse_outside(name)
            if not name.lower().endswith(PICTURES):
                hint = "write its ending" if "." not in name.rpartition("/")[2] else "save it as one of these"
                raise InvalidInput(f"'{name}' is not a {KNOWN_FORMATS} file", hint)
            with self._note_faults("picture", name):
                path = self._find_file(name, PICTURES)
                data, measures = read_checked_picture(path, name)
                told = f"'{name}' has several frames or pages; pnp shows the first"
                notes = (told,) if measures.first_of_several else ()
                asset = hashlib.sha256(data).hexdigest()
                known = self._bitmaps[name] = PictureFile(asset, path, measures.width, measures.height, notes)
            self._note_read("picture", name, f"{known.asset} {known.path.as_posix()}")
        return known

    def has_picture(self, name: str) -> bool:
        """Return True if there is a picture file of that name."""
        try:
            state = self._find_picture_state(name)
        except InvalidInput:
            state = ""
        self._note_read("picture", name, state)
        return bool(state)

    @contextmanager
    def _note_faults(self, kind: Kind, name: str) -> Iterator[None]:
        try:
            yield
        except InvalidInput:
            self._note_read(kind, name, "")
            raise

    def _note_read(self, kind: Kind, name: str, state: str) -> None:
        if self._reads is not None:
            self._reads.note_file(kind, name, state)

    def _find_picture_state(self, name: str) -> str:
        path = self._find_file(name, PICTURES)
        return f"{hashlib.sha256(read_file(path, 'picture')).hexdigest()} {path.as_posix()}"

    def _find_file(self, name: str, suffixes: tuple[str, ...]) -> Path:
        own, common = f"{self._game}/", "common/"
        candidates = [name] if name.startswith((own, common)) else [own + name, common + name]
        for candidate in candidates:
            path = self._resources.find("templates", candidate)
            if path is not None:
                return path
            if self._resources.leaves_root("templates", candidate):
                what = f"'{name}' is a link to a file outside the templates"
                raise InvalidInput(what, "copy the file into the templates")
        known = [file for suffix in suffixes for file in self._list_names(suffix)]
        known = [file.removeprefix(own).removeprefix(common) for file in known if file.startswith((own, common))]
        where = f"templates/{self._game} or templates/common"
        # Without endings, which would make all names similar.
        asked, stems = name.rpartition(".")[0], {file.rpartition(".")[0]: file for file in known}
        near = find_similar_name(asked, frozenset(stems))
        hint = f"did you mean '{stems[near]}'?" if near else did_you_mean(asked, stems)
        if name.startswith("icons/"):  # an icon in the data without a drawing
            hint = f"draw it as templates/{own}{name}{f'; {hint}' if near else ''}"
        raise InvalidInput(f"there is no file '{name}' in {where}", hint)


def _refuse_outside(name: str) -> None:
    parts = name.replace("\\", "/").split("/")
    if ":" in name or ".." in parts or not parts[0]:
        shown = name if len(name) <= 40 else f"{name[:40]}..."
        raise InvalidInput(f"'{shown}' is outside the templates", "put the file into the game's templates folder")


def _read_data(name: str) -> PictureFile:
    """Read an embedded picture. Its source is the address itself, in letters that paths leave unchanged."""
    head = re.match(_DATA, name)
    if head is None or not head[2]:
        what = "a picture in a data address is not base64"
        raise InvalidInput(what, "write data:image/png;base64,... or name a file")
    if "svg" in (head[1] or "").lower():
        what = "the data address contains a drawing, not a picture"
        raise InvalidInput(what, 'save it as a file: <use href="art/x.svg" .../>')
    if len(name) > MOST_DATA:
        what = f"a picture in a data address has {len(name):,} characters, more than {MOST_DATA:,}"
        raise InvalidInput(what, "save it as a file and name that")
    try:
        data = base64.b64decode("".join(name[head.end() :].split()), validate=True)
    except (binascii.Error, ValueError) as error:
        what = "the picture in a data address is damaged: its base64 can't be read"
        raise InvalidInput(what, "copy it whole") from error
    width, height, _ = check_picture_bytes(data, "data:")
    source = f"data:image/{(head[1] or 'image/png')[6:]};base64,{base64.urlsafe_b64encode(data).decode('ascii')}"
    return PictureFile(hashlib.sha256(data).hexdigest(), Path(source), width, height)


Mark: TypeAlias = TextFrame | StampPlace | ArtNote
"""Notes on a face besides its items."""


TOO_DEEP = f"groups, clips, masks and drawings are nested more than {DEEPEST_NESTING} levels deep"


class BuiltElement(NamedTuple):
    """The result of drawing one element: items, notes on text and stamps, and the number of elements."""

    items: tuple[Item, ...]
    marks: tuple[Mark, ...] = ()
    weight: int = 1


@dataclass(slots=True, eq=False, repr=False)
class Studio:
    """Shared parts of all faces of a game. `render` returns items in a box as pixels (RGBA, transparent background).

    `draw` returns the contents of an element in a style; its matrix converts to the face's coordinates. `icons_in`
    replaces a text's emoji by icons. `opened` are the art files that are being read, each inside the one before.
    """

    game: Game
    fonts: FontBook
    assets: Assets
    styles: StyleBook
    render: Callable[[tuple[Item, ...], Rect, float], "Image.Image"]
    draw: "Callable[[Scene, Element, Style, Matrix], tuple[Item, ...]]"
    built: RecentValues[tuple[Any, ...], BuiltElement] = field(default_factory=lambda: RecentValues(8_000))
    broken_icons: dict[str, tuple[Problem, ...]] = field(default_factory=dict)
    symbols: dict[tuple[str, ...], DrawnArt] = field(default_factory=dict)
    opened: list[str] = field(default_factory=list)
    local_symbols: RecentValues[tuple[Any, ...], Symbol] = field(default_factory=RecentValues)
    settings: RecentValues[tuple[Any, ...], TextBox] = field(default_factory=lambda: RecentValues(1_000))
    lines: RecentValues[tuple[str, TextBox], SetText] = field(default_factory=lambda: RecentValues(1_000))
    icons_in: Callable[[str], str] = str
    named: dict[str, Design] = field(default_factory=dict)
    names: frozenset[str] = frozenset()

    def get_designs(self) -> Mapping[str, Design]:
        """Return every design by its id, collected on first use."""
        if not self.named:
            self.named |= {design.id: design for design in self.game.designs()}
        return self.named

    def component_names(self) -> frozenset[str]:
        """Return the names that a text may refer to: kinds and designs."""
        if not self.names:
            self.names = frozenset((*self.game.kinds, *self.get_designs()))
        return self.names


@dataclass(slots=True, eq=False, repr=False)
class Scene:
    """One face or art file being drawn. `design` is None in art files, whose text is literal; `subject` names it.

    `state` is the reader's for what templates share with art files. `basis` is what lengths in % and em refer to. A
    template with style sheets is `styled`: its elements depend on more than their markup. A template that a drawing
    program saved is `drawn`: what the program adds is no mistake. Text must stay inside `trim`, the card's, or inside
    `outline` if the piece is not a rectangle. In a clip there is no `trim`: text there is cut off on purpose.
    """

    studio: Studio
    lang: str
    locate: Callable[[str], Place]
    icon: Callable[[str, Paint], Symbol | None]
    design: Design | None = None
    subject: str = ""
    current: Paint = "ink"
    ids: dict[str, Element] = field(default_factory=dict)
    defined: tuple[bytes, ...] = ()
    problems: list[Problem] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    weight: int = 0
    inside: tuple[str, ...] = ()
    depth: int = 0
    trim: Rect | None = None
    outline: str = ""
    basis: LengthBasis = MM
    styled: bool = False
    drawn: bool = False
    state: ReaderState | None = None

    def place_of(self, element: Element) -> Place:
        """Return the place of the element in its file."""
        return self.locate(element.at)

    def add_problem(self, element: Element, what: str, hint: str = "") -> None:
        """Add a problem, with a remedy if known, at the element's place."""
        self.problems.append(Problem(self.place_of(element), what, hint))

    def add_unknown(self, element: Element, name: str, what: str, known: frozenset[str]) -> None:
        """Add the problem `what` with an unknown attribute or property. In a drawn layout only note what matters."""
        if not self.drawn:
            self.add_problem(element, what, suggest_attribute(name, known))
        elif name not in HARMLESS:
            self.add_note(element, f"'{name}' is left out")

    def add_note(self, element: Element, what: str) -> None:
        """Add a note for the designer, with the element's place."""
        self.marks.append(ArtNote(f"{self.place_of(element)}: {what}"))

    def add_name_problem(self, element: Element, name: str, mistake: InvalidInput) -> None:
        """Add a problem with a name that an element shows, at its place on the card or in the template."""
        place = self._place_of_name(name)
        if place is None:
            self.add_problem(element, str(mistake), mistake.hint)
        else:
            what = f"{mistake} (shown at {self.place_of(element)})"
            self.problems.append(Problem(place, what, mistake.hint))

    def _place_of_name(self, name: str) -> Place | None:
        """Return the place of the card's field whose text is `name`, or nearly so as a file name; else None."""
        if self.design is None:
            return None
        last = name.removeprefix("icon:").rpartition("/")[2]
        names = {name, last, name.rpartition(".")[0], last.rpartition(".")[0]} - {""} - self.studio.game.icons.keys()
        loose = {normalize_file_name(one) for one in names}
        texts: dict[str, str] = {}
        for name_of, value in self.design.fields.items():
            said = value[self.lang] if isinstance(value, Words) and self.lang in value else value
            if isinstance(said, str) and said not in self.studio.game.icons:
                texts[name_of] = said
        texts["id"] = self.design.id.partition("/")[2]
        exact = next((of for of, said in texts.items() if said in names), None)
        alike = exact or next(
            (of for of, said in texts.items() if normalize_file_name(said.rpartition("/")[2]) in loose), None
        )
        return self.design.source.place(alike) if alike else None

    def read_length(self, element: Element, name: str, default: Any) -> Any:
        """Return an attribute as a length in mm, or `default` if it is missing or invalid (a problem)."""
        return self.read_value(element, name, lambda text: parse_length(text, self.basis, find_axis(name)), default)

    def read_points(self, element: Element, name: str, default: float) -> float:
        """Return a font size in points, or `default` if it is missing or invalid (a problem)."""
        size = self.read_value(element, name, lambda text: read_font_size(text, self.basis), None)
        return default if size is None else round(size * PT_PER_MM, 6)

    def read_transform(self, element: Element, name: str = "transform") -> Matrix:
        """Return the matrix of an element's transform, without one if it is missing or invalid (a problem)."""
        styled = name == "transform" and (element.rules or "style" in element.attributes)
        text = (element.properties if styled else element.attributes).get(name, "none")
        if text == "none":
            return IDENTITY
        try:
            return parse_transform(text, self.basis)
        except ValueError as mistake:
            self.add_problem(element, *format_value_problem(name, mistake))
            return IDENTITY

    def read_value(self, element: Element, name: str, read: Callable[[str], Any], default: Any) -> Any:
        """Return an attribute as read by `read`, or `default` if it is missing or invalid (a problem)."""
        text = element.attributes.get(name)
        if text is None:
            return default
        try:
            return read(text)
        except ValueError as mistake:
            self.add_problem(element, *format_value_problem(name, mistake))
            return default


def format_value_problem(name: str, mistake: ValueError) -> tuple[str, str]:
    """Return what is wrong with the value of an attribute or property, and a hint."""
    what = str(mistake) if str(mistake).startswith("unknown") else f"{name}: {mistake}"
    return what, getattr(mistake, "hint", "")


_SPEAKS = ("title", "desc")
CHILDLESS = SHAPES | {"text", "textbox", "image", "use"}
_HOLDS: dict[str, tuple[str, ...]] = {
    "title": (),
    "desc": (),
    "stop": (),
    "linearGradient": ("stop",),
    "radialGradient": ("stop",),
    "clipPath": (*SHAPES, "text", "use", "title", "desc"),
    "filter": tuple(FILTER_STEPS),
    **dict.fromkeys(FILTER_STEPS, tuple(FILTER_PARTS)),
}


def check_names(scene: Scene, element: Element) -> None:
    """Report every attribute that is not allowed on this element."""
    known = OF_TEMPLATES[element.tag]
    for name in element.attributes.keys() - known:
        unused = name.startswith("xml:") or is_neutral(name, element.attributes[name])
        if not (name.startswith("data-") or unused):
            scene.add_unknown(element, name, f"unknown attribute '{name}' on <{element.tag}>", known)
    if "style" in element.attributes:
        for part in element.attributes["style"].split(";"):
            name, colon, value = part.partition(":")
            name = name.strip()
            if part.strip() and not (colon and value.strip()):
                scene.add_problem(element, f"style: '{part.strip()}' is not a property", "write name: value")
            elif part.strip() and name not in known & STYLED and not is_neutral(name, value):
                scene.add_unknown(element, name, f"unknown property '{name}' in style", known & STYLED)


def check_childless(scene: Scene, element: Element) -> None:
    """Report elements nested inside a shape, text or picture."""
    for child in element.children:
        if child.tag in ("textPath", "tspan") and element.tag == "text":
            check_names(scene, child)
        elif child.tag not in _SPEAKS:
            hint = "" if child.tag in OF_TEMPLATES else suggest_element(child.tag)
            scene.add_problem(child, f"<{child.tag}> cannot stand in <{element.tag}>", hint)


def check_undrawn(scene: Scene, element: Element) -> None:
    """Report mistakes in elements that are not drawn here. Referenced elements are checked fully at the reference."""
    for child in element.children:
        if child.tag not in OF_TEMPLATES:
            scene.add_problem(child, f"<{child.tag}> is not supported", suggest_element(child.tag))
        elif child.tag not in _HOLDS.get(element.tag, (child.tag,)):
            scene.add_problem(child, f"<{child.tag}> cannot stand in <{element.tag}>")
        else:
            check_names(scene, child)
            check_undrawn(scene, child)
