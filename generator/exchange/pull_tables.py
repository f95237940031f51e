"""Pull tables from the web into the project, and report what changed."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from generator.base.dataclass import dataclass
from generator.base.errors import Place, Problem, ProblemsFound, Unfit
from generator.base.files import Told, is_file, read_file
from generator.base.output_files import delivery
from generator.exchange.fetch_file import fetch, suffix_of, table_address
from generator.game.data_fields import id_of
from generator.game.project import Project, parse_all
from generator.game.table_designs import DesignTable, designs_of, kind_header, kinds_with_tables, languages_of
from generator.game.table_files import (
    FOLDER,
    NOTE,
    PulledTable,
    is_address,
    is_unchanged,
    note_of,
    parts_of,
    read_note,
    rows_of,
)
from generator.game.table_header import Header

_NAMED = 6
"""Number of rows to name by id."""


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A table at an address: its place in the data, the kind, the sheet, and the allowed header."""

    address: str
    sheet: str
    place: Place
    kind: str
    header: Header


@dataclass(frozen=True, slots=True)
class Pulled:
    """The result for all addresses: a line for each copy, and the problems. Failed copies are unchanged."""

    lines: tuple[str, ...]
    problems: tuple[Problem, ...]


def pull_tables(
    project: Project, names: tuple[str, ...], told: Told, fetched: Callable[[str], bytes] = fetch
) -> Pulled:
    """Fetch all tables at addresses in the named games, or in all games.

    Raise ProblemsFound if there are no addresses, or if the data can't be read.
    """
    lines: list[str] = []
    problems: list[Problem] = []
    any_there = False
    for name in project.choose(names):
        game = _Game(project, project.folder(name), fetched)
        wanted = list(game.wanted())
        any_there = any_there or bool(wanted)
        for address in dict.fromkeys(one.address for one in wanted):
            told(address)
            game.pull([one for one in wanted if one.address == address])
        game.keep()
        lines += game.lines
        problems += game.problems
    told("")
    if not any_there:
        what = "no kind of these games names a table by its address"
        raise ProblemsFound([Problem(None, what, "write `designs: https://...` into one")])
    return Pulled(tuple(lines), tuple(problems))


class _Game:
    """The tables of one game: its old copies, and their replacements."""

    def __init__(self, project: Project, folder: Path, fetched: Callable[[str], bytes]):
        self.resources, self.folder, self.fetched = project.resources, folder, fetched
        self.kept = {one.address: one for one in read_note(folder, project.resources)}
        self.lines: list[str] = []
        self.problems: list[Problem] = []
        self._new: dict[str, bytes] = {}
        self._gone: list[Path] = []

    def wanted(self) -> Iterator[_Wanted]:
        """Yield every table at an address in the data."""
        files = parse_all(self.folder, self.resources)
        for one in kinds_with_tables(files, self.resources):
            header = kind_header(one.kind, languages_of(files, self.resources))
            for entry, place in one.entries:
                if isinstance(entry, str) and is_address(entry.strip()):
                    yield _Wanted(*parts_of(entry), place, one.name, header)

    def pull(self, wanted: Sequence[_Wanted]) -> None:
        """Fetch one address, which kinds may share. If it can't be used, the copy stays unchanged."""
        first = wanted[0]
        before = self._copy_before(first.address)
        stays = f"; the copy of {before[0].fetched[:10]} stays" if before else ""
        try:
            raw = self.fetched(table_address(first.address))
            suffix = suffix_of(raw)
        except Unfit as unfit:
            what = f"{first.address} can't be fetched: {unfit}{stays}"
            self.problems.append(Problem(first.place, what, unfit.hint))
            return
        name = self._name(first, suffix)
        shown = self.resources.shown(self.folder / FOLDER / name)
        try:
            now = [self._designs(one, raw, suffix, shown) for one in wanted]
        except ProblemsFound as found:
            for problem in found.problems:
                self.problems.append(
                    Problem(first.place, f"what came can't be used: {problem.what}{stays}", problem.hint)
                )
            return
        if before and before[1] == raw:
            self.lines.append(f"{shown}: nothing has changed since {before[0].fetched[:10]}")
            return
        for one, (designs, unread) in zip(wanted, now, strict=True):
            self.lines.append(f"{shown}: {self._difference(one, before, designs)}{unread}")
        if before and before[0].file != name:
            self._gone.append(self.folder / FOLDER / before[0].file)
        when = datetime.now(UTC).isoformat(timespec="seconds")
        self.kept[first.address] = PulledTable(first.address, name, when, sha256(raw).hexdigest())
        self._new[name] = raw

    def keep(self) -> None:
        """Write all copies and the note about them together."""
        if not self._new:
            return
        with delivery() as files:
            for name, raw in self._new.items():
                files.put(self.folder / FOLDER / name, raw, at_home=True)
            files.put(self.folder / FOLDER / NOTE, note_of(self.kept.values()), at_home=True)
            files.hand_over()
        for path in self._gone:  # for example, it was CSV and is a workbook now
            path.unlink(missing_ok=True)

    def _copy_before(self, address: str) -> tuple[PulledTable, bytes] | None:
        """Return the existing copy as it was fetched, or None if it is missing or was edited."""
        kept = self.kept.get(address)
        path = self.folder / FOLDER / kept.file if kept else self.folder
        if kept is None or not is_file(path):
            return None
        try:
            raw = read_file(path, "table")
        except Unfit:
            return None  # it is replaced
        if not is_unchanged(raw, kept):
            self.lines.append(f"{self.resources.shown(path)}: was changed by hand, and is fetched anew")
        return kept, raw

    def _name(self, wanted: _Wanted, suffix: str) -> str:
        """Return the name of a copy: the kind's, with a number if another table has it."""
        kept = self.kept.get(wanted.address)
        if kept and kept.file.endswith(suffix):
            return kept.file
        taken = {one.file.partition(".")[0] for one in self.kept.values() if one is not kept}
        stem, number = id_of(wanted.kind) or "table", 1
        name = stem
        while name in taken:
            number += 1
            name = f"{stem}-{number}"
        return f"{name}{suffix}"

    def _designs(self, wanted: _Wanted, raw: bytes, suffix: str, shown: str) -> tuple[DesignTable, str]:
        """Return the designs of a table, and a note about rows that can't be read."""
        rows = rows_of(raw, suffix, shown, wanted.sheet, wanted.header, self.resources)
        designs = designs_of(rows, wanted.header)
        if not designs and not rows.problems:
            raise ProblemsFound([Problem(None, "there is nothing below its header", "look at it in a browser")])
        return designs, "; `pnp build` tells what is wrong in it" if rows.problems else ""

    def _difference(self, one: _Wanted, before: tuple[PulledTable, bytes] | None, now: DesignTable) -> str:
        """Return how the rows differ from those of the old copy."""
        if before is None:
            return f"new, {_rows(len(now))}"
        try:
            old, _ = self._designs(one, before[1], f".{before[0].file.rpartition('.')[2]}", before[0].file)
        except ProblemsFound:
            return f"new, {_rows(len(now))}; the copy before could not be read"
        return _changes(_by_id(old), _by_id(now))


def _by_id(designs: Iterable[Mapping[str, Any]]) -> dict[str, Mapping[str, Any]]:
    return {str(design.get("id", "")): design for design in designs}


def _changes(old: Mapping[str, Mapping[str, Any]], new: Mapping[str, Mapping[str, Any]]) -> str:
    """Describe changes: `2 rows added (a, b), 1 row changed (c)`."""
    found = {
        "added": [name for name in new if name not in old],
        "taken out": [name for name in old if name not in new],
        "changed": [name for name in new if name in old and new[name] != old[name]],
    }
    said = [f"{_rows(len(ids))} {how} ({_some(ids)})" for how, ids in found.items() if ids]
    return ", ".join(said) or "no row has changed"


def _rows(number: int) -> str:
    return "1 row" if number == 1 else f"{number:,} rows"


def _some(ids: Sequence[str]) -> str:
    more = f" and {len(ids) - _NAMED:,} more" if len(ids) > _NAMED else ""
    return f"{', '.join(ids[:_NAMED])}{more}"
