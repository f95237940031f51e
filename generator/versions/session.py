"""The command `session`: stores evenings of playtesting, also from forms, and reports what people said and played."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, time, timedelta, timezone
from operator import eq
from pathlib import Path
from statistics import median
from typing import Any
from unicodedata import normalize

import click

from generator.base.errors import (
    InvalidInput,
    Place,
    Problem,
    ProblemsFound,
    did_you_mean,
    gather_problems,
    raise_problems,
)
from generator.base.files import is_inside, read_file
from generator.base.output_files import deliver_file, open_delivery
from generator.books.page.blocks import Figure
from generator.books.rulebook.rulebook_play import RulebookPlay
from generator.commands.command_line import ask, say
from generator.commands.feedback_form import COLUMNS, NOTES, find_column_headings
from generator.commands.options import OUT, PROJECT, combine_options, open_project, path_from_here, progress
from generator.commands.plain_text import align_columns, write_lines
from generator.commands.rulebook import find_engine
from generator.commands.settings import REUSE
from generator.drawing.faces.game_drawing import Workshop
from generator.game.data_fields import FieldSpec
from generator.game.data_reader import parse_plain_number, read_yaml, source_from_text
from generator.game.load_game import load_game
from generator.game.project import Project
from generator.game.source import Map, Seq, Source
from generator.game.table_designs import DesignTable, read_table_designs
from generator.game.table_files import parse_rows
from generator.game.table_header import Header, clean_heading
from generator.game.yaml_edits import append_yaml_entry, replace_yaml_value
from generator.play.bot_registry import find_bot
from generator.play.human_game import HumanGame
from generator.play.play_setup import choose_language, load_playable_rules, resume_saved_game
from generator.rules.engine.contract import Rules
from generator.rules.registry import report_rule_errors
from generator.versions.difference_report import write_report
from generator.versions.game_version import draw_workshop_version, open_record
from generator.versions.session_report import PAGE, SessionReport, list_drafts, make_table_session, play_bot_games
from generator.versions.sessions import (
    Session,
    SessionGame,
    append_note,
    find_session_of,
    format_session,
    next_session,
    read_session,
    read_sessions,
)

GAME = combine_options((click.argument("game"), REUSE, PROJECT))
_DAY = click.DateTime(["%Y-%m-%d"])
DAY = click.option("--date", "day", type=_DAY, metavar="DAY", help="Day of the game, such as 2026-11-24.")


@click.group()
def session() -> None:
    """Store and report playtest sessions.

    Sessions are files in sessions/<game>/. Reports say what people said and did. `pnp guide sessions` shows each step.
    """


def _open_game(obj: Path | None, options: dict[str, Any]) -> tuple[Project, SessionGame]:
    project = open_project(obj, options)
    (name,) = project.choose_games((options["game"],))
    game = load_game(project.find_folder(name), project.resources)
    played = RulebookPlay(game, find_engine(project, game, trusted=options["trusted"]))
    return project, SessionGame(Workshop(game, project.resources, store=project.store), played)


def _read_sessions(project: Project, of: SessionGame) -> tuple[Session, ...]:
    """Return the game's sessions. Raise ProblemsFound if there are none, or with all their problems."""
    found = read_sessions(of, project.resources.display_path)
    if not found:
        hint = f"store one: `pnp session add {of.game.id}`"
        raise ProblemsFound([Problem(None, f"{of.game.id} has no sessions", hint)])
    return found


def _write_sessions(of: SessionGame, sessions: Iterable[Session]) -> None:
    with open_delivery() as files:
        for one in sessions:
            files.put(of.folder / f"{one.name}.yaml", format_session(one, of).encode(), at_home=True)
        for path in files.hand_over():
            say(path_from_here(path))


@session.command()
@GAME
@DAY
@click.option("--draft", metavar="DRAFT", help="Draft that was played (default: the present one).")
@click.option("--record", default="", metavar="NAME", help="Record of what was on the table (default: the draft's).")
@click.option("--minutes", type=click.IntRange(1), metavar="N", help="How long the game took.")
@click.option("--seat", "seats", multiple=True, metavar="NAME:PLACE:SCORE",
              help="A seat in the order of play; repeatable. Without it, pnp asks.")  # fmt: skip
@click.option("--reading", "readings", multiple=True, metavar="E3=VALUE", help="How people read an E-entry.")
@click.option("--note", "notes", multiple=True, metavar="[ABOUT=]TEXT",
              help="A note about a card, a heading, E3, or the whole game; repeatable.")  # fmt: skip
@click.option("--author", default="", metavar="NAME", help="Who took these notes.")
@click.pass_obj
def add(obj: Path | None, /, **options: Any) -> None:
    """Store a session; pnp asks for what the options don't say."""
    _, of = _open_game(obj, options)
    if not options["seats"]:
        _ask_for_session(of, options)
    elif not options["day"]:
        raise click.UsageError("name the day of the game: --date 2026-11-24")
    notes = [text.partition("=") if "=" in text else ("", "", text) for text in options["notes"]]
    draft = options["draft"] or of.game.draft
    told = {
        "draft": draft,
        "record": options["record"] or of.find_record(draft),
        "players": len(options["seats"]),
        "minutes": options["minutes"],
        "seats": [_parse_seat(text) for text in options["seats"]],
        "readings": dict(text.partition("=")[::2] for text in options["readings"]),
        "notes": [{"about": about, "text": text, "author": options["author"]} for about, _, text in notes],
    }
    _write_sessions(of, [_make_session(of, options["day"].date(), json.dumps({"format": 1, **told}))])


def _make_session(of: SessionGame, day: date, text: str) -> Session:
    """Return a session that has no file yet, from its YAML. Raise ProblemsFound with everything wrong."""
    try:
        return read_session(next_session(of, day), source_from_text(text, ""), of)
    except ProblemsFound as found:
        raise ProblemsFound(Problem(None, one.what, one.hint) for one in found.problems) from found


def keep_note(
    workshop: Workshop, played: RulebookPlay, note: Mapping[str, Any], now: datetime, table: HumanGame | None = None
) -> Path:
    """Add a note to the newest session of the day, or to a new one of its number of players. Return the file.

    The day ends at five in the morning, or with another draft. The moves of a game at the `table` go into the session;
    another game begins another one. Raise ProblemsFound, and write nothing, if the note is wrong.
    """
    of, day = SessionGame(workshop, played), (now - timedelta(hours=5)).date()
    root, draft = workshop.resources.roots[0], workshop.game.draft
    begun = make_table_session("", table, ()) if table else Session("", draft, note["players"])
    begun = replace(begun, record=of.find_record(draft))
    said = json.dumps({key: note[key] for key in ("about", "text", "author")})
    made = _make_session(of, day, append_yaml_entry(format_session(begun, of), "notes", said))
    path = find_session_of(of, day)
    shown = workshop.resources.display_path(path or of.folder)
    if not is_inside(path or of.folder, root):
        raise ProblemsFound([Problem(Place(shown), "it leads out of the project", "replace the link with the files")])
    session = read_session(path.stem, Source(shown, read_yaml(path, shown)), of) if path else made
    alike = all(getattr(session, key) == getattr(made, key) for key in ("seed", "options", "players"))
    if path is None or session.draft != draft or (table and not (alike and all(map(eq, session.moves, made.moves)))):
        path, text = of.folder / f"{made.name}.yaml", format_session(made, of)
    else:
        text = read_file(path, "data").decode()
        if len(made.moves) > len(session.moves):
            session = replace(session, moves=made.moves)
            text = replace_yaml_value(text, ("moves",), json.dumps(made.moves))
        text = append_note(text, session, made.notes[0], of)
    deliver_file(path, text.encode(), at_home=True)
    return path


def _parse_seat(text: str) -> dict[str, Any]:
    """Return a seat as its file has it. What is no number stays a text, which the check of the session refuses."""
    name, *numbers = (text + ":" * max(0, 2 - text.count(":"))).rsplit(":", 2)
    rank, score = (parse_plain_number(normalize("NFKC", one)) if one else None for one in numbers)
    return {"name": name, "place": rank, "score": score}


def _ask_for_session(of: SessionGame, options: dict[str, Any]) -> None:
    """Fill the options with what the user answers."""
    options["day"] = options["day"] or ask("Day", date.today().isoformat(), _DAY)
    options["draft"] = options["draft"] or ask("Draft", of.game.draft)
    options["minutes"] = options["minutes"] or ask("Minutes (0: not known)", "0", click.IntRange(0)) or None
    players = ask("Players", str(of.game.players.fewest), click.IntRange(1, 100))
    options["seats"] = [
        ":".join(ask(f"Seat {number}: {what}", "") for what in ("name", "place", "score"))
        for number in range(1, players + 1)
    ]
    options["author"] = options["author"] or ask("Who takes the notes", "")
    notes = [*options["notes"]]
    while text := ask("Note (empty: no more)", ""):
        notes.append(f"{ask('About (a card, a heading, E3; empty: the whole game)', '')}={text}")
    options["notes"] = notes


def _parse_zone(_context: click.Context, _option: click.Parameter, text: str | None) -> Any:
    if text and parse_zone(text) is None:
        raise click.BadParameter(f"'{text}' is not a time zone; write an offset such as +09:00")
    return parse_zone(text) if text else None


@session.command("import")
@GAME
@click.argument("file", type=click.Path(path_type=Path))
@DAY
@click.option("--zone", callback=_parse_zone, metavar="+09:00", help="Time zone of the players, for time stamps.")
@click.option("--column", "columns", type=(str, str), multiple=True, metavar="HEADING FIELD",
              help="What a heading of the table means; repeatable.")  # fmt: skip
@click.option("--ignore", "ignored", multiple=True, metavar="HEADING", help="Column to leave out; repeatable.")
@click.option("--player", "names", multiple=True, metavar="NAME", help="A person of a saved game; repeatable.")
@click.option("--replace", "replaced", is_flag=True, help="Overwrite existing sessions of these evenings.")
@click.pass_obj
def import_sessions(obj: Path | None, /, **options: Any) -> None:
    """Store the sessions in FILE: form answers or a saved game."""
    project, of = _open_game(obj, options)
    file = options["file"]
    if file.suffix.lower() == ".json":
        if not options["day"]:
            raise click.UsageError("a saved game does not know its day; add --date 2026-11-24")
        rules = load_playable_rules(of.game, project.find_folder(of.game.id), options["trusted"])
        played = resume_saved_game(of.game, rules, file)
        if not played.table.is_over:
            raise ProblemsFound([Problem(None, f"{file.as_posix()}: this game is not over", "finish it first")])
        made = make_table_session(next_session(of, options["day"].date()), played, options["names"])
        _write_sessions(of, [replace(made, record=of.find_record(of.game.draft))])
        return
    wanted = []
    for one in read_answers(file, of, dict(options["columns"]), options["ignored"], options["zone"]):
        if (of.folder / f"{one.name}.yaml").exists() and not options["replaced"]:
            say(f"{one.name} exists already and is kept; --replace reads it again", err=True)
        else:
            wanted.append(one)
    _write_sessions(of, wanted)


@session.command("list")
@GAME
@click.pass_obj
def list_sessions(obj: Path | None, /, **options: Any) -> None:
    """List the sessions of GAME with their open notes."""
    rows = [["session", "draft", "record", "players", "minutes", "winner", "notes", "open"]]
    for one in _read_sessions(*_open_game(obj, options)):
        winners = ", ".join(seat.name or seat.bot for seat in one.seats if seat.rank == 1)
        number = sum(note.status == "open" for note in one.notes)
        facts = one.players, one.minutes or "", winners, len(one.notes), number
        rows.append([one.name, one.draft, one.record, *map(str, facts)])
    for line in align_columns(rows):
        say(line)


@session.command()
@GAME
@click.option("--draft", default="", metavar="DRAFT", help="Draft to report on (default: the last one played).")
@click.option("--lang", default="", metavar="LANG", help="Language of the report (default: the game's first).")
@click.option("--format", "form", type=click.Choice(["text", "html", "pdf"]), default="text", show_default=True,
              help="Print text, or write sessions.<lang>.html or .pdf.")  # fmt: skip
@click.option("--games", type=click.IntRange(0, 10_000), default=200, show_default=True, metavar="N",
              help="Play N games between bots for comparison.")  # fmt: skip
@click.option("--bot", default="greedy", show_default=True, metavar="NAME", help="Bot of these games.")
@OUT
@click.pass_obj
def report(obj: Path | None, /, **options: Any) -> None:
    """Report on a draft: figures, notes, readings and gaps."""
    project, of = _open_game(obj, options)
    sessions = _read_sessions(project, of)
    lang, drafts = choose_language(of.game, options["lang"]), list_drafts(sessions)
    draft = options["draft"] or drafts[-1]
    if draft not in drafts:
        raise ProblemsFound([Problem(None, f"no session played draft {draft}", did_you_mean(draft, drafts))])
    rules = find_engine(project, of.game, trusted=options["trusted"])() if draft == of.game.draft else None
    numbers = sorted({one.players for one in sessions if one.draft == draft})
    bots = _play_bots(of, rules, numbers, options) if rules is not None and options["games"] else {}
    progress()(f"{of.game.id}: faces")
    names = sorted({one.record for one in sessions} & {*of.records})
    records = {name: open_record(project.root, of.game.id, name) for name in names}
    with draw_workshop_version(of.workshop) as now, open_delivery() as files:
        book = SessionReport(of, sessions, draft, lang, now, records, bots, of.workshop).make_book()
        progress()("")
        if options["form"] == "text":
            say(f"{book.cover.title}: {book.cover.subtitle}, {book.cover.facts[0]}")
            for line in write_lines(one for one in book.blocks if not isinstance(one, Figure)):
                say(line)
        else:
            target = options["out"] / of.game.id / f"sessions.{lang}.{options['form']}"
            write_report(files, book, of.workshop, target, PAGE)
        for path in files.hand_over():
            say(path_from_here(path))


def _play_bots(
    of: SessionGame, rules: Rules, numbers: Sequence[int], options: dict[str, Any]
) -> dict[int, list[Session]]:
    """Return games between bots by number of players. Raise BadParameter for an unknown bot."""
    try:
        find_bot(options["bot"], rules)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--bot") from error
    games: dict[int, list[Session]] = {}
    with report_rule_errors(of.game):
        for players in numbers:
            progress()(f"{of.game.id}: bots, {players} players")
            games[players] = list(play_bot_games(of.game, rules, players, options["bot"], options["games"]))
    return games


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
    """Return the answers of the file `shown` by EVENING-TABLE. Add unreadable dates, mixed time zones to `problems`."""
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
    """Return answers as a session's file has them, with their places in `shown`. Add contradictions to `problems`."""
    start = group[0].values_at.row, 1
    told, spots = dict[str, Any](), dict[str, Any]()
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
            notes += [_set_columns(_pick(row, text=entry, author="name"), about=entry) for row in others]
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
    """Return the values of an answer under other keys, at their places; `columns` gives the old key of each new one."""
    there = {key: column for key, column in columns.items() if column in row}
    spots = {key: row.values_at[column] for key, column in there.items()}
    return Map(((key, row[column]) for key, column in there.items()), spots, spots)


def _set_columns(row: Map, **values: str) -> Map:
    spots = row.values_at | dict.fromkeys(values, row.values_at["text"])
    return Map((row | values).items(), spots, spots)


def _list_at(parts: Iterable[Map], start: tuple[int, int]) -> Seq:
    """Return a list of values, each at the place of its first part, or at `start` if it has none."""
    found = Seq()
    for part in parts:
        found.append(part)
        found.values_at.append(next(iter(part.values_at.values()), start))
    return found
