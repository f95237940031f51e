"""The classes of a game: palette, fonts, icons, kinds, designs, readings, examples, the game itself."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, is_dataclass
from typing import Annotated, Any, Literal

from generator.base.cache import RecentValues
from generator.base.errors import Place
from generator.base.geometry import Rect, Size
from generator.base.languages import phrase
from generator.game.data_fields import (
    COMPUTED,
    About,
    CheckSpec,
    Credit,
    CreditLine,
    Day,
    DraftSource,
    FieldSpec,
    FinestDetails,
    GlossaryEntry,
    Label,
    LabFindings,
    Language,
    Name,
    Operation,
    SpaceSpec,
    StrategyEntry,
    TablePlan,
    ZoneEntry,
    collect_values,
    empty_mapping,
    format_value,
)
from generator.game.rich_text import Words
from generator.game.source import Sections, Source

FaceName = Literal["front", "back", "left", "right", "top", "bottom"]
"""A side of a component; the last four are a cube's."""

CUBE_FACES: tuple[FaceName, ...] = ("front", "back", "left", "right", "top", "bottom")

Form = Literal["card", "board", "token", "standee", "cube", "pad"]
Shape = Literal["rectangle", "square", "round", "circle", "hexagon", "flat-hexagon"]


@dataclass(frozen=True, slots=True, repr=False)
class Colour:
    """A palette entry in full."""

    srgb: Annotated[str, About("sRGB colour such as #8a6a3a", pattern=r"^#[0-9a-fA-F]{6}$")]
    cmyk: Annotated[
        tuple[float, float, float, float] | None,
        About("on a press: cyan, magenta, yellow and black in percent", min_length=4, max_length=4),
    ] = None
    spot: Annotated[str, About("a spot ink on a press, such as DIC 156", max_length=60)] = ""
    place: Place | None = None


@dataclass(frozen=True, slots=True, repr=False)
class FontFamily:
    """The font files of one family for each language, first choice first; a bold or italic chain may be empty."""

    regular: Mapping[str, tuple[str, ...]]
    bold: Mapping[str, tuple[str, ...]]
    italic: Mapping[str, tuple[str, ...]]
    weights: Mapping[str, Mapping[int, tuple[str, ...]]] = empty_mapping()
    place: Place | None = None

    def has_weight(self, lang: str, weight: int, varying: Mapping[str, tuple[int, int]]) -> bool:
        """Return True if a language has files of a weight, or a variable file whose range in `varying` contains it."""
        spans = [varying[file] for file in self.regular.get(lang, ()) if file in varying]
        return weight in self.weights.get(lang, {}) or any(least <= weight <= most for least, most in spans)


@dataclass(frozen=True, slots=True, repr=False)
class IconEntry:
    """A symbol that cards and texts show."""

    id: str
    name: Annotated[Words, About("the name of the symbol, in each language")]
    colour: Annotated[str, About("the name of a colour of the palette; black (`ink`) by default")] = "ink"
    colour_tells: Annotated[bool, About("the colour has a meaning: rulebooks show the icon in it, too")] = False
    letter: Annotated[str, About("a code that identifies the icon in any print", max_length=2)] = ""
    art: Annotated[str, About("its drawing or picture in templates/<game>/icons; its id by default")] = ""
    emoji: Annotated[tuple[str, ...], About("characters in texts that are replaced by this icon")] = ()
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class Effect:
    """An operation with the values that it takes."""

    op: str
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True, repr=False)
class Design:
    """One thing to draw, printed `count` times.

    `fields` are those that its kind declares; a value of the type `words` is a `Words` (`rich_text.py`), which has one
    text for each language. `source` has the place of each of them, and `place` that of the design.
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
        """The place of its description in the data."""
        return self.source.place()

    def copies(self) -> Iterator[str]:
        """Yield the id of every printed copy: `reel/6-wheat#1`, `#2` ..."""
        return (f"{self.id}#{n}" for n in range(1, self.count + 1))


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Kind:
    """A kind of component; its designs are checked against its fields afterwards.

    Its designs share size, bleed, safe zone (mm) and declared fields. `front` and `back` are the default templates of
    its designs; without a back, the other side is blank. `stated` is the number in the draft, or None. `outline` is the
    cutting line of a piece that is not rectangular: a closed canonical path in face coordinates. While the switch named
    by `option` is off, the kind is `left_out` and its designs' counts are 0.
    """

    id: str = field(kw_only=False)
    name: Annotated[Words, About("the name of this kind of component, in each language")] = field(kw_only=False)
    form: Annotated[Form, About("the form: a card (default), board, token, standee, cube or pad")] = "card"
    shape: Annotated[Shape, About("how it is cut; a rectangle by default")] = "rectangle"
    outline: Annotated[str, About("the cut line: SVG path data in mm, or an SVG file of the templates")] = ""
    size: Size = field(kw_only=False)
    front: Annotated[str, About("the template of the front, without .svg", default=...)] = ""
    back: Annotated[str, About("the template of the back; without it, it stays blank")] = ""
    two_faced: Annotated[bool, About("both faces are used in play: a design without a back is a mistake")] = False
    stated: Annotated[int | None, About("the number that the draft states", ge=0)] = None
    bleed: Annotated[float, About("how far colour extends beyond the cut, in mm; 3 by default", ge=0, le=20)] = 3.0
    safe: Annotated[float, About("how far text and icons stay from the cut, in mm; 3 by default", ge=0, le=50)] = 3.0
    corner: Annotated[float, About("the radius of its rounded corners, in mm; 3 by default", ge=0, le=50)] = 3.0
    foot: Annotated[
        float,
        About("the length of each foot of a standee, in mm; half of its width by default", default=None, ge=3, le=200),
    ] = 0.0
    called: Annotated[Words | None, About("the players' name for a piece; {names} of fields are filled in")] = None
    fields: Annotated[
        Mapping[str, FieldSpec], About("the fields of each design besides id and count, with their types")
    ] = empty_mapping()
    spaces: Annotated[tuple[SpaceSpec, ...], About("the spaces for pieces that the rules need on it")] = ()
    option: Annotated[str, About("the switch that says whether these are printed")] = ""
    designs: Annotated[tuple[Design, ...], About(min_length=1)] = field(kw_only=False)
    size_name: Annotated[str, COMPUTED] = ""
    left_out: Annotated[bool, COMPUTED] = False
    place: Place | None = None

    @property
    def count(self) -> int:
        """The number of printed pieces of this kind."""
        return sum(design.count for design in self.designs)

    def faces(self, design: Design) -> tuple[FaceName, ...]:
        """Return the printed sides of a design. A cube has six, all drawn by the front's template."""
        if self.form == "cube":
            return CUBE_FACES
        return ("front", "back") if design.back else ("front",)

    def template_side(self, face: FaceName) -> Literal["front", "back"]:
        """Return the side whose template draws a face. All faces of a cube use the front."""
        return "back" if face == "back" and self.form != "cube" else "front"

    def template(self, design: Design, face: FaceName) -> str:
        """Return the name of the template that draws a side; empty if the side is blank."""
        return design.back if self.template_side(face) == "back" else design.front

    @property
    def safe_box(self) -> Rect:
        """The area for text and icons, in face coordinates."""
        return Rect(0, 0, self.size.width, self.size.height).grow(-self.safe)


@dataclass(frozen=True, slots=True, repr=False)
class Reading:
    """An unclear passage, the reading adopted, and the switch that selects another.

    `switch` is empty if only one reading can be played; `value` is the present one, `choices` are all of them, and
    `means` has words for each, by its value as text (`false`, `3`).
    """

    id: Annotated[str, About("the number of the passage: E1, E2, E2a ...", pattern=r"^E[0-9]+[a-z]?$")]
    passage: Annotated[str, About("the draft's words, 30 characters at most", default="", max_length=30)]
    problem: Annotated[Words, About("why the passage is unclear, in each language")]
    reading: Annotated[Words, About("how the passage is read here, in each language")]
    switch: Annotated[Name, About("the name under which rules and texts read its value", default=None)] = ""
    value: Annotated[Any, About("the current value of the switch")] = None
    choices: Annotated[tuple[Any, ...], About("all values that the switch may have")] = ()
    means: Annotated[
        Mapping[Label, Words], About("each of the choices in words, by its value, for the designer's book")
    ] = empty_mapping()
    noticed_by: Annotated[
        Literal["everyone", "some", "nobody"],
        About("who notices how it is read: everyone, some tables (default), nobody in play"),
    ] = "some"
    notices: Annotated[Words | None, About("who notices, and when, in a sentence for the designer's book")] = None
    place: Place | None = None


def describe_reading(reading: Reading, lang: str) -> str:
    """Return the reading of an unclear rule as a sentence, or one that names the alternative that is switched on."""
    if reading.switch and reading.choices and reading.value != reading.choices[0]:
        name = format_value(reading.value)
        return phrase("other_reading", lang, value=reading.means[name][lang] if name in reading.means else name)
    return reading.reading[lang]


@dataclass(frozen=True, slots=True, repr=False)
class Example:
    """A situation, what is done in it, and what must be so afterwards."""

    id: Annotated[str, About("its name in reports: F-01", pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")]
    says: Annotated[Words | None, About("the example in words, for readers", default={})]
    players: Annotated[int, About("how many play in the example", ge=1)]
    options: Annotated[
        Mapping[str, Any], About("switches and options with values other than those in force", default={})
    ]
    given: Annotated[
        Mapping[str, Any], About("the situation; everything else is as after set-up, or empty", default={})
    ]
    moves: Annotated[tuple[str, ...], About("moves in the game's notation, one after another", alias="do", default=[])]
    expected: Annotated[Mapping[str, Any], About("questions with their answers", alias="expect", min_length=1)]
    place: Place | None = None
    title: Annotated[Words | None, About("the name of the example in the rulebook")] = None


_INDEXES: RecentValues[int, tuple[tuple[Design, ...], dict[str, Design]]] = RecentValues(20)
"""The designs of recent kinds, also by id."""


@dataclass(frozen=True, slots=True, repr=False)
class Players:
    """How many can play."""

    fewest: Annotated[int, About("the smallest number of players", ge=1, le=100)]
    most: Annotated[int, About("the largest number of players", ge=1, le=100)]

    def __iter__(self) -> Iterator[int]:
        return iter(range(self.fewest, self.most + 1))


@dataclass(frozen=True, slots=True, repr=False)
class SetupItem:
    """The pieces of one kind that set-up takes from the box."""

    take: Annotated[int, About("how many pieces are taken", ge=0)]
    kind: Annotated[str, About("a kind of component", alias="from")]
    each_player: Annotated[bool, About("true: this number for each player; false by default")] = False
    place: Place | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Game:
    """All sections of a game. Each may be in any file of its folder, once.

    `sections` holds the free-form parts (`rules`, `words`) as nested read-only mappings and tuples for templates,
    expressions and engines. `marks` has the status of values that are not in the draft: path -> provisional, derived or
    related. `places` has the place of every value.
    """

    id: str
    title: Annotated[Words, About("the name of the game, in each language")]
    draft: Annotated[Label, About("the number or name of this draft; it is printed on every sheet")]
    date: Annotated[
        Day,
        About(
            "of the draft, YYYY-MM-DD; printed in books and lists, and kept in each PDF's properties",
            default="",
            pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
        ),
    ]
    languages: Annotated[
        tuple[Language, ...], About("the languages of all texts, the main one first: [en] or [ja, en]", min_length=1)
    ]
    players: Annotated[Players, About("how many can play")]
    minutes: Annotated[int | None, About("how long a game lasts, in minutes", ge=1)] = None
    age: Annotated[int | None, About("the age from which it can be played, in years", ge=0, le=99)] = None
    overview: Annotated[Words | None, About("one or two sentences for the rulebook's cover")] = None
    hook: Annotated[Words | None, About("one line that makes people want to play; on the sell sheet")] = None
    steps: Annotated[
        tuple[Words, ...], About("how the game plays, in three steps; on the sell sheet", max_length=3)
    ] = ()
    credit: Annotated[Credit, About("whose the game is; printed in the rulebook", default={})]
    licence: Annotated[Credit, About("what others may do with the game; printed in the rulebook", default={})]
    credits: Annotated[
        tuple[CreditLine, ...],
        About("who made the game, with each person's task: the rulebook’s last lines, instead of `credit`"),
    ] = ()
    contact: Annotated[Credit | None, About("an address for players' questions, printed in the rulebook")] = None
    version: Annotated[Label, About("the game's version, such as 1.1; printed at the end of the rulebook")] = ""
    source: Annotated[DraftSource, About("the draft from which the data were written")] = field(default=DraftSource())
    rules_module: Annotated[str, About("playable rules: a file next to the data, rules.py")] = ""
    icons: Annotated[Mapping[str, IconEntry], About("symbols that cards and texts show")] = empty_mapping()
    told_apart: Annotated[
        tuple[tuple[str, ...], ...], About("groups of icons that must look different, also in grey")
    ] = ()
    limits: Annotated[FinestDetails, About("limits for small type and fine icons; `pnp validate` fails below them")] = (
        field(default=FinestDetails())
    )
    operations: Annotated[Mapping[str, Operation], About("the operations that effects of cards use")] = empty_mapping()
    kinds: Annotated[
        Mapping[str, Kind],
        About("the kinds of pieces, each with its size, fields and designs", alias="components", min_length=1),
    ]
    setup: Annotated[tuple[SetupItem, ...], About("the pieces that set-up takes from the box")] = ()
    not_included: Annotated[tuple[Words, ...], About("things that players need besides, such as a pencil")] = ()
    moves: Annotated[
        Mapping[str, Words], About("the name of each move, and other messages at the table; {names} are filled in")
    ] = empty_mapping()
    zones: Annotated[Mapping[str, ZoneEntry], About("names of places for pieces, and which side is up")] = (
        empty_mapping()
    )
    strategies: Annotated[
        Mapping[str, StrategyEntry], About("strategies of one sentence each; `pnp lab strategies` tries them")
    ] = empty_mapping()
    tabletop: Annotated[TablePlan | None, About("the table at the start of a game, for pictures of it")] = None
    palette: Annotated[Mapping[str, Colour], About("colours by the names that templates and texts use")] = field(
        default_factory=dict
    )
    fonts: Annotated[
        Mapping[str, FontFamily], About("families of typefaces, by the names of templates", default=..., min_length=1)
    ] = empty_mapping()
    readings: Annotated[
        Mapping[str, Reading], About("unclear passages of the draft, and how each is read", default=[])
    ] = empty_mapping()
    findings: Annotated[
        tuple[LabFindings, ...], About("effects of other readings on games, from `pnp lab readings --keep-findings`")
    ] = ()
    examples: Annotated[tuple[Example, ...], About("situations with their expected results")] = ()
    glossary: Annotated[Mapping[str, GlossaryEntry], About("the terms of the rulebook, by id, with their meanings")] = (
        empty_mapping()
    )
    checks: Annotated[tuple[CheckSpec, ...], About("conditions on the data that `pnp validate` checks")] = ()
    sections: Annotated[Mapping[str, Any], COMPUTED] = empty_mapping()
    marks: Annotated[Mapping[str, str], COMPUTED] = empty_mapping()
    places: Annotated[Sections, COMPUTED] = field(default_factory=Sections)

    @property
    def has_own_rules(self) -> bool:
        """Return True if its rules are a file in its own folder, which may be any program."""
        return self.rules_module.endswith(".py")

    def author(self, lang: str) -> str:
        """Return the names in the game's credits, each once, or else its `credit`, in a language."""
        names = dict.fromkeys(line.name[lang] for line in self.credits)
        return ", ".join(names) or self.credit[lang]

    def subject(self, lang: str) -> str:
        """Return a line for file properties beside the title: draft, credit and licence."""
        credit, licence = self.credit[lang], self.licence[lang]
        return phrase("subject", lang, draft=self.draft, credit=credit, licence=licence).rstrip()

    def design(self, name: str) -> Design:
        """Return the design with this id. Raise KeyError if there is none."""
        designs = self.kinds[name.split("/", maxsplit=1)[0]].designs
        known = _INDEXES.get(id(designs))
        if known is None or known[0] is not designs:
            known = designs, {design.id: design for design in reversed(designs)}
            _INDEXES.put(id(designs), known)
        return known[1][name]

    def designs(self) -> Iterator[Design]:
        """Yield every design of every kind, in the order of the data."""
        for kind in self.kinds.values():
            yield from kind.designs

    @property
    def facts(self) -> dict[str, Any]:
        """The game's fields except mappings, by name. A dataclass among them is a mapping of its own fields."""
        told = collect_values(self, "setup", "examples", "checks", "tabletop", "findings").items()
        return {
            name: collect_values(value) if is_dataclass(value) else value
            for name, value in told
            if not isinstance(value, Mapping)
        }

    @property
    def switches(self) -> dict[str, Any]:
        """Each switch with its present value."""
        return {reading.switch: reading.value for reading in self.readings.values() if reading.switch}

    def list_examples_of(self, reading: Reading) -> list[Example]:
        """Return the examples named after a reading (E5-at-least) that are played with another choice."""
        named = [one for one in self.examples if one.id.startswith(f"{reading.id}-")]
        return [one for one in named if one.options.get(reading.switch, reading.value) != reading.value]
