"""Rulebook gaps: moves, zones, icons, effects, kinds and readings that no page of a rulebook mentions."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from math import ceil, log

from generator.books.page.blocks import Book, Figure, Heading, Text, change_texts, dissolve_groups, iter_blocks_within
from generator.books.page.text_setter import plain_from_text
from generator.checks.deck_figures import FigureHint
from generator.checks.word_figures import TextPassage, find_stem, split_words
from generator.game.model import Game
from generator.game.rich_text import Icon

LEAST_MENTIONED = 0.3
"""Minimum share of a thing's words in a passage that mentions it. A rare word weighs more than a common one."""

MOST_OF_A_NAME = 6
"""Phrases of more words than this tell how a game stands, and are not in rulebooks."""

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

    Lines of the template count, too: some are printed only with another choice of a switch. Yield also the readings
    that players notice and whose switch neither template nor data ask: with another choice, the book would be wrong.
    """
    texts = [*(passage.text for passage in passages), *_JINJA.sub(" ", template).splitlines()]
    texts += [f"{entry.term[lang]} {entry.says[lang]}" for entry in game.glossary.values()]
    texts += [example.says[lang] for example in game.examples if example.says]
    mentions = _Mentions(texts, lang)
    for sort, section, name, words in _iter_things(game, lang):
        if not (sort == "icon" and name in icons) and not mentions.has(words):
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
    """Yield the names and phrases of the data as passages, without their blanks."""
    for _, section, name, words in _iter_things(game, lang):
        yield TextPassage(_BLANK.sub("0", words), f"{section}.{name}", game.places.place(section, name))


class _Mentions:
    """The words of all passages, to look for a passage that mentions something."""

    def __init__(self, texts: Sequence[str], lang: str):
        self._texts, self._lang = texts, lang
        self._japanese = lang.partition("-")[0] == "ja"
        self._where: dict[str, set[int]] = defaultdict(set)
        for number, text in enumerate(texts):
            for word in split_words(text, lang):
                self._where[find_stem(word)].add(number)

    def has(self, name: str) -> bool:
        """Return True if a passage has enough of a name's words, or the name has no words or too many."""
        words = {find_stem(word) for word in split_words(_BLANK.sub("0", name), self._lang)}
        if not 0 < len(words) <= MOST_OF_A_NAME:
            return True
        places = {word: self._find_passages(word) for word in words}
        weights = {word: log(1 + len(self._texts) / (0.5 + len(found))) for word, found in places.items()}
        shares: dict[int, float] = defaultdict(float)
        for word, found in places.items():
            for number in found:
                shares[number] += weights[word]
        return max(shares.values(), default=0.0) >= LEAST_MENTIONED * sum(weights.values())

    def _find_passages(self, word: str) -> set[int]:
        """Return the passages with a word. In Japanese, the first half of a long word is enough."""
        if not self._japanese:
            return self._where.get(word, set())
        part = word[: ceil(len(word) / 2)] if len(word) > 5 else word
        return {number for number, text in enumerate(self._texts) if part in text}
