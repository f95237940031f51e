"""Measure pnp and its peers in the same run, and write the results into README.md, which explains them.

python bench/run.py [--runs 3] [--cases sheets,build] [--peers PYTHON]
"""

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from shutil import which

import builds
import documents
import serve
import sheets
from cases import Aims, Case, Peers, Program, find_peers, measure
from processes import HERE, PNP, ROOT
from report import describe_machine, replace_tables, write_head, write_rows

README = HERE / "README.md"


def _prepare_help(_folder: Path, _peers: Peers) -> list[Program]:
    return [Program("pnp", (*PNP, "--help"))]


def _build(name: str, games: tuple[str, ...] = (), empty: bool = False, wall: float = 0) -> Case:
    return Case("build", name, partial(builds.prepare, games, name, empty), Aims(wall=wall))


def _serve(name: str, wall: float) -> Case:
    return Case("serve", name, partial(serve.prepare, name), Aims(wall=wall), long=True)


CASES = (
    Case("start", "`pnp --help`", _prepare_help, Aims(wall=0.15), short=True),
    Case("start", "one card of fortuna, no cache", builds.prepare_card, short=True),
    _build("all games, first", empty=True),  # the others begin with its cache
    _build("all games, again", wall=4),
    _build("journey18, a word edited", ("journey18",), wall=1),
    _build("xanadu, a word edited", ("xanadu",), wall=2),
    _build("fortuna, first", ("fortuna",), empty=True),
    _build("fortuna, again", ("fortuna",)),
    _build("fortuna, a card edited", ("fortuna",), wall=3),
    _build("fortuna, a template edited", ("fortuna",)),
    _build("fortuna, a rule edited", ("fortuna",)),
    *(_serve(name, wall) for name, wall in zip(serve.TEXTS, (0.15, 0.15, 0.3), strict=True)),
    *(
        Case(
            *("sheets", f"{size:,} cards", partial(sheets.prepare, size), sheets.AIMS.get(size, Aims())),
            long=size > sheets.SIZES[2],
            short=size < sheets.SIZES[2],
        )
        for size in sheets.SIZES
    ),
    Case("art", "110 cards to PDF", partial(sheets.prepare, sheets.ART_CARDS, art=True)),
    Case("art", "110 cards to PNG", sheets.prepare_pictures),
    Case("book", "a book of 200 pages", partial(documents.prepare, "book")),
    Case("table", "a table of 20,000 rows", partial(documents.prepare, "table"), long=True),
)
GROUPS = tuple(dict.fromkeys(case.group for case in CASES))

SCRIPTS = {"games": ("engine.py", "--spiel"), "intervals": ("interval_coverage.py",)}
"""What only `--cases` runs: the script that prints its table, and the option that takes the Python of the peers."""


def main() -> None:
    """Measure the chosen groups one after another; print each row, and write each group when it is complete."""
    options = _parse_options()
    peers = find_peers(options.peers)
    for group in options.cases:
        begin, name = time.monotonic(), f"bench/run.py {group}"
        lines = [describe_machine(peers)]
        print(f"## {group}\n\n{lines[0]}", end="", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            for rows in _measure_group(group, Path(folder), options, peers):
                print(rows, end="", flush=True)
                lines.append(rows)
        print(f"\n{time.monotonic() - begin:.0f} s\n", flush=True)
        if not options.print_only:
            text = README.read_text(encoding="utf-8")
            README.write_text(replace_tables(text, name, "".join(lines)), encoding="utf-8")


def _measure_group(group: str, folder: Path, options: argparse.Namespace, peers: Peers) -> Iterator[str]:
    """Yield the lines of the group's table."""
    if group in SCRIPTS:
        script, *option = SCRIPTS[group]
        command = (sys.executable, str(HERE / script), *(word for name in option for word in (name, options.peers)))
        yield subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout
        return
    yield from write_head()
    most = options.count if which("valgrind") else 0.0
    for case in CASES:
        if case.group == group:
            yield from write_rows(measure(case, folder, peers, options.runs, most), case.aims)


def _parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=3, help="runs of each program (default 3); long cases run once")
    parser.add_argument(
        "--cases",
        type=lambda text: text.split(","),
        default=list(GROUPS),
        metavar="GROUP,GROUP",
        help=f"of {', '.join(GROUPS)} (default: all of these), {', '.join(SCRIPTS)}",
    )
    parser.add_argument("--peers", default=sys.executable, metavar="PYTHON", help="one that has the peers")
    parser.add_argument(
        "--count",
        type=float,
        default=1.0,
        metavar="SECONDS",
        help="count the instructions of programs that take at most so long (default 1); needs valgrind",
    )
    parser.add_argument("--print-only", action="store_true", help="leave README.md as it is")
    options = parser.parse_args()
    unknown = set(options.cases) - {*GROUPS, *SCRIPTS}
    if unknown:
        parser.error(f"unknown: {', '.join(sorted(unknown))}; there are {', '.join((*GROUPS, *SCRIPTS))}")
    return options


if __name__ == "__main__":
    main()
