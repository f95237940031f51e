"""Values that templates see: the game, its kinds and designs, read-only, in one language."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property, partial
from types import MappingProxyType
from typing import Any, Literal, Protocol

from generator.base.cache import hash_value
from generator.base.errors import Place, Problem, ProblemsFound
from generator.base.languages import first_language, second_language
from generator.game.data_fields import Operation, collect_values
from generator.game.game_cache import ReadLog, Reads
from generator.game.model import Design, Effect, FaceName, Game, Kind
from generator.game.rich_text import Words

ABSENT: Any = object()
_BUSY: Any = object()


class Expand(Protocol):
    """Function that fills in the `{{ ... }}` of a text. It raises ProblemsFound at `place` if a name is missing."""

    def __call__(self, text: str, variables: Mapping[str, Any], place: Place | None) -> str:
        """Return the text with each `{{ ... }}` replaced by its value."""


Path = tuple[Any, ...]
"""The path of a value below the object that is read: ("cost", 0), ("words", "wheel_event")."""


NO_OPERATIONS: Mapping[str, Operation] = MappingProxyType({})


class ValueReader:
    """A converter from the data's values to those of templates in `lang`. Texts with `{{` are filled in on first use.

    A value that is long and seldom used may be a `partial` that returns it. `reads` notes which values are read, by
    their path below `root`; values without a root are part of one that has been noted.
    """

    __slots__ = ("_expand", "_name", "_operations", "_place_of", "lang", "reads", "root", "variables")

    def __init__(
        self,
        lang: str,
        expand: Expand,
        place_of: Callable[[Path], Place | None],
        name: str = "",
        operations: Mapping[str, Operation] = NO_OPERATIONS,
        reads: ReadLog | None = None,
        root: str | None = None,
    ):
        self.lang = lang
        self.reads, self.root = reads, root
        self._expand = expand
        self._operations = operations
        self._place_of = place_of
        self._name = name
        self.variables: dict[str, Any] = {}

    def note_read(self, kind: Literal["value", "names"], path: Path) -> None:
        """Note that a template read the value at `path`, or the names of the values in it."""
        if self.reads is not None and self.root is not None:
            self.reads.note_reads([(kind, (self.lang, self.root, *path))])

    def read_value(self, value: Any, path: Path) -> Any:
        """Return the value at `path` as a template sees it."""
        if isinstance(value, Words):
            path = (*path, self.lang)
            value = value[self.lang]
        if isinstance(value, partial):
            value = value()
        if isinstance(value, str):
            filled_in = "{{" in value or "{%" in value
            return self._expand(value, self.variables, self._place_of(path)) if filled_in else value
        if isinstance(value, Mapping):
            return View(value, self, path)
        if isinstance(value, (list, tuple)):
            return tuple([self.read_value(entry, (*path, index)) for index, entry in enumerate(value)])
        return self._read_effect(value, path) if isinstance(value, Effect) else value

    def _read_effect(self, effect: Effect, path: Path) -> "View":
        """Return an effect with its arguments and `text`, its operation's phrase, which uses them as names."""
        operation = self._operations[effect.op]

        def place_of(inner: Path) -> Place | None:
            return operation.place if inner[:1] == ("text",) else self._place_of((*path, *inner))

        reader = ValueReader(self.lang, self._expand, place_of, self.format_path(path), self._operations, self.reads)
        view = View({**effect.values, "op": effect.op, "text": operation.says}, reader)
        reader.variables = {**self.variables, **{name: view[name] for name in effect.values}}
        return view

    def format_path(self, path: Path) -> str:
        """Return the name of a path in messages: `card`, `card.cost`, `words.wheel_event`."""
        return ".".join(map(str, (self._name, *path) if self._name else path))

    def explain_circle(self, path: Path) -> ProblemsFound:
        """Return the error for a text that depends on itself."""
        return ProblemsFound([Problem(self._place_of(path), f"the text {self.format_path(path)} refers to itself")])


class View:
    """A mapping without methods, so that fields may have any name: `card.items`, `card.count`, `icons['wheat']`."""

    __slots__ = ("_grounds", "_path", "_raw", "_read", "_reader")

    def __init__(self, raw: Mapping[Any, Any], reader: ValueReader, path: Path = ()):
        self._raw = raw
        self._reader = reader
        self._path = path
        self._read: dict[Any, Any] = {}
        self._grounds: dict[Any, Reads] = {}

    def __getitem__(self, name: Any) -> Any:
        value = look_up(self, name)
        if value is ABSENT:
            raise KeyError(name)
        return value

    def __iter__(self) -> Iterator[Any]:
        self._reader.note_read("names", self._path)
        return iter(self._raw)

    def __len__(self) -> int:
        self._reader.note_read("names", self._path)
        return len(self._raw)

    def __contains__(self, name: Any) -> bool:
        self._reader.note_read("names", self._path)
        return name in self._raw

    def __str__(self) -> str:
        return self._reader.format_path(self._path)


def look_up(view: View, name: Any) -> Any:
    """Return the value of a field, or ABSENT."""
    read, log = view._read, view._reader.reads
    if log is not None:
        view._reader.note_read("value", (*view._path, name))
    value = read.get(name, ABSENT)
    if value is ABSENT:
        raw = view._raw.get(name, ABSENT)
        if raw is ABSENT or raw is None or type(raw) is int:
            return raw
        text = raw[view._reader.lang] if type(raw) is Words else raw
        if type(text) is str and "{" not in text:  # nothing to fill in
            read[name] = text
            return text
        path = (*view._path, name)
        read[name] = _BUSY
        try:
            if log is None:
                value = view._reader.read_value(raw, path)
            else:
                with log.record() as view._grounds[name]:
                    value = view._reader.read_value(raw, path)
        finally:
            del read[name]
        read[name] = value
    elif value is _BUSY:
        raise view._reader.explain_circle((*view._path, name))
    elif log is not None and name in view._grounds:
        log.note_reads(view._grounds[name])
    return value


def list_entries(view: View | Mapping[Any, Any]) -> Iterable[tuple[Any, Any]]:
    """Return (key, value) pairs, for `{% for id, icon in icons | items %}`."""
    return [(name, view[name]) for name in view]


class GameViews:
    """The variables of templates. The game's are created once per language, the kind's once per face."""

    def __init__(
        self,
        game: Game,
        expand: Expand,
        functions: Mapping[str, Any],
        notice_card: Callable[[], None] = lambda: None,
        reads: ReadLog | None = None,
    ):
        """Call `notice_card` if `second.card` is used. `expand` fills in texts; templates get `functions`."""
        self._notice_card = notice_card
        self._reads = reads
        if reads is not None:
            reads.look |= {"value": self._digest_value, "names": self._digest_names}
        self._game = game
        self._expand = expand
        self._functions = functions
        self._shared: dict[str, dict[str, Any]] = {}
        self._sections: dict[str, View] = {}
        self._faces: dict[tuple[str, FaceName, str], dict[str, Any]] = {}

    def make_variables(self, design: Design, face: FaceName, lang: str) -> dict[str, Any]:
        """Return the variables for a face of a design: card, kind, game, icons, kinds, lang, face, sizes, sections.

        With two languages (`ja+en`) these are in the first, and `second` has the same names in the second.
        """
        second = second_language(lang)
        if second:
            there = self.make_variables(design, face, second)
            names = {name: value for name, value in there.items() if name not in self._functions}
            beside = View(names, _SecondReader(second, self._expand, self._notice_card, self.note_variable))
            return {**self.make_variables(design, face, first_language(lang)), "second": beside}
        key = (design.kind, face, lang)
        common = self._faces.get(key)
        if common is None:
            kind = self._game.kinds[design.kind]
            shared = self.make_game_variables(lang)
            own = {"kind": shared["kinds"][kind.id], "face": face, **_collect_measures(kind)}
            common = self._faces[key] = {**shared, **own}
        variables = dict(common)
        reader = ValueReader(lang, self._expand, lambda path: design.source.place(*path), "card", self._game.operations)
        reader.reads, reader.root = self._reads, design.id
        reader.variables = variables
        variables["card"] = View(_collect_card_values(design), reader)
        return variables

    def make_game_variables(self, lang: str) -> dict[str, Any]:
        """Return the variables that belong to no face: game, icons, kinds, lang, sections."""
        Words.heard.add(lang)  # even if its texts were read before
        shared = self._shared.get(lang)
        if shared is None:
            shared = self._shared[lang] = self._make_language_values(lang)
        return shared

    def note_variable(self, lang: str, name: str) -> None:
        """Record that a template read variable `name` in this language, and the values on which the variable rests."""
        if self._reads is not None and lang in self._sections:  # not in an imported file
            grounds = self._sections[lang]._grounds.get(name, ())
            self._reads.note_reads([("value", (lang, "", name)), *grounds])

    @cached_property
    def _roots(self) -> dict[str, Mapping[Any, Any]]:
        """The game's values by the first name of their path: `icons`, `kinds`, `game`, or '' for a section."""
        game = self._game
        return {
            "": {**game.sections, "setup": tuple(map(collect_values, game.setup))},
            "icons": {name: {"id": name, **collect_values(icon)} for name, icon in game.icons.items()},
            "kinds": {kind.id: _collect_kind_fields(kind) for kind in game.kinds.values()},
            "game": {**game.sections, "id": game.id, **game.facts, "switches": game.switches},
        }

    def _find_value(self, path: Path) -> Any:
        """Return the value at a path, which begins with a root or the id of a design. ABSENT if there is none."""
        root, *steps = path
        try:
            value: Any = _collect_card_values(self._game.design(str(root)))
        except KeyError:
            value = self._roots.get(root, ABSENT)
        for step in steps:
            value = value() if isinstance(value, partial) else value
            if isinstance(value, Mapping):
                value = value.get(step, ABSENT)
            else:
                listed = isinstance(value, (list, tuple)) and isinstance(step, int) and step < len(value)
                value = value[step] if listed else ABSENT
        return value() if isinstance(value, partial) else value

    def _digest_value(self, place: Path) -> str:
        """Return a digest of the value at (language, *path), without that of the groups in it, which are read apart."""
        lang, *path = place

        def describe(value: Any) -> Any:
            if isinstance(value, Words):
                return value[lang]
            if isinstance(value, Mapping):
                return "a group"
            if isinstance(value, (list, tuple)):
                return [describe(entry) for entry in value]
            if isinstance(value, Effect):
                return value.op, dict(value.values), self._game.operations[value.op].says[lang]
            return value

        value = self._find_value(tuple(path))
        return "" if value is ABSENT else hash_value(describe(value))

    def _digest_names(self, place: Path) -> str:
        """Return a digest of the names of the values at (language, *path)."""
        value = self._find_value(place[1:])
        return hash_value(list(value)) if isinstance(value, Mapping) else ""

    def make_view(self, raw: Mapping[Any, Any], name: str, lang: str, place: Place | None = None) -> View:
        """Return data outside sections as templates see them; messages call them `name`, and have this place."""
        reader = ValueReader(lang, self._expand, lambda _path: place, name, self._game.operations)
        reader.variables = self.make_game_variables(lang)
        return View(raw, reader)

    def collect_fields(self, design: Design, lang: str, more: Mapping[str, Any]) -> View:
        """Return the fields of a design, and those of `more` that it lacks."""
        card: View = self.make_variables(design, "front", lang)["card"]
        return View({**more, **card._raw}, card._reader)

    def _make_language_values(self, lang: str) -> dict[str, Any]:
        game = self._game
        shared: dict[str, Any] = dict(self._functions)

        def view(name: str) -> View:
            reader = ValueReader(lang, self._expand, lambda path: game.places.place(*path), name, game.operations)
            reader.reads, reader.root = self._reads, name
            reader.variables = shared
            return View(self._roots[name], reader)

        sections = self._sections[lang] = view("")
        shared |= {"icons": view("icons"), "kinds": view("kinds"), "game": view("game"), "lang": lang}
        # Sections with nested values first: a text at the top level may refer to any of them.
        for name in sorted(sections, key=lambda name: not isinstance(game.sections.get(name), Mapping)):
            shared.setdefault(name, sections[name])
        return shared


class _SecondReader(ValueReader):
    """A reader of variables that already have their values in the second language. A use of its card is noted."""

    __slots__ = ("_note_variable", "_notice_card")

    def __init__(
        self, lang: str, expand: Expand, notice_card: Callable[[], None], note_variable: Callable[[str, str], None]
    ):
        super().__init__(lang, expand, lambda _path: None, "second")
        self._notice_card, self._note_variable = notice_card, note_variable

    def note_read(self, kind: Literal["value", "names"], path: Path) -> None:  # noqa: ARG002 - names never change
        """Note that a template used a variable in the second language."""
        if path:
            self._note_variable(self.lang, path[0])

    def read_value(self, value: Any, path: Path) -> Any:
        if path == ("card",):
            self._notice_card()
        return value


def _collect_kind_fields(kind: Kind) -> dict[str, Any]:
    told = collect_values(kind, "size", "designs", "fields", "spaces")
    return {
        "id": kind.id,
        **told,
        "count": kind.count,
        "designs": partial(lambda designs: tuple(map(_collect_card_values, designs)), kind.designs),
        **_collect_measures(kind),
    }


def _collect_card_values(design: Design) -> dict[str, Any]:
    return {**design.fields, "id": design.id, "count": design.count}


def _collect_measures(kind: Kind) -> dict[str, float]:
    return {"width": kind.size.width, "height": kind.size.height, "bleed": kind.bleed, "safe": kind.safe}


_FILLED_IN = r"(?s)\{\{.*?\}\}|\{%.*?%\}"


def find_text_place(game: Game, design: Design, text: str) -> Place | None:
    """Return where the data define a text of a face, or most of it. Return None if it is the template's own."""
    sought = text.strip()
    own = [(design.source.place, path, found) for path, found in _find_texts(design.fields, ())]
    names = {kind.id: {"name": kind.name} for kind in game.kinds.values()}
    texts = {"title": game.title, "components": names, **game.sections}
    shared = [(game.places.place, path, found) for path, found in _find_texts(texts, ())]
    best, best_length = None, len(sought) // 3
    for place, path, found in [*own, *shared]:
        if len(found) > best_length and _is_shown(sought, found.strip()):
            best, best_length = place(*path) or design.place, len(found)
    return best


def _is_shown(text: str, source: str) -> bool:
    if "{{" not in source and "{%" not in source:
        return bool(source) and source in text
    literal = [re.escape(part) for part in re.split(_FILLED_IN, source)]
    return any(part.strip() for part in literal) and bool(re.search(".*?".join(literal), text, re.DOTALL))


def _find_texts(value: Any, path: Path) -> Iterator[tuple[Path, str]]:
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, (Words, Mapping)):
        for key, entry in value.items():
            yield from _find_texts(entry, (*path, key))
    elif isinstance(value, (list, tuple)):
        for index, entry in enumerate(value):
            yield from _find_texts(entry, (*path, index))
