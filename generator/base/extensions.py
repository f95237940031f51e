"""Extensions: what installed packages add to the program, found by name and loaded on demand (docs/extending.md).

A package declares one `Extension` in the entry point group `pnp.extensions`. No project can load one.
"""

import os
import sys
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

from generator.base.errors import Problem, ProblemsFound

GROUP = "pnp.extensions"
OWN = "print-and-play-generator"
"""The program's own package. Its names take precedence."""

_MODULES = {__name__.partition(".")[0]: OWN}
"""For each top-level module that contains extensions, the name of its distribution package."""


class Entry(NamedTuple):
    """One thing that a package adds.

    `target` is `module:object`, `section` the place of a command in `pnp --help`.
    """

    target: str
    summary: str = ""
    section: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Extension:
    """What a package adds to the program, as tables by name. Nothing is imported until it is needed."""

    commands: Mapping[str, Entry] = field(default_factory=dict)
    checks: Mapping[str, Entry] = field(default_factory=dict)
    exports: Mapping[str, Entry] = field(default_factory=dict)
    importers: Mapping[str, Entry] = field(default_factory=dict)
    build_steps: Mapping[str, Entry] = field(default_factory=dict)
    notes: Mapping[str, Entry] = field(default_factory=dict)
    blocks: Mapping[str, Entry] = field(default_factory=dict)
    durations: Mapping[str, Entry] = field(default_factory=dict)
    note_keepers: Mapping[str, Entry] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for kind in fields(self):
            for name, entry in getattr(self, kind.name).items():
                texts = isinstance(entry, Entry) and all(isinstance(text, str) for text in (name, *entry))
                if not (texts and ":" in entry.target):
                    raise TypeError(f"{kind.name}: {name!r} needs an Entry('module:object')")


class Addition(NamedTuple):
    """An object that a package adds. `rival` is another package that adds the same name, if any."""

    name: str
    entry: Entry
    package: str
    rival: str = ""

    def load(self, expected: Any) -> Any:
        """Import the object. Raise ProblemsFound if that fails, it has a rival or another type than `expected`."""
        if self.rival:
            what = f"'{self.name}' is added by two packages, {self.package} and {self.rival}"
            raise ProblemsFound([Problem(None, what, "uninstall one of them")])
        name, _, rest = self.entry.target.partition(":")
        _MODULES.setdefault(name.partition(".")[0], self.package)
        try:
            return _require_type(getattr(import_module(name), rest), expected, self.entry.target)
        except (Exception, SystemExit) as error:
            if self.package == OWN:
                raise
            fault = f"adds '{self.name}', which can't be used: {format_error(error)}"
            raise ProblemsFound([_describe_fault(self.package, fault)]) from error


class Additions(NamedTuple):
    """Everything that packages add of one kind (such as checks), by name, and the problems of broken packages."""

    entries: Mapping[str, Addition]
    problems: tuple[Problem, ...]


@cache
def find_additions(kind: str, taken: Collection[str] = ()) -> Additions:
    """Return what packages add of a kind, such as `checks`. Names in `taken`, which are the core's, become problems.

    This looks through all installed packages, which takes some 30 ms: commands of the core don't need it.
    """
    extensions, faults = _load_extensions()
    found: dict[str, Addition] = {}
    problems = list(faults)
    for package, extension in extensions:
        for name, entry in getattr(extension, kind).items():
            if name in taken or (name in found and found[name].package in (OWN, package)):
                problems.append(_describe_fault(package, f"adds '{name}', which exists already among the {kind}"))
            elif name in found:
                found[name] = found[name]._replace(rival=package)
            else:
                found[name] = Addition(name, entry, package)
    return Additions(found, tuple(problems))


@cache
def _load_extensions() -> tuple[list[tuple[str, Extension]], list[Problem]]:
    """Return the extension of each package, the program's own ones first, and the faults of packages."""
    from importlib.metadata import distributions  # here, as it imports half of `email`

    found: dict[tuple[bool, str, str], Extension] = {}
    problems: dict[str, Problem] = {}
    seen: set[str] = set()
    # `python -m` looks into the current folder first, which may be a stranger's project
    for distribution in distributions(path=[place for place in sys.path if not _is_current_folder(place)]):
        package = ""
        try:
            if f"[{GROUP}]" not in (distribution.read_text("entry_points.txt") or ""):
                continue
            package = distribution.name or "without a name"
            if package in seen:
                continue  # the first one on the path is the one that is imported
            seen.add(package)
            for point in distribution.entry_points.select(group=GROUP):
                _MODULES.setdefault(point.module.partition(".")[0], package)
                found[package != OWN, package, point.name] = _require_type(point.load(), Extension, point.value)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - the code is foreign
            if package:
                problems[package] = _describe_fault(package, f"can't be used: {format_error(error)}")
    return [(key[1], found[key]) for key in sorted(found)], [problems[package] for package in sorted(problems)]


def _is_current_folder(place: str) -> bool:
    try:
        return Path(place or os.curdir).samefile(os.curdir)
    except OSError:
        return False


def _require_type(value: Any, expected: Any, target: str) -> Any:
    if not isinstance(value, expected):
        raise TypeError(f"{target} is of type {type(value).__name__}, not {expected.__name__}")
    return value


def _describe_fault(package: str, fault: str) -> Problem:
    return Problem(None, f"the package {package} {fault}", "update it, or uninstall it with pip")


def format_error(error: BaseException) -> str:
    """Return an error in one line. Its type is left out where the text alone explains it."""
    text = " ".join(str(error).split())
    explains = text and isinstance(error, (ImportError, AttributeError, TypeError))
    return text if explains else f"{type(error).__name__}: {text}"


def find_faulty_package(trace: TracebackType | None) -> str:
    """Return the third-party package whose code an error passed through, or an empty string."""
    while trace is not None:
        package = _MODULES.get(str(trace.tb_frame.f_globals.get("__name__")).partition(".")[0], OWN)
        if package != OWN:
            return package
        trace = trace.tb_next
    return ""
