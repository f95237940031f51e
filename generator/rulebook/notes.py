"""The last pages of a rulebook: glossary in all languages, index, readings, and what the draft leaves open."""

from generator.draw.typecase import is_cjk
from generator.draw.view import GameViews
from generator.model.game import Game, GlossaryEntry, Reading
from generator.model.phrases import phrase
from generator.model.text import Plain
from generator.rulebook.book import Block, Index, Table, Term, Text
from generator.rulebook.fenced import Body
from generator.rulebook.inline import InlineReader
from generator.rulebook.provisional import open_sections

LANGUAGES = {"ja": "日本語", "en": "English", "de": "Deutsch", "fr": "français"}
"""What languages call themselves; others are named by their code."""


class Notes:
    """Makes them for one book; texts of the data have their values filled in by `views`."""

    def __init__(self, game: Game, lang: str, inline: InlineReader, views: GameViews):
        self._game, self._lang, self._inline, self._views = game, lang, inline, views
        self._others = [other for other in game.languages if other != lang]

    def glossary(self, body: Body) -> list[Block]:
        """Every term with its words in the other languages and its meaning."""
        body.keys()
        entries = self._sorted()
        names = " / ".join(LANGUAGES.get(other, other) for other in self._others)
        head = [self._say("term"), *([_plain(names)] if names else []), self._say("meaning")]
        rows = []
        for entry in entries:
            others = [_plain(" / ".join(entry.term[other] for other in self._others))] if self._others else []
            term: Text = (Term(entry.term[self._lang], entry.id, bold=True),)
            rows.append((term, *others, self._meaning(entry)))
        langs = ("", *self._others, "") if len(self._others) == 1 else ()
        return [Table(tuple(head), tuple(rows), tuple("left" for _ in head), langs=langs)] if rows else []

    def index(self, body: Body) -> list[Block]:
        """Where the terms of the glossary are spoken of."""
        body.keys("title")
        title = _plain(body.text("title") or phrase("index", self._lang))
        return [Index(title, tuple((_plain(entry.term[self._lang]), entry.id) for entry in self._sorted()))]

    def readings(self, body: Body) -> list[Block]:
        """All readings with the switches in force, then the values that the draft leaves open."""
        body.keys()
        blocks: list[Block] = []
        rows = tuple((_plain(reading), self._reading(reading)) for reading in self._game.readings)
        if rows:
            blocks.append(Table((_plain("E"), self._say("reading")), rows, ("left", "left")))
        return [*blocks, *self._left_open(self._say("left_open"))]

    def provisional(self, body: Body) -> list[Block]:
        """How many values the draft leaves open, by section and kind of component."""
        body.keys()
        return self._left_open(())

    def _left_open(self, caption: Text) -> list[Block]:
        sections = open_sections(self._game, self._lang)
        rows = tuple(((Plain(name, bold=True),), _plain(values)) for name, values in sections)
        return [Table(((), ()), rows, ("left", "left"), caption)] if rows else []

    def _reading(self, name: str) -> Text:
        reading = self._game.readings[name]
        said = self._filled("reading", reading_words(reading, self._lang), name)
        passage = (Plain(phrase("quoted", self._lang, text=reading.passage) + " "),) if reading.passage else ()
        switch = (Plain(f" ({reading.switch} = {_value_words(reading)})"),) if reading.switch else ()
        return (*passage, *self._inline.plain(said, reading.place), *switch)

    def _meaning(self, entry: GlossaryEntry) -> Text:
        said = self._filled("glossary", entry.says[self._lang], entry.id)
        place = self._game.places.place("glossary", entry.id, "says", self._lang) or entry.place
        return self._inline.read(said, [place], entry.id)

    def _filled(self, section: str, text: str, name: str) -> str:
        place = self._game.places.place(section, name)
        return str(self._views.entry({"says": text}, f"{section}.{name}", self._lang, place)["says"])

    def _sorted(self) -> list[GlossaryEntry]:
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


def _value_words(reading: Reading) -> str:
    return str(reading.value).lower() if isinstance(reading.value, bool) else str(reading.value)


def _hiragana(text: str) -> str:
    """Katakana as hiragana: both are sorted as one."""
    return "".join(chr(ord(char) - 0x60) if "ァ" <= char <= "ヶ" else char for char in text)


def _plain(words: str) -> Text:
    return (Plain(words),)
