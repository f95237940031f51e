"""The graphics state of a content stream, and what a stream is read with."""

from collections.abc import Callable
from dataclasses import field, replace
from typing import Any

from generator.dataclass import dataclass
from generator.model.geometry import IDENTITY, Matrix
from generator.printshop.foreign_pdf import PdfTooLarge, ReadingLimits
from generator.printshop.preflight.colours import BLACK, StatedColour
from generator.printshop.preflight.geometry import EVERYWHERE, Box
from generator.printshop.preflight.marks import FontFacts, PageMark

MOST_MARKS = 400_000
_MOST_HELD = 1_000_000
_MOST_KEPT = 400_000
DEEPEST = 20


@dataclass(slots=True)
class GraphicsState:
    """What `q` saves: matrix, clip (mm of the reader; `ragged` if less), colours, pen, type and how paint mixes."""

    matrix: Matrix
    clip: Box | None = EVERYWHERE
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

    def over(self, wanted: bool) -> int:
        """How paint overprints that does or doesn't: 2 where a zero leaves its plate alone."""
        return (2 if self.zeros_leave else 1) if wanted else 0

    def copy(self) -> "GraphicsState":
        """A state of its own with the same settings."""
        return replace(self)

    def inherited(self) -> tuple[Any, ...]:
        """What a form takes from the place that draws it, so that equal ones need reading only once."""
        return (
            self.fill, self.stroke, self.pen, self.font, self.font_size, self.char_space, self.word_space,
            self.stretch, self.leading, self.rise, self.render, self.fill_alpha < 1, self.stroke_alpha < 1,
            self.blend, self.soft_mask, self.fill_over, self.stroke_over, self.zeros_leave,
        )  # fmt: skip


@dataclass(slots=True)
class FileFacts:
    """What all streams of a file share: facts read once, forms read once, and how much has been read of the file.

    `held` marks are in the page and the forms that are open, or `kept` with forms that were read. `tiles` reads what a
    tile of a pattern shows. `asides` are what the page holds besides marks.
    """

    hidden: frozenset[tuple[int, int]] = frozenset()
    fonts: dict[Any, FontFacts] = field(default_factory=dict)
    pictures: dict[Any, Any] = field(default_factory=dict)
    forms: dict[Any, "ShownForm"] = field(default_factory=dict)
    reading: ReadingLimits = field(default_factory=ReadingLimits)
    held: int = 0
    kept: int = 0
    asides: frozenset[str] = frozenset()
    tiles: Callable[["StreamRun", Any], tuple[PageMark, ...]] = lambda _run, _pattern: ()

    def hold(self, marks: int) -> None:
        """Count marks; TooMuch when a page and its forms have more than any need."""
        self.held += marks
        if self.held > _MOST_HELD:
            raise PdfTooLarge(f"more than {_MOST_HELD} things drawn")

    def keep(self, key: Any, shown: "ShownForm") -> None:
        """Keep what a form shows, as long as there is room."""
        if self.kept + len(shown.marks) <= _MOST_KEPT:
            self.forms[key] = shown
            self.kept += len(shown.marks)
        else:
            self.held -= len(shown.marks)


@dataclass(frozen=True, slots=True)
class ShownForm:
    """What a form shows in its own coordinates, what is broken in it, and what it holds besides."""

    marks: tuple[PageMark, ...]
    troubles: tuple[str, ...]
    asides: frozenset[str] = frozenset()


@dataclass(slots=True)
class StreamRun:
    """One stream being read: its state, its path under way, and the marks and troubles that it yields."""

    supplies: FileFacts
    resources: Any
    state: GraphicsState
    open_forms: tuple[Any, ...] = ()
    saved: list[GraphicsState] = field(default_factory=list)
    marks: list[PageMark] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)
    asides: set[str] = field(default_factory=set)
    path: Box | None = None
    pen_at: tuple[float, float] = (0.0, 0.0)
    begun_at: tuple[float, float] = (0.0, 0.0)
    edges: list[Box] = field(default_factory=list)
    straight: bool = True
    lines: int = 0
    clip_next: bool = False
    text: Matrix = IDENTITY
    line: Matrix = IDENTITY
    tags: list[str] = field(default_factory=list)
    hidden_from: int | None = None

    def resource(self, kind: str, name: Any) -> Any:
        """The entry of that name in a category of the resources; KeyError when there is none."""
        category = self.resources.get(kind) if self.resources is not None else None
        if category is None:
            raise KeyError(f"{kind}{name}")
        return category[str(name)]

    @property
    def spaces(self) -> Any:
        """The resources' colour spaces, None without."""
        return self.resources.get("/ColorSpace") if self.resources is not None else None

    @property
    def hidden(self) -> bool:
        """Whether a layer that is off is open."""
        return self.hidden_from is not None

    def add(self, mark: PageMark) -> None:
        """Yield a mark that shows; TooMuch when a page has more than any needs."""
        if self.hidden:
            self.asides.add(SWITCHED_OFF)
            return
        if len(self.marks) >= MOST_MARKS:
            raise PdfTooLarge(f"more than {MOST_MARKS} things drawn")
        self.supplies.hold(1)
        self.marks.append(mark._replace(blended=self.state.blend) if self.state.blend else mark)


INVISIBLE = "type that is set to be invisible"
SWITCHED_OFF = "content on a layer that is switched off"
TRANSFER = "a transfer curve"
"""What a page may hold besides marks."""

Operator = Callable[[StreamRun, list[Any]], None]


def key_of(thing: Any) -> Any:
    """What a thing of a file is known by: its object number, or nothing when it has none."""
    return thing.objgen if thing.objgen != (0, 0) else None
