"""Checks that installed packages add."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from generator.base.errors import ProblemsFound
from generator.base.extensions import Addition, find_additions, format_error
from generator.checks.check_report import Check, require_readings
from generator.checks.visible_items import Context
from generator.game.model import Game


def has_added_checks() -> bool:
    """Return True if packages add checks, whose results must not be cached: their code may change at any time."""
    return any(find_additions("checks"))


def run_added_checks(game: Game, context: Context) -> Iterator[Check]:
    """Yield the results of these checks. The id of each begins with the name of its check.

    A package that can't be loaded is undecided, because it may have checks. A check that can't be run fails.
    """
    found = find_additions("checks")
    for number, problem in enumerate(found.problems, 1):
        yield Check(f"package.{number}", "package", "undecided", problem.what, problem.hint)
    for addition in found.entries.values():
        try:
            yield from _run_check(addition, game, context)
        except ProblemsFound as stopped:
            for problem in stopped.problems:
                yield Check(addition.name, "package", "fail", problem.what, problem.hint, problem.place)
        except Exception as error:  # noqa: BLE001 - the code is foreign
            sentence = f"the package {addition.package} adds '{addition.name}', which failed: {format_error(error)}"
            yield Check(addition.name, "package", "fail", sentence, "update the package, or uninstall it with pip")


def _run_check(addition: Addition, game: Game, context: Context) -> tuple[Check, ...]:
    results = tuple(addition.load(Callable)(game, context))
    wrong = next((one for one in results if not isinstance(one, Check)), None)
    if wrong is not None:
        raise TypeError(f"a result of type {type(wrong).__name__} instead of Check")
    named = (addition.name, f"{addition.name}.")
    return require_readings(
        (
            one if one.id == named[0] or one.id.startswith(named[1]) else replace(one, id=f"{named[1]}{one.id}")
            for one in results
        ),
        game,
    )
