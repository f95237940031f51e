"""The card report: the worth of each card, and how often it is held and played."""

from collections.abc import Iterable, Iterator
from hashlib import sha256
from math import isfinite

from generator.base.errors import ProblemsFound
from generator.base.languages import phrase
from generator.books.measure_names import Interval, change_with_margin
from generator.books.page.blocks import Block, Book, Cover, Figure, Heading, Paragraph, Table, Text
from generator.books.page.page_style import Look
from generator.books.page.text_setter import Setter
from generator.drawing.faces.face_marks import HASH_SHOWN
from generator.drawing.faces.game_drawing import Workshop, accent
from generator.game.rich_text import Plain
from generator.lab.card_findings import CardFinding, CardTables, card_findings
from generator.lab.findings import broken_laws
from generator.lab.reports.chart_pen import Pen, shades_of
from generator.lab.reports.charts import Axis, Dot, DotRow, interval_dots
from generator.lab.reports.report_figures import percent
from generator.lab.reports.report_findings import Names
from generator.lab.reports.result_report import KEY_SHOWN, PAGE
from generator.lab.results import Result
from generator.rules.engine.contract import Rules
from generator.rules.engine.table import piece_name, zone_name


def read_cards(result: Result, workshop: Workshop, lang: str, rules: Rules | None, *, stale: bool = False) -> Book:
    """Return the report of followed cards. `stale`: the data have changed since. Raise ProblemsFound."""
    return _CardReporter(result, workshop, lang, rules, stale).book()


class _CardReporter:
    """Builder of one report of followed cards."""

    def __init__(self, result: Result, workshop: Workshop, lang: str, rules: Rules | None, stale: bool):
        self._result, self._lang, self._stale, self._game = result, lang, stale, workshop.game
        self._names = Names(workshop, rules, result, lang)
        self._tables = card_findings(result)
        paint = accent(self._game.palette)
        self._setter = Setter(workshop, Look(PAGE, lang, paint), f"report ({lang}): {{}}")
        self._pen = Pen(self._setter, shades_of(workshop, paint))
        self._confidence = f"{100 * result.asked.confidence:.4g}"

    def book(self) -> Book:
        game, lang, title = self._game, self._lang, self._say("title_cards")
        facts = [phrase("draft_named", lang, draft=self._result.about["draft"]), *map(self._table, self._tables)]
        blocks = (*self._first(), *self._each(), *self._outdone(), *self._method())
        problems = [*self._names.problems, *self._setter.problems]
        if problems:
            raise ProblemsFound(problems)
        seen = sha256(self._result.text().encode()).hexdigest()[:HASH_SHOWN]
        draft = self._result.about["draft"]
        imprint = (self._say("imprint", game=game.title[lang], draft=draft, title=title, hash=seen),)
        return Book(
            game.id, lang, Cover(game.title[lang], title, tuple(facts)), blocks, imprint, game.date, "lab", folded=False
        )

    def _say(self, name: str, **values: object) -> str:
        return phrase(f"lab_{name}", self._lang, confidence=self._confidence, **values)

    def _listed(self, words: Iterable[str]) -> str:
        return phrase("and", self._lang).join(words)

    def _table(self, tables: CardTables) -> str:
        """Return the players of the tables and the number of games."""
        numbers = self._listed(dict.fromkeys(str(cell.players) for cell in tables.cells))
        alone = numbers == "1"
        seats = self._say("alone") if alone else phrase("players", self._lang, n=numbers)
        bots = self._names.players(tuple(bot for cell in tables.cells for bot in cell.bots))
        return self._say("cards_table", table=self._say("at_table", players=seats, bots=bots), n=f"{tables.games:,}")

    def _name(self, one: CardFinding) -> str:
        return self._design(one.design)

    def _first(self) -> Iterator[Block]:
        """Yield the question, the significant findings and the omissions."""
        yield Paragraph((Plain(self._say("question_cards")),), "lead")
        if self._stale:
            yield Paragraph((Plain(self._say("stale"), bold=True),))
        for cell, _, broken in broken_laws(self._result):
            said = self._say("cards_broken", n=str(cell.players), games=f"{broken:,}")
            yield Paragraph((Plain(said, bold=True),))
        rows: list[tuple[Text, ...]] = []
        for table in self._tables:
            for name, sign in (("cards_help", 1), ("cards_harm", -1)):
                standing = [one for one in table.found if one.stands and one.by_drawing.at * sign > 0]
                standing.sort(key=lambda one: -abs(one.by_drawing.at))
                if standing:
                    told = [f"{self._name(one)} {change_with_margin(_percent(one.by_drawing))}" for one in standing]
                    head = self._say(name) if len(self._tables) == 1 else f"{self._say(name)} ({self._table(table)})"
                    rows.append(((Plain(head, bold=True),), (Plain(self._listed(told)),)))
        if not rows:
            rows.append((((Plain(self._say("cards_help"), bold=True),)), (Plain(self._say("nothing_sure")),)))
        rows.append(((Plain(self._say("head_not_people"), bold=True),), (Plain(self._say("not_people")),)))
        yield Table(((), ()), tuple(rows), ("left", "left"))

    def _each(self) -> Iterator[Block]:
        """Yield a chart and a table for each kind of card at the tables of each kind of bots."""
        for at, table in enumerate(self._tables):
            if len(self._tables) > 1:
                yield Heading(1, (Plain(self._table(table)),), f"cards-{at}")
            if table.never:
                kinds = self._listed(self._game.kinds[kind].name[self._lang] for kind in table.never)
                yield Paragraph((Plain(self._say("cards_never", kinds=kinds)),), "note")
            for kind in dict.fromkeys(one.kind for one in table.found):
                designs = sorted((one for one in table.found if one.kind == kind), key=_order)
                yield Heading(2, (Plain(self._game.kinds[kind].name[self._lang]),), f"cards-{at}-{kind}")
                if any(isfinite(_worth(one).half) for one in designs):
                    yield self._dots(designs)
                yield self._shares(designs)
                if at == 0 and kind == table.found[0].kind:
                    yield Paragraph((Plain(self._say("cards_table_key")),), "note")

    def _dots(self, designs: list[CardFinding]) -> Figure:
        """Return a chart of the worth of each design, the best first."""
        fair = any(isfinite(one.by_drawing.half) for one in designs)
        rows, told = [], []
        for one in designs:
            worth = _percent(_worth(one))
            if isfinite(worth.half):
                sign = (1 if worth.at > 0 else -1) if worth.clear_of(0) else 0
                dot = Dot(worth, one.stands, sign, told=change_with_margin(worth))
                rows.append(DotRow("", self._name(one), [dot]))
                told.append(f"{self._name(one)} {dot.told}")
        name = self._say("axis_drawn" if fair else "axis_had")
        axis = Axis(name, line_name=self._say("cards_line"), bars=True, signed=True)
        alt = self._say("cards_alt", found=self._listed(told))
        key = self._say("cards_key" if fair else "cards_had_key")
        return Figure(interval_dots(self._pen, rows, axis, alt), alt, (Plain(key),), firm=True)

    def _shares(self, designs: list[CardFinding]) -> Table:
        """Return a table of how often each design is held, played and kept, and of the wins with playing it."""
        names = ("card", "had", "drawn", "played", "kept", "unseen", "with_playing")
        head: tuple[Text, ...] = tuple((Plain(self._say(f"head_{name}")),) for name in names)
        rows = []
        for one in designs:
            shares = [percent(share) for share in (one.had, one.drawn)]
            shares += [percent(one.played), percent(one.kept)] if one.went or one.kept else ["", ""]
            playing = _percent(one.with_playing)
            told = change_with_margin(playing) if isfinite(playing.half) else ""
            cells = (self._name(one), *shares, percent(one.unseen), told)
            rows.append(tuple((Plain(cell),) if cell else () for cell in cells))
        return Table(head, tuple(rows), ("left", *("right",) * 6))

    def _outdone(self) -> Iterator[Block]:
        """Yield the designs that others beat in every way, by the data and by the players' choices."""
        by_data: dict[str, list[str]] = {}
        for pair in self._result.about["experiment"]["cards"]["dominated"]:
            design, _, other = pair.partition(" < ")
            by_data.setdefault(design, []).append(other)
        wanted = [one for table in self._tables for one in table.preferences if one.under]
        if not by_data and not wanted:
            return
        yield Heading(1, (Plain(self._say("cards_outdone")),), "outdone")
        if by_data:
            yield Paragraph((Plain(self._say("cards_by_data")),))
            yield self._under("cards_better", by_data.items())
        for one in wanted:
            kind = self._game.kinds[one.kind].name[self._lang]
            times = f"{sum(one.taken.values()):,}"
            yield Paragraph((Plain(self._say("cards_taken", kind=kind, move=one.phrase, n=times)),))
            yield self._under("cards_taken_over", one.under.items())

    def _under(self, head: str, rows: Iterable[tuple[str, Iterable[str]]]) -> Table:
        """Return a table of designs and of those that beat each."""
        names = ((Plain(self._say("head_card")),), (Plain(self._say(f"head_{head}")),))
        told = ((self._design(one), self._listed(map(self._design, others))) for one, others in rows)
        return Table(names, tuple(((Plain(one),), (Plain(others),)) for one, others in told), ("left", "left"))

    def _design(self, design: str) -> str:
        return piece_name(self._game, design, self._lang)

    def _method(self) -> Iterator[Block]:
        yield Heading(1, (Plain(self._say("method")),), "method")
        about = self._result.about
        where = about["experiment"]["cards"]
        zones = {name: self._zones(where[name]) for name in ("held", "played")}
        hashes = {name: about.get(name, "") for name in ("data", "rules", "program")}
        lines = [
            self._say("method_cards_zones", **zones),
            *(self._say(f"method_cards_{name}") for name in ("drawn", "played", "intervals", "holm")),
            *(self._say(f"method_{name}") for name in ("ties", "not_people")),
            self._say("method_hashes", key=self._result.key[:KEY_SHOWN], **hashes),
        ]
        parts = (line.partition("|") for line in lines)
        rows = tuple(((Plain(name, bold=True),), (Plain(text),)) for name, _, text in parts)
        yield Table(((), ()), rows, ("left", "left"))

    def _zones(self, kinds: list[str]) -> str:
        named = (zone_name(self._game, kind.replace("-", " "), self._lang).strip() for kind in kinds)
        return self._listed(named) or "–"


def _worth(one: CardFinding) -> Interval:
    return one.by_drawing if isfinite(one.by_drawing.half) else one.with_having


def _order(one: CardFinding) -> tuple[bool, float]:
    worth = _worth(one)
    return not isfinite(worth.half), -worth.at


def _percent(found: Interval) -> Interval:
    return found.divided(0.01)
