"""YAML and JSON: read files to plain values that record their line and column."""

import re
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from generator.base.errors import InvalidInput, Place, Problem, ProblemsFound, find_similar_name
from generator.base.files import Contents, read_file
from generator.game.source import Map, Seq, Source, Spot
from generator.game.value_faults import explain_curly_quotes, find_text_column, find_text_line


class Limits(NamedTuple):
    """Limits of one file: nesting, aliases, and values with aliases written out."""

    depth: int = 40
    aliases: int = 100
    values: int = 2_000_000
    digits: int = 15


LIMITS = Limits()

INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)\Z")
_DECIMAL = re.compile(r"[-+]?(?:0|[1-9][0-9]*)(?:\.[0-9]+(?:[eE][-+]?[0-9]+)?|[eE][-+]?[0-9]+)\Z")
NUMBER_STARTS = frozenset("+-0123456789")
CONSTANTS: dict[str, Any] = {
    "": None, "~": None, "null": None, "Null": None, "NULL": None,
    "true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False,
}  # fmt: skip


def parse_plain_number(text: str) -> int | float | str:
    """Return the number that YAML reads in a text, within the limit of digits; any other text unchanged."""
    if INTEGER.match(text):
        return int(text) if len(text) <= LIMITS.digits else text
    if not _DECIMAL.match(text) or len(text) > 40:
        return text
    value = float(text)
    return value if isfinite(value) else text  # too large a number stays a text, which no check accepts


# The values are built without recursion: libyaml's composer crashes on deep nesting, and loaders that check limits
# afterwards have already used the memory.

_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def parse_yaml(text: str, shown: str, limits: Limits = LIMITS) -> Map:
    """Return the mapping in a YAML text; messages call its file `shown`. Raise ProblemsFound."""
    odd = yaml.reader.Reader.NON_PRINTABLE.search(text)
    if odd:
        spot = (find_text_line(text, odd.start()), find_text_column(text, odd.start()) + 1)
        what = f"an invisible character is here (U+{ord(odd[0]):04X})"
        raise make_file_problem(shown, what, "delete it", spot)
    builder = _Builder(text, shown, limits)
    try:
        for event in iter(_Loader(text).get_event, None):
            builder.handle_event(event)
    except yaml.MarkedYAMLError as error:
        raise ProblemsFound(_explain_syntax(text, shown, error, builder.problems)) from error
    if builder.problems:
        # a known mistake on the same line replaces a problem
        mistake, problems = _find_mistake(text), builder.problems
        others = [one for one in problems if mistake and one.place and one.place.line != mistake[0][0]]
        if mistake and len(others) < len(problems):
            problems = [*others, Problem(Place(shown, *mistake[0]), *mistake[1:])]
        raise ProblemsFound(problems)
    if builder.root is None and not builder.documents:
        raise make_file_problem(shown, "the file is empty", "write at least one section into it, or delete it")
    if not isinstance(builder.root, Map):
        raise make_file_problem(shown, "the file has no sections", "write it as `name: value` lines")
    return builder.root


def make_file_problem(shown: str, what: str, hint: str, spot: Spot = (0, 0)) -> ProblemsFound:
    """Return an error with one problem in the file `shown`, at a line and column, or (0, 0) for the whole file."""
    return ProblemsFound([Problem(Place(shown, *spot), what, hint)])


_ADVICE = (
    ("did not find expected key", "wrong indentation", "use as many spaces as the lines above"),
    ("did not find expected '-' indicator", "wrong indentation in a list", "use as many spaces as the lines above"),
    ("mapping values are not allowed", "a second colon on the line", "put the text in quotes"),
)
"""Messages for less usual mistakes, by the parser's words."""


def _find_mistake(text: str) -> tuple[Spot, str, str] | None:
    from generator.game.yaml_mistakes import find_first_mistake  # here, as few files have one

    return find_first_mistake(text)


def _explain_syntax(text: str, shown: str, error: yaml.MarkedYAMLError, before: list[Problem]) -> list[Problem]:
    """Return the problems of a text that the parser refused, after those in `before` that are in earlier lines."""
    mark = error.problem_mark or error.context_mark
    spot = (mark.line + 1, mark.column + 1) if mark else (0, 0)
    said = " ".join(filter(None, (error.problem, error.context)))
    told = next((advice[1:] for advice in _ADVICE if advice[0] in said), None)
    what, hint = told or (f"this is not YAML ({error.problem})", "check quotes, colons and indentation")
    mistake = _find_mistake(text)
    if mistake is not None and (not mark or mistake[0][0] <= spot[0]):
        spot, what, hint = mistake
    earlier = [problem for problem in before if problem.place and problem.place.line < spot[0]]
    return [*earlier, Problem(Place(shown, *spot), what, hint)]


@dataclass(slots=True, eq=False, repr=False)
class _OpenValue:
    value: Map | Seq
    spot: Spot
    anchor: str | None
    count: int = 1
    key: Any = None
    key_spot: Spot | None = None


@dataclass(slots=True, eq=False, repr=False)
class _Builder:
    text: str
    shown: str
    limits: Limits
    root: Any = None
    documents: int = 0
    problems: list[Problem] = field(default_factory=list)
    _open: list[_OpenValue] = field(default_factory=list)
    _anchors: dict[str, tuple[Any, int]] = field(default_factory=dict)
    _aliases: int = 0
    _values: int = 0

    def handle_event(self, event: Any) -> None:
        """Build what an event of the YAML parser stands for: a value, or the start or end of a list or mapping."""
        kind = type(event)
        if kind is yaml.ScalarEvent:
            mark, value = event.start_mark, event.value
            spot = (mark.line + 1, mark.column + 1)
            self._refuse_tag(event, spot)
            if not event.style:  # without quotes
                value = self._parse_scalar(value, spot)
                curly = self.text.startswith(",", event.end_mark.index)
                if curly and (fault := explain_curly_quotes(self.text, mark.index)):
                    self._add_problem(spot, *fault)
            top = self._open[-1] if self._open else None
            if isinstance(value, float) and top is not None and isinstance(top.value, Map) and top.key_spot is None:
                value = event.value  # a name keeps its spelling: 1.50, 1e5
            if event.anchor:
                self._anchors[event.anchor] = (value, 1)
            self._add_value(value, spot, 1)
        elif kind is yaml.MappingStartEvent or kind is yaml.SequenceStartEvent:
            self._start_value(event, Map() if kind is yaml.MappingStartEvent else Seq())
        elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
            done = self._open.pop()
            if done.anchor:
                self._anchors[done.anchor] = (done.value, done.count)
            self._add_value(done.value, done.spot, done.count, cost=1)
        elif kind is yaml.AliasEvent:
            self._add_alias(event)
        elif kind is yaml.DocumentStartEvent:
            self.documents += 1
            if self.documents > 1:
                spot = (event.start_mark.line + 1, 1)
                what = "a second document starts with `---`"
                raise make_file_problem(self.shown, what, "keep one document in a file", spot)

    def _add_problem(self, spot: Spot, what: str, hint: str) -> None:
        self.problems.append(Problem(Place(self.shown, *spot), what, hint))

    def _start_value(self, event: Any, value: Map | Seq) -> None:
        spot = (event.start_mark.line + 1, event.start_mark.column + 1)
        self._refuse_tag(event, spot)
        if len(self._open) >= self.limits.depth:
            what = f"values are nested more than {self.limits.depth} deep"
            raise ProblemsFound([*self.problems, Problem(Place(self.shown, *spot), what, "close the brackets before")])
        self._open.append(_OpenValue(value, spot, event.anchor))

    def _refuse_tag(self, event: Any, spot: Spot) -> None:
        if event.tag is not None and event.tag != "!":
            self._add_problem(spot, f"the tag '{event.tag}' is not supported", "remove it")

    def _add_alias(self, event: Any) -> None:
        spot = (event.start_mark.line + 1, event.start_mark.column + 1)
        self._aliases += 1
        if self._aliases > self.limits.aliases:
            what = f"more than {self.limits.aliases} aliases"
            raise make_file_problem(self.shown, what, "write the values out", spot)
        if event.anchor not in self._anchors:
            near = find_similar_name(event.anchor, frozenset(self._anchors))
            hint = f"did you mean '*{near}'?" if near else "write the value out; a text that begins with * needs quotes"
            name = event.anchor
            self._add_problem(spot, f"'*{name}' repeats a value marked '&{name}', but nothing above is marked so", hint)
            self._add_value(None, spot, 1)
            return
        value, count = self._anchors[event.anchor]
        self._add_value(value, spot, count)

    def _add_value(self, value: Any, spot: Spot, count: int, cost: int | None = None) -> None:
        """Add a value to the open mapping or list. It contains `count` values, of which `cost` are not yet counted."""
        self._values += count if cost is None else cost
        if self._values > self.limits.values:
            what = f"more than {self.limits.values:,} values, aliases written out"
            raise make_file_problem(self.shown, what, "split the file, or use fewer aliases", spot)
        if not self._open:
            self.root = value
            return
        top = self._open[-1]
        top.count += count
        into = top.value
        if isinstance(into, Seq):
            into.append(value)
            into.values_at.append(spot)
        elif top.key_spot is None:
            self._add_key(top, value, spot)
        else:
            if top.key not in into:
                into[top.key] = value
                into.keys_at[top.key] = top.key_spot
                into.values_at[top.key] = spot
            top.key_spot = None

    def _add_key(self, top: _OpenValue, value: Any, spot: Spot) -> None:
        if isinstance(value, (Map, Seq)) or value is None:
            self._add_problem(spot, "a name is missing before the colon", "write `name:`")
            value = f"?{spot}"
        elif isinstance(value, (bool, float)):
            value = str(value).lower() if isinstance(value, bool) else str(value)
        elif value in top.value:
            first = top.value.keys_at[value]  # type: ignore[union-attr]
            what = f"'{value}' is given twice (first in line {first[0]})"
            self._add_problem(spot, what, "remove or rename one of them")
        top.key, top.key_spot = value, spot

    def _parse_scalar(self, text: str, spot: Spot) -> Any:
        if text in CONSTANTS:
            return CONSTANTS[text]
        if text[0] not in NUMBER_STARTS:
            return text
        if INTEGER.match(text):
            if len(text) > self.limits.digits:
                what = f"the number has more than {self.limits.digits} digits"
                self._add_problem(spot, what, "put it in quotes if it is a text")
                return 0
            return int(text)
        return parse_plain_number(text)


# Scalars follow YAML 1.2: only true, false, null, decimal integers and decimals (with an exponent, if need be: 1e-05)
# are special, so `NO`, `12:30`, `010` and `2026-11-20` are words.

__all__ = ["LIMITS", "Limits", "parse_plain_number", "parse_yaml", "read_yaml"]


def read_yaml(path: Path, shown: str, limits: Limits = LIMITS) -> Map:
    """Return the mapping in a YAML file (`shown` in problems). Raise ProblemsFound with all faults of parsing."""
    return parse_yaml(_read_text(path, shown), shown, limits)


def _read_text(path: Path, shown: str) -> str:
    try:
        raw = read_file(path, "data")
    except InvalidInput as unfit:
        raise make_file_problem(shown, str(unfit), unfit.hint) from unfit
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = raw[: error.start]
        if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
            what = "the file is saved as UTF-16"
            raise make_file_problem(shown, what, "save it as UTF-8 in your editor", (1, 1)) from error
        line = before.count(b"\n") + 1
        column = len(before.rsplit(b"\n", 1)[-1].decode("utf-8", "replace")) + 1
        what = f"the file is not saved as UTF-8: byte 0x{raw[error.start]:02X} here"
        raise make_file_problem(shown, what, "save it as UTF-8 in your editor", (line, column)) from error


_LIMITS = Limits(aliases=0)
_DEEPEST = 40
_PARTS = (
    r'"(?:[^"\\]|\\u[dD][89abAB]..\\u[dD][c-fC-F]..|(?P<half>\\u[dD][89a-fA-F]..)|\\.)*+"'
    r"|[][{}]|(?P<number>-?(?:\d[\d.eE+-]*|NaN|Infinity))"
)
"""Texts, brackets and numbers of JSON, including numbers that only Python accepts."""


def read_json(path: Path, shown: str, contents: Contents, hint: str) -> tuple[Any, str]:
    """Return a file's value and text. Raise ProblemsFound, with the remedy `hint`, if it is no JSON or too large."""
    try:
        text = read_file(path, contents).decode("utf-8")
    except InvalidInput as unfit:
        raise ProblemsFound([Problem(Place(shown), str(unfit), hint)]) from unfit
    except UnicodeDecodeError as error:
        place = Place(shown, error.object.count(b"\n", 0, error.start) + 1)
        raise ProblemsFound([Problem(place, "it is not UTF-8", hint)]) from error
    return parse_json(text, shown, hint), text


def parse_json(text: str, shown: str, hint: str) -> Any:
    """Return the value of a text. Raise ProblemsFound, with the remedy `hint`, unless it is JSON of plain values."""
    import json

    place = Place(shown)
    try:
        data = json.loads(text, parse_constant=int)  # not for NaN: int raises ValueError
        json.dumps(data, ensure_ascii=False, allow_nan=False).encode("utf-8")
    except UnicodeEncodeError:
        place, what = _find_odd_value(text, shown), "a text has an incomplete character"
    except json.JSONDecodeError as error:
        place, what = Place(shown, error.lineno, error.colno), error.msg
    except ValueError:  # NaN or infinity, or more digits than Python reads
        place, what = _find_odd_value(text, shown), "infinity and NaN are not numbers here"
    except RecursionError:
        place, what = _find_odd_value(text, shown), "it has no end"
    else:
        if not _is_too_deep(data):
            return data
        place, what = _find_odd_value(text, shown), "it has no end"
    raise ProblemsFound([Problem(place, what, hint)])


def source_from_text(text: str, shown: str) -> Source:
    """Return the places of a JSON text's values, read as YAML. If that fails, all are on the first line."""
    try:
        return Source(shown, parse_yaml(text, shown, _LIMITS))
    except ProblemsFound:
        return Source(shown, Map(), (1, 1))


def _is_too_deep(value: Any) -> bool:
    level = [value]
    for _ in range(_DEEPEST):
        inner = [part for part in level if isinstance(part, (list, dict))]
        level = [entry for part in inner for entry in (part.values() if isinstance(part, dict) else part)]
        if not level:
            return False
    return True


def _find_odd_value(text: str, shown: str) -> Place:
    """Return the place of the first value that a JSON reader rejects without naming its place."""
    deep = 0
    for found in re.finditer(_PARTS, text):
        part = found[0]
        deep += (part in ("[", "{")) - (part in ("]", "}"))
        if deep > _DEEPEST or found["half"] or (found["number"] and not isfinite(float(part))):
            before = text.rfind("\n", 0, found.start())
            return Place(shown, text.count("\n", 0, found.start()) + 1, found.start() - before)
    return Place(shown)
