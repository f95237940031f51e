"""The loop of a game with random moves, as a kernel over any game's rules."""

from typing import Any

from generator.games.kernel import Kernel, Record, Row, below, kernel


def _unbound(*_: Any) -> Any:
    raise RuntimeError("bind the loop to a game's rules first")


legal: Kernel = _unbound
apply: Kernel = _unbound
demand: Kernel = _unbound
broken: Kernel = _unbound

# Where a game's figures stand in the row that `play_randomly` fills.
MOVES, CHOICES, WIDEST, ENDED, BROKEN = range(5)
FIGURES = 5


@kernel
def play_randomly(
    s: Record, f: Record, luck: Row, moves: Row, taken: Row, peak: Row, figures: Row, most: int, watch: int
) -> None:
    """Plays on to the end, or for `most` moves, each legal move being as likely as any other.

    Choices go by `luck`, chances of their own: those of the state stay the game's, so that seed and moves replay it.
    Fills in the figures of the game; with `watch`, also the peak demand for each supply and the first broken law.
    """
    for i in range(len(figures)):
        figures[i] = 0
    while s.over == 0 and figures[MOVES] < most:
        number = legal(s, f, moves)
        if number == 0:
            break
        figures[MOVES] += 1
        if number > 1:
            figures[CHOICES] += 1
            figures[WIDEST] = max(figures[WIDEST], number)
            apply(s, f, moves[below(luck, number)])
        else:
            apply(s, f, moves[0])
        if watch:
            demand(s, f, taken)
            for i in range(len(peak)):
                peak[i] = max(peak[i], taken[i])
            if figures[BROKEN] == 0:
                figures[BROKEN] = broken(s, f)
    figures[ENDED] = s.over
