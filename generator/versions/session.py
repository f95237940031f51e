"""The command `session`: stores evenings of playtesting, and reports what people said and how they played."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from operator import eq
from pathlib import Path
from typing import Any
from unicodedata import normalize

import click

from generator.base.errors import Place, Problem, ProblemsFound, did_you_mean
from generator.base.files import is_inside, read_file
from generator.base.output_files import deliver_file, open_delivery
from generator.books.page.blocks import Figure
from generator.books.rulebook.rulebook_play import RulebookPlay
from generator.commands.command_line import ask, say
from generator.commands.options import OUT, PROJECT, combine_options, open_project, path_from_here, progress
from generator.commands.plain_text import align_columns, write_lines
from generator.commands.rulebook import find_engine
from generator.commands.settings import REUSE
from generator.drawing.faces.game_drawing import Workshop
from generator.game.data_reader import parse_plain_number, read_yaml, source_from_text
from generator.game.load_game import load_game
from generator.game.project import Project
from generator.game.source import Source
from generator.game.yaml_edits import append_yaml_entry, replace_yaml_value
from generator.play.bot_registry import find_bot
from generator.play.human_game import HumanGame
from generator.play.play_setup import choose_language, load_playable_rules, resume_saved_game
from generator.rules.engine.contract import Rules
from generator.rules.registry import report_rule_errors
from generator.versions.difference_report import write_report
from generator.versions.game_version import draw_workshop_version, open_record
from generator.versions.session_figures import make_table_session, play_bot_games
from generator.versions.session_import import parse_zone, read_answers
from generator.versions.session_report import PAGE, SessionReport, list_drafts
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
    """Store playtest sessions, and report what people said and how they played.

    A session is a file in sessions/<game>/. `pnp guide sessions` shows each step.
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
    """Store a session: pnp asks what was played and said, unless you give it as options."""
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
    """Store the sessions in FILE: answers of a form service, our own form, or a saved game (.json)."""
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
    """Report on a draft: figures of people and bots, notes by card and chapter, readings, gaps in the rulebook."""
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
