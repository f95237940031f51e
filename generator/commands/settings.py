"""Settings: default values of options from `pnp.toml`, in the project's folder and in the user's settings folder.

An option in the command wins over an environment variable (`PNP_PAPER`), a variable over the project's file, and that
over the user's file.
"""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from click.core import ParameterSource

from generator.base.errors import InvalidInput, Place, Problem, ProblemsFound, did_you_mean
from generator.base.files import is_file, read_file
from generator.commands.user_folders import settings_folder, trust_file

if TYPE_CHECKING:
    from generator.game.project import Project

SETTINGS_FILE = "pnp.toml"
NAMES = ("paper", "margin", "printer", "backs", "languages")
"""Settings, each with the name of the option whose default it is."""

TRUST = "trust"
"""Setting of the user's own file alone: folders whose projects may run their rules."""

_APPLIED = "generator.settings"
"""Key in a command's context: the settings that took effect, by option."""


class Setting(NamedTuple):
    """A value from a file, with its place, or from an environment variable."""

    name: str
    value: Any
    place: Place | None
    shown: str
    """Name in messages: `paper` or `PNP_PAPER`."""


def apply_settings(context: click.Context, options: dict[str, Any], project: "Project") -> None:
    """Set each option that the user did not give in the command. Raise ProblemsFound for all faults in both files."""
    own, shared = settings_folder() / SETTINGS_FILE, project.root / SETTINGS_FILE
    problems: list[Problem] = []
    applied: dict[str, Setting] = {}
    for setting in (
        *_read_settings(own, str(own)),
        *_read_settings(shared, project.resources.display_path(shared)),
        *_iter_variables(),
    ):
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
    if problems:
        raise ProblemsFound(problems)
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
    file = trust_file()
    if not is_file(file):
        return _is_in_trusted_folder(root)
    from generator.commands.trust import is_trusted  # few have any

    return is_trusted(file, root, code) or _is_in_trusted_folder(root)


def _is_in_trusted_folder(root: Path) -> bool:
    """Return True if the user's own file trusts a folder around the project.

    A file inside the project, or one that others may write, trusts nothing.
    """
    path, root = settings_folder() / SETTINGS_FILE, Path(os.path.realpath(root))
    if not is_file(path) or Path(os.path.realpath(path)).is_relative_to(root):
        return False
    if os.name == "posix" and ((state := path.stat()).st_uid != os.getuid() or state.st_mode & 0o002):
        return False
    folders = next((one.value for one in _read_settings(path, str(path)) if one.name == TRUST), ())
    return any(root.is_relative_to(os.path.realpath(Path(str(folder)).expanduser())) for folder in folders)


def _read_settings(path: Path, shown: str) -> list[Setting]:
    """Return the settings of a file, or none if there is no file. Raise ProblemsFound if it is not TOML."""
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


def _iter_variables() -> Iterator[Setting]:
    for name in NAMES:
        variable = f"PNP_{name.upper()}"
        if value := os.environ.get(variable):
            yield Setting(name, value.split(",") if name == "languages" else value, None, variable)


def _find_place(text: str, shown: str, name: str) -> Place:
    for number, line in enumerate(text.splitlines(), start=1):
        if found := re.match(rf"([\s\[\"']*){re.escape(name)}\b", line):
            return Place(shown, number, found.end(1) + 1)
    return Place(shown)


def _find_fault(setting: Setting, *, own: bool) -> Problem | None:
    """Return the problem of an unknown setting or one whose value has the wrong type."""
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
