"""Measures `pnp serve` as a reader feels it: from the save of a file to the new picture of a card.

    python bench/serve.py [CASE ...] [--rounds 10]

A server of its own in a process of its own, on a copy of the project. Each round saves a file with other words in it,
waits for the news that concerns the card, and fetches its SVG until the words are there, as the page does. Prints wall
and CPU milliseconds: medians, the longest, and all rounds. CPU is the server's between the same two moments; a machine
that is busy with other things lengthens the wall time alone. CPU needs Linux.
"""

import argparse
import http.client
import json
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import deck

ROOT = Path(__file__).resolve().parent.parent

PAUSE = 3.0
"""Seconds between two saves: by then the other faces are drawn, as they are when somebody writes."""

CARDS = 780
"""In the deck whose template is edited."""


@dataclass(frozen=True, slots=True)
class Case:
    """A file of a game, words in it that stand on the face of a design, and how long a new picture may take, s."""

    game: str
    file: str
    design: str
    words: str
    aim: float | None = None

    def prepare(self, project: Path) -> None:
        """The project that is served."""
        if self.game == "bench":
            deck.write_project(project, CARDS)
            shutil.copytree(ROOT / "fonts", project / "fonts")
            return
        for name in ("data", "templates", "fonts"):
            shutil.copytree(ROOT / name, project / name)


CASES = {
    "xanadu": Case("xanadu", "data/xanadu/skills.yaml", "skill/R1", "早駆けの脚", aim=0.15),
    "journey8": Case("journey8", "data/journey8/components.yaml", "joker/1", "狂言回し 其の一"),
    "template": Case("bench", "templates/bench/card.svg", f"card/c{CARDS // 2:04}", "試し刷りの札", aim=0.3),
}
"""A text of the largest game, a text of a small one, a template of a deck."""


@dataclass(frozen=True, slots=True)
class Figures:
    """One round, in milliseconds."""

    wall: float
    cpu: float


def main() -> None:
    """Print the figures of the cases, a text of the largest game and a template of a deck by default."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("cases", nargs="*", default=["xanadu", "template"], metavar="CASE", help=", ".join(CASES))
    parser.add_argument("--rounds", type=int, default=10)
    asked = parser.parse_args()
    unknown = set(asked.cases) - set(CASES)
    if unknown:
        parser.error(f"unknown: {', '.join(sorted(unknown))}; there are {', '.join(CASES)}")
    for name in asked.cases:
        with tempfile.TemporaryDirectory() as folder:
            CASES[name].prepare(Path(folder))
            rounds = measure(Path(folder), CASES[name], asked.rounds)
        print(f"{name}: from save to new picture, {len(rounds)} rounds, ms")
        _print_row("wall", [one.wall for one in rounds], CASES[name].aim)
        _print_row("CPU", [one.cpu for one in rounds])


def _print_row(name: str, figures: list[float], aim: float | None = None) -> None:
    told = f" (aim {aim * 1000:.0f})" if aim else ""
    every = " ".join(f"{one:.0f}" for one in figures)
    print(f"  {name:<4} median {statistics.median(figures):.0f}{told}   longest {max(figures):.0f}   all {every}")


def measure(project: Path, case: Case, rounds: int) -> list[Figures]:
    """What each round took."""
    command = [sys.executable, "-m", "generator", "serve", "--port", "0", "--project", str(project)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as server:
        try:
            found = re.search(r"127\.0\.0\.1:(\d+)", server.stdout.readline() if server.stdout else "")
            if not found:
                raise RuntimeError("the server does not say where it is")
            return _rounds(server.pid, int(found[1]), project, case, rounds)
        finally:
            server.terminate()


def _rounds(process: int, port: int, project: Path, case: Case, rounds: int) -> list[Figures]:
    path = project / case.file
    text = path.read_text(encoding="utf-8")
    if text.count(case.words) != 1:
        raise RuntimeError(f"{case.words} does not stand once in {path}")
    _get(port, f"/words/{case.game}")  # everything is drawn before, as after a minute's work
    events = http.client.HTTPConnection("127.0.0.1", port)
    events.request("GET", "/events")
    stream = events.getresponse()
    figures = []
    for number in range(rounds):
        time.sleep(PAUSE + 0.037 * number)  # at any moment between two looks of the watcher
        words = f"{case.words}{'一二三四五六七八九十'[number % 10]}{number}"
        spent = _cpu(process)
        begin = time.perf_counter()
        path.write_text(text.replace(case.words, words), encoding="utf-8")
        while words not in _picture_after_news(port, stream, case):
            pass
        figures.append(Figures((time.perf_counter() - begin) * 1000, _cpu(process) - spent))
    events.close()
    return figures


def _picture_after_news(port: int, stream: http.client.HTTPResponse, case: Case) -> str:
    """The picture of the design's front as it is after the next news of the game or of this face."""
    while True:
        line = stream.readline().decode()
        if not line:
            raise RuntimeError("the server has gone")
        told = json.loads(line[6:]) if line.startswith("data: ") else {}
        faces = told.get("faces")
        if told.get("id") == case.game and (faces is None or any(face["design"] == case.design for face in faces)):
            return _get(port, f"/face/{case.game}/ja/{quote(case.design, safe='')}/front.svg")


def _cpu(process: int) -> float:
    """Milliseconds that all threads of a process have computed."""
    tasks = Path(f"/proc/{process}/task").glob("*/schedstat")
    return sum(int(task.read_text(encoding="ascii").split()[0]) for task in tasks) / 1e6


def _get(port: int, target: str) -> str:
    line = http.client.HTTPConnection("127.0.0.1", port)
    line.request("GET", target)
    answer = line.getresponse()
    body = answer.read().decode()
    line.close()
    if answer.status != http.HTTPStatus.OK:
        raise RuntimeError(f"{target}: {answer.status}")
    return body


if __name__ == "__main__":
    main()
