"""Printers' profiles: one small file each in the user's settings folder, as text and read back."""

import re
from pathlib import Path

from generator.errors import Place, Problem, ProblemsFound
from generator.files import entries_of
from generator.load.wording import explain
from generator.load.yaml_source import read_yaml
from generator.model.printer import Printer
from generator.model.source import Source
from generator.shapes.compound import KeyedShape, KeyEntry, read
from generator.shapes.shape import NUMBER
from generator.units import plain

FOLDER, SUFFIX = "printers", ".yaml"
NAME = re.compile(r"\w[\w-]{0,39}")
"""What a printer may be called: it is a file's name on every system."""


_FIGURES = {"back_x": 0.0, "back_y": 0.0, "scale_x": 1.0, "scale_y": 1.0}
_PRINTER = KeyedShape("Printer", "", [KeyEntry(name, name, NUMBER, default) for name, default in _FIGURES.items()])


def printer_names(settings: Path) -> tuple[str, ...]:
    """The names of all stored printers, in order."""
    return tuple(sorted(path.stem for path in entries_of(settings / FOLDER) if path.suffix == SUFFIX))


def read_printer(settings: Path, name: str) -> Printer:
    """A stored printer; ProblemsFound when its file was damaged. KeyError when there is none of that name."""
    path = settings / FOLDER / f"{name}{SUFFIX}"
    if name not in printer_names(settings):
        raise KeyError(name)
    shown = str(path)
    root = read_yaml(path, shown)
    data, found = read(_PRINTER, root)
    if found:
        source = Source(shown, root)
        raise ProblemsFound(Problem(source.place(*one.path), *explain(one, _PRINTER)) for one in found)
    try:
        return Printer(name, data.back_x, data.back_y, data.scale_x, data.scale_y)
    except ValueError as error:
        again = f"store it anew: pnp calibrate --set {name} ..."
        raise ProblemsFound([Problem(Place(shown), str(error), again)]) from error


def printer_file(settings: Path, name: str) -> Path:
    """Where a printer's file lies; ValueError for a name that is no file's name."""
    if not NAME.fullmatch(name):
        raise ValueError(f"'{name}' is no name for a printer: use letters, digits, - and _")
    return settings / FOLDER / f"{name}{SUFFIX}"


def printer_text(printer: Printer) -> str:
    """What stands in a printer's file."""
    figures = {name: plain(round(getattr(printer, name), 6)) for name in _FIGURES}
    head = "# Made by `pnp calibrate`: mm to the right and down, and 1.002 for 100.2 %; of back pages alone.\n"
    return head + "".join(f"{name}: {value}\n" for name, value in figures.items())
