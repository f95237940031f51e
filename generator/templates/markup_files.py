"""Reads a template or art file as text; what keeps it from being text is a problem with line and column."""

from pathlib import Path

from generator.errors import Place, Problem, ProblemsFound, Unfit
from generator.files import read_file


def read_markup(path: Path, shown: str) -> str:
    """The file's text, its line ends as newlines; ProblemsFound, placed in `shown`, when it can't be read."""
    try:
        text = read_file(path, "markup").decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = error.object[: error.start].decode("utf-8")
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        what = f"byte 0x{error.object[error.start]:02X} is not UTF-8"
        raise ProblemsFound([Problem(Place(shown, line, column), what, "save the file as UTF-8")]) from error
    except Unfit as unfit:
        raise ProblemsFound([Problem(Place(shown), str(unfit), unfit.hint)]) from unfit
    return text.replace("\r\n", "\n").replace("\r", "\n")
