"""The report of playtest sessions on one draft, as the blocks of a book."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import isfinite
from typing import Literal

from generator.base.geometry import paper_size
from generator.base.languages import count_phrase, make_number_key, phrase
from generator.books.measure_names import format_with_margin, name_bot
from generator.books.page.blocks import Block, Book, Cover, Figure, Heading, Level, Listing, Paragraph, Table, Text
from generator.books.page.page_style import GREY, Format
from generator.drawing.faces.game_drawing import Workshop
from generator.game.data_fields import format_value
from generator.game.model import describe_reading
from generator.game.rich_text import Plain
from generator.versions.compare_games import find_difference
from generator.versions.difference_report import draw_side_by_side
from generator.versions.differences import DifferenceEntry
from generator.versions.game_version import Version
from generator.versions.session_figures import FEW, MEASURES, SHARES, MeasuredValue, measure_games
from generator.versions.sessions import Session, SessionGame, SessionNote

PAGE = Format("A4 sessions", paper_size("A4"), 29, 29, 19, 22, opening="masthead")
"""One column, in which notes are beside the pictures of their cards."""

_TALL, _LOW = 32.0, 19.0
"""Maximum height of a card's picture with several notes beside it, and with a single one (mm)."""


@dataclass(frozen=True, slots=True)
class TakenNote:
    """A note and the session in which it was taken."""

    note: SessionNote
    session: Session

    @property
    def is_open(self) -> bool:
        """True if nothing has been decided about it."""
        return self.note.status == "open"


_LEFT: Literal["left"] = "left"


def list_drafts(sessions: Iterable[Session]) -> list[str]:
    """Return the drafts that were played, in the order of their first sessions."""
    return list(dict.fromkeys(session.draft for session in sessions))


@dataclass(frozen=True)
class SessionReport:
    """Makes the blocks of the report on a draft in one language.

    `sessions` are those of all drafts. Earlier drafts add their open notes, and their figures beside those of this one.
    `now` is the game as it is, `records` are the versions that were played, by name, `bots` are games of bots by number
    of players, and `used_by` writes the pages. A page of the designer's notes needs none of them.
    """

    of: SessionGame
    sessions: Sequence[Session]
    draft: str
    lang: str
    now: Version | None = None
    records: Mapping[str, Version] = field(default_factory=dict)
    bots: Mapping[int, Sequence[Session]] = field(default_factory=dict)
    used_by: Workshop | None = None

    @cached_property
    def _drafts(self) -> list[str]:
        drafts = list_drafts(self.sessions)
        return drafts[: drafts.index(self.draft) + 1]

    @cached_property
    def _human(self) -> list[Session]:
        """The sessions of this draft and of earlier ones without bots."""
        return [session for session in self.sessions if session.draft in self._drafts and not session.has_bots]

    @cached_property
    def _sessions_of_draft(self) -> list[Session]:
        return [session for session in self.sessions if session.draft == self.draft]

    @cached_property
    def _changes(self) -> Mapping[str, Mapping[str, DifferenceEntry]]:
        """What has changed since each record, by the design's id at that time."""
        found = {name: find_difference(record, self.now) for name, record in self.records.items() if self.now}
        return {
            name: {entry.was or entry.id: entry for entry in one.groups.get("components", ())}
            for name, one in found.items()
        }

    @cached_property
    def notes(self) -> Sequence[TakenNote]:
        """The notes of this draft, and the open ones of earlier drafts."""
        return [
            TakenNote(note, session)
            for session in self.sessions
            if session.draft in self._drafts
            for note in session.notes
            if session.draft == self.draft or note.status == "open"
        ]

    def _describe_change(self, one: TakenNote) -> str:
        """Return how the subject of a note has changed since its session, or an empty string."""
        note = one.note
        entry = self._changes.get(one.session.record, {}).get(note.target) if note.kind == "card" else None
        if entry is not None and entry.sort == "changed":
            counts = set(entry.counts or ())
            looks = [self._phrase("looks")] if entry.looks else []
            return phrase("and", self.lang).join(
                [*looks, *([" → ".join(map(str, entry.counts or ()))] if len(counts) > 1 else [])]
            ) or self._phrase("changed")
        if entry is not None:
            return self._phrase(entry.sort)
        if note.seen and note.seen != (seen := self.of.hash_subject(note)):
            return self._phrase("changed" if seen else "removed")
        return ""

    def make_book(self) -> Book:
        """Return the whole report."""
        blocks = (
            *self.iter_page(),
            *self.iter_done(),
            *self._iter_cards(),
            *self._iter_chapters(),
            *self._iter_others(),
        )
        title, draft = self.of.game.title[self.lang], phrase("draft_named", self.lang, draft=self.draft)
        cover = Cover(title, self._phrase("title"), (draft,))
        imprint = (f"{title} · {self._phrase('title')} · {draft}",)
        return Book(self.of.game.id, self.lang, cover, blocks, imprint, name="sessions", folded=False)

    def iter_page(self, level: Level = 1) -> Iterator[Block]:
        """Yield the part for the designer's notes: figures, readings that people chose, gaps in the rulebook."""
        yield self._make_paragraph(self._summarise(), "lead")
        games = sum(one.draft == self.draft for one in self._human)
        if games < FEW:
            yield self._make_paragraph(count_phrase("session_few", self.lang, games, few=FEW), bold=True)
        yield from self._iter_figures(level)
        yield from self._iter_readings(level)
        yield from self._iter_gaps(level)

    def _summarise(self) -> str:
        """Return one line: sessions, people and notes."""
        mine = [one for one in self.notes if one.session.draft == self.draft]
        old = len(self.notes) - len(mine)
        people = sum(not seat.bot for session in self._sessions_of_draft for seat in session.seats)
        parts = [
            count_phrase("session_count", self.lang, len(self._sessions_of_draft)),
            count_phrase("session_people", self.lang, people),
            count_phrase("session_notes", self.lang, len(mine), open=sum(one.is_open for one in mine)),
        ]
        return phrase("and", self.lang).join(parts + ([count_phrase("session_old", self.lang, old)] if old else []))

    def _iter_figures(self, level: Level) -> Iterator[Block]:
        """Yield a table for each number of players: a column for each draft, and one for bots."""
        yield self._make_heading(level, self._phrase("figures"), "sessions-figures")
        apart: list[str] = []
        for players in sorted({one.players for one in self._human if one.draft == self.draft}):
            alike = [one for one in self._human if one.players == players]
            columns = [
                [one for one in alike if one.draft == draft] for draft in dict.fromkeys(one.draft for one in alike)
            ]
            names = [phrase("players", self.lang, n=players)]
            names += [self._phrase("people_draft", draft=games[0].draft) for games in columns]
            bots = list(self.bots.get(players, ()))
            names += [self._phrase("bots", bot=name_bot(bots[0].seats[0].bot, self.lang))] if bots else []
            rows: list[tuple[Text, ...]] = []
            for measure in MEASURES:
                found = [measure_games(games, measure) for games in columns]
                beside = measure_games(bots, measure)
                if any(found):
                    name = self._phrase(f"measure_{measure}")
                    cells = [_format_measured(one, measure) for one in (*found, *([beside] if bots else []))]
                    rows.append(tuple((Plain(words),) for words in (name, *cells)))
                    apart += [f"{name} ({names[0]})"] if _are_apart(found[-1], beside) else []
            head = tuple((Plain(name),) for name in names)
            yield Table(head, tuple(rows), ("left", *(_LEFT for _ in names[1:])))
        if apart:
            words = self._phrase("apart", names=phrase("and", self.lang).join(apart))
            yield self._make_paragraph(words, bold=True)
        yield self._make_paragraph(self._phrase("margins"), "note")
        if with_bots := sum(one.has_bots for one in self._sessions_of_draft):
            yield self._make_paragraph(count_phrase("session_with_bots", self.lang, with_bots), "note")

    def _iter_readings(self, level: Level) -> Iterator[Block]:
        """Yield the readings that people chose beside ours, each with the notes about its entry."""
        chosen: dict[str, Counter[str]] = {}
        for session in self._sessions_of_draft:
            for entry, value in session.readings.items():
                chosen.setdefault(entry, Counter())[format_value(value)] += 1
        about = self._group_notes("reading")
        entries = sorted({*chosen, *about} & {*self.of.game.readings}, key=make_number_key)
        if entries:
            yield self._make_heading(level, self._phrase("readings"), "sessions-readings")
        rows: list[tuple[Text, ...]] = []
        for entry in entries:
            reading = self.of.game.readings[entry]
            told = [
                f"{reading.means[value][self.lang] if value in reading.means else value} ×{number}"
                for value, number in chosen.get(entry, Counter()).most_common()
            ]
            ours = describe_reading(reading, self.lang)
            rows.append((
                (Plain(entry, bold=True),), (Plain(ours),), (Plain(phrase("and", self.lang).join(told) or "–"),),
            ))  # fmt: skip
        if rows:
            head = ("E", self._phrase("ours"), self._phrase("theirs"))
            yield Table(tuple((Plain(word),) for word in head), tuple(rows), ("left", "left", "left"))
        for entry in sorted(about, key=make_number_key):
            yield Listing(tuple(self._make_line(one, before=f"{entry}: ") for one in about[entry]))

    def _iter_gaps(self, level: Level) -> Iterator[Block]:
        """Yield the questions that were asked at least twice: the rulebook has no answer that people find."""
        asked: dict[str, list[TakenNote]] = {}
        for one in self.notes:
            if one.note.is_question:
                asked.setdefault(one.note.target or one.note.text.casefold(), []).append(one)
        twice = {
            subject: found
            for subject, found in asked.items()
            if len({(one.session.name, one.note.author) for one in found}) > 1
        }
        if twice:
            yield self._make_heading(level, self._phrase("gaps"), "sessions-gaps")
            yield self._make_paragraph(self._phrase("gaps_how"), "note")
        for found in sorted(twice.values(), key=len, reverse=True):
            name = Plain(f"{self._name_subject(found[0].note)} ×{len(found)}", bold=True)
            yield Paragraph((name,))
            yield Listing(tuple(self._make_line(one) for one in found))

    def iter_done(self) -> Iterator[Block]:
        """Yield the open notes whose subject has changed since; their status may be `done` now."""
        changed = [(one, change) for one in self.notes if one.is_open and (change := self._describe_change(one))]
        if changed:
            yield self._make_heading(1, self._phrase("done"), "sessions-done")
            yield self._make_paragraph(self._phrase("done_how"), "note")
            together: dict[str, list[TakenNote]] = {}
            for one, change in changed:
                together.setdefault(f"{self._name_subject(one.note)} – {change}", []).append(one)
            for name, found in together.items():
                yield self._make_paragraph(name, bold=True)
                yield Listing(tuple(self._make_line(one, located=True) for one in found))

    def _iter_cards(self) -> Iterator[Block]:
        """Yield the notes about each card, with its picture then and now."""
        about = self._group_notes("card")
        if about:
            yield self._make_heading(1, self._phrase("cards"), "sessions-cards")
        for card, found in sorted(about.items(), key=lambda one: -sum(each.is_open for each in one[1])):
            yield self._make_heading(2, self._name_subject(found[0].note), f"sessions-{card}")
            yield from self._draw_card(card, found)
            yield from (block for one in found for block in self._make_line(one))

    def _draw_card(self, card: str, found: Sequence[TakenNote]) -> Iterator[Block]:
        """Yield the card as it was at the earliest of these sessions and as it is now, or once if it is the same."""
        then = next((one.session.record for one in found if card in self._changes.get(one.session.record, {})), "")
        entry = self._changes[then][card] if then else None
        name = self._name_subject(found[0].note)
        looks = sorted(entry.looks if entry else (), key=lambda side: side[1] != self.lang)
        face, lang = looks[0] if looks else ("front", self.lang)
        assert self.now is not None  # noqa: S101 - only whole reports have pictures
        sides = [(self.now, entry.id if entry else card, "diff_after")]
        if entry is not None and entry.sort == "removed":
            sides = [(self.records[then], card, "diff_before")]
        elif entry is not None and entry.looks:
            sides.insert(0, (self.records[then], card, "diff_before"))
        if all(one in version.designs for version, one, _ in sides):
            height = _TALL if len(found) > 1 else _LOW
            drawn, missing = draw_side_by_side(sides, face, lang, self.used_by, height)
            words = " → ".join(phrase(when, self.lang) for *_, when in sides) if entry else self._phrase("same")
            yield Figure(drawn, f"{name}, {words}", place="beside", firm=True)
            yield Paragraph((Plain("; ".join((words, *missing)), colour=GREY),))

    def _iter_chapters(self) -> Iterator[Block]:
        """Yield the notes about the rulebook in its order; those about sections that are gone come last."""
        about = self._group_notes("heading")
        order = [*self.of.headings] if about else []
        if about:
            yield self._make_heading(1, self._phrase("chapters"), "sessions-chapters")
        for anchor in sorted(about, key=lambda one: order.index(one) if one in order else len(order)):
            yield self._make_heading(2, self._name_subject(about[anchor][0].note), f"sessions-{anchor}")
            yield Listing(tuple(map(self._make_line, about[anchor])))

    def _iter_others(self) -> Iterator[Block]:
        """Yield the notes about moves and about the whole game."""
        if others := [one for one in self.notes if one.note.kind in ("", "move")]:
            yield self._make_heading(1, self._phrase("others"), "sessions-others")
            before = [f"{self._name_subject(one.note)}: " if one.note.target else "" for one in others]
            yield Listing(tuple(map(self._make_line, others, before)))

    def _group_notes(self, kind: str) -> dict[str, list[TakenNote]]:
        found: dict[str, list[TakenNote]] = {}
        for one in self.notes:
            if one.note.kind == kind:
                found.setdefault(one.note.target, []).append(one)
        return found

    def _name_subject(self, note: SessionNote) -> str:
        """Return the thing that a note is about, as players call it."""
        if note.kind == "card":
            name = self.of.cards.get(note.target, {}).get(self.lang)
            return f"{name} ({note.target})" if name else note.target
        if note.kind == "heading":
            words = self.of.headings.get(note.target, {})
            return words.get(self.lang) or next(iter(words.values()), note.target)
        if note.kind == "move":
            return self._phrase("move", n=note.target)
        return note.target or self._phrase("general")

    def _make_line(self, one: TakenNote, before: str = "", *, located: bool = False) -> tuple[Block, ...]:
        """Return a note in a line: its words, then who said it, where, and its status unless it is open.

        `located` adds its place in its file.
        """
        about = [one.note.author, one.session.name]
        about += [phrase("draft_named", self.lang, draft=one.session.draft)] if one.session.draft != self.draft else []
        about += [f"{one.note.place.file}:{one.note.place.line}"] if located and one.note.place else []
        about += [] if one.is_open else [self._phrase(f"status_{one.note.status.replace(' ', '_')}")]
        said = f"{before}{phrase('quoted', self.lang, text=one.note.text)}"
        return (Paragraph((Plain(said), Plain(f" {' · '.join(filter(None, about))}", colour=GREY))),)

    def _phrase(self, name: str, **values: object) -> str:
        return phrase(f"session_{name}", self.lang, **values)

    def _make_heading(self, level: Level, words: str, anchor: str) -> Heading:
        return Heading(level, (Plain(words),), anchor)

    def _make_paragraph(self, words: str, role: str = "body", *, bold: bool = False) -> Paragraph:
        return Paragraph((Plain(words, bold=bold),), role)  # type: ignore[arg-type]


def _format_measured(found: MeasuredValue | None, measure: str) -> str:
    """Return a value with its margin and the number of games in brackets, or a dash. Few games are only counted."""
    if found is None:
        return "–"
    if measure in SHARES and found.games < FEW:
        return f"{found.interval.at * found.games:.3g} / {found.games}"
    interval = found.interval.divide_by(0.01) if measure in SHARES else found.interval
    number = format_with_margin(interval) if isfinite(interval.half) else f"{interval.at:.3g}"
    return f"{number}{' %' if measure in SHARES else ''} ({found.games})"


def _are_apart(people: MeasuredValue | None, bots: MeasuredValue | None) -> bool:
    """Return True if intervals of enough games of people and of bots have no value in common."""
    if people is None or bots is None or people.games < FEW:
        return False
    return people.interval.low > bots.interval.high or people.interval.high < bots.interval.low
