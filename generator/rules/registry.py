"""Rules and checks that come with the program or with a game, and hashes of them."""

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import MISSING, fields, replace
from functools import partial
from hashlib import sha256
from importlib import import_module, util
from importlib.machinery import SourceFileLoader
from json import dumps
from pathlib import Path
from pkgutil import iter_modules
from traceback import walk_tb
from types import CodeType, ModuleType

from generator.base.errors import Place, Problem, ProblemsFound, did_you_mean
from generator.base.files import is_file, list_files, read_file
from generator.game.data_fields import format_value
from generator.game.model import Game
from generator.rules.engine.contract import Box, Options, Rules
from generator.rules.engine.facts import Check, Outcome, find_checks
from generator.rules.engine.settings import variants_settable

PACKAGE = "generator.rules"

_CONTRACT = "see generator/rules/engine/contract.py for what it must be"
_NEEDED = tuple(part.name for part in fields(Rules) if part.default is MISSING and part.default_factory is MISSING)


def list_program_rules() -> list[str]:
    """Return the packages beside this module that have rules; games may name them, because they are no stranger's."""
    packages = (found.name for found in iter_modules([str(Path(__file__).parent)]) if found.ispkg)
    return [name for name in packages if util.find_spec(f"{PACKAGE}.{name}.rules")]


def load_checks(game: Game, trusted: Path | None = None) -> Mapping[str, Check]:
    """Return the checks of the game's rules module by name, or nothing for a game without one.

    Raise ProblemsFound for a module that does not come with the program, unless `trusted` is the game's own folder.
    Code from other people never runs unasked.
    """
    if not game.rules_module:
        return {}
    if game.has_own_rules:
        module = _load_own_module(game, trusted)
        try:
            offered = {name: getattr(module, name) for name in getattr(module, "__all__", ()) if name != "RULES"}
        except (AttributeError, TypeError) as error:
            raise ProblemsFound([describe_failure(game, error, "has no proper `__all__`")]) from error
        return {name: partial(_run_own_check, game, function) for name, function in offered.items()}
    return {"variants_settable": variants_settable, **load_program_checks(_find_program_rules(game))}


def load_program_checks(name: str) -> Mapping[str, Check]:
    """Return the checks of rules that come with the program, from the modules of their package that end in `checks`."""
    package = import_module(f"{PACKAGE}.{name}")
    files = sorted(found.name for found in iter_modules(package.__path__) if found.name.endswith("checks"))
    modules = (import_module(f"{package.__name__}.{file}") for file in files)
    return {check: function for module in modules for check, function in find_checks(module).items()}


def _run_own_check(owner: Game, function: Check, game: Game) -> Outcome:
    """Run a check of the module of `owner` on `game`. Raise ProblemsFound for any error in it."""
    try:
        outcome = function(game)
        if isinstance(outcome, Outcome) and isinstance(outcome.figures, str) and isinstance(outcome.ok, bool):
            return outcome
        error: BaseException = TypeError(f"a check gives a {type(outcome).__name__}, not an Outcome of truth and text")
    except (ProblemsFound, KeyboardInterrupt, MemoryError):
        raise
    except BaseException as raised:  # noqa: BLE001 - reported below
        error = raised
    raise ProblemsFound([describe_failure(owner, error)]) from error


def load_rules(game: Game, trusted: Path | None = None) -> Rules | None:
    """Return the rules of the game, or None if it has none.

    The rules cache their boxes, because most examples of a game use the same box.
    """
    if not game.rules_module:
        return None
    if game.has_own_rules:
        module = _load_own_module(game, trusted)
    else:
        module = import_module(f"{PACKAGE}.{_find_program_rules(game)}.rules")
    rules, place = getattr(module, "RULES", None), game.places.place("rules_module")
    if not isinstance(rules, Rules):
        raise ProblemsFound([Problem(place, f"the rules module '{game.rules_module}' has no `RULES`", _CONTRACT)])
    if idle := [name for name in _NEEDED if not callable(getattr(rules, name))]:
        what = f"the rules module '{game.rules_module}' has no function for {', '.join(idle)} in its `RULES`"
        raise ProblemsFound([Problem(place, what, _CONTRACT)])
    return replace(rules, box=_cache_boxes(rules.box))


def _cache_boxes(box: Callable[[Game, int, Options], Box]) -> Callable[[Game, int, Options], Box]:
    """Return the same function with a cache for the boxes of the game used last."""
    of: Game | None = None
    known: dict[tuple[int, str], Box] = {}

    def open_box(game: Game, players: int, options: Options) -> Box:
        nonlocal of
        if of is not game:
            of = game
            known.clear()
        key = players, repr(sorted(options.items()))
        if key not in known:
            known[key] = box(game, players, options)
        return known[key]

    return open_box


def _find_program_rules(game: Game) -> str:
    if game.rules_module not in (known := list_program_rules()):
        place = game.places.place("rules_module")
        hint = did_you_mean(game.rules_module, known)
        raise ProblemsFound([Problem(place, f"unknown rules module '{game.rules_module}'", hint)])
    return game.rules_module


_OLD_NAMES = """\
contract: Said=Message Lying=VisiblePieces row=row_field Box.number=get_number State.fresh=make_fields
kernel: chances=next_chances other_chances=reseed_chance chance32=draw_chance32 below=draw_below members=iter_members
kernel: record_class=make_record_class as_list=copy_row plain=to_plain
settings: choices=read_choices in_force=read_settings with_options=apply_options readings=encode_settings
facts: against=format_finding reading=switch_codes numbers=code_numbers name_of=find_code_name begin_of=find_range_start
facts: name_of_choice=code_name_from_choice constants=to_constants kind_of=find_kind texts_of=read_rule_texts
facts: only=require_known_names one_of=find_known_name whole=read_number seat_of=read_seat entries=read_entries
facts: Pool=CardPool CardPool.one=take_one CardPool.any=take_any texts=iter_texts FactReader.whole=read_whole
facts: FactReader.wholes=read_wholes FactReader.table=read_table FactReader.name=read_name FactReader.rows=read_rows
facts: FactReader.switches=read_switches FactReader.finish=raise_problems
"""
"""Names of version 1.0 in each module of the engine, and the names that they have now."""


def _alias_old_names() -> None:
    """Let rules import the engine by the module names of version 1.0, and use the names that its modules had."""
    engine = f"{PACKAGE}.engine"
    names = ("contract", "kernel", "settings", "table")
    homes = {name: name for name in names} | dict.fromkeys(("check", "codes", "facts", "situations"), "facts")
    homes |= {"state": "contract", "hands": "kernel", "records": "kernel"}
    homes |= {"variants": "settings", "observing": "table", "phrases": "table"}
    sys.modules.setdefault("generator.games", import_module(PACKAGE))
    sys.modules.setdefault("generator.games.engine", import_module(engine))
    for old, home in homes.items():
        sys.modules.setdefault(f"generator.games.engine.{old}", import_module(f"{engine}.{home}"))
    for line in _OLD_NAMES.splitlines():
        home, _, pairs = line.partition(": ")
        for owner, _, names_of_one in (pair.rpartition(".") for pair in pairs.split()):
            old, _, new = names_of_one.partition("=")
            module = import_module(f"{engine}.{home}")
            target = getattr(module, owner) if owner else module
            setattr(target, old, getattr(target, new))


def _load_own_module(game: Game, trusted: Path | None) -> ModuleType:
    """Run and return the module in the game's folder. Raise ProblemsFound for any error in it."""
    place = game.places.place("rules_module")
    if trusted is None:
        what = f"the rules module '{game.rules_module}' is a Python program, which pnp does not run without permission"
        raise ProblemsFound(
            [Problem(place, what, "if you trust its author, add --trust-rules, or type `pnp trust` once")]
        )
    path = trusted / game.rules_module
    if path.parent != trusted or not is_file(path):
        what = f"there is no rules module '{game.rules_module}' beside game.yaml"
        raise ProblemsFound([Problem(place, what, "name a file of this folder")])
    _alias_old_names()
    name = _name_own_module(game)
    spec = util.spec_from_file_location(name, path, loader=_SourceLoader(name, str(path)))
    assert spec is not None and spec.loader is not None, path  # noqa: S101, PT018 - a .py file has a loader
    module = util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses and numba look up a module's names here
    compiles, sys.dont_write_bytecode = (sys.dont_write_bytecode, True)  # else bytecode would change the trusted folder
    try:
        spec.loader.exec_module(module)
    except (KeyboardInterrupt, MemoryError):
        raise
    except ProblemsFound as found:  # of a story or a state: the file is named as the user would
        file = place and Path(place.file).with_name(game.rules_module).as_posix()
        places = ((p, replace(p.place, file=file) if file and p.place else p.place) for p in found.problems)
        raise ProblemsFound(replace(p, place=there) for p, there in places) from found
    except BaseException as error:
        raise ProblemsFound([describe_failure(game, error, "can't be loaded")]) from error
    finally:
        sys.dont_write_bytecode = compiles
    return module


class _SourceLoader(SourceFileLoader):
    """A loader that always compiles the source, because a compiled file beside it could contain other code."""

    def get_code(self, fullname: str) -> CodeType:
        """Return the compiled source."""
        path = self.get_filename(fullname)
        return self.source_to_code(self.get_data(path), path)


def trusted_folder(folder: Path, trusted: bool) -> Path | None:
    """Return the game's folder if code in it may run, else None."""
    return folder if trusted else None


def find_unplayable(game: Game, rules: Rules) -> list[str]:
    """Return the switch values in force that the rules can't play, with their reasons."""
    in_force = {f"{switch}: {format_value(value)}": switch for switch, value in game.switches.items()}
    return [f"{value}: {reason}" for value, reason in rules.unplayable.items() if value in in_force]


@contextmanager
def report_rule_errors(game: Game, but: type[Exception] = ProblemsFound) -> Iterator[None]:
    """Turn exceptions of a game's own rules into ProblemsFound; let those of bundled rules pass as program errors.

    Exceptions of the type `but` also pass, because the caller expects them.
    """
    try:
        yield
    except (ProblemsFound, KeyboardInterrupt, MemoryError, but):
        raise
    except BaseException as error:
        if not game.has_own_rules:
            raise
        raise ProblemsFound([describe_failure(game, error)]) from error


def describe_failure(game: Game, error: BaseException, how: str = "fails") -> Problem:
    """Return a problem for an error in a game's own rules module, at its line if known; `how` is the text before it."""
    try:
        said = " ".join(str(error).split())
    except Exception:  # noqa: BLE001 - the exception's __str__ may fail, too
        said = ""
    told = said if len(said) <= 200 else f"{said[:200]}..."
    what = f"the rules module '{game.rules_module}' {how}: {type(error).__name__}: {told}"
    place = game.places.place("rules_module")
    lines = [
        line
        for frame, line in walk_tb(error.__traceback__)
        if frame.f_globals.get("__name__") == _name_own_module(game)
    ]
    if isinstance(error, SyntaxError) and error.lineno and Path(error.filename or "").name == game.rules_module:
        lines.append(error.lineno)
    if place is not None and lines:
        place = Place(Path(place.file).with_name(game.rules_module).as_posix(), lines[-1])
    return Problem(place, what, "correct the rules")


def _name_own_module(game: Game) -> str:
    return f"rules_of_{game.id}"


def kernel_folder(kernels: Path, *sources: Path) -> Path:
    """Return the folder in `kernels` for code compiled now; its name depends on the rules and the further sources."""
    shipped = [path for path in list_files(Path(__file__).parent) if path.suffix == ".py"]
    digest = sha256(b"\0".join(read_file(source, "module") for source in (*shipped, *sources))).hexdigest()
    return kernels / digest[:16]


_SHOWN = 16


def hash_rules(game: Game, rules: Rules, players: int) -> str:
    """Return a hash of everything that decides games of N players: rules, numbers, readings in force.

    Texts and looks are not part of it. Raise ProblemsFound if the game can't be played by so many.
    """
    numbers = rules.box(game, players, {}).numbers
    told = dumps([dict(game.switches), dict(numbers)], default=list, sort_keys=True)
    said = "\0".join((told, *_read_sources(rules)))
    return sha256(said.encode()).hexdigest()[:_SHOWN]


def _read_sources(rules: Rules) -> Iterator[str]:
    """Yield the sources of the rules: one module in a game's folder, or all modules of a bundled game."""
    name = rules.apply.__module__
    if not name.startswith(f"{PACKAGE}."):
        loader = getattr(sys.modules[name], "__loader__", None)
        yield loader.get_source(name) if loader is not None else ""
        return
    package = name.rpartition(".")[0]
    for found in iter_modules(sys.modules[package].__path__, f"{package}."):
        spec = None if found.name.endswith("checks") else util.find_spec(found.name)
        if spec is not None and spec.loader is not None and not found.ispkg:
            yield spec.loader.get_source(spec.name)  # type: ignore[attr-defined]  # loaders of modules have this method
