"""Table text: describes a table, its moves and a whole game in words, as a seat sees them."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from generator.base.errors import join_lines
from generator.base.languages import count_columns, count_phrase, phrase
from generator.game.data_fields import format_value
from generator.game.model import Design, Game
from generator.play.series import MOST_MOVES
from generator.rules.engine.contract import ALL_SEEN, Box, Message, Observation, VisiblePieces, Zones
from generator.rules.engine.table import Seed, Table, move_text, piece_name, replay_game, zone_kind, zone_name

WIDTH = 100
"""Width of a line in terminal columns; full-width characters take two."""

VisibleZones = Mapping[str, tuple[VisiblePieces, ...]]


@dataclass(frozen=True, slots=True)
class SeatView:
    """What a seat sees, as lines of text: zones and facts by name, the status, and the points."""

    zones: Mapping[str, tuple[str, ...]]
    facts: Mapping[str, tuple[str, ...]]
    status: tuple[str, ...]
    points: tuple[str, ...]


def seat_view(table: Table, seat: int, lang: str) -> SeatView:
    """Return the table as the seat sees it: unknown pieces are only counted, points that depend on them are hidden."""
    game, sight = table.box.game, table.observe(seat)
    facts = {name: tuple(phrase_lines(game, said, lang)) for name, said in sight.facts.items()}
    status = tuple(line for said in sight.status for line in phrase_lines(game, said, lang))
    rows, points = dict(_zone_rows(game, sight.zones, seat, lang)), tuple(_format_points(table, sight, lang))
    return SeatView(rows, facts, status, points)


def share_observation(sights: Sequence[Observation]) -> Observation:
    """Return what all these seats may know: only the number of pieces of a zone that they see differently."""
    first, *others = sights
    zones = {
        zone: there
        if all(other.zones.get(zone) == there for other in others)
        else (VisiblePieces("", sum(lying.number for lying in there)),)
        for zone, there in first.zones.items()
    }
    status = tuple(said for said in first.status if all(said in other.status for other in others))
    facts = {name: said for name, said in first.facts.items() if all(other.facts.get(name) == said for other in others)}
    return Observation(zones, status, facts, first.unsure.union(*(other.unsure for other in others)))


def zone_lines(game: Game, zones: VisibleZones, lang: str, seat: int = ALL_SEEN) -> Iterator[str]:
    """Yield each non-empty zone with the names of its pieces; the seat's own hand comes last."""
    for _, lines in _zone_rows(game, zones, seat, lang):
        yield from lines


def phrase_lines(game: Game, said: Message, lang: str) -> Iterator[str]:
    """Yield the lines of a phrase of the data; long ones break between words or after a Japanese comma."""
    return _wrap_words("  ", re.findall(r"[^\s、]+[\s、]*", move_text(game, said, lang)))


def empty_line(game: Game, zone: str, lang: str) -> str:
    """Return the line for a zone that has become empty."""
    return f"  {zone_name(game, zone, lang)}: {phrase('play_nothing', lang)}"


def result_lines(table: Table, lang: str, sight: Observation | None = None) -> Iterator[str]:
    """Yield each player's points, with their places if the game is over; before the end, only visible points."""
    if not table.is_over:
        yield from _format_points(table, sight or table.observe(ALL_SEEN), lang)
        return
    places = table.compute_places()
    for seat, points in enumerate(table.compute_scores()):
        yield count_phrase("play_place", lang, points, player=player_name(seat, lang), place=places[seat])


def player_name(seat: int, lang: str) -> str:
    """Return `player 1` for seat 0."""
    return phrase("play_player", lang, seat=seat + 1)


def pad_text(text: str, width: int) -> str:
    """Return the text with spaces added up to this number of columns."""
    return text + " " * max(0, width - count_columns(text))


def format_pieces(game: Game, pieces: Iterable[VisiblePieces], lang: str) -> list[str]:
    """Return the names of pieces in their order; adjacent pieces with equal names become one with a number."""
    heaps: list[tuple[str, int]] = []
    for lying in pieces:
        name = piece_name(game, lying.piece, lang) if lying.piece else ""
        if lying.turned:
            name = phrase("play_turned", lang, piece=name)
        number = lying.number + (heaps.pop()[1] if heaps and heaps[-1][0] == name else 0)
        heaps.append((name, number))
    return [
        (f"{name} ×{number}" if number > 1 else name) if name else phrase("play_hidden", lang, n=number)
        for name, number in heaps
    ]


def names_in_lines(head: str, names: Sequence[str], lang: str) -> Iterator[str]:
    """Yield the lines of `  head: name, name`, which continue on further lines if they are long."""
    comma = phrase("and", lang)
    return _wrap_words(f"  {head}: ", [*(name + comma for name in names[:-1]), *names[-1:]])


def _wrap_words(line: str, words: Iterable[str]) -> Iterator[str]:
    """Yield the lines that words fill, each with the blanks behind it; further lines are indented."""
    for word in words:
        if count_columns((line + word).rstrip()) > WIDTH and line.strip():
            yield line.rstrip()
            line = "      "
        line += word
    yield line.rstrip()


def _zone_rows(game: Game, zones: VisibleZones, seat: int, lang: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    for zone in _sort_zones(game, zones, seat):
        if zones[zone]:
            names = format_pieces(game, zones[zone], lang)
            yield zone, tuple(names_in_lines(zone_name(game, zone, lang), names, lang))


def _sort_zones(game: Game, zones: VisibleZones, seat: int) -> list[str]:
    """Return zones in the order of the data, then of the rules, then of their numbers; the own hand comes last."""
    named_so, first = list(game.zones), dict[str, int]()
    for at, zone in enumerate(zones):
        first.setdefault(zone_kind(zone), at)

    def key(zone: str) -> tuple[bool, int, int, list[tuple[int, str]]]:
        kind = zone_kind(zone)
        by_data = named_so.index(kind) if kind in named_so else len(named_so)
        numbers = [(int(number), "") for number in re.findall(r"\d+", zone)]
        return zone in ("hand", f"hand {seat + 1}"), by_data, first[kind], [*numbers, (0, zone)]

    return sorted(zones, key=key)


def _format_points(table: Table, sight: Observation, lang: str) -> Iterator[str]:
    for seat, points in enumerate(table.compute_scores()):
        name = player_name(seat, lang)
        hidden = seat in sight.unsure
        shown = phrase("play_points", lang, n="?", player=name)
        yield shown if hidden else count_phrase("play_points", lang, points, player=name)


# A viewer (`eye`) is a seat or ALL_SEEN. Its reports depend only on what it sees.

NOTATION = 24
"""Width reserved for the notation of a move (columns)."""

MOST_NAMED = 12
"""If more cards move to a zone together, only their number is reported."""


@dataclass(frozen=True, slots=True)
class MoveReport:
    """A report of a move for one viewer: its seat (from 0), notation and words, which are empty if all is hidden.

    Only the seat that chooses (and ALL_SEEN) gets the notation, because it may distinguish copies that look alike to
    all others. `then` contains lines about the consequences.
    """

    seat: int
    written: str
    text: str
    then: tuple[str, ...] = ()

    def format_lines(self, lang: str) -> Iterator[str]:
        """Yield the lines to show; no lines for a hidden choice without consequences."""
        if self.text:
            yield f"  {player_name(self.seat, lang)}  {pad_text(self.written, NOTATION)}  {self.text}".rstrip()
        yield from self.then


class MoveReporter:
    """Makes the moves of a table, and reports them to viewers by what they see before and after."""

    def __init__(self, table: Table, eyes: Iterable[int], lang: str):
        self._table, self.lang = table, lang
        self._seen = {eye: table.observe(eye) for eye in eyes}

    def report_deal(self) -> dict[int, tuple[str, ...]]:
        """Return the report of the deal for each viewer."""
        return {eye: tuple(self._format_consequences(eye)) for eye in self._seen}

    def make_move(self, move: int) -> dict[int, MoveReport]:
        """Make the move and return its report for each viewer. Raise IllegalMove if it is not legal."""
        table, lang = self._table, self.lang
        if not self._seen:
            table.apply(move)
            return {}
        seat, state = table.seat, table.state
        said = table.rules.say(state, table.box, move)
        whole = MoveReport(seat, table.write_move(move), move_text(table.box.game, said, lang))
        secret = table.rules.tell
        heard = {
            eye: said if secret is None or eye in (seat, ALL_SEEN) else secret(state, table.box, move, eye, said)
            for eye in self._seen
        }
        lain = table.list_zones() if secret is None else {}
        table.apply(move)
        told = {}
        for eye, before in self._seen.items():
            now = table.observe(eye)
            words = heard[eye]
            if (
                secret is None
                and eye not in (seat, ALL_SEEN)
                and reveals_hidden_card(said, lain, table.list_zones(), before, now)
            ):
                one = MoveReport(seat, "", phrase("play_secret", lang))
            elif eye in (seat, ALL_SEEN):
                one = whole
            else:
                one = MoveReport(seat, "", move_text(table.box.game, words, lang) if words is not None else "")
            named_already = find_named_designs(said) if words == said else set()
            then = (
                *self._format_consequences(eye),
                *_format_arrivals(table.box.game, before, now, named_already, lang),
            )
            told[eye] = replace(one, then=then)
            self._seen[eye] = now
        return told

    def _format_consequences(self, eye: int) -> Iterator[str]:
        game, lang = self._table.box.game, self.lang
        return (f"    {move_text(game, said, lang)}" for said in self._table.list_consequences(eye))


def reveals_hidden_card(said: Message, lain: Zones, lies: Zones, *seen: Observation) -> bool:
    """Return True if a message names a card that no viewer has `seen`; `lain`, `lies`: all zones before and after."""
    before, after = _find_places(lain), _find_places(lies)
    zones = [there for observation in seen for there in observation.zones.values()]
    known = {lying.piece for there in zones for lying in there if "#" in lying.piece}
    for design in find_named_designs(said):
        copies = [copy for copy in before | after if copy.split("#")[0] == design and "#" in copy]
        moved = [copy for copy in copies if before.get(copy) != after.get(copy)]
        if copies and known.isdisjoint(moved or copies):
            return True
    return False


def common_news(reports: Sequence[MoveReport]) -> MoveReport:
    """Return the report that all viewers of these reports may get: the one that says least if they differ."""
    least = min(reports, key=lambda one: (len(one.written), len(one.text)))
    return replace(least, then=tuple(line for line in reports[0].then if all(line in one.then for one in reports)))


def find_named_designs(said: Message) -> set[str]:
    """Return the ids of the designs that a phrase names."""
    values = [part for value in said.values.values() for part in (value if isinstance(value, tuple) else (value,))]
    return {value.id for value in values if isinstance(value, Design)}


def _find_places(zones: Mapping[str, Mapping[str, int]]) -> dict[str, str]:
    return {piece: zone for zone, pieces in zones.items() for piece in pieces}


def _format_arrivals(game: Game, before: Observation, now: Observation, named: set[str], lang: str) -> Iterator[str]:
    """Yield a line for each zone with newly visible cards, unless `named` has the designs of all of them."""
    lay = {lying.piece: zone for zone, there in before.zones.items() for lying in there}
    for zone, there in now.zones.items():
        come = [VisiblePieces(lying.piece) for lying in there if "#" in lying.piece and lay.get(lying.piece) != zone]
        if all(lying.piece.split("#")[0] in named for lying in come):
            continue
        names = [phrase("play_pieces", lang, n=len(come))]
        if len(come) <= MOST_NAMED:
            names = format_pieces(game, come, lang)
        yield from (f"  {line}" for line in names_in_lines(f"→ {zone_name(game, zone, lang)}", names, lang))


# The number before a choice is the number of its turn.


def write_transcript(table: Table, lang: str, readers: Sequence[int] = ()) -> str:
    """Return the game so far, replayed from its seed, as these seats saw it; without seats, all of it."""
    return join_lines(_write_transcript_lines(table, lang, tuple(readers) or (ALL_SEEN,)))


def format_heading(box: Box, seed: Seed, lang: str) -> Iterator[str]:
    """Yield the game, its draft, the number of players, the seed and the options."""
    title, draft = box.game.title[lang], box.game.draft
    yield phrase("play_title", lang, title=title, draft=draft, players=box.players, seed=f"{seed.run}/{seed.game}")
    for name, value in box.options.items():
        yield f"  {name}: {format_value(value)}"


def format_ending(table: Table, lang: str) -> str:
    """Return the line that says how the game ended: over, left by the player, or endless."""
    if table.is_over:
        return phrase("play_end", lang)
    endless = len(table.moves) >= MOST_MOVES or not table.list_legal_moves()
    return phrase("play_endless", lang, n=len(table.moves)) if endless else phrase("play_left", lang)


def _write_transcript_lines(table: Table, lang: str, readers: tuple[int, ...]) -> Iterator[str]:
    box = table.box
    again = replay_game(table.rules, box, table.seed, ())
    yield from format_heading(box, table.seed, lang)
    if readers == (ALL_SEEN,):
        yield phrase("play_all_open", lang)
    else:
        players = phrase("and", lang).join(player_name(seat, lang) for seat in readers)
        yield phrase("play_as_seen", lang, players=players)
    yield from ("", phrase("play_dealt", lang))
    yield from _reader_zones(again, lang, readers)
    teller = MoveReporter(again, readers, lang)
    for eye, lines in teller.report_deal().items():
        if eye == readers[0]:
            yield from lines
    yield from ("", phrase("play_course", lang))
    first, turn = again.state.turn, None
    for move in table.moves:
        number, turn = ("" if again.state.turn == turn else again.state.turn - first + 1), again.state.turn
        for at, line in enumerate(common_news(list(teller.make_move(move).values())).format_lines(lang)):
            yield f"{number if at == 0 else '':>4}{line}"
    yield from ("", format_ending(again, lang))
    yield from _reader_zones(again, lang, readers)
    yield from (f"  {line}" for line in result_lines(again, lang, _common_view(again, readers)))


def _common_view(table: Table, readers: tuple[int, ...]) -> Observation:
    return share_observation([table.observe(seat) for seat in readers])


def _reader_zones(table: Table, lang: str, readers: tuple[int, ...]) -> Iterator[str]:
    yield from zone_lines(table.box.game, _common_view(table, readers).zones, lang, readers[0])
