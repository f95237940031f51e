"""A table thinks only so long for somebody who waits, counted in moves tried, and not for somebody who has left."""

import json
from cProfile import Profile
from http import HTTPStatus
from queue import SimpleQueue
from typing import Any
from urllib.parse import urlencode

import pytest
from serve_cases import PATIENCE, asking, opened, served
from table_cases import GAMES, ROOT, ask, room
from tests_support import TinyProject

from generator.base.errors import ProblemsFound
from generator.game.project import find_project
from generator.live import table_request
from generator.live.gallery import Gallery
from generator.live.routes import Reply, Routes, make_refusal
from generator.live.table_request import CountingRules
from generator.play.bot_registry import TableBots
from generator.rules.engine.table import Seed, Table


def choices_of_table(name: str, bots: str, **more: Any) -> list[int]:
    """The moves of a game that bots play, asked for until the page would ask no more."""
    moves: list[int] = []
    while True:
        told = ask(name, moves=moves, people="", bots=bots, **more)
        moves = told["moves"]
        if not told["more"]:
            return moves


@pytest.mark.parametrize("name", GAMES)
def test_rules_say_how_much_effort_a_move_takes(name: str) -> None:
    """The function calls that a bot needs to try a move are about 70 times what the rules say."""
    lent = room(name)._lend(name)
    assert lent is not None
    given = room(name)._find_rules(lent)[0]
    assert given is not None
    counted = CountingRules(given)
    table = Table(counted.rules, given.box(lent.workshop.game, GAMES[name], {}), Seed(1, 3))
    rest, bot = (TableBots(counted.rules, table.box, Seed(1, 3), (one,)) for one in ("random", "search:3"))
    while len(table.moves) < 10 or len(table.list_legal_moves()) < 2:
        table.apply(rest.choose(table.state, table.list_legal_moves()))
    counted.begin_choice()
    profile = Profile()
    profile.runcall(bot.choose, table.state, table.list_legal_moves())
    assert 70 / 3 < sum(entry.callcount for entry in profile.getstats()) / counted.tries < 70 * 3


def test_a_choice_that_takes_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer names the limit and a search that stays below it, the same each time; a hint by that one is given."""
    monkeypatch.setattr(table_request, "MOST_TRIES", 1000)
    said = []
    for _ in range(2):
        with pytest.raises(ProblemsFound) as found:
            ask("fortuna", "hint", bot="search:5000")
        said.append(str(found.value.problems[0]))
    assert said[0] == said[1]
    start, _, rest = said[0].partition("; take search:")
    assert start == "this choice takes too long at a table: the bot has tried more than 1,000 moves"
    playouts, _, rest = rest.partition(" ")
    assert rest == "or less, or use `pnp play`"
    assert int(playouts) > 10
    assert ask("fortuna", "hint", bot=f"search:{playouts}")["text"]


def test_a_choice_among_bots_is_refused_as_a_hint_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_request, "MOST_TRIES", 3200)
    with pytest.raises(ProblemsFound, match=r"more than 3,200 moves \(each counts 32 times in this game\)"):
        ask("xanadu", people="", bots="search:5000")


def test_an_answer_ends_when_bots_have_tried_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """It shows the moves so far, and that there are more; those who ask on see the very same game."""
    whole = choices_of_table("fortuna", "greedy")
    monkeypatch.setattr(table_request, "ENOUGH_TRIES", 20)
    told = ask("fortuna", people="", bots="greedy")
    assert 0 < len(told["moves"]) < len(whole)
    assert told["more"]
    assert choices_of_table("fortuna", "greedy") == whole


def test_nobody_thinks_for_who_has_left() -> None:
    """A search ends between two playouts; the next question is answered as if none had been given up."""
    routes = Routes(Gallery(find_project(ROOT, ROOT), ("fortuna",)))
    query = {"players": 3, "people": "1", "seed": "1/3", "lang": "en", "bots": "random"}
    target = f"/table/fortuna/hint?{urlencode({**query, 'bot': 'search:40'})}"
    asked: list[bool] = []

    def gone() -> bool:
        asked.append(len(asked) == 9)
        return asked[-1]

    left = json.loads(routes.answer(target, gone).body)
    assert left == {"problems": ["the page no longer waits for this answer; ask again"]}
    assert len(asked) == 10
    assert json.loads(routes.answer(target).body) == ask("fortuna", "hint", bot="search:40")


def test_a_closed_line_is_noticed_while_an_answer_is_made(tiny: TinyProject, monkeypatch: pytest.MonkeyPatch) -> None:
    said: SimpleQueue[bool] = SimpleQueue()

    def answer(target: str, gone: Any) -> Reply:
        said.put(gone())
        while target == "/long" and not gone():
            pass
        said.put(gone())
        return make_refusal(HTTPStatus.NOT_FOUND)

    with served(tiny.root) as client:
        monkeypatch.setattr(client.server.routes, "answer", answer)
        with opened(client, "/short") as line:
            assert line.recv(1000).startswith(b"HTTP/1.1 404")
            line.sendall(asking(client, "/short"))
            assert line.recv(1000).startswith(b"HTTP/1.1 404")
        assert not any(said.get(timeout=PATIENCE) for _ in range(4))
        with opened(client, "/long"):
            assert said.get(timeout=PATIENCE) is False
        assert said.get(timeout=PATIENCE) is True
