"""The tables of results in documents."""

import os
import platform
from collections.abc import Iterator, Sequence
from datetime import date
from importlib.metadata import version
from pathlib import Path

from cases import Aims, Peers, Result

COLUMNS = (
    *("case", "program", "wall s", "least to most", "CPU s", "x", "instructions, M", "x"),
    *("peak MiB", "output", "aims of pnp"),
)
END = "<!-- end -->\n"


def replace_tables(text: str, name: str, tables: str) -> str:
    """Return a document with these tables between its lines `<!-- name -->` and `<!-- end -->`."""
    begin = f"<!-- {name} -->\n"
    before, _, rest = text.partition(begin)
    _, found, after = rest.partition(END)
    if not found:
        raise ValueError(f"the document has no lines {begin.strip()} and {END.strip()}")
    return f"{before}{begin}{tables}{END}{after}"


def describe_machine(peers: Peers) -> str:
    """Return a line about the machine, its load before the run, and the versions, which ends a paragraph."""
    info = Path("/proc/cpuinfo")
    model = info.read_text(encoding="utf-8").partition("model name\t: ")[2].partition("\n")[0] if info.exists() else ""
    others = {"reportlab": version("reportlab"), **peers.versions}
    named = ", ".join(f"{name} {number}" for name, number in others.items())
    return (
        f"{date.today():%Y-%m-%d}, {os.cpu_count()} cores ({model or platform.machine()}),"
        f" load {os.getloadavg()[0]:.1f} at the start, {platform.system()},"
        f" Python {platform.python_version()}; {named}.\n\n"
    )


def write_head() -> Iterator[str]:
    """Yield the first lines of a table."""
    yield f"| {' | '.join(COLUMNS)} |\n"
    yield f"{'|---' * len(COLUMNS)}|\n"


def write_rows(results: Sequence[Result], aims: Aims) -> Iterator[str]:
    """Yield a line for each program of a case; ratios are to the first one."""
    for result in results:
        yield f"| {' | '.join(_make_cells(result, results[0], aims))} |\n"


def _make_cells(result: Result, unit: Result, aims: Aims) -> Iterator[str]:
    yield result.case
    yield result.program
    if not result.runs:
        yield from ("", "", "", "", "", "", "", result.output, "")
        return
    walls, alone = [run.wall for run in result.runs], result is unit
    yield f"{result.wall:.3f}"
    yield f"{min(walls):.3f} to {max(walls):.3f}" if len(walls) > 1 else "1 run"
    yield f"{result.cpu:.3f}"
    yield "1" if alone else f"{result.cpu / unit.cpu:.2f}"
    yield f"{result.instructions / 1e6:,.0f}" if result.instructions else ""
    counted = unit.instructions and result.instructions
    yield f"{result.instructions / unit.instructions:.2f}" if counted and not alone else ""
    yield f"{result.peak:,.0f}"
    yield result.output
    figures = (
        (result.cpu / unit.cpu, aims.ratio, "x CPU"),
        (result.wall, aims.wall, "s"),
        (result.peak, aims.peak, "MiB"),
        (result.size / 1000, aims.size, "kB"),
    )
    judged = (f"{aim:g} {name}: {'met' if figure <= aim else 'MISSED'}" for figure, aim, name in figures if aim)
    yield "; ".join(judged) if result.program == "pnp" else ""
