"""A whole game as text: what was dealt, each choice with its notation and words, scores and places at the end.

The number before a choice is that of its turn.
"""

from collections.abc import Iterator

from generator.games.contract import Box
from generator.games.table import Seed, Table, replay
from generator.model.phrases import phrase
from generator.playtest.series import MOST_MOVES
from generator.playtest.showing import padded, player_name, result_lines, zone_lines

NOTATION = 24
"""Columns for the notation of a move."""


def transcript(table: Table, lang: str) -> str:
    """The game so far, played again from its seed."""
    return "\n".join(_lines(table, lang)) + "\n"


def heading(box: Box, seed: Seed, lang: str) -> Iterator[str]:
    """Which game of which draft, for how many, from which seed, with which options."""
    title, draft = box.game.title[lang], box.game.draft
    yield phrase("play_title", lang, title=title, draft=draft, players=box.players, seed=f"{seed.run}/{seed.game}")
    for name, value in box.options.items():
        yield f"  {name}: {str(value).lower() if isinstance(value, bool) else value}"


def move_line(seat: int, written: str, text: str, lang: str) -> str:
    """Who did what, in notation and words."""
    return f"  {player_name(seat, lang)}  {padded(written, NOTATION)}  {text}".rstrip()


def ending(table: Table, lang: str) -> str:
    """That the game is over, was left, or does not end."""
    if table.over:
        return phrase("play_end", lang)
    endless = len(table.moves) >= MOST_MOVES or not table.legal()
    return phrase("play_endless", lang, n=len(table.moves)) if endless else phrase("play_left", lang)


def _lines(table: Table, lang: str) -> Iterator[str]:
    box = table.box
    again = replay(table.rules, box, table.seed, ())
    yield from heading(box, table.seed, lang)
    yield f"\n{phrase('play_dealt', lang)}"
    yield from zone_lines(box.game, again.zones(), lang)
    yield f"\n{phrase('play_course', lang)}"
    turn = None
    for move in table.moves:
        number, turn = ("" if again.state.turn == turn else again.state.turn + 1), again.state.turn
        yield f"{number:>4}" + move_line(again.seat, again.write(move), again.text(move, lang), lang)
        again.apply(move)
    yield f"\n{ending(again, lang)}"
    yield from zone_lines(box.game, again.zones(), lang)
    yield from (f"  {line}" for line in result_lines(again, lang))
