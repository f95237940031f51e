"""Session import: answers of a form service or of our own form become sessions."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, time, timedelta, timezone
from pathlib import Path
from statistics import median
from typing import Any
from unicodedata import normalize

from generator.base.errors import InvalidInput, Place, Problem, ProblemsFound, gather_problems, raise_problems
from generator.base.files import read_file
from generator.commands.feedback_form import COLUMNS, NOTES, find_column_headings
from generator.game.data_fields import FieldSpec
from generator.game.source import Map, Seq, Source
from generator.game.table_designs import DesignTable, read_table_designs
from generator.game.table_files import parse_rows
from generator.game.table_header import Header, clean_heading
from generator.versions.sessions import Session, SessionGame, read_session

_LANGUAGES = ("en", "ja", "de")
"""Languages of the usual headings."""

_NIGHT = time(5)
"""Answers until this hour belong to the evening before."""

_EXCEL = datetime(1899, 12, 30)
"""Day 0 of Excel's dates. Its day 60 does not exist, but no such game was played before."""

_YEAR_FIRST = re.compile(r"(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})")
_YEAR_LAST = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4})")
_SERIAL = re.compile(r"[2-7]\d{4}(\.\d+)?")
_CLOCK = re.compile(r"(\d{1,2}):(\d\d)")
_ZONE = re.compile(r"(?:(?<=[\d\sM])(?:Z|UTC|GMT)|(?:GMT|UTC)?([+-])(\d{1,2}):?(\d\d)?)$", re.IGNORECASE)
_HALVES = {"午後": 12, "PM": 12, "午前": 0, "AM": 0}
_WRITE = "write it as year-month-day, such as 2026-11-24"


def parse_zone(text: str) -> timezone | None:
    """Return the offset that a text ends with (`Z`, `+09:00`, `GMT+9`), or None. Raise ValueError from 24 hours on."""
    found = _ZONE.search(text.strip())
    if not found:
        return None
    offset = timedelta(hours=int(found[2] or 0), minutes=int(found[3] or 0))
    return timezone(-offset if found[1] == "-" else offset)


def parse_evening(text: str, zone: timezone | None, month_first: bool | None) -> tuple[date, timezone | None]:
    """Return the evening of a date or time stamp, and the time zone that it names.

    `month_first` says how to read `1/2/2026`; None: not known. A stamp with a time zone is converted to `zone`, if that
    is given; one before five o'clock belongs to the evening before. Raise InvalidInput for other texts.
    """
    plain = normalize("NFKC", text).strip()
    if _SERIAL.fullmatch(plain):
        at = _EXCEL + timedelta(days=float(plain))
        return _find_evening(at, timed="." in plain), None
    if found := _YEAR_FIRST.match(plain):
        numbers = int(found[1]), int(found[2]), int(found[3])
    elif found := _YEAR_LAST.match(plain):
        first, second = int(found[1]), int(found[3])
        by_month = found[2] == "/" and (month_first if max(first, second) < 13 else second > 12)
        if by_month is None:
            raise InvalidInput(f"'{text}' can be two days", _WRITE)
        numbers = int(found[4]), *((first, second) if by_month else (second, first))
    else:
        raise InvalidInput(f"'{text}' is not a day", _WRITE)
    rest = plain[found.end() :]
    clock = _CLOCK.search(rest)
    try:
        own = parse_zone(rest) if clock else None
        hour, minute = (int(clock[1]), int(clock[2])) if clock else (12, 0)
        half = next((hours for mark, hours in _HALVES.items() if mark in rest.upper()), None)
        at = datetime.combine(date(*numbers), time(hour if half is None else hour % 12 + half, minute), own)
    except ValueError as error:
        raise InvalidInput(f"'{text}' is not a day", _WRITE) from error
    return _find_evening(at.astimezone(zone) if own and zone else at, timed=clock is not None), own


def _find_evening(at: datetime, *, timed: bool) -> date:
    return (at - timedelta(days=1)).date() if timed and at.time() < _NIGHT else at.date()


def read_answers(
    path: Path, of: SessionGame, columns: dict[str, str], ignored: Sequence[str], zone: timezone | None
) -> tuple[Session, ...]:
    """Return the sessions in a table of answers, one row for each player. Raise ProblemsFound with all problems.

    `columns` gives the fields of unusual headings, `ignored` are headings to leave out. Answers of an evening belong to
    one session, unless they number the tables. Without a zone, times count as the answers state them.
    """
    resources, texts = of.workshop.resources, [*COLUMNS, *(one for pair in NOTES for one in pair)]
    shown = resources.display_path(path)
    numbers = dict.fromkeys(("table", "players", "minutes", "seat", "place"), "integer") | {"score": "number"}
    specs = {
        name: FieldSpec(numbers.get(name, "text"), optional=name != "date") for name in (*texts, *of.game.readings)
    }
    usual = {heading: name for name in texts for lang in _LANGUAGES for heading in find_column_headings(name, lang)}
    header = Header(specs, _LANGUAGES, usual | columns, ignored)
    try:
        rows = parse_rows(read_file(path, "table"), path.suffix.lower(), shown, "", header, resources)
        cells = rows.cells[header.find_header(rows.cells)] if rows.cells else []
        days = [at for at, cell in enumerate(cells, 1) if header.find_key(clean_heading(cell)) == ("date", "")]
        rows.doubts = [doubt for doubt in rows.doubts if not set(doubt[0]) & set(days)]  # dates of workbooks
        table = read_table_designs(rows, header)
    except InvalidInput as unfit:
        raise ProblemsFound([Problem(Place(shown), str(unfit), unfit.hint)]) from unfit
    except ProblemsFound as found:
        raise ProblemsFound(map(_advise_options, found.problems)) from found
    problems = [*map(_advise_options, rows.problems)]
    sessions = []
    for name, group in _group_answers(table, shown, zone, problems).items():
        with gather_problems(problems):
            sessions.append(read_session(name, Source(shown, _merge_answers(group, shown, of, problems)), of))
    raise_problems(problems)
    return tuple(sessions)


def _advise_options(problem: Problem) -> Problem:
    """Return a problem of the header with the command's options instead of the keys of components."""
    if not re.search("fields:|columns:|ignore:", problem.hint):
        return problem
    meant = f"{problem.hint.partition('?')[0]}? " if problem.hint.startswith("did you mean") else ""
    hint = f"{meant}--column HEADING FIELD says what a heading means, --ignore HEADING leaves it out"
    return Problem(problem.place, problem.what.removesuffix(" of this kind"), hint)


def _group_answers(
    table: DesignTable, shown: str, zone: timezone | None, problems: list[Problem]
) -> Mapping[str, list[Map]]:
    """Return the answers by the name of their session: evening and number of the table."""
    found = [_YEAR_LAST.match(normalize("NFKC", row["date"])) for row in table if "date" in row]
    firsts, seconds = ([int(one[at]) for one in found if one and one[2] == "/"] for at in (1, 3))
    month_first = True if max(seconds, default=0) > 12 else False if max(firsts, default=0) > 12 else None
    groups: dict[str, list[Map]] = {}
    zones = set[timezone]()
    for row in table:
        place = Source(shown, row, (row.values_at.row, 1)).place("date")
        try:
            day, own = parse_evening(row.get("date", ""), zone, month_first)
        except InvalidInput as unfit:
            problems.append(Problem(place, str(unfit), unfit.hint))
            continue
        zones |= {own} if own else set()
        if len(zones) > 1 and zone is None:
            what = "the answers are in different time zones"
            problems.append(Problem(place, what, "name the players' zone, such as --zone +09:00"))
            return {}  # nobody knows which answers belong together
        groups.setdefault(f"{day}-{row.get('table', 1)}", []).append(row)
    return groups


def _merge_answers(group: Sequence[Map], shown: str, of: SessionGame, problems: list[Problem]) -> Map:
    """Return a session as its file has it, at the places of the answers."""
    first = group[0]
    start = first.values_at.row, 1
    told: dict[str, Any] = {}
    spots: dict[str, Any] = {}
    for row in group:
        for key in ("draft", "record", "players"):
            if key in row and row[key] != told.setdefault(key, row[key]):
                what = f"the answers differ: {key} is {told[key]} and {row[key]}"
                problems.append(Problem(Source(shown, row).place(key), what, "correct one, or number the tables"))
            if key in row:
                spots.setdefault(key, row.values_at[key])
    players = told.setdefault("players", len(group))
    if minutes := [row["minutes"] for row in group if "minutes" in row]:
        told["minutes"] = round(median(minutes))
    chairs = [row.get("seat") for row in group]
    told["ordered"] = set(chairs) <= set(range(1, players + 1)) and len(set(chairs)) == len(group)
    known = dict(zip(chairs if told["ordered"] else range(1, len(group) + 1), group, strict=True))
    empty = Map(keys_at={}, values_at={})
    rows = [known.get(number, empty) for number in range(1, max(players, len(group)) + 1)]
    told["seats"] = _list_at((_pick(row, name="name", place="place", score="score") for row in rows), start)
    told["readings"], notes = {}, []
    for entry in of.game.readings:
        if answers := Counter(row[entry] for row in group if entry in row):
            told["readings"][entry] = answers.most_common(1)[0][0]
            others = (row for row in group if row.get(entry, told["readings"][entry]) != told["readings"][entry])
            notes += [_with(_pick(row, text=entry, author="name"), about=entry) for row in others]
    for row in group:
        for about, note in NOTES:
            if note in row:
                notes.append(_pick(row, text=note, about=about, author="name"))
            elif about in row:
                what = f"there is no note about '{row[about]}'"
                problems.append(Problem(Source(shown, row).place(about), what, "write it, or clear this cell"))
    told["notes"] = _list_at(notes, start)
    told = {"format": 1, "draft": of.game.draft, **told}
    return Map(told.items(), dict.fromkeys(told, start), dict.fromkeys(told, start) | spots)


def _pick(row: Map, **columns: str) -> Map:
    """Return the values of an answer under other keys, at their places."""
    there = {key: column for key, column in columns.items() if column in row}
    spots = {key: row.values_at[column] for key, column in there.items()}
    return Map(((key, row[column]) for key, column in there.items()), spots, spots)


def _with(row: Map, **values: str) -> Map:
    spots = row.values_at | dict.fromkeys(values, row.values_at["text"])
    return Map((row | values).items(), spots, spots)


def _list_at(parts: Iterable[Map], start: tuple[int, int]) -> Seq:
    """Return a list of values, each at the place of its first part."""
    found = Seq()
    for part in parts:
        found.append(part)
        found.values_at.append(next(iter(part.values_at.values()), start))
    return found
