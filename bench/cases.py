"""What a case consists of: programs that do the same work, the check of what they write, and aims."""

import json
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from shutil import which
from statistics import median, quantiles
from typing import NamedTuple

import pypdfium2
from processes import HERE, Run, count_instructions, time_process

PEERS = {
    "Typst": ("typst", "typst_peer.py"),
    "WeasyPrint": ("weasyprint", "weasyprint_peer.py"),
    "skia": ("skia-python", "skia_peer.py"),
}
"""The peers with packages of their own: the name on PyPI and the script."""

VERSIONS = """
import importlib.metadata as m, json, sys
print(json.dumps({n: m.version(n) for n in sys.argv[1:] if any(m.distributions(name=n))}))
"""


@dataclass(frozen=True, slots=True)
class Program:
    """One program of a case. `note` says why it does not run; `sample` measures it if it is no whole process."""

    name: str
    command: tuple[str, ...] = ()
    target: Path = Path()
    check: Callable[[Path], str] = lambda _target: ""
    prepare: Callable[[int], None] = lambda _turn: None
    cache: Path | None = None
    sample: Callable[[], list[Run]] | None = None
    note: str = ""


class Aims(NamedTuple):
    """The most that pnp may take: times the first program's CPU, wall seconds, MiB, kB written; 0 is no aim."""

    ratio: float = 0
    wall: float = 0
    peak: float = 0
    size: float = 0


NO_AIMS = Aims()


@dataclass(frozen=True, slots=True)
class Case:
    """A row of work. `make` prepares it in a folder; a `long` case runs once, a `short` one warms up before."""

    group: str
    name: str
    make: Callable[[Path, "Peers"], list[Program]]
    aims: Aims = NO_AIMS
    long: bool = False
    short: bool = False


@dataclass(frozen=True, slots=True)
class Result:
    """What a program needed for a case, and what it wrote."""

    case: str
    program: str
    runs: Sequence[Run] = ()
    output: str = ""
    instructions: int = 0
    size: int = 0
    slowest: bool = False

    @property
    def wall(self) -> float:
        """The median wall seconds; of samples the 95th percentile."""
        walls = [run.wall for run in self.runs]
        return quantiles(walls, n=20, method="inclusive")[-1] if self.slowest else median(walls)

    @property
    def cpu(self) -> float:
        """The median CPU seconds."""
        return median(run.cpu for run in self.runs)

    @property
    def peak(self) -> float:
        """The largest memory, MiB."""
        return max(run.peak for run in self.runs)


@dataclass(frozen=True, slots=True)
class Peers:
    """A Python that has some of the peers, and their versions by package."""

    python: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)

    def make_program(
        self, name: str, kind: str, cards: Path, target: Path, check: Callable[[Path], str], note: str = ""
    ) -> Program:
        """Return the peer's program for this kind of work."""
        package, script = PEERS[name]
        if package not in self.versions:
            return Program(name, note="not installed")
        command = (self.python, str(HERE / script), kind, str(cards), str(target))
        return Program(name, command, target, check, note=note)


NO_PEERS = Peers()


def find_peers(python: str) -> Peers:
    """Ask a Python which peers it has."""
    path = which(python)
    if path is None:
        raise SystemExit(f"there is no Python {python}")
    names = [*(package for package, _script in PEERS.values()), "open_spiel"]
    done = subprocess.run((path, "-c", VERSIONS, *names), capture_output=True, text=True, check=True)
    return Peers(path, json.loads(done.stdout))


def measure(case: Case, folder: Path, peers: Peers, runs: int, most: float) -> list[Result]:
    """Run the case's programs in turn, so that a busy machine hurts all alike.

    Programs with at most `most` CPU seconds run once more to count their instructions.
    """
    programs = case.make(folder, peers)
    taken: dict[str, list[Run]] = {program.name: [] for program in programs}
    running = [program for program in programs if not program.note]
    for turn in range(-1 if case.short else 0, 1 if case.long else runs):
        for program in running:
            if program.sample:
                taken[program.name] = taken[program.name] or program.sample()
                continue
            program.prepare(turn)
            run = time_process(program.command, program.cache)
            if turn >= 0:
                taken[program.name].append(run)
    results = []
    for program in programs:
        if program.note:
            results.append(Result(case.name, program.name, output=program.note))
            continue
        output, size = program.check(program.target), _measure_size(program.target)
        result = Result(case.name, program.name, taken[program.name], output, size=size, slowest=bool(program.sample))
        if result.cpu <= most and program.command:
            program.prepare(runs)
            count = count_instructions(program.command, program.cache)
            result = Result(case.name, program.name, result.runs, output, count, size)
        results.append(result)
    return results


def _measure_size(target: Path) -> int:
    files = target.rglob("*") if target.is_dir() else (target,)
    return sum(path.stat().st_size for path in files if path.is_file())


def check_pdf(target: Path, pages: range, first: Sequence[str], last: Sequence[str], reach: int = 1) -> str:
    """Return the number of pages and the size.

    Stop unless the number is in `pages`, the first `reach` pages show the words `first` and the last ones `last`.
    """
    document = pypdfium2.PdfDocument(target)
    try:
        count = len(document)
        if count not in pages:
            raise SystemExit(f"{target} has {count} pages, not {pages.start} to {pages.stop - 1}")
        for numbers, words in ((range(count)[:reach], first), (range(count)[-reach:], last)):
            text = "".join("".join(document[n].get_textpage().get_text_bounded().split()) for n in numbers)
            missing = [word for word in words if "".join(word.split()) not in text]
            if missing:
                raise SystemExit(f"not on page {numbers[0] + 1} to {numbers[-1] + 1} of {target}: {missing}")
    finally:
        document.close()
    return f"{count:,} {'page' if count == 1 else 'pages'}, {target.stat().st_size // 1000:,} kB"
