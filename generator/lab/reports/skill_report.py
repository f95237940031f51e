"""The skill report: the ladder of bots, ratings, pairs and luck, as text and as pages."""

from collections.abc import Iterator
from hashlib import sha256
from math import isfinite

from generator.base.display_list import Drawing
from generator.base.errors import ProblemsFound, as_lines
from generator.base.languages import phrase
from generator.books.measure_names import Interval, bot_name, change_with_margin, value, written
from generator.books.page.blocks import Block, Book, Cover, Figure, Heading, Level, Paragraph, Table
from generator.books.page.page_style import Look
from generator.books.page.text_setter import Setter
from generator.drawing.faces.face_marks import HASH_SHOWN
from generator.drawing.faces.game_drawing import Workshop, accent
from generator.game.rich_text import Plain
from generator.lab.reports.chart_pen import Pen, shades_of
from generator.lab.reports.charts import (
    Axis,
    Dot,
    DotRow,
    HeatCell,
    HeatRow,
    StackRow,
    heat_map,
    interval_dots,
    stacked_shares,
)
from generator.lab.reports.report_findings import capital
from generator.lab.reports.result_report import KEY_SHOWN, PAGE
from generator.lab.result_text import aligned, gap_texts, value_text
from generator.lab.skill_lots import AGAIN, DealTable, Match, Played
from generator.lab.skill_result import Rung, SkillResult, luck, rated, rung, without_faults
from generator.lab.statistics.comparisons import RatingGap
from generator.lab.statistics.intervals import USUAL, quantile_of_normal


def skill_text(result: SkillResult) -> str:
    """Return a result as text."""
    return as_lines(_lines(result))


def _lines(result: SkillResult) -> Iterator[str]:
    about = result.about
    yield f"{about['game']}, draft {about['draft']}: run {result.asked.run}, intervals of 95 %"
    everything: list[tuple[Match | DealTable, Played]] = [*result.matches.items(), *result.tables.items()]
    for of, played in everything:
        if played.faults:
            yield f"{name_of(of)}: a law is broken in {played.faults:,} games; their figures are left out"
        if played.endless:
            yield f"{name_of(of)}: {played.endless:,} games had no end and were broken off"
    sound = without_faults(result)
    for players in sound.asked.players:
        parts = [*_ladder(sound, players), *_grid(sound, players), *_luck(sound, players)]
        if parts:
            yield ""
            yield f"{players} player{'s' * (players > 1)}"
            yield from parts
    yield ""
    yield "Bots are not people: with good players it may be otherwise."


def name_of(of: Match | DealTable) -> str:
    """Return the name of a match or a table."""
    if isinstance(of, Match):
        return f"{of.players} players, {of.one} against {of.others}"
    return f"{of.players} players, {of.bot}"


def _ladder(result: SkillResult, players: int) -> Iterator[str]:
    rungs = [rung(result, match) for match in result.ladder(players)]
    if not rungs:
        return
    if players > 1:
        fair = f"fair is {1 / players:.1%}".replace("%", " %")
        yield f" one seat against the others, each seed once from every seat ({fair}):"
    else:
        yield " how much more each wins than the one below it, with the same seeds:"
    yield from (f"  {line}" for line in aligned([_row(one) for one in rungs]))
    points = rated(result, players)
    if len(points) > 1:
        known = [both for both in zip(result.asked.bots, points, strict=True) if isfinite(both[1].error)]
        yield f"  ratings: {', '.join(f'{bot} {_points(one)}' for bot, one in known)}"


def _row(one: Rung) -> list[str]:
    named = [f"{one.match.one} against {one.match.others}", f"{one.seeds:,} seeds"]
    if one.gap is None:
        return [*named, *gap_texts(one.share, share=True)]
    return [*named, value_text(one.share, share=True), f"{one.gap.points:+.0f} Elo (se {one.gap.error:.0f})"]


def _points(one: RatingGap) -> str:
    return f"{one.points:+.0f} (se {one.error:.0f})" if one.error else "0"


def _grid(result: SkillResult, players: int) -> Iterator[str]:
    """Yield a line for each bot with its wins in one seat against each other bot."""
    bots = result.asked.bots
    if len(bots) < 3 or not result.grid(players):
        return
    yield " all pairs, share of wins of the bot of the line against that of the column, %:"
    rows = [["", *bots]]
    for one in bots:
        shares = [grid_share(result, players, one, other) for other in bots]
        rows.append([one, *("-" if share is None else f"{100 * share.at:.1f}" for share in shares)])
    yield from (f"  {line}" for line in aligned(rows))


def grid_share(result: SkillResult, players: int, one: str, other: str) -> Interval | None:
    """Return the share of one bot's wins against the other. For two seats or a player alone, it may be mirrored."""
    if (match := Match(players, one, other)) in result.matches:
        return rung(result, match).share
    if players < 3 and (match := Match(players, other, one)) in result.matches:
        share, all_ = rung(result, match).share, float(players - 1)
        return Interval(all_ - share.at, all_ - share.high, all_ - share.low)
    return None


def _luck(result: SkillResult, players: int) -> Iterator[str]:
    bots = result.lucky(players)
    if not bots:
        return
    yield f" share of luck: what settles who wins, each deal played {AGAIN} times:"
    rows = [["", "", "the deal", "chance later", "choices"]]
    for bot in bots:
        deals = min(played.number for of, played in result.tables.items() if (of.players, of.bot) == (players, bot))
        found = luck(result, players, bot)
        told = [value_text(one, share=True) for one in found] if any(one.at for one in found) else ["nothing differs"]
        rows.append([bot, f"{deals:,} deals", *told])
    yield from (f"  {line}" for line in aligned(_padded(rows)))


def _padded(rows: list[list[str]]) -> list[list[str]]:
    most = max(map(len, rows))
    return [row + [""] * (most - len(row)) for row in rows]


_CONFIDENCE = f"{100 * USUAL:g}"
_FAR, _MIDDLING = 0.5, 0.2
"""Minimum distance from a fair share for a dark and for a medium cell (1 is all or nothing)."""


def read_skill_report(result: SkillResult, workshop: Workshop, lang: str, *, stale: bool = False) -> Book:
    """Return the report of a result. `stale`: the data have changed since. Raise ProblemsFound."""
    return _SkillReporter(result, workshop, lang, stale).book()


class _SkillReporter:
    """Builder of one report."""

    def __init__(self, result: SkillResult, workshop: Workshop, lang: str, stale: bool):
        self._whole, self._result = result, without_faults(result)
        self._workshop, self._lang, self._stale = workshop, lang, stale
        paint = accent(workshop.game.palette)
        self._setter = Setter(workshop, Look(PAGE, lang, paint), f"report ({lang}): {{}}")
        self._pen = Pen(self._setter, shades_of(workshop, paint))
        self._explained: set[str] = set()

    def book(self) -> Book:
        game, lang, about = self._workshop.game, self._lang, self._result.about
        title = self._say("skill_title")
        facts = [phrase("draft_named", lang, draft=about["draft"]), *map(self._players, self._result.asked.players)]
        cover = Cover(game.title[lang], title, tuple(facts))
        blocks = (*self._first(), *(block for n in self._result.asked.players for block in self._of(n)))
        blocks += tuple(self._method())
        if self._setter.problems:
            raise ProblemsFound(self._setter.problems)
        seen = sha256(self._whole.text().encode()).hexdigest()[:HASH_SHOWN]
        imprint = (self._say("imprint", game=game.title[lang], draft=about["draft"], title=title, hash=seen),)
        return Book(game.id, lang, cover, blocks, imprint, game.date, "lab", folded=False)

    def _say(self, name: str, **values: object) -> str:
        return phrase(f"lab_{name}", self._lang, confidence=_CONFIDENCE, **values)

    def _once(self, name: str, **values: object) -> str:
        """Return the explanation of a kind of chart for its first use, or an empty string."""
        if name in self._explained:
            return ""
        self._explained.add(name)
        return self._say(name, **values)

    def _players(self, number: int) -> str:
        return phrase("players", self._lang, n=number) if number > 1 else self._say("alone")

    def _bot(self, bot: str) -> str:
        return bot_name(bot, self._lang)

    def _first(self) -> Iterator[Block]:
        yield Paragraph((Plain(self._say("skill_question")),), "lead")
        if self._stale:
            yield Paragraph((Plain(self._say("stale"), bold=True),))
        faulty = {of for of, played in self._whole.matches.items() if played.faults}
        faulty_tables = {of for of, played in self._whole.tables.items() if played.faults}
        if faulty or faulty_tables:
            yield Paragraph((Plain(self._say("skill_broken", n=len(faulty) + len(faulty_tables)), bold=True),))
        yield Paragraph((Plain(self._say("not_people")),), "note")

    def _of(self, players: int) -> Iterator[Block]:
        """Yield the findings for one number of players."""
        blocks = [*self._ladder(players), *self._grid(players), *self._luck(players)]
        if blocks:
            yield self._heading(1, self._players(players), f"players-{players}")
            yield from blocks

    def _ladder(self, players: int) -> Iterator[Block]:
        rungs = [rung(self._result, match) for match in reversed(self._result.ladder(players))]
        if not rungs:
            return
        rows, told = [], []
        for one in rungs:
            share = one.share.divided(0.01)
            sign = 0 if not one.share.clear_of(one.fair) else 1 if one.share.at > one.fair else -1
            words = self._say("skill_against", one=self._bot(one.match.one), others=self._bot(one.match.others))
            number = f"{value(share)} %" if players > 1 else change_with_margin(share)
            rows.append(DotRow("", words, [Dot(share, filled=bool(sign), sign=sign, told=number)]))
            told.append(f"{words} {number}")
        fair = 100 * rungs[0].fair
        line = self._say("fair", share=written(fair, 0 if fair == int(fair) else 1)) if players > 1 else ""
        name = (
            self._say("axis_wins") if players > 1 else self._say("axis_change", unit=self._say("unit_points_of_share"))
        )
        axis = Axis(name, fair, line, bars=True, signed=players == 1)
        alt = self._say("skill_ladder_alt", found=self._listed(told))
        key = self._once("skill_ladder_key" if players > 1 else "skill_alone_key")
        yield self._heading(2, self._say("skill_ladder"), f"ladder-{players}")
        yield self._figure(interval_dots(self._pen, rows, axis, alt), alt, key)
        yield from self._ratings(players)

    def _ratings(self, players: int) -> Iterator[Block]:
        """Yield a chart of the bots on one scale, the strongest at the top."""
        points = zip(self._result.asked.bots, rated(self._result, players), strict=False)  # of players alone none
        known = [(bot, gap) for bot, gap in points if isfinite(gap.error)]
        if len(known) < 2:
            return
        wide = quantile_of_normal(USUAL)
        rows, told = [], []
        for bot, gap in reversed(known):
            found = Interval(gap.points, gap.points - wide * gap.error, gap.points + wide * gap.error)
            number = change_with_margin(found) if gap.error else "0"
            rows.append(DotRow("", self._bot(bot), [Dot(found, filled=True, sign=1 if gap.error else 0, told=number)]))
            told.append(f"{self._bot(bot)} {number}")
        alt = self._say("skill_ratings_alt", found=self._listed(told))
        axis = Axis(self._say("skill_axis_points"), bars=True, signed=True)
        yield self._heading(2, self._say("skill_ratings"), f"ratings-{players}")
        yield self._figure(interval_dots(self._pen, rows, axis, alt), alt, self._once("skill_ratings_key"))

    def _grid(self, players: int) -> Iterator[Block]:
        bots = self._result.asked.bots
        if len(bots) < 3 or not self._result.grid(players):
            return
        fair = 1 / players if players > 1 else 0.0
        rows = []
        for one in bots:
            shares = [grid_share(self._result, players, one, other) for other in bots]
            rows.append(HeatRow("", self._bot(one), [self._cell(share, fair, players) for share in shares]))
        alt = self._say("skill_grid_alt")
        yield self._heading(2, self._say("skill_grid"), f"grid-{players}")
        drawing = heat_map(self._pen, [self._bot(bot) for bot in bots], rows, alt)
        yield self._figure(drawing, alt, self._once("skill_grid_key"))

    def _cell(self, share: Interval | None, fair: float, players: int) -> HeatCell:
        if share is None:
            return HeatCell("", dotted=True)
        text = written(100 * share.at, 0, signed=players == 1)
        if not share.clear_of(fair):
            return HeatCell(text)
        above = share.at > fair
        far = (share.at - fair) / (1 - fair) if above else (fair - share.at) / (fair or 1.0)
        return HeatCell(text, 1 if above else -1, 3 if far >= _FAR else 2 if far >= _MIDDLING else 1)

    def _luck(self, players: int) -> Iterator[Block]:
        rows, told = [], []
        for bot in self._result.lucky(players):
            found = luck(self._result, players, bot)
            if not any(one.at for one in found):
                told.append(self._say("skill_nothing", who=self._bot(bot)))
                continue
            numbers = [f"{value(one.divided(0.01))} %" for one in found]
            rows.append(StackRow("", self._bot(bot), [one.at for one in found], numbers))
            parts = dict(zip(("deal", "chance", "choices"), numbers, strict=True))
            told.append(self._say("skill_luck_told", who=self._bot(bot), **parts))
        if not told:
            return
        names = [self._say(f"skill_{part}") for part in ("deal", "chance", "choices")]
        yield self._heading(2, self._say("skill_luck"), f"luck-{players}")
        if rows:
            alt = " ".join(told)
            key = self._once("skill_luck_key", again=AGAIN)
            yield self._figure(stacked_shares(self._pen, names, rows, alt), alt, key)
        for line in told:
            yield Paragraph((Plain(line),), "note")

    def _method(self) -> Iterator[Block]:
        result = self._result
        yield self._heading(1, self._say("method"), "method")
        seeds = sorted({played.number for played in result.matches.values()}) or [0]
        deals = sorted({played.number for played in result.tables.values()}) or [0]
        ranges = ["–".join(f"{number:,}" for number in dict.fromkeys((ends[0], ends[-1]))) for ends in (seeds, deals)]
        lines = [
            self._say("skill_method_games", run=result.asked.run, seeds=ranges[0], deals=ranges[1], again=AGAIN),
            *(self._say(f"skill_method_{part}") for part in ("wins", "ratings", "luck")),
            self._say("method_not_people"),
        ]
        hashes = {name: result.about.get(name, "") for name in ("data", "rules", "program")}
        lines.append(self._say("method_hashes", key=result.key[:KEY_SHOWN], **hashes))
        parts = (line.partition("|") for line in lines)
        rows = tuple(((Plain(name, bold=True),), (Plain(text),)) for name, _, text in parts)
        yield Table(((), ()), rows, ("left", "left"))

    def _listed(self, words: list[str]) -> str:
        return phrase("and", self._lang).join(words)

    def _heading(self, level: Level, words: str, anchor: str) -> Heading:
        return Heading(level, (Plain(capital(words)),), anchor)

    def _figure(self, drawing: Drawing, alt: str, caption: str) -> Figure:
        return Figure(drawing, alt, (Plain(caption.strip()),) if caption else (), firm=True)
