"""Two copies of a small game with a rulebook, of which a test changes the second; and their differences as short lines."""

import sys
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parent.parent / "rulebook"))

from rulebook_project import BookProject
from tests_support import STAR

from generator.game.project import find_project
from generator.versions.diff import DiffOrder, open_comparison
from generator.versions.differences import MISSING, Difference

MORE = """\
# What the small game has none of.
icons:
  star: {name: {ja: 星, en: Star}, colour: red}
operations:
  draw: {says: {ja: 1枚引く。, en: Draw a card.}}
words:
  rank: {ja: 強さ, en: Strength}
credits:
  - {role: {ja: 絵, en: Art}, name: Somebody}
checks:
  - id: C1
    says: {ja: 札は20枚。, en: There are 20 cards.}
    computed: count.card
    expected: "20"
"""

SAME_RULES = "  hand: 3\n"
RICHER = """\
  hand: 3
  costs: {gold: 2, silver: [1, 2]}
  steps: [{a: 1}, {a: 2}]
  rows:
    - {id: one, worth: 4}
    - {id: two, worth: 1}
"""


class DiffProject(BookProject):
    """The game with one thing of every sort that is compared."""

    def __init__(self, root: Path):
        super().__init__(root)
        self.write("data/higher/more.yaml", MORE)
        self.write("templates/higher/icons/star.svg", STAR)
        self.change("data/higher/glossary.yaml", SAME_RULES, RICHER)


def differences(since: Path, until: Path, *languages: str) -> Difference:
    """How two project folders differ."""
    project = find_project(since)
    order = DiffOrder(str(since), str(until), "higher", languages, lambda _root: True)
    with open_comparison(project, order, lambda _doing: None) as both:
        return both.found


def lines(found: Difference) -> list[str]:
    """Every difference in a line of its own: group, sort, id, then each value and each side that looks different."""
    said = []
    for group, entries in found.groups.items():
        for entry in entries:
            at = f"{group} {entry.sort} {entry.id}"
            parts = [
                f"{value.path}{f'({value.lang})' if value.lang else ''}: {_shown(value.old)} -> {_shown(value.new)}"
                for value in entry.values
            ]
            parts += [f"looks {face}({lang})" for face, lang in entry.looks]
            said += [f"{at} {part}" for part in parts] or [at]
    for (name, lang), changes in found.books.items():
        book = "book" if name == "rulebook" else name
        said += [f"{book}({lang}) {change.sort} {_text(change.old)} -> {_text(change.new)}" for change in changes]
    return said


def _shown(value: Any) -> str:
    return "" if value is MISSING else str(value)


def _text(sentence: Any) -> str:
    return sentence.text if sentence else ""
