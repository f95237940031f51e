"""What stands in a fenced block: YAML with known keys, each read as what it must be; mistakes become problems."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from generator.errors import Place, Problem, ProblemsFound, did_you_mean
from generator.load.wording import describe_value
from generator.load.yaml_source import parse_yaml
from generator.model.source import Map, Source
from generator.rulebook.markdown import Fence, Manuscript

_NOTHING: Any = object()


class Body:
    """The values of a block or of a mapping in it; `name` is for messages, `place` tells where a key stands.

    `begins` is where the block does; `place(key, begins=True)` has the column at which the key's line begins, too.
    """

    def __init__(
        self,
        name: str,
        values: Mapping[str, Any],
        place: Callable[..., Place | None],
        problems: list[Problem],
        begins: Place | None = None,
    ):
        self.name, self._values, self.place, self._problems = name, values, place, problems
        self.begins = begins

    def __contains__(self, key: str) -> bool:
        return key in self._values

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def without(self, *keys: str) -> "Body":
        """The same without some of its keys."""
        values = {key: value for key, value in self._values.items() if key not in keys}
        return Body(self.name, values, self.place, self._problems, self.begins)

    def keys(self, *known: str) -> None:
        """Complains about keys that the block doesn't know."""
        for key in self._values:
            if key not in known:
                what = f"{self.name} has no key '{key}'"
                hint = did_you_mean(str(key), known) if known else "leave the block empty"
                self._problems.append(Problem(self.place(key), what, hint))

    def problem(self, what: str, hint: str, *path: Any) -> None:
        """Something wrong at a key."""
        self._problems.append(Problem(self.place(*path), what, hint))

    def text(self, key: str, default: str = "") -> str:
        """A text; a number is one too."""
        value = self._values.get(key, default)
        if isinstance(value, (str, int, float)) and not isinstance(value, bool):
            return str(value)
        self._wrong(key, "a text")
        return default

    def choice(self, key: str, choices: Iterable[str], default: str) -> str:
        """One of several words."""
        value = self._values.get(key, default)
        if value in (known := list(choices)):
            return str(value)
        what = f"{self.name}.{key} is {describe_value(value)}, which is none of its choices"
        self.problem(what, did_you_mean(str(value), known), key)
        return default

    def flag(self, key: str) -> bool:
        """True or false, false where it is missing."""
        value = self._values.get(key, False)
        if not isinstance(value, bool):
            self._wrong(key, "true or false")
        return value is True

    def number(self, key: str, least: float, most: float) -> float | None:
        """A number within bounds; None where it is missing or wrong."""
        value = self._values.get(key, _NOTHING)
        if value is _NOTHING:
            return None
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            self._wrong(key, "a number")
            return None
        if not least <= value <= most:
            what = f"{self.name}.{key} is {value:g}, but must be from {least:g} to {most:g}"
            self.problem(what, "change the number", key)
            return None
        return float(value)

    def entries(self, key: str) -> list[Any]:
        """A list; one value stands for a list of it, nothing for an empty one."""
        value = self._values.get(key, [])
        if isinstance(value, Mapping):
            self._wrong(key, "a list")
            return []
        return list(value) if isinstance(value, list) else [value]

    def numbers(self, key: str, most: int) -> set[int]:
        """Whole numbers from 1 to `most`, in a list or alone."""
        found = set()
        for value in self.entries(key):
            if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
                self.problem(f"{self.name}.{key} has {value}, but there are 1 to {most}", "change the number", key)
            else:
                found.add(value)
        return found

    def has_mapping(self, key: str) -> bool:
        """Whether a mapping stands there."""
        return isinstance(self._values.get(key), Mapping)

    def mapping(self, key: str) -> Mapping[str, Any]:
        """A mapping, empty where it is missing."""
        value = self._values.get(key, {})
        if isinstance(value, Mapping):
            return value
        self._wrong(key, "a mapping")
        return {}

    def inner(self, key: str) -> "Body":
        """A mapping as a body of its own; its keys are texts there, though they be numbers in the block."""
        written = {str(name): name for name in self.mapping(key)}
        values = {name: self.mapping(key)[own] for name, own in written.items()}

        def place(*path: Any, begins: bool = False) -> Place | None:
            return self._inner_place((key,), *[written.get(name, name) for name in path[:1]], *path[1:], begins=begins)

        return Body(f"{self.name}.{key}", values, place, self._problems, self.begins)

    def bodies(self, key: str) -> list["Body"]:
        """A list of mappings, or a single one, each as a body of its own."""
        value = self._values.get(key, [])
        found = []
        for at, each in enumerate(value if isinstance(value, list) else [value]):
            way = (key, at) if isinstance(value, list) else (key,)
            if isinstance(each, Mapping):
                place = partial(self._inner_place, way)
                found.append(Body(f"{self.name}.{key}", each, place, self._problems, self.begins))
            else:
                self.problem(
                    f"{self.name}.{key} must hold mappings, not {describe_value(each)}", "write mappings", *way
                )
        return found

    def _inner_place(self, way: tuple[Any, ...], *path: Any, begins: bool = False) -> Place | None:
        return self.place(*way, *path, begins=begins) if begins else self.place(*way, *path)

    def word(self, key: str) -> str:
        """A text alone; empty for anything else, as for a list."""
        value = self._values.get(key, "")
        return value if isinstance(value, str) else ""

    def _wrong(self, key: str, wanted: str) -> None:
        what = f"{self.name}.{key} must be {wanted}, not {describe_value(self._values.get(key))}"
        self.problem(what, f"write {wanted}", key)


def body_of(fence: Fence, manuscript: Manuscript) -> Body | None:
    """The YAML of a block; None where it is none, which is then a problem of the manuscript."""
    file = manuscript.place(fence.line).file
    values = Map()
    if fence.body.strip():
        try:
            values = parse_yaml(fence.body, file)
        except ProblemsFound as found:
            for problem in found.problems:
                line = problem.place.line if problem.place else 0
                what = problem.what.replace("the file", "the block")
                manuscript.problem(fence.first + max(line, 1) - 1, f"in the {fence.name} block: {what}", problem.hint)
            return None
    source = Source(file, values)

    def place(*path: Any, begins: bool = False) -> Place:
        line = fence.first + source.place(*path).line - 1 if path and values else fence.line
        return manuscript.begins(line) if begins else manuscript.place(line)

    return Body(fence.name, values, place, manuscript.problems, manuscript.begins(fence.line))
