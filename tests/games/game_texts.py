"""The texts of a game as templates see them, for the tests that read every one of them."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from generator.drawing.templates.game_templates import Templates
from generator.drawing.templates.template_values import GameViews
from generator.game.model import Game
from generator.game.project import find_project
from generator.game.rich_text import Icon, Plain, Words, parse_markup

RESOURCES = find_project(Path(__file__).parent).resources


def faces_of(game: Game) -> Callable[[str, str], Mapping[str, Any]]:
    """What a template sees for the front of a design (its id) in a language."""
    templates = Templates(game.id, RESOURCES)
    views = GameViews(game, templates.expand_text, templates.functions)
    designs = {design.id: design for design in game.designs()}
    return lambda name, lang: views.make_variables(designs[name], "front", lang)


def texts_in(value: Any) -> Iterator[str]:
    """Every text below a value as templates see it."""
    if isinstance(value, (str, Words)):
        yield str(value)
    elif isinstance(value, tuple):
        for part in value:
            yield from texts_in(part)
    elif hasattr(value, "__iter__"):
        for name in value:
            yield from texts_in(value[name])


def every_text(game: Game) -> list[str]:
    """All texts in all languages, values filled in: of cards, sections, kinds, readings and checks."""
    faces, templates = faces_of(game), Templates(game.id, RESOURCES)
    texts = [
        text
        for lang in game.languages
        for design in game.designs()
        for text in texts_in(faces(design.id, lang)["card"])
    ]
    for lang in game.languages:
        face = faces(next(game.designs()).id, lang)
        texts += [text for section in ("words", "rules", "icons") for text in texts_in(face[section])]
        assert game.overview is not None
        known = [game.title, game.overview, *(kind.name for kind in game.kinds.values())]
        known += [part for reading in game.readings.values() for part in (reading.problem, reading.reading)]
        known += [check.says for check in game.checks]
        texts += [templates.expand_text(words[lang], face, None) for words in known]
    return texts


def check_markup(game: Game, text: str) -> None:
    """Nothing is left to be filled in, the markup can be read, and its icons exist."""
    assert "{{" not in text
    tree = parse_markup(text)
    assert {item.name for item in tree if isinstance(item, Icon)} <= set(game.icons)
    assert not any("**" in item.text for item in tree if isinstance(item, Plain)), text
