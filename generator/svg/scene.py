"""What the drawing of one face knows and gathers: its palette, its assets, its problems, its text frames."""

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from generator.cache.recent import Recent
from generator.dataclass import dataclass
from generator.errors import Place, Problem, Unfit
from generator.model.drawing import ArtNote, Item, Paint, StampPlace, Symbol, TextFrame
from generator.model.game import Design, Game
from generator.model.geometry import Matrix
from generator.model.reach import DEEPEST_NESTING
from generator.model.resources import loose_name
from generator.model.text import Words
from generator.svg.assets import Assets
from generator.svg.paint import Paints, Style, StyleBook
from generator.svg.tree import Element
from generator.text.fonts import FontBook
from generator.text.textbox import SetText, TextBox
from generator.units import Rect

if TYPE_CHECKING:
    from PIL import Image


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
