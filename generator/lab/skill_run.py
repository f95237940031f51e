"""Runs of `pnp lab skill`: estimates the time, plays and stores; writes bots' ratings and luck as text and pages."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import isfinite
from pathlib import Path
from time import process_time

from generator.base.errors import Problem, ProblemsFound, join_lines
from generator.books.measure_names import (
    Interval,
    format_change_with_margin,
    format_number,
    format_with_margin,
    name_bot,
)
from generator.books.page.blocks import Block, Book
from generator.commands.plain_text import align_columns
from generator.drawing.faces.game_drawing import Workshop
from generator.lab.chunks import Cell, ChunkPlayer, Setup
from generator.lab.experiment import UNCHANGED, continue_result, estimate_seconds_left, play_to_file, read_result_text
from generator.lab.experiment_runs import Effort, LabGame, make_cells, make_setup, stamps_of
from generator.lab.measures import make_measures
from generator.lab.reports.charts import (
    Dot,
    DotAxis,
    DotRow,
    HeatCell,
    HeatRow,
    StackRow,
    draw_heat_map,
    draw_interval_dots,
    draw_stacked_shares,
)
from generator.lab.reports.report_book import (
    ReportPhrases,
    ReportWriter,
    make_figure,
    make_heading,
    make_paragraph,
    make_warning,
)
from generator.lab.result_text import NOT_PEOPLE, format_gap, format_interval
from generator.lab.skill_result import (
    GAMES_PER_DEAL,
    KIND,
    DealTable,
    LotResult,
    Match,
    SkillLot,
    SkillQuestion,
    SkillResult,
    SkillWork,
    begin_skill,
    drop_faulty,
    estimate_luck,
    make_rung,
    plan_lots,
    play_lots,
    rate_bots,
    read_skill,
)
from generator.lab.statistics import USUAL, quantile_of_normal
from generator.rules.registry import report_rule_errors

_MOVES = 8
"""Number of moves for which a bot is timed. The length of a whole game is known from random play."""

_GAMES = 3


def measure_game_seconds(player: ChunkPlayer, arm: str, cell: Cell) -> float:
    """Return a game's estimated CPU seconds: its moves in random games times the time of a move, without compiling."""
    table = player.find_table(arm, replace(cell, bots=("random",) * cell.players))
    told = table.game_figures(0, 0, _GAMES)
    width, at = len(table.columns), table.columns.index("moves")
    moves = sum(int(told[game * width + at]) for game in range(_GAMES)) / _GAMES
    table = player.find_table(arm, cell)
    table.game_figures(0, 0, 1, most=1)
    started = process_time()  # other programs' time is not ours
    played = table.game_figures(0, 0, 1, most=_MOVES)
    return (process_time() - started) / max(1, int(played[at])) * moves


@dataclass(frozen=True, slots=True)
class CostEstimate:
    """Estimated seconds in total, and seconds per game by number of players and bot."""

    seconds: float
    games: Mapping[int, Mapping[str, float]]


def run_skill(
    lab_game: LabGame,
    question: SkillQuestion,
    work: SkillWork,
    target: Path,
    effort: Effort,
    beforehand: Callable[[CostEstimate], None],
) -> tuple[SkillResult, bool]:
    """Play the missing games into the file. Return the result and True if it was stopped early.

    `beforehand` receives the cost estimate. Raise ProblemsFound before any game for invalid input and for a file that
    is not such a result.
    """
    cells = make_cells(lab_game, question.players, question.bots)
    setup = make_setup(lab_game, UNCHANGED, effort)
    with report_rule_errors(lab_game.game):
        if faults := setup.find_faults(cells):
            raise ProblemsFound(problem for _, problem in faults)
        box = lab_game.rules.box(lab_game.game, question.players[0], {})
        whole = make_measures(lab_game.rules, box)["win of seat 1"].whole
        fresh = begin_skill(
            {"game": lab_game.game.id, "draft": lab_game.game.draft, **stamps_of(lab_game)}, question, whole
        )
        result = continue_result(fresh, target, _read_own_file, anew=effort.anew)
        lots = plan_lots(result, work)
        costs = _estimate_costs(setup, lots, effort)
        if lots:
            beforehand(costs)

        def report_progress(done: int, whole: int, passed: float) -> None:
            left = costs.seconds if done == 1 else estimate_seconds_left(done, whole, passed, effort.seconds)
            effort.told(f"{lab_game.game.id}: {done:,} of {whole:,} lots of games, about {left:.0f} s left")

        steps = play_lots(setup, result, lots, effort.crew)
        stopped = play_to_file(target, result, steps, effort.seconds, report_progress)
        effort.told("")
    return result, stopped


def _estimate_costs(setup: Setup, lots: list[SkillLot], effort: Effort) -> CostEstimate:
    player, games, whole = setup.make_player(), dict[int, Mapping[str, float]](), 0.0
    bots: dict[int, dict[str, None]] = {}
    for lot in lots:
        seated = (lot.of.one, lot.of.others) if isinstance(lot.of, Match) else (lot.of.bot,)
        bots.setdefault(lot.of.players, {}).update(dict.fromkeys(seated))
    for players, names in bots.items():
        games[players] = {
            bot: measure_game_seconds(player, setup.arms[0].name, Cell(players, (bot,) * players)) for bot in names
        }
    for lot in lots:
        of, each = lot.of, games[lot.of.players]
        if isinstance(of, Match):
            whole += lot.number * (each[of.one] + (max(2, of.players) - 1) * each[of.others])
        else:
            whole += lot.number * GAMES_PER_DEAL * each[of.bot]
    return CostEstimate(whole / effort.crew.workers, games)


def read_skill_file(path: Path) -> SkillResult | None:
    """Return the result in a file, or None for another kind of file. Raise ProblemsFound if it can't be read."""
    text = read_result_text(path)
    try:
        kind = json.loads(text)["kind"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return read_skill(text, str(path)) if kind == KIND else None


def _read_own_file(path: Path) -> SkillResult:
    """Return the result of an earlier `pnp lab skill`. Raise ProblemsFound for any other file."""
    known = read_skill_file(path)
    if known is None:
        what, hint = f"{path} is not a result of `pnp lab skill`", "move it, or choose another folder with --out"
        raise ProblemsFound([Problem(None, what, hint)])
    return known


def format_skill(result: SkillResult) -> str:
    """Return a skill result as text."""
    return join_lines(_iter_skill_lines(result))


def _iter_skill_lines(result: SkillResult) -> Iterator[str]:
    about = result.about
    yield f"{about['game']}, draft {about['draft']}: run {result.question.run}, intervals of 95 %"
    everything: list[tuple[Match | DealTable, LotResult]] = [*result.matches.items(), *result.tables.items()]
    for of, played in everything:
        if played.faults:
            yield f"{describe_series(of)}: a law is broken in {played.faults:,} games; their figures are left out"
        if played.endless:
            yield f"{describe_series(of)}: {played.endless:,} games did not end and were stopped"
    sound = drop_faulty(result)
    for players in sound.question.players:
        parts = [*_ladder_lines(sound, players), *_grid_lines(sound, players), *_luck_lines(sound, players)]
        if parts:
            yield ""
            yield f"{players} player{'s' * (players > 1)}"
            yield from parts
    yield ""
    yield NOT_PEOPLE


def describe_series(of: Match | DealTable) -> str:
    """Return the name of a match or a table."""
    if isinstance(of, Match):
        return f"{of.players} players, {of.one} against {of.others}"
    return f"{of.players} players, {of.bot}"


def _ladder_lines(result: SkillResult, players: int) -> Iterator[str]:
    rungs = [make_rung(result, match) for match in result.played_ladder(players)]
    if not rungs:
        return
    if players > 1:
        fair = f"fair is {1 / players:.1%}".replace("%", " %")
        yield f" one seat against the others, each seed once from every seat ({fair}):"
    else:
        yield " additional wins of each bot over the next weaker one, on the same seeds:"
    rows = []
    for one in rungs:
        row = [f"{one.match.one} against {one.match.others}", f"{one.seeds:,} seeds"]
        if one.gap is None:
            row += format_gap(one.share, share=True)
        else:
            row += [format_interval(one.share, share=True), f"{one.gap.points:+.0f} Elo (se {one.gap.error:.0f})"]
        rows.append(row)
    yield from align_columns(rows, "  ")
    points = rate_bots(result, players)
    if len(points) > 1:
        known = [both for both in zip(result.question.bots, points, strict=True) if isfinite(both[1].error)]
        told = (f"{bot} {one.points:+.0f} (se {one.error:.0f})" if one.error else f"{bot} 0" for bot, one in known)
        yield f"  ratings: {', '.join(told)}"


def _grid_lines(result: SkillResult, players: int) -> Iterator[str]:
    bots = result.question.bots
    if len(bots) < 3 or not result.played_pairs(players):
        return
    yield " all pairs, wins of the row's bot against the column's bot, %:"
    rows = [["", *bots]]
    for one in bots:
        shares = [find_pair_share(result, players, one, other) for other in bots]
        rows.append([one, *("-" if share is None else f"{100 * share.at:.1f}" for share in shares)])
    yield from align_columns(rows, "  ")


def find_pair_share(result: SkillResult, players: int, bot: str, opponent: str) -> Interval | None:
    """Return one bot's share of wins against another, with up to two players also from the reverse match; or None."""
    if (match := Match(players, bot, opponent)) in result.played:
        return make_rung(result, match).share
    if players < 3 and (match := Match(players, opponent, bot)) in result.played:
        share, all_ = make_rung(result, match).share, float(players - 1)
        return Interval(all_ - share.at, all_ - share.high, all_ - share.low)
    return None


def _luck_lines(result: SkillResult, players: int) -> Iterator[str]:
    bots = result.bots_with_deals(players)
    if not bots:
        return
    yield f" share of luck in who wins, each deal played {GAMES_PER_DEAL} times:"
    rows = [["", "", "the deal", "chance later", "choices"]]
    for bot in bots:
        deals = min(played.number for of, played in result.tables.items() if (of.players, of.bot) == (players, bot))
        found = estimate_luck(result, players, bot)
        told = (
            [format_interval(one, share=True) for one in found] if any(one.at for one in found) else ["nothing differs"]
        )
        rows.append([bot, f"{deals:,} deals", *told])
    most = max(map(len, rows))
    yield from align_columns([row + [""] * (most - len(row)) for row in rows], "  ")


_FAR, _MIDDLING = 0.5, 0.2
"""A cell is dark or medium if the share of wins differs by at least this from the fair share."""


class SkillReport(ReportWriter):
    """The report of a skill result. `stale`: the game's data have changed since."""

    def __init__(self, result: SkillResult, workshop: Workshop, lang: str, *, stale: bool = False):
        super().__init__(result, workshop, ReportPhrases(lang, USUAL), stale)
        self._played, self._result = result, drop_faulty(result)

    def make_book(self) -> Book:
        """Return the report. Raise ProblemsFound with the problems of its texts."""
        said, players = self._said, self._result.question.players
        blocks: list[Block] = [*self._iter_opening(said.get_phrase("skill_question"))]
        faulty = sum(bool(one.faults) for one in self._played.played.values())
        if faulty:
            blocks.append(make_warning(said.get_phrase("skill_broken", n=faulty)))
        blocks.append(make_paragraph(said.get_phrase("not_people"), "note"))
        for number in players:
            found = [*self._iter_ladder(number), *self._iter_grid(number), *self._iter_luck(number)]
            if found:
                blocks += [make_heading(1, said.describe_players(number), f"players-{number}"), *found]
        blocks += self._iter_method(self._method_lines())
        return self._finish_book(said.get_phrase("skill_title"), map(said.describe_players, players), tuple(blocks))

    def _bot_name(self, bot: str) -> str:
        return name_bot(bot, self._said.lang)

    def _iter_ladder(self, players: int) -> Iterator[Block]:
        rungs = [make_rung(self._result, match) for match in reversed(self._result.played_ladder(players))]
        if not rungs:
            return
        rows, told = [], []
        for one in rungs:
            share = one.share.divide_by(0.01)
            sign = 0 if not one.share.excludes_value(one.fair) else 1 if one.share.at > one.fair else -1
            words = self._phrase(
                "skill_against", one=self._bot_name(one.match.one), others=self._bot_name(one.match.others)
            )
            number = f"{format_with_margin(share)} %" if players > 1 else format_change_with_margin(share)
            rows.append(DotRow("", words, [Dot(share, filled=bool(sign), sign=sign, told=number)]))
            told.append(f"{words} {number}")
        fair = 100 * rungs[0].fair
        said = self._said.get_phrase
        if players > 1:
            line = said("fair", share=format_number(fair, 0 if fair == int(fair) else 1))
            name = said("axis_wins")
        else:
            line, name = "", said("axis_change", unit=said("unit_points_of_share"))
        axis = DotAxis(name, fair, line, bars=True, signed=players == 1)
        alt = self._phrase("skill_ladder_alt", found=self._join(told))
        key = self._said.explain_once("skill_ladder_key" if players > 1 else "skill_alone_key")
        yield make_heading(2, self._phrase("skill_ladder"), f"ladder-{players}")
        yield make_figure(draw_interval_dots(self._pen, rows, axis, alt), key)
        yield from self._iter_ratings(players)

    def _iter_ratings(self, players: int) -> Iterator[Block]:
        points = zip(
            self._result.question.bots, rate_bots(self._result, players), strict=False
        )  # of players alone none
        known = [(bot, gap) for bot, gap in points if isfinite(gap.error)]
        if len(known) < 2:
            return
        wide = quantile_of_normal(USUAL)
        rows, told = [], []
        for bot, gap in reversed(known):
            found = Interval(gap.points, gap.points - wide * gap.error, gap.points + wide * gap.error)
            number = format_change_with_margin(found) if gap.error else "0"
            rows.append(
                DotRow("", self._bot_name(bot), [Dot(found, filled=True, sign=1 if gap.error else 0, told=number)])
            )
            told.append(f"{self._bot_name(bot)} {number}")
        alt = self._phrase("skill_ratings_alt", found=self._join(told))
        axis = DotAxis(self._phrase("skill_axis_points"), bars=True, signed=True)
        yield make_heading(2, self._phrase("skill_ratings"), f"ratings-{players}")
        yield make_figure(draw_interval_dots(self._pen, rows, axis, alt), self._said.explain_once("skill_ratings_key"))

    def _iter_grid(self, players: int) -> Iterator[Block]:
        bots = self._result.question.bots
        if len(bots) < 3 or not self._result.played_pairs(players):
            return
        fair = 1 / players if players > 1 else 0.0
        rows = []
        for one in bots:
            shares = [find_pair_share(self._result, players, one, other) for other in bots]
            rows.append(HeatRow("", self._bot_name(one), [self._share_cell(share, fair, players) for share in shares]))
        alt = self._phrase("skill_grid_alt")
        yield make_heading(2, self._phrase("skill_grid"), f"grid-{players}")
        drawing = draw_heat_map(self._pen, [self._bot_name(bot) for bot in bots], rows, alt)
        yield make_figure(drawing, self._said.explain_once("skill_grid_key"))

    def _share_cell(self, share: Interval | None, fair: float, players: int) -> HeatCell:
        if share is None:
            return HeatCell("", dotted=True)
        text = format_number(100 * share.at, 0, signed=players == 1)
        if not share.excludes_value(fair):
            return HeatCell(text)
        above = share.at > fair
        far = (share.at - fair) / (1 - fair) if above else (fair - share.at) / (fair or 1.0)
        return HeatCell(text, 1 if above else -1, 3 if far >= _FAR else 2 if far >= _MIDDLING else 1)

    def _iter_luck(self, players: int) -> Iterator[Block]:
        rows, told = [], []
        for bot in self._result.bots_with_deals(players):
            found = estimate_luck(self._result, players, bot)
            if not any(one.at for one in found):
                told.append(self._phrase("skill_nothing", who=self._bot_name(bot)))
                continue
            numbers = [f"{format_with_margin(one.divide_by(0.01))} %" for one in found]
            rows.append(StackRow("", self._bot_name(bot), [one.at for one in found], numbers))
            parts = dict(zip(("deal", "chance", "choices"), numbers, strict=True))
            told.append(self._phrase("skill_luck_told", who=self._bot_name(bot), **parts))
        if not told:
            return
        names = [self._phrase(f"skill_{part}") for part in ("deal", "chance", "choices")]
        yield make_heading(2, self._phrase("skill_luck"), f"luck-{players}")
        if rows:
            alt = " ".join(told)
            key = self._said.explain_once("skill_luck_key", again=GAMES_PER_DEAL)
            yield make_figure(draw_stacked_shares(self._pen, names, rows, alt), key)
        for line in told:
            yield make_paragraph(line, "note")

    def _method_lines(self) -> Iterator[str]:
        result, said = self._result, self._said
        seeds = sorted({played.number for played in result.matches.values()}) or [0]
        deals = sorted({played.number for played in result.tables.values()}) or [0]
        ranges = ["–".join(f"{number:,}" for number in dict.fromkeys((ends[0], ends[-1]))) for ends in (seeds, deals)]
        yield said.get_phrase(
            "skill_method_games", run=result.question.run, seeds=ranges[0], deals=ranges[1], again=GAMES_PER_DEAL
        )
        for name in ("skill_method_wins", "skill_method_ratings", "skill_method_luck", "method_not_people"):
            yield said.get_phrase(name)
