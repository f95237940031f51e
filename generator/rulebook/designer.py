"""What a book tells its game's designer: readings, who would notice others, proposals, the state of the game."""

import hashlib
import json
import re

from generator.errors import Place, did_you_mean
from generator.faces.stamp import HASH_SHOWN
from generator.model.data_fields import value_name
from generator.model.game import Game, Reading
from generator.model.markup import MARKS
from generator.model.phrases import phrase
from generator.model.text import USUAL, LineBreak, Plain
from generator.pages.blocks import Block, Origin, Table, Text
from generator.rulebook.fenced import Body
from generator.rulebook.inline import InlineReader
from generator.rulebook.makers.found import FoundLines
from generator.rulebook.proposals import Proposals, ProposalTeller
from generator.templates.view import GameViews

_ANSWER = "→ "
_NOTICED = {"everyone": "●", "some": "○", "nobody": "–"}
"""The marks of entries, by who would notice another reading."""

_SMALL = MARKS["small"](USUAL)


class DesignerNotes:
    """Makes it for one book; texts of the data have their values filled in by `views`."""

    def __init__(self, game: Game, lang: str, inline: InlineReader, views: GameViews, found: FoundLines):
        self._game, self._lang, self._inline, self._views, self._found = game, lang, inline, views, found

    def readings(self, body: Body) -> list[Block]:
        """Every unclear passage by number, with its reading; those alone that so many would notice, where it says so.

        Where it does not, the values that the draft leaves open follow.
        """
        body.keys("noticed_by")
        readings = sorted(self._game.readings.values(), key=_by_number)
        if "noticed_by" in body:
            wanted = body.choice("noticed_by", _NOTICED, "some")
            return self._entries([one for one in readings if one.noticed_by == wanted], body)
        return [*self._entries(readings, body), *self._left_open(self._say("left_open"), {}, body)]

    def provisional(self, body: Body) -> list[Block]:
        """What the draft leaves open, in words; `says` has those that the data lack."""
        body.keys("says")
        return self._left_open((), {str(name): str(text) for name, text in body.mapping("says").items()}, body)

    def state(self, body: Body) -> list[Block]:
        """Which state of the game this is: draft, date, a hash of its data, and the readings in force."""
        body.keys()
        game = self._game
        rows: list[tuple[Text, ...]] = []
        if game.draft:
            rows.append((self._say("state_draft"), _plain(game.draft), ()))
        if game.date:
            rows.append((self._say("state_date"), _plain(game.date), ()))
        rows.append((self._say("state_data"), _plain(data_hash(game)), ()))
        rows += [(self._say("state_games"), _plain(told), ()) for told in dict.fromkeys(self._found.tables())]
        for reading in sorted(game.readings.values(), key=_by_number):
            if reading.switch and len(reading.choices) != 1:
                setting: Text = (Plain(f"{reading.switch}: {value_name(reading.value)}", manner=_SMALL),)
                rows.append((_plain(reading.id), self._in_force(reading), setting))
        head = ((), self._say("in_force"), ())
        return [Table(head, tuple(rows), ("left", "left", "left"), origin=Origin(body.begins))]

    def _entries(self, readings: list[Reading], body: Body) -> list[Block]:
        rows = tuple((self._number(reading), self._entry(reading)) for reading in readings)
        if not rows:
            return []
        parts = tuple(reading.place for reading in readings for _ in ("id", "reading"))
        head = (_plain("E"), self._say("open_point"))
        return [Table(head, rows, ("left", "left"), origin=Origin(body.begins, parts))]

    def _number(self, reading: Reading) -> Text:
        """The number of an entry; below it the mark of who would notice, where the data tell."""
        if reading.notices is None:
            return _plain(reading.id)
        return (Plain(reading.id), LineBreak(), Plain(_NOTICED[reading.noticed_by]))

    def _entry(self, reading: Reading) -> Text:
        """What is unclear, how it is read, how else it could be, who would notice, and the switch that changes it."""
        lines = [self._problem(reading), self._reading(reading)]
        others = [self._choice(reading, choice) for choice in reading.choices if choice != reading.value]
        if reading.means and others:
            choices = phrase("or_choice", self._lang).join(others)
            lines.append(self._inline.plain(phrase("other_choices", self._lang, choices=choices), reading.place))
        if reading.notices is not None:
            who = self._fill_text(f"notices.{reading.id}", reading.notices[self._lang], reading.place)
            told = who if reading.noticed_by == "nobody" else phrase("noticed", self._lang, who=who)
            lines.append(self._inline.plain(told, reading.place))
        lines += [(Plain(told, manner=_SMALL),) for told in self._found.lines(reading)]
        if reading.means and others:
            values = " · ".join(value_name(choice) for choice in reading.choices)
            lines.append((Plain(phrase("setting", self._lang, switch=reading.switch, values=values), manner=_SMALL),))
        return tuple(part for line in lines for part in (LineBreak(), *line))[1:]

    def _problem(self, reading: Reading) -> Text:
        """What is unclear; the draft's own words stand before it in the book of the language that it is written in."""
        said = self._fill_text(f"problem.{reading.id}", reading.problem[self._lang], reading.place)
        quoted = reading.passage and self._lang == self._game.languages[0]
        passage = (Plain(phrase("quoted", self._lang, text=reading.passage) + " "),) if quoted else ()
        return (*passage, *self._inline.plain(said, reading.place))

    def _reading(self, reading: Reading) -> Text:
        said = self._fill_text(f"reading.{reading.id}", reading_words(reading, self._lang), reading.place)
        bare = reading.switch and not reading.means and len(reading.choices) != 1
        switch = (Plain(f" ({reading.switch} = {value_name(reading.value)})"),) if bare else ()
        return (Plain(_ANSWER, bold=True), *self._inline.plain(said, reading.place), *switch)

    def _in_force(self, reading: Reading) -> Text:
        return self._inline.plain(self._choice(reading, reading.value), reading.place)

    def _choice(self, reading: Reading, choice: object) -> str:
        """A value of a switch in words; as it is written where the data have none."""
        name = value_name(choice)
        if name not in reading.means:
            return name
        return self._fill_text(f"means.{reading.id}", reading.means[name][self._lang], reading.place)

    def _left_open(self, caption: Text, says: dict[str, str], body: Body) -> list[Block]:
        teller = ProposalTeller(self._game, self._lang, self._views, says)
        for name in teller.unknown():
            body.problem(f"'{name}' needs no words", did_you_mean(name, teller.wordless()), "says", name)
        rows = tuple(((Plain(row.name, bold=True),), self._proposals(row)) for row in teller.rows())
        return [Table(((), ()), rows, ("left", "left"), caption, origin=Origin(body.begins))] if rows else []

    def _proposals(self, row: Proposals) -> Text:
        lines = [self._inline.plain(line, None) for line in row.lines]
        if row.bare:
            names = phrase("and", self._lang).join(row.bare)
            lines.append((Plain(phrase("open_bare", self._lang, names=names), manner=_SMALL),))
        return tuple(part for line in lines for part in (LineBreak(), *line))[1:]

    def _fill_text(self, name: str, text: str, place: Place | None) -> str:
        return str(self._views.entry({"says": text}, name, self._lang, place)["says"])

    def _say(self, name: str) -> Text:
        return _plain(phrase(name, self._lang))


def reading_words(reading: Reading, lang: str) -> str:
    """The reading as a sentence; where another than the first of its choices is in force, that this is so."""
    if reading.switch and reading.choices and reading.value != reading.choices[0]:
        name = value_name(reading.value)
        return phrase("other_reading", lang, value=reading.means[name][lang] if name in reading.means else name)
    return reading.reading[lang]


def data_hash(game: Game) -> str:
    """The first digits of a hash of all that the data say: the same in every language."""
    said = {name: section.value for name, section in game.places.items() if name != "findings"}
    written = json.dumps(said, ensure_ascii=False, default=str)
    return hashlib.sha256(written.encode()).hexdigest()[:HASH_SHOWN]


def _by_number(reading: Reading) -> list[tuple[int, str]]:
    """E2 before E10, and E3b after E3."""
    return [(int(number or 0), word) for number, word in re.findall(r"(\d*)(\D*)", reading.id)]


def _plain(words: str) -> Text:
    return (Plain(words),)
