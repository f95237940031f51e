"""What tests build on: a complete project of five cards to change and break, and how many examples are tried."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from hypothesis import settings

TINY_GAME = """\
format: 1
title: Tiny
draft: 1
date: 2026-01-31
languages: [en]
players: {fewest: 2, most: 4}
credit: Somebody
licence: all rights reserved
icons:
  star: {name: Star, colour: red}
components:
  card:
    name: Card
    size: [40, 60]
    front: card
    stated: 5
    fields:
      title: words
      value: {type: integer, min: 0, max: 9}
      mark: {type: icon, optional: true}
    designs:
      - {id: one, count: 2, title: One, value: 1, mark: star}
      - {id: two, count: 3, title: Two, value: 2}
setup:
  - {take: 1, from: card, each_player: true}
palette:
  red: "#c02020"
fonts:
  body: {en: {regular: [SourceSans3_400Regular.ttf]}}
"""

TINY_TEMPLATE = """\
<svg xmlns="http://www.w3.org/2000/svg">
  <rect x="-3" y="-3" width="46" height="66" fill="#f0e8d8" data-role="ground"/>
  <text x="5" y="10" font-family="body" font-size="12pt">{{ card.value }}</text>
  <textbox x="5" y="15" width="30" height="10" font-family="body" font-size="8pt">{{ card.title }}</textbox>
  {% if card.mark %}<use href="icon:{{ card.mark }}" x="15" y="30" width="10" height="10"/>{% endif %}
</svg>
"""

STAR = '<svg viewBox="0 0 100 100"><path d="M50 5 L95 95 L5 40 L95 40 L5 95 Z" fill="currentColor"/></svg>\n'


def examples(number: int) -> settings:
    """So many examples where a hundred are usual: a quarter of them in the fast suite, ten times as many to explore."""
    return settings(max_examples=max(1, number * settings().max_examples // 100))


def quick(cases: Iterable[Any], *fast: Any, rest: str = "slow") -> list[Any]:
    """All cases of a test: the `fast` ones, named by themselves or by their first value, and the `rest` with that mark."""
    found = [case if isinstance(case, tuple) else (case,) for case in cases]
    wanted = [case if isinstance(case, tuple) else (case,) for case in fast]
    chosen = [any(case[: len(one)] == one for one in wanted) for case in found]
    assert sum(chosen) >= len(wanted), f"no such case among {fast}"
    return [
        pytest.param(*case, marks=() if is_fast else getattr(pytest.mark, rest))
        for case, is_fast in zip(found, chosen, strict=True)
    ]


class TinyProject:
    """A complete project of five cards; tests change one thing in it and look what happens."""

    def __init__(self, root: Path):
        self.root = root
        self.write("data/tiny/game.yaml", TINY_GAME)
        self.write("templates/tiny/card.svg", TINY_TEMPLATE)
        self.write("templates/tiny/icons/star.svg", STAR)

    def write(self, name: str, text: str | bytes) -> Path:
        """Write a file of the project as careful editors do: who looks meanwhile sees the old one or the new one."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_name(f".{path.name}.new")
        beside.write_bytes(text.encode() if isinstance(text, str) else text)
        beside.replace(path)
        return path

    def change(self, name: str, old: str, new: str) -> None:
        text = (self.root / name).read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {name}"
        self.write(name, text.replace(old, new))


def page_count(pdf: bytes | Path) -> int:
    """How many pages a PDF has."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        return len(document)
    finally:
        document.close()
