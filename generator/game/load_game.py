"""Load a game's folder as a frozen `Game`, or report all faults of its files."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, fields, replace
from functools import cache, partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar, get_args, get_origin

from generator.base.errors import EntryNumber, Place, Problem, ProblemsFound, format_path
from generator.base.files import Resources
from generator.base.geometry import Size
from generator.game.consistency import check_contradictions
from generator.game.data_fields import Arrangement, Credit, ZoneEntry, list_keyed_fields
from generator.game.data_shapes import KeyedValues, read_shape
from generator.game.fields import FieldReader
from generator.game.kinds import read_kind_values, read_specs, specs_from_data
from generator.game.model import Colour, FontFamily, Game, IconEntry, Kind, Players, Reading
from generator.game.project import UNFINISHED, ParsedFiles, read_sections
from generator.game.rich_text import Words
from generator.game.schema import GAME
from generator.game.source import Sections, Source
from generator.game.value_faults import drop_consequences, explain_finding, find_finding_path

INK = Colour("#000000", (0.0, 0.0, 0.0, 100.0))
"""Black only; part of every palette."""

Part = TypeVar("Part")


def load_game(
    folder: Path, resources: Resources, parsed: ParsedFiles | None = None, bare: list[Place] | None = None
) -> Game:
    """Return the game in a folder such as data/night-market. Raise ProblemsFound with all faults of its files.

    Files in `parsed` are not parsed again. The places of texts without a language, which a game of one language need
    not name, are added to `bare`.
    """
    try:
        return _load_folder(folder, resources, parsed, bare)
    finally:
        resources.told("")


def _load_folder(folder: Path, resources: Resources, parsed: ParsedFiles | None, bare: list[Place] | None) -> Game:
    places, marks, problems = read_sections(folder, resources, parsed)
    data, found = validate_sections(places)
    problems += found
    if data is None:
        raise ProblemsFound(reword_table_problems(problems, places))
    name = folder.name.removeprefix(UNFINISHED)
    if len(data.languages) - len(places.translated) != 1:
        bare = None
    elif places.translated and bare is None:
        bare = []
    game = _Assembly(data, places, problems, name, resources, bare).build_game(name, marks)
    if places.translated and bare:
        (own,) = (lang for lang in game.languages if lang not in places.translated)
        into = " and ".join(f"'{lang}'" for lang in places.translated)
        what = f"{len(bare)} texts have no translation into {into} and appear in '{own}'"
        places.gaps += (f"{bare[0]}: {what}; see them with `pnp translate export`",)
    problems += check_contradictions(game)
    if problems:
        raise ProblemsFound(reword_table_problems(problems, places))
    return game


def reword_table_problems(problems: Iterable[Problem], places: Sections) -> list[Problem]:
    """Return the problems. Those in tables name columns and rows, and equal ones of a column become one."""
    from generator.game.table_designs import reword_row_problems

    layouts: dict[str, Any] = {}
    for kind in places["components"].value.values() if "components" in places else ():
        layouts |= getattr(kind.get("designs"), "layouts", {}) if isinstance(kind, Mapping) else {}
    return reword_row_problems(problems, layouts)


def validate_sections(places: Sections) -> tuple[Any, list[Problem]]:
    """Return the sections in the schema's types (None if that fails), and every fault of their shape."""
    data, found = read_shape(GAME, {name: section.value for name, section in places.items()})
    problems = []
    for one in drop_consequences(found):
        path, at_key = find_finding_path(one)
        place = places.key_place(*path) if at_key else places.place(*path)
        if place is None:
            first = places["format"] if "format" in places else next(iter(places.values()))
            place = Place(first.parts[0].file)
        problems.append(Problem(place, *explain_finding(one, GAME)))
    return (None if found else data), problems


def _read_outline_file(folder: str, resources: Resources, name: str, size: Size) -> str:
    from generator.game.piece_outlines import read_outline_file  # few games have one

    return read_outline_file(name, folder, resources, size)


class _Assembly:
    """A builder of the frozen values of one game from data of the right shape. Invalid values go to `problems`."""

    def __init__(
        self,
        data: Any,
        places: Sections,
        problems: list[Problem],
        folder: str,
        resources: Resources,
        bare: list[Place] | None,
    ):
        self.data, self.places, self.problems = data, places, problems
        self.languages = tuple(data.languages)
        takes = {
            name: read_specs(("operations", name, "takes"), specs_from_data(operation.takes), places, problems)
            for name, operation in data.operations.items()
        }
        colours, pictures = (*data.palette, "ink"), cache(partial(resources.find_pictures, folder))
        outline = partial(_read_outline_file, folder, resources)
        self.reader = FieldReader(self.languages, data.icons, colours, takes, problems, pictures, outline, bare)

    def build_game(self, folder: str, marks: Mapping[str, str]) -> Game:
        """Build the Game with the id `folder` and its `marks` (see `Game`). Methods below build its parts by type."""
        read: dict[str, Any] = {"rules": MappingProxyType({}), "words": MappingProxyType({})}
        read |= {name: self._freeze_value(self.places[name].value, (name,)) for name in read if name in self.places}
        made = self._build_part(
            Game, self.data, (), id=folder, sections=MappingProxyType(read), marks=MappingProxyType(dict(marks)),
            places=self.places,
        )  # fmt: skip
        return replace(made, palette=MappingProxyType({"ink": INK, **made.palette}))

    def _build_part(self, kind: Callable[..., Part], data: Any, path: tuple[Any, ...], **known: Any) -> Part:
        names = {one.name for one in fields(kind)}  # type: ignore[arg-type]
        if "id" in names and not hasattr(data, "id"):
            known.setdefault("id", path[-1] if path else "")
        if "place" in names:
            known.setdefault("place", self.places.place(*path))
        for one in list_keyed_fields(kind):
            if one.name not in known:
                value = getattr(data, one.name)
                if value is None and one.default is not MISSING:
                    value = one.default
                known[one.name] = self._build_value(one.type, value, (*path, one.about.get("alias", one.name)))
        return kind(**known)

    def _build_value(self, hint: Any, value: Any, path: tuple[Any, ...]) -> Any:
        if hint in _MAKERS:
            return _MAKERS[hint](self, value, path)
        if hint is Any:
            return value
        inner = get_args(hint)
        if isinstance(value, list):
            return tuple(self._build_value(inner[0], part, (*path, EntryNumber(n))) for n, part in enumerate(value))
        if isinstance(value, Mapping) and get_origin(hint) is Mapping:
            built = {name: self._build_value(inner[1], part, (*path, name)) for name, part in value.items()}
            return MappingProxyType(built)
        return self._build_part(inner[0] if inner else hint, value, path) if isinstance(value, KeyedValues) else value

    def _build_words(self, _written: Any, path: tuple[Any, ...]) -> Words:
        value: Any = self.places[path[0]].value
        for step in path[1:]:
            value = value[step]
        words = self.reader.read_words(value, _AllSections(self.places), path)
        words = words or Words(dict.fromkeys(self.languages, ""))
        if isinstance(value, str) and not value.strip() and len(self.languages) == 1:
            what = f"{format_path(path)} has no text"
            self.problems.append(Problem(self.places.place(*path), what, "write one"))
        return words

    def _build_credit(self, written: Any, path: tuple[Any, ...]) -> Words:
        """Return a credit in every language. A plain text is used for all of them, and a missing one is empty."""
        if path[0] not in self.places:
            return Words(dict.fromkeys(self.languages, ""))
        value: Any = self.places[path[0]].value
        for step in path[1:]:
            value = value[step]
        return (
            Words(dict.fromkeys(self.languages, value)) if isinstance(value, str) else self._build_words(written, path)
        )

    def _build_kind(self, data: Any, path: tuple[Any, ...]) -> Kind:
        raw = self.places["components"].value[path[-1]]["designs"]
        components = self.places["components"]
        parts = [(components.place(path[-1], "designs", n), value) for n, value in enumerate(raw)]
        designs = [Source(part.file, value, (part.line, part.column)) for part, value in parts]
        made = self._build_part(Kind, data, path, **read_kind_values(path[-1], data, designs, self.places, self.reader))
        if made.option not in {one.switch for one in self.data.readings if one.value is False}:
            return made
        return replace(made, left_out=True, designs=tuple(replace(design, count=0) for design in made.designs))

    def _build_zone(self, data: Any, path: tuple[Any, ...]) -> ZoneEntry:
        """Build a zone. Its words are the whole value, or its `name`."""
        written = self.places["zones"].value[path[-1]]
        inner = (*path, "name") if isinstance(written, Mapping) and "name" in written else path
        name = self._build_words(written, inner)
        return self._build_part(ZoneEntry, data, path, name=name, place=self.places.place(*inner))

    def _build_font(self, chains: Mapping[str, Any], path: tuple[Any, ...]) -> FontFamily:
        """Build a family by style and language from data by language and style."""
        regular, bold, italic = (
            {lang: tuple(getattr(chain, style)) for lang, chain in chains.items()}
            for style in ("regular", "bold", "italic")
        )
        weights = {
            lang: {weight: tuple(files) for weight, files in chain.weights.items()}
            for lang, chain in chains.items()
            if chain.weights
        }
        return FontFamily(regular, bold, italic, weights, self.places.place(*path))

    def _build_arrangement(self, written: Any, path: tuple[Any, ...]) -> Any:
        return tuple(self._build_arrangement(one, path) for one in written) if isinstance(written, list) else written

    def _freeze_value(self, value: Any, path: tuple[Any, ...]) -> Any:
        """Return a free-form value, read-only. A mapping whose keys are languages becomes a text."""
        if isinstance(value, Mapping):
            if value and len(self.languages) > 1 and any(key in self.languages for key in value):
                return self.reader.read_words(value, _AllSections(self.places), path)
            return MappingProxyType({key: self._freeze_value(part, (*path, key)) for key, part in value.items()})
        if isinstance(value, list):
            return tuple(self._freeze_value(part, (*path, EntryNumber(n))) for n, part in enumerate(value))
        return value


_MAKERS: Mapping[Any, Callable[[_Assembly, Any, tuple[Any, ...]], Any]] = {
    Words: _Assembly._build_words,
    Words | None: lambda maker, written, path: maker._build_words(written, path) if written else None,
    Credit: _Assembly._build_credit,
    Credit | None: lambda maker, written, path: maker._build_credit(written, path) if written else None,
    Kind: _Assembly._build_kind,
    # an icon's drawing is named after its id, unless the data name another
    IconEntry: lambda maker, data, path: maker._build_part(IconEntry, data, path, art=data.art or path[-1]),
    ZoneEntry: _Assembly._build_zone,
    Colour: lambda maker, data, path: maker._build_part(
        Colour, data, path, srgb=data.srgb.lower(), cmyk=tuple(data.cmyk) if data.cmyk else None
    ),
    FontFamily: _Assembly._build_font,
    Mapping[str, Reading]: lambda maker, written, path: {
        one.id: one
        for one in (maker._build_part(Reading, data, (*path, EntryNumber(n))) for n, data in enumerate(written))
    },
    Arrangement: _Assembly._build_arrangement,
}
"""Builders for types that the data write differently from the model."""


class _AllSections(Source):
    def __init__(self, places: Sections):
        super().__init__("", None)
        self._places = places

    def place(self, *path: Any) -> Place:
        return _require_place(self._places.place, path)

    def key_place(self, *path: Any) -> Place:
        return _require_place(self._places.key_place, path)


def _require_place(find: Callable[..., Place | None], path: tuple[Any, ...]) -> Place:
    place = find(*path)
    assert place is not None, path  # noqa: S101 - the value at the path was read from a section
    return place


def make_bare_game(title: Words, name: str = "", draft: str = "") -> Game:
    """Return a game without components, for pages that need only its title, languages and fonts."""
    nobody = Words(dict.fromkeys(title, ""))
    return Game(
        id=name,
        title=title,
        draft=draft,
        date="",
        languages=tuple(title),
        players=Players(1, 1),
        credit=nobody,
        licence=nobody,
        kinds={},
        palette={"ink": INK},
    )
