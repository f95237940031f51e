"""What the draft leaves open: each value with its path for templates, and a short list by section for players."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from generator.model.game import Game
from generator.model.phrases import count_phrase, phrase

OPEN = "provisional"
_LONGEST = 40
"""Characters of a value that a list of values still shows."""

_COVER = ("title", "overview", "players", "minutes", "age")
"""Sections that are facts about the game as a whole."""

_NAMED = ("components", "icons", "rules", "words", "operations", "glossary", "examples")
"""Sections that players know by a name; what is left is counted together."""


def open_values(game: Game, lang: str) -> Iterator[tuple[str, str]]:
    """The paths that the draft leaves open, each with its value on one line where that is short."""
    for path, steps, section in _open_paths(game):
        yield path, _short(_value(section, steps[1:]), lang)


def open_sections(game: Game, lang: str) -> list[tuple[str, str]]:
    """The sections with open values by their names, each with how many; those of components by kind."""
    amounts: dict[str, dict[str, int | None]] = {}
    paths = list(_open_paths(game))
    known = {path for path, _, _ in paths}
    for _, steps, section in paths:
        if any(".".join(steps[:at]) in known for at in range(1, len(steps))):
            continue  # counted with what it is a part of
        name = "cover" if steps[0] in _COVER else steps[0] if steps[0] in _NAMED else "others"
        kinds = amounts.setdefault(name, {})
        part = steps[1] if name == "components" and len(steps) > 1 else ""
        before = kinds.get(part, 0)
        whole = name in _NAMED and len(steps) == (2 if part else 1)
        kinds[part] = None if whole or before is None else before + _amount(_value(section, steps[1:]), game)
    order = [name for name in ("cover", *_NAMED, "others") if name in amounts]
    return [(phrase(f"open_{name}", lang), _amounts(amounts[name], game, lang)) for name in order]


def _open_paths(game: Game) -> Iterator[tuple[str, list[str], Any]]:
    """Each open path with its steps and what stands in its section."""
    for path, status in game.marks.items():
        if status == OPEN:
            steps = path.split(".")
            section = game.places.get(steps[0])
            yield path, steps, section.value if section else None


def _amounts(kinds: Mapping[str, int | None], game: Game, lang: str) -> str:
    """How many values are open, by the names of kinds where there are several."""
    said = []
    for kind, number in kinds.items():
        many = phrase("open_all", lang) if number is None else count_phrase("values", lang, number)
        name = game.kinds[kind].name[lang] if kind in game.kinds else kind
        said.append(f"{name} {many}" if name else many)
    return phrase("and", lang).join(said)


def _amount(value: Any, game: Game) -> int:
    """How many values a path leads to: the entries of what has entries, one for words in several languages."""
    if isinstance(value, Mapping) and not any(lang in value for lang in game.languages):
        return max(1, len(value))
    if isinstance(value, list) and any(isinstance(entry, Mapping) for entry in value):
        return len(value)
    return 1


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
    if isinstance(value, (Mapping, list)):
        return ""
    text = str(value).lower() if isinstance(value, bool) else "" if value is None else " ".join(str(value).split())
    return text if len(text) <= _LONGEST and "{" not in text else ""
