"""Measures `pnp serve` as a reader feels it: from the save of a file to the new picture of its card.

    python bench/serve.py [GAME] [--rounds 10]

A server of its own in a process of its own, on a copy of the project. Each round changes the text of one card in the
YAML, waits for the event that names it, and fetches the new SVG. Prints the median and all rounds, in milliseconds.
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
from pathlib import Path
from typing import Any
from urllib.parse import quote

ROOT = Path(__file__).resolve().parent.parent

PAUSE = 3.0
"""Seconds between two saves: by then the other faces are drawn, as they are when somebody writes."""

CARDS = {
    "xanadu": ("skills.yaml", "skill/R1", "早駆けの脚"),
    "journey8": ("components.yaml", "joker/1", "狂言回し 其の一"),
}
"""A file of a game, a design in it, and words of its face that are changed."""


def main() -> None:
    """Print the figures of a game, the largest one by default."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("game", nargs="?", default="xanadu", choices=sorted(CARDS))
    parser.add_argument("--rounds", type=int, default=10)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder)
        for name in ("data", "templates", "fonts"):
            shutil.copytree(ROOT / name, project / name)
        figures = measure(project, asked.game, asked.rounds)
    print(f"{asked.game}: from save to new picture, {len(figures)} rounds, ms")
    print(f"median {statistics.median(figures):.0f}   all {' '.join(f'{figure:.0f}' for figure in figures)}")


def measure(project: Path, game: str, rounds: int) -> list[float]:
    """Milliseconds of each round."""
    command = [sys.executable, "-m", "generator", "serve", "--port", "0", "--project", str(project)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as server:
        try:
            found = re.search(r"127\.0\.0\.1:(\d+)", server.stdout.readline() if server.stdout else "")
            if not found:
                raise RuntimeError("the server does not say where it is")
            return _rounds(int(found[1]), project, game, rounds)
        finally:
            server.terminate()


def _rounds(port: int, project: Path, game: str, rounds: int) -> list[float]:
    file, design, words = CARDS[game]
    path = project / "data" / game / file
    text = path.read_text(encoding="utf-8")
    if text.count(words) != 1:
        raise RuntimeError(f"{words} does not stand once in {path}")
    _get(port, f"/words/{game}")  # everything is drawn before, as after a minute's work
    events = http.client.HTTPConnection("127.0.0.1", port)
    events.request("GET", "/events")
    stream = events.getresponse()
    figures = []
    for number in range(rounds):
        time.sleep(PAUSE + 0.037 * number)  # at any moment between two looks of the watcher
        path.write_text(text.replace(words, f"{words}{number}"), encoding="utf-8")
        begin = time.perf_counter()
        version = _told(stream, design)
        picture = _get(port, f"/face/{game}/ja/{quote(design, safe='')}/front.svg?v={version}")
        figures.append((time.perf_counter() - begin) * 1000)
        if f"{words}{number}" not in picture:
            raise RuntimeError("the picture is not the new one")
    events.close()
    return figures


def _told(stream: http.client.HTTPResponse, design: str) -> str:
    """The version of a design's Japanese front, as soon as the server names it."""
    while True:
        line = stream.readline().decode()
        if not line:
            raise RuntimeError("the server has gone")
        if not line.startswith("data: "):
            continue
        told: dict[str, Any] = json.loads(line[6:])
        for face in told.get("faces", []):
            if (face["design"], face["face"], face["lang"]) == (design, "front", "ja"):
                return str(face["version"])


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
