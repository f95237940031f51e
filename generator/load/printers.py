"""Printers' profiles: one small file each in the user's settings folder, as text and read back."""

import re
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from generator.errors import Place, Problem, ProblemsFound
from generator.load.wording import explain
from generator.load.yaml_source import read_yaml
from generator.model.printer import Printer
from generator.model.source import Source
from generator.units import plain

FOLDER, SUFFIX = "printers", ".yaml"
NAME = re.compile(r"\w[\w-]{0,39}")
"""What a printer may be called: it is a file's name on every system."""


class _Data(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    back_x: float = 0.0
    back_y: float = 0.0
    scale_x: float = 1.0
    scale_y: float = 1.0


def printer_names(settings: Path) -> tuple[str, ...]:
    """The names of all stored printers, in order."""
    return tuple(sorted(path.stem for path in (settings / FOLDER).glob(f"*{SUFFIX}")))


def read_printer(settings: Path, name: str) -> Printer:
    """A stored printer; ProblemsFound when its file was damaged. KeyError when there is none of that name."""
    path = settings / FOLDER / f"{name}{SUFFIX}"
    if name not in printer_names(settings):
        raise KeyError(name)
    shown = str(path)
    root = read_yaml(path, shown)
    try:
        data = _Data.model_validate(root)
        return Printer(name, data.back_x, data.back_y, data.scale_x, data.scale_y)
    except ValidationError as error:
        source = Source(shown, root)
        details = error.errors(include_url=False)
        raise ProblemsFound(
            [Problem(source.place(*detail["loc"]), *explain(detail, _Data)) for detail in details]
        ) from error
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
    figures = {name: plain(round(getattr(printer, name), 6)) for name in _Data.model_fields}
    head = "# Made by `pnp calibrate`: mm to the right and down, and 1.002 for 100.2 %; of back pages alone.\n"
    return head + "".join(f"{name}: {value}\n" for name, value in figures.items())
