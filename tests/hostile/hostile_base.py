"""A small game that has something of everything, in an empty folder: what bad inputs begin from."""

import io
import random
import zipfile
from collections.abc import Mapping
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).parents[2]

GAME = """\
format: 1
title: Lanterns
draft: 1
date: 2026-01-31
languages: [en]
players: {fewest: 2, most: 4}
credit: Somebody
licence: all rights reserved
rules_module: rules.py
"""

COMPONENTS = """\
icons:
  star: {name: Star, colour: red}
  moon: {name: Moon, colour: blue}
told_apart:
  - [star, moon]
components:
  card:
    name: Card
    size: [40, 60]
    front: card
    back: back
    stated: 20
    called: "the {strength}"
    fields:
      strength: {type: integer, min: 0, max: 99}
      title: words
      mark: {type: icon, optional: true}
    designs:
      - {id: one, count: 5, title: One, strength: 1, mark: star}
      - {id: two, count: 5, title: Two, strength: 2, mark: moon}
      - {id: three, count: 5, title: "Three of {star}", strength: 3}
      - {id: four, count: 5, title: "**Four** in *all*", strength: 4}
  lamp:
    name: Lamp
    size: [30, 30]
    front: lamp
    fields: {title: words, light: {type: choice, choices: [low, high], optional: true}}
    designs: lamps.csv
  coin:
    name: Coin
    form: token
    shape: round
    size: 16
    front: coin
    fields: {value: integer}
    designs:
      - {id: c1, count: 3, value: 1}
"""

REST = """\
rules: {hand: 3, tricks: [1, 2, 3]}
setup:
  - {take: 3, from: card, each_player: true}
words:
  aim: "Hold {{ rules.hand }} lights."
glossary:
  light: {term: light, says: "What a [[lamp]] gives."}
  lamp: {term: lamp, says: "A thing on the table."}
readings:
  - id: E1
    passage: "at least"
    problem: "At least or more than?"
    reading: "At least."
    switch: at_least
    value: true
    choices: [true, false]
checks:
  - {id: L-01, says: "There are twenty cards.", computed: "count('card')", expected: "20"}
provisional: [rules.hand]
"""

PLAY = """\
moves:
  play: "play {card}"
zones:
  deck: deck
  hand: "hand {n}"
  trick: trick
  won: "won by {n}"
examples:
  - id: X1
    says: "The highest card takes the trick."
    players: 2
    given: {hands: [[1, 2], [3, 4]]}
    do: [play one, play three]
    expect: {seat: 2}
"""

LOOK = """\
palette:
  red: "#c02020"
  blue: "#2040a0"
  paper: "#f8f0e0"
fonts:
  body: {en: {regular: [SourceSans3_400Regular.ttf], bold: [SourceSans3_700Bold.ttf]}}
  own: {en: {regular: [own.ttf]}}
"""

LAMPS = 'id,count,title,light\nhall,2,Hall lamp,low\ngate,1,Gate lamp,high\nyard,1,"Yard, by night",\n'

CARD = """\
<svg xmlns="http://www.w3.org/2000/svg">
  <rect x="-3" y="-3" width="46" height="66" fill="paper" data-role="ground"/>
  <text x="5" y="10" font-family="own" font-size="12pt">{{ card.strength }}</text>
  <textbox x="5" y="15" width="30" height="12" font-family="body" font-size="8pt">{{ card.title }}</textbox>
  {% if card.mark %}<use href="icon:{{ card.mark }}" x="15" y="30" width="10" height="10"/>{% endif %}
  <use href="art/hill.svg" x="5" y="42" width="14" height="10"/>
  <image href="art/photo.png" x="21" y="42" width="14" height="10"/>
</svg>
"""

LAMP = """\
<svg xmlns="http://www.w3.org/2000/svg">
  <rect x="-3" y="-3" width="36" height="36" fill="paper" data-role="ground"/>
  <textbox x="4" y="5" width="22" height="10" font-family="body" font-size="7pt">{{ card.title }}</textbox>
  <image href="art/photo.jpg" x="5" y="16" width="20" height="10"/>
</svg>
"""

COIN = """\
<svg xmlns="http://www.w3.org/2000/svg">
  <rect x="-3" y="-3" width="22" height="22" fill="paper" data-role="ground"/>
  <text x="8" y="11" text-anchor="middle" font-family="body" font-size="9pt">{{ card.value }}</text>
</svg>
"""

BACK = """\
<svg xmlns="http://www.w3.org/2000/svg">
  <rect x="-3" y="-3" width="46" height="66" fill="blue" data-role="ground"/>
  {% for n in range(3) %}<circle cx="20" cy="{{ 15 + 15 * n }}" r="4" fill="paper"/>{% endfor %}
</svg>
"""

HILL = """\
<svg viewBox="0 0 70 50">
  <defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="50" gradientUnits="userSpaceOnUse">
    <stop offset="0" stop-color="#88aadd"/><stop offset="1" stop-color="#ffffff"/></linearGradient></defs>
  <rect x="0" y="0" width="70" height="50" fill="url(#sky)"/>
  <path d="M0 50 L20 10 C30 5 40 20 45 30 Q50 15 60 20 L70 50 Z" fill="#406030"/>
  <g transform="rotate(10 35 25)"><polygon points="30,20 40,20 35,30" fill="#c02020" stroke="#000000"/></g>
</svg>
"""

STAR = '<svg viewBox="0 0 100 100"><path d="M50 5 L95 95 L5 40 L95 40 L5 95 Z" fill="currentColor"/></svg>\n'
MOON = (
    '<svg viewBox="0 0 100 100"><path d="M70 10 A45 45 0 1 0 70 90 A35 35 0 1 1 70 10 Z" fill="currentColor"/></svg>\n'
)

BOOK = """\
# Lanterns {#aim}

Hold {{ rules.hand }} lights, each a [[light]] of a [[lamp]].

## In the box {#box}

```components
```

```legend
of: icons
says:
{% for id in icons %}
  {{ id }}: "{{ count('card') }} cards"
{% endfor %}
```

1. Shuffle the cards {star}.
2. Deal {{ rules.hand }} to each, see [the box](#box).

| Lamp | Light |
|---|--:|
| hall | low |

```figure
show: row
of: [card/one, card/two]
height: 25
caption: "The {@card/one} is low."
alt: Cards.
```
"""

RULES = (ROOT / "tests" / "games" / "higher.py").read_text(encoding="utf-8")


def picture(form: str, size: tuple[int, int] = (140, 100), mode: str = "RGB") -> bytes:
    """A picture file of noise and colour, the same each time."""
    noise = random.Random(7)
    made = Image.new(mode, size)
    made.putdata([tuple(noise.randrange(256) for _ in made.getbands()) for _ in range(size[0] * size[1])])
    out = io.BytesIO()
    made.save(out, form)
    return out.getvalue()


def font() -> bytes:
    """A font of the user's own: one that comes with the program."""
    return (ROOT / "fonts" / "Cinzel_700Bold.ttf").read_bytes()


def workbook(cells: Mapping[str, Mapping[str, str]], *, extra: str = "") -> bytes:
    """A workbook of inline texts: by sheet's name, cells by address; `extra` is markup at the end of the first sheet."""
    out = io.BytesIO()
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006"
    part = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    names = list(cells)
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as book:
        types = "".join(
            f'<Override PartName="/xl/worksheets/sheet{n}.xml" ContentType="{part}.worksheet+xml"/>'
            for n in range(1, len(names) + 1)
        )
        book.writestr(
            "[Content_Types].xml",
            f'<Types xmlns="{package}/content-types">'
            '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            '<Default Extension="xml" ContentType="application/xml"/>'
            f'<Override PartName="/xl/workbook.xml" ContentType="{part}.sheet.main+xml"/>{types}</Types>',
        )
        book.writestr(
            "_rels/.rels",
            f'<Relationships xmlns="{package}/relationships"><Relationship Id="r1" '
            f'Type="{office}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        )
        sheets = "".join(f'<sheet name="{name}" sheetId="{n}" r:id="r{n}"/>' for n, name in enumerate(names, 1))
        book.writestr(
            "xl/workbook.xml", f'<workbook xmlns="{main}" xmlns:r="{office}"><sheets>{sheets}</sheets></workbook>'
        )
        links = "".join(
            f'<Relationship Id="r{n}" Type="{office}/worksheet" Target="worksheets/sheet{n}.xml"/>'
            for n in range(1, len(names) + 1)
        )
        book.writestr(
            "xl/_rels/workbook.xml.rels", f'<Relationships xmlns="{package}/relationships">{links}</Relationships>'
        )
        for n, name in enumerate(names, 1):
            rows: dict[int, list[str]] = {}
            for address, value in cells[name].items():
                row = int("".join(sign for sign in address if sign.isdecimal()))
                rows.setdefault(row, []).append(f'<c r="{address}" t="inlineStr"><is><t>{value}</t></is></c>')
            body = "".join(f'<row r="{row}">{"".join(found)}</row>' for row, found in rows.items())
            more = extra if n == 1 else ""
            book.writestr(
                f"xl/worksheets/sheet{n}.xml",
                f'<worksheet xmlns="{main}"><sheetData>{body}{more}</sheetData></worksheet>',
            )
    return out.getvalue()


def base() -> dict[str, bytes]:
    """All files of the game by name."""
    texts = {
        "data/lanterns/game.yaml": GAME, "data/lanterns/components.yaml": COMPONENTS, "data/lanterns/rest.yaml": REST,
        "data/lanterns/play.yaml": PLAY, "data/lanterns/look.yaml": LOOK, "data/lanterns/lamps.csv": LAMPS,
        "data/lanterns/rules.py": RULES, "templates/lanterns/card.svg": CARD, "templates/lanterns/lamp.svg": LAMP,
        "templates/lanterns/coin.svg": COIN, "templates/lanterns/back.svg": BACK,
        "templates/lanterns/art/hill.svg": HILL, "templates/lanterns/icons/star.svg": STAR,
        "templates/lanterns/icons/moon.svg": MOON, "templates/lanterns/rulebook.en.md": BOOK,
    }  # fmt: skip
    files = {name: text.encode() for name, text in texts.items()}
    files["templates/lanterns/art/photo.png"] = picture("PNG", mode="RGBA")
    files["templates/lanterns/art/photo.jpg"] = picture("JPEG")
    files["fonts/own.ttf"] = font()
    return files
