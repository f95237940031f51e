"""The deck that the bench prints: N distinct cards, the same for every run, and the project that describes them."""

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path

from vocabulary import ACTIONS, COUNTS, MANNERS, RIDERS, SUBJECTS, THINGS, WHENS

SEED = "print and play bench 1"
SHORTEST, LONGEST = 80, 86
"""Characters of a rules text."""

TITLE_SHORTEST, TITLE_LONGEST = 5, 8

TITLE = "試し刷り"
DRAFT = "1"
FONT = "BIZUDPGothic_400Regular.ttf"
PALETTE = {
    "parchment": "#f6efdd",
    "bronze": "#86602f",
    "sun": "#b45f06",
    "moon": "#3d4a8a",
    "wave": "#0b6e7f",
    "leaf": "#38761d",
    "star": "#8e1f4f",
}

ICONS: dict[str, tuple[str, ...]] = {
    "sun": (
        "M 50 28 C 62.2 28 72 37.8 72 50 C 72 62.2 62.2 72 50 72 C 37.8 72 28 62.2 28 50 C 28 37.8 37.8 28 50 28 Z",
        "M 46 22 L 50 4 L 54 22 Z M 46 78 L 50 96 L 54 78 Z M 22 46 L 4 50 L 22 54 Z M 78 46 L 96 50 L 78 54 Z",
        "M 27.4 33 L 17.5 17.5 L 33 27.4 Z M 67 27.4 L 82.5 17.5 L 72.6 33 Z",
        "M 72.6 67 L 82.5 82.5 L 67 72.6 Z M 33 72.6 L 17.5 82.5 L 27.4 67 Z",
    ),
    "moon": (
        "M 62 8 C 38 6 16 26 16 52 C 16 76 36 94 60 94 C 72 94 82 89 89 81 C 64 86 44 70 44 46 C 44 30 51 16 62 8 Z",
        "M 72 26 L 75 34 L 83 37 L 75 40 L 72 48 L 69 40 L 61 37 L 69 34 Z",
    ),
    "wave": (
        "M 4 40 C 16 20 30 20 42 40 C 54 60 68 60 96 34 L 96 46 C 70 72 52 70 40 50 C 30 34 18 34 8 50 Z",
        "M 4 66 C 16 46 30 46 42 66 C 54 86 68 86 96 60 L 96 72 C 70 98 52 96 40 76 C 30 60 18 60 8 76 Z",
        "M 64 14 C 70 14 75 19 75 25 C 75 31 70 36 64 36 C 58 36 53 31 53 25 C 53 19 58 14 64 14 Z",
    ),
    "leaf": (
        "M 86 10 C 50 8 18 26 16 62 C 16 70 18 76 22 82 C 34 52 50 40 68 32 C 52 46 38 62 30 86 C 70 90 88 56 86 10 Z",
        "M 28 84 L 16 96 L 10 92 L 22 80 Z",
    ),
    "star": (
        "M 50 6 L 61 38 L 95 38 L 68 58 L 78 91 L 50 71 L 22 91 L 32 58 L 5 38 L 39 38 Z",
        "M 82 8 C 86 8 89 11 89 15 C 89 19 86 22 82 22 C 78 22 75 19 75 15 C 75 11 78 8 82 8 Z",
    ),
}
"""Outlines in a square of 100 units, y down, in the card's commands M, L, C and Z alone."""

WIDTH, HEIGHT = 63.0, 88.0
"""The card, mm."""

TEMPLATE = """\
<svg xmlns="http://www.w3.org/2000/svg">
<rect x="3" y="3" width="57" height="82" rx="4" fill="parchment" stroke="bronze" stroke-width="0.6" data-role="frame"/>
<text x="7" y="13" font-family="body" font-size="20pt" fill="{{ card.icon }}">{{ card.number }}</text>
<g transform="rotate(180 31.5 44)">
<text x="7" y="13" font-family="body" font-size="20pt" fill="{{ card.icon }}">{{ card.number }}</text>
</g>
<use href="icon:{{ card.icon }}" x="20.5" y="14" width="22" height="22"/>
<use href="icon:{{ card.icon }}" x="50" y="6.5" width="6" height="6"/>
<textbox x="7" y="38" width="49" height="7" font-family="body" font-size="11pt" text-role="title" text-align="middle"
 valign="middle">{{ card.title }}</textbox>
<textbox x="7" y="47" width="49" height="24" font-family="body" font-size="7.5pt" line-height="1.5"
 text-align="start">{{ card.text }}</textbox>
<text x="7" y="78" font-family="body" font-size="5pt" fill="bronze">試し刷りの札 {{ card.number }}番</text>
<stamp x="7" y="81.5" font-size="4pt" text-anchor="start" fill="bronze"/>
</svg>
"""
"""The same picture as `floor.py` draws; a change here needs one there."""


@dataclass(frozen=True, slots=True)
class Card:
    """One card: a number from 1, an icon of five, a title and a rules text."""

    number: int
    icon: str
    title: str
    text: str


def cards(count: int) -> list[Card]:
    """The first `count` cards; no two rules texts are equal."""
    return list(islice(_cards(), count))


def _cards() -> Iterator[Card]:
    draw = random.Random(SEED)  # noqa: S311 - repeatable, not secret
    names = list(ICONS)
    number, seen = 1, set[str]()
    while True:
        title = _pick(draw, MANNERS) + _pick(draw, SUBJECTS)
        text = "".join(_filled(draw, _pick(draw, phrases)) for phrases in (WHENS, ACTIONS, WHENS, ACTIONS))
        rider = int(draw.random() * len(RIDERS))
        while len(text) < SHORTEST:
            text += _filled(draw, RIDERS[rider % len(RIDERS)])
            rider += 1
        fits = len(text) <= LONGEST and TITLE_SHORTEST <= len(title) <= TITLE_LONGEST
        if fits and text not in seen:
            seen.add(text)
            yield Card(number, names[number % len(names)], title, text)
            number += 1


def _pick(draw: random.Random, choices: Sequence[str]) -> str:
    # Of the generator's methods only random() promises the same numbers in every Python version.
    return choices[int(draw.random() * len(choices))]


def _filled(draw: random.Random, phrase: str) -> str:
    return phrase.format(thing=_pick(draw, THINGS), count=_pick(draw, COUNTS))


def write_project(folder: Path, count: int) -> None:
    """A project with the game `bench` of `count` cards, as `pnp sheets --project FOLDER` takes it."""
    files = {"data/bench/game.yaml": _game(), "data/bench/cards.yaml": _components(cards(count))}
    files["templates/bench/card.svg"] = TEMPLATE
    for name, outlines in ICONS.items():
        paths = "\n".join(f'<path d="{outline}" fill="currentColor"/>' for outline in outlines)
        svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">\n{paths}\n</svg>\n'
        files[f"templates/bench/icons/{name}.svg"] = svg
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")


def write_cards(path: Path, count: int) -> None:
    """The cards as JSON, which `floor.py` reads."""
    rows = [asdict(card) for card in cards(count)]
    path.write_text(json.dumps(rows, ensure_ascii=False), encoding="utf-8")


def _game() -> str:
    icons = "\n".join(f"  {name}: {{name: {name}, colour: {name}}}" for name in ICONS)
    palette = "\n".join(f'  {name}: "{colour}"' for name, colour in PALETTE.items())
    return f"""\
format: 1
title: {TITLE}
draft: "{DRAFT}"
date: 2026-11-20
languages: [ja]
players: {{fewest: 2, most: 4}}
credit: made for measuring
licence: the same as the program's
icons:
{icons}
palette:
{palette}
fonts:
  body: {{ja: {{regular: [{FONT}]}}}}
"""


def _components(deck: Sequence[Card]) -> str:
    head = f"""\
components:
  card:
    name: 札
    size: [{WIDTH:g}, {HEIGHT:g}]
    stated: {len(deck)}
    front: card
    fields:
      number: {{type: integer, min: 1}}
      icon: icon
      title: words
      text: words
    designs:
"""
    return head + "".join(
        f"      - id: c{card.number:04}\n        number: {card.number}\n        icon: {card.icon}\n"
        f"        title: {card.title}\n        text: {card.text}\n"
        for card in deck
    )
