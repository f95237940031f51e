"""The scene of one face: palette, art files and pictures, problems, checks of what stands where."""

import base64
import binascii
import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from generator.base.cache import Recent, digest
from generator.base.dataclass import dataclass
from generator.base.display_list import ArtNote, Item, Paint, StampPlace, Symbol, TextFrame
from generator.base.errors import Place, Problem, ProblemsFound, Unfit, did_you_mean, nearest
from generator.base.files import PICTURES, Resources, loose_name, read_file
from generator.base.geometry import Matrix, Rect
from generator.base.outlines import DEEPEST_NESTING
from generator.base.picture_files import KNOWN, checked_bytes, checked_picture
from generator.drawing.svg.elements import (
    ATTRIBUTES,
    CLEARED,
    EFFECTS,
    FILTER_PARTS,
    FILTER_STEPS,
    OF_TEMPLATES,
    SHAPES,
    Element,
    attribute_hint,
    element_hint,
    parse_markup_tree,
)
from generator.drawing.svg.style import Paints, Style, StyleBook, declarations
from generator.drawing.templates.template_sources import read_markup
from generator.game.game_cache import Kind, Reads
from generator.game.model import Design, Game
from generator.game.rich_text import Words
from generator.text.fonts import FontBook
from generator.text.glyph_rows import SetText, TextBox

if TYPE_CHECKING:
    from PIL import Image


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


Mark: TypeAlias = TextFrame | StampPlace | ArtNote
"""What is noted of a face beside its items."""


TOO_DEEP = f"groups, clips, masks and drawings are nested more than {DEEPEST_NESTING} deep"


class Built(NamedTuple):
    """What one element drew: items, notes on text and stamps, and how many elements that took."""

    items: tuple[Item, ...]
    marks: tuple[Mark, ...] = ()
    weight: int = 1


class Drawn(NamedTuple):
    """An icon or art file as a symbol, None where it has problems; `root` is its <svg>, `weight` its elements.

    `painted` is the box around all that it paints, beyond its page too.
    """

    symbol: Symbol | None
    root: Element | None
    problems: list[Problem]
    weight: int
    painted: Rect | None = None


@dataclass(slots=True)
class Studio:
    """What all faces of a game share. `render` gives items in a box as pixels (RGBA), so many to a unit, on nothing.

    `draw` gives what stands in an element, in a style, where a matrix takes its coordinates to the face's. `icons_in`
    puts icons in the stead of a text's emoji.
    """

    game: Game
    fonts: FontBook
    assets: Assets
    paints: Paints
    styles: StyleBook
    render: Callable[[tuple[Item, ...], Rect, float], "Image.Image"]
    draw: "Callable[[Scene, Element, Style, Matrix], tuple[Item, ...]]"
    built: Recent[tuple[Any, ...], Built] = field(default_factory=lambda: Recent(8_000))
    broken_icons: dict[str, tuple[Problem, ...]] = field(default_factory=dict)
    symbols: dict[tuple[str, ...], Drawn] = field(default_factory=dict)
    local_symbols: Recent[tuple[Any, ...], Symbol] = field(default_factory=Recent)
    settings: Recent[tuple[Any, ...], TextBox] = field(default_factory=lambda: Recent(1_000))
    lines: Recent[tuple[str, TextBox], SetText] = field(default_factory=lambda: Recent(1_000))
    icons_in: Callable[[str], str] = str
    named: dict[str, Design] = field(default_factory=dict)
    names: frozenset[str] = frozenset()

    def designs(self) -> Mapping[str, Design]:
        """Every design by its id, found out when it is first asked for."""
        if not self.named:
            self.named |= {design.id: design for design in self.game.designs()}
        return self.named

    def component_names(self) -> frozenset[str]:
        """What a text may name: kinds and designs."""
        if not self.names:
            self.names = frozenset((*self.game.kinds, *self.designs()))
        return self.names


@dataclass(slots=True)
class Scene:
    """One face or art file being drawn. `design` is None in art files, whose text is literal; `subject` names it.

    `trim` is what text must not leave: the card's, and `outline` what it is cut along, if that is no rectangle. Within
    a clip there is no `trim`, for what is cut there is meant to be.
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

    def place(self, element: Element) -> Place:
        """Where the element stands in its file."""
        return self.locate(element.at)

    def complain(self, element: Element, what: str, hint: str = "") -> None:
        """A problem with an element."""
        self.problems.append(Problem(self.place(element), what, hint))

    def complain_of(self, element: Element, name: str, mistake: Unfit) -> None:
        """A problem with a name that an element shows, where the name was given: by the card, or in the template."""
        place = self._given_at(name)
        if place is None:
            self.complain(element, str(mistake), mistake.hint)
        else:
            what = f"{mistake} (shown at {self.place(element)})"
            self.problems.append(Problem(place, what, mistake.hint))

    def _given_at(self, name: str) -> Place | None:
        """Where the card says this name, or that of the file without folder and ending; None where it doesn't."""
        if self.design is None:
            return None
        last = name.removeprefix("icon:").rpartition("/")[2]
        names = {name, last, name.rpartition(".")[0], last.rpartition(".")[0]} - {""} - self.studio.game.icons.keys()
        loose = {loose_name(one) for one in names}
        texts: dict[str, str] = {}
        for name_of, value in self.design.fields.items():
            said = value[self.lang] if isinstance(value, Words) and self.lang in value else value
            if isinstance(said, str) and said not in self.studio.game.icons:
                texts[name_of] = said
        texts["id"] = self.design.id.partition("/")[2]
        exact = next((of for of, said in texts.items() if said in names), None)
        alike = exact or next((of for of, said in texts.items() if loose_name(said.rpartition("/")[2]) in loose), None)
        return self.design.source.place(alike) if alike else None

    def value(self, element: Element, name: str, read: Callable[[str], Any], default: Any) -> Any:
        """An attribute as `read` gives it; `default` where it is not given or cannot be read (a problem)."""
        text = element.attributes.get(name)
        if text is None:
            return default
        try:
            return read(text)
        except ValueError as mistake:
            what = str(mistake) if str(mistake).startswith("unknown") else f"{name}: {mistake}"
            self.complain(element, what, getattr(mistake, "hint", ""))
            return default


_SPEAKS = ("title", "desc")
CHILDLESS = SHAPES | {"text", "textbox", "image", "use"}
_HOLDS: dict[str, tuple[str, ...]] = {
    "title": (),
    "desc": (),
    "stop": (),
    "linearGradient": ("stop",),
    "radialGradient": ("stop",),
    "filter": tuple(FILTER_STEPS),
    **dict.fromkeys(FILTER_STEPS, tuple(FILTER_PARTS)),
}


def check_names(scene: Scene, element: Element) -> None:
    """Complain of every attribute that this element cannot have."""
    known = (ATTRIBUTES if scene.design is None else OF_TEMPLATES)[element.tag]
    for name in element.attributes.keys() - known:
        if not name.startswith(("data-", "xmlns:")):
            scene.complain(element, f"unknown attribute '{name}' on <{element.tag}>", attribute_hint(name, known))


def check_childless(scene: Scene, element: Element) -> None:
    """Complain of what stands in a shape, text or picture."""
    for child in element.children:
        if child.tag == "textPath" and element.tag == "text" and scene.design is not None:
            check_names(scene, child)
        elif child.tag not in _SPEAKS:
            hint = "" if child.tag in OF_TEMPLATES else element_hint(child.tag)
            scene.complain(child, f"<{child.tag}> cannot stand in <{element.tag}>", hint)


def check_unseen(scene: Scene, element: Element) -> None:
    """Look for slips in what is not drawn here; what is referred to is looked at in full there."""
    known = ATTRIBUTES if scene.design is None else OF_TEMPLATES
    for child in element.children:
        if child.tag not in known:
            scene.complain(child, f"<{child.tag}> is not supported", element_hint(child.tag))
        elif child.tag not in _HOLDS.get(element.tag, (child.tag,)):
            scene.complain(child, f"<{child.tag}> cannot stand in <{element.tag}>")
        else:
            check_names(scene, child)
            check_unseen(scene, child)


def check_plain(scene: Scene, element: Element, style: Style) -> None:
    """Complain of transparency in a drawing in a file: with it, it is read as a drawing of any program."""
    if style.clear:
        scene.complain(
            element, "colours of drawings for this program have no opacity", attribute_hint("opacity", CLEARED)
        )
    if "style" in element.attributes:
        for name, _ in scene.value(element, "style", declarations, ()):
            if name in EFFECTS or name in CLEARED:
                scene.complain(element, f"unknown property '{name}' in style", attribute_hint(name, CLEARED))
