"""How long `pnp build` takes at first, again, and after one edit, as whole processes, with and without the cache.

    python bench/build.py [--runs 3] [--json FILE]

Data and templates are copied into a folder of their own, where they are edited; the cache lies there too.
"""

import argparse
import json
import os
import shutil
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

from sheets import PNP, timed

ROOT = Path(__file__).resolve().parent.parent
COPIED = ("data", "templates", "records")

FIRST = 8
"""The number of the first run: as a rule it differs from the one that stands there, and can be built."""


@dataclass(frozen=True, slots=True)
class Edit:
    """One place in a file of the project: `old` becomes another text at each run, `new` with the run's number in it."""

    file: str = ""
    old: str = ""
    new: str = ""

    def make(self, project: Path, turn: int) -> None:
        """Edit the project as it was at first; a `{}` in `new` is the run's number, so that each differs."""
        if self.file:
            text = (ROOT / self.file).read_text(encoding="utf-8")
            if text.count(self.old) != 1:
                sys.exit(f"'{self.old}' stands {text.count(self.old)} times in {self.file}")
            (project / self.file).write_text(text.replace(self.old, self.new.format(turn)), encoding="utf-8")


@dataclass(frozen=True, slots=True)
class Case:
    """What is measured: which games, after which edit, with an empty or a full cache; the aim is wall seconds."""

    name: str
    games: tuple[str, ...] = ()
    edit: Edit = Edit()
    empty: bool = False
    aim: float | None = None
    command: str = "build"


WORD = Edit("data/journey18/components.yaml", 'en: "Put any discarded card', 'en: "Put any {} card')
LARGE = Edit("data/xanadu/requests.yaml", "en: Plain Shelf Boards", "en: Plain Shelf {}")
CARD = Edit("data/fortuna/components.yaml", "en: Discard area}", "en: Discards {}}}")
TEMPLATE = Edit("templates/fortuna/reel.svg", "</svg>", "<!-- {} --></svg>")
RULE = Edit("data/fortuna/rules.yaml", "end_pile: &end_pile 7 ", "end_pile: &end_pile {} ")

CASES = (
    Case("all games, first", empty=True),
    Case("all games, again", aim=4.0),
    Case("all games, validated after a build", command="validate"),
    Case("journey18, a word edited", ("journey18",), WORD, aim=1.0),
    Case("xanadu, a word edited", ("xanadu",), LARGE, aim=2.0),
    Case("fortuna, first", ("fortuna",), empty=True),
    Case("fortuna, again", ("fortuna",)),
    Case("fortuna, a card edited", ("fortuna",), CARD, aim=3.0),
    Case("fortuna, a template edited", ("fortuna",), TEMPLATE),
    Case("fortuna, a rule edited", ("fortuna",), RULE),
)


@dataclass(frozen=True, slots=True)
class Result:
    """Medians of the runs of a case: wall and CPU seconds with the cache, and without."""

    case: str
    wall: float
    cpu: float
    plain_wall: float
    plain_cpu: float


def main() -> None:
    """Measure every case and print a table."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--runs", type=int, default=3, help="timed runs of each case")
    options.add_argument("--json", type=Path, metavar="FILE", help="write the figures")
    given = options.parse_args()
    print("| case | wall s | CPU s | aim | wall s, --no-cache | CPU s |\n|---|---|---|---|---|---|")
    results = []
    with tempfile.TemporaryDirectory() as scratch:
        for case in CASES:
            results.append(measured(case, Path(scratch), given.runs))
            print(row(case, results[-1]), flush=True)
    if given.json:
        given.json.write_text(json.dumps([asdict(result) for result in results], indent=1) + "\n", encoding="utf-8")


def measured(case: Case, scratch: Path, runs: int) -> Result:
    """The case, once without the cache and once with it in each run."""
    project, cache = scratch / "project", scratch / "cache"
    os.environ["PNP_CACHE"] = str(cache)
    build = (*PNP, "--project", str(project), "build", *case.games, "--out", str(scratch / "out"))
    command = build if case.command == "build" else (*PNP, "--project", str(project), case.command, *case.games)
    warm, plain = [], []
    for turn in range(runs):
        prepare(project)
        shutil.rmtree(cache, ignore_errors=True)
        if not case.empty:
            timed(build)
        case.edit.make(project, turn + FIRST)
        warm.append(timed(command))
        plain.append(timed((*command, "--no-cache")))
    middle = [median(getattr(run, figure) for run in some) for some in (warm, plain) for figure in ("wall", "cpu")]
    return Result(case.name, *middle)


def prepare(project: Path) -> None:
    """The project as it is in the checkout."""
    shutil.rmtree(project, ignore_errors=True)
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, project / name)


def row(case: Case, result: Result) -> str:
    """The case as a line of the table."""
    aim = f"{case.aim:g}, {'met' if result.wall <= case.aim else 'missed'}" if case.aim else ""
    return (
        f"| {case.name} | {result.wall:.2f} | {result.cpu:.2f} | {aim} "
        f"| {result.plain_wall:.2f} | {result.plain_cpu:.2f} |"
    )


if __name__ == "__main__":
    main()
