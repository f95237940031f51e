"""Story pages: the rules as the program plays them, with the readings of each line and how often games come there."""

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from inspect import findsource

from generator.base.errors import Problem
from generator.base.languages import phrase
from generator.books.measure_names import name_bots
from generator.books.page.blocks import Block, Heading, Origin, Paragraph, Table, Text
from generator.books.rulebook.inline_text import InlineReader
from generator.books.rulebook.manuscript import BlockBody
from generator.books.rulebook.rulebook_play import RulebookPlay
from generator.game.game_cache import GameCache
from generator.game.model import Game, Reading
from generator.game.rich_text import DEFAULT_STYLE, MARKS, LineBreak, Plain
from generator.play.story_lines import RUN, choose_games, count_lines
from generator.rules.engine.contract import Rules
from generator.rules.engine.kernel import MARK, Kernel
from generator.rules.engine.story import Story, find_story
from generator.rules.engine.story_flow import find_definition
from generator.rules.registry import hash_rules

ANCHOR = "story"
_INDENT = "\u2003\u2003"
_SMALL = MARKS["small"](DEFAULT_STYLE)
_HEADING = re.compile(r"# (.+)")
_SIGNATURE = re.compile(r"def (\w+)\(s(?:: \w+)?, f(?:: \w+)?(?:, )?(.*)\).*:")
_SHARES = (0.74, 0.14, 0.12)
"""The share of the width of each column: the line, its readings, how often games come there."""


@dataclass
class _Row:
    """Lines to which games come equally often, and the readings that they ask."""

    often: str = ""
    lines: list[Text] = field(default_factory=list)
    ids: dict[str, None] = field(default_factory=dict)

    def make_cells(self) -> Iterator[tuple[Text, ...]]:
        """Yield the row of a table, unless it is empty."""
        if self.lines:
            words = tuple(part for line in self.lines for part in (LineBreak(), *line))[1:]
            yield words, (Plain(" ".join(self.ids), manner=_SMALL),), (Plain(self.often, manner=_SMALL),)


class StoryPages:
    """Makes a chapter of a game's story: its rules' lines with counts (cached in `kept`). `problems` gets faults."""

    def __init__(
        self,
        game: Game,
        lang: str,
        inline: InlineReader,
        played: RulebookPlay,
        problems: list[Problem],
        kept: GameCache | None,
    ):
        self._game, self._lang, self._inline, self._played, self._problems = game, lang, inline, played, problems
        self._kept = None if game.has_own_rules else kept

    def list_story(self, body: BlockBody) -> list[Block]:
        """Return a chapter with the story that the program plays; [] for a game without rules or a story."""
        body.check_keys()
        rules = self._played.load_rules(self._problems)
        story = find_story(rules) if rules is not None else None
        if rules is None or story is None:
            return []
        lang, players, origin = self._lang, self._game.players.most, Origin(body.begins)
        seats = phrase("players" if players > 1 else "lab_alone", lang, n=players)
        who = phrase("lab_at_table", lang, players=seats, bots=name_bots(("random",), lang))
        told = phrase("story_lead", lang, games=f"{choose_games(rules):,}", who=who, run=RUN)
        heads = tuple(self._inline.phrase_text(name) for name in ("story_line", "story_reading", "story_times"))
        rows = tuple(self._list_rows(story, self._count(rules, story, players), choose_games(rules)))
        return [
            Heading(1, self._inline.phrase_text("story_title"), ANCHOR, origin),
            Paragraph((Plain(told),), origin=origin),
            Table(heads, rows, ("left", "left", "right"), origin=origin, shares=_SHARES),
        ]

    def _count(self, rules: Rules, story: Story, players: int) -> list[int]:
        key = hash_rules(self._game, rules, players), choose_games(rules)
        known = self._kept.get("story-lines", list[int], *key) if self._kept is not None else None
        if known is None:
            known = self._played.count_once(lambda: count_lines(rules, story, rules.box(self._game, players, {})))
            if self._kept is not None:
                self._kept.put("story-lines", known, *key)
        return known

    def _list_rows(self, story: Story, seen: list[int], games: int) -> Iterator[tuple[Text, ...]]:
        """Yield rows: lines that games reach equally often, their readings, visits per game. `seen`: visits by line."""
        source, told, end = findsource(story.game)[0], set[str](), 0
        for function in story.functions:
            if function.__code__.co_filename != story.game.__code__.co_filename:
                continue
            tree = find_definition(function)
            for line in source[end : tree.lineno - 1] if end else ():
                if found := _HEADING.match(line):
                    yield (Plain(found[1], bold=True),), (), ()
            start, end = tree.body[0].lineno, tree.end_lineno or tree.lineno
            steps = {node.lineno for node in ast.walk(tree) if isinstance(node, ast.stmt)} - {tree.lineno, start}
            asked = _find_readings(self._game, function, tree)
            row, waiting = _Row(), list[Text]()
            for number in range(tree.lineno, end + 1):
                text = source[number - 1].rstrip()
                if number in steps:
                    average = seen[number] / games
                    often = f"{average:.0f}" if average >= 10 else f"{average:.2g}" if average else "–"
                    if often != row.often:
                        yield from row.make_cells()
                        row = _Row(often=often)
                    ids = asked.get(number, [])
                    row.lines += [*waiting, (*_format_line(text), *self._quote_passages(ids, told))]
                    row.ids |= dict.fromkeys(ids)
                    waiting = []
                elif text and text.strip() != "else:" and not text.lstrip().startswith("#"):
                    row.lines.append(_format_line(text))  # the head, or more of a long line
                elif text:
                    waiting.append(_format_line(text))
            yield from row.make_cells()

    def _quote_passages(self, ids: list[str], told: set[str]) -> Text:
        """Return the draft's words, quoted, for readings not yet in `told`, and add these; empty in other languages."""
        new = [self._game.readings[name] for name in ids if name not in told]
        told.update(ids)
        if self._lang != self._game.languages[0]:
            return ()
        quoted = [phrase("quoted", self._lang, text=one.passage) for one in new if one.passage]
        return (LineBreak(), Plain(_INDENT + "".join(quoted), manner=_SMALL)) if quoted else ()


def _format_line(text: str) -> Text:
    """Return a line of the story without what only the program needs, such as types."""
    words = text.strip()
    if head := _SIGNATURE.fullmatch(words):
        more = re.sub(r": \w+", "", head[2])
        return (Plain(head[1].replace("_", " ").capitalize() + (f" ({more})" if more else ""), bold=True),)
    depth = (len(text) - len(text.lstrip())) // 4
    said = words.strip('"') if words.startswith('"""') else words
    plain = Plain(_INDENT * depth + said, manner=_SMALL, emphasis=words.startswith(("#", '"""')))
    return (plain,)


def _find_readings(game: Game, function: Kernel, tree: ast.FunctionDef) -> Mapping[int, list[str]]:
    """Return the readings that each line of a function asks, by itself or in kernels that it calls."""
    switches = {one.switch: one for one in game.readings.values() if one.switch}
    found: dict[int, list[str]] = {}
    for step in (node for node in ast.walk(tree) if isinstance(node, (ast.Attribute, ast.Name))):
        called = function.__globals__.get(step.id) if isinstance(step, ast.Name) else None
        names = {step.attr} if isinstance(step, ast.Attribute) else set[str]()
        if called is not None and hasattr(called, MARK):
            names = _list_names(called, set())
        known = [one.id for name in sorted(names) if (one := _find_reading(name, switches))]
        found[step.lineno] = list(dict.fromkeys([*found.get(step.lineno, []), *known]))
    return {number: sorted(ids, key=lambda name: (len(name), name)) for number, ids in found.items()}


def _find_reading(name: str, switches: Mapping[str, Reading]) -> Reading | None:
    """Return the reading whose switch a rules' name tells: `deck_out`, `deck_out_reshuffle` for a choice; or None."""
    fitting = [switch for switch in switches if name == switch or name.startswith(f"{switch}_")]
    return switches[max(fitting, key=len)] if fitting else None


def _list_names(function: Kernel, seen: set[Kernel]) -> set[str]:
    """Return the global names in a kernel and in those that it calls; `seen` collects the kernels that were read."""
    seen.add(function)
    names = set(function.__code__.co_names)
    called = [function.__globals__.get(name) for name in sorted(names)]
    inner = (_list_names(one, seen) for one in called if one is not None and hasattr(one, MARK) and one not in seen)
    return names.union(*inner)
