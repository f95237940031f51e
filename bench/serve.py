"""The cases of `pnp serve` as a reader feels it: from the save of a file to the new picture of a card; see README.md.

A server in a process of its own, on a copy of the project. Each round saves a file with other words in it, waits for
the news that concerns the card, and fetches its SVG until the words are there, as the page does. CPU is the server's
between the same two moments. CPU and memory need Linux.
"""

import http.client
import json
import re
import shutil
import subprocess
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from urllib.parse import quote

import deck
from cases import Peers, Program
from processes import PNP, ROOT, Run
from sheets import ART_CARDS

ROUNDS = 20
"""Saves of a case: the least of which a 95th percentile says something."""

PAUSE = 2.0
"""Seconds between two saves: by then the other faces are drawn, as they are when somebody writes."""

CARDS = 780
"""In the deck whose template is edited."""

ART_CARD = deck.cards(ART_CARDS)[ART_CARDS // 2]


@dataclass(frozen=True, slots=True)
class Text:
    """A file of a game, and words in it that a design shows."""

    game: str
    file: str
    design: str
    words: str


TEXTS = {
    "a card with a PNG, of 110": Text("bench", "data/bench/cards.yaml", f"card/c{ART_CARD.number:04}", ART_CARD.title),
    "a card of xanadu": Text("xanadu", "data/xanadu/skills.yaml", "skill/R1", "早駆けの脚"),
    "a template of 780 cards": Text("bench", "templates/bench/card.svg", f"card/c{CARDS // 2:04}", "試し刷りの札"),
}


def prepare(name: str, folder: Path, _peers: Peers) -> list[Program]:
    """Copy or write the project; return the server that shows it."""
    text, project = TEXTS[name], folder / name.replace(" ", "-")
    if text.game == "bench":
        art = text.file.startswith("data")
        deck.write_project(project, ART_CARDS if art else CARDS, art=art)
    copied = ("fonts",) if text.game == "bench" else ("data", "templates", "fonts")
    for part in copied:
        shutil.copytree(ROOT / part, project / part)
    return [Program("pnp", check=lambda _target: f"{ROUNDS} saves", sample=partial(measure, project, text))]


def measure(project: Path, text: Text) -> list[Run]:
    """Serve the project; return the time of each save and the memory of the server after it."""
    command = (*PNP, "serve", "--port", "0", "--project", str(project))
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as server:
        try:
            found = re.search(r"127\.0\.0\.1:(\d+)", server.stdout.readline() if server.stdout else "")
            if not found:
                raise SystemExit("the server does not say where it is")
            return _save_often(server.pid, int(found[1]), project, text)
        finally:
            server.terminate()


def _save_often(process: int, port: int, project: Path, text: Text) -> list[Run]:
    path = project / text.file
    whole = path.read_text(encoding="utf-8")
    if whole.count(text.words) != 1:
        raise SystemExit(f"{text.words} occurs {whole.count(text.words)} times in {path}")
    _get(port, f"/words/{text.game}")  # everything is drawn before, as after a minute's work
    events = http.client.HTTPConnection("127.0.0.1", port)
    events.request("GET", "/events")
    stream = events.getresponse()
    runs = []
    for number in range(ROUNDS):
        time.sleep(PAUSE + 0.037 * number)  # at any moment between two looks of the watcher
        words = f"{text.words}{'一二三四五六七八九十'[number % 10]}{number}"
        spent = _read_cpu(process)
        begin = time.perf_counter()
        path.write_text(whole.replace(text.words, words), encoding="utf-8")
        while words not in _picture_after_news(port, stream, text):
            pass
        wall = time.perf_counter() - begin
        runs.append(Run(wall, _read_cpu(process) - spent, _read_peak(process)))
    events.close()
    return runs


def _picture_after_news(port: int, stream: http.client.HTTPResponse, text: Text) -> str:
    """The picture of the design's front as it is after the next news of the game or of this face."""
    while True:
        line = stream.readline().decode()
        if not line:
            raise SystemExit("the server has gone")
        told = json.loads(line[6:]) if line.startswith("data: ") else {}
        faces = told.get("faces")
        if told.get("id") == text.game and (faces is None or any(face["design"] == text.design for face in faces)):
            return _get(port, f"/face/{text.game}/ja/{quote(text.design, safe='')}/front.svg")


def _read_cpu(process: int) -> float:
    """Return the seconds that all threads of a process have computed."""
    tasks = Path(f"/proc/{process}/task").glob("*/schedstat")
    return sum(int(task.read_text(encoding="ascii").split()[0]) for task in tasks) / 1e9


def _read_peak(process: int) -> float:
    """Return the most memory that a process has had, MiB."""
    status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    return int(status.split("VmHWM:")[1].split()[0]) / 1024


def _get(port: int, target: str) -> str:
    line = http.client.HTTPConnection("127.0.0.1", port)
    line.request("GET", target)
    answer = line.getresponse()
    body = answer.read().decode()
    line.close()
    if answer.status != http.HTTPStatus.OK:
        raise SystemExit(f"{target}: {answer.status}")
    return body
