"""What a game's data may say: the sections, their fields and types, as pydantic models.

They check shape only. What needs more than one value (languages, ids, known icons) is checked by `load.game`.
"""

from datetime import date as calendar_date
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema
from pydantic_core import PydanticCustomError

from generator.errors import Unfit
from generator.model.game import Form, Shape

_ID = r"^[a-z0-9][a-z0-9_-]*$"
Id = Annotated[str, Field(pattern=_ID, description="lower-case letters, digits, - and _")]
Hex = Annotated[str, Field(pattern=r"^#[0-9a-fA-F]{6}$", description="sRGB colour such as #8a6a3a")]


def _as_words(value: Any) -> Any:
    """A bare text stands for the only language of a game; which that is, is known later."""
    return {"": value} if isinstance(value, str) else value


WORDS_SCHEMA = {
    "description": "the text in each language, or a plain text in a game of one language",
    "anyOf": [{"type": "object", "additionalProperties": {"type": "string"}}, {"type": "string"}],
}
WordsData = Annotated[dict[str, str], BeforeValidator(_as_words), WithJsonSchema(WORDS_SCHEMA)]

CREDIT_SCHEMA = {**WORDS_SCHEMA, "description": "the text in each language, or one plain text for all of them"}


def _as_credit(value: Any) -> Any:
    """What is neither a text nor texts by language is told as such: `licence: 2026` lacks its quotes."""
    if value is not None and not isinstance(value, (str, dict)):
        raise PydanticCustomError("credit_type", "a text")
    return _as_words(value)


CreditData = Annotated[dict[str, str], BeforeValidator(_as_credit), WithJsonSchema(CREDIT_SCHEMA)]


def _as_text(value: Any) -> Any:
    """A draft may be called 18 as well as "18"."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


Label = Annotated[str, BeforeValidator(_as_text), WithJsonSchema({"type": ["string", "integer"]})]


def _as_expression(value: Any) -> Any:
    """A plain number, true or false is an expression too."""
    return str(value).lower() if isinstance(value, int) else value


EXPRESSION_SCHEMA = {
    "description": "a value, or an expression over `card`, `rules`, `switches` ...",
    "type": ["string", "integer", "boolean"],
}
Expression = Annotated[str, BeforeValidator(_as_expression), WithJsonSchema(EXPRESSION_SCHEMA)]


DAY = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"


def a_day(value: str) -> str:
    """A date that the calendar has."""
    try:
        calendar_date.fromisoformat(value)
    except ValueError as error:
        raise Unfit(f"there is no day {value}", "write the day as 2026-01-31") from error
    return value


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, defer_build=True)


class PlayersData(_Section):
    """How many can play."""

    fewest: int = Field(ge=1, le=100)
    most: int = Field(ge=1, le=100)


class SourceData(_Section):
    """Which draft the data were written from."""

    document: str = ""
    draft: Label = ""
    notes: list[str] = []


class IconData(_Section):
    """A symbol that cards and texts show."""

    name: WordsData
    colour: str = Field("ink", description="a name of the palette")
    colour_tells: bool = Field(False, description="its colour is what it means: texts of a rulebook show it in it too")
    letter: str = Field("", max_length=2, description="a code that tells the icons apart in any print")
    art: str = Field("", description="file in templates/<game>/icons, without .svg; the icon's id by default")


class _Short(_Section):
    """A mapping that may be written as one text, its most important value."""

    @classmethod
    def __get_pydantic_json_schema__(cls, core: Any, handler: Any) -> dict[str, Any]:
        """Editors are told of both forms."""
        return {"anyOf": [{"type": "string"}, handler(core)]}


class ColourData(_Short):
    """A palette entry in full."""

    srgb: Hex
    cmyk: list[Annotated[float, Field(ge=0, le=100)]] | None = Field(
        None, min_length=4, max_length=4, description="on a press: cyan, magenta, yellow and black in percent"
    )
    spot: str = Field("", max_length=60, description="an ink of its own on a press, such as DIC 156")


def _as_colour(value: Any) -> Any:
    return {"srgb": value} if isinstance(value, str) else value


PaletteEntry = Annotated[ColourData, BeforeValidator(_as_colour)]


class FontChains(_Section):
    """Font files of a family in one language, first choice first."""

    regular: list[str] = Field(min_length=1)
    bold: list[str] = []
    italic: list[str] = []


class FieldData(_Short):
    """What one field of a kind holds."""

    type: str = Field(description="integer, number, text, words, boolean, icon, colour, choice, effects or list")
    of: str = Field("", description="for a list: the type of its entries")
    choices: list[str | int] = []
    min: float | None = None
    max: float | None = None
    optional: bool = False


def _as_field(value: Any) -> Any:
    return {"type": value} if isinstance(value, str) else value


FieldEntry = Annotated[FieldData, BeforeValidator(_as_field)]


class OperationData(_Section):
    """Something that an effect can do: what it needs to know, and its phrase."""

    takes: dict[Id, FieldEntry] = {}
    says: WordsData


SIZE_SCHEMA = {
    "description": "a named size, [width, height] in mm, or one number for what is as wide as it is high",
    "anyOf": [
        {"type": "string"},
        {"type": "number"},
        {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2},
    ],
}


class SpaceData(_Section):
    """Places for pieces that the rules need on each design of a kind."""

    id: str = Field(pattern=r"^[a-z0-9*_-]+$", description="of the template's group; * stands for each name")
    for_: str = Field(alias="for", description="the kind of component that lies there")
    holds: Expression = Field("", description="how many pieces; where it comes to 0, there is no such space")
    pile: Expression = Field("", description="true where any number may lie there")
    each: str = Field("", description="an expression: the names that stand for the * of the id")


DESIGNS_SCHEMA = {
    "description": "the list of designs, or a table beside this file that holds them: deck.csv, deck.xlsx:Sheet",
    "anyOf": [
        {"type": "array", "items": {"type": "object"}, "minItems": 1},
        {"type": "string", "pattern": r"\.([cC][sS][vV]|[tT][sS][vV]|[tT][xX][tT]|[xX][lL][sS][xX](:.+)?)$"},
    ],
}


class KindData(_Section):
    """A kind of component; its designs are checked against its fields afterwards."""

    name: WordsData
    form: Form = Field("card", description="what is printed: a card, board, token, standee, cube or pad")
    shape: Shape = Field("rectangle", description="the outline of a token")
    outline: str = Field("", description="where a token of another shape is cut: SVG path data in mm, closed with Z")
    size: Annotated[Any, WithJsonSchema(SIZE_SCHEMA)]
    front: str
    back: str = ""
    two_faced: bool = Field(False, description="both faces are used in play: a design without a back is a mistake")
    stated: int | None = Field(None, ge=0, description="the number that the draft states")
    bleed: float = Field(3.0, ge=0, le=20)
    safe: float = Field(3.0, ge=0, le=50)
    corner: float = Field(3.0, ge=0, le=50)
    foot: float | None = Field(None, ge=3, le=200, description="length of a standee's feet, mm")
    called: WordsData = Field({}, description="what players call a piece in play; {names} of fields are filled in")
    fields: dict[Id, FieldEntry] = {}
    spaces: list[SpaceData] = Field([], description="where pieces lie on it, as the rules need it")
    option: str = Field("", description="the switch that says whether these are printed")
    designs: Annotated[list[dict[str, Any]], Field(min_length=1), WithJsonSchema(DESIGNS_SCHEMA)]


class SetupData(_Section):
    """What set-up takes from the box."""

    take: int = Field(ge=0)
    from_: str = Field(alias="from", description="a kind of component")
    each_player: bool = False


class ReadingData(_Section):
    """An unclear passage, the reading adopted, and the switch that selects another."""

    id: str = Field(pattern=r"^E[0-9]+[a-z]?$")
    passage: str = Field("", max_length=30, description="the draft's words, 30 characters at most")
    problem: WordsData
    reading: WordsData
    switch: Id | None = None
    value: Any = None
    choices: list[Any] = []


class CheckData(_Section):
    """A named check: two expressions that must agree, or a function of the game's rules."""

    id: str = Field(pattern=r"^[A-Za-z0-9_-]+$")
    says: WordsData
    computed: str = ""
    expected: str = ""
    function: str = ""
    reading: str = ""
    undecided: bool = Field(False, description="it takes play or search to tell")


class ExampleData(_Section):
    """A situation, what is done in it, and what must be so afterwards."""

    id: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")]
    says: WordsData = Field({}, description="the example in words, for readers")
    players: int = Field(ge=1)
    options: dict[str, Any] = Field({}, description="switches and options with values other than those in force")
    given: dict[str, Any] = Field({}, description="the situation; what is not named is as after set-up or empty")
    do: list[str] = Field([], description="moves in the game's notation, one after another")
    expect: dict[str, Any] = Field(min_length=1, description="questions with their answers")


class TermData(_Section):
    """A word that the rulebook uses in one sense only, and that sense."""

    term: WordsData
    says: WordsData
    kana: str = Field("", description="how the Japanese term is read: the index is sorted by it")


class ZoneData(_Section):
    """A place for pieces: what it is called, and which side lies up there."""

    name: WordsData = Field(description="{n}, {m}: its numbers")
    back: bool = Field(False, description="pieces there show their backs to everyone: the other side of a counter")

    @classmethod
    def __get_pydantic_json_schema__(cls, core: Any, handler: Any) -> dict[str, Any]:
        """Editors are told of both forms."""
        return {"anyOf": [WORDS_SCHEMA, handler(core)]}


def _as_zone(value: Any) -> Any:
    """The name alone, in one language or several, stands for a place where fronts lie up."""
    return value if isinstance(value, dict) and ("name" in value or "back" in value) else {"name": value}


ZoneEntry = Annotated[ZoneData, BeforeValidator(_as_zone)]


class GameData(_Section):
    """All sections of a game; each may stand in any file of its folder, once."""

    schema_: str = Field("", alias="$schema")
    format: int = Field(ge=1, le=1, description="the version of this format: 1")
    title: WordsData
    draft: Label
    date: Annotated[str, AfterValidator(a_day)] = Field(
        pattern=DAY, description="YYYY-MM-DD; printed in the PDF's properties"
    )
    languages: list[Annotated[str, Field(pattern=r"^[a-z]{2,3}(-[A-Za-z0-9]+)*$")]] = Field(min_length=1)
    players: PlayersData
    minutes: int | None = Field(None, ge=1)
    age: int | None = Field(None, ge=0, le=99)
    overview: WordsData = {}
    credit: CreditData
    licence: CreditData
    source: SourceData = SourceData()
    rules_module: str = ""
    icons: dict[Id, IconData] = {}
    told_apart: list[list[str]] = []
    operations: dict[Id, OperationData] = {}
    components: dict[Id, KindData] = Field(min_length=1)
    setup: list[SetupData] = []
    not_included: list[WordsData] = Field([], description="what the draft asks for and what is not printed: a pencil")
    moves: dict[Id, WordsData] = Field(
        {}, description="what each move is called, and what else is said at the table; {names} are filled in"
    )
    zones: dict[Id, ZoneEntry] = Field({}, description="what places for pieces are called, and which side lies up")
    palette: dict[Id, PaletteEntry] = {}
    fonts: dict[Id, dict[str, FontChains]] = Field(min_length=1)
    readings: list[ReadingData] = []
    examples: list[ExampleData] = []
    glossary: dict[Id, TermData] = Field({}, description="the rulebook's terms")
    checks: list[CheckData] = []
    rules: dict[str, Any] = Field({}, description="the numbers and tables that the rules state; any shape")
    words: dict[str, Any] = Field({}, description="texts that templates use; any shape")
    provisional: list[str] = Field([], description="paths of values that the draft leaves open")
    derived: list[str] = Field([], description="paths of values that follow from the draft")
    related: list[str] = Field([], description="paths of values known from elsewhere")


STATUS_LISTS = ("provisional", "derived", "related")
"""Sections that every file may have, for its own values."""
