"""Compare `pnp sheets` with hand-written ReportLab (`floor.py`) as whole processes, run in turn; see README.md."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

import deck
import pypdfium2

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent

SIZES = (78, 780, 7800)
AIMS = {78: 4.0, 780: 3.0, 7800: 3.5}
"""At most so many times the floor's wall time."""

PEAK_AIM = 300.0
"""MiB, at any size."""

HELP_AIM = 0.15
"""Seconds for `pnp --help`."""

COLUMNS = (
    *("cards", "", "wall s, median (min-max)", "x floor", "aim"),
    *("CPU s", "x floor", "peak MiB", "PDF kB", "pages", "runs"),
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
    os.environ["PNP_NO_CACHE"] = "1"  # every run makes all
    options = _options()
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.folder or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        results: list[Result] = []
        print(f"| {' | '.join(COLUMNS)} |\n{'|---' * len(COLUMNS)}|")
        for size in options.sizes:
            contenders = _prepare(folder, size)
            pair = measure(contenders, size, options.runs or _usual_runs(size))
            results += pair
            print("\n".join(_rows(*pair)), flush=True)
        if options.profile:
            for size in options.sizes:
                _print_phases(folder, size, options.calls)
        helped = help_time(options.runs or 7)
        print(f"\n`pnp --help`: {helped:.3f} s (aim {_judged(helped, HELP_AIM)})")
    if options.json:
        figures = {"results": [asdict(result) for result in results], "help": helped}
        options.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    sizes = ",".join(map(str, SIZES))
    parser.add_argument(
        "--sizes", type=_sizes, default=SIZES, metavar="N,N", help=f"numbers of cards (default {sizes})"
    )
    parser.add_argument("--runs", type=int, help="timed runs of each program (default 7, 5 or 3, by size)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every run's figures")
    parser.add_argument("--folder", type=Path, help="keep projects and PDFs there")
    parser.add_argument("--profile", action="store_true", help="also show where the program's time goes, by phase")
    parser.add_argument("--calls", type=int, default=0, metavar="N", help="with --profile: the N costliest functions")
    return parser.parse_args()


def _sizes(text: str) -> tuple[int, ...]:
    return tuple(int(size) for size in text.split(","))


def _usual_runs(size: int) -> int:
    return 7 if size < 500 else 5 if size < 5000 else 3


def _prepare(folder: Path, size: int) -> tuple[Contender, Contender]:
    project, cards, out = folder / f"project-{size}", folder / f"cards-{size}.json", folder / f"out-{size}"
    deck.write_project(project, size)
    deck.write_cards(cards, size)
    target = folder / f"floor-{size}.pdf"
    floor = (sys.executable, str(HERE / "floor.py"), str(cards), str(target))
    pnp = (*PNP, "--project", str(project), "sheets", "--backs", "none", "--out", str(out))
    return Contender("floor", floor, target), Contender("pnp", pnp, out / "bench" / "sheets.ja.pdf")


def measure(contenders: Sequence[Contender], size: int, runs: int) -> list[Result]:
    """The contenders' runs in turn, so that a busy machine hurts all alike; one warm-up each comes first."""
    taken: dict[str, list[Run]] = {contender.name: [] for contender in contenders}
    for turn in range(runs + 1):
        for contender in contenders:
            contender.target.unlink(missing_ok=True)
            run = timed(contender.command)
            if turn:
                taken[contender.name].append(run)
    return [
        Result(size, one.name, tuple(taken[one.name]), checked_pages(one, size), one.target.stat().st_size)
        for one in contenders
    ]


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


def _rows(floor: Result, pnp: Result) -> list[str]:
    aim, ratio = AIMS.get(floor.cards), pnp.wall / floor.wall
    return [
        _row(floor, "1.00", "", "1.00"),
        _row(pnp, f"{ratio:.2f}", _judged(ratio, aim) if aim else "", f"{pnp.cpu / floor.cpu:.2f}"),
    ]


def _row(result: Result, ratio: str, aim: str, cpu_ratio: str) -> str:
    walls = [run.wall for run in result.runs]
    peak = max(run.peak for run in result.runs)
    cells = (
        result.cards,
        result.contender,
        f"{result.wall:.3f} ({min(walls):.3f}-{max(walls):.3f})",
        ratio,
        aim,
        f"{result.cpu:.3f}",
        cpu_ratio,
        f"{peak:.0f}" if peak <= PEAK_AIM else f"{peak:.0f}, aim {_judged(peak, PEAK_AIM)}",
        result.bytes // 1000,
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
