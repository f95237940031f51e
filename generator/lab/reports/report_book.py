"""The report book: phrases, paragraphs, cover and imprint that all reports of the lab share."""

from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import Literal

from generator.base.display_list import Drawing
from generator.base.errors import Problem, raise_problems
from generator.base.geometry import paper_size
from generator.base.languages import phrase
from generator.books.page.blocks import Block, Book, Cover, Figure, Heading, Level, Paragraph, Table
from generator.books.page.page_style import Format, Look
from generator.books.page.text_setter import TextSetter
from generator.drawing.faces.face_marks import HASH_SHOWN
from generator.drawing.faces.game_drawing import Workshop, find_accent
from generator.game.rich_text import Plain
from generator.lab.reports.chart_pen import Pen, choose_shades
from generator.lab.results import Result
from generator.lab.skill_result import SkillResult

PAGE = Format("A4 report", paper_size("A4"), 29, 29, 19, 22, larger=1.04, opening="masthead")
"""Page format of reports: one column of 45 Japanese characters, the widest that reads easily."""

KEY_SHOWN = 12


class ReportPhrases:
    """The lab's phrases in a language. Each may state `confidence` (a share): how sure the result's intervals are."""

    def __init__(self, lang: str, confidence: float):
        self.lang = lang
        self._confidence = f"{100 * confidence:.4g}"
        self._explained: set[str] = set()

    def get_phrase(self, name: str, **values: object) -> str:
        """Return one of the lab's phrases with its values filled in."""
        return phrase(f"lab_{name}", self.lang, confidence=self._confidence, **values)

    def explain_once(self, name: str, **values: object) -> str:
        """Return the explanation of a kind of chart (`name`: its phrase) when it is first used; later return ''."""
        if name in self._explained:
            return ""
        self._explained.add(name)
        return self.get_phrase(name, **values)

    def join_words(self, words: Iterable[str]) -> str:
        """Return the words as one text, joined by `and` in the language of the report."""
        return phrase("and", self.lang).join(words)

    def describe_players(self, number: int | str) -> str:
        """Return words for a number of players (or a text like `2, 3`): `3 players`, or for 1 that one plays alone."""
        return self.get_phrase("alone") if str(number) == "1" else phrase("players", self.lang, n=number)


class ReportWriter:
    """Base class of the reports on a result. `stale` reports warn that the game's data have changed since."""

    def __init__(self, result: Result | SkillResult, workshop: Workshop, phrases: ReportPhrases, stale: bool):
        self._whole, self._game, self._said, self._stale = result, workshop.game, phrases, stale
        self._phrase, self._join = phrases.get_phrase, phrases.join_words
        accent = find_accent(self._game.palette)
        self._setter = TextSetter(workshop, Look(PAGE, phrases.lang, accent), f"report ({phrases.lang}): {{}}")
        self._pen = Pen(self._setter, choose_shades(workshop, accent))

    def _finish_book(
        self, title: str, facts: Iterable[str], blocks: tuple[Block, ...], problems: Iterable[Problem] = ()
    ) -> Book:
        """Return the book; its cover lists `facts`. Raise ProblemsFound with `problems` and those of its texts."""
        raise_problems([*problems, *self._setter.problems])
        game, lang, draft = self._game, self._said.lang, self._whole.about["draft"]
        seen = sha256(self._whole.to_text().encode()).hexdigest()[:HASH_SHOWN]
        cover = Cover(game.title[lang], title, (phrase("draft_named", lang, draft=draft), *facts))
        imprint = self._phrase("imprint", game=game.title[lang], draft=draft, title=title, hash=seen)
        return Book(game.id, lang, cover, blocks, (imprint,), game.date, "lab", folded=False)

    def _iter_opening(self, question: str) -> Iterator[Paragraph]:
        yield make_paragraph(question, "lead")
        if self._stale:
            yield make_warning(self._phrase("stale"))

    def _iter_method(self, lines: Iterable[str]) -> Iterator[Block]:
        """Yield the section about the method: a table with a row for each line `name|text`, and one with hashes."""
        yield make_heading(1, self._phrase("method"), "method")
        hashes = {name: self._whole.about.get(name, "") for name in ("data", "rules", "program")}
        last = self._phrase("method_hashes", key=self._whole.key[:KEY_SHOWN], **hashes)
        yield make_named_rows(line.split("|", 1) for line in (*lines, last))


def make_heading(level: Level, words: str, anchor: str) -> Heading:
    """Return a heading of plain words."""
    return Heading(level, (Plain(words),), anchor)


def capitalise(words: str) -> str:
    """Return the words with a capital first letter."""
    return words[:1].upper() + words[1:]


def make_paragraph(words: str, role: Literal["body", "lead", "note"] = "body") -> Paragraph:
    """Return a paragraph of plain words."""
    return Paragraph((Plain(words),), role)


def make_warning(words: str) -> Paragraph:
    """Return a paragraph in bold."""
    return Paragraph((Plain(words, bold=True),))


def make_named_rows(rows: Iterable[Iterable[str]]) -> Table:
    """Return a table with a name in bold and a text in each row."""
    return Table(((), ()), tuple(((Plain(name, bold=True),), (Plain(text),)) for name, text in rows), ("left", "left"))


def make_figure(drawing: Drawing, caption: str) -> Figure:
    """Return a chart, whose title is its text alternative. The caption may be empty."""
    return Figure(drawing, drawing.title, (Plain(caption.strip()),) if caption else (), firm=True)
