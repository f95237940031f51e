"""The command `preflight`: checks PDF files, each in its own process, within limits of time and memory."""

import os
import sys
from collections.abc import Callable, Iterable
from errno import EISDIR
from os import strerror
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import Any, TypeVar

import click

from generator.base.errors import Place, Problem, ProblemsFound
from generator.base.processes import SideProcess
from generator.commands.command_line import say, say_text
from generator.commands.options import FORMAT, PROJECT, say_warnings
from generator.game.preset_files import find_preset
from generator.game.presets import Shop
from generator.game.project import find_resources
from generator.production.preflight.inspection import inspect_pdf
from generator.production.preflight.pdf_document import LARGEST_PDF
from generator.production.preflight.preflight_report import (
    GENERAL,
    PreflightRules,
    Report,
    preflight_to_json,
    preflight_to_text,
    rules_from_shop,
)

try:
    import resource
except ImportError:  # Windows: only time is limited there
    resource = None  # type: ignore[assignment]

_SECONDS = 18
_LONGEST = 60.0  # seconds on a busy machine, or where a processor's time can't be limited
_BYTES = 800_000_000

Answer = TypeVar("Answer")


class Overrun(Exception):
    """The work took too much time or memory, or a library crashed."""


def run_in_process(work: Callable[..., Answer], *args: Any) -> Answer:
    """Run a function in another process. Return its result or raise its exception; raise Overrun if neither comes."""
    try:
        with SideProcess(_work_within_limits, work, args) as beside:
            answer, error = beside.wait(_LONGEST)
    except TimeoutError:
        raise Overrun(f"more than {_LONGEST:.0f} seconds") from None
    except EOFError as ended:
        late = resource is not None and ended.args[0] == -_TIME_IS_UP
        raise Overrun(f"more than {_SECONDS} seconds" if late else "too much memory, or a fault of a library") from None
    if isinstance(error, MemoryError):
        raise Overrun("too much memory")
    if error is not None:
        raise error
    return answer  # type: ignore[no-any-return]


_TIME_IS_UP = 24  # the signal SIGXCPU


def _work_within_limits(work: Callable[..., Any], args: tuple[Any, ...]) -> tuple[Any, BaseException | None]:
    if resource is not None:
        resource.setrlimit(resource.RLIMIT_CPU, (_SECONDS, _SECONDS + 1))
        try:  # what is set aside may be many more bytes than are used: each thread has a stack
            used = int(Path("/proc/self/statm").read_text().split()[5]) * resource.getpagesize()
        except (OSError, IndexError, ValueError):
            used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        most = used + _BYTES
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with open(os.devnull, "w") as nowhere:  # noqa: PTH123 - what libraries say before they break down
        os.dup2(nowhere.fileno(), 2)
    try:
        return work(*args), None
    except BaseException as error:  # noqa: BLE001 - it goes on where the answer is waited for
        return None, error


def find_preflight_rules(
    preset: str | None, folder: Path, named: Path | None = None
) -> tuple[PreflightRules, tuple[Problem, ...]]:
    """Return the rules of a shop preset, or general rules without one, and warnings about unconfirmed figures.

    Raise ProblemsFound for an unknown id.
    """
    if preset is None:
        return GENERAL, ()
    shop = find_preset(find_resources(folder, named), preset, "shop")
    if not isinstance(shop, Shop):
        raise TypeError(f"the preset {shop.id} of kind shop is a {type(shop).__name__}")
    doubts = shop.check_figures()
    return rules_from_shop(shop), (doubts,) if doubts else ()


def inspect_files(
    files: Iterable[Path], rules: PreflightRules, ghostscript: bool = True
) -> tuple[tuple[Report, ...], tuple[Problem, ...]]:
    """Return a report of each file that can be opened, and a problem for each that can't."""
    reports: list[Report] = []
    problems: list[Problem] = []
    for path in files:
        name = path.as_posix()
        try:
            reports.append(run_in_process(_inspect_path, path, rules, ghostscript))
        except OSError as error:
            problems.append(Problem(Place(name), f"can't be read: {error.strerror}", "give the path of a PDF"))
        except Overrun as error:
            what = f"pnp can't check the file: it takes {error}"
            problems.append(Problem(Place(name), what, "split it, or save it again with another program"))
        except ProblemsFound as found:
            problems += found.problems
    return tuple(reports), tuple(problems)


def _inspect_path(path: Path, rules: PreflightRules, ghostscript: bool) -> Report:
    name, about = path.as_posix(), path.stat()
    if S_ISDIR(about.st_mode):
        raise OSError(EISDIR, strerror(EISDIR))
    if not S_ISREG(about.st_mode):
        what = "this is a device or a pipe, not a file"
        raise ProblemsFound([Problem(Place(name), what, "give the path of a PDF")])
    with path.open("rb") as file:
        return inspect_pdf(name, file.read(LARGEST_PDF + 1), rules, ghostscript)


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE.pdf...", type=click.Path(path_type=Path))
@click.option("--preset", metavar="ID", help="Check the requirements of this print shop (see `pnp presets`).")
@FORMAT
@click.option("--strict", is_flag=True, help="Treat warnings as errors.")
@click.option(
    "--ghostscript/--no-ghostscript",
    default=True,
    help="Use Ghostscript to measure ink on complex pages (default: if it is installed).",
)
@PROJECT
@click.pass_obj
def preflight(obj: Path | None, /, **options: Any) -> None:
    """Check PDF files for print faults.

    pnp checks boxes, bleed, type, fonts, pictures, ink, colours and lines. It accepts PDF files of any program. The
    exit code is 1 if there are errors.
    """
    rules, doubts = find_preflight_rules(options["preset"], Path.cwd(), options["project"] or obj)
    say_warnings(doubts)
    reports, problems = inspect_files(options["files"], rules, options["ghostscript"])
    if options["form"] == "json":
        say_text(preflight_to_json(reports, problems))
    else:
        for report in reports:
            say_text(preflight_to_text(report))
        for problem in problems:
            say(str(problem), err=True)
    severe = 0
    for report in reports:
        severe += report.count("error") + (report.count("warning") if options["strict"] else 0)
    if problems or severe:
        sys.exit(1)
