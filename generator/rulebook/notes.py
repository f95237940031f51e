"""The last pages of a rulebook: glossary in all languages, index, readings, and what the draft leaves open."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from generator.draw.typecase import is_cjk
from generator.draw.view import GameViews
from generator.model.game import Game, GlossaryEntry
from generator.model.phrases import counted, phrase
from generator.model.text import Plain
from generator.rulebook.book import Block, Index, Listing, Paragraph, Table, Term, Text
from generator.rulebook.fenced import Body
from generator.rulebook.inline import InlineReader

_LONGEST = 40
"""Characters of a value that a list of values still shows."""

_MANY = 3
"""More open values than these of one section or kind are only counted: a reader looks for rules, not for titles."""

OPEN = "provisional"
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
        return [Table(tuple(head), tuple(rows), tuple("left" for _ in head))] if rows else []

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
        lines = list(_open_lines(open_values(self._game, self._lang), self._lang))
        if lines:
            blocks.append(Paragraph((Plain(phrase("left_open", self._lang), bold=True),)))
            blocks.append(Listing(tuple((Paragraph(_plain(line), "note"),) for line in lines)))
        return blocks

    def _reading(self, name: str) -> Text:
        reading = self._game.readings[name]
        said = self._filled("reading", reading.reading[self._lang], name)
        passage = (Plain(phrase("quoted", self._lang, text=reading.passage) + " "),) if reading.passage else ()
        value = str(reading.value).lower() if isinstance(reading.value, bool) else str(reading.value)
        switch = (Plain(f" ({reading.switch} = {value})"),) if reading.switch else ()
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


def _open_lines(values: Iterable[tuple[str, str]], lang: str) -> Iterator[str]:
    """Values with their paths; of a section or kind with many of them only how many there are."""
    grouped: dict[str, list[str]] = {}
    for path, value in values:
        grouped.setdefault(".".join(path.split(".")[:2]), []).append(f"{path} = {value}" if value else path)
    for name, lines in grouped.items():
        if len(lines) > _MANY:
            yield f"{name}: {counted('values', lang, len(lines))}"
        else:
            yield from lines


def open_values(game: Game, lang: str) -> Iterator[tuple[str, str]]:
    """The paths that the draft leaves open, each with its value where that is short."""
    for path, status in game.marks.items():
        if status == OPEN:
            steps = path.split(".")
            section = game.places.get(steps[0])
            yield path, _short(_value(section.value, steps[1:]) if section else None, lang)


def _value(value: Any, steps: Iterable[str]) -> Any:
    """What a dotted path leads to; entries of lists by their id or number."""
    for step in steps:
        if isinstance(value, Mapping):
            value = value.get(step, value.get(int(step)) if step.isdigit() else None)
        elif isinstance(value, list):
            named = [entry for entry in value if isinstance(entry, Mapping) and str(entry.get("id")) == step]
            value = named[0] if named else value[int(step)] if step.isdigit() else None
        else:
            return None
    return value


def _short(value: Any, lang: str) -> str:
    """A value as it stands in a list; empty for what is too long or has parts."""
    if isinstance(value, Mapping) and lang in value:
        value = value[lang]
    if isinstance(value, list) and all(isinstance(entry, (int, float, str)) for entry in value):
        value = ", ".join(map(str, value))
    text = str(value).lower() if isinstance(value, bool) else "" if value is None else str(value)
    return text if not isinstance(value, (Mapping, list)) and len(text) <= _LONGEST and "{" not in text else ""


def _hiragana(text: str) -> str:
    """Katakana as hiragana: both are sorted as one."""
    return "".join(chr(ord(char) - 0x60) if "ァ" <= char <= "ヶ" else char for char in text)


def _plain(words: str) -> Text:
    return (Plain(words),)
