"""The file that a kind names as its table, or the kept copy of an address, to rows."""

import re
from pathlib import Path

from generator.errors import Place, Problem, ProblemsFound, Unfit, did_you_mean
from generator.files import files_below, is_file, lies_in, read_file
from generator.load.tables.header import Header
from generator.load.tables.rows import Rows
from generator.model.resources import Resources

CSV, XLSX, ODS = (".csv", ".tsv", ".txt"), (".xlsx", ".xlsm"), (".ods",)
SUFFIXES = CSV + XLSX + ODS

_SHEET = re.compile(r"(.*?\.(?:xlsx|xlsm|ods)):(.*)\Z", re.IGNORECASE | re.DOTALL)
_ADDRESS = re.compile(r"https?://", re.IGNORECASE)
_SAVE_AS = {
    ".xls": "save it as an Excel workbook (.xlsx)",
    ".xlsb": "save it as an Excel workbook (.xlsx)",
    ".numbers": "export it from Numbers as CSV or Excel",
    ".fods": "save it as .ods",
    ".gsheet": "write the address of the sheet, https://docs.google.com/spreadsheets/..., and run `pnp pull`",
    ".json": "save it as .csv or .xlsx",
    ".html": "save it as .csv or .xlsx",
}
"""What to do with other forms in which tables are kept."""


def parts_of(named: str) -> tuple[str, str]:
    """The name or address of a file and, after a colon, that of a sheet."""
    found = _SHEET.match(named)
    return (found[1], found[2].strip()) if found else (named.strip(), "")


def is_address(named: str) -> bool:
    """Whether a table is named by its address on the web."""
    return bool(_ADDRESS.match(named))


def read_rows(folder: Path, beside: Path, named: str, place: Place, header: Header, resources: Resources) -> Rows:
    """The rows of the table that a kind of a game's folder names at a place: `deck.csv`, `deck.xlsx:Sheet`, an address.

    ProblemsFound where there is none, or it can't be read.
    """
    name, sheet = parts_of(named)
    if is_address(name):
        from generator.load.tables.kept import kept_copy

        path = kept_copy(folder, name, place, resources)
    else:
        path = _file(folder, beside, name, named, place)
    shown = resources.shown(path) + (f":{sheet}" if sheet else "")
    try:
        raw = read_file(path, "table")
    except Unfit as unfit:
        raise ProblemsFound([Problem(Place(shown), str(unfit), unfit.hint)]) from unfit
    return rows_of(raw, path.suffix.lower(), shown, sheet, header, resources)


def rows_of(raw: bytes, suffix: str, shown: str, sheet: str, header: Header, resources: Resources) -> Rows:
    """The rows of a file's bytes by the end of its name; ProblemsFound where they can't be read."""
    if suffix in XLSX:
        from generator.load.tables.xlsx_rows import read_xlsx

        return read_xlsx(raw, shown, sheet, resources.told)
    if suffix in ODS:
        from generator.load.tables.ods_rows import read_ods

        return read_ods(raw, shown, sheet, resources.told)
    from generator.load.tables.csv_rows import read_csv

    return read_csv(raw, shown, header, resources.told)


def _file(folder: Path, beside: Path, name: str, named: str, place: Place) -> Path:
    """The file of that name, which lies beside the one that names it and in the game's folder."""
    path = beside / name
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        what = f"designs is '{named}', which is neither a list nor a table"
        if suffix in _SAVE_AS:
            what = f"the table '{named}' is of a form that is not read"
        hint = _SAVE_AS.get(suffix, "write a list, or a file that ends in .csv, .tsv, .txt, .xlsx or .ods")
        raise ProblemsFound([Problem(place, what, hint)])
    if not lies_in(path, folder):
        what = f"the table '{name}' lies outside the game's folder"
        raise ProblemsFound([Problem(place, what, "copy it into the folder")])
    if not is_file(path):
        known = sorted(file.name for file in files_below(folder) if file.suffix.lower() in SUFFIXES)
        raise ProblemsFound([Problem(place, f"there is no table '{name}' beside this file", did_you_mean(name, known))])
    return path
