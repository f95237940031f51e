"""The command `figures`: statistics of a deck, its words and its cost, and gaps of the rulebook."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from math import ceil, log
from pathlib import Path
from typing import Any

import click

from generator.base.errors import join_lines, raise_problems
from generator.base.files import Resources
from generator.base.geometry import paper_size
from generator.base.languages import phrase
from generator.base.output_files import open_delivery
from generator.books.page.blocks import (
    Block,
    Book,
    Cover,
    Figure,
    Heading,
    Listing,
    Paragraph,
    Table,
    Text,
    change_texts,
    dissolve_groups,
    iter_blocks_within,
)
from generator.books.page.text_setter import plain_from_text
from generator.books.rulebook.book_templates import RULEBOOK, find_volume_languages
from generator.books.rulebook.read_book import read_book
from generator.books.rulebook.rulebook_play import RulebookPlay
from generator.books.web_page import make_web_page
from generator.checks.check_report import REPORT_LANGUAGE, choose_language
from generator.checks.deck_figures import (
    MOST_WORDS,
    FigureHint,
    FigureTable,
    TextPassage,
    find_opening_hand,
    find_stem,
    format_cell,
    list_alike_texts,
    list_deck_hints,
    list_variants,
    split_words,
    tabulate_deck,
    tabulate_words,
)
from generator.checks.visible_items import Face, find_visible_icons
from generator.commands.command_line import say_text
from generator.commands.options import GAMES, LANG, OUT, PROJECT, find_paper, open_project, progress, say_files
from generator.commands.orders import Progress, iter_workshops, load_games, unused_languages
from generator.commands.plain_text import write_lines
from generator.commands.print_sheets import PrintOrder, impose_sheets, list_sheets
from generator.commands.rulebook import find_engine
from generator.commands.settings import REUSE
from generator.drawing.faces.game_drawing import Workshop, find_accent
from generator.game.model import Game
from generator.game.preset_files import load_presets
from generator.game.presets import Costs
from generator.game.project import Project
from generator.game.rich_text import Icon, Plain
from generator.sheets.raster import measure_ink_share, render_pages
from generator.sheets.settings import SheetSettings
from generator.sheets.sheet_pages import plan_cuts


@click.command()
@GAMES
@LANG
@click.option("--format", "form", type=click.Choice(["text", "json", "html"]), default="text", show_default=True,
              help="Print text or json, or write figures.<lang>.html.")  # fmt: skip
@OUT
@click.option("--hand", type=click.IntRange(1, 1000), metavar="N",
              help="Number of cards in the opening hand (default: as in set-up).")  # fmt: skip
@click.option("--deck", multiple=True, metavar="KIND", help="Kind of cards in the deck of that hand; repeatable.")
@click.option("--paper", default="A4", show_default=True, help="Paper for sheets and costs, such as A4 or Letter.")
@REUSE
@PROJECT
@click.pass_obj
def figures(obj: Path | None, /, **options: Any) -> None:
    """Show figures of a deck and gaps of its rulebook.

    pnp counts pieces and words, computes opening hands and costs, and looks for gaps in the rulebook.
    """
    project = open_project(obj, options)
    paper, languages = find_paper(options["paper"]), options["languages"]
    order = FiguresOrder(
        languages, options["hand"], options["deck"], SheetSettings(paper_size(paper), paper), options["trusted"]
    )
    if options["form"] == "html":
        say_files(write_figure_pages(project, options["games"], order, options["out"], progress()))
        return
    reports = [report for _, report in measure_games(project, options["games"], order, progress())]
    if options["form"] == "json":
        data = {"format": 1, "games": [report.to_data() for report in reports]}
        say_text(json.dumps(data, ensure_ascii=False, indent=2) + "\n")
    else:
        lang = languages[0] if len(languages) == 1 else REPORT_LANGUAGE
        say_text("\n".join(join_lines(report.iter_lines(lang)) for report in reports))


@dataclass(frozen=True, slots=True)
class FiguresOrder:
    """What to measure: languages (default: all), the opening hand and its deck, and the paper of the sheets."""

    languages: tuple[str, ...]
    hand: int | None
    deck: tuple[str, ...]
    sheets: SheetSettings
    trusted: bool = False


@dataclass(frozen=True, slots=True)
class DeckReport:
    """The figures of a game: tables, hints at faults, and in `lacks` what could not be measured (`hand`, `book`)."""

    game: Game
    tables: tuple[FigureTable, ...]
    hints: tuple[FigureHint, ...]
    lacks: tuple[str, ...]

    def to_data(self) -> dict[str, Any]:
        """Return plain values for JSON. Shares and chances are numbers from 0 to 1, sizes points."""
        tables = [
            {"topic": one.topic, "of": one.of, "rows": [dict(zip(one.head, row, strict=True)) for row in one.rows]}
            for one in self.tables
        ]
        hints = [
            {"hint": one.name, "values": dict(one.values), "place": asdict(one.place) if one.place else None,
             "sentence": one.to_sentence(REPORT_LANGUAGE)} for one in self.hints
        ]  # fmt: skip
        return {"id": self.game.id, "draft": self.game.draft, "tables": tables, "hints": hints}

    def iter_blocks(self, lang: str) -> Iterator[Block]:
        """Yield the report in a language: hints first, then the tables by topic."""
        yield Heading(1, (Plain(phrase("figures_hints", lang)),), "hints")
        entries = tuple((Paragraph((Plain(hint.to_sentence(lang)),)),) for hint in self.hints)
        yield Listing(entries, sign="-") if entries else Paragraph((Plain(phrase("figures_no_hints", lang)),))
        yield from (Paragraph((Plain(phrase(f"figures_no_{what}", lang)),)) for what in self.lacks)
        for topic, tables in groupby(self.tables, key=lambda table: table.topic):
            yield Heading(1, (Plain(phrase(f"figures_topic_{topic}", lang)),), topic)
            for table in tables:
                yield from [Heading(2, (Plain(table.of),), f"{topic} {table.of}")] if table.of else ()
                head = table.head if topic == "cross" else [phrase(f"figures_{name}", lang) for name in table.head]
                rows = [[format_cell(*pair) for pair in zip(table.head, row, strict=True)] for row in table.rows]
                heads, *cells = (tuple((Plain(cell),) for cell in row) for row in (head, *rows))
                align = ["left" if column == "share" else "right" for column in table.head[1:]]
                yield Table(heads, tuple(cells), ("left", *align))  # type: ignore[arg-type]

    def iter_lines(self, lang: str) -> Iterator[str]:
        """Yield the report as lines for the terminal."""
        spoken = choose_language(self.game, lang)
        yield f"{self.game.title[spoken]} ({self.game.id}), {phrase('draft', lang, draft=self.game.draft)}"
        yield from write_lines(self.iter_blocks(lang))


def measure_games(
    project: Project, names: tuple[str, ...], order: FiguresOrder, told: Progress
) -> Iterator[tuple[Workshop, DeckReport]]:
    """Yield each game's workshop and report; `told` hears of the progress. Raise ProblemsFound for all faults."""
    games, problems = load_games(project, names)
    problems += unused_languages(games, order.languages)
    raise_problems(problems)
    for workshop in iter_workshops(project, games):
        told(f"{workshop.game.id}: figures")
        yield workshop, measure_game(project, workshop, order)
    told("")


def measure_game(project: Project, workshop: Workshop, order: FiguresOrder) -> DeckReport:
    """Return the report of a game. Raise ProblemsFound if its faces or books have problems."""
    game = workshop.game
    languages = [lang for lang in game.languages if not order.languages or lang in order.languages]
    drawn = workshop.draw_all(game.designs(), languages)
    raise_problems(workshop.problems)
    faces = [Face(game.design(name), side, lang, drawing) for (name, side, lang), drawing in drawn.items() if drawing]
    shown = set[str]().union(*(find_visible_icons(face.drawing) for face in faces))
    hand = find_opening_hand(game, order.hand, order.deck)
    tables = [*tabulate_deck(game, hand)]
    hints = [*list_deck_hints(game)]
    books = find_volume_languages(workshop, RULEBOOK)
    played = RulebookPlay(game, find_engine(project, game, trusted=order.trusted))
    for lang in languages:
        tables += tabulate_words(faces, lang)
        pairs = list_alike_texts(faces, lang)
        rows = tuple((pair.one.id, pair.other.id, pair.old, pair.new) for pair in pairs[:MOST_WORDS])
        tables += [FigureTable("alike", lang, ("design", "beside", "old", "new"), rows)] if rows else []
        hints += (pair.to_hint(lang) for pair in pairs if pair.means_same)
        printed = [(frame.text, face) for face in faces if face.lang == lang for frame in face.drawing.frames]
        passages = [TextPassage(text, face.design.id, face.design.place) for text, face in printed]
        passages += list_named_things(game, lang)
        if lang in books:
            pages, icons = list_passages(read_book(workshop, lang, played, RULEBOOK))
            found = workshop.artist.templates.find_source(f"{game.id}/{RULEBOOK.get_template_name(lang)}")
            unused = game.icons.keys() - shown  # players don't see them; `pnp validate` names them
            hints += list_gaps(game, lang, pages, icons | unused, found[0] if found else "")
            passages += pages
        hints += list_variants(passages, lang)
    tables += tabulate_printing(workshop, project.resources, order.sheets, languages[0])
    order_of = [*dict.fromkeys(table.topic for table in tables)]
    tables.sort(key=lambda table: order_of.index(table.topic))
    lacks = [name for name, known in (("hand", hand), ("book", books)) if not known]
    return DeckReport(game, tuple(tables), tuple(hints), tuple(lacks))


def write_figure_pages(
    project: Project, names: tuple[str, ...], order: FiguresOrder, out: Path, told: Progress
) -> tuple[Path, ...]:
    """Write each game's `figures.<lang>.html` in languages of the order. Return the files, or raise ProblemsFound."""
    with open_delivery() as files:
        for workshop, report in measure_games(project, names, order, told):
            game = workshop.game
            for lang in (lang for lang in game.languages if not order.languages or lang in order.languages):
                files.put(out / game.id / f"figures.{lang}.html", make_figure_page(workshop, report, lang))
        return files.hand_over()


def make_figure_page(workshop: Workshop, report: DeckReport, lang: str) -> bytes:
    """Return a report as a web page in a language."""
    game, name = workshop.game, phrase("figures", lang)
    draft = phrase("draft", lang, draft=game.draft)
    said, cover = (f"{game.title[lang]} · {name} · {draft}",), Cover(game.title[lang], name, (draft,))
    book = Book(game.id, lang, cover, tuple(report.iter_blocks(lang)), said, name="figures", folded=False)
    return make_web_page(book, workshop, find_accent(game.palette), scripted=False).encode()


_DPI = 36.0
"""Resolution at which ink is measured."""


def tabulate_printing(
    workshop: Workshop, resources: Resources, settings: SheetSettings, lang: str
) -> Iterator[FigureTable]:
    """Yield the paper, cuts and ink of the sheets in a language, then the costs of each preset for this paper.

    A straight cut goes through the whole sheet. Pieces without straight cuts are cut out singly. Raise ProblemsFound.
    """
    order = PrintOrder((lang,), Path(), sheets=settings)
    pages = impose_sheets(workshop, order, lambda _doing: None)[lang].pages
    sheets = list_sheets(workshop, lang, order)
    plans = [(sheet, plan_cuts(sheet.arrangement, range(len(sheet.pieces)))) for sheet in sheets]
    cuts = sum(len(plan.cuts) for _, plan in plans if plan)
    singly = sum(len(sheet.pieces) for sheet, plan in plans if not plan)
    inks = [measure_ink_share(picture) for picture in render_pages(workshop, pages, _DPI, lang)]
    sides, share = sum(bool(page.placements) for page in pages), sum(inks)
    head = ("paper", "sheets", "sides", "cuts", "singly", "ink")
    row = (settings.paper_name, len(sheets), sides, cuts, singly, share / len(pages))
    yield FigureTable("paper", "", head, (row,))
    rows = []
    for preset in (one for one in load_presets(resources) if isinstance(one, Costs) and one.size == settings.paper):
        paper, print_, ink = preset.sheet * len(sheets), preset.side * sides, preset.ink * share
        minutes = (preset.cut * cuts + preset.outline * singly) / 60
        total = round(paper + print_ + ink, 2)
        state = "unverified" if preset.unverified else "verified"
        parts = (round(paper, 2), round(print_, 2), round(ink, 2), total, round(minutes, 1))
        rows.append((preset.id, preset.currency, *parts, preset.date, state, preset.source))
    costs = (
        "preset",
        "currency",
        "sheet_price",
        "side_price",
        "ink_price",
        "copy",
        "minutes",
        "date",
        "state",
        "source",
    )
    if rows:
        yield FigureTable("costs", settings.paper_name, costs, tuple(rows))


LEAST_MENTIONED = 0.3
"""Minimum share of a thing's words in a passage that mentions it. A rare word weighs more than a common one."""

MOST_OF_A_NAME = 6
"""Phrases of more words than this report the state of a game, and are not in rulebooks."""

_JINJA = re.compile(r"\{#\s.*?#\}|\{%.*?%\}|\{\{.*?\}\}", re.DOTALL)
_BLANK = re.compile(r"\{\{.*?\}\}|\{[^{}]*\}")


def list_passages(book: Book) -> tuple[list[TextPassage], frozenset[str]]:
    """Return the texts of a book with their headings, and the icons that they show."""
    found: list[TextPassage] = []
    icons: set[str] = set()
    heading = ""

    def take(text: Text) -> Text:
        found.append(TextPassage(plain_from_text(text), f"{book.name}: {heading}"))
        icons.update(part.name for part in text if isinstance(part, Icon))
        return text

    for block in dissolve_groups(book.blocks):
        if isinstance(block, Heading):
            heading = plain_from_text(block.text)
        change_texts(block, take)
        alts = (part.alt for part in iter_blocks_within([block]) if isinstance(part, Figure))
        found += [TextPassage(alt, f"{book.name}: {heading}") for alt in alts]
    return found, frozenset(icons)


def list_gaps(
    game: Game, lang: str, passages: Sequence[TextPassage], icons: frozenset[str], template: str
) -> Iterator[FigureHint]:
    """Yield each thing whose words no passage of the rulebook, the glossary and the examples has.

    Lines of the book's source `template` count, too: some are printed only with another choice of a switch. Yield also
    the readings that players notice and whose switch nothing asks: with another choice, the book would be wrong.
    """
    texts = [*(passage.text for passage in passages), *_JINJA.sub(" ", template).splitlines()]
    texts += [f"{entry.term[lang]} {entry.says[lang]}" for entry in game.glossary.values()]
    texts += [example.says[lang] for example in game.examples if example.says]
    known = [(text, _find_stems(text, lang)) for text in texts]
    for sort, section, name, words in _iter_things(game, lang):
        if not (sort == "icon" and name in icons) and not _is_mentioned(words, known, lang):
            place = game.places.place(section, name, lang) or game.places.place(section, name)
            yield FigureHint(f"gap_{sort}", {"id": name, "words": words, "spoken": lang}, place)
    said = [template, *texts, *(one.says[lang] for one in game.operations.values())]
    shown = {example.id.partition("-")[0] for example in game.examples}
    for one in game.readings.values():
        silent = not any(re.search(rf"\b{re.escape(one.switch)}\b", text) for text in said)
        if one.switch and one.noticed_by != "nobody" and one.id not in shown and silent:
            yield FigureHint("gap_reading", {"id": one.id, "switch": one.switch, "spoken": lang}, one.place)


def _iter_things(game: Game, lang: str) -> Iterator[tuple[str, str, str, str]]:
    """Yield each named thing: what it is, its section of the data, its id, and its name or phrase."""
    yield from (("kind", "components", kind.id, kind.name[lang]) for kind in game.kinds.values() if kind.count)
    yield from (("icon", "icons", icon.id, icon.name[lang]) for icon in game.icons.values())
    yield from (("zone", "zones", zone.id, zone.name[lang]) for zone in game.zones.values())
    yield from (("move", "moves", name, words[lang]) for name, words in game.moves.items())
    yield from (("operation", "operations", one.id, one.says[lang]) for one in game.operations.values())


def list_named_things(game: Game, lang: str) -> Iterator[TextPassage]:
    """Yield the names and phrases of the data as passages, with 0 for each blank to be filled in."""
    for _, section, name, words in _iter_things(game, lang):
        yield TextPassage(_BLANK.sub("0", words), f"{section}.{name}", game.places.place(section, name))


def _is_mentioned(name: str, texts: Sequence[tuple[str, frozenset[str]]], lang: str) -> bool:
    """Return True if one text has most of a name's words (rare ones weigh more), or the name has none or too many.

    `texts` have each text and its word stems. In Japanese, the first half of a long word is enough.
    """
    words = _find_stems(_BLANK.sub("0", name), lang)
    if not 0 < len(words) <= MOST_OF_A_NAME:
        return True
    shares, whole = [0.0] * len(texts), 0.0
    for word in words:
        part = word[: ceil(len(word) / 2)] if len(word) > 5 else word
        there = [part in text if lang.partition("-")[0] == "ja" else word in stems for text, stems in texts]
        weight = log(1 + len(texts) / (0.5 + sum(there)))
        shares = [share + weight * here for share, here in zip(shares, there, strict=True)]
        whole += weight
    return max(shares, default=0.0) >= LEAST_MENTIONED * whole


def _find_stems(text: str, lang: str) -> frozenset[str]:
    return frozenset(map(find_stem, split_words(text, lang)))
