"""Compare `pnp sheets` with hand-written ReportLab and with Typst as whole processes, run in turn; see README.md."""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from statistics import median

import deck
import pypdfium2

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent

SIZES = (78, 780, 7800)
AIMS = {78: 1.2, 780: 0.9, 7800: 0.8}
"""At most so many times the floor's CPU time."""

PEAK_AIMS = {78: 60.0, 780: 70.0, 7800: 120.0}
"""MiB at most."""

SIZE_AIM = 5_000
"""kB at most, of the PDF of 7,800 cards."""

COUNTED = 1_000
"""Cards at most whose printing is counted in instructions, which takes some fifty times as long."""

BUDGETS = {"78 cards": 1.49, "each card more": 1.82}
"""At most so many times the floor's instructions, held by a test: what has been reached, and 1 to 2 %."""

HELP_AIM = 0.15
"""Seconds for `pnp --help`."""

COLUMNS = (
    *("cards", "", "wall s, median (min-max)", "x floor", "CPU s", "x floor", "aim"),
    *("instructions, M", "x floor", "peak MiB", "aim", "PDF kB", "pages", "runs"),
)

PER_SHEET = 9
PNP = (sys.executable, "-m", "generator")


@dataclass(frozen=True, slots=True)
class Run:
    """One whole process: wall and CPU seconds, peak memory in MiB."""

    wall: float
    cpu: float
    peak: float


@dataclass(frozen=True, slots=True)
class Contender:
    """A program that prints the deck: its command and the PDF that it writes."""

    name: str
    command: tuple[str, ...]
    target: Path


@dataclass(frozen=True, slots=True)
class Result:
    """What one contender needed for one size of deck."""

    cards: int
    contender: str
    runs: tuple[Run, ...]
    pages: int
    bytes: int
    instructions: int | None = None

    @property
    def wall(self) -> float:
        """The median wall time, seconds."""
        return median(run.wall for run in self.runs)

    @property
    def cpu(self) -> float:
        """The median CPU time, seconds."""
        return median(run.cpu for run in self.runs)


def main() -> None:
    """Prepare, measure, print."""
    prepare_environment()
    options = _options()
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.folder or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        results: list[Result] = []
        print(f"| {' | '.join(COLUMNS)} |\n{'|---' * len(COLUMNS)}|")
        for size in options.sizes:
            contenders = prepare(folder, size, options.typst)
            found = measure(contenders, size, options.runs or _usual_runs(size), count=options.instructions)
            results += found
            print("\n".join(_rows(found)), flush=True)
        if options.profile:
            for size in options.sizes:
                _print_phases(folder, size, options.calls)
        helped = help_time(options.runs or 7)
        print(f"\n`pnp --help`: {helped:.3f} s (aim {_judged(helped, HELP_AIM)})")
    if options.json:
        figures = {"results": [asdict(result) for result in results], "help": helped}
        options.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


def prepare_environment() -> None:
    """Every run makes all; the warm-up leaves Python's compiled modules, as a first run does on a user's machine."""
    os.environ["PNP_NO_CACHE"] = "1"
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    sizes = ",".join(map(str, SIZES))
    parser.add_argument(
        "--sizes", type=_sizes, default=SIZES, metavar="N,N", help=f"numbers of cards (default {sizes})"
    )
    parser.add_argument("--runs", type=int, help="timed runs of each program (default 7, 5 or 3, by size)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every run's figures")
    parser.add_argument("--instructions", action="store_true", help="count them too, up to 1,000 cards; needs valgrind")
    parser.add_argument("--typst", metavar="PYTHON", help="one with the package typst (default: this one)")
    parser.add_argument("--folder", type=Path, help="keep projects and PDFs there")
    parser.add_argument("--profile", action="store_true", help="also show where the program's time goes, by phase")
    parser.add_argument("--calls", type=int, default=0, metavar="N", help="with --profile: the N costliest functions")
    return parser.parse_args()


def _sizes(text: str) -> tuple[int, ...]:
    return tuple(int(size) for size in text.split(","))


def _usual_runs(size: int) -> int:
    return 7 if size < 500 else 5 if size < 5000 else 3


def prepare(folder: Path, size: int, typst: str | None = None) -> list[Contender]:
    """The deck of a size in each contender's form, and what prints it there: the floor, `pnp`, Typst where it is."""
    project, cards, out = folder / f"project-{size}", folder / f"cards-{size}.json", folder / f"out-{size}"
    deck.write_project(project, size)
    deck.write_cards(cards, size)
    target = folder / f"floor-{size}.pdf"
    floor = (sys.executable, str(HERE / "floor.py"), str(cards), str(target))
    pnp = (*PNP, "--project", str(project), "sheets", "--backs", "none", "--out", str(out))
    found = [Contender("floor", floor, target), Contender("pnp", pnp, out / "bench" / "sheets.ja.pdf")]
    if typst or find_spec("typst"):
        other = folder / f"typst-{size}.pdf"
        command = (
            which(typst or sys.executable) or sys.executable,
            str(HERE / "typst_deck.py"),
            str(cards),
            str(other),
        )
        found.append(Contender("Typst", command, other))
    return found


def measure(contenders: Sequence[Contender], size: int, runs: int, *, count: bool = False) -> list[Result]:
    """The contenders' runs in turn, so that a busy machine hurts all alike; one warm-up each comes first.

    With `count` also the instructions of one more run each, which do not depend on what else the machine does.
    """
    taken: dict[str, list[Run]] = {contender.name: [] for contender in contenders}
    for turn in range(runs + 1):
        for contender in contenders:
            contender.target.unlink(missing_ok=True)
            run = timed(contender.command)
            if turn:
                taken[contender.name].append(run)
    return [
        Result(
            size,
            one.name,
            tuple(taken[one.name]),
            checked_pages(one, size),
            one.target.stat().st_size,
            instructions(one.command) if count and size <= COUNTED else None,
        )
        for one in contenders
    ]


def instructions(command: Sequence[str]) -> int:
    """How many instructions a whole process takes, as valgrind counts them, its children's left out."""
    counter = ("valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null")
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    done = subprocess.run((*counter, *command), cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    found = re.search(r"I\s+refs:\s+([\d,]+)", done.stderr)
    if done.returncode or not found:
        raise SystemExit(f"{' '.join(command)} failed under valgrind:\n{done.stderr[-2000:]}")
    return int(found.group(1).replace(",", ""))


def timed(command: Sequence[str]) -> Run:
    """One whole process."""
    meter = (sys.executable, "-I", "-S", str(HERE / "meter.py"), *command)
    done = subprocess.run(meter, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stderr}")
    return Run(**json.loads(done.stdout))


def checked_pages(contender: Contender, size: int) -> int:
    """The number of pages; stops unless they are as many as they must and show the first and the last card's texts."""
    document = pypdfium2.PdfDocument(contender.target)
    try:
        pages = len(document)
        if pages != -(-size // PER_SHEET):
            raise SystemExit(f"{contender.name} printed {pages} pages for {size} cards")
        cards = deck.cards(size)
        for page, card in ((0, cards[0]), (pages - 1, cards[-1])):
            text = "".join(document[page].get_textpage().get_text_bounded().split())
            missing = [words for words in (str(card.number), card.title, card.text) if words not in text]
            if missing:
                raise SystemExit(f"{contender.name}: not on page {page + 1} of {contender.target}: {missing}")
    finally:
        document.close()
    return pages


def help_time(runs: int) -> float:
    """The median wall time of `pnp --help`, seconds."""
    return median([timed((*PNP, "--help")).wall for _ in range(runs + 1)][1:])


def _rows(found: Sequence[Result]) -> list[str]:
    floor = found[0]
    return [_row(result, floor) for result in found]


def _row(result: Result, floor: Result) -> str:
    """A line of the table: aims are the program's own."""
    walls = [run.wall for run in result.runs]
    peak, ours = max(run.peak for run in result.runs), result.contender == "pnp"
    aim, peak_aim = (aims.get(result.cards) if ours else None for aims in (AIMS, PEAK_AIMS))
    large = ours and result.cards == SIZES[-1]
    counted = result.instructions and floor.instructions
    cells = (
        result.cards,
        result.contender,
        f"{result.wall:.3f} ({min(walls):.3f}-{max(walls):.3f})",
        f"{result.wall / floor.wall:.2f}",
        f"{result.cpu:.3f}",
        f"{result.cpu / floor.cpu:.2f}",
        _judged(result.cpu / floor.cpu, aim) if aim else "",
        f"{(result.instructions or 0) / 1e6:,.0f}" if counted else "",
        f"{(result.instructions or 0) / (floor.instructions or 1):.2f}" if counted else "",
        f"{peak:.0f}",
        _judged(peak, peak_aim) if peak_aim else "",
        f"{result.bytes // 1000}" + (f", aim {_judged(result.bytes / 1000, SIZE_AIM)}" if large else ""),
        result.pages,
        len(walls),
    )
    return f"| {' | '.join(map(str, cells))} |"


def _judged(figure: float, aim: float) -> str:
    return f"{aim:g}, {'met' if figure <= aim else 'MISSED'}"


def _print_phases(folder: Path, size: int, calls: int) -> None:
    print(f"\n{size} cards, CPU time by phase (one run):", flush=True)
    out = folder / f"phases-{size}"
    command = (sys.executable, str(HERE / "phases.py"), str(folder / f"project-{size}"), str(out))
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run((*command, str(calls)), cwd=ROOT, check=True, env=environment)


if __name__ == "__main__":
    main()
