"""The card report: the worth of each card, and how often it is held and played."""

from collections.abc import Iterable, Iterator
from hashlib import sha256
from math import isfinite

from generator.base.errors import ProblemsFound
from generator.base.languages import phrase
from generator.books.measure_names import Interval, format_change_with_margin
from generator.books.page.blocks import Block, Book, Cover, Figure, Heading, Paragraph, Table, Text
from generator.books.page.page_style import Look
from generator.books.page.text_setter import TextSetter
from generator.drawing.faces.face_marks import HASH_SHOWN
from generator.drawing.faces.game_drawing import Workshop, find_accent
from generator.game.rich_text import Plain
from generator.lab.card_findings import CardFinding, CardTables, card_findings
from generator.lab.findings import find_broken_laws
from generator.lab.reports.chart_pen import Pen, choose_shades
from generator.lab.reports.charts import Dot, DotAxis, DotRow, draw_interval_dots
from generator.lab.reports.report_figures import format_percent
from generator.lab.reports.report_findings import ReportNames
from generator.lab.reports.result_report import KEY_SHOWN, PAGE
from generator.lab.results import Result
from generator.rules.engine.contract import Rules
from generator.rules.engine.table import piece_name, zone_name


def make_card_report(
    result: Result, workshop: Workshop, lang: str, rules: Rules | None, *, stale: bool = False
) -> Book:
    """Return the report of followed cards. `stale`: the data have changed since. Raise ProblemsFound."""
    return _CardReporter(result, workshop, lang, rules, stale).make_book()


class _CardReporter:
    def __init__(self, result: Result, workshop: Workshop, lang: str, rules: Rules | None, stale: bool):
        self._result, self._lang, self._stale, self._game = result, lang, stale, workshop.game
        self._names = ReportNames(workshop, rules, result, lang)
        self._tables = card_findings(result)
        paint = find_accent(self._game.palette)
        self._setter = TextSetter(workshop, Look(PAGE, lang, paint), f"report ({lang}): {{}}")
        self._pen = Pen(self._setter, choose_shades(workshop, paint))
        self._confidence = f"{100 * result.asked.confidence:.4g}"

    def make_book(self) -> Book:
        game, lang, title = self._game, self._lang, self._phrase("title_cards")
        facts = [
            phrase("draft_named", lang, draft=self._result.about["draft"]),
            *map(self._describe_tables, self._tables),
        ]
        blocks = (*self._iter_summary(), *self._iter_kinds(), *self._iter_outdone(), *self._iter_method())
        problems = [*self._names.problems, *self._setter.problems]
        if problems:
            raise ProblemsFound(problems)
        seen = sha256(self._result.to_text().encode()).hexdigest()[:HASH_SHOWN]
        draft = self._result.about["draft"]
        imprint = (self._phrase("imprint", game=game.title[lang], draft=draft, title=title, hash=seen),)
        return Book(
            game.id, lang, Cover(game.title[lang], title, tuple(facts)), blocks, imprint, game.date, "lab", folded=False
        )

    def _phrase(self, name: str, **values: object) -> str:
        return phrase(f"lab_{name}", self._lang, confidence=self._confidence, **values)

    def _join_words(self, words: Iterable[str]) -> str:
        return phrase("and", self._lang).join(words)

    def _describe_tables(self, tables: CardTables) -> str:
        numbers = self._join_words(dict.fromkeys(str(cell.players) for cell in tables.cells))
        alone = numbers == "1"
        seats = self._phrase("alone") if alone else phrase("players", self._lang, n=numbers)
        bots = self._names.player_names(tuple(bot for cell in tables.cells for bot in cell.bots))
        return self._phrase(
            "cards_table", table=self._phrase("at_table", players=seats, bots=bots), n=f"{tables.games:,}"
        )

    def _finding_name(self, one: CardFinding) -> str:
        return self._design_name(one.design)

    def _iter_summary(self) -> Iterator[Block]:
        """Yield the question, the significant findings and the omissions."""
        yield Paragraph((Plain(self._phrase("question_cards")),), "lead")
        if self._stale:
            yield Paragraph((Plain(self._phrase("stale"), bold=True),))
        for cell, _, broken in find_broken_laws(self._result):
            said = self._phrase("cards_broken", n=str(cell.players), games=f"{broken:,}")
            yield Paragraph((Plain(said, bold=True),))
        rows: list[tuple[Text, ...]] = []
        for table in self._tables:
            for name, sign in (("cards_help", 1), ("cards_harm", -1)):
                standing = [one for one in table.found if one.stands and one.by_drawing.at * sign > 0]
                standing.sort(key=lambda one: -abs(one.by_drawing.at))
                if standing:
                    told = [
                        f"{self._finding_name(one)} {format_change_with_margin(_to_percent(one.by_drawing))}"
                        for one in standing
                    ]
                    head = (
                        self._phrase(name)
                        if len(self._tables) == 1
                        else f"{self._phrase(name)} ({self._describe_tables(table)})"
                    )
                    rows.append(((Plain(head, bold=True),), (Plain(self._join_words(told)),)))
        if not rows:
            rows.append((((Plain(self._phrase("cards_help"), bold=True),)), (Plain(self._phrase("nothing_sure")),)))
        rows.append(((Plain(self._phrase("head_not_people"), bold=True),), (Plain(self._phrase("not_people")),)))
        yield Table(((), ()), tuple(rows), ("left", "left"))

    def _iter_kinds(self) -> Iterator[Block]:
        """Yield a chart and a table for each kind of card at the tables of each kind of bots."""
        for at, table in enumerate(self._tables):
            if len(self._tables) > 1:
                yield Heading(1, (Plain(self._describe_tables(table)),), f"cards-{at}")
            if table.never:
                kinds = self._join_words(self._game.kinds[kind].name[self._lang] for kind in table.never)
                yield Paragraph((Plain(self._phrase("cards_never", kinds=kinds)),), "note")
            for kind in dict.fromkeys(one.kind for one in table.found):
                designs = sorted((one for one in table.found if one.kind == kind), key=_sort_key)
                yield Heading(2, (Plain(self._game.kinds[kind].name[self._lang]),), f"cards-{at}-{kind}")
                if any(isfinite(_best_interval(one).half) for one in designs):
                    yield self._make_dots(designs)
                yield self._make_share_table(designs)
                if at == 0 and kind == table.found[0].kind:
                    yield Paragraph((Plain(self._phrase("cards_table_key")),), "note")

    def _make_dots(self, designs: list[CardFinding]) -> Figure:
        """Return a chart of the worth of each design, the best first."""
        fair = any(isfinite(one.by_drawing.half) for one in designs)
        rows, told = [], []
        for one in designs:
            worth = _to_percent(_best_interval(one))
            if isfinite(worth.half):
                sign = (1 if worth.at > 0 else -1) if worth.excludes_value(0) else 0
                dot = Dot(worth, one.stands, sign, told=format_change_with_margin(worth))
                rows.append(DotRow("", self._finding_name(one), [dot]))
                told.append(f"{self._finding_name(one)} {dot.told}")
        name = self._phrase("axis_drawn" if fair else "axis_had")
        axis = DotAxis(name, line_name=self._phrase("cards_line"), bars=True, signed=True)
        alt = self._phrase("cards_alt", found=self._join_words(told))
        key = self._phrase("cards_key" if fair else "cards_had_key")
        return Figure(draw_interval_dots(self._pen, rows, axis, alt), alt, (Plain(key),), firm=True)

    def _make_share_table(self, designs: list[CardFinding]) -> Table:
        """Return a table of how often each design is held, played and kept, and of the wins with playing it."""
        names = ("card", "had", "drawn", "played", "kept", "unseen", "with_playing")
        head: tuple[Text, ...] = tuple((Plain(self._phrase(f"head_{name}")),) for name in names)
        rows = []
        for one in designs:
            shares = [format_percent(share) for share in (one.had, one.drawn)]
            shares += [format_percent(one.played), format_percent(one.kept)] if one.went or one.kept else ["", ""]
            playing = _to_percent(one.with_playing)
            told = format_change_with_margin(playing) if isfinite(playing.half) else ""
            cells = (self._finding_name(one), *shares, format_percent(one.unseen), told)
            rows.append(tuple((Plain(cell),) if cell else () for cell in cells))
        return Table(head, tuple(rows), ("left", *("right",) * 6))

    def _iter_outdone(self) -> Iterator[Block]:
        """Yield the designs that others beat in every way, by the data and by the players' choices."""
        by_data: dict[str, list[str]] = {}
        for pair in self._result.about["experiment"]["cards"]["dominated"]:
            design, _, other = pair.partition(" < ")
            by_data.setdefault(design, []).append(other)
        wanted = [one for table in self._tables for one in table.preferences if one.under]
        if not by_data and not wanted:
            return
        yield Heading(1, (Plain(self._phrase("cards_outdone")),), "outdone")
        if by_data:
            yield Paragraph((Plain(self._phrase("cards_by_data")),))
            yield self._make_outdone_table("cards_better", by_data.items())
        for one in wanted:
            kind = self._game.kinds[one.kind].name[self._lang]
            times = f"{sum(one.taken.values()):,}"
            yield Paragraph((Plain(self._phrase("cards_taken", kind=kind, move=one.phrase, n=times)),))
            yield self._make_outdone_table("cards_taken_over", one.under.items())

    def _make_outdone_table(self, head: str, rows: Iterable[tuple[str, Iterable[str]]]) -> Table:
        names = ((Plain(self._phrase("head_card")),), (Plain(self._phrase(f"head_{head}")),))
        told = ((self._design_name(one), self._join_words(map(self._design_name, others))) for one, others in rows)
        return Table(names, tuple(((Plain(one),), (Plain(others),)) for one, others in told), ("left", "left"))

    def _design_name(self, design: str) -> str:
        return piece_name(self._game, design, self._lang)

    def _iter_method(self) -> Iterator[Block]:
        yield Heading(1, (Plain(self._phrase("method")),), "method")
        about = self._result.about
        where = about["experiment"]["cards"]
        zones = {name: self._zone_names(where[name]) for name in ("held", "played")}
        hashes = {name: about.get(name, "") for name in ("data", "rules", "program")}
        lines = [
            self._phrase("method_cards_zones", **zones),
            *(self._phrase(f"method_cards_{name}") for name in ("drawn", "played", "intervals", "holm")),
            *(self._phrase(f"method_{name}") for name in ("ties", "not_people")),
            self._phrase("method_hashes", key=self._result.key[:KEY_SHOWN], **hashes),
        ]
        parts = (line.partition("|") for line in lines)
        rows = tuple(((Plain(name, bold=True),), (Plain(text),)) for name, _, text in parts)
        yield Table(((), ()), rows, ("left", "left"))

    def _zone_names(self, kinds: list[str]) -> str:
        named = (zone_name(self._game, kind.replace("-", " "), self._lang).strip() for kind in kinds)
        return self._join_words(named) or "–"


def _best_interval(one: CardFinding) -> Interval:
    return one.by_drawing if isfinite(one.by_drawing.half) else one.with_having


def _sort_key(one: CardFinding) -> tuple[bool, float]:
    worth = _best_interval(one)
    return not isfinite(worth.half), -worth.at


def _to_percent(found: Interval) -> Interval:
    return found.divide_by(0.01)
