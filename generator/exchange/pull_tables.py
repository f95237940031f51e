"""Downloads the web tables of a game into the project, and reports what changed."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import click

from generator.base.errors import InvalidInput, Place, Problem, ProblemsFound
from generator.base.files import ProgressListener, is_file, read_file
from generator.base.output_files import open_delivery
from generator.commands.command_line import say
from generator.commands.options import GAMES, PROJECT, open_project, progress
from generator.exchange.fetch_file import fetch_table, find_table_address, suffix_from_bytes
from generator.game.data_fields import id_from_text
from generator.game.project import Project, parse_all
from generator.game.table_designs import (
    DesignTable,
    header_from_kind,
    iter_kinds_with_tables,
    read_languages,
    read_table_designs,
)
from generator.game.table_files import (
    FOLDER,
    NOTE,
    PulledTable,
    format_note,
    is_address,
    is_unchanged,
    parse_rows,
    read_note,
    split_sheet_name,
)
from generator.game.table_header import Header

_NAMED = 6
"""Maximum number of changed rows that a report names by id."""


@click.command()
@GAMES
@PROJECT
@click.pass_obj
def pull(obj: Path | None, /, **options: Any) -> None:
    """Download the tables that a game reads from the web.

    pnp keeps a copy of each table in the project and lists what changed. Every other command reads the copies and
    needs no connection.
    """
    pulled = pull_tables(open_project(obj, options), options["games"], progress())
    for line in pulled.lines:
        say(line)
    if pulled.problems:
        raise ProblemsFound(pulled.problems)


@dataclass(frozen=True, slots=True)
class _WebTable:
    """A table on the web that the data name: address, sheet, place in the data, kind, and allowed columns."""

    address: str
    sheet: str
    place: Place
    kind: str
    header: Header


@dataclass(frozen=True, slots=True)
class PullResult:
    """The result of a download: a line for each copy, and problems. If a download failed, its copy is unchanged."""

    lines: tuple[str, ...]
    problems: tuple[Problem, ...]


def pull_tables(
    project: Project,
    names: tuple[str, ...],
    progress: ProgressListener,
    fetch_bytes: Callable[[str], bytes] = fetch_table,
) -> PullResult:
    """Download all web tables of the named games, or of all games.

    Raise ProblemsFound if there are no addresses, or if the data can't be read.
    """
    lines: list[str] = []
    problems: list[Problem] = []
    any_there = False
    for name in project.choose_games(names):
        game = _GameTables(project, project.find_folder(name), fetch_bytes)
        wanted = list(game.find_wanted())
        any_there = any_there or bool(wanted)
        for address in dict.fromkeys(one.address for one in wanted):
            progress(address)
            game.pull_table([one for one in wanted if one.address == address])
        game.store_copies()
        lines += game.lines
        problems += game.problems
    progress("")
    if not any_there:
        what = "no kind of these games reads a table from the web"
        raise ProblemsFound([Problem(None, what, "write `designs: https://...` into one")])
    return PullResult(tuple(lines), tuple(problems))


class _GameTables:
    def __init__(self, project: Project, folder: Path, fetched: Callable[[str], bytes]):
        self.resources, self.folder, self.fetched = project.resources, folder, fetched
        self.kept = {one.address: one for one in read_note(folder, project.resources)}
        self.lines: list[str] = []
        self.problems: list[Problem] = []
        self._new: dict[str, bytes] = {}
        self._gone: list[Path] = []

    def find_wanted(self) -> Iterator[_WebTable]:
        """Yield every web table that the data name."""
        files = parse_all(self.folder, self.resources)
        for one in iter_kinds_with_tables(files, self.resources):
            header = header_from_kind(one.kind, read_languages(files, self.resources))
            for entry, place in one.entries:
                if isinstance(entry, str) and is_address(entry.strip()):
                    yield _WebTable(*split_sheet_name(entry), place, one.name, header)

    def pull_table(self, wanted: Sequence[_WebTable]) -> None:
        """Download one address, which several kinds may use. If it can't be used, keep the old copy."""
        first = wanted[0]
        before = self._read_copy(first.address)
        stays = f"; the copy of {before[0].fetched[:10]} stays" if before else ""
        try:
            raw = self.fetched(find_table_address(first.address))
            suffix = suffix_from_bytes(raw)
        except InvalidInput as unfit:
            what = f"{first.address} can't be fetched: {unfit}{stays}"
            self.problems.append(Problem(first.place, what, unfit.hint))
            return
        name = self._choose_name(first, suffix)
        shown = self.resources.display_path(self.folder / FOLDER / name)
        try:
            now = [self._read_designs(one, raw, suffix, shown) for one in wanted]
        except ProblemsFound as found:
            for problem in found.problems:
                self.problems.append(
                    Problem(first.place, f"the download can't be used: {problem.what}{stays}", problem.hint)
                )
            return
        if before and before[1] == raw:
            self.lines.append(f"{shown}: nothing has changed since {before[0].fetched[:10]}")
            return
        for one, (designs, unread) in zip(wanted, now, strict=True):
            said = f"new, {_format_row_count(len(designs))}"
            if before:
                ending = before[0].file.rpartition(".")[2]
                try:
                    old, _ = self._read_designs(one, before[1], f".{ending}", before[0].file)
                    said = _describe_changes(_index_by_id(old), _index_by_id(designs))
                except ProblemsFound:
                    said += "; the copy before could not be read"
            self.lines.append(f"{shown}: {said}{unread}")
        if before and before[0].file != name:
            self._gone.append(self.folder / FOLDER / before[0].file)
        when = datetime.now(UTC).isoformat(timespec="seconds")
        self.kept[first.address] = PulledTable(first.address, name, when, sha256(raw).hexdigest())
        self._new[name] = raw

    def store_copies(self) -> None:
        """Write all new copies, and the record of their hashes, together."""
        if not self._new:
            return
        with open_delivery() as files:
            for name, raw in self._new.items():
                files.put(self.folder / FOLDER / name, raw, at_home=True)
            files.put(self.folder / FOLDER / NOTE, format_note(self.kept.values()), at_home=True)
            files.hand_over()
        for path in self._gone:  # for example, it was CSV and is a workbook now
            path.unlink(missing_ok=True)

    def _read_copy(self, address: str) -> tuple[PulledTable, bytes] | None:
        """Return the record and bytes of the old copy, or None if it is missing. Report a copy that the user edited."""
        kept = self.kept.get(address)
        path = self.folder / FOLDER / kept.file if kept else self.folder
        if kept is None or not is_file(path):
            return None
        try:
            raw = read_file(path, "table")
        except InvalidInput:
            return None  # it is replaced
        if not is_unchanged(raw, kept):
            self.lines.append(f"{self.resources.display_path(path)}: you changed this copy; pnp downloads it again")
        return kept, raw

    def _choose_name(self, wanted: _WebTable, suffix: str) -> str:
        """Return the file name of a copy: the old name, else the kind's, with a number if that is taken."""
        kept = self.kept.get(wanted.address)
        if kept and kept.file.endswith(suffix):
            return kept.file
        taken = {one.file.partition(".")[0] for one in self.kept.values() if one is not kept}
        stem, number = id_from_text(wanted.kind) or "table", 1
        name = stem
        while name in taken:
            number += 1
            name = f"{stem}-{number}"
        return f"{name}{suffix}"

    def _read_designs(self, wanted: _WebTable, raw: bytes, suffix: str, display_name: str) -> tuple[DesignTable, str]:
        """Return the designs of a table, and a note about rows that can't be read."""
        rows = parse_rows(raw, suffix, display_name, wanted.sheet, wanted.header, self.resources)
        designs = read_table_designs(rows, wanted.header)
        if not designs and not rows.problems:
            raise ProblemsFound([Problem(None, "there is nothing below its header", "open it in a browser")])
        return designs, "; run `pnp build` to see its errors" if rows.problems else ""


def _index_by_id(designs: Iterable[Mapping[str, Any]]) -> dict[str, Mapping[str, Any]]:
    return {str(design.get("id", "")): design for design in designs}


def _describe_changes(old: Mapping[str, Mapping[str, Any]], new: Mapping[str, Mapping[str, Any]]) -> str:
    """Describe changes: `2 rows added (a, b), 1 row changed (c)`."""
    found = {
        "added": [name for name in new if name not in old],
        "taken out": [name for name in old if name not in new],
        "changed": [name for name in new if name in old and new[name] != old[name]],
    }
    said = []
    for how, ids in found.items():
        more = f" and {len(ids) - _NAMED:,} more" if len(ids) > _NAMED else ""
        if ids:
            said.append(f"{_format_row_count(len(ids))} {how} ({', '.join(ids[:_NAMED])}{more})")
    return ", ".join(said) or "no row has changed"


def _format_row_count(number: int) -> str:
    return "1 row" if number == 1 else f"{number:,} rows"
