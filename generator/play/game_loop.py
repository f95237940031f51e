"""Game loop: kernels that play games between bots and record each seat's points after every turn."""

from collections.abc import Sequence

from generator.play.bots import Rows, raise_unbound
from generator.rules.engine.kernel import PURPOSES, Record, Row, begin_stream, kernel, reseed_chance, seed_chance

legal = apply = demand = broken = set_up = score = place = measure = raise_unbound
put = play_one = note = tell_game = choose = raise_unbound

# All kernels of a series have the same `rows`: luck, moves, taken, peak, points of each seat, measures, and course.
# The course of a game is a row: the number of entries, then the points of every seat in each; the first entry is
# before any move.

STEPS = 10
"""The number of sections of a game at whose ends the points are recorded."""

# Figures of a course: how often another seat alone took the lead, when it last did so (in % of the turns), the seats
# that led at half of the game and at its end, as bits; then the most and fewest points at each step.
CHANGES, LAST, HALF, END = range(4)
BY_STEP = 4
COURSE_FIGURES = BY_STEP + 2 * STEPS


def list_course_columns() -> tuple[str, ...]:
    """Return the names of the numbers that `fill_course_figures` fills in, in their order."""
    steps = [f"{which} at {step}" for which in ("best", "worst") for step in range(1, STEPS + 1)]
    return ("lead changes", "last lead change", "led at half", "led at end", *steps)


@kernel
def note_points(s: Record, f: Record, course: Row, points: Row) -> None:
    """Append each seat's present points to `course`; `points` is room to count them."""
    for seat in range(s.players):
        points[seat] = 0
    score(s, f, points)
    at = 1 + course[0] * s.players
    for seat in range(s.players):
        course[at + seat] = points[seat]
    course[0] += 1


@kernel
def find_leaders(course: Row, time: int, players: int) -> int:
    """Return as bits the seats with the most points in the course's entry `time` (0: before any move)."""
    at = 1 + time * players
    best = course[at]
    for seat in range(1, players):
        best = max(best, course[at + seat])
    found = 0
    for seat in range(players):
        if course[at + seat] == best:
            found |= 1 << seat
    return found


@kernel
def fill_course_figures(course: Row, players: int, results: Row, start: int) -> None:
    """Write COURSE_FIGURES numbers on a game's course to `results` from `start` on.

    They are: changes of the lead, the last of them (percent of the turns), leaders at half-time and at the end (bits),
    and the best and worst points after each of STEPS sections. A shared lead is not a change.
    """
    turns = course[0] - 1
    for i in range(COURSE_FIGURES):
        results[start + i] = 0
    led = 0
    for time in range(turns + 1):
        now = find_leaders(course, time, players)
        if now & (now - 1) == 0:
            if led and now != led:
                results[start + CHANGES] += 1
                results[start + LAST] = 100 * time // turns
            led = now
    results[start + HALF] = find_leaders(course, turns // 2, players)
    results[start + END] = find_leaders(course, turns, players)
    for step in range(STEPS):
        first = 1 + turns * (step + 1) // STEPS * players
        best = worst = course[first]
        for seat in range(1, players):
            best = max(best, course[first + seat])
            worst = min(worst, course[first + seat])
        results[start + BY_STEP + step] = best
        results[start + BY_STEP + STEPS + step] = worst


# The indexes of a game's figures in the row that `play_to_end` fills.
MOVES, CHOICES, WIDEST, ENDED, BROKEN, DIGEST, DECISIONS = range(7)
FIGURES = 7

WATCHED, FOLLOWED = 1, 2
"""How closely games are watched: laws and supplies, or also the points during the game."""

# In the figures of `play_series` these follow: turns, the first hole met, then points and places by seat, peak demand
# and shortages by supply, and measures.
TURNS, HOLE = range(FIGURES, FIGURES + 2)
BY_SEAT = FIGURES + 2


@kernel
def play_to_end(
    table: Row, f: Record, rows: Rows, scratch: Rows, tasks: Row, figures: Row, start: int, most: int, watch: int
) -> None:
    """Play the game of a table to its end, or for `most` moves, with the choices of its seats' bots.

    Choices use `luck`, their own random numbers (`rows[0]`; the others are room). The state's random numbers belong to
    the game, so that seed and moves replay it. Each turn has its own stream: choices in one turn don't affect the next.
    Fills in the figures of the game from `start` on; with `watch`, also the peak demand for each supply and the first
    broken law; with `FOLLOWED` the course of the points. A decision is all that a seat chooses until a turn or another
    seat is next.
    """
    luck, moves, taken, peak, points, _, course = rows
    s = table[0]
    for i in range(start, start + FIGURES):
        figures[i] = 0
    turn = deciding = seat = -1
    open_yet = 1
    course[0] = 0
    if watch == FOLLOWED:
        note(s, f, course, points)
    last = s.turn
    while s.over == 0 and figures[start + MOVES] < most:
        number = legal(s, f, moves)
        if number == 0:
            break
        figures[start + MOVES] += 1
        if s.turn != deciding or s.seat != seat:
            deciding, seat, open_yet = s.turn, s.seat, 1
        if number > 1:
            figures[start + CHOICES] += 1
            figures[start + DECISIONS] += open_yet
            open_yet = 0
            figures[start + WIDEST] = max(figures[start + WIDEST], number)
            if s.turn != turn:
                turn = s.turn
                begin_stream(luck, turn)
            move = choose(table, f, luck, moves, number, scratch, tasks)
        else:
            move = moves[0]
        figures[start + DIGEST] = extend_digest(figures[start + DIGEST], move)
        apply(s, f, move)
        if watch:
            demand(s, f, taken)
            for i in range(len(peak)):
                peak[i] = max(peak[i], taken[i])
            if figures[start + BROKEN] == 0:
                figures[start + BROKEN] = broken(s, f)
            if watch == FOLLOWED and (s.turn != last or s.over):
                last = s.turn
                note(s, f, course, points)
    figures[start + ENDED] = s.over


@kernel
def extend_digest(before: int, move: int) -> int:
    """Return a 32-bit hash of the moves so far (Fowler, Noll and Vo), to tell games with different moves apart."""
    return ((before ^ move) * 16777619 + 1) & 0xFFFFFFFF


LATER = 1 << 31
"""An offset for the number of a game whose chances continue another game; no game is dealt with such a number."""

LUCK = PURPOSES
"""The length of a row of random numbers for choices."""


@kernel
def seed_luck(luck: Row, run: int, game: int) -> None:
    """Seed the random numbers for choices in a game of a run; those of the game itself get other seeds."""
    seed_chance(luck, ~run, game)


@kernel
def play_series(
    table: Row, blank: Row, f: Record, rows: Rows, scratch: Rows, tasks: Row, results: Row, numbers: tuple[int, ...]
) -> None:
    """Play games of a run, each from the blank state, and put their figures into `results` (see `list_game_columns`).

    `numbers`: supplies, measures, run, first game, games, most moves, watch, dealt, drawn. Groups of `dealt` successive
    games share their deal, groups of `drawn` the random numbers after it. Choices are never shared.
    """
    supplies, measures, run, first, games, most, watch, dealt, drawn = numbers
    luck, _, _, peak, _, _, course = rows
    at = 0
    for game in range(first, first + games):
        put(table, 0, blank, 0)
        s = table[0]
        seed_chance(s.rng, run, game // dealt)
        seed_luck(luck, run, game)
        for i in range(len(peak)):
            peak[i] = 0
        set_up(s, f)
        if dealt != drawn:
            reseed_chance(s.rng, run, LATER + game // drawn)
        play_one(table, f, rows, scratch, tasks, results, at, most, watch)
        at = tell_game(s, f, rows, results, at, supplies, measures)
        if watch == FOLLOWED:
            fill_course_figures(course, s.players, results, at)
            at += COURSE_FIGURES


@kernel
def fill_end_figures(
    s: Record, f: Record, rows: Rows, results: Row, position: int, supplies: int, measures: int
) -> int:
    """Put a game's end into `results` at `position`, after the figures of `play_to_end`; return the index after it.

    It consists of turns, hole, each seat's points and places, peaks and shortages of `supplies`, and `measures`.
    """
    _, _, _, peak, seats, measured, _ = rows
    results[position + TURNS], results[position + HOLE] = s.turn, s.hole
    position += BY_SEAT
    for seat in range(len(seats)):
        seats[seat] = 0
    score(s, f, seats)
    for seat in range(len(seats)):
        results[position + seat] = seats[seat]
        seats[seat] = 0
    position += len(seats)
    place(s, f, seats)
    for seat in range(len(seats)):
        results[position + seat] = seats[seat]
    position += len(seats)
    for i in range(supplies):
        results[position + i] = peak[i]
        results[position + supplies + i] = s.short[i]
    position += 2 * supplies
    measure(s, f, measured)
    for i in range(measures):
        results[position + i] = measured[i]
    return position + measures


def list_game_columns(seats: int, supplies: Sequence[str], measures: Sequence[str]) -> tuple[str, ...]:
    """Return the names of the figures of each game from `play_series`, in their order; seats count from 1."""
    per_seat = [f"{what} {seat + 1}" for what in ("score", "place") for seat in range(seats)]
    per_supply = [f"{what} {supply}" for what in ("peak", "short") for supply in supplies]
    whole = ("moves", "choices", "widest", "ended", "broken", "digest", "decisions", "turns", "hole")
    return (*whole, *per_seat, *per_supply, *(f"measure {check}" for check in measures))
