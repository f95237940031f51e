"""Story lines: how often games between bots come to each line of rules that are a story."""

from dataclasses import replace
from inspect import findsource

from generator.play.series import Series
from generator.rules.engine.contract import Box, Rules
from generator.rules.engine.kernel import INTERPRETED
from generator.rules.engine.story import Story

RUN = 1
"""The run of the games that are counted."""

GAMES = 2000
"""How many games are counted in rules of usual effort. They take three seconds."""


def choose_games(rules: Rules) -> int:
    """Return the number of random games in which lines are counted; fewer for rules in which a move takes long."""
    return max(100, GAMES // rules.effort)


def make_counting_rules(rules: Rules, story: Story) -> tuple[Rules, list[int]]:
    """Return interpreted rules that count how often each line of their rules file is run, and these counts by line."""
    seen = [0] * (len(findsource(story.game)[0]) + 1)
    counted = Story(story.game, story.state, story.deal, seen)
    set_up = counted.set_up
    if rules.set_up is not story.set_up:  # it calls `begin`
        begins = {name: counted.begin for name, value in rules.set_up.__globals__.items() if value is story.begin}
        set_up = INTERPRETED.bind(rules.set_up, "set_up_counted", begins)
    return replace(rules, set_up=set_up, legal=counted.legal, apply=counted.apply), seen


def count_lines(rules: Rules, story: Story, box: Box) -> list[int]:
    """Return how often each line of the rules file that has the story is run in `choose_games` random games."""
    counting, seen = make_counting_rules(rules, story)
    Series(counting, box, INTERPRETED, watch=False).game_figures(RUN, 0, choose_games(rules))
    return seen
