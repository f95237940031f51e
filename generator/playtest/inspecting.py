"""A piece on the table told in full: which one is meant by a name or an id, and what it says."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from generator.errors import did_you_mean
from generator.games.engine.phrases import field_text, piece_name, zone_name
from generator.games.engine.table import Table
from generator.model.game import Design, Game
from generator.model.phrases import phrase
from generator.model.text import Words

Texts: TypeAlias = Callable[[Design, str], Mapping[str, str]]
"""What the texts of a design say in a language, by field, as they are printed."""

MOST_SHOWN = 5
"""So many pieces that a word may mean are told in full; of more there are only the names."""


def data_texts(design: Design, lang: str) -> dict[str, str]:
    """The texts of a design as the data have them: for who has no templates to fill them in."""
    return {name: value[lang] for name, value in design.fields.items() if isinstance(value, Words)}


class Inspector:
    """Tells what the pieces say that a seat sees."""

    def __init__(self, table: Table, seat: int, lang: str, texts: Texts):
        self._table, self._game, self._lang, self._texts = table, table.box.game, lang, texts
        self._where: dict[str, list[str]] = {}
        for zone, there in table.observed(seat).zones.items():
            for lying in there:
                if lying.piece:
                    self._where.setdefault(lying.piece.split("#")[0], []).append(zone)

    def answer(self, asked: str) -> Iterator[str]:
        """What is told of the pieces that are meant; what there is instead where none is."""
        found = self._matches(asked)
        if not found:
            names = {self._name(design): design for design in self._where}
            hint = did_you_mean(asked, names)
            yield phrase("play_unknown_piece", self._lang, text=asked, hint=hint if "?" in hint else "").rstrip()
        elif len(found) > MOST_SHOWN:
            names_of = phrase("and", self._lang).join(f"{self._name(one)} ({_short(one)})" for one in found)
            yield phrase("play_which_piece", self._lang, names=names_of)
        else:
            for one in found:
                yield from self._design_lines(self._game.design(one))

    def _name(self, design: str) -> str:
        return piece_name(self._game, design, self._lang)

    def _matches(self, asked: str) -> list[str]:
        """Those of this id or name, else those whose id or name begins so; those of the choice of this number."""
        chosen = self._of_choice(asked)
        if chosen:
            return chosen
        sought = asked.casefold()
        named = {one: (one.casefold(), _short(one).casefold(), self._name(one).casefold()) for one in self._where}
        exact = [one for one, names in named.items() if sought in names]
        return exact or [one for one, names in named.items() if any(name.startswith(sought) for name in names)]

    def _of_choice(self, asked: str) -> list[str]:
        """The pieces that a choice names: by its number, or by what its notation calls them."""
        table = self._table
        for number, move in enumerate(table.legal(), 1):
            values = table.rules.say(table.state, table.box, move).values.values()
            designs = [value.id for value in values if isinstance(value, Design)]
            words = table.write(move).split()[1:2] if len(designs) == 1 else []
            if designs and asked in (str(number), *words):
                return designs
        return []

    def _design_lines(self, design: Design) -> Iterator[str]:
        game, lang = self._game, self._lang
        kind = field_text(game, game.kinds[design.kind].name, lang)
        yield f"{self._name(design.id)} ({_short(design.id)}, {kind})"
        texts = self._texts(design, lang)
        for name, value in design.fields.items():
            said = texts.get(name, "") or (plain_value(game, value, lang) if is_shown(game, name) else "")
            if said and said != self._name(design.id):
                head = "  " if name in texts else f"  {label(game, name, lang)}: "
                yield from (f"{head}{line}" for line in said.split("\n") if line.strip())
        zones = dict.fromkeys(zone_name(game, zone, lang) for zone in self._where.get(design.id, ()))
        if zones:
            yield "  " + phrase("play_where", lang, zones=phrase("and", lang).join(zones))


def plain_value(game: Game, value: Any, lang: str) -> str:
    """A number, an icon, or a list of them; nothing for what only templates read."""
    if value is None or isinstance(value, (bool, Mapping)):
        return ""
    if isinstance(value, Sequence) and not isinstance(value, str):
        return phrase("and", lang).join(filter(None, (plain_value(game, part, lang) for part in value)))
    return field_text(game, value, lang) if isinstance(value, (int, str)) else ""


def is_shown(game: Game, field: str) -> bool:
    """Whether players care for a field: those that `words.fields` of the data names, or all where there are none."""
    known = game.sections.get("words", {}).get("fields", {})
    return not known or field in known


def label(game: Game, field: str, lang: str) -> str:
    """What a field is called: as `words.fields` of the data has it, else by its own name."""
    known: Any = game.sections.get("words", {}).get("fields", {}).get(field)
    return field_text(game, known, lang) if isinstance(known, Words) else field


def _short(design: str) -> str:
    return design.split("/")[1]
