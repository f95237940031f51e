"""Values that templates see: the game, its kinds and designs, read-only, in one language."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any, Protocol

from generator.base.errors import Place, Problem, ProblemsFound
from generator.base.languages import first_language, second_language
from generator.game.data_fields import Operation, collect_values
from generator.game.model import Design, Effect, FaceName, Game, Kind
from generator.game.rich_text import Words

ABSENT: Any = object()
_BUSY: Any = object()


class Expand(Protocol):
    """Function that fills in the `{{ ... }}` of a text. It raises ProblemsFound at `place` if a name is missing."""

    def __call__(self, text: str, variables: Mapping[str, Any], place: Place | None) -> str:
        """Return the text with its values."""


Path = tuple[Any, ...]
"""The path of a value below the object that is read: ("cost", 0), ("words", "wheel_event")."""


NO_OPERATIONS: Mapping[str, Operation] = MappingProxyType({})


class ValueReader:
    """A converter from the data's values to those of templates in `lang`. Texts with `{{` are filled in on first use.

    A value that is long and seldom used may be a `partial` that returns it.
    """

    __slots__ = ("_expand", "_name", "_operations", "_place_of", "lang", "variables")

    def __init__(
        self,
        lang: str,
        expand: Expand,
        place_of: Callable[[Path], Place | None],
        name: str = "",
        operations: Mapping[str, Operation] = NO_OPERATIONS,
    ):
        self.lang = lang
        self._expand = expand
        self._operations = operations
        self._place_of = place_of
        self._name = name
        self.variables: dict[str, Any] = {}

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

        reader = ValueReader(self.lang, self._expand, place_of, self.format_path(path), self._operations)
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

    __slots__ = ("_path", "_raw", "_read", "_reader")

    def __init__(self, raw: Mapping[Any, Any], reader: ValueReader, path: Path = ()):
        self._raw = raw
        self._reader = reader
        self._path = path
        self._read: dict[Any, Any] = {}

    def __getitem__(self, name: Any) -> Any:
        value = look_up(self, name)
        if value is ABSENT:
            raise KeyError(name)
        return value

    def __iter__(self) -> Iterator[Any]:
        return iter(self._raw)

    def __len__(self) -> int:
        return len(self._raw)

    def __contains__(self, name: Any) -> bool:
        return name in self._raw

    def __str__(self) -> str:
        return self._reader.format_path(self._path)


def look_up(view: View, name: Any) -> Any:
    """Return the value of a field, or ABSENT."""
    read = view._read
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
            value = view._reader.read_value(raw, path)
        finally:
            del read[name]
        read[name] = value
    elif value is _BUSY:
        raise view._reader.explain_circle((*view._path, name))
    return value


def list_entries(view: View | Mapping[Any, Any]) -> Iterable[tuple[Any, Any]]:
    """Return (key, value) pairs, for `{% for id, icon in icons | items %}`."""
    return [(name, view[name]) for name in view]


class GameViews:
    """The variables of templates. The game's are created once per language, the kind's once per face."""

    def __init__(
        self, game: Game, expand: Expand, functions: Mapping[str, Any], notice_card: Callable[[], None] = lambda: None
    ):
        """Call `notice_card` when a template uses the card in its second language."""
        self._notice_card = notice_card
        self._game = game
        self._expand = expand
        self._functions = functions
        self._shared: dict[str, dict[str, Any]] = {}
        self._faces: dict[tuple[str, FaceName, str], dict[str, Any]] = {}

    def make_variables(self, design: Design, face: FaceName, lang: str) -> dict[str, Any]:
        """Return the variables for a face of a design: card, kind, game, icons, kinds, lang, face, sizes, sections.

        With two languages (`ja+en`) these are in the first, and `second` has the same names in the second.
        """
        second = second_language(lang)
        if second:
            there = self.make_variables(design, face, second)
            names = {name: value for name, value in there.items() if name not in self._functions}
            beside = View(names, _SecondReader(self._expand, self._notice_card))
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
        reader.variables = variables
        variables["card"] = View({**design.fields, "id": design.id, "count": design.count}, reader)
        return variables

    def make_game_variables(self, lang: str) -> dict[str, Any]:
        """Return the variables that belong to no face: game, icons, kinds, lang, sections."""
        shared = self._shared.get(lang)
        if shared is None:
            shared = self._shared[lang] = self._make_language_values(lang)
        return shared

    def make_view(self, raw: Mapping[Any, Any], name: str, lang: str, place: Place | None = None) -> View:
        """Return values of the data outside sections; messages call them `name`."""
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

        def view(raw: Mapping[Any, Any], name: str) -> View:
            reader = ValueReader(lang, self._expand, lambda path: game.places.place(*path), name, game.operations)
            reader.variables = shared
            return View(raw, reader)

        sections = view({**game.sections, "setup": tuple(map(collect_values, game.setup))}, "")
        shared |= {
            "icons": view({name: {"id": name, **collect_values(icon)} for name, icon in game.icons.items()}, "icons"),
            "kinds": view({kind.id: _collect_kind_fields(kind) for kind in game.kinds.values()}, "kinds"),
            "game": view({**game.sections, "id": game.id, **game.facts, "switches": game.switches}, "game"),
            "lang": lang,
        }
        # Sections with nested values first: a text at the top level may refer to any of them.
        for name in sorted(sections, key=lambda name: not isinstance(game.sections.get(name), Mapping)):
            shared.setdefault(name, sections[name])
        return shared


class _SecondReader(ValueReader):
    """Values already read in the second language. A use of its card is noted."""

    __slots__ = ("_notice_card",)

    def __init__(self, expand: Expand, notice_card: Callable[[], None]):
        super().__init__("", expand, lambda _path: None, "second")
        self._notice_card = notice_card

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
        "designs": partial(_collect_designs, kind),
        **_collect_measures(kind),
    }


def _collect_designs(kind: Kind) -> tuple[dict[str, Any], ...]:
    return tuple([{**design.fields, "id": design.id, "count": design.count} for design in kind.designs])


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
