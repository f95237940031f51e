"""Playtest sessions: read, check and write the files that state who played which draft, and what they said."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, Literal

from generator.base.errors import (
    InvalidInput,
    Place,
    Problem,
    ProblemsFound,
    did_you_mean,
    gather_problems,
    raise_problems,
)
from generator.base.files import list_folder
from generator.books.page.blocks import Book, Heading, dissolve_groups
from generator.books.page.text_setter import plain_from_text
from generator.books.rulebook.book_templates import find_volume_languages
from generator.books.rulebook.read_book import read_book
from generator.books.rulebook.rulebook_play import RulebookPlay
from generator.drawing.faces.game_drawing import Workshop
from generator.game.data_fields import COMPUTED, About, Label, collect_values, empty_mapping
from generator.game.data_reader import CONSTANTS, read_yaml, source_from_text
from generator.game.data_shapes import TEXT, WHOLE, ConvertedShape, KeyEntry, ListShape, PlainShape
from generator.game.rich_text import Words
from generator.game.schema import shape_from_class
from generator.game.source import Source
from generator.game.value_faults import read_source
from generator.game.yaml_edits import append_yaml_entry
from generator.play.play_setup import Seating, parse_seed, set_up_human_game
from generator.play.table_text import player_name
from generator.rules.engine.table import IllegalMove, piece_names
from generator.rules.registry import report_rule_errors
from generator.versions.differences import plain_from_value
from generator.versions.records import Record, read_record, record_names, record_path
from generator.versions.sentences import read_sentences

FOLDER = "sessions"
UNKEPT = "none"
"""The record of a session whose draft was not recorded."""

SubjectKind = Literal["card", "heading", "reading", "move", ""]


@dataclass(frozen=True, slots=True)
class SessionSeat:
    """A seat. `rank` is its place at the end, from 1; `bot` is empty for a person."""

    name: Annotated[Label, About("the player's name or initials")] = ""
    rank: Annotated[int | None, About("the place at the end: 1 for each winner", alias="place", ge=1)] = None
    score: Annotated[float | None, About("the points at the end")] = None
    bot: Annotated[str, About("the bot that played this seat")] = ""


@dataclass(frozen=True, slots=True)
class SessionNote:
    """A remark. `target` is the design, the heading's anchor, the E-entry or the move that it is about, or empty."""

    text: Annotated[str, About("what was said", min_length=1)]
    about: Annotated[Label, About("a card, a heading, E3, `move 12`; empty for the whole game")] = ""
    author: Annotated[Label, About("who said it")] = ""
    status: Annotated[Literal["open", "done", "set aside"], About("what became of it")] = "open"
    seen: Annotated[str, About("a hash of what it is about, or the move's sentence, which pnp writes")] = ""
    kind: Annotated[SubjectKind, COMPUTED] = ""
    target: Annotated[str, COMPUTED] = ""
    place: Place | None = None

    @property
    def is_question(self) -> bool:
        """True if the text asks something."""
        return bool(re.search(r"？|\?(?!\w)", self.text))


@dataclass(frozen=True, slots=True)
class Session:
    """One game that was played. Only saved games have `seed` to `half`, the seats (from 1) that led halfway."""

    name: Annotated[str, COMPUTED]
    draft: Annotated[Label, About("the draft that was played")]
    players: Annotated[int, About("how many played", ge=1, le=100)]
    record: Annotated[str, About("the record of what was on the table, or none")] = ""
    minutes: Annotated[int | None, About("how long it took", ge=1, le=6000)] = None
    seats: Annotated[tuple[SessionSeat, ...], About("the seats in the order of play")] = ()
    ordered: Annotated[bool, About("false if the seats are not in the order of play")] = True
    readings: Annotated[Mapping[str, Any], About("how people read E-entries")] = empty_mapping()
    seed: Annotated[str, About("the seed of a saved game", pattern=r"^([0-9]+/[0-9]+)?$")] = ""
    options: Annotated[Mapping[str, Any], About("the options of a saved game")] = empty_mapping()
    moves: Annotated[tuple[int, ...], About("the moves of a saved game")] = ()
    turns: Annotated[int | None, About("the turns of a saved game", ge=1)] = None
    half: Annotated[tuple[int, ...], About("the seats that led halfway")] = ()
    notes: tuple[SessionNote, ...] = ()

    @property
    def has_bots(self) -> bool:
        """True if a bot played at least one seat."""
        return any(seat.bot for seat in self.seats)


_WRITTEN: dict[Any, Any] = {
    Label: ConvertedShape(TEXT, before=lambda value: str(value) if type(value) is int else value),
    tuple[int, ...]: ListShape(WHOLE),
}
for _part in (SessionSeat, SessionNote):
    _WRITTEN[_part] = shape_from_class(_part, _part.__name__, _WRITTEN)
_FORMAT = KeyEntry("format", PlainShape("whole number", {"ge": 1, "le": 1}), about="the format's version: 1")
_SHAPE = shape_from_class(Session, "Session", _WRITTEN, first=(_FORMAT,))


class SessionGame:
    """What sessions of a game refer to: cards and drafts, of now and of records, entries, headings of the rulebook."""

    def __init__(self, workshop: Workshop, played: RulebookPlay):
        self.workshop, self.game, self._played = workshop, workshop.game, played
        self._root = workshop.resources.roots[0]
        self.folder = self._root / FOLDER / self.game.id

    @cached_property
    def _rulebooks(self) -> Mapping[str, Book]:
        """The rulebook by language. Raise ProblemsFound if it can't be read."""
        languages = find_volume_languages(self.workshop)
        return {lang: read_book(self.workshop, lang, self._played) for lang in languages}

    @cached_property
    def records(self) -> Mapping[str, Record]:
        """All records of what was printed, by name, the newest first. Raise ProblemsFound for damaged ones."""
        names, game = record_names(self._root, self.game.id), self.game.id
        found = {name: read_record(record_path(self._root, game, name), game) for name in names}
        return dict(sorted(found.items(), key=lambda one: -one[1].number))

    def find_record(self, draft: str) -> str:
        """Return the name of a draft's newest record; else UNKEPT for the present draft, '' for an unknown one."""
        found = (name for name, record in self.records.items() if record.draft == draft)
        return next(found, UNKEPT if draft == self.game.draft else "")

    @cached_property
    def headings(self) -> Mapping[str, Mapping[str, str]]:
        """The words of each heading of the rulebook, by anchor and language. Raise ProblemsFound for a broken book."""
        found: dict[str, dict[str, str]] = {}
        for lang, book in self._rulebooks.items():
            for block in dissolve_groups(book.blocks):
                if isinstance(block, Heading):
                    found.setdefault(block.anchor, {})[lang] = plain_from_text(block.text).strip()
        return found

    @cached_property
    def cards(self) -> Mapping[str, Mapping[str, str]]:
        """The names of each design of now and of all records by id and language, and titles by field and language."""
        found: dict[str, dict[str, str]] = {}
        problems: list[Problem] = []
        for lang in self.game.languages:
            for card, name in piece_names(self.game, lang, problems).items():
                found.setdefault(card, {})[lang] = name
        raise_problems(problems)
        for design in self.game.designs():
            for field in ("title", "name"):
                if isinstance(words := design.fields.get(field), Words):
                    found[design.id] |= {f"{field}.{lang}": words[lang] for lang in self.game.languages}
        for record in self.records.values():
            for recorded in record.designs.values():
                found.setdefault(recorded.id, dict(recorded.name))
        return found

    def find_subject(self, about: str) -> tuple[SubjectKind, str]:
        """Return what a note is about, from an id, any name, `move 5` or `#heading`. Raise InvalidInput if unclear."""
        if not about.strip():
            return "", ""
        if move := re.fullmatch(r"(?:move|手) ?(\d+)", about):
            return "move", move[1]
        if about in self.game.readings or about in self.cards:
            return ("card" if about in self.cards else "reading"), about
        wanted, found = about.casefold().removeprefix("#"), list[tuple[SubjectKind, str]]()
        known: list[str] = [*self.game.readings]
        groups: dict[SubjectKind, Mapping[str, Mapping[str, str]]] = {"card": self.cards, "heading": self.headings}
        for kind, named in list(groups.items())[about.startswith("#") :]:  # `#setup` is a heading
            for one, words in named.items():
                names = [one, one.split("/")[-1], *words.values()]
                found += [(kind, one)] if wanted in map(str.casefold, names) else []
                known += names
        if not found and not about.startswith("#"):  # a former name, or a kind of one design, such as a board
            former = (one for record in self.records.values() for one in record.designs.values())
            texts = [(one.id, text) for one in former for _, text in one.name.items()]
            for piece in self.game.kinds.values():
                texts += [
                    (one.id, text) for one in piece.designs for text in (piece.id, *dict(piece.name.items()).values())
                ]
            found = [("card", card) for card in dict.fromkeys(one for one, text in texts if text.casefold() == wanted)]
        if len(found) == 1:
            return found[0]
        if found:
            several = " or ".join([one for _, one in found[:5]]) + (" ..." if len(found) > 5 else "")
            raise InvalidInput(f"'{about}' is the name of {len(found)} things", f"write {several}")
        raise InvalidInput(
            f"there is no card, heading or entry '{about}', neither now nor in a record", did_you_mean(about, known)
        )

    def describe_move(self, session: Session, note: SessionNote, lang: str) -> str:
        """Return who made the move that a note is about, and what it was.

        If the present rules can't play it, return what they said when pnp wrote the note.
        """
        rules = self._played.load_rules([]) if session.draft == self.game.draft and session.seed else None
        if rules is None:
            return note.seen
        *before, move = session.moves[: int(note.target)]
        with suppress(IllegalMove, ProblemsFound, ValueError), report_rule_errors(self.game, but=IllegalMove):
            seating = Seating(session.players, (), "greedy", parse_seed(session.seed), session.options)
            table = set_up_human_game(self.game, rules, seating).table
            for one in before:
                table.apply(one)
            if move in table.list_legal_moves():
                name = session.seats[table.seat].name if session.seats else ""
                return f"{name or player_name(table.seat, lang)}: {table.describe_move(move, lang)}"
        return note.seen  # the data have changed within this draft

    def hash_subject(self, note: SessionNote, session: Session) -> str:
        """Return a move's sentence, or a hash of the present state of a note's subject; '' for none or a lost one."""
        told: Any = None
        if note.kind == "move":
            return self.describe_move(session, note, self.game.languages[0])
        if note.kind == "card" and any(design.id == note.target for design in self.game.designs()):
            design = self.game.design(note.target)
            told = [design.count, design.front, design.back, plain_from_value(design.fields)]
        elif note.kind == "heading" and note.target in self.headings:
            titles = self.headings[note.target]
            books = ((titles.get(lang), read_sentences(book)) for lang, book in self._rulebooks.items())
            told = [one.text for title, book in books for one in book if one.heading == title]
        elif note.kind == "reading" and note.target in self.game.readings:
            told = plain_from_value(collect_values(self.game.readings[note.target]))
        return "" if told is None else sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:8]


def find_session_of(of: SessionGame, day: date) -> Path | None:
    """Return the file of the newest session of a day, or None."""
    names = ((re.fullmatch(rf"{day}-(\d+)\.ya?ml", path.name), path) for path in list_folder(of.folder))
    return max(((int(name[1]), path) for name, path in names if name), default=(0, None))[1]


def next_session(of: SessionGame, day: date) -> str:
    """Return the name of the next session of a day."""
    taken = {path.stem for path in list_folder(of.folder)}
    return next(name for number in range(1, len(taken) + 2) if (name := f"{day}-{number}") not in taken)


def read_sessions(of: SessionGame, shown: Callable[[Path], str]) -> tuple[Session, ...]:
    """Return all sessions of a game by day. Raise ProblemsFound with the problems of all files, named by `shown`."""
    sessions: dict[tuple[date, int, str], Session] = {}
    problems: list[Problem] = []
    for path in list_folder(of.folder):
        if path.suffix not in (".yaml", ".yml"):
            continue
        try:
            day, _, number = path.stem.rpartition("-")
            when = date.fromisoformat(day), int(number), path.name
            with gather_problems(problems):
                sessions[when] = read_session(path.stem, Source(shown(path), read_yaml(path, shown(path))), of)
        except ValueError:
            hint = "name it by its day and a number, such as 2026-11-24-1.yaml"
            problems.append(Problem(Place(shown(path)), f"'{path.name}' is not the name of a session", hint))
    raise_problems(problems)
    return tuple(session for _, session in sorted(sessions.items()))


def read_session(name: str, source: Source, of: SessionGame) -> Session:
    """Return the session in a mapping. Raise ProblemsFound with everything that is wrong with it."""
    said, notes, problems = read_source(_SHAPE, source), [], list[Problem]()
    for at, one in enumerate(said.notes):
        note = SessionNote(**vars(one), place=source.place("notes", at))
        try:
            kind, target = of.find_subject(note.about)
        except InvalidInput as unclear:
            kind = "reading" if re.fullmatch(r"E\d+[a-z]?", note.about) else "card" if "/" in note.about else "heading"
            target = note.about  # it is gone
            if not note.seen:
                problems.append(Problem(source.place("notes", at, "about"), str(unclear), unclear.hint))
        notes.append(replace(note, kind=kind, target=target))
    values: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in vars(said).items() if key != "format"
    }
    values |= {"seats": tuple(SessionSeat(**vars(one)) for one in said.seats), "notes": tuple(notes)}
    session = Session(name, **values)
    problems += (Problem(source.place(*path), what, hint) for path, what, hint in _find_faults(session, of))
    raise_problems(problems)
    return replace(session, record=session.record or of.find_record(session.draft))


def _find_faults(session: Session, of: SessionGame) -> Iterator[tuple[tuple[Any, ...], str, str]]:
    """Yield path, fault and hint of everything in a session that contradicts the game or itself."""
    game, seats = of.game, session.seats
    yield from _find_draft_faults(session, of)
    if session.players not in game.players:
        hint = f"it is for {game.players.fewest} to {game.players.most}"
        yield ("players",), f"{game.id} is not for {session.players} players", hint
    if seats and len(seats) != session.players:
        yield ("seats",), f"{len(seats)} seats for {session.players} players", "write one entry for each player"
    for at, seat in enumerate(seats):
        if (seat.rank or 1) > max(2, session.players):
            yield ("seats", at, "place"), f"place {seat.rank} of {session.players} players", "places count from 1"
    if max(session.half, default=1) > session.players:
        yield ("half",), f"there is no seat {max(session.half)}", f"seats are 1 to {session.players}"
    if session.players > 1 and seats and all((seat.rank or 0) > 1 for seat in seats):
        yield ("seats",), "nobody has place 1", "the winners have place 1"
    for entry in session.readings.keys() - game.readings.keys():
        yield ("readings", entry), f"there is no entry '{entry}'", did_you_mean(entry, game.readings)
    for at, note in enumerate(session.notes):
        if note.kind == "move" and not 1 <= int(note.target) <= len(session.moves):
            what = f"there is no move {note.target}: the session has {len(session.moves)} moves"
            yield ("notes", at, "about"), what, "write what it is about: a card, a heading or an entry"


def _find_draft_faults(session: Session, of: SessionGame) -> Iterator[tuple[tuple[Any, ...], str, str]]:
    drafts = dict.fromkeys([of.game.draft, *(record.draft for record in of.records.values())])
    record = of.records.get(session.record)
    if record is None and session.record not in ("", UNKEPT):
        hint = f"{did_you_mean(session.record, of.records)}; write `{UNKEPT}` if nothing was recorded"
        yield ("record",), f"{of.game.id} has no record '{session.record}'", hint
    elif record is not None and record.draft != session.draft:
        what = f"the record {session.record} has draft {record.draft}, not {session.draft}"
        yield ("draft",), what, f"write {record.draft}, or name another record"
    elif session.record != UNKEPT and session.draft not in drafts:
        what = f"draft {session.draft} is neither the present one nor that of a record"
        yield ("draft",), what, f"known: {', '.join(drafts)}; or write `record: {UNKEPT}`"


def format_session(session: Session, of: SessionGame) -> str:
    """Return the text of a session's file, with a hash of what each note is about."""
    lines = ["format: 1"]
    for key, value in _collect_keys(session, _SHAPE).items():
        if key in ("seats", "notes"):
            lines += [f"{key}:", *(f"  - {_format_entry(part, session, of)}" for part in value)]
        else:
            lines.append(f"{key}: {_write_value(value)}")
    return "\n".join(lines) + "\n"


def _format_entry(part: SessionSeat | SessionNote, session: Session, of: SessionGame) -> str:
    """Return a seat or a note as its session's file has it, in one line."""
    if isinstance(part, SessionNote):
        about = part.about if part.kind in ("", "move") else part.target
        part = replace(part, about=about, seen=of.hash_subject(part, session))
    return _write_value(_collect_keys(part, _WRITTEN[type(part)]))


def append_note(text: str, session: Session, note: SessionNote, of: SessionGame) -> str:
    """Return the text of a session's file with another note at its end. All else stays.

    Raise ProblemsFound if no list of notes can be continued there.
    """
    made = append_yaml_entry(text, "notes", _format_entry(note, session, of))
    with suppress(ProblemsFound):
        found = read_session(session.name, source_from_text(made, ""), of)
        if [one.text for one in found.notes] == [one.text for one in (*session.notes, note)]:
            return made
    raise ProblemsFound([Problem(None, f"{session.name}: its notes can't be continued", "write the note by hand")])


def _collect_keys(part: Any, shape: Any) -> dict[str, Any]:
    """Return the values of a seat or note that differ from their defaults, by their keys in the file (`shape`)."""
    values = {key: getattr(part, one.name, one.default) for key, one in shape.entries.items()}
    return {key: value for key, value in values.items() if value not in (shape.entries[key].default, ())}


_BARE = re.compile(r"[A-Za-z][\w/-]*", re.ASCII)


def _write_value(value: Any) -> str:
    """Return a value as YAML on one line."""
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{_write_value(key)}: {_write_value(one)}' for key, one in value.items())}}}"
    if isinstance(value, tuple):
        return f"[{', '.join(map(_write_value, value))}]"
    if isinstance(value, str) and (value in CONSTANTS or not _BARE.fullmatch(value)):
        quoted = json.dumps(value, ensure_ascii=False)
        return "".join(sign if sign.isprintable() else f"\\U{ord(sign):08x}" for sign in quoted)
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).lower() if isinstance(value, bool) else str(value)
