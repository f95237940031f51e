"""PDF files looked over before they go to print, by the general rules or by a print shop's."""

from collections.abc import Iterable
from errno import EISDIR
from os import strerror
from pathlib import Path
from stat import S_ISDIR, S_ISREG

from generator.errors import Place, Problem, ProblemsFound
from generator.jobs.apart import Overrun, apart
from generator.jobs.preset_list import resources_of
from generator.load.presets import find_preset
from generator.model.preset import Shop
from generator.printshop.preflight import GENERAL, LARGEST, Report, Rules, preflight, shop_rules


def rules_of(preset: str | None, here: Path, named: Path | None = None) -> tuple[Rules, tuple[Problem, ...]]:
    """The rules of a preset's id, or the general ones, and what is doubtful in them; ProblemsFound for no such id."""
    if preset is None:
        return GENERAL, ()
    shop = find_preset(resources_of(here, named), preset, "shop")
    if not isinstance(shop, Shop):
        raise TypeError(f"the preset {shop.id} of kind shop is a {type(shop).__name__}")
    doubts = shop.doubts()
    return shop_rules(shop), (doubts,) if doubts else ()


def look_over(
    files: Iterable[Path], rules: Rules, ghostscript: bool = True
) -> tuple[tuple[Report, ...], tuple[Problem, ...]]:
    """A report of each file that can be opened, and a problem for each that can't."""
    reports: list[Report] = []
    problems: list[Problem] = []
    for path in files:
        name = path.as_posix()
        try:
            reports.append(apart(_looked_over, path, rules, ghostscript))
        except OSError as error:
            problems.append(Problem(Place(name), f"can't be read: {error.strerror}", "give the path of a PDF"))
        except Overrun as error:
            what = f"the file can't be checked: that takes {error}"
            problems.append(Problem(Place(name), what, "split it, or write it anew with another program"))
        except ProblemsFound as found:
            problems += found.problems
    return tuple(reports), tuple(problems)


def _looked_over(path: Path, rules: Rules, ghostscript: bool) -> Report:
    name, about = path.as_posix(), path.stat()
    if S_ISDIR(about.st_mode):
        raise OSError(EISDIR, strerror(EISDIR))
    if not S_ISREG(about.st_mode):
        what = "it is a device or a pipe, which may never end"
        raise ProblemsFound([Problem(Place(name), what, "give the path of a PDF")])
    with path.open("rb") as file:
        return preflight(name, file.read(LARGEST + 1), rules, ghostscript)
