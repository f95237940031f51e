"""What the draft leaves open in words, row by row: the game as a whole, each kind, icons, rules, printed words."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from generator.dataclass import dataclass
from generator.games.engine.phrases import piece_name
from generator.model.game import Design, Game, Kind
from generator.model.phrases import count_phrase, phrase
from generator.rulebook.provisional import open_paths, short_value, value_at
from generator.templates.view import GameViews

LANGUAGES = {"ja": "日本語", "en": "English", "de": "Deutsch", "fr": "français"}
"""What languages call themselves; others are named by their code."""

COVER = ("title", "overview", "players", "minutes", "age")
"""Sections that are facts about the game as a whole."""

_NAMES = ("title", "name")
"""Fields that are what a design is called: their values stand for themselves."""

_FIELDS = (*_NAMES, "text", "effects", "count", "note", "letter", "colour", "back", "front", "shape", "form", "size")
"""Fields that have a word in every game."""

_SAID_WHOLE = ("operations", "glossary", "examples", "moves", "zones")
"""Sections of which only the wording is open, and too long for a list."""


@dataclass(frozen=True, slots=True)
class Proposals:
    """One row: what it is about, and its lines in the cards' markup. `bare` are paths that nobody has put in words."""

    name: str
    lines: tuple[str, ...]
    bare: tuple[str, ...] = ()


class ProposalTeller:
    """Tells them for one game in one language; `says` has words for paths that the data have none for."""

    def __init__(self, game: Game, lang: str, views: GameViews, says: Mapping[str, str]):
        self._game, self._lang, self._views, self._says = game, lang, views, says
        known = [path for path, _, _ in open_paths(game)]
        self._paths = [
            (path, steps, section)
            for path, steps, section in open_paths(game)
            if not any(".".join(steps[:at]) in known for at in range(1, len(steps)))  # told with what it is a part of
        ]

    def rows(self) -> Iterator[Proposals]:
        """All rows, the game as a whole first."""
        sections = {steps[0] for _, steps, _ in self._paths}
        for name in COVER:
            if name in sections:
                yield Proposals(phrase(f"open_{name}", self._lang), (self._fact(name),))
        for kind in self._game.kinds.values():
            lines = tuple(self._kind(kind))
            if lines:
                yield Proposals(kind.name[self._lang], lines)
        if "icons" in sections:
            yield Proposals(phrase("open_icons", self._lang), tuple(self._icons()))
        for name in ("rules", "words"):
            if name in sections:
                yield self._free(name)
        others = [name for name in _SAID_WHOLE if name in sections]
        if others:
            yield Proposals(phrase("open_others", self._lang), tuple(map(self._wording, others)))

    def unknown(self) -> list[str]:
        """What `says` has words for though it is not open, or nothing that needs them."""
        return [name for name in self._says if name not in self.wordless()]

    def wordless(self) -> list[str]:
        """The names that `says` may have words for."""
        free = [path for path, steps, _ in self._paths if steps[0] in ("rules", "words")]
        fields = {
            f"components.{steps[1]}.{steps[4]}"
            for _, steps, _ in self._paths
            if len(steps) > 4 and steps[0] == "components" and steps[4] not in _FIELDS
        }
        return [*free, *sorted(fields)]

    def _fact(self, name: str) -> str:
        game, lang = self._game, self._lang
        if name == "players":
            fewest, most = game.players.fewest, game.players.most
            return phrase("players_range", lang, fewest=fewest, most=most)
        if name == "minutes":
            return count_phrase("minutes", lang, game.minutes or 0)
        if name == "age":
            return phrase("age", lang, n=game.age)
        return str(self._views.of_game(lang)["game"][name])

    def _kind(self, kind: Kind) -> Iterator[str]:
        """The lines of a kind: what is open of all of it, designs that are ours, fields with the values of designs."""
        whole, fields = list[str](), dict[tuple[str, str], list[tuple[Design, Any]]]()
        designs = {design.id.split("/")[1]: design for design in kind.designs}
        for _, steps, section in self._paths:
            if steps[:2] != ["components", kind.id]:
                continue
            if len(steps) == 2:
                yield phrase("open_whole", self._lang)
            elif steps[2] != "designs":
                yield self._of_kind(kind, steps[2])
            elif len(steps) == 3:
                whole += designs
            elif len(steps) == 4:
                whole.append(steps[3])
            else:
                spoken = steps[5] if len(steps) > 5 and steps[5] in self._game.languages else ""
                value = value_at(section, steps[1:])
                fields.setdefault((steps[4], spoken), []).append((designs[steps[3]], value))
        if whole:
            names = self._list([self._name(designs[name]) for name in whole])
            yield count_phrase("open_designs", self._lang, len(whole), names=names)
        for (name, spoken), values in fields.items():
            yield self._field(kind, name, spoken, values)

    def _of_kind(self, kind: Kind, name: str) -> str:
        if name == "size":
            return phrase("open_size", self._lang, width=f"{kind.size.width:.3g}", height=f"{kind.size.height:.3g}")
        return phrase(f"open_field_{name}", self._lang) if name in _FIELDS else name

    def _field(self, kind: Kind, name: str, spoken: str, values: Sequence[tuple[Design, Any]]) -> str:
        """A field's word, then the designs with their values where these are short."""
        label = self._says.get(f"components.{kind.id}.{name}") or (
            phrase(f"open_field_{name}", self._lang) if name in _FIELDS else name
        )
        if spoken and spoken != self._lang:
            label = phrase("open_spoken", self._lang, what=label, language=LANGUAGES.get(spoken, spoken))
        icon = name in kind.fields and kind.fields[name].type == "icon"
        shown = []
        for design, value in values:
            own = f"{{{value}}}" if icon else short_value(value, spoken or self._lang)
            shown.append(own if name in _NAMES and own else f"{self._name(design)} {own}".strip())
        return phrase("open_listed", self._lang, what=label, names=self._list(list(dict.fromkeys(shown))))

    def _icons(self) -> Iterator[str]:
        """Icons that are ours as a whole, then letters, colours, names."""
        whole, fields = list[str](), dict[str, list[str]]()
        for _, steps, section in self._paths:
            if steps[0] == "icons" and len(steps) < 3:
                whole += steps[1:] or self._game.icons
            elif steps[0] == "icons":
                value = short_value(value_at(section, steps[1:]), self._lang)
                fields.setdefault(steps[2], []).append(
                    f"{{{steps[1]}}}" + ("" if steps[2] == "colour" else f" {value}")
                )
        if whole:
            icons = [f"{{{name}}} {self._game.icons[name].name[self._lang]}" for name in whole]
            yield count_phrase("open_designs", self._lang, len(whole), names=self._list(icons))
        for name, values in fields.items():
            label = phrase(f"open_field_{name}", self._lang) if name in _FIELDS else name
            yield phrase("open_listed", self._lang, what=label, names=self._list(values))

    def _free(self, section: str) -> Proposals:
        """Values of a section without fields: what `says` has words for, texts as they are, the rest by their paths."""
        lines, texts, bare = list[str](), list[str](), list[str]()
        for path, steps, value in self._paths:
            if steps[0] != section:
                continue
            spoken = steps[-1] if steps[-1] in self._game.languages else self._lang
            short = self._short(value_at(value, steps[1:]), spoken)
            if path in self._says:
                words = self._says[path]
                lines.append(phrase("open_listed", self._lang, what=words, names=short) if short else words)
            elif section == "words" and short:
                texts.append(phrase("quoted", self._lang, text=short))
            else:
                bare.append(path)
        if texts:
            lines.append(self._list(texts))
        return Proposals(phrase(f"open_{section}", self._lang), tuple(lines), tuple(bare))

    def _short(self, value: Any, spoken: str) -> str:
        """A value on one line; a list of icons with their names."""
        icons = self._game.icons
        if isinstance(value, list) and value and all(isinstance(entry, str) and entry in icons for entry in value):
            return self._list([f"{{{entry}}} {icons[entry].name[spoken]}" for entry in value])
        return short_value(value, spoken)

    def _wording(self, section: str) -> str:
        return count_phrase(f"open_{section}", self._lang, len(getattr(self._game, section)))

    def _name(self, design: Design) -> str:
        return piece_name(self._game, design.id, self._lang)

    def _list(self, names: Sequence[str]) -> str:
        return phrase("and", self._lang).join(names)
