"""The table's texts stand out from their ground, and a table thinks only so long for somebody who waits."""

import json
import re
from cProfile import Profile
from http import HTTPStatus
from queue import SimpleQueue
from typing import Any
from urllib.parse import urlencode

import pytest
from serve_cases import PATIENCE, asking, opened, served
from table_cases import GAMES, ROOT, ask, room
from tests_support import TinyProject

from generator.base.colour import Rgb, hex_from_rgb, light_from_rgb, measure_contrast, rgb_from_hex, srgb_from_linear
from generator.base.errors import ProblemsFound
from generator.game.project import find_project
from generator.live import table_request
from generator.live.gallery import Gallery
from generator.live.routes import Reply, Routes, make_refusal
from generator.live.table_request import CountingRules
from generator.play.bot_registry import TableBots
from generator.rules.engine.table import Seed, Table

LEAST = 4.5
"""What WCAG 2 asks of text that is not large."""

DARK = "@media (prefers-color-scheme: dark)"
CLOTHS = ("var(--cloth)", "var(--cloth-deep)")

TEXTS = {
    "the panel": (("body", ".status"), ("var(--ground)",)),
    "the turn bar": (("body", ".status"), (".turn-bar.own-turn",)),
    "a label on the cloth": ((".place .label",), CLOTHS),
    "a label of one's own": ((".place .label",), tuple(f"{cloth} | .area.own" for cloth in CLOTHS)),
    "a label of one's own at the edge": ((".place .label",), (".own.stays",)),
    "a label of the others": ((".place .label",), tuple(f"{cloth} | .area.other" for cloth in CLOTHS)),
    "a seat": ((".tab", ".tab .who"), (".tab",)),
    "the seat at turn": ((".at-turn .tab", ".at-turn .tab .who"), (".at-turn .tab",)),
    "a number": ((".number",), (".number",)),
    "a move": (("body", ".moves kbd"), ("button", ".moves button:hover", ".moves .hinted")),
    "the log": ((".log li",), ("var(--ground)",)),
    "what is new in the log": ((".log li.fresh",), ("var(--ground) | .log li.fresh",)),
    "a key": (("kbd",), ("kbd",)),
    "a note": (("body",), (".banner.note",)),
    "a problem": ((".banner.bad",), (".banner.bad",)),
    "the first button": ((".primary",), (".primary",)),
    "what hides the table": ((".curtain",), (".curtain",)),
    "its button": ((".curtain .primary",), (".curtain .primary",)),
    "small print in a dialog": ((".soft", ".begin legend"), ("var(--sheet)",)),
}
"""By what it is: the rules that colour it; the grounds, each of layers from the lowest to the highest."""


class Sheets:
    """The colours of the table's style sheets for a game's accent, in one of the two schemes."""

    def __init__(self, accent: str, *, dark: bool):
        texts = [
            (ROOT / "generator/live/page" / name).read_text(encoding="utf-8") for name in ("style.css", "play.css")
        ]
        text = re.sub(r"/\*.*?\*/", "", "\n".join(texts), flags=re.DOTALL)
        night = "".join(re.findall(re.escape(DARK) + r"\s*\{((?:[^{}]*\{[^{}]*\})*)\s*\}", text))
        day = re.sub(r"@media[^{]*\{(?:[^{}]*\{[^{}]*\})*\s*\}", "", text)
        self._rules = re.findall(r"([^{}]+)\{([^{}]*)\}", day)
        rules = [*self._rules, *(re.findall(r"([^{}]+)\{([^{}]*)\}", night) if dark else ())]
        own = [body for names, body in rules if names.strip() in (":root", ".playing")]
        self._named = {name: value for body in own for name, value in re.findall(r"(--[\w-]+):\s*([^;]+);", body)}
        self._named["--game"] = accent

    def colour(self, rule: str, *, of: str = "color") -> str:
        """What the last rule of that name says."""
        found = [
            value
            for names, body in self._rules
            if rule in [" ".join(one.split()) for one in names.split(",")]
            for value in re.findall(rf"(?:^|;)\s*{of}:\s*([^;]+)", body)
        ]
        assert found, (rule, of)
        return str(found[-1])

    def ground(self, layers: str) -> Rgb:
        """The colour of layers above each other: variables, and the backgrounds of rules."""
        below: Rgb = (0.0, 0.0, 0.0)
        for layer in layers.split(" | "):
            value = layer if layer.startswith("var(") else self.colour(layer, of="background")
            plain = [part for part in _split(value) if not part.startswith(("repeating-", "radial-"))]
            below = _over(below, self.value(plain[-1]))
        return below

    def value(self, written: str) -> tuple[Rgb, float]:
        """A colour and how dense it is, 0 to 1."""
        written = written.strip()
        if written == "transparent":
            return (0.0, 0.0, 0.0), 0.0
        if written.startswith("var("):
            return self.value(self._named[written[4:-1]])
        if written.startswith("color-mix(in oklab,"):
            one, two = _split(written.removeprefix("color-mix(in oklab,").removesuffix(")"))
            first, share = one.rsplit(" ", 1) if one.endswith("%") else (one, "")
            second, rest = two.rsplit(" ", 1) if two.endswith("%") else (two, "")
            part = float(share[:-1]) / 100 if share else 1 - float(rest[:-1]) / 100
            return _mixed(self.value(first), self.value(second), part)
        digits = written.removeprefix("#")
        digits = "".join(digit * 2 for digit in digits) if len(digits) < 6 else digits
        return rgb_from_hex(f"#{digits[:6]}"), int(digits[6:] or "ff", 16) / 255


def _split(written: str) -> list[str]:
    """The parts between commas that stand in no brackets."""
    parts, depth = [""], 0
    for letter in written:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]


def _over(below: Rgb, laid: tuple[Rgb, float]) -> Rgb:
    rgb, dense = laid
    red, green, blue = (under + (over - under) * dense for under, over in zip(below, rgb, strict=True))
    return red, green, blue


TO_CONES = ((0.4122214708, 0.5363325363, 0.0514459929), (0.2119034982, 0.6806995451, 0.1073969566), (0.0883024619, 0.2817188376, 0.6299787005))  # fmt: skip
FROM_CONES = ((4.0767416621, -3.3077115913, 0.2309699292), (-1.2684380046, 2.6097574011, -0.3413193965), (-0.0041960863, -0.7034186147, 1.7076147010))  # fmt: skip


def _mixed(one: tuple[Rgb, float], two: tuple[Rgb, float], share: float) -> tuple[Rgb, float]:
    """Two colours mixed in Oklab (B. Ottosson, 2020). Its last step is linear, so that the cone roots can be mixed."""
    dense = one[1] * share + two[1] * (1 - share)
    if not dense:
        return one[0], 0.0
    weight = one[1] * share / dense
    roots = [
        [sum(a * b for a, b in zip(row, light_from_rgb(rgb), strict=True)) ** (1 / 3) for row in TO_CONES]
        for rgb in (one[0], two[0])
    ]
    cones = [(a * weight + b * (1 - weight)) ** 3 for a, b in zip(*roots, strict=True)]
    red, green, blue = (
        srgb_from_linear(min(1.0, max(0.0, sum(a * b for a, b in zip(row, cones, strict=True))))) for row in FROM_CONES
    )
    return (red, green, blue), dense


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("name", GAMES)
def test_every_text_of_the_table_can_be_read(name: str, dark: bool) -> None:
    sheets = Sheets(ask(name, "setup")["accent"], dark=dark)
    faint = []
    for what, (texts, grounds) in TEXTS.items():
        for layers in grounds:
            ground = sheets.ground(layers)
            for text in texts:
                ink = _over(ground, sheets.value(sheets.colour(text)))
                if (ratio := measure_contrast(hex_from_rgb(ink), hex_from_rgb(ground))) < LEAST:
                    faint.append(f"{what}: {text} on {layers}: {ratio:.2f}")
    assert faint == []


def test_mixing_is_oklabs() -> None:
    """Half white and half black has half of Oklab's lightness, an eighth of the light; a colour with itself is itself."""
    sheets = Sheets("#12625d", dark=False)
    assert hex_from_rgb(sheets.value("color-mix(in oklab, #ffffff 50%, #000000)")[0]) == "#636363"
    assert hex_from_rgb(sheets.value("color-mix(in oklab, #12625d 30%, var(--game))")[0]) == "#12625d"
    assert sheets.value("color-mix(in oklab, #12625d 30%, transparent)") == (pytest.approx(rgb_from_hex("#12625d"), abs=1e-6), 0.3)  # fmt: skip


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
    assert json.loads(routes.answer(target).body) == ask("fortuna", "hint", bot="search:40") | {"edits": False}


def test_a_closed_line_is_noticed_while_an_answer_is_made(tiny: TinyProject, monkeypatch: pytest.MonkeyPatch) -> None:
    said: SimpleQueue[bool] = SimpleQueue()

    def answer(target: str, gone: Any, _key: str, _peer: str) -> Reply:
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
