"""Inline text: reads the markup of a rulebook's words, such as terms, links, icons and index marks."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count, groupby
from typing import Any

from generator.base.colour import measure_contrast
from generator.base.display_list import Paint, Shape, Symbol, walk_leaves
from generator.base.errors import Place, Problem, did_you_mean
from generator.base.languages import phrase
from generator.books.page.blocks import Inline, Link, Mention, Term, Text, id_from_design
from generator.books.page.page_style import choose_page_colours, make_readable_colour
from generator.books.rulebook.figure_marks import CalloutNumbers, PlaceNumbers
from generator.drawing.faces.game_drawing import Workshop
from generator.game.data_fields import GlossaryEntry
from generator.game.model import Game
from generator.game.rich_text import (
    MARKS,
    Icon,
    LineBreak,
    MarkupError,
    Plain,
    Reference,
    Ruby,
    Words,
    make_emoji_replacer,
    parse_markup,
    to_plain_text,
)
from generator.game.rich_text import Inline as TextInline
from generator.rules.engine.table import piece_name, piece_names
from generator.text.glyph_cache import is_cjk

_LONGEST = 16
"""Longest name that gets a reading (characters)."""


class NameReadings:
    """The names of a game that have a reading (ruby); the first mention in each chapter shows it.

    They are the short texts with a reading in the fields of its designs and anywhere in its `words`.
    """

    def __init__(self, game: Game, lang: str):
        fields = [value for design in game.designs() for value in design.fields.values()]
        marked = [*_iter_texts(fields, lang), *_iter_texts(game.sections.get("words", {}), lang)]
        self._names: dict[str, tuple[TextInline, ...]] = {}
        for text in marked:
            if "|" in text and "{{" not in text:
                try:
                    rich = parse_markup(text, game.palette)
                except MarkupError:
                    continue  # reported when its card is drawn
                name, kinds = to_plain_text(rich), set(map(type, rich))
                if Ruby in kinds and LineBreak not in kinds and len(name) <= _LONGEST:
                    self._names[name] = rich
        longest_first = sorted(self._names, key=len, reverse=True)
        self._found = re.compile("|".join(map(re.escape, longest_first))) if longest_first else None
        self._said: set[str] = set()

    def get_reading(self, name: str) -> str:
        """Return the reading of a name, by which it is sorted, or the name itself if it has none."""
        parts = self._names.get(name, (Plain(name),))
        return "".join("".join(part.reading) if isinstance(part, Ruby) else to_plain_text((part,)) for part in parts)

    def begin_chapter(self) -> None:
        """Start a chapter, so that the next mention of each name shows its reading again."""
        self._said.clear()

    def add_readings(self, inline: Plain) -> Iterator[TextInline]:
        """Yield the words, with the reading added to names that the chapter mentions for the first time."""
        end = 0
        for found in self._found.finditer(inline.text) if self._found is not None else ():
            if found[0] in self._said:
                continue
            self._said.add(found[0])
            if found.start() > end:
                yield inline._replace(text=inline.text[end : found.start()])
            for part in self._names[found[0]]:
                if isinstance(part, Plain):
                    yield inline._replace(text=part.text)
                elif isinstance(part, Ruby):
                    bold, emphasis, colour, manner = inline.bold, inline.emphasis, inline.colour, inline.manner
                    yield replace(part, bold=bold, emphasis=emphasis, colour=colour, manner=manner)
            end = found.end()
        if end < len(inline.text):
            yield inline._replace(text=inline.text[end:])


def _iter_texts(data: Any, lang: str) -> Iterator[str]:
    if isinstance(data, Words):
        yield data[lang]
    elif isinstance(data, str):
        yield data
    elif isinstance(data, Mapping):
        for part in data.values():
            yield from _iter_texts(part, lang)
    elif isinstance(data, (list, tuple)):
        for part in data:
            yield from _iter_texts(part, lang)


class Terms:
    """Finds glossary entries by id or term in one language; records which are used and defined."""

    def __init__(self, game: Game, lang: str):
        self._entries, self._lang = game.glossary, lang
        self._by_term = {entry.term[lang].casefold(): entry for entry in game.glossary.values()}
        self._used: set[str] = set()
        self._defined: dict[str, Place | None] = {}

    def find_entry(self, name: str, within: str = "") -> GlossaryEntry | None:
        """Return the entry with this id or term, or None. Mentions in `within`, its own text, don't count as use."""
        entry = self._entries.get(name) or self._by_term.get(name.casefold())
        if entry is not None and entry.id != within:
            self._used.add(entry.id)
        return entry

    def define_entry(self, entry: GlossaryEntry, place: Place | None, problems: list[Problem]) -> None:
        """Record where the text defines an entry. Report a second definition."""
        if entry.id in self._defined:
            first = self._defined[entry.id]
            what = f"the term '{entry.term[self._lang]}' is defined here and at {first}"
            problems.append(Problem(place, what, f"write [[{entry.id}]] here, or there"))
        self._defined.setdefault(entry.id, place)

    def suggest_entry(self, name: str) -> str:
        """Return a hint for a name that no entry has, such as a similar name."""
        known = [*self._entries, *(entry.term[self._lang] for entry in self._entries.values())]
        return did_you_mean(name, known) if known else "write the section `glossary:`"

    def find_unused(self, file: str) -> Iterator[Problem]:
        """Yield a problem for each entry that no text of the rulebook `file` mentions."""
        for entry in self._entries.values():
            if entry.id not in self._used:
                what = f"{file} never marks the term '{entry.term[self._lang]}'"
                yield Problem(entry.place, what, f"write [[{entry.id}]] where it is used, or remove it")


PLAIN = 3.0
"""Minimum contrast of an icon with its background (WCAG 2)."""


class IconColours:
    """The colours of a game's icons, changed where needed to be legible on white and on the web page."""

    def __init__(self, workshop: Workshop):
        self._workshop = workshop
        self._ground = choose_page_colours(workshop.game.palette, "ink").paper
        self._known: dict[str, Paint] = {}

    def __getitem__(self, icon: str) -> Paint:
        """Return the paint of an icon, by palette name or as `#rrggbb`. Raise KeyError for an unknown icon."""
        if icon not in self._known:
            own = self._workshop.game.icons[icon].colour
            symbol = self._workshop.artist.draw_icon(icon, own)
            if not self._is_plain(own) and (symbol is None or not self._has_outline(symbol, own)):
                own = make_readable_colour(self._workshop.hex_of_paint(own), self._ground, PLAIN)
            self._known[icon] = own
        return self._known[icon]

    def _is_plain(self, paint: Paint) -> bool:
        return measure_contrast(self._workshop.hex_of_paint(paint), self._ground) >= PLAIN

    def _has_outline(self, symbol: Symbol, own: Paint) -> bool:
        """Return True if each area in the icon's own colour has a legible outline, as a white cloud may have."""
        shapes = [leaf for leaf, _ in walk_leaves(symbol.items) if isinstance(leaf, Shape)]
        areas = [shape for shape in shapes if own in (shape.fill, shape.stroke)]
        return all(area.stroke is not None and area.width > 0 and self._is_plain(area.stroke) for area in areas)


BAR = "\U000f0002"
"""Placeholder for `|` inside braces and brackets, so that it does not split table cells."""

_FIRST, _MOST = 0xF1000, 4000
"""Private-use characters that stand for terms and links during parsing."""

_BRACED = re.compile(r"\{[^{}\n]*\}|\[\[[^\[\]\n]*\]\]")
_MARK = re.compile(
    r"(?<!\\)(?:\[\[([^\[\]|\n]+)(?:\|([^\[\]|\n]+))?\]\]|\[([^\[\]\n]*)\]\(#([^()\s]+)\)"
    r"|\{index:([^{}|\n]+)(?:\|([^{}|\n]+))?\}|\{callout:([^{}|\n]+)\}|\{place:([^{}|\n]+)\})"
)
_WORD = re.compile(r"[\u3005-\u9fff]|[^\W\u3005-\u9fff]+")
_STANDS = re.compile(f"([{chr(_FIRST)}-{chr(_FIRST + _MOST - 1)}])")


def hide_bars(text: str) -> str:
    """Return the text with `|` inside braces and brackets (ruby, terms) replaced by placeholders."""
    return _BRACED.sub(lambda found: found[0].replace("|", BAR), text)


def words_from_text(text: Iterable[Inline]) -> str:
    """Return the characters of a text, without icons."""
    parts: list[str] = []
    for inline in text:
        if isinstance(inline, Ruby):
            parts.extend(inline.base)
        elif isinstance(inline, LineBreak):
            parts.append(" ")
        elif not isinstance(inline, (Icon, Reference)):
            parts.append(inline.text)
    return "".join(parts)


@dataclass(frozen=True, slots=True)
class IndexSubject:
    """A mark in a text that adds an index entry: its words, their reading for sorting, and its place."""

    words: str
    reading: str
    place: Place | None

    @property
    def id(self) -> str:
        """Return the id of the index entry that the mark adds to."""
        return f"subject:{self.words}"


class InlineReader:
    """Reads texts of one game in one language. `links` are the anchors of links, with their places.

    `subjects` are the index marks by id. `names` has the words for links without words, by anchor.
    """

    def __init__(
        self,
        game: Game,
        lang: str,
        terms: Terms,
        paints: IconColours,
        numbers: CalloutNumbers,
        places: PlaceNumbers,
        problems: list[Problem],
        names: Mapping[str, str],
    ):
        self._game, self._lang, self._terms, self._paints = game, lang, terms, paints
        self._numbers, self._places, self._problems, self._names = numbers, places, problems, names
        self._icons_in = make_emoji_replacer((icon.id, icon.emoji) for icon in game.icons.values())
        self.links: list[tuple[str, Place | None]] = []
        self.names = NameReadings(game, lang)
        self.subjects: dict[str, IndexSubject] = {}
        self.names_of_designs = piece_names(game, lang, problems)
        self._named: dict[str, tuple[str, ...]] = {}
        for design, name in self.names_of_designs.items():
            self._named[name] = tuple(dict.fromkeys((*self._named.get(name, ()), id_from_design(design, name))))

    def parse_text(self, content: str, places: Sequence[Place | None], within: str = "") -> Text:
        """Parse lines, each at its one of `places` (the last for all more). `within`: id of their glossary entry."""
        text, starts = _join_lines(content.replace(BAR, "|"), is_cjk(self._lang))

        def place(offset: int) -> Place | None:
            line = bisect_right(starts, offset) - 1
            return places[min(line, len(places) - 1)] if places else None

        marked: list[Term | Link | Mention | Icon] = []

        def stand_in(found: re.Match[str]) -> str:
            marked.append(self._read_mark(found, place(found.start()), within))
            return chr(_FIRST + (len(marked) - 1) % _MOST)

        parsed = _MARK.sub(stand_in, text)
        try:
            rich = parse_markup(self._icons_in(parsed), self._game.palette)
        except MarkupError as mistake:
            at = mistake.offset  # in the parsed text, where each mark is one character
            for found in _MARK.finditer(text):
                if found.start() >= at:
                    break
                at += len(found[0]) - 1
            self._problems.append(Problem(place(at), f"wrong markup: {mistake.what}", ""))
            return ()

        def find(written: str) -> Place | None:
            return place(max(text.find(written), 0))

        parts: list[Inline] = []
        for inline in rich:
            shown = self._check_reference(inline, find)
            known = self._named.get(shown.text) if isinstance(inline, Reference) and isinstance(shown, Plain) else None
            if known and isinstance(shown, Plain):
                parts.append(Mention(shown, known))
            else:
                parts += self._split_at_marks(shown, marked)
        text_read, lost = _attach_marks(self._expand_names(parts))
        for name in lost:
            what = f"the index mark for '{self.subjects[name].words}' is not next to a word"
            self._problems.append(Problem(place(0), what, "write it before a word of running text"))
        return text_read

    def read_plain(self, text: str, place: Place | None) -> Text:
        """Return a text from the game's data parsed like a book's, with problems at `place`."""
        return self.parse_text(text, [place])

    def phrase_text(self, name: str) -> Text:
        """Return the program's phrase `name` in this language as a text."""
        return (Plain(phrase(name, self._lang)),)

    def _read_mark(self, match: re.Match[str], place: Place | None, within: str) -> Term | Link | Mention | Icon:
        """Return a mark's term, link, index entry, or number of a callout or place; `within` as in `parse_text`."""
        shown, entry, words, anchor, subject, reading, part, spot = match.groups()
        if part:
            return self._numbers.mention_part(part.strip(), place)
        if spot:
            return self._places.mention_place(spot.strip(), place)
        if subject:
            mark = IndexSubject(subject.strip(), (reading or "").strip(), place)
            self.subjects[mark.id] = self.subjects[mark.id] if mark.id in self.subjects and not reading else mark
            return Mention(Plain(""), (mark.id,))
        if anchor:
            self.links.append((anchor, place))
            return Link(words or self._names.get(anchor, ""), anchor)
        defines = shown.startswith("=")
        if defines:
            # In a definition the entry comes first, followed by the words of the text.
            shown, entry = (entry or shown[1:]), shown[1:]
        name = (entry or shown).strip()
        known = self._terms.find_entry(name, within)
        if known is None:
            what = f"the term '{name}' is not in the glossary"
            self._problems.append(Problem(place, what, self._terms.suggest_entry(name)))
            return Term(shown, name)
        if defines:
            self._terms.define_entry(known, place, self._problems)
        own = shown != known.id or (entry and not defines)
        return Term(shown if own else known.term[self._lang], known.id, defines=defines)

    def _check_reference(self, inline: TextInline, find: Callable[[str], Place | None]) -> TextInline:
        """Return the element with legible icon colours. Report unknown icons, fonts and colours, placed by `find`."""
        game = self._game
        if isinstance(inline, Icon) and inline.name not in game.icons:
            what = f"unknown icon '{inline.name}'"
            place = find(f"{{{inline.name}}}")
            self._problems.append(Problem(place, what, did_you_mean(inline.name, game.icons)))
        elif isinstance(inline, Icon) and game.icons[inline.name].colour_tells:
            return Icon(inline.name, self._paints[inline.name], manner=inline.manner)
        family = "" if isinstance(inline, LineBreak) else inline.manner.family
        if family and family not in game.fonts:
            place = find(f"{{font={family}:")
            self._problems.append(Problem(place, f"unknown font family '{family}'", did_you_mean(family, game.fonts)))
            return Plain("")
        colour = "" if isinstance(inline, (Icon, LineBreak)) else inline.colour
        if colour and colour not in game.palette and colour != "ink":
            what = f"unknown colour '{colour}'"
            place = find(f"{{{colour}:")
            self._problems.append(Problem(place, what, did_you_mean(colour, [*game.palette, *MARKS])))
        if not isinstance(inline, Reference):
            return inline
        known = [design.id for design in game.designs()]
        if inline.component not in known:
            what = f"unknown component '{inline.component}'"
            place = find(f"{{@{inline.component}}}")
            self._problems.append(Problem(place, what, did_you_mean(inline.component, known)))
            return Plain(inline.component)
        name = piece_name(game, inline.component, self._lang)
        return Plain(name, inline.bold, inline.emphasis, inline.colour, inline.manner)

    def _split_at_marks(self, inline: TextInline, marked: Sequence[Term | Link | Mention | Icon]) -> Iterator[Inline]:
        """Yield the element with placeholders replaced by the terms and links in `marked`."""
        if not isinstance(inline, Plain):
            yield inline
            return
        for piece in filter(None, _STANDS.split(inline.text)):
            if not _STANDS.fullmatch(piece):
                yield from self.names.add_readings(inline._replace(text=piece))
                continue
            mark = marked[ord(piece) - _FIRST]
            yield replace(mark, bold=inline.bold) if isinstance(mark, Term) else mark

    def _expand_names(self, parts: Sequence[Inline]) -> Iterator[Inline]:
        """Yield the parts; component names in bold, or as the whole text, become mentions for the index."""
        number = count()  # words of equal weight and their readings are a run; other inlines are single
        runs = [
            [*run]
            for _, run in groupby(parts, lambda one: one.bold if isinstance(one, Plain | Ruby) else (next(number),))
        ]
        alone = sum(not _is_words(run[0]) or bool(_join_characters(run).strip()) for run in runs) == 1
        for run in runs:
            is_name = _is_words(run[0]) and (alone or getattr(run[0], "bold", False))
            name = _join_characters(run).strip(_AROUND) if is_name else ""
            yield from _mention_name(run, name, self._named[name]) if name in self._named else run


_AROUND = " \u3000.:。："


def _is_words(part: Inline) -> bool:
    return isinstance(part, (Plain, Ruby))


def _join_characters(run: Iterable[Inline]) -> str:
    return "".join("".join(part.base) if isinstance(part, Ruby) else getattr(part, "text", "") for part in run)


def _mention_name(run: Sequence[Inline], name: str, ids: tuple[str, ...]) -> Iterator[Inline]:
    """Yield the words of a component's name, the first one as a mention of the index entries `ids`."""
    named = False
    for part in run:
        if named or (isinstance(part, Plain) and not part.text.strip(_AROUND)):
            yield part
        elif isinstance(part, Plain):
            begin = len(part.text) - len(part.text.lstrip(_AROUND))
            end = min(begin + len(name), len(part.text))
            yield from (part._replace(text=text) for text in [part.text[:begin]] if text)
            yield Mention(part._replace(text=part.text[begin:end]), ids)
            yield from (part._replace(text=text) for text in [part.text[end:]] if text)
            named = True
        else:
            yield Mention(part, ids) if isinstance(part, Ruby) else part
            named = True


def _attach_marks(parts: Iterable[Inline]) -> tuple[Text, list[str]]:
    """Move each index mark onto the next word, or the last. Return the text, and marks that found no word."""
    done: list[Inline] = []
    waiting: list[str] = []
    for part in parts:
        if isinstance(part, Mention) and not part.text:
            waiting += part.ids
        elif waiting and isinstance(part, Ruby):
            done.append(Mention(part, tuple(waiting)))
            waiting = []
        elif waiting and isinstance(part, (Plain, Mention)) and (word := _WORD.search(part.text)):
            done += _mark_word(part, word, tuple(waiting))
            waiting = []
        else:
            done.append(part)
    for at in range(len(done) - 1, -1, -1) if waiting else ():
        part = done[at]
        if isinstance(part, Ruby):
            done[at], waiting = Mention(part, tuple(waiting)), []
            break
        words = [*_WORD.finditer(part.text)] if isinstance(part, (Plain, Mention)) else []
        if words and isinstance(part, (Plain, Mention)):
            done[at : at + 1] = _mark_word(part, words[-1], tuple(waiting))
            waiting = []
            break
    return tuple(done), waiting


def _mark_word(part: Plain | Mention, word: re.Match[str], ids: tuple[str, ...]) -> Iterator[Inline]:
    if isinstance(part, Mention):
        yield replace(part, ids=(*part.ids, *ids))
        return
    before, after = part.text[: word.start()], part.text[word.end() :]
    yield from (part._replace(text=text) for text in [before] if text)
    yield Mention(part._replace(text=word[0]), ids)
    yield from (part._replace(text=text) for text in [after] if text)


def _join_lines(content: str, cjk: bool) -> tuple[str, list[int]]:
    """Join lines, with spaces where the language needs them (`cjk`: few). Return the text and each line's offset."""
    text, starts = "", [0]
    for number, line in enumerate(content.split("\n")):
        own = line.strip()
        if number:
            broken = (len(text) - len(text.rstrip("\\"))) % 2
            text = f"{text[:-1].rstrip()}\\" if broken else text
            joined = not text or not own or (cjk and _join_without_space(text[-1], own[0]))
            text += "\n" if broken else "" if joined else " "
            starts.append(len(text))
        text += own
    return text, starts


def _join_without_space(last: str, first: str) -> bool:
    """Return True if lines ending in `last` and beginning with `first` join without a space: not if both are Latin."""
    latin = last.isascii() and (last.isalnum() or last in ",.;:!?")
    return not (latin and first.isascii() and first.isalnum())
