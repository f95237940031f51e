"""What the drawing of one face knows and gathers: its palette, its assets, its problems, its text frames."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from generator.draw.fonts import FontBook
from generator.draw.recent import Recent
from generator.draw.svg_assets import Assets
from generator.draw.svg_paint import Paints, StyleBook
from generator.draw.svg_tree import Element
from generator.draw.textbox import SetText, TextBox
from generator.errors import Place, Problem
from generator.model.drawing import Item, Paint, StampPlace, Symbol, TextFrame
from generator.model.game import Design, Game


class Built(NamedTuple):
    """What one element drew: items, notes on text and stamps, and how many elements that took."""

    items: tuple[Item, ...]
    marks: tuple[TextFrame | StampPlace, ...] = ()
    weight: int = 1


@dataclass(frozen=True, slots=True)
class Drawn:
    """An icon or art file as a symbol, None where it has problems; `root` is its <svg>, `weight` its elements."""

    symbol: Symbol | None
    root: Element | None
    problems: list[Problem]
    weight: int


@dataclass(slots=True)
class Studio:
    """What all faces of a game share."""

    game: Game
    fonts: FontBook
    assets: Assets
    paints: Paints
    styles: StyleBook
    built: Recent[tuple[Any, ...], Built] = field(default_factory=Recent)
    broken_icons: dict[str, tuple[Problem, ...]] = field(default_factory=dict)
    symbols: dict[tuple[str, ...], Drawn] = field(default_factory=dict)
    local_symbols: Recent[tuple[Any, ...], Symbol] = field(default_factory=Recent)
    settings: Recent[tuple[Any, ...], TextBox] = field(default_factory=lambda: Recent(2_000))
    lines: Recent[tuple[str, TextBox], SetText] = field(default_factory=lambda: Recent(2_000))


@dataclass(slots=True)
class Scene:
    """One face or art file being drawn. `design` is None in art files, whose text is literal; `subject` names it."""

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
    marks: list[TextFrame | StampPlace] = field(default_factory=list)
    weight: int = 0
    inside: tuple[str, ...] = ()

    def place(self, element: Element) -> Place:
        """Where the element stands in its file."""
        return self.locate(element.at)

    def complain(self, element: Element, what: str, hint: str = "") -> None:
        """A problem with an element."""
        self.problems.append(Problem(self.place(element), what, hint))

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
