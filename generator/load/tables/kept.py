"""Kept copies of tables that have an address: they lie in the game's folder, with a note of when they were fetched.

What is kept is what `pnp pull` fetched. Nothing here reaches the network.
"""

import json
import re
from collections.abc import Iterable
from dataclasses import asdict, fields
from hashlib import sha256
from pathlib import Path

from generator.dataclass import dataclass
from generator.errors import Place, Problem, ProblemsFound, Unfit
from generator.files import is_file, lies_in, read_file
from generator.model.resources import Resources

FOLDER = "pulled"
"""Where in a game's folder the copies lie."""

NOTE = "pulled.json"
"""What is known of them: a list, a line each."""

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]*\.(?:csv|xlsx|ods)\Z")


@dataclass(frozen=True, slots=True)
class PulledTable:
    """A copy: its address as the data write it, its file in `pulled/`, when it was fetched (UTC), its checksum."""

    address: str
    file: str
    fetched: str
    sha256: str


_UNREAD = PulledTable("", "", "", "")


def read_note(folder: Path, resources: Resources) -> list[PulledTable]:
    """What is kept of a game, nothing where nothing ever was; ProblemsFound where the note is damaged."""
    path = folder / FOLDER / NOTE
    if not is_file(path):
        return []
    try:
        listed = json.loads(read_file(path, "note"))
        kept = [PulledTable(**entry) for entry in listed]
    except (Unfit, ValueError, TypeError, RecursionError):
        kept = [_UNREAD]
    if all(isinstance(getattr(one, key.name), str) for one in kept for key in fields(PulledTable)) and all(
        _NAME.match(one.file) for one in kept
    ):
        return kept
    what = "the note of kept tables can't be read"
    raise ProblemsFound([Problem(Place(resources.shown(path)), what, "delete it and run `pnp pull`")])


def note_of(kept: Iterable[PulledTable]) -> bytes:
    """The note as its file holds it, a line for each copy, so that versions can be compared."""
    lines = ",\n".join(
        f"  {json.dumps(asdict(one), ensure_ascii=False)}" for one in sorted(kept, key=lambda one: one.file)
    )
    return f"[\n{lines}\n]\n".encode()


def kept_copy(folder: Path, address: str, place: Place, resources: Resources) -> Path:
    """The copy of the table with this address; ProblemsFound where there is none, or another hand has changed it."""
    kept = next((one for one in read_note(folder, resources) if one.address == address), None)
    path = folder / FOLDER / kept.file if kept else folder
    if kept is None or not is_file(path) or not lies_in(path, folder):
        raise ProblemsFound([Problem(place, "this table was never fetched", "run `pnp pull`")])
    try:
        raw = read_file(path, "table")
    except Unfit as unfit:
        raise ProblemsFound([Problem(Place(resources.shown(path)), str(unfit), unfit.hint)]) from unfit
    if not is_unchanged(raw, kept):
        what = f"this copy was changed after it was fetched ({kept.fetched[:10]})"
        hint = f"change the table at its address and run `pnp pull`, or write `{FOLDER}/{kept.file}` in its place"
        raise ProblemsFound([Problem(Place(resources.shown(path)), what, hint)])
    return path


def is_unchanged(raw: bytes, kept: PulledTable) -> bool:
    """Whether a copy is what was fetched, but for the ends of lines, which git may have changed."""
    unix = raw.replace(b"\r\n", b"\n")
    return kept.sha256 in {sha256(form).hexdigest() for form in (raw, unix, unix.replace(b"\n", b"\r\n"))}
