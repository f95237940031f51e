"""A game's folder to the frozen `Game`: shape by the schema, then everything that needs more than one value."""

from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import takewhile
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pydantic import ValidationError

from generator.errors import Place, Problem, ProblemsFound, did_you_mean
from generator.load.blanks import blank_slips
from generator.load.fields import FieldReader, other_language
from generator.load.kinds import build_kind, checked_specs
from generator.load.options import with_option
from generator.load.schema import GameData
from generator.load.sections import UNFINISHED, read_sections
from generator.load.spaces import with_spaces
from generator.load.wording import explain
from generator.model.game import (
    CheckSpec,
    Colour,
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
    ZoneEntry,
)
from generator.model.resources import Resources
from generator.model.scripts import unset_text
from generator.model.source import Sections, Source
from generator.model.text import Words

INK = Colour("#000000", (0.0, 0.0, 0.0, 100.0))
"""Black only; every palette has it."""

NO_SPOTS = ("all", "none", "cyan", "magenta", "yellow", "black")
"""Names of plates that a PDF gives a meaning of its own, in lower case."""


def load_game(folder: Path, resources: Resources) -> Game:
    """The game of a folder such as data/fortuna; ProblemsFound with all that is wrong with its files."""
    try:
        return _loaded(folder, resources)
    finally:
        resources.told("")


def _loaded(folder: Path, resources: Resources) -> Game:
    places, marks, problems = read_sections(folder, resources)
    data, found = validate(places)
    problems += found
    if data is None:
        raise ProblemsFound(problems)
    assembly = _Assembly(data, places, problems)
    game = assembly.game(folder.name.removeprefix(UNFINISHED), marks)
    if problems:
        raise ProblemsFound(problems)
    return game


def validate(places: Sections) -> tuple[GameData | None, list[Problem]]:
    """The sections in the schema's types, or every finding about their shape."""
    raw = {name: section.value for name, section in places.items()}
    try:
        return GameData.model_validate(raw), []
    except ValidationError as error:
        problems = []
        for detail in error.errors(include_url=False):
            path = tuple(step for step in detail["loc"] if step != "[key]")
            at_key = detail["type"] == "extra_forbidden" or "[key]" in detail["loc"]
            place = places.key_place(*path) if at_key else places.place(*path)
            if place is None:
                place = Place(
                    places["format"].parts[0].file if "format" in places else next(iter(places.values())).parts[0].file
                )
            problems.append(Problem(place, *explain(detail, GameData)))
        return None, problems


class _Assembly:
    """Builds the frozen values of one game; what contradicts goes to `problems`."""

    def __init__(self, data: GameData, places: Sections, problems: list[Problem]):
        self.data, self.places, self.problems = data, places, problems
        self.languages = tuple(data.languages)
        takes = {
            name: checked_specs(("operations", name, "takes"), operation.takes, places, problems)
            for name, operation in data.operations.items()
        }
        self.reader = FieldReader(self.languages, data.icons, (*data.palette, "ink"), takes, problems)

    def game(self, folder: str, marks: Mapping[str, str]) -> Game:
        data = self.data
        kinds = {name: self._kind(name) for name in data.components}
        self._unique((design.id, design.place) for kind in kinds.values() for design in kind.designs)
        return Game(
            id=folder,
            title=self._label("title"),
            draft=data.draft,
            date=data.date,
            languages=self.languages,
            players=self._players(),
            credit=self._credit("credit"),
            licence=self._credit("licence"),
            kinds=MappingProxyType(kinds),
            icons=MappingProxyType({name: self._icon(name) for name in data.icons}),
            operations=MappingProxyType({name: self._operation(name) for name in data.operations}),
            palette=MappingProxyType(self._palette()),
            fonts=MappingProxyType({name: self._font(name) for name in data.fonts}),
            told_apart=self._told_apart(),
            readings=MappingProxyType(self._readings()),
            checks=self._checks(),
            sections=MappingProxyType({name: self._free(name) for name in ("rules", "words")}),
            marks=MappingProxyType(dict(marks)),
            rules_module=data.rules_module,
            minutes=data.minutes,
            age=data.age,
            overview=self._words("overview") if data.overview else None,
            origin=MappingProxyType(data.source.model_dump()),
            setup=self._setup(),
            not_included=tuple(self._words("not_included", n) for n in range(len(data.not_included))),
            examples=self._examples(),
            glossary=MappingProxyType({name: self._term(name) for name in data.glossary}),
            moves=MappingProxyType({name: self._move(name) for name in data.moves}),
            zones=MappingProxyType({name: self._zone(name) for name in data.zones}),
            places=self.places,
        )

    def _problem(self, what: str, hint: str, *path: Any, key: bool = False) -> None:
        place = self.places.key_place(*path) if key else self.places.place(*path)
        self.problems.append(Problem(place, what, hint))

    def _words(self, section: str, *path: Any) -> Words:
        value: Any = self.places[section].value
        for step in path:
            value = value[step]
        source = _Rooted(self.places)
        words = self.reader.words(value, source, (section, *path)) or Words(dict.fromkeys(self.languages, ""))
        if isinstance(value, str) and not value.strip() and len(self.languages) == 1:
            self._problem(f"{'.'.join(map(str, (section, *path)))} has no text", "write one", section, *path)
        return words

    def _blanks(self, words: Words, known: Collection[str] | None, section: str, *path: Any) -> Words:
        """The words, whose `{names}` must be some that will be filled in."""
        for lang in self.languages:
            for what, hint in blank_slips(f"{'.'.join(map(str, (section, *path)))}", words[lang], known):
                self._problem(what, hint, section, *path, lang)
        return words

    def _label(self, section: str, *path: Any) -> Words:
        """A text that the program prints beside the art too, in labels: what it can't set is a problem."""
        words = self._words(section, *path)
        for lang, text in words.items():
            self.problems += [Problem(self.places.place(section, *path, lang), *fault) for fault in unset_text(text)]
        return words

    def _credit(self, section: str) -> Words:
        """Whose the game is, in every language; a plain text holds for all of them."""
        value = self.places[section].value
        return Words(dict.fromkeys(self.languages, value)) if isinstance(value, str) else self._words(section)

    def _players(self) -> Players:
        fewest, most = self.data.players.fewest, self.data.players.most
        if fewest > most:
            self._problem(f"players.most is {most}, less than players.fewest, {fewest}", "swap them", "players", "most")
        return Players(fewest, most)

    def _kind(self, name: str) -> Kind:
        raw = self.places["components"].value[name]["designs"]
        designs = [
            Source(part.file, value, (part.line, part.column))
            for part, value in ((self.places["components"].place(name, "designs", n), v) for n, v in enumerate(raw))
        ]
        data = self.data.components[name]
        title = self._label("components", name, "name")
        called = self._words("components", name, "called") if data.called else None
        if called:
            self._blanks(called, ("id", *data.fields), "components", name, "called")
        kind = build_kind(name, title, data, designs, self.places, self.reader, called)
        kind = with_spaces(kind, data.spaces, self.data.components, self.places, self.problems)
        return with_option(kind, data.option, self.data.readings, self.places, self.problems)

    def _icon(self, name: str) -> IconEntry:
        data = self.data.icons[name]
        if data.colour not in self.data.palette and data.colour != "ink":
            hint = did_you_mean(data.colour, self.data.palette)
            self._problem(f"unknown colour '{data.colour}'", hint, "icons", name, "colour")
        place = self.places.place("icons", name)
        named = self._words("icons", name, "name")
        return IconEntry(name, named, data.colour, data.letter, data.art or name, place, data.colour_tells)

    def _move(self, name: str) -> Words:
        """What a move is called; which names are filled in is the rules' affair."""
        return self._blanks(self._words("moves", name), None, "moves", name)

    def _zone(self, name: str) -> ZoneEntry:
        """A place for pieces; its words stand alone or as its `name`."""
        written = self.places["zones"].value[name]
        inner = ("name",) if isinstance(written, Mapping) and "name" in written else ()
        place = self.places.place("zones", name, *inner)
        words = self._blanks(self._words("zones", name, *inner), ("n", "m"), "zones", name, *inner)
        return ZoneEntry(name, words, self.data.zones[name].back, place)

    def _operation(self, name: str) -> Operation:
        return Operation(name, self._words("operations", name, "says"), self.places.place("operations", name))

    def _palette(self) -> dict[str, Colour]:
        if "ink" in self.data.palette:
            self._problem(
                "'ink' is reserved and always means black only", "choose another name", "palette", "ink", key=True
            )
        palette = {"ink": INK}
        for name, data in self.data.palette.items():
            cmyk = (data.cmyk[0], data.cmyk[1], data.cmyk[2], data.cmyk[3]) if data.cmyk else None
            palette[name] = Colour(data.srgb.lower(), cmyk, data.spot, self.places.place("palette", name))
        self._check_spots(palette)
        return palette

    def _check_spots(self, palette: Mapping[str, Colour]) -> None:
        """A spot ink is a plate of its own, and one ink looks one way."""
        first: dict[str, str] = {}
        for name, colour in palette.items():
            if colour.spot.lower() in NO_SPOTS:
                what = f"'{colour.spot}' is no spot ink: it means plates that every press has"
                hint = "name the ink as its maker does, such as DIC 156, or leave `spot:` out"
                self._problem(what, hint, "palette", name, "spot")
            same = palette[first.setdefault(colour.spot, name)] if colour.spot else colour
            if (same.srgb, same.cmyk) != (colour.srgb, colour.cmyk):
                what = f"the spot ink '{colour.spot}' looks otherwise in '{first[colour.spot]}'"
                self._problem(what, "give both the same `srgb:` and `cmyk:`", "palette", name, "spot")

    def _font(self, name: str) -> FontFamily:
        chains = self.data.fonts[name]
        for lang in self.languages:
            if lang not in chains:
                what = f"the font family '{name}' has no files for '{lang}'"
                self._problem(what, f"add `{lang}: {{regular: [...]}}`", "fonts", name, key=True)
        for lang in chains:
            if lang not in self.languages:
                what = f"fonts.{name}.{lang} is no language of this game"
                self._problem(what, other_language(lang, self.languages), "fonts", name, lang, key=True)
        return FontFamily(
            regular={lang: tuple(chain.regular) for lang, chain in chains.items()},
            bold={lang: tuple(chain.bold) for lang, chain in chains.items()},
            italic={lang: tuple(chain.italic) for lang, chain in chains.items()},
            place=self.places.place("fonts", name),
        )

    def _told_apart(self) -> tuple[tuple[str, ...], ...]:
        for row, names in enumerate(self.data.told_apart):
            for column, name in enumerate(names):
                if name not in self.data.icons:
                    hint = did_you_mean(name, self.data.icons)
                    self._problem(f"unknown icon '{name}'", hint, "told_apart", row, column)
        return tuple(tuple(names) for names in self.data.told_apart)

    def _readings(self) -> dict[str, Reading]:
        readings: dict[str, Reading] = {}
        switches: dict[str, str] = {}
        for n, data in enumerate(self.data.readings):
            if data.id in readings:
                self._problem(f"the reading {data.id} is given twice", "number one of them anew", "readings", n, "id")
            if data.switch and data.switch in switches:
                what = f"the switch '{data.switch}' already belongs to {switches[data.switch]}"
                self._problem(what, "give each switch to one reading", "readings", n, "switch")
            if data.switch and data.choices and data.value not in data.choices:
                what = f"the switch '{data.switch}' is set to '{data.value}', which is none of its choices"
                self._problem(what, did_you_mean(str(data.value), map(str, data.choices)), "readings", n, "value")
            switches.setdefault(data.switch or "", data.id)
            readings[data.id] = Reading(
                id=data.id,
                passage=data.passage,
                problem=self._words("readings", n, "problem"),
                reading=self._words("readings", n, "reading"),
                switch=data.switch or "",
                value=data.value,
                choices=tuple(data.choices),
                place=self.places.place("readings", n),
            )
        return readings

    def _checks(self) -> tuple[CheckSpec, ...]:
        known = {reading.id for reading in self.data.readings}
        checks, seen = [], set[str]()
        for n, data in enumerate(self.data.checks):
            if data.id in seen:
                self._problem(f"the check {data.id} is given twice", "rename one of them", "checks", n, "id")
            seen.add(data.id)
            if [bool(data.function), bool(data.computed and data.expected), data.undecided].count(True) != 1:
                what = f"the check {data.id} needs `computed` and `expected`, or `function`, or `undecided: true`"
                self._problem(what, "give one of them", "checks", n)
            if data.reading and data.reading not in known:
                self._problem(
                    f"unknown reading '{data.reading}'", did_you_mean(data.reading, known), "checks", n, "reading"
                )
            says, place = self._words("checks", n, "says"), self.places.place("checks", n)
            how = (data.computed, data.expected, data.function, data.reading, data.undecided)
            checks.append(CheckSpec(data.id, says, *how, place))
        return tuple(checks)

    def _examples(self) -> tuple[Example, ...]:
        self._unique_names("examples", [data.id for data in self.data.examples])
        for n, data in enumerate(self.data.examples):
            if not self.data.players.fewest <= data.players <= self.data.players.most:
                what = f"the example {data.id} has {data.players} players"
                hint = f"this game is for {self.data.players.fewest} to {self.data.players.most}"
                self._problem(what, hint, "examples", n, "players")
        return tuple(
            Example(
                id=data.id,
                says=self._words("examples", n, "says") if data.says else None,
                players=data.players,
                options=MappingProxyType(data.options),
                given=MappingProxyType(data.given),
                moves=tuple(data.do),
                expected=MappingProxyType(data.expect),
                place=self.places.place("examples", n),
            )
            for n, data in enumerate(self.data.examples)
        )

    def _unique_names(self, section: str, names: list[str]) -> None:
        for n, name in enumerate(names):
            if name in names[:n]:
                self._problem(f"'{name}' is given twice in {section}", "rename one of them", section, n, "id")

    def _term(self, name: str) -> GlossaryEntry:
        """An entry of the glossary; a term that two entries share in a language is a problem."""
        term, says = self._words("glossary", name, "term"), self._words("glossary", name, "says")
        for lang, text in term.items():
            earlier = takewhile(lambda other: other != name, self.data.glossary)
            twin = next((other for other in earlier if self.data.glossary[other].term.get(lang) == text), None)
            if twin:
                what = f"the term '{text}' already belongs to '{twin}'"
                self._problem(what, "keep one of them", "glossary", name, "term", lang)
        return GlossaryEntry(name, term, says, self.data.glossary[name].kana, self.places.place("glossary", name))

    def _setup(self) -> tuple[SetupItem, ...]:
        for n, data in enumerate(self.data.setup):
            if data.from_ not in self.data.components:
                hint = did_you_mean(data.from_, self.data.components)
                self._problem(f"unknown component '{data.from_}'", hint, "setup", n, "from")
        return tuple(
            SetupItem(data.from_, data.take, data.each_player, self.places.place("setup", n))
            for n, data in enumerate(self.data.setup)
        )

    def _free(self, section: str) -> Any:
        if section not in self.places:
            return MappingProxyType({})
        return self._freeze(self.places[section].value, (section,))

    def _freeze(self, value: Any, path: tuple[Any, ...]) -> Any:
        """Free-form values, read-only; a mapping whose keys are languages is a text."""
        if isinstance(value, Mapping):
            if value and len(self.languages) > 1 and any(key in self.languages for key in value):
                return self.reader.words(value, _Rooted(self.places), path)
            return MappingProxyType({key: self._freeze(part, (*path, key)) for key, part in value.items()})
        if isinstance(value, list):
            return tuple(self._freeze(part, (*path, n)) for n, part in enumerate(value))
        return value

    def _unique(self, ids: Iterable[tuple[str, Place]]) -> None:
        first: dict[str, Place] = {}
        for name, place in ids:
            if name in first:
                what = f"the id '{name}' is given twice (first in line {first[name].line})"
                self.problems.append(Problem(place, what, "give each design an id of its own"))
            first.setdefault(name, place)


class _Rooted(Source):
    """All sections seen as one source, for readers that report by full path."""

    def __init__(self, places: Sections):
        super().__init__("", None)
        self._places = places

    def place(self, *path: Any) -> Place:
        return _known(self._places.place, path)

    def key_place(self, *path: Any) -> Place:
        return _known(self._places.key_place, path)


def _known(find: Callable[..., Place | None], path: tuple[Any, ...]) -> Place:
    place = find(*path)
    assert place is not None, path  # noqa: S101 - the value at the path was read from a section
    return place
