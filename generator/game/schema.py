"""The schema of a game's data: its sections, and shapes made from the fields of the classes.

It checks shapes only. `load_game` checks what involves several values (languages, ids, known icons).
"""

import re
from collections.abc import Mapping
from dataclasses import MISSING
from datetime import date as calendar_date
from typing import Any, Literal, get_args, get_origin

from generator.base.errors import InvalidInput
from generator.base.geometry import CARD_SIZES, Size
from generator.game.data_fields import (
    ALL,
    Arrangement,
    CheckSpec,
    Credit,
    CreditLine,
    Day,
    DraftSource,
    Expression,
    FieldSpec,
    FinestDetails,
    GlossaryEntry,
    KeyedField,
    Label,
    LabFinding,
    LabFindings,
    Language,
    Limits,
    Name,
    Names,
    Operation,
    PieceCount,
    Reach,
    SpaceSpec,
    StrategyEntry,
    TablePlace,
    TablePlan,
    ZoneEntry,
    list_keyed_fields,
)
from generator.game.data_shapes import (
    ANY,
    NUMBER,
    REQUIRED,
    TEXT,
    TRUTH,
    WHOLE,
    ChoiceShape,
    ConvertedShape,
    DataShape,
    KeyedShape,
    KeyEntry,
    ListShape,
    MapShape,
    OptionalShape,
    PlainShape,
    UnionShape,
    WrongType,
    read_shape,
)
from generator.game.model import Colour, Design, Example, FontFamily, Game, IconEntry, Kind, Players, Reading, SetupItem
from generator.game.rich_text import Words

ID = PlainShape("text", {"pattern": r"^[a-z0-9][a-z0-9_-]*$"}, "lower-case letters, digits, - and _")


def _to_words(value: Any) -> Any:
    """Return a text by language, a bare one by "". Raise WrongType for others, such as `title: 1984` without quotes."""
    if value is not None and not isinstance(value, (str, dict)):
        raise WrongType("words")
    return {"": value} if isinstance(value, str) else value


WORDS_SCHEMA = {
    "description": "the text in each language, or a plain text in a game of one language",
    "anyOf": [{"type": "object", "additionalProperties": {"type": "string"}}, {"type": "string"}],
}
_WORDS = ConvertedShape(MapShape(TEXT, TEXT), before=_to_words, schema=WORDS_SCHEMA)

CREDIT_SCHEMA = {**WORDS_SCHEMA, "description": "the text in each language, or one plain text for all of them"}


def _to_text(value: Any) -> Any:
    """Return a whole number as text, since a draft may be called 18 as well as "18"; other values unchanged."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _to_list(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


EXPRESSION_SCHEMA = {
    "description": "a value, or an expression over `card`, `rules`, `switches` ...",
    "type": ["string", "integer", "boolean"],
}

DAY = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"


def check_day(value: str) -> str:
    """Return a text such as 2026-01-31. Raise InvalidInput if there is no such day."""
    try:
        calendar_date.fromisoformat(value)
    except ValueError as error:
        raise InvalidInput(f"the date {value} does not exist", "write the day as 2026-01-31") from error
    return value


TABLE_SCHEMA = {
    "type": "string",
    "pattern": r"^https?://|\.([cC][sS][vV]|[tT][sS][vV]|[tT][xX][tT]|([xX][lL][sS][xXmM]|[oO][dD][sS])(:.+)?)$",
}

DESIGNS_SCHEMA = {
    "description": "the list of designs, or a table that holds them: deck.csv, deck.xlsx:Sheet, deck.ods, https://...; "
    "or several of them",
    "anyOf": [{"type": "array", "items": {"type": ["object", "string"]}, "minItems": 1}, TABLE_SCHEMA],
}

COLUMNS_SCHEMA = {
    "description": "of a table: which field a heading means, {Name: title, Kosten: cost}",
    "type": "object",
    "additionalProperties": {"type": "string"},
}
IGNORE_SCHEMA = {
    "description": "of a table: columns to skip, by name or pattern: [notes, 'internal *']",
    "anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}],
}

NAMES_SCHEMA = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}

SIZE_SCHEMA = {
    "description": "a named size, [width, height] in mm, or one number for equal sides",
    "anyOf": [
        {"enum": list(CARD_SIZES)},
        {"type": "number"},
        {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2},
    ],
}


def shape_from_class(
    kind: Any,
    name: str,
    written: Mapping[Any, DataShape] | None = None,
    *,
    first: tuple[KeyEntry, ...] = (),
    last: tuple[KeyEntry, ...] = (),
    short: Mapping[str, Any] | None = None,
) -> KeyedShape:
    """Return the shape (`name` in schemas) of the data for a class of the model: keys `first`, its fields, keys `last`.

    `written` has the shapes of types that the data write differently. `short` is the schema of a short form of the
    whole.
    """
    known = _WRITTEN if written is None else written
    there = {entry.name for entry in first}
    own = []
    for one in list_keyed_fields(kind):
        if one.name not in there:
            limits = {key: value for key, value in one.about.items() if key not in ("default", "description", "alias")}
            shape, default = _shape_from_type(one.type, known).with_limits(limits), _find_default(one)
            if "default" in one.about and default is None and one.type not in (Any, Size):
                shape = OptionalShape(shape)
            key, about = one.about.get("alias", one.name), one.about.get("description", "")
            own.append(KeyEntry(key, shape, default, about, one.name))
    return KeyedShape(name, (kind.__doc__ or "").partition("\n")[0], (*first, *own, *last), short=short)


def _find_default(one: KeyedField) -> Any:
    if "default" in one.about:
        return one.about["default"]
    if one.default is MISSING:
        return REQUIRED
    if isinstance(one.default, tuple):
        return list(one.default)
    return {} if one.type == Words | None else one.default


_PLAIN: dict[Any, DataShape] = {str: TEXT, int: WHOLE, float: NUMBER, bool: TRUTH, Any: ANY}


def _shape_from_type(hint: Any, written: Mapping[Any, DataShape]) -> DataShape:
    found = written.get(hint) or _PLAIN.get(hint)
    if found is not None:
        return found
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Literal:
        return ChoiceShape(inner)
    if origin is tuple:
        return ListShape(_shape_from_type(inner[0], written))
    if origin is Mapping:
        return MapShape(TEXT, ANY) if inner[1] is Any else MapShape(ID, _shape_from_type(inner[1], written))
    some = [part for part in inner if part is not type(None)]
    taken = (
        _shape_from_type(some[0], written)
        if len(some) == 1
        else UnionShape({each.__name__: _PLAIN[each] for each in some})
    )
    return taken if len(some) == len(inner) else OptionalShape(taken)


def _accept_short_form(key: str, shape: KeyedShape) -> ConvertedShape:
    """Return a shape that also accepts a text in place of a mapping with this key alone."""
    return ConvertedShape(shape, before=lambda value: {key: value} if isinstance(value, str) else value)


def _to_zone(value: Any) -> Any:
    """Return a zone's mapping. A name alone, in one language or several, is a place with fronts up."""
    return value if isinstance(value, dict) and ("name" in value or "back" in value) else {"name": value}


_WEIGHT = ConvertedShape(
    PlainShape("whole number", {"ge": 100, "le": 900}),
    before=lambda value: int(value) if isinstance(value, str) and value.isascii() and value.isdigit() else value,
)
_FONT_CHAINS = KeyedShape(
    "FontChains",
    "Font files of a family in one language, first choice first.",
    [
        KeyEntry("regular", ListShape(TEXT, {"min_length": 1}), about="the upright fonts"),
        KeyEntry("bold", ListShape(TEXT), [], "the bold fonts; by default bold text is set in `regular`"),
        KeyEntry("italic", ListShape(TEXT), [], "the italic fonts; by default emphasised text is set in `regular`"),
        KeyEntry(
            "weights",
            MapShape(_WEIGHT, ListShape(TEXT, {"min_length": 1})),
            {},
            "the fonts of further weights, 100 to 900",
        ),
    ],
)

ARRANGEMENT_SCHEMA = {
    "description": "names of places in rows; a list in a row is a column, a list in that a row",
    "type": "array",
    "items": {"anyOf": [{"type": "string"}, {"type": "array"}]},
    "minItems": 1,
}
_MOST_NESTED = 6
"""Maximum depth of lists in an arrangement."""


def check_arrangement(value: Any, deep: int = 1) -> Any:
    """Return names in nested lists (`deep`: the level of `value`). Raise InvalidInput for others or too many levels."""
    if isinstance(value, str) and deep > 1:
        return value
    if not isinstance(value, list) or not value or deep > _MOST_NESTED:
        raise InvalidInput(
            "is not an arrangement of places", "write lists of names, such as [[deck, discards], [market]]"
        )
    return [check_arrangement(entry, deep + 1) for entry in value]


_MOST_PIECES = 1000
_RULE_NUMBER = r"^rules(\.[^.\s]+)+$"
PIECE_COUNT_SCHEMA = {
    "anyOf": [
        {"type": "integer", "minimum": 1, "maximum": _MOST_PIECES},
        {"enum": [ALL], "type": "string"},
        {"type": "string", "pattern": _RULE_NUMBER},
    ]
}


def check_piece_count(value: Any) -> Any:
    """Return a number of pieces, `all` or the path of a number of the rules. Raise InvalidInput for anything else."""
    number = isinstance(value, int) and not isinstance(value, bool)
    if value == ALL or (1 <= value <= _MOST_PIECES if number else re.fullmatch(_RULE_NUMBER, str(value))):
        return value
    hint = f"write a whole number from 1 to {_MOST_PIECES}, `all`, or the path of a number, such as `rules.hand`"
    raise InvalidInput(f"'{value}' is not a number of pieces", hint)


_CREDIT = ConvertedShape(MapShape(TEXT, TEXT), before=_to_words, schema=CREDIT_SCHEMA)

_WRITTEN: dict[Any, DataShape] = {
    Words: _WORDS,
    Arrangement: ConvertedShape(ListShape(ANY), after=check_arrangement, schema=ARRANGEMENT_SCHEMA),
    Mapping[str, PieceCount]: MapShape(TEXT, ConvertedShape(ANY, after=check_piece_count, schema=PIECE_COUNT_SCHEMA)),
    Names: ConvertedShape(ListShape(TEXT), before=_to_list, schema=NAMES_SCHEMA),
    Words | None: _WORDS,
    Mapping[Label, Words]: MapShape(TEXT, _WORDS),
    Limits: ListShape(NUMBER, {"min_length": 3, "max_length": 3}),
    Reach: ListShape(NUMBER, {"min_length": 2, "max_length": 2}),
    Credit: _CREDIT,
    Credit | None: _CREDIT,
    Name: ID,
    Label: ConvertedShape(TEXT, before=_to_text, schema={"type": ["string", "integer"]}),
    Language: PlainShape("text", {"pattern": r"^[a-z]{2,3}(-[A-Za-z0-9]+)*$"}),
    Day: ConvertedShape(TEXT, after=check_day),
    Expression: ConvertedShape(
        TEXT, before=lambda value: str(value).lower() if isinstance(value, int) else value, schema=EXPRESSION_SCHEMA
    ),
    Size: DataShape(SIZE_SCHEMA),
    tuple[int, ...]: ListShape(PlainShape("whole number", {"ge": 1, "le": 100})),
    tuple[float, float, float, float] | None: OptionalShape(ListShape(PlainShape("number", {"ge": 0, "le": 100}))),
    tuple[Design, ...]: ConvertedShape(ListShape(MapShape(TEXT, ANY)), schema=DESIGNS_SCHEMA),
    FontFamily: MapShape(TEXT, _FONT_CHAINS),
}
"""Shapes of types that the data write differently from the model. Parts with fields of their own follow."""

_FIELD = shape_from_class(FieldSpec, "FieldData", short={"type": "string"})


def spec_from_data(data: Any) -> FieldSpec:
    """Return a declared field as the model has it, from raw or checked data. Raise InvalidInput if it is invalid."""
    values, found = read_shape(_FIELD, data)
    if found:
        raise InvalidInput("is not a declared field")
    return FieldSpec(**{**vars(values), "choices": tuple(values.choices)})


_WRITTEN |= {
    FieldSpec: _accept_short_form("type", _FIELD),
    Colour: _accept_short_form("srgb", shape_from_class(Colour, "ColourData", short={"type": "string"})),
    ZoneEntry: ConvertedShape(shape_from_class(ZoneEntry, "ZoneData", short=WORDS_SCHEMA), before=_to_zone),
}
_OF_TABLES = (
    KeyEntry("columns", ConvertedShape(MapShape(TEXT, TEXT), schema=COLUMNS_SCHEMA), {}),
    KeyEntry("ignore", ConvertedShape(ListShape(TEXT), before=_to_list, schema=IGNORE_SCHEMA), []),
    KeyEntry("id_from", TEXT, "", "of a table: the heading of the column from which ids are made"),
)
"""Settings of a kind for its tables of designs. They are not needed after the tables are read."""

for _kind, _name in (
    (SpaceSpec, "SpaceData"), (Kind, "KindData"), (Players, "PlayersData"), (DraftSource, "SourceData"),
    (FinestDetails, "LimitsData"),
    (IconEntry, "IconData"), (Operation, "OperationData"), (Reading, "ReadingData"), (LabFinding, "FindingData"),
    (LabFindings, "FindingsData"), (CheckSpec, "CheckData"), (Example, "ExampleData"), (GlossaryEntry, "TermData"),
    (SetupItem, "SetupData"), (TablePlace, "TablePlaceData"), (TablePlan, "TableData"), (CreditLine, "CreditData"),
    (StrategyEntry, "StrategyData"),
):  # fmt: skip
    _WRITTEN[_kind] = shape_from_class(_kind, _name, last=_OF_TABLES if _kind is Kind else ())
_WRITTEN[Mapping[str, Reading]] = ListShape(_WRITTEN[Reading])

GAME = shape_from_class(
    Game,
    "GameData",
    first=(
        KeyEntry("$schema", TEXT, "", "the schema by which an editor checks the file: schema.json", "schema"),
        KeyEntry("format", PlainShape("whole number", {"ge": 1, "le": 1}), about="the version of this format: 1"),
    ),
    last=(
        KeyEntry(
            "rules",
            MapShape(TEXT, ANY),
            {},
            "the numbers and tables that the rules state, in any shape: {{ rules.hand }} in texts",
        ),
        KeyEntry("words", MapShape(TEXT, ANY), {}, "texts that templates use, in any shape: {{ words.turn }}"),
        KeyEntry(
            "provisional", ListShape(TEXT), [], "values that the draft leaves open, each by its path (rules.hand)"
        ),
        KeyEntry("derived", ListShape(TEXT), [], "values that follow from the draft, each by its path"),
        KeyEntry("related", ListShape(TEXT), [], "values known from elsewhere, each by its path"),
    ),
)
"""All sections of a game; each may be in any file of its folder, once."""

STATUS_LISTS = ("provisional", "derived", "related")
"""Sections that every file may have, for its own values."""
