"""Rulebook gaps: moves, zones, icons, effects, kinds and readings that no page of a rulebook mentions."""

import re
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

    Lines of the template count, too: some are printed only with another choice of a switch. Yield also the readings
    that players notice and whose switch neither template nor data ask: with another choice, the book would be wrong.
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
    """Yield the names and phrases of the data as passages, without their blanks."""
    for _, section, name, words in _iter_things(game, lang):
        yield TextPassage(_BLANK.sub("0", words), f"{section}.{name}", game.places.place(section, name))


def _is_mentioned(name: str, texts: Sequence[tuple[str, frozenset[str]]], lang: str) -> bool:
    """Return True if a text has enough of a name's words, or the name has no words or too many.

    In Japanese, the first half of a long word is enough.
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
