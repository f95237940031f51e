"""A table in lines of text: its zones with the names of pieces, what one seat sees of them, points and places."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from unicodedata import east_asian_width

from generator.games.contract import Zones
from generator.games.phrases import piece_name, zone_name
from generator.games.table import Table
from generator.model.game import Game
from generator.model.phrases import counted, phrase

WIDTH = 100
"""Columns of a line; full-width characters take two."""

SAMPLES = 16
"""In so many ways what is hidden is mixed: a zone that is the same each time is no secret."""


def zone_lines(game: Game, zones: Zones, lang: str) -> Iterator[str]:
    """Each zone that holds something, by name, with the names of what lies there."""
    for zone, pieces in zones.items():
        if pieces:
            yield from _line(zone_name(game, zone, lang), _names(game, pieces, lang), lang)


def empty_line(game: Game, zone: str, lang: str) -> str:
    """A zone in which nothing lies any more."""
    return f"  {zone_name(game, zone, lang)}: {phrase('play_nothing', lang)}"


@dataclass(frozen=True, slots=True)
class Sight:
    """What a seat sees: the lines of each zone, and a line for each player's points."""

    zones: Mapping[str, list[str]]
    points: list[str]


def seen(table: Table, seat: int, lang: str) -> Sight:
    """The table as the seat sees it: what it can't know is only counted, and points that hang on it are not told."""
    samples = [table.as_seen(seat, chance) for chance in range(SAMPLES)]
    scores = [sample.scores() for sample in samples]
    points = []
    for player, possible in enumerate(zip(*scores, strict=True)):
        name = player_name(player, lang)
        known = len(set(possible)) == 1
        points.append(
            counted("play_points", lang, possible[0], player=name)
            if known
            else phrase("play_points", lang, n="?", player=name)
        )
    zones = dict(_seen_zones(table.box.game, [sample.zones() for sample in samples], lang))
    return Sight(zones, points)


def _seen_zones(game: Game, samples: list[Zones], lang: str) -> Iterator[tuple[str, list[str]]]:
    for zone, pieces in samples[0].items():
        open_to_see = all(list(sample.get(zone, {}).items()) == list(pieces.items()) for sample in samples[1:])
        names = _names(game, pieces, lang) if open_to_see else [phrase("play_hidden", lang, n=sum(pieces.values()))]
        if pieces:
            yield zone, list(_line(zone_name(game, zone, lang), names, lang))


def result_lines(table: Table, lang: str) -> Iterator[str]:
    """Each player's points, and where the game is over the places."""
    places = table.places() if table.over else ()
    for seat, points in enumerate(table.scores()):
        player = player_name(seat, lang)
        if places:
            yield counted("play_place", lang, points, player=player, place=places[seat])
        else:
            yield counted("play_points", lang, points, player=player)


def player_name(seat: int, lang: str) -> str:
    """`player 1` for seat 0."""
    return phrase("play_player", lang, seat=seat + 1)


def columns(text: str) -> int:
    """How many columns of a terminal a text takes."""
    return sum(2 if east_asian_width(character) in "WF" else 1 for character in text)


def padded(text: str, width: int) -> str:
    """The text with spaces up to so many columns."""
    return text + " " * max(0, width - columns(text))


def _names(game: Game, pieces: Mapping[str, int], lang: str) -> list[str]:
    """The names of pieces, in the order in which they lie there, with a number where there are several."""
    heaps: Counter[str] = Counter()
    for piece, number in pieces.items():
        heaps[piece_name(game, piece, lang)] += number
    return [f"{name} ×{number}" if number > 1 else name for name, number in heaps.items()]


def _line(head: str, names: list[str], lang: str) -> Iterator[str]:
    """`  head: name, name`, continued on further lines where it is too long."""
    line, comma = f"  {head}: ", phrase("and", lang)
    for at, name in enumerate(names):
        word = name + (comma if at + 1 < len(names) else "")
        if columns((line + word).rstrip()) > WIDTH and line.strip():
            yield line.rstrip()
            line = "      "
        line += word
    yield line
