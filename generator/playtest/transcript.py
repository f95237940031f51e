"""A whole game as text, as some eyes saw it: the deal, each choice and what came of it, scores and places at the end.

The number before a choice is that of its turn.
"""

from collections.abc import Iterator, Sequence

from generator.errors import as_lines
from generator.games.engine.contract import ALL_SEEN, Box, Observation
from generator.games.engine.table import Seed, Table, replay
from generator.model.phrases import phrase
from generator.playtest import telling
from generator.playtest.series import MOST_MOVES
from generator.playtest.showing import common_observation, player_name, result_lines, zone_lines


def transcript(table: Table, lang: str, readers: Sequence[int] = ()) -> str:
    """The game so far, played again from its seed, as far as each of these seats saw it; all of it for no seat."""
    return as_lines(_lines(table, lang, tuple(readers) or (ALL_SEEN,)))


def heading(box: Box, seed: Seed, lang: str) -> Iterator[str]:
    """Which game of which draft, for how many, from which seed, with which options."""
    title, draft = box.game.title[lang], box.game.draft
    yield phrase("play_title", lang, title=title, draft=draft, players=box.players, seed=f"{seed.run}/{seed.game}")
    for name, value in box.options.items():
        yield f"  {name}: {str(value).lower() if isinstance(value, bool) else value}"


def ending(table: Table, lang: str) -> str:
    """That the game is over, was left, or does not end."""
    if table.over:
        return phrase("play_end", lang)
    endless = len(table.moves) >= MOST_MOVES or not table.legal()
    return phrase("play_endless", lang, n=len(table.moves)) if endless else phrase("play_left", lang)


def _lines(table: Table, lang: str, readers: tuple[int, ...]) -> Iterator[str]:
    box = table.box
    again = replay(table.rules, box, table.seed, ())
    yield from heading(box, table.seed, lang)
    yield _whose(readers, lang)
    yield from ("", phrase("play_dealt", lang))
    yield from _zones(again, lang, readers)
    teller = telling.Teller(again, readers, lang)
    for eye, lines in teller.dealt().items():
        if eye == readers[0]:
            yield from lines
    yield from ("", phrase("play_course", lang))
    first, turn = again.state.turn, None
    for move in table.moves:
        number, turn = ("" if again.state.turn == turn else again.state.turn - first + 1), again.state.turn
        for at, line in enumerate(telling.common_news(list(teller.make(move).values())).lines(lang)):
            yield f"{number if at == 0 else '':>4}{line}"
    yield from ("", ending(again, lang))
    yield from _zones(again, lang, readers)
    yield from (f"  {line}" for line in result_lines(again, lang, _common_view(again, readers)))


def _whose(readers: tuple[int, ...], lang: str) -> str:
    """What the reader must know of what follows: nothing is left out, or what these seats could not see is."""
    if readers == (ALL_SEEN,):
        return phrase("play_all_open", lang)
    players = phrase("and", lang).join(player_name(seat, lang) for seat in readers)
    return phrase("play_as_seen", lang, players=players)


def _common_view(table: Table, readers: tuple[int, ...]) -> Observation:
    return common_observation([table.observed(seat) for seat in readers])


def _zones(table: Table, lang: str, readers: tuple[int, ...]) -> Iterator[str]:
    yield from zone_lines(table.box.game, _common_view(table, readers).zones, lang, readers[0])
