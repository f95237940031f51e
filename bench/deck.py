"""The deck that the bench prints: N distinct cards, the same for every run, and the project that describes them."""

import hashlib
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any

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

PANEL, PANEL_ON_ART = (3.0, 3.0, 57.0, 82.0, 4.0), (5.0, 36.0, 53.0, 47.0, 2.0)
"""The rectangle under the texts, without and with art: left, top, width, height and radius, mm."""

COLUMNS = ROWS = 3
LEFT, TOP = (210 - COLUMNS * WIDTH) / 2, (297 - ROWS * HEIGHT) / 2
BLEED, STANDOFF, MARGIN = 3.0, 0.5, 5.0
"""The sheet, A4, mm."""

ART_SIZE = (744, 1039)
"""Pixels of a card at 300 dpi."""

Line = tuple[float, float, float, float]
"""x and y of both ends, mm from the upper left corner of the sheet."""

CHAPTER = 20
"""Cards of which a chapter of the book tells."""

FROM_CSV = 10_000
"""Larger decks come from a CSV file, as nobody writes so many cards in YAML."""

TEMPLATE = """\
<svg xmlns="http://www.w3.org/2000/svg">
PANEL fill="parchment" stroke="bronze" stroke-width="0.6" data-role="frame"/>
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
"""The same picture as the peers draw; a change here needs one there."""


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


def write_project(folder: Path, count: int, *, art: bool = False) -> None:
    """Write a project with the game `bench` of `count` cards, with a PNG on each card if `art` is set."""
    files = {"data/bench/game.yaml": _game(), "data/bench/cards.yaml": _components(cards(count), art)}
    left, top, width, height, radius = PANEL_ON_ART if art else PANEL
    panel = f'<rect x="{left:g}" y="{top:g}" width="{width:g}" height="{height:g}" rx="{radius:g}"'
    picture = f'<image href="{{{{ card.art }}}}" x="0" y="0" width="{WIDTH:g}" height="{HEIGHT:g}"/>\n' if art else ""
    files["templates/bench/card.svg"] = TEMPLATE.replace("PANEL", picture + panel)
    for name, outlines in ICONS.items():
        paths = "\n".join(f'<path d="{outline}" fill="currentColor"/>' for outline in outlines)
        svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">\n{paths}\n</svg>\n'
        files[f"templates/bench/icons/{name}.svg"] = svg
    if count > FROM_CSV:
        rows = (f"{_id(card)},{card.number},{card.icon},{card.title},{card.text}\n" for card in cards(count))
        files["data/bench/deck.csv"] = f"id,number,icon,title,text\n{''.join(rows)}"
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    if art:
        write_art(folder / "templates/bench/art", count)


def write_cards(path: Path, count: int, art: Path | None = None) -> None:
    """Write the cards as JSON for the peers, each with the path of its picture in the folder `art`."""
    pictures = [{"art": str(art / f"{_id(card)}.png")} if art else {} for card in cards(count)]
    rows = [asdict(card) | picture for card, picture in zip(cards(count), pictures, strict=True)]
    path.write_text(json.dumps(rows, ensure_ascii=False), encoding="utf-8")


def write_art(folder: Path, count: int) -> None:
    """Write a PNG of 300 dpi for each card: soft spots of colour, about 0.9 MB."""
    from PIL import Image  # peers without pillow import this module

    folder.mkdir(parents=True, exist_ok=True)
    draw = random.Random(SEED)  # noqa: S311 - repeatable, not secret
    for card in cards(count):
        spots = Image.frombytes("RGB", (21, 29), bytes(int(draw.random() * 256) for _ in range(21 * 29 * 3)))
        picture = spots.resize(ART_SIZE, Image.Resampling.BICUBIC)
        picture.save(folder / f"{_id(card)}.png", dpi=(300, 300), compress_level=1)


def make_digest(content: Any, length: int) -> str:
    """Return so many digits that change with the content."""
    return hashlib.sha256(repr(content).encode()).hexdigest()[:length]


def split_sheets(cards: list[dict[str, Any]]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yield the label and the cards of each sheet."""
    size = COLUMNS * ROWS
    sheets = [cards[start : start + size] for start in range(0, len(cards), size)]
    for number, sheet in enumerate(sheets, 1):
        digest = make_digest(sheet, 8)
        yield f"{TITLE} · 草案{DRAFT} · シート {number}/{len(sheets)} · 表 · ja · {digest}", sheet


def make_table_row(card: dict[str, Any]) -> tuple[str, str, str]:
    """Return the cells of a card's row in the long table."""
    return str(card["number"]), card["title"], card["text"][:30]


def make_cut_marks(slots: int) -> list[Line]:
    """Return the cut marks around the first `slots` places of a sheet."""
    columns, rows = min(slots, COLUMNS), -(-slots // COLUMNS)
    high, wide = (
        ((MARGIN, start - BLEED - STANDOFF), (size - start + BLEED + STANDOFF, size - MARGIN))
        for size, start in ((297, TOP), (210, LEFT))
    )
    down = [(LEFT + n * WIDTH, a, LEFT + n * WIDTH, b) for n in range(columns + 1) for a, b in high]
    return down + [(a, TOP + n * HEIGHT, b, TOP + n * HEIGHT) for n in range(rows + 1) for a, b in wide]


def make_rulers() -> tuple[list[Line], list[tuple[float, float, str]]]:
    """Return the lines of both rulers, and their captions with x and baseline."""
    lines: list[Line] = []
    captions, foot = [], MARGIN + 2.6
    for x, ticks, step, middle, major, caption in ((12.0, 50, 1.0, 5, 10, "50 mm"), (76.0, 16, 25.4 / 8, 4, 8, "2 in")):
        lines.append((x, foot, x + ticks * step, foot))
        for tick in range(ticks + 1):
            height = 2.2 if tick % major == 0 else 1.6 if tick % middle == 0 else 1.0
            lines.append((x + tick * step, foot, x + tick * step, foot - height))
        captions.append((x + ticks * step + 1, foot - 0.3, caption))
    return lines, captions


def break_lines(text: str, widths: dict[str, float], room: float) -> list[str]:
    """Return the text in lines of at most `room`, broken anywhere."""
    lines, start, used = [], 0, 0.0
    for at, char in enumerate(text):
        width = widths[char]
        if used + width > room:
            lines.append(text[start:at])
            start, used = at, 0.0
        used += width
    lines.append(text[start:])
    return lines


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


def _id(card: Card) -> str:
    return f"c{card.number:04}"


def _components(deck: Sequence[Card], art: bool) -> str:
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
"""
    if art:
        head += "      art: {type: picture, folder: art}\n"
    if len(deck) > FROM_CSV:
        return f"{head}    designs: deck.csv\n"
    return f"{head}    designs:\n" + "".join(
        f"      - id: {_id(card)}\n        number: {card.number}\n        icon: {card.icon}\n"
        f"        title: {card.title}\n        text: {card.text}\n"
        for card in deck
    )
