"""User folders: settings, printers, trusted projects and the cache of this computer."""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from generator.base.errors import did_you_mean

if TYPE_CHECKING:
    from generator.base.cache import Store
    from generator.game.presets import Printer


HOME = "PNP_HOME"
"""Environment variable for another settings folder."""

CACHE, NO_CACHE = "PNP_CACHE", "PNP_NO_CACHE"
"""Environment variables for another cache folder, and for no cache."""

REUSE = click.option(
    "--no-cache",
    is_flag=True,
    envvar=NO_CACHE,
    help="Rebuild everything without the cache; the files are the same.",
)


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


def open_cache(options: dict[str, Any]) -> "Store | None":
    """Return the cache, or None with --no-cache or if there is no home folder."""
    from generator.base.cache import Store

    try:
        return None if options["no_cache"] else Store(cache_folder())
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
