"""The command `session`: stores evenings of playtesting, and reports what people said and how they played."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from generator.base.errors import Problem, ProblemsFound, did_you_mean
from generator.base.output_files import open_delivery
from generator.commands.command_line import ask, say
from generator.commands.options import OUT, PROJECT, combine_options, open_project, path_from_here, progress
from generator.commands.settings import REUSE

if TYPE_CHECKING:
    from generator.drawing.faces.game_drawing import Workshop
    from generator.game.project import Project
    from generator.rules.engine.contract import Rules
    from generator.versions.sessions import Session, SessionGame


GAME = combine_options((click.argument("game"), REUSE, PROJECT))


_DAY = click.DateTime(["%Y-%m-%d"])
DAY = click.option("--date", "day", type=_DAY, metavar="DAY", help="Day of the game, such as 2026-11-24.")


@click.group()
def session() -> None:
    """Store playtest sessions, and report what people said and how they played.

    A session is a file in sessions/<game>/. `pnp guide sessions` shows each step.
    """


@dataclass(frozen=True)
class _OpenGame:
    """The game whose sessions a command reads or writes."""

    project: "Project"
    name: str
    trusted: bool

    @cached_property
    def workshop(self) -> "Workshop":
        from generator.drawing.faces.game_drawing import Workshop
        from generator.game.load_game import load_game

        (chosen,) = self.project.choose_games((self.name,))
        game = load_game(self.project.find_folder(chosen), self.project.resources)
        return Workshop(game, self.project.resources, store=self.project.store)

    @cached_property
    def subjects(self) -> "SessionGame":
        from generator.books.rulebook.rulebook_play import RulebookPlay
        from generator.commands.rulebook import find_engine
        from generator.versions.sessions import SessionGame

        engine = find_engine(self.project, self.workshop.game, trusted=self.trusted)
        return SessionGame(self.workshop, RulebookPlay(self.workshop.game, engine))

    @cached_property
    def rules(self) -> "Rules | None":
        from generator.rules.registry import load_rules, trusted_folder

        return load_rules(self.workshop.game, trusted_folder(self.project.find_folder(self.name), self.trusted))

    def read_sessions(self) -> "tuple[Session, ...]":
        """Return the game's sessions. Raise ProblemsFound if there are none, or with all their problems."""
        from generator.versions.sessions import read_sessions

        found = read_sessions(self.subjects, self.project.resources.display_path)
        if not found:
            hint = f"store one: `pnp session add {self.name}`"
            raise ProblemsFound([Problem(None, f"{self.name} has no sessions", hint)])
        return found

    def write_sessions(self, sessions: "Iterable[Session]") -> None:
        """Write sessions and print their files."""
        from generator.versions.sessions import format_session

        with open_delivery() as files:
            for one in sessions:
                text = format_session(one, self.subjects)
                files.put(self.subjects.folder / f"{one.name}.yaml", text.encode(), at_home=True)
            for path in files.hand_over():
                say(path_from_here(path))


def _open_game(obj: Path | None, options: dict[str, Any]) -> _OpenGame:
    return _OpenGame(open_project(obj, options), options["game"], options["trusted"])


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
    from generator.game.data_reader import source_from_text
    from generator.versions.sessions import next_session, read_session

    opened = _open_game(obj, options)
    of = opened.subjects
    if not options["seats"]:
        _ask_for_session(of, options)
    elif not options["day"]:
        raise click.UsageError("name the day of the game: --date 2026-11-24")
    notes = [text.partition("=") if "=" in text else ("", "", text) for text in options["notes"]]
    draft = options["draft"] or of.game.draft
    told = {
        "format": 1,
        "draft": draft,
        "record": options["record"] or of.find_record(draft),
        "players": len(options["seats"]),
        "minutes": options["minutes"],
        "seats": [_parse_seat(text) for text in options["seats"]],
        "readings": dict(text.partition("=")[::2] for text in options["readings"]),
        "notes": [{"about": about, "text": text, "author": options["author"]} for about, _, text in notes],
    }
    try:
        made = read_session(next_session(of, options["day"].date()), source_from_text(json.dumps(told), ""), of)
    except ProblemsFound as found:  # there is no file yet
        raise ProblemsFound(Problem(None, one.what, one.hint) for one in found.problems) from found
    opened.write_sessions([made])


def _parse_seat(text: str) -> dict[str, Any]:
    found = re.fullmatch(r"(.*?)(?::(\d{1,3})?)?(?::(-?\d{1,9}(?:\.\d{1,9})?)?)?", text)
    name, rank, score = found.groups() if found else (text, None, None)
    return {"name": name, "place": int(rank) if rank else None, "score": float(score) if score else None}


def _ask_for_session(of: "SessionGame", options: dict[str, Any]) -> None:
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
    from generator.versions.session_import import parse_zone

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
    from generator.versions.session_import import read_answers

    opened, file = _open_game(obj, options), options["file"]
    if file.suffix.lower() == ".json":
        if not options["day"]:
            raise click.UsageError("a saved game does not know its day; add --date 2026-11-24")
        opened.write_sessions([_read_saved_game(opened, file, options)])
        return
    of, wanted = opened.subjects, []
    asked = dict(options["columns"]), options["ignored"], options["zone"]
    for one in read_answers(file, opened.project.resources, of, *asked):
        if (of.folder / f"{one.name}.yaml").exists() and not options["replaced"]:
            say(f"{one.name} exists already and is kept; --replace reads it again", err=True)
        else:
            wanted.append(one)
    opened.write_sessions(wanted)


def _read_saved_game(opened: _OpenGame, file: Path, options: dict[str, Any]) -> "Session":
    """Return a saved game as a session. Raise ProblemsFound if it is damaged, not over, or of other data."""
    from generator.play.play_setup import load_playable_rules, resume_saved_game
    from generator.versions.session_figures import make_table_session
    from generator.versions.sessions import next_session

    of, folder = opened.subjects, opened.project.find_folder(opened.name)
    played = resume_saved_game(of.game, load_playable_rules(of.game, folder, options["trusted"]), file)
    if not played.table.is_over:
        raise ProblemsFound([Problem(None, f"{file.as_posix()}: this game is not over", "finish it first")])
    made = make_table_session(next_session(of, options["day"].date()), played, options["names"])
    return replace(made, record=of.find_record(of.game.draft))


@session.command("list")
@GAME
@click.pass_obj
def list_sessions(obj: Path | None, /, **options: Any) -> None:
    """List the sessions of GAME with their open notes."""
    from generator.commands.plain_text import align_columns

    rows = [["session", "draft", "record", "players", "minutes", "winner", "notes", "open"]]
    for one in _open_game(obj, options).read_sessions():
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
    from generator.books.page.blocks import Figure
    from generator.commands.plain_text import write_lines
    from generator.play.play_setup import choose_language
    from generator.versions.difference_report import write_report
    from generator.versions.game_version import draw_workshop_version, open_record
    from generator.versions.session_report import PAGE, SessionReport, list_drafts

    opened = _open_game(obj, options)
    workshop, sessions = opened.workshop, opened.read_sessions()
    lang, drafts = choose_language(workshop.game, options["lang"]), list_drafts(sessions)
    draft = options["draft"] or drafts[-1]
    if draft not in drafts:
        raise ProblemsFound([Problem(None, f"no session played draft {draft}", did_you_mean(draft, drafts))])
    bots = _play_bots(opened, [one for one in sessions if one.draft == draft], options)
    progress()(f"{workshop.game.id}: faces")
    names = sorted({one.record for one in sessions} & {*opened.subjects.records})
    records = {name: open_record(opened.project.root, workshop.game.id, name) for name in names}
    with draw_workshop_version(workshop) as now, open_delivery() as files:
        book = SessionReport(opened.subjects, sessions, draft, lang, now, records, bots, workshop).make_book()
        progress()("")
        if options["form"] == "text":
            for line in (
                f"{book.cover.title}: {book.cover.subtitle}, {book.cover.facts[0]}",
                *write_lines(one for one in book.blocks if not isinstance(one, Figure)),
            ):
                say(line)
        else:
            target = options["out"] / workshop.game.id / f"sessions.{lang}.{options['form']}"
            write_report(files, book, workshop, target, PAGE)
        for path in files.hand_over():
            say(path_from_here(path))


def _play_bots(opened: _OpenGame, sessions: "Iterable[Session]", options: dict[str, Any]) -> "dict[int, list[Session]]":
    """Return games of bots with as many players as in the sessions; none if the rules of this draft are not here."""
    from generator.play.bot_registry import find_bot
    from generator.rules.registry import report_rule_errors
    from generator.versions.session_figures import play_bot_games

    game, rules, bot = opened.workshop.game, opened.rules, options["bot"]
    numbers = sorted({one.players for one in sessions if one.draft == game.draft})
    if rules is None or not options["games"]:
        return {}
    try:
        find_bot(bot, rules)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--bot") from error
    games: dict[int, list[Session]] = {}
    with report_rule_errors(game):
        for players in numbers:
            progress()(f"{game.id}: bots, {players} players")
            games[players] = list(play_bot_games(game, rules, players, bot, options["games"]))
    return games
