"""What a game's data may say: the sections, and the parts of the model as pydantic models made from their fields.

They check shape only. What needs more than one value (languages, ids, known icons) is checked by `load.game`.
"""

from collections.abc import Mapping
from dataclasses import MISSING
from dataclasses import Field as ModelField
from datetime import date as calendar_date
from typing import Annotated, Any, TypeVar, get_args, get_origin

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema, create_model
from pydantic_core import PydanticCustomError

from generator.errors import Unfit
from generator.model.data_fields import Credit, Day, Expression, FieldSpec, Label, Language, Name, fields_with_keys
from generator.model.game import (
    CheckSpec,
    Colour,
    Design,
    DraftSource,
    Example,
    FontFamily,
    Game,
    GlossaryEntry,
    IconEntry,
    Kind,
    Operation,
    Players,
    Reading,
    SetupItem,
    SpaceSpec,
    ZoneEntry,
)
from generator.model.text import Words
from generator.units import Size

_ID = r"^[a-z0-9][a-z0-9_-]*$"
Id = Annotated[str, Field(pattern=_ID, description="lower-case letters, digits, - and _")]


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


LabelData = Annotated[str, BeforeValidator(_as_text), WithJsonSchema({"type": ["string", "integer"]})]


def _as_list(value: Any) -> Any:
    """One text is a list of one."""
    return [value] if isinstance(value, str) else value


def _as_expression(value: Any) -> Any:
    """A plain number, true or false is an expression too."""
    return str(value).lower() if isinstance(value, int) else value


EXPRESSION_SCHEMA = {
    "description": "a value, or an expression over `card`, `rules`, `switches` ...",
    "type": ["string", "integer", "boolean"],
}
ExpressionData = Annotated[str, BeforeValidator(_as_expression), WithJsonSchema(EXPRESSION_SCHEMA)]


DAY = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"


def a_day(value: str) -> str:
    """A date that the calendar has."""
    try:
        calendar_date.fromisoformat(value)
    except ValueError as error:
        raise Unfit(f"there is no day {value}", "write the day as 2026-01-31") from error
    return value


TABLE_SCHEMA = {
    "type": "string",
    "pattern": r"^https?://|\.([cC][sS][vV]|[tT][sS][vV]|[tT][xX][tT]|([xX][lL][sS][xXmM]|[oO][dD][sS])(:.+)?)$",
}

DESIGNS_SCHEMA = {
    "description": "the list of designs, or a table that holds them: deck.csv, deck.xlsx:Sheet, deck.ods, https://...; "
    "or several of them",
    "anyOf": [
        {"type": "array", "items": {"type": ["object", "string"]}, "minItems": 1},
        TABLE_SCHEMA,
    ],
}

COLUMNS_SCHEMA = {
    "description": "of a table: which field a heading means, {Name: title, Kosten: cost}",
    "type": "object",
    "additionalProperties": {"type": "string"},
}
IGNORE_SCHEMA = {
    "description": "of a table: columns that are passed over, by name or pattern: [notes, 'internal *']",
    "anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}],
}

SIZE_SCHEMA = {
    "description": "a named size, [width, height] in mm, or one number for what is as wide as it is high",
    "anyOf": [
        {"type": "string"},
        {"type": "number"},
        {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2},
    ],
}


class DataSection(BaseModel):
    """A mapping of a data file: unknown fields are mistakes."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, defer_build=True)


class _Short(DataSection):
    """A mapping that may be written as one text, its most important value."""

    @classmethod
    def __get_pydantic_json_schema__(cls, core: Any, handler: Any) -> dict[str, Any]:
        """Editors are told of both forms."""
        return {"anyOf": [{"type": "string"}, handler(core)]}


class _Named(DataSection):
    """A mapping for which its name alone may stand, in one language or several."""

    @classmethod
    def __get_pydantic_json_schema__(cls, core: Any, handler: Any) -> dict[str, Any]:
        """Editors are told of both forms."""
        return {"anyOf": [WORDS_SCHEMA, handler(core)]}


class FontChains(DataSection):
    """Font files of a family in one language, first choice first."""

    regular: list[str] = Field(min_length=1)
    bold: list[str] = []
    italic: list[str] = []


Base = TypeVar("Base", bound=DataSection)


def shape_of(
    kind: Any, name: str, base: type[Base], written: Mapping[Any, Any] | None = None, **more: Any
) -> type[Base]:
    """The pydantic model of what the data may say of a part of the model: its fields, and `more` than it has.

    `written` has what the data write for its types, where it is not the same.
    """
    known = _WRITTEN if written is None else written
    own = [one for one in fields_with_keys(kind) if one.name not in base.model_fields]
    said = {one.name: (_annotation(one.type, known, one), _default_and_limits(one)) for one in own}
    about = (kind.__doc__ or "").partition("\n")[0]
    return create_model(name, __base__=base, __doc__=about, __module__=__name__, **{**said, **more})


def _default_and_limits(one: ModelField[Any]) -> Any:
    """A field's default and limits as pydantic has them."""
    limits = {name: value for name, value in one.metadata.items() if name != "default"}
    return Field(_default(one), **limits)


def _default(one: ModelField[Any]) -> Any:
    """What holds where the data say nothing; `...` where they must say it."""
    if "default" in one.metadata:
        return one.metadata["default"]
    if one.default_factory is not MISSING:
        return one.default_factory()
    if one.default is MISSING:
        return ...
    if isinstance(one.default, tuple):
        return list(one.default)
    return {} if one.type == Words | None else one.default


def _annotation(hint: Any, written: Mapping[Any, Any], one: ModelField[Any] | None = None) -> Any:
    """What the data write where the model has a value of this type."""
    if one and "default" in one.metadata and one.metadata["default"] is None:
        given = _annotation(hint, written)
        return given if getattr(given, "__origin__", None) is Any else given | None
    if hint in written:
        return written[hint]
    inner = get_args(hint)
    if get_origin(hint) is tuple:
        return list[_annotation(inner[0], written)]  # type: ignore[misc]
    if get_origin(hint) is Mapping:
        return dict[str, Any] if inner[1] is Any else dict[Id, _annotation(inner[1], written)]  # type: ignore[misc]
    return hint


def _short(key: str) -> BeforeValidator:
    """A text stands for a mapping with this key alone."""
    return BeforeValidator(lambda value: {key: value} if isinstance(value, str) else value)


def _as_zone(value: Any) -> Any:
    """The name alone, in one language or several, stands for a place where fronts lie up."""
    return value if isinstance(value, dict) and ("name" in value or "back" in value) else {"name": value}


_WRITTEN: dict[Any, Any] = {
    Words: WordsData,
    Words | None: WordsData,
    Credit: CreditData,
    Name: Id,
    Label: LabelData,
    Language: Annotated[str, Field(pattern=r"^[a-z]{2,3}(-[A-Za-z0-9]+)*$")],
    Day: Annotated[str, AfterValidator(a_day)],
    Expression: ExpressionData,
    Size: Annotated[Any, WithJsonSchema(SIZE_SCHEMA)],
    tuple[float, float, float, float] | None: list[Annotated[float, Field(ge=0, le=100)]] | None,
    tuple[Design, ...]: Annotated[list[dict[str, Any]], WithJsonSchema(DESIGNS_SCHEMA)],
    FontFamily: dict[str, FontChains],
}
"""What the data write for a type of the model, where it is not the same: parts with fields of their own follow."""

FieldData = shape_of(FieldSpec, "FieldData", _Short)


def spec_of(data: Any) -> FieldSpec:
    """A declared field as the model has it, from what the schema made of it or would make of it."""
    values = FieldData.model_validate(data)
    return FieldSpec(**{**dict(values), "choices": tuple(values.choices)})  # type: ignore[attr-defined]


_WRITTEN |= {
    FieldSpec: Annotated[FieldData, _short("type")],
    Colour: Annotated[shape_of(Colour, "ColourData", _Short), _short("srgb")],
    ZoneEntry: Annotated[shape_of(ZoneEntry, "ZoneData", _Named), BeforeValidator(_as_zone)],
}
_OF_TABLES: dict[str, Any] = {
    "columns": (Annotated[dict[str, str], WithJsonSchema(COLUMNS_SCHEMA)], {}),
    "ignore": (Annotated[list[str], BeforeValidator(_as_list), WithJsonSchema(IGNORE_SCHEMA)], []),
    "id_from": (str, Field("", description="of a table: the heading of the column that ids are made of")),
}
"""What a kind says of the tables in which its designs stand, which nobody needs once they are read."""

for _kind, _name in (
    (SpaceSpec, "SpaceData"),
    (Kind, "KindData"),
    (Players, "PlayersData"),
    (DraftSource, "SourceData"),
    (IconEntry, "IconData"),
    (Operation, "OperationData"),
    (Reading, "ReadingData"),
    (CheckSpec, "CheckData"),
    (Example, "ExampleData"),
    (GlossaryEntry, "TermData"),
    (SetupItem, "SetupData"),
):
    _WRITTEN[_kind] = shape_of(_kind, _name, DataSection, **(_OF_TABLES if _kind is Kind else {}))
_WRITTEN[Mapping[str, Reading]] = list[_WRITTEN[Reading]]  # type: ignore[valid-type]


class _File(DataSection):
    """What stands in a game's file beside the game."""

    schema_: str = Field("", alias="$schema")
    format: int = Field(ge=1, le=1, description="the version of this format: 1")


GameData = shape_of(
    Game,
    "GameData",
    _File,
    rules=(dict[str, Any], Field({}, description="the numbers and tables that the rules state; any shape")),
    words=(dict[str, Any], Field({}, description="texts that templates use; any shape")),
    provisional=(list[str], Field([], description="paths of values that the draft leaves open")),
    derived=(list[str], Field([], description="paths of values that follow from the draft")),
    related=(list[str], Field([], description="paths of values known from elsewhere")),
)
"""All sections of a game; each may stand in any file of its folder, once."""

STATUS_LISTS = ("provisional", "derived", "related")
"""Sections that every file may have, for its own values."""
