"""The card report: how much each card helps to win, and how often it is held and played."""

from collections.abc import Iterable, Iterator
from math import isfinite

from generator.books.measure_names import Interval, format_change_with_margin
from generator.books.page.blocks import Block, Book, Figure, Table, Text
from generator.drawing.faces.game_drawing import Workshop
from generator.game.rich_text import Plain
from generator.lab.card_findings import CardFinding, CardTables, card_findings, sort_by_worth
from generator.lab.findings import find_broken_laws
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
from generator.lab.results import Result
from generator.rules.engine.contract import Rules
from generator.rules.engine.table import piece_name, zone_name


def make_card_report(
    result: Result, workshop: Workshop, lang: str, rules: Rules | None, *, stale: bool = False
) -> Book:
    """Return the report on tracked cards. `stale`: the data have changed since. Raise ProblemsFound."""
    return _CardReport(result, workshop, lang, rules, stale).make_book()


class _CardReport(ReportWriter):
    def __init__(self, result: Result, workshop: Workshop, lang: str, rules: Rules | None, stale: bool):
        super().__init__(result, workshop, ReportPhrases(lang, result.asked.confidence), stale)
        self._result, self._tables = result, card_findings(result)
        self._names = ReportNames(workshop, rules, result, lang)

    def make_book(self) -> Book:
        facts = map(self._describe_tables, self._tables)
        blocks = (
            *self._iter_summary(),
            *self._iter_kinds(),
            *self._iter_outdone(),
            *self._iter_method(self._method_lines()),
        )
        return self._finish_book(self._said.get_phrase("title_cards"), facts, blocks, self._names.problems)

    def _describe_tables(self, tables: CardTables) -> str:
        numbers = self._said.join_words(dict.fromkeys(str(cell.players) for cell in tables.cells))
        bots = self._names.player_names(tuple(bot for cell in tables.cells for bot in cell.bots))
        table = self._said.get_phrase("at_table", players=self._said.describe_players(numbers), bots=bots)
        return self._said.get_phrase("cards_table", table=table, n=f"{tables.games:,}")

    def _iter_summary(self) -> Iterator[Block]:
        """Yield the question, the significant results, and what was left out."""
        yield from self._iter_opening(self._said.get_phrase("question_cards"))
        for cell, _, broken in find_broken_laws(self._result):
            said = self._said.get_phrase("cards_broken", n=str(cell.players), games=f"{broken:,}")
            yield make_warning(said)
        rows: list[tuple[str, str]] = []
        for table in self._tables:
            for name, sign in (("cards_help", 1), ("cards_harm", -1)):
                standing = [one for one in table.found if one.stands and one.by_drawing.at * sign > 0]
                standing.sort(key=lambda one: -abs(one.by_drawing.at))
                if standing:
                    told = [
                        f"{self._design_name(one.design)} {format_change_with_margin(_to_percent(one.by_drawing))}"
                        for one in standing
                    ]
                    head = (
                        self._said.get_phrase(name)
                        if len(self._tables) == 1
                        else f"{self._said.get_phrase(name)} ({self._describe_tables(table)})"
                    )
                    rows.append((head, self._said.join_words(told)))
        if not rows:
            rows.append((self._said.get_phrase("cards_help"), self._said.get_phrase("nothing_sure")))
        rows.append((self._said.get_phrase("head_not_people"), self._said.get_phrase("not_people")))
        yield make_named_rows(rows)

    def _iter_kinds(self) -> Iterator[Block]:
        """Yield a chart and a table for each kind of card at the tables of each kind of bots."""
        for at, table in enumerate(self._tables):
            if len(self._tables) > 1:
                yield make_heading(1, self._describe_tables(table), f"cards-{at}")
            if table.never:
                kinds = self._said.join_words(self._game.kinds[kind].name[self._said.lang] for kind in table.never)
                yield make_paragraph(self._said.get_phrase("cards_never", kinds=kinds), "note")
            for kind in dict.fromkeys(one.kind for one in table.found):
                designs = sort_by_worth(one for one in table.found if one.kind == kind)
                yield make_heading(2, self._game.kinds[kind].name[self._said.lang], f"cards-{at}-{kind}")
                if any(isfinite(one.worth.half) for one in designs):
                    yield self._make_dots(designs)
                yield self._make_share_table(designs)
                if at == 0 and kind == table.found[0].kind:
                    yield make_paragraph(self._said.get_phrase("cards_table_key"), "note")

    def _make_dots(self, designs: list[CardFinding]) -> Figure:
        """Return a chart of the worth of each design, the best first."""
        fair = any(isfinite(one.by_drawing.half) for one in designs)
        rows, told = [], []
        for one in designs:
            worth = _to_percent(one.worth)
            if isfinite(worth.half):
                sign = (1 if worth.at > 0 else -1) if worth.excludes_value(0) else 0
                dot = Dot(worth, one.stands, sign, told=format_change_with_margin(worth))
                rows.append(DotRow("", self._design_name(one.design), [dot]))
                told.append(f"{self._design_name(one.design)} {dot.told}")
        name = self._said.get_phrase("axis_drawn" if fair else "axis_had")
        axis = DotAxis(name, line_name=self._said.get_phrase("cards_line"), bars=True, signed=True)
        alt = self._said.get_phrase("cards_alt", found=self._said.join_words(told))
        key = self._said.get_phrase("cards_key" if fair else "cards_had_key")
        return make_figure(draw_interval_dots(self._pen, rows, axis, alt), alt, key)

    def _make_share_table(self, designs: list[CardFinding]) -> Table:
        """Return a table of how often each design is held, played and kept, and of the wins with playing it."""
        names = ("card", "had", "drawn", "played", "kept", "unseen", "with_playing")
        head: tuple[Text, ...] = tuple((Plain(self._said.get_phrase(f"head_{name}")),) for name in names)
        rows = []
        for one in designs:
            shares = [format_percent(share) for share in (one.had, one.drawn)]
            shares += [format_percent(one.played), format_percent(one.kept)] if one.went or one.kept else ["", ""]
            playing = _to_percent(one.with_playing)
            told = format_change_with_margin(playing) if isfinite(playing.half) else ""
            cells = (self._design_name(one.design), *shares, format_percent(one.unseen), told)
            rows.append(tuple((Plain(cell),) if cell else () for cell in cells))
        return Table(head, tuple(rows), ("left", *("right",) * 6))

    def _iter_outdone(self) -> Iterator[Block]:
        """Yield the designs that another one beats in all fields, or that players always prefer another to."""
        by_data: dict[str, list[str]] = {}
        for pair in self._result.about["experiment"]["cards"]["dominated"]:
            design, _, other = pair.partition(" < ")
            by_data.setdefault(design, []).append(other)
        wanted = [one for table in self._tables for one in table.preferences if one.under]
        if not by_data and not wanted:
            return
        yield make_heading(1, self._said.get_phrase("cards_outdone"), "outdone")
        if by_data:
            yield make_paragraph(self._said.get_phrase("cards_by_data"))
            yield self._make_outdone_table("cards_better", by_data.items())
        for one in wanted:
            kind = self._game.kinds[one.kind].name[self._said.lang]
            times = f"{sum(one.taken.values()):,}"
            yield make_paragraph(self._said.get_phrase("cards_taken", kind=kind, move=one.phrase, n=times))
            yield self._make_outdone_table("cards_taken_over", one.under.items())

    def _make_outdone_table(self, head: str, rows: Iterable[tuple[str, Iterable[str]]]) -> Table:
        names = ((Plain(self._said.get_phrase("head_card")),), (Plain(self._said.get_phrase(f"head_{head}")),))
        told = ((self._design_name(one), self._said.join_words(map(self._design_name, others))) for one, others in rows)
        return Table(names, tuple(((Plain(one),), (Plain(others),)) for one, others in told), ("left", "left"))

    def _design_name(self, design: str) -> str:
        return piece_name(self._game, design, self._said.lang)

    def _method_lines(self) -> Iterator[str]:
        where = self._result.about["experiment"]["cards"]
        zones = {
            name: self._said.join_words(
                zone_name(self._game, kind.replace("-", " "), self._said.lang).strip() for kind in where[name]
            )
            or "–"
            for name in ("held", "played")
        }
        yield self._said.get_phrase("method_cards_zones", **zones)
        for name in ("cards_drawn", "cards_played", "cards_intervals", "cards_holm", "ties", "not_people"):
            yield self._said.get_phrase(f"method_{name}")


def _to_percent(found: Interval) -> Interval:
    return found.divide_by(0.01)
