"""The last pages of a book: glossary in all languages, index."""

from generator.errors import Place
from generator.model.data_fields import GlossaryEntry
from generator.model.game import Game
from generator.model.phrases import phrase
from generator.model.text import Plain
from generator.pages.blocks import Block, Origin, Table, Term, Text
from generator.rulebook.fenced import Body
from generator.rulebook.inline import InlineReader
from generator.rulebook.proposals import LANGUAGES
from generator.templates.view import GameViews
from generator.text.typecase import is_cjk


class BackMatter:
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


def _hiragana(text: str) -> str:
    """Katakana as hiragana: both are sorted as one."""
    return "".join(chr(ord(char) - 0x60) if "ァ" <= char <= "ヶ" else char for char in text)


def _plain(words: str) -> Text:
    return (Plain(words),)
