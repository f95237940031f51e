"""Settings: the user's folders, defaults of options from `pnp.toml`, and the projects that the user trusts.

An option in the command wins over an environment variable (`PNP_PAPER`), a variable over the project's file, and that
over the user's file.
"""

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from click.core import ParameterSource

from generator.base.errors import InvalidInput, Place, Problem, ProblemsFound, did_you_mean, raise_problems
from generator.base.files import is_file, read_file

if TYPE_CHECKING:
    from generator.base.cache import Store
    from generator.game.presets import Printer
    from generator.game.project import Project

HOME = "PNP_HOME"
"""Environment variable for another settings folder."""

CACHE, NO_CACHE = "PNP_CACHE", "PNP_NO_CACHE"
"""Environment variables for another cache folder, and for no cache."""

REUSE = click.option("--no-cache", is_flag=True, envvar=NO_CACHE,
                     help="Rebuild everything without the cache; the files are the same.")  # fmt: skip


def settings_folder() -> Path:
    """Return the folder with the user's settings."""
    return Path(os.environ.get(HOME) or click.get_app_dir("pnp"))


def trust_file() -> Path:
    """Return the file that lists the trusted projects."""
    return settings_folder() / "trusted.json"


def cache_folder() -> Path:
    """Return the cache folder, at the system's usual place for such files."""
    named = os.environ.get(CACHE)
    if named:
        return Path(named)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local", "pnp", "cache")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "pnp"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "pnp")


def open_cache(options: dict[str, Any], root: Path) -> "Store | None":
    """Return the cache for a project in the folder `root`.

    Return None with --no-cache, for a command without a cache, or if there is no home folder. Code is stored only in a
    settings folder outside the project.
    """
    from generator.base.cache import Store

    try:
        own = Path(os.path.realpath(settings_folder()))
        code = None if own.is_relative_to(os.path.realpath(root)) else own / "templates"
        return None if options.get("no_cache", True) else Store(cache_folder(), code=code)
    except RuntimeError:  # Python finds no home
        return None


def find_printer(name: str | None) -> "Printer | None":
    """Return the stored printer of that name, or None without a name. Raise BadParameter for an unknown one."""
    if name is None:
        return None
    from generator.game.preset_files import list_printers, read_printer

    try:
        return read_printer(settings_folder(), name)
    except KeyError as error:
        known = list_printers(settings_folder())
        hint = did_you_mean(name, known) if known else "store one with pnp calibrate --set NAME"
        raise click.BadParameter(f"unknown printer '{name}'; {hint}", param_hint="--printer") from error


SETTINGS_FILE = "pnp.toml"
NAMES = ("paper", "margin", "printer", "backs", "languages")
"""Settings, each with the name of the option whose default it is."""

TRUST = "trust"
"""Setting allowed only in the user's own file: folders whose projects may run their rules."""

_APPLIED = "generator.settings"
"""Key in click's context: the settings that were used, by option."""


class Setting(NamedTuple):
    """A setting's value with its origin: a place in a file, or an environment variable."""

    name: str
    value: Any
    place: Place | None
    shown: str
    """Name in messages: `paper` or `PNP_PAPER`."""


def apply_settings(context: click.Context, options: dict[str, Any], project: "Project") -> None:
    """Set options that the user didn't give, by both settings files and the environment. Raise ProblemsFound."""
    own, shared = settings_folder() / SETTINGS_FILE, project.root / SETTINGS_FILE
    problems: list[Problem] = []
    applied: dict[str, Setting] = {}
    settings = [*_read_settings(own, str(own)), *_read_settings(shared, project.resources.display_path(shared))]
    for name in NAMES:
        variable = f"PNP_{name.upper()}"
        if value := os.environ.get(variable):
            settings.append(Setting(name, value.split(",") if name == "languages" else value, None, variable))
    for setting in settings:
        problem = _find_fault(setting, own=setting.place is not None and setting.place.file == str(own))
        if problem is not None:
            problems.append(problem)
        elif setting.name in options and context.get_parameter_source(setting.name) is ParameterSource.DEFAULT:
            option = next(option for option in context.command.params if option.name == setting.name)
            try:
                options[setting.name] = option.process_value(context, setting.value)
                applied[f"--{setting.name}"] = setting
            except click.ClickException as error:
                problems.append(_make_problem(setting, error))
    raise_problems(problems)
    context.meta[_APPLIED] = applied


@contextmanager
def locate_setting_errors(context: click.Context) -> Iterator[None]:
    """Raise ProblemsFound with the place of the setting if an invalid option came from one."""
    try:
        yield
    except click.BadParameter as error:
        setting = context.meta.get(_APPLIED, {}).get(error.param_hint)
        if setting is None:
            raise
        raise ProblemsFound([_make_problem(setting, error)]) from error


def is_project_trusted(root: Path, code: Path | None = None) -> bool:
    """Return True if the user lets the project's rules run. `code` is another copy of the project to check."""
    file, key = trust_file(), project_key(root)
    if _is_users_own(file, key) and (known := read_trusted(file).get(key)) is not None:
        try:  # the code may have changed since
            if known == code_digest(code or root):
                return True
        except InvalidInput:
            pass
    path = settings_folder() / SETTINGS_FILE
    if not _is_users_own(path, key):
        return False
    folders = next((one.value for one in _read_settings(path, str(path)) if one.name == TRUST), ())
    return any(Path(key).is_relative_to(os.path.realpath(Path(str(folder)).expanduser())) for folder in folders)


def _is_users_own(file: Path, project: str) -> bool:
    """Return True if a file may trust a project: it is outside its folder, and only the user can write to the file."""
    if not is_file(file) or Path(os.path.realpath(file)).is_relative_to(project):
        return False
    return os.name != "posix" or ((state := file.stat()).st_uid == os.getuid() and not state.st_mode & 0o002)


def _read_settings(path: Path, shown: str) -> list[Setting]:
    """Return the settings of a file (`shown` in problems), or [] if there is none. Raise ProblemsFound if not TOML."""
    if not is_file(path):
        return []
    import tomllib  # most projects have no settings

    try:
        text = read_file(path, "note").decode()
        values = tomllib.loads(text)
    except InvalidInput as error:
        raise ProblemsFound([Problem(Place(shown), str(error), error.hint)]) from error
    except UnicodeDecodeError as error:
        raise ProblemsFound([Problem(Place(shown), "the file is not UTF-8", "save it as UTF-8")]) from error
    except tomllib.TOMLDecodeError as error:
        what, _, where = str(error).partition(" (at ")
        place = Place(shown, *map(int, re.findall(r"\d+", where)))
        raise ProblemsFound(
            [Problem(place, f"this is not TOML: {what}", 'write lines such as paper = "A4"')]
        ) from error
    return [Setting(name, value, _find_place(text, shown, name), name) for name, value in values.items()]


def _find_place(text: str, shown: str, name: str) -> Place:
    for number, line in enumerate(text.splitlines(), start=1):
        if found := re.match(rf"([\s\[\"']*){re.escape(name)}\b", line):
            return Place(shown, number, found.end(1) + 1)
    return Place(shown)


def _find_fault(setting: Setting, *, own: bool) -> Problem | None:
    known = [*NAMES, TRUST] if own else [*NAMES]
    if setting.name == TRUST and not own:
        hint = "move this line to pnp.toml in your own settings folder, or run `pnp trust`"
        return Problem(setting.place, "a project can't trust itself", hint)
    if setting.name not in known:
        return Problem(setting.place, f"unknown setting '{setting.name}'", did_you_mean(setting.name, known))
    wanted = list if setting.name in ("languages", TRUST) else str
    texts = setting.value if isinstance(setting.value, list) else [setting.value]
    if not isinstance(setting.value, wanted) or not all(isinstance(text, str) for text in texts):
        form = {"languages": '["en", "ja"]', TRUST: '["~/games"]'}.get(setting.name, '"..."')
        return Problem(setting.place, f"'{setting.name}' has the wrong type", f"write {setting.name} = {form}")
    return None


def _make_problem(setting: Setting, error: click.ClickException) -> Problem:
    what, _, hint = error.message.rstrip(".").partition("; ")
    return Problem(setting.place, f"{setting.shown}: {what}", hint or f"change {setting.shown}")


_CODE = (".py", ".pyc", ".pyd", ".so")
"""Suffixes of files that Python can run or import."""


def read_trusted(file: Path) -> dict[str, str]:
    """Return the trusted projects with the digest of their code, or an empty dict for a missing or damaged file."""
    import json  # few users trust a project

    try:
        found = json.loads(read_file(file, "kept"))
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def code_files(root: Path) -> tuple[Path, ...]:
    """Return the files with code in the project's data/, sorted. Folders reached through links are searched once."""
    seen: set[str] = set()
    found: list[Path] = []
    for folder, below, names in os.walk(root / "data", followlinks=True):
        if (real := os.path.realpath(folder)) in seen:
            below.clear()
            continue
        seen.add(real)
        found += (path for name in names if (path := Path(folder, name)).suffix in _CODE and path.is_file())
    return tuple(sorted(found))


def code_digest(root: Path) -> str:
    """Return the SHA-256 of a project's code, names and bytes. Raise InvalidInput for a file that can't be read."""
    from hashlib import sha256  # few users trust a project

    whole = sha256()
    for path in code_files(root):
        whole.update(os.fsencode(path.relative_to(root).as_posix()) + b"\0" + sha256(read_file(path, "kept")).digest())
    return whole.hexdigest()


def project_key(folder: Path) -> str:
    """Return the key of a project among the trusted ones: its real path."""
    return os.path.realpath(folder)
