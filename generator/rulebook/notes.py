"""The last pages of a rulebook: glossary in all languages, index, readings, and what the draft leaves open."""

import re

from generator.errors import Place
from generator.model.data_fields import GlossaryEntry
from generator.model.game import Game, Reading
from generator.model.phrases import phrase
from generator.model.text import LineBreak, Plain
from generator.pages.blocks import Block, Origin, Table, Term, Text
from generator.rulebook.fenced import Body
from generator.rulebook.inline import InlineReader
from generator.rulebook.provisional import open_sections
from generator.templates.view import GameViews
from generator.text.typecase import is_cjk

LANGUAGES = {"ja": "日本語", "en": "English", "de": "Deutsch", "fr": "français"}
"""What languages call themselves; others are named by their code."""

_ANSWER = "→ "


class DesignerNotes:
    """Makes them for one book; texts of the data have their values filled in by `views`."""

    def __init__(self, game: Game, lang: str, inline: InlineReader, views: GameViews):
        self._game, self._lang, self._inline, self._views = game, lang, inline, views
        self._others = [other for other in game.languages if other != lang]

    def glossary(self, body: Body) -> list[Block]:
        """Every term with its meaning; with `languages`, its words in the other languages between them."""
        body.keys("languages")
        others_of = self._others if body.flag("languages") else []
        entries = self._sort_entries()
        names = " / ".join(LANGUAGES.get(other, other) for other in others_of)
        head = [self._say("term"), *([_plain(names)] if names else []), self._say("meaning")]
        rows = []
        parts: list[Place | None] = []
        for entry in entries:
            others = [_plain(" / ".join(entry.term[other] for other in others_of))] if others_of else []
            term: Text = (Term(entry.term[self._lang], entry.id, bold=True),)
            rows.append((term, *others, self._meaning(entry)))
            parts += [self._at(entry, "term", lang) for lang in (self._lang, *others_of[:1])]
            parts.append(self._at(entry, "says", self._lang))
        langs = ("", *others_of, "") if len(others_of) == 1 else ()
        origin = Origin(body.begins, tuple(parts))
        return [Table(tuple(head), tuple(rows), tuple("left" for _ in head), (), langs, origin)] if rows else []

    def readings(self, body: Body) -> list[Block]:
        """All readings, each after what it answers and with its switch, then the values that the draft leaves open."""
        body.keys()
        blocks: list[Block] = []
        readings = sorted(self._game.readings.values(), key=_by_number)
        rows = tuple((_plain(reading.id), (*self._problem(reading), *self._reading(reading))) for reading in readings)
        if rows:
            parts = tuple(reading.place for reading in readings for _ in ("id", "reading"))
            head = (_plain("E"), self._say("open_point"))
            blocks.append(Table(head, rows, ("left", "left"), origin=Origin(body.begins, parts)))
        return [*blocks, *self._left_open(self._say("left_open"), body)]

    def provisional(self, body: Body) -> list[Block]:
        """How many values the draft leaves open, by section and kind of component."""
        body.keys()
        return self._left_open((), body)

    def _left_open(self, caption: Text, body: Body) -> list[Block]:
        sections = open_sections(self._game, self._lang)
        rows = tuple(((Plain(name, bold=True),), _plain(values)) for name, values in sections)
        return [Table(((), ()), rows, ("left", "left"), caption, origin=Origin(body.begins))] if rows else []

    def _problem(self, reading: Reading) -> Text:
        """What is unclear; the draft's own words stand before it in the book of the language that it is written in."""
        said = self._fill_text(f"problem.{reading.id}", reading.problem[self._lang], reading.place)
        quoted = reading.passage and self._lang == self._game.languages[0]
        passage = (Plain(phrase("quoted", self._lang, text=reading.passage) + " "),) if quoted else ()
        return (*passage, *self._inline.plain(said, reading.place))

    def _reading(self, reading: Reading) -> Text:
        said = self._fill_text(f"reading.{reading.id}", reading_words(reading, self._lang), reading.place)
        switch = (Plain(f" ({reading.switch} = {_value_words(reading)})"),) if reading.switch else ()
        return (LineBreak(), Plain(_ANSWER, bold=True), *self._inline.plain(said, reading.place), *switch)

    def _meaning(self, entry: GlossaryEntry) -> Text:
        place = self._at(entry, "says", self._lang)
        said = self._fill_text(f"glossary.{entry.id}", entry.says[self._lang], place)
        return self._inline.read(said, [place], entry.id)

    def _at(self, entry: GlossaryEntry, field: str, lang: str) -> Place | None:
        """Where the data have an entry's term or meaning."""
        return self._game.places.place("glossary", entry.id, field, lang) or entry.place

    def _fill_text(self, name: str, text: str, place: Place | None) -> str:
        return str(self._views.entry({"says": text}, name, self._lang, place)["says"])

    def _sort_entries(self) -> list[GlossaryEntry]:
        """By the alphabet, in Japanese by kana where the data give them."""
        cjk = is_cjk(self._lang)

        def key(entry: GlossaryEntry) -> str:
            term = entry.term[self._lang]
            return _hiragana(entry.kana or term) if cjk else term.casefold()

        return sorted(self._game.glossary.values(), key=key)

    def _say(self, name: str) -> Text:
        return _plain(phrase(name, self._lang))


def reading_words(reading: Reading, lang: str) -> str:
    """The reading as a sentence; where another than the first of its choices is in force, that this is so."""
    if reading.switch and reading.choices and reading.value != reading.choices[0]:
        return phrase("other_reading", lang, value=_value_words(reading))
    return reading.reading[lang]


def _by_number(reading: Reading) -> list[tuple[int, str]]:
    """E2 before E10, and E3b after E3."""
    return [(int(number or 0), word) for number, word in re.findall(r"(\d*)(\D*)", reading.id)]


def _value_words(reading: Reading) -> str:
    return str(reading.value).lower() if isinstance(reading.value, bool) else str(reading.value)


def _hiragana(text: str) -> str:
    """Katakana as hiragana: both are sorted as one."""
    return "".join(chr(ord(char) - 0x60) if "ァ" <= char <= "ヶ" else char for char in text)


def _plain(words: str) -> Text:
    return (Plain(words),)
