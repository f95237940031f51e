"""Other programs on this machine, found where the user installed them and never where a stranger's files lie."""

import os
from pathlib import Path

_ENDING = ".exe" if os.name == "nt" else ""


def program_path(*names: str) -> str | None:
    """The whole path of the first of these programs that is installed; None without any.

    Only absolute folders of PATH are asked. Windows, and a PATH with `.` or an empty entry, would look into the current
    folder too, where a project from elsewhere may have put a program of that name.
    """
    folders = [folder for folder in map(Path, os.environ.get("PATH", "").split(os.pathsep)) if folder.is_absolute()]
    for name in names:
        for folder in folders:
            found = folder / f"{name}{_ENDING}"
            if _runs(found):
                return str(found)
    return None


def _runs(path: Path) -> bool:
    try:
        return path.is_file() and os.access(path, os.X_OK)
    except (OSError, ValueError):  # an entry of PATH that can't be a folder
        return False
