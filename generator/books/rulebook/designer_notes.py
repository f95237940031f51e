"""Designer notes: lists of unclear rules with their readings, of proposals, and of values still to be decided."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from generator.base.errors import Place, did_you_mean
from generator.base.languages import count_phrase, make_number_key, phrase
from generator.books.page.blocks import Block, Origin, Table, Text
from generator.books.rulebook.inline_text import InlineReader
from generator.books.rulebook.manuscript import BlockBody
from generator.books.rulebook.rulebook_play import FindingLines
from generator.drawing.faces.face_marks import HASH_SHOWN
from generator.drawing.templates.template_values import GameViews
from generator.game.data_fields import format_value
from generator.game.model import Design, Game, Kind, Reading, describe_reading
from generator.game.rich_text import DEFAULT_STYLE, MARKS, LineBreak, Plain
from generator.rules.engine.table import piece_name

OPEN = "provisional"
_LONGEST = 40
"""Maximum length of a value in a list of values (characters)."""


def list_open_values(game: Game, lang: str) -> Iterator[tuple[str, str]]:
    """Yield the data paths of values that the draft has not decided, each with its value if that is short."""
    for path, steps, section in iter_open_paths(game):
        yield path, format_short_value(get_value_at(section, steps[1:]), lang)


def iter_open_paths(game: Game) -> Iterator[tuple[str, list[str], Any]]:
    """Yield each undecided data path, its steps, and the content of its section in the game's files."""
    for path, status in game.marks.items():
        if status == OPEN:
            steps = path.split(".")
            section = game.places.get(steps[0])
            yield path, steps, section.value if section else None


def get_value_at(value: Any, steps: Iterable[str]) -> Any:
    """Return the value at a dotted path, with list entries by id or number."""
    for step in steps:
        if isinstance(value, Mapping):
            value = value.get(step, value.get(int(step)) if step.isdigit() else None)
        elif isinstance(value, list):
            named = [entry for entry in value if isinstance(entry, Mapping) and str(entry.get("id")) == step]
            value = named[0] if named else value[int(step)] if step.isdigit() else None
        else:
            return None
    return value


def format_short_value(value: Any, lang: str) -> str:
    """Return a value as one line for a list; '' if it is too long, or a mapping or nested list."""
    if isinstance(value, Mapping) and lang in value:
        value = value[lang]
    if isinstance(value, list) and all(isinstance(entry, (int, float, str)) for entry in value):
        value = ", ".join(map(str, value))
    if isinstance(value, (Mapping, list)):
        return ""
    text = str(value).lower() if isinstance(value, bool) else "" if value is None else " ".join(str(value).split())
    return text if len(text) <= _LONGEST and "{" not in text else ""


LANGUAGES = {"ja": "日本語", "en": "English", "de": "Deutsch", "fr": "français"}
"""Names of languages in themselves; other languages are shown by their code."""

COVER = ("title", "overview", "players", "minutes", "age")
"""Sections of game.yaml with facts about the game as a whole."""

_NAMES = ("title", "name")
"""Fields that are the name of a design, whose values need no label."""

_FIELDS = (*_NAMES, "text", "effects", "count", "note", "letter", "colour", "back", "front", "shape", "form", "size")
"""Fields that have a label in every game."""

_SAID_WHOLE = ("operations", "glossary", "examples", "moves", "zones")
"""Sections of which only the wording can be undecided; it is too long for a list."""


@dataclass(frozen=True, slots=True)
class ProposalRow:
    """One row in the list of proposals: its subject and lines in markup. `bare` are undescribed data paths."""

    name: str
    lines: tuple[str, ...]
    bare: tuple[str, ...] = ()


class ProposalLister:
    """Lists the undecided values of a game in one language; `says` describes data paths that have no name."""

    def __init__(self, game: Game, lang: str, views: GameViews, says: Mapping[str, str]):
        self._game, self._lang, self._views, self._says = game, lang, views, says
        known = [path for path, _, _ in iter_open_paths(game)]
        self._paths = [
            (path, steps, section)
            for path, steps, section in iter_open_paths(game)
            if not any(".".join(steps[:at]) in known for at in range(1, len(steps)))  # covered by an open path above
        ]

    def make_rows(self) -> Iterator[ProposalRow]:
        """Yield all rows, the game as a whole first."""
        sections = {steps[0] for _, steps, _ in self._paths}
        for name in COVER:
            if name in sections:
                yield ProposalRow(phrase(f"open_{name}", self._lang), (self._describe_fact(name),))
        for kind in self._game.kinds.values():
            lines = tuple(self._describe_kind(kind))
            if lines:
                yield ProposalRow(kind.name[self._lang], lines)
        if "icons" in sections:
            yield ProposalRow(phrase("open_icons", self._lang), tuple(self._describe_icons()))
        for name in ("rules", "words"):
            if name in sections:
                yield self._describe_section(name)
        others = [name for name in _SAID_WHOLE if name in sections]
        if others:
            counts = {section: len(getattr(self._game, section)) for section in others}
            lines = tuple(count_phrase(f"open_{section}", self._lang, count) for section, count in counts.items())
            yield ProposalRow(phrase("open_others", self._lang), lines)

    def list_wordless(self) -> list[str]:
        """Return the data paths without a name of their own, which a template may describe in `says`."""
        free = [path for path, steps, _ in self._paths if steps[0] in ("rules", "words")]
        fields = {
            f"components.{steps[1]}.{steps[4]}"
            for _, steps, _ in self._paths
            if len(steps) > 4 and steps[0] == "components" and steps[4] not in _FIELDS
        }
        return [*free, *sorted(fields)]

    def _describe_fact(self, name: str) -> str:
        game, lang = self._game, self._lang
        if name == "players":
            fewest, most = game.players.fewest, game.players.most
            return phrase("players_range", lang, fewest=fewest, most=most)
        if name == "minutes":
            return count_phrase("minutes", lang, game.minutes or 0)
        if name == "age":
            return phrase("age", lang, n=game.age)
        return str(self._views.make_game_variables(lang)["game"][name])

    def _describe_kind(self, kind: Kind) -> Iterator[str]:
        """Yield the lines about a kind of component: undecided properties, new designs, undecided fields."""
        whole, fields = list[str](), dict[tuple[str, str], list[tuple[Design, Any]]]()
        designs = {design.id.split("/")[1]: design for design in kind.designs}
        for _, steps, section in self._paths:
            if steps[:2] != ["components", kind.id]:
                continue
            if len(steps) == 2:
                yield phrase("open_whole", self._lang)
            elif steps[2] == "size":
                width, height = f"{kind.size.width:.3g}", f"{kind.size.height:.3g}"
                yield phrase("open_size", self._lang, width=width, height=height)
            elif steps[2] != "designs":
                yield phrase(f"open_field_{steps[2]}", self._lang) if steps[2] in _FIELDS else steps[2]
            elif len(steps) == 3:
                whole += designs
            elif len(steps) == 4:
                whole.append(steps[3])
            else:
                spoken = steps[5] if len(steps) > 5 and steps[5] in self._game.languages else ""
                value = get_value_at(section, steps[1:])
                fields.setdefault((steps[4], spoken), []).append((designs[steps[3]], value))
        if whole:
            names = self._join_names([self._name_design(designs[name]) for name in whole])
            yield count_phrase("open_designs", self._lang, len(whole), names=names)
        for (name, spoken), values in fields.items():
            yield self._describe_field(kind, name, spoken, values)

    def _describe_field(self, kind: Kind, name: str, spoken: str, values: Sequence[tuple[Design, Any]]) -> str:
        """Return a field's label, its language (code `spoken`) if another, and its designs, with values if short."""
        field = phrase(f"open_field_{name}", self._lang) if name in _FIELDS else name
        label = self._says.get(f"components.{kind.id}.{name}") or field
        if spoken and spoken != self._lang:
            label = phrase("open_spoken", self._lang, what=label, language=LANGUAGES.get(spoken, spoken))
        icon = name in kind.fields and kind.fields[name].type == "icon"
        shown = []
        for design, value in values:
            own = f"{{{value}}}" if icon else format_short_value(value, spoken or self._lang)
            shown.append(own if name in _NAMES and own else f"{self._name_design(design)} {own}".strip())
        return phrase("open_listed", self._lang, what=label, names=self._join_names(list(dict.fromkeys(shown))))

    def _describe_icons(self) -> Iterator[str]:
        """Yield lines about new icons, then about undecided letters, colours and names of icons."""
        whole, fields = list[str](), dict[str, list[str]]()
        for _, steps, section in self._paths:
            if steps[0] == "icons" and len(steps) < 3:
                whole += steps[1:] or self._game.icons
            elif steps[0] == "icons":
                value = format_short_value(get_value_at(section, steps[1:]), self._lang)
                shown = "" if steps[2] == "colour" else f" {value}"
                fields.setdefault(steps[2], []).append(f"{{{steps[1]}}}{shown}")
        if whole:
            icons = [f"{{{name}}} {self._game.icons[name].name[self._lang]}" for name in whole]
            yield count_phrase("open_designs", self._lang, len(whole), names=self._join_names(icons))
        for name, values in fields.items():
            label = phrase(f"open_field_{name}", self._lang) if name in _FIELDS else name
            yield phrase("open_listed", self._lang, what=label, names=self._join_names(values))

    def _describe_section(self, section: str) -> ProposalRow:
        """Return the undecided values of a section without a fixed form; paths without description are only named."""
        lines, texts, bare = list[str](), list[str](), list[str]()
        for path, steps, value in self._paths:
            if steps[0] != section:
                continue
            spoken = steps[-1] if steps[-1] in self._game.languages else self._lang
            icons, known = self._game.icons, get_value_at(value, steps[1:])
            if isinstance(known, list) and known and all(isinstance(entry, str) and entry in icons for entry in known):
                short = self._join_names([f"{{{entry}}} {icons[entry].name[spoken]}" for entry in known])
            else:
                short = format_short_value(known, spoken)
            if path in self._says:
                words = self._says[path]
                lines.append(phrase("open_listed", self._lang, what=words, names=short) if short else words)
            elif section == "words" and short:
                texts.append(phrase("quoted", self._lang, text=short))
            else:
                bare.append(path)
        if texts:
            lines.append(self._join_names(texts))
        return ProposalRow(phrase(f"open_{section}", self._lang), tuple(lines), tuple(bare))

    def _name_design(self, design: Design) -> str:
        return piece_name(self._game, design.id, self._lang)

    def _join_names(self, names: Sequence[str]) -> str:
        return phrase("and", self._lang).join(names)


_ANSWER = "→ "
_NOTICED = {"everyone": "●", "some": "○", "nobody": "–"}
"""Marks of readings: whether everyone, some or no players would notice another reading of an unclear rule."""

_SMALL = MARKS["small"](DEFAULT_STYLE)


class DesignerNotes:
    """Makes a book's designer notes; `views` fills values of the game into texts."""

    def __init__(self, game: Game, lang: str, inline: InlineReader, views: GameViews, found: FindingLines):
        self._game, self._lang, self._inline, self._views, self._found = game, lang, inline, views, found

    def list_readings(self, body: BlockBody) -> list[Block]:
        """Return each unclear rule with our reading and a list of undecided values, or only noticeable readings."""
        body.check_keys("noticed_by")
        readings = sorted(self._game.readings.values(), key=lambda one: make_number_key(one.id))
        if "noticed_by" in body:
            wanted = body.read_choice("noticed_by", _NOTICED, "some")
            return self._make_entries([one for one in readings if one.noticed_by == wanted], body)
        return [*self._make_entries(readings, body), *self._list_open(self._inline.phrase_text("left_open"), {}, body)]

    def rank_readings(self, body: BlockBody) -> list[Block]:
        """Return all unclear rules in the order in which to decide them, with what games between bots showed."""
        body.check_keys()
        rows: list[tuple[Text, ...]] = []
        alike: dict[str, list[str]] = {}
        for reading, verdict, found in self._found.rank_readings():
            if found:
                rows.append(((Plain(reading.id),), (Plain(found),)))
            else:
                alike.setdefault(verdict, []).append(reading.id)
        for verdict, names in alike.items():
            rows.append(((), (Plain(verdict, bold=True), LineBreak(), Plain(phrase("and", self._lang).join(names)))))
        head = ((Plain("E"),), self._inline.phrase_text("open_point"))
        return [Table(head, tuple(rows), ("left", "left"), origin=Origin(body.begins))] if rows else []

    def list_provisional(self, body: BlockBody) -> list[Block]:
        """Return a list of undecided values in words; the block's `says` describes those without a name."""
        body.check_keys("says")
        return self._list_open((), {str(name): str(text) for name, text in body.read_mapping("says").items()}, body)

    def make_state(self, body: BlockBody) -> list[Block]:
        """Return the state of the game: draft, date, a hash of its data, and the readings that are switched on."""
        body.check_keys()
        game = self._game
        rows: list[tuple[Text, ...]] = []
        if game.draft:
            rows.append((self._inline.phrase_text("state_draft"), (Plain(game.draft),), ()))
        if game.date:
            rows.append((self._inline.phrase_text("state_date"), (Plain(game.date),), ()))
        rows.append((self._inline.phrase_text("state_data"), (Plain(hash_game_data(game)),), ()))
        tables = dict.fromkeys(self._found.list_tables())
        rows += [(self._inline.phrase_text("state_games"), (Plain(told),), ()) for told in tables]
        for reading in sorted(game.readings.values(), key=lambda one: make_number_key(one.id)):
            if reading.switch and len(reading.choices) != 1:
                setting: Text = (Plain(f"{reading.switch}: {format_value(reading.value)}", manner=_SMALL),)
                value = self._inline.read_plain(self._phrase_choice(reading, reading.value), reading.place)
                rows.append(((Plain(reading.id),), value, setting))
        head = ((), self._inline.phrase_text("in_force"), ())
        return [Table(head, tuple(rows), ("left", "left", "left"), origin=Origin(body.begins))]

    def _make_entries(self, readings: list[Reading], body: BlockBody) -> list[Block]:
        if not readings:
            return []
        rows: list[tuple[Text, ...]] = []
        for reading in readings:
            who = (LineBreak(), Plain(_NOTICED[reading.noticed_by])) if reading.notices is not None else ()
            rows.append(((Plain(reading.id), *who), self._make_entry(reading)))
        parts = tuple(reading.place for reading in readings for _ in ("id", "reading"))
        head = ((Plain("E"),), self._inline.phrase_text("open_point"))
        return [Table(head, tuple(rows), ("left", "left"), origin=Origin(body.begins, parts))]

    def _make_entry(self, reading: Reading) -> Text:
        """Return an unclear rule, its reading, alternatives, who would notice, and the option that changes it."""
        said = self._fill_text(f"problem.{reading.id}", reading.problem[self._lang], reading.place)
        quoted = reading.passage and self._lang == self._game.languages[0]  # the draft's own words
        passage = (Plain(phrase("quoted", self._lang, text=reading.passage) + " "),) if quoted else ()
        lines: list[Text] = [(*passage, *self._inline.read_plain(said, reading.place))]
        said = self._fill_text(f"reading.{reading.id}", describe_reading(reading, self._lang), reading.place)
        bare = reading.switch and not reading.means and len(reading.choices) != 1
        switch = (Plain(f" ({reading.switch} = {format_value(reading.value)})"),) if bare else ()
        lines.append((Plain(_ANSWER, bold=True), *self._inline.read_plain(said, reading.place), *switch))
        others = [self._phrase_choice(reading, choice) for choice in reading.choices if choice != reading.value]
        if reading.means and others:
            choices = phrase("or_choice", self._lang).join(others)
            lines.append(self._inline.read_plain(phrase("other_choices", self._lang, choices=choices), reading.place))
        for example in self._game.list_examples_of(reading):
            if example.says:
                what = self._fill_text(f"example.{example.id}", example.says[self._lang], example.place)
                choice = self._phrase_choice(reading, example.options[reading.switch])
                told = phrase("shown_of" if len(others) > 1 else "shown_by", self._lang, choice=choice, what=what)
                lines.append(self._inline.read_plain(told, example.place))
        if reading.notices is not None:
            who = self._fill_text(f"notices.{reading.id}", reading.notices[self._lang], reading.place)
            told = who if reading.noticed_by == "nobody" else phrase("noticed", self._lang, who=who)
            lines.append(self._inline.read_plain(told, reading.place))
        lines += [(Plain(told, manner=_SMALL),) for told in self._found.list_lines(reading)]
        if reading.means and others:
            values = " · ".join(format_value(choice) for choice in reading.choices)
            lines.append((Plain(phrase("setting", self._lang, switch=reading.switch, values=values), manner=_SMALL),))
        return tuple(part for line in lines for part in (LineBreak(), *line))[1:]

    def _phrase_choice(self, reading: Reading, choice: object) -> str:
        """Return the data's words for the value `choice` of a switch, or the value itself if there are none."""
        name = format_value(choice)
        if name not in reading.means:
            return name
        return self._fill_text(f"means.{reading.id}", reading.means[name][self._lang], reading.place)

    def _list_open(self, caption: Text, says: dict[str, str], body: BlockBody) -> list[Block]:
        teller = ProposalLister(self._game, self._lang, self._views, says)
        wordless = teller.list_wordless()
        for name in (name for name in says if name not in wordless):
            body.add_problem(f"'{name}' needs no words", did_you_mean(name, wordless), "says", name)
        rows = tuple(((Plain(row.name, bold=True),), self._make_proposals(row)) for row in teller.make_rows())
        return [Table(((), ()), rows, ("left", "left"), caption, origin=Origin(body.begins))] if rows else []

    def _make_proposals(self, row: ProposalRow) -> Text:
        lines = [self._inline.read_plain(line, None) for line in row.lines]
        if row.bare:
            names = phrase("and", self._lang).join(row.bare)
            lines.append((Plain(phrase("open_bare", self._lang, names=names), manner=_SMALL),))
        return tuple(part for line in lines for part in (LineBreak(), *line))[1:]

    def _fill_text(self, name: str, text: str, place: Place | None) -> str:
        return str(self._views.make_view({"says": text}, name, self._lang, place)["says"])


def hash_game_data(game: Game) -> str:
    """Return the first digits of a hash of all game data, the same in every language."""
    said = {name: section.value for name, section in game.places.items() if name != "findings"}
    written = json.dumps(said, ensure_ascii=False, default=str)
    return hashlib.sha256(written.encode()).hexdigest()[:HASH_SHOWN]
