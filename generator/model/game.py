"""A game as its data folder describes it: who made it, what is in the box, which numbers and readings rule it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from generator.errors import Place
from generator.model.source import Sections, Source
from generator.model.text import Words
from generator.units import Rect, Size

FaceName = Literal["front", "back", "left", "right", "top", "bottom"]
"""A side of a component; the last four are a cube's."""

CUBE_FACES: tuple[FaceName, ...] = ("front", "back", "left", "right", "top", "bottom")

Form = Literal["card", "board", "token", "standee", "cube", "pad"]
Shape = Literal["rectangle", "round", "square", "hexagon"]


@dataclass(frozen=True, slots=True)
class Colour:
    """A palette entry: sRGB as `#rrggbb`; CMYK as percentages and a spot name where the designer gives them."""

    srgb: str
    cmyk: tuple[float, float, float, float] | None = None
    spot: str = ""
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class FontFamily:
    """The font files of one family for each language, first choice first; a bold or italic chain may be empty."""

    regular: Mapping[str, tuple[str, ...]]
    bold: Mapping[str, tuple[str, ...]]
    italic: Mapping[str, tuple[str, ...]]
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class IconEntry:
    """A symbol that cards and texts show: its name, its palette colour, a one-letter code, its art file's name.

    `colour_tells`: its colour is what it means, so that a rulebook's texts show it too.
    """

    id: str
    name: Words
    colour: str
    letter: str = ""
    art: str = ""
    place: Place | None = None
    colour_tells: bool = False


@dataclass(frozen=True, slots=True)
class Operation:
    """Something that an effect can do, and the phrase that says so; the phrase names what it takes in `{{ }}`."""

    id: str
    says: Words
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class Effect:
    """An operation with the values that it takes."""

    op: str
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Design:
    """One thing to draw, printed `count` times.

    `fields` are what its kind declares; `source` knows where each of them stands, and `place` where the design does.
    """

    id: str
    kind: str
    count: int
    front: str
    back: str
    fields: Mapping[str, Any]
    source: Source

    @property
    def place(self) -> Place:
        """Where the data describe it."""
        return self.source.place()

    def copies(self) -> Iterator[str]:
        """The id of every printed copy: `reel/6-wheat#1`, `#2` ..."""
        return (f"{self.id}#{n}" for n in range(1, self.count + 1))


@dataclass(frozen=True, slots=True)
class SpaceSpec:
    """Places for pieces that the rules need on each design of a kind: a group of its templates, by that group's id.

    `piece` is the kind that lies there. `holds` (how many) and `pile` (whether any number) are expressions over the
    data, worked out for each design; where neither gives anything, there is no such space. `each` is an expression for
    the names that stand for the `*` of the id.
    """

    id: str
    piece: str
    holds: str = ""
    pile: str = ""
    each: str = ""
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of component: its designs share size, bleed, safe zone (mm) and declared fields.

    `front` and `back` name templates; an empty back means that the other side stays blank. `stated` is the number that
    the draft gives, None where it is silent. `outline` is where a piece that is no rectangle is cut: a closed canonical
    path in face coordinates. `foot` is how long each foot of a standee is, mm. `called` is what players call a piece
    while they play, with `{names}` of fields to fill in.
    `spaces` are the places for pieces on it. `option` names a switch that says whether it is printed: while that is
    off, the kind is `left_out` and its designs' counts are 0.
    """

    id: str
    name: Words
    size: Size
    designs: tuple[Design, ...]
    stated: int | None = None
    size_name: str = ""
    bleed: float = 3.0
    safe: float = 3.0
    corner: float = 3.0
    form: Form = "card"
    shape: Shape = "rectangle"
    outline: str = ""
    foot: float = 0.0
    called: Words | None = None
    spaces: tuple[SpaceSpec, ...] = ()
    option: str = ""
    left_out: bool = False
    place: Place | None = None

    @property
    def count(self) -> int:
        """How many pieces of this kind are printed."""
        return sum(design.count for design in self.designs)

    def faces(self, design: Design) -> tuple[FaceName, ...]:
        """The sides of a design that are printed: of a cube all six, all of them by the front's template."""
        if self.form == "cube":
            return CUBE_FACES
        return ("front", "back") if design.back else ("front",)

    def drawn_as(self, face: FaceName) -> Literal["front", "back"]:
        """Whose template draws a side: a cube's are all fronts."""
        return "back" if face == "back" and self.form != "cube" else "front"

    def template(self, design: Design, face: FaceName) -> str:
        """The name of the template that draws a side; empty where the side stays blank."""
        return design.back if self.drawn_as(face) == "back" else design.front

    @property
    def safe_box(self) -> Rect:
        """Where text and icons must stay, in face coordinates."""
        return Rect(0, 0, self.size.width, self.size.height).grown(-self.safe)


@dataclass(frozen=True, slots=True)
class Reading:
    """How the project reads an unclear passage (an E-entry): the passage, the reading, and the switch that changes it.

    `switch` is empty where only one reading can be played; `value` is the one in force, `choices` all that exist.
    """

    id: str
    passage: str
    problem: Words
    reading: Words
    switch: str = ""
    value: Any = None
    choices: tuple[Any, ...] = ()
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class CheckSpec:
    """A named check of a game: what it says, and either two expressions that must agree or a function of the rules.

    One that takes play or search is `undecided`.
    `reading` binds a disagreement to a registered E-entry: it is then a finding about the draft, not a failure.
    """

    id: str
    says: Words
    computed: str = ""
    expected: str = ""
    function: str = ""
    reading: str = ""
    undecided: bool = False
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class Example:
    """A situation, moves made in it, and what must then be so: how a designer pins a rule down.

    `given` is in the words of the game's rules; `moves` are in its notation. `expected` maps questions to answers.
    """

    id: str
    says: Words | None
    players: int
    options: Mapping[str, Any]
    given: Mapping[str, Any]
    moves: tuple[str, ...]
    expected: Mapping[str, Any]
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class GlossaryEntry:
    """A term of the rulebook and what it means; `kana` is by what the Japanese index is sorted."""

    id: str
    term: Words
    says: Words
    kana: str = ""
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class Players:
    """How many can play."""

    fewest: int
    most: int

    def __iter__(self) -> Iterator[int]:
        return iter(range(self.fewest, self.most + 1))


@dataclass(frozen=True, slots=True)
class SetupItem:
    """What set-up takes from the box: `take` pieces of a kind for each player or once for the table."""

    kind: str
    take: int
    each_player: bool = False
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class ZoneEntry:
    """A place for pieces on the table: what it is called, and whether pieces there show their backs to everyone."""

    id: str
    name: Words
    back: bool = False
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class Game:
    """Everything that the data say of a game.

    `sections` holds the free-form parts (`rules`, `words`) as nested read-only mappings and tuples for templates,
    expressions and engines. `marks` gives the status of values that the draft does not state: path -> provisional,
    derived or related. `origin` names the draft's document. `not_included` is what the draft asks players to bring.
    `places` knows where every value stands.
    """

    id: str
    title: Words
    draft: str
    date: str
    languages: tuple[str, ...]
    players: Players
    credit: Words
    licence: Words
    kinds: Mapping[str, Kind]
    icons: Mapping[str, IconEntry] = field(default_factory=dict)
    operations: Mapping[str, Operation] = field(default_factory=dict)
    palette: Mapping[str, Colour] = field(default_factory=dict)
    fonts: Mapping[str, FontFamily] = field(default_factory=dict)
    told_apart: tuple[tuple[str, ...], ...] = ()
    readings: Mapping[str, Reading] = field(default_factory=dict)
    checks: tuple[CheckSpec, ...] = ()
    sections: Mapping[str, Any] = field(default_factory=dict)
    marks: Mapping[str, str] = field(default_factory=dict)
    rules_module: str = ""
    minutes: int | None = None
    age: int | None = None
    overview: Words | None = None
    origin: Mapping[str, Any] = field(default_factory=dict)
    setup: tuple[SetupItem, ...] = ()
    not_included: tuple[Words, ...] = ()
    moves: Mapping[str, Words] = field(default_factory=dict)
    zones: Mapping[str, ZoneEntry] = field(default_factory=dict)
    examples: tuple[Example, ...] = ()
    glossary: Mapping[str, GlossaryEntry] = field(default_factory=dict)
    places: Sections = field(default_factory=Sections)

    def design(self, name: str) -> Design:
        """The design with this id; KeyError for none."""
        kind = self.kinds[name.split("/", maxsplit=1)[0]]
        for design in kind.designs:
            if design.id == name:
                return design
        raise KeyError(name)

    def designs(self) -> Iterator[Design]:
        """Every design of every kind, in the order of the data."""
        for kind in self.kinds.values():
            yield from kind.designs

    @property
    def switches(self) -> dict[str, Any]:
        """Each switch with the value in force."""
        return {reading.switch: reading.value for reading in self.readings.values() if reading.switch}
