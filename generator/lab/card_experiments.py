"""Card experiments: plan experiments that track all cards or forbid one; write their results as text and pages."""

from collections.abc import Iterable, Iterator
from math import isfinite

from generator.base.errors import (
    Problem,
    ProblemsFound,
    did_you_mean,
    join_first_words,
    join_lines,
    join_words,
    raise_problems,
)
from generator.books.measure_names import format_change_with_margin, name_bots
from generator.books.page.blocks import Block, Book, Figure, Table, Text
from generator.commands.plain_text import align_columns
from generator.drawing.faces.game_drawing import Workshop
from generator.game.rich_text import Plain
from generator.lab.arms import Arm, Restriction
from generator.lab.card_records import CardPlan, CardWishes, find_card_places, list_card_designs
from generator.lab.chunks import Cell
from generator.lab.experiment import UNCHANGED
from generator.lab.experiment_runs import LabGame
from generator.lab.findings import (
    CardFinding,
    CardTables,
    Preference,
    card_findings,
    find_broken_laws,
    find_dominated,
    is_card_result,
    sort_by_worth,
)
from generator.lab.reports.charts import Dot, DotAxis, DotRow, draw_interval_dots
from generator.lab.reports.report_book import (
    ReportPhrases,
    ReportWriter,
    make_figure,
    make_heading,
    make_named_rows,
    make_paragraph,
    make_warning,
)
from generator.lab.reports.report_figures import format_percent
from generator.lab.reports.report_findings import ReportNames
from generator.lab.result_text import (
    compare_results,
    format_gap,
    format_interval,
    format_restriction_result,
    format_table,
    frame_lines,
    is_restriction_result,
)
from generator.lab.results import Result
from generator.lab.sweep_text import format_sweep
from generator.rules.engine.contract import Rules
from generator.rules.engine.table import piece_name, zone_name
from generator.rules.registry import report_rule_errors


def _format_card_result(result: Result) -> str:
    tables = card_findings(result)
    found = sum(len(one.found) for one in tables)
    notes = (
        f"*: significant among {found:,} designs (Holm).",
        "Cards are drawn by chance, so 'wins if drawn' shows their worth. Playing and choosing a card is no chance:",
        "those figures may only show that winners do it.",
    )
    return join_lines(frame_lines(result, _result_lines(result, tables), *notes))


def _result_lines(result: Result, tables: tuple[CardTables, ...]) -> Iterator[str]:
    cards = result.about["experiment"]["cards"]
    if cards["held"]:
        played = f"played: from hand to {', '.join(cards['played'])}" if cards["played"] else "played: nowhere"
        yield f"in hand: {', '.join(cards['held'])}; {played}"
    for name, where in (("before a seat", "before"), ("by chance", "draws")):
        if cards[where]:
            yield f"{name}: {', '.join(cards[where])}"
    under: dict[str, list[str]] = {}
    for pair in cards["dominated"]:
        design, _, other = pair.partition(" < ")
        under.setdefault(design, []).append(_design_name(other))
    for design, others in under.items():
        yield f"by the data, {design} is never better and sometimes worse than {', '.join(others)}"
    for one in tables:
        yield ""
        yield from _table_lines(one)


def _table_lines(tables: CardTables) -> Iterator[str]:
    numbers = [cell.players for cell in tables.cells]
    each = {name for cell in tables.cells for name in cell.bots}
    if len(numbers) == 1:
        head = format_table(tables.cells[0])
    else:
        head = f"{join_words(map(str, numbers))} players, {' '.join(sorted(each))}"
    yield f"{head}: {tables.games:,} games"
    for kind in tables.never:
        yield f"  {kind}: no seat ever has one"
    for kind in dict.fromkeys(one.kind for one in tables.found):
        designs = [one for one in tables.found if one.kind == kind]
        yield f"  {kind}: {len(designs)} designs"
        rows = [_HEADS, *map(_finding_row, sort_by_worth(designs))]
        told = [any(row[at] for row in rows[1:]) for at in range(len(rows[0]))]
        rows = [[part for part, some in zip(row, told, strict=True) if some] for row in rows]
        yield from align_columns(rows, "    ")
    for one in tables.preferences:
        yield from _preference_lines(one)


def _preference_lines(preference: Preference) -> Iterator[str]:
    times = sum(preference.taken.values())
    over = f"({times:,} choices): probability over an average one"
    yield f"  chosen by '{preference.phrase}' among {preference.kind} {over}"
    ordered = sorted(preference.strengths.items(), key=lambda found: (-found[1].at, found[0]))
    rows = []
    for design, found in ordered:
        others = [*map(_design_name, preference.under.get(design, ()))]
        outdone = f"never chosen over {join_first_words(others, _MOST_NAMED)}" if others else ""
        rows.append([_design_name(design), format_interval(found, share=True), outdone])
    yield from align_columns(rows, "    ")


def _design_name(design: str) -> str:
    return design.partition("/")[2]


_MOST_NAMED = 5

_HEADS = ["", "had", "drawn", "played", "kept", "unseen"]
_HEADS += ["wins if drawn", "", "", "wins if played", "", "wins if had", ""]


def _finding_row(finding: CardFinding) -> list[str]:
    used = bool(finding.went or finding.kept)
    shares = [(finding.had, finding.had != finding.drawn), (finding.drawn, bool(finding.drawn))]
    shares += [(finding.played, used), (finding.kept, used), (finding.unseen, True)]
    drawing, playing, having = (
        format_gap(gap, share=True) if isfinite(gap.half) else ["", ""]
        for gap in (finding.by_drawing, finding.with_playing, finding.with_having)
    )
    told = [f"{100 * share:.0f} %" if shown else "" for share, shown in shares]
    return [_design_name(finding.design), *told, *drawing, "*" if finding.stands else "", *playing, *having]


def plan_cards(lab_game: LabGame, cells: tuple[Cell, ...], wishes: CardWishes) -> CardPlan:
    """Find the zones that hold cards by playing a few games, and designs that others dominate. Return the plan.

    Raise ProblemsFound for a game without cards or without hands, and for unknown zones and fields.
    """
    numbers = {cell.players for cell in cells}
    if numbers != {1}:
        numbers = (numbers | {lab_game.game.players.fewest, lab_game.game.players.most}) - {1}
    with report_rule_errors(lab_game.game):
        boxes = [lab_game.rules.box(lab_game.game, number, {}) for number in sorted(numbers)]
    if not any(box.cards for box in boxes):
        hint = "list the copies that players can distinguish as `cards` in `box` of its rules: docs/rules.md"
        raise ProblemsFound([Problem(None, f"the rules of {lab_game.game.id} use no cards", hint)])
    where = find_card_places(lab_game.rules, boxes)
    if not where.held and not where.before:
        what = f"no seat of {lab_game.game.id} ever has a card: its cards are in {', '.join(where.kinds)}"
        hint = "a seat's own zones are named `hand`, have its number, or are visible to it alone"
        raise ProblemsFound([Problem(None, what, hint)])
    kinds = dict.fromkeys(copy.split("/")[0] for box in boxes for copy in box.cards)
    numbers_of = {
        name: None
        for kind in kinds
        for design in lab_game.game.kinds[kind].designs
        for name, value in design.fields.items()
        if isinstance(value, int | float) and not isinstance(value, bool)
    }
    problems = [
        Problem(None, f"{lab_game.game.id} has no cards in the zone '{zone}'", did_you_mean(zone, where.kinds))
        for zone in wishes.played
        if zone not in where.kinds
    ]
    problems += [
        Problem(None, f"no cards of {lab_game.game.id} have a number '{name}'", did_you_mean(name, numbers_of))
        for name in (*wishes.better, *wishes.worse)
        if name not in numbers_of
    ]
    raise_problems(problems)
    dominated = find_dominated(lab_game.game, kinds, wishes.better, wishes.worse)
    return CardPlan(where, wishes.played or where.out, tuple(dominated))


def make_restricted_arms(
    lab_game: LabGame, card_names: tuple[str, ...], may: tuple[str, ...], players: int
) -> tuple[Arm, ...]:
    """Return the unchanged game and an arm without each named card or kind; `each` means every single design.

    Moves with the phrases `may` are allowed anyway. Raise ProblemsFound for unknown cards and phrases.
    """
    with report_rule_errors(lab_game.game):
        designs = list_card_designs(lab_game.rules.box(lab_game.game, players, {}))
    kinds = dict.fromkeys(design.split("/")[0] for design in designs)
    brief = {design.split("/")[1]: design for design in reversed(designs)}
    problems = [
        Problem(None, f"{lab_game.game.id} has no move '{phrase}'", did_you_mean(phrase, lab_game.game.moves))
        for phrase in may
        if phrase not in lab_game.game.moves
    ]
    cards: list[str] = []
    for name in card_names:
        if name == "each":
            cards += designs
        elif name in designs or name in kinds:
            cards.append(name)
        elif name in brief:
            cards.append(brief[name])
        else:
            known = (*designs, *kinds, *brief)
            problems.append(Problem(None, f"{lab_game.game.id} has no card '{name}'", did_you_mean(name, known)))
    raise_problems(problems)
    return (*UNCHANGED, *(Arm(f"without {one}", without=Restriction(one, may)) for one in dict.fromkeys(cards)))


def format_any_result(result: Result) -> str:
    """Return a result of any kind as text."""
    if is_card_result(result):
        return _format_card_result(result)
    narrowed = is_restriction_result(result) or is_restriction_result(result, "strategy")
    return format_restriction_result(result) if narrowed else format_sweep(result)


def format_comparison(first: Result, second: Result) -> str:
    """Return the differences between two results as text.

    Raise ProblemsFound for results with tracked cards, or of two different games.
    """
    if is_card_result(first) or is_card_result(second):
        what = "results of `pnp lab cards` can't be compared with others"
        raise ProblemsFound([Problem(None, what, "show one result at a time")])
    games = [str(one.about["game"]) for one in (first, second)]
    if games[0] != games[1]:  # their measures have the same names and other meanings
        what = f"the results are from two different games, {games[0]} and {games[1]}"
        raise ProblemsFound([Problem(None, what, "name two results of the same game")])
    return compare_results(first, second)


class CardReport(ReportWriter):
    """The report on tracked cards. `stale`: the data have changed since."""

    def __init__(self, result: Result, workshop: Workshop, lang: str, rules: Rules | None, *, stale: bool = False):
        super().__init__(result, workshop, ReportPhrases(lang, result.asked.confidence), stale)
        self._result, self._tables = result, card_findings(result)
        self._names = ReportNames(workshop, rules, result, lang)

    def make_book(self) -> Book:
        """Return the report. Raise ProblemsFound."""
        facts = map(self._describe_tables, self._tables)
        blocks = (
            *self._iter_summary(),
            *self._iter_kinds(),
            *self._iter_outdone(),
            *self._iter_method(self._method_lines()),
        )
        return self._finish_book(self._phrase("title_cards"), facts, blocks, self._names.problems)

    def _describe_tables(self, tables: CardTables) -> str:
        numbers = self._join(dict.fromkeys(str(cell.players) for cell in tables.cells))
        bots = name_bots(tuple(bot for cell in tables.cells for bot in cell.bots), self._said.lang)
        table = self._phrase("at_table", players=self._said.describe_players(numbers), bots=bots)
        return self._phrase("cards_table", table=table, n=f"{tables.games:,}")

    def _iter_summary(self) -> Iterator[Block]:
        yield from self._iter_opening(self._phrase("question_cards"))
        for cell, _, broken in find_broken_laws(self._result):
            said = self._phrase("cards_broken", n=str(cell.players), games=f"{broken:,}")
            yield make_warning(said)
        rows: list[tuple[str, str]] = []
        for table in self._tables:
            for name, sign in (("cards_help", 1), ("cards_harm", -1)):
                standing = [one for one in table.found if one.stands and one.by_drawing.at * sign > 0]
                standing.sort(key=lambda one: -abs(one.by_drawing.at))
                if standing:
                    told = [
                        f"{self._design_name(one.design)} {format_change_with_margin(one.by_drawing.divide_by(0.01))}"
                        for one in standing
                    ]
                    where = f" ({self._describe_tables(table)})" if len(self._tables) > 1 else ""
                    rows.append((f"{self._phrase(name)}{where}", self._join(told)))
        if not rows:
            rows.append((self._phrase("cards_help"), self._phrase("nothing_sure")))
        rows.append((self._phrase("head_not_people"), self._phrase("not_people")))
        yield make_named_rows(rows)

    def _iter_kinds(self) -> Iterator[Block]:
        for at, table in enumerate(self._tables):
            if len(self._tables) > 1:
                yield make_heading(1, self._describe_tables(table), f"cards-{at}")
            if table.never:
                kinds = self._join(self._game.kinds[kind].name[self._said.lang] for kind in table.never)
                yield make_paragraph(self._phrase("cards_never", kinds=kinds), "note")
            for kind in dict.fromkeys(one.kind for one in table.found):
                designs = sort_by_worth(one for one in table.found if one.kind == kind)
                yield make_heading(2, self._game.kinds[kind].name[self._said.lang], f"cards-{at}-{kind}")
                if any(isfinite(one.worth.half) for one in designs):
                    yield self._make_dots(designs)
                yield self._make_share_table(designs)
                if at == 0 and kind == table.found[0].kind:
                    yield make_paragraph(self._phrase("cards_table_key"), "note")

    def _make_dots(self, designs: list[CardFinding]) -> Figure:
        fair = any(isfinite(one.by_drawing.half) for one in designs)
        rows, told = [], []
        for one in designs:
            worth = one.worth.divide_by(0.01)
            if isfinite(worth.half):
                sign = (1 if worth.at > 0 else -1) if worth.excludes_value(0) else 0
                dot = Dot(worth, one.stands, sign, told=format_change_with_margin(worth))
                rows.append(DotRow("", self._design_name(one.design), [dot]))
                told.append(f"{self._design_name(one.design)} {dot.told}")
        name = self._phrase("axis_drawn" if fair else "axis_had")
        axis = DotAxis(name, line_name=self._phrase("cards_line"), bars=True, signed=True)
        alt = self._phrase("cards_alt", found=self._join(told))
        key = self._phrase("cards_key" if fair else "cards_had_key")
        return make_figure(draw_interval_dots(self._pen, rows, axis, alt), key)

    def _make_share_table(self, designs: list[CardFinding]) -> Table:
        """Return a table of how often each design is held, played and kept, and of the wins with playing it."""
        names = ("card", "had", "drawn", "played", "kept", "unseen", "with_playing")
        head: tuple[Text, ...] = tuple((Plain(self._phrase(f"head_{name}")),) for name in names)
        rows = []
        for one in designs:
            shares = [format_percent(share) for share in (one.had, one.drawn)]
            shares += [format_percent(one.played), format_percent(one.kept)] if one.went or one.kept else ["", ""]
            playing = one.with_playing.divide_by(0.01)
            told = format_change_with_margin(playing) if isfinite(playing.half) else ""
            cells = (self._design_name(one.design), *shares, format_percent(one.unseen), told)
            rows.append(tuple((Plain(cell),) if cell else () for cell in cells))
        return Table(head, tuple(rows), ("left", *("right",) * 6))

    def _iter_outdone(self) -> Iterator[Block]:
        """Yield blocks about designs that another one beats in all fields, or that players always prefer another to."""
        by_data: dict[str, list[str]] = {}
        for pair in self._result.about["experiment"]["cards"]["dominated"]:
            design, _, other = pair.partition(" < ")
            by_data.setdefault(design, []).append(other)
        wanted = [one for table in self._tables for one in table.preferences if one.under]
        if not by_data and not wanted:
            return
        yield make_heading(1, self._phrase("cards_outdone"), "outdone")
        if by_data:
            yield make_paragraph(self._phrase("cards_by_data"))
            yield self._make_outdone_table("cards_better", by_data.items())
        for one in wanted:
            kind = self._game.kinds[one.kind].name[self._said.lang]
            times = f"{sum(one.taken.values()):,}"
            yield make_paragraph(self._phrase("cards_taken", kind=kind, move=one.phrase, n=times))
            yield self._make_outdone_table("cards_taken_over", one.under.items())

    def _make_outdone_table(self, head: str, rows: Iterable[tuple[str, Iterable[str]]]) -> Table:
        names = ((Plain(self._phrase("head_card")),), (Plain(self._phrase(f"head_{head}")),))
        told = ((self._design_name(one), self._join(map(self._design_name, others))) for one, others in rows)
        return Table(names, tuple(((Plain(one),), (Plain(others),)) for one, others in told), ("left", "left"))

    def _design_name(self, design: str) -> str:
        return piece_name(self._game, design, self._said.lang)

    def _method_lines(self) -> Iterator[str]:
        where = self._result.about["experiment"]["cards"]
        zones = {
            name: self._join(
                zone_name(self._game, kind.replace("-", " "), self._said.lang).strip() for kind in where[name]
            )
            or "–"
            for name in ("held", "played")
        }
        yield self._phrase("method_cards_zones", **zones)
        for name in ("cards_drawn", "cards_played", "cards_intervals", "cards_holm", "ties", "not_people"):
            yield self._phrase(f"method_{name}")
