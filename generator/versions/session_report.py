"""The report of playtest sessions on one draft, as the blocks of a book; the figures that it compares with bots'."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import atan, cos, exp, inf, isfinite, lgamma, log, pi, sin, sqrt
from statistics import fmean, stdev
from typing import Literal, NamedTuple

from generator.base.geometry import paper_size
from generator.base.languages import count_phrase, make_number_key, phrase
from generator.books.measure_names import Interval, format_with_margin, name_bot
from generator.books.page.blocks import Block, Book, Cover, Figure, Heading, Level, Listing, Paragraph, Table, Text
from generator.books.page.page_style import GREY, Format
from generator.books.rulebook.manuscript import BlockBody
from generator.books.rulebook.rulebook_play import RulebookPlay
from generator.drawing.faces.game_drawing import Workshop
from generator.game.data_fields import format_value
from generator.game.model import Game, describe_reading
from generator.game.rich_text import Plain
from generator.play.batch import MatchRunner
from generator.play.game_loop import fill_course_figures, list_course_columns
from generator.play.human_game import HumanGame
from generator.rules.engine.contract import Rules
from generator.rules.engine.table import Table as GameTable
from generator.versions.compare_games import find_difference
from generator.versions.difference_report import draw_side_by_side
from generator.versions.differences import DifferenceEntry
from generator.versions.game_version import Version
from generator.versions.sessions import Session, SessionGame, SessionNote, SessionSeat, SubjectKind, read_sessions

FEW = 5
"""With fewer games than this, a comparison with bots means little."""

MEASURES = ("minutes", "turns", "best", "spread", "first", "comeback")
SHARES = ("first", "comeback")
"""Measures that are shares of games: wins of the first seat, and wins of seats that did not lead halfway."""

_LED = list_course_columns().index("led at half")


def find_value(measure: str, game: Session) -> float | None:
    """Return the value of a measure in a game, or None if it is not known. Winners who tie share the win."""
    winners = [number for number, seat in enumerate(game.seats, 1) if seat.rank == 1]
    scores = [seat.score for seat in game.seats if seat.score is not None]
    if measure in ("best", "spread"):
        if len(scores) < max(game.players, 1 if measure == "best" else 2):
            return None
        return max(scores) - (min(scores) if measure == "spread" else 0)
    if measure == "first":
        known = game.ordered and all(seat.rank for seat in game.seats)
        return (1 in winners) / len(winners) if winners and known else None
    if measure == "comeback":
        known = bool(winners and game.half and game.players > 1)
        return float(not set(winners) & set(game.half)) if known else None
    return game.minutes if measure == "minutes" else game.turns


def play_bot_games(game: Game, rules: Rules, players: int, bot: str, games: int) -> Iterator[Session]:
    """Yield the first games of run 1 with the same bot on all seats, as sessions without moves."""
    match = MatchRunner(rules, rules.box(game, players, {}), (bot,), followed=True)
    numbers = map(int, match.game_figures(1, 0, games))
    begun = Session("", game.draft, players, seats=(SessionSeat(bot=bot),) * players)
    while one := dict(zip(match.columns, numbers, strict=False)):
        results = [(one[f"place {seat + 1}"], one[f"score {seat + 1}"]) for seat in range(players)]
        if one["ended"]:
            yield _add_results(begun, results, one["turns"], one["led at half"])


def make_table_session(name: str, played: HumanGame, names: Sequence[str]) -> Session:
    """Return a game at our table as a session; `names` are those of its people in the order of seats.

    An unfinished one has no results.
    """
    table, replay = played.table, GameTable(played.table.rules, played.table.box, played.table.seed)
    bots, called = (played.bot.split(",") * table.box.players)[: table.box.players], iter(names)
    people = {seat: next(called, "") for seat in sorted(played.people)}
    seats = [SessionSeat(people[at]) if at in people else SessionSeat(bot=bot) for at, bot in enumerate(bots)]
    made = Session(
        name, table.box.game.draft, len(seats), seats=tuple(seats), seed=f"{table.seed.run}/{table.seed.game}",
        options=dict(table.box.options), moves=tuple(table.moves),
    )  # fmt: skip
    if not table.is_over:
        return made
    course, turn = [0, *replay.compute_scores()], replay.state.turn
    course[0] = 1
    for move in table.moves:  # notes the points as a series does
        replay.apply(move)
        if replay.state.turn != turn or replay.is_over:
            turn = replay.state.turn
            course[0] += 1
            course += replay.compute_scores()
    results = [0] * len(list_course_columns())
    fill_course_figures(course, table.box.players, results, 0)
    scores = list(zip(table.compute_places(), table.compute_scores(), strict=True))
    return _add_results(made, scores, int(table.state.turn), results[_LED])


def _add_results(made: Session, results: Sequence[tuple[int, int]], turns: int, led: int) -> Session:
    """Return a session with (place, score) of each seat, its turns, and the seats that led halfway (bits of `led`)."""
    both = zip(made.seats, results, strict=True)
    seats = tuple(replace(seat, rank=rank, score=float(score)) for seat, (rank, score) in both)
    half = tuple(seat + 1 for seat in range(len(seats)) if led >> seat & 1)
    return replace(made, seats=seats, turns=turns, half=half)


class MeasuredValue(NamedTuple):
    """A measure over several games: of how many it is known, and its mean or share with its interval at 95 %."""

    games: int
    interval: Interval


def measure_games(games: Iterable[Session], measure: str) -> MeasuredValue | None:
    """Return a measure (one of MEASURES) of these games, or None if no game has it."""
    values = [value for game in games if (value := find_value(measure, game)) is not None]
    if not values:
        return None
    return MeasuredValue(len(values), share_interval(values) if measure in SHARES else mean_interval(values))


def mean_interval(values: Sequence[float], outside: float = 0.05) -> Interval:
    """Return Student's interval of the mean, wrong with probability `outside`; infinite if all values are equal."""
    mean, number = fmean(values), len(values)
    if len(set(values)) < 2:
        return Interval(mean, -inf, inf)
    half = _bisect(lambda t: _student_share(t, number - 1) < 1 - outside, 1e6) * stdev(values) / sqrt(number)
    return Interval(mean, mean - half, mean + half)


def _student_share(t: float, freedom: int) -> float:
    """Return the probability that Student's t with `freedom` is from -t to t (Abramowitz and Stegun 26.7.3, 26.7.4)."""
    angle, odd = atan(t / sqrt(freedom)), freedom % 2
    term, total = cos(angle) if odd else 1.0, 0.0
    for power in range(1 + odd, freedom, 2):
        total += term
        term *= cos(angle) ** 2 * power / (power + 1)
    return 2 / pi * (angle + sin(angle) * total) if odd else sin(angle) * total


def share_interval(values: Sequence[float], outside: float = 0.05) -> Interval:
    """Return a share and its exact Clopper-Pearson interval, wrong with probability `outside`. Shared wins widen it."""
    number, seen = len(values), sum(values)
    few, many = int(seen), -int(-seen // 1)

    def tail(share: float, start: int) -> float:
        """Return how likely at least `start` games are won at `share` each. Logarithms: factorials exceed floats."""
        ways = {k: lgamma(number + 1) - lgamma(k + 1) - lgamma(number - k + 1) for k in range(start, number + 1)}
        return sum(exp(way + k * log(share) + (number - k) * log(1 - share)) for k, way in ways.items())

    low = _bisect(lambda share: tail(share, few) < outside / 2, 1.0) if few else 0.0
    high = _bisect(lambda share: 1 - tail(share, many + 1) > outside / 2, 1.0) if many < number else 1.0
    return Interval(seen / number, low, high)


def _bisect(is_below: Callable[[float], bool], high: float) -> float:
    """Return the number from 0 to `high` up to which the condition `is_below` holds, by halving the range 60 times."""
    low = 0.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if is_below(middle) else (low, middle)
    return (low + high) / 2


PAGE = Format("A4 sessions", paper_size("A4"), 29, 29, 19, 22, opening="masthead")
"""One column, in which notes are beside the pictures of their cards."""

_TALL, _LOW = 32.0, 19.0
"""Maximum height of a card's picture with several notes beside it, and with a single one (mm)."""

_LEFT: Literal["left"] = "left"


class TakenNote(NamedTuple):
    """A note and the session in which it was taken."""

    note: SessionNote
    session: Session


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
    def _until_now(self) -> list[Session]:
        """The sessions of this draft and of earlier ones."""
        drafts = list_drafts(self.sessions)
        return [one for one in self.sessions if one.draft in drafts[: drafts.index(self.draft) + 1]]

    @cached_property
    def _notes(self) -> Sequence[TakenNote]:
        """The notes of this draft, and the open ones of earlier drafts."""
        notes = (TakenNote(note, session) for session in self._until_now for note in session.notes)
        return [one for one in notes if one.session.draft == self.draft or one.note.status == "open"]

    def _group_notes(self, kind: SubjectKind) -> dict[str, list[TakenNote]]:
        return _group([one for one in self._notes if one.note.kind == kind], lambda one: one.note.target)

    @cached_property
    def _changes(self) -> Mapping[tuple[str, str], DifferenceEntry]:
        """What has changed, by record and the design's id in it."""
        found = {name: find_difference(record, self.now) for name, record in self.records.items() if self.now}
        return {
            (name, entry.was or entry.id): entry
            for name, difference in found.items()
            for entry in difference.groups.get("components", ())
        }

    def _describe_change(self, one: TakenNote) -> str:
        """Return how the subject of a note has changed since its session, or an empty string."""
        entry = self._changes.get((one.session.record, one.note.target))
        if entry is not None:
            counts = [" → ".join(map(str, entry.counts or ()))] if len({*(entry.counts or ())}) > 1 else []
            words = [self._phrase("looks")] if entry.looks else counts
            return words[0] if entry.sort == "changed" and words else self._phrase(entry.sort)
        if not one.note.seen or one.note.kind == "move":
            return ""
        seen = self.of.hash_subject(one.note, one.session)
        return self._phrase("changed" if seen else "removed") if seen != one.note.seen else ""

    def make_book(self) -> Book:
        """Return the whole report."""
        blocks = (*self.iter_page(), *self._iter_done(), *self._iter_cards(), *self._iter_chapters())
        title, draft = self.of.game.title[self.lang], phrase("draft_named", self.lang, draft=self.draft)
        cover = Cover(title, self._phrase("title"), (draft,))
        imprint = (f"{title} · {self._phrase('title')} · {draft}",)
        return Book(self.of.game.id, self.lang, cover, blocks, imprint, name="sessions", folded=False)

    def iter_page(self, level: Level = 1) -> Iterator[Block]:
        """Yield the part for the designer's notes: figures, readings that people chose, gaps in the rulebook."""
        mine = [one for one in self._until_now if one.draft == self.draft]
        notes = [note for one in mine for note in one.notes]
        people = sum(not seat.bot for one in mine for seat in one.seats)
        parts = [count_phrase("session_count", self.lang, len(mine)), count_phrase("session_people", self.lang, people)]
        number = sum(note.status == "open" for note in notes)
        parts.append(count_phrase("session_notes", self.lang, len(notes), open=number))
        if old := len(self._notes) - len(notes):
            parts.append(count_phrase("session_old", self.lang, old))
        yield Paragraph((Plain(self._join(parts)),), "lead")
        games = sum(not one.has_bots for one in mine)
        if games < FEW:
            yield self._make_bold(count_phrase("session_few", self.lang, games, few=FEW))
        yield from self._iter_figures(level)
        if with_bots := len(mine) - games:
            yield Paragraph((Plain(count_phrase("session_with_bots", self.lang, with_bots)),), "note")
        yield from self._iter_readings(level)
        yield from self._iter_gaps(level)

    def _iter_figures(self, level: Level) -> Iterator[Block]:
        """Yield a table for each number of players: a column for each draft, and one for bots."""
        yield self._make_heading(level, "figures")
        human = [one for one in self._until_now if not one.has_bots]
        apart: list[str] = []
        for players in sorted({one.players for one in human if one.draft == self.draft}):
            alike = [one for one in human if one.players == players]
            columns = [[one for one in alike if one.draft == draft] for draft in list_drafts(alike)]
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
                    rows.append(_make_row(name, *cells))
                    if found[-1] and beside and found[-1].games >= FEW:
                        people, machine = found[-1].interval, beside.interval
                        is_apart = people.low > machine.high or people.high < machine.low
                        apart += [f"{name} ({names[0]})"] if is_apart else []
            yield Table(_make_row(*names), tuple(rows), (_LEFT,) * len(names))
        if apart:
            yield self._make_bold(self._phrase("apart", names=self._join(apart)))
        yield Paragraph((Plain(self._phrase("margins")),), "note")

    def _iter_readings(self, level: Level) -> Iterator[Block]:
        """Yield the readings that people chose beside ours, then the notes about them."""
        chosen: dict[str, Counter[str]] = {}
        for session in self._until_now:
            for entry, value in session.readings.items() if session.draft == self.draft else ():
                chosen.setdefault(entry, Counter())[format_value(value)] += 1
        about = self._group_notes("reading")
        entries = sorted({*chosen, *about}, key=make_number_key)
        rows: list[tuple[Text, ...]] = []
        for entry in entries:
            if (reading := self.of.game.readings.get(entry)) is not None:
                told = (
                    f"{reading.means[value][self.lang] if value in reading.means else value} ×{number}"
                    for value, number in chosen.get(entry, Counter()).most_common()
                )
                rows.append(_make_row(entry, describe_reading(reading, self.lang), self._join(told) or "–"))
        if entries:
            yield self._make_heading(level, "readings")
            yield Table(_make_row("E", self._phrase("ours"), self._phrase("theirs")), tuple(rows), (_LEFT,) * 3)
        for entry in entries:
            if entry in about:
                yield Listing(tuple(self._make_line(one, f"{entry}: ") for one in about[entry]))

    def _iter_gaps(self, level: Level) -> Iterator[Block]:
        """Yield what several people asked about, or one person on several evenings."""
        questions = [one for one in self._notes if one.note.is_question]
        asked = _group(
            questions,  # move 12 of another session is another move
            lambda one: (one.note.kind == "move") * one.session.name + one.note.target or one.note.text.casefold(),
        ).values()
        several = [found for found in asked if len({(one.session.name, one.note.author) for one in found}) > 1]
        twice = sorted(several, key=len, reverse=True)
        if twice:
            yield self._make_heading(level, "gaps")
            yield Paragraph((Plain(self._phrase("gaps_how")),), "note")
        names = {f"{self._name_subject(found[0])} ×{len(found)}": found for found in twice}
        if twice and level > 1:
            yield Listing(tuple((self._make_bold(name),) for name in names))
        for name, found in names.items() if level == 1 else ():
            yield self._make_bold(name)
            yield Listing(tuple(map(self._make_line, found)))

    def _iter_done(self) -> Iterator[Block]:
        """Yield the open notes whose subject has changed since, with their places in the files."""
        changed = [one for one in self._notes if one.note.status == "open" and self._describe_change(one)]
        if changed:
            yield self._make_heading(1, "done")
            yield Paragraph((Plain(self._phrase("done_how")),), "note")
        by_change = _group(changed, lambda one: f"{self._name_subject(one)} – {self._describe_change(one)}")
        for name, found in by_change.items():
            yield self._make_bold(name)
            places = [f" · {one.note.place.file}:{one.note.place.line}" if one.note.place else "" for one in found]
            yield Listing(tuple(self._make_line(one, "", place) for one, place in zip(found, places, strict=True)))

    def _iter_cards(self) -> Iterator[Block]:
        """Yield the notes about each card, with its picture then and now."""
        about = self._group_notes("card")
        if about:
            yield self._make_heading(1, "cards")
        for card, found in sorted(about.items(), key=lambda one: -len(one[1])):
            yield Heading(2, (Plain(self._name_subject(found[0])),), f"sessions-{card}")
            yield from self._draw_card(card, found)
            yield from (block for one in found for block in self._make_line(one))

    def _draw_card(self, card: str, found: Sequence[TakenNote]) -> Iterator[Block]:
        """Yield the card at the earliest of these sessions and its current state, or once if both are equal."""
        then = next((one.session.record for one in found if (one.session.record, card) in self._changes), "")
        entry = self._changes.get((then, card))
        looks = sorted(entry.looks if entry else (), key=lambda side: side[1] != self.lang)
        face, lang = looks[0] if looks else ("front", self.lang)
        sides = [(self.now, entry.id if entry else card, "diff_after")]
        if entry is not None and (looks or entry.sort == "removed"):
            sides.insert(0, (self.records[then], card, "diff_before"))
        drawn = [(version, one, when) for version, one, when in sides if version and one in version.designs]
        if drawn:
            picture, missing = draw_side_by_side(drawn, face, lang, self.used_by, _TALL if len(found) > 1 else _LOW)
            words = " → ".join(phrase(when, self.lang) for *_, when in drawn) if entry else self._phrase("same")
            yield Figure(picture, f"{self._name_subject(found[0])}, {words}", place="beside", firm=True)
            yield Paragraph((Plain("; ".join((words, *missing)), colour=GREY),))

    def _iter_chapters(self) -> Iterator[Block]:
        """Yield the notes about the rulebook in its order, then those about moves and the whole game."""
        about = self._group_notes("heading")
        order = [*self.of.headings] if about else []
        if about:
            yield self._make_heading(1, "chapters")
        for anchor in sorted(about, key=lambda one: order.index(one) if one in order else len(order)):
            yield Heading(2, (Plain(self._name_subject(about[anchor][0])),), f"sessions-{anchor}")
            yield Listing(tuple(map(self._make_line, about[anchor])))
        if others := [one for one in self._notes if one.note.kind in ("", "move")]:
            yield self._make_heading(1, "others")
            before = [f"{self._name_subject(one)}: " if one.note.target else "" for one in others]
            yield Listing(tuple(map(self._make_line, others, before)))

    def _name_subject(self, one: TakenNote) -> str:
        """Return what a note is about, as players call it."""
        note, session = one
        if note.kind == "card":
            name = self.of.cards.get(note.target, {}).get(self.lang)
            return f"{name} ({note.target})" if name else note.target
        if note.kind == "heading":
            words = self.of.headings.get(note.target, {})
            return words.get(self.lang) or next(iter(words.values()), note.target)
        if note.kind == "move":
            text = self.of.describe_move(session, note, self.lang)
            return self._phrase("move_made" if text else "move", n=note.target, text=text)
        return note.target or self._phrase("general")

    def _make_line(self, one: TakenNote, before: str = "", after: str = "") -> tuple[Block, ...]:
        """Return a note in a line: `before`, its words, who said it, where, its status unless open, and `after`."""
        note, session = one
        about = [note.author, session.name]
        about += [phrase("draft_named", self.lang, draft=session.draft)] if session.draft != self.draft else []
        about += [] if note.status == "open" else [self._phrase(f"status_{note.status.replace(' ', '_')}")]
        said = f"{before}{phrase('quoted', self.lang, text=note.text)}"
        return (Paragraph((Plain(said), Plain(f" {' · '.join(filter(None, about))}{after}", colour=GREY))),)

    def _phrase(self, name: str, **values: object) -> str:
        return phrase(f"session_{name}", self.lang, **values)

    def _join(self, words: Iterable[str]) -> str:
        return phrase("and", self.lang).join(words)

    def _make_heading(self, level: Level, name: str) -> Heading:
        return Heading(level, (Plain(self._phrase(name)),), f"sessions-{name}")

    def _make_bold(self, words: str) -> Paragraph:
        return Paragraph((Plain(words, bold=True),))


def _group(notes: Iterable[TakenNote], key: Callable[[TakenNote], str]) -> dict[str, list[TakenNote]]:
    found: dict[str, list[TakenNote]] = {}
    for one in notes:
        found.setdefault(key(one), []).append(one)
    return found


def _make_row(*words: str) -> tuple[Text, ...]:
    return tuple((Plain(one),) for one in words)


def _format_measured(found: MeasuredValue | None, measure: str) -> str:
    """Return a value with its margin and number of games, or a dash. Shares in few games are only counted."""
    if found is None:
        return "–"
    if measure in SHARES and found.games < FEW:
        return f"{found.interval.at * found.games:.3g} / {found.games}"
    interval = found.interval.divide_by(0.01) if measure in SHARES else found.interval
    number = format_with_margin(interval) if isfinite(interval.half) else f"{interval.at:.3g}"
    return f"{number}{' %' if measure in SHARES else ''} ({found.games})"


def make_session_block(workshop: Workshop, lang: str, played: RulebookPlay, body: BlockBody) -> Iterable[Block]:
    """Return the page of the designer's notes about the draft that was played last, or nothing without sessions.

    Raise ProblemsFound for wrong sessions.
    """
    body.check_keys()
    of = SessionGame(workshop, played)
    sessions = read_sessions(of, workshop.resources.display_path)
    return SessionReport(of, sessions, list_drafts(sessions)[-1], lang).iter_page(2) if sessions else ()
