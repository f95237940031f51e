"""A table in lines of text, as a seat sees it: how things stand, zones with the names of pieces, points and places."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from unicodedata import east_asian_width

from generator.dataclass import dataclass
from generator.games.engine.contract import ALL_SEEN, Lying, Observation, Said
from generator.games.engine.phrases import move_text, piece_name, zone_kind, zone_name
from generator.games.engine.table import Table
from generator.model.game import Game
from generator.model.phrases import count_phrase, phrase

WIDTH = 100
"""Columns of a line; full-width characters take two."""

Laid = Mapping[str, tuple[Lying, ...]]


@dataclass(frozen=True, slots=True)
class SeatView:
    """What a seat sees, in lines: those of each zone and of each fact by its name, how things stand, all points."""

    zones: Mapping[str, tuple[str, ...]]
    facts: Mapping[str, tuple[str, ...]]
    status: tuple[str, ...]
    points: tuple[str, ...]


def seat_view(table: Table, seat: int, lang: str) -> SeatView:
    """The table as the seat sees it: what it can't know is only counted, and points that hang on it are not told."""
    game, sight = table.box.game, table.observed(seat)
    facts = {name: tuple(phrase_lines(game, said, lang)) for name, said in sight.facts.items()}
    status = tuple(line for said in sight.status for line in phrase_lines(game, said, lang))
    return SeatView(dict(_zones(game, sight.zones, seat, lang)), facts, status, tuple(_points(table, sight, lang)))


def common_observation(sights: Sequence[Observation]) -> Observation:
    """What several seats may be shown at once: of a zone that they see differently only the number of pieces."""
    first, *others = sights
    zones = {
        zone: there
        if all(other.zones.get(zone) == there for other in others)
        else (Lying("", sum(lying.number for lying in there)),)
        for zone, there in first.zones.items()
    }
    status = tuple(said for said in first.status if all(said in other.status for other in others))
    facts = {name: said for name, said in first.facts.items() if all(other.facts.get(name) == said for other in others)}
    return Observation(zones, status, facts, first.unsure.union(*(other.unsure for other in others)))


def zone_lines(game: Game, zones: Laid, lang: str, seat: int = ALL_SEEN) -> Iterator[str]:
    """Each zone that holds something, by name, with the names of what lies there; the seat's own hand comes last."""
    for _, lines in _zones(game, zones, seat, lang):
        yield from lines


def phrase_lines(game: Game, said: Said, lang: str) -> Iterator[str]:
    """A phrase of the data, broken between words or after a Japanese comma where it is long."""
    head = "  "
    for word in re.findall(r"[^\s、]+[\s、]*", move_text(game, said, lang)):
        if columns((head + word).rstrip()) > WIDTH and head.strip():
            yield head.rstrip()
            head = "      "
        head += word
    yield head.rstrip()


def empty_line(game: Game, zone: str, lang: str) -> str:
    """A zone in which nothing lies any more."""
    return f"  {zone_name(game, zone, lang)}: {phrase('play_nothing', lang)}"


def result_lines(table: Table, lang: str, sight: Observation | None = None) -> Iterator[str]:
    """Each player's points, and where the game is over the places; before that as far as they are seen."""
    if not table.over:
        yield from _points(table, sight or table.observed(ALL_SEEN), lang)
        return
    places = table.places()
    for seat, points in enumerate(table.scores()):
        yield count_phrase("play_place", lang, points, player=player_name(seat, lang), place=places[seat])


def player_name(seat: int, lang: str) -> str:
    """`player 1` for seat 0."""
    return phrase("play_player", lang, seat=seat + 1)


def columns(text: str) -> int:
    """How many columns of a terminal a text takes."""
    return sum(2 if east_asian_width(character) in "WF" else 1 for character in text)


def pad(text: str, width: int) -> str:
    """The text with spaces up to so many columns."""
    return text + " " * max(0, width - columns(text))


def piece_names(game: Game, there: Iterable[Lying], lang: str) -> list[str]:
    """The names of pieces in the order in which they lie, with a number where several side by side are called alike."""
    heaps: list[tuple[str, int]] = []
    for lying in there:
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
    """`  head: name, name`, continued on further lines where it is too long."""
    line, comma = f"  {head}: ", phrase("and", lang)
    for at, name in enumerate(names):
        word = name + (comma if at + 1 < len(names) else "")
        if columns((line + word).rstrip()) > WIDTH and line.strip():
            yield line.rstrip()
            line = "      "
        line += word
    yield line


def _zones(game: Game, zones: Laid, seat: int, lang: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    for zone in _in_order(game, zones, seat):
        if zones[zone]:
            names = piece_names(game, zones[zone], lang)
            yield zone, tuple(names_in_lines(zone_name(game, zone, lang), names, lang))


def _in_order(game: Game, zones: Laid, seat: int) -> list[str]:
    """As the data name them, then as the rules do; those that differ by numbers counted up, the own hand last."""
    named_so, first = list(game.zones), dict[str, int]()
    for at, zone in enumerate(zones):
        first.setdefault(zone_kind(zone), at)

    def key(zone: str) -> tuple[bool, int, int, list[tuple[int, str]]]:
        kind = zone_kind(zone)
        by_data = named_so.index(kind) if kind in named_so else len(named_so)
        numbers = [(int(number), "") for number in re.findall(r"\d+", zone)]
        return zone in ("hand", f"hand {seat + 1}"), by_data, first[kind], [*numbers, (0, zone)]

    return sorted(zones, key=key)


def _points(table: Table, sight: Observation, lang: str) -> Iterator[str]:
    for seat, points in enumerate(table.scores()):
        name = player_name(seat, lang)
        hidden = seat in sight.unsure
        yield (
            phrase("play_points", lang, n="?", player=name)
            if hidden
            else count_phrase("play_points", lang, points, player=name)
        )
