"""The index of a rulebook: its terms and their other words, the subjects that its text marks, components by name."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from generator.errors import Place, did_you_mean
from generator.model.game import Game
from generator.model.phrases import phrase
from generator.model.text import Plain
from generator.pages.blocks import Block, Index, Origin, Term, Text, design_mention
from generator.rulebook.fenced import Body
from generator.rulebook.inline import InlineReader
from generator.text.typecase import is_cjk

Entry = tuple[str, Text, str, Place | None]
"""By what it is sorted, its words, its id, and where these are written."""

_ANCHOR = re.compile(r"[\w.-]+")
_SEE = " → "


class RegisterMaker:
    """Makes the index of one book, once all of its text is read by `inline`.

    `anchors` are those by which links lead to it, with their places. `begun` gives a place in its templates the column
    at which its line begins.
    """

    def __init__(self, game: Game, lang: str, inline: InlineReader, begun: Callable[[Place], Place]):
        self._game, self._lang, self._inline, self._begun = game, lang, inline, begun
        self._wanted: tuple[str, ...] = ()
        self.anchors: dict[str, Place | None] = {}

    def index(self, body: Body) -> list[Block]:
        """Where an index stands; its entries come when the text is read."""
        body.keys("title", "of", "anchor")
        for name in map(str, body.entries("of")):
            if name in self._game.kinds:
                self._wanted += (name,)
            else:
                body.problem(f"unknown component '{name}'", did_you_mean(name, self._game.kinds), "of")
        title = (Plain(body.text("title") or phrase("index", self._lang)),)
        if "anchor" not in body:
            return [Index(title, (), Origin(body.begins))]
        anchor = body.text("anchor")
        if not _ANCHOR.fullmatch(anchor):
            body.problem(f"index.anchor is '{anchor}'", "use letters, digits, '-', '_' and '.' alone", "anchor")
        self.anchors[anchor] = body.place("anchor")
        return [Index(title, (), Origin(body.begins), anchor)]

    def filled(self, blocks: Iterable[Block]) -> Iterator[Block]:
        """The blocks of the whole book, with the entries of the index."""
        for block in blocks:
            if isinstance(block, Index):
                entries = sorted(self._entries(), key=lambda entry: entry[0])
                words, parts = tuple((text, name) for _, text, name, _ in entries), tuple(entry[3] for entry in entries)
                yield replace(block, entries=words, origin=replace(block.origin, parts=parts))
            else:
                yield block

    def _entries(self) -> Iterator[Entry]:
        game, lang = self._game, self._lang
        for entry in game.glossary.values():
            term, place = entry.term[lang], game.places.place("glossary", entry.id, "term", lang) or entry.place
            yield self._key((entry.kana if is_cjk(lang) else "") or term), (Plain(term),), entry.id, place
            for number, other in enumerate(entry.also):
                text: Text = (Plain(other[lang] + _SEE), Term(term, entry.id))
                at = game.places.place("glossary", entry.id, "also", number) or entry.place
                yield self._key(other[lang]), text, f"see:{entry.id}:{number}", at
        for mark in self._inline.subjects.values():
            yield (
                self._key(mark.reading or mark.words),
                (Plain(mark.words),),
                mark.id,
                mark.place and self._begun(mark.place),
            )
        named: dict[str, Entry] = {}
        for design in (design for kind in self._wanted for design in game.kinds[kind].designs if design.count):
            name = design_mention(design.id, words := self._inline.names_of_designs[design.id])
            read = self._inline.names.reading(words)
            named.setdefault(name, (self._key(read), (Plain(words),), name, design.place))
        yield from named.values()

    def _key(self, words: str) -> str:
        """By the alphabet, in Japanese by kana: katakana as hiragana."""
        if not is_cjk(self._lang):
            return words.casefold()
        return "".join(chr(ord(char) - 0x60) if "ァ" <= char <= "ヶ" else char for char in words)
