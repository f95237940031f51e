"""The state of a content stream, and the operators that set it."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import pikepdf

from generator.base.geometry import IDENTITY, Matrix
from generator.production.preflight.pdf_colours import BLACK, FontFacts, PageMark, StatedColour, read_font_facts
from generator.production.preflight.pdf_document import (
    EVERYWHERE,
    PageBox,
    PdfTooLarge,
    ReadingLimits,
    chain_matrices,
    float_from_pdf,
    matrix_from_pdf,
)

MOST_MARKS = 400_000
_MOST_HELD = 1_000_000
_MOST_KEPT = 400_000
DEEPEST_FORM = 20


@dataclass(slots=True)
class GraphicsState:
    """The graphics state that `q` saves. `clip` is the clip path's box (mm); `ragged`: the path was no rectangle."""

    matrix: Matrix
    clip: PageBox | None = EVERYWHERE
    fill: StatedColour = BLACK
    stroke: StatedColour = BLACK
    fill_pattern: Any = None
    stroke_pattern: Any = None
    pen: float = 1.0
    font: FontFacts | None = None
    font_size: float = 0.0
    char_space: float = 0.0
    word_space: float = 0.0
    stretch: float = 1.0
    leading: float = 0.0
    rise: float = 0.0
    render: int = 0
    fill_alpha: float = 1.0
    stroke_alpha: float = 1.0
    blend: str = ""
    soft_mask: bool = False
    fill_over: bool = False
    stroke_over: bool = False
    zeros_leave: bool = False
    ragged: bool = False

    def overprint_mode(self, wanted: bool) -> int:
        """Return how paint overprints: 0 not at all; 1; or 2 if inks of 0 % leave the ink below unchanged."""
        return (2 if self.zeros_leave else 1) if wanted else 0

    def inherited_settings(self) -> tuple[Any, ...]:
        """Return the settings that a form inherits where it is drawn. Forms with equal settings are read only once."""
        return (
            self.fill, self.stroke, self.pen, self.font, self.font_size, self.char_space, self.word_space,
            self.stretch, self.leading, self.rise, self.render, self.fill_alpha < 1, self.stroke_alpha < 1,
            self.blend, self.soft_mask, self.fill_over, self.stroke_over, self.zeros_leave,
        )  # fmt: skip


@dataclass(slots=True)
class FileFacts:
    """Data shared by all content streams of a file: facts of fonts, forms already read, and the amount read so far.

    `held` counts the marks of the page and its open forms, `kept` those of forms already read. `tiles` reads a pattern
    tile.
    """

    hidden: frozenset[tuple[int, int]] = frozenset()
    fonts: dict[Any, FontFacts] = field(default_factory=dict)
    pictures: dict[Any, Any] = field(default_factory=dict)
    forms: dict[Any, "ShownForm"] = field(default_factory=dict)
    reading: ReadingLimits = field(default_factory=ReadingLimits)
    held: int = 0
    kept: int = 0
    tiles: Callable[["StreamRun", Any], tuple[PageMark, ...]] = lambda _run, _pattern: ()

    def hold_marks(self, marks: int) -> None:
        """Count marks. Raise PdfTooLarge if a page and its forms have too many."""
        self.held += marks
        if self.held > _MOST_HELD:
            raise PdfTooLarge(f"more than {_MOST_HELD} things drawn")

    def keep_form(self, key: Any, shown: "ShownForm") -> None:
        """Store the marks of a form for its next use, unless too many marks are stored already."""
        if self.kept + len(shown.marks) <= _MOST_KEPT:
            self.forms[key] = shown
            self.kept += len(shown.marks)
        else:
            self.held -= len(shown.marks)


@dataclass(frozen=True, slots=True)
class ShownForm:
    """What a form draws, in its own coordinates; errors in it; and names of content that leaves no mark."""

    marks: tuple[PageMark, ...]
    troubles: tuple[str, ...]
    asides: frozenset[str] = frozenset()


@dataclass(slots=True)
class StreamRun:
    """The interpreter of one content stream: current state and path, and the marks and errors collected so far."""

    supplies: FileFacts
    resources: Any
    state: GraphicsState
    open_forms: tuple[Any, ...] = ()
    saved: list[GraphicsState] = field(default_factory=list)
    marks: list[PageMark] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)
    asides: set[str] = field(default_factory=set)
    path: PageBox | None = None
    pen_at: tuple[float, float] = (0.0, 0.0)
    begun_at: tuple[float, float] = (0.0, 0.0)
    edges: list[PageBox] = field(default_factory=list)
    straight: bool = True
    lines: int = 0
    clip_next: bool = False
    text: Matrix = IDENTITY
    line: Matrix = IDENTITY
    tags: list[str] = field(default_factory=list)
    hidden_from: int | None = None

    def get_resource(self, kind: str, name: Any) -> Any:
        """Return a named resource, such as a font. Raise KeyError if there is none."""
        category = self.resources.get(kind) if self.resources is not None else None
        if category is None:
            raise KeyError(f"{kind}{name}")
        return category[str(name)]

    @property
    def spaces(self) -> Any:
        """Return the colour spaces of the resources, or None."""
        return self.resources.get("/ColorSpace") if self.resources is not None else None

    @property
    def is_hidden(self) -> bool:
        """Return True while the stream draws on a layer that is switched off."""
        return self.hidden_from is not None

    def add(self, mark: PageMark) -> None:
        """Add a mark if it is visible. Raise PdfTooLarge above MOST_MARKS."""
        if self.is_hidden:
            self.asides.add(SWITCHED_OFF)
            return
        if len(self.marks) >= MOST_MARKS:
            raise PdfTooLarge(f"more than {MOST_MARKS} things drawn")
        self.supplies.hold_marks(1)
        self.marks.append(mark._replace(blended=self.state.blend) if self.state.blend else mark)


INVISIBLE = "invisible type"
SWITCHED_OFF = "content on a hidden layer"
TRANSFER = "a transfer curve"
"""Names of page content that preflight reports although it leaves no visible mark."""

Operator = Callable[[StreamRun, list[Any]], None]


def object_key(thing: Any) -> Any:
    """Return the object number of a thing, or None if it has none."""
    return thing.objgen if thing.objgen != (0, 0) else None


_MOST_SAVED = 500


def _save_state(run: StreamRun, _operands: list[Any]) -> None:
    if len(run.saved) > _MOST_SAVED:
        raise PdfTooLarge(f"more than {_MOST_SAVED} saved states")
    run.saved.append(replace(run.state))


def _restore_state(run: StreamRun, _operands: list[Any]) -> None:
    run.state = run.saved.pop()


def _concat_matrix(run: StreamRun, operands: list[Any]) -> None:
    run.state.matrix = chain_matrices(matrix_from_pdf(operands), run.state.matrix)


def make_setter(name: str, convert: Callable[[Any], float] = float_from_pdf) -> Operator:
    """Return an operator that sets a field of the graphics state to its converted operand."""
    return lambda run, operands: setattr(run.state, name, convert(operands[0]))


def resolve_font(run: StreamRun, font: Any) -> FontFacts:
    """Return the facts of a font. Read them only once."""
    key = object_key(font)
    found = run.supplies.fonts.get(key) if key else None
    if found is None:
        found = read_font_facts(font)
        if key:
            run.supplies.fonts[key] = found
    return found


def _set_graphics_state(run: StreamRun, operands: list[Any]) -> None:
    """Apply the entries of a graphics state dictionary that matter for print."""
    wanted = run.get_resource("/ExtGState", operands[0])
    state = run.state
    if "/LW" in wanted:
        state.pen = abs(float_from_pdf(wanted["/LW"]))
    if "/ca" in wanted:
        state.fill_alpha = float_from_pdf(wanted["/ca"])
    if "/CA" in wanted:
        state.stroke_alpha = float_from_pdf(wanted["/CA"])
    if "/BM" in wanted:
        mode = wanted["/BM"]
        first = mode[0] if isinstance(mode, pikepdf.Array) else mode
        state.blend = "" if str(first) in ("/Normal", "/Compatible") else str(first).removeprefix("/")
    if "/SMask" in wanted:
        state.soft_mask = isinstance(wanted["/SMask"], pikepdf.Dictionary)
    if "/OP" in wanted:
        state.stroke_over = bool(wanted["/OP"])
        state.fill_over = bool(wanted.get("/op", wanted["/OP"]))
    elif "/op" in wanted:
        state.fill_over = bool(wanted["/op"])
    if "/OPM" in wanted:
        state.zeros_leave = wanted["/OPM"] == 1
    curve = wanted.get("/TR2", wanted.get("/TR"))
    if curve is not None and not isinstance(curve, pikepdf.Name):  # Identity and Default change nothing
        run.asides.add(TRANSFER)
    if "/Font" in wanted:
        font, size = wanted["/Font"]
        state.font, state.font_size = resolve_font(run, font), float_from_pdf(size)


def is_off(run: StreamRun, layer: Any) -> bool:
    """Return True if a layer, or each layer of a layer group, is switched off."""
    if not isinstance(layer, pikepdf.Dictionary):
        return False
    if layer.get("/Type") == "/OCMD":
        groups = layer.get("/OCGs")
        members = list(groups) if isinstance(groups, pikepdf.Array) else [groups]
        known = [group for group in members if isinstance(group, pikepdf.Dictionary)]
        return bool(known) and all(group.objgen in run.supplies.hidden for group in known)
    return layer.objgen in run.supplies.hidden


def _begin_marked(run: StreamRun, operands: list[Any]) -> None:
    name = str(operands[0]).removeprefix("/")
    run.tags.append(name)
    if name == "OC" and len(operands) > 1 and run.hidden_from is None:
        layer = operands[1]
        if isinstance(layer, pikepdf.Name):
            layer = run.get_resource("/Properties", layer)
        if is_off(run, layer):
            run.hidden_from = len(run.tags)


def _end_marked(run: StreamRun, _operands: list[Any]) -> None:
    if run.hidden_from == len(run.tags):
        run.hidden_from = None
    run.tags.pop()


SETTINGS: dict[str, Operator] = {
    "q": _save_state, "Q": _restore_state, "cm": _concat_matrix, "gs": _set_graphics_state,
    "w": make_setter("pen", lambda value: abs(float_from_pdf(value))),
    "BMC": _begin_marked, "BDC": _begin_marked, "EMC": _end_marked,
    **dict.fromkeys(
        ("J", "j", "M", "d", "ri", "i", "MP", "DP", "BX", "EX", "d0", "d1", "ET"), lambda _run, _operands: None
    ),
}  # fmt: skip
"""The operators of the graphics state."""
